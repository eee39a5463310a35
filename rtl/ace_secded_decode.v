// SPDX-License-Identifier: Apache-2.0
//
// ace_secded_decode -- corrects a row that was read, in front of a read port's register
//
//   s_row --> [ syndrome ] --> [ which word ] --> XOR --> m_data
//                                    '----------> m_corrected, m_failed
//
// The syndrome of a codeword is 0 if no bit is wrong.  With one wrong bit it is the column of that
// bit's word, and with two its weight is even (ace_secded.vh).
//
// Contract
//   Latency     s_row of cycle t is at m_data in t+1, and stays until the next s_valid.
//               m_corrected and m_failed belong to the row of the cycle before, and are 0 without
//               one.  m_corrected: one or more codewords had a wrong bit, which is right in
//               m_data.  m_failed: one or more codewords had wrong bits that cannot be located, and
//               m_data still has them.  The two are never 1 together.
//   Code        m_code is the code of m_data (ace_row_code, for words of 32 bits).  For each
//               codeword it is the parity of the data bits that were read, inverted if a data bit
//               is corrected.  m_code is not computed from m_data.  So an error in m_data does not
//               fit the code.
//   Limit       Three wrong bits of a codeword may look like one: the code's distance is 4.
//   Depth       Five levels for the syndrome, as in the encoder, and one for the stored check bit;
//               three for a word's column; one for the XOR.  In all there are nine between the
//               banks and the register.
//   Reset       rst is synchronous, active high; data is not reset.
//   Twin        cmodel/parts/ace_secded_decode.h, equal inside ace_scratchpad
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

`include "ace_secded.vh"

module ace_secded_decode #(
    parameter WORD_W = 32       // bits of a word
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 s_valid,
    input  wire [72*WORD_W-1:0] s_row,          // 64 data words, then 8 check words
    output wire [64*WORD_W-1:0] m_data,
    output wire [WORD_W-1:0]    m_code,
    output reg                  m_corrected,
    output reg                  m_failed
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (WORD_W < 1) begin : g_illegal_word_w WORD_W_must_be_1_or_more stop (); end
    endgenerate

    localparam [575:0] COLUMNS = `ACE_SECDED_COLUMNS;

    wire [8*WORD_W-1:0] check;
    ace_secded_encode #(.WORD_W(WORD_W)) u_check (
        .s_valid(s_valid), .s_data(s_row[64*WORD_W-1:0]), .m_check(check)
    );
    wire [8*WORD_W-1:0] syndrome = s_valid ? check ^ s_row[72*WORD_W-1:64*WORD_W] : {8*WORD_W{1'b0}};

    reg [64*WORD_W-1:0] row_q;
    reg [WORD_W-1:0]    code_q;
    assign m_data = row_q;
    assign m_code = code_q;

    always @(posedge clk) begin : DECODE
        reg [64*WORD_W-1:0] right;
        reg [WORD_W-1:0]    wrong, told, hit;   // a bit a codeword
        reg [WORD_W-1:0]    code, turned;       // turned: a data bit is put right
        integer c, w;
        m_corrected <= 1'b0;
        m_failed    <= 1'b0;
        code = {WORD_W{1'b0}};
        if (s_valid) begin
            for (w = 0; w < 64; w = w + 1) code = code ^ s_row[w*WORD_W +: WORD_W];
            row_q  <= s_row[64*WORD_W-1:0];
            code_q <= code;
        end
        if (syndrome != {8*WORD_W{1'b0}}) begin
            right = s_row[64*WORD_W-1:0];
            wrong  = {WORD_W{1'b0}};
            told   = {WORD_W{1'b0}};
            turned = {WORD_W{1'b0}};
            for (c = 0; c < 8; c = c + 1)
                wrong = wrong | syndrome[c*WORD_W +: WORD_W];
            for (w = 0; w < 72; w = w + 1) begin
                hit = {WORD_W{1'b1}};
                for (c = 0; c < 8; c = c + 1)
                    hit = hit & (syndrome[c*WORD_W +: WORD_W] ^ {WORD_W{!COLUMNS[w*8 + c]}});
                told = told | hit;
                if (w < 64) begin
                    right[w*WORD_W +: WORD_W] = right[w*WORD_W +: WORD_W] ^ hit;
                    turned = turned | hit;
                end
            end
            row_q       <= right;
            code_q      <= code ^ turned;
            m_corrected <= wrong == told && !rst;
            m_failed    <= wrong != told && !rst;
        end
    end

endmodule

`default_nettype wire

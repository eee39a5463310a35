// SPDX-License-Identifier: Apache-2.0
//
// ace_secded_encode -- computes the check words of a row
//
// A row is 64 words and has 8 check words.  Bit i of all these words together is one codeword
// (ace_secded.vh).  So 2048 bits are 32 codewords, and an eighth of the row is added.  WORD_W
// neighbouring bits may fail together, since each belongs to another codeword.
//
// Contract
//   Latency     None.  While s_valid is low nothing is computed and m_check is 0.
//   Depth       A XOR of 26 bits: five levels of gates with two inputs.
//   Twin        cmodel/parts/ace_secded_encode.h, equal inside ace_scratchpad
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

`include "ace_secded.vh"

module ace_secded_encode #(
    parameter WORD_W = 32       // bits of a word
) (
    input  wire                 s_valid,
    input  wire [64*WORD_W-1:0] s_data,
    output reg  [8*WORD_W-1:0]  m_check
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (WORD_W < 1) begin : g_illegal_word_w WORD_W_must_be_1_or_more stop (); end
    endgenerate

    localparam [575:0] COLUMNS = `ACE_SECDED_COLUMNS;

    reg [WORD_W-1:0] sum;
    integer c, w;
    always @(*) begin
        m_check = {8*WORD_W{1'b0}};
        sum     = {WORD_W{1'b0}};
        if (s_valid)
            for (c = 0; c < 8; c = c + 1) begin
                sum = {WORD_W{1'b0}};
                for (w = 0; w < 64; w = w + 1)
                    if (COLUMNS[w*8 + c]) sum = sum ^ s_data[w*WORD_W +: WORD_W];
                m_check[c*WORD_W +: WORD_W] = sum;
            end
    end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_row_code -- the code of a row in a buffer: the bitwise parity of its words of 32 bits
//
//   s_data --> word ^ word ^ .. ^ word --> m_code
//
// Up to 32 neighbouring bits that flip together are found, since each is of another bit of the
// code.
//
// Contract
//   Latency     None.  While s_valid is low nothing is computed and m_code is 0.
//   Depth       A XOR of 64 bits for a row of 2048: six levels of gates with two inputs.
//   Twin        cmodel/parts/ace_row_code.h, equal inside ace_link_port
//               (tests/lockstep/lockstep_link_port_test.cc).

`default_nettype none

module ace_row_code #(
    parameter ROW_W = 2048      // bits of a row
) (
    input  wire             s_valid,
    input  wire [ROW_W-1:0] s_data,
    output reg  [31:0]      m_code
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 32 || ROW_W % 32 != 0) begin : g_illegal_row_w
            ROW_W_must_be_whole_words_of_32_bits stop ();
        end
    endgenerate

    integer w;
    always @(*) begin
        m_code = 32'd0;
        if (s_valid)
            for (w = 0; w < ROW_W; w = w + 32)
                m_code = m_code ^ s_data[w +: 32];
    end

endmodule

`default_nettype wire

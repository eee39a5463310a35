// SPDX-License-Identifier: Apache-2.0
//
// ace_row_check -- compares a row with the code that came with it
//
//   s_data --> { its code } --> XOR --> [ bits that differ ] --> OR --> [ m_wrong ]
//   s_code ----------------------^
//
// A row is checked where it is used, at the same time.  Its user does not wait for the result, so
// the check adds no latency.
//
// Contract
//   Latency     m_wrong is 1 for one cycle, two cycles after the s_valid of a row that does not
//               fit.
//   Depth       The six levels of ace_row_code and one more; then an OR of 32 bits.
//   Reset       rst is synchronous, active high; checks in flight are dropped.
//   Twin        cmodel/parts/ace_row_code.h, equal inside ace_list_walk and ace_node
//               (tests/lockstep/lockstep_list_walk_test.cc, lockstep_node_test.cc).

`default_nettype none

module ace_row_check #(
    parameter ROW_W = 2048,     // bits of a row
    parameter CODED = 1         // 0: rows have no code, and none is wrong
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    input  wire [ROW_W-1:0] s_data,
    input  wire [31:0]      s_code,
    output wire             m_wrong
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 32 || ROW_W % 32 != 0) begin : g_illegal_row_w
            ROW_W_must_be_whole_words_of_32_bits stop ();
        end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
    endgenerate

    generate
        if (CODED != 0) begin : g_code
            reg         looked_q, wrong_q;
            reg  [31:0] unfit_q;
            wire [31:0] code;
            ace_row_code #(.ROW_W(ROW_W)) u_code (.s_valid(s_valid), .s_data(s_data), .m_code(code));
            assign m_wrong = wrong_q;
            always @(posedge clk) begin
                looked_q <= s_valid && !rst;
                wrong_q  <= looked_q && unfit_q != 32'd0 && !rst;
                if (s_valid) unfit_q <= code ^ s_code;
            end
        end else begin : g_no_code
            assign m_wrong = 1'b0;
            wire unused = &{1'b0, clk, rst, s_valid, s_data, s_code};
        end
    endgenerate

endmodule

`default_nettype wire

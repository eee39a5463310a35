// SPDX-License-Identifier: Apache-2.0
//
// ace_integer_lane -- copy, integer sum, minimum or maximum of one element
//
//   s_a ---> [ pass, add, or take the lesser or greater ] ---> { m_result }
//   s_b --->
//
// Floating-point numbers are ordered as sign and magnitude, integers as two's complement.  Once the
// signs are handled, both compare as unsigned numbers.
//
// Contract
//   Handshake   None.  The register moves in a cycle in which s_en is high and does not change
//               otherwise.
//   Latency     1 rising edge, 1 operation a cycle.
//   Values      s_op 0 s_a bit for bit 1 s_a + s_b modulo 2^W 2 the lesser 3 the greater.  With
//               s_integer clear, 2 and 3 are IEEE 754-2019 minimum and maximum: -0 is less than
//               +0.  A magnitude beyond s_top is a NaN, and the result is then s_nan.  Operations
//               that are not built act as 0.
//   Reset       None; m_result is unknown until the first result.
//   Twin        cmodel/parts/ace_integer_lane.c, equal at m_result after every edge
//               (tests/lockstep/alu_test.cc).

`default_nettype none

module ace_integer_lane #(
    parameter W        = 32,    // bits of the element
    parameter SUMS     = 1,     // is s_op 1 built?
    parameter COMPARES = 1      // are 2 and 3?
) (
    input  wire         clk,
    input  wire         s_en,
    input  wire [1:0]   s_op,
    input  wire         s_integer,
    input  wire [W-2:0] s_top,
    input  wire [W-1:0] s_nan,
    input  wire [W-1:0] s_a,
    input  wire [W-1:0] s_b,
    output wire [W-1:0] m_result
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (W < 2) begin : g_illegal_w W_must_be_2_or_more stop (); end
        if (SUMS != 0 && SUMS != 1) begin : g_illegal_sums SUMS_must_be_0_or_1 stop (); end
        if (COMPARES != 0 && COMPARES != 1) begin : g_illegal_compares COMPARES_must_be_0_or_1 stop (); end
    endgenerate

    localparam [1:0] ADD = 2'd1, LESSER = 2'd2;

    wire unused = &{1'b0, s_integer, s_top, s_nan, s_b};    // of what is not built

    reg [W-1:0] result_q;
    assign m_result = result_q;

    always @(posedge clk) if (s_en) begin : operate
        reg [W-1:0] key_a, key_b;
        reg         a_first;

        if (SUMS != 0 && s_op == ADD)
            result_q <= s_a + s_b;
        else if (COMPARES != 0 && s_op >= LESSER) begin
            // a negative magnitude counts downwards
            key_a = {!s_a[W-1], !s_integer && s_a[W-1] ? ~s_a[W-2:0] : s_a[W-2:0]};
            key_b = {!s_b[W-1], !s_integer && s_b[W-1] ? ~s_b[W-2:0] : s_b[W-2:0]};
            a_first = key_a < key_b;
            if (!s_integer && (s_a[W-2:0] > s_top || s_b[W-2:0] > s_top))
                result_q <= s_nan;
            else
                result_q <= a_first == (s_op == LESSER) ? s_a : s_b;
        end else
            result_q <= s_a;
    end

endmodule

`default_nettype wire

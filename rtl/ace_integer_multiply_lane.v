// SPDX-License-Identifier: Apache-2.0
//
// ace_integer_multiply_lane -- product of two integers, or quotient by a reciprocal
//
//   s_a ----------> [ multiply ] -> [ sum, shift ] -> [ sign ] ---> m_product
//   s_b, s_scale -->    s1_en            s2_en          s3_en
//
// Contract
//   Handshake   None.  Each stage moves in a cycle in which its enable is high, and does not change
//               otherwise.  The caller gives s2_en one cycle after s1_en, and s3_en one cycle after
//               s2_en.
//   Latency     3 rising edges, 1 operation a cycle.
//   Values      If s_next_scaled was low: s_a * s_b modulo 2^W.  If it was high: s_a / n truncated
//               toward zero, as in C.  s_a is in two's complement.  Its magnitude is multiplied by
//               s_scale and shifted right by 31 + s_shift; the sign is kept.
//               The quotient is right for every s_a and every n up to 2^31, under two conditions.
//               2^s_shift is the least power of two that is not less than n.  s_scale is 2^(31 +
//               s_shift) / n rounded up.  Proof: s_scale exceeds the quotient by less than 1.  So
//               the product is too large by less than 2^31 <= 2^(31 + s_shift) / n, the distance to
//               the next whole result.
//   Reset       None; m_product is unknown until the first result.
//   Twin        cmodel/parts/ace_integer_multiply_lane.c, equal at m_product after every edge
//               (tests/lockstep/alu_test.cc).

`default_nettype none

module ace_integer_multiply_lane #(
    parameter W = 32            // bits of the element, 32 or less
) (
    input  wire         clk,
    input  wire         s1_en,
    input  wire         s2_en,
    input  wire         s3_en,
    input  wire         s_next_scaled,  // scaled_q of the next cycle's operands
    input  wire [4:0]   s_shift,
    input  wire [W-1:0] s_a,
    input  wire [W-1:0] s_b,
    input  wire [31:0]  s_scale,
    output wire [W-1:0] m_product
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (W < 2 || W > 32) begin : g_illegal_w W_must_be_2_to_32 stop (); end
    endgenerate

    // Each lane has its own copy of this register.  One copy for all lanes would have a fan-out of
    // hundreds.
    reg                scaled_q;
    always @(posedge clk) scaled_q <= s_next_scaled;

    reg            scaled1_q, sign1_q, sign2_q;
    reg [4:0]      shift1_q;
    reg [W+15:0]   low1_q, high1_q;     // products with the lower and with the upper 16 bits
    reg [W-1:0]    product2_q, product3_q;
    assign m_product = product3_q;

    function [W+15:0] half;
        input [W-1:0] a;
        input [15:0]  b;
        input         more;
        half = {16'd0, a} * {{W{1'b0}}, b} + (more ? {{W{1'b0}}, b} : {W+16{1'b0}});
    endfunction

    always @(posedge clk) if (s1_en) begin : multiply
        reg         sign;
        reg [31:0]  b;

        sign = scaled_q && s_a[W-1];
        b    = s_scale;
        if (!scaled_q) begin
            b = 32'd0;
            b[W-1:0] = s_b;
        end
        // The magnitude of a negative number is its complement plus one, which is one more row of
        // each product.  The multiplication is split in two halves, since the rows and the sum of a
        // whole one take longer than a cycle.
        low1_q     <= half(s_a ^ {W{sign}}, b[15:0], sign);
        high1_q    <= half(s_a ^ {W{sign}}, b[31:16], sign);
        scaled1_q  <= scaled_q;
        shift1_q   <= s_shift;
        sign1_q    <= sign;
    end

    always @(posedge clk) if (s2_en) begin : shift
        // the quotient is no larger than the dividend: it fits W bits
        // lint: so the upper bits are not used
        /* verilator lint_off UNUSEDSIGNAL */
        reg [W+31:0] product, quotient;
        /* verilator lint_on UNUSEDSIGNAL */

        product    = {high1_q + {16'd0, low1_q[W+15:16]}, low1_q[15:0]};
        quotient   = product >> (6'd31 + {1'b0, shift1_q});
        product2_q <= scaled1_q ? quotient[W-1:0] : product[W-1:0];
        sign2_q    <= sign1_q;
    end

    always @(posedge clk) if (s3_en) product3_q <= sign2_q ? -product2_q : product2_q;

endmodule

`default_nettype wire

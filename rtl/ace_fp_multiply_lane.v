// SPDX-License-Identifier: Apache-2.0
//
// ace_fp_multiply_lane -- one multiplier of any small binary format, by itself or by FP32
//
//   s_a, s_sum   ---> [ multiply ] -> [ normalise ] -> [ round ] ---> m_product
//   s_b, s_scale --->    s1_en           s2_en           s3_en
//
// Contract
//   Handshake   None.  Each stage moves in a cycle in which its enable is high, and does not change
//               otherwise.  The caller gives s2_en one cycle after s1_en, and s3_en one cycle after
//               s2_en.
//   Latency     3 rising edges; m_product is the third register.
//   Throughput  1 multiplication a cycle.
//   Values      The product is s_a x s_b.  In the cycle after s_next_scaled it is s_sum x s_scale,
//               where s_scale is FP32 whatever the format.  The exact product is rounded once, to
//               nearest even, with subnormals in operands and results.  Every NaN result is the
//               canonical quiet NaN; 0 x infinity is NaN too.  FINITE: as in ace_fp_add_lane.
//   Reset       None; m_product is unknown until the first result.
//   Twin        cmodel/parts/ace_fp_multiply_lane.c, equal at m_product after every edge
//               (tests/lockstep/alu_test.cc).

`default_nettype none

module ace_fp_multiply_lane #(
    parameter EXP_W  = 8,                   // bits of the exponent, 4..8
    parameter MAN_W  = 23,                  // bits of the stored fraction, 2..23
    parameter FINITE = 0                    // 1: no infinities, NaN is all ones
) (
    input  wire                 clk,
    input  wire                 s1_en,
    input  wire                 s2_en,
    input  wire                 s3_en,
    input  wire                 s_next_scaled,  // scaled_q of the next cycle's operands
    input  wire [EXP_W+MAN_W:0] s_a,
    input  wire [EXP_W+MAN_W:0] s_b,
    input  wire [EXP_W+MAN_W:0] s_sum,
    input  wire [31:0]          s_scale,
    output wire [EXP_W+MAN_W:0] m_product
);

    localparam P_W = MAN_W + 25;            // two significands side by side
    localparam STEPS = $clog2(P_W);         // of the normalising shift
    localparam [EXP_W-1:0] EXP_MAX = {EXP_W{1'b1}};
    localparam [EXP_W+MAN_W-1:0] ALL_ONES  = {EXP_W+MAN_W{1'b1}};
    localparam [EXP_W+MAN_W-1:0] QUIET_NAN = FINITE != 0 ? ALL_ONES : {EXP_MAX, 1'b1, {MAN_W-1{1'b0}}};
    // The result for a value that is too large; magnitudes from here on are no numbers.
    localparam [EXP_W+MAN_W-1:0] TOO_LARGE = FINITE != 0 ? ALL_ONES : {EXP_MAX, {MAN_W{1'b0}}};
    localparam [7:0] REBIAS = 8'd127 - ((8'd1 << (EXP_W - 1)) - 8'd1);      // to FP32's exponent

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (EXP_W < 4 || EXP_W > 8) begin : g_illegal_exp_w EXP_W_must_be_4_to_8 stop (); end
        if (MAN_W < 2 || MAN_W > 23) begin : g_illegal_man_w MAN_W_must_be_2_to_23 stop (); end
        if (FINITE != 0 && FINITE != 1) begin : g_illegal_finite FINITE_must_be_0_or_1 stop (); end
    endgenerate

    // Each lane has its own copy of this register.  One copy for all lanes would have a fan-out of
    // hundreds.
    reg                scaled_q;
    always @(posedge clk) scaled_q <= s_next_scaled;

    // ---- stage 1: significands multiplied, exponents added

    reg               nan1_q, inf1_q, sign1_q;
    reg signed [9:0]  exp1_q;               // of the product's top bit, as the format counts
    reg [P_W-1:0]     product1_q;
    reg [P_W-1:0]     stop1_q;              // where exponent 1 stops the shift of stage 2

    always @(posedge clk) if (s1_en) begin : multiply
        reg                 top_a, top_b, nan_a, nan_b, inf_a, inf_b, sign_b;
        reg [EXP_W+MAN_W:0] a;
        reg [EXP_W-1:0]     exp_a, own_b;
        reg [7:0]           exp_b;
        reg [MAN_W:0]       sig_a;
        reg [23:0]          sig_b;
        reg signed [9:0]    exp;
        reg [9:0]           ahead;          // of exponent 1

        a     = scaled_q ? s_sum : s_a;
        exp_a = a[EXP_W+MAN_W-1:MAN_W];
        sig_a = {exp_a != 0, a[MAN_W-1:0]};
        top_a = exp_a == EXP_MAX;
        nan_a = FINITE != 0 ? a[EXP_W+MAN_W-1:0] == ALL_ONES : top_a && a[MAN_W-1:0] != 0;
        inf_a = FINITE == 0 && top_a && a[MAN_W-1:0] == 0;
        own_b = s_b[EXP_W+MAN_W-1:MAN_W];
        if (scaled_q) begin
            sign_b = s_scale[31];
            sig_b = {s_scale[30:23] != 0, s_scale[22:0]};
            exp_b = s_scale[30:23] | {7'd0, s_scale[30:23] == 0};
            top_b = s_scale[30:23] == 8'hff;
            nan_b = top_b && s_scale[22:0] != 0;
            inf_b = top_b && s_scale[22:0] == 0;
        end else begin
            sign_b = s_b[EXP_W+MAN_W];
            sig_b = {23'd0, own_b != 0} << 23 | {{24-MAN_W{1'b0}}, s_b[MAN_W-1:0]} << (23 - MAN_W);
            exp_b = REBIAS + ({{8-EXP_W{1'b0}}, own_b} | {7'd0, own_b == 0});
            top_b = own_b == EXP_MAX;
            nan_b = FINITE != 0 ? s_b[EXP_W+MAN_W-1:0] == ALL_ONES : top_b && s_b[MAN_W-1:0] != 0;
            inf_b = FINITE == 0 && top_b && s_b[MAN_W-1:0] == 0;
        end
        product1_q <= {{P_W-MAN_W-1{1'b0}}, sig_a} * {{P_W-24{1'b0}}, sig_b};
        exp = $signed({{10-EXP_W{1'b0}}, exp_a | {{EXP_W-1{1'b0}}, exp_a == 0}})
            + $signed({2'b00, exp_b}) - 10'sd126;
        ahead   = exp - 10'sd1;             // more than all places where it is behind
        exp1_q  <= exp;
        stop1_q <= {1'b1, {P_W-1{1'b0}}} >> ahead;
        nan1_q  <= nan_a || nan_b || (inf_a && sig_b == 0) || (inf_b && sig_a == 0);
        inf1_q  <= inf_a || inf_b;
        sign1_q <= a[EXP_W+MAN_W] ^ sign_b;
    end

    // ---- stage 2: the leading one to the top, or as far as the least exponent lets it

    reg               nan2_q, inf2_q, sign2_q;
    reg [9:0]         exp2_q;
    reg [MAN_W+2:0]   sig2_q;               // hidden bit, fraction, round, sticky

    always @(posedge clk) if (s2_en) begin : normalise
        integer          k;
        reg signed [9:0] exp;
        reg [P_W-1:0]    sig, lost, stop;
        reg [9:0]        zeros;

        exp  = exp1_q;
        sig  = product1_q;
        lost = {P_W{1'b0}};
        stop = product1_q | stop1_q;
        zeros = 10'd0;
        if (exp < 10'sd1) begin
            lost = sig & ~({P_W{1'b1}} << (10'sd1 - exp));
            sig  = sig >> (10'sd1 - exp);
            exp  = 10'sd1;
        end else begin
            for (k = STEPS - 1; k >= 0; k = k - 1) begin
                zeros[k] = (stop >> (P_W - (1 << k))) == 0;
                if (zeros[k]) begin
                    sig  = sig << (1 << k);
                    stop = stop << (1 << k);
                end
            end
            exp = exp - $signed(zeros);
        end
        nan2_q  <= nan1_q;
        inf2_q  <= inf1_q;
        sign2_q <= sign1_q;
        exp2_q  <= exp;
        sig2_q  <= {sig[P_W-1:P_W-MAN_W-2], sig[P_W-MAN_W-3:0] != 0 || lost != 0};
    end

    // ---- stage 3: one rounding

    reg [EXP_W+MAN_W:0] product3_q;

    always @(posedge clk) if (s3_en) begin : round
        reg                up;
        reg [10+MAN_W-1:0] magnitude;

        // Rounding up carries into the exponent: subnormal to normal, largest to too large.
        up = sig2_q[1] && (sig2_q[2] || sig2_q[0]);
        magnitude = {sig2_q[MAN_W+2] ? exp2_q : 10'd0, sig2_q[MAN_W+1:2]} + {{9+MAN_W{1'b0}}, up};
        if (nan2_q)
            product3_q <= {1'b0, QUIET_NAN};
        else if (inf2_q || magnitude >= {{10-EXP_W{1'b0}}, TOO_LARGE})
            product3_q <= {sign2_q && FINITE == 0, TOO_LARGE};
        else
            product3_q <= {sign2_q, magnitude[EXP_W+MAN_W-1:0]};
    end

    assign m_product = product3_q;

endmodule

`default_nettype wire

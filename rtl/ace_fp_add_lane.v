// SPDX-License-Identifier: Apache-2.0
//
// ace_fp_add_lane -- one adder of any small binary floating-point format
//
//   s_a ---> [ order, align ] -> [ add ] -> [ normalise, round ] ---> m_sum
//   s_b --->     s1_en            s2_en            s3_en
//
// Contract
//   Handshake   None.  Each stage moves in a cycle in which its enable is high, and does not change
//               otherwise.  The caller gives s2_en one cycle after s1_en, and s3_en one cycle after
//               s2_en.
//   Latency     3 rising edges; m_sum is the third register.
//   Throughput  1 addition a cycle.
//   Values      Round to nearest even, with subnormals in operands and results.  Every NaN result
//               is the canonical quiet NaN. x + -x is +0.  FINITE: the format has no infinities and
//               one NaN, all ones (OCP E4M3).  A result beyond its largest number becomes that NaN.
//   Reset       None; m_sum is unknown until the first result.
//   Twin        cmodel/parts/ace_fp_add_lane.c, equal at m_sum after every edge
//               (tests/lockstep/alu_test.cc).
//
// The arithmetic is written as blocking temporaries inside the clocked enable:
// the gates are the same, and a simulator evaluates only lanes that work.

`default_nettype none

module ace_fp_add_lane #(
    parameter EXP_W  = 8,                   // bits of the exponent, 4..8
    parameter MAN_W  = 23,                  // bits of the stored fraction, 2..23
    parameter FINITE = 0                    // 1: no infinities, NaN is all ones
) (
    input  wire                   clk,
    input  wire                   s1_en,
    input  wire                   s2_en,
    input  wire                   s3_en,
    input  wire [EXP_W+MAN_W:0]   s_a,
    input  wire [EXP_W+MAN_W:0]   s_b,
    output wire [EXP_W+MAN_W:0]   m_sum
);

    localparam SIG_W = MAN_W + 4;           // hidden bit, fraction, guard, round, sticky
    localparam STEPS = $clog2(SIG_W);       // of the normalising shift
    localparam [EXP_W:0]   EXP_ONE = 1;
    localparam [EXP_W-1:0] EXP_MAX = {EXP_W{1'b1}};
    localparam [EXP_W-1:0] EXP_FAR = SIG_W[EXP_W-1:0]; // shifting further than this changes nothing
    localparam [EXP_W+MAN_W-1:0] ALL_ONES  = {EXP_W+MAN_W{1'b1}};
    localparam [EXP_W+MAN_W-1:0] QUIET_NAN = FINITE != 0 ? ALL_ONES : {EXP_MAX, 1'b1, {MAN_W-1{1'b0}}};
    // The result for a value that is too large; magnitudes from here on are no numbers.
    localparam [EXP_W+MAN_W-1:0] TOO_LARGE = FINITE != 0 ? ALL_ONES : {EXP_MAX, {MAN_W{1'b0}}};

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (EXP_W < 4 || EXP_W > 8) begin : g_illegal_exp_w EXP_W_must_be_4_to_8 stop (); end
        if (MAN_W < 2 || MAN_W > 23) begin : g_illegal_man_w MAN_W_must_be_2_to_23 stop (); end
        if (FINITE != 0 && FINITE != 1) begin : g_illegal_finite FINITE_must_be_0_or_1 stop (); end
    endgenerate

    // ---- stage 1: the larger magnitude first, the other aligned to it

    reg               nan1_q, inf1_q, sub1_q, sign1_q;
    reg [EXP_W-1:0]   exp1_q;
    reg [MAN_W:0]     big1_q;
    reg [SIG_W-1:0]   little1_q;

    always @(posedge clk) if (s1_en) begin : align
        reg                   swap;
        reg [EXP_W+MAN_W:0]   big;
        reg [EXP_W+MAN_W-1:0] little;       // its sign is known from sub1_q
        reg [EXP_W-1:0]       big_exp, little_exp, away;
        reg [SIG_W-1:0]       sig;

        swap  = s_b[EXP_W+MAN_W-1:0] > s_a[EXP_W+MAN_W-1:0];
        big   = swap ? s_b : s_a;
        little = swap ? s_a[EXP_W+MAN_W-1:0] : s_b[EXP_W+MAN_W-1:0];

        // A subnormal has the exponent of the smallest normal and no hidden bit.
        big_exp   = big[EXP_W+MAN_W-1:MAN_W];
        little_exp = little[EXP_W+MAN_W-1:MAN_W];
        away = (big_exp   | {{EXP_W-1{1'b0}}, big_exp   == 0})
             - (little_exp | {{EXP_W-1{1'b0}}, little_exp == 0});
        if (away > EXP_FAR) away = EXP_FAR;
        sig = {little_exp != 0, little[MAN_W-1:0], 3'b000};

        // The larger magnitude is a NaN if any is, infinite if any is.
        nan1_q   <= FINITE != 0 ? big[EXP_W+MAN_W-1:0] == ALL_ONES :
                    big_exp == EXP_MAX && (big[MAN_W-1:0] != 0 ||
                    (little_exp == EXP_MAX && (s_a[EXP_W+MAN_W] ^ s_b[EXP_W+MAN_W])));
        inf1_q   <= FINITE == 0 && big_exp == EXP_MAX;
        sub1_q   <= s_a[EXP_W+MAN_W] ^ s_b[EXP_W+MAN_W];
        sign1_q  <= big[EXP_W+MAN_W];
        exp1_q   <= big_exp | {{EXP_W-1{1'b0}}, big_exp == 0};
        big1_q   <= {big_exp != 0, big[MAN_W-1:0]};
        little1_q <= (sig >> away)
                  | {{SIG_W-1{1'b0}}, (sig & ~({SIG_W{1'b1}} << away)) != 0};
    end

    // ---- stage 2: one addition or subtraction, never negative

    reg               nan2_q, inf2_q, sign2_q;
    reg [EXP_W-1:0]   exp2_q;
    reg [SIG_W:0]     sum2_q;
    reg [SIG_W-1:0]   stop2_q;              // where exponent 1 stops the shift of stage 3

    always @(posedge clk) if (s2_en) begin : add
        reg [SIG_W:0] sum;

        sum = sub1_q ? {1'b0, big1_q, 3'b000} - {1'b0, little1_q}
                     : {1'b0, big1_q, 3'b000} + {1'b0, little1_q};
        nan2_q  <= nan1_q;
        inf2_q  <= inf1_q;
        sign2_q <= sign1_q && !(sub1_q && sum == 0);    // exact cancellation is +0
        exp2_q  <= exp1_q;
        sum2_q  <= sum;
        stop2_q <= {{SIG_W-1{1'b0}}, exp1_q <= EXP_FAR} << (EXP_FAR - exp1_q);
    end

    // ---- stage 3: restore the hidden bit, then round once

    reg [EXP_W+MAN_W:0] sum3_q;

    always @(posedge clk) if (s3_en) begin : round
        integer             k;
        reg                 up;
        reg [EXP_W:0]       exp;
        reg [SIG_W-1:0]     sig, stop;
        reg [EXP_W:0]       zeros;
        reg [EXP_W+MAN_W:0] magnitude;

        exp = {1'b0, exp2_q};
        sig = sum2_q[SIG_W-1:0];
        stop = sig | stop2_q;
        zeros = {EXP_W+1{1'b0}};
        if (sum2_q[SIG_W]) begin
            sig = {sum2_q[SIG_W:2], sum2_q[1] | sum2_q[0]};
            exp = exp + EXP_ONE;
        end else begin
            // The shift stops at exponent 1, where subnormals begin, or behind the leading one.
            for (k = STEPS - 1; k >= 0; k = k - 1) begin
                zeros[k] = (stop >> (SIG_W - (1 << k))) == 0;
                if (zeros[k]) begin
                    sig  = sig << (1 << k);
                    stop = stop << (1 << k);
                end
            end
            exp = exp - zeros;
        end

        // Rounding up carries into the exponent: subnormal to normal, largest to too large.
        up = sig[2] && (sig[3] || sig[1:0] != 0);
        magnitude = {sig[SIG_W-1] ? exp : {EXP_W+1{1'b0}}, sig[SIG_W-2:3]}
                  + {{EXP_W+MAN_W{1'b0}}, up};

        if (nan2_q)
            sum3_q <= {1'b0, QUIET_NAN};
        else if (inf2_q || magnitude >= {1'b0, TOO_LARGE})
            sum3_q <= {sign2_q && FINITE == 0, TOO_LARGE};
        else
            sum3_q <= {sign2_q, magnitude[EXP_W+MAN_W-1:0]};
    end

    assign m_sum = sum3_q;

endmodule

`default_nettype wire

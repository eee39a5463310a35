// SPDX-License-Identifier: Apache-2.0
//
// ace_alu -- element-wise reduction of two 64-byte beats, one beat a cycle
//
//             stages 1..3                        stages 4..6
//           +--> [ add, for each float format ] --+--> [ multiply, for each type ] --+
//   s_a --->|                                     |                                  +--> m_data
//   s_b --->+--> [ integer lanes ] -> { } -> { } -+--> { } -> { } -> { } ------------+
//
// Elements   16 of 32 bits, 32 of 16 or 64 of 8, element 0 in the low bits.  s_type:
//            0 FP32   1 FP16   2 BF16   3 FP8 E4M3   4 FP8 E5M2   5 INT8   6 INT32
//            Each format has its own lanes.  Only the lanes of the beat's type switch.
// Operations s_op: 0 sum   1 average   2 minimum   3 maximum   4 product
//            An average is the sum times s_scale.  To average over several operands, the
//            caller uses sums first and an average for the last addition only.
//
// Contract
//   Handshake   None.  Operands are taken at every edge at which s_valid is high.
//   Latency     Exactly 6 rising edges: the result of operands taken at edge t is in m_data's
//               registers after edge t+5.  A stage without a valid beat does not change, so m_data
//               keeps the last result.
//   Throughput  1 beat a cycle, any mixture of types, operations and bypass.
//   Values      Floating point is IEEE 754.  Each operation is rounded once to the type, to nearest
//               even.  Subnormals are kept in operands and results.  Every NaN result is the type's
//               canonical quiet NaN: sign 0, and only the top bit of the fraction set.
//               Sum: x + -x is +0.  Minimum and maximum follow IEEE 754-2019: -0 is below +0, and
//               the result is NaN if either operand is.  Product: 0 x infinity is NaN.
//               FP8 follows the OCP 8-bit Floating Point Specification.  E4M3 has no infinities and
//               one NaN, S.1111.111.  Results beyond the largest number (448 and 57344) do not
//               saturate: they become NaN in E4M3 and infinity in E5M2.  So an overflow is visible,
//               as in the wider formats, and loss scaling relies on this.  A sum of two FP8 numbers
//               is the FP32 sum rounded to FP8, since 24 bits are at least twice 4 and 2.  So
//               accumulation within a packet is in FP32, and the wire carries FP8.
//               Average: the rounded sum times s_scale[31:0], an FP32 number (the nearest to 1/n).
//               The exact product is rounded once.
//               Integers are two's complement: sums and products are modulo 2^8 or 2^32.  An
//               average is the sum / n truncated toward zero; ace_integer_multiply_lane explains
//               s_scale = {shift, reciprocal}.
//               With s_bypass m_data is s_a bit for bit. s_type 7 is not a type and means 6; s_op
//               5..7 mean 4.
//   Early       With EARLY m_early is the result of a beat without a product, three cycles before it
//               is on m_data, while m_early_valid; ace_datapath rounds it to the format of the wire.
//   Built       TYPES and OPS have a bit for each type and operation that is built.  Lanes for the
//               others are left out.  ace_control refuses commands with them, so no such beat
//               arrives.
//   Reset       rst is synchronous, active high, and drops the beats inside. m_data is unknown
//               until the first result.
//   Twin        cmodel/parts/ace_alu.c, equal after every edge (tests/lockstep/alu_test.cc).

`default_nettype none

module ace_alu #(
    parameter TYPES = 127,          // what is built: a bit a type, FP32 is bit 0
    parameter OPS   = 31,           // and a bit an operation, sum is bit 0
    parameter EARLY = 0             // 1: m_early is there
) (
    input  wire         clk,
    input  wire         rst,

    // Operands in
    input  wire         s_valid,
    input  wire         s_bypass,       // 1: the result is s_a
    input  wire [2:0]   s_type,
    input  wire [2:0]   s_op,
    input  wire [36:0]  s_scale,        // of an average: factor, and shift of integers
    input  wire [511:0] s_a,
    input  wire [511:0] s_b,

    // Result out, from registers through the choice of the type
    output wire [511:0] m_data,
    output wire         m_early_valid,
    output wire [511:0] m_early
);
    /* verilator no_inline_module */    // its code exists once, for all ALUs of a node

    localparam [2:0] FP32 = 3'd0, FP16 = 3'd1, BF16 = 3'd2, E4M3 = 3'd3, INT8 = 3'd5;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1, MINIMUM = 3'd2, PRODUCT = 3'd4;
    localparam [1:0] PASS = 2'd0, ADD = 2'd1, LESSER = 2'd2, GREATER = 2'd3;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (TYPES < 1 || TYPES > 127) begin : g_illegal_types TYPES_must_be_1_to_127 stop (); end
        if (OPS < 1 || OPS > 31) begin : g_illegal_ops OPS_must_be_1_to_31 stop (); end
        if (EARLY != 0 && EARLY != 1) begin : g_illegal_early EARLY_must_be_0_or_1 stop (); end
    endgenerate

    // ---- lanes that are built: adders and multipliers, a bit a type, and integer lanes.  The
    // 32-bit integer lane is always there, since copied rows pass through it.
    localparam [31:0] TYPE_BITS = TYPES, OP_BITS = OPS;
    localparam       SUMS      = OP_BITS[0] || OP_BITS[1];
    localparam       COMPARES  = OP_BITS[2] || OP_BITS[3];
    localparam [4:0] ADDERS    = SUMS ? TYPE_BITS[4:0] : 5'd0;
    localparam [6:0] MULTIPLES = OP_BITS[1] || OP_BITS[4] ? TYPE_BITS[6:0] : 7'd0;
    localparam       HALVES    = COMPARES && (TYPE_BITS[1] || TYPE_BITS[2]);
    localparam       BYTES     = (COMPARES && (TYPE_BITS[3] || TYPE_BITS[4])) || ((COMPARES || SUMS) && TYPE_BITS[5]);
    localparam       INTEGERS  = SUMS && (TYPE_BITS[5] || TYPE_BITS[6]);    // integer lanes that add

    // ---- what a beat needs: a bit a lane of each kind
    wire       average  = !s_bypass && s_op == AVERAGE;
    wire       product  = !s_bypass && s_op >= PRODUCT;
    wire       floating = s_type < INT8;
    wire       adds     = !s_bypass && floating && (s_op == SUM || s_op == AVERAGE);
    wire [6:0] lane     = s_type > INT8 ? 7'h40 : 7'd1 << s_type;
    wire [1:0] integer_op = s_bypass || product ? PASS : s_op == MINIMUM ? LESSER :
                            s_op > MINIMUM ? GREATER : ADD;
    wire [2:0] width    = integer_op == PASS || s_type == FP32 || s_type > INT8 ? 3'b001 :
                          s_type == FP16 || s_type == BF16 ? 3'b010 : 3'b100;   // 32, 16, 8 bits
    wire [4:0] add1     = s_valid && adds ? lane[4:0] : 5'd0;
    wire [2:0] integer1 = s_valid && !adds ? width : 3'd0;
    wire [6:0] multiply = s_valid && (average || product) ? lane : 7'd0;

    // These registers hold the work of stage n, which is in their names.  In stage 4, add and
    // integer say where the operand is. out selects what m_data shows.
    reg [4:0]   add2_q, add3_q, add4_q;
    reg [2:0]   integer2_q;
    reg         integer3_q, integer4_q;
    reg [6:0]   multiply2_q, multiply3_q, multiply4_q, multiply5_q, multiply6_q, out_q;
    reg         average2_q, average3_q;
    reg         pass5_q, pass6_q;

    wire        pass4 = (integer4_q || add4_q != 5'd0) && multiply4_q == 7'd0;

    assign m_early_valid = pass4 && EARLY != 0;

    always @(posedge clk) begin
        if (rst) begin
            {add2_q, add3_q, add4_q}             <= 15'd0;
            {integer2_q, integer3_q, integer4_q} <= 5'd0;
            {multiply2_q, multiply3_q, multiply4_q, multiply5_q, multiply6_q} <= 35'd0;
            {average2_q, average3_q}             <= 2'd0;
            {pass5_q, pass6_q}                   <= 2'd0;
        end else begin
            add2_q      <= add1;
            add3_q      <= add2_q;
            add4_q      <= add3_q;
            integer2_q  <= integer1;
            integer3_q  <= integer2_q != 3'd0;
            integer4_q  <= integer3_q;
            multiply2_q <= multiply;
            multiply3_q <= multiply2_q;
            multiply4_q <= multiply3_q;
            multiply5_q <= multiply4_q;
            multiply6_q <= multiply5_q;
            average2_q  <= s_valid && average;
            average3_q  <= average2_q;
            pass5_q     <= pass4;
            pass6_q     <= pass5_q;
        end
        if (pass6_q || multiply6_q != 7'd0) out_q <= multiply6_q;
    end

    // Lanes of one width serve several types, so they need these constants of the type: the largest
    // magnitude that is no NaN (448 and the infinities), and the canonical NaN.
    wire        integers = !floating;
    wire [14:0] half_top = s_type == FP16 ? 15'h7c00 : 15'h7f80;
    wire [15:0] half_nan = s_type == FP16 ? 16'h7e00 : 16'h7fc0;
    wire [6:0]  byte_top = s_type == E4M3 ? 7'h7e : 7'h7c;
    wire [7:0]  byte_nan = s_type == E4M3 ? 8'h7f : 8'h7e;

    // The factor of an average, delayed until stage 4.
    reg [36:0]  scale2_q, scale3_q, scale4_q;
    always @(posedge clk) begin
        if (s_valid && average) scale2_q <= s_scale;
        if (average2_q) scale3_q <= scale2_q;
        if (average3_q) scale4_q <= scale3_q;
    end
    wire product2 = multiply2_q != 7'd0 && !average2_q;
    wire product3 = multiply3_q != 7'd0 && !average3_q;

    // Read by lanes that may be left out.
    wire unused = &{1'b0, half_top, half_nan, byte_top, byte_nan, scale4_q};

    // The lanes of 32 bits.  Their results are assembled and selected in clocked enables and not in
    // wires, so that a simulator evaluates only lanes that work.
    genvar w, i;
    generate
        for (w = 0; w < 16; w = w + 1) begin : g_word
            reg [31:0] result3_q, result4_q, result5_q, result6_q, result7_q;
            reg [31:0] factor2_q, factor3_q, factor4_q;
            wire       unused_factor = &{1'b0, factor4_q};

            // ---- 16 bits
            for (i = 0; i < 2; i = i + 1) begin : g_half
                wire [15:0] fp16_sum, bf16_sum, fp16_product, bf16_product, result;
                if (ADDERS[1]) begin : g_fp16_add
                    ace_fp_add_lane #(.EXP_W(5), .MAN_W(10)) u_fp16_add (
                        .clk(clk), .s1_en(add1[1]), .s2_en(add2_q[1]), .s3_en(add3_q[1]),
                        .s_a(s_a[32*w+16*i +: 16]), .s_b(s_b[32*w+16*i +: 16]), .m_sum(fp16_sum));
                end else begin : g_no_fp16_add
                    assign fp16_sum = 16'd0;
                end
                if (ADDERS[2]) begin : g_bf16_add
                    ace_fp_add_lane #(.EXP_W(8), .MAN_W(7)) u_bf16_add (
                        .clk(clk), .s1_en(add1[2]), .s2_en(add2_q[2]), .s3_en(add3_q[2]),
                        .s_a(s_a[32*w+16*i +: 16]), .s_b(s_b[32*w+16*i +: 16]), .m_sum(bf16_sum));
                end else begin : g_no_bf16_add
                    assign bf16_sum = 16'd0;
                end
                if (HALVES) begin : g_integer
                    ace_integer_lane #(.W(16), .SUMS(0), .COMPARES(COMPARES)) u_integer (
                        .clk(clk), .s_en(integer1[1]), .s_op(integer_op), .s_integer(integers),
                        .s_top(half_top), .s_nan(half_nan),
                        .s_a(s_a[32*w+16*i +: 16]), .s_b(s_b[32*w+16*i +: 16]), .m_result(result));
                end else begin : g_no_integer
                    assign result = 16'd0;
                end
                if (MULTIPLES[1]) begin : g_fp16_multiply
                    ace_fp_multiply_lane #(.EXP_W(5), .MAN_W(10)) u_fp16_multiply (
                        .clk(clk), .s1_en(multiply4_q[1]), .s2_en(multiply5_q[1]), .s3_en(multiply6_q[1]),
                        .s_next_scaled(average3_q), .s_a(result4_q[16*i +: 16]), .s_b(factor4_q[16*i +: 16]),
                        .s_sum(fp16_sum), .s_scale(scale4_q[31:0]), .m_product(fp16_product));
                end else begin : g_no_fp16_multiply
                    assign fp16_product = 16'd0;
                end
                if (MULTIPLES[2]) begin : g_bf16_multiply
                    ace_fp_multiply_lane #(.EXP_W(8), .MAN_W(7)) u_bf16_multiply (
                        .clk(clk), .s1_en(multiply4_q[2]), .s2_en(multiply5_q[2]), .s3_en(multiply6_q[2]),
                        .s_next_scaled(average3_q), .s_a(result4_q[16*i +: 16]), .s_b(factor4_q[16*i +: 16]),
                        .s_sum(bf16_sum), .s_scale(scale4_q[31:0]), .m_product(bf16_product));
                end else begin : g_no_bf16_multiply
                    assign bf16_product = 16'd0;
                end
            end

            // ---- 8 bits
            for (i = 0; i < 4; i = i + 1) begin : g_byte
                wire [7:0] e4m3_sum, e5m2_sum, e4m3_product, e5m2_product, int8_product, result;
                if (ADDERS[3]) begin : g_e4m3_add
                    ace_fp_add_lane #(.EXP_W(4), .MAN_W(3), .FINITE(1)) u_e4m3_add (
                        .clk(clk), .s1_en(add1[3]), .s2_en(add2_q[3]), .s3_en(add3_q[3]),
                        .s_a(s_a[32*w+8*i +: 8]), .s_b(s_b[32*w+8*i +: 8]), .m_sum(e4m3_sum));
                end else begin : g_no_e4m3_add
                    assign e4m3_sum = 8'd0;
                end
                if (ADDERS[4]) begin : g_e5m2_add
                    ace_fp_add_lane #(.EXP_W(5), .MAN_W(2)) u_e5m2_add (
                        .clk(clk), .s1_en(add1[4]), .s2_en(add2_q[4]), .s3_en(add3_q[4]),
                        .s_a(s_a[32*w+8*i +: 8]), .s_b(s_b[32*w+8*i +: 8]), .m_sum(e5m2_sum));
                end else begin : g_no_e5m2_add
                    assign e5m2_sum = 8'd0;
                end
                if (BYTES) begin : g_integer
                    ace_integer_lane #(.W(8), .SUMS(INTEGERS), .COMPARES(COMPARES)) u_integer (
                        .clk(clk), .s_en(integer1[2]), .s_op(integer_op), .s_integer(integers),
                        .s_top(byte_top), .s_nan(byte_nan),
                        .s_a(s_a[32*w+8*i +: 8]), .s_b(s_b[32*w+8*i +: 8]), .m_result(result));
                end else begin : g_no_integer
                    assign result = 8'd0;
                end
                if (MULTIPLES[3]) begin : g_e4m3_multiply
                    ace_fp_multiply_lane #(.EXP_W(4), .MAN_W(3), .FINITE(1)) u_e4m3_multiply (
                        .clk(clk), .s1_en(multiply4_q[3]), .s2_en(multiply5_q[3]), .s3_en(multiply6_q[3]),
                        .s_next_scaled(average3_q), .s_a(result4_q[8*i +: 8]), .s_b(factor4_q[8*i +: 8]),
                        .s_sum(e4m3_sum), .s_scale(scale4_q[31:0]), .m_product(e4m3_product));
                end else begin : g_no_e4m3_multiply
                    assign e4m3_product = 8'd0;
                end
                if (MULTIPLES[4]) begin : g_e5m2_multiply
                    ace_fp_multiply_lane #(.EXP_W(5), .MAN_W(2)) u_e5m2_multiply (
                        .clk(clk), .s1_en(multiply4_q[4]), .s2_en(multiply5_q[4]), .s3_en(multiply6_q[4]),
                        .s_next_scaled(average3_q), .s_a(result4_q[8*i +: 8]), .s_b(factor4_q[8*i +: 8]),
                        .s_sum(e5m2_sum), .s_scale(scale4_q[31:0]), .m_product(e5m2_product));
                end else begin : g_no_e5m2_multiply
                    assign e5m2_product = 8'd0;
                end
                if (MULTIPLES[5]) begin : g_int8_multiply
                    ace_integer_multiply_lane #(.W(8)) u_int8_multiply (
                        .clk(clk), .s1_en(multiply4_q[5]), .s2_en(multiply5_q[5]), .s3_en(multiply6_q[5]),
                        .s_next_scaled(average3_q), .s_shift(scale4_q[36:32]), .s_a(result4_q[8*i +: 8]),
                        .s_b(factor4_q[8*i +: 8]), .s_scale(scale4_q[31:0]), .m_product(int8_product));
                end else begin : g_no_int8_multiply
                    assign int8_product = 8'd0;
                end
            end

            // ---- 32 bits
            wire [31:0] fp32_sum, fp32_product, int32_product, result;
            if (ADDERS[0]) begin : g_fp32_add
                ace_fp_add_lane #(.EXP_W(8), .MAN_W(23)) u_fp32_add (
                    .clk(clk), .s1_en(add1[0]), .s2_en(add2_q[0]), .s3_en(add3_q[0]),
                    .s_a(s_a[32*w +: 32]), .s_b(s_b[32*w +: 32]), .m_sum(fp32_sum));
            end else begin : g_no_fp32_add
                assign fp32_sum = 32'd0;
            end
            ace_integer_lane #(.W(32), .SUMS(INTEGERS), .COMPARES(COMPARES)) u_integer (
                .clk(clk), .s_en(integer1[0]), .s_op(integer_op), .s_integer(integers),
                .s_top(31'h7f800000), .s_nan(32'h7fc00000),
                .s_a(s_a[32*w +: 32]), .s_b(s_b[32*w +: 32]), .m_result(result));
            if (MULTIPLES[0]) begin : g_fp32_multiply
                ace_fp_multiply_lane #(.EXP_W(8), .MAN_W(23)) u_fp32_multiply (
                    .clk(clk), .s1_en(multiply4_q[0]), .s2_en(multiply5_q[0]), .s3_en(multiply6_q[0]),
                    .s_next_scaled(average3_q), .s_a(result4_q), .s_b(factor4_q),
                    .s_sum(fp32_sum), .s_scale(scale4_q[31:0]), .m_product(fp32_product));
            end else begin : g_no_fp32_multiply
                assign fp32_product = 32'd0;
            end
            if (MULTIPLES[6]) begin : g_int32_multiply
                ace_integer_multiply_lane #(.W(32)) u_int32_multiply (
                    .clk(clk), .s1_en(multiply4_q[6]), .s2_en(multiply5_q[6]), .s3_en(multiply6_q[6]),
                    .s_next_scaled(average3_q), .s_shift(scale4_q[36:32]), .s_a(result4_q),
                    .s_b(factor4_q), .s_scale(scale4_q[31:0]), .m_product(int32_product));
            end else begin : g_no_int32_multiply
                assign int32_product = 32'd0;
            end

            // ---- the result of stage 4 without a product, 0 in other cycles
            reg [31:0] sum;
            always @(*) begin
                sum = 32'd0;
                if (pass4)
                    sum = add4_q[0] ? fp32_sum :
                          add4_q[1] ? {g_half[1].fp16_sum, g_half[0].fp16_sum} :
                          add4_q[2] ? {g_half[1].bf16_sum, g_half[0].bf16_sum} :
                          add4_q[3] ? {g_byte[3].e4m3_sum, g_byte[2].e4m3_sum,
                                       g_byte[1].e4m3_sum, g_byte[0].e4m3_sum} :
                          add4_q[4] ? {g_byte[3].e5m2_sum, g_byte[2].e5m2_sum,
                                       g_byte[1].e5m2_sum, g_byte[0].e5m2_sum} : result4_q;
            end

            // ---- delays: results of the integer lanes and the second factor wait for stage 4;
            //      results without a product wait for the multipliers
            always @(posedge clk) begin
                if (integer2_q != 3'd0)
                    result3_q <= integer2_q[0] ? result :
                                 integer2_q[1] ? {g_half[1].result, g_half[0].result} :
                                 {g_byte[3].result, g_byte[2].result, g_byte[1].result, g_byte[0].result};
                if (integer3_q) result4_q <= result3_q;
                if (s_valid && product) factor2_q <= s_b[32*w +: 32];
                if (product2) factor3_q <= factor2_q;
                if (product3) factor4_q <= factor3_q;
                if (pass4) result5_q <= sum;
                if (pass5_q) result6_q <= result5_q;
                if (pass6_q) result7_q <= result6_q;
            end

            assign m_early[32*w +: 32] = EARLY != 0 ? sum : 32'd0;

            assign m_data[32*w +: 32] =
                out_q == 7'd0 ? result7_q :
                out_q[0] ? fp32_product :
                out_q[1] ? {g_half[1].fp16_product, g_half[0].fp16_product} :
                out_q[2] ? {g_half[1].bf16_product, g_half[0].bf16_product} :
                out_q[3] ? {g_byte[3].e4m3_product, g_byte[2].e4m3_product,
                            g_byte[1].e4m3_product, g_byte[0].e4m3_product} :
                out_q[4] ? {g_byte[3].e5m2_product, g_byte[2].e5m2_product,
                            g_byte[1].e5m2_product, g_byte[0].e5m2_product} :
                out_q[5] ? {g_byte[3].int8_product, g_byte[2].int8_product,
                            g_byte[1].int8_product, g_byte[0].int8_product} : int32_product;
        end
    endgenerate

endmodule

`default_nettype wire

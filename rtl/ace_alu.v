// SPDX-License-Identifier: Apache-2.0
//
// ace_alu -- element-wise sum of two 64-byte beats, one beat a cycle
//
//           +--> [ 16 x FP32, and the bypass ] --+
//   s_a --->+--> [ 32 x FP16                 ] --+--> m_data
//   s_b --->+--> [ 32 x BF16                 ] --+
//             s_valid -> q1 -> q2 enable the stages; s_type picks the lanes
//
// Contract
//   Handshake   none: operands are taken at every edge at which s_valid is high.
//   Latency     exactly 3 rising edges: taken at edge t, the sum is in m_data's
//               registers after edge t+2.  Without a valid beat a stage holds,
//               so m_data holds the last result.
//   Throughput  1 beat a cycle, any mixture of types and bypass.
//   Values      see ace_fp_add_lane; s_bypass: m_data is s_a bit for bit.
//               s_type 3 is not a type: m_data then keeps what BF16 gave last.
//   Reset       rst is synchronous, active high, and drops the beats inside;
//               m_data is unknown until the first result.
//   Twin        cmodel/ace_alu.c, equal after every edge (tests/alu_test.cc).

`default_nettype none

module ace_alu (
    input  wire         clk,
    input  wire         rst,

    // Operands in
    input  wire         s_valid,
    input  wire         s_bypass,       // 1: the result is s_a
    input  wire [1:0]   s_type,         // 0 FP32, 1 FP16, 2 BF16
    input  wire [511:0] s_a,            // element 0 in the low bits
    input  wire [511:0] s_b,

    // Result out, from registers through the choice of the type
    output wire [511:0] m_data
);

    localparam [1:0] FP32 = 2'd0, FP16 = 2'd1, BF16 = 2'd2;

    // The format of the beat in each stage; the bypass goes through FP32 lanes,
    // whose registers hold 32 bits unchanged.
    wire [1:0] format = s_bypass ? FP32 : s_type;

    reg        valid1_q, valid2_q;
    reg  [1:0] format1_q, format2_q, format3_q;

    always @(posedge clk) begin
        valid1_q <= s_valid && !rst;
        valid2_q <= valid1_q && !rst;
    end

    always @(posedge clk) begin
        if (s_valid)  format1_q <= format;
        if (valid1_q) format2_q <= format1_q;
        if (valid2_q) format3_q <= format2_q;
    end

    wire fp32_s1 = s_valid  && format    == FP32;
    wire fp32_s2 = valid1_q && format1_q == FP32;
    wire fp32_s3 = valid2_q && format2_q == FP32;
    wire fp16_s1 = s_valid  && format    == FP16;
    wire fp16_s2 = valid1_q && format1_q == FP16;
    wire fp16_s3 = valid2_q && format2_q == FP16;
    wire bf16_s1 = s_valid  && format    == BF16;
    wire bf16_s2 = valid1_q && format1_q == BF16;
    wire bf16_s3 = valid2_q && format2_q == BF16;

    wire [511:0] fp32_sum, fp16_sum, bf16_sum;

    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : g_fp32
            ace_fp_add_lane #(.EXP_W(8), .MAN_W(23)) u_lane (
                .clk(clk), .s1_en(fp32_s1), .s2_en(fp32_s2), .s3_en(fp32_s3),
                .s_pass(s_bypass), .s_a(s_a[32*i +: 32]), .s_b(s_b[32*i +: 32]),
                .m_sum(fp32_sum[32*i +: 32]));
        end
        for (i = 0; i < 32; i = i + 1) begin : g_fp16
            ace_fp_add_lane #(.EXP_W(5), .MAN_W(10)) u_lane (
                .clk(clk), .s1_en(fp16_s1), .s2_en(fp16_s2), .s3_en(fp16_s3),
                .s_pass(1'b0), .s_a(s_a[16*i +: 16]), .s_b(s_b[16*i +: 16]),
                .m_sum(fp16_sum[16*i +: 16]));
        end
        for (i = 0; i < 32; i = i + 1) begin : g_bf16
            ace_fp_add_lane #(.EXP_W(8), .MAN_W(7)) u_lane (
                .clk(clk), .s1_en(bf16_s1), .s2_en(bf16_s2), .s3_en(bf16_s3),
                .s_pass(1'b0), .s_a(s_a[16*i +: 16]), .s_b(s_b[16*i +: 16]),
                .m_sum(bf16_sum[16*i +: 16]));
        end
    endgenerate

    assign m_data = format3_q == FP32 ? fp32_sum :
                    format3_q == FP16 ? fp16_sum : bf16_sum;

endmodule

`default_nettype wire

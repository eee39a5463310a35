// SPDX-License-Identifier: Apache-2.0
//
// ace_wire_encode -- a row of 64 FP32 numbers in the format of the wire
//
//             1 normalise, high digits    2 block scales    3 round, pack
//   s_data --> [ a lane each ] ----------> [ 2 blocks ] ---> [ a lane each ] --> m_data
//
// Formats     cfg_format: 0 none   1 BF16   2 FP8 E4M3   3 FP8 E5M2   4 MXFP8 (E4M3)   5..7 mean 4
//
// Contract
//   Row         Number 0 is in the low bits.  A row on the wire is in the low bits of m_data and the
//               rest is 0: 64 numbers of 16 or 8 bits.  With MXFP8 two scales follow at bits 512 and
//               520, of the numbers 0..31 and 32..63.  With no format the row stays as it is.
//   Values      Each number is rounded once, to nearest even.  Subnormals are kept, and a NaN becomes
//               the canonical one of ace_alu.  BF16 and FP8 do not saturate, as in ace_alu: beyond
//               the largest number is infinity, and NaN in E4M3.
//   MXFP8       As in the OCP Microscaling Formats (MX) Specification 1.0, section 6.3.  The scale is
//               2 to the power of floor(log2(largest magnitude)) - 8, at least 2^-127; its byte is
//               the exponent + 127.  Numbers beyond 448 scales become 448 scales.  A block with a
//               NaN or an infinity has the scale NaN, 255, and numbers of 0.
//   Timing      m_data belongs to the row that was s_valid three cycles ago, and keeps the last
//               row.  cfg_format is constant while a row is inside.
//   Twin        cmodel/parts/ace_wire_encode.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_wire_encode_test.cc).

`default_nettype none

module ace_wire_encode (
    input  wire          clk,
    input  wire [2:0]    cfg_format,
    input  wire          s_valid,
    input  wire [2047:0] s_data,
    output wire [2047:0] m_data
);
    /* verilator no_inline_module */    // its code exists once, for all encoders of a node

    localparam [2:0] NONE = 3'd0, BF16 = 3'd1, E4M3 = 3'd2, E5M2 = 3'd3;
    wire whole = cfg_format == NONE || cfg_format == BF16;      // lanes take a number as it is
    wire block = cfg_format > E5M2;
    wire wide  = cfg_format == E5M2;                            // five bits of exponent

    // An exponent of FP32 is two hexadecimal digits.  The scale of a block follows from its largest exponent, which is
    // found in two cycles: first the largest high digit, then the largest low digit among the numbers with that high
    // digit.  Bit n of `digits` is set if some number has the digit n.  Returns the largest n.
    function [3:0] highest;
        input [15:0] digits;
        integer      n;
        begin
            highest = 4'd0;
            for (n = 0; n < 16; n = n + 1)
                if (digits >> n == 16'd1) highest = highest | n[3:0];
        end
    endfunction

    // A number for the FP8 formats: {sign, exponent, eight bits of the fraction, are others set}.  The exponent is
    // FP32's, biased; of a subnormal it is the exponent that the number has once it is normalised, 0 to -10.  Below
    // that nothing is left in any format, and the exponent is -11.
    function [18:0] normal;
        input [31:0] x;
        integer      n;
        reg          found;
        reg   [22:0] fraction;
        reg   [8:0]  exponent;
        begin
            found    = x[30:23] != 8'd0;
            fraction = found ? x[22:0] : 23'd0;
            exponent = found ? {1'b0, x[30:23]} : 9'h1f5;       // -11
            for (n = 0; n < 11; n = n + 1)
                if (!found && x[22-n]) begin
                    found    = 1'b1;
                    fraction = x[22:0] << (n + 1);
                    exponent = -n[8:0];
                end
            normal = {x[31], exponent, fraction[22:15], fraction[14:0] != 15'd0};
        end
    endfunction

    // A byte of FP8.  x is a number of normal().  `offset` is subtracted from its exponent.  With `limits` a number
    // beyond the largest one becomes the largest (MXFP8).
    function [7:0] narrow;
        input [18:0] x;
        input [9:0]  offset;
        input        e5m2;
        input        limits;
        reg   [9:0]  k;         // exponent in the format; 0 and below: subnormal
        reg   [15:0] shifted;
        reg   [7:0]  base, r;   // without sign
        reg          up, over, special;
        begin
            k       = {x[17], x[17:9]} - offset;
            shifted = {1'b1, x[8:1], 7'd0};
            // k = -6 (3fa) shifts by 7, the last shift that keeps all 9 bits.  A smaller number rounds to 0.
            if (k[9] || k == 10'd0)
                shifted = k[9] && k < 10'h3fa ? 16'd0 : shifted >> (4'd1 - k[3:0]);
            base = e5m2 ? {1'b0, k[9] ? 5'd0 : k[4:0], shifted[14:13]} : {1'b0, k[9] ? 4'd0 : k[3:0], shifted[14:12]};
            up   = e5m2 ? shifted[12] && (x[0] || shifted[11:0] != 12'd0 || shifted[13])
                        : shifted[11] && (x[0] || shifted[10:0] != 11'd0 || shifted[12]);
            r       = base + {7'd0, up};
            over    = !k[9] && (e5m2 ? k[8:0] > 9'd30 || r > 8'h7b : k[8:0] > 9'd15 || r > 8'h7e);
            special = x[17:9] == 9'd255 && (!e5m2 || x[8:0] != 9'd0);
            narrow  = limits  ? {x[18], over ? 7'h7e : r[6:0]} :
                      special ? (e5m2 ? 8'h7e : 8'h7f) :
                      over    ? (e5m2 ? {x[18], 7'h7c} : 8'h7f) : {x[18], r[6:0]};
        end
    endfunction

    // The upper half of a number, rounded.
    function [15:0] half;
        input [31:0] x;
        half = x[30:23] == 8'hff && x[22:0] != 23'd0 ? 16'h7fc0
             : {x[31], x[30:16] + {14'd0, x[15] && (x[16] || x[14:0] != 15'd0)}};
    endfunction

    // These registers hold a row in stage n, which is in their names.
    reg          valid2_q, valid3_q;
    reg [2047:0] row2_q, row3_q, row4_q;
    reg [7:0]    high2_q;           // for each block, the largest high digit of its exponents
    reg [15:0]   scale3_q;          // of each block
    reg [19:0]   offset3_q;
    assign m_data = row4_q;

    wire [2047:0] first;
    wire [7:0]    high;
    wire [15:0]   scale;
    wire [19:0]   offset;
    wire [511:0]  bytes;
    wire [1023:0] halves;
    genvar b, i;
    generate
        for (b = 0; b < 2; b = b + 1) begin : g_block
            reg  [15:0] highs, lows;
            wire [7:0]  top = {high2_q[4*b +: 4], highest(lows)};
            integer     n;
            always @(*) begin
                highs = 16'd0;
                lows  = 16'd0;
                if (block)
                    for (n = 32 * b; n < 32 * b + 32; n = n + 1) begin
                        if (s_valid) highs = highs | 16'd1 << s_data[32*n+27 +: 4];
                        if (valid2_q && !row2_q[32*n+17] && row2_q[32*n+13 +: 4] == high2_q[4*b +: 4])
                            lows = lows | 16'd1 << row2_q[32*n+9 +: 4];
                    end
            end
            assign high[4*b +: 4]    = highest(highs);
            assign scale[8*b +: 8]   = top == 8'd255 ? 8'd255 : top < 8'd8 ? 8'd0 : top - 8'd8;
            assign offset[10*b +: 10] = block ? {2'd0, scale[8*b +: 8]} - 10'd7 : wide ? 10'd112 : 10'd120;
        end
        for (i = 0; i < 64; i = i + 1) begin : g_lane
            wire [31:0] x = s_data[32*i +: 32];
            wire [31:0] y = row3_q[32*i +: 32];
            assign first[32*i +: 32] = whole ? x : {13'd0, normal(x)};
            assign halves[16*i +: 16] = half(y);
            assign bytes[8*i +: 8]   = block && scale3_q[8*(i/32) +: 8] == 8'd255 ? 8'd0
                                     : narrow(y[18:0], offset3_q[10*(i/32) +: 10], wide, block);
        end
    endgenerate

    always @(posedge clk) begin
        valid2_q <= s_valid;
        valid3_q <= valid2_q;
        if (s_valid) begin
            row2_q  <= first;
            high2_q <= high;
        end
        if (valid2_q) begin
            row3_q    <= row2_q;
            scale3_q  <= scale;
            offset3_q <= offset;
        end
        if (valid3_q)
            row4_q <= cfg_format == NONE ? row3_q :
                      cfg_format == BF16 ? {1024'd0, halves} : {1520'd0, block ? scale3_q : 16'd0, bytes};
    end

    wire unused = &{1'b0, cfg_format == E4M3};

endmodule

`default_nettype wire

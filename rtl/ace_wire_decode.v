// SPDX-License-Identifier: Apache-2.0
//
// ace_wire_decode -- a row of 64 FP32 numbers from the format of the wire
//
//   s_data --> [ a lane each ] --> m_data
//
// Contract
//   Row         As ace_wire_encode makes it, with the same cfg_format.
//   Values      Exact.  A NaN becomes FP32's canonical NaN, but a BF16 number keeps its bits.  With
//               MXFP8 a number is multiplied by its block's scale: numbers below FP32's normal ones
//               are subnormal, those beyond its largest are infinity, and the scale 255 makes NaNs.
//   Round trip  A decoded row is encoded to the same row on the wire, if it came from ace_wire_encode.
//   Timing      With TAKEN m_data belongs to the row that was s_valid a cycle ago, and keeps the last
//               row.  Without, m_data follows s_data while s_valid, and is 0 else.
//   Twin        cmodel/parts/ace_wire_decode.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_wire_decode_test.cc).

`default_nettype none

module ace_wire_decode #(
    parameter TAKEN = 1         // 1: m_data is a register
) (
    input  wire          clk,
    input  wire [2:0]    cfg_format,
    input  wire          s_valid,
    input  wire [2047:0] s_data,
    output wire [2047:0] m_data
);
    /* verilator no_inline_module */    // its code exists once, for all decoders of a node

    localparam [2:0] NONE = 3'd0, BF16 = 3'd1, E5M2 = 3'd3;
    wire block = cfg_format > E5M2;
    wire wide  = cfg_format == E5M2;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (TAKEN != 0 && TAKEN != 1) begin : g_illegal_taken TAKEN_must_be_0_or_1 stop (); end
    endgenerate

    // An FP8 number times a power of two: scale is its exponent + 127, 255 is NaN.
    function [31:0] widen;
        input [7:0]  x;
        input        e5m2;
        input [7:0]  scale;
        reg   [3:0]  fraction;  // with the bit before the point
        reg   [9:0]  exponent;  // biased as FP32's
        reg          nan, infinite, zero;
        begin
            fraction = e5m2 ? {1'b1, x[1:0], 1'b0} : {1'b1, x[2:0]};
            exponent = {2'd0, scale} + (e5m2 ? {5'd0, x[6:2]} - 10'd15 : {6'd0, x[6:3]} - 10'd7);
            if (e5m2 ? x[6:2] == 5'd0 : x[6:3] == 4'd0) begin   // subnormal
                exponent = {2'd0, scale} - (e5m2 ? 10'd14 : 10'd6);
                casez (fraction[2:0])
                    3'b1??: begin exponent = exponent - 10'd1; fraction = {fraction[2:0], 1'b0}; end
                    3'b01?: begin exponent = exponent - 10'd2; fraction = {fraction[1:0], 2'b0}; end
                    default: begin exponent = exponent - 10'd3; fraction = {fraction[0], 3'b0}; end
                endcase
            end
            zero     = x[6:0] == 7'd0;
            nan      = scale == 8'd255 || (e5m2 ? x[6:2] == 5'd31 && x[1:0] != 2'd0 : x[6:0] == 7'h7f);
            infinite = !exponent[9] && exponent[8:0] > 9'd254 || (e5m2 && x[6:2] == 5'd31);
            widen    = nan ? 32'h7fc00000 : zero ? {x[7], 31'd0} : infinite ? {x[7], 31'h7f800000} :
                       exponent[9] || exponent == 10'd0
                           ? {x[7], 8'd0, {fraction, 19'd0} >> -exponent[3:0]}
                           : {x[7], exponent[7:0], fraction[2:0], 20'd0};
        end
    endfunction

    reg  [2047:0] row;
    integer       i;
    always @(*) begin
        row = 2048'd0;
        if (s_valid)
            for (i = 0; i < 64; i = i + 1)
                row[32*i +: 32] = cfg_format == NONE ? s_data[32*i +: 32] :
                                  cfg_format == BF16 ? {s_data[16*i +: 16], 16'd0} :
                                  widen(s_data[8*i +: 8], wide, !block ? 8'd127 : s_data[512 + 8*(i/32) +: 8]);
    end

    generate
        if (TAKEN != 0) begin : g_taken
            reg [2047:0] row_q;
            assign m_data = row_q;
            always @(posedge clk) if (s_valid) row_q <= row;
        end else begin : g_at_once
            assign m_data = row;
            wire unused = &{1'b0, clk};
        end
    endgenerate

endmodule

`default_nettype wire

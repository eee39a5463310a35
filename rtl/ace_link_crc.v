// SPDX-License-Identifier: Apache-2.0
//
// ace_link_crc -- the CRC-32 of a frame on a link
//
//   row, route, head, numbers --> { v * x^32 + word } x 69 --> crc
//
// Contract
//   Code        x^32 + x^16 + x^7 + x^3 + 1 over the row (of a packet), the route, the head and the numbers,
//               in words of 32 bits, high bit first; the word behind the row is inverted.
//   Cost        With no tap above 16 a word is a few shifts: v * x^32 is v * (x^16 + x^7 + x^3 + 1),
//               and what passes 32 bits is folded once.  Hardware has to balance the chain of words.
//   Strength    At the length of a frame, 2240 bits, the minimum distance is 5, the most that five
//               terms allow: any 4 wrong bits and any burst of 32 are found
//               (tests/link_code_test.cc works that out from the polynomial).
//   Timing      crc follows the inputs in the same cycle; it is 0 while there is no frame.
//   Twin        ace_frame_crc() of cmodel/ace_link_crc.h

`default_nettype none

module ace_link_crc #(
    parameter ROW_W = 2048      // bits of a row
) (
    input  wire             frame,      // there is one
    input  wire [47:0]      head,       // bit 0: it has a row
    input  wire [63:0]      route,
    input  wire [15:0]      number,
    input  wire [15:0]      ack,
    input  wire [ROW_W-1:0] data,
    output wire [31:0]      crc
);
    /*verilator no_inline_module*/      // one code for all links in simulation

    localparam A = 16, B = 7, C = 3;

    // acc times x^32, with another word
    function [31:0] step;
        input [31:0] acc;
        input [31:0] word;
        reg [31:0] v, over;
        begin
            v    = acc ^ word;
            over = (v >> (32 - A)) ^ (v >> (32 - B)) ^ (v >> (32 - C));
            step = v ^ (v << A) ^ (v << B) ^ (v << C) ^ over ^ (over << A) ^ (over << B) ^ (over << C);
        end
    endfunction

    reg [31:0] acc;
    integer i;
    assign crc = acc;
    always @(*) begin
        acc = 32'd0;
        if (frame) begin
            if (head[0])
                for (i = 0; i < ROW_W / 32; i = i + 1) acc = step(acc, data[32*i +: 32]);
            acc = step(~acc, route[31:0]);
            acc = step(acc, route[63:32]);
            acc = step(acc, head[31:0]);
            acc = step(acc, {16'd0, head[47:32]});
            acc = step(acc, {ack, number});
        end
    end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_link_crc -- the CRC-32 of a frame on a link, given the sum of its row
//
//   route, head, numbers --> { what five words add } --> ^ --> crc
//                                                 sum ---'
//
// Contract
//   Code        The polynomial is x^32 + x^16 + x^7 + x^3 + 1.  It covers the row, the route, the
//               head and the numbers, in words of 32 bits, high bit first.  The word after the row
//               is inverted.
//   Raw         All wires count, whatever the head says.  If the head could leave wires out, one
//               wrong bit in it could hide a row.  A frame without a packet has zeros on the
//               packet's wires.
//   Row         The code is linear.  So the row's part is summed while the row waits anyway
//               (ace_row_sum), and joins here by an exclusive or.
//   Strength    A frame has 2240 bits.  At this length the minimum distance is 5, the most that
//               five terms allow.  So any 4 wrong bits and any burst of 32 are found.
//               tests/unit/link_code_test.cc derives this from the polynomial.
//   Timing      crc follows the inputs in the same cycle.  Without a frame it is the CRC of the row
//               alone.
//   Twin        ace_frame_crc() of cmodel/parts/ace_link_crc.c, equal at the pins of ace_link
//               (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_link_crc (
    input  wire        frame,       // there is one
    input  wire [47:0] head,
    input  wire [63:0] route,
    input  wire [15:0] number,
    input  wire [15:0] ack,
    input  wire [31:0] sum,         // of the row
    output wire [31:0] crc
);

    wire [31:0] rest;
    ace_crc_sum #(.WORDS(5), .STRIDE(1), .AFTER(1)) u_sum (
        .on(frame), .words({ack, number, 16'd0, head[47:32], head[31:0], route[63:32], ~route[31:0]}), .sum(rest));
    assign crc = sum ^ rest;

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_link_checker -- reports the first broken rule of frames and credits on the pins of one link
//
//   every pin of tx is an input, and of rx what is counted; rule is 0 until one is broken, then its number
//
// The rules at the heads of ace_link_guard and ace_link_port, for the pins tx:
//   1        packets, grants, credits and requests for a resend come only in a frame
//   2        a field whose bit is clear is 0: note, route and row without a packet, the fields of a
//            grant without one.  A SYNC frame of ace_link_sync, routed and without a packet, has
//            nothing else in it
//   3        a frame with any contents has the next number; a resent one has one of the FRAMES last
//            numbers
//   4        the number expected from the other side is at most the next one, and no older than
//            FRAMES
//   5, 6     no new packet, plain or routed, is sent without a free slot at the neighbour
//   7, 8     a credit, plain or routed, is given back only for a packet that came
//   9        right after a reset nothing is sent
//   11       the CRC of a frame is right: x^32 + x^16 + x^7 + x^3 + 1 over row, route, head and numbers
//   10       no control pin is unknown (x or z; only simulators with these values see it)
//
// Contract
//   Frames      Frames on rx count by their number, in the order of numbers, since a checker has no
//               CRC.  CHANGES = 1 leaves out rules 4 to 8.  It is for a link that changes frames,
//               or whose ends are reset apart.
//   Binding     see ace_engine_bind.sv.
//   Language    Verilog-2005 that Icarus Verilog, Verilator and Yosys read.
//   Reset       rst is synchronous, active high; it is the link's reset.

`default_nettype none

module ace_link_checker #(
    parameter INPUT_ROWS        = 128,      // places of an input buffer, of packets and of routed ones
    parameter ROUTED_INPUT_ROWS = 128,
    parameter FRAMES            = 1024,
    parameter ROW_W             = 2048,
    parameter CHANGES           = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        rx_frame,
    input  wire [15:0] rx_number,
    input  wire        rx_valid,
    input  wire        rx_routed,
    input  wire        rx_credit,
    input  wire        rx_routed_credit,
    input  wire        rx_grant_valid,
    input  wire        tx_frame,
    input  wire        tx_resend,
    input  wire [15:0] tx_number,
    input  wire [15:0] tx_ack,
    input  wire [31:0] tx_crc,
    input  wire        tx_valid,
    input  wire [7:0]  tx_context,
    input  wire        tx_reduce,
    input  wire [7:0]  tx_mark,
    input  wire [ROW_W-1:0] tx_data,
    input  wire        tx_routed,
    input  wire [63:0] tx_route,
    input  wire        tx_credit,
    input  wire        tx_routed_credit,
    input  wire        tx_grant_valid,
    input  wire [7:0]  tx_grant_context,
    input  wire [7:0]  tx_grant_mark,
    input  wire [7:0]  tx_grant_peer,
    output reg  [3:0]  rule
);

    localparam [31:0] PLACES = INPUT_ROWS, ROUTED_PLACES = ROUTED_INPUT_ROWS, FRAMES_ = FRAMES;
    localparam [15:0] WINDOW = FRAMES_[15:0];

    reg         fresh;
    reg  [15:0] tx_next, rx_next;           // numbers of the next frames
    reg  [15:0] owed, routed_owed;          // packets sent whose places were not given back
    reg  [15:0] held, routed_held;          // packets that came whose places were not

    wire        tx_any = tx_valid || tx_credit || tx_routed_credit || tx_grant_valid;
    wire        rx_any = rx_valid || rx_credit || rx_routed_credit || rx_grant_valid;
    wire        sends  = tx_frame && tx_any && tx_number == tx_next;        // for the first time
    wire        takes  = rx_frame && rx_any && rx_number == rx_next;
    wire [15:0] back   = tx_next - tx_number;
    wire [15:0] behind = rx_next - tx_ack;

    always @(posedge clk) begin
        fresh <= rst;
        if (rst) begin
            {tx_next, rx_next} <= 32'd0;
            {owed, routed_owed, held, routed_held} <= 64'd0;
        end else begin
            if (sends) tx_next <= tx_next + 16'd1;
            if (takes) rx_next <= rx_next + 16'd1;
            owed        <= owed + {15'd0, sends && tx_valid && !tx_routed} - {15'd0, takes && rx_credit};
            routed_owed <= routed_owed + {15'd0, sends && tx_valid && tx_routed} - {15'd0, takes && rx_routed_credit};
            held        <= held + {15'd0, takes && rx_valid && !rx_routed} - {15'd0, sends && tx_credit};
            routed_held <= routed_held + {15'd0, takes && rx_valid && rx_routed} - {15'd0, sends && tx_routed_credit};
        end
    end

    wire counts = CHANGES == 0;
    wire sync   = tx_routed && !tx_valid;   // the ends begin a life: its numbers are epochs
    wire loose  = (!tx_valid && {tx_context, tx_reduce, tx_mark, tx_route} != 81'd0) || (sync && tx_any) ||
                  (!tx_valid && tx_data != {ROW_W{1'b0}}) ||
                  (!tx_grant_valid && {tx_grant_context, tx_grant_mark, tx_grant_peer} != 24'd0);

    // The code by its definition, a bit at a time: words of 32 bits, the first one low, each with
    // its high bit first.
    localparam WORDS = ROW_W / 32 + 5;
    wire [47:0] head = {tx_grant_peer, tx_grant_mark, tx_grant_context, tx_mark, tx_context, tx_resend, 1'b0,
                        tx_routed_credit, tx_routed, tx_grant_valid, tx_credit, tx_reduce, tx_valid};
    function [31:0] remainder;
        input [32*WORDS-1:0] words;
        integer i, b;
        begin
            remainder = 32'd0;
            for (i = 0; i < WORDS; i = i + 1) begin
                remainder = remainder ^ words[32*i +: 32];
                for (b = 0; b < 32; b = b + 1)
                    remainder = {remainder[30:0], 1'b0} ^ (remainder[31] ? 32'h00010089 : 32'd0);
            end
        end
    endfunction
    reg  [31:0] crc;
    always @(*)
        if (tx_frame) crc = remainder({tx_ack, tx_number, 16'd0, head, tx_route[63:32], ~tx_route[31:0], tx_data});
        else crc = tx_crc;

    // Icarus Verilog alone knows x; elsewhere the reduction is a bit like any other.
    wire unknown = (^{tx_frame, tx_any, tx_resend}) === 1'bx || (tx_frame && (^{tx_number, tx_ack}) === 1'bx);

    always @(posedge clk) begin
        if (rst)
            rule <= 4'd0;
        else if (rule == 4'd0)
            rule <= unknown                                                             ? 4'd10 :
                    crc != tx_crc                                                       ? 4'd11 :
                    fresh && (tx_frame || tx_any)                                       ? 4'd9 :
                    (tx_any || tx_resend) && !tx_frame                                  ? 4'd1 :
                    tx_frame && loose                                                   ? 4'd2 :
                    tx_frame && tx_any && back > WINDOW                                 ? 4'd3 :
                    counts && tx_frame && !sync && behind > WINDOW                      ? 4'd4 :
                    counts && sends && tx_valid && !tx_routed && owed == PLACES[15:0]   ? 4'd5 :
                    counts && sends && tx_valid && tx_routed && routed_owed == ROUTED_PLACES[15:0] ? 4'd6 :
                    counts && sends && tx_credit && held == 16'd0                       ? 4'd7 :
                    counts && sends && tx_routed_credit && routed_held == 16'd0         ? 4'd8 : 4'd0;
    end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// router -- ace_router: one packet a pipe, the bubble kept, no source starved
//
// Properties
//   grant     A pop names a source that has a packet.  A source is taken by one pipe only, and a
//             pipe takes one source only.  Each pop has one reservation: of the link of its route,
//             or of the exchange.
//   room      A slot is reserved only where one is free.
//   bubble    A packet that enters a ring needs two free slots; one that goes on needs one.
//   header    In the next cycle the packet is on the right output, from the right source.  One hop
//             is taken off and nothing else changed.
//   bound     A source that requests a pipe and has room is passed over by at most eight others.
//   rate      cover: both pipes and the exchange take a packet in six cycles in a row

`default_nettype none

module router (
    input wire         clk,
    input wire         rst,
    input wire [5:0]   s_head_valid,
    input wire [383:0] s_head_route,
    input wire [101:0] s_head_note,
    input wire [6:0]   s_queue_valid,
    input wire [447:0] s_queue_route,
    input wire [118:0] s_queue_note,
    input wire [5:0]   s_room,
    input wire [5:0]   s_room_two,
    input wire         s_eject_room
);
    wire [5:0]   pop, reserve;
    wire [6:0]   queue_pop;
    wire [1:0]   out_valid;
    wire [5:0]   out_link;
    wire [7:0]   out_source;
    wire [127:0] out_route;
    wire [33:0]  out_note;
    wire         eject_reserve, eject_valid;
    wire [3:0]   eject_source;
    wire [31:0]  eject_row;
    wire [16:0]  eject_note;

    ace_router dut (
        .clk(clk), .rst(rst), .s_head_valid(s_head_valid), .s_head_route(s_head_route), .s_head_note(s_head_note),
        .m_pop(pop), .s_queue_valid(s_queue_valid), .s_queue_route(s_queue_route), .s_queue_note(s_queue_note),
        .m_queue_pop(queue_pop), .s_room(s_room), .s_room_two(s_room_two), .m_reserve(reserve),
        .m_out_valid(out_valid), .m_out_link(out_link), .m_out_source(out_source), .m_out_route(out_route),
        .m_out_note(out_note), .s_eject_room(s_eject_room), .m_eject_reserve(eject_reserve),
        .m_eject_valid(eject_valid), .m_eject_source(eject_source), .m_eject_row(eject_row), .m_eject_note(eject_note));

    `include "live.vh"

    // One source, chosen freely: 0..5 a head, 6..12 queue 0..6.
    (* anyconst *) reg [3:0] source;
    wire        is_head = source < 4'd6;
    wire [2:0]  queue   = source - 4'd6;
    wire [5:0]  source_bit = 6'd1 << source[2:0];
    wire [6:0]  queue_bit  = 7'd1 << queue;
    wire        valid   = is_head ? |(s_head_valid & source_bit) : |(s_queue_valid & queue_bit);
    wire        taken   = is_head ? |(pop & source_bit) : |(queue_pop & queue_bit);
    wire [63:0] route   = is_head ? s_head_route >> {source[2:0], 6'd0} : s_queue_route >> {queue, 6'd0};
    wire [16:0] note    = is_head ? s_head_note >> (source[2:0] * 17) : s_queue_note >> (queue * 17);
    wire [6:0]  x = route[6:0], y = route[14:8], z = route[22:16];
    wire        here = x == 7'd0 && y == 7'd0 && z == 7'd0;
    wire [1:0]  dim  = x != 7'd0 ? 2'd0 : y != 7'd0 ? 2'd1 : 2'd2;
    wire        down = dim == 2'd0 ? route[7] : dim == 2'd1 ? route[15] : route[23];
    wire [2:0]  link = {dim, down};
    wire        straight = is_head && source[2:0] == {dim, !down};
    wire        room = here ? s_eject_room : |((straight ? s_room : s_room_two) & 6'd1 << link);

    // Queue q injects into link q, and queue 6 has no hops.  Two slots imply one.
    integer q;
    always @* begin
        assume (source < 4'd13);
        assume ((s_room_two & ~s_room) == 6'd0);
        for (q = 0; q < 6; q = q + 1)
            assume (s_queue_route[q*64 +: 7] == 7'd0 ?
                    s_queue_route[q*64+8 +: 7] == 7'd0 ?
                    s_queue_route[q*64+16 +: 7] != 7'd0 && q / 2 == 2 && s_queue_route[q*64+23] == q % 2 :
                    q / 2 == 1 && s_queue_route[q*64+15] == q % 2 : q / 2 == 0 && s_queue_route[q*64+7] == q % 2);
        assume (s_queue_route[6*64 +: 7] == 7'd0 && s_queue_route[6*64+8 +: 7] == 7'd0 && s_queue_route[6*64+16 +: 7] == 7'd0);
    end

    wire [3:0] pops     = pop[0] + pop[1] + pop[2] + pop[3] + pop[4] + pop[5] + queue_pop[0] + queue_pop[1] +
                          queue_pop[2] + queue_pop[3] + queue_pop[4] + queue_pop[5] + queue_pop[6];
    wire [1:0] reserved = reserve[0] + reserve[2] + reserve[4];
    wire [1:0] lowers   = reserve[1] + reserve[3] + reserve[5];
    always @* if (live) begin
        assert ((pop & ~s_head_valid) == 6'd0 && (queue_pop & ~s_queue_valid) == 7'd0);
        assert (reserved <= 2'd1 && lowers <= 2'd1);
        assert (pops == reserved + lowers + eject_reserve);
        assert ((reserve & ~s_room) == 6'd0);
        assert (!eject_reserve || s_eject_room);
        assert (!taken || (valid && room));
        assert (!taken || (here ? eject_reserve : |(reserve & 6'd1 << link)));
        assert (!(valid && room) || (here ? eject_reserve : down ? lowers == 2'd1 : reserved == 2'd1));
    end

    // How the packet leaves.
    reg         took, took_here, took_down;
    reg [2:0]   took_link;
    reg [3:0]   from;
    reg [63:0]  left;
    reg [16:0]  with_note;
    always @(posedge clk) begin
        took      <= taken && !rst;
        took_here <= here;
        took_down <= down;
        took_link <= link;
        from      <= is_head ? source : 4'd8;
        left      <= here ? route : route - (64'd1 << {dim, 3'd0});
        with_note <= note;
    end
    always @* if (live && took) begin
        if (took_here) begin
            assert (eject_valid && eject_source == from);
            assert (eject_row == left[63:32] && eject_note == with_note);
        end else if (took_down) begin
            assert (out_valid[1] && out_link[5:3] == took_link && out_source[7:4] == from);
            assert (out_route[127:64] == left && out_note[33:17] == with_note);
        end else begin
            assert (out_valid[0] && out_link[2:0] == took_link && out_source[3:0] == from);
            assert (out_route[63:0] == left && out_note[16:0] == with_note);
        end
    end

    // How often the source is passed over while it requests the same pipe.
    reg [3:0] passed;
    reg [1:0] asked;
    wire [1:0] pipe  = here ? 2'd2 : {1'b0, down};
    wire       asks  = valid && room && !taken;
    always @(posedge clk) begin
        asked  <= pipe;
        passed <= rst || !asks ? 4'd0 : (pipe == asked ? passed : 4'd0) + 4'd1;
    end
    always @* if (live) assert (!(valid && room && pipe == asked) || taken || passed < 4'd8);

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(&out_valid && eject_valid) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_router -- all-to-all packets: dimension-order routing, three packets a cycle
//
//   six input buffers --+--> [ + pipe ] ---> link ports x+ y+ z+
//                       +--> [ - pipe ] ---> link ports x- y- z-
//   exchange's queues --+--> [ eject  ] ---> exchange's write side
//
// Contract
//   Route       hops left on each ring, 8 bits a dimension, {down, hops}, x in the low bits,
//               and above them the row the packet is written to.  A packet takes its hops on
//               x, then y, then z, and is ejected when none is left: nothing here asks where
//               the node is, so every node of a homogeneous torus does the same.
//   Sources     heads 0..5 came in on that link, and go on out of the opposite one; queue
//               q of 0..5 holds what this node injects into link q, queue 6 its own block.
//   Grant       each pipe takes at most one packet a cycle: m_pop or m_queue_pop names the
//               source, m_reserve a place of the link, m_eject_reserve one of the exchange.
//               In the next cycle m_out_* and m_eject_* hold its header, with a hop less, and
//               the source, whose row is then the one it gave last; 6 is a queue of the pipe.
//   Turns       a pipe goes round its sources, beginning after the one it took last.
//   Counters    each cycle outside reset in exactly one: busy (a packet taken), blocked (a
//               packet waits, none taken), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/ace_router.c, equal at every port, every cycle
//               (tests/lockstep_router_test.cc).
//
// No deadlock.  The places of a ring in one direction are the output and input buffers of
// its links.  A packet that enters a ring, from a queue or from another dimension, needs two
// free places in the output buffer, and so leaves one; a packet that goes on needs one, and
// frees one.  Hence each ring always has a free place, and when the packet before it leaves
// or goes on, a packet of the ring moves.  A packet leaves a ring for one of a higher
// dimension, which has a free place by the same argument, or is ejected; the exchange writes
// what is ejected to memory and waits for nothing but the memory.  So the z rings drain, then
// the y rings, then the x rings.  Unlike a dateline, this treats all nodes of a ring alike.
// tests/deadlock_test.cc searches every state of small tori for one without a move.

`default_nettype none

module ace_router (
    input  wire         clk,
    input  wire         rst,

    // Packets that arrived
    input  wire [5:0]   s_head_valid,
    input  wire [383:0] s_head_route,       // 64 bits a link
    input  wire [101:0] s_head_note,        // 17 bits a link, passed on
    output wire [5:0]   m_pop,

    // Packets of this node
    input  wire [6:0]   s_queue_valid,
    input  wire [447:0] s_queue_route,
    input  wire [118:0] s_queue_note,
    output wire [6:0]   m_queue_pop,

    // To the links
    input  wire [5:0]   s_room,             // a place is free
    input  wire [5:0]   s_room_two,         // two are
    output wire [5:0]   m_reserve,
    output wire [1:0]   m_out_valid,        // + pipe, - pipe
    output wire [5:0]   m_out_link,         // 3 bits a pipe
    output wire [5:0]   m_out_source,
    output wire [127:0] m_out_route,
    output wire [33:0]  m_out_note,

    // To the exchange
    input  wire         s_eject_room,
    output wire         m_eject_reserve,
    output wire         m_eject_valid,
    output wire [2:0]   m_eject_source,
    output wire [39:0]  m_eject_row,        // where it is written, in rows
    output wire [16:0]  m_eject_note,

    output wire [191:0] count,              // cycles in each class
    output wire         idle                // nothing changes without input
);

    localparam [2:0] HERE = 3'd6;

    // The link a packet takes next, or HERE.
    function [2:0] target;
        input [23:0] hops;
        target = hops[6:0]   != 7'd0 ? {2'd0, hops[7]}  :
                 hops[14:8]  != 7'd0 ? {2'd1, hops[15]} :
                 hops[22:16] != 7'd0 ? {2'd2, hops[23]} : HERE;
    endfunction

    // The hops left after that link.
    function [23:0] moved;
        input [23:0] hops;
        moved = hops[6:0]   != 7'd0 ? hops - 24'h000001 :
                hops[14:8]  != 7'd0 ? hops - 24'h000100 : hops - 24'h010000;
    endfunction

    // The first request at or after `from`, else the first.
    function [3:0] choose;
        input [8:0] requests;
        input [3:0] from;
        reg   [8:0] later;
        reg   [7:0] among;      // none of these: the last
        begin
            later  = requests & (9'h1ff << from);
            among  = later != 9'd0 ? later[7:0] : requests[7:0];
            choose = among[0] ? 4'd0 : among[1] ? 4'd1 : among[2] ? 4'd2 :
                     among[3] ? 4'd3 : among[4] ? 4'd4 : among[5] ? 4'd5 :
                     among[6] ? 4'd6 : among[7] ? 4'd7 : 4'd8;
        end
    endfunction

    // ---- who asks: links 0..5, then a queue a dimension; to eject, the own block ----

    wire [8:0] asks [0:2];
    genvar g, p;
    generate
        for (g = 0; g < 6; g = g + 1) begin : g_head
            localparam [2:0] ON = g ^ 1;
            wire [2:0] to     = target(s_head_route[g*64 +: 24]);
            wire [7:0] room   = {2'd0, s_room};
            wire [7:0] enters = {2'd0, s_room_two};
            wire       fits   = to == HERE ? s_eject_room : to == ON ? room[to] : enters[to];
            wire       ready  = s_head_valid[g] && fits;
            assign asks[0][g] = ready && to != HERE && !to[0];
            assign asks[1][g] = ready && to != HERE && to[0];
            assign asks[2][g] = ready && to == HERE;
        end
        for (g = 0; g < 3; g = g + 1) begin : g_queue
            assign asks[0][6+g] = s_queue_valid[2*g]   && s_room_two[2*g];
            assign asks[1][6+g] = s_queue_valid[2*g+1] && s_room_two[2*g+1];
        end
    endgenerate
    assign asks[2][8:6] = {2'd0, s_queue_valid[6] && s_eject_room};

    // ---- who is taken -----------------------------------------------------------------

    wire [2:0] moves;
    wire [8:0] takes [0:2];
    wire [3:0] from  [0:2];
    generate
        for (p = 0; p < 3; p = p + 1) begin : g_take
            reg [3:0] turn_q;
            assign moves[p] = asks[p] != 9'd0;
            assign from[p]  = choose(asks[p], turn_q);
            assign takes[p] = moves[p] ? 9'd1 << from[p] : 9'd0;
            always @(posedge clk) begin
                if (rst)
                    turn_q <= 4'd0;
                else if (moves[p])
                    turn_q <= from[p] + 4'd1;
            end
        end
    endgenerate

    assign m_pop = takes[0][5:0] | takes[1][5:0] | takes[2][5:0];
    assign m_queue_pop = {takes[2][6], takes[1][8], takes[0][8], takes[1][7], takes[0][7], takes[1][6], takes[0][6]};
    assign m_eject_reserve = moves[2];

    // ---- headers on their way ---------------------------------------------------------

    generate
        for (p = 0; p < 2; p = p + 1) begin : g_out
            reg         valid_q;
            reg  [2:0]  link_q;
            reg  [2:0]  source_q;
            reg  [63:0] route_q;
            reg  [16:0] note_q;
            wire [1:0]  dim   = from[p][1:0] + 2'd2;            // of source 6, 7, 8
            wire [2:0]  queue = {dim, 1'b0} + p;
            wire        mine  = from[p] >= 4'd6;
            wire [63:0] route = mine ? s_queue_route[queue*64 +: 64] : s_head_route[from[p][2:0]*64 +: 64];
            wire [2:0]  to    = target(route[23:0]);
            assign m_reserve[p]   = moves[p] && to[2:1] == 2'd0;
            assign m_reserve[p+2] = moves[p] && to[2:1] == 2'd1;
            assign m_reserve[p+4] = moves[p] && to[2:1] == 2'd2;
            assign m_out_valid[p]          = valid_q;
            assign m_out_link[p*3 +: 3]    = link_q;
            assign m_out_source[p*3 +: 3]  = source_q;
            assign m_out_route[p*64 +: 64] = route_q;
            assign m_out_note[p*17 +: 17]  = note_q;
            always @(posedge clk) begin
                valid_q <= moves[p] && !rst;
                if (moves[p]) begin
                    link_q   <= to;
                    source_q <= mine ? 3'd6 : from[p][2:0];
                    route_q  <= {route[63:24], moved(route[23:0])};
                    note_q   <= mine ? s_queue_note[queue*17 +: 17] : s_head_note[from[p][2:0]*17 +: 17];
                end
            end
        end
    endgenerate

    reg        eject_valid_q;
    reg [2:0]  eject_source_q;
    reg [39:0] eject_row_q;
    reg [16:0] eject_note_q;
    assign m_eject_valid  = eject_valid_q;
    assign m_eject_source = eject_source_q;
    assign m_eject_row    = eject_row_q;
    assign m_eject_note   = eject_note_q;
    always @(posedge clk) begin
        eject_valid_q <= moves[2] && !rst;
        if (moves[2]) begin
            eject_source_q <= from[2][2:0];
            eject_row_q    <= from[2] == 4'd6 ? s_queue_route[6*64+24 +: 40] : s_head_route[from[2][2:0]*64+24 +: 40];
            eject_note_q   <= from[2] == 4'd6 ? s_queue_note[6*17 +: 17] : s_head_note[from[2][2:0]*17 +: 17];
        end
    end

    // ---- cycle classes ----------------------------------------------------------------

    wire waits = |s_head_valid || |s_queue_valid;
    ace_cycle_classes u_count (.clk(clk), .rst(rst), .busy(|moves), .blocked(waits), .starved(1'b0), .count(count));

    assign idle = m_out_valid == 2'd0 && !eject_valid_q;

    wire unused = &{1'b0, s_queue_route[6*64 +: 24]};   // the own block has no hops

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_router -- all-to-all packets: dimension-order routing, three packets a cycle
//
//   links' input buffers +-> [ + pipe ] ---> link ports x+ y+ z+ (w+)
//                       +--> [ - pipe ] ---> link ports x- y- z- (w-)
//   exchange's queues --+--> [ eject  ] ---> exchange's write side
//
// Contract
//   Route       A route is the hops left on each ring, 8 bits a dimension, {down, hops}, x in the
//               low bits.  Above these 32 bits is the row to which the packet is written.  A packet
//               takes its hops on x, then y, then z, then w, and is ejected when none is left.  No
//               rule depends on the node's position, so every node of a homogeneous torus does the
//               same.
//   Sources     A head came in on the link of its number, and leaves on the opposite link.  A queue
//               has the packets that this node injects into the link of its number.  The queue
//               after the last link's has the node's own block.
//   Grant       Each pipe takes at most one packet a cycle.  m_pop or m_queue_pop names the
//               source.  m_reserve takes a slot of the link, m_eject_reserve one of the exchange.
//               In the next cycle m_out_* and m_eject_* have the packet's header with a hop less,
//               and its source.  The row is then the last row that the source gave.  Source 8 is a
//               queue of the pipe.
//   Turns       A pipe takes its sources round robin, and begins after the one it took last.
//   Counters    Each cycle outside reset counts in exactly one: busy (a packet taken), blocked (a
//               packet waits, none taken), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_router.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_router_test.cc).
//
// No deadlock.  The slots of a ring in one direction are the output and input buffers of its
// links.  A packet enters a ring from a queue or from another dimension.  It needs two free slots
// in the output buffer, and so leaves one free.  A packet that goes on needs one slot, and frees
// one.  Hence each ring always has a free slot.  The packets of a ring move when the packet before
// them leaves or goes on.  A packet that leaves a ring is ejected, or enters a ring of a higher
// dimension, which has a free slot by the same argument.  The exchange writes ejected packets to
// memory and waits for nothing but the memory.  So the rings of the last dimension drain, then the
// rings of the dimension before, and so on to x.  Unlike a dateline, this treats all nodes of a
// ring alike.  tests/unit/deadlock_test.cc searches every state of small tori for one without a
// move.

`default_nettype none

module ace_router #(
    parameter DIMENSIONS = 3    // 3 or 4
) (
    input  wire         clk,
    input  wire         rst,

    // Packets that arrived
    input  wire [2*DIMENSIONS-1:0]    s_head_valid,
    input  wire [128*DIMENSIONS-1:0]  s_head_route,     // 64 bits a link
    input  wire [34*DIMENSIONS-1:0]   s_head_note,      // 17 bits a link, passed on
    output wire [2*DIMENSIONS-1:0]    m_pop,

    // Packets of this node
    input  wire [2*DIMENSIONS:0]      s_queue_valid,
    input  wire [128*DIMENSIONS+63:0] s_queue_route,
    input  wire [34*DIMENSIONS+16:0]  s_queue_note,
    output wire [2*DIMENSIONS:0]      m_queue_pop,

    // To the links
    input  wire [2*DIMENSIONS-1:0]    s_room,           // a place is free
    input  wire [2*DIMENSIONS-1:0]    s_room_two,       // two are
    output wire [2*DIMENSIONS-1:0]    m_reserve,
    output wire [1:0]   m_out_valid,        // + pipe, - pipe
    output wire [5:0]   m_out_link,         // 3 bits a pipe
    output wire [7:0]   m_out_source,       // 4 bits a pipe
    output wire [127:0] m_out_route,
    output wire [33:0]  m_out_note,

    // To the exchange
    input  wire         s_eject_room,
    output wire         m_eject_reserve,
    output wire         m_eject_valid,
    output wire [3:0]   m_eject_source,
    output wire [31:0]  m_eject_row,        // where it is written, in rows
    output wire [16:0]  m_eject_note,

    output wire [191:0] count,              // cycles in each class
    output wire         idle                // nothing changes without input
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
    endgenerate

    localparam LINKS   = 2 * DIMENSIONS;
    localparam SOURCES = LINKS + DIMENSIONS;    // of a pipe: links, then a queue a dimension
    localparam OWN     = LINKS;                 // the own block's queue
    localparam [31:0] QUEUES = LINKS;           // the first source that is a queue
    localparam [3:0]  HERE   = 4'd8;
    localparam [LINKS-1:0] UP = {DIMENSIONS{2'b01}};

    // The link that a packet takes next, a bit a link; 0 if the packet has arrived.
    // lint: only the hops of existing dimensions are used
    /* verilator lint_off UNUSEDSIGNAL */
    function [LINKS-1:0] target;
        input [31:0] hops;
        integer      d;
        reg          here;      // no hops are left on the rings before
        begin
            here = 1'b1;
            for (d = 0; d < DIMENSIONS; d = d + 1) begin
                target[2*d +: 2] = here && hops[8*d +: 7] != 7'd0 ? {hops[8*d+7], !hops[8*d+7]} : 2'b00;
                here = here && hops[8*d +: 7] == 7'd0;
            end
        end
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    // The hops left after that link.
    function [31:0] moved;
        input [31:0] hops;
        input [1:0]  dimension;
        integer      d;
        for (d = 0; d < 4; d = d + 1)
            moved[8*d +: 8] = hops[8*d +: 8] - {7'd0, dimension == d[1:0]};     // there are some
    endfunction

    // The first request at or after `from`, else the first: a bit a source, 0 without a request.
    function [SOURCES-1:0] choose;
        input [SOURCES-1:0] requests;
        input [3:0]         from;
        reg   [SOURCES-1:0] later;
        begin
            later  = requests & ({SOURCES{1'b1}} << from);
            choose = later != {SOURCES{1'b0}} ? first(later) : first(requests);
        end
    endfunction

    function [SOURCES-1:0] first;
        input [SOURCES-1:0] requests;
        integer             n;
        for (n = 0; n < SOURCES; n = n + 1)
            first[n] = requests[n] && (requests & ~({SOURCES{1'b1}} << n)) == {SOURCES{1'b0}};
    endfunction

    function [3:0] number;
        input [SOURCES-1:0] one;
        integer             n;
        begin
            number = 4'd0;
            for (n = 0; n < SOURCES; n = n + 1)
                if (one[n]) number = number | n[3:0];
        end
    endfunction

    // ---- requests: links, then a queue a dimension; for eject, the own block ----

    wire [SOURCES-1:0] asks [0:2];
    wire [LINKS*LINKS-1:0] tos;     // the link that each head takes next
    genvar g, p;
    generate
        for (g = 0; g < LINKS; g = g + 1) begin : g_head
            localparam [LINKS-1:0] ON = {{(LINKS-1){1'b0}}, 1'b1} << (g ^ 1);
            // Here and below an output is 0 while it is not requested.  Most routers are idle in
            // most cycles, so a simulator then evaluates only the condition.
            reg  [LINKS-1:0] to;
            always @(*) begin
                to = {LINKS{1'b0}};
                if (s_head_valid[g]) to = target(s_head_route[g*64 +: 32]);
            end
            wire [LINKS-1:0] fits = to & (s_room & ON | s_room_two & ~ON);
            assign tos[g*LINKS +: LINKS] = to;
            assign asks[0][g] = s_head_valid[g] && (fits & UP) != {LINKS{1'b0}};
            assign asks[1][g] = s_head_valid[g] && (fits & ~UP) != {LINKS{1'b0}};
            assign asks[2][g] = s_head_valid[g] && to == {LINKS{1'b0}} && s_eject_room;
        end
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_queue
            assign asks[0][LINKS+g] = s_queue_valid[2*g]   && s_room_two[2*g];
            assign asks[1][LINKS+g] = s_queue_valid[2*g+1] && s_room_two[2*g+1];
        end
    endgenerate
    assign asks[2][SOURCES-1:LINKS] = {{(DIMENSIONS-1){1'b0}}, s_queue_valid[OWN] && s_eject_room};

    // ---- grants: the source that each pipe takes ---------------------------------------

    wire [2:0] moves;
    wire [SOURCES-1:0] takes [0:2];
    wire [3:0] from  [0:2];
    generate
        for (p = 0; p < 3; p = p + 1) begin : g_take
            reg [3:0] turn_q;
            wire [SOURCES-1:0] ask = asks[p];
            assign moves[p] = ask != {SOURCES{1'b0}};
            reg [SOURCES-1:0] taken;
            reg [3:0]         source;
            always @(*) begin
                taken  = {SOURCES{1'b0}};
                source = 4'd0;
                if (moves[p]) begin
                    taken  = choose(ask, turn_q);
                    source = number(taken);
                end
            end
            assign takes[p] = taken;
            assign from[p]  = source;
            always @(posedge clk) begin
                if (rst)
                    turn_q <= 4'd0;
                else if (moves[p])
                    turn_q <= from[p] + 4'd1;
            end
        end
    endgenerate

    assign m_pop = takes[0][LINKS-1:0] | takes[1][LINKS-1:0] | takes[2][LINKS-1:0];
    assign m_queue_pop[OWN] = takes[2][LINKS];
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_queue_pop
            assign m_queue_pop[2*g +: 2] = {takes[1][LINKS+g], takes[0][LINKS+g]};
        end
    endgenerate
    assign m_eject_reserve = moves[2];

    // ---- headers on their way ---------------------------------------------------------

    generate
        for (p = 0; p < 2; p = p + 1) begin : g_out
            localparam PIPE = p;
            reg         valid_q;
            reg  [2:0]  link_q;
            reg  [3:0]  source_q;
            reg  [63:0] route_q;
            reg  [16:0] note_q;
            wire [SOURCES-1:0] taken = takes[p];
            wire        mine  = taken[SOURCES-1:LINKS] != {DIMENSIONS{1'b0}};
            reg  [LINKS-1:0] to;        // a link: there are hops left
            reg  [2:0]  link;
            reg  [63:0] route;
            reg  [16:0] note;
            integer     n;
            always @(*) begin
                {link, route, note} = 84'd0;
                to = {LINKS{1'b0}};
                if (moves[p]) begin
                    for (n = 0; n < LINKS; n = n + 1)
                        if (taken[n]) begin
                            to    = to | tos[n*LINKS +: LINKS];
                            route = route | s_head_route[n*64 +: 64];
                            note  = note | s_head_note[n*17 +: 17];
                        end
                    for (n = 0; n < DIMENSIONS; n = n + 1)
                        if (taken[LINKS+n]) begin
                            to[2*n+PIPE] = 1'b1;
                            route = route | s_queue_route[(2*n+PIPE)*64 +: 64];
                            note  = note | s_queue_note[(2*n+PIPE)*17 +: 17];
                        end
                    for (n = 0; n < DIMENSIONS; n = n + 1)
                        if (to[2*n+PIPE]) link = link | {n[1:0], PIPE[0]};
                end
            end
            for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_reserve
                assign m_reserve[2*g+p] = to[2*g+p];
            end
            assign m_out_valid[p]          = valid_q;
            assign m_out_link[p*3 +: 3]    = link_q;
            assign m_out_source[p*4 +: 4]  = source_q;
            assign m_out_route[p*64 +: 64] = route_q;
            assign m_out_note[p*17 +: 17]  = note_q;
            always @(posedge clk) begin
                valid_q <= moves[p] && !rst;
                if (moves[p]) begin
                    link_q   <= link;
                    source_q <= mine ? HERE : from[p];
                    route_q  <= {route[63:32], moved(route[31:0], link[2:1])};
                    note_q   <= note;
                end
            end
        end
    endgenerate

    reg        eject_valid_q;
    reg [3:0]  eject_source_q;
    reg [31:0] eject_row_q;
    reg [16:0] eject_note_q;
    assign m_eject_valid  = eject_valid_q;
    assign m_eject_source = eject_source_q;
    assign m_eject_row    = eject_row_q;
    assign m_eject_note   = eject_note_q;
    always @(posedge clk) begin
        eject_valid_q <= moves[2] && !rst;
        if (moves[2]) begin
            eject_source_q <= from[2] == QUEUES[3:0] ? HERE : from[2];
            eject_row_q    <= from[2] == QUEUES[3:0] ? s_queue_route[OWN*64+32 +: 32]
                                                     : s_head_route[from[2][2:0]*64+32 +: 32];
            eject_note_q   <= from[2] == QUEUES[3:0] ? s_queue_note[OWN*17 +: 17] : s_head_note[from[2][2:0]*17 +: 17];
        end
    end

    // ---- cycle classes ----------------------------------------------------------------

    wire waits = |s_head_valid || |s_queue_valid;
    ace_cycle_classes u_count (.clk(clk), .rst(rst), .busy(|moves), .blocked(waits), .starved(1'b0), .count(count));

    assign idle = m_out_valid == 2'd0 && !eject_valid_q;

    wire unused = &{1'b0, s_queue_route[OWN*64 +: 32]};     // the own block has no hops

endmodule

`default_nettype wire

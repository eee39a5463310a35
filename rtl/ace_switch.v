// SPDX-License-Identifier: Apache-2.0
//
// ace_switch -- arbitrates for the banks, the ALUs and the links
//
//   cycle         1 arbitrate            2 lookup, arbitrate sends     3 bank       6 the row is there
//   heads ---+--> reduction, else copy -> FSM's lookup and take -----> read ------> 6 ALU stages, write in 12
//            '--> store ---------------> FSM's lookup and take -----> write
//   FSMs -------> [ queues ] -----------> one up, one down ----------> reads -----> to a link each
//   DMAs -----------------------------------------------------------> one row read, of two requests, one written
//
// Each bank reads one row and writes one row a cycle.  Reads: a reduction goes first, then the
// sends, then the RX DMA.  Writes: a reduction reserves its slot when it starts.  A store takes a
// remaining slot, then the TX DMA.  If the TX DMA waited with s_load_first, no store is taken for
// its bank in the next cycle.  A phase with several FSMs has two queues of two requests each: one
// for even chunks, one for odd chunks.  A phase with one FSM has one queue.
//
// Contract
//   Heads       A head is popped in the cycle in which it wins.  A cycle later its target is looked
//               up, and its FSM moves on (m_reduce_take, m_store_take).  Some contexts may not
//               receive two rows in a row.  The heads of such a context wait outside, see m_arrived
//               and m_storing.
//   Requests    Requests are taken while their queue has a free slot.  The older request of a queue
//               goes first, once its link has a slot (s_room) and its bank is free.  m_reserve then
//               takes the slot, and the row is read a cycle later.  A request waits for nothing
//               else, and links always drain.  A context in m_held is not done.
//   Rooms       A queue in m_crowded has a request.  A new request of its FSM then needs two free
//               slots at the link.
//   Written     A received row is reported written 10 cycles after either pipe took it.  So rows of
//               a context are reported in order.  An FSM can read a reported row three cycles later
//               at the earliest.  By then the row was given to the scratchpad two cycles ago.
//   Fairness    Links take turns in each receive pipe and in each send pipe.  If several queues
//               have a row for one link, the latest phase goes first, since a chunk that it ends
//               makes room.
//   Order       Even and odd chunks of a phase are ordered separately.  FSMs in the middle of a
//               piece that can go on are first; among equals the oldest chunk is first.  So chunks
//               follow each other in whole pieces, in a pattern that repeats.  A piece whose next
//               row has not arrived delays no other.
//   Reset       rst is synchronous, active high; it empties the pipes.
//   Twin        cmodel/twin/ace_switch.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_switch_test.cc).

`default_nettype none

module ace_switch #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter FSMS       = 16   // 1, 2 or 4 for each phase
) (
    input  wire              clk,
    input  wire              rst,

    // Heads of the links' input buffers
    input  wire [2*DIMENSIONS-1:0]  s_head_valid,
    input  wire [16*DIMENSIONS-1:0] s_head_context,     // {phase, index}
    input  wire [2*DIMENSIONS-1:0]  s_head_reduce,
    input  wire [16*DIMENSIONS-1:0] s_head_mark,
    output wire [2*DIMENSIONS-1:0]  m_head_pop,

    // FSM requests
    input  wire [FSMS-1:0]    s_send_valid,
    input  wire [FSMS*3-1:0]  s_send_link,
    input  wire [FSMS*5-1:0]  s_send_index,
    input  wire [FSMS*12-1:0] s_send_row,
    input  wire [FSMS-1:0]    s_send_zero,
    input  wire [FSMS-1:0]    s_send_reduce,
    input  wire [FSMS*8-1:0]  s_send_mark,
    input  wire [FSMS*8-1:0]  s_send_peer,
    input  wire [FSMS*2-1:0]  s_send_begun,         // a piece goes on, {odd, even}
    input  wire [5*DIMENSIONS+4:0] s_oldest,        // index of each phase's oldest chunk
    input  wire [2*DIMENSIONS-1:0] s_room,          // links with a place for a row
    output wire [FSMS-1:0]    m_send_take,
    output wire [FSMS-1:0]    m_crowded,            // the FSM's queue holds a request
    output wire [32*DIMENSIONS+31:0] m_held,        // contexts of which there are rows to read, 32 a phase
    input  wire [FSMS-1:0]    s_copy_valid,
    input  wire [FSMS*5-1:0]  s_copy_index,
    input  wire [FSMS*12-1:0] s_copy_source,
    input  wire [FSMS*12-1:0] s_copy_target,
    output wire [FSMS-1:0]    m_copy_take,

    // Lookup of where the received rows go
    output wire [4:0]         m_reduce_index,
    output wire [7:0]         m_reduce_mark,
    input  wire [FSMS*12-1:0] s_reduce_source,
    input  wire [FSMS-1:0]    s_reduce_zero,
    input  wire [FSMS*12-1:0] s_reduce_target,
    input  wire [FSMS*3-1:0]  s_reduce_type,
    input  wire [FSMS*3-1:0]  s_reduce_op,
    input  wire [FSMS*37-1:0] s_reduce_scale,
    output wire [FSMS-1:0]    m_reduce_take,
    output wire [4:0]         m_store_index,
    output wire [7:0]         m_store_mark,
    input  wire [FSMS*12-1:0] s_store_target,
    output wire [FSMS-1:0]    m_store_take,
    output wire [FSMS-1:0]    m_reduced_valid,
    output wire               m_reduced_copy,
    output wire [4:0]         m_reduced_index,
    output wire [FSMS-1:0]    m_stored_valid,
    output wire [4:0]         m_stored_index,

    // DMAs
    input  wire               s_load_valid,
    input  wire [1:0]         s_load_bank,
    input  wire               s_load_first,         // a load that waits goes before stores
    output wire               m_load_grant,
    input  wire [1:0]         s_unload_valid,       // of each half of the RX DMA
    input  wire               s_unload_first,       // the half that goes first
    input  wire [3:0]         s_unload_bank,
    output wire [1:0]         m_unload_grant,       // to one half at most

    // Reads of the scratchpad, this cycle: not of padding
    output wire               m_read_reduce_valid,
    output wire [1:0]         m_read_reduce_bank,
    output wire [11:0]        m_read_reduce_row,
    output wire               m_read_reduce_zero,   // padding is to be read: nothing is, and zeros are wanted
    output wire [1:0]         m_read_send_valid,    // bit 0: + links   bit 1: - links
    output wire [3:0]         m_read_send_bank,
    output wire [23:0]        m_read_send_row,

    // The rows that were popped in the last cycle, of each receive pipe
    output wire               m_arrived_valid,
    output wire [2:0]         m_arrived_link,
    output wire [7:0]         m_arrived_context,
    output wire               m_storing_valid,
    output wire [2:0]         m_storing_link,
    output wire [7:0]         m_storing_context,
    // Control of the ALUs
    output wire               m_alu_valid,          // operands are there
    output wire               m_alu_copy,
    output wire [2:0]         m_alu_type,
    output wire [2:0]         m_alu_op,
    output wire [36:0]        m_alu_scale,
    output wire               m_write_reduce_valid, // result is there
    output wire [1:0]         m_write_reduce_bank,
    output wire [11:0]        m_write_reduce_row,
    output wire               m_write_store_valid,
    output wire [1:0]         m_write_store_bank,
    output wire [11:0]        m_write_store_row,

    // To the links: a slot is reserved, and filled with the row four cycles later
    output wire [2*DIMENSIONS-1:0] m_reserve,
    output wire [1:0]         m_out_valid,
    output wire [5:0]         m_out_link,           // 3 bits a pipe
    output wire [15:0]        m_out_context,
    output wire [1:0]         m_out_reduce,
    output wire [1:0]         m_out_zero,
    output wire [15:0]        m_out_mark,
    output wire [15:0]        m_out_peer,

    // Cycles of the reduce pipe, of the store pipe, of the two send pipes
    output wire [191:0]       count_reduce,         // {idle, blocked, starved, busy}, 48 bits each
    output wire [191:0]       count_store,
    output wire [191:0]       count_send_plus,
    output wire [191:0]       count_send_minus,
    output wire               idle                  // the pipes are empty, no request, no load waited
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (FSMS != DIMENSIONS + 1 && FSMS != 2 * (DIMENSIONS + 1) && FSMS != 4 * (DIMENSIONS + 1))
        begin : g_illegal_fsms
            FSMS_must_be_1_2_or_4_for_each_phase stop ();
        end
    endgenerate

    localparam LINKS     = 2 * DIMENSIONS;
    localparam PER_PHASE = FSMS / (DIMENSIONS + 1);
    localparam PLACE_W   = $clog2(PER_PHASE);
    localparam FSM_W     = PLACE_W + $clog2(DIMENSIONS + 1);    // an FSM: {phase, place}
    localparam EACH      = PER_PHASE > 1 ? 2 : 1;       // queues of a phase
    localparam SHARE     = PER_PHASE / EACH;            // FSMs of a queue
    localparam QUEUES     = EACH * (DIMENSIONS + 1);
    localparam [31:0] LAST_LINK = LINKS - 1;

    // Number of the FSM that runs a context: the FSMs of a phase take chunks in turn.
    // lint: an index has bits that tell contexts of one FSM apart, which play no part here,
    // and those that tell the FSMs of a phase apart
    /* verilator lint_off UNUSEDSIGNAL */
    function [FSM_W-1:0] fsm_of;
        input [7:0] context_;
        reg   [7:0] number;
        begin
            number = {5'd0, context_[7:5]} << PLACE_W | {3'd0, context_[4:0]} & (PER_PHASE[7:0] - 8'd1);
            fsm_of = number[FSM_W-1:0];
        end
    endfunction

    function [7:0] context_of;
        input [FSM_W-1:0] fsm;
        input [4:0]       index;
        context_of = {{(3-FSM_W+PLACE_W){1'b0}}, fsm[FSM_W-1:PLACE_W], index};
    endfunction

    function [2:0] phase_of;
        input [31:0] queue;
        reg   [31:0] phase;
        begin
            phase    = queue / EACH;
            phase_of = phase[2:0];
        end
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    // First set bit at or after `from`, else the first: a bit a link, none if there is no request.
    function [LINKS-1:0] turn_link;
        input [LINKS-1:0] request;
        input [2:0]       from;
        reg   [LINKS-1:0] later;
        begin
            later     = request & ({LINKS{1'b1}} << from);
            turn_link = later != {LINKS{1'b0}} ? first_link(later) : first_link(request);
        end
    endfunction

    function [LINKS-1:0] first_link;
        input [LINKS-1:0] request;
        integer           n;
        for (n = 0; n < LINKS; n = n + 1)
            first_link[n] = request[n] && (request & ~({LINKS{1'b1}} << n)) == {LINKS{1'b0}};
    endfunction

    function [2:0] number_of;
        input [LINKS-1:0] one;
        integer           n;
        begin
            number_of = 3'd0;
            for (n = 0; n < LINKS; n = n + 1)
                if (one[n]) number_of = number_of | n[2:0];
        end
    endfunction

    function [FSM_W-1:0] first_fsm;
        input [FSMS-1:0] request;
        integer          n;
        begin
            first_fsm = {FSM_W{1'b0}};
            for (n = FSMS - 1; n >= 0; n = n - 1)
                if (request[n]) first_fsm = n[FSM_W-1:0];
        end
    endfunction

    // Selects the queue that sends, among the requests in `want`.  The first dimension at or after
    // `from` wins.  Within it the latest queue wins, and so the latest phase.
    function [QUEUES-1:0] sender;
        input [QUEUES-1:0]            want;
        input [QUEUES*DIMENSIONS-1:0] of;       // for each dimension: the queues with a row for it
        input [1:0]                   from;
        integer                       d, n;
        reg   [QUEUES-1:0]            wants;
        reg   [DIMENSIONS-1:0]        any, pick;
        begin
            for (d = 0; d < DIMENSIONS; d = d + 1) any[d] = |(want & of[d*QUEUES +: QUEUES]);
            for (d = 0; d < DIMENSIONS; d = d + 1) pick[d] = any[d] && d[1:0] >= from;
            if (pick == {DIMENSIONS{1'b0}}) pick = any;
            pick = pick & (~pick + {{(DIMENSIONS-1){1'b0}}, 1'b1});
            sender = {QUEUES{1'b0}};
            wants  = {QUEUES{1'b0}};
            for (d = 0; d < DIMENSIONS; d = d + 1)
                if (pick[d]) begin
                    wants = want & of[d*QUEUES +: QUEUES];
                    for (n = 0; n < QUEUES; n = n + 1)
                        if (wants >> n == {{(QUEUES-1){1'b0}}, 1'b1}) sender[n] = 1'b1;
                end
        end
    endfunction

    // Does index x come before y, counted round from the oldest one?  The two are known late in a
    // cycle.  So they are compared with each other and with the oldest one in parallel, and nothing
    // is subtracted first.
    function precedes;
        input [4:0] x;
        input [4:0] y;
        input [4:0] from;
        precedes = (x >= from) == (y >= from) ? x < y : x >= from;
    endfunction

    function [1:0] after_dimension;
        input [1:0] dimension;
        after_dimension = dimension == LAST_LINK[2:1] ? 2'd0 : dimension + 2'd1;
    endfunction

    function [2:0] after_link;
        input [2:0] link;
        after_link = link == LAST_LINK[2:0] ? 3'd0 : link + 3'd1;
    endfunction

    // ---- pipe registers: stage n has what was taken n cycles ago ----
    localparam READ = 3;            // cycles from a bank's address to the row at the port
    localparam DATA = 2 + READ;     // stage in which a row that was read is there
    localparam DONE = DATA + 6;     // stage in which the ALUs' result is there
    localparam LAST = DONE - 1;     // stage from which on the FSM may request the row
    reg [DONE:1]      reduce_valid_q, reduce_copy_q;
    reg [LAST:1]      store_valid_q;
    reg [8*DONE-1:0]  reduce_context_q;
    reg [8*LAST-1:0]  store_context_q;
    reg [2:0]         reduce_link_q, store_link_q;          // of stage 1
    reg [7:0]         reduce_mark_q, store_mark_q;
    reg [11:0]        copy_source_q, copy_target_q;
    reg [11:0]        read_row_q, store_row_q;              // of stage 2
    reg [12*DONE-1:12] reduce_row_q;                        // from stage 2 on: where the result goes
    reg               reduce_zero_q;                        // of stage 2: what lies here is padding
    reg [3*DATA-1:3]  reduce_type_q, reduce_op_q;
    reg [37*DATA-1:37] reduce_scale_q;
    // Send pipes: stage n has what was decided n cycles ago.
    localparam SENT = 1 + READ;     // stage in which the row is there
    reg [2*SENT-1:0]  send_valid_q, send_reduce_q, send_zero_q;
    reg [6*SENT-1:0]  send_link_q;
    reg [16*SENT-1:0] send_context_q, send_mark_q, send_peer_q;
    reg [3:0]         send_bank_q;                          // of stage 1
    reg [23:0]        send_row_q;
    // The two slots of each queue: is there a request, are there two, which is the older
    reg [QUEUES-1:0]   queue_any_q, queue_two_q, queue_old_q;
    reg [2*QUEUES-1:0] queue_zero_q, queue_reduce_q;
    reg [6*QUEUES-1:0] queue_link_q;
    reg [10*QUEUES-1:0] queue_index_q;
    reg [24*QUEUES-1:0] queue_row_q;
    reg [16*QUEUES-1:0] queue_mark_q, queue_peer_q;
    reg [2:0]         reduce_turn_q, store_turn_q;
    reg [3:0]         load_waits_q;                         // banks in which a load that goes first waited
    reg [1:0]         plus_turn_q, minus_turn_q;            // dimensions
    wire [7:0] last_context = reduce_context_q[8*LAST-1 -: 8];
    wire [7:0] last_stored  = store_context_q[8*LAST-1 -: 8];
    wire [1:0] done_bank    = reduce_context_q[8*DONE-8 +: 2];

    // ---- first: a received row, else a copy; and a row to store ----
    wire [LINKS-1:0] want_reduce = s_head_valid & s_head_reduce;
    wire       take_reduce = |want_reduce;
    wire [LINKS-1:0] reduce_pop = turn_link(want_reduce, reduce_turn_q);
    wire [2:0] reduce_link = number_of(reduce_pop);
    wire       take_copy = !take_reduce && |s_copy_valid;
    wire [FSM_W-1:0] copy_fsm = first_fsm(s_copy_valid);
    wire       issue_reduce = take_reduce || take_copy;

    // A row is written two cycles after its store was taken.  A reduction that is now two stages
    // before its result then uses the bank, too.  While a load that goes first waits, no store is
    // taken for its bank.  Otherwise a chunk that shares its bank with stores would stay behind,
    // and delay all later chunks.
    wire [LINKS-1:0] want_store, store_pop;
    wire        take_store, send_plus, send_minus;
    wire [2:0]  store_link;
    reg  [2:0]  plus_link, minus_link;
    genvar l;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_link
            assign want_store[l] = s_head_valid[l] && !s_head_reduce[l] &&
                                   !(reduce_valid_q[DONE-2] &&
                                     reduce_context_q[8*DONE-24 +: 2] == s_head_context[l*8 +: 2]) &&
                                   !load_waits_q[s_head_context[l*8 +: 2]];
            assign m_head_pop[l] = reduce_pop[l] || store_pop[l];
            assign m_reserve[l] = (send_plus && plus_link == l) || (send_minus && minus_link == l);
        end
    endgenerate
    assign take_store = |want_store;
    assign store_pop  = turn_link(want_store, store_turn_q);
    assign store_link = number_of(store_pop);

    // ---- then: where the rows lie ----
    wire [7:0] reduce_context = reduce_context_q[7:0];
    wire [7:0] store_context  = store_context_q[7:0];
    wire [FSM_W-1:0] reduce_fsm = fsm_of(reduce_context);
    wire [FSM_W-1:0] store_fsm  = fsm_of(store_context);
    wire       reduces = reduce_valid_q[1] && !reduce_copy_q[1];
    wire       reads_zero = reduces && s_reduce_zero[reduce_fsm];
    assign m_arrived_valid   = reduces;
    assign m_arrived_link    = reduce_link_q;
    assign m_arrived_context = reduce_context;
    assign m_reduce_index    = reduce_context[4:0];
    assign m_reduce_mark     = reduce_mark_q;
    assign m_storing_valid   = store_valid_q[1];
    assign m_storing_link    = store_link_q;
    assign m_storing_context = store_context;
    assign m_store_index     = store_context[4:0];
    assign m_store_mark      = store_mark_q;

    // ---- FSMs to queues ----
    wire [FSMS-1:0]   takes;
    wire [QUEUES-1:0]  joins;                // of each queue: a request comes
    genvar f, e;
    generate
        for (f = 0; f < FSMS; f = f + 1) begin : g_fsm
            localparam P    = f / PER_PHASE;
            localparam QUEUE = P * EACH + f % EACH;
            if (SHARE == 1) begin : g_alone
                assign takes[f] = s_send_valid[f] && !queue_two_q[QUEUE];
            end else begin : g_shared
                localparam G   = f % PER_PHASE < EACH ? f + EACH : f - EACH;    // whose queue it is too
                localparam ODD = f % EACH;
                wire begun  = s_send_begun[f*2+ODD];
                wire its    = s_send_begun[G*2+ODD];
                wire older  = precedes(s_send_index[G*5 +: 5], s_send_index[f*5 +: 5], s_oldest[P*5 +: 5]);
                wire yields = its == begun ? s_send_valid[G] && older : its;
                assign takes[f] = s_send_valid[f] && !yields && !queue_two_q[QUEUE];
            end
            assign m_crowded[f]     = queue_any_q[QUEUE];
        end
    endgenerate
    localparam [FSMS-1:0] FIRST_FSM = 1;
    reg [FSMS-1:0] copy_takes, reduce_takes, store_takes, reduced, stored;     // one at most
    always @(*) begin
        {copy_takes, reduce_takes, store_takes, reduced, stored} = {5*FSMS{1'b0}};
        if (take_copy)            copy_takes   = FIRST_FSM << copy_fsm;
        if (reduces)              reduce_takes = FIRST_FSM << reduce_fsm;
        if (store_valid_q[1])     store_takes  = FIRST_FSM << store_fsm;
        if (reduce_valid_q[LAST]) reduced      = FIRST_FSM << fsm_of(last_context);
        if (store_valid_q[LAST])  stored       = FIRST_FSM << fsm_of(last_stored);
    end
    assign m_copy_take     = copy_takes;
    assign m_reduce_take   = reduce_takes;
    assign m_store_take    = store_takes;
    assign m_reduced_valid = reduced;
    assign m_stored_valid  = stored;
    wire unused = &{1'b0, s_oldest, s_send_begun};      // by a phase with two FSMs or one
    assign m_send_take = takes;

    // ---- queues to the send pipes: even links go up their ring, odd ones down ----
    wire [QUEUES-1:0]    want_plus, want_minus, waits_minus, plus_queue, minus_queue, leaves;
    wire [QUEUES-1:0]    zero, reduce;
    wire [3*QUEUES-1:0]  link;
    wire [5*QUEUES-1:0]  index;
    wire [12*QUEUES-1:0] row;
    wire [8*QUEUES-1:0]  mark, peer;
    wire [QUEUES*DIMENSIONS-1:0] of_dimension;  // for each dimension: the queues with a row for it
    generate
        for (f = 0; f < QUEUES; f = f + 1) begin : g_queue
            localparam FIRST = (f / EACH) * PER_PHASE + f % EACH;       // of its FSMs
            localparam OTHER = FIRST + (SHARE - 1) * EACH;
            wire old  = queue_old_q[f];
            wire last = takes[OTHER] && SHARE > 1;
            wire to   = old ^ queue_any_q[f];                            // the place that is free
            assign joins[f] = takes[FIRST] || last;
            assign leaves[f] = plus_queue[f] || minus_queue[f];
            assign zero[f]   = old ? queue_zero_q[f*2+1] : queue_zero_q[f*2];
            assign reduce[f] = old ? queue_reduce_q[f*2+1] : queue_reduce_q[f*2];
            assign link[f*3 +: 3]   = old ? queue_link_q[f*6+3 +: 3] : queue_link_q[f*6 +: 3];
            assign index[f*5 +: 5]  = old ? queue_index_q[f*10+5 +: 5] : queue_index_q[f*10 +: 5];
            assign row[f*12 +: 12]  = old ? queue_row_q[f*24+12 +: 12] : queue_row_q[f*24 +: 12];
            assign mark[f*8 +: 8]   = old ? queue_mark_q[f*16+8 +: 8] : queue_mark_q[f*16 +: 8];
            assign peer[f*8 +: 8]   = old ? queue_peer_q[f*16+8 +: 8] : queue_peer_q[f*16 +: 8];
            wire room_0 = s_room[queue_link_q[f*6 +: 3]];
            wire room_1 = s_room[queue_link_q[f*6+3 +: 3]];
            wire free = queue_any_q[f] && (old ? room_1 : room_0) &&
                        !(reduce_valid_q[1] && reduce_context[1:0] == index[f*5 +: 2]);
            assign want_plus[f]   = free && !link[f*3];
            assign want_minus[f]  = free && link[f*3];
            assign waits_minus[f] = queue_any_q[f] && link[f*3];
            for (e = 0; e < DIMENSIONS; e = e + 1) begin : g_dimension
                assign of_dimension[e*QUEUES+f] = link[f*3+1 +: 2] == e;
            end
            for (e = 0; e < 2; e = e + 1) begin : g_place
                always @(posedge clk)
                    if (joins[f] && to == e) begin
                        queue_zero_q[f*2+e]           <= last ? s_send_zero[OTHER] : s_send_zero[FIRST];
                        queue_reduce_q[f*2+e]         <= last ? s_send_reduce[OTHER] : s_send_reduce[FIRST];
                        queue_link_q[(f*2+e)*3 +: 3]  <= last ? s_send_link[OTHER*3 +: 3] : s_send_link[FIRST*3 +: 3];
                        queue_index_q[(f*2+e)*5 +: 5] <= last ? s_send_index[OTHER*5 +: 5] : s_send_index[FIRST*5 +: 5];
                        queue_row_q[(f*2+e)*12 +: 12] <= last ? s_send_row[OTHER*12 +: 12] : s_send_row[FIRST*12 +: 12];
                        queue_mark_q[(f*2+e)*8 +: 8]  <= last ? s_send_mark[OTHER*8 +: 8] : s_send_mark[FIRST*8 +: 8];
                        queue_peer_q[(f*2+e)*8 +: 8]  <= last ? s_send_peer[OTHER*8 +: 8] : s_send_peer[FIRST*8 +: 8];
                    end
            end
            always @(posedge clk) begin
                queue_old_q[f] <= (queue_old_q[f] ^ leaves[f]) && !rst;
                queue_any_q[f] <= (joins[f] || queue_two_q[f] || (queue_any_q[f] && !leaves[f])) && !rst;
                queue_two_q[f] <= queue_any_q[f] && !leaves[f] && (joins[f] || queue_two_q[f]) && !rst;
            end
        end
    endgenerate

    // Contexts that have a row in a queue.
    reg [32*(DIMENSIONS+1)-1:0] held;
    integer                     q;
    always @(*) begin
        held = {32*(DIMENSIONS+1){1'b0}};
        if (queue_any_q != {QUEUES{1'b0}})
            for (q = 0; q < QUEUES; q = q + 1) begin
                if (queue_any_q[q] && (queue_two_q[q] || !queue_old_q[q]))
                    held[(q/EACH)*32 +: 32] = held[(q/EACH)*32 +: 32] | 32'd1 << queue_index_q[q*10 +: 5];
                if (queue_any_q[q] && (queue_two_q[q] || queue_old_q[q]))
                    held[(q/EACH)*32 +: 32] = held[(q/EACH)*32 +: 32] | 32'd1 << queue_index_q[q*10+5 +: 5];
            end
    end
    assign m_held = held;

    // The queue that sends down is computed for each bank that the queue sending up may read.  As a
    // rule odd chunks go down and live in odd banks, so that both pipes can read.
    wire [4*QUEUES-1:0] elsewhere;     // for each bank: the queues that read another bank
    wire [3:0]        plus_reads;
    reg  [QUEUES-1:0] minus_sender;
    integer           r;
    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : g_bank
            wire [QUEUES-1:0] here;
            for (f = 0; f < QUEUES; f = f + 1) begin : g_queue
                assign here[f] = plus_queue[f] && index[f*5 +: 2] == b;
                assign elsewhere[b*QUEUES+f] = want_minus[f] && index[f*5 +: 2] != b;
            end
            assign plus_reads[b] = |here;
        end
    endgenerate
    always @(*) begin
        minus_sender = {QUEUES{1'b0}};
        for (r = 0; r < 4; r = r + 1)
            if (plus_reads[r])
                minus_sender = minus_sender | sender(elsewhere[r*QUEUES +: QUEUES], of_dimension, minus_turn_q);
        if (!send_plus) minus_sender = minus_sender | sender(want_minus, of_dimension, minus_turn_q);
    end
    assign send_plus   = |want_plus;
    assign plus_queue  = sender(want_plus, of_dimension, plus_turn_q);
    assign minus_queue = minus_sender;
    assign send_minus = |minus_queue;

    // The requests of the two queues that send.
    reg         plus_zero, minus_zero, plus_reduce, minus_reduce;
    reg  [7:0]  plus_context, minus_context, plus_mark, minus_mark, plus_peer, minus_peer;
    reg  [11:0] plus_row, minus_row;
    integer     n;
    always @(*) begin
        {plus_link, plus_context, plus_row, plus_mark, plus_peer}      = 39'd0;
        {minus_link, minus_context, minus_row, minus_mark, minus_peer} = 39'd0;
        plus_zero    = |(plus_queue & zero);
        minus_zero   = |(minus_queue & zero);
        plus_reduce  = |(plus_queue & reduce);
        minus_reduce = |(minus_queue & reduce);
        for (n = 0; n < QUEUES; n = n + 1) begin
            if (plus_queue[n]) begin
                plus_link    = plus_link | link[n*3 +: 3];
                plus_context = plus_context | {phase_of(n), index[n*5 +: 5]};
                plus_row     = plus_row | row[n*12 +: 12];
                plus_mark    = plus_mark | mark[n*8 +: 8];
                plus_peer    = plus_peer | peer[n*8 +: 8];
            end
            if (minus_queue[n]) begin
                minus_link    = minus_link | link[n*3 +: 3];
                minus_context = minus_context | {phase_of(n), index[n*5 +: 5]};
                minus_row     = minus_row | row[n*12 +: 12];
                minus_mark    = minus_mark | mark[n*8 +: 8];
                minus_peer    = minus_peer | peer[n*8 +: 8];
            end
        end
    end

    // ---- last: the banks, and the DMAs where they are free ----
    assign m_read_reduce_valid = reduce_valid_q[2] && !reduce_zero_q;
    assign m_read_reduce_bank  = reduce_context_q[9:8];
    assign m_read_reduce_row   = read_row_q;
    assign m_read_reduce_zero  = reduce_valid_q[2] && reduce_zero_q;
    assign m_read_send_valid   = send_valid_q[1:0] & ~send_zero_q[1:0];
    assign m_read_send_bank    = send_bank_q;
    assign m_read_send_row     = send_row_q;
    // Padding reads no bank but still reserves one.  Which rows are padding depends on the rank,
    // and the timing of a node must not.
    wire [1:0] may_unload;
    genvar h;
    generate
        for (h = 0; h < 2; h = h + 1) begin : g_unload
            wire [1:0] bank = s_unload_bank[2*h +: 2];
            assign may_unload[h] = s_unload_valid[h] && !(reduce_valid_q[2] && m_read_reduce_bank == bank) &&
                                   !(send_valid_q[0] && send_bank_q[1:0] == bank) &&
                                   !(send_valid_q[1] && send_bank_q[3:2] == bank);
            assign m_unload_grant[h] = may_unload[h] && !(may_unload[1-h] && s_unload_first != h);
        end
    endgenerate
    assign m_load_grant   = s_load_valid && !(reduce_valid_q[DONE] && done_bank == s_load_bank) &&
                                            !(store_valid_q[2] && store_context_q[9:8] == s_load_bank);

    assign m_alu_valid = reduce_valid_q[DATA];
    assign m_alu_copy  = reduce_copy_q[DATA];
    assign m_alu_type  = reduce_type_q[3*DATA-1 -: 3];
    assign m_alu_op    = reduce_op_q[3*DATA-1 -: 3];
    assign m_alu_scale = reduce_scale_q[37*DATA-1 -: 37];
    assign m_write_reduce_valid = reduce_valid_q[DONE];
    assign m_write_reduce_bank  = done_bank;
    assign m_write_reduce_row   = reduce_row_q[12*DONE-1 -: 12];
    assign m_write_store_valid  = store_valid_q[2];
    assign m_write_store_bank   = store_context_q[9:8];
    assign m_write_store_row    = store_row_q;
    assign m_reduced_copy  = reduce_copy_q[LAST];
    assign m_reduced_index = last_context[4:0];
    assign m_stored_index  = last_stored[4:0];
    assign m_out_valid   = send_valid_q[2*SENT-1 -: 2];
    assign m_out_link    = send_link_q[6*SENT-1 -: 6];
    assign m_out_context = send_context_q[16*SENT-1 -: 16];
    assign m_out_reduce  = send_reduce_q[2*SENT-1 -: 2];
    assign m_out_zero    = send_zero_q[2*SENT-1 -: 2];
    assign m_out_mark    = send_mark_q[16*SENT-1 -: 16];
    assign m_out_peer    = send_peer_q[16*SENT-1 -: 16];

    always @(posedge clk) begin
        if (rst) begin
            reduce_valid_q <= {DONE{1'b0}};
            store_valid_q  <= {LAST{1'b0}};
            send_valid_q   <= {2*SENT{1'b0}};
            reduce_turn_q <= 3'd0;
            store_turn_q  <= 3'd0;
            load_waits_q  <= 4'd0;
            plus_turn_q   <= 2'd0;
            minus_turn_q  <= 2'd0;
        end else begin
            reduce_valid_q <= {reduce_valid_q[DONE-1:1], issue_reduce};
            store_valid_q  <= {store_valid_q[LAST-1:1], take_store};
            send_valid_q   <= {send_valid_q[2*SENT-3:0], send_minus, send_plus};
            if (take_reduce) reduce_turn_q <= after_link(reduce_link);
            if (take_store)  store_turn_q  <= after_link(store_link);
            load_waits_q <= {3'd0, s_load_valid && s_load_first && !m_load_grant} << s_load_bank;
            if (send_plus)   plus_turn_q   <= after_dimension(plus_link[2:1]);
            if (send_minus)  minus_turn_q  <= after_dimension(minus_link[2:1]);
        end
    end

    // A stage changes only when the stage before has something.
    integer i;
    always @(posedge clk) begin
        if (issue_reduce) begin
            reduce_copy_q[1]      <= take_copy;
            reduce_context_q[7:0] <= take_reduce ? s_head_context[reduce_link*8 +: 8]
                                                 : context_of(copy_fsm, s_copy_index[copy_fsm*5 +: 5]);
            reduce_link_q         <= reduce_link;
            reduce_mark_q         <= s_head_mark[reduce_link*8 +: 8];
            copy_source_q         <= s_copy_source[copy_fsm*12 +: 12];
            copy_target_q         <= s_copy_target[copy_fsm*12 +: 12];
        end
        if (reduce_valid_q[1]) begin
            read_row_q            <= reduces ? s_reduce_source[reduce_fsm*12 +: 12] : copy_source_q;
            reduce_row_q[23:12]   <= reduces ? s_reduce_target[reduce_fsm*12 +: 12] : copy_target_q;
            reduce_zero_q         <= reads_zero;
            reduce_type_q[5:3]    <= s_reduce_type[reduce_fsm*3 +: 3];
            reduce_op_q[5:3]      <= s_reduce_op[reduce_fsm*3 +: 3];
            reduce_scale_q[73:37] <= s_reduce_scale[reduce_fsm*37 +: 37];
        end
        for (i = 1; i < DONE; i = i + 1)
            if (reduce_valid_q[i]) begin
                reduce_copy_q[i+1]         <= reduce_copy_q[i];
                reduce_context_q[i*8 +: 8] <= reduce_context_q[i*8-8 +: 8];
                if (i > 1) reduce_row_q[i*12 +: 12] <= reduce_row_q[i*12-12 +: 12];
            end
        for (i = 1; i < LAST; i = i + 1)
            if (store_valid_q[i]) store_context_q[i*8 +: 8] <= store_context_q[i*8-8 +: 8];
        for (i = 2; i < DATA; i = i + 1)
            if (reduce_valid_q[i]) begin
                reduce_type_q[i*3 +: 3]    <= reduce_type_q[i*3-3 +: 3];
                reduce_op_q[i*3 +: 3]      <= reduce_op_q[i*3-3 +: 3];
                reduce_scale_q[i*37 +: 37] <= reduce_scale_q[i*37-37 +: 37];
            end
        if (take_store) begin
            store_context_q[7:0] <= s_head_context[store_link*8 +: 8];
            store_mark_q         <= s_head_mark[store_link*8 +: 8];
            store_link_q         <= store_link;
        end
        if (store_valid_q[1]) store_row_q <= s_store_target[store_fsm*12 +: 12];
        for (i = 2; i < 2 * SENT; i = i + 1)        // of two pipes
            if (send_valid_q[i-2]) begin
                send_link_q[i*3 +: 3]    <= send_link_q[i*3-6 +: 3];
                send_context_q[i*8 +: 8] <= send_context_q[i*8-16 +: 8];
                send_reduce_q[i]         <= send_reduce_q[i-2];
                send_zero_q[i]           <= send_zero_q[i-2];
                send_mark_q[i*8 +: 8]    <= send_mark_q[i*8-16 +: 8];
                send_peer_q[i*8 +: 8]    <= send_peer_q[i*8-16 +: 8];
            end
        if (send_plus) begin
            send_link_q[2:0]    <= plus_link;
            send_bank_q[1:0]    <= plus_context[1:0];
            send_row_q[11:0]    <= plus_row;
            send_context_q[7:0] <= plus_context;
            send_reduce_q[0]    <= plus_reduce;
            send_zero_q[0]      <= plus_zero;
            send_mark_q[7:0]    <= plus_mark;
            send_peer_q[7:0]    <= plus_peer;
        end
        if (send_minus) begin
            send_link_q[5:3]     <= minus_link;
            send_bank_q[3:2]     <= minus_context[1:0];
            send_row_q[23:12]    <= minus_row;
            send_context_q[15:8] <= minus_context;
            send_reduce_q[1]     <= minus_reduce;
            send_zero_q[1]       <= minus_zero;
            send_mark_q[15:8]    <= minus_mark;
            send_peer_q[15:8]    <= minus_peer;
        end
    end

    assign idle = reduce_valid_q == {DONE{1'b0}} && store_valid_q == {LAST{1'b0}} && send_valid_q == {2*SENT{1'b0}} &&
                  queue_any_q == {QUEUES{1'b0}} && load_waits_q == 4'd0 && s_send_valid == {FSMS{1'b0}};

    // ---- every cycle of a pipe in one class: nothing starves these, they hold no work ----
    ace_cycle_classes u_reduce (
        .clk(clk), .rst(rst), .busy(issue_reduce), .blocked(1'b0), .starved(1'b0), .count(count_reduce)
    );
    ace_cycle_classes u_store (.clk(clk), .rst(rst), .busy(take_store),
                               .blocked(|(s_head_valid & ~s_head_reduce)), .starved(1'b0), .count(count_store));
    ace_cycle_classes u_plus (.clk(clk), .rst(rst), .busy(send_plus),
                              .blocked(|(queue_any_q & ~waits_minus)), .starved(1'b0), .count(count_send_plus));
    ace_cycle_classes u_minus (.clk(clk), .rst(rst), .busy(send_minus),
                               .blocked(|waits_minus), .starved(1'b0), .count(count_send_minus));

endmodule

`default_nettype wire

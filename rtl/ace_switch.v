// SPDX-License-Identifier: Apache-2.0
//
// ace_switch -- decides each cycle who uses the banks, the ALUs and the links
//
//   heads, copies ---> reduce pipe   read, 6 ALU stages, write     latency 9
//   heads -----------> store pipe    write                         latency 1
//   FSM requests ----> send pipes    read, to a link: one for + links, one for -
//   DMAs ------------> one row read, one row written
//
// Each bank reads one row and writes one row a cycle.  Reads: reduce before the sends
// before the RX DMA.  Writes: a reduction reserves its slot when it starts, a store
// takes what is left, the TX DMA the rest.
//
// Contract
//   Grants      combinational from state; every winner is used in the same cycle.
//   Written     a received row is reported written 10 cycles after it was taken by
//               either pipe, so rows of a context are reported in order.
//   Fairness    links take turns in each receive pipe, phases in each send pipe.
//   Order       of the FSMs of a phase that would send for even chunks, or for odd ones, those
//               in the middle of a piece that goes on are first, and among like ones the one with
//               the oldest chunk: while rows are there chunks follow each other in whole pieces,
//               in a pattern that settles, and a piece whose next row is still to come holds
//               nobody up.
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
    output wire [FSMS-1:0]    m_send_take,
    input  wire [FSMS-1:0]    s_copy_valid,
    input  wire [FSMS*5-1:0]  s_copy_index,
    input  wire [FSMS*12-1:0] s_copy_source,
    input  wire [FSMS*12-1:0] s_copy_target,
    output wire [FSMS-1:0]    m_copy_take,

    // Lookup of the received rows' places
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
    output wire               m_load_grant,
    input  wire               s_unload_valid,
    input  wire [1:0]         s_unload_bank,
    output wire               m_unload_grant,

    // Reads of the scratchpad, this cycle
    output wire               m_read_reduce_valid,
    output wire [1:0]         m_read_reduce_bank,
    output wire [11:0]        m_read_reduce_row,
    output wire [1:0]         m_read_send_valid,    // bit 0: + links   bit 1: - links
    output wire [3:0]         m_read_send_bank,
    output wire [23:0]        m_read_send_row,

    // The reduce pipe: the row that was popped in the last cycle, and what is beside the ALUs
    output wire               m_arrived_valid,
    output wire [2:0]         m_arrived_link,
    output wire               m_alu_valid,          // operands are there
    output wire               m_alu_copy,
    output wire               m_alu_zero,           // the local operand is padding
    output wire [2:0]         m_alu_type,
    output wire [2:0]         m_alu_op,
    output wire [36:0]        m_alu_scale,
    output wire               m_write_reduce_valid, // result is there
    output wire [1:0]         m_write_reduce_bank,
    output wire [11:0]        m_write_reduce_row,
    output wire               m_write_store_valid,
    output wire [2:0]         m_write_store_link,
    output wire [1:0]         m_write_store_bank,
    output wire [11:0]        m_write_store_row,

    // To the links, with the row that was read
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
    output wire               idle                  // the pipes are empty and nobody asks
);

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
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
    localparam [31:0] LAST_FSM  = FSMS - 1;
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
    /* verilator lint_on UNUSEDSIGNAL */

    // First set bit at or after `from`.
    function [2:0] turn_link;
        input [LINKS-1:0] request;
        input [2:0]       from;
        integer           n;
        reg   [3:0]       at;
        begin
            turn_link = 3'd0;
            for (n = LINKS - 1; n >= 0; n = n - 1) begin
                at = {1'b0, from} + n[3:0];
                if (at > LAST_LINK[3:0]) at = at - LAST_LINK[3:0] - 4'd1;
                if (request[at[2:0]]) turn_link = at[2:0];
            end
        end
    endfunction

    function [FSM_W-1:0] turn_fsm;
        input [FSMS-1:0]  request;
        input [FSM_W-1:0] from;
        integer           n;
        reg   [FSM_W:0]   at;
        begin
            turn_fsm = {FSM_W{1'b0}};
            for (n = FSMS - 1; n >= 0; n = n - 1) begin
                at = {1'b0, from} + n[FSM_W:0];
                if (at > LAST_FSM[FSM_W:0]) at = at - LAST_FSM[FSM_W:0] - 1'b1;
                if (request[at[FSM_W-1:0]]) turn_fsm = at[FSM_W-1:0];
            end
        end
    endfunction

    // The next of them.
    function [FSM_W-1:0] after_fsm;
        input [FSM_W-1:0] fsm;
        after_fsm = fsm == LAST_FSM[FSM_W-1:0] ? {FSM_W{1'b0}} : fsm + 1'b1;
    endfunction

    function [2:0] after_link;
        input [2:0] link;
        after_link = link == LAST_LINK[2:0] ? 3'd0 : link + 3'd1;
    endfunction

    // ---- pipe registers: of stage n, what was taken n cycles ago ----
    localparam READ = 3;            // stage in which a row that was read is there
    localparam DONE = READ + 6;     // that in which the ALUs' result is
    localparam LAST = DONE + 1;     // and that from which on who is told may read it in the next cycle
    reg [LAST:1]      reduce_valid_q, reduce_copy_q, store_valid_q;
    reg [8*LAST-1:0]  reduce_context_q, store_context_q;
    reg [12*DONE-1:0] reduce_row_q;
    reg [READ:1]      reduce_zero_q;
    reg [3*READ-1:0]  reduce_type_q, reduce_op_q;
    reg [2:0]         reduce_link_q;
    reg [37*READ-1:0] reduce_scale_q;
    reg [11:0]        store_row_q;
    reg [2:0]         store_link_q;
    // and of each send pipe
    reg [2*READ-1:0]  send_valid_q, send_reduce_q, send_zero_q;
    reg [6*READ-1:0]  send_link_q;
    reg [16*READ-1:0] send_context_q, send_mark_q, send_peer_q;
    wire [1:0] done_bank = reduce_context_q[8*DONE-8 +: 2];
    wire [7:0] last_context = reduce_context_q[8*LAST-1 -: 8];
    wire [7:0] last_stored  = store_context_q[8*LAST-1 -: 8];
    reg [2:0]  reduce_turn_q, store_turn_q;
    reg [FSM_W-1:0] plus_turn_q, minus_turn_q;

    // ---- reduce pipe: a received row first, else a copy ----
    wire [LINKS-1:0] want_reduce = s_head_valid & s_head_reduce;
    wire       take_reduce = |want_reduce;
    wire [2:0] reduce_link = turn_link(want_reduce, reduce_turn_q);
    wire [7:0] reduce_context = s_head_context[reduce_link*8 +: 8];
    wire [FSM_W-1:0] reduce_fsm = fsm_of(reduce_context);
    wire       take_copy = !take_reduce && |s_copy_valid;
    wire [FSM_W-1:0] copy_fsm = turn_fsm(s_copy_valid, {FSM_W{1'b0}});
    wire [7:0] copy_context;
    wire       issue_reduce = take_reduce || take_copy;
    assign copy_context = context_of(copy_fsm, s_copy_index[copy_fsm*5 +: 5]);
    wire [7:0] issue_context = take_reduce ? reduce_context : copy_context;

    assign m_reduce_index = reduce_context[4:0];
    assign m_reduce_mark  = s_head_mark[reduce_link*8 +: 8];
    assign m_read_reduce_valid = issue_reduce;
    assign m_read_reduce_bank  = issue_context[1:0];
    assign m_read_reduce_row   = take_reduce ? s_reduce_source[reduce_fsm*12 +: 12] : s_copy_source[copy_fsm*12 +: 12];

    // ---- store pipe: writes next cycle, when the reduction now in the stage before its result does ----
    wire [LINKS-1:0] want_store;
    wire        take_store, send_plus, send_minus;
    wire [2:0]  store_link, plus_link, minus_link;
    wire [FSM_W-1:0] plus_fsm, minus_fsm;
    genvar l;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_link
            assign want_store[l] = s_head_valid[l] && !s_head_reduce[l] &&
                                   !(reduce_valid_q[DONE-1] &&
                                     reduce_context_q[8*DONE-16 +: 2] == s_head_context[l*8 +: 2]);
            assign m_head_pop[l] = (take_reduce && reduce_link == l) || (take_store && store_link == l);
            assign m_reserve[l] = (send_plus && plus_link == l) || (send_minus && minus_link == l);
        end
    endgenerate
    assign take_store = |want_store;
    assign store_link = turn_link(want_store, store_turn_q);
    wire [7:0] store_context = s_head_context[store_link*8 +: 8];
    wire [FSM_W-1:0] store_fsm = fsm_of(store_context);
    assign m_store_index = store_context[4:0];
    assign m_store_mark  = s_head_mark[store_link*8 +: 8];

    // ---- DMAs ----
    assign m_unload_grant = s_unload_valid && !(issue_reduce && m_read_reduce_bank == s_unload_bank) &&
                            !(send_plus && m_read_send_bank[1:0] == s_unload_bank) &&
                            !(send_minus && m_read_send_bank[3:2] == s_unload_bank);
    assign m_load_grant   = s_load_valid && !(reduce_valid_q[DONE] && done_bank == s_load_bank) &&
                                            !(store_valid_q[1] && store_context_q[1:0] == s_load_bank);

    // ---- send pipes: even links go up their ring, odd ones down ----
    wire [FSMS-1:0] asks, asks_minus, want_plus, want_minus;
    wire [FSMS*5-1:0] ages;             // chunks of the phase that are older, or a wrap more
    genvar f, s;
    generate
        for (f = 0; f < FSMS; f = f + 1) begin : g_fsm
            localparam P = f / PER_PHASE;
            wire [1:0] bank  = s_send_index[f*5 +: 2];
            wire       down  = s_send_link[f*3];
            wire       odd   = s_send_index[f*5];
            wire       begun = odd ? s_send_begun[f*2+1] : s_send_begun[f*2];
            wire       unused = &{1'b0, begun};     // by a phase with one FSM
            wire [PER_PHASE-1:0] yields;
            assign ages[f*5 +: 5] = s_send_index[f*5 +: 5] - s_oldest[P*5 +: 5];
            for (s = 0; s < PER_PHASE; s = s + 1) begin : g_other
                localparam G = P * PER_PHASE + s;
                if (G == f) begin : g_self
                    assign yields[s] = 1'b0;
                end else begin : g_sibling
                    wire its = odd ? s_send_begun[G*2+1] : s_send_begun[G*2];
                    assign yields[s] = its == begun ? s_send_valid[G] && s_send_index[G*5] == odd &&
                                                      ages[G*5 +: 5] < ages[f*5 +: 5]
                                                    : its;
                end
            end
            assign asks[f]        = s_send_valid[f] && yields == {PER_PHASE{1'b0}};
            assign asks_minus[f]  = down;
            wire free = asks[f] && !(issue_reduce && m_read_reduce_bank == bank);
            assign want_plus[f]   = free && !down;
            // as a rule odd chunks go down and live in odd banks: then both pipes can read
            assign want_minus[f]  = free && down && !(send_plus && m_read_send_bank[1:0] == bank);
            assign m_send_take[f] = (send_plus && plus_fsm == f) || (send_minus && minus_fsm == f);
            assign m_copy_take[f] = take_copy && copy_fsm == f;
            assign m_reduce_take[f] = take_reduce && reduce_fsm == f;
            assign m_store_take[f]  = take_store && store_fsm == f;
            assign m_reduced_valid[f] = reduce_valid_q[LAST] && fsm_of(last_context) == f;
            assign m_stored_valid[f]  = store_valid_q[LAST] && fsm_of(last_stored) == f;
        end
    endgenerate
    wire unused = &{1'b0, ages};        // by a phase with one FSM
    assign send_plus  = |want_plus;
    assign send_minus = |want_minus;
    assign plus_fsm   = turn_fsm(want_plus, plus_turn_q);
    assign minus_fsm  = turn_fsm(want_minus, minus_turn_q);
    assign plus_link  = s_send_link[plus_fsm*3 +: 3];
    assign minus_link = s_send_link[minus_fsm*3 +: 3];

    assign m_read_send_valid = {send_minus, send_plus};
    assign m_read_send_bank  = {s_send_index[minus_fsm*5 +: 2], s_send_index[plus_fsm*5 +: 2]};
    assign m_read_send_row   = {s_send_row[minus_fsm*12 +: 12], s_send_row[plus_fsm*12 +: 12]};

    assign m_arrived_valid = reduce_valid_q[1] && !reduce_copy_q[1];
    assign m_arrived_link  = reduce_link_q;
    assign m_alu_valid = reduce_valid_q[READ];
    assign m_alu_copy  = reduce_copy_q[READ];
    assign m_alu_zero  = reduce_zero_q[READ];
    assign m_alu_type  = reduce_type_q[3*READ-1 -: 3];
    assign m_alu_op    = reduce_op_q[3*READ-1 -: 3];
    assign m_alu_scale = reduce_scale_q[37*READ-1 -: 37];
    assign m_write_reduce_valid = reduce_valid_q[DONE];
    assign m_write_reduce_bank  = done_bank;
    assign m_write_reduce_row   = reduce_row_q[12*DONE-1 -: 12];
    assign m_write_store_valid  = store_valid_q[1];
    assign m_write_store_link   = store_link_q;
    assign m_write_store_bank   = store_context_q[1:0];
    assign m_write_store_row    = store_row_q;
    assign m_reduced_copy  = reduce_copy_q[LAST];
    assign m_reduced_index = last_context[4:0];
    assign m_stored_index  = last_stored[4:0];
    assign m_out_valid   = send_valid_q[2*READ-1 -: 2];
    assign m_out_link    = send_link_q[6*READ-1 -: 6];
    assign m_out_context = send_context_q[16*READ-1 -: 16];
    assign m_out_reduce  = send_reduce_q[2*READ-1 -: 2];
    assign m_out_zero    = send_zero_q[2*READ-1 -: 2];
    assign m_out_mark    = send_mark_q[16*READ-1 -: 16];
    assign m_out_peer    = send_peer_q[16*READ-1 -: 16];

    always @(posedge clk) begin
        if (rst) begin
            reduce_valid_q <= {LAST{1'b0}};
            store_valid_q  <= {LAST{1'b0}};
            send_valid_q   <= {2*READ{1'b0}};
            reduce_turn_q <= 3'd0;
            store_turn_q  <= 3'd0;
            plus_turn_q   <= {FSM_W{1'b0}};
            minus_turn_q  <= {FSM_W{1'b0}};
        end else begin
            reduce_valid_q <= {reduce_valid_q[LAST-1:1], issue_reduce};
            store_valid_q  <= {store_valid_q[LAST-1:1], take_store};
            send_valid_q   <= {send_valid_q[2*READ-3:0], send_minus, send_plus};
            if (take_reduce) reduce_turn_q <= after_link(reduce_link);
            if (take_store)  store_turn_q  <= after_link(store_link);
            if (send_plus)   plus_turn_q   <= after_fsm(plus_fsm);
            if (send_minus)  minus_turn_q  <= after_fsm(minus_fsm);
        end
    end

    // A stage takes what is in the one before, when something is.
    integer i;
    always @(posedge clk) begin
        if (issue_reduce) begin
            reduce_copy_q[1]      <= take_copy;
            reduce_context_q[7:0] <= issue_context;
            reduce_row_q[11:0]    <= take_reduce ? s_reduce_target[reduce_fsm*12 +: 12]
                                                 : s_copy_target[copy_fsm*12 +: 12];
            reduce_zero_q[1]      <= take_reduce && s_reduce_zero[reduce_fsm];
            reduce_type_q[2:0]    <= s_reduce_type[reduce_fsm*3 +: 3];
            reduce_op_q[2:0]      <= s_reduce_op[reduce_fsm*3 +: 3];
            reduce_scale_q[36:0]  <= s_reduce_scale[reduce_fsm*37 +: 37];
            reduce_link_q         <= reduce_link;
        end
        for (i = 1; i < LAST; i = i + 1) begin
            if (reduce_valid_q[i]) begin
                reduce_copy_q[i+1]         <= reduce_copy_q[i];
                reduce_context_q[i*8 +: 8] <= reduce_context_q[i*8-8 +: 8];
                if (i < DONE) reduce_row_q[i*12 +: 12] <= reduce_row_q[i*12-12 +: 12];
            end
            if (store_valid_q[i]) store_context_q[i*8 +: 8] <= store_context_q[i*8-8 +: 8];
        end
        for (i = 1; i < READ; i = i + 1)
            if (reduce_valid_q[i]) begin
                reduce_zero_q[i+1]         <= reduce_zero_q[i];
                reduce_type_q[i*3 +: 3]    <= reduce_type_q[i*3-3 +: 3];
                reduce_op_q[i*3 +: 3]      <= reduce_op_q[i*3-3 +: 3];
                reduce_scale_q[i*37 +: 37] <= reduce_scale_q[i*37-37 +: 37];
            end
        if (take_store) begin
            store_context_q[7:0] <= store_context;
            store_link_q         <= store_link;
            store_row_q          <= s_store_target[store_fsm*12 +: 12];
        end
        for (i = 2; i < 2 * READ; i = i + 1)        // of two pipes
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
            send_context_q[7:0] <= context_of(plus_fsm, s_send_index[plus_fsm*5 +: 5]);
            send_reduce_q[0]    <= s_send_reduce[plus_fsm];
            send_zero_q[0]      <= s_send_zero[plus_fsm];
            send_mark_q[7:0]    <= s_send_mark[plus_fsm*8 +: 8];
            send_peer_q[7:0]    <= s_send_peer[plus_fsm*8 +: 8];
        end
        if (send_minus) begin
            send_link_q[5:3]     <= minus_link;
            send_context_q[15:8] <= context_of(minus_fsm, s_send_index[minus_fsm*5 +: 5]);
            send_reduce_q[1]     <= s_send_reduce[minus_fsm];
            send_zero_q[1]       <= s_send_zero[minus_fsm];
            send_mark_q[15:8]    <= s_send_mark[minus_fsm*8 +: 8];
            send_peer_q[15:8]    <= s_send_peer[minus_fsm*8 +: 8];
        end
    end

    assign idle = reduce_valid_q == {LAST{1'b0}} && store_valid_q == {LAST{1'b0}} && send_valid_q == {2*READ{1'b0}} &&
                  asks == 0;

    // ---- every cycle of a pipe in one class: nothing starves these, they hold no work ----
    ace_cycle_classes u_reduce (
        .clk(clk), .rst(rst), .busy(issue_reduce), .blocked(1'b0), .starved(1'b0), .count(count_reduce)
    );
    ace_cycle_classes u_store (.clk(clk), .rst(rst), .busy(take_store),
                               .blocked(|(s_head_valid & ~s_head_reduce)), .starved(1'b0), .count(count_store));
    ace_cycle_classes u_plus (.clk(clk), .rst(rst), .busy(send_plus),
                              .blocked(|(asks & ~asks_minus)), .starved(1'b0), .count(count_send_plus));
    ace_cycle_classes u_minus (.clk(clk), .rst(rst), .busy(send_minus),
                               .blocked(|(asks & asks_minus)), .starved(1'b0), .count(count_send_minus));

endmodule

`default_nettype wire

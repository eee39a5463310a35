// SPDX-License-Identifier: Apache-2.0
//
// ace_fsm -- runs the program of a phase for a few chunks at a time
//
//   s_admit ---> contexts ---> m_send    read a row, give it to a link
//   s_grant --->  |  ^   ----> m_copy    move an owned row to the target block
//   cfg_program --+  |   ----> m_grant   tell a peer that this node is ready to receive
//                    +-------- m_reduce, m_store   where a received row goes
//                    +-------> m_context_done
//
// A context has two threads: one walks the pieces to send, the other those to receive.  What
// an instruction says is in rtl/program.list.  A piece is rows of the block, one after the
// other; a link keeps order and a context receives from one peer at a time, so the receiver
// counts rows, and a packet names its context and nothing else.  A context sends a piece only
// after its peer has granted it: the peer then holds the chunk, room for the result and
// nothing half received, and whatever it receives it can sink.
//
// Contract
//   Requests    m_send and m_copy depend on state and s_link_room alone; a strobe moves
//               them on.  Of the contexts of even chunks, or of odd ones, those in the middle of
//               a piece go first, while they have a row to send; else the oldest that can asks.
//   Grants      m_grant holds until s_grant_take.  On a ring the peer is the neighbour, and 0
//               stands for it.  No peer grants a context again before it has received what
//               it granted before, so a bit for each peer remembers.
//   Lookups     m_reduce_* and m_store_* describe the next row of the context named
//               by s_reduce_index and s_store_index in the same cycle.
//   Reset       rst is synchronous, active high; contexts and grants are forgotten.
//   Twin        cmodel/twin/ace_fsm.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_fsm_test.cc).

`include "ace_program_fields.vh"

`default_nettype none

(* mem2reg *)     // Yosys: the contexts are registers
module ace_fsm #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter PHASE    = 0,     // phase it is bound to, 0..DIMENSIONS
    parameter INDEX    = 0,     // its place among the FSMs of the phase
    parameter FSMS     = 4,     // FSMs of the phase: 1, 2 or 4
    parameter CONTEXTS = 4      // chunks it holds: 2, 4 or 8
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [4095:0] cfg_program,       // 128 words, see rtl/program.list
    input  wire [DIMENSIONS-1:0] cfg_hub,   // dimensions that are no rings
    input  wire [11:0] cfg_source_end,      // last row of the source partition, and its size
    input  wire [11:0] cfg_source_rows,
    input  wire [11:0] cfg_target_end,
    input  wire [11:0] cfg_target_rows,

    input  wire        s_admit_valid,       // for the phase and index given, which may not be ours
    input  wire        s_release_valid,
    input  wire [2:0]  s_context_phase,
    input  wire [4:0]  s_context_index,
    input  wire [1:0]  s_admit_kind,        // 1 reduce-scatter 2 all-reduce 3 all-gather
    input  wire [1:0]  s_admit_dim,
    input  wire [7:0]  s_admit_ring,        // members of the dimension
    input  wire [7:0]  s_admit_rank,
    input  wire [10:0] s_admit_shard,
    input  wire [10:0] s_admit_valids,
    input  wire [11:0] s_admit_source_row,
    input  wire [11:0] s_admit_target_row,
    input  wire [2:0]  s_admit_type,
    input  wire [2:0]  s_admit_op,
    input  wire [36:0] s_admit_scale,
    input  wire [7:0]  s_admit_mark,

    input  wire [2*DIMENSIONS-1:0]  s_grant_valid,      // a bit a link
    input  wire [16*DIMENSIONS-1:0] s_grant_context,    // {phase, index}
    input  wire [16*DIMENSIONS-1:0] s_grant_peer,       // who grants
    output wire        m_grant_valid,
    output wire [2:0]  m_grant_link,
    output wire [4:0]  m_grant_index,
    output wire [7:0]  m_grant_peer,
    output wire [7:0]  m_grant_mark,
    input  wire        s_grant_take,

    input  wire [2*DIMENSIONS-1:0] s_link_room,
    output wire        m_send_valid,
    output wire [2:0]  m_send_link,
    output wire [4:0]  m_send_index,
    output wire [11:0] m_send_row,
    output wire        m_send_zero,         // padding: zeros go out
    output wire        m_send_reduce,
    output wire [7:0]  m_send_mark,
    output wire [7:0]  m_send_peer,
    output wire [1:0]  m_send_begun,        // a piece goes on, bit 0: even chunks   bit 1: odd
    input  wire        s_send_take,

    output wire        m_copy_valid,
    output wire [4:0]  m_copy_index,
    output wire [11:0] m_copy_source,
    output wire [11:0] m_copy_target,
    input  wire        s_copy_take,

    input  wire [4:0]  s_reduce_index,
    input  wire [7:0]  s_reduce_mark,       // the chunk that the packet belongs to
    output wire [11:0] m_reduce_source,
    output wire        m_reduce_zero,
    output wire [11:0] m_reduce_target,
    output wire [2:0]  m_reduce_type,
    output wire [2:0]  m_reduce_op,         // an average is a sum until the last reduction
    output wire [36:0] m_reduce_scale,      // 0 where it is not wanted
    input  wire        s_reduce_take,

    input  wire [4:0]  s_store_index,
    input  wire [7:0]  s_store_mark,
    output wire [11:0] m_store_target,
    input  wire        s_store_take,

    // Rows written: what they unlock
    input  wire        s_reduced_valid,
    input  wire        s_reduced_copy,
    input  wire [4:0]  s_reduced_index,
    input  wire        s_stored_valid,
    input  wire [4:0]  s_stored_index,

    output wire [CONTEXTS-1:0] m_context_done,
    output wire        m_mismatch           // a packet belongs to another chunk than ours
);

    localparam FSM_W = $clog2(FSMS);
    localparam W = $clog2(CONTEXTS);
    localparam [15:0] ODD = 16'hAAAA;
    localparam [1:0] REDUCE_SCATTER = 2'd1;
    localparam [1:0] OP_END = `ACE_PROGRAM_OP_END;
    localparam [1:0] LOOP_ONCE = `ACE_PROGRAM_LOOP_ONCE, LOOP_UP = `ACE_PROGRAM_LOOP_UP;
    localparam [1:0] LOOP_HALVE = `ACE_PROGRAM_LOOP_HALVE;
    localparam [1:0] AHEAD = `ACE_PROGRAM_AHEAD, XOR = `ACE_PROGRAM_XOR, MEMBER = `ACE_PROGRAM_MEMBER;
    localparam [1:0] SHARD = `ACE_PROGRAM_SHARD, SHARDS = `ACE_PROGRAM_SHARDS;
    localparam [1:0] WAIT_ROWS = `ACE_PROGRAM_WAIT_ROWS, WAIT_STEP = `ACE_PROGRAM_WAIT_STEP;
    localparam [1:0] WAIT_BEGIN = `ACE_PROGRAM_WAIT_BEGIN;
    localparam [1:0] GRANT_EACH = `ACE_PROGRAM_GRANT_EACH, GRANT_FIRST = `ACE_PROGRAM_GRANT_FIRST;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (PHASE < 0 || PHASE > DIMENSIONS) begin : g_illegal_phase PHASE_must_be_0_to_DIMENSIONS stop (); end
        if (FSMS != 1 && FSMS != 2 && FSMS != 4) begin : g_illegal_fsms FSMS_must_be_1_2_or_4 stop (); end
        if (INDEX < 0 || INDEX >= FSMS) begin : g_illegal_index INDEX_must_be_0_to_FSMS_less_1 stop (); end
        if (CONTEXTS != 2 && CONTEXTS != 4 && CONTEXTS != 8) begin : g_illegal_contexts
            CONTEXTS_must_be_2_4_or_8 stop ();
        end
    endgenerate

    // What a context was admitted with
    reg [1:0]          kind_q    [0:CONTEXTS-1];
    reg [1:0]          dim_q     [0:CONTEXTS-1];
    reg [7:0]          ring_q    [0:CONTEXTS-1];
    reg [7:0]          rank_q    [0:CONTEXTS-1];
    reg                up_q      [0:CONTEXTS-1];    // "ahead" is up the dimension
    reg [10:0]         shard_q   [0:CONTEXTS-1];
    reg [10:0]         valids_q  [0:CONTEXTS-1];
    reg [11:0]         source_q  [0:CONTEXTS-1];
    reg [11:0]         target_q  [0:CONTEXTS-1];
    reg [2:0]          type_q    [0:CONTEXTS-1];
    reg [2:0]          op_q      [0:CONTEXTS-1];
    reg [36:0]         scale_q   [0:CONTEXTS-1];
    reg [7:0]          mark_q    [0:CONTEXTS-1];
    reg [11:0]         own_q     [0:CONTEXTS-1];
    // Its threads: {end, first turn of the loop, place in the program, k, instruction}
    reg                valid_q   [0:CONTEXTS-1];
    reg [48:0]         send_q    [0:CONTEXTS-1];
    reg [48:0]         receive_q [0:CONTEXTS-1];
    // The piece to send: its rows, how many are sent, where the next one is, what it waits for
    reg [11:0]         send_rows_q   [0:CONTEXTS-1];
    reg [11:0]         send_row_q    [0:CONTEXTS-1];
    reg [11:0]         send_offset_q [0:CONTEXTS-1];
    reg [11:0]         base_q    [0:CONTEXTS-1];
    reg [14:0]         bias_q    [0:CONTEXTS-1];
    reg                needs_q   [0:CONTEXTS-1];    // a grant
    reg [7:0]          peer_q    [0:CONTEXTS-1];
    // The piece to receive
    reg [11:0]         receive_rows_q   [0:CONTEXTS-1];
    reg [11:0]         receive_row_q    [0:CONTEXTS-1];
    reg [11:0]         receive_offset_q [0:CONTEXTS-1];
    reg                into_q    [0:CONTEXTS-1];    // sums go to the target
    reg                grant_q   [0:CONTEXTS-1];    // a grant is due
    reg [7:0]          from_q    [0:CONTEXTS-1];
    // Rows of all pieces
    reg [11:0]         sent_q    [0:CONTEXTS-1];
    reg [11:0]         received_q [0:CONTEXTS-1];
    reg [11:0]         written_q [0:CONTEXTS-1];
    reg [10:0]         copy_q    [0:CONTEXTS-1];    // owned rows on their way to the target
    reg [10:0]         copied_q  [0:CONTEXTS-1];
    reg [16*DIMENSIONS-1:0] granted_q [0:CONTEXTS-1];   // a bit a peer, 16 a dimension
    reg [CONTEXTS*3-1:0] link_q;                    // each context's way out: {dimension, down}
    // What follows from the above, in the same cycle: a bit a context
    reg [CONTEXTS-1:0] ready_q;                     // has a row to send, but for room at the link
    reg [CONTEXTS-1:0] begun_q;                     // has sent a part of a piece
    reg [CONTEXTS-1:0] copying_q;
    reg [CONTEXTS-1:0] granting_q;
    reg [CONTEXTS-1:0] done_q;
    reg [W-1:0]        oldest_q;                    // the next to be reused
    reg                mismatch_q;

    assign m_context_done = done_q;
    assign m_mismatch     = mismatch_q;

    // Context number of an index: the FSMs of a phase take chunks in turn.
    wire [W-1:0] at = s_context_index[FSM_W +: W];
    wire [W-1:0] rd = s_reduce_index[FSM_W +: W];
    wire [W-1:0] st = s_store_index[FSM_W +: W];
    wire [W-1:0] rw = s_reduced_index[FSM_W +: W];
    wire [W-1:0] sw = s_stored_index[FSM_W +: W];

    // Contexts of odd chunks: the FSMs of a phase take chunks in turn.
    wire [CONTEXTS-1:0] odd = FSMS == 1 ? ODD[CONTEXTS-1:0] : {CONTEXTS{INDEX[0]}};

    // The row of a partition that a sum of row and offset names.
    function [11:0] wrap;
        input [12:0] sum;
        input [11:0] last;
        input [11:0] rows;
        wrap = sum > {1'b0, last} ? sum[11:0] - rows : sum[11:0];
    endfunction

    // ---- who sends ----
    // Here and below an answer is 0 while nobody asks for it: most FSMs rest in most
    // cycles, and a simulator then evaluates a condition and not the answer.
    reg [CONTEXTS-1:0] can_send;
    reg [1:0]          begun;
    integer            b, c;
    always @(*) begin
        begun = 2'd0;
        if (ready_q != {CONTEXTS{1'b0}})
            for (b = 0; b < CONTEXTS; b = b + 1)
                if (ready_q[b] && begun_q[b]) begun[odd[b]] = 1'b1;
    end
    always @(*) begin
        can_send = {CONTEXTS{1'b0}};
        if (ready_q != {CONTEXTS{1'b0}})
            for (c = 0; c < CONTEXTS; c = c + 1)
                can_send[c] = ready_q[c] && (begun_q[c] || !begun[odd[c]]) &&
                              s_link_room[link_q[c*3 +: 3]];
    end
    assign m_send_begun = begun;

    reg [W-1:0] tx, tx_probe;
    integer     j;
    always @(*) begin
        tx       = oldest_q;
        tx_probe = oldest_q;
        if (m_send_valid)
            for (j = CONTEXTS - 1; j >= 0; j = j - 1) begin
                tx_probe = oldest_q + j[W-1:0];
                if (can_send[tx_probe]) tx = tx_probe;
            end
    end

    wire [4:0]  tx_wide = {{(5-W){1'b0}}, tx};
    // {from the target, to reduce}
    wire [1:0]  tx_word   = m_send_valid ? send_q[tx][`ACE_PROGRAM_TARGET:`ACE_PROGRAM_REDUCE] : 2'd0;
    wire        tx_source = m_send_valid && !tx_word[1];
    wire        tx_hub    = m_send_valid ? cfg_hub[dim_q[tx]] : 1'b0;
    wire [12:0] tx_sum = m_send_valid ? {1'b0, tx_source ? source_q[tx] : target_q[tx]} +
                                        {1'b0, send_offset_q[tx]} : 13'd0;
    assign m_send_valid  = can_send != {CONTEXTS{1'b0}};
    assign m_send_link   = m_send_valid ? link_q[tx*3 +: 3] : 3'd0;
    assign m_send_index  = m_send_valid ? (tx_wide << FSM_W) | INDEX[4:0] : 5'd0;
    assign m_send_row    = wrap(tx_sum, tx_source ? cfg_source_end : cfg_target_end,
                                tx_source ? cfg_source_rows : cfg_target_rows);
    assign m_send_zero   = tx_source ? send_offset_q[tx] >= {1'b0, valids_q[tx]} : 1'b0;
    assign m_send_reduce = tx_word[0];
    assign m_send_mark   = m_send_valid ? mark_q[tx] : 8'd0;
    assign m_send_peer   = tx_hub ? peer_q[tx] : 8'd0;

    // ---- who copies ----
    reg [W-1:0] cp, cp_probe;
    integer     d;
    always @(*) begin
        cp       = oldest_q;
        cp_probe = oldest_q;
        if (m_copy_valid)
            for (d = CONTEXTS - 1; d >= 0; d = d - 1) begin
                cp_probe = oldest_q + d[W-1:0];
                if (copying_q[cp_probe]) cp = cp_probe;
            end
    end

    wire [4:0]  cp_wide   = {{(5-W){1'b0}}, cp};
    wire [12:0] cp_source = m_copy_valid ? {1'b0, source_q[cp]} + {2'd0, copy_q[cp]} : 13'd0;
    wire [11:0] cp_offset = m_copy_valid ? own_q[cp] + {1'b0, copy_q[cp]} : 12'd0;
    wire [12:0] cp_target = m_copy_valid ? {1'b0, target_q[cp]} + {1'b0, cp_offset} : 13'd0;
    assign m_copy_valid  = copying_q != {CONTEXTS{1'b0}};
    assign m_copy_index  = m_copy_valid ? (cp_wide << FSM_W) | INDEX[4:0] : 5'd0;
    assign m_copy_source = wrap(cp_source, cfg_source_end, cfg_source_rows);
    assign m_copy_target = wrap(cp_target, cfg_target_end, cfg_target_rows);

    // ---- who grants ----
    reg [W-1:0] gr, gr_probe;
    integer     a;
    always @(*) begin
        gr       = oldest_q;
        gr_probe = oldest_q;
        if (m_grant_valid)
            for (a = CONTEXTS - 1; a >= 0; a = a - 1) begin
                gr_probe = oldest_q + a[W-1:0];
                if (granting_q[gr_probe]) gr = gr_probe;
            end
    end

    wire [4:0] gr_wide = {{(5-W){1'b0}}, gr};
    wire       gr_hub  = m_grant_valid ? cfg_hub[dim_q[gr]] : 1'b0;
    assign m_grant_valid = granting_q != {CONTEXTS{1'b0}};
    assign m_grant_index = m_grant_valid ? (gr_wide << FSM_W) | INDEX[4:0] : 5'd0;
    assign m_grant_link  = m_grant_valid ? link_q[gr*3 +: 3] ^ {2'd0, !gr_hub} : 3'd0;  // on a ring it is behind
    assign m_grant_peer  = gr_hub ? from_q[gr] : 8'd0;
    assign m_grant_mark  = m_grant_valid ? mark_q[gr] : 8'd0;

    // ---- where a received row goes ----
    wire [12:0] rd_source = s_reduce_take ? {1'b0, source_q[rd]} + {1'b0, receive_offset_q[rd]} : 13'd0;
    wire        rd_last   = s_reduce_take ? into_q[rd] : 1'b0;      // reduced for good
    wire [12:0] rd_target = rd_last ? {1'b0, target_q[rd]} +
                                      {1'b0, kind_q[rd] == REDUCE_SCATTER ? receive_row_q[rd]
                                                                          : receive_offset_q[rd]} : 13'd0;
    assign m_reduce_source = wrap(rd_source, cfg_source_end, cfg_source_rows);
    assign m_reduce_zero   = s_reduce_take ? receive_offset_q[rd] >= {1'b0, valids_q[rd]} : 1'b0;
    assign m_reduce_target = rd_last ? wrap(rd_target, cfg_target_end, cfg_target_rows) : m_reduce_source;
    assign m_reduce_type   = type_q[rd];
    assign m_reduce_op     = op_q[rd] == AVERAGE && !rd_last ? SUM : op_q[rd];
    assign m_reduce_scale  = rd_last && op_q[rd] == AVERAGE ? scale_q[rd] : 37'd0;

    wire [12:0] st_target = s_store_take ? {1'b0, target_q[st]} + {1'b0, receive_offset_q[st]} : 13'd0;
    assign m_store_target = wrap(st_target, cfg_target_end, cfg_target_rows);

    // ---- a step of every context that something happens to ----
    // The place that x counts to from `rank`.
    function [7:0] place;
        input [1:0] mode;
        input [7:0] rank;
        input [7:0] x;
        input [7:0] n;
        input       up;
        reg   [8:0] sum;
        begin
            sum   = {1'b0, rank} + {1'b0, x};
            place = mode == MEMBER ? x : mode == XOR ? rank ^ x :
                    (mode == AHEAD) == up ? (sum >= {1'b0, n} ? sum[7:0] - n : sum[7:0])
                                          : (rank >= x ? rank - x : rank + n - x);
        end
    endfunction

    // lint: to each of these functions some fields of a thread do not matter
    /* verilator lint_off UNUSEDSIGNAL */
    function [48:0] begin_thread;           // with the instruction at pc
        input [6:0]  pc;
        input [31:0] word;
        input [7:0]  n;
        begin_thread = {word[`ACE_PROGRAM_OP] == OP_END, 1'b1, pc,
                        word[`ACE_PROGRAM_LOOP] == LOOP_ONCE  ? {1'b0, word[`ACE_PROGRAM_NUMBER]} :
                        word[`ACE_PROGRAM_LOOP] == LOOP_HALVE ? {1'b0, n[7:1]} : 8'd1, word};
    endfunction

    function last_turn;                     // of the loop
        input [48:0] thread;
        input [7:0]  n;
        reg   [7:0]  k;
        begin
            k = thread[39:32];
            last_turn = thread[`ACE_PROGRAM_LOOP] == LOOP_ONCE ||
                        (thread[`ACE_PROGRAM_LOOP] == LOOP_UP    ? {1'b0, k} + 9'd1 >= {1'b0, n} :
                         thread[`ACE_PROGRAM_LOOP] == LOOP_HALVE ? k <= 8'd1 : {k, 1'b0} >= {1'b0, n});
        end
    endfunction

    function [48:0] next_thread;
        input [48:0] thread;
        input [31:0] word;                  // the instruction behind its own
        input [7:0]  n;
        reg   [7:0]  k;
        begin
            k = thread[39:32];
            next_thread = last_turn(thread, n) ? begin_thread(thread[46:40] + 7'd1, word, n)
                        : {2'd0, thread[46:40],
                           thread[`ACE_PROGRAM_LOOP] == LOOP_UP    ? k + 8'd1 :
                           thread[`ACE_PROGRAM_LOOP] == LOOP_HALVE ? {1'b0, k[7:1]} : {k[6:0], 1'b0}, thread[31:0]};
        end
    endfunction

    function [7:0] peer_of;
        input [48:0] thread;
        input [7:0]  n;
        input [7:0]  rank;
        input        up;
        peer_of = place(thread[`ACE_PROGRAM_PEER], rank,
                        thread[`ACE_PROGRAM_PEER_K] ? thread[39:32] : {1'b0, thread[`ACE_PROGRAM_NUMBER]}, n, up);
    endfunction

    function [23:0] piece_of;               // {rows, first row}
        input [48:0] thread;
        input [7:0]  n;
        input [7:0]  rank;
        input        up;
        input [10:0] rows;                  // of a shard
        reg   [7:0]  k, shard, shards;
        begin
            k      = thread[39:32];
            shard  = place(thread[`ACE_PROGRAM_FROM], rank,
                           (thread[`ACE_PROGRAM_FROM_K] ? k : 8'd0) +
                           {{6{thread[`ACE_PROGRAM_ADD_SIGN]}}, thread[`ACE_PROGRAM_ADD]}, n, up);
            shards = thread[`ACE_PROGRAM_PIECE] == SHARD  ? 8'd1 :
                     thread[`ACE_PROGRAM_PIECE] == SHARDS ? k : n;
            shard  = thread[`ACE_PROGRAM_PIECE] == SHARD  ? shard :
                     thread[`ACE_PROGRAM_PIECE] == SHARDS ? shard & (~k + 8'd1) : 8'd0;
            piece_of = {{4'd0, shards} * {1'b0, rows}, {4'd0, shard} * {1'b0, rows}};
        end
    endfunction

    function needs_grant;
        input [48:0] thread;
        needs_grant = thread[`ACE_PROGRAM_GRANT] == GRANT_EACH ||
                      (thread[`ACE_PROGRAM_GRANT] == GRANT_FIRST && thread[47]);
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    wire ours  = s_context_phase == PHASE[2:0] &&
                 (s_context_index & (FSMS[4:0] - 5'd1)) == INDEX[4:0];
    wire stirs = s_send_take || s_copy_take || s_grant_take || s_reduce_take || s_store_take ||
                 s_reduced_valid || s_stored_valid || ((s_admit_valid || s_release_valid) && ours);
    // lint: of an entry only some fields matter
    /* verilator lint_off UNUSEDSIGNAL */
    wire [31:0] entry = cfg_program[{2'd0, s_context_index[0], s_admit_dim, s_admit_kind, 5'd0} +: 32];
    /* verilator lint_on UNUSEDSIGNAL */

    // The instructions that a context can come to in this cycle: a new chunk's, and the one behind
    // its own of who sends, adds or stores a row.  Selected here, not in each context.
    function [31:0] instruction;
        input [6:0] pc;
        instruction = cfg_program[pc*32 +: 32];
    endfunction
    wire [6:0] send_pc   = send_q[tx][46:40] + 7'd1;
    wire [6:0] reduce_pc = receive_q[rd][46:40] + 7'd1;
    wire [6:0] store_pc  = receive_q[st][46:40] + 7'd1;
    reg [31:0] first_send, first_receive, next_send, next_reduce, next_store;
    always @(*) begin
        first_send    = 32'd0;
        first_receive = 32'd0;
        next_send     = 32'd0;
        next_reduce   = 32'd0;
        next_store    = 32'd0;
        if (s_admit_valid && ours) begin
            first_send    = instruction(entry[`ACE_PROGRAM_ENTRY_SEND]);
            first_receive = instruction(entry[`ACE_PROGRAM_ENTRY_RECEIVE]);
        end
        if (s_send_take)   next_send   = instruction(send_pc);
        if (s_reduce_take) next_reduce = instruction(reduce_pc);
        if (s_store_take)  next_store  = instruction(store_pc);
    end

    integer i, n;
    always @(posedge clk) begin
        if ((s_reduce_take && s_reduce_mark != mark_q[rd]) || (s_store_take && s_store_mark != mark_q[st]))
            mismatch_q <= 1'b1;
        // The flags come from the next state, so in a cycle they cost no logic of their own.
        if (stirs || s_grant_valid != {2*DIMENSIONS{1'b0}}) begin : step
            reg                admits, releases, sends, copies, grants, receives, reduced, stored;
            reg                begins_send, begins_receive;
            reg [CONTEXTS-1:0] ready, part, copying, granting, done;
            reg [CONTEXTS*3-1:0] link;
            reg                valid, up, needs, into, grant, open;
            reg [1:0]          dim;
            reg [7:0]          ring, rank, peer, from;
            reg [10:0]         shard, copy, copied;
            reg [48:0]         send, receive;
            reg [11:0]         sent, send_rows, send_row, send_offset, base;
            reg [11:0]         received, written, receive_rows, receive_row, receive_offset;
            reg [14:0]         bias;
            reg [16*DIMENSIONS-1:0] granted;
            reg [5:0]          slot;

            link    = link_q;
            ready   = ready_q;
            part    = begun_q;
            copying = copying_q;
            granting = granting_q;
            done    = done_q;
            for (i = 0; i < CONTEXTS; i = i + 1) begin
                admits   = s_admit_valid && ours && at == i[W-1:0];
                releases = s_release_valid && ours && at == i[W-1:0];
                sends    = s_send_take && tx == i[W-1:0];
                copies   = s_copy_take && cp == i[W-1:0];
                grants   = s_grant_take && gr == i[W-1:0];
                receives = (s_reduce_take && rd == i[W-1:0]) || (s_store_take && st == i[W-1:0]);
                reduced  = s_reduced_valid && rw == i[W-1:0];
                stored   = s_stored_valid && sw == i[W-1:0];
                if (admits || releases || sends || copies || grants || receives || reduced || stored ||
                    s_grant_valid != {2*DIMENSIONS{1'b0}}) begin
                    valid   = valid_q[i];
                    granted = granted_q[i];
                    dim     = dim_q[i];
                    ring    = ring_q[i];
                    rank    = rank_q[i];
                    up      = up_q[i];
                    shard   = shard_q[i];
                    send    = send_q[i];
                    receive = receive_q[i];
                    sent    = sent_q[i];
                    send_rows   = send_rows_q[i];
                    send_row    = send_row_q[i];
                    send_offset = send_offset_q[i];
                    base        = base_q[i];
                    bias        = bias_q[i];
                    needs       = needs_q[i];
                    peer        = peer_q[i];
                    received    = received_q[i];
                    written     = written_q[i];
                    receive_rows   = receive_rows_q[i];
                    receive_row    = receive_row_q[i];
                    receive_offset = receive_offset_q[i];
                    into        = into_q[i];
                    grant       = grant_q[i];
                    from        = from_q[i];
                    copy    = copy_q[i];
                    copied  = copied_q[i];
                    begins_send    = admits;
                    begins_receive = admits;

                    if (s_grant_valid != {2*DIMENSIONS{1'b0}})
                        for (n = 0; n < 2 * DIMENSIONS; n = n + 1)
                            if (s_grant_valid[n] && s_grant_context[n*8+5 +: 3] == PHASE[2:0] &&
                                (s_grant_context[n*8 +: 5] & (FSMS[4:0] - 5'd1)) == INDEX[4:0] &&
                                s_grant_context[n*8 + FSM_W +: W] == i[W-1:0])
                                granted[(n/2)*16 + (cfg_hub[n/2] ? {28'd0, s_grant_peer[n*8 +: 4]} : 32'd0)] = 1'b1;
                    if (admits) begin
                        valid    = 1'b1;
                        dim      = s_admit_dim;
                        ring     = s_admit_ring;
                        rank     = s_admit_rank;
                        up       = !s_context_index[0] || entry[`ACE_PROGRAM_ENTRY_ONE_WAY];
                        shard    = s_admit_shard;
                        link[i*3 +: 3] = {dim, !up};
                        send     = begin_thread(entry[`ACE_PROGRAM_ENTRY_SEND], first_send, ring);
                        receive  = begin_thread(entry[`ACE_PROGRAM_ENTRY_RECEIVE], first_receive, ring);
                        sent     = 12'd0;
                        received = 12'd0;
                        written  = 12'd0;
                        copy     = 11'd0;
                        copied   = entry[`ACE_PROGRAM_ENTRY_COPY] ? 11'd0 : shard;
                    end
                    if (releases) valid = 1'b0;
                    if (sends) begin
                        slot        = {dim, cfg_hub[dim] ? peer[3:0] : 4'd0};
                        if (needs) granted[slot] = 1'b0;
                        needs       = 1'b0;
                        sent        = sent + 12'd1;
                        send_row    = send_row + 12'd1;
                        send_offset = send_offset + 12'd1;
                        begins_send = send_row == send_rows;
                        if (begins_send) send = next_thread(send, next_send, ring);
                    end
                    if (begins_send) begin
                        {send_rows, send_offset} = piece_of(send, ring, rank, up, shard);
                        send_row = 12'd0;
                        needs    = needs_grant(send);
                        peer     = peer_of(send, ring, rank, up);
                        base     = send[`ACE_PROGRAM_WAIT] == WAIT_STEP ||
                                   (send[`ACE_PROGRAM_WAIT] == WAIT_BEGIN && send[47]) ? sent :
                                   send[`ACE_PROGRAM_WAIT] == WAIT_BEGIN ? base : 12'd0;
                        bias     = {{12{send[`ACE_PROGRAM_BIAS_SIGN]}}, send[`ACE_PROGRAM_BIAS]} * {3'd0, send_rows};
                    end
                    if (copies) copy = copy + 11'd1;
                    if (grants) grant = 1'b0;
                    if (receives) begin
                        received       = received + 12'd1;
                        receive_row    = receive_row + 12'd1;
                        receive_offset = receive_offset + 12'd1;
                        begins_receive = receive_row == receive_rows;
                        if (begins_receive)
                            receive = next_thread(receive,
                                                  s_reduce_take && rd == i[W-1:0] ? next_reduce : next_store, ring);
                    end
                    if (begins_receive) begin
                        {receive_rows, receive_offset} = piece_of(receive, ring, rank, up, shard);
                        receive_row = 12'd0;
                        into        = receive[`ACE_PROGRAM_TARGET] ||
                                      (receive[`ACE_PROGRAM_LAST] && last_turn(receive, ring));
                        grant       = needs_grant(receive) && !receive[48];
                        from        = peer_of(receive, ring, rank, up);
                    end
                    if (reduced) begin
                        if (s_reduced_copy) copied  = copied + 11'd1;
                        else                written = written + 12'd1;
                    end
                    if (stored) written = written + 12'd1;

                    slot = {dim, cfg_hub[dim] ? peer[3:0] : 4'd0};
                    open = send[`ACE_PROGRAM_WAIT] == WAIT_ROWS
                               ? $signed({3'd0, sent}) < $signed({3'd0, written}) + $signed(bias)
                               : written >= base;
                    ready[i]   = valid && !send[48] && (!needs || granted[slot]) && open &&
                                 (copied == shard || send_row < {1'b0, copied});
                    part[i]    = valid && send_row != 12'd0;
                    copying[i] = valid && copy != shard && copied != shard;
                    granting[i] = valid && grant && written == received;
                    done[i]    = valid && send[48] && receive[48] && written == received && copied == shard;

                    valid_q[i]       <= valid;
                    granted_q[i]     <= granted;
                    send_q[i]        <= send;
                    receive_q[i]     <= receive;
                    sent_q[i]        <= sent;
                    send_rows_q[i]   <= send_rows;
                    send_row_q[i]    <= send_row;
                    send_offset_q[i] <= send_offset;
                    base_q[i]        <= base;
                    bias_q[i]        <= bias;
                    needs_q[i]       <= needs;
                    peer_q[i]        <= peer;
                    received_q[i]    <= received;
                    written_q[i]     <= written;
                    receive_rows_q[i]   <= receive_rows;
                    receive_row_q[i]    <= receive_row;
                    receive_offset_q[i] <= receive_offset;
                    into_q[i]        <= into;
                    grant_q[i]       <= grant;
                    from_q[i]        <= from;
                    copy_q[i]        <= copy;
                    copied_q[i]      <= copied;
                end
            end
            link_q    <= link;
            ready_q   <= ready;
            begun_q   <= part;
            copying_q <= copying;
            granting_q <= granting;
            done_q    <= done;
            if (s_admit_valid && ours) begin
                oldest_q     <= at + 1'b1;
                kind_q[at]   <= s_admit_kind;
                dim_q[at]    <= s_admit_dim;
                ring_q[at]   <= s_admit_ring;
                rank_q[at]   <= s_admit_rank;
                up_q[at]     <= !s_context_index[0] || entry[`ACE_PROGRAM_ENTRY_ONE_WAY];
                shard_q[at]  <= s_admit_shard;
                valids_q[at] <= s_admit_valids;
                source_q[at] <= s_admit_source_row;
                target_q[at] <= s_admit_target_row;
                type_q[at]   <= s_admit_type;
                op_q[at]     <= s_admit_op;
                scale_q[at]  <= s_admit_scale;
                mark_q[at]   <= s_admit_mark;
                own_q[at]    <= {4'd0, s_admit_rank} * {1'b0, s_admit_shard};
            end
        end
        if (rst) begin
            oldest_q   <= {W{1'b0}};
            mismatch_q <= 1'b0;
            ready_q    <= {CONTEXTS{1'b0}};
            begun_q    <= {CONTEXTS{1'b0}};
            copying_q  <= {CONTEXTS{1'b0}};
            granting_q <= {CONTEXTS{1'b0}};
            done_q     <= {CONTEXTS{1'b0}};
            for (i = 0; i < CONTEXTS; i = i + 1) begin
                valid_q[i]   <= 1'b0;
                granted_q[i] <= {16*DIMENSIONS{1'b0}};
            end
        end
    end

    // A strobe already names this FSM, so an index only tells its contexts apart.
    wire unused = &{1'b0, s_reduce_index, s_store_index, s_reduced_index, s_stored_index};

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_fsm -- runs the program of a phase for a few chunks at a time
//
//   s_admit ---> contexts ---> m_send    read a row, give it to a link
//   s_grant --->  |  ^   ----> m_copy    move an owned row to the target block
//   s_fetch ---> pieces  ----> m_grant   tell a peer that this node is ready to receive
//                    +-------- m_reduce, m_store   where a received row goes
//                    +-------> m_context_done
//
// A context has two threads: one walks the pieces to send, the other the pieces to receive.
// rtl/program.list describes the instructions.  A piece is a run of consecutive rows of the block.
// A link keeps order and a context receives from one peer at a time.  So the receiver counts rows,
// and a packet names only its context.  A context sends a piece only after its peer has granted
// it.  The grant means that the peer has the chunk, room for the result, and nothing half
// received.  So the peer can sink every row it gets.
//
// All contexts share a pipe of six stages that computes the pieces.  It has one multiplier for a
// piece's rows and one for its position.  The oldest chunk goes first, and a piece is computed
// while the one before it moves.
//
// Contract
//   Requests    m_send and m_copy depend on state and s_link_room alone; a strobe moves them on.
//               Even chunks and odd chunks are chosen separately.  Contexts in the middle of a
//               piece go first while they have a row to send.  Otherwise the oldest context that
//               can send requests.
//   Program     m_fetch holds until s_fetch_grant. s_fetch_word is the requested word, in the cycle
//               after the grant.
//   Grants      m_grant holds until s_grant_take.  On a ring the peer is the neighbour, and 0
//               stands for it.  A peer grants a context again only after it has received what it
//               granted before.  So one bit for each peer is enough.  A hub has PEERS bits, indexed
//               by member number modulo PEERS.  On a larger hub the programs of a node use grants
//               only with peers whose numbers differ modulo PEERS
//               (docs/design/decisions/0061-sixty-four-peers.md).
//   Lookups     m_reduce_* and m_store_* describe the next row of the context named by
//               s_reduce_index and s_store_index in the same cycle.  Rows of a stalled context
//               wait, since its next piece is not computed yet.  A context stalls when a row is
//               taken while m_closing, unless its next piece comes in that cycle.
//   Place       cfg_phase and cfg_index are tied to constants where the FSM is instantiated.  All
//               FSMs of a node are one module with the same parameters, laid out once.
//   Reset       rst is synchronous, active high; contexts and grants are forgotten.
//   Twin        cmodel/twin/ace_fsm.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_fsm_test.cc).

`include "ace_program_fields.vh"

`default_nettype none

module ace_fsm #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter FSMS     = 4,     // FSMs of the phase: 1, 2 or 4
    parameter CONTEXTS = 4,     // chunks it holds: 2, 4 or 8
    parameter PEERS    = 16     // members of a hub whose grants they keep apart: 16, 32 or 64
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [2:0]  cfg_phase,           // phase it is bound to, 0..DIMENSIONS
    input  wire [1:0]  cfg_index,           // its index among the FSMs of the phase
    input  wire [DIMENSIONS-1:0] cfg_hub,   // dimensions that are no rings
    input  wire        cfg_alone,           // rows wait for a context that has no chunk yet
    input  wire [11:0] cfg_source_end,      // last row of the source partition, and its size
    input  wire [11:0] cfg_source_rows,
    input  wire [11:0] cfg_target_end,
    input  wire [11:0] cfg_target_rows,

    output wire        m_fetch_valid,       // a word of the program, see rtl/program.list
    output wire [6:0]  m_fetch_at,
    input  wire        s_fetch_grant,
    input  wire [31:0] s_fetch_word,

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
    input  wire [16*DIMENSIONS-1:0] s_grant_peer,       // the granting peer
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
    output wire [7:0]  m_send_peer,         // or {1, 0, operation, type}: to the switch itself, to reduce
    output wire [1:0]  m_send_begun,        // a piece goes on, bit 0: even chunks   bit 1: odd
    input  wire        s_send_take,
    input  wire [CONTEXTS-1:0] s_held,      // contexts of which rows were taken and not read

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

    // Rows written
    input  wire        s_reduced_valid,
    input  wire        s_reduced_copy,
    input  wire [4:0]  s_reduced_index,
    input  wire        s_stored_valid,
    input  wire [4:0]  s_stored_index,

    output wire [2*CONTEXTS-1:0] m_turning, // contexts whose next row must wait on a link up; then on a link down
    output wire [CONTEXTS-1:0] m_closing,   // contexts whose next row but one must
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
    localparam [1:0] WAIT_NO = `ACE_PROGRAM_WAIT_NO, WAIT_ROWS = `ACE_PROGRAM_WAIT_ROWS;
    localparam [1:0] WAIT_BEGIN = `ACE_PROGRAM_WAIT_BEGIN;
    localparam [1:0] GRANT_EACH = `ACE_PROGRAM_GRANT_EACH, GRANT_FIRST = `ACE_PROGRAM_GRANT_FIRST;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1;
    localparam [1:0] ENTRY = 2'd0, RECEIVE = 2'd1, SEND = 2'd2;     // what a word is fetched for

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (FSMS != 1 && FSMS != 2 && FSMS != 4) begin : g_illegal_fsms FSMS_must_be_1_2_or_4 stop (); end
        if (CONTEXTS != 2 && CONTEXTS != 4 && CONTEXTS != 8) begin : g_illegal_contexts
            CONTEXTS_must_be_2_4_or_8 stop ();
        end
        if (PEERS != 16 && PEERS != 32 && PEERS != 64) begin : g_illegal_peers PEERS_must_be_16_32_or_64 stop (); end
    endgenerate

    // ---- chunks: what a context was admitted with ----
    reg [1:0]          kind_q    [0:CONTEXTS-1];
    reg [7:0]          ring_q    [0:CONTEXTS-1];
    reg [7:0]          rank_q    [0:CONTEXTS-1];
    reg [10:0]         shard_q   [0:CONTEXTS-1];
    reg [10:0]         valids_q  [0:CONTEXTS-1];
    reg [11:0]         source_q  [0:CONTEXTS-1];
    reg [11:0]         target_q  [0:CONTEXTS-1];
    reg [2:0]          type_q    [0:CONTEXTS-1];
    reg [2:0]          op_q      [0:CONTEXTS-1];
    reg [36:0]         scale_q   [0:CONTEXTS-1];
    reg [7:0]          mark_q    [0:CONTEXTS-1];
    reg [W-1:0]        oldest_q;                    // the next to be reused
    reg                mismatch_q;
    assign m_mismatch = mismatch_q;

    // Context number of an index: the FSMs of a phase take chunks in turn.
    wire [W-1:0] at = s_context_index[FSM_W +: W];
    wire [W-1:0] rd = s_reduce_index[FSM_W +: W];
    wire [W-1:0] st = s_store_index[FSM_W +: W];
    wire [W-1:0] rw = s_reduced_index[FSM_W +: W];
    wire [W-1:0] sw = s_stored_index[FSM_W +: W];

    // Contexts of odd chunks: the FSMs of a phase take chunks in turn.
    wire [CONTEXTS-1:0] odd = FSMS == 1 ? ODD[CONTEXTS-1:0] : {CONTEXTS{cfg_index[0]}};

    wire ours   = s_context_phase == cfg_phase && (s_context_index & (FSMS[4:0] - 5'd1)) == {3'd0, cfg_index};
    wire admits = s_admit_valid && ours;
    always @(posedge clk) begin
        if ((s_reduce_take && s_reduce_mark != mark_q[rd]) || (s_store_take && s_store_mark != mark_q[st]))
            mismatch_q <= 1'b1;
        if (admits) begin
            oldest_q     <= at + 1'b1;
            kind_q[at]   <= s_admit_kind;
            ring_q[at]   <= s_admit_ring;
            rank_q[at]   <= s_admit_rank;
            shard_q[at]  <= s_admit_shard;
            valids_q[at] <= s_admit_valids;
            source_q[at] <= s_admit_source_row;
            target_q[at] <= s_admit_target_row;
            type_q[at]   <= s_admit_type;
            op_q[at]     <= s_admit_op;
            scale_q[at]  <= s_admit_scale;
            mark_q[at]   <= s_admit_mark;
        end
        if (rst) begin
            oldest_q   <= {W{1'b0}};
            mismatch_q <= 1'b0;
        end
    end

    // ---- contexts ----
    wire [CONTEXTS*3-1:0]  link;                    // the link of each context's piece: {dimension, down}
    wire [CONTEXTS-1:0]    ups, exchanges;          // "ahead" is up; it receives in an exchange
    wire [CONTEXTS-1:0]    ready, part, zeros, reduces, copying, granting, into, pads;
    wire [CONTEXTS*12-1:0] send_row, copy_source, copy_target, receive_source, receive_target;
    wire [CONTEXTS*8-1:0]  send_peer, grant_peer;
    wire [CONTEXTS-1:0]    entry_wants, send_wants, receive_wants;
    wire [CONTEXTS*16-1:0] send_thread, receive_thread;

    // ---- which context sends ----
    // Here and below an output is 0 while it is not requested.  Most FSMs are idle in most cycles,
    // so a simulator then evaluates only the condition.
    reg [CONTEXTS-1:0] can_send;
    reg [1:0]          begun;
    integer            b, c;
    always @(*) begin
        begun = 2'd0;
        if (ready != {CONTEXTS{1'b0}})
            for (b = 0; b < CONTEXTS; b = b + 1)
                if (ready[b] && part[b]) begun[odd[b]] = 1'b1;
    end
    always @(*) begin
        can_send = {CONTEXTS{1'b0}};
        if (ready != {CONTEXTS{1'b0}})
            for (c = 0; c < CONTEXTS; c = c + 1)
                can_send[c] = ready[c] && (part[c] || !begun[odd[c]]) && s_link_room[link[c*3 +: 3]];
    end
    assign m_send_begun = begun;

    // The oldest of a set of contexts, a bit each: the first at or after `oldest`, else the first.
    function [CONTEXTS-1:0] first_of;
        input [CONTEXTS-1:0] set;
        input [W-1:0]        oldest;
        reg   [CONTEXTS-1:0] later;
        begin
            later    = set & ({CONTEXTS{1'b1}} << oldest);
            first_of = later != {CONTEXTS{1'b0}} ? later & (~later + 1'b1) : set & (~set + 1'b1);
        end
    endfunction

    function [W-1:0] number_of;
        input [CONTEXTS-1:0] one;
        integer              j;
        begin
            number_of = {W{1'b0}};
            for (j = 0; j < CONTEXTS; j = j + 1)
                if (one[j]) number_of = number_of | j[W-1:0];
        end
    endfunction

    // Room is known late in a cycle.  So the outputs are an AND-OR over the contexts, not a lookup
    // by number.
    wire [CONTEXTS-1:0] tx = m_send_valid ? first_of(can_send, oldest_q) : {CONTEXTS{1'b0}};
    wire [W-1:0]        tx_number = number_of(tx);
    wire [4:0]          tx_wide = {{(5-W){1'b0}}, tx_number};
    reg  [2:0]          tx_link;
    reg  [11:0]         tx_row;
    reg  [7:0]          tx_peer;
    reg                 tx_zero, tx_reduce;
    integer             s;
    always @(*) begin
        tx_link   = 3'd0;
        tx_row    = 12'd0;
        tx_peer   = 8'd0;
        tx_zero   = 1'b0;
        tx_reduce = 1'b0;
        if (m_send_valid) begin
            tx_zero   = |(tx & zeros);
            tx_reduce = |(tx & reduces);
            for (s = 0; s < CONTEXTS; s = s + 1)
                if (tx[s]) begin
                    tx_link = tx_link | link[s*3 +: 3];
                    tx_row  = tx_row | send_row[s*12 +: 12];
                    if (cfg_hub[link[s*3+1 +: 2]]) tx_peer = tx_peer | send_peer[s*8 +: 8];
                end
        end
    end
    assign m_send_valid  = can_send != {CONTEXTS{1'b0}};
    assign m_send_link   = tx_link;
    assign m_send_index  = m_send_valid ? (tx_wide << FSM_W) | {3'd0, cfg_index} : 5'd0;
    assign m_send_row    = tx_row;
    assign m_send_zero   = tx_zero;
    assign m_send_reduce = tx_reduce;
    assign m_send_mark   = m_send_valid ? mark_q[tx_number] : 8'd0;
    assign m_send_peer   = tx_peer;

    // ---- the context that copies ----
    wire [W-1:0] cp = m_copy_valid ? number_of(first_of(copying, oldest_q)) : {W{1'b0}};
    wire [4:0]   cp_wide = {{(5-W){1'b0}}, cp};
    assign m_copy_valid  = copying != {CONTEXTS{1'b0}};
    assign m_copy_index  = m_copy_valid ? (cp_wide << FSM_W) | {3'd0, cfg_index} : 5'd0;
    assign m_copy_source = m_copy_valid ? copy_source[cp*12 +: 12] : 12'd0;
    assign m_copy_target = m_copy_valid ? copy_target[cp*12 +: 12] : 12'd0;

    // ---- the context that grants ----
    wire [W-1:0] gr = m_grant_valid ? number_of(first_of(granting, oldest_q)) : {W{1'b0}};
    wire [4:0]   gr_wide = {{(5-W){1'b0}}, gr};
    reg          gr_hub;
    reg  [2:0]   gr_link;
    always @(*) begin
        gr_hub  = 1'b0;
        gr_link = 3'd0;
        if (m_grant_valid) begin
            gr_hub  = cfg_hub[link[gr*3+1 +: 2]];
            gr_link = {link[gr*3+1 +: 2], ups[gr] != gr_hub};    // on a ring it is behind
        end
    end
    assign m_grant_valid = granting != {CONTEXTS{1'b0}};
    assign m_grant_index = m_grant_valid ? (gr_wide << FSM_W) | {3'd0, cfg_index} : 5'd0;
    assign m_grant_link  = gr_link;
    assign m_grant_peer  = gr_hub ? grant_peer[gr*8 +: 8] : 8'd0;
    assign m_grant_mark  = m_grant_valid ? mark_q[gr] : 8'd0;

    // ---- where a received row goes ----
    reg        rd_last, rd_zero;                    // reduced for good
    reg [11:0] rd_source, rd_target, st_target;
    reg [36:0] rd_scale;
    wire [2:0]  rd_op    = op_q[rd];
    wire [36:0] rd_whole = scale_q[rd];
    always @(*) begin
        rd_last   = 1'b0;
        rd_zero   = 1'b0;
        rd_source = 12'd0;
        rd_target = 12'd0;
        st_target = 12'd0;
        rd_scale  = 37'd0;
        if (s_reduce_take) begin
            rd_last   = into[rd];
            rd_zero   = pads[rd];
            rd_source = receive_source[rd*12 +: 12];
            rd_target = rd_last ? receive_target[rd*12 +: 12] : rd_source;
            rd_scale  = rd_last && rd_op == AVERAGE ? rd_whole : 37'd0;
        end
        if (s_store_take) st_target = receive_target[st*12 +: 12];
    end
    assign m_reduce_source = rd_source;
    assign m_reduce_zero   = rd_zero;
    assign m_reduce_target = rd_target;
    assign m_reduce_type   = type_q[rd];
    assign m_reduce_op     = rd_op == AVERAGE && !rd_last ? SUM : rd_op;
    assign m_reduce_scale  = rd_scale;
    assign m_store_target  = st_target;

    // ---- pieces, stage 0: the oldest context that wants a word of the program ----
    wire [CONTEXTS-1:0] wants = entry_wants | receive_wants | send_wants;
    wire [W-1:0] ft = m_fetch_valid ? number_of(first_of(wants, oldest_q)) : {W{1'b0}};
    wire [1:0]   ft_what = entry_wants[ft] ? ENTRY : receive_wants[ft] ? RECEIVE : SEND;
    // lint: only the address in the program is used of a thread
    /* verilator lint_off UNUSEDSIGNAL */
    wire [15:0]  ft_thread = ft_what == RECEIVE ? receive_thread[ft*16 +: 16] : send_thread[ft*16 +: 16];
    /* verilator lint_on UNUSEDSIGNAL */
    wire [6:0]   ft_entry = {2'd0, odd[ft], link[ft*3+1 +: 2], kind_q[ft]};
    assign m_fetch_valid = wants != {CONTEXTS{1'b0}};
    assign m_fetch_at    = !m_fetch_valid ? 7'd0 : ft_what == ENTRY ? ft_entry : ft_thread[6:0];

    // The position at distance x from `rank`.
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

    // The row of a partition that a sum of row and offset names.
    function [11:0] wrap;
        input [12:0] sum;
        input [11:0] last;
        input [11:0] rows;
        wrap = sum > {1'b0, last} ? sum[11:0] - rows : sum[11:0];
    endfunction

    // ---- stage 1: the word comes; of the thread, where its loop is ----
    reg         valid1_q, valid2_q, valid3_q, valid4_q, valid5_q, valid6_q;
    reg [1:0]   what1_q, what2_q, what3_q, what4_q, what5_q, what6_q;
    reg [W-1:0] at1_q, at2_q, at3_q, at4_q, at5_q, at6_q;
    reg [31:0]  word2_q;
    // lint: only the next address in the program is needed
    reg [15:0]  thread2_q;
    reg [7:0]   ring2_q;

    // ---- stage 2: which turn of the loop it is, and where the thread is then ----
    reg  [7:0]  k2;
    reg         last2;
    reg  [15:0] thread2;
    wire        first2 = thread2_q[15];
    wire [1:0]  loop2  = word2_q[`ACE_PROGRAM_LOOP];
    wire        end2   = word2_q[`ACE_PROGRAM_OP] == OP_END;
    always @(*) begin
        k2      = 8'd0;
        last2   = 1'b0;
        thread2 = 16'd0;
        if (valid2_q) begin
            k2 = !first2 ? thread2_q[14:7] :
                 loop2 == LOOP_ONCE  ? {1'b0, word2_q[`ACE_PROGRAM_NUMBER]} :
                 loop2 == LOOP_HALVE ? {1'b0, ring2_q[7:1]} : 8'd1;
            last2 = loop2 == LOOP_ONCE ||
                    (loop2 == LOOP_UP    ? {1'b0, k2} + 9'd1 >= {1'b0, ring2_q} :
                     loop2 == LOOP_HALVE ? k2 <= 8'd1 : {k2, 1'b0} >= {1'b0, ring2_q});
            thread2 = last2               ? {1'b1, 8'd0, thread2_q[6:0] + 7'd1} :
                      loop2 == LOOP_UP    ? {1'b0, k2 + 8'd1, thread2_q[6:0]} :
                      loop2 == LOOP_HALVE ? {2'b00, k2[7:1], thread2_q[6:0]} : {1'b0, k2[6:0], 1'b0, thread2_q[6:0]};
        end
    end
    wire        copies2 = what2_q == ENTRY && word2_q[`ACE_PROGRAM_ENTRY_COPY];
    wire        up2     = !odd[at2_q] || word2_q[`ACE_PROGRAM_ENTRY_ONE_WAY];
    wire        grant2  = word2_q[`ACE_PROGRAM_GRANT] == GRANT_EACH ||
                          (word2_q[`ACE_PROGRAM_GRANT] == GRANT_FIRST && first2);
    wire        into2   = word2_q[`ACE_PROGRAM_TARGET] || (word2_q[`ACE_PROGRAM_LAST] && last2);
    wire        keep2   = word2_q[`ACE_PROGRAM_WAIT] == WAIT_BEGIN && !first2;

    // ---- stage 3: places; stage 4: products; stage 5: rows of the partitions ----
    // {end, free, hold, keep, needs, from target, reduce, into}
    reg [7:0]   how3_q, how4_q, how5_q, how6_q;
    reg [2:0]   bias3_q, bias4_q, bias5_q;
    reg [1:0]   from3_q, peer_mode3_q, piece3_q;
    reg [7:0]   k3_q, x3_q, away3_q, ring3_q, rank3_q;
    reg         up3_q, turns3_q, turns4_q, turns5_q, turns6_q, down4_q, down5_q, down6_q;
    reg [7:0]   index4_q, shards4_q, rank4_q, peer4_q, peer5_q, peer6_q;
    reg [10:0]  shard4_q;
    reg [11:0]  rows5_q, offset5_q, source5_q, target5_q;
    reg [10:0]  valids5_q;
    reg         front5_q;                   // sums go to the front of the target: a reduce-scatter's
    reg [11:0]  rows6_q, source6_q, target6_q;
    reg [10:0]  valids6_q;
    reg [14:0]  bias6_q;
    wire [7:0]  place3 = place(from3_q, rank3_q, x3_q, ring3_q, up3_q);
    wire [11:0] from5  = what5_q == ENTRY ? 12'd0 : offset5_q;
    wire [11:0] to5    = front5_q ? 12'd0 : offset5_q;
    wire [12:0] left5  = {2'd0, valids5_q} - {1'b0, offset5_q};
    always @(posedge clk) begin
        if (s_fetch_grant) begin
            what1_q <= ft_what;
            at1_q   <= ft;
        end
        if (valid1_q) begin
            what2_q   <= what1_q;
            at2_q     <= at1_q;
            word2_q   <= s_fetch_word;
            thread2_q <= what1_q == RECEIVE ? receive_thread[at1_q*16 +: 16] : send_thread[at1_q*16 +: 16];
            ring2_q   <= ring_q[at1_q];
        end
        if (valid2_q) begin
            what3_q  <= what2_q;
            at3_q    <= at2_q;
            how3_q   <= {end2, word2_q[`ACE_PROGRAM_WAIT] == WAIT_NO, word2_q[`ACE_PROGRAM_WAIT] != WAIT_ROWS, keep2,
                         grant2, word2_q[`ACE_PROGRAM_TARGET], word2_q[`ACE_PROGRAM_REDUCE], into2};
            bias3_q  <= word2_q[`ACE_PROGRAM_BIAS];
            from3_q  <= what2_q == ENTRY ? MEMBER : word2_q[`ACE_PROGRAM_FROM];
            x3_q     <= what2_q == ENTRY ? rank_q[at2_q]
                      : (word2_q[`ACE_PROGRAM_FROM_K] ? k2 : 8'd0) +
                        {{6{word2_q[`ACE_PROGRAM_ADD_SIGN]}}, word2_q[`ACE_PROGRAM_ADD]};
            piece3_q <= what2_q == ENTRY ? SHARD : word2_q[`ACE_PROGRAM_PIECE];
            peer_mode3_q <= word2_q[`ACE_PROGRAM_PEER];
            away3_q  <= word2_q[`ACE_PROGRAM_PEER_K] ? k2 : {1'b0, word2_q[`ACE_PROGRAM_NUMBER]};
            k3_q     <= k2;
            ring3_q  <= ring2_q;
            rank3_q  <= rank_q[at2_q];
            up3_q    <= ups[at2_q];
            turns3_q <= !cfg_hub[link[at2_q*3+1 +: 2]] && word2_q[`ACE_PROGRAM_PEER] == XOR;
        end
        if (valid3_q) begin
            what4_q   <= what3_q;
            at4_q     <= at3_q;
            how4_q    <= how3_q;
            bias4_q   <= bias3_q;
            turns4_q  <= turns3_q;
            down4_q   <= turns3_q ? rank3_q[0] ^ away3_q[1] : !up3_q;
            peer4_q   <= place(peer_mode3_q, rank3_q, away3_q, ring3_q, up3_q);
            rank4_q   <= rank3_q;
            index4_q  <= piece3_q == SHARD ? place3 : piece3_q == SHARDS ? place3 & (~k3_q + 8'd1) : 8'd0;
            shards4_q <= piece3_q == SHARD ? 8'd1 : piece3_q == SHARDS ? k3_q : ring3_q;
            shard4_q  <= shard_q[at3_q];
        end
        if (valid4_q) begin
            what5_q   <= what4_q;
            at5_q     <= at4_q;
            how5_q    <= how4_q;
            turns5_q  <= turns4_q;
            down5_q   <= down4_q;
            bias5_q   <= bias4_q;
            // A piece to the own position goes to the switch.  Its packet names the operation on
            // its row.
            peer5_q   <= what4_q == SEND && peer4_q == rank4_q ? {2'b10, op_q[at4_q], type_q[at4_q]} : peer4_q;
            rows5_q   <= {4'd0, shards4_q} * {1'b0, shard4_q};
            offset5_q <= {4'd0, index4_q} * {1'b0, shard4_q};
            source5_q <= source_q[at4_q];
            target5_q <= target_q[at4_q];
            valids5_q <= valids_q[at4_q];
            front5_q  <= what4_q == RECEIVE && how4_q[0] && kind_q[at4_q] == REDUCE_SCATTER;
        end
        if (valid5_q) begin
            what6_q   <= what5_q;
            at6_q     <= at5_q;
            how6_q    <= how5_q;
            turns6_q  <= turns5_q;
            down6_q   <= down5_q;
            peer6_q   <= peer5_q;
            rows6_q   <= rows5_q;
            source6_q <= wrap({1'b0, source5_q} + {1'b0, from5}, cfg_source_end, cfg_source_rows);
            target6_q <= wrap({1'b0, target5_q} + {1'b0, to5}, cfg_target_end, cfg_target_rows);
            valids6_q <= left5[12] ? 11'd0 : left5[10:0];
            bias6_q   <= how5_q[5] ? 15'd1 : {{12{bias5_q[2]}}, bias5_q} * {3'd0, rows5_q};
        end
        valid1_q <= s_fetch_grant && !rst;
        valid2_q <= valid1_q && !rst;
        valid3_q <= valid2_q && (what2_q != ENTRY || copies2) && !rst;
        valid4_q <= valid3_q && !rst;
        valid5_q <= valid4_q && !rst;
        valid6_q <= valid5_q && !rst;
    end

    // The first rows of the partitions.  A row after the end wraps to them.
    wire [11:0] source_first = cfg_source_end - cfg_source_rows + 12'd1;
    wire [11:0] target_first = cfg_target_end - cfg_target_rows + 12'd1;

    // ---- events of all contexts: a bit a context for each kind ----
    // In most cycles there is no event, and a simulator then evaluates conditions and no shifts.
    localparam [CONTEXTS-1:0] FIRST = 1;
    reg [CONTEXTS-1:0] admitted, released, sends, copies, grants, receives, copied, writes, steps;
    reg [CONTEXTS-1:0] fetch_entry, fetch_send, fetch_receive, entry, decode_send, decode_receive;
    reg [CONTEXTS-1:0] piece_copy, piece_send, piece_receive;
    reg [2*DIMENSIONS*CONTEXTS-1:0] granted;        // a bit a link, of each context
    integer            l, m;
    always @(*) begin
        {admitted, released, sends, copies, grants, receives, copied, writes} = {8*CONTEXTS{1'b0}};
        {fetch_entry, fetch_send, fetch_receive, entry, decode_send, decode_receive} = {6*CONTEXTS{1'b0}};
        {piece_copy, piece_send, piece_receive} = {3*CONTEXTS{1'b0}};
        granted = {2*DIMENSIONS*CONTEXTS{1'b0}};
        steps = exchanges;
        if (admits)                  admitted = FIRST << at;
        if (s_release_valid && ours) released = FIRST << at;
        if (s_admit_valid || s_release_valid) steps = steps | admitted | released;
        if (s_reduce_take) receives = FIRST << rd;
        if (s_store_take)  receives = receives | FIRST << st;
        if (s_reduce_take || s_store_take) steps = steps | receives;
        if (s_reduced_valid) begin
            if (s_reduced_copy) copied = FIRST << rw;
            else                writes = FIRST << rw;
        end
        if (s_stored_valid) writes = writes | FIRST << sw;
        if (s_reduced_valid || s_stored_valid) steps = steps | copied | writes;
        if (s_fetch_grant) begin
            if (ft_what == ENTRY)   fetch_entry   = FIRST << ft;
            if (ft_what == SEND)    fetch_send    = FIRST << ft;
            if (ft_what == RECEIVE) fetch_receive = FIRST << ft;
            steps = steps | FIRST << ft;
        end
        if (valid2_q) begin
            if (what2_q == ENTRY)   entry          = FIRST << at2_q;
            if (what2_q == SEND)    decode_send    = FIRST << at2_q;
            if (what2_q == RECEIVE) decode_receive = FIRST << at2_q;
            steps = steps | FIRST << at2_q;
        end
        if (valid6_q) begin
            if (what6_q == ENTRY)   piece_copy    = FIRST << at6_q;
            if (what6_q == SEND)    piece_send    = FIRST << at6_q;
            if (what6_q == RECEIVE) piece_receive = FIRST << at6_q;
            steps = steps | FIRST << at6_q;
        end
        if (s_grant_valid != {2*DIMENSIONS{1'b0}})
            for (l = 0; l < 2 * DIMENSIONS; l = l + 1)
                if (s_grant_valid[l] && s_grant_context[l*8+5 +: 3] == cfg_phase &&
                    (s_grant_context[l*8 +: 5] & (FSMS[4:0] - 5'd1)) == {3'd0, cfg_index})
                    for (m = 0; m < CONTEXTS; m = m + 1)
                        if (s_grant_context[l*8+FSM_W +: W] == m[W-1:0]) begin
                            granted[m*2*DIMENSIONS+l] = 1'b1;
                            steps[m] = 1'b1;
                        end
        // signals that arrive late in a cycle come last
        if (s_grant_take) begin
            grants = FIRST << gr;
            steps  = steps | FIRST << gr;
        end
        if (s_copy_take) begin
            copies = FIRST << cp;
            steps  = steps | FIRST << cp;
        end
        if (s_send_take) begin
            sends = tx;
            steps = steps | tx;
        end
    end
    genvar i;
    generate
        for (i = 0; i < CONTEXTS; i = i + 1) begin : g_context
            ace_fsm_context #(.DIMENSIONS(DIMENSIONS), .PEERS(PEERS)) u_context (
                .clk(clk), .rst(rst), .cfg_hub(cfg_hub), .cfg_alone(cfg_alone),
                .cfg_source_first(source_first), .cfg_source_end(cfg_source_end),
                .cfg_target_first(target_first), .cfg_target_end(cfg_target_end),
                .s_step(steps[i]), .s_admit(admitted[i]), .s_release(released[i]),
                .s_admit_dim(s_admit_dim), .s_admit_shard(s_admit_shard),
                .s_fetch_entry(fetch_entry[i]), .s_fetch_send(fetch_send[i]), .s_fetch_receive(fetch_receive[i]),
                .s_entry(entry[i]), .s_entry_up(up2),
                .s_entry_send(word2_q[`ACE_PROGRAM_ENTRY_SEND]), .s_entry_receive(word2_q[`ACE_PROGRAM_ENTRY_RECEIVE]),
                .s_thread_send(decode_send[i]), .s_thread_receive(decode_receive[i]),
                .s_thread(thread2),
                .m_entry_wants(entry_wants[i]), .m_send_wants(send_wants[i]), .m_receive_wants(receive_wants[i]),
                .m_send_thread(send_thread[i*16 +: 16]), .m_receive_thread(receive_thread[i*16 +: 16]),
                .s_piece_copy(piece_copy[i]), .s_piece_send(piece_send[i]), .s_piece_receive(piece_receive[i]),
                .s_piece_end(how6_q[7]),
                .s_piece_rows(rows6_q), .s_piece_source(source6_q), .s_piece_target(target6_q),
                .s_piece_valids(valids6_q), .s_piece_bias(bias6_q), .s_piece_free(how6_q[6]),
                .s_piece_hold(how6_q[5]), .s_piece_keep(how6_q[4]), .s_piece_needs(how6_q[3]),
                .s_piece_from_target(how6_q[2]), .s_piece_reduce(how6_q[1]), .s_piece_into(how6_q[0]),
                .s_piece_peer(peer6_q), .s_piece_exchange(turns6_q), .s_piece_down(down6_q),
                .s_granted(granted[i*2*DIMENSIONS +: 2*DIMENSIONS]), .s_granted_peer(s_grant_peer),
                .m_up(ups[i]), .m_exchange(exchanges[i]), .s_held(s_held[i]),
                .m_link(link[i*3 +: 3]), .m_ready(ready[i]), .m_begun(part[i]), .m_send_row(send_row[i*12 +: 12]),
                .m_send_zero(zeros[i]), .m_send_reduce(reduces[i]), .m_send_peer(send_peer[i*8 +: 8]),
                .s_send_take(sends[i]),
                .m_copying(copying[i]), .m_copy_source(copy_source[i*12 +: 12]),
                .m_copy_target(copy_target[i*12 +: 12]), .s_copy_take(copies[i]),
                .m_granting(granting[i]), .m_grant_peer(grant_peer[i*8 +: 8]), .s_grant_take(grants[i]),
                .m_turning({m_turning[CONTEXTS+i], m_turning[i]}), .m_closing(m_closing[i]), .m_receive_into(into[i]),
                .m_receive_source(receive_source[i*12 +: 12]),
                .m_receive_target(receive_target[i*12 +: 12]), .m_receive_zero(pads[i]), .s_receive_take(receives[i]),
                .s_written(writes[i]), .s_copied(copied[i]), .m_done(m_context_done[i])
            );
        end
    endgenerate

    // A strobe already selects this FSM, so only the index bits for its contexts are used.
    wire unused = &{1'b0, s_reduce_index, s_store_index, s_reduced_index, s_stored_index, left5[11]};

endmodule

`default_nettype wire

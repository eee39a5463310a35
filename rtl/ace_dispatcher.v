// SPDX-License-Identifier: Apache-2.0
//
// ace_dispatcher -- holds the waiting collectives and cuts them into planned chunks
//
//   s_cmd ---> [ command store ] ---> [ pick, divide, plan ] ---> m_chunk
//                newest or oldest first      14 cycles a division
//
// Contract
//   Handshake   A beat moves when valid && ready. m_chunk holds until it is taken.
//   Rate        A command enters in 2 * DIMENSIONS + 3 cycles, in which its member count is
//               computed: the product of its dimensions' sizes.  A chunk is offered 10 cycles after
//               the one before was taken, and 14 more for each dimension of its command.  Where
//               nothing is to be divided it is offered after 5 cycles.
//   Ready       s_cmd_ready comes between two chunks.  With FIFO it is also high from the second
//               cycle on in which a chunk is offered.  So a chunk that waits does not block
//               commands while the store has room.
//   Hold        s_hold prevents the next chunk from being begun.  A chunk that is already begun is
//               still offered.
//   Order       LIFO: the newest collective with rows left gives the next chunk, since it belongs
//               to the earliest layers.  FIFO: the oldest collective does.  This order holds within
//               a class.
//   Classes     A command with the tag cfg_class_tag or a greater one is of class 1, each other
//               command of class 0.  A cfg_class_tag of 0 makes all commands class 0.  In a round
//               each class has as many chunks as its weight, class 1 at least one.  Class 1 goes
//               first.  A class that waits alone gives every chunk.  A round ends when no class
//               that waits has chunks left in it.  The store has COMMANDS entries for class 0 and OTHERS for class 1;
//               s_cmd_ready is low while either part is full.
//   Phases      An all-reduce of one dimension is one all-reduce phase.  With more dimensions it is
//               reduce-scatter in the first, all-reduce in the others, all-gather in the first.  A
//               reduce-scatter has a phase for each dimension, first to last, an all-gather last
//               to first.  Dimensions of one node are left out.  Phases are right-aligned: unused
//               phases come first, as kind 0.
//   Shards      A shard is ceil(rows / ring) rows, so every node does the same work.  Loads and
//               stores have whole shards; m_chunk_limit masks the bytes beyond the payload.
//   Reset       rst is synchronous, active high; it drops every command.
//   Twin        cmodel/twin/ace_dispatcher.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_dispatcher_test.cc).

`default_nettype none

module ace_dispatcher #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter COMMANDS   = 64   // collectives waiting, a power of two
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        cfg_fifo,            // 0: LIFO   1: FIFO
    input  wire [15:0] cfg_class_tag,       // first tag of class 1; 0: none
    input  wire [7:0]  cfg_class_weight,    // 4 bits a class: chunks in a round
    input  wire [8*DIMENSIONS-1:0] cfg_ring,    // 8 bits a dimension: its size, ring or not, 1..128
    input  wire [8*DIMENSIONS-1:0] cfg_rank,    // 8 bits a dimension: this node's coordinate
    input  wire [10:0] cfg_chunk_rows,

    input  wire        s_cmd_valid,
    output wire        s_cmd_ready,
    input  wire [1:0]  s_cmd_kind,          // 0 all-reduce 1 reduce-scatter 2 all-gather
    input  wire [2:0]  s_cmd_type,          // element type and operation, see ace_alu
    input  wire [2:0]  s_cmd_op,
    input  wire [31:0] s_cmd_scale,         // of an average, see ace_alu
    input  wire [2:0]  s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0] s_cmd_dims,  // 2 bits each, first in the low bits
    input  wire [47:0] s_cmd_source,
    input  wire [47:0] s_cmd_destination,
    input  wire [40:0] s_cmd_bytes,
    input  wire [15:0] s_cmd_tag,

    input  wire        s_hold,              // no chunk is begun
    output wire        m_chunk_valid,
    input  wire        m_chunk_ready,
    output wire [2*DIMENSIONS+1:0]   m_chunk_kinds,     // 2 bits a phase: 0 none 1 RS 2 AR 3 AG
    output wire [2*DIMENSIONS+1:0]   m_chunk_dims,      // 2 bits a phase
    output wire [11*DIMENSIONS+10:0] m_chunk_shards,    // 11 bits a phase: rows of a shard
    // 11 bits a phase: rows that are no padding.  In a reduce-scatter or all-reduce these are the rows of the block
    // that the phase divides, and the next rows, up to ring * shard, are padding.  In an all-gather these are the
    // rows of the shard.
    output wire [11*DIMENSIONS+10:0] m_chunk_valids,
    output wire [2:0]  m_chunk_type,
    output wire [2:0]  m_chunk_op,
    output wire [36:0] m_chunk_scale,       // s_cmd_scale, and log2 of the members, rounded up
    output wire [7:0]  m_chunk_mark,        // identity checked between nodes
    output wire [47:0] m_chunk_load_address,
    output wire [10:0] m_chunk_load_rows,
    output wire [47:0] m_chunk_store_address,
    output wire [10:0] m_chunk_store_rows,
    output wire [47:0] m_chunk_limit,       // end of the payload at the destination
    output wire [2:0]  m_chunk_load_burst,  // log2 of rows in a burst
    output wire [2:0]  m_chunk_store_burst,
    output wire        m_chunk_last,        // last chunk of its collective
    output wire [15:0] m_chunk_tag,

    output wire        idle                 // no collective waits
);

    localparam COMMAND_W = $clog2(COMMANDS);
    // Names with OTHER or _1 belong to class 1, the other class.
    localparam OTHERS    = COMMANDS > 16 ? COMMANDS / 8 : 2;    // collectives of class 1 waiting
    localparam OTHER_W   = $clog2(OTHERS);
    localparam [31:0] FIRST_OTHER = COMMANDS;                   // index of the first entry of class 1
    localparam PHASES = DIMENSIONS + 1;
    localparam DIMS_W = 2 * DIMENSIONS;
    localparam MEMBERS_W = 7 * DIMENSIONS;      // dimensions of up to 128 nodes
    // The first marks of two commands in a row are MARK_STEP apart, and each chunk adds
    // 1.  The step is odd, so 256 commands in a row begin at different marks.  Two commands in a row
    // share no mark if both have at most 53 chunks.
    localparam [7:0] MARK_STEP = 8'd53;
    localparam [2:0] IDLE = 3'd0, READ = 3'd1, DIVIDE = 3'd2, PLAN = 3'd3, LIMIT = 3'd4, EMIT = 3'd5, WAIT = 3'd6;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (COMMANDS < 2 || COMMANDS > 32768 || (COMMANDS & (COMMANDS - 1)) != 0) begin : g_illegal_commands
            COMMANDS_must_be_a_power_of_two_from_2_to_32768 stop ();
        end
    endgenerate

    // ---- command store: a ring for each class, taken from its newest or its oldest end ----
    // A command is written when log2 of its member count is known (`scaled`), and read when a chunk is cut from
    // it.  It is then written again with the rows that are left.
    localparam TABLE_W = 2 + 3 + 3 + 37 + 3 + DIMS_W + 3 * 48 + 33 + 16 + 8;
    reg [TABLE_W-1:0] table_q [0:COMMANDS+OTHERS-1];
    reg [TABLE_W-1:0] read_q;
    reg [2:0]  state_q;
    reg        entering_q;
    reg [COMMAND_W:0] head_q, tail_q;
    reg [OTHER_W:0]   head_1_q, tail_1_q;
    reg [3:0]  left_0_q, left_1_q;          // chunks that each class may still give in this round
    reg        enter_class_q;               // of the command that enters
    reg [7:0]  next_mark_q;

    wire [COMMAND_W:0] held   = tail_q - head_q;
    wire [OTHER_W:0]   held_1 = tail_1_q - head_1_q;
    wire none_0 = tail_q == head_q;
    wire none_1 = tail_1_q == head_1_q;
    assign idle = none_0 && none_1;
    // With LIFO no command may enter while a chunk waits: the command of that chunk must stay the
    // newest.
    assign s_cmd_ready = held != COMMANDS[COMMAND_W:0] && held_1 != OTHERS[OTHER_W:0] && !entering_q &&
                         (state_q == IDLE || (state_q == WAIT && cfg_fifo));
    wire take = s_cmd_valid && s_cmd_ready;
    wire take_class = cfg_class_tag != 16'd0 && s_cmd_tag >= cfg_class_tag;
    wire emit = m_chunk_valid && m_chunk_ready;

    // The command that enters.  Its fields are stored first; log2 of its member count, rounded
    // up, follows when it is known.
    reg [TABLE_W-6:0] enter_q;
    reg [4:0]         enter_log2_members_q;

    // The command that a chunk is cut from.
    reg [1:0]  kind_q;
    reg [2:0]  type_q, op_q, count_q;
    reg [36:0] scale_q;
    reg [DIMS_W-1:0] dims_q;
    reg [47:0] source_q, dest_q, limit_q;
    reg [32:0] rows_q;                      // rows not yet cut
    reg [15:0] tag_q;
    reg [7:0]  mark_q;
    reg [COMMAND_W:0] at_q;                 // its index in table_q
    reg        at_class_q;

    // For each dimension of the command, last to first: dimensions of one node are left out.
    reg [DIMS_W-1:0] kept;
    reg [2:0]        kept_count;
    reg [8*DIMENSIONS-1:0] factors;         // size of each kept dimension, 1 for dropped ones
    reg [1:0]        asked_dim;
    integer          i;
    always @* begin
        kept       = {DIMS_W{1'b0}};
        kept_count = 3'd0;
        for (i = DIMENSIONS - 1; i >= 0; i = i - 1) begin
            asked_dim = s_cmd_dims[2*i +: 2];
            factors[8*i +: 8] = 8'd1;
            if (s_cmd_dim_count > i[2:0] && cfg_ring[asked_dim*8 +: 8] > 8'd1) begin
                kept       = {kept[DIMS_W-3:0], asked_dim};
                kept_count = kept_count + 3'd1;
                factors[8*i +: 8] = cfg_ring[asked_dim*8 +: 8];
            end
        end
    end
    wire [40:0] up = s_cmd_bytes + 41'd255;

    // ---- member count of the collective, and its log2, rounded up ----
    // Each dimension takes two cycles: multiply by the two nibbles of its size, then add.  The log2
    // follows.
    localparam [31:0] LAST_STEP = 2 * DIMENSIONS + 1;
    reg [3:0]           scale_step_q;
    reg [8*DIMENSIONS-1:0] factors_q;
    reg [MEMBERS_W:0]   members_q, low_q, high_q;
    function [4:0] log2_up;
        input [MEMBERS_W-1:0] last;         // members - 1
        integer               n;
        begin
            log2_up = 5'd0;
            for (n = 0; n < MEMBERS_W; n = n + 1)
                if (last[n]) log2_up = n[4:0] + 5'd1;
        end
    endfunction
    wire [MEMBERS_W:0] last_member = members_q - 1'b1;
    wire scale_ends = scale_step_q == LAST_STEP[3:0];
    wire scaled = entering_q && scale_ends && !emit;

    // ---- the chunk being planned ----
    reg [10:0] rows_cut_q;
    reg [2:0]  step_q;                      // division under way
    reg [3:0]  bit_q;                       // 13 choose   12 round up   11..0 bits of the quotient
    reg [11*DIMENSIONS-1:0] shards_q;       // per command dimension
    reg [7:0]  divisor_q;
    reg [10:0] dividend_q;                  // the block to divide: the chunk, or a shard of an earlier division
    reg [11:0] numerator_q;
    reg [10:0] rest_q;
    reg [9:0]  quotient_q;

    // ---- whose turn it is, and which command of this class ----
    wire pick_class = !none_1 && (left_1_q != 4'd0 || none_0 || left_0_q == 4'd0);
    wire begins     = state_q == IDLE && !take && !entering_q && !idle && !s_hold;
    wire new_round  = (pick_class ? left_1_q : left_0_q) == 4'd0;
    wire [3:0] left_0 = new_round ? cfg_class_weight[3:0] : left_0_q;
    wire [3:0] weight_1 = cfg_class_weight[7:4] == 4'd0 ? 4'd1 : cfg_class_weight[7:4];
    wire [3:0] left_1 = new_round ? weight_1 : left_1_q;

    function [3:0] one_less;
        input [3:0] left;
        one_less = left == 4'd0 ? 4'd0 : left - 4'd1;
    endfunction

    wire [COMMAND_W-1:0] newest   = tail_q[COMMAND_W-1:0] - 1'b1;
    wire [OTHER_W-1:0]   newest_1 = tail_1_q[OTHER_W-1:0] - 1'b1;
    wire [COMMAND_W-1:0] pick_0   = cfg_fifo ? head_q[COMMAND_W-1:0] : newest;
    wire [OTHER_W-1:0]   pick_1   = cfg_fifo ? head_1_q[OTHER_W-1:0] : newest_1;

    function [COMMAND_W:0] index_1;         // of an entry of class 1
        input [OTHER_W-1:0] at;
        index_1 = FIRST_OTHER[COMMAND_W:0] | {{(COMMAND_W+1-OTHER_W){1'b0}}, at};
    endfunction

    wire [COMMAND_W:0] pick = pick_class ? index_1(pick_1) : {1'b0, pick_0};

    wire [1:0]  read_kind;
    wire [2:0]  read_type, read_op, read_count;
    wire [36:0] read_scale;
    wire [DIMS_W-1:0] read_dims;
    wire [47:0] read_source, read_dest, read_limit;
    wire [32:0] read_rows;
    wire [15:0] read_tag;
    wire [7:0]  read_mark;
    assign {read_scale[36:32], read_kind, read_type, read_op, read_scale[31:0], read_count, read_dims, read_source,
            read_dest, read_limit, read_rows, read_tag, read_mark} = read_q;
    wire [10:0] cut = read_rows > {22'd0, cfg_chunk_rows} ? cfg_chunk_rows : read_rows[10:0];

    wire [1:0] step_dim = dims_q[step_q*2 +: 2];
    wire [7:0] ring = cfg_ring[step_dim*8 +: 8];

    wire [11:0] rest_in  = {rest_q, numerator_q[11]};
    wire        rest_fit = rest_in >= {4'd0, divisor_q};
    wire [11:0] rest_d   = rest_fit ? rest_in - {4'd0, divisor_q} : rest_in;
    wire [10:0] quotient_d = {quotient_q, rest_fit};
    wire        divided = state_q == DIVIDE && bit_q == 4'd0;
    wire        last_division = step_q + 3'd1 == count_q;

    // The plan finds where this node's shard begins and ends, one dimension at a time, while the
    // next dimension is divided.  Each step multiplies this node's coordinate in the dimension by
    // the shard, adds, and compares with the shard's end.  A shard ends no later than the shard it
    // was cut from; rows beyond are padding.  The end of the smallest shard is the end of the rows
    // that are stored.
    reg [2:0]  plan_q;                      // 0: none
    reg [10:0] plan_shard_q;
    reg [7:0]  plan_rank_q;
    reg        plan_clips_q;                // this shard's end may lower shard_end_q
    reg [14:0] plan_low_q, plan_high_q;
    reg [18:0] plan_term_q, plan_shard_end_q;
    reg [18:0] own_q, shard_end_q;
    reg [10:0] own_rows_q;
    reg [3:0]  shard_bits_q;                // OR of the shard sizes: the lowest 1 is their common alignment

    wire planned = state_q == PLAN && plan_q == 3'd0;
    reg  last_q;

    always @(posedge clk) begin
        if (rst) begin
            head_q      <= {(COMMAND_W+1){1'b0}};
            tail_q      <= {(COMMAND_W+1){1'b0}};
            head_1_q    <= {(OTHER_W+1){1'b0}};
            tail_1_q    <= {(OTHER_W+1){1'b0}};
            left_0_q    <= 4'd0;
            left_1_q    <= 4'd0;
            next_mark_q <= 8'd0;
            state_q     <= IDLE;
            entering_q  <= 1'b0;
            plan_q      <= 3'd0;
        end else begin
            if (take) begin
                if (take_class) tail_1_q <= tail_1_q + 1'b1;
                else            tail_q   <= tail_q + 1'b1;
                next_mark_q <= next_mark_q + MARK_STEP;
            end
            entering_q <= take || (entering_q && !scaled);
            plan_q <= divided ? 3'd1 : plan_q == 3'd0 || plan_q == 3'd5 ? 3'd0 : plan_q + 3'd1;
            case (state_q)
            IDLE:    if (begins) begin
                state_q  <= READ;
                left_0_q <= pick_class ? left_0 : one_less(left_0);
                left_1_q <= pick_class ? one_less(left_1) : left_1;
            end
            READ:    state_q <= read_count == 3'd0 ? PLAN : DIVIDE;
            DIVIDE:  if (divided && last_division) state_q <= PLAN;
            PLAN:    if (planned) state_q <= LIMIT;
            LIMIT:   state_q <= EMIT;
            default: begin                  // EMIT and WAIT
                state_q <= emit ? IDLE : WAIT;
                if (emit && last_q) begin
                    case ({at_class_q, cfg_fifo})
                    2'b00: tail_q   <= tail_q - 1'b1;
                    2'b01: head_q   <= head_q + 1'b1;
                    2'b10: tail_1_q <= tail_1_q - 1'b1;
                    2'b11: head_1_q <= head_1_q + 1'b1;
                    endcase
                end
            end
            endcase
        end
    end

    always @(posedge clk) begin
        if (state_q == IDLE) begin
            read_q     <= table_q[pick];
            at_q       <= pick;
            at_class_q <= pick_class;
        end
        if (take)
            enter_class_q <= take_class;
        if (take)
            enter_q <= {s_cmd_kind, s_cmd_type, s_cmd_op, s_cmd_scale, kept_count, kept, s_cmd_source,
                        s_cmd_destination, s_cmd_destination + {7'd0, s_cmd_bytes}, up[40:8], s_cmd_tag, next_mark_q};
        if (!entering_q) begin
            scale_step_q <= 4'd0;
            members_q    <= {{MEMBERS_W{1'b0}}, 1'b1};
            factors_q    <= factors;
        end else if (!scale_ends) begin
            scale_step_q <= scale_step_q + 4'd1;
            if (!scale_step_q[0]) begin
                low_q  <= members_q * {{(MEMBERS_W-3){1'b0}}, factors_q[3:0]};
                high_q <= members_q * {{(MEMBERS_W-3){1'b0}}, factors_q[7:4]};
                // The value after the last step is the result.
                enter_log2_members_q <= log2_up(last_member[MEMBERS_W-1:0]);
            end else begin
                members_q <= low_q + {high_q[MEMBERS_W-4:0], 4'd0};
                factors_q <= {8'd1, factors_q[8*DIMENSIONS-1:8]};
            end
        end
        if (state_q == READ) begin
            kind_q   <= read_kind;
            type_q   <= read_type;
            op_q     <= read_op;
            scale_q  <= read_scale;
            count_q  <= read_count;
            dims_q   <= read_dims;
            source_q <= read_source;
            dest_q   <= read_dest;
            limit_q  <= read_limit;
            rows_q   <= read_rows;
            tag_q    <= read_tag;
            mark_q   <= read_mark;
            rows_cut_q  <= cut;
            dividend_q  <= cut;
            shard_end_q <= {8'd0, cut};
            own_rows_q  <= cut;
            own_q       <= 19'd0;
            shard_bits_q <= 4'd0;
            shards_q    <= {11*DIMENSIONS{1'b0}};
            step_q      <= 3'd0;
            bit_q       <= 4'd13;
        end
        if (state_q == DIVIDE) begin
            bit_q <= divided ? 4'd13 : bit_q - 4'd1;
            if (bit_q == 4'd13) begin
                divisor_q <= ring;
                // In an all-reduce the other rings split the first ring's shard.  In other
                // collectives each ring splits the shard of the ring before.
                if (kind_q == 2'd0 && step_q != 3'd0) dividend_q <= shards_q[10:0];
            end else if (bit_q == 4'd12) begin
                numerator_q <= {1'b0, dividend_q} + {4'd0, divisor_q} - 12'd1;
                rest_q      <= 11'd0;
                quotient_q  <= 10'd0;
            end else begin
                numerator_q <= {numerator_q[10:0], 1'b0};
                rest_q      <= rest_d[10:0];
                quotient_q  <= quotient_d[9:0];
            end
            if (divided) begin
                shards_q[step_q*11 +: 11] <= quotient_d;
                dividend_q   <= quotient_d;
                step_q       <= step_q + 3'd1;
                plan_shard_q <= quotient_d;
                plan_rank_q  <= cfg_rank[step_dim*8 +: 8];
                plan_clips_q <= {29'd0, step_q} < DIMENSIONS - 1;
                own_rows_q   <= quotient_d;
                shard_bits_q <= shard_bits_q | quotient_d[3:0];
            end
        end
        if (plan_q == 3'd1) begin
            plan_low_q  <= {4'd0, plan_shard_q} * {11'd0, plan_rank_q[3:0]};
            plan_high_q <= {4'd0, plan_shard_q} * {11'd0, plan_rank_q[7:4]};
        end
        if (plan_q == 3'd2) plan_term_q <= {4'd0, plan_low_q} + {plan_high_q, 4'd0};
        if (plan_q == 3'd3) own_q       <= own_q + plan_term_q;
        if (plan_q == 3'd4) plan_shard_end_q <= own_q + {8'd0, plan_shard_q};
        if (plan_q == 3'd5 && plan_clips_q && plan_shard_end_q < shard_end_q) shard_end_q <= plan_shard_end_q;
        if (scaled)
            table_q[enter_class_q ? index_1(newest_1) : {1'b0, newest}] <= {enter_log2_members_q, enter_q};
        else if (emit)
            table_q[at_q] <= {scale_q[36:32], kind_q, type_q, op_q, scale_q[31:0], count_q, dims_q,
                              source_q + {29'd0, rows_cut_q, 8'd0}, dest_q + {29'd0, rows_cut_q, 8'd0}, limit_q,
                              rows_q - {22'd0, rows_cut_q}, tag_q, mark_q + 8'd1};
    end

    // ---- the plan: phases from the right ----
    // An all-reduce of several dimensions: RS of the first, AR of the others, AG of the first.
    localparam [1:0] RS = 2'd1, AR = 2'd2, AG = 2'd3;
    reg [2*PHASES-1:0]  kinds_q, chunk_dims_q;
    reg [11*PHASES-1:0] chunk_shards_q, valids_q;
    reg [47:0] load_address_q, store_address_q, shard_limit_q, chunk_limit_q;
    reg [10:0] load_rows_q, store_rows_q;
    reg [2:0]  load_burst_q, store_burst_q;
    wire all_reduce = kind_q == 2'd0;
    wire [1:0] body = all_reduce ? AR : kind_q == 2'd1 ? RS : AG;
    wire [2:0] length = all_reduce && count_q > 3'd1 ? count_q + 3'd1 : count_q;
    genvar p;
    generate
        for (p = 0; p < PHASES; p = p + 1) begin : g_phase
            localparam [31:0] P = p, N = PHASES;
            wire       used  = P[3:0] + {1'b0, length} >= N[3:0];
            wire [2:0] phase_index = P[2:0] + length - N[2:0];  // among the phases in use
            wire       first = all_reduce && count_q > 3'd1 && phase_index == 3'd0;
            wire       last  = all_reduce && count_q > 3'd1 && phase_index == count_q;
            // The index in the command of the dimension, and of the dimension whose shard is divided here.
            wire [2:0] dim_index = last || !used ? 3'd0 : kind_q == 2'd2 ? count_q - 3'd1 - phase_index : phase_index;
            wire [1:0] phase_kind = !used ? 2'd0 : first ? RS : last ? AG : body;
            wire [10:0] shard = shards_q[dim_index*11 +: 11];
            wire [1:0]  parent_dim = dim_index[1:0] - 2'd1;
            wire [10:0] block_rows = dim_index == 3'd0 ? rows_cut_q :
                                     all_reduce ? shards_q[10:0] : shards_q[parent_dim*11 +: 11];
            always @(posedge clk) if (planned) begin
                kinds_q[p*2 +: 2]         <= phase_kind;
                chunk_dims_q[p*2 +: 2]    <= used ? dims_q[dim_index*2 +: 2] : 2'd0;
                chunk_shards_q[p*11 +: 11] <= used ? shard : 11'd0;
                valids_q[p*11 +: 11]      <= !used ? 11'd0 : phase_kind == AG ? shard : block_rows;
            end
        end
    endgenerate

    wire [47:0] own_bytes = {21'd0, own_q, 8'd0};
    // Every address is a multiple of its burst, so no burst crosses 4 KiB.  Loads and stores of
    // complete chunks begin at a chunk.  The shard that an all-gather loads or a reduce-scatter
    // stores begins at a shard.
    wire [3:0] load_grain  = cfg_chunk_rows[3:0] | (kind_q == 2'd2 ? shard_bits_q : 4'd0);
    wire [3:0] store_grain = cfg_chunk_rows[3:0] | (kind_q == 2'd1 ? shard_bits_q : 4'd0);
    always @(posedge clk) begin
        if (planned) begin
            load_address_q  <= source_q + (kind_q == 2'd2 ? own_bytes : 48'd0);
            load_rows_q     <= kind_q == 2'd2 ? own_rows_q : rows_cut_q;
            store_address_q <= dest_q + (kind_q == 2'd1 ? own_bytes : 48'd0);
            store_rows_q    <= kind_q == 2'd1 ? own_rows_q : rows_cut_q;
            shard_limit_q   <= dest_q + {21'd0, shard_end_q, 8'd0};
            load_burst_q    <= load_grain[0] ? 3'd0 : load_grain[1] ? 3'd1 : load_grain[2] ? 3'd2 :
                               load_grain[3] ? 3'd3 : 3'd4;
            store_burst_q   <= store_grain[0] ? 3'd0 : store_grain[1] ? 3'd1 : store_grain[2] ? 3'd2 :
                               store_grain[3] ? 3'd3 : 3'd4;
            last_q          <= {22'd0, rows_cut_q} == rows_q;
        end
        if (state_q == LIMIT)
            chunk_limit_q <= kind_q == 2'd1 && count_q != 3'd0 && shard_limit_q < limit_q ? shard_limit_q : limit_q;
    end

    assign m_chunk_valid         = state_q == EMIT || state_q == WAIT;
    assign m_chunk_kinds         = kinds_q;
    assign m_chunk_dims          = chunk_dims_q;
    assign m_chunk_shards        = chunk_shards_q;
    assign m_chunk_valids        = valids_q;
    assign m_chunk_type          = type_q;
    assign m_chunk_op            = op_q;
    assign m_chunk_scale         = scale_q;
    assign m_chunk_mark          = mark_q;
    assign m_chunk_load_address  = load_address_q;
    assign m_chunk_load_rows     = load_rows_q;
    assign m_chunk_store_address = store_address_q;
    assign m_chunk_store_rows    = store_rows_q;
    assign m_chunk_limit         = chunk_limit_q;
    assign m_chunk_load_burst    = load_burst_q;
    assign m_chunk_store_burst   = store_burst_q;
    assign m_chunk_last          = last_q;
    assign m_chunk_tag           = tag_q;

    // bytes inside the last row; a rest is below its divisor; members fit
    wire unused = &{1'b0, up[7:0], rest_d[11], last_member[MEMBERS_W], high_q[MEMBERS_W:MEMBERS_W-3]};

endmodule

`default_nettype wire

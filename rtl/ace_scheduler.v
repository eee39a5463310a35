// SPDX-License-Identifier: Apache-2.0
//
// ace_scheduler -- carries up to 64 chunks through load, the phases and store
//
//   s_chunk -> table -> stages 0..PHASES: load, then phases | PHASES+1 store -> m_done
//                       each stage admits in order; work ends in any order;
//                       chunks leave in order
//
// There is one more phase than there are dimensions: PHASES = DIMENSIONS + 1.  Stage s reserves the
// chunk's block in partition s before the work that fills it starts.  So whatever arrives can
// always be stored.  Partition PHASES is the terminal one.  A stage admits chunks in dispatch
// order.  So every node gives room to the same chunks, and the oldest unfinished chunk can always
// advance.  Stage s runs phase s-1, from partition s-1 to partition s.
//
// A decision takes five cycles, and the next one begins only after it is made.  So the state that a
// decision read still holds when the decision is carried out.  The check for room and the
// reservation are therefore atomic.
//
//   look   every cycle: over_q | may_q, need_q -> sum_q -> can_admit_q     of each stage
//   pick   the latest stage that can          -> stage_q, at_q, finish_q
//   move   pointers move on; the chunk's row of the table is read          step 1
//   act    room is reserved or given back, the bus is made                 step 2
//   show   the bus is taken                                                step 3, 4: looks again
//
// No deadlock.  Take the oldest chunk that is not stored.  It is the oldest of its stage, too, and
// one of three cases holds.
// First, its work there goes on.  All that it writes has its room reserved, and its peers admit in
// the same order.  So they have the same chunk or will come to it.
// Second, its work is over.  It then leaves the stage at the next decision.
// Third, it waits before the next stage, whose chunks would all be older.  So that stage is empty;
// its whole partition is free and has room for any chunk.
// A decision that was picked waits for nothing, so it delays others for at most five cycles.
//
// Contract
//   Alone       With cfg_alone a chunk is taken only while no other one is inside.  Then rows may
//               come before their chunk, and wait at their link
//               (docs/design/decisions/0090-pairs-on-rings.md).
//   Window      m_hold is high while cfg_window chunks are inside, or one is entering.  The
//               dispatcher then begins no chunk, so at most cfg_window are ever inside.  0: m_hold
//               stays low.
//   Rate        One admission or one release in five cycles, the latest stage first.
//   Latency     While no other decision is made, the bus answers s_context_done in the fourth cycle
//               after it, s_stored_valid in the fifth, and an event that allows an admission in the
//               sixth.  A chunk enters in five cycles.
//   Ready       m_load_ready and m_store_ready, once 1, stay 1 until a job is given.
//   Banks       A chunk lives in bank (sequence mod 4) from load to store.  So bank conflicts
//               depend on the chunk and never on the rank of the node.
//   Stages      A chunk of m phases is loaded at stage PHASES-m (into partition PHASES-m), and has
//               no work at earlier stages.
//   Reset       rst is synchronous, active high; it forgets every chunk.
//   Twin        cmodel/twin/ace_scheduler.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_scheduler_test.cc).

`default_nettype none

module ace_scheduler #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter CONTEXTS = 16     // contexts of one phase, a power of two, 4..32
) (
    input  wire        clk,
    input  wire        rst,

    input  wire                      cfg_alone,             // a chunk enters when none is inside
    input  wire [6:0]                cfg_window,            // chunks inside, 0: no limit but the table's
    input  wire [8*DIMENSIONS-1:0]   cfg_ring,
    input  wire [8*DIMENSIONS-1:0]   cfg_rank,
    input  wire [12*DIMENSIONS+23:0] cfg_partition_rows,    // 12 bits a partition, in each bank

    input  wire        s_chunk_valid,
    output wire        s_chunk_ready,
    output wire        m_hold,                  // the window is full
    input  wire [2*DIMENSIONS+1:0]   s_chunk_kinds,     // of a phase: 0 none 1 reduce-scatter 2 all-reduce 3 all-gather
    input  wire [2*DIMENSIONS+1:0]   s_chunk_dims,
    input  wire [11*DIMENSIONS+10:0] s_chunk_shards,    // rows, 11 bits a phase
    input  wire [11*DIMENSIONS+10:0] s_chunk_valids,
    input  wire [2:0]  s_chunk_type,
    input  wire [2:0]  s_chunk_op,
    input  wire [36:0] s_chunk_scale,
    input  wire [7:0]  s_chunk_mark,            // identity checked between nodes
    input  wire [47:0] s_chunk_load_address,
    input  wire [10:0] s_chunk_load_rows,
    input  wire [47:0] s_chunk_store_address,
    input  wire [10:0] s_chunk_store_rows,
    input  wire [47:0] s_chunk_limit,           // end of the payload at the destination
    input  wire [2:0]  s_chunk_load_burst,
    input  wire [2:0]  s_chunk_store_burst,
    input  wire        s_chunk_last,
    input  wire [15:0] s_chunk_tag,

    // Jobs of the two DMAs; `row`, `base`, `end` are rows of bank `bank`
    output wire        m_load_valid,           // a strobe: ready was checked before
    input  wire        m_load_ready,
    output wire        m_store_valid,
    input  wire        m_store_ready,
    output wire [47:0] m_job_address,
    output wire [10:0] m_job_rows,
    output wire [47:0] m_job_limit,
    output wire [2:0]  m_job_burst,
    output wire [1:0]  m_job_bank,
    output wire [11:0] m_job_row,
    output wire [11:0] m_job_base,
    output wire [11:0] m_job_end,
    output wire [5:0]  m_job_id,
    input  wire        s_loaded_valid,
    input  wire [5:0]  s_loaded_id,
    input  wire        s_stored_valid,
    input  wire [5:0]  s_stored_id,

    // Admission of a chunk to a context of an FSM, and its release
    output wire        m_admit_valid,
    output wire        m_release_valid,
    output wire [2:0]  m_context_phase,
    output wire [4:0]  m_context_index,
    output wire [1:0]  m_admit_kind,
    output wire [1:0]  m_admit_dim,
    output wire [7:0]  m_admit_ring,
    output wire [7:0]  m_admit_rank,
    output wire [10:0] m_admit_shard,
    output wire [10:0] m_admit_valids,
    output wire [11:0] m_admit_source_row,
    output wire [11:0] m_admit_target_row,
    output wire [2:0]  m_admit_type,
    output wire [2:0]  m_admit_op,          // an average is a sum until the last phase that reduces
    output wire [36:0] m_admit_scale,
    output wire [7:0]  m_admit_mark,
    input  wire [(DIMENSIONS+1)*CONTEXTS-1:0] s_context_done,
    output wire [5*DIMENSIONS+4:0] m_oldest,    // context of each phase's oldest chunk, 5 bits a phase
    output wire        m_load_first,            // phase 0 has one loaded chunk or none: loads go before all else

    // Completion of a collective
    output wire        m_done_valid,
    output wire [15:0] m_done_tag,

    output wire        busy                 // chunks are in flight
);

    localparam CONTEXT_W  = $clog2(CONTEXTS);
    localparam PHASES     = DIMENSIONS + 1;
    localparam PARTITIONS = PHASES + 1;
    localparam STAGES     = PARTITIONS + 1;
    localparam ROWS_W     = 12 * PARTITIONS;
    localparam [31:0] STORE_STAGE = PARTITIONS;
    localparam [2:0]  STORE = STORE_STAGE[2:0];

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (CONTEXTS != 4 && CONTEXTS != 8 && CONTEXTS != 16 && CONTEXTS != 32) begin : g_illegal_contexts
            CONTEXTS_must_be_a_power_of_two_from_4_to_32 stop ();
        end
    endgenerate

    // ---- chunk table: a row a chunk, which is written as it comes and read as it is moved ----
    localparam LAST_W  = 17;                                    // tag, last
    localparam JOBS_W  = 48 + 48 + 11 + 48 + 11 + 3 + 3;        // limit, store, load, their bursts
    localparam KIND_W  = 3 + 3 + 37 + 8;                        // type, op, scale, mark
    localparam CHUNK_W = LAST_W + JOBS_W + KIND_W + 26 * PHASES;
    reg [CHUNK_W-1:0] table_q [0:63];
    reg [CHUNK_W-1:0] read_q;
    reg [2:0]  first_q [0:63];              // stage that loads it
    reg [63:0] loaded_q, stored_q;

    // ---- pointers: dispatched, then per stage admitted and left ----
    reg [6:0]  dispatched_q;
    reg [6:0]  admitted_q [0:STAGES-1];
    reg [6:0]  finished_q [0:STAGES-1];
    reg [12:0] used_q     [0:4*PARTITIONS-1];   // rows, partition * 4 + bank
    reg [11:0] next_q     [0:4*PARTITIONS-1];

    // ---- the decision under way ----
    reg [2:0]  step_q;                      // 0: none   1 move   2 act   3, 4 show and look again
    reg [2:0]  stage_q;
    reg [5:0]  at_q;                        // its chunk
    reg        finish_q;                    // else it is admitted
    wire move = step_q == 3'd1;
    wire act  = step_q == 3'd2;
    wire show = step_q == 3'd3;

    // Partitions follow one another in each bank.  Constant some cycles after the reset.
    reg [ROWS_W-1:0] base_q, end_q;         // its first row, and its last
    genvar g;
    generate
        for (g = 0; g < PARTITIONS; g = g + 1) begin : g_base
            wire [11:0] rows = cfg_partition_rows[g*12 +: 12];
            always @(posedge clk) end_q[g*12 +: 12] <= base_q[g*12 +: 12] + rows - 12'd1;
            if (g == 0) begin : g_first
                always @(posedge clk) base_q[11:0] <= 12'd0;
            end else begin : g_next
                always @(posedge clk)
                    base_q[g*12 +: 12] <= base_q[(g-1)*12 +: 12] + cfg_partition_rows[(g-1)*12 +: 12];
            end
        end
    endgenerate

    // ---- a chunk enters ----
    // The block of a partition needs as many rows as its phase reads or the phase before wrote,
    // whichever is more.  Four steps find the number: choose the rings, multiply by the digits of a
    // shard, add, compare.
    reg [2:0]           enter_q;            // 0: none   1 choose   2 multiply   3 add   4 compare
    reg [2*PHASES-1:0]  enter_kinds_q, enter_dims_q;
    reg [11*PHASES-1:0] enter_shards_q;
    reg [10:0]          enter_rows_q;
    reg [8*PHASES-1:0]  enter_ring_q;
    reg [12*PHASES-1:0] enter_low_q, enter_block_q;
    reg [8*PHASES-1:0]  enter_high_q;

    wire [6:0] chunks_in = dispatched_q - finished_q[STORE];
    wire full = chunks_in == 7'd64;
    assign m_hold = cfg_window != 7'd0 && (enter_q != 3'd0 || chunks_in >= cfg_window);
    wire [6:0] in_first = finished_q[0] - finished_q[1];
    assign m_load_first  = in_first < 7'd2;
    assign s_chunk_ready = enter_q == 3'd0 && (cfg_alone ? dispatched_q == finished_q[STORE] : !full);
    assign busy = dispatched_q != finished_q[STORE] || enter_q != 3'd0 || step_q != 3'd0;
    wire enter = s_chunk_valid && s_chunk_ready;
    wire entered = enter_q == 3'd4;

    reg [2:0]  first;
    integer    k;
    always @* begin
        first = STORE - 3'd1;
        for (k = PHASES - 1; k >= 0; k = k - 1)
            if (enter_kinds_q[2*k +: 2] != 2'd0) first = k[2:0];
    end
    wire [ROWS_W-1:0] in_rows, out_rows, needs;
    generate
        for (g = 0; g < PHASES; g = g + 1) begin : g_need
            wire [1:0]  kind  = enter_kinds_q[g*2 +: 2];
            wire [1:0]  dim   = enter_dims_q[g*2 +: 2];
            wire [11:0] shard = {1'b0, enter_shards_q[g*11 +: 11]};
            wire [11:0] block = enter_block_q[g*12 +: 12];
            assign in_rows[g*12 +: 12] = kind == 2'd0 ? 12'd0 : kind == 2'd3 ? shard : block;
            assign out_rows[(g+1)*12 +: 12] = kind == 2'd0 ? 12'd0 : kind == 2'd1 ? shard : block;
            always @(posedge clk) begin
                enter_ring_q [g*8 +: 8]   <= cfg_ring[dim*8 +: 8];
                enter_low_q  [g*12 +: 12] <= shard * {8'd0, enter_ring_q[g*8 +: 4]};
                enter_high_q [g*8 +: 8]   <= shard[7:0] * {4'd0, enter_ring_q[g*8+4 +: 4]};
                enter_block_q[g*12 +: 12] <= enter_low_q[g*12 +: 12] + {enter_high_q[g*8 +: 8], 4'd0};
            end
        end
        for (g = 0; g < PARTITIONS; g = g + 1) begin : g_max
            assign needs[g*12 +: 12] = in_rows[g*12 +: 12] > out_rows[g*12 +: 12]
                                     ? in_rows[g*12 +: 12] : out_rows[g*12 +: 12];
        end
    endgenerate
    assign in_rows[12*PHASES +: 12] = first == STORE - 3'd1 ? {1'b0, enter_rows_q} : 12'd0;
    assign out_rows[0 +: 12] = 12'd0;

    // ---- look: what each stage can do ----
    // Pointers change in step 2 of a decision, so all of these are up to date in step 0.
    reg [STAGES-1:0] over_q;                // the oldest's work at this stage is over
    reg [STAGES-1:0] may_q, asks_q;         // a chunk waits, and the stage's window is open
    reg [PARTITIONS-1:0] loads_q, starts_q; // it is loaded here
    reg [STAGES-1:0] can_admit_q;           // its block fits, its unit is free
    wire [STAGES-1:0] over, may, fits;
    wire [PARTITIONS-1:0] loads;
    wire [12*PARTITIONS-1:0] chunk_needs;   // of the chunk that is moved, in step 2
    wire [12*PARTITIONS-1:0] chunk_rows;    // where its blocks begin
    wire [11:0]              reserve_row;
    generate
        for (g = 0; g < STAGES; g = g + 1) begin : g_stage
            localparam [2:0] S = g;
            wire [5:0] oldest = finished_q[g][5:0];
            wire       waits  = g == 0 ? admitted_q[0] != dispatched_q
                                       : admitted_q[g] != finished_q[g == 0 ? 0 : g - 1];
            wire       holds  = admitted_q[g] != finished_q[g];
            if (g < PARTITIONS) begin : g_partition
                wire [5:0] newest = admitted_q[g][5:0];
                reg [11:0] needs_q [0:63];      // rows of each chunk's block
                reg [11:0] rows_q  [0:63];      // where it begins
                reg [11:0] need_q;              // of the newest, in step 2 of the chunk that is moved
                reg [11:0] row_q;
                reg [12:0] sum_q;               // what would be used with it
                always @(posedge clk) begin
                    if (entered) needs_q[dispatched_q[5:0]] <= needs[g*12 +: 12];
                    if (act && !finish_q && stage_q == S) rows_q[at_q] <= reserve_row;
                    need_q <= needs_q[move ? at_q : newest];
                    if (move) row_q <= rows_q[at_q];
                    sum_q  <= used_q[{S, newest[1:0]}] + {1'b0, need_q};
                end
                assign chunk_needs[g*12 +: 12] = need_q;
                assign chunk_rows[g*12 +: 12]  = row_q;
                assign loads[g] = first_q[newest] == S;
                assign fits[g] = sum_q <= {1'b0, cfg_partition_rows[g*12 +: 12]} && (!starts_q[g] || m_load_ready);
                if (g == 0) begin : g_load
                    assign over[g] = holds && (first_q[oldest] != S || loaded_q[oldest]);
                    assign may[g]  = waits;
                end else begin : g_phase
                    wire [6:0] window = admitted_q[g] - finished_q[g];
                    wire [2:0] oldest_first = first_q[oldest];
                    assign over[g] = holds && (oldest_first > S ||
                                     (oldest_first == S ? loaded_q[oldest] :
                                      s_context_done[(g-1)*CONTEXTS + {26'd0, oldest} % CONTEXTS]));
                    assign may[g]  = waits && window < CONTEXTS[6:0];
                end
            end else begin : g_store
                assign fits[g]  = m_store_ready;
                assign over[g]  = holds && stored_q[oldest];
                assign may[g]   = waits;
            end
        end
    endgenerate
    always @(posedge clk) begin
        loads_q  <= loads;
        starts_q <= loads_q;
        if (rst) begin
            over_q      <= {STAGES{1'b0}};
            may_q       <= {STAGES{1'b0}};
            asks_q      <= {STAGES{1'b0}};
            can_admit_q <= {STAGES{1'b0}};
        end else begin
            over_q      <= over;
            may_q       <= may;
            asks_q      <= may_q;
            can_admit_q <= asks_q & fits;
        end
    end

    // ---- pick: the latest stage that can; release before admission ----
    wire [STAGES-1:0] can = over_q | can_admit_q;
    reg [2:0] stage;
    integer   s;
    always @* begin
        stage = 3'd0;
        for (s = 1; s < STAGES; s = s + 1)
            if (can[s]) stage = s[2:0];
    end
    wire finish = over_q[stage];
    wire pick   = step_q == 3'd0 && can != {STAGES{1'b0}};
    wire [5:0] chunk = finish ? finished_q[stage][5:0] : admitted_q[stage][5:0];

    // ---- move and act ----
    wire store = stage_q == STORE;
    wire [2:0] behind = stage_q - 3'd1;     // the partition before, and the phase that works at this stage
    wire [2:0] part   = store ? behind : stage_q;
    wire [4:0] room_at = {finish_q ? behind : stage_q, at_q[1:0]};
    reg [2:0]  chunk_first_q;
    reg [11:0] chunk_base_q, chunk_end_q, chunk_part_q;     // of its partition
    reg [11:0] chunk_next_q;                // where its block begins there
    reg [12:0] chunk_used_q;                // of the partition it comes to, or leaves
    reg [12:0] chunk_sum_q;                 // where the block after it begins, but for the wrap
    wire working = !store && stage_q > chunk_first_q;
    wire [11:0] stage_need  = chunk_needs[stage_q*12 +: 12];
    wire [11:0] behind_need = chunk_needs[behind*12 +: 12];
    assign reserve_row = chunk_base_q + chunk_next_q;
    wire [12:0] wrapped = chunk_sum_q - {1'b0, chunk_part_q};   // the sign decides
    integer i;
    always @(posedge clk) begin
        if (rst) begin
            dispatched_q <= 7'd0;
            enter_q      <= 3'd0;
            step_q       <= 3'd0;
            loaded_q     <= 64'd0;
            stored_q     <= 64'd0;
            for (i = 0; i < STAGES; i = i + 1) begin
                admitted_q[i] <= 7'd0;
                finished_q[i] <= 7'd0;
            end
            for (i = 0; i < 4 * PARTITIONS; i = i + 1) begin
                used_q[i] <= 13'd0;
                next_q[i] <= 12'd0;
            end
        end else begin
            enter_q <= enter || (enter_q != 3'd0 && !entered) ? enter_q + 3'd1 : 3'd0;
            step_q  <= pick || (step_q != 3'd0 && step_q != 3'd4) ? step_q + 3'd1 : 3'd0;
            if (entered) dispatched_q <= dispatched_q + 7'd1;
            if (move && finish_q)  finished_q[stage_q] <= finished_q[stage_q] + 7'd1;
            if (move && !finish_q) admitted_q[stage_q] <= admitted_q[stage_q] + 7'd1;
            if (act && finish_q) begin
                if (stage_q != 3'd0)          used_q[room_at] <= chunk_used_q - {1'b0, behind_need};
                if (stage_q == chunk_first_q) loaded_q[at_q] <= 1'b0;
                if (store)                    stored_q[at_q] <= 1'b0;
            end
            if (act && !finish_q && !store) used_q[room_at] <= chunk_used_q + {1'b0, stage_need};
            if (show && !finish_q && !store) next_q[room_at] <= wrapped[12] ? chunk_sum_q[11:0] : wrapped[11:0];
            if (s_loaded_valid) loaded_q[s_loaded_id] <= 1'b1;
            if (s_stored_valid) stored_q[s_stored_id] <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (enter) begin
            table_q[dispatched_q[5:0]] <= {
                s_chunk_tag, s_chunk_last, s_chunk_limit, s_chunk_store_address, s_chunk_store_rows,
                s_chunk_load_address, s_chunk_load_rows, s_chunk_store_burst, s_chunk_load_burst,
                s_chunk_type, s_chunk_op, s_chunk_scale, s_chunk_mark,
                s_chunk_kinds, s_chunk_dims, s_chunk_shards, s_chunk_valids};
            enter_kinds_q  <= s_chunk_kinds;
            enter_dims_q   <= s_chunk_dims;
            enter_shards_q <= s_chunk_shards;
            enter_rows_q   <= s_chunk_load_rows;
        end
        if (entered) first_q[dispatched_q[5:0]] <= first;
        if (pick) begin
            stage_q  <= stage;
            at_q     <= chunk;
            finish_q <= finish;
        end
        if (move) begin
            read_q        <= table_q[at_q];
            chunk_first_q <= first_q[at_q];
            chunk_base_q  <= base_q[part*12 +: 12];
            chunk_end_q   <= end_q[part*12 +: 12];
            chunk_part_q  <= cfg_partition_rows[part*12 +: 12];
            chunk_next_q  <= next_q[room_at];
            chunk_used_q  <= used_q[room_at];
        end
        if (act) chunk_sum_q <= {1'b0, chunk_next_q} + {1'b0, stage_need};
    end

    // ---- the bus: jobs of the DMAs, admissions to the contexts and their releases ----
    wire [15:0] chunk_tag;
    wire        chunk_last;
    wire [47:0] chunk_limit, chunk_store_address, chunk_load_address;
    wire [10:0] chunk_store_rows, chunk_load_rows;
    wire [2:0]  chunk_store_burst, chunk_load_burst;
    wire [2:0]  chunk_type, chunk_op;
    wire [36:0] chunk_scale;
    wire [7:0]  chunk_mark;
    wire [2*PHASES-1:0]  chunk_kinds, chunk_dims;
    wire [11*PHASES-1:0] chunk_shards, chunk_valids;
    assign {chunk_tag, chunk_last, chunk_limit, chunk_store_address, chunk_store_rows,
            chunk_load_address, chunk_load_rows, chunk_store_burst, chunk_load_burst,
            chunk_type, chunk_op, chunk_scale, chunk_mark,
            chunk_kinds, chunk_dims, chunk_shards, chunk_valids} = read_q;
    wire [1:0]  dim = chunk_dims[behind*2 +: 2];
    wire [2*PHASES-1:0] kinds_after = {2'd3, chunk_kinds[2*PHASES-1:2]};
    wire        reduces_on  = kinds_after[behind*2 +: 2] != 2'd3;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1;

    reg        load_q, store_q, admit_q, release_q, done_q;
    reg [47:0] job_address_q, job_limit_q;
    reg [10:0] job_rows_q;
    reg [2:0]  job_burst_q;
    reg [11:0] job_base_q, job_end_q;
    reg [11:0] source_row_q, target_row_q;
    reg [1:0]  kind_q, dim_q;
    reg [7:0]  ring_q, rank_q, mark_q;
    reg [10:0] shard_q, valids_q;
    reg [2:0]  type_q, op_q;
    reg [36:0] scale_q;
    reg [15:0] tag_q;
    reg [5*PHASES-1:0] oldest_q;
    always @(posedge clk) begin
        if (rst) begin
            load_q    <= 1'b0;
            store_q   <= 1'b0;
            admit_q   <= 1'b0;
            release_q <= 1'b0;
            done_q    <= 1'b0;
            oldest_q  <= {5*PHASES{1'b0}};
        end else begin
            load_q    <= act && !finish_q && !store && stage_q == chunk_first_q;
            store_q   <= act && !finish_q && store;
            admit_q   <= act && !finish_q && working;
            release_q <= act && finish_q && working;
            done_q    <= act && finish_q && store && chunk_last;
            if (show && finish_q && stage_q != 3'd0 && !store)
                oldest_q[behind*5 +: 5] <= finished_q[stage_q][4:0] & (CONTEXTS[4:0] - 5'd1);
        end
    end
    always @(posedge clk) if (act) begin
        job_address_q <= store ? chunk_store_address : chunk_load_address;
        job_rows_q    <= store ? chunk_store_rows : chunk_load_rows;
        job_limit_q   <= chunk_limit;
        job_burst_q   <= store ? chunk_store_burst : chunk_load_burst;
        job_base_q    <= chunk_base_q;
        job_end_q     <= chunk_end_q;
        source_row_q  <= chunk_rows[behind*12 +: 12];
        target_row_q  <= reserve_row;
        kind_q        <= chunk_kinds[behind*2 +: 2];
        dim_q         <= dim;
        ring_q        <= cfg_ring[dim*8 +: 8];
        rank_q        <= cfg_rank[dim*8 +: 8];
        shard_q       <= chunk_shards[behind*11 +: 11];
        valids_q      <= chunk_valids[behind*11 +: 11];
        type_q        <= chunk_type;
        op_q          <= chunk_op == AVERAGE && reduces_on ? SUM : chunk_op;
        scale_q       <= chunk_scale;
        mark_q        <= chunk_mark;
        tag_q         <= chunk_tag;
    end

    assign m_load_valid  = load_q;
    assign m_store_valid = store_q;
    assign m_job_address = job_address_q;
    assign m_job_rows    = job_rows_q;
    assign m_job_limit   = job_limit_q;
    assign m_job_burst   = job_burst_q;
    assign m_job_bank    = at_q[1:0];
    assign m_job_row     = store ? source_row_q : target_row_q;     // a store reads the partition before its stage
    assign m_job_base    = job_base_q;
    assign m_job_end     = job_end_q;
    assign m_job_id      = at_q;

    assign m_admit_valid   = admit_q;
    assign m_release_valid = release_q;
    assign m_context_phase = behind;
    assign m_context_index = {{(5-CONTEXT_W){1'b0}}, at_q[CONTEXT_W-1:0]};
    assign m_admit_kind       = kind_q;
    assign m_admit_dim        = dim_q;
    assign m_admit_ring       = ring_q;
    assign m_admit_rank       = rank_q;
    assign m_admit_shard      = shard_q;
    assign m_admit_valids     = valids_q;
    assign m_admit_source_row = source_row_q;
    assign m_admit_target_row = target_row_q;
    assign m_admit_type       = type_q;
    assign m_admit_op         = op_q;
    assign m_admit_scale      = scale_q;
    assign m_admit_mark       = mark_q;
    assign m_oldest           = oldest_q;
    assign m_done_valid       = done_q;
    assign m_done_tag         = tag_q;

endmodule

`default_nettype wire

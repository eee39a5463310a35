// SPDX-License-Identifier: Apache-2.0
//
// ace_scheduler -- carries up to 64 chunks through load, the phases and store
//
//   s_chunk -> table -> stage 0 load | 1..PHASES phases | PHASES+1 store -> m_done
//                       each stage admits in order, finishes in any order,
//                       releases in order
//
// There is a phase more than there are dimensions: PHASES = DIMENSIONS + 1.  Stage s reserves
// the chunk's block in partition s (partition PHASES is the terminal one) before
// the work that fills it starts, so whatever arrives can always be stored.  A stage
// admits chunks in dispatch order: every node then gives room to the same chunks,
// and the oldest unfinished one can always advance.
//
// Contract
//   Rate        one admission or one release a cycle, the latest stage first.
//   Banks       a chunk lives in bank (sequence mod 4) from load to store, so bank
//               conflicts depend on the chunk and never on the rank of the node.
//   Stages      A chunk of m phases is loaded at stage PHASES-m (into partition PHASES-m), and
//               has no work at the stages before.
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

    input  wire [8*DIMENSIONS-1:0]   cfg_ring,
    input  wire [8*DIMENSIONS-1:0]   cfg_rank,
    input  wire [12*DIMENSIONS+23:0] cfg_partition_rows,    // 12 bits a partition, in each bank

    input  wire        s_chunk_valid,
    output wire        s_chunk_ready,
    input  wire [2*DIMENSIONS+1:0]   s_chunk_kinds,
    input  wire [2*DIMENSIONS+1:0]   s_chunk_dims,
    input  wire [11*DIMENSIONS+10:0] s_chunk_shards,
    input  wire [11*DIMENSIONS+10:0] s_chunk_valids,
    input  wire [2:0]  s_chunk_type,
    input  wire [2:0]  s_chunk_op,
    input  wire [36:0] s_chunk_scale,
    input  wire [7:0]  s_chunk_mark,
    input  wire [47:0] s_chunk_load_address,
    input  wire [10:0] s_chunk_load_rows,
    input  wire [47:0] s_chunk_store_address,
    input  wire [10:0] s_chunk_store_rows,
    input  wire [47:0] s_chunk_limit,
    input  wire [2:0]  s_chunk_load_burst,
    input  wire [2:0]  s_chunk_store_burst,
    input  wire        s_chunk_last,
    input  wire [15:0] s_chunk_tag,

    // Jobs of the two DMAs; `row`, `base`, `end` are rows of bank `bank`
    output wire        m_load_valid,
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
    output wire [5*DIMENSIONS+4:0] m_oldest,    // index of each phase's oldest chunk, 5 bits a phase

    // Completion of a collective
    output reg         m_done_valid,
    output reg  [15:0] m_done_tag,

    output wire        busy                 // chunks are in flight
);

    localparam CONTEXT_W  = $clog2(CONTEXTS);
    localparam PHASES     = DIMENSIONS + 1;
    localparam PARTITIONS = PHASES + 1;
    localparam STAGES     = PARTITIONS + 1;
    localparam ROWS_W     = 12 * PARTITIONS;
    localparam [31:0] STORE_STAGE = PARTITIONS;
    localparam [2:0]  STORE = STORE_STAGE[2:0];

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (CONTEXTS != 4 && CONTEXTS != 8 && CONTEXTS != 16 && CONTEXTS != 32) begin : g_illegal_contexts
            CONTEXTS_must_be_a_power_of_two_from_4_to_32 stop ();
        end
    endgenerate

    // ---- chunk table ----
    reg [2*PHASES-1:0]  kinds_q  [0:63];
    reg [2*PHASES-1:0]  dims_q   [0:63];
    reg [11*PHASES-1:0] shards_q [0:63];
    reg [11*PHASES-1:0] valids_q [0:63];
    reg [2:0]  type_q   [0:63];
    reg [2:0]  op_q     [0:63];
    reg [36:0] scale_q  [0:63];
    reg [7:0]  mark_q   [0:63];
    reg [47:0] load_address_q  [0:63];
    reg [10:0] load_rows_q     [0:63];
    reg [47:0] store_address_q [0:63];
    reg [10:0] store_rows_q    [0:63];
    reg [47:0] limit_q  [0:63];
    reg [2:0]  load_burst_q  [0:63];
    reg [2:0]  store_burst_q [0:63];
    reg        last_q   [0:63];
    reg [15:0] tag_q    [0:63];
    reg [2:0]  first_q  [0:63];             // stage that loads it
    reg [ROWS_W-1:0] needs_q [0:63];        // rows in each partition, 12 bits each
    reg [ROWS_W-1:0] rows_q  [0:63];        // where its block begins in each partition
    reg [63:0] loaded_q, stored_q;

    // ---- pointers: dispatched, then per stage admitted and finished ----
    reg [6:0]  dispatched_q;
    reg [6:0]  admitted_q [0:STAGES-1];
    reg [6:0]  finished_q [0:STAGES-1];
    reg [12:0] used_q     [0:4*PARTITIONS-1];   // rows, partition * 4 + bank
    reg [11:0] next_q     [0:4*PARTITIONS-1];

    assign s_chunk_ready = dispatched_q - finished_q[STORE] != 7'd64;
    assign busy = dispatched_q != finished_q[STORE];
    wire enter = s_chunk_valid && s_chunk_ready;

    // What the block of each partition needs: the larger of what the phase reads and
    // what the phase before wrote.
    reg [2:0]  first;
    integer    k;
    always @* begin
        first = STORE - 3'd1;
        for (k = PHASES - 1; k >= 0; k = k - 1)
            if (s_chunk_kinds[2*k +: 2] != 2'd0) first = k[2:0];
    end
    wire [ROWS_W-1:0] in_rows, out_rows, needs;
    genvar g;
    generate
        for (g = 0; g < PHASES; g = g + 1) begin : g_need
            wire [1:0]  kind  = s_chunk_kinds[g*2 +: 2];
            wire [11:0] shard = {1'b0, s_chunk_shards[g*11 +: 11]};
            wire [1:0]  dim   = s_chunk_dims[g*2 +: 2];
            wire [11:0] block = shard * {4'd0, cfg_ring[dim*8 +: 8]};
            assign in_rows[g*12 +: 12] = kind == 2'd0 ? 12'd0 : kind == 2'd3 ? shard : block;
            assign out_rows[(g+1)*12 +: 12] = kind == 2'd0 ? 12'd0 : kind == 2'd1 ? shard : block;
        end
        for (g = 0; g < PARTITIONS; g = g + 1) begin : g_max
            assign needs[g*12 +: 12] = in_rows[g*12 +: 12] > out_rows[g*12 +: 12]
                                     ? in_rows[g*12 +: 12] : out_rows[g*12 +: 12];
        end
    endgenerate
    assign in_rows[12*PHASES +: 12] = first == STORE - 3'd1 ? {1'b0, s_chunk_load_rows} : 12'd0;
    assign out_rows[0 +: 12] = 12'd0;

    // ---- which stage acts: the latest that can; release before admission ----
    wire [STAGES-1:0] can_finish, can_admit;
    generate
        for (g = 0; g < STAGES; g = g + 1) begin : g_stage
            localparam [2:0] S = g;
            wire [5:0] oldest = finished_q[g][5:0];
            wire [5:0] newest = admitted_q[g][5:0];
            wire       over;                // the oldest's work at this stage is over
            wire       fits;                // the newest's block fits, its unit is free
            wire       waits = g == 0 ? newest != dispatched_q[5:0] || admitted_q[0] != dispatched_q
                                      : admitted_q[g] != finished_q[g == 0 ? 0 : g - 1];
            if (g < PARTITIONS) begin : g_partition
                wire [4:0]  at   = {S, newest[1:0]};
                wire [12:0] need = {1'b0, needs_q[newest][g*12 +: 12]};
                wire        room = used_q[at] + need <= {1'b0, cfg_partition_rows[g*12 +: 12]};
                wire        load = first_q[newest] != S || m_load_ready;
                if (g == 0) begin : g_load
                    assign over = first_q[oldest] != S || loaded_q[oldest];
                    assign fits = room && load;
                end else begin : g_phase
                    wire [6:0] window = admitted_q[g] - finished_q[g];
                    wire [2:0] oldest_first = first_q[oldest];
                    assign over = oldest_first > S ||
                                  (oldest_first == S ? loaded_q[oldest] :
                                   s_context_done[(g-1)*CONTEXTS + {26'd0, oldest} % CONTEXTS]);
                    assign fits = room && load && window < CONTEXTS[6:0];
                end
            end else begin : g_store
                assign over = stored_q[oldest];
                assign fits = m_store_ready;
            end
            assign can_finish[g] = admitted_q[g] != finished_q[g] && over;
            assign can_admit[g]  = waits && fits;
            if (g > 0 && g < PARTITIONS) begin : g_oldest
                assign m_oldest[(g-1)*5 +: 5] = {{(5-CONTEXT_W){1'b0}}, oldest[CONTEXT_W-1:0]};
            end
        end
    endgenerate
    wire [STAGES-1:0] can = can_finish | can_admit;
    reg [2:0] stage;
    integer   s;
    always @* begin
        stage = 3'd0;
        for (s = 1; s < STAGES; s = s + 1)
            if (can[s]) stage = s[2:0];
    end
    wire finish = can_finish[stage];
    wire admit  = can_admit[stage] && !finish;

    wire [5:0] chunk = finish ? finished_q[stage][5:0] : admitted_q[stage][5:0];
    wire [1:0] bank  = chunk[1:0];
    wire [2:0] release_stage = stage - 3'd1;
    wire [4:0] release_at = {release_stage, bank};
    wire [4:0] reserve_at = {stage, bank};
    wire [ROWS_W-1:0] chunk_needs = needs_q[chunk];
    wire [ROWS_W-1:0] chunk_rows  = rows_q[chunk];
    wire [11:0] reserve_rows = chunk_needs[stage*12 +: 12];
    wire [11:0] partition_rows = cfg_partition_rows[stage*12 +: 12];
    wire [12:0] next_sum = {1'b0, next_q[reserve_at]} + {1'b0, reserve_rows};
    wire [12:0] next_d = next_sum >= {1'b0, partition_rows} ? next_sum - {1'b0, partition_rows} : next_sum;
    wire unused = &{1'b0, can[0], next_d[12]};  // stage 0 is what remains; an offset fits 12 bits

    // Partitions lie one after the other in each bank.
    reg [ROWS_W-1:0] base;
    reg [11:0]       after;
    integer          p;
    always @* begin
        after = 12'd0;
        for (p = 0; p < PARTITIONS; p = p + 1) begin
            base[p*12 +: 12] = after;
            after = after + cfg_partition_rows[p*12 +: 12];
        end
    end
    wire [11:0] reserve_base = base[stage*12 +: 12];
    wire [11:0] reserve_row  = reserve_base + next_q[reserve_at];

    // ---- DMA jobs ----
    wire [2:0] chunk_first = first_q[chunk];
    wire store = stage == STORE;
    assign m_load_valid  = admit && !store && stage == chunk_first;
    assign m_store_valid = admit && store;
    assign m_job_address = store ? store_address_q[chunk] : load_address_q[chunk];
    assign m_job_rows    = store ? store_rows_q[chunk] : load_rows_q[chunk];
    assign m_job_limit   = limit_q[chunk];
    assign m_job_burst   = store ? store_burst_q[chunk] : load_burst_q[chunk];
    assign m_job_bank    = bank;
    assign m_job_row     = store ? chunk_rows[12*PHASES +: 12] : reserve_row;
    assign m_job_base    = store ? base[12*PHASES +: 12] : reserve_base;
    assign m_job_end     = m_job_base + (store ? cfg_partition_rows[12*PHASES +: 12] : partition_rows) - 12'd1;
    assign m_job_id      = chunk;

    // ---- contexts ----
    wire [2:0] phase = release_stage;
    wire working = !store && stage > chunk_first;
    assign m_admit_valid   = admit && working;
    assign m_release_valid = finish && working;
    assign m_context_phase = phase;
    assign m_context_index = {{(5-CONTEXT_W){1'b0}}, chunk[CONTEXT_W-1:0]};

    wire [1:0]  kind  = kinds_q[chunk][phase*2 +: 2];
    wire [1:0]  dim   = dims_q[chunk][phase*2 +: 2];
    wire [2*PHASES-1:0] kinds_after = {2'd3, kinds_q[chunk][2*PHASES-1:2]};
    wire        reduces_on  = kinds_after[phase*2 +: 2] != 2'd3;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1;
    assign m_admit_kind       = kind;
    assign m_admit_dim        = dim;
    assign m_admit_ring       = cfg_ring[dim*8 +: 8];
    assign m_admit_rank       = cfg_rank[dim*8 +: 8];
    assign m_admit_shard      = shards_q[chunk][phase*11 +: 11];
    assign m_admit_valids     = valids_q[chunk][phase*11 +: 11];
    assign m_admit_source_row = chunk_rows[phase*12 +: 12];
    assign m_admit_target_row = reserve_row;
    assign m_admit_type       = type_q[chunk];
    assign m_admit_op         = op_q[chunk] == AVERAGE && reduces_on ? SUM : op_q[chunk];
    assign m_admit_scale      = scale_q[chunk];
    assign m_admit_mark       = mark_q[chunk];

    integer i;
    always @(posedge clk) begin
        if (rst) begin
            dispatched_q <= 7'd0;
            loaded_q     <= 64'd0;
            stored_q     <= 64'd0;
            m_done_valid <= 1'b0;
            for (i = 0; i < STAGES; i = i + 1) begin
                admitted_q[i] <= 7'd0;
                finished_q[i] <= 7'd0;
            end
            for (i = 0; i < 4 * PARTITIONS; i = i + 1) begin
                used_q[i] <= 13'd0;
                next_q[i] <= 12'd0;
            end
        end else begin
            if (enter) dispatched_q <= dispatched_q + 7'd1;
            if (finish) begin
                finished_q[stage] <= finished_q[stage] + 7'd1;
                if (stage != 3'd0)
                    used_q[release_at] <= used_q[release_at] - {1'b0, chunk_needs[release_stage*12 +: 12]};
                if (stage == chunk_first) loaded_q[chunk] <= 1'b0;
                if (store)                stored_q[chunk] <= 1'b0;
            end
            if (admit) begin
                admitted_q[stage] <= admitted_q[stage] + 7'd1;
                if (!store) begin
                    used_q[reserve_at] <= used_q[reserve_at] + {1'b0, reserve_rows};
                    next_q[reserve_at] <= next_d[11:0];
                end
            end
            if (s_loaded_valid) loaded_q[s_loaded_id] <= 1'b1;
            if (s_stored_valid) stored_q[s_stored_id] <= 1'b1;
            m_done_valid <= finish && store && last_q[chunk];
        end
    end

    always @(posedge clk) begin
        if (enter) begin
            kinds_q [dispatched_q[5:0]] <= s_chunk_kinds;
            dims_q  [dispatched_q[5:0]] <= s_chunk_dims;
            shards_q[dispatched_q[5:0]] <= s_chunk_shards;
            valids_q[dispatched_q[5:0]] <= s_chunk_valids;
            type_q  [dispatched_q[5:0]] <= s_chunk_type;
            op_q    [dispatched_q[5:0]] <= s_chunk_op;
            scale_q [dispatched_q[5:0]] <= s_chunk_scale;
            mark_q  [dispatched_q[5:0]] <= s_chunk_mark;
            load_address_q [dispatched_q[5:0]] <= s_chunk_load_address;
            load_rows_q    [dispatched_q[5:0]] <= s_chunk_load_rows;
            store_address_q[dispatched_q[5:0]] <= s_chunk_store_address;
            store_rows_q   [dispatched_q[5:0]] <= s_chunk_store_rows;
            limit_q [dispatched_q[5:0]] <= s_chunk_limit;
            load_burst_q   [dispatched_q[5:0]] <= s_chunk_load_burst;
            store_burst_q  [dispatched_q[5:0]] <= s_chunk_store_burst;
            last_q  [dispatched_q[5:0]] <= s_chunk_last;
            tag_q   [dispatched_q[5:0]] <= s_chunk_tag;
            first_q [dispatched_q[5:0]] <= first;
            needs_q [dispatched_q[5:0]] <= needs;
        end
        if (admit && !store) rows_q[chunk][stage*12 +: 12] <= reserve_row;
        if (finish && store) m_done_tag <= tag_q[chunk];
    end

endmodule

`default_nettype wire

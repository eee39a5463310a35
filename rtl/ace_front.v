// SPDX-License-Identifier: Apache-2.0
//
// ace_front -- the front of a node: commands become chunks, and chunks go from stage to stage
//
//   s_cmd --+--> agreement --> dispatcher --> scheduler --> m_load, m_store (ace_memory_port)
//           |    (or past it)                 |       ^     m_admit, m_release (ace_phases)
//           |                                 v       +---- s_loaded, s_stored, s_context_done
//           |                              m_done
//           +--> x_cmd (ace_nic) --> x_done --^
//
// Contract
//   Commands    All-to-alls and lists go to the exchange (x_cmd_*), all others to the agreement or,
//               where no dimension is agreed over, to the dispatcher.  A command is taken only if
//               both sides have room: s_cmd_ready does not depend on what is offered.
//   Done        m_done lasts a cycle.  A completion of the exchange waits while the scheduler has one.
//   Numbers     The contract of ace_agreement holds for s_numbered, s_number and m_number_*.
//   Window      While the scheduler holds cfg_window chunks the dispatcher begins none.
//   Chunks      The contract of ace_scheduler holds for the jobs' pins and for the contexts' pins.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/core/ace_front.h, equal inside ace_node at every port of the node, every cycle
//               (tests/lockstep/lockstep_node_test.cc).

`include "ace_widths.vh"

`default_nettype none

module ace_front #(
    parameter DIMENSIONS = 3,       // 3 or 4: two links each, and one phase more than they are
    parameter COMMANDS   = 64,      // collectives waiting, a power of two
    parameter CONTEXTS   = 16,      // chunks that a phase holds
    parameter LINKS      = 2 * DIMENSIONS,  // follows
    parameter PHASES     = DIMENSIONS + 1   // follows
) (
    input  wire                                 clk,
    input  wire                                 rst,

    // Setting, constant but in reset
    input  wire                                 cfg_alone,          // one chunk at a time
    input  wire                                 cfg_fifo,
    input  wire [15:0]                          cfg_class_tag,      // first tag of class 1, 0: none
    input  wire [7:0]                           cfg_class_weight,
    input  wire [6:0]                           cfg_window,         // chunks inside, 0: no limit
    input  wire [DIMENSIONS-1:0]                cfg_agreed,         // dimensions that are agreed over
    input  wire [DIMENSIONS-1:0]                cfg_hub,
    input  wire [8*DIMENSIONS-1:0]              cfg_ring,
    input  wire [8*DIMENSIONS-1:0]              cfg_rank,
    input  wire [`ACE_CHUNK_ROW_W-1:0]          cfg_chunk_rows,
    input  wire [12*DIMENSIONS+23:0]            cfg_partition_rows,

    // Commands in, and what says that one is done
    input  wire                                 s_cmd_valid,
    output wire                                 s_cmd_ready,
    input  wire [2:0]                           s_cmd_kind,
    input  wire [2:0]                           s_cmd_type,
    input  wire [2:0]                           s_cmd_op,
    input  wire [31:0]                          s_cmd_scale,
    input  wire [2:0]                           s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0]              s_cmd_dims,
    input  wire [`ACE_ADDRESS_W-1:0]            s_cmd_source,
    input  wire [`ACE_ADDRESS_W-1:0]            s_cmd_destination,
    input  wire [40:0]                          s_cmd_bytes,
    input  wire [15:0]                          s_cmd_tag,
    output wire                                 m_done_valid,
    output wire [15:0]                          m_done_tag,

    // The exchange's commands; their fields are those of s_cmd
    output wire                                 x_cmd_valid,
    input  wire                                 x_cmd_ready,
    input  wire                                 x_done_valid,
    output wire                                 x_done_ready,
    input  wire [15:0]                          x_done_tag,

    // Numbers of the agreement: come, a lane a link, and to leave
    input  wire [LINKS-1:0]                     s_numbered,
    input  wire [8*LINKS-1:0]                   s_number,
    output wire                                 m_number_valid,
    input  wire                                 s_number_take,
    output wire [2:0]                           m_number_link,
    output wire [7:0]                           m_number_peer,
    output wire [7:0]                           m_number,

    // Jobs of the DMAs
    output wire                                 m_load_valid,
    input  wire                                 m_load_ready,
    output wire                                 m_store_valid,
    input  wire                                 m_store_ready,
    output wire [`ACE_ADDRESS_W-1:0]            m_job_address,
    output wire [`ACE_ADDRESS_W-1:0]            m_job_limit,
    output wire [`ACE_CHUNK_ROW_W-1:0]          m_job_rows,
    output wire [2:0]                           m_job_burst,
    output wire [1:0]                           m_job_bank,
    output wire [`ACE_BANK_ROW_W-1:0]           m_job_row,
    output wire [`ACE_BANK_ROW_W-1:0]           m_job_base,
    output wire [`ACE_BANK_ROW_W-1:0]           m_job_end,
    output wire [5:0]                           m_job_id,
    input  wire                                 s_loaded_valid,
    input  wire [5:0]                           s_loaded_id,
    input  wire                                 s_stored_valid,
    input  wire [5:0]                           s_stored_id,

    // Chunks of the phases
    output wire                                 m_admit_valid,
    output wire                                 m_release_valid,
    output wire [2:0]                           m_context_phase,
    output wire [4:0]                           m_context_index,
    output wire [1:0]                           m_admit_kind,
    output wire [1:0]                           m_admit_dim,
    output wire [7:0]                           m_admit_ring,
    output wire [7:0]                           m_admit_rank,
    output wire [`ACE_CHUNK_ROW_W-1:0]          m_admit_shard,
    output wire [`ACE_CHUNK_ROW_W-1:0]          m_admit_valids,
    output wire [`ACE_BANK_ROW_W-1:0]           m_admit_source_row,
    output wire [`ACE_BANK_ROW_W-1:0]           m_admit_target_row,
    output wire [2:0]                           m_admit_type,
    output wire [2:0]                           m_admit_op,
    output wire [`ACE_SCALE_W-1:0]              m_admit_scale,
    output wire [7:0]                           m_admit_mark,
    input  wire [PHASES*CONTEXTS-1:0]           s_context_done,
    output wire [5*PHASES-1:0]                  m_oldest,           // of each phase, the context of the oldest chunk
    output wire                                 m_load_first,       // loads go before all else

    output wire                                 chunks_idle,        // no chunk and no command waits or is inside
    output wire                                 agreement_idle
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (COMMANDS < 2 || COMMANDS > 32768 || (COMMANDS & (COMMANDS - 1)) != 0) begin : g_illegal_commands
            COMMANDS_must_be_a_power_of_two_from_2_to_32768 stop ();
        end
        if (CONTEXTS != 4 && CONTEXTS != 8 && CONTEXTS != 16 && CONTEXTS != 32) begin : g_illegal_contexts
            CONTEXTS_must_be_4_8_16_or_32 stop ();
        end
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
        if (PHASES != DIMENSIONS + 1) begin : g_illegal_phases PHASES_must_be_one_more_than_DIMENSIONS stop (); end
    endgenerate

    // ---- commands: all-to-alls and lists go to the exchange, all others to the dispatcher ----
    wire dispatcher_ready, agreement_ready, dispatcher_idle, chunks_busy;
    wire agrees = cfg_agreed != {DIMENSIONS{1'b0}};
    wire chunks_ready = agrees ? agreement_ready : dispatcher_ready;
    wire to_exchange = s_cmd_kind == 3'd3 || s_cmd_kind == 3'd4;
    assign s_cmd_ready = chunks_ready && x_cmd_ready;
    assign x_cmd_valid = s_cmd_valid && chunks_ready && to_exchange;
    assign chunks_idle = !chunks_busy && dispatcher_idle;

    // ---- commands that wait until all nodes have them, where that is agreed on ----
    wire                      held_valid, held_back;
    wire [1:0]                held_kind;
    wire [2:0]                held_type, held_op, held_dim_count;
    wire [31:0]               held_scale;
    wire [2*DIMENSIONS-1:0]   held_dims;
    wire [`ACE_ADDRESS_W-1:0] held_source, held_destination;
    wire [40:0]               held_bytes;
    wire [15:0]               held_tag;
    wire                      chunk_valid, chunk_ready, window_full;

    ace_agreement #(.DIMENSIONS(DIMENSIONS), .COMMANDS(COMMANDS)) u_agreement (
        .clk(clk), .rst(rst),
        .cfg_agreed(cfg_agreed), .cfg_hub(cfg_hub), .cfg_ring(cfg_ring), .cfg_rank(cfg_rank),
        .s_cmd_valid(s_cmd_valid && agrees && x_cmd_ready && !to_exchange), .s_cmd_ready(agreement_ready),
        .s_cmd_kind(s_cmd_kind[1:0]), .s_cmd_type(s_cmd_type), .s_cmd_op(s_cmd_op), .s_cmd_scale(s_cmd_scale),
        .s_cmd_dim_count(s_cmd_dim_count), .s_cmd_dims(s_cmd_dims), .s_cmd_source(s_cmd_source),
        .s_cmd_destination(s_cmd_destination), .s_cmd_bytes(s_cmd_bytes), .s_cmd_tag(s_cmd_tag),
        .m_cmd_valid(held_valid), .m_cmd_ready(dispatcher_ready),
        .m_cmd_kind(held_kind), .m_cmd_type(held_type), .m_cmd_op(held_op), .m_cmd_scale(held_scale),
        .m_cmd_dim_count(held_dim_count), .m_cmd_dims(held_dims), .m_cmd_source(held_source),
        .m_cmd_destination(held_destination), .m_cmd_bytes(held_bytes), .m_cmd_tag(held_tag),
        .m_hold(held_back), .s_chunk(chunk_valid && chunk_ready), .s_rests(dispatcher_idle),
        .s_number_valid(s_numbered), .s_number(s_number), .m_number_valid(m_number_valid),
        .s_number_take(s_number_take), .m_number_link(m_number_link), .m_number_peer(m_number_peer),
        .m_number(m_number),
        .idle(agreement_idle)
    );

    // ---- dispatcher ----
    wire                        chunk_last;
    wire [2*PHASES-1:0]         chunk_kinds, chunk_dims;
    wire [11*PHASES-1:0]        chunk_shards, chunk_valids;
    wire [7:0]                  chunk_mark;
    wire [2:0]                  chunk_type, chunk_op;
    wire [`ACE_SCALE_W-1:0]     chunk_scale;
    wire [`ACE_ADDRESS_W-1:0]   chunk_load_address, chunk_store_address, chunk_limit;
    wire [`ACE_CHUNK_ROW_W-1:0] chunk_load_rows, chunk_store_rows;
    wire [2:0]                  chunk_load_burst, chunk_store_burst;
    wire [15:0]                 chunk_tag;

    ace_dispatcher #(.DIMENSIONS(DIMENSIONS), .COMMANDS(COMMANDS)) u_dispatcher (
        .clk(clk), .rst(rst),
        .cfg_fifo(cfg_fifo), .cfg_class_tag(cfg_class_tag), .cfg_class_weight(cfg_class_weight),
        .cfg_ring(cfg_ring), .cfg_rank(cfg_rank), .cfg_chunk_rows(cfg_chunk_rows),
        .s_cmd_valid(agrees ? held_valid : s_cmd_valid && x_cmd_ready && !to_exchange),
        .s_cmd_ready(dispatcher_ready),
        .s_cmd_kind(agrees ? held_kind : s_cmd_kind[1:0]), .s_cmd_type(agrees ? held_type : s_cmd_type),
        .s_cmd_op(agrees ? held_op : s_cmd_op), .s_cmd_scale(agrees ? held_scale : s_cmd_scale),
        .s_cmd_dim_count(agrees ? held_dim_count : s_cmd_dim_count), .s_cmd_dims(agrees ? held_dims : s_cmd_dims),
        .s_cmd_source(agrees ? held_source : s_cmd_source),
        .s_cmd_destination(agrees ? held_destination : s_cmd_destination),
        .s_cmd_bytes(agrees ? held_bytes : s_cmd_bytes), .s_cmd_tag(agrees ? held_tag : s_cmd_tag),
        .s_hold((agrees && held_back) || window_full), .m_chunk_valid(chunk_valid), .m_chunk_ready(chunk_ready),
        .m_chunk_kinds(chunk_kinds), .m_chunk_dims(chunk_dims), .m_chunk_shards(chunk_shards),
        .m_chunk_valids(chunk_valids),
        .m_chunk_type(chunk_type), .m_chunk_op(chunk_op), .m_chunk_scale(chunk_scale), .m_chunk_mark(chunk_mark),
        .m_chunk_load_address(chunk_load_address), .m_chunk_load_rows(chunk_load_rows),
        .m_chunk_store_address(chunk_store_address), .m_chunk_store_rows(chunk_store_rows),
        .m_chunk_limit(chunk_limit), .m_chunk_load_burst(chunk_load_burst), .m_chunk_store_burst(chunk_store_burst),
        .m_chunk_last(chunk_last), .m_chunk_tag(chunk_tag),
        .idle(dispatcher_idle)
    );

    // ---- scheduler ----
    wire        chunks_done;
    wire [15:0] chunks_tag;

    ace_scheduler #(.DIMENSIONS(DIMENSIONS), .CONTEXTS(CONTEXTS)) u_scheduler (
        .clk(clk), .rst(rst), .cfg_alone(cfg_alone), .cfg_window(cfg_window), .cfg_ring(cfg_ring), .cfg_rank(cfg_rank),
        .cfg_partition_rows(cfg_partition_rows),
        .s_chunk_valid(chunk_valid), .s_chunk_ready(chunk_ready), .m_hold(window_full), .s_chunk_kinds(chunk_kinds),
        .s_chunk_dims(chunk_dims), .s_chunk_shards(chunk_shards), .s_chunk_valids(chunk_valids),
        .s_chunk_type(chunk_type), .s_chunk_op(chunk_op), .s_chunk_scale(chunk_scale), .s_chunk_mark(chunk_mark),
        .s_chunk_load_address(chunk_load_address), .s_chunk_load_rows(chunk_load_rows),
        .s_chunk_store_address(chunk_store_address), .s_chunk_store_rows(chunk_store_rows),
        .s_chunk_limit(chunk_limit), .s_chunk_load_burst(chunk_load_burst), .s_chunk_store_burst(chunk_store_burst),
        .s_chunk_last(chunk_last), .s_chunk_tag(chunk_tag),
        .m_load_valid(m_load_valid), .m_load_ready(m_load_ready),
        .m_store_valid(m_store_valid), .m_store_ready(m_store_ready),
        .m_job_address(m_job_address), .m_job_rows(m_job_rows), .m_job_limit(m_job_limit),
        .m_job_burst(m_job_burst), .m_job_bank(m_job_bank), .m_job_row(m_job_row), .m_job_base(m_job_base),
        .m_job_end(m_job_end), .m_job_id(m_job_id),
        .s_loaded_valid(s_loaded_valid), .s_loaded_id(s_loaded_id),
        .s_stored_valid(s_stored_valid), .s_stored_id(s_stored_id),
        .m_admit_valid(m_admit_valid),
        .m_release_valid(m_release_valid),
        .m_context_phase(m_context_phase), .m_context_index(m_context_index),
        .m_admit_kind(m_admit_kind), .m_admit_dim(m_admit_dim), .m_admit_ring(m_admit_ring),
        .m_admit_rank(m_admit_rank), .m_admit_shard(m_admit_shard), .m_admit_valids(m_admit_valids),
        .m_admit_source_row(m_admit_source_row), .m_admit_target_row(m_admit_target_row),
        .m_admit_type(m_admit_type), .m_admit_op(m_admit_op), .m_admit_scale(m_admit_scale),
        .m_admit_mark(m_admit_mark),
        .s_context_done(s_context_done),
        .m_oldest(m_oldest), .m_load_first(m_load_first),
        .m_done_valid(chunks_done), .m_done_tag(chunks_tag),
        .busy(chunks_busy)
    );

    assign m_done_valid = chunks_done || x_done_valid;
    assign m_done_tag   = chunks_done ? chunks_tag : x_done_tag;
    assign x_done_ready = !chunks_done;

endmodule

`default_nettype wire

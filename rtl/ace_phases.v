// SPDX-License-Identifier: Apache-2.0
//
// ace_phases -- the phases of a node's collectives: programs, FSMs, the grants they give, parity
//
//   s_admit, s_release (ace_front) --> FSMs, a set for each phase --> m_send, m_copy  (ace_datapath)
//                                      |  ^  |                   <-- s_reduce, s_store
//                                program RAM |
//   s_grant (ace_nic) -----------------------+--> grants: one a cycle --> m_grant (ace_nic)
//   s_number (ace_front) ---------------------------^
//   s_row_wrong (all blocks) --> parity: counts, the first one
//
// Contract
//   Programs    Each phase has an ace_program_ram, which all FSMs of the phase share.
//   FSMs        The contract of ace_fsm holds.  FSM {phase, place} has bit or lane phase * PER_PHASE +
//               place of each pin.
//   Grants      One grant leaves in a cycle, of the latest phase first, and m_number of the agreement
//               before all of them.  A number goes in place of a grant, to NUMBER_CONTEXT.  None
//               leaves while a link is in s_tight, or after a failed parity check.
//   Parity      Words that do not fit their code, and rows in s_row_wrong, are counted.  The first of
//               them is kept: {phase, word}, or ROW_WRONG and the use of the row.  Several at once
//               give the first phase or use.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/core/ace_phases.h, equal inside ace_node at every port of the node, every cycle
//               (tests/lockstep/lockstep_node_test.cc).

`include "ace_program_fields.vh"
`include "ace_widths.vh"

`default_nettype none

module ace_phases #(
    parameter DIMENSIONS = 3,       // 3 or 4: two links each, and one phase more than they are
    parameter FSMS       = 16,      // programmable FSMs: 1, 2 or 4 for each phase
    parameter CONTEXTS   = 4,       // chunks an FSM holds, a power of two, 2 or more
    parameter PEERS      = 16,      // members of a hub whose grants a chunk keeps apart: 16, 32 or 64
    parameter LINKS      = 2 * DIMENSIONS,                              // follows
    parameter PHASES     = DIMENSIONS + 1,                              // follows
    parameter PHASE_CONTEXTS = FSMS / (DIMENSIONS + 1) * CONTEXTS       // follows
) (
    input  wire                                 clk,
    input  wire                                 rst,

    // Setting: cfg_program as ace_program_ram takes it, the others constant but in reset
    input  wire [4095:0]                        cfg_program,
    input  wire [DIMENSIONS-1:0]                cfg_hub,
    input  wire [12*DIMENSIONS+23:0]            cfg_partition_rows,
    output wire                                 m_alone,            // the program's mode: one chunk at a time

    // Chunks come and go
    input  wire                                 s_admit_valid,
    input  wire                                 s_release_valid,
    input  wire [2:0]                           s_context_phase,
    input  wire [4:0]                           s_context_index,
    input  wire [1:0]                           s_admit_kind,
    input  wire [1:0]                           s_admit_dim,
    input  wire [7:0]                           s_admit_ring,
    input  wire [7:0]                           s_admit_rank,
    input  wire [`ACE_CHUNK_ROW_W-1:0]          s_admit_shard,
    input  wire [`ACE_CHUNK_ROW_W-1:0]          s_admit_valids,
    input  wire [`ACE_BANK_ROW_W-1:0]           s_admit_source_row,
    input  wire [`ACE_BANK_ROW_W-1:0]           s_admit_target_row,
    input  wire [2:0]                           s_admit_type,
    input  wire [2:0]                           s_admit_op,
    input  wire [`ACE_SCALE_W-1:0]              s_admit_scale,
    input  wire [7:0]                           s_admit_mark,
    output wire [PHASES*PHASE_CONTEXTS-1:0]     m_context_done,

    // Grants that have come, with numbers of the agreement in place of some; and those that leave
    input  wire [LINKS-1:0]                     s_grant_valid,
    input  wire [8*LINKS-1:0]                   s_grant_context,
    input  wire [8*LINKS-1:0]                   s_grant_peer,
    output wire [LINKS-1:0]                     m_numbered,         // links on which a number has come
    input  wire                                 s_number_valid,
    output wire                                 m_number_take,
    input  wire [2:0]                           s_number_link,
    input  wire [7:0]                           s_number_peer,
    input  wire [7:0]                           s_number,
    input  wire [LINKS-1:0]                     s_tight,
    output wire [LINKS-1:0]                     m_grant_valid,
    output wire [7:0]                           m_grant_context,
    output wire [7:0]                           m_grant_mark,
    output wire [7:0]                           m_grant_peer,

    // The datapath: packets to send and rows to copy,
    input  wire [LINKS-1:0]                     s_room,
    input  wire [LINKS-1:0]                     s_room_two,
    input  wire [FSMS-1:0]                      s_crowded,
    input  wire [32*PHASES-1:0]                 s_held,             // contexts of which the switch has rows to read
    output wire [FSMS-1:0]                      m_send_valid,
    output wire [FSMS*3-1:0]                    m_send_link,
    output wire [FSMS*5-1:0]                    m_send_index,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_send_row,
    output wire [FSMS-1:0]                      m_send_zero,
    output wire [FSMS-1:0]                      m_send_reduce,
    output wire [FSMS*8-1:0]                    m_send_mark,
    output wire [FSMS*8-1:0]                    m_send_peer,
    output wire [FSMS*2-1:0]                    m_send_begun,
    input  wire [FSMS-1:0]                      s_send_take,
    output wire [FSMS-1:0]                      m_copy_valid,
    output wire [FSMS*5-1:0]                    m_copy_index,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_copy_source,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_copy_target,
    input  wire [FSMS-1:0]                      s_copy_take,
    // where rows that arrived go,
    input  wire [4:0]                           s_reduce_index,
    input  wire [7:0]                           s_reduce_mark,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_reduce_source,
    output wire [FSMS-1:0]                      m_reduce_zero,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_reduce_target,
    output wire [FSMS*3-1:0]                    m_reduce_type,
    output wire [FSMS*3-1:0]                    m_reduce_op,
    output wire [FSMS*`ACE_SCALE_W-1:0]         m_reduce_scale,
    input  wire [FSMS-1:0]                      s_reduce_take,
    input  wire [4:0]                           s_store_index,
    input  wire [7:0]                           s_store_mark,
    output wire [FSMS*`ACE_BANK_ROW_W-1:0]      m_store_target,
    input  wire [FSMS-1:0]                      s_store_take,
    // rows that were written, and contexts {phase, index} whose next row waits, or the one behind it
    input  wire [FSMS-1:0]                      s_reduced_valid,
    input  wire                                 s_reduced_copy,
    input  wire [4:0]                           s_reduced_index,
    input  wire [FSMS-1:0]                      s_stored_valid,
    input  wire [4:0]                           s_stored_index,
    output wire [511:0]                         m_turning,          // on links up; then on links down
    output wire [255:0]                         m_closing,

    // Errors
    input  wire [10:0]                          s_row_wrong,        // uses of rows, in the order of ace_node
    output wire                                 mismatch,           // neighbours work on another chunk order (sticky)
    output wire                                 parity_failed,
    output wire [15:0]                          parity_failed_at,
    output wire [31:0]                          count_parity,
    output wire                                 idle                // no program is loaded, and no grant leaves
);

    localparam PARTITIONS = PHASES + 1;
    localparam PER_PHASE  = FSMS / PHASES;
    localparam PLACE_W    = $clog2(PER_PHASE);
    localparam FSM_W      = PLACE_W + $clog2(PHASES);
    localparam USES       = 11;                 // of rows
    localparam [15:0] ROW_WRONG = 16'd4096;     // and the use of the row

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (FSMS != PHASES && FSMS != 2 * PHASES && FSMS != 4 * PHASES) begin : g_illegal_fsms
            FSMS_must_be_1_2_or_4_for_each_phase stop ();
        end
        if (CONTEXTS != 2 && CONTEXTS != 4 && CONTEXTS != 8) begin : g_illegal_contexts
            CONTEXTS_must_be_2_4_or_8 stop ();
        end
        if (PEERS != 16 && PEERS != 32 && PEERS != 64) begin : g_illegal_peers PEERS_must_be_16_32_or_64 stop (); end
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
        if (PHASES != DIMENSIONS + 1) begin : g_illegal_phases PHASES_must_be_one_more_than_DIMENSIONS stop (); end
        if (PHASE_CONTEXTS != PER_PHASE * CONTEXTS || PHASE_CONTEXTS < 4) begin : g_illegal_phase_contexts
            PHASE_CONTEXTS_must_be_CONTEXTS_of_its_FSMS_and_4_or_more stop ();
        end
    endgenerate

    genvar g, h, k;

    // The last row of each partition, summed a partition a cycle after reset: the first chunk comes to an
    // FSM later than that.
    reg  [12*PARTITIONS-1:0] ends_q;
    integer                  e;
    always @(posedge clk) begin
        ends_q[11:0] <= cfg_partition_rows[11:0] - 12'd1;
        for (e = 1; e < PARTITIONS; e = e + 1)
            ends_q[e*12 +: 12] <= ends_q[e*12-12 +: 12] + cfg_partition_rows[e*12 +: 12];
    end

    wire [PHASES-1:0]   program_idle;
    // The mode is word 0 of the program, which is taken while the program is loaded.
    reg  alone_q;
    assign m_alone = alone_q;
    always @(posedge clk) begin
        if (!(&program_idle)) alone_q <= cfg_program[`ACE_PROGRAM_MODE_ALONE];
        if (rst) alone_q <= 1'b0;
    end

    // ---- FSMs: PER_PHASE of them for each phase ----
    wire [FSMS-1:0]     fsm_grant_valid, fsm_grant_take, mismatches;
    wire [FSMS*3-1:0]   fsm_grant_link;
    wire [FSMS*5-1:0]   fsm_grant_index;
    wire [FSMS*8-1:0]   fsm_grant_peer, fsm_grant_mark;
    wire [PHASES-1:0]   word_wrong;
    wire [7*PHASES-1:0] word_wrong_at;
    assign mismatch = |mismatches;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_turning
            if (g >= PHASES) begin : g_none
                assign m_turning[g*32 +: 32] = 32'd0;
                assign m_turning[256+g*32 +: 32] = 32'd0;
                assign m_closing[g*32 +: 32] = 32'd0;
            end else if (PHASE_CONTEXTS < 32) begin : g_rest
                assign m_turning[g*32+31 : g*32+PHASE_CONTEXTS] = {(32-PHASE_CONTEXTS){1'b0}};
                assign m_turning[256+g*32+31 : 256+g*32+PHASE_CONTEXTS] = {(32-PHASE_CONTEXTS){1'b0}};
                assign m_closing[g*32+31 : g*32+PHASE_CONTEXTS] = {(32-PHASE_CONTEXTS){1'b0}};
                wire unused = &{1'b0, s_held[g*32+31 : g*32+PHASE_CONTEXTS]};
            end
        end
        for (g = 0; g < PHASES; g = g + 1) begin : g_phase
            wire [PER_PHASE-1:0]   fetch_valid, fetch_grant;
            wire [7*PER_PHASE-1:0] fetch_at;
            wire [31:0]            fetch_word;
            wire [PHASE_CONTEXTS-1:0] dones;
            assign m_context_done[g*PHASE_CONTEXTS +: PHASE_CONTEXTS] = dones & ~s_held[g*32 +: PHASE_CONTEXTS];
            ace_program_ram #(.FSMS(PER_PHASE)) u_program (
                .clk(clk), .rst(rst), .cfg_program(cfg_program),
                .s_valid(fetch_valid), .s_at(fetch_at), .m_grant(fetch_grant), .m_word(fetch_word),
                .m_wrong(word_wrong[g]), .m_wrong_at(word_wrong_at[g*7 +: 7]), .idle(program_idle[g])
            );
            for (h = 0; h < PER_PHASE; h = h + 1) begin : g_fsm
                localparam F = g * PER_PHASE + h;
                wire [CONTEXTS-1:0] done, closes, unread;
                wire [2*CONTEXTS-1:0] turns;
                for (k = 0; k < CONTEXTS; k = k + 1) begin : g_done
                    localparam AT = k * PER_PHASE + h;
                    assign dones[AT] = done[k];
                    assign m_turning[g * 32 + AT] = turns[k];
                    assign m_turning[256 + g * 32 + AT] = turns[CONTEXTS + k];
                    assign unread[k] = s_held[g * 32 + AT];
                    assign m_closing[g * 32 + AT] = closes[k];
                end
                ace_fsm #(.DIMENSIONS(DIMENSIONS), .FSMS(PER_PHASE), .CONTEXTS(CONTEXTS),
                          .PEERS(PEERS)) u_fsm (
                    .clk(clk), .rst(rst), .cfg_phase(g[2:0]), .cfg_index(h[1:0]), .cfg_hub(cfg_hub),
                    .cfg_alone(alone_q),
                    .cfg_source_end(ends_q[g*12 +: 12]),
                    .cfg_source_rows(cfg_partition_rows[g*12 +: 12]), .cfg_target_end(ends_q[(g+1)*12 +: 12]),
                    .cfg_target_rows(cfg_partition_rows[(g+1)*12 +: 12]),
                    .m_fetch_valid(fetch_valid[h]), .m_fetch_at(fetch_at[h*7 +: 7]), .s_fetch_grant(fetch_grant[h]),
                    .s_fetch_word(fetch_word),
                    .s_admit_valid(s_admit_valid),
                    .s_release_valid(s_release_valid),
                    .s_context_phase(s_context_phase), .s_context_index(s_context_index),
                    .s_admit_kind(s_admit_kind), .s_admit_dim(s_admit_dim), .s_admit_ring(s_admit_ring),
                    .s_admit_rank(s_admit_rank), .s_admit_shard(s_admit_shard), .s_admit_valids(s_admit_valids),
                    .s_admit_source_row(s_admit_source_row), .s_admit_target_row(s_admit_target_row),
                    .s_admit_type(s_admit_type), .s_admit_op(s_admit_op), .s_admit_scale(s_admit_scale),
                    .s_admit_mark(s_admit_mark),
                    .s_grant_valid(s_grant_valid), .s_grant_context(s_grant_context), .s_grant_peer(s_grant_peer),
                    .m_grant_valid(fsm_grant_valid[F]), .m_grant_link(fsm_grant_link[F*3 +: 3]),
                    .m_grant_index(fsm_grant_index[F*5 +: 5]), .m_grant_peer(fsm_grant_peer[F*8 +: 8]),
                    .m_grant_mark(fsm_grant_mark[F*8 +: 8]), .s_grant_take(fsm_grant_take[F]),
                    .s_link_room(s_crowded[F] ? s_room_two : s_room),
                    .m_send_valid(m_send_valid[F]), .m_send_link(m_send_link[F*3 +: 3]),
                    .m_send_index(m_send_index[F*5 +: 5]), .m_send_row(m_send_row[F*12 +: 12]),
                    .m_send_zero(m_send_zero[F]), .m_send_reduce(m_send_reduce[F]), .m_send_mark(m_send_mark[F*8 +: 8]),
                    .m_send_peer(m_send_peer[F*8 +: 8]), .m_send_begun(m_send_begun[F*2 +: 2]),
                    .s_send_take(s_send_take[F]), .s_held(unread),
                    .m_copy_valid(m_copy_valid[F]), .m_copy_index(m_copy_index[F*5 +: 5]),
                    .m_copy_source(m_copy_source[F*12 +: 12]), .m_copy_target(m_copy_target[F*12 +: 12]),
                    .s_copy_take(s_copy_take[F]),
                    .s_reduce_index(s_reduce_index), .s_reduce_mark(s_reduce_mark),
                    .m_reduce_source(m_reduce_source[F*12 +: 12]), .m_reduce_zero(m_reduce_zero[F]),
                    .m_reduce_target(m_reduce_target[F*12 +: 12]), .m_reduce_type(m_reduce_type[F*3 +: 3]),
                    .m_reduce_op(m_reduce_op[F*3 +: 3]),
                    .m_reduce_scale(m_reduce_scale[F*`ACE_SCALE_W +: `ACE_SCALE_W]),
                    .s_reduce_take(s_reduce_take[F]),
                    .s_store_index(s_store_index), .s_store_mark(s_store_mark),
                    .m_store_target(m_store_target[F*12 +: 12]), .s_store_take(s_store_take[F]),
                    .s_reduced_valid(s_reduced_valid[F]), .s_reduced_copy(s_reduced_copy),
                    .s_reduced_index(s_reduced_index),
                    .s_stored_valid(s_stored_valid[F]), .s_stored_index(s_stored_index),
                    .m_turning(turns), .m_closing(closes), .m_context_done(done),
                    .m_mismatch(mismatches[F])
                );
            end
        end
    endgenerate

    // ---- parity: words and rows that do not fit their code ----
    wire [PHASES+USES-1:0] wrong = {s_row_wrong, word_wrong};
    reg         parity_failed_q;
    reg  [15:0] parity_failed_at_q, first_wrong;
    reg  [31:0] count_parity_q;
    reg  [4:0]  wrongs, wrongs_q;
    integer     p;
    assign parity_failed    = parity_failed_q;
    assign parity_failed_at = parity_failed_at_q;
    assign count_parity     = count_parity_q;
    always @(*) begin
        wrongs      = 5'd0;
        first_wrong = 16'd0;
        if (wrong != {PHASES+USES{1'b0}})
            for (p = PHASES + USES - 1; p >= 0; p = p - 1)
                if (wrong[p]) begin
                    wrongs = wrongs + 5'd1;
                    if (p < PHASES)
                        first_wrong = {6'd0, p[2:0], word_wrong_at[p*7 +: 7]};
                    else
                        first_wrong = ROW_WRONG + p[15:0] - PHASES[15:0];
                end
    end
    always @(posedge clk) begin
        wrongs_q <= rst ? 5'd0 : wrongs;
        if (rst) begin
            parity_failed_q <= 1'b0;
            count_parity_q  <= 32'd0;
        end else begin
            if (wrongs_q != 5'd0) count_parity_q <= count_parity_q + {27'd0, wrongs_q};
            if (wrong != {PHASES+USES{1'b0}}) begin
                parity_failed_q <= 1'b1;
                if (!parity_failed_q) parity_failed_at_q <= first_wrong;
            end
        end
    end

    // ---- grants ----
    localparam [7:0] NUMBER_CONTEXT = 8'he0;    // of phase 7, which there is not
    generate
        for (g = 0; g < LINKS; g = g + 1) begin : g_numbered
            assign m_numbered[g] = s_grant_valid[g] && s_grant_context[g*8 +: 8] == NUMBER_CONTEXT;
        end
    endgenerate
    reg [LINKS-1:0] grant_valid_q;
    reg [7:0] grant_context_q, grant_mark_q, grant_peer_q;
    reg [FSM_W-1:0] granter;              // {phase, place}
    wire      may_grant = s_tight == {LINKS{1'b0}} && !parity_failed_q;
    wire      grants = (fsm_grant_valid != {FSMS{1'b0}} || s_number_valid) && may_grant;
    assign    m_number_take = s_number_valid && may_grant;
    assign    m_grant_valid = grant_valid_q;
    assign    m_grant_context = grant_context_q;
    assign    m_grant_mark = grant_mark_q;
    assign    m_grant_peer = grant_peer_q;
    integer a;
    always @(*) begin
        granter = {FSM_W{1'b0}};
        if (fsm_grant_valid != {FSMS{1'b0}})
            for (a = 0; a < FSMS; a = a + 1)
                if (fsm_grant_valid[a]) granter = a[FSM_W-1:0];
    end
    assign fsm_grant_take = grants && !s_number_valid ? fsm_grant_valid & ({{(FSMS-1){1'b0}}, 1'b1} << granter)
                                                      : {FSMS{1'b0}};
    always @(posedge clk) begin
        grant_valid_q <= grants && !rst ? {{(LINKS-1){1'b0}}, 1'b1} << (s_number_valid ? s_number_link
                                                                                 : fsm_grant_link[granter*3 +: 3])
                                        : {LINKS{1'b0}};
        if (grants) begin
            grant_context_q <= s_number_valid ? NUMBER_CONTEXT
                             : {{(3-FSM_W+PLACE_W){1'b0}}, granter[FSM_W-1:PLACE_W], fsm_grant_index[granter*5 +: 5]};
            grant_mark_q    <= s_number_valid ? s_number : fsm_grant_mark[granter*8 +: 8];
            grant_peer_q    <= s_number_valid ? s_number_peer : fsm_grant_peer[granter*8 +: 8];
        end
    end

    assign idle = grant_valid_q == {LINKS{1'b0}} && &program_idle;

endmodule

`default_nettype wire

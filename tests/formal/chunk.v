// SPDX-License-Identifier: Apache-2.0
//
// chunk -- a chunk admitted is a chunk completed: scheduler, four FSMs and switch in a ring
//
//   chunk ---> ace_scheduler ---> 4 ace_fsm <---> ace_switch ---> link, LATENCY cycles --.
//                 ^   DMAs: any that                      ^                              |
//                 |   take at most SLOW cycles            `--- input buffer <------------'
//                 `--- done
//
// All nodes of a ring do the same, so what this one sends is what it receives.  CHUNKS chunks
// of KINDS are offered when the environment likes; the link has room in at least every second
// cycle, and a DMA answers within SLOW cycles, when it likes.
//
// Properties
//   done      each chunk is done within LIMIT cycles of its admission, once, in order, and
//             not before it was stored
//   sent      it sends as many rows as its ring needs, no more

`default_nettype none

module chunk #(
    parameter KINDS = 128,      // two bits a phase: 1 reduce-scatter 2 all-reduce 3 all-gather
    parameter RING = 2,
    parameter SHARD = 1,        // rows
    parameter CHUNKS = 1,
    parameter SLOW = 1,
    parameter SENDS = 2,        // rows a chunk sends
    parameter LIMIT = 30
) (
    input wire       clk,
    input wire       rst,
    input wire       offer,
    input wire       room,
    input wire [1:0] loads,
    input wire [1:0] stores
);
    wire [43:0] shards = {4{SHARD[10:0]}};
    wire [7:0]  kinds  = KINDS;
    wire [11:0] rows   = RING * SHARD;

    `include "live.vh"
    always @* assume (!live || !rst);   // reset once

    // ---- scheduler
    wire        chunk_ready, load_valid, store_valid, admit_valid, release_valid, done_valid;
    wire [5:0]  job_id, context_index;
    wire [1:0]  context_phase, admit_kind, admit_dim;
    wire [7:0]  admit_ring, admit_send_shard, admit_receive_shard, admit_mark;
    wire [10:0] admit_shard, admit_valids;
    wire [11:0] admit_half, admit_send_offset, admit_receive_offset, admit_own_offset, admit_source_row, admit_target_row;
    wire [15:0] context_done;
    wire [23:0] oldest;
    wire [15:0] done_tag;
    reg  [2:0]  offered, done;
    reg         loading, storing;
    reg  [5:0]  load_id, store_id;
    reg  [2:0]  load_age, store_age;
    wire        loaded = loading && loads[0];
    wire        stored = storing && stores[0];
    wire        take   = offer && chunk_ready && offered < CHUNKS;

    ace_scheduler #(.CONTEXTS(4)) scheduler (
        .clk(clk), .rst(rst), .cfg_ring({3{RING[7:0]}}), .cfg_rank(24'd0), .cfg_partition_rows({5{12'd8}}),
        .s_chunk_valid(offer && offered < CHUNKS), .s_chunk_ready(chunk_ready), .s_chunk_kinds(kinds), .s_chunk_dims(8'd0),
        .s_chunk_shards(shards), .s_chunk_valids(shards), .s_chunk_type(2'd0), .s_chunk_mark({5'd0, offered}),
        .s_chunk_load_address(48'd0), .s_chunk_load_rows(rows[10:0]), .s_chunk_store_address(48'd0),
        .s_chunk_store_rows(rows[10:0]), .s_chunk_limit(48'd0), .s_chunk_load_burst(3'd0), .s_chunk_store_burst(3'd0),
        .s_chunk_last(1'b1), .s_chunk_tag({13'd0, offered}),
        .m_load_valid(load_valid), .m_load_ready(!loading), .m_store_valid(store_valid), .m_store_ready(!storing),
        .m_job_id(job_id), .s_loaded_valid(loaded), .s_loaded_id(load_id), .s_stored_valid(stored), .s_stored_id(store_id),
        .m_admit_valid(admit_valid), .m_release_valid(release_valid), .m_context_phase(context_phase),
        .m_context_index(context_index), .m_admit_kind(admit_kind), .m_admit_dim(admit_dim), .m_admit_ring(admit_ring),
        .m_admit_shard(admit_shard), .m_admit_valids(admit_valids), .m_admit_half(admit_half),
        .m_admit_send_shard(admit_send_shard), .m_admit_send_offset(admit_send_offset),
        .m_admit_receive_shard(admit_receive_shard), .m_admit_receive_offset(admit_receive_offset),
        .m_admit_own_offset(admit_own_offset), .m_admit_source_row(admit_source_row), .m_admit_target_row(admit_target_row),
        .m_admit_mark(admit_mark), .s_context_done(context_done), .m_oldest(oldest), .m_done_valid(done_valid), .m_done_tag(done_tag));

    // ---- the neighbour grants what it admits itself, a cycle later
    reg        grant_valid, grant_down;
    reg [7:0]  grant_context, grant_mark;
    always @(posedge clk) begin
        grant_valid   <= admit_valid && !rst;
        grant_down    <= context_index[0];
        grant_context <= {context_phase, context_index};
        grant_mark    <= admit_mark;
    end
    wire [5:0] grants = grant_valid ? 6'd1 << grant_down : 6'd0;

    // ---- FSMs
    wire [3:0]  send_valid, send_zero, send_reduce, send_take, copy_valid, copy_take, reduce_take, store_take;
    wire [3:0]  reduce_zero, reduced_valid, stored_valid, mismatch;
    wire [11:0] send_link;
    wire [23:0] send_index, copy_index;
    wire [47:0] send_row, copy_source, copy_target, reduce_source, reduce_target, store_target;
    wire [31:0] send_mark;
    wire [7:0]  send_begun;
    wire [5:0]  reduce_index, store_index, reduced_index, stored_index;
    wire        reduced_copy;
    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_phase
            ace_fsm #(.PHASE(g), .INDEX(0), .FSMS(1), .CONTEXTS(4)) fsm (
                .clk(clk), .rst(rst), .cfg_source_end(12'd8 * (g + 1)), .cfg_source_rows(12'd8),
                .cfg_target_end(12'd8 * (g + 2)), .cfg_target_rows(12'd8),
                .s_admit_valid(admit_valid), .s_release_valid(release_valid), .s_context_phase(context_phase),
                .s_context_index(context_index), .s_admit_kind(admit_kind), .s_admit_dim(admit_dim),
                .s_admit_ring(admit_ring), .s_admit_shard(admit_shard), .s_admit_valids(admit_valids),
                .s_admit_half(admit_half), .s_admit_send_shard(admit_send_shard),
                .s_admit_send_offset(admit_send_offset), .s_admit_receive_shard(admit_receive_shard),
                .s_admit_receive_offset(admit_receive_offset), .s_admit_own_offset(admit_own_offset),
                .s_admit_source_row(admit_source_row), .s_admit_target_row(admit_target_row), .s_admit_type(2'd0),
                .s_admit_mark(admit_mark), .s_grant_valid(grants), .s_grant_context({6{grant_context}}),
                .s_grant_mark({6{grant_mark}}), .s_link_room({6{room}}),
                .m_send_valid(send_valid[g]), .m_send_link(send_link[g*3 +: 3]), .m_send_index(send_index[g*6 +: 6]),
                .m_send_row(send_row[g*12 +: 12]), .m_send_zero(send_zero[g]), .m_send_reduce(send_reduce[g]),
                .m_send_mark(send_mark[g*8 +: 8]), .m_send_begun(send_begun[g*2 +: 2]), .s_send_take(send_take[g]),
                .m_copy_valid(copy_valid[g]), .m_copy_index(copy_index[g*6 +: 6]), .m_copy_source(copy_source[g*12 +: 12]),
                .m_copy_target(copy_target[g*12 +: 12]), .s_copy_take(copy_take[g]), .s_reduce_index(reduce_index),
                .m_reduce_source(reduce_source[g*12 +: 12]), .m_reduce_zero(reduce_zero[g]),
                .m_reduce_target(reduce_target[g*12 +: 12]), .s_reduce_take(reduce_take[g]),
                .s_store_index(store_index), .m_store_target(store_target[g*12 +: 12]), .s_store_take(store_take[g]),
                .s_reduced_valid(reduced_valid[g]), .s_reduced_copy(reduced_copy), .s_reduced_index(reduced_index),
                .s_stored_valid(stored_valid[g]), .s_stored_index(stored_index),
                .m_context_done(context_done[g*4 +: 4]), .m_mismatch(mismatch[g]));
        end
    endgenerate

    // ---- switch, and the link from its outputs to its heads, a link a direction
    wire [5:0]  pop;
    wire [1:0]  out_valid, out_reduce, head_valid, head_reduce;
    wire [15:0] out_context, head_context;
    ace_switch #(.FSMS(4)) switch_ (
        .clk(clk), .rst(rst), .s_head_valid({4'd0, head_valid[0], head_valid[1]}),
        .s_head_context({32'd0, head_context[7:0], head_context[15:8]}),
        .s_head_reduce({4'd0, head_reduce[0], head_reduce[1]}), .m_head_pop(pop),
        .s_send_valid(send_valid), .s_send_link(send_link), .s_send_index(send_index), .s_send_row(send_row),
        .s_send_zero(send_zero), .s_send_reduce(send_reduce), .s_send_mark(send_mark), .s_send_begun(send_begun),
        .s_oldest(oldest), .m_send_take(send_take), .s_copy_valid(copy_valid), .s_copy_index(copy_index),
        .s_copy_source(copy_source), .s_copy_target(copy_target), .m_copy_take(copy_take),
        .m_reduce_index(reduce_index), .s_reduce_source(reduce_source), .s_reduce_zero(reduce_zero),
        .s_reduce_target(reduce_target), .m_reduce_take(reduce_take), .m_store_index(store_index),
        .s_store_target(store_target), .m_store_take(store_take), .m_reduced_valid(reduced_valid),
        .m_reduced_copy(reduced_copy), .m_reduced_index(reduced_index), .m_stored_valid(stored_valid),
        .m_stored_index(stored_index), .s_load_valid(1'b0), .s_load_bank(2'd0), .s_unload_valid(1'b0), .s_unload_bank(2'd0),
        .m_out_valid(out_valid), .m_out_context(out_context), .m_out_reduce(out_reduce));
    // what goes up arrives on the link that looks down
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_link
            ace_row_fifo #(.ROW_W(9), .SIDE_W(1), .DEPTH(4)) link (
                .clk(clk), .rst(rst), .s_valid(out_valid[g]), .s_data({out_context[g*8 +: 8], out_reduce[g]}),
                .m_valid(head_valid[g]), .m_ready(pop[1-g]), .m_data({head_context[g*8 +: 8], head_reduce[g]}));
        end
    endgenerate

    // ---- the environment
    reg room_before;
    reg [5:0] age, sends, store_done;
    always @* begin
        assume (room || room_before);
        assume (!(loading && load_age == SLOW) || loads[0]);
        assume (!(storing && store_age == SLOW) || stores[0]);
    end
    always @(posedge clk) begin
        room_before <= rst || room;
        if (rst) begin
            {offered, done, loading, storing} <= 8'd0;
            {age, sends, store_done} <= 18'd0;
        end else begin
            offered <= offered + take;
            if (load_valid) {loading, load_id, load_age} <= {1'b1, job_id, 3'd0};
            else if (loaded) loading <= 1'b0;
            else load_age <= load_age + 3'd1;
            if (store_valid) {storing, store_id, store_age} <= {1'b1, job_id, 3'd0};
            else if (stored) storing <= 1'b0;
            else store_age <= store_age + 3'd1;
            store_done <= store_done + stored;
            done  <= done + done_valid;
            sends <= sends + out_valid[0] + out_valid[1];
            age   <= offered == done || done_valid ? 6'd0 : age + (age != 6'd63);
        end
    end
    always @* if (live) begin
        assert (age <= LIMIT);
        assert (done <= offered && done <= store_done);
        assert (!done_valid || done_tag == done);
        assert (sends <= offered * SENDS);
        assert (!done_valid || sends >= (done + 1) * SENDS);
        assert (mismatch == 4'd0);
    end
    always @* if (live) cover (done == CHUNKS);
endmodule

`default_nettype wire

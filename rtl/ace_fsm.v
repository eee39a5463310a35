// SPDX-License-Identifier: Apache-2.0
//
// ace_fsm -- runs one phase of a ring algorithm for a few chunks at a time
//
//   s_admit ---> contexts ---> m_send    read a row, give it to a link
//   s_grant --->    |    ----> m_copy    move an owned row to the target block
//                   |    ----> m_reduce, m_store   where a received row goes
//                   +--------- m_context_done
//
// A context walks the shards of its block in ring order.  Row j of what it sends is
// ready once row j - shard has been received and written; the receiver counts rows,
// since a link keeps order, so a packet names its context and nothing else.  A
// context sends only after its neighbour granted the same context: the neighbour
// then holds the chunk and room for the result, and whatever it receives it can sink.
//
// Contract
//   Requests    m_send and m_copy depend on state and s_link_room alone; the oldest
//               context that can send asks; a strobe moves it on.
//   Lookups     m_reduce_* and m_store_* describe the next row of the context named
//               by s_reduce_context and s_store_context in the same cycle.
//   Reset       rst is synchronous, active high; contexts and grants are forgotten.
//   Twin        cmodel/ace_fsm.h

`default_nettype none

module ace_fsm #(
    parameter PHASE    = 0,     // phase it is bound to, 0..3
    parameter INDEX    = 0,     // its place among the FSMs of the phase
    parameter FSMS     = 4,     // FSMs of the phase, a power of two
    parameter CONTEXTS = 4      // chunks it holds, a power of two
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [11:0] cfg_source_end,      // last row of the source partition, and its size
    input  wire [11:0] cfg_source_rows,
    input  wire [11:0] cfg_target_end,
    input  wire [11:0] cfg_target_rows,

    input  wire        s_admit_valid,       // for the phase and index given, which may not be ours
    input  wire        s_release_valid,
    input  wire [1:0]  s_context_phase,
    input  wire [5:0]  s_context_index,
    input  wire [1:0]  s_admit_kind,        // 1 reduce-scatter 2 all-reduce 3 all-gather
    input  wire [1:0]  s_admit_dim,
    input  wire [7:0]  s_admit_ring,
    input  wire [10:0] s_admit_shard,
    input  wire [10:0] s_admit_valids,
    input  wire [11:0] s_admit_half,
    input  wire [7:0]  s_admit_send_shard,
    input  wire [11:0] s_admit_send_offset,
    input  wire [7:0]  s_admit_receive_shard,
    input  wire [11:0] s_admit_receive_offset,
    input  wire [11:0] s_admit_own_offset,
    input  wire [11:0] s_admit_source_row,
    input  wire [11:0] s_admit_target_row,
    input  wire [1:0]  s_admit_type,
    input  wire [7:0]  s_admit_mark,

    input  wire [5:0]  s_grant_valid,       // a bit a link
    input  wire [47:0] s_grant_context,
    input  wire [47:0] s_grant_mark,

    input  wire [5:0]  s_link_room,
    output wire        m_send_valid,
    output wire [2:0]  m_send_link,
    output wire [5:0]  m_send_index,
    output wire [11:0] m_send_row,
    output wire        m_send_zero,         // padding: zeros go out
    output wire        m_send_reduce,
    output wire [7:0]  m_send_mark,
    input  wire        s_send_take,

    output wire        m_copy_valid,
    output wire [5:0]  m_copy_index,
    output wire [11:0] m_copy_source,
    output wire [11:0] m_copy_target,
    input  wire        s_copy_take,

    input  wire [5:0]  s_reduce_index,
    output wire [11:0] m_reduce_source,
    output wire        m_reduce_zero,
    output wire [11:0] m_reduce_target,
    output wire [1:0]  m_reduce_type,
    input  wire        s_reduce_take,

    input  wire [5:0]  s_store_index,
    output wire [11:0] m_store_target,
    input  wire        s_store_take,

    // Rows written: what they unlock
    input  wire        s_reduced_valid,
    input  wire        s_reduced_copy,
    input  wire [5:0]  s_reduced_index,
    input  wire        s_stored_valid,
    input  wire [5:0]  s_stored_index,

    output wire [CONTEXTS-1:0] m_context_done,
    output wire        m_mismatch           // a grant names another chunk than ours
);

    localparam FSM_W = $clog2(FSMS);
    localparam W = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS);
    localparam [1:0] REDUCE_SCATTER = 2'd1, ALL_GATHER = 2'd3;

    reg                valid_q   [0:CONTEXTS-1];
    reg [1:0]          kind_q    [0:CONTEXTS-1];
    reg [1:0]          dim_q     [0:CONTEXTS-1];
    reg                plus_q    [0:CONTEXTS-1];
    reg [7:0]          last_q    [0:CONTEXTS-1];    // last shard, ring - 1
    reg [10:0]         shard_q   [0:CONTEXTS-1];
    reg [10:0]         valids_q  [0:CONTEXTS-1];
    reg [11:0]         half_q    [0:CONTEXTS-1];
    reg [11:0]         source_q  [0:CONTEXTS-1];
    reg [11:0]         target_q  [0:CONTEXTS-1];
    reg [1:0]          type_q    [0:CONTEXTS-1];
    reg [7:0]          mark_q    [0:CONTEXTS-1];
    reg [11:0]         total_q   [0:CONTEXTS-1];    // rows to send, and to receive
    reg [11:0]         sent_q    [0:CONTEXTS-1];
    reg [7:0]          send_shard_q  [0:CONTEXTS-1];
    reg [10:0]         send_row_q    [0:CONTEXTS-1];
    reg [11:0]         send_offset_q [0:CONTEXTS-1];
    reg [11:0]         received_q    [0:CONTEXTS-1];
    reg [11:0]         written_q     [0:CONTEXTS-1];
    reg [7:0]          receive_shard_q  [0:CONTEXTS-1];
    reg [10:0]         receive_row_q    [0:CONTEXTS-1];
    reg [11:0]         receive_offset_q [0:CONTEXTS-1];
    reg [10:0]         copy_q    [0:CONTEXTS-1];    // owned rows on their way to the target
    reg [10:0]         copied_q  [0:CONTEXTS-1];
    reg [11:0]         own_q     [0:CONTEXTS-1];
    reg [2:0]          granted_q [0:CONTEXTS-1];    // a bit a dimension
    reg [7:0]          grant_mark_q [0:CONTEXTS*4-1];
    reg [W-1:0]        oldest_q;                    // the next to be reused

    function [11:0] wrap;
        input [11:0] row;
        input [11:0] offset;
        input [11:0] last;
        input [11:0] rows;
        reg   [12:0] sum;
        begin
            sum  = {1'b0, row} + {1'b0, offset};
            sum  = sum > {1'b0, last} ? sum - {1'b0, rows} : sum;
            wrap = sum[11:0];
        end
    endfunction

    // Context number of an index: the FSMs of a phase take chunks in turn.
    wire [W-1:0] at = s_context_index[FSM_W +: W];
    wire [W-1:0] rd = s_reduce_index[FSM_W +: W];
    wire [W-1:0] st = s_store_index[FSM_W +: W];
    wire [W-1:0] rw = s_reduced_index[FSM_W +: W];
    wire [W-1:0] sw = s_stored_index[FSM_W +: W];
    wire ours    = s_context_phase == PHASE[1:0] &&
                   (s_context_index & (FSMS[5:0] - 6'd1)) == INDEX[5:0];
    wire admit   = s_admit_valid && ours;
    wire release_ = s_release_valid && ours;

    // ---- who sends, who copies ----
    wire [CONTEXTS-1:0] can_send, can_copy;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            wire [11:0] ready = copied_q[c] == shard_q[c] ? {1'b0, shard_q[c]} + written_q[c]
                                                         : {1'b0, copied_q[c]};
            wire [2:0]  link  = {dim_q[c], !plus_q[c]};
            wire        same  = grant_mark_q[c*4 + {30'd0, dim_q[c]}] == mark_q[c];
            wire        asked = granted_q[c][dim_q[c]];
            assign can_send[c] = valid_q[c] && asked && same && sent_q[c] != total_q[c] &&
                                 sent_q[c] < ready && s_link_room[link];
            assign can_copy[c] = valid_q[c] && kind_q[c] == ALL_GATHER && copy_q[c] != shard_q[c];
            assign m_context_done[c] = valid_q[c] && sent_q[c] == total_q[c] &&
                                       written_q[c] == total_q[c] && copied_q[c] == shard_q[c];
        end
    endgenerate

    reg [W-1:0] tx, cp;
    integer k;
    reg [W-1:0] probe;
    always @(*) begin
        tx = oldest_q;
        cp = oldest_q;
        probe = oldest_q;
        for (k = CONTEXTS - 1; k >= 0; k = k - 1) begin
            probe = oldest_q + k[W-1:0];
            if (can_send[probe]) tx = probe;
            if (can_copy[probe]) cp = probe;
        end
    end

    wire tx_source = kind_q[tx] != ALL_GATHER && sent_q[tx] < half_q[tx];
    wire [5:0] tx_wide = {{(6-W){1'b0}}, tx};
    wire [5:0] cp_wide = {{(6-W){1'b0}}, cp};
    assign m_send_valid  = |can_send;
    assign m_send_link   = {dim_q[tx], !plus_q[tx]};
    assign m_send_index  = (tx_wide << FSM_W) | INDEX[5:0];
    assign m_send_row    = tx_source ? wrap(source_q[tx], send_offset_q[tx], cfg_source_end, cfg_source_rows)
                                     : wrap(target_q[tx], send_offset_q[tx], cfg_target_end, cfg_target_rows);
    assign m_send_zero   = tx_source && send_offset_q[tx] >= {1'b0, valids_q[tx]};
    assign m_send_reduce = tx_source;
    assign m_send_mark   = mark_q[tx];

    wire [11:0] copy_offset = own_q[cp] + {1'b0, copy_q[cp]};
    assign m_copy_valid  = |can_copy;
    assign m_copy_index  = (cp_wide << FSM_W) | INDEX[5:0];
    assign m_copy_source = wrap(source_q[cp], {1'b0, copy_q[cp]}, cfg_source_end, cfg_source_rows);
    assign m_copy_target = wrap(target_q[cp], copy_offset, cfg_target_end, cfg_target_rows);

    // ---- where a received row goes ----
    wire rd_last = received_q[rd] >= half_q[rd] - {1'b0, shard_q[rd]};   // our own shard: reduced for good
    wire [11:0] rd_offset = kind_q[rd] == REDUCE_SCATTER ? {1'b0, receive_row_q[rd]} : receive_offset_q[rd];
    assign m_reduce_source = wrap(source_q[rd], receive_offset_q[rd], cfg_source_end, cfg_source_rows);
    assign m_reduce_zero   = receive_offset_q[rd] >= {1'b0, valids_q[rd]};
    assign m_reduce_target = rd_last ? wrap(target_q[rd], rd_offset, cfg_target_end, cfg_target_rows)
                                     : m_reduce_source;
    assign m_reduce_type   = type_q[rd];
    assign m_store_target  = wrap(target_q[st], receive_offset_q[st], cfg_target_end, cfg_target_rows);

    // A row further along the ring: the next row, or the first of the next shard.
    wire tx_turn = send_row_q[tx] + 11'd1 == shard_q[tx];
    wire rd_turn = receive_row_q[rd] + 11'd1 == shard_q[rd];
    wire st_turn = receive_row_q[st] + 11'd1 == shard_q[st];

    function [19:0] onward;                 // {shard, offset} after one more row
        input        turn;
        input        plus;
        input [7:0]  shard;
        input [7:0]  last;
        input [11:0] offset;
        input [11:0] half;
        input [10:0] rows;
        begin
            if (!turn)     onward = {shard, offset + 12'd1};
            else if (plus) onward = shard == 8'd0 ? {last, half}
                                  : {shard - 8'd1, offset + 12'd1 - {rows, 1'b0}};
            else           onward = shard == last ? 20'd0 : {shard + 8'd1, offset + 12'd1};
        end
    endfunction

    reg mismatch_q;
    assign m_mismatch = mismatch_q;

    wire [1:0] tx_dim = dim_q[tx];
    integer i, n;
    always @(posedge clk) begin
        if (rst) begin
            oldest_q   <= {W{1'b0}};
            mismatch_q <= 1'b0;
            for (i = 0; i < CONTEXTS; i = i + 1) begin
                valid_q[i]   <= 1'b0;
                granted_q[i] <= 3'd0;
            end
        end else begin
            for (i = 0; i < 6; i = i + 1)
                if (s_grant_valid[i] && s_grant_context[i*8+6 +: 2] == PHASE[1:0] &&
                    (s_grant_context[i*8 +: 6] & (FSMS[5:0] - 6'd1)) == INDEX[5:0])
                    granted_q[s_grant_context[i*8 + FSM_W +: W]][i/2] <= 1'b1;
            if (admit) begin
                valid_q[at] <= 1'b1;
                oldest_q    <= at + 1'b1;
            end
            if (release_) valid_q[at] <= 1'b0;
            if (s_send_take && sent_q[tx] + 12'd1 == total_q[tx])
                granted_q[tx][tx_dim] <= 1'b0;
            for (i = 0; i < CONTEXTS; i = i + 1)
                if (valid_q[i] && sent_q[i] != total_q[i] && granted_q[i][dim_q[i]] && grant_mark_q[i*4 + {30'd0, dim_q[i]}] != mark_q[i])
                    mismatch_q <= 1'b1;
        end
    end

    always @(posedge clk) begin
        for (n = 0; n < 6; n = n + 1)
            if (s_grant_valid[n] && s_grant_context[n*8+6 +: 2] == PHASE[1:0] &&
                (s_grant_context[n*8 +: 6] & (FSMS[5:0] - 6'd1)) == INDEX[5:0])
                grant_mark_q[{s_grant_context[n*8 + FSM_W +: W], n[2:1]}] <= s_grant_mark[n*8 +: 8];
        if (admit) begin
            kind_q[at]    <= s_admit_kind;
            dim_q[at]     <= s_admit_dim;
            plus_q[at]    <= !s_context_index[0];
            last_q[at]    <= s_admit_ring - 8'd1;
            shard_q[at]   <= s_admit_shard;
            valids_q[at]  <= s_admit_valids;
            half_q[at]    <= s_admit_half;
            source_q[at]  <= s_admit_source_row;
            target_q[at]  <= s_admit_target_row;
            type_q[at]    <= s_admit_type;
            mark_q[at]    <= s_admit_mark;
            total_q[at]   <= s_admit_kind == 2'd2 ? s_admit_half << 1 : s_admit_half;
            sent_q[at]    <= 12'd0;
            send_shard_q[at]  <= s_admit_send_shard;
            send_row_q[at]    <= 11'd0;
            send_offset_q[at] <= s_admit_send_offset;
            received_q[at]    <= 12'd0;
            written_q[at]     <= 12'd0;
            receive_shard_q[at]  <= s_admit_receive_shard;
            receive_row_q[at]    <= 11'd0;
            receive_offset_q[at] <= s_admit_receive_offset;
            copy_q[at]    <= 11'd0;
            copied_q[at]  <= s_admit_kind == ALL_GATHER ? 11'd0 : s_admit_shard;
            own_q[at]     <= s_admit_own_offset;
        end
        if (s_send_take) begin
            sent_q[tx]     <= sent_q[tx] + 12'd1;
            send_row_q[tx] <= tx_turn ? 11'd0 : send_row_q[tx] + 11'd1;
            {send_shard_q[tx], send_offset_q[tx]} <=
                onward(tx_turn, plus_q[tx], send_shard_q[tx], last_q[tx], send_offset_q[tx], half_q[tx], shard_q[tx]);
        end
        if (s_copy_take)
            copy_q[cp] <= copy_q[cp] + 11'd1;
        if (s_reduce_take) begin
            received_q[rd]    <= received_q[rd] + 12'd1;
            receive_row_q[rd] <= rd_turn ? 11'd0 : receive_row_q[rd] + 11'd1;
            {receive_shard_q[rd], receive_offset_q[rd]} <=
                onward(rd_turn, plus_q[rd], receive_shard_q[rd], last_q[rd], receive_offset_q[rd], half_q[rd], shard_q[rd]);
        end
        if (s_store_take) begin
            received_q[st]    <= received_q[st] + 12'd1;
            receive_row_q[st] <= st_turn ? 11'd0 : receive_row_q[st] + 11'd1;
            {receive_shard_q[st], receive_offset_q[st]} <=
                onward(st_turn, plus_q[st], receive_shard_q[st], last_q[st], receive_offset_q[st], half_q[st], shard_q[st]);
        end
        if (s_reduced_valid) begin
            if (s_reduced_copy) copied_q[rw]  <= copied_q[rw] + 11'd1;
            else                written_q[rw] <= written_q[rw] + 12'd1;
        end
        if (s_stored_valid)
            written_q[sw] <= written_q[sw] + 12'd1;
    end

    // A strobe already names this FSM, so an index only tells its contexts apart.
    wire unused = &{1'b0, s_reduce_index, s_store_index, s_reduced_index, s_stored_index};

endmodule

`default_nettype wire

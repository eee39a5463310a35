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
//   Requests    m_send and m_copy depend on state and s_link_room alone; a strobe moves
//               them on.  Of the contexts that send in one direction, one that is in the
//               middle of a shard goes on alone; else the oldest that can send asks.
//   Lookups     m_reduce_* and m_store_* describe the next row of the context named
//               by s_reduce_context and s_store_context in the same cycle.
//   Reset       rst is synchronous, active high; contexts and grants are forgotten.
//   Twin        cmodel/ace_fsm.h

`default_nettype none

(* mem2reg *)     // Yosys: the contexts are registers
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
    input  wire [2:0]  s_admit_type,
    input  wire [2:0]  s_admit_op,
    input  wire [36:0] s_admit_scale,
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
    output wire [1:0]  m_send_begun,        // a shard is under way, bit 0: upwards   bit 1: downwards
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
    output wire [2:0]  m_reduce_type,
    output wire [2:0]  m_reduce_op,         // an average is a sum until the last reduction
    output wire [36:0] m_reduce_scale,      // 0 where it is not wanted
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
    localparam [1:0] REDUCE_SCATTER = 2'd1, ALL_REDUCE = 2'd2, ALL_GATHER = 2'd3;
    localparam [2:0] SUM = 3'd0, AVERAGE = 3'd1;

    // What a context was admitted with
    reg [1:0]          kind_q    [0:CONTEXTS-1];
    reg [1:0]          dim_q     [0:CONTEXTS-1];
    reg [7:0]          last_q    [0:CONTEXTS-1];    // last shard, ring - 1
    reg [10:0]         shard_q   [0:CONTEXTS-1];
    reg [10:0]         valids_q  [0:CONTEXTS-1];
    reg [11:0]         half_q    [0:CONTEXTS-1];
    reg [11:0]         source_q  [0:CONTEXTS-1];
    reg [11:0]         target_q  [0:CONTEXTS-1];
    reg [2:0]          type_q    [0:CONTEXTS-1];
    reg [2:0]          op_q      [0:CONTEXTS-1];
    reg [36:0]         scale_q   [0:CONTEXTS-1];
    reg [7:0]          mark_q    [0:CONTEXTS-1];
    reg [11:0]         total_q   [0:CONTEXTS-1];    // rows to send, and to receive
    reg [11:0]         own_q     [0:CONTEXTS-1];
    // How far it is
    reg                valid_q   [0:CONTEXTS-1];
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
    reg [2:0]          granted_q [0:CONTEXTS-1];    // a bit a dimension
    reg [23:0]         grant_mark_q [0:CONTEXTS-1]; // 8 bits a dimension
    reg [CONTEXTS*3-1:0] link_q;                    // each context's way out: {dimension, downwards}
    // What follows from the above, in the same cycle: a bit a context
    reg [CONTEXTS-1:0] ready_q;                     // has a row to send, but for room at the link
    reg [CONTEXTS-1:0] begun_q;                     // has sent a part of a shard
    reg [CONTEXTS-1:0] wrong_q;                     // granted for another chunk
    reg [CONTEXTS-1:0] copying_q;
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
        if (begun_q != {CONTEXTS{1'b0}})
            for (b = 0; b < CONTEXTS; b = b + 1)
                if (begun_q[b]) begun[link_q[b*3]] = 1'b1;
    end
    always @(*) begin
        can_send = {CONTEXTS{1'b0}};
        if (ready_q != {CONTEXTS{1'b0}})
            for (c = 0; c < CONTEXTS; c = c + 1)
                can_send[c] = ready_q[c] && (begun_q[c] || !begun[link_q[c*3]]) &&
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

    wire [5:0]  tx_wide = {{(6-W){1'b0}}, tx};
    wire        tx_source = m_send_valid ? kind_q[tx] != ALL_GATHER && sent_q[tx] < half_q[tx] : 1'b0;
    wire [12:0] tx_sum = m_send_valid ? {1'b0, tx_source ? source_q[tx] : target_q[tx]} +
                                        {1'b0, send_offset_q[tx]} : 13'd0;
    assign m_send_valid  = can_send != {CONTEXTS{1'b0}};
    assign m_send_link   = m_send_valid ? link_q[tx*3 +: 3] : 3'd0;
    assign m_send_index  = m_send_valid ? (tx_wide << FSM_W) | INDEX[5:0] : 6'd0;
    assign m_send_row    = wrap(tx_sum, tx_source ? cfg_source_end : cfg_target_end,
                                tx_source ? cfg_source_rows : cfg_target_rows);
    assign m_send_zero   = tx_source ? send_offset_q[tx] >= {1'b0, valids_q[tx]} : 1'b0;
    assign m_send_reduce = tx_source;
    assign m_send_mark   = m_send_valid ? mark_q[tx] : 8'd0;

    // ---- who copies ----
    reg [W-1:0] cp, cp_probe;
    integer     k;
    always @(*) begin
        cp       = oldest_q;
        cp_probe = oldest_q;
        if (m_copy_valid)
            for (k = CONTEXTS - 1; k >= 0; k = k - 1) begin
                cp_probe = oldest_q + k[W-1:0];
                if (copying_q[cp_probe]) cp = cp_probe;
            end
    end

    wire [5:0]  cp_wide   = {{(6-W){1'b0}}, cp};
    wire [12:0] cp_source = m_copy_valid ? {1'b0, source_q[cp]} + {2'd0, copy_q[cp]} : 13'd0;
    wire [11:0] cp_offset = m_copy_valid ? own_q[cp] + {1'b0, copy_q[cp]} : 12'd0;
    wire [12:0] cp_target = m_copy_valid ? {1'b0, target_q[cp]} + {1'b0, cp_offset} : 13'd0;
    assign m_copy_valid  = copying_q != {CONTEXTS{1'b0}};
    assign m_copy_index  = m_copy_valid ? (cp_wide << FSM_W) | INDEX[5:0] : 6'd0;
    assign m_copy_source = wrap(cp_source, cfg_source_end, cfg_source_rows);
    assign m_copy_target = wrap(cp_target, cfg_target_end, cfg_target_rows);

    // ---- where a received row goes ----
    wire [12:0] rd_source = s_reduce_take ? {1'b0, source_q[rd]} + {1'b0, receive_offset_q[rd]} : 13'd0;
    wire        rd_last   = s_reduce_take ? received_q[rd] >= half_q[rd] - {1'b0, shard_q[rd]}
                                          : 1'b0;                   // our own shard: reduced for good
    wire [12:0] rd_target = rd_last ? {1'b0, target_q[rd]} +
                                      {1'b0, kind_q[rd] == REDUCE_SCATTER ? {1'b0, receive_row_q[rd]}
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
    function [19:0] onward;                 // {shard, offset} after one more row
        input        turn;                  // it is the first of the next shard
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

    wire ours  = s_context_phase == PHASE[1:0] &&
                 (s_context_index & (FSMS[5:0] - 6'd1)) == INDEX[5:0];
    wire stirs = s_send_take || s_copy_take || s_reduce_take || s_store_take || s_reduced_valid ||
                 s_stored_valid || ((s_admit_valid || s_release_valid) && ours);

    integer i, n;
    always @(posedge clk) begin
        if (wrong_q != {CONTEXTS{1'b0}}) mismatch_q <= 1'b1;
        // The flags come from the next state, so in a cycle they cost no logic of their own.
        if (stirs || s_grant_valid != 6'd0) begin : step
            reg                admits, releases, sends, copies, receives, reduced, stored;
            reg [CONTEXTS-1:0] ready, part, wrong, copying, done;
            reg [CONTEXTS*3-1:0] link;
            reg                valid, plus, turn, due, same;
            reg [1:0]          kind, dim;
            reg [2:0]          granted;
            reg [7:0]          last, mark, send_shard, receive_shard;
            reg [10:0]         shard, send_row, receive_row, copy, copied;
            reg [11:0]         half, total, sent, send_offset, received, receive_offset, written, rows;
            reg [23:0]         marks;

            link    = link_q;
            ready   = ready_q;
            part    = begun_q;
            wrong   = wrong_q;
            copying = copying_q;
            done    = done_q;
            for (i = 0; i < CONTEXTS; i = i + 1) begin
                admits   = s_admit_valid && ours && at == i[W-1:0];
                releases = s_release_valid && ours && at == i[W-1:0];
                sends    = s_send_take && tx == i[W-1:0];
                copies   = s_copy_take && cp == i[W-1:0];
                receives = (s_reduce_take && rd == i[W-1:0]) || (s_store_take && st == i[W-1:0]);
                reduced  = s_reduced_valid && rw == i[W-1:0];
                stored   = s_stored_valid && sw == i[W-1:0];
                if (admits || releases || sends || copies || receives || reduced || stored ||
                    s_grant_valid != 6'd0) begin
                    valid   = valid_q[i];
                    granted = granted_q[i];
                    marks   = grant_mark_q[i];
                    kind    = kind_q[i];
                    dim     = dim_q[i];
                    plus    = !link_q[i*3];
                    last    = last_q[i];
                    shard   = shard_q[i];
                    half    = half_q[i];
                    mark    = mark_q[i];
                    total   = total_q[i];
                    sent    = sent_q[i];
                    send_shard  = send_shard_q[i];
                    send_row    = send_row_q[i];
                    send_offset = send_offset_q[i];
                    received    = received_q[i];
                    written     = written_q[i];
                    receive_shard  = receive_shard_q[i];
                    receive_row    = receive_row_q[i];
                    receive_offset = receive_offset_q[i];
                    copy    = copy_q[i];
                    copied  = copied_q[i];

                    if (s_grant_valid != 6'd0)
                        for (n = 0; n < 6; n = n + 1)
                            if (s_grant_valid[n] && s_grant_context[n*8+6 +: 2] == PHASE[1:0] &&
                                (s_grant_context[n*8 +: 6] & (FSMS[5:0] - 6'd1)) == INDEX[5:0] &&
                                s_grant_context[n*8 + FSM_W +: W] == i[W-1:0]) begin
                                granted[n/2]         = 1'b1;
                                marks[(n/2)*8 +: 8]  = s_grant_mark[n*8 +: 8];
                            end
                    if (admits) begin
                        valid   = 1'b1;
                        kind    = s_admit_kind;
                        dim     = s_admit_dim;
                        plus    = !s_context_index[0];
                        link[i*3 +: 3] = {dim, !plus};
                        last    = s_admit_ring - 8'd1;
                        shard   = s_admit_shard;
                        half    = s_admit_half;
                        mark    = s_admit_mark;
                        total   = s_admit_kind == ALL_REDUCE ? s_admit_half << 1 : s_admit_half;
                        sent    = 12'd0;
                        send_shard  = s_admit_send_shard;
                        send_row    = 11'd0;
                        send_offset = s_admit_send_offset;
                        received    = 12'd0;
                        written     = 12'd0;
                        receive_shard  = s_admit_receive_shard;
                        receive_row    = 11'd0;
                        receive_offset = s_admit_receive_offset;
                        copy    = 11'd0;
                        copied  = s_admit_kind == ALL_GATHER ? 11'd0 : s_admit_shard;
                    end
                    if (releases) valid = 1'b0;
                    if (sends) begin
                        turn     = send_row + 11'd1 == shard;
                        {send_shard, send_offset} = onward(turn, plus, send_shard, last, send_offset, half, shard);
                        send_row = turn ? 11'd0 : send_row + 11'd1;
                        sent     = sent + 12'd1;
                        if (sent == total) granted[dim] = 1'b0;
                    end
                    if (copies) copy = copy + 11'd1;
                    if (receives) begin
                        turn        = receive_row + 11'd1 == shard;
                        {receive_shard, receive_offset} = onward(turn, plus, receive_shard, last, receive_offset, half, shard);
                        receive_row = turn ? 11'd0 : receive_row + 11'd1;
                        received    = received + 12'd1;
                    end
                    if (reduced) begin
                        if (s_reduced_copy) copied  = copied + 11'd1;
                        else                written = written + 12'd1;
                    end
                    if (stored) written = written + 12'd1;

                    rows = copied == shard ? {1'b0, shard} + written : {1'b0, copied};
                    same = marks[{dim, 3'd0} +: 8] == mark;
                    due  = valid && granted[dim] && sent != total;
                    ready[i]   = due && same && sent < rows;
                    part[i]    = valid && send_row != 11'd0;
                    wrong[i]   = due && !same;
                    copying[i] = valid && kind == ALL_GATHER && copy != shard;
                    done[i]    = valid && sent == total && written == total && copied == shard;

                    valid_q[i]      <= valid;
                    granted_q[i]    <= granted;
                    grant_mark_q[i] <= marks;
                    sent_q[i]       <= sent;
                    send_shard_q[i]  <= send_shard;
                    send_row_q[i]    <= send_row;
                    send_offset_q[i] <= send_offset;
                    received_q[i]    <= received;
                    written_q[i]     <= written;
                    receive_shard_q[i]  <= receive_shard;
                    receive_row_q[i]    <= receive_row;
                    receive_offset_q[i] <= receive_offset;
                    copy_q[i]   <= copy;
                    copied_q[i] <= copied;
                end
            end
            link_q    <= link;
            ready_q   <= ready;
            begun_q   <= part;
            wrong_q   <= wrong;
            copying_q <= copying;
            done_q    <= done;
            if (s_admit_valid && ours) begin
                oldest_q     <= at + 1'b1;
                kind_q[at]   <= s_admit_kind;
                dim_q[at]    <= s_admit_dim;
                last_q[at]   <= s_admit_ring - 8'd1;
                shard_q[at]  <= s_admit_shard;
                valids_q[at] <= s_admit_valids;
                half_q[at]   <= s_admit_half;
                source_q[at] <= s_admit_source_row;
                target_q[at] <= s_admit_target_row;
                type_q[at]   <= s_admit_type;
                op_q[at]     <= s_admit_op;
                scale_q[at]  <= s_admit_scale;
                mark_q[at]   <= s_admit_mark;
                total_q[at]  <= s_admit_kind == ALL_REDUCE ? s_admit_half << 1 : s_admit_half;
                own_q[at]    <= s_admit_own_offset;
            end
        end
        if (rst) begin
            oldest_q   <= {W{1'b0}};
            mismatch_q <= 1'b0;
            ready_q    <= {CONTEXTS{1'b0}};
            begun_q    <= {CONTEXTS{1'b0}};
            wrong_q    <= {CONTEXTS{1'b0}};
            copying_q  <= {CONTEXTS{1'b0}};
            done_q     <= {CONTEXTS{1'b0}};
            for (i = 0; i < CONTEXTS; i = i + 1) begin
                valid_q[i]   <= 1'b0;
                granted_q[i] <= 3'd0;
            end
        end
    end

    // A strobe already names this FSM, so an index only tells its contexts apart.
    wire unused = &{1'b0, s_reduce_index, s_store_index, s_reduced_index, s_stored_index};

endmodule

`default_nettype wire

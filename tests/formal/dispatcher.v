// SPDX-License-Identifier: Apache-2.0
//
// dispatcher -- ace_dispatcher cuts each command into its chunks, once, in the configured order
//
// Commands arrive, chunks are taken, and s_hold is high at any time.  One command, chosen freely,
// is followed from its start to its last chunk.
//
// Properties
//   stable    An offered chunk does not change until it is taken.
//   once      Chunks of the followed command have as many rows as a chunk; the last one has the
//             rest and alone has the last flag.  All carry the command's tag, type, operation and
//             scale.
//   place     A chunk's loads and stores begin after the chunk before, on a multiple of its burst.
//             The stores end with the command.
//   phases    Phases are right-aligned, in the order of the contract, without rings of one node.
//   order     With FIFO no chunk of a command is begun while an older command of its class is
//             there.  With LIFO none is begun while a newer one is there.
//   classes   A chunk is of the class whose turn it is: class 1 while it has chunks left in the
//             round, then class 0.  A class that waits alone has every turn.
//   room      There are never more than COMMANDS commands of class 0 and OTHERS of class 1, and
//             idle is high exactly when there are none.
//   ready     A command may come between two chunks.  With FIFO it may also come while a chunk
//             waits, unless one has just come.
//   hold      No chunk is begun while s_hold is high.
//   pace      A chunk comes after 10 cycles and 14 more a dimension, or after 5 without a
//             dimension.  If a command has just come it takes nine cycles more, less one.
//   rate      cover: two commands of two chunks each are cut

`default_nettype none

// what is divided is any number: how many rows a shard has is another matter
// cut: dut.rest_fit
// inside: table_q

module dispatcher #(
    parameter LEAD     = 0,     // 1: with what leads the induction
    parameter COMMANDS = 4,
    parameter W        = $clog2(COMMANDS),  // follows
    parameter OTHERS   = 2                  // follows
) (
    input wire        clk,
    input wire        rst,
    input wire        cmd_valid,
    input wire [1:0]  cmd_kind,
    input wire [2:0]  cmd_type,
    input wire [2:0]  cmd_op,
    input wire [31:0] cmd_scale,
    input wire [2:0]  dim_count,
    input wire [5:0]  dims,
    input wire [47:0] source,
    input wire [47:0] destination,
    input wire [40:0] size,
    input wire [15:0] tag,
    input wire        hold,
    input wire        chunk_ready,
    input wire        choose
);
    `include "live.vh"

    localparam [1:0] RS = 2'd1, AR = 2'd2, AG = 2'd3;
    localparam [2:0] IDLE = 3'd0, READ = 3'd1, DIVIDE = 3'd2, PLAN = 3'd3, LIMIT = 3'd4, EMIT = 3'd5, WAIT = 3'd6;

    (* anyconst *) reg        fifo;
    (* anyconst *) reg [15:0] class_tag;
    (* anyconst *) reg [7:0]  weight;
    (* anyconst *) reg [23:0] ring;
    (* anyconst *) reg [23:0] rank;
    (* anyconst *) reg [10:0] chunk_rows;

    wire        cmd_ready, chunk_valid, chunk_last, idle;
    wire [7:0]  kinds, chunk_dims, mark;
    wire [43:0] shards, valids;
    wire [2:0]  chunk_type, chunk_op, load_burst, store_burst;
    wire [36:0] scale;
    wire [47:0] load_address, store_address, limit;
    wire [10:0] load_rows, store_rows;
    wire [15:0] chunk_tag;

    ace_dispatcher #(.DIMENSIONS(3), .COMMANDS(COMMANDS)) dut (
        .clk(clk), .rst(rst), .cfg_fifo(fifo), .cfg_class_tag(class_tag), .cfg_class_weight(weight),
        .cfg_ring(ring), .cfg_rank(rank), .cfg_chunk_rows(chunk_rows),
        .s_cmd_valid(cmd_valid), .s_cmd_ready(cmd_ready), .s_cmd_kind(cmd_kind), .s_cmd_type(cmd_type),
        .s_cmd_op(cmd_op), .s_cmd_scale(cmd_scale), .s_cmd_dim_count(dim_count), .s_cmd_dims(dims),
        .s_cmd_source(source), .s_cmd_destination(destination), .s_cmd_bytes(size), .s_cmd_tag(tag),
        .s_hold(hold), .m_chunk_valid(chunk_valid), .m_chunk_ready(chunk_ready), .m_chunk_kinds(kinds),
        .m_chunk_dims(chunk_dims), .m_chunk_shards(shards), .m_chunk_valids(valids), .m_chunk_type(chunk_type),
        .m_chunk_op(chunk_op), .m_chunk_scale(scale), .m_chunk_mark(mark), .m_chunk_load_address(load_address),
        .m_chunk_load_rows(load_rows), .m_chunk_store_address(store_address), .m_chunk_store_rows(store_rows),
        .m_chunk_limit(limit), .m_chunk_load_burst(load_burst), .m_chunk_store_burst(store_burst),
        .m_chunk_last(chunk_last), .m_chunk_tag(chunk_tag), .idle(idle));

    wire takes = cmd_valid && cmd_ready, emits = chunk_valid && chunk_ready;

    // the commands that ace_control accepts
    always @* begin
        assume (chunk_rows != 11'd0);
        assume (size != 41'd0 && size <= 41'd1 << 40);
        assume (source[11:0] == 12'd0 && destination[11:0] == 12'd0);
        assume (cmd_kind != 2'd3 && dim_count <= 3'd3);
        assume (dims[1:0] != 2'd3 && dims[3:2] != 2'd3 && dims[5:4] != 2'd3);
    end

    // ---- stable ----
    reg          waited;                // it was offered a cycle ago
    reg  [354:0] chunk_was;
    wire [354:0] chunk = {kinds, chunk_dims, mark, shards, valids, chunk_type, chunk_op, scale, load_burst, store_burst,
                          load_address, store_address, limit, load_rows, store_rows, chunk_tag, chunk_last};
    always @(posedge clk) begin
        waited    <= chunk_valid && !chunk_ready && !rst;
        chunk_was <= chunk;
    end

    // ---- dimensions of a command with rings of several nodes, in order ----
    reg [2:0] kept_count;
    reg [5:0] kept;
    integer   i;
    always @* begin
        {kept_count, kept} = 9'd0;
        for (i = 0; i < 3; i = i + 1)
            if (i < dim_count && ring[8*dims[2*i +: 2] +: 8] > 8'd1) begin
                kept[2*kept_count +: 2] = dims[2*i +: 2];
                kept_count = kept_count + 3'd1;
            end
    end

    // ---- commands that are there, of each class; the followed one, those of its class before it and behind ----
    (* hierconn *) wire [2:0] \dut.state_q ;
    (* hierconn *) wire       \dut.at_class_q ;
    wire [2:0]  state = \dut.state_q ;
    wire        at_class = \dut.at_class_q ;
    wire        takes_class = class_tag != 16'd0 && tag >= class_tag;
    reg  [W:0]  there_0, there_1, before, behind;
    wire [W:0]  there = there_0 + there_1;
    reg         tracked, my_class;
    reg  [1:0]  my_kind;
    reg  [37:0] my_how;                 // type, operation, scale
    reg  [2:0]  my_count;
    reg  [5:0]  my_dims;
    reg  [47:0] at, at_store, end_;     // of the rest of the command
    reg  [32:0] left;                   // its rows
    reg  [15:0] my_tag;
    wire [40:0] up   = size + 41'd255;
    wire        ends = emits && chunk_last;
    // the class whose turn it is, in a round of which so many chunks are left
    reg  [3:0]  left_0, left_1;
    wire        none  = (there_0 == 0 || left_0 == 0) && (there_1 == 0 || left_1 == 0);     // a round begins
    wire [3:0]  now_0 = none ? weight[3:0] : left_0;
    wire [3:0]  now_1 = !none ? left_1 : weight[7:4] == 0 ? 4'd1 : weight[7:4];
    wire        turn  = there_1 != 0 && (now_1 != 0 || there_0 == 0);
    wire        chosen = state == READ;     // a cycle ago
    always @(posedge clk)
        if (rst) {left_0, left_1} <= 8'd0;
        else if (chosen) begin
            left_0 <= now_0 - (!turn && now_0 != 0);
            left_1 <= now_1 - turn;
        end
    // the command whose turn it is: the oldest or the newest of the class.  No command comes behind
    // the newest until its chunk is taken.
    wire        class_now = state == IDLE ? turn : at_class;
    wire        mine = tracked && my_class == class_now && (fifo ? before == 0 : behind == 0);
    wire        my_ends = ends && at_class == my_class;
    wire [10:0] cut  = left > {22'd0, chunk_rows} ? chunk_rows : left[10:0];
    always @(posedge clk) begin
        if (rst) {there_0, there_1, tracked} <= {(2*W+3){1'b0}};
        else begin
            there_0 <= there_0 + (takes && !takes_class) - (ends && !at_class);
            there_1 <= there_1 + (takes && takes_class) - (ends && at_class);
            if (!tracked) begin
                tracked  <= takes && choose;
                before   <= (takes_class ? there_1 : there_0) - (ends && at_class == takes_class);
                my_class <= takes_class;
                behind   <= {(W+1){1'b0}};
                my_kind  <= cmd_kind;
                my_how   <= {cmd_type, cmd_op, cmd_scale};
                my_count <= kept_count;
                my_dims  <= kept;
                at       <= source;
                at_store <= destination;
                end_     <= destination + {7'd0, size};
                left     <= {up[40:8]};
                my_tag   <= tag;
            end else begin
                before <= before - (my_ends && fifo && !mine);
                behind <= behind + (takes && takes_class == my_class) - (my_ends && !fifo && !mine);
                if (emits && mine) begin
                    tracked  <= left != {22'd0, cut};
                    left     <= left - {22'd0, cut};
                    at       <= at + {29'd0, cut, 8'd0};
                    at_store <= at_store + {29'd0, cut, 8'd0};
                end
            end
        end
    end

    // ---- phases: what is unused comes first ----
    wire [1:0] d0 = my_dims[1:0], d1 = my_dims[3:2], d2 = my_dims[5:4];
    reg  [7:0] my_kinds, my_phases;     // the last phase in the high bits
    always @* begin
        {my_kinds, my_phases} = 16'd0;
        case ({my_kind, my_count})
            {2'd0, 3'd1}: {my_kinds, my_phases} = {AR, 6'd0, d0, 6'd0};
            {2'd0, 3'd2}: {my_kinds, my_phases} = {AG, AR, RS, 2'd0, d0, d1, d0, 2'd0};
            {2'd0, 3'd3}: {my_kinds, my_phases} = {AG, AR, AR, RS, d0, d2, d1, d0};
            {2'd1, 3'd1}: {my_kinds, my_phases} = {RS, 6'd0, d0, 6'd0};
            {2'd1, 3'd2}: {my_kinds, my_phases} = {RS, RS, 4'd0, d1, d0, 4'd0};
            {2'd1, 3'd3}: {my_kinds, my_phases} = {RS, RS, RS, 2'd0, d2, d1, d0, 2'd0};
            {2'd2, 3'd1}: {my_kinds, my_phases} = {AG, 6'd0, d0, 6'd0};
            {2'd2, 3'd2}: {my_kinds, my_phases} = {AG, AG, 4'd0, d0, d1, 4'd0};
            {2'd2, 3'd3}: {my_kinds, my_phases} = {AG, AG, AG, 2'd0, d0, d1, d2, 2'd0};
        endcase
    end

    // ---- time: since a command was taken; held and waiting up to now; from its begin until a chunk is offered ----
    reg  [3:0] since;
    reg  [6:0] holding, waits;
    reg        emitted;
    wire [6:0] takes_time = my_count == 3'd0 ? 7'd3 : 7'd8 + 7'd14 * my_count;
    always @(posedge clk) begin
        since   <= rst ? 4'd15 : takes ? 4'd1 : since + (since != 4'd15);
        holding <= rst || !hold ? 7'd0 : holding + (holding != 7'd127);
        waits   <= rst || chunk_valid || hold || takes || there == 0 ? 7'd0 : waits + (waits != 7'd127);
        emitted <= !rst && emits;
    end

    wire [3:0] load_mask = (5'd1 << load_burst) - 5'd1, store_mask = (5'd1 << store_burst) - 5'd1;
    wire       all_gather = my_kind == 2'd2, reduce_scatter = my_kind == 2'd1;
    wire       planned;                 // a chunk of the followed command is offered, or will be in the next cycle
    always @* if (live) begin
        // stable
        assert (!waited || (chunk_valid && chunk == chunk_was));
        // once
        assert (!(chunk_valid && mine) || {my_how, my_tag} == {chunk_type, chunk_op, scale[31:0], chunk_tag});
        assert (!(planned && mine) || chunk_last == (left == {22'd0, cut}));
        assert (!(planned && mine && !all_gather) || load_rows == cut);
        assert (!(planned && mine && !reduce_scatter) || store_rows == cut);
        assert (!tracked || left != 33'd0);
        // place
        assert (!(planned && mine && !all_gather) || load_address == at);
        assert (!(planned && mine && !reduce_scatter) || store_address == at_store);
        assert (!(planned && mine) || ((load_address[11:8] & load_mask) == 4'd0 && load_address[7:0] == 8'd0 &&
                                       load_burst <= 3'd4));
        assert (!(planned && mine) || ((store_address[11:8] & store_mask) == 4'd0 && store_address[7:0] == 8'd0 &&
                                       store_burst <= 3'd4));
        assert (!(chunk_valid && mine) || (reduce_scatter ? limit <= end_ : limit == end_));
        // phases
        assert (!(planned && mine) || {kinds, chunk_dims} == {my_kinds, my_phases});
        // order: no command follows the newest while its chunk waits
        assert (!(cmd_ready && chunk_valid) || fifo);
        // classes
        assert (!chosen || at_class == turn);
        assert (!(chunk_valid && mine) || my_class == (class_tag != 16'd0 && chunk_tag >= class_tag));
        // room
        assert (there_0 <= COMMANDS && there_1 <= OTHERS && idle == (there == 0));
        assert (!cmd_ready || (there_0 != COMMANDS && there_1 != OTHERS));
        assert (!chunk_valid || (at_class ? there_1 : there_0) != 0);
        // ready
        assert (!(((fifo && waited && chunk_valid) || emitted) && there_0 != COMMANDS && there_1 != OTHERS &&
                  since > 4'd9) || cmd_ready);
        // hold
        assert (!(chunk_valid && !waited && mine) || holding <= takes_time);
        // pace
        assert (!mine || chunk_valid || waits <= 7'd8 + takes_time);
    end

    // ---- what leads the induction ----
    (* hierconn *) wire [2:0]   \dut.step_q , \dut.count_q , \dut.plan_q ;
    (* hierconn *) wire [3:0]   \dut.bit_q , \dut.scale_step_q , \dut.shard_bits_q ;
    (* hierconn *) wire         \dut.entering_q , \dut.enter_class_q ;
    (* hierconn *) wire [W:0]   \dut.head_q , \dut.tail_q , \dut.at_q ;
    (* hierconn *) wire [1:0]   \dut.head_1_q , \dut.tail_1_q ;
    (* hierconn *) wire [3:0]   \dut.left_0_q , \dut.left_1_q ;
    (* hierconn *) wire [249:0] \dut.enter_q ;
    (* hierconn *) wire [254:0] \dut.read_q , \dut.table_q[0]  , \dut.table_q[1]  , \dut.table_q[2]  , \dut.table_q[3]  , \dut.table_q[4]  , \dut.table_q[5] ;
    (* hierconn *) wire [1:0]   \dut.kind_q ;
    (* hierconn *) wire [5:0]   \dut.dims_q ;
    (* hierconn *) wire [47:0]  \dut.source_q , \dut.dest_q , \dut.limit_q ;
    (* hierconn *) wire [32:0]  \dut.rows_q ;
    (* hierconn *) wire [10:0]  \dut.rows_cut_q , \dut.plan_shard_q ;
    (* hierconn *) wire [14:0]  \dut.plan_low_q ;
    (* hierconn *) wire [18:0]  \dut.plan_term_q , \dut.own_q ;
    wire [2:0]    plan = \dut.plan_q ;
    wire [W:0]    head = \dut.head_q , tail = \dut.tail_q , place_0 = head + before;
    wire [1:0]    head_1 = \dut.head_1_q , tail_1 = \dut.tail_1_q , place_1 = head_1 + before[1:0];
    wire [W:0]    place = my_class ? {2'b10, place_1[0]} : {1'b0, place_0[W-1:0]};     // OTHERS is 2, COMMANDS 4
    wire [W-1:0]  newest_0 = tail[W-1:0] - 1'b1;
    wire [1:0]    newest_1 = tail_1 - 2'd1;
    wire          enter_class = \dut.enter_class_q ;
    wire [W:0]    enters_to = enter_class ? there_1 : there_0;
    wire [255*(COMMANDS+OTHERS)-1:0] table_ = {\dut.table_q[5]  , \dut.table_q[4]  , \dut.table_q[3]  , \dut.table_q[2]  , \dut.table_q[1]  , \dut.table_q[0] };
    wire [241:0]  my   = {my_kind, my_how, my_count, my_dims, at, at_store, end_, left, my_tag};
    wire          cuts = state >= DIVIDE;
    // cycles until the chunk is offered
    wire [6:0]    rest = state == READ   ? takes_time :
                         state == DIVIDE ? 7'd14 * (my_count - 3'd1 - \dut.step_q ) + \dut.bit_q + 7'd8 :
                         state == PLAN   ? (plan == 3'd0 ? 7'd2 : 7'd8 - plan) :
                         state == LIMIT  ? 7'd1 : 7'd0;
    assign planned = state >= LIMIT;
    function [3:0] below;               // of the lowest bit that is set
        input [3:0] x;
        below = (x & -x) - 4'd1;
    endfunction
    wire [3:0]    fine = below(chunk_rows[3:0]), finer = below(chunk_rows[3:0] | \dut.shard_bits_q );
    always @* if (live && LEAD != 0) begin
        assert (tail - head == there_0 && {1'b0, tail_1 - head_1} == there_1);
        assert (left_0 <= 15 && \dut.left_0_q == (chosen ? now_0 - (!turn && now_0 != 0) : left_0));
        assert (\dut.left_1_q == (chosen ? now_1 - turn : left_1));
        assert (state <= WAIT && (state == IDLE || (at_class ? there_1 : there_0) != 0));
        assert (state == IDLE || \dut.at_q == (at_class ? {2'b10, fifo ? head_1[0] : newest_1[0]}
                                                        : {1'b0, fifo ? head[W-1:0] : newest_0}));
        assert (!\dut.entering_q || ((state == IDLE ? enters_to != 0 :
                                      state == WAIT && fifo && enters_to > (enter_class == at_class)) &&
                                     (since == \dut.scale_step_q + 4'd1 ||
                                      (since == 4'd9 && \dut.scale_step_q == 4'd7 && state == IDLE)) &&
                                     \dut.scale_step_q <= 4'd7));
        assert (!tracked || before + behind + 1 == (my_class ? there_1 : there_0));
        assert (!tracked || my_class == (class_tag != 16'd0 && my_tag >= class_tag));
        assert (!waited || state == WAIT);
        assert (!emitted || state == IDLE);
        assert (plan <= 3'd5 && (plan == 3'd0 || state == PLAN || (state == DIVIDE && \dut.bit_q == 4'd14 - plan)));
        assert (state != DIVIDE || (\dut.bit_q <= 4'd13));
        // the command at its present stage: entering, in the table, read, and cut
        assert (!tracked || (\dut.entering_q && enter_class == my_class && behind == 0 ? \dut.enter_q [249:8]
                                                            : table_[255*place + 8 +: 242]) == my);
        assert (!(mine && state == READ) || \dut.read_q [249:8] == my);
        assert (!(mine && cuts) || {\dut.kind_q , chunk_type, chunk_op, scale[31:0], \dut.count_q , \dut.dims_q ,
                                    \dut.source_q , \dut.dest_q , \dut.limit_q , \dut.rows_q , chunk_tag} == my);
        assert (!(mine && cuts) || \dut.rows_cut_q == cut);
        assert (!(mine && state == DIVIDE) || \dut.step_q < my_count);
        assert (!tracked || (my_kind != 2'd3 && my_count <= 3'd3));
        // bursts
        assert (!tracked || ((at[11:8] & fine) == 4'd0 && at[7:0] == 8'd0));
        assert (!tracked || ((at_store[11:8] & fine) == 4'd0 && at_store[7:0] == 8'd0));
        assert (state < DIVIDE || (\dut.own_q [3:0] & finer) == 4'd0);
        assert (plan < 3'd1 || (\dut.plan_shard_q [3:0] & finer) == 4'd0);
        assert (plan < 3'd2 || (\dut.plan_low_q [3:0] & finer) == 4'd0);
        assert (plan < 3'd3 || (\dut.plan_term_q [3:0] & finer) == 4'd0);
        // time
        assert (!(mine && state != IDLE && state < EMIT) || {1'b0, holding} + rest <= takes_time);
        assert (!(mine && state < EMIT) ||
                {1'b0, waits} + (state != IDLE    ? rest :
                                 \dut.entering_q  ? takes_time + 7'd9 - \dut.scale_step_q : takes_time + 7'd1) <=
                7'd9 + takes_time);
    end

    reg [1:0] some, over;
    always @(posedge clk) begin
        some <= rst ? 2'd0 : some + (emits && !chunk_last && some != 2'd3);
        over <= rst ? 2'd0 : over + (ends && over != 2'd3);
    end
    always @* if (live) cover (some == 2'd2 && over == 2'd2);
endmodule

`default_nettype wire

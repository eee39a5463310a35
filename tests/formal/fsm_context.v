// SPDX-License-Identifier: Apache-2.0
//
// fsm_context -- ace_fsm_context sends only rows that are ready, and grants only what it can sink
//
// The FSM admits a chunk, and takes rows, writes and copies at any time.  It answers each request
// for a piece with any piece.  The rows of a chunk are fewer than MOST each way, and a bias is not
// larger.
//
// Properties, of one chunk after the other
//   budget    A row is offered only while its budget is not used up, or its piece is free.  The
//             budget is the rows written and the bias of the piece, less the rows sent before.  The
//             rows of a piece with hold do not use it up.  A piece with keep takes over the budget
//             of the piece before.
//   own       After the own shard was requested, a row is offered only while more of that shard's
//             rows were copied than sent.
//   grant     The first row of a piece that needs a grant is offered only with a grant of its peer,
//             which it uses up.
//   open      A grant is offered only when each received row is written.
//   exchange  Each of the first rows of an exchange is taken only once as many rows were read to be
//             sent.  The first row of its piece is taken only once all rows before are written.
//   rows      Pieces are sent and received in the order in which they came, each with its number of
//             rows.  No row is offered without a piece.
//   done      done comes only when all pieces are sent and received, and all rows written and
//             copied.
//   rate      cover: pieces of two rows follow one another without a gap, each row as one is written

`default_nettype none

module fsm_context #(
    parameter MOST = 2048,
    parameter PEERS = 16,
    parameter W = $clog2(PEERS)     // follows
) (
    input wire        clk,
    input wire        rst,
    input wire        s_admit,
    input wire        s_release,
    input wire [10:0] s_shard,
    input wire        s_entry,
    input wire        s_piece_copy,
    input wire        s_piece_send,
    input wire        s_piece_receive,
    input wire        s_piece_end,
    input wire [11:0] s_rows,
    input wire [14:0] s_bias,
    input wire        s_free,
    input wire        s_hold,
    input wire        s_keep,
    input wire        s_needs,
    input wire        s_exchange,
    input wire        s_down,
    input wire        s_read,
    input wire        s_pop,
    input wire [W-1:0] s_peer,
    input wire        s_granted,
    input wire [W-1:0] s_granted_peer,
    input wire        s_send_take,
    input wire        s_copy_take,
    input wire        s_grant_take,
    input wire        s_receive_take,
    input wire        s_written,
    input wire        s_copied
);
    wire        ready, copying, granting, closing, done, send_wants, receive_wants, entry_wants, exchanging;
    wire [1:0]  turning;
    wire [7:0]  send_peer, grant_peer;
    wire        step = s_admit || s_release || s_entry || s_piece_copy || s_piece_send || s_piece_receive ||
                       s_granted || s_send_take || s_copy_take || s_grant_take || s_receive_take || s_written || s_copied ||
                       exchanging;

    // dimension 0 is a hub: a grant for each of PEERS peers
    ace_fsm_context #(.DIMENSIONS(3), .PEERS(PEERS)) dut (
        .clk(clk), .rst(rst), .cfg_hub(3'b001), .cfg_alone(1'b0),
        .cfg_source_first(12'd0), .cfg_source_end(12'd4095), .cfg_target_first(12'd0), .cfg_target_end(12'd4095),
        .s_step(step), .s_admit(s_admit), .s_release(s_release), .s_admit_dim(2'd0), .s_admit_shard(s_shard),
        .s_fetch_entry(1'b0), .s_fetch_send(1'b0), .s_fetch_receive(1'b0), .s_entry(s_entry), .s_entry_up(1'b0),
        .s_entry_send(7'd0), .s_entry_receive(7'd0), .s_thread_send(1'b0), .s_thread_receive(1'b0), .s_thread(16'd0),
        .m_entry_wants(entry_wants), .m_send_wants(send_wants), .m_receive_wants(receive_wants),
        .s_piece_copy(s_piece_copy), .s_piece_send(s_piece_send), .s_piece_receive(s_piece_receive),
        .s_piece_end(s_piece_end), .s_piece_rows(s_rows), .s_piece_source(12'd0), .s_piece_target(12'd0),
        .s_piece_valids(11'd0), .s_piece_bias(s_bias), .s_piece_free(s_free), .s_piece_hold(s_hold),
        .s_piece_keep(s_keep), .s_piece_needs(s_needs), .s_piece_from_target(1'b0), .s_piece_reduce(1'b0),
        .s_piece_into(1'b0), .s_piece_exchange(s_exchange), .s_piece_down(s_down), .m_exchange(exchanging),
        .s_held(read != sent), .s_piece_peer({{(8-W){1'b0}}, s_peer}),
        .s_granted({5'd0, s_granted}), .s_granted_peer({{(48-W){1'b0}}, s_granted_peer}),
        .m_ready(ready), .m_send_peer(send_peer), .s_send_take(s_send_take),
        .m_copying(copying), .s_copy_take(s_copy_take), .m_granting(granting), .m_grant_peer(grant_peer),
        .s_grant_take(s_grant_take), .m_turning(turning), .m_closing(closing), .s_receive_take(s_receive_take),
        .s_written(s_written), .s_copied(s_copied), .m_done(done));

    `include "live.vh"

    (* anyconst *) reg [W-1:0] peer;        // whose grants are looked at

    // ---- the chunk ----
    reg         chunk, released;            // there is one; it was released
    // pieces to send, this one and the next: {rows, bias, free, hold, keep, needs, peer}
    reg         this_is, next_is, end_is;
    reg         came;                       // one came at all: the next, or this
    reg  [11:0] this_rows, next_rows;
    reg  [14:0] this_bias, next_bias;
    reg         this_free, next_free, this_hold, next_hold, next_keep, this_needs, next_needs;
    reg  [W-1:0] this_peer, next_peer;
    reg  [19:0] written, sent;              // rows of the chunk
    reg  [19:0] counted;                    // of those sent, what its piece counts
    // pieces to receive
    reg         into_is, behind_is, last_is;
    reg  [11:0] into_rows, behind_rows;
    reg         into_needs, behind_needs, into_exchange, behind_exchange;
    reg         into_fresh;                 // none of its rows was taken
    reg         popped;                     // a row is taken in this cycle
    reg  [19:0] read;                       // of the rows sent
    reg  [19:0] received;
    // the own shard
    reg         copies;
    reg  [10:0] shard;
    reg  [19:0] copied, copy_taken, sent_own;
    reg         grant;                      // of the peer looked at, not used
    // which pieces were requested
    reg         send_asked, receive_asked, copy_asked;

    wire ends   = s_send_take && this_rows == 12'd1;
    wire begins = (!this_is || ends) && (next_is || (s_piece_send && !s_piece_end));
    wire over   = s_receive_take && into_rows == 12'd1;
    wire turns  = (!into_is || over) && (behind_is || (s_piece_receive && !s_piece_end));
    always @(posedge clk) begin
        if (rst) begin
            {chunk, grant} <= 2'd0;
            {this_is, next_is, end_is, into_is, behind_is, last_is, copies, came} <= 8'd0;
        end else if (s_admit) begin
            chunk <= 1'b1;
            {this_is, next_is, end_is, into_is, behind_is, last_is, copies, came} <= 8'd0;
            {written, sent, counted, received, copied, copy_taken, sent_own, read} <= {8{20'd0}};
            popped <= 1'b0;
            {send_asked, receive_asked} <= 2'b00;
            copy_asked <= 1'b0;
            shard <= s_shard;
        end else begin
            if (s_release) chunk <= 1'b0;
            written <= written + s_written;
            sent    <= sent + s_send_take;
            // ---- to send ----
            if (begins) begin
                this_is    <= 1'b1;
                next_is    <= 1'b0;
                this_rows  <= next_is ? next_rows : s_rows;
                this_free  <= next_is ? next_free : s_free;
                this_hold  <= next_is ? next_hold : s_hold;
                this_needs <= next_is ? next_needs : s_needs;
                this_peer  <= next_is ? next_peer : s_peer;
                if (!(next_is ? next_keep : s_keep)) begin
                    this_bias <= next_is ? next_bias : s_bias;
                    counted   <= sent + s_send_take;
                end else counted <= counted + (s_send_take && !this_hold);
            end else begin
                this_is <= this_is && !ends;
                if (s_piece_send && !s_piece_end) next_is <= 1'b1;
                if (s_send_take) {this_rows, this_needs} <= {this_rows - 12'd1, 1'b0};
                if (s_send_take && !this_hold) counted <= counted + 20'd1;
            end
            if (s_piece_send && !s_piece_end) begin
                {next_rows, next_bias, next_free, next_hold, next_keep, next_needs, next_peer} <=
                    {s_rows, s_bias, s_free, s_hold, s_keep, s_needs, s_peer};
                came <= 1'b1;
            end
            if (s_piece_send && s_piece_end) end_is <= 1'b1;
            send_asked <= (send_asked && !s_piece_send) || s_entry || begins;
            // ---- to receive ----
            received <= received + s_receive_take;
            read     <= read + s_read;
            popped   <= s_pop;
            into_fresh <= turns || (into_fresh && !s_receive_take);
            if (turns) begin
                into_is    <= 1'b1;
                behind_is  <= 1'b0;
                into_rows  <= behind_is ? behind_rows : s_rows;
                into_needs <= behind_is ? behind_needs : s_needs;
                into_exchange <= behind_is ? behind_exchange : s_exchange;
            end else begin
                into_is <= into_is && !over;
                if (s_piece_receive && !s_piece_end) behind_is <= 1'b1;
                if (s_receive_take) into_rows <= into_rows - 12'd1;
                if (s_grant_take) into_needs <= 1'b0;
            end
            if (s_piece_receive) begin
                {behind_rows, behind_needs, behind_exchange} <= {s_rows, s_needs, s_exchange};
                last_is <= last_is || s_piece_end;
            end
            receive_asked <= (receive_asked && !s_piece_receive) || s_entry || turns;
            // ---- copies ----
            if (s_entry) copy_asked <= 1'b1;
            if (s_piece_copy) copies <= 1'b1;
            copied     <= copied + s_copied;
            copy_taken <= copy_taken + s_copy_take;
            sent_own   <= sent_own + (copies && s_send_take);
        end
        // a grant may come before the chunk
        if (!rst) grant <= (grant || (s_granted && s_granted_peer == peer)) &&
                           !(s_send_take && this_needs && this_peer == peer);
    end

    wire [19:0] bias_this = {{5{this_bias[14]}}, this_bias};
    wire [19:0] budget    = written + bias_this - counted;
    always @* begin
        assume (s_rows != 12'd0);
        assume (written < MOST && sent < MOST && received < MOST);
        assume (s_bias[14:11] == 4'd0 || s_bias[14:11] == 4'd15);
        // the FSM
        assume (!s_admit || (!chunk && !s_release && !s_entry && !s_piece_copy && !s_piece_send && !s_piece_receive &&
                             !s_send_take && !s_copy_take && !s_grant_take && !s_receive_take && !s_written && !s_copied));
        assume (!s_release || (done && !s_send_take && !s_receive_take && !s_written && !s_copied && !s_entry &&
                               !s_piece_copy && !s_piece_send && !s_piece_receive && !s_copy_take && !s_grant_take));
        assume (chunk || !(s_entry || s_piece_copy || s_piece_send || s_piece_receive || s_send_take || s_copy_take ||
                           s_grant_take || s_receive_take || s_written || s_copied));
        assume (!s_entry || !copy_asked);
        assume (!s_piece_send || (send_asked && !end_is && !next_is));
        assume (!s_piece_receive || (receive_asked && !last_is && !behind_is && !s_piece_send));
        assume (!s_piece_copy || (copy_asked && !copies && sent == 20'd0 && !this_is && !s_piece_send && !s_piece_receive));
        assume (!s_send_take || ready);
        assume (!s_copy_take || copying);
        assume (!s_grant_take || granting);
        assume (!s_receive_take || (into_is && !(into_needs && granting)));
        assume (!s_receive_take || (into_exchange ? popped : turning == 2'b00));
        // a row leaves its link a cycle before it is taken
        assume (!(into_is && into_exchange && popped) || s_receive_take);
        assume (!s_pop || (into_is && into_exchange && turning != 2'b11 && !(closing && s_receive_take)));
        assume (!(s_pop && s_receive_take) || into_rows != 12'd1);     // its peer sends no more
        assume (!s_read || (read != sent && chunk));
        assume (!s_send_take || sent - read <= 20'd1 || s_read);
        assume (!s_written || written != received);
        assume (!s_copied || copied != copy_taken);
        assume (!(s_granted && s_granted_peer == peer) || !grant);
        assume (!(s_piece_send && s_keep) || (came && next_hold));
    end

    always @* if (live) begin
        // budget
        assert (!ready || (chunk && this_is));
        assert (!ready || this_free || (!budget[19] && budget != 20'd0));
        assert (!(ready && copies) || copied == shard || copied > sent_own);
        assert (!(ready && this_needs && this_peer == peer) || grant);
        assert (!ready || send_peer == {{(8-W){1'b0}}, this_peer});
        // open
        assert (!granting || (chunk && into_is && into_needs && written == received));
        // rows
        assert (turning == 2'b00 || !into_is || into_exchange);
        // exchange
        assert (!(s_receive_take && into_exchange) || received < read);
        assert (!(s_receive_take && into_exchange && into_fresh) || written == received);
        assert (!copying || (copies && copy_taken < shard));
        // done
        assert (!done || (chunk && end_is && last_is && !this_is && !next_is && !into_is && !behind_is &&
                          written == received && (!copies || copied == shard)));
    end

    // ---- what leads the induction ----
    (* hierconn *) wire        \dut.valid_q , \dut.send_over_q , \dut.receive_over_q , \dut.send_live_q , \dut.free_q , \dut.hold_q ;
    (* hierconn *) wire        \dut.send_next_q , \dut.next_free_q , \dut.next_hold_q , \dut.next_keep_q ;
    (* hierconn *) wire [11:0] \dut.send_rows_q , \dut.next_rows_q , \dut.receive_rows_q , \dut.behind_rows_q , \dut.open_q , \dut.ahead_q ;
    (* hierconn *) wire [15:0] \dut.budget_q , \dut.next_budget_q ;
    (* hierconn *) wire [10:0] \dut.copy_left_q , \dut.copied_left_q , \dut.shard_q ;
    (* hierconn *) wire [11:0] \dut.send_how_q , \dut.next_how_q , \dut.receive_how_q , \dut.behind_how_q ;
    (* hierconn *) wire [1:0]  \dut.turning_q ;
    (* hierconn *) wire        \dut.fresh_q , \dut.closing_q ;
    (* hierconn *) wire        \dut.receive_live_q , \dut.behind_q ;
    (* hierconn *) wire [12:0] \dut.level_q ;
    (* hierconn *) wire [3*PEERS-1:0] \dut.granted_q ;
    wire [19:0] bias_next = {{5{next_bias[14]}}, next_bias};
    wire [19:0] level     = written - sent;
    wire [19:0] budget_next = written + bias_next - sent;
    wire [19:0] left      = copied - sent_own;
    always @* if (live) begin
        assert (\dut.valid_q == chunk);
        assert (!this_is || chunk);
        assert (!next_is || this_is);
        assert (!into_is || chunk);
        assert (!behind_is || into_is);
        assert (\dut.send_live_q == this_is && \dut.send_next_q == next_is);
        assert (!chunk || \dut.send_over_q == end_is);
        assert (!chunk || \dut.receive_over_q == last_is);
        assert (!this_is || ({\dut.send_rows_q , \dut.free_q } == {this_rows, this_free}));
        assert (!(chunk && came) || next_is || next_hold == this_hold);
        assert (!(chunk && came) || this_hold == \dut.hold_q );
        assert (!(next_is && next_keep) || this_hold);
        assert (!this_is || came);
        assert (!next_is || ({\dut.next_rows_q , \dut.next_free_q , \dut.next_hold_q , \dut.next_keep_q } ==
                             {next_rows, next_free, next_hold, next_keep}));
        assert (!this_is || ({\dut.send_how_q [10], \dut.send_how_q [7:0]} == {this_needs, {(8-W){1'b0}}, this_peer}));
        assert (!next_is || ({\dut.next_how_q [10], \dut.next_how_q [7:0]} == {next_needs, {(8-W){1'b0}}, next_peer}));
        assert (!this_is || this_rows != 12'd0);
        assert (!next_is || next_rows != 12'd0);
        assert (\dut.receive_live_q == into_is && \dut.behind_q == behind_is);
        assert (!into_is || (\dut.receive_rows_q == into_rows && \dut.receive_how_q [9] == into_needs && into_rows != 12'd0));
        assert (!behind_is || (\dut.behind_rows_q == behind_rows && \dut.behind_how_q [9] == behind_needs && behind_rows != 12'd0));
        assert (!into_is || \dut.receive_how_q [11] == into_exchange);
        assert (!behind_is || \dut.behind_how_q [11] == behind_exchange);
        // an exchange: rows that may come, but for the one that is taken in this cycle
        assert (!(into_is && into_exchange) || !into_fresh || \dut.fresh_q || written == received);
        assert (!(into_is && into_exchange && \dut.fresh_q ) || (turning == 2'b11 && !popped));
        assert (!(into_is && into_exchange && popped) || received < read);
        assert (!(into_is && into_exchange && turning != 2'b11) || received < read);
        assert (!(into_is && into_exchange && !closing) || received + 20'd1 < read);
        // numbers
        assert (!chunk || (read <= sent && sent - read <= 20'd2));
        assert (!chunk || (written <= MOST && sent <= MOST && received <= MOST && written <= received));
        assert (!chunk || \dut.level_q == level[12:0]);
        assert (!chunk || \dut.open_q == received - written);
        assert (!chunk || counted <= sent);
        assert (!(chunk && came) || \dut.budget_q == budget[15:0]);
        assert (!next_is || \dut.next_budget_q == budget_next[15:0]);
        assert (!(chunk && came) || this_bias[14:11] == 4'd0 || this_bias[14:11] == 4'd15);
        assert (!next_is || next_bias[14:11] == 4'd0 || next_bias[14:11] == 4'd15);
        // copies
        assert (!chunk || \dut.shard_q == shard);
        assert (!chunk || \dut.copy_left_q == (copies ? shard - copy_taken : 11'd0));
        assert (!chunk || \dut.copied_left_q == (copies ? shard - copied : 11'd0));
        assert (!chunk || (copied <= copy_taken && (copies ? copy_taken <= shard : copy_taken == 20'd0)));
        assert (!chunk || !copies || \dut.ahead_q == left[11:0]);
        assert (!chunk || sent_own <= sent);
        // grants
        assert (\dut.granted_q [peer] == grant);
    end

    reg [3:0] run;      // rows in a row that were sent as one was written
    reg [1:0] pieces;
    always @(posedge clk) begin
        run    <= rst || !(s_send_take && s_written) ? 4'd0 : run + (run != 4'd15);
        pieces <= rst ? 2'd0 : pieces + (begins && next_is && this_bias == 15'd0 && !this_free && !this_hold);
    end
    always @* if (live) cover (run == 4'd6 && pieces == 2'd2);
endmodule

`default_nettype wire

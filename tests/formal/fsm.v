// SPDX-License-Identifier: Apache-2.0
//
// fsm -- ace_fsm chooses the context that sends, copies or grants, and gives each its pieces
//
// Contexts are free in each cycle; the proof fsm_context covers their behaviour.  So these
// properties hold whatever the contexts do.  The proof also shows that the FSM keeps to the inputs
// that the head of ace_fsm_context demands.
//
// Properties
//   send      m_send is a row of one context, with its link, peer and chunk, and its link has
//             room.  If a context of the same parity is in the middle of a piece, the row is of
//             such a context.  Among these it is the oldest.  The context gets the strobe.
//   copy      The same holds for the rows that are copied.
//   grant     The same holds for grants.  On a ring they go to the neighbour behind, with peer 0.
//   ours      Chunks that are admitted, released or granted for other phases or FSMs change
//             nothing.
//   fetch     A requested word stays requested until it is given.
//   piece     A fetched word becomes one piece, six cycles later, for the thread that requested
//             it.  An entry without a copy gives no piece.  No other piece comes.  A piece of one
//             shard has that shard's number of rows.
//   step      A context gets s_step exactly when it gets a strobe, or receives in an exchange.
//   mismatch  mismatch rises after a packet of another chunk than its context's, and stays until
//             reset.
//   rate      cover: a context sends a row in each of seven cycles, and in the next a piece comes to it

`default_nettype none
`include "../../rtl/ace_program_fields.vh"

// the contexts
// cut: dut.link
// cut: dut.ups
// cut: dut.exchanges
// cut: dut.ready
// cut: dut.part
// cut: dut.zeros
// cut: dut.reduces
// cut: dut.copying
// cut: dut.granting
// cut: dut.into
// cut: dut.pads
// cut: dut.send_row
// cut: dut.copy_source
// cut: dut.copy_target
// cut: dut.receive_source
// cut: dut.receive_target
// cut: dut.send_peer
// cut: dut.grant_peer
// cut: dut.entry_wants
// cut: dut.send_wants
// cut: dut.receive_wants
// cut: dut.send_thread
// cut: dut.receive_thread
// inside: mark_q shard_q

module fsm #(
    parameter FSMS     = 2,
    parameter CONTEXTS = 4,
    parameter W        = $clog2(CONTEXTS),  // follows
    parameter FSM_W    = $clog2(FSMS)
) (
    input wire        clk,
    input wire        rst,
    input wire        fetch_grant,
    input wire [31:0] fetch_word,
    input wire        admit,
    input wire        release_,
    input wire [2:0]  phase,
    input wire [4:0]  index,
    input wire [1:0]  kind,
    input wire [10:0] shard,
    input wire [7:0]  ring,
    input wire [7:0]  rank,
    input wire [7:0]  mark,
    input wire [5:0]  granted,
    input wire [47:0] granted_context,
    input wire [5:0]  room,
    input wire        send_take,
    input wire        copy_take,
    input wire        grant_take,
    input wire        reduce_take,
    input wire [4:0]  reduce_index,
    input wire [7:0]  reduce_mark,
    input wire        store_take,
    input wire [4:0]  store_index,
    input wire [7:0]  store_mark,
    input wire        reduced,
    input wire        reduced_copy,
    input wire [4:0]  reduced_index,
    input wire        stored,
    input wire [4:0]  stored_index
);
    `include "live.vh"

    (* anyconst *) reg [2:0]   hub, my_phase;
    (* anyconst *) reg [1:0]   my_index;
    (* anyconst *) reg [W-1:0] one;         // the context that is looked at

    wire        fetch_valid, send_valid, copy_valid, grant_valid, mismatch, send_zero, send_reduce;
    wire [6:0]  fetch_at;
    wire [2:0]  send_link, grant_link;
    wire [4:0]  send_index, copy_index, grant_index;
    wire [11:0] send_row_, copy_source_, copy_target_;
    wire [7:0]  send_mark, send_peer_, grant_peer_, grant_mark;
    wire [1:0]  begun;

    ace_fsm #(.DIMENSIONS(3), .FSMS(FSMS), .CONTEXTS(CONTEXTS), .PEERS(16)) dut (
        .clk(clk), .rst(rst), .cfg_phase(my_phase), .cfg_index(my_index), .cfg_hub(hub), .cfg_alone(1'b0),
        .cfg_source_end(12'd4095), .cfg_source_rows(12'd2048),
        .cfg_target_end(12'd2047), .cfg_target_rows(12'd2048),
        .m_fetch_valid(fetch_valid), .m_fetch_at(fetch_at), .s_fetch_grant(fetch_grant), .s_fetch_word(fetch_word),
        .s_admit_valid(admit), .s_release_valid(release_), .s_context_phase(phase), .s_context_index(index),
        .s_admit_kind(kind), .s_admit_dim(2'd0), .s_admit_ring(ring), .s_admit_rank(rank), .s_admit_shard(shard),
        .s_admit_valids(11'd0), .s_admit_source_row(12'd2048), .s_admit_target_row(12'd0), .s_admit_type(3'd0),
        .s_admit_op(3'd0), .s_admit_scale(37'd0), .s_admit_mark(mark),
        .s_grant_valid(granted), .s_grant_context(granted_context), .s_grant_peer(48'd0),
        .m_grant_valid(grant_valid), .m_grant_link(grant_link), .m_grant_index(grant_index),
        .m_grant_peer(grant_peer_), .m_grant_mark(grant_mark), .s_grant_take(grant_take),
        .s_link_room(room), .m_send_valid(send_valid), .m_send_link(send_link), .m_send_index(send_index),
        .m_send_row(send_row_), .m_send_zero(send_zero), .m_send_reduce(send_reduce), .m_send_mark(send_mark),
        .m_send_peer(send_peer_), .m_send_begun(begun), .s_send_take(send_take), .s_held(4'd0),
        .m_copy_valid(copy_valid), .m_copy_index(copy_index), .m_copy_source(copy_source_),
        .m_copy_target(copy_target_), .s_copy_take(copy_take),
        .s_reduce_index(reduce_index), .s_reduce_mark(reduce_mark), .s_reduce_take(reduce_take),
        .s_store_index(store_index), .s_store_mark(store_mark), .s_store_take(store_take),
        .s_reduced_valid(reduced), .s_reduced_copy(reduced_copy), .s_reduced_index(reduced_index),
        .s_stored_valid(stored), .s_stored_index(stored_index), .m_mismatch(mismatch));

    // outputs and inputs of the contexts
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.ready , \dut.part , \dut.zeros , \dut.reduces ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.copying , \dut.granting , \dut.ups , \dut.exchanges ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.entry_wants , \dut.send_wants , \dut.receive_wants ;
    (* hierconn *) wire [CONTEXTS*3-1:0]  \dut.link ;
    (* hierconn *) wire [CONTEXTS*12-1:0] \dut.send_row , \dut.copy_source , \dut.copy_target ;
    (* hierconn *) wire [CONTEXTS*8-1:0]  \dut.send_peer , \dut.grant_peer ;
    (* hierconn *) wire [CONTEXTS*16-1:0] \dut.send_thread , \dut.receive_thread ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.admitted , \dut.released , \dut.sends , \dut.copies , \dut.grants ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.receives , \dut.copied , \dut.writes , \dut.steps ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.fetch_entry , \dut.fetch_send , \dut.fetch_receive , \dut.entry ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.decode_send , \dut.decode_receive ;
    (* hierconn *) wire [CONTEXTS-1:0]    \dut.piece_copy , \dut.piece_send , \dut.piece_receive ;
    (* hierconn *) wire [CONTEXTS*6-1:0]  \dut.granted ;
    (* hierconn *) wire [11:0]            \dut.rows6_q ;

    integer l;
    // cfg_index is constant, and takes come only with an offer
    always @* begin
        assume (my_index < FSMS);
        assume (!send_take || send_valid);
        assume (!copy_take || copy_valid);
        assume (!grant_take || grant_valid);
        assume (!fetch_grant || fetch_valid);
        assume (!(admit && release_));
        for (l = 0; l < CONTEXTS; l = l + 1) assume (\dut.link [3*l+1 +: 2] != 2'd3);  // of three dimensions
    end

    // ---- the chunks ----
    function ours;
        input [2:0] p;
        input [4:0] i;
        ours = p == my_phase && (i & (FSMS - 1)) == my_index;
    endfunction
    function [W-1:0] context;
        input [4:0] i;
        context = i >> FSM_W;
    endfunction
    reg [7:0]   marks [0:CONTEXTS-1];
    reg [10:0]  shard_of [0:CONTEXTS-1];
    reg [W-1:0] oldest;
    reg         wrong;
    wire        enters = admit && ours(phase, index);
    wire [W-1:0] at = context(index);
    always @(posedge clk) begin
        if (enters) begin
            marks[at] <= mark;
            shard_of[at] <= shard;
        end
        oldest <= rst ? {W{1'b0}} : enters ? at + 1'b1 : oldest;
        wrong  <= !rst && (wrong || (reduce_take && reduce_mark != marks[context(reduce_index)]) ||
                           (store_take && store_mark != marks[context(store_index)]));
    end

    // ---- the age of a context: its distance from the oldest ----
    function [W-1:0] age;
        input [W-1:0] c;
        age = c - oldest;
    endfunction
    reg  [CONTEXTS-1:0] may;                            // send
    reg                 middle;                         // one is in the middle of a piece
    reg                 older_send, older_copy, older_grant;
    integer c;
    always @* begin
        middle = 1'b0;
        for (c = 0; c < CONTEXTS; c = c + 1)
            if (\dut.ready [c] && \dut.part [c] && (FSMS != 1 || c % 2 == one % 2)) middle = 1'b1;
        {older_send, older_copy, older_grant} = 3'd0;
        for (c = 0; c < CONTEXTS; c = c + 1)
            if (age(c[W-1:0]) < age(one)) begin
                if (\dut.copying [c])  older_copy  = 1'b1;
                if (\dut.granting [c]) older_grant = 1'b1;
                // an older context of this parity that could have sent
                if (\dut.ready [c] && (\dut.part [c] || !middle) && room[\dut.link [3*c +: 3]] &&
                    (FSMS != 1 || c % 2 == one % 2)) older_send = 1'b1;
            end
    end
    wire [2:0] my_link  = \dut.link [3*one +: 3];
    wire       sends    = send_valid && context(send_index) == one;
    wire       copies   = copy_valid && context(copy_index) == one;
    wire       gives    = grant_valid && context(grant_index) == one;

    // ---- the pipe: what was fetched, for whom, and what the word said ----
    wire [CONTEXTS-1:0] wants = \dut.entry_wants | \dut.receive_wants | \dut.send_wants ;
    wire [1:0] what = \dut.fetch_entry [one] ? 2'd0 : \dut.fetch_receive [one] ? 2'd1 : 2'd2;
    wire       mine = \dut.fetch_entry [one] || \dut.fetch_receive [one] || \dut.fetch_send [one];
    reg  [5:0] pipe;                                    // a word for the context that is looked at, by its age
    reg  [1:0] pipe_what [0:5];
    reg  [5:0] pipe_shard, pipe_none;                   // its piece is one shard; an entry without a copy
    reg [10:0] shards [0:5];                            // the shard when stage 3 looked at it
    integer k;
    always @(posedge clk) begin
        pipe[0] <= fetch_grant && mine && !rst;
        pipe_what[0] <= what;
        for (k = 1; k < 6; k = k + 1) begin
            pipe[k]       <= pipe[k-1] && !rst;
            pipe_what[k]  <= pipe_what[k-1];
            pipe_shard[k] <= k == 1 ? pipe_what[0] == 2'd0 || fetch_word[`ACE_PROGRAM_PIECE] == `ACE_PROGRAM_SHARD
                                    : pipe_shard[k-1];
            pipe_none[k]  <= k == 1 ? pipe_what[0] == 2'd0 && !fetch_word[`ACE_PROGRAM_ENTRY_COPY] : pipe_none[k-1];
            shards[k]     <= k == 3 ? shard_of[one] : shards[k-1];
        end
    end
    wire       comes = pipe[5] && !pipe_none[5];
    wire       heard = \dut.admitted [one] || \dut.released [one] || \dut.sends [one] || \dut.copies [one] ||
                       \dut.grants [one] || \dut.receives [one] || \dut.copied [one] || \dut.writes [one] ||
                       \dut.fetch_entry [one] || \dut.fetch_send [one] || \dut.fetch_receive [one] ||
                       \dut.entry [one] || \dut.decode_send [one] || \dut.decode_receive [one] ||
                       \dut.piece_copy [one] || \dut.piece_send [one] || \dut.piece_receive [one] ||
                       \dut.granted [6*one +: 6] != 6'd0;
    reg [5:0] to_me;
    always @* for (k = 0; k < 6; k = k + 1)
        to_me[k] = granted[k] && ours(granted_context[8*k+5 +: 3], granted_context[8*k +: 5]) &&
                   context(granted_context[8*k +: 5]) == one;

    always @* if (live) begin
        // send
        assert (!send_valid || (send_index & (FSMS - 1)) == my_index);
        assert (!sends || (\dut.ready [one] && room[my_link] && (\dut.part [one] || !middle)));
        assert (!sends || FSMS == 1 || !older_send);
        assert (!sends || (send_link == my_link && send_row_ == \dut.send_row [12*one +: 12] &&
                           send_mark == marks[one] && send_zero == \dut.zeros [one] &&
                           send_reduce == \dut.reduces [one] &&
                           send_peer_ == (hub[my_link[2:1]] ? \dut.send_peer [8*one +: 8] : 8'd0)));
        assert (send_valid || !(\dut.ready [one] && room[my_link] && (\dut.part [one] || !middle)));
        assert (\dut.sends [one] == (sends && send_take));
        // copy
        assert (!copies || (\dut.copying [one] && !older_copy && copy_source_ == \dut.copy_source [12*one +: 12] &&
                            copy_target_ == \dut.copy_target [12*one +: 12]));
        assert (copy_valid || !\dut.copying [one]);
        assert (\dut.copies [one] == (copies && copy_take));
        // grant
        assert (!gives || (\dut.granting [one] && !older_grant && grant_mark == marks[one] &&
                           (hub[my_link[2:1]]
                                ? grant_link[2:1] == my_link[2:1]
                                : grant_link == {my_link[2:1], \dut.ups [one]} && grant_peer_ == 8'd0)));
        assert (grant_valid || !\dut.granting [one]);
        assert (\dut.grants [one] == (gives && grant_take));
        // ours
        assert (\dut.admitted [one] == (enters && at == one));
        assert (\dut.released [one] == (release_ && ours(phase, index) && at == one));
        assert (\dut.granted [6*one +: 6] == to_me);
        // fetch
        assert (fetch_valid == (wants != {CONTEXTS{1'b0}}) && (!mine || fetch_grant));
        // piece
        assert (\dut.piece_copy [one] == (comes && pipe_what[5] == 2'd0));
        assert (\dut.piece_receive [one] == (comes && pipe_what[5] == 2'd1));
        assert (\dut.piece_send [one] == (comes && pipe_what[5] == 2'd2));
        assert (!(comes && pipe_shard[5]) || \dut.rows6_q == {1'b0, shards[5]});
        assert (\dut.entry [one] == (pipe[1] && pipe_what[1] == 2'd0));
        assert (\dut.decode_receive [one] == (pipe[1] && pipe_what[1] == 2'd1));
        assert (\dut.decode_send [one] == (pipe[1] && pipe_what[1] == 2'd2));
        // step
        assert (\dut.steps [one] == (heard || \dut.exchanges [one]));
        // mismatch
        assert (mismatch == wrong);
    end

    // ---- what leads the induction ----
    (* hierconn *) wire         \dut.valid1_q , \dut.valid2_q , \dut.valid3_q ;
    (* hierconn *) wire         \dut.valid4_q , \dut.valid5_q , \dut.valid6_q ;
    (* hierconn *) wire [1:0]   \dut.what1_q , \dut.what2_q , \dut.what3_q ;
    (* hierconn *) wire [1:0]   \dut.what4_q , \dut.what5_q , \dut.what6_q ;
    (* hierconn *) wire [1:0]   \dut.piece3_q ;
    (* hierconn *) wire [W-1:0] \dut.at1_q , \dut.at2_q , \dut.at3_q ;
    (* hierconn *) wire [W-1:0] \dut.at4_q , \dut.at5_q , \dut.at6_q , \dut.oldest_q ;
    (* hierconn *) wire [31:0]  \dut.word2_q ;
    (* hierconn *) wire [7:0]   \dut.shards4_q ;
    (* hierconn *) wire [10:0]  \dut.shard4_q ;
    (* hierconn *) wire [11:0]  \dut.rows5_q ;
    (* hierconn *) wire [7:0]   \dut.mark_q[0] , \dut.mark_q[1] , \dut.mark_q[2] , \dut.mark_q[3] ;
    (* hierconn *) wire [10:0]  \dut.shard_q[0] , \dut.shard_q[1] , \dut.shard_q[2] , \dut.shard_q[3] ;
    wire [5:0] valid_one = {\dut.valid6_q && \dut.at6_q == one, \dut.valid5_q && \dut.at5_q == one,
                            \dut.valid4_q && \dut.at4_q == one, \dut.valid3_q && \dut.at3_q == one,
                            \dut.valid2_q && \dut.at2_q == one, \dut.valid1_q && \dut.at1_q == one};
    wire [11:0] what_one = {\dut.what6_q , \dut.what5_q , \dut.what4_q , \dut.what3_q , \dut.what2_q , \dut.what1_q };
    integer n;
    always @* if (live) begin
        assert (oldest == \dut.oldest_q &&
                {marks[3], marks[2], marks[1], marks[0]} ==
                {\dut.mark_q[3] , \dut.mark_q[2] , \dut.mark_q[1] , \dut.mark_q[0] } &&
                {shard_of[3], shard_of[2], shard_of[1], shard_of[0]} ==
                {\dut.shard_q[3] , \dut.shard_q[2] , \dut.shard_q[1] , \dut.shard_q[0] } &&
                valid_one[1:0] == pipe[1:0] && valid_one[5:2] == (pipe[5:2] & ~pipe_none[5:2]));
        for (n = 0; n < 6; n = n + 1)
            assert (!valid_one[n] || (pipe_what[n] == what_one[2*n +: 2] && pipe_what[n] != 2'd3));
        assert (!pipe[1] || (pipe_none[1] == (pipe_what[1] == 2'd0 && !\dut.word2_q [`ACE_PROGRAM_ENTRY_COPY]) &&
                             pipe_shard[1] == (pipe_what[1] == 2'd0 ||
                                               \dut.word2_q [`ACE_PROGRAM_PIECE] == `ACE_PROGRAM_SHARD)));
        assert (!(valid_one[2] && pipe_shard[2]) || \dut.piece3_q == `ACE_PROGRAM_SHARD);
        assert (!(valid_one[3] && pipe_shard[3]) || (\dut.shards4_q == 8'd1 && \dut.shard4_q == shards[3]));
        assert (!(valid_one[4] && pipe_shard[4]) || \dut.rows5_q == {1'b0, shards[4]});
    end

    reg [2:0] run;
    always @(posedge clk) run <= rst || !(sends && send_take) ? 3'd0 : run + (run != 3'd7);
    always @* if (live) cover (run == 3'd7 && comes);
endmodule

`default_nettype wire

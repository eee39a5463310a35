// SPDX-License-Identifier: Apache-2.0
//
// ace_fsm_context -- one chunk of an FSM: the pieces it sends and receives, row by row
//
//   s_admit, s_release ---> chunk, two threads ---> m_*_wants   words of the program to fetch
//   s_entry, s_thread ----->  |
//   s_piece_* ------------->  the piece, and the next ---> m_ready, m_granting, m_turning
//   s_*_take, s_written --->  counters of rows ----------> m_copying, m_done
//
// One thread walks the pieces to send, the other the pieces to receive.  Each thread has a current
// piece and the next one.  The FSM computes the next piece while rows of the current one move.  So
// a row's address is one after the row before, and pieces follow each other without a gap.  A piece
// to send waits for its budget: the rows written, plus the bias of its instruction, less the rows
// sent.
//
// In an exchange, on a ring, both neighbours send a piece and add up what comes.  A sum overwrites
// a row of the own block.  So a row may come only once its own row has been read to be sent.
//
// Contract
//   Strobes     s_step is 1 in each cycle with any strobe; without it nothing changes.  A chunk is
//               admitted to a context that was released, after reset or after m_done.
//   Takes       s_send_take, s_copy_take and s_grant_take are given only with m_ready, m_copying
//               and m_granting of the same cycle. s_receive_take is not given with m_turning, nor a
//               cycle after one with m_closing.
//   Pieces      A thread requests the next piece when it begins one. s_piece_send and
//               s_piece_receive answer once for each request. s_piece_copy comes once a chunk,
//               before the others.
//   Outputs     All depend on state alone.
//   Reset       rst is synchronous, active high; the chunk and all grants are forgotten.
//   Twin        cmodel/twin/ace_fsm_context.h, equal at every port of the FSM, every cycle
//               (tests/lockstep/lockstep_fsm_test.cc).

`include "ace_program_fields.vh"

`default_nettype none

module ace_fsm_context #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter PEERS = 16        // members of a hub whose grants it keeps apart: 16, 32 or 64
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [DIMENSIONS-1:0] cfg_hub,       // dimensions that are no rings
    input  wire        cfg_alone,               // rows wait while there is no chunk
    input  wire [11:0] cfg_source_first,        // rows of the two partitions
    input  wire [11:0] cfg_source_end,
    input  wire [11:0] cfg_target_first,
    input  wire [11:0] cfg_target_end,

    input  wire        s_step,                  // there is a strobe
    input  wire        s_admit,
    input  wire        s_release,
    input  wire [1:0]  s_admit_dim,
    input  wire [10:0] s_admit_shard,

    // Words of the program that are fetched, and what they make of the threads
    input  wire        s_fetch_entry,
    input  wire        s_fetch_send,
    input  wire        s_fetch_receive,
    input  wire        s_entry,
    input  wire        s_entry_up,              // "ahead" is up the dimension
    input  wire [6:0]  s_entry_send,
    input  wire [6:0]  s_entry_receive,
    input  wire        s_thread_send,
    input  wire        s_thread_receive,
    input  wire [15:0] s_thread,                // {the loop begins, k, place in the program}
    output wire        m_entry_wants,
    output wire        m_send_wants,
    output wire        m_receive_wants,
    output wire [15:0] m_send_thread,
    output wire [15:0] m_receive_thread,

    // A piece: rows, first rows, and what the instruction says
    input  wire        s_piece_copy,            // the own shard, to the target
    input  wire        s_piece_send,
    input  wire        s_piece_receive,
    input  wire        s_piece_end,             // there is none: the thread is at its end
    input  wire [11:0] s_piece_rows,
    input  wire [11:0] s_piece_source,
    input  wire [11:0] s_piece_target,
    input  wire [10:0] s_piece_valids,          // rows that are no padding
    input  wire [14:0] s_piece_bias,
    input  wire        s_piece_free,            // send: waits for no row
    input  wire        s_piece_hold,            // its rows do not use up the budget
    input  wire        s_piece_keep,            // takes over the budget of the piece before
    input  wire        s_piece_needs,           // a grant
    input  wire        s_piece_from_target,
    input  wire        s_piece_reduce,
    input  wire        s_piece_into,            // receive: sums go to the target
    input  wire [7:0]  s_piece_peer,
    input  wire        s_piece_exchange,        // on a ring with the neighbour that sends a piece, too
    input  wire        s_piece_down,            // which is down; send: goes down

    // lint: a grant is stored under the lower bits of a member's number
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire [2*DIMENSIONS-1:0]  s_granted,      // to this context, a bit a link
    input  wire [16*DIMENSIONS-1:0] s_granted_peer, // the granting peer
    /* verilator lint_on UNUSEDSIGNAL */

    output wire        m_up,                    // "ahead" is up the dimension
    output wire [2:0]  m_link,                  // of the piece to send: {dimension, down}
    output wire        m_exchange,              // receives in an exchange: s_step is 1
    input  wire        s_held,                  // rows that were taken are not read yet: at most two
    output wire        m_ready,                 // has a row to send, but for room at the link
    output wire        m_begun,                 // has sent a part of a piece
    output wire [11:0] m_send_row,
    output wire        m_send_zero,             // padding
    output wire        m_send_reduce,
    output wire [7:0]  m_send_peer,
    input  wire        s_send_take,

    output wire        m_copying,
    output wire [11:0] m_copy_source,
    output wire [11:0] m_copy_target,
    input  wire        s_copy_take,

    output wire        m_granting,
    output wire [7:0]  m_grant_peer,
    input  wire        s_grant_take,

    output wire [1:0]  m_turning,               // the next row must wait, {on a link down, on a link up}
    output wire        m_closing,               // the next row but one must
    output wire        m_receive_into,          // sums go to the target
    output wire [11:0] m_receive_source,
    output wire [11:0] m_receive_target,
    output wire        m_receive_zero,
    input  wire        s_receive_take,

    input  wire        s_written,               // rows written: what they unlock
    input  wire        s_copied,
    output wire        m_done
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (PEERS != 16 && PEERS != 32 && PEERS != 64) begin : g_illegal_peers PEERS_must_be_16_32_or_64 stop (); end
    endgenerate

    localparam SEND_W = 12, RECEIVE_W = 12;     // bits of a piece that do not change with its rows
    localparam PEER_W = $clog2(PEERS);

    reg         valid_q, up_q;
    reg [1:0]   dim_q;
    reg [10:0]  shard_q;
    reg         entry_wants_q, send_wants_q, receive_wants_q;
    reg [15:0]  send_thread_q, receive_thread_q;
    reg         send_over_q, receive_over_q;            // no piece is behind those that are here
    // The piece to send: is there one; rows still to send, the next one, those that are no padding
    reg         send_live_q, begun_q, free_q, hold_q;
    reg [11:0]  send_rows_q, send_row_q;
    reg [10:0]  send_valids_q;
    reg [15:0]  budget_q;                               // rows it may send, 0 and less: none
    reg [SEND_W-1:0] send_how_q;                        // {down, needs a grant, from target, reduce, peer}
    // and the next one
    reg         send_next_q, next_free_q, next_hold_q, next_keep_q;
    reg [11:0]  next_rows_q, next_row_q;
    reg [10:0]  next_valids_q;
    reg [15:0]  next_budget_q;
    reg [SEND_W-1:0] next_how_q;
    // The piece to receive, and the next one
    reg         receive_live_q, behind_q;
    reg [11:0]  receive_rows_q, receive_source_q, receive_target_q;
    reg [10:0]  receive_valids_q;
    reg [RECEIVE_W-1:0] receive_how_q;                  // {exchange, down, a grant is due, into, from whom}
    reg         fresh_q;                                // it has begun, and rows before it may not be written
    reg [11:0]  behind_rows_q, behind_source_q, behind_target_q;
    reg [10:0]  behind_valids_q;
    reg [RECEIVE_W-1:0] behind_how_q;
    // Rows of all pieces
    reg [12:0]  level_q;                                // written less sent
    reg [11:0]  open_q;                                 // received, not written
    reg [10:0]  copy_left_q, copied_left_q;             // of the own shard: to read, to be written
    reg [11:0]  copy_source_q, copy_target_q;
    reg [11:0]  ahead_q;                                // of the copied rows: written less sent
    reg [PEERS*DIMENSIONS-1:0] granted_q;               // a bit a peer, PEERS a dimension
    // Registers derived from the above, set in the same cycle
    reg         ready_q, copying_q, granting_q, closing_q, done_q;
    reg [1:0]   turning_q;

    assign m_entry_wants    = entry_wants_q;
    assign m_send_wants     = send_wants_q;
    assign m_receive_wants  = receive_wants_q;
    assign m_send_thread    = send_thread_q;
    assign m_receive_thread = receive_thread_q;
    assign m_up             = up_q;
    assign m_link           = {dim_q, send_how_q[11]};
    assign m_exchange       = receive_live_q && receive_how_q[11];
    assign m_ready          = ready_q;
    assign m_begun          = begun_q;
    assign m_send_row       = send_row_q;
    assign m_send_zero      = !send_how_q[9] && send_valids_q == 11'd0;
    assign m_send_reduce    = send_how_q[8];
    assign m_send_peer      = send_how_q[7:0];
    assign m_copying        = copying_q;
    assign m_copy_source    = copy_source_q;
    assign m_copy_target    = copy_target_q;
    assign m_granting       = granting_q;
    assign m_grant_peer     = receive_how_q[7:0];
    assign m_turning        = turning_q | {2{cfg_alone && !valid_q}};
    assign m_closing        = closing_q;
    assign m_receive_into   = receive_how_q[8];
    assign m_receive_source = receive_source_q;
    assign m_receive_target = receive_target_q;
    assign m_receive_zero   = receive_valids_q == 11'd0;
    assign m_done           = done_q;

    // The next row in the partition.
    function [11:0] after;
        input [11:0] row;
        input [11:0] first;
        input [11:0] last;
        after = row == last ? first : row + 12'd1;
    endfunction

    function [10:0] less;                   // one less, of what is not 0
        input [10:0] rows;
        less = rows == 11'd0 ? 11'd0 : rows - 11'd1;
    endfunction

    // The rows that are left once a row is sent, and whether any is left.  A send is known late in
    // a cycle.  So it selects between two prepared answers and is no input of either.
    function [15:0] sent;
        input        take;
        input [15:0] rows;
        sent = take ? rows - 16'd1 : rows;
    endfunction

    // A row is sent, written, both or neither.
    function [15:0] counted;
        input        take;
        input        written;
        input [15:0] rows;
        counted = take == written ? rows : take ? rows - 16'd1 : rows + 16'd1;
    endfunction

    function some;
        input        take;
        input [15:0] rows;
        some = !rows[15] && rows != 16'd0 && !(take && rows == 16'd1);
    endfunction

    function [PEER_W+1:0] granter;          // the bit of a peer among the grants
        input [PEER_W-1:0] peer;
        granter = {dim_q, cfg_hub[dim_q] ? peer : {PEER_W{1'b0}}};
    endfunction

    integer n;
    always @(posedge clk) begin
        if (s_step) begin : step
            reg                valid, ends, next, begins, live, free, keep, may, has;
            reg [15:0]         written, start, bound, stays, comes; // budgets: if no piece begins, and of one that does
            reg [SEND_W-1:0]   how, send_how;                       // of the one that would begin, and of what is then
            reg                hold;
            reg [11:0]         send_rows, send_row, receive_rows, receive_source, receive_target;
            reg [10:0]         send_valids, receive_valids;
            reg                over, send_over, receive_over;
            reg                receive_ends, behind, receive_begins, receive_live, one;
            reg                exchange, fresh, waits, few;
            reg [12:0]         lag;
            reg [RECEIVE_W-1:0] receive_how, piece_from;            // of the piece that comes
            reg [SEND_W-1:0]   piece_how;
            reg [11:0]         open, ahead;
            reg [10:0]         copy_left, copied_left;
            reg [PEERS*DIMENSIONS-1:0] granted;

            piece_how  = {s_piece_down, s_piece_needs, s_piece_from_target, s_piece_reduce, s_piece_peer};
            piece_from = {s_piece_exchange, s_piece_down, s_piece_needs, s_piece_into, s_piece_peer};
            valid = (valid_q || s_admit) && !s_release;
            over  = s_piece_end;

            // ---- the thread that sends ----
            ends   = s_send_take && send_rows_q == 12'd1;
            next   = send_next_q || (s_piece_send && !over);
            begins = (ends || !send_live_q) && next;
            live   = begins || (send_live_q && !ends);
            written = {15'd0, s_written};
            start   = {{3{level_q[12]}}, level_q} + {s_piece_bias[14], s_piece_bias};
            bound   = start + written;
            stays   = budget_q + written;
            free    = send_next_q ? next_free_q : s_piece_free;
            keep    = send_next_q ? next_keep_q : s_piece_keep;
            how     = send_next_q ? next_how_q : piece_how;
            comes   = keep ? stays : send_next_q ? next_budget_q + written : bound;
            may     = begins ? free   || some(s_send_take && !keep,   comes)
                             : free_q || some(s_send_take && !hold_q, stays);
            send_over = (send_over_q || (s_piece_send && over)) && !s_admit;
            if (begins) begin
                free_q      <= free;
                budget_q    <= sent(s_send_take && !keep, comes);
                send_how    = how;
                send_rows   = send_next_q ? next_rows_q : s_piece_rows;
                send_row    = send_next_q ? next_row_q : s_piece_from_target ? s_piece_target : s_piece_source;
                send_valids = send_next_q ? next_valids_q : s_piece_valids;
            end else begin
                budget_q    <= counted(s_send_take && !hold_q, s_written, budget_q);
                send_how    = {send_how_q[11], send_how_q[10] && !s_send_take, send_how_q[9:0]};
                send_rows   = s_send_take ? send_rows_q - 12'd1 : send_rows_q;
                send_row    = !s_send_take ? send_row_q :
                              send_how_q[9] ? after(send_row_q, cfg_target_first, cfg_target_end)
                                            : after(send_row_q, cfg_source_first, cfg_source_end);
                send_valids = s_send_take ? less(send_valids_q) : send_valids_q;
            end
            hold = !begins ? hold_q : send_next_q ? next_hold_q : s_piece_hold;
            if (s_piece_send) begin
                next_free_q   <= s_piece_free;
                next_hold_q   <= s_piece_hold;
                next_keep_q   <= s_piece_keep;
                next_rows_q   <= s_piece_rows;
                next_row_q    <= s_piece_from_target ? s_piece_target : s_piece_source;
                next_valids_q <= s_piece_valids;
                next_how_q    <= piece_how;
            end
            next_budget_q <= counted(s_send_take, s_written, s_piece_send ? start : next_budget_q);
            send_live_q <= live;
            send_next_q <= next && !begins;
            send_over_q <= send_over;
            begun_q     <= live && !begins && (begun_q || s_send_take);
            level_q     <= s_admit ? 13'd0 : s_send_take == s_written ? level_q :
                           s_send_take ? level_q - 13'd1 : level_q + 13'd1;

            // ---- the thread that receives ----
            receive_ends   = s_receive_take && receive_rows_q == 12'd1;
            behind         = behind_q || (s_piece_receive && !over);
            receive_begins = (receive_ends || !receive_live_q) && behind;
            receive_live   = receive_begins || (receive_live_q && !receive_ends);
            receive_over   = (receive_over_q || (s_piece_receive && over)) && !s_admit;
            if (receive_begins) begin
                receive_how = behind_q ? behind_how_q : piece_from;
                one         = behind_q ? behind_rows_q == 12'd1 : s_piece_rows == 12'd1;
                receive_rows   = behind_q ? behind_rows_q : s_piece_rows;
                receive_source = behind_q ? behind_source_q : s_piece_source;
                receive_target = behind_q ? behind_target_q : s_piece_target;
                receive_valids = behind_q ? behind_valids_q : s_piece_valids;
            end else begin
                receive_how = {receive_how_q[11:10], receive_how_q[9] && !s_grant_take, receive_how_q[8:0]};
                one         = s_receive_take ? receive_rows_q == 12'd2 : receive_rows_q == 12'd1;
                receive_rows   = s_receive_take ? receive_rows_q - 12'd1 : receive_rows_q;
                receive_source = !s_receive_take ? receive_source_q :
                                 after(receive_source_q, cfg_source_first, cfg_source_end);
                receive_target = !s_receive_take ? receive_target_q :
                                 after(receive_target_q, cfg_target_first, cfg_target_end);
                receive_valids = s_receive_take ? less(receive_valids_q) : receive_valids_q;
            end
            if (s_piece_receive) begin
                behind_rows_q   <= s_piece_rows;
                behind_source_q <= s_piece_source;
                behind_target_q <= s_piece_target;
                behind_valids_q <= s_piece_valids;
                behind_how_q    <= piece_from;
            end
            open = s_admit ? 12'd0 : open_q + {11'd0, s_receive_take} - {11'd0, s_written};
            receive_live_q <= receive_live;
            behind_q       <= behind && !receive_begins;
            receive_how_q    <= receive_how;
            receive_rows_q   <= receive_rows;
            receive_source_q <= receive_source;
            receive_target_q <= receive_target;
            receive_valids_q <= receive_valids;
            receive_over_q <= receive_over;
            open_q         <= open;

            // An exchange: a sum may overwrite a row of the own block once the row is read to be sent.  The rows
            // received are `lag` more than those sent.
            lag      = level_q + {1'b0, open_q} + {12'd0, s_receive_take};
            few      = receive_begins || !lag[12] || lag >= 13'h1ffd;
            fresh    = receive_begins || (fresh_q && open_q != 12'd0);
            waits    = fresh || !lag[12] || (lag > 13'h1ffd && s_held);
            exchange = receive_live && receive_how[11];
            fresh_q <= fresh && exchange;

            // ---- words of the program ----
            entry_wants_q   <= s_admit || (entry_wants_q && !s_fetch_entry);
            send_wants_q    <= s_entry || begins || (send_wants_q && !s_fetch_send);
            receive_wants_q <= s_entry || receive_begins || (receive_wants_q && !s_fetch_receive);
            if (s_entry)               send_thread_q <= {9'h100, s_entry_send};
            else if (s_thread_send)    send_thread_q <= s_thread;
            if (s_entry)               receive_thread_q <= {9'h100, s_entry_receive};
            else if (s_thread_receive) receive_thread_q <= s_thread;
            if (s_entry) up_q <= s_entry_up;

            // ---- copies ----
            copy_left   = s_piece_copy ? shard_q : s_admit ? 11'd0 : copy_left_q - {10'd0, s_copy_take};
            copied_left = s_piece_copy ? shard_q : s_admit ? 11'd0 : copied_left_q - {10'd0, s_copied};
            ahead       = ahead_q + {11'd0, s_copied};
            copy_left_q   <= copy_left;
            copied_left_q <= copied_left;
            ahead_q       <= s_piece_copy ? 12'd0 : s_send_take ? ahead - 12'd1 : ahead;
            if (s_piece_copy || s_copy_take) begin
                copy_source_q <= s_piece_copy ? s_piece_source : after(copy_source_q, cfg_source_first, cfg_source_end);
                copy_target_q <= s_piece_copy ? s_piece_target : after(copy_target_q, cfg_target_first, cfg_target_end);
            end

            // ---- grants ----
            granted = granted_q;
            for (n = 0; n < 2 * DIMENSIONS; n = n + 1)
                if (s_granted[n])
                    granted[(n/2)*PEERS + (cfg_hub[n/2] ? {{(32-PEER_W){1'b0}}, s_granted_peer[n*8 +: PEER_W]}
                                                        : 32'd0)] = 1'b1;
            // Does the piece have the grant it needs?  A piece that begins needs one that the row
            // sent in this cycle does not use up.
            has = begins ? !how[10] || (granted[granter(how[PEER_W-1:0])] &&
                                        !(s_send_take && send_how_q[10] &&
                                          granter(how[PEER_W-1:0]) == granter(send_how_q[PEER_W-1:0])))
                         : !send_how_q[10] || s_send_take || granted[granter(send_how_q[PEER_W-1:0])];
            if (s_send_take && send_how_q[10]) granted[granter(send_how_q[PEER_W-1:0])] = 1'b0;
            granted_q <= granted;
            // Assigned after the last read, so that a simulator needs no copy of the old values.
            hold_q        <= hold;
            send_how_q    <= send_how;
            send_rows_q   <= send_rows;
            send_row_q    <= send_row;
            send_valids_q <= send_valids;

            valid_q <= valid;
            if (s_admit) begin
                dim_q   <= s_admit_dim;
                shard_q <= s_admit_shard;
            end
            // The flags are computed from the next state, so they add no logic to the cycle in
            // which they are used.
            ready_q    <= valid && live && may && has &&
                          (copied_left == 11'd0 || (!s_piece_copy && some(s_send_take, {{4{ahead[11]}}, ahead})));
            copying_q  <= valid && copy_left != 11'd0;
            granting_q <= valid && receive_live && receive_how[9] && open == 12'd0;
            turning_q  <= {2{valid && !receive_live && !receive_over}} |
                          {exchange && (waits || !receive_how[10]), exchange && (waits || receive_how[10])};
            // The piece behind an exchange may come on the other link. Even if it is ready, it needs a cycle.
            closing_q  <= (receive_live && one && !(behind && !receive_begins && !exchange) && !receive_over) ||
                          (exchange && few);
            done_q     <= valid && send_over && !live && receive_over && !receive_live && open == 12'd0 &&
                          copied_left == 11'd0;
        end
        if (rst) begin
            valid_q         <= 1'b0;
            entry_wants_q   <= 1'b0;
            send_wants_q    <= 1'b0;
            receive_wants_q <= 1'b0;
            send_live_q     <= 1'b0;
            send_next_q     <= 1'b0;
            receive_live_q  <= 1'b0;
            behind_q        <= 1'b0;
            begun_q         <= 1'b0;
            ready_q         <= 1'b0;
            copying_q       <= 1'b0;
            granting_q      <= 1'b0;
            fresh_q         <= 1'b0;
            turning_q       <= 2'd0;
            closing_q       <= 1'b0;
            done_q          <= 1'b0;
            granted_q       <= {PEERS*DIMENSIONS{1'b0}};
        end
    end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_link_guard -- makes one link reliable: frames are numbered and sent again until acknowledged
//
//   s_* (ports, grants) --+-- number ----> tx_* -> CRC          rx_good, rx_took --> m_accept
//                         |      ^                            |
//                         +-> { kept frames } <-- acknowledged, or asked for again
//
// Contract
//   Frame       All that crosses a link in a cycle is one frame with the next number: a packet, a
//               grant, a credit of either kind.  So one mechanism protects credits and grants as
//               well as packets.  Every frame carries the number that is expected from the other
//               side.  This tx_ack acknowledges all lower numbers.  A frame may also request a
//               resend of all frames from there on (bit 7 of the head).  A frame without packet,
//               grant and credit uses up no number.  Its tx_number is the next one to be used.
//   Head        {grant peer, grant mark, grant context, mark, context, resend, 0, routed credit,
//               routed, grant, credit, reduce, packet}.  resend and the 0 are 0 in s_head.  A field
//               whose bit is clear is sent as 0.  Without a packet route and row are 0, too.
//   Rows        s_data and s_sum, the row's part of the CRC, belong to s_head of the cycle before.
//               tx_data and tx_sum belong to tx_head of the cycle before.
//   Receive     rx_good: the CRC is right.  rx_took: the frame has the number after the last one
//               taken, and its row has a free slot (ace_link_receiver).  m_accept: both hold, so
//               the frame goes on.  All other frames are dropped.  A bad frame, one after a gap and
//               one without a slot cause one request for a resend.  A frame that was accepted
//               before is acknowledged at once.
//   Send        A frame leaves in the cycle in which it is given.  While older frames are being
//               sent again, it waits for them.  A packet that is sent again takes cfg_cost cycles
//               of the link, as a new one does.  Frames without a packet are not paced.
//   Retry       After cfg_retry cycles without an acknowledgement all unacknowledged frames are
//               sent again.  After TRIES such resends in a row the next timeout fails the link.
//               Resends on request do not count.  Acknowledgements go with the
//               next frame, or alone after ACK_WAIT cycles.  With cfg_retry 0 nothing is kept,
//               acknowledged or sent again.  The link then fails at the first frame that is bad or
//               out of order.
//   Room        m_hold: ports begin no packet.  m_tight: no grant may be given.  Both come from
//               registers, a cycle after their cause.  ROWS is the bandwidth-delay product: the
//               rows that a full link sends until the acknowledgement is back.  The delay is 2 * 90
//               cycles, ACK_WAIT, and 14 cycles in the two nodes.  At 1.7 cycles a row of 256 bytes
//               that is 119 rows, 30 KB.  SPARE frames are for frames that cannot be held back.
//               These are credits, one for each slot of the input buffers, and a frame given before
//               m_tight was seen.
//   Counters    Packets sent again; frames with a wrong CRC; good frames that are not the next or
//               had no slot.  They count from reset on, have 32 bits, and wrap.
//   Reset       rst is synchronous, active high; only control state is reset.  Both ends are reset
//               before ace_link_sync is up.
//   Twin        cmodel/nic/ace_link_guard.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_link_guard_test.cc).
//
// tx_frame, tx_head and the numbers follow s_head in the same cycle.  m_accept follows rx_*.

`default_nettype none

module ace_link_guard #(
    parameter NUMBER_W = 16,    // bits of a number, at most 16; less in proofs alone
    parameter FRAMES   = 1024,  // frames kept until they are acknowledged, a power of two, at most half the numbers
    parameter ROWS     = 128,   // rows kept with them, a power of two, 4 or more
    parameter SPARE    = 260,   // frames of credits that may come while m_tight, less than FRAMES
    parameter ACK_WAIT = 8,     // cycles an acknowledgement waits for company, 1..63
    parameter TRIES    = 8,     // 1..14
    parameter ROW_W    = 2048   // bits of a row
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [15:0]      cfg_retry,      // cycles; above the way to the neighbour and back
    input  wire [23:0]      cfg_cost,       // cycles a packet takes, Q16.8; less than one is one

    // From ports and node
    input  wire [47:0]      s_head,
    input  wire [63:0]      s_route,
    input  wire [ROW_W-1:0] s_data,         // of the packet a cycle before
    input  wire [31:0]      s_sum,          // its part of the CRC
    output wire             m_hold,
    output wire             m_tight,

    // Link, to the neighbour
    output wire             tx_frame,
    output wire [47:0]      tx_head,
    output wire [63:0]      tx_route,
    output wire [NUMBER_W-1:0] tx_number,
    output wire [NUMBER_W-1:0] tx_ack,
    output wire [ROW_W-1:0] tx_data,        // of the frame a cycle before
    output wire [31:0]      tx_sum,         // its row's part of the CRC

    // Link, from the neighbour
    input  wire             rx_frame,
    input  wire             rx_good,
    input  wire             rx_took,
    input  wire [47:0]      rx_head,
    input  wire [NUMBER_W-1:0] rx_number,
    input  wire [NUMBER_W-1:0] rx_ack,
    output wire             m_accept,

    output wire             failed,         // until reset
    output wire [31:0]      count_resent,
    output wire [31:0]      count_bad,
    output wire [31:0]      count_dropped,
    output wire             idle            // nothing changes without input
);

    localparam F_W = $clog2(FRAMES);
    localparam R_W = $clog2(ROWS);
    localparam [NUMBER_W-1:0] ZERO = {NUMBER_W{1'b0}}, ONE = ZERO + 1'b1;
    localparam [31:0] FULL    = FRAMES - SPARE;
    localparam [31:0] CROWD   = ROWS - 3;
    localparam [31:0] WAIT    = ACK_WAIT;
    localparam [31:0] LIMIT   = TRIES;
    localparam [23:0] CYCLE   = 24'd256;    // a cycle in Q16.8

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (NUMBER_W < 2 || NUMBER_W > 16) begin : g_illegal_number_w NUMBER_W_must_be_2_to_16 stop (); end
        if (FRAMES < 2 || FRAMES > 16384 || (FRAMES & (FRAMES - 1)) != 0 || F_W >= NUMBER_W) begin : g_illegal_frames
            FRAMES_must_be_a_power_of_two_up_to_16384_and_half_of_the_numbers stop ();
        end
        if (ROWS < 4 || ROWS > 16384 || (ROWS & (ROWS - 1)) != 0) begin : g_illegal_rows
            ROWS_must_be_a_power_of_two_from_4_to_16384 stop ();
        end
        if (SPARE < 1 || SPARE >= FRAMES) begin : g_illegal_spare SPARE_must_be_1_to_FRAMES_less_1 stop (); end
        if (ACK_WAIT < 1 || ACK_WAIT > 63) begin : g_illegal_ack_wait ACK_WAIT_must_be_1_to_63 stop (); end
        if (TRIES < 1 || TRIES > 14) begin : g_illegal_tries TRIES_must_be_1_to_14 stop (); end
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
    endgenerate

    // Clears the fields of a head whose bits are not set.
    function [47:0] clean;
        input [47:0] head;
        clean = {head[47:24] & {24{head[3]}}, head[23:8] & {16{head[0]}}, head[7:2], head[1] && head[0], head[0]};
    endfunction

    localparam [47:0] NUMBERED = 48'h2d;    // a packet, a credit, a grant, a routed credit

    wire retry = cfg_retry != 16'd0;

    // ---- send --------------------------------------------------------------

    reg [NUMBER_W-1:0] next_q;    // number of the next frame given
    reg [NUMBER_W-1:0] send_q;    // of the next to be sent: below next_q while some are sent again
    reg [NUMBER_W-1:0] base_q;    // of the oldest not acknowledged
    reg [NUMBER_W-1:0] fresh_q;   // of the next that has never been sent
    reg [R_W:0] row_q;          // rows given, to index kept_row_q
    reg [24:0]  due_q;          // link time available to the packet sent again, in cycles Q16.8, this cycle included
    reg [15:0]  timer_q;
    reg [3:0]   tries_q;
    reg         failed_q;
    reg [111:0] kept_q     [0:FRAMES-1];
    reg [R_W:0] kept_at_q  [0:FRAMES-1];    // rows given before it
    reg [R_W:0] from_q;         // rows given before the oldest frame kept, as of a cycle ago
    reg         hold_q, tight_q;
    // The row of a frame comes a cycle after its head.
    reg [ROW_W-1:0] kept_row_q [0:ROWS-1];
    reg [31:0]  kept_sum_q [0:ROWS-1];
    reg         put_q;          // store the row of this cycle
    reg [R_W-1:0] put_at_q;
    reg         new_q, old_q;   // the last frame had a new row; it had a kept row
    reg [R_W-1:0] get_at_q;

    reg [NUMBER_W-1:0] expect_q;  // number of the next frame to be accepted
    reg         owe_q;          // an acknowledgement
    reg [5:0]   wait_q;         // cycles until it goes alone
    reg         resend_q;       // a resend must be requested
    reg         told_q;         // it was requested, and the expected frame has not come

    wire        given   = |(s_head & NUMBERED);
    wire        again   = retry && send_q != next_q;
    wire [NUMBER_W-1:0] used = next_q - base_q;
    wire [47:0] kept_head;
    wire [63:0] kept_route;
    assign {kept_route, kept_head} = kept_q[send_q[F_W-1:0]];
    wire [R_W-1:0] kept_at = kept_at_q[send_q[F_W-1:0]][R_W-1:0];
    wire [R_W:0] rows    = row_q - from_q;
    wire        tight   = retry && used >= FULL[NUMBER_W-1:0];
    wire [23:0] cost    = cfg_cost > CYCLE ? cfg_cost : CYCLE;
    wire        served  = due_q >= {1'b0, cfg_cost};    // it is a cycle at least, so cfg_cost alone is compared
    wire        repeats = again && (served || !kept_head[0]);
    wire        direct  = given && !again;
    wire        bare    = retry && !repeats && !direct && (resend_q || (owe_q && wait_q == 6'd0));
    wire [47:0] head    = repeats ? kept_head : direct ? clean(s_head) : 48'd0;

    assign m_tight  = tight_q;
    assign m_hold   = hold_q;
    assign tx_frame = repeats || direct || bare;
    assign tx_head  = head | {40'd0, resend_q, 7'd0};
    assign tx_route = repeats ? kept_route : direct && s_head[0] ? s_route : 64'd0;     // of a packet in it
    assign tx_number = repeats ? send_q : next_q;
    assign tx_ack   = expect_q;
    assign tx_data  = {ROW_W{new_q}} & s_data | {ROW_W{old_q}} & kept_row_q[get_at_q];
    assign tx_sum   = {32{new_q}} & s_sum | {32{old_q}} & kept_sum_q[get_at_q];
    assign failed   = failed_q;

    always @(posedge clk) begin
        if (rst) begin
            hold_q  <= 1'b0;
            tight_q <= 1'b0;
            from_q  <= {(R_W+1){1'b0}};
            put_q   <= 1'b0;
            new_q   <= 1'b0;
            old_q   <= 1'b0;
        end else begin
            tight_q <= tight;
            hold_q  <= failed_q || again || tight || (retry && rows > CROWD[R_W:0]);
            from_q  <= used == ZERO ? row_q : kept_at_q[base_q[F_W-1:0]];
            put_q   <= retry && s_head[0];
            new_q   <= direct && s_head[0];
            old_q   <= repeats && kept_head[0];
        end
        put_at_q <= row_q[R_W-1:0];
        get_at_q <= kept_at;
    end

    always @(posedge clk) if (put_q) begin
        kept_row_q[put_at_q] <= s_data;
        kept_sum_q[put_at_q] <= s_sum;
    end

    // ---- receive -----------------------------------------------------------

    wire        good   = rx_frame && rx_good;
    wire        bad    = rx_frame && !rx_good;
    wire [NUMBER_W-1:0] ahead = rx_number - expect_q;
    wire        accept = good && rx_took;
    wire        dropped = good && !rx_took && |(rx_head & NUMBERED);
    wire        repeated = dropped && ahead[NUMBER_W-1];
    wire        beyond = dropped && !ahead[NUMBER_W-1];
    assign m_accept = accept;

    always @(posedge clk) begin
        if (rst) begin
            expect_q <= ZERO;
            owe_q    <= 1'b0;
            resend_q <= 1'b0;
            told_q   <= 1'b0;
            wait_q   <= 6'd0;
        end else begin
            if (accept) expect_q <= expect_q + ONE;
            if (retry) begin
                owe_q <= accept || repeated || (owe_q && !tx_frame);
                if (repeated)
                    wait_q <= 6'd0;
                else if (accept && (!owe_q || tx_frame))
                    wait_q <= WAIT[5:0];
                else if (wait_q != 6'd0)
                    wait_q <= wait_q - 6'd1;
                if (accept) begin
                    resend_q <= 1'b0;
                    told_q   <= 1'b0;
                end else if ((bad || beyond) && !told_q) begin
                    resend_q <= 1'b1;
                    told_q   <= 1'b1;
                end else if (tx_frame)
                    resend_q <= 1'b0;
            end
        end
    end

    // ---- acknowledged, or sent again ---------------------------------------

    wire [NUMBER_W-1:0] acked = rx_ack - base_q;
    wire        heard   = good && retry && acked <= used;
    wire [NUMBER_W-1:0] base = heard ? rx_ack : base_q;
    wire        gone    = heard && acked != ZERO;
    wire        late    = retry && !failed_q && used != ZERO && !again && timer_q + 16'd1 >= cfg_retry;
    wire        back    = !failed_q && next_q != base &&
                          ((heard && rx_head[7]) || (late && !gone && tries_q != LIMIT[3:0]));
    // Whether send_q moves is known late, after kept_q was read: both outcomes are compared with the acknowledgement.
    wire        moves  = repeats || direct;
    wire [NUMBER_W-1:0] after = send_q + ONE;
    wire        stale_here  = heard && send_q - base_q < acked;
    wire        stale_after = heard && after - base_q < acked;

    always @(posedge clk) begin
        if (rst) begin
            next_q   <= ZERO;
            send_q   <= ZERO;
            base_q   <= ZERO;
            fresh_q  <= ZERO;
            row_q    <= {(R_W+1){1'b0}};
            due_q    <= {1'b0, CYCLE};
            timer_q  <= 16'd0;
            tries_q  <= 4'd0;
            failed_q <= 1'b0;
        end else begin
            if (given) next_q <= next_q + ONE;
            if (retry) begin
                base_q <= base;
                if (direct || (repeats && send_q == fresh_q)) fresh_q <= fresh_q + ONE;
                send_q <= back || (moves ? stale_after : stale_here) ? base : moves ? after : send_q;
                if (s_head[0]) row_q <= row_q + 1'b1;
                due_q  <= !again ? {1'b0, CYCLE} : !kept_head[0] ? due_q :
                          served ? due_q - {1'b0, cost - CYCLE} : due_q + {1'b0, CYCLE};
                timer_q <= gone || again || back || used == ZERO ? 16'd0 : timer_q + 16'd1;
                if (gone)
                    tries_q <= 4'd0;
                else if (late && back)
                    tries_q <= tries_q + 4'd1;
                if (late && !gone && tries_q == LIMIT[3:0]) failed_q <= 1'b1;
            end else if (bad || dropped)
                failed_q <= 1'b1;
        end
    end

    always @(posedge clk) if (retry && given) begin
        kept_q[next_q[F_W-1:0]]    <= {s_head[0] ? s_route : 64'd0, clean(s_head)};
        kept_at_q[next_q[F_W-1:0]] <= row_q;
    end

    // ---- counters ----------------------------------------------------------

    reg [31:0] resent_q, bad_q, dropped_q;
    assign count_resent  = resent_q;
    assign count_bad     = bad_q;
    assign count_dropped = dropped_q;
    always @(posedge clk) begin
        if (rst) begin
            resent_q  <= 32'd0;
            bad_q     <= 32'd0;
            dropped_q <= 32'd0;
        end else begin
            if (repeats && kept_head[0] && send_q != fresh_q) resent_q <= resent_q + 32'd1;
            if (bad)              bad_q     <= bad_q + 32'd1;
            if (dropped)          dropped_q <= dropped_q + 32'd1;
        end
    end

    // settled: outputs that follow their cause by a cycle are up to date
    wire settled = hold_q == failed_q && tight_q == tight && !new_q && !old_q;
    assign idle = !owe_q && !resend_q && settled &&
                  (!retry || (used == ZERO && from_q == row_q) || (failed_q && !again));

endmodule

`default_nettype wire

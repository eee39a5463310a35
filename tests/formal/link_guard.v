// SPDX-License-Identifier: Apache-2.0
//
// link_guard -- two ace_link_guard on a link that changes and loses frames
//
//   ports ---> s [ a ] tx --- LATENCY cycles; any frame may be wrong, or lost ---> rx [ b ] ---> ports
//         <---       rx <--------------------------- likewise -------------------- tx         <---
//
// Each end gives packets, grants and credits when the guard permits, and takes arrivals at any
// time.  A wrong frame is one whose code differs; its contents are free.
// tests/unit/link_code_test.cc shows how seldom a changed frame has the right code.  Which good
// frames have no slot for their row is free (link_receiver.v covers the rest).  So is the time of a
// timeout, for any cfg_retry.  Numbers have few bits, so that they wrap.  A row is a cycle behind
// its head, as in ace_link.
//
// Properties
//   order     Any one frame, chosen freely, is accepted once, unchanged, after exactly the frames
//             given earlier.  No other frame is accepted.
//   credits   Four counts always sum to PLACES: free slots known at the sender, packets in flight,
//             packets in the peer's buffer, and credits in flight.  So no credit is lost or
//             doubled.
//   room      No more frames wait for an acknowledgement than are kept.
//   failure   A link fails only when its oldest frame has been sent once and TRIES times again.
//   lead      Assertions about state inside, which lead the induction.
//   rate      cover: packets arrive in six cycles in a row
//   repair    cover: a packet is wrong, the next one dropped for its number, then both arrive
//
// inside: kept_*

`default_nettype none

module link_guard #(
    parameter NUMBER_W = 3,
    parameter FRAMES = 4,
    parameter ROWS = 4,
    parameter PLACES = 1,       // for packets, in an input buffer
    parameter TRIES = 1,        // times a frame is sent again until the link has failed
    parameter LATENCY = 1,
    parameter COST = 256,
    parameter BACK = 2,         // b gives: 2: as a does; 1: credits; 0: nothing, and places for packets have no end
    parameter PART = 0,         // where the one free bit is: 0: row; 1: context; 2: route; 3: context of a grant
    parameter REPAIR = 0,       // cover the repair, not the rate
    parameter LEAD = 0          // with what leads the induction: FRAMES of 4, LATENCY of 1, BACK of 2
) (
    input wire             clk,
    input wire             rst,
    input wire [1:0]       s_packet,    // of a, of b
    input wire [1:0]       s_bit,
    input wire [1:0]       s_grant,
    input wire [1:0]       s_credit,
    input wire [1:0]       timeout,
    input wire [1:0]       wrong,       // what is on rx of a, of b
    input wire [1:0]       lost,
    input wire [1:0]       denied,      // there is no place for its row
    input wire [95:0]      wrong_head,
    input wire [4*NUMBER_W-1:0] wrong_numbers,
    input wire             choose
);
    localparam SPARE = PLACES + 1;
    localparam N = NUMBER_W;
    localparam [N-1:0] ZERO = 0;
    localparam [47:0] NUMBERED = 48'h2d, ASK = 48'h80;
    localparam FRAME_W = 48 + 64 + 2 * N + 1;

    wire [1:0]   hold, tight, accept, failed;
    wire [95:0]  heads;                     // at a, at b: as they arrive
    wire [2*FRAME_W-1:0] tx;
    wire [1:0]   tx_rows, given_rows;
    wire [95:0]  given;

    `include "live.vh"

    genvar e;
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_end
            reg  [LATENCY*FRAME_W-1:0] way;     // to this end
            wire                 rx_frame;
            wire [47:0]          rx_head;
            wire [63:0]          rx_route;
            wire [N-1:0]         rx_number, rx_ack;
            wire                 rx_data;
            reg  [LATENCY-1:0]   way_data;              // rows: a cycle less
            assign {rx_head, rx_route, rx_number, rx_ack, rx_frame} = way[(LATENCY-1)*FRAME_W +: FRAME_W];
            assign rx_data = LATENCY == 1 ? tx_rows[1-e] : way_data[LATENCY-1];
            always @(posedge clk) begin
                way      <= rst ? 0 : {way, tx[(1-e)*FRAME_W +: FRAME_W]};
                way_data <= {way_data, 1'b0};
                way_data[LATENCY > 1] <= tx_rows[1-e];
            end

            wire       packet = s_packet[e] && (e == 0 || BACK == 2), grant = s_grant[e] && (e == 0 || BACK == 2);
            wire       credit = s_credit[e] && BACK != 0;
            wire [47:0] head = {15'd0, grant && s_bit[e] && PART == 3, 15'd0, packet && s_bit[e] && PART == 1, 3'd0,
                               packet && PART == 2, grant, credit, 1'b0, packet};
            assign given[e*48 +: 48] = head;
            wire [63:0] route = s_bit[e] && packet && PART == 2;

            assign heads[e*48 +: 48] = wrong[e] ? wrong_head[e*48 +: 48] : rx_head;

            wire         tx_frame;
            reg          given_row;             // row of the packet given a cycle ago
            always @(posedge clk) given_row <= packet && s_bit[e] && PART == 0;
            assign given_rows[e] = given_row;
            wire [47:0]  came = heads[e*48 +: 48];
            wire [N-1:0] came_number = wrong[e] ? wrong_numbers[2*e*N +: N] : rx_number;
            wire [47:0]  tx_head;
            wire [63:0]  tx_route;
            wire [N-1:0] tx_number, tx_ack;
            assign tx[e*FRAME_W +: FRAME_W] = {tx_head, tx_route, tx_number, tx_ack, tx_frame};
            ace_link_guard #(.NUMBER_W(N), .FRAMES(FRAMES), .ROWS(ROWS), .SPARE(SPARE), .ACK_WAIT(1), .TRIES(TRIES), .ROW_W(1)) u (
                .clk(clk), .rst(rst), .cfg_retry(timeout[e] ? 16'd1 : 16'hffff), .cfg_cost(COST),
                .s_head(head), .s_route(route), .s_data(given_row), .s_sum(32'd0),
                .m_hold(hold[e]), .m_tight(tight[e]),
                .tx_frame(tx_frame), .tx_head(tx_head), .tx_route(tx_route), .tx_number(tx_number), .tx_ack(tx_ack),
                .tx_data(tx_rows[e]),
                .rx_frame(rx_frame && !lost[e]), .rx_head(came), .rx_good(!wrong[e]),
                .rx_took(|(came & NUMBERED) && came_number == tx_ack && !denied[e]),
                .rx_number(came_number), .rx_ack(wrong[e] ? wrong_numbers[(2*e+1)*N +: N] : rx_ack),
                .m_accept(accept[e]), .failed(failed[e]));
            // the ports: credits for the peer's slots, and packets that arrived
            reg [N-1:0] credits, buffered, packets_on_way, credits_on_way, flying;
            wire is_numbered = |(rx_head & NUMBERED);
            wire packet_in = accept[e] && heads[e*48], credit_in = accept[e] && heads[e*48+2];
            wire packet_over = accept[1-e] && heads[(1-e)*48], credit_over = accept[1-e] && heads[(1-e)*48+2];
            always @(posedge clk) if (rst) begin
                credits  <= PLACES;
                buffered <= ZERO;
                packets_on_way <= ZERO;
                credits_on_way <= ZERO;
                flying   <= ZERO;
            end else begin
                credits  <= credits + credit_in - packet;
                buffered <= buffered + packet_in - credit;
                packets_on_way <= packets_on_way + packet - packet_over;
                credits_on_way <= credits_on_way + credit - credit_over;
                flying   <= flying + (head != 48'd0) - accept[1-e];
            end
            always @* begin
                assume (!packet || (!hold[e] && (BACK == 0 || credits != ZERO)));
                assume (!credit || buffered != ZERO);
                assume (!grant || !tight[e]);
            end
            // numbers: of this end's next frame and of the oldest that is not acknowledged
            reg [N-1:0] next, base;
            wire [N-1:0] used = next - base, acked = rx_ack - base;
            wire         hears = rx_frame && !wrong[e] && !lost[e];
            wire [N-1:0] there = g_end[1-e].tx_ack - base;      // accepted at the other end
            always @(posedge clk) begin
                if (rst)
                    {next, base} <= {2*N{1'b0}};
                else begin
                    if (head != 48'd0) next <= next + 1'b1;
                    if (hears && acked <= used) base <= rx_ack;
                end
            end
            wire [N-1:0] at_tx = tx_number - base;
            wire [N-1:0] ahead = rx_number - tx_ack;            // of what arrives here
            always @* if (live) begin
                assert (!accept[1-e] || flying != ZERO);
                assert (used <= FRAMES && there <= used && flying == used - there);
                assert (at_tx <= used);
                // acknowledgements that arrive here follow the order in which the other end
                // accepted frames
                assert (!rx_frame || acked <= there);
                assert (!rx_frame || !is_numbered || ahead[N-1] || ahead < g_end[1-e].next - tx_ack);
                assert (BACK == 0 || credits + packets_on_way + g_end[1-e].buffered + g_end[1-e].credits_on_way == PLACES);
            end
        end
    endgenerate

    // From a to b
    reg          tracked;
    reg [N-1:0]  before;        // frames given earlier, not yet accepted
    reg [47:0]   kind;
    reg          bit_of;
    wire         arrives = tracked && before == ZERO && accept[1];
    always @(posedge clk) begin
        if (rst)
            tracked <= 1'b0;
        else if (!tracked && given[47:0] != 48'd0 && choose) begin
            tracked <= 1'b1;
            before  <= g_end[0].flying - accept[1];
            kind    <= given[47:0];
            bit_of  <= s_bit[0];
        end else if (tracked && accept[1]) begin
            before  <= before - 1'b1;
            tracked <= before != ZERO;
        end
    end
    function is_it;             // an unchanged copy; it may request a resend
        input [47:0] head;
        input        data, route;
        is_it = (head & ~ASK) == kind && (PART != 0 || !kind[0] || data == bit_of) &&
                (PART != 2 || !kind[0] || route == bit_of);
    endfunction
    always @* if (live && arrives) assert (is_it(heads[95:48], g_end[1].rx_data, g_end[1].rx_route[0]));

    // its copies, in flight and about to be sent
    wire [N-1:0] its = g_end[1].tx_ack + before;
    always @* if (live && tracked) begin
        assert (!g_end[1].rx_frame || !g_end[1].is_numbered || g_end[1].rx_number != its ||
                is_it(g_end[1].rx_head, g_end[1].rx_data, g_end[1].rx_route[0]));
        assert (!g_end[0].tx_frame || !(|(g_end[0].tx_head & NUMBERED)) || g_end[0].tx_number != its ||
                is_it(g_end[0].tx_head, bit_of, g_end[0].tx_route[0]));
        assert (before < g_end[0].flying);
    end

    // End a: how often the frame of a number, chosen freely, was sent since it was given.
    (* anyconst *) reg [N-1:0] number;
    reg [3:0]   times;
    reg         failed_then;
    wire        gives = given[47:0] != 48'd0;
    wire [3:0]  fresh_times = gives && g_end[0].next == number ? 4'd0 : times;
    wire        sends = g_end[0].tx_frame && |(g_end[0].tx_head & NUMBERED) && g_end[0].tx_number == number;
    always @(posedge clk) begin
        failed_then <= !rst && failed[0];
        if (rst) begin
            times <= 4'd0;
        end else begin
            times <= fresh_times + (sends && fresh_times != 4'd15);
        end
    end
    always @* if (live && failed[0] && !failed_then && g_end[0].base == number)
        assert (g_end[0].used != ZERO && times > TRIES);

    // The position of each frame makes the other assertions inductive.  A kept frame is in the slot
    // of its number, from base to next.
    localparam R = $clog2(ROWS) + 1, F = $clog2(FRAMES), FULL = FRAMES - SPARE;
    (* hierconn *) wire [N-1:0] \g_end[1].u.next_q , \g_end[0].u.next_q ;
    (* hierconn *) wire [N-1:0] \g_end[1].u.base_q , \g_end[0].u.base_q ;
    (* hierconn *) wire [N-1:0] \g_end[1].u.send_q , \g_end[0].u.send_q ;
    (* hierconn *) wire [N-1:0] \g_end[1].u.fresh_q , \g_end[0].u.fresh_q ;
    (* hierconn *) wire [R-1:0] \g_end[1].u.row_q , \g_end[0].u.row_q ;
    (* hierconn *) wire [R-1:0] \g_end[1].u.from_q , \g_end[0].u.from_q ;
    (* hierconn *) wire         \g_end[1].u.hold_q , \g_end[0].u.hold_q , \g_end[1].u.tight_q , \g_end[0].u.tight_q ;
    (* hierconn *) wire         \g_end[1].u.put_q , \g_end[0].u.put_q , \g_end[1].u.old_q , \g_end[0].u.old_q ;
    (* hierconn *) wire [F-1:0] \g_end[1].u.put_at_q , \g_end[0].u.put_at_q , \g_end[1].u.get_at_q , \g_end[0].u.get_at_q ;
    (* hierconn *) wire [3:0]   \g_end[1].u.tries_q , \g_end[0].u.tries_q ;
    (* hierconn *) wire [111:0] \g_end[1].u.kept_q[3] , \g_end[1].u.kept_q[2] , \g_end[1].u.kept_q[1] , \g_end[1].u.kept_q[0] ,
                            \g_end[0].u.kept_q[3] , \g_end[0].u.kept_q[2] , \g_end[0].u.kept_q[1] , \g_end[0].u.kept_q[0] ;
    (* hierconn *) wire [R-1:0] \g_end[1].u.kept_at_q[3] , \g_end[1].u.kept_at_q[2] , \g_end[1].u.kept_at_q[1] , \g_end[1].u.kept_at_q[0] ,
                            \g_end[0].u.kept_at_q[3] , \g_end[0].u.kept_at_q[2] , \g_end[0].u.kept_at_q[1] , \g_end[0].u.kept_at_q[0] ;
    (* hierconn *) wire         \g_end[1].u.kept_row_q[3] , \g_end[1].u.kept_row_q[2] , \g_end[1].u.kept_row_q[1] , \g_end[1].u.kept_row_q[0] ,
                            \g_end[0].u.kept_row_q[3] , \g_end[0].u.kept_row_q[2] , \g_end[0].u.kept_row_q[1] , \g_end[0].u.kept_row_q[0] ;
    wire [2*N-1:0] nexts = {\g_end[1].u.next_q , \g_end[0].u.next_q };
    wire [2*N-1:0] bases = {\g_end[1].u.base_q , \g_end[0].u.base_q };
    wire [2*N-1:0] to_send = {\g_end[1].u.send_q , \g_end[0].u.send_q };
    wire [2*N-1:0] freshs = {\g_end[1].u.fresh_q , \g_end[0].u.fresh_q };
    wire [2*R-1:0] row_nexts = {\g_end[1].u.row_q , \g_end[0].u.row_q };
    wire [2*R-1:0] froms = {\g_end[1].u.from_q , \g_end[0].u.from_q };
    wire [1:0] holds = {\g_end[1].u.hold_q , \g_end[0].u.hold_q }, tights = {\g_end[1].u.tight_q , \g_end[0].u.tight_q };
    wire [1:0] puts = {\g_end[1].u.put_q , \g_end[0].u.put_q }, olds = {\g_end[1].u.old_q , \g_end[0].u.old_q };
    wire [2*F-1:0] put_ats = {\g_end[1].u.put_at_q , \g_end[0].u.put_at_q }, get_ats = {\g_end[1].u.get_at_q , \g_end[0].u.get_at_q };
    wire [2*4-1:0] tries = {\g_end[1].u.tries_q , \g_end[0].u.tries_q };
    wire [2*FRAMES*112-1:0] kept = {\g_end[1].u.kept_q[3] , \g_end[1].u.kept_q[2] , \g_end[1].u.kept_q[1] , \g_end[1].u.kept_q[0] ,
        \g_end[0].u.kept_q[3] , \g_end[0].u.kept_q[2] , \g_end[0].u.kept_q[1] , \g_end[0].u.kept_q[0] };
    wire [2*FRAMES*R-1:0] kept_at = {\g_end[1].u.kept_at_q[3] , \g_end[1].u.kept_at_q[2] , \g_end[1].u.kept_at_q[1] , \g_end[1].u.kept_at_q[0] ,
        \g_end[0].u.kept_at_q[3] , \g_end[0].u.kept_at_q[2] , \g_end[0].u.kept_at_q[1] , \g_end[0].u.kept_at_q[0] };
    wire [2*FRAMES*1-1:0] kept_row = {\g_end[1].u.kept_row_q[3] , \g_end[1].u.kept_row_q[2] , \g_end[1].u.kept_row_q[1] , \g_end[1].u.kept_row_q[0] ,
        \g_end[0].u.kept_row_q[3] , \g_end[0].u.kept_row_q[2] , \g_end[0].u.kept_row_q[1] , \g_end[0].u.kept_row_q[0] };
    genvar f;
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_lead
            wire [N-1:0] next = nexts[e*N +: N], base = bases[e*N +: N], used = next - base, there = g_end[1-e].tx_ack - base;
            wire [N-1:0] sent = to_send[e*N +: N] - base, fresh = freshs[e*N +: N] - base;
            wire [R-1:0] row = row_nexts[e*R +: R], rows_held = row - kept_at[(e*FRAMES + base[F-1:0])*R +: R];
            wire [R-1:0] rows_from = row - froms[e*R +: R];
            // frames in flight to the other end
            wire         way = g_end[1-e].rx_frame;
            wire [47:0]  way_head = g_end[1-e].rx_head;
            wire [N-1:0] way_number = g_end[1-e].rx_number, way_place = way_number - base, way_ahead = way_number - g_end[1-e].tx_ack;
            wire         way_numbered = |(way_head & NUMBERED);
            wire [N-1:0] way_acks = g_end[e].rx_ack - base;     // ack in flight to this end
            wire [FRAMES-1:0] packet_waits, credit_waits, credit_here, credit_unheard;
            for (f = 0; f < FRAMES; f = f + 1) begin : g_frame
                wire [F-1:0] place = f - base[F-1:0];
                wire [47:0] head = kept[(e*FRAMES + f)*112 +: 48];
                wire        here = place < used, waits = here && place >= there, newest = place + 1'b1 == used;
                wire [R-1:0] at = kept_at[(e*FRAMES + f)*R +: R], after = at + head[0];
                wire [R-1:0] then = newest ? row : kept_at[(e*FRAMES + (f + 1) % FRAMES)*R +: R];
                assign packet_waits[f] = waits && head[0];
                assign credit_waits[f] = waits && head[2];
                assign credit_here[f]  = here && head[2];
                assign credit_unheard[f] = here && head[2] && place >= way_acks;
                always @* if (live && LEAD && here) begin
                    assert (then == after && |(head & NUMBERED));
                    assert (place <= FULL || head == 48'd4);    // a credit alone
                    assert (!way || !way_numbered || way_number[F-1:0] != f || way_place >= used || (way_head & ~ASK) == head);
                end
            end
            wire [N-1:0] packets = $countones(packet_waits), credits = $countones(credit_waits);
            wire [N-1:0] mine = $countones(credit_here), unheard = $countones(credit_unheard);
            always @* if (live && LEAD) begin
                assert (next == g_end[e].next && base == g_end[e].base);
                assert (used <= FRAMES && sent <= fresh && fresh <= used && there <= fresh);
                assert (!way || !way_numbered || way_ahead[N-1] || way_ahead < fresh - there);
                assert (used == ZERO || rows_held < ROWS);
                // outputs from registers show the cycle before
                assert (used == ZERO || rows_from >= rows_held);
                assert (rows_from <= ROWS);
                assert (holds[e] || rows_from <= ROWS - 2);
                assert (tights[e] || used <= FULL);
                assert (!tights[e] || holds[e]);
                assert (!puts[e] || !olds[e] || put_ats[e*F +: F] != get_ats[e*F +: F]);
                assert (!puts[e] || (used != ZERO && put_ats[e*F +: F] == row[F-1:0] - 1'b1));
                assert (g_end[e].packets_on_way == packets && g_end[e].credits_on_way == credits);
                assert (g_end[e].credits <= PLACES && packets <= PLACES && g_end[e].buffered <= PLACES && credits <= PLACES);
                // There are no more unacknowledged credits than slots.  An end that uses a credit
                // acknowledges it in the same frame.
                assert (mine + g_end[e].buffered <= PLACES);
                assert (!g_end[e].rx_frame || unheard + g_end[e].buffered + g_end[1-e].packets_on_way <= PLACES);
            end
        end
    endgenerate
    // the one frame
    wire [F-1:0] its_slot = its[F-1:0];
    wire [R-1:0] its_at = kept_at[its_slot*R +: R];
    always @* if (live && LEAD && tracked) begin
        assert (kept[its_slot*112 +: 48] == kind && kept[its_slot*112 + 48 +: 64] == (PART == 2 && kind[0] && bit_of) &&
                (PART != 0 || !kind[0] ||
                 (puts[0] && put_ats[F-1:0] == its_at[F-1:0] ? given_rows[0] : kept_row[its_at[F-1:0]]) == bit_of));
    end
    wire [N-1:0] its_place = number - bases[0 +: N], sent_a = to_send[0 +: N] - bases[0 +: N];
    always @* if (live && LEAD) begin
        assert (tries[3:0] <= TRIES + failed[0] && (g_end[0].used != ZERO || tries[3:0] == 4'd0));
        assert (its_place >= sent_a || times != 4'd0);
        assert (its_place != ZERO || g_end[0].used == ZERO || times >= tries[3:0] + (sent_a != ZERO));
    end

    // Covers
    reg [3:0] run;
    reg [1:0] stage;                    // a packet was wrong, the next dropped, one accepted
    wire      at_b = g_end[1].rx_frame && !lost[1] && g_end[1].rx_head[0];
    always @(posedge clk) begin
        run <= rst || !(accept[1] && heads[48]) ? 4'd0 : run + (run != 4'd15);
        if (rst)
            stage <= 2'd0;
        else if (at_b && (wrong[1] == (stage == 2'd0)) && (accept[1] == stage[1]))
            stage <= stage + (stage != 2'd3);
    end
    always @* if (live) cover (REPAIR ? stage == 2'd3 && accept[1] && heads[48] : run == 4'd6);
endmodule

`default_nettype wire

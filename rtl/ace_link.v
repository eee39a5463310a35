// SPDX-License-Identifier: Apache-2.0
//
// ace_link -- one link of a node: a port for each channel, behind one guard at the shared pins
//
//   s_*, m_head   <---> [ plain port ]  --+                              +--> [ sender ] --> tx_*
//                              ^ hold     +--> { guard: frames } { sync }-+
//   s_routed_*, m_routed <---> [ routed port ] --+ grant, credits         +<-- [ receiver ] <-- rx_*
//
// Contract
//   Channels    Packets with tx_routed have input buffers, output buffers and credits of their
//               own.  They go first: while the routed port has the serialiser it holds the plain
//               port.  So at most one packet leaves in a cycle.  The guard can hold both ports.
//   Turns       With a cfg_share that is not 0, a plain packet has its turn when it can be sent and
//               cfg_share routed packets have left since the last plain one.  The routed port is
//               held until the plain packet has left.  See ace_link_turn.
//   Port        Each port is an ace_link_port.  Its contract holds for the s_ and m_ pins, and for
//               the pins with `routed` in their names.  A note is {reduce, context, mark}.  s_sum
//               and s_routed_sum come from ace_row_sum and belong to the row of two cycles before.
//   Steps       ace_link_sender puts a packet on tx_* two cycles after it was given.
//               ace_link_receiver passes a frame from rx_* on three cycles later, if ace_link_guard
//               accepts it.  The frame's row is in the input buffer by then, and is committed there
//               or dropped.  All pins of the link are registers, on both sides.
//   Grants      s_grant_* leaves with the packets that the ports send in that cycle.  None may be
//               given while m_tight.
//   Frames      All that leaves in one cycle is one frame.  The contract of ace_link_guard holds
//               for cfg_retry and the counts.
//   Counters    Cycle classes {idle, blocked, starved, busy} are of the plain port, which counts as
//               busy while it is held.  The guard counts packets sent again, frames with a wrong
//               CRC, and dropped frames.
//   Life        state is the state of ace_link_sync: how far the two ends have come.  Until a link
//               is up no port begins a packet, and m_tight is 1.  A link fails when its neighbour
//               begins another life.  With a cfg_silence it also fails when nothing arrives for so long.
//               s_close ends its life, and then the neighbour's.
//   Reset       rst is synchronous, active high; only control state is reset.  Both ends are reset
//               together.  With a cfg_epoch each end may be reset at its own time.
//   Twin        cmodel/nic/ace_link.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_link #(
    parameter INPUT_ROWS  = 128,        // packets in the input buffer
    parameter OUTPUT_ROWS = 8,          // packets in the output buffer
    parameter ROUTED_INPUT_ROWS  = 128, // routed packets in their input buffer, 4096 less INPUT_ROWS at most
    parameter ROUTED_OUTPUT_ROWS = 16,  // and in their output buffer
    parameter ROW_W       = 2048,       // bits in a packet
    parameter CODED       = 1           // 1: rows in the input buffers have a code
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [23:0]      cfg_cost,           // cycles a packet takes, Q16.8; less than one is one
    input  wire [23:0]      cfg_plain_cost,     // cycles a plain packet takes, likewise
    input  wire [7:0]       cfg_share,          // routed packets before a plain one that waits, 0: all
    input  wire [15:0]      cfg_retry,          // cycles, 0: off
    input  wire [15:0]      cfg_epoch,          // names this end's life, 0: both ends are reset together
    input  wire [7:0]       cfg_silence,        // intervals without a frame that lose the link, 0: off
    input  wire             s_close,            // this life ends, and the neighbour's, too

    // Link, from the neighbour
    input  wire             rx_frame,
    input  wire             rx_resend,
    input  wire [15:0]      rx_number,
    input  wire [15:0]      rx_ack,
    input  wire [31:0]      rx_crc,
    input  wire             rx_valid,
    input  wire [7:0]       rx_context,
    input  wire             rx_reduce,
    input  wire [7:0]       rx_mark,
    input  wire [ROW_W-1:0] rx_data,
    input  wire             rx_routed,
    input  wire [63:0]      rx_route,
    input  wire             rx_credit,
    input  wire             rx_routed_credit,
    input  wire             rx_grant_valid,
    input  wire [7:0]       rx_grant_context,
    input  wire [7:0]       rx_grant_mark,
    input  wire [7:0]       rx_grant_peer,

    // Link, to the neighbour
    output wire             tx_frame,
    output wire             tx_resend,
    output wire [15:0]      tx_number,
    output wire [15:0]      tx_ack,
    output wire [31:0]      tx_crc,
    output wire             tx_valid,
    output wire [7:0]       tx_context,
    output wire             tx_reduce,
    output wire [7:0]       tx_mark,
    output wire [ROW_W-1:0] tx_data,
    output wire             tx_routed,
    output wire [63:0]      tx_route,
    output wire             tx_credit,
    output wire             tx_routed_credit,
    output wire             tx_grant_valid,
    output wire [7:0]       tx_grant_context,
    output wire [7:0]       tx_grant_mark,
    output wire [7:0]       tx_grant_peer,

    // Grants
    input  wire             s_grant_valid,
    input  wire [7:0]       s_grant_context,
    input  wire [7:0]       s_grant_mark,
    input  wire [7:0]       s_grant_peer,
    output wire             m_tight,
    output wire             m_grant_valid,      // one has arrived
    output wire [7:0]       m_grant_context,
    output wire [7:0]       m_grant_mark,
    output wire [7:0]       m_grant_peer,

    // Plain packets, receive
    output wire             m_head_valid,
    output wire [7:0]       m_head_context,
    output wire             m_head_reduce,
    output wire [7:0]       m_head_mark,
    input  wire             m_pop,
    output wire [ROW_W-1:0] m_data,             // the row popped last
    output wire [31:0]      m_code,             // and its code
    // and send
    output wire             s_room,
    output wire             s_room_two,     // for two packets
    input  wire             s_reserve,
    input  wire             s_valid,
    input  wire [7:0]       s_context,
    input  wire             s_reduce,
    input  wire [7:0]       s_mark,
    input  wire [7:0]       s_peer,             // where it goes, on a hub
    input  wire [ROW_W-1:0] s_data,
    input  wire [31:0]      s_sum,

    // Routed packets, receive
    output wire             m_routed_valid,
    output wire [63:0]      m_routed_route,
    output wire [16:0]      m_routed_note,
    input  wire             m_routed_pop,
    output wire [ROW_W-1:0] m_routed_data,      // the row popped last
    output wire [31:0]      m_routed_code,
    // and send
    output wire             s_routed_room,
    output wire             s_routed_room_two,  // for two packets
    input  wire             s_routed_reserve,
    input  wire             s_routed_valid,
    input  wire [63:0]      s_routed_route,
    input  wire [16:0]      s_routed_note,
    input  wire [ROW_W-1:0] s_routed_data,
    input  wire [31:0]      s_routed_sum,

    output wire             failed,             // frames are lost for good, until reset
    output wire [1:0]       state,              // 0 down, 1 sync, 2 up, 3 ended
    output wire [31:0]      count_resent,
    output wire [31:0]      count_bad,
    output wire [31:0]      count_dropped,
    output wire [191:0]     count,
    output wire             idle                // nothing changes without input
);

    localparam CREDITS   = INPUT_ROWS + ROUTED_INPUT_ROWS;
    localparam KEPT_ROWS = INPUT_ROWS > 4 ? 1 << $clog2(INPUT_ROWS) : 4;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (INPUT_ROWS < 1 || INPUT_ROWS > 4095) begin : g_illegal_input_rows
            INPUT_ROWS_must_be_1_to_4095 stop ();
        end
        if (ROUTED_INPUT_ROWS < 1 || ROUTED_INPUT_ROWS > 4096 - INPUT_ROWS) begin : g_illegal_routed_input_rows
            ROUTED_INPUT_ROWS_must_be_1_to_4096_less_INPUT_ROWS stop ();
        end
        if (OUTPUT_ROWS < 1 || OUTPUT_ROWS > 65535) begin : g_illegal_output_rows
            OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROUTED_OUTPUT_ROWS < 1 || ROUTED_OUTPUT_ROWS > 65535) begin : g_illegal_routed_output_rows
            ROUTED_OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
    endgenerate

    // ---- what arrives: its row at once, the rest when it is known to be good ----
    wire             row_took, abort, rx_there, rx_good, rx_took, accept, receiver_idle;
    wire [1:0]       row_room;
    wire [18:0]      row_head;      // {mark, context, routed, reduce, packet}
    wire [47:0]      came;
    wire [63:0]      row_route;
    wire [ROW_W-1:0] row_data;
    wire [15:0]      number, ack, expected;
    wire             hold;          // no port begins a packet
    wire             up;            // both ends have begun a life together

    ace_link_receiver #(.ROW_W(ROW_W)) u_receiver (
        .clk(clk), .rst(rst), .rx_frame(rx_frame),
        .rx_head({rx_grant_peer, rx_grant_mark, rx_grant_context, rx_mark, rx_context, rx_resend, 1'b0,
                  rx_routed_credit, rx_routed, rx_grant_valid, rx_credit, rx_reduce, rx_valid}),
        .rx_route(rx_route), .rx_number(rx_number), .rx_ack(rx_ack), .rx_crc(rx_crc), .rx_data(rx_data),
        .s_room(row_room), .m_row_took(row_took), .m_row_head(row_head), .m_row_route(row_route),
        .m_row_data(row_data), .m_abort(abort),
        .s_up(up), .s_expect(expected), .m_frame(rx_there), .m_good(rx_good), .m_took(rx_took), .m_head(came),
        .m_number(number), .m_ack(ack), .idle(receiver_idle)
    );
    assign m_grant_valid = accept && came[3];
    assign {m_grant_peer, m_grant_mark, m_grant_context} = came[47:24];

    // ---- routed packets: they go first, but for a plain one's turn ----
    wire             turn;
    wire             routed_sends, routed_reduce, routed_gives, routed_wants, routed_waits, routed_idle;
    wire [7:0]       routed_context, routed_mark;
    wire [63:0]      routed_route;
    wire [ROW_W-1:0] routed_row;        // a cycle later
    wire [31:0]      routed_sum;
    wire [191:0]     uncounted;         // the plain port counts the link's cycles

    ace_link_port #(
        .INPUT_ROWS(ROUTED_INPUT_ROWS), .OUTPUT_ROWS(ROUTED_OUTPUT_ROWS), .ROUTE_W(64), .ROW_W(ROW_W),
        .CODED(CODED), .COUNTED(0)
    ) u_routed (
        .clk(clk), .rst(rst), .cfg_cost(cfg_cost),
        .rx_room(row_room[1]), .rx_valid(row_took && row_head[0] && row_head[2]), .rx_context(row_head[10:3]),
        .rx_reduce(row_head[1]), .rx_mark(row_head[18:11]), .rx_route(row_route), .rx_data(row_data),
        .rx_commit(accept && came[0] && came[4]), .rx_abort(abort), .rx_credit(accept && came[5]),
        .tx_valid(routed_sends), .tx_context(routed_context), .tx_reduce(routed_reduce), .tx_mark(routed_mark),
        .tx_route(routed_route), .tx_data(routed_row), .tx_sum(routed_sum), .tx_credit(routed_gives),
        .m_head_valid(m_routed_valid), .m_head_context(m_routed_note[15:8]), .m_head_reduce(m_routed_note[16]),
        .m_head_mark(m_routed_note[7:0]), .m_head_route(m_routed_route), .m_pop(m_routed_pop), .m_data(m_routed_data),
        .m_code(m_routed_code),
        .s_room(s_routed_room), .s_room_two(s_routed_room_two), .s_reserve(s_routed_reserve),
        .s_valid(s_routed_valid), .s_context(s_routed_note[15:8]), .s_reduce(s_routed_note[16]),
        .s_mark(s_routed_note[7:0]), .s_route(s_routed_route), .s_data(s_routed_data), .s_sum(s_routed_sum),
        .s_hold(turn || hold), .s_waits(1'b0), .m_wants(routed_wants), .m_waits(routed_waits),
        .count(uncounted), .idle(routed_idle)
    );

    // ---- plain packets: one that has arrived has no further to go ----
    wire             plain_sends, plain_reduce, plain_gives, plain_wants, plain_waits, plain_idle;
    wire [7:0]       plain_context, plain_mark, plain_peer, head_peer;
    wire [ROW_W-1:0] plain_row;
    wire [31:0]      plain_sum;

    ace_link_port #(
        .INPUT_ROWS(INPUT_ROWS), .OUTPUT_ROWS(OUTPUT_ROWS), .ROUTE_W(8), .ROW_W(ROW_W), .CODED(CODED)
    ) u_plain (
        .clk(clk), .rst(rst), .cfg_cost(cfg_plain_cost),
        .rx_room(row_room[0]), .rx_valid(row_took && row_head[0] && !row_head[2]), .rx_context(row_head[10:3]),
        .rx_reduce(row_head[1]), .rx_mark(row_head[18:11]), .rx_route(8'd0), .rx_data(row_data),
        .rx_commit(accept && came[0] && !came[4]), .rx_abort(abort), .rx_credit(accept && came[2]),
        .tx_valid(plain_sends), .tx_context(plain_context), .tx_reduce(plain_reduce), .tx_mark(plain_mark),
        .tx_route(plain_peer), .tx_data(plain_row), .tx_sum(plain_sum), .tx_credit(plain_gives),
        .m_head_valid(m_head_valid), .m_head_context(m_head_context), .m_head_reduce(m_head_reduce),
        .m_head_mark(m_head_mark), .m_head_route(head_peer), .m_pop(m_pop), .m_data(m_data),
        .m_code(m_code),
        .s_room(s_room), .s_room_two(s_room_two), .s_reserve(s_reserve),
        .s_valid(s_valid), .s_context(s_context), .s_reduce(s_reduce),
        .s_mark(s_mark), .s_route(s_peer), .s_data(s_data), .s_sum(s_sum),
        .s_hold((routed_wants && !turn) || hold), .s_waits(routed_waits), .m_wants(plain_wants), .m_waits(plain_waits),
        .count(count), .idle(plain_idle)
    );

    ace_link_turn u_turn (
        .clk(clk), .rst(rst), .cfg_share(cfg_share),
        .s_wants(plain_wants), .s_sent(plain_sends), .s_routed_sent(routed_sends), .m_turn(turn)
    );

    // ---- frames ----
    wire [47:0]      given, frame_head, tx_head;
    wire [63:0]      frame_route;
    wire [15:0]      frame_number;
    wire [ROW_W-1:0] frame_row;
    wire [31:0]      frame_sum;
    wire             frame, none, guard_idle, sender_idle, sync_idle;
    wire             sync, ask, leaves, passes, block, lost, guard_hold, guard_tight, guard_failed;
    wire [15:0]      epoch, heard;
    reg              routed_sent_q;     // whose row it is

    assign given = {s_grant_peer, s_grant_mark, s_grant_context, routed_sends ? routed_mark : plain_mark,
                    routed_sends ? routed_context : plain_context, 2'b00, routed_gives, routed_sends, s_grant_valid,
                    plain_gives, routed_sends ? routed_reduce : plain_reduce, plain_sends || routed_sends};
    always @(posedge clk) routed_sent_q <= routed_sends;

    ace_link_guard #(
        .FRAMES(1 << $clog2(4 * CREDITS)), .ROWS(KEPT_ROWS), .SPARE(CREDITS + 4), .ROW_W(ROW_W)
    ) u_guard (
        .clk(clk), .rst(rst), .cfg_retry(cfg_retry), .cfg_cost(cfg_cost),
        .s_head(given), .s_route(routed_sends ? routed_route : {56'd0, plain_peer}),
        .s_data(routed_sent_q ? routed_row : plain_row), .s_sum(routed_sent_q ? routed_sum : plain_sum),
        .m_hold(guard_hold), .m_tight(guard_tight),
        .tx_frame(frame), .tx_head(frame_head), .tx_route(frame_route), .tx_number(frame_number), .tx_ack(expected),
        .tx_data(frame_row), .tx_sum(frame_sum),
        .rx_frame(passes), .rx_good(rx_good), .rx_took(rx_took), .rx_head(came), .rx_number(number), .rx_ack(ack),
        .m_accept(accept), .failed(guard_failed),
        .count_resent(count_resent), .count_bad(count_bad), .count_dropped(count_dropped), .idle(guard_idle)
    );
    ace_link_sync u_sync (
        .clk(clk), .rst(rst), .cfg_epoch(cfg_epoch), .cfg_silence(cfg_silence), .s_close(s_close),
        .s_frame(frame), .s_packet(frame_head[0]), .m_frame(leaves), .m_sync(sync), .m_ask(ask), .m_number(epoch),
        .m_ack(heard),
        .rx_frame(rx_there), .rx_good(rx_good), .rx_sync(came[4] && !came[0]), .rx_ask(came[7]),
        .rx_number(number), .rx_ack(ack), .m_rx_frame(passes),
        .m_up(up), .m_block(block), .m_state(state), .m_lost(lost), .idle(sync_idle)
    );
    assign hold    = guard_hold || block;
    assign m_tight = guard_tight || block;
    assign failed  = guard_failed || lost || state == 2'd3;

    // a SYNC frame: routed and no packet
    ace_link_sender #(.ROW_W(ROW_W)) u_sender (
        .clk(clk), .rst(rst), .s_frame(leaves), .s_head(sync ? {40'd0, ask, 7'h10} : frame_head), .s_route(frame_route),
        .s_number(sync ? epoch : frame_number), .s_ack(sync ? heard : expected), .s_data(frame_row), .s_sum(frame_sum),
        .tx_frame(tx_frame), .tx_head(tx_head), .tx_route(tx_route), .tx_number(tx_number), .tx_ack(tx_ack),
        .tx_crc(tx_crc), .tx_data(tx_data), .idle(sender_idle)
    );

    assign {tx_grant_peer, tx_grant_mark, tx_grant_context, tx_mark, tx_context, tx_resend,
            none, tx_routed_credit, tx_routed, tx_grant_valid, tx_credit, tx_reduce, tx_valid} = tx_head;
    assign idle = plain_idle && routed_idle && guard_idle && sync_idle && sender_idle && receiver_idle;

    // unused: the route of an arrived plain packet, the plain port's own hold outputs, a 0 in a
    // head
    wire unused = &{1'b0, head_peer, plain_wants, plain_waits, none, uncounted};

endmodule

`default_nettype wire

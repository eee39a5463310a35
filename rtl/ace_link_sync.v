// SPDX-License-Identifier: Apache-2.0
//
// ace_link_sync -- the two ends of a link begin a life together, whenever each of them was reset
//
//   guard  -- s_frame -->+-- m_frame --> sender         receiver -- rx_* -->+-- m_rx_frame --> guard
//                        |                                                  |
//                        +<---- { SYNC frames } <-- epoch, heard <----------+
//
// Contract
//   Epoch       cfg_epoch names the life that an end begins with its reset.  It may change in reset
//               alone.  It must differ from the epoch of every life whose frames may still be
//               travelling to either end.  A counter of 16 bits is enough.  With 0 the link is up
//               from reset on, and neither sends nor reads SYNC frames.
//   States      m_state DOWN 0: no epoch has been received.  SYNC 1: one has been received.  UP 2.
//               ENDED 3: the neighbour has begun another life, or the link was closed.  DOWN and
//               SYNC lead to UP, and UP to ENDED.  Only reset leaves ENDED.
//   SYNC        A SYNC frame is routed and has no packet.  Its number is the sender's epoch.  Its
//               ack is the epoch that the sender received last, or 0 for none.  The resend bit
//               requests a SYNC frame in return.  An end that is not UP sends such a request every
//               WAIT cycles.  A SYNC frame has no sequence number and never reaches the guard.
//   Up          An end becomes UP when it receives a SYNC frame that names its own epoch, since the
//               neighbour has then heard it in this life.  If that frame requests an answer, a SYNC
//               frame is the first to go back.  So the neighbour is UP, too, before another frame
//               comes.
//   Ended       An end that is UP becomes ENDED when it receives a SYNC frame of another pair of
//               epochs.
//   Silence     With a cfg_silence that is not 0, an end that is UP requests a SYNC frame every
//               WAIT + 1 cycles, if no good frame came since the last request.  m_lost is 1 when
//               cfg_silence such intervals have passed without a good frame.
//   Close       With a cfg_silence that is not 0, s_close makes an end ENDED.  An ENDED end then sends
//               a SYNC frame that names no epoch every WAIT + 1 cycles.  An UP
//               neighbour becomes ENDED, too, when one of them arrives.
//   Frames      Only UP ends pass frames on, in either direction.  A link keeps the order of
//               frames.  A neighbour that has begun another life sends only SYNC frames until this
//               end has, too.  So a frame that comes to an UP end was sent to its present life,
//               from the life that it has heard of (tests/formal/link_sync.v).
//   Block       While m_block is 1 no packet is begun and no grant given.  The guard then has no
//               frame except credits.
//   Idle        Nothing changes without input.
//   Reset       rst is synchronous, active high.  Each end is reset at its own time.
//   Twin        cmodel/nic/ace_link_sync.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_link_sync_test.cc).
//
// m_frame follows s_frame in the same cycle, m_rx_frame follows rx.

`default_nettype none

module ace_link_sync #(
    parameter EPOCH_W = 16,     // bits of an epoch, at most 16; less in proofs alone
    parameter WAIT    = 63      // cycles from one SYNC request to the next, 1..63
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [EPOCH_W-1:0] cfg_epoch,
    input  wire [7:0]       cfg_silence,    // intervals without a frame that lose the link, 2 or more; 0: off
    input  wire             s_close,        // this life ends

    // Frames that leave: from the guard, to the sender
    input  wire             s_frame,
    input  wire             s_packet,       // it has a packet
    output wire             m_frame,
    output wire             m_sync,         // it is a SYNC frame:
    output wire             m_ask,
    output wire [EPOCH_W-1:0] m_number,
    output wire [EPOCH_W-1:0] m_ack,

    // Frames that arrive: from the receiver, to the guard
    input  wire             rx_frame,
    input  wire             rx_good,
    input  wire             rx_sync,        // it is routed and no packet
    input  wire             rx_ask,
    input  wire [EPOCH_W-1:0] rx_number,
    input  wire [EPOCH_W-1:0] rx_ack,
    output wire             m_rx_frame,

    output wire             m_up,
    output wire             m_block,
    output wire [1:0]       m_state,
    output wire             m_lost,         // nothing came for too long
    output wire             idle
);

    localparam [EPOCH_W-1:0] NONE = {EPOCH_W{1'b0}};
    localparam [31:0] WAIT_ = WAIT;
    localparam [1:0]  DOWN = 2'd0, SYNC = 2'd1, UP = 2'd2, ENDED = 2'd3;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (EPOCH_W < 2 || EPOCH_W > 16) begin : g_illegal_epoch_w EPOCH_W_must_be_2_to_16 stop (); end
        if (WAIT < 1 || WAIT > 63) begin : g_illegal_wait WAIT_must_be_1_to_63 stop (); end
    endgenerate

    reg [EPOCH_W-1:0] heard_q;      // epoch of the other end, NONE: not yet
    reg         up_q, ended_q;
    reg         answer_q;           // a SYNC is to be sent
    reg [5:0]   wait_q;             // cycles until the next SYNC request, or the end of an interval
    reg [7:0]   quiet_q;            // intervals that ended since the last good frame

    wire        begins = cfg_epoch != NONE;     // this end has a life of its own
    wire        up     = up_q || !begins;
    wire        open   = !up && !ended_q;
    wire        watch  = begins && cfg_silence != 8'd0;
    wire        closes = watch && s_close && !ended_q;
    wire        tells  = watch && ended_q;
    wire        ends   = watch && up_q && wait_q == 6'd0;       // an interval
    wire        hears  = begins && !ended_q && rx_frame && rx_good && rx_sync;
    wire        named  = rx_ack == cfg_epoch;
    wire        other  = up_q && !(named && rx_number == heard_q);

    assign m_sync     = (!s_frame || (ended_q && !s_packet)) && (answer_q || ((open || tells) && wait_q == 6'd0));
    assign m_frame    = (s_frame && up) || m_sync;
    assign m_ask      = open || (up_q && quiet_q != 8'd0);
    assign m_number   = cfg_epoch;
    assign m_ack      = ended_q ? NONE : heard_q;
    assign m_rx_frame = rx_frame && up && !(rx_good && rx_sync);
    assign m_up       = up;
    assign m_block    = !up || answer_q;
    assign m_state    = up ? UP : ended_q ? ENDED : heard_q != NONE ? SYNC : DOWN;
    assign m_lost     = watch && up_q && quiet_q >= cfg_silence;
    assign idle       = !open && !answer_q && !watch;

    always @(posedge clk) begin
        if (rst) begin
            heard_q  <= NONE;
            up_q     <= 1'b0;
            ended_q  <= 1'b0;
            answer_q <= 1'b0;
            wait_q   <= 6'd0;
            quiet_q  <= 8'd0;
        end else begin
            if (hears && !up_q) heard_q <= rx_number;
            if (closes)
                up_q <= 1'b0;
            else if (hears)
                up_q <= up_q ? !other : named;
            if ((hears && other) || closes) ended_q <= 1'b1;
            answer_q <= !(hears && other) && !closes &&
                        ((hears && rx_ask) || (ends && quiet_q != 8'd0) || (answer_q && !m_sync));
            if (closes)
                wait_q <= 6'd0;
            else if (open || watch)
                wait_q <= m_sync || ends ? WAIT_[5:0] : wait_q - {5'd0, wait_q != 6'd0};
            if (rx_frame && rx_good)
                quiet_q <= 8'd0;
            else if (ends && quiet_q != 8'hff)
                quiet_q <= quiet_q + 8'd1;
        end
    end

endmodule

`default_nettype wire

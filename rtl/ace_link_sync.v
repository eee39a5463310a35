// SPDX-License-Identifier: Apache-2.0
//
// ace_link_sync -- the two ends of a link begin a life together, whenever each of them was reset
//
//   guard  -- s_frame -->+-- m_frame --> sender         receiver -- rx_* -->+-- m_rx_frame --> guard
//                        |                                                  |
//                        +<---- { SYNC frames } <-- epoch, heard <----------+
//
// Contract
//   Epoch       cfg_epoch names the life that an end begins with its reset, and may change in reset alone.  It is
//               another one than that of any life whose frames are still on the way to either end, which a counter
//               of 16 bits sees to.  0: the link is up from reset on, sends no SYNC and hears none.
//   States      m_state: DOWN 0, no epoch has been heard; SYNC 1, one has; UP 2; ENDED 3, the neighbour has begun
//               another life.  From DOWN and SYNC to UP, and from UP to ENDED; only reset ends the last.
//   SYNC        A frame that is routed and no packet.  Its number is the epoch of who sends it, its ack the epoch that
//               was heard here last, 0: none.  One with the resend bit asks for one in return, as those of ends do that
//               are not UP: one every WAIT cycles.  It has no number and the guard never sees it.
//   Up          is who hears a SYNC that names its own epoch: the neighbour has heard it in this life.  If that one
//               asks, a SYNC is the first that goes back, so that the neighbour is UP, too, before a frame comes.
//   Ended       is who is UP and hears a SYNC of another pair of epochs.
//   Frames      Only UP ends give frames on, either way.  As a link keeps the order of frames, and a neighbour that has
//               begun another life says nothing but SYNC until this one has, too, what comes to an UP end was sent in
//               the life that it has heard of, to the life that it is in (tests/formal/link_sync.v).
//   Block       m_block: no packet is begun and no grant given.  Then the guard has no frame, but for credits.
//   Idle        nothing changes without input.
//   Reset       rst is synchronous, active high; each end at its own time.
//   Twin        cmodel/nic/ace_link_sync.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_link_sync_test.cc).
//
// m_frame follows s_frame in the same cycle, m_rx_frame follows rx.

`default_nettype none

module ace_link_sync #(
    parameter EPOCH_W = 16,     // bits of an epoch, at most 16; less in proofs alone
    parameter WAIT    = 63      // cycles from one SYNC frame that asks to the next, 1..63
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [EPOCH_W-1:0] cfg_epoch,

    // Frames that leave: from the guard, to the sender
    input  wire             s_frame,
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
    output wire             idle
);

    localparam [EPOCH_W-1:0] NONE = {EPOCH_W{1'b0}};
    localparam [31:0] WAIT_ = WAIT;
    localparam [1:0]  DOWN = 2'd0, SYNC = 2'd1, UP = 2'd2, ENDED = 2'd3;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (EPOCH_W < 2 || EPOCH_W > 16) begin : g_illegal_epoch_w EPOCH_W_must_be_2_to_16 stop (); end
        if (WAIT < 1 || WAIT > 63) begin : g_illegal_wait WAIT_must_be_1_to_63 stop (); end
    endgenerate

    reg [EPOCH_W-1:0] heard_q;      // epoch of the other end, NONE: not yet
    reg         up_q, ended_q;
    reg         answer_q;           // a SYNC is to be sent
    reg [5:0]   wait_q;             // cycles until one goes that asks

    wire        begins = cfg_epoch != NONE;     // this end has a life of its own
    wire        up     = up_q || !begins;
    wire        open   = !up && !ended_q;
    wire        hears  = begins && !ended_q && rx_frame && rx_good && rx_sync;
    wire        named  = rx_ack == cfg_epoch;
    wire        other  = up_q && !(named && rx_number == heard_q);

    assign m_sync     = !s_frame && (answer_q || (open && wait_q == 6'd0));
    assign m_frame    = (s_frame && up) || m_sync;
    assign m_ask      = open;
    assign m_number   = cfg_epoch;
    assign m_ack      = heard_q;
    assign m_rx_frame = rx_frame && up && !(rx_good && rx_sync);
    assign m_up       = up;
    assign m_block    = !up || answer_q;
    assign m_state    = up ? UP : ended_q ? ENDED : heard_q != NONE ? SYNC : DOWN;
    assign idle       = !open && !answer_q;

    always @(posedge clk) begin
        if (rst) begin
            heard_q  <= NONE;
            up_q     <= 1'b0;
            ended_q  <= 1'b0;
            answer_q <= 1'b0;
            wait_q   <= 6'd0;
        end else begin
            if (hears && !up_q) heard_q <= rx_number;
            if (hears) up_q <= up_q ? !other : named;
            if (hears && other) ended_q <= 1'b1;
            answer_q <= !(hears && other) && ((hears && rx_ask) || (answer_q && !m_sync));
            if (open) wait_q <= m_sync ? WAIT_[5:0] : wait_q - {5'd0, wait_q != 6'd0};
        end
    end

endmodule

`default_nettype wire

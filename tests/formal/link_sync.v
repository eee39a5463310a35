// SPDX-License-Identifier: Apache-2.0
//
// link_sync -- two ace_link_sync on a link that loses frames, whose ends are reset each at its own time
//
//   guard ---> s [ a ] m --- LATENCY cycles; any frame may be lost, or wrong ---> rx [ b ] ---> guard
//         <---      rx <--------------------------- likewise ------------------- m         <---
//
// The frames of the guards are free, and so are the contents of a wrong frame.  An end that is
// reset takes a free epoch, within the one rule of the contract.  The rule: neither a frame on the
// link nor the state of the other end names an older life by this epoch.  A counter keeps this rule
// as long as it does not wrap while a frame is in flight.  Epochs have few bits, so that they
// repeat.
//
// The proof adds to each frame, unseen by the module, the pair of epochs that its sender was up
// with.
//
// Properties
//   pair      Ends that are both up are up with one another.
//   life      A frame that goes on to a guard was sent in the life that its end is up with.  It was
//             sent to the life that its end is in.
//   silence   An end that is not up passes on only SYNC frames, in either direction.
//   sync      No good SYNC frame goes to the guard.
//   open      An end that was up and is up no more has ended, until reset.
//   begins    While nothing is lost, reset or closed and the guards are silent, no end waits for
//             long, unless the other has ended.
//   told      While nothing is lost or reset, no end stays up for long with one that has ended, if
//             silence is on and the guard of that one has no packet.
//   quiet     While nothing is lost, reset or closed, no end is lost by a silence of some intervals.
//   starts    cover: both are up, one is reset alone, the other ends, is reset, and a frame comes of the new lives

`default_nettype none

module link_sync #(
    parameter EPOCH_W = 4,
    parameter LATENCY = 1
) (
    input wire             clk,
    input wire             rst,         // both, in the first cycle
    input wire [1:0]       again,       // a, b is reset
    input wire [2*EPOCH_W-1:0] fresh,
    input wire [1:0]       s_frame,
    input wire [1:0]       s_packet,
    input wire [1:0]       s_close,
    input wire [7:0]       silence,     // of both
    input wire [1:0]       lost,
    input wire [1:0]       wrong,
    input wire [1:0]       wrong_sync,
    input wire [1:0]       wrong_ask,
    input wire [4*EPOCH_W-1:0] wrong_numbers
);
    localparam W = EPOCH_W;
    localparam FRAME_W = 3 + 4 * W;     // {from, to, number, ack, ask, sync, frame}

    `include "live.vh"

    wire [2*FRAME_W-1:0] tx;
    wire [1:0]   up, passes, came_good;
    wire [2*W-1:0] epochs, heards, froms, tos;
    wire [2*LATENCY*2*W-1:0] on_way;    // numbers and acks on the way to each end
    wire [1:0]   good_sync, m_frame, m_sync;
    wire [3:0]   state;
    wire [1:0]   lose;
    reg  [7:0]   silence_q;
    always @(posedge clk) if (rst) silence_q <= silence;

    genvar e, f;
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_end
            reg  [LATENCY*FRAME_W-1:0] way;     // to this end
            reg  [W-1:0] epoch;
            wire         rx_frame, rx_sync, rx_ask;
            wire [W-1:0] rx_number, rx_ack, number, ack;
            wire         ask;
            wire         begins = rst || again[e];
            assign {froms[e*W +: W], tos[e*W +: W], rx_number, rx_ack, rx_ask, rx_sync, rx_frame} =
                way[(LATENCY-1)*FRAME_W +: FRAME_W];
            always @(posedge clk) begin
                way <= rst ? 0 : {way, tx[(1-e)*FRAME_W +: FRAME_W]};
                if (begins) epoch <= fresh[e*W +: W];
            end
            for (f = 0; f < LATENCY; f = f + 1) begin : g_way
                assign on_way[(e*LATENCY+f)*2*W +: 2*W] = {2*W{way[f*FRAME_W]}} & way[f*FRAME_W+3 +: 2*W];
            end
            assign came_good[e] = rx_frame && !lost[e] && !wrong[e];
            assign good_sync[e] = came_good[e] && rx_sync;
            assign epochs[e*W +: W] = epoch;
            assign heards[e*W +: W] = ack;
            assign tx[e*FRAME_W +: FRAME_W] = {epoch, ack, number, ack, ask, m_sync[e], m_frame[e]};
            ace_link_sync #(.EPOCH_W(W), .WAIT(1)) u (
                .clk(clk), .rst(begins), .cfg_epoch(epoch), .cfg_silence(silence_q), .s_close(s_close[e] || lose[e]),
                .s_frame(s_frame[e]), .s_packet(s_packet[e]), .m_frame(m_frame[e]), .m_sync(m_sync[e]), .m_ask(ask), .m_number(number),
                .m_ack(ack),
                .rx_frame(rx_frame && !lost[e]), .rx_good(!wrong[e]), .rx_sync(wrong[e] ? wrong_sync[e] : rx_sync),
                .rx_ask(wrong[e] ? wrong_ask[e] : rx_ask), .rx_number(wrong[e] ? wrong_numbers[2*e*W +: W] : rx_number),
                .rx_ack(wrong[e] ? wrong_numbers[(2*e+1)*W +: W] : rx_ack),
                .m_rx_frame(passes[e]), .m_up(up[e]), .m_state(state[2*e +: 2]), .m_lost(lose[e]));
        end
    endgenerate

    // ---- an epoch that is new: nothing names a life of this end so ----
    wire [1:0]   known;
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_new
            wire [W-1:0] epoch = fresh[e*W +: W];
            wire [2*LATENCY-1:0] named;
            for (f = 0; f < LATENCY; f = f + 1) begin : g_named     // {ack, number} of those to it, and from it
                assign named[2*f]   = epoch == on_way[(e*LATENCY+f)*2*W +: W];
                assign named[2*f+1] = epoch == on_way[((1-e)*LATENCY+f)*2*W+W +: W];
            end
            assign known[e] = epoch == {W{1'b0}} || epoch == epochs[e*W +: W] || epoch == heards[(1-e)*W +: W] ||
                              |named;
        end
    endgenerate
    always @* begin
        assume (live || fresh[0 +: W] != {W{1'b0}});
        assume (live || fresh[W +: W] != {W{1'b0}});
        assume (!live || !rst);
        assume (!live || !again[0] || !known[0]);
        assume (!live || !again[1] || !known[1]);
    end

    localparam BOUND = 4 * (LATENCY + 1) + 4;
    reg [5:0] calm;
    always @(posedge clk)
        calm <= rst || again != 2'd0 || (lost | wrong | s_frame | s_close) != 2'd0 ? 6'd0 : calm + {5'd0, calm != BOUND};

    // an end is up, the other has ended, all frames arrive, and no packet holds a SYNC frame back
    wire [1:0] alone = up & {&state[1:0], &state[3:2]};
    reg [5:0] clear;
    always @(posedge clk)
        clear <= rst || again != 2'd0 || (lost | wrong | s_packet) != 2'd0 || alone == 2'd0 || silence_q == 8'd0
                     ? 6'd0 : clear + {5'd0, clear != BOUND};

    wire mates = heards[0 +: W] == epochs[W +: W] && heards[W +: W] == epochs[0 +: W];
    reg [1:0] was_up;
    reg [2:0] told;             // both up; a began another life; b ended; b began another; both up again
    always @(posedge clk) begin
        was_up <= rst ? 2'd0 : up & ~again;
        if (rst)
            told <= 3'd0;
        else case (told)
            3'd0: if (up == 2'b11) told <= 3'd1;
            3'd1: if (again == 2'b01) told <= 3'd2;
            3'd2: if (state[3:2] == 2'd3) told <= 3'd3;
            3'd3: if (again == 2'b10) told <= 3'd4;
            default: ;
        endcase
    end
    generate
        for (e = 0; e < 2; e = e + 1) begin : g_shown
            wire goes = passes[e] && came_good[e];
            always @* if (live) begin
                assert (!goes || (froms[e*W +: W] == heards[e*W +: W] && tos[e*W +: W] == epochs[e*W +: W]));
                assert (!goes || !good_sync[e]);
                assert (up[e] || (!passes[e] && (!m_frame[e] || m_sync[e])));
                assert (!was_up[e] || up[e] || state[2*e +: 2] == 2'd3);
                assert (calm != BOUND || silence_q < 8'd16 || !lose[e]);
            end
        end
    endgenerate
    always @* if (live) begin
        assert (calm != BOUND || up == 2'b11 || &state[1:0] || &state[3:2]);
        assert (up != 2'b11 || mates);
        assert (clear != BOUND);
        cover (told == 3'd4 && passes[1] && came_good[1] && up == 2'b11);
    end
endmodule

`default_nettype wire

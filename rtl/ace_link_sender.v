// SPDX-License-Identifier: Apache-2.0
//
// ace_link_sender -- the last two steps of a frame that leaves: its CRC, and the pins
//
//   s_head, s_route, numbers ---> [ ] ---> { CRC } ---> [ tx_* ]
//   s_data, s_sum, a cycle later --------'
//
// Contract
//   Pins        A frame is on tx_* two cycles after s_frame.  Its row and the row's sum are on
//               s_data and s_sum one cycle after s_frame; without a packet both are 0.  All pins
//               are registers.  Without tx_frame the low 8 bits of tx_head are 0, and the other
//               pins mean nothing.
//   Idle        No frame is inside or on the pins.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_link_sender.h, equal at the pins of ace_link (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_link_sender #(
    parameter ROW_W = 2048      // bits of a row
) (
    input  wire             clk,
    input  wire             rst,

    // A frame, from ace_link_guard, or a SYNC frame, for which ace_link sets s_head, s_number and s_ack
    input  wire             s_frame,
    input  wire [47:0]      s_head,
    input  wire [63:0]      s_route,
    input  wire [15:0]      s_number,
    input  wire [15:0]      s_ack,
    input  wire [ROW_W-1:0] s_data,
    input  wire [31:0]      s_sum,

    // Link, to the neighbour
    output wire             tx_frame,
    output wire [47:0]      tx_head,
    output wire [63:0]      tx_route,
    output wire [15:0]      tx_number,
    output wire [15:0]      tx_ack,
    output wire [31:0]      tx_crc,
    output wire [ROW_W-1:0] tx_data,

    output wire             idle
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
    endgenerate

    reg             frame_q, tx_frame_q;
    reg [143:0]     head_q;         // {ack, number, route, head}
    reg [135:0]     tx_head_q;      // {ack, number, route, head} without the low 8 bits of head
    reg [7:0]       tx_flags_q;     // {resend, 0, routed_credit, routed, grant, credit, reduce, packet}
    reg [31:0]      tx_crc_q;
    reg [ROW_W-1:0] tx_data_q;
    wire [31:0]     crc;

    ace_link_crc u_crc (.frame(frame_q), .head(head_q[47:0]), .route(head_q[48 +: 64]), .number(head_q[112 +: 16]),
        .ack(head_q[128 +: 16]), .sum(s_sum), .crc(crc));

    assign tx_frame = tx_frame_q;
    assign {tx_ack, tx_number, tx_route, tx_head} = {tx_head_q, tx_flags_q};
    assign tx_crc   = tx_crc_q;
    assign tx_data  = tx_data_q;
    assign idle     = !frame_q && !tx_frame_q;

    always @(posedge clk) begin
        frame_q    <= s_frame && !rst;
        tx_frame_q <= frame_q && !rst;
        tx_flags_q   <= frame_q && !rst ? head_q[7:0] : 8'd0;
        if (s_frame) head_q <= {s_ack, s_number, s_route, s_head};
        if (frame_q) begin
            tx_head_q <= head_q[143:8];
            tx_crc_q  <= crc;
            tx_data_q <= s_data;
        end
    end

endmodule

`default_nettype wire

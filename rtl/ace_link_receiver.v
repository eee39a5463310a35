// SPDX-License-Identifier: Apache-2.0
//
// ace_link_receiver -- the first three steps of a frame that arrives: pins, row, CRC
//
//   rx_* ---> [ frame ] -+-> m_row_*: to the input buffers, before the frame is checked
//                        +-> { groups of the row } ---> [ ] ---> { CRC, is it right? } ---> [ m_* ]
//
// Contract
//   Row         In the cycle after rx_* the frame is on m_row_*.  It is taken (m_row_took) under
//               two conditions.  It has the next number, if the frames before it are good.  If it
//               is a packet, s_room reports a free slot for its channel.  So a row is written at
//               once, and no row is kept here.
//   Verdict     m_frame, m_good and m_took come two cycles later, with the frame's head and
//               numbers.  A taken frame is rejected if it is bad or the link is not s_up.  m_abort
//               is then 1, and all frames taken later are dropped, too.  No row is taken in that
//               cycle, and numbers begin again at s_expect.
//   Next        Frames that were taken and are good have consecutive numbers.  Each has the number
//               s_expect (tests/formal/link_receiver.v).
//   Idle        No frame is inside.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_link_receiver.h, equal at the pins of ace_link (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_link_receiver #(
    parameter NUMBER_W = 16,    // bits of a number, at most 16; less in proofs alone
    parameter ROW_W    = 2048   // bits of a row
) (
    input  wire             clk,
    input  wire             rst,

    // Link, from the neighbour
    input  wire             rx_frame,
    input  wire [47:0]      rx_head,
    input  wire [63:0]      rx_route,
    input  wire [NUMBER_W-1:0] rx_number,
    input  wire [NUMBER_W-1:0] rx_ack,
    input  wire [31:0]      rx_crc,
    input  wire [ROW_W-1:0] rx_data,

    // To the ports
    input  wire [1:0]       s_room,         // a place is free: of the routed port, of the plain one
    output wire             m_row_took,
    output wire [18:0]      m_row_head,     // {mark, context, routed, reduce, packet}
    output wire [63:0]      m_row_route,
    output wire [ROW_W-1:0] m_row_data,
    output wire             m_abort,        // none of the rows taken and not accepted goes on

    // To the guard
    input  wire             s_up,           // frames go on; until then none that was taken does
    input  wire [NUMBER_W-1:0] s_expect,    // the number of the frame to be accepted next
    output wire             m_frame,
    output wire             m_good,
    output wire             m_took,
    output wire [47:0]      m_head,
    output wire [NUMBER_W-1:0] m_number,
    output wire [NUMBER_W-1:0] m_ack,

    output wire             idle
);

    localparam [NUMBER_W-1:0] ZERO = {NUMBER_W{1'b0}}, ONE = ZERO + 1'b1;
    localparam [47:0] NUMBERED = 48'h2d;    // a packet, a credit, a grant, a routed credit

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (NUMBER_W < 2 || NUMBER_W > 16) begin : g_illegal_number_w NUMBER_W_must_be_2_to_16 stop (); end
        if (ROW_W < 32 || ROW_W % 32 != 0) begin : g_illegal_row_w
            ROW_W_must_be_whole_words_of_32_bits stop ();
        end
    endgenerate

    // ---- the frame, as it came ----

    reg             row_frame_q;
    reg [47:0]      row_head_q;
    reg [63:0]      row_route_q;
    reg [NUMBER_W-1:0] row_number_q, row_ack_q;
    reg [31:0]      row_crc_q;
    reg [ROW_W-1:0] row_data_q;
    reg [NUMBER_W-1:0] next_q;      // the number of the frame to be taken next

    wire            place = !row_head_q[0] || s_room[row_head_q[4]];
    wire            took  = row_frame_q && |(row_head_q & NUMBERED) && row_number_q == next_q && place && !m_abort;

    assign m_row_took  = took;
    assign m_row_head  = {row_head_q[23:8], row_head_q[4], row_head_q[1:0]};
    assign m_row_route = row_route_q;
    assign m_row_data  = row_data_q;

    always @(posedge clk) begin
        row_frame_q <= rx_frame && !rst;
        if (rst)
            next_q <= ZERO;
        else if (m_abort)
            next_q <= s_expect;
        else if (took)
            next_q <= next_q + ONE;
        if (rx_frame) begin
            row_head_q   <= rx_head;
            row_route_q  <= rx_route;
            row_number_q <= rx_number;
            row_ack_q    <= rx_ack;
            row_crc_q    <= rx_crc;
            row_data_q   <= rx_data;
        end
    end

    // ---- half of its CRC; then, is it right? ----

    wire [31:0]     crc, sum;
    reg             sum_frame_q, frame_q, sum_took_q, took_q, good_q;
    reg [47:0]      sum_head_q, head_q;
    reg [NUMBER_W-1:0] sum_number_q, number_q, sum_ack_q, ack_q;
    reg [31:0]      sum_crc_q;      // of all but the row, and the one that came

    ace_link_crc u_crc (.frame(row_frame_q), .head(row_head_q), .route(row_route_q),
        .number({{(16-NUMBER_W){1'b0}}, row_number_q}), .ack({{(16-NUMBER_W){1'b0}}, row_ack_q}),
        .sum(row_crc_q), .crc(crc));
    ace_row_sum #(.ROW_W(ROW_W)) u_sum (.clk(clk), .s_valid(row_frame_q), .s_data(row_data_q), .m_sum(sum));

    assign m_frame  = frame_q;
    assign m_good   = good_q;
    assign m_took   = took_q;
    assign m_head   = head_q;
    assign m_number = number_q;
    assign m_ack    = ack_q;
    assign m_abort  = took_q && !(good_q && s_up);
    assign idle     = !row_frame_q && !sum_frame_q && !frame_q;

    always @(posedge clk) begin
        sum_frame_q <= row_frame_q && !rst;
        sum_took_q  <= took && !rst;
        frame_q     <= sum_frame_q && !rst;
        took_q      <= sum_took_q && !m_abort && !rst;
        if (row_frame_q) begin
            sum_head_q   <= row_head_q;
            sum_number_q <= row_number_q;
            sum_ack_q    <= row_ack_q;
            sum_crc_q    <= crc;
        end
        if (sum_frame_q) begin
            head_q   <= sum_head_q;
            number_q <= sum_number_q;
            ack_q    <= sum_ack_q;
            good_q   <= sum == sum_crc_q;
        end
    end

endmodule

`default_nettype wire

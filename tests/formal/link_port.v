// SPDX-License-Identifier: Apache-2.0
//
// link_port -- two ace_link_port back to back: the NIC loses, duplicates and reorders nothing
//
//   sender ---> s [ a ] tx --- LATENCY cycles ---> rx [ b ] head ---> receiver
//                       <---- credits, likewise -----
//
// The sender reserves and writes slots at any time, and the receiver pops at any time.  A row is on
// tx a cycle behind its header, and so enters the link a cycle later.  An arriving row is written
// at once and committed a cycle later.  Bad rows may be written in between, and are dropped.
//
// Properties
//   room      Reserved slots never exceed OUTPUT_ROWS; s_room and s_room_two report the free ones.
//   credits   Packets sent and credits not yet back never exceed the slots of the peer.  So no
//             packet arrives at a full buffer, and credits are never negative.
//   order     Any one packet, chosen freely, comes out once, unchanged, after exactly the packets
//             written earlier.
//   none new  A head is shown only for a packet that was written and committed.
//   bound     A packet with none ahead, at a receiver that pops, is soon at the head.  It takes its
//             cost, five cycles and the link's latency at most.  So no credit was lost.
//   rate      cover: packets arrive in six cycles in a row

`default_nettype none

module link_port #(
    parameter INPUT_ROWS = 3,
    parameter OUTPUT_ROWS = 2,
    parameter ROW_W = 4,
    parameter LATENCY = 1,
    parameter BIT = 0           // of {route, context, reduce, mark, data}; the others are 0
) (
    input wire             clk,
    input wire             rst,
    input wire             s_reserve,
    input wire             s_valid,
    input wire             s_bit,
    input wire             pop,
    input wire             junk,        // a frame that is not good is written
    input wire             choose
);
    localparam HEADER_W = 18;
    wire [HEADER_W+ROW_W-1:0] s_packet = s_bit << BIT;

    (* anyconst *) reg [1:0] half_cycles;
    wire [23:0] cost = 24'd256 + {15'd0, half_cycles, 7'd0};

    wire                room, room_two, tx_valid, tx_credit, head_valid;
    wire [HEADER_W-1:0] tx_header, head_header;
    wire [ROW_W-1:0]    tx_data, data;

    // the link: packets and credits in flight
    reg                 sent;
    reg [HEADER_W-1:0]  sent_header;
    reg [LATENCY-1:0]   valids, credits;
    reg [HEADER_W+ROW_W-1:0] packets [0:LATENCY-1];
    integer i;
    always @(posedge clk) begin
        sent        <= tx_valid && !rst;
        sent_header <= tx_header;
        valids  <= rst ? 0 : {valids, sent};
        credits <= rst ? 0 : {credits, tx_credit};
        packets[0] <= {sent_header, tx_data};
        for (i = 1; i < LATENCY; i = i + 1) packets[i] <= packets[i-1];
    end
    wire                rx_valid  = valids[LATENCY-1];
    wire                rx_next   = LATENCY > 1 ? valids[LATENCY > 1 ? LATENCY-2 : 0] : sent;   // in the next cycle
    wire                rx_credit = credits[LATENCY-1];
    // the receiver: what was written in the last cycle
    reg                 wrote_good, wrote_junk;
    wire                rx_room;
    wire                junks = junk && !rx_valid && !rx_next && rx_room && !wrote_junk;
    always @(posedge clk) begin
        wrote_good <= rx_valid && !rst;
        wrote_junk <= junks && !rst;
    end
    wire [HEADER_W-1:0] rx_header = packets[LATENCY-1][ROW_W +: HEADER_W];

    ace_link_port #(.INPUT_ROWS(INPUT_ROWS), .OUTPUT_ROWS(OUTPUT_ROWS), .ROUTE_W(1), .ROW_W(ROW_W), .CODED(0)) a (
        .clk(clk), .rst(rst), .cfg_cost(cost),
        .rx_valid(1'b0), .rx_commit(1'b0), .rx_abort(1'b0), .rx_credit(rx_credit), .m_pop(1'b0),
        .tx_valid(tx_valid), .tx_route(tx_header[17]), .tx_context(tx_header[16:9]), .tx_reduce(tx_header[8]),
        .tx_mark(tx_header[7:0]), .tx_data(tx_data),
        .s_room(room), .s_room_two(room_two), .s_reserve(s_reserve), .s_valid(s_valid),
        .s_route(s_packet[ROW_W+17]), .s_context(s_packet[ROW_W+9 +: 8]), .s_reduce(s_packet[ROW_W+8]),
        .s_mark(s_packet[ROW_W +: 8]), .s_data(s_packet[ROW_W-1:0]), .s_sum(32'd0), .s_hold(1'b0), .s_waits(1'b0));
    ace_link_port #(.INPUT_ROWS(INPUT_ROWS), .OUTPUT_ROWS(OUTPUT_ROWS), .ROUTE_W(1), .ROW_W(ROW_W), .CODED(0)) b (
        .clk(clk), .rst(rst), .cfg_cost(cost),
        .rx_room(rx_room), .rx_commit(wrote_good), .rx_abort(wrote_junk),
        .rx_valid(rx_valid || junks), .rx_route(rx_header[17]), .rx_context(rx_header[16:9]), .rx_reduce(rx_header[8]),
        .rx_mark(rx_header[7:0]), .rx_data(packets[LATENCY-1][ROW_W-1:0]), .rx_credit(1'b0),
        .tx_credit(tx_credit), .m_head_valid(head_valid), .m_head_route(head_header[17]),
        .m_head_context(head_header[16:9]), .m_head_reduce(head_header[8]), .m_head_mark(head_header[7:0]),
        .m_pop(pop), .m_data(data), .s_reserve(1'b0), .s_valid(1'b0), .s_sum(32'd0), .s_hold(1'b0), .s_waits(1'b0));

    `include "live.vh"

    reg [4:0] taken;        // reserved slots of the output buffer
    reg [4:0] unwritten;    // reserved slots not yet written
    reg [4:0] flying;       // packets written, not yet popped
    reg [4:0] owed;         // packets sent whose credit is not back
    reg [4:0] buffered;     // packets in the input buffer
    always @* begin
        assume (!s_reserve || room);
        assume (!s_valid || unwritten != 5'd0 || s_reserve);
        assume (!pop || head_valid);
    end

    reg                      tracked, popped;
    reg [4:0]                ahead;
    reg                      mark;      // its bit
    wire [HEADER_W+ROW_W-1:0] packet = mark << BIT;
    reg [4:0]                age;       // cycles for which the tracked packet was first and not at the head
    always @(posedge clk) begin
        popped <= 1'b0;
        if (rst) begin
            {taken, unwritten, flying, owed, buffered} <= 25'd0;
            tracked <= 1'b0;
            age     <= 5'd0;
        end else begin
            unwritten <= unwritten + s_reserve - s_valid;
            flying    <= flying + s_valid - pop;
            buffered  <= buffered + wrote_good - pop;
            if (!tracked && s_valid && choose) begin
                tracked <= 1'b1;
                ahead   <= flying - pop;
                mark    <= s_bit;
            end else if (tracked && pop) begin
                ahead <= ahead - 5'd1;
                if (ahead == 5'd0) begin
                    tracked <= 1'b0;
                    popped  <= 1'b1;
                end
            end
            taken <= taken + s_reserve - tx_valid;
            owed  <= owed + tx_valid - rx_credit;
            age   <= tracked && ahead == 5'd0 && !head_valid ? age + (age != 5'd31) : 5'd0;
        end
    end

    always @* if (live) begin
        // a packet on tx still has its slot
        assert (taken <= OUTPUT_ROWS);
        assert (room == (taken < OUTPUT_ROWS));
        assert (room_two == (taken + 1 < OUTPUT_ROWS));
        assert (owed <= INPUT_ROWS - tx_valid);
        assert (!rx_valid || (rx_room && buffered + wrote_good < INPUT_ROWS));
        assert (head_valid == (buffered != 5'd0));
        assert (buffered <= flying);
        assert (!tracked || ahead < flying);
        assert (!(tracked && ahead == 5'd0 && head_valid) || head_header == packet[ROW_W +: HEADER_W]);
        assert (!popped || data == packet[ROW_W-1:0]);
        assert (age <= 8 + 2 * LATENCY);
    end

    reg [3:0] run;
    always @(posedge clk) run <= rst || !rx_valid ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire

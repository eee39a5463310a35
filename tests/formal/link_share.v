// SPDX-License-Identifier: Apache-2.0
//
// link_share -- two ace_link_port on one link, as in ace_link: ace_link_turn says which one is held
//
//   sender 0 ---> s [ plain  ] tx ---+
//                       ^ s_hold     +---> the link
//                  { turn }          |
//                       v s_hold     |
//   sender 1 ---> s [ routed ] tx ---+
//
// Senders reserve and write at any time, and the neighbour returns a slot at any time.
//
// Properties, of either port
//   one       At most one packet is on the link in a cycle.
//   order     Any one packet, chosen freely, is on the link once, unchanged, after exactly the
//             packets written earlier.  No other packet is on the link.
//   credits   No packet is sent that the neighbour has no slot for.  m_waits is high while a packet
//             waits for that.
//   routed    The first routed packet leaves within its cost, counted in cycles in which no plain
//             packet has its turn.  Between two turns are at least SHARE routed packets.
//   plain     The first plain packet leaves within its cost, counted in cycles in which the routed
//             port leaves the link free.  The sum is kept while the port is held.  So only packets
//             that go first by contract delay it, and each for its own cost.
//   turn      While a plain packet can be sent, at most SHARE routed packets leave before it.  With
//             a SHARE of 0 no plain packet has a turn.
//   rate      cover: the link is never empty in eight cycles, and both ports send in them

`default_nettype none

module link_share #(
    parameter INPUT_ROWS = 2,
    parameter OUTPUT_ROWS = 2,
    parameter ROW_W = 1
) (
    input wire             clk,
    input wire             rst,
    input wire [1:0]       s_reserve,
    input wire [1:0]       s_valid,
    input wire [1:0]       s_bit,
    input wire [1:0]       rx_credit,
    input wire             choose
);
    (* anyconst *) reg [1:0] half_cycles;
    (* anyconst *) reg       routed;    // the port that is looked at
    (* anyconst *) reg [1:0] share;
    wire [23:0] cost = 24'd256 + {15'd0, half_cycles, 7'd0};

    wire [1:0]  room, tx_valid, tx_data, wants, waits;
    wire        turn;
    wire [1:0]  hold = {turn, wants[1] && !turn};
    ace_link_turn dut (
        .clk(clk), .rst(rst), .cfg_share({6'd0, share}), .s_wants(wants[0]), .s_sent(tx_valid[0]),
        .s_routed_sent(tx_valid[1]), .m_turn(turn));
    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_port
            ace_link_port #(.INPUT_ROWS(INPUT_ROWS), .OUTPUT_ROWS(OUTPUT_ROWS), .ROUTE_W(1), .ROW_W(ROW_W), .CODED(0)) u_port (
                .clk(clk), .rst(rst), .cfg_cost(cost),
                .rx_valid(1'b0), .rx_commit(1'b0), .rx_abort(1'b0), .rx_credit(rx_credit[g]), .m_pop(1'b0),
                .tx_valid(tx_valid[g]), .tx_data(tx_data[g]),
                .s_room(room[g]), .s_reserve(s_reserve[g]), .s_valid(s_valid[g]), .s_route(1'b0),
                .s_context(8'd0), .s_reduce(1'b0), .s_mark(8'd0), .s_data(s_bit[g]), .s_sum(32'd0),
                .s_hold(hold[g]), .s_waits(g == 0 ? waits[1] : 1'b0),
                .m_wants(wants[g]), .m_waits(waits[g]));
        end
    endgenerate

    `include "live.vh"

    // of the checked port
    reg [4:0] unwritten [0:1];  // places reserved, not yet written
    reg [4:0] owed [0:1];       // packets sent, places not given back
    reg [4:0] waiting;          // packets written, not yet on the link
    reg       tracked, mark;
    reg       left, left_mark;  // it was on the link a cycle ago: its row is now
    reg [4:0] ahead;
    reg [4:0] age;              // cycles that the first packet could have used
    wire      first = tracked && ahead == 5'd0 && !tx_valid[routed];
    integer   p;
    always @* for (p = 0; p < 2; p = p + 1) begin
        assume (!s_reserve[p] || room[p]);
        assume (!s_valid[p] || unwritten[p] != 5'd0 || s_reserve[p]);
        assume (!rx_credit[p] || owed[p] != 5'd0);
    end

    // routed packets on the link while a plain one could be sent, this one included; and since the last plain one
    reg  [2:0] passed, between;
    wire [2:0] passed_now  = passed + tx_valid[1];
    wire [2:0] between_now = between + (tx_valid[1] && between != 3'd7);
    always @(posedge clk) begin
        passed   <= rst || !wants[0] || tx_valid[0] ? 3'd0 : passed_now;
        between  <= rst ? 3'd7 : tx_valid[0] ? 3'd0 : between_now;
    end

    always @(posedge clk) begin
        for (p = 0; p < 2; p = p + 1) begin
            unwritten[p] <= rst ? 5'd0 : unwritten[p] + s_reserve[p] - s_valid[p];
            owed[p]      <= rst ? 5'd0 : owed[p] + tx_valid[p] - rx_credit[p];
        end
        left      <= !rst && tracked && ahead == 5'd0 && tx_valid[routed];
        left_mark <= mark;
        if (rst) begin
            waiting <= 5'd0;
            tracked <= 1'b0;
            age     <= 5'd0;
        end else begin
            waiting <= waiting + s_valid[routed] - tx_valid[routed];
            if (!tracked && s_valid[routed] && choose) begin
                tracked <= 1'b1;
                ahead   <= waiting - tx_valid[routed];
                mark    <= s_bit[routed];
            end else if (tracked && tx_valid[routed]) begin
                ahead <= ahead - 5'd1;
                if (ahead == 5'd0) tracked <= 1'b0;
            end
            if (!first || !wants[routed])
                age <= 5'd0;
            else if (!hold[routed])
                age <= age + (age != 5'd31);
        end
    end

    always @* if (live) begin
        assert (tx_valid != 2'b11);
        assert (!tx_valid[routed] || waiting != 5'd0);
        assert (owed[routed] <= INPUT_ROWS - tx_valid[routed]);
        assert (!left || tx_data[routed] == left_mark);
        assert (!tracked || ahead < waiting);
        // m_waits: a packet without a credit waits for the neighbour only
        assert (!first || wants[routed] || owed[routed] == INPUT_ROWS || rst);
        // and m_waits is high at no other time
        assert (!waits[routed] || rst ||
                (owed[routed] + tx_valid[routed] == INPUT_ROWS && waiting != tx_valid[routed]));
        assert (!first || wants[routed] || waits[routed] || rst);
        // turns
        assert (share == 2'd0 || !wants[0] || tx_valid[0] || passed_now <= {1'b0, share});
        assert (!turn || (share != 2'd0 && wants[0] && between_now >= {1'b0, share}));
        // ceil(2.5) cycles for the cost
        assert (age <= 5'd3);
    end

    reg [3:0] run;
    reg [1:0] both;
    always @(posedge clk) begin
        run  <= rst || tx_valid == 2'b00 ? 4'd0 : run + (run != 4'd15);
        both <= rst || tx_valid == 2'b00 ? 2'b00 : both | tx_valid;
    end
    always @* if (live) cover (run == 4'd8 && both == 2'b11);
endmodule

`default_nettype wire

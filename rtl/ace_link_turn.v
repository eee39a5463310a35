// SPDX-License-Identifier: Apache-2.0
//
// ace_link_turn -- decides when a plain packet of a link goes before the routed ones
//
// Routed packets go first on a link.  Without a limit an all-to-all keeps every plain packet back
// until the all-to-all ends.
//
// Contract
//   Share       left_q counts down from cfg_share with each routed packet on the link, to 0.  A
//               plain packet on the link sets it to cfg_share.
//   Turn        m_turn is high while a plain packet can be sent (s_wants) and none is left.  A
//               routed packet on the link in this cycle is already counted.  m_turn is low in the
//               cycle in which a plain packet is on the link.
//   Off         With a cfg_share of 0 m_turn is always low.  cfg_share changes only with a reset.
//   Reset       rst is synchronous, active high.  After it the first plain packet has its turn.
//   Twin        cmodel/nic/ace_link_turn.c, inside ace_link equal at every port, every cycle
//               (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_link_turn (
    input  wire       clk,
    input  wire       rst,

    input  wire [7:0] cfg_share,        // routed packets before a plain one that waits; 0: all
    input  wire       s_wants,          // a plain packet can be sent
    input  wire       s_sent,           // a plain packet is on the link
    input  wire       s_routed_sent,    // a routed one is; never both
    output wire       m_turn            // the plain packet goes first
);

    reg [7:0] left_q;

    assign m_turn = cfg_share != 8'd0 && s_wants && !s_sent &&
                    (left_q == 8'd0 || (left_q == 8'd1 && s_routed_sent));

    always @(posedge clk) begin
        if (rst)                                  left_q <= 8'd0;
        else if (s_sent)                          left_q <= cfg_share;
        else if (s_routed_sent && left_q != 8'd0) left_q <= left_q - 8'd1;
    end

endmodule

`default_nettype wire

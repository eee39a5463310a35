// SPDX-License-Identifier: Apache-2.0
//
// ace_engine_bind.sv -- the checkers of an ace_engine's pins, bound to each one, and an assertion of them
//
// For simulators that know `bind` and `assert property`; with Verilator, --assert.  In others, see
// tests/icarus/engine_checks.v.

`default_nettype none

module ace_engine_asserts (
    input wire       clk,
    input wire       rst,
    input wire [7:0] rule
);
    pins: assert property (@(posedge clk) disable iff (rst) rule == 8'd0)
        else $error("%m: rule %0d of checker %0d, see tests/axi/ace_engine_checks.v", rule[3:0], rule[7:4]);
endmodule

// what is broken is looked at from inside
/* verilator lint_off PINCONNECTEMPTY */
bind ace_engine ace_engine_checks #(
    .LINKS(LINKS), .ROW_W(ROW_W), .LINK_INPUT_ROWS(LINK_INPUT_ROWS), .ROUTER_INPUT_ROWS(ROUTER_INPUT_ROWS)
) u_checks (
    .clk(clk), .rst(rst), .core_rst(core_rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr), .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .rx_frame(rx_frame),
    .rx_number(rx_number), .rx_valid(rx_valid), .rx_routed(rx_routed), .rx_credit(rx_credit),
    .rx_routed_credit(rx_routed_credit), .rx_grant_valid(rx_grant_valid), .tx_frame(tx_frame),
    .tx_resend(tx_resend), .tx_number(tx_number), .tx_ack(tx_ack), .tx_valid(tx_valid), .tx_context(tx_context),
    .tx_reduce(tx_reduce), .tx_mark(tx_mark), .tx_routed(tx_routed), .tx_route(tx_route), .tx_credit(tx_credit),
    .tx_routed_credit(tx_routed_credit), .tx_grant_valid(tx_grant_valid), .tx_grant_context(tx_grant_context),
    .tx_grant_mark(tx_grant_mark), .tx_grant_peer(tx_grant_peer), .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready),
    .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len), .m_ar_size(m_ar_size), .m_ar_burst(m_ar_burst),
    .m_ar_prot(m_ar_prot), .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data(s_r_data), .s_r_last(s_r_last),
    .s_r_resp(s_r_resp), .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr),
    .m_aw_len(m_aw_len), .m_aw_size(m_aw_size), .m_aw_burst(m_aw_burst), .m_aw_prot(m_aw_prot),
    .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(m_w_data), .m_w_strb(m_w_strb), .m_w_last(m_w_last),
    .s_b_valid(s_b_valid), .s_b_ready(s_b_ready), .s_b_resp(s_b_resp),
    .rule());
/* verilator lint_on PINCONNECTEMPTY */

bind ace_engine_checks ace_engine_asserts u_asserts (.clk(clk), .rst(rst), .rule(rule));

`default_nettype wire

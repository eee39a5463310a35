// SPDX-License-Identifier: Apache-2.0
//
// engine_checks -- beside engine_bench, as a second top: the checkers of tests/axi at the pins of both engines
//
//   iverilog -g2005 -f ace.f -s engine_bench -s engine_checks engine_bench.v engine_checks.v ../axi/ace_*.v
//
// The first broken rule of an engine is a line, "engine N breaks rule R of checker C", see ace_engine_checks.v.

`default_nettype none
// the pins of one engine
`define CHECKS(ENGINE, NAME, RULE) \
    ace_engine_checks #(.LINK_INPUT_ROWS(16), .ROUTER_INPUT_ROWS(16)) NAME ( \
        .clk(ENGINE.clk), .rst(ENGINE.rst), .core_rst(ENGINE.core_rst), .s_axil_awvalid(ENGINE.s_axil_awvalid), \
        .s_axil_awready(ENGINE.s_axil_awready), .s_axil_awaddr(ENGINE.s_axil_awaddr), \
        .s_axil_wvalid(ENGINE.s_axil_wvalid), .s_axil_wready(ENGINE.s_axil_wready), \
        .s_axil_wdata(ENGINE.s_axil_wdata), .s_axil_wstrb(ENGINE.s_axil_wstrb), .s_axil_bvalid(ENGINE.s_axil_bvalid), \
        .s_axil_bready(ENGINE.s_axil_bready), .s_axil_bresp(ENGINE.s_axil_bresp), \
        .s_axil_arvalid(ENGINE.s_axil_arvalid), .s_axil_arready(ENGINE.s_axil_arready), \
        .s_axil_araddr(ENGINE.s_axil_araddr), .s_axil_rvalid(ENGINE.s_axil_rvalid), \
        .s_axil_rready(ENGINE.s_axil_rready), .s_axil_rdata(ENGINE.s_axil_rdata), .s_axil_rresp(ENGINE.s_axil_rresp), \
        .irq(ENGINE.irq), .rx_frame(ENGINE.rx_frame), .rx_number(ENGINE.rx_number), .rx_valid(ENGINE.rx_valid), \
        .rx_routed(ENGINE.rx_routed), .rx_credit(ENGINE.rx_credit), .rx_routed_credit(ENGINE.rx_routed_credit), \
        .rx_grant_valid(ENGINE.rx_grant_valid), .tx_frame(ENGINE.tx_frame), .tx_resend(ENGINE.tx_resend), \
        .tx_number(ENGINE.tx_number), .tx_ack(ENGINE.tx_ack), .tx_crc(ENGINE.tx_crc), .tx_valid(ENGINE.tx_valid), \
        .tx_context(ENGINE.tx_context), .tx_reduce(ENGINE.tx_reduce), .tx_mark(ENGINE.tx_mark), \
        .tx_data(ENGINE.tx_data), .tx_routed(ENGINE.tx_routed), .tx_route(ENGINE.tx_route), \
        .tx_credit(ENGINE.tx_credit), .tx_routed_credit(ENGINE.tx_routed_credit), \
        .tx_grant_valid(ENGINE.tx_grant_valid), .tx_grant_context(ENGINE.tx_grant_context), \
        .tx_grant_mark(ENGINE.tx_grant_mark), .tx_grant_peer(ENGINE.tx_grant_peer), .m_ar_valid(ENGINE.m_ar_valid), \
        .m_ar_ready(ENGINE.m_ar_ready), .m_ar_addr(ENGINE.m_ar_addr), .m_ar_len(ENGINE.m_ar_len), \
        .m_ar_size(ENGINE.m_ar_size), .m_ar_burst(ENGINE.m_ar_burst), .m_ar_prot(ENGINE.m_ar_prot), \
        .s_r_valid(ENGINE.s_r_valid), .s_r_ready(ENGINE.s_r_ready), .s_r_data(ENGINE.s_r_data), \
        .s_r_last(ENGINE.s_r_last), .s_r_resp(ENGINE.s_r_resp), .m_aw_valid(ENGINE.m_aw_valid), \
        .m_aw_ready(ENGINE.m_aw_ready), .m_aw_addr(ENGINE.m_aw_addr), .m_aw_len(ENGINE.m_aw_len), \
        .m_aw_size(ENGINE.m_aw_size), .m_aw_burst(ENGINE.m_aw_burst), .m_aw_prot(ENGINE.m_aw_prot), \
        .m_w_valid(ENGINE.m_w_valid), .m_w_ready(ENGINE.m_w_ready), .m_w_data(ENGINE.m_w_data), \
        .m_w_strb(ENGINE.m_w_strb), .m_w_last(ENGINE.m_w_last), .s_b_valid(ENGINE.s_b_valid), \
        .s_b_ready(ENGINE.s_b_ready), .s_b_resp(ENGINE.s_b_resp), \
        .m_flag_aw_valid(ENGINE.m_flag_aw_valid), .m_flag_aw_ready(ENGINE.m_flag_aw_ready), \
        .m_flag_aw_addr(ENGINE.m_flag_aw_addr), .m_flag_aw_len(ENGINE.m_flag_aw_len), \
        .m_flag_aw_size(ENGINE.m_flag_aw_size), .m_flag_aw_burst(ENGINE.m_flag_aw_burst), \
        .m_flag_aw_prot(ENGINE.m_flag_aw_prot), .m_flag_w_valid(ENGINE.m_flag_w_valid), \
        .m_flag_w_ready(ENGINE.m_flag_w_ready), .m_flag_w_data(ENGINE.m_flag_w_data), \
        .m_flag_w_strb(ENGINE.m_flag_w_strb), .m_flag_w_last(ENGINE.m_flag_w_last), \
        .s_flag_b_valid(ENGINE.s_flag_b_valid), .s_flag_b_ready(ENGINE.s_flag_b_ready), \
        .s_flag_b_resp(ENGINE.s_flag_b_resp), \
        .rule(RULE));

module engine_checks;
    wire [7:0] rule0, rule1;
    `CHECKS(engine_bench.g_node[0].u_engine, checks0, rule0)
    `CHECKS(engine_bench.g_node[1].u_engine, checks1, rule1)

    always @(rule0) if (rule0 != 8'd0) $display("engine 0 breaks rule %0d of checker %0d", rule0[3:0], rule0[7:4]);
    always @(rule1) if (rule1 != 8'd0) $display("engine 1 breaks rule %0d of checker %0d", rule1[3:0], rule1[7:4]);
endmodule

`default_nettype wire

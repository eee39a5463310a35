// SPDX-License-Identifier: Apache-2.0
//
// engine_checks -- beside engine_bench, as a second top: the checkers of tests/axi at the pins of both engines
//
//   iverilog -g2005 -f ace.f -s engine_bench -s engine_checks engine_bench.v engine_checks.v ../axi/ace_*.v
//
// The first broken rule of an engine is a line, "engine N breaks rule R of checker C", see ace_engine_checks.v.

`default_nettype none
`define ENGINE0 engine_bench.g_node[0].u_engine
`define ENGINE1 engine_bench.g_node[1].u_engine

module engine_checks;
    wire [7:0] rule0;
    ace_engine_checks #(.LINK_INPUT_ROWS(16), .ROUTER_INPUT_ROWS(16)) checks0 (
        .clk(`ENGINE0.clk), .rst(`ENGINE0.rst), .core_rst(`ENGINE0.core_rst),
        .s_axil_awvalid(`ENGINE0.s_axil_awvalid), .s_axil_awready(`ENGINE0.s_axil_awready),
        .s_axil_awaddr(`ENGINE0.s_axil_awaddr), .s_axil_wvalid(`ENGINE0.s_axil_wvalid),
        .s_axil_wready(`ENGINE0.s_axil_wready), .s_axil_wdata(`ENGINE0.s_axil_wdata),
        .s_axil_wstrb(`ENGINE0.s_axil_wstrb), .s_axil_bvalid(`ENGINE0.s_axil_bvalid),
        .s_axil_bready(`ENGINE0.s_axil_bready), .s_axil_bresp(`ENGINE0.s_axil_bresp),
        .s_axil_arvalid(`ENGINE0.s_axil_arvalid), .s_axil_arready(`ENGINE0.s_axil_arready),
        .s_axil_araddr(`ENGINE0.s_axil_araddr), .s_axil_rvalid(`ENGINE0.s_axil_rvalid),
        .s_axil_rready(`ENGINE0.s_axil_rready), .s_axil_rdata(`ENGINE0.s_axil_rdata),
        .s_axil_rresp(`ENGINE0.s_axil_rresp), .rx_frame(`ENGINE0.rx_frame), .rx_number(`ENGINE0.rx_number),
        .rx_valid(`ENGINE0.rx_valid), .rx_routed(`ENGINE0.rx_routed), .rx_credit(`ENGINE0.rx_credit),
        .rx_routed_credit(`ENGINE0.rx_routed_credit), .rx_grant_valid(`ENGINE0.rx_grant_valid),
        .tx_frame(`ENGINE0.tx_frame), .tx_resend(`ENGINE0.tx_resend), .tx_number(`ENGINE0.tx_number),
        .tx_ack(`ENGINE0.tx_ack), .tx_valid(`ENGINE0.tx_valid), .tx_context(`ENGINE0.tx_context),
        .tx_reduce(`ENGINE0.tx_reduce), .tx_mark(`ENGINE0.tx_mark), .tx_routed(`ENGINE0.tx_routed),
        .tx_route(`ENGINE0.tx_route), .tx_credit(`ENGINE0.tx_credit), .tx_routed_credit(`ENGINE0.tx_routed_credit),
        .tx_grant_valid(`ENGINE0.tx_grant_valid), .tx_grant_context(`ENGINE0.tx_grant_context),
        .tx_grant_mark(`ENGINE0.tx_grant_mark), .tx_grant_peer(`ENGINE0.tx_grant_peer),
        .m_ar_valid(`ENGINE0.m_ar_valid), .m_ar_ready(`ENGINE0.m_ar_ready), .m_ar_addr(`ENGINE0.m_ar_addr),
        .m_ar_len(`ENGINE0.m_ar_len), .m_ar_size(`ENGINE0.m_ar_size), .m_ar_burst(`ENGINE0.m_ar_burst),
        .m_ar_prot(`ENGINE0.m_ar_prot), .s_r_valid(`ENGINE0.s_r_valid), .s_r_ready(`ENGINE0.s_r_ready),
        .s_r_data(`ENGINE0.s_r_data), .s_r_last(`ENGINE0.s_r_last), .s_r_resp(`ENGINE0.s_r_resp),
        .m_aw_valid(`ENGINE0.m_aw_valid), .m_aw_ready(`ENGINE0.m_aw_ready), .m_aw_addr(`ENGINE0.m_aw_addr),
        .m_aw_len(`ENGINE0.m_aw_len), .m_aw_size(`ENGINE0.m_aw_size), .m_aw_burst(`ENGINE0.m_aw_burst),
        .m_aw_prot(`ENGINE0.m_aw_prot), .m_w_valid(`ENGINE0.m_w_valid), .m_w_ready(`ENGINE0.m_w_ready),
        .m_w_data(`ENGINE0.m_w_data), .m_w_strb(`ENGINE0.m_w_strb), .m_w_last(`ENGINE0.m_w_last),
        .s_b_valid(`ENGINE0.s_b_valid), .s_b_ready(`ENGINE0.s_b_ready), .s_b_resp(`ENGINE0.s_b_resp), .rule(rule0));

    wire [7:0] rule1;
    ace_engine_checks #(.LINK_INPUT_ROWS(16), .ROUTER_INPUT_ROWS(16)) checks1 (
        .clk(`ENGINE1.clk), .rst(`ENGINE1.rst), .core_rst(`ENGINE1.core_rst),
        .s_axil_awvalid(`ENGINE1.s_axil_awvalid), .s_axil_awready(`ENGINE1.s_axil_awready),
        .s_axil_awaddr(`ENGINE1.s_axil_awaddr), .s_axil_wvalid(`ENGINE1.s_axil_wvalid),
        .s_axil_wready(`ENGINE1.s_axil_wready), .s_axil_wdata(`ENGINE1.s_axil_wdata),
        .s_axil_wstrb(`ENGINE1.s_axil_wstrb), .s_axil_bvalid(`ENGINE1.s_axil_bvalid),
        .s_axil_bready(`ENGINE1.s_axil_bready), .s_axil_bresp(`ENGINE1.s_axil_bresp),
        .s_axil_arvalid(`ENGINE1.s_axil_arvalid), .s_axil_arready(`ENGINE1.s_axil_arready),
        .s_axil_araddr(`ENGINE1.s_axil_araddr), .s_axil_rvalid(`ENGINE1.s_axil_rvalid),
        .s_axil_rready(`ENGINE1.s_axil_rready), .s_axil_rdata(`ENGINE1.s_axil_rdata),
        .s_axil_rresp(`ENGINE1.s_axil_rresp), .rx_frame(`ENGINE1.rx_frame), .rx_number(`ENGINE1.rx_number),
        .rx_valid(`ENGINE1.rx_valid), .rx_routed(`ENGINE1.rx_routed), .rx_credit(`ENGINE1.rx_credit),
        .rx_routed_credit(`ENGINE1.rx_routed_credit), .rx_grant_valid(`ENGINE1.rx_grant_valid),
        .tx_frame(`ENGINE1.tx_frame), .tx_resend(`ENGINE1.tx_resend), .tx_number(`ENGINE1.tx_number),
        .tx_ack(`ENGINE1.tx_ack), .tx_valid(`ENGINE1.tx_valid), .tx_context(`ENGINE1.tx_context),
        .tx_reduce(`ENGINE1.tx_reduce), .tx_mark(`ENGINE1.tx_mark), .tx_routed(`ENGINE1.tx_routed),
        .tx_route(`ENGINE1.tx_route), .tx_credit(`ENGINE1.tx_credit), .tx_routed_credit(`ENGINE1.tx_routed_credit),
        .tx_grant_valid(`ENGINE1.tx_grant_valid), .tx_grant_context(`ENGINE1.tx_grant_context),
        .tx_grant_mark(`ENGINE1.tx_grant_mark), .tx_grant_peer(`ENGINE1.tx_grant_peer),
        .m_ar_valid(`ENGINE1.m_ar_valid), .m_ar_ready(`ENGINE1.m_ar_ready), .m_ar_addr(`ENGINE1.m_ar_addr),
        .m_ar_len(`ENGINE1.m_ar_len), .m_ar_size(`ENGINE1.m_ar_size), .m_ar_burst(`ENGINE1.m_ar_burst),
        .m_ar_prot(`ENGINE1.m_ar_prot), .s_r_valid(`ENGINE1.s_r_valid), .s_r_ready(`ENGINE1.s_r_ready),
        .s_r_data(`ENGINE1.s_r_data), .s_r_last(`ENGINE1.s_r_last), .s_r_resp(`ENGINE1.s_r_resp),
        .m_aw_valid(`ENGINE1.m_aw_valid), .m_aw_ready(`ENGINE1.m_aw_ready), .m_aw_addr(`ENGINE1.m_aw_addr),
        .m_aw_len(`ENGINE1.m_aw_len), .m_aw_size(`ENGINE1.m_aw_size), .m_aw_burst(`ENGINE1.m_aw_burst),
        .m_aw_prot(`ENGINE1.m_aw_prot), .m_w_valid(`ENGINE1.m_w_valid), .m_w_ready(`ENGINE1.m_w_ready),
        .m_w_data(`ENGINE1.m_w_data), .m_w_strb(`ENGINE1.m_w_strb), .m_w_last(`ENGINE1.m_w_last),
        .s_b_valid(`ENGINE1.s_b_valid), .s_b_ready(`ENGINE1.s_b_ready), .s_b_resp(`ENGINE1.s_b_resp), .rule(rule1));

    always @(rule0) if (rule0 != 8'd0) $display("engine 0 breaks rule %0d of checker %0d", rule0[3:0], rule0[7:4]);
    always @(rule1) if (rule1 != 8'd0) $display("engine 1 breaks rule %0d of checker %0d", rule1[3:0], rule1[7:4]);
endmodule

`default_nettype wire

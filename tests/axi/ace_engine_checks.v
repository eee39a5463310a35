// SPDX-License-Identifier: Apache-2.0
//
// ace_engine_checks -- the checkers of all pins of an ace_engine; reports the first broken rule
//
//   s_axil_* --> [ ace_axil_checker ]        rx_*, tx_* --> [ ace_link_checker ] of each link
//   m_ar_* .. s_b_* --> [ ace_axi_checker ]  s_axil_*, irq --> [ ace_interrupt_checker ]
//   m_flag_* .. s_flag_b_* --> [ ace_axi_checker ]
//
// rule is 0 until a rule is broken.  It is then {checker, its rule}: checker 1 is for the
// registers, 2 for the memory, 3 for the interrupt and completions, 4 for the flags, 8 and more for the links.
//
// Contract
//   Binding     see ace_engine_bind.sv; core_rst is the wire of that name in ace_engine, which resets its links.
//   Language    Verilog-2005 that Icarus Verilog, Verilator and Yosys read.
//   Reset       rst is synchronous, active high.

`default_nettype none

module ace_engine_checks #(
    parameter LINKS             = 6,
    parameter ROW_W             = 2048,
    parameter LINK_INPUT_ROWS   = 128,
    parameter ROUTER_INPUT_ROWS = 128,
    parameter BURSTS            = 256,      // of the memory, each way, a power of two
    parameter CHANGES           = 0         // 1: links change frames
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                core_rst,
    input  wire                s_axil_awvalid,
    input  wire                s_axil_awready,
    input  wire [11:0]         s_axil_awaddr,
    input  wire                s_axil_wvalid,
    input  wire                s_axil_wready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
    input  wire                s_axil_bvalid,
    input  wire                s_axil_bready,
    input  wire [1:0]          s_axil_bresp,
    input  wire                s_axil_arvalid,
    input  wire                s_axil_arready,
    input  wire [11:0]         s_axil_araddr,
    input  wire                s_axil_rvalid,
    input  wire                s_axil_rready,
    input  wire [31:0]         s_axil_rdata,
    input  wire [1:0]          s_axil_rresp,
    input  wire                irq,
    input  wire [LINKS-1:0]    rx_frame,
    input  wire [16*LINKS-1:0] rx_number,
    input  wire [LINKS-1:0]    rx_valid,
    input  wire [LINKS-1:0]    rx_routed,
    input  wire [LINKS-1:0]    rx_credit,
    input  wire [LINKS-1:0]    rx_routed_credit,
    input  wire [LINKS-1:0]    rx_grant_valid,
    input  wire [LINKS-1:0]    tx_frame,
    input  wire [LINKS-1:0]    tx_resend,
    input  wire [16*LINKS-1:0] tx_number,
    input  wire [16*LINKS-1:0] tx_ack,
    input  wire [32*LINKS-1:0] tx_crc,
    input  wire [LINKS-1:0]    tx_valid,
    input  wire [8*LINKS-1:0]  tx_context,
    input  wire [LINKS-1:0]    tx_reduce,
    input  wire [8*LINKS-1:0]  tx_mark,
    input  wire [LINKS*ROW_W-1:0] tx_data,
    input  wire [LINKS-1:0]    tx_routed,
    input  wire [64*LINKS-1:0] tx_route,
    input  wire [LINKS-1:0]    tx_credit,
    input  wire [LINKS-1:0]    tx_routed_credit,
    input  wire [LINKS-1:0]    tx_grant_valid,
    input  wire [8*LINKS-1:0]  tx_grant_context,
    input  wire [8*LINKS-1:0]  tx_grant_mark,
    input  wire [8*LINKS-1:0]  tx_grant_peer,
    input  wire                m_ar_valid,
    input  wire                m_ar_ready,
    input  wire [47:0]         m_ar_addr,
    input  wire [7:0]          m_ar_len,
    input  wire [2:0]          m_ar_size,
    input  wire [1:0]          m_ar_burst,
    input  wire [2:0]          m_ar_prot,
    input  wire                s_r_valid,
    input  wire                s_r_ready,
    input  wire [ROW_W-1:0]    s_r_data,
    input  wire                s_r_last,
    input  wire [1:0]          s_r_resp,
    input  wire                m_aw_valid,
    input  wire                m_aw_ready,
    input  wire [47:0]         m_aw_addr,
    input  wire [7:0]          m_aw_len,
    input  wire [2:0]          m_aw_size,
    input  wire [1:0]          m_aw_burst,
    input  wire [2:0]          m_aw_prot,
    input  wire                m_w_valid,
    input  wire                m_w_ready,
    input  wire [ROW_W-1:0]    m_w_data,
    input  wire [ROW_W/8-1:0]  m_w_strb,
    input  wire                m_w_last,
    input  wire                s_b_valid,
    input  wire                s_b_ready,
    input  wire [1:0]          s_b_resp,
    input  wire                m_flag_aw_valid,
    input  wire                m_flag_aw_ready,
    input  wire [47:0]         m_flag_aw_addr,
    input  wire [7:0]          m_flag_aw_len,
    input  wire [2:0]          m_flag_aw_size,
    input  wire [1:0]          m_flag_aw_burst,
    input  wire [2:0]          m_flag_aw_prot,
    input  wire                m_flag_w_valid,
    input  wire                m_flag_w_ready,
    input  wire [31:0]         m_flag_w_data,
    input  wire [3:0]          m_flag_w_strb,
    input  wire                m_flag_w_last,
    input  wire                s_flag_b_valid,
    input  wire                s_flag_b_ready,
    input  wire [1:0]          s_flag_b_resp,
    output wire [7:0]          rule
);

    wire [3:0]  axil_rule, axi_rule, flag_rule;
    wire [2:0]  interrupt_rule;
    wire [4*LINKS-1:0] link_rule;

    ace_axil_checker u_axil (
        .clk(clk), .rst(rst), .awvalid(s_axil_awvalid), .awready(s_axil_awready), .awaddr(s_axil_awaddr),
        .wvalid(s_axil_wvalid), .wready(s_axil_wready), .wdata(s_axil_wdata), .wstrb(s_axil_wstrb),
        .bvalid(s_axil_bvalid), .bready(s_axil_bready), .bresp(s_axil_bresp), .arvalid(s_axil_arvalid),
        .arready(s_axil_arready), .araddr(s_axil_araddr), .rvalid(s_axil_rvalid), .rready(s_axil_rready),
        .rdata(s_axil_rdata), .rresp(s_axil_rresp), .rule(axil_rule));

    ace_interrupt_checker u_interrupt (
        .clk(clk), .rst(rst), .awvalid(s_axil_awvalid), .awready(s_axil_awready), .awaddr(s_axil_awaddr),
        .wvalid(s_axil_wvalid), .wready(s_axil_wready), .wdata(s_axil_wdata), .wstrb(s_axil_wstrb),
        .bvalid(s_axil_bvalid), .bready(s_axil_bready), .arvalid(s_axil_arvalid), .arready(s_axil_arready),
        .araddr(s_axil_araddr), .rvalid(s_axil_rvalid), .rdata(s_axil_rdata), .irq(irq), .rule(interrupt_rule));

    ace_axi_checker #(.DATA_W(ROW_W), .BEAT_BYTES(ROW_W / 16), .BURSTS(BURSTS)) u_axi (
        .clk(clk), .rst(rst), .ar_valid(m_ar_valid), .ar_ready(m_ar_ready), .ar_addr(m_ar_addr), .ar_len(m_ar_len),
        .ar_size(m_ar_size), .ar_burst(m_ar_burst), .ar_prot(m_ar_prot), .r_valid(s_r_valid), .r_ready(s_r_ready),
        .r_data(s_r_data), .r_last(s_r_last), .r_resp(s_r_resp), .aw_valid(m_aw_valid), .aw_ready(m_aw_ready),
        .aw_addr(m_aw_addr), .aw_len(m_aw_len), .aw_size(m_aw_size), .aw_burst(m_aw_burst), .aw_prot(m_aw_prot),
        .w_valid(m_w_valid), .w_ready(m_w_ready), .w_data(m_w_data), .w_strb(m_w_strb), .w_last(m_w_last),
        .b_valid(s_b_valid), .b_ready(s_b_ready), .b_resp(s_b_resp), .rule(axi_rule));

    ace_axi_checker #(.DATA_W(32), .BEAT_BYTES(4), .SIZE(2), .BURSTS(2)) u_flag (
        .clk(clk), .rst(rst), .ar_valid(1'b0), .ar_ready(1'b0), .ar_addr(48'd0), .ar_len(8'd0), .ar_size(3'd0),
        .ar_burst(2'd0), .ar_prot(3'd0), .r_valid(1'b0), .r_ready(1'b0), .r_data(32'd0), .r_last(1'b0), .r_resp(2'd0),
        .aw_valid(m_flag_aw_valid), .aw_ready(m_flag_aw_ready), .aw_addr(m_flag_aw_addr), .aw_len(m_flag_aw_len),
        .aw_size(m_flag_aw_size), .aw_burst(m_flag_aw_burst), .aw_prot(m_flag_aw_prot), .w_valid(m_flag_w_valid),
        .w_ready(m_flag_w_ready), .w_data(m_flag_w_data), .w_strb(m_flag_w_strb), .w_last(m_flag_w_last),
        .b_valid(s_flag_b_valid), .b_ready(s_flag_b_ready), .b_resp(s_flag_b_resp), .rule(flag_rule));

    genvar g;
    generate
        for (g = 0; g < LINKS; g = g + 1) begin : g_link
            ace_link_checker #(
                .INPUT_ROWS(LINK_INPUT_ROWS), .ROUTED_INPUT_ROWS(ROUTER_INPUT_ROWS), .ROW_W(ROW_W), .CHANGES(CHANGES)
            ) u_link (
                .clk(clk), .rst(rst || core_rst),
                .rx_frame(rx_frame[g]), .rx_number(rx_number[16*g +: 16]), .rx_valid(rx_valid[g]),
                .rx_routed(rx_routed[g]), .rx_credit(rx_credit[g]), .rx_routed_credit(rx_routed_credit[g]),
                .rx_grant_valid(rx_grant_valid[g]), .tx_frame(tx_frame[g]), .tx_resend(tx_resend[g]),
                .tx_number(tx_number[16*g +: 16]), .tx_ack(tx_ack[16*g +: 16]), .tx_crc(tx_crc[32*g +: 32]),
                .tx_data(tx_data[ROW_W*g +: ROW_W]), .tx_valid(tx_valid[g]),
                .tx_context(tx_context[8*g +: 8]), .tx_reduce(tx_reduce[g]), .tx_mark(tx_mark[8*g +: 8]),
                .tx_routed(tx_routed[g]), .tx_route(tx_route[64*g +: 64]), .tx_credit(tx_credit[g]),
                .tx_routed_credit(tx_routed_credit[g]), .tx_grant_valid(tx_grant_valid[g]),
                .tx_grant_context(tx_grant_context[8*g +: 8]), .tx_grant_mark(tx_grant_mark[8*g +: 8]),
                .tx_grant_peer(tx_grant_peer[8*g +: 8]), .rule(link_rule[4*g +: 4]));
        end
    endgenerate

    reg [7:0] link;
    integer   n;
    always @* begin
        link = 8'd0;
        for (n = 0; n < LINKS; n = n + 1)
            if (link_rule[4*n +: 4] != 4'd0) link = {1'b1, n[2:0], link_rule[4*n +: 4]};
    end
    assign rule = axil_rule != 4'd0 ? {4'd1, axil_rule} : axi_rule != 4'd0 ? {4'd2, axi_rule} :
                  interrupt_rule != 3'd0 ? {5'b00110, interrupt_rule} : flag_rule != 4'd0 ? {4'd4, flag_rule} : link;

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// axi_split -- ace_axi_split between a random engine and a random memory behind each channel, all legal
//
//   random engine --> [ ace_axi_checker ] --> ace_axi_split --> [ ace_axi_checker ] --> random_memory
//                                                          `--> [ ace_axi_checker ] --> random_memory ...
//
// Each memory takes addresses and data in its own order, with gaps, and answers late, sometimes
// with an error.  The data of a beat that is read is its own address and channel.  So the testbench
// can check that the engine's row has the addresses of the byte map.  The memory checks written
// data in the same way.
//
//   +seed=N +cycles=N +kind=K      kind: 0 any order, 1 address and data together, ready only
//                                  after valid, 2 data first, 3 address first, 4 one of
//                                  these for each channel.
//
// The testbench prints one line, which begins with ok or with bad.

`default_nettype none
`timescale 1ns/1ns

module axi_split;
    parameter  CHANNELS = 2;
    localparam BEAT_W = 128, ROW_W = BEAT_W * CHANNELS, BURSTS = 16, N = 1024;
    localparam BEAT = BEAT_W / 8, ROW = ROW_W / 8, ROW_SIZE = CHANNELS == 2 ? 5 : 6;
    `include "axi_answers.vh"
    integer seed, cycles, kind, t, bad, ars, rs, r_at, aws, ws, w_at, bs, rows, writes, errors, last_read, last_write;

    reg  clk, rst;
    reg  s_ar_valid, s_aw_valid, s_w_valid, s_w_last, m_r_ready, m_b_ready;
    reg  [47:0] s_ar_addr, s_aw_addr;
    reg  [7:0]  s_ar_len, s_aw_len;
    reg  [ROW_W-1:0] s_w_data;
    wire s_ar_ready, s_aw_ready, s_w_ready, m_r_valid, m_r_last, m_b_valid, idle;
    wire [1:0]  m_r_resp, m_b_resp;
    wire [ROW_W-1:0] m_r_data;
    wire [3:0]  rule;
    reg  [47:0] ar_addr [0:N-1], aw_addr [0:N-1];
    reg  [7:0]  ar_len [0:N-1], aw_len [0:N-1];

    wire [CHANNELS-1:0] arvalid, arready, arlock, rvalid, rready, rlast, awvalid, awready, awlock, wvalid, wready, wlast;
    wire [CHANNELS-1:0] bvalid, bready;
    wire [3*CHANNELS-1:0] arid, awid, arsize, awsize, arprot, awprot;
    wire [64*CHANNELS-1:0] araddr, awaddr;
    wire [8*CHANNELS-1:0] arlen, awlen;
    wire [2*CHANNELS-1:0] arburst, awburst, rresp, bresp;
    wire [4*CHANNELS-1:0] arcache, awcache, arqos, awqos;
    wire [ROW_W-1:0] rdata, wdata;
    wire [ROW_W/8-1:0] wstrb;

    function [15:0] window;
        input integer c;
        window = 16'h8001 + c * 16'h1011;
    endfunction
    wire [63:0] windows = {window(3), window(2), window(1), window(0)};

    ace_axi_split #(.CHANNELS(CHANNELS), .ID_W(3), .ID(5), .ROW_W(ROW_W)) dut (
        .clk(clk), .rst(rst), .cfg_window(windows[16*CHANNELS-1:0]), .cfg_cache(4'b0011), .cfg_qos(4'd9),
        .s_ar_valid(s_ar_valid), .s_ar_ready(s_ar_ready), .s_ar_addr(s_ar_addr), .s_ar_len(s_ar_len), .s_ar_prot(3'd2),
        .m_r_valid(m_r_valid), .m_r_ready(m_r_ready), .m_r_data(m_r_data), .m_r_last(m_r_last), .m_r_resp(m_r_resp),
        .s_aw_valid(s_aw_valid), .s_aw_ready(s_aw_ready), .s_aw_addr(s_aw_addr), .s_aw_len(s_aw_len), .s_aw_prot(3'd2),
        .s_w_valid(s_w_valid), .s_w_ready(s_w_ready), .s_w_data(s_w_data), .s_w_strb({ROW{1'b1}}), .s_w_last(s_w_last),
        .m_b_valid(m_b_valid), .m_b_ready(m_b_ready), .m_b_resp(m_b_resp),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
        .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(arlock), .m_axi_arcache(arcache),
        .m_axi_arprot(arprot), .m_axi_arqos(arqos),
        .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid({CHANNELS{3'd5}}), .m_axi_rdata(rdata),
        .m_axi_rresp(rresp), .m_axi_rlast(rlast),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
        .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(awlock), .m_axi_awcache(awcache),
        .m_axi_awprot(awprot), .m_axi_awqos(awqos),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid({CHANNELS{3'd5}}), .m_axi_bresp(bresp), .idle(idle));

    // The engine's requests are legal, too.
    ace_axi_checker #(.DATA_W(ROW_W), .SIZE(ROW_SIZE), .BURSTS(2 * BURSTS)) checker (
        .clk(clk), .rst(rst),
        .ar_valid(s_ar_valid), .ar_ready(s_ar_ready), .ar_addr(s_ar_addr), .ar_len(s_ar_len),
        .ar_size(ROW_SIZE[2:0]), .ar_burst(2'b01), .ar_prot(3'd2),
        .r_valid(m_r_valid), .r_ready(m_r_ready), .r_data(m_r_data), .r_last(m_r_last), .r_resp(m_r_resp),
        .aw_valid(s_aw_valid), .aw_ready(s_aw_ready), .aw_addr(s_aw_addr), .aw_len(s_aw_len),
        .aw_size(ROW_SIZE[2:0]), .aw_burst(2'b01), .aw_prot(3'd2),
        .w_valid(s_w_valid), .w_ready(s_w_ready), .w_data(s_w_data), .w_strb({ROW{1'b1}}), .w_last(s_w_last),
        .b_valid(m_b_valid), .b_ready(m_b_ready), .b_resp(m_b_resp), .rule(rule));

    wire [4*CHANNELS-1:0] rules;
    wire [CHANNELS-1:0]   wrong;        // a row that is not of its address
    genvar c;
    generate
        for (c = 0; c < CHANNELS; c = c + 1) begin : g_channel
            ace_axi_checker #(.ADDR_W(64), .DATA_W(BEAT_W), .SIZE(4), .BURSTS(2 * BURSTS)) checker (
                .clk(clk), .rst(rst),
                .ar_valid(arvalid[c]), .ar_ready(arready[c]), .ar_addr(araddr[64*c +: 64]), .ar_len(arlen[8*c +: 8]),
                .ar_size(arsize[3*c +: 3]), .ar_burst(arburst[2*c +: 2]), .ar_prot(arprot[3*c +: 3]),
                .r_valid(rvalid[c]), .r_ready(rready[c]), .r_data(rdata[BEAT_W*c +: BEAT_W]), .r_last(rlast[c]),
                .r_resp(rresp[2*c +: 2]),
                .aw_valid(awvalid[c]), .aw_ready(awready[c]), .aw_addr(awaddr[64*c +: 64]), .aw_len(awlen[8*c +: 8]),
                .aw_size(awsize[3*c +: 3]), .aw_burst(awburst[2*c +: 2]), .aw_prot(awprot[3*c +: 3]),
                .w_valid(wvalid[c]), .w_ready(wready[c]), .w_data(wdata[BEAT_W*c +: BEAT_W]),
                .w_strb(wstrb[BEAT*c +: BEAT]), .w_last(wlast[c]),
                .b_valid(bvalid[c]), .b_ready(bready[c]), .b_resp(bresp[2*c +: 2]), .rule(rules[4*c +: 4]));
            random_memory #(.DATA_W(BEAT_W), .CHANNEL(c)) memory (
                .clk(clk), .rst(rst), .seed(seed), .kind(kind == 4 ? (c + 2) % 4 : kind),
                .arvalid(arvalid[c]), .arready(arready[c]), .araddr(araddr[64*c +: 64]), .arlen(arlen[8*c +: 8]),
                .rvalid(rvalid[c]), .rready(rready[c]), .rdata(rdata[BEAT_W*c +: BEAT_W]), .rlast(rlast[c]),
                .rresp(rresp[2*c +: 2]),
                .awvalid(awvalid[c]), .awready(awready[c]), .awaddr(awaddr[64*c +: 64]), .awlen(awlen[8*c +: 8]),
                .wvalid(wvalid[c]), .wready(wready[c]), .wdata(wdata[BEAT_W*c +: BEAT_W]), .wlast(wlast[c]),
                .bvalid(bvalid[c]), .bready(bready[c]), .bresp(bresp[2*c +: 2]), .wrong(wrong[c]));
            always @(posedge clk) if (!rst && bad == 0) begin
                if (rules[4*c +: 4] != 4'd0)
                    complain_rule(rules[4*c +: 4]);
                else if (wrong[c] === 1'b1) complain("a row of another burst");
                if ((arvalid[c] && {arid[3*c +: 3], arlock[c], arcache[4*c +: 4], arprot[3*c +: 3], arqos[4*c +: 4]} !==
                                   {3'd5, 1'b0, 4'b0011, 3'd2, 4'd9}) ||
                    (awvalid[c] && {awid[3*c +: 3], awlock[c], awcache[4*c +: 4], awprot[3*c +: 3], awqos[4*c +: 4]} !==
                                   {3'd5, 1'b0, 4'b0011, 3'd2, 4'd9})) complain("an attribute");
            end
        end
    endgenerate

    function chance;                    // of a thousand
        input integer of;
        chance = $unsigned($random(seed)) % 1000 < of;
    endfunction

    task complain;
        input [8*40-1:0] what;
        if (bad == 0) begin
            $display("bad: %0s, cycle %0d, kind %0d", what, t, kind);
            bad = bad + 1;
        end
    endtask
    task complain_rule;
        input [3:0] which;
        if (bad == 0) begin
            $display("bad: AXI rule %0d, cycle %0d, kind %0d", which, t, kind);
            bad = bad + 1;
        end
    endtask

    // The address of byte 0 of a row, and of its part in channel k.
    function [63:0] place;
        input [47:0] addr;
        input integer k;
        place = {window(k), 48'd0} + addr / ROW * BEAT;
    endfunction

    // A burst within 4 KiB: each has rows of its own.
    reg [47:0] fresh;
    reg [7:0]  longest;
    task burst;
        output [47:0] addr;
        output [7:0]  len;
        begin
            fresh   = fresh + 48'd4096;
            addr    = fresh + $unsigned($random(seed)) % (4096 / ROW) * ROW;
            longest = (48'd4096 - addr[11:0]) / ROW - 1;
            len     = $unsigned($random(seed)) % ((longest < 15 ? longest : 15) + 1);
        end
    endtask

    integer k;
    reg [1:0] resp, one;
    reg [ROW_W-1:0] row;
    task moved;                         // from the pins of this cycle
        begin
            if (s_ar_valid && s_ar_ready) begin
                ar_addr[ars % N] = s_ar_addr; ar_len[ars % N] = s_ar_len; ars = ars + 1; s_ar_valid <= 0;
            end
            if (s_aw_valid && s_aw_ready) s_aw_valid <= 0;
            if (s_w_valid && s_w_ready) begin
                s_w_valid <= 0;
                w_at = s_w_last ? 0 : w_at + 1;
                if (s_w_last) ws = ws + 1;
                writes = writes + 1;
                last_write = t;
            end
            if (m_r_valid && m_r_ready) begin
                if (rs == ars) complain("a row that nobody asked for");
                resp = 0;
                for (k = 0; k < CHANNELS; k = k + 1) begin
                    row[BEAT_W*k +: BEAT_W] = {k, place(ar_addr[rs % N] + r_at * ROW, k)};
                    one = answer_of(place(ar_addr[rs % N] + r_at * ROW, k), k);
                    if (one > resp) resp = one;
                end
                if (m_r_data !== row) complain("a row of another read");
                if (m_r_resp !== resp) complain("another answer to a read");
                errors = errors + m_r_resp[1];
                r_at = m_r_last ? 0 : r_at + 1;
                if (m_r_last) rs = rs + 1;
                rows = rows + 1;
                last_read = t;
            end
            if (m_b_valid && m_b_ready) begin
                resp = 0;
                for (k = 0; k < CHANNELS; k = k + 1) begin
                    one = answer_of(place(aw_addr[bs % N], k), k);
                    if (one > resp) resp = one;
                end
                if (m_b_resp !== resp) complain("another answer to a write");
                errors = errors + m_b_resp[1];
                bs = bs + 1;
            end
        end
    endtask

    reg [47:0] addr;
    reg [7:0]  len;
    task show;                          // the pins of the next cycle
        begin
            if ((!s_ar_valid || s_ar_ready) && ars - rs < BURSTS && chance(400)) begin
                burst(addr, len);
                s_ar_valid <= 1; s_ar_addr <= addr; s_ar_len <= len;
            end
            if ((!s_aw_valid || s_aw_ready) && aws - bs < BURSTS && chance(400)) begin
                burst(addr, len);
                aw_addr[aws % N] = addr; aw_len[aws % N] = len; aws = aws + 1;
                s_aw_valid <= 1; s_aw_addr <= addr; s_aw_len <= len;
            end
            if ((!s_w_valid || s_w_ready) && ws < aws && chance(800)) begin
                s_w_valid <= 1;
                for (k = 0; k < CHANNELS; k = k + 1)
                    s_w_data[BEAT_W*k +: BEAT_W] <= {k, place(aw_addr[ws % N] + w_at * ROW, k)};
                s_w_last <= w_at == aw_len[ws % N];
            end
            m_r_ready <= chance(800);
            m_b_ready <= chance(700);
        end
    endtask

    always @(posedge clk) if (!rst) begin
        if (rule != 4'd0) complain_rule(rule);
        moved;
        show;
        if (t - last_read > 1000) complain("nothing is read");
        if (t - last_write > 1000) complain("nothing is written");
    end

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 2000;
        if (!$value$plusargs("kind=%d", kind)) kind = 0;
        bad = 0; rows = 0; writes = 0; errors = 0; last_read = 0; last_write = 0; fresh = 0;
        ars = 0; rs = 0; r_at = 0; aws = 0; ws = 0; w_at = 0; bs = 0;
        {s_ar_valid, s_aw_valid, s_w_valid, m_r_ready, m_b_ready} = 5'd0;
        clk = 0; rst = 1;
        for (t = -3; t < cycles && bad == 0; t = t + 1) begin
            if (t == 0) rst <= 0;
            #1 clk = 1;
            #1 clk = 0;
        end
        if (bad == 0 && (rows < cycles / 4 || writes < cycles / 4 || errors < 20))
            complain("too little");
        if (bad == 0)
            $display("ok: kind %0d, %0d channels, %0d rows read, %0d written, %0d answers with an error", kind, CHANNELS,
                     rows, writes, errors);
        $finish;
    end
endmodule

// random_memory -- an AXI4 memory that takes what is legal in the order of its kind, and keeps nothing
//
// It answers a read with the address of each beat, and says so if what is written is not that.
module random_memory #(
    parameter DATA_W  = 128,
    parameter CHANNEL = 0
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [31:0]       seed,
    input  wire [31:0]       kind,
    input  wire              arvalid,
    output wire              arready,
    input  wire [63:0]       araddr,
    input  wire [7:0]        arlen,
    output reg               rvalid,
    input  wire              rready,
    output reg  [DATA_W-1:0] rdata,
    output reg               rlast,
    output reg  [1:0]        rresp,
    input  wire              awvalid,
    output wire              awready,
    input  wire [63:0]       awaddr,
    input  wire [7:0]        awlen,
    input  wire              wvalid,
    output wire              wready,
    input  wire [DATA_W-1:0] wdata,
    input  wire              wlast,
    output reg               bvalid,
    input  wire              bready,
    output reg  [1:0]        bresp,
    output reg               wrong
);
    localparam N = 1024;
    `include "axi_answers.vh"

    integer dice, ars, rs, r_at, aws, ws, w_at, bs;
    reg     ar_opens, aw_opens, w_opens;
    reg [63:0] ar_addr [0:N-1], aw_addr [0:N-1], w_first [0:N-1], beat;
    reg [7:0]  ar_len [0:N-1];
    wire    first = w_at == 0 && ws == aws;

    assign arready = ar_opens && (kind != 1 || arvalid);
    assign awready = aw_opens && (kind == 1 ? first && wvalid && w_opens : kind == 2 ? ws > aws : 1'b1);
    assign wready  = w_opens && (kind == 1 ? wvalid && (!first || (awvalid && aw_opens)) :
                                 kind == 2 ? ws == aws : kind == 3 ? ws < aws : 1'b1);

    function chance;
        input integer of;
        chance = $unsigned($random(dice)) % 1000 < of;
    endfunction

    always @(posedge clk)
        if (rst) begin
            dice = seed * 16 + CHANNEL;
            ars = 0; rs = 0; r_at = 0; aws = 0; ws = 0; w_at = 0; bs = 0;
            {ar_opens, aw_opens, w_opens, rvalid, bvalid, wrong} <= 6'd0;
        end else begin
            if (arvalid && arready) begin
                ar_addr[ars % N] = araddr; ar_len[ars % N] = arlen; ars = ars + 1;
            end
            if (awvalid && awready) begin
                aw_addr[aws % N] = awaddr;
                if ((ws > aws || (ws == aws && w_at > 0)) && w_first[aws % N] != awaddr) wrong <= 1'b1;
                aws = aws + 1;
            end
            if (wvalid && wready) begin
                if (w_at == 0) w_first[ws % N] = wdata[63:0];
                beat = w_first[ws % N] + w_at * (DATA_W / 8);
                if (wdata !== {{DATA_W-96{1'b0}}, CHANNEL[31:0], beat}) wrong <= 1'b1;
                if (ws < aws && w_first[ws % N] != aw_addr[ws % N]) wrong <= 1'b1;
                w_at = wlast ? 0 : w_at + 1;
                if (wlast) ws = ws + 1;
            end
            if (rvalid && rready) rvalid <= 1'b0;
            if (bvalid && bready) bvalid <= 1'b0;
            if ((!rvalid || rready) && rs < ars && chance(CHANNEL % 2 ? 900 : 700)) begin
                beat   = ar_addr[rs % N] + r_at * (DATA_W / 8);
                rvalid <= 1'b1;
                rdata  <= {{DATA_W-96{1'b0}}, CHANNEL[31:0], beat};
                rresp  <= answer_of(beat, CHANNEL);
                rlast  <= r_at == ar_len[rs % N];
                if (r_at == ar_len[rs % N]) begin rs = rs + 1; r_at = 0; end
                else r_at = r_at + 1;
            end
            if ((!bvalid || bready) && bs < aws && bs < ws && chance(500)) begin
                bvalid <= 1'b1;
                bresp  <= answer_of(aw_addr[bs % N], CHANNEL);
                bs = bs + 1;
            end
            ar_opens <= chance(700); aw_opens <= chance(700); w_opens <= chance(CHANNEL % 2 ? 700 : 900);
        end
endmodule

`default_nettype wire

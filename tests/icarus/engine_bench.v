// SPDX-License-Identifier: Apache-2.0
//
// engine_bench -- two engines on a ring, each with its memory and its software: an integrator's first run
//
//   software 0 -- AXI4-Lite --> [ engine 0 ] <== links of x, a register each way ==> [ engine 1 ] <-- software 1
//                              [ memory 0 ]                                       [ ace_axi_split ]
//                                                                                  AXI4 /      \ AXI4
//                                                                         [ even memory 1 ] [ odd memory 1 ]
//
// Memory 0 is a model of whole rows at the engine's pins; memory 1 is two AXI4 memories of 1024 bits,
// each with a pace of its own, behind ace_axi_split.  Verilog 2005 without anything that belongs to one simulator:
//
//   cd rtl && iverilog -g2005 -f ace.f -s engine_bench -o bench.vvp ../tests/icarus/engine_bench.v && vvp bench.vvp
//
// Each software reads the identification, writes the configuration and the programs of a ring of two, and starts its
// engine. It rings the doorbell for an all-reduce of INT32 and waits for the interrupt. Then every word of both
// destinations is compared with the sum. The last line is "N passed, N failed".
//
//   +rows=N      rows of 256 bytes of the vector, 2..64 [32]
//   +pins        a line for each cycle in which something moves on the pins of engine 0's memory or links
//   +vcd=FILE    waveform of all pins

`default_nettype none
`timescale 1ps/1ps

module engine_bench;

    localparam ROW_W  = 2048;
    localparam ROWS   = 256;        // of a memory
    localparam SOURCE = 0;          // first rows of the vectors: addresses are multiples of 4096 bytes
    localparam TARGET = 128;
    localparam CHUNK  = 16;         // rows
    localparam HALF   = ROW_W / 64; // words of a channel of memory 1
    `include "ace_register_map.vh"

    // 1245 MHz, rounded to picoseconds.
    reg clk = 1'b0, rst = 1'b1;
    always #401 clk = !clk;

    integer cycle = 0, rows = 32, passed = 0, failed = 0;
    reg     show_pins = 1'b0;
    reg [8*256-1:0] vcd;
    always @(posedge clk) cycle <= cycle + 1;

    // ---- the links of x: what leaves one on + comes to the other on -, and the other way ----
    // A frame is all tx pins of a link; here side by side in the order of `frame`.
    localparam FRAME = 1 + 1 + 16 + 16 + 32 + 1 + 8 + 1 + 8 + ROW_W + 1 + 64 + 1 + 1 + 1 + 8 + 8 + 8;
    wire [2*FRAME-1:0] sent [0:1];      // of engine n: bits of link +, then of link -
    reg  [2*FRAME-1:0] there [0:1];     // what arrives at engine n
    always @(posedge clk) begin
        there[0] <= rst ? {2*FRAME{1'b0}} : {sent[1][0 +: FRAME], sent[1][FRAME +: FRAME]};
        there[1] <= rst ? {2*FRAME{1'b0}} : {sent[0][0 +: FRAME], sent[0][FRAME +: FRAME]};
    end

    // ---- two of everything ----
    reg  [1:0]  awvalid = 2'b00, wvalid = 2'b00, arvalid = 2'b00;
    reg  [11:0] address [0:1];
    reg  [31:0] data [0:1];
    wire [1:0]  awready, wready, bvalid, arready, rvalid, irq;
    wire [1:0]  bresp [0:1];
    wire [1:0]  rresp [0:1];
    wire [31:0] rdata [0:1];

    genvar n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : g_node
            wire        ar_valid, ar_ready, r_valid, r_ready, r_last;
            wire        aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
            wire [47:0] ar_addr, aw_addr;
            wire [7:0]  ar_len, aw_len;
            wire [2:0]  ar_prot, aw_prot;
            wire [1:0]  r_resp, b_resp;
            wire [ROW_W-1:0]   r_data, w_data;
            wire [ROW_W/8-1:0] w_strb;

            // Only the links of x are connected; nothing arrives at the other four.
            wire [5:0]    frame, resend, valid, reduce, routed, credit, routed_credit, grant_valid;
            wire [95:0]   number, ack;
            wire [191:0]  crc;
            wire [47:0]   context_, mark, grant_context, grant_mark, grant_peer;
            wire [6*ROW_W-1:0] row;
            wire [383:0]  route;

            assign sent[n] = {
                frame[1], resend[1], number[31:16], ack[31:16], crc[63:32], valid[1], context_[15:8], reduce[1],
                mark[15:8], row[2*ROW_W-1:ROW_W], routed[1], route[127:64], credit[1], routed_credit[1],
                grant_valid[1], grant_context[15:8], grant_mark[15:8], grant_peer[15:8],
                frame[0], resend[0], number[15:0], ack[15:0], crc[31:0], valid[0], context_[7:0], reduce[0],
                mark[7:0], row[ROW_W-1:0], routed[0], route[63:0], credit[0], routed_credit[0],
                grant_valid[0], grant_context[7:0], grant_mark[7:0], grant_peer[7:0] };

            wire        p_frame, p_resend, p_valid, p_reduce, p_routed, p_credit, p_routed_credit, p_grant_valid;
            wire        q_frame, q_resend, q_valid, q_reduce, q_routed, q_credit, q_routed_credit, q_grant_valid;
            wire [15:0] p_number, p_ack, q_number, q_ack;
            wire [31:0] p_crc, q_crc;
            wire [7:0]  p_context, p_mark, p_grant_context, p_grant_mark, p_grant_peer;
            wire [7:0]  q_context, q_mark, q_grant_context, q_grant_mark, q_grant_peer;
            wire [ROW_W-1:0] p_row, q_row;
            wire [63:0] p_route, q_route;
            assign { p_frame, p_resend, p_number, p_ack, p_crc, p_valid, p_context, p_reduce, p_mark, p_row, p_routed,
                     p_route, p_credit, p_routed_credit, p_grant_valid, p_grant_context, p_grant_mark, p_grant_peer,
                     q_frame, q_resend, q_number, q_ack, q_crc, q_valid, q_context, q_reduce, q_mark, q_row, q_routed,
                     q_route, q_credit, q_routed_credit, q_grant_valid, q_grant_context, q_grant_mark, q_grant_peer }
                   = there[n];

            ace_engine #(
                .COMPLETIONS(4), .FSMS(4), .CONTEXTS(4), .BANK_ROWS(256), .LINK_INPUT_ROWS(16), .LINK_OUTPUT_ROWS(2),
                .COMMANDS(4), .MEMORY_BURSTS(2), .ROUTER_INPUT_ROWS(16), .ROUTER_OUTPUT_ROWS(4), .EXCHANGE_ROWS(4),
                .EXCHANGE_BURSTS(6), .ALU_TYPES(64), .ALU_OPS(1)    // sums of INT32
            ) u_engine (
                .clk(clk), .rst(rst),
                .s_axil_awvalid(awvalid[n]), .s_axil_awready(awready[n]), .s_axil_awaddr(address[n]),
                .s_axil_awprot(3'b001), .s_axil_arprot(3'b001),      // privileged
                .s_axil_wvalid(wvalid[n]), .s_axil_wready(wready[n]), .s_axil_wdata(data[n]), .s_axil_wstrb(4'b1111),
                .s_axil_bvalid(bvalid[n]), .s_axil_bready(1'b1), .s_axil_bresp(bresp[n]),
                .s_axil_arvalid(arvalid[n]), .s_axil_arready(arready[n]), .s_axil_araddr(address[n]),
                .s_axil_rvalid(rvalid[n]), .s_axil_rready(1'b1), .s_axil_rdata(rdata[n]), .s_axil_rresp(rresp[n]),
                .irq(irq[n]),
                .rx_frame({4'd0, p_frame, q_frame}), .rx_resend({4'd0, p_resend, q_resend}),
                .rx_number({64'd0, p_number, q_number}), .rx_ack({64'd0, p_ack, q_ack}),
                .rx_crc({128'd0, p_crc, q_crc}), .rx_valid({4'd0, p_valid, q_valid}),
                .rx_context({32'd0, p_context, q_context}), .rx_reduce({4'd0, p_reduce, q_reduce}),
                .rx_mark({32'd0, p_mark, q_mark}), .rx_data({{4*ROW_W{1'b0}}, p_row, q_row}),
                .rx_routed({4'd0, p_routed, q_routed}), .rx_route({256'd0, p_route, q_route}),
                .rx_credit({4'd0, p_credit, q_credit}), .rx_routed_credit({4'd0, p_routed_credit, q_routed_credit}),
                .rx_grant_valid({4'd0, p_grant_valid, q_grant_valid}),
                .rx_grant_context({32'd0, p_grant_context, q_grant_context}),
                .rx_grant_mark({32'd0, p_grant_mark, q_grant_mark}),
                .rx_grant_peer({32'd0, p_grant_peer, q_grant_peer}),
                .tx_frame(frame), .tx_resend(resend), .tx_number(number), .tx_ack(ack), .tx_crc(crc),
                .tx_valid(valid), .tx_context(context_), .tx_reduce(reduce), .tx_mark(mark), .tx_data(row),
                .tx_routed(routed), .tx_route(route), .tx_credit(credit), .tx_routed_credit(routed_credit),
                .tx_grant_valid(grant_valid), .tx_grant_context(grant_context), .tx_grant_mark(grant_mark),
                .tx_grant_peer(grant_peer),
                .m_ar_valid(ar_valid), .m_ar_ready(ar_ready), .m_ar_addr(ar_addr), .m_ar_len(ar_len),
                .m_ar_size(), .m_ar_burst(), .m_ar_prot(ar_prot),
                .s_r_valid(r_valid), .s_r_ready(r_ready), .s_r_data(r_data), .s_r_last(r_last), .s_r_resp(r_resp),
                .m_aw_valid(aw_valid), .m_aw_ready(aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len),
                .m_aw_size(), .m_aw_burst(), .m_aw_prot(aw_prot),
                .m_w_valid(w_valid), .m_w_ready(w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last),
                .s_b_valid(b_valid), .s_b_ready(b_ready), .s_b_resp(b_resp),
                // no slot has a flag
                .m_flag_aw_valid(), .m_flag_aw_ready(1'b0), .m_flag_aw_addr(), .m_flag_aw_len(), .m_flag_aw_size(),
                .m_flag_aw_burst(), .m_flag_aw_prot(), .m_flag_w_valid(), .m_flag_w_ready(1'b0), .m_flag_w_data(),
                .m_flag_w_strb(), .m_flag_w_last(), .s_flag_b_valid(1'b0), .s_flag_b_ready(), .s_flag_b_resp(2'd0),
                .idle(), .count(), .link_count()
            );

            // ---- its memory: of whole rows, one burst each way at a time ----
            if (n == 0) begin : g_rows
                reg [ROW_W-1:0] memory [0:ROWS-1];
                reg        reading_q, writing_q, answer_q;
                reg [39:0] read_q, write_q;     // row
                reg [7:0]  left_q;
                assign ar_ready = !reading_q;
                assign r_valid  = reading_q;
                assign r_data   = memory[read_q[7:0]];
                assign r_last   = left_q == 8'd0;
                assign aw_ready = !writing_q && !answer_q;
                assign w_ready  = writing_q;
                assign b_valid  = answer_q;
                reg [ROW_W-1:0] mask;           // of the bytes that are written
                integer b;
                always @* for (b = 0; b < ROW_W / 8; b = b + 1) mask[b*8 +: 8] = {8{w_strb[b]}};
                always @(posedge clk)
                    if (rst) begin
                        reading_q <= 1'b0;
                        writing_q <= 1'b0;
                        answer_q  <= 1'b0;
                    end else begin
                        if (ar_valid && ar_ready) begin
                            reading_q <= 1'b1;
                            read_q    <= ar_addr[47:8];
                            left_q    <= ar_len;
                        end
                        if (r_valid && r_ready) begin
                            read_q    <= read_q + 40'd1;
                            left_q    <= left_q - 8'd1;
                            reading_q <= !r_last;
                        end
                        if (aw_valid && aw_ready) begin
                            writing_q <= 1'b1;
                            write_q   <= aw_addr[47:8];
                        end
                        if (w_valid && w_ready) begin
                            memory[write_q[7:0]] <= (memory[write_q[7:0]] & ~mask) | (w_data & mask);
                            write_q <= write_q + 40'd1;
                            if (w_last) begin
                                writing_q <= 1'b0;
                                answer_q  <= 1'b1;
                            end
                        end
                        if (b_valid && b_ready) answer_q <= 1'b0;
                    end
                assign {r_resp, b_resp} = 4'b0000;
            end

            // ---- or two AXI4 memories, of the even and odd half rows ----
            else begin : g_split
                wire [1:0]    arvalid, arready, arlock, rvalid, rready, rlast, awvalid, awready, awlock, wvalid, wready;
                wire [1:0]    wlast, bvalid, bready;
                wire [7:0]    arid, rid, awid, bid, arcache, awcache, arqos, awqos;
                wire [127:0]  araddr, awaddr;
                wire [15:0]   arlen, awlen;
                wire [5:0]    arsize, arprot, awsize, awprot;
                wire [3:0]    arburst, rresp, awburst, bresp;
                wire [ROW_W-1:0]   rdata, wdata;
                wire [ROW_W/8-1:0] wstrb;

                ace_axi_split #(.CHANNELS(2), .ID(9)) u_split (
                    .clk(clk), .rst(rst), .cfg_window({16'h8001, 16'h8000}), .cfg_cache(4'b0011), .cfg_qos(4'd0),
                    .s_ar_valid(ar_valid), .s_ar_ready(ar_ready), .s_ar_addr(ar_addr), .s_ar_len(ar_len),
                    .s_ar_prot(ar_prot), .m_r_valid(r_valid), .m_r_ready(r_ready), .m_r_data(r_data),
                    .m_r_last(r_last), .m_r_resp(r_resp),
                    .s_aw_valid(aw_valid), .s_aw_ready(aw_ready), .s_aw_addr(aw_addr), .s_aw_len(aw_len),
                    .s_aw_prot(aw_prot), .s_w_valid(w_valid), .s_w_ready(w_ready), .s_w_data(w_data),
                    .s_w_strb(w_strb), .s_w_last(w_last), .m_b_valid(b_valid), .m_b_ready(b_ready), .m_b_resp(b_resp),
                    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr),
                    .m_axi_arlen(arlen), .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(arlock),
                    .m_axi_arcache(arcache), .m_axi_arprot(arprot), .m_axi_arqos(arqos),
                    .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata),
                    .m_axi_rresp(rresp), .m_axi_rlast(rlast),
                    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr),
                    .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(awlock),
                    .m_axi_awcache(awcache), .m_axi_awprot(awprot), .m_axi_awqos(awqos),
                    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb),
                    .m_axi_wlast(wlast), .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid),
                    .m_axi_bresp(bresp), .idle()
                );

                // The odd one is slower, so that the halves of a row come apart.
                genvar c;
                for (c = 0; c < 2; c = c + 1) begin : g_channel
                    axi_memory #(.DATA_W(ROW_W / 2), .WORDS(ROWS), .WINDOW(16'h8000 + c), .DELAY(c * 5)) u_memory (
                        .clk(clk), .rst(rst),
                        .arvalid(arvalid[c]), .arready(arready[c]), .arid(arid[4*c +: 4]), .araddr(araddr[64*c +: 64]),
                        .arlen(arlen[8*c +: 8]), .arsize(arsize[3*c +: 3]), .arburst(arburst[2*c +: 2]),
                        .rvalid(rvalid[c]), .rready(rready[c]), .rid(rid[4*c +: 4]),
                        .rdata(rdata[ROW_W/2*c +: ROW_W/2]), .rresp(rresp[2*c +: 2]), .rlast(rlast[c]),
                        .awvalid(awvalid[c]), .awready(awready[c]), .awid(awid[4*c +: 4]), .awaddr(awaddr[64*c +: 64]),
                        .awlen(awlen[8*c +: 8]), .awsize(awsize[3*c +: 3]), .awburst(awburst[2*c +: 2]),
                        .wvalid(wvalid[c]), .wready(wready[c]), .wdata(wdata[ROW_W/2*c +: ROW_W/2]),
                        .wstrb(wstrb[ROW_W/16*c +: ROW_W/16]), .wlast(wlast[c]),
                        .bvalid(bvalid[c]), .bready(bready[c]), .bid(bid[4*c +: 4]), .bresp(bresp[2*c +: 2])
                    );
                end
            end

            // ---- pins on request ----
            if (n == 0) begin : g_pins
                always @(posedge clk)
                    if (show_pins && !rst) begin
                        if (ar_valid && ar_ready) $display("%6d  AR row %0d, %0d beats", cycle, ar_addr[47:8], ar_len + 1);
                        if (r_valid && r_ready)   $display("%6d  R%0s", cycle, r_last ? ", last" : "");
                        if (aw_valid && aw_ready) $display("%6d  AW row %0d, %0d beats", cycle, aw_addr[47:8], aw_len + 1);
                        if (w_valid && w_ready)   $display("%6d  W%0s", cycle, w_last ? ", last" : "");
                        if (b_valid && b_ready)   $display("%6d  B", cycle);
                        if (valid[0])             $display("%6d  tx x+ a row", cycle);
                        if (grant_valid[1])       $display("%6d  tx x- a grant", cycle);
                        if (q_valid || p_valid)   $display("%6d  rx x%0s a row", cycle, p_valid ? "-" : "+");
                        if (credit[1])            $display("%6d  tx x- a credit", cycle);
                    end
            end
        end
    endgenerate

    // ---- software ----
    // It moves between two edges of the clock, where it sees what counts at the next one.  The address of a read stands
    // there a cycle before its valid: Verilator 5.006 works out what follows from it at the next edge alone.
    reg [1:0] address_taken, data_taken;
    task write;             // a register of engine e
        input         e;
        input [11:0]  offset;
        input [31:0]  value;
        begin
            address[e] = offset;
            data[e]    = value;
            awvalid[e] = 1'b1;
            wvalid[e]  = 1'b1;
            while (awvalid[e] || wvalid[e]) begin
                address_taken[e] = awready[e];
                data_taken[e]    = wready[e];
                @(negedge clk);
                if (address_taken[e]) awvalid[e] = 1'b0;
                if (data_taken[e])    wvalid[e]  = 1'b0;
            end
            while (!bvalid[e]) @(negedge clk);
            check(bresp[e] == 2'b00, "a register is written");
            @(negedge clk);
        end
    endtask

    reg [31:0] got [0:1];
    task read;              // a register of engine e, into got[e]
        input         e;
        input [11:0]  offset;
        begin
            address[e] = offset;
            @(negedge clk);
            arvalid[e] = 1'b1;
            while (!arready[e]) @(negedge clk);
            @(negedge clk);
            arvalid[e] = 1'b0;
            while (!rvalid[e]) @(negedge clk);
            got[e] = rdata[e];
            @(negedge clk);
        end
    endtask

    task check;
        input             good;
        input [8*40-1:0]  what;
        if (good === 1'b1) passed = passed + 1;
        else begin
            failed = failed + 1;
            $display("FAIL in cycle %0d: %0s", cycle, what);
        end
    endtask

    // The words of a ring of two, as `acesim rtl program show ring --members 2 --wiring ring` and
    // `acesim rtl program assemble` give them; all others are 0.
    task programs;
        input e;
        begin
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd1, 32'h80001120);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd2, 32'h800013a4);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd3, 32'h8000562a);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd17, 32'h80001120);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd18, 32'h800013a4);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd19, 32'h8000562a);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd32, 32'h5005824a);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd34, 32'h9405a302);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd36, 32'h5005824a);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd37, 32'h5005e44c);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd39, 32'h9405a302);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd40, 32'h94058404);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd42, 32'h5005e44a);
            write(e, `ACE_MAP_PROGRAM + 12'd4 * 12'd44, 32'h94058402);
        end
    endtask

    task start;
        input e;
        begin
            read(e, `ACE_MAP_ID);
            check(got[e] == 32'h41434520, "the engine says who it is");
            write(e, `ACE_MAP_WATCHDOG, 32'd100000);
            write(e, `ACE_MAP_INTERRUPT_ENABLE, 32'hff);
            write(e, `ACE_MAP_CONFIG_RING, 32'h01010102);
            write(e, `ACE_MAP_CONFIG_RANK, {31'd0, e});
            write(e, `ACE_MAP_CONFIG_CHUNK, CHUNK);
            write(e, `ACE_MAP_CONFIG_PARTITION_0, 32'd48);
            write(e, `ACE_MAP_CONFIG_PARTITION_1, 32'd48);
            write(e, `ACE_MAP_CONFIG_PARTITION_2, 32'd48);
            write(e, `ACE_MAP_CONFIG_PARTITION_3, 32'd48);
            write(e, `ACE_MAP_CONFIG_PARTITION_4, 32'd64);
            programs(e);
            write(e, `ACE_MAP_CONTROL, 32'd1);
            read(e, `ACE_MAP_CONTROL);
            check(got[e] == 32'd1, "the configuration is accepted");
        end
    endtask

    task order;                       // an all-reduce
        input e;
        begin
            write(e, `ACE_MAP_COMMAND_OPERATION, 32'h00000600);     // all-reduce, INT32, sum
            write(e, `ACE_MAP_COMMAND_DIMENSIONS, 32'h00000001);    // one dimension, x
            write(e, `ACE_MAP_COMMAND_SOURCE_LOW, SOURCE * 256);
            write(e, `ACE_MAP_COMMAND_SOURCE_HIGH, 32'd0);
            write(e, `ACE_MAP_COMMAND_DESTINATION_LOW, TARGET * 256);
            write(e, `ACE_MAP_COMMAND_DESTINATION_HIGH, 32'd0);
            write(e, `ACE_MAP_COMMAND_BYTES_LOW, rows * 256);
            write(e, `ACE_MAP_COMMAND_BYTES_HIGH, 32'd0);
            write(e, `ACE_MAP_COMMAND_DOORBELL, 32'h00001234);
            if (!e) $display("%6d  doorbell", cycle);
        end
    endtask

    task complete;
        input e;
        begin
            while (!irq[e]) @(negedge clk);
            if (!e) $display("%6d  interrupt", cycle);
            read(e, `ACE_MAP_COMPLETION);
            check(got[e] == 32'h80001234, "done, with its tag and no error");
            write(e, `ACE_MAP_COMPLETION_TAKE, 32'd1);
        end
    endtask

    // ---- what is summed ----
    function [31:0] word_of;        // word w of the source of engine e
        input         e;
        input integer w;
        word_of = e ? 32'h80000000 + w * 32'd40503 : w * 32'd2654435769;
    endfunction

    integer i, w;
    reg [31:0] expected;
    reg        whole;
    initial begin
        if ($value$plusargs("rows=%d", rows)) ;
        if (rows < 2 || rows > 64) begin
            $display("found +rows=%0d, expected 2 to 64", rows);
            $finish;
        end
        show_pins = $test$plusargs("pins") != 0;
        if ($value$plusargs("vcd=%s", vcd)) begin
            $dumpfile(vcd);
            $dumpvars(2, engine_bench);
        end
        for (i = 0; i < ROWS; i = i + 1)
            for (w = 0; w < ROW_W / 32; w = w + 1) begin
                g_node[0].g_rows.memory[i][w*32 +: 32] = i < rows ? word_of(1'b0, i * 64 + w) : 32'hdead0000;
                expected = i < rows ? word_of(1'b1, i * 64 + w) : 32'hdead0000;
                if (w < HALF) g_node[1].g_split.g_channel[0].u_memory.memory[i][w*32 +: 32] = expected;
                else          g_node[1].g_split.g_channel[1].u_memory.memory[i][(w-HALF)*32 +: 32] = expected;
            end
        repeat (4) @(negedge clk);
        rst = 1'b0;
        repeat (2) @(negedge clk);
        // Both engines run before either gets a command.
        start(1'b0);
        start(1'b1);
        order(1'b0);
        order(1'b1);
        complete(1'b0);
        complete(1'b1);
        for (i = 0; i < rows; i = i + 1) begin
            whole = 1'b1;
            for (w = 0; w < ROW_W / 32; w = w + 1) begin
                expected = word_of(1'b0, i * 64 + w) + word_of(1'b1, i * 64 + w);
                if (g_node[0].g_rows.memory[TARGET + i][w*32 +: 32] !== expected) whole = 1'b0;
                if ((w < HALF ? g_node[1].g_split.g_channel[0].u_memory.memory[TARGET + i][w*32 +: 32] :
                     g_node[1].g_split.g_channel[1].u_memory.memory[TARGET + i][(w-HALF)*32 +: 32]) !== expected)
                    whole = 1'b0;
            end
            check(whole, "a row of the sum");
        end
        check(!g_node[1].g_split.g_channel[0].u_memory.wrong && !g_node[1].g_split.g_channel[1].u_memory.wrong,
              "addresses lie in the channels' memories");
        $display("%0d passed, %0d failed", passed, failed);
        $finish;
    end
    initial begin
        #400000000;     // half a million cycles: nothing here takes so long
        $display("FAIL nothing came to an end");
        $display("%0d passed, %0d failed", passed, failed + 1);
        $finish;
    end

endmodule

// axi_memory -- an AXI4 memory: one burst each way at a time, DELAY cycles before each answer and row
module axi_memory #(
    parameter DATA_W = 1024,
    parameter WORDS  = 256,
    parameter WINDOW = 0,           // bits 63:48 of its addresses
    parameter DELAY  = 0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                arvalid,
    output wire                arready,
    input  wire [3:0]          arid,
    input  wire [63:0]         araddr,
    input  wire [7:0]          arlen,
    input  wire [2:0]          arsize,
    input  wire [1:0]          arburst,
    output wire                rvalid,
    input  wire                rready,
    output wire [3:0]          rid,
    output wire [DATA_W-1:0]   rdata,
    output wire [1:0]          rresp,
    output wire                rlast,
    input  wire                awvalid,
    output wire                awready,
    input  wire [3:0]          awid,
    input  wire [63:0]         awaddr,
    input  wire [7:0]          awlen,
    input  wire [2:0]          awsize,
    input  wire [1:0]          awburst,
    input  wire                wvalid,
    output wire                wready,
    input  wire [DATA_W-1:0]   wdata,
    input  wire [DATA_W/8-1:0] wstrb,
    input  wire                wlast,
    output wire                bvalid,
    input  wire                bready,
    output wire [3:0]          bid,
    output wire [1:0]          bresp
);

    localparam AT = $clog2(DATA_W / 8);         // bits of an address below a word
    reg [DATA_W-1:0] memory [0:WORDS-1];
    reg              reading_q, writing_q, answer_q, wrong;
    reg [63:0]       read_q, write_q;           // byte addresses
    reg [7:0]        left_q, write_left_q;
    reg [3:0]        read_id_q, write_id_q;
    reg [DATA_W-1:0] mask;                      // of the bytes that are written
    integer          read_wait_q, write_wait_q, i;

    assign arready = !reading_q;
    assign rvalid  = reading_q && read_wait_q == 0;
    assign rid     = read_id_q;
    assign rdata   = memory[read_q / (DATA_W / 8) % WORDS];
    assign rresp   = 2'b00;
    assign rlast   = left_q == 8'd0;
    assign awready = !writing_q && !answer_q;
    assign wready  = writing_q;
    assign bvalid  = answer_q && write_wait_q == 0;
    assign bid     = write_id_q;
    assign bresp   = 2'b00;
    always @* for (i = 0; i < DATA_W / 8; i = i + 1) mask[i*8 +: 8] = {8{wstrb[i]}};

    wire [63:0] write_at = write_q / (DATA_W / 8) % WORDS;

    function legal;                             // whole words of this memory, one behind the other
        input [63:0] addr;
        input [2:0]  size;
        input [1:0]  burst;
        legal = addr[63:48] == WINDOW && addr[47:0] < WORDS * DATA_W / 8 && addr[47:0] % (DATA_W / 8) == 0 &&
                size == AT && burst == 2'b01;
    endfunction

    always @(posedge clk)
        if (rst) begin
            reading_q <= 1'b0;
            writing_q <= 1'b0;
            answer_q  <= 1'b0;
            wrong     <= 1'b0;
        end else begin
            if (arvalid && arready) begin
                reading_q   <= 1'b1;
                read_q      <= araddr;
                read_id_q   <= arid;
                left_q      <= arlen;
                read_wait_q <= DELAY;
                if (!legal(araddr, arsize, arburst)) wrong <= 1'b1;
            end else if (rvalid && rready) begin
                read_q      <= read_q + DATA_W / 8;
                left_q      <= left_q - 8'd1;
                reading_q   <= !rlast;
                read_wait_q <= DELAY;
            end else if (reading_q && read_wait_q != 0)
                read_wait_q <= read_wait_q - 1;
            if (awvalid && awready) begin
                writing_q    <= 1'b1;
                write_q      <= awaddr;
                write_id_q   <= awid;
                write_left_q <= awlen;
                if (!legal(awaddr, awsize, awburst)) wrong <= 1'b1;
            end
            if (wvalid && wready) begin
                memory[write_at] <= (memory[write_at] & ~mask) | (wdata & mask);
                write_q      <= write_q + DATA_W / 8;
                write_left_q <= write_left_q - 8'd1;
                if (wlast != (write_left_q == 8'd0)) wrong <= 1'b1;
                if (wlast) begin
                    writing_q    <= 1'b0;
                    answer_q     <= 1'b1;
                    write_wait_q <= DELAY;
                end
            end
            if (answer_q && write_wait_q != 0) write_wait_q <= write_wait_q - 1;
            if (bvalid && bready) answer_q <= 1'b0;
        end

endmodule

`default_nettype wire

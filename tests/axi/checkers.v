// SPDX-License-Identifier: Apache-2.0
//
// checkers -- the checkers of links, of registers and of their interrupt, on pins that keep their rules, and on pins
// that break one
//
// Each case begins after a reset, is legal for some cycles, and then breaks one rule, or none.  The last line is
// "ok: N cases" or what was found and expected.

`default_nettype none
`timescale 1ns/1ns

module checkers;
    reg clk = 1'b0, rst = 1'b1;
    always #1 clk = !clk;

    // ---- a link: two places for plain packets, one for routed ones ----
    reg        rx_frame, rx_valid, rx_routed, rx_credit, rx_routed_credit, tx_frame, tx_resend, tx_valid, tx_routed;
    reg        tx_credit, tx_routed_credit, tx_grant;
    reg [15:0] rx_number, tx_number, tx_ack;
    reg [7:0]  tx_context, tx_peer;
    reg [2047:0] tx_data;
    reg [31:0] flip;                // wrong bits of a CRC
    wire [31:0] of_row, crc;
    wire [3:0] link_rule;
    // The RTL sums a row in parts; the checker computes the CRC of the frame a bit at a time.
    ace_crc_sum #(.WORDS(64), .STRIDE(1), .AFTER(6)) row (.on(1'b1), .words(tx_data), .sum(of_row));
    ace_link_crc code (.frame(tx_frame), .head({tx_peer, 24'd0, tx_context, tx_resend, 1'b0, tx_routed_credit, tx_routed,
        tx_grant, tx_credit, 1'b0, tx_valid}), .route(64'd0), .number(tx_number), .ack(tx_ack), .sum(of_row), .crc(crc));
    ace_link_checker #(.INPUT_ROWS(2), .ROUTED_INPUT_ROWS(1), .FRAMES(4)) link (
        .clk(clk), .rst(rst), .rx_frame(rx_frame), .rx_number(rx_number), .rx_valid(rx_valid), .rx_routed(rx_routed),
        .rx_credit(rx_credit), .rx_routed_credit(rx_routed_credit), .rx_grant_valid(1'b0),
        .tx_frame(tx_frame), .tx_resend(tx_resend), .tx_number(tx_number), .tx_ack(tx_ack), .tx_crc(crc ^ flip), .tx_data(tx_data),
        .tx_valid(tx_valid),
        .tx_context(tx_context), .tx_reduce(1'b0), .tx_mark(8'd0), .tx_routed(tx_routed), .tx_route(64'd0),
        .tx_credit(tx_credit), .tx_routed_credit(tx_routed_credit), .tx_grant_valid(tx_grant),
        .tx_grant_context(8'd0), .tx_grant_mark(8'd0), .tx_grant_peer(tx_peer), .rule(link_rule));

    // ---- registers ----
    reg        awvalid, wvalid, bvalid, arvalid, rvalid, ready, taken;
    reg [11:0] awaddr, araddr;
    reg [31:0] wdata, rdata;
    reg [1:0]  bresp;
    wire [3:0] axil_rule;
    ace_axil_checker axil (
        .clk(clk), .rst(rst), .awvalid(awvalid), .awready(ready), .awaddr(awaddr), .wvalid(wvalid), .wready(ready),
        .wdata(wdata), .wstrb(4'hf), .bvalid(bvalid), .bready(taken), .bresp(bresp),
        .arvalid(arvalid), .arready(ready), .araddr(araddr), .rvalid(rvalid), .rready(taken), .rdata(rdata), .rresp(2'd0),
        .rule(axil_rule));

    // ---- the interrupt, seen beside the registers ----
    reg        irq;
    wire [2:0] irq_rule;
    ace_interrupt_checker interrupt (
        .clk(clk), .rst(rst), .awvalid(awvalid), .awready(ready), .awaddr(awaddr), .wvalid(wvalid), .wready(ready),
        .wdata(wdata), .wstrb(4'hf), .bvalid(bvalid), .bready(taken), .arvalid(arvalid), .arready(ready), .araddr(araddr),
        .rvalid(rvalid), .rdata(rdata), .irq(irq), .rule(irq_rule));

    `include "ace_register_map.vh"
    localparam [11:0] CONTROL = `ACE_MAP_CONTROL, IRQ_STATUS = `ACE_MAP_INTERRUPT_STATUS,
        IRQ_ENABLE = `ACE_MAP_INTERRUPT_ENABLE, DOORBELL = `ACE_MAP_COMMAND_DOORBELL, COMPLETION = `ACE_MAP_COMPLETION,
        TAKE = `ACE_MAP_COMPLETION_TAKE;

    integer cases = 0, wrong = 0, i;
    task quiet;
        begin
            {rx_frame, rx_valid, rx_routed, rx_credit, rx_routed_credit} = 5'd0;
            {tx_frame, tx_resend, tx_valid, tx_routed, tx_credit, tx_routed_credit, tx_grant} = 7'd0;
            {tx_context, tx_peer} = 16'd0;
            {tx_data, flip} = 2080'd0;
            {awvalid, wvalid, bvalid, arvalid, rvalid} = 5'd0;
            {ready, taken} = 2'b11;
        end
    endtask
    task tick; begin @(negedge clk); quiet; end endtask
    task start;
        begin
            quiet;
            {rx_number, tx_number, tx_ack} = 48'd0;
            irq = 1'b0;
            {awaddr, araddr, wdata, rdata, bresp} = 90'd0;
            rst = 1'b1; tick; tick; rst = 1'b0; tick;
        end
    endtask
    task sends; input valid, routed, credit, routed_credit;     // the next frame
        begin
            {tx_frame, tx_valid, tx_routed, tx_credit, tx_routed_credit} = {1'b1, valid, routed, credit, routed_credit};
            tx_context = valid ? 8'd5 : 8'd0;
            tick; tx_number = tx_number + 16'd1;
        end
    endtask
    task comes; input valid, routed, credit, routed_credit;
        begin
            {rx_frame, rx_valid, rx_routed, rx_credit, rx_routed_credit} = {1'b1, valid, routed, credit, routed_credit};
            tick; rx_number = rx_number + 16'd1;
        end
    endtask
    task expect_; input [3:0] l, a;
        begin
            tick; cases = cases + 1;
            if (link_rule != l || axil_rule != a) begin
                $display("case %0d: found rules %0d of the link, %0d of the registers, expected %0d, %0d", cases, link_rule,
                    axil_rule, l, a);
                wrong = wrong + 1;
            end
        end
    endtask

    task expect_irq; input [2:0] i;
        begin
            tick; cases = cases + 1;
            if (irq_rule != i || axil_rule != 4'd0) begin
                $display("case %0d: found rules %0d of the interrupt, %0d of the registers, expected %0d, 0", cases, irq_rule,
                    axil_rule, i);
                wrong = wrong + 1;
            end
        end
    endtask
    // A write as the engine answers it, and a read; irq changes with the answer where a case says so.
    task writes; input [11:0] at; input [31:0] value; input after;
        begin
            awvalid = 1'b1; wvalid = 1'b1; awaddr = at; wdata = value; tick; tick;
            bvalid = 1'b1; irq = after; tick; tick; tick;
        end
    endtask
    task reads; input [11:0] at; input [31:0] value;
        begin arvalid = 1'b1; araddr = at; tick; rvalid = 1'b1; rdata = value; tick; end
    endtask

    initial begin
        @(negedge clk);
        // a link that keeps its rules: both places in use, given back, used again; a frame again; an acknowledgement alone
        start; sends(1, 0, 0, 0); sends(1, 0, 0, 0); sends(1, 1, 0, 0); comes(0, 0, 1, 0); sends(1, 0, 0, 0);
        comes(1, 0, 0, 0); comes(1, 1, 0, 0); tx_ack = 16'd3; sends(0, 0, 1, 1);
        tx_number = 16'd3; tx_frame = 1'b1; tx_valid = 1'b1; tick; tx_number = 16'd5;
        tx_frame = 1'b1; tx_resend = 1'b1; tick; comes(0, 0, 1, 1); sends(1, 1, 0, 0); sends(1, 0, 0, 0);
        expect_(0, 0);
        start; tx_valid = 1'b1; expect_(1, 0);
        start; tx_resend = 1'b1; expect_(1, 0);
        start; tx_frame = 1'b1; tx_credit = 1'b1; tx_context = 8'd1; expect_(2, 0);
        start; tx_frame = 1'b1; tx_credit = 1'b1; tx_peer = 8'd1; expect_(2, 0);
        start; sends(1, 0, 0, 0); tx_number = 16'd2; tx_frame = 1'b1; tx_grant = 1'b1; expect_(3, 0);
        start; for (i = 0; i < 5; i = i + 1) begin tx_frame = 1'b1; tx_grant = 1'b1; tick; tx_number = tx_number + 16'd1; end
        tx_number = 16'd0; tx_frame = 1'b1; tx_grant = 1'b1; expect_(3, 0);
        start; tx_ack = 16'd1; tx_frame = 1'b1; expect_(4, 0);
        start; tx_frame = 1'b1; tx_credit = 1'b1; tx_data[5] = 1'b1; expect_(2, 0);
        for (i = 0; i < 3; i = i + 1) begin
            start; tx_data = {32{64'h0123456789abcdef}}; tx_frame = 1'b1; tx_valid = 1'b1; tx_context = 8'd5;
            flip = i == 0 ? 32'd0 : i == 1 ? 32'd1 : 32'h80000000; expect_(i == 0 ? 0 : 11, 0);
        end
        start; sends(1, 0, 0, 0); sends(1, 0, 0, 0); sends(1, 0, 0, 0); expect_(5, 0);
        start; sends(1, 1, 0, 0); sends(1, 0, 0, 0); sends(1, 1, 0, 0); expect_(6, 0);
        start; comes(1, 1, 0, 0); sends(0, 0, 1, 0); expect_(7, 0);
        start; comes(1, 0, 0, 0); sends(0, 0, 0, 1); expect_(8, 0);
        // a credit that comes again is none
        start; sends(1, 0, 0, 0); sends(1, 0, 0, 0); comes(0, 0, 1, 0); rx_number = 16'd0; comes(0, 0, 1, 0);
        sends(1, 0, 0, 0); sends(1, 0, 0, 0); expect_(5, 0);
        start; tx_frame = 1'bx; expect_(10, 0);
        start; rst = 1'b1; tick; rst = 1'b0; tx_frame = 1'b1; tick; expect_(9, 0);

        // registers that keep their rules: data before its address, an answer that waits
        start; wvalid = 1'b1; tick; awvalid = 1'b1; arvalid = 1'b1; tick; bvalid = 1'b1; rvalid = 1'b1; taken = 1'b0; tick;
        bvalid = 1'b1; rvalid = 1'b1; tick; ready = 1'b0; awvalid = 1'b1; tick; awvalid = 1'b1; tick; expect_(0, 0);
        start; ready = 1'b0; awvalid = 1'b1; tick; expect_(0, 1);
        start; ready = 1'b0; awvalid = 1'b1; tick; awvalid = 1'b1; awaddr = 12'd4; expect_(0, 1);
        start; ready = 1'b0; wvalid = 1'b1; tick; wvalid = 1'b1; wdata = 32'd1; expect_(0, 2);
        start; ready = 1'b0; arvalid = 1'b1; tick; expect_(0, 3);
        start; wvalid = 1'b1; awvalid = 1'b1; tick; bvalid = 1'b1; taken = 1'b0; tick; expect_(0, 4);
        start; arvalid = 1'b1; tick; rvalid = 1'b1; taken = 1'b0; tick; rvalid = 1'b1; rdata = 32'd1; expect_(0, 5);
        start; awvalid = 1'b1; tick; bvalid = 1'b1; expect_(0, 6);
        start; wvalid = 1'b1; awvalid = 1'b1; tick; bvalid = 1'b1; tick; bvalid = 1'b1; expect_(0, 6);
        start; rst = 1'b1; tick; rst = 1'b0; rvalid = 1'b1; tick; expect_(0, 8);
        start; rvalid = 1'b1; expect_(0, 7);
        start; rvalid = 1'bx; expect_(0, 9);

        // an interrupt that keeps its rules: enabled, an event, read, a completion taken, cleared, and again after a stop
        start; writes(IRQ_ENABLE, 32'h3ff, 0); reads(IRQ_STATUS, 32'd0); writes(DOORBELL, 32'd7, 0); irq = 1'b1; tick;
        reads(IRQ_STATUS, 32'd1); reads(COMPLETION, 32'h80000007); reads(COMPLETION, 32'h80000007); writes(TAKE, 32'd1, 1);
        reads(COMPLETION, 32'd0); writes(IRQ_STATUS, 32'd1, 0); writes(DOORBELL, 32'd8, 1); writes(CONTROL, 32'd0, 0);
        writes(DOORBELL, 32'd9, 1); reads(COMPLETION, 32'h80000009); expect_irq(0);
        start; rst = 1'b1; tick; rst = 1'b0; irq = 1'b1; tick; expect_irq(1);
        start; tick; irq = 1'b1; tick; expect_irq(2);
        start; writes(IRQ_ENABLE, 32'd1, 0); irq = 1'b1; tick; writes(IRQ_ENABLE, 32'd0, 1); expect_irq(2);
        start; writes(IRQ_ENABLE, 32'd1, 0); irq = 1'b1; tick; tick; irq = 1'b0; tick; expect_irq(3);
        start; writes(IRQ_ENABLE, 32'd1, 0); irq = 1'b1; tick; reads(IRQ_STATUS, 32'd2); expect_irq(4);
        start; writes(IRQ_ENABLE, 32'd1, 0); reads(IRQ_STATUS, 32'd1); expect_irq(4);
        start; reads(COMPLETION, 32'h80000001); expect_irq(5);
        start; writes(DOORBELL, 32'd1, 0); reads(COMPLETION, 32'h80000001); writes(TAKE, 32'd1, 0);
        reads(COMPLETION, 32'h80000001); expect_irq(5);
        start; writes(DOORBELL, 32'd1, 0); reads(COMPLETION, 32'h80000001); reads(COMPLETION, 32'h80000002); expect_irq(6);
        start; writes(DOORBELL, 32'd1, 0); reads(COMPLETION, 32'h80000001); reads(COMPLETION, 32'd0); expect_irq(6);
        start; irq = 1'bx; expect_irq(7);
        if (wrong == 0) $display("ok: %0d cases", cases);
        $finish;
    end
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// axil_slave -- ace_axil_slave answers each request of AXI4-Lite once, and shows each write once
//
// The master offers and takes when it likes; registers, and what holds writes, are any.
//
// Properties
//   stable    an answer stays, with what it says, until it is taken
//   once      an answer is there for each address and data taken, and none without them
//   prompt    in the cycle after a write that nothing holds, and after a read is taken
//   write     a write is shown to the registers in one cycle, that before its answer, with its address and
//             those bytes alone that it writes, if the register is known and there is a byte; the answer
//             says whether it was known
//   read      the answer is the word that the register had in the cycle in which the read was taken
//   protected an access that is not privileged does nothing, and is answered SLVERR, without a word
//   idle      is said when nothing is here
//   rate      cover: three writes and three reads, each in two cycles

`default_nettype none

module axil_slave (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire [11:0] awaddr,
    input wire [2:0]  awprot,
    input wire        wvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bready,
    input wire        arvalid,
    input wire [11:0] araddr,
    input wire [2:0]  arprot,
    input wire        rready,
    input wire        hold,
    input wire        write_known,
    input wire        read_known,
    input wire [31:0] read_word
);
    wire        awready, wready, bvalid, arready, rvalid, write, idle;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata, write_set, write_keep;
    wire [11:0] write_addr, read_addr;

    ace_axil_slave dut (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(awprot),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(arprot),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
        .s_hold(hold), .m_write_addr(write_addr), .s_write_known(write_known), .m_write(write),
        .m_write_set(write_set), .m_write_keep(write_keep), .m_read_addr(read_addr),
        .s_read_known(read_known), .s_read_word(read_word), .idle(idle));

    `include "live.vh"

    wire aw = awvalid && awready, w = wvalid && wready, b = bvalid && bready;
    wire ar = arvalid && arready, r = rvalid && rready;

    reg        has_address, has_data;       // halves of a write that were taken
    reg [11:0] address;
    reg        privileged;
    reg [31:0] word;
    reg [3:0]  bytes;
    wire       go = has_address && has_data && !bvalid && !hold;    // they are a write now
    wire [31:0] mask = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
    reg        writing, reading;            // an answer that was not taken
    reg [1:0]  write_says;
    reg [33:0] read_says;
    reg        stays_b, stays_r;            // an answer was not taken a cycle ago: which
    reg [1:0]  b_was;
    reg [33:0] r_was;
    always @(posedge clk) begin
        stays_b <= bvalid && !bready && !rst;
        stays_r <= rvalid && !rready && !rst;
        b_was   <= bresp;
        r_was   <= {rdata, rresp};
        if (rst) {has_address, has_data, writing, reading} <= 4'd0;
        else begin
            has_address <= aw || (has_address && !go);
            has_data    <= w || (has_data && !go);
            writing     <= go || (writing && !b);
            reading     <= ar || (reading && !r);
        end
        if (aw) {address, privileged} <= {awaddr, awprot[0]};
        if (w) {word, bytes} <= {wdata, wstrb};
        if (go) write_says <= write_known && privileged ? 2'b00 : 2'b10;
        if (ar) read_says <= {arprot[0] ? read_word : 32'd0, read_known && arprot[0] ? 2'b00 : 2'b10};
    end

    always @* if (live) begin
        assert (!stays_b || (bvalid && bresp == b_was));
        assert (!stays_r || (rvalid && {rdata, rresp} == r_was));
        assert (awready == !has_address && wready == !has_data && arready == !reading);
        assert (bvalid == writing && rvalid == reading);
        assert (!bvalid || bresp == write_says);
        assert (!rvalid || {rdata, rresp} == read_says);
        assert (write == (go && write_known && privileged && bytes != 4'd0));
        assert (!go || write_addr == address);
        assert (!write || (write_keep == ~mask && write_set == (word & mask)));
        assert (!ar || read_addr == araddr);
        assert (idle == !(has_address || has_data || writing || reading));
    end

    reg [2:0] writes, reads;
    reg [3:0] cycles;
    always @(posedge clk) begin
        cycles <= rst ? 4'd0 : cycles + (cycles != 4'd15);
        writes <= rst ? 3'd0 : writes + (b && bresp == 2'b00);
        reads  <= rst ? 3'd0 : reads + r;
    end
    always @* if (live) cover (writes == 3'd3 && reads == 3'd3 && cycles <= 4'd8);
endmodule

`default_nettype wire

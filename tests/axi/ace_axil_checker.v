// SPDX-License-Identifier: Apache-2.0
//
// ace_axil_checker -- reports the first broken rule of AXI4-Lite between software and registers
//
//   every pin but data of writes and reads is an input; rule is 0 until one is broken, then its number
//
// The rules of AMBA AXI4-Lite, in our words (Arm IHI 0022, chapters A3 and B1):
//   1, 2, 3  an address or data that is shown and not taken stays unchanged (aw, w, ar)
//   4, 5     an answer stays unchanged, too (b, r)
//   6        b comes only after an address and data of a write that has no answer yet
//   7        r comes only after a read that has no answer yet
//   8        right after a reset there is no answer
//   9        no control pin is unknown (x or z; only simulators with these values see it)
//
// Contract
//   Binding     see ace_engine_bind.sv.
//   Language    Verilog-2005 that Icarus Verilog, Verilator and Yosys read.
//   Reset       rst is synchronous, active high.

`default_nettype none

module ace_axil_checker (
    input  wire        clk,
    input  wire        rst,
    input  wire        awvalid,
    input  wire        awready,
    input  wire [11:0] awaddr,
    input  wire        wvalid,
    input  wire        wready,
    input  wire [31:0] wdata,
    input  wire [3:0]  wstrb,
    input  wire        bvalid,
    input  wire        bready,
    input  wire [1:0]  bresp,
    input  wire        arvalid,
    input  wire        arready,
    input  wire [11:0] araddr,
    input  wire        rvalid,
    input  wire        rready,
    input  wire [31:0] rdata,
    input  wire [1:0]  rresp,
    output reg  [3:0]  rule
);

    reg        aw_waits, w_waits, ar_waits, b_waits, r_waits, fresh;
    reg [11:0] aw_was, ar_was;
    reg [35:0] w_was;
    reg [1:0]  b_was;
    reg [33:0] r_was;
    reg [7:0]  addresses, data, reads;      // taken and not answered

    always @(posedge clk) begin
        {aw_waits, w_waits, ar_waits, b_waits, r_waits} <= rst ? 5'd0 :
            {awvalid && !awready, wvalid && !wready, arvalid && !arready, bvalid && !bready, rvalid && !rready};
        fresh  <= rst;
        aw_was <= awaddr;
        w_was  <= {wdata, wstrb};
        ar_was <= araddr;
        b_was  <= bresp;
        r_was  <= {rdata, rresp};
        addresses <= rst ? 8'd0 : addresses + {7'd0, awvalid && awready} - {7'd0, bvalid && bready};
        data      <= rst ? 8'd0 : data + {7'd0, wvalid && wready} - {7'd0, bvalid && bready};
        reads     <= rst ? 8'd0 : reads + {7'd0, arvalid && arready} - {7'd0, rvalid && rready};
    end

    // Icarus Verilog alone knows x; elsewhere the reduction is a bit like any other.
    wire unknown = (^{awvalid, wvalid, arvalid, bvalid, rvalid}) === 1'bx ||
                   (awvalid && (^{awready, awaddr}) === 1'bx) || (wvalid && (^{wready, wstrb}) === 1'bx) ||
                   (arvalid && (^{arready, araddr}) === 1'bx) || (bvalid && (^{bready, bresp}) === 1'bx) ||
                   (rvalid && (^{rready, rdata, rresp}) === 1'bx);

    always @(posedge clk) begin
        if (rst)
            rule <= 4'd0;
        else if (rule == 4'd0)
            rule <= unknown                                             ? 4'd9 :
                    fresh && (bvalid || rvalid)                         ? 4'd8 :
                    aw_waits && (!awvalid || awaddr != aw_was)          ? 4'd1 :
                    w_waits && (!wvalid || {wdata, wstrb} != w_was)     ? 4'd2 :
                    ar_waits && (!arvalid || araddr != ar_was)          ? 4'd3 :
                    b_waits && (!bvalid || bresp != b_was)              ? 4'd4 :
                    r_waits && (!rvalid || {rdata, rresp} != r_was)     ? 4'd5 :
                    bvalid && (addresses == 8'd0 || data == 8'd0)       ? 4'd6 :
                    rvalid && reads == 8'd0                             ? 4'd7 : 4'd0;
    end

endmodule

`default_nettype wire

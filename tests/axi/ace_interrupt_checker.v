// SPDX-License-Identifier: Apache-2.0
//
// ace_interrupt_checker -- reports the first broken rule of irq and the completion registers
//
//   s_axil_*, irq are inputs; rule is 0 until one is broken, then its number
//
// The rules of docs/reference/registers.md, as software sees them:
//   1        right after a reset irq is low
//   2        irq is high only while INTERRUPT_ENABLE, as it was written, has a bit
//   3        irq falls only by a write of a register
//   4        a read of INTERRUPT_STATUS returns an enabled bit if irq was high when it was taken,
//            and none if irq was low
//   5        COMPLETION is valid only while more doorbells were written than completions were taken
//   6        the completion that was read stays the same until it is taken, or the engine is
//            stopped
//   7        irq is known (neither x nor z; seen by simulators that know these)
//
// Contract
//   Writes      A write counts when its answer comes.  From the first half of a write until a cycle
//               after its answer, the rules that it may affect are not checked.
//   Binding     see ace_engine_bind.sv.
//   Language    Verilog-2005 that Icarus Verilog, Verilator and Yosys read.
//   Reset       rst is synchronous, active high.

`default_nettype none

`include "ace_register_map.vh"

module ace_interrupt_checker (
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
    input  wire        arvalid,
    input  wire        arready,
    input  wire [11:0] araddr,
    input  wire        rvalid,
    input  wire [31:0] rdata,
    input  wire        irq,
    output reg  [2:0]  rule
);

    reg         fresh, irq_was, settled_was, b_waits, read_q;
    reg         aw_here, w_here;            // a half of a write that has no answer
    reg  [11:0] awaddr_q, araddr_q;
    reg  [31:0] wdata_q;
    reg  [3:0]  wstrb_q;
    reg  [9:0]  enable_q;
    reg  [15:0] owed_q;                     // doorbells whose completions were not taken
    reg         shown_q;                    // a completion was read, and not taken
    reg  [31:0] shown_word_q;

    wire        settled = !awvalid && !wvalid && !aw_here && !w_here && !bvalid;
    wire        answer  = bvalid && !b_waits;           // to the write that is here
    wire [31:0] mask    = {{8{wstrb_q[3]}}, {8{wstrb_q[2]}}, {8{wstrb_q[1]}}, {8{wstrb_q[0]}}};
    wire        written = answer && wstrb_q != 4'd0;
    wire        stops   = written && awaddr_q == `ACE_MAP_CONTROL;
    wire        takes   = written && awaddr_q == `ACE_MAP_COMPLETION_TAKE;
    wire        rings   = written && awaddr_q == `ACE_MAP_COMMAND_DOORBELL;
    wire        status  = read_q && araddr_q == `ACE_MAP_INTERRUPT_STATUS;
    wire        shows   = read_q && araddr_q == `ACE_MAP_COMPLETION && rdata[`ACE_MAP_COMPLETION_VALID];

    always @(posedge clk) begin
        fresh       <= rst;
        irq_was     <= irq;
        settled_was <= settled;
        b_waits     <= !rst && bvalid && !bready;
        read_q      <= !rst && arvalid && arready;      // the answer comes in the next cycle
        araddr_q    <= araddr;
        if (awvalid && awready) awaddr_q <= awaddr;
        if (wvalid && wready) {wdata_q, wstrb_q} <= {wdata, wstrb};
        aw_here <= !rst && ((awvalid && awready) || (aw_here && !answer));
        w_here  <= !rst && ((wvalid && wready) || (w_here && !answer));
        if (rst)
            enable_q <= 10'd0;
        else if (written && awaddr_q == `ACE_MAP_INTERRUPT_ENABLE)
            enable_q <= (enable_q & ~mask[9:0]) | (wdata_q[9:0] & mask[9:0]);
        owed_q <= rst || stops ? 16'd0 : owed_q + {15'd0, rings} - {15'd0, takes && shown_q};
        if (rst || stops || takes)
            shown_q <= 1'b0;
        else if (shows && settled) begin
            shown_q      <= 1'b1;
            shown_word_q <= rdata;
        end
    end

    wire quiet = settled && settled_was;

    always @(posedge clk) begin
        if (rst)
            rule <= 3'd0;
        else if (rule == 3'd0)
            rule <= (^irq) === 1'bx                                                      ? 3'd7 :
                    fresh && irq                                                        ? 3'd1 :
                    quiet && irq && enable_q == 10'd0                                   ? 3'd2 :
                    quiet && irq_was && !irq && !fresh                                  ? 3'd3 :
                    quiet && status && |(rdata[9:0] & enable_q) != irq_was              ? 3'd4 :
                    quiet && shows && owed_q == 16'd0                                   ? 3'd5 :
                    quiet && read_q && araddr_q == `ACE_MAP_COMPLETION && shown_q &&
                    rdata != shown_word_q                                               ? 3'd6 : 3'd0;
    end

    // an answer that is not checked while it waits
    wire unused = &{1'b0, rvalid, wdata_q[31:10], mask[31:10]};

endmodule

`default_nettype wire

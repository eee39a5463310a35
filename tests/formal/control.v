// SPDX-License-Identifier: Apache-2.0
//
// control -- ace_control: a doorbell is a command or a refusal, once, and what is taken comes back once
//
// Software writes and reads what it likes.  The engine takes a command when it likes, and says once of each
// that it took that it is done; its faults, and what the memory does, are any.  The slots of prepared commands
// are not enabled: see trigger.v.
//
// Properties
//   stable    an answer of AXI4-Lite, and a command, stays as it is until it is taken; a stop takes
//             the command back
//   once      no answer is given but to a request; no command but by a doorbell, in the cycle of its answer, with its
//             tag, and never while the engine is in reset
//   prompt    a write is answered in the third cycle at most, but for those in which something is done
//   outstanding  STATUS says how many commands were given and are not done; those, and what waits among the
//             completions, are never more than COMPLETIONS
//   completion   there is one for each command that is done, and for each doorbell that is refused while there
//             is a place; any one, chosen freely, is read with its tag after exactly those before it were taken
//   rate      cover: two commands are given, done, and their completions taken

`default_nettype none

// registers that hold what was written are any numbers
// cut: dut.held_word
// cut: dut.config_sane
// cut: dut.next_kind
// cut: dut.next_type
// cut: dut.next_op
// cut: dut.next_dim_count
// cut: dut.next_dims
// cut: dut.next_source
// cut: dut.next_destination
// cut: dut.next_bytes
// cut: dut.patience

`include "../../rtl/ace_register_map.vh"

module control #(
    parameter COMPLETIONS = 2
) (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire [11:0] awaddr,
    input wire        wvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bready,
    input wire        arvalid,
    input wire [11:0] araddr,
    input wire        rready,
    input wire        cmd_ready,
    input wire        done_valid,
    input wire [15:0] done_tag,
    input wire [8:0]  faults,
    input wire        memory_busy,
    input wire        moved,
    input wire        choose
);
    wire        awready, wready, bvalid, arready, rvalid, core_rst, cmd_valid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;
    wire [15:0] cmd_tag;
    wire [40:0] cmd_bytes;

    ace_control #(.COMPLETIONS(COMPLETIONS), .TRIGGERS(2)) dut (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd1),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(3'd1),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
        .m_core_rst(core_rst), .m_cmd_valid(cmd_valid), .m_cmd_ready(cmd_ready), .m_cmd_tag(cmd_tag),
        .m_cmd_bytes(cmd_bytes), .s_done_valid(done_valid), .s_done_tag(done_tag),
        .s_core_idle(1'b0), .s_moved(moved), .s_memory_busy(memory_busy),
        .s_mismatch(faults[0]), .s_link_failed({8{faults[1]}}), .s_link_state(16'd0), .s_read_failed(faults[2]), .s_write_failed(faults[3]),
        .s_protocol_failed(faults[7]), .s_protocol_failed_addr(48'd0), .s_memory_lost(faults[8]),
        .s_scratchpad_failed(faults[4]), .s_transfer_failed(faults[5]), .s_parity_failed(faults[6]),
        .s_read_failed_resp(2'd0), .s_read_failed_addr(48'd0), .s_write_failed_resp(2'd0),
        .s_write_failed_addr(48'd0), .s_scratchpad_failed_bank(2'd0), .s_scratchpad_failed_row(12'd0),
        .s_count_corrected(32'd0), .s_count_failed(32'd0), .s_transfer_failed_list(1'b0),
        .s_transfer_failed_addr(48'd0), .s_count_refused(32'd0), .s_parity_failed_at(16'd0), .s_count_parity(32'd0),
        .s_read_error(1'b0), .s_write_error(1'b0), .s_count(48'd0),
        .m_flag_aw_ready(1'b0), .m_flag_w_ready(1'b0), .s_flag_b_valid(1'b0), .s_flag_b_resp(2'd0));

    `include "live.vh"

    wire aw = awvalid && awready, w = wvalid && wready, b = bvalid && bready;
    wire ar = arvalid && arready, r = rvalid && rready;
    wire done = done_valid && !core_rst;

    // ---- AXI4-Lite: halves of a write that were taken, and are not answered ----
    reg        has_address, has_data, reading, b_was, b_stays, r_stays, waited, late;
    reg [11:0] address, read_address;
    reg [31:0] word;
    reg [3:0]  bytes;
    reg [1:0]  bresp_was;
    reg [33:0] r_was;
    wire       answer  = bvalid && !b_was;          // its first cycle: the write was done in the one before
    wire       written = answer && bresp == 2'b00;
    wire [31:0] mask = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
    always @(posedge clk) begin
        b_was     <= bvalid && !rst;
        b_stays   <= bvalid && !bready && !rst;
        bresp_was <= bresp;
        r_stays   <= rvalid && !rready && !rst;
        r_was     <= {rdata, rresp};
        late      <= waited && has_address && has_data && !bvalid && !rst;
        waited    <= !rst && has_address && has_data && !bvalid && !done;
        if (rst) {has_address, has_data, reading} <= 3'd0;
        else begin
            has_address <= aw || (has_address && !answer);
            has_data    <= w || (has_data && !answer);
            reading     <= ar || (reading && !r);
        end
        if (aw) address <= awaddr;
        if (w) {word, bytes} <= {wdata, wstrb};
        if (ar) read_address <= araddr;
    end
    wire doorbell = written && address == `ACE_MAP_COMMAND_DOORBELL && bytes != 4'd0;
    wire take     = written && address == `ACE_MAP_COMPLETION_TAKE && bytes != 4'd0;
    wire stop     = written && address == `ACE_MAP_CONTROL && bytes[0] && !word[0];

    // ---- commands ----
    reg         cmd_was, cmd_stays;
    reg  [56:0] cmd;
    wire        given = cmd_valid && !cmd_was;
    reg  [3:0]  engine;                             // commands that it took and that are not done
    always @(posedge clk) begin
        cmd_was   <= cmd_valid && !rst;
        cmd_stays <= cmd_valid && !cmd_ready && !rst;
        cmd       <= {cmd_tag, cmd_bytes};
        engine    <= rst || core_rst ? 4'd0 : engine + (cmd_valid && cmd_ready) - done;
    end
    always @* assume (!done_valid || engine != 4'd0);
    always @* assume (awaddr != `ACE_MAP_CONFIG_TRIGGER && awaddr != `ACE_MAP_TRIGGER_PREPARE &&
                      awaddr != `ACE_MAP_TRIGGER_ARM && awaddr != `ACE_MAP_TRIGGER_STORE);

    // ---- what is outstanding, and the completions ----
    reg  [3:0]  owed_q, queued_q;
    reg         pending_q, full_q, had_q;           // a refusal that waits for its place
    wire [3:0]  owed    = stop ? 4'd0 : owed_q + given;
    wire        taken   = take && had_q;
    wire [3:0]  queued  = stop ? 4'd0 : queued_q - taken;
    wire        pending = !stop && (pending_q || (doorbell && !given && !full_q));
    wire        push    = done || pending;
    reg  [15:0] refused;
    wire [15:0] refused_tag = pending_q ? refused : word[15:0] & mask[15:0];
    // the followed one
    reg         tracked_q;
    reg  [3:0]  ahead_q;
    reg  [15:0] tag;
    wire        tracked = tracked_q && !stop && !(taken && ahead_q == 4'd0);
    wire [3:0]  ahead   = ahead_q - taken;
    // what a read finds
    reg  [3:0]  found_owed;
    reg         found, found_tracked;
    reg  [15:0] found_tag;
    always @(posedge clk) begin
        full_q    <= owed + queued + pending >= COMPLETIONS;
        had_q     <= queued != 4'd0;
        refused   <= refused_tag;
        if (rst) begin
            {owed_q, queued_q} <= 8'd0;
            {pending_q, tracked_q} <= 2'd0;
        end else begin
            owed_q    <= owed - done;
            queued_q  <= queued + push;
            pending_q <= pending && done;
            tracked_q <= tracked || (push && choose);
            ahead_q   <= tracked ? ahead : queued;
            if (!tracked) tag <= done ? done_tag : refused_tag;
        end
        if (ar) begin
            found_owed    <= owed;
            found         <= queued != 4'd0;
            found_tracked <= tracked && ahead == 4'd0;
            found_tag     <= tag;
        end
    end

    always @* if (live) begin
        assert (!b_stays || (bvalid && bresp == bresp_was));
        assert (!r_stays || (rvalid && {rdata, rresp} == r_was));
        assert (!answer || (has_address && has_data));
        assert (awready == !(has_address && !answer) && wready == !(has_data && !answer));
        assert (arready == !reading && rvalid == reading);
        assert (!late || answer);
        assert (!given || (doorbell && cmd_tag == (word[15:0] & mask[15:0])));
        assert (!cmd_stays || stop || (cmd_valid && {cmd_tag, cmd_bytes} == cmd));
        assert (!(cmd_valid && core_rst));
        assert (!stop || (core_rst && !cmd_valid));
        assert (owed + queued + pending <= COMPLETIONS);
        assert (!(rvalid && read_address == `ACE_MAP_STATUS) ||
                (rdata[31:16] == found_owed && rdata[3] == found));
        assert (!(rvalid && read_address == `ACE_MAP_COMPLETION) || rdata[31] == found);
        assert (!(rvalid && read_address == `ACE_MAP_COMPLETION && found_tracked) || rdata[15:0] == found_tag);
    end

    reg [1:0] dones, takes;
    always @(posedge clk) begin
        dones <= rst ? 2'd0 : dones + done;
        takes <= rst ? 2'd0 : takes + taken;
    end
    always @* if (live) cover (dones == 2'd2 && takes == 2'd2 && owed == 4'd0);
endmodule

`default_nettype wire

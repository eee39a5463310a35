// SPDX-License-Identifier: Apache-2.0
//
// trigger -- ace_trigger between random software, a random engine and a random memory of flags
//
//   software --> [ ace_trigger ] --> m_flag_*, s_flag_b_* --> [ ace_axi_checker ]
//
// kind: 0 the memory takes addresses and data in any order, 1 data first, 2 addresses first, 3 both together.
// The last line is "ok: ..." or "bad: WHAT, ...".

`default_nettype none

module trigger;
    reg         clk = 1'b0, rst = 1'b1;
    integer     kind, seed, cycles, cycle, flags, bad_at;
    reg  [8*40-1:0] bad;
    reg  [31:0] r0, r1, r2, r3;
    reg         run;
    reg  [7:0]  inside;                 // commands in the engine
    reg         aw_here, w_here;        // of a flag: taken

    wire [7:0]  code;
    wire        fires, cmd_valid, retire_valid, aw_valid, w_valid, w_last, b_ready;
    wire [47:0] aw_addr;
    wire [7:0]  aw_len;
    wire [2:0]  aw_size, aw_prot;
    wire [1:0]  aw_burst;
    wire [31:0] w_data;
    wire [3:0]  w_strb, rule;
    wire [15:0] cmd_tag;

    wire [1:0]  what  = r0[1:0];
    wire        write = run && r0[4:2] == 3'd0 && code == 8'd0;
    wire        quiet = r0[4:2] != 3'd0;
    wire [2:0]  done_slot = r1[2:0];
    wire        done  = run && inside[done_slot] && r1[3];
    wire        aw_ready = !aw_here && r1[5:4] == 2'd0 && (kind == 0 || kind == 2 || w_here || (kind == 3 && r1[8]));
    wire        w_ready  = !w_here && (kind == 3 ? aw_ready : r1[7:6] == 2'd0 && (kind != 2 || aw_here));
    wire        b_valid  = aw_here && w_here && answers;
    reg         answers;

    ace_trigger #(.SLOTS(8)) dut (
        .clk(clk), .rst(rst), .s_run(run), .cfg_enable(1'b1), .cfg_tag(16'h5550), .cfg_flag_first(32'h100),
        .cfg_flag_last(32'h13f), .s_write_prepare(what == 2'd0), .s_write_arm(what == 2'd1),
        .s_prepare(write && what == 2'd0), .s_arm(write && what == 2'd1), .s_store(write && what[1]),
        .s_slot({5'd0, r0[7:5]}), .s_armed(r0[8]), .s_stores({14'd0, r0[10:9]}), .m_code(code),
        .s_kind(3'd0), .s_type(3'd0), .s_op(3'd0), .s_scale(32'd0), .s_dim_count(3'd0), .s_dims(8'd0),
        .s_source(48'd0), .s_destination(48'd0), .s_bytes(41'd0), .s_flag({32'd1, r2[15:2], r2[20:19] & {2{&r2[25:21]}}}),
        .s_value(r3), .s_threshold({14'd0, r0[12:11]}), .s_next({5'd0, r0[15:13]}), .s_chains(r0[16]),
        .s_repeats(r0[17]), .s_flags(r0[19:18] != 2'd0), .s_queues(r0[20]), .s_room(run && quiet && r0[21]),
        .m_fires(fires), .m_ready(), .m_fires_slot(), .m_cmd_valid(cmd_valid), .s_cmd_ready(r1[9]), .m_cmd_kind(),
        .m_cmd_type(), .m_cmd_op(), .m_cmd_scale(), .m_cmd_dim_count(), .m_cmd_dims(), .m_cmd_source(),
        .m_cmd_destination(), .m_cmd_bytes(), .m_cmd_tag(cmd_tag), .s_done_valid(done),
        .s_done_tag({13'h0aaa, done_slot}), .m_mine(), .s_failed(1'b0), .m_retire_valid(retire_valid),
        .s_retire_ready(run && quiet && retire_valid), .m_retire_tag(), .m_retire_queues(), .m_retire_lost(),
        .m_flag_aw_valid(aw_valid), .m_flag_aw_ready(aw_ready), .m_flag_aw_addr(aw_addr), .m_flag_aw_len(aw_len),
        .m_flag_aw_size(aw_size), .m_flag_aw_burst(aw_burst), .m_flag_aw_prot(aw_prot), .m_flag_w_valid(w_valid),
        .m_flag_w_ready(w_ready), .m_flag_w_data(w_data), .m_flag_w_strb(w_strb), .m_flag_w_last(w_last),
        .s_flag_b_valid(b_valid), .s_flag_b_ready(b_ready), .s_flag_b_resp(2'd0), .m_slots_armed(), .m_slots_busy(),
        .m_busy(), .m_lost(), .m_write_error(), .m_failed(), .m_failed_resp(), .m_protocol(), .m_failed_addr(), .idle());

    ace_axi_checker #(.DATA_W(32), .BEAT_BYTES(4), .SIZE(2), .BURSTS(2), .PATIENCE(500)) u_checker (
        .clk(clk), .rst(rst), .ar_valid(1'b0), .ar_ready(1'b0), .ar_addr(48'd0), .ar_len(8'd0), .ar_size(3'd0),
        .ar_burst(2'd0), .ar_prot(3'd0), .r_valid(1'b0), .r_ready(1'b0), .r_data(32'd0), .r_last(1'b0), .r_resp(2'd0),
        .aw_valid(aw_valid), .aw_ready(aw_ready), .aw_addr(aw_addr), .aw_len(aw_len), .aw_size(aw_size),
        .aw_burst(aw_burst), .aw_prot(aw_prot), .w_valid(w_valid), .w_ready(w_ready), .w_data(w_data), .w_strb(w_strb),
        .w_last(w_last), .b_valid(b_valid), .b_ready(b_ready), .b_resp(2'd0), .rule(rule));

    task found;
        input [8*40-1:0] what_;
        if (bad == 0) begin bad = what_; bad_at = cycle; end
    endtask

    always #1 clk = !clk;

    always @(posedge clk) begin
        cycle   <= cycle + 1;
        inside  <= rst || !run ? 8'd0 : (inside & ~({7'd0, done} << done_slot)) |
                                        ({7'd0, cmd_valid && r1[9]} << cmd_tag[2:0]);
        aw_here <= !rst && ((aw_here && !b_valid) || (aw_valid && aw_ready));
        w_here  <= !rst && ((w_here && !b_valid) || (w_valid && w_ready));
        answers <= aw_here && w_here && !b_valid && r1[12:10] == 3'd0;
        if (!rst && b_valid) flags <= flags + 1;
        if (!rst && aw_valid && (aw_addr[47:14] != 34'd4 || aw_addr[1:0] != 2'd0)) found("a flag outside its window");
        if (!rst && rule != 4'd0) case (rule)
            4'd2: found("AXI rule 2");
            4'd3: found("AXI rule 3");
            4'd6, 4'd7: found("AXI rule 7");
            4'd12: found("AXI rule 12");
            4'd15: found("AXI rule 15");
            default: found("another AXI rule");
        endcase
        r0  <= $random(seed);
        r1  <= $random(seed);
        r2  <= $random(seed);
        r3  <= $random(seed);
        // stops of some cycles; a start waits for the memory
        if (rst || r3[9:0] == 10'd0) run <= 1'b0;
        else if (!aw_valid && !w_valid && !aw_here && !w_here && r3[3:0] == 4'd1) run <= 1'b1;
    end

    initial begin
        if (!$value$plusargs("kind=%d", kind)) kind = 0;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
        {cycle, flags, bad_at} = 0;
        {bad, run, inside, aw_here, w_here, answers, r0, r1, r2, r3} = 0;
        repeat (3) @(posedge clk);
        rst <= 1'b0;
        repeat (cycles) @(posedge clk);
        if (bad == 0 && flags < cycles / 200) found("too few flags");
        if (bad != 0) $display("bad: %0s, kind %0d, cycle %0d", bad, kind, bad_at);
        else $display("ok: kind %0d, %0d flags", kind, flags);
        $finish;
    end
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// trigger -- ace_trigger fires a slot once per threshold, and writes its flag after its command alone
//
// Software prepares, arms and stores what it likes, if m_code allows it.  The engine takes commands when it
// likes, and says once of each that it is done.  The memory takes and answers when it likes, and answers when
// nothing was written, too.  One slot is followed.  The head of rtl/ace_trigger.v has the assumptions about
// the ports.
//
// Properties
//   stable    a command, an address and a value stay until they are taken; a stop takes the command back, and
//             neither address nor value
//   allowed   what is prepared has a threshold, and its flag is aligned and in the window
//   once      the slot fires only while it is armed, its last command has retired, and its stores reach the
//             threshold; these stores, and all others of a slot that does not repeat, are gone then
//   prompt    when there is room, no command and nothing retires, the slot that is ready fires, or another does
//   order     no slot fires before one that was ready in an earlier cycle
//   flag      a write shows the flag's address and value, and begins only when the command is done and did
//             not fail
//   retire    a slot with a flag retires after the answer, without one after its command, once; it is not
//             void only if the command and the answer were right
//   chain     no count grows but by a store of software, or by one at a retirement
//   idle      is said when the slot is not busy
//   rate      cover: two commands, the second by a chain, and both flags

`default_nettype none

// inside: threshold_q next_q flag_q command_q

module trigger #(
    parameter SLOT = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        run,
    input wire        enable,
    input wire [15:0] tag,
    input wire [31:0] first,
    input wire [31:0] last,
    input wire [1:0]  kind,             // of a write: prepare, arm, else store
    input wire        write,
    input wire [7:0]  slot,
    input wire        armed,
    input wire [15:0] stores,
    input wire [40:0] bytes,
    input wire [47:0] flag,
    input wire [31:0] value,
    input wire [15:0] threshold,
    input wire [7:0]  next,
    input wire        chains,
    input wire        repeats,
    input wire        flags,
    input wire        queues,
    input wire        room,
    input wire        cmd_ready,
    input wire        done_valid,
    input wire [15:0] done_tag,
    input wire        failed,
    input wire        retire_ready,
    input wire        aw_ready,
    input wire        w_ready,
    input wire        b_valid,
    input wire [1:0]  b_resp
);
    wire        fires, cmd_valid, mine, retire_valid, retire_queues, retire_lost, aw_valid, w_valid, idle, busy;
    wire [7:0]  code;
    wire [15:0] ready, retire_tag, cmd_tag;
    wire [3:0]  fires_slot;
    wire [40:0] cmd_bytes;
    wire [47:0] aw_addr;
    wire [31:0] w_data;

    wire prepare = write && kind == 2'd0, arm = write && kind == 2'd1, store = write && kind[1];

    ace_trigger #(.SLOTS(2), .DRAIN_LIMIT(0)) dut (
        .clk(clk), .rst(rst), .s_run(run), .cfg_enable(enable), .cfg_tag(tag), .cfg_flag_first(first),
        .cfg_flag_last(last), .s_write_prepare(kind == 2'd0), .s_write_arm(kind == 2'd1), .s_prepare(prepare),
        .s_arm(arm), .s_store(store), .s_slot(slot), .s_armed(armed), .s_stores(stores), .m_code(code),
        .s_kind(3'd0), .s_type(3'd0), .s_op(3'd0), .s_scale(32'd0), .s_dim_count(3'd0), .s_dims(8'd0),
        .s_source(48'd0), .s_destination(48'd0), .s_bytes(bytes), .s_flag(flag), .s_value(value),
        .s_threshold(threshold), .s_next(next), .s_chains(chains), .s_repeats(repeats), .s_flags(flags),
        .s_queues(queues), .s_room(room), .m_fires(fires), .m_ready(ready), .m_fires_slot(fires_slot),
        .m_cmd_valid(cmd_valid), .s_cmd_ready(cmd_ready), .m_cmd_bytes(cmd_bytes), .m_cmd_tag(cmd_tag),
        .s_done_valid(done_valid), .s_done_tag(done_tag), .m_mine(mine), .s_failed(failed),
        .m_retire_valid(retire_valid), .s_retire_ready(retire_ready), .m_retire_tag(retire_tag),
        .m_retire_queues(retire_queues), .m_retire_lost(retire_lost),
        .m_flag_aw_valid(aw_valid), .m_flag_aw_ready(aw_ready), .m_flag_aw_addr(aw_addr),
        .m_flag_w_valid(w_valid), .m_flag_w_ready(w_ready), .m_flag_w_data(w_data), .s_flag_b_valid(b_valid),
        .s_flag_b_resp(b_resp), .m_busy(busy), .idle(idle));

    `include "live.vh"

    // ---- the neighbours ----
    reg        run_was;
    reg [80:0] cfg_was;
    reg [1:0]  inside;                  // the engine has a command of the slot
    always @(posedge clk) begin
        run_was <= run && !rst;
        cfg_was <= {enable, tag, first, last};
    end
    always @* begin
        assume (!run_was || {enable, tag, first, last} == cfg_was);
        assume (!write || (run && code == 8'd0 && !room && !retire_ready));
        assume (!room || run);
        assume (!run || run_was || !busy);      // a start waits for the memory
        assume (!retire_ready || (run && retire_valid));
        assume (!done_valid || !mine || inside[done_tag[0]]);
    end
    wire done = done_valid && mine;
    always @(posedge clk)
        inside <= rst || !run ? 2'd0 : (inside & ~({1'b0, done} << done_tag[0])) |
                                       ({1'b0, cmd_valid && cmd_ready} << cmd_tag[0]);

    // ---- the slot that is followed ----
    localparam [0:0] S = SLOT;
    wire here = slot[0] == S;
    wire fires_here   = fires && fires_slot[0] == S;
    wire retires      = retire_valid && retire_ready;
    wire retires_here = retires && retire_tag[0] == S;
    wire done_here    = done && done_tag[0] == S;

    reg         known_m, armed_m, busy_m, done_m, void_m, answered_m, repeats_m, flags_m, chains_m, next_m, queues_m;
    reg  [15:0] sum_m, threshold_m;
    reg  [47:0] flag_m;
    reg  [31:0] value_m;
    reg  [40:0] bytes_m;
    wire ready_m = armed_m && !busy_m && sum_m >= threshold_m;
    (* hierconn *) wire [31:0] \dut.count_q ;
    (* hierconn *) wire [1:0]  \dut.known_q , \dut.armed_q , \dut.busy_q , \dut.done_q , \dut.retires_q , \dut.void_q ;
    (* hierconn *) wire [1:0]  \dut.repeats_q , \dut.flags_q , \dut.chains_q , \dut.queues_q ;
    (* hierconn *) wire [63:0] \dut.value_q ;
    (* hierconn *) wire        \dut.at_q , \dut.waits_q , \dut.live_q , \dut.fired_q , \dut.cmd_valid_q ;
    (* hierconn *) wire [1:0]  \dut.was_q ;
    (* hierconn *) wire [3:0]  \dut.older_q ;
    (* hierconn *) wire [15:0] \dut.threshold_q[0] , \dut.threshold_q[1] ;
    (* hierconn *) wire        \dut.next_q[0] , \dut.next_q[1] ;
    (* hierconn *) wire [45:0] \dut.flag_q[0] , \dut.flag_q[1] ;
    wire at_here  = \dut.waits_q && \dut.live_q && run && \dut.at_q == S;
    wire answer   = b_valid && \dut.waits_q && !aw_valid && !w_valid;
    // a chain: by the slot itself, or by the other one
    wire [15:0] grown = sum_m + 16'd1;
    always @(posedge clk) begin
        if (rst || !run) {known_m, armed_m, busy_m, done_m, answered_m} <= 5'd0;
        else begin
            if (prepare && here) known_m <= 1'b1;
            if (prepare && here) armed_m <= 1'b1;
            else if (arm && here) armed_m <= armed;
            else if (fires_here) armed_m <= repeats_m;
            busy_m     <= (busy_m || fires_here) && !retires_here;
            done_m     <= (done_m || done_here) && !retires_here;
            answered_m <= (answered_m || (answer && at_here)) && !retires_here;
        end
        if (fires_here) void_m <= 1'b0;
        else if ((done_here && failed) || (answer && at_here && b_resp != 2'd0)) void_m <= 1'b1;
        if (prepare && here) {repeats_m, flags_m, chains_m, next_m, queues_m, threshold_m, flag_m, bytes_m} <=
                                 {repeats, flags, chains, next[0], queues, threshold, flag, bytes};
        if (prepare && here) value_m <= value;
        else if (answer && at_here) value_m <= value_m + 32'd1;
        if ((prepare || arm) && here) sum_m <= 16'd0;
        else if (store && here) sum_m <= sum_m + stores;
        else if (fires_here) sum_m <= repeats_m ? sum_m - threshold_m : 16'd0;
        else if (retires && gets) sum_m <= grown;
    end
    // the store at a retirement: the slot's own chain is known here, that of the other slot is read inside
    (* hierconn *) wire \dut.chains ;
    (* hierconn *) wire \dut.next_slot ;
    wire gets = (retires_here ? chains_m && !void_m && next_m == S : \dut.chains && \dut.next_slot == S) &&
                armed_m && sum_m != 16'hffff;

    // ---- stable ----
    reg         aw_stays, w_stays, cmd_stays;
    reg  [47:0] aw_was;
    reg  [31:0] w_was;
    reg  [41:0] cmd_was;
    reg         elder;                  // the slot was ready a cycle ago, and the other was not
    always @(posedge clk) begin
        aw_stays  <= aw_valid && !aw_ready && !rst;
        w_stays   <= w_valid && !w_ready && !rst;
        cmd_stays <= cmd_valid && !cmd_ready && !rst && run;
        aw_was    <= aw_addr;
        w_was     <= w_data;
        cmd_was   <= {cmd_tag[0], cmd_bytes};
        elder     <= !rst && ready[S] && (!ready[!S] || elder);
    end

    always @* if (live) begin
        assert (!aw_stays || (aw_valid && aw_addr == aw_was));
        assert (!w_stays || (w_valid && w_data == w_was));
        assert (!cmd_stays || (cmd_valid && {cmd_tag[0], cmd_bytes} == cmd_was));
        assert (!prepare || (threshold != 16'd0 && (!chains || next < 8'd2) && slot < 8'd2 && enable));
        assert (!(prepare && flags) ||
                (flag[1:0] == 2'd0 && {16'd0, flag[47:8]} >= first && {16'd0, flag[47:8]} <= last));
        assert (!(prepare && here) || !busy_m);
        assert (!(arm && here) || known_m);
        assert (!(store && here) || (armed_m && {1'b0, sum_m} + {1'b0, stores} < 17'h10000));
        assert (!fires_here || (ready_m && !cmd_valid && room));
        assert (!(room && !cmd_valid && !retire_valid && ready_m) || fires);
        assert (!(fires && !fires_here && ready_m && elder && ready[S]));
        assert (ready[S] == ready_m);
        // the flag's write
        assert (!(at_here && aw_valid) || aw_addr == {flag_m[47:2], 2'd0});
        assert (!(at_here && w_valid) || w_data == value_m);
        assert (!at_here || (busy_m && done_m && flags_m && !void_m && !answered_m));
        assert (!(aw_valid || w_valid) || busy);
        // the end
        assert (!retires_here || (busy_m && done_m && retire_queues == queues_m));
        assert (!retires_here || !flags_m || void_m || answered_m);
        assert (!(retires_here && chains_m && !void_m && next_m == S) ||
                retire_lost == !(armed_m && sum_m != 16'hffff));
        assert (!idle || !(busy_m || ready_m));
        // state inside
        assert (!armed_m || known_m);
        assert (\dut.known_q [S] == known_m && \dut.armed_q [S] == armed_m && \dut.busy_q [S] == busy_m);
        assert (!known_m || \dut.count_q [16*SLOT +: 16] == sum_m);
        assert (!known_m || {\dut.repeats_q [S], \dut.flags_q [S], \dut.chains_q [S], \dut.queues_q [S]} ==
                            {repeats_m, flags_m, chains_m, queues_m});
        assert (!known_m || \dut.value_q [32*SLOT +: 32] == value_m);
        assert (!busy_m || (known_m && \dut.void_q [S] == void_m));
        assert (!known_m || threshold_m != 16'd0);
        assert (!known_m || threshold_m == (SLOT ? \dut.threshold_q[1] : \dut.threshold_q[0] ));
        assert (!known_m || next_m == (SLOT ? \dut.next_q[1] : \dut.next_q[0] ));
        assert (!known_m || flag_m[47:2] == (SLOT ? \dut.flag_q[1] : \dut.flag_q[0] ));
        assert (!done_m || busy_m);
        assert (!(busy_m && !done_m) || (!void_m && !answered_m));
        assert (!answered_m || (done_m && flags_m));
        assert (\dut.done_q [S] == (done_m && flags_m && !answered_m && !void_m && !at_here_));
        assert (\dut.retires_q [S] == (done_m && (!flags_m || answered_m || void_m)));
        assert (!(inside[S] || (cmd_valid && \dut.fired_q == S)) || (busy_m && !done_m));
        assert (!(inside[S] && cmd_valid && \dut.fired_q == S));
        assert (!(busy_m && !done_m) || inside[S] || (cmd_valid && \dut.fired_q == S));
        assert (!(done_m && !void_m) || !(inside[S]));
        // of both slots: where a command is, it is once
        assert ((shown | inside | \dut.done_q | writes | \dut.retires_q ) == \dut.busy_q );
        assert (!(shown & inside) && !((shown | inside) & \dut.done_q ) &&
                !((shown | inside | \dut.done_q ) & writes) && !((shown | inside | \dut.done_q | writes) & \dut.retires_q ));
        assert (!(busy && run) || \dut.live_q );
        assert (!((\dut.busy_q | \dut.armed_q ) & ~\dut.known_q ));
        assert (!elder || \dut.was_q [S]);
        assert (!(elder && \dut.was_q == 2'b11) ||
                (\dut.older_q [2*SLOT + (1-SLOT)] && !\dut.older_q [2*(1-SLOT) + SLOT]));
    end
    wire [1:0] shown  = {1'b0, cmd_valid} << \dut.fired_q ;
    wire [1:0] writes = {1'b0, \dut.waits_q && \dut.live_q } << \dut.at_q ;
    wire at_here_ = \dut.waits_q && \dut.live_q && \dut.at_q == S;

    // ---- rate ----
    reg [1:0] fired_n, flags_n;
    reg       wrote;
    always @(posedge clk) begin
        fired_n <= rst || !run ? 2'd0 : fired_n + fires;
        flags_n <= rst || !run ? 2'd0 : flags_n + answer;
        wrote   <= !rst && run && (wrote || (store && fired_n != 2'd0));
    end
    always @* if (live) cover (fired_n == 2'd2 && flags_n == 2'd2 && !wrote && idle);
endmodule

`default_nettype wire

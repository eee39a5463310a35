// SPDX-License-Identifier: Apache-2.0
//
// rx_half -- ace_rx_half: every row of every job is read once and written once, under AXI's rules
//
// Jobs are numbered, mod 16, in address bits 47..44, in the top bits of the rows and the bank, and
// in the id.  So a request, a row and a done each carry the number of their job; the DMA only
// passes these bits on.  One job is chosen freely, and one of its rows.  The memory takes an
// address while fewer than BURSTS bursts are open.  It takes beats of bursts whose address it took,
// and answers bursts whose beats have left.  The proof rx_dma shows that a half is used in this
// way.
//
// Properties (PART)
//   1 AXI       m_aw and m_w and their payload stay until they are taken.  No burst crosses 4 KiB
//               (16 rows).  A row is requested from the scratchpad only when there is room for it.
//   2 bursts    The job's bursts follow each other in its addresses, and all but the last are
//               whole.  Their beats sum to its rows.  A burst is requested only when all its rows
//               were read.
//   4 rows      The job's rows are read in order, wrapping in its partition, as many as it has.
//   8 beats     Each row read leaves as one beat, in order, with its data.  The last flag is at the
//               end of a burst, so that the beats match the bursts.  Bytes at or beyond the limit
//               have no strobe; bytes before it have one.
//   16 done     m_done comes once, in order, when all bursts of the job were answered.
//   32          Assertions about state inside, which lead the induction.
//   rate        cover: beats and requests in cycles in a row, across jobs
//
// inside: job_* b_* memory

`default_nettype none

module rx_half #(
    parameter ROW_W = 16,
    parameter MOST_ROWS = 4,
    parameter MOST_BURST = 1,
    parameter ADDRESS_W = 2,
    parameter ROW_BITS = 1,
    parameter BURSTS = 3,
    parameter PART = 31
) (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [ADDRESS_W-1:0] address_bits,
    input wire [$clog2(ROW_W/8)+ADDRESS_W:0] limit_bits,
    input wire [$clog2(MOST_ROWS+1)-1:0] rows_bits,
    input wire [2:0]  s_burst,
    input wire [ROW_BITS-1:0] row_bits,
    input wire [ROW_BITS-1:0] base_bits,
    input wire [ROW_BITS-1:0] end_bits,
    input wire        choose,           // the job taken now
    input wire        choose_row,       // the row read now
    input wire        s_read_grant,
    input wire        read_bit,         // its data
    input wire        m_aw_ready,
    input wire        m_w_ready,
    input wire        s_b_valid
);
    localparam BYTES = ROW_W / 8;
    localparam SHIFT = $clog2(BYTES);
    wire [43:0] s_address = address_bits << SHIFT;
    wire [43:0] s_limit = limit_bits;
    wire [10:0] s_rows = rows_bits;
    wire [9:0]  s_row  = row_bits;
    wire [9:0]  s_base = base_bits;
    wire [9:0]  s_end  = end_bits;

    reg  [3:0]  job;
    reg [2:0]   granted_bit;    // of the rows granted one, two and three cycles ago
    wire        s_job_ready, read_valid, aw_valid, w_valid, w_last, done_valid;
    wire [1:0]  read_bank;
    wire [11:0] read_row;
    wire [47:0] aw_addr;
    wire [7:0]  aw_len;
    wire [ROW_W-1:0] w_data;
    wire [BYTES-1:0] w_strb;
    wire [5:0]  done_id;

    ace_rx_half #(.ROW_W(ROW_W)) dut (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready),
        .s_job_address({job, s_address}), .s_job_limit({job, s_limit}),
        .s_job_rows(s_rows), .s_job_burst(s_burst), .s_job_bank(job[1:0]),
        .s_job_row({job[3:2], s_row}), .s_job_base({job[3:2], s_base}), .s_job_end({job[3:2], s_end}),
        .s_job_id({2'd0, job}), .m_read_valid(read_valid), .m_read_bank(read_bank), .m_read_row(read_row),
        .s_read_grant(s_read_grant), .s_read_data({{(ROW_W-1){1'b0}}, granted_bit[2]}),
        .s_read_code(32'd0),
        .m_aw_valid(aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len),
        .m_w_valid(w_valid), .m_w_ready(m_w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last),
        .s_b_valid(s_b_valid), .m_done_valid(done_valid), .m_done_id(done_id));

    `include "live.vh"

    wire take = s_job_valid && s_job_ready;
    wire row  = read_valid && s_read_grant;
    wire aw   = aw_valid && m_aw_ready;
    wire beat = w_valid && m_w_ready;

    // the memory: bursts requested and not answered; w_last seen and not answered
    reg [3:0] open;
    reg [4:0] sent;
    wire [43:0] misaligned = s_address & ((44'd1 << (s_burst + SHIFT)) - 44'd1);
    always @* begin
        assume (s_rows >= 11'd1 && s_rows <= MOST_ROWS);
        assume (s_burst <= MOST_BURST);
        assume (misaligned == 44'd0);
        assume (s_base <= s_row && s_row <= s_end);
        assume (!m_aw_ready || open < BURSTS);
        assume (!m_w_ready || sent < open);
        assume (!s_b_valid || (open != 4'd0 && sent != 5'd0));
    end

    reg         aw_waits, w_waits;
    reg [55:0]  aw_was;
    reg [ROW_W+BYTES:0] w_was;
    reg [5:0]   flying;         // rows granted, not yet gone
    always @(posedge clk) begin
        aw_waits <= aw_valid && !m_aw_ready && !rst;
        aw_was   <= {aw_addr, aw_len};
        w_waits  <= w_valid && !m_w_ready && !rst;
        w_was    <= {w_data, w_strb, w_last};
        flying   <= rst ? 6'd0 : flying + row - beat;
    end
    always @* if (live && (PART & 1)) begin
        assert (!aw_waits || (aw_valid && {aw_addr, aw_len} == aw_was));
        assert (!w_waits || (w_valid && {w_data, w_strb, w_last} == w_was));
        assert (!aw_valid || (aw_addr[11:0] & ((16 << SHIFT) - 1)) + ((aw_len + 13'd1) << SHIFT) <= 16 << SHIFT);
        assert (!aw_valid || aw_len < 8'd16);
        assert (!w_valid || flying != 6'd0);
        assert (flying <= 6'd32);
    end

    // the job
    localparam T = $clog2(16 * MOST_ROWS);
    reg         tracked;
    reg [3:0]   number, done_job;
    reg [2:0]   burst;
    reg [43:0]  address, row_address, limit;    // of its next request; of its next row; of its end
    reg [10:0]  unasked, unread;                // rows
    reg [4:0]   in_burst;
    reg [11:0]  at, base, last;
    reg [T-1:0] bursts, asked, answered, ours;  // of all jobs taken; up to the end of the job
    wire [10:0] whole = 11'd1 << burst;
    wire [10:0] rows  = unasked < whole ? unasked : whole;
    wire [T-1:0] taken = (s_rows + (11'd1 << s_burst) - 11'd1) >> s_burst;
    wire        our_aw   = aw_valid && tracked && aw_addr[47:44] == number;
    wire        our_row  = read_valid && tracked && {read_row[11:10], read_bank} == number;
    wire        our_done = done_valid && tracked && done_id[3:0] == number;
    wire        ends     = unread == 11'd1 || in_burst + 11'd1 == whole;
    integer i;
    reg [BYTES-1:0] strobes;
    always @* for (i = 0; i < BYTES; i = i + 1) strobes[i] = row_address + i < limit;
    always @(posedge clk) begin
        granted_bit <= {granted_bit[1:0], read_bit};
        if (rst) begin
            {job, done_job} <= 8'd0;
            tracked <= 1'b0;
            open    <= 4'd0;
            sent    <= 5'd0;
            {bursts, asked, answered} <= {3*T{1'b0}};
        end else begin
            job      <= job + take;
            done_job <= done_job + done_valid;
            open     <= open + aw - s_b_valid;
            sent     <= sent + (beat && w_last) - s_b_valid;
            asked    <= asked + aw;
            answered <= answered + s_b_valid;
            if (take) bursts <= bursts + taken;
            if (take && choose && !tracked) begin
                tracked      <= 1'b1;
                number       <= job;
                burst        <= s_burst;
                address      <= s_address;
                row_address  <= s_address;
                limit        <= s_limit;
                {unasked, unread} <= {2{s_rows}};
                in_burst     <= 5'd0;
                ours         <= bursts + taken;
                at           <= {job[3:2], s_row};
                base         <= {job[3:2], s_base};
                last         <= {job[3:2], s_end};
            end else begin
                if (our_aw && m_aw_ready) begin
                    address <= address + (rows << SHIFT);
                    unasked <= unasked - rows;
                end
                if (our_row && s_read_grant) begin
                    at          <= at == last ? base : at + 12'd1;
                    unread      <= unread - 11'd1;
                    row_address <= row_address + BYTES;
                    in_burst    <= ends ? 5'd0 : in_burst + 5'd1;
                end
                if (our_done) tracked <= 1'b0;
            end
        end
    end

    // one of its rows, from its grant to m_w
    reg         watched, row_bit, row_last;
    reg [5:0]   ahead;                          // rows before it
    reg [BYTES-1:0] row_strobes;
    always @(posedge clk)
        if (rst)
            watched <= 1'b0;
        else if (our_row && s_read_grant && choose_row && !watched) begin
            watched     <= 1'b1;
            ahead       <= flying - beat;
            {row_bit, row_last, row_strobes} <= {read_bit, ends, strobes};
        end else if (watched && beat) begin
            ahead   <= ahead - 6'd1;
            watched <= ahead != 6'd0;
        end

    always @* if (live) begin
        if (PART & 2) assert (!our_aw || unread + rows <= unasked);
        if (PART & 2) assert (!our_aw || (unasked != 11'd0 && aw_addr[43:0] == address && aw_len + 11'd1 == rows));
        if (PART & 4) assert (!our_row || (unread != 11'd0 && read_row == at));
        if (PART & 8) assert (!watched || ahead != 6'd0 || !w_valid || {w_data[0], w_last, w_strb} == {row_bit, row_last, row_strobes});
        if (PART & 16) assert (!our_done || (unasked == 11'd0 && answered == ours));
        if (PART & 16) assert (!done_valid || done_id == {2'd0, done_job});
    end

    // The position of each job and row makes the other assertions inductive.  until[0] counts the
    // bursts of all jobs taken, until[k] those without the k last jobs.
    (* hierconn *) wire [2:0]  \dut.u_jobs.jobs_q , \dut.u_jobs.request_jobs_q ;
    (* hierconn *) wire [1:0]  \dut.u_jobs.wr_q , \dut.u_jobs.request_at_q , \dut.u_jobs.row_at_q , \dut.u_jobs.row_bank_q ;
    (* hierconn *) wire        \dut.u_jobs.request_load , \dut.u_jobs.request_active_q , \dut.u_jobs.row_active_q , \dut.done_q ;
    (* hierconn *) wire [2:0]  \dut.fly_q , \dut.fly_last_q ;
    (* hierconn *) wire [47:0] \dut.u_jobs.request_addr_q , \dut.row_bytes_q ;
    (* hierconn *) wire [10:0] \dut.u_jobs.request_left_q , \dut.u_jobs.request_burst_q , \dut.u_jobs.row_left_q , \dut.b_seen_q ;
    (* hierconn *) wire [11:0] \dut.u_jobs.row_q , \dut.u_jobs.row_base_q , \dut.u_jobs.row_end_q ;
    (* hierconn *) wire [5:0]  \dut.done_id_q ;
    (* hierconn *) wire [4:0]  \dut.b_jobs_q ;
    (* hierconn *) wire [5:0]  \dut.w_count ;
    (* hierconn *) wire [3:0]  \dut.b_wr_q , \dut.b_rd_q , \dut.row_beat_q , \dut.row_mask_q ;
    (* hierconn *) wire [4:0]  \dut.u_w.wr_q , \dut.u_w.rd_q ;
    (* hierconn *) wire [3*SHIFT+2:0] \dut.fly_bytes_q ;
    (* hierconn *) wire [5:0]  \dut.places_q , \dut.whole_q ;
    wire [2:0]  jobs = \dut.u_jobs.jobs_q , aw_jobs = \dut.u_jobs.request_jobs_q ;
    wire [4:0]  b_jobs = \dut.b_jobs_q ;
    wire [5:0]  rows_held = \dut.w_count ;
    wire        aw_active = \dut.u_jobs.request_active_q , row_active = \dut.u_jobs.row_active_q , done = \dut.done_q ;
    wire [2:0]  fly = \dut.fly_q ;
    wire [15:0] whole_rows = {10'd0, \dut.whole_q } << log, rows_to_read = row_left + row_beat;
    wire [5:0]  fly_1 = fly[2], fly_0 = fly[2] + fly[1], coming = fly_0 + fly[0];     // rows on their way, before another
    wire [10:0] aw_left = \dut.u_jobs.request_left_q , aw_burst = \dut.u_jobs.request_burst_q , row_left = \dut.u_jobs.row_left_q , b_seen = \dut.b_seen_q ;
    wire [43:0] aw_at = \dut.u_jobs.request_addr_q [43:0];
    wire [11:0] row_at = \dut.u_jobs.row_q , row_base = \dut.u_jobs.row_base_q , row_end = \dut.u_jobs.row_end_q ;
    wire [3:0]  row_beat = \dut.row_beat_q , row_mask = \dut.row_mask_q ;
    wire [3:0]  b_rd = \dut.b_rd_q ;
    wire [4:0]  w_wr = \dut.u_w.wr_q , w_rd = \dut.u_w.rd_q ;
    wire [3:0]  asking = job - aw_jobs - 4'd1, reading = job - jobs - 4'd1;     // numbers of the jobs under way
    wire [3:0]  age = job - number;
    localparam JOBS = 4 + BURSTS + 1;           // taken, not done
    reg [(JOBS+1)*T-1:0] until;
    reg [4*T-1:0] burst_of;                     // bursts of the job in each slot
    reg [T-1:0]   to_ask;                       // bursts that the job under way has not asked for
    reg [2:0]     log;                          // of its bursts' rows
    always @(posedge clk) begin
        if (take) burst_of[job[1:0]*T +: T] <= taken;
        if (rst) begin
            until  <= {(JOBS+1)*T{1'b0}};
            to_ask <= {T{1'b0}};
        end else begin
            if (take) until <= {until, until[0 +: T] + taken};
            to_ask <= \dut.u_jobs.request_load ? burst_of[\dut.u_jobs.request_at_q *T +: T] : to_ask - aw;
        end
    end
    wire [T-1:0] full = until[(aw_jobs + aw_active)*T +: T];    // of jobs all of whose requests are out
    wire [T+4:0] rows_to_ask = {5'd0, to_ask} << log;
    wire [T-1:0] will_ask = asked + to_ask, unanswered = full - answered, seen = until[(aw_jobs + b_jobs)*T +: T] + b_seen, between = asked - answered;
    wire [43:0] bytes = limit > row_address ? limit - row_address : 44'd0;
    always @* if (live && PART & 32) begin
        assert (\dut.u_jobs.wr_q == job[1:0] && \dut.u_jobs.row_at_q == job[1:0] - jobs[1:0] && \dut.u_jobs.request_at_q == job[1:0] - aw_jobs[1:0]);
        assert (aw_jobs == jobs && jobs <= 3'd4);
        // the rows of a job are read before its last burst is requested, so both walk the same job
        assert (aw_active || (!row_active && \dut.whole_q == 6'd0));
        assert (!row_active || (aw_left == rows_to_read + whole_rows && row_mask + 11'd1 == aw_burst));
        assert (row_active || !aw_active || \dut.whole_q == to_ask);
        assert (done_job == job - aw_jobs - b_jobs[3:0] - done);
        assert (!done || (\dut.done_id_q == {2'd0, done_job} && b_seen == 11'd0));
        assert (\dut.b_wr_q == b_rd + b_jobs[3:0] && (b_jobs != 5'd0 || b_seen == 11'd0));
        assert (bursts == until[0 +: T] && answered == seen);
        assert (will_ask == until[aw_jobs*T +: T] && (aw_active || to_ask == {T{1'b0}}));
        assert (between == open && open <= BURSTS && b_jobs >= aw_active);
        assert (b_jobs == aw_active || (unanswered >= b_jobs - aw_active && unanswered <= open));
        assert (flying == rows_held + coming && \dut.places_q == 6'd32 - flying);
        if (aw_active) begin
            assert (\dut.u_jobs.request_addr_q [47:44] == asking && aw_left >= 11'd1 && aw_left <= MOST_ROWS);
            assert ((aw_at >> SHIFT) + aw_left < (44'd1 << ADDRESS_W) + MOST_ROWS);
            assert (aw_burst >= 11'd1 && aw_burst <= 11'd1 << MOST_BURST && (aw_burst & (aw_burst - 11'd1)) == 11'd0);
            assert ((aw_at & ((aw_burst << SHIFT) - 44'd1)) == 44'd0);
            assert (aw_burst == 11'd1 << log && rows_to_ask >= aw_left && rows_to_ask < aw_left + aw_burst);
            if (tracked && number == asking)
                assert (unasked == aw_left && address == aw_at && whole == aw_burst);
        end
        if (row_active) begin
            assert ({row_at[11:10], \dut.u_jobs.row_bank_q } == reading);
            assert (row_base[11:10] == reading[3:2] && row_end[11:10] == reading[3:2] && row_base <= row_at && row_at <= row_end);
            assert (row_left >= 11'd1 && row_left <= MOST_ROWS && row_beat <= row_mask);
            if (tracked && number == reading) begin
                assert (unread == row_left && at == row_at && base == row_base && last == row_end);
                assert ((row_address >> SHIFT) + row_left < (44'd1 << ADDRESS_W) + MOST_ROWS);
                assert (in_burst == row_beat && whole == row_mask + 11'd1 && \dut.row_bytes_q == bytes);
            end
        end
        if (tracked) begin
            assert (age != 4'd0 && age <= aw_jobs + b_jobs + done && burst <= MOST_BURST);
            assert (age <= jobs + row_active || unread == 11'd0);
            assert (age <= aw_jobs + aw_active || unasked == 11'd0);
            assert (ours == until[(age - 4'd1)*T +: T]);
        end
        // the row
        assert (w_rd < 5'd30 && w_wr < 5'd30 && rows_held <= 6'd32);
        assert (rows_held <= 6'd2 ? w_wr == w_rd : w_wr + (w_wr < w_rd || rows_held == 6'd32 ? 6'd30 : 6'd0) == w_rd + rows_held - 6'd2);
        assert (!watched || ahead < flying);
        if (watched && fly[2] && ahead == rows_held)
            assert ({granted_bit[2], \dut.fly_last_q [2], ~({BYTES{1'b1}} << \dut.fly_bytes_q [3*SHIFT+2 -: SHIFT+1])} == {row_bit, row_last, row_strobes});
        if (watched && fly[1] && ahead == rows_held + fly_1)
            assert ({granted_bit[1], \dut.fly_last_q [1], ~({BYTES{1'b1}} << \dut.fly_bytes_q [2*SHIFT+1 -: SHIFT+1])} == {row_bit, row_last, row_strobes});
        if (watched && fly[0] && ahead == rows_held + fly_0)
            assert ({granted_bit[0], \dut.fly_last_q [0], ~({BYTES{1'b1}} << \dut.fly_bytes_q [SHIFT:0])} == {row_bit, row_last, row_strobes});
    end

    // jobs whose rows are not begun, the k-th last taken in the slot of its number
    (* hierconn *) wire [47:0] \dut.u_jobs.job_address_q[0] , \dut.u_jobs.job_address_q[1] , \dut.u_jobs.job_address_q[2] , \dut.u_jobs.job_address_q[3] ;
    (* hierconn *) wire [10:0] \dut.u_jobs.job_rows_q[0] , \dut.u_jobs.job_rows_q[1] , \dut.u_jobs.job_rows_q[2] , \dut.u_jobs.job_rows_q[3] ;
    (* hierconn *) wire [2:0]  \dut.u_jobs.job_burst_q[0] , \dut.u_jobs.job_burst_q[1] , \dut.u_jobs.job_burst_q[2] , \dut.u_jobs.job_burst_q[3] ;
    (* hierconn *) wire [1:0]  \dut.u_jobs.job_bank_q[0] , \dut.u_jobs.job_bank_q[1] , \dut.u_jobs.job_bank_q[2] , \dut.u_jobs.job_bank_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_row_q[0] , \dut.u_jobs.job_row_q[1] , \dut.u_jobs.job_row_q[2] , \dut.u_jobs.job_row_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_base_q[0] , \dut.u_jobs.job_base_q[1] , \dut.u_jobs.job_base_q[2] , \dut.u_jobs.job_base_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_end_q[0] , \dut.u_jobs.job_end_q[1] , \dut.u_jobs.job_end_q[2] , \dut.u_jobs.job_end_q[3] ;
    (* hierconn *) wire [53:0]  \dut.u_jobs.job_side_q[0] , \dut.u_jobs.job_side_q[1] , \dut.u_jobs.job_side_q[2] , \dut.u_jobs.job_side_q[3] ;
    localparam S = 2*48 + 11 + 3 + 2 + 3*12 + 6;
    wire [4*S-1:0] slots = {
        \dut.u_jobs.job_address_q[3] , \dut.u_jobs.job_rows_q[3] , \dut.u_jobs.job_burst_q[3] , \dut.u_jobs.job_bank_q[3] , \dut.u_jobs.job_row_q[3] , \dut.u_jobs.job_base_q[3] , \dut.u_jobs.job_end_q[3] , \dut.u_jobs.job_side_q[3] ,
        \dut.u_jobs.job_address_q[2] , \dut.u_jobs.job_rows_q[2] , \dut.u_jobs.job_burst_q[2] , \dut.u_jobs.job_bank_q[2] , \dut.u_jobs.job_row_q[2] , \dut.u_jobs.job_base_q[2] , \dut.u_jobs.job_end_q[2] , \dut.u_jobs.job_side_q[2] ,
        \dut.u_jobs.job_address_q[1] , \dut.u_jobs.job_rows_q[1] , \dut.u_jobs.job_burst_q[1] , \dut.u_jobs.job_bank_q[1] , \dut.u_jobs.job_row_q[1] , \dut.u_jobs.job_base_q[1] , \dut.u_jobs.job_end_q[1] , \dut.u_jobs.job_side_q[1] ,
        \dut.u_jobs.job_address_q[0] , \dut.u_jobs.job_rows_q[0] , \dut.u_jobs.job_burst_q[0] , \dut.u_jobs.job_bank_q[0] , \dut.u_jobs.job_row_q[0] , \dut.u_jobs.job_base_q[0] , \dut.u_jobs.job_end_q[0] , \dut.u_jobs.job_side_q[0] };
    always @(posedge clk) if (\dut.u_jobs.request_load ) log <= slots[S*\dut.u_jobs.request_at_q + 92 +: 3];
    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_slot
            wire [3:0]  top, limit_top;
            wire [2:0]  log;
            wire [43:0] to, limit_to;
            wire [10:0] size;
            wire [1:0]  bank, below = job[1:0] - g;
            wire [11:0] first, low, high;
            wire [5:0]  id;
            assign {top, to, size, log, bank, first, low, high, limit_top, limit_to, id} = slots[S*g +: S];
            wire [2:0]  k = {below == 2'd0, below};
            wire [3:0]  n = job - k;
            wire [T-1:0] with_it = until[k*T +: T] + burst_of[T*g +: T];
            wire [10:0] size_up = (size + (11'd1 << log) - 11'd1) >> log;
            always @* if (live && PART & 32 && k <= jobs) begin
                assert (size >= 11'd1 && size <= MOST_ROWS && log <= MOST_BURST && until[(k - 3'd1)*T +: T] == with_it && burst_of[T*g +: T] == size_up);
                assert (top == n && limit_top == n && bank == g && id == {2'd0, n});
                assert (to >> SHIFT < 44'd1 << ADDRESS_W && (to & ((44'd1 << (log + SHIFT)) - 44'd1)) == 44'd0);
                assert (first[11:10] == n[3:2] && low[11:10] == n[3:2] && high[11:10] == n[3:2] && low <= first && first <= high);
                if (tracked && number == n) begin
                    assert (unread == size && at == first && base == low && last == high);
                    assert (burst == log && in_burst == 5'd0 && row_address == to && limit == limit_to);
                    assert (k > aw_jobs || (unasked == size && address == to));
                end
            end
        end
    endgenerate

    // jobs whose answers are awaited, the j-th oldest at index j
    (* hierconn *) wire [10:0] \dut.b_bursts_q[0] , \dut.b_bursts_q[1] , \dut.b_bursts_q[2] , \dut.b_bursts_q[3] , \dut.b_bursts_q[4] , \dut.b_bursts_q[5] , \dut.b_bursts_q[6] , \dut.b_bursts_q[7] , \dut.b_bursts_q[8] , \dut.b_bursts_q[9] , \dut.b_bursts_q[10] , \dut.b_bursts_q[11] , \dut.b_bursts_q[12] , \dut.b_bursts_q[13] , \dut.b_bursts_q[14] , \dut.b_bursts_q[15] ;
    (* hierconn *) wire [5:0]  \dut.b_id_q[0] , \dut.b_id_q[1] , \dut.b_id_q[2] , \dut.b_id_q[3] , \dut.b_id_q[4] , \dut.b_id_q[5] , \dut.b_id_q[6] , \dut.b_id_q[7] , \dut.b_id_q[8] , \dut.b_id_q[9] , \dut.b_id_q[10] , \dut.b_id_q[11] , \dut.b_id_q[12] , \dut.b_id_q[13] , \dut.b_id_q[14] , \dut.b_id_q[15] ;
    wire [16*11-1:0] places = {\dut.b_bursts_q[15] , \dut.b_bursts_q[14] , \dut.b_bursts_q[13] , \dut.b_bursts_q[12] , \dut.b_bursts_q[11] , \dut.b_bursts_q[10] , \dut.b_bursts_q[9] , \dut.b_bursts_q[8] , \dut.b_bursts_q[7] , \dut.b_bursts_q[6] , \dut.b_bursts_q[5] , \dut.b_bursts_q[4] , \dut.b_bursts_q[3] , \dut.b_bursts_q[2] , \dut.b_bursts_q[1] , \dut.b_bursts_q[0] };
    wire [16*6-1:0] place_ids = {\dut.b_id_q[15] , \dut.b_id_q[14] , \dut.b_id_q[13] , \dut.b_id_q[12] , \dut.b_id_q[11] , \dut.b_id_q[10] , \dut.b_id_q[9] , \dut.b_id_q[8] , \dut.b_id_q[7] , \dut.b_id_q[6] , \dut.b_id_q[5] , \dut.b_id_q[4] , \dut.b_id_q[3] , \dut.b_id_q[2] , \dut.b_id_q[1] , \dut.b_id_q[0] };
    generate
        for (g = 0; g < 16; g = g + 1) begin : g_place
            wire [3:0]  j = g - b_rd;
            wire [3:0]  k = aw_jobs + b_jobs - j, n = job - k;
            wire [10:0] count = places[11*g +: 11];
            wire [T-1:0] with_it = until[k*T +: T] + count, on = full - until[k*T +: T];
            always @* if (live && PART & 32 && j < b_jobs) begin
                assert (place_ids[6*g +: 6] == {2'd0, n} && count >= 11'd1 && count <= MOST_ROWS);
                assert (until[(k - 4'd1)*T +: T] == with_it && (j != 4'd0 || b_seen < count) && (j + 5'd1 != b_jobs || to_ask <= count));
                assert (on >= b_jobs - aw_active - j && on <= 8 * MOST_ROWS || j + aw_active == b_jobs);
            end
        end
    endgenerate

    // rows in the queue to m_w: the row after the head is out of the memory
    (* hierconn *) wire             \dut.u_w.g_ram.read_q ;
    (* hierconn *) wire [ROW_W-1:0] \dut.u_w.g_ram.next_q , \dut.u_w.g_ram.row , \dut.u_w.g_ram.u_rows.memory[0] , \dut.u_w.g_ram.u_rows.memory[1] , \dut.u_w.g_ram.u_rows.memory[2] , \dut.u_w.g_ram.u_rows.memory[3] , \dut.u_w.g_ram.u_rows.memory[4] , \dut.u_w.g_ram.u_rows.memory[5] , \dut.u_w.g_ram.u_rows.memory[6] , \dut.u_w.g_ram.u_rows.memory[7] , \dut.u_w.g_ram.u_rows.memory[8] , \dut.u_w.g_ram.u_rows.memory[9] , \dut.u_w.g_ram.u_rows.memory[10] , \dut.u_w.g_ram.u_rows.memory[11] , \dut.u_w.g_ram.u_rows.memory[12] , \dut.u_w.g_ram.u_rows.memory[13] , \dut.u_w.g_ram.u_rows.memory[14] , \dut.u_w.g_ram.u_rows.memory[15] , \dut.u_w.g_ram.u_rows.memory[16] , \dut.u_w.g_ram.u_rows.memory[17] , \dut.u_w.g_ram.u_rows.memory[18] , \dut.u_w.g_ram.u_rows.memory[19] , \dut.u_w.g_ram.u_rows.memory[20] , \dut.u_w.g_ram.u_rows.memory[21] , \dut.u_w.g_ram.u_rows.memory[22] , \dut.u_w.g_ram.u_rows.memory[23] , \dut.u_w.g_ram.u_rows.memory[24] , \dut.u_w.g_ram.u_rows.memory[25] , \dut.u_w.g_ram.u_rows.memory[26] , \dut.u_w.g_ram.u_rows.memory[27] , \dut.u_w.g_ram.u_rows.memory[28] , \dut.u_w.g_ram.u_rows.memory[29] ;
    (* hierconn *) wire [BYTES:0]   \dut.u_w.g_ram.next_side_q , \dut.u_w.g_ram.side , \dut.u_w.g_ram.u_sides.memory[0] , \dut.u_w.g_ram.u_sides.memory[1] , \dut.u_w.g_ram.u_sides.memory[2] , \dut.u_w.g_ram.u_sides.memory[3] , \dut.u_w.g_ram.u_sides.memory[4] , \dut.u_w.g_ram.u_sides.memory[5] , \dut.u_w.g_ram.u_sides.memory[6] , \dut.u_w.g_ram.u_sides.memory[7] , \dut.u_w.g_ram.u_sides.memory[8] , \dut.u_w.g_ram.u_sides.memory[9] , \dut.u_w.g_ram.u_sides.memory[10] , \dut.u_w.g_ram.u_sides.memory[11] , \dut.u_w.g_ram.u_sides.memory[12] , \dut.u_w.g_ram.u_sides.memory[13] , \dut.u_w.g_ram.u_sides.memory[14] , \dut.u_w.g_ram.u_sides.memory[15] , \dut.u_w.g_ram.u_sides.memory[16] , \dut.u_w.g_ram.u_sides.memory[17] , \dut.u_w.g_ram.u_sides.memory[18] , \dut.u_w.g_ram.u_sides.memory[19] , \dut.u_w.g_ram.u_sides.memory[20] , \dut.u_w.g_ram.u_sides.memory[21] , \dut.u_w.g_ram.u_sides.memory[22] , \dut.u_w.g_ram.u_sides.memory[23] , \dut.u_w.g_ram.u_sides.memory[24] , \dut.u_w.g_ram.u_sides.memory[25] , \dut.u_w.g_ram.u_sides.memory[26] , \dut.u_w.g_ram.u_sides.memory[27] , \dut.u_w.g_ram.u_sides.memory[28] , \dut.u_w.g_ram.u_sides.memory[29] ;
    wire [30*ROW_W-1:0] back = {\dut.u_w.g_ram.u_rows.memory[29] , \dut.u_w.g_ram.u_rows.memory[28] , \dut.u_w.g_ram.u_rows.memory[27] , \dut.u_w.g_ram.u_rows.memory[26] , \dut.u_w.g_ram.u_rows.memory[25] , \dut.u_w.g_ram.u_rows.memory[24] , \dut.u_w.g_ram.u_rows.memory[23] , \dut.u_w.g_ram.u_rows.memory[22] , \dut.u_w.g_ram.u_rows.memory[21] , \dut.u_w.g_ram.u_rows.memory[20] , \dut.u_w.g_ram.u_rows.memory[19] , \dut.u_w.g_ram.u_rows.memory[18] , \dut.u_w.g_ram.u_rows.memory[17] , \dut.u_w.g_ram.u_rows.memory[16] , \dut.u_w.g_ram.u_rows.memory[15] , \dut.u_w.g_ram.u_rows.memory[14] , \dut.u_w.g_ram.u_rows.memory[13] , \dut.u_w.g_ram.u_rows.memory[12] , \dut.u_w.g_ram.u_rows.memory[11] , \dut.u_w.g_ram.u_rows.memory[10] , \dut.u_w.g_ram.u_rows.memory[9] , \dut.u_w.g_ram.u_rows.memory[8] , \dut.u_w.g_ram.u_rows.memory[7] , \dut.u_w.g_ram.u_rows.memory[6] , \dut.u_w.g_ram.u_rows.memory[5] , \dut.u_w.g_ram.u_rows.memory[4] , \dut.u_w.g_ram.u_rows.memory[3] , \dut.u_w.g_ram.u_rows.memory[2] , \dut.u_w.g_ram.u_rows.memory[1] , \dut.u_w.g_ram.u_rows.memory[0] };
    wire [30*(BYTES+1)-1:0] back_side = {\dut.u_w.g_ram.u_sides.memory[29] , \dut.u_w.g_ram.u_sides.memory[28] , \dut.u_w.g_ram.u_sides.memory[27] , \dut.u_w.g_ram.u_sides.memory[26] , \dut.u_w.g_ram.u_sides.memory[25] , \dut.u_w.g_ram.u_sides.memory[24] , \dut.u_w.g_ram.u_sides.memory[23] , \dut.u_w.g_ram.u_sides.memory[22] , \dut.u_w.g_ram.u_sides.memory[21] , \dut.u_w.g_ram.u_sides.memory[20] , \dut.u_w.g_ram.u_sides.memory[19] , \dut.u_w.g_ram.u_sides.memory[18] , \dut.u_w.g_ram.u_sides.memory[17] , \dut.u_w.g_ram.u_sides.memory[16] , \dut.u_w.g_ram.u_sides.memory[15] , \dut.u_w.g_ram.u_sides.memory[14] , \dut.u_w.g_ram.u_sides.memory[13] , \dut.u_w.g_ram.u_sides.memory[12] , \dut.u_w.g_ram.u_sides.memory[11] , \dut.u_w.g_ram.u_sides.memory[10] , \dut.u_w.g_ram.u_sides.memory[9] , \dut.u_w.g_ram.u_sides.memory[8] , \dut.u_w.g_ram.u_sides.memory[7] , \dut.u_w.g_ram.u_sides.memory[6] , \dut.u_w.g_ram.u_sides.memory[5] , \dut.u_w.g_ram.u_sides.memory[4] , \dut.u_w.g_ram.u_sides.memory[3] , \dut.u_w.g_ram.u_sides.memory[2] , \dut.u_w.g_ram.u_sides.memory[1] , \dut.u_w.g_ram.u_sides.memory[0] };
    wire [5:0]  behind = w_rd + ahead - 6'd2;
    wire [4:0]  place = behind >= 6'd30 ? behind - 6'd30 : behind;
    wire [ROW_W-1:0] second = \dut.u_w.g_ram.read_q ? \dut.u_w.g_ram.row : \dut.u_w.g_ram.next_q ;
    always @* if (live && PART & 32 && watched && ahead == 6'd1 && ahead < rows_held)
        assert ({second[0], \dut.u_w.g_ram.read_q ? \dut.u_w.g_ram.side : \dut.u_w.g_ram.next_side_q } == {row_bit, row_last, row_strobes});
    generate
        for (g = 0; g < 30; g = g + 1) begin : g_row
            always @* if (live && PART & 32 && watched && ahead > 6'd1 && ahead < rows_held && place == g)
                assert ({back[ROW_W*g], back_side[(BYTES+1)*g +: BYTES+1]} == {row_bit, row_last, row_strobes});
        end
    endgenerate

    reg [3:0] run, aw_run;
    always @(posedge clk) begin
        run    <= rst || !beat ? 4'd0 : run + (run != 4'd15);
        aw_run <= rst || !aw ? 4'd0 : aw_run + (aw_run != 4'd15);
    end
    always @* if (live) cover (run == 4'd6 && aw_run >= 4'd2 && aw_addr[47:44] == 4'd2);
endmodule

`default_nettype wire

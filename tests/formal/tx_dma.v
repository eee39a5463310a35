// SPDX-License-Identifier: Apache-2.0
//
// tx_dma -- ace_tx_dma: every row of every job is requested once, and written once
//
// Jobs are numbered, mod 8, in address bits 47..45, in the top bit of the rows and the bank, and in
// the id.  So a request, a row and a done each carry the number of their job; the DMA only passes
// these bits on.  One job is chosen freely.  The data keeps its order because it goes through a
// FIFO (row_fifo).  Rows have their real width.  Other sizes are cut so that the search ends: jobs
// have at most MOST_ROWS rows, bursts at most 2^MOST_BURST rows, and a row's number ADDRESS_W bits.
//
// Properties
//   AXI       m_ar and its payload stay until it is taken.  No burst crosses 4 KiB (16 rows).
//   requests  Bursts of the job follow each other in its addresses, and all but the last are
//             whole.  Their rows sum to the job's rows.  Jobs are in order.
//   rows      The job's rows are written in order, wrapping in its partition, as many as it has.
//             m_write stays until granted.  m_done comes once, in order, after the last row.
//   lead      Assertions about state inside, which lead the induction.
//   rate      cover: rows and requests each in cycles in a row, across jobs
//
// inside: job_*

`default_nettype none

module tx_dma #(
    parameter ROW_W = 2048,
    parameter MOST_ROWS = 4,
    parameter MOST_BURST = 2,
    parameter ADDRESS_W = 4,
    parameter ROW_BITS = 3,     // of a row of the partition
    parameter PART = 15         // 1 AXI, 2 requests, 4 rows, 8 done, 16 lead
) (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [ADDRESS_W-1:0] address_bits,
    input wire [$clog2(MOST_ROWS+1)-1:0] rows_bits,
    input wire [2:0]  s_burst,
    input wire [ROW_BITS-1:0] row_bits,
    input wire [ROW_BITS-1:0] base_bits,
    input wire [ROW_BITS-1:0] end_bits,
    input wire        choose,           // the job taken now
    input wire        m_ar_ready,
    input wire        s_r_valid,
    input wire        s_write_grant
);
    localparam SHIFT = $clog2(ROW_W / 8);
    wire [44:0] s_address = address_bits << SHIFT;
    wire [10:0] s_rows = rows_bits;
    wire [10:0] s_row  = row_bits;
    wire [10:0] s_base = base_bits;
    wire [10:0] s_end  = end_bits;

    reg  [2:0]  job;                    // number of the next job
    wire        s_job_ready, ar_valid, s_r_ready, write_valid, done_valid;
    wire [47:0] ar_addr;
    wire [7:0]  ar_len;
    wire [1:0]  write_bank;
    wire [11:0] write_row;
    wire [5:0]  done_id;

    ace_tx_dma #(.ROW_W(ROW_W)) dut (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready),
        .s_job_address({job, s_address}), .s_job_rows(s_rows), .s_job_burst(s_burst), .s_job_bank(job[1:0]),
        .s_job_row({job[2], s_row}), .s_job_base({job[2], s_base}), .s_job_end({job[2], s_end}),
        .s_job_id({3'd0, job}), .m_ar_valid(ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(ar_addr),
        .m_ar_len(ar_len), .s_r_valid(s_r_valid), .s_r_ready(s_r_ready),
        .s_r_data({ROW_W{1'b0}}), .s_r_code(32'd0), .s_r_last(1'b0),
        .m_write_valid(write_valid), .m_write_bank(write_bank), .m_write_row(write_row),
        .s_write_grant(s_write_grant), .m_done_valid(done_valid), .m_done_id(done_id));

    `include "live.vh"

    wire [44:0] misaligned = s_address & ((45'd1 << (s_burst + SHIFT)) - 45'd1);
    always @* begin
        assume (s_rows >= 11'd1 && s_rows <= MOST_ROWS);
        assume (s_burst <= MOST_BURST);
        assume (misaligned == 45'd0);
        assume (s_base <= s_row && s_row <= s_end);
    end

    // AXI: an offered request stays
    reg         ar_waits, write_waits;
    reg [55:0]  ar_was;
    reg [13:0]  write_was;
    always @(posedge clk) begin
        ar_waits    <= ar_valid && !m_ar_ready && !rst;
        ar_was      <= {ar_addr, ar_len};
        write_waits <= write_valid && !s_write_grant && !rst;
        write_was   <= {write_bank, write_row};
    end
    always @* if (live) begin
        if (PART & 1) assert (!ar_waits || (ar_valid && {ar_addr, ar_len} == ar_was));
        if (PART & 1) assert (!write_waits || (write_valid && {write_bank, write_row} == write_was));
        if (PART & 1) assert (!ar_valid || (ar_addr[11:0] & ((16 << SHIFT) - 1)) + ((ar_len + 13'd1) << SHIFT) <= 16 << SHIFT);
        if (PART & 1) assert (!ar_valid || ar_len < 8'd16);
    end

    // the job
    wire        take = s_job_valid && s_job_ready;
    wire        ar   = ar_valid && m_ar_ready;
    wire        came = s_r_valid && s_r_ready;
    wire        row  = write_valid && s_write_grant;
    wire [2:0]  row_job = {write_row[11], write_bank};
    reg [5:0]   pending;                    // rows asked for, not yet come
    always @(posedge clk) pending <= rst ? 6'd0 : pending + (ar ? ar_len + 8'd1 : 8'd0) - came;
    always @* begin
        assume (!s_r_valid || pending != 6'd0);
        assume (!m_ar_ready || pending < 6'd8);
    end
    reg         tracked;                    // taken and not done
    reg [2:0]   number, burst;
    reg [44:0]  address;                    // of its next request
    reg [10:0]  unasked, unwritten;         // rows
    reg [11:0]  at, base, last;             // its next row
    reg [2:0]   ar_job, done_job;           // whose request, whose done is next or goes on
    wire [10:0] whole = 11'd1 << burst;
    wire [10:0] rows  = unasked < whole ? unasked : whole;
    wire        our_ar  = ar_valid && tracked && ar_addr[47:45] == number;
    wire        our_row = write_valid && tracked && row_job == number;
    wire        our_done = done_valid && tracked && done_id[2:0] == number;
    always @(posedge clk) begin
        if (rst) begin
            {job, ar_job, done_job} <= 9'd0;
            tracked <= 1'b0;
        end else begin
            job      <= job + take;
            done_job <= done_job + done_valid;
            if (ar) ar_job <= ar_addr[47:45];
            if (take && choose && !tracked) begin
                tracked   <= 1'b1;
                number    <= job;
                burst     <= s_burst;
                address   <= s_address;
                unasked   <= s_rows;
                unwritten <= s_rows;
                at        <= {job[2], s_row};
                base      <= {job[2], s_base};
                last      <= {job[2], s_end};
            end else begin
                if (our_ar && m_ar_ready) begin
                    address <= address + (rows << SHIFT);
                    unasked <= unasked - rows;
                end
                if (our_row && s_write_grant) begin
                    at        <= at == last ? base : at + 12'd1;
                    unwritten <= unwritten - 11'd1;
                end
                if (our_done) tracked <= 1'b0;
            end
        end
    end
    always @* if (live) begin
        if (PART & 2) assert (!our_ar || (unasked != 11'd0 && ar_addr[44:0] == address && {3'd0, ar_len} + 11'd1 == rows));
        if (PART & 4) assert (!our_row || (unwritten != 11'd0 && write_row == at));
        if (PART & 8) assert (!our_done || (unasked == 11'd0 && unwritten == 11'd0));
        if (PART & 8) assert (!done_valid || done_id == {3'd0, done_job});
    end

    // The position of each job makes the other assertions inductive.  until[0] counts the rows of
    // all jobs taken, until[k] those without the k last jobs.
    localparam T = $clog2(8 * MOST_ROWS + 64);
    reg [T-1:0] asked, written;
    reg [5*T-1:0] until;
    always @(posedge clk)
        if (rst)
            {asked, written, until} <= {7*T{1'b0}};
        else begin
            asked   <= asked + (ar ? ar_len + 8'd1 : 8'd0);
            written <= written + row;
            if (take) until <= {until, until[0 +: T] + s_rows[$clog2(MOST_ROWS+1)-1:0]};
        end

    (* hierconn *) wire [2:0]  \dut.u_jobs.jobs_q , \dut.u_jobs.request_jobs_q ;
    (* hierconn *) wire [1:0]  \dut.u_jobs.wr_q , \dut.u_jobs.request_at_q , \dut.u_jobs.row_at_q , \dut.u_jobs.row_bank_q ;
    (* hierconn *) wire        \dut.u_jobs.request_active_q , \dut.u_jobs.row_active_q , \dut.done_q ;
    (* hierconn *) wire [47:0] \dut.u_jobs.request_addr_q ;
    (* hierconn *) wire [10:0] \dut.u_jobs.request_left_q , \dut.u_jobs.request_burst_q , \dut.u_jobs.row_left_q ;
    (* hierconn *) wire [11:0] \dut.u_jobs.row_q , \dut.u_jobs.row_base_q , \dut.u_jobs.row_end_q ;
    (* hierconn *) wire [5:0]  \dut.row_id_q , \dut.done_id_q ;
    (* hierconn *) wire [5:0]  \dut.r_count ;
    wire [2:0]  jobs = \dut.u_jobs.jobs_q , ar_jobs = \dut.u_jobs.request_jobs_q ;
    wire        ar_active = \dut.u_jobs.request_active_q , row_active = \dut.u_jobs.row_active_q , done = \dut.done_q ;
    wire [10:0] ar_left = \dut.u_jobs.request_left_q , ar_burst = \dut.u_jobs.request_burst_q , row_left = \dut.u_jobs.row_left_q ;
    wire [44:0] ar_at = \dut.u_jobs.request_addr_q [44:0];
    wire [11:0] row_at = \dut.u_jobs.row_q , row_base = \dut.u_jobs.row_base_q , row_end = \dut.u_jobs.row_end_q ;
    wire [T-1:0] will_ask = asked + (ar_active ? ar_left : 11'd0), will_write = written + (row_active ? row_left : 11'd0);
    wire [T-1:0] between = asked - written;
    wire [2:0]  asking = job - ar_jobs - 3'd1, writing = job - jobs - 3'd1;     // numbers of the jobs under way
    wire [2:0]  age = job - number;
    always @* if (live && PART & 16) begin
        assert (\dut.u_jobs.wr_q == job[1:0] && \dut.u_jobs.row_at_q == job[1:0] - jobs[1:0] && \dut.u_jobs.request_at_q == job[1:0] - ar_jobs[1:0]);
        assert (ar_jobs <= jobs && jobs <= 3'd4);
        assert (done_job == job - jobs - row_active - done);
        assert (!done || \dut.done_id_q == {3'd0, done_job});
        assert (will_ask == until[ar_jobs*T +: T] && will_write == until[jobs*T +: T]);
        assert (between == {1'b0, pending} + \dut.r_count );
        assert (\dut.r_count <= 6'd16 && pending < 6'd8 + 6'd16);
        if (ar_active) begin
            assert (\dut.u_jobs.request_addr_q [47:45] == asking && ar_left >= 11'd1 && ar_left <= MOST_ROWS);
            assert ((ar_at >> SHIFT) + ar_left < (45'd1 << ADDRESS_W) + MOST_ROWS);
            assert (ar_burst >= 11'd1 && ar_burst <= 11'd1 << MOST_BURST && (ar_burst & (ar_burst - 11'd1)) == 11'd0);
            assert ((ar_at & ((ar_burst << SHIFT) - 45'd1)) == 45'd0);
            if (tracked && number == asking)
                assert (unasked == ar_left && address == ar_at && whole == ar_burst);
        end
        if (row_active) begin
            assert ({row_at[11], \dut.u_jobs.row_bank_q } == writing && \dut.row_id_q == {3'd0, writing});
            assert (row_base[11] == writing[2] && row_end[11] == writing[2] && row_base <= row_at && row_at <= row_end);
            assert (row_left >= 11'd1 && row_left <= MOST_ROWS);
            if (tracked && number == writing)
                assert (unwritten == row_left && at == row_at && base == row_base && last == row_end);
        end
        if (tracked) begin
            assert (age != 3'd0 && age <= jobs + row_active + done);
            assert (age <= jobs + row_active || unwritten == 11'd0);
            assert (age <= ar_jobs + ar_active || unasked == 11'd0);
        end
    end

    // jobs whose rows are not begun, the k-th last taken in the slot of its number
    (* hierconn *) wire [47:0] \dut.u_jobs.job_address_q[0] , \dut.u_jobs.job_address_q[1] , \dut.u_jobs.job_address_q[2] , \dut.u_jobs.job_address_q[3] ;
    (* hierconn *) wire [10:0] \dut.u_jobs.job_rows_q[0] , \dut.u_jobs.job_rows_q[1] , \dut.u_jobs.job_rows_q[2] , \dut.u_jobs.job_rows_q[3] ;
    (* hierconn *) wire [2:0]  \dut.u_jobs.job_burst_q[0] , \dut.u_jobs.job_burst_q[1] , \dut.u_jobs.job_burst_q[2] , \dut.u_jobs.job_burst_q[3] ;
    (* hierconn *) wire [1:0]  \dut.u_jobs.job_bank_q[0] , \dut.u_jobs.job_bank_q[1] , \dut.u_jobs.job_bank_q[2] , \dut.u_jobs.job_bank_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_row_q[0] , \dut.u_jobs.job_row_q[1] , \dut.u_jobs.job_row_q[2] , \dut.u_jobs.job_row_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_base_q[0] , \dut.u_jobs.job_base_q[1] , \dut.u_jobs.job_base_q[2] , \dut.u_jobs.job_base_q[3] ;
    (* hierconn *) wire [11:0] \dut.u_jobs.job_end_q[0] , \dut.u_jobs.job_end_q[1] , \dut.u_jobs.job_end_q[2] , \dut.u_jobs.job_end_q[3] ;
    (* hierconn *) wire [5:0]  \dut.u_jobs.job_side_q[0] , \dut.u_jobs.job_side_q[1] , \dut.u_jobs.job_side_q[2] , \dut.u_jobs.job_side_q[3] ;
    localparam S = 48 + 11 + 3 + 2 + 3*12 + 6;
    wire [4*S-1:0] slots = {
        \dut.u_jobs.job_address_q[3] , \dut.u_jobs.job_rows_q[3] , \dut.u_jobs.job_burst_q[3] , \dut.u_jobs.job_bank_q[3] , \dut.u_jobs.job_row_q[3] , \dut.u_jobs.job_base_q[3] , \dut.u_jobs.job_end_q[3] , \dut.u_jobs.job_side_q[3] ,
        \dut.u_jobs.job_address_q[2] , \dut.u_jobs.job_rows_q[2] , \dut.u_jobs.job_burst_q[2] , \dut.u_jobs.job_bank_q[2] , \dut.u_jobs.job_row_q[2] , \dut.u_jobs.job_base_q[2] , \dut.u_jobs.job_end_q[2] , \dut.u_jobs.job_side_q[2] ,
        \dut.u_jobs.job_address_q[1] , \dut.u_jobs.job_rows_q[1] , \dut.u_jobs.job_burst_q[1] , \dut.u_jobs.job_bank_q[1] , \dut.u_jobs.job_row_q[1] , \dut.u_jobs.job_base_q[1] , \dut.u_jobs.job_end_q[1] , \dut.u_jobs.job_side_q[1] ,
        \dut.u_jobs.job_address_q[0] , \dut.u_jobs.job_rows_q[0] , \dut.u_jobs.job_burst_q[0] , \dut.u_jobs.job_bank_q[0] , \dut.u_jobs.job_row_q[0] , \dut.u_jobs.job_base_q[0] , \dut.u_jobs.job_end_q[0] , \dut.u_jobs.job_side_q[0] };
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : g_slot
            wire [2:0]  top, log;
            wire [44:0] to;
            wire [10:0] size;
            wire [1:0]  bank, below = job[1:0] - i;
            wire [11:0] first, low, high;
            wire [5:0]  id;
            assign {top, to, size, log, bank, first, low, high, id} = slots[S*i +: S];
            wire [2:0]  k = {below == 2'd0, below};
            wire [2:0]  n = job - k;
            wire [T-1:0] with_it = until[k*T +: T] + size;
            always @* if (live && PART & 16 && k <= jobs) begin
                assert (size >= 11'd1 && size <= MOST_ROWS && log <= MOST_BURST && until[(k - 3'd1)*T +: T] == with_it);
                assert (top == n && bank == i && id == {3'd0, n});
                assert (to >> SHIFT < 45'd1 << ADDRESS_W && (to & ((45'd1 << (log + SHIFT)) - 45'd1)) == 45'd0);
                assert (first[11] == n[2] && low[11] == n[2] && high[11] == n[2] && low <= first && first <= high);
                if (tracked && number == n) begin
                    assert (unwritten == size && at == first && base == low && last == high);
                    assert (k > ar_jobs || (unasked == size && burst == log && address == to));
                end
            end
        end
    endgenerate

    reg [3:0] run, ar_run;
    always @(posedge clk) begin
        run    <= rst || !row ? 4'd0 : run + (run != 4'd15);
        ar_run <= rst || !ar ? 4'd0 : ar_run + (ar_run != 4'd15);
    end
    always @* if (live) cover (run == 4'd6 && ar_run >= 4'd2 && ar_job == 3'd2);
endmodule

`default_nettype wire

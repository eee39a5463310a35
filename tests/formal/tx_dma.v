// SPDX-License-Identifier: Apache-2.0
//
// tx_dma -- ace_tx_dma: every row of every job is asked for once, and written once
//
// Jobs are numbered, mod 8, in address bits 47..45, in the top bit of the rows and the bank,
// and in the id, so that a request, a row and a done each tell their job; the DMA only passes
// these bits on.  One job is chosen freely.  The order of the data is that of the FIFO it goes
// through (row_fifo).  Rows have their real width; numbers are cut to what the search can hold:
// jobs of at most MOST_ROWS rows, bursts of at most 2^MOST_BURST, ADDRESS_W bits of a row's number.
//
// Properties
//   AXI       m_ar stays, and its payload, until it is taken; no burst crosses 4 KiB (16 rows)
//   requests  bursts of the job follow each other in its addresses, whole but for the last,
//             and their rows sum to those of the job; jobs in order
//   rows      the job's rows are written in order, wrapping in its partition, as many as it
//             has; m_write stays until granted; done comes once, in order, after the last
//   rate      cover: rows and requests each in cycles in a row, across jobs

`default_nettype none

module tx_dma #(
    parameter ROW_W = 2048,
    parameter MOST_ROWS = 4,
    parameter MOST_BURST = 2,
    parameter ADDRESS_W = 4,
    parameter ROW_BITS = 3,     // of a row of the partition
    parameter PART = 15         // 1 AXI, 2 requests, 4 rows, 8 done
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
        .s_r_data({ROW_W{1'b0}}), .s_r_last(1'b0),
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

    // AXI: what is offered stays
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

    reg [3:0] run, ar_run;
    always @(posedge clk) begin
        run    <= rst || !row ? 4'd0 : run + (run != 4'd15);
        ar_run <= rst || !ar ? 4'd0 : ar_run + (ar_run != 4'd15);
    end
    always @* if (live) cover (run == 4'd6 && ar_run >= 4'd2 && ar_job == 3'd2);
endmodule

`default_nettype wire

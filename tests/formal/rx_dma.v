// SPDX-License-Identifier: Apache-2.0
//
// rx_dma -- ace_rx_dma: every row of every job is read once and written once, under AXI's rules
//
// Jobs are numbered as in tx_dma.v, and each row read carries its job's number.  One job is
// chosen freely.  The memory takes an address while fewer than BURSTS bursts are open and
// answers bursts whose beats have left.
//
// Properties (PART)
//   1 AXI       m_aw and m_w stay, payload too, until they are taken; no burst crosses 4 KiB
//               (16 rows); a row is asked of the scratchpad only when there is room for it
//   2 bursts    the job's bursts follow each other in its addresses, whole but for the last,
//               and their beats sum to its rows
//   4 rows      the job's rows are read in order, wrapping in its partition
//   8 beats     it has as many beats as rows, last where a burst ends, so that the beats match
//               the bursts; bytes at or beyond the limit have no strobe, those before it have
//   16 done     comes once, in order, and only when all its bursts were answered
//   rate        cover: beats and requests in cycles in a row, across jobs

`default_nettype none

module rx_dma #(
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
    input wire        choose,
    input wire        s_read_grant,
    input wire        m_aw_ready,
    input wire        m_w_ready,
    input wire        s_b_valid
);
    localparam BYTES = ROW_W / 8;
    localparam SHIFT = $clog2(BYTES);
    wire [44:0] s_address = address_bits << SHIFT;
    wire [10:0] s_rows = rows_bits;
    wire [10:0] s_row  = row_bits;
    wire [10:0] s_base = base_bits;
    wire [10:0] s_end  = end_bits;

    reg  [2:0]  job, granted;
    wire        s_job_ready, read_valid, aw_valid, w_valid, w_last, done_valid;
    wire [1:0]  read_bank;
    wire [11:0] read_row;
    wire [47:0] aw_addr;
    wire [7:0]  aw_len;
    wire [ROW_W-1:0] w_data;
    wire [BYTES-1:0] w_strb;
    wire [5:0]  done_id;

    ace_rx_dma #(.ROW_W(ROW_W)) dut (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready),
        .s_job_address({job, s_address}), .s_job_limit({job, {(45-SHIFT-ADDRESS_W-1){1'b0}}, limit_bits}),
        .s_job_rows(s_rows), .s_job_burst(s_burst), .s_job_bank(job[1:0]),
        .s_job_row({job[2], s_row}), .s_job_base({job[2], s_base}), .s_job_end({job[2], s_end}),
        .s_job_id({3'd0, job}), .m_read_valid(read_valid), .m_read_bank(read_bank), .m_read_row(read_row),
        .s_read_grant(s_read_grant), .s_read_data({{(ROW_W-3){1'b0}}, granted}),
        .m_aw_valid(aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len),
        .m_w_valid(w_valid), .m_w_ready(m_w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last),
        .s_b_valid(s_b_valid), .m_done_valid(done_valid), .m_done_id(done_id));

    `include "live.vh"

    wire take = s_job_valid && s_job_ready;
    wire row  = read_valid && s_read_grant;
    wire aw   = aw_valid && m_aw_ready;
    wire beat = w_valid && m_w_ready;

    // the memory: bursts asked and not answered, w_last seen and not answered
    reg [3:0] open;
    reg [4:0] sent;             // may run ahead of the addresses
    wire [44:0] misaligned = s_address & ((45'd1 << (s_burst + SHIFT)) - 45'd1);
    always @* begin
        assume (s_rows >= 11'd1 && s_rows <= MOST_ROWS);
        assume (s_burst <= MOST_BURST);
        assume (misaligned == 45'd0);
        assume (s_base <= s_row && s_row <= s_end);
        assume (!m_aw_ready || open < BURSTS);
        assume (!m_w_ready || sent < 5'd16);
        assume (!s_b_valid || (open != 4'd0 && sent != 5'd0));
    end

    reg         aw_waits, w_waits;
    reg [55:0]  aw_was;
    reg [ROW_W+BYTES:0] w_was;
    reg [4:0]   flying;         // rows granted, not yet gone
    always @(posedge clk) begin
        aw_waits <= aw_valid && !m_aw_ready && !rst;
        aw_was   <= {aw_addr, aw_len};
        w_waits  <= w_valid && !m_w_ready && !rst;
        w_was    <= {w_data, w_strb, w_last};
        flying   <= rst ? 5'd0 : flying + row - beat;
    end
    always @* if (live && (PART & 1)) begin
        assert (!aw_waits || (aw_valid && {aw_addr, aw_len} == aw_was));
        assert (!w_waits || (w_valid && {w_data, w_strb, w_last} == w_was));
        assert (!aw_valid || (aw_addr[11:0] & ((16 << SHIFT) - 1)) + ((aw_len + 13'd1) << SHIFT) <= 16 << SHIFT);
        assert (!aw_valid || aw_len < 8'd16);
        assert (!w_valid || flying != 5'd0);
        assert (flying <= 5'd16);
    end

    // the job
    reg         tracked;
    reg [2:0]   number, burst, done_job;
    reg [44:0]  address, beat_address, limit;
    reg [10:0]  unasked, unread, unsent;    // rows
    reg [3:0]   before, unanswered;         // bursts open before its own; its own
    reg [4:0]   in_burst;
    reg [11:0]  at, base, last;
    wire [10:0] whole = 11'd1 << burst;
    wire [10:0] rows  = unasked < whole ? unasked : whole;
    wire        our_aw   = aw_valid && tracked && aw_addr[47:45] == number;
    wire        our_row  = read_valid && tracked && {read_row[11], read_bank} == number;
    wire        our_beat = w_valid && tracked && w_data[2:0] == number;
    wire        our_done = done_valid && tracked && done_id[2:0] == number;
    integer i;
    reg [BYTES-1:0] strobes;
    always @* for (i = 0; i < BYTES; i = i + 1) strobes[i] = beat_address + i < limit;
    always @(posedge clk) begin
        granted <= {read_row[11], read_bank};
        if (rst) begin
            {job, done_job} <= 6'd0;
            tracked <= 1'b0;
            open    <= 4'd0;
            sent    <= 5'd0;
        end else begin
            job      <= job + take;
            done_job <= done_job + done_valid;
            open     <= open + aw - s_b_valid;
            sent     <= sent + (beat && w_last) - s_b_valid;
            if (take && choose && !tracked) begin
                tracked      <= 1'b1;
                number       <= job;
                burst        <= s_burst;
                address      <= s_address;
                beat_address <= s_address;
                limit        <= limit_bits;
                {unasked, unread, unsent} <= {3{s_rows}};
                in_burst     <= 5'd0;
                unanswered   <= 4'd0;
                before       <= 4'd0;
                at           <= {job[2], s_row};
                base         <= {job[2], s_base};
                last         <= {job[2], s_end};
            end else begin
                if (our_aw && m_aw_ready) begin
                    address <= address + (rows << SHIFT);
                    unasked <= unasked - rows;
                end
                if (our_row && s_read_grant) begin
                    at     <= at == last ? base : at + 12'd1;
                    unread <= unread - 11'd1;
                end
                if (our_beat && m_w_ready) begin
                    unsent       <= unsent - 11'd1;
                    beat_address <= beat_address + BYTES;
                    in_burst     <= w_last ? 5'd0 : in_burst + 5'd1;
                end
                // answers come in order: what was open before the first of ours, then ours
                if (our_aw && m_aw_ready && unanswered == 4'd0 && before == 4'd0)
                    before <= open - s_b_valid;
                else if (s_b_valid && before != 4'd0)
                    before <= before - 4'd1;
                unanswered <= unanswered + (our_aw && m_aw_ready) - (s_b_valid && before == 4'd0 && unanswered != 4'd0);
                if (our_done) tracked <= 1'b0;
            end
        end
    end
    always @* if (live) begin
        if (PART & 2) assert (!our_aw || (unasked != 11'd0 && aw_addr[44:0] == address && aw_len + 11'd1 == rows));
        if (PART & 4) assert (!our_row || (unread != 11'd0 && read_row == at));
        if (PART & 8) assert (!our_beat || unsent != 11'd0);
        if (PART & 8) assert (!our_beat || w_last == (unsent == 11'd1 || in_burst + 11'd1 == whole));
        if (PART & 8) assert (!our_beat || w_strb == strobes);
        if (PART & 16) assert (!our_done || (unasked == 11'd0 && unsent == 11'd0 && unanswered == 4'd0));
        if (PART & 16) assert (!done_valid || done_id == {3'd0, done_job});
    end

    reg [3:0] run, aw_run;
    always @(posedge clk) begin
        run    <= rst || !beat ? 4'd0 : run + (run != 4'd15);
        aw_run <= rst || !aw ? 4'd0 : aw_run + (aw_run != 4'd15);
    end
    always @* if (live) cover (run == 4'd6 && aw_run >= 4'd2 && aw_addr[47:45] == 3'd2);
endmodule

`default_nettype wire

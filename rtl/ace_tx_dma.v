// SPDX-License-Identifier: Apache-2.0
//
// ace_tx_dma -- memory to scratchpad, a job at a time, reads running ahead
//
//   s_job ---> [ 4 jobs ] --+--> { requests } ---> m_ar
//                           +--> { rows } -------> m_write bank, row, done
//   s_r   ---> [ 16 rows ] ----------------------> m_write data
//
// Contract
//   Handshake   s_job, m_ar and s_r: a beat moves when valid && ready, both from state.
//               m_write: the row goes when s_write_grant is 1 in the same cycle; a grant
//               without m_write_valid does nothing.
//   Job         s_job_rows (1..1024) rows from s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows, so that no burst crosses 4 KiB; the last burst
//               is shorter when the rows end.  Row s_job_row of s_job_bank takes the
//               first; the row after s_job_end is s_job_base.
//   Latency     a job taken in cycle t has its first m_ar in t + 2 when nothing is before
//               it.  A row taken on s_r is on m_write in the next cycle.
//   Throughput  a row and an m_ar a cycle, across jobs too.
//   Order       jobs, requests and rows in order.
//   Done        m_done is 1 for the cycle after the last row of a job was granted.
//   Counters    Each cycle outside reset in exactly one: busy (a row granted), blocked (a
//               row not granted), starved (jobs held, no row here), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/twin/ace_tx_dma.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_tx_dma_test.cc).

`default_nettype none

module ace_tx_dma #(
    parameter ROW_W = 2048          // bits in a row
) (
    input  wire             clk,
    input  wire             rst,

    // Jobs in
    input  wire             s_job_valid,
    output wire             s_job_ready,
    input  wire [47:0]      s_job_address,  // byte address, a multiple of the burst
    input  wire [10:0]      s_job_rows,     // 1..1024
    input  wire [2:0]       s_job_burst,    // log2 of the rows in a burst, 0..4
    input  wire [1:0]       s_job_bank,
    input  wire [11:0]      s_job_row,      // first row of the bank
    input  wire [11:0]      s_job_base,     // the partition is rows base..end
    input  wire [11:0]      s_job_end,
    input  wire [5:0]       s_job_id,       // returned with done

    // Memory interface
    output wire             m_ar_valid,
    input  wire             m_ar_ready,
    output wire [47:0]      m_ar_addr,
    output wire [7:0]       m_ar_len,       // beats - 1
    input  wire             s_r_valid,
    output wire             s_r_ready,
    input  wire [ROW_W-1:0] s_r_data,
    input  wire             s_r_last,

    // Scratchpad
    output wire             m_write_valid,
    output wire [1:0]       m_write_bank,
    output wire [11:0]      m_write_row,
    output wire [ROW_W-1:0] m_write_data,
    input  wire             s_write_grant,

    // Jobs done
    output wire             m_done_valid,
    output wire [5:0]       m_done_id,

    // Cycles in each class
    output wire [47:0]      count_busy,
    output wire [47:0]      count_starved,
    output wire [47:0]      count_blocked,
    output wire [47:0]      count_idle,

    output wire               idle              // nothing changes without input
);

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
    endgenerate

    localparam ROW_SHIFT = $clog2(ROW_W / 8);

    // ---- jobs ------------------------------------------------------------

    reg [2:0]  jobs_q;          // held, their rows not begun
    reg [2:0]  ar_jobs_q;       // held, their requests not begun
    reg [1:0]  wr_q;
    reg [1:0]  ar_at_q;
    reg [1:0]  row_at_q;
    reg [47:0] job_address_q [0:3];
    reg [10:0] job_rows_q    [0:3];
    reg [2:0]  job_burst_q   [0:3];
    reg [1:0]  job_bank_q    [0:3];
    reg [11:0] job_row_q     [0:3];
    reg [11:0] job_base_q    [0:3];
    reg [11:0] job_end_q     [0:3];
    reg [5:0]  job_id_q      [0:3];

    wire take = s_job_valid && s_job_ready;
    wire ar_load;
    wire row_load;

    assign s_job_ready = jobs_q != 3'd4;

    always @(posedge clk) begin
        if (rst) begin
            jobs_q    <= 3'd0;
            ar_jobs_q <= 3'd0;
            wr_q      <= 2'd0;
            ar_at_q   <= 2'd0;
            row_at_q  <= 2'd0;
        end else begin
            jobs_q    <= jobs_q + {2'd0, take} - {2'd0, row_load};
            ar_jobs_q <= ar_jobs_q + {2'd0, take} - {2'd0, ar_load};
            wr_q      <= wr_q + {1'b0, take};
            ar_at_q   <= ar_at_q + {1'b0, ar_load};
            row_at_q  <= row_at_q + {1'b0, row_load};
        end
    end

    always @(posedge clk) begin
        if (take) begin
            job_address_q[wr_q] <= s_job_address;
            job_rows_q[wr_q]    <= s_job_rows;
            job_burst_q[wr_q]   <= s_job_burst;
            job_bank_q[wr_q]    <= s_job_bank;
            job_row_q[wr_q]     <= s_job_row;
            job_base_q[wr_q]    <= s_job_base;
            job_end_q[wr_q]     <= s_job_end;
            job_id_q[wr_q]      <= s_job_id;
        end
    end

    // ---- requests --------------------------------------------------------

    reg        ar_active_q;
    reg [47:0] ar_addr_q;
    reg [10:0] ar_left_q;
    reg [10:0] ar_burst_q;      // rows in a whole burst

    wire        ar      = ar_active_q && m_ar_ready;
    wire        ar_last = ar_left_q <= ar_burst_q;
    wire [10:0] ar_rows = ar_last ? ar_left_q : ar_burst_q;
    wire [10:0] ar_len  = ar_rows - 11'd1;

    assign ar_load    = (!ar_active_q || (ar && ar_last)) && ar_jobs_q != 3'd0;
    assign m_ar_valid = ar_active_q;
    assign m_ar_addr  = ar_addr_q;
    assign m_ar_len   = ar_len[7:0];

    always @(posedge clk) begin
        if (rst)
            ar_active_q <= 1'b0;
        else if (ar_load)
            ar_active_q <= 1'b1;
        else if (ar && ar_last)
            ar_active_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (ar_load) begin
            ar_addr_q  <= job_address_q[ar_at_q];
            ar_left_q  <= job_rows_q[ar_at_q];
            ar_burst_q <= 11'd1 << job_burst_q[ar_at_q];
        end else if (ar) begin
            ar_addr_q  <= ar_addr_q + ({37'd0, ar_burst_q} << ROW_SHIFT);
            ar_left_q  <= ar_left_q - ar_burst_q;
        end
    end

    // ---- rows ------------------------------------------------------------

    reg        row_active_q;
    reg [1:0]  row_bank_q;
    reg [11:0] row_q;
    reg [11:0] row_base_q;
    reg [11:0] row_end_q;
    reg [10:0] row_left_q;
    reg [5:0]  row_id_q;
    reg        done_q;
    reg [5:0]  done_id_q;
    wire       r_valid;
    wire [4:0] r_count;
    wire       r_last;

    wire row      = m_write_valid && s_write_grant;
    wire row_last = row && row_left_q == 11'd1;

    assign row_load      = (!row_active_q || row_last) && jobs_q != 3'd0;
    assign m_write_valid = r_valid && row_active_q;
    assign m_write_bank  = row_bank_q;
    assign m_write_row   = row_q;
    assign m_done_valid  = done_q;
    assign m_done_id     = done_id_q;

    always @(posedge clk) begin
        if (rst) begin
            row_active_q <= 1'b0;
            done_q       <= 1'b0;
        end else begin
            done_q <= row_last;
            if (row_load)
                row_active_q <= 1'b1;
            else if (row_last)
                row_active_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (row_last)
            done_id_q <= row_id_q;
        if (row_load) begin
            row_bank_q <= job_bank_q[row_at_q];
            row_q      <= job_row_q[row_at_q];
            row_base_q <= job_base_q[row_at_q];
            row_end_q  <= job_end_q[row_at_q];
            row_left_q <= job_rows_q[row_at_q];
            row_id_q   <= job_id_q[row_at_q];
        end else if (row) begin
            row_q      <= row_q == row_end_q ? row_base_q : row_q + 12'd1;
            row_left_q <= row_left_q - 11'd1;
        end
    end

    ace_row_fifo #(
        .ROW_W  (ROW_W),
        .SIDE_W (1),
        .DEPTH  (16)
    ) u_r (
        .clk     (clk),
        .rst     (rst),
        .s_valid (s_r_valid),
        .s_ready (s_r_ready),
        .s_data  (s_r_data),
        .s_side  (s_r_last),
        .m_valid (r_valid),
        .m_ready (row),
        .m_data  (m_write_data),
        .m_side  (r_last),
        .count   (r_count)
    );

    // rows are counted, so the end of a burst says nothing new; a length has 8 bits
    wire unused = &{1'b0, r_count, r_last, ar_len[10:8]};

    // ---- cycle classes ---------------------------------------------------

    reg [47:0] busy_q;
    reg [47:0] starved_q;
    reg [47:0] blocked_q;
    reg [47:0] idle_q;

    assign count_busy    = busy_q;
    assign count_starved = starved_q;
    assign count_blocked = blocked_q;
    assign count_idle    = idle_q;

    always @(posedge clk) begin
        if (rst) begin
            busy_q    <= 48'd0;
            starved_q <= 48'd0;
            blocked_q <= 48'd0;
            idle_q    <= 48'd0;
        end else if (row)
            busy_q <= busy_q + 48'd1;
        else if (m_write_valid)
            blocked_q <= blocked_q + 48'd1;
        else if (row_active_q || jobs_q != 3'd0)
            starved_q <= starved_q + 48'd1;
        else
            idle_q <= idle_q + 48'd1;
    end

    assign idle = jobs_q == 3'd0 && !row_active_q && !ar_active_q && !done_q && !r_valid;

endmodule

`default_nettype wire

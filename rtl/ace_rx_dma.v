// SPDX-License-Identifier: Apache-2.0
//
// ace_rx_dma -- scratchpad to memory, a job at a time, answers collected behind
//
//   s_job ---> [ 4 jobs ] --+--> { requests } ---> m_aw, and [ 16 jobs ] <--- s_b
//                           +--> { rows } -------> m_read        `----> m_done
//   s_read_data ----------------> [ 16 rows ] --> m_w
//
// Contract
//   Handshake   s_job, m_aw and m_w: a beat moves when valid && ready, both from state.
//               m_read: the row is given when s_read_grant is 1 in the same cycle, and is
//               on s_read_data three cycles later; m_read_valid is 1 only with a place for it; a
//               grant without m_read_valid does nothing.  s_b is always taken.
//   Job         s_job_rows (1..1024) rows to s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows, so that no burst crosses 4 KiB; the last burst
//               is shorter when the rows end.  Row s_job_row of s_job_bank is the first;
//               the row after s_job_end is s_job_base.  Bytes at or beyond s_job_limit are
//               written with strobes 0; the timing does not change.
//   Latency     a job taken in cycle t has its first m_aw and m_read in t + 2 when nothing
//               is before it.  A row granted in cycle t is on m_w in t + 4.
//   Throughput  a row and an m_aw a cycle, across jobs too.
//   Order       jobs, requests and rows in order; m_aw may run ahead of m_w and m_w of m_aw.
//   Done        m_done is 1 for the cycle after the answer of the last burst of a job.
//   Counters    Each cycle outside reset in exactly one: busy (a row granted), blocked
//               (rows left to read, none granted), starved (jobs held, all rows read), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/twin/ace_rx_dma.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_rx_dma_test.cc).

`default_nettype none

module ace_rx_dma #(
    parameter ROW_W = 2048          // bits in a row
) (
    input  wire               clk,
    input  wire               rst,

    // Jobs in
    input  wire               s_job_valid,
    output wire               s_job_ready,
    input  wire [47:0]        s_job_address,    // byte address, a multiple of the burst
    input  wire [47:0]        s_job_limit,      // byte address after the last valid byte
    input  wire [10:0]        s_job_rows,       // 1..1024
    input  wire [2:0]         s_job_burst,      // log2 of the rows in a burst, 0..4
    input  wire [1:0]         s_job_bank,
    input  wire [11:0]        s_job_row,        // first row of the bank
    input  wire [11:0]        s_job_base,       // the partition is rows base..end
    input  wire [11:0]        s_job_end,
    input  wire [5:0]         s_job_id,         // returned with done

    // Scratchpad
    output wire               m_read_valid,
    output wire [1:0]         m_read_bank,
    output wire [11:0]        m_read_row,
    input  wire               s_read_grant,
    input  wire [ROW_W-1:0]   s_read_data,      // three cycles after the grant

    // Memory interface
    output wire               m_aw_valid,
    input  wire               m_aw_ready,
    output wire [47:0]        m_aw_addr,
    output wire [7:0]         m_aw_len,         // beats - 1
    output wire               m_w_valid,
    input  wire               m_w_ready,
    output wire [ROW_W-1:0]   m_w_data,
    output wire [ROW_W/8-1:0] m_w_strb,
    output wire               m_w_last,
    input  wire               s_b_valid,
    output wire               s_b_ready,

    // Jobs done
    output wire               m_done_valid,
    output wire [5:0]         m_done_id,

    // Cycles in each class
    output wire [47:0]        count_busy,
    output wire [47:0]        count_starved,
    output wire [47:0]        count_blocked,
    output wire [47:0]        count_idle,

    output wire               idle              // nothing changes without input
);

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
    endgenerate

    localparam ROW_BYTES = ROW_W / 8;
    localparam ROW_SHIFT = $clog2(ROW_BYTES);
    localparam [31:0] BYTES = ROW_BYTES;

    // ---- jobs ------------------------------------------------------------

    reg [2:0]  jobs_q;          // held, their rows not begun
    reg [2:0]  aw_jobs_q;       // held, their requests not begun
    reg [1:0]  wr_q;
    reg [1:0]  aw_at_q;
    reg [1:0]  row_at_q;
    reg [47:0] job_address_q [0:3];
    reg [47:0] job_limit_q   [0:3];
    reg [10:0] job_rows_q    [0:3];
    reg [2:0]  job_burst_q   [0:3];
    reg [1:0]  job_bank_q    [0:3];
    reg [11:0] job_row_q     [0:3];
    reg [11:0] job_base_q    [0:3];
    reg [11:0] job_end_q     [0:3];
    reg [5:0]  job_id_q      [0:3];

    wire take = s_job_valid && s_job_ready;
    wire aw_load;
    wire row_load;

    assign s_job_ready = jobs_q != 3'd4;

    always @(posedge clk) begin
        if (rst) begin
            jobs_q    <= 3'd0;
            aw_jobs_q <= 3'd0;
            wr_q      <= 2'd0;
            aw_at_q   <= 2'd0;
            row_at_q  <= 2'd0;
        end else begin
            jobs_q    <= jobs_q + {2'd0, take} - {2'd0, row_load};
            aw_jobs_q <= aw_jobs_q + {2'd0, take} - {2'd0, aw_load};
            wr_q      <= wr_q + {1'b0, take};
            aw_at_q   <= aw_at_q + {1'b0, aw_load};
            row_at_q  <= row_at_q + {1'b0, row_load};
        end
    end

    always @(posedge clk) begin
        if (take) begin
            job_address_q[wr_q] <= s_job_address;
            job_limit_q[wr_q]   <= s_job_limit;
            job_rows_q[wr_q]    <= s_job_rows;
            job_burst_q[wr_q]   <= s_job_burst;
            job_bank_q[wr_q]    <= s_job_bank;
            job_row_q[wr_q]     <= s_job_row;
            job_base_q[wr_q]    <= s_job_base;
            job_end_q[wr_q]     <= s_job_end;
            job_id_q[wr_q]      <= s_job_id;
        end
    end

    // ---- requests, and the answers awaited -------------------------------

    reg        aw_active_q;
    reg [47:0] aw_addr_q;
    reg [10:0] aw_left_q;
    reg [10:0] aw_burst_q;      // rows in a whole burst

    reg [4:0]  b_jobs_q;        // jobs whose answers are awaited
    reg [3:0]  b_wr_q;
    reg [3:0]  b_rd_q;
    reg [10:0] b_seen_q;        // answers of the oldest
    reg [10:0] b_bursts_q [0:15];
    reg [5:0]  b_id_q     [0:15];
    reg        done_q;
    reg [5:0]  done_id_q;

    wire        aw         = aw_active_q && m_aw_ready;
    wire        aw_last    = aw_left_q <= aw_burst_q;
    wire [10:0] aw_rows    = aw_last ? aw_left_q : aw_burst_q;
    wire [10:0] aw_len     = aw_rows - 11'd1;
    wire [10:0] load_burst = 11'd1 << job_burst_q[aw_at_q];
    wire [10:0] b_next     = b_seen_q + 11'd1;
    wire        b          = s_b_valid && b_jobs_q != 5'd0;
    wire        b_last     = b && b_next == b_bursts_q[b_rd_q];

    assign aw_load    = (!aw_active_q || (aw && aw_last)) && aw_jobs_q != 3'd0 && b_jobs_q != 5'd16;
    assign m_aw_valid = aw_active_q;
    assign m_aw_addr  = aw_addr_q;
    assign m_aw_len   = aw_len[7:0];
    assign s_b_ready  = 1'b1;
    assign m_done_valid = done_q;
    assign m_done_id    = done_id_q;

    always @(posedge clk) begin
        if (rst) begin
            aw_active_q <= 1'b0;
            b_jobs_q    <= 5'd0;
            b_wr_q      <= 4'd0;
            b_rd_q      <= 4'd0;
            b_seen_q    <= 11'd0;
            done_q      <= 1'b0;
        end else begin
            if (aw_load)
                aw_active_q <= 1'b1;
            else if (aw && aw_last)
                aw_active_q <= 1'b0;
            b_jobs_q <= b_jobs_q + {4'd0, aw_load} - {4'd0, b_last};
            b_wr_q   <= b_wr_q + {3'd0, aw_load};
            b_rd_q   <= b_rd_q + {3'd0, b_last};
            if (b)
                b_seen_q <= b_last ? 11'd0 : b_next;
            done_q <= b_last;
        end
    end

    always @(posedge clk) begin
        if (aw_load) begin
            aw_addr_q  <= job_address_q[aw_at_q];
            aw_left_q  <= job_rows_q[aw_at_q];
            aw_burst_q <= load_burst;
            b_bursts_q[b_wr_q] <= (job_rows_q[aw_at_q] + load_burst - 11'd1) >> job_burst_q[aw_at_q];
            b_id_q[b_wr_q]     <= job_id_q[aw_at_q];
        end else if (aw) begin
            aw_addr_q  <= aw_addr_q + ({37'd0, aw_burst_q} << ROW_SHIFT);
            aw_left_q  <= aw_left_q - aw_burst_q;
        end
        if (b_last)
            done_id_q <= b_id_q[b_rd_q];
    end

    // ---- rows ------------------------------------------------------------

    reg        row_active_q;
    reg [1:0]  row_bank_q;
    reg [11:0] row_q;
    reg [11:0] row_base_q;
    reg [11:0] row_end_q;
    reg [10:0] row_left_q;
    reg [47:0] row_bytes_q;     // bytes from this row to the limit, 0 beyond it
    reg [3:0]  row_beat_q;      // place in its burst
    reg [3:0]  row_mask_q;      // the last place
    reg [4:0]  places_q;        // of the 16 rows, for which none is on its way
    reg [2:0]  fly_q;           // rows granted one, two and three cycles ago
    reg [2:0]  fly_last_q;
    reg [3*ROW_SHIFT+2:0] fly_bytes_q;
    wire [ROW_SHIFT:0] bytes = fly_bytes_q[3*ROW_SHIFT+2 -: ROW_SHIFT+1];
    wire       w_room;
    wire [4:0] w_count;

    wire       row      = m_read_valid && s_read_grant;
    wire       row_last = row && row_left_q == 11'd1;
    wire [4:0] load_mask = (5'd1 << job_burst_q[row_at_q]) - 5'd1;
    wire       row_whole = row_bytes_q >= {16'd0, BYTES};

    // a job's rows begin when its requests do, or after
    assign row_load     = (!row_active_q || row_last) && (jobs_q != aw_jobs_q || aw_load);
    assign m_read_valid = row_active_q && places_q != 5'd0;
    assign m_read_bank  = row_bank_q;
    assign m_read_row   = row_q;

    always @(posedge clk) begin
        if (rst) begin
            row_active_q <= 1'b0;
            fly_q        <= 3'd0;
            places_q     <= 5'd16;
        end else begin
            fly_q    <= {fly_q[1:0], row};
            places_q <= places_q + {4'd0, m_w_valid && m_w_ready} - {4'd0, row};
            if (row_load)
                row_active_q <= 1'b1;
            else if (row_last)
                row_active_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        fly_last_q  <= {fly_last_q[1:0], row_left_q == 11'd1 || row_beat_q == row_mask_q};
        fly_bytes_q <= {fly_bytes_q[2*ROW_SHIFT+1:0], row_whole ? BYTES[ROW_SHIFT:0] : row_bytes_q[ROW_SHIFT:0]};
        if (row_load) begin
            row_bank_q  <= job_bank_q[row_at_q];
            row_q       <= job_row_q[row_at_q];
            row_base_q  <= job_base_q[row_at_q];
            row_end_q   <= job_end_q[row_at_q];
            row_left_q  <= job_rows_q[row_at_q];
            row_mask_q  <= load_mask[3:0];
            row_beat_q  <= 4'd0;
            row_bytes_q <= job_limit_q[row_at_q] > job_address_q[row_at_q] ?
                           job_limit_q[row_at_q] - job_address_q[row_at_q] : 48'd0;
        end else if (row) begin
            row_q       <= row_q == row_end_q ? row_base_q : row_q + 12'd1;
            row_left_q  <= row_left_q - 11'd1;
            row_beat_q  <= (row_beat_q + 4'd1) & row_mask_q;
            row_bytes_q <= row_whole ? row_bytes_q - {16'd0, BYTES} : 48'd0;
        end
    end

    ace_row_fifo #(
        .ROW_W  (ROW_W),
        .SIDE_W (ROW_BYTES + 1),
        .DEPTH  (16)
    ) u_w (
        .clk     (clk),
        .rst     (rst),
        .s_valid (fly_q[2]),
        .s_ready (w_room),
        .s_data  (s_read_data),
        .s_side  ({fly_last_q[2], ~({ROW_BYTES{1'b1}} << bytes)}),
        .m_valid (m_w_valid),
        .m_ready (m_w_ready),
        .m_data  (m_w_data),
        .m_side  ({m_w_last, m_w_strb}),
        .count   (w_count)
    );

    // room is counted before a row is asked for; a length has 8 bits, a mask 4
    wire unused = &{1'b0, w_room, w_count, aw_len[10:8], load_mask[4]};

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
        else if (row_active_q)
            blocked_q <= blocked_q + 48'd1;
        else if (jobs_q != 3'd0 || b_jobs_q != 5'd0)
            starved_q <= starved_q + 48'd1;
        else
            idle_q <= idle_q + 48'd1;
    end

    assign idle = jobs_q == 3'd0 && b_jobs_q == 5'd0 && !row_active_q && !aw_active_q && !done_q && fly_q == 3'd0 &&
                  !m_w_valid;

endmodule

`default_nettype wire

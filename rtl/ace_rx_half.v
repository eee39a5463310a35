// SPDX-License-Identifier: Apache-2.0
//
// ace_rx_half -- half of the RX DMA: moves rows from the scratchpad to memory, a job at a time
//
//   s_job ---> [ 4 jobs ] --+--> { requests } ---> m_aw, and [ 16 jobs ] <--- s_b
//                           |         ^ rows granted                `----> m_done
//                           +--> { rows } -------> m_read
//   s_read_data ----------------> [ 32 rows ] --> m_w
//
// Contract
//   Handshake   s_job, m_aw and m_w: a beat moves when valid && ready.  Both come from registers,
//               with no combinational path from an input.  m_read: a
//               row is granted when m_read_valid and s_read_grant are 1 in the same cycle.  The row
//               is on s_read_data three cycles later.  m_read_valid is 1 only with a free slot for
//               the row.  A grant without m_read_valid does nothing.  s_b is always taken.
//   Job         s_job_rows (1..1024) rows go to s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows.  So no burst crosses 4 KiB.  The last burst is shorter
//               when the rows end.  Row s_job_row of s_job_bank is the first; the row after
//               s_job_end is s_job_base.  Bytes at or beyond s_job_limit are written with strobes
//               0; the timing does not change.
//   Bursts      A burst is on m_aw from the cycle after its last row was granted, so that its beats
//               wait for no bank.  The owner takes a burst's m_aw before it takes the burst's beats
//               from m_w.
//   Latency     If no job is ahead, a job taken in cycle t has its first m_read in t + 2.  A row
//               granted in cycle t is on m_w in t + 4.
//   Throughput  A row and an m_aw a cycle.  A job's rows begin once all bursts before it were
//               requested.
//   Order       Jobs, requests and rows are in order; the error-detecting code of a row goes with it.
//   Done        m_done is 1 for the cycle after the write response of the last burst of a job.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/parts/ace_rx_half.h, equal at the pins of ace_rx_dma
//               (tests/lockstep/lockstep_rx_dma_test.cc).

`default_nettype none

module ace_rx_half #(
    parameter ROW_W  = 2048,        // bits in a row
    parameter DATA_W = ROW_W        // bits of a row that exist in hardware: ROW_W, or 64 with PAYLOAD=0
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
    input  wire [DATA_W-1:0]  s_read_data,      // three cycles after the grant
    input  wire [31:0]        s_read_code,      // of ace_row_code

    // Memory interface
    output wire               m_aw_valid,
    input  wire               m_aw_ready,
    output wire [47:0]        m_aw_addr,
    output wire [7:0]         m_aw_len,         // beats - 1
    output wire               m_w_valid,
    input  wire               m_w_ready,
    output wire [DATA_W-1:0]  m_w_data,
    output wire [31:0]        m_w_code,
    output wire [ROW_W/8-1:0] m_w_strb,
    output wire               m_w_last,
    input  wire               s_b_valid,

    // Jobs done
    output wire               m_done_valid,
    output wire [5:0]         m_done_id,

    output wire               m_row_begin,      // a job's rows are requested from the next cycle on
    output wire               m_row_left,       // rows are left to request, with a free slot or not
    output wire               held,             // jobs are here, or their write responses are awaited
    output wire               idle              // nothing changes without input
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
        if (DATA_W < 1 || DATA_W > ROW_W) begin : g_illegal_data_w DATA_W_must_be_1_to_ROW_W stop (); end
    endgenerate

    localparam ROW_BYTES = ROW_W / 8;
    localparam ROW_SHIFT = $clog2(ROW_BYTES);
    localparam [31:0] BYTES = ROW_BYTES;

    // ---- jobs, their requests and rows -----------------------------------

    wire        jobs_held;
    wire        jobs_idle;
    wire        aw_begin;
    wire [10:0] aw_rows;
    wire [2:0]  aw_burst;
    wire [5:0]  aw_id;
    wire [47:0] aw_limit;
    wire        aw_may;
    wire        aw_active;
    wire [47:0] row_address;
    wire [2:0]  row_burst;
    wire [5:0]  row_id;
    wire [47:0] row_limit;
    wire        row_last;
    reg  [5:0]  whole_q;        // bursts whose rows were granted, not yet on m_aw
    wire        row = m_read_valid && s_read_grant;
    wire        aw  = m_aw_valid && m_aw_ready;

    assign m_aw_valid = aw_active && whole_q != 6'd0;

    ace_dma_jobs #(.ROW_W(ROW_W), .SIDE_W(54)) u_jobs (
        .clk(clk), .rst(rst),
        .s_job_valid(s_job_valid), .s_job_ready(s_job_ready), .s_job_address(s_job_address), .s_job_rows(s_job_rows),
        .s_job_burst(s_job_burst), .s_job_bank(s_job_bank), .s_job_row(s_job_row), .s_job_base(s_job_base),
        .s_job_end(s_job_end), .s_job_side({s_job_limit, s_job_id}),
        .s_request_may(aw_may), .m_request_begin(aw_begin), .m_request_rows(aw_rows), .m_request_burst(aw_burst),
        .m_request_side({aw_limit, aw_id}), .m_request_valid(aw_active), .m_request_ready(aw),
        .m_request_addr(m_aw_addr), .m_request_len(m_aw_len),
        .m_row_begin(m_row_begin), .m_row_address(row_address), .m_row_burst(row_burst),
        .m_row_side({row_limit, row_id}), .m_row_valid(m_row_left), .m_row_ready(row),
        .m_row_bank(m_read_bank), .m_row(m_read_row), .m_row_last(row_last), .held(jobs_held), .idle(jobs_idle)
    );

    // ---- the write responses awaited ---------------------------------------------

    reg [4:0]  b_jobs_q;        // jobs whose write responses are awaited
    reg [3:0]  b_wr_q;
    reg [3:0]  b_rd_q;
    reg [10:0] b_seen_q;        // write responses of the oldest
    reg [10:0] b_bursts_q [0:15];
    reg [5:0]  b_id_q     [0:15];
    reg        done_q;
    reg [5:0]  done_id_q;

    wire [10:0] load_burst = 11'd1 << aw_burst;
    wire [10:0] b_next     = b_seen_q + 11'd1;
    wire        b          = s_b_valid && b_jobs_q != 5'd0;
    wire        b_last     = b && b_next == b_bursts_q[b_rd_q];

    assign aw_may       = b_jobs_q != 5'd16;
    assign m_done_valid = done_q;
    assign m_done_id    = done_id_q;

    always @(posedge clk) begin
        if (rst) begin
            b_jobs_q <= 5'd0;
            b_wr_q   <= 4'd0;
            b_rd_q   <= 4'd0;
            b_seen_q <= 11'd0;
            done_q   <= 1'b0;
        end else begin
            b_jobs_q <= b_jobs_q + {4'd0, aw_begin} - {4'd0, b_last};
            b_wr_q   <= b_wr_q + {3'd0, aw_begin};
            b_rd_q   <= b_rd_q + {3'd0, b_last};
            if (b)
                b_seen_q <= b_last ? 11'd0 : b_next;
            done_q <= b_last;
        end
    end

    always @(posedge clk) begin
        if (aw_begin) begin
            b_bursts_q[b_wr_q] <= (aw_rows + load_burst - 11'd1) >> aw_burst;
            b_id_q[b_wr_q]     <= aw_id;
        end
        if (b_last)
            done_id_q <= b_id_q[b_rd_q];
    end

    // ---- rows on their way to m_w ----------------------------------------

    reg [47:0] row_bytes_q;     // bytes from this row to the limit, 0 beyond it
    reg [3:0]  row_beat_q;      // index in its burst
    reg [3:0]  row_mask_q;      // the last index
    reg [5:0]  places_q;        // slots of the 32 that no row was granted for
    reg [2:0]  fly_q;           // rows granted one, two and three cycles ago
    reg [2:0]  fly_last_q;
    reg [3*ROW_SHIFT+2:0] fly_bytes_q;
    wire [ROW_SHIFT:0] bytes = fly_bytes_q[3*ROW_SHIFT+2 -: ROW_SHIFT+1];
    wire       w_room;
    wire [5:0] w_count;

    wire [4:0] load_mask = (5'd1 << row_burst) - 5'd1;
    wire       row_whole = row_bytes_q >= {16'd0, BYTES};
    wire       row_ends  = row_last || row_beat_q == row_mask_q;    // its burst

    assign m_read_valid = m_row_left && places_q != 6'd0;

    always @(posedge clk) begin
        if (rst) begin
            fly_q    <= 3'd0;
            places_q <= 6'd32;
            whole_q  <= 6'd0;
        end else begin
            fly_q    <= {fly_q[1:0], row};
            whole_q  <= whole_q + {5'd0, row && row_ends} - {5'd0, aw};
            places_q <= places_q + {5'd0, m_w_valid && m_w_ready} - {5'd0, row};
        end
    end

    always @(posedge clk) begin
        fly_last_q  <= {fly_last_q[1:0], row_ends};
        fly_bytes_q <= {fly_bytes_q[2*ROW_SHIFT+1:0], row_whole ? BYTES[ROW_SHIFT:0] : row_bytes_q[ROW_SHIFT:0]};
        if (m_row_begin) begin
            row_mask_q  <= load_mask[3:0];
            row_beat_q  <= 4'd0;
            row_bytes_q <= row_limit > row_address ? row_limit - row_address : 48'd0;
        end else if (row) begin
            row_beat_q  <= (row_beat_q + 4'd1) & row_mask_q;
            row_bytes_q <= row_whole ? row_bytes_q - {16'd0, BYTES} : 48'd0;
        end
    end

    ace_row_fifo #(
        .ROW_W  (DATA_W),
        .SIDE_W (32 + ROW_BYTES + 1),
        .DEPTH  (32)
    ) u_w (
        .clk     (clk),
        .rst     (rst),
        .s_valid (fly_q[2]),
        .s_ready (w_room),
        .s_data  (s_read_data),
        .s_side  ({s_read_code, fly_last_q[2], ~({ROW_BYTES{1'b1}} << bytes)}),
        .m_valid (m_w_valid),
        .m_ready (m_w_ready),
        .m_data  (m_w_data),
        .m_side  ({m_w_code, m_w_last, m_w_strb}),
        .count   (w_count)
    );

    // unused: room is counted before a row is requested; a mask has 4 bits; the rows use the limit,
    // the write responses the id
    wire unused = &{1'b0, w_room, w_count, load_mask[4], aw_limit, row_id};

    assign held = jobs_held || b_jobs_q != 5'd0;
    assign idle = jobs_idle && b_jobs_q == 5'd0 && !done_q && fly_q == 3'd0 && !m_w_valid;

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_dma_jobs -- the jobs of a DMA: their requests to memory, and their rows of the scratchpad
//
//   s_job ---> [ 4 jobs ] --+--> { requests } ---> m_request   address, length
//                           `--> { rows } -------> m_row       bank, row, last
//
// Contract
//   Handshake   s_job, m_request and m_row: a beat moves when valid && ready.  Both depend on state
//               alone.
//   Job         s_job_rows (1..1024) rows at s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows, so that no burst crosses 4 KiB; the last burst
//               is shorter when the rows end.  Row s_job_row of s_job_bank is the first;
//               the row after s_job_end is s_job_base.
//   Begin       The requests of a job begin while s_request_may is 1; its rows begin with them, or
//               after. m_request_begin is 1 in the cycle before the job's first m_request, with the
//               data that the owner needs. m_row_begin does the same for the first m_row.
//   Latency     If no job is ahead, a job taken in cycle t has its first m_request and m_row in t +
//               2.
//   Throughput  A request and a row a cycle, across jobs too.
//   Order       Jobs, requests and rows keep their order.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/parts/ace_dma_jobs.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_dma_jobs_test.cc).

`default_nettype none

module ace_dma_jobs #(
    parameter ROW_W  = 2048,        // bits in a row
    parameter SIDE_W = 54           // bits of a job that only the owner uses
) (
    input  wire              clk,
    input  wire              rst,

    // Jobs in
    input  wire              s_job_valid,
    output wire              s_job_ready,
    input  wire [47:0]       s_job_address,     // byte address, a multiple of the burst
    input  wire [10:0]       s_job_rows,        // 1..1024
    input  wire [2:0]        s_job_burst,       // log2 of the rows in a burst, 0..4
    input  wire [1:0]        s_job_bank,
    input  wire [11:0]       s_job_row,         // first row of the bank
    input  wire [11:0]       s_job_base,        // the partition is rows base..end
    input  wire [11:0]       s_job_end,
    input  wire [SIDE_W-1:0] s_job_side,        // returned at both begins

    // Requests
    input  wire              s_request_may,     // the next job's may begin
    output wire              m_request_begin,
    output wire [10:0]       m_request_rows,    // of the job that begins
    output wire [2:0]        m_request_burst,
    output wire [SIDE_W-1:0] m_request_side,
    output wire              m_request_valid,
    input  wire              m_request_ready,
    output wire [47:0]       m_request_addr,
    output wire [7:0]        m_request_len,     // rows - 1

    // Rows
    output wire              m_row_begin,
    output wire [47:0]       m_row_address,     // of the job that begins
    output wire [2:0]        m_row_burst,
    output wire [SIDE_W-1:0] m_row_side,
    output wire              m_row_valid,
    input  wire              m_row_ready,
    output wire [1:0]        m_row_bank,
    output wire [11:0]       m_row,
    output wire              m_row_last,        // of its job

    output wire              held,              // jobs whose rows have not begun
    output wire              idle               // nothing changes without input
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
        if (SIDE_W < 1) begin : g_illegal_side_w
            SIDE_W_must_be_1_or_more stop ();
        end
    endgenerate

    localparam ROW_SHIFT = $clog2(ROW_W / 8);

    // ---- jobs ------------------------------------------------------------

    reg [2:0]        jobs_q;            // held, their rows not begun
    reg [2:0]        request_jobs_q;    // held, their requests not begun
    reg [1:0]        wr_q;
    reg [1:0]        request_at_q;
    reg [1:0]        row_at_q;
    reg [47:0]       job_address_q [0:3];
    reg [10:0]       job_rows_q    [0:3];
    reg [2:0]        job_burst_q   [0:3];
    reg [1:0]        job_bank_q    [0:3];
    reg [11:0]       job_row_q     [0:3];
    reg [11:0]       job_base_q    [0:3];
    reg [11:0]       job_end_q     [0:3];
    reg [SIDE_W-1:0] job_side_q    [0:3];

    wire take = s_job_valid && s_job_ready;
    wire request_load;
    wire row_load;

    assign s_job_ready = jobs_q != 3'd4;
    assign held        = jobs_q != 3'd0;

    always @(posedge clk) begin
        if (rst) begin
            jobs_q         <= 3'd0;
            request_jobs_q <= 3'd0;
            wr_q           <= 2'd0;
            request_at_q   <= 2'd0;
            row_at_q       <= 2'd0;
        end else begin
            jobs_q         <= jobs_q + {2'd0, take} - {2'd0, row_load};
            request_jobs_q <= request_jobs_q + {2'd0, take} - {2'd0, request_load};
            wr_q           <= wr_q + {1'b0, take};
            request_at_q   <= request_at_q + {1'b0, request_load};
            row_at_q       <= row_at_q + {1'b0, row_load};
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
            job_side_q[wr_q]    <= s_job_side;
        end
    end

    // ---- requests --------------------------------------------------------

    reg        request_active_q;
    reg [47:0] request_addr_q;
    reg [10:0] request_left_q;
    reg [10:0] request_burst_q;         // rows in a whole burst

    wire        request      = request_active_q && m_request_ready;
    wire        request_last = request_left_q <= request_burst_q;
    wire [10:0] request_rows = request_last ? request_left_q : request_burst_q;
    wire [10:0] request_len  = request_rows - 11'd1;

    assign request_load    = (!request_active_q || (request && request_last)) && request_jobs_q != 3'd0 &&
                             s_request_may;
    assign m_request_begin = request_load;
    assign m_request_rows  = job_rows_q[request_at_q];
    assign m_request_burst = job_burst_q[request_at_q];
    assign m_request_side  = job_side_q[request_at_q];
    assign m_request_valid = request_active_q;
    assign m_request_addr  = request_addr_q;
    assign m_request_len   = request_len[7:0];

    always @(posedge clk) begin
        if (rst)
            request_active_q <= 1'b0;
        else if (request_load)
            request_active_q <= 1'b1;
        else if (request && request_last)
            request_active_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (request_load) begin
            request_addr_q  <= job_address_q[request_at_q];
            request_left_q  <= job_rows_q[request_at_q];
            request_burst_q <= 11'd1 << job_burst_q[request_at_q];
        end else if (request) begin
            request_addr_q  <= request_addr_q + ({37'd0, request_burst_q} << ROW_SHIFT);
            request_left_q  <= request_left_q - request_burst_q;
        end
    end

    // ---- rows ------------------------------------------------------------

    reg        row_active_q;
    reg [1:0]  row_bank_q;
    reg [11:0] row_q;
    reg [11:0] row_base_q;
    reg [11:0] row_end_q;
    reg [10:0] row_left_q;

    wire row      = row_active_q && m_row_ready;
    wire row_last = row_left_q == 11'd1;

    // a job's rows begin when its requests do, or after
    assign row_load      = (!row_active_q || (row && row_last)) && (jobs_q != request_jobs_q || request_load);
    assign m_row_begin   = row_load;
    assign m_row_address = job_address_q[row_at_q];
    assign m_row_burst   = job_burst_q[row_at_q];
    assign m_row_side    = job_side_q[row_at_q];
    assign m_row_valid   = row_active_q;
    assign m_row_bank    = row_bank_q;
    assign m_row         = row_q;
    assign m_row_last    = row_last;

    always @(posedge clk) begin
        if (rst)
            row_active_q <= 1'b0;
        else if (row_load)
            row_active_q <= 1'b1;
        else if (row && row_last)
            row_active_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (row_load) begin
            row_bank_q <= job_bank_q[row_at_q];
            row_q      <= job_row_q[row_at_q];
            row_base_q <= job_base_q[row_at_q];
            row_end_q  <= job_end_q[row_at_q];
            row_left_q <= job_rows_q[row_at_q];
        end else if (row) begin
            row_q      <= row_q == row_end_q ? row_base_q : row_q + 12'd1;
            row_left_q <= row_left_q - 11'd1;
        end
    end

    assign idle = !held && !row_active_q && !request_active_q;

    // a length has 8 bits
    wire unused = &{1'b0, request_len[10:8]};

endmodule

`default_nettype wire

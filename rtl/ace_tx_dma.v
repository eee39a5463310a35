// SPDX-License-Identifier: Apache-2.0
//
// ace_tx_dma -- moves rows from memory to the scratchpad, a job at a time
//
//   s_job ---> [ 4 jobs ] --+--> { requests } ---> m_ar
//                           +--> { rows } -------> m_write bank, row, done
//   s_r   ---> [ 16 rows ] ----------------------> m_write data
//
// Contract
//   Handshake   s_job, m_ar and s_r: a beat moves when valid && ready.  Both come from registers,
//               with no combinational path from an input.  m_write:
//               the row is written when m_write_valid and s_write_grant are 1 in the same cycle.  A
//               grant without m_write_valid does nothing.
//   Job         s_job_rows (1..1024) rows from s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows.  So no burst crosses 4 KiB.  The last burst is shorter
//               when the rows end.  Row s_job_row of s_job_bank takes the first row; the row after
//               s_job_end is s_job_base.
//   Latency     If no job is ahead, a job taken in cycle t has its first m_ar in t + 2.  A row
//               taken on s_r is on m_write in the next cycle.
//   Throughput  A row and an m_ar a cycle, across jobs too.  Requests run ahead of the rows.
//   Order       Jobs, requests and rows are in order; the error-detecting code of a row goes with it.
//   Done        m_done is 1 for the cycle after the last row of a job was granted.
//   Counters    Each cycle outside reset counts in exactly one: busy (a row granted), blocked (a
//               row not granted), starved (jobs held, no row here), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/twin/ace_tx_dma.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_tx_dma_test.cc).

`default_nettype none

module ace_tx_dma #(
    parameter ROW_W  = 2048,        // bits in a row
    parameter DATA_W = ROW_W        // bits of a row that exist in hardware: ROW_W, or 64 with PAYLOAD=0
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
    input  wire [DATA_W-1:0] s_r_data,
    input  wire [31:0]      s_r_code,       // of ace_row_code
    input  wire             s_r_last,

    // Scratchpad
    output wire             m_write_valid,
    output wire [1:0]       m_write_bank,
    output wire [11:0]      m_write_row,
    output wire [DATA_W-1:0] m_write_data,
    output wire [31:0]      m_write_code,
    input  wire             s_write_grant,

    // Jobs done
    output wire             m_done_valid,
    output wire [5:0]       m_done_id,

    // Cycles in each class
    output wire [191:0]     count,          // {idle, blocked, starved, busy}, 48 bits each

    output wire               idle              // nothing changes without input
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
        if (DATA_W < 1 || DATA_W > ROW_W) begin : g_illegal_data_w DATA_W_must_be_1_to_ROW_W stop (); end
    endgenerate

    // ---- jobs, their requests and rows -----------------------------------

    wire       held;
    wire       jobs_idle;
    wire       ar_begin;
    wire [10:0] ar_rows;
    wire [2:0] ar_burst;
    wire [5:0] ar_id;
    wire       row_begin;
    wire [47:0] row_address;
    wire [2:0] row_burst;
    wire [5:0] row_begin_id;
    wire       row_valid;
    wire       row_last;
    reg [5:0]  row_id_q;
    reg        done_q;
    reg [5:0]  done_id_q;
    wire       r_valid;
    wire [5:0] r_count;
    wire       r_last;

    assign m_write_valid = r_valid && row_valid;
    assign m_done_valid  = done_q;
    assign m_done_id     = done_id_q;

    wire row  = m_write_valid && s_write_grant;
    wire done = row && row_last;

    ace_dma_jobs #(.ROW_W(ROW_W), .SIDE_W(6)) u_jobs (
        .clk(clk), .rst(rst),
        .s_job_valid(s_job_valid), .s_job_ready(s_job_ready), .s_job_address(s_job_address), .s_job_rows(s_job_rows),
        .s_job_burst(s_job_burst), .s_job_bank(s_job_bank), .s_job_row(s_job_row), .s_job_base(s_job_base),
        .s_job_end(s_job_end), .s_job_side(s_job_id),
        .s_request_may(1'b1), .m_request_begin(ar_begin), .m_request_rows(ar_rows), .m_request_burst(ar_burst),
        .m_request_side(ar_id), .m_request_valid(m_ar_valid), .m_request_ready(m_ar_ready),
        .m_request_addr(m_ar_addr), .m_request_len(m_ar_len),
        .m_row_begin(row_begin), .m_row_address(row_address), .m_row_burst(row_burst), .m_row_side(row_begin_id),
        .m_row_valid(row_valid), .m_row_ready(row), .m_row_bank(m_write_bank), .m_row(m_write_row),
        .m_row_last(row_last), .held(held), .idle(jobs_idle)
    );

    always @(posedge clk) begin
        if (rst)
            done_q <= 1'b0;
        else
            done_q <= done;
    end

    always @(posedge clk) begin
        if (done)
            done_id_q <= row_id_q;
        if (row_begin)
            row_id_q <= row_begin_id;
    end

    ace_row_fifo #(
        .ROW_W  (DATA_W),
        .SIDE_W (33),
        .DEPTH  (16)
    ) u_r (
        .clk     (clk),
        .rst     (rst),
        .s_valid (s_r_valid),
        .s_ready (s_r_ready),
        .s_data  (s_r_data),
        .s_side  ({s_r_code, s_r_last}),
        .m_valid (r_valid),
        .m_ready (row),
        .m_data  (m_write_data),
        .m_side  ({m_write_code, r_last}),
        .count   (r_count)
    );

    // unused: rows arrive in the order of the job, so the fields of their requests are not needed
    wire unused = &{1'b0, r_count, r_last, ar_begin, ar_rows, ar_burst, ar_id, row_address, row_burst};

    ace_cycle_classes u_count (
        .clk(clk), .rst(rst), .busy(row), .blocked(m_write_valid), .starved(row_valid || held), .count(count)
    );

    assign idle = jobs_idle && !done_q && !r_valid;

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_rx_dma -- moves rows from the scratchpad to memory, two jobs at a time
//
//   s_job --+-- even banks --> [ half ] --+--> m_read, a row of either
//           |                             +--> m_aw, the older's first ---> [ half of each burst ]
//           `-- odd banks ---> [ half ] --+--> m_w, in the order of m_aw <--------'   |
//                                         `--- s_b, in the order of m_aw <------------'
//
// Other readers go first at the banks, so the rows of one job may wait for long.  The next job
// reads another bank.  So with two jobs at a time a row is nearly always available.
//
// Contract
//   Handshake   s_job, m_aw and m_w: a beat moves when valid && ready.  Both come from registers,
//               with no combinational path from an input.  Unlike in AXI, m_aw may change to
//               another burst until it is taken: ace_memory_arbiter and ace_memory_interface read
//               it only in the cycle in which they take it.  At most one bit of s_read_grant is 1.
//               A half gets its row when its m_read_valid and its bit of s_read_grant are 1 in the
//               same cycle.  The row is on s_read_data three cycles later.  m_read_valid is 1 only
//               with a free slot for the row.  A grant without m_read_valid does nothing.  s_b is always taken.
//   Job         s_job_rows (1..1024) rows go to s_job_address, a multiple of the burst of
//               2^s_job_burst (0..4) rows.  So no burst crosses 4 KiB.  The last burst is shorter
//               when the rows end.  Row s_job_row of s_job_bank is the first; the row after
//               s_job_end is s_job_base.  Bytes at or beyond s_job_limit are written with strobes
//               0; the timing does not change.
//   First       If both halves could get a row, m_read_first names the half that goes first: the
//               one whose job began first.
//   Bursts      A burst is on m_aw once all its rows were granted.  So its beats wait for no bank;
//               they follow on m_w in the order of m_aw.  At most BURSTS wait for their write
//               response.
//   Latency     If no job is ahead, a job taken in cycle t has its first m_read in t + 2.
//   Throughput  A row, an m_aw and an m_w a cycle, across the jobs of both halves.  With jobs of 32
//               rows and bursts of any length this holds in at least 49 of 50 cycles.
//   Order       Within a half jobs, requests, rows and done are in order.  Write responses
//               come in the order of m_aw.  The error-detecting code of a row is on m_w with the row.
//   Done        m_done is 1 for the cycle after the write response of the last burst of a job.
//   Counters    Each cycle outside reset in exactly one: busy (a row granted), blocked
//               (rows left to read, none granted), starved (jobs held, all rows read), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/twin/ace_rx_dma.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_rx_dma_test.cc).

`default_nettype none

module ace_rx_dma #(
    parameter ROW_W  = 2048,        // bits in a row
    parameter DATA_W = ROW_W,       // bits of a row that exist in hardware: ROW_W, or 64 with PAYLOAD=0
    parameter BURSTS = 16           // bursts without a write response, 1..256
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

    // Scratchpad: the half of the even banks is low, the half of the odd banks high
    output wire [1:0]         m_read_valid,
    output wire               m_read_first,     // the half that goes first
    output wire [3:0]         m_read_bank,
    output wire [23:0]        m_read_row,
    input  wire [1:0]         s_read_grant,     // one at most
    input  wire [DATA_W-1:0]  s_read_data,      // three cycles after the grant
    input  wire [31:0]        s_read_code,      // error-detecting code of the row, see ace_row_code

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
    output wire               s_b_ready,

    // Jobs done
    output wire               m_done_valid,
    output wire [5:0]         m_done_id,

    // Cycles in each class
    output wire [191:0]       count,            // {idle, blocked, starved, busy}, 48 bits each

    output wire               idle              // nothing changes without input
);

    localparam PTR_W   = BURSTS > 1 ? $clog2(BURSTS) : 1;
    localparam COUNT_W = $clog2(BURSTS + 1);
    localparam [31:0] LAST = BURSTS - 1;
    localparam [31:0] MOST = BURSTS;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 16 || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_bytes stop ();
        end
        if (BURSTS < 1 || BURSTS > 256) begin : g_illegal_bursts BURSTS_must_be_1_to_256 stop (); end
        if (DATA_W < 1 || DATA_W > ROW_W) begin : g_illegal_data_w DATA_W_must_be_1_to_ROW_W stop (); end
    endgenerate

    // ---- FIFO: the half that issued each burst ---------------------------

    reg               burst_is_odd_q [0:BURSTS-1];  // issued by the odd half
    reg [PTR_W-1:0]   aw_at_q;              // the slot of the next burst
    reg [PTR_W-1:0]   w_at_q;               // the burst whose beats are next
    reg [PTR_W-1:0]   b_at_q;               // the burst whose write response is next
    reg [COUNT_W-1:0] open_q;               // bursts whose beats have not all left
    reg [COUNT_W-1:0] waiting_q;            // bursts without a write response

    wire [1:0] half_aw_valid, half_w_valid, half_w_last;
    wire       aw    = m_aw_valid && m_aw_ready;
    wire       w     = m_w_valid && m_w_ready;
    wire       ends  = w && m_w_last;
    wire       b     = s_b_valid && waiting_q != {COUNT_W{1'b0}};
    wire       w_odd = burst_is_odd_q[w_at_q];
    wire       b_odd = burst_is_odd_q[b_at_q];

    function [PTR_W-1:0] after;
        input [PTR_W-1:0] at;
        after = at == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : at + {{(PTR_W-1){1'b0}}, 1'b1};
    endfunction

    always @(posedge clk) begin
        if (rst) begin
            aw_at_q   <= {PTR_W{1'b0}};
            w_at_q    <= {PTR_W{1'b0}};
            b_at_q    <= {PTR_W{1'b0}};
            open_q    <= {COUNT_W{1'b0}};
            waiting_q <= {COUNT_W{1'b0}};
        end else begin
            if (aw)   aw_at_q <= after(aw_at_q);
            if (ends) w_at_q  <= after(w_at_q);
            if (b)    b_at_q  <= after(b_at_q);
            open_q    <= open_q + {{(COUNT_W-1){1'b0}}, aw} - {{(COUNT_W-1){1'b0}}, ends};
            waiting_q <= waiting_q + {{(COUNT_W-1){1'b0}}, aw} - {{(COUNT_W-1){1'b0}}, b};
        end
    end

    // ---- the half that goes first ----------------------------------------

    reg        first_q;
    wire [1:0] row_begin;
    wire       aw_odd = first_q ? half_aw_valid[1] : !half_aw_valid[0];

    always @(posedge clk) begin
        if (rst)
            first_q <= 1'b0;
        else if (row_begin != 2'd0)
            first_q <= !row_begin[1];
    end

    always @(posedge clk) begin
        if (aw) burst_is_odd_q[aw_at_q] <= aw_odd;
    end

    // ---- the halves ------------------------------------------------------

    wire [1:0]  job_ready, row_left, half_held, half_idle, done_valid;
    wire [95:0] aw_addr;
    wire [15:0] aw_len;
    wire [11:0] done_id;
    wire [2*DATA_W-1:0]  w_data;
    wire [63:0]          w_code;
    wire [2*ROW_W/8-1:0] w_strb;

    genvar h;
    generate
        for (h = 0; h < 2; h = h + 1) begin : g_half
            ace_rx_half #(.ROW_W(ROW_W), .DATA_W(DATA_W)) u_half (
                .clk(clk), .rst(rst),
                .s_job_valid(s_job_valid && s_job_ready && s_job_bank[0] == h), .s_job_ready(job_ready[h]),
                .s_job_address(s_job_address), .s_job_limit(s_job_limit), .s_job_rows(s_job_rows),
                .s_job_burst(s_job_burst), .s_job_bank(s_job_bank), .s_job_row(s_job_row), .s_job_base(s_job_base),
                .s_job_end(s_job_end), .s_job_id(s_job_id),
                .m_read_valid(m_read_valid[h]), .m_read_bank(m_read_bank[2*h +: 2]),
                .m_read_row(m_read_row[12*h +: 12]), .s_read_grant(s_read_grant[h]), .s_read_data(s_read_data),
                .s_read_code(s_read_code),
                .m_aw_valid(half_aw_valid[h]), .m_aw_ready(aw && aw_odd == h),
                .m_aw_addr(aw_addr[48*h +: 48]), .m_aw_len(aw_len[8*h +: 8]),
                .m_w_valid(half_w_valid[h]), .m_w_ready(w && w_odd == h), .m_w_data(w_data[DATA_W*h +: DATA_W]),
                .m_w_code(w_code[32*h +: 32]), .m_w_strb(w_strb[ROW_W/8*h +: ROW_W/8]), .m_w_last(half_w_last[h]),
                .s_b_valid(b && b_odd == h),
                .m_done_valid(done_valid[h]), .m_done_id(done_id[6*h +: 6]),
                .m_row_begin(row_begin[h]), .m_row_left(row_left[h]), .held(half_held[h]), .idle(half_idle[h])
            );
        end
    endgenerate

    assign s_job_ready  = job_ready == 2'd3;
    assign m_read_first = first_q;
    assign m_aw_valid   = half_aw_valid != 2'd0 && waiting_q != MOST[COUNT_W-1:0];
    assign m_aw_addr    = aw_odd ? aw_addr[95:48] : aw_addr[47:0];
    assign m_aw_len     = aw_odd ? aw_len[15:8] : aw_len[7:0];
    assign m_w_valid    = half_w_valid[w_odd] && open_q != {COUNT_W{1'b0}};
    assign m_w_data     = w_odd ? w_data[2*DATA_W-1:DATA_W] : w_data[DATA_W-1:0];
    assign m_w_code     = w_odd ? w_code[63:32] : w_code[31:0];
    assign m_w_strb     = w_odd ? w_strb[2*ROW_W/8-1:ROW_W/8] : w_strb[ROW_W/8-1:0];
    assign m_w_last     = half_w_last[w_odd];
    assign s_b_ready    = 1'b1;
    assign m_done_valid = done_valid != 2'd0;
    assign m_done_id    = done_valid[1] ? done_id[11:6] : done_id[5:0];

    ace_cycle_classes u_count (
        .clk(clk), .rst(rst), .busy((m_read_valid & s_read_grant) != 2'd0), .blocked(row_left != 2'd0),
        .starved(half_held != 2'd0), .count(count)
    );

    assign idle = half_idle == 2'd3;

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_memory_port -- the memory side of a node: the DMAs, the arbiter and the AXI4 interface
//
//   s_job --> TX DMA --> m_write (rows for the scratchpad)
//               ^ |
//               | +--ar--+
//   s_job --> RX DMA <-- m_read (rows of the scratchpad)
//               |        |
//               +--aw,w--+--> arbiter --> memory interface <--> AXI4
//   x_* (ace_nic) -------+
//
// Contract
//   Jobs        s_load_* and s_store_* share the job's pins; the contracts of ace_tx_dma and
//               ace_rx_dma hold for them, for m_write_* and for m_read_*.
//   Exchange    x_* are the pins of the exchange: bursts of one row, which go first.  x_busy is high
//               while the exchange is not idle.  The contract of ace_memory_arbiter holds.
//   Memory      AXI4 by the contract of ace_memory_interface.
//   Checks      m_written_wrong: a row that left for memory did not fit its code, as ace_row_check
//               reports it.
//   Payload     Without PAYLOAD rows on m_w_data are zeros.
//   Reset       rst is synchronous, active high.  drain does the same, except that bursts which the
//               memory interface took are carried out first: busy is low afterwards.
//   Twin        cmodel/core/ace_memory_port.h, equal inside ace_node at every port of the node, every
//               cycle (tests/lockstep/lockstep_node_test.cc).

`include "ace_widths.vh"

`default_nettype none

module ace_memory_port #(
    parameter MEMORY_BURSTS   = 16,     // AXI bursts outstanding of the DMAs, each way
    parameter EXCHANGE_BURSTS = 128,    // AXI bursts outstanding of the exchange, each way, of one row
    parameter MEMORY_PROT     = 2,      // AxPROT of every burst: data, non-secure, unprivileged
    parameter DRAIN_LIMIT     = 65536,  // cycles that a drain waits for the memory, see ace_memory_interface
    parameter ROW_W           = 2048,   // bits of a row
    parameter PAYLOAD         = 1,      // 0: rows have no values
    parameter DATA_W          = PAYLOAD != 0 ? ROW_W : 64   // follows: bits of a row that are carried
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         drain,
    output wire                         busy,               // bursts were taken and are not done with

    // Setting, constant but in reset
    input  wire [23:0]                  cfg_read_cost,
    input  wire [23:0]                  cfg_write_cost,
    input  wire [15:0]                  cfg_latency,

    // Jobs of the DMAs
    input  wire                         s_load_valid,
    output wire                         s_load_ready,
    input  wire                         s_store_valid,
    output wire                         s_store_ready,
    input  wire [`ACE_ADDRESS_W-1:0]    s_job_address,
    input  wire [`ACE_ADDRESS_W-1:0]    s_job_limit,
    input  wire [`ACE_CHUNK_ROW_W-1:0]  s_job_rows,
    input  wire [2:0]                   s_job_burst,
    input  wire [1:0]                   s_job_bank,
    input  wire [`ACE_BANK_ROW_W-1:0]   s_job_row,
    input  wire [`ACE_BANK_ROW_W-1:0]   s_job_base,
    input  wire [`ACE_BANK_ROW_W-1:0]   s_job_end,
    input  wire [5:0]                   s_job_id,
    output wire                         m_loaded_valid,
    output wire [5:0]                   m_loaded_id,
    output wire                         m_stored_valid,
    output wire [5:0]                   m_stored_id,

    // Rows to the scratchpad, and rows of it: m_read has a bit a half of the RX DMA
    output wire                         m_write_valid,
    output wire [1:0]                   m_write_bank,
    output wire [`ACE_BANK_ROW_W-1:0]   m_write_row,
    output wire [DATA_W-1:0]            m_write_data,
    output wire [`ACE_CODE_W-1:0]       m_write_code,
    input  wire                         s_write_grant,
    output wire [1:0]                   m_read_valid,
    output wire                         m_read_first,
    output wire [3:0]                   m_read_bank,
    output wire [2*`ACE_BANK_ROW_W-1:0] m_read_row,
    input  wire [1:0]                   s_read_grant,
    input  wire [DATA_W-1:0]            s_read_data,
    input  wire [`ACE_CODE_W-1:0]       s_read_code,

    // The exchange
    input  wire                         x_busy,
    input  wire                         x_ar_valid,
    output wire                         x_ar_ready,
    input  wire [`ACE_ADDRESS_W-1:0]    x_ar_addr,
    output wire                         x_r_valid,
    input  wire                         x_r_ready,
    output wire [ROW_W-1:0]             x_r_data,
    output wire [`ACE_CODE_W-1:0]       x_r_code,
    input  wire                         x_aw_valid,
    output wire                         x_aw_ready,
    input  wire [`ACE_ADDRESS_W-1:0]    x_aw_addr,
    input  wire                         x_aw_pad,
    input  wire                         x_w_valid,
    output wire                         x_w_ready,
    input  wire [DATA_W-1:0]            x_w_data,
    input  wire [`ACE_CODE_W-1:0]       x_w_code,
    input  wire [ROW_W/8-1:0]           x_w_strb,
    output wire                         x_b_valid,

    // Memory, AXI4: reads
    output wire                         m_ar_valid,
    input  wire                         m_ar_ready,
    output wire [`ACE_ADDRESS_W-1:0]    m_ar_addr,
    output wire [7:0]                   m_ar_len,
    output wire [2:0]                   m_ar_size,
    output wire [1:0]                   m_ar_burst,
    output wire [2:0]                   m_ar_prot,
    input  wire                         s_r_valid,
    output wire                         s_r_ready,
    input  wire [ROW_W-1:0]             s_r_data,
    input  wire                         s_r_last,
    input  wire [1:0]                   s_r_resp,
    // and writes
    output wire                         m_aw_valid,
    input  wire                         m_aw_ready,
    output wire [`ACE_ADDRESS_W-1:0]    m_aw_addr,
    output wire [7:0]                   m_aw_len,
    output wire [2:0]                   m_aw_size,
    output wire [1:0]                   m_aw_burst,
    output wire [2:0]                   m_aw_prot,
    output wire                         m_w_valid,
    input  wire                         m_w_ready,
    output wire [ROW_W-1:0]             m_w_data,
    output wire [ROW_W/8-1:0]           m_w_strb,
    output wire                         m_w_last,
    input  wire                         s_b_valid,
    output wire                         s_b_ready,
    input  wire [1:0]                   s_b_resp,

    // Errors, as ace_memory_interface has them, and rows that did not fit their code
    output wire                         read_failed,
    output wire [1:0]                   read_failed_resp,
    output wire [`ACE_ADDRESS_W-1:0]    read_failed_addr,
    output wire                         write_failed,
    output wire [1:0]                   write_failed_resp,
    output wire [`ACE_ADDRESS_W-1:0]    write_failed_addr,
    output wire                         protocol_failed,
    output wire [`ACE_ADDRESS_W-1:0]    protocol_failed_addr,
    output wire                         memory_lost,
    output wire                         m_written_wrong,
    // Cycle classes
    output wire [`ACE_CLASSES_W-1:0]    count_read,
    output wire [`ACE_CLASSES_W-1:0]    count_write,
    output wire [`ACE_CLASSES_W-1:0]    count_tx_dma,
    output wire [`ACE_CLASSES_W-1:0]    count_rx_dma,
    output wire                         idle
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (MEMORY_BURSTS < 1 || MEMORY_BURSTS > 255) begin : g_illegal_memory_bursts
            MEMORY_BURSTS_must_be_1_to_255 stop ();
        end
        if (EXCHANGE_BURSTS < 1 || EXCHANGE_BURSTS > 256 - MEMORY_BURSTS) begin : g_illegal_exchange_bursts
            EXCHANGE_BURSTS_must_be_1_to_256_less_MEMORY_BURSTS stop ();
        end
        if (MEMORY_PROT < 0 || MEMORY_PROT > 7) begin : g_illegal_memory_prot MEMORY_PROT_must_be_0_to_7 stop (); end
        if (DRAIN_LIMIT < 0 || DRAIN_LIMIT > 16777216) begin : g_illegal_drain_limit
            DRAIN_LIMIT_must_be_0_to_16777216 stop ();
        end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (PAYLOAD != 0 && PAYLOAD != 1) begin : g_illegal_payload PAYLOAD_must_be_0_or_1 stop (); end
        if (DATA_W != (PAYLOAD != 0 ? ROW_W : 64)) begin : g_illegal_data_w
            DATA_W_must_be_ROW_W_or_64_without_PAYLOAD stop ();
        end
    endgenerate

    wire unit_rst = rst || drain;

    // ---- DMAs ----
    wire                      ar_valid, ar_ready, r_valid, r_ready, r_last;
    wire                      aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
    wire [`ACE_ADDRESS_W-1:0] ar_addr, aw_addr;
    wire [7:0]                ar_len, aw_len;
    wire [ROW_W-1:0]          r_data;
    wire [DATA_W-1:0]         w_data;
    wire [`ACE_CODE_W-1:0]    r_code, w_code, written_code;
    wire [ROW_W/8-1:0]        w_strb;
    wire [DATA_W-1:0]         written;
    wire                      tx_dma_idle, rx_dma_idle, memory_idle;
    assign x_r_data = r_data;
    assign x_r_code = r_code;

    ace_tx_dma #(.ROW_W(ROW_W), .DATA_W(DATA_W)) u_tx_dma (
        .clk(clk), .rst(unit_rst),
        .s_job_valid(s_load_valid), .s_job_ready(s_load_ready), .s_job_address(s_job_address),
        .s_job_rows(s_job_rows), .s_job_burst(s_job_burst), .s_job_bank(s_job_bank), .s_job_row(s_job_row),
        .s_job_base(s_job_base), .s_job_end(s_job_end), .s_job_id(s_job_id),
        .m_ar_valid(ar_valid), .m_ar_ready(ar_ready), .m_ar_addr(ar_addr), .m_ar_len(ar_len),
        .s_r_valid(r_valid), .s_r_ready(r_ready), .s_r_data(r_data[DATA_W-1:0]), .s_r_code(r_code),
        .s_r_last(r_last),
        .m_write_valid(m_write_valid), .m_write_bank(m_write_bank), .m_write_row(m_write_row),
        .m_write_data(m_write_data), .m_write_code(m_write_code), .s_write_grant(s_write_grant),
        .m_done_valid(m_loaded_valid), .m_done_id(m_loaded_id),
        .count(count_tx_dma), .idle(tx_dma_idle)
    );

    ace_rx_dma #(.ROW_W(ROW_W), .DATA_W(DATA_W), .BURSTS(MEMORY_BURSTS)) u_rx_dma (
        .clk(clk), .rst(unit_rst),
        .s_job_valid(s_store_valid), .s_job_ready(s_store_ready), .s_job_address(s_job_address),
        .s_job_limit(s_job_limit), .s_job_rows(s_job_rows), .s_job_burst(s_job_burst), .s_job_bank(s_job_bank),
        .s_job_row(s_job_row), .s_job_base(s_job_base), .s_job_end(s_job_end), .s_job_id(s_job_id),
        .m_read_valid(m_read_valid), .m_read_first(m_read_first), .m_read_bank(m_read_bank),
        .m_read_row(m_read_row),
        .s_read_grant(s_read_grant), .s_read_data(s_read_data), .s_read_code(s_read_code),
        .m_aw_valid(aw_valid), .m_aw_ready(aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len),
        .m_w_valid(w_valid), .m_w_ready(w_ready), .m_w_data(w_data), .m_w_code(w_code), .m_w_strb(w_strb),
        .m_w_last(w_last), .s_b_valid(b_valid), .s_b_ready(b_ready),
        .m_done_valid(m_stored_valid), .m_done_id(m_stored_id),
        .count(count_rx_dma), .idle(rx_dma_idle)
    );

    // ---- arbiter and memory interface ----
    wire                      all_ar_valid, all_ar_ready, all_r_valid, all_r_ready;
    wire                      all_aw_valid, all_aw_ready, all_w_valid, all_w_ready, all_w_last;
    wire                      all_b_valid, all_b_ready, w_first, all_aw_pad;
    wire [`ACE_ADDRESS_W-1:0] all_ar_addr, all_aw_addr;
    wire [7:0]                all_ar_len, all_aw_len;

    ace_memory_arbiter #(.DMA_BURSTS(MEMORY_BURSTS), .BURSTS(MEMORY_BURSTS + EXCHANGE_BURSTS)) u_memory_arbiter (
        .clk(clk), .rst(unit_rst),
        .s0_busy(x_busy),
        .s0_ar_valid(x_ar_valid), .s0_ar_ready(x_ar_ready), .s0_ar_addr(x_ar_addr),
        .s0_r_valid(x_r_valid), .s0_r_ready(x_r_ready),
        .s0_aw_valid(x_aw_valid), .s0_aw_ready(x_aw_ready), .s0_aw_addr(x_aw_addr),
        .s0_aw_pad(x_aw_pad),
        .s0_w_valid(x_w_valid), .s0_w_ready(x_w_ready),
        .s0_b_valid(x_b_valid),
        .s1_ar_valid(ar_valid), .s1_ar_ready(ar_ready), .s1_ar_addr(ar_addr), .s1_ar_len(ar_len),
        .s1_r_valid(r_valid), .s1_r_ready(r_ready),
        .s1_aw_valid(aw_valid), .s1_aw_ready(aw_ready), .s1_aw_addr(aw_addr), .s1_aw_len(aw_len),
        .s1_w_valid(w_valid), .s1_w_ready(w_ready), .s1_w_last(w_last),
        .s1_b_valid(b_valid),
        .m_ar_valid(all_ar_valid), .m_ar_ready(all_ar_ready), .m_ar_addr(all_ar_addr), .m_ar_len(all_ar_len),
        .m_r_valid(all_r_valid), .m_r_ready(all_r_ready), .m_r_last(r_last),
        .m_aw_valid(all_aw_valid), .m_aw_ready(all_aw_ready), .m_aw_addr(all_aw_addr), .m_aw_len(all_aw_len),
        .m_aw_pad(all_aw_pad),
        .m_w_valid(all_w_valid), .m_w_ready(all_w_ready), .m_w_first(w_first), .m_w_last(all_w_last),
        .m_b_valid(all_b_valid), .m_b_ready(all_b_ready)
    );

    ace_memory_interface #(
        .BURSTS(MEMORY_BURSTS + EXCHANGE_BURSTS), .PROT(MEMORY_PROT), .ROW_W(ROW_W), .DATA_W(DATA_W),
        .CODED(PAYLOAD), .DRAIN_LIMIT(DRAIN_LIMIT)
    ) u_memory_interface (
        .clk(clk), .rst(rst), .drain(drain), .busy(busy),
        .cfg_read_cost(cfg_read_cost), .cfg_write_cost(cfg_write_cost),
        .cfg_latency(cfg_latency),
        .s_ar_valid(all_ar_valid), .s_ar_ready(all_ar_ready), .s_ar_addr(all_ar_addr), .s_ar_len(all_ar_len),
        .m_r_valid(all_r_valid), .m_r_ready(all_r_ready), .m_r_data(r_data), .m_r_code(r_code),
        .m_r_last(r_last),
        .s_aw_valid(all_aw_valid), .s_aw_ready(all_aw_ready), .s_aw_addr(all_aw_addr), .s_aw_len(all_aw_len),
        .s_aw_pad(all_aw_pad),
        .s_w_valid(all_w_valid), .s_w_ready(all_w_ready), .s_w_data(w_first ? x_w_data : w_data),
        .s_w_code(w_first ? x_w_code : w_code), .s_w_strb(w_first ? x_w_strb : w_strb), .s_w_last(all_w_last),
        .m_b_valid(all_b_valid), .m_b_ready(all_b_ready),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len),
        .m_ar_size(m_ar_size), .m_ar_burst(m_ar_burst), .m_ar_prot(m_ar_prot),
        .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data(s_r_data), .s_r_last(s_r_last), .s_r_resp(s_r_resp),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr), .m_aw_len(m_aw_len),
        .m_aw_size(m_aw_size), .m_aw_burst(m_aw_burst), .m_aw_prot(m_aw_prot),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(written), .m_w_code(written_code),
        .m_w_strb(m_w_strb), .m_w_last(m_w_last),
        .s_b_valid(s_b_valid), .s_b_ready(s_b_ready), .s_b_resp(s_b_resp),
        .read_failed(read_failed), .read_failed_resp(read_failed_resp), .read_failed_addr(read_failed_addr),
        .write_failed(write_failed), .write_failed_resp(write_failed_resp), .write_failed_addr(write_failed_addr),
        .protocol_failed(protocol_failed), .protocol_failed_addr(protocol_failed_addr), .memory_lost(memory_lost),
        .count_read(count_read), .count_write(count_write),
        .idle(memory_idle)
    );

    // ---- the row that leaves: does it fit its code? ----
    ace_row_check #(.ROW_W(DATA_W), .CODED(PAYLOAD)) u_check (
        .clk(clk), .rst(unit_rst), .s_valid(m_w_valid && m_w_ready), .s_data(written), .s_code(written_code),
        .m_wrong(m_written_wrong));
    generate
        if (PAYLOAD != 0) begin : g_payload
            assign m_w_data = written;
        end else begin : g_timing
            assign m_w_data = {ROW_W{1'b0}};
            wire unused = &{1'b0, written};
        end
    endgenerate

    assign idle = tx_dma_idle && rx_dma_idle && memory_idle;

    wire unused = &{1'b0, b_ready};     // answers are always taken

endmodule

`default_nettype wire

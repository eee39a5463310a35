// SPDX-License-Identifier: Apache-2.0
//
// ace_engine -- ACE as a system integrates it: registers, memory, links, interrupt
//
//   s_axil_* --> ace_control -- cfg, commands, reset --> ace_node <--> tx_* / rx_*  (links)
//        irq <--             <-- completions, errors --           <--> AXI4         (memory)
//   m_flag_* <--> AXI4 (flags)
//
// Contract
//   Moore       every output depends on state alone.
//   Registers   see ace_control, and docs/reference/registers.md for what they mean.
//   Links       see ace_node.  While CONTROL.RUN is 0 the node is in reset: it sends nothing,
//               and what arrives is lost.  All engines of a fabric are started before any
//               gets a command, and stopped together.
//   Memory      see ace_node.  A stop breaks no burst off: those that were taken are carried out,
//               to nobody's use, and the node cannot be started before (STATUS.MEMORY_BUSY).  If none
//               comes on for DRAIN_LIMIT cycles they are forgotten (STATUS.MEMORY_LOST), until rst.
//               AxPROT is MEMORY_PROT; that of register accesses is checked, see ace_axil_slave.
//   Flags       See ace_trigger.  A flag follows the answers of its command's writes, so the port may lead to
//               the same memory by another path.  A stop and DRAIN_LIMIT act on it as on the memory's port.
//   Progress    For the watchdog: a packet or a grant crossed a link, an address, a row or an
//               answer the memory's pins, or a command or a completion those of the node.
//               What goes on inside between two of these is bounded; patience has to be
//               above the memory's latency and the links'.
//   Reset       rst is synchronous, active high, at any time.
//   Twin        cmodel/twin/ace_engine.c, equal at every port, every cycle
//               (tests/engine/engine_test.cc).

`default_nettype none

module ace_engine #(
    parameter COMPLETIONS      = 64,    // places for completions, a power of two, 2..16384
    parameter DIMENSIONS       = 3,     // 3 or 4: two links each, and one phase more than they are
    parameter FSMS             = 16,    // programmable FSMs: 1, 2 or 4 for each phase
    parameter CONTEXTS         = 4,     // chunks an FSM holds, a power of two, 2 or more
    parameter PEERS            = 16,    // members of a hub whose grants a chunk keeps apart: 16, 32 or 64
    parameter BANK_ROWS        = 4096,  // rows of each of the four scratchpad banks
    parameter SUB_BANKS        = 1,     // memories of one port in a bank, 2, 4 or 8; 1: one of two ports
    parameter LINK_INPUT_ROWS  = 128,   // packets in a link's input buffer
    parameter LINK_OUTPUT_ROWS = 8,     // packets in a link's output buffer
    parameter COMMANDS         = 64,    // collectives waiting, a power of two
    parameter MEMORY_BURSTS    = 16,    // AXI bursts outstanding of the DMAs, each way
    parameter ROUTER_INPUT_ROWS  = 128, // routed packets in a link's input buffer
    parameter ROUTER_OUTPUT_ROWS = 16,  // and in its output buffer, 2 or more
    parameter EXCHANGE_ROWS    = 64,    // rows of each queue of the exchange: those it reads in a memory latency
    parameter EXCHANGE_BURSTS  = 128,   // AXI bursts outstanding of the exchange, each way, of one row
    parameter TRIGGERS         = 8,     // slots of prepared commands, a power of two, 2..16
    parameter MEMORY_PROT      = 2,     // AxPROT of every burst: data, non-secure, unprivileged
    parameter DRAIN_LIMIT      = 65536, // cycles that a stop waits for the memory, see ace_memory_interface
    parameter REGISTER_PROT_MASK = 1,   // bits of AxPROT of register accesses that are checked: here bit 0,
    parameter REGISTER_PROT    = 1,     // and what they must be: privileged
    parameter FAULT_REGISTERS  = 0,     // 1: FAULT_PLACE and FAULT_FLIP are there, for tests
    parameter ALU_TYPES        = 7,     // types that the ALUs reduce, a bit each, see ace_alu
    parameter ALU_OPS          = 13,    // and operations
    parameter WIRE_FORMATS     = 0,     // 1: links can carry rows in the formats of ace_wire_encode
    parameter ROW_W            = 2048,  // bits of a row: four 64-byte ALUs
    parameter LINKS            = 2 * DIMENSIONS     // follows
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               s_axil_awvalid,
    output wire               s_axil_awready,
    input  wire [11:0]        s_axil_awaddr,
    input  wire [2:0]         s_axil_awprot,
    input  wire               s_axil_wvalid,
    output wire               s_axil_wready,
    input  wire [31:0]        s_axil_wdata,
    input  wire [3:0]         s_axil_wstrb,
    output wire               s_axil_bvalid,
    input  wire               s_axil_bready,
    output wire [1:0]         s_axil_bresp,
    input  wire               s_axil_arvalid,
    output wire               s_axil_arready,
    input  wire [11:0]        s_axil_araddr,
    input  wire [2:0]         s_axil_arprot,
    output wire               s_axil_rvalid,
    input  wire               s_axil_rready,
    output wire [31:0]        s_axil_rdata,
    output wire [1:0]         s_axil_rresp,
    output wire               irq,

    input  wire [LINKS-1:0]   rx_frame,
    input  wire [LINKS-1:0]   rx_resend,
    input  wire [16*LINKS-1:0] rx_number,
    input  wire [16*LINKS-1:0] rx_ack,
    input  wire [32*LINKS-1:0] rx_crc,
    input  wire [LINKS-1:0]   rx_valid,
    input  wire [8*LINKS-1:0] rx_context,
    input  wire [LINKS-1:0]   rx_reduce,
    input  wire [8*LINKS-1:0] rx_mark,
    input  wire [LINKS*ROW_W-1:0] rx_data,
    input  wire [LINKS-1:0]   rx_routed,
    input  wire [64*LINKS-1:0] rx_route,             // 64 bits a link, see ace_router
    input  wire [LINKS-1:0]   rx_credit,
    input  wire [LINKS-1:0]   rx_routed_credit,
    input  wire [LINKS-1:0]   rx_grant_valid,
    input  wire [8*LINKS-1:0] rx_grant_context,
    input  wire [8*LINKS-1:0] rx_grant_mark,
    input  wire [8*LINKS-1:0] rx_grant_peer,
    output wire [LINKS-1:0]   tx_frame,
    output wire [LINKS-1:0]   tx_resend,
    output wire [16*LINKS-1:0] tx_number,
    output wire [16*LINKS-1:0] tx_ack,
    output wire [32*LINKS-1:0] tx_crc,
    output wire [LINKS-1:0]   tx_valid,
    output wire [8*LINKS-1:0] tx_context,
    output wire [LINKS-1:0]   tx_reduce,
    output wire [8*LINKS-1:0] tx_mark,
    output wire [LINKS*ROW_W-1:0] tx_data,
    output wire [LINKS-1:0]   tx_routed,
    output wire [64*LINKS-1:0] tx_route,
    output wire [LINKS-1:0]   tx_credit,
    output wire [LINKS-1:0]   tx_routed_credit,
    output wire [LINKS-1:0]   tx_grant_valid,
    output wire [8*LINKS-1:0] tx_grant_context,
    output wire [8*LINKS-1:0] tx_grant_mark,
    output wire [8*LINKS-1:0] tx_grant_peer,

    output wire               m_ar_valid,
    input  wire               m_ar_ready,
    output wire [47:0]        m_ar_addr,
    output wire [7:0]         m_ar_len,
    output wire [2:0]         m_ar_size,
    output wire [1:0]         m_ar_burst,
    output wire [2:0]         m_ar_prot,
    input  wire               s_r_valid,
    output wire               s_r_ready,
    input  wire [ROW_W-1:0]   s_r_data,
    input  wire               s_r_last,
    input  wire [1:0]         s_r_resp,
    output wire               m_aw_valid,
    input  wire               m_aw_ready,
    output wire [47:0]        m_aw_addr,
    output wire [7:0]         m_aw_len,
    output wire [2:0]         m_aw_size,
    output wire [1:0]         m_aw_burst,
    output wire [2:0]         m_aw_prot,
    output wire               m_w_valid,
    input  wire               m_w_ready,
    output wire [ROW_W-1:0]   m_w_data,
    output wire [ROW_W/8-1:0] m_w_strb,
    output wire               m_w_last,
    input  wire               s_b_valid,
    output wire               s_b_ready,
    input  wire [1:0]         s_b_resp,

    output wire               m_flag_aw_valid,
    input  wire               m_flag_aw_ready,
    output wire [47:0]        m_flag_aw_addr,
    output wire [7:0]         m_flag_aw_len,
    output wire [2:0]         m_flag_aw_size,
    output wire [1:0]         m_flag_aw_burst,
    output wire [2:0]         m_flag_aw_prot,
    output wire               m_flag_w_valid,
    input  wire               m_flag_w_ready,
    output wire [31:0]        m_flag_w_data,
    output wire [3:0]         m_flag_w_strb,
    output wire               m_flag_w_last,
    input  wire               s_flag_b_valid,
    output wire               s_flag_b_ready,
    input  wire [1:0]         s_flag_b_resp,

    output wire               idle,                 // nothing changes without input
    output wire [192*LINKS+11*192-1:0] count,                // cycle classes, as of ace_node
    output wire [LINKS*96-1:0] link_count                    // as of ace_node
);

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.  The
    // node refuses what is illegal of its own ones, ace_control of the others.
    generate
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
    endgenerate

    localparam CLASSES  = (LINKS + 11) * 4;
    localparam COUNTERS = CLASSES + LINKS * 3;  // and those of the links' frames

    wire        core_rst, cfg_fifo;
    wire [15:0] cfg_class_tag;
    wire [7:0]  cfg_class_weight, cfg_share;
    wire [2:0]  cfg_wire;
    wire [6:0]  cfg_window;
    wire [4095:0] cfg_program;
    wire [3:0]  cfg_hub, cfg_agreed;    // of four dimensions, as all that ace_control has
    wire [31:0] cfg_ring, cfg_rank;
    wire [23:0] cfg_read_cost, cfg_write_cost;
    wire [10:0] cfg_chunk_rows;
    wire [71:0] cfg_partition_rows;
    wire [95:0] cfg_link_cost;
    wire [15:0] cfg_memory_latency, cfg_retry, cfg_epoch;
    wire [7:0]  cfg_epoch_links, cfg_silence;
    wire [63:0] cfg_window_first, cfg_window_last;
    wire [LINKS-1:0]    link_failed;
    wire [2*LINKS-1:0]  link_state;
    wire [16:0] link_states = {{(17-2*LINKS){1'b0}}, link_state};
    wire [8:0]  links_failed = {{(9-LINKS){1'b0}}, link_failed};
    wire        cmd_valid, cmd_ready, done_valid, node_idle, memory_busy, mismatch, control_idle;
    wire [2:0]  cmd_kind, cmd_type, cmd_op;
    wire [31:0] cmd_scale;
    wire [2:0]  cmd_dim_count;
    wire [7:0]  cmd_dims;
    wire [47:0] cmd_source, cmd_destination;
    wire [40:0] cmd_bytes;
    wire [15:0] cmd_tag, done_tag;
    wire        read_failed, write_failed;
    wire [1:0]  read_failed_resp, write_failed_resp;
    wire [47:0] read_failed_addr, write_failed_addr, protocol_failed_addr;
    wire        protocol_failed, memory_lost;
    wire        fault_valid, scratchpad_failed;
    wire [1:0]  fault_bank, scratchpad_failed_bank;
    wire [11:0] fault_row, scratchpad_failed_row;
    wire [6:0]  fault_word;
    wire [31:0] fault_mask, count_corrected, count_failed, count_refused, count_parity;
    wire        parity_failed;
    wire [15:0] parity_failed_at;
    wire        transfer_failed, transfer_failed_list;
    wire [47:0] transfer_failed_addr;
    wire [6:0]  count_index;
    wire [47:0] counters [0:127];

    // ---- what crosses the memory's pins ----

    wire ar = m_ar_valid && m_ar_ready;
    wire r  = s_r_valid && s_r_ready;
    wire aw = m_aw_valid && m_aw_ready;
    wire w  = m_w_valid && m_w_ready;
    wire b  = s_b_valid && s_b_ready;
    wire moved = |tx_valid || |rx_valid || |tx_grant_valid || |rx_grant_valid || ar || r || aw || w || b ||
                 (cmd_valid && cmd_ready) || done_valid;

    genvar g;
    generate
        for (g = 0; g < 128; g = g + 1) begin : g_count
            if (g < CLASSES) begin : g_there
                assign counters[g] = count[g*48 +: 48];
            end else if (g < COUNTERS) begin : g_link
                assign counters[g] = {16'd0, link_count[(g-CLASSES)*32 +: 32]};
            end else begin : g_none
                assign counters[g] = 48'd0;
            end
        end
    endgenerate

    ace_control #(
        .COMPLETIONS(COMPLETIONS),
        .DIMENSIONS(DIMENSIONS),
        .COUNTERS(COUNTERS),
        .FSMS(FSMS),
        .CONTEXTS(CONTEXTS),
        .PEERS(PEERS),
        .BANK_ROWS(BANK_ROWS),
        .ROW_BYTES(ROW_W / 8),
        .LINK_INPUT_ROWS(LINK_INPUT_ROWS),
        .LINK_OUTPUT_ROWS(LINK_OUTPUT_ROWS),
        .COMMANDS(COMMANDS),
        .MEMORY_BURSTS(MEMORY_BURSTS),
        .ROUTER_INPUT_ROWS(ROUTER_INPUT_ROWS),
        .ROUTER_OUTPUT_ROWS(ROUTER_OUTPUT_ROWS),
        .EXCHANGE_ROWS(EXCHANGE_ROWS),
        .EXCHANGE_BURSTS(EXCHANGE_BURSTS),
        .TRIGGERS(TRIGGERS),
        .MEMORY_PROT(MEMORY_PROT),
        .DRAIN_LIMIT(DRAIN_LIMIT),
        .REGISTER_PROT_MASK(REGISTER_PROT_MASK),
        .REGISTER_PROT(REGISTER_PROT),
        .FAULT_REGISTERS(FAULT_REGISTERS),
        .ALU_TYPES(ALU_TYPES),
        .ALU_OPS(ALU_OPS),
        .WIRE_FORMATS(WIRE_FORMATS)
    ) u_control (
        .clk(clk),
        .rst(rst),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .irq(irq),
        .m_core_rst(core_rst),
        .m_cfg_program(cfg_program),
        .m_cfg_hub(cfg_hub),
        .m_cfg_fifo(cfg_fifo),
        .m_cfg_class_tag(cfg_class_tag),
        .m_cfg_class_weight(cfg_class_weight),
        .m_cfg_window(cfg_window),
        .m_cfg_share(cfg_share),
        .m_cfg_wire(cfg_wire),
        .m_cfg_agreed(cfg_agreed),
        .m_cfg_ring(cfg_ring),
        .m_cfg_rank(cfg_rank),
        .m_cfg_chunk_rows(cfg_chunk_rows),
        .m_cfg_partition_rows(cfg_partition_rows),
        .m_cfg_link_cost(cfg_link_cost),
        .m_cfg_read_cost(cfg_read_cost),
        .m_cfg_write_cost(cfg_write_cost),
        .m_cfg_memory_latency(cfg_memory_latency),
        .m_cfg_retry(cfg_retry),
        .m_cfg_epoch(cfg_epoch),
        .m_cfg_epoch_links(cfg_epoch_links),
        .m_cfg_silence(cfg_silence),
        .m_cfg_window_first(cfg_window_first),
        .m_cfg_window_last(cfg_window_last),
        .m_cmd_valid(cmd_valid),
        .m_cmd_ready(cmd_ready),
        .m_cmd_kind(cmd_kind),
        .m_cmd_type(cmd_type),
        .m_cmd_op(cmd_op),
        .m_cmd_scale(cmd_scale),
        .m_cmd_dim_count(cmd_dim_count),
        .m_cmd_dims(cmd_dims),
        .m_cmd_source(cmd_source),
        .m_cmd_destination(cmd_destination),
        .m_cmd_bytes(cmd_bytes),
        .m_cmd_tag(cmd_tag),
        .s_done_valid(done_valid),
        .s_done_tag(done_tag),
        .s_core_idle(node_idle),
        .s_moved(moved),
        .s_memory_busy(memory_busy),
        .s_mismatch(mismatch),
        .s_link_failed(links_failed[7:0]),
        .s_link_state(link_states[15:0]),
        .s_read_failed(read_failed),
        .s_read_failed_resp(read_failed_resp),
        .s_read_failed_addr(read_failed_addr),
        .s_write_failed(write_failed),
        .s_write_failed_resp(write_failed_resp),
        .s_write_failed_addr(write_failed_addr),
        .s_protocol_failed(protocol_failed),
        .s_protocol_failed_addr(protocol_failed_addr),
        .s_memory_lost(memory_lost),
        .s_scratchpad_failed(scratchpad_failed),
        .s_scratchpad_failed_bank(scratchpad_failed_bank),
        .s_scratchpad_failed_row(scratchpad_failed_row),
        .s_count_corrected(count_corrected),
        .s_count_failed(count_failed),
        .s_transfer_failed(transfer_failed),
        .s_transfer_failed_list(transfer_failed_list),
        .s_transfer_failed_addr(transfer_failed_addr),
        .s_count_refused(count_refused),
        .s_parity_failed(parity_failed),
        .s_parity_failed_at(parity_failed_at),
        .s_count_parity(count_parity),
        .m_fault_valid(fault_valid),
        .m_fault_bank(fault_bank),
        .m_fault_row(fault_row),
        .m_fault_word(fault_word),
        .m_fault_mask(fault_mask),
        .s_read_error(r && s_r_resp[1]),
        .s_write_error(b && s_b_resp[1]),
        .m_count_index(count_index),
        .s_count(counters[count_index]),
        .m_flag_aw_valid(m_flag_aw_valid),
        .m_flag_aw_ready(m_flag_aw_ready),
        .m_flag_aw_addr(m_flag_aw_addr),
        .m_flag_aw_len(m_flag_aw_len),
        .m_flag_aw_size(m_flag_aw_size),
        .m_flag_aw_burst(m_flag_aw_burst),
        .m_flag_aw_prot(m_flag_aw_prot),
        .m_flag_w_valid(m_flag_w_valid),
        .m_flag_w_ready(m_flag_w_ready),
        .m_flag_w_data(m_flag_w_data),
        .m_flag_w_strb(m_flag_w_strb),
        .m_flag_w_last(m_flag_w_last),
        .s_flag_b_valid(s_flag_b_valid),
        .s_flag_b_ready(s_flag_b_ready),
        .s_flag_b_resp(s_flag_b_resp),
        .idle(control_idle)
    );

    assign idle = control_idle && (core_rst ? !memory_busy : node_idle);

    ace_node #(
        .DIMENSIONS(DIMENSIONS),
        .FSMS(FSMS),
        .CONTEXTS(CONTEXTS),
        .PEERS(PEERS),
        .BANK_ROWS(BANK_ROWS),
        .SUB_BANKS(SUB_BANKS),
        .LINK_INPUT_ROWS(LINK_INPUT_ROWS),
        .LINK_OUTPUT_ROWS(LINK_OUTPUT_ROWS),
        .COMMANDS(COMMANDS),
        .MEMORY_BURSTS(MEMORY_BURSTS),
        .ROUTER_INPUT_ROWS(ROUTER_INPUT_ROWS),
        .ROUTER_OUTPUT_ROWS(ROUTER_OUTPUT_ROWS),
        .EXCHANGE_ROWS(EXCHANGE_ROWS),
        .EXCHANGE_BURSTS(EXCHANGE_BURSTS),
        .MEMORY_PROT(MEMORY_PROT),
        .DRAIN_LIMIT(DRAIN_LIMIT),
        .ALU_TYPES(ALU_TYPES),
        .ALU_OPS(ALU_OPS),
        .WIRE_FORMATS(WIRE_FORMATS),
        .ROW_W(ROW_W)
    ) u_node (
        .clk(clk),
        .rst(rst),
        .drain(core_rst),
        .cfg_program(cfg_program),
        .cfg_hub(cfg_hub[DIMENSIONS-1:0]),
        .cfg_fifo(cfg_fifo),
        .cfg_class_tag(cfg_class_tag),
        .cfg_class_weight(cfg_class_weight),
        .cfg_window(cfg_window),
        .cfg_wire(cfg_wire),
        .cfg_share(cfg_share),
        .cfg_agreed(cfg_agreed[DIMENSIONS-1:0]),
        .cfg_ring(cfg_ring[8*DIMENSIONS-1:0]),
        .cfg_rank(cfg_rank[8*DIMENSIONS-1:0]),
        .cfg_chunk_rows(cfg_chunk_rows),
        .cfg_partition_rows(cfg_partition_rows[12*DIMENSIONS+23:0]),
        .cfg_link_cost(cfg_link_cost[24*DIMENSIONS-1:0]),
        .cfg_read_cost(cfg_read_cost),
        .cfg_write_cost(cfg_write_cost),
        .cfg_memory_latency(cfg_memory_latency),
        .cfg_retry(cfg_retry),
        .cfg_epoch(cfg_epoch),
        .cfg_epoch_links(cfg_epoch_links[LINKS-1:0]),
        .cfg_silence(cfg_silence),
        .cfg_window_first(cfg_window_first),
        .cfg_window_last(cfg_window_last),
        .s_cmd_valid(cmd_valid),
        .s_cmd_ready(cmd_ready),
        .s_cmd_kind(cmd_kind),
        .s_cmd_type(cmd_type),
        .s_cmd_op(cmd_op),
        .s_cmd_scale(cmd_scale),
        .s_cmd_dim_count(cmd_dim_count),
        .s_cmd_dims(cmd_dims[2*DIMENSIONS-1:0]),
        .s_cmd_source(cmd_source),
        .s_cmd_destination(cmd_destination),
        .s_cmd_bytes(cmd_bytes),
        .s_cmd_tag(cmd_tag),
        .m_done_valid(done_valid),
        .m_done_tag(done_tag),
        .rx_frame(rx_frame),
        .rx_resend(rx_resend),
        .rx_number(rx_number),
        .rx_ack(rx_ack),
        .rx_crc(rx_crc),
        .rx_valid(rx_valid),
        .rx_context(rx_context),
        .rx_reduce(rx_reduce),
        .rx_mark(rx_mark),
        .rx_data(rx_data),
        .rx_routed(rx_routed),
        .rx_route(rx_route),
        .rx_credit(rx_credit),
        .rx_routed_credit(rx_routed_credit),
        .rx_grant_valid(rx_grant_valid),
        .rx_grant_context(rx_grant_context),
        .rx_grant_mark(rx_grant_mark),
        .rx_grant_peer(rx_grant_peer),
        .tx_frame(tx_frame),
        .tx_resend(tx_resend),
        .tx_number(tx_number),
        .tx_ack(tx_ack),
        .tx_crc(tx_crc),
        .tx_valid(tx_valid),
        .tx_context(tx_context),
        .tx_reduce(tx_reduce),
        .tx_mark(tx_mark),
        .tx_data(tx_data),
        .tx_routed(tx_routed),
        .tx_route(tx_route),
        .tx_credit(tx_credit),
        .tx_routed_credit(tx_routed_credit),
        .tx_grant_valid(tx_grant_valid),
        .tx_grant_context(tx_grant_context),
        .tx_grant_mark(tx_grant_mark),
        .tx_grant_peer(tx_grant_peer),
        .m_ar_valid(m_ar_valid),
        .m_ar_ready(m_ar_ready),
        .m_ar_addr(m_ar_addr),
        .m_ar_len(m_ar_len),
        .m_ar_size(m_ar_size),
        .m_ar_burst(m_ar_burst),
        .m_ar_prot(m_ar_prot),
        .s_r_valid(s_r_valid),
        .s_r_ready(s_r_ready),
        .s_r_data(s_r_data),
        .s_r_last(s_r_last),
        .s_r_resp(s_r_resp),
        .m_aw_valid(m_aw_valid),
        .m_aw_ready(m_aw_ready),
        .m_aw_addr(m_aw_addr),
        .m_aw_len(m_aw_len),
        .m_aw_size(m_aw_size),
        .m_aw_burst(m_aw_burst),
        .m_aw_prot(m_aw_prot),
        .m_w_valid(m_w_valid),
        .m_w_ready(m_w_ready),
        .m_w_data(m_w_data),
        .m_w_strb(m_w_strb),
        .m_w_last(m_w_last),
        .s_b_valid(s_b_valid),
        .s_b_ready(s_b_ready),
        .s_b_resp(s_b_resp),
        .memory_busy(memory_busy),
        .idle(node_idle),
        .mismatch(mismatch),
        .read_failed(read_failed),
        .read_failed_resp(read_failed_resp),
        .read_failed_addr(read_failed_addr),
        .write_failed(write_failed),
        .write_failed_resp(write_failed_resp),
        .write_failed_addr(write_failed_addr),
        .protocol_failed(protocol_failed),
        .protocol_failed_addr(protocol_failed_addr),
        .memory_lost(memory_lost),
        .s_fault_valid(fault_valid),
        .s_fault_bank(fault_bank),
        .s_fault_row(fault_row),
        .s_fault_word(fault_word),
        .s_fault_mask(fault_mask[ROW_W/64-1:0]),
        .scratchpad_failed(scratchpad_failed),
        .scratchpad_failed_bank(scratchpad_failed_bank),
        .scratchpad_failed_row(scratchpad_failed_row),
        .transfer_failed(transfer_failed),
        .transfer_failed_list(transfer_failed_list),
        .transfer_failed_addr(transfer_failed_addr),
        .count_refused(count_refused),
        .parity_failed(parity_failed),
        .parity_failed_at(parity_failed_at),
        .count_parity(count_parity),
        .count_corrected(count_corrected),
        .count_failed(count_failed),
        .link_failed(link_failed),
        .link_state(link_state),
        .link_count(link_count),
        .count(count)
    );

    // ace_control refuses what the node does not know
    wire unused = &{1'b0, fault_mask, cfg_hub, cfg_agreed, cfg_ring, cfg_rank, cfg_partition_rows, cfg_link_cost,
                    cfg_epoch_links, link_states[16], links_failed[8], cmd_dims};

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_control -- control and status registers: software's side of the engine
//
//   s_axil_* --> { ace_axil_slave } --> [ ace_control_registers ] --> m_cfg_*, m_core_rst
//                     |
//            doorbell '--> { ace_doorbell_check } --> [ slot ] --> m_cmd
//                              |  refused                .
//                              '--> [ completions ] <-- s_done
//                                        |
//                 events --> [ status & enable ] --> irq
//
//   stores --> { ace_trigger } --> m_cmd, m_flag_* (AXI4)      s_done, s_flag_b --> { ace_trigger } --> completions
//
// Contract
//   Registers   As docs/reference/registers.md says.  AXI4-Lite, 32 bits: address and data of a write
//               come in any order; one write and one read at a time.  A write is answered
//               two cycles after its last half was taken, or later while a refusal waits for
//               its place among the completions; a read in the next cycle.
//   Moore       Every output depends on state alone.
//   Check       A doorbell hands over a command that the engine can do, or refuses it with a
//               code: a wrong command never reaches the engine.  Each command taken, and each
//               one refused while there is a place, comes back once among the completions.
//   Triggers    A slot of ace_trigger starts its command like a doorbell, when a place for the completion and
//               one more are free; so a doorbell that STATUS.ROOM promises is taken.  Commands leave in the order
//               in which doorbells were taken and slots became ready.  A completion of a slot follows the
//               answer of its flag.
//   Errors      The first one is kept in ERROR.  An error response, another wrong answer, a mismatch and a row of the
//               scratchpad that is lost last until the engine is stopped: what completes
//               meanwhile has their code, doorbells are refused.  A watchdog that ran out is only
//               told: what is late may still come.  So is a row that was refused, as any peer can send one.
//   Protection  Accesses of registers with another AxPROT than REGISTER_PROT in a bit of REGISTER_PROT_MASK
//               are refused.
//   Stop        RUN = 0 resets the engine whatever it does, but for the bursts at its memory,
//               which are carried out: STATUS.MEMORY_BUSY says so.  RUN = 1 waits for them, and
//               STATUS.RUNNING says when it has been done; until then nothing is configured.  A memory that
//               does not answer ends the wait: s_memory_lost, and no start until rst.
//   Reset       rst is synchronous, active high; data that a valid bit guards is not reset.
//   Twin        cmodel/twin/ace_control.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_control_test.cc).

`default_nettype none

`include "ace_register_map.vh"

module ace_control #(
    parameter COMPLETIONS      = 64,    // places for completions, a power of two, 2..16384
    parameter KINDS            = 5,     // numbers below these are known
    parameter TYPES            = 7,
    parameter OPS              = 5,
    parameter DIMENSIONS       = 3,     // 3 or 4
    parameter COUNTERS         = 86,    // behind m_count_index, 1..128
    // What the registers tell of the engine, and BANK_ROWS bounds the partitions; as of ace_node
    parameter FSMS             = 16,
    parameter CONTEXTS         = 4,
    parameter PEERS            = 16,
    parameter BANK_ROWS        = 4096,
    parameter ROW_BYTES        = 256,
    parameter LINK_INPUT_ROWS  = 128,
    parameter LINK_OUTPUT_ROWS = 8,
    parameter COMMANDS         = 64,
    parameter MEMORY_BURSTS    = 16,
    parameter ROUTER_INPUT_ROWS  = 128,
    parameter ROUTER_OUTPUT_ROWS = 16,
    parameter EXCHANGE_ROWS    = 64,
    parameter EXCHANGE_BURSTS  = 128,
    parameter ALU_TYPES        = 7,
    parameter ALU_OPS          = 13,
    parameter WIRE_FORMATS     = 0,
    parameter REGISTER_PROT_MASK = 1,   // bits of AxPROT that are checked, see ace_axil_slave
    parameter REGISTER_PROT    = 1,     // and what they must be
    parameter TRIGGERS         = 8,     // slots of prepared commands, see ace_trigger
    parameter MEMORY_PROT      = 2,     // AxPROT of flags
    parameter DRAIN_LIMIT      = 65536, // cycles that a stop waits for the answer of a flag
    parameter FAULT_REGISTERS  = 0      // 1: FAULT_PLACE and FAULT_FLIP are there, for tests
) (
    input  wire        clk,
    input  wire        rst,

    // AXI4-Lite
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        irq,

    // Reset and configuration of the engine
    output wire        m_core_rst,
    output wire [4095:0] m_cfg_program,
    output wire [3:0]  m_cfg_hub,           // of four dimensions, as all below
    output wire        m_cfg_fifo,
    output wire [15:0] m_cfg_class_tag,
    output wire [7:0]  m_cfg_class_weight,
    output wire [6:0]  m_cfg_window,        // chunks inside the engine
    output wire [2:0]  m_cfg_wire,          // format of rows on the links
    output wire [7:0]  m_cfg_share,         // of the links
    output wire [3:0]  m_cfg_agreed,
    output wire [31:0] m_cfg_ring,
    output wire [31:0] m_cfg_rank,
    output wire [10:0] m_cfg_chunk_rows,
    output wire [71:0] m_cfg_partition_rows,
    output wire [95:0] m_cfg_link_cost,
    output wire [23:0] m_cfg_read_cost,
    output wire [23:0] m_cfg_write_cost,
    output wire [15:0] m_cfg_memory_latency,
    output wire [15:0] m_cfg_retry,
    output wire [15:0] m_cfg_epoch,
    output wire [7:0]  m_cfg_epoch_links,   // links that begin it, of four dimensions
    output wire [7:0]  m_cfg_silence,
    output wire [63:0] m_cfg_window_first,  // in rows, of all-to-alls and of lists
    output wire [63:0] m_cfg_window_last,

    // Commands
    output wire        m_cmd_valid,
    input  wire        m_cmd_ready,
    output wire [2:0]  m_cmd_kind,
    output wire [2:0]  m_cmd_type,
    output wire [2:0]  m_cmd_op,
    output wire [31:0] m_cmd_scale,
    output wire [2:0]  m_cmd_dim_count,
    output wire [7:0]  m_cmd_dims,
    output wire [47:0] m_cmd_source,
    output wire [47:0] m_cmd_destination,
    output wire [40:0] m_cmd_bytes,
    output wire [15:0] m_cmd_tag,
    input  wire        s_done_valid,
    input  wire [15:0] s_done_tag,

    // What the engine does
    input  wire        s_core_idle,
    input  wire        s_moved,             // something crossed a pin of links, memory or commands
    input  wire        s_memory_busy,       // AXI bursts are not done with
    input  wire        s_mismatch,          // until the engine is reset, as the next three
    input  wire [7:0]  s_link_failed,       // of four dimensions
    input  wire [15:0] s_link_state,        // two bits a link, see ace_link_sync
    input  wire        s_read_failed,       // an error response was seen,
    input  wire [1:0]  s_read_failed_resp,  // the first of which was this one
    input  wire [47:0] s_read_failed_addr,  // of the burst at this address
    input  wire        s_write_failed,
    input  wire [1:0]  s_write_failed_resp,
    input  wire [47:0] s_write_failed_addr,
    input  wire        s_protocol_failed,   // an answer that fits no burst was seen,
    input  wire [47:0] s_protocol_failed_addr,      // of the burst at this address, or of none
    input  wire        s_memory_lost,       // bursts were forgotten, until rst
    input  wire        s_scratchpad_failed, // a row could not be corrected, until the engine is reset:
    input  wire [1:0]  s_scratchpad_failed_bank,    // the first one
    input  wire [11:0] s_scratchpad_failed_row,
    input  wire [31:0] s_count_corrected,   // rows
    input  wire [31:0] s_count_failed,
    input  wire        s_transfer_failed,   // a row of another member, or an item of a list, was refused,
    input  wire        s_transfer_failed_list,      // until the engine is reset: the first one
    input  wire [47:0] s_transfer_failed_addr,
    input  wire [31:0] s_count_refused,     // rows
    input  wire        s_parity_failed,     // a word did not fit its code, until the engine is reset:
    input  wire [15:0] s_parity_failed_at,  // the first one
    input  wire [31:0] s_count_parity,
    output wire        m_fault_valid,       // upsets of the scratchpad, for tests
    output wire [1:0]  m_fault_bank,
    output wire [11:0] m_fault_row,
    output wire [6:0]  m_fault_word,
    output wire [31:0] m_fault_mask,
    input  wire        s_read_error,        // each beat with an error response
    input  wire        s_write_error,       // each burst
    output wire [6:0]  m_count_index,
    input  wire [47:0] s_count,             // the counter with that index

    // Flags
    output wire        m_flag_aw_valid,
    input  wire        m_flag_aw_ready,
    output wire [47:0] m_flag_aw_addr,
    output wire [7:0]  m_flag_aw_len,
    output wire [2:0]  m_flag_aw_size,
    output wire [1:0]  m_flag_aw_burst,
    output wire [2:0]  m_flag_aw_prot,
    output wire        m_flag_w_valid,
    input  wire        m_flag_w_ready,
    output wire [31:0] m_flag_w_data,
    output wire [3:0]  m_flag_w_strb,
    output wire        m_flag_w_last,
    input  wire        s_flag_b_valid,
    output wire        s_flag_b_ready,
    input  wire [1:0]  s_flag_b_resp,

    output wire        idle                 // nothing changes without input
);

    localparam PTR_W   = $clog2(COMPLETIONS);
    localparam COUNT_W = PTR_W + 1;
    localparam [31:0] PLACES = COMPLETIONS;
    localparam [31:0] KINDS_ = KINDS, TYPES_ = TYPES, OPS_ = OPS, DIMENSIONS_ = DIMENSIONS, COUNTERS_ = COUNTERS;
    localparam [31:0] FSMS_ = FSMS, CONTEXTS_ = CONTEXTS, PEERS_ = PEERS;
    localparam [31:0] BANK_ROWS_ = BANK_ROWS, ROW_BYTES_ = ROW_BYTES;
    localparam [31:0] LINK_IN = LINK_INPUT_ROWS, LINK_OUT = LINK_OUTPUT_ROWS, COMMANDS_ = COMMANDS;
    localparam [31:0] BURSTS = MEMORY_BURSTS, ROUTER_IN = ROUTER_INPUT_ROWS, ROUTER_OUT = ROUTER_OUTPUT_ROWS;
    localparam [31:0] X_ROWS = EXCHANGE_ROWS, X_BURSTS = EXCHANGE_BURSTS;
    localparam [31:0] TRIGGERS_ = TRIGGERS;
    localparam L = $clog2(TRIGGERS);
    localparam [31:0] TYPE_BITS = ALU_TYPES, OP_BITS = ALU_OPS;
    localparam [1:0]  OKAY = 2'b00;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (COMPLETIONS < 2 || COMPLETIONS > 16384 || (COMPLETIONS & (COMPLETIONS - 1)) != 0)
        begin : g_illegal_completions
            COMPLETIONS_must_be_a_power_of_two_from_2_to_16384 stop ();
        end
        if (KINDS < 1 || KINDS > 8) begin : g_illegal_kinds KINDS_must_be_1_to_8 stop (); end
        if (TYPES < 1 || TYPES > 8) begin : g_illegal_types TYPES_must_be_1_to_8 stop (); end
        if (OPS < 1 || OPS > 8) begin : g_illegal_ops OPS_must_be_1_to_8 stop (); end
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (COUNTERS < 1 || COUNTERS > 128) begin : g_illegal_counters COUNTERS_must_be_1_to_128 stop (); end
        if (FSMS < 1 || FSMS > 255) begin : g_illegal_fsms FSMS_must_be_1_to_255 stop (); end
        if (CONTEXTS < 1 || CONTEXTS > 255) begin : g_illegal_contexts CONTEXTS_must_be_1_to_255 stop (); end
        if (PEERS < 1 || PEERS > 255) begin : g_illegal_peers PEERS_must_be_1_to_255 stop (); end
        if (BANK_ROWS < 1 || BANK_ROWS > 65535) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROW_BYTES < 1 || ROW_BYTES > 65535) begin : g_illegal_row_bytes
            ROW_BYTES_must_be_1_to_65535 stop ();
        end
        if (LINK_INPUT_ROWS < 1 || LINK_INPUT_ROWS > 65535) begin : g_illegal_link_input_rows
            LINK_INPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (LINK_OUTPUT_ROWS < 1 || LINK_OUTPUT_ROWS > 65535) begin : g_illegal_link_output_rows
            LINK_OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (COMMANDS < 1 || COMMANDS > 65535) begin : g_illegal_commands COMMANDS_must_be_1_to_65535 stop (); end
        if (MEMORY_BURSTS < 1 || MEMORY_BURSTS > 65535) begin : g_illegal_memory_bursts
            MEMORY_BURSTS_must_be_1_to_65535 stop ();
        end
        if (ROUTER_INPUT_ROWS < 1 || ROUTER_INPUT_ROWS > 65535) begin : g_illegal_router_input_rows
            ROUTER_INPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROUTER_OUTPUT_ROWS < 1 || ROUTER_OUTPUT_ROWS > 65535) begin : g_illegal_router_output_rows
            ROUTER_OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (EXCHANGE_ROWS < 1 || EXCHANGE_ROWS > 65535) begin : g_illegal_exchange_rows
            EXCHANGE_ROWS_must_be_1_to_65535 stop ();
        end
        if (EXCHANGE_BURSTS < 1 || EXCHANGE_BURSTS > 65535) begin : g_illegal_exchange_bursts
            EXCHANGE_BURSTS_must_be_1_to_65535 stop ();
        end
        if (ALU_TYPES < 1 || ALU_TYPES > 127) begin : g_illegal_alu_types ALU_TYPES_must_be_1_to_127 stop (); end
        if (WIRE_FORMATS != 0 && WIRE_FORMATS != 1) begin : g_illegal_wire_formats
            WIRE_FORMATS_must_be_0_or_1 stop ();
        end
        if (ALU_OPS < 1 || ALU_OPS > 31) begin : g_illegal_alu_ops ALU_OPS_must_be_1_to_31 stop (); end
        if (REGISTER_PROT_MASK < 0 || REGISTER_PROT_MASK > 7) begin : g_illegal_register_prot_mask
            REGISTER_PROT_MASK_must_be_0_to_7 stop ();
        end
        if (REGISTER_PROT < 0 || REGISTER_PROT > 7) begin : g_illegal_register_prot
            REGISTER_PROT_must_be_0_to_7 stop ();
        end
        if (TRIGGERS < 2 || TRIGGERS > 16 || (TRIGGERS & (TRIGGERS - 1)) != 0) begin : g_illegal_triggers
            TRIGGERS_must_be_a_power_of_two_from_2_to_16 stop ();
        end
        if (MEMORY_PROT < 0 || MEMORY_PROT > 7) begin : g_illegal_memory_prot MEMORY_PROT_must_be_0_to_7 stop (); end
        if (DRAIN_LIMIT < 0 || DRAIN_LIMIT > 16777216) begin : g_illegal_drain_limit
            DRAIN_LIMIT_must_be_0_to_16777216 stop ();
        end
        if (FAULT_REGISTERS != 0 && FAULT_REGISTERS != 1) begin : g_illegal_fault_registers
            FAULT_REGISTERS_must_be_0_or_1 stop ();
        end
    endgenerate

    // ---- AXI4-Lite ----

    wire        acts;                   // a register is written in this cycle
    wire [11:0] write_addr, read_addr;
    wire [31:0] set, keep;              // bits that become 1, and those that stay
    wire [31:0] held_word;
    wire        write_holds, write_config, write_locked, read_holds, axil_idle;
    reg         write_here, read_known;
    reg  [31:0] read_word;
    reg         run_q, refused_q;
    reg         start_q;                // started, and waits for the memory

    function is_there; // not so where registers for tests are left out
        input [11:0] addr;
        is_there = FAULT_REGISTERS != 0 || (addr != `ACE_MAP_FAULT_PLACE && addr != `ACE_MAP_FAULT_FLIP);
    endfunction
    wire        write_known = is_there(write_addr) && !write_locked &&
                              (write_here || (write_holds && (!write_config || (!run_q && !start_q))));

    ace_axil_slave #(.PROT_MASK(REGISTER_PROT_MASK), .PROT(REGISTER_PROT)) u_axil (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_hold(refused_q), .m_write_addr(write_addr), .s_write_known(write_known), .m_write(acts),
        .m_write_set(set), .m_write_keep(keep),
        .m_read_addr(read_addr), .s_read_known((read_known || read_holds) && is_there(read_addr)),
        .s_read_word(read_known ? read_word : held_word), .idle(axil_idle)
    );

    // registers that are written here; all others that are, hold what was written
    always @(*) begin
        case (write_addr)
            `ACE_MAP_CONTROL, `ACE_MAP_INTERRUPT_STATUS, `ACE_MAP_COMMAND_DOORBELL, `ACE_MAP_COMPLETION_TAKE,
            `ACE_MAP_ERROR, `ACE_MAP_FAULT_FLIP, `ACE_MAP_TRIGGER_PREPARE, `ACE_MAP_TRIGGER_ARM, `ACE_MAP_TRIGGER_STORE:
                write_here = 1'b1;
            default:
                write_here = 1'b0;
        endcase
    end

    // ---- registers that hold what was written ----

    wire [11:0] enable;
    wire [31:0] patience, next_scale;
    wire [2:0]  next_kind, next_type, next_op, next_dim_count;
    wire [7:0]  next_dims;
    wire [63:0] next_source, next_destination, next_bytes;
    wire [6:0]  fault_word;
    wire [13:0] fault_at;
    wire        config_sane;
    wire        trigger_enable;
    wire [15:0] trigger_tag, threshold;
    wire [31:0] flag_first, flag_last, flag_value;
    wire [47:0] flag;
    wire [7:0]  next_slot;
    wire        chains, repeats, flags, queues;

    ace_control_registers #(.DIMENSIONS(DIMENSIONS), .BANK_ROWS(BANK_ROWS)) u_registers (
        .clk(clk), .rst(rst),
        .s_write_addr(write_addr), .m_write_holds(write_holds), .m_write_config(write_config),
        .m_write_locked(write_locked), .s_write(acts),
        .s_write_set(set), .s_write_keep(keep),
        .s_read_addr(read_addr), .m_read_known(read_holds), .m_read_word(held_word),
        .m_enable(enable), .m_patience(patience),
        .m_cfg_program(m_cfg_program), .m_cfg_hub(m_cfg_hub), .m_cfg_fifo(m_cfg_fifo), .m_cfg_agreed(m_cfg_agreed),
        .m_cfg_class_tag(m_cfg_class_tag), .m_cfg_class_weight(m_cfg_class_weight), .m_cfg_window(m_cfg_window),
        .m_cfg_wire(m_cfg_wire), .m_cfg_share(m_cfg_share),
        .m_cfg_ring(m_cfg_ring),
        .m_cfg_rank(m_cfg_rank), .m_cfg_chunk_rows(m_cfg_chunk_rows), .m_cfg_partition_rows(m_cfg_partition_rows),
        .m_cfg_link_cost(m_cfg_link_cost), .m_cfg_read_cost(m_cfg_read_cost), .m_cfg_write_cost(m_cfg_write_cost),
        .m_cfg_memory_latency(m_cfg_memory_latency), .m_cfg_retry(m_cfg_retry), .m_cfg_epoch(m_cfg_epoch),
        .m_cfg_epoch_links(m_cfg_epoch_links), .m_cfg_silence(m_cfg_silence),
        .m_cfg_window_first(m_cfg_window_first), .m_cfg_window_last(m_cfg_window_last),
        .m_cfg_trigger_enable(trigger_enable), .m_cfg_trigger_tag(trigger_tag), .m_cfg_flag_first(flag_first),
        .m_cfg_flag_last(flag_last), .m_flag(flag), .m_value(flag_value), .m_threshold(threshold), .m_next(next_slot),
        .m_chains(chains), .m_repeats(repeats), .m_flags(flags), .m_queues(queues), .m_sane(config_sane),
        .m_kind(next_kind), .m_type(next_type), .m_op(next_op), .m_scale(next_scale),
        .m_dim_count(next_dim_count), .m_dims(next_dims), .m_source(next_source), .m_destination(next_destination),
        .m_bytes(next_bytes),
        .m_count_index(m_count_index), .m_fault_word(fault_word), .m_fault_at(fault_at)
    );

    // ---- upsets: in the cycle after the write ----

    reg         fault_valid_q;
    reg  [31:0] fault_mask_q;

    assign m_fault_valid = fault_valid_q;
    assign {m_fault_bank, m_fault_row} = fault_at;
    assign m_fault_word  = fault_word;
    assign m_fault_mask  = fault_mask_q;

    always @(posedge clk) begin
        if (rst)
            fault_valid_q <= 1'b0;
        else
            fault_valid_q <= acts && run_q && write_addr == `ACE_MAP_FAULT_FLIP;
        fault_mask_q <= set;
    end

    // ---- start and stop ----

    wire control = acts && write_addr == `ACE_MAP_CONTROL && !keep[0];
    wire stop    = control && !set[0];
    wire start   = control && set[0] && !run_q && !start_q;
    wire starts  = start_q || (start && config_sane);

    wire flag_busy, flag_lost, flag_error;
    wire memory_busy    = s_memory_busy || flag_busy;
    wire memory_is_lost = s_memory_lost || flag_lost;

    assign m_core_rst = !run_q;

    always @(posedge clk) begin
        if (rst || stop) begin
            run_q   <= 1'b0;
            start_q <= 1'b0;
        end else if (starts) begin
            run_q   <= !memory_busy && !memory_is_lost;
            start_q <= memory_busy && !memory_is_lost;
        end
    end

    // ---- commands: checked, then in the slot until the engine takes them ----

    reg                cmd_valid_q;
    reg  [2:0]         cmd_kind_q, cmd_type_q, cmd_op_q;
    reg  [31:0]        cmd_scale_q;
    reg  [2:0]         cmd_dim_count_q;
    reg  [7:0]         cmd_dims_q;
    reg  [47:0]        cmd_source_q, cmd_destination_q;
    reg  [40:0]        cmd_bytes_q;
    reg  [15:0]        cmd_tag_q;
    reg  [COUNT_W-1:0] owed_q;              // commands taken and not completed
    reg  [COUNT_W-1:0] queued_q;            // completions in the queue
    reg  [7:0]         refused_code_q;      // a refusal that waits for its place in the queue
    reg  [15:0]        refused_tag_q;

    wire [7:0] link_code = |(s_link_state[15:0] & {1'b0, s_link_state[15:1]} & 16'h5555) ? `ACE_CODE_LINK_ENDED :
                                                                                             `ACE_CODE_LINK_FAILED;
    wire       list_failed = s_transfer_failed && s_transfer_failed_list;

    // The engine's last cycle before its reset no longer counts.
    wire node_done  = s_done_valid && run_q;
    wire flag_failed, flag_protocol;
    wire write_fails    = s_write_failed || flag_failed;
    wire protocol_fails = s_protocol_failed || flag_protocol;
    wire [7:0] fault = !run_q         ? `ACE_CODE_NONE        :
                       s_read_failed  ? `ACE_CODE_READ_ERROR  :
                       write_fails    ? `ACE_CODE_WRITE_ERROR :
                       protocol_fails ? `ACE_CODE_MEMORY_PROTOCOL :
                       s_mismatch     ? `ACE_CODE_MISMATCH    :
                       |s_link_failed ? link_code :
                       s_scratchpad_failed ? `ACE_CODE_SCRATCHPAD_ERROR :
                       list_failed         ? `ACE_CODE_BAD_LIST :
                       s_parity_failed     ? `ACE_CODE_PARITY_ERROR : `ACE_CODE_NONE;
    wire failed     = fault != `ACE_CODE_NONE;
    wire [COUNT_W-1:0] places = owed_q + queued_q + {{PTR_W{1'b0}}, refused_q};
    wire full       = places >= PLACES[COUNT_W-1:0];
    wire spare      = places + 1'b1 < PLACES[COUNT_W-1:0];      // a place for the doorbell that ROOM promises, too

    wire        prepares = write_addr == `ACE_MAP_TRIGGER_PREPARE;
    wire        arms     = write_addr == `ACE_MAP_TRIGGER_ARM;
    wire        stores   = write_addr == `ACE_MAP_TRIGGER_STORE;
    wire        triggers = prepares || arms || stores;
    wire [7:0]  verdict;            // a slot is prepared whether there is room now or not

    ace_doorbell_check #(
        .KINDS(KINDS), .TYPES(TYPES), .OPS(OPS), .DIMENSIONS(DIMENSIONS), .ALU_TYPES(ALU_TYPES), .ALU_OPS(ALU_OPS),
        .WIRE_FORMATS(WIRE_FORMATS)
    ) u_check (
        .clk(clk), .s_running(run_q), .s_failed(failed), .s_full((full || cmd_valid_q) && !prepares),
        .s_wire(m_cfg_wire),
        .s_kind(next_kind), .s_type(next_type), .s_op(next_op), .s_dim_count(next_dim_count), .s_dims(next_dims),
        .s_source(next_source), .s_destination(next_destination), .s_bytes(next_bytes), .m_code(verdict)
    );

    // ---- triggers ----

    wire [7:0]  trigger_code;
    wire        mine, retire_valid, retire_queues, retire_lost, trigger_idle;
    wire [15:0] retire_tag, slots_armed, slots_busy;
    wire [1:0]  flag_failed_resp;
    wire [47:0] flag_failed_addr;
    wire        fires;
    wire [15:0] slots_ready;
    wire [3:0]  fires_slot;
    wire        slot_valid;
    wire [2:0]  slot_kind, slot_type, slot_op, slot_dim_count;
    wire [31:0] slot_scale;
    wire [7:0]  slot_dims;
    wire [47:0] slot_source, slot_destination;
    wire [40:0] slot_bytes;
    wire [15:0] slot_tag;

    // a register written: a doorbell with a slot's tag is refused, and what the slots refuse
    wire        tag_of_slot = trigger_enable && set[15:L] == trigger_tag[15:L];
    wire [7:0]  refusal = !(triggers && !prepares) && verdict != `ACE_CODE_NONE ? verdict      :
                          !triggers ? (tag_of_slot ? `ACE_CODE_BAD_TRIGGER : `ACE_CODE_NONE)   :
                          !run_q ? `ACE_CODE_STOPPED : failed ? `ACE_CODE_FAILED : trigger_code;
    wire [15:0] write_tag = triggers ? {trigger_tag[15:L], set[L-1:0]} : set[`ACE_MAP_COMMAND_DOORBELL_TAG];
    wire        doorbell  = acts && write_addr == `ACE_MAP_COMMAND_DOORBELL;
    wire        accepts   = acts && triggers && run_q && !failed && trigger_code == `ACE_CODE_NONE &&
                            !(prepares && verdict != `ACE_CODE_NONE);      // refusal is ACE_CODE_NONE
    wire        taken     = doorbell && refusal == `ACE_CODE_NONE;
    wire        refused   = (doorbell || (acts && triggers)) && refusal != `ACE_CODE_NONE;
    wire        rejected  = refused || (start && (!config_sane || memory_is_lost));

    wire        done_here = node_done && !mine;
    wire        retires   = retire_valid && run_q && !done_here && !acts;
    wire        done      = done_here || retires;

    reg         older_q;                // the slot's command that is shown is older than the doorbell's
    wire        from_slot = slot_valid && (!cmd_valid_q || older_q);

    ace_trigger #(.SLOTS(TRIGGERS), .PROT(MEMORY_PROT), .DRAIN_LIMIT(DRAIN_LIMIT)) u_trigger (
        .clk(clk), .rst(rst), .s_run(run_q && !stop),
        .cfg_enable(trigger_enable), .cfg_tag(trigger_tag), .cfg_flag_first(flag_first), .cfg_flag_last(flag_last),
        .s_write_prepare(prepares), .s_write_arm(arms),
        .s_prepare(accepts && prepares), .s_arm(accepts && arms), .s_store(accepts && stores),
        .s_slot(set[`ACE_MAP_TRIGGER_PREPARE_SLOT]), .s_armed(set[8]), .s_stores(set[`ACE_MAP_TRIGGER_STORE_COUNT]),
        .m_code(trigger_code),
        .s_kind(next_kind), .s_type(next_type), .s_op(next_op), .s_scale(next_scale), .s_dim_count(next_dim_count),
        .s_dims(next_dims), .s_source(next_source[47:0]), .s_destination(next_destination[47:0]),
        .s_bytes(next_bytes[40:0]), .s_flag(flag), .s_value(flag_value), .s_threshold(threshold), .s_next(next_slot),
        .s_chains(chains), .s_repeats(repeats), .s_flags(flags), .s_queues(queues),
        .s_room(run_q && !failed && !acts && (cmd_valid_q ? !full : spare)), .m_fires(fires),
        .m_ready(slots_ready), .m_fires_slot(fires_slot),
        .m_cmd_valid(slot_valid), .s_cmd_ready(m_cmd_ready && from_slot),
        .m_cmd_kind(slot_kind), .m_cmd_type(slot_type), .m_cmd_op(slot_op), .m_cmd_scale(slot_scale),
        .m_cmd_dim_count(slot_dim_count), .m_cmd_dims(slot_dims), .m_cmd_source(slot_source),
        .m_cmd_destination(slot_destination), .m_cmd_bytes(slot_bytes), .m_cmd_tag(slot_tag),
        .s_done_valid(node_done), .s_done_tag(s_done_tag), .m_mine(mine), .s_failed(failed),
        .m_retire_valid(retire_valid), .s_retire_ready(retires), .m_retire_tag(retire_tag),
        .m_retire_queues(retire_queues), .m_retire_lost(retire_lost),
        .m_flag_aw_valid(m_flag_aw_valid), .m_flag_aw_ready(m_flag_aw_ready), .m_flag_aw_addr(m_flag_aw_addr),
        .m_flag_aw_len(m_flag_aw_len), .m_flag_aw_size(m_flag_aw_size), .m_flag_aw_burst(m_flag_aw_burst),
        .m_flag_aw_prot(m_flag_aw_prot), .m_flag_w_valid(m_flag_w_valid), .m_flag_w_ready(m_flag_w_ready),
        .m_flag_w_data(m_flag_w_data), .m_flag_w_strb(m_flag_w_strb), .m_flag_w_last(m_flag_w_last),
        .s_flag_b_valid(s_flag_b_valid), .s_flag_b_ready(s_flag_b_ready), .s_flag_b_resp(s_flag_b_resp),
        .m_slots_armed(slots_armed), .m_slots_busy(slots_busy), .m_busy(flag_busy), .m_lost(flag_lost),
        .m_write_error(flag_error), .m_failed(flag_failed), .m_failed_resp(flag_failed_resp),
        .m_protocol(flag_protocol), .m_failed_addr(flag_failed_addr), .idle(trigger_idle)
    );

    // ---- commands of doorbells and of slots leave in their order ----

    reg  [15:0] before_q;               // slots that became ready before the doorbell's command, and have not fired
    always @(posedge clk) begin
        if (rst || stop)
            before_q <= 16'd0;
        else if (taken)
            before_q <= slots_ready;
        else
            before_q <= before_q & slots_ready & ~({15'd0, fires} << fires_slot);
        if (taken)
            older_q <= 1'b1;
        else if (fires)
            older_q <= before_q[fires_slot];
    end

    assign m_cmd_valid       = slot_valid || (cmd_valid_q && before_q == 16'd0);
    assign m_cmd_kind        = from_slot ? slot_kind        : cmd_kind_q;
    assign m_cmd_type        = from_slot ? slot_type        : cmd_type_q;
    assign m_cmd_op          = from_slot ? slot_op          : cmd_op_q;
    assign m_cmd_scale       = from_slot ? slot_scale       : cmd_scale_q;
    assign m_cmd_dim_count   = from_slot ? slot_dim_count   : cmd_dim_count_q;
    assign m_cmd_dims        = from_slot ? slot_dims        : cmd_dims_q;
    assign m_cmd_source      = from_slot ? slot_source      : cmd_source_q;
    assign m_cmd_destination = from_slot ? slot_destination : cmd_destination_q;
    assign m_cmd_bytes       = from_slot ? slot_bytes       : cmd_bytes_q;
    assign m_cmd_tag         = from_slot ? slot_tag         : cmd_tag_q;

    always @(posedge clk) begin
        if (rst || stop)
            cmd_valid_q <= 1'b0;
        else if (taken)
            cmd_valid_q <= 1'b1;
        else if (m_cmd_valid && m_cmd_ready && !from_slot)
            cmd_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (taken) begin
            cmd_kind_q        <= next_kind;
            cmd_type_q        <= next_type;
            cmd_op_q          <= next_op;
            cmd_scale_q       <= next_scale;
            cmd_dim_count_q   <= next_dim_count;
            cmd_dims_q        <= next_dims;
            cmd_source_q      <= next_source[47:0];
            cmd_destination_q <= next_destination[47:0];
            cmd_bytes_q       <= next_bytes[40:0];
            cmd_tag_q         <= set[`ACE_MAP_COMMAND_DOORBELL_TAG];
        end
    end

    // ---- completions ----

    reg  [23:0]      queue_q [0:COMPLETIONS-1];     // {code, tag}
    reg  [PTR_W-1:0] queue_wr_q, queue_rd_q;
    wire             told  = refused_q && !done;
    wire             shows = done_here || (retires && (retire_queues || retire_lost || failed));
    wire             push  = shows || told;
    wire [7:0]       code  = retires && retire_lost && !failed ? `ACE_CODE_BAD_TRIGGER : fault;
    wire             owes  = taken || fires;
    wire             pop   = acts && write_addr == `ACE_MAP_COMPLETION_TAKE && queued_q != {COUNT_W{1'b0}};
    wire             queued = queued_q != {COUNT_W{1'b0}};
    wire [23:0]      oldest = queue_q[queue_rd_q];

    always @(posedge clk) begin
        if (rst || stop) begin
            owed_q     <= {COUNT_W{1'b0}};
            queued_q   <= {COUNT_W{1'b0}};
            queue_wr_q <= {PTR_W{1'b0}};
            queue_rd_q <= {PTR_W{1'b0}};
            refused_q  <= 1'b0;
        end else begin
            if (owes && !done)
                owed_q <= owed_q + 1'b1;
            else if (done && !owes)
                owed_q <= owed_q - 1'b1;
            if (push && !pop)
                queued_q <= queued_q + 1'b1;
            else if (pop && !push)
                queued_q <= queued_q - 1'b1;
            if (push)
                queue_wr_q <= queue_wr_q + 1'b1;
            if (pop)
                queue_rd_q <= queue_rd_q + 1'b1;
            if (refused && !full)
                refused_q <= 1'b1;
            else if (told)
                refused_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (push)
            queue_q[queue_wr_q] <= !done ? {refused_code_q, refused_tag_q} :
                                   {code, retires ? retire_tag : s_done_tag};
        if (refused) begin
            refused_code_q <= refusal;
            refused_tag_q  <= write_tag;
        end
    end

    // ---- watchdog ----

    reg  [31:0] waited_q;
    reg         expired_q;
    wire        flag_moves = (m_flag_aw_valid && m_flag_aw_ready) || (m_flag_w_valid && m_flag_w_ready) ||
                             (s_flag_b_valid && s_flag_b_ready);
    wire        waits  = run_q && owed_q != {COUNT_W{1'b0}} && !s_moved && !flag_moves;
    wire        expire = run_q && patience != 32'd0 && waited_q >= patience && !expired_q;

    always @(posedge clk) begin
        if (rst || !waits || stop) begin
            waited_q  <= 32'd0;
            expired_q <= 1'b0;
        end else begin
            if (waited_q != {32{1'b1}})
                waited_q <= waited_q + 32'd1;
            if (expire)
                expired_q <= 1'b1;
        end
    end

    // ---- events, interrupt, the first error ----

    reg  [11:0] events_q;
    reg         read_seen_q, write_seen_q, mismatch_seen_q, link_seen_q, lost_seen_q, transfer_seen_q, parity_seen_q;
    reg         list_seen_q, protocol_seen_q, memory_seen_q, error_valid_q;
    reg  [7:0]  error_code_q;
    reg  [1:0]  error_resp_q;
    reg  [15:0] error_tag_q;
    reg  [47:0] error_address_q;

    wire        read_failed  = run_q && s_read_failed && !read_seen_q;
    wire        write_failed = run_q && write_fails && !write_seen_q;
    wire        mismatched   = run_q && s_mismatch && !mismatch_seen_q;
    wire        link_failed  = run_q && |s_link_failed && !link_seen_q;
    wire        lost         = run_q && s_scratchpad_failed && !lost_seen_q;
    wire        bad_list     = run_q && list_failed && !list_seen_q;
    wire        transfer     = bad_list || (run_q && s_transfer_failed && !transfer_seen_q);
    wire        parity       = run_q && s_parity_failed && !parity_seen_q;
    wire        odd_answer   = run_q && protocol_fails && !protocol_seen_q;
    wire        memory_lost  = memory_is_lost && !memory_seen_q;
    wire [11:0] events = {memory_lost, odd_answer, parity, transfer, lost, link_failed, mismatched, expire,
                          write_failed, read_failed, rejected, push};
    wire [1:0]  write_resp    = s_write_failed ? s_write_failed_resp : flag_failed_resp;
    wire [47:0] write_address = s_write_failed ? s_write_failed_addr : flag_failed_addr;
    wire [47:0] odd_address   = s_protocol_failed ? s_protocol_failed_addr : flag_failed_addr;
    wire        clears = acts && write_addr == `ACE_MAP_INTERRUPT_STATUS;
    wire        clears_error = acts && write_addr == `ACE_MAP_ERROR && |set[`ACE_MAP_ERROR_VALID];
    wire        error  = |events[11:1];

    assign irq = |(events_q & enable);

    // told once: what it says lasts as long
    always @(posedge clk) memory_seen_q <= !rst && memory_is_lost;

    always @(posedge clk) begin
        if (rst || stop) begin
            events_q        <= 12'd0;
            error_valid_q   <= 1'b0;
            read_seen_q     <= 1'b0;
            write_seen_q    <= 1'b0;
            mismatch_seen_q <= 1'b0;
            link_seen_q     <= 1'b0;
            lost_seen_q     <= 1'b0;
            transfer_seen_q <= 1'b0;
            list_seen_q     <= 1'b0;
            protocol_seen_q <= 1'b0;
            parity_seen_q   <= 1'b0;
        end else begin
            events_q        <= events_q & ~(clears ? set[11:0] : 12'd0) | events;
            error_valid_q   <= (error_valid_q && !clears_error) || error;
            read_seen_q     <= run_q && s_read_failed;
            write_seen_q    <= run_q && write_fails;
            mismatch_seen_q <= run_q && s_mismatch;
            link_seen_q     <= run_q && |s_link_failed;
            lost_seen_q     <= run_q && s_scratchpad_failed;
            transfer_seen_q <= run_q && s_transfer_failed;
            list_seen_q     <= run_q && list_failed;
            protocol_seen_q <= run_q && protocol_fails;
            parity_seen_q   <= run_q && s_parity_failed;
        end
    end

    always @(posedge clk) begin
        if (rst || stop) begin
            error_code_q    <= `ACE_CODE_NONE;
            error_resp_q    <= OKAY;
            error_tag_q     <= 16'd0;
            error_address_q <= 48'd0;
        end else if (error && (!error_valid_q || clears_error)) begin
            error_code_q    <= read_failed  ? `ACE_CODE_READ_ERROR  :
                               write_failed ? `ACE_CODE_WRITE_ERROR :
                               odd_answer   ? `ACE_CODE_MEMORY_PROTOCOL :
                               mismatched   ? `ACE_CODE_MISMATCH    :
                               link_failed  ? link_code :
                               lost         ? `ACE_CODE_SCRATCHPAD_ERROR :
                               bad_list     ? `ACE_CODE_BAD_LIST    :
                               transfer     ? `ACE_CODE_BAD_REMOTE  :
                               parity       ? `ACE_CODE_PARITY_ERROR :
                               expire       ? `ACE_CODE_WATCHDOG    :
                               memory_lost  ? `ACE_CODE_MEMORY_LOST :
                               refused      ? refusal               :
                               memory_is_lost ? `ACE_CODE_MEMORY_LOST : `ACE_CODE_BAD_CONFIGURATION;
            error_resp_q    <= read_failed ? s_read_failed_resp : write_failed ? write_resp : OKAY;
            error_tag_q     <= refused && !(|events[11:2]) ? write_tag : 16'd0;
            error_address_q <= read_failed ? s_read_failed_addr : write_failed ? write_address :
                               odd_answer ? odd_address :
                               link_failed && !mismatched ? {40'd0, s_link_failed} :
                               lost && !mismatched
                                   ? {34'd0, s_scratchpad_failed_bank, s_scratchpad_failed_row} :
                               transfer && !mismatched ? s_transfer_failed_addr :
                               parity && !mismatched ? {32'd0, s_parity_failed_at} : 48'd0;
        end
    end

    // ---- counters ----

    reg  [31:0] taken_q, completed_q, rejected_q, read_errors_q, write_errors_q, expiries_q;
    reg         fetch_q;
    reg  [47:0] count_q;

    always @(posedge clk) begin
        if (rst) begin
            taken_q        <= 32'd0;
            completed_q    <= 32'd0;
            rejected_q     <= 32'd0;
            read_errors_q  <= 32'd0;
            write_errors_q <= 32'd0;
            expiries_q     <= 32'd0;
            fetch_q        <= 1'b0;
            count_q        <= 48'd0;
        end else begin
            // what is counted is known late in a cycle: it chooses the sum and is no part of it
            if (owes)                   taken_q        <= taken_q + 32'd1;
            if (done)                   completed_q    <= completed_q + 32'd1;
            if (rejected)               rejected_q     <= rejected_q + 32'd1;
            if (run_q && s_read_error)  read_errors_q  <= read_errors_q + 32'd1;
            if (run_q && (s_write_error || flag_error))
                write_errors_q <= write_errors_q + (s_write_error && flag_error ? 32'd2 : 32'd1);
            if (expire)                 expiries_q     <= expiries_q + 32'd1;
            fetch_q        <= acts && write_addr == `ACE_MAP_COUNT_SELECT;
            if (fetch_q)
                count_q <= s_count;
        end
    end

    // ---- reads ----

    wire        core_idle = !run_q || s_core_idle;
    wire        no_command = !cmd_valid_q && !refused_q && owed_q == {COUNT_W{1'b0}};

    always @(*) begin
        read_word  = 32'd0;
        read_known = 1'b1;
        case (read_addr)
            `ACE_MAP_ID:      read_word = `ACE_MAP_ID_RESET;
            `ACE_MAP_VERSION: read_word = `ACE_MAP_VERSION_RESET;
            `ACE_MAP_BUILT_FSMS: begin
                read_word[`ACE_MAP_BUILT_FSMS_FSMS]     = FSMS_[7:0];
                read_word[`ACE_MAP_BUILT_FSMS_CONTEXTS] = CONTEXTS_[7:0];
                read_word[`ACE_MAP_BUILT_FSMS_COUNTERS] = COUNTERS_[15:0];
            end
            `ACE_MAP_BUILT_SCRATCHPAD: begin
                read_word[`ACE_MAP_BUILT_SCRATCHPAD_BANK_ROWS] = BANK_ROWS_[15:0];
                read_word[`ACE_MAP_BUILT_SCRATCHPAD_ROW_BYTES] = ROW_BYTES_[15:0];
            end
            `ACE_MAP_BUILT_QUEUES: begin
                read_word[`ACE_MAP_BUILT_QUEUES_COMMANDS]    = COMMANDS_[15:0];
                read_word[`ACE_MAP_BUILT_QUEUES_COMPLETIONS] = PLACES[15:0];
            end
            `ACE_MAP_BUILT_LINKS: begin
                read_word[`ACE_MAP_BUILT_LINKS_INPUT_ROWS]  = LINK_IN[15:0];
                read_word[`ACE_MAP_BUILT_LINKS_OUTPUT_ROWS] = LINK_OUT[15:0];
            end
            `ACE_MAP_BUILT_ROUTER: begin
                read_word[`ACE_MAP_BUILT_ROUTER_INPUT_ROWS]  = ROUTER_IN[15:0];
                read_word[`ACE_MAP_BUILT_ROUTER_OUTPUT_ROWS] = ROUTER_OUT[15:0];
            end
            `ACE_MAP_BUILT_EXCHANGE: begin
                read_word[`ACE_MAP_BUILT_EXCHANGE_ROWS]   = X_ROWS[15:0];
                read_word[`ACE_MAP_BUILT_EXCHANGE_BURSTS] = X_BURSTS[15:0];
            end
            `ACE_MAP_BUILT_MEMORY: read_word[`ACE_MAP_BUILT_MEMORY_BURSTS] = BURSTS[15:0];
            `ACE_MAP_BUILT_ALU: begin
                read_word[`ACE_MAP_BUILT_ALU_TYPES] = TYPE_BITS[6:0];
                read_word[`ACE_MAP_BUILT_ALU_OPS]   = OP_BITS[4:0];
                read_word[`ACE_MAP_BUILT_ALU_FORMATS] = WIRE_FORMATS != 0;
            end
            `ACE_MAP_BUILT_COMMANDS: begin
                read_word[`ACE_MAP_BUILT_COMMANDS_KINDS] = KINDS_[7:0];
                read_word[`ACE_MAP_BUILT_COMMANDS_TYPES] = TYPES_[7:0];
                read_word[`ACE_MAP_BUILT_COMMANDS_OPS]   = OPS_[7:0];
                read_word[`ACE_MAP_BUILT_COMMANDS_DIMENSIONS] = DIMENSIONS_[7:0];
            end
            `ACE_MAP_BUILT_HUB: read_word[`ACE_MAP_BUILT_HUB_PEERS] = PEERS_[7:0];
            `ACE_MAP_BUILT_TRIGGERS: read_word[`ACE_MAP_BUILT_TRIGGERS_SLOTS] = TRIGGERS_[7:0];
            `ACE_MAP_TRIGGER_STATE: read_word = {slots_busy, slots_armed};
            `ACE_MAP_CONTROL: read_word[`ACE_MAP_CONTROL_RUN] = run_q || start_q;
            `ACE_MAP_STATUS: begin
                read_word[`ACE_MAP_STATUS_RUNNING]     = run_q;
                read_word[`ACE_MAP_STATUS_IDLE]        = no_command && core_idle;
                read_word[`ACE_MAP_STATUS_ROOM]        = run_q && !failed && !full && !cmd_valid_q;
                read_word[`ACE_MAP_STATUS_COMPLETION]  = queued;
                read_word[`ACE_MAP_STATUS_FAILED]      = failed;
                read_word[`ACE_MAP_STATUS_MEMORY_BUSY] = memory_busy;
                read_word[`ACE_MAP_STATUS_WAITING]     = expired_q;
                read_word[`ACE_MAP_STATUS_MEMORY_LOST] = memory_is_lost;
                read_word[`ACE_MAP_STATUS_OUTSTANDING] = {{(16-COUNT_W){1'b0}}, owed_q};
            end
            `ACE_MAP_INTERRUPT_STATUS: read_word[11:0] = events_q;
            `ACE_MAP_COMPLETION: if (queued) begin
                read_word[`ACE_MAP_COMPLETION_TAG]   = oldest[15:0];
                read_word[`ACE_MAP_COMPLETION_CODE]  = oldest[23:16];
                read_word[`ACE_MAP_COMPLETION_VALID] = 1'b1;
            end
            `ACE_MAP_ERROR: begin
                read_word[`ACE_MAP_ERROR_CODE]     = error_code_q;
                read_word[`ACE_MAP_ERROR_RESPONSE] = error_resp_q;
                read_word[`ACE_MAP_ERROR_VALID]    = error_valid_q;
                read_word[`ACE_MAP_ERROR_TAG]      = error_tag_q;
            end
            `ACE_MAP_ERROR_ADDRESS_LOW:  read_word = error_address_q[31:0];
            `ACE_MAP_ERROR_ADDRESS_HIGH: read_word[15:0] = error_address_q[47:32];
            `ACE_MAP_COUNT_TAKEN:        read_word = taken_q;
            `ACE_MAP_COUNT_COMPLETED:    read_word = completed_q;
            `ACE_MAP_COUNT_REFUSED:      read_word = rejected_q;
            `ACE_MAP_COUNT_READ_ERRORS:  read_word = read_errors_q;
            `ACE_MAP_COUNT_WRITE_ERRORS: read_word = write_errors_q;
            `ACE_MAP_COUNT_WATCHDOG:     read_word = expiries_q;
            `ACE_MAP_COUNT_LOW:          read_word = count_q[31:0];
            `ACE_MAP_COUNT_HIGH:         read_word[15:0] = count_q[47:32];
            `ACE_MAP_COUNT_CORRECTED:     read_word = s_count_corrected;
            `ACE_MAP_COUNT_UNCORRECTABLE: read_word = s_count_failed;
            `ACE_MAP_COUNT_REMOTE:        read_word = s_count_refused;
            `ACE_MAP_COUNT_PARITY:        read_word = s_count_parity;
            `ACE_MAP_LINK_STATE: read_word[`ACE_MAP_LINK_STATE_STATES] = s_link_state & {16{run_q}};
            default: read_known = 1'b0;
        endcase
    end

    assign idle = axil_idle && trigger_idle && no_command && waited_q == 32'd0 && !fetch_q &&
                  !fault_valid_q && !start_q;

    // a number is narrower than the parameter it comes from
    wire unused = &{1'b0, FSMS_, CONTEXTS_, ROW_BYTES_, LINK_IN, LINK_OUT, COMMANDS_,
                    PLACES, BURSTS, ROUTER_IN, ROUTER_OUT, X_ROWS, X_BURSTS, COUNTERS_, BANK_ROWS_, KINDS_, TYPES_,
                    OPS_, DIMENSIONS_, TRIGGERS_};

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_control_registers -- the registers that hold what software wrote: configuration, and the next command
//
//   s_write_* --> [ registers ] --> m_*
//                      |
//   s_read_addr -------'----------> m_read_word
//
// Contract
//   Writes      With s_write, bits of s_write_set are set and bits of s_write_keep stay in the register at
//               s_write_addr; the others become 0.  m_write_holds says that there is one, m_write_config that
//               it belongs to the configuration, which the owner lets change only while nothing runs.
//   Lock        Once CONFIG_LOCK.WINDOWS is 1, the six registers of the windows change no more until rst;
//               m_write_locked says that s_write_addr is one of them then.
//   Reads       m_read_word and m_read_known follow s_read_addr in the same cycle.
//   Sane        m_sane: an engine can run with the configuration as it is.
//   Moore       What registers hold is on m_* in the next cycle.
//   Reset       rst is synchronous, active high: as docs/reference/registers.md says.
//   Twin        cmodel/twin/ace_control_registers.c, equal at the pins of ace_control
//               (tests/lockstep/lockstep_control_test.cc).

`default_nettype none

`include "ace_register_map.vh"

module ace_control_registers #(
    parameter DIMENSIONS = 3,           // 3 or 4
    parameter BANK_ROWS  = 4096         // bounds the partitions
) (
    input  wire        clk,
    input  wire        rst,

    // Writes and reads
    input  wire [11:0] s_write_addr,
    output reg         m_write_holds,
    output reg         m_write_config,
    output wire        m_write_locked,
    input  wire        s_write,
    input  wire [31:0] s_write_set,
    input  wire [31:0] s_write_keep,
    input  wire [11:0] s_read_addr,
    output wire        m_read_known,
    output wire [31:0] m_read_word,

    // Interrupt and watchdog
    output wire [11:0] m_enable,
    output wire [31:0] m_patience,

    // Configuration of the engine
    output wire [4095:0] m_cfg_program,
    output wire [3:0]  m_cfg_hub,
    output wire        m_cfg_fifo,
    output wire [15:0] m_cfg_class_tag,
    output wire [7:0]  m_cfg_class_weight,
    output wire [6:0]  m_cfg_window,
    output wire [2:0]  m_cfg_wire,
    output wire [7:0]  m_cfg_share,
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
    output wire [7:0]  m_cfg_epoch_links,
    output wire [7:0]  m_cfg_silence,
    output wire [63:0] m_cfg_window_first,
    output wire [63:0] m_cfg_window_last,
    output wire        m_cfg_trigger_enable,
    output wire [15:0] m_cfg_trigger_tag,
    output wire [31:0] m_cfg_flag_first,
    output wire [31:0] m_cfg_flag_last,
    output wire        m_sane,

    // The command that the next doorbell hands over
    output wire [2:0]  m_kind,
    output wire [2:0]  m_type,
    output wire [2:0]  m_op,
    output wire [31:0] m_scale,
    output wire [2:0]  m_dim_count,
    output wire [7:0]  m_dims,
    output wire [63:0] m_source,
    output wire [63:0] m_destination,
    output wire [63:0] m_bytes,

    // And the slot that is prepared next
    output wire [47:0] m_flag,
    output wire [31:0] m_value,
    output wire [15:0] m_threshold,
    output wire [7:0]  m_next,
    output wire        m_chains,
    output wire        m_repeats,
    output wire        m_flags,
    output wire        m_queues,

    // What is looked at, and upset
    output wire [6:0]  m_count_index,
    output wire [6:0]  m_fault_word,
    output wire [13:0] m_fault_at       // {bank, row}
);

    localparam [11:0] PROGRAM = `ACE_MAP_PROGRAM;
    localparam [31:0] BANK_ROWS_ = BANK_ROWS;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (BANK_ROWS < 1 || BANK_ROWS > 65535) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_1_to_65535 stop ();
        end
    endgenerate

    function is_program; // a word of the FSMs' programs
        input [2:0] high;
        input [1:0] low;
        is_program = high == PROGRAM[11:9] && low == 2'b00;
    endfunction

    always @(*) begin
        m_write_holds  = 1'b1;
        m_write_config = 1'b0;
        case (s_write_addr)
            `ACE_MAP_INTERRUPT_ENABLE, `ACE_MAP_WATCHDOG,
            `ACE_MAP_COMMAND_OPERATION, `ACE_MAP_COMMAND_DIMENSIONS, `ACE_MAP_COMMAND_SCALE,
            `ACE_MAP_COMMAND_SOURCE_LOW, `ACE_MAP_COMMAND_SOURCE_HIGH, `ACE_MAP_COMMAND_DESTINATION_LOW,
            `ACE_MAP_COMMAND_DESTINATION_HIGH, `ACE_MAP_COMMAND_BYTES_LOW, `ACE_MAP_COMMAND_BYTES_HIGH,
            `ACE_MAP_TRIGGER_FLAG_LOW, `ACE_MAP_TRIGGER_FLAG_HIGH, `ACE_MAP_TRIGGER_VALUE, `ACE_MAP_TRIGGER_RULE,
            `ACE_MAP_COUNT_SELECT, `ACE_MAP_FAULT_PLACE, `ACE_MAP_CONFIG_LOCK: ;
            `ACE_MAP_CONFIG_CLASSES, `ACE_MAP_CONFIG_SHARE,
            `ACE_MAP_CONFIG_ORDER, `ACE_MAP_CONFIG_RING, `ACE_MAP_CONFIG_RANK, `ACE_MAP_CONFIG_CHUNK,
            `ACE_MAP_CONFIG_PARTITION_0, `ACE_MAP_CONFIG_PARTITION_1, `ACE_MAP_CONFIG_PARTITION_2,
            `ACE_MAP_CONFIG_PARTITION_3, `ACE_MAP_CONFIG_PARTITION_4, `ACE_MAP_CONFIG_PARTITION_5,
            `ACE_MAP_CONFIG_LINK_COST_X, `ACE_MAP_CONFIG_LINK_COST_Y, `ACE_MAP_CONFIG_LINK_COST_Z,
            `ACE_MAP_CONFIG_LINK_COST_W, `ACE_MAP_CONFIG_READ_COST,
            `ACE_MAP_CONFIG_WRITE_COST, `ACE_MAP_CONFIG_MEMORY_LATENCY, `ACE_MAP_CONFIG_HUB, `ACE_MAP_CONFIG_RETRY,
            `ACE_MAP_CONFIG_WINDOW_FIRST, `ACE_MAP_CONFIG_WINDOW_LAST, `ACE_MAP_CONFIG_LIST_WINDOW_FIRST,
            `ACE_MAP_CONFIG_LIST_WINDOW_LAST, `ACE_MAP_CONFIG_LINK_EPOCH, `ACE_MAP_CONFIG_TRIGGER,
            `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST, `ACE_MAP_CONFIG_FLAG_WINDOW_LAST:
                m_write_config = 1'b1;
            default: begin
                m_write_holds  = is_program(s_write_addr[11:9], s_write_addr[1:0]);
                m_write_config = m_write_holds;
            end
        endcase
    end

    reg         lock_q;                 // of the windows
    wire        is_window = s_write_addr == `ACE_MAP_CONFIG_WINDOW_FIRST ||
                            s_write_addr == `ACE_MAP_CONFIG_WINDOW_LAST ||
                            s_write_addr == `ACE_MAP_CONFIG_LIST_WINDOW_FIRST ||
                            s_write_addr == `ACE_MAP_CONFIG_LIST_WINDOW_LAST ||
                            s_write_addr == `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST ||
                            s_write_addr == `ACE_MAP_CONFIG_FLAG_WINDOW_LAST;
    assign m_write_locked = lock_q && is_window;

    wire [31:0] set = s_write_set, keep = s_write_keep;
    reg  [11:0] enable_q;
    reg  [31:0] patience_q;
    reg  [4095:0] program_q;
    reg  [3:0]  hub_q;
    reg         fifo_q;
    reg  [15:0] class_tag_q;
    reg  [7:0]  class_weight_q, share_q;
    reg  [2:0]  wire_q;
    reg  [6:0]  window_q;
    reg  [3:0]  agreed_q;
    reg  [31:0] ring_q, rank_q;
    reg  [23:0] read_cost_q, write_cost_q;
    reg  [10:0] chunk_rows_q;
    reg  [71:0] partition_rows_q;
    reg  [95:0] link_cost_q;
    reg  [15:0] memory_latency_q;
    reg  [15:0] retry_q;
    reg  [15:0] epoch_q;
    reg  [7:0]  epoch_links_q, silence_q;
    reg  [63:0] window_first_q, window_last_q;
    reg         trigger_enable_q;
    reg  [15:0] trigger_tag_q, threshold_q;
    reg  [31:0] flag_first_q, flag_last_q, value_q;
    reg  [47:0] flag_q;
    reg  [7:0]  next_q;
    reg         chains_q, repeats_q, flags_q, queues_q;
    reg  [2:0]  kind_q, type_q, op_q;
    reg  [2:0]  dim_count_q;
    reg  [7:0]  dims_q;
    reg  [31:0] scale_q;
    reg  [63:0] source_q, destination_q, bytes_q;
    reg  [6:0]  index_q, fault_word_q;
    reg  [13:0] fault_at_q;             // {bank, row}

    integer p;
    always @(posedge clk) begin
        if (rst) begin
            lock_q           <= 1'b0;
            enable_q         <= 12'd0;
            patience_q       <= `ACE_MAP_WATCHDOG_RESET;
            program_q        <= 4096'd0;
            hub_q            <= 4'd0;
            fifo_q           <= 1'b0;
            class_tag_q      <= 16'd0;
            class_weight_q   <= 8'd0;
            window_q         <= 7'd0;
            share_q          <= 8'd0;
            wire_q           <= 3'd0;
            agreed_q         <= 4'd0;
            ring_q           <= 32'h01010101;
            rank_q           <= 32'd0;
            chunk_rows_q     <= 11'd256;
            partition_rows_q <= 72'd0;
            link_cost_q      <= {4{24'h000100}};
            read_cost_q      <= 24'h000100;
            write_cost_q     <= 24'h000100;
            memory_latency_q <= 16'd2;
            retry_q          <= 16'd0;
            epoch_q          <= 16'd0;
            epoch_links_q    <= 8'd0;
            silence_q        <= 8'd0;
            window_first_q   <= {2{`ACE_MAP_CONFIG_WINDOW_FIRST_RESET}};
            window_last_q    <= {2{`ACE_MAP_CONFIG_WINDOW_LAST_RESET}};
            trigger_enable_q <= 1'b0;
            trigger_tag_q    <= 16'd0;
            flag_first_q     <= `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST_RESET;
            flag_last_q      <= `ACE_MAP_CONFIG_FLAG_WINDOW_LAST_RESET;
            flag_q           <= 48'd0;
            value_q          <= 32'd0;
            threshold_q      <= 16'd0;
            next_q           <= 8'd0;
            {chains_q, repeats_q, flags_q, queues_q} <= 4'd0;
            kind_q           <= 3'd0;
            type_q           <= 3'd0;
            op_q             <= 3'd0;
            dim_count_q      <= 3'd0;
            dims_q           <= 8'd0;
            scale_q          <= 32'd0;
            source_q         <= 64'd0;
            destination_q    <= 64'd0;
            bytes_q          <= 64'd0;
            index_q          <= 7'd0;
            fault_word_q     <= 7'd0;
            fault_at_q       <= 14'd0;
        end else if (s_write && !m_write_locked) begin
            case (s_write_addr)
                `ACE_MAP_INTERRUPT_ENABLE:
                    enable_q <= enable_q & keep[`ACE_MAP_INTERRUPT_ENABLE_BITS] | set[`ACE_MAP_INTERRUPT_ENABLE_BITS];
                `ACE_MAP_CONFIG_LOCK:      lock_q <= lock_q || set[0];
                `ACE_MAP_WATCHDOG:         patience_q <= patience_q & keep | set;
                `ACE_MAP_CONFIG_ORDER: begin
                    fifo_q   <= fifo_q & keep[0] | set[0];
                    agreed_q <= agreed_q & keep[`ACE_MAP_CONFIG_ORDER_AGREED] | set[`ACE_MAP_CONFIG_ORDER_AGREED];
                end
                `ACE_MAP_CONFIG_CLASSES: begin
                    class_tag_q    <= class_tag_q & keep[15:0] | set[15:0];
                    class_weight_q <= class_weight_q & keep[23:16] | set[23:16];
                    window_q       <= window_q & keep[30:24] | set[30:24];
                end
                `ACE_MAP_CONFIG_SHARE: begin
                    share_q <= share_q & keep[`ACE_MAP_CONFIG_SHARE_ROWS] | set[`ACE_MAP_CONFIG_SHARE_ROWS];
                    wire_q  <= wire_q & keep[`ACE_MAP_CONFIG_SHARE_WIRE] | set[`ACE_MAP_CONFIG_SHARE_WIRE];
                end
                `ACE_MAP_CONFIG_HUB:
                    hub_q <= hub_q & keep[`ACE_MAP_CONFIG_HUB_DIMENSIONS] | set[`ACE_MAP_CONFIG_HUB_DIMENSIONS];
                `ACE_MAP_CONFIG_RING:      ring_q <= ring_q & keep | set;
                `ACE_MAP_CONFIG_RANK:      rank_q <= rank_q & keep | set;
                `ACE_MAP_CONFIG_CHUNK:
                    chunk_rows_q <= chunk_rows_q & keep[`ACE_MAP_CONFIG_CHUNK_ROWS] | set[`ACE_MAP_CONFIG_CHUNK_ROWS];
                `ACE_MAP_CONFIG_LINK_COST_X: link_cost_q[23:0]  <= link_cost_q[23:0] & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_LINK_COST_Y: link_cost_q[47:24] <= link_cost_q[47:24] & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_LINK_COST_Z: link_cost_q[71:48] <= link_cost_q[71:48] & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_LINK_COST_W: link_cost_q[95:72] <= link_cost_q[95:72] & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_READ_COST:   read_cost_q  <= read_cost_q & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_WRITE_COST:  write_cost_q <= write_cost_q & keep[23:0] | set[23:0];
                `ACE_MAP_CONFIG_MEMORY_LATENCY: memory_latency_q <= memory_latency_q & keep[15:0] | set[15:0];
                `ACE_MAP_CONFIG_RETRY: retry_q <= retry_q & keep[15:0] | set[15:0];
                `ACE_MAP_CONFIG_LINK_EPOCH: begin
                    epoch_q       <= epoch_q & keep[15:0] | set[15:0];
                    epoch_links_q <= epoch_links_q & keep[23:16] | set[23:16];
                    silence_q     <= silence_q & keep[31:24] | set[31:24];
                end
                `ACE_MAP_CONFIG_WINDOW_FIRST: window_first_q[31:0] <= window_first_q[31:0] & keep | set;
                `ACE_MAP_CONFIG_WINDOW_LAST:  window_last_q[31:0]  <= window_last_q[31:0] & keep | set;
                `ACE_MAP_CONFIG_LIST_WINDOW_FIRST: window_first_q[63:32] <= window_first_q[63:32] & keep | set;
                `ACE_MAP_CONFIG_LIST_WINDOW_LAST:  window_last_q[63:32]  <= window_last_q[63:32] & keep | set;
                `ACE_MAP_CONFIG_TRIGGER: begin
                    trigger_tag_q    <= trigger_tag_q & keep[15:0] | set[15:0];
                    trigger_enable_q <= trigger_enable_q & keep[16] | set[16];
                end
                `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST: flag_first_q <= flag_first_q & keep | set;
                `ACE_MAP_CONFIG_FLAG_WINDOW_LAST:  flag_last_q  <= flag_last_q & keep | set;
                `ACE_MAP_TRIGGER_FLAG_LOW:  flag_q[31:0]  <= flag_q[31:0] & keep | set;
                `ACE_MAP_TRIGGER_FLAG_HIGH: flag_q[47:32] <= flag_q[47:32] & keep[15:0] | set[15:0];
                `ACE_MAP_TRIGGER_VALUE:     value_q <= value_q & keep | set;
                `ACE_MAP_TRIGGER_RULE: begin
                    threshold_q <= threshold_q & keep[15:0] | set[15:0];
                    next_q      <= next_q & keep[23:16] | set[23:16];
                    {queues_q, flags_q, repeats_q, chains_q} <=
                        {queues_q, flags_q, repeats_q, chains_q} & keep[27:24] | set[27:24];
                end
                `ACE_MAP_COMMAND_OPERATION: begin
                    kind_q <= kind_q & keep[`ACE_MAP_COMMAND_OPERATION_KIND] | set[`ACE_MAP_COMMAND_OPERATION_KIND];
                    type_q <= type_q & keep[`ACE_MAP_COMMAND_OPERATION_TYPE] | set[`ACE_MAP_COMMAND_OPERATION_TYPE];
                    op_q   <= op_q & keep[`ACE_MAP_COMMAND_OPERATION_OP] | set[`ACE_MAP_COMMAND_OPERATION_OP];
                end
                `ACE_MAP_COMMAND_DIMENSIONS: begin
                    dim_count_q <= dim_count_q & keep[`ACE_MAP_COMMAND_DIMENSIONS_COUNT] |
                                   set[`ACE_MAP_COMMAND_DIMENSIONS_COUNT];
                    dims_q      <= dims_q & keep[15:8] | set[15:8];
                end
                `ACE_MAP_COMMAND_SCALE:            scale_q <= scale_q & keep | set;
                `ACE_MAP_COMMAND_SOURCE_LOW:       source_q[31:0]  <= source_q[31:0] & keep | set;
                `ACE_MAP_COMMAND_SOURCE_HIGH:      source_q[63:32] <= source_q[63:32] & keep | set;
                `ACE_MAP_COMMAND_DESTINATION_LOW:  destination_q[31:0]  <= destination_q[31:0] & keep | set;
                `ACE_MAP_COMMAND_DESTINATION_HIGH: destination_q[63:32] <= destination_q[63:32] & keep | set;
                `ACE_MAP_COMMAND_BYTES_LOW:        bytes_q[31:0]  <= bytes_q[31:0] & keep | set;
                `ACE_MAP_COMMAND_BYTES_HIGH:       bytes_q[63:32] <= bytes_q[63:32] & keep | set;
                `ACE_MAP_COUNT_SELECT:
                    index_q <= index_q & keep[`ACE_MAP_COUNT_SELECT_INDEX] | set[`ACE_MAP_COUNT_SELECT_INDEX];
                `ACE_MAP_FAULT_PLACE: begin
                    fault_word_q <= fault_word_q & keep[`ACE_MAP_FAULT_PLACE_WORD] | set[`ACE_MAP_FAULT_PLACE_WORD];
                    fault_at_q   <= fault_at_q & keep[13:0] | set[13:0];
                end
                default: ;
            endcase
            if (is_program(s_write_addr[11:9], s_write_addr[1:0]))
                program_q[{s_write_addr[8:2], 5'd0} +: 32] <= program_q[{s_write_addr[8:2], 5'd0} +: 32] & keep | set;
            for (p = 0; p < 6; p = p + 1)
                if (s_write_addr == `ACE_MAP_CONFIG_PARTITION_0 + {7'd0, p[2:0], 2'd0})
                    partition_rows_q[p*12 +: 12] <= partition_rows_q[p*12 +: 12] & keep[11:0] | set[11:0];
        end
    end

    assign m_enable             = enable_q;
    assign m_patience           = patience_q;
    assign m_cfg_program        = program_q;
    assign m_cfg_hub            = hub_q;
    assign m_cfg_fifo           = fifo_q;
    assign m_cfg_class_tag      = class_tag_q;
    assign m_cfg_class_weight   = class_weight_q;
    assign m_cfg_window         = window_q;
    assign m_cfg_share          = share_q;
    assign m_cfg_wire           = wire_q;
    assign m_cfg_agreed         = agreed_q;
    assign m_cfg_ring           = ring_q;
    assign m_cfg_rank           = rank_q;
    assign m_cfg_chunk_rows     = chunk_rows_q;
    assign m_cfg_partition_rows = partition_rows_q;
    assign m_cfg_link_cost      = link_cost_q;
    assign m_cfg_read_cost      = read_cost_q;
    assign m_cfg_write_cost     = write_cost_q;
    assign m_cfg_memory_latency = memory_latency_q;
    assign m_cfg_retry          = retry_q;
    assign m_cfg_epoch          = epoch_q;
    assign m_cfg_epoch_links    = epoch_links_q;
    assign m_cfg_silence        = silence_q;
    assign m_cfg_window_first   = window_first_q;
    assign m_cfg_window_last    = window_last_q;
    assign m_cfg_trigger_enable = trigger_enable_q;
    assign m_cfg_trigger_tag    = trigger_tag_q;
    assign m_cfg_flag_first     = flag_first_q;
    assign m_cfg_flag_last      = flag_last_q;
    assign m_flag               = flag_q;
    assign m_value              = value_q;
    assign m_threshold          = threshold_q;
    assign m_next               = next_q;
    assign m_chains             = chains_q;
    assign m_repeats            = repeats_q;
    assign m_flags              = flags_q;
    assign m_queues             = queues_q;
    assign m_kind               = kind_q;
    assign m_type               = type_q;
    assign m_op                 = op_q;
    assign m_scale              = scale_q;
    assign m_dim_count          = dim_count_q;
    assign m_dims               = dims_q;
    assign m_source             = source_q;
    assign m_destination        = destination_q;
    assign m_bytes              = bytes_q;
    assign m_count_index        = index_q;
    assign m_fault_word         = fault_word_q;
    assign m_fault_at           = fault_at_q;

    // ---- what an engine can run with ----

    function sane; // a ring or hub, a rank on it, and the cost of its links
        input [7:0]  ring;
        input [7:0]  rank;
        input [23:0] cost;
        sane = ring >= 8'd1 && ring <= 8'd128 && rank < ring && (ring == 8'd1 || cost >= 24'd256);
    endfunction

    wire [14:0] partition_sum = {3'd0, partition_rows_q[11:0]} + {3'd0, partition_rows_q[23:12]} +
                                {3'd0, partition_rows_q[35:24]} + {3'd0, partition_rows_q[47:36]} +
                                {3'd0, partition_rows_q[59:48]} + {3'd0, partition_rows_q[71:60]};
    assign m_sane = sane(ring_q[7:0], rank_q[7:0], link_cost_q[23:0]) &&
                    sane(ring_q[15:8], rank_q[15:8], link_cost_q[47:24]) &&
                    sane(ring_q[23:16], rank_q[23:16], link_cost_q[71:48]) &&
                    sane(ring_q[31:24], rank_q[31:24], link_cost_q[95:72]) &&
                    (DIMENSIONS > 3 || ring_q[31:24] == 8'd1) &&
                    chunk_rows_q >= 11'd1 && chunk_rows_q <= 11'd1024 &&
                    {17'd0, partition_sum} <= BANK_ROWS_ && read_cost_q >= 24'd256 &&
                    write_cost_q >= 24'd256 && memory_latency_q >= 16'd2;

    // ---- reads ----

    reg         read_known;
    reg  [31:0] read_word;

    assign m_read_known = read_known;
    assign m_read_word  = read_word;

    always @(*) begin
        read_word  = 32'd0;
        read_known = 1'b1;
        case (s_read_addr)
            `ACE_MAP_INTERRUPT_ENABLE: read_word[`ACE_MAP_INTERRUPT_ENABLE_BITS] = enable_q;
            `ACE_MAP_WATCHDOG:           read_word = patience_q;
            `ACE_MAP_CONFIG_LOCK:        read_word[0] = lock_q;
            `ACE_MAP_CONFIG_ORDER: begin
                read_word[0] = fifo_q;
                read_word[`ACE_MAP_CONFIG_ORDER_AGREED] = agreed_q;
            end
            `ACE_MAP_CONFIG_CLASSES:     read_word[30:0] = {window_q, class_weight_q, class_tag_q};
            `ACE_MAP_CONFIG_SHARE: begin
                read_word[`ACE_MAP_CONFIG_SHARE_ROWS] = share_q;
                read_word[`ACE_MAP_CONFIG_SHARE_WIRE] = wire_q;
            end
            `ACE_MAP_CONFIG_RING:        read_word = ring_q;
            `ACE_MAP_CONFIG_RANK:        read_word = rank_q;
            `ACE_MAP_CONFIG_CHUNK:       read_word[`ACE_MAP_CONFIG_CHUNK_ROWS] = chunk_rows_q;
            `ACE_MAP_CONFIG_PARTITION_0: read_word[11:0] = partition_rows_q[11:0];
            `ACE_MAP_CONFIG_PARTITION_1: read_word[11:0] = partition_rows_q[23:12];
            `ACE_MAP_CONFIG_PARTITION_2: read_word[11:0] = partition_rows_q[35:24];
            `ACE_MAP_CONFIG_PARTITION_3: read_word[11:0] = partition_rows_q[47:36];
            `ACE_MAP_CONFIG_PARTITION_4: read_word[11:0] = partition_rows_q[59:48];
            `ACE_MAP_CONFIG_PARTITION_5: read_word[11:0] = partition_rows_q[71:60];
            `ACE_MAP_CONFIG_LINK_COST_X: read_word[23:0] = link_cost_q[23:0];
            `ACE_MAP_CONFIG_LINK_COST_Y: read_word[23:0] = link_cost_q[47:24];
            `ACE_MAP_CONFIG_LINK_COST_Z: read_word[23:0] = link_cost_q[71:48];
            `ACE_MAP_CONFIG_LINK_COST_W: read_word[23:0] = link_cost_q[95:72];
            `ACE_MAP_CONFIG_READ_COST:   read_word[23:0] = read_cost_q;
            `ACE_MAP_CONFIG_WRITE_COST:  read_word[23:0] = write_cost_q;
            `ACE_MAP_CONFIG_MEMORY_LATENCY: read_word[15:0] = memory_latency_q;
            `ACE_MAP_CONFIG_RETRY: read_word[15:0] = retry_q;
            `ACE_MAP_CONFIG_LINK_EPOCH: read_word[31:0] = {silence_q, epoch_links_q, epoch_q};
            `ACE_MAP_CONFIG_WINDOW_FIRST: read_word = window_first_q[31:0];
            `ACE_MAP_CONFIG_WINDOW_LAST:  read_word = window_last_q[31:0];
            `ACE_MAP_CONFIG_LIST_WINDOW_FIRST: read_word = window_first_q[63:32];
            `ACE_MAP_CONFIG_LIST_WINDOW_LAST:  read_word = window_last_q[63:32];
            `ACE_MAP_CONFIG_TRIGGER:      read_word[16:0] = {trigger_enable_q, trigger_tag_q};
            `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST: read_word = flag_first_q;
            `ACE_MAP_CONFIG_FLAG_WINDOW_LAST:  read_word = flag_last_q;
            `ACE_MAP_TRIGGER_FLAG_LOW:    read_word = flag_q[31:0];
            `ACE_MAP_TRIGGER_FLAG_HIGH:   read_word[15:0] = flag_q[47:32];
            `ACE_MAP_TRIGGER_VALUE:       read_word = value_q;
            `ACE_MAP_TRIGGER_RULE:
                read_word[27:0] = {queues_q, flags_q, repeats_q, chains_q, next_q, threshold_q};
            `ACE_MAP_CONFIG_HUB: read_word[`ACE_MAP_CONFIG_HUB_DIMENSIONS] = hub_q;
            `ACE_MAP_COMMAND_OPERATION: begin
                read_word[`ACE_MAP_COMMAND_OPERATION_KIND] = kind_q;
                read_word[`ACE_MAP_COMMAND_OPERATION_TYPE] = type_q;
                read_word[`ACE_MAP_COMMAND_OPERATION_OP]   = op_q;
            end
            `ACE_MAP_COMMAND_DIMENSIONS: begin
                read_word[`ACE_MAP_COMMAND_DIMENSIONS_COUNT] = dim_count_q;
                read_word[15:8] = dims_q;
            end
            `ACE_MAP_COMMAND_SCALE:            read_word = scale_q;
            `ACE_MAP_COMMAND_SOURCE_LOW:       read_word = source_q[31:0];
            `ACE_MAP_COMMAND_SOURCE_HIGH:      read_word = source_q[63:32];
            `ACE_MAP_COMMAND_DESTINATION_LOW:  read_word = destination_q[31:0];
            `ACE_MAP_COMMAND_DESTINATION_HIGH: read_word = destination_q[63:32];
            `ACE_MAP_COMMAND_BYTES_LOW:        read_word = bytes_q[31:0];
            `ACE_MAP_COMMAND_BYTES_HIGH:       read_word = bytes_q[63:32];
            `ACE_MAP_COUNT_SELECT:       read_word[`ACE_MAP_COUNT_SELECT_INDEX] = index_q;
            `ACE_MAP_FAULT_PLACE: begin
                read_word[`ACE_MAP_FAULT_PLACE_WORD] = fault_word_q;
                read_word[13:0] = fault_at_q;
            end
            default: begin
                read_known = is_program(s_read_addr[11:9], s_read_addr[1:0]);
                if (read_known) read_word = program_q[{s_read_addr[8:2], 5'd0} +: 32];
            end
        endcase
    end

    // a number is narrower than the parameter it comes from
    wire unused = &{1'b0, BANK_ROWS_};

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_node -- ACE, its memory interface and its NIC: everything at one NPU's fabric port
//
//   s_cmd -> ace_front: agreement, dispatcher, scheduler -- jobs --> ace_memory_port: DMAs, AXI4
//                        |                     |                        ^ rows |            ^
//                  all-to-alls               chunks                     |      v            |
//                        |                     v                    ace_datapath: switch,   |
//                        |            ace_phases: FSMs -- requests --> scratchpad, ALUs     |
//                        |                     | grants                 ^ rows |            |
//                        v                     v                        |      v            |
//                    ace_nic: exchange, router, links -> tx_* / rx_* (one a ring direction) |
//                        +---------------------------- rows of all-to-alls -----------------+
//
// Each block's head has its contract.  This file has the pins, the configuration, and the wires.
//
// Contract
//   Moore       every output depends on state alone, so nodes may be stepped in any order.
//   Links       link 2d goes up ring d, link 2d+1 down.  A packet is one row.  What leaves
//               on a link arrives at the neighbour's opposite link.  tx_credit returns a
//               place in the input buffer; tx_grant tells the neighbour on that link that
//               a context is ready to receive from it.
//               What crosses in a cycle is a frame, see ace_link.  tx_grant of phase 7 is a number of the agreement.
//   Channels    Packets of all-to-alls are tx_routed: they have a route instead of a context
//               (context, reduce: bytes to write, low 8 bits first; mark: key), input
//               buffers of their own (tx_routed_credit), and go first on links and at the
//               memory.
//   Memory      AXI4, one outstanding ID, bursts that do not cross 4 KiB.
//   Setting     cfg_* is taken at the edges with rst high, or drain high and memory_busy low, and
//               held until the next; cfg_program in the 128 cycles after those, and holds until then.
//   Hubs        On a dimension that is no ring (a switch, or links to all) both links lead to
//               all members.  tx_route of a packet that is not routed is where it goes (0 on
//               rings), tx_grant_peer where a grant goes, rx_grant_peer where it came from: places
//               on the dimension.
//   Reset       rst is synchronous, active high, at any time; all nodes of a fabric and
//               its links are reset together.  drain does the same but for the memory: bursts
//               that were taken are carried out first.  It stays until memory_busy is low.
//   Twin        cmodel/core/ace_node_core.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_node_test.cc).

`include "ace_widths.vh"

`default_nettype none

module ace_node #(
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
    parameter MEMORY_PROT      = 2,     // AxPROT of every burst: data, non-secure, unprivileged
    parameter DRAIN_LIMIT      = 65536, // cycles that a drain waits for the memory, see ace_memory_interface
    parameter ALU_TYPES        = 7,     // types that the ALUs reduce, a bit each, see ace_alu
    parameter ALU_OPS          = 13,    // and operations
    parameter WIRE_FORMATS     = 0,     // 1: links can carry rows in the formats of ace_wire_encode
    parameter ROW_W            = 2048,  // bits of a row: four 64-byte ALUs
    parameter PAYLOAD          = 1,     // 0: rows have no values: the same in every cycle, for runs of timing alone
    parameter LINKS            = 2 * DIMENSIONS     // follows
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               drain,                // reset, but bursts at the memory are carried out

    // Setting
    input  wire [4095:0]      cfg_program,          // of the FSMs: 128 words, see rtl/program.list
    input  wire [DIMENSIONS-1:0]     cfg_hub,       // dimensions that are no rings
    input  wire               cfg_fifo,
    input  wire [15:0]        cfg_class_tag,        // first tag of class 1, 0: none; see ace_dispatcher
    input  wire [7:0]         cfg_class_weight,     // 4 bits a class: its chunks in a round
    input  wire [6:0]         cfg_window,           // chunks inside, 0: no limit but the table's
    input  wire [2:0]         cfg_wire,             // format of the rows of collectives on links, see ace_wire_encode
    input  wire [7:0]         cfg_share,            // of the links, see ace_link_turn; 0: routed rows go first
    input  wire [DIMENSIONS-1:0]     cfg_agreed,    // dimensions whose nodes agree on which commands all have
    input  wire [8*DIMENSIONS-1:0]   cfg_ring,      // 8 bits a dimension
    input  wire [8*DIMENSIONS-1:0]   cfg_rank,
    input  wire [10:0]        cfg_chunk_rows,
    input  wire [12*DIMENSIONS+23:0] cfg_partition_rows,    // 12 bits a partition, in each bank
    input  wire [24*DIMENSIONS-1:0]  cfg_link_cost, // cycles per row, Q16.8, 24 bits a dimension
    input  wire [23:0]        cfg_read_cost,        // likewise
    input  wire [23:0]        cfg_write_cost,
    input  wire [15:0]        cfg_memory_latency,   // cycles
    input  wire [15:0]        cfg_retry,            // cycles, 0: off; of the links, see ace_link_guard
    input  wire [15:0]        cfg_epoch,            // of the links that are in cfg_epoch_links, see ace_link_sync
    input  wire [LINKS-1:0]   cfg_epoch_links,
    input  wire [7:0]         cfg_silence,          // intervals without a frame that lose such a link, 0: off
    input  wire [63:0]        cfg_window_first,     // where others may write, see ace_exchange
    input  wire [63:0]        cfg_window_last,

    // Commands in, and what says that one is done
    input  wire               s_cmd_valid,
    output wire               s_cmd_ready,
    input  wire [2:0]         s_cmd_kind,           // 0 all-reduce 1 reduce-scatter 2 all-gather 3 all-to-all 4 list
    input  wire [2:0]         s_cmd_type,           // 0 FP32 1 FP16 2 BF16 3 E4M3 4 E5M2 5 INT8 6 INT32
    input  wire [2:0]         s_cmd_op,             // 0 sum 1 average 2 minimum 3 maximum 4 product
    input  wire [31:0]        s_cmd_scale,          // of an average: what makes it of the sum, see ace_alu
    input  wire [2:0]         s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0] s_cmd_dims,
    input  wire [47:0]        s_cmd_source,
    input  wire [47:0]        s_cmd_destination,
    input  wire [40:0]        s_cmd_bytes,
    input  wire [15:0]        s_cmd_tag,
    output wire               m_done_valid,
    output wire [15:0]        m_done_tag,

    // Links, what arrives: a frame is all that crosses a link in a cycle
    input  wire [LINKS-1:0]   rx_frame,             // there is one: what follows, and
    input  wire [LINKS-1:0]   rx_resend,               // what ace_link_guard adds to it
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
    // Links, what leaves
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

    // Memory, AXI4: reads
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
    // and writes
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

    // State and errors
    output wire               memory_busy,          // bursts were taken and are not done with
    output wire               idle,                 // nothing changes without input
    output wire               mismatch,             // neighbours work on another chunk order (sticky)
    output wire               read_failed,          // an error response was seen (sticky): rows read
    output wire [1:0]         read_failed_resp,     // since then went no further; the first response
    output wire [47:0]        read_failed_addr,     // and the address of its burst
    output wire               write_failed,
    output wire [1:0]         write_failed_resp,
    output wire [47:0]        write_failed_addr,
    output wire               protocol_failed,      // an answer that fits no burst was seen (sticky), likewise,
    output wire [47:0]        protocol_failed_addr, // and the address of its burst, or 0
    output wire               memory_lost,          // a drain without an end was ended: rst is needed
    // Upsets of the scratchpad for tests, and what came of those it had: see ace_scratchpad.  A row
    // that cannot be put right leaves on no link, nor does any after it.
    input  wire               s_fault_valid,
    input  wire [1:0]         s_fault_bank,
    input  wire [11:0]        s_fault_row,
    input  wire [6:0]         s_fault_word,
    input  wire [ROW_W/64-1:0] s_fault_mask,
    output wire               scratchpad_failed,    // sticky
    output wire [1:0]         scratchpad_failed_bank,
    output wire [11:0]        scratchpad_failed_row,
    output wire [31:0]        count_corrected,      // rows read, since reset
    output wire [31:0]        count_failed,
    // What the exchange refuses: rows of other members outside the windows, illegal items of lists
    output wire               transfer_failed,      // sticky: a row that arrived was,
    output wire               transfer_failed_list, // or an item of a list was; with the address of the first item,
                                                    // and before there is one of the first row
    output wire [47:0]        transfer_failed_addr,
    output wire [31:0]        count_refused,        // rows, since reset, wraps
    // Words of the programs, and rows, that do not fit their code: no link is given a row of the switch, and no
    // peer a grant, from then on
    output wire               parity_failed,        // sticky
    output wire [15:0]        parity_failed_at,     // the first one: {phase, word}; ROW_WRONG + use
    output wire [31:0]        count_parity,         // words and rows, since reset, wraps
    // The links' guards
    output wire [LINKS-1:0]   link_failed,          // frames are lost for good, or the neighbour began anew (sticky)
    output wire [2*LINKS-1:0] link_state,           // of each link: 0 down, 1 sync, 2 up, 3 ended; see ace_link_sync
    // of each link: packets sent again, frames with a wrong CRC, those dropped for their number, 32 bits each
    output wire [96*LINKS-1:0] link_count,
    // Counters: cycle classes {idle, blocked, starved, busy}, 48 bits each, of: each link, memory
    // read, memory write, TX DMA, RX DMA, reduce, store, send +, send -, exchange read,
    // exchange write, router
    output wire [192*LINKS+11*192-1:0] count
);

    localparam PHASES     = DIMENSIONS + 1;
    localparam PARTITIONS = PHASES + 1;
    localparam PHASE_CONTEXTS = FSMS / PHASES * CONTEXTS;
    localparam DATA_W     = PAYLOAD != 0 ? ROW_W : 64;     // bits of a row that are carried
    // Uses of a row, the bits of row_wrong; parity_failed_at is 4096 and the use:
    localparam STORED = 0,          // to 6: uses in ace_datapath, in the order of its m_row_wrong
               ROUTED = 7,          // and 8: it is routed to a + or a - link
               WRITTEN = 9,         // it leaves for memory
               LISTED = 10,         // it is one of a list: its last item is taken
               USES = 11;
    wire unit_rst = rst || drain;
    genvar g;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (FSMS != PHASES && FSMS != 2 * PHASES && FSMS != 4 * PHASES) begin : g_illegal_fsms
            FSMS_must_be_1_2_or_4_for_each_phase stop ();
        end
        if (CONTEXTS != 2 && CONTEXTS != 4 && CONTEXTS != 8) begin : g_illegal_contexts
            CONTEXTS_must_be_2_4_or_8 stop ();
        end
        if (PHASE_CONTEXTS < 4) begin : g_illegal_phase_contexts
            CONTEXTS_must_be_4_or_more_for_each_phase stop ();
        end
        if (PEERS != 16 && PEERS != 32 && PEERS != 64) begin : g_illegal_peers PEERS_must_be_16_32_or_64 stop (); end
        if (BANK_ROWS < 64 || BANK_ROWS > 4096) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_64_to_4096 stop ();
        end
        if (SUB_BANKS != 1 && SUB_BANKS != 2 && SUB_BANKS != 4 && SUB_BANKS != 8) begin : g_illegal_sub_banks
            SUB_BANKS_must_be_1_2_4_or_8 stop ();
        end
        if (LINK_INPUT_ROWS < 1 || LINK_INPUT_ROWS > 4095) begin : g_illegal_link_input_rows
            LINK_INPUT_ROWS_must_be_1_to_4095 stop ();
        end
        if (LINK_OUTPUT_ROWS < 1 || LINK_OUTPUT_ROWS > 65535) begin : g_illegal_link_output_rows
            LINK_OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (COMMANDS < 2 || COMMANDS > 32768 || (COMMANDS & (COMMANDS - 1)) != 0) begin : g_illegal_commands
            COMMANDS_must_be_a_power_of_two_from_2_to_32768 stop ();
        end
        if (MEMORY_BURSTS < 1 || MEMORY_BURSTS > 255) begin : g_illegal_memory_bursts
            MEMORY_BURSTS_must_be_1_to_255 stop ();
        end
        if (ROUTER_INPUT_ROWS < 1 || ROUTER_INPUT_ROWS > 4096 - LINK_INPUT_ROWS) begin : g_illegal_router_input_rows
            ROUTER_INPUT_ROWS_must_be_1_to_4096_less_LINK_INPUT_ROWS stop ();
        end
        if (ROUTER_OUTPUT_ROWS < 2 || ROUTER_OUTPUT_ROWS > 65535) begin : g_illegal_router_output_rows
            ROUTER_OUTPUT_ROWS_must_be_2_to_65535 stop ();
        end
        if (EXCHANGE_ROWS < 1 || EXCHANGE_ROWS > 1024) begin : g_illegal_exchange_rows
            EXCHANGE_ROWS_must_be_1_to_1024 stop ();
        end
        if (EXCHANGE_BURSTS < 1 || EXCHANGE_BURSTS > 256 - MEMORY_BURSTS) begin : g_illegal_exchange_bursts
            EXCHANGE_BURSTS_must_be_1_to_256_less_MEMORY_BURSTS stop ();
        end
        if (ALU_TYPES < 1 || ALU_TYPES > 127) begin : g_illegal_alu_types ALU_TYPES_must_be_1_to_127 stop (); end
        if (WIRE_FORMATS != 0 && WIRE_FORMATS != 1) begin : g_illegal_wire_formats
            WIRE_FORMATS_must_be_0_or_1 stop ();
        end
        if (ALU_OPS < 1 || ALU_OPS > 31) begin : g_illegal_alu_ops ALU_OPS_must_be_1_to_31 stop (); end
        if (MEMORY_PROT < 0 || MEMORY_PROT > 7) begin : g_illegal_memory_prot MEMORY_PROT_must_be_0_to_7 stop (); end
        if (DRAIN_LIMIT < 0 || DRAIN_LIMIT > 16777216) begin : g_illegal_drain_limit
            DRAIN_LIMIT_must_be_0_to_16777216 stop ();
        end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (PAYLOAD != 0 && PAYLOAD != 1) begin : g_illegal_payload PAYLOAD_must_be_0_or_1 stop (); end
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
    endgenerate

    // ---- configuration: taken in reset ----
    // What only registers hold is not evaluated anew at every change of an input pin.
    reg [DIMENSIONS-1:0] hub_q;
    reg [DIMENSIONS-1:0] agreed_q;      // dimensions that are agreed over
    reg         fifo_q;
    reg [15:0]  class_tag_q;
    reg [7:0]   class_weight_q, share_q;
    reg [2:0]   wire_q;
    reg [6:0]   window_q;
    reg [8*DIMENSIONS-1:0] ring_q;
    reg [8*DIMENSIONS-1:0] rank_q;
    reg [10:0]  chunk_rows_q;
    reg [12*PARTITIONS-1:0] partition_rows_q;
    reg [24*DIMENSIONS-1:0] link_cost_q;
    reg [23:0]  read_cost_q;
    reg [23:0]  write_cost_q;
    reg [15:0]  memory_latency_q;
    reg [15:0]  retry_q;
    reg [15:0]  epoch_q;
    reg [LINKS-1:0] epoch_links_q;
    reg [7:0]   silence_q;
    reg [63:0]  window_first_q;
    reg [63:0]  window_last_q;
    wire [DIMENSIONS-1:0] several;      // have more than one member
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_several
            assign several[g] = cfg_ring[g*8 +: 8] > 8'd1;
        end
    endgenerate
    always @(posedge clk) if (rst || (drain && !memory_busy)) begin
        hub_q            <= cfg_hub;
        fifo_q           <= cfg_fifo;
        class_tag_q      <= cfg_class_tag;
        class_weight_q   <= cfg_class_weight;
        window_q         <= cfg_window;
        share_q          <= cfg_share;
        wire_q           <= cfg_wire;
        agreed_q         <= cfg_agreed & several;
        ring_q           <= cfg_ring;
        rank_q           <= cfg_rank;
        chunk_rows_q     <= cfg_chunk_rows;
        partition_rows_q <= cfg_partition_rows;
        link_cost_q      <= cfg_link_cost;
        read_cost_q      <= cfg_read_cost;
        write_cost_q     <= cfg_write_cost;
        memory_latency_q <= cfg_memory_latency;
        retry_q          <= cfg_retry;
        epoch_q          <= cfg_epoch;
        epoch_links_q    <= cfg_epoch_links;
        silence_q        <= cfg_silence;
        window_first_q   <= cfg_window_first;
        window_last_q    <= cfg_window_last;
    end

    // ---- between the blocks ----
    // front and exchange
    wire                      x_cmd_valid, x_cmd_ready, x_done_valid, x_done_ready;
    wire [15:0]               x_done_tag;
    // front and memory port
    wire                      load_valid, load_ready, store_valid, store_ready, loaded_valid, stored_valid;
    wire [`ACE_ADDRESS_W-1:0] job_address, job_limit;
    wire [`ACE_CHUNK_ROW_W-1:0] job_rows;
    wire [2:0]                job_burst;
    wire [1:0]                job_bank;
    wire [`ACE_BANK_ROW_W-1:0] job_row, job_base, job_end;
    wire [5:0]                job_id, loaded_id, stored_id;
    // front and phases
    wire                      admit_valid, release_valid;
    wire [2:0]                context_phase, admit_type, admit_op;
    wire [1:0]                admit_kind, admit_dim;
    wire [`ACE_SCALE_W-1:0]   admit_scale;
    wire [4:0]                context_index;
    wire [7:0]                admit_ring, admit_rank, admit_mark;
    wire [`ACE_CHUNK_ROW_W-1:0] admit_shard, admit_valids;
    wire [`ACE_BANK_ROW_W-1:0] admit_source_row, admit_target_row;
    wire [PHASES*PHASE_CONTEXTS-1:0] context_done;
    wire                      number_valid, number_take;
    wire [2:0]                number_link;
    wire [7:0]                number_peer, number;
    wire [LINKS-1:0]          numbered;
    // front and datapath
    wire [5*PHASES-1:0]       oldest;
    wire                      load_first;
    // phases and NIC: grants
    wire [LINKS-1:0]          tight, grant_valid, granted;
    wire [7:0]                grant_context, grant_mark, grant_peer;
    wire [8*LINKS-1:0]        granted_context, granted_mark, granted_peer;
    wire [LINKS-1:0]          link_room, link_room_two;
    // phases and datapath
    wire [FSMS-1:0]           crowded, send_valid, send_zero, send_reduce, send_take;
    wire [32*PHASES-1:0]      held;
    wire [FSMS*2-1:0]         send_begun;
    wire [FSMS*3-1:0]         send_link, reduce_type, reduce_op;
    wire [FSMS*5-1:0]         send_index, copy_index;
    wire [FSMS*8-1:0]         send_mark, send_peer;
    wire [FSMS*`ACE_BANK_ROW_W-1:0] send_row, copy_source, copy_target, reduce_source, reduce_target, store_target;
    wire [FSMS*`ACE_SCALE_W-1:0] reduce_scale;
    wire [FSMS-1:0]           copy_valid, copy_take, reduce_zero, reduce_take, store_take;
    wire [FSMS-1:0]           reduced_valid, stored_row_valid;
    wire                      reduced_copy;
    wire [4:0]                reduce_index, store_index, reduced_index, stored_row_index;
    wire [7:0]                reduce_mark, store_mark;
    wire [511:0]              turning;
    wire [255:0]              closing;
    wire                      alone;
    // NIC and datapath
    wire [LINKS-1:0]          head_valid, head_reduce, head_pop, reserve;
    wire [8*LINKS-1:0]        head_context, head_mark;
    wire                      arrived_valid, storing_valid;
    wire [2:0]                arrived_link, storing_link;
    wire [DATA_W-1:0]         arrived_row, storing_row, plus_row, minus_row;
    wire [`ACE_CODE_W-1:0]    arrived_code, storing_code;
    wire [1:0]                out_valid, out_reduce;
    wire [5:0]                out_link;
    wire [15:0]               out_context, out_mark, out_peer;
    // memory port and datapath; unload: a bit a half of the RX DMA
    wire                      row_load_valid, row_load_grant, unload_first;
    wire [1:0]                row_load_bank, unload_valid, unload_grant;
    wire [`ACE_BANK_ROW_W-1:0] row_load_row;
    wire [3:0]                unload_bank;
    wire [2*`ACE_BANK_ROW_W-1:0] unload_row;
    wire [DATA_W-1:0]         row_load_data, unload_data;
    wire [`ACE_CODE_W-1:0]    row_load_code, unload_code;
    // memory port and exchange
    wire                      x_ar_valid, x_ar_ready, x_r_valid, x_r_ready, x_aw_valid, x_aw_ready, x_aw_pad;
    wire                      x_w_valid, x_w_ready, x_b_valid;
    wire [`ACE_ADDRESS_W-1:0] x_ar_addr, x_aw_addr;
    wire [DATA_W-1:0]         x_w_data;
    wire [ROW_W-1:0]          x_r_data;
    wire [`ACE_CODE_W-1:0]    x_r_code, x_w_code;
    wire [ROW_W/8-1:0]        x_w_strb;
    // all
    wire [USES-1:0]           row_wrong;
    wire                      chunks_idle, agreement_idle, phases_idle, datapath_idle;
    wire                      exchange_idle, nic_idle, port_idle;

    // Simulation speed: while the node is busy, only the outer conditions are evaluated.
    reg rests;
    always @(*) begin
        rests = 1'b0;
        if (chunks_idle)
            if (exchange_idle)
                rests = !m_done_valid && phases_idle && datapath_idle && nic_idle && port_idle && agreement_idle;
    end
    assign idle = rests;

    ace_front #(
        .DIMENSIONS(DIMENSIONS), .COMMANDS(COMMANDS), .CONTEXTS(PHASE_CONTEXTS), .LINKS(LINKS), .PHASES(PHASES)
    ) u_front (
        .clk(clk), .rst(unit_rst),
        .cfg_class_tag(class_tag_q), .cfg_class_weight(class_weight_q), .cfg_window(window_q),
        .cfg_alone(alone), .cfg_fifo(fifo_q), .cfg_agreed(agreed_q), .cfg_hub(hub_q), .cfg_ring(ring_q),
        .cfg_rank(rank_q), .cfg_chunk_rows(chunk_rows_q), .cfg_partition_rows(partition_rows_q),
        .s_cmd_valid(s_cmd_valid), .s_cmd_ready(s_cmd_ready), .s_cmd_kind(s_cmd_kind), .s_cmd_type(s_cmd_type),
        .s_cmd_op(s_cmd_op), .s_cmd_scale(s_cmd_scale), .s_cmd_dim_count(s_cmd_dim_count), .s_cmd_dims(s_cmd_dims),
        .s_cmd_source(s_cmd_source), .s_cmd_destination(s_cmd_destination), .s_cmd_bytes(s_cmd_bytes),
        .s_cmd_tag(s_cmd_tag), .m_done_valid(m_done_valid), .m_done_tag(m_done_tag),
        .x_cmd_valid(x_cmd_valid), .x_cmd_ready(x_cmd_ready), .x_done_valid(x_done_valid),
        .x_done_ready(x_done_ready), .x_done_tag(x_done_tag),
        .s_numbered(numbered), .s_number(granted_mark), .m_number_valid(number_valid), .s_number_take(number_take),
        .m_number_link(number_link), .m_number_peer(number_peer), .m_number(number),
        .m_load_valid(load_valid), .m_load_ready(load_ready),
        .m_store_valid(store_valid), .m_store_ready(store_ready),
        .m_job_address(job_address), .m_job_limit(job_limit), .m_job_rows(job_rows), .m_job_burst(job_burst),
        .m_job_bank(job_bank), .m_job_row(job_row), .m_job_base(job_base), .m_job_end(job_end), .m_job_id(job_id),
        .s_loaded_valid(loaded_valid), .s_loaded_id(loaded_id),
        .s_stored_valid(stored_valid), .s_stored_id(stored_id),
        .m_admit_valid(admit_valid), .m_release_valid(release_valid),
        .m_context_phase(context_phase), .m_context_index(context_index),
        .m_admit_kind(admit_kind), .m_admit_dim(admit_dim), .m_admit_ring(admit_ring), .m_admit_rank(admit_rank),
        .m_admit_shard(admit_shard), .m_admit_valids(admit_valids), .m_admit_source_row(admit_source_row),
        .m_admit_target_row(admit_target_row), .m_admit_type(admit_type), .m_admit_op(admit_op),
        .m_admit_scale(admit_scale), .m_admit_mark(admit_mark), .s_context_done(context_done),
        .m_oldest(oldest), .m_load_first(load_first),
        .chunks_idle(chunks_idle), .agreement_idle(agreement_idle)
    );

    ace_phases #(
        .DIMENSIONS(DIMENSIONS), .FSMS(FSMS), .CONTEXTS(CONTEXTS), .PEERS(PEERS), .LINKS(LINKS), .PHASES(PHASES),
        .PHASE_CONTEXTS(PHASE_CONTEXTS)
    ) u_phases (
        .clk(clk), .rst(unit_rst),
        .cfg_program(cfg_program), .cfg_hub(hub_q), .cfg_partition_rows(partition_rows_q), .m_alone(alone),
        .s_admit_valid(admit_valid), .s_release_valid(release_valid),
        .s_context_phase(context_phase), .s_context_index(context_index),
        .s_admit_kind(admit_kind), .s_admit_dim(admit_dim), .s_admit_ring(admit_ring), .s_admit_rank(admit_rank),
        .s_admit_shard(admit_shard), .s_admit_valids(admit_valids), .s_admit_source_row(admit_source_row),
        .s_admit_target_row(admit_target_row), .s_admit_type(admit_type), .s_admit_op(admit_op),
        .s_admit_scale(admit_scale), .s_admit_mark(admit_mark), .m_context_done(context_done),
        .s_grant_valid(granted), .s_grant_context(granted_context), .s_grant_peer(granted_peer),
        .m_numbered(numbered), .s_number_valid(number_valid), .m_number_take(number_take),
        .s_number_link(number_link), .s_number_peer(number_peer), .s_number(number), .s_tight(tight),
        .m_grant_valid(grant_valid), .m_grant_context(grant_context), .m_grant_mark(grant_mark),
        .m_grant_peer(grant_peer),
        .s_room(link_room), .s_room_two(link_room_two), .s_crowded(crowded), .s_held(held),
        .m_send_valid(send_valid), .m_send_link(send_link), .m_send_index(send_index), .m_send_row(send_row),
        .m_send_zero(send_zero), .m_send_reduce(send_reduce), .m_send_mark(send_mark), .m_send_peer(send_peer),
        .m_send_begun(send_begun), .s_send_take(send_take),
        .m_copy_valid(copy_valid), .m_copy_index(copy_index), .m_copy_source(copy_source),
        .m_copy_target(copy_target), .s_copy_take(copy_take),
        .s_reduce_index(reduce_index), .s_reduce_mark(reduce_mark), .m_reduce_source(reduce_source),
        .m_reduce_zero(reduce_zero), .m_reduce_target(reduce_target), .m_reduce_type(reduce_type),
        .m_reduce_op(reduce_op), .m_reduce_scale(reduce_scale), .s_reduce_take(reduce_take),
        .s_store_index(store_index), .s_store_mark(store_mark), .m_store_target(store_target),
        .s_store_take(store_take),
        .s_reduced_valid(reduced_valid), .s_reduced_copy(reduced_copy), .s_reduced_index(reduced_index),
        .s_stored_valid(stored_row_valid), .s_stored_index(stored_row_index),
        .m_turning(turning), .m_closing(closing),
        .s_row_wrong(row_wrong), .mismatch(mismatch), .parity_failed(parity_failed),
        .parity_failed_at(parity_failed_at), .count_parity(count_parity), .idle(phases_idle)
    );

    ace_datapath #(
        .DIMENSIONS(DIMENSIONS), .FSMS(FSMS), .BANK_ROWS(BANK_ROWS), .SUB_BANKS(SUB_BANKS), .ALU_TYPES(ALU_TYPES),
        .ALU_OPS(ALU_OPS), .ROW_W(ROW_W), .PAYLOAD(PAYLOAD), .WIRE_FORMATS(WIRE_FORMATS), .DATA_W(DATA_W), .LINKS(LINKS)
    ) u_datapath (
        .clk(clk), .rst(unit_rst), .cfg_wire(wire_q),
        .s_head_valid(head_valid), .s_head_context(head_context), .s_head_reduce(head_reduce), .s_head_mark(head_mark),
        .m_head_pop(head_pop), .s_turning(turning), .s_closing(closing),
        .m_arrived_valid(arrived_valid), .m_arrived_link(arrived_link),
        .s_arrived_data(arrived_row), .s_arrived_code(arrived_code),
        .m_storing_valid(storing_valid), .m_storing_link(storing_link),
        .s_storing_data(storing_row), .s_storing_code(storing_code),
        .s_send_valid(send_valid), .s_send_link(send_link), .s_send_index(send_index), .s_send_row(send_row),
        .s_send_zero(send_zero), .s_send_reduce(send_reduce), .s_send_mark(send_mark), .s_send_peer(send_peer),
        .s_send_begun(send_begun), .m_send_take(send_take), .m_crowded(crowded), .m_held(held), .s_oldest(oldest),
        .s_copy_valid(copy_valid), .s_copy_index(copy_index), .s_copy_source(copy_source),
        .s_copy_target(copy_target), .m_copy_take(copy_take),
        .m_reduce_index(reduce_index), .m_reduce_mark(reduce_mark), .s_reduce_source(reduce_source),
        .s_reduce_zero(reduce_zero), .s_reduce_target(reduce_target), .s_reduce_type(reduce_type),
        .s_reduce_op(reduce_op), .s_reduce_scale(reduce_scale), .m_reduce_take(reduce_take),
        .m_store_index(store_index), .m_store_mark(store_mark), .s_store_target(store_target),
        .m_store_take(store_take),
        .m_reduced_valid(reduced_valid), .m_reduced_copy(reduced_copy), .m_reduced_index(reduced_index),
        .m_stored_valid(stored_row_valid), .m_stored_index(stored_row_index),
        .s_load_first(load_first), .s_load_valid(row_load_valid), .s_load_bank(row_load_bank),
        .s_load_row(row_load_row), .s_load_data(row_load_data), .s_load_code(row_load_code),
        .m_load_grant(row_load_grant),
        .s_unload_valid(unload_valid), .s_unload_first(unload_first), .s_unload_bank(unload_bank),
        .s_unload_row(unload_row), .m_unload_grant(unload_grant), .m_unload_data(unload_data),
        .m_unload_code(unload_code),
        .s_room(link_room), .m_reserve(reserve), .m_out_valid(out_valid), .m_out_link(out_link),
        .m_out_context(out_context), .m_out_reduce(out_reduce), .m_out_mark(out_mark), .m_out_peer(out_peer),
        .m_plus_data(plus_row), .m_minus_data(minus_row),
        .s_fault_valid(s_fault_valid), .s_fault_bank(s_fault_bank), .s_fault_row(s_fault_row),
        .s_fault_word(s_fault_word), .s_fault_mask(s_fault_mask),
        .failed(scratchpad_failed), .failed_bank(scratchpad_failed_bank), .failed_row(scratchpad_failed_row),
        .count_corrected(count_corrected), .count_failed(count_failed), .m_row_wrong(row_wrong[STORED +: ROUTED]),
        .count_reduce(count[(LINKS+4)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_store(count[(LINKS+5)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_send_plus(count[(LINKS+6)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_send_minus(count[(LINKS+7)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .idle(datapath_idle)
    );

    ace_nic #(
        .DIMENSIONS(DIMENSIONS), .LINK_INPUT_ROWS(LINK_INPUT_ROWS), .LINK_OUTPUT_ROWS(LINK_OUTPUT_ROWS),
        .ROUTER_INPUT_ROWS(ROUTER_INPUT_ROWS), .ROUTER_OUTPUT_ROWS(ROUTER_OUTPUT_ROWS),
        .EXCHANGE_ROWS(EXCHANGE_ROWS), .EXCHANGE_BURSTS(EXCHANGE_BURSTS), .ROW_W(ROW_W), .PAYLOAD(PAYLOAD),
        .WIRE_FORMATS(WIRE_FORMATS), .DATA_W(DATA_W), .LINKS(LINKS)
    ) u_nic (
        .clk(clk), .rst(unit_rst), .cfg_ring(ring_q), .cfg_rank(rank_q), .cfg_link_cost(link_cost_q),
        .cfg_wire(wire_q), .cfg_share(share_q), .cfg_retry(retry_q), .cfg_epoch(epoch_q),
        .cfg_epoch_links(epoch_links_q), .cfg_silence(silence_q),
        .cfg_window_first(window_first_q), .cfg_window_last(window_last_q),
        .s_cmd_valid(x_cmd_valid), .s_cmd_ready(x_cmd_ready),
        .s_cmd_list(s_cmd_kind[2]), .s_cmd_dim_count(s_cmd_dim_count), .s_cmd_dims(s_cmd_dims),
        .s_cmd_source(s_cmd_source), .s_cmd_destination(s_cmd_destination), .s_cmd_bytes(s_cmd_bytes),
        .s_cmd_tag(s_cmd_tag),
        .m_done_valid(x_done_valid), .m_done_ready(x_done_ready), .m_done_tag(x_done_tag),
        .rx_frame(rx_frame), .rx_resend(rx_resend), .rx_number(rx_number), .rx_ack(rx_ack), .rx_crc(rx_crc),
        .rx_valid(rx_valid), .rx_context(rx_context), .rx_reduce(rx_reduce), .rx_mark(rx_mark), .rx_data(rx_data),
        .rx_routed(rx_routed), .rx_route(rx_route), .rx_credit(rx_credit), .rx_routed_credit(rx_routed_credit),
        .rx_grant_valid(rx_grant_valid), .rx_grant_context(rx_grant_context), .rx_grant_mark(rx_grant_mark),
        .rx_grant_peer(rx_grant_peer),
        .tx_frame(tx_frame), .tx_resend(tx_resend), .tx_number(tx_number), .tx_ack(tx_ack), .tx_crc(tx_crc),
        .tx_valid(tx_valid), .tx_context(tx_context), .tx_reduce(tx_reduce), .tx_mark(tx_mark), .tx_data(tx_data),
        .tx_routed(tx_routed), .tx_route(tx_route), .tx_credit(tx_credit), .tx_routed_credit(tx_routed_credit),
        .tx_grant_valid(tx_grant_valid), .tx_grant_context(tx_grant_context), .tx_grant_mark(tx_grant_mark),
        .tx_grant_peer(tx_grant_peer),
        .s_grant_valid(grant_valid), .s_grant_context(grant_context), .s_grant_mark(grant_mark),
        .s_grant_peer(grant_peer), .m_tight(tight),
        .m_grant_valid(granted), .m_grant_context(granted_context), .m_grant_mark(granted_mark),
        .m_grant_peer(granted_peer),
        .m_head_valid(head_valid), .m_head_context(head_context), .m_head_reduce(head_reduce), .m_head_mark(head_mark),
        .s_head_pop(head_pop),
        .s_arrived_valid(arrived_valid), .s_arrived_link(arrived_link),
        .m_arrived_data(arrived_row), .m_arrived_code(arrived_code),
        .s_storing_valid(storing_valid), .s_storing_link(storing_link),
        .m_storing_data(storing_row), .m_storing_code(storing_code),
        .m_room(link_room), .m_room_two(link_room_two), .s_reserve(reserve),
        .s_out_stop(scratchpad_failed || parity_failed),
        .s_out_valid(out_valid), .s_out_link(out_link), .s_out_context(out_context), .s_out_reduce(out_reduce),
        .s_out_mark(out_mark), .s_out_peer(out_peer),
        .s_plus_data(plus_row), .s_minus_data(minus_row),
        .m_ar_valid(x_ar_valid), .m_ar_ready(x_ar_ready), .m_ar_addr(x_ar_addr),
        .s_r_valid(x_r_valid), .s_r_ready(x_r_ready), .s_r_data(x_r_data), .s_r_code(x_r_code),
        .m_aw_valid(x_aw_valid), .m_aw_ready(x_aw_ready), .m_aw_addr(x_aw_addr), .m_aw_pad(x_aw_pad),
        .m_w_valid(x_w_valid), .m_w_ready(x_w_ready), .m_w_data(x_w_data), .m_w_code(x_w_code), .m_w_strb(x_w_strb),
        .s_b_valid(x_b_valid),
        .m_routed_wrong(row_wrong[ROUTED +: 2]), .m_list_wrong(row_wrong[LISTED]),
        .failed(transfer_failed), .failed_list(transfer_failed_list), .failed_addr(transfer_failed_addr),
        .count_refused(count_refused),
        .link_failed(link_failed), .link_state(link_state), .link_count(link_count),
        .count_links(count[0 +: LINKS*`ACE_CLASSES_W]),
        .count_read(count[(LINKS+8)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_write(count[(LINKS+9)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_router(count[(LINKS+10)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .exchange_idle(exchange_idle), .idle(nic_idle)
    );

    ace_memory_port #(
        .MEMORY_BURSTS(MEMORY_BURSTS), .EXCHANGE_BURSTS(EXCHANGE_BURSTS), .MEMORY_PROT(MEMORY_PROT),
        .DRAIN_LIMIT(DRAIN_LIMIT), .ROW_W(ROW_W), .PAYLOAD(PAYLOAD), .DATA_W(DATA_W)
    ) u_memory_port (
        .clk(clk), .rst(rst), .drain(drain), .busy(memory_busy),
        .cfg_read_cost(read_cost_q), .cfg_write_cost(write_cost_q), .cfg_latency(memory_latency_q),
        .s_load_valid(load_valid), .s_load_ready(load_ready),
        .s_store_valid(store_valid), .s_store_ready(store_ready),
        .s_job_address(job_address), .s_job_limit(job_limit), .s_job_rows(job_rows), .s_job_burst(job_burst),
        .s_job_bank(job_bank), .s_job_row(job_row), .s_job_base(job_base), .s_job_end(job_end), .s_job_id(job_id),
        .m_loaded_valid(loaded_valid), .m_loaded_id(loaded_id),
        .m_stored_valid(stored_valid), .m_stored_id(stored_id),
        .m_write_valid(row_load_valid), .m_write_bank(row_load_bank), .m_write_row(row_load_row),
        .m_write_data(row_load_data), .m_write_code(row_load_code), .s_write_grant(row_load_grant),
        .m_read_valid(unload_valid), .m_read_first(unload_first), .m_read_bank(unload_bank), .m_read_row(unload_row),
        .s_read_grant(unload_grant), .s_read_data(unload_data), .s_read_code(unload_code),
        .x_busy(!exchange_idle),
        .x_ar_valid(x_ar_valid), .x_ar_ready(x_ar_ready), .x_ar_addr(x_ar_addr),
        .x_r_valid(x_r_valid), .x_r_ready(x_r_ready), .x_r_data(x_r_data), .x_r_code(x_r_code),
        .x_aw_valid(x_aw_valid), .x_aw_ready(x_aw_ready), .x_aw_addr(x_aw_addr), .x_aw_pad(x_aw_pad),
        .x_w_valid(x_w_valid), .x_w_ready(x_w_ready), .x_w_data(x_w_data), .x_w_code(x_w_code), .x_w_strb(x_w_strb),
        .x_b_valid(x_b_valid),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len),
        .m_ar_size(m_ar_size), .m_ar_burst(m_ar_burst), .m_ar_prot(m_ar_prot),
        .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data(s_r_data), .s_r_last(s_r_last), .s_r_resp(s_r_resp),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr), .m_aw_len(m_aw_len),
        .m_aw_size(m_aw_size), .m_aw_burst(m_aw_burst), .m_aw_prot(m_aw_prot),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(m_w_data), .m_w_strb(m_w_strb), .m_w_last(m_w_last),
        .s_b_valid(s_b_valid), .s_b_ready(s_b_ready), .s_b_resp(s_b_resp),
        .read_failed(read_failed), .read_failed_resp(read_failed_resp), .read_failed_addr(read_failed_addr),
        .write_failed(write_failed), .write_failed_resp(write_failed_resp), .write_failed_addr(write_failed_addr),
        .protocol_failed(protocol_failed), .protocol_failed_addr(protocol_failed_addr), .memory_lost(memory_lost),
        .m_written_wrong(row_wrong[WRITTEN]),
        .count_read(count[(LINKS+0)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_write(count[(LINKS+1)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_tx_dma(count[(LINKS+2)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .count_rx_dma(count[(LINKS+3)*`ACE_CLASSES_W +: `ACE_CLASSES_W]),
        .idle(port_idle)
    );

endmodule

`default_nettype wire

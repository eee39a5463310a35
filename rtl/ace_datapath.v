// SPDX-License-Identifier: Apache-2.0
//
// ace_datapath -- where a node's rows lie and move: switch, scratchpad, ALUs, and the pipes between them
//
//   s_head, s_arrived, s_storing (ace_nic) --> switch --> scratchpad --> ALUs --> scratchpad
//   s_send, s_copy, s_reduce, s_store          |              |
//   (ace_phases) <-----------------------------+              +--> m_plus, m_minus (ace_nic)
//                          s_load, m_unload (ace_memory_port) +
//
// Contract
//   Switch      The contract of ace_switch holds for the pins that it shares with this module.  A head
//               packet waits while its context is in its link's s_turning, and behind a row of a context that is
//               in s_closing.  In a pause of the scratchpad no read begins, and no row is stored.
//   Operands    The first operand lies in the scratchpad, and the second one arrives.  The second
//               operand waits four cycles for the first: its place is looked up, and its bank takes
//               three.  An ALU takes six cycles.  A row that is copied passes the ALUs unchanged, and
//               its code passes beside it.
//   Sent        m_plus_data and m_minus_data belong to m_out_*; a row without bytes of the chunk is
//               one of zeros.
//   Wire        With WIRE_FORMATS packets are in the format cfg_wire, see ace_wire_encode.  A row to be
//               sent is encoded on its way to the link, three cycles more.  A row that arrived is
//               decoded before the ALUs, or before it is written.  What the ALUs make or copy is
//               rounded to the format, too, so that all members of a ring have the same bits.
//               Averages and products are not.
//   Checks      m_row_wrong has a bit for each use of a row, in this order: stored, arrived, local,
//               copied, loaded, sent to a + link, sent to a - link.  A row that an ALU makes has no
//               code until it is encoded, so a bit that turns over in an ALU is not seen.
//   Faults      The contract of ace_scratchpad holds for s_fault_* and for the counts.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/core/ace_datapath.h, equal inside ace_node at every port of the node, every cycle
//               (tests/lockstep/lockstep_node_test.cc).

`include "ace_widths.vh"

`default_nettype none

module ace_datapath #(
    parameter DIMENSIONS = 3,       // 3 or 4: two links each, and one phase more than they are
    parameter FSMS       = 16,      // of all phases: 1, 2 or 4 for each
    parameter BANK_ROWS  = 4096,    // rows of each of the four scratchpad banks
    parameter SUB_BANKS  = 1,       // memories of one port in a bank, 2, 4 or 8; 1: one of two ports
    parameter ALU_TYPES  = 7,       // types that the ALUs reduce, a bit each, see ace_alu
    parameter ALU_OPS    = 13,      // and operations
    parameter ROW_W      = 2048,    // bits of a row: four 64-byte ALUs
    parameter PAYLOAD    = 1,       // 0: rows have no values
    parameter WIRE_FORMATS = 0,     // 1: packets have a format
    parameter DATA_W     = PAYLOAD != 0 ? ROW_W : 64,   // follows: bits of a row that are carried
    parameter LINKS      = 2 * DIMENSIONS               // follows
) (
    input  wire                                 clk,
    input  wire                                 rst,

    input  wire [2:0]                           cfg_wire,           // format of packets, without WIRE_FORMATS 0

    // Packets received
    input  wire [LINKS-1:0]                     s_head_valid,
    input  wire [8*LINKS-1:0]                   s_head_context,
    input  wire [LINKS-1:0]                     s_head_reduce,
    input  wire [8*LINKS-1:0]                   s_head_mark,
    output wire [LINKS-1:0]                     m_head_pop,
    input  wire [511:0]                         s_turning,          // contexts {link down, phase, index} whose next row
                                                                    // waits
    input  wire [255:0]                         s_closing,          // or the one behind it
    output wire                                 m_arrived_valid,
    output wire [2:0]                           m_arrived_link,
    input  wire [DATA_W-1:0]                    s_arrived_data,     // a cycle later
    input  wire [`ACE_CODE_W-1:0]               s_arrived_code,
    output wire                                 m_storing_valid,
    output wire [2:0]                           m_storing_link,
    input  wire [DATA_W-1:0]                    s_storing_data,
    input  wire [`ACE_CODE_W-1:0]               s_storing_code,

    // FSMs: packets to send and rows to copy,
    input  wire [FSMS-1:0]                      s_send_valid,
    input  wire [FSMS*3-1:0]                    s_send_link,
    input  wire [FSMS*5-1:0]                    s_send_index,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_send_row,
    input  wire [FSMS-1:0]                      s_send_zero,
    input  wire [FSMS-1:0]                      s_send_reduce,
    input  wire [FSMS*8-1:0]                    s_send_mark,
    input  wire [FSMS*8-1:0]                    s_send_peer,
    input  wire [FSMS*2-1:0]                    s_send_begun,
    output wire [FSMS-1:0]                      m_send_take,
    output wire [FSMS-1:0]                      m_crowded,
    output wire [32*(DIMENSIONS+1)-1:0]         m_held,             // contexts of which the switch has rows to read
    input  wire [5*(DIMENSIONS+1)-1:0]          s_oldest,           // of each phase, the context of the oldest chunk
    input  wire [FSMS-1:0]                      s_copy_valid,
    input  wire [FSMS*5-1:0]                    s_copy_index,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_copy_source,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_copy_target,
    output wire [FSMS-1:0]                      m_copy_take,
    // where rows that arrived go,
    output wire [4:0]                           m_reduce_index,
    output wire [7:0]                           m_reduce_mark,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_reduce_source,
    input  wire [FSMS-1:0]                      s_reduce_zero,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_reduce_target,
    input  wire [FSMS*3-1:0]                    s_reduce_type,
    input  wire [FSMS*3-1:0]                    s_reduce_op,
    input  wire [FSMS*`ACE_SCALE_W-1:0]         s_reduce_scale,
    output wire [FSMS-1:0]                      m_reduce_take,
    output wire [4:0]                           m_store_index,
    output wire [7:0]                           m_store_mark,
    input  wire [FSMS*`ACE_BANK_ROW_W-1:0]      s_store_target,
    output wire [FSMS-1:0]                      m_store_take,
    // and rows that were written
    output wire [FSMS-1:0]                      m_reduced_valid,
    output wire                                 m_reduced_copy,
    output wire [4:0]                           m_reduced_index,
    output wire [FSMS-1:0]                      m_stored_valid,
    output wire [4:0]                           m_stored_index,

    // Memory: rows to the scratchpad, and rows of it, a bit a half of the RX DMA
    input  wire                                 s_load_first,       // loads go before all else
    input  wire                                 s_load_valid,
    input  wire [1:0]                           s_load_bank,
    input  wire [`ACE_BANK_ROW_W-1:0]           s_load_row,
    input  wire [DATA_W-1:0]                    s_load_data,
    input  wire [`ACE_CODE_W-1:0]               s_load_code,
    output wire                                 m_load_grant,
    input  wire [1:0]                           s_unload_valid,
    input  wire                                 s_unload_first,
    input  wire [3:0]                           s_unload_bank,
    input  wire [2*`ACE_BANK_ROW_W-1:0]         s_unload_row,
    output wire [1:0]                           m_unload_grant,
    output wire [DATA_W-1:0]                    m_unload_data,
    output wire [`ACE_CODE_W-1:0]               m_unload_code,

    // Links: packets to be sent, + pipe in the low half
    input  wire [LINKS-1:0]                     s_room,
    output wire [LINKS-1:0]                     m_reserve,
    output wire [1:0]                           m_out_valid,
    output wire [5:0]                           m_out_link,
    output wire [15:0]                          m_out_context,
    output wire [1:0]                           m_out_reduce,
    output wire [15:0]                          m_out_mark,
    output wire [15:0]                          m_out_peer,
    output wire [DATA_W-1:0]                    m_plus_data,
    output wire [DATA_W-1:0]                    m_minus_data,

    // Upsets of the scratchpad for tests, and what came of those it had
    input  wire                                 s_fault_valid,
    input  wire [1:0]                           s_fault_bank,
    input  wire [`ACE_BANK_ROW_W-1:0]           s_fault_row,
    input  wire [6:0]                           s_fault_word,
    input  wire [ROW_W/64-1:0]                  s_fault_mask,
    output wire                                 failed,
    output wire [1:0]                           failed_bank,
    output wire [`ACE_BANK_ROW_W-1:0]           failed_row,
    output wire [31:0]                          count_corrected,
    output wire [31:0]                          count_failed,
    output wire [6:0]                           m_row_wrong,
    // Cycle classes
    output wire [`ACE_CLASSES_W-1:0]            count_reduce,
    output wire [`ACE_CLASSES_W-1:0]            count_store,
    output wire [`ACE_CLASSES_W-1:0]            count_send_plus,
    output wire [`ACE_CLASSES_W-1:0]            count_send_minus,
    output wire                                 idle
);

    localparam PHASES = DIMENSIONS + 1;
    localparam STORED = 0,          // uses of a row: it arrived, and is written to the scratchpad
               ARRIVED = 1,         // it arrived, and is the ALUs' second operand
               LOCAL = 2,           // it lay in the scratchpad, and is the ALUs' first
               COPIED = 3,          // it has passed the ALUs as it was, and is written to the scratchpad
               LOADED = 4,          // it came from memory, and is written to the scratchpad
               SENT = 5,            // and 6: it lay in the scratchpad, and is given to a + or a - link
               USES = 7;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (FSMS != PHASES && FSMS != 2 * PHASES && FSMS != 4 * PHASES) begin : g_illegal_fsms
            FSMS_must_be_1_2_or_4_for_each_phase stop ();
        end
        if (BANK_ROWS < 64 || BANK_ROWS > 4096) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_64_to_4096 stop ();
        end
        if (SUB_BANKS != 1 && SUB_BANKS != 2 && SUB_BANKS != 4 && SUB_BANKS != 8) begin : g_illegal_sub_banks
            SUB_BANKS_must_be_1_2_4_or_8 stop ();
        end
        if (ALU_TYPES < 1 || ALU_TYPES > 127) begin : g_illegal_alu_types ALU_TYPES_must_be_1_to_127 stop (); end
        if (ALU_OPS < 1 || ALU_OPS > 31) begin : g_illegal_alu_ops ALU_OPS_must_be_1_to_31 stop (); end
        if (WIRE_FORMATS != 0 && WIRE_FORMATS != 1) begin : g_illegal_wire_formats
            WIRE_FORMATS_must_be_0_or_1 stop ();
        end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (PAYLOAD != 0 && PAYLOAD != 1) begin : g_illegal_payload PAYLOAD_must_be_0_or_1 stop (); end
        if (DATA_W != (PAYLOAD != 0 ? ROW_W : 64)) begin : g_illegal_data_w
            DATA_W_must_be_ROW_W_or_64_without_PAYLOAD stop ();
        end
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
    endgenerate

    genvar g;

    // The code that a row of the scratchpad comes with, of words of 32 bits; without PAYLOAD there are no codes.
    function [`ACE_CODE_W-1:0] coded;
        input [DATA_W/64-1:0] code;
        begin
            coded = {`ACE_CODE_W{1'b0}};
            if (PAYLOAD != 0) coded[DATA_W/64-1:0] = code;
        end
    endfunction

    // ---- switch ----
    wire                       read_reduce_valid, read_reduce_zero;
    wire [1:0]                 read_reduce_bank, read_send_valid;
    wire [`ACE_BANK_ROW_W-1:0] read_reduce_row;
    wire [3:0]                 read_send_bank;
    wire [2*`ACE_BANK_ROW_W-1:0] read_send_row;
    wire                       alu_valid, alu_copy;
    wire [2:0]                 alu_type, alu_op;
    wire [`ACE_SCALE_W-1:0]    alu_scale;
    wire [7:0]                 arrived_context, storing_context;
    wire                       write_reduce_valid, write_store_valid;
    wire [1:0]                 write_reduce_bank, write_store_bank;
    wire [`ACE_BANK_ROW_W-1:0] write_reduce_row, write_store_row;
    wire [1:0]                 out_zero, out_valid;
    wire [55:0]                out_head;        // {peer, mark, reduce, context, link}, of both pipes
    wire                       switch_idle;

    // Stall a head packet while its context has no segment to receive into.  The FSM updates its part of s_turning
    // one cycle after it accepts a row, so packets of a context whose last row is accepted now are stalled, too.
    reg  [LINKS-1:0]           head_turns;
    wire                       arrived_closes = m_arrived_valid && s_closing[arrived_context];
    wire                       storing_closes = m_storing_valid && s_closing[storing_context];
    integer                    t;
    always @(*) begin
        head_turns = {LINKS{1'b0}};
        if (s_turning != 512'd0 || arrived_closes || storing_closes)
            for (t = 0; t < LINKS; t = t + 1)
                head_turns[t] = s_turning[{t[0], s_head_context[t*8 +: 8]}] ||
                                (arrived_closes && arrived_context == s_head_context[t*8 +: 8]) ||
                                (storing_closes && storing_context == s_head_context[t*8 +: 8]);
    end

    // In a pause of the scratchpad nothing is seen that would begin a read; nor are rows to be stored.
    wire                       pause;
    ace_switch #(.DIMENSIONS(DIMENSIONS), .FSMS(FSMS)) u_switch (
        .clk(clk), .rst(rst),
        .s_head_valid(s_head_valid & ~head_turns & ~{LINKS{pause}}), .s_head_context(s_head_context),
        .s_head_reduce(s_head_reduce), .s_head_mark(s_head_mark), .m_head_pop(m_head_pop),
        .s_send_valid(s_send_valid), .s_send_link(s_send_link), .s_send_index(s_send_index), .s_send_row(s_send_row),
        .s_send_zero(s_send_zero), .s_send_reduce(s_send_reduce), .s_send_mark(s_send_mark),
        .s_send_peer(s_send_peer), .s_send_begun(s_send_begun),
        .s_oldest(s_oldest),
        .s_room(s_room & ~{LINKS{pause}}), .m_send_take(m_send_take), .m_crowded(m_crowded), .m_held(m_held),
        .s_copy_valid(s_copy_valid & ~{FSMS{pause}}), .s_copy_index(s_copy_index), .s_copy_source(s_copy_source),
        .s_copy_target(s_copy_target), .m_copy_take(m_copy_take),
        .m_reduce_index(m_reduce_index), .m_reduce_mark(m_reduce_mark), .s_reduce_source(s_reduce_source),
        .s_reduce_zero(s_reduce_zero), .s_reduce_target(s_reduce_target), .s_reduce_type(s_reduce_type),
        .s_reduce_op(s_reduce_op), .s_reduce_scale(s_reduce_scale), .m_reduce_take(m_reduce_take),
        .m_store_index(m_store_index), .m_store_mark(m_store_mark), .s_store_target(s_store_target),
        .m_store_take(m_store_take),
        .m_reduced_valid(m_reduced_valid), .m_reduced_copy(m_reduced_copy), .m_reduced_index(m_reduced_index),
        .m_stored_valid(m_stored_valid), .m_stored_index(m_stored_index),
        .s_load_valid(s_load_valid), .s_load_bank(s_load_bank), .s_load_first(s_load_first),
        .m_load_grant(m_load_grant),
        .s_unload_valid(s_unload_valid & ~{2{pause}}), .s_unload_first(s_unload_first),
        .s_unload_bank(s_unload_bank), .m_unload_grant(m_unload_grant),
        .m_read_reduce_valid(read_reduce_valid), .m_read_reduce_bank(read_reduce_bank),
        .m_read_reduce_row(read_reduce_row), .m_read_reduce_zero(read_reduce_zero),
        .m_read_send_valid(read_send_valid), .m_read_send_bank(read_send_bank), .m_read_send_row(read_send_row),
        .m_alu_valid(alu_valid), .m_alu_copy(alu_copy), .m_alu_type(alu_type), .m_alu_op(alu_op),
        .m_alu_scale(alu_scale),
        .m_arrived_valid(m_arrived_valid), .m_arrived_link(m_arrived_link), .m_arrived_context(arrived_context),
        .m_storing_valid(m_storing_valid), .m_storing_link(m_storing_link), .m_storing_context(storing_context),
        .m_write_reduce_valid(write_reduce_valid), .m_write_reduce_bank(write_reduce_bank),
        .m_write_reduce_row(write_reduce_row), .m_write_store_valid(write_store_valid),
        .m_write_store_bank(write_store_bank),
        .m_write_store_row(write_store_row),
        .m_reserve(m_reserve),
        .m_out_valid(out_valid), .m_out_link(out_head[5:0]), .m_out_context(out_head[21:6]),
        .m_out_reduce(out_head[23:22]), .m_out_zero(out_zero), .m_out_mark(out_head[39:24]),
        .m_out_peer(out_head[55:40]),
        .count_reduce(count_reduce), .count_store(count_store),
        .count_send_plus(count_send_plus), .count_send_minus(count_send_minus),
        .idle(switch_idle)
    );

    // ---- scratchpad and ALUs ----
    wire [DATA_W-1:0]    local_row, plus_row, minus_row, alu_result, alu_early, reduced_row, stored_row;
    wire                 alu_early_valid;
    wire [DATA_W/64-1:0] reduce_code, unload_code, plus_code, minus_code;   // of words of so many bits, 32 with PAYLOAD
    assign m_unload_code = coded(unload_code);
    wire [DATA_W-1:0]    plus_sent  = out_zero[0] ? {DATA_W{1'b0}} : plus_row;
    wire [DATA_W-1:0]    minus_sent = out_zero[1] ? {DATA_W{1'b0}} : minus_row;
    ace_scratchpad #(.BANK_ROWS(BANK_ROWS), .SUB_BANKS(SUB_BANKS), .ROW_W(DATA_W)) u_scratchpad (
        .clk(clk), .rst(rst),
        .s_reduce_valid(read_reduce_valid), .s_reduce_bank(read_reduce_bank), .s_reduce_row(read_reduce_row),
        .s_reduce_zero(read_reduce_zero), .m_reduce_data(local_row), .m_reduce_code(reduce_code),
        .s_unload_valid(m_unload_grant != 2'd0),
        .s_unload_bank(m_unload_grant[1] ? s_unload_bank[3:2] : s_unload_bank[1:0]),
        .s_unload_row(m_unload_grant[1] ? s_unload_row[2*`ACE_BANK_ROW_W-1 -: `ACE_BANK_ROW_W]
                                        : s_unload_row[`ACE_BANK_ROW_W-1:0]),
        .m_unload_data(m_unload_data), .m_unload_code(unload_code),
        .s_plus_valid(read_send_valid[0]), .s_plus_bank(read_send_bank[1:0]),
        .s_plus_row(read_send_row[`ACE_BANK_ROW_W-1:0]), .m_plus_data(plus_row), .m_plus_code(plus_code),
        .s_minus_valid(read_send_valid[1]), .s_minus_bank(read_send_bank[3:2]),
        .s_minus_row(read_send_row[2*`ACE_BANK_ROW_W-1 -: `ACE_BANK_ROW_W]),
        .m_minus_data(minus_row), .m_minus_code(minus_code),
        .s_reduced_valid(write_reduce_valid), .s_reduced_bank(write_reduce_bank), .s_reduced_row(write_reduce_row),
        .s_reduced_data(reduced_row),
        .s_store_valid(write_store_valid), .s_store_bank(write_store_bank), .s_store_row(write_store_row),
        .s_store_data(stored_row),
        .s_load_valid(m_load_grant), .s_load_bank(s_load_bank), .s_load_row(s_load_row), .s_load_data(s_load_data),
        .s_fault_valid(s_fault_valid), .s_fault_bank(s_fault_bank), .s_fault_row(s_fault_row),
        .s_fault_word(s_fault_word), .s_fault_mask(s_fault_mask[DATA_W/64-1:0]), .m_pause(pause),
        .count_corrected(count_corrected), .count_failed(count_failed), .failed(failed),
        .failed_bank(failed_bank), .failed_row(failed_row)
    );

    // A row that arrived waits four cycles for the row that lies here, the first of them in the NIC.
    reg  [2:0]             arrived_q;
    reg  [DATA_W-1:0]      row_2_q, row_3_q, waiting_row_q;
    reg  [`ACE_CODE_W-1:0] code_2_q, code_3_q, waiting_code_q;
    always @(posedge clk) begin
        arrived_q <= rst && WIRE_FORMATS != 0 ? 3'd0 : {arrived_q[1:0], m_arrived_valid};
        if (arrived_q[0]) row_2_q        <= s_arrived_data;
        if (arrived_q[0]) code_2_q       <= s_arrived_code;
        if (arrived_q[1]) row_3_q        <= row_2_q;
        if (arrived_q[1]) code_3_q       <= code_2_q;
        if (arrived_q[2]) waiting_row_q  <= row_3_q;
        if (arrived_q[2]) waiting_code_q <= code_3_q;
    end

    // ---- formats of the wire ----
    localparam ENCODE = 3;          // cycles
    wire [DATA_W-1:0] second;       // the ALUs' second operand
    generate
        if (WIRE_FORMATS != 0) begin : g_wire
            reg [2*ENCODE-1:0]  valid_q;
            reg [56*ENCODE-1:0] head_q;
            assign m_out_valid = valid_q[2*ENCODE-1 -: 2];
            assign {m_out_peer, m_out_mark, m_out_reduce, m_out_context, m_out_link} = head_q[56*ENCODE-1 -: 56];
            assign idle = switch_idle && valid_q == {2*ENCODE{1'b0}};
            always @(posedge clk) begin
                valid_q <= rst ? {2*ENCODE{1'b0}} : {valid_q[2*ENCODE-3:0], out_valid};
                head_q  <= {head_q[56*(ENCODE-1)-1:0], out_head};
            end
        end else begin : g_no_wire
            assign m_out_valid = out_valid;
            assign {m_out_peer, m_out_mark, m_out_reduce, m_out_context, m_out_link} = out_head;
            assign idle = switch_idle;
        end
        if (WIRE_FORMATS != 0 && PAYLOAD != 0) begin : g_wire_rows
            wire [DATA_W-1:0] early, rounded;
            reg  [ENCODE-1:0] early_q;
            ace_wire_encode u_plus (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(out_valid[0]), .s_data(plus_sent), .m_data(m_plus_data));
            ace_wire_encode u_minus (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(out_valid[1]), .s_data(minus_sent), .m_data(m_minus_data));
            ace_wire_encode u_reduced (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(alu_early_valid), .s_data(alu_early), .m_data(early));
            ace_wire_decode #(.TAKEN(0)) u_round (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(early_q[ENCODE-1]), .s_data(early), .m_data(rounded));
            ace_wire_decode #(.TAKEN(0)) u_stored (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(write_store_valid), .s_data(s_storing_data),
                .m_data(stored_row));
            ace_wire_decode u_arrived (
                .clk(clk), .cfg_format(cfg_wire), .s_valid(arrived_q[2]), .s_data(row_3_q), .m_data(second));
            assign reduced_row = early_q[ENCODE-1] ? rounded : alu_result;
            always @(posedge clk) early_q <= rst ? {ENCODE{1'b0}} : {early_q[ENCODE-2:0], alu_early_valid};
        end else begin : g_rows
            assign m_plus_data  = plus_sent;
            assign m_minus_data = minus_sent;
            assign second       = waiting_row_q;
            assign stored_row   = s_storing_data;
            assign reduced_row  = alu_result;
            wire unused_wire = &{1'b0, cfg_wire, alu_early, alu_early_valid};
        end
    endgenerate
    localparam ALU = 6;             // cycles
    reg  [ALU-1:0]             copied_q;
    reg  [`ACE_CODE_W*ALU-1:0] copied_code_q;
    always @(posedge clk) begin
        copied_q      <= rst ? {ALU{1'b0}} : {copied_q[ALU-2:0], alu_valid && alu_copy};
        copied_code_q <= {copied_code_q[`ACE_CODE_W*(ALU-1)-1:0], coded(reduce_code)};
    end
    generate
        for (g = 0; g < DATA_W / 512; g = g + 1) begin : g_alu
            wire valid;     // alike in all
            ace_alu #(.TYPES(ALU_TYPES), .OPS(ALU_OPS), .EARLY(WIRE_FORMATS)) u_alu (
                .clk(clk), .rst(rst), .s_valid(alu_valid), .s_bypass(alu_copy),
                .s_type(alu_type), .s_op(alu_op), .s_scale(alu_scale),
                .s_a(local_row[g*512 +: 512]), .s_b(second[g*512 +: 512]), .m_data(alu_result[g*512 +: 512]),
                .m_early_valid(valid), .m_early(alu_early[g*512 +: 512])
            );
            wire unused_valid = &{1'b0, valid};
        end
        if (PAYLOAD != 0) begin : g_early
            assign alu_early_valid = g_alu[0].valid;
        end else begin : g_no_alu
            assign alu_result      = {DATA_W{1'b0}};
            assign alu_early       = {DATA_W{1'b0}};
            assign alu_early_valid = 1'b0;
        end
    endgenerate

    // ---- each row in the cycle in which it is used last: does it fit its code? ----
    wire [USES-1:0]        used;
    wire [DATA_W-1:0]      used_row  [0:USES-1];
    wire [`ACE_CODE_W-1:0] used_code [0:USES-1];
    assign used[STORED]       = write_store_valid;
    assign used_row[STORED]   = s_storing_data;
    assign used_code[STORED]  = s_storing_code;
    // a row in another format is checked a cycle before it is decoded
    assign used[ARRIVED]      = WIRE_FORMATS != 0 ? arrived_q[2] : alu_valid && !alu_copy;
    assign used_row[ARRIVED]  = WIRE_FORMATS != 0 ? row_3_q : waiting_row_q;
    assign used_code[ARRIVED] = WIRE_FORMATS != 0 ? code_3_q : waiting_code_q;
    assign used[LOCAL]        = alu_valid && !alu_copy;
    assign used_row[LOCAL]    = local_row;
    assign used_code[LOCAL]   = coded(reduce_code);
    assign used[COPIED]       = copied_q[ALU-1];
    assign used_row[COPIED]   = alu_result;
    assign used_code[COPIED]  = copied_code_q[`ACE_CODE_W*ALU-1 -: `ACE_CODE_W];
    assign used[LOADED]       = m_load_grant;
    assign used_row[LOADED]   = s_load_data;
    assign used_code[LOADED]  = s_load_code;
    assign used[SENT]         = out_valid[0] && !out_zero[0];
    assign used_row[SENT]     = plus_row;
    assign used_code[SENT]    = coded(plus_code);
    assign used[SENT+1]       = out_valid[1] && !out_zero[1];
    assign used_row[SENT+1]   = minus_row;
    assign used_code[SENT+1]  = coded(minus_code);
    generate
        for (g = 0; g < USES; g = g + 1) begin : g_use
            ace_row_check #(.ROW_W(DATA_W), .CODED(PAYLOAD)) u_check (
                .clk(clk), .rst(rst), .s_valid(used[g]), .s_data(used_row[g]), .s_code(used_code[g]),
                .m_wrong(m_row_wrong[g]));
        end
        if (PAYLOAD == 0) begin : g_timing
            wire unused = &{1'b0, s_fault_mask, local_row, waiting_row_q, second,
                            alu_valid, alu_copy, alu_type, alu_op, alu_scale};
        end
    endgenerate

endmodule

`default_nettype wire

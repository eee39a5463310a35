// SPDX-License-Identifier: Apache-2.0
//
// control_registers -- ace_control_registers holds what rtl/registers.list says, and nothing else
//
// Any register, chosen freely, is followed; writes come at any time, to any address, with any bits.  Words of programs
// are any in each cycle: that they hold what was written is the lockstep test's.
//
// Properties
//   reset     after reset the register is as the list has it
//   word      a write to it sets bits of the set, keeps those of the keep and clears others, of those that fields of
//             the list cover; no other write changes it; a read finds it; bits of no field are 0
//   locked    once the lock was set, no window changes until reset, whatever is written
//   known     a register that the list has not, or that is not held here, is neither read nor written
//   shown     what the module gives to others is what a read finds
//   sane      m_sane is the list's ranges of the configuration
//   reached   cover: the costliest link of a sane configuration of two rings

`default_nettype none

// cut: dut.program_q

`include "../../rtl/ace_register_map.vh"

module control_registers #(
    parameter DIMENSIONS = 3,
    parameter BANK_ROWS  = 4096
) (
    input wire        clk,
    input wire        rst,
    input wire [11:0] write_addr,
    input wire        write,
    input wire [31:0] set,
    input wire [31:0] keep
);
    `include "live.vh"
    `include "register_table.vh"

    (* anyconst *) reg [11:0] at;

    wire        trigger_enable, chains, repeats, flags, queues;
    wire [15:0] trigger_tag, threshold;
    wire [31:0] flag_first, flag_last, value;
    wire [47:0] flag;
    wire [7:0]  next;
    wire        holds, config_, known, sane, fifo, write_locked;
    wire [31:0] word, patience, ring, rank, scale;
    wire [11:0] enable;
    wire [4095:0] program_words;
    wire [3:0]  hub, agreed;
    wire [10:0] chunk_rows;
    wire [71:0] partition_rows;
    wire [95:0] link_cost;
    wire [23:0] read_cost, write_cost;
    wire [15:0] latency, retry, epoch, class_tag;
    wire [7:0]  class_weight, share;
    wire [2:0]  format;
    wire [6:0]  window;
    wire [7:0]  epoch_links, silence;
    wire [63:0] window_first, window_last, source, destination, size;
    wire [2:0]  kind, type, op, dim_count;
    wire [7:0]  dims;
    wire [6:0]  count_index, fault_word;
    wire [13:0] fault_at;

    ace_control_registers #(.DIMENSIONS(DIMENSIONS), .BANK_ROWS(BANK_ROWS)) dut (
        .clk(clk), .rst(rst), .s_write_addr(write_addr), .m_write_holds(holds), .m_write_config(config_),
        .m_write_locked(write_locked),
        .s_write(write), .s_write_set(set), .s_write_keep(keep),
        .s_read_addr(at), .m_read_known(known), .m_read_word(word),
        .m_enable(enable), .m_patience(patience), .m_cfg_program(program_words), .m_cfg_hub(hub), .m_cfg_fifo(fifo),
        .m_cfg_class_tag(class_tag), .m_cfg_class_weight(class_weight), .m_cfg_window(window), .m_cfg_share(share),
        .m_cfg_wire(format),
        .m_cfg_agreed(agreed), .m_cfg_ring(ring), .m_cfg_rank(rank), .m_cfg_chunk_rows(chunk_rows),
        .m_cfg_partition_rows(partition_rows), .m_cfg_link_cost(link_cost), .m_cfg_read_cost(read_cost),
        .m_cfg_write_cost(write_cost), .m_cfg_memory_latency(latency), .m_cfg_retry(retry),
        .m_cfg_epoch(epoch), .m_cfg_epoch_links(epoch_links), .m_cfg_silence(silence),
        .m_cfg_window_first(window_first), .m_cfg_window_last(window_last), .m_sane(sane),
        .m_kind(kind), .m_type(type), .m_op(op), .m_scale(scale), .m_dim_count(dim_count), .m_dims(dims),
        .m_source(source), .m_destination(destination), .m_bytes(size), .m_count_index(count_index),
        .m_fault_word(fault_word), .m_fault_at(fault_at),
        .m_cfg_trigger_enable(trigger_enable), .m_cfg_trigger_tag(trigger_tag), .m_cfg_flag_first(flag_first),
        .m_cfg_flag_last(flag_last), .m_flag(flag), .m_value(value), .m_threshold(threshold), .m_next(next),
        .m_chains(chains), .m_repeats(repeats), .m_flags(flags), .m_queues(queues));

    // ---- the list; CONTROL is not held here, and the first word of the programs stands for each ----
    function of_program;
        input [11:0] a;
        of_program = a >= `ACE_MAP_PROGRAM && a < `ACE_MAP_PROGRAM + 12'd512 && a[1:0] == 2'b00;
    endfunction
    function [65:0] held;
        input [11:0] a;
        held = of_program(a)         ? listed(`ACE_MAP_PROGRAM) :
               a == `ACE_MAP_CONTROL ? 66'd0 : listed(a);
    endfunction
    wire        is, is_config, stays = is && !of_program(at);
    wire [31:0] bits, reset_word;
    assign {is, is_config, bits, reset_word} = held(at);

    function of_window;
        input [11:0] a;
        of_window = a == `ACE_MAP_CONFIG_WINDOW_FIRST || a == `ACE_MAP_CONFIG_WINDOW_LAST ||
                    a == `ACE_MAP_CONFIG_LIST_WINDOW_FIRST || a == `ACE_MAP_CONFIG_LIST_WINDOW_LAST ||
                    a == `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST || a == `ACE_MAP_CONFIG_FLAG_WINDOW_LAST;
    endfunction
    (* hierconn *) wire \dut.lock_q ;
    reg        locked;
    reg [31:0] model;
    always @(posedge clk)
        if (rst) {model, locked} <= {reset_word, 1'b0};
        else begin
            if (write && write_addr == `ACE_MAP_CONFIG_LOCK && set[0]) locked <= 1'b1;
            // what is set by ones is kept by all else
            if (write && write_addr == at && !(locked && of_window(at)))
                model <= ((model & (at == `ACE_MAP_CONFIG_LOCK ? 32'hffffffff : keep)) | set) & bits;
        end

    // ---- what others are shown ----
    reg [31:0] shown;
    integer    p;
    always @* begin
        case (at)
            `ACE_MAP_INTERRUPT_ENABLE:         shown = {22'd0, enable};
            `ACE_MAP_WATCHDOG:                 shown = patience;
            `ACE_MAP_CONFIG_RETRY:             shown = {16'd0, retry};
            `ACE_MAP_CONFIG_MEMORY_LATENCY:    shown = {16'd0, latency};
            `ACE_MAP_CONFIG_HUB:               shown = {28'd0, hub};
            `ACE_MAP_CONFIG_WINDOW_FIRST:      shown = window_first[31:0];
            `ACE_MAP_CONFIG_WINDOW_LAST:       shown = window_last[31:0];
            `ACE_MAP_CONFIG_LIST_WINDOW_FIRST: shown = window_first[63:32];
            `ACE_MAP_CONFIG_LIST_WINDOW_LAST:  shown = window_last[63:32];
            `ACE_MAP_CONFIG_LOCK:              shown = {31'd0, locked};
            `ACE_MAP_CONFIG_TRIGGER:           shown = {15'd0, trigger_enable, trigger_tag};
            `ACE_MAP_CONFIG_FLAG_WINDOW_FIRST: shown = flag_first;
            `ACE_MAP_CONFIG_FLAG_WINDOW_LAST:  shown = flag_last;
            `ACE_MAP_TRIGGER_FLAG_LOW:         shown = flag[31:0];
            `ACE_MAP_TRIGGER_FLAG_HIGH:        shown = {16'd0, flag[47:32]};
            `ACE_MAP_TRIGGER_VALUE:            shown = value;
            `ACE_MAP_TRIGGER_RULE:             shown = {4'd0, queues, flags, repeats, chains, next, threshold};
            `ACE_MAP_CONFIG_LINK_EPOCH:        shown = {silence, epoch_links, epoch};
            `ACE_MAP_CONFIG_ORDER:             shown = {20'd0, agreed, 7'd0, fifo};
            `ACE_MAP_CONFIG_CLASSES:           shown = {1'b0, window, class_weight, class_tag};
            `ACE_MAP_CONFIG_SHARE:             shown = {21'd0, format, share};
            `ACE_MAP_CONFIG_RING:              shown = ring;
            `ACE_MAP_CONFIG_RANK:              shown = rank;
            `ACE_MAP_CONFIG_CHUNK:             shown = {21'd0, chunk_rows};
            `ACE_MAP_CONFIG_LINK_COST_X:       shown = {8'd0, link_cost[23:0]};
            `ACE_MAP_CONFIG_LINK_COST_Y:       shown = {8'd0, link_cost[47:24]};
            `ACE_MAP_CONFIG_LINK_COST_Z:       shown = {8'd0, link_cost[71:48]};
            `ACE_MAP_CONFIG_LINK_COST_W:       shown = {8'd0, link_cost[95:72]};
            `ACE_MAP_CONFIG_READ_COST:         shown = {8'd0, read_cost};
            `ACE_MAP_CONFIG_WRITE_COST:        shown = {8'd0, write_cost};
            `ACE_MAP_COMMAND_OPERATION:        shown = {13'd0, op, 5'd0, type, 5'd0, kind};
            `ACE_MAP_COMMAND_DIMENSIONS:       shown = {16'd0, dims, 5'd0, dim_count};
            `ACE_MAP_COMMAND_SCALE:            shown = scale;
            `ACE_MAP_COMMAND_SOURCE_LOW:       shown = source[31:0];
            `ACE_MAP_COMMAND_SOURCE_HIGH:      shown = source[63:32];
            `ACE_MAP_COMMAND_DESTINATION_LOW:  shown = destination[31:0];
            `ACE_MAP_COMMAND_DESTINATION_HIGH: shown = destination[63:32];
            `ACE_MAP_COMMAND_BYTES_LOW:        shown = size[31:0];
            `ACE_MAP_COMMAND_BYTES_HIGH:       shown = size[63:32];
            `ACE_MAP_COUNT_SELECT:             shown = {25'd0, count_index};
            `ACE_MAP_FAULT_PLACE:              shown = {9'd0, fault_word, 2'd0, fault_at};
            default:                           shown = 32'd0;
        endcase
        for (p = 0; p < 6; p = p + 1)
            if (at == `ACE_MAP_CONFIG_PARTITION_0 + 4 * p) shown = {20'd0, partition_rows[12*p +: 12]};
    end

    // ---- what an engine can run with: the ranges of the list ----
    // Of a ring of one member its links' cost does not matter.
    wire [31:0] rows = partition_rows[11:0] + partition_rows[23:12] + partition_rows[35:24] + partition_rows[47:36] +
                       partition_rows[59:48] + partition_rows[71:60];
    reg  all, some;
    integer d;
    always @* begin
        all  = chunk_rows != 11'd0 && chunk_rows <= 11'd1024 && rows <= BANK_ROWS && read_cost >= 24'h100 &&
               write_cost >= 24'h100 && latency >= 16'd2;
        some = 1'b1;
        for (d = 0; d < 4; d = d + 1) begin
            if (d >= DIMENSIONS && ring[8*d +: 8] != 8'd1) all = 1'b0;
            if (ring[8*d +: 8] == 8'd0 || ring[8*d +: 8] > 8'd128 || rank[8*d +: 8] >= ring[8*d +: 8]) all = 1'b0;
            if (ring[8*d +: 8] != 8'd1 && link_cost[24*d +: 24] < 24'h100) all = 1'b0;
            if (link_cost[24*d +: 24] < 24'h100) some = 1'b0;
        end
    end

    always @* if (live) begin
        assert (known == is && (is ? !stays || word == model : word == 32'd0));
        assert (write_addr != at || (holds == is && config_ == is_config));
        assert (!stays || shown == model);
        assert (write_locked == (locked && of_window(write_addr)));
        assert (\dut.lock_q == locked);     // inside, for the induction
        assert (!sane || all);
        assert (sane || !(all && some));
        assert ((model & ~bits) == 32'd0);
    end

    wire costly = at == `ACE_MAP_CONFIG_LINK_COST_Y && model == 32'h00ffffff;
    always @* if (live) cover (costly && sane && ring == 32'h01010202);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// register_table.vh -- of a register: may it be written, is it configuration, its bits, and these after reset
//
// Made by cmake/register_map.sh of rtl/registers.list; a parameter of the hardware is 0 here.

    function [65:0] listed;
        input [11:0] at;
        case (at)
            12'h000: listed = {1'b0, 1'b0, 32'hffffffff, 32'h41434520}; // ID
            12'h004: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00030005}; // VERSION
            12'h008: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_FSMS
            12'h00c: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_SCRATCHPAD
            12'h010: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_QUEUES
            12'h014: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_LINKS
            12'h018: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_ROUTER
            12'h01c: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_EXCHANGE
            12'h020: listed = {1'b0, 1'b0, 32'h0000ffff, 32'h00000000}; // BUILT_MEMORY
            12'h024: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // BUILT_COMMANDS
            12'h028: listed = {1'b0, 1'b0, 32'h00011f7f, 32'h00000000}; // BUILT_ALU
            12'h02c: listed = {1'b0, 1'b0, 32'h000000ff, 32'h00000000}; // BUILT_HUB
            12'h030: listed = {1'b0, 1'b0, 32'h000000ff, 32'h00000000}; // BUILT_TRIGGERS
            12'h040: listed = {1'b1, 1'b0, 32'h00000001, 32'h00000000}; // CONTROL
            12'h044: listed = {1'b0, 1'b0, 32'hffff00ff, 32'h00000002}; // STATUS
            12'h048: listed = {1'b0, 1'b0, 32'h00000fff, 32'h00000000}; // INTERRUPT_STATUS
            12'h04c: listed = {1'b1, 1'b0, 32'h00000fff, 32'h00000000}; // INTERRUPT_ENABLE
            12'h050: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // WATCHDOG
            12'h054: listed = {1'b1, 1'b1, 32'h000007ff, 32'h00000000}; // CONFIG_SHARE
            12'h058: listed = {1'b1, 1'b1, 32'h0000ffff, 32'h00000000}; // CONFIG_RETRY
            12'h05c: listed = {1'b1, 1'b1, 32'h0000ffff, 32'h00000002}; // CONFIG_MEMORY_LATENCY
            12'h060: listed = {1'b1, 1'b1, 32'h0000000f, 32'h00000000}; // CONFIG_HUB
            12'h064: listed = {1'b1, 1'b1, 32'hffffffff, 32'hffffffff}; // CONFIG_WINDOW_FIRST
            12'h068: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // CONFIG_WINDOW_LAST
            12'h06c: listed = {1'b1, 1'b1, 32'hffffffff, 32'hffffffff}; // CONFIG_LIST_WINDOW_FIRST
            12'h070: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // CONFIG_LIST_WINDOW_LAST
            12'h074: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // CONFIG_LINK_EPOCH
            12'h078: listed = {1'b1, 1'b0, 32'h00000001, 32'h00000000}; // CONFIG_LOCK
            12'h07c: listed = {1'b1, 1'b1, 32'h7fffffff, 32'h00000000}; // CONFIG_CLASSES
            12'h080: listed = {1'b1, 1'b1, 32'h00000f01, 32'h00000000}; // CONFIG_ORDER
            12'h084: listed = {1'b1, 1'b1, 32'hffffffff, 32'h01010101}; // CONFIG_RING
            12'h088: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // CONFIG_RANK
            12'h08c: listed = {1'b1, 1'b1, 32'h000007ff, 32'h00000100}; // CONFIG_CHUNK
            12'h090: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_0
            12'h094: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_1
            12'h098: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_2
            12'h09c: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_3
            12'h0a0: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_4
            12'h0a4: listed = {1'b1, 1'b1, 32'h00000fff, 32'h00000000}; // CONFIG_PARTITION_5
            12'h0a8: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_LINK_COST_X
            12'h0ac: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_LINK_COST_Y
            12'h0b0: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_LINK_COST_Z
            12'h0b4: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_LINK_COST_W
            12'h0b8: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_READ_COST
            12'h0bc: listed = {1'b1, 1'b1, 32'h00ffffff, 32'h00000100}; // CONFIG_WRITE_COST
            12'h0c0: listed = {1'b1, 1'b0, 32'h00070707, 32'h00000000}; // COMMAND_OPERATION
            12'h0c4: listed = {1'b1, 1'b0, 32'h0000ff07, 32'h00000000}; // COMMAND_DIMENSIONS
            12'h0c8: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_SCALE
            12'h0cc: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_SOURCE_LOW
            12'h0d0: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_SOURCE_HIGH
            12'h0d4: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_DESTINATION_LOW
            12'h0d8: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_DESTINATION_HIGH
            12'h0dc: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_BYTES_LOW
            12'h0e0: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // COMMAND_BYTES_HIGH
            12'h0e4: listed = {1'b0, 1'b0, 32'h0000ffff, 32'h00000000}; // COMMAND_DOORBELL
            12'h0f0: listed = {1'b0, 1'b0, 32'h80ffffff, 32'h00000000}; // COMPLETION
            12'h0f4: listed = {1'b0, 1'b0, 32'h00000001, 32'h00000000}; // COMPLETION_TAKE
            12'h100: listed = {1'b0, 1'b0, 32'hffff83ff, 32'h00000000}; // ERROR
            12'h104: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // ERROR_ADDRESS_LOW
            12'h108: listed = {1'b0, 1'b0, 32'h0000ffff, 32'h00000000}; // ERROR_ADDRESS_HIGH
            12'h110: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_TAKEN
            12'h114: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_COMPLETED
            12'h118: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_REFUSED
            12'h11c: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_READ_ERRORS
            12'h120: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_WRITE_ERRORS
            12'h124: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_WATCHDOG
            12'h130: listed = {1'b1, 1'b0, 32'h0000007f, 32'h00000000}; // COUNT_SELECT
            12'h134: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_LOW
            12'h138: listed = {1'b0, 1'b0, 32'h0000ffff, 32'h00000000}; // COUNT_HIGH
            12'h140: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_CORRECTED
            12'h144: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_UNCORRECTABLE
            12'h148: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_REMOTE
            12'h14c: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // COUNT_PARITY
            12'h150: listed = {1'b1, 1'b0, 32'h007f3fff, 32'h00000000}; // FAULT_PLACE
            12'h154: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // FAULT_FLIP
            12'h158: listed = {1'b0, 1'b0, 32'h0000ffff, 32'h00000000}; // LINK_STATE
            12'h160: listed = {1'b1, 1'b1, 32'h0001ffff, 32'h00000000}; // CONFIG_TRIGGER
            12'h164: listed = {1'b1, 1'b1, 32'hffffffff, 32'hffffffff}; // CONFIG_FLAG_WINDOW_FIRST
            12'h168: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // CONFIG_FLAG_WINDOW_LAST
            12'h16c: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // TRIGGER_FLAG_LOW
            12'h170: listed = {1'b1, 1'b0, 32'h0000ffff, 32'h00000000}; // TRIGGER_FLAG_HIGH
            12'h174: listed = {1'b1, 1'b0, 32'hffffffff, 32'h00000000}; // TRIGGER_VALUE
            12'h178: listed = {1'b1, 1'b0, 32'h0fffffff, 32'h00000000}; // TRIGGER_RULE
            12'h17c: listed = {1'b0, 1'b0, 32'h000000ff, 32'h00000000}; // TRIGGER_PREPARE
            12'h180: listed = {1'b0, 1'b0, 32'h000001ff, 32'h00000000}; // TRIGGER_ARM
            12'h184: listed = {1'b0, 1'b0, 32'hffff00ff, 32'h00000000}; // TRIGGER_STORE
            12'h188: listed = {1'b0, 1'b0, 32'hffffffff, 32'h00000000}; // TRIGGER_STATE
            12'h800: listed = {1'b1, 1'b1, 32'hffffffff, 32'h00000000}; // PROGRAM
            default: listed = 66'd0;
        endcase
    endfunction

// SPDX-License-Identifier: Apache-2.0
//
// ace_scratchpad_banks -- four banks of stored rows, each one read and one write a cycle
//
// Contract
//   Latency     what is asked for is there in the same cycle, as it was before the cycle's
//               writes, and 0 where nothing is; a row written in t can be read in t+1.
//   Conflicts   no two read ports, and no two write ports, name the same bank in a cycle.
//   Upsets      s_fault_valid flips the bits s_fault_mask of word s_fault_word of a row, as it
//               was before the cycle.  A write of that row in the same cycle wins.  In silicon
//               this is what radiation does, or the macro's test access: not a port of the
//               engine, and free to take a cycle in which the bank is not used.
//   Twin        cmodel/twin/ace_scratchpad_banks.h, equal inside ace_scratchpad
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_scratchpad_banks #(
    parameter BANK_ROWS = 4096,     // rows of a bank, any number up to 4096
    parameter WORD_W    = 32,       // bits of a word
    parameter WORDS     = 72        // words of a row, any number up to 128
) (
    input  wire                    clk,

    input  wire                    s_reduce_valid,
    input  wire [1:0]              s_reduce_bank,
    input  wire [11:0]             s_reduce_row,
    output wire [WORDS*WORD_W-1:0] m_reduce_data,
    input  wire                    s_unload_valid,
    input  wire [1:0]              s_unload_bank,
    input  wire [11:0]             s_unload_row,
    output wire [WORDS*WORD_W-1:0] m_unload_data,
    input  wire                    s_plus_valid,
    input  wire [1:0]              s_plus_bank,
    input  wire [11:0]             s_plus_row,
    output wire [WORDS*WORD_W-1:0] m_plus_data,
    input  wire                    s_minus_valid,
    input  wire [1:0]              s_minus_bank,
    input  wire [11:0]             s_minus_row,
    output wire [WORDS*WORD_W-1:0] m_minus_data,

    input  wire                    s_reduced_valid,
    input  wire [1:0]              s_reduced_bank,
    input  wire [11:0]             s_reduced_row,
    input  wire [WORDS*WORD_W-1:0] s_reduced_data,
    input  wire                    s_store_valid,
    input  wire [1:0]              s_store_bank,
    input  wire [11:0]             s_store_row,
    input  wire [WORDS*WORD_W-1:0] s_store_data,
    input  wire                    s_load_valid,
    input  wire [1:0]              s_load_bank,
    input  wire [11:0]             s_load_row,
    input  wire [WORDS*WORD_W-1:0] s_load_data,

    input  wire                    s_fault_valid,
    input  wire [1:0]              s_fault_bank,
    input  wire [11:0]             s_fault_row,
    input  wire [6:0]              s_fault_word,
    input  wire [WORD_W-1:0]       s_fault_mask
);

    localparam W = $clog2(BANK_ROWS);
    localparam [WORDS*WORD_W-1:0] NONE = {WORDS*WORD_W{1'b0}};

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (BANK_ROWS < 2 || BANK_ROWS > 4096) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_2_to_4096 stop ();
        end
        if (WORD_W < 1) begin : g_illegal_word_w WORD_W_must_be_1_or_more stop (); end
        if (WORDS < 2 || WORDS > 128) begin : g_illegal_words WORDS_must_be_2_to_128 stop (); end
    endgenerate

    // Bank in the high bits of the address, so a bank begins at a power of two; there is a row for each
    // address, also those that no partition has.
    reg [WORDS*WORD_W-1:0] memory [0:(4<<W)-1];

    assign m_reduce_data = s_reduce_valid ? memory[{s_reduce_bank, s_reduce_row[W-1:0]}] : NONE;
    assign m_unload_data = s_unload_valid ? memory[{s_unload_bank, s_unload_row[W-1:0]}] : NONE;
    assign m_plus_data   = s_plus_valid ? memory[{s_plus_bank, s_plus_row[W-1:0]}] : NONE;
    assign m_minus_data  = s_minus_valid ? memory[{s_minus_bank, s_minus_row[W-1:0]}] : NONE;

    wire [W+1:0]            fault_at = {s_fault_bank, s_fault_row[W-1:0]};
    wire [WORDS*WORD_W-1:0] low_mask = {{(WORDS-1)*WORD_W{1'b0}}, s_fault_mask};
    always @(posedge clk) begin
        if (s_fault_valid)   memory[fault_at] <= memory[fault_at] ^ low_mask << s_fault_word * WORD_W;
        if (s_reduced_valid) memory[{s_reduced_bank, s_reduced_row[W-1:0]}] <= s_reduced_data;
        if (s_store_valid)   memory[{s_store_bank, s_store_row[W-1:0]}] <= s_store_data;
        if (s_load_valid)    memory[{s_load_bank, s_load_row[W-1:0]}] <= s_load_data;
    end

    generate
        if (W < 12) begin : g_small
            wire unused = &{1'b0, s_reduce_row[11:W], s_unload_row[11:W], s_plus_row[11:W], s_minus_row[11:W],
                            s_reduced_row[11:W], s_store_row[11:W], s_load_row[11:W],
                            s_fault_row[11:W]};     // partitions end before
        end
    endgenerate

endmodule

`default_nettype wire

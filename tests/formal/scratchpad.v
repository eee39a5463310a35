// SPDX-License-Identifier: Apache-2.0
//
// scratchpad -- ace_scratchpad_banks: a row read is the row written last
//
// Assumed, and proven of ace_switch in switch.v: no two writes of a cycle name the same bank.
//
// Properties
//   data      of any one row, chosen freely, each port reads what was written to it last, by
//             whichever port, with what upsets have turned over since; no other write and no
//             other upset changes it, and a write wins against an upset of the same cycle

`default_nettype none

module scratchpad #(
    parameter BANK_ROWS = 3,
    parameter ROW_W = 2
) (
    input wire             clk,
    input wire             rst,
    input wire [7:0]       read_bank,   // reduce, unload, plus, minus
    input wire [47:0]      read_row,
    input wire [2:0]       write,       // reduced, store, load
    input wire [5:0]       write_bank,
    input wire [35:0]      write_row,
    input wire [3*ROW_W-1:0] write_data,
    input wire             upset,
    input wire [1:0]       upset_bank,
    input wire [11:0]      upset_row,
    input wire [6:0]       upset_word,
    input wire             upset_mask
);
    wire [4*ROW_W-1:0] data;

    ace_scratchpad_banks #(.BANK_ROWS(BANK_ROWS), .WORD_W(1), .WORDS(ROW_W)) dut (
        .clk(clk),
        .s_reduce_valid(1'b1), .s_reduce_bank(read_bank[1:0]), .s_reduce_row(read_row[11:0]), .m_reduce_data(data[0 +: ROW_W]),
        .s_unload_valid(1'b1), .s_unload_bank(read_bank[3:2]), .s_unload_row(read_row[23:12]), .m_unload_data(data[ROW_W +: ROW_W]),
        .s_plus_valid(1'b1), .s_plus_bank(read_bank[5:4]), .s_plus_row(read_row[35:24]), .m_plus_data(data[2*ROW_W +: ROW_W]),
        .s_minus_valid(1'b1), .s_minus_bank(read_bank[7:6]), .s_minus_row(read_row[47:36]), .m_minus_data(data[3*ROW_W +: ROW_W]),
        .s_reduced_valid(write[0]), .s_reduced_bank(write_bank[1:0]), .s_reduced_row(write_row[11:0]), .s_reduced_data(write_data[0 +: ROW_W]),
        .s_store_valid(write[1]), .s_store_bank(write_bank[3:2]), .s_store_row(write_row[23:12]), .s_store_data(write_data[ROW_W +: ROW_W]),
        .s_load_valid(write[2]), .s_load_bank(write_bank[5:4]), .s_load_row(write_row[35:24]), .s_load_data(write_data[2*ROW_W +: ROW_W]),
        .s_fault_valid(upset), .s_fault_bank(upset_bank), .s_fault_row(upset_row), .s_fault_word(upset_word),
        .s_fault_mask(upset_mask));

    `include "live.vh"

    (* anyconst *) reg [1:0]  bank;
    (* anyconst *) reg [11:0] row;
    (* anyconst *) reg [1:0]  port;
    wire [1:0]  at_bank = read_bank >> {port, 1'b0};
    wire [11:0] at_row  = read_row >> (port * 12);
    wire        hit     = at_bank == bank && at_row == row;
    wire [ROW_W-1:0] out = data >> (port * ROW_W);

    integer i;
    always @* begin
        assume (row < BANK_ROWS);
        for (i = 0; i < 4; i = i + 1) assume (read_row[i*12 +: 12] < BANK_ROWS);
        for (i = 0; i < 3; i = i + 1) assume (write_row[i*12 +: 12] < BANK_ROWS);
        assume (upset_row < BANK_ROWS);
        assume (!(write[0] && write[1]) || write_bank[1:0] != write_bank[3:2]);
        assume (!(write[0] && write[2]) || write_bank[1:0] != write_bank[5:4]);
        assume (!(write[1] && write[2]) || write_bank[3:2] != write_bank[5:4]);
    end

    reg             written;
    reg [ROW_W-1:0] last;
    always @(posedge clk) begin
        if (upset && upset_bank == bank && upset_row == row && upset_word < ROW_W)
            last[upset_word] <= last[upset_word] ^ upset_mask;
        for (i = 0; i < 3; i = i + 1)
            if (write[i] && write_bank[i*2 +: 2] == bank && write_row[i*12 +: 12] == row) begin
                written <= 1'b1;
                last    <= write_data[i*ROW_W +: ROW_W];
            end
        if (!live) written <= 1'b0;
    end
    always @* if (live) assert (!(hit && written) || out == last);

    always @* if (live) cover (hit && written && upset && &write);
endmodule

`default_nettype wire

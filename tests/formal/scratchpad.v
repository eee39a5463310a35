// SPDX-License-Identifier: Apache-2.0
//
// scratchpad -- ace_scratchpad: a row read is the row written last
//
// Assumed, and proven of ace_switch in switch.v: no two writes of a cycle name the same bank.
//
// Properties
//   latency   what is read in a cycle stands at its port in the next, and holds until the
//             port reads again; a row written in a cycle can be read in the next
//   data      of any one row, chosen freely, each port reads what was written to it last, by
//             whichever port; no other write changes it

`default_nettype none

module scratchpad #(
    parameter BANK_ROWS = 3,
    parameter ROW_W = 2
) (
    input wire             clk,
    input wire             rst,
    input wire [3:0]       read,        // reduce, unload, plus, minus
    input wire [7:0]       read_bank,
    input wire [47:0]      read_row,
    input wire [2:0]       write,       // reduced, store, load
    input wire [5:0]       write_bank,
    input wire [35:0]      write_row,
    input wire [3*ROW_W-1:0] write_data
);
    wire [4*ROW_W-1:0] data;

    ace_scratchpad #(.BANK_ROWS(BANK_ROWS), .ROW_W(ROW_W)) dut (
        .clk(clk),
        .s_reduce_valid(read[0]), .s_reduce_bank(read_bank[1:0]), .s_reduce_row(read_row[11:0]), .m_reduce_data(data[0 +: ROW_W]),
        .s_unload_valid(read[1]), .s_unload_bank(read_bank[3:2]), .s_unload_row(read_row[23:12]), .m_unload_data(data[ROW_W +: ROW_W]),
        .s_plus_valid(read[2]), .s_plus_bank(read_bank[5:4]), .s_plus_row(read_row[35:24]), .m_plus_data(data[2*ROW_W +: ROW_W]),
        .s_minus_valid(read[3]), .s_minus_bank(read_bank[7:6]), .s_minus_row(read_row[47:36]), .m_minus_data(data[3*ROW_W +: ROW_W]),
        .s_reduced_valid(write[0]), .s_reduced_bank(write_bank[1:0]), .s_reduced_row(write_row[11:0]), .s_reduced_data(write_data[0 +: ROW_W]),
        .s_store_valid(write[1]), .s_store_bank(write_bank[3:2]), .s_store_row(write_row[23:12]), .s_store_data(write_data[ROW_W +: ROW_W]),
        .s_load_valid(write[2]), .s_load_bank(write_bank[5:4]), .s_load_row(write_row[35:24]), .s_load_data(write_data[2*ROW_W +: ROW_W]));

    `include "live.vh"

    (* anyconst *) reg [1:0]  bank;
    (* anyconst *) reg [11:0] row;
    (* anyconst *) reg [1:0]  port;
    wire        reads  = |(read & 4'd1 << port);
    wire [1:0]  at_bank = read_bank >> {port, 1'b0};
    wire [11:0] at_row  = read_row >> (port * 12);
    wire        hit    = reads && at_bank == bank && at_row == row;
    wire [ROW_W-1:0] out = data >> (port * ROW_W);

    integer i;
    always @* begin
        assume (row < BANK_ROWS);
        for (i = 0; i < 4; i = i + 1) assume (read_row[i*12 +: 12] < BANK_ROWS);
        for (i = 0; i < 3; i = i + 1) assume (write_row[i*12 +: 12] < BANK_ROWS);
        assume (!(write[0] && write[1]) || write_bank[1:0] != write_bank[3:2]);
        assume (!(write[0] && write[2]) || write_bank[1:0] != write_bank[5:4]);
        assume (!(write[1] && write[2]) || write_bank[3:2] != write_bank[5:4]);
    end

    reg             written, known;
    reg [ROW_W-1:0] last, expected;
    always @(posedge clk) begin
        for (i = 0; i < 3; i = i + 1)
            if (write[i] && write_bank[i*2 +: 2] == bank && write_row[i*12 +: 12] == row) begin
                written <= 1'b1;
                last    <= write_data[i*ROW_W +: ROW_W];
            end
        if (reads) begin
            known    <= hit && written;
            expected <= last;
        end
        if (!live) {written, known} <= 2'd0;
    end
    always @* if (live) assert (!known || out == expected);

    always @* if (live) cover (known && &read && &write);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// scratchpad -- ace_scratchpad_banks: a read returns the row written last
//
// Assumed: no two reads and no two writes of a cycle name the same bank.  switch.v proves this of
// ace_switch.
//
// Properties
//   data      A read of any one row, chosen freely, returns two cycles later what any port wrote to
//             it last.  Bits of upsets that have landed are inverted.  No other write and no other
//             upset changes the row.
//   upset     An upset lands in a cycle in which its bank is not written, and inverts the given
//             bits.  It lands at the latest when its bank is idle for three cycles.

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
    input wire [3*ROW_W-1:0] write_data,
    input wire             upset,
    input wire [1:0]       upset_bank,
    input wire [11:0]      upset_row,
    input wire [6:0]       upset_word,
    input wire             upset_mask
);
    wire [4*ROW_W-1:0] data;
    wire [3:0]         there;

    ace_scratchpad_banks #(.BANK_ROWS(BANK_ROWS), .WORD_W(1), .WORDS(ROW_W)) dut (
        .clk(clk), .rst(rst),
        .s_reduce_valid(read[0]), .s_reduce_bank(read_bank[1:0]), .s_reduce_row(read_row[11:0]), .m_reduce_valid(there[0]), .m_reduce_data(data[0 +: ROW_W]),
        .s_unload_valid(read[1]), .s_unload_bank(read_bank[3:2]), .s_unload_row(read_row[23:12]), .m_unload_valid(there[1]), .m_unload_data(data[ROW_W +: ROW_W]),
        .s_plus_valid(read[2]), .s_plus_bank(read_bank[5:4]), .s_plus_row(read_row[35:24]), .m_plus_valid(there[2]), .m_plus_data(data[2*ROW_W +: ROW_W]),
        .s_minus_valid(read[3]), .s_minus_bank(read_bank[7:6]), .s_minus_row(read_row[47:36]), .m_minus_valid(there[3]), .m_minus_data(data[3*ROW_W +: ROW_W]),
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
    wire        hit     = read[port] && at_bank == bank && at_row == row;
    wire [ROW_W-1:0] out = data >> (port * ROW_W);

    integer i;
    always @* begin
        assume (row < BANK_ROWS);
        for (i = 0; i < 4; i = i + 1) assume (read_row[i*12 +: 12] < BANK_ROWS);
        for (i = 0; i < 3; i = i + 1) assume (write_row[i*12 +: 12] < BANK_ROWS);
        assume (upset_row < BANK_ROWS);
        assume (!(read[0] && read[1]) || read_bank[1:0] != read_bank[3:2]);
        assume (!(read[0] && read[2]) || read_bank[1:0] != read_bank[5:4]);
        assume (!(read[0] && read[3]) || read_bank[1:0] != read_bank[7:6]);
        assume (!(read[1] && read[2]) || read_bank[3:2] != read_bank[5:4]);
        assume (!(read[1] && read[3]) || read_bank[3:2] != read_bank[7:6]);
        assume (!(read[2] && read[3]) || read_bank[5:4] != read_bank[7:6]);
        assume (!(write[0] && write[1]) || write_bank[1:0] != write_bank[3:2]);
        assume (!(write[0] && write[2]) || write_bank[1:0] != write_bank[5:4]);
        assume (!(write[1] && write[2]) || write_bank[3:2] != write_bank[5:4]);
    end

    // The upset in progress, and how long its bank has been idle.
    (* hierconn *) wire       \dut.fault_lands ;
    (* hierconn *) wire [1:0] \dut.fault_step_q ;
    reg         coming, mask;
    reg [1:0]   to_bank;
    reg [11:0]  to_row;
    reg [6:0]   to_word;
    reg [1:0]   rests;
    wire [3:0]  reads  = (read[0] ? 4'd1 << read_bank[1:0] : 4'd0) | (read[1] ? 4'd1 << read_bank[3:2] : 4'd0) |
                         (read[2] ? 4'd1 << read_bank[5:4] : 4'd0) | (read[3] ? 4'd1 << read_bank[7:6] : 4'd0);
    wire [3:0]  writes = (write[0] ? 4'd1 << write_bank[1:0] : 4'd0) | (write[1] ? 4'd1 << write_bank[3:2] : 4'd0) |
                         (write[2] ? 4'd1 << write_bank[5:4] : 4'd0);
    wire        used   = |((reads | writes) & 4'd1 << to_bank);
    always @(posedge clk) begin
        if (rst) coming <= 1'b0;
        else if (!coming) {coming, to_bank, to_row, to_word, mask} <= {upset, upset_bank, upset_row, upset_word, upset_mask};
        else if (\dut.fault_lands ) coming <= 1'b0;
        rests <= rst || !coming || used ? 2'd0 : rests + (rests != 2'd3);
    end
    always @* if (live) begin
        assert (coming == (\dut.fault_step_q != 2'd0));
        assert (!\dut.fault_lands || (coming && !(|(writes & 4'd1 << to_bank))));
        assert (!(coming && rests == 2'd3));
    end

    reg             written;
    reg [ROW_W-1:0] last;
    always @(posedge clk) begin
        if (\dut.fault_lands && to_bank == bank && to_row == row && to_word < ROW_W)
            last[to_word] <= last[to_word] ^ mask;
        for (i = 0; i < 3; i = i + 1)
            if (write[i] && write_bank[i*2 +: 2] == bank && write_row[i*12 +: 12] == row) begin
                written <= 1'b1;
                last    <= write_data[i*ROW_W +: ROW_W];
            end
        if (!live) written <= 1'b0;
    end
    reg             hit_1, hit_2;
    reg [ROW_W-1:0] last_1, last_2;
    always @(posedge clk) begin
        {hit_2, hit_1} <= {hit_1 && !rst, hit && written && live && !rst};
        {last_2, last_1} <= {last_1, last};
    end
    always @* if (live) assert (!hit_2 || (|(there & 4'd1 << port) && out == last_2));

    always @* if (live) cover (hit_2 && \dut.fault_lands && &there[2:0]);
endmodule

`default_nettype wire

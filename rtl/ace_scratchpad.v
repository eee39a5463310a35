// SPDX-License-Identifier: Apache-2.0
//
// ace_scratchpad -- four banks of rows, each one read and one write a cycle
//
//   reduce, unload, send +, send - ---> read ports    a register behind a crossbar
//   reduce, store, load ------------->  write ports
//
// Contract
//   Latency     what is read in cycle t stands at its port's data in t+1 and holds
//               until the port reads again; a row written in t can be read in t+1.
//   Conflicts   no two read ports, and no two write ports, name the same bank in a
//               cycle: ace_switch grants them so.
//   Twin        cmodel/ace_scratchpad.h

`default_nettype none

module ace_scratchpad #(
    parameter BANK_ROWS = 4096,     // rows of a bank, any number up to 4096
    parameter ROW_W     = 2048      // bits in a row
) (
    input  wire             clk,

    input  wire             s_reduce_valid,
    input  wire [1:0]       s_reduce_bank,
    input  wire [11:0]      s_reduce_row,
    output reg  [ROW_W-1:0] m_reduce_data,
    input  wire             s_unload_valid,
    input  wire [1:0]       s_unload_bank,
    input  wire [11:0]      s_unload_row,
    output reg  [ROW_W-1:0] m_unload_data,
    input  wire             s_plus_valid,
    input  wire [1:0]       s_plus_bank,
    input  wire [11:0]      s_plus_row,
    output reg  [ROW_W-1:0] m_plus_data,
    input  wire             s_minus_valid,
    input  wire [1:0]       s_minus_bank,
    input  wire [11:0]      s_minus_row,
    output reg  [ROW_W-1:0] m_minus_data,

    input  wire             s_reduced_valid,
    input  wire [1:0]       s_reduced_bank,
    input  wire [11:0]      s_reduced_row,
    input  wire [ROW_W-1:0] s_reduced_data,
    input  wire             s_store_valid,
    input  wire [1:0]       s_store_bank,
    input  wire [11:0]      s_store_row,
    input  wire [ROW_W-1:0] s_store_data,
    input  wire             s_load_valid,
    input  wire [1:0]       s_load_bank,
    input  wire [11:0]      s_load_row,
    input  wire [ROW_W-1:0] s_load_data
);

    localparam W = $clog2(BANK_ROWS);

    // Bank in the high bits of the address, so a bank begins at a power of two.
    reg [ROW_W-1:0] memory [0:3*(1<<W)+BANK_ROWS-1];

    always @(posedge clk) begin
        if (s_reduce_valid) m_reduce_data <= memory[{s_reduce_bank, s_reduce_row[W-1:0]}];
        if (s_unload_valid) m_unload_data <= memory[{s_unload_bank, s_unload_row[W-1:0]}];
        if (s_plus_valid)   m_plus_data   <= memory[{s_plus_bank, s_plus_row[W-1:0]}];
        if (s_minus_valid)  m_minus_data  <= memory[{s_minus_bank, s_minus_row[W-1:0]}];
        if (s_reduced_valid) memory[{s_reduced_bank, s_reduced_row[W-1:0]}] <= s_reduced_data;
        if (s_store_valid)   memory[{s_store_bank, s_store_row[W-1:0]}] <= s_store_data;
        if (s_load_valid)    memory[{s_load_bank, s_load_row[W-1:0]}] <= s_load_data;
    end

    generate
        if (W < 12) begin : g_small
            wire unused = &{1'b0, s_reduce_row[11:W], s_unload_row[11:W], s_plus_row[11:W], s_minus_row[11:W],
                            s_reduced_row[11:W], s_store_row[11:W], s_load_row[11:W]};  // partitions end before
        end
    endgenerate

endmodule

`default_nettype wire

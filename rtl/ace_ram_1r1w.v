// SPDX-License-Identifier: Apache-2.0
//
// ace_ram_1r1w -- a memory macro that reads one row and writes one row a cycle
//
//   s_write, test --> [ rows ] --> m_data
//                        ^
//   s_read, test --------'
//
// All memories with a read and a write port are instances of this module.  So a technology's macro,
// with its redundancy, replaces this module and nothing else.  An FPGA tool infers block RAM from
// the module as it is.
//
// Contract
//   Latency     The row read in cycle t is on m_data in t+1 and until the next read.
//   Conflicts   A row that is read while it is written is read as it was before.  No user depends
//               on this, so a macro may return anything.
//   Test        While test_on is 1, a memory test (MBIST) alone uses the port and reads and writes
//               at test_at.  Without such a test these inputs are zeros.
//   Reset       None: rows keep their contents.
//   Twin        None of its own: the twin of each owner keeps rows in arrays, as
//               cmodel/twin/ace_scratchpad_banks.c does
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_ram_1r1w #(
    parameter DEPTH = 16,       // rows, 2 or more
    parameter WIDTH = 8         // bits of a row
) (
    input  wire                     clk,

    input  wire                     s_read_valid,
    input  wire [$clog2(DEPTH)-1:0] s_read_at,
    output reg  [WIDTH-1:0]         m_data,
    input  wire                     s_write_valid,
    input  wire [$clog2(DEPTH)-1:0] s_write_at,
    input  wire [WIDTH-1:0]         s_write_data,

    input  wire                     test_on,
    input  wire                     test_read,
    input  wire                     test_write,
    input  wire [$clog2(DEPTH)-1:0] test_at,
    input  wire [WIDTH-1:0]         test_data
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DEPTH < 2) begin : g_illegal_depth DEPTH_must_be_2_or_more stop (); end
        if (WIDTH < 1) begin : g_illegal_width WIDTH_must_be_1_or_more stop (); end
    endgenerate

    localparam AT_W = $clog2(DEPTH);

    reg [WIDTH-1:0] memory [0:DEPTH-1];

    wire             reads    = test_on ? test_read : s_read_valid;
    wire             writes   = test_on ? test_write : s_write_valid;
    wire [AT_W-1:0]  read_at  = test_on ? test_at : s_read_at;
    wire [AT_W-1:0]  write_at = test_on ? test_at : s_write_at;
    wire [WIDTH-1:0] row      = test_on ? test_data : s_write_data;

    always @(posedge clk) begin
        if (writes) memory[write_at] <= row;
        if (reads)  m_data <= memory[read_at];
    end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_ram_1rw -- a memory macro of one port: it reads or writes one row a cycle
//
//   s_valid, s_write, test --> [ rows ] --> m_data
//
// A memory of one port has the smallest cell for a bit.  Large memories that need no read and write
// in one cycle are instances of this module.  As with ace_ram_1r1w a technology's macro replaces
// this module and nothing else.
//
// Contract
//   Latency     The row read in cycle t is on m_data in t+1.  After a cycle with a write a macro
//               may show anything.
//   Test        While test_on is 1, a memory test (MBIST) alone uses the port.  Without such a test
//               these inputs are zeros.
//   Reset       None: rows keep their contents.
//   Twin        None of its own: cmodel/parts/ace_bank.c models the order in which they are used
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_ram_1rw #(
    parameter DEPTH = 16,       // rows, 2 or more
    parameter WIDTH = 8         // bits of a row
) (
    input  wire                     clk,

    input  wire                     s_valid,
    input  wire                     s_write,        // else it is a read
    input  wire [$clog2(DEPTH)-1:0] s_at,
    input  wire [WIDTH-1:0]         s_data,
    output reg  [WIDTH-1:0]         m_data,

    input  wire                     test_on,
    input  wire                     test_valid,
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

    wire             valid = test_on ? test_valid : s_valid;
    wire             write = test_on ? test_write : s_write;
    wire [AT_W-1:0]  at    = test_on ? test_at : s_at;
    wire [WIDTH-1:0] row   = test_on ? test_data : s_data;

    always @(posedge clk)
        if (valid) begin
            if (write) memory[at] <= row;
            else       m_data <= memory[at];
        end

endmodule

`default_nettype wire

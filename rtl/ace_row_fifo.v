// SPDX-License-Identifier: Apache-2.0
//
// ace_row_fifo -- a few rows between two streams, ready from state only
//
//   s ---> [ DEPTH-1 rows of memory ] ---> { head register } ---> m
//     `---------- when there is room ----------^
//
// Contract
//   Handshake   A row moves when valid && ready.  s_ready = not full and m_valid = not
//               empty come from state, so two of them cut every combinational path.
//   Latency     a row pushed at an edge is on m from the next cycle on.
//   Throughput  a row a cycle.
//   Order       as pushed; the sideband rides along.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/parts/ace_row_fifo.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_row_fifo_test.cc).
//
// The head is a register so that a wide word moves only when a row does.

`default_nettype none

module ace_row_fifo #(
    parameter ROW_W  = 2048,    // bits in a row
    parameter SIDE_W = 1,       // bits of sideband, e.g. last and strobes
    parameter DEPTH  = 2        // rows held, 2..16
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              s_valid,
    output wire              s_ready,
    input  wire [ROW_W-1:0]  s_data,
    input  wire [SIDE_W-1:0] s_side,

    output wire              m_valid,
    input  wire              m_ready,
    output wire [ROW_W-1:0]  m_data,
    output wire [SIDE_W-1:0] m_side,

    output wire [4:0]        count      // rows held
);

    localparam BACK  = DEPTH - 1;
    localparam PTR_W = BACK > 1 ? $clog2(BACK) : 1;
    localparam [31:0] LAST = BACK - 1;
    localparam [31:0] FULL = DEPTH;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
        if (SIDE_W < 1) begin : g_illegal_side_w SIDE_W_must_be_1_or_more stop (); end
        if (DEPTH < 2 || DEPTH > 16) begin : g_illegal_depth DEPTH_must_be_2_to_16 stop (); end
    endgenerate

    reg [4:0]        count_q;
    reg [PTR_W-1:0]  wr_q;
    reg [PTR_W-1:0]  rd_q;
    reg [ROW_W-1:0]  head_q;
    reg [SIDE_W-1:0] head_side_q;
    reg [ROW_W-1:0]  back_q [0:BACK-1];
    reg [SIDE_W-1:0] back_side_q [0:BACK-1];

    assign s_ready = count_q != FULL[4:0];
    assign m_valid = count_q != 5'd0;
    assign m_data  = head_q;
    assign m_side  = head_side_q;
    assign count   = count_q;

    wire push      = s_valid && s_ready;
    wire pop       = m_valid && m_ready;
    wire to_head   = push && (count_q == 5'd0 || (count_q == 5'd1 && pop));
    wire to_back   = push && !to_head;
    wire from_back = pop && count_q > 5'd1;

    always @(posedge clk) begin
        if (rst) begin
            count_q <= 5'd0;
            wr_q    <= {PTR_W{1'b0}};
            rd_q    <= {PTR_W{1'b0}};
        end else begin
            count_q <= count_q + {4'd0, push} - {4'd0, pop};
            if (to_back)
                wr_q <= wr_q == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : wr_q + 1'b1;
            if (from_back)
                rd_q <= rd_q == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : rd_q + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (to_head) begin
            head_q      <= s_data;
            head_side_q <= s_side;
        end else if (from_back) begin
            head_q      <= back_q[rd_q];
            head_side_q <= back_side_q[rd_q];
        end
        if (to_back) begin
            back_q[wr_q]      <= s_data;
            back_side_q[wr_q] <= s_side;
        end
    end

endmodule

`default_nettype wire

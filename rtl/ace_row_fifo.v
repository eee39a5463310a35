// SPDX-License-Identifier: Apache-2.0
//
// ace_row_fifo -- a FIFO of rows whose ready depends on state only
//
//   s ---> [ DEPTH-1 rows of registers ] -----------------> { head register } ---> m
//     `---------- when there is room ----------------------------^
//
//   s ---> [ DEPTH-2 rows of memory ] --> { row read } --+--> { head register } ---> m      RAM = 1
//     `--> { next register } ----------------------------^          ^
//     `---------- when there is room -------------------------------'
//
// Contract
//   Handshake   A row moves when valid && ready.  s_ready is 1 while the FIFO is not full, m_valid
//               while it is not empty.  Both come from state, so the FIFO cuts every combinational
//               path.
//   Latency     A row pushed at an edge is on m from the next cycle on.
//   Throughput  A row a cycle.
//   Order       Rows leave as they were pushed, each with its sideband.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/parts/ace_row_fifo.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_row_fifo_test.cc).
//
// The head is a register so that a wide word moves only when a row does.  A memory shows a row in
// the cycle after the request.  So the row after the head must always be out of the memory
// already.  It is requested when the head leaves.  A row that arrives when nothing follows the head
// bypasses the memory.

`default_nettype none

module ace_row_fifo #(
    parameter ROW_W  = 2048,        // bits in a row
    parameter SIDE_W = 1,           // bits of sideband, e.g. last and strobes
    parameter DEPTH  = 2,           // rows held, 2..32
    parameter RAM    = DEPTH > 16   // 1: in a memory with a clocked read, 4 rows or more
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

    output wire [5:0]        count      // rows held
);

    localparam OUT   = RAM != 0 ? 2 : 1;    // rows that are out of the array
    localparam BACK  = DEPTH - OUT;
    localparam PTR_W = BACK > 1 ? $clog2(BACK) : 1;
    localparam [31:0] LAST = BACK - 1;
    localparam [31:0] FULL = DEPTH;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
        if (SIDE_W < 1) begin : g_illegal_side_w SIDE_W_must_be_1_or_more stop (); end
        if (DEPTH < 2 || DEPTH > 32) begin : g_illegal_depth DEPTH_must_be_2_to_32 stop (); end
        if (RAM > 1 || (RAM == 1 && DEPTH < 4)) begin : g_illegal_ram RAM_must_be_0_or_1_with_4_rows stop (); end
    endgenerate

    reg [5:0]        count_q;
    reg [PTR_W-1:0]  wr_q;
    reg [PTR_W-1:0]  rd_q;
    reg [ROW_W-1:0]  head_q;
    reg [SIDE_W-1:0] head_side_q;

    assign s_ready = count_q != FULL[5:0];
    assign m_valid = count_q != 6'd0;
    assign m_data  = head_q;
    assign m_side  = head_side_q;
    assign count   = count_q;

    wire push    = s_valid && s_ready;
    wire pop     = m_valid && m_ready;
    wire to_head = push && (count_q == 6'd0 || (count_q == 6'd1 && pop));
    wire to_back;                   // of the array
    wire from_back;
    wire [ROW_W-1:0]  behind;       // the row behind the head
    wire [SIDE_W-1:0] behind_side;

    always @(posedge clk) begin
        if (rst) begin
            count_q <= 6'd0;
            wr_q    <= {PTR_W{1'b0}};
            rd_q    <= {PTR_W{1'b0}};
        end else begin
            count_q <= count_q + {5'd0, push} - {5'd0, pop};
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
        end else if (pop && count_q > 6'd1) begin
            head_q      <= behind;
            head_side_q <= behind_side;
        end
    end

    generate
        if (RAM != 0) begin : g_ram
            reg [ROW_W-1:0]   next_q;
            reg [SIDE_W-1:0]  next_side_q;
            reg               read_q;       // the row behind the head was read; else it is in next_q
            wire [ROW_W-1:0]  row;
            wire [SIDE_W-1:0] side;
            wire to_next = push && (pop ? count_q == 6'd2 : count_q == 6'd1);

            assign to_back     = push && !to_head && !to_next;
            assign from_back   = pop && count_q > 6'd2;
            assign behind      = read_q ? row : next_q;
            assign behind_side = read_q ? side : next_side_q;

            always @(posedge clk) begin
                if (to_next) begin
                    next_q      <= s_data;
                    next_side_q <= s_side;
                end
                if (to_next || from_back)
                    read_q <= from_back;
            end

            ace_ram_1r1w #(.DEPTH(BACK), .WIDTH(ROW_W)) u_rows (
                .clk(clk), .s_read_valid(from_back), .s_read_at(rd_q), .m_data(row),
                .s_write_valid(to_back), .s_write_at(wr_q), .s_write_data(s_data),
                .test_on(1'b0), .test_read(1'b0), .test_write(1'b0), .test_at({PTR_W{1'b0}}), .test_data({ROW_W{1'b0}})
            );
            ace_ram_1r1w #(.DEPTH(BACK), .WIDTH(SIDE_W)) u_sides (
                .clk(clk), .s_read_valid(from_back), .s_read_at(rd_q), .m_data(side),
                .s_write_valid(to_back), .s_write_at(wr_q), .s_write_data(s_side),
                .test_on(1'b0), .test_read(1'b0), .test_write(1'b0), .test_at({PTR_W{1'b0}}), .test_data({SIDE_W{1'b0}})
            );
        end else begin : g_registers
            reg [ROW_W-1:0]  back_q [0:BACK-1];
            reg [SIDE_W-1:0] back_side_q [0:BACK-1];

            assign to_back     = push && !to_head;
            assign from_back   = pop && count_q > 6'd1;
            assign behind      = back_q[rd_q];
            assign behind_side = back_side_q[rd_q];

            always @(posedge clk) begin
                if (to_back) begin
                    back_q[wr_q]      <= s_data;
                    back_side_q[wr_q] <= s_side;
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// row_fifo -- ace_row_fifo returns each pushed row once, in order
//
// Properties
//   count     The count is the rows pushed less the rows popped, never above DEPTH and never below
//             0.
//   ready     s_ready is high whenever there is room, and m_valid whenever a row is inside.
//   order     Any one row, chosen freely, comes out unchanged after exactly the rows pushed
//             earlier.
//   rate      cover: DEPTH + 4 rows pass, one in every cycle

`default_nettype none

module row_fifo #(
    parameter ROW_W = 8,
    parameter SIDE_W = 1,
    parameter DEPTH = 4,
    parameter RAM = 0
) (
    input wire              clk,
    input wire              rst,
    input wire              s_valid,
    input wire [ROW_W-1:0]  s_data,
    input wire [SIDE_W-1:0] s_side,
    input wire              m_ready,
    input wire              choose      // track the row pushed now
);
    wire              s_ready, m_valid;
    wire [ROW_W-1:0]  m_data;
    wire [SIDE_W-1:0] m_side;
    wire [5:0]        count;

    ace_row_fifo #(.ROW_W(ROW_W), .SIDE_W(SIDE_W), .DEPTH(DEPTH), .RAM(RAM)) dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_side(s_side),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_side(m_side), .count(count));

    `include "live.vh"
    wire push = s_valid && s_ready;
    wire pop  = m_valid && m_ready;

    reg [5:0]              held;
    reg                    tracked;
    reg [5:0]              ahead;       // rows before the tracked one
    reg [ROW_W+SIDE_W-1:0] row;
    always @(posedge clk) begin
        if (rst) begin
            held    <= 6'd0;
            tracked <= 1'b0;
        end else begin
            held <= held + push - pop;
            if (!tracked && push && choose) begin
                tracked <= 1'b1;
                ahead   <= held - pop;
                row     <= {s_side, s_data};
            end else if (tracked && pop) begin
                ahead <= ahead - 6'd1;
                if (ahead == 6'd0) tracked <= 1'b0;
            end
        end
    end

    always @* if (live) begin
        assert (count == held);
        assert (held <= DEPTH);
        assert (s_ready == (held != DEPTH));
        assert (m_valid == (held != 6'd0));
        assert (!tracked || ahead < held);
        assert (!(tracked && ahead == 6'd0) || {m_side, m_data} == row);
    end

    reg [4:0] run;      // cycles in a row in which a row came and a row went
    always @(posedge clk) run <= rst || !(push && pop) ? 5'd0 : run + (run != 5'd31);
    always @* if (live) cover (run == DEPTH + 4);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// bank -- ace_bank: a read returns the row written last, and no row is lost
//
// Assumed: a read is begun two cycles ahead at the earliest, and not while m_pause is high.  In the
// node the steps of the switch ensure this.
//
// Properties
//   data      A read of any one row, chosen freely, returns a cycle later what was written to it
//             last.  The write may be waiting or done.  No other write changes the row.
//   port      A sub-bank gets no read and write in one cycle, and no two writes.
//   wait      A write that has to wait has a slot.  No row waits twice.
//   pause     m_pause is high while four rows wait.  No row waits after six cycles without a read
//             or write.

`default_nettype none

module bank #(
    parameter DEPTH = 16,
    parameter WIDTH = 1,
    parameter SUB_BANKS = 2
) (
    input wire             clk,
    input wire             rst,
    input wire             read,
    input wire [$clog2(DEPTH)-1:0] read_at,
    input wire             write,
    input wire [$clog2(DEPTH)-1:0] write_at,
    input wire [WIDTH-1:0] write_data
);
    localparam AT_W = $clog2(DEPTH), SUB_W = $clog2(SUB_BANKS), WAITS = 6;
    wire [WIDTH-1:0] data;
    wire             pause;

    ace_bank #(.DEPTH(DEPTH), .WIDTH(WIDTH), .SUB_BANKS(SUB_BANKS)) dut (
        .clk(clk), .rst(rst), .s_read_valid(read), .s_read_at(read_at), .m_data(data),
        .s_write_valid(write), .s_write_at(write_at), .s_write_data(write_data), .m_pause(pause));

    `include "live.vh"

    reg [1:0] paused = 2'd3;    // in the last cycle, and the one before
    always @(posedge clk) paused <= rst ? 2'd0 : {paused[0], pause};
    always @* begin
        assume (read_at < DEPTH && write_at < DEPTH);
        assume (!(read && paused[1]));
    end

    (* hierconn *) wire [WAITS-1:0]      \dut.g_split.waits_q ;
    (* hierconn *) wire [WAITS*AT_W-1:0] \dut.g_split.at_q ;
    (* hierconn *) wire [WAITS-1:0]      \dut.g_split.goes ;
    (* hierconn *) wire [WAITS-1:0]      \dut.g_split.enters ;
    (* hierconn *) wire                  \dut.g_split.direct ;
    (* hierconn *) wire                  \dut.g_split.joins ;
    wire [WAITS-1:0]      waits = \dut.g_split.waits_q , goes = \dut.g_split.goes ;
    wire [WAITS*AT_W-1:0] at = \dut.g_split.at_q ;

    // Any one row.
    (* anyconst *) reg [AT_W-1:0] row;
    reg             written, hit_1;
    reg [WIDTH-1:0] last, last_1;
    always @(posedge clk) begin
        if (rst || !live) written <= 1'b0;
        else if (write && write_at == row) begin
            written <= 1'b1;
            last    <= write_data;
        end
        hit_1  <= read && read_at == row && written && live && !rst;
        last_1 <= last;
    end
    always @* if (live) assert (!hit_1 || data == last_1);

    // Where the row is: in its sub-bank, or in a slot.
// inside: memory g_split.row_q
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[0] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[0] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[1] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[1] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[2] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[2] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[3] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[3] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[4] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[4] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[5] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[5] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[6] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[6] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[0].u_ram.memory[7] ;
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.g_sub[1].u_ram.memory[7] ;
    wire [DEPTH*WIDTH-1:0] words = {
        \dut.g_split.g_sub[1].u_ram.memory[7] , \dut.g_split.g_sub[0].u_ram.memory[7] ,
        \dut.g_split.g_sub[1].u_ram.memory[6] , \dut.g_split.g_sub[0].u_ram.memory[6] ,
        \dut.g_split.g_sub[1].u_ram.memory[5] , \dut.g_split.g_sub[0].u_ram.memory[5] ,
        \dut.g_split.g_sub[1].u_ram.memory[4] , \dut.g_split.g_sub[0].u_ram.memory[4] ,
        \dut.g_split.g_sub[1].u_ram.memory[3] , \dut.g_split.g_sub[0].u_ram.memory[3] ,
        \dut.g_split.g_sub[1].u_ram.memory[2] , \dut.g_split.g_sub[0].u_ram.memory[2] ,
        \dut.g_split.g_sub[1].u_ram.memory[1] , \dut.g_split.g_sub[0].u_ram.memory[1] ,
        \dut.g_split.g_sub[1].u_ram.memory[0] , \dut.g_split.g_sub[0].u_ram.memory[0] };
    (* hierconn *) wire [WIDTH-1:0] \dut.g_split.row_q[0] , \dut.g_split.row_q[1] , \dut.g_split.row_q[2] ,
        \dut.g_split.row_q[3] , \dut.g_split.row_q[4] , \dut.g_split.row_q[5] ;
    wire [WAITS*WIDTH-1:0] places = {\dut.g_split.row_q[5] , \dut.g_split.row_q[4] , \dut.g_split.row_q[3] ,
        \dut.g_split.row_q[2] , \dut.g_split.row_q[1] , \dut.g_split.row_q[0] };
    wire [WIDTH-1:0] word = words >> (row * WIDTH);
    reg              waiting;
    integer          p;
    always @* begin
        waiting = 1'b0;
        for (p = 0; p < WAITS; p = p + 1)
            if (waits[p] && at[p*AT_W +: AT_W] == row) begin
                waiting = 1'b1;
                if (live) assert (!written || places[p*WIDTH +: WIDTH] == last);
            end
        if (live) assert (!written || waiting || word == last);
    end

    // The slots.
    reg  [3:0] many;
    reg  [2:0] rests;
    integer    i, k;
    always @(posedge clk) rests <= rst || read || write ? 3'd0 : rests + (rests != 3'd6);
    always @* begin
        many = 4'd0;
        for (i = 0; i < WAITS; i = i + 1) begin
            many = many + waits[i];
            if (live) begin
                for (k = 0; k < i; k = k + 1)
                    assert (!(waits[i] && waits[k] && at[i*AT_W +: AT_W] == at[k*AT_W +: AT_W]));
                assert (!(goes[i] && read && at[i*AT_W +: SUB_W] == read_at[SUB_W-1:0]));
                assert (!(goes[i] && \dut.g_split.direct && at[i*AT_W +: SUB_W] == write_at[SUB_W-1:0]));
            end
        end
    end
    always @* if (live) begin
        assert ((goes & ~waits) == 0 && (goes & goes - 1) == 0);
        assert (!(\dut.g_split.direct && read && write_at[SUB_W-1:0] == read_at[SUB_W-1:0]));
        assert (!(\dut.g_split.joins && \dut.g_split.enters == 0));
        assert (pause == (many >= 4'd4));
        assert (many <= (!paused[0] ? 4'd4 : !paused[1] ? 4'd5 : 4'd6));
        assert ({1'b0, rests} + many <= 4'd6);
    end

    always @* if (live) cover (many == WAITS && hit_1 && waiting);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// window -- ace_exchange: a row of another member reaches the memory only inside its window
//
// Windows are any, and so is each row that arrives: its address, its key, its size.  No command is given.  The memory
// takes and answers when it likes.
//
// Properties
//   inside    an address is on m_aw only if it is one of the window of the row's key; of padding it is 0, and m_aw_pad
//             says that it is no access
//   refused   a row outside its window, and one of 0 bytes where the window is closed, is counted in
//             count_refused, and no other is; the first address is kept; it takes no place
//   room      eight rows at the most are here or have a place
//   rate      cover: rows of both windows and padding pass, and one is refused
//
// For the induction the places are told: each row held is one that may be written.
// inside: address_q note_q

`default_nettype none

module window (
    input wire        clk,
    input wire        rst,
    input wire        reserve,
    input wire        row_valid,
    input wire [31:0] row,
    input wire [16:0] note,
    input wire        aw_ready,
    input wire        w_ready,
    input wire        b_valid
);
    `include "live.vh"

    (* anyconst *) reg [63:0] first, last;      // of all-to-alls and of lists

    wire         aw_valid, aw_pad, w_valid, room, failed, failed_list;
    wire [47:0]  aw_addr, failed_addr;
    wire [255:0] strb;
    wire [31:0]  refused;

    ace_exchange #(.ROWS(1), .BURSTS(2), .SENDS(1), .DATA_W(1), .CODED(0)) dut (
        .clk(clk), .rst(rst), .cfg_ring(24'h020202), .cfg_rank(24'd0),
        .cfg_window_first(first), .cfg_window_last(last),
        .s_cmd_valid(1'b0), .s_cmd_list(1'b0), .s_cmd_dim_count(3'd0), .s_cmd_dims(6'd0), .s_cmd_source(48'd0),
        .s_cmd_destination(48'd0), .s_cmd_bytes(41'd0), .s_cmd_tag(16'd0), .m_done_ready(1'b0),
        .m_ar_ready(1'b0), .s_r_valid(1'b0), .s_r_data(2048'd0), .s_r_code(32'd0),
        .m_aw_valid(aw_valid), .m_aw_ready(aw_ready), .m_aw_addr(aw_addr), .m_aw_pad(aw_pad),
        .m_w_valid(w_valid), .m_w_ready(w_ready), .m_w_strb(strb), .s_b_valid(b_valid), .s_pop(7'd0),
        .m_room(room), .s_reserve(reserve), .s_row_valid(row_valid), .s_row_address(row), .s_row_note(note),
        .s_row_data(1'b0), .s_row_code(32'd0),
        .failed(failed), .failed_list(failed_list), .failed_addr(failed_addr), .count_refused(refused));

    // what may be written where, and what is padding
    function allowed;
        input [31:0] at;
        input [16:0] of;
        reg          list;
        reg   [31:0] low, high;
        begin
            list    = of[7:0] >= 8'd16;
            low     = list ? first[63:32] : first[31:0];
            high    = list ? last[63:32] : last[31:0];
            allowed = of[16:8] == 9'd0 ? !(low > high) : at >= low && at <= high;
        end
    endfunction

    // ---- rows here: reserved, waiting for their address to be taken, and for their data ----
    reg [3:0]  places, addresses, data;
    reg [1:0]  writes;
    reg [31:0] refusals;
    reg        dropped;
    reg [47:0] first_refused;
    wire       enters = row_valid && allowed(row, note), drops = row_valid && !allowed(row, note);
    wire       aw = aw_valid && aw_ready, w = w_valid && w_ready;
    wire [5:0] used = {2'd0, places} + {2'd0, addresses} + {2'd0, data};
    always @* begin
        assume (!reserve || room);
        assume (!row_valid || places != 4'd0);
        assume (!b_valid || writes != 2'd0);
    end
    always @(posedge clk)
        if (rst) {places, addresses, data, writes, refusals, dropped} <= 47'd0;
        else begin
            places    <= places + reserve - row_valid;
            addresses <= addresses + enters - aw;
            data      <= data + aw - w;
            writes    <= writes + aw - b_valid;
            refusals  <= refusals + drops;
            dropped   <= dropped || drops;
            if (!dropped) first_refused <= {8'd0, row, 8'd0};
        end

    // ---- inside: the places, and the row whose address is shown ----
    (* hierconn *) wire [2:0]  \dut.aw_q , \dut.w_q , \dut.wr_q ;
    (* hierconn *) wire [3:0]  \dut.used_q , \dut.aw_waits_q , \dut.w_waits_q ;
    (* hierconn *) wire [1:0]  \dut.writes_q ;
    (* hierconn *) wire [31:0] \dut.address_q[0] , \dut.address_q[1] , \dut.address_q[2] , \dut.address_q[3] ,
        \dut.address_q[4] , \dut.address_q[5] , \dut.address_q[6] , \dut.address_q[7] ;
    (* hierconn *) wire [16:0] \dut.note_q[0] , \dut.note_q[1] , \dut.note_q[2] , \dut.note_q[3] ,
        \dut.note_q[4] , \dut.note_q[5] , \dut.note_q[6] , \dut.note_q[7] ;
    wire [255:0] at = { \dut.address_q[7] , \dut.address_q[6] , \dut.address_q[5] , \dut.address_q[4] ,
        \dut.address_q[3] , \dut.address_q[2] , \dut.address_q[1] , \dut.address_q[0] };
    wire [135:0] of = { \dut.note_q[7] , \dut.note_q[6] , \dut.note_q[5] , \dut.note_q[4] ,
        \dut.note_q[3] , \dut.note_q[2] , \dut.note_q[1] , \dut.note_q[0] };
    genvar      k;
    generate
        for (k = 0; k < 8; k = k + 1) begin : g_place
            wire [2:0] behind = k[2:0] - \dut.aw_q ;
            always @* if (live)
                assert ({1'b0, behind} >= addresses || allowed(at[32*k +: 32], of[17*k +: 17]));
        end
    endgenerate
    wire [16:0] shown = of[17*\dut.aw_q +: 17];

    always @* if (live) begin
        assert (!aw_valid || (aw_pad ? aw_addr == 48'd0 : {aw_addr[47:40], aw_addr[7:0]} == 16'd0));
        assert (!aw_valid || aw_pad == (shown[16:8] == 9'd0));
        assert (!aw_valid || aw_pad || allowed(aw_addr[39:8], shown));
        assert (!aw_valid || addresses != 4'd0);
        assert (refused == refusals && failed == dropped && !failed_list);
        assert (!failed || failed_addr == first_refused);
        assert (used <= 6'd8 && room == (used != 6'd8));
        // where each row is: with this the rest is inductive
        assert (places <= 4'd8 && addresses <= 4'd8 && data <= 4'd8 && writes <= 2'd2);
        assert ({2'd0, \dut.used_q } == used);
        assert (\dut.aw_waits_q == addresses && \dut.w_waits_q == data && \dut.writes_q == writes);
        assert (\dut.wr_q == \dut.aw_q + addresses[2:0] && \dut.aw_q == \dut.w_q + data[2:0]);
    end

    reg [3:0] seen;
    always @(posedge clk)
        seen <= rst ? 4'd0 : seen | {drops, aw && aw_pad, aw && !aw_pad && shown[7:0] >= 8'd16,
                                     aw && !aw_pad && shown[7:0] < 8'd16};
    always @* if (live) cover (seen == 4'hf);
endmodule

`default_nettype wire

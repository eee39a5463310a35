// SPDX-License-Identifier: Apache-2.0
//
// axi_split -- ace_axi_split loses, doubles and reorders nothing, however far apart its channels run
//
// Engine and memories are free.  There are two channels, and beats have eight bits.
//
// Properties, of each stream in PART (1 AR, 2 AW, 4 W, 8 R, 16 B)
//   shown       A beat is shown exactly when there is one that was taken two cycles before or
//               earlier.  A beat of R or B needs one in each channel.  No ready of any channel
//               affects this.
//   stays       A beat is shown, unchanged, until it is taken.
//   content     The beat of any number K, chosen freely, leaves as beat K with the contents taken
//               as beat K.  Each channel gets its own part, and the responses of all channels are
//               joined in one: EXOKAY where a channel gives it or another ID, or last bits differ.
//   room        No more beats are taken than there are slots.
//   reset       Nothing is shown and nothing taken in the cycle after reset.
//   rate        cover: a row each way in each of six cycles
//
// Beats have numbers of three bits, of which five at most are in use.  With LEAD the proof also
// asserts the state inside.
//
// inside: held_*

`default_nettype none

module axi_split #(
    parameter ROWS = 4,
    parameter PART = 31,
    parameter LEAD = 0
) (
    input wire       clk,
    input wire       rst,
    input wire [2:0] s_valid,           // ar aw w
    input wire [1:0] r_valid,           // of each channel
    input wire [1:0] b_valid,
    input wire [1:0] ar_ready, aw_ready, w_ready,
    input wire       r_ready, b_ready,
    input wire [2:0] ar_free, aw_free,  // len, an address bit, prot
    input wire [4:0] w_free,            // data, strobe of each channel, last
    input wire [7:0] r_free,            // data, resp and last of each channel
    input wire [5:0] b_free             // resp of each channel, and whether its ID is another
);
    wire        s_ar_ready, s_aw_ready, s_w_ready, m_r_valid, m_r_last, m_b_valid;
    wire [15:0] m_r_data, wdata, arlen, awlen;
    wire [1:0]  m_r_resp, m_b_resp, arvalid, awvalid, wvalid, wstrb, wlast, rready, bready;
    wire [127:0] araddr, awaddr;
    wire [5:0]  arprot, awprot;

    ace_axi_split #(.CHANNELS(2), .ROWS(ROWS), .ROW_W(16)) dut (
        .clk(clk), .rst(rst), .cfg_window(32'd0), .cfg_cache(4'd0), .cfg_qos(4'd0),
        .s_ar_valid(s_valid[0]), .s_ar_ready(s_ar_ready), .s_ar_addr({46'd0, ar_free[1], 1'b0}),
        .s_ar_len({7'd0, ar_free[0]}), .s_ar_prot({2'd0, ar_free[2]}),
        .m_r_valid(m_r_valid), .m_r_ready(r_ready), .m_r_data(m_r_data), .m_r_last(m_r_last), .m_r_resp(m_r_resp),
        .s_aw_valid(s_valid[1]), .s_aw_ready(s_aw_ready), .s_aw_addr({46'd0, aw_free[1], 1'b0}),
        .s_aw_len({7'd0, aw_free[0]}), .s_aw_prot({2'd0, aw_free[2]}),
        .s_w_valid(s_valid[2]), .s_w_ready(s_w_ready), .s_w_data({7'd0, w_free[1], 7'd0, w_free[0]}),
        .s_w_strb(w_free[3:2]), .s_w_last(w_free[4]),
        .m_b_valid(m_b_valid), .m_b_ready(b_ready), .m_b_resp(m_b_resp),
        .m_axi_arvalid(arvalid), .m_axi_arready(ar_ready), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arprot(arprot),
        .m_axi_rvalid(r_valid), .m_axi_rready(rready), .m_axi_rdata({7'd0, r_free[1], 7'd0, r_free[0]}),
        .m_axi_rresp(r_free[5:2]), .m_axi_rlast(r_free[7:6]),
        .m_axi_rid(8'd0), .m_axi_bid({b_free[5], 3'd0, b_free[4], 3'd0}),
        .m_axi_awvalid(awvalid), .m_axi_awready(aw_ready), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awprot(awprot),
        .m_axi_wvalid(wvalid), .m_axi_wready(w_ready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_bvalid(b_valid), .m_axi_bready(bready), .m_axi_bresp(b_free[3:0]));

    `include "live.vh"
    (* anyconst *) reg [2:0] number;

    // ---- what is free of a beat, four bits at most: as it comes, and as it is shown ----

    wire [4:0] takes = {s_valid[2] && s_w_ready, s_valid[1] && s_aw_ready, s_valid[0] && s_ar_ready};
    wire [9:0] came  = {b_valid & bready, r_valid & rready, {2{takes[2]}}, {2{takes[1]}}, {2{takes[0]}}};
    wire [9:0] valid = {{2{m_b_valid}}, {2{m_r_valid}}, wvalid, awvalid, arvalid};
    wire [9:0] ready = {{2{b_ready}}, {2{r_ready}}, w_ready, aw_ready, ar_ready};
    wire [9:0] opens = {bready, rready, {2{s_w_ready}}, {2{s_aw_ready}}, {2{s_ar_ready}}};
    wire [39:0] brought = {
        {1'd0, b_free[5], b_free[3:2]}, {1'd0, b_free[4], b_free[1:0]}, {r_free[7], r_free[1], r_free[5:4]},
        {r_free[6], r_free[0], r_free[3:2]},
        {1'b0, w_free[4], w_free[3], w_free[1]}, {1'b0, w_free[4], w_free[2], w_free[0]},
        {2{1'b0, aw_free}}, {2{1'b0, ar_free}}};
    wire [23:0] shown = {
        {1'b0, wlast[1], wstrb[1], wdata[8]}, {1'b0, wlast[0], wstrb[0], wdata[0]},
        {1'b0, awprot[3], awaddr[64], awlen[8]}, {1'b0, awprot[0], awaddr[0], awlen[0]},
        {1'b0, arprot[3], araddr[64], arlen[8]}, {1'b0, arprot[0], araddr[0], arlen[0]}};

    // ---- a lane each: ar, aw, w, r, b of channels 0 and 1 ----

    reg  [29:0] firsts, lasts;          // numbers of the beat that leaves next, and of the next to come
    reg  [9:0]  took, waits;
    reg  [23:0] was;
    reg  [39:0] whats;                  // beat `number`
    wire [9:0]  here, numbered;         // a beat that may be shown; it is `number`
    genvar n, s;
    generate
        for (n = 0; n < 10; n = n + 1) begin : g_lane
            wire [2:0] first = firsts[3*n +: 3], last = lasts[3*n +: 3], held = last - first;
            assign here[n] = held - took[n] != 3'd0;
            assign numbered[n] = first == number;
            always @(posedge clk) begin
                firsts[3*n +: 3] <= rst ? 3'd0 : first + (valid[n] && ready[n]);
                lasts[3*n +: 3]  <= rst ? 3'd0 : last + came[n];
                took[n]  <= !rst && came[n];
                waits[n] <= !rst && valid[n] && !ready[n];
                if (came[n] && last == number) whats[4*n +: 4] <= brought[4*n +: 4];
            end
            always @* if (live && PART >> n / 2 & 1) assert (held <= ROWS + 1);
            if (n < 6) begin : g_to
                always @(posedge clk) was[4*n +: 4] <= shown[4*n +: 4];
                always @* if (live && PART >> n / 2 & 1) begin
                    assert (valid[n] == here[n]);
                    assert (!waits[n] || (valid[n] && shown[4*n +: 4] == was[4*n +: 4]));
                    assert (!(valid[n] && numbered[n]) || shown[4*n +: 4] == whats[4*n +: 4]);
                end
            end
        end
    endgenerate

    // ---- what the engine gets, of both ----

    wire r_odd = whats[25:24] == 2'd1 || whats[29:28] == 2'd1 || whats[27] != whats[31];
    wire b_odd = whats[33:32] == 2'd1 || whats[37:36] == 2'd1 || whats[34] || whats[38];
    reg [6:0] r_was, b_was;
    wire [6:0] r_shown = {m_r_resp, m_r_last, m_r_data[8], m_r_data[0], 2'd0}, b_shown = {m_b_resp, 5'd0};
    always @(posedge clk) {r_was, b_was} <= {r_shown, b_shown};
    always @* if (live && PART & 8) begin
        assert (m_r_valid == (here[7:6] == 2'b11));
        assert (!waits[6] || (m_r_valid && r_shown == r_was));
        if (m_r_valid && numbered[6]) begin
            assert (m_r_resp[1] == (!r_odd && (whats[25] || whats[29])));
            assert (m_r_resp[0] == (r_odd || whats[25:24] == 2'd3 || whats[29:28] == 2'd3));
            assert ({m_r_data[8], m_r_data[0], m_r_last} == {whats[30], whats[26], whats[27]});
        end
    end
    always @* if (live && PART & 16) begin
        assert (m_b_valid == (here[9:8] == 2'b11));
        assert (!waits[8] || (m_b_valid && b_shown == b_was));
        if (m_b_valid && numbered[8]) begin
            assert (m_b_resp[1] == (!b_odd && (whats[33] || whats[37])));
            assert (m_b_resp[0] == (b_odd || whats[33:32] == 2'd3 || whats[37:36] == 2'd3));
        end
    end

    // ---- lead: where each beat is inside, with ROWS = 4 ----

    function [3:0] low_ar; input [81:0] beat; low_ar = {1'b0, beat[4], beat[15], beat[7]}; endfunction
    function [3:0] low_w; input [9:0] beat; low_w = {1'b0, beat[9], beat[8], beat[0]}; endfunction
    // of an ID the bit that is free; R has none, as its beats have no fifth free bit
    function [3:0] low_r; input [14:0] beat; low_r = {beat[10], beat[0], beat[9:8]}; endfunction
    function [3:0] low_b; input [5:0] beat; low_b = {1'd0, beat[5], beat[1:0]}; endfunction
    (* hierconn *) wire [2:0] \dut.g_channel[0].u_ar.count_q , \dut.g_channel[1].u_ar.count_q ,
        \dut.g_channel[0].u_aw.count_q , \dut.g_channel[1].u_aw.count_q , \dut.g_channel[0].u_w.count_q ,
        \dut.g_channel[1].u_w.count_q , \dut.g_channel[0].u_r.count_q , \dut.g_channel[1].u_r.count_q ,
        \dut.g_channel[0].u_b.count_q , \dut.g_channel[1].u_b.count_q ;
    (* hierconn *) wire [1:0] \dut.g_channel[0].u_ar.wr_q , \dut.g_channel[1].u_ar.wr_q ,
        \dut.g_channel[0].u_aw.wr_q , \dut.g_channel[1].u_aw.wr_q , \dut.g_channel[0].u_w.wr_q ,
        \dut.g_channel[1].u_w.wr_q , \dut.g_channel[0].u_r.wr_q , \dut.g_channel[1].u_r.wr_q ,
        \dut.g_channel[0].u_b.wr_q , \dut.g_channel[1].u_b.wr_q ;
    (* hierconn *) wire [1:0] \dut.g_channel[0].u_ar.rd_q , \dut.g_channel[1].u_ar.rd_q ,
        \dut.g_channel[0].u_aw.rd_q , \dut.g_channel[1].u_aw.rd_q , \dut.g_channel[0].u_w.rd_q ,
        \dut.g_channel[1].u_w.rd_q , \dut.g_channel[0].u_r.rd_q , \dut.g_channel[1].u_r.rd_q ,
        \dut.g_channel[0].u_b.rd_q , \dut.g_channel[1].u_b.rd_q ;
    (* hierconn *) wire \dut.g_channel[0].u_ar.took_q , \dut.g_channel[1].u_ar.took_q ,
        \dut.g_channel[0].u_aw.took_q , \dut.g_channel[1].u_aw.took_q , \dut.g_channel[0].u_w.took_q ,
        \dut.g_channel[1].u_w.took_q , \dut.g_channel[0].u_r.took_q , \dut.g_channel[1].u_r.took_q ,
        \dut.g_channel[0].u_b.took_q , \dut.g_channel[1].u_b.took_q ;
    (* hierconn *) wire [81:0] \dut.g_channel[0].u_ar.taken_q , \dut.g_channel[0].u_ar.held_q[3] ,
        \dut.g_channel[0].u_ar.held_q[2] , \dut.g_channel[0].u_ar.held_q[1] , \dut.g_channel[0].u_ar.held_q[0] ,
        \dut.g_channel[1].u_ar.taken_q , \dut.g_channel[1].u_ar.held_q[3] , \dut.g_channel[1].u_ar.held_q[2] ,
        \dut.g_channel[1].u_ar.held_q[1] , \dut.g_channel[1].u_ar.held_q[0] ;
    (* hierconn *) wire [81:0] \dut.g_channel[0].u_aw.taken_q , \dut.g_channel[0].u_aw.held_q[3] ,
        \dut.g_channel[0].u_aw.held_q[2] , \dut.g_channel[0].u_aw.held_q[1] , \dut.g_channel[0].u_aw.held_q[0] ,
        \dut.g_channel[1].u_aw.taken_q , \dut.g_channel[1].u_aw.held_q[3] , \dut.g_channel[1].u_aw.held_q[2] ,
        \dut.g_channel[1].u_aw.held_q[1] , \dut.g_channel[1].u_aw.held_q[0] ;
    (* hierconn *) wire [9:0] \dut.g_channel[0].u_w.taken_q , \dut.g_channel[0].u_w.held_q[3] ,
        \dut.g_channel[0].u_w.held_q[2] , \dut.g_channel[0].u_w.held_q[1] , \dut.g_channel[0].u_w.held_q[0] ,
        \dut.g_channel[1].u_w.taken_q , \dut.g_channel[1].u_w.held_q[3] , \dut.g_channel[1].u_w.held_q[2] ,
        \dut.g_channel[1].u_w.held_q[1] , \dut.g_channel[1].u_w.held_q[0] ;
    (* hierconn *) wire [14:0] \dut.g_channel[0].u_r.taken_q , \dut.g_channel[0].u_r.held_q[3] ,
        \dut.g_channel[0].u_r.held_q[2] , \dut.g_channel[0].u_r.held_q[1] , \dut.g_channel[0].u_r.held_q[0] ,
        \dut.g_channel[1].u_r.taken_q , \dut.g_channel[1].u_r.held_q[3] , \dut.g_channel[1].u_r.held_q[2] ,
        \dut.g_channel[1].u_r.held_q[1] , \dut.g_channel[1].u_r.held_q[0] ;
    (* hierconn *) wire [5:0] \dut.g_channel[0].u_b.taken_q , \dut.g_channel[0].u_b.held_q[3] ,
        \dut.g_channel[0].u_b.held_q[2] , \dut.g_channel[0].u_b.held_q[1] , \dut.g_channel[0].u_b.held_q[0] ,
        \dut.g_channel[1].u_b.taken_q , \dut.g_channel[1].u_b.held_q[3] , \dut.g_channel[1].u_b.held_q[2] ,
        \dut.g_channel[1].u_b.held_q[1] , \dut.g_channel[1].u_b.held_q[0] ;
    wire [29:0] counts = {\dut.g_channel[1].u_b.count_q , \dut.g_channel[0].u_b.count_q ,
        \dut.g_channel[1].u_r.count_q , \dut.g_channel[0].u_r.count_q , \dut.g_channel[1].u_w.count_q ,
        \dut.g_channel[0].u_w.count_q , \dut.g_channel[1].u_aw.count_q , \dut.g_channel[0].u_aw.count_q ,
        \dut.g_channel[1].u_ar.count_q , \dut.g_channel[0].u_ar.count_q };
    wire [19:0] wrs = {\dut.g_channel[1].u_b.wr_q , \dut.g_channel[0].u_b.wr_q , \dut.g_channel[1].u_r.wr_q ,
        \dut.g_channel[0].u_r.wr_q , \dut.g_channel[1].u_w.wr_q , \dut.g_channel[0].u_w.wr_q ,
        \dut.g_channel[1].u_aw.wr_q , \dut.g_channel[0].u_aw.wr_q , \dut.g_channel[1].u_ar.wr_q ,
        \dut.g_channel[0].u_ar.wr_q };
    wire [19:0] rds = {\dut.g_channel[1].u_b.rd_q , \dut.g_channel[0].u_b.rd_q , \dut.g_channel[1].u_r.rd_q ,
        \dut.g_channel[0].u_r.rd_q , \dut.g_channel[1].u_w.rd_q , \dut.g_channel[0].u_w.rd_q ,
        \dut.g_channel[1].u_aw.rd_q , \dut.g_channel[0].u_aw.rd_q , \dut.g_channel[1].u_ar.rd_q ,
        \dut.g_channel[0].u_ar.rd_q };
    wire [9:0] tooks = {\dut.g_channel[1].u_b.took_q , \dut.g_channel[0].u_b.took_q , \dut.g_channel[1].u_r.took_q ,
        \dut.g_channel[0].u_r.took_q , \dut.g_channel[1].u_w.took_q , \dut.g_channel[0].u_w.took_q ,
        \dut.g_channel[1].u_aw.took_q , \dut.g_channel[0].u_aw.took_q , \dut.g_channel[1].u_ar.took_q ,
        \dut.g_channel[0].u_ar.took_q };
    wire [39:0] takens = {low_b(\dut.g_channel[1].u_b.taken_q ), low_b(\dut.g_channel[0].u_b.taken_q ),
        low_r(\dut.g_channel[1].u_r.taken_q ), low_r(\dut.g_channel[0].u_r.taken_q ),
        low_w(\dut.g_channel[1].u_w.taken_q ), low_w(\dut.g_channel[0].u_w.taken_q ),
        low_ar(\dut.g_channel[1].u_aw.taken_q ), low_ar(\dut.g_channel[0].u_aw.taken_q ),
        low_ar(\dut.g_channel[1].u_ar.taken_q ), low_ar(\dut.g_channel[0].u_ar.taken_q )};
    wire [159:0] helds = {low_b(\dut.g_channel[1].u_b.held_q[3] ), low_b(\dut.g_channel[1].u_b.held_q[2] ),
        low_b(\dut.g_channel[1].u_b.held_q[1] ), low_b(\dut.g_channel[1].u_b.held_q[0] ),
        low_b(\dut.g_channel[0].u_b.held_q[3] ), low_b(\dut.g_channel[0].u_b.held_q[2] ),
        low_b(\dut.g_channel[0].u_b.held_q[1] ), low_b(\dut.g_channel[0].u_b.held_q[0] ),
        low_r(\dut.g_channel[1].u_r.held_q[3] ), low_r(\dut.g_channel[1].u_r.held_q[2] ),
        low_r(\dut.g_channel[1].u_r.held_q[1] ), low_r(\dut.g_channel[1].u_r.held_q[0] ),
        low_r(\dut.g_channel[0].u_r.held_q[3] ), low_r(\dut.g_channel[0].u_r.held_q[2] ),
        low_r(\dut.g_channel[0].u_r.held_q[1] ), low_r(\dut.g_channel[0].u_r.held_q[0] ),
        low_w(\dut.g_channel[1].u_w.held_q[3] ), low_w(\dut.g_channel[1].u_w.held_q[2] ),
        low_w(\dut.g_channel[1].u_w.held_q[1] ), low_w(\dut.g_channel[1].u_w.held_q[0] ),
        low_w(\dut.g_channel[0].u_w.held_q[3] ), low_w(\dut.g_channel[0].u_w.held_q[2] ),
        low_w(\dut.g_channel[0].u_w.held_q[1] ), low_w(\dut.g_channel[0].u_w.held_q[0] ),
        low_ar(\dut.g_channel[1].u_aw.held_q[3] ), low_ar(\dut.g_channel[1].u_aw.held_q[2] ),
        low_ar(\dut.g_channel[1].u_aw.held_q[1] ), low_ar(\dut.g_channel[1].u_aw.held_q[0] ),
        low_ar(\dut.g_channel[0].u_aw.held_q[3] ), low_ar(\dut.g_channel[0].u_aw.held_q[2] ),
        low_ar(\dut.g_channel[0].u_aw.held_q[1] ), low_ar(\dut.g_channel[0].u_aw.held_q[0] ),
        low_ar(\dut.g_channel[1].u_ar.held_q[3] ), low_ar(\dut.g_channel[1].u_ar.held_q[2] ),
        low_ar(\dut.g_channel[1].u_ar.held_q[1] ), low_ar(\dut.g_channel[1].u_ar.held_q[0] ),
        low_ar(\dut.g_channel[0].u_ar.held_q[3] ), low_ar(\dut.g_channel[0].u_ar.held_q[2] ),
        low_ar(\dut.g_channel[0].u_ar.held_q[1] ), low_ar(\dut.g_channel[0].u_ar.held_q[0] )};
    (* hierconn *) wire [14:0] \dut.g_channel[0].u_r.data_q , \dut.g_channel[1].u_r.data_q ;
    (* hierconn *) wire [5:0]  \dut.g_channel[0].u_b.data_q , \dut.g_channel[1].u_b.data_q ;
    wire [15:0] joined = {low_b(\dut.g_channel[1].u_b.data_q ), low_b(\dut.g_channel[0].u_b.data_q ),
                          low_r(\dut.g_channel[1].u_r.data_q ), low_r(\dut.g_channel[0].u_r.data_q )};
    generate
        for (n = 0; n < 10; n = n + 1) begin : g_lead
            wire [2:0] held = lasts[3*n +: 3] - firsts[3*n +: 3], count = counts[3*n +: 3];
            wire [2:0] next = firsts[3*n +: 3] + valid[n];      // the oldest that is not shown
            always @* if (live && LEAD) begin
                assert (tooks[n] == took[n]);
                assert (count == held - took[n] - valid[n]);
                assert (count <= 3'd4 && count + took[n] + opens[n] <= 3'd4);
                assert (wrs[2*n +: 2] - rds[2*n +: 2] == count[1:0]);
                assert (!took[n] || lasts[3*n +: 3] - 3'd1 != number || takens[4*n +: 4] == whats[4*n +: 4]);
            end
            for (s = 0; s < 4; s = s + 1) begin : g_place
                wire [1:0] behind = s[1:0] - rds[2*n +: 2];
                always @* if (live && LEAD)
                    assert ({1'b0, behind} >= count || next + {1'b0, behind} != number ||
                            helds[16*n+4*s +: 4] == whats[4*n +: 4]);
            end
            if (n >= 6) begin : g_joined
                always @* if (live && LEAD) assert (!valid[n] || !numbered[n] || joined[4*(n-6) +: 4] == whats[4*n +: 4]);
            end
        end
    endgenerate
    always @* if (live && LEAD) assert (firsts[18 +: 3] == firsts[21 +: 3] && firsts[24 +: 3] == firsts[27 +: 3]);

    reg was_rst;
    always @(posedge clk) was_rst <= rst;
    always @* if (live && was_rst) begin
        assert (!m_r_valid && !m_b_valid && {arvalid, awvalid, wvalid} == 6'd0);
        assert (!s_ar_ready && !s_aw_ready && !s_w_ready && {rready, bready} == 4'd0);
    end

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(m_r_valid && r_ready && (wvalid & w_ready) == 2'b11) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire

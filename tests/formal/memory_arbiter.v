// SPDX-License-Identifier: Apache-2.0
//
// memory_arbiter -- ace_memory_arbiter: who asks is who gets, nobody else
//
// The memory interface is any that holds BURSTS bursts at most each way and answers in order.
//
// Properties
//   grant     at most one side is taken in a cycle, only one that asks, and s0 before s1
//   held      s0's address waits for no one but the memory; a burst of s1 once taken is not lost
//   share     s1 never has more than DMA_BURSTS bursts outstanding each way, and none is
//             granted it while s0_busy and one of its bursts still has beats to send
//   reads     the data of any one read, chosen freely, goes to the side that asked for it
//   writes    likewise its beats are on m_w when its turn comes, and its answer comes back to
//             it; no beat is on m_w before its address was taken
//   rate      cover: an address and a beat of each kind pass in six cycles in a row

`default_nettype none

module memory_arbiter #(
    parameter DMA_BURSTS = 2,
    parameter BURSTS = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        s0_busy,
    input wire        s0_aw_pad,
    input wire [6:0]  s0,           // ar_valid aw_valid w_valid r_ready, and tags of the addresses
    input wire [7:0]  s1,           // likewise, and w_last
    input wire        m_ar_ready,
    input wire        m_r_valid,
    input wire        m_r_last,
    input wire        m_aw_ready,
    input wire        m_w_ready,
    input wire        m_b_valid,
    input wire        choose_read,
    input wire        choose_write
);
    wire        s0_ar_ready, s0_r_valid, s0_aw_ready, s0_w_ready, s0_b_valid;
    wire        s1_ar_ready, s1_r_valid, s1_aw_ready, s1_w_ready, s1_b_valid;
    wire        m_ar_valid, m_r_ready, m_aw_valid, m_w_valid, m_w_first, m_w_last, m_b_ready;
    wire [47:0] m_ar_addr, m_aw_addr;
    wire [7:0]  m_ar_len, m_aw_len;
    wire        m_aw_pad;
    wire s0_ar_valid = s0[0], s0_aw_valid = s0[1], s0_w_valid = s0[2], s0_r_ready = s0[3];
    wire s1_ar_valid = s1[0], s1_aw_valid = s1[1], s1_w_valid = s1[2], s1_r_ready = s1[3];

    ace_memory_arbiter #(.DMA_BURSTS(DMA_BURSTS), .BURSTS(BURSTS)) dut (
        .clk(clk), .rst(rst), .s0_busy(s0_busy),
        .s0_ar_valid(s0_ar_valid), .s0_ar_ready(s0_ar_ready), .s0_ar_addr({46'd0, s0[5:4]}),
        .s0_r_valid(s0_r_valid), .s0_r_ready(s0_r_ready),
        .s0_aw_valid(s0_aw_valid), .s0_aw_ready(s0_aw_ready), .s0_aw_addr({47'd0, s0[6]}),
        .s0_aw_pad(s0_aw_pad), .m_aw_pad(m_aw_pad),
        .s0_w_valid(s0_w_valid), .s0_w_ready(s0_w_ready), .s0_b_valid(s0_b_valid),
        .s1_ar_valid(s1_ar_valid), .s1_ar_ready(s1_ar_ready), .s1_ar_addr({46'd0, s1[5:4]}), .s1_ar_len({7'd0, s1[4]}),
        .s1_r_valid(s1_r_valid), .s1_r_ready(s1_r_ready),
        .s1_aw_valid(s1_aw_valid), .s1_aw_ready(s1_aw_ready), .s1_aw_addr({47'd0, s1[6]}), .s1_aw_len({7'd0, s1[5]}),
        .s1_w_valid(s1_w_valid), .s1_w_ready(s1_w_ready), .s1_w_last(s1[7]), .s1_b_valid(s1_b_valid),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len),
        .m_r_valid(m_r_valid), .m_r_ready(m_r_ready), .m_r_last(m_r_last),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr), .m_aw_len(m_aw_len),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_first(m_w_first), .m_w_last(m_w_last),
        .m_b_valid(m_b_valid), .m_b_ready(m_b_ready));

    `include "live.vh"

    wire ar = m_ar_valid && m_ar_ready, aw = m_aw_valid && m_aw_ready;
    wire r_end = m_r_valid && m_r_ready && m_r_last;
    wire w_end = m_w_valid && m_w_ready && m_w_last;
    wire ar0 = s0_ar_valid && s0_ar_ready, ar1 = s1_ar_valid && s1_ar_ready;
    wire aw0 = s0_aw_valid && s0_aw_ready, aw1 = s1_aw_valid && s1_aw_ready;

    // bursts: reads open; writes whose beats are not all gone, all gone but not answered
    reg [3:0] reads, open, sent;
    reg [3:0] reads1, writes1, open1;       // of s1
    always @* begin
        assume (!m_ar_ready || reads < BURSTS);
        assume (!m_aw_ready || open + sent < BURSTS);
        assume (!m_r_valid || reads != 4'd0);
        assume (!m_b_valid || sent != 4'd0);
    end

    reg       read_tracked, read_first, write_tracked, write_first, gone;
    reg [3:0] read_ahead, write_ahead, answer_ahead;
    always @(posedge clk) begin
        if (rst) begin
            {reads, open, sent, reads1, writes1, open1} <= 24'd0;
            {read_tracked, write_tracked} <= 2'd0;
        end else begin
            reads   <= reads + ar - r_end;
            open    <= open + aw - w_end;
            sent    <= sent + w_end - m_b_valid;
            reads1  <= reads1 + ar1 - (r_end && s1_r_valid);
            writes1 <= writes1 + aw1 - s1_b_valid;
            open1   <= open1 + aw1 - (w_end && !m_w_first);
            if (!read_tracked && ar && choose_read) begin
                read_tracked <= 1'b1;
                read_first   <= ar0;
                read_ahead   <= reads - r_end;
            end else if (read_tracked && r_end) begin
                read_ahead <= read_ahead - 4'd1;
                if (read_ahead == 4'd0) read_tracked <= 1'b0;
            end
            if (!write_tracked && aw && choose_write) begin
                write_tracked <= 1'b1;
                write_first   <= aw0;
                write_ahead   <= open - w_end;
                answer_ahead  <= open + sent - m_b_valid;
                gone          <= 1'b0;
            end else if (write_tracked) begin
                if (w_end && !gone) begin
                    write_ahead <= write_ahead - 4'd1;
                    if (write_ahead == 4'd0) gone <= 1'b1;
                end
                if (m_b_valid) begin
                    answer_ahead <= answer_ahead - 4'd1;
                    if (answer_ahead == 4'd0) write_tracked <= 1'b0;
                end
            end
        end
    end

    wire read_turn  = read_tracked && read_ahead == 4'd0 && m_r_valid;
    wire write_turn = write_tracked && !gone && write_ahead == 4'd0;
    wire answered   = write_tracked && answer_ahead == 4'd0 && m_b_valid;
    always @* if (live) begin
        assert (!(ar0 && ar1) && !(aw0 && aw1));
        assert (ar == (ar0 || ar1) && aw == (aw0 || aw1));
        assert (!s0_ar_valid || ar0 == m_ar_ready);
        assert (!s0_aw_valid || aw0 == m_aw_ready);
        assert (!ar || {m_ar_addr, m_ar_len} == (ar0 ? {46'd0, s0[5:4], 8'd0} : {46'd0, s1[5:4], 7'd0, s1[4]}));
        assert (!aw || {m_aw_addr, m_aw_len} == (aw0 ? {47'd0, s0[6], 8'd0} : {47'd0, s1[6], 7'd0, s1[5]}));
        assert (!aw || m_aw_pad == (aw0 && s0_aw_pad));
        assert (reads1 <= DMA_BURSTS && writes1 <= DMA_BURSTS);
        assert (!(s0_busy && aw1) || open1 == 4'd0);
        assert (!(s1_ar_valid && !s0_ar_valid && reads1 < DMA_BURSTS) || ar1 == m_ar_ready);
        assert (!(s1_aw_valid && !s0_aw_valid && writes1 < DMA_BURSTS && open1 == 4'd0) || aw1 == m_aw_ready);
        assert (!m_r_valid || s0_r_valid != s1_r_valid);
        assert (m_r_valid || (!s0_r_valid && !s1_r_valid));
        assert (!m_r_valid || m_r_ready == (s0_r_valid ? s0_r_ready : s1_r_ready));
        assert (!read_turn || (read_first ? s0_r_valid : s1_r_valid));
        assert (!m_w_valid || open != 4'd0);
        assert (!m_w_valid || (m_w_first ? s0_w_valid : s1_w_valid));
        assert (!(s0_w_ready && s1_w_ready));
        assert (!(m_w_valid && m_w_ready) || (m_w_first ? s0_w_ready : s1_w_ready));
        assert (!write_turn || (m_w_first == write_first));
        assert (!write_turn || m_w_valid == (write_first ? s0_w_valid : s1_w_valid));
        assert (!write_turn || (write_first ? s0_w_ready : s1_w_ready) == m_w_ready);
        assert (!(m_w_valid && m_w_first) || m_w_last);
        assert (!answered || {s0_b_valid, s1_b_valid} == {write_first, !write_first});
        assert (m_b_valid || (!s0_b_valid && !s1_b_valid));
    end

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(ar && aw && r_end && w_end && m_b_valid) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// rx_dma -- ace_rx_dma: beats and write responses go to the half that issued their burst, in order
//
// The outputs of a half are free, with two exceptions.  The row that it holds stays, and a free bit
// marks the last beat of a burst.  The memory takes beats only of bursts whose address it took, and
// responds to bursts whose beats have left.  One burst is chosen freely.
//
// Properties
//   jobs      A job goes to the half of its bank, when both halves have a free slot.
//   bursts    m_aw belongs to one half, and to the half that goes first if both request.  That half
//             alone gets the ready.  No more than BURSTS wait for a write response.
//   beats     No beat is on m_w before its burst was taken.  The beats of the chosen burst come
//             from its half, at its turn, and that half alone gets the ready.
//   responses The chosen burst's write response goes to its half alone.
//   first     The half that goes first is the one that did not begin last.
//   halves    The assumptions of the proof rx_half: beats are taken only of bursts that were taken,
//             and write responses come only to bursts whose beats have left.
//   rate      cover: a burst, a beat that is a last and a write response in five cycles in a row, of both halves
//
// cut: dut.half_aw_valid dut.half_w_valid dut.half_w_last dut.row_begin dut.job_ready

`default_nettype none

module rx_dma #(
    parameter ROW_W = 16,
    parameter BURSTS = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [1:0]  s_job_bank,
    input wire [1:0]  s_read_grant,
    input wire        m_aw_ready,
    input wire        m_w_ready,
    input wire        s_b_valid,
    input wire        choose
);
    wire        s_job_ready, read_first, aw_valid, w_valid, w_last, done_valid;
    wire [1:0]  read_valid;
    wire [3:0]  read_bank;
    wire [23:0] read_row;
    wire [47:0] aw_addr;
    wire [7:0]  aw_len;
    wire [ROW_W-1:0]   w_data;
    wire [ROW_W/8-1:0] w_strb;
    wire [5:0]  done_id;

    ace_rx_dma #(.ROW_W(ROW_W), .BURSTS(BURSTS)) dut (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready), .s_job_address(48'd0),
        .s_job_limit(48'd0), .s_job_rows(11'd1), .s_job_burst(3'd0), .s_job_bank(s_job_bank), .s_job_row(12'd0),
        .s_job_base(12'd0), .s_job_end(12'd0), .s_job_id(6'd0), .m_read_valid(read_valid), .m_read_first(read_first),
        .m_read_bank(read_bank), .m_read_row(read_row), .s_read_grant(s_read_grant), .s_read_data({ROW_W{1'b0}}),
        .s_read_code(32'd0),
        .m_aw_valid(aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len),
        .m_w_valid(w_valid), .m_w_ready(m_w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last),
        .s_b_valid(s_b_valid), .m_done_valid(done_valid), .m_done_id(done_id));

    `include "live.vh"

    // outputs of the halves, which are free, and their inputs
    (* hierconn *) wire [1:0] \dut.half_aw_valid , \dut.half_w_valid , \dut.half_w_last , \dut.row_begin , \dut.job_ready ;
    (* hierconn *) wire \dut.g_half[0].u_half.m_aw_ready , \dut.g_half[1].u_half.m_aw_ready ;
    (* hierconn *) wire \dut.g_half[0].u_half.m_w_ready , \dut.g_half[1].u_half.m_w_ready ;
    (* hierconn *) wire \dut.g_half[0].u_half.s_b_valid , \dut.g_half[1].u_half.s_b_valid ;
    (* hierconn *) wire \dut.g_half[0].u_half.s_job_valid , \dut.g_half[1].u_half.s_job_valid ;
    wire [1:0] requests = \dut.half_aw_valid , has = \dut.half_w_valid , lasts = \dut.half_w_last , begins = \dut.row_begin ;
    wire [1:0] takes = {\dut.g_half[1].u_half.m_aw_ready , \dut.g_half[0].u_half.m_aw_ready } & requests;
    wire [1:0] beats = {\dut.g_half[1].u_half.m_w_ready , \dut.g_half[0].u_half.m_w_ready } & has;
    wire [1:0] responses = {\dut.g_half[1].u_half.s_b_valid , \dut.g_half[0].u_half.s_b_valid };
    wire [1:0] jobs = {\dut.g_half[1].u_half.s_job_valid , \dut.g_half[0].u_half.s_job_valid } & \dut.job_ready ;
    wire aw = aw_valid && m_aw_ready, beat = w_valid && m_w_ready, ends = beat && w_last;

    // bursts whose beats are to come, and whose beats have left: of both halves, and of each
    reg [3:0] open, sent, open_0, open_1, sent_0, sent_1;
    always @* assume (!s_b_valid || sent != 4'd0);

    reg       tracked, odd, gone, first;
    reg [3:0] ahead, responses_ahead;
    always @(posedge clk) begin
        if (rst) begin
            {open, sent, open_0, open_1, sent_0, sent_1} <= 24'd0;
            {tracked, first} <= 2'd0;
        end else begin
            open   <= open + aw - ends;
            sent   <= sent + ends - s_b_valid;
            open_0 <= open_0 + takes[0] - (beats[0] && lasts[0]);
            open_1 <= open_1 + takes[1] - (beats[1] && lasts[1]);
            sent_0 <= sent_0 + (beats[0] && lasts[0]) - responses[0];
            sent_1 <= sent_1 + (beats[1] && lasts[1]) - responses[1];
            if (begins != 2'd0) first <= !begins[1];
            if (!tracked && aw && choose) begin
                tracked       <= 1'b1;
                odd           <= takes[1];
                ahead         <= open - ends;
                responses_ahead <= open + sent - s_b_valid;
                gone          <= 1'b0;
            end else if (tracked) begin
                if (ends && !gone) begin
                    ahead <= ahead - 4'd1;
                    if (ahead == 4'd0) gone <= 1'b1;
                end
                if (s_b_valid) begin
                    responses_ahead <= responses_ahead - 4'd1;
                    if (responses_ahead == 4'd0) tracked <= 1'b0;
                end
            end
        end
    end

    wire turn = tracked && !gone && ahead == 4'd0;
    always @* if (live) begin
        assert (s_job_ready == (\dut.job_ready == 2'd3));
        assert (jobs == (s_job_valid && s_job_ready ? (s_job_bank[0] ? 2'd2 : 2'd1) : 2'd0));
        assert (!aw_valid || requests != 2'd0);
        assert (aw_valid || requests == 2'd0 || open + sent == BURSTS);
        assert (takes == (aw ? (requests == 2'd3 ? (first ? 2'd2 : 2'd1) : requests) : 2'd0));
        assert (open + sent <= BURSTS && read_first == first);
        assert (!w_valid || open != 4'd0);
        assert (!turn || (w_valid == has[odd] && (!w_valid || w_last == lasts[odd])));
        assert (!turn || beats == (beat ? (odd ? 2'd2 : 2'd1) : 2'd0));
        assert (!(tracked && responses_ahead == 4'd0) || responses == (s_b_valid ? (odd ? 2'd2 : 2'd1) : 2'd0));
        assert (responses != 2'd3 && (responses != 2'd0) == s_b_valid);
        // the halves
        assert (beats != 2'd3 && (!beats[0] || open_0 != 4'd0) && (!beats[1] || open_1 != 4'd0));
        assert ((!responses[0] || sent_0 != 4'd0) && (!responses[1] || sent_1 != 4'd0));
    end

    reg [3:0] run;
    reg [1:0] seen;
    always @(posedge clk) begin
        run  <= rst || !(aw && ends && s_b_valid) ? 4'd0 : run + (run != 4'd15);
        seen <= rst || !(aw && ends && s_b_valid) ? 2'd0 : seen | beats;
    end
    always @* if (live) cover (run == 4'd5 && seen == 2'd3);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// memory_interface -- ace_memory_interface keeps the rules of AXI4, loses and reorders nothing
//
// DMAs and memory are any that keep the rules themselves; a burst has one or two beats.  With WRONG the memory
// answers as it likes.
//
// Properties (PART)
//   1 AXI         m_ar, m_aw, m_w, m_r and m_b stay, payload too, until they are taken
//     outstanding never more than BURSTS each way, and room is offered below that
//     order       a beat is on m_w in a cycle exactly when one is here, or is owed in a drain, and
//                 its s_aw was taken two cycles before or earlier: m_aw_ready has no part in it.  An
//                 answer is on m_b only for a burst that the memory has answered
//     padding     a burst of padding is on m_aw and m_w in no cycle; it takes its turn among the others
//     drain       busy is low only when the memory has nothing outstanding: a row or an answer never
//                 comes when none is asked for, in this run or the next
//   2 requests    any one read and any one write address, chosen freely, leave unchanged after
//                 exactly those before them
//   4 data        any one beat read and any one written likewise, with last and strobes
//   8 protocol    with WRONG: protocol_failed is high exactly from the first wrong answer on, with the address of its
//                 burst.  Rows go on exactly up to that answer
//     lost        memory_lost comes after DRAIN_LIMIT cycles of a drain without a beat at the memory's pins, and
//                 never otherwise.  No drain has more than STILL cycles in a row without one.  From then on nothing
//                 is shown to the memory, and what it gives is taken
//   rate          cover: beats each way in six cycles in a row
//
// For the induction the module's clock is any number in any cycle, which lets requests and answers
// go earlier and later than they can:
// cut: dut.now_q

`default_nettype none

module memory_interface #(
    parameter BURSTS = 2,
    parameter PART = 7,
    parameter WRONG = 0,
    parameter DRAIN_LIMIT = 0,
    parameter STILL = 0
) (
    input wire       clk,
    input wire       rst,
    input wire [7:0] dma_valid,         // ar aw w, r_ready b_ready, address bits, last
    input wire       s_w_bit,
    input wire [5:0] memory,            // ar_ready aw_ready w_ready, r_valid b_valid, last
    input wire       s_r_bit,
    input wire [3:0] choose,
    input wire       s_aw_pad,
    input wire [1:0] exokay,            // R, B: with WRONG
    input wire       drain
);
    wire        s_ar_ready, s_aw_ready, s_w_ready, m_r_valid, m_r_last, m_b_valid;
    wire        busy, m_ar_valid, m_aw_valid, m_w_valid, m_w_last, m_w_strb, s_r_ready;
    wire [47:0] m_ar_addr, m_aw_addr;
    wire [7:0]  m_ar_len, m_aw_len, m_r_data, m_w_data;
    wire        s_ar_valid = dma_valid[0], s_aw_valid = dma_valid[1], s_w_valid = dma_valid[2];
    wire        m_r_ready = dma_valid[3], m_b_ready = dma_valid[4], s_w_last = dma_valid[7];
    wire        m_ar_ready = memory[0], m_aw_ready = memory[1], m_w_ready = memory[2];
    wire        s_r_valid = memory[3], s_b_valid = memory[4], s_r_last = memory[5];
    (* anyconst *) reg [1:0] half_cycles, latency;

    wire        protocol_failed, memory_lost;
    wire [47:0] protocol_failed_addr;

    ace_memory_interface #(.BURSTS(BURSTS), .ROW_W(8), .CODED(0), .DRAIN_LIMIT(DRAIN_LIMIT)) dut (
        .clk(clk), .rst(rst), .drain(drain), .busy(busy), .cfg_read_cost(24'd256 + {half_cycles, 7'd0}), .cfg_write_cost(24'd256 + {half_cycles, 7'd0}),
        .cfg_latency({14'd0, latency}),
        .s_ar_valid(s_ar_valid), .s_ar_ready(s_ar_ready), .s_ar_addr({47'd0, dma_valid[5]}), .s_ar_len({7'd0, dma_valid[6]}),
        .m_r_valid(m_r_valid), .m_r_ready(m_r_ready), .m_r_data(m_r_data), .m_r_last(m_r_last),
        .s_aw_valid(s_aw_valid), .s_aw_ready(s_aw_ready), .s_aw_addr({47'd0, dma_valid[5]}), .s_aw_len({7'd0, dma_valid[6] && !s_aw_pad}),
        .s_aw_pad(s_aw_pad),
        .s_w_valid(s_w_valid), .s_w_ready(s_w_ready), .s_w_data({7'd0, s_w_bit}), .s_w_strb(!s_w_bit),
        .s_w_code(32'd0), .s_w_last(s_w_last),
        .m_b_valid(m_b_valid), .m_b_ready(m_b_ready),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len),
        .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data({7'd0, s_r_bit}), .s_r_last(s_r_last),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr), .m_aw_len(m_aw_len),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(m_w_data), .m_w_strb(m_w_strb), .m_w_last(m_w_last),
        .s_b_valid(s_b_valid), .s_r_resp({1'b0, exokay[0] && WRONG}), .s_b_resp({1'b0, exokay[1] && WRONG}),
        .protocol_failed(protocol_failed), .protocol_failed_addr(protocol_failed_addr), .memory_lost(memory_lost));

    `include "live.vh"

    wire s_ar = s_ar_valid && s_ar_ready && !drain, m_ar = m_ar_valid && m_ar_ready;
    wire s_aw = s_aw_valid && s_aw_ready && !drain, m_aw = m_aw_valid && m_aw_ready;
    wire s_r = s_r_valid && s_r_ready, m_r = m_r_valid && (m_r_ready || drain);
    wire s_w = s_w_valid && s_w_ready && !drain, m_w = m_w_valid && m_w_ready;
    wire m_b = m_b_valid && (m_b_ready || drain);
    wire clear = rst || (drain && !busy) || memory_lost;    // the interface's and the DMAs' reset

    // the memory: reads asked, not answered to the last; addresses and data of writes, not answered
    localparam W = $clog2(BURSTS + 2);      // one more than is allowed can be counted
    localparam [W-1:0] NONE = {W{1'b0}};
    reg [W-1:0] asked, addressed, sent;
    // of the reads asked the lengths and addresses, the oldest in bit 0, and the beats of that one which have come;
    // of the writes addressed the addresses
    reg [BURSTS:0] lens, r_addrs, b_addrs;
    reg         beat;
    wire        right_last = beat == lens[0];
    wire        s_r_end = s_r && asked != NONE && (s_r_last || right_last);
    wire        s_b = s_b_valid && addressed != NONE && sent != NONE;
    // outstanding: as the contract has them
    reg [W-1:0] reads, writes;
    // addresses here; s_aw taken two cycles before whose beats are not all gone; answers not passed
    // on; beats here, and those of them that are a read's last
    reg [W-1:0] ar_held, aw_held, open, answers, r_held, w_held, r_ends;
    reg         s_aw_was, drains;
    // turn_pads and answer_pads name the bursts that are padding, the oldest in bit 0: among bursts whose beats
    // are not all gone, and among bursts whose answers were not passed on.  padding counts answers of padding that
    // were not passed on, and padded counts the ones among them whose beat has gone.
    reg [BURSTS:0] turn_pads, answer_pads;
    reg [W-1:0]    padding, padded;
    wire        fills = drains && w_held == NONE;   // a beat that is owed
    wire        here  = open != NONE && (w_held != NONE || drains);
    wire        pads  = here && turn_pads[0];       // goes nowhere
    wire        w_end = pads || (m_w && m_w_last);
    wire [W-1:0] turns = open + s_aw_was;           // of which turn_pads tells
    always @* begin
        if (!WRONG) assume (!s_r_valid || (asked != NONE && s_r_last == right_last));
        if (!WRONG) assume (!s_b_valid || (addressed != NONE && sent != NONE));
        assume (drain || !drains);      // a drain goes on until it has been one
    end
    always @(posedge clk) begin
        drains <= drain && !clear;
        if (rst || (WRONG && clear)) begin
            {asked, addressed, sent} <= {3*W{1'b0}};
            beat <= 1'b0;
        end else begin
            asked     <= asked + m_ar - s_r_end;
            addressed <= addressed + m_aw - s_b;
            sent      <= sent + (m_w && m_w_last) - s_b;
            if (s_r && asked != NONE) beat <= !s_r_end;
        end
        lens      <= ((lens & ~({BURSTS+1{1'b1}} << asked)) | {{BURSTS{1'b0}}, m_ar_len[0]} << asked) >> s_r_end;
        r_addrs   <= ((r_addrs & ~({BURSTS+1{1'b1}} << asked)) | {{BURSTS{1'b0}}, m_ar_addr[0]} << asked) >> s_r_end;
        b_addrs   <= ((b_addrs & ~({BURSTS+1{1'b1}} << addressed)) | {{BURSTS{1'b0}}, m_aw_addr[0]} << addressed) >> s_b;
        if (clear) begin
            {reads, writes, ar_held, aw_held, open, answers, r_held, w_held, r_ends, padding, padded} <= {11*W{1'b0}};
            s_aw_was <= 1'b0;
            {turn_pads, answer_pads} <= {2*BURSTS+2{1'b0}};
        end else begin
            turn_pads   <= ((turn_pads & ~({BURSTS+1{1'b1}} << turns)) | {{BURSTS{1'b0}}, s_aw && s_aw_pad} << turns) >> w_end;
            answer_pads <= ((answer_pads & ~({BURSTS+1{1'b1}} << writes)) | {{BURSTS{1'b0}}, s_aw && s_aw_pad} << writes) >> m_b;
            padding     <= padding + (s_aw && s_aw_pad) - (m_b && answer_pads[0]);
            padded      <= padded + pads - (m_b && answer_pads[0]);
            s_aw_was <= s_aw;
            reads    <= reads + s_ar - (m_r && m_r_last);
            writes   <= writes + s_aw - m_b;
            ar_held  <= ar_held + s_ar - m_ar;
            aw_held  <= aw_held + (s_aw && !s_aw_pad) - m_aw;
            open     <= open + s_aw_was - w_end;
            answers  <= answers + s_b_valid - (m_b && !answer_pads[0]);
            r_held   <= r_held + s_r - m_r;
            w_held   <= w_held + s_w - ((m_w || pads) && !fills);
            r_ends   <= r_ends + (s_r && s_r_last) - (m_r && m_r_last);
        end
    end

    reg        ar_waits, aw_waits, w_waits, r_waits, b_waits;
    reg [55:0] ar_was, aw_was;
    reg [9:0]  w_was;
    reg [8:0]  r_was;
    always @(posedge clk) begin
        {ar_waits, aw_waits, w_waits, r_waits, b_waits} <= rst ? 5'd0 :
            {m_ar_valid && !m_ar_ready, m_aw_valid && !m_aw_ready, m_w_valid && !m_w_ready,
             m_r_valid && !m_r_ready && !drain, m_b_valid && !m_b_ready && !drain};
        ar_was <= {m_ar_addr, m_ar_len};
        aw_was <= {m_aw_addr, m_aw_len};
        w_was  <= {m_w_data, m_w_strb, m_w_last};
        r_was  <= {m_r_data, m_r_last};
    end
    always @* if (live && PART & 1) begin
        assert (!ar_waits || (m_ar_valid && {m_ar_addr, m_ar_len} == ar_was));
        assert (!aw_waits || (m_aw_valid && {m_aw_addr, m_aw_len} == aw_was));
        assert (!w_waits || (m_w_valid && {m_w_data, m_w_strb, m_w_last} == w_was));
        assert (!r_waits || (m_r_valid && {m_r_data, m_r_last} == r_was));
        assert (!b_waits || m_b_valid);
        assert (reads <= BURSTS && writes <= BURSTS);
        assert (s_ar_ready == (reads < BURSTS) && s_aw_ready == (writes < BURSTS));
        assert (m_w_valid == (here && !turn_pads[0]));
        assert (!m_b_valid || (answer_pads[0] ? padded != NONE : answers != NONE));
        // where each burst is: with this the rest is inductive
        assert ({1'b0, writes} == aw_held + addressed + answers + padding + {W+1{1'b0}});
        assert ({1'b0, writes} == s_aw_was + open + sent + answers + padded + {W+1{1'b0}});
        assert ({1'b0, reads} == ar_held + asked + r_ends + {W+1{1'b0}});
        assert (busy || (asked == NONE && addressed == NONE && sent == NONE && !m_ar_valid && !m_aw_valid && !m_w_valid));
    end

    // one of each kind, chosen freely: {read address, write address, read beat, written beat}
    wire [3:0]  in  = {s_ar, s_aw && !s_aw_pad, s_r, s_w};
    wire [3:0]  out = {m_ar, m_aw, m_r, (m_w || pads) && !fills};
    wire [4*W-1:0] held = {ar_held, aw_held, r_held, w_held};
    wire [7:0]  came  = {dma_valid[6:5], dma_valid[6:5], s_r_last, s_r_bit, s_w_last, s_w_bit};
    wire [7:0]  shown = {m_ar_len[0], m_ar_addr[0], m_aw_len[0], m_aw_addr[0], m_r_last, m_r_data[0], m_w_last, m_w_data[0]};
    wire [3:0]  valid = {m_ar_valid, m_aw_valid, m_r_valid, m_w_valid && !fills};
    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : g_kind
            reg       tracked;
            reg [W-1:0] ahead;
            reg [1:0] what;
            always @(posedge clk) begin
                if (clear)
                    tracked <= 1'b0;
                else if (!tracked && in[k] && choose[k]) begin
                    tracked <= 1'b1;
                    ahead   <= held[k*W +: W] - out[k];
                    what    <= came[k*2 +: 2];
                end else if (tracked && out[k]) begin
                    ahead <= ahead - 1'b1;
                    if (ahead == NONE) tracked <= 1'b0;
                end
            end
            always @* if (live && PART & (k < 2 ? 4 : 2)) begin
                assert (!valid[k] || held[k*W +: W] != NONE);
                assert (!(tracked && ahead == NONE && valid[k]) || shown[k*2 +: 2] == what);
            end
        end
    endgenerate
    always @* if (live && PART & 4) assert (!m_w_valid || m_w_strb == (!fills && !m_w_data[0]));

    // ---- answers that are wrong, and a memory that gives none ----

    wire r_wrong = s_r && (asked == NONE || s_r_last != right_last || (exokay[0] && WRONG));
    wire b_wrong = s_b_valid && (!s_b || (exokay[1] && WRONG));
    reg  told, told_addr;
    reg [W-1:0] good;                   // rows that may go on, not gone yet
    reg [7:0]   still;                  // cycles of the drain without a beat at the memory's pins
    reg         lost_was;
    wire moves = m_ar || m_aw || m_w || s_b || (s_r && asked != NONE);
    always @(posedge clk) begin
        told <= !clear && (told || r_wrong || b_wrong);
        if (!told) told_addr <= r_wrong ? asked != NONE && r_addrs[0] : s_b && b_addrs[0];
        good     <= clear ? NONE : good + (s_r && !told && !r_wrong && !b_wrong) - m_r;
        still    <= clear || !drain || moves ? 8'd0 : still + (still != 8'hff);
        lost_was <= !rst && memory_lost;
    end
    always @* if (live && PART & 8) begin
        assert (protocol_failed == told);
        assert (!told || protocol_failed_addr == {47'd0, told_addr});
        assert (m_r_valid == (good != NONE));
        assert (!memory_lost || lost_was || still >= DRAIN_LIMIT);
        assert (DRAIN_LIMIT == 0 || still <= STILL);
        assert (!lost_was || (memory_lost && s_r_ready && !busy && !m_ar_valid && !m_aw_valid && !m_w_valid));
    end
    always @* if (live && !WRONG && DRAIN_LIMIT == 0) assert (!protocol_failed && !memory_lost);

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(m_r && m_w) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire

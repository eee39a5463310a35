// SPDX-License-Identifier: Apache-2.0
//
// memory_interface -- ace_memory_interface between random DMAs and a random memory, both legal
//
//   random DMAs --> ace_memory_interface --> [ ace_axi_checker ] --> a memory of one of four kinds
//
// The memory takes an address and the first row of its data together, or the data first, or the address first, or each
// as it comes. It has gaps, and answers late. At random cycles the DMAs are reset and the interface is drained. Row n
// of a read at A is A + n, and the DMA must get exactly this: a row of a burst before the drain would differ. Written
// rows carry their burst's address, and unwritten ones carry no strobe.
//
//   +seed=N +cycles=N +kind=K      kind: 0 each as it comes, 1 together, 2 data first, 3 address
//                                  first; prints one line, which begins with ok or with bad

`default_nettype none
`timescale 1ns/1ns

module memory_interface;
    localparam ROW_W = 64, BURSTS = 4, N = 1024;
    integer seed, cycles, kind, drain_chance, t, bad, drains, busy_drains, reads, writes, owed, last_read, last_write;

    reg  clk, rst, drain, drained;
    wire busy;
    reg  s_ar_valid, s_aw_valid, s_w_valid, s_w_last, m_r_ready, m_b_ready;
    reg  [47:0] s_ar_addr, s_aw_addr;
    reg  [7:0]  s_ar_len, s_aw_len;
    reg  [ROW_W-1:0] s_w_data;
    wire s_ar_ready, s_aw_ready, s_w_ready, m_r_valid, m_r_last, m_b_valid;
    wire [ROW_W-1:0] m_r_data, m_w_data;
    wire m_ar_valid, m_aw_valid, m_w_valid, m_w_last, s_r_ready, s_b_ready;
    wire [47:0] m_ar_addr, m_aw_addr;
    wire [7:0]  m_ar_len, m_aw_len;
    wire [2:0]  m_ar_size, m_aw_size, m_ar_prot, m_aw_prot;
    wire [1:0]  m_ar_burst, m_aw_burst;
    wire [ROW_W/8-1:0] m_w_strb;
    reg  ar_opens, aw_opens, w_opens, s_r_valid, s_r_last, s_b_valid;
    reg  [ROW_W-1:0] s_r_data;
    wire [3:0]  rule;

    // what the memory has: numbers of bursts taken and answered, and how far each stream is
    integer ars, rs, r_at, aws, ws, bs, w_at;
    reg [47:0] ar_addr [0:N-1], aw_addr [0:N-1];
    reg [7:0]  ar_len [0:N-1], aw_len [0:N-1];
    reg [47:0] w_tag [0:N-1];           // the address that the rows of a burst carry
    // what the DMA has: reads asked and received, writes asked and sent
    integer d_ars, d_rs, d_r_at, d_aws, d_ws, d_w_at;
    reg [47:0] d_ar [0:N-1], d_aw [0:N-1];
    reg [7:0]  d_ar_len [0:N-1], d_aw_len [0:N-1];
    reg [35:0] fresh;                   // each burst has an address of its own

    // A memory that waits: for both, or for the rows of a burst before its address, or the reverse.
    reg  m_ar_ready, m_aw_ready, m_w_ready, first;
    task answer;                        // to what is shown in this cycle
        begin
            first      = w_at == 0 && ws == aws;
            m_ar_ready = ar_opens;
            m_aw_ready = aw_opens && (kind == 1 ? first && m_w_valid && w_opens : kind == 2 ? ws > aws : 1'b1);
            m_w_ready  = w_opens && (kind == 1 ? !first || (m_aw_valid && aw_opens) :
                                     kind == 2 ? ws == aws : kind == 3 ? ws < aws : 1'b1);
        end
    endtask

    ace_memory_interface #(.BURSTS(BURSTS), .ROW_W(ROW_W)) dut (
        .clk(clk), .rst(rst),
`ifndef NO_DRAIN
        .drain(drain), .busy(busy), .m_ar_prot(m_ar_prot), .m_aw_prot(m_aw_prot),
`endif
        .cfg_read_cost(24'd300), .cfg_write_cost(24'd300), .cfg_latency(16'd9),
        .s_ar_valid(s_ar_valid), .s_ar_ready(s_ar_ready), .s_ar_addr(s_ar_addr), .s_ar_len(s_ar_len),
        .m_r_valid(m_r_valid), .m_r_ready(m_r_ready), .m_r_data(m_r_data), .m_r_last(m_r_last),
        .s_aw_valid(s_aw_valid), .s_aw_ready(s_aw_ready), .s_aw_addr(s_aw_addr), .s_aw_len(s_aw_len), .s_aw_pad(1'b0),
        .s_w_valid(s_w_valid), .s_w_ready(s_w_ready), .s_w_data(s_w_data), .s_w_code(32'd0), .s_w_strb(8'hff), .s_w_last(s_w_last),
        .m_b_valid(m_b_valid), .m_b_ready(m_b_ready),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr), .m_ar_len(m_ar_len),
        .m_ar_size(m_ar_size), .m_ar_burst(m_ar_burst),
        .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data(s_r_data), .s_r_last(s_r_last), .s_r_resp(2'b00),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr), .m_aw_len(m_aw_len),
        .m_aw_size(m_aw_size), .m_aw_burst(m_aw_burst),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(m_w_data), .m_w_strb(m_w_strb), .m_w_last(m_w_last),
        .s_b_valid(s_b_valid), .s_b_ready(s_b_ready), .s_b_resp(2'b00));
`ifdef NO_DRAIN
    assign busy = 1'b0, m_ar_prot = 3'd2, m_aw_prot = 3'd2;
`endif

    ace_axi_checker #(.DATA_W(ROW_W), .BEAT_BYTES(256), .BURSTS(BURSTS)) checker (
        .clk(clk), .rst(rst),
        .ar_valid(m_ar_valid), .ar_ready(m_ar_ready), .ar_addr(m_ar_addr), .ar_len(m_ar_len), .ar_size(m_ar_size),
        .ar_burst(m_ar_burst), .ar_prot(m_ar_prot),
        .r_valid(s_r_valid), .r_ready(s_r_ready), .r_data(s_r_data), .r_last(s_r_last), .r_resp(2'b00),
        .aw_valid(m_aw_valid), .aw_ready(m_aw_ready), .aw_addr(m_aw_addr), .aw_len(m_aw_len), .aw_size(m_aw_size),
        .aw_burst(m_aw_burst), .aw_prot(m_aw_prot),
        .w_valid(m_w_valid), .w_ready(m_w_ready), .w_data(m_w_data), .w_strb(m_w_strb), .w_last(m_w_last),
        .b_valid(s_b_valid), .b_ready(s_b_ready), .b_resp(2'b00), .rule(rule));

    function chance;                    // of a thousand
        input integer of;
        chance = $unsigned($random(seed)) % 1000 < of;
    endfunction

    task complain;
        input [8*40-1:0] what;
        begin
            $display("bad: %0s, cycle %0d, kind %0d", what, t, kind);
            bad = bad + 1;
        end
    endtask

    // ---- what each side shows in the next cycle, after what moved in this one ----

    reg offers_r, offers_b, was_drain, ar_gone, aw_gone, w_gone;
    task forget_dma;
        begin
            d_ars = 0; d_rs = 0; d_r_at = 0; d_aws = 0; d_ws = 0; d_w_at = 0;
            {s_ar_valid, s_aw_valid, s_w_valid} = 3'd0;
        end
    endtask

    task moved;                         // from the pins of this cycle
        begin
            if (m_ar_valid && m_ar_ready) begin
                ar_addr[ars % N] = m_ar_addr; ar_len[ars % N] = m_ar_len; ars = ars + 1;
            end
            if (m_aw_valid && m_aw_ready) begin
                aw_addr[aws % N] = m_aw_addr; aw_len[aws % N] = m_aw_len;
                if (ws > aws && w_tag[aws % N] != 48'd0 && w_tag[aws % N] != m_aw_addr) complain("rows of another burst");
                aws = aws + 1;
            end
            if (m_w_valid && m_w_ready) begin
                if (w_at == 0) w_tag[ws % N] = 48'd0;
                if (m_w_strb != 8'd0) w_tag[ws % N] = m_w_data[47:0];
                else begin
                    owed = owed + 1;
                    if (!drain) complain("a row without strobes");
                end
                if (ws < aws && m_w_strb != 8'd0 && m_w_data[47:0] != aw_addr[ws % N]) complain("rows of another burst");
                w_at = m_w_last ? 0 : w_at + 1;
                if (m_w_last) ws = ws + 1;
                writes = writes + 1;
            end
            if (s_r_valid && s_r_ready) begin
                r_at = s_r_last ? 0 : r_at + 1;
                if (s_r_last) rs = rs + 1;
                offers_r = 0;
            end
            if (s_b_valid && s_b_ready) begin bs = bs + 1; offers_b = 0; end
            // the DMA's side
            if (!drain) begin
                if (s_ar_valid && s_ar_ready) begin
                    d_ar[d_ars % N] = s_ar_addr; d_ar_len[d_ars % N] = s_ar_len; d_ars = d_ars + 1; ar_gone = 1;
                end
                if (s_aw_valid && s_aw_ready) begin
                    d_aw[d_aws % N] = s_aw_addr; d_aw_len[d_aws % N] = s_aw_len; d_aws = d_aws + 1; aw_gone = 1;
                end
                if (s_w_valid && s_w_ready) begin
                    d_w_at = s_w_last ? 0 : d_w_at + 1;
                    if (s_w_last) d_ws = d_ws + 1;
                    w_gone = 1;
                end
                if (m_r_valid && d_rs == d_ars) complain("a row that nobody asked for");
                else if (m_r_valid && m_r_ready) begin
                    if (m_r_data != {16'd0, d_ar[d_rs % N]} + d_r_at) complain("a row of another read");
                    if (m_r_last != (d_r_at == d_ar_len[d_rs % N])) complain("a read of another length");
                    d_r_at = m_r_last ? 0 : d_r_at + 1;
                    if (m_r_last) d_rs = d_rs + 1;
                    reads = reads + 1;
                end
            end
            if (s_r_valid && s_r_ready) last_read = t;
            if (m_w_valid && m_w_ready) last_write = t;
        end
    endtask

    task show;                          // the pins of the next cycle
        begin
            was_drain = drain;
            if (ar_gone) s_ar_valid = 0;
            if (aw_gone) s_aw_valid = 0;
            if (w_gone) s_w_valid = 0;
            {ar_gone, aw_gone, w_gone} = 3'd0;
            if (drain && drained) drain = 0;
            else if (!drain && chance(drain_chance)) begin
                drain = 1; drains = drains + 1; busy_drains = busy_drains + busy;
            end
            if (drain || was_drain) forget_dma;
            if (!drain) begin
                if (!s_ar_valid && chance(300)) begin
                    fresh = fresh + 1; s_ar_valid = 1; s_ar_addr = {fresh, 12'd0}; s_ar_len = $unsigned($random(seed)) % 16;
                end
                if (!s_aw_valid && chance(300)) begin
                    fresh = fresh + 1; s_aw_valid = 1; s_aw_addr = {fresh, 12'd0}; s_aw_len = $unsigned($random(seed)) % 16;
                end
                if (!s_w_valid && d_ws < d_aws && chance(600)) begin
                    s_w_valid = 1; s_w_data = {16'd0, d_aw[d_ws % N]}; s_w_last = d_w_at == d_aw_len[d_ws % N];
                end
            end
            m_r_ready = chance(700); m_b_ready = chance(700);
            ar_opens = chance(700); aw_opens = chance(700); w_opens = chance(700);
            if (!offers_r && rs < ars && chance(600)) begin
                offers_r = 1; s_r_data = {16'd0, ar_addr[rs % N]} + r_at; s_r_last = r_at == ar_len[rs % N];
            end
            if (!offers_b && bs < aws && bs < ws && chance(400)) offers_b = 1;
            s_r_valid = offers_r; s_b_valid = offers_b;
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
        if (!$value$plusargs("kind=%d", kind)) kind = 0;
        if (!$value$plusargs("drains=%d", drain_chance)) drain_chance = 4;
        bad = 0; drains = 0; busy_drains = 0; reads = 0; writes = 0; owed = 0; last_read = 0; last_write = 0; fresh = 0;
        ars = 0; rs = 0; r_at = 0; aws = 0; ws = 0; bs = 0; w_at = 0;
        clk = 0; rst = 1; drain = 0; offers_r = 0; offers_b = 0;
        {s_r_valid, s_b_valid, m_r_ready, m_b_ready, ar_opens, aw_opens, w_opens} = 7'd0;
        {m_ar_ready, m_aw_ready, m_w_ready, ar_gone, aw_gone, w_gone, drained} = 7'd0;
        forget_dma;
        for (t = 0; t < 3; t = t + 1) begin #1 clk = 1; #1 clk = 0; end
        rst = 0;
        for (t = 0; t < cycles && bad == 0; t = t + 1) begin
            show;
            #1 answer;
            #1 drained = !busy;         // in this cycle, so its edge is the reset
            moved;
            clk = 1;
            #1 clk = 0;
            if (rule != 4'd0) begin $display("bad: AXI rule %0d, cycle %0d, kind %0d", rule, t, kind); bad = 1; end
            if (t - last_read > 2000) complain("nothing is read");
            if (t - last_write > 2000) complain("nothing is written");
        end
        if (bad == 0 && (reads < 100 || writes < 100)) complain("too little was moved");
`ifndef NO_DRAIN
        if (bad == 0 && (busy_drains < 5 || owed == 0)) complain("too few drains");
`endif
        if (bad == 0)
            $display("ok: kind %0d, %0d cycles, %0d rows read, %0d written, %0d drains, %0d with bursts, %0d rows owed",
                     kind, t, reads, writes, drains, busy_drains, owed);
        $finish;
    end
endmodule

`default_nettype wire

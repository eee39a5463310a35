// SPDX-License-Identifier: Apache-2.0
//
// ace_memory_interface -- latency, bandwidth share and outstanding limit before the AXI4 pins
//
//   s_ar ---> [ held cfg_latency ] ---> m_ar      s_aw ---> [ queue ] ---> m_aw
//   m_r  <--- [ 2 rows ] <-- tokens --- s_r       s_w --- tokens --> [ 2 rows ] ---> m_w
//                                                 m_b  <--- [ held cfg_latency ] <--- s_b
//
// Contract
//   Handshake   A beat moves when valid && ready.  Every output comes from state: valid
//               waits for no ready and no ready depends on another.
//   Latency     A read taken in cycle t is on m_ar from cycle t + cfg_latency (2 at least).
//               m_b for a burst comes cfg_latency after its last beat left on m_w, and
//               never before the memory's own answer.  Everything else takes one cycle.
//   Throughput  s_r and s_w beats each cost cfg_*_cost of a sum that grows by a cycle each
//               cycle, up to two beats, so the average is exact while beats wait.
//   Outstanding At most BURSTS reads (taken, last beat not yet gone on m_r) and BURSTS
//               writes (taken, not yet answered on m_b).
//   Order       All in order, one id.  Beats of a burst stay off m_w until its s_aw was taken and
//               a cycle has passed, in which m_aw shows it if no other is before it.  They wait
//               for no m_aw_ready: the memory may take a burst's data first, or both together.
//   AXI4        INCR bursts.  A row is ROW_W = 2048 bits; AXI4 stops at 1024, so the pins are
//               two 1024-bit AXI4 channels ganged in lockstep behind one address channel,
//               and m_*_size says 128 bytes, what each of the two moves a beat.
//   Padding     A burst of one beat taken with s_aw_pad writes nothing and is no access: it takes its turn,
//               its cost, its place among BURSTS and its answer as any other, and is never on m_aw or m_w.
//   Code        A row read has its code (ace_row_code) from the pins on, where CODED; that of a row written
//               comes with it and goes on to the pins, where it ends.
//   Drain       While drain is high nothing is taken from the DMAs and rows read go nowhere, but the
//               bursts taken before are carried out to the end as AXI demands: what is shown
//               stays, reads are asked for and swallowed, and beats that are owed for a write and
//               never came from the DMA go without a strobe, so they write nothing.  busy says
//               that bursts are left.  Once it is low, drain is a reset; drain stays until then.
//   Errors      *_resp[1] is an error.  Rows of a read that failed, and all after them, are
//               taken from the memory and go no further: no wrong row gets past this place,
//               and what needs one of them waits until reset.  A write that failed is
//               answered like any other.  *_failed says so until reset, with the first
//               response and the address of its burst.
//   Protocol    The memory's answers are counted.  Four things are a fault: a row that no read waits
//               for, s_r_last too early or too late, an answer that no write waits for, and EXOKAY.
//               No burst here may get EXOKAY; ace_axi_split uses it for parts that do not fit.
//               protocol_failed says so until reset, with the address of the first wrong burst, or 0.
//               It stops rows as an error does, and the wrong row goes no further.  A burst of rows
//               ends where it should or with s_r_last, whichever is first.  What no burst waits for
//               is dropped.
//   Lost        A drain in which no burst has come on for DRAIN_LIMIT cycles ends: the bursts are forgotten,
//               as rst does, and memory_lost stays high until rst.  Until then nothing is shown to the
//               memory, and what it answers late is taken and dropped.  DRAIN_LIMIT has to be above
//               cfg_latency and the cycles of a beat.
//   Counters    Each cycle outside reset in exactly one, for s_r and for s_w: busy (a beat
//               moved), blocked (a beat was offered and had to wait), starved (bursts
//               outstanding, no beat offered), idle.  During a drain the DMAs offer nothing.
//   Reset       rst is synchronous, active high; only control state is reset.  It forgets bursts
//               that are outstanding: it is for when the memory is reset as well.
//   Twin        cmodel/twin/ace_memory_interface.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_memory_interface_test.cc).

`default_nettype none

module ace_memory_interface #(
    parameter BURSTS = 16,          // bursts outstanding each way, 1..256
    parameter PROT   = 2,           // AxPROT of every burst: data, non-secure, unprivileged
    parameter ROW_W  = 2048,        // bits in a beat
    parameter DATA_W = ROW_W,       // of which are written: fewer where no payload is
    parameter CODED  = 1,           // 0: rows read have code 0; 1: ROW_W is whole words of 32 bits
    parameter DRAIN_LIMIT = 65536   // cycles of a drain in which no burst comes on, 2^24 at most; 0: any number
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               drain,            // carry out what was taken, then be in reset
    output wire               busy,             // bursts were taken and are not done with

    input  wire [23:0]        cfg_read_cost,    // cycles a beat takes, Q16.8; less than one is one
    input  wire [23:0]        cfg_write_cost,
    input  wire [15:0]        cfg_latency,      // cycles, 2 at least

    // From the DMAs
    input  wire               s_ar_valid,
    output wire               s_ar_ready,
    input  wire [47:0]        s_ar_addr,        // byte address
    input  wire [7:0]         s_ar_len,         // beats - 1
    output wire               m_r_valid,
    input  wire               m_r_ready,
    output wire [ROW_W-1:0]   m_r_data,
    output wire [31:0]        m_r_code,
    output wire               m_r_last,
    input  wire               s_aw_valid,
    output wire               s_aw_ready,
    input  wire [47:0]        s_aw_addr,
    input  wire [7:0]         s_aw_len,
    input  wire               s_aw_pad,         // writes nothing: stays off the bus; s_aw_len is 0
    input  wire               s_w_valid,
    output wire               s_w_ready,
    input  wire [DATA_W-1:0]  s_w_data,
    input  wire [31:0]        s_w_code,
    input  wire [ROW_W/8-1:0] s_w_strb,
    input  wire               s_w_last,
    output wire               m_b_valid,
    input  wire               m_b_ready,

    // To the memory
    output wire               m_ar_valid,
    input  wire               m_ar_ready,
    output wire [47:0]        m_ar_addr,
    output wire [7:0]         m_ar_len,
    output wire [2:0]         m_ar_size,
    output wire [1:0]         m_ar_burst,
    output wire [2:0]         m_ar_prot,
    input  wire               s_r_valid,
    output wire               s_r_ready,
    input  wire [ROW_W-1:0]   s_r_data,
    input  wire               s_r_last,
    input  wire [1:0]         s_r_resp,
    output wire               m_aw_valid,
    input  wire               m_aw_ready,
    output wire [47:0]        m_aw_addr,
    output wire [7:0]         m_aw_len,
    output wire [2:0]         m_aw_size,
    output wire [1:0]         m_aw_burst,
    output wire [2:0]         m_aw_prot,
    output wire               m_w_valid,
    input  wire               m_w_ready,
    output wire [DATA_W-1:0]  m_w_data,
    output wire [31:0]        m_w_code,         // no pin: for who looks at the row that leaves
    output wire [ROW_W/8-1:0] m_w_strb,
    output wire               m_w_last,
    input  wire               s_b_valid,
    output wire               s_b_ready,
    input  wire [1:0]         s_b_resp,

    output wire               read_failed,
    output wire [1:0]         read_failed_resp,
    output wire [47:0]        read_failed_addr,
    output wire               write_failed,
    output wire [1:0]         write_failed_resp,
    output wire [47:0]        write_failed_addr,
    output wire               protocol_failed,
    output wire [47:0]        protocol_failed_addr,
    output wire               memory_lost,

    // Cycles in each class
    output wire [191:0]       count_read,           // {idle, blocked, starved, busy}, 48 bits each
    output wire [191:0]       count_write,

    output wire               idle              // nothing changes without input
);

    localparam PTR_W   = BURSTS > 1 ? $clog2(BURSTS) : 1;
    localparam COUNT_W = $clog2(BURSTS + 1);
    localparam TOKEN_W = 26;                // two beats and a cycle
    localparam [31:0] LAST     = BURSTS - 1;
    localparam [31:0] FULL     = BURSTS;
    localparam [31:0] AXPROT   = PROT;
    localparam [31:0] QUIET    = DRAIN_LIMIT - 1;   // with this cycle it is enough
    localparam [TOKEN_W-1:0] CYCLE = 26'd256;       // a cycle in Q16.8
    localparam [COUNT_W-1:0] NONE = {COUNT_W{1'b0}};

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (BURSTS < 1 || BURSTS > 256) begin : g_illegal_bursts BURSTS_must_be_1_to_256 stop (); end
        if (PROT < 0 || PROT > 7) begin : g_illegal_prot PROT_must_be_0_to_7 stop (); end
        if (ROW_W < 8 || ROW_W % 8 != 0) begin : g_illegal_row_w ROW_W_must_be_whole_bytes stop (); end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
        if (CODED != 0 && ROW_W % 32 != 0) begin : g_illegal_coded_row
            ROW_W_must_be_whole_words_of_32_bits_where_CODED stop ();
        end
        if (DRAIN_LIMIT < 0 || DRAIN_LIMIT > 16777216) begin : g_illegal_drain_limit
            DRAIN_LIMIT_must_be_0_to_16777216 stop ();
        end
        if (DATA_W < 1 || DATA_W > ROW_W) begin : g_illegal_data_w DATA_W_must_be_1_to_ROW_W stop (); end
    endgenerate

    function [PTR_W-1:0] next;
        input [PTR_W-1:0] at;
        next = at == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : at + 1'b1;
    endfunction

    function [COUNT_W-1:0] step;
        input [COUNT_W-1:0] held;
        input               up;
        input               down;
        step = up == down ? held : up ? held + 1'b1 : held - 1'b1;
    endfunction

    function [TOKEN_W-1:0] up_to;           // so many, and two beats' at most
        input [TOKEN_W-1:0] sum;
        input [TOKEN_W-1:0] cost;
        up_to = sum < cost << 1 ? sum : cost << 1;
    endfunction

    // A beat is known late in a cycle, so it selects between two prepared answers.
    function [TOKEN_W-1:0] tokens;
        input [TOKEN_W-1:0] held;
        input [TOKEN_W-1:0] cost;
        input               beat;
        tokens = beat ? up_to(held - cost + CYCLE, cost) : up_to(held + CYCLE, cost);
    endfunction

    wire [TOKEN_W-1:0] read_cost  = {2'd0, cfg_read_cost} > CYCLE ? {2'd0, cfg_read_cost} : CYCLE;
    wire [TOKEN_W-1:0] write_cost = {2'd0, cfg_write_cost} > CYCLE ? {2'd0, cfg_write_cost} : CYCLE;

    // The clock against which requests and answers are held.  A holding time is shorter
    // than its period, and each is compared with it in every cycle it is held.
    reg  [15:0] now_q;
    wire [15:0] now_next = now_q + 16'd1;
    wire [15:0] release_time = now_q + (cfg_latency < 16'd2 ? 16'd2 : cfg_latency);

    // ---- drain -----------------------------------------------------------

    reg  drain_q;                       // drain was high in the cycle before
    reg  lost_q;                        // a drain had no end
    reg  [23:0] quiet_q;                // cycles of the drain since a burst came on
    wire comes_on;
    wire clear = rst || lost_q || (drain && !busy);

    assign memory_lost = lost_q;

    always @(posedge clk) drain_q <= drain && !clear;

    always @(posedge clk) begin
        if (clear || !drain || comes_on)
            quiet_q <= 24'd0;
        else
            quiet_q <= quiet_q + 24'd1;
    end

    always @(posedge clk) begin
        if (rst)
            lost_q <= 1'b0;
        else if (DRAIN_LIMIT != 0 && drain && busy && !comes_on && quiet_q == QUIET[23:0])
            lost_q <= 1'b1;
    end

    always @(posedge clk) begin
        if (clear)
            now_q <= 16'd0;
        else
            now_q <= now_next;
    end

    // ---- reads -----------------------------------------------------------

    reg [PTR_W-1:0]   ar_wr_q;
    reg [PTR_W-1:0]   ar_due_q;         // oldest request still held
    reg [PTR_W-1:0]   ar_rd_q;
    reg [COUNT_W-1:0] ar_held_q;        // requests held
    reg [COUNT_W-1:0] ar_ripe_q;        // requests due, not yet taken
    reg [COUNT_W-1:0] reads_q;
    reg [COUNT_W-1:0] asked_q;          // requests that the memory took and has not answered to the end
    reg [TOKEN_W-1:0] read_tokens_q;
    reg               read_failed_q;
    reg               protocol_failed_q;
    reg [7:0]         r_beat_q;         // beats of the oldest of these that have come
    reg [7:0]         r_len_q;          // and its length
    reg [47:0]        ar_addr_q    [0:BURSTS-1];
    reg [7:0]         ar_len_q     [0:BURSTS-1];
    reg [15:0]        ar_release_q [0:BURSTS-1];
    wire              r_room;
    wire [5:0]        r_count;

    assign s_ar_ready = reads_q < FULL[COUNT_W-1:0];
    assign m_ar_valid = ar_ripe_q != NONE;
    assign m_ar_addr  = ar_addr_q[ar_rd_q];
    assign m_ar_len   = ar_len_q[ar_rd_q];
    assign m_ar_size  = 3'd7;
    assign m_ar_burst = 2'b01;
    assign m_ar_prot  = AXPROT[2:0];
    assign s_r_ready  = lost_q || (r_room && read_tokens_q >= read_cost);

    wire s_ar_beat = s_ar_valid && s_ar_ready && !drain;
    wire m_ar_beat = m_ar_valid && m_ar_ready;
    wire s_r_beat  = s_r_valid && s_r_ready;
    wire m_r_beat  = m_r_valid && (m_r_ready || drain);
    wire r_last    = r_beat_q == r_len_q;
    wire r_asked   = asked_q != NONE;
    wire r_odd     = !r_asked || s_r_last != r_last || s_r_resp == 2'b01;
    wire b_fault;
    wire r_dropped = s_r_beat && (s_r_resp[1] || r_odd || b_fault || read_failed_q || protocol_failed_q);
    wire r_counts  = s_r_beat && r_asked;
    wire r_ends    = r_counts && (s_r_last || r_last);
    wire ar_due    = ar_held_q != NONE && ar_release_q[ar_due_q] == now_next;

    always @(posedge clk) begin
        if (clear) begin
            ar_wr_q       <= {PTR_W{1'b0}};
            ar_due_q      <= {PTR_W{1'b0}};
            ar_rd_q       <= {PTR_W{1'b0}};
            ar_held_q     <= NONE;
            ar_ripe_q     <= NONE;
            reads_q       <= NONE;
            asked_q       <= NONE;
            r_beat_q      <= 8'd0;
            read_tokens_q <= {TOKEN_W{1'b0}};
        end else begin
            if (s_ar_beat)
                ar_wr_q <= next(ar_wr_q);
            if (ar_due)
                ar_due_q <= next(ar_due_q);
            if (m_ar_beat)
                ar_rd_q <= next(ar_rd_q);
            ar_held_q     <= step(ar_held_q, s_ar_beat, ar_due);
            ar_ripe_q     <= step(ar_ripe_q, ar_due, m_ar_beat);
            reads_q       <= step(step(reads_q, s_ar_beat, m_r_beat && m_r_last), 1'b0, r_dropped && r_ends);
            asked_q       <= step(asked_q, m_ar_beat, r_ends);
            if (r_counts)
                r_beat_q <= r_ends ? 8'd0 : r_beat_q + 8'd1;
            read_tokens_q <= tokens(read_tokens_q, read_cost, s_r_beat);
        end
    end

    always @(posedge clk) begin
        if (s_ar_beat) begin
            ar_addr_q[ar_wr_q]    <= s_ar_addr;
            ar_len_q[ar_wr_q]     <= s_ar_len;
            ar_release_q[ar_wr_q] <= release_time;
        end
    end

    // The burst whose beats come now; its place is kept until the last has gone on m_r.
    reg [PTR_W-1:0] r_at_q;
    reg [1:0]       read_failed_resp_q;
    reg [47:0]      read_failed_addr_q;
    wire            r_wrong = s_r_resp[1] && r_asked;
    wire [PTR_W-1:0] r_at_next = r_ends ? next(r_at_q) : r_at_q;

    // its length is here two cycles after s_ar, which is before its first beat
    always @(posedge clk) r_len_q <= ar_len_q[r_at_next];

    assign read_failed      = read_failed_q;
    assign read_failed_resp = read_failed_resp_q;
    assign read_failed_addr = read_failed_addr_q;

    always @(posedge clk) begin
        if (clear) begin
            r_at_q        <= {PTR_W{1'b0}};
            read_failed_q <= 1'b0;
        end else begin
            r_at_q <= r_at_next;
            if (s_r_beat && r_wrong)
                read_failed_q <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (s_r_beat && r_wrong && !read_failed_q) begin
            read_failed_resp_q <= s_r_resp;
            read_failed_addr_q <= ar_addr_q[r_at_q];
        end
    end

    wire [31:0] r_code;
    generate
        if (CODED != 0) begin : g_code
            ace_row_code #(.ROW_W(ROW_W)) u_code (.s_valid(s_r_beat), .s_data(s_r_data), .m_code(r_code));
        end else begin : g_no_code
            assign r_code = 32'd0;
        end
    endgenerate

    ace_row_fifo #(
        .ROW_W  (ROW_W),
        .SIDE_W (33),
        .DEPTH  (2)
    ) u_r (
        .clk     (clk),
        .rst     (clear),
        .s_valid (s_r_beat && !r_dropped),
        .s_ready (r_room),
        .s_data  (s_r_data),
        .s_side  ({r_code, s_r_last}),
        .m_valid (m_r_valid),
        .m_ready (m_r_beat),
        .m_data  (m_r_data),
        .m_side  ({m_r_code, m_r_last}),
        .count   (r_count)
    );

    // ---- writes ----------------------------------------------------------

    // Bursts have a turn, in the order of s_aw.  Those that are no padding have an address as well, in a ring
    // of its own, so that the address of an answer is found whatever lies between.
    reg [PTR_W-1:0]   aw_wr_q;
    reg [PTR_W-1:0]   aw_rd_q;
    reg [COUNT_W-1:0] aw_count_q;
    reg [PTR_W-1:0]   turn_wr_q;
    reg               turn_pad_q [0:BURSTS-1];
    reg [7:0]         turn_len_q [0:BURSTS-1];
    reg [COUNT_W-1:0] writes_q;
    reg               aw_new_q;         // s_aw was taken in the cycle before
    reg [COUNT_W-1:0] w_open_q;         // s_aw taken before that, whose last m_w has not left
    reg [7:0]         w_beat_q;         // beats of the turn at b_wr_q that have left
    reg [COUNT_W-1:0] addressed_q;      // bursts whose address the memory took, and
    reg [COUNT_W-1:0] sent_q;           // whose last beat it took, without its answer
    reg [TOKEN_W-1:0] write_tokens_q;
    reg [47:0]        aw_addr_q [0:BURSTS-1];
    reg [7:0]         aw_len_q  [0:BURSTS-1];
    reg [PTR_W-1:0]   b_wr_q;           // the turn whose last beat leaves next
    reg [PTR_W-1:0]   b_due_q;
    reg [PTR_W-1:0]   b_rd_q;           // and the one that is answered next
    reg [COUNT_W-1:0] b_held_q;         // answers held
    reg [COUNT_W-1:0] b_ripe_q;         // answers due
    reg [COUNT_W-1:0] b_got_q;          // answers the memory gave
    reg [15:0]        b_release_q [0:BURSTS-1];
    wire              w_room;
    wire              w_valid;
    wire [DATA_W-1:0] w_data;
    wire [31:0]       w_code;
    wire [ROW_W/8-1:0] w_strb;
    wire              w_last;
    wire [5:0]        w_count;

    assign s_aw_ready = writes_q < FULL[COUNT_W-1:0];
    assign m_aw_valid = aw_count_q != NONE;
    assign m_aw_addr  = aw_addr_q[aw_rd_q];
    assign m_aw_len   = aw_len_q[aw_rd_q];
    assign m_aw_size  = 3'd7;
    assign m_aw_burst = 2'b01;
    assign m_aw_prot  = AXPROT[2:0];
    assign s_w_ready  = w_room && write_tokens_q >= write_cost;
    // In a drain, a beat that is owed and is not here.
    wire   fills      = drain_q && !w_valid;
    wire   w_here     = (w_valid || fills) && w_open_q != NONE;
    wire   w_pad      = turn_pad_q[b_wr_q];
    wire   b_pad      = turn_pad_q[b_rd_q];
    assign m_w_valid  = w_here && !w_pad;
    assign m_w_data   = fills ? {DATA_W{1'b0}} : w_data;
    assign m_w_code   = fills ? 32'd0 : w_code;      // that of zeros
    assign m_w_strb   = fills ? {ROW_W/8{1'b0}} : w_strb;
    assign m_w_last   = fills ? w_beat_q == turn_len_q[b_wr_q] : w_last;
    assign s_b_ready  = 1'b1;
    assign m_b_valid  = b_ripe_q != NONE && (b_pad || b_got_q != NONE);

    wire s_aw_beat = s_aw_valid && s_aw_ready && !drain;
    wire addressed = s_aw_beat && !s_aw_pad;
    wire m_aw_beat = m_aw_valid && m_aw_ready;
    wire s_w_beat  = s_w_valid && s_w_ready && !drain;
    wire m_w_beat  = w_here && (w_pad || m_w_ready);
    wire m_w_end   = m_w_beat && (w_pad || m_w_last);
    wire m_b_beat  = m_b_valid && (m_b_ready || drain);
    wire b_due     = b_held_q != NONE && b_release_q[b_due_q] == now_next;
    wire b_asked   = addressed_q != NONE && sent_q != NONE;
    wire b_counts  = s_b_valid && b_asked;
    wire b_odd     = !b_asked || s_b_resp == 2'b01;

    assign comes_on = m_ar_beat || r_counts || m_aw_beat || m_w_beat || b_counts || ar_due || b_due || m_r_beat ||
                      m_b_beat;

    always @(posedge clk) begin
        if (clear) begin
            aw_wr_q        <= {PTR_W{1'b0}};
            aw_rd_q        <= {PTR_W{1'b0}};
            aw_count_q     <= NONE;
            writes_q       <= NONE;
            aw_new_q       <= 1'b0;
            w_open_q       <= NONE;
            addressed_q    <= NONE;
            sent_q         <= NONE;
            turn_wr_q      <= {PTR_W{1'b0}};
            b_rd_q         <= {PTR_W{1'b0}};
            w_beat_q       <= 8'd0;
            write_tokens_q <= {TOKEN_W{1'b0}};
            b_wr_q         <= {PTR_W{1'b0}};
            b_due_q        <= {PTR_W{1'b0}};
            b_held_q       <= NONE;
            b_ripe_q       <= NONE;
            b_got_q        <= NONE;
        end else begin
            if (addressed)
                aw_wr_q <= next(aw_wr_q);
            if (s_aw_beat)
                turn_wr_q <= next(turn_wr_q);
            if (m_b_beat)
                b_rd_q <= next(b_rd_q);
            if (m_aw_beat)
                aw_rd_q <= next(aw_rd_q);
            if (m_w_end)
                b_wr_q <= next(b_wr_q);
            if (m_w_beat)
                w_beat_q <= m_w_end ? 8'd0 : w_beat_q + 8'd1;
            if (b_due)
                b_due_q <= next(b_due_q);
            aw_count_q     <= step(aw_count_q, addressed, m_aw_beat);
            writes_q       <= step(writes_q, s_aw_beat, m_b_beat);
            aw_new_q       <= s_aw_beat;
            w_open_q       <= step(w_open_q, aw_new_q, m_w_end);
            addressed_q    <= step(addressed_q, m_aw_beat, b_counts);
            sent_q         <= step(sent_q, m_w_end && !w_pad, b_counts);
            write_tokens_q <= tokens(write_tokens_q, write_cost, s_w_beat);
            b_held_q       <= step(b_held_q, m_w_end, b_due);
            b_ripe_q       <= step(b_ripe_q, b_due, m_b_beat);
            b_got_q        <= step(b_got_q, b_counts, m_b_beat && !b_pad);
        end
    end

    always @(posedge clk) begin
        if (addressed) begin
            aw_addr_q[aw_wr_q] <= s_aw_addr;
            aw_len_q[aw_wr_q]  <= s_aw_len;
        end
        if (s_aw_beat) begin
            turn_pad_q[turn_wr_q] <= s_aw_pad;
            turn_len_q[turn_wr_q] <= s_aw_len;
        end
        if (m_w_end)
            b_release_q[b_wr_q] <= release_time;
    end

    ace_row_fifo #(
        .ROW_W  (DATA_W),
        .SIDE_W (32 + ROW_W / 8 + 1),
        .DEPTH  (2)
    ) u_w (
        .clk     (clk),
        .rst     (clear),
        .s_valid (s_w_beat),
        .s_ready (w_room),
        .s_data  (s_w_data),
        .s_side  ({s_w_code, s_w_last, s_w_strb}),
        .m_valid (w_valid),
        .m_ready (m_w_beat),
        .m_data  (w_data),
        .m_side  ({w_code, w_last, w_strb}),
        .count   (w_count)
    );

    // The burst that the memory answers next; its address is kept until then.
    reg [PTR_W-1:0] b_at_q;
    reg             write_failed_q;
    reg [1:0]       write_failed_resp_q;
    reg [47:0]      write_failed_addr_q;

    assign write_failed      = write_failed_q;
    assign write_failed_resp = write_failed_resp_q;
    assign write_failed_addr = write_failed_addr_q;

    always @(posedge clk) begin
        if (clear) begin
            b_at_q         <= {PTR_W{1'b0}};
            write_failed_q <= 1'b0;
        end else if (b_counts) begin
            b_at_q <= next(b_at_q);
            if (s_b_resp[1])
                write_failed_q <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (b_counts && s_b_resp[1] && !write_failed_q) begin
            write_failed_resp_q <= s_b_resp;
            write_failed_addr_q <= aw_addr_q[b_at_q];
        end
    end

    // ---- answers that no burst waits for, or that do not fit theirs ----

    reg [47:0] protocol_failed_addr_q;
    wire       r_fault = s_r_beat && r_odd;

    assign b_fault              = s_b_valid && b_odd;
    assign protocol_failed      = protocol_failed_q;
    assign protocol_failed_addr = protocol_failed_addr_q;

    always @(posedge clk) begin
        if (clear)
            protocol_failed_q <= 1'b0;
        else if (r_fault || b_fault)
            protocol_failed_q <= 1'b1;
    end

    always @(posedge clk) begin
        if ((r_fault || b_fault) && !protocol_failed_q)
            protocol_failed_addr_q <= r_fault ? (r_asked ? ar_addr_q[r_at_q] : 48'd0) :
                                      b_asked ? aw_addr_q[b_at_q] : 48'd0;
    end

    // the fill levels are used by other owners of a row FIFO
    wire unused = &{1'b0, r_count, w_count};

    ace_cycle_classes u_read (
        .clk(clk), .rst(clear), .busy(s_r_beat), .blocked(s_r_valid), .starved(reads_q != NONE), .count(count_read)
    );
    ace_cycle_classes u_write (
        .clk(clk), .rst(clear), .busy(s_w_beat), .blocked(s_w_valid && !drain), .starved(writes_q != NONE),
        .count(count_write)
    );

    assign busy = reads_q != NONE || writes_q != NONE;

    // full token sums: the next cycle is like this one
    assign idle = !drain_q && reads_q == NONE && writes_q == NONE && !m_r_valid && !w_valid &&
                  read_tokens_q == read_cost << 1 && write_tokens_q == write_cost << 1;

endmodule

`default_nettype wire

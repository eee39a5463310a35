// SPDX-License-Identifier: Apache-2.0
//
// ace_memory_arbiter -- the exchange and the DMAs at one memory interface
//
//   exchange --s0_ar--+-- first --> m_ar      m_r, by order of m_ar --+--> s0_r
//   TX DMA   --s1_ar--'                                               '--> s1_r
//   exchange --s0_aw--+-- first --> m_aw      m_b, by order of m_aw --+--> s0_b
//   RX DMA   --s1_aw--'                                               '--> s1_b
//            s0_w, s1_w, by order of m_aw --> m_w
//
// Contract
//   Handshake   A beat moves when valid && ready.  s0 goes first where both ask; an address
//               on m_ar or m_aw may change until it is taken.  Rows do not pass through
//               here: m_w_first says whose is on m_w, m_r goes to both sides.
//   Order       Data and answers come in the order of addresses, so the owner of each burst
//               is kept.  No beat is on m_w before its address was taken.
//   Share       s1 has at most DMA_BURSTS bursts outstanding each way, and while s0_busy no
//               more than one whose beats have not all left: what s0 writes waits for a
//               burst at most.
//   Latency     none: nothing is held here.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/twin/ace_memory_arbiter.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_memory_arbiter_test.cc).

`default_nettype none

module ace_memory_arbiter #(
    parameter DMA_BURSTS = 16,      // outstanding of s1, each way, 1..BURSTS
    parameter BURSTS     = 144      // outstanding of both, each way, 1..256
) (
    input  wire         clk,
    input  wire         rst,

    // Exchange: bursts of one row
    input  wire         s0_busy,
    input  wire         s0_ar_valid,
    output wire         s0_ar_ready,
    input  wire [47:0]  s0_ar_addr,
    output wire         s0_r_valid,
    input  wire         s0_r_ready,
    input  wire         s0_aw_valid,
    output wire         s0_aw_ready,
    input  wire [47:0]  s0_aw_addr,
    input  wire         s0_aw_pad,          // writes nothing, see ace_memory_interface
    input  wire         s0_w_valid,
    output wire         s0_w_ready,
    output wire         s0_b_valid,

    // DMAs
    input  wire         s1_ar_valid,
    output wire         s1_ar_ready,
    input  wire [47:0]  s1_ar_addr,
    input  wire [7:0]   s1_ar_len,
    output wire         s1_r_valid,
    input  wire         s1_r_ready,
    input  wire         s1_aw_valid,
    output wire         s1_aw_ready,
    input  wire [47:0]  s1_aw_addr,
    input  wire [7:0]   s1_aw_len,
    input  wire         s1_w_valid,
    output wire         s1_w_ready,
    input  wire         s1_w_last,
    output wire         s1_b_valid,

    // Memory interface
    output wire         m_ar_valid,
    input  wire         m_ar_ready,
    output wire [47:0]  m_ar_addr,
    output wire [7:0]   m_ar_len,
    input  wire         m_r_valid,
    output wire         m_r_ready,
    input  wire         m_r_last,
    output wire         m_aw_valid,
    input  wire         m_aw_ready,
    output wire [47:0]  m_aw_addr,
    output wire [7:0]   m_aw_len,
    output wire         m_aw_pad,
    output wire         m_w_valid,
    input  wire         m_w_ready,
    output wire         m_w_first,          // the row on m_w is that of s0
    output wire         m_w_last,
    input  wire         m_b_valid,
    output wire         m_b_ready
);

    localparam PTR_W   = BURSTS > 1 ? $clog2(BURSTS) : 1;
    localparam COUNT_W = $clog2(BURSTS + 1);
    localparam [31:0] LAST = BURSTS - 1;
    localparam [31:0] SHARE = DMA_BURSTS;
    localparam [COUNT_W-1:0] NONE = {COUNT_W{1'b0}};

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (BURSTS < 1 || BURSTS > 256) begin : g_illegal_bursts BURSTS_must_be_1_to_256 stop (); end
        if (DMA_BURSTS < 1 || DMA_BURSTS > BURSTS) begin : g_illegal_dma_bursts
            DMA_BURSTS_must_be_1_to_BURSTS stop ();
        end
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

    // ---- reads -----------------------------------------------------------

    reg [PTR_W-1:0]   r_wr_q;
    reg [PTR_W-1:0]   r_rd_q;
    reg [COUNT_W-1:0] reads_q;          // of s1
    reg               r_first_q [0:BURSTS-1];

    wire ar_share = reads_q < SHARE[COUNT_W-1:0];
    wire r_first  = r_first_q[r_rd_q];
    wire ar       = m_ar_valid && m_ar_ready;
    wire r_end    = m_r_valid && m_r_ready && m_r_last;

    assign m_ar_valid  = s0_ar_valid || (s1_ar_valid && ar_share);
    assign m_ar_addr   = s0_ar_valid ? s0_ar_addr : s1_ar_addr;
    assign m_ar_len    = s0_ar_valid ? 8'd0 : s1_ar_len;
    assign s0_ar_ready = m_ar_ready;
    assign s1_ar_ready = m_ar_ready && !s0_ar_valid && ar_share;
    assign s0_r_valid  = m_r_valid && r_first;
    assign s1_r_valid  = m_r_valid && !r_first;
    assign m_r_ready   = r_first ? s0_r_ready : s1_r_ready;

    always @(posedge clk) begin
        if (rst) begin
            r_wr_q  <= {PTR_W{1'b0}};
            r_rd_q  <= {PTR_W{1'b0}};
            reads_q <= NONE;
        end else begin
            if (ar)
                r_wr_q <= next(r_wr_q);
            if (r_end)
                r_rd_q <= next(r_rd_q);
            reads_q <= step(reads_q, ar && !s0_ar_valid, r_end && !r_first);
        end
    end

    always @(posedge clk) begin
        if (ar)
            r_first_q[r_wr_q] <= s0_ar_valid;
    end

    // ---- writes ----------------------------------------------------------

    reg [PTR_W-1:0]   w_wr_q;
    reg [PTR_W-1:0]   w_rd_q;           // the burst whose beats are next
    reg [PTR_W-1:0]   b_rd_q;           // the burst whose answer is next
    reg [COUNT_W-1:0] open_q;           // bursts whose beats have not all left
    reg [COUNT_W-1:0] dma_open_q;       // of s1
    reg [COUNT_W-1:0] writes_q;         // of s1
    reg               w_first_q [0:BURSTS-1];

    wire aw_share = writes_q < SHARE[COUNT_W-1:0] && !(s0_busy && dma_open_q != NONE);
    wire w_open   = open_q != NONE;
    wire w_first  = w_first_q[w_rd_q];
    wire b_first  = w_first_q[b_rd_q];
    wire aw       = m_aw_valid && m_aw_ready;
    wire w_end    = m_w_valid && m_w_ready && m_w_last;

    assign m_aw_valid  = s0_aw_valid || (s1_aw_valid && aw_share);
    assign m_aw_addr   = s0_aw_valid ? s0_aw_addr : s1_aw_addr;
    assign m_aw_len    = s0_aw_valid ? 8'd0 : s1_aw_len;
    assign m_aw_pad    = s0_aw_valid && s0_aw_pad;
    assign s0_aw_ready = m_aw_ready;
    assign s1_aw_ready = m_aw_ready && !s0_aw_valid && aw_share;
    assign m_w_valid   = w_open && (w_first ? s0_w_valid : s1_w_valid);
    assign m_w_first   = w_open && w_first;
    assign m_w_last    = m_w_first || s1_w_last;
    assign s0_w_ready  = w_open && w_first && m_w_ready;
    assign s1_w_ready  = w_open && !w_first && m_w_ready;
    assign s0_b_valid  = m_b_valid && b_first;
    assign s1_b_valid  = m_b_valid && !b_first;
    assign m_b_ready   = 1'b1;

    always @(posedge clk) begin
        if (rst) begin
            w_wr_q     <= {PTR_W{1'b0}};
            w_rd_q     <= {PTR_W{1'b0}};
            b_rd_q     <= {PTR_W{1'b0}};
            open_q     <= NONE;
            dma_open_q <= NONE;
            writes_q   <= NONE;
        end else begin
            if (aw)
                w_wr_q <= next(w_wr_q);
            if (w_end)
                w_rd_q <= next(w_rd_q);
            if (m_b_valid)
                b_rd_q <= next(b_rd_q);
            open_q     <= step(open_q, aw, w_end);
            dma_open_q <= step(dma_open_q, aw && !s0_aw_valid, w_end && !w_first);
            writes_q   <= step(writes_q, aw && !s0_aw_valid, s1_b_valid);
        end
    end

    always @(posedge clk) begin
        if (aw)
            w_first_q[w_wr_q] <= s0_aw_valid;
    end

endmodule

`default_nettype wire

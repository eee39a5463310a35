// SPDX-License-Identifier: Apache-2.0
//
// ace_axi_split -- the engine's memory pins as AXI4 masters of 512 or 1024 bits
//
//   s_ar, s_aw ---> [ a lane a channel ] ---> m_axi_ar*, m_axi_aw*      an address, to every channel
//   s_w        ---> [ a lane a channel ] ---> m_axi_w*                  a row, to each its part
//   m_r        <--- [ a lane a channel ] <--- m_axi_r*                  a row, of a part from each
//   m_b        <--- [ a lane a channel ] <--- m_axi_b*                  an answer, of one from each
//
// Contract
//   Pins        The pins of channel c are the c-th part of each m_axi_* vector.  Every output is a
//               register or a constant, except the two responses to the engine, which are a few gates of
//               registers.  Every data input goes into a register without logic.  No output depends
//               on an input of its cycle.
//   Handshake   A beat moves when valid && ready. valid waits for no ready of any channel.  A row
//               may leave before its address is taken, and an address before its rows.
//   Rows        Channel c stores the c-th BEAT_W bits of each row.  Take row and beat as sizes in
//               bytes.  Byte x of the engine's memory is then byte x / row * beat + x % beat of
//               channel x % row / beat.  A burst of n rows becomes a burst of n beats in each
//               channel.  So a burst within 4 KiB stays within 4 KiB.
//   Addresses   The engine's addresses are of whole rows: bits below a row are ignored. cfg_window
//               becomes bits 63:48 of a channel's addresses.
//   Attributes  A burst has the cfg_* values of the cycle in which it is taken, and the engine's
//               PROT.  All bursts have one ID, so that answers come in order.  Bursts are
//               INCR, of full width, with LOCK 0.
//   Skew        A channel may be ROWS beats ahead of another, in each direction, before it stalls.
//               The memories behind two channels must not wait for one another.
//   Order       as taken, in each channel and at the engine.
//   Errors      An error response of one channel becomes the error of the whole row or burst:
//               DECERR if any channel reports it, SLVERR otherwise.
//   Protocol    EXOKAY, which no burst here may get, says that an answer is wrong: a channel gave it, or
//               another ID than the burst's, or the channels' last bits differ.  The engine takes it as a
//               protocol fault, so m_r_last is then of no matter.
//   Latency     A beat taken in cycle t is shown from cycle t + 2 on, in each direction.  A row
//               counts from the cycle in which its last part was taken.
//   Throughput  A row a cycle in each direction.
//   Outstanding As many bursts as the engine allows; this module counts none.
//   Reset       rst is synchronous, active high; only control state is reset.  Beats inside are
//               lost, so this is the engine's rst, for a reset that includes the memories.  A stop
//               of the engine needs no reset here.
//   Twin        cmodel/twin/ace_axi_split.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_axi_split_test.cc).

`default_nettype none

module ace_axi_split #(
    parameter CHANNELS = 2,                     // 2 or 4
    parameter ROWS     = 4,                     // beats a channel may be ahead of another, a power of two, 4..16
    parameter ID_W     = 4,                     // bits of an ID, 1..31
    parameter ID       = 0,                     // AxID of every burst
    parameter ROW_W    = 2048,                  // bits of a row
    parameter BEAT_W   = ROW_W / CHANNELS       // follows
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire [16*CHANNELS-1:0]     cfg_window,       // bits 63:48 of the addresses of each channel
    input  wire [3:0]                 cfg_cache,        // AxCACHE
    input  wire [3:0]                 cfg_qos,          // AxQOS

    // The engine's memory pins.  Size and burst type of both address channels never change, so they
    // have no pins here.
    input  wire                       s_ar_valid,
    output wire                       s_ar_ready,
    input  wire [47:0]                s_ar_addr,
    input  wire [7:0]                 s_ar_len,
    input  wire [2:0]                 s_ar_prot,
    output wire                       m_r_valid,
    input  wire                       m_r_ready,
    output wire [ROW_W-1:0]           m_r_data,
    output wire                       m_r_last,
    output wire [1:0]                 m_r_resp,
    input  wire                       s_aw_valid,
    output wire                       s_aw_ready,
    input  wire [47:0]                s_aw_addr,
    input  wire [7:0]                 s_aw_len,
    input  wire [2:0]                 s_aw_prot,
    input  wire                       s_w_valid,
    output wire                       s_w_ready,
    input  wire [ROW_W-1:0]           s_w_data,
    input  wire [ROW_W/8-1:0]         s_w_strb,
    input  wire                       s_w_last,
    output wire                       m_b_valid,
    input  wire                       m_b_ready,
    output wire [1:0]                 m_b_resp,

    // The channels, side by side
    output wire [CHANNELS-1:0]        m_axi_arvalid,
    input  wire [CHANNELS-1:0]        m_axi_arready,
    output wire [ID_W*CHANNELS-1:0]   m_axi_arid,
    output wire [64*CHANNELS-1:0]     m_axi_araddr,
    output wire [8*CHANNELS-1:0]      m_axi_arlen,
    output wire [3*CHANNELS-1:0]      m_axi_arsize,
    output wire [2*CHANNELS-1:0]      m_axi_arburst,
    output wire [CHANNELS-1:0]        m_axi_arlock,
    output wire [4*CHANNELS-1:0]      m_axi_arcache,
    output wire [3*CHANNELS-1:0]      m_axi_arprot,
    output wire [4*CHANNELS-1:0]      m_axi_arqos,
    input  wire [CHANNELS-1:0]        m_axi_rvalid,
    output wire [CHANNELS-1:0]        m_axi_rready,
    input  wire [ID_W*CHANNELS-1:0]   m_axi_rid,
    input  wire [ROW_W-1:0]           m_axi_rdata,
    input  wire [2*CHANNELS-1:0]      m_axi_rresp,
    input  wire [CHANNELS-1:0]        m_axi_rlast,
    output wire [CHANNELS-1:0]        m_axi_awvalid,
    input  wire [CHANNELS-1:0]        m_axi_awready,
    output wire [ID_W*CHANNELS-1:0]   m_axi_awid,
    output wire [64*CHANNELS-1:0]     m_axi_awaddr,
    output wire [8*CHANNELS-1:0]      m_axi_awlen,
    output wire [3*CHANNELS-1:0]      m_axi_awsize,
    output wire [2*CHANNELS-1:0]      m_axi_awburst,
    output wire [CHANNELS-1:0]        m_axi_awlock,
    output wire [4*CHANNELS-1:0]      m_axi_awcache,
    output wire [3*CHANNELS-1:0]      m_axi_awprot,
    output wire [4*CHANNELS-1:0]      m_axi_awqos,
    output wire [CHANNELS-1:0]        m_axi_wvalid,
    input  wire [CHANNELS-1:0]        m_axi_wready,
    output wire [ROW_W-1:0]           m_axi_wdata,
    output wire [ROW_W/8-1:0]         m_axi_wstrb,
    output wire [CHANNELS-1:0]        m_axi_wlast,
    input  wire [CHANNELS-1:0]        m_axi_bvalid,
    output wire [CHANNELS-1:0]        m_axi_bready,
    input  wire [ID_W*CHANNELS-1:0]   m_axi_bid,
    input  wire [2*CHANNELS-1:0]      m_axi_bresp,

    output wire                       idle              // nothing changes without input
);

    localparam SPREAD  = $clog2(CHANNELS);              // log2 of a row's size over its beat's
    localparam ROW_AT  = $clog2(ROW_W / 8);             // bits of an address below a row
    localparam SIZE    = $clog2(BEAT_W / 8);            // AxSIZE
    localparam NUMBER  = 48 - ROW_AT;                   // bits of a row's number
    localparam ADDRESS = 16 + NUMBER + 8 + 3 + 4 + 4;   // window, row, len, prot, cache, qos
    localparam STRB_W  = BEAT_W / 8;
    localparam [31:0] AXID   = ID;
    localparam [31:0] AXSIZE = SIZE;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (CHANNELS != 2 && CHANNELS != 4) begin : g_illegal_channels CHANNELS_must_be_2_or_4 stop (); end
        if (ROWS < 4 || ROWS > 16 || (ROWS & (ROWS - 1)) != 0) begin : g_illegal_rows
            ROWS_must_be_a_power_of_two_from_4_to_16 stop ();
        end
        if (ID_W < 1 || ID_W > 31) begin : g_illegal_id_w ID_W_must_be_1_to_31 stop (); end
        if (ID < 0 || ID >> ID_W != 0) begin : g_illegal_id ID_must_be_of_ID_W_bits stop (); end
        if (ROW_W < 8 * CHANNELS || ROW_W > 1024 * CHANNELS || (ROW_W & (ROW_W - 1)) != 0) begin : g_illegal_row_w
            ROW_W_must_be_a_power_of_two_of_1_to_128_bytes_a_channel stop ();
        end
        if (BEAT_W * CHANNELS != ROW_W) begin : g_illegal_beat_w BEAT_W_must_be_a_row_over_CHANNELS stop (); end
    endgenerate

    // ---- from the engine: one register says for all channels that a beat is taken ----

    reg  ar_ready_q, aw_ready_q, w_ready_q;
    wire [CHANNELS-1:0] ar_room, aw_room, w_room, r_room, b_room;
    wire [CHANNELS-1:0] ar_some, aw_some, w_some, r_some, b_some;

    assign s_ar_ready = ar_ready_q;
    assign s_aw_ready = aw_ready_q;
    assign s_w_ready  = w_ready_q;

    // ---- to the engine: a row, or an answer, when each channel has its part ----

    reg  r_valid_q, b_valid_q;
    wire r_load = &r_some && (!r_valid_q || m_r_ready);
    wire b_load = &b_some && (!b_valid_q || m_b_ready);
    wire [CHANNELS-1:0]   r_last;
    wire [2*CHANNELS-1:0] r_resp, b_resp;
    wire [ID_W*CHANNELS-1:0] r_id, b_id;
    wire r_fits = (&r_last || ~|r_last) && r_id == {CHANNELS{AXID[ID_W-1:0]}};
    wire b_fits = b_id == {CHANNELS{AXID[ID_W-1:0]}};

    // Bit 1 of a response is an error, and bit 0 then says DECERR; without bit 1 it says EXOKAY.
    function [1:0] joined;
        input [2*CHANNELS-1:0] resp;
        input                  fits;
        reg   [1:0]            worst;
        reg                    odd;
        integer i;
        begin
            worst = 2'b00;
            odd   = !fits;
            for (i = 0; i < CHANNELS; i = i + 1) begin
                worst = worst | ({2{resp[2*i+1]}} & resp[2*i +: 2]);
                odd   = odd || resp[2*i +: 2] == 2'b01;
            end
            joined = odd ? 2'b01 : worst;
        end
    endfunction

    assign m_r_valid = r_valid_q;
    assign m_r_last  = r_last[0];       // each says the same where it matters
    assign m_r_resp  = joined(r_resp, r_fits);
    assign m_b_valid = b_valid_q;
    assign m_b_resp  = joined(b_resp, b_fits);

    always @(posedge clk) begin
        if (rst) begin
            ar_ready_q <= 1'b0;
            aw_ready_q <= 1'b0;
            w_ready_q  <= 1'b0;
            r_valid_q  <= 1'b0;
            b_valid_q  <= 1'b0;
        end else begin
            ar_ready_q <= &ar_room;
            aw_ready_q <= &aw_room;
            w_ready_q  <= &w_room;
            r_valid_q  <= r_load || (r_valid_q && !m_r_ready);
            b_valid_q  <= b_load || (b_valid_q && !m_b_ready);
        end
    end

    // ---- the channels ----

    reg  [CHANNELS-1:0] ar_valid_q, aw_valid_q, w_valid_q, r_ready_q, b_ready_q;
    wire [CHANNELS-1:0] ar_load = ar_some & (~ar_valid_q | m_axi_arready);
    wire [CHANNELS-1:0] aw_load = aw_some & (~aw_valid_q | m_axi_awready);
    wire [CHANNELS-1:0] w_load  = w_some & (~w_valid_q | m_axi_wready);

    assign m_axi_arvalid = ar_valid_q;
    assign m_axi_awvalid = aw_valid_q;
    assign m_axi_wvalid  = w_valid_q;
    assign m_axi_rready  = r_ready_q;
    assign m_axi_bready  = b_ready_q;
    assign m_axi_arid    = {CHANNELS{AXID[ID_W-1:0]}};
    assign m_axi_awid    = {CHANNELS{AXID[ID_W-1:0]}};
    assign m_axi_arsize  = {CHANNELS{AXSIZE[2:0]}};
    assign m_axi_awsize  = {CHANNELS{AXSIZE[2:0]}};
    assign m_axi_arburst = {CHANNELS{2'b01}};
    assign m_axi_awburst = {CHANNELS{2'b01}};
    assign m_axi_arlock  = {CHANNELS{1'b0}};
    assign m_axi_awlock  = {CHANNELS{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            ar_valid_q <= {CHANNELS{1'b0}};
            aw_valid_q <= {CHANNELS{1'b0}};
            w_valid_q  <= {CHANNELS{1'b0}};
            r_ready_q  <= {CHANNELS{1'b0}};
            b_ready_q  <= {CHANNELS{1'b0}};
        end else begin
            ar_valid_q <= ar_load | (ar_valid_q & ~m_axi_arready);
            aw_valid_q <= aw_load | (aw_valid_q & ~m_axi_awready);
            w_valid_q  <= w_load | (w_valid_q & ~m_axi_wready);
            r_ready_q  <= r_room;
            b_ready_q  <= b_room;
        end
    end

    wire [NUMBER+14:0] ar = {s_ar_addr[47:ROW_AT], s_ar_len, s_ar_prot, cfg_cache};
    wire [NUMBER+14:0] aw = {s_aw_addr[47:ROW_AT], s_aw_len, s_aw_prot, cfg_cache};

    genvar c;
    generate
        for (c = 0; c < CHANNELS; c = c + 1) begin : g_channel
            wire [15:0]       ar_window, aw_window;
            wire [NUMBER-1:0] ar_row, aw_row;

            ace_axi_lane #(.W(ADDRESS), .ROWS(ROWS)) u_ar (
                .clk(clk), .rst(rst), .s_valid(s_ar_valid), .s_ready(ar_ready_q),
                .s_data({cfg_window[16*c +: 16], cfg_qos, ar}), .m_room(ar_room[c]),
                .m_some(ar_some[c]), .s_load(ar_load[c]),
                .m_data({ar_window, m_axi_arqos[4*c +: 4], ar_row, m_axi_arlen[8*c +: 8], m_axi_arprot[3*c +: 3],
                         m_axi_arcache[4*c +: 4]})
            );
            assign m_axi_araddr[64*c +: 64] = {ar_window, {48{1'b0}}} | {{64-NUMBER{1'b0}}, ar_row} << ROW_AT - SPREAD;

            ace_axi_lane #(.W(ID_W + BEAT_W + 3), .ROWS(ROWS)) u_r (
                .clk(clk), .rst(rst), .s_valid(m_axi_rvalid[c]), .s_ready(r_ready_q[c]),
                .s_data({m_axi_rid[ID_W*c +: ID_W], m_axi_rlast[c], m_axi_rresp[2*c +: 2],
                         m_axi_rdata[BEAT_W*c +: BEAT_W]}),
                .m_room(r_room[c]),
                .m_some(r_some[c]), .s_load(r_load),
                .m_data({r_id[ID_W*c +: ID_W], r_last[c], r_resp[2*c +: 2], m_r_data[BEAT_W*c +: BEAT_W]})
            );

            ace_axi_lane #(.W(ADDRESS), .ROWS(ROWS)) u_aw (
                .clk(clk), .rst(rst), .s_valid(s_aw_valid), .s_ready(aw_ready_q),
                .s_data({cfg_window[16*c +: 16], cfg_qos, aw}), .m_room(aw_room[c]),
                .m_some(aw_some[c]), .s_load(aw_load[c]),
                .m_data({aw_window, m_axi_awqos[4*c +: 4], aw_row, m_axi_awlen[8*c +: 8], m_axi_awprot[3*c +: 3],
                         m_axi_awcache[4*c +: 4]})
            );
            assign m_axi_awaddr[64*c +: 64] = {aw_window, {48{1'b0}}} | {{64-NUMBER{1'b0}}, aw_row} << ROW_AT - SPREAD;

            ace_axi_lane #(.W(BEAT_W + STRB_W + 1), .ROWS(ROWS)) u_w (
                .clk(clk), .rst(rst), .s_valid(s_w_valid), .s_ready(w_ready_q),
                .s_data({s_w_last, s_w_strb[STRB_W*c +: STRB_W], s_w_data[BEAT_W*c +: BEAT_W]}), .m_room(w_room[c]),
                .m_some(w_some[c]), .s_load(w_load[c]),
                .m_data({m_axi_wlast[c], m_axi_wstrb[STRB_W*c +: STRB_W], m_axi_wdata[BEAT_W*c +: BEAT_W]})
            );

            ace_axi_lane #(.W(ID_W + 2), .ROWS(ROWS)) u_b (
                .clk(clk), .rst(rst), .s_valid(m_axi_bvalid[c]), .s_ready(b_ready_q[c]),
                .s_data({m_axi_bid[ID_W*c +: ID_W], m_axi_bresp[2*c +: 2]}), .m_room(b_room[c]),
                .m_some(b_some[c]), .s_load(b_load), .m_data({b_id[ID_W*c +: ID_W], b_resp[2*c +: 2]})
            );
        end
    endgenerate

    // Idle: no beat is inside, and every ready is 1.
    assign idle = ~|{ar_some, aw_some, w_some, r_some, b_some} &&
                  ~|{ar_valid_q, aw_valid_q, w_valid_q, r_valid_q, b_valid_q} &&
                  &{ar_ready_q, aw_ready_q, w_ready_q, r_ready_q, b_ready_q};

    // unused: address bits below a row
    wire unused = &{1'b0, s_ar_addr, s_aw_addr};

endmodule

`default_nettype wire

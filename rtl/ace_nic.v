// SPDX-License-Identifier: Apache-2.0
//
// ace_nic -- the network side of a node: links, router, and the exchange of all-to-alls and lists
//
//   s_cmd --> exchange --> x: m_ar, s_r, m_aw, m_w, s_b  (ace_memory_port)
//                |  ^
//                v  |
//              router <----> routed ports --+
//                                           +-- links --> tx_*, rx_*
//   s_out, m_head, m_arrived, m_storing <--> plain ports --+
//   (ace_datapath)
//   s_grant --> links,  links --> m_grant    (ace_phases)
//
// Contract
//   Links       One ace_link for each link; its contract holds for rx_*, tx_*, s_grant_* and
//               m_grant_*.  Even links send what the + pipes of s_out and of the router give, odd
//               links what the - pipes give.  With a cfg_silence a link that fails closes all others.
//   Packets     m_head_* shows the packet at the head of each link's plain input buffer.  s_head_pop
//               takes it.  The row of a popped packet is at m_arrived_* two cycles later, if
//               s_arrived_link names the link a cycle after the pop; likewise m_storing_*.
//   Out         A packet on s_out_* was reserved before by s_reserve.  While s_out_stop no packet of
//               s_out enters a link.
//   Wire        With WIRE_FORMATS a packet of s_out takes the part of the link's cost that its bytes in
//               the format cfg_wire are of 256.  Frames that are sent again take the whole cost.
//   Exchange    The contracts of ace_exchange and ace_router hold for s_cmd_*, m_done_* and the
//               memory's pins.
//   Checks      m_routed_wrong: a row that a pipe of the router took did not fit its code;
//               m_list_wrong: a row of a list.  Both as ace_row_check reports it.
//   Payload     Without PAYLOAD rows on tx_data are zeros, which add nothing to a CRC; lists are read
//               as ever.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_nic.h, equal inside ace_node at every port of the node, every cycle
//               (tests/lockstep/lockstep_node_test.cc).

`include "ace_widths.vh"

`default_nettype none

module ace_nic #(
    parameter DIMENSIONS         = 3,       // 3 or 4: two links each
    parameter LINK_INPUT_ROWS    = 128,     // packets in a link's input buffer
    parameter LINK_OUTPUT_ROWS   = 8,       // packets in a link's output buffer
    parameter ROUTER_INPUT_ROWS  = 128,     // routed packets in a link's input buffer
    parameter ROUTER_OUTPUT_ROWS = 16,      // and in its output buffer, 2 or more
    parameter EXCHANGE_ROWS      = 64,      // rows of each queue of the exchange
    parameter EXCHANGE_BURSTS    = 128,     // AXI bursts outstanding of the exchange, each way, of one row
    parameter ROW_W              = 2048,    // bits of a row
    parameter PAYLOAD            = 1,       // 0: rows have no values
    parameter WIRE_FORMATS       = 0,       // 1: packets of the switch have a format
    parameter DATA_W             = PAYLOAD != 0 ? ROW_W : 64,   // follows: bits of a row that are carried
    parameter LINKS              = 2 * DIMENSIONS               // follows
) (
    input  wire                             clk,
    input  wire                             rst,

    // Setting, constant but in reset
    input  wire [8*DIMENSIONS-1:0]          cfg_ring,
    input  wire [8*DIMENSIONS-1:0]          cfg_rank,
    input  wire [24*DIMENSIONS-1:0]         cfg_link_cost,
    input  wire [2:0]                       cfg_wire,           // format of the switch's packets
    input  wire [7:0]                       cfg_share,          // routed packets before a plain one, 0: all
    input  wire [15:0]                      cfg_retry,
    input  wire [15:0]                      cfg_epoch,
    input  wire [LINKS-1:0]                 cfg_epoch_links,
    input  wire [7:0]                       cfg_silence,
    input  wire [63:0]                      cfg_window_first,
    input  wire [63:0]                      cfg_window_last,

    // All-to-alls and lists
    input  wire                             s_cmd_valid,
    output wire                             s_cmd_ready,
    input  wire                             s_cmd_list,
    input  wire [2:0]                       s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0]          s_cmd_dims,
    input  wire [`ACE_ADDRESS_W-1:0]        s_cmd_source,
    input  wire [`ACE_ADDRESS_W-1:0]        s_cmd_destination,
    input  wire [40:0]                      s_cmd_bytes,
    input  wire [15:0]                      s_cmd_tag,
    output wire                             m_done_valid,
    input  wire                             m_done_ready,
    output wire [15:0]                      m_done_tag,

    // Links, what arrives
    input  wire [LINKS-1:0]                 rx_frame,
    input  wire [LINKS-1:0]                 rx_resend,
    input  wire [16*LINKS-1:0]              rx_number,
    input  wire [16*LINKS-1:0]              rx_ack,
    input  wire [32*LINKS-1:0]              rx_crc,
    input  wire [LINKS-1:0]                 rx_valid,
    input  wire [8*LINKS-1:0]               rx_context,
    input  wire [LINKS-1:0]                 rx_reduce,
    input  wire [8*LINKS-1:0]               rx_mark,
    input  wire [LINKS*ROW_W-1:0]           rx_data,
    input  wire [LINKS-1:0]                 rx_routed,
    input  wire [`ACE_ROUTE_W*LINKS-1:0]    rx_route,
    input  wire [LINKS-1:0]                 rx_credit,
    input  wire [LINKS-1:0]                 rx_routed_credit,
    input  wire [LINKS-1:0]                 rx_grant_valid,
    input  wire [8*LINKS-1:0]               rx_grant_context,
    input  wire [8*LINKS-1:0]               rx_grant_mark,
    input  wire [8*LINKS-1:0]               rx_grant_peer,
    // and what leaves
    output wire [LINKS-1:0]                 tx_frame,
    output wire [LINKS-1:0]                 tx_resend,
    output wire [16*LINKS-1:0]              tx_number,
    output wire [16*LINKS-1:0]              tx_ack,
    output wire [32*LINKS-1:0]              tx_crc,
    output wire [LINKS-1:0]                 tx_valid,
    output wire [8*LINKS-1:0]               tx_context,
    output wire [LINKS-1:0]                 tx_reduce,
    output wire [8*LINKS-1:0]               tx_mark,
    output wire [LINKS*ROW_W-1:0]           tx_data,
    output wire [LINKS-1:0]                 tx_routed,
    output wire [`ACE_ROUTE_W*LINKS-1:0]    tx_route,
    output wire [LINKS-1:0]                 tx_credit,
    output wire [LINKS-1:0]                 tx_routed_credit,
    output wire [LINKS-1:0]                 tx_grant_valid,
    output wire [8*LINKS-1:0]               tx_grant_context,
    output wire [8*LINKS-1:0]               tx_grant_mark,
    output wire [8*LINKS-1:0]               tx_grant_peer,

    // Grants: to leave, on one link, and those that have come
    input  wire [LINKS-1:0]                 s_grant_valid,
    input  wire [7:0]                       s_grant_context,
    input  wire [7:0]                       s_grant_mark,
    input  wire [7:0]                       s_grant_peer,
    output wire [LINKS-1:0]                 m_tight,            // links that take no grants
    output wire [LINKS-1:0]                 m_grant_valid,
    output wire [8*LINKS-1:0]               m_grant_context,
    output wire [8*LINKS-1:0]               m_grant_mark,
    output wire [8*LINKS-1:0]               m_grant_peer,

    // The switch's packets: received,
    output wire [LINKS-1:0]                 m_head_valid,
    output wire [8*LINKS-1:0]               m_head_context,
    output wire [LINKS-1:0]                 m_head_reduce,
    output wire [8*LINKS-1:0]               m_head_mark,
    input  wire [LINKS-1:0]                 s_head_pop,
    input  wire                             s_arrived_valid,
    input  wire [2:0]                       s_arrived_link,
    output wire [DATA_W-1:0]                m_arrived_data,
    output wire [`ACE_CODE_W-1:0]           m_arrived_code,
    input  wire                             s_storing_valid,
    input  wire [2:0]                       s_storing_link,
    output wire [DATA_W-1:0]                m_storing_data,
    output wire [`ACE_CODE_W-1:0]           m_storing_code,
    // and to be sent, + pipe in the low half
    output wire [LINKS-1:0]                 m_room,
    output wire [LINKS-1:0]                 m_room_two,
    input  wire [LINKS-1:0]                 s_reserve,
    input  wire                             s_out_stop,
    input  wire [1:0]                       s_out_valid,
    input  wire [5:0]                       s_out_link,
    input  wire [15:0]                      s_out_context,
    input  wire [1:0]                       s_out_reduce,
    input  wire [15:0]                      s_out_mark,
    input  wire [15:0]                      s_out_peer,
    input  wire [DATA_W-1:0]                s_plus_data,
    input  wire [DATA_W-1:0]                s_minus_data,

    // Memory, bursts of one row
    output wire                             m_ar_valid,
    input  wire                             m_ar_ready,
    output wire [`ACE_ADDRESS_W-1:0]        m_ar_addr,
    input  wire                             s_r_valid,
    output wire                             s_r_ready,
    input  wire [ROW_W-1:0]                 s_r_data,
    input  wire [`ACE_CODE_W-1:0]           s_r_code,
    output wire                             m_aw_valid,
    input  wire                             m_aw_ready,
    output wire [`ACE_ADDRESS_W-1:0]        m_aw_addr,
    output wire                             m_aw_pad,
    output wire                             m_w_valid,
    input  wire                             m_w_ready,
    output wire [DATA_W-1:0]                m_w_data,
    output wire [`ACE_CODE_W-1:0]           m_w_code,
    output wire [ROW_W/8-1:0]               m_w_strb,
    input  wire                             s_b_valid,

    // Rows that did not fit their code
    output wire [1:0]                       m_routed_wrong,
    output wire                             m_list_wrong,
    // Refusals of the exchange, and the state of the links' guards
    output wire                             failed,
    output wire                             failed_list,
    output wire [`ACE_ADDRESS_W-1:0]        failed_addr,
    output wire [31:0]                      count_refused,
    output wire [LINKS-1:0]                 link_failed,
    output wire [2*LINKS-1:0]               link_state,
    output wire [96*LINKS-1:0]              link_count,
    // Cycle classes
    output wire [`ACE_CLASSES_W*LINKS-1:0]  count_links,
    output wire [`ACE_CLASSES_W-1:0]        count_read,
    output wire [`ACE_CLASSES_W-1:0]        count_write,
    output wire [`ACE_CLASSES_W-1:0]        count_router,
    output wire                             exchange_idle,
    output wire                             idle                // links and router
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (LINK_INPUT_ROWS < 1 || LINK_INPUT_ROWS > 4095) begin : g_illegal_link_input_rows
            LINK_INPUT_ROWS_must_be_1_to_4095 stop ();
        end
        if (LINK_OUTPUT_ROWS < 1 || LINK_OUTPUT_ROWS > 65535) begin : g_illegal_link_output_rows
            LINK_OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROUTER_INPUT_ROWS < 1 || ROUTER_INPUT_ROWS > 4096 - LINK_INPUT_ROWS) begin : g_illegal_router_input_rows
            ROUTER_INPUT_ROWS_must_be_1_to_4096_less_LINK_INPUT_ROWS stop ();
        end
        if (ROUTER_OUTPUT_ROWS < 2 || ROUTER_OUTPUT_ROWS > 65535) begin : g_illegal_router_output_rows
            ROUTER_OUTPUT_ROWS_must_be_2_to_65535 stop ();
        end
        if (EXCHANGE_ROWS < 1 || EXCHANGE_ROWS > 1024) begin : g_illegal_exchange_rows
            EXCHANGE_ROWS_must_be_1_to_1024 stop ();
        end
        if (EXCHANGE_BURSTS < 1 || EXCHANGE_BURSTS > 256) begin : g_illegal_exchange_bursts
            EXCHANGE_BURSTS_must_be_1_to_256 stop ();
        end
        if (WIRE_FORMATS != 0 && WIRE_FORMATS != 1) begin : g_illegal_wire_formats
            WIRE_FORMATS_must_be_0_or_1 stop ();
        end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (PAYLOAD != 0 && PAYLOAD != 1) begin : g_illegal_payload PAYLOAD_must_be_0_or_1 stop (); end
        if (DATA_W != (PAYLOAD != 0 ? ROW_W : 64)) begin : g_illegal_data_w
            DATA_W_must_be_ROW_W_or_64_without_PAYLOAD stop ();
        end
        if (LINKS != 2 * DIMENSIONS) begin : g_illegal_links LINKS_must_be_2_for_each_dimension stop (); end
    endgenerate

    genvar g;

    // ---- all-to-alls: exchange and router ----
    wire [LINKS-1:0]                      routed_head_valid, routed_pop, routed_room, routed_room_two, routed_reserve;
    wire [`ACE_ROUTE_W*LINKS-1:0]         routed_head_route;
    wire [`ACE_NOTE_W*LINKS-1:0]          routed_head_note;
    wire [LINKS:0]                        queue_valid, queue_pop;
    wire [`ACE_ROUTE_W*(LINKS+1)-1:0]     queue_route;
    wire [`ACE_NOTE_W*(LINKS+1)-1:0]      queue_note;
    wire [1:0]                            routed_out_valid;
    wire [5:0]                            routed_out_link;
    wire [7:0]                            routed_out_source;
    wire [2*`ACE_ROUTE_W-1:0]             routed_out_route;
    wire [2*`ACE_NOTE_W-1:0]              routed_out_note;
    wire                                  eject_room, eject_reserve, eject_valid;
    wire [3:0]                            eject_source;
    wire [31:0]                           eject_row;
    wire [`ACE_NOTE_W-1:0]                eject_note;
    wire [DATA_W-1:0]                     plus_queue_row, minus_queue_row, own_queue_row;
    wire [`ACE_CODE_W-1:0]                plus_queue_code, minus_queue_code, own_queue_code;
    wire [DATA_W-1:0]                     routed_popped [0:LINKS-1];    // the row each link gave last
    wire [`ACE_CODE_W-1:0]                routed_popped_code [0:LINKS-1];
    wire                                  router_idle;

    ace_exchange #(
        .DIMENSIONS(DIMENSIONS), .ROWS(EXCHANGE_ROWS), .BURSTS(EXCHANGE_BURSTS), .ROW_W(ROW_W), .DATA_W(DATA_W),
        .CODED(PAYLOAD)
    ) u_exchange (
        .clk(clk), .rst(rst), .cfg_ring(cfg_ring), .cfg_rank(cfg_rank),
        .cfg_window_first(cfg_window_first), .cfg_window_last(cfg_window_last),
        .s_cmd_valid(s_cmd_valid), .s_cmd_ready(s_cmd_ready),
        .s_cmd_list(s_cmd_list), .s_cmd_dim_count(s_cmd_dim_count), .s_cmd_dims(s_cmd_dims),
        .s_cmd_source(s_cmd_source), .s_cmd_destination(s_cmd_destination), .s_cmd_bytes(s_cmd_bytes),
        .s_cmd_tag(s_cmd_tag),
        .m_done_valid(m_done_valid), .m_done_ready(m_done_ready), .m_done_tag(m_done_tag),
        .m_ar_valid(m_ar_valid), .m_ar_ready(m_ar_ready), .m_ar_addr(m_ar_addr),
        .s_r_valid(s_r_valid), .s_r_ready(s_r_ready), .s_r_data(s_r_data), .s_r_code(s_r_code),
        .m_list_wrong(m_list_wrong),
        .m_aw_valid(m_aw_valid), .m_aw_ready(m_aw_ready), .m_aw_addr(m_aw_addr),
        .m_aw_pad(m_aw_pad),
        .m_w_valid(m_w_valid), .m_w_ready(m_w_ready), .m_w_data(m_w_data), .m_w_code(m_w_code),
        .m_w_strb(m_w_strb),
        .s_b_valid(s_b_valid),
        .m_head_valid(queue_valid), .m_head_route(queue_route), .m_head_note(queue_note),
        .s_pop(queue_pop),
        .m_plus_data(plus_queue_row),
        .m_minus_data(minus_queue_row),
        .m_own_data(own_queue_row),
        .m_plus_code(plus_queue_code), .m_minus_code(minus_queue_code), .m_own_code(own_queue_code),
        .m_room(eject_room),
        .s_reserve(eject_reserve),
        .s_row_valid(eject_valid), .s_row_address(eject_row), .s_row_note(eject_note),
        .s_row_data(eject_source[3] ? own_queue_row : routed_popped[eject_source[2:0]]),
        .s_row_code(eject_source[3] ? own_queue_code : routed_popped_code[eject_source[2:0]]),
        .count_read(count_read), .count_write(count_write),
        .failed(failed), .failed_list(failed_list), .failed_addr(failed_addr), .count_refused(count_refused),
        .idle(exchange_idle)
    );

    ace_router #(.DIMENSIONS(DIMENSIONS)) u_router (
        .clk(clk), .rst(rst),
        .s_head_valid(routed_head_valid), .s_head_route(routed_head_route), .s_head_note(routed_head_note),
        .m_pop(routed_pop),
        .s_queue_valid(queue_valid), .s_queue_route(queue_route), .s_queue_note(queue_note), .m_queue_pop(queue_pop),
        .s_room(routed_room), .s_room_two(routed_room_two),
        .m_reserve(routed_reserve),
        .m_out_valid(routed_out_valid), .m_out_link(routed_out_link), .m_out_source(routed_out_source),
        .m_out_route(routed_out_route), .m_out_note(routed_out_note),
        .s_eject_room(eject_room), .m_eject_reserve(eject_reserve), .m_eject_valid(eject_valid),
        .m_eject_source(eject_source), .m_eject_row(eject_row), .m_eject_note(eject_note),
        .count(count_router),
        .idle(router_idle)
    );

    // ---- rows of the switch's packets: each is registered here during the lookup of its slot ----
    wire [DATA_W-1:0]      popped [0:LINKS-1];          // the row each link gave last
    wire [`ACE_CODE_W-1:0] popped_code [0:LINKS-1];
    reg  [DATA_W-1:0]      arrived_row_q, storing_row_q;
    reg  [`ACE_CODE_W-1:0] arrived_code_q, storing_code_q;
    assign m_arrived_data = arrived_row_q;
    assign m_arrived_code = arrived_code_q;
    assign m_storing_data = storing_row_q;
    assign m_storing_code = storing_code_q;
    always @(posedge clk) begin
        if (s_arrived_valid) begin
            arrived_row_q  <= popped[s_arrived_link];
            arrived_code_q <= popped_code[s_arrived_link];
        end
        if (s_storing_valid) begin
            storing_row_q  <= popped[s_storing_link];
            storing_code_q <= popped_code[s_storing_link];
        end
    end

    // ---- links ----
    // Even links take rows of the + pipes, odd links of the - pipes.  All links of a pipe share one sum of a row's CRC.
    wire [DATA_W-1:0]       plain_row [0:1], routed_row [0:1];
    wire [31:0]             plain_sum [0:1], routed_sum [0:1];
    wire [`ACE_CODE_W-1:0]  routed_code [0:1];
    wire [LINKS*DATA_W-1:0] sent;
    wire [LINKS-1:0]        link_idle;

    // What a packet of the switch costs: a row of 256 bytes has 128, 64 or 66 bytes in a format.
    wire [24*DIMENSIONS-1:0] plain_cost;
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_cost
            wire [23:0] whole = cfg_link_cost[g*24 +: 24];
            if (WIRE_FORMATS != 0) begin : g_wire
                reg [23:0] cost_q;
                assign plain_cost[g*24 +: 24] = cost_q;
                always @(posedge clk)
                    cost_q <= cfg_wire == 3'd0 ? whole : cfg_wire == 3'd1 ? whole >> 1 :
                              cfg_wire < 3'd4 ? whole >> 2 : (whole >> 2) + (whole >> 7);
            end else begin : g_no_wire
                assign plain_cost[g*24 +: 24] = whole;
                wire unused = &{1'b0, cfg_wire};
            end
        end
    endgenerate

    assign plain_row[0] = s_plus_data;
    assign plain_row[1] = s_minus_data;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_pipe
            wire [3:0] source = routed_out_source[g*4 +: 4];
            assign routed_row[g] = !source[3] ? routed_popped[source[2:0]] : g == 0 ? plus_queue_row : minus_queue_row;
            assign routed_code[g] = !source[3] ? routed_popped_code[source[2:0]] :
                                    g == 0 ? plus_queue_code : minus_queue_code;
            ace_row_sum #(.ROW_W(DATA_W), .TAKEN(1)) u_plain_sum (
                .clk(clk), .s_valid(s_out_valid[g]), .s_data(plain_row[g]), .m_sum(plain_sum[g]));
            ace_row_sum #(.ROW_W(DATA_W), .TAKEN(1)) u_routed_sum (
                .clk(clk), .s_valid(routed_out_valid[g]), .s_data(routed_row[g]), .m_sum(routed_sum[g]));
            ace_row_check #(.ROW_W(DATA_W), .CODED(PAYLOAD)) u_check (
                .clk(clk), .rst(rst), .s_valid(routed_out_valid[g]), .s_data(routed_row[g]), .s_code(routed_code[g]),
                .m_wrong(m_routed_wrong[g]));
        end
        for (g = 0; g < LINKS; g = g + 1) begin : g_link
            localparam PIPE = g % 2;
            ace_link #(
                .INPUT_ROWS(LINK_INPUT_ROWS), .OUTPUT_ROWS(LINK_OUTPUT_ROWS),
                .ROUTED_INPUT_ROWS(ROUTER_INPUT_ROWS), .ROUTED_OUTPUT_ROWS(ROUTER_OUTPUT_ROWS), .ROW_W(DATA_W),
                .CODED(PAYLOAD)
            ) u_link (
                .clk(clk), .rst(rst), .cfg_cost(cfg_link_cost[(g/2)*24 +: 24]),
                .cfg_plain_cost(plain_cost[(g/2)*24 +: 24]), .cfg_share(cfg_share), .cfg_retry(cfg_retry),
                .cfg_epoch(cfg_epoch & {16{cfg_epoch_links[g]}}), .cfg_silence(cfg_silence),
                .s_close(|link_failed),     // a link that fails takes the others with it
                // pins
                .rx_frame(rx_frame[g]), .rx_resend(rx_resend[g]), .rx_number(rx_number[g*16 +: 16]),
                .rx_ack(rx_ack[g*16 +: 16]), .rx_crc(rx_crc[g*32 +: 32]),
                .rx_valid(rx_valid[g]), .rx_context(rx_context[g*8 +: 8]), .rx_reduce(rx_reduce[g]),
                .rx_mark(rx_mark[g*8 +: 8]), .rx_data(rx_data[g*ROW_W +: DATA_W]),
                .rx_routed(rx_routed[g]), .rx_route(rx_route[g*`ACE_ROUTE_W +: `ACE_ROUTE_W]),
                .rx_credit(rx_credit[g]), .rx_routed_credit(rx_routed_credit[g]),
                .rx_grant_valid(rx_grant_valid[g]), .rx_grant_context(rx_grant_context[g*8 +: 8]),
                .rx_grant_mark(rx_grant_mark[g*8 +: 8]), .rx_grant_peer(rx_grant_peer[g*8 +: 8]),
                .tx_frame(tx_frame[g]), .tx_resend(tx_resend[g]), .tx_number(tx_number[g*16 +: 16]),
                .tx_ack(tx_ack[g*16 +: 16]), .tx_crc(tx_crc[g*32 +: 32]),
                .tx_valid(tx_valid[g]), .tx_context(tx_context[g*8 +: 8]), .tx_reduce(tx_reduce[g]),
                .tx_mark(tx_mark[g*8 +: 8]), .tx_data(sent[g*DATA_W +: DATA_W]),
                .tx_routed(tx_routed[g]), .tx_route(tx_route[g*`ACE_ROUTE_W +: `ACE_ROUTE_W]),
                .tx_credit(tx_credit[g]), .tx_routed_credit(tx_routed_credit[g]),
                .tx_grant_valid(tx_grant_valid[g]), .tx_grant_context(tx_grant_context[g*8 +: 8]),
                .tx_grant_mark(tx_grant_mark[g*8 +: 8]), .tx_grant_peer(tx_grant_peer[g*8 +: 8]),
                // grants
                .s_grant_valid(s_grant_valid[g]), .s_grant_context(s_grant_context), .s_grant_mark(s_grant_mark),
                .s_grant_peer(s_grant_peer), .m_tight(m_tight[g]), .m_grant_valid(m_grant_valid[g]),
                .m_grant_context(m_grant_context[g*8 +: 8]), .m_grant_mark(m_grant_mark[g*8 +: 8]),
                .m_grant_peer(m_grant_peer[g*8 +: 8]),
                // the switch's packets
                .m_head_valid(m_head_valid[g]), .m_head_context(m_head_context[g*8 +: 8]),
                .m_head_reduce(m_head_reduce[g]), .m_head_mark(m_head_mark[g*8 +: 8]), .m_pop(s_head_pop[g]),
                .m_data(popped[g]), .m_code(popped_code[g]),
                .s_room(m_room[g]), .s_room_two(m_room_two[g]), .s_reserve(s_reserve[g]),
                .s_valid(s_out_valid[PIPE] && s_out_link[PIPE*3 +: 3] == g && !s_out_stop),
                .s_context(s_out_context[PIPE*8 +: 8]), .s_reduce(s_out_reduce[PIPE]),
                .s_mark(s_out_mark[PIPE*8 +: 8]), .s_peer(s_out_peer[PIPE*8 +: 8]),
                .s_data(plain_row[PIPE]), .s_sum(plain_sum[PIPE]),
                // the router's
                .m_routed_valid(routed_head_valid[g]),
                .m_routed_route(routed_head_route[g*`ACE_ROUTE_W +: `ACE_ROUTE_W]),
                .m_routed_note(routed_head_note[g*`ACE_NOTE_W +: `ACE_NOTE_W]), .m_routed_pop(routed_pop[g]),
                .m_routed_data(routed_popped[g]), .m_routed_code(routed_popped_code[g]),
                .s_routed_room(routed_room[g]), .s_routed_room_two(routed_room_two[g]),
                .s_routed_reserve(routed_reserve[g]),
                .s_routed_valid(routed_out_valid[PIPE] && routed_out_link[PIPE*3 +: 3] == g),
                .s_routed_route(routed_out_route[PIPE*`ACE_ROUTE_W +: `ACE_ROUTE_W]),
                .s_routed_note(routed_out_note[PIPE*`ACE_NOTE_W +: `ACE_NOTE_W]),
                .s_routed_data(routed_row[PIPE]), .s_routed_sum(routed_sum[PIPE]),
                .failed(link_failed[g]), .state(link_state[2*g +: 2]), .count_resent(link_count[g*96 +: 32]),
                .count_bad(link_count[g*96+32 +: 32]), .count_dropped(link_count[g*96+64 +: 32]),
                .count(count_links[g*`ACE_CLASSES_W +: `ACE_CLASSES_W]), .idle(link_idle[g])
            );
        end
        if (PAYLOAD != 0) begin : g_payload
            assign tx_data = sent;
        end else begin : g_timing
            for (g = 0; g < LINKS; g = g + 1) begin : g_zero
                assign tx_data[g*ROW_W +: ROW_W] = {ROW_W{1'b0}};
            end
            wire unused = &{1'b0, sent, rx_data};
        end
    endgenerate

    // Simulation speed: the wide AND is reached only when the exchange is idle.
    reg    all_idle;
    always @(*) begin
        all_idle = 1'b0;
        if (exchange_idle) all_idle = router_idle && &link_idle;
    end
    assign idle = all_idle;

endmodule

`default_nettype wire

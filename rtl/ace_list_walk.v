// SPDX-License-Identifier: Apache-2.0
//
// ace_list_walk -- a list of transfers in memory becomes rows to send and arrivals to wait for
//
//   s_start --> { fetch } --> m_ask, of the list       s_list --> [ ROWS rows ] --> [ item ]
//                                                                                   |      |
//               { turn } --> m_ask, a row to send <-- [ SENDS sends ] <--- send ----+      |
//                                    s_arrived --> { enough? } --> m_consume <-- receive --+
//
// Contract
//   List        s_rows rows of memory from s_row on, eight items of 32 bytes in each, in the order
//               of addresses; bits of an item, the first byte low:
//                   [7:0]     what: 0 nothing, 1 send, 2 receive, 3 rows of peers
//                   [15:8]    key: the receiver counts the rows of a send under it; 16..255,
//                             32..255 where the fourth ring has more than one node
//                   [47:16]   send: hops to the peer, as in a route (ace_router)
//                   [103:64]  send: first row here           [159:128] and first row there
//                   [119:104] send: rows of a piece          [183:168] rows between two pieces,
//                             here and there; both 0: all in one piece
//                   [255:192] send: bytes, of the pieces together, 2^40 at most; 0: a row that
//                             writes nothing
//                   [255:192] receive: rows, 2^32 at most
//                   [103:64]  rows of peers: the first, [255:192] how many, 2^32 at most
//   Peers       Other nodes write the rows that an item 3 names.  The item is the last one of the
//               last row of the list, and the list goes on with these rows.  They are requested when
//               the items before are done.  They hold receives and empty
//               items only.  Another item in them is skipped and counted as refused; an illegal
//               item of the list itself stops the engine.
//   Illegal     An item is illegal if it is of another kind, or is a send or receive with a key of
//               all-to-alls.  So is one with as many hops on a ring as the ring has nodes, or more.
//               So is one with too many bytes or rows, or with a gap and no pieces.  So is an item 3
//               that is not the last one, and anything but a receive in rows of peers.  An illegal
//               item is skipped: m_bad is 1 in that cycle, with the item's place in memory.  m_peers
//               is 1 if the item is in rows of peers.
//   Order       Items are taken one after the other, one a cycle, and judged in the next cycle.  A
//               receive takes two cycles at least.  A send takes one of SENDS slots and leaves it
//               with its last row.  The list waits while no slot is free.  Active sends take turns,
//               a row each.  A receive waits until enough rows have been counted under its key, and
//               takes them off the count.  So the items after it begin when these rows are in
//               memory.
//   Ask         m_ask_* is a row of the list (m_ask_list) or a row to send.  It may change until
//               s_take.  Rows of the list go first, while fewer than ROWS are stored or requested.
//   Counts      s_arrived is the count of m_receive_key, in the same cycle.  In the cycle after the
//               count is enough, m_consume takes m_consume_rows off it.  Meanwhile the count only
//               grows.
//   Code        With CODED a row of the list comes with its code, which is checked as its last item
//               is taken.  If it does not fit, m_wrong is 1 two cycles later.
//   Busy        From the cycle after s_start until the list has ended and the last row of each send
//               has been taken.  s_start only while not busy.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_list_walk.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_list_walk_test.cc).
//
// The list is read as it is needed, so the storage here does not grow with the number of peers.
// The order of the list is the order of the requests to the links.  Receives are items of the same
// list and not of a second table.  So a receive in the middle of a list is a dependency.  A list
// can then be a schedule of several steps (a barrier, a tree) without software between the steps.
// Receives that no item depends on stand at the end, where their order does not matter.
//
// A send does not give up its turn when the queue of its first link is full.  Otherwise rows for a
// fast first link would go ahead.  These rows turn to the same slow links later and fill the
// buffers in front of these links.  The rows passed over would stay for the end.  An even
// all-to-all-v on 4x2x2 then takes half as long again.

`default_nettype none

module ace_list_walk #(
    parameter DIMENSIONS = 3,       // 3 or 4
    parameter SENDS = 16,           // sends under way, 1..64
    parameter ROWS  = 4,            // rows of the list, stored or requested: a power of two, 2..16
    parameter ROW_W = 2048,         // bits in a row
    parameter CODED = 1             // 1: rows of the list have a code
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [8*DIMENSIONS-1:0] cfg_ring,    // 8 bits a dimension

    input  wire             s_start,
    input  wire [39:0]      s_row,              // in rows
    input  wire [32:0]      s_rows,

    // Requests for rows of memory
    output wire             m_ask_valid,
    output wire             m_ask_list,         // one of the list
    output wire [39:0]      m_ask_source,       // in rows
    output wire [31:0]      m_ask_target,
    output wire [31:0]      m_ask_hops,
    output wire [8:0]       m_ask_bytes,        // to write, 0..256
    output wire [7:0]       m_ask_key,
    input  wire             s_take,
    input  wire             s_list_valid,
    input  wire [ROW_W-1:0] s_list_data,
    input  wire [31:0]      s_list_code,        // of ace_row_code
    output wire             m_wrong,            // a row of the list did not fit its code

    // Rows that arrived
    output wire [7:0]       m_receive_key,
    input  wire [32:0]      s_arrived,
    output wire             m_consume,
    output wire [32:0]      m_consume_rows,

    output wire             m_bad,              // an illegal item,
    output wire [47:0]      m_bad_addr,         // which lies here,
    output wire             m_peers,            // in rows of peers

    output wire             busy
);

    localparam SEND_W = SENDS > 1 ? $clog2(SENDS) : 1;
    localparam PTR_W  = $clog2(ROWS);
    localparam [31:0] LAST_SEND = SENDS - 1;
    localparam [31:0] FULL = ROWS;
    localparam [7:0]  SEND = 8'd1, RECEIVE = 8'd2, PEERS = 8'd3;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (SENDS < 1 || SENDS > 64) begin : g_illegal_sends SENDS_must_be_1_to_64 stop (); end
        if (ROWS < 2 || ROWS > 16 || (ROWS & (ROWS - 1)) != 0) begin : g_illegal_rows
            ROWS_must_be_a_power_of_two_from_2_to_16 stop ();
        end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
    endgenerate

    // The lowest bit that is set.
    function [SEND_W-1:0] first;
        input [SENDS-1:0] set;
        integer i;
        begin
            first = {SEND_W{1'b0}};
            for (i = SENDS - 1; i >= 0; i = i - 1)
                if (set[i])
                    first = i[SEND_W-1:0];
        end
    endfunction

    // ---- rows of the list --------------------------------------------------

    reg [39:0]      fetch_row_q;
    reg [32:0]      fetch_left_q;       // rows not yet requested
    reg             fetching_q;         // fetch_left_q is not 0: busy is late in ace_control
    reg [PTR_W:0]   places_q;           // rows stored or requested
    reg [PTR_W:0]   held_q;
    reg [PTR_W-1:0] wr_q;
    reg [PTR_W-1:0] rd_q;
    reg [2:0]       item_q;             // of the row at rd_q
    reg [ROW_W-1:0] list_q [0:ROWS-1];
    reg [31:0]      list_code_q [0:ROWS-1];

    wire fetch = fetching_q && places_q != FULL[PTR_W:0];
    wire asked = fetch && s_take;
    wire goes;                          // on, with the rows of peers
    wire next;                          // the item is done with
    wire moves;                         // another one is taken out of its row
    reg  [255:0] now_q;
    wire [255:0] item = now_q;
    wire [63:0]  amount = item[255:192];
    wire row_end = moves && item_q == 3'd7;

    always @(posedge clk) begin
        if (rst) begin
            fetch_left_q <= 33'd0;
            fetching_q   <= 1'b0;
            places_q     <= {PTR_W+1{1'b0}};
            held_q       <= {PTR_W+1{1'b0}};
            wr_q         <= {PTR_W{1'b0}};
            rd_q         <= {PTR_W{1'b0}};
            item_q       <= 3'd0;
        end else begin
            if (s_start) begin
                fetch_left_q <= s_rows;
                fetching_q   <= s_rows != 33'd0;
            end else if (goes) begin
                fetch_left_q <= amount[32:0];
                fetching_q   <= amount[32:0] != 33'd0;
            end else if (asked) begin
                fetch_left_q <= fetch_left_q - 33'd1;
                fetching_q   <= fetch_left_q != 33'd1;
            end
            if (asked != row_end)
                places_q <= asked ? places_q + 1'b1 : places_q - 1'b1;
            if (s_list_valid != row_end)
                held_q <= s_list_valid ? held_q + 1'b1 : held_q - 1'b1;
            if (s_list_valid)
                wr_q <= wr_q + 1'b1;
            if (row_end)
                rd_q <= rd_q + 1'b1;
            if (moves)
                item_q <= item_q + 3'd1;
        end
    end

    always @(posedge clk) begin
        if (s_start)
            fetch_row_q <= s_row;
        else if (goes)
            fetch_row_q <= item[103:64];
        else if (asked)
            fetch_row_q <= fetch_row_q + 40'd1;
        if (s_list_valid) begin
            list_q[wr_q]      <= s_list_data;
            list_code_q[wr_q] <= s_list_code;
        end
    end

    // ---- the next item -----------------------------------------------------

    reg              here_q;
    reg  [42:0]      now_at_q;          // where it lies, in items
    reg              enough_q;          // as many rows as it receives had been counted
    reg              peers_q;           // it is in rows of peers
    wire [ROW_W-1:0] head = list_q[rd_q];
    ace_row_check #(.ROW_W(ROW_W), .CODED(CODED)) u_check (
        .clk(clk), .rst(rst), .s_valid(row_end), .s_data(head), .s_code(list_code_q[rd_q]), .m_wrong(m_wrong));
    assign           moves = held_q != {PTR_W+1{1'b0}} && (!here_q || next);
    wire             sends    = item[7:0] == SEND;
    wire             receives = item[7:0] == RECEIVE;
    wire             names_rows = item[7:0] == PEERS;
    wire             last_item = !peers_q && !fetching_q && places_q == {PTR_W+1{1'b0}};
    wire [31:0]      rings;     // of four dimensions
    wire [7:0]       first_key = rings[31:24] > 8'd1 ? 8'd32 : 8'd16;
    reg              far;       // more hops than a ring has
    integer          d;
    generate
        if (DIMENSIONS == 4) begin : g_four
            assign rings = cfg_ring[8*DIMENSIONS-1:0];
        end else begin : g_three
            assign rings = {8'd1, cfg_ring};
        end
    endgenerate
    always @(*) begin
        far = 1'b0;
        for (d = 0; d < 4; d = d + 1)
            if (item[16+8*d +: 7] != 7'd0 && {1'b0, item[16+8*d +: 7]} >= rings[8*d +: 8]) far = 1'b1;
    end
    wire             bad = here_q && item[7:0] != 8'd0 &&
                           ((!sends && !receives && !names_rows) || (!names_rows && item[15:8] < first_key) ||
                            (peers_q && !receives) || (names_rows && !last_item) ||
                            (sends && (far || amount > 64'h100_0000_0000 ||
                                       (item[119:104] == 16'd0 && item[183:168] != 16'd0))) ||
                            (!sends && amount > 64'h1_0000_0000));
    wire [40:0]      bytes  = item[232:192];
    wire [40:0]      before_last = bytes - 41'd1;
    wire             empty  = bytes == 41'd0;

    reg  [SENDS-1:0] valid_q;
    wire             fits = valid_q != {SENDS{1'b1}};
    wire             load = here_q && sends && fits && !bad;

    assign m_receive_key  = item[15:8];
    assign m_consume_rows = item[224:192];
    assign m_consume      = enough_q && !bad;
    assign next           = load || m_consume || bad || (here_q && !sends && !receives);
    assign m_bad          = bad;
    assign m_bad_addr     = {now_at_q, 5'd0};
    assign m_peers        = peers_q;
    assign goes           = here_q && names_rows && !bad;

    always @(posedge clk) begin
        if (rst) begin
            here_q   <= 1'b0;
            enough_q <= 1'b0;
            peers_q  <= 1'b0;
        end else begin
            if (s_start || goes)
                peers_q <= goes;
            here_q   <= moves || (here_q && !next);
            enough_q <= here_q && !next && receives && s_arrived >= m_consume_rows;
        end
    end

    always @(posedge clk) begin
        if (moves) begin
            now_q    <= head[item_q*256 +: 256];
            now_at_q <= {fetch_row_q - {{(39-PTR_W){1'b0}}, places_q}, item_q};
        end
    end

    // ---- sends under way ---------------------------------------------------

    reg [31:0]       hops_q       [0:SENDS-1];
    reg [7:0]        key_q        [0:SENDS-1];
    reg [39:0]       source_q     [0:SENDS-1];
    reg [31:0]       target_q     [0:SENDS-1];
    reg [32:0]       left_q       [0:SENDS-1];      // rows
    reg [8:0]        tail_q       [0:SENDS-1];      // bytes of the last one
    reg [15:0]       piece_q      [0:SENDS-1];
    reg [15:0]       gap_q        [0:SENDS-1];
    reg [15:0]       piece_left_q [0:SENDS-1];
    reg [16:0]       jump_q       [0:SENDS-1];      // from the next row to the following one
    reg [SEND_W-1:0] turn_q;

    wire [SENDS-1:0]  later = valid_q & ({SENDS{1'b1}} << turn_q);
    wire [SEND_W-1:0] who   = first(later != {SENDS{1'b0}} ? later : valid_q);
    wire [SEND_W-1:0] free  = first(~valid_q);
    wire              last  = left_q[who] == 33'd1;
    wire              taken = s_take && !fetch && valid_q != {SENDS{1'b0}};
    wire              ends  = piece_left_q[who] == 16'd1;       // a piece, with the next row
    wire              ended = ends ? piece_q[who] == 16'd1 : piece_left_q[who] == 16'd2;    // with the one behind

    assign m_ask_valid  = fetch || valid_q != {SENDS{1'b0}};
    assign m_ask_list   = fetch;
    assign m_ask_source = fetch ? fetch_row_q : source_q[who];
    assign m_ask_target = target_q[who];
    assign m_ask_hops   = hops_q[who];
    assign m_ask_bytes  = last ? tail_q[who] : 9'd256;
    assign m_ask_key    = key_q[who];
    assign busy = fetching_q || places_q != {PTR_W+1{1'b0}} || here_q || valid_q != {SENDS{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {SENDS{1'b0}};
            turn_q  <= {SEND_W{1'b0}};
        end else begin
            if (load)
                valid_q[free] <= 1'b1;
            if (taken) begin
                if (last)
                    valid_q[who] <= 1'b0;
                turn_q <= who == LAST_SEND[SEND_W-1:0] ? {SEND_W{1'b0}} : who + 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        if (load) begin
            hops_q[free]       <= item[47:16];
            key_q[free]        <= item[15:8];
            source_q[free]     <= item[103:64];
            target_q[free]     <= item[159:128];
            left_q[free]       <= empty ? 33'd1 : before_last[40:8] + 33'd1;
            tail_q[free]       <= empty ? 9'd0 : {1'b0, before_last[7:0]} + 9'd1;
            piece_q[free]      <= item[119:104];
            gap_q[free]        <= item[183:168];
            piece_left_q[free] <= item[119:104];
            jump_q[free]       <= item[119:104] == 16'd1 ? {1'b0, item[183:168]} + 17'd1 : 17'd1;
        end
        if (taken) begin
            source_q[who]     <= source_q[who] + {23'd0, jump_q[who]};
            target_q[who]     <= target_q[who] + {15'd0, jump_q[who]};
            jump_q[who]       <= ended ? {1'b0, gap_q[who]} + 17'd1 : 17'd1;
            left_q[who]       <= left_q[who] - 33'd1;
            piece_left_q[who] <= ends ? piece_q[who] : piece_left_q[who] - 16'd1;
        end
    end

    // unused: bits between the fields of an item
    wire unused = &{1'b0, item[63:48], item[127:120], item[167:160], item[191:184]};

endmodule

`default_nettype wire

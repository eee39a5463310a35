// SPDX-License-Identifier: Apache-2.0
//
// list_walk -- ace_list_walk reads each row of its list once, and does what each item says
//
// The lists follow one another, of any length, at any address.  One item is followed; the item and
// its contents are chosen freely.  Rows arrive in the order of the requests, at any time.
//
// Properties
//   list      The rows of the list are requested in their order, each once, and none beyond.
//             Stored and requested rows never exceed ROWS.
//   order     The item that is judged is the next of the list, with the bits that came.
//   bad       m_bad reports the followed item exactly when it is illegal, with its address in
//             memory.
//   receive   Only a receive item takes rows off a count: of its own key, when enough rows have
//             been counted.  It is passed in no other way.
//   send      The rows of the followed send are requested one after the other.  They start at its
//             first row here and there, have its key and hops, and skip the gap after each piece.
//             Their bytes add up to its bytes, and all rows but the last are whole.
//   turn      Between two of its rows each other send has at most one.
//   busy      busy falls only when each item was judged and each row of the followed send was
//             taken.
//   peers     Rows of peers are requested when each item of the list was judged.  No send begins
//             from there to the end, and m_peers is 1 there alone.
//   rate      cover: eight items are judged in eight cycles

`default_nettype none

module list_walk (
    input wire          clk,
    input wire          rst,
    input wire [23:0]   cfg_ring,
    input wire          s_start,
    input wire [39:0]   s_row,
    input wire [32:0]   s_rows,
    input wire          s_take,
    input wire          s_list_valid,
    input wire [2047:0] s_list_data,
    input wire [32:0]   s_arrived
);
    wire        ask_valid, ask_list, consume, bad, peers, busy, wrong;
    wire [39:0] ask_source;
    wire [31:0] ask_target, ask_hops;
    wire [8:0]  ask_bytes;
    wire [7:0]  ask_key, receive_key;
    wire [32:0] consume_rows;
    wire [47:0] bad_addr;

    ace_list_walk #(.DIMENSIONS(3), .SENDS(2), .ROWS(2), .CODED(0)) dut (
        .clk(clk), .rst(rst), .cfg_ring(cfg_ring), .s_start(s_start), .s_row(s_row), .s_rows(s_rows),
        .m_ask_valid(ask_valid), .m_ask_list(ask_list), .m_ask_source(ask_source), .m_ask_target(ask_target),
        .m_ask_hops(ask_hops), .m_ask_bytes(ask_bytes), .m_ask_key(ask_key), .s_take(s_take),
        .s_list_valid(s_list_valid), .s_list_data(s_list_data), .s_list_code(32'd0), .m_wrong(wrong),
        .m_receive_key(receive_key), .s_arrived(s_arrived), .m_consume(consume), .m_consume_rows(consume_rows),
        .m_bad(bad), .m_bad_addr(bad_addr), .m_peers(peers), .busy(busy));

    `include "live.vh"

    (* anyconst *) reg [35:0]  mark;        // which item is followed, of each list,
    (* anyconst *) reg         mark_peers;  // or of its rows of peers
    (* anyconst *) reg [255:0] word;        // what it says
    (* anyconst *) reg [23:0]  ring;

    (* hierconn *) wire         \dut.moves , \dut.next , \dut.goes , \dut.peers_q , \dut.here_q , \dut.load , \dut.enough_q , \dut.who , \dut.free , \dut.turn_q , \dut.fetching_q ;
    (* hierconn *) wire [1:0]   \dut.valid_q , \dut.places_q , \dut.held_q ;
    (* hierconn *) wire         \dut.wr_q , \dut.rd_q ;
    (* hierconn *) wire [2:0]   \dut.item_q ;
    (* hierconn *) wire [32:0]  \dut.fetch_left_q ;
    (* hierconn *) wire [39:0]  \dut.fetch_row_q ;
    (* hierconn *) wire [42:0]  \dut.now_at_q ;
    (* hierconn *) wire [255:0] \dut.now_q ;

    // ---- the list ----
    reg         on;                         // one was begun since reset
    reg         phase;                      // it has come to its rows of peers: first and rows are theirs
    reg         past, legal;                // the followed item was judged, and was not illegal
    reg  [39:0] first;
    reg  [32:0] rows, asked, came;
    reg  [35:0] taken, judged;              // items: out of their row, and looked at
    wire        list_taken = s_take && ask_list;
    wire        row_taken  = s_take && ask_valid && !ask_list;
    wire [32:0] gone       = taken[35:3];   // rows of which all items were taken
    wire        here       = phase == mark_peers;
    wire        its_turn   = \dut.here_q && judged == mark && here;
    always @(posedge clk) begin
        if (rst)
            {on, phase, past, rows, asked, came, taken, judged, first} <= 218'd0;
        else if (s_start || \dut.goes ) begin
            on    <= 1'b1;
            phase <= !s_start;
            if (s_start) past <= 1'b0;
            else if (its_turn) {past, legal} <= 2'b11;
            first <= s_start ? s_row : \dut.now_q [103:64];
            rows  <= s_start ? s_rows : \dut.now_q [224:192];
            {asked, came, taken, judged} <= 138'd0;
        end else begin
            asked  <= asked + list_taken;
            came   <= came + s_list_valid;
            taken  <= taken + \dut.moves ;
            judged <= judged + \dut.next ;
            if (its_turn && \dut.next ) {past, legal} <= {1'b1, !illegal};
        end
    end

    // ---- the item, as the table in the head of the module has it ----
    wire [7:0]  what = word[7:0], key = word[15:8];
    wire [63:0] amount = word[255:192];
    wire [15:0] piece = word[119:104], gap = word[183:168];
    wire        send = what == 8'd1, receive = what == 8'd2;
    wire        far = (word[22:16] != 7'd0 && word[22:16] >= ring[7:0]) || (word[30:24] != 7'd0 && word[30:24] >= ring[15:8]) ||
                      (word[38:32] != 7'd0 && word[38:32] >= ring[23:16]) || word[46:40] != 7'd0;
    wire        misfit = far || amount > (64'd1 << 40) || (piece == 16'd0 && gap != 16'd0);
    wire        names = what == 8'd3;       // rows of peers
    wire        last_item = !phase && mark[35:3] + 33'd1 == rows && mark[2:0] == 3'd7;
    wire        illegal = what != 8'd0 && (what > 8'd3 || (!names && key < 8'd16) || (phase && !receive) ||
                          (names && (!last_item || amount > (64'd1 << 32))) ||
                          (send && misfit) ||
                          (receive && amount > (64'd1 << 32)));

    // ---- the followed send, under way in a place of the walk ----
    reg         mine, slot, waited, over;   // over: its last row was taken
    reg  [40:0] left;                       // bytes
    reg  [39:0] source;
    reg  [31:0] target;
    reg  [15:0] in_piece;                   // rows of this piece that were taken
    wire        my_row = row_taken && mine && \dut.who == slot;
    wire        piece_over = piece != 16'd0 && in_piece + 16'd1 == piece;
    always @(posedge clk) begin
        if (rst || s_start)
            {mine, over, waited} <= 3'd0;
        else begin
            if (its_turn && \dut.load ) begin
                mine     <= 1'b1;
                slot     <= \dut.free ;
                waited   <= 1'b0;
                left     <= amount[40:0];
                source   <= word[103:64];
                target   <= word[159:128];
                in_piece <= 16'd0;
            end
            if (my_row) begin
                mine     <= left > 41'd256;
                over     <= left <= 41'd256;
                left     <= left - 41'd256;
                source   <= source + 40'd1 + (piece_over ? {24'd0, gap} : 40'd0);
                target   <= target + 32'd1 + (piece_over ? {16'd0, gap} : 32'd0);
                in_piece <= piece_over ? 16'd0 : in_piece + 16'd1;
                waited   <= 1'b0;
            end else if (row_taken && mine)
                waited <= 1'b1;
        end
    end

    // ---- the neighbours ----
    reg         waits_q;                    // a receive was not passed over, with so many counted
    reg  [32:0] arrived_q;
    always @(posedge clk) {waits_q, arrived_q} <= {\dut.here_q && !\dut.next && !rst, s_arrived};
    always @* begin
        assume (cfg_ring == ring);
        assume (!s_start || !busy);
        assume (s_rows <= 33'h1_0000_0000);
        assume (!s_take || ask_valid);
        assume (!s_list_valid || came != asked);
        assume (!(s_list_valid && here && came == mark[35:3]) || s_list_data[mark[2:0]*256 +: 256] == word);
        assume (!waits_q || s_arrived >= arrived_q);    // it only grows while an item waits
    end

    always @* if (live) begin
        // list
        assert (!ask_list || (on && asked < rows && ask_source == first + {7'd0, asked}));
        assert (asked - gone <= 33'd2);
        // order and bad
        assert (!its_turn || bad == illegal);
        assert (!(its_turn && bad) || bad_addr == {first + {7'd0, mark[35:3]}, mark[2:0], 5'd0});
        // receive
        assert (!consume || (s_arrived >= consume_rows && \dut.here_q ));
        assert (!its_turn || !consume || (receive && receive_key == key && consume_rows == amount[32:0]));
        assert (!(its_turn && receive && !illegal && \dut.next ) || consume);
        // send
        assert (!(its_turn && send && !illegal && \dut.next ) || \dut.load );
        assert (!my_row || (ask_source == source && ask_target == target && ask_hops == word[47:16] && ask_key == key));
        assert (!my_row || ask_bytes == (left > 41'd256 ? 9'd256 : left[8:0]));
        // turn
        assert (!(row_taken && mine && \dut.who != slot) || !waited);
        // busy
        assert (busy || !on || (judged == {rows, 3'd0} && asked == rows && !mine));
        assert (busy || !on || !here || {3'd0, mark} >= {rows, 3'd0} || past);
        assert (busy || !past || !send || !legal || over);
        // peers
        assert (!\dut.goes || (!phase && judged + 36'd1 == {rows, 3'd0} && !s_start));
        assert (!(phase && \dut.load ));
        assert (!bad || peers == phase);
    end

    // ---- what leads the induction ----
    (* hierconn *) wire [2047:0] \dut.list_q[0] , \dut.list_q[1] ;
    (* hierconn *) wire [31:0]   \dut.hops_q[0] , \dut.hops_q[1] , \dut.target_q[0] , \dut.target_q[1] ;
    (* hierconn *) wire [7:0]    \dut.key_q[0] , \dut.key_q[1] ;
    (* hierconn *) wire [39:0]   \dut.source_q[0] , \dut.source_q[1] ;
    (* hierconn *) wire [32:0]   \dut.left_q[0] , \dut.left_q[1] ;
    (* hierconn *) wire [8:0]    \dut.tail_q[0] , \dut.tail_q[1] ;
    (* hierconn *) wire [15:0]   \dut.piece_q[0] , \dut.piece_q[1] , \dut.gap_q[0] , \dut.gap_q[1] ,
                                 \dut.piece_left_q[0] , \dut.piece_left_q[1] ;
    (* hierconn *) wire [16:0]   \dut.jump_q[0] , \dut.jump_q[1] ;
// inside: list_q hops_q target_q key_q source_q left_q tail_q piece_q gap_q piece_left_q jump_q
    wire          mark_at  = mark[3] - gone[0] + \dut.rd_q ;      // where its row is kept
    wire [2047:0] mark_row = mark_at ? \dut.list_q[1] : \dut.list_q[0] ;
    wire [32:0] rows_left  = slot ? \dut.left_q[1] : \dut.left_q[0] ;
    wire [8:0]  tail       = slot ? \dut.tail_q[1] : \dut.tail_q[0] ;
    wire [15:0] piece_left = slot ? \dut.piece_left_q[1] : \dut.piece_left_q[0] ;
    wire [16:0] jump       = slot ? \dut.jump_q[1] : \dut.jump_q[0] ;
    wire [32:0] rows_ref   = left == 41'd0 ? 33'd1 : left[40:8] + (left[7:0] != 8'd0);
    wire [15:0] pieces_ref = piece - in_piece;
    always @* if (live) begin
        assert (on || (!busy && asked == 33'd0));
        assert (rows <= 33'h1_0000_0000 && asked <= rows && came <= asked);
        assert (taken <= {came, 3'd0} && judged <= taken && taken == judged + \dut.here_q );
        assert (\dut.held_q == came[1:0] - gone[1:0] && came - gone <= 33'd2);
        assert (\dut.places_q == asked[1:0] - gone[1:0]);
        assert (\dut.fetch_left_q == rows - asked && \dut.fetching_q == (\dut.fetch_left_q != 33'd0));
        assert (!on || \dut.fetch_row_q == first + {7'd0, asked});
        assert (\dut.item_q == taken[2:0] && \dut.rd_q + came[0] == \dut.wr_q + gone[0]);
        assert (!\dut.here_q || \dut.now_at_q == {first, 3'd0} + {7'd0, judged});
        assert (!(here && came > mark[35:3] && taken <= mark) || mark_row[mark[2:0]*256 +: 256] == word);
        assert (!its_turn || \dut.now_q == word);
        assert (!\dut.enough_q || (\dut.here_q && waits_q && receive_now && arrived_q >= consume_rows));
        // the send
        assert (\dut.peers_q == phase && (on || !phase));
        assert (!on || !here || past == (judged > mark));
        assert (!past || (on && mark_peers <= phase));
        assert (!mine || (past && send && legal && \dut.valid_q [slot] && !over));
        assert (!mine || !misfit);
        assert (!(past && send && legal) || mine || over);
        assert (!over || past);
        assert (!mine || rows_left == rows_ref);
        assert (!mine || left <= amount[40:0]);
        assert (!mine || {23'd0, tail} == (amount == 64'd0 ? 32'd0 : {23'd0, {1'b0, amount_less[7:0]} + 9'd1}));
        assert (!mine || left == 41'd0 || left_less[7:0] == amount_less[7:0]);
        assert (!mine || (left == 41'd0) == (amount == 64'd0));
        assert (!mine || ({slot ? \dut.hops_q[1] : \dut.hops_q[0] , slot ? \dut.key_q[1] : \dut.key_q[0] } == {word[47:16], key}));
        assert (!mine || (slot ? \dut.source_q[1] : \dut.source_q[0] ) == source);
        assert (!mine || (slot ? \dut.target_q[1] : \dut.target_q[0] ) == target);
        assert (!mine || ({slot ? \dut.piece_q[1] : \dut.piece_q[0] , slot ? \dut.gap_q[1] : \dut.gap_q[0] } == {piece, gap}));
        assert (!mine || piece_left == pieces_ref);
        assert (!mine || piece == 16'd0 || in_piece < piece);
        assert (!mine || jump == (piece_over ? {1'b0, gap} + 17'd1 : 17'd1));
        assert (!(mine && waited) || \dut.turn_q == slot);
    end
    wire        receive_now = \dut.now_q [7:0] == 8'd2;
    wire [63:0] amount_less = amount - 64'd1;
    wire [40:0] left_less   = left - 41'd1;

    reg [3:0] run;      // items judged one after the other
    always @(posedge clk) run <= rst || !\dut.next ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd8 && over);
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
//
// ace_link_port -- one link of the NIC: input buffer, output buffer, serialiser, credits
//
//   rx ---> [ input buffer ] ---> [ head ] ---> m_head, m_data      (a pop returns tx_credit)
//   tx <--- { serialiser } <--- [ output buffer ] <--- s_reserve, later s
//
// Contract
//   Receive     A row is written as it comes, before its frame is checked; rx_valid only while
//               rx_room.  A later rx_commit commits the oldest such row, and its head shows from
//               the next cycle.  rx_abort drops all rows that are written and not committed; there
//               is no rx_valid in that cycle.  The sender has a credit for each committed row.
//               m_pop only while m_head_valid.  The row is on m_data from the cycle after the pop
//               until the next pop.  tx_credit is 1 in the cycle after the pop.
//   Code        A row has its code (ace_row_code) from rx_valid on.  The code is made from the
//               register whose CRC is summed.  So the CRC catches errors before this register, and
//               the code catches later errors.
//   Send        s_reserve only while s_room.  Each reserve is followed by one s_valid, in the same
//               cycle or any later one.  Two cycles after s_valid comes s_sum, the row's part of a
//               frame's CRC.  Packets leave in the order of s_valid.
//   Serialiser  While a packet waits and a credit is available, a cycle is added to a sum each
//               cycle.  The packet is on tx_* in the cycle after the sum reaches cfg_cost, and the
//               remainder is kept.  The sum is 0 while nothing can be sent.  So an idle link pays
//               the whole delay of its first packet, and a busy link keeps the average.  The row
//               and its sum are on tx_data and tx_sum a cycle later.  The slot is free again in
//               that cycle (s_room).
//   Two ports   Two ports may share a link, of which one goes first.  Its m_wants is 1 while it
//               serialises, and holds the other port, which keeps its sum meanwhile.  Its m_waits
//               is 1 while one of its packets waits for a credit, so that the other port can count
//               this cycle for the link.
//   Credits     INPUT_ROWS after reset, since the neighbour has the same buffer.  A packet sent
//               takes one, an rx_credit gives one back.
//   Counters    Each cycle outside reset counts in exactly one.  Busy: a packet is serialised, here
//               or by the port that holds this one.  Blocked: a packet waits for a credit, here or
//               in the other port.  Starved: a slot is reserved, none is written.  Idle: all other
//               cycles.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_link_port.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_link_port_test.cc).
//
// All outputs come from registers, or from tx_sum's small array, addressed by a register.

`default_nettype none

module ace_link_port #(
    parameter INPUT_ROWS  = 128,    // packets the input buffer holds, 1..65535
    parameter OUTPUT_ROWS = 8,      // packets the output buffer holds, 1..65535
    parameter ROUTE_W     = 64,     // bits of the route a packet has with it
    parameter ROW_W       = 2048,   // bits in a packet
    parameter CODED       = 1,      // 1: rows in the input buffer have a code; whole words of 32 bits
    parameter COUNTED     = 1       // 0: the cycle classes stay 0, for a port whose counts nothing reads
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [23:0]      cfg_cost,       // cycles a packet takes, Q16.8; less than one is one

    // Link, from the neighbour
    output wire             rx_room,        // one can be written
    input  wire             rx_valid,
    input  wire [7:0]       rx_context,
    input  wire             rx_reduce,
    input  wire [7:0]       rx_mark,
    input  wire [ROUTE_W-1:0] rx_route,
    input  wire [ROW_W-1:0] rx_data,
    input  wire             rx_commit,      // what was written first goes on
    input  wire             rx_abort,       // what was written and does not
    input  wire             rx_credit,      // a place of the neighbour's buffer is free again

    // Link, to the neighbour
    output wire             tx_valid,
    output wire [7:0]       tx_context,
    output wire             tx_reduce,
    output wire [7:0]       tx_mark,
    output wire [ROUTE_W-1:0] tx_route,
    output wire [ROW_W-1:0] tx_data,        // a cycle later
    output wire [31:0]      tx_sum,         // its part of the CRC
    output wire             tx_credit,

    // Engine, receive
    output wire             m_head_valid,
    output wire [7:0]       m_head_context,
    output wire             m_head_reduce,
    output wire [7:0]       m_head_mark,
    output wire [ROUTE_W-1:0] m_head_route,
    input  wire             m_pop,
    output wire [ROW_W-1:0] m_data,         // the row popped last
    output wire [31:0]      m_code,         // and its code; 0 without

    // Engine, send
    output wire             s_room,
    output wire             s_room_two,     // for two packets
    input  wire             s_reserve,
    input  wire             s_valid,
    input  wire [7:0]       s_context,
    input  wire             s_reduce,
    input  wire [7:0]       s_mark,
    input  wire [ROUTE_W-1:0] s_route,
    input  wire [ROW_W-1:0] s_data,
    input  wire [31:0]      s_sum,          // of the row two cycles before

    // The link's other port
    input  wire             s_hold,         // it has the serialiser in this cycle
    input  wire             s_waits,        // a packet of its waits for a credit
    output wire             m_wants,        // this port has it, unless held
    output wire             m_waits,        // a packet waits for a credit

    // Cycles in each class
    output wire [191:0]     count,          // {idle, blocked, starved, busy}, 48 bits each

    output wire               idle              // nothing changes without input
);

    localparam IN_W   = INPUT_ROWS  > 1 ? $clog2(INPUT_ROWS)  : 1;
    localparam OUT_W  = OUTPUT_ROWS > 1 ? $clog2(OUTPUT_ROWS) : 1;
    localparam INC_W  = $clog2(INPUT_ROWS + 1);
    localparam OUTC_W = $clog2(OUTPUT_ROWS + 1);
    localparam HEADER_W = ROUTE_W + 17;
    localparam [31:0] IN_LAST  = INPUT_ROWS - 1;
    localparam [31:0] OUT_LAST = OUTPUT_ROWS - 1;
    localparam [31:0] IN_ROWS  = INPUT_ROWS;
    localparam [31:0] OUT_ROWS = OUTPUT_ROWS;
    localparam [23:0] CYCLE    = 24'd256;   // a cycle in Q16.8

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (INPUT_ROWS < 1 || INPUT_ROWS > 65535) begin : g_illegal_input_rows
            INPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (OUTPUT_ROWS < 1 || OUTPUT_ROWS > 65535) begin : g_illegal_output_rows
            OUTPUT_ROWS_must_be_1_to_65535 stop ();
        end
        if (ROUTE_W < 1) begin : g_illegal_route_w ROUTE_W_must_be_1_or_more stop (); end
        if (ROW_W < 1) begin : g_illegal_row_w ROW_W_must_be_1_or_more stop (); end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
        if (CODED != 0 && ROW_W % 32 != 0) begin : g_illegal_coded_row
            ROW_W_must_be_whole_words_of_32_bits_where_CODED stop ();
        end
        if (COUNTED != 0 && COUNTED != 1) begin : g_illegal_counted COUNTED_must_be_0_or_1 stop (); end
    endgenerate

    // ---- input buffer ----------------------------------------------------
    // Pointers: rd is the slot of the row at the head, and peek the next slot.  end is the slot
    // after the committed rows, wr the slot after the written rows.

    reg [IN_W-1:0]  in_wr_q;
    reg [IN_W-1:0]  in_end_q;
    reg [IN_W-1:0]  in_peek_q;
    reg [IN_W-1:0]  in_rd_q;
    reg [INC_W-1:0] in_held_q;      // rows written, not popped
    reg [INC_W-1:0] in_count_q;     // and committed
    reg [INC_W-1:0] in_wait_q;      // and behind the head
    reg             head_valid_q;
    reg [HEADER_W-1:0] head_q;
    reg [HEADER_W-1:0] in_next_q;   // header of the row at peek, once written: a memory's word
                                    // comes late, but the fields are needed early
    reg [HEADER_W-1:0] in_header_q [0:INPUT_ROWS-1];
    reg [ROW_W-1:0] in_data_q   [0:INPUT_ROWS-1];
    reg [ROW_W-1:0] pop_data_q;
    reg             tx_credit_q;

    function [IN_W-1:0] behind;     // the next place
        input [IN_W-1:0] at;
        behind = at == IN_LAST[IN_W-1:0] ? {IN_W{1'b0}} : at + 1'b1;
    endfunction

    wire            next_waits = in_wait_q != {INC_W{1'b0}} || rx_commit;
    wire            shows      = next_waits && (m_pop || !head_valid_q);

    wire [IN_W-1:0] peek       = shows ? behind(in_peek_q) : in_peek_q;
    wire [HEADER_W-1:0] header = {rx_route, rx_context, rx_reduce, rx_mark};

    assign rx_room      = in_held_q != IN_ROWS[INC_W-1:0];
    assign m_head_valid = head_valid_q;
    assign {m_head_route, m_head_context, m_head_reduce, m_head_mark} = head_q;
    assign m_data    = pop_data_q;
    assign tx_credit = tx_credit_q;

    always @(posedge clk) begin
        if (rst) begin
            in_wr_q      <= {IN_W{1'b0}};
            in_end_q     <= {IN_W{1'b0}};
            in_peek_q    <= {IN_W{1'b0}};
            in_rd_q      <= {IN_W{1'b0}};
            in_held_q    <= {INC_W{1'b0}};
            in_count_q   <= {INC_W{1'b0}};
            in_wait_q    <= {INC_W{1'b0}};
            head_valid_q <= 1'b0;
            tx_credit_q  <= 1'b0;
        end else begin
            tx_credit_q  <= m_pop;
            head_valid_q <= next_waits || (head_valid_q && !m_pop);
            if (rx_abort)
                in_wr_q <= in_end_q;
            else if (rx_valid)
                in_wr_q <= behind(in_wr_q);
            if (rx_commit) in_end_q  <= behind(in_end_q);
            in_peek_q <= peek;
            if (m_pop)     in_rd_q   <= behind(in_rd_q);
            if (rx_abort)
                in_held_q <= m_pop ? in_count_q - 1'b1 : in_count_q;
            else if (rx_valid && !m_pop)
                in_held_q <= in_held_q + 1'b1;
            else if (m_pop && !rx_valid)
                in_held_q <= in_held_q - 1'b1;
            if (rx_commit && !m_pop)
                in_count_q <= in_count_q + 1'b1;
            else if (m_pop && !rx_commit)
                in_count_q <= in_count_q - 1'b1;
            if (rx_commit && !shows)
                in_wait_q <= in_wait_q + 1'b1;
            else if (shows && !rx_commit)
                in_wait_q <= in_wait_q - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rx_valid) begin
            in_header_q[in_wr_q] <= header;
            in_data_q[in_wr_q]   <= rx_data;
        end
        if (shows)
            head_q <= in_next_q;
        if (shows || rx_valid || in_held_q != in_count_q)
            in_next_q <= rx_valid && in_wr_q == peek ? header : in_header_q[peek];
        if (m_pop)
            pop_data_q <= in_data_q[in_rd_q];
    end

    // ---- the code of a row ----

    generate
        if (CODED != 0) begin : g_code
            reg  [31:0] in_code_q [0:INPUT_ROWS-1];
            reg  [31:0] pop_code_q;
            wire [31:0] came;
            ace_row_code #(.ROW_W(ROW_W)) u_came (.s_valid(rx_valid), .s_data(rx_data), .m_code(came));
            assign m_code = pop_code_q;
            always @(posedge clk) begin
                if (rx_valid) in_code_q[in_wr_q] <= came;
                if (m_pop)    pop_code_q <= in_code_q[in_rd_q];
            end
        end else begin : g_no_code
            assign m_code = 32'd0;
        end
    endgenerate

    // ---- output buffer, serialiser, credits ------------------------------

    reg [OUT_W-1:0]  out_wr_q;
    reg [OUT_W-1:0]  out_rd_q;
    reg [OUT_W-1:0]  sent_q;            // the place of the packet on tx
    reg [OUT_W-1:0]  summed_q;          // and of the row on tx_data
    reg [1:0]        sum_comes_q;       // of rows written a cycle ago, and two
    reg [OUT_W-1:0]  sum_at_q;          // where the next sum goes
    reg [OUTC_W-1:0] out_count_q;       // places written
    reg [OUTC_W-1:0] out_taken_q;       // places written, reserved, or on tx
    reg              room_q;
    reg              room_two_q;
    reg [INC_W-1:0]  credits_q;
    reg [23:0]       acc_q;
    reg              tx_valid_q;
    reg [HEADER_W-1:0] tx_header_q;
    reg [ROW_W-1:0]  tx_data_q;
    reg [HEADER_W-1:0] out_header_q [0:OUTPUT_ROWS-1];
    reg [ROW_W-1:0]  out_data_q   [0:OUTPUT_ROWS-1];
    reg [31:0]       out_sum_q    [0:OUTPUT_ROWS-1];

    wire             waiting  = out_count_q != {OUTC_W{1'b0}};
    wire             ready    = waiting && credits_q != {INC_W{1'b0}};
    wire             sendable = ready && !s_hold;
    wire [23:0]      cost     = cfg_cost > CYCLE ? cfg_cost : CYCLE;
    wire [24:0]      sum      = {1'b0, acc_q} + {1'b0, CYCLE};
    wire             send     = sendable && sum >= {1'b0, cost};
    wire [23:0]      rest     = send ? sum[23:0] - cost : sum[23:0];    // less than the cost
    wire [OUTC_W-1:0] taken   = s_reserve && !tx_valid_q ? out_taken_q + 1'b1
                              : tx_valid_q && !s_reserve ? out_taken_q - 1'b1 : out_taken_q;

    assign s_room     = room_q;
    assign s_room_two = room_two_q;
    assign m_wants    = ready;
    assign m_waits    = waiting && credits_q == {INC_W{1'b0}};
    assign tx_valid = tx_valid_q;
    assign {tx_route, tx_context, tx_reduce, tx_mark} = tx_header_q;
    assign tx_data  = tx_data_q;
    assign tx_sum   = out_sum_q[summed_q];

    function [OUT_W-1:0] after;     // the next place
        input [OUT_W-1:0] at;
        after = at == OUT_LAST[OUT_W-1:0] ? {OUT_W{1'b0}} : at + 1'b1;
    endfunction

    always @(posedge clk) begin
        if (rst) begin
            out_wr_q    <= {OUT_W{1'b0}};
            out_rd_q    <= {OUT_W{1'b0}};
            sum_comes_q <= 2'd0;
            sum_at_q    <= {OUT_W{1'b0}};
            out_count_q <= {OUTC_W{1'b0}};
            out_taken_q <= {OUTC_W{1'b0}};
            room_q      <= 1'b1;
            room_two_q  <= OUT_ROWS > 1;
            credits_q   <= IN_ROWS[INC_W-1:0];
            acc_q       <= 24'd0;
            tx_valid_q  <= 1'b0;
        end else begin
            tx_valid_q  <= send;
            sum_comes_q <= {sum_comes_q[0], s_valid};
            if (s_valid)        out_wr_q <= after(out_wr_q);
            if (send)           out_rd_q <= after(out_rd_q);
            if (sum_comes_q[1]) sum_at_q <= after(sum_at_q);
            if (s_valid && !send)
                out_count_q <= out_count_q + 1'b1;
            else if (send && !s_valid)
                out_count_q <= out_count_q - 1'b1;
            out_taken_q <= taken;
            room_q      <= taken < OUT_ROWS[OUTC_W-1:0];
            room_two_q  <= {1'b0, taken} + 1'b1 < {1'b0, OUT_ROWS[OUTC_W-1:0]};
            if (rx_credit && !send)
                credits_q <= credits_q + 1'b1;
            else if (send && !rx_credit)
                credits_q <= credits_q - 1'b1;
            acc_q <= sendable ? rest : ready ? acc_q : 24'd0;
        end
    end

    always @(posedge clk) begin
        if (s_valid) begin
            out_header_q[out_wr_q] <= {s_route, s_context, s_reduce, s_mark};
            out_data_q[out_wr_q]   <= s_data;
        end
        if (sum_comes_q[1])
            out_sum_q[sum_at_q] <= s_sum;
        if (send) begin
            tx_header_q <= out_header_q[out_rd_q];
            sent_q      <= out_rd_q;
        end
        if (tx_valid_q) begin
            tx_data_q <= out_data_q[sent_q];
            summed_q  <= sent_q;
        end
    end

    wire [OUTC_W-1:0] on_tx = {{(OUTC_W-1){1'b0}}, tx_valid_q};     // which is no longer waited for

    generate
        if (COUNTED != 0) begin : g_count
            wire busy    = ready || s_hold;
            wire blocked = !busy && (waiting || s_waits);
            wire starved = !busy && !blocked && out_taken_q != on_tx;
            ace_cycle_classes u_count (
                .clk(clk), .rst(rst), .busy(busy), .blocked(blocked), .starved(starved), .count(count)
            );
        end else begin : g_uncounted
            assign count = 192'd0;
            wire unused = &{1'b0, on_tx, s_waits};
        end
    endgenerate

    assign idle = out_taken_q == {OUTC_W{1'b0}} && in_held_q == {INC_W{1'b0}} && acc_q == 24'd0 &&
                  !tx_valid_q && !tx_credit_q;

endmodule

`default_nettype wire

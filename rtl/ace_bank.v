// SPDX-License-Identifier: Apache-2.0
//
// ace_bank -- a bank that reads one row and writes one row a cycle
//
//   SUB_BANKS 1:  s_write --> [ ace_ram_1r1w ] <-- s_read,   --> m_data
//
//   2, 4, 8:      s_write --+-----------------------> [ which sub-bank ] --> ace_ram_1rw each --> [ which ] --> m_data
//                           '--> [ rows that wait ] -------^          s_read --^                     ^
//                                       '------------------------------------------------------------'
//
// Row r lies in sub-bank r % SUB_BANKS, which has one port.  A read always gets the port; a new
// write gets it otherwise.  A write whose sub-bank is read in the same cycle waits in one of WAITS
// slots.  Each cycle writes one waiting row, to a sub-bank without a read or a new write.  A read
// of a waiting row is answered from its slot.
//
// Contract
//   Latency     The row read in cycle t is on m_data in t+1 only, as it was before the writes of t.
//   Order       A write replaces an older waiting write of its row.  So no two waiting writes are
//               of one row, and they need no order.
//   Pause       m_pause is high in a cycle in which PAUSE rows or more wait.  A reader that sees
//               m_pause begins no read.  The slots last until the pause takes effect: a read in
//               cycle t was begun in t-2 at the earliest, so m_pause of t-2 was low.  Without reads
//               no write begins to wait.  Each cycle then writes one waiting row, unless all of
//               them are of the sub-bank of a new write.
//   Reset       rst is synchronous, active high.  Waiting rows are lost, so the bank keeps their
//               old contents.
//   Twin        cmodel/parts/ace_bank.h, equal inside ace_scratchpad
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_bank #(
    parameter DEPTH     = 4096,     // rows
    parameter WIDTH     = 2304,     // bits of a row
    parameter SUB_BANKS = 1         // 1: a memory of two ports; 2, 4 or 8 of one
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     s_read_valid,
    input  wire [$clog2(DEPTH)-1:0] s_read_at,
    output wire [WIDTH-1:0]         m_data,
    input  wire                     s_write_valid,
    input  wire [$clog2(DEPTH)-1:0] s_write_at,
    input  wire [WIDTH-1:0]         s_write_data,
    output wire                     m_pause
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (SUB_BANKS != 1 && SUB_BANKS != 2 && SUB_BANKS != 4 && SUB_BANKS != 8) begin : g_illegal_sub_banks
            SUB_BANKS_must_be_1_2_4_or_8 stop ();
        end
        if (DEPTH < 2 * SUB_BANKS) begin : g_illegal_depth DEPTH_must_be_2_or_more_of_each_sub_bank stop (); end
        if (WIDTH < 1) begin : g_illegal_width WIDTH_must_be_1_or_more stop (); end
    endgenerate

    localparam AT_W = $clog2(DEPTH);

    genvar i, b;
    generate
        if (SUB_BANKS == 1) begin : g_whole
            ace_ram_1r1w #(.DEPTH(DEPTH), .WIDTH(WIDTH)) u_ram (
                .clk(clk),
                .s_read_valid(s_read_valid), .s_read_at(s_read_at), .m_data(m_data),
                .s_write_valid(s_write_valid), .s_write_at(s_write_at), .s_write_data(s_write_data),
                .test_on(1'b0), .test_read(1'b0), .test_write(1'b0), .test_at({AT_W{1'b0}}),
                .test_data({WIDTH{1'b0}})
            );
            assign m_pause = 1'b0;
            wire unused = &{1'b0, rst};
        end else begin : g_split
            localparam WAITS = 6;           // places for rows that wait
            localparam PAUSE = 4;           // so many wait: two less, for the reads that have begun
            localparam SUB_W = SUB_BANKS > 1 ? $clog2(SUB_BANKS) : 1;
            localparam ROWS  = (DEPTH + SUB_BANKS - 1) / SUB_BANKS;
            localparam ROW_W = $clog2(ROWS);

            function [WAITS-1:0] first;     // set bit, if any
                input [WAITS-1:0] set;
                first = set & (~set + {{(WAITS-1){1'b0}}, 1'b1});
            endfunction

            function [2:0] number;          // of the bit that is set
                input [WAITS-1:0] one;
                integer           n;
                begin
                    number = 3'd0;
                    for (n = 1; n < WAITS; n = n + 1)
                        if (one[n]) number = number | n[2:0];
                end
            endfunction

            function four;                  // are so many bits set, or more: PAUSE
                input [WAITS-1:0] set;
                reg   [2:0]       sum;
                integer           n;
                begin
                    sum = 3'd0;
                    for (n = 0; n < WAITS; n = n + 1) sum = sum + {2'd0, set[n]};
                    four = sum >= PAUSE[2:0];
                end
            endfunction

            // ---- rows that wait: a slot each, in no order, since no two are of one row ----
            reg  [WAITS-1:0]      waits_q;
            reg  [WAITS*AT_W-1:0] at_q;
            reg  [WIDTH-1:0]      row_q [0:WAITS-1];
            reg                   pause_q;
            wire [WAITS-1:0]      read, again, can;
            for (i = 0; i < WAITS; i = i + 1) begin : g_wait
                wire [AT_W-1:0] at = at_q[i*AT_W +: AT_W];
                assign can[i]   = waits_q[i] && !(s_read_valid && at[SUB_W-1:0] == s_read_at[SUB_W-1:0]) &&
                                  !(s_write_valid && at[SUB_W-1:0] == s_write_at[SUB_W-1:0]);
                assign read[i]  = waits_q[i] && s_read_valid && at == s_read_at;
                assign again[i] = waits_q[i] && s_write_valid && at == s_write_at;
            end
            wire             meets  = s_read_valid && s_read_at[SUB_W-1:0] == s_write_at[SUB_W-1:0];
            wire             direct = s_write_valid && !meets;
            wire             joins  = s_write_valid && meets;
            wire [WAITS-1:0] goes   = first(can);
            wire [WAITS-1:0] enters = joins ? first(~waits_q) : {WAITS{1'b0}};
            wire [WAITS-1:0] next   = rst ? {WAITS{1'b0}} : (waits_q & ~goes & ~again) | enters;
            wire [2:0]       goes_place = number(goes), place = number(enters);
            wire [AT_W-1:0]  goes_at  = at_q[goes_place*AT_W +: AT_W];
            wire [WIDTH-1:0] goes_row = row_q[goes_place];
            always @(posedge clk) begin
                waits_q <= next;
                pause_q <= four(next);
                if (joins) begin
                    at_q[place*AT_W +: AT_W] <= s_write_at;
                    row_q[place]             <= s_write_data;
                end
            end
            assign m_pause = pause_q;

            // ---- sub-banks ----
            wire [WIDTH-1:0] sub_row [0:SUB_BANKS-1];
            for (b = 0; b < SUB_BANKS; b = b + 1) begin : g_sub
                wire             reads = s_read_valid && s_read_at[SUB_W-1:0] == b;
                wire             lands = direct && s_write_at[SUB_W-1:0] == b;
                wire             drains = goes != {WAITS{1'b0}} && goes_at[SUB_W-1:0] == b;
                wire [ROW_W-1:0] at = reads ? s_read_at[SUB_W +: ROW_W] :
                                      lands ? s_write_at[SUB_W +: ROW_W] : goes_at[SUB_W +: ROW_W];
                ace_ram_1rw #(.DEPTH(ROWS), .WIDTH(WIDTH)) u_ram (
                    .clk(clk), .s_valid(reads || lands || drains), .s_write(!reads), .s_at(at),
                    .s_data(lands ? s_write_data : goes_row), .m_data(sub_row[b]),
                    .test_on(1'b0), .test_valid(1'b0), .test_write(1'b0), .test_at({ROW_W{1'b0}}),
                    .test_data({WIDTH{1'b0}})
                );
            end

            // ---- where the row that was read lies: a place keeps what it had for a cycle and longer ----
            reg              waited_q;
            reg  [2:0]       place_q;
            reg  [SUB_W-1:0] sub_q;
            always @(posedge clk)
                if (s_read_valid) begin
                    waited_q <= read != {WAITS{1'b0}};
                    place_q  <= number(read);
                    sub_q    <= s_read_at[SUB_W-1:0];
                end
            assign m_data = waited_q ? row_q[place_q] : sub_row[sub_q];
        end
    endgenerate

endmodule

`default_nettype wire

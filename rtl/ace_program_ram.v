// SPDX-License-Identifier: Apache-2.0
//
// ace_program_ram -- the program of a phase, read by its FSMs in turn
//
//   cfg_program --> a word a cycle, its code --> [128 words] --> m_word
//   s_valid, s_at --> one a cycle --------------------^  '--> code again --> m_wrong
//
// Contract
//   Loading     In the 128 cycles after reset cfg_program is copied.  It holds until then, and no
//               FSM reads.
//   Reads       s_valid and s_at of an FSM hold until m_grant.  m_word is the requested word, in
//               the cycle after.  m_grant depends on state and s_valid.  FSMs take turns.
//   Code        A word has four bits of parity.  Bit i is the parity of the word's bits i, i+4, ..
//               i+28.  So one wrong bit, or up to four adjacent ones, are found.  m_wrong reports
//               them in the second cycle after the grant, with the address in m_wrong_at.  That is
//               four cycles before a piece made from the word can begin.
//   Reset       rst is synchronous, active high.  The program is loaded again.
//   Twin        cmodel/twin/ace_program_ram.h, equal as a part of the node
//               (tests/lockstep/lockstep_node_test.cc).

`default_nettype none

module ace_program_ram #(
    parameter FSMS = 4      // that read it: 1, 2 or 4
) (
    input  wire              clk,
    input  wire              rst,

    input  wire [4095:0]     cfg_program,       // 128 words, see rtl/program.list

    input  wire [FSMS-1:0]   s_valid,
    input  wire [7*FSMS-1:0] s_at,
    output wire [FSMS-1:0]   m_grant,
    output wire [31:0]       m_word,
    output wire              m_wrong,           // what was read does not fit its code
    output wire [6:0]        m_wrong_at,

    output wire              idle               // the program is there
);

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (FSMS != 1 && FSMS != 2 && FSMS != 4) begin : g_illegal_fsms FSMS_must_be_1_2_or_4 stop (); end
    endgenerate

    localparam [31:0] LAST = FSMS - 1;

    reg  [7:0]  loaded_q;       // words
    reg  [1:0]  turn_q;         // the FSM that goes first
    wire        loads = !loaded_q[7];
    reg  [31:0] word;
    always @(*) begin
        word = 32'd0;
        if (loads) word = cfg_program[{loaded_q[6:0], 5'd0} +: 32];
    end

    function [3:0] code;
        input [31:0] of;
        code = of[31:28] ^ of[27:24] ^ of[23:20] ^ of[19:16] ^ of[15:12] ^ of[11:8] ^ of[7:4] ^ of[3:0];
    endfunction

    // The first FSM that requests, counted from the one whose turn it is.
    wire [3:0] asks = loads ? 4'd0 : {{(4-FSMS){1'b0}}, s_valid};
    reg  [1:0] reader, probe;
    integer    i;
    always @(*) begin
        reader = 2'd0;
        probe  = 2'd0;
        if (asks != 4'd0)
            for (i = FSMS - 1; i >= 0; i = i - 1) begin
                probe = (turn_q + i[1:0]) & LAST[1:0];
                if (asks[probe]) reader = probe;
            end
    end
    wire [3:0]  grant = asks & (4'd1 << reader);
    wire [27:0] places = {{(28-7*FSMS){1'b0}}, s_at};
    assign m_grant = grant[FSMS-1:0];
    assign idle    = !loads;

    wire [35:0] stored;                     // {code, word}
    assign m_word = stored[31:0];
    wire [6:0]  at = places[reader*7 +: 7];
    ace_ram_1r1w #(.DEPTH(128), .WIDTH(36)) u_words (
        .clk(clk),
        .s_read_valid(grant != 4'd0), .s_read_at(at), .m_data(stored),
        .s_write_valid(loads), .s_write_at(loaded_q[6:0]), .s_write_data({code(word), word}),
        .test_on(1'b0), .test_read(1'b0), .test_write(1'b0), .test_at(7'd0), .test_data(36'd0)
    );

    // A word is checked in the cycle in which it is taken.
    reg         read_q, wrong_q;
    reg  [6:0]  at_q, wrong_at_q;
    assign m_wrong    = wrong_q;
    assign m_wrong_at = wrong_at_q;
    always @(posedge clk) begin
        read_q  <= grant != 4'd0 && !rst;
        wrong_q <= read_q && code(stored[31:0]) != stored[35:32] && !rst;
        if (grant != 4'd0) at_q <= at;
        if (read_q) wrong_at_q <= at_q;
    end

    always @(posedge clk) begin
        if (loads) loaded_q <= loaded_q + 8'd1;
        if (grant != 4'd0) turn_q <= reader + 2'd1;
        if (rst) begin
            loaded_q <= 8'd0;
            turn_q   <= 2'd0;
        end
    end

endmodule

`default_nettype wire

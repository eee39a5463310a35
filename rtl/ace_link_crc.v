// SPDX-License-Identifier: Apache-2.0
//
// ace_link_crc -- the CRC-32 of a frame on a link
//
//   row, route, head, numbers --> { tree of v * x^(32 * 2^level) + w } --> * x^32 --> crc
//
// Contract
//   Code        x^32 + x^16 + x^7 + x^3 + 1 over the row, the route, the head and the numbers, in words of
//               32 bits, high bit first; the word behind the row is inverted.
//   Raw         All wires count, whatever the head says: if it could leave some out, one wrong bit of the
//               head could hide a row.  A frame without a packet has zeros there.
//   Cost        What follows a word multiplies it by a power of x, and powers add: so neighbours join
//               in a tree, the earlier one times x^32, pairs of them times x^64, and so on.  Seven levels
//               of at most five gates take the place of a chain of 69 words; a word more at the front, of
//               zeros, changes nothing.
//   Strength    At the length of a frame, 2240 bits, the minimum distance is 5, the most that five
//               terms allow: any 4 wrong bits and any burst of 32 are found
//               (tests/unit/link_code_test.cc works that out from the polynomial).
//   Timing      crc follows the inputs in the same cycle; it is 0 while there is no frame.
//   Twin        ace_frame_crc() of cmodel/parts/ace_link_crc.h, equal inside ace_link_guard
//               (tests/lockstep/lockstep_link_guard_test.cc).

`default_nettype none

module ace_link_crc #(
    parameter ROW_W = 2048      // bits of a row
) (
    input  wire             frame,      // there is one
    input  wire [47:0]      head,
    input  wire [63:0]      route,
    input  wire [15:0]      number,
    input  wire [15:0]      ack,
    input  wire [ROW_W-1:0] data,
    output wire [31:0]      crc
);
    /*verilator no_inline_module*/      // one code for all links in simulation

    localparam ROW_WORDS = ROW_W / 32;
    localparam LEVELS    = $clog2(ROW_WORDS + 5);
    localparam LEAVES    = 1 << LEVELS;
    localparam [31:0] X32 = 32'h00010089;       // x^32 modulo the code

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (ROW_W < 32 || ROW_W % 32 != 0) begin : g_illegal_row_w
            ROW_W_must_be_whole_words_of_32_bits stop ();
        end
    endgenerate

    // The product of two polynomials modulo the code.
    function [31:0] times;
        input [31:0] a;
        input [31:0] b;
        reg [63:0] product;
        reg [46:0] once;
        integer i;
        begin
            product = 64'd0;
            for (i = 0; i < 32; i = i + 1)
                if (b[i]) product = product ^ ({32'd0, a} << i);
            once  = {15'd0, product[31:0]} ^ {15'd0, product[63:32]} ^ {12'd0, product[63:32], 3'd0} ^
                    {8'd0, product[63:32], 7'd0} ^ {product[62:32], 16'd0};
            times = once[31:0] ^ {17'd0, once[46:32]} ^ {14'd0, once[46:32], 3'd0} ^
                    {10'd0, once[46:32], 7'd0} ^ {1'd0, once[46:32], 16'd0};
        end
    endfunction

    // x to the power of 32 * 2^level
    function [31:0] power;
        input integer level;
        integer i;
        begin
            power = X32;
            for (i = 0; i < level; i = i + 1) power = times(power, power);
        end
    endfunction

    function [32*LEVELS-1:0] powers;    // of each level
        input integer levels;
        integer i;
        for (i = 0; i < levels; i = i + 1) powers[32*i +: 32] = power(i);
    endfunction
    localparam [32*LEVELS-1:0] POWERS = powers(LEVELS);

    function [31:0] joined;     // two neighbours, the earlier one high
        input [63:0] pair;
        input integer level;
        joined = pair[31:0] ^ times(pair[63:32], POWERS[32*level +: 32]);
    endfunction

    // A row of zeros adds nothing, and the words behind it are done after three levels.  For a simulator
    // it is quicker to look whether there is one, than to add it up; hardware adds it up.
`ifdef VERILATOR
    wire row = |data;
`else
    wire row = 1'b1;
`endif

    // The last word of a frame is low.  Each level leaves its words where the first ones of the level
    // before were.  While there is no frame, a simulator evaluates a condition and not the tree.
    reg [32*LEAVES-1:0] word;
    reg [31:0] value;
    assign crc = value;
    integer level, i;
    always @(*) begin
        word  = {32*LEAVES{1'b0}};
        value = 32'd0;
        if (frame) begin
            word[159:0] = {~route[31:0], route[63:32], head[31:0], 16'd0, head[47:32], ack, number};
            if (row) begin
                for (i = 0; i < ROW_WORDS; i = i + 1) word[32*(ROW_WORDS+4-i) +: 32] = data[32*i +: 32];
                for (level = 0; level < LEVELS; level = level + 1)
                    for (i = 0; i < LEAVES >> (level + 1); i = i + 1)
                        word[32*i +: 32] = joined(word[64*i +: 64], level);
            end else
                for (level = 0; level < 3; level = level + 1)
                    for (i = 0; i < 4 >> level; i = i + 1)
                        word[32*i +: 32] = joined(word[64*i +: 64], level);
            value = times(word[31:0], X32);
        end
    end

endmodule

`default_nettype wire

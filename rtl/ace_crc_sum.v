// SPDX-License-Identifier: Apache-2.0
//
// ace_crc_sum -- the contribution of some words of a frame to its CRC-32
//
//   words ---> { for each bit the sum of those that reach it } ---> sum
//
// Contract
//   Sum         The words are a polynomial modulo x^32 + x^16 + x^7 + x^3 + 1, the first word
//               high.  Each is STRIDE words of the frame from the next, and AFTER words follow the
//               last one.  The sum is linear: parts of a frame are summed apart and joined by an
//               exclusive or.
//   Depth       A bit of the sum is the parity of those bits of the words that reach it.  That is a
//               tree of exclusive ors, of seven levels for eight words.
//   Timing      sum follows the inputs in the same cycle.  It is 0 while `on` is 0.
//   Twin        cmodel/parts/ace_crc_sum.c, equal at the pins of ace_link
//               (tests/lockstep/lockstep_link_test.cc).

`default_nettype none

module ace_crc_sum #(
    parameter WORDS  = 8,       // 1..64
    parameter STRIDE = 1,       // words from one to the next, 1..64
    parameter AFTER  = 0        // words behind the last one, 0..64
) (
    input  wire                on,
    input  wire [32*WORDS-1:0] words,       // the first one low
    output wire [31:0]         sum
);
    /*verilator no_inline_module*/      // one code for all links in simulation

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (WORDS < 1 || WORDS > 64) begin : g_illegal_words WORDS_must_be_1_to_64 stop (); end
        if (STRIDE < 1 || STRIDE > 64) begin : g_illegal_stride STRIDE_must_be_1_to_64 stop (); end
        if (AFTER < 0 || AFTER > 64) begin : g_illegal_after AFTER_must_be_0_to_64 stop (); end
    endgenerate

    // A polynomial times x to the power of 32 * n, modulo the code.
    function [31:0] moved;
        input [31:0] v;
        input integer n;
        integer i;
        begin
            moved = v;
            for (i = 0; i < 32 * n; i = i + 1)
                moved = {moved[30:0], 1'b0} ^ (moved[31] ? 32'h00010089 : 32'd0);
        end
    endfunction

`ifdef VERILATOR
`define ACE_CRC_BY_WORDS
`endif
`ifdef __ICARUS__
`define ACE_CRC_BY_WORDS
`endif
`ifdef ACE_CRC_BY_WORDS
    // For simulators: they work on words, and this form needs a tenth of the steps.  Icarus makes a
    // net of each bit of each mask below, a hundred times the work of this form.
    localparam [31:0] STEP = moved(32'd1, STRIDE), REST = moved(32'd1, AFTER);

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

    reg [31:0] value;
    integer    j;
    assign sum = value;
    always @(*) begin
        value = 32'd0;
        if (on) begin
            for (j = 0; j < WORDS; j = j + 1) value = times(value, STEP) ^ words[32*j +: 32];
            value = times(value, REST);
        end
    end
`else
    // The contribution of each bit of the words to the sum: 32 bits for each.
    function [1024*WORDS-1:0] columns;
        input integer words_;
        reg [31:0] v;
        integer j, b;
        begin
            v = moved(32'd1, AFTER);
            for (j = words_ - 1; j >= 0; j = j - 1) begin
                for (b = 0; b < 32; b = b + 1) begin
                    columns[32*(32*j+b) +: 32] = v;
                    v = {v[30:0], 1'b0} ^ (v[31] ? 32'h00010089 : 32'd0);
                end
                v = moved(v, STRIDE - 1);
            end
        end
    endfunction
    localparam [1024*WORDS-1:0] COLUMNS = columns(WORDS);

    genvar r, k;
    generate
        for (r = 0; r < 32; r = r + 1) begin : g_bit
            wire [32*WORDS-1:0] mask;
            for (k = 0; k < 32 * WORDS; k = k + 1) begin : g_column
                assign mask[k] = COLUMNS[32*k+r];
            end
            assign sum[r] = on && ^(words & mask);
        end
    endgenerate
`endif

endmodule

`default_nettype wire

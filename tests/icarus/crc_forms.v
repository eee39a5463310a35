// SPDX-License-Identifier: Apache-2.0
//
// crc_forms -- compares the two forms of rtl/ace_crc_sum.v with a CRC a bit at a time
//
// One form is for simulators.  Yosys reads the other form and makes crc_netlist.  The inputs
// are each bit of the words alone, then words of many bits.  Both forms sum a column for each bit.
// So if every single bit is right, all words are right.

`default_nettype none

module crc_forms #(
    parameter WORDS  = 8,
    parameter STRIDE = 1,
    parameter AFTER  = 0
) ();
    localparam MANY = 100;

    reg                 on;
    reg  [32*WORDS-1:0] words;
    wire [31:0]         by_words, netlist;
    ace_crc_sum #(.WORDS(WORDS), .STRIDE(STRIDE), .AFTER(AFTER)) u_words (.on(on), .words(words), .sum(by_words));
    crc_netlist u_netlist (.on(on), .words(words), .sum(netlist));

    // The words high bit first, and zeros for the other words.
    function [31:0] remainder;
        input [32*WORDS-1:0] of;
        integer i, b;
        begin
            remainder = 32'd0;
            for (i = 0; i < (WORDS - 1) * STRIDE + 1 + AFTER; i = i + 1) begin
                for (b = 0; b < 32; b = b + 1)
                    remainder = {remainder[30:0], 1'b0} ^ (remainder[31] ? 32'h00010089 : 32'd0);
                if (i % STRIDE == 0 && i / STRIDE < WORDS) remainder = remainder ^ of[32*(i/STRIDE) +: 32];
            end
        end
    endfunction

    integer n, differ, seed;
    reg [31:0] want;
    initial begin
        differ = 0;
        seed   = 1;
        for (n = 0; n < 32 * WORDS + MANY; n = n + 1) begin
            on    = n != 32 * WORDS;            // once it is off, while all bits are there
            words = {32*WORDS{1'b0}};
            if (n < 32 * WORDS)       words[n] = 1'b1;
            else if (n == 32 * WORDS) words = ~words;
            else for (want = 0; want < WORDS; want = want + 1) words[32*want +: 32] = $random(seed);
            want = on ? remainder(words) : 32'd0;
            #1 if (by_words !== want || netlist !== want) differ = differ + 1;
        end
        $display("%0d vectors, %0d differ", n, differ);
    end
endmodule

`default_nettype wire

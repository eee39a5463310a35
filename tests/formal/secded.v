// SPDX-License-Identifier: Apache-2.0
//
// secded -- ace_secded_encode and ace_secded_decode: what the code promises
//
// Of one codeword, WORD_W = 1: codewords do not see each other.  The decoder adds what it finds
// from the syndrome alone, and the syndrome is linear, as is proven; so what it makes of wrong
// bits in a row of zeros it makes of them in every row.
//
// Properties
//   linear    the check bits of a sum of rows are the sum of their check bits
//   right     without a wrong bit a row comes as it was stored
//   corrected with one wrong bit, any of data and check bits, it comes as it was, and is told
//   failed    with two it is told that it could not be corrected
//   code      m_code is the parity of what is given: 0, or where that could not be corrected that of the wrong bits
//             that are data

`default_nettype none

module secded (
    input wire        clk,
    input wire        rst,
    input wire        valid,
    input wire [63:0] one,
    input wire [63:0] other,
    input wire [1:0]  wrong,        // bits: 0, 1 or 2
    input wire [6:0]  first,        // where
    input wire [6:0]  second
);
    wire [7:0]  one_check, other_check, sum_check;
    ace_secded_encode #(.WORD_W(1)) u_one   (.s_valid(1'b1), .s_data(one), .m_check(one_check));
    ace_secded_encode #(.WORD_W(1)) u_other (.s_valid(1'b1), .s_data(other), .m_check(other_check));
    ace_secded_encode #(.WORD_W(1)) u_sum   (.s_valid(1'b1), .s_data(one ^ other), .m_check(sum_check));

    wire [63:0] out;
    wire        code, corrected, failed;
    wire [71:0] flips = (wrong >= 2'd1 ? 72'd1 << first : 72'd0) ^ (wrong == 2'd2 ? 72'd1 << second : 72'd0);
    ace_secded_decode #(.WORD_W(1)) u_decode (
        .clk(clk), .rst(rst), .s_valid(valid), .s_row(flips),
        .m_data(out), .m_code(code), .m_corrected(corrected), .m_failed(failed));

    `include "live.vh"

    always @* begin
        assume (wrong <= 2'd2);
        assume (first < 7'd72 && second < 7'd72);
        assume (first != second);
    end

    reg       read;                 // in the cycle before
    reg [1:0] was;                  // wrong
    reg       odd;                  // one of the two is a data bit
    always @(posedge clk) begin
        read <= valid && live && !rst;
        was  <= wrong;
        odd  <= (first < 7'd64) != (second < 7'd64);
    end
    always @* if (live) begin
        assert (sum_check == (one_check ^ other_check));
        assert (!read || was == 2'd2 || out == 64'd0);
        assert (!read || corrected == (was == 2'd1));
        assert (!read || failed == (was == 2'd2));
        assert (!read || code == (was == 2'd2 && odd));
    end

    always @* if (live) cover (read && corrected && first > 7'd64);
endmodule

`default_nettype wire

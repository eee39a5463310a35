// SPDX-License-Identifier: Apache-2.0
//
// secded -- ace_secded_encode and ace_secded_decode: the guarantees of the code
//
// The proof takes one codeword, WORD_W = 1, since codewords are independent.  The decoder computes
// its correction from the syndrome alone, and the syndrome is linear, as is proven.  So wrong bits
// have the same effect in every row as in a row of zeros.
//
// Properties
//   linear    The check bits of a sum of rows are the sum of their check bits.
//   right     A row without a wrong bit comes as it was stored.
//   corrected A row with one wrong data or check bit comes as it was stored, and m_corrected
//             reports it.
//   failed    With two wrong bits m_failed reports that the row could not be corrected.
//   code      m_code is the parity of the output, 0 here.  If the row could not be corrected, it is
//             the parity of the wrong data bits.

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

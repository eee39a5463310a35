// SPDX-License-Identifier: Apache-2.0
//
// shiftx.v -- techmap rule: a word chosen out of many, as a tree of multiplexers
//
// Yosys makes a barrel shifter of a part select, of which a select of whole words needs no
// more than one bit in as many as a word has.  The rule is for positions whose low bits are
// zero, as many as a word needs.

(* techmap_celltype = "$shiftx" *)
module ace_select_word (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    parameter _TECHMAP_CONSTMSK_B_ = 0;
    parameter _TECHMAP_CONSTVAL_B_ = 0;

    input  [A_WIDTH-1:0] A;
    input  [B_WIDTH-1:0] B;
    output [Y_WIDTH-1:0] Y;

    localparam LOW = $clog2(Y_WIDTH);
    localparam [B_WIDTH-1:0] ZERO = _TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_;

    function integer top;               // bits of B below the zeros at its top
        input [B_WIDTH-1:0] zero;
        integer k;
        begin
            top = 0;
            for (k = 0; k < B_WIDTH; k = k + 1) if (!zero[k]) top = k + 1;
        end
    endfunction
    function integer bottom;            // zeros at its bottom
        input [B_WIDTH-1:0] zero;
        integer k;
        begin
            bottom = B_WIDTH;
            for (k = B_WIDTH - 1; k >= 0; k = k - 1) if (!zero[k]) bottom = k;
        end
    endfunction

    localparam TOP = top(ZERO);
    localparam FITS = A_WIDTH >= 512 && Y_WIDTH > 1 && bottom(ZERO) >= LOW && TOP > LOW && TOP <= 14 &&
                      !(B_SIGNED && TOP == B_WIDTH);
    wire _TECHMAP_FAIL_ = !FITS;

    genvar i;
    generate
        if (FITS) begin : g_tree
            for (i = TOP; i >= LOW; i = i - 1) begin : g_level      // what the bits from i on choose
                wire [(1<<i)-1:0] word;
                if (i == TOP) begin : g_all
                    assign word = A;
                end else begin : g_half
                    assign word = B[i] ? g_level[i+1].word[1<<i +: 1<<i] : g_level[i+1].word[0 +: 1<<i];
                end
            end
            assign Y = g_level[LOW].word;
        end
    endgenerate
endmodule

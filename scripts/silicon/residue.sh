#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Maps a lane of an ALU and a check of its sums, and prints what area the check would cost.
#
#   scripts/silicon/residue.sh        a table; LIBERTY names the cells, as in silicon.sh
#
# The check of an integer sum compares residues modulo 3 or 15 of both operands, the carry and the result, and finds
# each single wrong bit of the result.  Icarus tries it on random sums first.  That of a floating-point sum is a second
# lane and a comparison, as rounding leaves no residue.
set -euo pipefail
cd "$(dirname "$0")/../.."
liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/check.v" <<'END'
// The residue modulo 2^R - 1 of X: a tree of sums of R bits whose carry comes round.  All ones is 0, too.
module residue #(parameter W = 32, parameter R = 2) (input wire [W-1:0] x, output wire [R-1:0] y);
    localparam N = W / R;
    function [R-1:0] add(input [R-1:0] a, input [R-1:0] b);
        reg [R:0] s;
        begin s = a + b; add = s[R-1:0] + s[R]; end
    endfunction
    wire [(2*N-1)*R-1:0] tree;
    assign tree[0 +: W] = x;
    genvar i;
    generate for (i = 0; i < N - 1; i = i + 1) begin : g
        assign tree[(N+i)*R +: R] = add(tree[2*i*R +: R], tree[(2*i+1)*R +: R]);
    end endgenerate
    assign y = tree[(2*N-2)*R +: R];
endmodule

// A carry out of the top has the weight 2^W, whose residue is 1.  It is worked out from the top bits again.
module check #(parameter W = 32, parameter R = 2) (input wire clk, input wire s_en, input wire [W-1:0] s_a,
    input wire [W-1:0] s_b, input wire [W-1:0] m_result, output reg bad_q);
    wire [R-1:0] of_a, of_b, of_result;
    residue #(.W(W), .R(R)) u_a (.x(s_a), .y(of_a));
    residue #(.W(W), .R(R)) u_b (.x(s_b), .y(of_b));
    residue #(.W(W), .R(R)) u_result (.x(m_result), .y(of_result));
    reg [R-1:0] a_q, b_q;
    reg         top_a_q, top_b_q, en_q;
    wire         carry = (top_a_q && top_b_q) || ((top_a_q || top_b_q) && !m_result[W-1]);
    wire [R:0]   wide_in = a_q + b_q, wide_out = of_result + carry;
    wire [R-1:0] in = wide_in[R-1:0] + wide_in[R], out = wide_out[R-1:0] + wide_out[R];
    always @(posedge clk) begin
        en_q <= s_en;
        if (s_en) begin
            a_q <= of_a; b_q <= of_b;
            top_a_q <= s_a[W-1]; top_b_q <= s_b[W-1];
        end
        bad_q <= en_q && (&in ? {R{1'b0}} : in) != (&out ? {R{1'b0}} : out);
    end
endmodule
END
cat >"$work/bench.v" <<'END'
module bench;
    reg         clk = 0;
    reg  [31:0] a, b, result, wrong;
    wire        bad_3, bad_15;
    integer     i, false_3 = 0, false_15 = 0, found_3 = 0, found_15 = 0;
    check #(.R(2)) u_3 (.clk(clk), .s_en(1'b1), .s_a(a), .s_b(b), .m_result(result), .bad_q(bad_3));
    check #(.R(4)) u_15 (.clk(clk), .s_en(1'b1), .s_a(a), .s_b(b), .m_result(result), .bad_q(bad_15));
    initial begin
        for (i = 0; i < 6400; i = i + 1) begin
            a = $random; b = $random;
            wrong = i < 3200 ? 0 : 32'd1 << (i & 31);
            #1 clk = 1; #1 clk = 0;
            result = (a + b) ^ wrong;
            #1 clk = 1; #1 clk = 0;
            if (wrong == 0) begin false_3 = false_3 + bad_3; false_15 = false_15 + bad_15; end
            else begin found_3 = found_3 + bad_3; found_15 = found_15 + bad_15; end
        end
        $display("%0d %0d %0d %0d", false_3, false_15, found_3, found_15);
        $finish;
    end
endmodule
END
iverilog -g2005 -s bench -o "$work/bench" "$work/check.v" "$work/bench.v"
said=$(vvp -n "$work/bench")
[[ $said == '0 0 3200 3200' ]] || {
    echo "residue.sh: found '$said' (false alarms and wrong bits found), expected 0 0 3200 3200" >&2
    exit 1
}

area() { # FILE MODULE [PARAMETER VALUE]: in um2 of the library
    yosys -q -p "read_verilog $1; hierarchy -top $2 ${3:+-chparam $3 $4}; proc; flatten; opt; techmap; opt
                 dfflibmap -liberty $liberty; abc -liberty $liberty; opt_clean
                 tee -q -o $work/stat stat -liberty $liberty"
    awk '/Chip area/ { print $NF }' "$work/stat"
    rm "$work/stat"
}
integer=$(area rtl/ace_integer_lane.v ace_integer_lane)
float=$(area rtl/ace_fp_add_lane.v ace_fp_add_lane)
printf '%-28s %10s %10s\n' 'lane of 32 bits' 'area, um2' 'of a lane'
row() { awk -v n="$1" -v a="$2" -v of="$3" 'BEGIN { printf "%-28s %10.0f %9.0f%%\n", n, a, 100 * a / of }'; }
row 'integer' "$integer" "$integer"
row '  residue modulo 3' "$(area "$work/check.v" check R 2)" "$integer"
row '  residue modulo 15' "$(area "$work/check.v" check R 4)" "$integer"
row 'floating point' "$float" "$float"
row '  a second lane, at least' "$float" "$float"

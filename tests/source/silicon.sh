#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests scripts/silicon on one small module, ace_cycle_classes. It counts flip-flops, the library's FO4 and a longest
# path. It compares gates with RTL on recorded pins, and the energy of the clock with and without clock gates. It also
# tests a netlist with a bug, missing tools and a missing library, and the scripts that edit netlists as text.
set -uo pipefail
cd "$(dirname "$0")/../.."
tests=$(dirname "${ACESIM:-build/release/acesim}")/tests
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
. tests/icarus/replay.sh
silicon=scripts/silicon top=ace_cycle_classes
export LIBERTY=/usr/share/qflow/tech/osu018/osu018_stdcells.lib DELAY_PS=4000 JOBS=1
passed=0 failed=0

check() { # WHAT CONDITION-OF-AWK DETAIL
    if awk "BEGIN { exit !($2) }"; then passed=$((passed + 1)); echo "pass $1: $3"
    else failed=$((failed + 1)); echo "FAIL $1: $3"; fi
}
said() { # WHAT STATUS TEXT OUTPUT: exit status 2, and the text among what was said
    if [[ $2 == 2 && $4 == *"$3"* ]]; then passed=$((passed + 1)); echo "pass $1: $4"
    else failed=$((failed + 1)); echo "FAIL $1: exit $2: $4"; fi
}

# ---- what is missing is said
out=$(LIBERTY=$work/none.lib $silicon/needs.sh 2>&1); said "no library" $? "found no $work/none.lib, expected the package qflow-tech-osu018" "$out"
out=$(PATH=$work /bin/bash $silicon/needs.sh 2>&1); said "no tools" $? "found no sta, expected the package opensta" "$out"
$silicon/needs.sh || exit 1

# ---- gates
$silicon/synthesis.sh "$work" $top && $silicon/fo4.sh "$work/gates" >"$work/fo4" && $silicon/area.sh "$work" $top || exit 1
IFS=, read -r _ _ flops _ _ um2 two_port < <(grep "^$top," "$work/area.csv")
width=$(awk '$NF == "\\count" { print $3 }' "$work/rtl/boxes")
check "flip-flops: one for each bit of the counters" "$flops == $width && $width == 4 * 48" "$flops"

check "no memory, no port of one" "$um2 == $two_port" "$um2 um2 at 28 nm"
# each counter counts in cycles of its own, so it has a clock gate of its own
gated() { # NETLIST: flip-flops without a gate, and of each enable how many behind how many gates
    awk '{ sub(/,$/, "") } /^  CLKGATEX1/ { gate = 1 } gate && /\.EN\(/ { enable = $0 } gate && /\.GCLK\(/ { of[$0] = enable; gates[enable]++; gate = 0; next }
         /^  DFFPOSX1/ { free++ } /^    \.GCLK\(/ { behind[++n] = $0 }
         END { for (i = 1; i <= n; i++) flops[of[behind[i]]]++
               printf "%d", free; for (e in gates) printf " %d/%d", flops[e], gates[e] }' "$1"
}
out=$(gated "$work/gates/$top.v")
[[ $out == '0 48/1 48/1 48/1 48/1' ]]; check "a clock gate for each counter" "$? == 0" "$out"
# wide and narrow registers: less than eight bits of an enable have no gate, no gate has more than 64
$silicon/synthesis.sh "$work/wide" ace_axil_slave && out=$(gated "$work/wide/gates/ace_axil_slave.v") || exit 1
check "clock gates of wide registers alone" "$(tr ' /' '\n ' <<<"$out" | awk 'NR == 1 { free = $1; next } $1 < 8 || $1 > 64 * $2 || $1 <= 64 * ($2 - 1) { bad++ } { n++ }
    END { print (free > 0 && n > 0 && !bad) }')" "$out"
printf '  CLKGATEX1 _7_ (\n    .CLK(clk),\n    .EN(e),\n    .GCLK(g)\n  );\n' >"$work/wide.v"
for i in {0..64}; do printf '  DFFGATEDX1 \\q[%d]_reg (\n    .D(d),\n    .GCLK(g),\n    .Q(q[%d])\n  );\n' $i $i; done >>"$work/wide.v"
echo endmodule >>"$work/wide.v"
awk -v stat="$work/wide.stat" -f $silicon/clock_fan.awk "$work/wide.v" "$work/wide.v" >"$work/fan.v"
out=$(grep -oE 'CLKGATEX1 [^ ]*' "$work/fan.v" | sort | tr '\n' ' '; grep -oE 'GCLK\(gated_1_2\)' "$work/fan.v" | wc -l; cat "$work/wide.stat")
[[ $(tr -s ' \n' ' ' <<<"$out") == 'CLKGATEX1 \q[0]_gate CLKGATEX1 \q[64]_gate 2 CLKGATEX1 1 ' ]]
check "a second gate for the 65th" "$? == 0" "$(tr -s ' \n' ' ' <<<"$out")"

# ---- as text: a net to 100 modules or flip-flops gets 13 buffers, and two buffers that drive these ----
# Each buffer has at most eight loads. An assignment to several nets is split into bits, and reads get
# what is written.
printf 'module \\leaf\n  wire input 1 \\clk\n  wire width 3 input 2 \\en\nend\n' >"$work/boxes"
for cell in leaf DFFGATEDX1 DFFPOSX1; do
    awk -v cell=$cell 'BEGIN { print "module top(en);\n  input en;"
        for (i = 0; i < 100; i++) printf "  %s u%d (\n    %s,\n    .clk(en)\n  );\n", cell, i, cell == "leaf" ? ".en({ en, 2'"'"'h2 })" : ".D(en)"
        print "endmodule" }' >"$work/top.v"
    rm -f "$work/added"
    awk -v stat="$work/added" -f $silicon/bits.awk -f $silicon/fanout.awk "$work/boxes" "$work/top.v" "$work/top.v" >"$work/buffered.v"
    loads=$(grep -oE '\.(en\(\{|A\(|D\()[^,)]*' "$work/buffered.v" | sed 's/.*[({] *//' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')
    check "buffers of a net to $cell" "$(grep -c BUFX4 "$work/buffered.v") == 15 && $(awk '{ print $2 }' "$work/added") == 15 && $loads == 8" \
        "$(wc -l <"$work/added") line of cells, $loads loads at most"
done
printf '  wire [3:0] a;\n  wire [1:0] b;\n  assign { a[3:2], b[0], a[0] } = { b, 1'"'"'h1, c };\n' >"$work/concatenation.v"
out=$(awk -f $silicon/bits.awk -f $silicon/assigns.awk "$work/concatenation.v" | grep assign | tr -d '\n')
[[ $out == '  assign a[3] = b[1];  assign a[2] = b[0];  assign a[0] = c;' ]]
check "an assignment to several nets" "$? == 0" "$out"
printf 'module ace_ram_1r1w(input clk, we, input [1:0] at, input [7:0] d, output [7:0] q); reg [7:0] memory [0:3];
        always @(posedge clk) if (we) memory[at] <= d; assign q = memory[at]; endmodule' >"$work/async.v"
yosys -q -p "read_verilog $work/async.v; proc; opt; memory -nomap; opt_clean; write_rtlil $work/async.il" &&
    out=$(awk -v module=ace_ram_1r1w -v list="$work/a.macros" -v boxes="$work/a.boxes" -v models="$work/a.model.v" -f $silicon/macros.awk "$work/async.il" 2>&1 >/dev/null)
[[ $? == 1 && $out == *'expected a clocked one of each' ]]
check "a memory that is no macro" "$? == 0" "$out"
for read in 'assign q = memory[at];' 'reg [31:0] q; always @(posedge clk) q <= memory[from];'; do
    echo "module m(input clk, we, input [5:0] to, from, input [31:0] d, output [31:0] q); reg [31:0] memory [0:63]; reg [5:0] at;
          always @(posedge clk) begin at <= from; if (we) memory[to] <= d; end $read endmodule" >"$work/m.v"
    yosys -q -p "read_verilog -sv $work/m.v; proc; opt; memory -nomap; opt_clean; write_rtlil $work/m.il" &&
        awk -v module=m -v list="$work/m.macros" -v boxes="$work/m.boxes" -v models="$work/m.model.v" -f $silicon/macros.awk "$work/m.il" >/dev/null
    check "a read of the word that is written, $read" "$(grep -c 'if (en0 .*read0 <= .*data0' "$work/m.model.v") == $([[ $read == assign* ]]; echo $((1 - $?)))" "$(cat "$work/m.macros")"
done
echo 'module bench; reg clk = 0; reg [31:0] en, d; wire [31:0] q;
          m_macro1 u(.RD_ADDR(6'"'"'d9), .RD_ARST(1'"'"'b0), .RD_CLK(clk), .RD_DATA(q), .RD_EN(1'"'"'b1), .RD_SRST(1'"'"'b0),
                     .WR_ADDR(6'"'"'d9), .WR_CLK(clk), .WR_DATA(d), .WR_EN(en));
          initial begin en = ~0; d = 32'"'"'haaaa5555; #1 clk = 1; #1 clk = 0; en = 32'"'"'h0000fff0; d = 0; #1 clk = 1; #1 clk = 0;
                        en = 0; #1 clk = 1; #1 $display("%h", q); end endmodule' >"$work/bench.v"
out=$(iverilog -g2005 -o "$work/bench.vvp" "$work/bench.v" "$work/m.model.v" && vvp -n "$work/bench.vvp")
[[ $out == aaaa0005 ]]
check "some bits of a word are written" "$? == 0" "$out"

# ---- delays: an inverter's own table at four inverters' load, at the slew that such a load gives
fo4=$(cat "$work/fo4")
table=$(awk '
    function at(list, k, v) { gsub(/[";\\]/, "", list); split(list, v, ","); return v[k] }
    $2 == "(INVX1)" || $1 == "cell" { inside = $0 ~ /INVX1\)/ }
    inside && /capacitance/ && !load { load = 4 * $3 }
    inside && /cell_(rise|fall)/ { on = 1; row = 0 }
    inside && /index_1/ && on { x = $0; sub(/.*\("/, "", x) }
    inside && on && /^ *"/ && ++row >= 3 { sub(/^[^"]*"/, ""); delay[row] = at($0, 2) }
    inside && on && /\);/ && row >= 4 {     # between the rows of 25 and 75 fF, slew 0.18 ns
        sum += delay[3] + (delay[4] - delay[3]) * (load - 0.025) / 0.05; on = 0
    }
    END { printf "%.1f", sum / 2 * 1000 }' "$LIBERTY")
check "FO4, beside the inverter's table" "$fo4 > 0.6 * $table && $fo4 < 1.2 * $table" "$fo4 ps in the chain, $table ps in the table at 0.18 ns"
$silicon/paths.sh "$work" $top 2000 >"$work/paths" || exit 1
longest=$(awk '$2 !~ /^in:/ && $3 !~ /^out:/ && $1 > max { max = $1 } END { print max + 0 }' "$work/paths")
# 48 bits count up: carries of a tree of two-input gates, and setup; far below a cycle
check "longest path" "$longest * 1000 > 6 * $fo4 && $longest * 1000 < 57 * $fo4" "$longest ns, of $(wc -l <"$work/paths") ends"

# the list of the paths: what fits a cycle passes, a planted slow path is named
cp "$work/paths" "$work/paths_$top"
list() { awk -v fo4="$fo4" -v scaled=14 -v typical=10 -v cycle=803 -v top=none -f $silicon/paths.awk "$work/rtl/modules" "$work/rtl/instances" "$work/paths_$top" >"$work/paths.csv"; }
list; out=$($silicon/slow.sh "$work/paths.csv" 803); status=$?
check "all paths fit" "$status == 0" "$(grep -c register-register "$work/paths.csv") of registers"
echo "$(awk -v ps="$fo4" 'BEGIN { printf "%.3f", 58 * ps / 1000 }') busy_q[0] idle_q[47]" >>"$work/paths_$top"
list; out=$($silicon/slow.sh "$work/paths.csv" 803); status=$?
[[ $status == 1 && $out == *"$top: 58.0 FO4"*"from busy_q[0] to idle_q[47]"*'1 path longer than a cycle' ]]
check "a planted slow path" "$? == 0" "$out"

# ---- gates against RTL, and the energy of the clock ---------------------------------------------------
# Each clock gate switches twice a cycle. So do the 48 flip-flops of the counter that counts, or of all
# four counters in reset.
record cycle_classes || exit 1
fst=$(find "$work/waves" -name '*.fst' | sort | head -n 1)
fst2vcd -f "$fst" -o "$work/pins.vcd"
run() { # what gate.sh says
    read -r cycles whole part differ clock _ <<<"$($silicon/gate.sh "$work" $top "$work/pins.vcd")"
    check "netlist equals RTL" "$differ == 0 && $whole > 300" "$cycles cycles, $whole pins compared whole, $part in part, $differ differ"
}
takes() { awk -f $silicon/cell_energy.awk "$LIBERTY" | awk -v cell="$1" -v pin="$2" '$1 == cell && $2 == pin { print $3 }'; }
pin=$(takes DFFPOSX1 CLK) gate=$(takes CLKGATEX1 CLK) opens=$(takes CLKGATEX1 GCLK)
resets=$(awk '$5 == "rst" { id = $4 } /^#/ && n++ { resets += rst } $0 == "1" id { rst = 1 } $0 == "0" id { rst = 0 }
              END { print resets + rst }' "$work/pins.vcd")
run
expected="(2 * $cycles * 4 * $gate + 2 * ($cycles + 3 * $resets) * (48 * $pin + $opens))"
check "energy of the clock" "$clock > 0.99 * $expected && $clock < 1.01 * $expected" "$clock pJ, $resets of $cycles cycles in reset"
GATES=0 $silicon/synthesis.sh "$work" $top && run
expected="($flops * $cycles * 2 * $pin)"
check "energy of the clock without gates" "$clock > 0.99 * $expected && $clock < 1.01 * $expected" "$clock pJ"
sed -i '/DFF[A-Z0-9]* .busy_q\[0\]_reg/,/);/s/\.D(.*)/.D(rst)/' "$work/gates/$top.v"
if out=$($silicon/gate.sh "$work" $top "$work/pins.vcd" 2>&1); then failed=$((failed + 1)); echo "FAIL a bug in the netlist was not seen: $out"
else passed=$((passed + 1)); echo "pass a bug in the netlist: ${out%%$'\n'*}"; fi

# ---- in an FPGA: a flip-flop for each bit of the counters, and a module that is not there
echo "$top" >"$work/fpga.txt"
out=$(scripts/fpga/fpga.sh "$work/fpga" "$work/fpga.txt" | awk -F' *[|] *' -v m=$top '$2 == m { print $5 }')
check "flip-flops in an FPGA" "0$out == $width" "$out"
echo ace_nothing >"$work/fpga.txt"
out=$(scripts/fpga/fpga.sh "$work/fpga" "$work/fpga.txt" 2>&1); said "no module" $? "found no module ace_nothing, expected one of rtl/" "$out"

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

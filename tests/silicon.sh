#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/silicon on one small module, ace_cycle_classes: its flip-flops, the library's FO4, a
# longest path, gates against RTL on recorded pins, the energy of the clock; a netlist with a
# bug; tools and library that are not there.
set -uo pipefail
cd "$(dirname "$0")/.."
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
flops=$(awk -F, -v m=$top '$1 == m { print $3 }' "$work/area.csv")
width=$(awk '$NF == "\\count" { print $3 }' "$work/rtl/boxes")
check "flip-flops: one for each bit of the counters" "$flops == $width && $width == 4 * 48" "$flops"

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

# ---- gates against RTL, and what the clock takes: twice a cycle in each flip-flop
record cycle_classes || exit 1
fst=$(find "$work/waves" -name '*.fst' | sort | head -n 1)
fst2vcd -f "$fst" -o "$work/pins.vcd"
read -r cycles whole part differ clock _ <<<"$($silicon/gate.sh "$work" $top "$work/pins.vcd")"
check "gates equal RTL" "$differ == 0 && $whole > 300" "$cycles cycles, $whole pins compared whole, $part in part, $differ differ"
pin=$(awk -f $silicon/cell_energy.awk "$LIBERTY" | awk '$1 == "DFFPOSX1" && $2 == "CLK" { print $3 }')
check "energy of the clock" "$clock > 0.99 * $flops * $cycles * 2 * $pin && $clock < 1.01 * $flops * $cycles * 2 * $pin" "$clock pJ"
sed -i '/DFF[A-Z0-9]* .busy_q\[0\]_reg/,/);/s/\.D(.*)/.D(rst)/' "$work/gates/$top.v"
if out=$($silicon/gate.sh "$work" $top "$work/pins.vcd" 2>&1); then failed=$((failed + 1)); echo "FAIL a bug in the netlist was not seen: $out"
else passed=$((passed + 1)); echo "pass a bug in the netlist: ${out%%$'\n'*}"; fi

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

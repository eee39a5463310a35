#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# energy.sh DIR ACESIM ARGUMENT ... -- energy.csv in DIR: what each unit of a node takes in a run
#
# `acesim ARGUMENT ...` records node 0.  The netlist of each unit of ace_node runs on its own pins
# of that run, all of them; of ALUs side by side, and of FSMs, the first stands for all.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
dir=$1
"${@:2}" --wave "$dir/node.fst" --wave-node 0 --format json >"$dir/run.json"
fst2vcd -f "$dir/node.fst" -o "$dir/node.vcd"
awk '$1 == "ace_node" { print $2, $3 }' "$dir/rtl/instances" |
    awk '{ stand = $2; sub(/g_alu\[[0-9]+\]/, "g_alu[0]", stand); sub(/g_phase\[[0-9]+\]\.g_fsm\[[0-9]+\]/, "g_phase[0].g_fsm[0]", stand)
           times[$1 " " stand]++ } END { for (k in times) print k, times[k] }' | sort >"$dir/units"
while read -r module instance times; do
    said=$("$here/gate.sh" "$dir" "$module" "$dir/node.vcd" "node.ace_node.$instance")
    echo "$module $instance $times $said"
done <"$dir/units" >"$dir/energy"

# what an ALU's enable says of the bytes that were reduced, four ALUs of 64 bytes
cd "$dir"
awk -v scope='node.ace_node.g_alu[0].u_alu' -f "$here/scope.awk" node.vcd |
    awk '$5 == "s_valid" { valid = $4 } $5 == "s_bypass" { bypass = $4 }
         /^#/ { beats += on && !past } { v = substr($0, 1, 1) + 0; id = substr($0, 2) } id == valid { on = v } id == bypass { past = v }
         END { print (beats + (on && !past)) * 256 }' >reduced
pin=$(awk -f "$here/cell_energy.awk" "$LIBERTY" | awk '$1 == "DFFPOSX1" && $2 == "CLK" { print 2 * $3 }')
awk -v scale="${ENERGY_SCALE:-57.7}" -v sram="${SRAM_PJ:-1.02}" -v clock="$pin" -v reduced="$(cat reduced)" \
    -f "$here/energy.awk" rtl/modules area.csv energy >energy.csv 2>energy.note

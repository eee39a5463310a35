#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# energy.sh DIR ACESIM ARGUMENT ... -- energy.csv in DIR: the energy of each unit of a node in a run
#
# `acesim ARGUMENT ...` records node 0. The netlist of each unit of ace_node's blocks runs on all of its own pins of
# that run. Of units that are alike, one is simulated and represents the others. These are the first of the parallel
# ALUs and the mapped FSM. One link of the first dimension stands for both, and one of the second for the four
# slower links. One port of routed packets, which is idle here, stands for six.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
export here dir=$1 acesim=$2
"${@:2}" --wave "$dir/node.fst" --wave-node 0 --format json >"$dir/run.json"
fst2vcd -f "$dir/node.fst" -o "$dir/node.vcd"
awk '$1 == "ace_link" { part[++parts] = $2; name[parts] = $3 }      # a link is not one unit but those inside
     $1 == "ace_node" { block[$2] = $3 "." }
     { inside[++all] = $1; held[all] = $2; named[all] = $3 }
     END { for (i = 1; i <= all; i++)
               if (inside[i] in block) { unit[++units] = held[i]; at[units] = block[inside[i]] named[i] }
           for (u = 1; u <= units; u++)
               if (unit[u] != "ace_link") print unit[u], at[u]
               else for (p = 1; p <= parts; p++) print part[p], at[u] "." name[p] }' "$dir/rtl/instances" |
    awk '{ stand = $2; sub(/g_alu\[[0-9]+\]/, "g_alu[0]", stand)
           sub(/g_link\[1\]/, "g_link[0]", stand); sub(/g_link\[[345]\]/, "g_link[2]", stand)
           if (/u_routed$/) sub(/g_link\[[0-9]+\]/, "g_link[0]", stand)
           if ($1 == "ace_fsm") sub(/g_phase.*/, "g_phase[0].g_fsm[0].u_fsm", stand)
           times[$1 " " stand]++ }
         END { for (k in times) print k, times[k] }' | sort >"$dir/units"
mkdir -p "$dir/gates/units.d"
unit() { # MODULE INSTANCE TIMES
    local result=$dir/gates/units.d/$2
    if ! [[ -s $result && -z $(find "$dir/gates/$1.v" "$here"/{silicon,gate}.sh "$here"/{cells,cell_energy,toggles}.awk "$acesim" -newer "$result") ]]; then
        "$here/gate.sh" "$dir" "$1" "$dir/node.vcd" "node.ace_node.$2" >"$result.part"
        mv "$result.part" "$result"
    fi
    echo "$* $(cat "$result")" >"$result.line"
}
export -f unit
# the largest first, so that no long one is left alone at the end
while read -r module instance times; do
    echo "$(stat -c %s "$dir/gates/$module.v") $module $instance $times"
done <"$dir/units" | sort -rn | cut -d' ' -f2- | tr '\n' '\0' | xargs -0 -P "${JOBS:-1}" -I{} bash -euc 'unit {}'
while read -r _ instance _; do cat "$dir/gates/units.d/$instance.line"; done <"$dir/units" >"$dir/energy"

# what an ALU's enable says of the bytes that were reduced, four ALUs of 64 bytes
cd "$dir"
awk -v scope='node.ace_node.u_datapath.g_alu[0].u_alu' -f "$here/scope.awk" node.vcd |
    awk '$5 == "s_valid" { valid = $4 } $5 == "s_bypass" { bypass = $4 }
         /^#/ { beats += on && !past } { v = substr($0, 1, 1) + 0; id = substr($0, 2) } id == valid { on = v } id == bypass { past = v }
         END { print (beats + (on && !past)) * 256 }' >reduced
pin=$(awk -f "$here/cell_energy.awk" "$LIBERTY" | awk '$1 == "DFFPOSX1" && $2 == "CLK" { print 2 * $3 }')
awk -v scale="${ENERGY_SCALE:-57.7}" -v sram="${SRAM_PJ:-1.02}" -v clock="$pin" -v reduced="$(cat reduced)" \
    -f "$here/energy.awk" rtl/modules area.csv energy >energy.csv 2>energy.note

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# front.sh DIR [FILE] -- the area of each parameter set of the study `front`, as a query of the study
#
# The sets are the cluster files of workloads/studies/front/clusters.  synthesis.sh elaborates ace_engine with the keys of
# `ace` as parameters, area.sh sums the modules.  DIR/kept holds each module's cells by a hash of its text, so a module
# is mapped once for all sets and for later runs.  The assumptions for 28 nm are those of silicon.sh.  FILE is the view
# tables/area.sql of the study, with these columns:
#
#   name            name of the cluster file
#   parameters      of ace_engine, where they are not its defaults
#   nic             um2 of gates of NIC, exchange and memory interface, which the paper's table leaves out
#   logic           um2 of all other gates
#   SRAM_bits       of all memories
#   two_port_bits   of memories that are read at one port and written at another
#   SRAM            um2 of all bits, SRAM_UM2 each
#   second_port     um2 that cells of two ports add, TWO_PORT - 1 times the area of their bits
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
dir=$(realpath -m "$1") file=$(realpath -m "${2:-workloads/studies/front/tables/area.sql}")
export LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
export DELAY_PS=${DELAY_PS:-4000} JOBS=${JOBS:-2} GATES=1 LATCH_AREA=56 GATE_SETUP_NS=0.5
export NAND2_UM2=${NAND2_UM2:-0.49} SRAM_UM2=${SRAM_UM2:-0.1524} TWO_PORT=${TWO_PORT:-1.3} KEPT=$dir/kept
# their forms differ in constants and in the width of addresses
export ALIKE='ace_control ace_control_registers ace_datapath ace_doorbell_check ace_engine ace_front ace_link ace_nic ace_node
    ace_scheduler ace_scratchpad ace_scratchpad_banks:SUB_BANKS ace_fsm:CONTEXTS'
"$here/needs.sh"
mkdir -p "$KEPT"

parameters() { # FILE: NAME=VALUE of each key of `ace`
    sed -n 's/^ace: *{\(.*\)}.*/\1/p' "$1" | tr ',' '\n' | sed 's/ *\([a-z_]*\): *\([0-9]*\) */\U\1=\2/'
}
files=(workloads/studies/front/clusters/*.yaml) sets=()
for of in "${files[@]}"; do mapfile -t -O ${#sets[@]} sets < <(parameters "$of"; echo --); done
unset 'sets[-1]'
"$here/synthesis.sh" "$dir" ace_engine      # first, since it stands for others
"$here/synthesis.sh" "$dir" ace_engine "${sets[@]}"
{
    echo '-- SPDX-License-Identifier: Apache-2.0'
    echo "-- Made by scripts/silicon/front.sh.  Areas of parameter sets of ace_engine, um2 at 28 nm; front.sh explains each column."
    echo 'WITH areas(name, parameters, nic, logic, SRAM_bits, two_port_bits, SRAM, second_port) AS (VALUES'
    for ((i = 0; i < ${#files[@]}; i++)); do
        # a bit of 1 um2, and of 2 with two ports: the columns of area.csv then count bits
        top=$(awk -v set="set_$i" '$1 == "wrapper" && $3 == set { print $2 }' "$dir/rtl/instances")
        SRAM_UM2=1 TWO_PORT=2 "$here/area.sh" "$dir" "$top"
        awk -F, -v set="$(basename "${files[i]}" .yaml)" -v parameters="$(parameters "${files[i]}" | paste -sd' ')" -v bit="$SRAM_UM2" \
            -v two="$TWO_PORT" -v end="$([[ $i -lt $((${#files[@]} - 1)) ]] && echo , || echo ')')" '
            NR == 1 { next }
            { bits += $5; two_bits += $7 - $6 }
            $1 ~ /alu|lane|scratchpad|secded|ram_1r1?w|bank|switch|node|datapath|dispatcher|scheduler|fsm|front|phases|dma|cycle_classes|control|engine|program/ {
                logic += $6 - $5
                next
            }
            { nic += $6 - $5 }
            END { printf "    (\047%s\047, \047%s\047, %d, %d, %d, %d, %.0f, %.0f)%s\n", set, parameters, nic, logic, bits, two_bits,
                      bits * bit, two_bits * (two - 1) * bit, end }' "$dir/area.csv"
    done
    echo 'SELECT * FROM areas'
} >"$file.part"
mv "$file.part" "$file"

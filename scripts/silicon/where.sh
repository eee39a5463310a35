#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# where.sh SILICON DIR [FILE] -- areas and energies of both sides of the study `where`, as a query of the study
#
# SILICON is the folder of `scripts/build.sh release silicon`: its netlists, and its recording of a node in FP32.  DIR keeps
# what this script maps and runs: ALUs of one format, and ace_hub_reducer with four ports and eight contexts.  Units of a
# node run as gates.  The assumptions for 28 nm are those of silicon.sh.  FILE is the view tables/silicon.sql of the study,
# one row with these columns:
#
#   endpoint_gates, sender_gates        um2 of an engine's gates without its ALUs
#   endpoint_bits, sender_bits          of its memories, all of which have two ports
#   endpoint_flops, sender_flops        flip-flops without those of the ALUs
#   alu_fp32, alu_fp16                  um2 of four ALUs with sums of one format
#   alu_flops                           flip-flops of four ALUs
#   reducer_gates, reducer_bits, reducer_flops      a port's part of one reducer, without ALUs
#   bit                                 um2 of a bit in a memory of two ports
#   add_fp32, add_fp16                  pJ to add a row of 256 bytes to another
#   link                                pJ of the gates and memories of a link for a row that comes and one that goes
#   bit_pJ                              pJ of a bit of a memory of 1 MiB; a smaller one takes less by the root of its size
#   clock                               pJ a cycle that a flip-flop's clock takes behind clock gates: 199 pJ of an engine with
#                                       266,915 flip-flops (docs/results/silicon.md)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
silicon=$(realpath "$1") dir=$(realpath -m "$2") file=$(realpath -m "${3:-workloads/studies/where/tables/silicon.sql}")
export LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
export DELAY_PS=${DELAY_PS:-4000} JOBS=${JOBS:-2} GATES=1 LATCH_AREA=56 GATE_SETUP_NS=0.5
export NAND2_UM2=${NAND2_UM2:-0.49} SRAM_UM2=${SRAM_UM2:-0.1524} TWO_PORT=${TWO_PORT:-1.3}
scale=${ENERGY_SCALE:-57.7} sram=${SRAM_PJ:-1.02}
"$here/needs.sh"
mkdir -p "$dir/units"

sums() { # DIR INSTANCE_OF_TOP: um2 of gates and flip-flops of ALUs, then um2 of gates, bits and flip-flops of all else
    local top
    top=$(awk -v set="$2" '$1 == "wrapper" && $3 == set { print $2 }' "$1/rtl/instances")
    SRAM_UM2=1 TWO_PORT=2 "$here/area.sh" "$1" "${top:-$2}"
    awk -F, 'NR > 1 && /^ace_(alu|fp_|integer_)/ { alu += $6; alu_flops += $3; next }
             NR > 1 { gates += $6 - $5; bits += $5; flops += $3; two += $7 - $6 }
             END { if (two != bits) print "where.sh: a memory of one port" >"/dev/stderr"; print alu + 0, alu_flops + 0, gates, bits, flops }' "$1/area.csv"
}

# Engines: that of SILICON with fewer rows of a bank, 2,304 bits in each of four banks.  Fewer state machines take less
# area by the table of the study `front`, and flip-flops by their number.
rows() { sed -n 's/^ace: .*bank_rows: \([0-9]*\).*/\1/p' "workloads/studies/where/clusters/$1.yaml"; }
read -r gates bits flops fsm_flops < <(awk -F, -v bit="$SRAM_UM2" 'NR == 1 || /^ace_(alu|fp_|integer_)/ { next }
    { gates += $6 - $5 * bit; bits += $5; flops += $3 }
    /^ace_fsm/ { fsm += $3 }
    END { printf "%d %d %d %d\n", gates, bits, flops, fsm }' "$silicon/area.csv")
fewer=$(awk -F', *' '/\(.default.,/ { all = $4 } /\(.fsms-4.,/ { less = $4 } END { print all - less }' workloads/studies/front/tables/area.sql)
endpoint_gates=$gates endpoint_flops=$flops
endpoint_bits=$((bits - 4 * 2304 * (4096 - $(rows endpoint))))
sender_gates=$((gates - fewer)) sender_flops=$((flops - fsm_flops * 3 / 4))
sender_bits=$((bits - 4 * 2304 * (4096 - $(rows in-switch))))

# ALUs of one format; bit 0 of TYPES is FP32, bit 1 FP16
"$here/synthesis.sh" "$dir/alu" ace_alu TYPES=1 OPS=1 -- TYPES=2 OPS=1
read -r alu_fp32 alu_flops _ < <(sums "$dir/alu" set_0)
read -r alu_fp16 _ < <(sums "$dir/alu" set_1)

# the reducer
"$here/synthesis.sh" "$dir/hub" ace_hub_reducer PORTS=4 CONTEXTS=8 TYPES=7 OPS=13
read -r _ _ reducer_gates reducer_bits reducer_flops < <(sums "$dir/hub" ace_hub_reducer)

# units of a node: that of SILICON in FP32, and the same run in FP16
unit() { # NAME MODULE SCOPE VCD
    [[ -s $dir/units/$1 ]] && return
    "$here/gate.sh" "$silicon" "$2" "$4" "node.ace_node.$3" >"$dir/units/$1.part"
    mv "$dir/units/$1.part" "$dir/units/$1"
}
fp16=$silicon/node.vcd
if ! [[ -s $dir/units/alu_fp16 ]]; then
    fp16=$dir/fp16.vcd
    "${ACESIM:-build/release/acesim}" collective all-reduce --topology 2x2x2 --size 64KiB --chunk 4KiB --type fp16 --link-latency 8,8,8 \
        --memory-latency 20 --payload random --rung 'rtl:0;cycle:rest' --wave "$dir/fp16.fst" --wave-node 0 --quiet >"$dir/fp16.json"
    fst2vcd -f "$dir/fp16.fst" -o "$fp16"
fi
unit alu_fp32 ace_alu 'u_datapath.g_alu[0].u_alu' "$silicon/node.vcd"
unit alu_fp16 ace_alu 'u_datapath.g_alu[0].u_alu' "$fp16"
for part in u_plain:ace_link_port u_sender:ace_link_sender u_receiver:ace_link_receiver; do
    unit "${part%:*}" "${part#*:}" "u_nic.g_link[0].u_link.${part%:*}" "$silicon/node.vcd"
done

# events of the recording: beats of an ALU that add, and rows of a link in a direction
beats=$(awk -v scope='node.ace_node.u_datapath.g_alu[0].u_alu' -f "$here/scope.awk" "$silicon/node.vcd" |
    awk '$5 == "s_valid" { valid = $4 } $5 == "s_bypass" { bypass = $4 }
         /^#/ { beats += on && !past } { v = substr($0, 1, 1) + 0; id = substr($0, 2) } id == valid { on = v } id == bypass { past = v }
         END { print beats + (on && !past) }')
energy() { # UNIT...: pJ at 28 nm of flip-flops, gates and memories, without the clock
    local u
    for u in "$@"; do cat "$dir/units/$u"; done | awk -v scale="$scale" -v sram="$sram" '
        { pj += ($6 + $7) / scale
          for (i = 8; i <= NF; i++) { split($i, m, ":"); pj += m[4] * m[3] * sram * sqrt(m[2] * m[3] / 2 ^ 23) } }
        END { print pj }'
}
link_rows=$(awk -F'[^0-9]+' '/"link_bytes"/ { print $2 / 256; exit }' "$silicon/run.json")
{
    echo '-- SPDX-License-Identifier: Apache-2.0'
    echo '-- Made by scripts/silicon/where.sh, which explains each column.'
    awk -v eg="$endpoint_gates" -v eb="$endpoint_bits" -v ef="$endpoint_flops" -v sg="$sender_gates" -v sb="$sender_bits" \
        -v sf="$sender_flops" -v a32="$alu_fp32" -v a16="$alu_fp16" -v af="$alu_flops" -v rg="$reducer_gates" -v rb="$reducer_bits" \
        -v rf="$reducer_flops" -v bit="$SRAM_UM2" -v two="$TWO_PORT" -v p32="$(energy alu_fp32)" -v p16="$(energy alu_fp16)" \
        -v beats="$beats" -v link="$(energy u_plain u_sender u_receiver)" -v rows="$link_rows" \
        -v sram="$sram" 'BEGIN {
            printf "SELECT %d AS endpoint_gates, %d AS endpoint_bits, %d AS endpoint_flops, %d AS sender_gates, %d AS sender_bits, %d AS sender_flops,\n", eg, eb, ef, sg, sb, sf
            printf "       %d AS alu_fp32, %d AS alu_fp16, %d AS alu_flops, %d AS reducer_gates, %d AS reducer_bits, %d AS reducer_flops,\n", 4 * a32, 4 * a16, 4 * af, rg / 4, rb / 4, rf / 4
            printf "       %.5f AS bit, %.1f AS add_fp32, %.1f AS add_fp16, %.1f AS link, %s AS bit_pJ, %.6f AS clock\n",
                bit * two, 4 * p32 / beats, 4 * p16 / beats, link / rows, sram, 199 / 266915
        }'
} >"$file.part"
mv "$file.part" "$file"

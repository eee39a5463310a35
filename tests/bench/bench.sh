#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of a node under full load and idle, at rung `rtl` and rung `cycle`.
#
#   tests/bench/bench.sh [PROGRAM]      PROGRAM: build/release/bench_node
#
# The rungs take turns, five times each; medians are quoted.  One thread, processor time.
# ROUNDS, CYCLE_BYTES, RTL_BYTES and IDLE_CYCLES may be set.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=${1:-build/release/bench_node}
rounds=${ROUNDS:-5}
cycle=(4 2 2 "${CYCLE_BYTES:-$((64 << 20))}")
rtl=(2 1 1 "${RTL_BYTES:-$((2 << 20))}")
same=(2 1 1 "${RTL_BYTES:-$((2 << 20))}")       # the twin at the RTL's own work
folded=(4 4 4 "${CYCLE_BYTES:-$((64 << 20))}" folded)
idle=(2 1 1 "${IDLE_CYCLES:-1000000000}")

declare -A speed memory
add() {     # NAME arguments of the program
    local name=$1 line; shift
    line=$("$bench" "$@")
    read -r _ _ _ rate bytes <<< "$line"
    speed[$name]+="$rate " memory[$name]+="$bytes "
}
median() { tr ' ' '\n' <<< "$1" | grep . | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for ((round = 0; round < rounds; round++)); do
    add rtl rtl "${rtl[@]}"
    add twin cycle "${same[@]}"
    add cycle cycle "${cycle[@]}"
    add folded cycle "${folded[@]}"
    add rtl-idle rtl "${idle[@]}" idle
    add cycle-idle cycle "${idle[@]}" idle
done

printf '%-11s %18s %14s %12s   medians of %d\n' rung 'node cycles/s' 'ns/node cycle' 'KiB/node' "$rounds"
for name in rtl twin cycle folded rtl-idle cycle-idle; do
    awk -v name="$name" -v rate="$(median "${speed[$name]}")" -v bytes="$(median "${memory[$name]}")" \
        'BEGIN { printf "%-11s %18.0f %14.3f %12.0f\n", name, rate, 1e9 / rate, bytes / 1024 }'
done
awk -v a="$(median "${speed[cycle]}")" -v t="$(median "${speed[twin]}")" -v b="$(median "${speed[rtl]}")" \
    'BEGIN { printf "cycle / rtl: %.1f (same all-reduce: %.1f)\n", a / b, t / b }'
echo "rtl, twin, idle: ${rtl[*]:0:3} torus; cycle: ${cycle[*]:0:3} torus; folded: one node for a ${folded[*]:0:3} torus; all-reduce, timing-only"

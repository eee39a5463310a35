#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares two builds of the RTL: processor time of an all-reduce, and its cycles.
#
#   tests/bench/rtl.sh PROGRAM BEFORE      each an acesim, or an acesim and --rtl NAME in one word list
#
# The builds take turns, so that other load hits both; medians and their ratio are printed.  Cycles
# that differ are an error.  ROUNDS, SIZE and TOPOLOGY may be set.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 2 ] || { echo "tests/bench/rtl.sh PROGRAM BEFORE" >&2; exit 2; }
rounds=${ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

run() {     # NUMBER BUILD: its time goes behind those of the rounds before
    local build
    read -r -a build <<<"$2"
    { time "${build[0]}" collective all-reduce --topology "${TOPOLOGY:-4x4x4}" --size "${SIZE:-8MiB}" --rung rtl \
        "${build[@]:1}" --fast-forward off --quiet --format json >"$work/result$1"; } 2>>"$work/times$1"
    grep -m1 '"cycles"' "$work/result$1" >"$work/cycles$1"
}
median() { awk '{ print $1 + $2 }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for ((round = 0; round < rounds; round++)); do
    run 1 "$1"
    run 2 "$2"
    cmp -s "$work/cycles1" "$work/cycles2" || { echo "cycles differ:$(cat "$work"/cycles[12])" >&2; exit 1; }
done
awk -v a="$(median "$work/times1")" -v b="$(median "$work/times2")" -v rounds="$rounds" \
    'BEGIN { printf "%.3f s against %.3f s of processor, medians of %d: %.3f\n", a, b, rounds, a / b }'

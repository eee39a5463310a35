#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of an iteration under a strategy and of a search, and compares it with limits:
#
#   tests/bench/strategies.sh [PROGRAM [CALIBRATION]]    PROGRAM: build/release/acesim
#
# CALIBRATION is what the program has made of the 4x4x4 cluster with topology 8x8x16; without it, it is made first,
# which takes minutes.
#
# One core's processor time is held against the limit of an iteration, that of two cores against a search's: with nothing
# beside, wall time is no more than that.  Wall time stands beside it.  Exit 1 where a limit is passed.
set -euo pipefail
cd "$(dirname "$0")/../.."
acesim=${1:-build/release/acesim}
calibration=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

row() { # NAME SECONDS-OF-PROCESSOR arguments: in at most as much, and 2 GB of memory
    local name=$1 limit=$2 user system wall kib
    shift 2
    /usr/bin/time -f '%U %S %e %M' -o "$work/cost" "$acesim" "$@" --quiet >"$work/out"
    read -r user system wall kib <"$work/cost"
    awk -v name="$name" -v u="$user" -v s="$system" -v w="$wall" -v k="$kib" -v limit="$limit" 'BEGIN {
        ok = u + s <= limit && k * 1024 <= 2e9
        printf "%-34s %10.2f %10d %9.2f %8.0f  %s\n", name, u + s, limit, w, k / 1024, ok ? "ok" : "TOO MUCH"
        exit !ok
    }' || passed=1
}
printf '%-34s %10s %10s %9s %8s\n' what 'processor s' 'at most' 'wall s' MiB
if [ -z "$calibration" ]; then
    calibration=$work/8x8x16.calibrated
    sed 's/^topology: .*/topology: 8x8x16/' workloads/clusters/torus-4x4x4.yaml >"$work/8x8x16.yaml"
    "$acesim" calibrate "$work/8x8x16.yaml" --output "$calibration" --jobs 2 --quiet >"$work/out"
fi
gpt=(models/gpt3-175b.yaml --cluster clusters/torus-4x4x4.yaml --topology 8x8x16 --composed)
row 'GPT-3 on 1,024, an iteration' 10 train "${gpt[@]}" --strategy tp8.pp16.dp8.zero1.m64
row 'the same, calibrated' 10 train "${gpt[@]:0:5}" --rung calibrated --calibration "$calibration" \
    --strategy tp8.pp16.dp8.zero1.m64
row 'Transformer-1T on 4,096' 60 train models/transformer-1t.yaml --cluster clusters/torus-4x4x4.yaml --topology 8x16x32 --composed \
    --strategy tp8.dp16.pp32.zero1.m64
row 'GPT-3 on 1,024, all strategies' 600 search "${gpt[@]}" --batch 512 --jobs 2 --database "$work/search.sqlite"
exit $passed

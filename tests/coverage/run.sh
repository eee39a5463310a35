#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Line, toggle and functional coverage of the RTL by the lockstep tests:
#
#   tests/coverage/run.sh DIR [UNIT ...]     DIR: where it is built; units such as fsm
#
# A table, a row a module, and in DIR/holes what was never reached and holes.txt does not explain.
# Fails when there is any, and when holes.txt explains what is no hole.  Toggles of
# signals wider than 16 bits are not counted: addresses, counters, rows.  With LARGE=ON the ALU
# and the wiring of the node are among the units, alu and node.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(realpath -m "$1"); shift
mkdir -p "$work"
cmake -S tests/coverage -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLARGE="${LARGE:-OFF}" \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ >"$work/log"
if [[ $# -eq 0 ]]; then
    mapfile -t units < <(ls tests/lockstep/lockstep_*_test.cc | sed -E 's/.*lockstep_(.*)_test.cc/\1/')
    if [[ ${LARGE:-OFF} == ON ]]; then units+=(alu); else units=("${units[@]/#node/}"); fi
    set -- ${units[@]}
fi
ninja -C "$work" "${@/#/coverage_}" >>"$work/log" || { tail -20 "$work/log" >&2; exit 1; }
for unit in "$@"; do
    rm -rf "$work/counts"; mkdir "$work/counts"
    ACE_CYCLES=10000000 ACE_COVERAGE=$work/counts "$work/coverage_$unit" --gtest_brief=1 >"$work/said" || { cat "$work/said" >&2; exit 1; }
    verilator_coverage --write "$work/$unit.dat" "$work"/counts/*.dat
done
awk -v holes=tests/coverage/holes.txt -v table="$work/holes" -f tests/coverage/points.awk \
    $(printf "$work/%s.dat " "$@")

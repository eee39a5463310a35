#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Line and toggle coverage of the units by the first cycles of their lockstep tests, replayed:
#
#   tests/coverage/run.sh DIR [UNIT ...]     DIR: the build, whose lockstep tests are there
#
# A table, a row a module, and in DIR/coverage/holes what was never reached; fails when a line
# was not that holes.txt does not explain.  Toggles of signals wider than 256 bits are not counted.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=$1/tests work=$(realpath -m "$1")/coverage; shift
. tests/icarus/replay.sh
mkdir -p "$work"
rm -f "$work"/*.dat
export ACE_UNIT_WAVE_CYCLES=${CYCLES:-2000}
[[ $# -gt 0 ]] || set -- $units_all
for unit in "$@"; do
    record "$unit"
    built=''
    for fst in "$work"/waves/*.fst; do
        class=$(class_of "$fst")
        bench "$fst"
        if [[ $class != "$built" ]]; then       # the vectors change, the bench of a class does not
            rm -rf "$work/model"
            verilator --cc --exe --build --timing --coverage-line --coverage-toggle -Wno-fatal -Wno-lint -Wno-style \
                -O1 -CFLAGS -fcoroutines --compiler gcc -MAKEFLAGS "CXX=g++ LINK=g++ OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0" \
                --Mdir "$work/model" --top-module bench -y rtl -o bench \
                "$work/bench.v" "$PWD/tests/coverage/main.cc" >"$work/verilator.log" 2>&1 ||
                { cat "$work/verilator.log"; exit 1; }
            built=$class
        fi
        "$work/model/bench" "$work/$(basename "$fst").dat" >"$work/said"
    done
done
cat "$work"/*.dat >"$work/coverage"
awk -v holes=tests/coverage/holes.txt -v table="$work/holes" -f tests/coverage/points.awk "$work/coverage"

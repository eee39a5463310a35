#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The functional points of units, each with the models of its own unit alone: a minute a unit, and not the long build of
# tests/coverage/run.sh, which counts lines and toggles too.
#
#   tests/coverage/functional.sh DIR UNIT ...          DIR: where it is built; units such as fsm
#
# A table, a row a module, and in DIR/holes the points that were never reached and that holes.txt does not explain.
# Fails when there is any.  The points of a module are those of functional.txt.  With ALL=ON lines and toggles count, too.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(realpath -m "$1"); shift
mkdir -p "$work"
source tests/lockstep/unit_program.sh
(cd tests/coverage && awk -f points_sv.awk functional.txt) >"$work/points.sv"
EXTRA=$(printf "$root/include/%s.cpp " verilated verilated_cov verilated_threads)
DEFINES=-DVM_COVERAGE=1
count=(--coverage-user) only=point
[[ ${ALL:-OFF} == OFF ]] || count+=(--coverage-line --coverage-toggle --coverage-max-width 16) only=''
for unit in "$@"; do
    rm -rf "${work:?}/$unit"; mkdir -p "$work/$unit/counts"
    unit_program "$unit" "$work/$unit" rtl "${count[@]}" "$work/points.sv"
    ACE_CYCLES=10000000 ACE_COVERAGE=$work/$unit/counts "$work/$unit/test" --gtest_brief=1 >"$work/said" 2>&1 ||
        { cat "$work/said" >&2; exit 1; }
    verilator_coverage --write "$work/$unit.dat" "$work/$unit"/counts/*.dat
    rm -rf "${work:?}/$unit"
done
# shellcheck disable=SC2046
awk -v holes=tests/coverage/holes.txt -v only="$only" -v table="$work/holes" -f tests/coverage/points.awk \
    $(printf "$work/%s.dat " "$@")

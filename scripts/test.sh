#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the tests:
#
#   scripts/test.sh [release|sanitize] [options of ctest]     every test
#   scripts/test.sh quick                                     form, rooms, C units: under a minute
#   scripts/test.sh ci                                        quick, then all, then what is sanitized
#
# The last line of output is ctest's count of passed and failed tests.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
tier=all
case ${1:-} in
release | sanitize) preset=$1; shift ;;
quick | ci) tier=$1; shift ;;
esac

# run NAME, then ctest's options: keeps what it prints; the last line is ctest's summary.
run() {
    local preset=$1 log=build/$1/ctest.log status=0
    shift
    ctest --preset "$preset" --parallel "$(nproc)" "$@" 2>&1 | tee "$log" || status=$?
    summary=$(grep -E '^[0-9]+% tests passed' "$log" || true)
    echo "${summary:-no tests were run}"
    return "$status"
}

# Needs no build but that of the C units it runs, and no Verilator.
quick() {
    scripts/setup.sh
    tests/quick.sh
}

case $tier in
quick) quick ;;
ci)
    quick
    scripts/build.sh release
    run release "$@"
    ;;
all)
    scripts/build.sh "$preset"
    run "$preset" "$@"
    ;;
esac

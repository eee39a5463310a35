#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The program under AddressSanitizer and UndefinedBehaviorSanitizer, in the tests of the command line
# that place no node in RTL: readers of files, options, setup, fabric, endpoints, training, results.
# The program is that of the preset `units`, which tests/quick.sh builds.
#
#   tests/sanitized.sh          runs them
#   tests/sanitized.sh names    prints their names: scripts/test.sh does not run them a second time
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tests=(train strategy endpoints schema npu cli_errors digest astra random_graphs)  # the longest first
[[ ${1:-} != names ]] || { printf '%s\n' "${tests[@]}"; exit; }
export ACESIM=$PWD/build/units/acesim
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
[[ -x $ACESIM ]] || { echo "sanitized: found no $ACESIM, expected it made by tests/quick.sh" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work

one() { # NAME
    local from=$SECONDS
    if bash tests/program/*/"$1.sh" >"$work/$1" 2>&1; then
        echo "ok   $1, sanitized ($((SECONDS - from)) s)"
    else
        tail -n 30 "$work/$1"
        echo "FAIL $1, sanitized"
        exit 1
    fi
}
export -f one
if printf '%s\n' "${tests[@]}" | xargs -P "$(nproc)" -I{} bash -c 'one {}'; then
    echo "${#tests[@]} passed, 0 failed"
else
    echo "a test failed under sanitizers" >&2
    exit 1
fi

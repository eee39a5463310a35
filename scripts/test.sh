#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the tests, in tiers:
#
#   scripts/test.sh quick                            a minute: form, rooms, C units with sanitizers
#   scripts/test.sh [release] [options of ctest]     that, the program sanitized, then everything
#   scripts/test.sh sanitize [options of ctest]      everything with sanitizers on all C and C++ of ours
#
# The last line of output is the count of passed and failed tests.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH    # the tools that setup.sh installs, before others of their names
preset=release
case ${1:-} in
release | sanitize) preset=$1; shift ;;
quick)
    scripts/setup.sh
    exec tests/quick.sh
    ;;
esac

scripts/setup.sh
tests/quick.sh
once=()    # what the first two tiers have passed
if [[ $preset == release ]]; then
    tests/sanitized.sh
    once=(--exclude-regex "^(links|layers|$(tests/sanitized.sh names | paste -sd'|'))$")
fi
scripts/build.sh "$preset"
log=build/$preset/ctest.log
status=0
ctest --preset "$preset" --parallel "$(($(nproc) + 1))" "${once[@]}" "$@" 2>&1 | tee "$log" || status=$?
summary=$(grep -E '^[0-9]+% tests passed' "$log" || true)
echo "${summary:-no tests were run}"
exit "$status"

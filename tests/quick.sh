#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks what about a minute without Verilator allows: the form of all C, the rooms, the links of the documents, and the
# C units under AddressSanitizer and UndefinedBehaviorSanitizer. Unit tests whose searches take minutes are left out,
# see tests/CMakeLists.txt.
#
#   tests/quick.sh        a line for each thing that was looked at, then how many passed and failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
counts=$(mktemp)
export counts
trap 'rm -f "$counts"' EXIT

look() { # WHAT COMMAND...
    local what=$1 from=$SECONDS log; shift
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then
        echo "ok   $what ($((SECONDS - from)) s)" | tee -a "$counts"
    else
        cat "$log"
        echo "FAIL $what" | tee -a "$counts"
    fi
    rm -f "$log"
}

formatted() {
    git ls-files '*.[ch]' '*.cc' | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror
}
units() {
    cmake --preset units && cmake --build --preset units
}

look 'C is formatted' formatted
look 'rooms' tests/source/layers.sh &
look 'links of documents' tests/source/links.sh &
look 'C units are built with sanitizers' units
wait
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
export -f look
printf '%s\n' build/units/tests/*_test | xargs -P "$(nproc)" -I{} bash -c 'look "$(basename {})" {}'
passed=$(grep -c ^ok "$counts")
failed=$(grep -c ^FAIL "$counts")
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What can be known of a tree in about a minute, without Verilator: the form of all C, the rooms, the
# links of the documents, and the C units under AddressSanitizer and UndefinedBehaviorSanitizer.  Those
# whose searches take minutes are left to the whole of the tests.
#
#   tests/quick.sh        a line for each thing that was looked at, then how many passed and failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

look() { # WHAT COMMAND...
    local what=$1 from=$SECONDS; shift
    if "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $what ($((SECONDS - from)) s)"
    else
        failed=$((failed + 1))
        cat "$log"
        echo "FAIL $what"
    fi
}

formatted() {
    git ls-files '*.[ch]' '*.cc' | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror
}
units() {
    cmake --preset units && cmake --build --preset units
}

look 'C is formatted' formatted
look 'rooms' tests/source/layers.sh
look 'links of documents' tests/source/links.sh
look 'C units are built with sanitizers' units
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
for test in build/units/tests/*_test; do
    case $(basename "$test") in
    completion_test | composition_test | deadlock_test) continue ;;
    esac
    look "$(basename "$test")" "$test"
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

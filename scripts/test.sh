#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs every test:  scripts/test.sh [release|sanitize] [options of ctest]
# The last line of output is ctest's count of passed and failed tests.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
if [[ ${1:-} == release || ${1:-} == sanitize ]]; then preset=$1; shift; fi

scripts/build.sh "$preset"
log=build/$preset/ctest.log
status=0
ctest --preset "$preset" --parallel "$(nproc)" "$@" 2>&1 | tee "$log" || status=$?
summary=$(grep -E '^[0-9]+% tests passed' "$log" || true)
echo "${summary:-no tests were run}"
exit "$status"

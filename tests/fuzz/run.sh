#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds what fuzzes the readers of files and texts (fuzz_readers.c), and runs it, each reader for so long:
#
#   tests/fuzz/run.sh SECONDS [READER...]
#
# A line for each (all.sh).  What ends a reader is left in build/fuzz/found/ and repeated by
# build/units/tests/fuzz_READER FILE.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p build
(cmake --preset units && cmake --build --preset units --target fuzzers) >build/fuzz.log 2>&1 ||
    { tail -n 20 build/fuzz.log >&2; exit 1; }
tests/fuzz/all.sh build/units/tests build/fuzz "$@"

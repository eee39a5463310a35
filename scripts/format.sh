#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Formats all C and C++ in place; tests/source/lint.sh checks the same files.
set -euo pipefail
cd "$(dirname "$0")/.."
find cmodel bridge sim-top workloads tests -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' |
    sort | xargs -r clang-format -i

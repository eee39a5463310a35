#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The Python module: its unit tests against the program, and the notebook, which must draw a curve
# for each endpoint.  Python's standard library alone (-S: no other package is found).
. "$(dirname "$0")/../begin.sh"
set -e
export ACESIM=$acesim PYTHONDONTWRITEBYTECODE=1

python3 -S tests/program/command/python_module_test.py

python3 -S scripts/python/sizes.py "$work" >"$work/said" || { cat "$work/said"; exit 1; }
for endpoint in ideal ace comm-opt; do
    grep -q "^$endpoint .* GB/s at most" "$work/said" || { echo "FAIL notebook: no line of $endpoint"; exit 1; }
    grep -q "<title>$endpoint</title>" "$work/sizes.svg" || { echo "FAIL picture: no curve of $endpoint"; exit 1; }
done
echo "python: module and notebook as they should be"

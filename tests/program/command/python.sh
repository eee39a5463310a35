#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The Python module: its unit tests against the program, and the notebooks: one draws a curve
# for each endpoint, one asks for strategies and compares a calibration with the engine.  Python's standard library alone (-S: no other package is found).
. "$(dirname "$0")/../begin.sh"
set -e
export ACESIM=$acesim PYTHONDONTWRITEBYTECODE=1

python3 -S tests/program/command/python_module_test.py

python3 -S scripts/python/sizes.py "$work" >"$work/said" || { cat "$work/said"; exit 1; }
for endpoint in ideal ace comm-opt; do
    grep -q "^$endpoint .* GB/s at most" "$work/said" || { echo "FAIL notebook: no line of $endpoint"; exit 1; }
    grep -q "<title>$endpoint</title>" "$work/sizes.svg" || { echo "FAIL picture: no curve of $endpoint"; exit 1; }
done
python3 -S scripts/python/strategies.py "$work/strategies" >"$work/said" || { cat "$work/said"; exit 1; }
for words in '^bound by ' '^all-reduce: exact [0-9]+ cycles' '^all-to-all: exact [0-9]+ cycles'; do
    grep -qE "$words" "$work/said" || { echo "FAIL notebook of strategies: no line $words"; exit 1; }
done
[ -s "$work/strategies/best.html" ] || { echo "FAIL notebook of strategies: no page"; exit 1; }
# each calibrated time is as near as it says
awk -F'off by | %, expected at most | %$' '/exact/ { if ($2 < 0) $2 = -$2; if ($2 > $3) exit 1 }' "$work/said" ||
    { echo "FAIL notebook of strategies: further off than expected"; cat "$work/said"; exit 1; }
echo "python: module and notebooks as they should be"

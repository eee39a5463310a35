#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/reference/result-json.md has each member that a result has, and counters.md each unit and counter
# that is counted; members are those of runs that between them have all.
set -uo pipefail
cd "$(dirname "$0")/../.."
acesim=${ACESIM:-build/release/acesim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 members=0

"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --samples 16 --control registers \
    --format json >"$work/1" 2>"$work/err" &&
    "$acesim" collective all-reduce --topology 'Ring(2)_Switch(4)' --size 64KiB --faults link:1e-3:7 \
        --algorithm ring,direct --speed 0.5:1 --format json >"$work/2" 2>>"$work/err" &&
    "$acesim" collective broadcast --topology 2x2x1 --size 64KiB --payload random --check --format json \
        >"$work/3" 2>>"$work/err" &&
    "$acesim" collective all-reduce --topology 2x2x2x2 --size 64KiB --endpoint comm-opt --format json \
        >"$work/4" 2>>"$work/err" &&
    "$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/models/dlrm.yaml --iterations 1 --type fp16 \
        --format json >"$work/5" 2>>"$work/err" || { cat "$work/err"; exit 1; }

# A member of the object stands behind one tab.
for name in $(sed -nE 's/^\t"([A-Za-z0-9_]+)":.*/\1/p' "$work"/? | sort -u); do
    members=$((members + 1))
    grep -q "\`$name\`" docs/reference/result-json.md && continue
    echo "docs/reference/result-json.md: found no line for the member $name"
    failed=$((failed + 1))
done

# Of the counters, the unit in front of its class, and those that are no classes.
for name in $(sed -nE '/^\t"statistics":/,/^\t\}/s/^\t\t"([^"]+)":.*/\1/p' "$work"/[1-5] | sort -u); do
    members=$((members + 1))
    unit=$(sed -E 's/\.(busy|starved|blocked|idle)$//; s/^link\.[xyzw][+-]/link/' <<<"$name")
    grep -qF -e "\`$unit\`" -e "\`$unit." -e "\`.${unit##*.}\`" -e "\`link.*.${unit##*.}\`" docs/reference/counters.md && continue
    echo "docs/reference/counters.md: found no line for $name"
    failed=$((failed + 1))
done

echo "$members members and counters, $failed not described"
[[ $failed -eq 0 && $members -gt 60 ]]

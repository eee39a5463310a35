#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All nodes RTL, all twins, or mixed, with 1, 2 and 3 threads, must give the same cycle count, statistics and values
# (each run compares values with the reference). The bytes of output must be the same except for the lines with each
# node's rung.
. "$(dirname "$0")/../begin.sh"

compare() { # NAME, then the collective's arguments
    local name=$1 first='' rung threads
    shift
    for rung in cycle rtl 'rtl:0,5;cycle:rest'; do
        for threads in 1 ${LONG:+2} 3; do
            local out="$work/out.json" plain="$work/plain"
            if ! "$acesim" collective "$@" --payload random --check --seed 3 --rung "$rung" \
                --threads $threads --format json >"$out" 2>"$work/err"; then
                echo "FAIL $name, rung $rung, $threads threads:"
                tail -3 "$work/err"
                failed=$((failed + 1))
                continue
            fi
            grep -v -e '"rung"' -e node_rungs -e config_digest -e '"command"' "$out" >"$plain"
            [ -n "$first" ] || { first="$work/first"; cp "$plain" "$first"; }
            if cmp -s "$first" "$plain"; then
                passed=$((passed + 1))
            else
                echo "FAIL $name, rung $rung, $threads threads differs:"
                diff "$first" "$plain" | head -5
                failed=$((failed + 1))
            fi
        done
    done
}

compare 'all-reduce 4x2x2' all-reduce --topology 4x2x2 --size 96KiB --type fp32
compare 'reduce-scatter 3x2x1' reduce-scatter --topology 3x2x1 --size 40000 --type bf16 --dims y,x
compare 'all-gather 2x3x2' all-gather --topology 2x3x2 --size 50000 --type fp16
compare 'all-reduce 4x2, one interface' all-reduce --topology 4x2 --size 64KiB --link-bandwidth 25 --shared-links xy
compare 'all-to-all 3x2x2' all-to-all --topology 3x2x2 --size 100001

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

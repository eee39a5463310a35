#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --schedule balanced: parts of an all-reduce, each with its own first dimension.
. "$(dirname "$0")/../begin.sh"

json() { # NAME arguments: a result
    local name=$1
    shift
    "$acesim" collective "$@" --quiet --format json >"$work/$name" 2>"$work/err"
    verdict $? "$*: $(tail -n 1 "$work/err")"
}
facts() { # TEXT NAME PYTHON: what holds of a result r
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$work/$2" "$3"
    verdict $? "$1"
}
# On a square of equal links, half of the parts begin on each dimension. A dimension carries 2 (n-1)/n of the vector for
# the parts that begin there, and 1/n of that for the others.
square=(--topology 8x8 --link-bandwidth 50GB/s --link-latency 90 --memory-bandwidth 300GB/s --size 16MiB)
json even all-reduce "${square[@]}" --schedule balanced --endpoint ideal
facts 'bytes of both dimensions' even \
    'r["bytes_per_dimension"]["x"] == r["bytes_per_dimension"]["y"] == 2 * 7 * 2**24 // 8 * (8 + 1) // 16'
json base all-reduce "${square[@]}" --endpoint ideal
facts 'bytes of the baseline' base \
    'r["bytes_per_dimension"] == {"x": 2 * 7 * 2**24 // 8, "y": 2 * 7 * 2**24 // 64, "z": 0}'
facts 'both links are full' even 'r["fraction_of_ideal"] > 0.93'
# On links alone, as far as any shares of the orders reach, with equal dimensions and others; a linear program of the test's own.
while read -r npus topology rates; do
    given=$(sed 's/,/GB\/s,/g; s/$/GB\/s/' <<<"$rates")
    links=(--topology "$topology" --link-bandwidth "$given" --link-latency 90 --size 16MiB --endpoint ideal)
    json first all-reduce "${links[@]}"
    json best all-reduce "${links[@]}" --schedule balanced
    read -r least whole themis scf < <(python3 tests/program/foreign/themis.py "$npus" "$rates" | awk '{ v[NR] = $NF } END { print v[1], v[2], v[4], v[5] }')
    python3 - "$work/first" "$work/best" "$least" <<'END'
import json, sys
first, best = (json.load(open(f))["cycles"] for f in sys.argv[1:3])
ratio, least = best / first, float(sys.argv[3])
sys.exit(0 if least * 0.9995 <= ratio <= least * 1.005 else f"{ratio} of the baseline, {least} at best")
END
    verdict $? "balanced on $topology of $rates; Themis $themis, with SCF $scf, without end $whole"
done <<END2
4,4,4 4x4x4 50,50,50
4,4 4x4 50,50
8,4,2 8x4x2 100,50,50
3,5,4 3x5x4 25,100,50
6,6,6 6x6x6 50,20,40
END2
# Where the second dimension is as slow as it has less to carry, all is even as it is: no part begins on it.
json slow all-reduce "${square[@]}" --schedule balanced --endpoint ideal --link-bandwidth 100GB/s,12.5GB/s,25GB/s
facts 'nothing to even' slow 'r["bytes_per_dimension"]["x"] == 2 * 7 * 2**24 // 8'
json bits all-reduce --topology 4x2x2 --size 2MiB --schedule balanced --payload random --check
facts 'a wrong sum' bits 'r["checks"] == {"bytes": "passed", "payload": "passed"}'
# Chunks are numbered on from part to part: after an odd number of them rings go the other way around.
# They go first in first out, where nothing else is asked for.
for case in '4x2 20480 4096' 'Switch(4)_Switch(2) 12289 5000' 'Switch(3)_Switch(2) 13551 5000'; do
    read -r topology size chunk <<<"$case"
    json odd all-reduce --topology "$topology" --size "$size" --chunk "$chunk" --schedule balanced --type fp32 --payload random --check
    facts "a wrong sum of odd parts on $topology" odd 'r["checks"] == {"bytes": "passed", "payload": "passed"}'
done
json rtl all-reduce --topology 4x2 --size 300000 --schedule balanced --rung rtl
json twin all-reduce --topology 4x2 --size 300000 --schedule balanced
[ "$(grep '"cycles":' "$work/rtl" | head -1)" = "$(grep '"cycles":' "$work/twin" | head -1)" ]
verdict $? 'RTL takes other cycles'
json small all-reduce --topology 4x2 --size 64KiB --schedule balanced
json plain all-reduce --topology 4x2 --size 64KiB --algorithm ring
[ "$(grep '"cycles":' "$work/small" | head -1)" = "$(grep '"cycles":' "$work/plain" | head -1)" ]
verdict $? 'one chunk has one part'
json saved all-reduce --topology 4x2x2 --size 2MiB --schedule balanced --fold off --checkpoint "$work/state" --checkpoint-every 9000
json resumed all-reduce --topology 4x2x2 --size 2MiB --schedule balanced --fold off --resume "$work/state"
cmp -s "$work/saved" "$work/resumed"
verdict $? 'a checkpoint changes the result'
"$acesim" collective all-gather --topology 4x2 --schedule balanced >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -qF -- '--schedule: found it with all-gather, expected all-reduce' "$work/err"
verdict $? "an all-gather: $(head -n 1 "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every endpoint on one grid: none beats the ideal one, all send the closed form's bytes. And
# what a baseline reaches: the links' rate or what memory and SMs allow, whichever is less.
. "$(dirname "$0")/../begin.sh"

result() { "$acesim" collective "$@" --format json 2>/dev/null; } # exit status 1: bytes differ
unworded() { grep -v '"command"' <<<"$1"; } # a result but for the words that asked for it
number() { grep -m1 "\"$2\":" <<<"$1" | tr -dc '0-9.\n'; }

for kind in all-reduce reduce-scatter all-gather all-to-all; do
    for topology in 4x2x2 3x1x4 2x5x3 1x1x8; do
        for size in 1 100001 3MiB; do
            best=$(number "$(result $kind --topology $topology --size $size --endpoint ideal)" cycles)
            for endpoint in ace comm-opt 'comp-opt --lazy-last-reduction off' no-overlap; do
                what="$kind $topology $size $endpoint"
                # shellcheck disable=SC2086 # an endpoint and its options
                json=$(result $kind --topology $topology --size $size --endpoint $endpoint)
                verdict $? "$what"
                cycles=$(number "$json" cycles)
                [ "${cycles:-0}" -ge "$best" ]
                verdict $? "$what: ${cycles:-no} cycles, ideal $best"
            done
        done
    done
done

# TOPOLOGY MEMORY SMS IDEAL: GB/s, count, GB/s of 64 MiB. 1.5 reads a byte sent; an SM reads 64
# bytes in a cycle of 1245 MHz; links reach 94 % of ideal.
reaches() {
    local json
    json=$(result all-reduce --topology "$1" --size 64MiB --endpoint comm-opt \
        --memory-bandwidth "$2GB/s" --sms "$3")
    last=$now
    now=$(number "$json" network_bandwidth_GBps)
    awk -v now="$now" -v memory="$2" -v sms="$3" -v ideal="$4" 'BEGIN {
        bound = 0.94 * ideal
        if (memory / 1.5 < bound) bound = memory / 1.5
        if (sms * 64 * 1.245 / 1.5 < bound) bound = sms * 64 * 1.245 / 1.5
        exit !(now <= bound && now > 0.97 * bound) }'
    verdict $? "$1 with $2 GB/s and $3 SMs reaches $now GB/s"
    awk -v now="$now" -v last="$last" 'BEGIN { exit !(now > 0.999 * last) }'
    verdict $? "$1 with $2 GB/s and $3 SMs is slower than with less: $now GB/s, $last"
}
for torus in '4x2x2 400' '4x4x4 300'; do
    read -r topology ideal <<<"$torus"
    now=0
    for memory in 32 128 300 400 450 550 900; do reaches "$topology" $memory 80 "$ideal"; done
    now=0
    for sms in 1 2 4 6 8; do reaches "$topology" 2000 $sms "$ideal"; done
done

# Its own share of memory and SMs, unless something else is asked for.
for share in 'comm-opt 450 6' 'comp-opt 128 2' 'no-overlap 900 80'; do
    read -r endpoint memory sms <<<"$share"
    own=$(result all-reduce --topology 4x2x2 --size 1MiB --endpoint "$endpoint")
    asked=$(result all-reduce --topology 4x2x2 --size 1MiB --endpoint "$endpoint" \
        --memory-bandwidth "$memory" --sms "$sms")
    [ -n "$own" ] && [ "$(unworded "$own")" = "$(unworded "$asked")" ]
    verdict $? "$endpoint has not $memory GB/s and $sms SMs"
done

# The same parameters in a cluster file.
printf 'topology: 4x2x2\nendpoint: comm-opt\nmemory: {bandwidth: 200 GB/s}\n' >"$work/given.yaml"
printf 'baseline: {sms: 3, lazy_last_reduction: off}\n' >>"$work/given.yaml"
printf 'topology: 4x2x2\nendpoint: comm-opt\n' >"$work/asked.yaml"
printf 'DATA\n1\nl1 -1 20 NONE 0 400 NONE 0 300 ALLREDUCE 300000 100\n' >"$work/layer.txt"
run() { "$acesim" run "$work/$1.yaml" "$work/layer.txt" --format json "${@:2}" 2>/dev/null; }
given=$(run given)
asked=$(run asked --memory-bandwidth 200 --sms 3 --lazy-last-reduction off)
[ -n "$given" ] && [ "$(unworded "$given")" = "$(unworded "$asked")" ]
verdict $? 'a cluster file and options differ'
[ "$given" != "$(run asked --memory-bandwidth 200 --sms 3)" ]
verdict $? 'lazy_last_reduction makes no difference'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# credits.sh [ACESIM] -- how much a link has under way.  Input buffers follow from the longest round trip, so a long
# link sends all the time.  With smaller buffers a link sends as many packets a round trip as they hold, and explain
# names credits.  A retry that keeps frames until they are acknowledged takes no cycle of its own.
. "$(dirname "$0")/../workload/chakra/traces.sh"

json() { "$acesim" collective "$@" --quiet --format json 2>"$work/err"; }
key() { sed -nE "s/^\t*\"$1\":\t([0-9.]+),?$/\1/p" | head -n 1; }
cycles() { json "$@" | key cycles; }
within() { # FOUND LEAST MOST TEXT: numbers with a fraction
    awk -v v="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(v != "" && v >= least && v <= most) }'
    verdict $? "$4: found '$1', expected $2 to $3: $(head -n 2 "$work/err")"
}

# ---- a long link is full: of all that it can send, more than 93 % --------------------------------------------
far=(--link-bandwidth 50GB/s --link-latency 623 --link-efficiency 1) # 500 ns at 1245 MHz
for run in 'all-reduce 8 1GiB' 'all-gather 8 256MiB' 'reduce-scatter 8 256MiB' 'all-to-all 8 64MiB' \
    'all-to-all Switch(8) 64MiB' 'all-reduce 4x4x4 256MiB'; do
    read -r kind topology size <<<"$run"
    within "$(json "$kind" --topology "$topology" --size "$size" "${far[@]}" | key fraction_of_ideal)" 0.93 1 \
        "$run: part of the links"
done
within "$(json all-reduce --topology 8 --size 256MiB "${far[@]}" --endpoint comm-opt | key fraction_of_ideal)" 0.93 1 \
    'in software'
# ASTRA-sim's own example of a ring: 50 GiB/s and 500 ns, as traces
network Ring 8
everyone 8 "$(collective 1 '' 0 $((1 << 30)))"
astra
verdict $? "ASTRA-sim's ring: $(head -n 2 "$work/err")"
ideal=$(((1 << 30) * 7 / 8 * 1000 / 53687)) # ns: each link has 7/8 of the size, at 53.687 bytes a ns
within "$(finished 0)" $ideal $((ideal * 100 / 93)) "ASTRA-sim's ring, ns"

# ---- what the buffers are: the round trip as a power of two, and no less than before -------------------------
rows() { json "$@" | key "${rows_of:-link_input_rows}"; }
same "$(rows all-reduce --topology 8 --size 64KiB "${far[@]}")" 256 'a round trip of 199 packets'
same "$(rows_of=router_input_rows rows all-reduce --topology 8 --size 64KiB "${far[@]}")" 256 "the other buffer"
same "$(rows all-reduce --topology 4x4x4 --size 64KiB)" 128 'the torus of the paper'
same "$(rows all-reduce --topology 1x8 --size 64KiB --link-bandwidth 300GB/s --link-latency 90,500)" 1024 'of the dimensions that have links'
same "$(rows all-reduce --topology 8 --size 64KiB "${far[@]}" --link-latency 1000000)" 2048 'half of what two buffers may have'
same "$(rows all-reduce --topology 8 --size 64KiB "${far[@]}" --router-rows 3900)" 196 'what the other buffer leaves'
printf 'npus: 4\nlatency: 5000\nbandwidth: 50 GB/s\nlinks: [0-1, 1-2, 2-3, 3-0]\n' >"$work/ring.yaml"
same "$(rows all-reduce --topology 'Links(4)' --links "$work/ring.yaml" --size 64KiB --link-bandwidth 50GB/s)" 1024 \
    'of links whose latency a file has'
for run in 'all-reduce 4x4x4 4MiB' 'all-to-all 4x2x2 1MiB'; do
    read -r kind topology size <<<"$run"
    same "$(cycles "$kind" --topology "$topology" --size "$size")" \
        "$(cycles "$kind" --topology "$topology" --size "$size" --link-rows 128 --router-rows 128)" "$run is as it was"
done

# ---- smaller buffers: N packets of 256 bytes a round trip, of 2 * 623 cycles and 15 in both nodes ------------
last=0
for n in 32 64 96 128 160; do
    rate=$(awk -v n=$n 'BEGIN { print n * 6.37440 / (2 * 623 + 15) }') # of a packet every 256 / 50 ns
    for run in 'all-reduce 8 --link-rows' 'all-to-all Switch(8) --router-rows' 'all-to-all 8 --router-rows'; do
        read -r kind topology option <<<"$run"
        within "$(json "$kind" --topology "$topology" --size 64MiB "${far[@]}" "$option" $n | key fraction_of_ideal)" \
            "$(awk -v r="$rate" 'BEGIN { print 0.97 * r }')" "$(awk -v r="$rate" 'BEGIN { print 1.01 * r }')" "$run $n"
    done
done
# more are never slower
for run in 'all-reduce 8' 'all-to-all 8' 'all-reduce 4x2x2' 'all-reduce Switch(8)'; do
    read -r kind topology <<<"$run"
    last=
    for n in 16 48 128 200 256 700 2048; do
        now=$(cycles "$kind" --topology "$topology" --size 4MiB "${far[@]}" --link-rows $n --router-rows $n)
        [ -n "$now" ] && [ "$now" -le $((${last:-$now} * 101 / 100)) ]
        verdict $? "$run: $n packets take '$now' cycles, fewer took '$last'"
        last=$now
    done
done

# ---- who is short of credits is said so, and more are tried --------------------------------------------------
for run in 'all-reduce 8 --link-rows' 'all-to-all 8 --router-rows' 'all-to-all Switch(4) --router-rows'; do
    read -r kind topology option <<<"$run"
    at=("$kind" --topology "$topology" --size 16MiB --link-bandwidth 50GB/s --link-latency 623)
    json "${at[@]}" "$option" 128 >"$work/run.json"
    "$acesim" explain "$work/run.json" >"$work/out" 2>"$work/err"
    grep -q '^bound by credits on the links of x: links wait in .* an input buffer holds 128 packets of 256 bytes, a round trip 191$' \
        "$work/out"
    verdict $? "$run 128: $(grep '^bound by' "$work/out") $(head -n 2 "$work/err")"
    grep -q "^  $option=256 " "$work/out" && grep -q '^confirmed: [23]' "$work/out"
    verdict $? "$run 128: $(tail -n 4 "$work/out")"
    "$acesim" collective "${at[@]}" "$option" 128 --quiet >"$work/out" 2>"$work/err"
    grep -q '^bound by   credits on the links of x, which wait' "$work/out" && grep -q "^to try     $option=256" "$work/out"
    verdict $? "$run 128: the answer has $(grep '^bound by' "$work/out")"
    # of the cycles of a link, those in which it waits for a credit: what it does not send
    waits=$("$acesim" explain "$work/run.json" 2>/dev/null | sed -nE 's/^links of x +([0-9.]+) %   waiting for credits ([0-9.]+) %/\1 \2/p')
    within "${waits#* }" 30 34 "$run 128: waiting for credits"
done
json all-reduce --topology 8 --size 16MiB --link-bandwidth 50GB/s --link-latency 623 >"$work/run.json"
"$acesim" explain "$work/run.json" >"$work/out" 2>"$work/err"
grep -q '^bound by links of x: in use in 9' "$work/out" && ! grep -q credits "$work/out"
verdict $? "with enough: $(grep '^bound by' "$work/out")"

# ---- frames that are kept until they are acknowledged --------------------------------------------------------
for run in 'all-gather 4 256KiB 25GB/s 4001' 'all-gather 4 256KiB 25GB/s 1000' 'all-reduce 4 1MiB 50GB/s 623' \
    'all-to-all 4 1MiB 50GB/s 2000' 'all-to-all 4x2 1MiB 25GB/s 4001' 'all-reduce Switch(4) 1MiB 50GB/s 2000' \
    'all-reduce 4 4MiB 200GB/s 90' 'broadcast 4 256KiB 50GB/s 3000'; do
    read -r kind topology size bandwidth latency <<<"$run"
    at=("$kind" --topology "$topology" --size "$size" --link-bandwidth "$bandwidth" --link-latency "$latency")
    same "$(cycles "${at[@]}" --faults link:0)" "$(cycles "${at[@]}")" "$run: with frames kept"
done

# ---- what is refused -----------------------------------------------------------------------------------------
sorry() { # TEXT ARGUMENTS...
    local text=$1
    shift
    "$acesim" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/err"
    verdict $? "$*: expected status 2 and '$text', found $(head -n 2 "$work/err")"
}
sorry 'of together at most 4096' collective all-reduce --topology 8 --link-rows 4000 --router-rows 97
sorry 'expected packets' collective all-reduce --topology 8 --link-rows 0

# RTL has its buffers built in: what is there runs the same cycles as its twin, and another is built.
sorry 'link_input_rows=256 router_input_rows=256' collective all-reduce "${far[@]}" --topology 8 --rung rtl
if "$acesim" collective all-reduce --topology 2 --size 4KiB --rung rtl >/dev/null 2>&1; then
    sorry '--link-rows 128 --router-rows 128' collective all-reduce "${far[@]}" --topology 8 --rung rtl
    for kind in all-reduce all-to-all; do
        at=("$kind" --topology 4 --size 256KiB --link-bandwidth 50GB/s --link-latency 623 --link-rows 128 --router-rows 128)
        same "$(cycles "${at[@]}" --rung 'rtl:0;cycle:rest')" "$(cycles "${at[@]}")" "$kind in RTL"
    done
fi

echo "$passed passed, $failed failed"
exit $((failed > 0))

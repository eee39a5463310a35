#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# switches.sh [ACESIM] -- tests switches with finite buffers and a bandwidth of their own. Traffic must take the bytes
# over the bandwidth, and a full buffer must hold up what is queued. All ways to run must agree.
. "$(dirname "$0")/../workload/chakra/traces.sh"

cycles() { "$acesim" collective "$@" --quiet --format json 2>"$work/err" | sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p'; }
within() { # FOUND LEAST MOST TEXT
    [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
    verdict $? "$4: found '$1', expected $2 to $3: $(head -n 2 "$work/err")"
}

# ---- a bandwidth of its own: bytes through it over the bandwidth, and some microseconds to begin and end -----
at=(--topology 'Switch(4)' --size 1MiB --clock 1GHz)
for kind in all-to-all reduce-scatter all-gather all-reduce; do
    bytes=$((3 * 1048576)) # (n - 1) / n of the size, from each of n
    [ $kind = all-reduce ] && bytes=$((2 * bytes))
    # 102.4 B a cycle: a row in 2.5 cycles
    expected=$((bytes * 10 / 1024))
    within "$(cycles $kind "${at[@]}" --switch-bandwidth 102.4GB/s)" $expected $((expected * 105 / 100 + 3000)) \
        "$kind through 102.4 GB/s"
    same "$(cycles $kind "${at[@]}" --switch-bandwidth 100TB/s)" "$(cycles $kind "${at[@]}")" "$kind through more than all links"
done

# ---- the same whoever runs it ----------------------------------------------------------------------------
at=(all-reduce --topology 'Switch(4)_Ring(2)' --size 256KiB --switch-buffer 2)
first=$(cycles "${at[@]}")
same "$(cycles "${at[@]}" --fold off)" "$first" 'unfolded'
same "$(cycles "${at[@]}" --fold off --threads 2)" "$first" 'on two threads'
same "$(cycles "${at[@]}" --fast-forward off)" "$first" 'step by step'
same "$(cycles "${at[@]}" --rung 'rtl:1;cycle:rest')" "$first" 'with RTL'
# A single slot before links slower than the memories costs cycles. The members still behave alike and fold. Inputs take
# turns for the bandwidth of a switch, so members of a switch with one do not.
slow=(all-to-all --topology 'Switch(8)' --size 1MiB --link-bandwidth 25GB/s)
one=$(cycles "${slow[@]}" --switch-buffer 1)
within "$one" $(($(cycles "${slow[@]}") + 1)) 1000000 'a single slot costs cycles'
same "$(cycles "${slow[@]}" --switch-buffer 1 --fold off)" "$one" 'a single slot, unfolded'
simulated() { "$acesim" collective "$@" --quiet --format json | sed -nE 's/^\t"nodes_simulated":\t([0-9]+),/\1/p'; }
same "$(simulated "${slow[@]}" --switch-buffer 1)" 1 'nodes simulated with a buffer'
same "$(simulated "${slow[@]}" --switch-bandwidth 60GB/s)" 8 'nodes simulated with a bandwidth'
at+=(--switch-bandwidth 60GB/s)
first=$(cycles "${at[@]}")
"$acesim" collective "${at[@]}" --quiet --checkpoint "$work/state" --checkpoint-every 5000 >"$work/out" 2>"$work/err"
same "$(cycles "${at[@]}" --resume "$work/state")" "$first" 'resumed'
same "$(cycles "${at[@]}" --threads 2)" "$first" 'a bandwidth of its own on two threads'
for endpoint in ace comm-opt; do
    "$acesim" collective all-to-all --topology 'Switch(4)_Switch(3)' --size 200KiB --switch-buffer 1 --endpoint $endpoint \
        --quiet >"$work/out" 2>"$work/err"
    verdict $? "$endpoint: all-to-all over two switches with a place each: $(head -n 2 "$work/err")"
done
for program in direct halving-doubling ring; do
    "$acesim" collective all-reduce --topology 'Switch(4)' --algorithm $program --size 100000 --switch-buffer 1 \
        --payload random --check --quiet >"$work/out" 2>"$work/err"
    verdict $? "$program with a place for each link, bit for bit: $(head -n 2 "$work/err")"
done

# A checkpoint of rows that wait in a switch holds nothing of what memory held before.
for fill in 85 170; do
    MALLOC_PERTURB_=$fill "$acesim" collective all-to-all --topology 'Switch(4)' --size 1MiB --fold off --quiet \
        --checkpoint "$work/state.$fill" --checkpoint-every 7000 >"$work/out" 2>"$work/err"
done
cmp -s "$work/state.85" "$work/state.170"
verdict $? 'two checkpoints of one run are the same bytes'

# ---- what is behind a full buffer waits --------------------------------------------------------------------
# NPUs 2, 3 and 4 each send N bytes to NPU 1, whose link takes them one after the other. All are one to three hops up,
# so they come by one of its two ports. NPU 4 then sends as much to NPU 2. With enough room in the switch this arrives
# after twice a message's time. With a few rows, NPU 4's link gets one row in three of NPU 1's until the others are
# done, so it takes three message times and one more.
network Switch 8
sed -i s/500.0/100.0/ "$work/net.yml" # so that credits are back in time
bytes=1048576
for i in 0 5 6 7; do trace t.$i.et; done
trace t.1.et "$(for i in 2 3 4; do receive $i '' $i 7 $bytes; done)"
trace t.2.et "$(send 0 '' 1 7 $bytes)" "$(receive 1 '' 4 8 $bytes)"
trace t.3.et "$(send 0 '' 1 7 $bytes)"
trace t.4.et "$(send 0 '' 1 7 $bytes)" "$(send 1 '' 2 8 $bytes)"
one=$((bytes * 100 / 5369)) # ns, at 50 * 1.073741824 B/ns
astra
free=$(finished 2)
astra --switch-buffer 8
verdict $? "incast: $(head -n 2 "$work/err")"
held=$(finished 2)
within "$(finished 1)" $((3 * one)) $((3 * one * 103 / 100 + 2000)) 'incast'
within "$free" $((2 * one)) $((2 * one * 103 / 100 + 2000)) 'behind an incast, room without end'
within "$held" $((4 * one * 95 / 100)) $((4 * one * 103 / 100 + 2000)) 'behind an incast, eight rows'

# ---- what is refused ---------------------------------------------------------------------------------------
refused() { # TEXT ARGUMENTS...
    local text=$1
    shift
    "$acesim" collective all-reduce "$@" >"$work/out" 2>"$work/err" </dev/null
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "$*: expected status 2 and '$text': $(head -n 2 "$work/err")"
}
refused 'expected a topology with Switch(N) beside it' --topology 4x2x2 --switch-buffer 8
refused 'expected a topology with Switch(N) beside it' --topology 'FullyConnected(4)' --switch-bandwidth 1GB/s
refused 'the ideal endpoint has no rows in a switch' --topology 'Switch(4)' --switch-buffer 8 --endpoint ideal
refused "found '0'" --topology 'Switch(4)' --switch-buffer 0
refused 'one in 4096 cycles at least' --topology 'Switch(4)' --switch-bandwidth 0.01GB/s

echo "switches: $passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Bits flip on links: the result must be right, or the run must end with an error. Both rungs must take the same cycles,
# and the nodes must have found what was flipped.
. "$(dirname "$0")/../begin.sh"
run() { # NAME RUNG FAULTS, then the collective's arguments: NAME.json
    local name=$1 rung=$2 faults=$3
    shift 3
    "$acesim" collective "$@" --payload random --check --fold off --rung "$rung" --faults "$faults" \
        --format json >"$work/$name.json" 2>"$work/$name.err"
}
value() { grep -o "\"$2\": *[^,}]*" "$work/$1.json" | head -1 | sed 's/.*: *//; s/"//g'; }
total() { # NAME COUNTER: over all links and nodes
    tr -d ' \t\n' <"$work/$1.json" | grep -o "\"$2\":\[[0-9,]*\]" | grep -o '[0-9]*' | paste -sd+ | sed 's/^$/0/' | bc
}
plain() { grep -v -e '"rung"' -e node_rungs -e config_digest -e '"command"' "$work/$1.json"; }

# by chance: both rungs alike, each change found once, nothing lost
small=(all-reduce --topology 3x2x1 --size 48KiB --link-latency 20,30,30)
routed=(all-to-all --topology 2x2x1 --size 60001 --link-latency 20,30,30)
for rate in 0.002 ${LONG:+0.01} 0.04; do
    run cycle cycle "link:$rate:7" "${small[@]}"
    verdict $? "all-reduce at $rate: $(tail -1 "$work/cycle.err")"
    run rtl 'rtl:0,4;cycle:rest' "link:$rate:7" "${small[@]}"
    verdict $? "all-reduce at $rate, RTL: $(tail -1 "$work/rtl.err")"
    cmp -s <(plain cycle) <(plain rtl)
    verdict $? "all-reduce at $rate: rungs differ"
    [ "$(total cycle changed)" -gt 0 ] && [ "$(total cycle changed)" -eq "$(total cycle bad)" ]
    verdict $? "all-reduce at $rate: $(total cycle changed) changed, $(total cycle bad) found"
    [ "$(total cycle resent)" -gt 0 ]
    verdict $? "all-reduce at $rate: nothing was sent again"
done
run cycle cycle link:0.02 "${routed[@]}" && run rtl rtl link:0.02 "${routed[@]}" &&
    cmp -s <(plain cycle) <(plain rtl) && [ "$(total cycle changed)" -eq "$(total cycle bad)" ]
verdict $? 'all-to-all at 0.02'

# hubs: their ports have guards as the nodes have; what a hub counts stands apart
hub() { grep -A 5 '"hub_faults"' "$work/$1.json" | grep -o "\"$2\":[^,}]*" | tr -dc 0-9; }
found_all() { # NAME
    [ "$(total "$1" changed)" -gt 0 ] && [ "$(hub "$1" changed)" -gt 0 ] && [ "$(hub "$1" resent)" -gt 0 ] &&
        [ $(($(total "$1" changed) + $(hub "$1" changed))) -eq $(($(total "$1" bad) + $(hub "$1" bad))) ]
}
while read -r rate arguments; do
    read -ra hubs <<<"$arguments --link-latency 20"
    run cycle cycle "link:$rate:7" "${hubs[@]}"
    verdict $? "hubs: $arguments at $rate: $(tail -1 "$work/cycle.err")"
    run rtl 'rtl:0,3;cycle:rest' "link:$rate:7" "${hubs[@]}"
    verdict $? "hubs: $arguments at $rate, RTL: $(tail -1 "$work/rtl.err")"
    cmp -s <(plain cycle) <(plain rtl)
    verdict $? "hubs: $arguments at $rate: rungs differ"
    found_all cycle
    verdict $? "hubs: $arguments at $rate: $(total cycle changed) and $(hub cycle changed) changed, $(total cycle bad) and $(hub cycle bad) found"
    "$acesim" collective "${hubs[@]}" --fold off --format json >"$work/none.json" 2>"$work/err"
    run off cycle link:0 "${hubs[@]}" && [ -n "$(value off cycles)" ] && [ "$(value off cycles)" = "$(value none cycles)" ]
    verdict $? "hubs: $arguments: retry costs cycles: $(value none cycles), with it $(value off cycles)"
done < <(grep . <<END
0.01 all-reduce --topology Ring(2)_Switch(4) --size 100001
0.02 all-to-all --topology FullyConnected(4) --size 60001
${LONG:+0.01 all-reduce --topology Switch(4) --size 48KiB
0.04 all-reduce --topology FullyConnected(4) --size 48KiB
0.02 all-to-all --topology Switch(4) --size 60001}
END
)
wired=(all-reduce --topology 'Switch(4)' --size 24KiB --link-latency 20)
for bit in 0 7 64 113 2223 ${LONG:+1 2 3 5 8 16 24 32 40 48 80 112 119 175 176}; do # 112 to 119: where it goes
    run cycle cycle "link:1.0@0=$bit,link:2.8@0=$bit" "${wired[@]}"
    verdict $? "hubs, bit $bit: $(tail -1 "$work/cycle.err")"
    [ "$(total cycle changed) $(hub cycle changed)" = "$(hub cycle bad) $(total cycle bad)" ] &&
        [ "$(total cycle changed)$(hub cycle changed)" = 11 ]
    verdict $? "hubs, bit $bit: changed $(total cycle changed) $(hub cycle changed), found $(hub cycle bad) $(total cycle bad)"
    run rtl 'rtl:1,2;cycle:rest' "link:1.0@0=$bit,link:2.8@0=$bit" "${wired[@]}" && cmp -s <(plain cycle) <(plain rtl)
    verdict $? "hubs, bit $bit: rungs differ"
done
"$acesim" collective "${wired[@]}" --payload random --check --faults link:0.02:7 --format json >"$work/straight.json"
"$acesim" collective "${wired[@]}" --payload random --check --faults link:0.02:7 --format json \
    --checkpoint "$work/hub_state" --checkpoint-every 700 >"$work/saved.json" &&
    "$acesim" collective "${wired[@]}" --payload random --check --faults link:0.02:7 --format json \
        --resume "$work/hub_state" >"$work/resumed.json" &&
    cmp -s "$work/straight.json" "$work/saved.json" && cmp -s "$work/straight.json" "$work/resumed.json"
verdict $? 'hubs: a checkpoint changes the result'
run dead cycle link:1 "${wired[@]}"
[ $? -eq 1 ] && grep -q 'a link has failed' "$work/dead.err"
verdict $? "dead links at a hub: $(tail -1 "$work/dead.err")"

# what else a run can be with: the same bytes of result as without
more=("${small[@]}" --payload random --check --fold off --faults link:0.02:7 --format json)
mixed=(--rung 'rtl:0,4;cycle:rest')
same() { # NAME arguments: as $work/more
    local name=$1
    shift
    "$acesim" collective "${more[@]}" "$@" >"$work/same.json" 2>"$work/err" && cmp -s "$work/more.json" "$work/same.json"
    verdict $? "$name: $(tail -1 "$work/err")"
}
for rung in cycle "${mixed[1]}"; do
    "$acesim" collective "${more[@]}" --rung "$rung" >"$work/more.json" 2>"$work/err"
    same "$rung, checkpoint" --rung "$rung" --checkpoint "$work/state" --checkpoint-every 1500
    same "$rung, resumed" --rung "$rung" --resume "$work/state"
    same "$rung, recorded" --rung "$rung" --record "$work/record.$rung"
done
cmp -s "$work/record.cycle/pins" "$work/record.${mixed[1]}/pins"
verdict $? 'pins recorded of twin and RTL differ'
"$acesim" collective all-reduce --topology 2x2x1 --size 4MiB --link-latency 20,30,30 --fold off \
    --faults link:0.001:7 --record "$work/long" >"$work/out" 2>"$work/err"
for window in "$work/record.cycle 900 1400" "$work/long 16390 16700"; do # from the first segment, the second
    read -r record from to <<<"$window"
    "$acesim" wave "$record" --from "$from" --to "$to" --output "$work/window.fst" >"$work/out" 2>"$work/err" &&
        grep -q 'pins: as recorded' "$work/out"
    verdict $? "wave $from: $(cat "$work/out" "$work/err" | tail -1)"
done
run cycle cycle link:0.02:7 "${small[@]}" --control registers
verdict $? "registers: $(tail -1 "$work/cycle.err")"
run rtl "${mixed[1]}" link:0.02:7 "${small[@]}" --control registers && cmp -s <(plain cycle) <(plain rtl) &&
    [ "$(total cycle changed)" -gt 0 ] && [ "$(total cycle changed)" -eq "$(total cycle bad)" ]
verdict $? "registers, RTL: $(tail -1 "$work/rtl.err")"

# without payload, and for any threads, the same cycles
for threads in 1 3; do
    "$acesim" collective "${small[@]}" --faults link:0.01:7 --threads $threads --format json \
        >"$work/timing$threads.json" 2>"$work/err"
done
run cycle cycle link:0.01:7 "${small[@]}"
[ "$(value timing1 cycles)" = "$(value cycle cycles)" ] &&
    [ "$(value timing3 cycles)" = "$(value cycle cycles)" ]
verdict $? 'the payload or the number of threads changes the cycles'

# with no fault the cycles are those without retry
"$acesim" collective all-reduce --topology 4x2x2 --size 1MiB --fold off --format json >"$work/off.json"
"$acesim" collective all-reduce --topology 4x2x2 --size 1MiB --faults link:0 --format json >"$work/on.json"
[ -n "$(value off cycles)" ] && [ "$(value off cycles)" = "$(value on cycles)" ]
verdict $? "retry costs cycles: $(value off cycles), with it $(value on cycles)"

# one bit of each part of a frame, once: it is found, and repaired
one=(all-reduce --topology 2x1x1 --size 24KiB --link-latency 20)
ways=(all-to-all --topology 2x1x1 --size 24KiB --link-latency 20)
for bit in 0 3 8 31 64 111 2223 ${LONG:+1 2 4 5 7 15 16 23 24 32 39 40 47 48 63 79 80 176}; do
    run one cycle "link:0.0@0=$bit,link:0.1@0=$bit" "${one[@]}"
    verdict $? "bit $bit: $(tail -1 "$work/one.err")"
    [ "$(total one changed)" -ge 1 ] && [ "$(total one changed)" -eq "$(total one bad)" ]
    verdict $? "bit $bit: $(total one changed) changed, $(total one bad) found"
done
for bit in ${LONG:+4 5} 112 175; do
    run one cycle "link:0.0@150=$bit" "${ways[@]}" && [ "$(total one bad)" -eq 1 ]
    verdict $? "routed, bit $bit"
done
for bit in 2 100 1000 ${LONG:+0 7 20 48 70}; do
    run cycle cycle "link:0.0@150=$bit" "${one[@]}" && run rtl rtl "link:0.0@150=$bit" "${one[@]}" &&
        cmp -s <(plain cycle) <(plain rtl)
    verdict $? "bit $bit: rungs differ"
done

# links that let nothing pass
run dead cycle link:1 "${one[@]}"
[ $? -eq 1 ] && grep -q 'a link has failed' "$work/dead.err"
verdict $? "dead links: $(tail -1 "$work/dead.err")"
# A sender is idle in the cycle in which its links fail. This was once not checked, and the run ended after ten million
# cycles.
for kind in scatter all-to-all ${LONG:+send-receive broadcast gather}; do
    for rung in cycle 'rtl:0;cycle:rest'; do
        "$acesim" collective $kind --topology 4 --size 16KiB --rung "$rung" --faults link:1:1 \
            >/dev/null 2>"$work/dead.err"
        [ $? -eq 1 ] && head -1 "$work/dead.err" | grep -q 'cycle [0-9]\{4\}: a link has failed'
        verdict $? "dead links, $kind, $rung: $(head -1 "$work/dead.err")"
    done
done

refused() { # EXPECTED, then arguments
    local expected=$1
    shift
    "$acesim" collective all-reduce "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q -e "$expected" "$work/err"
    verdict $? "$*: $(head -1 "$work/err")"
}
refused "found 'link', expected" --faults link
refused "found 'link:2', expected" --faults link:2
refused "found 'wire:0.1', expected" --faults wire:0.1
refused "found 'link:0.16@3=1', expected" --faults link:0.16@3=1
refused "found 'link:0.0@3=2224', expected" --faults link:0.0@3=2224
refused 'found node 64' --faults link:64.0@3=1
refused 'found link 4' --topology 4x4x1 --faults link:0.4@3=1
refused 'found link 8' --topology 4x4x1 --faults link:0.8@3=1
refused 'control pins' --control registers --faults scratchpad:0.1
refused 'ace' --endpoint ideal --faults link:0.1

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

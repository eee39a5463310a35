#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Skipping the periods of a long collective must give the same bytes of output as simulating every cycle, except for the
# line that reports the skipped cycles.
. "$(dirname "$0")/../begin.sh"

run() { # NAME arguments: the JSON into $work/NAME.json, but for that line into $work/NAME
    local name=$1
    shift
    "$acesim" "$@" --format json >"$work/$name.json" 2>"$work/err" ||
        { verdict 1 "$*: $(tail -1 "$work/err")"; return 1; }
    grep -v fast_forward "$work/$name.json" >"$work/$name"
}

says() { # PATTERN arguments: of the line, in the run before
    grep -q "\"fast_forward\":[[:space:]]*\"$1" "$work/auto.json"
    verdict $? "${*:2}: expected '$1', $(grep fast_forward "$work/auto.json")"
}

same() { # PATTERN arguments: the same result, and the line says this
    local pattern=$1
    shift
    run auto "$@" && run off "$@" --fast-forward off || return
    cmp -s "$work/auto" "$work/off"
    verdict $? "$*: $(diff "$work/auto" "$work/off" | head -4)"
    says "$pattern" "$@"
}

skips='[1-9][0-9]* cycles, in periods of [1-9]'
# On larger tori the order in which chunks follow each other takes some hundred MiB to settle.
same "$skips" collective all-reduce --topology 4x4x4 --size 256MiB
when_long same "$skips" collective all-reduce --topology 4x8x4 --size 256MiB
for topology in 2x2x2 1x4x1; do
    same "$skips" collective all-reduce --topology $topology --size 64MiB
done
same "$skips" collective reduce-scatter --topology 4x4x4 --size 134000003 --memory-bandwidth 100
same "$skips" collective all-gather --topology 4x8x4 --size 50000003 --order fifo
same "$skips" collective all-reduce --topology 4x4x4 --size 128MiB --memory-bandwidth 256GB/s
when_long same "$skips" collective all-reduce --topology 4x4x4 --size 96MiB --fsms 4 --dims z,x,y
same "$skips" collective all-reduce --topology 2x4x4 --size 48MiB --fsms 8 --contexts 2 \
    --memory-latency 1000
same "$skips" collective all-reduce --topology 3x3x3 --size 32MiB --chunk 40KiB --type bf16
# where no state comes back in time, every cycle is simulated
same 'none: no period' collective all-reduce --topology 8x8x8 --size 32MiB
same 'none: no period' collective all-reduce --topology 4x4x4 --size 1MiB
# collectives that overlap compute and one another
{
    printf 'DATA\n3\n'
    printf 'early -1 20000 NONE 0 30000 NONE 0 20000 ALLREDUCE 30000000 100\n'
    printf 'long -1 1500000 NONE 0 20000 NONE 0 20000 ALLREDUCE 200000000 100\n'
    printf 'late -1 20000 NONE 0 400000 NONE 0 20000 ALLREDUCE 200000000 100\n'
} >"$work/layers.txt"
for order in lifo ${LONG:+fifo}; do
    same "$skips" run workloads/clusters/torus-4x4x4.yaml "$work/layers.txt" --iterations 2 \
        --order $order
done
# several nodes return to one state: all nodes of a cluster, slow nodes among others, and nodes at hubs
same "$skips" collective all-reduce --topology 2x2x2 --size 16MiB --fold off
same "$skips" collective all-reduce --topology 4x1x1 --size 32MiB --speed 0.5:1 --threads 2
when_long same "$skips" collective reduce-scatter --topology 4x2x1 --size 30000003 --speed 0.5:1
same "$skips" collective all-reduce --topology 'Switch(8)' --size 16MiB
same "$skips" collective all-reduce --topology 4x1x1 --size 64MiB --order agreed
# (with chunks of 64 KiB the rates of ring and switch have their first common measure beyond 256 MiB)
same "$skips" collective all-gather --topology 'Ring(4)_Switch(4)' --size 32MiB --chunk 128KiB
same "$skips" collective all-reduce --topology 'Switch(4)' --size 16MiB --algorithm halving-doubling
same "$skips" collective all-gather --topology 'FullyConnected(4)' --size 32MiB --speed 0.5:1,3
when_long same "$skips" run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --topology 2x1x1 --iterations 1 --speed 0.8:1
# What is left out is whole periods of the cycles in which chunks end, which no state is asked about
goes_into() { # arguments: a run whose states come back
    local cycles period
    run auto "$@" && "$acesim" "$@" --timeline "$work/t.json" --timeline-limit 1GB >/dev/null 2>&1 || return
    cycles=$(tests/bench/periods.py "$work/t.json" | sed -n 's/.* period of [0-9]*, \([0-9]*\) cycles/\1/p')
    period=$(grep fast_forward "$work/auto.json" | sed 's/.*periods of \([0-9]*\).*/\1/')
    [[ $cycles && $period =~ ^[0-9]+$ ]] && ((cycles > 0 && period % cycles == 0))
    verdict $? "$*: found periods of $period cycles, expected multiples of '$cycles'"
}
rhythm() { # TEXT STEP: what is said of a timeline of 700 chunks, STEP between the ends of i and i + 1
    printf '{"pid":1,"name":"process_name","args":{"name":"NPU 0 (one)"}},\n' >"$work/t.json"
    printf '{"pid":1,"tid":7,"name":"thread_name","args":{"name":"phase 1, context 0, FSM 0"}},\n' >>"$work/t.json"
    local i at=0
    for ((i = 0; i < 700; at += $2, i++)); do
        printf '{"pid":1,"tid":7,"name":"chunk %d","args":{"to":%d}},\n' $((i % 256)) $at
    done >>"$work/t.json"
    local found
    found=$(tests/bench/periods.py "$work/t.json")
    [[ $found == "700 chunks; $1" ]]
    verdict $? "ends of chunks, $2: found '$found', expected '$1'"
}
rhythm 'from chunk 100 on a period of 4, 22 cycles' 'i < 100 ? 200 + i * i % 101 : i % 4 ? 5 : 7'
rhythm 'no period' '1 + i * i % 10007'
goes_into collective all-reduce --topology 2x2x2 --size 64MiB
when_long goes_into collective all-reduce --topology 3x3x3 --size 32MiB --chunk 40KiB --type bf16
goes_into collective all-reduce --topology 4x1x1 --size 32MiB --speed 0.5:1
# what cannot be left out is said
same 'none: every bit' collective all-reduce --topology 1x1x1 --size 64KiB --payload random --check
same 'none: not all nodes are on' collective all-reduce --topology 2x1x1 --size 64KiB --rung rtl

# 1 TiB takes no more than 64 MiB: all but the first and the last chunks are left out.  They go
# at the pace of the periods, so the run takes what 1 GiB does, and the periods between.
run small collective all-reduce --topology 4x4x4 --size 1GiB
run auto collective all-reduce --topology 4x4x4 --size 1TiB
says "$skips" 1 TiB
cycles() { grep -m1 '"cycles":' "$work/$1.json" | tr -dc 0-9; }
period=$(grep fast_forward "$work/auto.json" | sed 's/.*periods of \([0-9]*\).*/\1/')
awk -v long="$(cycles auto)" -v short="$(cycles small)" -v period="$period" 'BEGIN {
    chunks = 2 ^ 40 / 65536 - 2 ^ 30 / 65536        # 64 KiB each
    for (n = 16; n <= 4096; n += 16) {              # of a period; they divide into it exactly
        if (chunks % n == 0 && long - short == chunks / n * period) exit 0
    }
    exit 1
}'
verdict $? "1 TiB: $(cycles auto) cycles are no whole periods of $period more than $(cycles small)"

# A checkpoint holds what had been seen: a resumed run leaves out the same.
long=(collective all-reduce --topology 4x4x4 --size 256MiB)
run auto "${long[@]}" && cp "$work/auto.json" "$work/alone"
resumed() { # EVERY arguments: a checkpoint so often, and the result that was kept as `alone`
    local every=$1
    shift
    rm -f "$work/state"
    run auto "$@" --checkpoint "$work/state" --checkpoint-every "$every" &&
        cmp -s "$work/alone" "$work/auto.json" && run auto "$@" --resume "$work/state" &&
        cmp -s "$work/alone" "$work/auto.json"
    verdict $? "resumed, every $every cycles: $*"
}
for every in 90000 ${LONG:+200000} 1000000; do resumed $every "${long[@]}"; done
"$acesim" "${long[@]}" --resume "$work/state" --fast-forward off >/dev/null 2>"$work/err"
[ $? -eq 2 ]
verdict $? 'a checkpoint of a run that leaves out is resumed by one that does not'
several=(collective all-gather --topology 'Ring(2)_Switch(4)' --size 32MiB --speed 0.5:1,3,5,7)
run auto "${several[@]}" && cp "$work/auto.json" "$work/alone" && says "$skips" "${several[@]}"
for every in 60000 200000; do resumed $every "${several[@]}"; done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

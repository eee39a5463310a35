#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Links and memories of long latency, slow memories and slow switches: a run that sends nothing for millions of cycles
# does not hang. Cycles that fast-forward or the fabric skips must not count as silence for the watchdog. The cycles
# must be those of the same run step by step.
. "$(dirname "$0")/../begin.sh"

run() { # NAME ARGUMENTS...: the result into $work/NAME, but for what says how it was skipped
    local name=$1
    shift
    "$acesim" collective "$@" --quiet --format json >"$work/json" 2>"$work/err" </dev/null ||
        { verdict 1 "$*: $(head -n 1 "$work/err")"; return 1; }
    grep -v '"fast_forward"' "$work/json" >"$work/$name"
}
cycles() { sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p' "$work/$1"; } # NAME
takes() { # CYCLES ARGUMENTS...
    local expected=$1
    shift
    run auto "$@" || return
    same "$(cycles auto)" "$expected" "$*"
}
like_step_by_step() { # ARGUMENTS...
    run auto "$@" && run off "$@" --fast-forward off || return
    cmp -s "$work/auto" "$work/off"
    verdict $? "$*: $(cycles auto) and step by step $(cycles off) cycles, $(diff "$work/auto" "$work/off" | head -n 3)"
}

# ---- a node that stands for all leaves out more than the watchdog waits --------------------------
# Links that wait for credits all the time: their buffers do not cover the round trip.
few='--link-rows 128 --router-rows 128'
takes 30791226 all-reduce --topology 4 --memory-latency 30000 --size 64MiB
takes 13117555 all-reduce $few --topology 2 --link-latency 12800 --size 32MiB
takes 61485632 all-reduce $few --topology 4 --link-latency 20000 --size 64MiB
like_step_by_step all-reduce --topology 4 --memory-latency 30000 --size 64MiB
like_step_by_step reduce-scatter $few --topology 8 --link-latency 20000 --size 24000000

# ---- drawn by chance: latencies of links and memory, sizes, wirings, one node for all or each by itself ---
draw() { # SEED: the arguments of a run, a line
    python3 - "$1" <<'END'
import random, sys
draw = random.Random(int(sys.argv[1]))
topology = draw.choice(("2", "3", "4", "4x2", "2x2x2", "Switch(4)", "FullyConnected(3)", "Ring(2)_Switch(2)"))
kind = draw.choice(("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "gather"))
size = draw.choice((1, 4097, 262145, 3000001, 24000000)) if kind < "b" else draw.choice((1, 4097, 262145))
words = [kind, "--topology", topology, "--size", str(size)]
if draw.random() < 0.8:
    words += ["--link-latency", str(draw.choice((12800, 20000, 70000, 1000000)))]
if draw.random() < 0.5:
    words += ["--memory-latency", str(draw.choice((30000, 65535)))]
if draw.random() < 0.3 and topology != "2x2x2":
    words += ["--fold", "off"]
if draw.random() < 0.3:
    words += ["--chunk", "128KiB"]
print(*words)
END
}
for seed in ${SEEDS:-1 2 5 6 7 9}; do
    read -ra words < <(draw "$seed")
    like_step_by_step "${words[@]}"
done

# ---- a memory, or a hub, that needs so long for a row that nodes send nothing meanwhile ------------
# 256 rows of a chunk at 256 bytes / 5 MB/s = 63744 cycles of 1245 MHz are 16 million cycles before the first packet.
# The rows of three chunks are read and three are written, in turn.
run slow all-reduce --topology 2 --memory-bandwidth 5MB/s --size 128KiB
[ "$(cycles slow)" -ge $((2 * 256 * 63744)) ]
verdict $? "a slow memory: $(cycles slow) cycles, expected the two chunks' rows at least"

# ---- a trace, as other simulators have it ----------------------------------------------------------
inputs=tests/program/foreign/inputs/long_latency
"$acesim" convert --graph $inputs/all-reduce.yaml --output "$work/ar" 2>"$work/err"
"$acesim" astra --workload-configuration "$work/ar" --system-configuration $inputs/ring.json \
    --network-configuration $inputs/ring.yml --remote-memory-configuration $inputs/no_memory.json --quiet $few \
    >"$work/out" 2>"$work/err"
same "$(sed -nE 's/.*sys\[7\] finished, ([0-9]+) cycles.*/\1/p' "$work/out")" 106931224 "a trace over 20 us links, $(head -n 1 "$work/err")"

# ---- what hangs is found, and soon: a circle of compute and communication ----------------------------
# NPU 0 hands over an all-to-all on x first, which stops its compute (no-overlap).  The other NPU on x comes to it behind an
# all-reduce on y, and that waits for NPU 0's compute by way of the two NPUs of the second row.
"$acesim" convert --graph $inputs/circle.yaml --output "$work/circle" 2>"$work/err"
circle() { # ARGUMENTS...
    timeout 20 "$acesim" astra --workload-configuration "$work/circle" --system-configuration $inputs/fifo.json \
        --network-configuration $inputs/four.yml --remote-memory-configuration $inputs/no_memory.json --quiet "$@" \
        >"$work/out" 2>"$work/err"
}
circle --endpoint no-overlap
status=$?
[ $status -eq 1 ] && grep -q 'hang at cycle' "$work/err" &&
    grep -q 'node 1 (compute), NPU 0, stalled: endpoint no-overlap reserves the whole NPU for communication' "$work/err"
verdict $? "a circle: status $status, $(grep -v 'has no effect here' "$work/err" | head -n 3)"
circle --endpoint comm-opt
verdict $? "no circle at comm-opt: $(head -n 2 "$work/err")"

echo "long_latency: $passed passed, $failed failed"
[ $failed -eq 0 ]

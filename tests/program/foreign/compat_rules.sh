#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# compat_rules.sh [ACESIM] -- compares the counts of acesim astra --compat 2 for each algorithm with an independent
# restatement of the original's packets (astra_peer.py). It covers a group and all NPUs as one dimension, times of more
# than 2^53 ns, and a memory that does not grow with the traces.
. "$(dirname "$0")/../workload/chakra/traces.sh"
here=tests/program/foreign
M=1048576
# A case: TOPOLOGY NPUS WORDS KIND BYTES GROUP; lists with commas, no group is -.  Bandwidths 100, 50, 25, latencies 200, 300,
# 400 by dimension; endpoint 20 ns, memory 400 GB/s, splits 2.
files() { # TOPOLOGY NPUS WORDS
    local commas=${1//[^,]/} words="\"${3//,/\",\"}\""
    local bandwidths=('100.0' '100.0,50.0' '100.0,50.0,25.0') latencies=('200.0' '200.0,300.0' '200.0,300.0,400.0')
    printf 'topology: [ %s ]\nnpus_count: [ %s ]\nbandwidth: [ %s ]\nlatency: [ %s ]\n' "$1" "$2" \
        "${bandwidths[${#commas}]}" "${latencies[${#commas}]}" >"$work/net.yml"
    printf '{ "scheduling-policy": "LIFO", "endpoint-delay": 20, "active-chunks-per-dimension": 1, "preferred-dataset-splits": 2,
        "all-reduce-implementation": [%s], "reduce-scatter-implementation": [%s], "all-gather-implementation": [%s],
        "all-to-all-implementation": [%s], "collective-optimization": "localBWAware", "local-mem-bw": 400 }\n' \
        "$words" "$words" "$words" "$words" >"$work/sys.json"
}
# Compares what ran with the times of the restatement, of each rank that takes part: "NPU TIME".  One process makes them all.
judge() {
    local case found expected
    PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
from astra_peer import Peer
for line in sys.stdin:
    topology, npus, words, kind, size, group, aware = line.split()
    npus = [int(n) for n in npus.split(",")]
    n = len(npus)
    p = Peer(npus, [100, 50, 25][:n], [200, 300, 400][:n], topology.split(","), 20, 400, 2, aware == "aware")
    times = p.run(words.replace(",", " "), kind, int(size), None if group == "-" else [int(i) for i in group.split(",")])
    print(" ".join(f"{i} {times[i]}" for i in sorted(times)))' <"$work/cases" >"$work/expected"
    while IFS= read -r case <&3 && IFS= read -r found <&4; do
        IFS= read -r expected <&5
        same "$found" "$expected" "$case"
    done 3<"$work/cases" 4<"$work/found" 5<"$work/expected"
}
compared=0
compare() { # TOPOLOGY NPUS WORDS KIND BYTES GROUP
    local -A kinds=([AR]=0 [AG]=2 [A2A]=6 [RS]=7)
    local kind=${kinds[$4]} all=1 n i group=() backends=unaware backend
    for n in ${2//,/ }; do all=$((all * n)); done
    files "$1" "$2" "$3"
    if [ "$6" = - ]; then
        everyone "$all" "$(collective 0 '' "$kind" "$5")"
    else
        rm -f "$work"/t.*.et
        echo "{\"1\": [$6]}" >"$work/groups.json"
        group=(--comm-group-configuration "$work/groups.json")
        for ((i = 0; i < all; i++)); do
            if [[ ,$6, == *,$i,* ]]; then trace "t.$i.et" "$(collective 0 '' "$kind" "$5" 1)"; else trace "t.$i.et"; fi
        done
    fi
    # With congestion members of a group round a ring are through at different times.  A chunk that waits for a slot then begins
    # with its first message here, and never hangs; the original's waits for the slot.
    [[ $2 == *,* || ( $1 == Ring && $6 != - ) ]] || backends='unaware aware'
    for backend in $backends; do
        astra --compat 2 --backend "$backend" "${group[@]}"
        verdict $? "$* $backend: $(head -n 2 "$work/err")"
        echo "$* $backend" >>"$work/cases"
        sed -nE 's/.*sys\[([0-9]+)\] finished, ([1-9][0-9]*) cycles.*/\1 \2/p' "$work/out" | sort -n | xargs >>"$work/found"
        compared=$((compared + 1))
    done
}
# Rings, direct with all windows, halving and doubling; on their own topologies and on others.
for kind in AR RS AG A2A; do
    for word in ring direct direct1 direct2 direct3 direct4 direct9; do
        compare FullyConnected 5 $word $kind $((5 * M)) -
    done
    compare Ring 6 direct2 $kind $((6 * M + 4096)) -
    compare Switch 4 direct2 $kind $((4 * M)) -
    [ $kind = A2A ] || compare Switch 8 halvingDoubling $kind $((4 * M)) -
    # All NPUs as one dimension: reductions of the first half alone, as in a dimension of theirs.
    compare Ring,Switch 2,2 oneDirect $kind 65536 -
    compare Ring,Switch 3,4 oneDirect3 $kind $((3 * M)) -
    compare Ring,FullyConnected,Switch 2,3,2 oneRing $kind $((3 * M)) -
    [ $kind = A2A ] || compare Ring,Switch 4,2 oneHalvingDoubling $kind $((2 * M)) -
    compare Switch 6 oneDirect $kind $((6 * M)) -
done
# Groups smaller than all, whose direct reductions count in both halves, but with a window of 1, or of two members.
for kind in AR RS AG; do
    for word in ring direct direct1 direct2; do
        compare Ring 6 $word $kind $((3 * M)) 1,3,4,5
        compare Switch 6 $word $kind $((2 * M)) 4,1
    done
    compare Switch 6 halvingDoubling $kind $((2 * M)) 0,5,2,4
    compare Switch 6 oneDirect $kind $((3 * M)) 0,2,5
    [ $kind != AR ] || compare Ring,Switch 2,3 direct,ring AR $((3 * M)) 0,2,5 # a list of two words is a ring
done
judge
[ $compared -ge 100 ]
verdict $? "too few cases: $compared"
# By the closed form of direct, two chunks of 2 net(m) + 3 e + red(m): the reduction is counted once.
files Ring,Ring 2,2 oneDirect
sed -i 's/100.0,50.0/50.0,50.0/; s/200.0,300.0/500.0,500.0/' "$work/net.yml"
everyone 4 "$(collective 0 '' 0 65536)"
astra --compat 2
m=$((65536 / 2 / 4))
same "$(finished 0)" $((2 * (2 * (500 + m * 1000 / 53687) + 3 * 20 + 3 * (m / 400)))) 'oneDirect on four'

# ---- times that a double does not hold ------------------------------------------------------------------------
files Ring 2 ring
everyone 2 "$(collective 0 '' 0 65536)"
astra --compat 2
alone=$(finished 0)
us=1152921504606847 # 2^60 ns, cut to whole microseconds
everyone 2 "$(compute 0 '' $us)" "$(collective 1 0 0 65536)"
astra --compat 2 --csv "$work/csv"
verdict $? "a compute of 2^60 ns: $(head -n 2 "$work/err")"
same "$(sed -nE 's/.*sys.1. finished, ([0-9]+) cycles, exposed communication ([0-9]+) .*/\1 \2/p' "$work/out")" \
    "$((1000 * us + alone)) $alone" 'a compute of 2^60 ns and a collective'
same "$(sed -nE 's/.*sys.1., (GPU|Wall) time: ([0-9]+)/\2/p' "$work/out" | xargs)" "$((1000 * us + alone)) $((1000 * us))" 'its statistics'
same "$(sed -n 4p "$work/csv/EndToEnd.csv")" "1,$((1000 * us + alone)),$alone,$alone,$((1000 * us))" 'its table'
# What is exposed wraps where durations of several at a time are more than the time, as the original's 64 bits do.
everyone 2 "$(node 0 2 '' 5 "$(attribute tensor_size 13 5000)")" "$(compute 1 '' 5)"
sed -i 's/{ "sch/{ "replay-only": 1, "sch/' "$work/sys.json"
astra --compat 2
same "$(sed -nE 's/.*sys.0. finished, .* communication ([0-9]+) .*/\1/p' "$work/out")" 18446744073709546616 'exposed below 0: 2^64 - 5000'
files Ring 2 ring
everyone 2 "$(compute 0 '' 4611686018427388)"
refused 'found a time above 2^62 ns, expected less' --compat 2
nodes=("$(compute 0 '' 4611686018427387)")
for i in 1 2 3 4; do nodes+=("$(compute $i $((i - 1)) 4611686018427387)"); done
everyone 2 "${nodes[@]}"
refused 'found a time of 2^64 ns or more, expected less' --compat 2
# Results: read, compared and written with all digits.
"$acesim" collective all-reduce --topology 4 --size 64KiB --quiet --format json --endpoint ideal >"$work/one.json"
for n in 9007199254740992 9007199254740993; do
    sed -E "s/^\t\"cycles\":\t[0-9]+/\t\"cycles\":\t$n/" "$work/one.json" >"$work/$n.json"
done
"$acesim" diff "$work"/900*.json --format csv >"$work/out"
same "$(sed -n 2p "$work/out" | cut -d, -f2-4)" cycles,9007199254740992,9007199254740993 'two results that differ by 1 above 2^53'
"$acesim" diff "$work"/900*.json --format json | python3 -c '
import json, sys
print(*([e["a"], e["b"]] for e in json.load(sys.stdin)["results"] if e["name"] == "cycles"))' >"$work/out"
same "$(cat "$work/out")" '[9007199254740992, 9007199254740993]' 'the same as JSON'
"$acesim" diff "$work"/900*.json | grep -qF '9,007,199,254,740,993'
verdict $? 'the same as a table'
# Counts of a model: two numbers of 16 digits each, whose product has no double; JSON and CSV are the same digits.
cat >"$work/large.yaml" <<'END'
name: large
minibatch: 999983
element: fp16
layers:
  - { name: a, kind: linear, inputs: 99991, outputs: 99989 }
END
"$acesim" workload "$work/large.yaml" --format json >"$work/large.json" 2>"$work/err"
verdict $? "a large layer: $(head -n 1 "$work/err")"
flops=$((2 * 999983 * 99991 * 99989))
same "$(python3 -c '
import json, sys
print(json.load(open(sys.argv[1]))["layers"][0]["passes"]["forward"]["operations"][0]["flops"])' "$work/large.json")" $flops 'flops as JSON'
same "$("$acesim" workload "$work/large.yaml" --format csv | sed -n 2p | cut -d, -f5)" $flops 'flops as CSV'

# ---- memory ---------------------------------------------------------------------------------------------------
# Of a chain of collectives with a message behind every third, and of messages of which each has a tag of its own.  The peak is that
# of the program's own memory, which the kernel counts from its start on; the usage of a child begins with its parent's.
files Ring 2 ring
PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 python3 - "$acesim" "$work" <<'END'
import subprocess, sys, time
from astra_peer import trace
acesim, work = sys.argv[1:]

def message(i, tag):
    return {"type": 5 + i, "attr": {"comm_dst" if not i else "comm_src": 1 - i, "comm_tag": tag, "comm_size": 4096}}

def peak(n, node):
    for i in 0, 1:
        trace(f"{work}/t.{i}.et", ({**({"parent": k - 1} if k else {}), **node(i, k)} for k in range(n)))
    p = subprocess.Popen([acesim, "astra", "--compat", "2", "--window", "256", "--workload-configuration", f"{work}/t",
                          "--system-configuration", f"{work}/sys.json", "--network-configuration", f"{work}/net.yml",
                          "--remote-memory-configuration", f"{work}/mem.json", "--quiet"], stdout=subprocess.DEVNULL)
    most = 0
    while p.poll() is None:
        for line in open(f"/proc/{p.pid}/status"):
            name, _, rest = line.partition(":")
            if name == "Name" and rest.strip() != "acesim":
                break  # it has not begun
            if name == "VmHWM":
                most = int(rest.split()[0])
        time.sleep(0.002)
    if p.returncode or not most:
        sys.exit(f"status {p.returncode}, {most} KiB seen")
    return most

collective = {"type": 7, "attr": {"comm_type": 0, "comm_size": 65536}}
failed = False
for name, node in (("chain", lambda i, k: message(i, 7) if k % 4 == 3 else collective), ("tags", message)):
    few, many = 10000, 100000
    most = {n: peak(n, node) for n in (few, many)}
    grown = (most[many] - most[few]) * 1024 / (2 * (many - few))
    print(f"memory of {name}: {most} KiB, {grown:.1f} bytes for each node more")
    failed = failed or grown > 4
sys.exit(failed)
END
verdict $? 'memory grows with the traces'
# A message without a partner is named, although no table of all messages is kept.
everyone 2
trace t.0.et "$(send 0 '' 1 7 4096)" "$(send 1 0 1 8 4096)"
trace t.1.et "$(receive 3 '' 0 7 4096)" "$(receive 4 3 0 8 4097)"
refused "t.0.et: node 1, NPU 0: found 1 messages of tag 8 and 4096 bytes sent to NPU 1, which receives 0 (node 4 of" --compat 2
trace t.1.et "$(receive 3 '' 0 7 4096)" "$(receive 4 3 0 8 4096)"
astra --compat 2
verdict $? "two messages: $(head -n 2 "$work/err")"
grep -q ' 2 messages' "$work/out"
verdict $? "two messages are counted: $(head -n 1 "$work/out")"

echo "compat_rules: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

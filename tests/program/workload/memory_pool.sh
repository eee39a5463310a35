#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Remote memory of acesim astra: NPUs that share one take turns, and a pool behind switches takes what its closed
# form says.
. tests/program/workload/chakra/traces.sh

memory() { echo "{ $1 }" >"$work/mem.json"; } # KEYS
load() { node "$1" 2 "$2" 0 "$(attribute tensor_size 13 "$3")"; }  # ID PARENTS BYTES
store() { node "$1" 3 "$2" 0 "$(attribute tensor_size 13 "$3")"; } # likewise
times() { # "TIMES" WHAT arguments: of the NPUs, in their order
    local times=$1 what=$2 found i
    shift 2
    astra "$@"
    verdict $? "$what: $(head -n 2 "$work/err")"
    found=$(for ((i = 0; i < $(wc -w <<<"$times"); i++)); do finished $i; done | xargs)
    [ "$found" = "$times" ]
    verdict $? "$what: found $found, expected $times"
}

# ---- whose turn it is ------------------------------------------------------------------------------
# A transfer takes the latency and whole nanoseconds of its bytes: 100 + floor(5049 / 50).
network Ring 4
everyone 4 "$(load 0 '' 5049)"
slow='"remote-mem-latency": 100, "remote-mem-bw": 50'
memory "\"memory-type\": \"PER_NPU_MEMORY_EXPANSION\", $slow"
times '200 200 200 200' 'a memory of each NPU'
memory "\"memory-type\": \"PER_NODE_MEMORY_EXPANSION\", $slow, \"num-nodes\": 2, \"num-npus-per-node\": 2"
times '200 400 200 400' 'a memory of each node'
memory "\"memory-type\": \"MEMORY_POOL\", $slow"
times '200 400 600 800' 'a pool: one after the other'
times '200 400 600 800' 'a pool, three threads' --threads 3
memory "\"memory-type\": \"MEMORY_POOL\", \"remote-mem-latency\": 0, \"remote-mem-bw\": 50"
times '100 200 300 400' 'a pool without latency'
# The first request is served first; NPU 0 requests again while others wait.
memory "\"memory-type\": \"MEMORY_POOL\", $slow"
everyone 4 "$(load 0 '' 5000)" "$(store 1 0 5000)"
times '1000 1200 1400 1600' 'a second turn behind the others'
times '2500 800 1000 1200' 'NPU 0 begins later' --start-delay 0:2100
everyone 4 "$(load 0 '' 5000)" "$(load 1 '' 5000)" "$(compute 2 1 1)"
times '1400 1800 2200 2600' 'two at once of each, by NPU and id'
[ "$(finished 3)" = 2600 ] && cp "$work/out" "$work/first"
astra --checkpoint "$work/state" --checkpoint-every 300 && astra --resume "$work/state" && cmp -s "$work/out" "$work/first"
verdict $? "resumed: another result: $(head -n 2 "$work/err")"
# An NPU alone waits for nobody, and so folds.
everyone 4 "$(load 0 '' 5000)"
memory "\"memory-type\": \"PER_NODE_MEMORY_EXPANSION\", $slow, \"num-nodes\": 4, \"num-npus-per-node\": 1"
times '200 200 200 200' 'nodes of one NPU'
grep -qF 'folding: 1 class' "$work/out"
verdict $? 'NPUs that share nothing do not fold'

# ---- the NPU's own memory gives bandwidth ------------------------------------------------------------
# 900 kB take 1000 ns of 900 B/ns; while 50 kB come at 450 B/ns, for 100 + 111 ns, half of that is left.
echo '{ "roofline-enabled": 1, "peak-perf": 1000, "local-mem-bw": 900 }' >"$work/sys.json"
memory '"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 100, "remote-mem-bw": 450'
everyone 4 "$(load 0 '' 50000)" "$(work_of 1 '' 1000 900000)"
times '1106 1106 1106 1106' 'compute beside a transfer'
everyone 4 "$(load 0 '' 50000)" "$(work_of 1 0 1000 900000)"
times '1211 1211 1211 1211' 'compute behind a transfer'
echo '{ "scheduling-policy": "FIFO" }' >"$work/sys.json"

# ---- a hierarchical pool -----------------------------------------------------------------------------
# Four NPUs in two nodes, two groups of 100 B/ns, one switch with links of 80, NPU links of 60, and chunks of 1,000. A
# round of chunks takes 10 ns at the groups, 1000 * 2 / 2 / 80 = 12.5 at the switch, and 500 / 60 at an NPU. There are 4
# D / 2000 rounds.
pool() { # REST
    memory "\"memory-type\": \"HIERARCHICAL_POOL\", \"remote-mem-latency\": 200, \"remote-mem-bw\": 100, \"num-nodes\": 2,
        \"num-npus-per-node\": 2, \"num-groups\": 2, \"num-switches\": 1, \"switch-link-bw\": 80, \"npu-link-bw\": 60,
        \"local-mem-bw\": 900, \"chunk-size\": 1000$1"
}
everyone 4 "$(load 0 '' 40000)"
pool ''
times '1238 1238 1238 1238' 'a pool behind switches' # 200 + (80 + 3) * 12.5, and up
# Gathered, all get the same: 20 rounds, of 2000 / 60 at an NPU.
pool ', "in-switch-collectives": true'
times '967 967 967 967' 'gathered on its way' # 200 + (20 + 3) * 33.333, and up
times '1967 1967 1967 1967' 'a pool waits for the last' --start-delay 2:1us
everyone 4 "$(load 0 '' 40000)" "$(store 1 '' 40000)"
times '1934 1934 1934 1934' 'one transfer after the other'
trace t.3.et "$(load 0 '' 40000)"
astra
[ $? -eq 1 ] && grep -qF 'NPU 0, waits for a transfer of all, which NPU 3 has not begun' "$work/err"
verdict $? "a transfer that one leaves out: $(head -n 2 "$work/err")"

# It is never faster than the groups together, or the links to an NPU, carry the bytes. Gathering saves work of the
# groups, but none of the links to NPUs (ASTRA-sim issue 281).
for row in '100 80 60' '10 80 60' '100 8 60' '100 800 6'; do
    read -r group out in <<<"$row"
    for gather in false true; do
        memory "\"memory-type\": \"HIERARCHICAL_POOL\", \"remote-mem-latency\": 200, \"remote-mem-bw\": $group, \"num-nodes\": 2,
            \"num-npus-per-node\": 2, \"num-groups\": 2, \"num-switches\": 1, \"switch-link-bw\": $out, \"npu-link-bw\": $in,
            \"local-mem-bw\": 900, \"chunk-size\": 1000, \"in-switch-collectives\": $gather"
        everyone 4 "$(load 0 '' 400000)"
        astra
        least=$((400000 * ($([ $gather = true ] && echo 1 || echo 4)) / (2 * group)))
        [ $least -lt $((400000 / in)) ] && least=$((400000 / in))
        [ "$(finished 0)" -ge $((200 + least)) ]
        verdict $? "a pool of $row, gathered $gather: $(finished 0), at least 200 + $least"
    done
done

# ---- how much fits ---------------------------------------------------------------------------------------
# Of each memory: tensors live as long as the run.  Three NPUs store 4000 bytes each, and twice into the same tensor.
tensors() { bytes 10 "$(text 1 "$1")$(bytes 30 "$(text 1 "$2")$(text 1 "$3")")"; } # ATTRIBUTE NAME BYTES
everyone 4 "$(node 0 3 '' 0 "$(attribute tensor_size 13 4000)" "$(tensors outputs w 4000.0)")" \
    "$(node 1 2 0 0 "$(attribute tensor_size 13 4000)" "$(tensors inputs w 4000.0)")" "$(store 2 1 100)"
memory "\"memory-type\": \"PER_NPU_MEMORY_EXPANSION\", $slow, \"remote-mem-capacity\": 4100"
astra
verdict $? "what fits, the same tensor twice: $(head -n 2 "$work/err")"
memory "\"memory-type\": \"PER_NPU_MEMORY_EXPANSION\", $slow, \"remote-mem-capacity\": 4099"
refused 't.0.et: node 2 (n2), NPU 0: found tensor n2 of 100 bytes beside 4000, expected room for it in the 4099'
memory "\"memory-type\": \"MEMORY_POOL\", $slow, \"remote-mem-capacity\": 16400"
astra
verdict $? "a pool has room for all: $(head -n 2 "$work/err")"
memory "\"memory-type\": \"MEMORY_POOL\", $slow, \"remote-mem-capacity\": 16000"
refused 't.3.et: node 0 (n0), NPU 3: found tensor w of 4000 bytes beside 12300'
pool ', "in-switch-collectives": true, "remote-mem-capacity": 4100'
astra
verdict $? "what is gathered is there once: $(head -n 2 "$work/err")"
everyone 4 "$(node 0 3 '' 0 "$(attribute tensor_size 13 4000)" "$(tensors outputs w much)")"
refused "found tensor w of 'much', expected its bytes"

# ---- what is refused -----------------------------------------------------------------------------------
everyone 4 "$(load 0 '' 5000)"
memory "\"memory-type\": \"MEMORY_POOL\""
refused 'found MEMORY_POOL without remote-mem-bw'
memory "\"memory-type\": \"PER_NODE_MEMORY_EXPANSION\", $slow, \"num-nodes\": 3, \"num-npus-per-node\": 2"
refused 'without num-nodes by num-npus-per-node, expected numbers whose product is that of the NPUs'
memory "\"memory-type\": \"HIERARCHICAL_POOL\", $slow"
refused 'found HIERARCHICAL_POOL without num-groups'
memory '"memory-type": "POOL"'
refused "found 'POOL', expected NO_MEMORY_EXPANSION"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

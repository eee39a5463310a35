#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# policies.sh [ACESIM] -- keys of ASTRA-sim's files that say how collectives go: inter-dimension-scheduling themis is acesim
# collective's --schedule balanced; with intra-dimension-scheduling SCF a small collective passes a large one that waits;
# doubleBinaryTree and in-network are programs of a switch.  And the tables that say where the time and the bytes went
. "$(dirname "$0")/../begin.sh"

echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/memory.json"
printf 'topology: [Ring, Ring]\nnpus_count: [4, 4]\nbandwidth: [46.566128730774, 46.566128730774]\nlatency: [100, 100]\n' >"$work/network.yml"
system() { # KEYS: beside the roofline
    printf '{ "scheduling-policy": "FIFO", "roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1000, %s }' "$1" >"$work/system.json"
}
# Makes traces t of 16 NPUs: collectives of so many bytes that begin at once, and a compute node after the last of them.
# With a negative time the compute comes before all of them.
traces() { # MICROSECONDS BYTES...
    python3 - "$work/graph.yaml" "$@" <<'END'
import sys
to, us, sizes = open(sys.argv[1], "w"), int(sys.argv[2]), list(map(int, sys.argv[3:]))
print("ranks: 16", file=to)
for rank in range(16):
    print(f'---\nrank: {rank}\nnodes: {len(sizes) + (us != 0)}\n---\nversion: "0.0.4"', file=to)
    for i, size in enumerate(sizes):
        print(f'---\nid: {i}\nname: "all-reduce"\ntype: COMM_COLL_NODE\n'
              f'data_deps: [{len(sizes) if us < 0 else ""}]\nattr:\n- {{name: "comm_type", int64_val: 0}}\n'
              f'- {{name: "comm_size", int64_val: {size}}}', file=to)
    if us:
        print(f'---\nid: {len(sizes)}\nname: "compute"\ntype: COMP_NODE\ndata_deps: [{len(sizes) - 1 if us > 0 else ""}]\nattr:\n'
              f'- {{name: "num_ops", int64_val: {abs(us) * 1000000}}}\n- {{name: "tensor_size", int64_val: 1}}', file=to)
END
    "$acesim" convert --graph "$work/graph.yaml" --output "$work/t" 2>"$work/err"
    verdict $? "traces of $*: $(head -n 1 "$work/err")"
}
astra() { # OPTIONS: cycles of NPU 0
    "$acesim" astra --workload-configuration "$work/t" --system-configuration "$work/system.json" --quiet \
        --network-configuration "$work/network.yml" --remote-memory-configuration "$work/memory.json" "$@" >"$work/out" 2>"$work/err"
    sed -nE 's/.*sys\[0\] finished, ([0-9]+) cycles.*/\1/p' "$work/out"
}
collective() { # BYTES OPTIONS
    "$acesim" collective all-reduce --size "$1" --topology 4x4 --link-bandwidth 50GB/s --link-latency 100 --link-efficiency 1 \
        --clock 1GHz --order fifo --format json "${@:2}" 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'
}

# ---- which way: parts of an all-reduce go over the dimensions in two orders -------------------------------------
traces 0 4194304
for endpoint in ideal ace; do
    system '"inter-dimension-scheduling": "baseline"'
    plain=$(astra --endpoint $endpoint)
    same "$plain" "$(collective 4194304 --endpoint $endpoint)" "$endpoint: baseline"
    system '"inter-dimension-scheduling": "themis"'
    balanced=$(astra --endpoint $endpoint)
    same "$balanced" "$(collective 4194304 --endpoint $endpoint --schedule balanced)" "$endpoint: themis"
    [ "$balanced" -ne "$plain" ]
    verdict $? "$endpoint: themis $balanced and baseline $plain differ"
    same "$(astra --endpoint $endpoint --fold off)" "$balanced" "$endpoint: themis, each NPU simulated"
    # SCF is an order of collectives: all parts of one are under way, however few of these are at a time.
    system '"inter-dimension-scheduling": "themis", "intra-dimension-scheduling": "SCF", "active-chunks-per-dimension": 1'
    same "$(astra --endpoint $endpoint)" "$balanced" "$endpoint: themis with SCF, one at a time"
    system '"inter-dimension-scheduling": "themis"'
    same "$(astra --endpoint $endpoint --comm-slots 1)" "$balanced" "$endpoint: parts have one slot together"
done
traces -30 4194304
found=$(astra)
[ "$found" -ge $((balanced + 30000)) ] && [ "$found" -le $((balanced + 30020)) ]
verdict $? "parts wait for what their all-reduce waits for: $found, a compute of 30000 and $balanced"
# Links alone: a dimension has 2 (n - 1)/n of the bytes that come to it, a quarter of them on the second; evened out it is
# 5/8 of the bytes on each where it was all of them on the first.
plain=$(collective 4194304 --endpoint ideal) balanced=$(collective 4194304 --endpoint ideal --schedule balanced)
[ $((balanced * 8)) -le $((plain * 6)) ] && [ $((balanced * 8)) -ge $((plain * 5)) ]
verdict $? "parts take 5/8 of the time and a little: $balanced of $plain"

# ---- which first: one at a time, a large one that is first and three small ones ----------------------------------
large=$(collective 8388608) small=$(collective 65536)
run() { # KEYS: cycles
    system "$1"
    astra
}
traces 2000 8388608 4194304 65536        # the compute of 2 ms is behind the small one
middle=$(collective 4194304)
first=$(run '"active-chunks-per-dimension": 1, "intra-dimension-scheduling": "SCF"')
[ "$first" -ge $((small + 2000000)) ] && [ "$first" -le $((small + 2000000 + 20)) ]
verdict $? "smallest first: compute behind $small cycles ends at $first"
! grep -q 'active-chunks' "$work/err"
verdict $? "the number of chunks is not told to make no cycle where it does: $(cat "$work/err")"
[ $((large + middle)) -lt 2000000 ]
verdict $? 'the compute is longer than the other two'
last=$(run '"intra-dimension-scheduling": "FIFO"')
[ "$last" -gt $((first + large / 2)) ]
verdict $? "as they come: $last, smallest first: $first"
# In parts: the small one is over first, and of the others one is under way at a time.
cut=(--schedule balanced)
parts=$(run '"active-chunks-per-dimension": 1, "intra-dimension-scheduling": "SCF", "inter-dimension-scheduling": "themis"')
small_cut=$(collective 65536 "${cut[@]}")
[ "$parts" -ge $((small_cut + 2000000)) ] && [ "$parts" -le $((small_cut + 2000000 + 20)) ]
verdict $? "smallest first in parts: compute behind $small_cut cycles ends at $parts"
traces 0 8388608 4194304
one=$(run '"active-chunks-per-dimension": 1, "intra-dimension-scheduling": "SCF", "inter-dimension-scheduling": "themis"')
sum=$(($(collective 8388608 "${cut[@]}") + $(collective 4194304 "${cut[@]}")))
[ "$one" -ge "$sum" ] && [ "$one" -le $((sum + 20)) ]
verdict $? "two in parts, one after the other: $one, of $sum"
traces 2000 8388608 4194304 65536
run '"active-chunks-per-dimension": 4, "intra-dimension-scheduling": "FIFO"' >/dev/null
[ ! -s "$work/err" ]
verdict $? "--quiet prints what has no effect here: $(head -n 1 "$work/err")"
"$acesim" astra --workload-configuration "$work/t" --system-configuration "$work/system.json" \
    --network-configuration "$work/network.yml" --remote-memory-configuration "$work/memory.json" >"$work/out" 2>"$work/err"
grep -qF 'active-chunks-per-dimension 4 has no effect here' "$work/err"
verdict $? "where it does none, it is told: $(cat "$work/err")"
[ "$(run '"active-chunks-per-dimension": 3, "intra-dimension-scheduling": "SCF"')" -gt "$first" ]
verdict $? 'three at a time go side by side'

# ---- what a switch does: trees, and sums of its own; bytes of links by closed form ---------------------------------
mkdir "$work/switch"
switch() { # KEY OF THE NETWORK: four NPUs
    printf 'topology: [Switch]\nnpus_count: [4]\nbandwidth: [23.2830643653870]\nlatency: [100]\n%s\n' "$1" >"$work/network.yml"
}
all_reduce=workloads/astra-sim-2/all_reduce # of 1 MiB
four() { # OPTIONS: cycles, and tables in $work/csv
    "$acesim" astra --workload-configuration $all_reduce --system-configuration "$work/system.json" --quiet --csv "$work/csv" \
        --network-configuration "$work/network.yml" --remote-memory-configuration "$work/memory.json" "$@" >"$work/out" 2>"$work/err"
    sed -nE 's/.*sys\[0\] finished, ([0-9]+) cycles.*/\1/p' "$work/out"
}
by_hand() { # ALGORITHM: each of the two ports to the switch has half of the 25 GB/s of the file
    "$acesim" collective all-reduce --size 1MiB --topology 'Switch(4)' --link-bandwidth 12.5GB/s --link-latency 100 --link-efficiency 1 \
        --clock 1GHz --order fifo --algorithm "$1" --format json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'
}
carried() { # NPU: bytes on its links
    awk -F, -v npu="$1" '$1 == npu { sum += $3 } END { print sum }' "$work/csv/links.csv"
}
system '"all-reduce-implementation": ["direct"]'
switch ''
same "$(four)" "$(by_hand direct)" 'a switch that only passes on'
same "$(carried 2)" $((3 * 1048576 / 2)) 'an NPU sends 2 (n - 1)/n of the bytes'
switch 'in-network: [reduce+multicast]'
same "$(four)" "$(by_hand in-network)" 'a switch that reduces'
same "$(carried 2)" 1048576 'an NPU sends the bytes once'
"$acesim" convert --network-configuration "$work/network.yml" --system-configuration "$work/system.json" --output "$work/switch.yaml" 2>/dev/null &&
    "$acesim" convert "$work/switch.yaml" --output "$work/back" 2>"$work/err" && grep -qx 'in-network: \[reduce+multicast\]' "$work/back/network.yml"
verdict $? "it comes back from a cluster file: $(cat "$work/err")"
refused 'found 2 with a switch that reduces' astra --compat 2 --workload-configuration $all_reduce --system-configuration "$work/system.json" \
    --network-configuration "$work/network.yml" --remote-memory-configuration "$work/memory.json"
switch 'in-network: [both]'
refused "found 'both', expected none or reduce+multicast" convert --network-configuration "$work/network.yml" --system-configuration "$work/system.json"
switch 'in-network: [reduce+multicast]'
sed -i 's/Switch/Ring/' "$work/network.yml"
refused 'found in-network of a dimension that is no Switch' convert --network-configuration "$work/network.yml" --system-configuration "$work/system.json"
switch ''
system '"all-reduce-implementation": ["doubleBinaryTree"]'
same "$(four)" "$(by_hand double-binary-tree)" 'a double binary tree'
system '"all-gather-implementation": ["ring"], "all-reduce-implementation": ["doubleBinaryTree"], "reduce-scatter-implementation": ["direct"]'
same "$(four)" "$(by_hand double-binary-tree)" 'lists that differ: that of the all-reduces, which the traces have'
refused 'found another list in reduce-scatter-implementation than in all-reduce-implementation' convert \
    --network-configuration "$work/network.yml" --system-configuration "$work/system.json"

# ---- where the time went: NPU 1 of two is late, waits for its CPU and for memory, its CPU beside it, computes, and receives
printf 'topology: [Ring]\nnpus_count: [2]\nbandwidth: [50]\nlatency: [100]\n' >"$work/network.yml"
echo '{ "memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 1000, "remote-mem-bw": 1 }' >"$work/memory.json"
system '"replay-only": 0'
cat >"$work/graph.yaml" <<'END'
ranks: 2
---
rank: 0
nodes: 2
---
version: "0.0.4"
---
{id: 0, type: COMP_NODE, attr: [{name: "num_ops", int64_val: 60000000}, {name: "tensor_size", int64_val: 1}]}
---
{id: 1, type: COMM_SEND_NODE, data_deps: [0], attr: [{name: "comm_dst", int32_val: 1}, {name: "comm_tag", int32_val: 0}, {name: "comm_size", int64_val: 100000}]}
---
rank: 1
nodes: 5
---
version: "0.0.4"
---
{id: 0, type: COMP_NODE, duration_micros: 20, attr: [{name: "is_cpu_op", bool_val: true}]}
---
{id: 1, type: MEM_LOAD_NODE, data_deps: [0], attr: [{name: "tensor_size", uint64_val: 9000}]}
---
{id: 2, type: COMP_NODE, data_deps: [1], attr: [{name: "num_ops", int64_val: 15000000}, {name: "tensor_size", int64_val: 1}]}
---
{id: 4, type: COMP_NODE, data_deps: [0], duration_micros: 5, attr: [{name: "is_cpu_op", bool_val: true}]}
---
{id: 3, type: COMM_RECV_NODE, data_deps: [2], attr: [{name: "comm_src", int32_val: 0}, {name: "comm_tag", int32_val: 0}, {name: "comm_size", int64_val: 100000}]}
END
"$acesim" convert --graph "$work/graph.yaml" --output "$work/t" 2>"$work/err"
verdict $? "traces of two: $(cat "$work/err")"
rm -r "$work/csv" "$work"/t.{2..15}.et
astra --csv "$work/csv" >/dev/null
awk -F, -v cpu=20000 -v memory=10000 -v compute=15000 '
    NR > 2 && ($3 + $5 + $6 + $7 + $8 < $2 - 2 || $3 + $5 + $6 + $7 + $8 > $2 + 2) { print "NPU " $1 ": the parts are not the whole"; bad = 1 }
    $1 == 1 && ($7 < cpu || $7 > cpu + 3 || $6 < memory || $6 > memory + 3 || $5 < compute || $5 > compute + 3 || $3 < 15000) { bad = 1; print }
    END { exit bad || NR != 4 }' "$work/csv/EndToEnd.csv"
verdict $? "computing, exposed, memory, CPU and idle are all of the time: $(cat "$work/csv/EndToEnd.csv" "$work/err")"
astra --csv "$work/csv" --start-delay 1:7us >/dev/null
same "$(awk -F, '$1 == 1 { print ($7 >= 27000 && $7 <= 27003) }' "$work/csv/EndToEnd.csv")" 1 'a late beginning counts for the CPU'
bytes=$(awk -F, 'NR > 2 { sum += $3 } END { print sum }' "$work/csv/links.csv")
[ "$bytes" -ge 100096 ] && [ "$bytes" -le $((100096 + 512)) ] && [ "$(carried 1)" -eq 0 ]
verdict $? "the message's 391 rows are on links of its sender, with what says where they go: $(cat "$work/csv/links.csv")"
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/memory.json"
printf 'topology: [Ring, Ring]\nnpus_count: [4, 4]\nbandwidth: [50, 50]\nlatency: [100, 100]\n' >"$work/network.yml"
traces 0 65536

# ---- what is refused, and what cannot be ---------------------------------------------------------------------------
at=("--network-configuration" "$work/network.yml" "--system-configuration" "$work/system.json")
for word in RG lessRemainingPhaseFirst; do
    system "\"intra-dimension-scheduling\": \"$word\""
    refused "found '$word', expected FIFO, or SCF" convert "${at[@]}"
done
system '"inter-dimension-scheduling": "roundRobin"'
refused "found 'roundRobin', expected baseline, or themis" convert "${at[@]}"
system '"inter-dimension-scheduling": "themis", "intra-dimension-scheduling": "SCF", "active-chunks-per-dimension": 7'
"$acesim" convert "${at[@]}" >/dev/null 2>"$work/err" && grep -qF 'schedule balanced of a run' "$work/err" &&
    grep -qF 'smallest-first 7 of a run' "$work/err"
verdict $? "a cluster file has neither: $(cat "$work/err")"
system '"intra-dimension-scheduling": "SCF"'
astra --start-delay 3:10us >/dev/null
grep -qF 'SCF has no effect where NPUs are not alike' "$work/err"
verdict $? "NPUs that differ: $(cat "$work/err")"

echo "policies: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# convert.sh [ACESIM] -- acesim convert: a cluster file made from ASTRA-sim's files must give the cycles that acesim
# astra gives with those files. A round trip must give the same file. What would be lost must be named.
. "$(dirname "$0")/../begin.sh"

refused() { # TEXT ARGUMENTS...
    local text=$1 status
    shift
    "$acesim" convert "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq 2 ] && grep -qF -- "$text" "$work/err"
    verdict $? "acesim convert $*: status $status, expected 2 and '$text', got: $(head -n 2 "$work/err")"
}
theirs() { # FOLDER OPTIONS...: their files in the folder, into a cluster file
    local folder=$1
    shift
    "$acesim" convert --network-configuration "$folder/network.yml" --system-configuration "$folder/system.json" "$@" 2>"$work/notes"
}

# ---- three fabrics, there and back and there again --------------------------------------------------------
n=0
while IFS='|' read -r network system; do
    n=$((n + 1))
    mkdir "$work/$n"
    printf '%b' "$network" >"$work/$n/network.yml"
    printf '%s' "$system" >"$work/$n/system.json"
    theirs "$work/$n" --output "$work/$n.yaml"
    verdict $? "fabric $n becomes a cluster file: $(cat "$work/notes")"
    "$acesim" convert "$work/$n.yaml" --output "$work/$n-back" 2>"$work/err"
    verdict $? "fabric $n goes back: $(cat "$work/err")"
    theirs "$work/$n-back" --output "$work/$n-again.yaml"
    cmp -s <(tail -n +2 "$work/$n.yaml") <(tail -n +2 "$work/$n-again.yaml")
    verdict $? "fabric $n comes again as it was"
    # Their numbers, read by another reader than ours.
    python3 - "$work/$n" "$work/$n-back" <<'END'
import json, re, sys
def network(folder):
    return {k: [w if w[0].isalpha() else float(w) for w in v.replace(" ", "").split(",")]
            for k, v in re.findall(r"^(\w+): *\[(.*)\]", open(folder + "/network.yml").read(), re.M)}
a, b = network(sys.argv[1]), network(sys.argv[2])
assert a.keys() == b.keys(), (a, b)
for k in a:
    for x, y in zip(a[k], b[k], strict=True):
        assert x == y or abs(x - y) < 1e-6 * y, (k, a[k], b[k])      # bandwidths are made of GB/s with six places
s, t = (json.load(open(f + "/system.json")) for f in sys.argv[1:3])
for k in s:
    assert t[k] == s[k], (k, s[k], t[k])
END
    verdict $? "fabric $n goes back with its numbers"
done <<'END'
topology: [Ring]\nnpus_count: [4]\nbandwidth: [50.0]\nlatency: [500.0]\n|{"scheduling-policy": "LIFO", "all-reduce-implementation": ["ring"], "all-gather-implementation": ["ring"]}
topology: [Ring, FullyConnected, Switch]\nnpus_count: [4, 8, 2]\nbandwidth: [100.0, 12.5, 25.0]\nlatency: [90, 400, 700]\n|{"scheduling-policy": "FIFO", "all-reduce-implementation": ["ring", "direct", "halvingDoubling"]}
topology: [Switch, Ring]\nnpus_count: [8, 2]\nbandwidth: [150.0, 20.0]\nlatency: [200, 900]\n|{"scheduling-policy": "LIFO", "roofline-enabled": 1, "local-mem-bw": 1600, "peak-perf": 900}
END

# ---- the same cycles as acesim astra ----------------------------------------------------------------------
inputs=workloads/astra-sim-2
"$acesim" convert --network-configuration $inputs/Ring_4npus.yml --system-configuration $inputs/Ring_4chunks.json \
    --remote-memory-configuration $inputs/no_memory_expansion.json --output "$work/ring.yaml" 2>"$work/notes"
verdict $? "ASTRA-sim's example"
[ "$(grep -c 'has no effect here' "$work/notes")" -eq 4 ]
verdict $? "what has no effect here is told: $(cat "$work/notes")"
# Their traces are one all-reduce of 1 MiB.
found=$("$acesim" astra --workload-configuration $inputs/all_reduce --system-configuration $inputs/Ring_4chunks.json \
    --network-configuration $inputs/Ring_4npus.yml --remote-memory-configuration $inputs/no_memory_expansion.json \
    2>/dev/null | grep -oE '[0-9]+ cycles' | head -n 1)
expected=$("$acesim" collective all-reduce --size 1MiB --topology 4 --link-bandwidth 53.687091GB/s --link-latency 500 \
    --link-efficiency 1 --clock 1GHz --algorithm ring --format json 2>/dev/null |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])')
[ "$found" = "$expected cycles" ]
verdict $? "acesim astra $found, the cluster by hand $expected cycles"
made=$(python3 - "$work/ring.yaml" <<'END'
import sys
text = open(sys.argv[1]).read()
for part in ("topology: Ring(4)\n", "npu_bandwidth: 107.374182GB/s", "latency: 500", "link_efficiency: 1\n", "clock: 1000MHz\n", "algorithms: ring\n"):
    if part not in text: print("without", part)
END
)
[ -z "$made" ]
verdict $? "the file says the cluster by hand: $made"

# ---- files of ASTRA-sim 1.0, and of backends that are none of ours ---------------------------------------------
# An NPU's links of a dimension count both directions of a ring, or all links to peers, or the link to a switch. Delays
# at the ends and in a switch are part of the links' latency.
one() { # FILE SYSTEM: a cluster file of them, without its first line
    "$acesim" convert --network-configuration "$1" --system-configuration "$2" 2>"$work/notes" | tail -n +2
}
cat >"$work/one.json" <<'END'
{ "topology-name": "Hierarchical", "dimensions-count": 3,
  "topologies-per-dim": ["Ring", "FullyConnected", "Switch"], "dimension-type": ["T", "N", "PP"],
  "units-count": [4, 5, 2], "links-count": [4, 8, 3], "link-latency": [100, 200, 300], "link-bandwidth": [50, 10, 12.5],
  "nic-latency": [0, 25, 40], "router-latency": [0, 9, 20], "hbm-latency": [500, 500, 500],
  "hbm-bandwidth": [370, 370, 370], "hbm-scale": [0, 0, 1] }
END
printf 'topology: [Ring, FullyConnected, Switch]\nnpus_count: [4, 5, 2]\nbandwidth: [100, 20, 37.5]\nlatency: [100, 250, 350]\n' >"$work/two.yml"
printf 'scheduling-policy: FIFO\nendpoint-delay: 10\nall-reduce-implementation: ring_direct_halvingDoubling\nall-to-all-implementation: oneRing\n' >"$work/one.txt"
printf '{"scheduling-policy": "FIFO", "all-reduce-implementation": ["ring", "direct", "halvingDoubling"]}' >"$work/two.json"
same "$(one "$work/one.json" "$work/one.txt")" "$(one "$work/two.yml" "$work/two.json")" 'a network and a system of 1.0 and of 2.x'
[ -n "$(one "$work/one.json" "$work/one.txt")" ] && [ "$(grep -c 'has no effect here' "$work/notes")" -eq 3 ]
verdict $? "what of them has no effect here is told: $(cat "$work/notes")"
wrong_network() { # TEXT SED
    sed "$2" "$work/one.json" >"$work/wrong.json"
    refused "$1" --network-configuration "$work/wrong.json" --system-configuration "$work/one.txt"
}
wrong_network 'found links-count 3 of a Ring in dimension 0, expected an even number' 's/\[4, 8, 3\]/[3, 8, 3]/'
wrong_network 'found links-count 6 of a FullyConnected in dimension 1, expected a multiple' 's/\[4, 8, 3\]/[4, 6, 3]/'
wrong_network 'found nic-latency of a Ring in dimension 0, expected 0' 's/\[0, 25, 40\]/[5, 25, 40]/'
wrong_network 'found 2 values of units-count and 3 of topologies-per-dim' 's/\[4, 5, 2\]/[4, 5]/'
wrong_network 'found dimensions-count 2 and 3 of topologies-per-dim' 's/count": 3/count": 2/'
wrong_network "found 'Mesh'" 's/"Switch"/"Mesh"/'
other() { # TEXT CONTENT
    printf "$2" >"$work/other"
    refused "$1" --network-configuration "$work/other" --system-configuration "$work/one.txt"
}
other ':2:1: found the network of Garnet' '\nnum-npus: 8\n'
other ':2:6: found the logical dimensions of ns-3' '{\n    "logical-dims": ["8"]\n}\n'
other ":1:1: found the tiers of htsim's fat tree" 'Nodes 8\nTiers 3\n'
sed 's/ring_direct/ring_mesh/' "$work/one.txt" >"$work/mesh.txt"
refused ":3:28: found 'ring_mesh_halvingDoubling', expected ring, direct, halvingDoubling or doubleBinaryTree" \
    --network-configuration "$work/one.json" --system-configuration "$work/mesh.txt"
refused "$work/absent" --network-configuration "$work/absent" --system-configuration "$work/one.txt"

# ---- what would be lost, and what is no input -------------------------------------------------------------
refused "torus-4x2x2.yaml:6:8: found '1245MHz' for clock, expected 1000MHz" workloads/clusters/torus-4x2x2.yaml --output "$work/lost"
refused "for link_efficiency, expected 1" workloads/clusters/torus-4x2x2.yaml --output "$work/lost"
[ ! -e "$work/lost" ]
verdict $? "nothing is written where something would be lost"
printf 'topology: 4\nlink_efficiency: 1\nclock: 1 GHz\nace: {fsms: 4}\n' >"$work/fsms.yaml"
refused "for ace.fsms, expected 16" "$work/fsms.yaml" --output "$work/lost"
printf '{"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 1, "remote-mem-bw": 10}' >"$work/memory.json"
refused 'expected NO_MEMORY_EXPANSION' --network-configuration $inputs/Ring_4npus.yml \
    --system-configuration $inputs/Ring_4chunks.json --remote-memory-configuration "$work/memory.json"
refused 'found --network-configuration without --system-configuration' --network-configuration $inputs/Ring_4npus.yml
refused 'found a cluster file without --output, expected --output FOLDER' workloads/clusters/torus-4x2x2.yaml
refused "found a cluster file beside files of ASTRA-sim" workloads/clusters/torus-4x2x2.yaml --network-configuration $inputs/Ring_4npus.yml
refused "found no file, expected both of --network-configuration"
refused "expected a frequency" --clock x

# ---- a layer table to traces ------------------------------------------------------------------------------
printf 'topology: [Ring, Ring]\nnpus_count: [4, 2]\nbandwidth: [100.0, 50.0]\nlatency: [100, 500]\n' >"$work/net.yml"
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/mem.json"
echo '{ "scheduling-policy": "FIFO", "roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1000 }' >"$work/sys.json"
table() { # FILE: into traces w
    "$acesim" convert --workload-table "$1" --network-configuration "$work/net.yml" --output "$work/w" "${@:2}" 2>"$work/notes"
}
runs() {
    "$acesim" astra --workload-configuration "$work/w" --system-configuration "$work/sys.json" --endpoint ideal --quiet \
        --network-configuration "$work/net.yml" --remote-memory-configuration "$work/mem.json" >"$work/out" 2>"$work/err"
}
# ResNet-50's own sums: all passes, but no input gradient of the first layer; the bytes of all gradients.
resnet=workloads/astra-sim/Resnet50_DataParallel.txt
table $resnet --passes 2
verdict $? "ResNet-50's table becomes traces: $(cat "$work/notes")"
runs
verdict $? "ResNet-50's traces run: $(head -n 2 "$work/err")"
read -r compute bytes < <(awk 'NR > 2 { c += $3 + $9 + (NR > 3 ? $6 : 0); b += $11 } END { print c, b }' $resnet)
[ "$(sed -nE 's/.*sys\[3\], GPU time: ([0-9]+)$/\1/p' "$work/out")" = $((2 * compute)) ] &&
    grep -qF "$((2 * 8 * bytes)) bytes" "$work/out"
verdict $? "ResNet-50: compute of $((2 * compute)) ns and $((16 * bytes)) bytes: $(head -n 4 "$work/out")"
[ "$(ls "$work"/w.*.et | wc -l)" -eq 8 ] && cmp -s "$work/w.0.et" "$work/w.7.et"
verdict $? 'a trace for each NPU'
# Another reader of the bytes checks which node waits for which.
waits() { # EXPECTED: lines of NODE: PARENTS, of node 0 on
    python3 - "$work/w.0.et" "$1" <<'END2'
import sys
def varint(b, i):
    v = s = 0
    while True:
        v |= (b[i] & 127) << s
        s += 7
        i += 1
        if b[i - 1] < 128:
            return v, i
def fields(b):
    i = 0
    while i < len(b):
        k, i = varint(b, i)
        if k & 7 == 0:
            v, i = varint(b, i)
        else:
            assert k & 7 == 2, k
            n, i = varint(b, i)
            v, i = b[i:i + n], i + n
        yield k >> 3, v
def whole(b):
    i, out = 0, []
    while i < len(b):
        v, i = varint(b, i)
        out.append(v)
    return out
b, i, first, text = open(sys.argv[1], "rb").read(), 0, True, []
while i < len(b):
    n, i = varint(b, i)
    m, i = b[i:i + n], i + n
    if first:
        assert list(fields(m)) == [(1, b"0.0.4")]
        first = False
        continue
    name, kind, deps, attr, us = "", 0, [], {}, 0
    for f, v in fields(m):
        if f == 2: name = v.decode()
        if f == 3: kind = v
        if f == 5: deps += whole(v) if isinstance(v, bytes) else [v]
        if f == 7: us = v
        if f == 10:
            a = dict(fields(v))
            attr[a[1].decode()] = next((x for k, x in a.items() if k != 1), 0)
    what = name + f" {us}us" if kind == 4 else name
    if kind == 7:
        dims = "".join(map(str, whole(dict(fields(attr["involved_dim"]))[1])))
        what = f"{name} {attr['comm_type']} {attr['comm_size']} {dims}"
    text.append(what + ": " + " ".join(map(str, deps)))
if "\n".join(text) != sys.argv[2]:
    sys.exit("found\n" + "\n".join(text))
END2
}
printf 'HYBRID_TRANSFORMER model_parallel_NPU_group: 4\n2\nq -1 2000 ALLGATHER 100 3000 ALLREDUCE 200 1000 ALLREDUCE 300 1\nr -1 4000 NONE 0 5000 NONE 0 1499 REDUCESCATTER 400 1\n' >"$work/table"
table "$work/table"
waits 'q, forward 2us: 
q, forward, collective 2 100 10: 0
r, forward 4us: 0 1
r, weight gradient 1us: 2
r, weight gradient, collective 7 400 01: 3
r, input gradient 5us: 3
q, input gradient 3us: 5
q, input gradient, collective 0 200 10: 6
q, weight gradient 1us: 6
q, weight gradient, collective 0 300 01: 8'
verdict $? 'a transformer: who waits for whom'
printf 'HYBRID_DLRM 1\n3\ne -1 1000 ALLTOALL 64 1000 ALLTOALL 64 1000 NONE 0 1\nb -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 32 1\nt -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 16 1\n' >"$work/table"
table "$work/table"
waits 'e, forward 1us: 
e, forward, collective 6 64 11: 0
b, forward 1us: 0
t, forward 1us: 2 1
t, weight gradient 1us: 3
t, weight gradient, collective 0 16 11: 4
t, input gradient 1us: 4
e, input gradient, collective 6 64 11: 6
b, weight gradient 1us: 6
b, weight gradient, collective 0 32 11: 8
b, input gradient 1us: 8
e, input gradient 1us: 10 7
e, weight gradient 1us: 11 7'
verdict $? 'DLRM: who waits for whom'
runs
verdict $? "DLRM's traces run: $(head -n 2 "$work/err")"
printf 'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 checkpoints: 1 0 checkpoint_initiates: 1 1\n2\na -1 1000 NONE 0 1000 NONE 0 1000 NONE 0 1\nb -1 2000 NONE 0 1000 NONE 0 0 ALLREDUCE 8 1\n' >"$work/table"
table "$work/table"
waits 'a, forward 1us: 
b, forward 2us: 0
a, forward 1us: 1
b, forward 2us: 2
b, weight gradient: 3
b, weight gradient, collective 0 8 11: 4
b, input gradient 1us: 4
a, weight gradient 1us: 6'
verdict $? 'forward again in the backward pass'
printf 'HYBRID_CUSTOMIZED\n1\na -1 9 ALLGATHER 8 9 NONE 0 9 ALLREDUCE 8 1 HYBRID_MODEL_DATA\n' >"$work/table"
table "$work/table"
waits 'a, forward 0us: 
a, forward, collective 2 8 01: 0
a, weight gradient 0us: 0 1
a, weight gradient, collective 0 8 10: 2'
verdict $? 'a layer that says how it is divided'
# SimAI's keys: expert parallel groups, gathered bytes, what is told.  The network is 2 x 2 x 2: a collective's dimensions
# are the model's x, the experts' y and z that is left, and the shard of two a half, rounded up.
printf 'topology: [Ring, Ring, Ring]\nnpus_count: [2, 2, 2]\nbandwidth: [100.0, 50.0, 50.0]\nlatency: [100, 500, 500]\n' >"$work/three.yml"
simai='HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 4 vpp: 2 ga: 8 all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0 pp_comm'
rows='a -1 1000 ALLGATHER 101 1000 ALLTOALL_EP 4096 1000 REDUCESCATTER_DP_EP 8192 1\nb -1 1000 BROADCAST 64 1000 REDUCESCATTER 0 1000 ALLGATHER_DP_EP 8191 1\nc -1 1000 NONE 0 1000 NONE 0 1000 ALLGATHER 400 1\n'
printf "$simai 12582912.0\n3\n$rows" >"$work/table"
"$acesim" convert --workload-table "$work/table" --network-configuration "$work/three.yml" --output "$work/w" 2>"$work/notes"
waits 'a, forward 1us: 
a, forward, collective 2 51 100: 0
b, forward 1us: 0 1
c, forward 1us: 2
c, weight gradient 1us: 3
c, weight gradient, collective 2 100 011: 4
c, input gradient 1us: 4
b, weight gradient 1us: 6
b, weight gradient, collective 2 4096 001: 7
b, input gradient 1us: 7
a, input gradient 1us: 9
a, input gradient, collective 6 4096 010: 10
a, weight gradient 1us: 10
a, weight gradient, collective 7 8192 001: 12'
verdict $? "SimAI's groups and bytes: $(cat "$work/notes")"
for text in '1 times BROADCAST' 'pp: 4 vpp: 2 ga: 8 pp_comm 12582912 make no cycle' 'all_gpus: 64, 16 of a stage, and the network has 8 NPUs' 'have 4 members in place of 8'; do
    grep -qF "$text" "$work/notes"
    verdict $? "told: $text: $(cat "$work/notes")"
done
"$acesim" convert --workload-table "$work/table" --network-configuration "$work/three.yml" --output "$work/w" --all-gathers shard 2>"$work/notes"
[ "$("$acesim" convert --workload-configuration "$work/w" 2>/dev/null | grep -cE 'comm_size.*: (101|8191|400)\}')" -eq 24 ]
verdict $? 'bytes of all-gathers as shards: 3 of each NPU'
table_refused() { # TEXT TABLE
    printf "$2" >"$work/table"
    refused "$1" --workload-table "$work/table" --network-configuration "$work/net.yml" --output "$work/w"
}
table_refused ':5:1: found the end of the file behind 2 layers, expected 839, which line 2 says' \
    'DATA\n839\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'
table_refused 'found ep: 3, expected the product of the dimensions of the network behind' \
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 4 ep: 3\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'
table_refused ":3:8: found 'ALLTOALL_EP', which is not modelled in the forward pass" \
    'DATA\n1\na -1 1 ALLTOALL_EP 8 1 NONE 0 1 NONE 0 1\n'
table_refused ":1:41: found 'x', expected bytes" 'HYBRID_TRANSFORMER ep: 1 ga: 2 pp_comm: x\n1\n'
refused "found 'all', expected shard or total" --workload-table "$work/table" --all-gathers all
table_refused ':3:8: found a collective of the forward pass, which DATA has for no NPUs, expected NONE' \
    'DATA\n1\na -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n'
table_refused ":3:8: found 'GATHER', which is not modelled in the forward pass" 'DATA\n1\na -1 1 GATHER 8 1 NONE 0 1 NONE 0 1\n'
table_refused 'found model_parallel_NPU_group: 3, expected the product of the first dimensions' \
    'HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'
table_refused ":1:20: found 'dp:'" 'HYBRID_TRANSFORMER dp: 2\n1\n'
table_refused ":3:43: found the end of the line" 'HYBRID_CUSTOMIZED\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1234567890\n'
table_refused 'expected one before the last layer' 'HYBRID_DLRM 0\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'
table_refused 'a checkpoint of a layer that there is not' \
    'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 checkpoints: 1 7\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n'
refused 'or a network without an output' --workload-table "$work/table" --network-configuration "$work/net.yml"
refused 'found --workload-table or --workload beside other files' --workload-table "$work/table" --workload "$work/table"

# ---- a layer table to a workload, and back ------------------------------------------------------------------
"$acesim" convert --workload-table $resnet --output "$work/model.yaml" && "$acesim" convert --workload "$work/model.yaml" >"$work/table"
cmp -s <(tr -s ' \t\r' '\t' <$resnet | sed 's/\t*$//' | grep .) "$work/table"
verdict $? "ResNet-50's table comes back word for word: $(diff <(tr -s ' \t\r' '\t' <$resnet) "$work/table" | head -n 3)"
answer() { "$acesim" run workloads/clusters/torus-4x2x2.yaml "$1" --endpoint ideal --quiet | tail -n +2; }
same "$(answer "$work/model.yaml")" "$(answer $resnet)" 'a run of the workload, and of the table'
printf "DATA\n2\nit's:#{ -1 1 NONE 0 2 NONE 0 3 ALLREDUCE 4 5\n- -1 0 NONE 0 0 NONE 0 0 NONE 0 0\n" >"$work/odd"
"$acesim" convert --workload-table "$work/odd" --output "$work/model.yaml" && "$acesim" convert --workload "$work/model.yaml" >"$work/table"
cmp -s <(tr ' ' '\t' <"$work/odd") "$work/table"
verdict $? "odd names come back: $(cat "$work/model.yaml" "$work/table")"
wrong() { # TEXT YAML: no layer table
    printf "$2" >"$work/wrong.yaml"
    refused "$1" --workload "$work/wrong.yaml"
}
given='layers:\n  - {kind: given, name: a, forward: 1, input: 2, weight: 3}\n'
wrong 'found layers by shape' 'layers: [{kind: softmax, name: a, width: 3}]\n'
wrong 'found the path of a layer table' 'layers: table\n'
wrong 'found a minibatch' "minibatch: 3\n$given"
wrong 'found an element' "element: fp16\n$given"
wrong 'found a compute_clock' "compute_clock: 2 GHz\n$given"
wrong 'found shapes, parameters or a loop' "loop: plain\n$given"
wrong ':3:5: found layers by shape beside given ones' "$given  - {kind: softmax, name: a, width: 3}\n"
wrong "found unknown key 'width'" 'layers: [{kind: given, name: a, width: 3}]\n'
wrong "a mapping without it, expected the key 'weight'" 'layers: [{kind: given, name: a, forward: 3, input: 3}]\n'
printf 'MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n' >"$work/table"
refused ':1:1: found MICRO, expected DATA' --workload-table "$work/table"
printf 'MODEL\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n' >"$work/table"
refused ":1:1: found parallelism 'MODEL', which is not modelled" --workload-table "$work/table"

echo "convert: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# late_starts.sh [ACESIM] -- the ideal endpoint is a lower bound, NPU by NPU, when NPUs begin a collective at different
# times: random graphs on rings, switches and full connections. In small collectives the result comes by a closed form:
# the start of each member, and the steps from there.
. "$(dirname "$0")/../begin.sh"

make=$(realpath tests/program/foreign/late_starts.py)
cd "$work" || exit 1
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >none.json

# The cycles in which the NPUs finish, in the order of their numbers.
finished() { # K ENDPOINT [OPTIONS...]
    "$acesim" astra --workload-configuration "$1" --system-configuration "$1.json" --network-configuration "$1.yml" \
        --remote-memory-configuration none.json --quiet --endpoint "${@:2}" 2>"$work/err" |
        sed -n 's/.*sys.\([0-9]*\). finished, \([0-9]*\) cycles.*/\1 \2/p' | sort -n
}

# ---- closed forms -------------------------------------------------------------------------------------------
# One small collective on Ring(8). NPU 7 begins at 1,000 us, NPU 3 at 500 us, the others at once. A step takes 5,000 cycles
# on the wire, and one at the endpoint. Results cost at most 70 cycles more.
cat >one.py <<'PYTHON'
import sys
path, kind, late = sys.argv[1], sys.argv[2], {7: 1000, 3: 500}
out = ["ranks: 8"]
for npu in range(8):
    out.append(f'---\nrank: {npu}\nnodes: {1 + (npu in late)}\n---\nversion: "0.0.4"')
    if npu in late:
        out.append(f'---\nid: 0\nname: "w"\ntype: COMP_NODE\nduration_micros: {late[npu]}\nattr:\n- {{name: "is_cpu_op", bool_val: false}}')
    out.append('---\nid: 1\nname: "c"\ntype: COMM_COLL_NODE\n' + ("data_deps: [0]\n" if npu in late else "") +
               'attr:\n- {name: "is_cpu_op", bool_val: false}\n- {name: "comm_type", int64_val: %s}\n- {name: "comm_size", int64_val: 8192}' % kind)
open(path, "w").write("\n".join(out) + "\n")
PYTHON
printf 'topology: [ Ring ]\nnpus_count: [ 8 ]\nbandwidth: [ 50.0 ]\nlatency: [ 5000 ]\n' >one.yml
cat >one.json <<'JSON'
{ "scheduling-policy": "FIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1, "preferred-dataset-splits": 8,
  "all-reduce-implementation": ["ring"], "all-gather-implementation": ["ring"], "reduce-scatter-implementation": ["ring"],
  "all-to-all-implementation": ["direct"], "collective-optimization": "localBWAware", "local-mem-bw": 1600 }
JSON
# BARRIER, ALL_TO_ALL and BROADCAST take the shorter way round, one hop to four. The others have chunks in both directions or in one.
for kind in 9 6 5; do
    python3 one.py one.yaml $kind
    "$acesim" convert --graph one.yaml --output one >/dev/null 2>&1
    finished one ideal | awk '{ hops = ($1 + 1) % 8; if (hops > 4) hops = 8 - hops; over = $2 - 1000000 - 5001 * hops
        if (over < 0 || over > 70) print "NPU", $1, $2; n++ } END { print n }' >found
    same "$(cat found)" 8 "comm_type $kind: the shortest way from the last member"
done
python3 one.py one.yaml 2
"$acesim" convert --graph one.yaml --output one >/dev/null 2>&1
finished one ideal | awk '{ up = ($1 + 1) % 8; down = (7 - $1) % 8; hops = up < down ? up : down; over = $2 - 1000000 - 5001 * hops
    if ($1 != 7 && (over < 0 || over > 70)) print "NPU", $1, $2; n++ } END { print n }' >found
same "$(cat found)" 8 'an all-gather of one chunk: from the last member in a direction'

# Two all-to-alls of 80 MB. NPU 0 begins the second after the first, the others begin both at once. While NPU 0's links carry
# the first, they cannot forward rows of the second. Each puts 160 MB on two links of
# 50 * 2^30 bytes a second: 1,490,117 ns.
{
    echo 'ranks: 8'
    for npu in 0 1 2 3 4 5 6 7; do
        printf -- '---\nrank: %d\nnodes: 2\n---\nversion: "0.0.4"\n' $npu
        for id in 1 2; do
            printf -- '---\nid: %d\nname: "c"\ntype: COMM_COLL_NODE\n' $id
            [ $npu$id != 02 ] || echo 'data_deps: [1]'
            printf 'attr:\n- {name: "is_cpu_op", bool_val: false}\n- {name: "comm_type", int64_val: 6}\n'
            echo '- {name: "comm_size", int64_val: 80000000}'
        done
    done
} >one.yaml
"$acesim" convert --graph one.yaml --output one >/dev/null 2>err
finished one ideal >found
[ "$(wc -l <found)" = 8 ] && awk '$2 < 2 * 1490116 || $2 > 2.02 * 1490116 { exit 1 }' found
verdict $? "two all-to-alls, NPU 0 late to the second: $(tr '\n' ';' <found) $(head -n 1 err)"

# ---- the bound ----------------------------------------------------------------------------------------------
python3 "$make" . 7 16 >list || verdict 1 'no graphs were written'
while read -r k what; do
    "$acesim" convert --graph "$k.yaml" --output "$k" >/dev/null 2>err || verdict 1 "$k $what: $(head -n 1 err)"
    finished "$k" ace >ace
    finished "$k" ideal >ideal
    worse=$(join ace ideal | awk '$3 > $2 { print "NPU", $1, "ace", $2, "ideal", $3 }' | head -n 1)
    [ -s ace ] && [ "$(wc -l <ace)" = "$(wc -l <ideal)" ] && [ -z "$worse" ]
    verdict $? "$k $what: $worse $(head -n 1 err)"
done <list

# Threads and checkpoints change no cycle.
finished 0 ideal >found
finished 0 ideal --threads 3 >threads
same "$(cat threads)" "$(cat found)" 'three threads'
middle=$(awk '{ print int($2 / 2) }' found | sort -n | tail -n 1)
finished 0 ideal --checkpoint half --checkpoint-every "${middle:-1}" >whole
same "$(cat whole)" "$(cat found)" 'a run with checkpoints'
finished 0 ideal --resume half >resumed
same "$(cat resumed)" "$(cat found)" 'resumed between the starts'

# A slow NPU of a training is late in each collective.
for order in fifo lifo; do
    at() { "$acesim" run clusters/torus-4x2x2.yaml models/dlrm.yaml --order $order --speed 0.5:7 --endpoint "$1" --quiet --format json 2>err |
        sed -n 's/.*"cycles":[^0-9]*\([0-9]*\),/\1/p' | head -n 1; }
    ideal=$(at ideal) ace=$(at ace)
    [ "${ideal:-0}" -gt 0 ] && [ "${ideal:-0}" -le "${ace:-0}" ]
    verdict $? "a training with a slow NPU, $order: ideal ${ideal:-none}, ace ${ace:-none}; $(head -n 1 err)"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

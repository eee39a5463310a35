#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Last in, first out where nodes reach their collectives at different times: the engines agree on collectives that all
# of them have. The test measures the cost of agreement when no node is late, and checks what is refused.
. "$(dirname "$0")/../begin.sh"

cluster=workloads/clusters/torus-4x2x2.yaml

# ---- nodes that are late ----

layers() { # SEED: layers whose compute and gradients differ, in us and bytes
    local i
    RANDOM=$1
    printf 'DATA\n8\n'
    for i in 1 2 3 4 5 6 7 8; do
        printf 'l%u -1 %u NONE 0 %u NONE 0 %u ALLREDUCE %u 50\n' $i $((RANDOM % 40 + 1)) $((RANDOM % 40 + 1)) \
            $((RANDOM % 40 + 1)) $(((RANDOM % 30 + 1) * 10000))
    done
}

late() { # SEED TOPOLOGY SPEEDS arguments: runs, with the bytes of first in, first out
    local seed=$1 topology=$2 speeds=$3 order
    shift 3
    layers "$seed" >"$work/layers.txt"
    for order in fifo lifo; do
        "$acesim" run $cluster "$work/layers.txt" --topology "$topology" --speed "$speeds" --iterations 2 \
            --order $order --format json "$@" >"$work/$order.json" 2>"$work/err"
        verdict $? "$topology $speeds, seed $seed, --order $order $*: $(tail -1 "$work/err")"
    done
    grep -q -- '--order lifo is agreed' "$work/err"
    verdict $? "--order lifo with --speed says nothing of the order"
    grep -q '"order":[[:space:]]*"agreed"' "$work/lifo.json"
    verdict $? "$topology: --order lifo with --speed is not agreed"
    cmp <(grep bytes_sent "$work/fifo.json") <(grep bytes_sent "$work/lifo.json")
    verdict $? "$topology $speeds, seed $seed: not the same bytes in each order"
}

seed=0
for topology in 4x1x1 2x2 3x2x2 'FullyConnected(4)' 'Switch(4)_Ring(2)' 'Ring(2)_Switch(3)' 2x2x2x2; do
    for speeds in 0.5:1 0.9:0,3 0.25:2; do
        late $((++seed)) "$topology" $speeds
    done
done
late 100 4x4x4 0.7:5,21
late 101 4x2x1 '0.3:2;0.8:5' --link-latency 700
late 102 4x2x1 '0.3:2;0.8:5' --chunk 4KiB

# ---- the same on both rungs, with threads, and unfolded ----

same() { # arguments: what is left of a result without what says how it was made
    "$acesim" run $cluster "$work/layers.txt" --topology 4x2 --speed 0.6:5 --order agreed --iterations 1 \
        --format json "$@" 2>"$work/err" >"$work/same.json" || { verdict 1 "$*: $(tail -1 "$work/err")"; return; }
    grep -v -e rung -e nodes_simulated -e folding -e fast_forward -e config_digest -e '"command"' "$work/same.json"
}
layers 7 >"$work/layers.txt"
same >"$work/one"
for how in '--threads 2' '--rung rtl:0,5;cycle:rest' '--fast-forward off'; do
    read -ra arguments <<<"$how"
    same "${arguments[@]}" >"$work/other"
    cmp "$work/one" "$work/other"
    verdict $? "--order agreed $how: not the same"
done

# ---- what a round costs: each number goes to all others of a dimension, one after the other ----

cycles() { "$acesim" collective "$@" --format json 2>"$work/err" | sed -n 's/^\t"cycles":\t\([0-9]*\).*/\1/p'; }

costs() { # HOPS-CYCLES arguments: what a lone collective takes longer, to a few cycles
    local hops=$1 fifo agreed
    shift
    fifo=$(cycles "$@" --order fifo)
    agreed=$(cycles "$@" --order agreed)
    ((agreed - fifo >= hops - 8 && agreed - fifo <= hops + 8))
    verdict $? "$*: ${fifo:-none} cycles, agreed ${agreed:-none}; expected about $hops more"
}

hop() { echo $(($1 + 8)); } # LATENCY: to the link's pins, along it, to the next member's registers
costs $((3 * $(hop 90))) all-reduce --topology 4x1x1 --size 64KiB --link-latency 90
costs $((3 * $(hop 90) + 2 * $(hop 200) + $(hop 500))) all-reduce --topology 4x3x2 --size 1MiB --link-latency 90,200,500
costs $((3 * $(hop 90))) all-gather --topology 4x1x1 --size 16MiB --link-latency 90
costs $((3 * $(hop 90) + 6 * $(hop 500))) all-reduce --topology 4x4x4 --size 16MiB --link-latency 90,500,500
costs 0 all-reduce --topology 1x1x1 --size 64KiB # nobody to agree with

# ---- numbers are no contexts: a timeline of nodes that agree ends, in the memory of any other ----

layers 1 >"$work/layers.txt"
(
    grep -q __asan_init "$acesim" || ulimit -v 2000000 # AddressSanitizer takes terabytes of addresses
    exec timeout 100 "$acesim" run $cluster "$work/layers.txt" --speed 0.5:13 --order agreed --iterations 2 \
        --timeline "$work/trace"
) >"$work/out" 2>"$work/err"
verdict $? "a timeline of nodes that agree: $(tail -1 "$work/err")"

# ---- what is refused ----

refused 'software agrees on no order' collective all-reduce --topology 4x1x1 --size 1MiB --order agreed --endpoint comp-opt
refused 'software agrees on no order' collective all-reduce --topology 4x1x1 --size 1MiB --order agreed --compare ace,ideal
{ cat $cluster; echo 'order: agreed'; } >"$work/agreed.yaml"
refused 'of NPUs that may do different things' train workloads/models/gpt2-345m.yaml --cluster "$work/agreed.yaml" --strategy dp16

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

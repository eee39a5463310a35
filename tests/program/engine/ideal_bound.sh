#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The ideal endpoint is a lower bound of the engine, whatever the algorithm: every collective with every algorithm
# on every wiring, small vectors on long and on short links.  And the least time is a closed form: the steps of the
# algorithm that depend on one another, times the wires of a step.
. "$(dirname "$0")/../begin.sh"

cycles() { "$acesim" collective "$@" --quiet --format json 2>"$work/err" | grep -m1 '"cycles":' | tr -dc '0-9'; }

# Shares go directly to their owners, results come back doubling: 1 and log2 n steps.
cat >"$work/mixed.ace" <<'TEXT'
reduce-scatter mixed
  send    up to behind k    shard behind k from source reduce
  receive up from ahead k   shard ahead 0  reduce last
all-reduce mixed
  send    up to behind k    shard behind k from source reduce
  send    double to xor k   shards ahead 0 from target store wait step
  receive up from ahead k   shard ahead 0  reduce last
  receive double from xor k shards xor k   store
all-gather mixed copy
  send    double to xor k   shards ahead 0 from target store wait step
  receive double from xor k shards xor k   store
TEXT

# ---- closed forms ---------------------------------------------------------------------------------------
# A small vector on long links.  Each wire takes 4,000 cycles more in the second run.  So the result comes 4,000 cycles later
# for each wire of each step that needs the one before.
wires_of() { # KIND ARGUMENTS..
    local short long
    [ "$1" = barrier ] || set -- "$@" --size 32KiB
    short=$(cycles "$@" --link-latency 4000 --endpoint ideal)
    long=$(cycles "$@" --link-latency 8000 --endpoint ideal)
    echo $(((${long:-0} - ${short:-0}) / 4000)) $(((${long:-0} - ${short:-0}) % 4000))
}
while read -r kind topology algorithm wires; do
    same "$(wires_of "$kind" --topology "$topology" --algorithm "$algorithm")" "$wires 0" "wires of $kind $topology $algorithm"
done <<TABLE
all-reduce     Ring(8)              ring                  14
reduce-scatter Ring(8)              ring                  7
all-gather     Ring(8)              one-way-ring          7
all-reduce     4x2x2                ring                  10
all-reduce     FullyConnected(8)    ring                  14
all-reduce     Switch(8)            ring                  28
all-reduce     FullyConnected(8)    direct                2
reduce-scatter FullyConnected(8)    direct                1
all-gather     Switch(8)            direct                2
all-reduce     FullyConnected(8)    halving-doubling      6
all-reduce     Switch(16)           halving-doubling      16
reduce-scatter FullyConnected(16)   halving-doubling      4
all-reduce     FullyConnected(8)    double-binary-tree    6
all-reduce     FullyConnected(16)   double-binary-tree    8
all-reduce     FullyConnected(8)    fibonacci-tree        5
all-reduce     Switch(8)            in-network            2
all-reduce     Switch(16)           in-network            2
all-reduce     Ring(4)_Switch(8)    ring,in-network       8
all-reduce     Ring(4)_FullyConnected(8) ring,halving-doubling 12
all-reduce     FullyConnected(8)    $work/mixed.ace       4
reduce-scatter FullyConnected(8)    $work/mixed.ace       1
all-gather     Switch(8)            $work/mixed.ace       6
TABLE
while read -r kind topology wires; do # what is routed: half of each ring, one step of each hub
    same "$(wires_of "$kind" --topology "$topology")" "$wires 0" "wires of $kind $topology"
done <<TABLE
all-to-all     Ring(8)              4
all-to-all     FullyConnected(8)    1
all-to-all     Switch(8)            2
all-to-all     Ring(4)_Switch(4)    4
barrier        Ring(5)              2
barrier        Switch(5)            2
broadcast      FullyConnected(4)_Ring(6) 4
scatter        Ring(7)_Switch(2)    5
gather         Ring(8)              4
reduce         Ring(4)_Ring(4)      4
TABLE

same "$(wires_of send-receive --topology 'Ring(8)_Switch(2)' --from 1 --to 14)" '5 0' 'wires of a send'

# ---- the bound ------------------------------------------------------------------------------------------
at_most() { # ENDPOINT ARGUMENTS..
    local endpoint=$1 ideal other
    shift
    ideal=$(cycles "$@" --endpoint ideal)
    other=$(cycles "$@" --endpoint "$endpoint")
    [ "${ideal:-0}" -gt 0 ] && [ "${ideal:-0}" -le "${other:-0}" ]
    verdict $? "$*: ${ideal:-no} cycles on ideal, ${other:-no} on $endpoint; $(head -n 1 "$work/err")"
}
# On long links two sizes take turns. LONG=1 takes both for each collective; scripts/hunt.sh does.
tried=0
sizes_of() { # LATENCY: into $sizes
    local both=(1KiB 64KiB)
    sizes=8KiB
    [ "$1" = 20 ] || sizes=${both[tried % 2]}
    [ -z "${LONG:-}" ] || [ "$1" = 20 ] || sizes=${both[*]}
    tried=$((tried + 1))
}
for latency in 5000 20; do
    while read -r topology algorithms; do
        for algorithm in $algorithms; do
            # On short links all-reduces alone, but with LONG=1.
            for kind in all-reduce $([ $latency = 20 ] && [ -z "${LONG:-}" ] || echo reduce-scatter all-gather); do
                sizes_of $latency
                for size in $sizes; do
                    at_most ace $kind --topology "$topology" --algorithm "$algorithm" --size $size --link-latency $latency
                done
            done
        done
    done <<TABLE
Ring(8)               ring one-way-ring
Switch(8)             ring one-way-ring direct halving-doubling double-binary-tree fibonacci-tree in-network $work/mixed.ace
FullyConnected(8)     ring one-way-ring direct halving-doubling double-binary-tree fibonacci-tree $work/mixed.ace
Switch(5)             double-binary-tree fibonacci-tree in-network
Ring(2)_Switch(4)     ring,in-network ring,double-binary-tree
TABLE
    for topology in 'Ring(8)' 'Switch(8)' 'FullyConnected(8)' 'Ring(3)_Switch(4)'; do
        for kind in all-to-all 'all-to-all-v --skew 0.7' 'broadcast --root 3' 'reduce --root 1' 'gather --root 5' 'scatter --root 2' \
            'send-receive --from 1 --to 6'; do
            sizes_of $latency
            for size in $sizes; do
                # shellcheck disable=SC2086 # a kind and its options
                at_most ace $kind --topology "$topology" --size $size --link-latency $latency
            done
        done
        at_most ace barrier --topology "$topology" --link-latency $latency
    done
    # Chunks of both parities: each has a tree of its own, and another root.
    at_most ace all-reduce --topology 'FullyConnected(6)' --algorithm double-binary-tree --size 8KiB --chunk 4KiB \
        --link-latency $latency
    for topology in 'Switch(8)' 'FullyConnected(8)'; do # software goes round rings of the members
        for algorithm in ring direct; do
            at_most comm-opt all-reduce --topology "$topology" --algorithm $algorithm --size 8KiB --link-latency $latency
        done
    done
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Simulating one node for all that behave alike must give the same bytes of output as simulating every node, except for
# the lines with the number of simulated nodes and cycles.
. "$(dirname "$0")/../begin.sh"

same() { # MEMBERS arguments: folded to MEMBERS nodes, the same result as unfolded
    local members=$1 mode
    shift
    for mode in auto off; do
        "$acesim" "$@" --fold $mode --format json >"$work/$mode.json" 2>"$work/err" ||
            { verdict 1 "$* --fold $mode: $(tail -1 "$work/err")"; return; }
        grep -v -e nodes_simulated -e folding -e fast_forward "$work/$mode.json" >"$work/$mode"
    done
    cmp -s "$work/auto" "$work/off"
    verdict $? "$*: $(diff "$work/auto" "$work/off" | head -4)"
    grep -q "\"nodes_simulated\":[[:space:]]*$members," "$work/auto.json"
    verdict $? "$*: expected $members members, $(grep nodes_simulated "$work/auto.json")"
}

same 1 collective all-reduce --topology 4x4x4 --size 1MiB
same 1 collective reduce-scatter --topology 3x2x1 --size 1000003 --dims y,x
same 1 collective all-gather --topology 2x3x4 --size 99999 --order fifo
same 1 collective all-to-all --topology 4x2x3 --size 1000003
same 1 collective all-to-all --topology 5x2x2 --size 300000 --dims z,x
same 1 collective all-reduce --topology 4x2x2 --size 100001 --endpoint ideal
same 2 collective all-reduce --topology 4x2x1 --size 300000 --rung 'rtl:0,5;cycle:rest'
same 1 collective all-reduce --topology 2x2x2 --size 64KiB --rung rtl
same 2 collective all-to-all --topology 4x2x1 --size 50000 --rung 'rtl:0,5;cycle:rest'
# each member of a ring has another share of the padding, which also takes reads of the scratchpad
same 1 collective reduce-scatter --topology 4 --size 32KiB --chunk 256
same 1 collective reduce-scatter --topology 4 --size 16KiB --chunk 256 --rung rtl
# a hub serves its ports by how far away they are, so that its members are alike
same 1 collective all-reduce --topology 'Ring(4)_Switch(4)' --size 1MiB
same 1 collective all-reduce --topology 'Ring(4)_Switch(4)' --size 1MiB --order agreed
same 1 collective all-gather --topology 4x3x2 --size 300001 --order agreed
same 1 collective all-reduce --topology 'FullyConnected(8)' --size 1MiB
same 1 collective all-to-all --topology 'Switch(5)_FullyConnected(3)' --size 300001
same 4 collective all-reduce --topology 'Switch(8)_Ring(2)' --size 300001 --speed 0.5:0,4,8,12
same 4 collective all-to-all --topology 'FullyConnected(8)_Ring(2)' --size 300001 --speed 0.5:0,4,8,12
# but not where programs name members by number, or by their bits
same 2 collective all-gather --topology 'FullyConnected(3)_Ring(4)_Switch(2)' --size 300001 \
    --algorithm direct,one-way-ring,halving-doubling
same 10 collective all-reduce --topology 'Switch(5)_Ring(4)' --size 300000 \
    --algorithm double-binary-tree,ring --rung 'rtl:0,12;cycle:rest'
# a ring of two takes such programs, too
same 2 collective all-reduce --topology 'Ring(2)' --size 64KiB --algorithm double-binary-tree
same 12 collective all-reduce --topology 'Switch(6)_Ring(2)' --size 64KiB --algorithm fibonacci-tree,fibonacci-tree
same 1 collective all-reduce --topology 'Ring(2)_Ring(3)' --size 64KiB --algorithm direct,one-way-ring
same 1 collective all-reduce --topology 'Ring(4)_Switch(4)' --size 1MiB --endpoint comm-opt
same 1 collective all-to-all --topology 'FullyConnected(3)_Ring(4)' --size 300001 --endpoint no-overlap
# slow nodes that repeat every other place of x fold, those that do not, do not
same 2 collective all-reduce --topology 4x4x2 --size 200000 \
    --speed '0.25:0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30'
same 4 collective all-reduce --topology 4x4x2 --size 200000 --speed '0.25:0,2,8,10,16,18,24,26'
same 32 collective all-reduce --topology 4x4x2 --size 200000 --speed 0.25:3
same 1 collective all-reduce --topology 4x4x2 --size 500001 --endpoint comm-opt
same 4 collective reduce-scatter --topology 4x4x2 --size 300000 --endpoint comp-opt --sms 1 --speed 0.25:0,2,8,10,16,18,24,26
same 1 collective all-to-all --topology 3x2x4 --size 1000003 --endpoint no-overlap
same 45 collective all-to-all --topology 5x3x3 --size 300000 --endpoint comp-opt --speed 0.1:7
same 1 run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1 --endpoint no-overlap --order fifo
same 1 run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1
same 1 run workloads/clusters/torus-4x4x2.yaml workloads/models/dlrm.yaml --endpoint ideal
same 2 run workloads/clusters/torus-4x2x2.yaml workloads/models/dlrm.yaml --endpoint ideal \
    --speed '0.5:0,2,4,6,8,10,12,14' --dlrm-loop optimised
# what differs from node to node is not folded
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --payload random --format json \
    2>/dev/null | grep -q '"folding":[[:space:]]*"none: payload differs'
verdict $? 'payload is folded'

# Random speeds must equal a list of numbers that follow from the seed.
list=$(python3 - <<'END'
step, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
    return x ^ x >> 31
print(";".join(f"{0.6 + 0.4 * (mix(7 * step + node & mask) >> 11) * 2**-53:.17g}:{node}" for node in range(4)))
END
)
cycles() { # SPEEDS
    "$acesim" collective all-reduce --topology 4x1x1 --size 1MiB --speed "$1" --format json 2>/dev/null |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'
}
[ -n "$(cycles 0.6-1@7)" ] && [ "$(cycles 0.6-1@7)" = "$(cycles "$list")" ]
verdict $? "speeds of a seed, and $list: $(cycles 0.6-1@7), $(cycles "$list")"
[ "$(cycles 0.6-1@8)" != "$(cycles 0.6-1@7)" ]
verdict $? 'another seed, other speeds'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

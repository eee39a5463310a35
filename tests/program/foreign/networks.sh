#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Networks of ASTRA-sim's files carry what the files say.  Collectives and messages take no less than the links of
# the file need, and not much more, for each wiring and endpoint.
. tests/program/workload/chakra/traces.sh

inputs=tests/program/foreign/inputs/switch-bandwidth
size=24000000
all_reduce=0 all_gather=2 all_to_all=6 reduce_scatter=7

run() { # NETWORK SYSTEM arguments
    local network=$1 system=$2
    shift 2
    "$acesim" astra --workload-configuration "$work/t" --system-configuration "$inputs/$system.json" \
        --network-configuration "$inputs/$network" --remote-memory-configuration "$work/mem.json" \
        --quiet "$@" >"$work/out" 2>"$work/err"
}
last() { sed -nE 's/.*sys\[[0-9]+\] finished, ([0-9]+) cycles.*/\1/p' "$work/out" | sort -n | tail -n 1; }
# The last NPU ends in the bound, ns, or up to so many per cent later.
within() { # BOUND PERCENT TEXT NETWORK SYSTEM arguments
    local bound=$1 percent=$2 text=$3 ns
    shift 3
    run "$@"
    verdict $? "$text: $(head -n 2 "$work/err")"
    ns=$(last)
    [ -n "$ns" ] && [ "$ns" -ge "$bound" ] && [ $((100 * (ns - bound))) -le $((bound * percent)) ]
    verdict $? "$text: found $ns ns, expected $bound to $percent % more"
}
# Bytes by 2^30 bytes a second: ns, rounded up.
ns_of() { echo $((($1 * 1000000000 + ($2 << 30) - 1) / ($2 << 30))); } # BYTES GIB
memory=(--memory-bandwidth 256GB/s)

# ---- collectives of 8 NPUs: 7/8 of the bytes go through an NPU's link, or 1/8 over each of seven -------
everyone 8 "$(collective 0 '' $all_reduce $size)"
switch=$(ns_of $((size / 8 * 14)) 50) full=$(ns_of $((size / 8 * 2)) 10)
same "$switch, $full" '782311, 558794' 'the bounds'
within "$switch" 1 'switch, links alone' switch.yml direct --endpoint ideal
within "$full" 1 'full connection, links alone' full.yml direct --endpoint ideal
within "$switch" 5 'switch, direct' switch.yml direct "${memory[@]}"
within "$switch" 5 'switch, ring' switch.yml ring "${memory[@]}"
within "$full" 9 'full connection, direct' full.yml direct "${memory[@]}"
within "$full" 9 'full connection of 1.0' full-1.0.json direct "${memory[@]}"
within "$switch" 5 'switch, in software' switch.yml ring --endpoint comm-opt
within "$switch" 5 'a star of links' star.yml direct "${memory[@]}"
within "$full" 12 'a mesh of links' mesh.yml direct "${memory[@]}"
for kind in $reduce_scatter $all_to_all; do
    everyone 8 "$(collective 0 '' "$kind" $size)"
    within "$(ns_of $((size / 8 * 7)) 50)" 1 "switch, links alone, kind $kind" switch.yml direct --endpoint ideal
    within "$(ns_of $((size / 8)) 10)" 1 "full connection, links alone, kind $kind" full.yml direct --endpoint ideal
    within "$(ns_of $((size / 8)) 10)" 9 "full connection, kind $kind" full.yml direct "${memory[@]}"
done
everyone 8 "$(collective 0 '' $all_gather $((size / 8)))"
within "$(ns_of $((size / 8 * 7)) 50)" 5 'switch, all-gather' switch.yml direct "${memory[@]}"
within "$(ns_of $((size / 8)) 10)" 1 'full connection, all-gather, links alone' full.yml direct --endpoint ideal

# ---- machines whose NPUs have 350 and 450 units of bandwidth: two ports carry them at 1 GHz ------------
everyone 8 "$(collective 0 '' $all_reduce $size)"
within "$(ns_of $((size / 8 * 2)) 50)" 1 'full connection of 50' full-50.yml direct --endpoint ideal
within "$(ns_of $((size / 8 * 14)) 450)" 2 'DGX H100' dgx-h100.yml direct --endpoint ideal
run dgx-h100.yml direct
verdict $? "DGX H100 on an engine: $(head -n 2 "$work/err")"

# ---- the full connection of a tutorial: six keys, seven links of 50 units, its own system ----------------------
# An all-reduce sends an eighth over each link twice, and has the latency of 500 ns twice. The ideal endpoint takes the
# longer of its bytes and of the two steps, each a cycle more than the latency.
printf '{\n  "dimensions-count": 1,\n  "topologies-per-dim": ["FullyConnected"],\n  "units-count": [8],\n  "links-count": [7],
  "link-latency": [500],\n  "link-bandwidth": [50]\n}\n' >"$work/tutorial.json"
printf '%s: %s\n' scheduling-policy LIFO endpoint-delay 10 active-chunks-per-dimension 1 preferred-dataset-splits 4 boost-mode 1 \
    all-reduce-implementation direct all-gather-implementation direct reduce-scatter-implementation direct \
    all-to-all-implementation direct collective-optimization localBWAware >"$work/tutorial.txt"
tutorial() { # ENDPOINT: the last end, ns
    "$acesim" astra --workload-configuration "$work/t" --system-configuration "$work/tutorial.txt" --network-configuration "$work/tutorial.json" \
        --remote-memory-configuration "$work/mem.json" --quiet --endpoint "$1" >"$work/out" 2>"$work/err"
    verdict $? "a tutorial's network on $1: $(head -n 2 "$work/err")"
    last
}
for bytes in 65536 1048576 $size; do
    everyone 8 "$(collective 0 '' $all_reduce $bytes)"
    bound=$(ns_of $((bytes / 4)) 50) hops=$((2 * 501))
    ns=$(tutorial ideal)
    least=$((bound > hops ? bound : hops))
    [ "$ns" -ge "$least" ] && [ "$ns" -le $((least * 101 / 100)) ]
    verdict $? "$bytes bytes on a tutorial's network: found $ns ns, expected $least and little more"
    for endpoint in ace comm-opt; do
        ns=$(tutorial $endpoint)
        [ "$ns" -ge $((bound + 1000)) ]
        verdict $? "$bytes bytes on a tutorial's network, $endpoint: found $ns ns, expected $((bound + 1000)) or more"
    done
done

# ---- a ring of two has one link; 1.0 counts its links --------------------------------------------------
everyone 2 "$(collective 0 '' $all_reduce $size)"
within "$(ns_of $size 50)" 1 'a ring of two' ring-of-two.yml ring --endpoint ideal
within "$(ns_of $size 50)" 5 'a ring of two, an engine' ring-of-two.yml ring "${memory[@]}"
within "$(ns_of $size 50)" 1 'a ring of two of 1.0' ring-of-two-1.0.json ring --endpoint ideal

# ---- a message has the link to its peer, whatever the wiring --------------------------------------------
message_of() { # FROM TO
    rm -f "$work"/t.*.et
    for ((i = 0; i < 8; i++)); do trace t.$i.et; done
    trace "t.$1.et" "$(send 0 '' "$2" 7 $size)"
    trace "t.$2.et" "$(receive 0 '' "$1" 7 $size)"
}
for to in 1 7; do
    message_of 0 $to
    for endpoint in ideal ace comm-opt; do
        [ $endpoint = ace ] && set -- "${memory[@]}" || set --
        within "$(ns_of $size 50)" 1 "message to $to, switch, $endpoint" switch.yml direct --endpoint $endpoint "$@"
        within "$(ns_of $size 10)" 1 "message to $to, full connection, $endpoint" full.yml direct --endpoint $endpoint "$@"
    done
    within "$(ns_of $size 50)" 1 "message to $to, star of links" star.yml direct "${memory[@]}"
    within "$(ns_of $size 10)" 1 "message to $to, mesh of links" mesh.yml direct "${memory[@]}"
done
# Two messages to one peer take its link one behind the other, two to two peers a link each.
trace t.0.et "$(send 0 '' 1 7 $size)" "$(send 1 '' 1 8 $size)"
trace t.1.et "$(receive 0 '' 0 7 $size)" "$(receive 1 '' 0 8 $size)"
trace t.7.et
within "$(ns_of $((2 * size)) 10)" 1 'two messages to one' full.yml direct --endpoint ideal
trace t.0.et "$(send 0 '' 1 7 $size)" "$(send 1 '' 2 8 $size)"
trace t.1.et "$(receive 0 '' 0 7 $size)"
trace t.2.et "$(receive 0 '' 0 8 $size)"
within "$(ns_of $size 10)" 1 'a message to each of two' full.yml direct --endpoint ideal

# ---- three dimensions, one of each wiring ----------------------------------------------------------------
everyone 24 "$(collective 0 '' $all_reduce $size)"
within "$(ns_of $((size / 4 * 6)) 100)" 1 'three dimensions, links alone' pods.yml pods --endpoint ideal
within "$(ns_of $((size / 4 * 6)) 100)" 30 'three dimensions' pods.yml pods "${memory[@]}"

# ---- ASTRA-sim's own times: the backend that is aware keeps the bound, the other says that it does not ----
everyone 8 "$(collective 0 '' $all_reduce $size)"
run switch.yml direct --compat 2 --backend aware
[ "$(last)" -ge "$switch" ]
verdict $? "aware of congestion: $(last)"
run switch.yml direct --compat 2
verdict $? 'unaware of congestion'
[ "$(last)" -lt "$switch" ] && [ "$(grep -c 'links' "$work/err")" = 1 ]
verdict $? "unaware of congestion: $(last), $(cat "$work/err")"

# ---- to a cluster file and back ----------------------------------------------------------------------------
for name in switch full ring-of-two; do
    "$acesim" convert --network-configuration $inputs/$name.yml --system-configuration $inputs/direct.json \
        --output "$work/$name.yaml" 2>"$work/err" || "$acesim" convert --network-configuration $inputs/$name.yml \
        --system-configuration $inputs/ring.json --output "$work/$name.yaml" 2>"$work/err"
    verdict $? "convert $name: $(head -n 2 "$work/err")"
    "$acesim" convert "$work/$name.yaml" --output "$work/$name" 2>"$work/err"
    verdict $? "convert $name back: $(head -n 2 "$work/err")"
    same "$(grep -oE '^bandwidth: \[[0-9.]+' "$work/$name/network.yml" | awk '{printf "%.4f", substr($2, 2)}')" \
        "$(sed -nE 's/^bandwidth: \[ ([0-9.]+) \]/\1/p' $inputs/$name.yml | awk '{printf "%.4f", $1}')" "$name and back"
done
same "$(grep -oE 'npu_bandwidth: [0-9.]+' "$work/switch.yaml")" 'npu_bandwidth: 53.687091' 'a switch of a cluster file'
same "$(grep -oE 'npu_bandwidth: [0-9.]+' "$work/full.yaml")" 'npu_bandwidth: 75.161927' 'a full connection of a cluster file'
refused_links() { "$acesim" convert --network-configuration $inputs/$1.yml --system-configuration $inputs/direct.json; }
refused_links mesh >"$work/out" 2>"$work/err"
same "$?, $(grep -c 'without a bandwidth' "$work/err")" '2, 1' 'links that say nothing, of a cluster file'
printf 'topology: Switch(8)\nlinks:\n  x: {bandwidth: 25 GB/s, npu_bandwidth: 50 GB/s}\n' >"$work/both.yaml"
"$acesim" convert "$work/both.yaml" --output "$work/both" 2>"$work/err"
same "$?, $(grep -c 'both.yaml:3:.*npu_bandwidth and bandwidth of x' "$work/err")" '2, 1' 'both bandwidths of a dimension'

# ---- the bound on random networks ---------------------------------------------------------------------------
python3 tests/campaign/networks.py "$acesim" --cases 8 --seed 1 >"$work/campaign"
verdict $? "$(grep -E 'FAIL|networks' "$work/campaign" | head -n 3)"

echo "networks: $passed passed, $failed failed"
[ $failed -eq 0 ]

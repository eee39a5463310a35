#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Clusters that are too large for engines, at the rung calibrated: six dimensions, and blocks of 512 members. The bytes
# of each dimension must equal closed forms written here. Times must be no shorter than links and hops allow. If an
# engine can be the same cluster, both must agree within the printed error.
#
#   LONG=1 tests/program/engine/six_dimensions.sh    also by two threads, and other blocks of 512; scripts/hunt.sh does
. "$(dirname "$0")/../workload/chakra/traces.sh"

rows() { # KEY=VALUE...: of a result, by Python
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
exec(sys.argv[2])' "$work/result" "$1"
}
calibrated() { # NAME ARGUMENTS: on the rung, into $work/result
    local name=$1
    shift
    "$acesim" collective "$@" --topology "$topology" --rung calibrated --calibration "$work/$name.cal" \
        --format json --quiet >"$work/result" 2>"$work/err"
}
calibrate() { # NAME
    printf "topology: '%s'\n" "$topology" >"$work/$1.yaml"
    "$acesim" calibrate "$work/$1.yaml" --quick --points "$2" --output "$work/$1.cal" --jobs 2 --quiet \
        >"$work/table" 2>"$work/err"
    verdict $? "calibrate $topology: $(cat "$work/err")"
}

# ---- what has no wires is refused where there are some
refused_by=(collective all-reduce)
engines='expected at most four dimensions, of 128 members on a ring and 64 on a switch or fully connected; the rung calibrated takes six, of 512 members'
refused() { # TEXT ARGUMENTS
    local text=$1
    shift
    "$acesim" "${refused_by[@]}" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "$*: expected status 2 and '$text', got: $(head -n 2 "$work/err")"
}
for topology in 2x2x2x2x2 129 'Switch(65)' 'Ring(2)_FullyConnected(65)'; do
    for rung in cycle rtl; do refused "$engines" --topology "$topology" --rung $rung; done
    refused "$engines" --topology "$topology" --endpoint ideal
    refused "$engines" --topology "$topology" --endpoint comm-opt
done
refused 'at most 1048576 nodes' --topology 512x512x512x512 --rung calibrated
for topology in 513 2x2x2x2x2x2x2; do refused "found '$topology'" --topology $topology --rung calibrated; done
refused 'expected ring, or direct on a switch' --topology 'Switch(512)' --algorithm halving-doubling --rung calibrated

# ---- six dimensions of each kind
topology='Ring(4)_Switch(3)_Ring(2)_FullyConnected(2)_Ring(2)_Switch(2)'
calibrate six 4
size=$((4 * 3 * 2 * 2 * 2 * 2 * 256 * 60)) # whole rows in each shard
for kind in all-reduce reduce-scatter all-gather all-to-all; do
    calibrated six $kind --size $size
    verdict $? "$kind: $(cat "$work/err")"
    cp "$work/result" "$work/alone"
    rows "
n, s = [4, 3, 2, 2, 2, 2], $size
hub = [0, 1, 0, 1, 0, 1]
if '$kind' == 'all-reduce':    # to shards along x, reduced along the others, gathered along x
    sent = [2 * (n[0] - 1) * s // n[0]] + [2 * (k - 1) * s // n[0] // k for k in n[1:]]
elif '$kind' == 'all-to-all':  # the shorter way round a ring; over a hub one hop
    hops = [sum(min(d, k - d) for d in range(k)) if not h else k - 1 for k, h in zip(n, hub)]
    sent = [s * h // k for h, k in zip(hops, n)]
else:                          # each dimension moves what the one before left
    sent, left = [], s
    for k in n:
        sent.append((k - 1) * left // k)
        left //= k
letters = 'xyzwuv'
assert list(r['bytes_per_dimension'].items()) == list(zip(letters, sent)), (r['bytes_per_dimension'], sent)
GBps = [400 * 0.94] + [50 * 0.94] * 5
bound = max(b / g for b, g in zip(sent, GBps)) * 1.245
assert bound * 0.99 < r['cycles'] < 60 * bound, (bound, r['cycles'])
assert r['nodes'] == 192 and r['nodes_simulated'] == 1 and r['check'] == 'passed'
assert r['beyond_measured'] == {'dimensions': [6, 4]}, r['beyond_measured']" 2>"$work/err"
    verdict $? "$kind over six dimensions: $(tail -n 1 "$work/err")"
    for how in '--fold off' ${LONG:+'--fold off --threads 2'}; do
        # shellcheck disable=SC2086
        calibrated six $kind --size $size $how
        python3 - "$work/alone" "$work/result" <<'PY'
import json, sys
one, all_ = (json.load(open(f)) for f in sys.argv[1:])
assert all_.pop("nodes_simulated") == 192 and one.pop("nodes_simulated") == 1
for r in one, all_:
    for k in "folding", "command", "configuration": r.pop(k, None)
assert one == all_
PY
        verdict $? "$kind over six dimensions, $how: another result"
    done
done
# Proposals must not contain what would be refused.
"$acesim" collective all-reduce --topology "$topology" --rung calibrated --calibration "$work/six.cal" --size $size \
    --quiet >"$work/out" 2>"$work/err"
verdict $? "the answer for people: $(cat "$work/err")"
grep -q '^bound by ' "$work/out" && ! grep -q -- --compare "$work/out"
verdict $? "endpoints that such a cluster has not are to be compared: $(cat "$work/out")"
# One slow node leaves one class for each set of dimensions along which another is beside it.
calibrated six all-reduce --size $size --speed 0.5:7
cp "$work/result" "$work/alone"
calibrated six all-reduce --size $size --speed 0.5:7 --fold off
rows "folded = json.load(open('$work/alone'))
assert (folded['nodes_simulated'], r['nodes_simulated']) == (64, 192)
assert folded['cycles'] == r['cycles']" 2>"$work/err"
verdict $? "one slow node of six dimensions: $(tail -n 1 "$work/err")"
# Without u less is sent, in less time.
calibrated six all-reduce --size $size
cp "$work/result" "$work/alone"
calibrated six all-reduce --size $size --dims x,y,z,w,v
rows "whole = json.load(open('$work/alone'))
assert r['bytes_per_dimension']['u'] == 0 and r['cycles'] < whole['cycles'] - 1000" 2>"$work/err"
verdict $? "the fifth dimension costs nothing: $(tail -n 1 "$work/err")"

# ---- six dimensions of which two have members are the cluster of these two that engines are
topology=4x1x1x1x1x2
calibrate two 24
for what in 'all-reduce 300000' 'reduce-scatter 2000000' 'all-gather 2000000' 'all-to-all 1000000'; do
    set -- $what
    exact=$("$acesim" collective "$1" --topology 4x2 --size "$2" --link-bandwidth 200GB/s,25GB/s,25GB/s --quiet \
        --format json | sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p')
    calibrated two "$1" --size "$2"
    rows "e = r['expected_error']
assert e['held_out_points'] == 0 or abs(r['cycles'] / $exact - 1) < max(0.05, 2 * e['worst']), (r['cycles'], $exact, e)
assert abs(r['cycles'] / $exact - 1) < 0.1, (r['cycles'], $exact)" 2>"$work/err"
    verdict $? "$what over x and v against an engine's x and y: $(tail -n 1 "$work/err")"
done

# ---- blocks of 512: bytes, and that many steps of a latency each
for block in 'Ring(512)' ${LONG:+'Switch(512)' 'FullyConnected(512)_Ring(2)'}; do
    topology=$block
    calibrate block 8
    calibrated block all-reduce --size 1MiB
    verdict $? "$block: $(cat "$work/err")"
    rows "two = 2 if '_' in '$block' else 1
sent = 2 * 511 * (1 << 20) // 512
x, y = r['bytes_per_dimension']['x'], r['bytes_per_dimension']['y']
assert x == sent, (x, sent)
assert y == (0 if two == 1 else 8 * 2 * 256), y    # a row of each of 8 chunks of 128 KiB, sent twice
steps = 2 * 511    # each at least a link's latency behind the one before
assert r['cycles'] > steps * 90, (r['cycles'], steps)
assert r['nodes'] == 512 * two
assert r['beyond_measured'] == {'x': [512, 128 if 'Ring(512)' == '$block' else 64]}, r['beyond_measured']" 2>"$work/err"
    verdict $? "$block: $(tail -n 1 "$work/err")"
    cycles=$(rows 'print(r["cycles"])')
    calibrated block all-reduce --size 1MiB --fold off
    same "$(rows 'print(r["cycles"])')" "$cycles" "$block, each node by itself"
done
refused 'expected at most four' --topology "$topology"

# ---- ASTRA-sim's files: a network of six blocks, and a trace for each NPU
network 'Ring, Switch, Ring, FullyConnected, Ring, Ring' '2, 2, 2, 2, 2, 2'
echo '{ "scheduling-policy": "FIFO" }' >"$work/sys.json"
"$acesim" convert --network-configuration "$work/net.yml" --system-configuration "$work/sys.json" >"$work/net.yaml"
verdict $? 'a cluster file of six npus_count'
"$acesim" calibrate "$work/net.yaml" --quick --points 4 --output "$work/net.cal" --jobs 2 --quiet >/dev/null
verdict $? 'a calibration of six npus_count'
everyone 64 "$(collective 0 '' 0 1048576)"
astra --rung calibrated --calibration "$work/net.cal"
verdict $? "six npus_count: $(head -n 2 "$work/err")"
# Each dimension halves what the next one gets, so x sends 1 MiB a member over its 50 units of 2^30 bytes a second.
x=$(python3 -c 'print(-(-2**20 * 10**9 // (50 * 2**30)))')
[ "$(finished 63)" -ge "$x" ] && [ "$(finished 63)" -le $((4 * x)) ]
verdict $? "a trace of one all-reduce on six npus_count: found $(finished 63) ns, expected $x to four times that"
grep -q '^error ' "$work/out"
verdict $? 'its error is not said'
# Along each dimension, the fifth too, members wait for each other: all end behind the one that begins a millisecond late.
astra --rung calibrated --calibration "$work/net.cal" --start-delay 16:1ms
verdict $? "a late NPU of six dimensions: $(head -n 2 "$work/err")"
for npu in 0 15 16 32 63; do
    [ "$(finished $npu)" -gt 1000000 ]
    verdict $? "NPU $npu ends in $(finished $npu) ns and did not wait for NPU 16"
done
everyone 64 "$(collective 0 '' 0 $((1 << 30)))"
astra --rung calibrated --calibration "$work/net.cal"
[ $? -eq 2 ] && grep -qF 'a collective of the traces of 1073741824 bytes, expected 256 to 16777216' "$work/err"
verdict $? "a collective larger than those measured: $(head -n 2 "$work/err")"
everyone 64 "$(collective 0 '' 5 1048576)"
astra --rung calibrated --calibration "$work/net.cal"
[ $? -eq 2 ] && grep -qE 't\.[0-9]+\.et: node 0 .*: found BROADCAST, expected ALL_REDUCE, .* which the rung calibrated has' "$work/err"
verdict $? "a broadcast over six dimensions: $(head -n 2 "$work/err")"
trace t.0.et "$(send 0 '' 63 7 65536)"
trace t.63.et "$(receive 0 '' 0 7 65536)"
for i in $(seq 62); do trace t.$i.et "$(compute 0 '' 1)"; done
astra --rung calibrated --calibration "$work/net.cal"
[ $? -eq 2 ] && grep -qF 'found messages between nodes' "$work/err"
verdict $? "a send over six dimensions: $(head -n 2 "$work/err")"
astra
[ $? -eq 2 ] && grep -qF 'found 6 dimensions, expected 4 at most, which engines have' "$work/err"
verdict $? "six npus_count on engines: $(head -n 2 "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# convert.sh [ACESIM] -- acesim convert: a cluster file made of ASTRA-sim's files gives the cycles that acesim astra
# gives with them; what goes back and comes again is the same; what would be lost is named
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
[ "$(grep -c 'makes no cycle' "$work/notes")" -eq 4 ]
verdict $? "what makes no cycle is told: $(cat "$work/notes")"
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
for part in ("topology: Ring(4)\n", "bandwidth: 53.687091GB/s", "latency: 500", "link_efficiency: 1\n", "clock: 1000MHz\n", "algorithms: ring\n"):
    if part not in text: print("without", part)
END
)
[ -z "$made" ]
verdict $? "the file says the cluster by hand: $made"

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
refused 'expected --network-configuration and --system-configuration' --network-configuration $inputs/Ring_4npus.yml
refused 'expected --network-configuration and --system-configuration' workloads/clusters/torus-4x2x2.yaml
refused "expected a frequency" --clock x

echo "convert: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

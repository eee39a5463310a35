#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# every_strategy.sh [ACESIM] -- acesim search against acesim train: on small clusters, every strategy and every
# placement that train accepts is run one by one.  The first of the search is the best of these, and its list is theirs
. "$(dirname "$0")/../begin.sh"

cat >"$work/every.py" <<'END'
"""every.py ACESIM MODEL CLUSTER BATCH LAYERS FIXED VARIED: runs all, prints faults; the search knows nothing of it."""
import itertools
import json
import re
import subprocess
import sys

acesim, model, cluster, batch, layers, fixed, varied = sys.argv[1:]
batch, layers = int(batch), int(layers)
rings = [int(n) for n in re.findall(r"\((\d+)\)", open(cluster, encoding="utf-8").readline())]
nodes = 1
for n in rings:
    nodes *= n
letters = "xyzw"[:len(rings)]


def run(*words):
    return subprocess.run([acesim, *words, "--cluster", cluster, "--endpoint", "ideal", "--quiet", "--format", "json"],
                          capture_output=True, text=True, check=False)


def placements():
    """Every order of the dimensions, cut into parts for tp, dp and pp; and none."""
    for order in itertools.permutations(letters):
        for i, k in itertools.combinations_with_replacement(range(len(order) + 1), 2):
            parts = "".join(order[:i]), "".join(order[i:k]), "".join(order[k:])
            yield ",".join("%s:%s" % p for p in zip(("tp", "dp", "pp"), parts) if p[1]), parts
    yield "", None


def size(part):
    n = 1
    for d in part:
        n *= rings[letters.index(d)]
    return n


def tails(pp):
    if "schedule" not in varied or pp == 1:
        return [""]
    return ["", ".gpipe", ".dapple", ".zb-h1"] + [".v%d" % v for v in range(2, layers + 1)]


best, accepted = None, set()
for tp, pp in itertools.product(range(1, nodes + 1), repeat=2):
    if nodes % (tp * pp):
        continue
    dp = nodes // tp // pp
    micro = range(1, batch + 1) if "b" in varied.split(",") else [1]
    for b, tail in itertools.product(micro, tails(pp)):
        if batch % (dp * b):
            continue
        strategy = "tp%d.dp%d.pp%d.b%d.m%d.%s%s" % (tp, dp, pp, b, batch // (dp * b), fixed, tail)
        seen = set()
        for text, parts in placements():
            if parts is not None and [size(p) for p in parts] != [tp, dp, pp]:
                continue
            done = run("train", model, "--strategy", strategy, *(["--placement", text] if text else []))
            if done.returncode:
                continue
            cycles = json.loads(done.stdout)["cycles"]
            accepted.add((strategy, text))
            seen.add(cycles)
            if best is None or cycles < best[0]:
                best = cycles, strategy, text
found = json.loads(run("search", model, "--batch", str(batch), "--fixed", fixed, "--vary", varied,
                       "--database", cluster + varied + ".sqlite").stdout)
print("%d %s %s" % best)
if found[0]["cycles"] != best[0]:
    print("search's first: %d %s %s" % (found[0]["cycles"], found[0]["strategy"], found[0]["placement"]))
if len(accepted) < 10:
    print("few strategies: %d" % len(accepted))
END

every() { # NAME TOPOLOGY LINKS BATCH FIXED VARIED HEADS LAYERS
    printf 'topology: %s\nlinks: {%s}\nclock: 1000 MHz\nlink_efficiency: 1\n' "$2" "$3" >"$work/$1.yaml"
    printf 'npu: {matrix: 300 TFLOPS, gemm_efficiency: 0.5, vector: 10 TFLOPS, memory_bandwidth: 1000 GB/s, memory_efficiency: 1}\n' \
        >>"$work/$1.yaml"
    printf 'architecture: decoder\nlayers: %d\nhidden: 512\nheads: %d\nsequence: 256\nvocabulary: 1024\n' "$8" "$7" >"$work/model.yaml"
    python3 "$work/every.py" "$acesim" "$work/model.yaml" "$work/$1.yaml" "$4" "$8" "$5" "$6" >"$work/out" 2>"$work/err"
    same "$? $(wc -l <"$work/out")" '0 1' "$1: $(cat "$work/out" "$work/err")"
}

# Two nodes of four, slow between: tensor parallelism of two lies within a node, along a part of x.
every pods 'Switch(4)_Ring(2)' 'x: {npu_bandwidth: 400 GB/s, latency: 100}, y: {npu_bandwidth: 20 GB/s, latency: 500}' \
    12 sp.fused.zero1.none b,schedule 4 3
# Dimensions of one size and of two kinds: the order within an axis is that of the phases.
every torus 'Ring(4)_Ring(2)_Ring(2)' 'x: {npu_bandwidth: 50 GB/s, latency: 100}, y: {npu_bandwidth: 100 GB/s, latency: 100}, z: {npu_bandwidth: 5 GB/s, latency: 1000}' \
    32 sp.fused.zero1.none none 8 4
every pairs 'Switch(2)_Switch(2)_Ring(2)' 'x: {npu_bandwidth: 10 GB/s, latency: 100}, y: {npu_bandwidth: 10 GB/s, latency: 100}, z: {npu_bandwidth: 100 GB/s, latency: 500}' \
    8 fused.none schedule 8 4

echo "every_strategy: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

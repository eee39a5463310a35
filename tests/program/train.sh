#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# train.sh [ACESIM] -- acesim train: an iteration computes and sends what closed forms say, hides what can be
# hidden, is the same folded and unfolded and on any threads and rung, and refuses what is not modelled
set -u
cd "$(dirname "$0")/../.." || exit 1
acesim=$(realpath "${1:-${ACESIM:-build/release/acesim}}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}
same() { # FOUND EXPECTED TEXT
    [ -n "$2" ] && [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}
refused() { # TEXT ARGUMENTS...
    local text=$1 status
    shift
    "$acesim" train "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq 2 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "acesim train $*: status $status, expected 2 and '$text', got: $(head -n 2 "$work/err")"
}
json() { # PYTHON, of the object `o` on standard input
    python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"
}
train() { # STRATEGY OPTIONS...: of a small GPT on 4x2x2, as JSON
    local strategy=$1
    shift
    "$acesim" train "$work/small.yaml" --cluster "$work/cluster.yaml" --strategy "$strategy" --format json --quiet "$@"
}
printf 'architecture: decoder\nlayers: 2\nhidden: 512\nheads: 16\nsequence: 128\nvocabulary: 8192\ndropout: yes\n' \
    >"$work/small.yaml"
cat >"$work/cluster.yaml" <<'END'
topology: 4x2x2
npu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, vector: 10 TFLOPS, memory_bandwidth: 1000 GB/s, memory_efficiency: 1}
END

# ---- compute: the roofline of each product and vector operation, added up apart ----------------------
cat >"$work/roofline.py" <<'END'
import math, sys
t, again = int(sys.argv[1]), sys.argv[2] == "full"
h, a, s, L, W, f = 512, 16, 128, 2, 8192, 2048
N = {"tp": t, "replicas": 16 // t, "zero": int(sys.argv[3])}
clock = 1245.0                                          # MHz
def cycles(flops, read, written, rate):
    return math.ceil(max(flops / (rate * 1e6), read / 1e6, written / 1e6) * clock) if flops + read + written else 0
def gemm(count, m, n, k):
    return cycles(2 * count * m * n * k, math.ceil(2 * count * (m * k + k * n)), math.ceil(2 * count * m * n), 50.0)
def vector(b):
    return cycles(0, math.ceil(b / 2), math.ceil(b / 2), 10.0)
unit = s * h
attention = [(1, s, 3 * h / t, h, 0), (a / t, s, s, h / a, 1), (a / t, s, h / a, s, 1), (1, s, h, h / t, 0)]
mlp = [(1, s, f / t, h, 0), (1, s, h, f / t, 0)]
def block(products, v):
    forward = sum(gemm(*p[:4]) for p in products) + vector(v)
    inputs = sum(gemm(c, m, k, n) + (gemm(c, k, n, m) if x else 0) for c, m, n, k, x in products) + vector(2 * v)
    weights = sum(gemm(c, k, n, m) for c, m, n, k, x in products if not x)
    return forward * (2 if again else 1) + inputs + weights
half = (8 + 14) * unit / 2
total = L * (block(attention, half + 9 * s * a * s / t) + block(mlp, half + 4 * s * f / t))
again = False
total += block([(1, s, W / t, h, 0)], 6 * s * W / t)
layer = (3 * h * h + h * h + 2 * h * f + 3 * h + f) / t + 2 * h + 4 * h
parameters = L * layer + W * h / t + s * h + 2 * h
total += vector(30 * parameters / (N["replicas"] if N["zero"] else 1))
print(total)
END
for case in 'tp4.dp4 4 - 0' 'tp4.dp4.zero1 4 - 1' 'tp1.dp16 1 - 0' 'tp16.dp1.full 16 full 0'; do
    set -- $case
    same "$(train "$1" --endpoint ideal | json 'o["compute_alone_cycles"]')" \
        "$(python3 "$work/roofline.py" "$2" "$3" "$4")" "$1: cycles of compute alone"
done

# ---- bytes: what strategy_messages() lists, but for the norm's 16 bytes; shards are padded to rows -------
# Over three dimensions the hierarchical all-reduce sends 2 x (3/4 + 1/4 x 1/2 + 1/4 x 1/2) of 2 x 15/16.
for strategy in tp4.dp4 tp4.dp4.sp.zero1 tp4.dp4.full.m2 tp16.dp1.sp.full tp1.dp16.grad4 tp4.dp4.sp.zero2.grad4.m3; do
    listed=$("$acesim" strategy $strategy --model "$work/small.yaml" --format json |
        json 'sum(m["sent_bytes"] * m["count"] for m in o["messages"] if m["bytes"] > 4)')
    sent=$(train $strategy --endpoint ideal | json 'o["bytes_sent_per_npu"]')
    python3 -c "import sys; s, l = map(float, sys.argv[1:]); sys.exit(not l <= s < l * (1.075 if '$strategy'.startswith('tp1.') else 1.005))" "$sent" "$listed"
    verdict $? "$strategy: found $sent bytes sent, expected $listed"
done
printf 'architecture: decoder\nlayers: 2\nhidden: 512\nheads: 8\nsequence: 256\nvocabulary: 4096\nexperts: {count: 8, top: 2, ffn: 1024}\n' \
    >"$work/moe.yaml"
for strategy in tp4.dp4.ep4.sp tp4.dp4.sp.zero1 tp1.dp16 tp2.dp8.ep8.sp.full; do
    place=
    [ $strategy = tp2.dp8.ep8.sp.full ] && place=--placement=tp:z,dp:xy
    listed=$("$acesim" strategy $strategy --model "$work/moe.yaml" --format json |
        json 'sum(m["sent_bytes"] * m["count"] for m in o["messages"] if m["bytes"] > 4)')
    # an all-to-all over several dimensions crosses each: it sends more than its closed form on one
    sent=$("$acesim" train "$work/moe.yaml" --cluster "$work/cluster.yaml" --strategy $strategy $place --quiet \
        --endpoint ideal --format json | json 'o["bytes_sent_per_npu"]')
    python3 -c "import sys; s, l = map(float, sys.argv[1:]); sys.exit(not l <= s < l * 1.5)" "$sent" "$listed"
    verdict $? "experts, $strategy: found $sent bytes sent, expected $listed"
done

# ---- collectives: 4 of a layer and micro-batch, 6 with full, and one a layer of replicas -----------------
same "$(train tp4.dp4.m2 | json 'o["collectives"]')" $((2 * 2 * 4 + 3)) 'collectives'
same "$(train tp4.dp4.m2.full | json 'o["collectives"]')" $((2 * 2 * 6 + 3)) 'collectives with full'
same "$(train tp4.dp4.sp.zero1 | json 'o["collectives"]')" $((2 * 10 + 3 + 3)) 'collectives with sp and zero1'

# ---- what adds up, and what hides ------------------------------------------------------------------------
train tp4.dp4 >"$work/ace.json"
same "$(json 'o["cycles"] - o["compute_cycles"] - o["exposed_communication_cycles"]' <"$work/ace.json")" 0 \
    'cycles that neither compute nor wait'
same "$(json 'o["compute_cycles"] >= o["compute_alone_cycles"]' <"$work/ace.json")" True 'compute beside collectives'
# Compute so slow that the replicas' sums of all layers but the first hide behind it.
slow=$(train tp1.dp16 --compute-scale 100 | json 'o["exposed_gradient_cycles"]')
fast=$(train tp1.dp16 | json 'o["exposed_gradient_cycles"]')
[ "$slow" -lt "$fast" ]
verdict $? "gradients: $slow cycles exposed behind slow compute, $fast behind fast"
# Links alone are no slower than software on the NPU.
ideal=$(train tp4.dp4 --endpoint ideal | json 'o["cycles"]')
software=$(train tp4.dp4 --endpoint comp-opt | json 'o["cycles"]')
ace=$(json 'o["cycles"]' <"$work/ace.json")
[ "$ideal" -le "$ace" ] && [ "$ace" -lt "$software" ]
verdict $? "ideal $ideal, ace $ace, comp-opt $software cycles"

# ---- the same, however it is run -------------------------------------------------------------------------
cycles() { json 'o["cycles"], o["compute_cycles"], o["bytes_sent_per_npu"], o["config_digest"]'; }
same "$(train tp4.dp4 --fold off --threads 2 | cycles)" "$(cycles <"$work/ace.json")" 'unfolded, two threads'
same "$(train tp4.dp4 --fast-forward off | cycles)" "$(cycles <"$work/ace.json")" 'step by step'
if [ -d "$(dirname "$acesim")/bridge" ] && "$acesim" collective all-reduce --topology 2 --size 4KiB --rung rtl >/dev/null 2>&1; then
    same "$(train tp4.dp4 --rung 'rtl:0;cycle:rest' | json 'o["cycles"]')" "$ace" 'node 0 in RTL'
fi
other=$(train tp4.dp4 --placement tp:x,dp:yz | json 'o["cycles"]')
same "$other" "$ace" 'the placement that is the default one'
turned=$(train tp4.dp4 --placement tp:yz,dp:x | json 'o["cycles"]')
[ "$turned" != "$ace" ]
verdict $? "another placement takes as long: $turned"

# ---- what is refused ------------------------------------------------------------------------------------
on=(--cluster "$work/cluster.yaml" --strategy)
refused "found a pipeline, which is not modelled, expected pp1" models/gpt2-345m.yaml "${on[@]}" tp4.pp2.dp2
refused "found zero3, which is not modelled" models/gpt2-345m.yaml "${on[@]}" dp16.zero3
refused "found context parallelism, which is not modelled" models/gpt2-345m.yaml "${on[@]}" cp4.dp4
refused "found tp2 on parts of dimensions, which is not modelled" models/gpt2-345m.yaml "${on[@]}" tp2.dp8
refused "found ep that is a part of dp" "$work/moe.yaml" "${on[@]}" dp16.ep4
refused "found a model that is a dlrm" models/dlrm-mlperf.yaml "${on[@]}" dp16
refused "found a fabric of 16 nodes, expected 8 nodes, one for each rank" models/gpt2-345m.yaml "${on[@]}" dp8
refused "found no --strategy" models/gpt2-345m.yaml --cluster "$work/cluster.yaml"
refused "nowhere.yaml" nowhere.yaml "${on[@]}" dp16

echo "train: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

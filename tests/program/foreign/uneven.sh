#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# uneven.sh [ACESIM] -- more ranks of tensor parallelism than heads of keys, and layers that stages do not divide, by
# closed forms: parameters, products, bytes of keys, layers of each chunk, and an iteration of each
. "$(dirname "$0")/../begin.sh"

json() { python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"; }
model() { # NAME LAYERS HIDDEN HEADS KV FFN
    printf 'architecture: decoder\nlayers: %d\nhidden: %d\nheads: %d\nkv_heads: %d\nffn: %d\ngated: yes\nsequence: 512\nvocabulary: 1024\n' \
        "${@:2}" >"$work/$1.yaml"
    printf 'tied: no\nbiases: no\nnorm: rms\npositions: rotary\n' >>"$work/$1.yaml"
}
model few 4 1024 16 2 4096
model odd 7 256 8 8 1024

# ---- a copy of each head of keys for several ranks ------------------------------------------------------------
held() { "$acesim" footprint "$work/$1.yaml" "$2" --format json | json 'o["stages"][0]["parameters"]'; }
for tp in 2 4 8 16; do
    same "$(held few tp$tp.sp)" \
        "$(python3 -c "
h, a, q, f, L, W, t = 1024, 16, 64, 4096, 4, 1024, $tp
keys = max(2, t) / t                              # heads of keys on a rank
print(int(L * (h * (a / t + 2 * keys) * q + a * q * h / t + 3 * h * f / t + 2 * h) + 2 * W * h / t + h))")" "tp$tp: parameters"
    same "$("$acesim" model "$work/few.yaml" tp$tp.sp --format json |
        json '[int(g["n"]) for g in o["products"] if "key" in g["product"]]')" "[$(python3 -c "print(int((16 / $tp + 2 * max(2, $tp) / $tp) * 64))")]" "tp$tp: columns of queries, keys and values"
done
refused_by=(footprint)
model three 4 1536 24 3 4096
refused 'found tp8, expected a degree that the 3 kv_heads' "$work/three.yaml" tp8
refused 'found tp2, expected a degree that divides the 3 kv_heads' "$work/three.yaml" tp2

# ---- layers that stages do not divide ------------------------------------------------------------------------
layers() { "$acesim" footprint "$1" "$2" --format json | json '[int(s["layers"]) for s in o["stages"]]'; }
same "$(layers models/llama3-405b.yaml tp8.pp8.v8.m8.ends.sp)" '[15, 16, 16, 16, 16, 16, 16, 15]' '126 layers, chunks of 1, 2 ... 2, 1'
same "$(layers models/llama3-405b.yaml tp8.pp8.v8.m8.ends.sp)" \
    "$("$acesim" footprint models/llama3-405b.yaml tp8.pp8.v8.m8.sp --layers-per-stage "1,$(printf '2,%.0s' {1..62})1" --format json 2>/dev/null |
        json '[int(s["layers"]) for s in o["stages"]]')" 'the same by a list'
same "$(layers "$work/odd.yaml" pp3.ends)" '[2, 3, 2]' '7 layers on three stages'
same "$(layers "$work/odd.yaml" pp4.ends)" '[1, 2, 2, 2]' '7 layers on four stages'
refused 'stages without a layer' "$work/odd.yaml" pp5.ends
refused 'found pp3, expected a degree that divides the 7 layers' "$work/odd.yaml" pp3

# ---- iterations ----------------------------------------------------------------------------------------------
printf 'topology: Switch(8)\nlinks: {x: {npu_bandwidth: 400 GB/s, latency: 100}}\nclock: 1000 MHz\nlink_efficiency: 1\n' >"$work/cluster.yaml"
printf 'npu: {matrix: 300 TFLOPS, gemm_efficiency: 0.5, vector: 10 TFLOPS, memory_bandwidth: 1000 GB/s, memory_efficiency: 1}\n' >>"$work/cluster.yaml"
run() { "$acesim" train "$work/$1.yaml" --cluster "$work/cluster.yaml" --endpoint ideal --quiet --format json --strategy "$2"; }
same "$(run few tp8.sp.fused | json 'o["ranks"]')" 8 'tp8 of two heads of keys'
same "$(run odd tp2.pp4.m4.ends.sp.fused | json 'o["ranks"]')" 8 '7 layers on four stages'
# A copy of keys is computed, too: with as many heads of keys as ranks an iteration takes the same.
model many 4 1024 16 8 4096
same "$(run few tp8.sp.fused | json 'o["cycles"]')" "$(run many tp8.sp.fused | json 'o["cycles"]')" 'copies of keys take their time'

echo "uneven: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# train.sh [ACESIM] -- acesim train: an iteration must compute and send what closed forms say, and hide what can be
# hidden. It must be the same folded and unfolded, and for any threads and rung. What is not modelled must be refused.
. "$(dirname "$0")/../begin.sh"

refused_by=(train)
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
wide = len(sys.argv) > 4                                # FP32: elements of 4 bytes, products on vector units
E, rate = (4, 5.0) if wide else (2, 50.0)
h, a, s, L, W, f = 512, 16, 128, 2, 8192, 2048
N = {"tp": t, "replicas": 16 // t, "zero": int(sys.argv[3])}
clock = 1245.0                                          # MHz
def cycles(flops, read, written, rate):
    return math.ceil(max(flops / (rate * 1e6), read / 1e6, written / 1e6) * clock) if flops + read + written else 0
def gemm(count, m, n, k):
    return cycles(2 * count * m * n * k, math.ceil(E * count * (m * k + k * n)), math.ceil(E * count * m * n), rate)
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
half = (4 * E + 6 * E + 2) * unit / 2
softmax = 2 * E * (3 if wide else 2) + 1                 # in FP32 the mask is a kernel of its own
if not wide and a // t % 4: softmax = 36 + 2 * E + 1     # heads in no fours: convert, scale, mask, normalize, convert
total = L * (block(attention, half + softmax * s * a * s / t) + block(mlp, half + 2 * E * s * f / t))
again = False
total += block([(1, s, W / t, h, 0)], 0) + vector((32 if wide else 38) * s * W / t) + vector((8 if wide else 14) * s * W / t)   # the loss in FP32
layer = (3 * h * h + h * h + 2 * h * f + 3 * h + f) / t + 2 * h + 4 * h
parameters = L * layer + W * h / t + s * h + 2 * h
total += vector((28 if wide else 30) * parameters / (N["replicas"] if N["zero"] else 1))
total += vector(4 * E * W * h / t)    # the embedding's gradient: set to zero, then read and added to a sum
print(total)
END
for case in 'tp4.dp4 4 - 0' 'tp4.dp4.zero1 4 - 1' 'tp1.dp16 1 - 0' 'tp16.dp1.full 16 full 0' 'tp4.dp4.fp32 4 - 0 fp32'; do
    set -- $case
    same "$(train "$1" --endpoint ideal | json 'o["compute_alone_cycles"]')" \
        "$(python3 "$work/roofline.py" "$2" "$3" "$4" ${5:+"$5"})" "$1: cycles of compute alone"
done

# ---- bytes: what strategy_messages() lists, but for the norm's 16 bytes; shards are padded to rows -------
# Over three dimensions the hierarchical all-reduce sends 2 x (3/4 + 1/4 x 1/2 + 1/4 x 1/2) of 2 x 15/16.
for strategy in tp4.dp4 tp4.dp4.fp32 tp4.dp4.sp.zero1.fp32 tp4.dp4.sp.zero1 tp4.dp4.full.m2 tp16.dp1.sp.full tp1.dp16.grad4 tp4.dp4.sp.zero2.grad4.m3; do
    listed=$("$acesim" strategy $strategy --model "$work/small.yaml" --format json |
        json 'sum(m["sent_bytes"] * m["count"] for m in o["messages"] if m["bytes"] > 4)')
    sent=$(train $strategy --endpoint ideal | json 'o["bytes_sent_per_npu"]')
    python3 -c "import sys; s, l = map(float, sys.argv[1:]); sys.exit(not l <= s < l * (1.075 if '$strategy'.startswith('tp1.') else 1.005))" "$sent" "$listed"
    verdict $? "$strategy: found $sent bytes sent, expected $listed"
done
printf 'architecture: decoder\nlayers: 2\nhidden: 512\nheads: 8\nsequence: 256\nvocabulary: 4096\nexperts: {count: 8, top: 2, ffn: 1024}\n' \
    >"$work/moe.yaml"
# Blocks of two or four neighbours exchange tokens by messages, which pass through nodes between them.
for strategy in tp4.dp4.ep4.sp tp4.dp4.sp.zero1 tp1.dp16 tp2.dp8.ep8.sp.full dp16.ep4 tp4.dp4.ep2.sp tp4.dp4.ep8.sp tp4.dp4.ep4.etp4.sp tp4.dp4.ep2.etp2.sp; do
    place= most=1.5
    [ $strategy = tp4.dp4.ep2.sp ] && most=2.25 # replicas are two apart on x
    [ $strategy = tp4.dp4.ep2.etp2.sp ] && most=1.75
    [ $strategy = tp2.dp8.ep8.sp.full ] && place=--placement=tp:z,dp:xy
    listed=$("$acesim" strategy $strategy --model "$work/moe.yaml" --format json |
        json 'sum(m["sent_bytes"] * m["count"] for m in o["messages"] if m["bytes"] > 4)')
    # an all-to-all over several dimensions crosses each: it sends more than its closed form on one
    sent=$("$acesim" train "$work/moe.yaml" --cluster "$work/cluster.yaml" --strategy $strategy $place --quiet \
        --endpoint ideal --format json | json 'o["bytes_sent_per_npu"]')
    python3 -c "import sys; s, l = map(float, sys.argv[1:]); sys.exit(not l <= s < l * $most)" "$sent" "$listed"
    verdict $? "experts, $strategy: found $sent bytes sent, expected $listed"
done

# Pipelines: of the first stage, with trailers of messages, and where stages are not neighbours what passes through.
for strategy in tp4.dp2.pp2.m4 tp4.dp2.pp2.m4.sp.zero1 tp4.dp2.pp2.m4.zero3.sp tp4.cp2.dp2.m2 tp4.cp2.dp2.m2.full; do
    listed=$("$acesim" strategy $strategy --model "$work/small.yaml" --format json |
        json 'sum(m["sent_bytes"] * m["count"] for m in o["messages"] if m["bytes"] > 4)')
    sent=$(train $strategy --endpoint ideal | json 'o["bytes_sent_per_npu"]')
    python3 -c "import sys; s, l = map(float, sys.argv[1:]); sys.exit(not l <= s < l * 1.01)" "$sent" "$listed"
    verdict $? "$strategy: found $sent bytes sent, expected $listed"
done
# A message of A for each micro-batch, boundary and rank of tensor and data parallelism, each way.
same "$(train tp4.pp4.m8.zb-h1 --layers 4 | json 'o["messages"]')" $((2 * 8 * 3 * 4 + 4 * 2 * 2)) 'messages, and the tied embedding'

# Rails: of replicas in nodes of eight, those of tp8 drive one link between nodes each, those of tp1 all eight of
# a node.  A collective takes 1.5 of its bytes over four nodes at both links of y, or at those of eight NPUs.
cat >"$work/rails.yaml" <<'END'
topology: 8x4
links: {x: {bandwidth: 250 GB/s, latency: 500}, y: {bandwidth: 2.5 GB/s, latency: 500}}
link_efficiency: 0.94
npu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, vector: 10 TFLOPS, memory_bandwidth: 1000 GB/s, memory_efficiency: 1}
END
for case in 'tp8.dp4 1' 'tp1.dp32 8'; do
    set -- $case
    bytes=$("$acesim" strategy "$1" --model "$work/small.yaml" --format json |
        json '[m["bytes"] for m in o["messages"] if m["what"] == "data parallelism"][0]')
    waited=$("$acesim" train "$work/small.yaml" --cluster "$work/rails.yaml" --strategy "$1" --endpoint ideal --bucket 10GB \
        --quiet --format json | json 'o["exposed_data_cycles"]')
    python3 -c "sys = __import__('sys'); sys.exit(abs($waited / (1.5 * $bytes / $2 / (2 * 2.5e9 * 0.94) * 1245e6) - 1) > 0.005)"
    verdict $? "$1: $waited cycles for $bytes bytes of gradients, expected them on $2 links between nodes"
done

# One interface for two dimensions: an all-reduce of 4x4 sends 1.5 of its bytes along x and 0.375 along y, one after the
# other. With very little compute, tensor and data parallelism must take the time of all bytes on that interface.
interface=(--topology 4x4 --link-bandwidth 25 --link-latency 90 --endpoint ideal)
whole() { "$acesim" collective all-reduce --dims x,y --size 64MiB --quiet --format json "${interface[@]}" "$@" | json 'o["cycles"]'; }
python3 -c "import sys; sys.exit(abs($(whole --shared-links xy) / $(whole) - 1.25) > 0.001)"
verdict $? "an all-reduce over one interface: $(whole --shared-links xy) cycles, over two $(whole)"
for shared in '' '--shared-links xy'; do
    # shellcheck disable=SC2086
    train tp4.dp4 --placement tp:x,dp:y --sequence 2048 --compute-scale 0.001 "${interface[@]}" $shared >"$work/interface.json"
    json 'o["cycles"] / (o["bytes_sent_per_npu"] / (2 * 25e9 * 0.94) * 1245e6)' <"$work/interface.json"
done >"$work/interface"
python3 -c "import sys; two, one = map(float, sys.argv[1:]); sys.exit(not two < 0.9 or not 1 <= one < 1.05)" $(cat "$work/interface")
verdict $? "an iteration over two interfaces and one, of what its bytes take of one: $(tr '\n' ' ' <"$work/interface")"
same "$(json 'o["bound_cycles"] <= o["cycles"]' <"$work/interface.json")" True 'an interface, and the bound'
train tp4.dp4 --placement tp:x,dp:y --sequence 2048 "${interface[@]}" --shared-links xy --composed --compare-run >"$work/interface.json"
same "$(json 'abs(o["composition"]["batch_error"]) < 0.04 and o["composition"]["worst_activity_error"] < 0.05' <"$work/interface.json")" True \
    "over one interface: $(json 'o["cycles"], o["composition"]["run_cycles"]' <"$work/interface.json") cycles composed and run"

# ---- collectives: 4 of a layer and micro-batch, 6 with full, and one a layer of replicas -----------------
same "$(train tp4.dp4.m2 | json 'o["collectives"]')" $((2 * 2 * 4 + 3)) 'collectives'
same "$(train tp4.dp4.m2.full | json 'o["collectives"]')" $((2 * 2 * 6 + 3)) 'collectives with full'
same "$(train tp4.dp4.sp.zero1 | json 'o["collectives"]')" $((2 * 10 + 3 + 3)) 'collectives with sp and zero1'

# ---- what adds up, and what hides ------------------------------------------------------------------------
train tp4.dp4 >"$work/ace.json"
same "$(json 'o["cycles"] - o["compute_cycles"] - o["exposed_communication_cycles"]' <"$work/ace.json")" 0 \
    'cycles that neither compute nor wait'
same "$(json 'o["compute_cycles"] >= o["compute_alone_cycles"]' <"$work/ace.json")" True 'compute beside collectives'
# Compute is so slow that the replicas' sums of all layers but the first are hidden.
slow=$(train tp1.dp16 --compute-scale 100 | json 'o["exposed_data_cycles"]')
fast=$(train tp1.dp16 | json 'o["exposed_data_cycles"]')
[ "$slow" -lt "$fast" ]
verdict $? "gradients: $slow cycles exposed behind slow compute, $fast behind fast"
# Links alone are no slower than software on the NPU.
ideal=$(train tp4.dp4 --endpoint ideal | json 'o["cycles"]')
software=$(train tp4.dp4 --endpoint comp-opt | json 'o["cycles"]')
ace=$(json 'o["cycles"]' <"$work/ace.json")
[ "$ideal" -le "$ace" ] && [ "$ace" -lt "$software" ]
verdict $? "ideal $ideal, ace $ace, comp-opt $software cycles"

# ---- pipelines: each part of an NPU's time has its place, and slow compute keeps the closed forms -----------
parts='max(abs(o["cycles"] - s["compute_cycles"] - s["exposed_communication_cycles"] - s["bubble_cycles"]) for s in o["stages"])'
for strategy in tp4.pp4.m8 tp4.dp2.pp2.m4.sp.zero3 tp4.dp2.pp2.m2.v2 tp4.pp4.m4.full.zb-h1 tp2.pp2.dp4.m2; do
    same "$(train $strategy --layers 4 --endpoint ideal | json "$parts")" 0 "$strategy: cycles that are nowhere"
done
# The output layer is tiny, so that stages are alike, and compute is so slow that all other times are small. If a stage
# computes m (f + b) in passes, the iteration takes (m + p - 1)(f + b). With v chunks it takes m (f + b) + (p - 1)(f +
# b)/v.
sed 's/8192/64/' "$work/small.yaml" >"$work/even.yaml"
even() { # STRATEGY M P V
    "$acesim" train "$work/even.yaml" --cluster "$work/cluster.yaml" --strategy "$1" --format json --quiet --layers 8 \
        --compute-scale 1000 --endpoint ideal >"$work/even.json"
    python3 - "$work/even.json" "$2" "$3" "$4" <<'END'
import json, sys
o = json.load(open(sys.argv[1])); m, p, v = map(int, sys.argv[2:])
t, L, h, W, s = 4, 8, 512, 64, 128
layer = (12 * h * h + 7 * h) / t + 6 * h                     # biases cut by t but for output biases; norms
stage = o["stages"][1]["compute_alone_cycles"]
adam = 1000 * 15 * (layer * L / p) / 1e6 * 1245.0 if p > 2 else 0
passes = stage - adam
expected = passes * (1 + (p - 1) / (m * v)) + adam
sys.exit(abs(o["cycles"] / expected - 1) > 0.02)
END
    verdict $? "$1: $(json 'o["cycles"]' <"$work/even.json") cycles are not those of $2 micro-batches on $3 stages of $4 chunks"
}
even tp4.pp4.m8 8 4 1
even tp4.pp4.m8.gpipe 8 4 1
even tp4.pp4.m8.dapple 8 4 1
even tp4.pp4.m8.v2 8 4 2
# A list written here that equals 1F1B, and the picture of an iteration with a box for each pass.
printf 'F0 F1 B0 F2 B1 F3 B2 B3\nF0 B0 F1 B1 F2 B2 F3 B3\n' >"$work/own.txt"
train tp4.dp2.pp2.m4 --schedule "$work/own.txt" --svg "$work/own.svg" >"$work/own.json"
same "$(json 'o["cycles"]' <"$work/own.json")" "$(train tp4.dp2.pp2.m4 | json 'o["cycles"]')" 'own lists'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/own.svg"
verdict $? "--svg is no XML"
same "$(grep -c 'class="b"' "$work/own.svg")" $((4 * 2 * 2 + 2)) 'bars of the picture, two of them its key'
# Each stage is drawn from the first cycle to the last: passes, and between and behind them what the stage waits for.
python3 - "$work/own.svg" "$work/own.json" <<'END'
import json, sys, xml.etree.ElementTree as tree
picture, run = tree.parse(sys.argv[1]), json.load(open(sys.argv[2]))
texts = [e.text for e in picture.iter("{http://www.w3.org/2000/svg}text")]
bars = [{k: float(v) for k, v in e.items() if k in ("x", "y", "width", "height")}
        for e in picture.iter("{http://www.w3.org/2000/svg}rect") if e.get("class")]
assert "optimizer" in texts and "bubble" in texts, texts
rows = {}
for label in picture.iter("{http://www.w3.org/2000/svg}text"):
    if label.text.startswith("stage "):
        at = float(label.get("y")) - 4      # the middle of the row
        rows[label.text] = [(b["x"], b["x"] + b["width"]) for b in bars if b["y"] <= at <= b["y"] + b["height"]]
assert len(rows) == 2, rows
for name, spans in rows.items():
    at = 70                 # where time begins; 970 is the end of the iteration
    for start, end in sorted(spans):
        assert start <= at + 0.1, f"{name}: nothing is drawn from {at} to {start}"
        at = max(at, end)
    assert abs(at - 970) < 0.1, f"{name} ends at {at}"
END
verdict $? 'the picture of an iteration leaves time undrawn'
# One sum of all gradients behind the last backward pass hides nothing; each layer's hides some.
late=$(train tp4.dp4 --compute-scale 20 --bucket 1GiB | json 'o["exposed_data_cycles"]')
early=$(train tp4.dp4 --compute-scale 20 | json 'o["exposed_data_cycles"]')
[ "$early" -lt "$late" ]
verdict $? "a bucket of all: $late cycles exposed, of a layer each: $early"

# ---- composed of events that were measured once each: within 4 % of the run -------------------------------------
# (tp4.dp4 is 3.9 % long, the others less than 1 % off.)  Activity is within 1 %, with either order of the queue that
# collectives of all groups share: were it one of each group, tp4.dp4 would be 6 % off.
# Unique work: a sum within layers (with sp a gather and a scatter) and two messages of a pipeline. In addition the
# gradients of a layer and of the ends of the first and last stage (with zero1 also parameters), and of the tied
# embedding.
sed '$a order: fifo' "$work/cluster.yaml" >"$work/fifo.yaml"
for case in 'tp4.dp4 3 cluster' 'tp4.dp4 3 fifo' 'tp4.pp2.dp2.m4.sp.zero1 11 fifo' 'tp4.pp4.m8.zb-h1 4 cluster' 'tp4.dp2.pp2.m4.v2 7 cluster'; do
    set -- $case
    train "$1" --cluster "$work/$3.yaml" --layers 4 --composed --compare-run >"$work/composed.json"
    same "$(json 'abs(o["composition"]["batch_error"]) < 0.04 and o["composition"]["worst_activity_error"] < 0.01' <"$work/composed.json")" True \
        "$1, $3: $(json 'o["cycles"], o["composition"]["run_cycles"], o["composition"]["worst_activity_error"]' <"$work/composed.json") cycles composed and run, activity"
    same "$(json "$parts" <"$work/composed.json")" 0 "$1, composed: cycles that are nowhere"
    same "$(json 'o["unique_events"]' <"$work/composed.json")" "$2" "$1: unique events"
    same "$(json 'o["bound_cycles"] <= o["cycles"]' <"$work/composed.json")" True "$1, composed: below the bound"
done

# Measured events are kept and not measured again. A store must give the same bytes. Another strategy shares it, but
# another cluster does not.
kept() { sqlite3 "$work/events.sqlite" "$1"; }
train tp4.pp2.dp2.m4 --layers 4 --composed >"$work/alone.json"
for time in first second; do
    train tp4.pp2.dp2.m4 --layers 4 --composed --events "$work/events.sqlite" >"$work/stored.json"
    cmp -s "$work/alone.json" "$work/stored.json"
    verdict $? "events kept, the $time time: another result"
    same "$(kept 'SELECT count(*) FROM events')" "$(json 'o["unique_events"]' <"$work/alone.json")" "events kept, the $time time"
done
train tp4.pp2.dp2.m2.full --layers 4 --composed --events "$work/events.sqlite" >/dev/null
same "$(kept 'SELECT count(*) FROM events')" "$(json 'o["unique_events"]' <"$work/alone.json")" 'events of another strategy with the same'
kept 'UPDATE events SET cycles = cycles + 1000000'
[ "$(train tp4.pp2.dp2.m4 --layers 4 --composed --events "$work/events.sqlite" | json 'o["cycles"]')" -gt \
    "$(json 'o["cycles"]' <"$work/alone.json")" ]
verdict $? 'events that are kept are not used'
train tp4.pp2.dp2.m4 --layers 4 --composed --link-latency 91 --events "$work/events.sqlite" >"$work/other.json"
train tp4.pp2.dp2.m4 --layers 4 --composed --link-latency 91 | cmp -s - "$work/other.json"
verdict $? 'events of another cluster are used'

# Beside the run of the same: what both say of themselves, and each event where it is.  Nothing is apart where one
# collective is waited for after another.
train tp4.pp2.dp2.m4.sp.zero1 --layers 4 --composed --compare-run >"$work/compared.json"
run=$(train tp4.pp2.dp2.m4.sp.zero1 --layers 4 | json 'o["cycles"]')
same "$(json 'o["composition"]["run_cycles"]' <"$work/compared.json")" "$run" 'the run beside what is composed'
same "$(json 'abs(o["composition"]["batch_error"] - (o["cycles"] / o["composition"]["run_cycles"] - 1)) < 1e-12' <"$work/compared.json")" True \
    'the error of the iteration'
same "$(json '[sum(d["like"] for d in o["composition"]["devices"]), len(o["composition"]["stage_medians"]), len(o["composition"]["passes"])]' \
    <"$work/compared.json")" '[16, 2, 16]' 'NPUs, stages and passes that are compared'
same "$(json '(lambda c: 0 < c["quantiles"]["0.5"] <= c["quantiles"]["0.9"] <= c["quantiles"]["1"] and abs(c["quantiles"]["1"] - max(d["worst"] for d in c["devices"])) < 1e-12 and 0 < c["activity_error"] <= c["worst_activity_error"] < 0.05)(o["composition"])' \
    <"$work/compared.json")" True 'the distribution of what is apart'
# The last backward pass of the first stage ends the passes; its end is off by at most the worst of its NPUs.
same "$(json 'all(abs(p["composed"][1] - p["run"][1]) <= max(d["worst"] for d in o["composition"]["devices"]) * o["composition"]["run_cycles"] + 1 for p in o["composition"]["passes"])' \
    <"$work/compared.json")" True 'passes composed and run'
same "$(train tp16.dp1 --composed --compare-run --endpoint ideal | json 'o["composition"]["batch_error"], o["composition"]["quantiles"]["1"]')" '0 0' \
    'one collective after another'

# ---- the same, however it is run -------------------------------------------------------------------------
cycles() { json 'o["cycles"], o["compute_cycles"], o["bytes_sent_per_npu"], o["config_digest"]'; }
same "$(train tp4.dp4 --fold off --threads 2 | cycles)" "$(cycles <"$work/ace.json")" 'unfolded, two threads'
same "$(train tp4.dp4 --fast-forward off | cycles)" "$(cycles <"$work/ace.json")" 'step by step'
# Groups on parts of dimensions repeat along them. Groups of whole dimensions are all alike, except a ring of keys that
# goes over two dimensions. CLASSES are products of periods, counted by hand.
for case in '8x4x1 tp2.dp16 2' '8x4x1 tp2.cp4.dp4 2' '8x4x1 tp2.pp2.dp8.m2 8' '8x4x2 tp16.dp4 2' '4x4x1 cp8.dp2 8' '4x2x2 tp4.cp4 4'; do
    set -- $case
    train "$2" --topology "$1" --endpoint ideal >"$work/part.json"
    same "$(json 'o["folding"]' <"$work/part.json" | cut -d ' ' -f 1)" "$3" "$2 on $1: classes"
    same "$(train "$2" --topology "$1" --endpoint ideal --fold off | cycles)" "$(cycles <"$work/part.json")" "$2 on $1: unfolded"
done
train tp4.pp2.dp2.m4.zero1 >"$work/pipe.json"
same "$(train tp4.pp2.dp2.m4.zero1 --fold off --threads 2 | cycles)" "$(cycles <"$work/pipe.json")" 'a pipeline unfolded, two threads'
same "$(train tp2.cp2.dp2.pp2.m2 --fold off --endpoint ideal | cycles)" "$(train tp2.cp2.dp2.pp2.m2 --endpoint ideal | cycles)" \
    'parts of dimensions, by messages'
if [ -d "$(dirname "$acesim")/bridge" ] && "$acesim" collective all-reduce --topology 2 --size 4KiB --rung rtl >/dev/null 2>&1; then
    same "$(train tp4.dp4 --rung 'rtl:0;cycle:rest' | json 'o["cycles"]')" "$ace" 'node 0 in RTL'
    same "$(train tp4.pp2.dp2.m4.zero1 --rung 'rtl:0;cycle:rest' | json 'o["cycles"]')" \
        "$(json 'o["cycles"]' <"$work/pipe.json")" 'a pipeline with node 0 in RTL'
fi
other=$(train tp4.dp4 --placement tp:x,dp:yz | json 'o["cycles"]')
same "$other" "$ace" 'the placement that is the default one'
turned=$(train tp4.dp4 --placement tp:yz,dp:x | json 'o["cycles"]')
[ "$turned" != "$ace" ]
verdict $? "another placement takes as long: $turned"

# ---- what is refused ------------------------------------------------------------------------------------
on=(--cluster "$work/cluster.yaml" --strategy)
printf 'F0 B1 F1 B0\nF0 F1 B0 B1\n' >"$work/loop.txt"
refused "loop.txt:1:4: found B1 of stage 0 waiting for B1" models/gpt2-345m.yaml "${on[@]}" tp4.pp2.dp2.m2 --schedule "$work/loop.txt"
refused "own.txt:1:1: found 2 stages, 1 chunks, 4 micro-batches, expected the strategy's pp2, v1 and m2" \
    models/gpt2-345m.yaml "${on[@]}" tp4.pp2.dp2.m2 --schedule "$work/own.txt"
refused "found --compare-run without --composed, expected both" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --compare-run
refused "found --events without --composed, expected both" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --events here
refused "found --timeline with --composed, expected --compare-run" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --composed --timeline here
refused "--bucket: found 'much', expected a size such as 25MiB" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --bucket much
refused "found tf32 on an NPU without TF32" models/gpt2-345m.yaml "${on[@]}" tp4.dp4.tf32
refused "found a model that is a dlrm" models/dlrm-mlperf.yaml "${on[@]}" dp16
refused "cluster.yaml:1:11: found a fabric of 16 nodes, expected 8 nodes, one for each rank" models/gpt2-345m.yaml "${on[@]}" dp8
refused "--topology '4x8': found a fabric of 32 nodes, expected 8 nodes, one for each rank" models/gpt2-345m.yaml "${on[@]}" dp8 --topology 4x8
refused "--shared-links: found 'xy', expected dimensions of one link bandwidth" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --endpoint ideal \
    --shared-links xy
refused "--shared-links: found 'yw', expected dimensions of the topology" models/gpt2-345m.yaml "${on[@]}" tp4.dp4 --endpoint ideal \
    --shared-links yw
refused "found no --strategy" models/gpt2-345m.yaml --cluster "$work/cluster.yaml"
refused "nowhere.yaml" nowhere.yaml "${on[@]}" dp16

echo "train: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

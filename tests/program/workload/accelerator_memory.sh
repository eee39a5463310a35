#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# accelerator_memory.sh [ACESIM] -- accelerators and expanded memory: a cluster's NPUs must be as their file describes,
# except for values in the cluster's own file. Data that spills must get the bandwidth of both memories. Sweeps and
# searches must use both.
. "$(dirname "$0")/../begin.sh"

json() { # PYTHON, of the object `o` on standard input
    python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"
}

# ---- what data sheets say: TFLOP/s, GB, GB/s -----------------------------------------------------------------
while read -r name matrix memory bandwidth; do
    printf 'topology: 2\naccelerator: accelerators/%s.yaml\n' "$name" >"$work/sheet.yaml"
    same "$("$acesim" run "$work/sheet.yaml" models/resnet50.yaml --iterations 1 --endpoint ideal --quiet --format json |
        json 'o["configuration"]["npu_matrix_TFLOPS"], int(o["configuration"]["npu_memory_bytes"]) / 1e9, o["configuration"]["npu_memory_bandwidth_GBps"], o["configuration"]["npu_memory_traffic"]')" \
        "$matrix $memory $bandwidth together" "$name"
done <<'END'
v100-32 125 32.0 900
a100-40 312 40.0 1555
a100-80 312 80.0 2039
a40 149.7 48.0 696
a10 125 24.0 600
h100-80 989 80.0 3350
h200-141 989 141.0 4800
b200-180 2250 180.0 8000
tpu-v4 275 32.0 1200
dojo-tile 9000 11.0 250000
END
# Links in GB/s a direction, of both of a dimension: in a pod and between pods, or on a torus.
while read -r name first second; do
    same "$("$acesim" run clusters/$name.yaml models/resnet50.yaml --iterations 1 --quiet --format json |
        json '*(f"{2 * b:g}" for b in o["configuration"]["link_bandwidth_GBps"][:2])')" "$first $second" "links of $name"
done <<'END'
pods-a100 300 31.25
pods-h100 450 50
pods-b200 900 100
torus-tpu-v4 100 100
torus-dojo 18000 18000
END
# A value in the cluster's own file replaces the accelerator's, wherever the line is.
printf 'npu: {memory: 16 GB}\ntopology: 2\naccelerator: accelerators/v100-32.yaml\n' >"$work/own.yaml"
same "$("$acesim" run "$work/own.yaml" models/resnet50.yaml --iterations 1 --endpoint ideal --quiet --format json |
    json 'o["configuration"]["npu_memory_bytes"], o["configuration"]["npu_memory_bandwidth_GBps"]')" '16000000000 900' 'what a cluster says itself'

# ---- a footprint that spills: in proportion (l + x) / (l / L + x / E), both at once, or by heat -----------------
printf 'architecture: decoder\nlayers: 2\nhidden: 512\nheads: 16\nsequence: 128\nvocabulary: 8192\ndropout: yes\n' >"$work/small.yaml"
cluster() { # NPU KEYS...
    printf 'topology: 4x2x2\nendpoint: ideal\nnpu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, memory_bandwidth: 1000 GB/s, memory_efficiency: 1, %s}\n' \
        "$1" >"$work/cluster.yaml"
}
train() { "$acesim" train "$work/small.yaml" --cluster "$work/cluster.yaml" --strategy tp4.dp4 --format json --quiet "$@"; }
cluster 'memory: 20 MB'
train --expanded-memory 200MB --expanded-bandwidth 50GB/s >"$work/spilled.json"
train --expanded-memory 200MB --expanded-bandwidth 50GB/s --expansion together >"$work/together.json"
train --expanded-memory 200MB --expanded-bandwidth 50GB/s --expansion heat >"$work/heat.json"
"$acesim" footprint "$work/small.yaml" tp4.dp4 --format json >"$work/footprint.json"
cat >"$work/expected.py" <<'END'
import json, sys
o = json.load(open(sys.argv[1]))["stages"][0]
peak, cold, L, E, l = o["peak_bytes"], o["optimizer_bytes"], 1000.0, 50.0, 20e6
x = peak - l
print("%.6f %.6f" % (((l + x) / (l / L + x / E),) * 2))
print("%.6f %.6f" % (((l + x) / max(l / L, x / E),) * 2))
first = min(x, cold)
rest, over = peak - cold, x - first
print("%.6f %.6f" % (rest / ((rest - over) / L + over / E), cold / ((cold - first) / L + first / E)))
END
python3 "$work/expected.py" "$work/footprint.json" >"$work/expected"
for name in spilled together heat; do
    json '"%.6f %.6f" % (o["memory_bandwidth_GBps"], o["memory_bandwidth_optimizer_GBps"])' <"$work/$name.json"
done >"$work/found"
same "$(cat "$work/found")" "$(cat "$work/expected")" 'bandwidths of what spills'
same "$(json 'o["memory_fits"], o["memory_local_bytes"] == 20e6, o["memory_local_bytes"] + o["memory_expanded_bytes"] == o["memory_peak_bytes"]' \
    <"$work/spilled.json")" 'True True True' 'what spills'
train --expanded-memory 1MB --expanded-bandwidth 50GB/s >"$work/small.json"
same "$(json 'o["memory_fits"]' <"$work/small.json")" False 'what does not fit'
# Compute must be as fast as on an NPU with the remaining bandwidth.
left=$(json 'o["memory_bandwidth_GBps"]' <"$work/spilled.json")
printf 'topology: 4x2x2\nendpoint: ideal\nnpu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, memory_bandwidth: %s GB/s, memory_efficiency: 1}\n' "$left" \
    >"$work/cluster.yaml"
slow=$(train | json 'o["compute_cycles"]')
python3 -c "import sys; sys.exit(abs($slow / $(json 'o["compute_cycles"]' <"$work/spilled.json") - 1) > 1e-4)"
verdict $? "compute of what spills: $(json 'o["compute_cycles"]' <"$work/spilled.json") cycles, expected $slow"

# ---- a pipeline: each stage has the bandwidth of what it spills itself, run, composed, and in the bound ----------
cluster 'memory: 9 MB'
staged() { "$acesim" train "$work/small.yaml" --cluster "$work/cluster.yaml" --strategy tp4.pp2.dp2.m4 --format json --quiet "$@"; }
staged --expanded-memory 200MB --expanded-bandwidth 50GB/s >"$work/stages.json"
"$acesim" footprint "$work/small.yaml" tp4.pp2.dp2.m4 --format json |
    json '*("%.6f" % (s["peak_bytes"] / (9e6 / 1000 + (s["peak_bytes"] - 9e6) / 50)) for s in o["stages"])' >"$work/expected"
same "$(json '*("%.6f" % s["memory_bandwidth_GBps"] for s in o["stages"])' <"$work/stages.json")" "$(cat "$work/expected")" 'bandwidth of each stage'
same "$(json 'o["memory_bandwidth_GBps"] == min(s["memory_bandwidth_GBps"] for s in o["stages"]), len({s["memory_bandwidth_GBps"] for s in o["stages"]})' \
    <"$work/stages.json")" 'True 2' 'the fullest stage, and the other'
compute() { json "o['stages'][$1]['compute_cycles']"; }
composed=$(staged --expanded-memory 200MB --expanded-bandwidth 50GB/s --composed | json '*(s["compute_cycles"] for s in o["stages"])')
same "$composed" "$(json '*(s["compute_cycles"] for s in o["stages"])' <"$work/stages.json")" 'compute of stages, composed'
same "$(json 'o["bound_cycles"] <= o["cycles"]' <"$work/stages.json")" True 'a pipeline that spills, and its bound'
for stage in 0 1; do
    printf 'topology: 4x2x2\nendpoint: ideal\nnpu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, memory_bandwidth: %s GB/s, memory_efficiency: 1}\n' \
        "$(cut -d ' ' -f $((stage + 1)) "$work/expected")" >"$work/cluster.yaml"
    alone=$(staged | compute $stage)
    found=$(compute $stage <"$work/stages.json")
    python3 -c "import sys; sys.exit(abs($alone / $found - 1) > 1e-4)"
    verdict $? "compute of stage $stage: found $found cycles, expected $alone"
done

# ---- acesim run: sharded tables, a share each, and 16 bytes of each other parameter ---------------------------
printf 'topology: 4\nendpoint: ideal\nnpu: {memory: 8 GB}\n' >"$work/cluster.yaml"
dlrm() { "$acesim" run "$work/cluster.yaml" models/dlrm.yaml --iterations 1 --quiet --format json "$@"; }
dlrm --expanded-memory 8GB --expanded-bandwidth 100GB/s >"$work/dlrm.json"
mlp=$((13 * 512 + 512 + 512 * 256 + 256 + 256 * 128 + 128 + 479 * 1024 + 1024 + 1024 * 1024 + 1024 + 1024 * 512 + 512 + 512 * 256 + 256 + 256 + 1))
same "$(json 'o["memory_bytes_per_npu"], o["expanded_memory_bytes_per_npu"]' <"$work/dlrm.json")" \
    "$(python3 -c "b = (2 * 187767399 * 128 + 4 * 187767399) / 4 + 16 * $mlp; print('%d %d' % (b, b - 8e9))")" 'what DLRM holds'
same "$(json '"%.3f" % o["memory_bandwidth_of_both_GBps"]' <"$work/dlrm.json")" \
    "$(json '"%.3f" % (o["memory_bytes_per_npu"] / (8e9 / 900 + o["expanded_memory_bytes_per_npu"] / 100))' <"$work/dlrm.json")" 'its bandwidth'
refused 'expected at most the 12 GB of npu.memory and --expanded-memory' run "$work/cluster.yaml" models/dlrm.yaml --expanded-memory 4GB

# ---- sweeps and searches ------------------------------------------------------------------------------------
cluster 'memory: 20 MB'
cat >"$work/sweep.yaml" <<END
name: spills
command:
  - train $work/small.yaml --cluster=$work/cluster.yaml --strategy=tp4.dp4
  - train $work/small.yaml --cluster=$work/cluster.yaml --strategy=tp2.dp8 --topology=2x8
options: {expanded-memory: 200MB, composed: true}
grid: {expanded-bandwidth: [50GB/s, 100GB/s]}
END
"$acesim" sweep "$work/sweep.yaml" --database "$work/sweep.sqlite" --quiet >/dev/null
"$acesim" train "$work/small.yaml" --cluster "$work/cluster.yaml" --strategy tp2.dp8 --topology 2x8 --composed \
    --expanded-memory 200MB --expanded-bandwidth 100GB/s --quiet --format json >"$work/point.json"
same "$(sqlite3 "$work/sweep.sqlite" "SELECT group_concat(cycles, ' ') FROM (SELECT cycles FROM points WHERE command LIKE '%tp2.dp8%' AND expanded_bandwidth = '100GB/s')")" \
    "$(json 'o["cycles"]' <"$work/point.json")" 'a point of a sweep of acesim train'
# Another accelerator behind the same name makes other points.
cp workloads/accelerators/a100-40.yaml "$work/npu.yaml"
printf 'topology: 4x2x2\nendpoint: ideal\naccelerator: %s\n' "$work/npu.yaml" >"$work/cluster.yaml"
for try in 1 2; do
    "$acesim" sweep "$work/sweep.yaml" --database "$work/sweep.sqlite" --quiet >/dev/null
    sed -i 's/312 TFLOPS/313 TFLOPS/' "$work/npu.yaml"
done
same "$(sqlite3 "$work/sweep.sqlite" "SELECT count(*) FROM points")" 12 'points of three accelerators'
sed -i 's/composed: true/svg: out.svg/' "$work/sweep.yaml"
refused "sweep.yaml:5:35: found unknown option 'svg'" sweep "$work/sweep.yaml" --list
sed -i 's/--strategy=tp4.dp4/--format=csv/' "$work/sweep.yaml"
refused "found '--format=csv', expected an option of acesim train as --NAME=VALUE" sweep "$work/sweep.yaml" --list
sed -i 's|train .*--format=csv|run clusters/torus-4x2x2.yaml models/resnet50.yaml --output=here|' "$work/sweep.yaml"
refused "found '--output=here', expected an option of acesim run as --NAME=VALUE" sweep "$work/sweep.yaml" --list
# Capacity is what the cluster's file says, expanded memory with it; no iteration is below its bound.
cluster 'memory: 20 MB, expanded_memory: 20 MB, expanded_bandwidth: 900 GB/s, expansion: together'
"$acesim" search "$work/small.yaml" --cluster "$work/cluster.yaml" --batch 16 --quiet --database "$work/search.sqlite" --all \
    --fixed sp.fused.zero1.none.b1 --vary none --format json >"$work/search.json"
same "$(json 'len(o) > 4, max(x["memory_peak_bytes"] for x in o) <= 40e6, max(x["memory_peak_bytes"] for x in o) > 20e6, sum(x["cycles"] < x["bound_cycles"] for x in o)' \
    <"$work/search.json")" 'True True True 0' 'a search'

# ---- what is refused ------------------------------------------------------------------------------------------
printf 'topology: 2\naccelerator: %s\n' "$work/npu.yaml" >"$work/cluster.yaml"
printf 'name: own\ntopology: 4\n' >"$work/npu.yaml"
refused "npu.yaml:2:1: found unknown key 'topology'" run "$work/cluster.yaml" models/resnet50.yaml
printf 'npu: {memory: much}\n' >"$work/npu.yaml"
refused "npu.yaml:1:15: found 'much', expected" run "$work/cluster.yaml" models/resnet50.yaml
rm "$work/npu.yaml"
refused "npu.yaml:1:1: found No such file" run "$work/cluster.yaml" models/resnet50.yaml

echo "memory: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

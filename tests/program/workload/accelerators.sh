#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# accelerators.sh [ACESIM] -- a cluster of several accelerators. A stage must compute as on a cluster of its slowest
# accelerator. Its footprint must fit in each, and a wrong list must be refused.
. "$(dirname "$0")/../begin.sh"

refused_by=(train)
h100=accelerators/h100-80-measured.yaml
a100=accelerators/a100-80-measured.yaml
on=(models/llama3-8b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(4)' --layers 4
    --strategy tp8.dp2.pp2.m4.sp.fused.zero1 --composed --quiet)
train() { # ACCELERATORS OPTIONS...: as JSON
    "$acesim" train "${on[@]}" --format json --accelerator "$@"
}
json() { # PYTHON, of the object `o` on standard input
    python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"
}
compute='[s["compute_alone_cycles"] for s in o["stages"]]'

train $h100 >"$work/h100.json"
train $a100 >"$work/a100.json"
fast=$(json 'o["stages"][0]["compute_alone_cycles"], o["stages"][1]["compute_alone_cycles"]' <"$work/h100.json")
slow=$(json 'o["stages"][0]["compute_alone_cycles"], o["stages"][1]["compute_alone_cycles"]' <"$work/a100.json")
read -r f0 f1 <<<"${fast//[(),]/}"
read -r s0 s1 <<<"${slow//[(),]/}"
python3 -c "import sys; sys.exit(not $f0 < $s0)"
verdict $? "an H100 computes faster: $f0 and $s0 cycles"

# ---- one file twice is one file ----------------------------------------------------------------------------
same "$(train "$h100:0-15;$h100:rest" | json 'o["cycles"]')" "$(json 'o["cycles"]' <"$work/h100.json")" 'one file twice'

# ---- the slowest of stages, replicas and nodes -------------------------------------------------------------
# Each rank is a node. tp8 takes 8 nodes and dp2 twice as many, so stage 1 has nodes 16 to 31.
same "$(train "$h100:0-15;$a100:16-31" | json "$compute")" "[$f0, $s1]" 'a stage on each'
same "$(train "$a100:0-15;$h100:rest" | json "$compute")" "[$s0, $f1]" 'the other way round'
same "$(train "$a100:8-15,24-31;$h100:rest" | json "$compute")" "[$s0, $s1]" 'a replica on each'
same "$(train "$h100:0-30;$a100:rest" | json "$compute")" "[$f0, $s1]" 'one slow node'
train "$h100:0-15;$a100:16-31" >"$work/mixed.json"
same "$(json '[s["accelerator"] for s in o["stages"]]' <"$work/mixed.json")" "['$h100', '$a100']" 'their names'
same "$(json 'o["machine_error"], o["machine_error_runs"]' <"$work/mixed.json")" 'None 0' 'no measured run is like it'
same "$(json 'round(o["model_flops_utilization"] * o["time_us"] * (989 + 312) / 2)' <"$work/mixed.json")" \
    "$(json 'round(o["model_flops_utilization"] * o["time_us"] * 989)' <"$work/h100.json")" 'peak of the mean node'

# The exact nodes of a run: the same compute, had it been alone.
printf 'topology: 4x2x2\naccelerator: "%s:0-7;%s:rest"\n' $h100 $a100 >"$work/mixed.yaml"
for name in $h100 $a100; do printf 'topology: 4x2x2\naccelerator: %s\n' $name >"$work/$(basename $name)"; done
run() { "$acesim" train models/gpt2-345m.yaml --cluster "$work/$1" --strategy tp4.dp2.pp2.m2.fused --layers 2 \
    --sequence 128 --quiet --format json | json "$compute"; }
same "$(run mixed.yaml)" "$(python3 -c 'import ast,sys; a, b = map(ast.literal_eval, sys.argv[1:]); print([a[0], b[1]])' \
    "$(run h100-80-measured.yaml)" "$(run a100-80-measured.yaml)")" "a list in the cluster's file"

# ---- memory: each stage fits in 80 GB and not in 24 GB, which a fast accelerator of one node has ----------
sed 's/^name: .*/name: small/; s/memory: 80 GB/memory: 24 GB/' workloads/$h100 >"$work/small.yaml"
big=(models/llama3-8b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(4)' --composed --quiet
    --strategy tp2.dp8.pp2.m4.sp.fused)
peaks=$("$acesim" plan footprint models/llama3-8b.yaml tp2.dp8.pp2.m4.sp.fused --format json |
    json '[s["peak_bytes"] > 24e9 for s in o["stages"]], [s["peak_bytes"] < 80e9 for s in o["stages"]]')
same "$peaks" '[True, True] [True, True]' 'the example has between 24 and 80 GB on each stage'
for case in "0 $work/small.yaml:0;$a100:rest" "1 $a100:0-30;$work/small.yaml:rest"; do
    "$acesim" train "${big[@]}" --accelerator "${case#* }" >/dev/null 2>"$work/err"
    same "$? $(grep -c "on stage ${case%% *}, expected at most the 24 GB" "$work/err")" '1 1' "memory of ${case#* }"
done
"$acesim" train "${big[@]}" --accelerator "$h100:0-15;$a100:rest" >/dev/null 2>"$work/err"
verdict $? "80 GB on each: $(cat "$work/err")"

# ---- refused -----------------------------------------------------------------------------------------------
refused "names each of nodes 0 to 31 once" "${on[@]}" --accelerator "$h100:0-15;$a100:16-30"
refused "names each of nodes 0 to 31 once" "${on[@]}" --accelerator "$h100:0-16;$a100:16-31"
refused "names each of nodes 0 to 31 once" "${on[@]}" --accelerator "$h100:0-15;$a100:31-16"
refused "names each of nodes 0 to 31 once" "${on[@]}" --accelerator "$h100:0-32"
refused "accelerators/none.yaml:1:1: found No such file" "${on[@]}" --accelerator "$h100:0-15;accelerators/none.yaml:rest"
refused "found npu-matrix of NPUs beside several accelerators" "${on[@]}" --accelerator "$h100:0-15;$a100:rest" \
    --npu-matrix 100TFLOPS
printf 'topology: 4x2x2\naccelerator: "%s:0-7;%s:rest"\nnpu: {memory: 80 GB}\n' $h100 $a100 >"$work/own.yaml"
refused "own.yaml:3:15: found npu.memory of NPUs beside several accelerators" models/gpt2-345m.yaml \
    --cluster "$work/own.yaml" --strategy tp4.dp2.pp2.m2 --layers 2

# ---- run: all nodes wait for the slowest, whose memory and that of the others holds the workload -----------
run_on() { # ACCELERATORS: cycles of an iteration
    "$acesim" run clusters/torus-4x2x2.yaml models/resnet50.yaml --iterations 1 --endpoint ideal --quiet --format json \
        --accelerator "$1" | json 'o["cycles"]'
}
fast=$(run_on $h100)
slow=$(run_on $a100)
same "$(python3 -c "print($fast < $slow)")" True 'an H100 runs faster'
same "$(run_on "$h100:0-3;$a100:rest")" "$slow" 'a run with one slow kind'
same "$(run_on "$a100:15;$h100:rest")" "$slow" 'a run with one slow node'
same "$(run_on "$h100:0-3;$h100:rest")" "$fast" 'a run with one file twice'
sed 's/^name: .*/name: tiny/; s/memory: 80 GB/memory: 1 MB/' workloads/$h100 >"$work/tiny.yaml"
refused_by=(run)
refused "expected at most the 0.001 GB of npu.memory" clusters/torus-4x2x2.yaml models/resnet50.yaml \
    --accelerator "$work/tiny.yaml:0;$a100:rest"

# ---- search: each strategy takes what acesim train says, and the best is the one of a search without bounds -
search() { # ACCELERATORS OPTIONS...: as JSON
    "$acesim" search models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --batch 16 --layers 4 --sequence 256 \
        --endpoint ideal --composed --vary none --jobs 2 --quiet --format json --accelerator "$@"
}
search "$a100:0-3;$h100:rest" --database "$work/bounded.sqlite" >"$work/bounded.json"
search "$a100:0-3;$h100:rest" --all --database "$work/all.sqlite" >"$work/every.json"
python3 - "$work/bounded.json" "$work/every.json" "$acesim" "$a100:0-3;$h100:rest" <<'END'
import json, subprocess, sys
bounded, every = (json.load(open(f)) for f in sys.argv[1:3])
first, best = bounded[0], every[0]
assert (first["strategy"], first["placement"], first["cycles"]) == (best["strategy"], best["placement"], best["cycles"])
assert all(one["bound_cycles"] <= one["cycles"] for one in every)
one = next(o for o in every if ".pp1" not in o["strategy"])
run = subprocess.run([sys.argv[3], "train", "models/gpt2-345m.yaml", "--cluster", "clusters/torus-4x2x2.yaml", "--layers", "4",
                      "--sequence", "256", "--endpoint", "ideal", "--composed", "--quiet", "--format", "json", "--strategy",
                      one["strategy"], "--accelerator", sys.argv[4]] + (["--placement", one["placement"]] if one["placement"] else []),
                     capture_output=True, text=True, check=True)
assert json.loads(run.stdout)["cycles"] == one["cycles"], one
END
verdict $? 'a search of several accelerators'
# A rank of every strategy needs more than 10 MB, so none is left for the small node.
sed 's/^name: .*/name: small/; s/memory: 80 GB/memory: 10 MB/' workloads/$h100 >"$work/small.yaml"
search "$work/small.yaml:0;$h100:rest" --database "$work/none.sqlite" >/dev/null 2>"$work/err"
same "$? $(grep -c 'none that fits' "$work/err")" '2 1' 'each stage has to fit in each of its accelerators'

echo "accelerators: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# machines.sh [ACESIM] -- files of machines.  --accelerator takes the place of the cluster's NPU in train, run and plan.
# An answer names the file and the error to expect.  Irregular tables of products are read.  Bad files are refused.
. "$(dirname "$0")/../begin.sh"

json() { # PYTHON, of the object `o` on standard input
    python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"
}
llama() { # OPTIONS...: Llama-3 70B on 64 of the shipped H100 cluster
    "$acesim" train models/llama3-70b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(8)' \
        --strategy tp8.dp8.m16.sp.fused.zero1 --composed --quiet --format json "$@"
}

# ---- the shipped cluster computes with what was measured: near the 41 to 48 % of Megatron-Core's published runs ---------
llama >"$work/default.json"
same "$(json '0.40 < o["model_flops_utilization"] < 0.46, o["machine_file"], o["machine_fitted_on"] == ""' <"$work/default.json")" \
    'True accelerators/h100-80-measured.yaml True' 'the default of H100'
llama --accelerator accelerators/h100-80.yaml >"$work/sheet.json"
same "$(json '0.6 < o["model_flops_utilization"], o["machine_measured"], o["machine_error"]' <"$work/sheet.json")" \
    'True  None' 'data sheets on request'
same "$(llama --accelerator accelerators/h100-80-measured.yaml | json '[w for w in o["command"] if "accel" in w], o["cycles"]')" \
    "['--accelerator=accelerators/h100-80-measured.yaml'] $(json 'o["cycles"]' <"$work/default.json")" 'the same file by name'

# ---- run, search and plan know it too ---------------------------------------------------------------------------------
for name in v100-32 b200-180; do
    same "$("$acesim" run clusters/torus-4x2x2.yaml models/resnet50.yaml --iterations 1 --endpoint ideal --quiet --format json \
        --accelerator accelerators/$name.yaml | json 'o["configuration"]["npu_matrix_TFLOPS"]')" \
        "$(sed -n 's/  matrix: \(.*\) TFLOPS/\1/p' "workloads/accelerators/$name.yaml")" "run on $name"
done
[[ $("$acesim" plan workload models/resnet50.yaml --accelerator accelerators/b200-180.yaml) != \
    $("$acesim" plan workload models/resnet50.yaml) ]] 
verdict $? 'plan workload does not know --accelerator'

# ---- the error to expect is the mean of the nearest runs, here by hand --------------------------------------------------
cp "workloads/accelerators/h100-80-measured.yaml" "$work/own.yaml"
sed -i "s,^evidence:.*,evidence: $work/runs.csv," "$work/own.yaml"
runs() { # LINES of the file
    printf 'gpus,parameters_billion,tokens,tp,pp,measured_ms,predicted_ms\n' >"$work/runs.csv"
    printf '%s\n' "$@" >>"$work/runs.csv"
}
runs 64,70.55,8192,8,1,100,110 64,70.55,8192,8,1,100,80 2,0.1,512,1,1,100,300
same "$(llama --accelerator "$work/own.yaml" | json 'round(o["machine_error"], 6), round(o["machine_error_worst"], 6), o["machine_error_runs"], o["machine_runs"]')" \
    '0.15 0.2 2 3' 'two near runs of three'
runs 2,0.1,512,1,1,100,300
same "$(llama --accelerator "$work/own.yaml" | json 'o["machine_error"], o["machine_error_runs"], o["machine_runs"]')" 'None 0 1' 'none is near'
"$acesim" train models/llama3-70b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(8)' --composed --quiet \
    --strategy tp8.dp8.m16.sp.fused.zero1 --accelerator "$work/own.yaml" >"$work/table"
grep -q '^machine .*own.yaml, zero-shot, .*none of 1 measured runs is like this one' "$work/table"
verdict $? 'no line says that no run is like it'

# ---- the shipped runs of a B200 and of vTrain's are predicted by this program as their lists say -------------------------
mkdir "$work/published" "$work/tables"
cp workloads/measured/simumax/simumax_b200_even.csv "$work/published"
head -n 8 workloads/measured/vtrain/vtrain_multi_node_even.csv >"$work/published/vtrain_multi_node_even.csv"
python3 scripts/measured-tables.py "$work/published" "$work/tables" >/dev/null
for machine in b200 a100; do
    python3 scripts/machine-evidence.py "$acesim" "$work/tables" $machine >"$work/$machine.csv"
    rows=$(wc -l <"$work/$machine.csv")
    [ "$rows" -ge 8 ] && head -n "$rows" "workloads/measured/evidence/$machine.csv" | cmp -s - "$work/$machine.csv"
    verdict $? "workloads/measured/evidence/$machine.csv is not of this program: $(diff "workloads/measured/evidence/$machine.csv" "$work/$machine.csv" | head -3)"
done

# ---- irregular tables: a shape of the table has its own time, and the same in another unit another ----------------------
printf 'm,n,k,time_us\n4096,10240,8192,473.4\n4096,8192,10240,613.2\n1536,5120,4096,50\n512,384,1024,7\n777,1000,640,9\n' >"$work/odd.csv"
sed "s,gemm_table:.*,gemm_table: $work/odd.csv," "workloads/accelerators/h100-80-measured.yaml" >"$work/odd.yaml"
same "$("$acesim" fit npu "$work/odd.yaml" --products "$work/odd.csv" --rows --format json |
    json '[round(r["table"] / r["measured_us"], 2) for r in o["product_rows"]]')" '[1.0, 1.0, 1.0, 1.0, 1.0]' 'its own shapes'

# ---- refused, with the place --------------------------------------------------------------------------------------------
refused_by=(train models/llama3-70b.yaml --cluster clusters/pods-h100.yaml --strategy tp8.dp8.m16 --topology 'Switch(8)_Ring(8)'
    --composed --quiet --accelerator)
printf 'name: odd\nnpu:\n  matrix: 989 GB/s\n' >"$work/unit.yaml"
refused "unit.yaml:3:11: found '989 GB/s'" "$work/unit.yaml"
printf 'name: odd\ncollectives:\n  node_share: 1.2\n' >"$work/share.yaml"
refused "share.yaml:3:15: found '1.2', expected a fraction above 0, at most 1" "$work/share.yaml"
printf 'name: odd\nmatrix: 989 TFLOPS\n' >"$work/key.yaml"
refused "key.yaml:2:1:" "$work/key.yaml"
runs 64,70.55,8192,8,1,100,x
refused "runs.csv:2:23:" "$work/own.yaml"
runs 64,70.55,8192,8,1,-5,100
refused "runs.csv:2:19:" "$work/own.yaml"
echo "machines: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

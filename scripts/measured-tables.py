#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measured-tables.py FOLDER OUTPUT -- published tables of iterations as rows of acesim measured

FOLDER has tables drawn from public repositories, whichever of these are there:

    vtrain_multi_node_even.csv, vtrain_single_node_sample.csv   vTrain, A100
    simumax_b200_even.csv      SimuMax, one node of B200
    sailor_plans_even.csv      Sailor, GH200, FP32, 4 a node
    neusight_4xa100.csv        NeuSight, FP32
    megatron_throughput.csv    Megatron-LM 2021 and 2024, A100 and H100; micro-batches of 2024 are not said
    megatron_2020.csv          Megatron-LM 2020, V100 and A100
    nemo_h100_fp8.csv          NeMo, H100 in FP8; sizes of its models are those of their papers
    mlperf_llama31_405b_given.csv, mlperf_llama31_8b_given.csv, mlperf_llama2_70b_lora_given.csv   MLPerf Training 5.0 and 5.1
    dgxc_steps_given.csv       NVIDIA's step times of models whose strategy a plan has

OUTPUT gets a file of the same name for each.  Hardware is that of data sheets.  `linear_tflops` is the peak of linear
layers where they run in FP8 or FP4.  It has the share that the best product in FP8 reaches, relative to BF16's best, as
github.com/stas00/ml-engineering 744d01e1 measured both (H100 0.709 and 0.803, H200 0.734, B200 0.763 and 0.776).
"""
import csv
import os
import sys

folder, output = sys.argv[1:]
A100 = dict(accelerator="a100-80-measured", peak_tflops=312, memory_gbps=2039, link_gbps=300, nic_gbps=25, gpus_per_node=8)
A100_40 = dict(A100, accelerator="a100-80-measured", memory_gbps=1555)
A100_FP32 = dict(A100_40, peak_tflops=19.5)   # matrix products in FP32 proper
V100 = dict(accelerator="v100-32-measured", peak_tflops=125, memory_gbps=900, link_gbps=150, nic_gbps=6.25, gpus_per_node=16)
H100 = dict(accelerator="h100-80-measured", peak_tflops=989, memory_gbps=3350, link_gbps=450, nic_gbps=50, gpus_per_node=8)
H100_FP8 = dict(H100, linear_tflops="%.0f" % (1979 * 0.709 / 0.803))
# GH200 has the SMs of an H100.  Said to be FP32, but some rows are faster than its peak of 67: half of BF16's peak, which is TF32's.
GH200_TF32 = dict(accelerator="h100-80-measured", peak_tflops=494.5, memory_gbps=4000, link_gbps=150, nic_gbps=25, gpus_per_node=4)
B200 = dict(accelerator="b200-180-measured", peak_tflops=2250, memory_gbps=8000, link_gbps=900, nic_gbps=50, gpus_per_node=8)

# hidden, heads, layers, words; or the name of a file of models/
NEMO = {
    "GPT3-5B": (4096, 32, 24, 51200), "GPT3-20B": (6144, 48, 44, 51200), "GPT3-175B": (12288, 96, 96, 51200),
    "LLAMA2-7B": (4096, 32, 32, 32000), "LLAMA2-13B": (5120, 40, 40, 32000), "LLAMA2-70B": (8192, 64, 80, 32000),
    "Nemotron-8B": (4096, 32, 32, 256000), "Nemotron-22B": (6144, 48, 40, 256000),
    "LLAMA3-8B": "llama3-8b", "LLAMA3-70B": "llama3-70b",
}


# Megatron-LM before September 2021 (16c90445) waits for each sum of tensor parallelism.  Before February 2022 (83b1e42f) a
# kernel of its own adds a micro-batch's gradients.  vTrain's predictor of its Megatron-DeepSpeed has the sums in sequence, too.
OLD_MEGATRON = dict(serial=1, sums=1)


def vtrain(row):
    yield dict(row, **OLD_MEGATRON)


def simumax(row):
    out = dict(row, **B200)
    out["model"] = row["model"].replace("seekv", "seek-v")
    if "deepseek" in row["model"]:
        out.update(dense_layers=1, capacity=1)
    out["parts"] = "fused.zero1.grad4" + (".sp" if row["tp"] != "1" else "") + (".all-to-all" if row["cp"] != "1" else "")
    out["serial"] = 1                                           # no overlap of tensor parallelism; its context parallelism exchanges heads
    yield out


def sailor(row):
    layers = [int(n) for n in row["layers_per_stage"].split()]
    layers[0] -= 1                                              # the embedding and the head count as layers
    layers[-1] -= 1
    hidden, heads, words = (1024, 16, 50272) if row["model"] == "OPT-350" else (2560, 32, 128256)
    yield dict(GH200_TF32, row=row["plan"], hidden=hidden, heads=heads, layers=sum(layers), sequence=2048,
               vocabulary=words, tp=row["tp"], dp=row["dp"], pp=row["pp"], micro_batch=row["micro_batch"],
               global_batch=row["global_batch"], stage_layers=" ".join(map(str, layers)), parts="tf32",
               iteration_ms=1000 * float(row["iteration_s"]))


def neusight(row):
    for name, column in (("dp", "dp4_ms"), ("tp", "tp4_ms"), ("pp", "pp4_one_micro_batch_ms")):
        yield dict(A100_FP32, hidden=1280, heads=20, layers=36, sequence=row["sequence"], parts="fp32",
                   global_batch=row["global_batch"], iteration_ms=row[column],
                   micro_batch=1 if name == "dp" else row["global_batch"],
                   **{d: 4 if d == name else 1 for d in ("tp", "dp", "pp")})


# Micro-batch and chunks of a stage, by hidden size: script for Table 1 in the folder sc21 of Megatron-LM's examples (6985e589).
SC21 = {"2304": (16, 1), "3072": (16, 1), "4096": (16, 1), "6144": (8, 1), "8192": (4, 1), "10240": (2, 3),
        "12288": (2, 2), "16384": (1, 2), "20480": (1, 3), "25600": (1, 1)}


def megatron(row):
    hardware = A100 if "A100" in row["gpu"] else H100
    # Megatron-Core of 2024 runs fused attention, where `selective` has no scores to compute again.
    old = row["recomputation"] == "full"
    micro_batch, chunks = SC21[row["hidden"]] if old else ("", 1)
    parts = "full" + (".v%d" % chunks if chunks > 1 else "") if old else "fused.sp.zero1.grad4"
    yield dict(hardware, **OLD_MEGATRON if old else {}, micro_batch=micro_batch, hidden=row["hidden"], heads=row["heads"], layers=row["layers"], sequence=row["sequence"],
               vocabulary=row["vocabulary"], tp=row["tp"], pp=row["pp"], dp=row["dp"], gpus=row["gpus"],
               global_batch=row["global_batch"], parts=parts, iteration_ms=1000 * float(row["iteration_s_derived"]))


def megatron_2020(row):
    dp = int(row["gpus"]) // int(row["tp"])
    yield dict(V100 if "V100" in row["system"] else A100_40, hidden=row["hidden"], heads=row["heads"],
               layers=row["layers"], sequence=1024, vocabulary=51200, tp=row["tp"], pp=1, dp=dp, gpus=row["gpus"],
               global_batch=row["batch"], micro_batch=int(row["batch"]) // dp, parts="full",
               iteration_ms=row["iteration_ms"], **OLD_MEGATRON)


def nemo(row):
    sizes = NEMO.get(row["model"])
    if not sizes:
        print("nemo: no sizes of %s are known: left out" % row["model"], file=sys.stderr)
        return
    dp = int(row["gpus"]) // (int(row["tp"]) * int(row["pp"]) * int(row["cp"]))
    tokens = float(row["tokens_per_s_per_gpu"]) * int(row["gpus"])
    chunks = int(row["interleaving"] or 1)
    out = dict(H100_FP8, tp=row["tp"], pp=row["pp"], cp=row["cp"], dp=dp, gpus=row["gpus"], sequence=row["sequence"],
               micro_batch=row["micro_batch"], global_batch=row["global_batch"],
               parts="fused.sp.zero1.grad4" + (".v%d" % chunks if chunks > 1 and int(row["pp"]) > 1 else ""),
               iteration_ms=1000 * int(row["global_batch"]) * int(row["sequence"]) / tokens)
    if isinstance(sizes, str):
        out.update(model=sizes, layers={"llama3-8b": 32, "llama3-70b": 80}[sizes])
    else:
        out.update(zip(("hidden", "heads", "layers", "vocabulary"), sizes))
    yield out


# Dense peaks of data sheets: BF16, FP8, FP4; memory, link, interface; GPUs that NVLink joins, of which a job uses 64 of 72.
LARGE = {
    "H100": (989, 1979 * 0.709 / 0.803, 0, 3350, 450, 50, 8, "h100-80-measured"),
    "H200": (989, 1979 * 0.734 / 0.803, 0, 4800, 450, 50, 8, "h200-141-measured"),
    "B200": (2250, 4500 * 0.763 / 0.776, 9000 * 0.763 / 0.776, 8000, 900, 50, 8, "b200-180-measured"),
    "B300": (2250, 4500 * 0.763 / 0.776, 13500 * 0.763 / 0.776, 8000, 900, 100, 8, "b200-180-measured"),
    "GB200": (2500, 5000 * 0.763 / 0.776, 10000 * 0.763 / 0.776, 8000, 900, 50, 64, "gb200-186-measured"),
    "GB300": (2500, 5000 * 0.763 / 0.776, 15000 * 0.763 / 0.776, 8000, 900, 100, 64, "gb200-186-measured"),
}
NO_PLAN = {"deepseek-v3": "a part of attention that is computed again"}


def large(row, layers, more):
    """A row of a large run.  Where embedding and loss count as a layer each, they lie on the first and the last chunk."""
    peak, fp8, fp4, memory, link, nic, domain, file = LARGE[row["accelerator"]]
    chunks, tp = int(row["vp"] or 1), int(row["tp"])
    parts = "fused.zero1" + (".sp" if tp > 1 else "") + (".v%d" % chunks if chunks > 1 and int(row["pp"]) > 1 else "")
    out = dict(platform=row["platform"], row=row["row"], accelerator=file, gpus=row["gpus"], sequence=row["sequence"],
               layers=layers, tp=tp, pp=row["pp"], cp=row["cp"], dp=row["dp"], micro_batch=row["micro_batch"],
               micro_batches=row["micro_batches"], parts=parts, peak_tflops=peak, memory_gbps=memory, link_gbps=link,
               nic_gbps=nic, gpus_per_node=domain, iteration_ms="%.1f" % (1000 * float(row["step_s"])), **more)
    if row["precision"] in ("fp8", "fp4"):
        out["linear_tflops"] = "%.0f" % (fp8 if row["precision"] == "fp8" else fp4)
    out.update(stages_first="1" if row.get("tp_pp_dp_ranks") in ("1", "") and "tp_pp_dp_ranks" in row else "", graphs="1" if row.get("cuda_graph") == "1" else "")
    if layers % (int(row["pp"]) * chunks):
        out["parts"] += ".ends"
    return out


def mlperf_405b(row):
    yield large(row, 126, {"model": "llama3-405b"})


def mlperf_8b(row):
    if row["accelerator"] in LARGE and row["tp"] and row["precision"]:
        yield large(row, 32, {"model": "llama3-8b"})


def mlperf_lora(row):
    """The benchmark trains adapters of rank 16 beside the products of attention (github.com/mlcommons/training, llama2_70b_lora)."""
    if row["accelerator"] in LARGE and row["tp"] and row["precision"]:
        out = large(row, 80, {"model": "llama2-70b"})
        yield dict(out, parts=out["parts"] + ".lora16")


def dgxc(row):
    if row["model"] in NO_PLAN:
        return
    name = {"llama3.1": "llama3-405b", "nemotron4": "nemotron4-%s" % row["size"], "nemotron-h": "nemotron-h-56b",
            "grok1": "grok-1", "llama4-maverick": "llama4-maverick"}[row["model"]]
    out = large(row, int(row["layers"]), {"model": name})
    if name == "grok-1":
        out["vocabulary"] = 128256
    if int(row["ep"] or 1) > 1:
        out["ep"] = row["ep"]
    if int(row["etp"] or 1) > 1:
        out["parts"] += ".etp" + row["etp"]
    yield out


TABLES = {"mlperf_llama31_405b_given": mlperf_405b, "mlperf_llama31_8b_given": mlperf_8b,
          "mlperf_llama2_70b_lora_given": mlperf_lora, "dgxc_steps_given": dgxc,
          "vtrain_multi_node_even": vtrain, "vtrain_single_node_sample": vtrain, "simumax_b200_even": simumax,
          "sailor_plans_even": sailor, "neusight_4xa100": neusight, "megatron_throughput": megatron,
          "megatron_2020": megatron_2020, "nemo_h100_fp8": nemo}

os.makedirs(output, exist_ok=True)
for name, convert in TABLES.items():
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        continue
    with open(path, encoding="utf-8", newline="") as file:
        rows = [out for row in csv.DictReader(file) for out in convert(row)]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with open(os.path.join(output, name + ".csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print("%s: %d rows" % (os.path.join(output, name + ".csv"), len(rows)))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measured-page.py STUDY.json PAGE.md -- puts the tables of acesim study measured into its page

STUDY.json is what `acesim fit measured --format json` prints without files.  A table of the page stands behind a comment
`<!-- table NAME -->` and is replaced; the text around it stays.  Standard output gets the page.
"""
import json
import re
import sys

NAMES = {"vtrain_multi_node_even": "vTrain, 64 to 512 GPUs", "vtrain_single_node_sample": "vTrain, one node",
         "megatron_2020": "Megatron-LM 2020", "megatron_throughput": "Megatron-LM 2021 and 2024", "nemo_h100_fp8": "NeMo, FP8",
         "neusight_4xa100": "NeuSight", "sailor_plans_even": "Sailor", "simumax_b200_even": "SimuMax",
         "mlperf_llama31_405b_given": "MLPerf, Llama 3.1 405B", "mlperf_llama31_8b_given": "MLPerf, Llama 3.1 8B",
         "mlperf_llama2_70b_lora_given": "MLPerf, Llama 2 70B, LoRA", "dgxc_steps_given": "dgxc-benchmarking"}


def percent(v):
    return "%.1f" % (100 * v)


def set_of(group):
    name = group["rows_of"].rsplit("/", 1)[-1].removesuffix(".csv")
    return NAMES.get(name, name)


def of(group):
    return "%s | %s" % (set_of(group), group["accelerator"].split("-")[0].upper())


def errors(section):
    if not section:
        return ""
    return ", ".join(percent(section[-1][k]) for k in ("mean_error", "median_error", "worst_error")) + " %"


def sets(study):
    yield "| set | accelerator | rows | zero-shot: mean, median, worst | rank | rows that were not fitted: mean, median, worst |"
    yield "|---|---|--:|--:|--:|--:|"
    for g in study:
        rank = g["zero_shot"][-1]["rank_correlation"]
        yield "| %s | %d | %s | %s | %s |" % (of(g), g["rows"], errors(g["zero_shot"]), "" if rank is None else "%.3f" % rank,
                                             errors(g.get("calibrated_unseen_rows")))


def mechanisms(study):
    names = list(study[0]["left_out"])
    yield "| set | accelerator | all of them | %s |" % " | ".join(names)
    yield "|---|---|--:|%s" % ("--:|" * len(names))
    for g in [g for g in study if g["rows"] >= 10]:
        own = g["zero_shot"][-1]["mean_error"]
        most = max(g["left_out"].values())
        yield "| %s | %s | %s |" % (of(g), percent(own), " | ".join(
            ("**%s**" if v == most and v > own + 0.0005 else "%s") % percent(v) for v in g["left_out"].values()))


def ratios(study):
    yield "| set | platform | from | to | measured | predicted | error |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for g in study:
        largest = {}
        for o in g["ratios"]:
            largest[o["platform"]] = max(o["gpus"], largest.get(o["platform"], 0))
        for o in g["ratios"]:
            if o["from_gpus"] != o["gpus"] == largest[o["platform"]] and o["gpus"] >= 512:
                yield "| %s | %s | %d | %d | %.3f | %.3f | %s %% |" % (
                    set_of(g), o["platform"], o["from_gpus"], o["gpus"], o["measured_ratio"], o["predicted_ratio"],
                    percent(o["error"]))


def reach(study):
    yield "| platform | GPUs | batch | step, ms | throughput of a GPU over the smallest system |"
    yield "|---|--:|--:|--:|--:|"
    for g in study:
        for o in g["reach"]:
            if o["gpus"] == 8192 and "llama" not in o["platform"]:
                yield "| %s | 8,192 | %d | %.1f | %.3f |" % (o["platform"], o["batch"], o["predicted_ms"], o["predicted_ratio"])


TABLES = {"sets": sets, "mechanisms": mechanisms, "ratios": ratios, "reach": reach}
with open(sys.argv[1], encoding="utf-8") as file:
    study = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    page = file.read()
for name, table in TABLES.items():
    page, count = re.subn(r"(<!-- table %s -->\n\n)(?:\|.*\n)*" % name, lambda m: m[1] + "".join(l + "\n" for l in table(study)), page)
    if count != 1:
        sys.exit("measured-page.py: found %d places for the table %s, expected 1" % (count, name))
sys.stdout.write(page)

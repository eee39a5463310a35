#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""machine-evidence.py ACESIM FOLDER MACHINE -- what acesim train says of published runs, beside what they took

FOLDER has tables of measured-tables.py.  MACHINE is a100, b200, gb200, h100 or v100, by its file
accelerators/MACHINE-...-measured.yaml, to which nothing of these runs was fitted.  Standard output gets the CSV that
sim-top/measured/evidence.h reads.  A run whose micro-batch is not known has the one that is predicted fastest.  Runs in
FP8 and FP4 are left out, because acesim train has 16 and 32 bits.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

acesim, folder, machine = sys.argv[1:]
# File; GB/s a direction within a node; peak in TFLOP/s; tables
ACCELERATOR, LINK, PEAK, TABLES = {
    "a100": ("a100-80", 300, "312", ["vtrain_multi_node_even", "vtrain_single_node_sample", "megatron_throughput"]),
    "b200": ("b200-180", 900, "2250", ["simumax_b200_even"]),
    "gb200": ("gb200-186", 900, "2500", ["dgxc_steps_given"]),
    "h100": ("h100-80", 450, "989", ["megatron_throughput", "dgxc_steps_given"]),
    "v100": ("v100-32", 150, "125", ["megatron_2020"]),
}[machine]
EVERY = {"vtrain_single_node_sample": 10}                         # of that many alike one


def number(row, key, default=1):
    return int(row.get(key) or default)


def model_of(row, at):
    """A path of a model: of models/, or written from its sizes."""
    if row.get("model") and "hidden" not in row:
        return "models/%s.yaml" % row["model"]
    tp, words = number(row, "tp"), number(row, "vocabulary", 50257)
    lines = ["name: %sx%s" % (row["layers"], row["hidden"]), "architecture: decoder", "layers: %s" % row["layers"],
             "hidden: %s" % row["hidden"], "heads: %s" % row["heads"], "sequence: %s" % row["sequence"],
             "vocabulary: %d" % (-(-words // tp) * tp)]
    if row.get("ffn"):
        lines += ["ffn: %s" % row["ffn"], "kv_heads: %s" % row["kv_heads"], "gated: %s" % row["gated"], "tied: no",
                  "biases: no", "positions: rotary", "norm: rms"]
    else:
        lines += ["dropout: yes"]
    path = os.path.join(at, "model.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def cluster_of(row, at):
    """A dimension of each degree within a node, and of what is between nodes."""
    left, sizes, rates = number(row, "gpus_per_node", 8), [], []
    nic = float(row.get("nic_gbps") or 12.5)
    for degree in (number(row, "tp"), number(row, "cp"), number(row, "dp"), number(row, "pp")):
        inside = min(degree, left)
        while inside > 1 and (degree % inside or left % inside):
            inside -= 1
        left //= inside
        for size, rate in ((inside, LINK), (degree // inside, nic)):
            if size > 1:
                switch = rate == LINK or size <= 16 or number(row, "ep") > 1     # experts exchange with all
                sizes.append("%s(%d)" % ("Switch" if switch else "Ring", size))
                rates.append(rate)
    if not sizes:
        sizes, rates = ["Ring(2)"], [LINK]
    clock = 1245 if LINK < 900 else 2490
    path = os.path.join(at, "cluster.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("topology: %s\naccelerator: %s/machine.yaml\nclock: %d MHz\nlinks:\n" %
                   ("_".join(sizes), at, clock))
        for letter, rate in zip("xyzw", rates):
            file.write("  %s: {npu_bandwidth: %g GB/s, latency: %d}\n" %
                       (letter, rate, round(clock * (0.4 if rate == LINK else 1))))
        file.write("link_efficiency: 1\nchunk: 256 KiB\nendpoint: ideal\n")
    return path, len(sizes)


def predict(row, at):
    """The fastest of its micro-batches, in ms, with the tokens of that; None: it cannot be asked."""
    model, (cluster, dimensions) = model_of(row, at), cluster_of(row, at)
    if dimensions > 4:
        return None
    dp, best = number(row, "dp"), None
    batch = number(row, "global_batch", number(row, "micro_batches") * dp * number(row, "micro_batch"))
    for b in [number(row, "micro_batch")] if row.get("micro_batch") else [1, 2, 4, 8, 16]:
        if batch % (dp * b):
            continue
        strategy = "tp%s.cp%d.dp%d.pp%s.b%d.m%d.%s" % (row["tp"], number(row, "cp"), dp, row["pp"], b,
                                                      batch // (dp * b), row.get("parts") or "full")
        words = [acesim, "train", model, "--cluster", cluster, "--strategy", strategy, "--composed", "--quiet", "--oversize",
                 "--format", "json", "--layers", row["layers"], "--sequence", row["sequence"]]
        if number(row, "ep") > 1:
            strategy = strategy.replace(".b", ".ep%s.b" % row["ep"], 1)
            words[6] = strategy
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        if run.returncode:
            print("%s: %s" % (strategy, run.stderr.strip()), file=sys.stderr)
            continue
        answer = json.loads(run.stdout)
        ms = answer["time_us"] / 1000
        if not best or ms < best[0]:
            best = ms, b * int(row["sequence"])
    return best


def parameters(row, at):
    run = subprocess.run([acesim, "plan", "model", model_of(row, at), "--format", "json", "--layers", row["layers"]],
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["parameters"] / 1e9


def rows():
    for name in TABLES:
        if not os.path.exists(os.path.join(folder, name + ".csv")):
            continue
        with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as file:
            for i, row in enumerate(csv.DictReader(file)):
                other = row.get("peak_tflops", PEAK) != PEAK or row.get("linear_tflops")
                if not other and i % EVERY.get(name, 1) == 0:
                    yield name, row


writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow("of row gpus parameters_billion tokens tp pp dp measured_ms predicted_ms".split())
with tempfile.TemporaryDirectory() as work:
    home = os.environ.get("ACESIM_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "workloads"))
    with open(os.path.join(home, "accelerators", ACCELERATOR + "-measured.yaml"), encoding="utf-8") as sheet:
        machine_text = "".join(line for line in sheet if not line.startswith("evidence:"))
    with open(os.path.join(work, "machine.yaml"), "w", encoding="utf-8") as sheet:
        sheet.write(machine_text)
    for name, row in rows():
        found = predict(row, work)
        if found:
            gpus = number(row, "tp") * number(row, "cp") * number(row, "dp") * number(row, "pp")
            writer.writerow([name, row.get("row", ""), gpus, "%.3f" % parameters(row, work), found[1], row["tp"],
                             row["pp"], row["dp"], "%.1f" % float(row["iteration_ms"]), "%.1f" % found[0]])

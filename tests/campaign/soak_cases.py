# SPDX-License-Identifier: Apache-2.0
"""What soak.py runs: cases drawn at random.

A case is a list of groups of words for acesim, of which the first is the command and any other can be left out.
A word may be a file that goes with the case: File, its text, or Traces, what random_graphs.py makes of a seed.
"""

import math
import random


class File(str):
    """The text of a file, where acesim wants its name."""


class Traces(str):
    """A seed of tests/program/workload/chakra/random_graphs.py: traces of NPUs with groups and messages."""


# Clusters of which soak.py makes a calibration, and what is asked of each must have its options alone.
CALIBRATED = {
    "4x2": "topology: 4x2\nlinks:\n  x: {bandwidth: 200 GB/s, latency: 90}\n  y: {bandwidth: 25 GB/s, latency: 500}\n",
    "Switch(4)": "topology: Switch(4)\nlinks:\n  x: {bandwidth: 25 GB/s, latency: 500}\n",
}
CALIBRATED_OPTIONS = {"4x2": ["--link-bandwidth", "200GB/s,25GB/s", "--link-latency", "90,500"],
                      "Switch(4)": ["--link-bandwidth", "25GB/s", "--link-latency", "500"]}
SIZES = {"small": 100000, "middle": 400000, "large": 2 << 20}      # at most, of a vector on 8 nodes
KINDS = ["all-reduce"] * 4 + ["reduce-scatter", "all-gather", "all-to-all", "all-to-all-v", "broadcast", "reduce", "gather",
                              "scatter", "send-receive", "barrier"]


def valued(case, group):
    return any(g[:1] == [group] for g in case)


def extent(seed):
    """Nearly all cases are small, so that there are thousands of them in an hour."""
    return random.Random(f"extent {seed}").choices(["small", "middle", "large"], [94, 5, 1])[0]


def boundary_size(rng, size, nodes):
    """Bytes of a vector: about powers of two, rows, a row for each node, and words, or anywhere."""
    most = SIZES[size] * 8 // max(8, nodes)       # what a run costs grows with both
    bases = [base for base in (1, 4, 256, 256 * nodes, 4096, 65536, 262144, 1 << 20) if base <= most]
    drawn = rng.choice(bases) * rng.randint(1, 4) + rng.choice([-4, -1, 0, 0, 0, 1, 4, 255, 256])
    return max(1, min(drawn, most))


def random_links(rng):
    """A file of links: a tree over all, so that each is reached, and more links beside; some have their own speed."""
    npus, switches = rng.choice([3, 4, 5, 8]), rng.choice([0, 0, 0, 1, 2])
    places = list(range(npus + switches))
    rng.shuffle(places)
    joined = {tuple(sorted((places[i], rng.choice(places[:i])))) for i in range(1, len(places))}
    for _ in range(rng.randint(0, npus)):
        joined.add(tuple(sorted(rng.sample(places, 2))))
    lines = [f"npus: {npus}"] + ([f"switches: {switches}"] if switches else []) + ["links:"]
    for a, b in sorted(joined):
        speed = rng.choice(["25 GB/s", "50 GB/s", "[19.92 GB/s, 90]", "[39.84 GB/s, 700]"])
        lines.append(f"  {a}-{b}: {speed}")
    return npus, File("\n".join(lines) + "\n")


def random_fabric(rng):
    """Groups of words for the nodes and what joins them, sizes of the dimensions, and their wirings."""
    draw = rng.random()
    if draw < 0.1:
        npus, text = random_links(rng)
        return [["--topology", f"Links({npus})"], ["--links", text]], [npus], ["Links"]
    if draw < 0.6:
        while True:
            sizes = [rng.choice([1, 2, 2, 3, 4, 5]) for _ in range(rng.choice([1, 2, 3, 3, 3, 4]))]
            if 2 <= math.prod(sizes) <= 32:
                return [["--topology", "x".join(map(str, sizes))]], sizes, ["Ring"] * len(sizes)
    while True:
        blocks = [(rng.choice(["Ring", "Switch", "Switch", "FullyConnected"]), rng.choice([2, 3, 4]))
                  for _ in range(rng.choice([1, 2, 2, 3]))]
        sizes = [size for _, size in blocks]
        if math.prod(sizes) <= 32:
            return [["--topology", "_".join(f"{name}({size})" for name, size in blocks)]], sizes, [n for n, _ in blocks]


def random_algorithm(rng, wirings, sizes, kind):
    """An algorithm for each dimension, of those that its wiring can have."""
    chosen = []
    for wiring, size in zip(wirings, sizes):
        can = ["ring", "one-way-ring"]
        if wiring in ("Switch", "FullyConnected"):
            can = ["direct", "ring"] + (["halving-doubling"] if size & (size - 1) == 0 else [])
            if kind == "all-reduce":
                can += ["double-binary-tree"] + (["in-network"] * 3 if wiring == "Switch" else [])
        chosen.append(rng.choice(can))
    return chosen


def hardware(rng, case):
    """Groups for links, memory and engine, which any command takes."""
    small = rng.random() < 0.2      # a scratchpad that holds few chunks
    if small:
        case.append(["--bank-rows", str(rng.choice([512, 864, 1024]))])
        case.append(["--chunk", str(rng.choice([256, 1024, 4096, 5000]))])
    elif rng.random() < 0.4:
        case.append(["--chunk", str(rng.choice([256, 1024, 4096, 5000, 16384, 65536, 131072]))])
    if rng.random() < 0.3:
        case.append(["--link-bandwidth", rng.choice(["25GB/s", "200GB/s", "1GB/s", "317GB/s"])])
    if rng.random() < 0.3:
        case.append(["--link-latency", str(rng.choice([2 if valued(case, "--links") else 1, 2, 50, 777]))])
    if rng.random() < 0.5:  # the buffers of links that RTL is built with, which they may wait for
        case.append(["--link-rows", "128", "--router-rows", "128"])
    if rng.random() < 0.2:
        case.append(["--link-efficiency", rng.choice(["1", "0.999", "0.31"])])
    if rng.random() < 0.3:
        case.append(["--memory-bandwidth", rng.choice(["128GB/s", "33GB/s", "256GB/s", "318GB/s"])])
    if rng.random() < 0.2:
        case.append(["--memory-latency", str(rng.choice([2, 3, 1000]))])
    if rng.random() < 0.2:
        case.append(["--order", rng.choice(["lifo", "fifo"])])
    if rng.random() < 0.15:
        case.append(["--speed", f"{rng.choice(['0.5', '0.9', '0.123'])}:{rng.choice([0, 1])}"])


def random_faults(rng, case):
    places = ["link:1e-3:", "link:0.02:", "link:0:"] + ([] if valued(case, "--control") else ["scratchpad:1e-4:"])
    case.append(["--faults", rng.choice(places) + str(rng.randint(1, 99))])


def collective(rng, size):
    kind = rng.choice(KINDS)
    fabric, sizes, wirings = random_fabric(rng)
    case = [["collective", kind], *fabric]
    nodes, dimensions = math.prod(sizes), len(sizes)
    if kind != "barrier":
        case.append(["--size", str(boundary_size(rng, size, nodes))])
        if rng.random() < 0.5:
            case.append(["--type", rng.choice(["fp32", "fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "int8", "int32"])])
        if kind in ("all-reduce", "reduce-scatter", "reduce") and rng.random() < 0.4:
            case.append(["--op", rng.choice(["sum", "avg", "min", "max", "prod"])])
        if kind in ("all-reduce", "reduce-scatter", "all-gather") and rng.random() < 0.3:
            order = list("xyzw"[:dimensions])
            rng.shuffle(order)
            case.append(["--dims", ",".join(order[:rng.randint(1, dimensions)])])
    if kind in ("all-reduce", "reduce-scatter", "all-gather") and "Links" not in wirings and rng.random() < 0.3:
        chosen = random_algorithm(rng, wirings, sizes, kind)
        case.append(["--algorithm", ",".join(chosen)])
        if "in-network" in chosen:      # a switch has no averages
            case = [["--op", "sum"] if group == ["--op", "avg"] else group for group in case]
    if kind == "all-reduce" and rng.random() < 0.1:
        # last in first out, the last bits of sums of floats depend on the moment (limits.md)
        case = [group for group in case if group != ["--order", "lifo"]] + [["--schedule", "balanced"]]
    if kind == "all-to-all-v":
        case.append(["--skew", rng.choice(["0", "0.01", "0.5", "1"])])
        case.append(["--seed", str(rng.randint(1, 99))])
    if kind in ("broadcast", "reduce", "gather", "scatter") and rng.random() < 0.5:
        case.append(["--root", str(rng.randrange(nodes))])
    if kind == "send-receive" and rng.random() < 0.5:
        case.append(["--from", str(rng.randrange(nodes)), "--to", str(rng.randrange(nodes))])
    hardware(rng, case)
    in_network = any(group[0] == "--algorithm" and "in-network" in group[1] for group in case)
    if "Switch" in wirings and rng.random() < 0.3:
        case.append(["--switch-buffer", rng.choice(["1", "2", "64"])])
    if "Switch" in wirings and not in_network and rng.random() < 0.2:
        case.append(["--switch-bandwidth", rng.choice(["20GB/s", "150GB/s"])])
    if rng.random() < 0.15:
        case.append(["--control", "registers"])
    if kind.startswith("all") and not valued(case, "--algorithm") and rng.random() < 0.15:
        case = [group for group in case if not group[0].startswith("--switch")]
        case.append(["--endpoint", rng.choice(["ideal", "comm-opt", "comp-opt"])])
    elif rng.random() < 0.2:
        random_faults(rng, case)
    return case


def iterations(rng, size):
    """Training: a table of layers whose gradients are reduced."""
    fabric, sizes, _ = random_fabric(rng)
    if math.prod(sizes) == 1 or len(fabric) > 1:
        fabric = [["--topology", "2x2"]]
    layers = rng.randint(1, 3)
    rows = [f"l{i}\t-1\t{rng.choice([1, 900, 13003])}\tNONE\t0\t{rng.choice([1, 700])}\tNONE\t0\t{rng.choice([1, 3000])}\t"
            f"ALLREDUCE\t{boundary_size(rng, size, math.prod(sizes))}\t"
            f"{rng.choice([1, 300])}" for i in range(layers)]
    case = [["run", File("topology: 2x2\n"), File(f"DATA\n{layers}\n" + "\n".join(rows) + "\n")], *fabric,
            ["--iterations", str(rng.choice([1, 2]))]]
    hardware(rng, case)
    if rng.random() < 0.3:
        case.append(["--contention", "off"])
    if rng.random() < 0.2:
        case.append(["--endpoint", rng.choice(["ideal", "comm-opt", "comp-opt"])])
    elif rng.random() < 0.2:
        random_faults(rng, case)
    return case


def graphs(rng):
    """Traces of NPUs that have groups and messages."""
    case = [["astra", Traces(rng.randint(1, 999999))]]
    if rng.random() < 0.4:
        case.append(["--endpoint", rng.choice(["ideal", "comm-opt", "comp-opt"])])
    if rng.random() < 0.4:
        case.append(["--chunk", str(rng.choice([256, 1024, 4096, 5000, 16384]))])
    if rng.random() < 0.2:
        case.append(["--speed", f"{rng.choice(['0.5', '0.9', '0.123'])}:{rng.choice([0, 1])}"])
    if rng.random() < 0.5:
        case.append(["--link-rows", "128", "--router-rows", "128"])
    if rng.random() < 0.3:
        case.append(["--start-delay", f"{rng.choice([0, 1])}:{rng.choice([1, 7, 20])}us"])
    if rng.random() < 0.3:
        case.append(["--memory-bandwidth", rng.choice(["128GB/s", "33GB/s", "256GB/s"])])
    return case


def calibrated(rng):
    """A collective of a cluster that is calibrated, within what a quick calibration has measured."""
    cluster = rng.choice(list(CALIBRATED))
    kind = rng.choice(["all-reduce", "reduce-scatter", "all-gather", "all-to-all"])
    size = int(math.exp(rng.uniform(math.log(256), math.log(1 << 20))))
    case = [["collective", kind, "--topology", cluster, *CALIBRATED_OPTIONS[cluster]], ["--size", str(size)]]
    if rng.random() < 0.3:
        case.append(["--chunk", rng.choice(["16384", "32768"])])
    if rng.random() < 0.3:
        case.append(["--memory-bandwidth", rng.choice(["64GB/s", "200GB/s", "256GB/s"])])
    return case


def random_case(seed):
    rng = random.Random(seed)
    draw = rng.random()
    if draw < 0.05:
        return graphs(rng)
    if draw < 0.1:
        return iterations(rng, extent(seed))
    return collective(rng, extent(seed))

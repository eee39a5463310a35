#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""networks.py PROGRAM [--cases N] [--seed S] [--keep FOLDER] -- no result beats a file's links

Draws networks of ASTRA-sim, rings, switches and full connections of one to three dimensions, with a system, traces and an
endpoint, runs acesim astra, and compares the time of the NPU that ends last with a bound.  Some switches reduce.  Some
cases have a node in RTL where the program has any, and end in the same nanoseconds as without.  Some are answered by
the rung calibrated, on three networks that are calibrated once.  The bound is
computed here, from the definition of the file's keys and of each collective, and not by the program:

  links      A ring has one to each neighbour, of two members one; a switch one to each NPU; a full connection
             one between each two.  A file of 1.0 counts them itself.
  reductions Members of a group of n that each have s bytes send (n - 1) s / n to scatter their sums and as much
             to gather them.  A dimension has what the dimensions before left: s by their members.
  exchanges  Each NPU has s / N bytes for each of N.  A row crosses a switch or a full connection once, and each of
             the links of the shorter way round a ring.
  sends      A message takes the links of the shorter way in the first dimension in which its ends differ: half
             of it each way round a ring where both are as long, one link of a full connection.
  received   What comes to an NPU comes over its links, too: a broadcast, or messages.

A case fails where acesim ends with another status than 0, or sooner than the bound.  The check of acesim astra
itself (law 13) ends it with 1.
"""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "program/workload/chakra"))
import random_graphs as chakra  # noqa: E402

GIB = 2**30
ENDPOINTS = ("ace", "ideal", "comm-opt", "comp-opt", "no-overlap", "aware", "calibrated")
SOFTWARE = ("comm-opt", "comp-opt", "no-overlap")
CALIBRATED = ((("Ring", "Switch"), (4, 2), (12.5, 20)), (("Switch",), (8,), (10,)),
              (("FullyConnected", "Ring"), (4, 3), (5, 25)))  # blocks, members, GiB/s
POINTS = 12  # collectives that a calibration is held against
KINDS = {"all-reduce": 0, "all-gather": 2, "broadcast": 5, "all-to-all": 6, "reduce-scatter": 7}
ALGORITHMS = {"Ring": ("ring",), "Switch": ("ring", "direct", "halvingDoubling"),
              "FullyConnected": ("ring", "direct", "halvingDoubling")}
COLLECTIVE, SEND, RECEIVE = 7, 5, 6


class Network:
    """Blocks, members, bytes a second of a link, how many links an NPU sends on, and which switches reduce."""

    def __init__(self, draw, given=None):
        while not given:
            self.blocks = [draw.choice(("Ring", "Switch", "FullyConnected"))
                           for _ in range(draw.choice((1, 1, 1, 2, 2, 3)))]
            self.members = [draw.randint(2, 8) for _ in self.blocks]
            self.npus = 1
            for n in self.members:
                self.npus *= n
            if self.npus <= 32:
                break
        if given:
            self.blocks, self.members = list(given[0]), list(given[1])
            self.npus = math.prod(self.members)
        self.first = not given and draw.random() < 0.25
        self.gib = list(given[2]) if given else [round(10 ** draw.uniform(0, 1.5), draw.randint(0, 3)) for _ in self.blocks]
        self.latency = [500] * len(self.blocks) if given else \
            [draw.choice((0, 1, 10, 500, round(draw.uniform(1, 1000), 1))) for _ in self.blocks]
        self.reduces = [b == "Switch" and not self.first and not given and draw.random() < 0.6 for b in self.blocks]
        kinds = [{"Ring": 1 if n == 2 else 2, "Switch": 1, "FullyConnected": n - 1}[b]
                 for b, n in zip(self.blocks, self.members)]
        self.links = [k * draw.randint(1, 2) for k in kinds] if self.first else kinds
        # of one link of those kinds, and of all that an NPU has
        self.link = [g * GIB * l / k for g, l, k in zip(self.gib, self.links, kinds)]
        self.npu = [g * GIB * l for g, l in zip(self.gib, self.links)]

    def write(self, folder):
        if not self.first:
            keys = {"topology": self.blocks, "npus_count": self.members, "bandwidth": self.gib,
                    "latency": self.latency}
            if any(self.reduces):
                keys["in-network"] = ["reduce+multicast" if r else "none" for r in self.reduces]
        else:
            zero = [0] * len(self.blocks)
            keys = {"topology-name": "Hierarchical", "topologies-per-dim": self.blocks,
                    "dimension-type": ["N"] * len(zero), "dimensions-count": len(zero),
                    "units-count": self.members, "links-count": self.links, "link-latency": self.latency,
                    "link-bandwidth": self.gib, "nic-latency": zero, "router-latency": zero,
                    "hbm-latency": zero, "hbm-bandwidth": zero, "hbm-scale": zero}
        (folder / "net.yml").write_text(json.dumps(keys))

    def place(self, npu):
        out = []
        for n in self.members:
            out.append(npu % n)
            npu //= n
        return out


# ---- bounds, seconds --------------------------------------------------------------------------------

def reduction(net, size, times):
    longest, left = 0, size
    for d, (n, npu) in enumerate(zip(net.members, net.npu)):
        once = times == 2 and net.reduces[d] and (d or len(net.members) == 1)
        longest = max(longest, (1 if once else times * (n - 1) / n) * left / npu)
        left /= n
    return longest


def exchange(net, size):
    longest = 0
    for block, n, npu in zip(net.blocks, net.members, net.npu):
        hops = sum(min(k, n - k) if block == "Ring" else 1 for k in range(1, n))
        longest = max(longest, hops / n * size / npu)
    return longest


def collective(net, kind, size):
    """size: comm_size, of an all-gather what an NPU brings."""
    if kind == "all-to-all":
        return exchange(net, size)
    if kind == "broadcast":
        return size / sum(net.npu)
    return reduction(net, size * (net.npus if kind == "all-gather" else 1), 2 if kind == "all-reduce" else 1)


def sends(net, messages, receives):
    """The links on which messages leave, and those by which they come, which the ideal endpoint does not count."""
    busy, come = {}, {}
    for source, target, size in messages:
        there = [d for d, (a, b) in enumerate(zip(net.place(source), net.place(target))) if a != b]
        for npu, d, table in ((source, there[0], busy), (target, there[-1], come)):
            n = net.members[d]
            up = (net.place(target)[d] - net.place(source)[d]) % n
            if net.blocks[d] == "FullyConnected":
                ways = {up: 1}
            elif net.blocks[d] == "Switch" or n == 2:
                ways = {0: 1}
            else:
                ways = {0: 0.5, 1: 0.5} if 2 * up == n else {int(2 * up > n): 1}
            for way, part in ways.items():
                table[npu, d, way] = table.get((npu, d, way), 0) + part * size
    if not receives:
        come = {}
    return max(size / net.link[key[1]] for table in (busy, come) for key, size in table.items())


# ---- a case -----------------------------------------------------------------------------------------

def trace(folder, npu, nodes):
    (folder / f"t.{npu}.et").write_bytes(chakra.varint(7) + chakra.data(1, b"0.0.4") + b"".join(nodes))


def zigzag(n):
    return 2 * n


def node(identity, kind, parents, attributes):
    body = chakra.number(1, identity) + chakra.data(2, b"n") + chakra.number(3, kind)
    if parents:
        body += chakra.data(5, b"".join(chakra.varint(p) for p in parents))
    for name, (field, n) in attributes.items():
        body += chakra.data(10, chakra.data(1, name.encode()) + chakra.number(field, n))
    return chakra.varint(len(body)) + body


def collective_node(identity, kind, size, parents):
    return node(identity, COLLECTIVE, parents, {"is_cpu_op": (27, 0), "comm_type": (9, KINDS[kind]),
                                                "comm_size": (15, zigzag(size))})


def draw_work(draw, net, folder, endpoint):
    """Writes the traces; returns what they are, and the bound."""
    size = round(10 ** draw.uniform(3, 6.3))
    kinds = [k for k in KINDS if k != "broadcast" or endpoint not in ("aware", "calibrated")]
    kinds += ["all-reduce"] * (6 if any(net.reduces) else 0)
    what = draw.choice(kinds + ([] if endpoint == "calibrated" else ["sends", "sends"]))
    if what == "sends":
        messages = [(*draw.sample(range(net.npus), 2), round(size * draw.uniform(0.1, 1)) + 1)
                    for _ in range(draw.choice((1, 1, 2, net.npus)))]
        for npu in range(net.npus):
            nodes = []
            for tag, (source, target, n) in enumerate(messages):
                if npu == source:
                    nodes.append(node(2 * tag, SEND, [], {"comm_dst": (7, target), "comm_tag": (11, tag),
                                                          "comm_size": (9, n)}))
                if npu == target:
                    nodes.append(node(2 * tag + 1, RECEIVE, [], {"comm_src": (11, source), "comm_tag": (11, tag),
                                                                 "comm_size": (13, n)}))
            trace(folder, npu, nodes)
        return what, size, sends(net, messages, endpoint != "ideal")
    count = draw.choice((1, 1, 2, 3))
    parents = draw.random() < 0.5
    for npu in range(net.npus):
        trace(folder, npu, [collective_node(i, what, size, [i - 1] if i and parents else []) for i in range(count)])
    return f"{count} {what}", size, count * collective(net, what, size)


def algorithms(words):
    keys = {f"{k}-implementation": words for k in ("all-reduce", "all-gather", "reduce-scatter")}
    return {**keys, "all-to-all-implementation": ["direct"] * len(words)}


def draw_system(draw, net, endpoint):
    words = []
    for block, n in zip(net.blocks, net.members):
        fits = [w for w in ALGORITHMS[block] if w != "halvingDoubling" or n & (n - 1) == 0]
        words.append(draw.choice(fits))
    theirs = {"endpoint-delay": 0, "active-chunks-per-dimension": 1, "preferred-dataset-splits": draw.randint(1, 8),
              "collective-optimization": "localBWAware", "local-mem-bw": 1600}
    return {"scheduling-policy": draw.choice(("LIFO", "FIFO")), **algorithms(words), **(theirs if endpoint == "aware" else {})}


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)


class Calibrations:
    """Of CALIBRATED, each made when it is drawn first."""

    def __init__(self, program, folder):
        self.program, self.folder, self.made = program, pathlib.Path(folder), {}

    def draw(self, draw):
        """A network, the file of its system, and the file of its calibration."""
        which = draw.randrange(len(CALIBRATED))
        net = Network(draw, CALIBRATED[which])
        folder = self.folder / str(which)
        if which not in self.made:
            folder.mkdir()
            net.write(folder)
            words = ["ring" if b == "Ring" else "direct" for b in net.blocks]
            (folder / "sys.json").write_text(json.dumps({"scheduling-policy": "LIFO", **algorithms(words)}))
            for done in (call(self.program, "convert", "--network-configuration", folder / "net.yml",
                              "--system-configuration", folder / "sys.json", "--output", folder / "cluster.yaml"),
                         call(self.program, "calibrate", folder / "cluster.yaml", "--quick", "--points", str(POINTS),
                              "--output", folder / "calibration", "--quiet")):
                if done.returncode:
                    sys.exit(f"networks: no calibration of {CALIBRATED[which]}: {done.stderr}")
            self.made[which] = True
        return net, (folder / "sys.json").read_text(), folder / "calibration"


def ends_of(done):
    return [int(line.split()[4]) for line in done.stdout.splitlines() if " finished, " in line and "sys[" in line]


def run(program, seed, folder, calibrations, rtl):
    draw = random.Random(seed)
    endpoint = draw.choice(ENDPOINTS)
    options = ["--endpoint", endpoint]
    if endpoint == "calibrated":
        net, system, calibration = calibrations.draw(draw)
        options = ["--rung", "calibrated", "--calibration", calibration]
    else:
        net = Network(draw)
        if endpoint == "aware" and (len(net.blocks) > 1 or any(net.reduces)):
            endpoint = "ace"
        options = ["--compat", "2", "--backend", "aware"] if endpoint == "aware" else ["--endpoint", endpoint]
        system = json.dumps(draw_system(draw, net, endpoint))
    net.write(folder)
    (folder / "sys.json").write_text(system)
    (folder / "mem.json").write_text('{ "memory-type": "NO_MEMORY_EXPANSION" }')
    what, size, bound = draw_work(draw, net, folder, endpoint)
    words = [program, "astra", "--workload-configuration", folder / "t", "--system-configuration", folder / "sys.json",
             "--network-configuration", folder / "net.yml", "--remote-memory-configuration", folder / "mem.json", "--quiet",
             *options]
    in_rtl = rtl and endpoint == "ace" and net.npus <= 8 and size <= 65536
    if in_rtl:
        words += ["--link-rows", "128", "--router-rows", "128"]  # those that RTL has for links of any latency
    done = call(*words)
    ends, errors = ends_of(done), done.stderr
    if in_rtl and not done.returncode:
        again = call(*words, "--fold", "off", "--rung", f"rtl:{draw.randrange(net.npus)};cycle:rest")
        if ends_of(again) != ends:
            done.returncode, errors = 3, f"in RTL {ends_of(again)}, else {ends}: {again.stderr}"
    reduces = f", {net.reduces.count(True)} switches reduce" if any(net.reduces) else ""
    text = f"seed {seed}: {what} of {size} B, {endpoint}, {net.blocks} {net.members} {net.gib} GiB/s{reduces} {system}"
    ns = bound * 1e9
    if endpoint == "aware":  # its messages take whole nanoseconds, rounded down: here 2 phases of 8 chunks
        ns = max(0.0, ns - 3 * 2 * 8 * sum(net.members))
    kind = what.split()[-1] + (", reduced" if any(net.reduces) and what.endswith("all-reduce") else "")
    return text, "rtl" if in_rtl else endpoint, kind, done.returncode, errors, max(ends, default=0), ns


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("--cases", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="the files of cases that fail go there")
    given = options.parse_args()
    failed, nearest, counts = 0, {}, {}
    # A program without RTL ends with 2 here.
    rtl = call(given.program, "collective", "all-reduce", "--topology", "2", "--size", "4KiB", "--rung", "rtl").returncode == 0
    kept_calibrations = tempfile.TemporaryDirectory()  # until the end
    calibrations = Calibrations(given.program, kept_calibrations.name)
    for seed in range(given.seed, given.seed + given.cases):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            text, endpoint, kind, status, errors, ns, bound = run(given.program, seed, folder, calibrations, rtl)
            counts[endpoint, kind] = counts.get((endpoint, kind), 0) + 1
            if status == 0 and ns >= bound:
                nearest[endpoint, kind] = min(nearest.get((endpoint, kind), 9e9), ns / max(bound, 1))
                continue
            failed += 1
            print(f"FAIL {text}: status {status}, {ns} ns, bound {bound:.1f} ns: {errors.strip()[-300:]}", flush=True)
            if given.keep:
                kept = pathlib.Path(given.keep) / str(seed)
                kept.mkdir(parents=True, exist_ok=True)
                for file in os.listdir(folder):
                    (kept / file).write_bytes((folder / file).read_bytes())
    for key in sorted(counts):
        print(f"{key[0]:<11}{key[1]:<21}{counts[key]:>5} cases, nearest {nearest.get(key, float('nan')):.4f} of the bound")
    print(f"networks: {given.cases - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

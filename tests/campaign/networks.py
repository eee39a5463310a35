#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""networks.py PROGRAM [--cases N] [--seed S] [--keep FOLDER] -- no result beats a file's links

Draws networks of ASTRA-sim, rings, switches and full connections of one to three dimensions, with a system, traces and an
endpoint, runs acesim astra, and compares the time of the NPU that ends last with a bound.  The bound is
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
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "program/workload/chakra"))
import random_graphs as chakra  # noqa: E402

GIB = 2**30
ENDPOINTS = ("ace", "ideal", "comm-opt", "comp-opt", "no-overlap", "aware")
KINDS = {"all-reduce": 0, "all-gather": 2, "broadcast": 5, "all-to-all": 6, "reduce-scatter": 7}
ALGORITHMS = {"Ring": ("ring",), "Switch": ("ring", "direct", "halvingDoubling"),
              "FullyConnected": ("ring", "direct", "halvingDoubling")}
COLLECTIVE, SEND, RECEIVE = 7, 5, 6


class Network:
    """Blocks, members, bytes a second of a link, and how many links an NPU sends on."""

    def __init__(self, draw):
        while True:
            self.blocks = [draw.choice(("Ring", "Switch", "FullyConnected"))
                           for _ in range(draw.choice((1, 1, 1, 2, 2, 3)))]
            self.members = [draw.randint(2, 8) for _ in self.blocks]
            self.npus = 1
            for n in self.members:
                self.npus *= n
            if self.npus <= 32:
                break
        self.first = draw.random() < 0.25
        self.gib = [round(10 ** draw.uniform(0, 1.5), draw.randint(0, 3)) for _ in self.blocks]
        self.latency = [draw.choice((0, 1, 10, 500, round(draw.uniform(1, 1000), 1))) for _ in self.blocks]
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
    for n, npu in zip(net.members, net.npu):
        longest = max(longest, times * (n - 1) / n * left / npu)
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
    soft = endpoint not in ("ace", "ideal", "aware")
    what = draw.choice(["sends", "sends"] + [k for k in KINDS if not (k == "broadcast" and (soft or endpoint == "aware"))])
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


def run(program, seed, folder):
    draw = random.Random(seed)
    net = Network(draw)
    endpoint = draw.choice(ENDPOINTS)
    if endpoint == "aware" and len(net.blocks) > 1:
        endpoint = "ace"
    net.write(folder)
    words = []
    for block, n in zip(net.blocks, net.members):
        fits = [w for w in ALGORITHMS[block] if w != "halvingDoubling" or n & (n - 1) == 0]
        words.append(draw.choice(fits))
    keys = {f"{k}-implementation": words for k in ("all-reduce", "all-gather", "reduce-scatter")}
    keys["all-to-all-implementation"] = ["direct"] * len(words)
    theirs = {"endpoint-delay": 0, "active-chunks-per-dimension": 1, "preferred-dataset-splits": draw.randint(1, 8),
              "collective-optimization": "localBWAware", "local-mem-bw": 1600}
    (folder / "sys.json").write_text(json.dumps({"scheduling-policy": draw.choice(("LIFO", "FIFO")), **keys,
                                                 **(theirs if endpoint == "aware" else {})}))
    (folder / "mem.json").write_text('{ "memory-type": "NO_MEMORY_EXPANSION" }')
    what, size, bound = draw_work(draw, net, folder, endpoint)
    options = ["--compat", "2", "--backend", "aware"] if endpoint == "aware" else ["--endpoint", endpoint]
    if what.endswith("broadcast"):
        options += ["--fold", "off"]  # the first member is unlike the others
    done = subprocess.run([program, "astra", "--workload-configuration", folder / "t", "--system-configuration",
                           folder / "sys.json", "--network-configuration", folder / "net.yml",
                           "--remote-memory-configuration", folder / "mem.json", "--quiet", *options],
                          capture_output=True, text=True, timeout=300, check=False)
    text = f"seed {seed}: {what} of {size} B, {endpoint}, {net.blocks} {net.members} {net.gib} GiB/s {words}"
    ends = [int(line.split()[4]) for line in done.stdout.splitlines() if " finished, " in line and "sys[" in line]
    ns = bound * 1e9
    if endpoint == "aware":  # its messages take whole nanoseconds, rounded down: here 2 phases of 8 chunks
        ns = max(0.0, ns - 3 * 2 * 8 * sum(net.members))
    return text, endpoint, what.split()[-1], done.returncode, done.stderr, max(ends, default=0), ns


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("--cases", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="the files of cases that fail go there")
    given = options.parse_args()
    failed, nearest, counts = 0, {}, {}
    for seed in range(given.seed, given.seed + given.cases):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            text, endpoint, kind, status, errors, ns, bound = run(given.program, seed, folder)
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
        print(f"{key[0]:<11}{key[1]:<15}{counts[key]:>5} cases, nearest {nearest.get(key, float('nan')):.4f} of the bound")
    print(f"networks: {given.cases - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

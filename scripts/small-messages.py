#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""small-messages.py ACESIM table|page -- measures small collectives with each algorithm

`table` prints cmodel/isa/ace_program_small.def, from which acesim takes the algorithm of a small collective.
`page` prints docs/results/small-messages.md.  Both run acesim for each value, one run at a time.
"""
import json
import subprocess
import sys

ACESIM, WHAT = sys.argv[1:3] if len(sys.argv) == 3 else sys.exit(__doc__)

KIB = 1024
# In the order of preference: the first one within MARGIN of the fastest is taken.  With a ring all members of a hub are
# alike, and acesim simulates one of them.
HUB = {"ALL_REDUCE": (["all-reduce"], ["ring", "direct", "halving-doubling", "fibonacci-tree"]),
       "REDUCE_SCATTER": (["reduce-scatter", "all-gather"], ["ring", "direct", "halving-doubling"])}
RING = {"ALL_REDUCE": (["all-reduce"], ["ring", "pairwise"]),
        "REDUCE_SCATTER": (["reduce-scatter", "all-gather"], ["ring", "pairwise"])}
WIRES = {"SWITCH": ("Switch", HUB), "FULL": ("FullyConnected", HUB), "RING": ("Ring", RING)}
MEMBERS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = [KIB << i for i in range(9)]
SHOWN = SIZES[::2]            # on the page
CHUNK = 64 * KIB              # the engine's, by default
MARGIN = 1.02
LATENCY = (90, 500, 500)      # of the links of 4x4x4, cycles


def run(kind, topology, size, *arguments):
    """The result of a collective, or None: the algorithm does not run there."""
    done = subprocess.run([ACESIM, "collective", kind, "--topology", topology, "--size", str(size), *arguments, "--format", "json",
                           "--quiet"], capture_output=True, text=True)
    if done.returncode == 2:
        return None
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def cycles(kinds, topology, size, algorithm):
    # with as many peers as members the engine tells all grants apart; the cycles are the same
    results = [run(kind, topology, size, "--peers", "64", "--algorithm", algorithm) for kind in kinds]
    return None if None in results else sum(r["cycles"] for r in results)


def best(kinds, topology, size, algorithms):
    measured = {a: cycles(kinds, topology, size, a) for a in algorithms}
    least = min(c for c in measured.values() if c)
    return next(a for a in algorithms if measured[a] and measured[a] <= MARGIN * least)


def table():
    yield "/* SPDX-License-Identifier: Apache-2.0 */"
    yield "/*"
    yield " * ace_program_small.def -- the fastest algorithm of small collectives on a hub or a ring"
    yield " *"
    yield " * scripts/small-messages.py ACESIM table made this file.  A row holds for up to `members` members"
    yield " * and blocks of up to `bytes`; rows of fewer members and bytes come first.  It names the first of"
    yield " * ring, direct, halving-doubling and fibonacci-tree that takes at most %.0f %% more cycles than the" % (100 * (MARGIN - 1))
    yield " * fastest of them.  On a ring the names are ring and pairwise, and ring stands for more than %d" % (CHUNK // KIB)
    yield " * KiB, which are more than one chunk."
    yield " */"
    yield "/* clang-format off */"
    yield "/*                wires   phase           members   bytes  algorithm */"
    for wires, (wiring, phases) in WIRES.items():
        for phase, (kinds, algorithms) in phases.items():
            for members in MEMBERS:
                rows = []
                for size in SIZES:
                    topology = "%s(%d)" % (wiring, members)
                    name = "ring" if wires == "RING" and size > CHUNK else best(kinds, topology, size, algorithms)
                    if rows and rows[-1][1] == name:
                        rows.pop()
                    rows.append((size, name))
                for size, name in rows:
                    yield 'ACE_PROGRAM_SMALL(%-6s, %-14s, %2d, %6d, "%s")' % (wires, phase, members, size, name)
                print("%s %s %d" % (wiring, phase, members), file=sys.stderr)
    yield "/* clang-format on */"


def shown(size):
    return "%d KiB" % (size // KIB)


def by_registers(topology, algorithms, sizes):
    """A table of times from store to load, in microseconds; the fastest is bold, with the choice without a name."""
    yield "| bytes | %s | without a name |" % " | ".join("`%s`" % a for a in algorithms)
    yield "|--:|%s--:|" % ("--:|" * len(algorithms))
    for size in sizes:
        results = [run("all-reduce", topology, size, "--control", "registers", "--algorithm", a) for a in algorithms]
        default = run("all-reduce", topology, size, "--control", "registers")
        least = min(r["cycles"] for r in results)
        yield "| %s | %s | %.2f, %s |" % (
            shown(size), " | ".join(("**%.2f**" if r["cycles"] == least else "%.2f") % r["time_us"] for r in results),
            default["time_us"], default.get("algorithms_by_size", {}).get("x", "the default"))
    yield ""
    yield "`build/release/acesim collective all-reduce --topology '%s' --control registers --size SIZE --algorithm NAME`" % topology


def parts(algorithm):
    """Where the cycles of 4 KiB on 4x4x4 go: of the links of x, y and z, of the memory, and of all.  Trips: cycles a cycle of
    latency."""
    more = 1000
    named = ("--algorithm", algorithm)
    base = run("all-reduce", "4x4x4", 4 * KIB, *named)["cycles"]
    trips = []
    for d in range(3):
        longer = ",".join(str(v + more * (i == d)) for i, v in enumerate(LATENCY))
        trips.append((run("all-reduce", "4x4x4", 4 * KIB, "--link-latency", longer, *named)["cycles"] - base) / more)
    memory = 100
    slow = run("all-reduce", "4x4x4", 4 * KIB, "--memory-latency", str(memory), *named)["cycles"]
    slower = run("all-reduce", "4x4x4", 4 * KIB, "--memory-latency", str(memory + more), *named)["cycles"]
    accesses = (slower - slow) / more
    wait = round(base - slow + accesses * memory)   # the default latency, as often
    return [(t, t * v) for t, v in zip(trips, LATENCY)], (accesses, wait), base


def profile():
    """The table of where the cycles of 4 KiB on 4x4x4 go, with two algorithms."""
    of = [parts(a) for a in ("ring", "pairwise")]
    yield "| part | `ring` | `pairwise` |"
    yield "|---|--:|--:|"
    for d, letter in enumerate("xyz"):
        yield "| links of %s, %d cycles | %s |" % (letter, LATENCY[d], " | ".join(
            "{:g} trips: {:,.0f}".format(*p[0][d]) for p in of))
    yield "| memory | %s |" % " | ".join("{:g} accesses: {:,}".format(*p[1]) for p in of)
    yield "| pipelines, state machines, rows | %s |" % " | ".join(
        "{:,.0f}".format(p[2] - sum(c for _, c in p[0]) - p[1][1]) for p in of)
    yield "| all | %s |" % " | ".join("{:,}".format(p[2]) for p in of)


def page():
    hub = ["direct", "ring", "halving-doubling", "double-binary-tree", "fibonacci-tree"]
    yield "<!-- Made by scripts/small-messages.py ACESIM page. -->"
    yield "# Small messages"
    yield ""
    yield "An all-reduce of 4 KiB waits for latencies, not for bandwidth. These tables say which algorithm is the fastest by size,"
    yield "and which one acesim takes without `--algorithm`. Times are in microseconds, of the engine with its default links"
    yield "(200 GB/s with 90 cycles; 25 GB/s with 500 cycles for y and z). The fastest of a row is bold."
    yield ""
    yield "A time counts from the first register that software writes for the command to the read of its completion. The register"
    yield "bus answers within a few cycles. Without registers, as in the last table, a run is some 40 cycles shorter."
    yield "[Decode](decode.md) has times of commands that a store starts and a flag ends."
    yield ""
    yield "## Behind a switch"
    yield ""
    yield from by_registers("Switch(8)", hub + ["in-network"], SHOWN)
    yield ""
    yield "`in-network` needs [a switch that reduces](../guide/algorithms.md#a-switch-that-reduces), so acesim never chooses it by"
    yield "itself. Among the others the [Fibonacci tree](../design/decisions/0086-small-collectives.md) wins up to 16 KiB."
    yield ""
    yield "## Full connections"
    yield ""
    yield from by_registers("FullyConnected(8)", hub, SHOWN)
    yield ""
    yield "## Rings"
    yield ""
    for topology in ("Ring(4)", "4x4x4"):
        yield from by_registers(topology, ["ring", "one-way-ring", "pairwise"], SHOWN)
        yield ""
    yield "`pairwise` has one chunk in the engine at a time. More than 64 KiB are several chunks, and `ring` is faster. On a ring of"
    yield "four it is faster from 64 KiB on."
    yield ""
    yield "## Where the cycles of 4x4x4 go"
    yield ""
    yield "The 4 KiB are one chunk. It has four phases: a reduce-scatter on x, all-reduces on y and z, and an all-gather on x."
    yield "A *trip* is a latency of a link that the chunk waits for: a grant, or a row from a neighbour."
    yield ""
    yield from profile()
    yield ""
    yield "`build/release/acesim collective all-reduce --topology 4x4x4 --size 4KiB --algorithm NAME`, and the same with"
    yield "`--link-latency 1090,500,500`, `90,1500,500`, `90,500,1500`, and with `--memory-latency 100` and `1100`. The differences"
    yield "count the trips."


for line in {"table": table, "page": page}[WHAT]():
    print(line)

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
PHASES = {"ALL_REDUCE": (["all-reduce"], ["ring", "direct", "halving-doubling", "fibonacci-tree"]),
          "REDUCE_SCATTER": (["reduce-scatter", "all-gather"], ["ring", "direct", "halving-doubling"])}
WIRES = {"SWITCH": "Switch", "FULL": "FullyConnected"}
MEMBERS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
SIZES = [KIB << i for i in range(9)]
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
    yield " * ace_program_small.def -- the fastest algorithm of small collectives on a hub"
    yield " *"
    yield " * scripts/small-messages.py ACESIM table made this file.  A row holds for up to `members` members"
    yield " * and blocks of up to `bytes`; rows of fewer members and bytes come first.  It names the first of"
    yield " * ring, direct, halving-doubling and fibonacci-tree that takes at most %.0f %% more cycles than the" % (100 * (MARGIN - 1))
    yield " * fastest of them."
    yield " */"
    yield "/* clang-format off */"
    yield "/*                wires   phase           members   bytes  algorithm */"
    for wires, wiring in WIRES.items():
        for phase, (kinds, algorithms) in PHASES.items():
            for members in MEMBERS:
                rows = []
                for size in SIZES:
                    name = best(kinds, "%s(%d)" % (wiring, members), size, algorithms)
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


def profile():
    """The table of where the cycles of 4 KiB on 4x4x4 go, and those of the memory.  Trips: cycles a cycle of latency."""
    more = 1000
    base = run("all-reduce", "4x4x4", 4 * KIB)["cycles"]
    trips = []
    for d in range(3):
        longer = ",".join(str(v + more * (i == d)) for i, v in enumerate(LATENCY))
        trips.append((run("all-reduce", "4x4x4", 4 * KIB, "--link-latency", longer)["cycles"] - base) / more)
    memory = 100
    slow = run("all-reduce", "4x4x4", 4 * KIB, "--memory-latency", str(memory))["cycles"]
    slower = run("all-reduce", "4x4x4", 4 * KIB, "--memory-latency", str(memory + more))["cycles"]
    accesses = (slower - slow) / more
    wait = round(base - slow + accesses * memory)   # the default latency, as often
    on_links = [t * v for t, v in zip(trips, LATENCY)]
    rest = base - sum(on_links) - wait
    lines = ["| part | cycles |", "|---|--:|"]
    for d, letter in enumerate("xyz"):
        lines.append("| links of %s: %g trips of %d cycles | %s |" % (letter, trips[d], LATENCY[d], "{:,.0f}".format(on_links[d])))
    lines.append("| memory: %g accesses, one after the other | %s |" % (accesses, "{:,}".format(wait)))
    lines.append("| pipelines, state machines, rows | %s |" % "{:,.0f}".format(rest))
    lines.append("| all | %s |" % "{:,}".format(base))
    return lines, wait


def page():
    hub = ["direct", "ring", "halving-doubling", "double-binary-tree", "fibonacci-tree"]
    yield "<!-- Made by scripts/small-messages.py ACESIM page. -->"
    yield "# Small messages"
    yield ""
    yield "An all-reduce of 4 KiB waits for latencies, not for bandwidth. These tables say which algorithm is the fastest by size,"
    yield "and which one acesim takes without `--algorithm`. Times are in microseconds, of the engine with its default links"
    yield "(200 GB/s with 90 cycles; 25 GB/s with 500 cycles for y and z). The fastest of a row is bold."
    yield ""
    yield "A time counts from the first register that software writes for the command to the read of its completion. In between"
    yield "are the interrupt and the reads that it causes. The register bus answers within a few cycles: an interconnect between"
    yield "the processor and the engine comes on top. Without registers, as in the last table, a run is some 40 cycles shorter."
    yield ""
    yield "## Behind a switch"
    yield ""
    yield from by_registers("Switch(8)", hub + ["in-network"], SIZES)
    yield ""
    yield "`in-network` needs [a switch that reduces](../guide/algorithms.md#a-switch-that-reduces), so acesim never chooses it by"
    yield "itself. Among the others the [Fibonacci tree](../design/decisions/0086-small-collectives.md) wins up to 16 KiB."
    yield ""
    yield "## Full connections"
    yield ""
    yield from by_registers("FullyConnected(8)", hub, SIZES)
    yield ""
    yield "The links of a member share its port. A tree's root sends the whole vector to each leader, so a ring wins earlier."
    yield ""
    yield "## Rings"
    yield ""
    yield from by_registers("Ring(4)", ["ring", "one-way-ring"], SIZES)
    yield ""
    yield from by_registers("4x4x4", ["ring", "one-way-ring"], SIZES)
    yield ""
    yield "## What 4x4x4 would need"
    yield ""
    yield "The 4 KiB are one chunk. It has four phases: a reduce-scatter on x, all-reduces on y and z, and an all-gather on x."
    yield "A *trip* is a latency of a link that the chunk waits for: a grant, or a row from a neighbour."
    yield ""
    lines, wait = profile()
    yield from lines
    yield ""
    yield "`build/release/acesim collective all-reduce --topology 4x4x4 --size 4KiB`, and the same with `--link-latency 1090,500,500`,"
    yield "`90,1500,500`, `90,500,1500`, and with `--memory-latency 100` and `1100`. The differences count the trips."
    yield ""
    hops = 2 * sum(LATENCY)
    grants = hops + sum(LATENCY)
    yield "An all-reduce on a ring of four takes one trip for the grant and six for rows, because a context sends in one direction"
    yield "only. An exchange of whole blocks in both directions would take two trips for rows in each dimension, together {:,}".format(hops)
    yield "cycles. With a grant for each dimension they are {:,}. The engine lacks four things for the exchange:".format(grants)
    yield ""
    yield "- a context of a ring that sends both ways, and grants from both neighbours"
    yield "- a sum with an operand in the target, and a grant that waits until earlier rows are sent"
    yield "- a plan of three all-reduces on the whole block"
    yield "- a grant that a node sends before it has finished the previous phase"
    yield ""
    yield "Without the last one, trips and memory alone would take {:,} cycles. With it, they would take {:,}.".format(
        grants + wait, hops + max(LATENCY) + wait)


for line in {"table": table, "page": page}[WHAT]():
    print(line)

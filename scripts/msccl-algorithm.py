#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an algorithm in MSCCL's XML, of this project's own, for acesim msccl:

    scripts/msccl-algorithm.py allreduce-ring GPUS [CHANNELS]    in place; odd channels go the other way
    scripts/msccl-algorithm.py allgather-all-pairs GPUS
    scripts/msccl-algorithm.py alltoall-two-step NODES GPUS      GPUS of each node: within it, then across

Those of workloads/algorithms are made by it, as their first line says.
"""
import sys


class Block:
    """A thread block, and its steps."""

    def __init__(self, send=-1, recv=-1, chan=0):
        self.send, self.recv, self.chan = send, recv, chan
        self.steps = []

    def add(self, kind, src=("i", -1), dst=("o", -1), cnt=1, after=None):
        """after: (thread block, step) that it waits for.  Gives the step's number."""
        self.steps.append((kind, src, dst, cnt, after))
        return len(self.steps) - 1


def text(name, coll, chunks, inplace, gpus):
    """gpus: for each its numbers of chunks and its thread blocks."""
    lines = [
        f'<algo name="{name}" proto="Simple" nchannels="{1 + max(b.chan for _, bs in gpus for b in bs)}" '
        f'nchunksperloop="{chunks}" ngpus="{len(gpus)}" coll="{coll}" inplace="{inplace}">'
    ]
    for g, ((i, o, s), blocks) in enumerate(gpus):
        lines.append(f'  <gpu id="{g}" i_chunks="{i}" o_chunks="{o}" s_chunks="{s}">')
        number = {id(b): n for n, b in enumerate(blocks)}
        waited = {(number[id(a[0])], a[1]) for b in blocks for *_, a in b.steps if a}
        for n, b in enumerate(blocks):
            lines.append(f'    <tb id="{n}" send="{b.send}" recv="{b.recv}" chan="{b.chan}">')
            for k, (kind, src, dst, cnt, after) in enumerate(b.steps):
                depid, deps = (number[id(after[0])], after[1]) if after else (-1, -1)
                lines.append(
                    f'      <step s="{k}" type="{kind}" srcbuf="{src[0]}" srcoff="{src[1]}" '
                    f'dstbuf="{dst[0]}" dstoff="{dst[1]}" cnt="{cnt}" depid="{depid}" deps="{deps}" '
                    f'hasdep="{int((n, k) in waited)}"/>')
            lines.append("    </tb>")
        lines.append("  </gpu>")
    return "\n".join(lines + ["</algo>"])


def allreduce_ring(n, channels=1):
    gpus = []
    for g in range(n):
        blocks = []
        for c in range(channels):
            d = -1 if c % 2 else 1      # odd channels go round the other way

            def at(k):
                return ("i", (g + d * k) % n * channels + c)
            b = Block((g + d) % n, (g - d) % n, c)
            b.add("s", at(0), at(0))
            for k in range(1, n - 1):
                b.add("rrs", at(-k), at(-k))
            b.add("rrcs", at(1), at(1))
            for k in range(1, n - 1):
                b.add("rcs", at(1 - k), at(1 - k))
            b.add("r", at(2), at(2))
            blocks.append(b)
        gpus.append(((n * channels, 0, 0), blocks))
    return text(f"ring all-reduce of {n}", "allreduce", n * channels, 1, gpus)


def allgather_all_pairs(n):
    gpus = []
    for g in range(n):
        blocks = [Block(p, p) for p in range(n) if p != g]
        for b in blocks:
            b.add("s", ("i", 0), ("o", g))
            b.add("r", ("i", 0), ("o", b.recv))
        own = Block()
        own.add("cpy", ("i", 0), ("o", g))
        gpus.append(((1, n, 0), blocks + [own]))
    return text(f"all-pairs all-gather of {n}", "allgather", n, 0, gpus)


def alltoall_two_step(nodes, n):
    """What GPU g of a node has for GPU h of any node goes to GPU h of its own node first, which sends
    all that its node has for one node at once."""
    gpus = []
    for node in range(nodes):
        for g in range(n):
            others = [m for m in range(nodes) if m != node]
            inside = {h: Block(node * n + h, node * n + h) for h in range(n) if h != g}
            own = Block()
            came = {}
            for h, b in inside.items():
                for m in range(nodes):
                    b.add("s", ("i", m * n + h))
                for m in range(nodes):
                    to = ("o", node * n + h) if m == node else ("s", m * n + h)
                    came[m, h] = (b, b.add("r", dst=to))
            for m in range(nodes):
                to = ("o", node * n + g) if m == node else ("s", m * n + g)
                came[m, g] = (own, own.add("cpy", ("i", m * n + g), to))
            across = []
            for m in others:
                b = Block(m * n + g, m * n + g)
                for h in inside:
                    b.add("nop", cnt=0, after=came[m, h])
                b.add("s", ("s", m * n), ("o", node * n), n, came[m, g])
                b.add("r", ("s", node * n), ("o", m * n), n)
                across.append(b)
            gpus.append(((nodes * n, nodes * n, nodes * n), list(inside.values()) + [own] + across))
    return text(f"two-step all-to-all of {nodes} x {n}", "alltoall", nodes * n, 0, gpus)


MAKERS = {"allreduce-ring": (allreduce_ring, 1, 2), "allgather-all-pairs": (allgather_all_pairs, 1, 1),
          "alltoall-two-step": (alltoall_two_step, 2, 2)}

if __name__ == "__main__":
    kind, numbers = (sys.argv + [""])[1], sys.argv[2:]
    make, least, most = MAKERS.get(kind, (None, 0, 0))
    if not make or not least <= len(numbers) <= most or not all(v.isdigit() and int(v) > 0 for v in numbers) \
            or int(numbers[0]) * (int(numbers[-1]) if kind == "alltoall-two-step" else 1) < 2:
        sys.exit(__doc__)
    print(f"<!-- SPDX-License-Identifier: Apache-2.0; scripts/msccl-algorithm.py {kind} {' '.join(numbers)} -->")
    print(make(*map(int, numbers)))

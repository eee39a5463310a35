# SPDX-License-Identifier: Apache-2.0
"""Schedules of an all-reduce over several dimensions, for tests: what any choice of orders reaches at best, and Themis.

    themis.py 4,4,4 50,50,50 [PARTS]    a line each, times over that of the baseline: the best of ACE's phases, the best of
                                        shards handed on, and Themis: by its loads, through queues FIFO, and SCF

A dimension of n members moves 2 (n - 1)/n of what comes to it.  Themis hands 1/n on to the next; ACE hands the shard of the
first dimension to each of the others.  Bandwidths are of a dimension.  Independent of the program: `best` goes through the
corners of the linear program, `themis` restates ASTRA-sim's OfflineGreedy: for each chunk the dimensions from the least to the
most loaded; the order of the file where that gains less than 1/16 of a chunk.  FIFO and SCF run its chunks through one queue a
dimension, one chunk at a time.
"""
import heapq
import itertools
import sys


def loads(order, npus, rates):
    """Of an all-reduce of 1: how long each dimension is busy."""
    out, left = [0.0] * len(npus), 1.0
    for d in order:
        out[d] = 2 * left * (npus[d] - 1) / npus[d] / rates[d]
        left /= npus[d]
    return out


def phases(order, npus, rates):
    """The same on ACE: a reduce-scatter and an all-gather on the first, an all-reduce of the shard on each other."""
    first = order[0]
    return [2 * (npus[d] - 1) / npus[d] / rates[d] / (1 if d == first else npus[first]) for d in range(len(npus))]


def solve(rows):
    """Gauss on rows of [coefficients..., right]; None: singular."""
    n = len(rows)
    for c in range(n):
        p = max(range(c, n), key=lambda r: abs(rows[r][c]))
        if abs(rows[p][c]) < 1e-12:
            return None
        rows[c], rows[p] = rows[p], rows[c]
        for r in range(n):
            if r != c:
                by = rows[r][c] / rows[c][c]
                rows[r] = [a - by * b for a, b in zip(rows[r], rows[c])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def best(npus, rates, of=loads):
    """The least time of the busiest dimension over all ways to share the vector among orders."""
    every = [of(o, npus, rates) for o in itertools.permutations(range(len(npus)))]
    least = float("inf")
    for k in range(1, len(npus) + 1):
        for some in itertools.combinations(every, k):
            for tight in itertools.combinations(range(len(npus)), k):
                x = solve([[s[d] for s in some] + [-1, 0] for d in tight] + [[1] * k + [0, 1]])
                if x and min(x[:k]) > -1e-12:
                    least = min(least, max(sum(v * s[d] for v, s in zip(x, some)) for d in range(len(npus))))
    return least


def themis(npus, rates, parts):
    """The order of each chunk."""
    load, out, chunk = [0.0] * len(npus), [], 1.0 / parts
    for _ in range(parts):
        order = sorted(range(len(npus)), key=lambda d: load[d])
        first = order[0]
        gap = (load[order[-1]] - load[first]) * rates[first] * npus[first] / (npus[first] - 1)
        if gap < chunk / 16:
            order = list(range(len(npus)))
        left = chunk
        for d in order:
            load[d] += left * (npus[d] - 1) / npus[d] / rates[d]
            left /= npus[d]
        out.append(order)
    return out


def run(schedule, npus, rates, scf):
    """When all chunks have reduced over their order and gathered back."""
    order, events, now = itertools.count(), [], 0.0
    waiting, busy = [[] for _ in npus], [False] * len(npus)
    plans = []
    for dims in schedule:
        left, plan = 1.0 / len(schedule), []
        for d in dims:
            plan.append((d, left))
            left /= npus[d]
        plans.append(plan + plan[::-1])

    def join(chunk):
        d, size = plans[chunk][0]
        heapq.heappush(waiting[d], (size if scf else 0, next(order), chunk))
        begin(d)

    def begin(d):
        if waiting[d] and not busy[d]:
            chunk = heapq.heappop(waiting[d])[2]
            busy[d] = True
            heapq.heappush(events, (now + plans[chunk][0][1] * (npus[d] - 1) / npus[d] / rates[d], next(order), d, chunk))

    for chunk in range(len(plans)):
        join(chunk)
    while events:
        now, _, d, chunk = heapq.heappop(events)
        busy[d] = False
        plans[chunk].pop(0)
        if plans[chunk]:
            join(chunk)
        begin(d)
    return now


if __name__ == "__main__":
    sizes = [int(n) for n in sys.argv[1].split(",")]
    speeds = [float(b) for b in sys.argv[2].split(",")]
    chunks = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    given = themis(sizes, speeds, chunks)
    base = max(loads(range(len(sizes)), sizes, speeds))
    summed = max(sum(loads(o, sizes, speeds)[d] for o in given) / chunks for d in range(len(sizes)))
    times = {"best with the engine's phases": best(sizes, speeds, phases), "best of shards handed on": best(sizes, speeds),
             "Themis, by its loads": summed, "Themis, FIFO": run(given, sizes, speeds, False),
             "Themis, SCF": run(given, sizes, speeds, True)}
    for label, time in times.items():
        print(f"{label:30} {time / base:.6f}")

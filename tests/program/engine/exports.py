# SPDX-License-Identifier: Apache-2.0
"""exports.py FOLDER -- exported files against what acesim said of them

Reads network.yml and system.json of ASTRA-sim 2.x, network.json and system.txt of 1.0, LogGOPS parameters and a table,
and works out each collective's time by the simulators' published rules, for rings alone.
"""
import csv
import json
import math
import re
import sys

work = sys.argv[1]
MIB = 1 << 20


def said(name):
    with open("%s/%s.json" % (work, name)) as f:
        return json.load(f)


def text(name):
    with open(work + "/" + name) as f:
        return f.read()


class Astra:
    """The system layer over a congestion-unaware network: rings, one queue a dimension."""

    def __init__(self, n, net, reduce, e, splits, active, ways):
        self.n, self.net, self.reduce, self.e, self.splits, self.active, self.ways = n, net, reduce, e, splits, active, ways

    def phase(self, d, kind, size):
        n, part = self.n[d], size if kind == "all-gather" else size // self.n[d]
        if kind == "all-to-all" and self.ways[d] == "direct":
            return self.net(d, part, n // 2) + 2 * self.e
        steps = {"all-reduce": 2 * (n - 1), "all-to-all": n * (n - 1) // 2}.get(kind, n - 1)
        reductions = (n - 1) * self.reduce(part) if kind in ("all-reduce", "reduce-scatter") else 0
        return steps * self.net(d, part, 1) + (steps + 1) * self.e + reductions

    def time(self, kind, size):
        dims, total = range(len(self.n)), math.prod(self.n)
        if kind == "all-gather":
            size //= total
        chunk = size // self.splits
        if kind != "all-gather":
            chunk = max(chunk, total)
        phases, s = [], chunk
        if kind == "all-gather":
            for d in reversed(dims):
                phases.append((d, self.phase(d, kind, s)))
                s *= self.n[d]
        else:
            for d in dims:
                last = d == dims[-1]
                phases.append((d, self.phase(d, "reduce-scatter" if kind == "all-reduce" and not last else kind, s)))
                if kind == "reduce-scatter" or kind == "all-reduce" and not last:
                    s //= self.n[d]
            if kind == "all-reduce":
                for d in reversed(dims[:-1]):
                    phases.append((d, self.phase(d, "all-gather", s)))
                    s *= self.n[d]
        waiting = [[] for _ in dims]
        waiting[phases[0][0]] = [(0, c) for c in range(self.splits)]
        running, events, now = [0 for _ in dims], [], 0

        def fill(d):
            while waiting[d] and running[d] < self.active:
                at, c = waiting[d].pop(0)
                running[d] += 1
                events.append((now + phases[at][1], len(done) + len(events) + 1e-9 * c, at, c))

        done = []
        fill(phases[0][0])
        while events:
            event = min(events, key=lambda x: x[0])  # the first of equals: as they were begun
            events.remove(event)
            now, _, at, c = event
            done.append(event)
            d = phases[at][0]
            running[d] -= 1
            if at + 1 < len(phases):
                waiting[phases[at + 1][0]].append((at + 1, c))
            fill(d)
            if at + 1 < len(phases):
                fill(phases[at + 1][0])
        return now


def astra_2():
    lists = {k: v.split(",") for k, v in re.findall(r"^(\w+): \[(.*)\]", text("astra-sim-2/network.yml"), re.M)}
    assert {t.strip() for t in lists["topology"]} == {"Ring"}
    n, gbps, latency = [int(v) for v in lists["npus_count"]], *([float(v) for v in lists[k]] for k in ("bandwidth", "latency"))
    s = json.loads(text("astra-sim-2/system.json"))
    assert json.loads(text("astra-sim-2/remote_memory.json")) == {"memory-type": "NO_MEMORY_EXPANSION"}
    assert s["collective-optimization"] == "localBWAware" and s["all-reduce-implementation"] == ["ring"] * len(n)
    return Astra(n, lambda d, b, hops: int(hops * latency[d] + b / (gbps[d] * 2**30 / 1e9)),
                 lambda b: 3 * int(b / s["local-mem-bw"]), s["endpoint-delay"], s["preferred-dataset-splits"],
                 s["active-chunks-per-dimension"], s["all-to-all-implementation"])


def astra_1():
    net = json.loads(text("astra-sim-1/network.json"))
    s = dict(re.findall(r"^([\w-]+): (\S+)", text("astra-sim-1/system.txt"), re.M))

    def message(d, b, hops):
        gbps = net["link-bandwidth"][d] * net["links-count"][d] * 2**30 / 1e9
        memory = (net["hbm-latency"][d] + b / net["hbm-bandwidth"][d]) * net["hbm-scale"][d]
        return int(max(int(hops * net["link-latency"][d] + 2 * net["nic-latency"][d]) + b / gbps, memory))
    return Astra(net["units-count"], message, lambda b: 3 * int(b / 500000), int(s["endpoint-delay"]),
                 int(s["preferred-dataset-splits"]), int(s["active-chunks-per-dimension"]),
                 s["all-to-all-implementation"].split("_"))


def loggops():
    """LogGOPSim's options are of type int (loggopsim_cmdline.ggo): times are in a unit that the file names."""
    of = {}
    per_ns = float(re.search(r"(\S+) to a ns", text("loggops")).group(1))
    for kind, options in re.findall(r"^([a-z-]+): (-L.*)$", text("loggops"), re.M):
        v = {k: int(x) for k, x in re.findall(r"-(\w) (\S+)", options)}
        assert sorted(v) == sorted("LogGOS") and max(v.values()) < 2**31, (kind, v)
        v = {k: x / per_ns for k, x in v.items()}

        def time(size, v=v, kind=kind, n=8):
            wire = (size / n - 1) * v["G"]
            if kind == "all-to-all":
                return 2 * v["o"] + v["L"] + wire + (n - 2) * (max(v["g"], v["o"]) + wire)
            return (2 if kind == "all-reduce" else 1) * (n - 1) * (v["L"] + 2 * v["o"] + wire)
        of[kind] = time
    return of


def residuals(r, limit):
    for g in r["groups"]:
        large = g["sizes"] == "1 MiB and more"
        errors = [abs(p["form_ns"] / p["calibrated_ns"] - 1) for p in r["points"]
                  if p["kind"] == g["kind"] and not p["fitted"] and (p["bytes"] >= MIB) == large]
        assert g["count"] == len(errors) and abs(g["mean"] - sum(errors) / len(errors)) < 1e-12, g
        assert abs(g["worst"] - max(errors)) < 1e-12, g
        assert not large or g["kind"] not in limit or g["mean"] < limit[g["kind"]], g


for name, of in (("astra-sim-2", astra_2()), ("astra-sim-1", astra_1())):
    r = said(name)
    residuals(r, {"all-reduce": 0.05})
    assert len({p["bytes"] for p in r["points"] if p["fitted"]}) == 2, name  # 1 MiB and 8 MiB of 16
    for p in r["points"]:
        found = of.time(p["kind"], int(p["bytes"]))
        assert abs(found - p["form_ns"]) <= 1e-6 * found + 8, (name, p, found)
r, of = said("loggops"), loggops()
residuals(r, {k: 0.05 for k in of})
assert len(of) == 4
for p in r["points"]:
    assert abs(of[p["kind"]](p["bytes"]) / p["form_ns"] - 1) < 1e-6, p
r = said("csv")
rows = list(csv.DictReader(open(work + "/csv")))
residuals(r, {})
assert len(rows) == len(r["points"])
for row, p in zip(rows, r["points"]):
    assert row["collective"] == p["kind"] and float(row["bytes"]) == p["bytes"]
    assert abs(float(row["time_us"]) * 1e3 / p["calibrated_ns"] - 1) < 1e-3
    bus = (2 if p["kind"] == "all-reduce" else 1) * 7 / 8 * p["bytes"] / p["calibrated_ns"]
    assert abs(float(row["bus_bandwidth_GBps"]) / bus - 1) < 1e-4

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random collectives, exact against calibrated: how far they are apart, and whether intervals hold them.

    tests/campaign/calibrated.py PROGRAM [--singles 200] [--sets 60] [--seed 1] [--quick] [--limits] [--folder FOLDER]

The script calibrates each of four clusters, in FOLDER, where a later call finds the measurements again.  Then it draws
collectives from the seed: one at a time, and two or three at a time.  Kinds, dimensions, sizes, chunks and memories are
random, and a quarter of the sets begin within 12 cycles.  No calibration has seen these collectives.  The script prints
mean and worst error, and how many results lie in their interval by kind, side of 1 MiB, and number at a time.
With --limits the script fails where a promise does not hold.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

KINDS = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all")
CLUSTERS = {  # topology, dimensions
    "4x4x4": "xyz",
    "4x2x2": "xyz",
    "Ring(4)_Switch(8)": "xy",
    "FullyConnected(8)_Ring(4)": "xy",
}
LARGE, SMALL_ALONE = 1 << 20, 64 << 10
AT_ONCE = 16  # experiments of one call


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--folder", help="keeps calibrations and measurements")
    parser.add_argument("--singles", type=int, default=200)
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=int, default=0, help="held out by each calibration")
    parser.add_argument("--clusters", type=int, default=len(CLUSTERS), help="the first so many")
    parser.add_argument("--quick", action="store_true", help="up to 16 MiB, of quick calibrations")
    parser.add_argument("--limits", action="store_true")
    return parser.parse_args()


def cluster_file(folder, number, topology, dimensions):
    name = os.path.join(folder, f"cluster-{number}.yaml")
    with open(name, "w", encoding="ascii") as out:
        out.write(f"topology: {topology}\nlinks:\n  x: {{bandwidth: 200 GB/s, latency: 90}}\n")
        for letter in dimensions[1:]:
            out.write(f"  {letter}: {{bandwidth: 25 GB/s, latency: 500}}\n")
        out.write("link_efficiency: 0.94\nmemory: {latency: 200}\nchunk: 64 KiB\n")
    return name


def draw_one(r, dimensions, most, start):
    part = r.choice([dimensions, dimensions, "".join(d for d in dimensions if r.random() < 0.5)])
    size = int(math.exp(r.uniform(math.log(1024), math.log(most)))) // 4 * 4
    return f"{r.choice(KINDS)}:{size}:{part or 'x'}@{start}"


def draw(r, dimensions, works, most):
    """An experiment's text, of so many collectives."""
    apart = r.choice((12, 20000, 20000, 20000))
    starts = sorted([0] + [r.randrange(apart) for _ in range(works - 1)])
    text = "+".join(draw_one(r, dimensions, most, s) for s in starts)
    if r.random() < 0.25:
        text += f" chunk={r.randrange(64, 513) * 256}"
    if r.random() < 0.4:
        text += f" memory={r.randrange(64, 257)}"
    return text


def check(program, calibration, texts, folder):
    points = []
    for first in range(0, len(texts), AT_ONCE):
        words = [program, "calibrate", "--check", calibration, "--quiet", "--format", "json"]
        for text in texts[first:first + AT_ONCE]:
            words += ["--experiment", text]
        points += json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, cwd=folder).stdout)["points"]
    return points


def class_of(p):
    return p["kind"], "1 MiB and more" if p["bytes"] >= LARGE else "below 1 MiB", p["at_a_time"]


def summary(name, points):
    errors = [abs(p["error"]) for p in points]
    inside = sum(p["low"] <= p["measured"] <= p["high"] for p in points)
    if points:
        print(f"{name:44}{len(points):6}{100 * sum(errors) / len(errors):9.2f}{100 * max(errors):10.2f}"
              f"{inside:8} of {len(points)}")
    return errors


def least(count):
    """So many of a class lie in an interval of nine in ten, but for three standard deviations, as there are two dozen classes."""
    return 0.9 * count - 3 * math.sqrt(0.09 * count)


def report(points):
    """Prints all, and returns what does not hold."""
    alone = [p for p in points if p["at_a_time"] == 1]
    above = [p for p in alone if p["bytes"] > SMALL_ALONE]
    sets = [p for p in points if p["at_a_time"] > 1]
    sure = [p for p in sets if not p["unsure"]]
    wrong = []
    print(f"{'in percent':44}{'count':>6}{'mean':>9}{'worst':>10}   in the 90 % interval")
    for name, group, mean, worst in (("alone", alone, 1, None), ("alone, above 64 KiB", above, None, 5),
                                     ("two and three at a time", sets, None, None),
                                     ("of these not said to be unsure", sure, None, 25)):
        errors = summary(name, group)
        if errors and mean and 100 * sum(errors) / len(errors) > mean:
            wrong.append(f"{name}: mean above {mean} %")
        if errors and worst and 100 * max(errors) > worst:
            wrong.append(f"{name}: worst above {worst} %")
    print(f"{len(sets) - len(sure)} of {len(sets)} collectives in sets are said to be unsure")
    for c in sorted({class_of(p) for p in points}, key=lambda c: (c[2], c)):
        group = [p for p in points if class_of(p) == c]
        summary(f"{c[0]}, {c[1]}, {c[2]} at a time", group)
        if sum(p["low"] <= p["measured"] <= p["high"] for p in group) < least(len(group)):
            wrong.append(f"{c[0]}, {c[1]}, {c[2]} at a time: too few in the interval")
    print("\nthe farthest off")
    for p in sorted(points, key=lambda p: -abs(p["error"]))[:12]:
        print(f"{100 * p['error']:9.2f} %  {p['kind']:15}{p['bytes']:>10.0f}  {p['measured']:>9.0f}{p['predicted']:>9.0f}"
              f"  [{p['low']:.0f}, {p['high']:.0f}]{' unsure' if p['unsure'] else ''}  {p['cluster']}  {p['experiment']}")
    return wrong


def compare(a, folder):
    """All collectives, as the program prints them, each with its cluster."""
    r = random.Random(a.seed)
    points = []
    program = os.path.abspath(a.program)
    for number, (topology, dimensions) in enumerate(list(CLUSTERS.items())[:a.clusters]):
        calibration = os.path.abspath(os.path.join(folder, f"cluster-{number}.calibrated"))
        words = [program, "calibrate", cluster_file(folder, number, topology, dimensions),
                 "--output", calibration, "--quiet"]
        words += ["--quick"] if a.quick else []
        words += ["--points", str(a.points)] if a.points else []
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        share = lambda n: n * (number + 1) // a.clusters - n * number // a.clusters
        most = (16 if a.quick else 64) << 20
        texts = [draw(r, dimensions, 1, most) for _ in range(share(a.singles))]
        texts += [draw(r, dimensions, 2 + i % 2, most // 4) for i in range(share(a.sets))]
        points += [{**p, "cluster": topology} for p in check(program, calibration, texts, folder)]
    return points


def main():
    a = arguments()
    with tempfile.TemporaryDirectory() as own:
        wrong = report(compare(a, a.folder or own))
    for text in wrong:
        print(f"not so: {text}", file=sys.stderr)
    return 1 if wrong and a.limits else 0


if __name__ == "__main__":
    sys.exit(main())

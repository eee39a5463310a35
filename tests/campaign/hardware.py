#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wrong bits in the hardware: none corrupts a result in silence, none hangs.

  tests/campaign/hardware.py ACESIM [--faults N] [--seed S] [--jobs N] [PLACE...]

Each run is a random collective that carries its values and compares them, with a list of wrong bits of one
place, at random moments of its time, on a random rung.  Places:

  link         any bit of a frame on a ring, one in each frame that is hit: repaired, so that none need be told
  hub          the same between a node and a switch, both ways
  network      the same where the switch reduces what it is sent
  scratchpad   one bit of a stored word
  two          two bits of one codeword at a time: a row that is lost, and must be told

N faults in all [100000], shared by the places.  The table says of each place how many bits were given, how many hit
something, and how the runs ended: with the right values, or told; any other end is a failure.
"""

import argparse
import concurrent.futures
import functools
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys

LIMIT = 300         # seconds
FRAME_BITS = 48 + 16 + 16 + 32 + 64 + 2048    # head, number, acknowledgement, CRC, route, row (enum ace_frame_bit)
A_RUN = {"link": 80, "hub": 80, "network": 80, "scratchpad": 400, "two": 20}   # of a run, or a pair where rows are lost


def faults(place, rng, sizes, cycles):
    """One wrong bit, or more that belong together, as --faults has it."""
    node, cycle = rng.randrange(math.prod(sizes)), rng.randrange(1, cycles)
    if place == "link":
        dimension = rng.choice([d for d, size in enumerate(sizes) if size > 1])
        return f"link:{node}.{2 * dimension + rng.randrange(2)}@{cycle}={rng.randrange(FRAME_BITS)}"
    if place in ("hub", "network"):
        return f"link:{node}.{rng.choice([0, 8])}@{cycle}={rng.randrange(FRAME_BITS)}"
    bank, row, word = rng.randrange(4), rng.randrange(64), rng.randrange(64)
    if place == "scratchpad":
        return f"scratchpad:{node}.{bank}.{row}.{word}.{1 << rng.randrange(32):#x}@{cycle}"
    cycle -= cycle % 100        # so that pairs of a node have no cycle in common
    # A codeword has the same bit of each of the 64 words of a row (rtl/ace_secded.vh).
    # An upset of a node waits for its bank, and another in its cycle is refused: the second comes soon after.
    bit = 1 << rng.randrange(32)
    return ",".join(f"scratchpad:{node}.{bank}.{row}.{w}.{bit:#x}@{cycle + 40 * i}"
                    for i, w in enumerate((word % 32, word % 32 + 32)))


def arguments(place, rng):
    if place == "hub":
        topology, sizes = rng.choice([("Switch(4)", [4]), ("FullyConnected(3)", [3]), ("Switch(2)_Ring(2)", [2, 2])])
    elif place == "network":
        topology, sizes = rng.choice([("Switch(4)", [4]), ("Switch(3)", [3]), ("Switch(2)_Switch(2)", [2, 2])])
    else:
        topology, sizes = rng.choice([("2x2", [2, 2]), ("3x1x2", [3, 1, 2]), ("2x2x2", [2, 2, 2]), ("4", [4])])
    kind = rng.choice(["all-reduce", "all-reduce", "reduce-scatter", "all-gather", "all-to-all"])
    size = rng.choice([4096, 20000, 65536, 131072])
    words = ["--size", str(size), "--payload", "random", "--check", "--seed", str(rng.randint(1, 999)),
             # most of a short run with RTL goes into making its nodes
             "--rung", rng.choice([*["cycle"] * 6, "rtl", *["rtl:0;cycle:rest"] * 3])]
    if place in ("scratchpad", "two"):
        kind = "all-reduce"     # of which most lies in the scratchpad; RTL is built with a large one alone
        if words[-1] == "cycle":
            words += ["--bank-rows", "64"]
        words += ["--chunk", "1KiB"]
    if place == "network":
        kind = "all-reduce"
        words += ["--algorithm", "in-network"]
    return ["collective", kind, "--topology", topology, *words], sizes


def run(acesim, words):
    try:
        return subprocess.run([acesim, *words, "--format", "json", "--quiet"], capture_output=True, text=True,
                              timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None


@functools.lru_cache(maxsize=None)
def alone(acesim, text):
    """Cycles of a run without faults."""
    done = run(acesim, text.split() + ["--rung", "cycle"])
    return json.loads(done.stdout)["cycles"] if done and done.returncode == 0 else 3000


def one(acesim, place, number, seed):
    """(bits given, hit, "right" | "told" | a failure)."""
    rng = random.Random(f"{place} {seed} {number}")
    words, sizes = arguments(place, rng)
    # No rung, seed or value changes what a run takes.
    cycles = alone(acesim, " ".join(word for i, word in enumerate(words)
                                    if not {"--rung", "--seed"} & set(words[max(0, i - 1):i + 1])))
    given = A_RUN[place]
    chosen = {}     # one of a node and cycle
    while len(chosen) < given:
        fault = faults(place, rng, sizes, cycles)
        chosen[re.sub(r"scratchpad:(\d+)\..*@(\d+)$", r"\1 \2", fault)] = fault
    words += ["--faults", ",".join(chosen.values())]
    done = run(acesim, words)
    command = "acesim " + shlex.join(words)
    if done is None:
        return given, 0, f"no end within {LIMIT} s: {command}"
    said = done.stderr.strip()
    if place == "link" and done.returncode != 0:
        return given, given, f"not repaired: status {done.returncode}: {said[-200:]}: {command}"
    if done.returncode == 1 and ("could not be corrected" in said or "has failed" in said):
        return given, given, "told"
    if done.returncode != 0:
        return given, 0, f"status {done.returncode}: {said[-200:]}: {command}"
    result = json.loads(done.stdout)
    if result["checks"]["payload"] != "passed":
        return given, 0, f"wrong values and no word: {command}"
    hit = sum(value for key, value in result["statistics"].items()
              if key.endswith(".bad") or key == "scratchpad.corrected")
    hit += sum(result.get("hub_faults", {}).get(key, 0) for key in ("bad",))
    return given, hit, "right"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--faults", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("places", nargs="*")
    asked = parser.parse_intermixed_args()
    acesim = os.path.realpath(asked.acesim)
    places = asked.places or list(A_RUN)
    failed = total = 0
    print(f"{'place':12}{'given':>10}{'hit':>10}{'runs':>8}{'right':>8}{'told':>8}{'failed':>8}")
    for place in places:
        given = hit = 0
        ends = {"right": 0, "told": 0, "failed": 0}
        share = asked.faults // len(places)
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            runs = [pool.submit(one, acesim, place, n, asked.seed) for n in range(max(1, share // A_RUN[place]))]
            for future in concurrent.futures.as_completed(runs):
                a, b, end = future.result()
                given, hit = given + a, hit + b
                if end not in ends:
                    print("FAIL " + end, flush=True)
                ends[end if end in ends else "failed"] += 1
        failed += ends["failed"] + (hit == 0)
        total += given
        print(f"{place:12}{given:10}{hit:10}{len(runs):8}{ends['right']:8}{ends['told']:8}{ends['failed']:8}", flush=True)
    print(f"hardware, seed {asked.seed}: {total} wrong bits, {failed} failures")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

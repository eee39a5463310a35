#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random runs, each by two ways that must agree.

  tests/campaign/soak.py ACESIM [--seconds N | --cases N] [--seed S] [--jobs N] [--log FILE]
  tests/campaign/soak.py ACESIM --seed S --case N           one case again, shrunk where it fails

A case is a collective, or training iterations, of random cluster, kind, type, sizes at boundaries,
chunk, faults, speeds and order.  It is run as plainly as can be: C twins, every node, every cycle,
one thread.  Then again by a few of the short cuts and other ways: folded, fast-forwarded, more threads,
RTL or mixed rungs, carrying its values and checking them, stopped at a checkpoint and resumed.  All must
print the same result, but for the lines that say how it was asked; and no result may be faster than the
bound it states.  A refusal (status 2) is one where all ways refuse.

What fails is made smaller as long as it still fails, and printed as two commands.
The last line says how many cases agreed, how many were refused, how many failed.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 120         # seconds of a processor that a run may take before it counts as one that hangs
PATIENCE = 1800     # seconds that it may wait for one
RTL_CYCLES = {"small": 40000, "large": 300000}  # of all its RTL nodes that a run may take

# What says how the run was asked for, or what it cost to find out, and not what it found.
IDENTITY = {"command", "config_digest", "rung", "node_rungs", "seed", "payload", "nodes_simulated", "folding", "fast_forward"}


def extent(seed):
    """Nine of ten cases are small, so that there are many of them in an hour."""
    return "large" if random.Random(f"extent {seed}").random() < 0.1 else "small"


def boundary_size(rng, large):
    """Bytes of a vector: about powers of two, rows and words, or anywhere."""
    base = rng.choice([1, 4, 256, 4096, 65536, 262144, 1 << 20][:None if large else 5])
    size = base * rng.randint(1, 4) + rng.choice([-4, -1, 0, 0, 0, 1, 4, 255, 256])
    return max(1, min(size, 2 << 20 if large else 100000))


def random_topology(rng):
    """A topology of 2 to 32 nodes, and its number of dimensions."""
    if rng.random() < 0.6:
        while True:
            sizes = [rng.choice([1, 2, 2, 3, 4, 5]) for _ in range(rng.choice([1, 2, 3, 3, 3, 4]))]
            nodes = 1
            for size in sizes:
                nodes *= size
            if 2 <= nodes <= 32:
                return "x".join(map(str, sizes)), len(sizes)
    while True:
        blocks = [(rng.choice(["Ring", "Switch", "FullyConnected"]), rng.choice([2, 3, 4]))
                  for _ in range(rng.choice([1, 2, 2, 3]))]
        nodes = 1
        for _, size in blocks:
            nodes *= size
        if nodes <= 32:
            return "_".join(f"{name}({size})" for name, size in blocks), len(blocks)


def random_case(rng, large):
    """Arguments of acesim as a list of words groups: the first is the command, the others can be left out."""
    kind = rng.choice(["all-reduce"] * 4 + ["reduce-scatter", "all-gather", "all-to-all", "all-to-all-v", "broadcast",
                                            "reduce", "gather", "scatter", "send-receive", "barrier"])
    topology, dimensions = random_topology(rng)
    case = [["collective", kind], ["--topology", topology]]
    if kind != "barrier":
        case.append(["--size", str(boundary_size(rng, large))])
        if rng.random() < 0.5:
            case.append(["--type", rng.choice(["fp32", "fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "int8", "int32"])])
        if kind in ("all-reduce", "reduce-scatter", "reduce") and rng.random() < 0.4:
            case.append(["--op", rng.choice(["sum", "avg", "min", "max", "prod"])])
        if kind in ("all-reduce", "reduce-scatter", "all-gather") and rng.random() < 0.3:
            order = list("xyzw"[:dimensions])
            rng.shuffle(order)
            case.append(["--dims", ",".join(order[:rng.randint(1, dimensions)])])
    if kind == "all-to-all-v":
        case.append(["--skew", rng.choice(["0", "0.01", "0.5", "1"])])
        case.append(["--seed", str(rng.randint(1, 99))])
    small = rng.random() < 0.2      # a scratchpad that holds few chunks
    if small:
        case.append(["--bank-rows", str(rng.choice([512, 864, 1024]))])
        case.append(["--chunk", str(rng.choice([256, 1024, 4096, 5000]))])
    elif rng.random() < 0.4:
        case.append(["--chunk", str(rng.choice([256, 1024, 4096, 5000, 16384, 65536, 262144]))])
    if rng.random() < 0.3:
        case.append(["--link-bandwidth", rng.choice(["25GB/s", "200GB/s", "1GB/s", "317GB/s"])])
    if rng.random() < 0.3:
        case.append(["--link-latency", str(rng.choice([1, 2, 50, 777]))])
    if rng.random() < 0.2:
        case.append(["--link-efficiency", rng.choice(["1", "0.999", "0.31"])])
    if rng.random() < 0.3:
        case.append(["--memory-bandwidth", rng.choice(["128GB/s", "33GB/s", "256GB/s", "318GB/s"])])
    if rng.random() < 0.2:
        case.append(["--memory-latency", str(rng.choice([2, 3, 1000]))])
    if rng.random() < 0.15:
        case.append(["--control", "registers"])
    if rng.random() < 0.2:
        case.append(["--order", rng.choice(["lifo", "fifo"])])
    if rng.random() < 0.15:
        case.append(["--speed", f"{rng.choice(['0.5', '0.9', '0.123'])}:{rng.choice([0, 1])}"])
    if kind.startswith("all") and rng.random() < 0.2:
        case.append(["--endpoint", rng.choice(["ideal", "comm-opt", "comp-opt"])])
    elif rng.random() < 0.2:
        case.append(["--faults", rng.choice(["link:1e-3:", "link:0.02:", "link:0:", "scratchpad:1e-4:"]) +
                     str(rng.randint(1, 99))])
    return case


def words(case):
    return [word for group in case for word in group]


def valued(case, group):
    return any(g[:1] == [group] for g in case)


PLAIN = [["--fold", "off"], ["--fast-forward", "off"]]


def ways(case, cycles, nodes, most, rng):
    """The other ways of a case, each with its name: arguments to add to the command alone.

    RTL is slow: all nodes where that is short (most cycles of all together), else the first among twins, and
    none of a long run.
    """
    other = [("folded and fast-forwarded", [])]
    other.append((f"{(n := rng.choice([2, 3]))} threads", ["--fold", "off", "--threads", str(n)]))
    software = valued(case, "--endpoint")
    if not software and cycles <= most:
        # Most of a short run with RTL goes into making its nodes.
        rung = rng.choice(["rtl", "cycle:0;rtl:rest", *["rtl:0;cycle:rest"] * 4])
        if cycles * nodes > most:
            rung = "rtl:0;cycle:rest"
        other.append((f"rung {rung}", ["--rung", rung, "--fast-forward", rng.choice(["auto", "off"])]))
    other.append(("with its values, checked", ["--payload", "random", "--check"]))
    other.append(("resumed", ["--fold", rng.choice(["off", "auto"])]))
    return other


def limited():
    """In the new process.  Not by the clock on the wall: others may have the processors."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


class Runner:
    def __init__(self, acesim, folder):
        self.acesim = acesim
        self.folder = folder
        self.runs = 0

    def run(self, arguments, checkpoint=None):
        """(status, result without identity, last line of the errors)."""
        self.runs += 1
        command = [self.acesim, *arguments, "--format", "json", "--quiet"] + (checkpoint or [])
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False,
                                  preexec_fn=limited, start_new_session=True)   # an interrupt is for the soak alone
        except subprocess.TimeoutExpired:
            return ("hangs", None, f"no end within {PATIENCE} s")
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return ("hangs", None, f"no end within {LIMIT} s of a processor")
        said = done.stderr.strip().splitlines()
        if done.returncode != 0:
            return (done.returncode, None, said[-1] if said else "")
        try:
            return (0, json.loads(done.stdout), "")
        except ValueError as error:
            return ("no result", None, str(error))

    def resumed(self, arguments, cycles, rng):
        """A run that leaves its last checkpoint, and one that goes on from there."""
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".state") as state:
            os.unlink(state.name)
            try:
                every = rng.randint(1, max(2, cycles))
                first = self.run(arguments, ["--checkpoint", state.name, "--checkpoint-every", str(every)])
                if first[0] != 0 or not os.path.exists(state.name):
                    return first
                return self.run(arguments, ["--resume", state.name])
            finally:
                open(state.name, "a").close()


def found(result):
    """A result without what says how it was asked for."""
    if isinstance(result, dict):
        return {key: found(value) for key, value in result.items() if key not in IDENTITY}
    if isinstance(result, list):
        return [found(value) for value in result]
    return result


def first_difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if a.get(key) != b.get(key):
                return first_difference(a.get(key), b.get(key), f"{path}.{key}")
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return first_difference(x, y, f"{path}[{i}]")
    return f"{path.lstrip('.')}: {json.dumps(a)[:80]} and {json.dumps(b)[:80]}"


def judge(runner, case, seed):
    """("agrees" | "refused" | "failed", the two commands and why)."""
    rng = random.Random(f"ways {seed}")
    plain_words = words(case) + words(PLAIN)
    plain = runner.run(plain_words)
    if plain[0] not in (0, 1, 2):
        return "failed", (plain_words, plain_words, f"status {plain[0]}: {plain[2]}")
    if plain[0] == 0:
        share = plain[1].get("fraction_of_ideal", 0)
        if share > 1:
            return "failed", (plain_words, plain_words, f"{share} of the bandwidth that there is")
    cycles, nodes = (plain[1]["cycles"], plain[1]["nodes"]) if plain[0] == 0 else (0, 1)
    for name, more in ways(case, cycles, nodes, RTL_CYCLES[extent(seed)], rng):
        asked = words(case) + more
        if name == "resumed":
            other = runner.resumed(asked, cycles, rng) if plain[0] == 0 else plain
        else:
            other = runner.run(asked)
        if other[0] == 2 and plain[0] == 0:
            continue            # this way is not for that case, and says so
        if other[0] != plain[0]:
            return "failed", (plain_words, asked, f"{name}: status {plain[0]} and {other[0]}: {plain[2] or other[2]}")
        if plain[0] == 0:
            a, b = found(plain[1]), found(other[1])
            if a != b:
                return "failed", (plain_words, asked, f"{name}: {first_difference(a, b)}")
    return ("agrees" if plain[0] == 0 else "ended alike" if plain[0] == 1 else "refused"), plain[2]


def smaller(case):
    """Cases that are a little simpler."""
    for i in range(len(case) - 1, 1, -1):
        if case[i][0] != "--size":
            yield case[:i] + case[i + 1:]
    for i, group in enumerate(case):
        if group[0] == "--size" and int(group[1]) > 1:
            for size in (int(group[1]) // 2, int(group[1]) // 256 * 256, int(group[1]) - 1):
                if 0 < size < int(group[1]):
                    yield case[:i] + [["--size", str(size)]] + case[i + 1:]
        if group[0] == "--topology":
            sizes = re.findall(r"\d+", group[1])
            for k, size in enumerate(sizes):
                if int(size) > 2:
                    parts = re.split(r"(\d+)", group[1])
                    parts[2 * k + 1] = str(int(size) - 1)
                    yield case[:i] + [["--topology", "".join(parts)]] + case[i + 1:]


def shrink(runner, case, seed, why):
    """The smallest case found within a minute that still fails."""
    until = time.monotonic() + 60
    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for candidate in smaller(case):
            verdict, failure = judge(runner, candidate, seed)
            if verdict == "failed":
                case, why, progress = candidate, failure, True
                break
            if time.monotonic() >= until:
                break
    return case, why


def one(runner, seed, number):
    name = f"{seed}:{number}"
    case = random_case(random.Random(name), extent(name) == "large")
    verdict, why = judge(runner, case, name)
    if verdict == "failed":
        case, why = shrink(runner, case, name, why)
    return number, verdict, why


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--failures", type=int, default=10, help="ends after so many")
    parser.add_argument("--refusals", action="store_true", help="prints why cases are refused")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_intermixed_args()
    counts = {"agrees": 0, "ended alike": 0, "refused": 0, "failed": 0}
    began = time.monotonic()
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))     # what is under way is still counted
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(asked.acesim, folder)
        numbers = iter([asked.case] if asked.case is not None else range(asked.cases or sys.maxsize))
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            waiting = set()
            while True:
                late = stopped or counts["failed"] >= asked.failures or (
                    asked.seconds and time.monotonic() - began >= asked.seconds)
                while not late and len(waiting) < asked.jobs and (n := next(numbers, None)) is not None:
                    waiting.add(pool.submit(one, runner, asked.seed, n))
                if not waiting:
                    break
                done, waiting = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
                for future in done:
                    number, verdict, why = future.result()
                    counts[verdict] += 1
                    if verdict == "refused" and asked.refusals:
                        print(f"refused case {number}: {why}")
                    if verdict == "failed":
                        print(f"FAIL case {number}: {why[2]}")
                        for command in why[:2]:
                            print("  acesim " + shlex.join(command), flush=True)
    print(f"soak, seed {asked.seed}: {counts['agrees']} agree, {counts['ended alike']} end with the same error, "
          f"{counts['refused']} refused, {counts['failed']} failed; {runner.runs} runs")
    return counts["failed"] != 0 or counts["agrees"] == 0


if __name__ == "__main__":
    sys.exit(main())

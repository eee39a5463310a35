#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random runs, each by two ways that must agree.

  tests/campaign/soak.py ACESIM [--seconds N | --cases N] [--seed S] [--jobs N]
  tests/campaign/soak.py ACESIM --seed S --case N           one case again, shrunk where it fails

A case (soak_cases.py) is a collective, training iterations, or graphs of NPUs with groups and messages, of random
cluster, algorithm, kind, type, sizes at boundaries, chunk, faults, speeds and order.  It is run as plainly as can
be: C twins, every node, every cycle, one thread.  Then again by three of the short cuts and other ways:
folded and fast-forwarded, on more threads, on RTL or mixed rungs, carrying its values and checking them, stopped at
a checkpoint and resumed.  All must print the same result, but for the lines that say how it was asked; and no result
may be faster than the bound it states.  A refusal (status 2) is one where all ways refuse.  One case of forty is
of the calibrated node: nine of ten exact results must lie in the interval that it gives.

What fails is made smaller as long as it still fails, and printed as two commands.
The last line says how many cases agreed, how many were refused, how many failed.
"""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

from soak_cases import CALIBRATED, File, Traces, calibrated, extent, random_case, valued

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../program/workload/chakra"))
import random_graphs    # noqa: E402, from the folder just named

LIMIT = 120         # seconds of a processor that a run may take before it counts as one that hangs
PATIENCE = 1800     # seconds that it may wait for one
RTL_CYCLES = {"small": 40000, "middle": 120000, "large": 300000}  # of all its RTL nodes that a run may take
WAYS = 3            # of a case, beside the plain one
EVERY = 40          # cases, of which the last is one of the calibrated node

# Members that describe how the run was requested, or its cost, and not its result.
IDENTITY = {"command", "config_digest", "rung", "node_rungs", "seed", "payload", "nodes_simulated", "folding", "fast_forward"}
PLAIN = [["--fold", "off"], ["--fast-forward", "off"]]


def words(case):
    return [word for group in case for word in group]


def ways(case, cycles, nodes, most, rng):
    """Other ways of a case, each with its name: arguments to add to the command alone.

    RTL is slow: all nodes where that is short (most cycles of all together), else the first among twins, and
    none of a long run.  Which are taken depends on the seed alone, so that a smaller case has the same.
    """
    weights = {"folded": 2, "threads": 1, "rung": 3, "values": 1, "resumed": 1}
    keys = {name: rng.random() ** (1 / weight) for name, weight in weights.items()}
    threads, fold, forward = rng.choice([2, 3]), rng.choice(["off", "auto"]), rng.choice(["auto", "off"])
    # Most of a short run with RTL goes into making its nodes.
    rung = rng.choice(["rtl", "cycle:0;rtl:rest", *["rtl:0;cycle:rest"] * 4])
    if cycles * nodes > most:
        rung = "rtl:0;cycle:rest"
    # RTL is built with one size of the scratchpad, and of the links' buffers, which follow from long links.
    long = case[0][0] == "astra" or any(valued(case, o) for o in ("--link-bandwidth", "--link-latency", "--links"))
    hardware = not (valued(case, "--endpoint") or valued(case, "--bank-rows") or
                    (long and not valued(case, "--link-rows")))
    can = {"folded": ("folded and fast-forwarded", []),
           "threads": (f"{threads} threads", ["--fold", "off", "--threads", str(threads)]),
           "resumed": ("resumed", ["--fold", fold])}
    if hardware and cycles <= most:
        can["rung"] = (f"rung {rung}", ["--rung", rung, "--fast-forward", forward])
    if case[0][0] == "collective":
        can["values"] = ("with its values, checked", ["--payload", "random", "--check"])
    return [can[name] for name in sorted(can, key=lambda name: -keys[name])[:WAYS]]


def said(word):
    """A word as a shell takes it; of traces the program that makes them."""
    if isinstance(word, File):
        return f"<(echo {shlex.quote(word.rstrip())})"
    if isinstance(word, Traces):
        return f"$(tests/campaign/soak.py --traces {word})"
    return shlex.quote(word)


def trace_words(seed, folder):
    """Arguments of acesim astra, for traces that are left in the folder."""
    at = os.path.join(folder, f"traces-{seed}")
    if not os.path.exists(at):
        making = tempfile.mkdtemp(dir=folder)
        random_graphs.make(int(seed), making)
        for name, text in (("sys.json", '{ "scheduling-policy": "FIFO" }'),
                           ("mem.json", '{ "memory-type": "NO_MEMORY_EXPANSION" }')):
            with open(os.path.join(making, name), "w") as file:
                file.write(text)
        os.rename(making, at)
    return ["--workload-configuration", f"{at}/t", "--system-configuration", f"{at}/sys.json",
            "--network-configuration", f"{at}/net.yml", "--remote-memory-configuration", f"{at}/mem.json",
            "--comm-group-configuration", f"{at}/groups.json"]


def limited():
    """In the new process.  Not by the clock on the wall: others may have the processors."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


class Runner:
    def __init__(self, acesim, folder):
        self.acesim = acesim
        self.folder = folder
        self.runs = 0
        self.calibrating = threading.Lock()

    def path(self, text):
        """Of a file with this text."""
        at = os.path.join(self.folder, hashlib.sha256(text.encode()).hexdigest()[:16])
        if not os.path.exists(at):
            with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False) as file:
                file.write(text)
            os.rename(file.name, at)
        return at

    def calibration(self, cluster):
        """The file of a cluster's calibration, made when it is first asked for."""
        at = os.path.join(self.folder, f"calibrated-{cluster}")
        with self.calibrating:
            if not os.path.exists(at):
                subprocess.run([self.acesim, "calibrate", self.path(CALIBRATED[cluster]), "--output", at, "--quick",
                                "--points", "96", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return at

    def run(self, arguments, checkpoint=None):
        """(status, result without identity, last line of the errors)."""
        self.runs += 1
        command = [self.acesim]
        for word in arguments:
            command += [self.path(word)] if isinstance(word, File) else \
                trace_words(word, self.folder) if isinstance(word, Traces) else [word]
        command += ["--quiet", *(checkpoint or []), *(["--format", "json"] if arguments[0] != "astra" else [])]
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
        if arguments[0] == "astra":
            ends = [int(end) for end in re.findall(r"finished, (\d+) cycles", done.stdout)]
            return (0, {"cycles": max(ends), "nodes": len(ends), "lines": done.stdout}, "") if ends else \
                ("no result", None, done.stdout[:80])
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


def judge_calibrated(runner, case):
    """("inside" | "outside" | "failed", the two commands and why): the exact cycles and the calibrated interval."""
    exact = runner.run(words(case))
    asked = words(case) + ["--rung", "calibrated", "--calibration", runner.calibration(case[0][3]), "--interval"]
    form = runner.run(asked)
    if exact[0] != 0 or form[0] != 0:
        return "failed", (words(case), asked, f"status {exact[0]} and {form[0]}: {exact[2] or form[2]}")
    interval = form[1]["interval"]
    return ("inside" if interval["low_cycles"] <= exact[1]["cycles"] <= interval["high_cycles"] else "outside"), ""


def one(runner, seed, number):
    name = f"{seed}:{number}"
    if number % EVERY == EVERY - 1:
        return (number, *judge_calibrated(runner, calibrated(random.Random(name))))
    case = random_case(name)
    verdict, why = judge(runner, case, name)
    if verdict == "failed":
        case, why = shrink(runner, case, name, why)
    return number, verdict, why


def tail(inside, of, share):
    """How likely no more than so many are inside, where each is with this probability."""
    return sum(math.comb(of, n) * share ** n * (1 - share) ** (of - n) for n in range(inside + 1))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim", nargs="?")
    parser.add_argument("--traces", help="of this seed are made in build/, for a command that was printed")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--failures", type=int, default=10, help="ends after so many")
    parser.add_argument("--refusals", action="store_true", help="prints why cases are refused")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_intermixed_args()
    if asked.traces:
        os.makedirs("build", exist_ok=True)
        print(*trace_words(asked.traces, "build"))
        return 0
    counts = dict.fromkeys(["agrees", "ended alike", "refused", "failed", "inside", "outside"], 0)
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
                            print("  acesim " + " ".join(map(said, command)), flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    forms = counts["inside"] + counts["outside"]
    print(f"soak, seed {asked.seed}: {counts['agrees']} agree, {counts['ended alike']} end with the same error, "
          f"{counts['refused']} refused, {counts['failed']} failed; {runner.runs} runs, "
          f"{used.ru_utime + used.ru_stime:.0f} s of a processor; calibrated {counts['inside']} of {forms} in the interval")
    missed = tail(counts["inside"], forms, 0.9) < 1e-3
    if missed:
        print("FAIL: fewer results of the calibrated node lie in their interval than the nine of ten that it is of")
    return counts["failed"] != 0 or missed or counts["agrees"] == 0


if __name__ == "__main__":
    sys.exit(main())

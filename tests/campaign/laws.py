#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Laws that every answer keeps, on random runs.

  tests/campaign/laws.py ACESIM [--cases N] [--seed S] [--law NAME]

A case is a collective or an iteration of soak_cases.py, and one law:

  surroundings  The bytes of the answer do not depend on folder, locale, time zone, home, user name, or on whether
                standard output is a terminal.
  keys          The answer does not depend on the order of the keys in a cluster file.
  jobs          A sweep prints the same bytes with one job and with three.
  table         Each number of the printed table stands in the JSON of the same run, in its unit, as per cent, or as
                cycles of a time.  Left out are the verdict, which acesim explain makes of the result, and the
                cost of faults, for which the table alone runs twice.
  read          report, explain and diff read each result; diff finds no difference from the result itself.
  advice        The program accepts what an answer advises.  A run with a change that explain lists takes the cycles
                that explain prints, and a change that explain advises takes fewer than before.

The last line counts cases and failures.  A failed case is printed with its command.
"""
import argparse
import itertools
import json
import os
import pty
import random
import re
import shlex
import subprocess
import sys
import tempfile

import soak
from soak_cases import collective, iterations

LIMIT = 300  # seconds of one run
COMMAS = r"\d{1,3}(?:,\d{3})+|\d+"


class Failed(Exception):
    """A law does not hold; the text says how."""


class Case:
    """One command of acesim, with its files in a folder."""

    def __init__(self, acesim, folder, groups):
        runner = soak.Runner(acesim, folder)
        self.folder = folder
        self.words = [acesim] + [runner.path(w) if isinstance(w, soak.File) else w for w in soak.words(groups)] + ["--quiet"]

    def run(self, *more, words=None, accepted=(0,), **how):
        words = [*(words or self.words), *more]
        done = subprocess.run(words, capture_output=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL, **how)
        if done.returncode not in accepted:
            raise Failed(f"{shlex.join(words)} ends with {done.returncode}: {done.stderr.decode()[-300:]}")
        return done.stdout

    def refused(self):
        """Cases that the program refuses, or whose values are wrong because of a planted fault, have no answer."""
        return subprocess.run(self.words, capture_output=True, timeout=LIMIT, check=False).returncode != 0

    def json(self, *more):
        return json.loads(self.run("--format", "json", *more))

    def kept(self, name="result.json"):
        at = os.path.join(self.folder, name)
        with open(at, "wb") as file:
            file.write(self.run("--format", "json"))
        return at


def on_a_terminal(words):
    """What a command prints on a terminal, with the terminal's line ends undone."""
    reader, writer = pty.openpty()
    with subprocess.Popen(words, stdout=writer, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as running:
        os.close(writer)
        said = b""
        while True:
            try:
                part = os.read(reader, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        running.wait()
    os.close(reader)
    return said.replace(b"\r\n", b"\n")


def surroundings(case, rng):
    form = rng.choice([[], ["--all"], ["--format", "json"]])
    plain = case.run(*form)
    elsewhere = os.path.join(case.folder, "a folder with blanks, ü")
    os.makedirs(elsewhere, exist_ok=True)
    others = {"PATH": os.environ["PATH"], "LC_ALL": rng.choice(["tr_TR.UTF-8", "de_DE.UTF-8", "C.UTF-8", "none"]),
              "TZ": "Asia/Kathmandu", "USER": "somebody", "COLUMNS": "20", "TERM": "dumb", "NO_COLOR": "1"}
    if case.run(*form, cwd=elsewhere, env=others) != plain:
        raise Failed(f"another folder and environment {others} change the answer")
    if on_a_terminal([*case.words, *form]) != plain:
        raise Failed("the answer on a terminal differs from the answer in a pipe")


def cluster_text(rng, order):
    """A cluster file whose keys stand in an order, and whose values come from rng."""
    keys = {
        "topology": rng.choice(["4x2", "2x2x2", "Switch(4)", "Ring(3)_Switch(2)"]),
        "endpoint": rng.choice(["ace", "ideal", "comp-opt"]),
        "clock": "1245 MHz",
        "memory": f"{{bandwidth: {rng.choice([64, 128, 200])} GB/s, latency: {rng.choice([100, 250])}}}",
        "chunk": rng.choice(["16 KiB", "64 KiB"]),
    }
    return "".join(f"{key}: {keys[key]}\n" for key in order(list(keys)))


def keys_in_any_order(case, rng):
    seed = rng.random()
    answers = []
    for turn in range(2):
        order = (lambda names: names) if turn == 0 else (lambda names: rng.sample(names, len(names)))
        at = os.path.join(case.folder, "cluster.yaml")
        with open(at, "w", encoding="utf-8") as file:
            file.write(cluster_text(random.Random(seed), order))
        answers.append(case.run(words=[case.words[0], "collective", "all-reduce", "--cluster", at, "--size", "96KiB",
                                       "--format", "json", "--quiet"]))
    if answers[0] != answers[1]:
        raise Failed("the order of keys in a cluster file changes the answer")


def jobs(case, rng):
    at = os.path.join(case.folder, "sweep.yaml")
    with open(at, "w", encoding="utf-8") as file:
        file.write(f"name: jobs\ncommand: [collective all-reduce, collective {rng.choice(['all-to-all', 'all-gather'])}]\n"
                   f"options:\n  chunk: {rng.choice(['4KiB', '16KiB'])}\n"
                   f"grid:\n  topology: [4x2, Switch(4)]\n  size: [4KiB, {rng.randint(5, 60)}KiB]\n")
    many = [case.run(words=[case.words[0], "sweep", at, "--jobs", n, "--quiet", "--format", "csv",
                            "--database", os.path.join(case.folder, f"points-{n}")]) for n in ("1", "3")]
    if many[0] != many[1]:
        raise Failed("a sweep with three jobs prints other bytes than with one")


def numbers(value):
    if isinstance(value, dict):
        found = list(itertools.chain.from_iterable(map(numbers, value.values())))
        if value.get("cycles") and "exposed_communication_cycles" in value:  # the table has the share
            found.append(value["exposed_communication_cycles"] / value["cycles"])
        return found
    if isinstance(value, list):
        return list(itertools.chain.from_iterable(map(numbers, value)))
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, str):
        return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", value)]
    return [float(value)]


def table(case, _):
    """Numbers of fewer than three digits are found in any JSON, so they are not looked for."""
    said = case.run("--all").decode()
    said = re.sub(r"^(bound by|to try|faults) .*(\n +\S.*)*", "", said, flags=re.M)
    root = case.json()
    result = numbers(root)
    result += [n * factor for n in result for factor in (100, 1e-3, 1e3, 1 / 1024, 1 / 1048576, 1 / root["clock_MHz"])]
    result += [n / len(root.get("iterations", [1])) for n in result]  # means
    for token in re.findall(rf"(?<![\w.:-])(?:{COMMAS})(?:\.\d+)?(?![\w.:-])", said):
        plain = token.replace(",", "")
        decimals = len(plain.partition(".")[2])
        if len(plain.replace(".", "").lstrip("0")) >= 3 and not any(
            abs(n - float(plain)) <= 0.5000001 * 10.0**-decimals for n in result
        ):
            line = next(l for l in said.splitlines() if token in l)
            raise Failed(f"the table says {token} ({line.strip()}), which is not in the JSON")


def read_back(case, _):
    kept = case.kept()
    acesim = case.words[0]
    if not case.run(words=[acesim, "report", kept, "--output", os.path.join(case.folder, "page.html"), "--quiet"]) and \
            not os.path.getsize(os.path.join(case.folder, "page.html")):
        raise Failed("the report is empty")
    if not case.run(words=[acesim, "explain", kept, "--quiet"]):
        raise Failed("explain says nothing")
    case.run(words=[acesim, "diff", kept, kept, "--quiet"])


def advice(case, _):
    before = case.json()["cycles"]
    tried = re.search(rb"^to try +(--\S+)", case.run(), re.M)
    if tried:  # nobody has run it yet, but the program accepts it
        case.run("--format", "json", tried[1].decode())
    said = case.run(words=[case.words[0], "explain", case.kept(), "--quiet"]).decode()
    rows = re.findall(r"^  (--\S+) +(\d+) cycles instead of (\d+)", said, re.M)
    best = re.search(r"^more than that helps (--\S+)", said, re.M)
    for option, after, of in [row for row in rows if not best or row[0] == best[1]][:2]:
        found = case.json(option)["cycles"]
        if (found, before) != (int(after), int(of)):
            raise Failed(f"explain says {after} of {of} cycles with {option}, and a run takes {found} of {before}")
        if best and found >= before:
            raise Failed(f"{option} was advised and takes {found} cycles instead of {before}")


LAWS = {"surroundings": surroundings, "keys": keys_in_any_order, "jobs": jobs, "table": table, "read": read_back,
        "advice": advice}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--law", choices=LAWS)
    parser.add_argument("--case", type=int, help="this one alone")
    asked = parser.parse_args()
    names = [asked.law] if asked.law else list(LAWS)
    counts = {"kept": 0, "refused": 0, "failed": 0}
    for number in range(asked.cases) if asked.case is None else [asked.case]:
        name = names[number % len(names)]
        rng = random.Random(f"laws {asked.seed} {number}")
        with tempfile.TemporaryDirectory() as folder:
            groups = iterations(rng, "small") if rng.random() < 0.2 else collective(rng, "small")
            case = Case(os.path.realpath(asked.acesim), folder, groups)
            try:
                if case.refused():
                    counts["refused"] += 1
                    continue
                LAWS[name](case, rng)
                counts["kept"] += 1
            except (Failed, subprocess.TimeoutExpired, KeyError, ValueError) as why:
                counts["failed"] += 1
                print(f"FAIL case {number}, {name}: {why}\n  acesim " + " ".join(map(soak.said, soak.words(groups))), flush=True)
    print(f"laws, seed {asked.seed}: {counts['kept']} kept, {counts['refused']} refused, {counts['failed']} failed")
    return counts["failed"] != 0 or counts["kept"] == 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that is given no memory says so, once for each request it makes.

  tests/campaign/memory.py ACESIM [--most N] [--seed S] [NAME...]

What is preloaded, fail_allocation.c, is built beside ACESIM, in tests/.  Each command below is run once as it is, then again for each
request for memory it makes, the first, the second and so on, with that one refused (of more than N [300] requests, N
drawn at random).  It must end with an exit status of its own other than 0 and a message, not by a signal, nor hang;
or, where it can do without, with the bytes it gives with all its memory.

The last line says how many requests were refused and how many of those ended badly.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

COMMANDS = {
    "collective": "collective all-reduce --topology 2x2 --size 4KiB --payload random --check --fold off",
    "folded": "collective all-reduce --topology 4x2x2 --size 64KiB --format json",
    "rtl": "collective all-reduce --topology 2x1x1 --size 1KiB --rung rtl",
    "list": "collective all-to-all-v --topology 2x2 --size 5000 --control registers",
    "faults": "collective all-reduce --topology 2x2 --size 4KiB --faults link:0.01:3,scratchpad:1e-4:5",
    "software": "collective all-reduce --topology 2x2 --size 4KiB --endpoint comm-opt",
    "output": "collective all-reduce --topology 2x2 --size 4KiB --output {work}/kept --samples 16 --report {work}/page",
    "record": "collective all-reduce --topology 2x2 --size 4KiB --record {work}/pins",
    "checkpoint": "collective all-reduce --topology 2x2 --size 64KiB --checkpoint {work}/state --checkpoint-every 900",
    "compare": "collective all-reduce --topology 2x2 --size 4KiB --compare ace,ideal",
    "run": "run workloads/clusters/torus-4x2x2.yaml workloads/astra-sim/Resnet50_DataParallel.txt --endpoint ideal "
           "--iterations 1",
    "astra": "astra --workload-configuration workloads/astra-sim-2/all_reduce "
             "--system-configuration workloads/astra-sim-2/Ring_4chunks.json "
             "--network-configuration workloads/astra-sim-2/Ring_4npus.yml "
             "--remote-memory-configuration workloads/astra-sim-2/no_memory_expansion.json --endpoint ideal",
    "pipeline": "pipeline 1f1b --stages 4 --micro-batches 8",
    "schema": "schema cluster",
}


def place(acesim, work):
    """The function that asked in vain, where the program came to its end."""
    try:
        at = open(work + "/place").read().strip()
        said = subprocess.run(["addr2line", "-f", "-e", acesim, at], capture_output=True, text=True, check=False)
        return "of " + said.stdout.splitlines()[0]
    except (OSError, IndexError):
        return "place not known"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("acesim")
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_intermixed_args()
    acesim = os.path.realpath(asked.acesim)
    library = os.path.join(os.path.dirname(acesim), "tests", "libfail_allocation.so")
    if not os.path.exists(library):
        sys.exit(f"memory.py: found no {library}, expected it built: the target fail_allocation")
    rng = random.Random(asked.seed)
    refused = failed = 0
    for name in asked.names or COMMANDS:
        with tempfile.TemporaryDirectory() as work:
            command = [acesim, *COMMANDS[name].format(work=work).split()]

            def run(**more):
                return subprocess.run(command, capture_output=True, timeout=120, check=False,
                                      env={**os.environ, "LD_PRELOAD": library, **more})

            plain = run(FAIL_COUNT=work + "/count")
            if plain.returncode:
                print(f"FAIL {name}: with all its memory it ends with {plain.returncode}: {plain.stderr.decode()[-300:]}")
                failed += 1
                continue
            requests = int(open(work + "/count").read())
            chosen = range(1, requests + 1)
            if requests > asked.most:
                chosen = sorted(rng.sample(chosen, asked.most))
            bad = 0
            for at in chosen:
                try:
                    done = run(FAIL_AT=str(at), FAIL_COUNT=work + "/place")
                    why = (f"signal {-done.returncode}" if done.returncode < 0 else
                           "another answer, and status 0" if done.returncode == 0 and done.stdout != plain.stdout else
                           "no message" if done.returncode > 0 and not done.stderr.strip() else None)
                except subprocess.TimeoutExpired:
                    why = "no end"
                if why:
                    bad += 1
                    if bad <= 5:
                        print(f"FAIL {name}: request {at} refused, {place(acesim, work)}: {why}", flush=True)
            refused += len(chosen)
            failed += bad
            print(f"{name}: {requests} requests, {len(chosen)} refused in turn, {bad} ended badly", flush=True)
    print(f"memory: {refused} requests refused, {failed} ended badly")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a Chakra trace for each of 16 to 4,096 NPUs costs: acesim astra beside a built ASTRA-sim 2.x.

    tests/bench/astra_npus.py [--acesim PROGRAM] [--peer AstraSim_Analytical_Congestion_Unaware] [--npus 16,64,...]

Each NPU has a trace of its own: LAYERS times a compute of 100 us, and behind it an all-reduce of 4 MiB that the next
compute does not wait for.  The fabric is a torus of three rings, 25 GB/s and 400 ns a link.  Programs take turns,
ROUNDS times; the table has medians of processor seconds, the largest resident memory, and the last NPU's end.  Where a
program refuses or takes more than LIMIT seconds the table says so.
"""
import argparse
import importlib.util
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

LAYERS, BYTES, ROUNDS, LIMIT = 8, 4 << 20, 3, 60
TORUS = {16: (4, 2, 2), 64: (4, 4, 4), 128: (4, 8, 4), 512: (8, 8, 8), 1024: (16, 8, 8), 4096: (16, 16, 16)}

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
spec = importlib.util.spec_from_file_location("export_peer", root + "/scripts/export-peer.py")
chakra = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chakra)
field, attribute, varint = chakra.field, chakra.attribute, chakra.varint


def trace():
    meta = field(1, "0.0.4")
    out = varint(len(meta)) + meta
    for layer in range(LAYERS):
        compute, collective = 2 * layer + 1, 2 * layer + 2
        nodes = [field(1, compute) + field(2, "compute%d" % layer) + field(3, 4) +
                 (field(5, compute - 2) if layer else b"") + field(7, 100) + attribute("is_cpu_op", 27, 0) +
                 attribute("num_ops", 9, 1) + attribute("tensor_size", 9, 1),
                 field(1, collective) + field(2, "sum%d" % layer) + field(3, 7) + field(5, compute) +
                 attribute("is_cpu_op", 27, 0) + attribute("comm_type", 9, 0) + attribute("comm_size", 9, BYTES) +
                 field(10, field(1, "involved_dim") + field(28, field(1, bytes([1] * 3))))]
        for node in nodes:
            out += varint(len(node)) + node
    return out


def write(folder, npus):
    rings = list(TORUS[npus])
    for i in range(npus):
        with open("%s/w.%d.et" % (folder, i), "wb") as f:
            f.write(trace())
    with open(folder + "/network.yml", "w") as f:
        f.write("topology: [Ring, Ring, Ring]\nnpus_count: %s\nbandwidth: [25, 25, 25]\nlatency: [400, 400, 400]\n" % rings)
    with open(folder + "/system.json", "w") as f:
        f.write('{ "scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 4,\n'
                '  "preferred-dataset-splits": 16, "all-reduce-implementation": ["ring", "ring", "ring"],\n'
                '  "reduce-scatter-implementation": ["ring", "ring", "ring"],\n'
                '  "all-gather-implementation": ["ring", "ring", "ring"],\n'
                '  "all-to-all-implementation": ["direct", "direct", "direct"],\n'
                '  "collective-optimization": "localBWAware", "local-mem-bw": 1600 }\n')
    with open(folder + "/memory.json", "w") as f:
        f.write('{ "memory-type": "NO_MEMORY_EXPANSION" }\n')


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def one(command, folder):
    """Processor seconds, MiB, the last end in ns; or a word."""
    with open(folder + "/out", "w") as out:
        p = subprocess.Popen(command + ["--workload-configuration=w", "--system-configuration=system.json",
                                        "--network-configuration=network.yml", "--remote-memory-configuration=memory.json"],
                             cwd=folder, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, used = os.wait4(p.pid, 0)
    with open(folder + "/out") as f:
        said = f.read()
    if os.WIFSIGNALED(status):
        return "more than %d s" % LIMIT if used.ru_utime + used.ru_stime > LIMIT - 2 else "signal %d" % os.WTERMSIG(status)
    ends = [int(t) for t in re.findall(r"sys\[\d+\] finished, (\d+) cycles", said)]
    if os.WEXITSTATUS(status) or not ends:
        return "refused: " + said.strip().splitlines()[-1][-90:] if said.strip() else "nothing said"
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, max(ends)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--acesim", default=root + "/build/release/acesim")
    parser.add_argument("--peer")
    parser.add_argument("--npus", default="16,64,128,512,1024,4096")
    options = parser.parse_args()
    acesim = os.path.abspath(options.acesim)
    programs = {"acesim, exact": [acesim, "astra"], "acesim `--fold off`": [acesim, "astra", "--fold=off"],
                "acesim `--compat 2`": [acesim, "astra", "--compat=2"]}
    if options.peer:
        programs["ASTRA-sim 2.x"] = [os.path.abspath(options.peer)]
    print("| NPUs | program | processor s | MiB | last end, us |\n|--:|---|--:|--:|--:|")
    for npus in map(int, options.npus.split(",")):
        if npus not in TORUS:
            sys.exit("--npus: found %d, expected of %s" % (npus, sorted(TORUS)))
        with tempfile.TemporaryDirectory() as folder:
            write(folder, npus)
            seen = {name: [] for name in programs}
            for _ in range(ROUNDS):
                for name, command in programs.items():
                    if not seen[name] or not isinstance(seen[name][0], str):
                        seen[name].append(one(command, folder))
            for name, results in seen.items():
                if isinstance(results[0], str):
                    print("| %d | %s | %s | | |" % (npus, name, results[0]), flush=True)
                else:
                    seconds, memory, end = zip(*results)
                    print("| %d | %s | %.2f | %.0f | %.1f |" % (npus, name, statistics.median(seconds),
                                                              statistics.median(memory), end[0] / 1000), flush=True)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a built ASTRA-sim or LogGOPSim answers to the files of acesim calibrate --export, beside acesim's own times.

    acesim calibrate --export astra-sim-2 4x4x4.calibrated --output 4x4x4.astra --format json > 4x4x4.json
    scripts/export-peer.py PEER 4x4x4.json 4x4x4.astra --topology 4x4x4 [--kind all-reduce] [--acesim PROGRAM]

PEER is AstraSim_Analytical_Congestion_Unaware of ASTRA-sim 2.x, AnalyticalAstra of 1.0 where the export is astra-sim-1, or
LogGOPSim, with its txt2bin beside it, where it is loggops.  For each size of the export it gets one collective: a Chakra trace
for each rank, a line of a table, whose 5 ns of an update are taken off again, or a schedule of sends and receives.  Columns: the
exact node's time (rung cycle), the peer's, the error between them, what acesim itself says that the files make of it, and how far
the peer is from that.  The last line is the mean of 1 MiB and more.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

KINDS = {"all-reduce": 0, "all-gather": 2, "all-to-all": 6, "reduce-scatter": 7}  # Chakra's CollectiveCommType


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):  # Chakra 0.0.4, protobuf's wire format
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, number, value):
    return field(10, field(1, name) + field(number, value))


def trace(kind, size, dims):
    mask = field(28, field(1, bytes([1] * dims)))
    node = (field(1, 1) + field(2, kind) + field(3, 7) + attribute("is_cpu_op", 27, 0) +
            attribute("comm_type", 9, KINDS[kind]) + attribute("comm_size", 9, size) +
            field(10, field(1, "involved_dim") + mask))
    meta = field(1, "0.0.4")
    return varint(len(meta)) + meta + varint(len(node)) + node


def ask_first(options, kind, size):
    with tempfile.TemporaryDirectory() as work:
        with open(work + "/w.txt", "w") as f:
            f.write("MICRO\n1\none -1 5 NONE 0 5 NONE 0 5 %s %d 5\n" % (kind.replace("-", "").upper(), size))
        files = os.path.abspath(options.files)
        r = subprocess.run([os.path.abspath(options.peer), "--network-configuration=" + files + "/network.json",
                            "--system-configuration=" + files + "/system.txt", "--workload-configuration=" + work + "/w.txt",
                            "--path=" + work + "/", "--run-name=x", "--num-passes=1", "--total-stat-rows=1", "--stat-row=0"],
                           cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = re.search(r"all passes finished at time: (\d+)", r.stdout)
    if not end:
        sys.exit("%s: found no end of the pass, expected one: %s" % (options.peer, r.stdout[-300:]))
    return int(end.group(1)) - 5


def ask_second(options, kind, size, ranks, dims):
    with tempfile.TemporaryDirectory() as work:
        for rank in range(ranks):
            with open(os.path.join(work, "one.%d.et" % rank), "wb") as f:
                f.write(trace(kind, size, dims))
        files = os.path.abspath(options.files)
        r = subprocess.run([os.path.abspath(options.peer), "--workload-configuration=" + work + "/one",
                            "--system-configuration=" + files + "/system.json",
                            "--network-configuration=" + files + "/network.yml",
                            "--remote-memory-configuration=" + files + "/remote_memory.json"],
                           cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ends = [int(t) for t in re.findall(r"sys\[\d+\] finished, (\d+) cycles", r.stdout)]
    if len(ends) != ranks:
        sys.exit("%s: found %d ranks that finished, expected %d: %s" % (options.peer, len(ends), ranks, r.stdout[-300:]))
    return max(ends)


def schedule(kind, size, ranks):
    """In GOAL: a ring, where each rank sends on what has come, or to each rank at once.

    What a message takes to come keeps LogGOPSim's CPU, of the number that sent it, and a CPU that is kept does not send.  So
    each message of an all-to-all has a CPU of its own, and the NIC alone puts them one behind the other.
    """
    part = -(-size // ranks)
    text = "num_ranks %d\n" % ranks
    for rank in range(ranks):
        text += "rank %d {\n" % rank
        if kind == "all-to-all":
            for i in range(1, ranks):
                text += "s%d: send %db to %d tag 0 cpu %d\n" % (i, part, (rank + i) % ranks, i - 1)
                text += "r%d: recv %db from %d tag 0 cpu %d\n" % (i, part, (rank - i) % ranks, i - 1)
        else:
            for i in range((2 if kind == "all-reduce" else 1) * (ranks - 1)):
                text += "s%d: send %db to %d tag %d\n" % (i, part, (rank + 1) % ranks, i)
                text += "r%d: recv %db from %d tag %d\n" % (i, part, (rank - 1) % ranks, i)
                text += "s%d requires r%d\n" % (i, i - 1) if i else ""
        text += "}\n"
    return text


def ask_loggops(options, kind, size, ranks):
    with open(options.files) as f:
        text = f.read()
    per_ns = float(re.search(r"(\S+) to a ns", text).group(1))
    values = re.search(r"^%s: (.*)$" % kind, text, re.M).group(1).split()
    with tempfile.TemporaryDirectory() as work:
        with open(work + "/s.goal", "w") as f:
            f.write(schedule(kind, size, ranks))
        at = os.path.abspath(options.peer)
        subprocess.run([os.path.dirname(at) + "/txt2bin", "-i", work + "/s.goal", "-o", work + "/s.bin"], check=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        r = subprocess.run([at, "-f", work + "/s.bin"] + values, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # With up to 16 hosts it prints each of them, with more only the last.
    ends = [int(t) for t in re.findall(r"(?:Host \d+|Maximum finishing time at host \d+): (\d+)", r.stdout)]
    if not ends:
        sys.exit("%s: found no host that finished, expected one: %s" % (options.peer, r.stdout[-300:]))
    return max(ends) / per_ns


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("peer")
    p.add_argument("export", help="what --format json printed")
    p.add_argument("files", help="the folder, or the file")
    p.add_argument("--topology", required=True)
    p.add_argument("--kind", default="all-reduce", choices=sorted(KINDS))
    p.add_argument("--acesim", default="build/release/acesim")
    options = p.parse_args()
    members = [int(m) for m in re.findall(r"\d+", options.topology)]
    ranks = 1
    for m in members:
        ranks *= m
    dims = sum(m > 1 for m in members)
    with open(options.export) as f:
        export = json.load(f)
    points = [q for q in export["points"] if q["kind"] == options.kind]
    errors = []
    print("%14s%14s%14s%10s%14s%10s" % ("bytes", "exact ns", "peer ns", "error", "form ns", "apart"))
    for q in points:
        size = int(q["bytes"])
        exact = json.loads(subprocess.run([options.acesim, "collective", options.kind, "--topology", options.topology,
                                           "--size", str(size), "--format", "json", "--quiet"], check=True,
                                          stdout=subprocess.PIPE, text=True).stdout)["time_us"] * 1e3
        # ASTRA-sim's comm_size of an all-gather is what one rank has.
        asked = size // ranks if options.kind == "all-gather" else size
        if export["format"] == "loggops":
            peer = ask_loggops(options, options.kind, size, ranks)
        elif export["format"] == "astra-sim-1":
            peer = ask_first(options, options.kind, asked)
        else:
            peer = ask_second(options, options.kind, asked, ranks, dims)
        print("%14d%14.0f%14.0f%8.2f %%%14.0f%8.2f %%" %
              (size, exact, peer, 100 * (peer / exact - 1), q["form_ns"], 100 * (peer / q["form_ns"] - 1)))
        if size >= 1 << 20:
            errors.append(abs(peer / exact - 1))
    print("mean of %d sizes of 1 MiB and more: %.2f %%, worst %.2f %%" %
          (len(errors), 100 * sum(errors) / len(errors), 100 * max(errors)))


if __name__ == "__main__":
    main()

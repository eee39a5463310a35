# SPDX-License-Identifier: Apache-2.0
"""Tables of nccl-tests and rccl-tests, written here from their formats, and what acesim reads of each.

Every time out of place is 20 us + share * bytes / 230 GB/s.  The same row in place takes three times
as long.  So a reader that takes the wrong column finds another time at every size.
"""
import json
import subprocess
import sys

ACESIM, WORK = sys.argv[1:3]
SIZES = [4 ** i * 1024 for i in range(1, 11)]
PROGRAM = {"all-reduce": "all_reduce_perf", "all-gather": "all_gather_perf", "all-to-all": "alltoall_perf",
           "reduce-scatter": "reduce_scatter_perf", "broadcast": "broadcast_perf", "reduce": "reduce_perf"}
passed = failed = 0


def verdict(good, text):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAIL", text)


def share(kind, ranks):
    return {"all-reduce": 2 * (ranks - 1) / ranks, "broadcast": 1, "reduce": 1}.get(kind, (ranks - 1) / ranks)


def us(kind, size, ranks):
    return 20 + share(kind, ranks) * size / 230e3


def figure(value):
    """As the programs round a time: to 2 digits, above 100 us to 1, above 10 ms to none."""
    return "%.2f" % value if value < 100 else "%.1f" % value if value < 10000 else "%.0f" % value


def table(version, kind="all-reduce", ranks=8, hosts=1, sizes=SIZES, listed=None, per_iteration=False, stamps=False,
          time="time", wrong="0", bad=None, noise=(), halves=("out", "in"), extra=(), group=None, program=None):
    """The lines of a log.  version: 2.8, 2.13, 2.16, 2.17, 2.19 or rccl."""
    old = version == "2.8"
    lines = []
    say = lines.append
    if version in ("2.17", "2.19"):
        say("# nccl-tests version %s.6 nccl-headers=22809 nccl-library=22809" % version)
    if version in ("2.16", "2.17", "2.19") or program:
        say("# Collective test starting: " + (program or PROGRAM[kind]))
    say("# nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 4(factor) warmup iters: 5 iters: 20 validation: 1 ")
    say("#")
    if version == "rccl":
        say("rccl-tests: Version develop:0000000")
    say("# Using devices")
    for rank in range(ranks if listed is None else listed):
        where = "node-%c device %2d" % (97 + rank * hosts // ranks, rank % (ranks // hosts))
        if old or version == "rccl":
            say("#   Rank %2d Pid %6d on %s [0x1b] GPU X 80GB" % (rank, 1000 + rank, where))
        else:
            in_group = " 0" if group is None else "%2d" % (rank % group)
            say("#  Rank %2d Group %s Pid %6d on     %s [0000:1b:00] GPU X 80GB" % (rank, in_group, 1000 + rank, where))
    say("#")
    # Before 2.13 a program printed redop and root where its collective has them.
    redop = not old or kind not in ("all-gather", "broadcast")
    root = not old or kind in ("broadcast", "reduce")
    names = ["size", "count", "type"] + ["redop"] * redop + ["root"] * root
    half = [time, "algbw", "busbw", "error" if old else "#wrong"]
    half += ["i_min", "i_max", "i_p99", "i_cv%"] * per_iteration
    say("#" + " " * 60 + "".join("%12s-of-place%20s" % ("out", "") if h == "out" else "%12s-place%20s" % ("in", "")
                                  for h in halves))
    say("#" + "".join("%12s" % n for n in names + half * len(halves) + list(extra)) + "  timestamp" * stamps)
    units = ["(us)", "(GB/s)", "(GB/s)", ""] + ["(us)", "(us)", "(us)", "(%)"] * per_iteration
    say("#" + "".join("%12s" % n for n in ["(B)", "(elements)"] + [""] * (len(names) - 2) + units * len(halves))
        + "  %Y-%m-%d %H:%M:%S" * stamps)
    for size in sizes:
        line = "%12d  %12d  %8s" % (size, size // 4, "float")
        # nccl-tests 2.8 to 2.12 give an all-to-all an empty operation.
        word = "" if old and kind == "all-to-all" else "none" if kind in ("all-gather", "broadcast") else "sum"
        line += "  %6s" % word * redop
        line += ("  %6d" % (0 if kind in ("broadcast", "reduce") else -1)) * root
        for h in halves:
            t = us(kind, size, ranks) * (1 if h == "out" else 3) if size else 0.19
            line += "  %7s  %6.2f  %6.2f" % (figure(t), size / t / 1e3, share(kind, ranks) * size / t / 1e3)
            line += "  %6s" % ("2e-07" if old else bad if bad and size == sizes[4] and h == "out" else wrong)
            if per_iteration:
                line += "  %7s  %7s  %7s  %7s" % (figure(t * .9), figure(t * 1.3), figure(t * 1.2), "2.50")
        line += "".join("%10s" % e for e in extra.values()) if extra else ""
        say(line + "  2026-03-04 10:11:12" * stamps)
    say("# Out of bounds values : 0 OK")
    say("# Avg bus bandwidth    : 100.0 ")
    for at, text in noise:
        lines.insert(at if at >= 0 else len(lines) + at, text)
    return lines


def run(content, *words):
    with open(WORK + "/log", "wb") as f:
        f.write(content if isinstance(content, bytes) else ("\n".join(content) + "\n").encode())
    return subprocess.run([ACESIM, "calibrate", "--measured", WORK + "/log", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


def read(text, content, kind="all-reduce", ranks=8, fabric="Switch(8)", sizes=SIZES, name=True, left_out=(0, 0, 0)):
    """The rows that were read are those of the formula, and what was left out is counted."""
    done = run(content, "--fabric", fabric, *(["--collective", kind] if name else []), "--format", "json")
    if done.returncode:
        return verdict(False, "%s: status %d, %s" % (text, done.returncode, done.stderr[:300]))
    r = json.loads(done.stdout)
    found = [(row["collective"], row["bytes"], row["measured_us"]) for row in r["rows"]]
    want = [(kind, size, us(kind, size, ranks)) for size in sizes]
    good = len(found) == len(want) and all(f[:2] == w[:2] and abs(f[2] - w[2]) <= .5 * 10 ** (
        -2 if w[2] < 100 else -1 if w[2] < 10000 else 0) + 1e-9 for f, w in zip(found, want))
    verdict(good, "%s: rows %s, expected %s" % (text, found[:3], want[:3]))
    counts = tuple(r[key] for key in ("lines_passed_over", "rows_of_0_bytes", "rows_cut"))
    verdict(counts == left_out, "%s: left out %s, expected %s" % (text, counts, left_out))
    k = r["kinds"][0]
    verdict(kind != "all-reduce" or ranks > 8 or
            (abs(k["start_us"] - 20) < .05 and abs(k["bandwidth_GBps"] - 230) < .5), "%s: %s" % (text, k))
    return None


def refused(text, content, *words):
    done = run(content, *(words or ("--fabric", "Switch(8)", "--collective", "all-reduce")))
    verdict(done.returncode == 2 and text in done.stderr and not done.stdout,
            "expected status 2 and '%s', found %d: %s" % (text, done.returncode, done.stderr[:300]))


# ---- each version prints other columns
for kind in PROGRAM:
    for version in ("2.8", "2.13", "2.16", "2.17", "2.19", "rccl"):
        named = version in ("2.16", "2.17", "2.19")
        read("%s of %s" % (kind, version), table(version, kind), kind, name=not named,
             left_out=(1 if version == "rccl" else 0, 0, 0))
for options in ({"per_iteration": True}, {"stamps": True}, {"per_iteration": True, "stamps": True},
                {"wrong": "N/A"}, {"extra": {"#iters": "20"}}, {"extra": {"algo": "RING", "proto": "LL128", "nchannels": "56"}}):
    for kind in ("all-reduce", "all-to-all"):
        read("%s of 2.19 with %s" % (kind, options), table("2.19", kind, **options), kind, name=False)
read("the halves in the other order", table("2.19", halves=("in", "out")))
refused("log:14:70: found times in place alone, expected a half that is out-of-place",
        table("2.13", halves=("in",)))
read("the half out of place alone", table("2.13", halves=("out",)))
head = [line for line in table("2.13") if "-place" not in line]
read("a head without the line of halves", head)
read("a head and rows alone, one blank between fields",
     [" ".join(line.split()) for line in head if not line.startswith("#") or " size " in line])

# ---- rows of 0 bytes, which collectives that divide a buffer begin with
for kind, zeros in (("all-gather", 2), ("reduce-scatter", 7), ("all-to-all", 1)):
    read("rows of 0 bytes", table("2.13", kind, sizes=[0] * zeros + SIZES), kind, left_out=(0, zeros, 0))
nan = [line.replace("  0.19    0.00    0.00", "  0.00    -nan    -nan") for line in table("2.13", sizes=[0] + SIZES)]
verdict(sum("-nan" in line for line in nan) == 1, "no row of 0 us")
read("a row of 0 bytes in 0 us", nan, left_out=(0, 1, 0))

# ---- lines of other programs
INFO = "node-a:1234:1250 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM"
UCX = "[1764000000.123456] [node-a:1234:0]  parser.c:1686 UCX  WARN  unused env variable: UCX_HOME (set UCX_WARN=n)"
read("a line of versions", table("2.13", noise=[(15, "NCCL version 2.18.3+cuda12.2")]), left_out=(1, 0, 0))
read("lines of INFO between rows", table("2.17", noise=[(18, INFO), (20, INFO), (23, INFO)]), left_out=(3, 0, 0))
read("UCX, RCCL and a shell's trace", table("rccl", noise=[(0, UCX), (0, UCX), (14, "RCCL version : 2.21.5-HEAD:eef7b29"),
     (14, "Librccl path : /opt/rocm/lib/librccl.so"), (0, "+ mpirun -np 8 ./all_gather_perf -b 8 -e 1G")]),
     left_out=(6, 0, 0))
read("a line of numbers before the head", table("2.13", noise=[(0, "8 8")]), left_out=(1, 0, 0))
for tag in ("[1,0]<stdout>:", "[1,0]<stdout>: ", "[1,12]<stderr>:", "[prterun-node-a-4711@1,0]<stdout>: ",
            "Wed Mar  4 10:11:12 2026[1,0]<stdout>:", "0: ", " 0: "):
    read("the tag '%s'" % tag, [tag + line for line in table("2.13", noise=[(18, INFO)])], left_out=(1, 0, 0))
read("a tag within a row", ["[1,0]<stdout>:" + line.replace("    -1", "    -1[1,0]<stdout>:")
                              for line in table("2.13")])
read("ends of lines as Windows has them", ("\r\n".join(table("2.13")) + "\r\n").encode())
read("a byte order mark", b"\xef\xbb\xbf" + "\n".join(table("2.13")).encode())
timeout = table("2.13")
at = next(i for i, line in enumerate(timeout) if "4194304 " in line)
timeout[at] = timeout[at][:82] + "node-a: Test timeout (1000s) common.cu:555"
rest = [size for size in SIZES if size != 4194304]
read("a row that another line cuts", timeout, sizes=rest, left_out=(0, 0, 1))
timeout[at] = timeout[at][:60]
read("a row without its end", timeout, sizes=rest, left_out=(0, 0, 1))
done = run(table("rccl", "all-gather", sizes=[0, 0] + SIZES), "--fabric", "Switch(8)", "--collective", "all-gather")
verdict("\nleft out: 1 line of another program, 2 rows of 0 bytes\n" in done.stdout, "counts for people: " + done.stdout)
refused("log:16:1: found other fields than the head names", [line + " 7" if line.startswith("  ") else line
                                                             for line in table("2.13")])

# ---- the list of devices
sixteen = dict(ranks=16, hosts=2)
read("16 ranks on 2 hosts", table("2.13", "broadcast", **sixteen), "broadcast", 16, "Switch(8)_Switch(2)")
refused("log:19:1: found 16 ranks on 2 hosts in the list of devices, expected 8 ranks in 1 node, which --fabric has",
        table("2.13", "broadcast", **sixteen), "--fabric", "Switch(8)", "--collective", "broadcast")
refused("found 16 ranks on 2 hosts in the list of devices, expected 16 ranks in 1 node",
        table("2.19", **sixteen), "--fabric", "Switch(16)")
refused("found 8 ranks on 1 host in the list of devices, expected 32 ranks in 4 nodes",
        table("2.8", "reduce"), "--fabric", "Switch(8)_Switch(4)", "--collective", "reduce")
read("4 communicators of 4 of 16 ranks", [line for line in table("2.17", ranks=16, group=4)
     if not line.startswith(" ")][:-2] + [line for line in table("2.17", ranks=4) if line.startswith(" ")],
     ranks=4, fabric="Switch(4)")
read("a list of one rank, and bus bandwidths of 8", table("2.13", listed=1))
refused("found 1 rank on 1 host", table("2.13", "broadcast", listed=1), "--fabric", "Switch(8)", "--collective", "broadcast")
refused("as the bus bandwidth, expected ", table("2.13", listed=1), "--fabric", "Switch(4)", "--collective", "all-reduce")
cut = table("2.13", listed=5)
cut[7] = cut[7][:40] + "..."
read("a list that its program cut", cut)
long = table("2.13", "broadcast", ranks=16)
long[15] = long[15][:40] + "..."
refused("found 16 ranks on ", long, "--fabric", "Switch(8)", "--collective", "broadcast")

# ---- times that are none, and results that are wrong
refused("found 'cputime' as a column, expected 'time': -C prints the host's time to launch", table("2.13", time="cputime"))
refused("found 'cputime' as a column", table("2.19", time="cputime", per_iteration=True))
refused("found '3' as wrong elements, expected 0 or N/A", table("2.13", bad="3"))
refused("found '1.04858e+06' as wrong elements", table("2.19", bad="1.04858e+06"))
refused("found '5' as values out of bounds, expected 0",
        [line.replace(": 0 OK", ": 5 FAILED") for line in table("2.8")])
refused("found other units, expected (B), (us) and (GB/s)", [line.replace("(us)", "(ms)") for line in table("2.19")])
refused("found rows of sendrecv_perf, expected all_reduce_perf", table("2.16", program="sendrecv_perf"))
refused("found rows of alltoallv_perf", table("2.19", program="alltoallv_perf"), "--fabric", "Switch(8)")
refused("found rows of all_reduce_perf, expected broadcast, which --collective says", table("2.17"),
        "--fabric", "Switch(8)", "--collective", "broadcast")
refused("rows that do not say of which collective", table("2.13"), "--fabric", "Switch(8)")
refused("found a row before the head of nccl-tests", table("2.13")[-5:] + table("2.13"))

# ---- JSON: nccl-tests' -J
def result(kind="all-reduce", ranks=8, processes=8, hosts=1, time="time", nwrong=0, okay="true", version=1, **more):
    each = ranks // processes
    rows = []
    for size in SIZES:
        row = {"size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "    -1"}
        for half, times in (("out_of_place", 1), ("in_place", 3)):
            t = times * us(kind, size, ranks)
            row[half] = {time: round(t, 6), "alg_bw": size / t / 1e3, "bus_bw": share(kind, ranks) * size / t / 1e3,
                         "nwrong": nwrong}
            if version == 3:
                row[half + "_per_iter"] = {"min_us": t * .9, "max_us": t * 1.3, "times_us": [t * .9, t * 1.3]}
        rows.append({**row, **more, "actual_iterations": 20, "experiment_name": ""})
    return {"version": version, "start_time": "2026-03-04 10:11:12", "args": ["./build/" + PROGRAM[kind], "-J", "out"],
            "env": ["PATH=/usr/bin", 'A="quoted" \t'], "nccl_version": 22809,
            "config": {"nthreads": 1, "ngpus": each, "minimum_bytes": 8, "devices": [
                {"rank": p * each, "group": 0, "pid": 1000 + p, "hostname": "node-%d" % (p * hosts // processes),
                 "device": 0, "device_hex": "0000:1b:00", "device_info": "GPU X"} for p in range(processes)]},
            "results": rows, "out_of_bounds": {"count": 0, "okay": okay},
            "average_bus_bandwidth": {"bandwidth": 100.0, "okay": "unchecked"}, "errors": []}


def text(value, slashes=True):
    """On one line, with a solidus escaped, as nccl-tests writes it."""
    made = json.dumps(value, separators=(",", ":"))
    return (made.replace("/", "\\/") if slashes else made).encode()


for kind in PROGRAM:
    read("JSON of " + kind, text(result(kind)), kind, name=False)
read("JSON of 2.19 with -I", text(result(version=3)), name=False)
read("JSON without a check of data", text(result(nwrong=None)), name=False)
read("JSON of a process of 8 GPUs", text(result(processes=1)), name=False)
read("JSON of 16 processes on 2 hosts", text(result(ranks=16, processes=16, hosts=2)), ranks=16,
     fabric="Switch(8)_Switch(2)", name=False)
read("JSON with lines", json.dumps(result(), indent=1).encode(), name=False)
bare = result()
del bare["args"], bare["config"]
read("JSON that does not name its program", text(bare))
refused("found 16 ranks on 2 hosts in the list of devices, expected 8 ranks in 1 node",
        text(result("broadcast", 16, 4, 2)), "--fabric", "Switch(8)")
refused("found 'cpu_time', expected 'time': -C writes the host's time", text(result(time="cpu_time")))
refused("found '7' as wrong elements", text(result(nwrong=7)))
refused("found results out of bounds", text(result(okay="false")))
refused("found no times out of place", text(result(out_of_place=None)))
refused("log:1:1: found JSON without a list of results, expected what nccl-tests writes with -J", b'{"cycles": 5}')
refused("log:1:", text(result())[:700])

# ---- JSON: rccl-tests' records
def records(kind="all-reduce", name="AllReduce", ranks=8, nodes=1, wrong="0"):
    return [{"numCycle": 0, "name": name, "nodes": nodes, "ranks": ranks, "ranksPerNode": ranks // nodes, "gpusPerRank": 1,
             "size": size, "type": "float", "redop": "sum", "inPlace": half, "time": us(kind, size, ranks) * (1 + 2 * half),
             "algBw": 1, "busBw": share(kind, ranks) * size / us(kind, size, ranks) / (1 + 2 * half) / 1e3, "wrong": wrong}
            for size in SIZES for half in (0, 1)]


def listed(rows):
    return ("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n").encode()


read("records of rccl-tests", listed(records()), name=False)
read("records that nothing checked", listed(records("all-to-all", "AlltoAll", wrong="N/A")), "all-to-all", name=False)
refused("found 16 ranks on 2 hosts in the list of devices", listed(records(ranks=16, nodes=2)), "--fabric", "Switch(8)")
refused("found '4' as wrong elements", listed(records(wrong="4")), "--fabric", "Switch(8)")
refused("found rows of SendRecv", listed(records(name="SendRecv")), "--fabric", "Switch(8)")
refused("found a record without them", listed([{"size": 8}]), "--fabric", "Switch(8)")

# ---- a file of another form gets the message about forms
for other in (UCX, "# OSU MPI Allreduce Latency Test v7.3\n# Size  Avg Latency(us)\n4  1.2", "hello", "a,b\n1,2"):
    refused("log:1:1: found '%s" % other.split("\n")[0][:40], other.encode())
    refused("expected a CSV with the columns collective, ranks, bytes and out_of_place_us, a log with", other.encode())
refused("log:3:1: found 'last'", b"\n\nlast\n")
refused("log:1:1: found no rows", b"")
refused("found 'time_us' as a column, expected collective, ranks", b"collective,ranks,bytes,time_us\n")
read("a CSV with a row of 0 bytes", b"\xef\xbb\xbfcollective,ranks,bytes,out_of_place_us\nall-gather,8,0,0.2\n" + b"".join(
    b"all-gather,8,%d,%.6f\n" % (size, us("all-gather", size, 8)) for size in SIZES), "all-gather", name=False, left_out=(0, 1, 0))

print("nccl_tables: %d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)

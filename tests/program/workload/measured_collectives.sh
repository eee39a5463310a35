#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Collectives that others measured. Tables made by NCCL's published estimate, which is written here a second time, must
# give their constants back, and predict tables of more ranks and of other kinds. On a shipped table, the errors of sizes that were not fitted must meet their target, also
# compared with alpha-beta. The output of nccl-tests must be read like the CSV. Gaps, wrong units and missing columns
# must be refused with their position.
. "$(dirname "$0")/../begin.sh"

table=measured/nccl/nccl_8xa100_sxm40.csv
calibrate() { "$acesim" calibrate --measured "$@"; }

# ---- constants that are known: the estimate of NCCL's src/graph/tuning.cc, by its own names
cat >"$work/make.py" <<'PY'
import json, math, subprocess, sys
acesim, work = sys.argv[1:]
BASE = {"ring": (6.6, 14.0, 8.4), "tree": (6.8, 14.0, 0.0)}
HW = {"ring": {"nvl": (.6, 1.9, 3.4), "net": (2.7, 4.0, 14.0)}, "tree": {"nvl": (.6, 1.25, 28.), "net": (5.0, 8.5, 28.)}}
CORRECTION = [[10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10],
              [10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10],
              [9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9]]

def latency(coll, algo, p, ranks, nodes):
    if algo == "tree":
        log2i = nodes.bit_length() - 1
        return BASE[algo][p] + 2 * ((ranks // nodes - 1) * HW[algo]["nvl"][p] + log2i * HW[algo]["net"][p])
    if coll in ("broadcast", "reduce"):
        return BASE[algo][p] + HW[algo]["nvl" if nodes == 1 else "net"][p]
    steps = 2 * (ranks - 1) if coll == "all-reduce" else ranks - 1
    inter = (2 * nodes if nodes > 1 else 0) if coll == "all-reduce" else nodes - 1
    return BASE[algo][p] + (steps - inter) * HW[algo]["nvl"][p] + inter * HW[algo]["net"][p]

def us(coll, size, ranks, nodes, start, gbps, slow):
    bus = {"all-reduce": 2 * (ranks - 1) / ranks, "broadcast": 1, "reduce": 1}.get(coll, (ranks - 1) / ranks)
    if coll == "all-to-all":
        return start + size * bus / gbps / 1e3
    of = []
    for p in range(3):
        share = (1 / 4 if nodes > 1 or coll in ("all-reduce", "reduce") else 1 / 3, .92, 1)[p]
        of.append(("ring", p, bus, share))
        if coll == "all-reduce":
            share = .92 * (1 / 3.8, 7 / 9 if nodes == 1 else 120 / 128, 1)[p]
            log = max(size // 64, 1).bit_length() - 1
            of.append(("tree", p, 2, share * (CORRECTION[p][log] / 10 if log < 23 else 1)))
    least = min(latency(coll, a, 0, ranks, nodes) for a, p, w, e in of)
    return start + min(slow * (latency(coll, a, p, ranks, nodes) - least)
                       + size * w / gbps / 1e3 * (1 + slow * (1 / e - 1)) for a, p, w, e in of)

failed = 0
seen = set()
kinds = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "reduce")
for ranks, nodes, fabric in ((8, 1, "Switch(8)"), (32, 4, "Switch(8)_Switch(4)"), (16, 1, "FullyConnected(16)")):
    want = {c: (30 + i, 200 - 9 * i, 1.2 + .3 * i) for i, c in enumerate(kinds)}
    with open(work + "/made.csv", "w") as f:
        f.write("bytes,collective,ranks,out_of_place_us\n")
        for c in kinds:
            for log in range(6, 34):
                f.write("%d,%s,%d,%.9f\n" % (1 << log, c, ranks, us(c, 1 << log, ranks, nodes, *want[c])))
    r = json.loads(subprocess.run([acesim, "calibrate", "--measured", work + "/made.csv", "--fabric", fabric,
                                   "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert (r["ranks"], r["nodes"]) == (ranks, nodes)
    for k in r["kinds"]:
        start, gbps, slow = want[k["collective"]]
        good = (abs(k["start_us"] / start - 1) < 1e-3 and abs(k["bandwidth_GBps"] / gbps - 1) < 1e-3
                and k["not_fitted"]["worst"] < 2e-3 and (k["slow"] is None or abs(k["slow"] / slow - 1) < .01))
        if not good:
            print("made of", k["collective"], start, gbps, slow, "found", k)
        failed += not good
    seen |= {(row["algorithm"], row["protocol"]) for row in r["rows"]}
for pair in (("ring", "LL"), ("ring", "LL128"), ("ring", "Simple"), ("tree", "LL"), ("tree", "LL128"), ("pairs", "Simple")):
    if pair not in seen:
        print("no size was by", pair)
        failed += 1

# ---- a second table: with the same constants it is predicted exactly, for more ranks and for another kind
def write(name, ranks, nodes, constants):
    with open(work + "/" + name, "w") as f:
        f.write("collective,ranks,bytes,out_of_place_us,accelerator\n")
        for c in constants:
            for log in range(8, 33):
                f.write("%s,%d,%d,%.9f,X100\n" % (c, ranks, 1 << log, us(c, 1 << log, ranks, nodes, *constants[c])))

def least(coll, ranks, nodes):
    of = [latency(coll, a, 0, ranks, nodes) for a in (("ring", "tree") if coll == "all-reduce" else ("ring",))]
    return 0 if coll == "all-to-all" else min(of)

want = {c: (30 + i, 200 - 9 * i, 1.2 + .3 * i) for i, c in enumerate(kinds)}
write("made.csv", 8, 1, want)
for ranks, nodes, fabric, one in ((16, 2, "Switch(8)_Switch(2)", None), (16, 1, "Switch(16)", None), (4, 1, "Switch(4)", None),
                                  (64, 8, "Switch(8)_Switch(8)", None), (16, 2, "Switch(8)_Switch(2)", "all-gather")):
    of = {c: want[one or c] for c in kinds if not one or c != "all-to-all"}
    other = {c: (max(start, least(c, ranks, nodes)), gbps, slow) for c, (start, gbps, slow) in of.items()}
    write("other.csv", ranks, nodes, other)
    command = [acesim, "calibrate", "--measured", work + "/made.csv", "--fabric", "Switch(8)", "--predict", work + "/other.csv",
               "--predict-fabric", fabric, "--format", "json"] + (["--collective", one] if one else [])
    r = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert not one or [k["collective"] for k in r["kinds"]] == [one], r["kinds"]
    r = r["prediction"]
    assert (r["ranks"], r["nodes"], r["fabric"], len(r["kinds"])) == (ranks, nodes, fabric, len(of)), r
    for k in r["kinds"]:
        start, gbps, slow = other[k["collective"]]
        good = (k["fitted_collective"] == (one or k["collective"]) and k["not_fitted"]["count"] == 25
                and abs(k["start_us"] / start - 1) < 1e-3 and k["not_fitted"]["worst"] < 2e-3)
        if not good:
            print("predicted of", fabric, one, k, "made of", other[k["collective"]])
        failed += not good
    assert abs(r["all"]["not_fitted"]["mean"] - sum(abs(x["error"]) for x in r["rows"]) / len(r["rows"])) < 1e-12
    assert r["all"]["not_fitted"]["worst"] == max(abs(x["error"]) for x in r["rows"])
sys.exit(failed != 0)
PY
python3 "$work/make.py" "$acesim" "$work"
verdict $? "constants of made tables"

# ---- a shipped table: errors recomputed from its rows, alpha and beta by their closed form
calibrate $table --fabric 'Switch(8)' --format json >"$work/result"
verdict $? "exit status on $table"
cat >"$work/errors.py" <<'PY'
import csv, json, sys
r = json.load(open(sys.argv[1]))
t = {}
for row in csv.DictReader(open(sys.argv[2])):
    t.setdefault(row["collective"], []).append((int(row["bytes"]), float(row["out_of_place_us"])))
MIB = 1 << 20
def mean(v): return sum(v) / len(v)
both = [[], []]
for k in r["kinds"]:
    rows = t[k["collective"]]
    assert k["fitted_bytes"] == [4096, 4 * MIB, 4096 * MIB], k
    fit = [(s, u) for s, u in rows if s in (MIB, 64 * MIB, 1024 * MIB)]
    one, x, xx = (sum(s ** e / u ** 2 for s, u in fit) for e in range(3))
    y, xy = (sum(s ** e * u / u ** 2 for s, u in fit) for e in range(2))
    a, b = (y * xx - x * xy) / (one * xx - x * x), (one * xy - x * y) / (one * xx - x * x)
    errors = [abs((a + b * s) / u - 1) for s, u in rows if s >= MIB and (s, u) not in fit]
    assert abs(mean(errors) - k["alpha_beta"]["not_fitted_from_1MiB"]["mean"]) < 1e-9, k
    own = [(s, u, p) for (s, u), p in zip(rows, [q["predicted_us"] for q in r["rows"]
           if q["collective"] == k["collective"]])]
    for s, u, p in own:
        assert s not in k["fitted_bytes"] or abs(p / u - 1) < .04, (k, s, u, p)
    own = [abs(p / u - 1) for s, u, p in own if s not in k["fitted_bytes"]]
    assert abs(mean(own) - k["not_fitted"]["mean"]) < 1e-12 and abs(max(own) - k["not_fitted"]["worst"]) < 1e-12, k
    published = {"all-reduce": 7.6, "all-gather": 9.1, "reduce-scatter": 9.5, "all-to-all": 4.4}
    assert round(100 * mean(errors), 1) == published.get(k["collective"], round(100 * mean(errors), 1)), mean(errors)
    assert k["collective"] != "all-reduce" or mean(own) < 0.039, mean(own)
    both[0] += own
assert abs(r["all"]["not_fitted"]["mean"] - mean(both[0])) < 1e-12
assert mean(both[0]) < 0.039, mean(both[0])
PY
python3 "$work/errors.py" "$work/result" workloads/$table
verdict $? "errors on $table"
calibrate $table --fabric 'Switch(8)' | grep -q '^all-reduce .* 7\.59 %$'
verdict $? "alpha-beta's error of an all-reduce in the table"

# ---- a size that was not fitted takes twice as long: no constant changes, its error is seen
awk -F, -v OFS=, '$1 == "all-reduce" && $3 == 16777216 { $4 *= 2; $5 /= 2 } { print }' workloads/$table >"$work/slow.csv"
calibrate "$work/slow.csv" --fabric 'Switch(8)' --format json >"$work/slow"
python3 - "$work/result" "$work/slow" <<'PY'
import json, sys
a, b = (json.load(open(f))["kinds"][0] for f in sys.argv[1:])
assert a["start_us"] == b["start_us"] and a["slow"] == b["slow"]
assert b["not_fitted"]["worst"] > .4 > a["not_fitted"]["worst"]
PY
verdict $? "a size that takes twice as long is not seen, or was fitted"

# ---- as nccl-tests prints it
awk -F, 'BEGIN { print "# nThread 1 nGpus 8 minBytes 4 maxBytes 8589934592\n#\n# Using devices\n#"
    print "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong"
    print "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)" }
    $1 == "all-reduce" { printf "%12s  %12d     float     sum      -1   %s   0.00  %s      0   %s   0.00  %s      0\n",
        $3, $3 / 4, $4, $5, $6, $7 }
    END { print "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 81.2\n#" }' workloads/$table >"$work/printed"
calibrate "$work/printed" --fabric 'Switch(8)' --collective all-reduce --format json >"$work/of_printed"
{ sed 's/minBytes/all_reduce_perf minBytes/' "$work/printed"; } >"$work/named"
calibrate "$work/named" --fabric 'Switch(8)' --format json >"$work/of_named"
python3 - "$work/result" "$work/of_printed" "$work/of_named" <<'PY'
import json, sys
a, b, c = (json.load(open(f))["kinds"] for f in sys.argv[1:])
assert len(b) == 1 and a[0] == b[0] == c[0]
PY
verdict $? "nccl-tests' text and the CSV of the same times differ"

# ---- refused, with the place
refused() { # TEXT FILE ARGUMENTS...
    local text=$1
    shift
    calibrate "$@" >/dev/null 2>"$work/err"
    local rc=$?
    [ $rc -eq 2 ] && grep -q -- "$text" "$work/err"
    verdict $? "'$text' of: $* (exit $rc, $(head -c 300 "$work/err"))"
}
bad() { # TEXT SED: the table with a change
    sed "$2" workloads/$table >"$work/bad.csv"
    refused "$1" "$work/bad.csv" --fabric 'Switch(8)'
}
bad "bad.csv:5:17: found an empty field, expected microseconds above 0" '5s/^\(all-reduce,8,32\),[^,]*/\1,/'
bad "bad.csv:5:1: found a row with fewer fields than the head, expected 7" '5s/,[^,]*$//'
bad "bad.csv:1:24: found 'out_of_place_ms' as a column, expected collective, " '1s/out_of_place_us/out_of_place_ms/'
bad "bad.csv:1:1: found a head without it, expected the column 'bytes'" '1s/bytes/in_place_us/;1s/in_place_us,in/in/'
bad "bad.csv:20:[0-9]*: found '24.54' as the bus bandwidth, expected 24538.[0-9]* GB/s" '20s/,74.78,/,0.07478,/'
bad "bad.csv:7:1: found 'allreduce' as a collective, expected all-reduce, " '7s/all-reduce/allreduce/'
bad "bad.csv:7:12: found '16' as ranks, expected 8, which --fabric has" '7s/,8,/,16,/'
bad "bad.csv:4:14: found '8' as bytes a second time" '4s/,16,/,8,/'
refused 'expected --fabric WORDS' $table

# a second table, of other ranks, units and machines
predict() { # TEXT SED: other.csv with a change
    sed "$2" "$work/other.csv" >"$work/bad.csv"
    refused "$1" "$work/made.csv" --fabric 'Switch(8)' --predict "$work/bad.csv" --predict-fabric 'Switch(8)_Switch(2)'
}
predict "bad.csv:9:12: found '8' as ranks, expected 16, which --fabric has" '9s/,16,/,8,/'
predict "bad.csv:2:32: found Y100, expected X100, which the fitted table has" 's/X100/Y100/'
predict "bad.csv:5:[0-9]*: found 'Y100' as an accelerator, expected X100" '5s/X100/Y100/'
predict "bad.csv:20:24: found 0.0[0-9]* us, expected about [0-9.]* us, which the fit predicts: microseconds" \
    '20s/,\([0-9]*\)\.[0-9]*,X/,0.0\1,X/'
predict "bad.csv:20:24: found [0-9.e+]* us, expected about [0-9.]* us, which the fit" '20s/,\([0-9]*\)\.[0-9]*,X/,\1000.,X/'
sed -n '1p;/^all-to-all/p' "$work/made.csv" >"$work/pairs.csv"
refused "other.csv:2:19: found all-reduce, expected all-to-all: the fitted table has no other collective" \
    "$work/pairs.csv" --fabric 'Switch(8)' --predict "$work/other.csv" --predict-fabric 'Switch(8)_Switch(2)'
refused "pairs.csv: found no rows of all-gather, which --collective says" "$work/pairs.csv" --fabric 'Switch(8)' \
    --collective all-gather
refused "found 'Switch(8)', expected --predict FILE" $table --fabric 'Switch(8)' --predict-fabric 'Switch(8)'
"$acesim" calibrate --predict x 2>&1 | grep -q "predict: found 'no --measured'"
verdict $? "--predict without --measured"
# The rows that were fitted have no error, in the same table either.
calibrate $table --fabric 'Switch(8)' --predict $table --format json >"$work/same"
python3 - "$work/same" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
p = r["prediction"]
assert p["measured"] == r["measured"] and p["all"] == {k: r["all"][k] for k in p["all"]}, (p["all"], r["all"])
assert [k["not_fitted"] for k in p["kinds"]] == [k["not_fitted"] for k in r["kinds"]]
PY
verdict $? "a table that predicts itself has other errors"
refused "found 'Switch(1)'" $table --fabric 'Switch(1)'
refused 'expected three sizes' $table --fabric 'Switch(8)' --fit-sizes 1MiB,64MiB
"$acesim" calibrate --rows 2>&1 | grep -q "rows: found 'no --measured'"
verdict $? "--rows without --measured"
refused 'expected --collective NAME' "$work/printed" --fabric 'Switch(8)'
sed 's/(us)/(ms)/g' "$work/printed" >"$work/units"
refused 'units:6:[0-9]*: found other units' "$work/units" --fabric 'Switch(8)' --collective all-reduce
head -4 workloads/$table >"$work/short.csv"
refused 'found only 3 sizes of all-reduce, expected 4 or more' "$work/short.csv" --fabric 'Switch(8)'

echo "measured_collectives: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

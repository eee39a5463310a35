#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# npu_kernels.sh [ACESIM] -- products that were timed: acesim npu says how far models are from them, and an accelerator's
# file that names a table computes with it
. "$(dirname "$0")/../begin.sh"

# ---- what is shipped: errors as another program counts them ---------------------------------------------------
"$acesim" npu accelerators/h100-80.yaml --products measured/h100/gemm.csv --beside measured/h100/contention.csv \
    --format json >"$work/npu.json"
cat >"$work/errors.py" <<'END'
import csv, json, math, statistics, sys
found = json.load(open(sys.argv[1]))
rows = [(r["set"], int(r["m"]), int(r["n"]), int(r["k"]), float(r["time_us"])) for r in csv.DictReader(open("workloads/measured/h100/gemm.csv"))]
grid = {r[1:4]: math.log(r[4]) for r in rows if r[0] == "grid"}
axes = [sorted({p[i] for p in grid}) for i in range(3)]
def table(p):
    """Trilinear in logarithms, axis by axis from the last."""
    def along(i, at):
        if i == 3: return grid[at]
        high = next((j for j, s in enumerate(axes[i]) if s >= p[i]), len(axes[i]) - 1)
        low = max(high - 1, 0) if axes[i][high] != p[i] else high
        if low == high: return along(i + 1, at + (axes[i][high],))
        w = math.log(p[i] / axes[i][low]) / math.log(axes[i][high] / axes[i][low])
        return (1 - w) * along(i + 1, at + (axes[i][low],)) + w * along(i + 1, at + (axes[i][high],))
    return math.exp(along(0, ()))
def sheet(m, n, k): return max(2 * m * n * k / 989e6, 2 * (m * k + k * n + m * n) / 3350e3)
def expect(what, is_, should):
    if abs(is_ - should) > 1e-9 + 1e-3 * abs(should): print(what, is_, "expected", should)
for s in found["products"]:
    of = [r for r in rows if r[0] == s["set"]]
    for way, f in (("as_given", lambda r: sheet(*r[1:4])), ("table", lambda r: table(r[1:4]))):
        e = [abs(f(r) / r[4] - 1) for r in of]
        expect(s["set"] + " " + way, s[way]["mean"], statistics.mean(e))
        expect(s["set"] + " " + way, s[way]["median"], statistics.median(e))
        expect(s["set"] + " " + way, s[way]["worst"], max(e))
    if not s["fitted"]["mean"] < s["as_given"]["mean"]: print("fitted constants are no better than data sheets")
rows = list(csv.DictReader(open("workloads/measured/h100/contention.csv")))
for s in found["beside_by_sms"]:
    of = [r for r in rows if int(r["sms"]) == s["sms"]]
    expect("slower", s["measured"], statistics.mean(float(r["beside_us"]) / float(r["alone_us"]) for r in of))
    expect("kept", s["communication_kept"], statistics.mean(float(r["traffic_beside_GBps"]) / float(r["traffic_alone_GBps"]) for r in of))
print(len(found["products"]), len(found["beside_by_sms"]), len(found["beside_by_work"]))
END
same "$(python3 "$work/errors.py" "$work/npu.json")" "3 11 9" 'the errors'

# ---- a table in a cluster's file -------------------------------------------------------------------------------
printf 'm,n,k,time_us\n1024,1024,1024,%s\n' 50 >"$work/table.csv"
printf 'name: one\nminibatch: 1024\nelement: fp16\nlayers:\n  - {name: product, kind: linear, inputs: 1024, outputs: 1024, bias: no}\n' >"$work/one.yaml"
printf 'topology: 2\nendpoint: ideal\nclock: 1000MHz\nnpu: {gemm_table: %s}\n' "$work/table.csv" >"$work/cluster.yaml"
forward() { "$acesim" workload "$work/one.yaml" --cluster "$work/cluster.yaml" --format json | python3 -c '
import json, sys
def cycles(o):
    if isinstance(o, dict):
        if o.get("operation", o.get("what")) == "gemm": print(int(o["cycles"]))
        for v in o.values(): cycles(v)
    elif isinstance(o, list):
        for v in o: cycles(v)
cycles(json.load(sys.stdin))' | head -n 1; }
same "$(forward)" 50000 'cycles of the product in the table'
digest() { "$acesim" run "$work/cluster.yaml" "$work/one.yaml" --iterations 1 --quiet --format json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["config_digest"])'; }
before=$(digest)
printf 'm,n,k,time_us\n1024,1024,1024,%s\n' 60 >"$work/table.csv"
same "$(forward)" 60000 'cycles of another'
after=$(digest)
[ -n "$before" ] && [ "$before" != "$after" ]
verdict $? "another table behind the same name has the digest of the first: $before"

# ---- what is refused ---------------------------------------------------------------------------------------------
printf 'm,n,k,time_us\n8,8,8,1\n8,16,16,1\n' >"$work/table.csv"
refused "table.csv:3:1: found no row of 8 x 8 x 16, expected a whole grid" run "$work/cluster.yaml" "$work/one.yaml"
printf 'm,n,time_us\n8,8,8\n' >"$work/table.csv"
refused "table.csv:1:1: found a head without it, expected the column 'k'" run "$work/cluster.yaml" "$work/one.yaml"
refused "table.csv:1:1: found a head without it, expected the column 'k'" npu accelerators/h100-80.yaml --products "$work/table.csv"
printf 'work,flops,sms,read_bytes,written_bytes,exclusive,alone_us,beside_us,traffic_alone_GBps,traffic_beside_GBps\nsum of,1,132,1,1,0,1,1,1,1\n' >"$work/sum.csv"
refused "sum.csv:2:10: found '132' as SMs, expected a number from 1 to 131" npu accelerators/h100-80.yaml --beside "$work/sum.csv"
refused "found no --products and no --beside, expected one of them" npu accelerators/h100-80.yaml
refused "expected table, json or csv" npu accelerators/h100-80.yaml --products measured/h100/gemm.csv --format xml
echo "npu_kernels: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

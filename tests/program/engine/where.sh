#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# where.sh [ACESIM] -- reduction at the endpoint and in the switch: areas, energies and times of the study by closed forms
. "$(dirname "$0")/../begin.sh"
export acesim work

"$acesim" study where --quick --jobs 2 --output "$work/where" --quiet >"$work/out" 2>"$work/err"
verdict $? "study where --quick: $(tail -n 1 "$work/err")"
same "$(tail -n +2 "$work/where/checks.csv" | sed 's/.*,//' | sort -u)" 0 "laws that are broken somewhere"
[ "$(tail -n +2 "$work/where/checks.csv" | sed -E 's/.*,([0-9]+),[^,]*/\1/' | sort -n | head -n 1)" -gt 0 ]
verdict $? 'a law without cells'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/where/ratios.svg"
verdict $? 'the figure is no XML'

# Bits of memories by the widths of the RTL: four banks of 72 words of 32 bits a row; a slot has a row of 2,048 bits, its
# code of 32, and 18 bits of header.
python3 - <<'END'
import re, sqlite3
query = lambda path: sqlite3.connect(":memory:").execute(open(path).read())
rows = query("workloads/studies/where/tables/silicon.sql")
s = dict(zip([c[0] for c in rows.description], rows.fetchone()))
keys = lambda name: dict(re.findall(r"(\w+): *(\d+)", re.search(r"^ace: *{(.*)}", open(f"workloads/studies/where/clusters/{name}.yaml").read(), re.M)[1]))
front = query("workloads/studies/front/tables/area.sql")
front = {r[0]: dict(zip([c[0] for c in front.description], r)) for r in front}
for side, name in (("endpoint", "endpoint"), ("sender", "in-switch")):
    assert s[f"{side}_bits"] == front["default"]["SRAM_bits"] - 4 * 72 * 32 * (4096 - int(keys(name)["bank_rows"])), (side, s)
assert s["reducer_bits"] == 8 * 128 * (2048 + 32 + 18), s
assert abs(s["bit"] - 1.3 * 0.1524) < 1e-9
# fewer state machines take as much less area as in the study `front`
less = front["default"]["logic"] - front["fsms-4"]["logic"]
assert abs((s["endpoint_gates"] - s["sender_gates"]) / less - 1) < 0.02, (s, less)
# four ALUs of one format are smaller than four of both, 199,084 um2, but not than half of these
assert all(0.5 * 199084 < s[f"alu_{f}"] < 199084 for f in ("fp32", "fp16")), s
assert all(s[k] > 0 for k in s), s
END
verdict $? 'silicon by closed forms'

# Areas and energies of 64 MiB again, from the closed forms of events: each NPU sends 2 (n - 1) / n or all of the vector.
python3 - <<'END'
import csv, math, os, sqlite3
table = lambda name: list(csv.DictReader(open(f"{os.environ['work']}/where/{name}.csv")))
rows = sqlite3.connect(":memory:").execute(open("workloads/studies/where/tables/silicon.sql").read())
s = dict(zip([c[0] for c in rows.description], rows.fetchone()))
access = lambda bits, words: bits * s["bit_pJ"] * math.sqrt(bits * words / 2 ** 23)
for r in table("energy"):
    if r["size"] != "64 MiB":   # padded to a row for each member
        continue
    n, cycles, vector = int(r["NPUs"]), float(r["us"]) * 1245, 2 ** 18
    if r["side"] == "endpoint":
        assert n == 8, r
        area = n * (s["endpoint_gates"] + s["alu_fp32"] + s["endpoint_bits"] * s["bit"])
        flops = n * (s["endpoint_flops"] + s["alu_flops"])
        accesses, slots, sent, one = 2 * n + 5 * (n - 1), 0, 2 * (n - 1), access(2304, 3072)
    else:
        area = n * (s["sender_gates"] + s["sender_bits"] * s["bit"]) + 2 * n * (s["reducer_gates"] + s["reducer_bits"] * s["bit"]) + 2 * (n - 1) * s["alu_fp32"]
        flops = n * s["sender_flops"] + 2 * n * s["reducer_flops"] + 2 * (n - 1) * s["alu_flops"]
        accesses, slots, sent, one = 4 * n, n, n, access(2304, 1024)
    pJ = vector * (accesses * one + slots * 2 * access(2098, 1024) + (n - 1) * s["add_fp32"] + 2 * sent * s["link"]) + cycles * flops * s["clock"]
    assert abs(float(r["all, uJ"]) * 1e6 / pJ - 1) < 1e-3, (r, pJ / 1e6)
    side = "endpoint, all" if r["side"] == "endpoint" else "in switch, all"
    found = next(float(a[side]) for a in table("area") if int(a["NPUs"]) == n)
    assert abs(found * 1e6 / area - 1) < 1e-3, (r, found, area)
# Large vectors gain what the links gain, as both sides then wait for them; with fast links both wait for memory.
winners = table("winners")
assert len(winners) == 2 and all(float(w["time"]) > 1.6 and float(w["per mm2"]) > 2.5 and float(w["per joule"]) > 1.8 for w in winners), winners
last = winners[-1]
assert last["size"] == "1 GiB" and abs(float(last["time"]) / (2 * 7 / 8) - 1) < 0.02, last
slow, fast = table("bandwidths")[0], table("bandwidths")[-1]
assert abs(float(slow["time"]) / 1.75 - 1) < 0.02 and 1 <= float(fast["time"]) < 1.4, (slow, fast)
assert float(fast["in switch, us"]) >= 2 ** 24 / 318e3, fast
END
verdict $? 'areas and energies from the closed forms of events'

echo "where: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

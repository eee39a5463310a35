#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# front.sh [ACESIM] -- parameter sets of the engine: more is never slower, areas by closed forms, a front is a front
#
#   LONG=1 tests/program/engine/front.sh    takes all values between on two tori, and makes the study; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"
export acesim work

# More of a resource is never slower by more than 1 %, with everything else equal.
python3 - <<'END'
import itertools, json, os, subprocess
axes = {"fsms": (4, 8, 16), "contexts": (4, 8), "bank-rows": (1280, 1536, 4096), "link-rows": (64, 128)}


def cycles(topology, point):
    options = [f"--{name}={value}" for name, value in zip(axes, point)]
    done = subprocess.run([os.environ["acesim"], "collective", "all-reduce", "--topology", topology, "--size", "16MiB", *options,
                           "--quiet", "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, (options, done.stderr)
    return json.loads(done.stdout)["cycles"]


if not os.environ.get("LONG"):
    axes = {name: (values[0], values[-1]) for name, values in axes.items()}
for topology in ("4x4x4", "4x8x4") if os.environ.get("LONG") else ("4x4x4",):
    found = {point: cycles(topology, point) for point in itertools.product(*axes.values())}
    assert max(found.values()) > 1.5 * min(found.values()), "the resources do not matter"
    for less, more in itertools.product(found, found):
        if all(a <= b for a, b in zip(less, more)):
            assert found[more] <= 1.01 * found[less], (topology, less, found[less], more, found[more])
END
verdict $? 'more of a resource is never slower by more than 1 %'

# Bits of memories, by the widths of the RTL: 72 words of 32 bits in a row of four banks, and 1.3 times the area for two ports.
python3 - <<'END'
import glob, os, re, sqlite3
folder = "workloads/studies/front"
query = open(f"{folder}/tables/area.sql").read()
rows = sqlite3.connect(":memory:").execute(query)
names = [c[0] for c in rows.description]
area = {r[0]: dict(zip(names, r)) for r in rows}
files = {os.path.basename(f)[:-5]: open(f).read() for f in glob.glob(f"{folder}/clusters/*.yaml")}
assert set(area) == set(files), set(area) ^ set(files)
keys = {}
for name, text in files.items():
    line = re.search(r"^ace: *{(.*)}", text, re.M)
    keys[name] = dict(re.findall(r"(\w+): *(\d+)", line[1])) if line else {}
    given = dict(p.split("=") for p in area[name]["parameters"].split())
    assert given == {k.upper(): v for k, v in keys[name].items()}, (name, given)
default = area["default"]
assert default["SRAM_bits"] == 44994620, default   # docs/results/silicon.md
for name, a in area.items():
    assert abs(a["SRAM"] - 0.1524 * a["SRAM_bits"]) <= 1, a
    assert abs(a["second_port"] - 0.3 * 0.1524 * a["two_port_bits"]) <= 1, a
    rest = {k: v for k, v in keys[name].items() if k != "bank_rows"}
    for other, b in area.items():
        if rest == {k: v for k, v in keys[other].items() if k != "bank_rows"}:
            more = int(keys[other].get("bank_rows", 4096)) - int(keys[name].get("bank_rows", 4096))
            assert b["SRAM_bits"] - a["SRAM_bits"] == 4 * 72 * 32 * more, (name, other)
# one factor at a time adds up: memories exactly, gates within a thousandth
for sum_of, parts in (("lean-8x8", ("fsms-8-contexts-8", "rows-1536")), ("wide-8x8", ("fsms-8-contexts-8", "wide"))):
    for column, room in (("SRAM_bits", 0), ("logic", 0.001), ("nic", 0.001)):
        expected = default[column] + sum(area[p][column] - default[column] for p in parts)
        assert abs(area[sum_of][column] - expected) <= room * expected, (sum_of, column, area[sum_of][column], expected)
# banks of memories of one port need no second port
assert area["sub-banks-4"]["two_port_bits"] == default["two_port_bits"] - 4 * 72 * 32 * 4096
END
verdict $? 'areas of parameter sets by closed forms'

study() {
    "$acesim" study front --quick --output "$work/front" --quiet >"$work/out" 2>"$work/err"
    verdict $? "study front --quick: $(head -n 1 "$work/err")"
    python3 - <<'END'
import csv, os
folder = os.environ["work"] + "/front"
table = lambda name: list(csv.DictReader(open(f"{folder}/{name}.csv")))
for law in table("checks"):
    assert law["broken"] == "0" and int(law["cells"]) > 0, law
points = [(float(r["area"]), float(r["time"]), float(r["time_4096"]), r) for r in table("area-time")]
assert len(points) >= 12, len(points)
for k, mark in ((1, "front"), (2, "front_4096")):
    for p in points:
        beaten = any(q[0] <= p[0] and q[k] <= p[k] * 1.0056 and (q[0] < p[0] or q[k] < p[k] * 0.9989) for q in points)
        clear = any(q[0] < p[0] and q[k] < 0.99 * p[k] for q in points)
        assert not (p[3][mark] == "1" and clear), (mark, p)
        assert p[3][mark] == "1" or beaten, (mark, p)
    assert any(p[3][mark] == "1" for p in points)
answers = table("answers")
assert len(answers) == 4 and all(len(a["answer"]) > 80 for a in answers), answers
END
    verdict $? 'the front of the study is a front'
}
when_long study

echo "front: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/reference/cluster-files.md is what acesim help cluster says, and every line of its tables is true:
#   - its keys are those of the JSON Schema, which is made of the table that reads the files
#   - a cluster file with every key set to its example is read, and so is one with every default
#   - a file with the defaults has the configuration of a file that has the topology alone
#   - each unit is read as the number of base units in its bracket
set -uo pipefail
cd "$(dirname "$0")/../.."
acesim=$(realpath "${ACESIM:-build/release/acesim}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/docs/cluster-keys.sh --check || exit 1
"$acesim" help cluster --markdown >"$work/tables" && "$acesim" schema cluster >"$work/schema" || exit 1
python3 - "$acesim" "$work" <<'END'
import json, re, subprocess, sys
acesim, work = sys.argv[1:]
failed = 0


def fail(text):
    global failed
    failed += 1
    print(text)


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


lines = open(work + "/tables").read().split("\n")
rows = [cells(line) for line in lines if re.match(r"\| `", line)]
units = [cells(line) for line in lines if re.match(r"\| [a-z]+ \| `", line)]
examples = {row[0].strip("`"): (row[4] or row[2]).strip("`") for row in rows}
defaults = {row[0].strip("`"): row[2].strip("`") for row in rows if row[2].startswith("`")}

# Keys: those of the reader, through the schema.
keys = set()
for name, value in json.load(open(work + "/schema"))["properties"].items():
    for inner, one in value.get("properties", {"": value}).items():
        path = name + ("." + inner if inner else "")
        if "properties" in one:
            keys |= {name + ".*." + key for key in one["properties"]}
        else:
            keys.add(path)
for key in sorted(keys ^ set(examples)):
    fail("%s: only in %s" % (key, "the schema" if key in keys else "the tables"))
for row in rows:
    if len(row) != 5 or not all(row[:4]):
        fail("%s: found an empty cell" % row[0])


def result(name, values, quiet=False):
    """The configuration of a collective on a cluster file with these keys."""
    tree = {}
    for key, value in values.items():
        part, *rest = key.split(".")
        if not rest:
            tree[part] = value
        elif rest[0] == "*":
            dims = {"bandwidth": "x", "npu_bandwidth": "y"}.get(rest[1], "xy")
            for d in dims:
                tree.setdefault(part, {}).setdefault(d, {})[rest[1]] = value
        else:
            tree.setdefault(part, {})[rest[0]] = value
    with open("%s/%s.yaml" % (work, name), "w") as to:
        for key, value in tree.items():
            if isinstance(value, dict):
                value = "{%s}" % ", ".join("%s: %s" % (k, str(v).replace("'", "")) for k, v in value.items())
            to.write("%s: %s\n" % (key, value))
    done = subprocess.run([acesim, "collective", "all-reduce", "--cluster", "%s/%s.yaml" % (work, name), "--size", "64KiB",
                           "--format", "json", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        if not quiet:
            fail("%s: %s" % (name, done.stderr.strip()))
        return None
    return json.loads(done.stdout)


every = result("examples", examples)
plain = {"topology": examples["topology"]}
alone = result("alone", plain)
same = result("defaults", {**{k: v for k, v in defaults.items() if "*" not in k}, **plain})
if every and alone and every["config_digest"] == alone["config_digest"]:
    fail("examples: found the configuration of a file without them")
if alone and same and alone["config_digest"] != same["config_digest"]:
    fail("defaults: found another configuration than without them")

# Units: one or a thousand of a unit, and as many base units as the bracket says. A bare number is as the last column says.
key = {"size": "npu.buffer", "bandwidth": "npu.memory_bandwidth", "frequency": "clock", "rate": "npu.matrix", "time": "npu.launch"}
for quantity, names, bare in units:
    found = [(name, float(factor or 1)) for name, factor in re.findall(r"`([^`]+)`(?: \(([^ )]+))?", names)]
    base = found[0][0]
    for name, factor in found + [("", 1)] * (bare == "counts in " + base):
        count = 1 if factor > 1 else 1000
        two = [result("unit", {**plain, key[quantity]: text}) for text in (
            "%d %s" % (count, name), "%.17g %s" % (count * factor, base))]
        if all(two) and two[0]["config_digest"] != two[1]["config_digest"]:
            fail("%d %s: expected %.17g %s" % (count, name, count * factor, base))
    if bare == "is refused" and result("bare", {**plain, key[quantity]: "1000"}, quiet=True) is not None:
        fail("%s: a number without a unit is not refused" % quantity)
print("%d keys, %d quantities, %d failed" % (len(rows), len(units), failed))
sys.exit(failed != 0 or len(rows) < 50 or len(units) != 5)
END

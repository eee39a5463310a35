#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Calibrates a small cluster. Each experiment is measured once, even if the command is killed. The held-out errors must
# meet their target, and must show an error that is planted. The rung must answer like the exact one within these
# errors, folded or not. It must refuse what it was not measured for.
. "$(dirname "$0")/../begin.sh"

equal() { # FOUND EXPECTED TEXT
    [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}
refused() { # TEXT COMMAND...: exit 2, and the message has the text
    local text=$1
    shift
    "$@" >/dev/null 2>"$work/err"
    equal $? 2 "exit status of: $*"
    grep -q -- "$text" "$work/err"
    verdict $? "'$text' in the message of: $* ($(head -c 300 "$work/err"))"
}
points() { sqlite3 -cmd '.timeout 20000' "$work/db" "SELECT count(*) FROM points WHERE state = 'done'"; }

cat >"$work/small.yaml" <<'YAML'
name: small
topology: 4x2
links:
  x: {bandwidth: 200 GB/s, latency: 90}
  y: {bandwidth: 25 GB/s, latency: 500}
YAML
file=$work/small.calibrated
calibrate=("$acesim" calibrate "$work/small.yaml" --output "$file" --quick --points 48 --database "$work/db" --quiet)

# ---- restartable: killed in its midst, it goes on, and nothing is measured twice
"${calibrate[@]}" >/dev/null 2>&1 & # the program itself, that the kill reaches it
pid=$!
for _ in $(seq 200); do
    n=$(points 2>/dev/null)
    [ "${n:-0}" -ge 10 ] && break
    sleep 0.02
done
kill -9 $pid
wait $pid 2>/dev/null
[ ! -e "$file" ]
verdict $? "a killed calibration left a file"
before=$(points)
[ "$before" -ge 10 ]
verdict $? "points measured before the kill: $before"
"${calibrate[@]}" >"$work/table"
equal $? 0 "exit status of a calibration"
equal "$(sqlite3 -cmd '.timeout 20000' "$work/db" "SELECT count(*) FROM runs WHERE state = 'ended'")" "$(points)" \
    "experiments measured, each once"
ran=$(sqlite3 -cmd '.timeout 20000' "$work/db" 'SELECT count(*) FROM runs')
cp "$file" "$work/first"
"${calibrate[@]}" >/dev/null
equal "$(sqlite3 -cmd '.timeout 20000' "$work/db" 'SELECT count(*) FROM runs')" "$ran" "measured again by a second calibration"
cmp -s "$file" "$work/first"
verdict $? "a second calibration wrote other bytes"

# ---- held-out errors of another seed: of the smallest clusters, as of all, a few percent; one latency
# doubled is found
check() { "$acesim" calibrate --check "$1" --points 48 --database "$work/db" --quiet "${@:2}"; }
check "$file" --limit 4 >"$work/table"
equal $? 0 "exit status of a check ($(cat "$work/table"))"
check "$file" --format json | python3 -c '
import json, sys
r = json.load(sys.stdin)
small = [p for p in r["points"] if "+" not in p["experiment"] and p["bytes"] < 1048576]
errors = sorted(abs(p["predicted"] / p["measured"] - 1) for p in small)
group = [g for g in r["groups"] if g["group"] == "all kinds, below 1 MiB"][0]
assert group["count"] == len(errors), (group, len(errors))
assert abs(group["mean"] - sum(errors) / len(errors)) < 1e-12
assert abs(group["worst"] - errors[-1]) < 1e-12'
verdict $? "the groups of a check are not the errors of its points"
awk '$1 == "load:" { $0 = "  load: " 200 + $2 } { print }' "$file" >"$work/planted"    # the memory's, twice
! cmp -s "$file" "$work/planted"
verdict $? "no latency was doubled"
check "$work/planted" --limit 4 >/dev/null 2>"$work/err"
equal $? 1 "exit status of a check with a latency doubled"
grep -q 'below 1 MiB: found a mean error' "$work/err"
verdict $? "the latency doubled is not told of small collectives: $(cat "$work/err")"
check "$file" --seed 1 >/dev/null 2>&1
equal $? 2 "a check on the grid that the file already has"

# ---- the rung
collective() { "$acesim" collective "$@" --topology 4x2 --link-latency 90,500 --format json --quiet; }
calibrated() { collective "$@" --rung calibrated --calibration "$file"; }
cycles() { python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'; }
for what in 'all-reduce --size 3MiB' 'reduce-scatter --size 300KB --dims y' 'all-to-all --size 1MB'; do
    # shellcheck disable=SC2086
    exact=$(collective $what | cycles)
    # shellcheck disable=SC2086
    calibrated $what >"$work/result"
    equal $? 0 "exit status of $what"
    found=$(cycles <"$work/result")
    python3 -c "exit(not abs($found / $exact - 1) < 0.10)"
    verdict $? "$what: calibrated $found cycles, cycle $exact"
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["rung"] == "calibrated" and r["check"] == "passed" and r["nodes_simulated"] == 1
assert r["expected_error"]["held_out_points"] > 0 and r["expected_error"]["worst"] > 0' "$work/result"
    verdict $? "$what: the result does not say its rung and its error"
    # shellcheck disable=SC2086
    equal "$(calibrated $what --fold off | cycles)" "$found" "$what, every node simulated"
    # shellcheck disable=SC2086
    equal "$(calibrated $what --fold off --threads 2 | cycles)" "$found" "$what, on two threads"
done
slow=$(calibrated all-reduce --size 3MiB --speed 0.5:3 | cycles)
exact=$(collective all-reduce --size 3MiB --speed 0.5:3 | cycles)
python3 -c "exit(not abs($slow / $exact - 1) < 0.10)"
verdict $? "one node at half speed: calibrated $slow cycles, cycle $exact"

# Beside a slow node there are those on its ring along x, that along y, and the rest: these four answer as all eight do.
for kind in all-reduce reduce-scatter all-gather all-to-all; do
    for fold in auto off; do
        calibrated $kind --size 3MiB --speed 0.5:3 --fold $fold >"$work/$fold"
    done
    python3 - "$work/auto" "$work/off" <<'PY'
import json, sys
folded, whole = (json.load(open(f)) for f in sys.argv[1:])
assert (folded.pop("nodes_simulated"), whole.pop("nodes_simulated")) == (4, 8)
for r in folded, whole:
    for k in "folding", "command", "configuration": r.pop(k, None)
assert folded == whole, (folded, whole)
PY
    verdict $? "$kind, one node at half speed: four sorts of nodes differ from eight nodes"
done

# If all nodes differ, each ring along x runs by itself, and a node keeps rates that do not change. The result must be
# as if each window had all nodes and all rates were recomputed.
for kind in all-reduce reduce-scatter all-gather all-to-all; do
    for way in auto off; do
        calibrated $kind --size 3MiB --speed 0.8-1@7 --fast-forward $way >"$work/$way"
    done
    python3 - "$work/auto" "$work/off" <<'PY'
import json, sys
kept, plain = (json.load(open(f)) for f in sys.argv[1:])
for r in kept, plain:
    assert r["nodes_simulated"] == 8
    for k in "fast_forward", "command", "configuration": r.pop(k, None)
assert kept == plain, (kept, plain)
PY
    verdict $? "$kind, all nodes different: what is kept differs from what is found anew"
done

# One collective behind the other, with nothing to compute between them: each begins as the last is over.
train() { "$acesim" train workloads/models/gpt2-345m.yaml --cluster "$work/small.yaml" --strategy tp8.sp --layers 1 \
    --sequence 256 --format json --quiet "$@" | cycles; }
exact=$(train)
found=$(train --rung calibrated --calibration "$file")
python3 -c "exit(not abs(${found:-0} / $exact - 1) < 0.02)"
verdict $? "an iteration: calibrated '$found' cycles, cycle $exact"
# A pipeline: messages between stages beside collectives within them, folded or not.  Chunks give both ways of a ring to
# messages, and the tied embedding goes by messages alone.
printf 'architecture: decoder\nlayers: 4\nhidden: 512\nheads: 16\nsequence: 128\nvocabulary: 8192\n' >"$work/model.yaml"
pipe() { "$acesim" train "$work/model.yaml" --cluster "$work/small.yaml" --strategy "$1" --format json --quiet "${@:2}" | cycles; }
for strategy in tp4.pp2.m4 pp2.dp4.m4.zero1 tp4.pp2.m4.v2; do
    whole=$(pipe $strategy)
    found=$(pipe $strategy --rung calibrated --calibration "$file")
    python3 -c "exit(not abs(${found:-0} / $whole - 1) < 0.02)"
    verdict $? "a pipeline, $strategy: calibrated '$found' cycles, cycle $whole"
    equal "$(pipe $strategy --rung calibrated --calibration "$file" --fold off --threads 2)" "$found" "a pipeline, every node simulated"
done
train_result() { "$acesim" train workloads/models/gpt2-345m.yaml --cluster "$work/small.yaml" --strategy tp8.sp --layers 1 \
    --sequence 256 --format json --quiet --rung calibrated --calibration "$file" --interval; }
train_result | python3 -c "import json, sys; r = json.load(sys.stdin); i = r['interval']
assert i['low_cycles'] < $exact < i['high_cycles'] and r['expected_error']['held_out_points'] > 0"
verdict $? "an iteration's interval does not hold the exact one"

# ---- intervals: of the rule as it is written, and nine of ten results of another seed lie in them, unless
# an error is planted
check "$file" --iterations models/dlrm.yaml,models/resnet50.yaml --format json >"$work/check"
check "$work/planted" --format json >"$work/check.planted"
calibrated all-reduce --size 3MiB --interval >"$work/result"
"$acesim" run "$work/small.yaml" workloads/models/resnet50.yaml --iterations 1 --format json --quiet \
    --rung calibrated --calibration "$file" --interval >"$work/run"
equal $? 0 "exit status of a run with an interval"
# iterations beside the held-out collectives: each as the two rungs run it
dlrm() { "$acesim" run "$work/small.yaml" workloads/models/dlrm.yaml --iterations 2 --format json --quiet "$@" | cycles; }
python3 - "$work/check" "$(dlrm)" "$(dlrm --rung calibrated --calibration "$file")" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
dlrm, resnet = r["iterations"]
assert dlrm["workload"] == "models/dlrm.yaml" and resnet["workload"] == "models/resnet50.yaml", r["iterations"]
assert [dlrm["measured"], dlrm["predicted"]] == [int(v) for v in sys.argv[2:]], (dlrm, sys.argv)
for i in r["iterations"]:
    assert abs(i["error"] - (i["predicted"] / i["measured"] - 1)) < 1e-12 and abs(i["error"]) < .05, i
group = [g for g in r["groups"] if g["group"] == "iterations of training"][0]
errors = [abs(i["error"]) for i in r["iterations"]]
assert group["count"] == 2 and abs(group["worst"] - max(errors)) < 1e-12 and abs(group["mean"] - sum(errors) / 2) < 1e-12, group
PY
verdict $? "iterations of a check"
"$acesim" run "$work/small.yaml" workloads/models/resnet50.yaml --iterations 1 --format json --quiet >"$work/run.exact"
cat >"$work/interval.py" <<'PY'
import json, math, re, sys
work = sys.argv[1]
held = []
line = r"^  - '(\S+)(.*) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+)'$"
for text, rest, number, m, p, low, high in re.findall(line, open(work + "/small.calibrated").read(), re.M):
    works = text.split("+")
    kind, size = works[int(number)].split(":")[:2]
    assert int(low) <= int(p) <= int(high) and (len(works) > 1 or low == high), (text, low, p, high)
    outside = max(0, math.log(int(low) / int(m)), math.log(int(m) / int(high)))
    held.append((kind, int(size), len(works) > 1, outside, text + rest, len(works)))
assert len(held) > 40
def expected(kind, size, several, but):
    pool = [h for h in held if h[2] == several and h is not but]
    near = sorted((h for h in pool if h[0] == kind), key=lambda h: abs(math.log(h[1] / size)))[:8] or pool
    mean = lambda v: sum(h[3] for h in v) / len(v)
    return 1e-4 + (mean(near) + mean(pool)) / 2
def half(kind, size, several):
    of = {}
    for h in held:
        if h[2] == several:
            of.setdefault(h[4], []).append(h[3] / expected(kind and h[0], h[1], several, h))
    scores = sorted(max(v) for v in of.values())
    n = len(scores)
    k = min(k for k in range(1, n + 1) if sum(math.comb(n, i) * .9 ** i * .1 ** (n - i) for i in range(k)) >= .9)
    k = math.ceil(.9 * (n + 1)) if several else k
    pooled = scores[k - 1] * expected(kind, size, several, None)
    large = size >= 1 << 20
    everyone = [h for h in held if h[5] == 1 and (h[1] >= 1 << 20) == large]
    own = [h[3] for h in everyone if h[0] == kind]
    if several or not own:
        return pooled, n
    assert len(own) < 38    # so the class has no less than all kinds
    return max(pooled, of_class(own), of_class([h[3] for h in everyone])), n
# Returns the largest error after dropping a tenth, but at least the bound of an exponential distribution. With m
# errors, 2 m times their mean is a chi-square with 2 m degrees; it is below `point` in one of twenty cases.
def of_class(like):
    like, m = sorted(like), len(like)
    below = lambda x: 1 - math.exp(-x) * sum(x ** i / math.factorial(i) for i in range(m))
    low, high = 0, 2 * m
    for _ in range(60):
        low, high = ((low + high) / 2, high) if below((low + high) / 2) < .05 else (low, (low + high) / 2)
    point = 2 * low
    fitted = sum(like) / m * math.log(10) * 2 * m / point
    return 1e-4 + max(fitted, like[min(m, math.ceil(.9 * (m + 1))) - 1])
def look(file, *of):
    r = json.load(open(work + "/" + file))
    width, n = half(*of)
    i = r["interval"]
    assert i["share"] == .9 and i["held_out_points"] == n, i
    near = 1.01 + .02 * width * r["cycles"]     # the quantile of chi-square is approximate
    assert abs(i["low_cycles"] - r["cycles"] * math.exp(-width)) <= near, (i, width, r["cycles"])
    assert abs(i["high_cycles"] - r["cycles"] * math.exp(width)) <= near, (i, width)
    return i
look("result", "all-reduce", 3 << 20, False)
i = look("run", None, 1, True)
assert i["low_cycles"] <= json.load(open(work + "/run.exact"))["cycles"] <= i["high_cycles"], i
here = {t for t, k in re.findall(r"^  - '(.*) \| (\d+) \| \d+ \| \d+ \| \d+ \| \d+'$", open(work + "/small.calibrated").read(), re.M)}
there = {p["experiment"] for p in json.load(open(work + "/check"))["points"]}
assert len(here) == 48 and len(there) == 48 and not here & there, here & there   # seeds 1 and 2
of = [json.load(open(work + "/" + f))["coverage"] for f in ("check", "check.planted")]
for name in ("alone", "several_at_a_time"):
    c = of[0][name]
    # nine of ten, less two standard deviations of a binomial: half of them where experiments have several
    n = c["count"] / (1 if name == "alone" else 2)
    least = .9 - 2 * math.sqrt(.09 / n)
    assert c["inside"] / c["count"] >= least, of[0]
    assert name == "alone" or of[1][name]["inside"] / c["count"] < least, of[1]
# by class: the classes are all of those held out, each point has its interval, and these add up to what is counted
check = json.load(open(work + "/check"))
for c in check["coverage"]["classes"]:
    own = [p for p in check["points"] if (p["kind"], p["at_a_time"], p["bytes"] >= 1 << 20) == (c["kind"], c["at_a_time"], c["large"])]
    assert c["count"] == len(own), (c, len(own))
    assert c["inside"] == sum(p["low"] <= p["measured"] <= p["high"] for p in own), c
assert sum(c["count"] for c in check["coverage"]["classes"]) == len(check["points"]) > 48
PY
python3 "$work/interval.py" "$work"
verdict $? "intervals"

# ---- experiments of one's own: of one collective what `collective` takes on either rung; refused where not measured
one() { collective reduce-scatter --size 3MiB "$@" | cycles; }
equal "$(check "$file" --experiment reduce-scatter:3145728:xy@0 | awk '/^reduce-scatter /{print $3, $4}')" \
    "$(one) $(one --rung calibrated --calibration "$file")" "an experiment's cycles, exact and calibrated"
ordered=$(check "$file" --experiment all-to-all:65536:x@0+all-reduce:262144:xy@500)
equal "$(check "$file" --experiment all-reduce:262144:xy@500+all-to-all:65536:x@0)" "$ordered" \
    "works that are not in the order of their starts"
[[ $ordered == *all-to-all:65536:x@0+all-reduce* || $ordered == *all-to-all*all-reduce* ]]
verdict $? "an experiment of two collectives: $ordered"
refused 'expected all-reduces, reduce-scatters' "$acesim" calibrate --check "$file" --experiment broadcast:4096:x@0
refused 'over dimensions of the cluster' "$acesim" calibrate --check "$file" --experiment all-reduce:4096:xz@0
refused 'found all-reduce:1:x@0, expected' "$acesim" calibrate --check "$file" --experiment all-reduce:1:x@0
refused 'expected collectives such as' "$acesim" calibrate --check "$file" --experiment all-reduce:4096
refused 'and no --seed' "$acesim" calibrate --check "$file" --seed 3 --experiment all-reduce:4096:x@0

# ---- a calibration has its cluster in it: it is checked in another folder, where its file is another's or is not there
mkdir "$work/elsewhere"
text=reduce-scatter:300000:y@0
mv "$work/small.yaml" "$work/elsewhere/moved.yaml"
found=$(cd "$work/elsewhere" && "$acesim" calibrate --check ../small.calibrated --database ../db --quiet --experiment $text)
equal "$?" 0 "exit status of a check in another folder"
printf 'topology: 2x2\n' >"$work/small.yaml"
equal "$(check "$file" --experiment $text)" "$found" "a check where the cluster's file has become another one"
(cd "$work/elsewhere" && "$acesim" calibrate --export csv ../small.calibrated --output elsewhere.csv --quiet >/dev/null)
verdict $? "an export in another folder"
mv "$work/elsewhere/moved.yaml" "$work/small.yaml"
sed 's/^  topology: .*/  topology: 2x2/' "$file" >"$work/other"
refused 'found a calibration of a cluster' "$acesim" calibrate --check "$work/other" --quiet

# ---- exports: rules written here evaluate the files and must give the printed times -------------------
# The residual must be for sizes that were not fitted. acesim must read ASTRA-sim's files itself.
export_to() { "$acesim" calibrate --export "$1" "$file" --output "$work/$1" --format json >"$work/$1.json"; }
for format in astra-sim-2 astra-sim-1 loggops csv; do
    export_to $format
    equal $? 0 "exit status of an export to $format"
done
python3 tests/program/engine/exports.py "$work"
verdict $? "files of exports and what was said of them"
python3 - "$work" <<'PY'
import importlib.util, sys
spec = importlib.util.spec_from_file_location("peer", "scripts/export-peer.py")
peer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peer)
for rank in range(8):
    open("%s/one.%d.et" % (sys.argv[1], rank), "wb").write(peer.trace("all-reduce", 1 << 20, 2))
PY
at=$work/astra-sim-2
"$acesim" astra --workload-configuration "$work/one" --system-configuration "$at/system.json" --clock 2GHz \
    --network-configuration "$at/network.yml" --remote-memory-configuration "$at/remote_memory.json" >"$work/out" 2>"$work/err"
equal "$? $(grep -c 'finished, ' "$work/out")" '0 8' "acesim astra on exported files ($(head -c 300 "$work/err"))"

# ---- refused
run=("$acesim" collective all-reduce "--link-latency=90,500" --rung calibrated)
refused 'expected --calibration FILE' "${run[@]}" --topology 4x2
refused 'another cluster' "${run[@]}" --topology 2x4 --calibration "$file"
refused 'which were measured' "${run[@]}" --topology 4x2 --calibration "$file" --size 1GiB
refused 'which were measured' "${run[@]}" --topology 4x2 --calibration "$file" --chunk 1KiB
refused 'found an all-reduce of layer .* bytes, expected 256 to 16777216, which were measured' \
    "$acesim" run "$work/small.yaml" workloads/models/gnmt.yaml --rung calibrated --calibration "$file"
refused 'found [a-z-]* for tensor parallelism of [0-9]* bytes, expected 256 to 16777216' \
    "$acesim" train workloads/models/gpt3-175b.yaml --cluster "$work/small.yaml" --strategy tp8.sp --layers 1 \
    --rung calibrated --calibration "$file"
refused 'gnmt.yaml: acesim: --rung calibrated: found an all-reduce of layer .* bytes, expected 256 to 16777216' \
    check "$file" --iterations models/gnmt.yaml
refused 'expected --check FILE beside it' "$acesim" calibrate "$work/small.yaml" --output "$work/x" \
    --iterations models/dlrm.yaml
refused 'found no node on the rung calibrated' "$acesim" collective all-reduce --interval
refused 'moves no bits' "${run[@]}" --topology 4x2 --calibration "$file" --payload random
refused 'expected all-reduce' "$acesim" collective broadcast --topology 4x2 --link-latency 90,500 \
    --rung calibrated --calibration "$file"
refused 'another rung beside it' "$acesim" collective all-reduce --topology 4x2 --link-latency 90,500 \
    --rung 'calibrated:0;cycle:rest' --calibration "$file"
refused 'found no node on the rung' "$acesim" collective all-reduce --topology 4x2 --calibration "$file"
sed "s/^program: .*/program: '0123456789abcdef'/" "$file" >"$work/other"
refused 'acesim: .*other: found a calibration of program 0123456789abcdef, expected one of' \
    "${run[@]}" --topology 4x2 --calibration "$work/other"
refused 'of program 0123456789abcdef' "$acesim" calibrate --check "$work/other"
sed 's/^  load: .*/  load: -5/' "$file" >"$work/other"
line=$(grep -n '^  load:' "$file" | cut -d: -f1)
refused "other:$line:[0-9]*: found -5" "${run[@]}" --topology 4x2 --calibration "$work/other"
refused 'expected CLUSTER.yaml' "$acesim" calibrate "$work/small.yaml"
refused "export: found 'astra'" "$acesim" calibrate --export astra "$file" --output "$work/x"
refused 'expected --output TO' "$acesim" calibrate --export csv "$file"
refused "collective: found 'broadcast'" "$acesim" calibrate --export csv "$file" --output "$work/x" --collective broadcast
refused 'expected a folder' "$acesim" calibrate --export astra-sim-2 "$file" --output "$work/csv"
sed "s/^program: .*/program: '0123456789abcdef'/" "$file" >"$work/other"
refused 'acesim calibrate: .*other: found a calibration of program 0123456789abcdef, expected one of' \
    "$acesim" calibrate --export csv "$work/other" --output "$work/x"

echo "calibrate: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

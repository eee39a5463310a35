#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# search.sh [ACESIM] -- acesim search must consider exactly the strategies that divide and fit. No iteration may be
# faster than its bound. What is left out must not be the best. A search that is killed must continue.
. "$(dirname "$0")/../begin.sh"

refused_by=(search)
json() { # PYTHON, of the list `o` on standard input
    python3 -c "import json,sys; o = json.load(sys.stdin); print($1)"
}
search() { # DATABASE OPTIONS...
    local database=$1
    shift
    "$acesim" search "$work/small.yaml" --cluster "$work/cluster.yaml" --batch 32 --quiet --database "$work/$database" "$@"
}
printf 'architecture: decoder\nlayers: 4\nhidden: 256\nheads: 8\nsequence: 128\nvocabulary: 1024\n' >"$work/small.yaml"
cat >"$work/cluster.yaml" <<'END'
topology: 4x2x2
npu: {matrix: 100 TFLOPS, gemm_efficiency: 0.5, vector: 10 TFLOPS, memory_bandwidth: 1000 GB/s, memory_efficiency: 1}
END

# ---- what divides, counted apart ---------------------------------------------------------------------------
cat >"$work/count.py" <<'END'
from itertools import permutations, product
rings, L, heads, B = (4, 2, 2), 4, 8, 32
seen = set()
for t, p in product(range(1, 17), repeat=2):
    if 16 % (t * p): continue
    d = 16 // t // p
    places = set()
    for order in permutations(range(3)):
        for i, k in product(range(4), repeat=2):
            parts = order[:i], order[i:k], order[k:]
            size = [eval("*".join(["1"] + [str(rings[r]) for r in part])) for part in parts]
            if i > k or size != [t, d, p]: continue
            # y and z are alike; messages of stages go along y before z.
            if len(parts[2]) < 2 and order.index(1) > order.index(2): continue
            places.add(parts)
    left, ok, whole = list(rings), True, True                        # ranks in the order of the nodes
    for n in (t, d, p):
        for i in range(3):
            while n > 1 and left[i] > 1:
                take = left[i] if n % left[i] == 0 else n
                if left[i] % take: ok = False; break
                whole = whole and take == rings[i]
                left[i] //= take; n //= take
            if not ok or n == 1: break
    if ok and not whole: places.add(None)
    for place in places:
        for b in (1, 2, 4, 8, 16, 32):
            if B % (d * b) or heads % t or L % p: continue
            m = B // (d * b)
            for again in ("none", "full"):
                schedules = [("1f1b", 1)]
                if p > 1: schedules += [(n, 1) for n in ("gpipe", "dapple", "zb-h1")] + [("interleaved", v) for v in (2, 3, 4)]
                for name, v in schedules:
                    if name == "interleaved" and (m % p or L % (p * v)): continue
                    seen.add((t, d, p, place, b, again, name, v))
print(len(seen))
END
search all.sqlite --list >"$work/list"
same "$(wc -l <"$work/list")" "$(python3 "$work/count.py")" 'strategies that divide'
same "$(sort "$work/list" | uniq -d | wc -l)" '0' 'strategies listed twice'
same "$(search all.sqlite --list | awk '{ print $1 }' | sort -nc 2>&1)$?" 0 'the order of the bounds'
same "$(search all.sqlite --list --fixed tp4.pp2.dp2.b1.full.gpipe | wc -l)" 1 'all parts fixed'
half=$(awk '{ print $2 }' "$work/list" | sort -n | sed -n 100p)
same "$(search all.sqlite --list --capacity "$(python3 -c "print(int(($half + 0.0005) * 2**30))")" | wc -l)" \
    "$(awk -v m="$half" '$2 <= m' "$work/list" | wc -l)" "what fits in $half GiB"
held=$("$acesim" footprint "$work/small.yaml" tp4.pp4.m8.b4.zero1.sp.fused --format json | json 'max(s["peak_bytes"] for s in o["stages"])')
listed=$(search all.sqlite --fixed sp.fused.zero1.tp4.pp4.b4 --list --format json | awk '/tp4.dp1.pp4.zero1.b4.m8.sp.fused / { print $2; exit }')
same "$(python3 -c "print('%.3f' % ($held / 2**30))")" "$listed" 'memory, beside acesim footprint'

# ---- every strategy run: none is below its bound, and what a search leaves out is not better -------------------
search all.sqlite --endpoint ideal --jobs 2 --all --format json >"$work/all.json"
same "$(json 'sum(x["state"] == "done" for x in o)' <"$work/all.json")" "$(wc -l <"$work/list")" 'strategies run'
same "$(json 'sum(x["cycles"] < x["bound_cycles"] for x in o)' <"$work/all.json")" 0 'strategies below their bound'
for endpoint in ace comp-opt; do
    search bound.sqlite --endpoint $endpoint --fixed sp.zero1.b8.none.1f1b --vary none --all --format json >"$work/bound.json"
    same "$(json 'sum(x["cycles"] < x["bound_cycles"] for x in o)' <"$work/bound.json")" 0 "$endpoint: strategies below their bound"
    [ "$(json 'len(o)' <"$work/bound.json")" -gt 5 ]
    verdict $? "$endpoint: few strategies"
done
search time.sqlite --endpoint ideal --format json >"$work/time.json"
same "$(json 'o[0]["strategy"], o[0]["placement"], o[0]["cycles"]' <"$work/time.json")" \
    "$(json 'o[0]["strategy"], o[0]["placement"], o[0]["cycles"]' <"$work/all.json")" 'the best with and without --all'
[ "$(json 'sum(x["state"] == "done" for x in o)' <"$work/time.json")" -lt 60 ]
verdict $? 'few strategies are left out'
search memory.sqlite --endpoint ideal --objective memory --format json >"$work/memory.json"
same "$(json 'o[0]["memory_peak_bytes"], o[0]["cycles"]' <"$work/memory.json")" \
    "$(json 'min((x["memory_peak_bytes"], x["cycles"]) for x in o)' <"$work/all.json" | tr -d '()' | sed 's/, / /')" 'least memory' 2>/dev/null
front='sorted({(x["cycles"], x["memory_peak_bytes"]) for x in o if x["state"] == "done" and not any(y["state"] == "done" and y["cycles"] <= x["cycles"] and y["memory_peak_bytes"] <= x["memory_peak_bytes"] and (y["cycles"], y["memory_peak_bytes"]) != (x["cycles"], x["memory_peak_bytes"]) for y in o)})'
search front.sqlite --endpoint ideal --objective front --format json --svg "$work/front.svg" >"$work/front.json"
same "$(json "$front" <"$work/front.json")" "$(json "$front" <"$work/all.json")" 'the front with and without --all'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/front.svg"
verdict $? "--svg is no XML"
same "$(grep -c 'class="[fp]" cx' "$work/front.svg")" "$(json 'sum(x["state"] == "done" for x in o)' <"$work/front.json")" 'points of the picture'
[ "$(grep -c 'class="f" cx' "$work/front.svg")" -ge "$(json "len($front)" <"$work/front.json")" ]
verdict $? 'points of the front in the picture'
# No text lies over another one; letters of the style are at most 7 wide.  Each strategy of the front is listed once.
python3 - "$work/front.svg" "$work/front.json" <<'END'
import json, sys, xml.etree.ElementTree as tree
boxes, names = [], [x["strategy"] for x in json.load(open(sys.argv[2])) if x["state"] == "done"]
texts = list(tree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}text"))
for e in texts:
    wide, x, y = 7 * len(e.text), float(e.get("x")), float(e.get("y"))
    left = x - {"end": wide, "middle": wide / 2}.get(e.get("text-anchor"), 0)
    for other in boxes:
        assert left >= other[1] or left + wide <= other[0] or abs(y - other[2]) >= 9, f"{e.text} lies over {other[3]}"
    boxes.append((left, left + wide, y, e.text))
listed = [e.text for e in texts if any(e.text.startswith(name) for name in names)]
assert len(listed) == len(set(listed)) >= 2, listed
END
verdict $? 'texts of the picture'
# The tutorial's figure is what its command draws.
"$acesim" search models/llama3-8b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)' --batch 8 --sequence 2048 \
    --quiet --database "$work/tutorial.sqlite" --svg "$work/tutorial.svg" >"$work/out" 2>&1
cmp -s "$work/tutorial.svg" docs/tutorials/front.svg
verdict $? 'docs/tutorials/front.svg is not what the command of docs/tutorials/strategy.md draws'

# ---- the same however many work, and after a kill --------------------------------------------------------------
slow=(--endpoint ace --fixed sp.fused.zero1.none.b8 --vary none --all)
search one.sqlite "${slow[@]}" --jobs 1 >"$work/one"
"$acesim" search "$work/small.yaml" --cluster "$work/cluster.yaml" --batch 32 --quiet --database "$work/two.sqlite" \
    "${slow[@]}" --jobs 2 >"$work/two" &
pid=$!
for try in {1..200}; do # until some iterations are there, and not all
    [ "$(sqlite3 "$work/two.sqlite" 'SELECT count(*) FROM points' 2>/dev/null || echo 0)" -ge 3 ] && break
    sleep 0.02
done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
there=$(sqlite3 "$work/two.sqlite" 'SELECT count(*) FROM points')
[ "$there" -ge 3 ] && [ "$there" -lt "$(search two.sqlite "${slow[@]}" --list | wc -l)" ]
verdict $? "killed too late or too early: $there iterations"
search two.sqlite "${slow[@]}" --jobs 2 >"$work/two"
cmp -s "$work/one" "$work/two"
verdict $? "killed and begun again, another table: $(diff "$work/one" "$work/two" | head -4)"
same "$(sqlite3 "$work/two.sqlite" "SELECT count(*) FROM (SELECT key FROM runs WHERE state = 'ended' GROUP BY key HAVING count(*) > 1)")" 0 'iterations run twice'
search two.sqlite "${slow[@]}" --jobs 0 >"$work/three"
cmp -s "$work/one" "$work/three"
verdict $? '--jobs 0: another table'
search none.sqlite "${slow[@]}" --jobs 0 >"$work/none"
grep -q '^skipped  *0 ' "$work/none" && grep -q "^not run  *$(sed -n 's/^that fit *\([0-9]*\) .*/\1/p' "$work/none")$" "$work/none"
verdict $? "--jobs 0 without results: $(grep -E 'skipped|not run' "$work/none")"

# Composed, events are measured once for all strategies and jobs: fewer than the strategies have together.
composed=(--composed --fixed sp.fused.zero1.none.1f1b.b4 --vary none --all --format json)
search single.sqlite "${composed[@]}" >"$work/single.json"
search double.sqlite "${composed[@]}" --jobs 2 >"$work/double.json"
cmp -s "$work/single.json" "$work/double.json"
verdict $? 'composed by one and by two: another answer'
same "$(sqlite3 "$work/single.sqlite" 'SELECT key, cycles FROM events' | cksum)" "$(sqlite3 "$work/double.sqlite" 'SELECT key, cycles FROM events' | cksum)" \
    'events of one and of two'
[ "$(sqlite3 "$work/single.sqlite" 'SELECT count(*) FROM events')" -lt \
    "$(sqlite3 "$work/single.sqlite" "SELECT sum(json_extract(result, '$.unique_events')) FROM points")" ]
verdict $? 'events are measured for each strategy again'
same "$(json 'sum(x["state"] == "done" and x["cycles"] < x["bound_cycles"] for x in o)' <"$work/single.json")" 0 'composed below their bound'

# Started together, both run some, and one prints.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe -n 2 "$acesim" search "$work/small.yaml" --cluster "$work/cluster.yaml" "${composed[@]}" --batch 32 \
    --quiet --database "$work/ranks.sqlite" >"$work/ranks.json" 2>"$work/err"
verdict $? "mpirun: $(head -n 1 "$work/err")"
cmp -s "$work/single.json" "$work/ranks.json"
verdict $? 'of two ranks: another answer'
same "$(sqlite3 "$work/ranks.sqlite" 'SELECT count(DISTINCT pid) FROM runs')" 2 'ranks that ran a strategy'

# ---- what is refused -----------------------------------------------------------------------------------------
on=("$work/small.yaml" --cluster "$work/cluster.yaml")
refused "found no --batch" "${on[@]}"
refused "--objective: found 'joy', expected time, cost, memory or front" "${on[@]}" --batch 8 --objective joy
refused "--fixed 'tp3x', column 1: found 'tp3x'" "${on[@]}" --batch 8 --fixed tp3x
refused "found m4, expected --batch" "${on[@]}" --batch 8 --fixed m4
refused "--vary: found 'b,x', expected some of b, recompute" "${on[@]}" --batch 8 --vary b,x
refused "and none that fits in" "${on[@]}" --batch 16 --capacity 1MB
refused "found 0 strategies that divide" "${on[@]}" --batch 16 --fixed tp16
refused "found a model that is a dlrm" models/dlrm-mlperf.yaml --cluster "$work/cluster.yaml" --batch 16

# ---- what would take minutes is composed, and the best are run where they can be ------------------------------------
"$acesim" search models/llama3-70b.yaml --cluster clusters/torus-4x4x4.yaml --batch 64 --top 3 --database "$work/long.sqlite" \
    --fixed sp.fused.zero1.none.1f1b.b1 >"$work/long" 2>"$work/long.err"
same "$(grep -c 'iterations are composed (--exact runs all)' "$work/long.err")" 1 'says that it composes'
same "$(grep -c '^ *[0-9]* .*tp' "$work/long") $(grep -c '^\.\.\.$' "$work/long")" '3 1' '--top 3'
grep -q '^machine clusters/torus-4x4x4.yaml, .*its error is not known' "$work/long"
verdict $? 'the line of the machine'
pods() { # OPTIONS...
    "$acesim" search models/llama3-8b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(2)' --batch 16 --quiet \
        --fixed sp.fused.zero1.none.1f1b.b1 --vary none --layers 8 --format json --all "$@"
}
pods --composed --database "$work/pods.sqlite" >"$work/pods.json"
pods --database "$work/run.sqlite" >"$work/run.json"
same "$(json 'sum("run_time_us" in x for x in o)' <"$work/pods.json")" 5 'the best five are run'
python3 - "$work/pods.json" "$work/run.json" <<'END'
import json, sys
composed, run = (json.load(open(f)) for f in sys.argv[1:])
time = {(x["strategy"], x["placement"]): x["time_us"] for x in run}
assert all(x["run_time_us"] == time[x["strategy"], x["placement"]] for x in composed if "run_time_us" in x)
# MFU by hand: 3 (2 P tokens + attention's square, 4 b s s h a layer) over the peak of 989 TFLOP/s; P without the embedding
one = run[0]
h, f, s, L, W = 4096, 14336, 8192, 8, 128256
flops = 3 * 16 * (L * (2 * s * (h * (32 + 16) * 128 + h * h + 3 * h * f) + 4 * s * s * h) + 2 * s * h * W)
assert abs(one["model_flops_utilization"] / (flops / (one["time_us"] * 1e-6 * 16 * 989e12)) - 1) < 1e-9
assert abs(one["tokens_per_s"] / (16 * s / (one["time_us"] * 1e-6)) - 1) < 1e-9
END
verdict $? 'runs of the best, MFU or tokens a second'
# Of the best five, those that run in less than a minute are run: here all but the one whose half of a switch makes eight
# classes of nodes.
printf 'architecture: decoder\nlayers: 5\nhidden: 256\nheads: 16\nsequence: 128\nvocabulary: 1024\n' >"$work/wide.yaml"
sed 's/topology: .*/topology: Switch(16)\nendpoint: ideal/' "$work/cluster.yaml" >"$work/switch.yaml"
"$acesim" search "$work/wide.yaml" --cluster "$work/switch.yaml" --batch 3072 --composed --quiet --database "$work/wide.sqlite" \
    --fixed sp.fused.zero1.none.1f1b.b1.pp1 --vary none --all >"$work/wide"
same "$(awk '$NF ~ /dp:x|tp:x|sp.fused/ && / - / { print $(NF) }' "$work/wide")" tp8.dp2.pp1.zero1.m1536.sp.fused 'which of the best are not run'
grep -q '; 4 of the best 5 ran, the others would take a minute or more each$' "$work/wide"
verdict $? 'how many of the best ran'
refused "found --composed and --exact, expected one of them" models/llama3-8b.yaml --cluster clusters/pods-h100.yaml \
    --batch 16 --composed --exact

# ---- what does not fit is a failure of acesim train, after its result ------------------------------------------------
big() { "$acesim" train models/llama3-70b.yaml --cluster clusters/pods-h100.yaml --topology 'Switch(8)_Ring(2)' --composed --quiet \
    --strategy tp8.dp2.sp.fused --layers 40 "$@"; }
big >"$work/big" 2>"$work/big.err"
same "$? $(grep -c '^iteration' "$work/big") $(grep -c 'expected at most the 80 GB of an NPU, or --oversize' "$work/big.err")" '1 1 1' 'too large'
big --oversize >"$work/big" 2>"$work/big.err"
same "$? $(grep -c '^iteration' "$work/big") $(wc -c <"$work/big.err")" '0 1 0' 'too large, and said so'

echo "search: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

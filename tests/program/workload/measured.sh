#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# measured.sh [ACESIM] -- acesim measured: its errors must equal those of its rows, summed separately. Half of a file is
# fitted without reading the other half. Tables of others become rows. Bad input must be reported.
. "$(dirname "$0")/../begin.sh"

refused_by=(measured)
rows=workloads/measured/vtrain/vtrain_multi_node_even.csv

# ---- each number of the tables, from the rows that the same run prints -----------------------------------------
"$acesim" measured $rows --rows --format json --output "$work/constants.yaml" >"$work/all.json"
verdict $? 'a run with a fit'
python3 - "$work/all.json" $rows "$work/constants.yaml" <<'END'
import csv, json, statistics as st, sys
(o,) = json.load(open(sys.argv[1]))
given = list(csv.DictReader(open(sys.argv[2])))
rows = o["row_list"]
assert [r["row"] for r in rows] == [int(g["row"]) for g in given]
assert [r["measured_ms"] for r in rows] == [float(g["iteration_ms"]) for g in given]
assert [r["use"] for r in rows] == [("fitted", "unseen")[i % 2] for i in range(len(rows))]
def rank(v):
    below = [sum(y < x * (1 - 1e-12) for y in v) for x in v]     # what differs by rounding alone is equal
    return [b + (sum(abs(y - x) <= 1e-12 * x for y in v) + 1) / 2 for b, x in zip(below, v)]
def check(name, by, key, use):
    for line in o[name + by]:
        for r, g in zip(rows, given):
            r["group"] = r["model"] if not by else "tp%s.pp%s" % (g["tp"], g["pp"])
        mine = [r for r in rows if line["model"] in ("all", r["group"]) and use in (None, r["use"])]
        errors = [abs(r[key] / r["measured_ms"] - 1) for r in mine]
        assert line["rows"] == len(mine), (name, line)
        for stat, f in (("mean_error", st.mean), ("median_error", st.median), ("worst_error", max)):
            assert abs(line[stat] - f(errors)) < 1e-9, (name, line, f(errors))
        if len(mine) > 2:
            ranks = rank([r[key] for r in mine])
            if len(set(ranks)) == 1:
                assert line["rank_correlation"] is None, (name, line)
                continue
            expected = st.correlation(ranks, rank([r["measured_ms"] for r in mine]))
            assert abs(line["rank_correlation"] - expected) < 1e-9, (name, line, expected)
for by in ("", "_by_strategy"):
    check("zero_shot", by, "zero_shot_ms", None)
    check("calibrated_fitted_rows", by, "predicted_ms", "fitted")
    check("calibrated_unseen_rows", by, "predicted_ms", "unseen")
last = {k: o[k][-1] for k in ("zero_shot", "calibrated_fitted_rows", "calibrated_unseen_rows")}
assert last["calibrated_fitted_rows"]["mean_error"] < last["calibrated_unseen_rows"]["mean_error"] < last["zero_shot"]["mean_error"]
# The quality of the mechanisms before any fit: the order, and the choice.
assert last["zero_shot"]["rank_correlation"] > 0.9 and last["zero_shot"]["chosen_over_best_mean"] < 1.1, last
# The accuracy that the fit promises, with a margin: half of the rows within a few percent.
assert last["calibrated_unseen_rows"]["median_error"] < 0.06, last
text = open(sys.argv[3]).read()
assert "each second row, from the first on, of " + sys.argv[2] in text
assert "unseen_error: %.6f" % last["calibrated_unseen_rows"]["mean_error"] in text
assert all("%s: %.10g" % (k, v) in text for k, v in o["constants"].items())
END
verdict $? 'tables that are not those of the rows'
# No time below what the products alone take at the data sheet's peak.
"$acesim" measured $rows --fit none --format csv >"$work/none.csv"
python3 - "$work/none.csv" $rows <<'END'
import csv, sys
for r, g in zip(csv.DictReader(open(sys.argv[1])), csv.DictReader(open(sys.argv[2]))):
    B, h, L, s, W = (int(g[k]) for k in ("global_batch", "hidden", "layers", "sequence")) and \
        [int(g["global_batch"]), int(g["hidden"]), int(g["layers"]), int(g["sequence"]), 50257]
    flops = 96 * B * s * L * h * h * (1 + s / (6 * h) + W / (16 * L * h))
    assert float(r["zero_shot_ms"]) * 1e-3 * int(g["gpus"]) * 312e12 >= flops, r
    assert r["zero_shot_ms"] == r["predicted_ms"] and r["use"] == ""
END
verdict $? 'zero-shot below the peak of data sheets'
"$acesim" study measured $rows --fit none --format csv | cmp -s - "$work/none.csv"
verdict $? 'acesim study measured says something else'

# ---- tables of others ----------------------------------------------------------------------------------------
mkdir "$work/in"
cp workloads/measured/simumax/simumax_b200_even.csv "$work/in"
printf 'system,model,sequence,global_batch,dp4_ms,tp4_ms,pp4_one_micro_batch_ms\nx,gpt2-large,1024,4,450,480,1600\n' >"$work/in/neusight_4xa100.csv"
python3 scripts/measured-tables.py "$work/in" "$work/made" >"$work/said"
verdict $? 'measured-tables.py'
ACESIM_DATA=workloads "$acesim" measured "$work"/made/*.csv --fit none --format csv >"$work/made.csv"
[ "$(grep -c "simumax_b200_even.csv" "$work/made.csv") $(grep -c "neusight_4xa100.csv" "$work/made.csv")" = '21 3' ]
verdict $? "rows of others: $(cut -d, -f1 "$work/made.csv" | sort | uniq -c)"

# ---- what is refused -----------------------------------------------------------------------------------------
printf 'layers,sequence,tp,dp,pp,iteration_ms\n1,x,1,1,1,1\n' >"$work/bad.csv"
# Mechanisms that are left out keep what data sheets say; rows that a fit has not seen are predicted no better than those it
# has.
head -n 20 $rows >"$work/few.csv"
"$acesim" measured "$work/few.csv" --without operation_floor,vector_factor,product_table --cross-validate --format json >"$work/without.json"
python3 - "$work/without.json" "$work/all.json" <<'END'
import json, sys
(o,), (all,) = (json.load(open(f)) for f in sys.argv[1:])
assert o["constants"]["operation_floor"] == 0 and o["constants"]["vector_factor"] == 1
assert o["constants"]["product_table"] == 0 and all["constants"]["product_table"] == 1
assert all["constants"]["vector_factor"] not in (0, 1)
(mean,) = [r["mean_error"] for r in o["calibrated_fitted_rows"] if r["model"] == "all"]
assert o["cross_validated_error"] > mean > 0, (o["cross_validated_error"], mean)
assert "cross_validated_error" not in all
END
verdict $? 'mechanisms left out, and a cross-validation'
# Rows that are left out are in no fit and in no mean, and the others stay on their side of the half.
"$acesim" measured "$work/few.csv" --leave-out 6,16 --rows --format json >"$work/left.json"
python3 - "$work/left.json" "$work/all.json" <<'END'
import json, statistics as st, sys
(o,), (all,) = (json.load(open(f)) for f in sys.argv[1:])
rows, before = o["row_list"], {r["row"]: r["use"] for r in all["row_list"]}
assert [r["row"] for r in rows if r["use"] == "left out"] == [6, 16]
assert len(rows) == 19
assert {r["row"] for r in rows if r["use"] != "left out" and r["use"] != before[r["row"]]} == set()
for name, use in (("calibrated_fitted_rows", "fitted"), ("calibrated_unseen_rows", "unseen")):
    mine = [abs(r["error"]) for r in rows if r["use"] == use]
    assert o[name][-1]["rows"] == len(mine) and abs(o[name][-1]["mean_error"] - st.mean(mine)) < 1e-9, name
assert o["zero_shot"][-1]["rows"] == 17
assert [r["error"] for r in rows if r["row"] == 4] != [r["error"] for r in all["row_list"] if r["row"] == 4]
END
verdict $? 'rows that are left out'
refused "--leave-out: found '7x', expected numbers of rows such as 16,42" $rows --leave-out 7x
refused "--leave-out: found '7', expected numbers of rows that the files have" $rows --leave-out 7
sed 's/$/,nowhere.csv/; 1s/nowhere.csv/products/' "$work/few.csv" >"$work/products.csv"
refused "nowhere.csv:1:1: found No such file" "$work/products.csv"
refused "--without: found 'joy', expected names of constants" $rows --without joy
refused "--fit: found 'none', expected a fit, for --cross-validate" $rows --fit none --cross-validate
refused "bad.csv:2:3: found 'x' as sequence, expected a number" "$work/bad.csv"
refused "nowhere.csv" "$work/nowhere.csv"
refused "--fit: found 'most', expected half, all or none" $rows --fit most
refused "--output: found 'x', expected a fit" $rows --fit none --output x

# ---- an accelerator's file from a fit, and back: the same constants, the same times, in acesim train too ----------------
"$acesim" fit "$work/few.csv" --start accelerators/a100-80-measured.yaml --rows --format json --output "$work/fitted.yaml" >"$work/fitted.json"
"$acesim" fit measured "$work/few.csv" --constants "$work/fitted.yaml" --rows --format json >"$work/again.json"
"$acesim" fit "$work/few.csv" --start accelerators/a100-80-measured.yaml --predict $rows --rows --format json >"$work/other.json"
"$acesim" train models/gpt2-345m.yaml --cluster clusters/pods-a100.yaml --topology 'Switch(8)' --strategy tp8.full --composed \
    --accelerator "$work/fitted.yaml" --format json --quiet >"$work/train.json"
python3 - "$work/fitted.json" "$work/again.json" "$work/other.json" "$work/train.json" "$work/few.csv" <<'END'
import json, sys
(fitted,), (again,), (first, other) = (json.load(open(f)) for f in sys.argv[1:4])
train = json.load(open(sys.argv[4]))
for name, value in fitted["constants"].items():
    assert abs(again["constants"][name] - value) <= 1e-6 * abs(value), (name, value, again["constants"])
for a, b in zip(fitted["row_list"], again["row_list"]):
    assert abs(b["predicted_ms"] / a["predicted_ms"] - 1) < 1e-6 and b["use"] == "", (a, b)
assert first["constants"] == other["constants"] == fitted["constants"] and other["constants_of"] == sys.argv[5]
mine = {r["row"]: r["predicted_ms"] for r in fitted["row_list"]}
shared = [r for r in other["row_list"] if r["row"] in mine]
assert len(other["row_list"]) == 53 and len(shared) == 19
assert all(r["use"] == "unseen" and r["predicted_ms"] == mine[r["row"]] for r in shared)
(mean,) = [r["mean_error"] for r in fitted["calibrated_unseen_rows"] if r["model"] == "all"]
assert abs(train["machine_error"] - mean) < 1e-5 and train["machine_error_runs"] == 0, train["machine_error"]
assert train["machine_fitted_on"] == "each second row, from the first on, of " + sys.argv[5], train["machine_fitted_on"]
END
verdict $? 'a fitted accelerator, read again'
printf 'layers,hidden,heads,sequence,tp,dp,pp,global_batch,iteration_ms,peak_tflops\n1,64,1,64,1,1,1,1,5,989\n' >"$work/h100.csv"
refused "h100.csv:2:21: found a row of 989 TFLOP/s, expected 312, which the accelerator has" "$work/h100.csv" \
    --start accelerators/a100-80.yaml
refused "--constants: found 'x', expected it or --start, not both" $rows --start y --constants x
refused "--predict: found 'x', expected one file of rows with it" $rows $rows --predict x
refused "--output: found 'x', expected one file of rows with it" $rows $rows --output x
refused "--predict: found 'x', expected a fit" $rows --fit none --predict x
"$acesim" closed-form "$work/made/simumax_b200_even.csv" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'expected full recomputation' "$work/err"
verdict $? "closed-form of rows without recomputation: $(cat "$work/err")"

echo "measured: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

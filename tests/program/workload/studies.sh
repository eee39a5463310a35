#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# studies.sh [ACESIM] -- the studies of COMET, DistSim, ASTRA-sim 2.0 and of experts in their short form
#
# Laws must hold in every cell.  Model states must equal the published formulas, and comparisons with published
# numbers must equal the cells.
. "$(dirname "$0")/../begin.sh"

for name in comet distsim astra-sim-2 experts; do
    "$acesim" study $name --quick --jobs 2 --output "$work/$name" --quiet 2>"$work/err"
    verdict $? "$name: $(tail -n 1 "$work/err")"
    same "$(tail -n +2 "$work/$name/checks.csv" | sed 's/.*,//' | sort -u)" 0 "$name: laws that are broken somewhere"
    [ "$(tail -n +2 "$work/$name/checks.csv" | sed -E 's/.*,([0-9]+),[^,]*/\1/' | sort -n | head -n 1)" -gt 0 ]
    verdict $? "$name: a law without cells"
    for figure in "$work/$name"/*.svg; do
        python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$figure"
        verdict $? "$name: $figure is no XML"
    done
done

# The links alone take what the busiest dimension has to carry: 2 (n-1)/n of the vector on the first one, or as much
# on each as evens them.
python3 - "$work/astra-sim-2/schedules.csv" <<'END'
import csv, sys
rows = {r["network"]: r for r in csv.DictReader(open(sys.argv[1]))}
us = lambda share, GBps: share * 2**24 / (GBps * 0.94e3)
first = lambda n: 2 * (n - 1) / n
torus = rows["wafer-torus"]
assert abs(float(torus["links_baseline"]) / us(first(16), 250) - 1) < 0.01, torus
# a of the vector begins on x: its load is a f16 + (1 - a) f16 / 32, and that of y a f32 / 16 + (1 - a) f32
f, g = first(16), first(32)
a = (g - f / 32) / (f - f / 32 + g - g / 16)
assert 0 <= float(torus["links_balanced"]) / us(a * f + (1 - a) * f / 32, 250) - 1 < 0.06, torus
assert abs(float(rows["conv-3d"]["links_baseline"]) / us(first(16), 200) - 1) < 0.01, rows["conv-3d"]
END
verdict $? 'all-reduces on links alone'

# Published for 12 L h^2 parameters: GiB of model state with ZeRO 0 and 2.  Ours has biases, norms and the embedding, too
# (less than 1 %), and activations, which do not depend on ZeRO.
python3 - "$work/comet/footprint.csv" <<'END'
import csv, sys
state = {"MP64_DP16": (234.38, 42.11), "MP8_DP128": (1875.00, 247.19)}
rows = {r["strategy"]: r for r in csv.DictReader(open(sys.argv[1]))}
for name, (zero0, zero2) in state.items():
    between = (float(rows[name]["ZeRO_0"]) - float(rows[name]["ZeRO_2"])) * 1e9 / 2**30
    assert 0 <= between / (zero0 - zero2) - 1 < 0.01, (name, between)
assert rows["MP64_DP16"]["fits"] == "yes" and rows["MP8_DP128"]["fits"] == "no"
END
verdict $? 'states of Transformer-1T with ZeRO 0 and 2'
# Expanded memory as fast as the local memory leaves the times of a node that has room for all.
python3 - "$work/comet/expansion.csv" "$work/comet/strategies.csv" <<'END'
import csv, sys
fast = [r for r in csv.DictReader(open(sys.argv[1])) if r["expanded_GBps"] == "2039"][0]
whole = {r["strategy"]: float(r["iteration"]) for r in csv.DictReader(open(sys.argv[2]))}
assert abs(float(fast["s"]) / min(whole["MP8_DP128"], whole["MP64_DP16"]) - 1) < 1e-5, (fast, whole)
assert abs(float(fast["proportion"]) - whole["MP64_DP16"] / float(fast["s"])) < 1e-4
END
verdict $? 'expanded memory as fast as local memory'
# DistSim's 15 strategies: all of tensor and pipeline parallelism of 1 to 16 on 16 NPUs, the rest replicas.
same "$(sed -nE '1,/^options/s/^  - train .*--strategy=(tp.*)$/\1/p' workloads/studies/distsim/sweeps/search.yaml | sort | tr '\n' ' ')" \
    "$(python3 -c 'print(*sorted(f"tp{t}.pp{p}.dp{16 // (t * p)}" for t in (1, 2, 4, 8, 16) for p in (1, 2, 4, 8, 16) if t * p <= 16), "", end="")')" \
    'strategies of DistSim'
# DistSim's bounds, of the one strategy that the short form has on exact engines.
awk -F, 'NR > 1 { rows++; e = $3 < 0 ? -$3 : $3; if (e >= 4 || $5 >= 5) bad++ } END { exit !rows || bad }' "$work/distsim/errors-engine.csv"
verdict $? "composed to within 4 and 5 %: $(cat "$work/distsim/errors-engine.csv")"
# On links alone hardly anything is left out, though the tied embedding's sum, of 15 MiB, is measured by its first 8.
awk -F, 'NR > 1 { rows++; e = $3 < 0 ? -$3 : $3; if (e > 0.5) bad++ } END { exit !rows || bad }' "$work/distsim/errors-links.csv"
verdict $? "composed on links: $(cat "$work/distsim/errors-links.csv")"
# Best over worst is of the strategies' times; an error beside a published one is of the cells.
same "$(awk -F, 'NR > 1 { if (!low || $2 < low) low = $2; if ($2 > high) high = $2 } END { printf "%.2f x", high / low }' "$work/distsim/strategies.csv")" \
    "$(sed -nE 's/^best over worst.*,([0-9.]+) x$/\1/p' "$work/distsim/claims.csv" | awk '{ printf "%.2f x", $1 }')" 'best over worst'
same "$(awk -F, 'NR > 1 { e = $3 < 0 ? -$3 : $3; if (e > worst) worst = e } END { printf "%.2f", worst }' "$work/distsim/errors-engine.csv")" \
    "$(sed -nE 's/^error of the iteration.*exact engines, first.*and ([0-9.]+) %$/\1/p' "$work/distsim/claims.csv" | awk '{ printf "%.2f", $1 }')" 'the worst error of an iteration'

echo "studies: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

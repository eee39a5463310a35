#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The first run: DLRM trains for two iterations on 16 NPUs, a 4x2x2 torus.  What does each endpoint
# cost it, in five lines and a picture?  Then with ACE's node 0 in RTL: the same numbers, its
# waveform around the first all-reduce, and what held up the collectives.  Options given here are
# added to acesim's.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out
around=20000    # cycles of waveform
picture=6000    # cycles of it in the picture
endpoints=no-overlap,comm-opt,comp-opt,ace,ideal
cluster=workloads/clusters/torus-4x2x2.yaml model=workloads/models/dlrm.yaml

cat <<'END'
1. builds acesim               3 minutes on two cores where nothing is built yet, else seconds
2. compares five endpoints     seconds: out/endpoints.csv and .png
3. ACE with node 0 in RTL      seconds: out/result.json, timeline.json, node0.fst and .png
4. names what holds it up      seconds
END

step() { printf '\n%s (%d s so far)\n' "$1" "$SECONDS"; }
tell() { printf '+'; printf ' %q' "$@"; echo; }

step '1. Build'
scripts/build.sh release acesim    # the tests are not needed here
mkdir -p "$out"

step '2. What does each endpoint cost an iteration?'
compare=(build/release/acesim run "$cluster" "$model" --compare "$endpoints" "$@")
tell "${compare[@]}"
"${compare[@]}" --format csv --quiet >"$out/endpoints.csv"
# Two iterations: the columns are of both.
awk -F, 'NR > 1 { gsub(/"/, ""); us = $3 / 2; compute = us * $4 / $2
                  printf "%-11s%7.1f us an iteration: %6.1f compute, %6.1f exposed communication\n",
                         $1, us, compute, us - compute }' "$out/endpoints.csv"
if command -v gnuplot >/dev/null; then
    gnuplot -e "set terminal pngcairo size 900,500 font 'Helvetica,12'; set output '$out/endpoints.png'; \
        set datafile separator ','; set style data histogram; set style histogram rowstacked; \
        set style fill solid border -1; set boxwidth 0.7; set yrange [0:*]; set key outside top center horizontal; \
        set ylabel 'us an iteration'; set grid ytics; f = '$out/endpoints.csv'; \
        plot f skip 1 using (\$3 * \$5 / \$2 / 2):xtic(1) lc rgb '#d05000' title 'exposed communication', \
             f skip 1 using (\$3 * \$4 / \$2 / 2) lc rgb '#80a8d0' title 'compute, slowed by communication'"
    echo "picture: $out/endpoints.png"
fi

step '3. The same with the Verilated node 0 among C twins'
# Where the first all-reduce begins: the same cycle on either rung, so the C twins tell.
first=(build/release/acesim run "$cluster" "$model" "$@" --iterations 1 --timeline "$out/first.json" --quiet)
"${first[@]}" >/dev/null
from=$(sed -n 's/.*"name":"all-reduce.*"from":\([0-9]*\).*/\1/p' "$out/first.json" | sort -n | head -n 1)
rm "$out/first.json"
[[ $from ]] || { echo "demo: no all-reduce in the timeline" >&2; exit 1; }
command=(
    build/release/acesim run "$cluster" "$model"
    --iterations 2 --endpoint ace --rung 'rtl:0;cycle:rest' --fold off
    --output "$out"
    --wave "$out/node0.fst" --wave-node 0 --wave-from "$from" --wave-to $((from + around))
)
tell "${command[@]}" "$@"
"${command[@]}" "$@"
if command -v gtkwave >/dev/null && command -v xvfb-run >/dev/null; then
    # the wave is in picoseconds, the clock has 1245 MHz
    waves/render.sh "$out/node0.fst" waves/ace_node.gtkw "$out/node0.png" \
        $((from * 1000000 / 1245)) $(((from + picture) * 1000000 / 1245)) 1600x1830
fi

step '4. What holds the collectives up?'
tell build/release/acesim explain "$out/result.json"
build/release/acesim explain "$out/result.json"

step 'Results'
ls -lh "$out"
echo "Waveform of node 0, from the first all-reduce on (cycle $from): gtkwave $out/node0.fst waves/ace_node.gtkw"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The first run: DLRM trains for two iterations on 64 NPUs, a 4x4x4 torus.  It prints what each endpoint costs an
# iteration, in six lines and a picture.  Then node 0 of ACE runs in RTL for one iteration, with its waveform around the
# first all-reduce, and the demo names what held up the collectives.  Options given here are added to acesim's.
#
# The DLRM is the one of the paper's authors (docs/results/paper.md).  Endpoints keep their shares of the NPU all the time, as
# the reading that comes nearest to the paper has it.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out
around=20000    # cycles of waveform
endpoints=no-overlap,comm-opt,comp-opt,ace,ideal
work=(workloads/clusters/torus-4x4x4.yaml workloads/models/dlrm-authors.yaml --shares reserved)

cat <<'END'
1. builds acesim               3 minutes on two cores where nothing is built yet, else seconds
2. compares five endpoints     seconds: out/endpoints.csv, .svg and .png
3. ACE with node 0 in RTL      half a minute: out/result.json, timeline.json, node0.fst, .svg and .png
4. names what holds it up      seconds
END

step() { printf '\n%s (%d s so far)\n' "$1" "$SECONDS"; }
tell() { printf '+'; printf ' %q' "$@"; echo; }

step '1. Build'
scripts/build.sh release acesim    # the tests are not needed here
mkdir -p "$out"

step '2. What does each endpoint cost an iteration?'
compare=(build/release/acesim run "${work[@]}" --compare "$endpoints" "$@")
tell "${compare[@]}"
"${compare[@]}" --format csv --quiet >"$out/endpoints.csv"
# Two iterations: the columns are of both.  Compute alone is the ideal endpoint's, which slows nothing down.
awk -F, 'FNR == 1 { next }
         { gsub(/"/, ""); us = $3 / 2; compute = us * $4 / $2 }
         NR == FNR { if ($1 == "ideal") alone = compute
                     if ($1 == "ace") ace = us
                     if ($1 ~ /^(no-overlap|com)/ && (!least || us < least)) { least = us; best = $1 }
                     next }
         FNR == 2 { print "endpoint,alone,slowed,exposed" >file }
         { slowed = compute > alone ? compute - alone : 0
           printf "%-11s%7.0f us an iteration: %5.0f compute, %5.0f compute slowed down, %5.0f exposed communication\n",
                  $1, us, alone, slowed, us - compute
           printf "%s,%f,%f,%f\n", $1, alone, slowed, us - compute >file }
         END { printf "best baseline: %s; ACE is %.2f times as fast (the paper: 1.13 on average of its sizes, 1.19 at most)\n",
                      best, least / ace }' file="$out/parts.csv" "$out/endpoints.csv" "$out/endpoints.csv"
for form in "svg size 1200,675 dynamic background rgb 'white' font 'DejaVu Sans,17'" "pngcairo size 1600,900 font 'DejaVu Sans,17'"; do
    command -v gnuplot >/dev/null || break
    picture=$out/endpoints.${form:0:3}
    gnuplot -e "set terminal $form; set output '$picture'; \
        set datafile separator ','; set style data histogram; set style histogram rowstacked; set style fill solid; \
        set boxwidth 0.7; set yrange [0:*]; set xrange [-0.6:4.6]; set border 3; set tics nomirror; \
        set grid ytics lt 1 lc rgb '#d8dde3'; set key outside bottom center horizontal reverse Left width -1; \
        set ylabel 'microseconds an iteration'; set xtics scale 0; f = '$out/parts.csv'; \
        set title 'DLRM on 64 NPUs: what communication adds to compute' font 'DejaVu Sans Bold,24'; \
        plot f skip 1 using 2:xtic(1) lc rgb '#80a8d0' title 'compute alone', \
             f skip 1 using 3 lc rgb '#e0b040' title 'compute slowed by communication', \
             f skip 1 using 4 lc rgb '#d05000' title 'exposed communication', \
             f skip 1 using 0:(\$2+\$3+\$4):(sprintf('%.0f', \$2+\$3+\$4)) with labels offset 0,0.8 notitle"
    echo "picture: $picture"
done
rm "$out/parts.csv"

step '3. An iteration with the Verilated node 0 among C twins'
# Where the first all-reduce begins and ends: the cycles are the same on either rung, so the C twins are enough.
first=(build/release/acesim run "${work[@]}" "$@" --iterations 1 --timeline "$out/first.json" --quiet)
"${first[@]}" >/dev/null
read -r from to < <(sed -n 's/.*"name":"all-reduce.*"from":\([0-9]*\),"to":\([0-9]*\).*/\1 \2/p' "$out/first.json" | sort -n)
rm "$out/first.json"
[[ $to ]] || { echo "demo: no all-reduce in the timeline" >&2; exit 1; }
command=(
    build/release/acesim run "${work[@]}"
    --iterations 1 --endpoint ace --rung 'rtl:0;cycle:rest'
    --output "$out"
    --wave "$out/node0.fst" --wave-node 0 --wave-from "$from" --wave-to $((from + around))
)
tell "${command[@]}" "$@"
"${command[@]}" "$@"
if command -v fst2vcd >/dev/null && command -v rsvg-convert >/dev/null; then
    waves/render.sh "$out/node0.fst" waves/figure.gtkw "$out/node0.png" "$from" $((to + (to - from) / 20)) \
        'DLRM on 64 NPUs: the first all-reduce through node 0'
fi

step '4. What holds the collectives up?'
tell build/release/acesim explain "$out/result.json"
build/release/acesim explain "$out/result.json"

step 'Results'
ls -lh "$out"
echo "Waveform of node 0, from the first all-reduce on (cycle $from): gtkwave $out/node0.fst waves/ace_node.gtkw"

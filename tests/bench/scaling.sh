#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the wall time and memory of all-reduces against payload, NPUs and threads. Runs are folded to one node or
# not, with periods skipped or not, at both rungs.
#
#   tests/bench/scaling.sh [PROGRAM [FOLDER]]    PROGRAM: build/release/acesim; FOLDER: out/scaling
#
# Each point is run ROUNDS times (3), in turn with the others of its table; medians are quoted.
# Writes table.txt, table.csv and, where gnuplot is, payload.svg and npus.svg.  Points that
# would take longer than LIMIT seconds (120) are stopped and left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
acesim=${1:-build/release/acesim} folder=${2:-out/scaling}
rounds=${ROUNDS:-3} limit=${LIMIT:-120}
mkdir -p "$folder"
csv=$folder/table.csv
echo "table,point,npus,bytes,mode,cycles,seconds,MiB" > "$csv"

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

declare -A seconds memory cycles
one() { # KEY arguments
    local key=$1 said; shift
    said=$(timeout "$limit" "$acesim" collective all-reduce "$@" --format json 2>&1) || return 0
    seconds[$key]+="$(sed -n 's/^wall time \([0-9.]*\) s.*/\1/p' <<< "$said") "
    memory[$key]+="$(sed -n 's/^wall time .*, \([0-9.]*\) MiB/\1/p' <<< "$said") "
    cycles[$key]=$(grep -m1 '"cycles":' <<< "$said" | tr -dc '0-9')
}
bytes_of() { numfmt --from=auto "${1%B}"; }
npus_of() { echo $((${1//x/*})); }

table() { # NAME, then points "LABEL|TOPOLOGY|SIZE|MODE|more arguments"
    local name=$1 point label topology size mode more key; shift
    seconds=() memory=() cycles=()
    for ((round = 0; round < rounds; round++)); do
        for point; do
            IFS='|' read -r label topology size mode more <<< "$point"
            # shellcheck disable=SC2086
            one "$label" --topology "$topology" --size "$size" $more
        done
    done
    printf '\n%-34s %12s %10s %9s   medians of %d\n' "$name" cycles seconds MiB "$rounds"
    for point; do
        IFS='|' read -r label topology size mode more <<< "$point"
        [[ ${seconds[$label]:-} ]] || { printf '%-34s stopped after %s s\n' "$label" "$limit"; continue; }
        local s m
        s=$(tr ' ' '\n' <<< "${seconds[$label]}" | grep . | median)
        m=$(tr ' ' '\n' <<< "${memory[$label]}" | grep . | median)
        printf '%-34s %12s %10s %9s\n' "$label" "${cycles[$label]}" "$s" "$m"
        echo "$name,$label,$(npus_of "$topology"),$(bytes_of "$size"),$mode,${cycles[$label]},$s,$m" >> "$csv"
    done
}

{
    points=()
    for size in 1MiB 4MiB 16MiB 64MiB 256MiB 1GiB 16GiB 256GiB 1TiB; do
        points+=("$size fast-forward|4x4x4|$size|fast-forward|")
    done
    for size in 1MiB 4MiB 16MiB 64MiB 256MiB 1GiB; do
        points+=("$size folded|4x4x4|$size|folded|--fast-forward off")
    done
    for size in 1MiB 4MiB 16MiB; do points+=("$size every node|4x4x4|$size|every node|--fold off"); done
    for size in 1MiB 4MiB; do points+=("$size rtl folded|4x4x4|$size|rtl folded|--rung rtl"); done
    table 'payload 4x4x4' "${points[@]}"

    points=()
    for t in 4x2x2 4x4x4 4x8x4 8x8x8 16x16x16 32x32x32; do
        points+=("$t folded|$t|16MiB|folded|")
    done
    points+=("64x128x128 folded|64x128x128|64MiB|folded 64 MiB|--chunk 192KiB")
    for t in 4x2x2 4x4x4 4x8x4; do points+=("$t every node|$t|4MiB|every node 4 MiB|--fold off"); done
    table 'NPUs' "${points[@]}"

    points=()
    for n in 1 2; do points+=("$n threads|4x4x4|4MiB|threads|--fold off --threads $n"); done
    points+=("one slow node 2 threads|4x4x4|16MiB|slow node|--speed 0.5:7 --threads 2")
    table 'threads 4x4x4 unfolded' "${points[@]}"
} | tee "$folder/table.txt"

plot() { # FILE table x-column x-label
    gnuplot << GNUPLOT
set terminal svg size 720,440 background rgb 'white'
set output '$folder/$1'
set datafile separator ','
set logscale xy 10
set xlabel '$4'
set ylabel 'wall time, s'
set key left top
set grid
plot for [mode in "$5"] '< grep "^$2" $csv' using (strcol(5) eq mode ? column($3) : NaN):7 with linespoints title mode
GNUPLOT
}
if command -v gnuplot > /dev/null; then
    plot payload.svg 'payload' 4 'payload, bytes' "fast-forward folded 'every node' 'rtl folded'"
    plot npus.svg 'NPUs' 3 'NPUs' "folded 'every node 4 MiB' 'folded 64 MiB'"
    echo "plots: $folder/payload.svg $folder/npus.svg"
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Hunts for faults at random, for as long as it is given: every random campaign in turn, each turn with
# the next seed.
#
#   scripts/hunt.sh [TIME [SEED [CAMPAIGN...]]]    TIME such as 90s, 30m or 8h [1h]; SEED is a number [the date's seconds]
#   scripts/hunt.sh again FILE                     runs the lines of FILE; each is a campaign with its arguments
#
# A turn that fails is made smaller: half as much of the same seed, as long as it still fails.  Its line is
# appended to out/hunt/failing.txt, which `again` reads, and what it printed is kept in out/hunt/failing/.
# out/hunt/log.csv has a row for each turn: campaign, arguments, seconds of a processor, status, and the
# last line.  The program is build/release/acesim, or ACESIM.
#
# Prints a line for each campaign at the end, or after Ctrl-C: turns, failed turns, seconds of a processor.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
acesim=$(realpath "${ACESIM:-build/release/acesim}")
[[ -x $acesim ]] || { echo "hunt.sh: found no $acesim, expected a program that scripts/build.sh made" >&2; exit 2; }
built=$(dirname "$acesim")

# campaign, how much a turn of about a minute is, arguments in which N is that and S the seed
campaigns='
soak        40      --cases N --seed S --jobs 1
laws        24      --cases N --seed S
networks    16      --cases N --seed S
lockstep    300000  --cycles N --seed S --quiet
hardware    2400    --faults N --seed S --jobs 1
upset_node  400     cycle N S
upset_hub   400     N S
dead        400     N S
crash       4       --kills N --seed S
denied      6       --most N --seed S
memory      24      --most N --seed S
calibrated  16      --quick --clusters 1 --points 64 --singles N --sets 8 --seed S
formal      1       S
debian      1
assertions  1
icarus      1
'
# and the tests that do more with LONG=1
long=$(grep -lE '\$\{LONG:|^ *when_long ' tests/program/*/[a-z]*.sh tests/source/*.sh tests/axi/*.sh)
campaigns+=$(for script in $long; do echo "$(basename "$script" .sh) 1"; done)

run() { # CAMPAIGN ARGUMENTS...
    local campaign=$1; shift
    case $campaign in
        lockstep) "$acesim" lockstep "$@" ;;
        debian)   tests/source/debian.sh "$acesim" ;;
        assertions) tests/axi/assertions.sh ;;
        icarus)   ACESIM=$acesim LONG=1 tests/icarus/icarus.sh ;;
        upset_*)  "$built/tests/$campaign" "$@" ;;
        dead)     ACE_DEATHS=$1 ACE_SEED=$2 "$built/tests/engine_dead_test" --gtest_filter='*/cycle' ;;
        formal)   tests/formal/run.sh "$(awk '/^[a-z]/ { print $1 }' tests/formal/proofs.txt | sort -u | awk -v s="$1" '
                      { name[NR] = $0 } END { print name[s % NR + 1] }')" ;;    # all lines of one proof
        *)
            if [[ -e tests/campaign/$campaign.py ]]; then "tests/campaign/$campaign.py" "$acesim" "$@"
            else ACESIM=$acesim LONG=1 bash "$(grep -E "/$campaign.sh$" <<<"$long")"; fi ;;
    esac </dev/null
}

number() { # N of a campaign's turn, or nothing: it is unknown
    awk -v campaign="$1" '$1 == campaign { print $2 }' <<<"$campaigns"
}

arguments() { # CAMPAIGN N SEED
    awk -v campaign="$1" -v n="$2" -v seed="$3" '$1 == campaign {
        for (i = 3; i <= NF; i++) printf "%s%s", $i == "N" ? n : $i == "S" ? seed : $i, i < NF ? " " : "\n" }' <<<"$campaigns"
}

again() { # FILE
    local line passed=0 failed=0
    while read -r line; do
        [[ $line && $line != \#* ]] || continue
        # shellcheck disable=SC2086
        if run $line >"$work/said" 2>&1; then passed=$((passed + 1))
        else failed=$((failed + 1)); cat "$work/said"; echo "FAIL $line"; fi
    done <"$1"
    echo "hunt again: $passed passed, $failed failed"
    [[ $failed -eq 0 && $passed -gt 0 ]]
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ ${1:-} == again ]]; then
    [[ -r ${2:-} ]] || { echo "hunt.sh: found no file '${2:-}', expected one whose lines are a campaign and its arguments" >&2; exit 2; }
    again "$2"
    exit
fi

time=${1:-1h} seed=${2:-$(date +%s)}
[[ $seed =~ ^[0-9]+$ && $time =~ ^([1-9][0-9]*)([smh])$ ]] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
declare -A unit=([s]=1 [m]=60 [h]=3600)
until=$((SECONDS + BASH_REMATCH[1] * ${unit[${BASH_REMATCH[2]}]}))
shift $(($# < 2 ? $# : 2))
mapfile -t chosen < <(awk 'NF { print $1 }' <<<"$campaigns")
[[ $# -eq 0 ]] || chosen=("$@")
for campaign in "${chosen[@]}"; do
    [[ $(number "$campaign") ]] || { echo "hunt.sh: found campaign '$campaign', expected one of $(awk 'NF { printf "%s ", $1 }' <<<"$campaigns")" >&2; exit 2; }
done
mkdir -p out/hunt/failing
[[ -s out/hunt/log.csv ]] || echo 'campaign,arguments,processor_s,status,last_line' >out/hunt/log.csv

declare -A turns=() failures=() processor=()
turn() { # CAMPAIGN ARGUMENTS: its status; what it printed is in $work/said
    local status used TIMEFORMAT='%U %S'
    # shellcheck disable=SC2086
    { time run $1 $2 >"$work/said" 2>&1; } 2>"$work/time"
    status=$?
    used=$(awk '{ printf "%.1f", $1 + $2 }' "$work/time")
    printf '%s,%s,%s,%s,"%s"\n' "$1" "$2" "$used" "$status" "$(tail -n 1 "$work/said" | tr -d '"' | cut -c1-200)" >>out/hunt/log.csv
    turns[$1]=$((${turns[$1]:-0} + 1))
    processor[$1]=$(awk -v a="${processor[$1]:-0}" -v b="$used" 'BEGIN { print a + b }')
    return "$status"
}

summary() {
    local campaign
    printf '%-12s %6s %7s %12s\n' campaign turns failed 'processor s'
    for campaign in "${chosen[@]}"; do
        printf '%-12s %6d %7d %12.0f\n' "$campaign" "${turns[$campaign]:-0}" "${failures[$campaign]:-0}" "${processor[$campaign]:-0}"
    done
    [[ ${#failures[@]} -eq 0 ]] || echo "failing turns: scripts/hunt.sh again out/hunt/failing.txt"
}
trap 'summary; rm -rf "$work"; exit 130' INT TERM

while [[ $SECONDS -lt $until ]]; do
    for campaign in "${chosen[@]}"; do
        [[ $SECONDS -lt $until ]] || break
        n=$(number "$campaign")
        turn "$campaign" "$(arguments "$campaign" "$n" "$seed")" && continue
        failures[$campaign]=$((${failures[$campaign]:-0} + 1))
        kept=$campaign-$seed
        cp "$work/said" "out/hunt/failing/$kept"
        while [[ $n -gt 1 ]] && ! turn "$campaign" "$(arguments "$campaign" $((n / 2)) "$seed")"; do
            n=$((n / 2))
            cp "$work/said" "out/hunt/failing/$kept"
        done
        echo "$campaign $(arguments "$campaign" "$n" "$seed")" | tee -a out/hunt/failing.txt
    done
    seed=$((seed + 1))
done
summary
[[ ${#failures[@]} -eq 0 ]]

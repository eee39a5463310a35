#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs what fuzzes readers, as it was built, several at a time:
#
#   tests/fuzz/all.sh PROGRAMS OUTPUT SECONDS [READER...]
#
# PROGRAMS/fuzz_READER takes SECONDS in all, whatever it finds: one that ends early begins again.
# JOBS of them run at a time [as many as there are processors], each in SLICES turns [1], so that the
# last do not run alone.  RUNS ends a turn after so many executions, where that is sooner, and TIMEOUT is the
# seconds that one may take [10], more where others have the processors.  SEED repeats what is tried [0: by chance].  FUZZ_BEFORE names what runs them,
# such as `setarch -R`.  Words for libFuzzer are the texts in quotes of the files that read (readers.txt).
# A line for each reader: executions, executions a second, edges of the code that were reached, findings.
# OUTPUT has
#
#   words/READER     those words
#   found/READER-*   inputs that ended a reader; PROGRAMS/fuzz_READER FILE repeats it
#   corpus/READER    inputs that reached something new, from which the next call goes on
#   log/READER.N     what libFuzzer said
#   table            the lines again
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '4,22s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[[ $# -ge 3 && $3 =~ ^[1-9][0-9]*$ ]] || usage
programs=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" || exit 2
output=$(cd "$2" && pwd)
seconds=$3
shift 3
jobs=${JOBS:-$(nproc)}
slices=${SLICES:-1}
readers=("$@")
[[ ${#readers[@]} -gt 0 ]] || mapfile -t readers < <(awk '/^[a-z]/ { print $1 }' "$here/readers.txt")
mkdir -p "$output/found" "$output/log" "$output/words"
rm -f "$output/log"/*
tree=$(cd "$here/../.." && pwd)

# Lists the texts in quotes in the files of a reader, and the keys of a run where they are read.
words() {
    local files
    mapfile -t files < <(awk -v r="$1" '$1 == r { for (i = 2; i <= NF; i++) if ($i !~ /^[+]/) print $i }' "$here/readers.txt")
    [[ $1 =~ field|cluster|accelerator|sweep ]] && files+=(sim-top/setup/setup_fields.def)
    (cd "$tree" && grep -hv '^#include' "${files[@]}") | grep -o '"[A-Za-z0-9_.: -]\{1,24\}"' | sort -u
}
# Folders with inputs to begin with.
seeds() {
    [[ -d $here/corpus/$1 ]] && echo "$here/corpus/$1"
    awk -v r="$1" -v t="$tree" '$1 == r { for (i = 2; i <= NF; i++) if (sub(/^[+]/, "", $i)) print t "/" $i }' "$here/readers.txt"
}

# READER N SECONDS: a turn.
turn() {
    local reader=$1 log="$output/log/$1.$2" until=$((SECONDS + $3)) left=$3 n begin
    mkdir -p "$output/corpus/$reader"
    words "$reader" >"$output/words/$reader"
    mapfile -t begin < <(seeds "$reader")
    # Once in any case: a second may pass before the first look at the clock.
    for ((n = 0; n < 1000 && left > 0; n++, left = until - SECONDS)); do
        ${FUZZ_BEFORE:-} "$programs/fuzz_$reader" -max_total_time="$left" -runs="${RUNS:--1}" -seed="${SEED:-0}" -timeout="${TIMEOUT:-10}" \
            -rss_limit_mb=2048 -close_fd_mask=3 -max_len=8192 -print_final_stats=1 -print_funcs=0 -artifact_prefix="$output/found/$reader-" \
            -dict="$output/words/$reader" "$output/corpus/$reader" "${begin[@]}" >>"$log" 2>&1 && break
        echo "status $?" >>"$log"
    done
}
export -f turn words seeds
export output programs here tree

for ((slice = 0; slice < slices; slice++)); do
    for reader in "${readers[@]}"; do echo "$reader $slice $((seconds / slices > 0 ? seconds / slices : 1))"; done
done | xargs -P "$jobs" -L 1 bash -c 'turn "$@"' turn

all=0
failed=0
for reader in "${readers[@]}"; do
    mapfile -t logs < <(find "$output/log" -name "$reader.*")
    runs=$(cat "${logs[@]}" | awk '/^stat::number_of_executed_units:/ { n += $2 } END { print n + 0 }')
    edges=$(cat "${logs[@]}" | grep -ao 'cov: [0-9]*' | awk '$2 > n { n = $2 } END { print n + 0 }')
    findings=$(cat "${logs[@]}" | grep -ac '^status')
    what=FAIL
    [[ $findings -eq 0 && $runs -gt 0 ]] && what=ok
    rate="$((runs / seconds)) a second"
    echo "$what $reader: $runs executions, ${RUNS:+at most }${RUNS:-$rate}${RUNS:+ a turn}, $edges edges, $findings findings"
    [[ $findings -eq 0 ]] ||
        grep -ahE 'ERROR|runtime error|SUMMARY' "${logs[@]}" | sort | uniq -c | sort -rn | head -n 4
    all=$((all + runs))
    [[ $findings -eq 0 && $runs -gt 0 ]] || failed=$((failed + 1))
done >"$output/table"
echo "fuzz: $all executions, $failed of ${#readers[@]} readers failed" >>"$output/table"
cat "$output/table"
[[ $failed -eq 0 ]]

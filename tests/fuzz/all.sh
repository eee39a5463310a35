#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs what fuzzes readers, as it was built, several at a time:
#
#   tests/fuzz/all.sh PROGRAMS OUTPUT SECONDS [READER...]
#
# PROGRAMS/fuzz_READER takes SECONDS of a processor in all, whatever it finds: one that ends early begins
# again.  JOBS of them run at a time [as many as there are processors], each in SLICES turns [1], so that the
# last do not run alone.  FUZZ_BEFORE names what runs them, such as `setarch -R`.  A line for each reader:
# executions, executions a second, edges of the code that were reached, findings.  OUTPUT has
#
#   found/READER-*   inputs that ended a reader; PROGRAMS/fuzz_READER FILE repeats it
#   corpus/READER    inputs that reached something new, from which the next call goes on
#   log/READER.N     what libFuzzer said
#   table            the lines again
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '4,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
mkdir -p "$output/found" "$output/log"
rm -f "$output/log"/*

# READER N SECONDS: a turn.
turn() {
    local reader=$1 log="$output/log/$1.$2" until=$((SECONDS + $3)) left=$3 n
    mkdir -p "$output/corpus/$reader"
    # Once in any case: a second may pass before the first look at the clock.
    for ((n = 0; n < 1000 && left > 0; n++, left = until - SECONDS)); do
        ${FUZZ_BEFORE:-} "$programs/fuzz_$reader" -max_total_time="$left" -timeout=10 -rss_limit_mb=2048 \
            -close_fd_mask=3 -max_len=8192 -print_final_stats=1 -print_funcs=0 -artifact_prefix="$output/found/$reader-" \
            "$output/corpus/$reader" "$here/corpus/$reader" >>"$log" 2>&1 && break
        echo "status $?" >>"$log"
    done
}
export -f turn
export output programs here

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
    echo "$what $reader: $runs executions, $((runs / seconds)) a second," \
         "$edges edges, $findings findings"
    [[ $findings -eq 0 ]] ||
        grep -ahE 'ERROR|runtime error|SUMMARY' "${logs[@]}" | sort | uniq -c | sort -rn | head -n 4
    all=$((all + runs))
    [[ $findings -eq 0 && $runs -gt 0 ]] || failed=$((failed + 1))
done >"$output/table"
echo "fuzz: $all executions, $failed of ${#readers[@]} readers failed" >>"$output/table"
cat "$output/table"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes the readers of files and texts (fuzz_readers.c), each for so long, from its corpus:
#
#   tests/fuzz/run.sh SECONDS [READER...]
#
# A line for each: executions, edges of the code that were reached.  What ends a reader is left in
# build/fuzz/found/ and repeated by build/units/tests/fuzz_READER FILE.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seconds=$1
shift
readers=("$@")
[[ ${#readers[@]} -gt 0 ]] || readers=(program result field cluster_file workload_file sweep_yaml counts fault_list chakra
                                         astra_network_yaml astra_system_json astra_memory_json astra_groups_json msccl_xml)
mkdir -p build
(cmake --preset units && cmake --build --preset units --target fuzzers) >build/fuzz.log 2>&1 ||
    { tail -n 20 build/fuzz.log >&2; exit 1; }
mkdir -p build/fuzz/found
failed=0
all=0
for reader in "${readers[@]}"; do
    mkdir -p "build/fuzz/corpus/$reader"
    if build/units/tests/fuzz_"$reader" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -close_fd_mask=3 \
        -max_len=8192 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$reader-" \
        "build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader" >"build/fuzz/$reader.log" 2>&1; then
        what=ok
    else
        what=FAIL
        failed=$((failed + 1))
        grep -aE 'ERROR|runtime error|SUMMARY' "build/fuzz/$reader.log" | head -n 4
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$reader.log")
    edges=$(grep -o 'cov: [0-9]*' "build/fuzz/$reader.log" | tail -n 1)
    all=$((all + ${runs:-0}))
    echo "$what $reader: ${runs:-0} executions, ${edges:-cov: 0}"
done
echo "fuzz: $all executions, $failed readers failed"
[[ $failed -eq 0 ]]

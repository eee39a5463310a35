#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Each member of every command's JSON is in the list that acesim help members prints, and the list has no
# other (measured_sets.sh looks at the study of all sets). counters.md has each unit and counter that is counted.
set -uo pipefail
cd "$(dirname "$0")/../.."
acesim=$(realpath "${ACESIM:-build/release/acesim}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# NAME[.N] WORDS: the result of a command line.
result() {
    local name=$1
    shift
    "$acesim" "$@" --format json --quiet >"$work/$name.json" 2>"$work/err" && return
    echo "acesim $*: $(tail -1 "$work/err")"
    exit 1
}
strategy=(models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --layers 2 --endpoint ideal)
result collective.1 collective all-reduce --topology 2x2x1 --size 64KiB --samples 16 --control registers
result collective.2 collective all-reduce --topology 'Ring(2)_Switch(4)' --size 64KiB --faults link:1e-3:7 \
    --algorithm ring,direct --speed 0.5:1
result collective.3 collective broadcast --topology 2x2x1 --size 64KiB --payload random --check
result collective.4 collective all-reduce --topology 2x2x2x2 --size 64KiB --endpoint comm-opt --samples 16
result collective.9 collective all-reduce --topology 2x2x1 --size 64KiB --control trigger
result collective.8 collective all-reduce --topology 'Switch(8)' --size 4KiB
result collective.5 collective all-reduce --topology 'Switch(8)' --size 64KiB --algorithm in-network
result collective.6 collective all-reduce --topology 2x2x1 --size 64KiB --compare ace,ideal
result collective.7 collective all-reduce --topology 4 --size 4KiB --control registers --faults dead:0.0@100
result run run clusters/torus-4x2x2.yaml models/dlrm.yaml --iterations 1 --type fp16
result train.1 train "${strategy[@]}" --strategy tp4.dp4.fused
result train.2 train "${strategy[@]}" --strategy tp4.pp2.dp2.fused --composed --compare-run
result train.3 train "${strategy[@]}" --strategy tp4.pp2.dp2.fused --composed \
    --accelerator 'accelerators/h100-80-measured.yaml:0-7;accelerators/a100-80-measured.yaml:rest'
result search.1 search "${strategy[@]}" --batch 16 --sequence 128 --database "$work/one.sqlite"
result search.2 search "${strategy[@]}" --batch 16 --sequence 128 --composed --database "$work/two.sqlite"
result msccl msccl algorithms/allreduce-ring-8.xml --topology 8
result model model models/gpt2-345m.yaml tp2.pp2.dp2 --iteration 1 --peak 100
result footprint footprint models/gpt2-345m.yaml tp2.pp2.dp2
result strategy strategy tp2.pp2.dp2 --model models/gpt2-345m.yaml --topology 2x2x2 --ranks
result pipeline pipeline interleaved --stages 2 --micro-batches 4 --chunks 3 --forward 1,2,3,4,5,6
result workload workload models/dlrm.yaml
result measured fit measured measured/vtrain/vtrain_single_node_sample.csv --rows --fit none
result closed-form closed-form measured/vtrain/vtrain_single_node_sample.csv --fit half --rows
result npu npu accelerators/h100-80.yaml --products measured/h100/gemm.csv --beside measured/h100/contention.csv --rows
result calibrate.1 calibrate --measured measured/nccl/nccl_8xa100_sxm40.csv --fabric 'Switch(8)' --rows \
    --predict measured/nccl/nccl_8xa100_sxm40.csv
printf "name: members\ncommand: collective all-reduce\noptions: {topology: 2x2x1}\ngrid:\n  size: [64KiB, 63]\n" >"$work/members.yaml"
"$acesim" sweep "$work/members.yaml" --database "$work/members.sqlite" --format json --quiet >"$work/sweep.json" 2>/dev/null
(cd workloads/astra-sim-2 &&
    files=(--workload-configuration all_reduce --system-configuration Ring_4chunks.json
        --network-configuration Ring_4npus.yml --remote-memory-configuration no_memory_expansion.json) &&
    result astra.1 astra "${files[@]}" && result astra.2 astra "${files[@]}" --compat 2) || exit 1
result diff diff "$work/collective.1.json" "$work/collective.2.json"
# A set as cmake/rtl_set.sh describes it, in a folder of its own: the user's may have none.
mkdir -p "$work/sets/named/mine"
printf '%s\n' 'name mine' 'rtl 0123456789abcdef' 'digest fedcba9876543210' 'date 2026-01-01T00:00Z' 'source rtl' \
    'engine without-engine' 'parameters FSMS=8' >"$work/sets/named/mine/set.txt"
touch "$work/sets/named/mine/ace_set.so"
ACESIM_RTL=$work/sets result rtl rtl list

# Each result can be read again: on a page, and against itself, and a run can be explained.
for file in "$work"/*.json; do
    name=$(basename "$file" .json)
    [[ $name =~ ^(sweep|measured|rtl|collective.[67])$ ]] && continue # lists, and several runs in one
    "$acesim" report "$file" --output "$work/page.html" >/dev/null 2>"$work/err" && grep -q '</html>' "$work/page.html" ||
        { echo "acesim report of $name: $(head -1 "$work/err")"; failed=$((failed + 1)); }
    grep -qE 'nan|inf<' "$work/page.html" && { echo "acesim report of $name: found no number"; failed=$((failed + 1)); }
    "$acesim" diff "$file" "$file" --check >"$work/out" 2>"$work/err" && grep -q 'no setting and no number differs' "$work/out" ||
        { echo "acesim diff of $name: $(tail -1 "$work/out")$(head -1 "$work/err")"; failed=$((failed + 1)); }
    "$acesim" explain "$file" >"$work/out" 2>"$work/err"
    status=$?
    if [[ $name =~ ^(collective|run|train|search|msccl) ]]; then # astra runs where its files are
        [[ $status -eq 0 ]] && grep -q '^bound by' "$work/out" ||
            { echo "acesim explain of $name: $(tail -1 "$work/out")$(head -1 "$work/err")"; failed=$((failed + 1)); }
    elif [[ $name != astra* ]]; then
        [[ $status -eq 2 ]] && grep -q 'expected one of a run' "$work/err" ||
            { echo "acesim explain of $name: expected a refusal"; failed=$((failed + 1)); }
    fi
done
for n in 1 2; do
    (cd workloads/astra-sim-2 && "$acesim" explain "$work/astra.$n.json" >"$work/out" 2>/dev/null)
    grep -q '^bound by communication: 100.00 %' "$work/out" ||
        { echo "acesim explain of astra.$n: expected it to be bound by communication"; failed=$((failed + 1)); }
done

python3 tests/source/result_members.py "$acesim" "$work"/*.json || failed=$((failed + 1))

# The page must list each counter: by its unit without the class, or by its last name.
for name in $(sed -nE '/^\t"statistics":/,/^\t\}/s/^\t\t"([^"]+)":.*/\1/p' "$work"/{collective.[1-5],run}.json | sort -u); do
    unit=$(sed -E 's/\.(busy|starved|blocked|idle)$//; s/^link\.[xyzw][+-]/link/' <<<"$name")
    grep -qF -e "\`$unit\`" -e "\`$unit." -e "\`.${unit##*.}\`" -e "\`link.*.${unit##*.}\`" docs/reference/counters.md && continue
    echo "docs/reference/counters.md: found no line for $name"
    failed=$((failed + 1))
done
[[ $failed -eq 0 ]]

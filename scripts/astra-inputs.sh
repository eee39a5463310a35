#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs public Chakra traces, configurations of ASTRA-sim, and layer tables of ASTRA-sim 1.0, SimAI and AICB through
# `acesim astra`. Prints a table in Markdown: what ran, how large it is, how long it takes, and what was refused and
# why. The table also says whether the traces come back from a graph file with the same bytes.
#
#   scripts/astra-inputs.sh FOLDER [OPTIONS OF acesim astra]
#
# A run is ended after LIMIT seconds, an environment variable [600].
# FOLDER holds what the projects publish: astra-sim-2.x/{examples,inputs} and astra-sim-1.0
# (astra-sim/astra-sim), chakra/{stage,astra-sim-et-tarball,mlcommons,simai,aicb} and chakra-symbolic. Missing
# folders are skipped.
set -uo pipefail
cd "$(dirname "$0")/.."
acesim=$(realpath "${ACESIM:-build/release/acesim}")
inputs=$(realpath "${1:?usage: scripts/astra-inputs.sh FOLDER [OPTIONS]}")
shift
options=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
examples=$inputs/astra-sim-2.x/examples
system=$examples/system/native_collectives/Ring_4chunks.json
memory=$work/memory.json
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$memory"

# How many traces of a prefix come back from a graph file with their bytes.
back() { # PREFIX
    local f all=0 same=0
    "$acesim" convert --workload-configuration "$1" --output "$work/graph.yaml" 2>"$work/lost" || { echo refused; return; }
    rm -f "$work"/back.*
    "$acesim" convert --graph "$work/graph.yaml" --output "$work/back" 2>"$work/lost" || { echo refused; return; }
    for f in "$work"/back.*.et; do
        all=$((all + 1))
        cmp -s <(zcat -f "$1${f#"$work/back"}") "$f" && same=$((same + 1))
    done
    echo "$same of $all"
}

# A row: NAME PREFIX SYSTEM NETWORK OPTIONS...
run() {
    local name=$1 prefix=$2 system=$3 network=$4 start end status
    shift 4
    start=$(date +%s.%N)
    timeout "${LIMIT:-600}" "$acesim" astra --workload-configuration "$prefix" --system-configuration "$system" \
        --network-configuration "$network" --remote-memory-configuration "$memory" --quiet \
        "$@" "${options[@]}" >"$work/out" 2>"$work/err"
    status=$?
    end=$(date +%s.%N)
    if [ $status -eq 0 ]; then
        awk -v name="$name" -v back="$(back "$prefix")" -v wall="$(awk "BEGIN { printf \"%.1f\", $end - $start }")" '
            /\[acesim\]/ { npus = $3; nodes = $9; collectives = $11; messages = $13 }
            / finished, / { if ($5 > last) last = $5 }
            END { printf "| %s | %s | %s | %s | %s | %.1f | %s | %s | |\n", name, npus, nodes, collectives, messages, last / 1000, wall, back }
        ' "$work/out"
    elif [ $status -eq 124 ]; then
        printf '| %s | | | | | | more than %s | %s | |\n' "$name" "${LIMIT:-600}" "$(back "$prefix")"
    else
        printf '| %s | | | | | | | %s | %s |\n' "$name" "$(back "$prefix")" \
            "$(grep -v 'has no effect here' "$work/err" | head -n 1 | sed "s|$inputs/||g; s|$work/||g; s/^acesim: //; s/|/,/g")"
    fi
}
unpack() { # ARCHIVE: into a folder of its own; its name
    local to=$work/$(basename "$1")
    mkdir -p "$to" && tar xf "$1" -C "$to" 2>/dev/null
    echo "$to"
}
network() { # NAME TOPOLOGY NPUS: NPUS of each dimension, which are alike but for that
    printf 'topology: [ %s ]\nnpus_count: [ %s ]\nbandwidth: [ %s ]\nlatency: [ %s ]\n' "$(sed "s/[0-9]\+/$2/g" <<<"$3")" "$3" \
        "$(sed 's/[0-9]\+/50.0/g' <<<"$3")" "$(sed 's/[0-9]\+/500.0/g' <<<"$3")" >"$work/$1.yml"
    echo "$work/$1.yml"
}
# A row of a layer table: NAME FILE NETWORK SYSTEM OPTIONS of acesim convert...
table() {
    local name=$1 file=$2 network=$3 system=$4
    shift 4
    rm -f "$work"/table.*.et
    if "$acesim" convert --workload-table "$file" --network-configuration "$network" --output "$work/table" "$@" 2>"$work/err"; then
        run "$name" "$work/table" "$system" "$network" --clock 2GHz
    else
        printf '| %s | | | | | | | | %s |\n' "$name" "$(head -n 1 "$work/err" | sed "s|$inputs/||g")"
    fi
}

echo '| trace | NPUs | nodes | collectives | messages | time, us | wall, s | and back | refused |'
echo '|---|---|---|---|---|---|---|---|---|'
for kind in all_gather all_reduce all_to_all reduce_scatter; do
    for npus in 4 8 16; do
        folder=$examples/workload/microbenchmarks/$kind/${npus}npus_1MB
        [ -d "$folder" ] && run "$kind, ${npus}npus_1MB" "$folder/$kind" "$system" \
            "$examples/network/analytical/Ring_${npus}npus.yml"
    done
done
micro=$examples/workload/microbenchmarks/all_reduce
for machine in "$inputs"/astra-sim-2.x/inputs/system/analytical/*.json; do
    name=$(basename "$machine" .json)
    network=$inputs/astra-sim-2.x/inputs/network/$name.yml
    [ -f "$network" ] || continue
    npus=$(sed -nE 's/^npus_count: *\[(.*)\].*/\1/p' "$network" | tr ',' '*')
    prefix=$micro/$((npus))npus_1MB/all_reduce
    if [ ! -f "$prefix.0.et" ]; then # the same collective at each of more NPUs, or of fewer
        prefix=$work/$name
        for ((i = 0; i < npus; i++)); do cp "$micro/4npus_1MB/all_reduce.0.et" "$prefix.$i.et"; done
    fi
    run "all_reduce on $name" "$prefix" "$machine" "$network" --clock 4GHz
done
# Its traces are named from the root of that project.
[ -d "$examples/system/custom_collectives" ] &&
    (cd "$inputs/astra-sim-2.x" &&
        run 'all_reduce, custom collective' "$micro/8npus_1MB/all_reduce" \
            "$examples/system/custom_collectives/custom_collective.json" "$examples/network/analytical/Ring_8npus.yml")
for folder in "$inputs"/chakra/stage/* "$inputs/chakra-symbolic"; do
    [ -f "$folder/workload.json" ] && run "${folder#"$inputs"/}" "$folder/workload" "$system" \
        "$examples/network/analytical/Ring_8npus.yml" --comm-group-configuration "$folder/workload.json"
done
tarball=$inputs/chakra/astra-sim-et-tarball
if [ -d "$tarball" ]; then
    ring=$(network ring64 Ring 64)
    run onecomm_allreduce "$(unpack "$tarball/onecomm_allreduce.tar")/one_comm_coll_node_allreduce" "$system" "$ring"
    resnet=$(unpack "$tarball/resnet_dp.tar")/Resnet50_DataParallel
    run resnet_dp "$resnet" "$system" "$ring"
    run 'resnet_dp, --lenient' "$resnet" "$system" "$ring" --lenient
fi
mlcommons=$inputs/chakra/mlcommons
if [ -d "$mlcommons" ]; then
    two=$(network ring2 Ring 2)
    feeder=$(unpack "$mlcommons/feeder_tests_trace.tar.gz")/tests/data/chakra
    run feeder_tests_trace "$feeder" "$system" "$two"
    cp "$feeder.0.et" "$feeder.1.et"
    run 'feeder_tests_trace, its rank twice' "$feeder" "$system" "$two"
    echo '{ "scheduling-policy": "FIFO", "replay-only": 1 }' >"$work/replay.json"
    run 'feeder_tests_trace, its rank twice, replay-only' "$feeder" "$work/replay.json" "$two"
    json=$(unpack "$mlcommons/json_trace.tar.gz")/jsonData/chakra
    for i in 0 1; do cp "$json.0.json" "$json.$i.et"; done
    run 'json_trace' "$json" "$system" "$two"
    host=$(unpack "$mlcommons/1.0.2-chakra.0.0.4.tgz")/host
    for i in 0 1; do cp "$(dirname "$host")/1.0.2-chakra.0.0.4.json" "$host.$i.et"; done
    run '1.0.2-chakra.0.0.4 (host)' "$host" "$system" "$two"
fi
# Layer tables. Their compute is in nanoseconds with this roofline; tables of SimAI and AICB have gathered bytes.
echo '{ "scheduling-policy": "FIFO", "roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1000 }' >"$work/table.json"
old=$inputs/astra-sim-1.0
four=$(network torus444 Ring 4,4,4)
for file in "$old"/workload/*.txt; do
    [ -f "$file" ] && table "$(basename "$file" .txt)" "$file" "$four" "$work/table.json"
done
micro=$old/workload/microAllReduce.txt
for network in "$old"/network/*; do
    [ -f "$network" ] && table "microAllReduce on $(basename "$network")" "$micro" "$network" "$work/table.json"
done
for system in "$old"/system/*; do # on as many dimensions as it has words, rings for ring
    [ -f "$system" ] || continue
    words=$(sed -nE 's/^all-reduce-implementation: *//p' "$system" | tr -d '\r ' | tr _ ,)
    file=$(network "of$words" '' "$(sed -E 's/[^,]+/4/g' <<<"$words")")
    sed -i "s/^topology.*/topology: [ $(sed -E 's/ring/Ring/g; s/(direct|doubleBinaryTree|halvingDoubling)/Switch/g' <<<"$words") ]/" "$file"
    table "microAllReduce with $(basename "$system")" "$micro" "$file" "$system"
done
for file in "$inputs"/chakra/simai/*.txt "$inputs"/chakra/aicb/workload/simAI/*/*.txt; do
    [ -f "$file" ] || continue
    first=$(head -n 1 "$file")
    members() { sed -nE "s/.*[[:blank:]]$1:? *([0-9]+).*/\1/p" <<<"$first"; }
    npus=$(members model_parallel_NPU_group) experts=$(members ep)
    dims=4
    [ "${experts:-1}" -gt 1 ] && dims=$experts,$dims
    [ "${npus:-1}" -gt 1 ] && dims=$npus,$dims
    table "$(basename "$file" .txt), $dims" "$file" "$(network "ring${dims//,/x}" Ring "$dims")" "$work/table.json" --all-gathers total
done

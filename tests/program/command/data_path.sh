#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Clusters, models, sweeps, studies and views are found from any folder: next to the program's tree and in ACESIM_DATA.
# The path as written comes first. If nothing is found, the message lists where the program searched.
. "$(dirname "$0")/../begin.sh"
tree=$PWD
cd "$work" || exit 1
unset ACESIM_DATA

train() { # NAME CLUSTER WORKLOAD: its result in NAME
    "$acesim" run "$2" "$3" --endpoint ideal --iterations 1 --format json >"$1" 2>"$1.err"
}
value() { # NAME KEY
    sed -nE "s/^.*\"$2\":[[:space:]]*\"?([^\",]*).*$/\1/p" "$1" | head -n 1
}
equal() { # FOUND EXPECTED TEXT
    [ -n "$1" ] && [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}

# ---- what is given in full, and in short, is the same -----------------------------------------
train full "$tree/workloads/clusters/torus-4x2x2.yaml" "$tree/workloads/models/resnet50.yaml"
verdict $? "full paths: $(cat full.err)"
train short clusters/torus-4x2x2.yaml models/resnet50.yaml
verdict $? "below workloads/: $(cat short.err)"
train tree workloads/clusters/torus-4x2x2.yaml workloads/models/resnet50.yaml
verdict $? "from the tree: $(cat tree.err)"
for name in short tree; do
    equal "$(value $name config_digest)" "$(value full config_digest)" "$name: digest"
    equal "$(value $name cycles)" "$(value full cycles)" "$name: cycles"
done
grep -q '"clusters/torus-4x2x2.yaml"' short
verdict $? "the result's command does not repeat what was written"
# A table that a workload names lies beside the workload, wherever that was found.
train table clusters/torus-4x2x2.yaml resnet50.yaml
verdict $? "a workload with a table: $(cat table.err)"
"$acesim" workload models/dlrm.yaml --cluster clusters/torus-4x2x2.yaml >/dev/null 2>err
verdict $? "acesim workload: $(cat err)"

# ---- sweeps and studies, and the files that their commands name -------------------------------
"$acesim" sweep sweeps/chunk-and-fsms.yaml --list >list 2>err
verdict $? "a sweep of the tree: $(cat err)"
cat >mine.yaml <<'YAML'
name: mine
command: run clusters/torus-4x2x2.yaml resnet50.yaml
options: {iterations: 1}
grid: {endpoint: [ideal]}
YAML
"$acesim" sweep mine.yaml --format json >points 2>err
verdict $? "a sweep's command: $(cat err)"
equal "$(value points cycles)" "$(value table cycles)" "a sweep's point"
"$acesim" study engine --list >list 2>err && [ "$(wc -l <list)" -gt 10 ]
verdict $? "a study by its name: $(cat err)"

# ---- the view of a waveform -------------------------------------------------------------------
"$acesim" lockstep --cycles 2000 --seed 1 --wave lockstep.fst >/dev/null 2>&1
"$acesim" collective all-reduce --topology 2x1x1 --size 4KiB --record record >/dev/null 2>&1 &&
    "$acesim" wave record --slice 0 --output window.fst >out 2>err
verdict $? "acesim wave: $(cat err)"
grep -q "$tree/waves/.*filter" window.gtkw
verdict $? "the view's filters are not those of the tree"

# ---- who comes first ---------------------------------------------------------------------------
mkdir -p data/workloads/clusters clusters
sed 's/torus-4x2x2/from-data/; s/4x2x2/2x2x2/' "$tree/workloads/clusters/torus-4x2x2.yaml" \
    >data/workloads/clusters/torus-4x2x2.yaml
ACESIM_DATA=$work/data train in_data clusters/torus-4x2x2.yaml resnet50.yaml
equal "$(value in_data topology)" 2x2x2 "ACESIM_DATA before the tree"
sed 's/4x2x2/4x2x1/' "$tree/workloads/clusters/torus-4x2x2.yaml" >clusters/torus-4x2x2.yaml
ACESIM_DATA=$work/data train here clusters/torus-4x2x2.yaml resnet50.yaml
equal "$(value here topology)" 4x2x1 "the present folder before ACESIM_DATA"

# ---- nowhere -----------------------------------------------------------------------------------
missing() { # NAME WORDS...: all of them are in the message
    local name=$1 word; shift
    train missing "$name" resnet50.yaml
    equal "$?" 2 "$name: exit status"
    for word in "$@"; do
        grep -qF -- "$word" missing.err
        verdict $? "$name: '$word' is not in: $(cat missing.err)"
    done
}
missing none.yaml 'none.yaml:1:1: found No such file or directory' "$tree, $tree/workloads" 'ACESIM_DATA may'
ACESIM_DATA=$work/data missing none.yaml "$work/data, $work/data/workloads" "$tree, " 'ACESIM_DATA is set'
# A name that says where the file is, is not looked for elsewhere.
for name in ./resnet50.yaml "$work/resnet50.yaml" ../none/workloads/resnet50.yaml; do
    missing "$name" "$name:1:1: found No such file or directory, expected a file that can be read"
    ! grep -q ACESIM_DATA missing.err
    verdict $? "$name: looked for elsewhere"
done

echo "data_path: $passed passed, $failed failed"
exit $((failed > 0))

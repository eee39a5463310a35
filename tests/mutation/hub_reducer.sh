#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Does the lockstep of what reduces in a switch notice?  Plants the bugs of hub_reducer_mutations.txt in copies of
# rtl/ace_hub_reducer.v; every one must end in a difference from the twin, and the module without a bug must not.
#
#   tests/mutation/hub_reducer.sh      CYCLES (of each kind of traffic) and SEED may be set
set -euo pipefail
cd "$(dirname "$0")/../.."
cycles=${CYCLES:-20000} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tests/mutation/plant.sh
plant tests/mutation/hub_reducer_mutations.txt ace_hub_reducer "$work/rtl"
echo 'extern "C++" unsigned ace_mutant;' > "$work/mutant.h"

rooms=(base isa parts nic twin node plan host)
folders=("${rooms[@]/#/-I$PWD/cmodel/}")
twins=()
for file in cmodel/nic/ace_hub_reducer.c cmodel/parts/*.c cmodel/plan/ace_reference.c cmodel/base/*.c; do
    clang -std=c11 -O2 -ffp-contract=off "${folders[@]}" -c "$file" -o "$work/$(basename "$file" .c).o"
    twins+=("$work/$(basename "$file" .c).o")
done
ar rcs "$work/twins.a" "${twins[@]}"
# The small set of the lockstep test.
verilator --cc --exe --build -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast \
    --Mdir "$work/model" -I"$work/rtl" -GPORTS=3 -GCONTEXTS=2 -GROWS=4 -GTYPES=65 -GOPS=5 --top-module ace_hub_reducer \
    -CFLAGS "-std=c++17 -O1 -w -include $work/mutant.h ${folders[*]} -I$PWD/bridge -I$PWD/tests/lockstep" \
    -MAKEFLAGS 'CXX=clang++ LINK=clang++' -LDFLAGS "$work/twins.a -lgtest -lpthread" -o mutant_hub_reducer \
    "$work/rtl/ace_hub_reducer.v" "$PWD/tests/mutation/mutant_hub_reducer.cc" > "$work/log" 2>&1 ||
    { tail -40 "$work/log"; exit 1; }

failed=0
for ((i = 0; i <= number; i++)); do
    status=0
    said=$("$work/model/mutant_hub_reducer" "$i" "$cycles" "$seed") || status=$?
    want=$((i > 0)) verdict=pass
    [[ $status -eq $want ]] || { verdict=FAIL; failed=$((failed + 1)); }
    what='no bug'
    ((i)) && what=${mutations[i - 1]}
    printf '%s %d %s\n     %s\n' "$verdict" "$i" "$what" "${said##*$'\n'}"
done
echo "$((number + 1 - failed)) passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Does the lockstep of the agreement notice?  Plants the bugs of agreement_mutations.txt in copies of
# rtl/ace_agreement.v; every one must end in a difference from the twin, and the module without a bug must not.
#
#   tests/mutation/agreement.sh      CYCLES (of each kind of traffic) and SEED may be set
set -euo pipefail
cd "$(dirname "$0")/../.."
cycles=${CYCLES:-20000} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tests/mutation/plant.sh
plant tests/mutation/agreement_mutations.txt ace_agreement "$work/rtl"
echo 'extern "C++" unsigned ace_mutant;' > "$work/mutant.h"

rooms=(base isa parts nic twin node plan host)
folders=("${rooms[@]/#/-I$PWD/cmodel/}")
clang -std=c11 -O2 "${folders[@]}" -c cmodel/nic/ace_agreement.c -o "$work/agreement.o"
verilator --cc --exe --build -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast \
    --Mdir "$work/model" -I"$work/rtl" -GCOMMANDS=2 --top-module ace_agreement \
    -CFLAGS "-std=c++17 -O1 -w -include $work/mutant.h ${folders[*]} -I$PWD/bridge -I$PWD/tests/lockstep -I$PWD/tests/unit" \
    -MAKEFLAGS 'CXX=clang++ LINK=clang++' -LDFLAGS "$work/agreement.o -lgtest -lpthread" -o mutant_agreement \
    "$work/rtl/ace_agreement.v" "$PWD/tests/mutation/mutant_agreement.cc" > "$work/log" 2>&1 ||
    { tail -40 "$work/log"; exit 1; }

failed=0
for ((i = 0; i <= number; i++)); do
    status=0
    said=$("$work/model/mutant_agreement" "$i" "$cycles" "$seed") || status=$?
    want=$((i > 0)) verdict=pass
    [[ $status -eq $want ]] || { verdict=FAIL; failed=$((failed + 1)); }
    what='no bug'
    ((i)) && what=${mutations[i - 1]}
    printf '%s %d %s\n     %s\n' "$verdict" "$i" "$what" "${said##*$'\n'}"
done
echo "$((number + 1 - failed)) passed, $failed failed"
[[ $failed -eq 0 ]]

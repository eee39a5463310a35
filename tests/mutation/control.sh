#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Does the lockstep of the registers notice?  Plants the bugs of control_mutations.txt in copies of
# rtl/ace_control.v and of what is in it; every one must end in a difference from the twin, and the module without a
# bug must not.
#
#   tests/mutation/control.sh      CYCLES (of each kind of traffic) and SEED may be set
set -euo pipefail
cd "$(dirname "$0")/../.."
cycles=${CYCLES:-300000} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tests/mutation/plant.sh
plant tests/mutation/control_mutations.txt ace_control "$work/rtl"
echo 'extern "C++" unsigned ace_mutant;' > "$work/mutant.h"

twins=()
for name in control control_registers axil_slave doorbell_check; do
    clang -std=c11 -O2 -Icmodel/base -Icmodel/isa -Icmodel/parts -Icmodel/nic -Icmodel/twin -c "cmodel/twin/ace_$name.c" -o "$work/$name.o"
    twins+=("$work/$name.o")
done
verilator --cc --exe --build -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast \
    --Mdir "$work/model" -I"$work/rtl" -GCOMPLETIONS=4 --top-module ace_control \
    -CFLAGS "-std=c++17 -O2 -w -include $work/mutant.h -I$PWD/cmodel/base -I$PWD/cmodel/isa -I$PWD/cmodel/parts -I$PWD/cmodel/nic -I$PWD/cmodel/twin -I$PWD/bridge -I$PWD/tests/lockstep" \
    -MAKEFLAGS 'CXX=clang++ LINK=clang++' -LDFLAGS "${twins[*]} -lgtest -lpthread" -o mutant_control \
    "$work/rtl/ace_control.v" "$PWD/tests/mutation/mutant_control.cc" > "$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }

failed=0
for ((i = 0; i <= number; i++)); do
    status=0
    said=$("$work/model/mutant_control" "$i" "$cycles" "$seed") || status=$?
    want=$((i > 0)) verdict=pass
    [[ $status -eq $want ]] || { verdict=FAIL; failed=$((failed + 1)); }
    what='no bug'
    ((i)) && what=${mutations[i - 1]}
    printf '%s %d %s\n     %s\n' "$verdict" "$i" "$what" "${said##*$'\n'}"
done
echo "$((number + 1 - failed)) passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests whether the lockstep of a unit finds bugs. Plants the bugs of UNIT_mutations.txt in copies of rtl/ace_UNIT.v and
# of the modules in it. Every bug must end in a difference from the twin, and the unit without a bug must not.
#
#   tests/mutation/unit.sh agreement|control|hub_reducer      CYCLES (of each kind of traffic) and SEED may be set
set -euo pipefail
cd "$(dirname "$0")/../.."
unit=${1:-} cycles=20000
case $unit in # sets of their lockstep tests
agreement) parameters=(COMMANDS=2) ;;
control) parameters=(COMPLETIONS=4 TRIGGERS=4 FAULT_REGISTERS=1) cycles=300000 ;;
hub_reducer) parameters=(PORTS=3 CONTEXTS=2 ROWS=4 TYPES=65 OPS=5) ;;
*) echo "unit.sh: found '$unit', expected agreement, control or hub_reducer" >&2; exit 2 ;;
esac
cycles=${CYCLES:-$cycles} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tests/mutation/plant.sh
plant "tests/mutation/${unit}_mutations.txt" "ace_$unit" "$work/rtl"
echo 'extern "C++" unsigned ace_mutant;' > "$work/mutant.h"

folders=()
for folder in cmodel/*/; do folders+=("-I$PWD/$folder"); done
mkdir "$work/twins"
(cd "$work/twins" && clang -std=c11 -O2 -ffp-contract=off "${folders[@]}" -c "$OLDPWD"/cmodel/*/*.c && ar rcs ../twins.a ./*.o)
verilator --cc --exe --build -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast \
    --Mdir "$work/model" -I"$work/rtl" "${parameters[@]/#/-G}" --top-module "ace_$unit" \
    -CFLAGS "-std=c++17 -O1 -w -include $work/mutant.h ${folders[*]} -I$PWD/bridge -I$PWD/tests/lockstep -I$PWD/tests/unit" \
    -MAKEFLAGS 'CXX=clang++ LINK=clang++' -LDFLAGS "$work/twins.a -lgtest -lpthread" -o mutant \
    "$work/rtl/ace_$unit.v" "$PWD/tests/mutation/mutant_$unit.cc" > "$work/log" 2>&1 ||
    { tail -40 "$work/log"; exit 1; }

failed=0
for ((i = 0; i <= number; i++)); do
    status=0
    said=$("$work/model/mutant" "$i" "$cycles" "$seed") || status=$?
    want=$((i > 0)) verdict=pass
    [[ $status -eq $want ]] || { verdict=FAIL; failed=$((failed + 1)); }
    what='no bug'
    ((i)) && what=${mutations[i - 1]}
    printf '%s %d %s\n     %s\n' "$verdict" "$i" "$what" "${said##*$'\n'}"
done
echo "$((number + 1 - failed)) passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests whether the lockstep test of a unit finds bugs in its usual length.  Builds tests/lockstep/lockstep_UNIT_test.cc
# and the models of this unit alone, from a copy of rtl/ with the bugs of lockstep_mutations.txt.  Each is enabled by a
# number when the program starts.  Every bug must end in a difference from the twin, and the unit without a bug must not.
#
#   tests/mutation/lockstep.sh [UNIT ...]       all units of the list, or some; WORK names a folder to keep the builds in
set -euo pipefail
cd "$(dirname "$0")/../.."
list=tests/mutation/lockstep_mutations.txt
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
source tests/mutation/plant.sh
(($#)) || mapfile -t all < <(grep -o '^[a-z]\S*' $list | sort -u)
(($#)) || set -- "${all[@]}"
source tests/lockstep/unit_program.sh

failed=0 passed=0
for unit in "$@"; do
    grep "^$unit " $list | sed "s/^$unit //" > "$work/$unit.list" ||
        { echo "lockstep.sh: found no bug of $unit in $list" >&2; exit 2; }
    rm -rf "${work:?}/$unit"
    mkdir -p "$work/$unit"
    plant "$work/$unit.list" "ace_$unit" "$work/$unit/rtl"
    echo 'extern unsigned ace_mutant;' > "$work/$unit/mutant.h"
    printf '%s\n' '#include <cstdlib>' 'unsigned ace_mutant = std::atoi(std::getenv("ACE_MUTANT"));' > "$work/$unit/mutant.cc"
    EXTRA="$work/$unit/mutant.cc $(printf "$root/include/%s.cpp " verilated verilated_fst_c verilated_save verilated_threads)"
    DEFINES="-include $work/$unit/mutant.h -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0" \
        unit_program "$unit" "$work/$unit" "$work/$unit/rtl" --trace-fst --trace-depth 2
    for ((i = 0; i <= number; i++)); do
        said=$(ACE_MUTANT=$i "$work/$unit/test" 2>&1) && status=0 || status=$?
        where=$(grep -om1 'cycle [0-9]* pin .*' <<<"$said" || true)
        what='no bug' verdict=FAIL
        ((i)) && what=${mutations[i - 1]}
        [[ $i -eq 0 && $status -eq 0 ]] && verdict=pass
        [[ $i -gt 0 && $status -ne 0 && $where ]] && verdict=pass
        [[ $verdict == pass ]] && passed=$((passed + 1)) || failed=$((failed + 1))
        printf '%s %s %d %s\n     %s\n' "$verdict" "$unit" "$i" "$what" "${where:-$(tail -1 <<<"$said")}"
    done
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

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
root=$(verilator --getenv VERILATOR_ROOT)
[[ -d $root/include ]] || root=/usr/share/verilator
launcher=$(command -v ccache || true)

# build UNIT DIR: the program DIR/test
build() {
    local unit=$1 dir=$2 module prefix rest set includes
    local -a sets=("Vace_$unit") flags
    mkdir -p "$dir/bridge" "$dir/objects"
    # this unit alone, of those that the bridge knows
    UNIT=$unit perl -0pe 's/(#define ACE_RTL_UNIT_MAP\(X\)[^\n]*\n)(.*?)\n\n/
        my ($head, $body) = ($1, $2); my ($line) = $body =~ m{^(\s+X\($ENV{UNIT},.*?\))}m; "$head$line\n\n"/se' \
        bridge/ace_rtl_units.h > "$dir/bridge/ace_rtl_units.h"
    perl -ne 'print unless /^#include "Vace_/ && !/"Vace_'"$unit"'(_small|_odd|_four)?\.h"/' \
        bridge/ace_rtl_units.cc > "$dir/bridge/ace_rtl_units.cc"
    echo 'extern unsigned ace_mutant;' > "$dir/mutant.h"
    printf '%s\n' '#include <cstdlib>' 'unsigned ace_mutant = std::atoi(std::getenv("ACE_MUTANT"));' > "$dir/mutant.cc"
    verilate() {    # PREFIX [NAME=VALUE ...]
        local prefix=$1; shift
        verilator --cc -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial unique --trace-fst \
            --trace-depth 2 --prefix "$prefix" --Mdir "$dir/$prefix" -y "$dir/rtl" -I"$dir/rtl" "${@/#/-G}" \
            --top-module "ace_$unit" "$dir/rtl/ace_$unit.v" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
    }
    verilate "Vace_$unit"
    while read -r module _ prefix rest; do
        [[ $module == "ace_$unit" ]] || continue
        read -ra flags <<<"${rest#PARAMETERS }"
        verilate "$prefix" "${flags[@]}"
        sets+=("$prefix")
    done < cmake/unit_models.txt
    includes="-I$dir/bridge -Ibridge -Itests/lockstep -Itests/unit $(printf -- '-I%s ' cmodel/*/)"
    includes+=" $(printf -- "-I$dir/%s " "${sets[@]}") -I$root/include -I$root/include/vltstd"
    export dir includes launcher
    # shellcheck disable=SC2086
    compile() {
        case $1 in
            *.c) $launcher clang -std=c11 -O2 -w -ffp-contract=off -D_POSIX_C_SOURCE=200809L $includes -c "$1" \
                -o "$dir/objects/$(basename "$1").o" ;;
            *) $launcher clang++ -std=c++17 -w -O1 -include "$dir/mutant.h" -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 \
                $includes -c "$1" -o "$dir/objects/$(basename "$1").o" ;;
        esac
    }
    export -f compile
    {
        for set in "${sets[@]}"; do printf '%s\n' "$dir/$set"/*.cpp; done
        printf '%s\n' "$root"/include/verilated{,_fst_c,_save,_threads}.cpp "$dir/bridge/ace_rtl_units.cc" \
            "$dir/mutant.cc" "tests/lockstep/lockstep_${unit}_test.cc" cmodel/*/*.c
    } | xargs -P "$(nproc)" -I{} bash -c 'compile {}'
    clang++ "$dir"/objects/*.o -o "$dir/test" -lgtest -lgtest_main -lz -latomic -lpthread -lm
}

failed=0 passed=0
for unit in "$@"; do
    grep "^$unit " $list | sed "s/^$unit //" > "$work/$unit.list" ||
        { echo "lockstep.sh: found no bug of $unit in $list" >&2; exit 2; }
    rm -rf "${work:?}/$unit"
    mkdir -p "$work/$unit"
    plant "$work/$unit.list" "ace_$unit" "$work/$unit/rtl"
    build "$unit" "$work/$unit"
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

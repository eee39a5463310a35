# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# unit_program.sh -- a lockstep test with the models of its own unit alone, for other scripts to source
#
#   unit_program UNIT DIR RTL [OPTION ...]     makes DIR/test from the modules in RTL; the options are Verilator's
#
# DEFINES are options of the C++ compiler, and EXTRA more C++ sources.  The lockstep tests of a build link the models of
# all units, which takes minutes.  This program takes those of one.
root=$(verilator --getenv VERILATOR_ROOT)
[[ -d $root/include ]] || root=/usr/share/verilator
launcher=$(command -v ccache || true)

unit_program() {
    local unit=$1 dir=$2 rtl=$3 module prefix rest includes twins
    local -a sets=("Vace_$1") flags options=("${@:4}")
    mkdir -p "$dir/bridge" "$dir/objects"
    # this unit alone, of those that the bridge knows
    UNIT=$unit perl -0pe 's/(#define ACE_RTL_UNIT_MAP\(X\)[^\n]*\n)(.*?)\n\n/
        my ($head, $body) = ($1, $2); my ($line) = $body =~ m{^(\s+X\($ENV{UNIT},.*?\))}m; "$head$line\n\n"/se' \
        bridge/ace_rtl_units.h > "$dir/bridge/ace_rtl_units.h"
    perl -ne 'print unless /^#include "Vace_/ && !/"Vace_'"$unit"'(_small|_odd|_four)?\.h"/' \
        bridge/ace_rtl_units.cc > "$dir/bridge/ace_rtl_units.cc"
    verilate() {    # PREFIX [NAME=VALUE ...]
        local prefix=$1; shift
        verilator --cc -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial unique \
            --prefix "$prefix" --Mdir "$dir/$prefix" -y "$rtl" -I"$rtl" "${@/#/-G}" \
            --top-module "ace_$unit" "$rtl/ace_$unit.v" "${options[@]}" > "$dir/log" 2>&1 ||
            { cat "$dir/log" >&2; exit 1; }
    }
    verilate "Vace_$unit"
    while read -r module _ prefix rest; do
        [[ $module == "ace_$unit" ]] || continue
        read -ra flags <<<"${rest#PARAMETERS }"
        verilate "$prefix" "${flags[@]}"
        sets+=("$prefix")
    done < cmake/unit_models.txt
    twins=$(printf -- '-I%s ' cmodel/*/)
    includes="-I$dir/bridge -Ibridge -Itests/lockstep -Itests/unit $twins"
    includes+=" $(printf -- "-I$dir/%s " "${sets[@]}") -I$root/include -I$root/include/vltstd"
    export dir includes twins launcher DEFINES
    # shellcheck disable=SC2086
    compile() {
        case $1 in
            *.c) $launcher clang -std=c11 -O2 -w -ffp-contract=off -D_POSIX_C_SOURCE=200809L $twins -c "$1" \
                -o "$dir/objects/$(basename "$1").o" ;;
            *) $launcher clang++ -std=c++17 -w -O1 $DEFINES $includes -c "$1" -o "$dir/objects/$(basename "$1").o" ;;
        esac
    }
    export -f compile
    {
        for prefix in "${sets[@]}"; do printf '%s\n' "$dir/$prefix"/*.cpp; done
        # shellcheck disable=SC2086
        printf '%s\n' "$dir/bridge/ace_rtl_units.cc" "tests/lockstep/lockstep_${unit}_test.cc" cmodel/*/*.c $EXTRA
    } | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile {}'
    clang++ "$dir"/objects/*.o -o "$dir/test" -lgmock -lgtest -lgtest_main -lz -latomic -lpthread -lm
}

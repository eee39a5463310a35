#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The RTL as three tools read it, each module as top, without a single message;
# then the form of all sources; tests/quick.sh checks what clang-format does.  Prints what is wrong and fails.
#
#   tests/source/lint.sh              everything
#   tests/source/lint.sh rtl MODULE   one module
set -uo pipefail
cd "$(dirname "$0")/../.."
shopt -s nullglob

# One module under one parameter set: `lint MODULE [NAME=VALUE ...]`
lint() {
    local top=$1; shift
    local -a verilator_g=() icarus_p=()
    local yosys_p='' below='' whole="$top" inside set status=0
    [[ $top == ace_engine ]] && below='*ace_node*' whole='ace_engine|ace_node'
    for set in "$@"; do
        verilator_g+=("-G$set")
        icarus_p+=("-P$top.$set")
        yosys_p+=" -set ${set/=/ }"
    done
    # The build has Verilator read the engine and the modules that have a bridge of their own. The blocks of the
    # node are read by both tools in the engine.
    [[ -z ${everything:-} && " $built $blocks " == *" $top "* ]] || try "verilator $top $*" \
        verilator --lint-only -Wall -y rtl -Irtl --top-module "$top" "${verilator_g[@]}" "rtl/$top.v" || status=1
    # -t null, never -o /dev/null: as root iverilog changes the mode of its output file
    [[ -z ${everything:-} && " $blocks " == *" $top "* ]] || try "iverilog $top $*" \
        iverilog -g2005 -Wall -t null -y rtl -I rtl -s "$top" "${icarus_p[@]}" "rtl/$top.v" || status=1
    # the modules inside have a turn of their own: of those it names, Yosys reads the ports
    inside=$(printf 'rtl/%s.v\n' $(grep -hoE '\bace_[a-z0-9_]+\b' rtl/${whole/|/.v rtl/}.v | sort -u) |
             grep -vE "^rtl/($whole)\.v$" | grep -Fxf <(printf '%s\n' rtl/*.v) | paste -sd' ')
    [[ $inside ]] && inside="read_verilog -lib -I rtl $inside;"
    local read="$inside read_verilog -I rtl rtl/${whole/|/.v rtl/}.v"
    [[ $yosys_p ]] && read+="; chparam$yosys_p $top"
    try "yosys $top $*" \
        yosys -q -p "$read; hierarchy -check -top $top; proc *$top* $below; check -assert *$top* $below" || status=1
    return $status
}

# Runs a command that must succeed and say nothing.
try() {
    local what=$1 said; shift
    said=$("$@" 2>&1 </dev/null)
    local rc=$?
    [[ $rc -eq 0 && -z $said ]] && return 0
    printf '%s: exit %d\n%s\n\n' "$what" "$rc" "$said"
    return 1
}
export -f lint try
built="ace_engine $(sed -nE '/set\(ACE_RTL_UNITS/,/\)/p' bridge/CMakeLists.txt | grep -oE '\bace_[a-z_]+' | paste -sd' ')"
blocks=$(sed -nE 's/^ +(ace_[a-z_]+) #\($/\1/p' rtl/ace_node.v | paste -sd' ')
export built blocks

if [[ ${1:-} == rtl ]]; then shift; everything=1 lint "$@"; exit; fi

# With the default parameters: what depends on others, Verilator says as it builds each set.
# The node, half of the time, has its turn in the engine, which takes its parameters as they are.
failed=0
for file in rtl/*.v; do basename "$file" .v; done | grep -vx ace_node | xargs -r -P "$(nproc)" -I{} bash -c 'lint {}' || failed=1

sources=$(find cmodel bridge sim-top workloads tests \
               -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' | sort)
awk -f tests/source/lengths.awk $sources | grep . && failed=1
awk 'function judge() { if (file && !licensed) { print file ": no SPDX line"; bad = 1 } }
     FNR == 1 { judge(); file = FILENAME; licensed = 0 }
     FNR <= 2 && /SPDX-License-Identifier: Apache-2.0/ { licensed = 1; nextfile }
     FNR == 2 { nextfile }
     END { judge(); exit bad }' \
    $sources rtl/*.v rtl/*.vh cmake/*.cmake CMakeLists.txt */CMakeLists.txt scripts/*.sh tests/*.sh tests/*/*.sh waves/*.sh || failed=1

# Lines of RTL, and names that stand above their declarations.
awk 'length > 120 { printf "%s:%d: %d columns, expected 120 at most\n", FILENAME, FNR, length; long = 1 }
     END { exit long }' rtl/*.v rtl/*.vh || failed=1
awk -f tests/source/declared.awk rtl/*.v || failed=1

# The twin of a module, and the test that compares the two, are files of the tree.
for file in rtl/*.v; do
    twin=$(sed -nE '/^\/\/   Twin  /,/^(\/\/)?$/p' "$file")
    for name in $(grep -oE '\bcmodel/[a-z0-9_/]+\.[ch]\b' <<<"$twin" || echo cmodel/none.h) \
                $(grep -oE '\btests/[a-z0-9_/]+\.cc\b' <<<"$twin" || echo tests/none.cc); do
        [[ -f $name ]] || { echo "$file: Twin: found $name, expected a file of the tree"; failed=1; }
    done
done

[[ $failed -eq 0 ]] && echo "lint: clean"
exit $failed

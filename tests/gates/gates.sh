#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the gates of a module do what its RTL does.  Yosys maps each module of modules.txt to the cells of LIBERTY
# and writes the netlist.  It then reads the netlist back, with each cell's function from the same file. It proves that each
# output and each register of both is equal in every cycle. SAT proves logic between registers, and induction proves what
# depends on several registers.  A netlist with one cell of another kind must not be equal.
#
#   tests/gates/gates.sh [MODULE ...]       all modules of the list, or some
#
# Prints a line a module: "pass MODULE PARAMETERS: N cells, F of them flip-flops, P points proved".
set -euo pipefail
cd "$(dirname "$0")/../.."
list=tests/gates/modules.txt
liberty=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
command -v yosys >/dev/null || { echo "gates.sh: found no yosys, expected the package yosys" >&2; exit 2; }
[[ -s $liberty ]] || { echo "gates.sh: found no $liberty, expected the package qflow-tech-osu018" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# maps MODULE [NAME=VALUE ...]: $work/MODULE.v, its gates, and $work/MODULE.il, its RTL
maps() {
    local module=$1 set parameters=''
    shift
    for set in "$@"; do parameters+=" -chparam ${set/=/ }"; done
    yosys -q -p "
        read_verilog -I rtl rtl/$module.v
        hierarchy -check -top $module -libdir rtl$parameters
        proc; flatten; opt_expr; opt_clean; memory_map; opt_clean; setundef -undriven -zero
        rename -top gold; write_rtlil $work/$module.il
        rename gold gate; opt -full; wreduce; alumacc; opt -fast; techmap; opt -fast
        dfflibmap -liberty $liberty; abc -liberty $liberty -D 4000; opt_clean
        tee -q -o $work/$module.stat stat
        write_verilog -noattr $work/$module.v" >"$work/said" 2>&1
}

# equal MODULE NETLIST: whether the proof ends; $work/proof says how
equal() {
    timeout "${LIMIT:-300}" yosys -p "
        read_liberty $liberty; read_verilog $2
        proc; flatten gate; opt_clean; design -stash gate
        read_rtlil $work/$1.il; design -stash gold
        design -copy-from gold gold; design -copy-from gate gate
        equiv_make gold gate equiv; hierarchy -top equiv; clean
        equiv_simple; equiv_induct; equiv_status -assert" >"$work/proof" 2>&1
}

failed=0 passed=0
result() { # VERDICT TEXT
    [[ $1 == pass ]] && passed=$((passed + 1)) || failed=$((failed + 1))
    echo "$*"
}
while read -r module parameters <&3; do
    [[ $module == ace_* ]] || continue
    [[ $# -eq 0 || " $* " == *" $module "* ]] || continue
    # shellcheck disable=SC2086
    maps "$module" $parameters || { result FAIL "$module: $(tail -1 "$work/said")"; continue; }
    cells=$(awk '/Number of cells:/ { n = $NF } END { print n + 0 }' "$work/$module.stat")
    flops=$(awk '$1 ~ /^(DFF|LATCH)/ { n += $2 } END { print n + 0 }' "$work/$module.stat")
    if equal "$module" "$work/$module.v"; then
        points=$(sed -nE 's/.*Found ([0-9]+) \$equiv cells.*/\1/p' "$work/proof" | tail -1)
        result pass "$module${parameters:+ $parameters}: $cells cells, $flops of them flip-flops, $points points proved"
    else
        result FAIL "$module${parameters:+ $parameters}: $(grep -E 'unproven|ERROR' "$work/proof" | tail -1)"
        continue
    fi
    [[ ${controlled:-} ]] && continue
    controlled=1
    sed '0,/NOR2X1/s//NAND2X1/' "$work/$module.v" >"$work/other.v"
    cmp -s "$work/$module.v" "$work/other.v" && { echo "gates.sh: no cell was changed" >&2; exit 2; }
    if equal "$module" "$work/other.v"; then result FAIL "a netlist of $module with another cell is not equal"
    else result pass "$module with another cell: not equal"; fi
done 3<"$list"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 1 ]]

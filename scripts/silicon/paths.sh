#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paths.sh DIR TOP [LIMIT] -- the longest paths of TOP and what is in it, from DIR/gates
#
# One line for each end of a path: ns, start, end, sorted with the longest first. Start and end are flip-flops
# named after their register in the RTL, pins of macros, or ports ("in", "out"). Ports are driven, and taken, at
# the clock's edge. Of parallel ALUs, of the words of an ALU, and of the FSMs of a phase, only the first is
# mapped, because the others are equal. A black box replaces each of the others, and no path goes through it.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
dir=$1/gates top=$2 limit=${3:-20000}
cd "$dir"
{
    echo "read_liberty cells.lib"
    [[ ! -s macros.lib ]] || echo "read_liberty macros.lib"
    for netlist in ${NETLISTS:-$("$here/inside.sh" .. "$top" | sed s/$/.v/)}; do
        awk -f "$here/bits.awk" -f "$here/assigns.awk" "$netlist" |
            sed -E 's/^  (ace_\w+) (\\g_(alu|word)\[[1-9]|\\g_phase\[[0-9]+\]\.g_fsm\[[1-9])/  \1_alike \2/' >"sta_${netlist##*/}"
        echo "read_verilog sta_${netlist##*/}"
    done
    cat <<TCL
link_design $top
create_clock -name clk -period 1000 [get_ports clk]
set ins {}
foreach port [all_inputs] { if {[get_full_name \$port] ne "clk"} { lappend ins \$port } }
set_input_delay 0 -clock clk \$ins
set_output_delay 0 -clock clk [all_outputs]
group_path -name in -from \$ins
report_checks -format summary -group_count $limit -digits 4
TCL
} >"paths_$top.tcl"
sta -exit -no_splash "paths_$top.tcl" >"paths_$top.log" 2>&1
rm -f sta_*.v
grep -i '^error' "paths_$top.log" >&2 && exit 1
awk '
    function name(pin) {                # of the register a flip-flop is named after
        gsub(/\\/, "", pin)
        sub(/_reg(_[0-9]+)?\/[A-Z]+$/, "", pin)
        return pin
    }
    $1 != "Warning:" && $NF ~ /^-?[0-9.]+$/ && NF >= 5 {
        printf "%.3f %s %s\n", 1000 - $NF, ($2 == "(input)" ? "in:" : "") name($1), ($4 == "(output)" ? "out:" : "") name($3)
    }' "paths_$top.log"

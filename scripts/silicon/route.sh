#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# route.sh DIR MODULE [FILE ...] -- the cost of wires: MODULE placed and routed in the 180 nm library
#
# The estimate of silicon.sh has no wires. Here qflow maps a module by itself (its abc script, no hierarchy),
# graywolf places the cells, and qrouter routes them in the six metals of osu018. The longest path between
# registers is computed twice: before routing without wires, and after routing with the resistance and
# capacitance of the drawn wires. Both use one netlist, so their difference is the wires. FILE: other files of
# rtl/ that MODULE contains.
#
#   DIR/MODULE/layout/MODULE.def   cells and wires, for magic or klayout
#
# Takes minutes for a thousand cells, hours for ten thousand.  Needs the packages qflow and tcsh.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(realpath -m "$1")/$2 module=$2
shift 2
FO4_LIBRARY_PS=${FO4_LIBRARY_PS:-99.2} # what fo4.sh prints of this library

for tool in qflow:qflow graywolf:qflow qrouter:qflow tcsh:tcsh yosys:yosys; do
    command -v "${tool%:*}" >/dev/null ||
        { echo "route.sh: found no ${tool%:*}, expected the package ${tool#*:}" >&2; exit 2; }
done
rm -rf "$dir" && mkdir -p "$dir"/{source,synthesis,layout,log}
files=("rtl/$module.v")
for file in "$@"; do files+=("rtl/$file.v"); done
yosys -q -p "read_verilog -I rtl ${files[*]}; hierarchy -check -top $module; proc; flatten; opt; memory; opt
             rename -top $module; write_verilog -noattr $dir/source/$module.v"
cd "$dir"
for step in synthesize place sta route backanno; do
    qflow -T osu018 $step "$module" >"log/$step.out" 2>&1 ||
        { echo "route.sh: qflow $step failed, see $dir/log" >&2; exit 1; }
done
grep -q 'No failed routes' log/route.log ||
    { echo "route.sh: found wires that could not be routed, expected none; see $dir/log/route.log" >&2; exit 1; }

# Picoseconds between registers.
longest() { # LOG
    awk '/Computed maximum clock frequency/ { printf "%.0f", 1e6 / $(NF - 1); found = 1; exit }
         END { if (!found) exit 1 }' "$1"
}
before=$(longest log/sta.log) after=$(longest log/post_sta.log)
cells=$(awk '$1 == "COMPONENTS" { print $2; exit }' "layout/$module.def")
awk -v module="$module" -v cells="$cells" -v before="$before" -v after="$after" -v fo4="$FO4_LIBRARY_PS" 'BEGIN {
    printf "%s: %d cells, fill among them; longest path %.2f ns (%.1f FO4) without wires, %.2f ns (%.1f FO4) with them, %+.1f %%\n",
        module, cells, before / 1000, before / fo4, after / 1000, after / fo4, 100 * (after / before - 1) }'

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# modules.sh DIR [LIST] -- does the clock fit? Longest paths of modules in any cell library, a table in Markdown
#
#   LIBERTY      liberty files of one library and one corner, with spaces between
#   CYCLE_PS     803: a cycle of 1245 MHz
#   UNCERTAINTY  0.05: its share for jitter and skew, as in rtl/ace.sdc
#   WIRES        0.037: what wires add to a path; the smallest share that route.sh measured
#   FO4_PS       none: the library's own delays. Else the path's FO4s take so many picoseconds each
#   INVERTER     none: the smallest inverter of the library is that of the FO4
#
# library.awk finds the flip-flop, the inverters and the units in the files. Yosys maps each module of LIST
# (modules.txt in this folder) flat, and abc sizes cells and adds buffers, for 40 FO4. A line of LIST is a module and
# NAME=VALUE of each parameter without its default. An enable is a multiplexer: no clock gates. Memories that macros.awk
# names are black boxes with the delays of liberty.awk, in FO4 of the library. OpenSTA times paths between registers,
# memories among them, with setup. Of the cycle the uncertainty is taken off first, then the share of wires.
#
#   DIR/names         what library.awk found, DIR/fo4 the FO4 in ps, DIR/MODULE.ps the longest path in ps
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
dir=$(realpath -m "$1") list=$(realpath -m "${2:-scripts/silicon/modules.txt}")
for tool in yosys:yosys sta:opensta; do
    command -v "${tool%:*}" >/dev/null || { echo "modules.sh: found no ${tool%:*}, expected the package ${tool#*:}" >&2; exit 2; }
done
read -ra files <<<"${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}"
for file in "${files[@]}"; do [[ -r $file ]] || { echo "modules.sh: found no $file, expected a liberty file" >&2; exit 2; }; done
mkdir -p "$dir"
if [[ $(cat "$dir/of" 2>/dev/null) != "${files[*]} ${INVERTER:-}" ]]; then
    rm -f "$dir"/*.ps
    awk -v lib="$dir/cells.lib" -v flops="$dir/flops.v" -v box="$dir/box.v" -v inverter="${INVERTER:-}" \
        -f "$here/library.awk" "${files[@]}" >"$dir/names"
    echo "${files[*]} ${INVERTER:-}" >"$dir/of"
fi
read -r _ inverter input output load < <(grep '^inverter' "$dir/names")
fo4=$("$here/fo4.sh" "$dir" "$inverter" "$input" "$output")
echo "$fo4" >"$dir/fo4"
printf 'set_driving_cell %s\nset_load %s [all_outputs]\n' "$(awk '$1 == "driver" { print $2 }' "$dir/names")" \
    "$(awk -v pf="$load" 'BEGIN { print 4 * pf }')" >"$dir/abc.constr"

longest() { # MODULE [NAME=VALUE ...]: its longest path in ps
    local module=$1 set parameters=''; shift
    for set in "$@"; do parameters+=" -chparam ${set/=/ }"; done
    yosys -q -p "read_verilog -I rtl rtl/*.v; hierarchy -check -top $module$parameters; rename -top $module
                 proc; flatten; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean; alumacc; opt
                 memory -nomap; opt_clean; write_rtlil $dir/$module.coarse" || return 1
    : >"$dir/macros" && : >"$dir/boxes"
    awk -v module="$module" -v list="$dir/macros" -v boxes="$dir/boxes" -v models=/dev/null -f "$here/macros.awk" \
        "$dir/$module.coarse" >"$dir/$module.with"
    yosys -q -p "read_verilog -lib $dir/box.v; read_rtlil $dir/boxes; read_rtlil $dir/$module.with; select $module
                 techmap -map $here/shiftx.v; opt -fast -full; memory_map; opt -undriven -fine; techmap; opt -fast
                 dfflegalize -cell \$_DFF_P_ 01; techmap -map $dir/flops.v; simplemap; opt -fast
                 abc -D $(awk -v fo4="$fo4" 'BEGIN { print int(40 * fo4) }') -constr $dir/abc.constr -liberty $dir/cells.lib -script $here/abc.script
                 clean; write_verilog -selected -noattr -noexpr $dir/$module.gates" || return 1
    awk -v fo4="$(awk -v ps="$fo4" 'BEGIN { print ps / 1000 }')" -v base="${MACRO_FO4:-16}" -v root="${MACRO_ROOT:-128}" \
        -v setup="$(awk -v ps="$fo4" 'BEGIN { print 2 * ps / 1000 }')" -v pin_pf="$load" -f "$here/liberty.awk" "$dir/macros" >"$dir/macros.lib"
    awk -f "$here/bits.awk" -f "$here/assigns.awk" "$dir/$module.gates" >"$dir/sta.v"
    {
        echo "read_liberty cells.lib"
        [[ ! -s $dir/macros ]] || echo "read_liberty macros.lib"
        cat <<TCL
read_verilog sta.v
link_design $module
set_cmd_units -time ps
create_clock -name clk -period 1000000 [get_ports clk]
foreach port [all_inputs] { if {[get_full_name \$port] ne "clk"} { set_false_path -from \$port } }
set_false_path -to [all_outputs]
report_checks -digits 3
TCL
    } >"$dir/sta.tcl"
    (cd "$dir" && sta -exit -no_splash sta.tcl) >"$dir/$module.log" 2>&1
    if grep -m1 -i '^error' "$dir/$module.log" >&2; then return 1; fi
    rm "$dir/$module".{coarse,with,gates} "$dir/sta.v"
    awk '$NF == "(MET)" { printf "%.1f\n", 1000000 - $1; found = 1; exit } END { if (!found) exit 1 }' "$dir/$module.log"
}

while read -r module parameters; do
    [[ -f rtl/$module.v ]] || { echo "modules.sh: $list: found no module $module, expected one of rtl/" >&2; exit 2; }
    if ! [[ -s $dir/$module.ps && -z $(find rtl "$here"/{modules.sh,library.awk,macros.awk,liberty.awk} "$list" -name '*.*' -newer "$dir/$module.ps") ]]; then
        # shellcheck disable=SC2086 # a word for each parameter
        longest "$module" $parameters >"$dir/part" || { echo "modules.sh: $module failed, see $dir/$module.log" >&2; exit 1; }
        mv "$dir/part" "$dir/$module.ps"
    fi
done < <(grep -v '^ *\(#\|$\)' "$list")

printf 'FO4 of %s: %s ps' "$inverter" "$fo4"; [[ -z ${FO4_PS:-} ]] || printf ', taken as %s ps' "$FO4_PS"; echo; echo
echo '| module | parameters | ps | FO4 | slack, ps | MHz |'
echo '|---|---|--:|--:|--:|--:|'
grep -v '^ *\(#\|$\)' "$list" | while read -r module parameters; do
    awk -v module="$module" -v parameters="${parameters:--}" -v fo4="$fo4" -v taken="${FO4_PS:-$fo4}" \
        -v cycle="${CYCLE_PS:-803}" -v uncertainty="${UNCERTAINTY:-0.05}" -v wires="${WIRES:-0.037}" '
        { path = $1 / fo4 * taken
          printf "| %s | %s | %.0f | %.1f | %+.0f | %.0f |\n", module, parameters, path, $1 / fo4,
              cycle * (1 - uncertainty) / (1 + wires) - path, 1e6 * (1 - uncertainty) / (path * (1 + wires)) }' "$dir/$module.ps"
done
awk -v fo4="${FO4_PS:-$fo4}" -v cycle="${CYCLE_PS:-803}" -v uncertainty="${UNCERTAINTY:-0.05}" -v wires="${WIRES:-0.037}" 'BEGIN {
    left = cycle * (1 - uncertainty) / (1 + wires)
    printf "\nOf a cycle of %s ps %.0f ps are left for gates: %.1f FO4.\n", cycle, left, left / fo4 }'

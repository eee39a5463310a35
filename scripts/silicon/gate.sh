#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gate.sh DIR MODULE VCD [SCOPE] -- the netlist of MODULE in Icarus, on recorded pins
#
# Compares every output, every cycle, with the recording.  Prints: cycles, outputs compared
# whole, in part, different; then what toggles.awk makes of the changes of all nets.  VCD is a
# recording of MODULE's pins, or of ace_node with MODULE at SCOPE.  The cells are models made of
# the functions in the liberty file.  Of an ALU the lanes of one word are gates, whose changes
# stand for those of sixteen; the others are RTL.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
gates=$1/gates module=$2 vcd=$3 scope=${4:-}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
if [[ $scope ]]; then awk -v scope="$scope" -f "$here/scope.awk" "$vcd" >"$work/pins.vcd"
else cp "$vcd" "$work/pins.vcd"; fi
# ports of the netlist, as those of the RTL are written
awk -v module="$module" '$1 == "module" && $2 == "\\" module { on = 1 } on && / (input|output) /{ print "    " $(NF-2) " " substr($NF, 2) } on && /^end/ { exit }' "$1/rtl/boxes" >"$work/ports"
awk -v module=both -v bench="$work/bench.v" -v vectors="$work/vectors" -v reset="${scope:+3}" \
    -f tests/icarus/bench.awk "$work/ports" "$work/pins.vcd"
awk -f "$here/cells.awk" "$gates/cells.lib" >"$work/cells.v"
sources=() models=()
mapfile -t inside < <("$here/inside.sh" "$1" "$module")
for m in "${inside[@]}"; do sources+=("$gates/$m.v"); models+=("$gates/$m.model.v"); done
# One module of single wires: Icarus takes quadratic time for a wide wire whose bits change alone.
# Mapped gates may not come out of reset from x, though they do from any state: theirs is 0 at the
# beginning.  What they show of it is not compared: the RTL beside them, from x, knows which bits.
flat=$gates/$module.flat.v rtl=$gates/$module.rtl.v
words='\\g_word\[([1-9]|1[0-5])\]'
if ! [[ -s $flat && -s $rtl && -z $(find "${sources[@]}" "$here/gate.sh" -newer "$flat") ]]; then
    for source in "${sources[@]}"; do sed -E "s/^  (ace_\w+) ($words)/  \1_rtl \2/" "$source"; done >"$work/netlists.v"
    sed -E 's/^module .*/&_rtl/' "$1/rtl/boxes" >"$work/boxes"
    yosys -q -p "read_liberty -lib $gates/cells.lib; read_rtlil $work/boxes; read_verilog $work/netlists.v; flatten $module
                 rename $module ${module}_gates; select ${module}_gates; splitnets; write_verilog -selected -noattr $work/flat.v"
    sed -E "s/^  (ace_\w+)_rtl /  \1 /; /^    \.CLK\(/d" "$work/flat.v" >"$flat"
    yosys -q -p "read_rtlil $1/rtl/boxes; $(for m in "${inside[@]}"; do echo "delete =$m; read_rtlil $1/rtl/$m.il;"; done)
                 proc; write_verilog -noattr $rtl"
fi
awk -v module="$module" '
    $1 == "module" && $2 == "\\" module { on = 1; next }
    on && /^end/ { exit }
    on && / (input|output) / {
        name = substr($NF, 2); range = " [" ($2 == "width" ? $3 : 1) - 1 ":0] "; kind = $(NF - 2)
        ports = ports ", " kind range name
        gates = gates ", ." name "(" name (kind == "output" ? "_gates" : "") ")"
        rtl = rtl ", ." name "(" name (kind == "output" ? "_rtl" : "") ")"
        if (kind == "output")
            body = body "    wire" range name "_gates, " name "_rtl;\n    assign " name " = " name "_gates ^ " name "_rtl ^ " name "_rtl;\n"
    }
    END {
        printf "module both (%s);\n%s    %s_gates u_gates (%s);\n    %s u_rtl (%s);\nendmodule\n", substr(ports, 3), body,
            module, substr(gates, 3), module, substr(rtl, 3)
    }' "$1/rtl/boxes" >"$work/both.v"
iverilog -g2005 -o "$work/bench.vvp" -DDUMP="\"$work/nets.vcd\"" -s bench "$work/bench.v" "$work/cells.v" "$work/both.v" "$flat" "$rtl" "${models[@]}"
awk -f "$here/cell_energy.awk" "$gates/cells.lib" >"$work/energy"
vvp -n "$work/bench.vvp" >"$work/said"
sed -n 's/ cycles, \([0-9]*\) pins compared whole, \([0-9]*\) in part, \([0-9]*\) differ/ \1 \2 \3/p' "$work/said" | tr '\n' ' '
awk -v sample='g_word[[]0[]]' -v times=16 -f "$here/toggles.awk" "$work/energy" "$work/nets.vcd"
grep '^cycle ' "$work/said" >&2 && exit 1
exit 0

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gate.sh DIR MODULE VCD [SCOPE] -- the netlist of MODULE in Icarus, on recorded pins
#
# Compares every output, every cycle, with the recording, and leaves the changes of each net in
# DIR/gates/MODULE.activity.  VCD is a recording of MODULE's pins, or of ace_node with MODULE at
# SCOPE.  The cells are models made of the functions in the liberty file.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
gates=$1/gates module=$2 vcd=$3 scope=${4:-}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
if [[ $scope ]]; then awk -v scope="$scope" -f "$here/scope.awk" "$vcd" >"$work/pins.vcd"
else cp "$vcd" "$work/pins.vcd"; fi
# ports of the netlist, as those of the RTL are written
awk -v module="$module" '$1 == "module" && $2 == "\\" module { on = 1 } on && / (input|output) /{ print "    " $(NF-2) " " substr($NF, 2) } on && /^end/ { exit }' "$1/rtl/stubs" >"$work/ports"
awk -v module="$module" -v bench="$work/bench.v" -v vectors="$work/vectors" -v reset="${scope:+3}" \
    -f tests/icarus/bench.awk "$work/ports" "$work/pins.vcd"
[[ -s $gates/cells.v ]] || (cd "$gates" && yosys -q -p "read_liberty -ignore_miss_func -ignore_miss_dir cells.lib; proc; write_verilog -noattr cells.v")
mkfifo "$work/nets.vcd"
files=$(awk -v top="$module" '{ child[$1] = child[$1] " " $2 } function visit(m, k, n, c) { if (seen[m]++) return; print m; n = split(child[m], c, " "); for (k = 1; k <= n; k++) visit(c[k]) } END { visit(top) }' "$1/rtl/instances")
sources=()
for m in $files; do sources+=("$gates/$m.v" "$gates/$m.model.v"); done
iverilog -g2005 -o "$work/bench.vvp" -DDUMP="\"$work/nets.vcd\"" -s bench "$work/bench.v" "$gates/cells.v" "${sources[@]}"
awk -v top=bench.dut -f "$here/toggles.awk" "$work/nets.vcd" >"$gates/$module.activity" &
vvp -n "$work/bench.vvp" | tail -2
wait

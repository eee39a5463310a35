#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# area.sh [DIR] -- gates and SRAM of ace_node, module by module, beside the paper's table
#
# Yosys maps the RTL to the 180 nm cells of Debian's qflow-tech-osu018 (hierarchy kept, no
# retiming); memories of eight whole rows and more stay apart as SRAM bits.  Area is given in
# NAND2 equivalents, and as an estimate for 28 nm, the paper's node:
#
#   a gate     NAND2_UM2, 0.49 um2: a NAND2 of a 9-track 28 nm library (our assumption)
#   a bit      SRAM_UM2, 0.1524 um2: the paper's 5,113,696 um2 over its 4 MiB, periphery included
#
# Takes some ten minutes, and not again while rtl/ is older than what it made.
set -eu
cd "$(dirname "$0")/../.."
out=$(realpath -m "${1:-build/area}")
here=$PWD/scripts/area
cells=${CELLS:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
NAND2_UM2=${NAND2_UM2:-0.49}
SRAM_UM2=${SRAM_UM2:-0.1524}

[ -r "$cells" ] || { echo "area.sh: found no $cells, expected the package qflow-tech-osu018" >&2; exit 2; }
mkdir -p "$out"
if [ ! -s "$out/stat.txt" ] || [ -n "$(find rtl scripts/area -newer "$out/stat.txt" -name '*.[vy]*')" ]; then
    cp "$cells" "$out/cells.lib"
    # without a load on its outputs, abc leaves nets of high fan-out without buffers
    printf 'set_driving_cell INVX8\nset_load 0.03 [all_outputs]\n' >"$out/abc.constr"
    rtl=$(printf "$PWD/%s " rtl/*.v)
    (cd "$out" && nice yosys -q -p "read_verilog -I $OLDPWD/rtl $rtl; script $here/synthesis.ys")
fi
nand2=$(awk '/cell *\(NAND2X1\)/ { found = 1 } found && /area/ { gsub(/[^0-9.]/, ""); print; exit }' "$cells")
awk -v nand2="$nand2" -v gate="$NAND2_UM2" -v bit="$SRAM_UM2" -f "$here/table.awk" \
    "$out/memories.txt" "$out/stat.txt" >"$out/area.csv"
awk -f "$here/compare.awk" "$out/area.csv" >"$out/compare.csv"
gnuplot -e "set datafile separator ','; csv = '$out/area.csv'; set terminal svg size 900,640 background 'white'; set output '$out/area.svg'" \
    "$here/area.gnuplot"
column -s, -t "$out/area.csv"
echo
column -s, -t "$out/compare.csv"

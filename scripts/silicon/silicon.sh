#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# silicon.sh DIR ACESIM -- what ace_engine costs in silicon: area, longest paths, energy of a run
#
# Yosys maps the RTL to the 180 nm cells of Debian's qflow-tech-osu018, hierarchy kept, no
# retiming; memories stay apart as SRAM (macros.awk says which).  OpenSTA finds the longest
# paths.  Icarus runs the netlists on the pins that `acesim` recorded of a node in an all-reduce,
# compares every output, and each net's changes give the energy.  Results are of 180 nm, of no
# wires and no clock tree, and estimated for 28 nm, the paper's node:
#
#   a gate      NAND2_UM2, 0.49 um2: a NAND2 of a 9-track library (our assumption)
#   a bit       SRAM_UM2, 0.1524 um2: the paper's 5,113,696 um2 over its 4 MiB, periphery included
#   two ports   TWO_PORT, 1.3 times the area of a bit, in a column of its own, for a memory that is read at one port
#               and written at another: a cell of eight transistors beside one of six (Chang et al., Stable SRAM
#               cell design for the 32 nm node and beyond, VLSI Technology 2005, from memory)
#   a delay     FO4_PS, 14 ps, and FO4_TYPICAL_PS, 10 ps: by the rule of 0.5 ps a nm of gate length in a slow corner, and
#               0.36 in a typical one (Ho, Mai, Horowitz, The Future of Wires, Proc. IEEE 2001);
#               a path has as many FO4s as in the library.  What is too long is so in the slow one
#   a read      MACRO_FO4, 16 FO4 from clock or address to data, and a 128th (MACRO_ROOT) of the root of the SRAM's
#               bits: 20 for a buffer of 256 Kibit, 40 for a bank of 9 Mibit (our assumption: macros of
#               28 nm take about 0.55 ns for that, and delays in a memory go with the length of its wires)
#   an energy   ENERGY_SCALE, a 57.7th, by the fits in Stillmaker, Baas, Scaling equations for the accurate
#               prediction of CMOS device performance from 180 nm to 7 nm, Integration 2017: from
#               180 nm at 1.8 V to their 32 nm HP at 0.9 V, the nearest planar one
#   SRAM        SRAM_PJ, 1.02 pJ a bit of a bank of 1 MiB, less by the square root of the size for smaller ones:
#               Horowitz, Computing's Energy Problem, ISSCC 2014, 100 pJ for 64 bits in 45 nm; scaled
#               from 45 nm at 0.9 V by the same fits
#   clock gate  GATES=1: the clock of eight flip-flops and more of one enable comes from a gate, as flows for chips
#               do it, and from another for every 64 of them (our assumptions).  GATES=0: none, so that each
#               flip-flop sees each edge, and an enable is a multiplexer before it.  A gate is a latch, an inverter
#               and an AND of the library; the latch's area, LATCH_AREA, 56, is 0 there and from its layout.
#               The enable is there GATE_SETUP_NS, 0.5 ns or five FO4, before the edge: a latch's setup, and
#               the delay of the AND and of what it drives, by which the gate's own clock comes earlier (our
#               assumption).  What lies between a gate and its flip-flops is clock tree.  Modules that no
#               unit runs, node, engine and control, count as if they had no gates
#
# A path longer than the clock's cycle, CYCLE_PS, is named, and the exit status is then 1.
#
# A module with the text it had before is not mapped again, and a unit with the netlist it had not run again.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
dir=$(realpath -m "${1:-build/silicon}")
acesim=${2:-build/release/acesim}
export LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
export DELAY_PS=${DELAY_PS:-4000} JOBS=${JOBS:-2}
export GATES=${GATES:-1} LATCH_AREA=${LATCH_AREA:-56} GATE_SETUP_NS=${GATE_SETUP_NS:-0.5}
export NAND2_UM2=${NAND2_UM2:-0.49} SRAM_UM2=${SRAM_UM2:-0.1524} TWO_PORT=${TWO_PORT:-1.3}
export FO4_PS=${FO4_PS:-14} FO4_TYPICAL_PS=${FO4_TYPICAL_PS:-10} MACRO_FO4=${MACRO_FO4:-16} MACRO_ROOT=${MACRO_ROOT:-128} CYCLE_PS=${CYCLE_PS:-803}
export ENERGY_SCALE=${ENERGY_SCALE:-57.7} SRAM_PJ=${SRAM_PJ:-1.02}
run=(collective all-reduce --topology 2x2x2 --size 64KiB --chunk 4KiB --type fp32 --link-latency 8,8,8
     --memory-latency 20 --payload random --check --rung 'rtl:0;cycle:rest')

"$here/needs.sh"
[[ -x $acesim ]] || { echo "silicon.sh: found no $acesim; expected a built acesim" >&2; exit 2; }
mkdir -p "$dir"
"$here/synthesis.sh" "$dir" ace_engine
"$here/fo4.sh" "$dir/gates" >"$dir/fo4"
"$here/area.sh" "$dir" ace_engine
"$here/paths_all.sh" "$dir" ace_engine
"$here/energy.sh" "$dir" "$acesim" "${run[@]}"
"$here/tables.sh" "$dir"
"$here/slow.sh" "$dir/paths.csv" "$CYCLE_PS"

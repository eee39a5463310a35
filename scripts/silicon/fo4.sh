#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fo4.sh DIR [CELL INPUT OUTPUT] -- picoseconds an inverter of DIR/cells.lib takes that drives four like it
#
# In a chain, so that its input comes from such an inverter; the mean of rise and fall. The inverter is INVX1 unless
# CELL and its pins are given.
set -euo pipefail
cd "$1"
awk -v cell="${2:-INVX1}" -v a="${3:-A}" -v y="${4:-Y}" 'BEGIN {
    print "module fo4 (input a, output y);\n  wire [12:0] n;\n  wire [38:0] load;\n  assign n[0] = a;"
    for (i = 0; i < 13; i++) {
        printf "  %s stage%d (.%s(n[%d]), .%s(%s));\n", cell, i, a, i, y, i < 12 ? "n[" i + 1 "]" : "y"
        for (k = 0; k < 3 && i < 12; k++) printf "  %s load%d_%d (.%s(n[%d]), .%s(load[%d]));\n", cell, i, k, a, i + 1, y, 3 * i + k
    }
    print "endmodule"
}' >fo4.v
cat >fo4.tcl <<'TCL'
read_liberty cells.lib
set_cmd_units -time ps
read_verilog fo4.v
link_design fo4
create_clock -name clk -period 100000
set_input_delay 0 -clock clk a
set_output_delay 0 -clock clk y
report_checks -digits 6
TCL
sta -exit -no_splash fo4.tcl >fo4.log
awk '$4 ~ /^stage[89]\// { sum += $1 } END { if (!sum) exit 1; printf "%.1f\n", sum / 2 }' fo4.log

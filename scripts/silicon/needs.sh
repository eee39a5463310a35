#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# needs.sh -- says what is missing of tools and of the cell library, exit status 2
status=0
for tool in yosys:yosys sta:opensta iverilog:iverilog vvp:iverilog gnuplot:gnuplot-nox fst2vcd:gtkwave; do
    command -v "${tool%:*}" >/dev/null ||
        { echo "silicon: found no ${tool%:*}, expected the package ${tool#*:}" >&2; status=2; }
done
[[ -r $LIBERTY ]] || { echo "silicon: found no $LIBERTY, expected the package qflow-tech-osu018" >&2; status=2; }
exit $status

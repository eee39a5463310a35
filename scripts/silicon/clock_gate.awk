# SPDX-License-Identifier: Apache-2.0
# clock_gate.awk -- a liberty file with a clock gate, and with the flip-flop behind one
#
#   awk -v latch=AREA -v setup=NS -f clock_gate.awk LIBERTY >CELLS
#
# CLKGATEX1 is a LATCH that holds the enable while the clock is high, the INVX1 before its clock pin,
# and an AND2X2: their areas are its own, and cell_energy.awk sums their energies.  `latch` is the area
# of the first where the library says 0.  The enable is there `setup` before the clock's edge.
# DFFGATEDX1 is a DFFPOSX1 with its clock pin named GCLK, so that a netlist tells the two apart.
function flush() { if (cell == "DFFPOSX1") flop = text }
$1 == "cell" { flush(); text = ""; cell = $2; gsub(/[()]/, "", cell) }
$1 == "area" { area[cell] = $3 + 0 }
cell == "LATCH" && $1 == "pin(D)" { data = 1 }
data && $1 == "capacitance" { pf = $3 + 0; data = 0 }
NR > 1 { print line }                               # all but the library's last brace
{ line = $0; text = text $0 "\n" }
END {
    flush()
    gsub(/DFFPOSX1/, "DFFGATEDX1", flop); gsub(/CLK/, "GCLK", flop)
    sub(/{/, "{\n  dont_use : true;", flop); sub(/\/\*.*/, "", flop)
    printf "%s\ncell (CLKGATEX1) {\n  area : %d;\n  dont_use : true;\n", flop, (area["LATCH"] ? area["LATCH"] : latch) + area["INVX1"] + area["AND2X2"]
    print "  pin(CLK)  {\n    direction : input;\n    capacitance : 0.02;\n    clock : true;\n  }"
    printf "  pin(EN)  {\n    direction : input;\n    capacitance : %s;\n", pf
    print "    timing() {\n      related_pin : \"CLK\";\n      timing_type : setup_rising;"
    printf "      rise_constraint (scalar) { values (\"%s\"); }\n      fall_constraint (scalar) { values (\"%s\"); }\n    }\n  }\n", setup, setup
    print "  pin(GCLK)  {\n    direction : output;\n    timing() {\n      related_pin : \"CLK\";\n      timing_sense : positive_unate;"
    print "      cell_rise (scalar) { values (\"0.1\"); }\n      cell_fall (scalar) { values (\"0.1\"); }"
    print "      rise_transition (scalar) { values (\"0.1\"); }\n      fall_transition (scalar) { values (\"0.1\"); }\n    }\n  }\n}\n}"
}

# SPDX-License-Identifier: Apache-2.0
# cell_energy.awk -- what a change of each pin of a liberty file's cells costs, in pJ
#
# Lines: cell, pin, pJ.  An input: half C V^2 of its capacitance, and what the cell takes for
# it alone; an output: what the cell takes for it, the mean of its inputs, of rise and fall, at the
# second least load and slew of the table, near those of a gate with a fan-out of a few.  Nets
# have no capacitance beyond the pins they lead to.  A clock gate is the latch, inverter and AND that
# clock_gate.awk makes it of: what changes in it with the clock, with the enable, and with its output.
function text(line) { sub(/^[^"]*"/, "", line); sub(/".*/, "", line); return line }
function flush_pin() {
    if (pin != "") pj[cell, pin] = (cap * volts * volts / 2) + (tables ? sum / tables : 0)
    if (pin != "" && cell != "CLKGATEX1") print cell, pin, pj[cell, pin]
    pin = ""; tables = sum = cap = 0
}
$1 == "nom_voltage" { volts = $3 + 0 }
$1 == "cell" { flush_pin(); cell = $2; gsub(/[()]/, "", cell) }
$1 ~ /^pin\(/ { flush_pin(); pin = $1; gsub(/pin\(|\)/, "", pin) }
$1 == "capacitance" && pin != "" { cap = $3 + 0 }
/internal_power\(\)/ || /timing\(\)/ { power = /internal_power/ }
/(rise|fall)_power\(/ { counting = power; row = 0; next }
counting && /values/ { inside = 1 }
counting && inside && /"/ {
    n = split(text($0), v, ",")
    if (++row <= 2) last = v[2]
    if (/;/) { sum += last; tables++; inside = counting = 0 }
}
END {
    flush_pin()
    print "CLKGATEX1 CLK", pj["INVX1", "A"] + pj["INVX1", "Y"] + pj["LATCH", "CLK"] + pj["AND2X2", "A"]
    print "CLKGATEX1 EN", pj["LATCH", "D"] + pj["LATCH", "Q"] + pj["AND2X2", "B"]
    print "CLKGATEX1 GCLK", pj["AND2X2", "Y"]
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests scripts/silicon/modules.sh with two libraries of its own. Delays in ps, for a load of C fF:
#
#   inverter    10 + 2.5 C, so an FO4 is 10 + 4 * 2.5 = 20 ps: every input has 1 fF
#   NAND        15 + 2.5 C
#   flip-flop   30 + 2.5 C from its clock, and 5.5 for setup
#   buffer      too slow to be used; abc takes no library without one
#
# A flip-flop, a NAND, an inverter and a setup take 32.5 + 17.5 + 12.5 + 5.5 = 68 ps, which are 3.4 FO4. Uncertainty and
# wires leave 100 * 0.95 / 1.037 = 91.6 ps of a cycle of 100. The second library has nanoseconds, picofarads and one file, and a flip-flop with a reset and an inverted output.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for tool in yosys sta; do
    command -v $tool >/dev/null || { echo "liberty.sh: found no $tool, expected the packages yosys and opensta"; exit 1; }
done

has() { # WHAT TEXT OUTPUT
    if [[ $3 == *"$2"* ]]; then passed=$((passed + 1)); echo "pass $1"
    else failed=$((failed + 1)); echo "FAIL $1: found '$3', expected '$2'"; fi
}

# library FILE TIME LOAD CELL ...: a unit of time in ps, one of load in fF
library() {
    awk -v file="$1" -v time="$2" -v load="$3" -v cells="${*:4}" '
    function arcs(base, more,    edge) {
        for (edge = 1; edge <= 2; edge++) {
            printf "      cell_%s (by_load) { values (\"%.6f, %.6f\", \"%.6f, %.6f\"); }\n", edge == 1 ? "rise" : "fall", base / time, (base + 250) / time, base / time, (base + 250) / time
            printf "      %s_transition (by_load) { values (\"%.6f, %.6f\", \"%.6f, %.6f\"); }\n", edge == 1 ? "rise" : "fall", 10 / time, 10 / time, 10 / time, 10 / time
        }
    }
    function input(name, more) { printf "    pin (%s) { direction : input; capacitance : %g; %s }\n", name, 1 / load, more }
    function gate(name, area, names, f, base, sense,    n, i, list) {
        n = split(names, list, ",")
        printf "  cell (%s) {\n    area : %s;\n", name, area
        for (i = 1; i <= n; i++) input(list[i], "")
        printf "    pin (Y) { direction : output; max_capacitance : %g; function : \"%s\";\n", 100 / load, f
        for (i = 1; i <= n; i++) {
            printf "      timing () { related_pin : \"%s\"; timing_sense : %s_unate;\n", list[i], sense
            arcs(base); print "      } "
        }
        print "    }\n  }"
    }
    function flop(name, resets) {
        printf "  cell (%s) {\n    area : 8;\n    ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; %s }\n", name, resets ? "clear : \"!RN\";" : ""
        input("CK", "clock : true;")
        if (resets) input("RN", "")
        printf "    pin (D) { direction : input; capacitance : %g;\n      timing () { related_pin : \"CK\"; timing_type : setup_rising;\n", 1 / load
        printf "        rise_constraint (scalar) { values (\"%g\"); }\n        fall_constraint (scalar) { values (\"%g\"); } } }\n", 5.5 / time, 5.5 / time
        printf "    pin (%s) { direction : output; max_capacitance : %g; function : \"%s\";\n      timing () { related_pin : \"CK\"; timing_type : rising_edge;\n",
            resets ? "QN" : "Q", 100 / load, resets ? "IQN" : "IQ"
        arcs(30); print "      }\n    }\n  }"
    }
    BEGIN {
        printf "library (%s) {\n  delay_model : table_lookup;\n  time_unit : \"%s\";\n  capacitive_load_unit (1, %s);\n", file, time == 1 ? "1ps" : "1ns", load == 1 ? "ff" : "pf"
        print "  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n  nom_voltage : 1;\n  nom_temperature : 25;\n  nom_process : 1;"
        print "  input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n  output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;"
        print "  slew_lower_threshold_pct_rise : 20;\n  slew_lower_threshold_pct_fall : 20;\n  slew_upper_threshold_pct_rise : 80;\n  slew_upper_threshold_pct_fall : 80;"
        printf "  lu_table_template (by_load) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; index_1 (\"0, %g\"); index_2 (\"0, %g\"); }\n", 100 / time, 100 / load
        split(cells, cell, " ")
        for (k = 1; k in cell; k++) {
            if (cell[k] == "inverter") gate("INV", 1, "A", "!A", 10, "negative")
            if (cell[k] == "nand") gate("ND2", 2, "A,B", "(!(A B))", 15, "negative")
            if (cell[k] == "buffer") gate("BUF", 3, "A", "A", 90, "positive")
            if (cell[k] == "flop") flop("FF", 0)
            if (cell[k] == "reset_flop") flop("FFR", 1)
        }
        print "}"
    }' | sed -E 's/(; |\{ |\} )/\1\n/g; s/\}( *\})/}\n\1/g' >"$work/$1.lib"    # as library.awk reads them: one to a line
}
library gates 1 1 inverter nand buffer
library flops 1 1 flop
library all 1000 1000 inverter nand buffer reset_flop
library none 1 1 inverter nand
library other 1000 1 flop

# the scripts beside RTL of two gates between registers
mkdir -p "$work/tree/scripts" "$work/tree/rtl" && cp -r scripts/silicon "$work/tree/scripts"
cat >"$work/tree/rtl/two_gates.v" <<'V'
module two_gates (input clk, input a, b, output reg q);
    reg x, y;
    always @(posedge clk) begin x <= a; y <= b; q <= x & y; end
endmodule
V
echo two_gates >"$work/list"
modules() { CYCLE_PS=100 LIBERTY="$1" "$work/tree/scripts/silicon/modules.sh" "$work/$2" "$work/list" 2>&1; }

out=$(modules "$work/gates.lib $work/flops.lib" two)
has "FO4 of two files" 'FO4 of INV: 20.0 ps' "$out"
has "a path of two gates" '| two_gates | - | 68 | 3.4 | +24 | 13472 |' "$out"
has "what is left of a cycle" 'Of a cycle of 100 ps 92 ps are left for gates: 4.6 FO4.' "$out"
out=$(FO4_PS=10 modules "$work/gates.lib $work/flops.lib" two)
has "a path scaled by its FO4s" '| two_gates | - | 34 | 3.4 | +58 | 26944 |' "$out"
out=$(WIRES=0.5 modules "$work/gates.lib $work/flops.lib" two)
has "a path that does not fit" '| two_gates | - | 68 | 3.4 | -5 | 9314 |' "$out"

# an inverter before the NAND and one behind it: 32.5 + 12.5 + 17.5 + 12.5 + 5.5 = 80.5 ps
out=$(modules "$work/all.lib" one)
has "FO4 in nanoseconds and picofarads" 'FO4 of INV: 20.0 ps' "$out"
has "the reset is tied off" ".RN(1'b1), .QN(inverse)" "$(cat "$work/one/flops.v")"
has "a path from inverted outputs" '| two_gates | - | 80 | 4.0 | +11 |' "$out"

out=$(modules "$work/none.lib" bad)
has "no flip-flop" 'found no flip-flop on a rising edge with one data input' "$out"
out=$(modules "$work/gates.lib $work/other.lib" bad)
has "files of unlike units" 'expected 1ps 1,ff, those of the first file' "$out"
out=$(modules "$work/nowhere.lib" bad)
has "no file" "found no $work/nowhere.lib, expected a liberty file" "$out"
echo ace_nothing >"$work/list"
out=$(modules "$work/all.lib" one)
has "no module" 'found no module ace_nothing, expected one of rtl/' "$out"

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

# SPDX-License-Identifier: Apache-2.0
# liberty.awk -- the macros of synthesis.sh as a liberty library
#
#   awk -v fo4=NS -v base=FO4 -v root=BITS -v setup=NS -v pin_pf=PF -f liberty.awk macros >macros.lib
#
# A read takes so many FO4 from the clock, or from the address if reads are not clocked: `base`, and the
# root of its bits over `root`, as wires in a memory are as long as it is wide; all inputs
# are there `setup` before the clock.  A port has one enable for all bits of a word.  Area and power are told apart from gates, elsewhere.
function bus(name, bits, direction, share) {        # share: pins that are one in the macro
    printf "    bus (%s) { bus_type : w%d; direction : %s;\n", name, bits, direction
    if (direction == "input") printf "      capacitance : %s;\n", pin_pf / (share ? share : 1)
}
function scalar(kind, value) { printf "        %s (scalar) { values (\"%s\"); }\n", kind, value }
function input_pin(name, bits, clock, share) {
    bus(name, bits, "input", share)
    print "      timing () { related_pin : \"" clock "\"; timing_type : setup_rising;"
    scalar("rise_constraint", setup); scalar("fall_constraint", setup)
    print "      } }"
}
{ name[NR] = $1; w[NR] = $3; words[NR] = $4; r[NR] = $5; wr[NR] = $6; a[NR] = $7; clocked[NR] = $8 }
function access(i) { return fo4 * (base + sqrt(w[i] * words[i]) / root) }
function type(n) { if (!(n in seen)) { seen[n]; printf "  type (w%d) { base_type : array; data_type : bit; bit_width : %d; bit_from : %d; bit_to : 0; }\n", n, n, n - 1 } }
END {
    print "library (macros) {\n  delay_model : table_lookup;\n  time_unit : \"1ns\";\n  voltage_unit : \"1V\";"
    print "  current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n  capacitive_load_unit (1,pf);"
    print "  slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_rise : 20;"
    print "  slew_upper_threshold_pct_fall : 80; slew_lower_threshold_pct_fall : 20;"
    print "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;"
    print "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;"
    print "  nom_process : 1; nom_voltage : 1.8; nom_temperature : 25;"
    for (i = 1; i <= NR; i++) { type(r[i]); type(wr[i]); type(r[i] * a[i]); type(wr[i] * a[i]); type(r[i] * w[i]); type(wr[i] * w[i]) }
    for (i = 1; i <= NR; i++) {
        print "  cell (" name[i] ") { area : 0;"
        bus("RD_CLK", r[i], "input"); print "    }"
        bus("WR_CLK", wr[i], "input"); print "    }"
        bus("RD_ARST", r[i], "input"); print "    }"
        bus("RD_SRST", r[i], "input"); print "    }"
        input_pin("WR_ADDR", wr[i] * a[i], "WR_CLK[0]")
        input_pin("WR_DATA", wr[i] * w[i], "WR_CLK[0]")
        input_pin("WR_EN", wr[i] * w[i], "WR_CLK[0]", w[i])
        if (clocked[i]) {
            input_pin("RD_ADDR", r[i] * a[i], "RD_CLK[0]")
            input_pin("RD_EN", r[i], "RD_CLK[0]")
        } else {
            bus("RD_ADDR", r[i] * a[i], "input"); print "    }"
            bus("RD_EN", r[i], "input"); print "    }"
        }
        bus("RD_DATA", r[i] * w[i], "output")
        for (k = 0; k < r[i]; k++) {
            printf "      pin (RD_DATA[%d:%d]) {\n", (k + 1) * w[i] - 1, k * w[i]
            for (p = clocked[i] ? -1 : k * a[i]; p < (clocked[i] ? 0 : (k + 1) * a[i]); p++) {
                if (clocked[i]) print "      timing () { related_pin : \"RD_CLK[" k "]\"; timing_type : rising_edge;"
                else print "      timing () { related_pin : \"RD_ADDR[" p "]\"; timing_sense : non_unate;"
                scalar("cell_rise", access(i)); scalar("cell_fall", access(i))
                scalar("rise_transition", pin_pf * 5); scalar("fall_transition", pin_pf * 5)
                print "      }"
            }
            print "      }"
        }
        print "    }\n  }"
    }
    print "}"
}

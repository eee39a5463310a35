# SPDX-License-Identifier: Apache-2.0
# library.awk -- what a flow needs of liberty files, and the files as one
#
#   awk -v lib=OUT.lib -v flops=OUT.v -v box=BOX.v -f library.awk FILE.lib ... >NAMES
#
# NAMES has lines of a key and its value:
#   inverter  NAME INPUT OUTPUT   the smallest inverter, or the one that `inverter` gives; with its input's load, in pF
#   driver    NAME                the largest inverter whose input is at most nine times that load
#   nand2     AREA                the smallest two-input NAND
#   flop      NAME                the smallest flip-flop on a rising edge, without a scan input
# OUT.lib has the cells of all files, without their power, and the attributes of the first. All files have the same
# units. OUT.v is a techmap rule for the flip-flop: a clear or preset is tied off where each flip-flop has one, and an
# inverter is added where its output is inverted. BOX.v has the flip-flop's ports.
function fail(what) { print "library.awk: " what >"/dev/stderr"; failed = 1; exit 2 }
function value(line) { sub(/^[^:]*: */, "", line); gsub(/[";]/, "", line); sub(/ *(\/\*.*)?$/, "", line); return line }
function name_of(line) { sub(/^[^(]*\( */, "", line); sub(/ *\).*/, "", line); gsub(/"/, "", line); return line }
function spread(f) { gsub(/[() "]/, "", f); sub(/;$/, "", f); return f }
function units(    found) {
    found = time_unit " " cap_unit
    if (all_units != "" && found != all_units) fail("found units " found ", expected " all_units ", those of the first file")
    all_units = found
}
function flush_cell(    p, k, in_pin, other, out_pin, f, invert) {
    if (cell == "" || unused) return
    for (k = 1; k <= pins; k++) {
        p = pin_at[k]
        if (direction[p] == "input") { inputs++; other = in_pin; in_pin = p }
        if (direction[p] == "output") { outputs++; out_pin = p }
    }
    f = spread(function_of[out_pin])
    if (!sequential && outputs == 1 && inputs == 1 && (f == "!" in_pin || f == in_pin "'")) {
        input_of[cell] = in_pin; output_of[cell] = out_pin; load_of[cell] = load[in_pin]; area_of[cell] = area
        if (inverter == cell || (inverter == "" && (least == "" || area < area_of[least]))) least = cell
    }
    if (!sequential && outputs == 1 && inputs == 2 && nands(function_of[out_pin], in_pin, other) && (nand == "" || area < nand)) nand = area
    ties = 0; for (p in tie) ties++
    if (sequential && rises != "" && data != "" && inputs - ties == 2 &&
        (flop == "" || ties < flop_ties || (ties == flop_ties && area < flop_area))) {
        flop = cell; flop_area = area; flop_ties = ties; rule = ports = ""
        for (k = 1; k <= pins; k++) ports = ports (k > 1 ? ", " : "") direction[pin_at[k]] " " pin_at[k]
        for (k = 1; k <= pins; k++) {
            p = pin_at[k]
            if (p in tie) rule = rule ", ." p "(1'b" tie[p] ")"
        }
        for (k = 1; k <= pins; k++) {
            p = pin_at[k]
            if (direction[p] == "output" && spread(function_of[p]) == state) { rule = rule ", ." p "(Q)"; break }
            if (direction[p] == "output" && spread(function_of[p]) == inverse) { rule = rule ", ." p "(inverse)"; invert = 1; break }
        }
        rule = "    " cell " flop (." rises "(C), ." data "(" (inverted ? "~D" : "D") ")" rule ");\n"
        if (invert) rule = "    wire inverse;\n    assign Q = ~inverse;\n" rule
    }
}
function nands(f, x, y) {               # !(A*B), in the ways that files write it
    gsub(/[ "]/, "", f); gsub(/[*&]/, "", f); gsub(/[|]/, "+", f)
    while (f ~ /^\(.*\)$/ && f !~ /^\(!?[A-Za-z0-9_]+\)\+/) f = substr(f, 2, length(f) - 2)
    gsub(/\(!/, "!", f); gsub(/\)\+/, "+", f)
    if (f ~ /\+/) sub(/\)$/, "", f)
    return f == "!(" x y ")" || f == "!(" y x ")" || f == "!" x "+!" y || f == "!" y "+!" x
}
function off(line,    p) { p = spread(value(line)); if (sub(/^!/, "", p) || sub(/'$/, "", p)) tie[p] = 1; else tie[p] = 0 }
FNR == 1 { file++; depth = 0; skip = 0; comment = 0 }
{
    if (comment) { if (/\*\//) comment = 0; next }
    if (/^ *\/\*/ && !/\*\//) { comment = 1; next }
    opens = gsub(/{/, "{"); closes = gsub(/}/, "}")
    before = depth; depth += opens - closes
    if (skip) { if (depth <= skip_at) skip = 0; next }
    if (/^ *(internal_power|leakage_power|pg_pin|power_lut_template|output_current_|receiver_capacitance)/ && depth > before) { skip = 1; skip_at = before; next }
    if (before == 0 || (before == 1 && depth == 0)) {       # library ( ) {, and its last brace
        if (before == 0 && /library *\(/ && file == 1) print >lib
        if (depth == 0 && before == 1) units()
        next
    }
    if (before == 1 && depth == 1 && opens == 0) {
        if ($1 ~ /^time_unit/) { time_unit = value($0); gsub(/ /, "", time_unit) }
        if ($1 ~ /^capacitive_load_unit/) { cap_unit = name_of($0); gsub(/ /, "", cap_unit); cap_unit = tolower(cap_unit) }
        if (file == 1) print >lib
        next
    }
    print >lib
}
before == 1 && /^ *cell *\(/ {
    flush_cell_state()
    cell = name_of($0)
    next
}
function flush_cell_state() {
    flush_cell()
    cell = area = state = inverse = rises = data = pin = ""; unused = sequential = pins = inputs = outputs = inverted = 0
    split("", pin_at); split("", direction); split("", function_of); split("", load); split("", tie)
}
cell == "" { next }
before == 2 && /^ *area *:/ { area = value($0) + 0 }
before == 2 && /^ *dont_use *: *"?true/ { unused = 1 }
before == 2 && /^ *(latch|statetable|test_cell|latch_bank|ff_bank) *\(/ { unused = 1 }
before == 2 && /^ *ff *\(/ {
    sequential = 1; state = name_of($0); inverse = state
    sub(/ *,.*/, "", state); sub(/^.*, */, "", inverse); gsub(/ /, "", inverse)
}
sequential && /^ *clocked_on *:/ { rises = spread(value($0)); if (rises !~ /^[A-Za-z0-9_]+$/) rises = "" }
sequential && /^ *next_state *:/ {
    data = spread(value($0)); inverted = sub(/^!/, "", data) || sub(/'$/, "", data)
    if (data !~ /^[A-Za-z0-9_]+$/) data = ""
}
sequential && /^ *(clear|preset) *:/ { off($0) }
before == 2 && /^ *pin *\(/ { pin = name_of($0); pin_at[++pins] = pin }
before == 3 && pin != "" && /^ *direction *:/ { direction[pin] = value($0) }
before == 3 && pin != "" && /^ *function *:/ { function_of[pin] = value($0) }
before == 3 && pin != "" && /^ *capacitance *:/ { load[pin] = value($0) + 0 }
END {
    if (failed) exit 2
    flush_cell_state()
    print "}" >lib
    if (least == "") fail(inverter == "" ? "found no inverter" : "found no inverter " inverter)
    if (nand == "") fail("found no two-input NAND")
    if (flop == "") fail("found no flip-flop on a rising edge with one data input")
    scale = cap_unit ~ /ff$/ ? 1e-3 : cap_unit ~ /pf$/ ? 1 : 0
    if (!scale || time_unit !~ /[pn]s$/) fail("found units " time_unit " and " cap_unit ", expected ps or ns and ff or pf")
    driver = least
    for (c in load_of) if (load_of[c] <= 9 * load_of[least] && load_of[c] > load_of[driver]) driver = c
    print "inverter " least " " input_of[least] " " output_of[least] " " load_of[least] * scale * (cap_unit + 0)
    print "driver " driver; print "nand2 " nand; print "flop " flop
    printf "(* techmap_celltype = \"$_DFF_P_\" *)\nmodule ace_flop (input D, C, output Q);\n%sendmodule\n", rule >flops
    printf "(* blackbox *)\nmodule %s (%s);\nendmodule\n", flop, ports >box
}

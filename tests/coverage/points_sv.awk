# SPDX-License-Identifier: Apache-2.0
#
# points_sv.awk -- the cover statements of functional.txt, each set bound to its module
#
#   cd tests/coverage; awk -f points_sv.awk functional.txt > points.sv
#
# A module ace_x gets an instance of ace_x_points.  Its cover statements are named as in the list, and
# tests/coverage/points.awk finds module and name in coverage.dat.
function flush_module(    i) {
    if (module == "") return
    printf "\nmodule %s_points (input wire clk, input wire [%d:0] at);\n", module, count - 1
    for (i = 0; i < count; i++) printf "    %s: cover property (@(posedge clk) at[%d]);\n", name[i], i
    printf "endmodule\nbind %s %s_points u_points (.clk(clk), .at(%s{", module, module, has_reset() ? "rst ? '0 : " : ""
    for (i = count - 1; i >= 0; i--) printf "%s%s", expression[i], i ? ",\n        " : "}));\n"
}
function has_reset(    file, line, found) {
    file = "../../rtl/" module ".v"
    while ((getline line < file) > 0) if (line ~ /input wire +rst[, ]*/) found = 1
    close(file)
    return found
}
BEGIN { print "`default_nettype none\n/* verilator lint_off WIDTH */\n`include \"ace_register_map.vh\"" }
/^#/ || !/:/ { next }
{
    if ($1 != module) { flush_module(); module = $1; count = 0 }
    name[count] = $2; sub(/:$/, "", name[count])
    expression[count] = $0; sub(/^[^:]*: /, "", expression[count])
    count++
}
END { flush_module(); print "\n`default_nettype wire" }

# SPDX-License-Identifier: Apache-2.0
# cells.awk -- gates and flip-flops of a liberty file as Verilog, from their functions
#
# Without delays.  A flip-flop begins with 0; it has no clock pin and runs on bench.clk, as a waveform
# would be changes of clock pins for the most part.  One behind a clock gate takes what it is given while the gate's
# output, which is its enable here, is 1.  Latches and three-state buffers are left out: nothing maps to them.
# A register named after the cell tells a waveform's reader what a scope is.
function flush() {
    if (cell == "" || unknown) return
    printf "module %s (%s);\n    reg is_%s = 0;\n", cell, ports, cell
    if (next_state != "")
        printf "    reg %s = 0;\n    always @(posedge bench.clk) %s%s <= %s;\n", state, gated ? "if (GCLK) " : "", state, next_state
    printf "%sendmodule\n", body
}
function text(line) { sub(/^[^"]*"/, "", line); sub(/".*/, "", line); return line }
# A B, A*B: and;  A+B: or;  A^B: exclusive or;  !A: not
function verilog(f) { gsub(/ *\+ */, "|", f); gsub(/!/, "~", f); gsub(/ +/, "\\&", f); return f }
$1 == "cell" { flush(); cell = $2; gsub(/[()]/, "", cell); ports = body = pin = next_state = ""; unknown = gated = 0 }
$1 == "ff" { state = $2; gsub(/\(|,.*/, "", state) }
$1 ~ /^latch/ || $1 == "three_state" || $1 == "clear" || $1 == "preset" { unknown = 1 }
$1 == "clocked_on" { gated = text($0) == "GCLK"; if (!gated && text($0) != "CLK") unknown = 1 }
$1 == "next_state" { next_state = verilog(text($0)) }
$1 ~ /^pin/ { pin = $0; sub(/.*\(/, "", pin); sub(/\).*/, "", pin) }
cell == "CLKGATEX1" && pin == "GCLK" && body == "" { body = "    assign GCLK = EN;\n" }
$1 == "direction" && pin != "" {
    kind = $3; sub(/;/, "", kind)
    if (pin != "CLK") ports = ports (ports == "" ? "" : ", ") kind " " pin
}
$1 == "function" { body = body "    assign " pin " = " verilog(text($0)) ";\n" }
END { flush() }

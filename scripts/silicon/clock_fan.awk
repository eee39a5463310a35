# SPDX-License-Identifier: Apache-2.0
# clock_fan.awk -- of a clock gate with more than 64 flip-flops, one for each 64 of them
#
#   awk -v stat=FILE -f clock_fan.awk NETLIST NETLIST >MORE
#
# A gate is named after the first flip-flop behind it: count_q[3]_gate.  Those that are added go to
# FILE, the list of cells, too.
BEGIN { MOST = 64 }
function pin() { value = $0; sub(/^[^(]*\(/, "", value); sub(/\),?$/, "", value); return value }
FNR == 1 { file++ }
/^  [A-Z]/ { cell = $1; name = $2 }
file == 1 {
    if (cell == "CLKGATEX1" && /^    \.EN\(/) enable = pin()
    if (cell == "CLKGATEX1" && /^    \.GCLK\(/) of[pin()] = enable
    if (cell == "DFFGATEDX1" && /^    \.GCLK\(/) {
        net = pin()
        if (flops[net]++ % MOST == 0) {
            sub(/_reg(_[0-9]+)?$/, "", name)
            first[net, ++gates[net]] = name "_gate" (seen[name]++ ? "_" seen[name] : "")
        }
    }
    next
}
cell == "CLKGATEX1" { if (/^  \);/) cell = ""; next }          # printed at the end
cell == "DFFGATEDX1" && /^    \.GCLK\(/ {
    net = pin(); turn = used[net]++
    sub(/\(.*\)/, "(gated_" number(net) "_" int(turn / MOST) + 1 ")")
}
function number(net) { if (!(net in at)) at[net] = ++nets; return at[net] }
/^endmodule/ {
    for (net in gates)
        for (k = 1; k <= gates[net]; k++) {
            printf "  wire gated_%d_%d;\n", number(net), k
            printf "  CLKGATEX1 %s  (\n    .CLK(clk),\n    .EN(%s),\n    .GCLK(gated_%d_%d)\n  );\n", first[net, k], of[net], number(net), k
            added += k > 1
        }
    if (added) printf "     CLKGATEX1 %20d\n", added >>stat
}
{ print }

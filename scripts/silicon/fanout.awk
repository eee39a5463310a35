# SPDX-License-Identifier: Apache-2.0
# fanout.awk -- trees of buffers for nets of a netlist that lead to many modules inside, or flip-flops
#
#   awk -v stat=FILE -f bits.awk -f fanout.awk BOXES NETLIST NETLIST >BUFFERED
#
# abc takes a net that leaves its gates for one load, though a hundred lanes wait for it, or the clock gates
# of one enable; or all rows of a memory, once a gate and no multiplexer decides which of them is written.
# Here each buffer has eight loads at most.  The clock is left to its tree, which is none of ours.  The buffers
# are added to FILE, the list of cells.
BEGIN {
    EACH = 8
    boxes["CLKGATEX1"]; input["CLKGATEX1", "EN"]
    boxes["DFFGATEDX1"]; input["DFFGATEDX1", "D"]; boxes["DFFPOSX1"]; input["DFFPOSX1", "D"]
}
FNR == 1 { file++ }
file == 1 {
    if ($1 == "module") box = substr($2, 2)
    else if (/ input /) input[box, substr($NF, 2)]
    else if ($1 == "attribute") next
    if ($1 == "module") boxes[box]
    next
}
{ declare() }
/^  [a-zA-Z]/ { inside = $1 in boxes ? $1 : "" }
file == 2 {
    if (inside != "" && connection()) {
        n = bits(text, bit)
        for (i = 1; i <= n; i++) if (bit[i] !~ /^1'h/) loads[bit[i]]++
    }
    next
}
# of a line such as    .s_a({ x[3:0], y }),    that leads to an input but the clock
function connection(    port) {
    if (!match($0, /^    \.[^(]*\(/)) return 0
    port = substr($0, 6, RLENGTH - 6); sub(/^\\/, "", port); sub(/ $/, "", port)
    if (!((inside, port) in input) || port == "clk") return 0
    head = substr($0, 1, RLENGTH)
    text = substr($0, RLENGTH + 1); tail = text
    sub(/\),?$/, "", text); tail = substr(tail, length(text) + 1)
    return text != ""
}
function buffer(from, to) {
    declarations = declarations "  wire " to ";\n"
    cells = cells sprintf("  BUFX4 %s_buffer (.A(%s), .Y(%s));\n", to, from, to)
    buffers++
}
# the next load of a net: a new buffer for each EACH, and of those again
function leaf(net, level,    k, from) {
    k = used[net, level]++
    if (k % EACH == 0) {
        last[net, level] = "fan_" ++made
        from = net
        if (loads_at(net, level + 1) > EACH) from = leaf(net, level + 1)
        buffer(from, last[net, level])
    }
    return last[net, level]
}
function loads_at(net, level,    k, n) {        # buffers of that level
    n = loads[net]
    for (k = 0; k < level; k++) n = int((n + EACH - 1) / EACH)
    return n
}
inside != "" && connection() {
    n = bits(text, bit); heavy = 0
    for (i = 1; i <= n; i++) heavy += loads[bit[i]] > EACH
    if (heavy) {
        printf "%s{ ", head
        for (i = 1; i <= n; i++) printf("%s%s", (loads[bit[i]] > EACH ? leaf(bit[i], 0) : bit[i]), (i < n ? ", " : " }" tail "\n"))
        next
    }
}
/^endmodule/ { printf "%s%s", declarations, cells; if (buffers) printf "     BUFX4 %25d\n", buffers >>stat }
{ print }

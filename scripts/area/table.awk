# SPDX-License-Identifier: Apache-2.0
# table.awk nand2=UM2 gate=UM2 bit=UM2 -- a line a module from memories.txt and stat.txt
# A module's own cells, times how often ace_node has it; its parametrised forms together.
# nand2: of the library; gate, bit: of the node that is estimated.
function base(name) { sub(/=s32.*/, "", name); sub(/\\[A-Z_]+$/, "", name); sub(/.*\\/, "", name); return name }
function visit(module, times,    k, pair) {
    instances[base(module)] += times
    um2[base(module)] += times * area[module]
    bits[base(module)] += times * memory[module]
    for (k in child) {
        split(k, pair, SUBSEP)
        if (pair[1] == module && pair[2] in area) visit(pair[2], times * child[k])
    }
}
FILENAME ~ /memories/ && $1 == "module" { module = $2; sub(/^\\/, "", module) }
FILENAME ~ /memories/ && $1 == "parameter" && $2 == "\\SIZE" { size = $3 }
FILENAME ~ /memories/ && $1 == "parameter" && $2 == "\\WIDTH" { memory[module] += size * $3 }
FILENAME ~ /stat/ && $1 == "===" && $2 == "design" { exit }
FILENAME ~ /stat/ && $1 == "===" { module = $2; sub(/^\\/, "", module); next }
FILENAME ~ /stat/ && /Chip area for module/ { area[module] = $NF; next }
FILENAME ~ /stat/ && NF == 2 && $2 ~ /^[0-9]+$/ { child[module, $1] = $2 }
END {
    print "module,instances,NAND2,SRAM_bits,um2_28nm"
    visit("ace_node", 1)
    for (m in um2) {
        gates = um2[m] / nand2
        printf "%s,%d,%d,%d,%d\n", m, instances[m], gates, bits[m], gates * gate + bits[m] * bit | "sort"
    }
}

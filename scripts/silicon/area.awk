# SPDX-License-Identifier: Apache-2.0
# area.awk -- gates and SRAM of TOP and all that is in it, a line a module of rtl/
#
#   awk -v top=TOP -v nand2=UM2 -v gate=UM2 -v bit=UM2 -v two=TIMES -f area.awk modules instances macros CELLS
#
# CELLS has a line for each module and kind of cell: module, cell, how many, um2 of all; nand2: a
# NAND2 of that library; gate, bit: of the technology that is estimated.  A module's own cells, times how
# often it is there; its parametrised forms together.  The last column has `two` times the area for bits of memories
# that are read at one port and written at another, as those of ace_ram_1rw are not.
function visit(m, times,    b, k) {
    b = base[m]
    instances[b] += times
    cells[b] += times * um2[m]
    flops[b] += times * flop[m]
    bits[b] += times * bit_count[m]
    more[b] += times * two_count[m]
    for (k = 1; k <= children[m]; k++) visit(child[m, k], times)
}
FILENAME ~ /modules$/ { base[$1] = $2; next }
FILENAME ~ /instances$/ { child[$1, ++children[$1]] = $2; next }
FILENAME ~ /macros$/ { bit_count[$2] += $3 * $4 * $9; if ($5 && $6 && $2 !~ /^ace_ram_1rw/) two_count[$2] += $3 * $4 * $9; next }
{ um2[$1] += $4; if ($2 ~ /^DFF/) flop[$1] += $3 }
END {
    print "module,instances,flops,NAND2,SRAM_bits,um2_28nm,um2_two_port"
    visit(top, 1)
    for (b in instances) {
        gates = cells[b] / nand2
        printf "%s,%d,%d,%d,%d,%d,%d\n", b, instances[b], flops[b], gates, bits[b], gates * gate + bits[b] * bit,
            gates * gate + (bits[b] + (two - 1) * more[b]) * bit | "sort"
    }
}

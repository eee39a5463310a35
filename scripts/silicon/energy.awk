# SPDX-License-Identifier: Apache-2.0
# energy.awk -- pJ a cycle of each module of rtl/ in a run, estimated for 28 nm
#
#   awk -v scale=S -v sram=PJ -v clock=PJ -v reduced=BYTES -f energy.awk modules area.csv energy
#
# energy: what energy.sh leaves, a line a unit: module, instance, how many it stands for, then
# what gate.sh prints.  scale: pJ of the library for one of the estimated technology.  sram: pJ a
# bit of a 1 MiB SRAM; a smaller one takes less by the square root of its size, and one with
# several write ports is four banks.  clock: pJ a cycle that the library's flip-flop takes of the
# clock: all that is counted of modules that no unit stands for.
FILENAME ~ /modules$/ { base[$1] = $2; next }
FILENAME ~ /csv$/ { split($0, column, ","); if (FNR > 1) flops_in[column[1]] = column[3]; next }
{
    b = base[$1]
    units[b] += $3; cycles = $4; whole += $5; part += $6; differ += $7
    part_clock[b] += $3 * $8 / cycles / scale
    part_flops[b] += $3 * $9 / cycles / scale
    part_logic[b] += $3 * $10 / cycles / scale
    for (i = 11; i <= NF; i++) {
        split($i, m, ":")
        size = m[2] * m[3]
        bank = size >= 2 ^ 25 ? size / 4 : size
        part_sram[b] += $3 * m[4] * m[3] * sram * sqrt(bank / 2 ^ 23) / cycles
    }
}
END {
    for (b in flops_in) if (!(b in units) && flops_in[b] && b ~ /_(engine|node|front|phases|datapath|nic|memory_port|control)$/) {
        units[b] = 0; part_clock[b] = flops_in[b] * clock / scale
    }
    for (b in units) total += part_clock[b] + part_flops[b] + part_logic[b] + part_sram[b]
    print "module,units,clock,flops,logic,SRAM,pJ_a_cycle,pJ_a_byte_reduced,mW,share"
    for (b in units) {
        sum = part_clock[b] + part_flops[b] + part_logic[b] + part_sram[b]
        printf "%s,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.3f,%.2f,%.4f\n", b, units[b], part_clock[b], part_flops[b], part_logic[b],
            part_sram[b], sum, sum * cycles / reduced, sum * 1.245, sum / total | "sort"
        c += part_clock[b]; f += part_flops[b]; l += part_logic[b]; s += part_sram[b]
    }
    close("sort")
    printf "all,,%.2f,%.2f,%.2f,%.2f,%.2f,%.3f,%.2f,1\n", c, f, l, s, total, total * cycles / reduced, total * 1.245
    printf "%d cycles, %d bytes reduced; gates against RTL: %d output pins compared whole, %d in part, %d differ\n",
        cycles, reduced, whole, part, differ >"/dev/stderr"
}

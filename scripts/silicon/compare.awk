# SPDX-License-Identifier: Apache-2.0
# compare.awk -- a column of area.csv or energy.csv by the parts of the paper's table (28 nm, R)
#
#   awk -v column=N -v unit=NAME -v alus=X -v control=X -v sram=X -v wires=X -f compare.awk CSV
#
# Both sides with their shares; the paper's numbers are given.  What moves rows between units belongs to
# ace_node and ace_datapath, so both stand with the switch; the memories of all modules with the SRAM, whose bits are
# the scratchpad's but for a 240th.
BEGIN { FS = "," }
function part_of(module) {
    if (module ~ /alu|lane/) return "ALUs"
    if (module ~ /scratchpad|secded|ram_1r1w/) return "SRAM"
    if (module ~ /switch|node|datapath/) return "switch and interconnect"
    if (module ~ /dispatcher|scheduler|fsm|front|phases|dma|cycle_classes|control|engine|program/) return "control unit"
    return "NIC, exchange and memory interface"
}
function short(x) { return sprintf(x < 1000 ? "%.4g" : "%.0f", x) }
NR > 1 {
    ours[part_of($1)] += $column
    if (part_of($1) !~ /NIC/) total += $column
}
END {
    n = split("ALUs,control unit,SRAM,switch and interconnect", order, ",")
    split(alus "," control "," sram "," wires, paper, ",")
    for (i = 1; i <= n; i++) all += paper[i]
    print "part,paper_" unit ",paper_share,ours_" unit ",ours_share"
    for (i = 1; i <= n; i++)
        printf "%s,%.10g,%.4f,%s,%.4f\n", order[i], paper[i], paper[i] / all, short(ours[order[i]]), ours[order[i]] / total
    printf "all of these,%.10g,1,%s,1\n", all, short(total)
    printf "NIC exchange and memory interface,-,-,%s,-\n", short(ours["NIC, exchange and memory interface"])
}

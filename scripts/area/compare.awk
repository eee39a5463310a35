# SPDX-License-Identifier: Apache-2.0
# compare.awk -- area.csv by the parts of the paper's table (28 nm, R), with both shares
BEGIN { FS = ","; OFS = "," }
function part_of(module) {
    if (module ~ /alu|lane/) return "ALUs"
    if (module == "ace_scratchpad") return "SRAM"
    if (module ~ /switch/) return "switch and interconnect"
    if (module ~ /dispatcher|scheduler|fsm|dma|cycle_classes/) return "control unit"
    return "NIC and memory interface"
}
NR == 1 { next }
{
    part = part_of($1)
    ours[part] += $5
    if (part != "NIC and memory interface") total += $5
}
END {
    n = split("ALUs,control unit,SRAM,switch and interconnect", order, ",")
    paper["ALUs"] = 64448; paper["control unit"] = 159803; paper["SRAM"] = 5113696
    paper["switch and interconnect"] = 1084
    print "part,paper_um2,paper_share,ours_um2,ours_share"
    for (i = 1; i <= n; i++)
        printf "%s,%d,%.4f,%d,%.4f\n", order[i], paper[order[i]], paper[order[i]] / 5339031, ours[order[i]], ours[order[i]] / total
    printf "all of these,5339031,1,%d,1\n", total
    printf "NIC and memory interface,,,%d,\n", ours["NIC and memory interface"]
}

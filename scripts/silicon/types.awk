# SPDX-License-Identifier: Apache-2.0
# types.awk -- what each type costs in an ALU
#
#   awk -v nand2=UM2 -v gate=UM2 -f types.awk instances CELLS      as for area.awk
#
# The lanes are named after their type.  The integer lanes, which also find minimum and maximum
# of the floating-point types, and what waits and chooses are common to all.
FILENAME ~ /instances/ { if ($1 == "ace_alu") { child[++n] = $2; name[n] = $3 } next }
{ um2[$1] += $4 }
END {
    count = split("fp32 fp16 bf16 e4m3 e5m2 int8 int32", type, " ")
    for (i = 1; i <= n; i++) {
        t = name[i]; sub(/.*u_/, "", t); kind = t; sub(/_.*/, "", t); sub(/[^_]*_?/, "", kind)
        area[t, kind] += um2[child[i]] / nand2
    }
    all = um2["ace_alu"] / nand2
    for (k in area) all += area[k]
    print "type,sum,product_and_average,both,share_of_ALU,with_those_above,um2_28nm_of_sum"
    above = area["integer", ""] + um2["ace_alu"] / nand2
    printf "common,-,-,%d,%.3f,%d,-\n", above, above / all, above
    for (i = 1; i <= count; i++) {
        both = area[type[i], "add"] + area[type[i], "multiply"]
        above += both
        printf "%s,%d,%d,%d,%.3f,%d,%d\n", type[i], area[type[i], "add"], area[type[i], "multiply"], both, both / all, above,
            area[type[i], "add"] * gate
    }
}

# SPDX-License-Identifier: Apache-2.0
# paths.awk -- the longest path of each module of rtl/, and what it means
#
#   awk -v fo4=PS -v scaled=PS -v typical=PS -v cycle=PS -v top=TOP -f paths.awk modules instances LIST ...
#
# LIST is what paths.sh prints, in a file paths_MODULE: of a module alone, with all that is in
# it; of TOP, whose netlists are joined.  A path of TOP counts for the module at its end.  fo4: of
# the library, scaled: of the technology that is estimated, in a slow corner, typical: in a typical one.
function keep(module, kind, ns, from, to) {
    if (ns > longest[module, kind]) { longest[module, kind] = ns; start[module, kind] = from; end[module, kind] = to }
}
# the innermost module that an end of a path in TOP is in, and its name there
function locate(path,    m, k, found, rest) {
    m = top; rest = path
    do {
        found = 0
        for (k = 1; k <= children[m]; k++)
            if (index(rest, name[m, k] "/") == 1) {
                rest = substr(rest, length(name[m, k]) + 2)
                m = child[m, k]; found = 1; break
            }
    } while (found)
    where = m in base ? base[m] : m
}
FILENAME ~ /modules$/ { base[$1] = $2; next }
FILENAME ~ /instances$/ { child[$1, ++children[$1]] = $2; name[$1, children[$1]] = $3; next }
FNR == 1 { module = FILENAME; sub(/.*paths_/, "", module) }
module == top {
    locate($3)
    keep(where, "joined", $1, $2, $3)
    next
}
{
    kind = ($2 ~ /^in:/ ? "in" : "register") "-" ($3 ~ /^out:/ ? "out" : "register")
    keep(base[module], kind, $1, $2, $3)
}
END {
    print "module,kind,ns,FO4,ps_28nm,of_803ps,of_803ps_typical,start,end"
    for (key in longest) {
        split(key, part, SUBSEP)
        count = longest[key] * 1000 / fo4
        printf "%s,%s,%.2f,%.1f,%.0f,%.2f,%.2f,%s,%s\n", part[1], part[2], longest[key], count,
            count * scaled, count * scaled / cycle, count * typical / cycle, start[key], end[key] | "sort"
    }
}

# SPDX-License-Identifier: Apache-2.0
#
# points.awk -- a row a module of a coverage.dat, and what was never reached that nothing explains
#
#   awk -v holes=holes.txt -v table=TABLE [-v only=point] -f points.awk coverage.dat ...
#
# A line of holes.txt is   MODULE line|toggle|point PATTERN: reason   where PATTERN is a regular
# expression for the source line, the signal, or the name in functional.txt, and MODULE may be * for any.
function field(name,    at, rest) {
    at = index($0, "\001" name "\002")
    if (!at) return ""
    rest = substr($0, at + length(name) + 2)
    sub(/[\001'].*/, "", rest)
    return rest
}
BEGIN {
    while ((getline line < holes) > 0) {
        if (line ~ /^#/ || line !~ /:/) continue
        split(line, word, " ")
        n++
        module[n] = word[1]; kind[n] = word[2]
        pattern[n] = line; sub(/^[^ ]+ +[^ ]+ +/, "", pattern[n]); sub(/: .*/, "", pattern[n])
    }
}
function explained(m, k, text,    i) {
    for (i = 1; i <= n; i++)
        if ((module[i] == m || module[i] == "*") && kind[i] == k && text ~ pattern[i]) { used[i] = 1; return 1 }
    return 0
}
function source(file, number,    line, i) {
    if (!((file, 1) in text)) while ((getline line < file) > 0) text[file, ++lines[file]] = line
    return text[file, number]
}
function columns(m, k,    n) {
    n = all[m, k]
    return sprintf("%d | %.1f %% | %d", n, 100 * hit[m, k] / (n ? n : 1), known[m, k])
}
/^C / {
    file = field("f"); page = field("page")
    if (page ~ /^v_user/) {
        m = page; gsub(/^v_user\/|_points.*/, "", m); k = "point"
    } else {
        if (file !~ /rtl\//) next
        m = file; sub(/.*\//, "", m); sub(/\.v$/, "", m)
        k = page ~ /toggle/ ? "toggle" : "line"
    }
    key = m SUBSEP k SUBSEP field("l") SUBSEP field("o") SUBSEP field("n")
    count[key] += $NF
    where[key] = file; signal[key] = field("o"); at[key] = field("l")
    of[key] = m; is[key] = k
}
END {
    for (key in count) {
        all[of[key], is[key]]++
        modules[of[key]]
        if (count[key] > 0) { hit[of[key], is[key]]++; continue }
        what = is[key] == "line" ? source(where[key], at[key]) : signal[key]
        if (explained(of[key], is[key], what)) { known[of[key], is[key]]++; continue }
        sub(/^ +/, "", what)
        missed = missed sprintf("%s.v:%s: %s never %s: %s\n", of[key], is[key] == "point" ? "-" : at[key], is[key],
                                is[key] == "toggle" ? "toggled" : "reached", what)
        holes_left[is[key]]++
    }
    print "| module | lines | reached | explained | bits | toggled | explained | points | reached | explained |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for (m in modules)
        printf "| %s | %s | %s | %s |\n", m, columns(m, "line"), columns(m, "toggle"), columns(m, "point") | "sort -k2"
    close("sort -k2")
    printf "%s", missed > table
    for (i = 1; i <= n; i++)
        if ((module[i] in modules) && !used[i] && (only == "" || kind[i] == only)) {
            print "holes.txt explains what is no hole: " pattern[i]
            idle++
        }
    printf "%d lines, %d toggles and %d points not explained\n",
        holes_left["line"], holes_left["toggle"], holes_left["point"]
    exit holes_left["line"] + holes_left["toggle"] + holes_left["point"] + idle > 0
}

# SPDX-License-Identifier: Apache-2.0
#
# points.awk -- a row a module of a coverage.dat, and what was never reached that nothing explains
#
#   awk -v holes=holes.txt -v table=TABLE -f points.awk coverage.dat ...
#
# A line of holes.txt is   MODULE line|toggle PATTERN: reason   where PATTERN is a regular
# expression for the source line, or for the signal, and MODULE may be * for any.
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
/^C / {
    file = field("f"); page = field("page")
    if (file !~ /rtl\//) next
    m = file; sub(/.*\//, "", m); sub(/\.v$/, "", m)
    k = page ~ /toggle/ ? "toggle" : "line"
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
        missed = missed sprintf("%s.v:%s: %s never %s: %s\n", of[key], at[key], is[key],
                                is[key] == "line" ? "reached" : "toggled", what)
        holes_left[is[key]]++
    }
    print "| module | lines | reached | explained | bits | toggled | explained |"
    print "|---|--:|--:|--:|--:|--:|--:|"
    for (m in modules)
        printf "| %s | %d | %.1f %% | %d | %d | %.1f %% | %d |\n", m, all[m, "line"],
            100 * hit[m, "line"] / (all[m, "line"] ? all[m, "line"] : 1), known[m, "line"], all[m, "toggle"],
            100 * hit[m, "toggle"] / (all[m, "toggle"] ? all[m, "toggle"] : 1), known[m, "toggle"] | "sort -k2"
    close("sort -k2")
    printf "%s", missed > table
    for (i = 1; i <= n; i++) if ((module[i] in modules) && !used[i]) { print "holes.txt explains what is no hole: " pattern[i]; idle++ }
    printf "%d lines and %d toggles not explained\n", holes_left["line"], holes_left["toggle"]
    exit holes_left["line"] + holes_left["toggle"] + idle > 0
}

# SPDX-License-Identifier: Apache-2.0
#
# sign-off.awk -- a row a module, and its stage, of the lines that scripts/docs/sign-off.sh collects
#
#   module NAME                   inside NAME PART         tested NAME UNIT        lockstep UNIT CYCLES
#   proof NAME ENGINE             planted NAME            memory NAME BITS
#   coverage NAME LINES REACHED% EXPLAINED BITS TOGGLED% EXPLAINED                 path NAME FO4
#   listed NAME                   points NAME POINTS REACHED% EXPLAINED            gates NAME             replayed UNIT
#
# The stages are those of the page's text.
$1 == "module" { order[++modules] = $2 }
$1 == "inside" { inside[$2, $3]; parts[$2] = parts[$2] " " $3 }
$1 == "tested" { tested[$2] = $3 }
$1 == "lockstep" { sub(/:.*/, "", $2); cycles[$2] += $3 }
$1 == "proof" && $3 !~ /^cover/ { proved($2, $3) }
$1 == "planted" { planted[$2]++ }
$1 == "memory" { memory[$2] = $3 }
$1 == "path" && (!($2 in path) || $3 > path[$2] + 0) { path[$2] = $3 }
$1 == "listed" { listed[$2]++ }
$1 == "points" { points[$2] = $3; met[$2] = $4; unmet[$2] = $5 }
$1 == "gates" { gates[$2] }
$1 == "replayed" { replayed["ace_" $2] }
$1 == "coverage" { lines[$2] = $3; reached[$2] = $4; known[$2] = $5; bits[$2] = $6; toggled[$2] = $7; quiet[$2] = $8 }

function proved(module, engine,    n) {
    if (engine ~ /^(pdr|ind)$/) { induction[module]; return }
    n = substr(engine, 5) + 0
    if (n > bound[module] + 0) bound[module] = n
}
function proof(module) {
    if (!(module in bound)) return module in induction ? "induction" : "-"
    return (module in induction ? "induction, " : "") bound[module] " cycles"
}
# Percent of points that were hit or are explained.
function accounted(percent, all, explained) { return all ? percent + 100 * explained / all : 100 }
function short(n) { return n >= 1e6 ? sprintf("%.1f M", n / 1e6) : n >= 1e3 ? sprintf("%.0f k", n / 1e3) : n "" }
# The unit whose pins Icarus replays and that holds a module; the smallest, "" for none.
function replay(module,    i, best) {
    if (module in replayed) return module
    for (i = 1; i <= modules; i++)
        if ((order[i], module) in inside) {
            best = replay(order[i])
            if (best != "") return best
        }
    return ""
}
function lacks(text) { missing = missing (missing == "" ? "" : ", ") text }
# What no column shows is listed above the table.
function lacks_also(text) { lacks(text); also[text] = also[text] (also[text] == "" ? "`" : ", `") m "`" }

END {
    for (i = 1; i <= modules; i++) {
        m = order[i]; missing = ""; stage = "V1"
        unit = tested[m]
        run = unit == "" ? "-" : (cycles[unit] ? short(cycles[unit]) : "not counted") ("ace_" unit == m ? "" : " in `" unit "`")
        counted = m in lines
        all_points = m in points ? accounted(met[m], points[m], unmet[m]) : 100
        x = replay(m)
        line = accounted(reached[m], lines[m], known[m]); bit = accounted(toggled[m], bits[m], quiet[m])
        wrapper = m ~ /^ace_ram_/
        if (unit == "") { stage = "-"; lacks("a lockstep test") }
        if (!counted) lacks("counted coverage"); else if (line < 90 || bit < 90 || all_points < 90) lacks("coverage of 90 %")
        if (!planted[m]) lacks("a planted bug")
        if (m in path && path[m] > cycle) lacks_also("a path of " cycle " FO4")
        if (stage == "V1" && missing == "") {
            stage = "V2"
            if (line < 99.95 || bit < 99.95) lacks("all lines and bits")
            if (proof(m) == "-") lacks("a proof"); else if (m in bound) lacks("all proofs by induction")
            if (memory[m] > 2048 && !wrapper) lacks_also("memories on the wrapper")
            if (listed[m] && !(m in points)) lacks("counted functional points")
            else if (all_points < 99.95) lacks("all functional points")
            if (!(m in gates)) lacks("compared gates")
            if (x == "") lacks("a replay from x")
            if (missing == "") stage = "V3"
        }
        count[stage]++
        if (stage < "V2") below[missing] = below[missing] (below[missing] == "" ? "`" : ", `") m "`"
        rows = rows sprintf("| `%s` | %s | %s | %s | %s | %s | %d | %s | %s | %s |\n", m, stage, run,
            !counted ? "-" : line >= 99.95 && bit >= 99.95 ? "all" : sprintf("%.1f, %.1f", line, bit),
            m in points ? sprintf("%d of %d", points[m] * all_points / 100 + 0.5, points[m]) : listed[m] ? "? of " listed[m] : "-",
            proof(m), planted[m], m in gates ? "equal" : "-", x == "" ? "-" : x == m ? "own" : "in `" substr(x, 5) "`",
            m in path ? sprintf("%.1f", path[m]) : "-")
    }
    printf "Modules at V3: %d, at V2: %d, at V1: %d, below: %d.\n", count["V3"], count["V2"], count["V1"], count["-"]
    for (text in also) printf "Without %s: %s.\n", text, also[text]
    print "\n| missing for V2 | modules |\n|---|---|"
    for (text in below) printf "| %s | %s |\n", text, below[text] | "sort"
    close("sort")
    print "\n`scripts/docs/sign-off.sh`"
    print ""
    print "| module | stage | lockstep, busy cycles | lines, bits | points | proof | bugs | gates | x | FO4 |"
    printf "|---|---|---|---|--:|---|--:|---|---|--:|\n%s", rows
}

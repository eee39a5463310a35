#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the page of the campaign, whose tables come from the output of its programs:
#
#   scripts/docs/campaign-page.sh > docs/results/campaign.md
#
# docs/results/campaign/ has a file for each run of a program: its first line is "commit, command", the rest is the
# output.  The text between the tables is in campaign/page.in, whose lines "@table NAME" become tables.
set -euo pipefail
cd "$(dirname "$0")/../.."
results=docs/results/campaign
said() { # COMMITS-AND-COMMANDS: the programs and the commits of runs, from lines "commit, command"
    awk '{ program = match($0, /(tests|build\/release)\/[a-z_.\/]*/) ? substr($0, RSTART, RLENGTH) : "build/release/acesim lockstep"
           if (!(program in seen)) { seen[program]; programs = programs (programs == "" ? "" : " and ") "`" program "`" }
           sub(/[, ].*/, ""); if (!($0 in seen)) { seen[$0]; commits = commits (commits == "" ? "" : ", ") $0 } }
         END { printf "\n%s, commit%s %s\n", programs, commits ~ /,/ ? "s" : "", commits }'
}
of() { # NAME...: the first line of each run of that name
    local name
    for name; do head -q -n 1 "$results/$name"*; done | said
}
# The first run, and the runs after its findings were repaired: open is what the last run of each reader found.
fuzz() {
    printf '| reader | executions | lines reached | found |\n|---|--:|--:|--:|\n'
    awk -v lines="$results/lines" '
        BEGIN { while ((getline line < lines) > 0) if (split(line, w, "[: ]+") >= 5) reached[w[1]] = w[2] "/" w[4] }
        /^(ok|FAIL) / { sub(":", "", $2); if (!($2 in runs)) order[++n] = $2
                        runs[$2] += $3; all += $3; found[$2] += $(NF - 1); open[$2] = $(NF - 1) }
        END { for (i = 1; i <= n; i++) {
                  r = order[i]; f += found[r]; o += open[r]
                  if (found[r]) printf "| `%s` | %d | %s | %d |\n", r, runs[r], reached[r], found[r] }
              printf "| all %d, %d open now | %d | | %d |\n", n, o, all, f }' "$results"/fuzz*
    of fuzz lines
}
soak() {
    printf '| cases that agree | end with the same error | refused | failed | runs | calibrated, in their interval |\n'
    printf '|--:|--:|--:|--:|--:|--:|\n'
    awk '/^soak, seed/ { agree += $4; same += $6; refused += $12; failed += $14; runs += $16
                         if (match($0, /calibrated [0-9]+ of [0-9]+/)) { split(substr($0, RSTART, RLENGTH), w, " "); inside += w[2]; of += w[4] } }
         END { printf "| %d | %d | %d | %d | %d | %d of %d |\n", agree, same, refused, failed, runs, inside, of }' "$results"/soak*
    of soak
}
crash() {
    printf '| commands | kills | lost something |\n|--:|--:|--:|\n'
    awk '/ killed [0-9]+ times/ { if (!($1 in seen)) { seen[$1]; n++ } kills += $3; lost += $5 }
         END { printf "| %d | %d | %d |\n", n, kills, lost }' "$results"/crash*
    of crash
}
denied() {
    printf '| what is denied | times | reported | ended badly |\n|---|--:|--:|--:|\n'
    awk '/^[a-z-]+: denied [0-9]+ times/ { sub(":", "", $1); if (!($1 in times)) order[++n] = $1
                                          times[$1] += $3; told[$1] += $6; bad[$1] += $7 }
         END { for (i = 1; i <= n; i++) printf "| %s | %d | %d | %d |\n", order[i], times[order[i]], told[order[i]], bad[order[i]] }
         ' "$results"/denied*
    of denied
}
memory() {
    printf '| kinds of runs | requests | refused in turn | ended badly |\n|--:|--:|--:|--:|\n'
    awk '/ requests, / { kinds++; requests += $2; refused += $4; bad += $8 }
         END { printf "| %d | %d | %d | %d |\n", kinds, requests, refused, bad }' "$results/memory"
    of memory
}
upset() {
    printf '| rung | place | bits changed | right | reported | silent | hang |\n|---|---|--:|--:|--:|--:|--:|\n'
    awk '$1 ~ /^(cycle|rtl|switch|switch-rtl)$/ { printf "| `%s` | %s | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 + $8 }' "$results"/upset*
    of upset
}
hardware() {
    printf '| place | wrong bits | hit something | runs | right | reported | neither |\n|---|--:|--:|--:|--:|--:|--:|\n'
    awk '$1 ~ /^(link|hub|network|scratchpad|two)$/ { if (!($1 in all)) order[++n] = $1
                                                     for (i = 2; i <= 7; i++) all[$1, i] += $i; all[$1] }
         END { for (i = 1; i <= n; i++) { printf "| %s |", order[i]; for (k = 2; k <= 7; k++) printf " %d |", all[order[i], k]; print "" } }
         ' "$results"/hardware*
    of hardware
}
# Lines of tests/lockstep/soak.sh: commit; command; what; busy cycles; differences.
lockstep() {
    printf '| in lockstep | busy cycles | differences |\n|---|--:|--:|\n'
    awk -F '; ' '
        { node = $3 ~ /^node/; cycles[node] += $4; wrong[node] += $5 }
        END { printf "| units | %d | %d |\n| the node | %d | %d |\n", cycles[0], wrong[0], cycles[1], wrong[1]
              printf "| all | %d | %d |\n", cycles[0] + cycles[1], wrong[0] + wrong[1] }' "$results/lockstep"
    sed 's/; /, /' "$results/lockstep" | said
}
planted() {
    printf '| planted | found |\n|---|---|\n'
    awk '/^(ok|FAIL) / { sub(":", "", $2); n++; found += / found$/; names = names (names == "" ? "" : ", ") "`" $2 "`" }
         END { printf "| %s | %d of %d |\n", names, found, n }' "$results"/planted
    of planted
}
while IFS= read -r line; do
    case $line in
    '@table '*) "${line#@table }" ;;
    '# '*) printf '%s\n\n<!-- Made by scripts/docs/campaign-page.sh of docs/results/campaign/. -->\n' "$line" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$results/page.in"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of the campaign, of what its programs printed:
#
#   scripts/docs/campaign-page.sh > docs/results/campaign.md
#
# docs/results/campaign/ has a file for each program: its first line is "commit, command", the rest is what it
# printed.  The text between the tables is campaign/page.in's, whose lines "@table NAME" become tables.
set -euo pipefail
cd "$(dirname "$0")/../.."
results=docs/results/campaign
said() { # NAME: the commit and the command of a file
    local commit command
    IFS=, read -r commit command <"$results/$1"
    printf "\n\`%s\`, commit %s\n" "${command# }" "$commit"
}
# Prints the first run, and the findings that were tried again after repairs. Findings that remain are open.
fuzz() {
    printf '| reader | executions | lines reached | of | found | open |\n|---|--:|--:|--:|--:|--:|\n'
    awk -v lines="$results/lines" '
        BEGIN { while ((getline line < lines) > 0) if (split(line, w, "[: ]+") >= 5) { reached[w[1]] = w[2]; of[w[1]] = w[4] } }
        /^(ok|FAIL) / { sub(":", "", $2); if (!($2 in runs)) order[++n] = $2
                        runs[$2] += $3; all += $3; found[$2] += $(NF - 1); open[$2] = $(NF - 1) }
        END { for (i = 1; i <= n; i++) {
                  r = order[i]; f += found[r]; o += open[r]
                  printf "| `%s` | %d | %s | %s | %d | %d |\n", r, runs[r], reached[r], of[r], found[r], open[r] }
              printf "| all | %d | | | %d | %d |\n", all, f, o }' "$results"/fuzz*
    for run in "$results"/fuzz*; do said "$(basename "$run")"; done
    said lines
}
soak() {
    printf '| cases that agree | end with the same error | refused | failed | runs | calibrated, in their interval | commit |\n'
    printf '|--:|--:|--:|--:|--:|--:|---|\n'
    for run in "$results"/soak*; do
        awk 'FNR == 1 { sub(/,.*/, ""); commit = $0 }
             /^soak, seed/ { inside = "none"; if (match($0, /calibrated [0-9]+ of [0-9]+/)) inside = substr($0, RSTART + 11, RLENGTH - 11)
                             printf "| %d | %d | %d | %d | %d | %s | %s |\n", $4, $6, $12, $14, $16, inside, commit }' "$run"
    done
    awk '/^soak, seed/ { agree += $4; same += $6; refused += $12; failed += $14; runs += $16 }
         END { printf "| %d | %d | %d | %d | %d | | all |\n", agree, same, refused, failed, runs }' "$results"/soak*
    for run in "$results"/soak*; do said "$(basename "$run")"; done
}
crash() {
    printf '| what is killed | kills | lost something |\n|---|--:|--:|\n'
    awk '/ killed [0-9]+ times/ { sub(":", "", $1); printf "| `%s` | %d | %d |\n", $1, $3, $5 }' "$results"/crash*
    for run in "$results"/crash*; do said "$(basename "$run")"; done
}
denied() {
    printf '| what is denied | times | told | ended badly |\n|---|--:|--:|--:|\n'
    awk '/^[a-z-]+: denied [0-9]+ times/ { sub(":", "", $1); if (!($1 in times)) order[++n] = $1
                                          times[$1] += $3; told[$1] += $6; bad[$1] += $7 }
         END { for (i = 1; i <= n; i++) printf "| %s | %d | %d | %d |\n", order[i], times[order[i]], told[order[i]], bad[order[i]] }
         ' "$results"/denied*
    for run in "$results"/denied*; do said "$(basename "$run")"; done
}
memory() {
    printf '| run | requests | refused in turn | ended badly |\n|---|--:|--:|--:|\n'
    awk '/ requests, / { sub(":", "", $1); printf "| `%s` | %d | %d | %d |\n", $1, $2, $4, $8 }' "$results/memory"
    said memory
}
upset() {
    printf '| rung | place | bits changed | right | told | silent | hang |\n|---|---|--:|--:|--:|--:|--:|\n'
    awk '$1 ~ /^(cycle|rtl|switch|switch-rtl)$/ { printf "| `%s` | %s | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 + $8 }' "$results"/upset*
    for run in "$results"/upset*; do said "$(basename "$run")"; done
}
hardware() {
    printf '| place | wrong bits | hit something | runs | right | told | neither |\n|---|--:|--:|--:|--:|--:|--:|\n'
    awk '$1 ~ /^(link|hub|network|scratchpad|two)$/ { printf "| %s | %d | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 }
         ' "$results"/hardware*
    for run in "$results"/hardware*; do said "$(basename "$run")"; done
}
# Lines of tests/lockstep/soak.sh: commit; command; what; busy cycles; differences.
lockstep() {
    printf '| in lockstep | busy cycles | differences |\n|---|--:|--:|\n'
    awk -F '; ' '
        { node = $3 ~ /^node/; cycles[node] += $4; wrong[node] += $5; name = "`" $3 "`" }
        !(name in all) { order[++n] = name }
        { all[name] += $4; bad[name] += $5 }
        END { for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", order[i], all[order[i]], bad[order[i]]
              printf "| units | %d | %d |\n| the node | %d | %d |\n", cycles[0], wrong[0], cycles[1], wrong[1]
              printf "| all | %d | %d |\n", cycles[0] + cycles[1], wrong[0] + wrong[1] }' "$results/lockstep"
    awk -F '; ' '!seen[$1 $2]++ { printf "\n`%s`, commit %s\n", $2, $1 }' "$results/lockstep"
}
planted() {
    printf '| planted | |\n|---|---|\n'
    awk '/^(ok|FAIL) / { name = $2; sub(":", "", name); sub(/^[^:]*: /, ""); printf "| `%s` | %s |\n", name, $0 }' "$results/planted"
    said planted
}
while IFS= read -r line; do
    case $line in
    '@table '*) "${line#@table }" ;;
    '# '*) printf '%s\n\n<!-- Made by scripts/docs/campaign-page.sh of docs/results/campaign/. -->\n' "$line" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$results/page.in"

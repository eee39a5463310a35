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
# The first run, and what was tried again when its findings were mended: open is what is left of them.
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
    printf '| cases that agree | end with the same error | refused | failed | runs | commit |\n|--:|--:|--:|--:|--:|---|\n'
    for run in "$results"/soak*; do
        awk 'NR == 1 { sub(/,.*/, ""); commit = $0 }
             /^soak, seed/ { printf "| %d | %d | %d | %d | %d | %s |\n", $4, $6, $12, $14, $16, commit }' "$run"
    done
    for run in "$results"/soak*; do said "$(basename "$run")"; done
}
crash() {
    printf '| what is killed | kills | lost something |\n|---|--:|--:|\n'
    awk '/ killed [0-9]+ times/ { sub(":", "", $1); printf "| `%s` | %d | %d |\n", $1, $3, $5 }' "$results/crash"
    said crash
}
hardware() {
    printf '| place | wrong bits | hit something | runs | right | told | neither |\n|---|--:|--:|--:|--:|--:|--:|\n'
    awk '$1 ~ /^(link|hub|scratchpad|two)$/ { printf "| %s | %d | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 }
         ' "$results"/hardware*
    for run in "$results"/hardware*; do said "$(basename "$run")"; done
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

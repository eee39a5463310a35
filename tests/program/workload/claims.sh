#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# claims.sh [ACESIM] -- claims of docs/results/paper.md must equal what the command next to them prints: iteration times
# and network bandwidth of ResNet-50 and DLRM, and the memory bandwidth with which 90 % is reached. The page must count
# correctly how many figures are within 5 %.
. "$(dirname "$0")/../begin.sh"

page=docs/results/paper.md
mkdir "$work/bin"
ln -s "$acesim" "$work/bin/acesim"
row() { # CLAIM: the row of the claims, or of the second table the command
    awk -F' *[|] *' -v claim="$1" '$2 == claim' $page | head -n 1
}
ran() { # CLAIM: its command, into $work/out
    local command
    command=$(awk -F' *[|] *' -v claim="$1" '$2 == claim && $3 ~ /^`for/ { gsub(/`/, ""); print $3 }' $page)
    [ -n "$command" ]
    verdict $? "$page has no command of $1"
    PATH=$work/bin:$PATH bash -c "$command" >"$work/out" 2>"$work/err"
    verdict $? "$command: $(tail -n 1 "$work/err")"
}
# Finds the baseline whose times relative to ACE's are shortest on average over all sizes. Prints the number of sizes,
# and the average and maximum of its times over ACE's and of ACE's bandwidths over its own.
ratios() {
    tr -d , <"$work/out" | awk '
        $1 == "time" && NF > 4 { n++; for (i = 4; i <= NF; i += 2) { speed[n, i] = $i / $2; sum[i] += $i / $2 } }
        $1 == "bandwidth" && NF > 4 { for (i = 4; i <= NF; i += 2) wide[n, i] = $2 / $i }
        END { best = 4; for (i in sum) if (sum[i] < sum[best]) best = i
              for (k = 1; k <= n; k++) { s += speed[k, best]; b += wide[k, best]
                  if (speed[k, best] > most) most = speed[k, best]; if (wide[k, best] > widest) widest = wide[k, best] }
              print n, s / n, most, b / n, widest }'
}
near() { # FOUND EXPECTED TEXT: to a hundredth
    awk -v found="$1" -v expected="$2" 'BEGIN { d = found / expected - 1; exit !(expected > 0 && d < 0.01 && d > -0.01) }'
    verdict $? "$3: found $1, expected the page's $2"
}
here() { awk -F' *[|] *' '{ print $4 }'; }

widest=0
for workload in ResNet-50 DLRM; do
    claim="iteration time, best baseline / ACE, $workload, average"
    ran "iteration time, $workload"
    read -r sizes speed most bandwidth wide < <(ratios)
    same "$sizes" 4 "$workload: topologies"
    near "$speed" "$(row "$claim" | here)" "$workload: average"
    near "$most" "$(grep -F -A1 "| $claim |" $page | tail -n 1 | here)" "$workload: maximum"
    # each size's row
    for n in 16 32 64 128; do
        awk -F' *[|] *' -v w="$workload" -v n=$n '$2 == w && $3 == n { print $7, $10 }' $page
    done >"$work/sizes"
    same "$(wc -l <"$work/sizes")" 4 "$workload: rows of the sizes"
    near "$(awk '{ s += $1 } END { print s / NR }' "$work/sizes")" "$speed" "$workload: the average of the sizes' times"
    near "$(awk '{ s += $2 } END { print s / NR }' "$work/sizes")" "$bandwidth" "$workload: the average of the sizes' bandwidths"
    widest=$(awk -v a=$widest -v b="$wide" 'BEGIN { print (a > b ? a : b) }')
done
near "$widest" "$(grep -F -A1 '| effective network bandwidth, ACE / best baseline, average |' $page | tail -n 1 | here)" 'bandwidth, maximum'
# the average has GNMT in it, which takes longest to run: the mean of what the sizes say
near "$(awk -F' *[|] *' '$2 ~ /^(DLRM|GNMT|ResNet-50)$/ && $3 ~ /^[0-9]+$/ && NF == 11 { n++; s += $10 } END { print n == 12 ? s / n : 0 }' $page)" \
    "$(row 'effective network bandwidth, ACE / best baseline, average' | here)" 'bandwidth, average'

for claim in 'memory bandwidth, ACE' 'the same, baseline'; do
    ran "$claim"
    awk '$1 == "of" && $2 == "links" { n++; if ($3 < 89.5 || $3 > 90.8) bad++ } END { exit n != 4 || bad }' "$work/out"
    verdict $? "$claim: $(grep '^of links' "$work/out")"
done
need() { row "$1" | grep -oE '=[0-9.]+GB' | tr -d '=GB'; }
near "$(paste <(need 'memory bandwidth, ACE') <(need 'the same, baseline') | awk '{ s += $2 / $1 } END { print s / NR }')" \
    "$(row 'memory bandwidth for the same network bandwidth, baseline / ACE, average' | here)" 'memory bandwidth, average'

# The study's short form is of the smallest size.  It has the page's row of that size, and no average over four.
"$acesim" study claims --quick --jobs 2 --output "$work/quick" --quiet >"$work/printed" 2>"$work/err"
verdict $? "study claims --quick: $(tail -n 1 "$work/err")"
same "$(grep -cE '^\| .* \| [0-9.]+ \| – \| – \| ' "$work/printed")" 9 'claims without four sizes'
for workload in GNMT DLRM; do # whose best baseline on this size is that of all
    line=$(grep -E "^\| $workload \| 16 \|" "$work/quick/page.md")
    grep -qxF -- "$line" $page && [ -n "$line" ]
    verdict $? "$workload on 16 NPUs: $page has no row '$line'"
done

# GNMT's average is not counted among the nine figures. `off` must be the difference of the two columns.
awk -F' *[|] *' '$5 ~ /^[-+][0-9.]+ %$/ && NF == 7 { n++; off = 100 * ($4 / $3 - 1); if ($5 - off > 0.4 || off - $5 > 0.4) bad++
                  if ($2 ~ /GNMT, average/) next; tests++; if (off < 5 && off > -5) within++ }
                  END { print n, bad + 0, tests, within }' <(sed -n '1,/^## /p' $page) >"$work/count"
same "$(cat "$work/count")" '9 0 8 7' 'figures, off by something else, that test, within 5 %'
grep -q 'Seven of the eight that test the model are within 5 %' $page
verdict $? "$page: how many are within 5 %"

echo "claims: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

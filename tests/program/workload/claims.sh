#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# claims.sh [ACESIM] -- what docs/results/paper.md says of a claim is what the command beside it gives: iteration times of
# ResNet-50 and DLRM, the bandwidth of ACE over that of the best baseline, and memory with which 90 % is reached
. "$(dirname "$0")/../begin.sh"

page=docs/results/paper.md
mkdir "$work/bin"
ln -s "$acesim" "$work/bin/acesim"
cell() { # CLAIM READING COLUMN: of the table that has the commands
    awk -F' *[|] *' -v claim="$1" -v reading="$2" -v column="$3" \
        '$2 == claim && $3 == reading && $6 ~ /^`for/ { gsub(/`/, ""); print $column }' $page
}
ran() { # CLAIM READING: its command, into $work/out
    local command
    command=$(cell "$1" "$2" 6)
    [ -n "$command" ]
    verdict $? "$page has no command of $1, $2"
    PATH=$work/bin:$PATH bash -c "$command" >"$work/out" 2>"$work/err"
    verdict $? "$command: $(tail -n 1 "$work/err")"
}
# Each comparison's times, ACE's first: the shortest of the others over it, and the bandwidths of these two.
ratios() {
    tr -d , <"$work/out" | awk '
        $1 == "time" { best = 4; for (i = 6; i <= NF; i += 2) if ($i < $best) best = i; speed = $best / $2 }
        $1 == "bandwidth" { n++; s += speed; b += $2 / $best; if (speed > most) most = speed; if ($2 / $best > wide) wide = $2 / $best }
        END { print n, s / n, most, b / n, wide }'
}
near() { # FOUND EXPECTED TEXT: to a hundredth
    awk -v found="$1" -v expected="$2" 'BEGIN { d = found / expected - 1; exit !(expected > 0 && d < 0.01 && d > -0.01) }'
    verdict $? "$3: found $1, expected the page's $2"
}

for which in 'iteration time, ResNet-50:table, reserved' 'iteration time, DLRM:outstanding'; do
    claim=${which%%:*} reading=${which#*:}
    ran "$claim" "$reading"
    read -r sizes speed most _ _ < <(ratios)
    same "$sizes" 4 "$claim, $reading: topologies"
    near "$speed" "$(cell "$claim" "$reading" 4)" "$claim, $reading: average"
    near "$most" "$(cell "$claim" "$reading" 5)" "$claim, $reading: maximum"
    # the claims' own table says the same
    [ "$(grep -cF "| $(cell "$claim" "$reading" 4) |" $page)" -ge 2 ]
    verdict $? "$claim, $reading: its average stands in no other table"
done
# DLRM alone, against the best baseline by time: its rows of the table by model and size
read -r _ _ _ bandwidth wide < <(ratios)
row=$(grep -E '^\| best by iteration time \| dlrm \| shapes \|' $page)
near "$bandwidth" "$(awk -F' *[|] *' '{ print $9 }' <<<"$row")" 'bandwidth over the best baseline, DLRM, average'
near "$wide" "$(awk -F' *[|] *' '{ m = 0; for (i = 5; i <= 8; i++) if ($i > m) m = $i; print m }' <<<"$row")" 'bandwidth over the best baseline, DLRM, maximum'

for claim in 'memory bandwidth, ACE' 'the same, baseline'; do
    ran "$claim" all
    awk '$1 == "of" && $2 == "ideal" { n++; if ($3 < 89.5 || $3 > 90.8) bad++ } END { exit n != 4 || bad }' "$work/out"
    verdict $? "$claim: $(grep '^of ideal' "$work/out")"
done

echo "claims: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

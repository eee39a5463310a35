#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The views of waves/: each signal that one names is in a node's waveform (GTKWave leaves out
# without a word what is not), each translation is there and has a name for what the signal
# holds, and each view can be drawn.
. "$(dirname "$0")/../begin.sh"

"$acesim" collective all-reduce --topology 2x2x2 --size 16KiB --rung 'rtl:0;cycle:rest' \
    --wave "$work/node.fst" >"$work/out" 2>"$work/err"
verdict $? "no waveform: $(tail -1 "$work/err")"
# the names of the header, with their ranges
fst2vcd -f "$work/node.fst" 2>/dev/null | awk '
    /^\$enddefinitions/ { exit }
    /^\$scope/ { scope[++depth] = $3 }
    /^\$upscope/ { depth-- }
    /^\$var/ {
        name = ""
        for (i = 1; i <= depth; i++) name = name scope[i] "."
        name = name $5
        if ($6 != "$end") name = name $6
        print name
    }' | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 1000 ]
verdict $? 'the waveform has few signals'

for view in waves/*.gtkw; do
    sed -n 's/^+{[^}]*} //p' "$view" | sort -u >"$work/wanted"
    [ -s "$work/wanted" ]
    verdict $? "$view names no signals"
    missing=$(comm -23 "$work/wanted" "$work/names")
    [ -z "$missing" ]
    verdict $? "$view names what is not in the waveform: $missing"
    # as many groups end as begin
    [ "$(grep -c '^@800200' "$view")" -eq "$(grep -c '^@1000200' "$view")" ]
    verdict $? "$view: a group does not end"
    while read -r filter; do
        [ -s "$filter" ] && ! grep -qvE '^[0-9A-F]+ [^ ]' "$filter"
        verdict $? "$view: $filter is no list of values and their names"
    done < <(sed -n 's/^^1 //p' "$view" | sort -u)
    waves/render.sh "$work/node.fst" "$view" "$work/view.png" 0 1600000 1200x900 >"$work/out" 2>&1 &&
        [ "$(identify -format %w "$work/view.png")" -ge 1200 ] &&
        [ "$(identify -format %k "$work/view.png")" -gt 8 ]
    verdict $? "$view is not drawn: $(tail -1 "$work/out")"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

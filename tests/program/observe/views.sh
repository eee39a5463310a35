#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The views of waves/.  Each signal that a view names is in a node's waveform; GTKWave leaves out an unknown one in
# silence.  Each filter exists and is a list of values and names.  Each view can be drawn as a figure that shows the names.
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

form=svg
command -v rsvg-convert >/dev/null && form=png
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
    # The figure is an SVG and, where rsvg-convert is installed, a PNG of the same size.  All labels stand in it, and names
    # in place of codes: what the dispatcher and the first phase of this all-reduce do is known.
    waves/render.sh "$work/node.fst" "$view" "$work/view.$form" 0 2000 "A & B" >"$work/out" 2>&1
    verdict $? "$view is not drawn: $(tail -1 "$work/out")"
    if [ $form = png ]; then
        [ "$(head -c 4 "$work/view.png" | tail -c 3)" = PNG ] && [ "$(wc -c <"$work/view.png")" -gt 10000 ]
        verdict $? "$view: no PNG"
    fi
    python3 - "$view" "$work/view.svg" <<'PYTHON'
import re, sys, xml.etree.ElementTree as tree
view, svg = open(sys.argv[1]).read(), tree.parse(sys.argv[2])
texts = [e.text for e in svg.iter("{http://www.w3.org/2000/svg}text")]
labels = [label for label in re.findall(r"^\+\{([^}]*)\} (?!cycle)", view, re.M)]
missing = [label for label in labels if label not in texts]
assert not missing, f"no label {missing}"
assert texts[0] == "A & B" and "microseconds" in texts and "cycles" in texts, texts[:9]
# 2000 cycles of 1245 MHz are 1.606 us
assert "2,000" in texts and "1.6" in texts and "1.8" not in texts, texts
boxes = [e for e in svg.iter("{http://www.w3.org/2000/svg}rect") if e.get("stroke")]
assert boxes or "^1 " not in view, "no value is drawn"
expected = {"ace_node": ["all-reduce", "fp32", "sum", "idle", "reduce-scatter"], "figure": ["all-reduce", "idle", "reduce-scatter", "x"],
            "chunk": ["reduce-scatter", "x"]}
name = sys.argv[1].rsplit("/", 1)[1][:-5]
missing = [text for text in expected.get(name, []) if text not in texts]
assert not missing, f"no value {missing} in {sorted(set(texts))}"
PYTHON
    verdict $? "$view: what the figure says"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

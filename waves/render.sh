#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Draws a waveform as a figure:
#
#   waves/render.sh WAVE.fst VIEW.gtkw OUT.svg|OUT.png [FROM TO [TITLE]]
#
# FROM and TO are cycles; without them the figure shows the whole wave.  OUT.png has OUT.svg next to it.  Needs fst2vcd of
# the package gtkwave, python3, and for a PNG rsvg-convert of the package librsvg2-bin.
set -euo pipefail
if [[ $# -ne 3 && $# -ne 5 && $# -ne 6 ]] || [[ $3 != *.svg && $3 != *.png ]]; then
    sed -n '3,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
wave=$(realpath -- "$1") view=$(realpath -- "$2") picture=$(realpath -m -- "$3")
title=${6:-$(basename -- "$1" .fst): $(basename -- "$2" .gtkw)}
for file in "$wave" "$view"; do
    [[ -r $file ]] || { echo "render: cannot read $file" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fst2vcd -f "$wave" -o "$work/wave.vcd" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
python3 "$(dirname "$(realpath -- "$0")")/draw.py" "$work/wave.vcd" "$view" "$work/figure.svg" "$title" ${4:+"$4" "$5"}
if [[ $picture == *.png ]]; then
    rsvg-convert --output "$work/figure.png" "$work/figure.svg"
    mv "$work/figure.png" "$picture"
fi
mv "$work/figure.svg" "${picture%.*}.svg"
echo "render: $picture"

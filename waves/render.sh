#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Draws a waveform as a picture, without a screen:
#
#   waves/render.sh WAVE.fst VIEW.gtkw OUT.png [FROM TO [WIDTHxHEIGHT]]
#
# FROM and TO are in picoseconds, the time unit of all waves; without them the whole wave is shown.
set -euo pipefail
if [[ $# -ne 3 && $# -ne 5 && $# -ne 6 ]]; then
    sed -n '3,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
wave=$(realpath -- "$1") view=$(realpath -- "$2") picture=$(realpath -m -- "$3") from=${4:-} to=${5:-} size=${6:-1600x900}
for file in "$wave" "$view"; do
    [[ -r $file ]] || { echo "render: cannot read $file" >&2; exit 2; }
done
width=${size%x*} height=${size#*x}
range=()
[[ $from ]] && range=(--start "$from" --end "$to")   # closer than setZoomRangeTimes, cut by the name pane

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"    # so that no name is a part of the script below
{
    echo "gtkwave::/Time/Zoom/Zoom_Full"
    echo "gtkwave::/File/Grab_To_File grab.png"
    echo "gtkwave::/File/Quit"
} >grab.tcl

# xvfb-run does not quote the folder of its own files
TMPDIR=. timeout 120 xvfb-run -a -s "-screen 0 $((width + 100))x$((height + 80))x24" \
    gtkwave --rcvar 'hide_sst on' --rcvar 'splash_disable on' \
            --rcvar 'fontname_signals Monospace 10' --rcvar 'fontname_waves Monospace 10' \
            --rcvar "initial_window_x $width" --rcvar "initial_window_y $height" \
            --rcvar 'initial_signal_window_width 300' \
            "${range[@]}" -S grab.tcl "$wave" "$view" >log 2>&1 || true
if [[ ! -s grab.png ]]; then
    echo "render: gtkwave made no picture:" >&2
    cat log >&2
    exit 1
fi
mv grab.png "$picture"
echo "render: $picture"

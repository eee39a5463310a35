#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The first run: two iterations of ResNet-50 on a 4x2x2 torus of ACE nodes, node 0 in RTL
# and its waveform recorded around the first all-reduce.  Options given here are added to
# acesim's.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out
around=20000    # cycles of waveform
picture=6000    # cycles of it in the picture

scripts/build.sh release acesim    # the tests are not needed here
mkdir -p "$out"

# Where the first all-reduce begins: the same cycle on either rung, so the C twins tell.
first=(
    build/release/acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml
    --endpoint ace "$@" --iterations 1 --rung cycle --timeline "$out/first.json"
)
"${first[@]}" >/dev/null
from=$(sed -n 's/.*"name":"all-reduce.*"from":\([0-9]*\).*/\1/p' "$out/first.json" | sort -n | head -n 1)
rm "$out/first.json"
[[ $from ]] || { echo "demo: no all-reduce in the timeline" >&2; exit 1; }
echo "The first all-reduce begins in cycle $from."

command=(
    build/release/acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml
    --iterations 2 --endpoint ace --rung 'rtl:0;cycle:rest' --fold off
    --output "$out"
    --wave "$out/node0.fst" --wave-node 0 --wave-from "$from" --wave-to $((from + around))
)
printf '+'; printf ' %q' "${command[@]}" "$@"; echo
"${command[@]}" "$@"

if command -v gtkwave >/dev/null && command -v xvfb-run >/dev/null; then
    # the wave is in picoseconds, the clock has 1245 MHz
    waves/render.sh "$out/node0.fst" waves/ace_node.gtkw "$out/node0.png" \
        $((from * 1000000 / 1245)) $(((from + picture) * 1000000 / 1245)) 1600x1830
fi
echo
echo "Results are in $out/:"
ls -lh "$out"
echo "Waveform of node 0: gtkwave $out/node0.fst waves/ace_node.gtkw"

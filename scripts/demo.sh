#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The first run: two iterations of ResNet-50 on a 4x2x2 torus of ACE nodes, node 0 in RTL
# and its waveform recorded.  Options given here are added to acesim's.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out

command=(
    build/release/acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml
    --iterations 2 --endpoint ace --rung 'rtl:0;cycle:rest'
    --output "$out"
    --wave "$out/node0.fst" --wave-node 0 --wave-from 0 --wave-to 20000
)

scripts/build.sh release
mkdir -p "$out"
printf '+'; printf ' %q' "${command[@]}" "$@"; echo
"${command[@]}" "$@"

if [[ -f $out/node0.fst && -f waves/ace_node.gtkw ]]; then
    waves/render.sh "$out/node0.fst" waves/ace_node.gtkw "$out/node0.png"
fi
echo
echo "Results are in $out/:"
ls -lh "$out"
echo "Waveform of node 0: gtkwave $out/node0.fst waves/ace_node.gtkw"

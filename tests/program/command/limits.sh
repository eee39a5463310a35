#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# limits.sh [ACESIM] -- a message that docs/reference/limits.md quotes is what a command prints that goes beyond the
# limit, with exit status 2. Limits that need a file of traces, RTL or several processes are tested elsewhere.
. "$(dirname "$0")/../begin.sh"

# shellcheck disable=SC2016
sed -nE 's/^- .* \(`([^|]*)`\)$/\1/p' docs/reference/limits.md | sed 's/`, `/\n/g' >"$work/quoted"
quoted() { # TEXT ARGUMENTS...: the page quotes TEXT, and the command is refused with it
    grep -qxF -- "$1" "$work/quoted"
    verdict $? "docs/reference/limits.md does not quote '$1'"
    refused "$@"
}
torus=clusters/torus-4x2x2.yaml

refused_by=(collective all-reduce)
# ---- clusters ----
quoted 'sizes of the dimensions x, y, z, w, u, v' --topology 2x2x2x2x2x2x2
quoted 'sizes of the dimensions x, y, z, w, u, v' --topology 513x1
quoted 'sizes of together at most 1048576 nodes' --topology 512x512x512
quoted 'at most four dimensions, of 128 members on a ring' --topology 2x2x2x2x2
quoted '64 on a switch or fully ' --topology 'Switch(65)'
quoted 'cycles on wires; --endpoint ideal takes more' --link-latency 1000001
quoted 'which its engine does not tell apart' --topology 'Switch(32)' --algorithm direct --peers 16
quoted 'over links that a' --topology 'Links(8)' --links fabrics/dgx-1.yaml --endpoint ideal
quoted 'in one dimension at most' --topology 'Links(8)_Links(8)' --links fabrics/dgx-1.yaml
quoted 'has no rows in a switch' --topology 'Switch(4)' --switch-buffer 8 --endpoint ideal
quoted 'what a switch reduces is not' --topology 'Switch(4)' --algorithm in-network --switch-bandwidth 100GB/s
quoted 'on their way through the switch' --topology 'Switch(4)' --algorithm in-network --chunk 128KiB
quoted 'on their way through the switch' --topology 'Switch(2)' --algorithm in-network --chunk 96KiB
"$acesim" collective all-reduce --topology 'Switch(8)' --algorithm in-network --chunk 128KiB --quiet >"$work/out" 2>"$work/err"
verdict $? "chunks of 128 KiB in a switch of 8: $(cat "$work/err")"
quoted 'nodes to simulate (folding:' --topology 40x40x40 --fold off
quoted 'after link efficiency' --link-bandwidth 340GB/s
quoted 'after link efficiency' --link-bandwidth 320GB/s --link-efficiency 1
quoted 'a memory bandwidth of 256 bytes in' --memory-bandwidth 320GB/s
# ---- collectives ----
quoted 'GiB of payload over ' --topology 8x8x8 --size 1TiB --payload random
quoted 'bytes of the vector, 1 to 1TiB' --size 2TiB
quoted 'carries no payload and has one rung' --endpoint ideal --payload random
quoted 'the ideal endpoint puts nothing on links or memory' --endpoint ideal --samples 64
quoted 'software agrees on no order' --endpoint comm-opt --order agreed
quoted 'does not run on' --topology 'Switch(6)' --algorithm halving-doubling
refused_by=(collective)
quoted 'nodes, expected at most ' gather --topology 128x64
quoted 'transfers in software are not modelled yet' broadcast --endpoint comp-opt
quoted 'acesim: --rung calibrated: found' broadcast --rung calibrated
quoted 'found it with ' all-to-all --schedule balanced
# ---- hardware ----
refused_by=(collective all-reduce)
quoted 'an engine is given them by its registers alone' --control registers --faults scratchpad:1e-6
refused 'found scratchpad faults with --control trigger, expected --control pins' --control trigger --faults scratchpad:1e-6
quoted 'acesim: --faults: found --endpoint' --endpoint ideal --faults link:1e-6
quoted 'of together at most 4096' --link-rows 4000 --router-rows 128
quoted 'a link latency above 32735 cycles' --link-latency 32736 --faults link:1e-6
quoted 'expected --endpoint ace without --record' --control trigger --endpoint ideal
quoted '--control trigger: found' --control trigger --schedule balanced
# ---- strategies and runs ----
quoted 'none with --faults' --topology 4x4 --link-bandwidth 25GB/s --shared-links xy --faults link:1e-6
quoted 'expected a node on the rtl rung' --topology 2x2 --wave "$work/x.fst"
refused_by=(train)
quoted 'cp or split of a model with Mamba-2 layers' models/nemotron-h-56b.yaml --cluster $torus --strategy cp2.dp8
quoted 'a model that is a' models/t5-11b.yaml --cluster $torus --strategy dp16
refused_by=(run $torus)
printf 'a: %s' "$(printf '[%.0s' $(seq 101))" >"$work/deep.yaml"
quoted 'more than 100 levels deep' "$work/deep.yaml"
quoted 'without control characters' models/dlrm.yaml --timeline "$work/$(printf 'a\tb')"
quoted 'expected nodes that fold to one' models/dlrm.yaml --speed 0.5:7 --smallest-first 2

echo "limits: $passed passed, $failed failed"
[ $failed -eq 0 ]

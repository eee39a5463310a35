#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim run --smallest-first limits the collectives in the engine; when one ends, the smallest waiting one starts. The
# result must be the same at each rung. Nodes that may choose different ones must be refused.
. "$(dirname "$0")/../begin.sh"
printf 'layers:
  - {kind: given, name: a, forward: 1000, input: 0, weight: 1000, all_reduce: 65536}
  - {kind: given, name: b, forward: 1000, input: 1000, weight: 1000, all_reduce: 4194304}
  - {kind: given, name: c, forward: 1000, input: 1000, weight: 1000, all_reduce: 8388608}
' >"$work/three.yaml"
three=(run workloads/clusters/torus-4x2x2.yaml "$work/three.yaml" --iterations 1 --quiet)
refused_by=("${three[@]}")

# c begins alone; a and b are there long before it is over.
"$acesim" "${three[@]}" --smallest-first 1 --timeline "$work/timeline" >/dev/null
spans() {
    python3 - "$work/timeline" <<'END'
import json, sys
events = json.load(open(sys.argv[1]))
events = events["traceEvents"] if isinstance(events, dict) else events
spans = sorted((e["ts"], e["ts"] + e["dur"], e["name"][-1]) for e in events if e.get("name", "").startswith("all-reduce ") and e["ph"] == "X")
print("".join(n for _, _, n in spans), all(abs(a[1] - b[0]) < 0.01 for a, b in zip(spans, spans[1:])))
END
}
same "$(spans)" 'cab True' 'one at a time, the smallest of those that wait first, each when the one before is over'
"$acesim" "${three[@]}" --timeline "$work/timeline" >/dev/null
same "$(spans)" 'cba False' 'all as they come'

cycles() { "$acesim" "${three[@]}" --format json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'; }
one=$(cycles --smallest-first 1)
same "$(cycles --smallest-first 3)" "$(cycles)" 'three of three wait for nobody'
same "$(cycles --smallest-first 1 --rung rtl)" "$one" 'RTL in the loop'
same "$(cycles --smallest-first 1 --threads 3)" "$one" 'three threads'
cycles --smallest-first 1 --checkpoint "$work/state" --checkpoint-every 20000 >/dev/null
same "$(cycles --smallest-first 1 --resume "$work/state")" "$one" 'a checkpoint'
# With one at a time, an iteration is its collectives one behind the other from c's begin on, and no shorter.
alone() { "$acesim" collective all-reduce --topology 4x2x2 --size "$1" --quiet --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'; }
least=$(($(alone 8388608) + $(alone 65536) + $(alone 4194304)))
[ "$one" -ge "$least" ] && [ "$one" -le $((least * 110 / 100)) ]
verdict $? "one at a time: $one cycles, $least of its collectives alone"

refused 'expected nodes that fold to one' --smallest-first 1 --fold off
refused 'expected nodes that fold to one' --smallest-first 1 --speed 0.9:3
refused '--smallest-first' --smallest-first 49
refused '--smallest-first' --smallest-first 0

echo "smallest_first: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

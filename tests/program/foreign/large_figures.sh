#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# large_figures.sh [ACESIM] -- whole numbers above 2^53 must keep their last digit: in a timeline, in explain, in the
# table of a collective, in the digest of a configuration, and in the Python module. compat_rules.sh tests diff and
# --compat 2.
. "$(dirname "$0")/../workload/chakra/traces.sh"
odd=9007199254740993 # 2^53 + 1, the first whole number that no double has

# ---- a timeline: nodes of 2^38 cycles at most, so many that the next begins above 2^53 ns -----------------------
# A compute of 1 ns and a collective follow.  So the collective begins in a nanosecond of an odd number.
us=274877906 nodes=32780
PYTHONPATH=tests/program/foreign PYTHONDONTWRITEBYTECODE=1 python3 - "$work" $us $nodes <<'END'
import sys
from astra_peer import trace
work, us, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in 0, 1:
    trace(f"{work}/t.{i}.et", [*({"type": 4, "micros": us, **({"parent": k - 1} if k else {})} for k in range(nodes)),
                               {"type": 4, "parent": nodes - 1},
                               {"type": 7, "parent": nodes, "attr": {"comm_type": 0, "comm_size": 65536}}])
END
network Ring 2
begins=$((1000 * us * nodes + 1))
[ $begins -gt $odd ] && [ $((begins % 2)) -eq 1 ]
verdict $? "the collective begins at $begins ns"
for endpoint in ideal ace; do
    astra --endpoint $endpoint --timeline "$work/timeline.json"
    verdict $? "a timeline of 104 days on $endpoint: $(head -n 2 "$work/err")"
    python3 - "$work/timeline.json" >"$work/found" <<'END'
import json, sys
from decimal import Decimal
for e in json.load(open(sys.argv[1]), parse_float=Decimal):
    if e.get("name") == "all-reduce":
        print(int(1000 * e["ts"]), int(1000 * e["dur"]), e["args"]["from"], e["args"]["to"])
END
    took=$(($(finished 0) - begins))
    same "$(head -n 1 "$work/found")" "$begins $took $begins $(finished 0)" "ts, duration and cycles on $endpoint"
done

# ---- explain, a table, and a digest ---------------------------------------------------------------------------
collective=(collective all-reduce --topology 4 --size 64KiB --payload random --quiet)
"$acesim" "${collective[@]}" --format json >"$work/one.json"
for n in $((odd - 1)) $odd; do
    sed -E "s/^\t\"cycles\":\t[0-9]+/\t\"cycles\":\t$n/" "$work/one.json" >"$work/$n.json"
    "$acesim" explain "$work/$n.json" >"$work/out" 2>"$work/err"
    same "$(grep -oE '[0-9]+ cycles,' "$work/out" | head -n 1)" "$n cycles," "explain $(head -n 1 "$work/err")"
    "$acesim" "${collective[@]}" --seed $n --format json >"$work/seed.json"
    same "$(sed -nE 's/^\t"seed":\t"?([0-9]+).*/\1/p' "$work/seed.json")" $n 'the seed in a result'
    sed -nE 's/^\t"config_digest":\t"(.*)",/\1/p' "$work/seed.json" >>"$work/digests"
done
same "$(sort -u "$work/digests" | wc -l)" 2 'digests of two seeds that are one as doubles'

# ---- the Python module ----------------------------------------------------------------------------------------
PYTHONPATH=scripts/python PYTHONDONTWRITEBYTECODE=1 python3 - "$acesim" "$work" $odd >"$work/out" 2>"$work/err" <<'END'
import sys
import acesim
program, work, odd = acesim.Program(sys.argv[1]), sys.argv[2], int(sys.argv[3])
result = acesim.load(f"{work}/{odd}.json")
result.save(f"{work}/saved.json")
print(result.cycles, acesim.load(f"{work}/saved.json").cycles)
print(program.collective("all-reduce", topology="2", size="4KiB", payload="random", seed=odd).data["seed"])
points = program.sweep({"name": "seeds", "command": "collective all-reduce",
                        "options": {"topology": "2", "size": "4KiB", "payload": "random"},
                        "grid": {"seed": [odd - 1, odd, 2**64 - 1]}}, database=f"{work}/seeds.sqlite")
print(*(p.options["seed"] for p in points), *(p.result.data["seed"] for p in points))
print(*sorted(int(p.options["seed"]) for p in acesim.read_sweep(f"{work}/seeds.sqlite")))
END
verdict $? "the Python module: $(tail -n 1 "$work/err")"
seeds="$((odd - 1)) $odd 18446744073709551615"
same "$(cat "$work/out")" "$odd $odd
$odd
$seeds $seeds
$seeds" 'numbers of the Python module'

echo "large_figures: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

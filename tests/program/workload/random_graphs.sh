#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Random graphs of several NPUs, groups and messages have an order in which everything can run
# (chakra/random_graphs.py). They must end on every endpoint, in spite of all waits. On two threads, and from
# checkpoints in the middle, they must end as on one thread.
#
#   SEEDS='7 8' tests/program/workload/random_graphs.sh     those seeds
. tests/program/workload/chakra/traces.sh

endpoints=(ideal ace comp-opt)
for seed in ${SEEDS:-$(seq 1 24)}; do
    rm -f "$work"/t.*.et
    npus=$(python3 tests/program/workload/chakra/random_graphs.py "$seed" "$work")
    endpoint=${endpoints[$((seed % 3))]}
    options=(--comm-group-configuration "$work/groups.json" --endpoint "$endpoint")
    astra "${options[@]}"
    verdict $? "seed $seed, $endpoint: $(head -n 2 "$work/err")"
    [ "$(grep -c finished "$work/out")" = "$npus" ]
    verdict $? "seed $seed, $endpoint: all of $npus finish"
    cp "$work/out" "$work/first"
    case $((seed % 4)) in
    0)
        astra "${options[@]}" --threads 2
        cmp -s "$work/out" "$work/first"
        verdict $? "seed $seed, $endpoint: another result on two threads"
        ;;
    1 | 2)
        astra "${options[@]}" --checkpoint "$work/state" --checkpoint-every $((1000 + 700 * (seed % 7))) &&
            astra "${options[@]}" --resume "$work/state" && cmp -s "$work/out" "$work/first"
        verdict $? "seed $seed, $endpoint: another result resumed: $(head -n 2 "$work/err")"
        ;;
    3)
        astra "${options[@]}" --start-delay 0:20us,1:7us
        verdict $? "seed $seed, $endpoint: two NPUs late: $(head -n 2 "$work/err")"
        ;;
    esac
done

echo "random_graphs: $passed passed, $failed failed"
[ $failed -eq 0 ]

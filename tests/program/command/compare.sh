#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# collective and run with --compare: each column must equal a run of that endpoint alone, to the byte of its JSON, for
# any number of jobs. Speed-ups must be ratios of those cycles, and --report must have all runs.
. "$(dirname "$0")/../begin.sh"

sql() { sqlite3 :memory: "SELECT $1"; }
field() { sql "json_extract(readfile('$work/$1.json'), '\$.$2')"; } # RUN NAME

# NAMES arguments: alone, and compared
compared() {
    local names=$1 name i=0 cycles speedup line
    shift
    rm -rf "$work/alone" "$work/all"
    mkdir "$work/alone"
    for name in ${names//,/ }; do
        "$acesim" "$@" --endpoint "$name" --format json >"$work/alone/$name.json" 2>"$work/err"
    done
    "$acesim" "$@" --compare "$names" --output "$work/all" >"$work/out" 2>"$work/err"
    verdict $? "$*: $(cat "$work/err")"
    diff -r "$work/alone" "$work/all" >"$work/diff"
    verdict $? "$*: $(head -3 "$work/diff")"
    for jobs in 1 3; do
        "$acesim" "$@" --compare "$names" --jobs $jobs --format json >"$work/compared.json" 2>"$work/err"
        [ "$(field compared 'runs[#-1].cycles')" = "$(field "alone/${names##*,}" cycles)" ]
        verdict $? "$*, $jobs jobs: $(cat "$work/compared.json")"
    done
    "$acesim" "$@" --compare "$names" --format csv >"$work/compared.csv" 2>"$work/err"
    for name in ${names//,/ }; do
        cycles=$(field "alone/$name" cycles)
        speedup=$(sql "printf('%.9g', 1.0 * $(field "alone/${names%%,*}" cycles) / $cycles)")
        [ "$(field compared "runs[$i].endpoint") $(field compared "runs[$i].cycles")" = "$name $cycles" ]
        verdict $? "$*: run $i is not $name of $cycles cycles"
        [ "$(sql "printf('%.9g', $(field compared "runs[$i].speedup"))")" = "$speedup" ]
        verdict $? "$*: $name: speed-up $(field compared "runs[$i].speedup"), expected $speedup"
        [ "$(field compared "runs[$i].network_bandwidth_GBps")" = "$(field "alone/$name" network_bandwidth_GBps)" ]
        verdict $? "$*: $name sends $(field compared "runs[$i].network_bandwidth_GBps") GB/s, alone $(field "alone/$name" network_bandwidth_GBps)"
        grep -q "^bandwidth .* $(sql "printf('%.1f', $(field "alone/$name" network_bandwidth_GBps))") GB/s\( \|$\)" "$work/out"
        verdict $? "$*: $name: no bandwidth in: $(cat "$work/out")"
        i=$((i + 1))
        line=$(sed -n "$((i + 1))p" "$work/compared.csv")
        [[ $line == "$name,$cycles,"* ]]
        verdict $? "$*: CSV: $line"
        grep -q "^cycles.* $(sql "printf('%,d', $cycles)")\( \|$\)" "$work/out"
        verdict $? "$*: no $cycles in: $(cat "$work/out")"
    done
}

compared ace,comm-opt,comp-opt,no-overlap,ideal collective all-reduce --topology 4x2x2 --size 300000
compared ideal,ace collective all-to-all --topology 2x2x2 --size 64KiB --seed 3
cluster=workloads/clusters/torus-4x2x2.yaml
compared ace,comm-opt,ideal run $cluster workloads/models/dlrm.yaml --iterations 1
grep -qE '^compute ' "$work/out" && grep -qE '^exposed ' "$work/out"
verdict $? "no compute and exposed: $(cat "$work/out")"

# times are of an iteration, cycles of all
"$acesim" run $cluster workloads/models/dlrm.yaml --iterations 3 --compare ideal >"$work/out" 2>"$work/err"
cycles=$(sed -n 's/^cycles, of all *\([0-9,]*\).*/\1/p' "$work/out" | tr -d ,)
grep -qE "^time +$(sql "printf('%.3f', $cycles / 1245.0 / 3)") us" "$work/out"
verdict $? "$cycles cycles in three iterations of: $(grep '^time' "$work/out")"

# an endpoint is given the options that it looks at
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --endpoint comm-opt --sms 2 --format json \
    >"$work/soft.json" 2>"$work/err"
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --endpoint ace --rung rtl --format json \
    >"$work/ace.json" 2>"$work/err"
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --compare ace,comm-opt --sms 2 --rung rtl \
    --output "$work/fit" >"$work/out" 2>"$work/err"
cmp -s "$work/soft.json" "$work/fit/comm-opt.json" && cmp -s "$work/ace.json" "$work/fit/ace.json"
verdict $? "--sms 2 --rung rtl: $(cat "$work/out" "$work/err")"

# one page of all, with the traffic over time
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --compare ace,comm-opt,ideal \
    --report "$work/page.html" >"$work/out" 2>"$work/err"
for name in ace comm-opt ideal; do
    grep -qF "<th>$name</th>" "$work/page.html"
    verdict $? "the page has no $name"
done
[ "$(grep -c '<h2' "$work/page.html")" -eq 4 ]
verdict $? "$(grep -c '<h2' "$work/page.html") sections, expected one of all and one of each"
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --report "$work/one.html" >"$work/out" 2>"$work/err"
grep -qF 'all-reduce' "$work/one.html" && [ "$(grep -c '<h2' "$work/one.html")" -eq 2 ]
verdict $? 'a page of one run'

refused() { # STATUS TEXT arguments
    local want=$1 text=$2 status
    shift 2
    "$acesim" collective all-reduce --topology 2x2x1 --size 64KiB "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$want" ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "$*: status $status, expected $want and '$text': $(cat "$work/err")"
}
refused 2 "--compare: found 'magic'" --compare ace,magic
refused 2 "--compare: found ''" --compare ace,
refused 2 "found 'ace', expected each endpoint once" --compare ace,ideal,ace
refused 2 'found --timeline' --compare ace,ideal --timeline "$work/t"
refused 2 'found --endpoint' --compare ace,ideal --endpoint ace
refused 2 "--jobs: found '0'" --compare ace,ideal --jobs 0
refused 2 'endpoint ideal ended with status 2' --compare ace,ideal --payload random

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

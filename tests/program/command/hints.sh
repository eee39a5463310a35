#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Hints of the answer and of acesim explain.  Each option that they print runs when it is copied, and gains what explain
# says.  The words behind an option say what that option does.  A gain of 10 % confirms a verdict.  A slow node is named.
. "$(dirname "$0")/../begin.sh"

cycles() { grep -m1 '"cycles":' "$1" | tr -dc 0-9; }
# A person copies from the dashes to the next blank.
copied() { grep -oE -- '(^|[ (])--[a-z][a-z-]*=[^ ]*' "$1" | tr -d ' ' | sort -u; }

hints=0
tried() { # ARGUMENTS: each hint of the answer and of explain runs
    local option kept
    "$acesim" "$@" --quiet >"$work/answer" 2>"$work/err"
    verdict $? "$*: $(tail -n 1 "$work/err")"
    "$acesim" "$@" --format json --quiet >"$work/run" 2>"$work/err"
    "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    verdict $? "explain $*: $(tail -n 1 "$work/err")"
    ! grep -q 'cannot be run' "$work/out"
    verdict $? "explain $*: $(grep 'cannot be run' "$work/out")"
    for option in $(copied <(grep '^to try' "$work/answer")) $(copied "$work/out"); do
        hints=$((hints + 1))
        "$acesim" "$@" "$option" --format json --quiet >"$work/with" 2>"$work/err"
        verdict $? "$* $option: $(tail -n 1 "$work/err")"
        kept=$(grep -F -- "  $option " "$work/out" | grep -oE '[0-9]+ cycles instead' | tr -dc 0-9)
        [ -z "$kept" ] && continue
        [ "$(cycles "$work/with")" = "$kept" ]
        verdict $? "$* $option: explain says $kept cycles, a run has $(cycles "$work/with")"
    done
}
tried collective all-reduce --topology 4x4x4 --size 1MiB
tried collective all-reduce --topology 4x2x2 --size 1MiB --memory-bandwidth 40GB/s
tried collective all-reduce --topology 4x2x2 --size 1MiB --link-bandwidth 200,5,25
tried collective all-reduce --topology 2x2x2 --size 64KiB --link-latency 4000
tried collective all-reduce --topology 4x2x2 --size 1MiB --chunk 16KiB --bank-rows 400
when_long tried collective all-reduce --topology 4x2x2 --size 1MiB --fsms 4 --contexts 4
when_long tried collective all-reduce --topology 4x2x2 --size 256KiB --link-latency 10
tried collective all-reduce --topology 4x1x1 --size 1MiB --endpoint comm-opt --sms 1 --link-latency 10
when_long tried collective all-reduce --topology 4x2x2 --size 1MiB --endpoint comp-opt
tried collective all-to-all --topology 4x2x2 --size 256KiB
when_long tried collective all-reduce --topology 2x2x2x2 --size 256KiB
when_long tried collective all-reduce --topology 8 --size 4MiB --link-bandwidth 50GB/s --link-latency 623 --link-rows 128
tried collective broadcast --topology 4x2x1 --size 256KiB
when_long tried collective all-reduce --topology 4x2x2 --size 1MiB --speed '0.5:7'
printf 'DATA\n2\na -1 2000 NONE 0 2000 NONE 0 2000 ALLREDUCE 1048576 1\nb -1 2000 NONE 0 2000 NONE 0 2000 ALLREDUCE 65536 1\n' >"$work/exposed.txt"
printf 'DATA\n2\na -1 20000 NONE 0 20000 NONE 0 20000 ALLREDUCE 65536 1\nb -1 20000 NONE 0 20000 NONE 0 20000 ALLREDUCE 65536 1\n' >"$work/hidden.txt"
torus=workloads/clusters/torus-4x2x2.yaml
tried run $torus "$work/exposed.txt" --iterations 1
tried run $torus "$work/hidden.txt" --iterations 1 --speed 0.5:7
[ $hints -ge 30 ]
verdict $? "only $hints hints"
train=(train models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --strategy tp4.dp2.pp2.fused.m2 --layers 2 --sequence 256
    --endpoint ideal --quiet)
"$acesim" "${train[@]}" --format json >"$work/run" 2>"$work/err"
"$acesim" explain "$work/run" --all >"$work/out" 2>"$work/err"
verdict $? "explain of a train: $(cat "$work/err")"
for option in $(copied "$work/out"); do
    "$acesim" "${train[@]}" "$option" >"$work/with" 2>"$work/err"
    verdict $? "${train[*]} $option: $(tail -n 1 "$work/err")"
done

# ---- the words are the option's -----------------------------------------------------------------------------------
says() { # OPTION WORDS ARGUMENTS: the answer's hint
    local option=$1 words=$2
    shift 2
    "$acesim" "$@" --quiet >"$work/answer" 2>"$work/err"
    grep -A1 '^to try' "$work/answer" | tr -s '\n ' ' ' | grep -qF -- "to try $option ($words)"
    verdict $? "$*: expected '$option' and '$words', found: $(grep -A1 '^to try' "$work/answer")"
}
says --chunk=32768 'smaller chunks' collective all-reduce --topology 4x4x4 --size 256KiB --link-latency 10,10,10
says --link-latency=2000,2000,2000 'shorter links' collective all-reduce --topology 2x2x2 --size 64KiB --link-latency 4000
says --bank-rows=800 'a larger scratchpad' collective all-reduce --topology 4x4x4 --size 4MiB --chunk 16KiB --bank-rows 400
says --fsms=8 'more FSMs' collective all-reduce --topology 4x4x4 --size 4MiB --fsms 4 --contexts 4
says --link-bandwidth=200,50,50 'more bandwidth on these links' collective all-reduce --topology 4x4x4 --size 16MiB
# the banks are the largest there are: smaller chunks are what is left
says --chunk=32768 'smaller chunks' collective all-reduce --topology 4x4x4 --size 16MiB --chunk 64KiB --contexts 8 --bank-rows 4096 --link-latency 3000

# ---- from which gain on a verdict is confirmed ----------------------------------------------------------------------
outcome() { # ARGUMENTS: the last line, and the largest gain against the bound, in tenths of a percent
    "$acesim" "$@" --format json --quiet >"$work/run" 2>"$work/err"
    "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    grep -oE '^(confirmed: [0-9.]+|gains little: [0-9.]+|NOT confirmed: what should help gains [0-9.]+)' "$work/out"
}
for size in 64KiB 256KiB 1MiB 4MiB; do
    for memory in 40 100 150 200; do
        found=$(outcome collective all-reduce --topology 4x2x2 --size $size --memory-bandwidth $memory)
        gain=${found##* }
        case $found in
        confirmed*) awk "BEGIN { exit !($gain >= 10) }" ;;
        gains*) awk "BEGIN { exit !($gain >= 2 && $gain < 10) }" ;;
        NOT*) awk "BEGIN { exit !($gain <= 2) }" ;;
        *) grep -q 'not put to the test' "$work/out" ;;
        esac
        verdict $? "$size at $memory GB/s: '$found' in $(tail -n 3 "$work/out")"
        echo "$found" >>"$work/outcomes"
    done
done
[ "$(cut -d: -f1 "$work/outcomes" | sort -u | wc -l)" -ge 2 ]
verdict $? "one outcome alone: $(sort "$work/outcomes" | uniq -c)"

# ---- a slow node is named, with the unit that waits -----------------------------------------------------------------
slow() { # NODES ARGUMENTS: the answer, explain and the report name them; full speed is what helps, and does
    local nodes=$1 full got
    shift
    "$acesim" "$@" --quiet >"$work/answer" 2>"$work/err"
    grep -q "^bound by   memory bandwidth of $nodes, in use" "$work/answer" && grep -q '^to try     --speed=1 ' "$work/answer"
    verdict $? "$*: $(grep -A4 '^bound by' "$work/answer")"
    "$acesim" "$@" --format json --quiet >"$work/run" 2>"$work/err"
    "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    grep -q "^bound by memory bandwidth of $nodes: in use" "$work/out" && grep -q '^confirmed: ' "$work/out"
    verdict $? "explain $*: $(cat "$work/out")"
    # what --speed=1 gains is what a run without --speed has
    full=$("$acesim" "${@:1:$#-2}" --format json --quiet 2>"$work/err" | grep -m1 '"cycles":' | tr -dc 0-9)
    got=$(sed -nE 's/^  --speed=1 +([0-9]+) cycles.*/\1/p' "$work/out")
    same "$got" "$full" "$*: cycles at full speed"
    "$acesim" report "$work/run" --output "$work/page.html" >"$work/err" 2>&1
    grep -q "Rows wait longest for memory on node ${nodes##* }: " "$work/page.html"
    verdict $? "report $*: $(grep -o 'Nodes differ[^<]*' "$work/page.html")"
}
slow 'node 7' collective all-reduce --topology 4x2x2 --size 4MiB --speed 0.5:7
slow 'node 5' collective all-reduce --topology 4x2x2 --size 1MiB --speed 0.1:5
slow 'nodes 3,6' collective reduce-scatter --topology 4x2x1 --size 1MiB --speed 0.3:3,6
slow 'node 2' collective all-to-all --topology 4x2x1 --size 1MiB --speed 0.2:2
# rows of node 7 wait for its memory: blocked cycles of the result, which another program reads
"$acesim" collective all-reduce --topology 4x2x2 --size 4MiB --speed 0.5:7 --format json --quiet >"$work/run" 2>"$work/err"
waits=$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
group = next(g for g in run["node_groups"] if g["nodes"] == "7")["cycles"]
print("%.1f" % (100 * max(group[u][2] for u in ("memory.read", "memory.write")) / run["cycles"]))' "$work/run")
"$acesim" collective all-reduce --topology 4x2x2 --size 4MiB --speed 0.5:7 --quiet 2>"$work/err" | grep -q "rows wait for memory $waits % of the time"
verdict $? "rows of node 7 wait $waits %"
# software has a memory in use, and no rows that wait
"$acesim" collective all-reduce --topology 4x2x2 --size 1MiB --endpoint comm-opt --speed 0.3:7 --quiet >"$work/answer" 2>"$work/err"
grep -q '^bound by   memory bandwidth of node 7' "$work/answer" && ! grep -q 'rows wait' "$work/answer"
verdict $? "software: $(grep -A3 '^bound by' "$work/answer")"
# no node is slow where all have one speed, and where the links bound
for arguments in '--speed 0.5' '--speed 0.9:7 --link-bandwidth 20,2.5,2.5'; do
    # shellcheck disable=SC2086 # several words
    "$acesim" collective all-reduce --topology 4x2x2 --size 1MiB $arguments --quiet >"$work/answer" 2>"$work/err"
    ! grep -q 'of node\|full speed' "$work/answer"
    verdict $? "$arguments: $(grep -A3 '^bound by' "$work/answer")"
done
# in training its compute is what the others wait for, though some communication is exposed
"$acesim" run $torus "$work/hidden.txt" --iterations 1 --speed 0.5:7 --quiet >"$work/answer" 2>"$work/err"
grep -q '^bound by   compute of node 7; ' "$work/answer" && grep -q '^to try     --speed=1 ' "$work/answer"
verdict $? "slow compute: $(grep -A3 '^bound by' "$work/answer")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

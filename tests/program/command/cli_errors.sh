#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli_errors.sh [ACESIM] -- bad input ends with exit status 2 and says where and what
. "$(dirname "$0")/../begin.sh"
failures=0

# refused TEXT ARGUMENTS...: exit status 2, TEXT on stderr, nothing on stdout
refused() {
    local text=$1 status
    shift
    "$acesim" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ $status -ne 2 ] || ! grep -qF -- "$text" "$work/err" || [ -s "$work/out" ]; then
        echo "acesim $*: status $status, expected 2 and '$text', got: $(head -3 "$work/err")"
        failures=$((failures + 1))
    fi
}

cluster=workloads/clusters/torus-4x2x2.yaml
workload=workloads/resnet50.yaml
printf 'topology: 4x2x2\nlinkz:\n  x: 1\n' >"$work/unknown.yaml"
printf 'topology: 4x2x2\nlinks:\n  x: {bandwidth: 200 GB/s, latency: 0}\n' >"$work/zero.yaml"
printf 'topology: 4x2x2\nmemory: {bandwidth: -128 GB/s}\n' >"$work/negative.yaml"
printf 'topology: 4x0x2\n' >"$work/ring.yaml"
printf 'clock: 1 GHz\n' >"$work/missing_key.yaml"
printf 'topology: 4x2x2\ntopology: 4x2x2\n' >"$work/twice.yaml"
printf 'topology: 4x2x2\nace: {commands: 1}\n' >"$work/commands.yaml"
printf 'topology: [4, 2\n' >"$work/broken.yaml"
: >"$work/empty.yaml"
head -20 workloads/astra-sim/Resnet50_DataParallel.txt >"$work/short.txt"
head -c 1000 workloads/astra-sim/Resnet50_DataParallel.txt >"$work/cut.txt"
printf 'layers: nowhere.txt\n' >"$work/nowhere.yaml"

refused "$work/unknown.yaml:2:1: found unknown key 'linkz', expected one of" run "$work/unknown.yaml" $workload
refused "$work/zero.yaml:3:37: found '0', expected 1 to" run "$work/zero.yaml" $workload
refused "$work/negative.yaml:2:21: found '-128 GB/s', expected a bandwidth" run "$work/negative.yaml" $workload
refused "$work/ring.yaml:1:11: found '4x0x2', expected one to six sizes" run "$work/ring.yaml" $workload
refused "$work/missing_key.yaml:1:1: found a mapping without it, expected the key 'topology'" run "$work/missing_key.yaml" $workload
refused "$work/twice.yaml:2:1: found a second 'topology'" run "$work/twice.yaml" $workload
refused "$work/commands.yaml:2:17: found '1', expected a power of two, 2 to 32768" run "$work/commands.yaml" $workload
refused "$work/broken.yaml:" run "$work/broken.yaml" $workload
refused "$work/empty.yaml:1:1: found an empty file" run "$work/empty.yaml" $workload
refused "$work/none.yaml:1:1: found No such file" run "$work/none.yaml" $workload
refused "$work/short.txt:21:1: found the end of the file" run $cluster "$work/short.txt"
refused "$work/cut.txt:" run $cluster "$work/cut.txt"
refused "$work/nowhere.txt:1:1: found No such file" run $cluster "$work/nowhere.yaml"
refused "expected CLUSTER.yaml and WORKLOAD" run $cluster

# Numbers that would take hours or all memory, and files without an end.
printf 'layers:\n  - {kind: linear, name: "a\\nb", inputs: 4, outputs: 4}\n' >"$work/line.yaml"
refused "found '128x128x128', expected sizes of together at most 1048576 nodes" \
    collective all-reduce --topology 128x128x128
refused "found all-to-all-v over 8192 nodes, expected at most 4096" \
    collective all-to-all-v --topology 128x64 --endpoint ideal
refused "found broadcast over 16384 nodes, expected at most 4096" \
    collective broadcast --topology 128x128 --endpoint ideal
refused "found 6144.0 GiB of payload over 2 nodes, expected what the" \
    collective all-reduce --topology 2x1x1 --size 1TiB --payload random
refused "/dev/zero: File too large" collective all-to-all-v --topology 2x1x1 --counts /dev/zero
refused "/dev/zero:1:1: found File too large" explain /dev/zero
# A device has no end, and little of it is read: the program stays far below the 1 GiB that a file may have.
held=$("$python" -c 'import resource, subprocess, sys
subprocess.run([sys.argv[1], "explain", "/dev/zero"], stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$acesim")
[ "$held" -lt 512 ] || { echo "explain /dev/zero: held $held MiB, expected below 512"; failures=$((failures + 1)); }
(yes 'topology: [4, 4]' 2>/dev/null | head -c 20000000) >"$work/long.yaml"
refused "$work/long.yaml:1:1: found more than 16 MiB, expected a YAML file of at most 16 MiB" run "$work/long.yaml" $workload
rm "$work/long.yaml"
refused "$work/line.yaml:2:26: found 'a" run $cluster "$work/line.yaml"

# A value that is valid alone, but contradicts others, is reported with its position.
printf 'topology: 4x2x2\nace:\n  fsms: 5\n' >"$work/fsms.yaml"
printf 'topology: 4x2x2\nace: {fsms: 4, contexts: 2}\n' >"$work/contexts.yaml"
printf 'topology: 4x2x2\nace: {memory_bursts: 200, exchange_bursts: 100}\n' >"$work/bursts.yaml"
printf 'topology: 4x2x2\nlinks:\n  y:\n    bandwidth: 900 GB/s\n' >"$work/fast.yaml"
printf 'topology: 4x2x2\nmemory: {bandwidth: 900 GB/s}\n' >"$work/memory.yaml"
printf 'topology: Ring(8)\nlinks:\n  y: {npu_bandwidth: 107 GB/s}\n' >"$work/letter.yaml"
refused "$work/letter.yaml:3:22: found y, which the topology lacks, expected a value for x first" run "$work/letter.yaml" $workload
refused "$work/fsms.yaml:3:9: found '5', expected 4, 8 or 16" run "$work/fsms.yaml" $workload
refused "$work/contexts.yaml:2:26: found '2', expected 4 or 8 with one FSM a phase" run "$work/contexts.yaml" $workload
refused "$work/bursts.yaml:2:44: found '100', expected memory_bursts and exchange_bursts of together" run "$work/bursts.yaml" $workload
refused "$work/fast.yaml:4:16: found '200GB/s,900GB/s,25GB/s,25GB/s', expected links of 256 bytes in" run "$work/fast.yaml" $workload
printf 'topology: 4x2x2\nace: {alu_types: 3, alu_ops: 1}\n' >"$work/paper.yaml"
printf 'topology: 4x2x2\nace: {alu_types: 128}\n' >"$work/types.yaml"
refused "found sum of bf16, expected sum of fp32, fp16: this hardware has no other ALUs" run "$work/paper.yaml" $workload --type bf16
refused "found avg of fp16, expected sum of fp32, fp16: this hardware has no other ALUs" run "$work/paper.yaml" $workload --op avg
refused "$work/types.yaml:2:18: found '128', expected 1 to 127" run "$work/types.yaml" $workload
printf 'topology: 4x2x2\nspeed: 0.5:99\n' >"$work/speed.yaml"
printf 'topology: 4x2x2\n\nrung: fast\n' >"$work/rung.yaml"
printf 'topology: Switch(6)\nalgorithms: halving-doubling\n' >"$work/algorithm.yaml"
printf 'topology: Switch(6)\nalgorithms: tree\n' >"$work/tree.yaml"
printf 'topology: 4x4x4\nace: {bank_rows: 512}\n' >"$work/rows.yaml"
refused "$work/speed.yaml:2:8: found speed '0.5:99', expected a list" run "$work/speed.yaml" $workload
refused "$work/rung.yaml:3:7: found rung 'fast', expected cycle, rtl" run "$work/rung.yaml" $workload
refused "$work/algorithm.yaml:2:13: algorithm halving-doubling does not run on 6 members" run "$work/algorithm.yaml" $workload
refused "$work/tree.yaml:2:13: found algorithm 'tree', expected one of ring" run "$work/tree.yaml" $workload
refused "$work/rows.yaml:2:18: a scratchpad too small for one chunk" run "$work/rows.yaml" $workload
refused "$work/memory.yaml:2:21: found '900GB/s', expected a memory bandwidth of 256 bytes" run "$work/memory.yaml" $workload
refused "--memory-bandwidth: found '800GB/s', expected a memory bandwidth" run "$work/memory.yaml" $workload --memory-bandwidth 800GB/s

printf 'topology: 4x2x2\nnpu: {sms: 80, matrix: 0 TFLOPS}\n' >"$work/npu.yaml"
refused "$work/npu.yaml:2:24: found '0 TFLOPS', expected a rate above 0" run "$work/npu.yaml" $workload
refused "--compute-scale: found '0', expected factor on all compute times, 0.001 to 1000" run $cluster $workload --compute-scale 0
printf 'topology: 4x2x2\nnpu: {compute_scale: 1001}\n' >"$work/scale.yaml"
refused "$work/scale.yaml:2:22: found '1001', expected a number from 0.001 to 1000" run "$work/scale.yaml" $workload
refused "--contention: found 'maybe'" run $cluster $workload --contention maybe
refused "--shares: found 'some', expected outstanding: take SMs and bandwidth of the NPU while a collective is outstanding; reserved" run $cluster $workload --shares some
refused "--shares: found 'reserved', expected outstanding: with --contention off" run $cluster $workload --shares reserved --contention off
refused "--shares: found 'reserved', expected outstanding, or less" run $cluster $workload --shares reserved --endpoint comm-opt --sms 80
printf 'topology: 4x2x2\nnpu: {shares: reserved, memory_bandwidth: 128 GB/s}\n' >"$work/shares.yaml"
refused "$work/shares.yaml:2:15: found 'reserved', expected outstanding, or less" run "$work/shares.yaml" $workload
refused "--dlrm-loop: found 'fast'" run $cluster $workload --dlrm-loop fast
refused "found the optimised loop and no sharded embedding" run $cluster $workload --dlrm-loop optimised
printf 'npu: {matrix: 1e-12 TFLOPS}\ntopology: 4x2x2\n' >"$work/slow.yaml"
refused "an operation above 2^38 cycles" run "$work/slow.yaml" workloads/models/gnmt.yaml
refused "at 1e-05 of its speed" run $cluster workloads/models/gnmt.yaml --endpoint ideal --speed 0.00001:3
refused "found 0 arguments, expected one WORKLOAD" workload
refused "--format: found 'xml'" workload $workload --format xml
refused "$work/none.yaml:1:1: found No such file" workload "$work/none.yaml"

refused "--size: found '-3'" collective all-reduce --size -3
refused "--size: found '5 parsecs'" collective all-reduce --size '5 parsecs'
refused "--topology: found '2x2x2x2x2'" collective all-reduce --topology 2x2x2x2x2
refused "--topology: found '200'" collective all-reduce --topology 200
refused "--link-latency: found '0,1,1'" collective all-reduce --link-latency 0,1,1
refused "--link-bandwidth: found '100,50', expected one value for all dimensions, or 3" collective all-reduce --topology 4x4x4 --link-bandwidth 100,50
refused "--link-latency: found '1,2,3,4', expected one value" collective all-reduce --link-latency 1,2,3,4
refused "--link-latency: found '1,2,3', expected one value for all dimensions, or 4" collective all-reduce --topology 2x2x2x2 --link-latency 1,2,3
refused "--link-latency: found '1,2', expected one value" run $cluster $workload --link-latency 1,2
refused "--dims: found 'x,x'" collective all-reduce --dims x,x
refused "--type: found 'fp8'" collective all-reduce --type fp8
refused "--op: found 'xor'" collective all-reduce --op xor
refused "--endpoint: found 'magic'" collective all-reduce --endpoint magic
refused "found 'nothing'" collective
refused "found rung 'cycle:0'" collective all-reduce --topology 2 --rung cycle:0
refused "found speed '0:1'" collective all-reduce --topology 2 --speed 0:1
refused "found speed '0.5:2'" collective all-reduce --topology 2 --speed 0.5:2
refused "--control: found 'wires', expected" collective all-reduce --control wires
refused "--control registers: found ideal, expected --endpoint ace" collective all-reduce --control registers --endpoint ideal
refused "--control registers: found --checkpoint" collective all-reduce --control registers --checkpoint "$work/c"
refused "--control trigger: found comm-opt, expected --endpoint ace" collective all-reduce --control trigger --endpoint comm-opt
refused "--control trigger: found --record" collective all-reduce --control trigger --record "$work/c"
for two in 'broadcast' 'reduce' 'all-reduce --schedule balanced --topology 2x2'; do
    read -ra words <<<"$two"
    refused "--control trigger: found a collective of two commands, expected --control registers" collective "${words[@]}" --control trigger
done
refused "found 'perhaps'" collective all-reduce --topology 2 --fold perhaps
refused "found 'perhaps'" collective all-reduce --topology 2 --fast-forward perhaps
refused "found rung 'rtl:9;cycle:rest'" collective all-reduce --topology 2 --rung 'rtl:9;cycle:rest'
refused "--check: found no payload" collective all-reduce --check
refused "--memory-bandwidth: found '900GB/s', expected a memory bandwidth of 256 bytes in" collective all-reduce --memory-bandwidth 900GB/s
refused "--memory-bandwidth: found '6TB/s', expected a memory bandwidth of 1/1024 to 4096" collective all-reduce --memory-bandwidth 6TB/s --endpoint no-overlap
refused "--sms: found endpoint 'ace', which uses no SMs" collective all-reduce --sms 6
refused "--sms: found '0'" collective all-reduce --sms 0 --endpoint comm-opt
refused "--lazy-last-reduction: found endpoint 'ideal'" collective all-reduce --lazy-last-reduction on --endpoint ideal
refused "--lazy-last-reduction: found 'maybe'" collective all-reduce --lazy-last-reduction maybe --endpoint comm-opt
refused "endpoint 'comm-opt' carries no payload and has one rung" collective all-reduce --endpoint comm-opt --payload random
refused "endpoint 'comm-opt' carries no payload and has one rung" collective all-reduce --endpoint comm-opt --rung rtl
refused "acesim: a scratchpad too small for one chunk in each of its partitions: found 512 rows" collective all-reduce --bank-rows 512
refused "expected a node on the rtl rung" collective all-reduce --wave "$work/w.fst"
refused "unrecognized option '--sise', expected one of acesim collective --help all; did you mean '--size'?" collective all-reduce --sise 3
refused "'--kind', expected one of acesim collective --help all; its kind is an argument without dashes" collective --kind all-reduce
refused "did you mean '--memory-bandwidth' or '--link-bandwidth'?" collective all-reduce --bandwidth 3
refused "found 'MiB' behind the KIND all-reduce, expected options alone; a value is one word" collective all-reduce --size 64 MiB
refused "found '4x4x4' behind the KIND all-reduce" collective all-reduce 4x4x4
refused "acesim help: found 'clusters', expected a command of acesim --help, or cluster" help clusters
refused "acesim help cluster: found 'linkz', expected a key" help cluster linkz
wrong() { # TEXT
    echo "$1"
    failures=$((failures + 1))
}
"$acesim" collective all-reduce --rung fast 2>"$work/err"
! grep -q 'wall time' "$work/err" || wrong "a refusal says how long it took: $(cat "$work/err")"
[[ $("$acesim" help cluster npu.matrix | head -n 1) == 'npu.matrix '* ]] || wrong "help cluster npu.matrix: $("$acesim" help cluster npu.matrix)"
! "$acesim" help cluster | grep -nE '^.{101}' || wrong 'help cluster: expected lines of 100 columns at most'
refused "found command 'colective'" colective
refused "acesim rtl: found 'nothing', expected build, list, remove NAME" rtl
refused "acesim rtl: found 'remove', expected build, list, remove NAME" rtl remove
refused "acesim rtl lockstep: found 'x', expected only options" lockstep x
refused "acesim plan footprint: --stage: found 9, expected one of 1 stages" plan footprint models/gpt2-345m.yaml tp2 --stage 9
refused "acesim plan footprint: found unrecognized option '--foo', expected one of acesim plan footprint --help all" plan footprint --foo
refused "acesim explain: --threads: found '257', expected 1 to 256" explain run.json --threads 257
refused "acesim calibrate: --points: found '3', expected 4 to 1000" calibrate --check file --points 3
refused "acesim calibrate: --rows: found 'no --measured', expected it beside this" calibrate --rows
refused "acesim convert: found 2 arguments, expected one cluster file" convert a b
refused "acesim convert: --all-gathers: found 'all', expected shard or total" convert --all-gathers all
refused "--system-configuration: found none, expected JSON" astra --workload-configuration t
refused "--backend: found 'fast', expected engine, unaware or aware" astra --backend fast
refused "--type: found 'fp8'" alu --type fp8
refused "--op: found 'xor', expected sum, avg, min, max or prod" alu --op xor
refused "--members: found '0'" alu --op avg --members 0
refused "--members: found op 'sum', which needs none" alu --members 3

# An earlier result stays when a later run is refused.
"$acesim" collective all-reduce --endpoint ideal --topology 2 --output "$work/o" >/dev/null 2>&1
before=$(cat "$work/o/result.json")
refused "--size" collective all-reduce --endpoint ideal --topology 2 --output "$work/o" --size 0
[ -n "$before" ] && [ "$before" = "$(cat "$work/o/result.json")" ] || { echo "an earlier result was touched"; failures=$((failures + 1)); }

if [ $failures -ne 0 ]; then
    echo "$failures failures"
    exit 1
fi
echo "all refused as they should be"

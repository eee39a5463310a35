#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Models on endpoints: without contention all compute alike; with it, none computes less; an
# iteration is no shorter than its compute; no endpoint beats the ideal one.  The same bytes come
# out again, from any number of threads, folded or not.
. "$(dirname "$0")/../begin.sh"

value() { # FILE NAME: the first number of that name
    sed -n "s/^[[:space:]]*\"$2\":[[:space:]]*\([0-9]*\),*$/\1/p" "$1" | head -n 1
}

cluster=workloads/clusters/torus-4x2x2.yaml
endpoints='ideal ace comm-opt comp-opt no-overlap'

# Large enough to fight over memory, small enough for every endpoint and node.
cat >"$work/small.yaml" <<'END'
name: small
minibatch: 8
element: fp16
layers:
  - {name: conv1, kind: convolution, channels: 3, filters: 64, size: 64, kernel: 3, padding: 1, batch_norm: yes, activation: yes}
  - {name: conv2, kind: convolution, channels: 64, filters: 128, size: 64x32, kernel: 3, stride: 2, padding: 1, batch_norm: yes, add: yes}
  - {name: pool, kind: pool, channels: 128, size: 32x16, kernel: 2, stride: 2}
  - {name: words, kind: embedding, rows: 2000, width: 128, lookups: 20}
  - {name: lstm, kind: lstm, inputs: 128, hidden: 128, steps: 4}
  - {name: classes, kind: linear, inputs: 128, outputs: 1000}
  - {name: softmax, kind: softmax, width: 1000}
END

run() { # OUT arguments
    local out=$1
    shift
    "$acesim" run "$@" --format json >"$work/$out" 2>"$work/err"
    verdict $? "$*: $(tail -n 1 "$work/err")"
}

for model in "$work/small.yaml" workloads/models/resnet50.yaml; do
    for endpoint in $endpoints; do
        run $endpoint.off "$cluster" "$model" --endpoint $endpoint --contention off
        run $endpoint.on "$cluster" "$model" --endpoint $endpoint
        for o in off on; do
            cycles=$(value "$work/$endpoint.$o" cycles)
            compute=$(value "$work/$endpoint.$o" compute_cycles)
            [ "$cycles" -ge "$compute" ] && [ "$cycles" -ge "$(value "$work/ideal.$o" cycles)" ]
            verdict $? "$model $endpoint, contention $o: $cycles cycles, $compute compute"
        done
        alone=$(value "$work/ideal.off" compute_cycles)
        [ "$(value "$work/$endpoint.off" compute_cycles)" = "$alone" ]
        verdict $? "$model $endpoint: compute without contention is another"
        slower=$(value "$work/$endpoint.on" contention_cycles)
        [ "$(value "$work/$endpoint.on" compute_cycles)" -eq $((alone + slower)) ]
        verdict $? "$model $endpoint: compute and contention do not add up"
        case $endpoint in
        ideal | no-overlap) [ "$slower" -eq 0 ] ;;
        *) [ "$slower" -gt 0 ] ;;
        esac
        verdict $? "$model $endpoint: contention costs $slower cycles"
    done
done
# more memory for communication, less for compute
[ "$(value "$work/comm-opt.on" contention_cycles)" -gt "$(value "$work/ace.on" contention_cycles)" ]
verdict $? 'comm-opt takes no more from compute than ace'

# Waiting for the launches of a host is no contention: a launch of 2 us takes that long on any endpoint.
sed 's/^npu:/&\n  host: 2 us/' workloads/accelerators/a100-80.yaml >"$work/host.yaml"
run host "$cluster" "$work/small.yaml" --endpoint ideal --accelerator "$work/host.yaml"
[ "$(value "$work/host" contention_cycles)" -eq 0 ] && [ "$(value "$work/host" launching_cycles)" -gt 0 ]
verdict $? 'waiting for the host counts as contention'
run off "$cluster" "$work/small.yaml" --endpoint comm-opt --contention off --accelerator "$work/host.yaml"
run on "$cluster" "$work/small.yaml" --endpoint comm-opt --accelerator "$work/host.yaml"
[ "$(value "$work/off" contention_cycles)" -eq 0 ] && [ "$(value "$work/on" contention_cycles)" -gt 0 ]
verdict $? 'contention beside a host that is waited for'

# Shares kept all the time.  An update that memory bounds (its reads, 900 GB/s of which 0.833 come)
# takes bytes / (bandwidth - what is reserved); nothing slows down the endpoint that takes turns.
cat >"$work/reads.yaml" <<'END'
name: reads
minibatch: 1
element: fp16
layers:
  - {name: reads, kind: elementwise, width: 1000000, rows: 100, reads: 4}
  - {name: last, kind: linear, inputs: 16, outputs: 16, bias: no}
END
for endpoint in $endpoints; do
    run reserved "$cluster" "$work/reads.yaml" --endpoint $endpoint --iterations 1 --shares reserved
    case $endpoint in comm-opt) left=450 ;; ace | comp-opt) left=772 ;; *) left=900 ;; esac
    awk -v left=$left -v found="$(value "$work/reserved" compute_cycles)" 'BEGIN {
        want = 1e8 * 2 * 4 / (left * 0.833) * 1.245  # forward: 4 tensors of 1e8 values in FP16
        exit !(found >= want && found <= 1.0001 * want + 100) }'
    verdict $? "$endpoint: $(value "$work/reserved" compute_cycles) cycles with $left GB/s left"
done

# the same bytes, but for the lines that say how many nodes were simulated
strip() { grep -v -e nodes_simulated -e folding -e fast_forward "$1"; }
for endpoint in ace comm-opt 'ace --shares reserved' 'comm-opt --shares reserved'; do
    run once "$cluster" "$work/small.yaml" --endpoint $endpoint
    run again "$cluster" "$work/small.yaml" --endpoint $endpoint
    run all "$cluster" "$work/small.yaml" --endpoint $endpoint --fold off
    run threads "$cluster" "$work/small.yaml" --endpoint $endpoint --fold off --threads 2
    cmp "$work/once" "$work/again" && cmp "$work/all" "$work/threads" &&
        cmp <(strip "$work/once") <(strip "$work/all")
    verdict $? "$endpoint: not the same bytes"
done
for loop in plain optimised; do
    dlrm=("$cluster" workloads/models/dlrm.yaml --endpoint ideal --dlrm-loop $loop)
    run $loop "${dlrm[@]}"
    run all "${dlrm[@]}" --fold off --threads 2
    cmp <(strip "$work/$loop") <(strip "$work/all")
    verdict $? "dlrm $loop: not the same bytes"
done
run slow "$cluster" "$work/small.yaml" --endpoint ideal --speed 0.5:3 --order fifo
[ "$(value "$work/slow" compute_cycles)" -ge \
    $((2 * $(value "$work/once" compute_cycles) - $(value "$work/once" contention_cycles) * 2)) ]
verdict $? 'a node of half the speed computes in less than twice the time'

# an all-reduce that repeats itself beside compute: periods are left out, and nothing else changes
cat >"$work/long.yaml" <<'END'
name: long
minibatch: 1
element: fp16
layers:
  - {name: reads, kind: elementwise, width: 1000000, rows: 100, reads: 4}
  - {name: wide, kind: linear, inputs: 4096, outputs: 4096, bias: no}
END
sed 's/^topology:.*/topology: 2x2x1/' $cluster >"$work/four.yaml"
for shares in outstanding reserved; do
    long=("$work/four.yaml" "$work/long.yaml" --endpoint ace --shares $shares)
    run left_out "${long[@]}"
    run stepped "${long[@]}" --fast-forward off
    cmp <(strip "$work/left_out") <(strip "$work/stepped") && grep -q "fast_forward.*cycles" "$work/left_out"
    verdict $? "shares $shares: no period was left out, or not the same bytes: $(grep fast_forward "$work/left_out")"
done

# a checkpoint in the middle of operations
for shares in outstanding reserved; do
    small=("$cluster" "$work/small.yaml" --endpoint comm-opt --shares $shares)
    run alone "${small[@]}"
    run kept "${small[@]}" --checkpoint "$work/state" --checkpoint-every 30011
    run resumed "${small[@]}" --resume "$work/state"
    cmp "$work/alone" "$work/kept" && cmp "$work/alone" "$work/resumed"
    verdict $? "shares $shares, resumed: not the same bytes"
done
run optimised "${dlrm[@]}" --timeline "$work/alone.trace"
run kept "${dlrm[@]}" --timeline "$work/kept.trace" --checkpoint "$work/state" --checkpoint-every 60013
run resumed "${dlrm[@]}" --resume "$work/state" --timeline "$work/resumed.trace"
cmp "$work/optimised" "$work/resumed" && cmp "$work/alone.trace" "$work/resumed.trace"
verdict $? 'dlrm resumed: not the same bytes'

# an NPU of the cluster's file; the table of a workload adds up
sed 's/^rung:.*/npu: {sms: 40, matrix: 60 TFLOPS, vector: 7.85 TFLOPS, memory_bandwidth: 450 GB\/s}/' \
    $cluster >"$work/half.yaml"
run half "$work/half.yaml" "$work/small.yaml" --endpoint ideal
run whole "$cluster" "$work/small.yaml" --endpoint ideal
compute=$(value "$work/half" compute_cycles)
alone=$(value "$work/whole" compute_cycles)
[ $((compute - 2 * alone)) -le 0 ] && [ $((2 * alone - compute)) -le 200 ] # a cycle an operation
verdict $? "half an NPU: $compute cycles, a whole one $alone"
"$acesim" workload "$work/small.yaml" --format csv >"$work/csv" 2>"$work/err" &&
    [ "$(awk -F, 'NR > 1 { sum += $8 } END { print 2 * sum }' "$work/csv")" = "$alone" ]
verdict $? "acesim workload: its cycles are not those of a run"
"$acesim" workload "$work/small.yaml" >/dev/null && "$acesim" workload "$work/small.yaml" \
    --format json | grep -q '"parameters"'
verdict $? 'acesim workload'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

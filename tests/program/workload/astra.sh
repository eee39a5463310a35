#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim astra: traces of Chakra, written here byte by byte, must take the times of `acesim collective` and plain
# arithmetic. A wrong trace must be refused with the file, the node and the NPU.
. tests/program/workload/chakra/traces.sh

# ---- times ----------------------------------------------------------------------------------------

network Ring 4
everyone 4 "$(collective 0 '' 0 1048576)"
takes "$(alone all-reduce 4 1MiB)" 'an all-reduce'
[ "$(grep -c 'finished' "$work/out")" -eq 4 ]
verdict $? 'a line for each NPU'
takes "$(alone all-reduce 4 1MiB --endpoint comm-opt)" 'an all-reduce in software' \
    --endpoint comm-opt
gzip -c "$work/t.0.et" >"$work/z" && mv "$work/z" "$work/t.0.et"
takes "$(alone all-reduce 4 1MiB)" 'a trace compressed with gzip'
# A row takes 2441.3 of 256 parts of a cycle: 2442 in the run, where no port is faster than the file says.
two=$(alone all-reduce 4 1MiB --clock 2GHz --link-latency 1000 --link-bandwidth 53.67GB/s)
everyone 4 "$(collective 0 '' 0 1048576)"
takes "$(printf %.0f "$((two / 2)).$((two % 2 * 5))")" 'another clock: latencies stay in ns' --clock 2GHz
sed -i 's/50.0/400.0/' "$work/net.yml"
refused 'found 859.0 GB/s (of 10^9) of an NPU in dimension 0, expected 512 at most'
network Ring 4
everyone 4 "$(collective 0 '' 2 262144)"
takes "$(alone all-gather 4 1MiB)" 'an all-gather, whose size is a shard'
everyone 4 "$(collective 0 '' 7 1048576)"
takes "$(alone reduce-scatter 4 1MiB)" 'a reduce-scatter'
everyone 4 "$(collective 0 '' 6 1048576)"
takes "$(alone all-to-all 4 1MiB)" 'an all-to-all'

one=$(alone all-reduce 4 1MiB)
everyone 4 "$(compute 7 '9' 3)" "$(node 5 1 '' 0)" "$(collective 9 5 0 1048576)" \
    "$(compute 11 7 0)" # ids with gaps, a child before its parent, metadata at the root
takes $((one + 3000 + 1)) '3 us behind an all-reduce, then no time, which is 1 ns'
[ "$(sed -nE 's/.*sys\[0\] finished.*communication ([0-9]+) cycles\./\1/p' "$work/out")" = "$one" ]
verdict $? 'communication that no compute hides'
everyone 4 "$(compute 0 '' 3)" "$(compute 1 '' 4)" "$(node 2 4 '' 5 "$(attribute is_cpu_op 27 1)")"
takes 7000 'compute takes turns, the CPU runs beside it'
echo '{ "roofline-enabled": 1, "peak-perf": 50, "local-mem-bw": 400 }' >"$work/sys.json"
everyone 4 "$(work_of 0 '' 1000000000 4194304)" "$(work_of 1 0 10000000 4194304)"
takes $((20000 + 10486)) 'a roofline: by arithmetic, then by memory, whole cycles'
# ASTRA-sim issues 161 and 73: each NPU its own roofline.
takes $((20000 + 10486)) 'others have another roofline' --peak-perf 1-2:25 --local-mem-bw=2-3:200
same "$(for i in 1 2 3; do finished $i; done | xargs)" "$((40000 + 10486)) $((40000 + 20972)) $((20972 + 20972))" \
    'rooflines of their own'
refused "--peak-perf: found 4:25, expected TFLOPS above 0, or 0:50,4-7:100 of NPUs" --peak-perf 4:25
echo '{ "replay-only": 1 }' >"$work/sys.json"
everyone 4 "$(node 0 7 '' 6)" "$(compute 1 0 2)"
takes 8000 'replay'
everyone 4 "$(node 0 7 '' 6 "$(attribute is_cpu_op 27 1)")" "$(compute 1 '' 2)"
takes 6000 'replay: what the CPU has of a collective is beside the NPU'
echo '{ "scheduling-policy": "FIFO" }' >"$work/sys.json"
echo '{ "memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-latency": 100, "remote-mem-bw": 50 }' \
    >"$work/mem.json"
everyone 4 "$(node 0 2 '' 0 "$(attribute tensor_size 13 5000)")"
takes 200 'a load: latency, and bytes by bandwidth'
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/mem.json"
refused 't.0.et: node 0 (n0), NPU 0: found a memory node, and NO_MEMORY_EXPANSION'

network Ring 4
everyone 4 "$(compute 0 '' 1)"
takes 1000 'nothing is sent'
grep -qF 'the traces move no byte' "$work/err"
verdict $? 'which is told'
# ASTRA-sim issue 285: memory does not grow with the collectives of a trace.
for count in 2000 20000; do
    PYTHONPATH=tests/program/workload/chakra python3 -B - $count "$work" <<'END'
import sys
from random_graphs import data, node, varint
for npu in range(4):
    with open(f"{sys.argv[2]}/t.{npu}.et", "wb") as file:
        file.write(varint(7) + data(1, b"0.0.4"))
        for i in range(int(sys.argv[1])):
            file.write(node(i, 7, [i - 1] if i else [], 0, {"comm_type": 0, "comm_size": 1024}))
END
    # what AddressSanitizer keeps of freed memory would count as growth
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1 \
        "$acesim" astra --workload-configuration "$work/t" --system-configuration "$work/sys.json" \
        --network-configuration "$work/net.yml" --remote-memory-configuration "$work/mem.json" \
        --window 1024 --endpoint ideal >"$work/out" 2>"$work/err"
    verdict $? "$count collectives: $(head -n 2 "$work/err")"
    sed -nE 's/.*, ([0-9]+)\.([0-9]) MiB$/\1\2/p' "$work/err" >"$work/memory.$count"
done
# 72,000 nodes more: those that were kept would take megabytes, where half of one comes and goes with the moment.
[ "$(cat "$work/memory.20000")" -le $(($(cat "$work/memory.2000") * 105 / 100 + 8)) ]
verdict $? "memory grows: $(cat "$work/memory.2000"), $(cat "$work/memory.20000") tenths of a MiB"

# Groups that are rows and columns of a torus; ranks whose own nodes differ.
network 'Ring, Ring' '2, 2'
echo '{"1": [0, 1], "2": [2, 3], "3": [0, 2], "4": [1, 3], "5": [0, 3], "6": [1]}' \
    >"$work/groups.json"
for i in 0 1 2 3; do
    trace t.$i.et "$(compute 0 '' $((i + 1)))" "$(collective 1 0 0 65536 $((i / 2 + 1)))" \
        "$(collective 2 1 2 65536 $((i % 2 + 3)))" "$(collective 3 '' 0 65536)"
done
groups=(--comm-group-configuration "$work/groups.json")
astra "${groups[@]}"
verdict $? "rows, columns and all: $(head -n 2 "$work/err")"
cp "$work/out" "$work/first"
astra "${groups[@]}" --threads 2
cmp -s "$work/out" "$work/first"
verdict $? 'threads: another result'
astra "${groups[@]}" --checkpoint "$work/state" --checkpoint-every 3000 &&
    astra "${groups[@]}" --resume "$work/state" && cmp -s "$work/out" "$work/first"
verdict $? "resumed: another result: $(head -n 2 "$work/err")"
everyone 4 "$(collective 0 '' 0 1048576)" "$(compute 1 0 5)" "$(collective 2 1 6 65536)"
astra
cp "$work/out" "$work/first"
astra --fold off
cmp -s <(grep sys "$work/out") <(grep sys "$work/first")
verdict $? 'unfolded: another result'

# ---- what is refused ---------------------------------------------------------------------------------

trace t.2.et "$(collective 0 '' 0 1048576)" "$(compute 1 0 5)" "$(collective 2 1 6 131072)"
refused 't.0.et: node 2, NPU 0, all-to-all of 65536 bytes; and '
grep -qF 't.2.et: node 2, NPU 2, all-to-all of 131072 bytes' "$work/err"
verdict $? 'mismatched sizes name both'
trace t.2.et "$(collective 0 '' 0 1048576)"
refused 't.2.et: NPU 2, none'
rm "$work/t.3.et"
refused 'found traces of 3 NPUs, expected one for each of the 4'
everyone 5 "$(collective 0 '' 0 1048576)"
refused 'found traces of 5 NPUs, expected one for each of the 4'
everyone 4 "$(compute 1 3 1)" "$(compute 2 1 1)" "$(compute 3 2 1)"
refused 't.0.et: found a cycle of dependencies, NPU 0'
everyone 4 "$(compute 1 8 1)"
refused 'found node 1 (compute), NPU 0, which waits for node 8'
everyone 4 "$(compute 1 '/8' 1)"
takes 1000 'ctrl_deps that name nobody: data_deps are followed'
grep -qF 'with ctrl_deps 1 nodes that are named never come, and 1 wait for such or in a circle: data_deps alone are followed' "$work/err"
verdict $? 'which is told'
everyone 4 "$(compute 1 '/2' 1)" "$(compute 2 1 1)" "$(compute 3 '/8 9' 1)" "$(compute 4 3 1)"
takes 4000 'ctrl_deps in a circle: data_deps are followed'
grep -qF 'with ctrl_deps 2 nodes that are named never come, and 4 wait' "$work/err"
verdict $? "how many is told: $(cat "$work/err")"
everyone 4 "$(compute 1 '/8' 1)"
refused 'waits for node 8' --deps union
everyone 4 "$(compute 1 '' 1)" "$(compute 1 '' 1)"
refused 'node 1 twice'
everyone 4 "$(node 4 9 '' 0)"
refused 'found a node of type 9'
everyone 4 "$(collective 4 '' 3 64)"
refused 'found GATHER'
everyone 4 "$(collective 4 '' 0 0)"
refused 'comm_size 0'
astra --lenient
[ $? -eq 0 ] && grep -qF '4 nodes communicate no bytes' "$work/err" && [ "$(finished 0)" = 0 ]
verdict $? 'lenient: comm_size 0 is over at once, and told'
everyone 4 "$(node 4 7 '' 0 "$(attribute comm_type 9 0)")"
refused 'node 4 (n4), NPU 0: found no comm_size'
everyone 4 "$(collective 4 '' 0 64 9)"
refused 'found pg_name 9, expected a group of --comm-group-configuration' "${groups[@]}"
# A file is left out for "empty" in its own name, as in ASTRA-sim, and not for a folder's.
mkdir -p "$work/an-empty-box"
echo nonsense >"$work/an-empty-box/groups.json"
cp "$work/an-empty-box/groups.json" "$work/empty.json"
refused 'found no JSON object' --comm-group-configuration "$work/an-empty-box/groups.json"
refused 'found pg_name 9, expected a group of --comm-group-configuration' --comm-group-configuration "$work/empty.json"
everyone 4 "$(collective 4 '' 0 64 5)"
refused 't.1.et: node 4 (n4), NPU 1: found group 5, without this NPU' "${groups[@]}"
everyone 4 "$(collective 4 '' 0 64 2)"
refused 'group 2, without this NPU' "${groups[@]}"
everyone 4 "$(compute 0 '' 1)" "$(collective 1 0 0 1048576)"
head -c 40 "$work/t.0.et" >"$work/cut" && mv "$work/cut" "$work/t.0.et"
refused 't.0.et: byte'
printf '{ "schema": "1.0.2-chakra.0.0.4", "nodes": [ %s ] }' "$(printf '{ "id": 1 }, %.0s' 1 2 3 4 5 6 7 8 9)" >"$work/t.0.et"
refused 'expected a trace of Chakra in protobuf, which JSON is not'
version=0.0.2
everyone 4 "$(compute 0 '' 1)"
refused 'found a trace of Chakra 0.0.2 or 0.0.3'
version=
everyone 4 "$(compute 0 '' 1)"
refused "--rendezvous-protocol: found 'true'" --rendezvous-protocol true
refused "found unrecognized option '--num-qeues-per-dim', expected one of" --num-qeues-per-dim 2
everyone 4 "$(collective 0 '' 0 1048576)"
echo '{ "all-reduce-implementation-custom": ["x"] }' >"$work/sys.json"
refused 'x.0.et'
everyone 4 "$(compute 0 '' 1)"
echo '{ "scheduling-policy": "FIFO" }' >"$work/sys.json"
refused '--local-mem-bw: found 200, expected it with roofline-enabled' --local-mem-bw 200
network 'Ring, Ring, Ring, Ring, Ring' '2, 2, 2, 2, 2'
refused 'found 5 dimensions, expected 4 at most, which engines have: the rung calibrated takes 6; acesim astra --compat 2 takes 8'
network 'Ring, Ring' '2, 2'
echo '{ "scheduling-polici": "FIFO" }' >"$work/sys.json"
refused 'scheduling-polici'
echo '{ "all-reduce-implementation": ["ring"] }' >"$work/sys.json"
refused 'found 1 words in all-reduce-implementation and 2 dimensions'
echo '{ "endpoint-delay": 10 }' >"$work/sys.json"
takes 1000 'a key that has no effect here'
! grep -q 'has no effect here' "$work/err"
verdict $? "--quiet prints a note: $(head -n 1 "$work/err")"
"$acesim" astra --workload-configuration "$work/t" --system-configuration "$work/sys.json" --network-configuration "$work/net.yml" \
    --remote-memory-configuration "$work/mem.json" >/dev/null 2>"$work/err"
grep -qF 'endpoint-delay 10 has no effect here' "$work/err"
verdict $? "a key that has no effect here is told: $(head -n 2 "$work/err")"

echo "astra: $passed passed, $failed failed"
[ $failed -eq 0 ]

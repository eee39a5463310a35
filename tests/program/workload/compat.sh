#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# compat.sh [ACESIM] -- acesim astra --compat 2 must give the times of ASTRA-sim 2.x's analytical backends. The numbers
# come from an independent restatement of its rules, which equals the tool's own on 45 runs. It must not hang where the
# tool does.
. "$(dirname "$0")/chakra/traces.sh"

network() { # TOPOLOGY NPUS BANDWIDTHS LATENCIES
    printf 'topology: [ %s ]\nnpus_count: [ %s ]\nbandwidth: [ %s ]\nlatency: [ %s ]\n' "$@" >"$work/net.yml"
}
system() { # SPLITS ENDPOINT MEMORY ACTIVE OPTIMIZATION WORDS...: of each dimension
    local splits=$1 endpoint=$2 memory=$3 active=$4 optimization=$5 words
    shift 5
    words=$(printf '"%s", ' "$@")
    printf '{ "scheduling-policy": "LIFO", "endpoint-delay": %s, "active-chunks-per-dimension": %s,
        "preferred-dataset-splits": %s, "all-reduce-implementation": [ %s ], "reduce-scatter-implementation": [ %s ],
        "all-gather-implementation": [ %s ], "all-to-all-implementation": [ %s ],
        "collective-optimization": "%s", "local-mem-bw": %s }\n' "$endpoint" "$active" "$splits" \
        "${words%, }" "${words%, }" "${words%, }" "${words%, }" "$optimization" "$memory" >"$work/sys.json"
}
theirs() { astra --compat 2 "$@"; }
gives() { # TIMES WHAT OPTIONS...: of both backends, or `=` for the same, at all NPUs
    local unaware=${1%/*} aware=${1#*/} what=$2 backend expected
    shift 2
    [ "$aware" = = ] && aware=$unaware
    for backend in unaware aware; do
        expected=${!backend}
        [ "$expected" = - ] && continue
        theirs --backend $backend "$@"
        verdict $? "$what, $backend: $(head -n 2 "$work/err")"
        same "$(sed -nE 's/.*finished, ([0-9]+) cycles.*/\1/p' "$work/out" | sort -u | xargs)" "$expected" "$what, $backend"
    done
}
M=1048576
AR=0 AG=2 A2A=6 RS=7

# ---- one dimension -----------------------------------------------------------------------------------------
ring6() { # ACTIVE WORD
    network Ring 6 100.0 200.0
    system 3 20 400 "${1:-1}" localBWAware "${2:-ring}"
}
ring6
while read -r times kind bytes what; do
    everyone 6 "$(collective 0 '' $((kind)) $((bytes)))"
    gives "$times" "a ring of 6: $what"
done <<END2
143595/= AR 6*M AR 6M
91470/= RS 6*M RS 6M
149835/= AG 3*M AG, shard 3M
156435/= A2A 6*M A2A 6M
69580/= AG M AG, shard 1M: a chunk more
191460/= AR 6*M+1 AR 6M+1: a chunk more
END2
everyone 6 "$(collective 0 '' $AR $((6 * M)))"
ring6 2
gives 95730/- 'two chunks at a time'
ring6 1 direct
everyone 6 "$(collective 0 '' $A2A $((6 * M)))"
gives 11685/59910 'direct A2A round a ring'
ring6
echo '{"1": [1, 3, 5]}' >"$work/groups.json"
for i in 0 2 4; do trace t.$i.et; done
for i in 1 3 5; do trace t.$i.et "$(collective 0 '' $AR $((3 * M)) 1)"; done
gives '0 59724/-' 'a group, which is a ring of its own' --comm-group-configuration "$work/groups.json"
# A GiB over one switch: without congestion all messages at once, which is told; with it no sooner than
# 63 / 64 of 2^30 bytes leave at 25 * 2^30 bytes a second.
network Switch 64 25.0 500.0
system 1 10 400 1 localBWAware direct
everyone 64 "$(collective 0 '' $A2A $((1 << 30)))"
theirs
grep -qF 'and its links need 39375000 at least' "$work/err"
verdict $? "all-to-all of 64 on a switch: told: $(cat "$work/err")"
theirs --backend aware
[ "$(finished 0)" -ge 39375000 ] && [ "$(finished 0)" -le $((39375000 * 102 / 100)) ]
verdict $? "all-to-all of 64 on a switch: $(finished 0) ns, at least 39375000"
network FullyConnected 5 100.0 200.0
system 3 20 400 1 localBWAware direct
while read -r times kind bytes what; do
    everyone 5 "$(collective 0 '' $((kind)) $((bytes)))"
    gives "$times" "five fully connected: $what"
done <<END2
83559/= AR 15*M AR 15M
53604/= RS 15*M RS 15M
30015/= AG 3*M AG, shard 3M
END2
network Switch 16 100.0 300.0
system 2 20 400 1 localBWAware halvingDoubling
while read -r times kind bytes what; do
    everyone 16 "$(collective 0 '' $((kind)) $((bytes)))"
    gives "$times" "a switch of 16: $what"
done <<END2
96944/170176 AR 4*M AR 4M
55368/91984 RS 4*M RS 4M
41616/78232 AG M/4 AG, shard M/4
END2

# ---- two dimensions, queues ----------------------------------------------------------------------------------
both() { # ACTIVE OPTIMIZATION WORDS...
    network 'Ring, Switch' '3, 4' '100.0, 25.0' '100.0, 700.0'
    system 4 15 800 "$@"
}
both 1 localBWAware ring halvingDoubling
while read -r times kind bytes what; do
    everyone 12 "$(collective 0 '' $((kind)) $((bytes)))"
    gives "$times" "two dimensions: $what"
done <<END2
308402/- AR 12*M AR 12M
160123/- RS 12*M RS 12M
148339/- AG M AG, shard M
END2
everyone 12 "$(collective 0 '' $AR $((12 * M)))"
for queues in '1 1 308402' '2 1 177906' '4 1 112658' '1 2 308402' '2 2 308402' '4 2 177906'; do
    read -r active count time <<<"$queues"
    both "$active" localBWAware ring halvingDoubling
    gives "$time/-" "$active chunks at a time, $count queues" --num-queues-per-dim "$count"
done
both 1 baseline ring halvingDoubling
gives 785003/- 'an all-reduce in each dimension'
both 1 localBWAware ring direct
everyone 12 "$(collective 0 '' $A2A $((12 * M)))"
gives 152559/- 'two dimensions: A2A 12M'
both 1 localBWAware ring halvingDoubling
for mask in '0101 0100 189580' '0100 0101 737608'; do # packed truth values: x, y
    read -r x y time <<<"$mask"
    masked=$(bytes 10 "$(text 1 involved_dim)$(bytes 28 "$(bytes 1 "${x:2:2}${y:2:2}")")")
    everyone 12 "$(node 0 7 '' 0 "$(attribute is_cpu_op 27 0)" "$(attribute comm_type 9 $AR)" \
        "$(attribute comm_size 15 $((24 * M)))" "$masked")"
    gives "$time/-" "some of the dimensions, $x $y"
done

# Five dimensions all take part unless involved_dim says which (with four in ASTRA-sim 2.x). Reduce-scatters go down to
# S / 16, each with a message of half of the data and e twice. The last dimension has an all-reduce, and the way back
# follows.
network 'Ring, Ring, Switch, Ring, FullyConnected' '2, 2, 2, 2, 2' '50.0, 50.0, 50.0, 50.0, 50.0' '500.0, 400.0, 300.0, 200.0, 100.0'
system 1 10 400 1 localBWAware ring ring ring ring ring
everyone 32 "$(collective 0 '' $AR $M)"
gives "$(awk -v S=$M 'BEGIN { B = 50 * 1.073741824; e = 10; split("500 400 600 200 100", L)
    for (d = 1; d <= 4; d++) { S /= 2; t += 2 * (int(L[d] + S / B) + 2 * e) + 3 * int(S / 400) }
    print t + 2 * int(L[5] + S / 2 / B) + 3 * e + 3 * int(S / 2 / 400) }')/-" 'five dimensions'
masked=$(bytes 10 "$(text 1 involved_dim)$(bytes 28 "$(bytes 1 0000000001)")")
everyone 32 "$(node 0 7 '' 0 "$(attribute comm_type 9 $AR)" "$(attribute comm_size 15 $((2 * M)))" "$masked")"
gives "$(awk -v S=$M 'BEGIN { print 2 * int(100 + S / 2 / (50 * 1.073741824)) + 30 + 3 * int(S / 2 / 400) }')/-" 'the fifth of five'
everyone 32 "$(collective 0 '' $A2A $M)" "$(collective 2 0 $A2A $M)"
for i in 0 5; do trace t.$i.et "$(collective 0 '' $A2A $M)" "$([ $i = 0 ] && send 1 0 5 7 64 || receive 1 0 0 7 64)" \
    "$(collective 2 1 $A2A $M)"; done
theirs
verdict $? "all-to-alls over five dimensions and a message: $(head -n 2 "$work/err")"

# ---- where the time goes --------------------------------------------------------------------------------
# ASTRA-sim issue 150: by dimension, latency, bytes over bandwidth, endpoint and reduction; their sum is the time.
# Issues 129 and 208: tables, and what a tick is.
column() { # OF NPU DIMENSION: of the first collective
    awk -F, -v name="$1" -v npu="$2" -v dim="$3" 'NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 2 && $at["npu"] == npu && $at["dimension"] == dim { print $at[name]; exit }' "$work/csv/collectives.csv"
}
explained() { # TIME "MESSAGES BYTES LATENCY ENDPOINT REDUCTION" WHAT OPTIONS...: NPU 1, dimension 0
    local time=$1 parts=$2 what=$3
    shift 3
    theirs --csv "$work/csv" "$@"
    same "$(column time 1 all)" "$time" "$what: parts and time"
    same "$(for i in messages bytes latency endpoint reduction; do column $i 1 0; done | xargs)" "$parts" "$what: of dimension 0"
    same "$(head -qn 1 "$work"/csv/*.csv | sort -u)" '# 1 tick = 1 ns' "$what: a tick"
    same "$(awk -F, 'NR > 2 && $1 == 1 { print $2 }' "$work/csv/EndToEnd.csv")" "$(finished 1)" "$what: its end"
    same "$(awk -F, 'NR > 2 { sum = $8 + $9 + $10 + $11 + $12; if (sum != $13) print }
        NR > 2 && $5 != "all" { all += $13 } NR > 2 && $5 == "all" { if (all != $13) print; all = 0 }' "$work/csv/collectives.csv" | wc -l)" \
        0 "$what: rows that do not add up"
}
ring6
everyone 6 "$(collective 0 '' $AR $((6 * M)))"
m=$((6 * M / 3 / 6)) # of a message; three chunks, one after the other, of ten steps
explained 143595 "30 $((30 * m)) $((30 * 200)) $((3 * 11 * 20)) $((3 * 5 * 3 * (m / 400)))" 'a ring of 6'
explained 143595 "30 $((30 * m)) $((30 * 200)) $((3 * 11 * 20)) $((3 * 5 * 3 * (m / 400)))" 'with congestion' --backend aware
both 1 localBWAware ring halvingDoubling
everyone 12 "$(collective 0 '' $AR $((12 * M)))"
m=$((12 * M / 4 / 3)) # dimension 1 is the slow one: the way leads once down dimension 0, two steps, and once back
explained 308402 "16 $((16 * m)) $((4 * 100)) $((2 * 3 * 15)) $((2 * 3 * (m / 800)))" 'two dimensions'
theirs --csv "$work/csv" --start-delay 5:7ms
[ "$(column waiting 0 all)" -ge 6900000 ] && [ "$(column time 0 all)" -eq "$(finished 0)" ] && [ "$(column time 5 all)" -eq "$(finished 5)" ]
verdict $? "a member that is late is waited for: $(column waiting 0 all), $(column time 5 all) of $(finished 5)"

# ---- messages, compute ------------------------------------------------------------------------------------
ring6
rm -f "$work"/t.*.et
for i in 1 4 5; do trace t.$i.et; done
trace t.0.et "$(compute 0 '' 3)" "$(send 1 0 2 7 $((3 * M)))" "$(send 2 0 3 7 $((3 * M)))" "$(compute 3 0 100)"
for i in 2 3; do trace t.$i.et "$(receive 0 '' 0 7 $((3 * M)))" "$(compute 1 0 2)"; done
for row in 'unaware 34696 64592 103000 0' 'aware 63992 152480 150480 47480'; do
    read -r backend two three zero exposed <<<"$row"
    theirs --backend "$backend"
    same "$(finished 2) $(finished 3) $(finished 0)" "$two $three $zero" "messages, $backend"
    same "$(sed -nE 's/.*sys\[0\] finished.*communication ([0-9]+) cycles\./\1/p' "$work/out")" "$exposed" "exposed, $backend"
done
echo '{ "scheduling-policy": "LIFO", "preferred-dataset-splits": 1, "collective-optimization": "baseline",
    "roofline-enabled": 1, "peak-perf": 50, "local-mem-bw": 400 }' >"$work/sys.json"
everyone 6 "$(work_of 0 '' 1000000000 $((4 * M)))" "$(work_of 1 0 10000000 $((4 * M)))"
gives 30485/= 'a roofline'
at=workloads/astra-sim-2
"$acesim" astra --compat 2 --workload-configuration $at/pp8/workload --system-configuration $at/Ring_4chunks.json \
    --network-configuration $at/Ring_8npus.yml --remote-memory-configuration $at/no_memory_expansion.json \
    --comm-group-configuration $at/pp8/workload.json --quiet >"$work/out" 2>"$work/err"
same "$(sed -nE 's/.*finished, ([0-9]+) cycles, exposed communication ([0-9]+) .*/\1 \2/p' "$work/out" | uniq -c | xargs)" \
    '4 2186726 2186468 4 3153156 3152906' 'pp8'
# Remote memory: latency and bytes by bandwidth, in whole ns; NPUs of a node, or all, take turns.
ring6
for row in 'PER_NPU 200 200 200' 'PER_NODE 200 400 200' 'POOL 200 400 1200'; do
    read -r type first second last <<<"$row"
    [ "$type" = POOL ] && type=MEMORY_POOL || type=${type}_MEMORY_EXPANSION
    echo "{ \"memory-type\": \"$type\", \"remote-mem-latency\": 100, \"remote-mem-bw\": 50, \"num-nodes\": 3, \"num-npus-per-node\": 2 }" >"$work/mem.json"
    everyone 6 "$(node 0 2 '' 0 "$(attribute tensor_size 13 5000)")"
    theirs
    [ "$type" = PER_NODE_MEMORY_EXPANSION ] && last=400
    same "$(finished 0) $(finished 1) $(finished 5)" "$first $second $last" "$type"
done
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/mem.json"

# More chunks at a time are more bandwidth there, and more than links have: which is told.  Over the ring's two links
# 2 * 5/6 * 6M take 48,828 ns at 107.4 B/ns.
ring6 3
everyone 6 "$(collective 0 '' $AR $((6 * M)))"
theirs
[ "$(finished 0)" -lt 48828 ] && grep -qF "ns, and its links need 48828 at least" "$work/err"
verdict $? "sooner than links are: $(finished 0), $(cat "$work/err")"
ring6 2
theirs
! grep -q 'at least' "$work/err"
verdict $? 'two directions of a ring are no more than links'

# ---- where ASTRA-sim 2.x hangs -------------------------------------------------------------------------------
# Issue 370: ranks that begin late, fewer slots than chunks.  All finish, no sooner than with all at once and no
# later than by the lateness.
for row in '4 ring 8 1 0:10' '4 ring 8 2 17:3' '2 halvingDoubling 16 3 5:50' '3 direct 5 1 1:1'; do
    read -r n word splits active late <<<"$row"
    network 'Ring, Ring, Ring' "$n, $n, $n" '100.0, 50.0, 25.0' '100.0, 200.0, 300.0'
    system "$splits" 10 400 "$active" localBWAware "$word" "$word" "$word"
    everyone $((n * n * n)) "$(collective 0 '' $AR $M)"
    theirs
    alike=$(finished 0)
    theirs --start-delay "${late}us"
    verdict $? "issue 370, $row: $(head -n 2 "$work/err")"
    [ "$(grep -c finished "$work/out")" = $((n * n * n)) ]
    verdict $? "issue 370, $row: all finish"
    last=$(sed -nE 's/.*finished, ([0-9]+) cycles.*/\1/p' "$work/out" | sort -n | tail -n 1)
    [ "$last" -gt "$alike" ] && [ "$last" -le $((alike + 1000 * ${late#*:})) ]
    verdict $? "issue 370, $row: $last, with all at once $alike"
done
# Issue 339: a group's collective of some ranks, then one of all, named and not.
network 'Ring, Ring' '2, 2' '50.0, 50.0' '500.0, 500.0'
system 4 10 400 1 localBWAware ring ring
echo '{"3": [0, 1], "4": [1, 2], "5": [2, 3], "6": [3, 0], "7": [3, 1, 0]}' >"$work/groups.json"
groups=(--comm-group-configuration "$work/groups.json")
rm -f "$work"/t.*.et
for i in 0 1 2 3; do
    trace t.$i.et "$([ $i -lt 2 ] && collective 0 '' 0 65536 3)" "$(collective 1 '' 0 65536)" \
        "$([ $i -ne 2 ] && collective 2 1 0 65536 7)" "$(collective 3 1 6 65536)"
done
theirs "${groups[@]}"
verdict $? "issue 339: $(head -n 2 "$work/err")"
same "$(grep -c finished "$work/out")" 4 'issue 339: all finish'
# Groups in a circle, each rank's one slot taken by what its neighbour waits behind.
for i in 0 1 2 3; do
    trace t.$i.et "$(collective 0 '' 0 65536 $((3 + i)))" "$(collective 1 0 0 65536 $((3 + (i + 3) % 4)))"
done
theirs "${groups[@]}"
[ $? -eq 1 ] && grep -qF 't.0.et: node 0 (all-reduce), NPU 0, waits for 1 members' "$work/err" &&
    grep -qF 'NPU 3: 1 nodes were never begun' "$work/err"
verdict $? "groups that wait for one another: status 1, and who waits: $(head -n 2 "$work/err")"
for i in 0 1 2 3; do
    trace t.$i.et "$(collective 0 '' 0 65536 $((3 + i)))" "$(collective 1 '' 0 65536 $((3 + (i + 3) % 4)))"
done
theirs "${groups[@]}"
verdict $? "groups in a circle of slots: $(head -n 2 "$work/err")"
grep -qF 'each gets one more' "$work/err"
verdict $? 'groups in a circle of slots: told'
# Roots that are over at once.
everyone 4 "$(node 5 1 '' 0)" "$(compute 7 5 2)"
gives 2000/- 'metadata at the root'

# ---- what is refused ----------------------------------------------------------------------------------------
refused "--compat: found '3', expected 0 or 2" --compat 3
refused '--backend: found unaware, expected engine' --backend unaware
refused '--compat: found --endpoint' --compat 2 --endpoint ideal
refused 'aware on several dimensions' --compat 2 --backend aware
system 4 10 400 1 localBWAware doubleBinaryTree ring
refused "found 'doubleBinaryTree'" --compat 2
system 4 10 400 1 localBWAware halvingDoubling ring
network 'Ring, Ring' '3, 2' '50.0, 50.0' '500.0, 500.0'
everyone 6 "$(collective 0 '' 0 65536)"
refused 'halvingDoubling of members that are no power of two' --compat 2
everyone 6 "$(collective 0 '' 9 65536)"
refused 'found BARRIER' --compat 2
echo '{ "scheduling-policy": "LIFO", "collective-optimization": "baseline" }' >"$work/sys.json"
refused 'preferred-dataset-splits' --compat 2

echo "compat: $passed passed, $failed failed"
[ $failed -eq 0 ]

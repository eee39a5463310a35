#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Algorithms and wirings, as a user requests them: each runs with payload and its reference, at both rungs, in the same
# number of cycles. One algorithm is written here. Wrong ones must be refused.
#
#   LONG=1 tests/program/engine/algorithms.sh    also the rows marked with +; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"
set -o pipefail

fail() { echo "FAILED: $*"; failed=1; }

# Rows of a table, without those marked + unless LONG is set.
rows() { if [[ ${LONG:-} ]]; then sed 's/^+//'; else sed '/^+/d'; fi; }

# collective RUNG ARGUMENTS..: cycles, with the payload checked
collective() {
    local rung=$1; shift
    "$acesim" collective "$@" --payload random --check --rung "$rung" --format json > "$work/r.json" 2> "$work/r.err" ||
        { fail "$* on $rung: $(head -n 3 "$work/r.err")"; echo 0; return; }
    sqlite3 :memory: "SELECT json_extract(readfile('$work/r.json'), '\$.cycles')"
}

cat > "$work/mine.ace" <<'TEXT'
# Shares go directly to their owners; results come back doubling.
reduce-scatter mine
  send    up to behind k    shard behind k from source reduce
  receive up from ahead k   shard ahead 0  reduce last
all-reduce mine
  send    up to behind k    shard behind k from source reduce
  send    double to xor k   shards ahead 0 from target store wait begin
  receive up from ahead k   shard ahead 0  reduce last
  receive double from xor k shards xor k   store
all-gather mine copy
  send    double to xor k   shards ahead 0 from target store wait step
  receive double from xor k shards xor k   store
TEXT
# The results of the second step need the first one's: begin is not enough for four members.
if "$acesim" program check "$work/mine.ace" --members 4 > "$work/check"; then
    fail "a wait that is too short passes the check"
fi
grep -q 'may send shard .* before it is there' "$work/check" || fail "check: $(cat "$work/check")"
sed -i 's/wait begin/wait step/' "$work/mine.ace"
"$acesim" program check "$work/mine.ace" --members 4 > "$work/check" || fail "$(cat "$work/check")"
[[ $(grep -c right "$work/check") -eq 6 ]] || fail "check: $(cat "$work/check")"

while read -r topology algorithm kind size type; do
    a=(${kind} --topology "$topology" --algorithm "$algorithm" --size "$size" --type "$type")
    cycle=$(collective cycle "${a[@]}")
    rtl=$(collective 'rtl:0,3;cycle:rest' "${a[@]}")
    [[ $cycle -gt 0 && $cycle == "$rtl" ]] || fail "${a[*]}: $cycle cycles, rtl $rtl"
done < <(rows <<TABLE
+Ring(4)                   one-way-ring            all-reduce     100000 fp32
4x2x2                     one-way-ring,ring       all-reduce     300000 bf16
Switch(4)                 ring                    all-reduce     100000 fp32
Switch(4)                 direct                  reduce-scatter 77777  fp16
+Switch(4)                 halving-doubling        all-reduce     100001 bf16
Switch(4)                 halving-doubling        all-gather     100001 bf16
Switch(5)                 double-binary-tree      all-reduce     200000 fp32
Switch(8)                 fibonacci-tree          all-reduce     200004 fp32
FullyConnected(5)         fibonacci-tree          all-reduce     4100   fp16
+Ring(4)                   pairwise                all-reduce     8196   fp32
4x2x4                     pairwise                all-reduce     4100   bf16
+4x4x1                     pairwise                reduce-scatter 4096   fp16
FullyConnected(4)         direct                  all-reduce     100000 fp32
FullyConnected(4)         $work/mine.ace          all-reduce     100000 fp32
+Switch(4)                 $work/mine.ace          reduce-scatter 50000  fp16
Switch(4)                 $work/mine.ace          all-gather     50000  fp16
Switch(4)                 in-network              all-reduce     100001 bf16
+Switch(5)                 in-network              all-reduce     70001  fp32
Ring(2)_Switch(3)         ring,in-network         all-reduce     100001 fp32
+Switch(4)                 in-network              reduce-scatter 50000  fp16
+Ring(4)_Switch(2)         ring,halving-doubling   all-reduce     260000 fp32
Ring(2)_FullyConnected(3)_Switch(2) ring,direct,ring all-reduce  131072 bf16
TABLE
)

# A routed row takes all its hops through a hub in one.
while read -r topology kind; do
    a=($kind --topology "$topology")
    cycle=$(collective cycle "${a[@]}")
    rtl=$(collective 'rtl:0,3;cycle:rest' "${a[@]}")
    [[ $cycle -gt 0 && $cycle == "$rtl" ]] || fail "${a[*]}: $cycle cycles, rtl $rtl"
done < <(rows <<TABLE
Switch(5)                           all-to-all --size 300001B
+Ring(3)_Switch(4)                   all-to-all --size 300001B
Switch(3)_FullyConnected(4)_Ring(2) all-to-all --size 777777B --dims z,x
FullyConnected(4)_Ring(2)           all-to-all-v --size 300001B --skew 0.7
Ring(2)_Switch(4)                   broadcast --size 100001B --root 3
+FullyConnected(4)                   reduce --size 100001B --type bf16
Switch(4)_Ring(2)                   gather --size 100001B --root 5
+Switch(4)                           scatter --size 100001B
Ring(2)_Switch(3)                   send-receive --size 100001B --from 5 --to 2
Switch(2)_FullyConnected(3)         barrier
TABLE
)
"$acesim" collective all-to-all --topology 'Switch(4)' --size 1MiB --format json > "$work/r.json" 2> /dev/null
grep -q '"link_bytes":[[:space:]]*\[393216, 393216, 0, 0, 0, 0\]' "$work/r.json" ||
    fail "a block to three others, half through each hub: $(grep link_bytes "$work/r.json")"

# A switch that reduces. A node sends its vector of S bytes once; without such a switch it sends 2 (n - 1) / n times S.
# At 25 GB/s the links are the bound, so 64 MiB on 4 nodes take 2 / 3 of the time, plus a little for the ends.
numbers() { # FIELD ARGUMENTS..
    local field=$1; shift
    "$acesim" collective all-reduce --format json "$@" > "$work/r.json" 2> "$work/r.err" || fail "$* $(head -n 3 "$work/r.err")"
    sqlite3 :memory: "SELECT json_extract(readfile('$work/r.json'), '\$.$field')"
}
for n in 4 8 16; do
    a=(--topology "Switch($n)" --size 4MiB --link-bandwidth 25GB/s)
    [[ $(numbers bytes_sent_per_npu "${a[@]}" --algorithm in-network) -eq 4194304 ]] || fail "in-network on $n: bytes"
    [[ $(numbers bytes_sent_per_npu "${a[@]}") -eq $((2 * (n - 1) * 4194304 / n)) ]] || fail "direct on $n: bytes"
done
a=(--topology 'Switch(4)' --size 64MiB --link-bandwidth 25GB/s)
direct=$(numbers cycles "${a[@]}") network=$(numbers cycles "${a[@]}" --algorithm in-network)
[[ $((direct * 1000 / network)) -ge 1490 && $((direct * 1000 / network)) -le 1500 ]] ||
    fail "in-network takes $network cycles, direct $direct"
a=(--topology 'Switch(4)' --size 3MB --algorithm in-network)
network=$(numbers cycles "${a[@]}")
for other in '--fold off' '--fast-forward off' '--threads 2' '--payload random --check --op max --type fp32' '--switch-buffer 64'; do
    [[ $(numbers cycles "${a[@]}" $other) == "$network" ]] || fail "in-network with $other: $(numbers cycles "${a[@]}" $other), not $network cycles"
done
numbers check "${a[@]}" --size 256KiB --payload random --check --faults link:1e-3 --rung 'rtl:1;cycle:rest' > "$work/check"
[[ $(cat "$work/check") == passed && $(sqlite3 :memory: "SELECT json_extract(readfile('$work/r.json'), '\$.hub_faults.resent')") -gt 0 ]] ||
    fail "in-network over links with faults: $(cat "$work/check")"
"$acesim" collective all-reduce "${a[@]}" --checkpoint "$work/c" --checkpoint-every 9000 --format csv > "$work/a.csv" 2> /dev/null &&
    "$acesim" collective all-reduce "${a[@]}" --resume "$work/c" --format csv > "$work/b.csv" 2> /dev/null &&
    cmp "$work/a.csv" "$work/b.csv" || fail "in-network from a checkpoint"

# The switch on the rung rtl: as many cycles and the same counters, with the bits looked at; the words that say so.
reducers() { sqlite3 :memory: "SELECT group_concat(json_extract(value, '\$.$1'), '$2') FROM json_each(readfile('$work/r.json'), '\$.switch_reducers')"; }
while read -r topology rung said kind; do
    a=(--topology "$topology" --algorithm in-network --size 100000 $kind --payload random --check)
    [[ $topology != Ring* ]] || a[3]=ring,in-network
    cycle=$(numbers cycles "${a[@]}") counted=$(reducers rows :)/$(reducers slots :)/$(reducers waiting_cycles :)/$(reducers cycles :)
    rtl=$(numbers cycles "${a[@]}" --rung "$rung")
    [[ $cycle -gt 0 && $cycle == "$rtl" && $(reducers rung ,) == "$said" ]] || fail "${a[*]}: $cycle cycles, $rung $rtl on $(reducers rung ,)"
    [[ $counted == "$(reducers rows :)/$(reducers slots :)/$(reducers waiting_cycles :)/$(reducers cycles :)" ]] || fail "${a[*]}: counters on $rung"
    [[ $(reducers cycles + | tr -d '[] ' | tr ',' + | bc) -eq $((2 * cycle)) ]] || fail "${a[*]}: classes $(reducers cycles +)"
done <<TABLE
Switch(4)         rtl:switch;cycle:rest   rtl,rtl      --type fp32
Switch(4)         rtl:0,switch;cycle:rest rtl,rtl      --type fp32 --op min
Switch(3)         rtl                     rtl,rtl      --type fp32
Ring(2)_Switch(3) rtl:switch;cycle:rest   rtl,rtl      --type int32 --cluster clusters/every-alu.yaml
Switch(4)         rtl:1;cycle:rest        cycle,cycle  --type fp32
Switch(2)         rtl:0,1;cycle:switch    cycle,cycle  --type fp32
TABLE
# All rows of the vector go through, of the last chunk as many from each member's shard.
[[ $(numbers cycles --topology 'Switch(4)' --algorithm in-network --size 1MB --fold off --rung 'rtl:switch;cycle:rest') -gt 0 &&
    $(reducers rows + | bc) -eq $((((1000000 + 255) / 256 + 3) / 4 * 4)) ]] || fail "rows of 1 MB: $(reducers rows +)"
# Periods that are left out are counted.
a=(--topology 'Switch(4)' --size 16MiB --link-bandwidth 25GB/s --algorithm in-network)
[[ $(numbers fast_forward "${a[@]}") == *'in periods of'* ]] || fail "no period of ${a[*]}"
counted=$(reducers rows :)/$(reducers slots :)/$(reducers waiting_cycles :)/$(reducers cycles :)
numbers cycles "${a[@]}" --fast-forward off > /dev/null
[[ $counted == "$(reducers rows :)/$(reducers slots :)/$(reducers waiting_cycles :)/$(reducers cycles :)" ]] ||
    fail "counters with periods left out: $counted"
for rung in cycle 'rtl:switch;cycle:rest'; do
    a=(all-reduce --topology 'Switch(4)' --size 300KB --algorithm in-network --rung "$rung" --format csv)
    "$acesim" collective "${a[@]}" --checkpoint "$work/c" --checkpoint-every 4000 > "$work/a.csv" 2> /dev/null &&
        "$acesim" collective "${a[@]}" --resume "$work/c" > "$work/b.csv" 2> /dev/null &&
        cmp "$work/a.csv" "$work/b.csv" || fail "in-network from a checkpoint in its midst, $rung"
done

# the same cycles for any number of threads
one=$("$acesim" collective all-reduce --topology 'Ring(4)_Switch(8)' --size 2MiB --format json | sha256sum)
two=$("$acesim" collective all-reduce --topology 'Ring(4)_Switch(8)' --size 2MiB --threads 2 --format json | sha256sum)
[[ $one == "$two" ]] || fail "threads change the result"

# Hubs of more than 16 members: all-reduces must give the right bits and bytes, with --peers distinguishing the grants.
# A ring and a power of two on 32 members need no more than 16.
while read -r topology algorithm peers more; do
    a=(--topology "$topology" --algorithm "$algorithm" --size 120KB --type int32 --payload random --check --cluster clusters/every-alu.yaml $more)
    [[ $(numbers check "${a[@]}") == passed && $(numbers configuration.peers "${a[@]}") -eq $peers ]] || fail "${a[*]}: $(numbers configuration.peers "${a[@]}") peers"
done <<TABLE
Switch(64)         direct             64
Switch(20)         direct             32
FullyConnected(33) direct             64
Switch(64)         halving-doubling   64
Switch(17)         in-network         32
Switch(64)         in-network         64
Switch(32)         halving-doubling   16 --peers 16
Switch(40)         double-binary-tree 64
FullyConnected(64) ring               16
Ring(2)_Switch(18) ring,direct        32
TABLE
# RTL that keeps 64 apart, of the set odd, among its twins.
cat > "$work/odd.yaml" <<'END'
topology: Switch(64)
chunk: 8 KiB
ace: {fsms: 8, contexts: 2, bank_rows: 1500, link_input_rows: 7, link_output_rows: 3, commands: 2, memory_bursts: 5, router_input_rows: 7,
      router_output_rows: 3, exchange_rows: 5, exchange_bursts: 9, peers: 64, alu_types: 35, alu_ops: 7}
END
printf 'name: one\nlayers:\n  - {kind: given, name: a, forward: 1000, input: 0, weight: 1000, all_reduce: 32768}\n' > "$work/one.yaml"
for algorithm in direct double-binary-tree; do
    for rung in cycle 'rtl:0,17,63;cycle:rest'; do
        "$acesim" run "$work/odd.yaml" "$work/one.yaml" --iterations 1 --algorithm $algorithm --rung "$rung" --fold off --format json > "$work/${rung%%:*}.json" 2> /dev/null
    done
    python3 -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); sys.exit(not a["cycles"] == b["cycles"])' "$work/cycle.json" "$work/rtl.json" ||
        fail "$algorithm on a switch of 64: RTL takes other cycles"
done
# Through one switch each of 64 sends 63 parts over links of 25 GiB/s: no sooner than their rows cross, and not much later.
bytes=$((64 << 20)) a=(--topology 'Switch(64)' --size 64MiB --link-bandwidth 13.421772GB/s --link-efficiency 1 --format json)
"$acesim" collective all-to-all "${a[@]}" > "$work/r.json" 2> /dev/null
python3 - "$work/r.json" $bytes <<'END' || fail "an all-to-all of 64 on a switch"
import json, sys
r, n = json.load(open(sys.argv[1])), int(sys.argv[2])
least = n / 64 * 63 / (2 * 13.421772e9) * r["clock_MHz"] * 1e6
sys.exit(not (least <= r["cycles"] <= 1.01 * least and r["bytes_sent_per_npu"] == n // 64 * 63))
END

# a ring said in another way is the same ring
a=$("$acesim" collective all-reduce --topology 4x2x2 --size 1MiB --format csv)
b=$("$acesim" collective all-reduce --topology 'Ring(4)_Ring(2)_Ring(2)' --size 1MiB --format csv)
[[ $a == "$b" ]] || fail "Ring(4)_Ring(2)_Ring(2) is not 4x2x2"

# refused: expected words, arguments
refused() {
    local words=$1 said; shift
    said=$("$acesim" "$@" 2>&1 > /dev/null)
    [[ $? -eq 2 && $said == *"$words"* ]] || fail "$*: $said"
}
refused "does not run on 6 members, expected a power of two" collective all-reduce --topology 'Switch(6)' --algorithm halving-doubling
refused "on a ring these chunks go only to the next member; expected --algorithm ring, or Switch(4) for x" collective all-reduce --topology 4x1x1 --algorithm direct
refused "found algorithm 'tree', expected one of ring" collective all-reduce --topology 'Switch(4)' --algorithm tree
refused "64 on a switch or fully connected" collective all-reduce --topology 'Switch(65)'
refused "found --peers 16, expected as many as there are members" collective all-reduce --topology 'Switch(32)' --peers 16
refused "--topology: found 'Mesh(4)'" collective all-reduce --topology 'Mesh(4)'
refused "expected Switch(4) there" collective all-reduce --topology 'FullyConnected(4)' --algorithm in-network
refused "expected at most the 128 that it holds" collective all-reduce --topology 'Switch(4)' --algorithm in-network --chunk 128KiB
refused "found averages, expected --op sum" collective all-reduce --topology 'Switch(4)' --algorithm in-network --op average
refused "of which there is RTL; or cycle:switch" collective all-reduce --topology 'Switch(8)' --algorithm in-network --rung 'rtl:switch;cycle:rest'
refused "of which there is RTL; or cycle:switch" collective all-reduce --topology 'Switch(4)' --algorithm in-network --type bf16 --rung 'rtl:switch;cycle:rest'
refused "expected a switch that reduces" collective all-reduce --topology 'Switch(4)' --rung 'rtl:switch;cycle:rest'
refused "and the switch at most once" collective all-reduce --topology 'Switch(4)' --algorithm in-network --rung 'rtl:switch;cycle:rest,switch'
refused "what a switch reduces is not counted there" collective all-reduce --topology 'Switch(4)' --algorithm in-network --switch-bandwidth 100GB/s
printf 'all-reduce x\n  send up to ahead 1 shards sideways k\n' > "$work/bad.ace"
refused "bad.ace:2:29: found 'sideways', expected ahead, behind, xor or member" collective all-reduce --topology 'Switch(4)' --algorithm "$work/bad.ace"

# text -> words -> text -> words
"$acesim" program assemble "$work/mine.ace" > "$work/words" || fail "assemble"
"$acesim" program disassemble < "$work/words" > "$work/again.ace" || fail "disassemble"
"$acesim" program assemble "$work/again.ace" | cmp - "$work/words" || fail "the text does not come back"

exit $failed

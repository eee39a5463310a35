#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Small collectives. A collective that names no algorithm takes the one of the table cmodel/isa/ace_program_small.def: it is
# printed, and no other one is faster. The Fibonacci tree takes as many trips as its closed form, and its sums are right
# for sizes that no row, shard or chunk divides. Larger collectives, and those that name an algorithm, are as before.
#
#   LONG=1 tests/program/engine/small_messages.sh    takes every row of the table, not each sixth; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"

collective() { "$acesim" collective "$@" --quiet --format json 2> "$work/err"; }
member() { sed -n "s/^\t*\"$1\":\t\"\{0,1\}\([^\",]*\).*/\1/p" | head -n 1; }
cycles() { collective "$@" | member cycles; }

# ---- the table: what it names is chosen, printed and the fastest but for 2 % ---------------------------------
table=cmodel/isa/ace_program_small.def
rows() { sed -n 's/^ACE_PROGRAM_SMALL(\([A-Z]*\) *, \([A-Z_]*\) *, *\([0-9]*\), *\([0-9]*\), "\([a-z-]*\)")$/\1 \2 \3 \4 \5/p' "$table"; }
[ "$(rows | wc -l)" -eq "$(grep -c '^ACE_PROGRAM_SMALL' "$table")" ] && [ "$(rows | wc -l)" -ge 44 ]
verdict $? "the rows of $table"
declare -A wirings=([SWITCH]=Switch [FULL]=FullyConnected [RING]=Ring)
law() { # TOPOLOGY KIND SIZE NAME: the algorithm without a name, and its cycles
    local topology=$1 size=$3 name=$4 kind=$2 chosen least other algorithm
    collective "$kind" --topology "$topology" --size "$size" > "$work/r.json"
    same "$(sed -n "/algorithms_by_size/,/}/p" "$work/r.json" | member x | grep . || echo ring)" "$name" "algorithm of $kind $size on $topology"
    chosen=$(member cycles < "$work/r.json")
    for algorithm in ring direct halving-doubling fibonacci-tree pairwise; do
        [ "$kind" != all-reduce ] && [ $algorithm = fibonacci-tree ] && continue
        other=$(cycles "$kind" --topology "$topology" --size "$size" --algorithm $algorithm)
        [ $algorithm = "$name" ] && same "$chosen" "$other" "$kind $size on $topology with $name by name"
        [ -z "$other" ] || [ "$other" -ge "${least:-$other}" ] || least=$other
        least=${least:-$other}
    done
    [ $((100 * chosen)) -le $((102 * least)) ]
    verdict $? "$kind $size on $topology: $chosen cycles with $name, $least with another"
}
turn=0
while read -r wires phase members bytes name; do
    [ -n "${LONG:-}" ] || [ $((turn++ % 6)) -eq 0 ] || continue
    case "$wires $members $phase $name" in
    RING*' 'ring) law "Ring($members)" all-reduce "$bytes" ring ;;
    *' '[2-8]' ALL_REDUCE '* | *' 12 ALL_REDUCE '*) law "${wirings[$wires]}($members)" all-reduce "$bytes" "$name" ;;
    RING*' 'REDUCE_SCATTER*) law "Ring($members)" all-gather "$bytes" "$name" ;;
    esac
done < <(rows)
law 'Switch(8)' all-reduce 4KiB fibonacci-tree
law 'Switch(16)' all-reduce 4KiB fibonacci-tree
law 'FullyConnected(8)' all-reduce 1KiB fibonacci-tree

# People read the choice, too.
"$acesim" collective all-reduce --topology 'Switch(8)' --size 4KiB --quiet > "$work/text"
grep -q '^algorithm  *fibonacci-tree on x: ' "$work/text"
verdict $? "the text does not name the algorithm"

# ---- from store to load ---------------------------------------------------------------------------------------
us=$(collective all-reduce --topology 'Switch(8)' --size 4KiB --control registers | member time_us)
awk "BEGIN { exit !($us > 0.5 && $us < 2) }"
verdict $? "4 KiB on Switch(8): $us us by registers, expected less than 2"

# ---- the trips of the tree: t with g(t) >= n of Fibonacci's numbers, one for the way back, two above 9 members ------
trips() { # N
    local a=1 b=1 t=1 c
    while [ $b -lt "$1" ]; do
        c=$((a + b)) a=$b b=$c t=$((t + 1))
    done
    [ "$1" -eq 2 ] && t=2
    echo $((t + 1 + ($1 > 9 ? 1 : 0)))
}
for n in 2 3 5 9 13 34 ${LONG:+4 6 7 8 16 21 22 64}; do
    at=(all-reduce --topology "FullyConnected($n)" --size 256B --algorithm fibonacci-tree)
    short=$(cycles "${at[@]}" --link-latency 4000)
    long=$(cycles "${at[@]}" --link-latency 8000)
    same "$(((long - short) / 4000)) $(((long - short) % 4000))" "$(trips $n) 0" "trips of $n members"
done

# ---- pairs on rings: two trips on a ring of four, one on a ring of two, and two accesses of the memory ---------------
pairs() { # TOPOLOGY DIMENSION: trips of the dimension
    local at=(all-reduce --topology "$1" --size 256B) long latency=(90 500 500)
    latency[$2]=$((latency[$2] + 4000))
    long=$(cycles "${at[@]}" --link-latency "$(IFS=,; echo "${latency[*]}")")
    echo $(((long - $(cycles "${at[@]}")) / 4000)) $(((long - $(cycles "${at[@]}")) % 4000))
}
same "$(pairs 4x4x4 0) $(pairs 4x4x4 1) $(pairs 4x4x4 2)" '4 0 2 0 2 0' 'trips on 4x4x4'
same "$(pairs 4x2x2 0) $(pairs 4x2x2 1) $(pairs 2x4x1 0)" '4 0 1 0 2 0' 'trips on rings of two'
least=$((4 * 90 + 4 * 500 + 2 * 200)) # trips, and the latency of the memory
found=$(cycles all-reduce --topology 4x4x4 --size 4KiB)
[ "$found" -gt $least ] && [ "$found" -lt 3606 ]
verdict $? "4 KiB on 4x4x4: $found cycles, expected more than $least and less than 3,606"
for at in '4x4x4 --size 64KiB' '8x4x2 --size 4KiB' 'Ring(3) --size 1KiB'; do # no row of theirs is late, or blocks others
    # shellcheck disable=SC2086 # options
    for latency in 1,1,1 7,2,3; do
        same "$(collective all-reduce --topology $at --algorithm pairwise --link-latency $latency --payload random --check |
            member payload)" passed "$at with links of $latency cycles"
    done
done
while read -r message arguments; do
    # shellcheck disable=SC2086 # options
    "$acesim" collective all-reduce --size 4KiB $arguments > /dev/null 2> "$work/err"
    same "$? $(grep -c "found ${message//_/ }, expected a single collective on rings" "$work/err")" '2 1' "$arguments"
done <<TABLE
a_dimension_that_is_no_ring   --topology Ring(4)_Switch(4) --algorithm pairwise,ring
an_endpoint_without_an_engine --topology 4x4 --endpoint comm-opt --algorithm pairwise
TABLE

# ---- sums, bit for bit ----------------------------------------------------------------------------------------
while read -r topology arguments; do
    # shellcheck disable=SC2086 # options
    check=$(collective all-reduce --topology "$topology" --payload random --check $arguments | member payload)
    same "$check" passed "sums of $topology $arguments: $(head -n 2 "$work/err")"
done <<TABLE
Switch(2)         --size 1 --algorithm fibonacci-tree --type int8 --cluster clusters/every-alu.yaml
Switch(3)         --size 258 --algorithm fibonacci-tree --type bf16
Switch(4)         --size 4100
FullyConnected(4) --size 1026 --type bf16 --op avg --cluster clusters/every-alu.yaml
Switch(5)         --size 65540 --algorithm fibonacci-tree --type fp16 --op avg --cluster clusters/every-alu.yaml
Switch(6)         --size 12292 --op max
Switch(7)         --size 300004 --algorithm fibonacci-tree --type int32 --op prod --cluster clusters/every-alu.yaml
FullyConnected(9) --size 4098 --type fp16
Switch(13)        --size 20004 --chunk 4KiB --algorithm fibonacci-tree
Switch(16)        --size 4KiB --order agreed
Switch(17)        --size 2052 --type fp8-e4m3 --cluster clusters/every-alu.yaml
Switch(64)        --size 772
Ring(2)_Switch(4) --size 8196
Switch(4)_Switch(3) --size 16388
Switch(8)         --size 40004 --control registers
Ring(2)           --size 1 --type int8 --cluster clusters/every-alu.yaml
Ring(4)           --size 258 --type bf16
4x4x4             --size 4100
4x4x2             --size 1026 --type fp16 --op avg --cluster clusters/every-alu.yaml
4x2x4             --size 65536 --op max
3x4x5             --size 12292
2x2x2             --size 300004 --algorithm pairwise
4x4x1             --size 8196 --control registers
4x4x1             --size 8196 --order agreed
TABLE

# ---- what stays -----------------------------------------------------------------------------------------------
while read -r topology arguments; do
    # shellcheck disable=SC2086 # options
    collective all-reduce --topology "$topology" $arguments > "$work/r.json"
    # shellcheck disable=SC2086 # options
    same "$(grep -c algorithms_by_size "$work/r.json") $(member cycles < "$work/r.json")" \
        "0 $(cycles all-reduce --topology "$topology" $arguments --algorithm direct)" "$topology $arguments"
done <<TABLE
Switch(8)         --size 262145
FullyConnected(8) --size 512KiB
Switch(4)         --size 4KiB --switch-buffer 64
TABLE
same "$(collective all-reduce --topology 'Switch(8)' --size 4KiB --algorithm direct | grep -c algorithms_by_size)" 0 'a name is kept'
same "$(collective all-reduce --topology 4x4x4 --size 64KiB --chunk 32KiB | grep -c algorithms_by_size)" 0 'two chunks'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

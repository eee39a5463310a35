#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests every type and operation of the program. The reference checks the values of collectives on twins, and with an
# RTL node among them. `acesim alu` must give the same results at both rungs, and results that can be computed by hand.
. "$(dirname "$0")/../begin.sh"
types='fp32 fp16 bf16 fp8-e4m3 fp8-e5m2 int8 int32'

# 3001 words, and 1 byte that no wider element fills: chunks of several shards, and padding
reduced() { # KIND TYPE OP RUNG TOPOLOGY [OPTION ...]
    local kind=$1 type=$2 op=$3 rung=$4 topology=$5
    shift 5
    "$acesim" collective $kind --topology $topology --size 12005 --type $type --op $op --payload random --check \
        --seed 5 --rung "$rung" --format json "$@" >"$work/out" 2>"$work/err" &&
        grep -q "\"op\":[[:space:]]*\"$op\"" "$work/out"
    verdict $? "$kind $type $op, rung $rung, $topology: $(tail -1 "$work/err")"
}

# The RTL set small has ALUs for every type and operation.
every=(--cluster clusters/every-alu.yaml)
{
    printf 'topology: 3x2x2\nchunk: 2 KiB\nace:\n'
    sed -nE 's/^([A-Z_]+)=/  \L\1: /p' "$(dirname "$0")/../../../cmake/node_sets/small.parameters"
} >"$work/small.yaml"
for type in $types; do
    for op in sum avg min max prod; do
        reduced all-reduce $type $op cycle 3x2x2 "${every[@]}"
        reduced all-reduce $type $op 'rtl:1;cycle:rest' 3x2x2 --cluster "$work/small.yaml"
        when_long reduced reduce-scatter $type $op cycle 3x2x2 "${every[@]}"
    done
done

# the default hardware has the types of training and serving, and refuses the others
for type in fp32 fp16 bf16; do
    for op in sum min max; do
        reduced all-reduce $type $op 'rtl:1;cycle:rest' 3x2x2
    done
done
for other in '--type int8' '--op avg'; do
    "$acesim" collective all-reduce $other >/dev/null 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'expected sum, min, max of fp32, fp16, bf16.*alu_types: 127, alu_ops: 31' "$work/err"
    verdict $? "default ALUs and $other: $(cat "$work/err")"
done

# an average over one member is the value, whatever it is
"$acesim" collective all-reduce --topology 1x1x1 --size 4096 --op avg --payload random --check \
    "${every[@]}" >/dev/null 2>&1
verdict $? "an average of one"

for type in $types; do
    for op in sum avg min max prod; do
        for pair in '0 0' '01 7f' '80 1' '3c 40' 'ff 81' '7c 7b' 'b5 35' '7e fe'; do
            echo "$pair"
        done >"$work/pairs"
        "$acesim" alu --op $op --type $type --rung cycle <"$work/pairs" >"$work/cycle" &&
            "$acesim" alu --op $op --type $type --rung rtl <"$work/pairs" | cmp -s - "$work/cycle"
        verdict $? "alu $type $op: the rungs differ"
    done
done

alu() { # RESULT, operands, options
    local want=$1 pair=$2 rung got
    shift 2
    for rung in cycle rtl; do
        got=$(echo "$pair" | "$acesim" alu --rung $rung "$@")
        [ "$got" = "$want" ]
        verdict $? "alu $*, rung $rung: $pair gives $got, not $want"
    done
}
alu 40400000 '3f800000 40000000' --type fp32                       # 1 + 2
alu 3fc00000 '3f800000 40000000' --type fp32 --op avg              # 1.5
alu 40000000 '40400000 40400000' --type fp32 --op average --members 3
alu 80000000 '80000000 0' --type fp32 --op min                     # -0
alu 4600 '4000 4200' --type fp16 --op prod                         # 2 x 3
alu 7f80 '7f7f 7f7f' --type bf16                                   # overflow
alu 7f '7e 7e' --type fp8-e4m3                                     # NaN: there is no infinity
alu 7c '7b 7b' --type fp8-e5m2 --op product                        # infinity
alu fe 'fd fe' --type int8 --op avg                                # (-3 - 2) / 2 is -2
alu fffffff4 '3 fffffffc' --type int32 --op prod                   # 3 x -4

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Fabrics of four dimensions: collectives with payload and its reference take the same cycles at both rungs. They take
# as many when folded, resumed from a checkpoint, or driven by registers. Other wirings and endpoints are tested as
# well. What such a fabric does not have must be refused.
. "$(dirname "$0")/../begin.sh"
set -o pipefail

fail() { echo "FAILED: $*" >&2; failed=1; }
value() { sqlite3 :memory: "SELECT json_extract(readfile('$work/r.json'), '\$.$1')"; }

# collective ARGUMENTS..: cycles
collective() {
    "$acesim" collective "$@" --format json > "$work/r.json" 2> "$work/r.err" ||
        { fail "$*: $(head -n 3 "$work/r.err")"; echo 0; return; }
    value cycles
}

while read -r topology kind size type more; do
    a=("$kind" --topology "$topology" --size "$size" --type "$type" ${more:-})
    payload=$(collective "${a[@]}" --payload random --check)
    rtl=$(collective "${a[@]}" --payload random --check --rung 'rtl:0,5;cycle:rest')
    folded=$(collective "${a[@]}")
    [[ $payload -gt 0 && $payload == "$rtl" && $payload == "$folded" ]] ||
        fail "${a[*]}: $payload cycles, rtl $rtl, folded $folded"
done <<'TABLE'
2x2x2x2                                 all-reduce      100000 fp32
3x1x2x2                                 all-reduce      77777  bf16
2x1x3x2                                 reduce-scatter  50000  fp16
2x2x1x3                                 all-gather      50000  int8
2x3x1x2                                 all-to-all      30000  fp32
2x2x2x2                                 all-reduce      40000  fp32 --dims=w,y
1x2x2x3                                 all-to-all      30000  fp32 --dims=z,w
2x2x1x2                                 broadcast       30000  fp32 --root=3
Ring(2)_Switch(3)_Ring(1)_FullyConnected(2)  all-reduce 60000  fp32
TABLE

# The bytes of each dimension are the closed form: of V, 3/2 on x, and 2 (n-1)/n of V/2 on each other.
collective all-reduce --topology 2x2x2x2 --size 1MiB >/dev/null
[[ $(value bytes_per_dimension.x) -eq 1048576 && $(value bytes_per_dimension.w) -eq 524288 &&
   $(value closed_form_bytes.w) -eq 524288 && $(value configuration.fsms) -eq 20 ]] ||
    fail "bytes: $(value bytes_per_dimension), fsms $(value configuration.fsms)"

a=(all-reduce --topology 2x2x2x2 --size 200000 --payload random --check)
pins=$(collective "${a[@]}")
registers=$(collective "${a[@]}" --control registers)
[[ $(value cycles_by_pins) -eq $pins && $registers -gt $pins ]] ||
    fail "registers: $registers cycles, $(value cycles_by_pins) by pins, expected $pins by pins"
rtl=$(collective "${a[@]}" --control registers --rung 'rtl:0,5;cycle:rest')
[[ $rtl -eq $registers ]] || fail "registers: $rtl cycles on RTL, $registers on the twin"
"$acesim" collective "${a[@]}" --checkpoint "$work/c" --checkpoint-every 3000 --format json > "$work/r.json" 2> "$work/err" ||
    fail "checkpoint: $(head -n 3 "$work/err")"
cp "$work/r.json" "$work/whole.json"
"$acesim" collective "${a[@]}" --resume "$work/c" --format json > "$work/r.json" 2> "$work/err" ||
    fail "resume: $(head -n 3 "$work/err")"
cmp -s "$work/r.json" "$work/whole.json" || fail "resumed: $(value cycles) cycles, expected $pins"
for endpoint in ideal comm-opt; do
    [[ $(collective all-reduce --topology 2x2x2x2 --size 1MiB --endpoint $endpoint) -gt 0 ]] ||
        fail "endpoint $endpoint"
done
"$acesim" lockstep --parameters four --cycles 60000 --seed 3 > "$work/out" 2>&1 ||
    fail "lockstep: $(tail -n 3 "$work/out")"

# A ring is a ring, whichever letter it has: at the ideal endpoint the fourth takes as long as the first.
ring=(--endpoint ideal --size 1MiB --link-bandwidth 25GB/s --link-latency 500)
first=$(collective all-reduce --topology 8x1x1 "${ring[@]}")
fourth=$(collective all-reduce --topology 1x1x1x8 "${ring[@]}")
[[ $first -gt 0 && $first -eq $fourth ]] || fail "ideal: $first cycles on x, $fourth on w"

# refuses MESSAGE ARGUMENTS..
refuses() {
    local message=$1; shift
    "$acesim" collective all-reduce "$@" > "$work/out" 2>&1 && { fail "not refused: $*"; return; }
    grep -qF -- "$message" "$work/out" || fail "$*: said $(cat "$work/out"), expected $message"
}
refuses "--topology: found '2x2x2x2x2'" --topology 2x2x2x2x2
refuses "--dims: found 'w'" --topology 4x4x4 --dims w
refuses "--fsms: found '8'" --topology 2x2x2x2 --fsms 8
refuses "--fsms: found '10'" --topology 4x4x4 --fsms 10
refuses "expected those of default, four, odd, small" --topology 2x2x2x2 --fsms 5 --rung rtl
refuses "RTL with registers is built with, expected those of default, four, small" --topology 2x2x2x2 \
    --fsms 5 --rung rtl --control registers
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config_digest tells runs apart: whatever changes a result changes the digest, also the contents of
# files, and what does not is left out.  A checkpoint of another run is refused.
. "$(dirname "$0")/../begin.sh"

digest() { # arguments of a collective
    "$acesim" collective "$@" --format json 2>"$work/err" | sed -n 's/.*"config_digest":.*"\(.*\)".*/\1/p'
}
# differ TEXT DIGEST...: all of them are there, and no two are the same
differ() {
    local text=$1
    shift
    [ "$(printf '%s\n' "$@" | grep -cE '^[0-9a-f]{16}$')" -eq $# ] &&
        [ "$(printf '%s\n' "$@" | sort -u | wc -l)" -eq $# ]
    verdict $? "$text: expected $# digests, found $*"
}

# The same four nodes, wired in three ways.
small=(all-reduce --size 64KiB)
differ 'wiring' "$(digest "${small[@]}" --topology 4x1x1)" \
    "$(digest "${small[@]}" --topology 'Switch(4)')" \
    "$(digest "${small[@]}" --topology 'FullyConnected(4)')"

# Algorithms by name; and one file with two contents.
switch=(all-reduce --topology 'Switch(4)' --size 64KiB)
direct=$(digest "${switch[@]}" --algorithm direct)
halving=$(digest "${switch[@]}" --algorithm halving-doubling)
file=()
for algorithm in direct halving-doubling; do
    "$acesim" program show $algorithm >"$work/algorithm.txt" 2>"$work/err"
    verdict $? "program show $algorithm: $(head -n 1 "$work/err")"
    file+=("$(digest "${switch[@]}" --algorithm "$work/algorithm.txt")")
done
differ 'algorithms' "$direct" "$halving" "${file[@]}"

# What a person may change of a result, each in turn.  The list is written here and not taken from the
# program's own: a field that this forgets, or takes for a way to compute the same, is found.
options=('--size 65540' '--type bf16' '--op min' '--dims y,x' '--chunk 4096' '--link-bandwidth 100GB/s'
    '--link-latency 91' '--link-efficiency 0.5' '--memory-bandwidth 64GB/s' '--memory-latency 300' '--clock 1GHz'
    '--order fifo' '--endpoint ideal' '--speed 0.5:1' '--faults link:0:1' '--bank-rows 2048' '--fsms 8'
    '--contexts 8' '--control registers' '--control trigger')
each=("$(digest all-reduce --topology 2x2 --size 64KiB)")
for option in "${options[@]}"; do
    read -ra words <<<"$option"
    [ "${words[0]}" = --size ] || words=(--size 64KiB "${words[@]}")
    each+=("$(digest all-reduce --topology 2x2 "${words[@]}")")
done
differ 'each option' "${each[@]}"

# So with the file of an all-to-all-v.
uneven=(all-to-all-v --topology 2x1x1 --counts "$work/counts.csv")
printf '0,512\n512,0\n' >"$work/counts.csv"
before=$(digest "${uneven[@]}")
printf '0,512\n256,0\n' >"$work/counts.csv"
differ 'counts' "$before" "$(digest "${uneven[@]}")"

# A checkpoint of one algorithm does not go on as another.
run=(collective all-reduce --topology 'Switch(8)' --size 1MiB --fold off)
"$acesim" "${run[@]}" --algorithm direct --checkpoint "$work/state" --checkpoint-every 4000 \
    >/dev/null 2>"$work/err" && [ -s "$work/state" ]
verdict $? "a checkpoint of direct: $(head -n 1 "$work/err")"
for other in '--algorithm halving-doubling' '--topology FullyConnected(8) --algorithm direct'; do
    read -ra words <<<"$other"
    "$acesim" "${run[@]}" "${words[@]}" --resume "$work/state" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'of configuration' "$work/err"
    verdict $? "a checkpoint of direct, resumed with $other: $(head -n 3 "$work/err")"
done
"$acesim" "${run[@]}" --algorithm direct --resume "$work/state" >"$work/out" 2>"$work/err"
verdict $? "a checkpoint of direct, resumed as it is: $(head -n 1 "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

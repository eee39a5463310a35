#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Upsets of the scratchpad: single ones must be corrected and cost no cycle. Two in a codeword must end the run with an
# error that names the position, at both rungs alike. The option must refuse wrong values.
. "$(dirname "$0")/../begin.sh"

run() { # NAME, options: a checked run, its result in NAME, its exit status
    local name=$1
    shift
    "$acesim" collective all-reduce --topology 2x2x1 --size 300000 --type fp32 --payload random --check \
        --seed 3 --format json "$@" >"$work/$name" 2>"$work/$name.err"
}
get() { # NAME KEY: a number of the result
    sed -nE "s/^.*\"$2\":[[:space:]]*([0-9]+).*$/\1/p" "$work/$1" | head -n 1
}
same() { # KEY A B
    [ -n "$(get "$2" "$1")" ] && [ "$(get "$2" "$1")" = "$(get "$3" "$1")" ]
    verdict $? "$1: $2 has '$(get "$2" "$1")', $3 '$(get "$3" "$1")'"
}
some() { # KEY NAME
    [ "$(get "$2" "$1")" -gt 0 ] 2>/dev/null
    verdict $? "$1: $2 has '$(get "$2" "$1")', expected more than 0"
}

# by chance: each row that is hit is put right, in the same cycles, however the run is made
run plain
verdict $? "without upsets: $(tail -n 1 "$work/plain.err")"
[ "$(get plain scratchpad.corrected)" = 0 ]
verdict $? "without upsets something was corrected"
run chance --faults scratchpad:0.1:7
verdict $? "upsets by chance: $(tail -n 1 "$work/chance.err")"
some scratchpad.corrected chance
same cycles plain chance
run chance_rtl --faults scratchpad:0.1:7 --rung 'rtl:1;cycle:rest'
verdict $? "upsets by chance, rtl: $(tail -n 1 "$work/chance_rtl.err")"
run chance_threads --faults scratchpad:0.1:7 --threads 4
verdict $? "upsets by chance, threads: $(tail -n 1 "$work/chance_threads.err")"
"$acesim" collective all-reduce --topology 2x2x1 --size 300000 --seed 3 --format json \
    --faults scratchpad:0.1:7 >"$work/chance_timing" 2>"$work/chance_timing.err"
verdict $? "upsets by chance, without payload: $(tail -n 1 "$work/chance_timing.err")"
run chance_record --faults scratchpad:0.1:7 --record "$work/record"
verdict $? "upsets by chance, recorded: $(tail -n 1 "$work/chance_record.err")"
"$acesim" wave "$work/record" --from 800 --to 1200 --output "$work/w.fst" >"$work/w.out" 2>"$work/w.err" &&
    grep -q 'pins: as recorded' "$work/w.out"
verdict $? "a recording with upsets: $(tail -n 1 "$work/w.err")"
for other in chance_rtl chance_threads chance_timing chance_record; do
    same scratchpad.corrected chance $other
    same cycles chance $other
done
run chance_seed --faults scratchpad:0.1:8
[ "$(get chance scratchpad.corrected)" != "$(get chance_seed scratchpad.corrected)" ]
verdict $? "another seed upsets the same"

# One by one: upsets hit the first rows of the second partition of bank 0 of node 1, again and again while chunks pass.
# Each time they hit another codeword, with one word of it, or two.
list() { # WORDS-OF-A-ROW
    local cycle=400 k=0 word
    while [ $k -lt 300 ]; do
        for word in $1; do
            printf 'scratchpad:1.0.%d.%d.0x%x@%d,' $((256 + k % 12)) "$word" $((1 << k / 12)) $cycle
            cycle=$((cycle + 6)) # an upset waits for its bank to be at rest
        done
        k=$((k + 1))
    done
}
single=$(list '66')
run single --faults "${single%,}"
verdict $? "single bits: $(tail -n 1 "$work/single.err")"
some scratchpad.corrected single
same cycles plain single
run single_rtl --faults "${single%,}" --rung 'rtl:1;cycle:rest'
verdict $? "single bits, rtl: $(tail -n 1 "$work/single_rtl.err")"
same scratchpad.corrected single single_rtl
double=$(list '3 66')
for rung in cycle 'rtl:1;cycle:rest'; do
    run "double_${rung%%:*}" --faults "${double%,}" --rung "$rung"
    [ $? -eq 1 ] && [ ! -s "$work/double_${rung%%:*}" ]
    verdict $? "two bits of a codeword, rung $rung: a result, or another exit status than 1"
    grep -q 'node 1 .*scratchpad could not be corrected' "$work/double_${rung%%:*}.err" &&
        grep -qE 'bank 0, row [0-9]+ could not' "$work/double_${rung%%:*}.err"
    verdict $? "two bits of a codeword, rung $rung: not told where"
done
[ "$(grep -o 'bank.*' "$work/double_cycle.err")" = "$(grep -o 'bank.*' "$work/double_rtl.err")" ]
verdict $? "the rungs tell of different rows"

refused() { # FOUND, options
    local found=$1
    shift
    run refused "$@"
    [ $? -eq 2 ] && grep -q "found $found" "$work/refused.err" && grep -q expected "$work/refused.err"
    verdict $? "$*: $(tail -n 1 "$work/refused.err")"
}
for bad in '' scratchpad scratchpad: scratchpad:0 scratchpad:2 scratchpad:0.1:x scratchpad:1.2.3 other:1 \
    scratchpad:0.4.0.0.1@5 scratchpad:0.0.0.72.1@5 scratchpad:0.0.0.0.0@5 scratchpad:0.0.0.0.1@ \
    scratchpad:0.1,scratchpad:0.1; do
    refused "'$bad'" --faults "$bad"
done
refused 'node 4' --faults scratchpad:4.0.0.0.1@5
refused 'row 2048' --bank-rows 2048 --faults scratchpad:0.0.2048.0.1@5
refused 'two upsets' --faults scratchpad:0.0.0.0.1@5,scratchpad:0.1.0.0.1@5
refused 'scratchpad faults with --control registers' --faults scratchpad:0.1 --control registers

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

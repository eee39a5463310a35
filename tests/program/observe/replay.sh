#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run that is recorded has the result of one that is not.  Any window of it, replayed from a
# checkpoint through the Verilated node, has the recorded pins and the waveform of that node
# run from the beginning.
. "$(dirname "$0")/../begin.sh"
here=$(dirname "$(realpath "$0")")

refused() { # WORDS arguments: exit status 2 and a message with the words
    local words=$1
    shift
    "$acesim" wave "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q "$words" "$work/err"
    verdict $? "wave $*: expected a refusal with '$words', found '$(head -n 1 "$work/err")'"
}
replayed() { # arguments: a waveform, and pins as recorded
    "$acesim" wave "$@" --output "$work/window.fst" >"$work/out" 2>"$work/err" &&
        grep -q 'pins: as recorded' "$work/out" && [ -s "$work/window.fst" ] &&
        grep -q '\[dumpfile\]' "$work/window.gtkw"
    verdict $? "wave $*: $(cat "$work/out" "$work/err" | tail -n 2)"
}

same_pins() { # FOLDER FOLDER WHAT
    local other=
    cmp -s -i 16 -n 8 "$1/pins" "$2/pins" || # the digest of the program and its sets
        other=', recorded by two builds: the program or a set was built anew between the runs'
    cmp "$1/pins" "$2/pins" >"$work/out" 2>&1
    verdict $? "the pins recorded of $3, of twin and RTL$other: $(head -n 1 "$work/out")"
}

# Changes of what decides, not of rows, which a timing-only run does not have: from the first
# cycle after the window begins, when both files have all values.
decisions() { # FST
    fst2vcd -f "$1" -o "$work/vcd" 2>/dev/null
    awk -v begin="$2" '
        $1 == "$var" && ($5 ~ /_q$/ || $5 ~ /^(tx|m|s)_[a-z_]*(valid|ready|addr)$/) &&
            $5 != "m_aw_addr" && # the exchange has one with nothing in it
            ($5 !~ /^[a-z_]+[1-6]_q$/ || $5 ~ /^valid[1-6]/) && # what a stage had that has nothing
            $5 !~ /(row|data|header|in_next|type|link|copy|zero|side|mark|now|release|context|offset|result|queue_index|queue_reduce|queue_peer|send_reduce)/ &&
            $5 !~ /(kind|dim|addr|rows|burst|base|end|id|at|rest|numerator|quotient|shard|bit|step|limit|tag|last|left|bytes|beat|mask|bank|total|half|own|sent|received|written|copied|valids|source|target|dest|bursts|rd|wr|peek|summed|cut|fly|granted|need|sum|crc|ahead|up|over|hold|keep|free|level|open|budget|number|code|unfit|groups)_q$/ { want[$4] = 1 }
        /^#/ { time = substr($1, 2) + 0; next }
        time <= begin { next }
        $1 ~ /^b/ { if ($2 in want) print time, $0; next }
        { if (substr($1, 2) in want) print time, $1 }' "$work/vcd" | sort
}

all=(collective all-reduce --topology 4x2x1 --size 2MiB --format json)
"$acesim" "${all[@]}" >"$work/plain" 2>"$work/err"
"$acesim" "${all[@]}" --record "$work/cycle" --timeline "$work/trace" >"$work/out" 2>"$work/err"
grep -q '"fast_forward":.*none: what goes on is recorded' "$work/out"
verdict $? "a recorded run is fast-forwarded: $(grep fast_forward "$work/out")"
cmp <(grep -v fast_forward "$work/plain") <(grep -v fast_forward "$work/out")
verdict $? "a recorded run has another result"
"$acesim" "${all[@]}" --rung rtl --record "$work/rtl" \
    --wave "$work/whole.fst" --wave-from 5000 --wave-to 6000 >/dev/null 2>"$work/err"
verdict $? "rtl: $(tail -n 1 "$work/err")"
same_pins "$work/cycle" "$work/rtl" 'an all-reduce'

for window in '0 200' '777 1100' '5000 6000' '16390 16700' ${LONG:+'1 400' '9000 16000'}; do
    replayed "$work/cycle" --from "${window% *}" --to "${window#* }"
done
replayed "$work/rtl" --node 0 --from 12345 --to 13000
replayed "$work/cycle" --slice 0
replayed "$work/cycle" --slice all-reduce --chunk 2
replayed "$work/cycle" --chunk 7
told=$(grep -o 'acesim wave [^"]*' "$work/trace" | head -n 1)
replayed ${told#acesim wave }
# beside a chunk's stay in a phase: the FSM and context that hold it
told=$(grep -o 'acesim wave [^"]* --context [0-9]*' "$work/trace" | tail -n 1)
replayed ${told#acesim wave }
if command -v fst2vcd >/dev/null; then
    fst2vcd -f "$work/window.fst" -o "$work/vcd" 2>/dev/null
    python3 "$here/wave_facts.py" held "$work/vcd" "$work/window.gtkw" >"$work/out"
    verdict $? "$told: $(cat "$work/out")"
fi

if command -v fst2vcd >/dev/null; then
    replayed "$work/cycle" --from 5000 --to 6000
    decisions "$work/whole.fst" 4020080 >"$work/one" # of cycle 5005, in picoseconds
    decisions "$work/window.fst" 4020080 >"$work/other"
    [ "$(wc -l <"$work/one")" -gt 1000 ] && cmp "$work/one" "$work/other"
    verdict $? "the waveform of a window and of the whole run"
fi

# Every waveform has the same axis, real time, and shows payload where there is some.
facts() { # WHAT FST arguments: see wave_facts.py
    fst2vcd -f "$2" -o "$work/vcd" 2>/dev/null
    python3 "$here/wave_facts.py" "$1" "$work/vcd" "${@:3}" >"$work/out"
    verdict $? "$*: $(head -n 3 "$work/out" | tr '\n' ';')"
}
if command -v fst2vcd >/dev/null; then
    facts axis "$work/whole.fst" 1245
    facts idle "$work/whole.fst"
    replayed "$work/cycle" --chunk 6
    facts axis "$work/window.fst" 1245
    facts idle "$work/window.fst"
    facts chunk "$work/window.fst" "$work/window.gtkw" 6 4
    read -r _ from to < <(sed -n 's/.*window \([0-9]*\) to \([0-9]*\):.*/- \1 \2/p' <("$acesim" \
        wave "$work/cycle" --chunk 6 --output "$work/window.fst" 2>/dev/null))
    grep -q "^\*[-0-9.]* $((from * 1000000 / 1245)) $((from * 1000000 / 1245)) $((to * 1000000 / 1245)) -1" \
        "$work/window.gtkw"
    verdict $? "the markers of cycles $from to $to: $(grep '^\*' "$work/window.gtkw")"
    grep -q '^-Chunk 6: FSM 2 and context 1 ' "$work/window.gtkw"
    verdict $? "the view of chunk 6: $(grep '^-Chunk' "$work/window.gtkw")"
    # another clock, and a node that rests between two collectives' rows
    "$acesim" collective all-reduce --topology 2x1x1 --size 512 --link-latency 3000 --clock 1GHz \
        --link-rows 128 --router-rows 128 --rung rtl --fold off --wave "$work/slow.fst" >/dev/null 2>"$work/err"
    facts axis "$work/slow.fst" 1000
    grep -q '^bz* ' "$work/vcd"
    verdict $? "a node that waits 3000 cycles for a row never rests in its waveform"
    # four dimensions have a fifth phase
    "$acesim" collective all-reduce --topology 2x2x2x2 --size 64KiB --chunk 8KiB --record "$work/four" \
        >/dev/null 2>"$work/err"
    replayed "$work/four" --chunk 3
    facts chunk "$work/window.fst" "$work/window.gtkw" 3 4
    [ "$(grep -c 'u_context.valid_q' "$work/window.gtkw")" -eq 5 ]
    verdict $? "four dimensions: $(grep 'u_context.valid_q' "$work/window.gtkw")"
    # the registers' waveform of an engine's node
    "$acesim" collective all-reduce --topology 2x1x1 --size 64KiB --rung rtl --control registers \
        --wave "$work/engine.fst" --wave-to 400 >/dev/null 2>"$work/err"
    facts axis "$work/engine.fst" 1245
fi

# All-to-alls, with bits and without.
exchange=(collective all-to-all --topology 4x2x2 --size 256KiB --format json)
"$acesim" "${exchange[@]}" --record "$work/exchange" >/dev/null 2>"$work/err" &&
    "$acesim" "${exchange[@]}" --rung rtl --record "$work/exchange_rtl" >/dev/null 2>"$work/err"
verdict $? "all-to-all of twin and RTL: $(tail -n 1 "$work/err")"
same_pins "$work/exchange" "$work/exchange_rtl" 'an all-to-all'
for window in '0 100' '1500 2500' ${LONG:+'70 90' '400 900'}; do
    replayed "$work/exchange" --from "${window% *}" --to "${window#* }"
done
replayed "$work/exchange" --slice all-to-all
"$acesim" "${exchange[@]}" --payload random --check --record "$work/exchange_bits" \
    >/dev/null 2>"$work/err"
verdict $? "all-to-all with payload: $(tail -n 1 "$work/err")"
replayed "$work/exchange_bits" --from 1000 --to 1200

# Bits: the Verilated node begins where it held none.
"$acesim" collective all-gather --topology 2x2x2 --size 128KiB --type bf16 --payload random --check \
    --record "$work/bits" --record-node 5 --format json >/dev/null 2>"$work/err"
verdict $? "payload: $(tail -n 1 "$work/err")"
replayed "$work/bits" --node 5 --from 1000 --to 1200

# Training, folded; a run that is resumed.
train=(run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1 --format json)
"$acesim" "${train[@]}" --record "$work/train" --checkpoint "$work/state" \
    --checkpoint-every 30000000 >"$work/one" 2>"$work/err"
verdict $? "run: $(tail -n 1 "$work/err")"
longest=$(awk '{ print $3 - $2, $1 }' "$work/train/slices" | sort -rn | sed -n '1s/.* //p')
replayed "$work/train" --slice "$longest" --chunk 10
"$acesim" "${train[@]}" --record "$work/train" --resume "$work/state" >"$work/other" 2>"$work/err" &&
    cmp "$work/one" "$work/other"
verdict $? "resumed: $(tail -n 1 "$work/err")"
replayed "$work/train" --slice "$(tail -n 1 "$work/train/slices" | cut -d ' ' -f 1)"
"$acesim" "${all[@]}" --rung rtl --checkpoint "$work/state" --checkpoint-every 9000 >"$work/one" 2>/dev/null
"$acesim" "${all[@]}" --rung rtl --resume "$work/state" --record "$work/x" >"$work/other" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'configuration' "$work/err"
verdict $? "RTL resumed with --record from a run without: $(tail -n 1 "$work/err")"

refused 'found no window' "$work/cycle"
refused 'expected one below 16' "$work/cycle" --slice 0 --context 16
refused 'cut into no chunks' "$work/exchange" --slice 0 --chunk 0
refused 'found no window' "$work/cycle" --from 10 --to 10
refused 'expected 0, which was recorded' "$work/cycle" --node 3 --slice 0
refused 'expected one below 32' "$work/cycle" --chunk 32
refused "found 'barrier'" "$work/cycle" --slice barrier
refused 'the node rests' "$work/cycle" --from 90000000 --to 90000100
refused 'expected a folder of --record' "$work/none" --slice 0
cp -r "$work/cycle" "$work/damaged"
printf 'x' | dd of="$work/damaged/pins" bs=1 seek=4000 conv=notrunc 2>/dev/null
refused 'damaged' "$work/damaged" --from 100 --to 200
# any byte of the header, of a segment's head and of what is in it; the first 16 are the magic
for at in $(seq 16 89 4000); do
    cp "$work/cycle/pins" "$work/damaged/pins"
    byte=$(od -An -tu1 -j "$at" -N1 "$work/damaged/pins")
    printf "\\$(printf %o $((byte ^ 0x55)))" | dd of="$work/damaged/pins" bs=1 seek="$at" conv=notrunc 2>/dev/null
    refused 'found a recording that is damaged' "$work/damaged" --from 100 --to 200
done
head -c 300 "$work/cycle/pins" >"$work/damaged/pins"
refused 'damaged' "$work/damaged" --from 100 --to 200
"$acesim" "${all[@]}" --record /dev/null/run >/dev/null 2>"$work/err"
[ $? -eq 2 ]
verdict $? "--record where no folder can be: $(tail -n 1 "$work/err")"
"$acesim" "${all[@]}" --record "$work/x" --record-node 8 >/dev/null 2>"$work/err"
[ $? -eq 2 ]
verdict $? "--record-node 8 of 8: $(tail -n 1 "$work/err")"
"$acesim" "${all[@]}" --record "$work/x" --endpoint comp-opt >/dev/null 2>"$work/err"
[ $? -eq 2 ] && grep -q 'endpoint ace' "$work/err"
verdict $? "--record of an endpoint in software: $(tail -n 1 "$work/err")"
"$acesim" "${all[@]}" --record "$work/x" --endpoint ideal >/dev/null 2>"$work/err"
[ $? -eq 2 ] && grep -q 'endpoint ace' "$work/err"
verdict $? "--record of the ideal endpoint: $(tail -n 1 "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

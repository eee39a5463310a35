#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run that is killed at random checkpoints and resumed must end with the bytes of an undisturbed one. A checkpoint of
# another run, or an incomplete one, must be refused, and no file may change.
#
#   ACE_SEED=7 tests/program/engine/checkpoint.sh     other moments
#   LONG=1 tests/program/engine/checkpoint.sh         twice as many runs; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"
kill=$(dirname "$acesim")/tests/libkill_at_checkpoint.so
RANDOM=${ACE_SEED:-1}

# First the undisturbed run. Then the run is killed KILLS times, each time some checkpoints after it began and right
# before or after the file exists, and resumed. Then it runs to its end.
survives() { # EVERY KILLS arguments
    local every=$1 kills=$2 killed=0 go=() at before=()
    shift 2
    local one=("$acesim" "$@" --format json)
    rm -f "$work/state" "$work/state.part"
    "${one[@]}" --timeline "$work/alone.trace" >"$work/alone" 2>"$work/err" ||
        { verdict 1 "$*: $(tail -n 1 "$work/err")"; return; }
    while [ $killed -lt "$kills" ]; do
        at=$((killed ? RANDOM % 3 + 1 : 1))     # the first kill leaves a checkpoint
        before=()
        [ $killed -gt 0 ] && [ $((RANDOM % 2)) -eq 0 ] && before=(KILL_BEFORE=1)
        env LD_PRELOAD="$kill" KILL_FILE="$work/state" KILL_AT=$at "${before[@]}" \
            "${one[@]}" "${go[@]}" --checkpoint "$work/state" --checkpoint-every "$every" \
            --timeline "$work/trace" >"$work/out" 2>"$work/err"
        case $? in
        0) break ;;                             # it ended before
        137) ;;
        *) verdict 1 "$*, resumed: $(tail -n 1 "$work/err")"; break ;;
        esac
        [ ! -s "$work/out" ] && [ ! -e "$work/trace" ]
        verdict $? "$*: killed, and has a result"
        killed=$((killed + 1))
        go=(--resume "$work/state")
    done
    [ $killed -gt 0 ] && [ -s "$work/state" ]
    verdict $? "$*: never killed"
    "${one[@]}" --resume "$work/state" --timeline "$work/trace" >"$work/out" 2>"$work/err"
    verdict $? "$*, resumed: $(tail -n 1 "$work/err")"
    cmp "$work/alone" "$work/out" && cmp "$work/alone.trace" "$work/trace"
    verdict $? "$*: not the same after $killed kills"
    rm -f "$work/trace"
}

{
    printf 'DATA\n8\n'
    for i in 1 2 3 4 5 6 7 8; do
        printf 'l%u -1 20 NONE 0 400 NONE 0 300 ALLREDUCE %u 100\n' $i $((i * 150000))
    done
} >"$work/layers.txt"
training=(run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --iterations 2)

survives 7000 4 collective all-reduce --topology 4x2x2 --size 8MiB --fold off
survives 4000 2 collective all-to-all --topology 'Links(8)' --links fabrics/dgx-1.yaml --size 512KiB --payload random --check
when_long survives 7000 2 collective all-gather --topology 4x4x2 --size 6MiB --fold off --threads 2
survives 5000 3 collective all-reduce --topology 2x2x1 --size 2MiB --payload random --check
when_long survives 8000 3 collective all-reduce --topology 2x1x2 --size 1MiB --type bf16 \
    --rung 'rtl:1;cycle:rest' --payload random --check
when_long survives 30000 2 collective all-reduce --topology 4x4x4 --size 12MiB --rung rtl
survives 7000 2 collective all-to-all --topology 4x2x2 --size 6MiB --fold off
survives 3000 3 collective all-to-all --topology 2x1x2 --size 256KiB \
    --rung 'rtl:1;cycle:rest' --payload random --check
when_long survives 3000 3 collective all-reduce --topology 'Ring(2)_Switch(4)' --size 4MiB --fold off
survives 2000 2 collective all-reduce --topology 'FullyConnected(3)_Switch(2)' --size 512KiB \
    --algorithm direct,ring --rung 'rtl:1;cycle:rest' --payload random --check
survives 3000 3 "${training[@]}" --speed 0.5:13    # LIFO, the default otherwise, would wait for ever
when_long survives 3000 2 "${training[@]}" --speed 0.5:13 --order agreed
survives 3000 2 "${training[@]}"
when_long survives 3000 2 "${training[@]}" --endpoint comp-opt
survives 3000 2 collective all-to-all --topology 4x2x2 --size 8MiB --endpoint comm-opt --fold off
when_long survives 9000 2 collective all-reduce --topology 4x2x2 --size 8MiB --endpoint comm-opt --fold off --threads 2

# The ideal endpoint is done before anything could kill it.
"$acesim" "${training[@]}" --endpoint ideal --format json --timeline "$work/alone.trace" \
    >"$work/alone" 2>"$work/err"
for every in 1 1000 77777; do
    rm -f "$work/state"
    "$acesim" "${training[@]}" --endpoint ideal --checkpoint "$work/state" \
        --checkpoint-every $every --timeline "$work/trace" >/dev/null 2>"$work/err" &&
        "$acesim" "${training[@]}" --endpoint ideal --resume "$work/state" --format json \
            --timeline "$work/trace" >"$work/out" 2>"$work/err" &&
        cmp "$work/alone" "$work/out" && cmp "$work/alone.trace" "$work/trace"
    verdict $? "ideal, every $every cycles: $(tail -n 1 "$work/err")"
done

# Threads are no part of the run; the waveform begins where the state does, or later.
run=(collective all-reduce --topology 2x2x1 --size 64KiB --algorithm ring --fold off --rung 'rtl:0;cycle:rest')
late=(--wave-from 4800 --wave-to 5000)
"$acesim" "${run[@]}" --format json "${late[@]}" --wave "$work/alone.fst" >"$work/alone" \
    2>"$work/err"
"$acesim" "${run[@]}" --checkpoint "$work/state" --checkpoint-every 1500 >/dev/null 2>"$work/err"
"$acesim" "${run[@]}" --resume "$work/state" --threads 3 --format json "${late[@]}" \
    --wave "$work/late.fst" >"$work/out" 2>"$work/err" && cmp "$work/alone" "$work/out"
verdict $? "other threads, a waveform: $(tail -n 1 "$work/err")"
for file in alone late; do # its moments: pins keep no value that means nothing
    fst2vcd "$work/$file.fst" | grep '^#' >"$work/$file.times"
done
[ "$(wc -l <"$work/late.times")" -ge 400 ] && cmp "$work/alone.times" "$work/late.times"
verdict $? 'the waveform is another'

# ---- what is refused -------------------------------------------------------------------

refused() { # TEXT arguments
    local text=$1 status
    shift
    "$acesim" "$@" --output "$work/earlier" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -- "$text" "$work/err"
    verdict $? "$*: status $status, expected 2 and '$text': $(head -n 3 "$work/err")"
}
"$acesim" "${run[@]}" --output "$work/earlier" >/dev/null 2>&1
cp -r "$work/earlier" "$work/before"
cp "$work/state" "$work/good"
size=$(stat -c %s "$work/good")
spoil() { # OFFSET: another byte there
    cp "$work/good" "$work/bad"
    local byte=$((16#$(od -An -tx1 -j "$1" -N 1 "$work/good" | tr -d ' ') ^ 1))
    printf "\\x$(printf %02x $byte)" | dd of="$work/bad" bs=1 seek="$1" conv=notrunc status=none
}
refused 'No such file' "${run[@]}" --resume "$work/none"
refused 'found no checkpoint' "${run[@]}" --resume "$work/layers.txt"
: >"$work/empty"
refused 'found no checkpoint' "${run[@]}" --resume "$work/empty"
for keep in 1 60 64 65 $((size / 2)) $((size - 1)); do
    head -c "$keep" "$work/good" >"$work/bad"
    refused 'expected a' "${run[@]}" --resume "$work/bad"
done
for at in 26 50 60 70 $((RANDOM * 32768 % (size - 200) + 100)) $((size - 1)); do
    spoil "$at"
    refused 'cut short or damaged' "${run[@]}" --resume "$work/bad"
done
refused 'of configuration' "${run[@]}" --resume "$work/good" --size 128KiB
refused 'of configuration' "${run[@]}" --resume "$work/good" --fold auto
refused 'of configuration' "${run[@]}" --resume "$work/good" --rung cycle
refused 'of configuration' "${training[@]}" --resume "$work/good"
refused '--wave-from: found 0' "${run[@]}" --resume "$work/good" --wave "$work/w.fst"
refused '--checkpoint-every: found no file' "${run[@]}" --checkpoint-every 5
refused '--checkpoint-every: found' "${run[@]}" --checkpoint "$work/state" --checkpoint-every 0
refused 'expected a file that can be written' "${run[@]}" --checkpoint "$work/no/where"
cp "$acesim" "$work/other" && printf x >>"$work/other"
"$work/other" "${run[@]}" --resume "$work/good" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'of build' "$work/err"
verdict $? "another build: $(head -n 1 "$work/err")"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
    mpirun -q -n 2 "$acesim-mpi" "${run[@]}" --checkpoint "$work/state" \
    >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 2 ] && [ "$(grep -c 'over 2 ranks' "$work/err")" -eq 1 ]
verdict $? "ranks: $(head -n 3 "$work/err")"
diff -r "$work/before" "$work/earlier" && cmp "$work/good" "$work/state"
verdict $? 'an earlier result was touched'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

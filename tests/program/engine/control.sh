#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim collective --control registers and trigger: they must give the same values as commands by pins, and the same
# cycles at each rung, folded or not. The access to the registers must cost the same for each collective.
. "$(dirname "$0")/../begin.sh"
check() { # WHAT COMMAND...
    local what=$1
    shift
    "$@" && return
    echo "FAIL $what"
    failed=$((failed + 1))
}
value() { sed -nE "s/^\t?\"$1\": ?\t?\"?([^\",]*)\"?,?$/\1/p" "$work/$2"; }
statistics() { sed -n '/"statistics"/,/}/p' "$work/$1" | grep -E '\.(busy|starved|blocked)"' ; }
cycles_of() { # FILE: cycles of all classes of a unit, summed over the nodes
    sed -nE 's/^\t\t"reduce\.(busy|starved|blocked|idle)":\t([0-9]+),?$/\2/p' "$work/$1" | paste -sd+ | bc
}
run() { # FILE ARGUMENTS...
    local file=$1
    shift
    "$acesim" collective "$@" --format json >"$work/$file" 2>"$work/err" ||
        { echo "FAIL $*"; tail -3 "$work/err"; failed=$((failed + 1)); }
}

cost=
for collective in 'all-reduce --topology 4x2x2 --size 96KiB' 'all-to-all --topology 3x2x2 --size 100001' \
                  'all-gather --topology 2x2x1 --size 1MiB' 'reduce-scatter --topology 4x4x4 --size 4KiB'; do
    read -ra words <<<"$collective"
    run pins "${words[@]}"
    run registers "${words[@]}" --control registers
    run unfolded "${words[@]}" --control registers --fold off --threads 2
    check "$collective: by pins $(value cycles_by_pins registers)" \
        [ "$(value cycles_by_pins registers)" = "$(value cycles pins)" ]
    check "$collective: unfolded" [ "$(value cycles unfolded)" = "$(value cycles registers)" ]
    check "$collective: sent" [ "$(value bytes_sent_per_npu pins)" = "$(value bytes_sent_per_npu registers)" ]
    check "$collective: cost $(value register_path_cycles registers), of the first $cost" \
        [ "$(value register_path_cycles registers)" = "${cost:=$(value register_path_cycles registers)}" ]
done
# The run by pins beside it has the counts of an all-to-all-v, too: it once ended by signal 11.
for words in '2 --size 280026 --type bf16 --op prod --skew 1.00 --link-bandwidth 200GB/s,200GB/s,1GB/s
              --link-efficiency 0.999 --memory-latency 3 --chunk 1024' \
             '2x4x1x2 --dims z,x,w,y --size 3 --skew 0.01'; do
    read -rd '' -a words <<<"$words"
    run pins all-to-all-v --topology "${words[@]}"
    run registers all-to-all-v --topology "${words[@]}" --control registers
    check "all-to-all-v ${words[*]}: by pins $(value cycles_by_pins registers)" \
        [ "$(value cycles_by_pins registers)" = "$(value cycles pins)" ]
done
# STATUS is read in 2 cycles, ten words are written in 3 each; then the engine has the command.
# The interrupt comes. It is read in 2 cycles and cleared in 3, and COMPLETION is read in 2. One more cycle each passes
# before the doorbell's write, the command, the completion and the interrupt are noticed.
check "cost $cost" [ "$cost" -ge $((2 + 10 * 3 + 2 + 3 + 2)) ]
check "cost $cost" [ "$cost" -le $((2 + 10 * 3 + 2 + 3 + 2 + 4)) ]

# A store is taken in its cycle and counted in the next; in the one after that the slot is ready, and its command is on
# the pins in the third. The node's end becomes a flag in two cycles. The flag's write and the load take the memory's
# latency each, and the write ends a cycle after the data was taken.
for latency in 100 1000; do
    for collective in 'all-reduce --topology 4x2x2 --size 96KiB' 'all-to-all --topology 3x2x2 --size 100001' \
                      'gather --topology 2x2x1 --size 1MiB' 'barrier --topology 4x4x4' 'send-receive --topology 4x1x1 --size 4' \
                      'all-to-all-v --topology 3x2x1 --size 5000' 'all-reduce --topology Switch(8) --size 1KiB' \
                      'all-reduce --topology Switch(4) --size 4KiB --algorithm in-network' 'all-reduce --topology 1 --size 4KiB'; do
        read -ra words <<<"$collective --memory-latency $latency"
        run pins "${words[@]}"
        run trigger "${words[@]}" --control trigger
        run unfolded "${words[@]}" --control trigger --fold off --threads 2
        check "trigger, ${words[*]}: by pins $(value cycles_by_pins trigger)" \
            [ "$(value cycles_by_pins trigger)" = "$(value cycles pins)" ]
        check "trigger, ${words[*]}: $(value cycles trigger) cycles, $(value cycles pins) by pins" \
            [ "$(value cycles trigger)" = $(($(value cycles pins) + 3 + 2 * latency + 2)) ]
        check "trigger, ${words[*]}: unfolded" [ "$(value cycles unfolded)" = "$(value cycles trigger)" ]
        check "trigger, ${words[*]}: store to load" [ "$(value store_to_load_us trigger)" = "$(value time_us trigger)" ]
        check "trigger, ${words[*]}: sent" [ "$(value bytes_sent_per_npu pins)" = "$(value bytes_sent_per_npu trigger)" ]
        # The cycles before the store are in no count.
        check "trigger, ${words[*]}: work" [ "$(statistics trigger)" = "$(statistics pins)" ]
        check "trigger, ${words[*]}: $(cycles_of trigger) cycles counted" \
            [ "$(cycles_of trigger)" = $(($(value nodes trigger) * $(value cycles trigger))) ]
    done
done

for control in registers trigger; do
    words=(all-reduce --topology 2x2x1 --size 40000 --payload random --check --control "$control")
    run cycle "${words[@]}"
    run rtl "${words[@]}" --rung rtl
    run mixed "${words[@]}" --rung 'rtl:0;cycle:rest'
    for rung in rtl mixed; do
        check "$control, rung $rung" [ "$(value cycles $rung)" = "$(value cycles cycle)" ]
        check "$control, rung $rung: values" [ "$(value payload $rung)" = "$(value payload cycle)" ]
    done
done
[ $failed -eq 0 ] && echo "control: passed"
exit $failed

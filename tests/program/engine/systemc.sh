#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The SystemC platform must take the cycles of acesim collective, for several tori and collectives. It runs at each
# rung, with RTL and twin in lockstep on signals, by b_transport with any quantum and by nb_transport. The platform
# compares payloads with the reference itself.
. "$(dirname "$0")/../begin.sh"
systemc=$(dirname "$acesim")/acesim-systemc
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

number() { sed -n "s/.*\"$1\":[^0-9]*\([0-9]*\).*/\1/p" | head -1; }

# is WHAT GOT WANTED
is() {
    if [ -n "$2" ] && [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        echo "FAIL $1: got '$2', expected '$3'"
        failed=$((failed + 1))
    fi
}

platform() { # ARGUMENTS..., the JSON on stdout
    "$systemc" "$@" 2>"$work/err" || tail -3 "$work/err" >&2
}

compare() { # the collective's arguments
    local want one json how
    want=$("$acesim" collective "$@" --format json 2>/dev/null | number cycles)
    for how in '--rung cycle' '--rung cycle --quantum 0' '--rung cycle --quantum 37' \
        '--rung cycle --transport non-blocking' '--rung rtl' '--rung pins:0;rtl:1;cycle:rest' \
        '--rung lockstep' '--rung lockstep:1;cycle:rest --transport non-blocking'; do
        # shellcheck disable=SC2086
        is "$* $how" "$(platform "$@" $how | number cycles)" "$want"
    done
    # a collective that begins in the cycle after another ends takes as long as the first
    for how in '--quantum 90' '--quantum 1' '--transport non-blocking'; do
        # shellcheck disable=SC2086
        is "$* thrice $how" "$(platform "$@" --times 3 $how | sed -n 's/.*"ends": //p')" \
            "[$want, $((2 * want)), $((3 * want))],"
    done
    # an NPU that reacts while its node is busy with another collective
    one=$(platform "$@" --times 5 --outstanding 2 --quantum 0 | grep '"ends"')
    for how in '--quantum 90' '--quantum 53 --rung rtl:0;cycle:rest' '--transport non-blocking'; do
        # shellcheck disable=SC2086
        is "$* two at once $how" "$(platform "$@" --times 5 --outstanding 2 $how | grep '"ends"')" "$one"
    done
    json=$(platform "$@" --rung 'lockstep:1;cycle:rest')
    one=$(number cycles_compared <<<"$json")
    is "$* cycles compared" "$((one >= want - 1))" 1
}

compare all-reduce --topology 2x1x1 --size 64KiB
compare all-reduce --topology 2x2x1 --size 100000 --type bf16
compare all-reduce --topology 4x1x1 --size 96KiB --type fp16
compare reduce-scatter --topology 3x1x2 --size 40000 --dims z,x
compare all-gather --topology 2x2x2 --size 30000 --memory-latency 77
compare all-to-all --topology 3x2x1 --size 50000
compare all-to-all --topology 4x1x2 --size 64KiB --dims x --type bf16

# Signals: m_done_valid rises at the edge that begins the last cycle, of 803 ps each.
cycles=$(platform all-reduce --topology 2x1x1 --size 4KiB --rung 'pins:1;cycle:rest' \
    --trace "$work/pins" | number cycles)
code=$(sed -n 's/^\$var wire  *1  *\([^ ]*\)  *m_done_valid .*/\1/p' "$work/pins.vcd")
rises=$(awk -v code="1$code" '/^#/ { now = substr($0, 2) } $0 == code { print now; exit }' "$work/pins.vcd")
is 'time of m_done_valid in the trace' "$rises" $(((cycles - 1) * 803))

# refused TEXT ARGUMENTS...
refused() {
    local text=$1 status
    shift
    "$systemc" "$@" >"$work/out" 2>"$work/err"
    status=$?
    is "$* is refused" "$status $(grep -cF -- "$text" "$work/err") $(wc -c <"$work/out")" '2 1 0'
}
refused "--quantum: found '91', expected 0 to 90" all-reduce --topology 2x1x1 --quantum 91
refused "--transport: found 'pigeon'" all-reduce --transport pigeon
refused "--times: found '0'" all-reduce --times 0
refused "--outstanding: found 'all'" all-reduce --outstanding all
refused "--times: found nothing" all-reduce --times
refused "found rung 'magic'" all-reduce --rung magic
refused "found other hardware parameters" all-reduce --rung pins --fsms 8
refused "expected a node on pins" all-reduce --rung rtl --trace "$work/none"
refused "found --threads" all-reduce --threads 2
refused "found --samples" all-reduce --samples 16
refused "found --record" all-reduce --record x
refused "found --fast-forward" all-reduce --fast-forward off
refused "found --format csv" all-reduce --format csv
refused "found --endpoint" all-reduce --endpoint ideal
refused "--size: found" all-reduce --size 2GiB
refused "expected one KIND" all-to-none

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

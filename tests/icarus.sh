#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The same vectors through Verilator and Icarus: the lockstep tests of the units leave the pins
# of their first cycles, and each unit's RTL gives the same outputs to the same inputs in
# Icarus, every pin, every cycle.  Every third test of a unit serves.  A bug planted in
# Icarus' copy must be seen.
#
#   tests/icarus.sh [UNIT ...]          ACESIM names the program beside which the tests lie
set -euo pipefail
cd "$(dirname "$0")/.."
tests=$(dirname "${ACESIM:-build/release/acesim}")/tests
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
units=${*:-row_fifo link_port memory_arbiter memory_interface tx_dma rx_dma router switch
           scratchpad dispatcher scheduler fsm exchange cycle_classes}
passed=0 failed=0

# parameters CLASS: those that CMakeLists.txt gives it, as Verilog has them
parameters() {
    tr '\n' ' ' <CMakeLists.txt | grep -oE "PREFIX V$1 +PARAMETERS [A-Z0-9_= ]+" |
        grep -oE '[A-Z_]+=[0-9]+' | sed -E 's/(.*)=(.*)/.\1(\2)/' | paste -sd, || true
}

# replay CLASS VCD RTL: the last lines that Icarus says
replay() {
    local class=$1 vcd=$2 rtl=$3 module=$1
    [[ -f rtl/$module.v ]] || module=${class%_*}
    awk -v module="$module" -v parameters="$(parameters "$class")" -v bench="$work/bench.v" \
        -v vectors="$work/vectors" -f tests/icarus/bench.awk "rtl/$module.v" "$vcd"
    iverilog -g2005 -o "$work/bench.vvp" -y "$rtl" -s bench "$work/bench.v"
    vvp -n "$work/bench.vvp" | tail -2
}

same() { # WHAT SAID
    if [[ $2 == *' 0 differ' && $2 != *' 0 pins compared'* ]]; then passed=$((passed + 1)); echo "pass $1: ${2##*$'\n'}"
    else failed=$((failed + 1)); echo "FAIL $1: $2"; fi
}

for unit in $units; do
    rm -rf "$work/waves"; mkdir "$work/waves"
    GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=0 ACE_UNIT_WAVES=$work/waves "$tests/lockstep_${unit}_test" >"$work/said" || { cat "$work/said"; exit 1; }
    for fst in "$work"/waves/*.fst; do
        class=$(basename "$fst" .fst); class=${class%-*}; class=${class#V}
        fst2vcd -f "$fst" -o "$work/pins.vcd"
        same "$class ${fst##*-}" "$(replay "$class" "$work/pins.vcd" rtl)"
        if [[ $class == ace_row_fifo_small && ! -d $work/bug ]]; then
            cp -r rtl "$work/bug"
            sed -i 's/m_valid = count_q != /m_valid = count_q > /; s/> 5.d0/> 5'"'"'d1/' "$work/bug/ace_row_fifo.v"
            cmp -s rtl/ace_row_fifo.v "$work/bug/ace_row_fifo.v" && { echo "no bug was planted" >&2; exit 2; }
            said=$(replay "$class" "$work/pins.vcd" "$work/bug")
            if [[ $said == *', 0 differ' ]]; then failed=$((failed + 1)); echo "FAIL the planted bug was not seen"
            else passed=$((passed + 1)); echo "pass the planted bug: ${said%%$'\n'*}"; fi
        fi
    done
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

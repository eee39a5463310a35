#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The same vectors through Verilator and Icarus: the lockstep tests of the units leave the pins
# of their first cycles, and each unit's RTL gives the same outputs to the same inputs in
# Icarus, every pin, every cycle.  Every third test of a unit serves; ALU and node are slower
# and have one (LONG=1: some minutes of them).  A bug planted in Icarus' copy must be seen.
#
#   tests/icarus/icarus.sh [UNIT ...]          ACESIM names the program beside which the tests lie
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=$(dirname "${ACESIM:-build/release/acesim}")/tests
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
. tests/icarus/replay.sh
passed=0 failed=0

# replay FST RTL: the last lines that Icarus says
replay() {
    bench "$1"
    rm -f "$work/bench.vvp"
    iverilog -g2005 -o "$work/bench.vvp" -y "$2" -I "$2" -s bench "$work/bench.v"
    vvp -n "$work/bench.vvp" | tail -2
}

same() { # WHAT SAID
    if [[ $2 == *' 0 differ' && $2 != *' 0 pins compared'* ]]; then passed=$((passed + 1)); echo "pass $1: ${2##*$'\n'}"
    else failed=$((failed + 1)); echo "FAIL $1: $2"; fi
}

for unit in ${*:-$units_all}; do
    record "$unit"
    for fst in "$work"/waves/*.fst; do
        class=$(class_of "$fst")
        same "$class ${fst##*-}" "$(replay "$fst" rtl)"
        if [[ $class == ace_row_fifo_small && ! -d $work/bug ]]; then
            cp -r rtl "$work/bug"
            sed -i 's/m_valid = count_q != /m_valid = count_q > /; s/> 5.d0/> 5'"'"'d1/' "$work/bug/ace_row_fifo.v"
            cmp -s rtl/ace_row_fifo.v "$work/bug/ace_row_fifo.v" && { echo "no bug was planted" >&2; exit 2; }
            said=$(replay "$fst" "$work/bug")
            if [[ $said == *', 0 differ' ]]; then failed=$((failed + 1)); echo "FAIL the planted bug was not seen"
            else passed=$((passed + 1)); echo "pass the planted bug: ${said%%$'\n'*}"; fi
        fi
    done
done
# ALUs of some types and operations: FP32 and FP16 sums as in the paper, INT32 without products, a mixture.
for built in '3 1' '64 15' '35 7'; do
    iverilog -g2005 -P alu_built.TYPES="${built% *}" -P alu_built.OPS="${built#* }" -y rtl -I rtl -s alu_built \
        -o "$work/built.vvp" tests/icarus/alu_built.v
    said=$(vvp -n "$work/built.vvp" | tail -1)
    if [[ $said =~ ^[1-9][0-9]*\ passed,\ 0\ failed$ ]]; then passed=$((passed + 1)); echo "pass ALU of ${built/ /, }: $said"
    else failed=$((failed + 1)); echo "FAIL ALU of ${built/ /, }: $said"; fi
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares Icarus with Verilator.  The lockstep tests of the units record the pins of their first
# cycles.  Each unit's RTL must give the same outputs to the same inputs in Icarus, on every pin in
# every cycle.  Every sixth test of a unit is used.  The ALU and the node are slower and use one
# test each.  With LONG=1 it takes every third test, and minutes of the ALU and the node.  A bug
# planted in Icarus' copy must be found.
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
            sed -i 's/m_valid = count_q != /m_valid = count_q > /; s/> 6.d0/> 6'"'"'d1/' "$work/bug/ace_row_fifo.v"
            cmp -s rtl/ace_row_fifo.v "$work/bug/ace_row_fifo.v" && { echo "no bug was planted" >&2; exit 2; }
            said=$(replay "$fst" "$work/bug")
            if [[ $said == *', 0 differ' ]]; then failed=$((failed + 1)); echo "FAIL the planted bug was not seen"
            else passed=$((passed + 1)); echo "pass the planted bug: ${said%%$'\n'*}"; fi
        fi
    done
done
# ace_crc_sum has a form for simulators and one for Yosys: the sums of the tree, and the second with a bug.
forms() { # RTL WORDS STRIDE AFTER: what the bench says of the form that Yosys reads
    yosys -q -p "read_verilog $1/ace_crc_sum.v
                 hierarchy -top ace_crc_sum -chparam WORDS $2 -chparam STRIDE $3 -chparam AFTER $4
                 proc; opt -fast; rename -top crc_netlist; write_verilog -noattr $work/netlist.v"
    iverilog -g2005 -P crc_forms.WORDS="$2" -P crc_forms.STRIDE="$3" -P crc_forms.AFTER="$4" -y rtl -s crc_forms \
        -o "$work/forms.vvp" tests/icarus/crc_forms.v "$work/netlist.v"
    vvp -n "$work/forms.vvp"
}
for sum in '8 1 0' '8 8 6' '5 1 1'; do
    # shellcheck disable=SC2086
    same "forms of ace_crc_sum $sum" "$(forms rtl $sum)"
done
mkdir "$work/forms"
sed '/function \[1024/,/endfunction/s/00010089/00010081/' rtl/ace_crc_sum.v >"$work/forms/ace_crc_sum.v"
cmp -s rtl/ace_crc_sum.v "$work/forms/ace_crc_sum.v" && { echo "no bug was planted" >&2; exit 2; }
said=$(forms "$work/forms" 5 1 1)
if [[ $said == *', 0 differ' ]]; then failed=$((failed + 1)); echo "FAIL the bug planted in a form was not seen"
else passed=$((passed + 1)); echo "pass the bug planted in a form: $said"; fi

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

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What ace_hub_reducer keeps twice, the second time inverted, is there twice in gates.  A tool that derived one of the
# two from the other would leave a check that sees no upset.  The control of a small reducer is mapped with ABC's scorr,
# which merges registers whose values are equal or inverted in every cycle; rows, ALUs and memories are left out.  Each bit
# of each pair must be a flip-flop of its own.  Then the attributes are taken away, and the same flow must lose some:
# otherwise the count would show nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v yosys >/dev/null || { echo "kept_twice.sh: found no yosys, expected the package yosys" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# twice NAME [COMMAND]: bits of the pairs that are flip-flops in gates, after COMMAND of Yosys on the module
twice() {
    yosys -q -p "
        read_verilog -lib -I rtl rtl/ace_alu.v rtl/ace_ram_1r1w.v rtl/ace_row_check.v rtl/ace_row_code.v rtl/ace_cycle_classes.v
        read_verilog -I rtl rtl/ace_hub_reducer.v
        chparam -set PORTS 2 -set CONTEXTS 2 -set ROWS 2 ace_hub_reducer
        hierarchy -top ace_hub_reducer; proc; flatten; opt; memory_map; techmap; opt
        delete w:*in_row_q* %ci:+[Q] t:\$_* %i t:ace_row_check t:ace_ram_1r1w t:ace_alu t:ace_cycle_classes
        setundef -undriven -zero
        ${2:-}
        opt -full; dffunmap; simplemap; opt_clean
        abc -dff -script +strash;ifraig;scorr;dc2;strash;dch,-f;map
        opt_clean; select -set pairs$(printf ' w:*%s' $pairs)
        tee -o $work/$1 select -list @pairs %ci1:+[Q] t:\$_DFF_P_ %i" >"$work/out" 2>&1 ||
        { cat "$work/out" >&2; exit 1; }
    grep -c . "$work/$1" || true
}

# The pairs, and their bits with these parameters: two contexts, two ports, six stages.
seconds=$(grep -oE '[a-z_]+_not_q\b' rtl/ace_hub_reducer.v | sort -u | paste -sd' ')
[[ $seconds == 'fetched_not_q in_valid_not_q open_not_q opening_not_q picked_not_q reads_not_q under_way_not_q' ]] ||
    { echo "kept_twice.sh: found the pairs of $seconds, expected those whose bits are counted here" >&2; exit 1; }
pairs="$seconds ${seconds//_not_q/_q} leaves"     # the last is under_way_q's last bit, by another name
bits=$((2 * (1 + 2 + 2 + 1 + 1 + 1 + 6)))
kept=$(twice kept) merged=$(twice merged 'setattr -unset keep w:*')
echo "kept_twice.sh: $kept of $bits flip-flops of pairs, $merged without the attributes"
[[ $kept -eq $bits && $merged -lt $bits ]]

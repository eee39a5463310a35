#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ace_memory_interface between random DMAs and random memories, watched by ace_axi_checker, in
# Icarus Verilog: every order of addresses and data that AXI4 allows, and drains at any time.  Then
# faults are planted in a copy, and each has to be seen, with the kind of memory that shows it.
#
#   tests/axi/axi.sh             CYCLES (20000) and SEEDS ("1 2") say how much
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# bench RTL: $work/bench.vvp
bench() {
    iverilog -g2005 -Wall -Wno-timescale -y "$1" -I "$1" -s memory_interface -o "$work/bench.vvp" \
        tests/axi/memory_interface.v tests/axi/ace_axi_checker.v
}
run() { vvp -n "$work/bench.vvp" "+kind=$1" "+seed=$2" "+cycles=${CYCLES:-20000}"; }

bench rtl
for kind in 0 1 2 3; do
    for seed in ${SEEDS:-1 2}; do
        said=$(run "$kind" "$seed")
        echo "seed $seed $said"
        [[ $said == ok:* ]] || failed=1
    done
done

# planted: KIND EXPECTED FROM ==> TO, in ace_memory_interface.v
while read -r kind expected fault; do
    rm -rf "$work/rtl"; cp -r rtl "$work/rtl"
    from=${fault% ==> *} to=${fault#* ==> }
    FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$work/rtl/ace_memory_interface.v"
    if cmp -s rtl/ace_memory_interface.v "$work/rtl/ace_memory_interface.v"; then
        echo "FAIL no such line: $from"; failed=1; continue
    fi
    bench "$work/rtl"
    said=$(run "$kind" 1)
    if [[ $said == "bad: ${expected//_/ },"* ]]; then echo "seen: $fault (${said#bad: })"
    else echo "FAIL not seen as '${expected//_/ }': $fault: $said"; failed=1; fi
done <<'END'
1 nothing_is_written step(w_open_q, aw_new_q, m_w_end) ==> step(w_open_q, m_aw_beat, m_w_end)
0 a_row_of_another_read clear = rst || (drain && !busy) ==> clear = rst || drain
0 AXI_rule_1 m_ar_valid = ar_ripe_q != NONE ==> m_ar_valid = ar_ripe_q != NONE && now_q[1:0] != 2'd0
0 AXI_rule_2 m_aw_addr  = aw_addr_q[aw_rd_q] ==> m_aw_addr  = aw_addr_q[aw_rd_q] ^ {35'd0, now_q[0], 12'd0}
0 AXI_rule_3 (w_valid || fills) && w_open_q != NONE ==> (w_valid || fills) && w_open_q != NONE && !now_q[3]
0 AXI_rule_6 m_ar_burst = 2'b01 ==> m_ar_burst = 2'b10
0 a_read_of_another_length m_ar_len   = ar_len_q[ar_rd_q] ==> m_ar_len   = ar_len_q[ar_rd_q] + 8'd1
0 AXI_rule_7 m_aw_size  = 3'd7 ==> m_aw_size  = 3'd6
0 AXI_rule_8 fills ? w_beat_q == aw_len_q[b_wr_q] : w_last ==> fills || w_last
0 nothing_is_written drain_q && !w_valid ==> 1'b0
0 nothing_is_read m_r_valid && (m_r_ready || drain) ==> m_r_valid && m_r_ready && !drain
END
exit "$failed"

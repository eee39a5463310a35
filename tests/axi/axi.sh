#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests the checkers on pins that keep their rules and on pins that break one, in Icarus Verilog.
# ace_axi_checker then watches three modules.  ace_memory_interface runs between random DMAs and
# random memories.  ace_axi_split runs between a random engine and a random memory behind each
# channel, and ace_trigger between random software and a random memory of flags.  The traffic has every order of
# addresses and data that AXI4 allows, and drains at any time.
#
#   tests/axi/axi.sh             CYCLES (20000, and 2000 of ace_axi_split) and SEEDS ("1 2") say how much
#   LONG=1 tests/axi/axi.sh      then plants faults in a copy. Each must be found, with the kind of memory that shows it;
#                                scripts/hunt.sh does
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# bench NAME RTL [NAME=VALUE]: $work/bench.vvp
bench() {
    iverilog -g2005 -Wall -Wno-timescale ${3:+-P"$1.$3"} -y "$2" -I "$2" -I tests/axi -s "$1" -o "$work/bench.vvp" \
        "tests/axi/$1.v" tests/axi/ace_axi_checker.v
}
run() { vvp -n "$work/bench.vvp" "+kind=$1" "+seed=$2" ${CYCLES:+"+cycles=$CYCLES"}; }
good() { # KIND SEED
    local said
    said=$(run "$1" "$2")
    echo "seed $2 $said"
    [[ $said == ok:* ]] || failed=1
}

iverilog -g2005 -Wall -Wno-timescale -y rtl -I rtl -s checkers -o "$work/bench.vvp" \
    tests/axi/{checkers,ace_link_checker,ace_axil_checker,ace_interrupt_checker}.v
said=$(vvp -n "$work/bench.vvp")
echo "checkers $said"
[[ $said == ok:* ]] || failed=1

bench memory_interface rtl
for kind in 0 1 2 3; do
    for seed in ${SEEDS:-1 2}; do good "$kind" "$seed"; done
done
bench axi_split rtl
for kind in 0 1 2 3 4; do good "$kind" 1; done
bench axi_split rtl CHANNELS=4
good 4 2
bench trigger rtl
for kind in 0 1 2 3; do good "$kind" 1; done

[[ ${LONG:-} ]] || exit "$failed"

# planted: BENCH KIND EXPECTED FROM ==> TO, in the module that has FROM
while read -r name kind expected fault; do
    rm -rf "$work/rtl"; cp -r rtl "$work/rtl"
    from=${fault% ==> *} to=${fault#* ==> }
    FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$work"/rtl/ace_{memory_interface,axi_split,axi_lane,trigger}.v
    if diff -rq rtl "$work/rtl" >"$work/differ"; then
        echo "FAIL no such line: $from"; failed=1; continue
    fi
    bench "$name" "$work/rtl"
    said=$(run "$kind" 1)
    if [[ $said == "bad: ${expected//_/ },"* ]]; then echo "seen: $fault (${said#bad: })"
    else echo "FAIL not seen as '${expected//_/ }': $fault: $said"; failed=1; fi
done <<'END'
memory_interface 1 nothing_is_written step(w_open_q, aw_new_q, m_w_end) ==> step(w_open_q, m_aw_beat, m_w_end)
memory_interface 0 AXI_rule_12 clear = rst || lost_q || (drain && !busy) ==> clear = rst || lost_q || drain
memory_interface 0 AXI_rule_1 m_ar_valid = ar_ripe_q != NONE ==> m_ar_valid = ar_ripe_q != NONE && now_q[1:0] != 2'd0
memory_interface 0 AXI_rule_2 m_aw_addr  = aw_addr_q[aw_rd_q] ==> m_aw_addr  = aw_addr_q[aw_rd_q] ^ {35'd0, now_q[0], 12'd0}
memory_interface 0 AXI_rule_3 (w_valid || fills) && w_open_q != NONE ==> (w_valid || fills) && w_open_q != NONE && !now_q[3]
memory_interface 0 AXI_rule_6 m_ar_burst = 2'b01 ==> m_ar_burst = 2'b10
memory_interface 0 AXI_rule_12 m_ar_len   = ar_len_q[ar_rd_q] ==> m_ar_len   = ar_len_q[ar_rd_q] + 8'd1
memory_interface 0 AXI_rule_7 m_aw_size  = 3'd7 ==> m_aw_size  = 3'd6
memory_interface 0 AXI_rule_8 fills ? w_beat_q == turn_len_q[b_wr_q] : w_last ==> fills || w_last
memory_interface 0 nothing_is_written drain_q && !w_valid ==> 1'b0
memory_interface 0 nothing_is_read m_r_valid && (m_r_ready || drain) ==> m_r_valid && m_r_ready && !drain
axi_split 1 nothing_is_written w_load  = w_some & (~w_valid_q | m_axi_wready) ==> w_load  = w_some & m_axi_wready
axi_split 2 nothing_is_written w_load  = w_some & (~w_valid_q | m_axi_wready) ==> w_load  = w_some & ~aw_valid_q & (~w_valid_q | m_axi_wready)
axi_split 0 AXI_rule_1 ar_some & (~ar_valid_q | m_axi_arready) ==> ar_some
axi_split 0 AXI_rule_2 aw_valid_q & ~m_axi_awready ==> {CHANNELS{1'b0}}
axi_split 0 AXI_rule_3 w_some & (~w_valid_q | m_axi_wready) ==> w_some
axi_split 0 a_row_of_another_read &r_some && (!r_valid_q || m_r_ready) ==> &r_some
axi_split 0 AXI_rule_6 m_axi_arburst = {CHANNELS{2'b01}} ==> m_axi_arburst = {CHANNELS{2'b10}}
axi_split 0 a_row_of_another_read count_q + {{PTR_W{1'b0}}, took_q} + {{PTR_W{1'b0}}, s_ready} < MOST[N_W-1:0] ==> count_q < MOST[N_W-1:0]
axi_split 0 an_attribute held ? held_q[rd_q] : taken_q ==> held_q[rd_q]
axi_split 0 a_row_of_another_read ar_row} << ROW_AT - SPREAD ==> ar_row} << ROW_AT
axi_split 0 a_row_of_another_burst s_w_data[BEAT_W*c +: BEAT_W]}) ==> s_w_data[BEAT_W*(CHANNELS-1-c) +: BEAT_W]})
axi_split 0 another_answer_to_a_read {2{resp[2*i+1]}} & resp ==> {2{i == 0 && resp[2*i+1]}} & resp
axi_split 0 AXI_rule_14 b_load = &b_some ==> b_load = b_some[0]
axi_split 0 an_attribute s_ar_prot, cfg_cache} ==> s_ar_prot, 4'b0000}
trigger 1 AXI_rule_2 (aw_valid_q && !m_flag_aw_ready) ==> (aw_valid_q && !m_flag_aw_ready && s_run)
trigger 1 AXI_rule_15 w_valid_q  <= begins ==> w_valid_q  <= (begins && 1'b0) || (waits_q && !aw_valid_q && !answer)
trigger 0 AXI_rule_7 m_flag_aw_size  = 3'd2 ==> m_flag_aw_size  = 3'd3
trigger 0 a_flag_outside_its_window flag_row > {8'd0, cfg_flag_last} ==> flag_row > 40'h14f
trigger 3 AXI_rule_3 w_valid_q  <= begins || (w_valid_q && !m_flag_w_ready) ==> w_valid_q  <= begins
END
exit "$failed"

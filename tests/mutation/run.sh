#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that lockstep finds planted bugs.  The script plants the bugs of mutations.txt in a copy of
# rtl/ and runs the soak of the small node against its twin once for each.  Every bug must end in a
# difference, a hang or a wrong value; the node without a bug must not.  For each bug the script
# prints the first register that differs.  It must belong to the module with the bug or to a module
# that reads this one.
#
#   tests/mutation/run.sh [NUMBER ...]      all, or some; 0 is the node without a bug
#
# All bugs go into one Verilated model, each enabled by a number chosen when the program starts.  So
# there is one build and not one a bug.  Rare events do not happen with each seed, so a bug runs
# with one of SEEDS after the other until one finds it.  CYCLES and SEEDS may be set; WORK names an
# empty folder to keep the build in.
set -euo pipefail
cd "$(dirname "$0")/../.."
cycles=${CYCLES:-3000000}
read -ra seeds <<<"${SEEDS:-2 5 7}"
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT

source tests/mutation/plant.sh
plant tests/mutation/mutations.txt ace_node "$work/rtl"
echo 'extern "C" unsigned ace_mutant;' > "$work/mutant.h"

mapfile -t small < <(grep = cmake/node_sets/small.parameters)
verilator --cc -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial unique \
    --trace-fst --trace-depth 1 --savable --prefix Vace_node_small --Mdir "$work/model" \
    -y "$work/rtl" "${small[@]/#/-G}" --top-module ace_node "$work/rtl/ace_node.v"
cmake/registers.sh Vace_node_small "$work/model/Vace_node_small___024root.h" "$work/model/Vace_node_small_registers.h"
# the one set of this program
cat > "$work/model/ace_set.h" <<SET
#include "Vace_node_small.h"
#include "Vace_node_small_registers.h"
#define ACE_SET_NAME "small"
#define ACE_SET_NODE Vace_node_small
#define ACE_SET_COMPLETIONS 0
#define ACE_SET_PARAMETERS [] { ace_parameters p = ACE_PARAMETERS_DEFAULT; \\
    $(sed 's/.*/p.\L&;/' <(grep = cmake/node_sets/small.parameters) | paste -sd' ') return p; }()
SET

verilator_root=$(verilator --getenv VERILATOR_ROOT)
[[ -d $verilator_root/include ]] || verilator_root=/usr/share/verilator
launcher=$(command -v ccache || true)
compile() {     # C++ that Verilator wrote or brought, and the bridge
    $launcher clang++ -std=c++17 -w "-O$1" -include "$work/mutant.h" -DVM_COVERAGE=0 -DVM_TRACE=1 -DVM_TRACE_FST=1 \
        -I"$work/model" $rooms -Ibridge -I"$verilator_root/include" \
        -I"$verilator_root/include/vltstd" -c "$2" -o "$work/$(basename "$2").o"
}
export -f compile
rooms=$(printf -- '-I%s ' cmodel/*/ sim-top/*/)
export work launcher verilator_root rooms
{
    for file in "$work"/model/*.cpp; do
        [[ $file == *Slow* ]] && echo 0 "$file" || echo 1 "$file"
    done
    for file in verilated verilated_fst_c verilated_save verilated_threads; do
        echo 1 "$verilator_root/include/$file.cpp"
    done
    for file in ace_rtl_set ace_rtl_sets ace_rtl_registers ace_register_wave ace_wave_file; do echo 1 "bridge/$file.cc"; done
} | xargs -P "$(nproc)" -L1 bash -c 'compile "$@"' compile
for file in cmodel/*/*.c sim-top/verify/*.c sim-top/report/gtkwave_view.c sim-top/fabric/{hub,hub_reduction,link_network}.c bridge/absent/ace_rtl_hub_absent.c \
            sim-top/base/{atomic_file,data_path,message,names,standard_output}.c \
            tests/mutation/mutant_lockstep.c; do
    $launcher clang -std=c11 -O2 -ffp-contract=off -D_POSIX_C_SOURCE=200809L $rooms -Ibridge \
        -c "$file" -o "$work/$(basename "$file").o"
done
clang++ "$work"/*.o -o "$work/mutant_lockstep" -lz -latomic -lpthread -lm

# Units whose registers read outputs of a module, the module included.
declare -A readers=(
    [ace_fsm]='u_fsm u_switch u_scratchpad u_plain u_routed' [ace_scheduler]='u_scheduler u_fsm'
    [ace_fsm_context]='u_fsm u_switch u_scratchpad u_plain u_routed' [ace_program_ram]='u_program u_fsm'
    [ace_switch]='u_switch u_fsm u_scratchpad u_rx_dma u_plain' [ace_dispatcher]='u_dispatcher u_scheduler'
    [ace_agreement]='u_agreement u_dispatcher grant_mark_q'
    [ace_link_port]='u_plain u_routed' [ace_link_guard]='u_guard u_plain u_routed u_fsm'
    [ace_link_receiver]='u_receiver u_guard u_plain u_routed u_fsm'
    [ace_link_sync]='u_sync u_receiver u_guard u_plain u_routed u_fsm pins'
    [ace_link_crc]='u_receiver u_guard u_plain u_routed u_fsm pins' [ace_crc_sum]='u_receiver u_guard u_plain u_routed u_fsm pins'
    [ace_memory_interface]='u_memory_interface'
    [ace_dma_jobs]='u_tx_dma u_rx_dma' [ace_tx_dma]='u_tx_dma' [ace_rx_dma]='u_rx_dma u_memory_interface' [ace_rx_half]='u_rx_dma' [ace_fp_add_lane]='u_scratchpad'
    [ace_fp_multiply_lane]='u_scratchpad' [ace_integer_lane]='u_scratchpad'
    [ace_integer_multiply_lane]='u_scratchpad'
    [ace_alu]='u_scratchpad' [ace_scratchpad]='u_scratchpad u_plain u_routed pins' [ace_scratchpad_banks]='u_scratchpad'
    [ace_secded_decode]='u_scratchpad u_plain u_routed pins' [ace_datapath]='u_scratchpad u_plain u_routed pins'
    [ace_front]='u_scheduler u_fsm pins' [ace_phases]='u_phases u_fsm u_plain u_routed pins'
    [ace_list_walk]='u_list u_exchange u_memory_interface'
    [ace_exchange]='u_exchange u_memory_interface' [ace_router]='u_router u_exchange u_plain u_routed'
    [ace_memory_arbiter]='u_memory_arbiter u_memory_interface u_exchange')
near() { # MODULE SAID: the register told is of the module or reads it
    local unit told=${2#*first register: cycle *, }
    [[ $2 == *'first register: none'* ]] && told=pins.
    told=${told%%:*}
    for unit in ${readers[$1]}; do [[ .$told. == *".$unit."* ]] && return; done
    return 1
}

passed=0 failed=0
(($#)) || set -- $(seq 0 "$number")
for number in "$@"; do
    for seed in "${seeds[@]}"; do
        status=0
        said=$(timeout 600 "$work/mutant_lockstep" "$number" "$cycles" "$seed" 2>&1) || status=$?
        [[ $status -eq 0 && $number -gt 0 ]] || break
    done
    [[ $status -eq 124 ]] && said='no end within 600 s'
    what='0 no bug' want=0
    [[ $number -gt 0 ]] && what="$number ${mutations[number - 1]}" want=caught
    # an abort by an assertion of the model is a find too; bad use (2) is none
    [[ $status -ne 0 && $status -ne 2 && $want == caught ]] && status=caught
    line=${mutations[number ? number - 1 : 0]}
    [[ $status == caught ]] && ! near "${line%%:*}" "$said" && status='caught, far away'
    if [[ $status == "$want" ]]; then
        passed=$((passed + 1)); verdict=pass
    else
        failed=$((failed + 1)); verdict=FAIL
    fi
    printf '%s %s\n' "$verdict" "$what"
    grep -E '^first|^concerned' <<<"$said" | sed 's/^/     /' || true
    printf '     %s\n' "${said##*$'\n'}"
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Illegal parameters stop elaboration in three tools, which tell the rule: values just outside what
# each parameter may be, and between two that it may be.  The sets that the tree builds elaborate, as
# do values at the ends of the ranges.  MODULE=NAME tries those of one module.  Illegal values are tried in
# Icarus, which is the fastest, and of each parameter the first. LONG=1 tries all of them in all three tools, and whole
# nodes in Yosys; scripts/hunt.sh does.
set -uo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
mkdir "$work/engine"
cp rtl/ace_node.v rtl/ace_control.v rtl/*.vh "$work/engine"

# elaborate TOOL MODULE NAME=VALUE ...
elaborate() {
    local tool=$1 top=$2 file; shift 2
    case $tool in
        verilator) verilator --lint-only -Wno-fatal $library -Irtl --top-module "$top" "${@/#/-G}" "rtl/$top.v" ;;
        iverilog)  iverilog -g2005 -t null $library -I rtl -s "$top" "${@/#/-P$top.}" "rtl/$top.v" ;;
        yosys)     file=$(mktemp -p "$work" try.XXXXXX)
                   printf 'module try; %s #(%s) u (); endmodule\n' "$top" \
                       "$(printf '%s\n' "$@" | sed -E 's/(.*)=(.*)/.\1(\2)/' | paste -sd,)" >"$file"
                   # The tool stops at the first missing module, so everything there is must be listed before.
                   yosys -q -p "read_verilog -defer -I rtl rtl/$top.v $file; hierarchy ${library/-y/-libdir} -top try
                                tee -q -o /dev/stdout stat; hierarchy -check -top try" ;;
    esac
}

# A module's rules are in its own file, and what is inside it has a turn of its own.  Legal parameters are
# tried with all that is inside, but for the node, which takes too long.
library_of() {
    [[ $1 == ace_node ]] || echo -y rtl
}

# For illegal ones no tool needs to read, or to make, more than the module.  The engine's are told by its
# node.  Behind a value, ! says that a width of nothing may stop a tool before the rule: then, that the
# tool stops says something only where nothing else is missing.
library_of_illegal() { # MODULE VALUE
    case $1,$2 in
        ace_engine,*) echo -y "$work/engine" ;;
        *!) echo -y rtl ;;
    esac
}

# stops MODULE NAME VALUES [OTHER=VALUE ...]: each of VALUES, set apart by commas, stops each tool, which
# names a rule about NAME; behind a value, ! stands where a width of nothing may stop it before that.
stops() {
    local module=$1 name=$2 value tool said status=0 library tools=(iverilog)
    if [[ ${LONG:-} ]]; then
        tools=(verilator iverilog yosys)
        # Yosys makes an engine's node as it makes any other
        [[ $module == ace_engine && $name != FSMS ]] && tools=(verilator iverilog)
    fi
    local values=$3
    [[ ${LONG:-} ]] || values=${3%%,*}
    for value in ${values//,/ }; do
        library=$(library_of_illegal "$module" "$value")
        for tool in "${tools[@]}"; do
            if said=$(elaborate "$tool" "$module" "$name=${value%!}" "${@:4}" 2>&1 </dev/null); then
                echo "$tool: $module $name=$value ${*:4} elaborates"; status=1
            elif [[ $value != *! ]] && ! grep -qE "\b${name}_must_be_" <<<"$said"; then
                echo "$tool: $module $name=$value ${*:4}: no rule about $name is told: ${said:0:300}"; status=1
            fi
        done
    done
    return $status
}

# all_stop MODULE: one run of Icarus for all lines of a module, with an instance for each line. Icarus must name a
# rule about each parameter as often as the parameter has lines.
all_stop() {
    local module=$1 name value others said file=$work/all.$1 status=0 lines n=0
    lines=$(batched | sed -n "s/^$module //p")
    while read -r name value others; do
        printf 'module try_%s; %s #(%s) u (); endmodule\n' "$((++n))" "$module" \
            "$(printf '%s\n' "$name=${value%%,*}" $others | sed -E 's/(.*)=(.*)/.\1(\2)/' | paste -sd,)"
    done <<<"$lines" >"$file"
    # shellcheck disable=SC2046
    said=$(iverilog -g2005 -t null -I rtl $(sed -nE 's/^module (\w+).*/-s \1/p' "$file") "rtl/$module.v" "$file" 2>&1)
    while read -r name value; do
        [[ $(awk -v rule="^${name}_must_be_" '$1 ~ rule { sum += $3 } END { print sum + 0 }' <<<"$said") -ge $value ]] ||
            { echo "iverilog: $module: expected $value values that stop at a rule about $name: ${said:0:300}"; status=1; }
    done < <(cut -d' ' -f1 <<<"$lines" | sort | uniq -c | awk '{ print $2, $1 }')
    return $status
}
# Lines for all_stop. A width of 0 stops a tool before the rule, and the engine needs its node: both are left out.
batched() { grep -vE '^ace_engine |^$|^[^ ]+ [^ ]+ [^ ,]+!' <<<"$illegal"; }

# elaborates MODULE NAME=VALUE ...: no rule is told, and where the modules inside are there, nothing is
# wrong.  Of sets that the build has (BUILT=1) it shows that Verilator takes them.
elaborates() {
    local module=$1 tool said status=0 library; shift
    library=$(library_of "$module")
    for tool in verilator iverilog yosys; do
        [[ $tool == verilator && (${BUILT:-} || $module == ace_node) ]] && continue
        [[ $tool == yosys && $module == ace_node && ! ${LONG:-} ]] && continue
        if ! said=$(elaborate "$tool" "$module" "$@" 2>&1 </dev/null) && [[ $library ]] || [[ $said == *_must_be_* ]]; then
            echo "$tool: $module $*: ${said:0:300}"; status=1
        fi
    done
    return $status
}
export -f elaborate library_of library_of_illegal stops all_stop batched elaborates

illegal='
ace_agreement DIMENSIONS 2,5
ace_agreement COMMANDS 1,3,65536
ace_agreement ROUND_CHUNKS 0,32
ace_alu TYPES 0,128
ace_alu OPS 0,32
ace_alu EARLY 2
ace_axi_lane W 0!
ace_axi_lane ROWS 2,5,32
ace_axi_split CHANNELS 1!,3!,8
ace_axi_split ROWS 2,5,32
ace_axi_split ID_W 0!,32
ace_axi_split ID 16
ace_axi_split ROW_W 8!,24!,4096
ace_axi_split BEAT_W 512
ace_bank SUB_BANKS 0,3,16
ace_bank DEPTH 15 SUB_BANKS=8
ace_bank WIDTH 0!
ace_axil_slave PROT_MASK 8
ace_axil_slave PROT 8
ace_control COMPLETIONS 1,3,32768
ace_control KINDS 9
ace_control TYPES 9
ace_control OPS 9
ace_control DIMENSIONS 2,5
ace_control COUNTERS 0,129
ace_control FSMS 256
ace_control CONTEXTS 256
ace_control PEERS 256
ace_control BANK_ROWS 65536
ace_control ROW_BYTES 65536
ace_control LINK_INPUT_ROWS 65536
ace_control LINK_OUTPUT_ROWS 65536
ace_control COMMANDS 65536
ace_control MEMORY_BURSTS 65536
ace_control ROUTER_INPUT_ROWS 65536
ace_control ROUTER_OUTPUT_ROWS 65536
ace_control EXCHANGE_ROWS 65536
ace_control EXCHANGE_BURSTS 65536
ace_control ALU_TYPES 0,128
ace_control ALU_OPS 0,32
ace_control WIRE_FORMATS 2
ace_control REGISTER_PROT_MASK 8
ace_control REGISTER_PROT 8
ace_control TRIGGERS 1!,3,32!
ace_control MEMORY_PROT 8
ace_control DRAIN_LIMIT 16777217
ace_control FAULT_REGISTERS 2
ace_control_registers DIMENSIONS 2,5
ace_control_registers BANK_ROWS 65536
ace_datapath DIMENSIONS 2,5
ace_datapath FSMS 5,12
ace_datapath BANK_ROWS 1,4097
ace_datapath SUB_BANKS 0,3,16
ace_datapath ALU_TYPES 0,128
ace_datapath ALU_OPS 0,32
ace_datapath WIRE_FORMATS 2
ace_datapath ROW_W 512,1024
ace_datapath PAYLOAD 2
ace_datapath DATA_W 0!,64,1024
ace_datapath LINKS 5
ace_dispatcher DIMENSIONS 2,5
ace_dispatcher COMMANDS 1,3,65536
ace_dma_jobs ROW_W 8,24
ace_dma_jobs SIDE_W 0!
ace_doorbell_check KINDS 9
ace_doorbell_check TYPES 9
ace_doorbell_check OPS 9
ace_doorbell_check DIMENSIONS 2,5
ace_doorbell_check ALU_TYPES 0,128
ace_doorbell_check ALU_OPS 0,32
ace_doorbell_check WIRE_FORMATS 2
ace_exchange DIMENSIONS 2,5
ace_exchange ROWS 0,1025
ace_exchange BURSTS 0!,257
ace_exchange SENDS 0,65
ace_exchange DATA_W 0!,2049
ace_exchange ROW_W 512,4096
ace_exchange CODED 2
ace_fp_add_lane EXP_W 3,9
ace_fp_add_lane MAN_W 1,24
ace_fp_add_lane FINITE 2
ace_fp_multiply_lane EXP_W 3,9
ace_fp_multiply_lane MAN_W 1,24
ace_fp_multiply_lane FINITE 2
ace_front DIMENSIONS 2,5
ace_front COMMANDS 1,3,65536
ace_front CONTEXTS 2,5,64
ace_front LINKS 5
ace_front PHASES 5
ace_fsm_context DIMENSIONS 2,5
ace_fsm_context PEERS 8,48
ace_fsm DIMENSIONS 5
ace_fsm FSMS 3
ace_fsm CONTEXTS 3,16
ace_fsm PEERS 8,48
ace_hub_reducer PORTS 1!,65
ace_hub_reducer CONTEXTS 1!,3,64
ace_hub_reducer ROWS 1!,3,2048
ace_hub_reducer TYPES 0,128
ace_hub_reducer OPS 0,32
ace_integer_lane W 1
ace_integer_lane SUMS 2
ace_integer_lane COMPARES 2
ace_integer_multiply_lane W 1,33
ace_link INPUT_ROWS 0,4096
ace_link ROUTED_INPUT_ROWS 0,3969
ace_link OUTPUT_ROWS 0,65536
ace_link ROUTED_OUTPUT_ROWS 0!,65536
ace_link ROW_W 0!
ace_link CODED 2
ace_link_guard NUMBER_W 17
ace_link_guard FRAMES 48,32768
ace_link_guard FRAMES 16 NUMBER_W=4 SPARE=8
ace_link_guard ROWS 2,12,32768
ace_link_guard SPARE 0,1024
ace_link_guard ACK_WAIT 0,64
ace_link_guard TRIES 0,15
ace_link_port INPUT_ROWS 0,65536
ace_link_port OUTPUT_ROWS 0,65536
ace_link_port COUNTED 2
ace_link_port CODED 2
ace_link_receiver NUMBER_W 17
ace_link_receiver ROW_W 33
ace_link_sender ROW_W 0!
ace_link_sync EPOCH_W 17
ace_link_sync WAIT 0,64
ace_crc_sum WORDS 0!,65
ace_crc_sum STRIDE 0,65
ace_crc_sum AFTER 65
ace_row_code ROW_W 33
ace_row_check ROW_W 33
ace_row_check CODED 2
ace_row_sum ROW_W 33
ace_row_sum TAKEN 2
ace_list_walk DIMENSIONS 1,5
ace_list_walk SENDS 0,65
ace_list_walk ROWS 1,3,32
ace_list_walk ROW_W 1024
ace_list_walk CODED 2
ace_memory_arbiter BURSTS 257
ace_memory_arbiter DMA_BURSTS 0,145
ace_memory_interface BURSTS 0!,257
ace_memory_interface ROW_W 12
ace_memory_interface CODED 2
ace_memory_interface PROT 8
ace_memory_interface DRAIN_LIMIT 16777217
ace_memory_interface DATA_W 0!,2049
ace_memory_port MEMORY_BURSTS 0!,256
ace_memory_port EXCHANGE_BURSTS 0!,241
ace_memory_port MEMORY_PROT 8
ace_memory_port DRAIN_LIMIT 16777217
ace_memory_port ROW_W 512,1024
ace_memory_port PAYLOAD 2
ace_memory_port DATA_W 0!,64,1024
ace_nic WIRE_FORMATS 2
ace_nic DIMENSIONS 2,5
ace_nic LINK_INPUT_ROWS 0,4096
ace_nic LINK_OUTPUT_ROWS 0,65536
ace_nic ROUTER_INPUT_ROWS 0,3969
ace_nic ROUTER_OUTPUT_ROWS 1,65536
ace_nic EXCHANGE_ROWS 0,1025
ace_nic EXCHANGE_BURSTS 0!,257
ace_nic ROW_W 512,1024
ace_nic PAYLOAD 2
ace_nic DATA_W 0!,64,1024
ace_nic LINKS 5
ace_node DIMENSIONS 1,5
ace_node FSMS 5,7
ace_node CONTEXTS 3
ace_node PEERS 8,128
ace_node CONTEXTS 2 FSMS=4
ace_node BANK_ROWS 1
ace_node SUB_BANKS 0,3,16
ace_node LINK_INPUT_ROWS 0
ace_node LINK_OUTPUT_ROWS 65536
ace_node COMMANDS 3
ace_node MEMORY_BURSTS 0!
ace_node ROUTER_INPUT_ROWS 3969
ace_node ROUTER_OUTPUT_ROWS 1
ace_node EXCHANGE_ROWS 1025
ace_node EXCHANGE_BURSTS 241
ace_node MEMORY_PROT 8
ace_node DRAIN_LIMIT 16777217
ace_node ALU_TYPES 0,128
ace_node ALU_OPS 0,32
ace_node WIRE_FORMATS 2
ace_node ROW_W 512,1024
ace_node PAYLOAD 2
ace_node LINKS 5
ace_engine COMPLETIONS 3
ace_engine TRIGGERS 3
ace_engine FSMS 7
ace_engine COMMANDS 3
ace_engine BANK_ROWS 1
ace_engine SUB_BANKS 3
ace_engine LINKS 8
ace_ram_1r1w DEPTH 1
ace_ram_1r1w WIDTH 0
ace_ram_1rw DEPTH 1!
ace_ram_1rw WIDTH 0!
ace_router DIMENSIONS 2,5
ace_phases DIMENSIONS 2,5
ace_phases FSMS 5,12
ace_phases CONTEXTS 3,16
ace_phases PEERS 8,128
ace_phases LINKS 5
ace_phases PHASES 5
ace_phases PHASE_CONTEXTS 2,8
ace_row_fifo DEPTH 1,33
ace_row_fifo RAM 2 DEPTH=8
ace_row_fifo RAM 1 DEPTH=3
ace_rx_dma ROW_W 8,24
ace_rx_dma DATA_W 0!,2049
ace_rx_dma BURSTS 0!,257
ace_rx_half ROW_W 8,24
ace_rx_half DATA_W 0!,2049
ace_scheduler DIMENSIONS 2,5
ace_scheduler CONTEXTS 2,5,64
ace_scratchpad BANK_ROWS 1,4097
ace_scratchpad SUB_BANKS 0,3,16
ace_scratchpad ROW_W 96
ace_program_ram FSMS 0!,3
ace_ram_1r1w DEPTH 1
ace_ram_1r1w WIDTH 0!
ace_scratchpad_banks BANK_ROWS 1,4097
ace_scratchpad_banks SUB_BANKS 0,3,16
ace_scratchpad_banks WORDS 1,129
ace_switch DIMENSIONS 2,5
ace_switch FSMS 5,12
ace_trigger SLOTS 1!,3,32!
ace_trigger PROT 8
ace_trigger DRAIN_LIMIT 16777217
ace_tx_dma ROW_W 8,24
ace_tx_dma DATA_W 0!,2049
ace_wire_decode TAKEN 2
'
legal='
ace_axi_lane W=1 ROWS=16
ace_axi_split CHANNELS=4 ROWS=16 ID_W=31 ID=7 ROW_W=32
ace_agreement COMMANDS=32768 ROUND_CHUNKS=31
ace_dispatcher COMMANDS=32768
ace_exchange ROWS=1 BURSTS=256 SENDS=1
ace_fsm FSMS=2 CONTEXTS=8 PEERS=64
ace_hub_reducer PORTS=2 CONTEXTS=2 ROWS=2 TYPES=64 OPS=4
ace_link INPUT_ROWS=1 OUTPUT_ROWS=1 ROUTED_INPUT_ROWS=4095 ROUTED_OUTPUT_ROWS=1 ROW_W=32
ace_link_guard NUMBER_W=3 FRAMES=4 ROWS=4 SPARE=3 ACK_WAIT=63 TRIES=14 ROW_W=32
ace_link_port INPUT_ROWS=1 OUTPUT_ROWS=1 ROUTE_W=1 ROW_W=1 CODED=0 COUNTED=0
ace_node BANK_ROWS=64 LINK_INPUT_ROWS=1 ROUTER_INPUT_ROWS=4095 EXCHANGE_BURSTS=240
ace_axil_slave PROT_MASK=7 PROT=5
ace_row_fifo DEPTH=16 ROW_W=1
ace_row_fifo DEPTH=32 ROW_W=1
ace_row_fifo DEPTH=4 RAM=1
ace_row_sum ROW_W=32 TAKEN=1
ace_rx_dma BURSTS=1 ROW_W=32
ace_link_receiver NUMBER_W=3 ROW_W=32
ace_link_sync EPOCH_W=3 WAIT=1
ace_wire_decode TAKEN=0
'
built=$(
    sed -nE 's/^(ace_[a-z_]+) PREFIX .* PARAMETERS /\1 /p' cmake/unit_models.txt
    for set in cmake/node_sets/*.parameters; do echo "ace_node $(grep = "$set" | paste -sd' ')"; done
)

export illegal
{
    if [[ ${LONG:-} ]]; then sed "/./!d; s/^/stops /" <<<"$illegal"
    else
        batched | cut -d' ' -f1 | sort -u | sed 's/^/all_stop /'
        grep -vxFf <(batched) <<<"$illegal" | sed '/./!d; s/^/stops /'
    fi
    sed "/./!d; s/^/elaborates /" <<<"$legal"
    sed "s/^/BUILT=1 elaborates /" <<<"$built"
} | grep -E "^(BUILT=1 )?[a-z_]+ ${MODULE:-.*}( |$)" | xargs -P "$(nproc)" -I{} bash -c '{}' || { echo "parameters: failed"; exit 1; }

# Reports parameters without a rule of their own. The engine's are those of its node.
status=0
awk '{ line = $0; while (match(line, /[A-Z_]+_must_be_/)) { ruled[FILENAME, substr(line, RSTART, RLENGTH - 9)]; line = substr(line, RSTART + RLENGTH) } }
     /^module/, /^\) \(/ { if ($1 == "parameter" && FILENAME != "rtl/ace_engine.v") named[FILENAME, $2] }
     END { for (key in named) if (!(key in ruled)) { split(key, part, SUBSEP); print part[1] ": no rule about " part[2]; bad = 1 } exit bad }' \
    rtl/*.v || status=1

# The C model takes what the RTL takes: the numbers of a rule of the node stand in the list of parameters.
# (Where the rule adds another parameter, ace_parameters_check() does.)
while read -r name least most; do
    grep -qE "^    X\(${name,,}, $least, $most, " cmodel/base/ace_parameters.def ||
        { echo "cmodel/base/ace_parameters.def: ${name,,}: expected $least to $most, as rtl/ace_node.v says"; status=1; }
done < <(sed -nE 's/.*\b([A-Z_]+)_must_be_(a_power_of_two_from_)?([0-9]+)_to_([0-9]+) stop.*/\1 \3 \4/p' rtl/ace_node.v |
         grep -vE '^(MEMORY_PROT|DRAIN_LIMIT) ')
exit $status

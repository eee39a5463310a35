# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# replay.sh -- recordings of the units, for tests/icarus/icarus.sh to source
#
# tests names the folder of the lockstep tests, work one for what is made.

units_all='row_fifo link_port memory_arbiter memory_interface axi_split tx_dma rx_dma router switch
           scratchpad agreement dispatcher scheduler fsm exchange list_walk control cycle_classes
           alu node'

# record UNIT: writes the pins of the first cycles to $work/waves/V<class>-<n>.fst.  It records
# every sixth test of a unit, with LONG=1 every third.  For the ALU it records all types and
# operations with gaps between beats.  For the node it records the smallest node in a torus.
# LONG=1 adds resets and runs without gaps for the ALU, and more and longer tori.
record() {
    local test=lockstep_$1_test filter='*' shards=6 cycles=400 busy=1
    [[ ! ${LONG:-} ]] || shards=3
    case $1 in
        alu) test=alu_test filter=${LONG:+*AluLockstep*} shards=1 cycles=1000
             : "${filter:=*AluLockstep*/gaps}" ;;
        node) filter='*LockstepNode*/small' shards=1
              [[ ! ${LONG:-} ]] || cycles=3000 busy=60000 ;;
    esac
    rm -rf "$work/waves"; mkdir -p "$work/waves"
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=0 ACE_CYCLES=$busy ACE_UNIT_WAVES=$work/waves \
        ACE_UNIT_WAVE_CYCLES=$cycles "$tests/$test" --gtest_filter="$filter" >"$work/said" ||
        { cat "$work/said"; return 1; }
    # a test of the ALU runs with eight seeds
    [[ $1 != alu ]] || for fst in "$work"/waves/*.fst; do
        local n=${fst##*-}
        [[ $((${n%.fst} % 8)) == 0 ]] || rm "$fst"
    done
}

# class_of FST, module_of CLASS
class_of() { local class=${1##*/V}; echo "${class%-*}"; }
module_of() { if [[ -f rtl/$1.v ]]; then echo "$1"; else echo "${1%_*}"; fi; }

# parameters CLASS: those that cmake/unit_models.txt or cmake/node_sets give it, as Verilog has them
parameters() {
    local set=cmake/node_sets/${1#ace_node_}.parameters
    if [[ -f $set ]]; then sed -nE 's/(.*)=(.*)/.\1(\2)/p' "$set" | paste -sd,; return; fi
    sed -nE "s/.* PREFIX V$1 PARAMETERS //p" cmake/unit_models.txt | tr ' ' '\n' |
        sed -E 's/(.*)=(.*)/.\1(\2)/' | paste -sd,
}

# bench FST: $work/bench.v and $work/vectors
bench() {
    local class
    class=$(class_of "$1")
    fst2vcd -f "$1" -o "$work/pins.vcd"
    awk -v module="$(module_of "$class")" -v parameters="$(parameters "$class")" -v bench="$work/bench.v" \
        -v vectors="$work/vectors" -f tests/icarus/bench.awk "rtl/$(module_of "$class").v" "$work/pins.vcd"
}

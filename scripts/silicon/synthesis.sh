#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# synthesis.sh DIR TOP [NAME=VALUE ...] [-- [NAME=VALUE ...]] ... -- TOP and all that is in it, as gates, a module at a time
#
#   DIR/rtl/            what split.awk makes: modules, instances, and each module before mapping
#   DIR/gates/NAME.v    the netlist of a module, NAME.stat its cells and their area in um2
#   DIR/gates/macros    its SRAM macros, one a line, see macros.awk; NAME.model.v what they do
#
# A module with the same text as before is not mapped again.  The liberty file's cells are those
# of LIBERTY; DELAY_PS is what abc aims at, from register to register.  With GATES=1 eight flip-flops and more
# of one enable have their clock from a gate; without, and of fewer, a multiplexer keeps what they hold.
# DIR/gates is a link to the folder of the one or the other.
#
# KEPT is a folder that several runs with other parameters share, for areas alone.  It holds the cells and macros of each
# module by a hash: of the module's text without the numbers of forms, of the ports inside, and of these scripts.  A
# module that is there is not mapped, and gets no netlist.  ALIKE lists modules, MODULE or MODULE:PARAMETER, whose first
# form stands for all forms, or for all with the same value of the parameter.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/scripts/silicon
dir=$(realpath -m "$1") top=$2
shift 2
gates=${GATES:-1}
mkdir -p "$dir/gates_$gates" && ln -sfn "gates_$gates" "$dir/gates"

# A wrapper gives the parameters, since Yosys takes those of its own options without a sign.  After each "--" comes another
# TOP: instance set_0, set_1 and so on of the module `wrapper` in DIR/rtl/instances.
parameters="${*/#/ }" wrapper='' list='' count=0 root=$top
if [[ $# -gt 0 ]]; then
    root=wrapper
    for set in "$@" --; do
        if [[ $set != -- ]]; then list+=", .${set/=/(})"; continue; fi
        wrapper+="    $top ${list:+#(${list#, })} set_$((count++)) ();"$'\n'
        list=''
    done
fi
if ! [[ -e $dir/rtl/instances && $(cat "$dir/rtl/of") == "$top$parameters" &&
        -z $(find rtl "$here/split.awk" -newer "$dir/rtl/instances" -name '*.*') ]]; then
    rm -rf "$dir/rtl" && mkdir "$dir/rtl"
    [[ -z $wrapper ]] || printf 'module wrapper;\n%sendmodule\n' "$wrapper" >"$dir/rtl/wrapper.v"
    yosys -q -p "read_verilog -I rtl rtl/*.v ${wrapper:+$dir/rtl/wrapper.v}; hierarchy -check -top $root
                 write_rtlil $dir/rtl/design"
    echo "$top$parameters" >"$dir/rtl/of"
    awk -v dir="$dir/rtl" -f "$here/split.awk" "$dir/rtl/design" "$dir/rtl/design"
    rm -f "$dir/rtl/design" "$dir/rtl/wrapper.il"
    sed -i '/^wrapper /d' "$dir/rtl/modules"
fi

# without a load on its outputs, abc leaves nets of high fan-out without buffers
printf 'set_driving_cell INVX8\nset_load 0.03 [all_outputs]\n' >"$dir/gates/abc.constr"
awk -v latch="${LATCH_AREA:-56}" -v setup="${GATE_SETUP_NS:-0.5}" -f "$here/clock_gate.awk" "$LIBERTY" >"$dir/gates/cells.lib"
opt=opt flops='dfflibmap -liberty cells.lib'
# a synchronous reset is logic, as a flip-flop with one as well would lose its enable
[[ $gates == 0 ]] || opt='opt -nosdff' flops="dfflegalize -cell \$_DFF_P_ 01 -cell \$_DFFE_PP_ 01 -mince 8; opt_merge; opt_clean
                            techmap -map $here/clock_gate.v; opt_merge -share_all t:CLKGATEX1; opt_clean
                            dfflibmap -map-only -liberty cells.lib"

key_of() { # NAME
    local base alike
    base=$(awk -v of="$1" '$1 == of { print $2 }' "$dir/rtl/modules")
    {
        for alike in ${ALIKE:-}; do
            if [[ ${alike%:*} == "$base" ]]; then
                echo "alike $alike"
                [[ $alike == "$base" ]] || grep "^  parameter .*${alike#*:} " "$dir/rtl/$1.il"
                break
            fi
            alike=''
        done
        [[ -n ${alike:-} ]] || awk -v of="$1" 'FILENAME == ARGV[1] { base[$1] = $2; next }
            FILENAME == ARGV[2] { if ($1 == of) inside["\\" $2]; next }
            $1 == "module" { on = FILENAME == ARGV[4] || $2 in inside }
            /^  parameter/ || !on { next }
            {   line = ""
                while (match($0, /ace_[A-Za-z0-9_]+/)) {
                    word = substr($0, RSTART, RLENGTH)
                    line = line substr($0, 1, RSTART - 1) (word in base ? base[word] : word)
                    $0 = substr($0, RSTART + RLENGTH)
                }
                print line $0
            }' "$dir/rtl/modules" "$dir/rtl/instances" "$dir/rtl/boxes" "$dir/rtl/$1.il"
        echo "$gates $DELAY_PS $opt"
        cat abc.constr cells.lib "$here"/{abc.script,macros.awk,shiftx.v,fanout.awk,bits.awk,clock_gate.awk,clock_gate.v,clock_fan.awk}
        sed -n '/^map_one()/,/^}/p' "$here/synthesis.sh"
    } | sha256sum | cut -c1-24
}
map() { # NAME
    if [[ -z ${KEPT:-} ]]; then map_one "$1"; return; fi
    cd "$dir/gates"
    local kept
    kept=$KEPT/$(key_of "$1")
    rm -f "$1".*
    if ! [[ -e $kept.stat ]]; then
        map_one "$1"
        sed "s/\\b$1\\(_macro[0-9]*\\)\\?\\b/NAME\\1/g" "$1.macros" >"$kept.macros"
        cp "$1.stat" "$kept.stat"
    fi
    sed "s/NAME/$1/g" "$kept.macros" >"$1.macros"
    cp "$kept.stat" "$1.stat"
}
map_one() { # NAME
    local name=$1
    cd "$dir/gates"
    if [[ -s $name.stat ]] && cmp -s "$dir/rtl/$name.il" "$name.il" &&
       [[ -z $(find "$here"/{synthesis.sh,macros.awk,shiftx.v,fanout.awk,clock_gate.awk,clock_gate.v,clock_fan.awk} -newer "$name.stat") ]]; then return; fi
    rm -f "$name".*
    # no other modules than those inside, as abc's choices follow from the order of all names
    awk -v of="$name" 'FILENAME == ARGV[1] { if ($1 == of) inside["\\" $2]; next }
                       /^attribute/ { box = $0; next }
                       $1 == "module" { on = $2 in inside; if (on) print box }
                       on' "$dir/rtl/instances" "$dir/rtl/boxes" >"$name.inside"
    # before memories become flip-flops
    yosys -q -p "read_rtlil $name.inside; read_rtlil $dir/rtl/$name.il
                 proc; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean; alumacc; $opt
                 memory -nomap; opt_clean; select $name; write_rtlil -selected $name.coarse"
    : >"$name.macros" && : >"$name.model.v" && : >"$name.boxes"
    awk -v module="$name" -v list="$name.macros" -v boxes="$name.boxes" -v models="$name.model.v" \
        -f "$here/macros.awk" "$name.coarse" >"$name.with"
    yosys -q -p "read_liberty -lib cells.lib; read_rtlil $name.inside
                 read_rtlil $name.boxes; read_rtlil $name.with; select $name
                 techmap -map $here/shiftx.v; $opt -fast -full; memory_map; $opt -undriven -fine; techmap; $opt -fast
                 $flops
                 abc -D $DELAY_PS -constr abc.constr -liberty cells.lib -script $here/abc.script
                 clean
                 rename -wire t:DFF*
                 tee -q -o $name.part stat -liberty cells.lib $name
                 write_verilog -selected -noattr -noexpr $name.gates"
    # a flip-flop is named after its register: count_q[3]_reg
    sed -E 's/^(  DFF[A-Z0-9]+ \\.*)\\DFF[A-Z0-9]+(_[0-9]+)?  ?\($/\1_reg\2 (/' "$name.gates" >"$name.named"
    awk -v stat="$name.part" -f "$here/clock_fan.awk" "$name.named" "$name.named" >"$name.gated"
    awk -v stat="$name.part" -f "$here/bits.awk" -f "$here/fanout.awk" "$dir/rtl/boxes" "$name.gated" "$name.gated" >"$name.v"
    cp "$dir/rtl/$name.il" "$name.il"
    rm "$name.gates" "$name.named" "$name.gated" "$name.coarse" "$name.with" "$name.boxes" "$name.inside"
    mv "$name.part" "$name.stat"
}
export -f key_of map map_one
export dir here gates opt flops DELAY_PS
# the largest first, so that no long one is left alone at the end
ls -S "$dir"/rtl/*.il | xargs -n1 basename | sed 's/\.il$//' | xargs -P "${JOBS:-$(nproc)}" -I{} bash -euc 'map {}'
cat "$dir"/gates/*.macros >"$dir/gates/macros"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim rtl: a built set must take the cycles of the twin with the same parameters. An edited line must change them,
# and lockstep must name the pin. What cannot be built must be refused.
#
#   LONG=1 tests/program/engine/rtl.sh     also builds a node without payload by profile (--tuned), which takes
#                                          minutes; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"
export ACESIM_RTL=$work/cache

refused() { # TEXT ARGUMENTS...: exit status 2, with a message that has the text
    local text=$1; shift
    "$acesim" "$@" >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/out"
    verdict $? "acesim $*: expected status 2 and '$text', found '$(head -n 1 "$work/out")'"
}
collective() { # NAME OPTIONS...
    local name=$1; shift
    "$acesim" collective all-reduce --topology 2x2x1 --size 16KiB --format json "$@" >"$work/$name" 2>"$work/err"
    verdict $? "$name: $(cat "$work/err")"
}
value() { # NAME KEY
    sed -nE "s/^.*\"$2\":[[:space:]]*\"?([^\",]*).*$/\1/p" "$work/$1" | head -n 1
}

# ---- what is refused -------------------------------------------------------------------------
refused 'FSMS 1 2 or 4 for each phase' rtl build --parameters FSMS=7
refused 'EXCHANGE_BURSTS 1 to 256 less MEMORY_BURSTS' rtl build --parameters EXCHANGE_BURSTS=250 MEMORY_BURSTS=16
refused "did you mean 'fsms'" rtl build --parameters FSM=8
refused 'such as FSMS=8' rtl build --parameters FSMS=eight
refused 'found no Verilog' rtl build --source "$work"
refused 'expected a name' rtl build --name ../escape
CXX=g++ refused 'expected clang++' rtl build --tuned
refused 'rtl list shows' rtl remove nothing
refused 'acesim rtl build --name nothing' collective all-reduce --rung rtl --rtl nothing
refused 'acesim rtl build --name mine --parameters fsms=8 contexts=8' \
    collective all-reduce --rung rtl --fsms 8 --contexts 8
mkdir "$work/bin"
for tool in bash cut grep sed sort mkdir dirname; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH=$work/bin "$acesim" rtl build >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q 'apt-get install verilator' "$work/out"
verdict $? "without Verilator: $(cat "$work/out")"
[ ! -e "$ACESIM_RTL/named" ] || [ -z "$(ls "$ACESIM_RTL/named")" ]
verdict $? "something was built: $(ls "$ACESIM_RTL/named")"

# ---- parameters that no set of the program has -----------------------------------------------
parameters=(FSMS=4 CONTEXTS=4 ALU_TYPES=1 ALU_OPS=1 BANK_ROWS=64 LINK_INPUT_ROWS=9 LINK_OUTPUT_ROWS=2 COMMANDS=2 MEMORY_BURSTS=2
            ROUTER_INPUT_ROWS=3 ROUTER_OUTPUT_ROWS=2 EXCHANGE_ROWS=4 EXCHANGE_BURSTS=6 SUB_BANKS=4)
{
    echo 'topology: 2x2x1'
    echo 'ace:'
    printf '  %s\n' "${parameters[@],,}" | sed 's/=/: /'
} >"$work/cluster.yaml"
"$acesim" rtl build --name tiny --parameters "${parameters[@]}" >"$work/out" 2>&1
verdict $? "build: $(cat "$work/out")"
grep -q "RTL $("$acesim" --version | awk '$1 == "RTL" { print $2 }'), built" "$work/out"
verdict $? "the sources are not those that acesim --version has: $(cat "$work/out")"
collective tiny.json --rung rtl --rtl tiny --chunk 2KiB
collective mixed.json --rung 'rtl:1;cycle:rest' --rtl tiny --chunk 2KiB --payload random --check
[ -n "$(value tiny.json cycles)" ] && [ "$(value tiny.json cycles)" = "$(value mixed.json cycles)" ]
verdict $? "tiny: found $(value tiny.json cycles) cycles, beside twins $(value mixed.json cycles)"
[ "$(value tiny.json fsms)" = 4 ] && [ "$(value tiny.json sub_banks)" = 4 ] && [ "$(value tiny.json rtl)" = tiny ]
verdict $? "the result does not say which RTL it is of"
"$acesim" lockstep --rtl tiny --cycles 5000 --quiet >"$work/out" 2>&1
verdict $? "lockstep: $(cat "$work/out")"
# Below it stands how many cycles were compared, and how many a planted error gets.
busy=$(awk '$1 == "equal:" { print $2 }' "$work/out")
planted=$(sed -nE 's/^cycles=\$\{CYCLES:-([0-9]+)\}$/\1/p' tests/mutation/run.sh)
[ "$busy" -ge 5000 ] && [ "$(sed -n 2,3p "$work/out" | tr -d ',' | grep -oE '[0-9]{4,}' | tr '\n' ' ')" = "$busy $planted " ]
verdict $? "what lockstep is worth: found $(cat "$work/out"), expected $busy and $planted cycles"
# --cover adds what was met: for the same run, each cross lists what was met and what never was.
"$acesim" lockstep --rtl tiny --cycles 5000 --quiet --cover >"$work/cover" 2>&1
cmp -s <(head -n 3 "$work/cover") "$work/out"
verdict $? "lockstep --cover is another run: $(head -n 1 "$work/cover"), without: $(cat "$work/out")"
awk 'function ends() { if (name && met + never != all) { print name, met, never, all; exit } }
     / of +[0-9]+$/ { ends(); name = $0; never = 0; all = $NF; met = $(NF - 2); crosses++; if (/^kind x type/) { types = all; kinds = met } }
     /^  never: / { never++ }
     /^unit x cycle/ { units = all }
     END { ends(); print crosses, types, units, (kinds > 0) }' "$work/cover" >"$work/crosses"
# 11 kinds of 7 types, and four classes of 11 units and two links for each of three dimensions
[ "$(cat "$work/crosses")" = '9 77 68 1' ]
verdict $? "what was met: $(cat "$work/crosses"), $(cat "$work/cover")"
refused 'found no node on the rung rtl' collective all-reduce --rtl tiny --chunk 2KiB
refused 'has no engine' collective all-reduce --rung rtl --rtl tiny --control registers --chunk 2KiB
refused 'expected 3 dimensions' collective all-reduce --topology 2x2x2x2 --rung rtl --rtl tiny
refused 'expected 4, which --rtl tiny has' collective all-reduce --rung rtl --rtl tiny --fsms 8
refused 'expected 4, which --rtl tiny has' collective all-reduce --rung rtl --rtl tiny --sub-banks 2

# ---- rows without values ----------------------------------------------------------------------
# All numbers must be the same, except those of how it was run. Such a node has the pins of links and memory, bursts and
# lists, and every counter of every unit.
rows_without_values() {
    local merge timing run name
    "$acesim" rtl build --tuned --name timing --parameters "${parameters[@]}" PAYLOAD=0 >"$work/out" 2>&1
    verdict $? "build without payload: $(tail -n 5 "$work/out")"
    ls "$ACESIM_RTL"/objects/*.profile >/dev/null
    verdict $? "a tuned build has counted nothing"
    # Profile counts of other code must be reported, not ignored.
    merge=llvm-profdata-$(clang++ --version | sed -nE '1s/.*clang version ([0-9]+).*/\1/p')
    printf 'of_nothing_here\n1\n1\n1\n' >"$work/other"
    {
        echo '#!/bin/sh'
        echo "exec '$(command -v "$merge")' merge -o \"\$3\" '$work/other'"
    } >"$work/bin/$merge"
    chmod +x "$work/bin/$merge"
    timing=$ACESIM_RTL/sets/$(sed -n 's/^digest //p' "$ACESIM_RTL/named/timing/set.txt").so
    rm "$timing"
    PATH=$work/bin:$PATH "$acesim" rtl build --tuned --name other --parameters "${parameters[@]}" PAYLOAD=0 >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q 'no profile data available' "$work/out"
    verdict $? "counts of other code: $(tail -n 5 "$work/out")"
    ln "$ACESIM_RTL/named/timing/ace_set.so" "$timing"
    for run in 'all-reduce --faults link:1e-4:7' 'all-to-all' 'all-to-all-v --skew 0.7' 'reduce-scatter --dims z,x,y'; do
        for name in tiny timing; do
            # shellcheck disable=SC2086
            "$acesim" collective $run --topology 2x2x1 --size 24KiB --chunk 2KiB --rung rtl --rtl $name --fold off \
                --format json 2>"$work/err" | grep -vE '"(rtl|config_digest|run_digest|command|wall[a-z_]*|memory[a-z_]*MiB)":' >"$work/$name.run"
        done
        [ -s "$work/tiny.run" ] && cmp -s "$work/tiny.run" "$work/timing.run"
        verdict $? "$run without payload differs: $(diff "$work/tiny.run" "$work/timing.run" | head -n 4) $(cat "$work/err")"
    done
    refused 'whose rows have no values' collective all-reduce --topology 2x2x1 --rung rtl --chunk 2KiB --rtl timing --payload random
    refused 'whose rows have no values' collective all-reduce --topology 2x2x1 --rung rtl --chunk 2KiB --rtl timing --faults scratchpad:1e-6
    refused 'whose rows have no values' lockstep --rtl timing
    "$acesim" rtl list | grep -q '^timing .* PAYLOAD=0'
    verdict $? "the list does not say that timing has no payload"
}
[[ -z ${LONG:-} ]] || rows_without_values
refused 'expected it without' rtl build --engine --parameters PAYLOAD=0
refused 'expected PAYLOAD=0 or PAYLOAD=1' rtl build --parameters PAYLOAD=2

# ---- a line is edited ------------------------------------------------------------------------
# A link that sends only while it holds three credits or more: slower where buffers are short.
mkdir "$work/mine"
sed 's/^\( *wire  *ready  *= waiting &&\) .*/\1 credits_q > 2;/' rtl/ace_link_port.v >"$work/mine/ace_link_port.v"
! cmp -s rtl/ace_link_port.v "$work/mine/ace_link_port.v"
verdict $? "the line to be edited was not found in rtl/ace_link_port.v"
"$acesim" rtl build --name mine --source "$work/mine" "${parameters[@]}" >"$work/out" 2>&1
verdict $? "build of the edit: $(tail -n 5 "$work/out")"
collective mine.json --rung rtl --rtl mine --chunk 2KiB
[ "$(value mine.json cycles)" -gt "$(value tiny.json cycles)" ]
verdict $? "the edit: found $(value mine.json cycles) cycles, expected more than $(value tiny.json cycles)"
[ "$(value mine.json config_digest)" != "$(value tiny.json config_digest)" ]
verdict $? "the edit has the config_digest of the sources"
"$acesim" lockstep --rtl mine --cycles 20000 --quiet --wave "$work/first.fst" >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q '^repeat: acesim rtl lockstep --rtl mine' "$work/out"
verdict $? "lockstep of the edit: $(head -n 3 "$work/out")"

# ---- what was built before is not built again, and goes when it is told to --------------------
"$acesim" rtl build --name again --parameters "${parameters[@]}" >"$work/out" 2>&1
grep -q 'found as it was built before' "$work/out"
verdict $? "built again: $(cat "$work/out")"
"$acesim" rtl list >"$work/out"
[ "$(awk '$1 == "tiny" || $1 == "again" { print $2, $3 }' "$work/out" | sort -u | wc -l)" = 1 ] &&
    grep -q '^mine .*FSMS=4' "$work/out"
verdict $? "list: $(cat "$work/out")"
"$acesim" rtl remove again && "$acesim" lockstep --rtl tiny --cycles 10 --quiet >/dev/null
verdict $? "removed one of two names"
refused 'found' collective all-reduce --rung rtl --rtl again
"$acesim" rtl remove --all && [ -z "$(find "$ACESIM_RTL" -type f)" ]
verdict $? "remove --all leaves $(find "$ACESIM_RTL" -type f)"

echo "rtl: $passed passed, $failed failed"
[ $failed -eq 0 ]

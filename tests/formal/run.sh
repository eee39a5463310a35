#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the proofs of proofs.txt about the modules of rtl/:
#
#   tests/formal/run.sh [--quick] [--mutations] [PROOF ...]     all proofs, or some
#
# A table in Markdown is printed, a row a proof with what it found and the CPU time; the exit
# status is 0 when every one holds.  With --mutations the script then plants the bugs of
# mutations.txt one by one in a copy of rtl/, and each proof must find its bugs.  WORK names a
# folder to keep models and traces in.  PROOF.v has the text of a property.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
quick='' mutations=''
while [[ ${1:-} == --* ]]; do
    case $1 in
        --quick) quick=1 ;;
        --mutations) mutations=1 ;;
        *) echo "run.sh: found $1, expected --quick, --mutations or the names of proofs" >&2; exit 2 ;;
    esac
    shift
done
for name in "$@"; do
    [[ -f tests/formal/$name.v ]] ||
        { echo "run.sh: found no proof $name, expected one of $(ls tests/formal/*.v | xargs -n1 basename -s .v | paste -sd' ')" >&2; exit 2; }
done

# model RTL DIR PROOF ENGINE [NAME=VALUE ...]: the proof as and-inverter graph DIR/model.aig
model() {
    local rtl=$1 dir=$2 proof=$3 engine=$4 set cut= inside; shift 4
    mkdir -p "$dir"
    cp "tests/formal/$proof.v" "$dir/top.v"
    for set in "$@"; do
        grep -qE "parameter ${set%=*} += " "$dir/top.v" || { echo "$proof.v has no parameter ${set%=*}" >&2; exit 2; }
        sed -i -E "s/(parameter ${set%=*} += *)[0-9]+/\1${set#*=}/" "$dir/top.v"
    done
    # a trace that exists is a claim that it does not, refuted
    [[ $engine != cover:* ]] || sed -i -E 's/\bassert \(/if (0) &/; s/\bcover \((.*)\);/assert (!(\1));/' "$dir/top.v"
    # what is any number, and the memories whose words assertions name: see the head of a proof
    [[ $engine == cover:* ]] || cut=$(sed -n 's|^// cut: |cutpoint w:|p' "$dir/top.v")
    inside=$(sed -n 's|^// inside: ||p' "$dir/top.v" | sed 's|[^ ]*|*/m:&|g')
    yosys -q -l "$dir/yosys.log" -p "
        read_verilog -formal -sv -I tests/formal $dir/top.v
        hierarchy -check -top $proof -libdir $rtl
        ${inside:+proc -noopt; memory_map $inside; flatten}
        prep -top $proof -flatten -nordff
        $cut
        memory_map; async2sync; chformal -cover -remove
        write_rtlil $dir/model.il" >"$dir/yosys.out" 2>&1 ||
        { cat "$dir/yosys.out" >&2; exit 1; }
    [[ $engine != ind ]] || given "$dir/model.il"
    yosys -q -l "$dir/yosys.log" -p "
        read_rtlil $dir/model.il
        opt -full; techmap; opt -fast; dffunmap; setundef -undriven -anyseq
        delete -output
        abc -g AND -fast; opt_clean
        write_aiger -zinit -map $dir/model.map $dir/model.aig" >"$dir/yosys.out" 2>&1 ||
        { cat "$dir/yosys.out" >&2; exit 1; }
}

# given FILE: each assertion of a flat module in RTLIL becomes: when all held a cycle ago, it holds
given() {
    perl -0pi -e '
        my ($n, $all, $wires, $cells) = (0, "1\x271", "  attribute \\init 1\x271\n  wire \\held\n");
        sub gate {
            my ($type, $a, $b) = @_;
            my $y = sprintf "\\given_%d", $n++;
            $wires .= "  wire $y\n";
            $cells .= "  cell $type $y.gate\n    connect \\A $a\n    connect \\B $b\n    connect \\Y $y\n  end\n";
            $y
        }
        s{(cell \$assert \S+\s+connect \\A )(.*)(\s+connect \\EN )(.*)}{
            my ($head, $holds, $middle, $when) = ($1, $2, $3, $4);
            $all = gate(q($_AND_), $all, gate(q($_ORNOT_), $holds, $when));
            $head . gate(q($_ORNOT_), $holds, "\\held") . $middle . $when
        }ge;
        s/^module .*\n/$&$wires/m;
        s/\nend\s*$/\n$cells  cell \$_FF_ \\held.ff\n    connect \\D $all\n    connect \\Q \\held\n  end\nend\n/;
    ' "$1"
}

# solve DIR ENGINE: what came out, as `proved WHAT`, `refuted FRAME` or `open`
solve() {
    local dir=$1 command=pdr out
    if [[ $2 == ind ]]; then solve_led "$dir"; return; fi
    [[ $2 == pdr ]] || command="bmc3 -F ${2#*:}"
    out=$(yosys-abc -c "read_aiger $dir/model.aig; fold; strash; $command" 2>&1 | tr -d '\0')
    printf '%s\n' "$out" >"$dir/abc.log"
    # nothing is left that depends on a state: PDR alone takes that
    if [[ $out == *'Does not work for combinational networks'* ]]; then solve "$dir" pdr; return; fi
    if [[ $out =~ 'asserted in frame '([0-9]+) ]]; then echo "refuted ${BASH_REMATCH[1]}"
    elif [[ $out == *'Property proved'* ]]; then
        [[ $out =~ 'Verification of invariant with '([0-9]+)' clauses was successful' ]] &&
            echo "proved ${BASH_REMATCH[1]} clauses" || echo "proved structure"
    elif [[ $2 != pdr && $out =~ 'No output '[a-z]+' in '([0-9]+)' frames' ]]; then echo "proved ${BASH_REMATCH[1]} cycles"
    else echo open; fi
}

# solve_led DIR: proves the first cycles, then one step for each assertion, from a cycle in which
# all hold.  An assertion whose conditions folded to a constant depends on no state; PDR proves it.
solve_led() {
    local dir=$1 begin="read_aiger $1/model.aig; fold; strash" out outputs n sizes='' steps='' free=0 latches
    out=$(yosys-abc -c "$begin; print_stats; bmc3 -F 3" 2>&1 | tr -d '\0')
    if [[ $out =~ 'asserted in frame '([0-9]+) ]]; then echo "refuted ${BASH_REMATCH[1]}"; return; fi
    [[ $out =~ 'No output '[a-z]+' in '3' frames' || $out == *'Does not work for combinational networks'* ]] &&
        [[ $out =~ i/o\ =\ *[0-9]+/\ *([0-9]+) ]] || { echo open; return; }
    outputs=${BASH_REMATCH[1]}
    for ((n = 0; n < outputs; n++)); do sizes+="; cone -s -O $n; scleanup; print_stats; restore"; done
    n=0
    while read -r latches; do
        steps+="; cone -s -O $n; scleanup; $([[ $latches -gt 0 ]] && echo ind -F 2 || echo pdr); restore"
        [[ $latches -gt 0 ]] || free=$((free + 1))
        n=$((n + 1))
    done < <(yosys-abc -c "$begin; backup$sizes" 2>&1 | sed -n 's/.* lat = *\([0-9]*\).*/\1/p')
    out=$(yosys-abc -c "$begin; backup$steps" 2>&1 | tr -d '\0')
    printf '%s\n' "$out" >"$dir/abc.log"
    if [[ $out =~ 'asserted in frame '([0-9]+) ]]; then echo "refuted ${BASH_REMATCH[1]}"
    elif [[ $(grep -cE 'Networks are equivalent|Property proved' <<<"$out") -eq $outputs ]]; then
        echo "proved $outputs assertions$([[ $free -eq 0 ]] || echo ", $free of no state")"
    else echo open; fi
}

seconds() { local user; user=$(awk '{ print $16 + $17 }' /proc/$$/stat); awk -v t="$user" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.1f", t / hz }'; }
failed=0 proofs=0
printf '| proof | module | parameters | method | result | s |\n|---|---|---|---|---|--:|\n'
while read -r proof module engine speed parameters; do
    [[ $proof && $proof != \#* ]] || continue
    [[ $# -eq 0 || " $* " == *" $proof "* ]] || continue
    [[ ! $quick || $speed == quick ]] || continue
    proofs=$((proofs + 1))
    dir=$work/$proofs.$proof begin=$(seconds)
    # shellcheck disable=SC2086
    model rtl "$dir" "$proof" "$engine" $parameters
    read -r verdict detail <<<"$(solve "$dir" "$engine")"
    case $engine,$verdict in
        cover:*,refuted) result="reached in cycle $detail" ;;
        cover:*,*) result='NOT REACHED' failed=$((failed + 1)) ;;
        *,proved) result="holds, $detail" ;;
        *,refuted) result="FAILS in cycle $detail" failed=$((failed + 1)) ;;
        *) result=OPEN failed=$((failed + 1)) ;;
    esac
    case $engine in
        pdr) method='induction (PDR)' ;;
        ind) method='induction, led' ;;
        bmc:*) method="bounded, ${engine#*:}" ;;
        cover:*) method=cover ;;
    esac
    printf '| %s | %s | %s | %s | %s | %.1f |\n' "$proof" "$module" "${parameters:--}" "$method" "$result" \
        "$(awk -v a="$begin" -v b="$(seconds)" 'BEGIN { print b - a }')"
done <tests/formal/proofs.txt
echo "$proofs proofs, $failed failed"
[[ $proofs -gt 0 ]] || exit 2

if [[ $mutations ]]; then
    found=0 missed=0
    while IFS= read -r line; do
        [[ $line && $line != \#* ]] || continue
        proof=${line%% *} rest=${line#* } parameters=''
        while [[ ${rest%% *} == *=* ]]; do parameters+="${rest%% *} "; rest=${rest#* }; done
        [[ $# -eq 0 || " $* " == *" $proof "* ]] || continue
        rm -rf "$work/rtl"; cp -r rtl "$work/rtl"
        LINE=$rest perl -0pi -e '
            my ($old, $new) = $ENV{LINE} =~ /^\w+: (.*) ==> (.*)$/ or die "cannot read: $ENV{LINE}\n";
            my $found = s/\Q$old\E/$new/g;
            die "$found times, expected once: $ENV{LINE}\n" if $found != 1;
        ' "$work/rtl/${rest%%:*}.v"
        cmp -s "rtl/${rest%%:*}.v" "$work/rtl/${rest%%:*}.v" && { echo "not found: $line" >&2; exit 2; }
        dir=$work/mutant
        # shellcheck disable=SC2086
        model "$work/rtl" "$dir" "$proof" bmc:66 $parameters
        read -r verdict detail <<<"$(solve "$dir" bmc:66)"
        if [[ $verdict == refuted ]]; then found=$((found + 1)); printf 'found in cycle %s: %s\n' "$detail" "$line"
        else missed=$((missed + 1)); printf 'MISSED %s\n' "$line"; fi
    done <tests/formal/mutations.txt
    echo "$found bugs found, $missed missed"
    failed=$((failed + missed))
fi
[[ $failed -eq 0 ]]

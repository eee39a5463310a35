#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the object of one set of hardware parameters, or of RTL that was changed: what
# `acesim rtl build` runs.
#
#     cmake/rtl_set.sh HOME SOURCE CACHE NAME INTERFACE VERILATOR FLAGS ENGINE TUNER NAME=VALUE ...
#
#   HOME       where rtl/, bridge/, cmodel/ and cmake/ are: the tree, or share/acesim
#   SOURCE     a folder of modules; those that it lacks are taken from HOME/rtl
#   CACHE      CACHE/named/NAME/ is the set: ace_set.so, and set.txt, which says what it is
#   NAME       or "", for one made of its contents
#   INTERFACE  of the program that is to load it: build_interface of build_info.h
#   VERILATOR  whose runtime that program holds, "5.006"
#   FLAGS      for the compiler, which the program was built with: -march=...
#   ENGINE     with-engine: also the engine with its registers; or no-engine
#   TUNER      the program acesim, for a set that long runs are made with; or untuned
#   NAME=VALUE all parameters of ace_node.v; PAYLOAD=0 with no-engine alone, or not there
#
# By content: an object is known by the text of what it was compiled from, and is compiled once.  An
# edit of a line changes few of the files that Verilator writes, so few are compiled again.  What runs
# each cycle is compiled with -O1, the ALUs and what runs once with -O0: a loop of edits spends its time
# in the compiler, not in the run (docs/developer/try-rtl.md has the figures).  A tuned set is compiled
# with -O3 twice: its first object counts, in a few collectives, which way branches go, and by that clang
# lays out the second one.
#
# Exit status 2: what was asked for cannot be made, after a message that says why.
set -euo pipefail
export LC_ALL=C
home=$1 source=$2 cache=$3 name=$4 interface=$5 verilator=$6 flags=$7 engine=$8 tuner=$9
shift 9
parameters=("$@")

refuse() { echo "acesim rtl build: $1" >&2; exit 2; }
# Progress on standard error: a line that counts files at a terminal, elsewhere one line for each object.
say() { echo "acesim rtl build: $1" >&2; }
# TOTAL WHAT: passes lines on, and counts them at a terminal.
counted() {
    local line done=0
    while IFS= read -r line; do
        echo "$line"
        done=$((done + 1))
        if [ -t 2 ]; then printf '\racesim rtl build: %d of %d files are %s, after %d s ' $done "$1" "$2" $SECONDS >&2; fi
    done
    if [ -t 2 ]; then echo >&2; fi
}

# ---- what is there ------------------------------------------------------------------------------
command -v verilator >/dev/null ||
    refuse "found no verilator, expected Verilator $verilator: apt-get install verilator"
found=$(verilator --version | cut -d' ' -f2)
[ "$found" = "$verilator" ] ||
    refuse "found Verilator $found, expected $verilator, whose runtime acesim was built with"
compiler=${CXX:-}
for c in clang++ g++; do
    [ -n "$compiler" ] || ! command -v $c >/dev/null || compiler=$c
done
[ -n "$compiler" ] && command -v "$compiler" >/dev/null ||
    refuse "found no C++ compiler${compiler:+ $compiler}, expected clang++ or g++: apt-get install clang"
if [ "$tuner" != untuned ]; then
    found=$("$compiler" --version | sed -nE '1s/.*clang version ([0-9]+).*/\1/p')
    [ -n "$found" ] || refuse "--tuned: found the compiler $compiler, expected clang++: apt-get install clang"
    for merge in "llvm-profdata-$found" "/usr/lib/llvm-$found/bin/llvm-profdata" ''; do
        ! command -v "$merge" >/dev/null || break
    done
    [ -n "$merge" ] || refuse "--tuned: found no llvm-profdata, expected that of clang $found: apt-get install llvm-$found"
fi
compgen -G "$source/*.v" >/dev/null ||
    refuse "--source: found no Verilog in $source, expected a folder of modules such as $home/rtl"

hash() { sha256sum | cut -d' ' -f1; }
# Hashes names and contents, as cmake/build_info.cmake does; acesim --version shows the hash of rtl/.
rtl=$(cd "$home" && for f in rtl/*.v rtl/*.vh; do basename "$f"; done
      cd "$source" && for f in *.v *.vh; do [ ! -f "$f" ] || echo "$f"; done)
rtl=$(sort -u <<<"$rtl" | while read -r f; do
          at=$source/$f
          [ -f "$at" ] || at=$home/rtl/$f
          echo "rtl/$f $(hash <"$at")"
      done | hash)
now=$(cd "$home" && sha256sum bridge/*.h bridge/ace_rtl_set.cc cmodel/*/*.h cmodel/*/*.def |
    sed -E 's/^([^ ]+)  (.*)/\2 \1/' | sort | hash)
[ "$now" = "$interface" ] ||
    refuse "found headers in $home that are not those acesim was built with, expected it built anew"
digest=$({ echo "$rtl $interface $verilator $flags $engine ${tuner/#\/*/tuned} ${parameters[*]}"
           "$compiler" --version; cat "$0" "$home"/cmake/{shared.vlt,alike.pl} | hash; } | hash)
digest=${digest:0:16}

# ---- is it there --------------------------------------------------------------------------------
[ -n "$name" ] || name=rtl-${digest:0:8}
told=$(mkdir -p "$cache/objects" "$cache/sets" "$cache/named" 2>&1) ||
    refuse "found $cache, where no folder can be made (${told##*: }), expected ACESIM_RTL or HOME to name one that can be written"
work=$cache/work.$$
trap 'rm -rf "$work"' EXIT
mkdir "$work"

# A finished file is renamed into its place, so that readers never see a part of it.
describe() { # NAME
    echo "name $1"
    echo "rtl ${rtl:0:16}"
    echo "digest $digest"
    echo "date $(date -u +%Y-%m-%dT%H:%MZ)"
    echo "source $source"
    echo "engine $engine"
    echo "parameters ${parameters[*]}"
}
put() {
    mkdir "$work/put"
    ln "$cache/sets/$digest.so" "$work/put/ace_set.so"
    describe "$name" >"$work/put/set.txt"
    rm -rf "${cache:?}/named/$name"
    mv "$work/put" "$cache/named/$name"
    echo "$name: RTL ${rtl:0:16}, $1 in $SECONDS s"
    echo "acesim collective all-reduce --topology 4x4x4 --rung rtl --rtl $name"
}
if [ -f "$cache/sets/$digest.so" ]; then
    put "found as it was built before"
    exit 0
fi

# ---- Verilog to C++ -----------------------------------------------------------------------------
# Lint is told and does not stop: what is tried out need not be clean.
verilate() { # MODULE FOLDER ARGUMENTS...
    local module=$1 to=$work/$2 top=$source/$1.v
    shift 2
    [ -f "$top" ] || top=$home/rtl/$module.v
    verilator --cc --trace-fst --trace-depth 2 -O3 -Wall -Wno-fatal -fno-dfg-post-inline --x-assign fast \
        --x-initial unique --prefix "V$module" --Mdir "$to" --top "$module" "${parameters[@]/#/-G}" "$@" \
        -y "$source" "-I$source" -y "$home/rtl" "-I$home/rtl" "$home/cmake/shared.vlt" "$top" >"$work/said" 2>&1 && {
        cat "$work/said" >&2
        perl "$home/cmake/alike.pl" "$to"
        return
    }
    # Modules refuse parameters by the name of a module that is nowhere, which is the rule.  Those that
    # the node's own parameters break come first.
    local rules p
    rules=$(sed -nE "s/.*Cannot find file containing module: '([A-Z_]+_must_be_.*)'.*/\1/p" "$work/said")
    for p in "${parameters[@]}"; do
        local rule
        rule=$(grep -m1 "^${p%=*}_must_be_" <<<"$rules") || continue
        # "256_less_MEMORY_BURSTS": the name of a parameter stays one word
        refuse "--parameters: found $p, expected ${p%=*} $(sed -E 's/_([a-z0-9])/ \1/g; s/([a-z0-9])_/\1 /g' \
            <<<"${rule#"${p%=*}"_must_be_}")"
    done
    cat "$work/said" >&2
    refuse "found Verilog that Verilator does not take, expected it to be mended as said above"
}
if [ -t 2 ]; then say 'Verilator makes C++ of the Verilog, which takes seconds'; fi
verilate ace_node node --savable &
node=$!
if [ "$engine" = with-engine ]; then verilate ace_engine engine; fi
wait $node || exit $?
bash "$home/cmake/registers.sh" Vace_node "$work/node/Vace_node___024root.h" "$work/node/Vace_node_registers.h"

{
    completions=0
    echo '#include "Vace_node.h"'
    echo '#include "Vace_node_registers.h"'
    if [ "$engine" = with-engine ]; then
        echo '#include "Vace_engine.h"'
        echo '#define ACE_SET_ENGINE Vace_engine'
        completions=ACE_CONTROL_COMPLETIONS
    fi
    printf '#define ACE_SET_NODE Vace_node\n#define ACE_SET_COMPLETIONS %s\n' $completions
    echo '#define ACE_SET_NAME "rtl"'
    printf '#define ACE_SET_RTL "%s"\n#define ACE_SET_INTERFACE "%s"\n' "${rtl:0:16}" "$interface"
    payload=true list=
    for p in "${parameters[@],,}"; do
        if [ "$p" = payload=0 ]; then payload=false; else list+=", .$p"; fi
    done
    printf '#define ACE_SET_PARAMETERS { %s }\n#define ACE_SET_PAYLOAD %s\n' "${list#, }" $payload
} >"$work/ace_set.h"
cp "$home/bridge/ace_rtl_set.cc" "$work"

# ---- C++ to an object ---------------------------------------------------------------------------
# An object is known by its source, the headers beside it that this takes in, the compiler, the flags, and what PROFILE has
# counted.  keys.pl prints that behind each line of FILE LEVEL; compile FILE LEVEL KEY prints the object.
cat >"$work/keys.pl" <<'END'
use strict;
use Digest::SHA 'sha256_hex';
my %text;
sub text { $text{$_[0]} //= do { local $/; open my $f, '<', $_[0] or die "$_[0]: $!"; <$f> } }
while (<STDIN>) {
    my ($file, $level) = split;
    my ($folder) = $file =~ m{(.*)/};
    my @files = $file;
    my %seen = ($file => 1);
    for (my $i = 0; $i < @files; $i++) {
        push @files, grep { -f $_ && !$seen{$_}++ } map { "$folder/$_" } text($files[$i]) =~ /^#include "(Vace_[^"]*)"/mg;
    }
    push @files, $ENV{PROFILE} if $ENV{PROFILE} ne '';
    print "$file $level ", sha256_hex("$ENV{COMPILE} $level $ENV{COMPILER_VERSION}\n", map { text($_) } @files), "\n";
}
END
cat >"$work/compile" <<'END'
set -euo pipefail
file=$1 level=$2 key=$3
object=$CACHE/objects/$key.o
if [ -f "$object" ]; then
    touch "$object"
else
    # Counts that are of other code are an error: without it clang leaves them out and goes on.
    counts=(-w)
    [ -z "$PROFILE" ] || counts=(-fprofile-instr-use="$PROFILE" -Wno-everything
                                 -Werror=profile-instr-unprofiled -Werror=profile-instr-out-of-date)
    read_before=()
    [ ! -f "runtime$level.pch" ] || read_before=(-include-pch "runtime$level.pch")
    $COMPILE $level "${counts[@]}" "${read_before[@]}" -I"${file%/*}" -c "$file" -o "$object.$$"
    mv "$object.$$" "$object"
fi
echo "$object"
END
runtime=$(verilator --getenv VERILATOR_ROOT)/include
export CACHE=$cache COMPILER_VERSION COMPILE PROFILE=
COMPILER_VERSION=$("$compiler" --version | head -1)
common="$compiler -std=c++17 -fPIC $flags -isystem $runtime -isystem $runtime/vltstd \
    -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVM_COVERAGE=0 -DVM_SC=0"
folders=$(printf ' -I%s' "$home/bridge" "$home"/cmodel/*/ "$work/node" "$work/engine")
# One name is seen from outside: classes of the same names are in the program.
echo '{ global: ace_rtl_set_of_object; local: *; };' >"$work/exported"

# LEVEL: the headers of Verilator's runtime as clang has read them, runtimeLEVEL.pch.  To read them takes longer than to
# compile most files.  They are kept beside the objects, with the file that names them, which clang looks for again.
# Where it cannot be made, the files say why.
read_runtime() {
    local kept
    kept=$cache/objects/$({ echo "$COMPILE $1 $COMPILER_VERSION"; ls -lL "$runtime"/*.h 2>&1 || :; } | hash)
    if [ -f "$kept.pch" ] && [ -f "$kept.h" ]; then
        touch -a "$kept.pch" "$kept.h"
    else
        printf '#include "%s"\n' verilated.h verilated_dpi.h verilated_save.h verilated_fst_c.h >"$kept.h"
        $COMPILE -w "$1" -x c++-header "$kept.h" -o "$kept.$$" 2>/dev/null || return 0
        mv "$kept.$$" "$kept.pch"
    fi
    ln -sf "$kept.pch" "runtime$1.pch"
}

link() { # OBJECT LEVEL LEVEL_OF_ALUS FLAG...
    local to=$1 level=$2 alus=$3 f at total
    shift 3
    total=$(printf '%s\n' */V*.cpp | wc -l)
    say "compiles $total files of C++ into $to, which takes minutes where none of them was compiled before"
    COMPILE="$common $*"
    rm -f runtime*.pch
    if [[ $COMPILER_VERSION == *clang* ]]; then
        read_runtime -O0 &
        read_runtime "$level"
        wait $!
    fi
    for f in */V*.cpp; do
        case $f in
        *__Slow.cpp | *__Syms.cpp | *__ConstPool_*.cpp | *__Trace__*.cpp) at=-O0 ;;
        *_ace_alu__*) at=$alus ;;
        *) at=$level ;;
        esac
        printf '%s %s\n' "$f" "$at"
    done | perl keys.pl | xargs -P "$(nproc)" -n 3 bash ./compile | counted "$total" compiled >objects || refuse "found C++ that $compiler does not compile"
    $COMPILE -w -O1 -DACE_SET_OBJECT -I"$work" $folders -c ace_rtl_set.cc -o ace_rtl_set.o
    xargs "$compiler" -shared "$@" -Wl,--version-script=exported -o "$to" ace_rtl_set.o <objects
}

# The runs that the first object of a tuned set counts: folded to a node each, without values and with.
try() { # COLLECTIVE OPTION...
    local dimensions=4x4x4
    [[ " ${parameters[*]} " != *' DIMENSIONS=4 '* ]] || dimensions=4x4x4x2
    ACESIM_RTL=$work/first LLVM_PROFILE_FILE=$work/counts/%p.raw "$tuner" collective "$1" --topology $dimensions \
        --rung rtl --rtl first --quiet "${@:2}" >"$work/said" 2>&1
}
count() {
    local chunk=64KiB
    mkdir -p "$work/first/named/first" "$work/counts"
    ln "$work/first.so" "$work/first/named/first/ace_set.so"
    describe first >"$work/first/named/first/set.txt"
    # A small scratchpad has no room for chunks of the usual size.
    try all-reduce --size 1MiB --chunk $chunk || chunk=2KiB
    try all-reduce --size 1MiB --chunk $chunk && try all-to-all --size 256KiB --chunk $chunk || {
        cat "$work/said" >&2
        refuse "--tuned: found RTL that cannot be tried, expected an all-reduce on it to end"
    }
    [[ " ${parameters[*]} " == *' PAYLOAD=0 '* ]] ||
        try all-reduce --size 256KiB --chunk $chunk --topology 2x2x1 --payload random || true
    "$merge" merge -o "$work/counted" "$work"/counts/*.raw
    PROFILE=$cache/objects/$(hash <"$work/counted").profile
    mv "$work/counted" "$PROFILE"
}

cd "$work"
if [ "$tuner" = untuned ]; then
    link set.so -O1 -O0
else
    link first.so -O1 -O1 -fprofile-instr-generate
    count
    link set.so -O3 -O3
fi
mv set.so "$cache/sets/$digest.so"
put built
find "$cache/objects" -mtime +30 -atime +30 -type f -delete

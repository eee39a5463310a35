#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# How many lines of the readers the inputs of a campaign reach:
#
#   tests/fuzz/lines.sh CORPUS      CORPUS/READER holds inputs, as all.sh leaves them in OUTPUT/corpus
#
# Builds the readers once more in build/lines, with llvm's counters.  A line for each reader: lines of its
# files (readers.txt) that ran, and all of them; of functions that the reader cannot call (a file that reads
# often writes, too, or reads for others), which the linker leaves out, none is counted.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ $# -eq 1 && -d $1 ]] || { sed -n '4,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
corpus=$(cd "$1" && pwd)
flags='-fprofile-instr-generate -fcoverage-mapping -O0 -ffunction-sections'
mkdir -p build
(export LLVM_PROFILE_FILE=/dev/null; cmake -S . -B build/lines -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release \
    -DACE_RTL=OFF -DACE_UNITS=ON -DCMAKE_C_FLAGS="$flags" -DCMAKE_C_FLAGS_RELEASE= -DCMAKE_EXE_LINKER_FLAGS="-fuse-ld=lld -Wl,--gc-sections" &&
    cmake --build build/lines --target fuzzers) >build/lines.log 2>&1 || { tail -n 20 build/lines.log >&2; exit 1; }
tool() { command -v "$1" || command -v "$1-$(clang -dumpversion | cut -d. -f1)"; }
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)
nm=$(tool llvm-nm)
while read -r reader words; do
    program=build/lines/tests/fuzz_$reader
    inputs=()
    files=
    for word in $words; do
        if [[ $word == +* ]]; then inputs+=("${word#+}"); else files+=" $word"; fi
    done
    for folder in "tests/fuzz/corpus/$reader" "$corpus/$reader"; do
        [[ -d $folder ]] && inputs+=("$folder")
    done
    # -runs=0: each input once
    LLVM_PROFILE_FILE=build/lines/$reader.raw "$program" -runs=0 -rss_limit_mb=2048 -timeout=60 -close_fd_mask=3 \
        "${inputs[@]}" >"build/lines/$reader.log" 2>&1 </dev/null || { echo "FAIL $reader: build/lines/$reader.log"; exit 1; }
    "$profdata" merge -o "build/lines/$reader.profdata" "build/lines/$reader.raw"
    # Functions by where they begin (FN), lines and how often they ran (DA), by file (SF).
    { "$nm" "$program" | awk '{ print "HAS " $NF }'; "$cov" export -format=lcov "$program" -instr-profile="build/lines/$reader.profdata"; } |
        awk -v reader="$reader" -v inputs="$(find "${inputs[@]}" -type f | wc -l)" -v files="$files" '
            BEGIN { n = split(files, file, " ") }
            /^HAS / { has[$2] = 1 }
            /^SF:/ { of = 0; delete begins
                     for (i = 1; i <= n; i++) of = of || substr($0, length($0) - length(file[i])) == "/" file[i] }
            of && /^FN:/ { split(substr($0, 4), f, ","); name = f[2]; sub(/^.*:/, "", name); begins[f[1]] = (name in has) ? 1 : 2; at = 0 }
            of && /^DA:/ { split(substr($0, 4), d, ",")
                           for (l = at + 1; l <= d[1]; l++) if (l in begins) there = begins[l]
                           at = d[1]
                           if (there == 1) { all++; ran += d[2] > 0 } }
            END { printf "%s: %d of %d lines, %d inputs\n", reader, ran, all, inputs; exit !all }'
done < <(grep '^[a-z]' tests/fuzz/readers.txt)

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# How many lines of the readers the inputs of a campaign reach:
#
#   tests/fuzz/lines.sh CORPUS      CORPUS/READER holds inputs, as all.sh leaves them in OUTPUT/corpus
#
# Builds the readers once more in build/lines, with llvm's counters.  A line for each reader: lines of its
# files (readers.txt) that ran, and all of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ $# -eq 1 && -d $1 ]] || { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
corpus=$(cd "$1" && pwd)
flags='-fprofile-instr-generate -fcoverage-mapping -O1'
mkdir -p build
(export LLVM_PROFILE_FILE=/dev/null; cmake -S . -B build/lines -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release \
    -DACE_RTL=OFF -DACE_UNITS=ON -DCMAKE_C_FLAGS="$flags" -DCMAKE_C_FLAGS_RELEASE= &&
    cmake --build build/lines --target fuzzers) >build/lines.log 2>&1 || { tail -n 20 build/lines.log >&2; exit 1; }
tool() { command -v "$1" || command -v "$1-$(clang -dumpversion | cut -d. -f1)"; }
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)
while read -r reader words; do
    program=build/lines/tests/fuzz_$reader
    inputs=()
    files=
    for word in $words; do
        if [[ $word == +* ]]; then inputs+=("${word#+}"); else files+=" $word"; fi
    done
    for folder in "tests/fuzz/corpus/$reader" "$corpus/$reader"; do
        if [[ -d $folder ]]; then inputs+=("$folder"); fi
    done
    # -runs=0: each input once
    LLVM_PROFILE_FILE=build/lines/$reader.raw "$program" -runs=0 -rss_limit_mb=2048 -timeout=60 -close_fd_mask=3 \
        "${inputs[@]}" >"build/lines/$reader.log" 2>&1 </dev/null || { echo "FAIL $reader: build/lines/$reader.log"; exit 1; }
    "$profdata" merge -o "build/lines/$reader.profdata" "build/lines/$reader.raw"
    "$cov" report "$program" -instr-profile="build/lines/$reader.profdata" |
        awk -v reader="$reader" -v inputs="$(find "${inputs[@]}" -type f | wc -l)" -v files="$files" '
            BEGIN { n = split(files, file, " ") }
            { for (i = 1; i <= n; i++)    # llvm leaves out what all paths begin with
                  if (file[i] == $1 || substr($1, length($1) - length(file[i])) == "/" file[i]) { all += $8; missed += $9 } }
            END { printf "%s: %d of %d lines, %d inputs\n", reader, all - missed, all, inputs; exit !all }'
done < <(grep '^[a-z]' tests/fuzz/readers.txt)

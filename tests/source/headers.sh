#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks installed headers and libraries. Each header compiles alone, as C11 and as C++17, without a warning. The
# libraries define no C symbol that does not begin with ace_.
set -uo pipefail
acesim=${ACESIM:-build/release/acesim}
build=$(dirname "$acesim")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "FAIL $1"; failed=1; }

cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
folder=$work/prefix/include/acesim
warnings=(-Wall -Wextra -Wpedantic -Werror -I"$folder")
headers=0
for header in "$folder"/*.h; do
    name=$(basename "$header")
    [[ $name == V*.h || $name == ace_sc_*.h ]] && continue     # C++ of SystemC, which is not ours to warn of
    headers=$((headers + 1))
    printf '#include "%s"\nint nothing;\n' "$name" >"$work/alone.c"
    clang -std=c11 "${warnings[@]}" -fsyntax-only "$work/alone.c" >"$work/said" 2>&1 ||
        { wrong "$name alone as C11:"; head -n 5 "$work/said"; }
    clang++ -x c++ -std=c++17 "${warnings[@]}" -Wno-c++20-designator -Wno-c99-designator -fsyntax-only \
        "$work/alone.c" >"$work/said" 2>&1 || { wrong "$name alone as C++17:"; head -n 5 "$work/said"; }
done
[[ $headers -ge 10 ]] || wrong "found $headers headers, expected ten at least"

# A library built with sanitizers also has symbols of the sanitizer, which begin with __.
for library in libacesim libacesim_rtl; do
    file=$work/prefix/lib/$library.a
    [[ -e $file ]] || file=$(find "$work/prefix" -name "$library.a" | head -n 1)
    symbols=$(nm --defined-only --extern-only "$file" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
    [[ $(grep -c '^ace_' <<<"$symbols") -ge 5 ]] || wrong "$library: found hardly a symbol"
    others=$(grep -vE '^(ace_|_Z|__|DW\.|\.|vl_|Vace_|verilated|fst|lz4|LZ4|FASTLZ|fastlz|JenkinsHash|jenkins)' <<<"$symbols")
    [[ -z $others ]] || wrong "$library: found symbols $(head -n 8 <<<"$others" | paste -sd' '), expected ace_..."
done
[[ $failed -eq 0 ]] && echo "ok   $headers headers alone as C11 and C++17, libraries with symbols ace_ only"
exit $failed

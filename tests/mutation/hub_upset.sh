#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Are wrong bits in what reduces in a switch noticed by the checks that are there for them?  Leaves the checks of
# hub_upset_mutations.txt out of copies of rtl/ace_hub_reducer.v; without each, upset_hub must find wrong bits of
# its register that nobody tells, and with all of them none.
#
#   tests/mutation/hub_upset.sh      COUNT (of bits) and SEED may be set
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${COUNT:-1000} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tests/mutation/plant.sh
mapfile -t registers < <(grep -v '^#' tests/mutation/hub_upset_mutations.txt | grep . | cut -d' ' -f1)
sed -E 's/^[a-z_]+ (ace_)/\1/' tests/mutation/hub_upset_mutations.txt > "$work/list"
plant "$work/list" ace_hub_reducer "$work/rtl"
echo 'extern "C++" unsigned ace_mutant;' > "$work/mutant.h"
cat > "$work/mutant.cc" <<'END'
#include <cstdlib>
extern "C++" unsigned ace_mutant;
unsigned ace_mutant = std::getenv("MUTANT") ? unsigned(std::atoi(std::getenv("MUTANT"))) : 0;
END

folders=()
for folder in cmodel/*/; do folders+=("-I$PWD/$folder"); done
twins=()
for file in cmodel/nic/ace_hub_reducer.c cmodel/parts/*.c cmodel/plan/ace_reference.c cmodel/base/*.c \
    tests/campaign/upset_hub.c; do
    clang -std=c11 -O2 -ffp-contract=off "${folders[@]}" -Ibridge -c "$file" -o "$work/$(basename "$file" .c).o"
    twins+=("$work/$(basename "$file" .c).o")
done
ar rcs "$work/twins.a" "${twins[@]}"
# The program has the default parameters.
{
    verilator --cc --exe --savable -O3 -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast \
        --Mdir "$work/model" -I"$work/rtl" --top-module ace_hub_reducer \
        -CFLAGS "-std=c++17 -O1 -w -include $work/mutant.h ${folders[*]} -I$PWD/bridge -I." \
        -LDFLAGS "$work/upset_hub.o $work/twins.a -lpthread" -o upset_hub \
        "$work/rtl/ace_hub_reducer.v" "$PWD/bridge/ace_rtl_hub.cc" "$work/mutant.cc" &&
        cmake/registers.sh Vace_hub_reducer "$work/model/Vace_hub_reducer___024root.h" \
            "$work/model/Vace_hub_reducer_registers.h" &&
        make -C "$work/model" -f Vace_hub_reducer.mk CXX=clang++ LINK=clang++ upset_hub
} > "$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }

failed=0
try() { # NUMBER REGISTER WANT TEXT
    local status=0 verdict=pass said
    said=$(MUTANT=$1 "$work/model/upset_hub" "$count" "$seed" "$2") || status=$?
    [[ $status -eq $3 ]] || { verdict=FAIL; failed=$((failed + 1)); }
    printf '%s %s: %s\n     %s\n' "$verdict" "$2" "$4" "${said##*$'\n'}"
}
for ((i = 0; i < number; i++)); do
    try 0 "${registers[i]}" 0 'no bug'
    try $((i + 1)) "${registers[i]}" 1 "${mutations[i]}"
done
echo "$((2 * number - failed)) passed, $failed failed"
[[ $failed -eq 0 ]]

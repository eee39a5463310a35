#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Plants faults that the campaign must find, each in a copy of the committed tree in build/planted:
#
#   tests/mutation/campaign.sh
#
# Each is a line of C changed; then the part of the campaign that is there for it must fail, which it does not on
# the tree as it is.  The last line says how many were found.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
copy=build/planted
found=0
planted=0
mkdir -p "$copy"
git archive HEAD | tar -x -C "$copy" || exit 1
cd "$copy" || exit 1
build() { cmake --preset units >build.log 2>&1 && cmake --build --preset units --target "$@" >>build.log 2>&1; }
clang -shared -fPIC -D_POSIX_C_SOURCE=200809L tests/program/engine/kill/kill_at_checkpoint.c -o kill.so || exit 1

# Tests that must fail when their fault is planted.
recording() { tests/fuzz/all.sh build/units/tests fuzz 10 recording; }
checkpoint() {
    rm -f state
    LD_PRELOAD="$PWD/kill.so" KILL_FILE="$PWD/state" build/units/acesim collective all-reduce --topology 2x2 \
        --size 1MiB --fold off --quiet --checkpoint "$PWD/state" --checkpoint-every 2000
}
digest() { ACESIM="$PWD/build/units/acesim" bash "$(find tests/program -name digest.sh)"; }
retry() {
    timeout 60 build/units/acesim collective all-reduce --topology 4 --size 64KiB --payload random --check \
        --faults link:0.05:1 --quiet
}
state() { build/units/tests/state_test; }

plant() { # NAME TARGET FILE SED: a fault
    local name=$1 target=$2 file=$3 change=$4
    planted=$((planted + 1))
    cp "$file" kept
    build "$target" && ASAN_OPTIONS=verify_asan_link_order=0 "$name" >before.log 2>&1 ||
        { echo "FAIL $name: fails without its fault: $(tail -n 1 build.log before.log)"; return; }
    sed -i -E "$change" "$file"
    if cmp -s "$file" kept; then
        echo "FAIL $name: nothing to change in $file"
    elif ! build "$target"; then
        echo "FAIL $name: cannot be built: $(tail -n 1 build.log)"
    elif ASAN_OPTIONS=verify_asan_link_order=0 "$name" >after.log 2>&1; then
        echo "FAIL $name: not found"
    else
        echo "ok   $name: found"
        found=$((found + 1))
    fi
    cp kept "$file"
}

# a reader without its limit
plant recording fuzzers sim-top/observe/pin_recording.c \
    's/if \(r->position \+ bytes > r->segment\[r->present\]\.raw\) return false;//'
# a checkpoint without its fsync
plant checkpoint acesim sim-top/base/atomic_file.c 's/\(!fsync\(fileno\(file\)\) .*ENOTSUP\)/true/'
# a digest without a field
plant digest acesim sim-top/setup/setup_fields.def \
    's/FIELD\(SIZE, SIZE, size, COLLECTIVE, RESULT/FIELD(SIZE, SIZE, size, COLLECTIVE, WAY/'
# a dropped retry
plant retry acesim cmodel/nic/ace_link_guard.c 's/const bool late = g->retry \&\&/const bool late = false \&\& g->retry \&\&/'
# a state whose credits nobody looks at
plant state state_test cmodel/nic/ace_link_port.c 's/p->credits\[l\] <= p->input_rows, "/true, "/'
echo "campaign: $found of $planted planted faults found"
[[ $found -eq $planted ]]

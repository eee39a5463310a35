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
law() { tests/campaign/laws.py build/units/acesim --law "$1" --cases 16 --seed 1; }
surroundings() { law surroundings; }
keys() { law keys; }
jobs() { law jobs; }
table() { law table; }
read_back() { law read; }
advice() { law advice; }
bound() { tests/campaign/networks.py build/units/acesim --cases 15 --seed 1; }

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
    's/FIELD\(SIZE, SIZE, machine.size, COLLECTIVE, RESULT/FIELD(SIZE, SIZE, machine.size, COLLECTIVE, WAY/'
# a dropped retry
plant retry acesim cmodel/nic/ace_link_guard.c 's/const bool late = g->retry \&\&/const bool late = false \&\& g->retry \&\&/'
# a state whose credits nobody looks at
plant state state_test cmodel/nic/ace_link_port.c 's/p->credits\[l\] <= p->input_rows, "/true, "/'
# one fault for each law of laws.py: separators that a terminal's width takes away; a key that undoes an earlier one
plant surroundings acesim sim-top/base/figures.c 's/if \(left \&\& left % 3 == 0/if (!getenv("COLUMNS") \&\& left \&\& left % 3 == 0/'
plant keys acesim sim-top/setup/setup_fields.c \
    's/(parse_topology\(value, .*\));/\1; o->machine.cluster.memory_latency = 200;/'
# with several jobs another point is run; a table with other numbers than the JSON
plant jobs acesim sim-top/campaign/sweep_worker.c 's/(child\(&s->points\[)point\]/\1share->jobs > 1 \&\& point ? point - 1 : point]/'
plant table acesim sim-top/base/figures.c 's/plain, "%\.\*f", decimals, v/plain, "%.*f", decimals, 1.01 * v/'
# a result that its own reader refuses; advice that was tried without its change
plant read_back acesim sim-top/report/result_read.c \
    's/!cJSON_IsArray\(saved_item\(r->root, "node_groups"\)\)/cJSON_GetArraySize(saved_item(r->root, "node_groups")) < 2/'
plant advice acesim sim-top/explain/explain_trial.c 's/strdup\(change\)/strdup("--quiet")/'
# a switch of an ASTRA-sim file with twice its bandwidth, against networks.py
plant bound acesim sim-top/astra/astra_setup.c 's/npu_GBps\[d\] \/ 2;/npu_GBps[d];/'
echo "campaign: $found of $planted planted faults found"
[[ $found -eq $planted ]]

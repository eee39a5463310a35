#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests the first lines of a run's output. The numbers must be those of its JSON, formatted with separators and units by
# another program (SQLite). The bound must be the one for which the run was configured. Checks and effects of faults
# must be reported. --all must change nothing but the table.
. "$(dirname "$0")/../begin.sh"

has() { # TEXT: a part of the answer
    grep -qF -- "$1" "$work/out"
    verdict $? "$run: no '$1' in: $(cat "$work/out")"
}
lacks() { # TEXT
    ! grep -qF -- "$1" "$work/out"
    verdict $? "$run: '$1' in: $(cat "$work/out")"
}
ask() { # arguments: the answer, and the same run as JSON
    run=$*
    "$acesim" "$@" >"$work/out" 2>"$work/err"
    verdict $? "$*: $(cat "$work/err")"
    "$acesim" "$@" --format json >"$work/run.json" 2>"$work/err"
}
json() { # FORMAT EXPRESSION on the run: {cycles} is json_extract(run, '$.cycles')
    local of="json_extract(readfile('$work/run.json'), '\$."
    sqlite3 :memory: "SELECT printf('$1', $(sed "s:{:$of:g; s:}:'):g" <<<"$2"))"
}

# ---- a collective: time, bandwidth, share, bound, what to try ----------------------------------
ask collective all-reduce --topology 4x4x4 --size 16MiB
[ "$(sed -n '3,7s/  .*//p' "$work/out" | tr '\n' ' ')" = 'time bandwidth of links bound by to try ' ]
verdict $? "five lines first: $(cat "$work/out")"
has 'all-reduce of 16 MiB on 4x4x4, 64 NPUs; endpoint ace, rung cycle'
has "$(json '%,.3f us' '1.0 * {cycles} / {clock_MHz}') ($(json '%,d' '{cycles}') cycles at 1245 MHz)"
has "$(json '%.1f GB/s sent by each NPU' '{network_bandwidth_GBps}')"
has "$(json '%.1f' '100 * {fraction_of_ideal}') % of $(json '%.1f' '{ideal_network_bandwidth_GBps}') GB/s"
# a quarter of the bytes of x, on links of an eighth of its bandwidth
has 'bound by   links of y, z, in use '
has 'to try     --link-bandwidth=200,50,50'
# 16 MiB are read once, at 128 GB/s, in 131.072 us of 143.436 us
has '(close behind: memory, 91.'
lacks config_digest

# what to try does help
before=$(json '%d' '{cycles}')
"$acesim" collective all-reduce --topology 4x4x4 --size 16MiB --link-bandwidth=200,50,50 --format json \
    >"$work/run.json" 2>"$work/err"
[ "$(json '%d' '{cycles}')" -lt "$before" ]
verdict $? "more bandwidth: $(json '%d' '{cycles}') of $before cycles"

# each bound that a configuration forces, and the option against it
forced() { # BOUND OPTION arguments
    local bound=$1 option=$2
    shift 2
    ask "$@"
    grep -q "^bound by   $bound" "$work/out" && grep -qF -- "to try     $option" "$work/out"
    verdict $? "$*: expected '$bound' and '$option': $(cat "$work/out")"
}
forced 'memory bandwidth, in use 9' --memory-bandwidth=80GB/s \
    collective all-reduce --topology 4x4x4 --size 4MiB --memory-bandwidth 40GB/s
forced 'links of x, in use 9' --link-bandwidth=20,25,25 \
    collective reduce-scatter --topology 4x1x1 --size 2MiB --link-bandwidth 10,25,25
forced 'latency; no unit is in use more than' --link-latency=20000,20000,20000 \
    collective all-reduce --topology 2x2x2 --size 64KiB --link-latency 40000,40000,40000
forced 'FSM contexts' --fsms=8 collective all-reduce --topology 4x4x4 --size 4MiB --fsms 4 --contexts 4
forced 'scratchpad room' --bank-rows=800 \
    collective all-reduce --topology 4x4x4 --size 4MiB --chunk 16KiB --bank-rows 400

# 4096 chunks, of which software has 64 under way: larger ones, and no smaller ones, help
forced 'chunks in flight' --chunk=8192 \
    collective all-reduce --topology 4x4x4 --size 16MiB --endpoint no-overlap --chunk 4KiB

ask collective all-reduce --topology 4x4x4 --size 64MiB --link-bandwidth 1,1,1 --endpoint ideal
has "$(json '%,.3f ms' '{cycles} / 1e3 / {clock_MHz}')"
has 'bound by   links'

ask collective broadcast --topology 2x2x2 --size 300000 --root 3
has 'broadcast of 300,000 bytes on 2x2x2, 8 NPUs'
has 'sent by the NPU that sends most, node 3'
ask collective barrier --topology 2x2x2
has 'bandwidth  no data is sent'
lacks 'of links'
ask collective all-reduce --topology 2x2x1 --size 16KiB --control registers
has "$(json '%d of them in registers and interrupts' '{register_path_cycles}')"
ask collective all-reduce --topology 2x2x1 --size 16KiB --control trigger
has "$(json '%.3f us from store to load' '{store_to_load_us}')"
has "$(json '%d of them in the store, the flag and the load' '{register_path_cycles}')"

# ---- what was checked ---------------------------------------------------------------------------
ask collective all-reduce --topology 4x4x2 --size 128KiB
has "check      passed: bytes sent on x, y, z equal the algorithm's formula at all 32 NPUs"
has '(1 simulated, the others behave alike);'
has 'values are not carried; --payload random --check carries and compares them'
ask collective all-reduce --topology 2x1x2 --size 64KiB --fold off
has "bytes sent on x, z equal the algorithm's formula at each of the 4 NPUs;"
ask collective all-reduce --topology 2x2x1 --size 64KiB --payload random
has 'payload carried and not compared, which --check does'
ask collective all-reduce --topology 2x2x1 --size 64KiB --payload random --check
has 'every result compared with the reference, bit for bit'
lacks 'not compared'
ask collective all-reduce --topology 2x2x1 --size 64KiB --endpoint ideal
has "bytes sent on x, y equal the algorithm's formula by construction;"
ask collective all-reduce --topology 1 --size 64KiB
has 'check      passed: one NPU has nothing to send;'

# ---- faults: what they hit, what they cost ------------------------------------------------------
small=(collective all-reduce --topology 2x2x1 --size 1MiB)
"$acesim" "${small[@]}" --format json >"$work/run.json" 2>"$work/err"
plain=$(json '%d' '{cycles}')
ask "${small[@]}" --faults link:0.2@5000=176
has '1 frame changed on links, '
has "$(json '%,d packets sent again (--faults names 1 bit);' '{statistics."link.y+.resent"}')"
has "$(json '%,d cycles more than without them' "{cycles} - $plain")"
ask "${small[@]}" --faults link:0.2@500000=176
[ "$(json '%d' '{cycles}')" -eq "$plain" ]
verdict $? 'a fault after the end costs cycles'
has 'faults     hit nothing on links: no frame was changed (--faults names 1 bit);'
has 'not a cycle more than without them'
ask "${small[@]}" --faults link:0
has 'faults     none, but links keep what they sent until it has arrived;'
ask "${small[@]}" --faults scratchpad:0.3.4095.0.0x1@10
has 'faults     hit nothing in scratchpads: no row with a wrong bit was read;'
ask "${small[@]}" --faults scratchpad:0.02:7,link:1e-4:3
has "$(json '%,d rows corrected in scratchpads' '{statistics."scratchpad.corrected"}')"
ask "${small[@]}"
lacks faults

# ---- training -------------------------------------------------------------------------------------
cluster=workloads/clusters/torus-4x2x2.yaml
{
    printf 'DATA\n4\n'
    for i in 1 2 3 4; do printf 'l%u -1 20 NONE 0 400 NONE 0 300 ALLREDUCE %u 100\n' $i $((i * 1000000)); done
} >"$work/layers.txt"
ask run $cluster "$work/layers.txt" --link-bandwidth 2,0.25,0.25
has 'layers.txt on torus-4x2x2, 4x2x2, 16 NPUs; endpoint ace, rung cycle'
grep -qE "^1 +$(json '%,.3f ms' '{iterations[1].cycles} / 1e3 / {clock_MHz}') +$(json '%,.3f ms' \
    '{iterations[1].compute_cycles} / 1e3 / {clock_MHz}') +$(json '%,.3f ms' \
    '{iterations[1].exposed_communication_cycles} / 1e3 / {clock_MHz}') +$(json '%.2f %%' \
    '100.0 * {iterations[1].exposed_communication_cycles} / {iterations[1].cycles}')$" "$work/out"
verdict $? "an iteration: $(cat "$work/out")"
has 'bound by   communication: links of y, z, in use '
has 'to try     --link-bandwidth=2,0.5,0.5'
has 'no payload is carried, so no values are compared'
ask run $cluster workloads/resnet50.yaml --iterations 1
has 'bound by   compute; in '
has 'a faster network cannot help'
ask run $cluster "$work/layers.txt" --iterations 9
[ "$(grep -cE '^([0-9]|mean|\.\.\.) *' "$work/out")" -eq 6 ]
verdict $? "nine iterations: $(cat "$work/out")"

# ---- progress: only at a terminal, with the time that is left once that can be told ---------------
long=(collective all-reduce --topology 4x8x4 --size 64MiB --fold off)
if command -v script >/dev/null; then
    timeout 120 script -qefc "$acesim ${long[*]}" "$work/out" >/dev/null 2>&1 </dev/null &
    look=$!
    run='progress at a terminal'
    left='^ *[0-9]+ % cycle [0-9,]+, ([0-9]+ h )?([0-9]+ min )?([0-9]+ s )?left *$'
    for ((i = 0; i < 200; i++)); do # sanitized, on a loaded machine: until it is there
        tr '\r' '\n' <"$work/out" 2>/dev/null | grep -qE "$left" && break
        kill -0 $look 2>/dev/null || break
        sleep 0.5
    done
    kill $look 2>/dev/null
    wait $look 2>/dev/null
    tr '\r' '\n' <"$work/out" | grep -qE "$left"
    verdict $? "$run: $(tr '\r' '\n' <"$work/out" | tail -3)"
fi
timeout 2 "$acesim" "${long[@]}" >"$work/out" 2>&1 </dev/null
lacks '%'

# ---- --all: the whole table behind it; JSON and CSV do not change --------------------------------
ask "${small[@]}" --all
has "config_digest                   $(json '%s' '{config_digest}')"
has "cycles                          $(json '%,d' '{cycles}')"
has "x         $(json '%20,d' '{bytes_per_dimension.x}')$(json '%20,d' '{closed_form_bytes.x}')"
for format in json csv; do
    "$acesim" "${small[@]}" --format $format >"$work/one" 2>"$work/err"
    "$acesim" "${small[@]}" --format $format --all >"$work/two" 2>"$work/err"
    cmp -s "$work/one" "$work/two"
    verdict $? "$format is another with --all"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# collective_cluster.sh [ACESIM] -- acesim collective and msccl --cluster FILE: a cluster's file gives the result that the
# same values give as options, and an option replaces its value alone
. "$(dirname "$0")/../begin.sh"

result() { # ARGUMENTS...: the JSON without the command that it names, which is what differs
    "$acesim" collective "$@" --quiet --format json 2>"$work/err" |
        python3 -c 'import json, sys; r = json.load(sys.stdin); del r["command"]; print(json.dumps(r, indent=1))'
}
alike() { # FILE "KIND AND OPTIONS OF BOTH" OPTIONS...: those that spell the file
    local file=$1 both=$2
    shift 2
    # shellcheck disable=SC2086 # several words
    result $both --cluster "$file" >"$work/file"
    # shellcheck disable=SC2086
    result $both "$@" >"$work/options"
    [ -s "$work/file" ] && cmp -s "$work/file" "$work/options"
    verdict $? "$both on $file: $(cat "$work/err") $(diff "$work/file" "$work/options" | head -n 4)"
}

# ---- the file's values ---------------------------------------------------------------------------------

torus=(--topology 4x2x2 --clock 1245MHz --link-bandwidth 200GB/s,25GB/s,25GB/s --link-latency 90,500,500
    --link-efficiency 0.94 --memory-latency 200 --chunk 64KiB --endpoint ace --rung cycle)
alike workloads/clusters/torus-4x2x2.yaml 'all-reduce --size 1MiB' "${torus[@]}"

cat >"$work/hub.yaml" <<END
name: hub
topology: Switch(4)_Ring(2)
clock: 1 GHz
links:
  x: {bandwidth: 100 GB/s, latency: 300}
  y: {bandwidth: 40 GB/s, latency: 700}
link_efficiency: 0.9
switches: {buffer: 512}
memory: {bandwidth: 120 GB/s, latency: 150}
chunk: 32 KiB
ace: {fsms: 8, contexts: 4, link_input_rows: 256}
algorithms: direct,ring
END
hub=(--topology 'Switch(4)_Ring(2)' --clock 1GHz --link-bandwidth 100GB/s,40GB/s --link-latency 300,700
    --link-efficiency 0.9 --switch-buffer 512 --memory-bandwidth 120GB/s --memory-latency 150 --chunk 32KiB
    --fsms 8 --contexts 4 --link-rows 256 --algorithm direct,ring)
alike "$work/hub.yaml" 'all-reduce --size 300KB --type fp16' "${hub[@]}"
alike "$work/hub.yaml" 'all-to-all --size 64KiB' "${hub[@]}"
alike workloads/clusters/torus-4x2x2.yaml 'broadcast --root 3 --size 64KiB --endpoint ideal' "${torus[@]/ace/ideal}"

printf 'topology: 4x2\nendpoint: comm-opt\nbaseline: {sms: 4, lazy_last_reduction: off}\nspeed: "0.5:3"\n' >"$work/software.yaml"
alike "$work/software.yaml" 'reduce-scatter --size 256KiB' --topology 4x2 --endpoint comm-opt --sms 4 \
    --lazy-last-reduction off --speed 0.5:3

# ---- an option over it ---------------------------------------------------------------------------------

alike "$work/hub.yaml" 'all-reduce --size 64KiB --link-latency 300,70' "${hub[@]/300,700/300,70}"
alike "$work/hub.yaml" 'all-gather --size 64KiB --chunk 16KiB --clock 1.2GHz' "${hub[@]}" --chunk 16KiB --clock 1.2GHz
result all-reduce --size 64KiB --cluster "$work/hub.yaml" >"$work/one"
result all-reduce --size 64KiB --cluster "$work/hub.yaml" --link-latency 300,70 >"$work/other"
! cmp -s "$work/one" "$work/other"
verdict $? "the option changes nothing"

# ---- the command that the result names -----------------------------------------------------------------

"$acesim" collective all-reduce --size 64KiB --cluster "$work/hub.yaml" --quiet --format json >"$work/run.json"
mapfile -t words < <(python3 -c 'import json, sys; print(*json.load(sys.stdin)["command"], sep="\n")' <"$work/run.json")
"$acesim" "${words[@]}" --quiet --format json | cmp -s - "$work/run.json"
verdict $? "another result of the command: ${words[*]}"
"$acesim" explain "$work/run.json" >"$work/out" 2>"$work/err" && grep -q '^bound by ' "$work/out"
verdict $? "explain: $(cat "$work/err")"
"$acesim" collective all-reduce --size 64KiB --cluster workloads/clusters/torus-4x2x2.yaml --compare ace,ideal --quiet >"$work/out" 2>"$work/err"
verdict $? "--compare: $(cat "$work/err")"

# ---- what is refused stands where the file has it ------------------------------------------------------

refused_by=(collective all-reduce)
printf 'topology: 4x2x2\nspeed: 0.5:99\n' >"$work/speed.yaml"
refused "$work/speed.yaml:2:8: found speed '0.5:99', expected a list" --cluster "$work/speed.yaml"
printf 'topology: 4x2x2\nlinkz:\n  x: 1\n' >"$work/unknown.yaml"
refused "$work/unknown.yaml:2:1: found unknown key 'linkz', expected one of" --cluster "$work/unknown.yaml"
refused "$work/none.yaml:1:1: found No such file" --cluster "$work/none.yaml"
refused "found '1,2,3,4', expected one value for all dimensions, or 2" --cluster "$work/hub.yaml" --link-latency 1,2,3,4

# ---- acesim msccl takes it, too -----------------------------------------------------------------------
printf 'topology: 8\nlinks:\n  x: {bandwidth: 50 GB/s, latency: 300}\n' >"$work/ring.yaml"
plan() { # OPTIONS...: the cycles
    "$acesim" msccl algorithms/allreduce-ring-8.xml --size 1MiB --quiet --format json "$@" 2>"$work/err" |
        sed -nE 's/^\t"cycles":\t([0-9]+),$/\1/p'
}
same "$(plan --cluster "$work/ring.yaml")" "$(plan --topology 8 --link-bandwidth 50GB/s --link-latency 300)" \
    'msccl on a cluster file'
same "$(plan --cluster "$work/ring.yaml" --link-latency 90)" \
    "$(plan --topology 8 --link-bandwidth 50GB/s --link-latency 90)" 'msccl with an option over the file'

echo "collective_cluster: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

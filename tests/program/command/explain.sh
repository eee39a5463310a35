#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim explain: runs whose bottleneck is known by how they were configured are given its
# name, and the change that is said to help does.
. "$(dirname "$0")/../begin.sh"

cycles() { grep -m1 '"cycles":' "$1" | tr -dc 0-9; }

# NAME OPTION arguments: bound by NAME; the change, whose word has OPTION in it, is confirmed,
# and gives the cycles that acesim gives with it
bound() {
    local name=$1 option=$2 word got
    shift 2
    "$acesim" "$@" --format json >"$work/run" 2>"$work/err" &&
        "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    verdict $? "$*: $(tail -1 "$work/err")"
    grep -q "^bound by $name" "$work/out"
    verdict $? "$*: expected '$name', found '$(grep '^bound by' "$work/out")'"
    grep -q '^confirmed: ' "$work/out"
    verdict $? "$*: $(tail -2 "$work/out")"
    read -r word got _ < <(grep -e "^  --$option" "$work/out")
    "$acesim" "$@" "$word" --rung cycle --format json >"$work/changed" 2>"$work/err"
    [ -n "$got" ] && [ "$(cycles "$work/changed")" = "$got" ] && [ "$got" -lt "$(cycles "$work/run")" ]
    verdict $? "$*: $word gives $(cycles "$work/changed") cycles, explain says '$got'"
}

# memory: 40 GB/s read for what the links could send with 133
bound 'memory bandwidth' memory-bandwidth=80 \
    collective all-reduce --topology 4x4x4 --size 4MiB --memory-bandwidth 40GB/s
# one node's memory alone
bound 'memory bandwidth' memory-bandwidth \
    collective all-reduce --topology 4x2x2 --size 1MiB --speed 0.1:5
# links: a dimension with a tenth of the bandwidth of the others
bound 'links of y$\|links of y:' link-bandwidth=200,5,25 \
    collective all-reduce --topology 4x4x2 --size 4MiB --link-bandwidth 200,2.5,25
bound 'links of x:' link-bandwidth=20,10 \
    collective reduce-scatter --topology 4x1x1 --size 2MiB --link-bandwidth 10
# latency: 16 chunks, all under way, and links 100000 cycles long
bound 'latency' link-latency \
    collective all-reduce --topology 4x4x4 --size 1MiB --link-latency 100000,100000,100000
bound 'latency:' link-latency=20000 \
    collective all-reduce --topology 2x2x2 --size 64KiB --link-latency 40000,40000,40000
# scratchpad: 256 chunks, of which it holds 4 where FSMs could hold 16
bound 'scratchpad room' bank-rows=800 \
    collective all-reduce --topology 4x4x4 --size 4MiB --chunk 16KiB --bank-rows 400
# FSMs: 64 chunks. The FSMs of a phase hold 4 of them, where the scratchpad could hold 16.
bound 'FSM contexts' fsms=8 \
    collective all-reduce --topology 4x4x4 --size 4MiB --fsms 4 --contexts 4
# 4 chunks, all under way: each on one ring after the other, most links idle meanwhile
bound 'too few chunks' chunk=32768 \
    collective all-reduce --topology 4x4x4 --size 256KiB --link-latency 10,10,10
# A switch of 102.4 GB/s at 1 GHz: four members each send (4 - 1) / 4 of 1 MiB through it, 30720 cycles. The
# memories could move that in a quarter of the time. A send uses the first of two switches, by two ports.
bound 'switch bandwidth' switch-bandwidth=204.8GB/s \
    collective all-to-all --topology 'Switch(4)' --size 1MiB --clock 1GHz --switch-bandwidth 102.4GB/s
passes() { # CYCLES ARGUMENTS: the printed use of the switch is CYCLES over those of the run
    local least=$1 use
    shift
    "$acesim" collective "$@" --clock 1GHz --switch-bandwidth 102.4GB/s --format json >"$work/run" 2>"$work/err"
    use=$(awk -v a="$least" -v b="$(cycles "$work/run")" 'BEGIN { printf "%.1f", 100 * a / b }')
    "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    grep -q "^switch bandwidth *$use %" "$work/out" && grep -q "^bound by switch bandwidth: in use in $use %" "$work/out"
    verdict $? "$*: expected $use %, found $(grep 'switch bandwidth' "$work/out")"
}
passes 30720 all-to-all --topology 'Switch(4)' --size 1MiB
passes 30720 all-to-all --topology 'Switch(4)' --size 1MiB --endpoint comm-opt
passes 40960 send-receive --topology 'Switch(4)_Ring(2)' --to 1 --size 4MiB
# in RTL and with payload: the same, tried on the twins
bound 'memory bandwidth' memory-bandwidth=20 collective all-reduce --topology 2x2x1 --size 512KiB \
    --memory-bandwidth 10 --rung 'rtl:0;cycle:rest' --payload random --check

# ALUs: links of 270 GB/s on which all sums pass one reduce pipe, for so long that its beginning and end do not
# count; no option gives more
"$acesim" collective all-reduce --topology 4x4x4 --size 64MiB --link-bandwidth 270,270,270 \
    --memory-bandwidth 318 --format json >"$work/run" 2>"$work/err"
"$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
grep -q '^bound by ALUs' "$work/out" && grep -q 'not put to the test' "$work/out"
verdict $? "ALUs: $(grep -e '^bound by' "$work/out") $(tail -1 "$work/out")"

# a verdict that does not hold is not upheld: one row, and latencies that are 1 already
"$acesim" collective all-reduce --topology 2x1x1 --size 256 --chunk 256 --link-latency 1 --link-bandwidth 339 \
    --memory-latency 2 --format json >"$work/run" 2>"$work/err"
"$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
grep -q '^bound by' "$work/out" && grep -q '^NOT confirmed' "$work/out"
verdict $? "nothing helps: $(tail -3 "$work/out")"

# training: compute hides a network that is fast, not one that is slow
{
    printf 'DATA\n4\n'
    for i in 1 2 3 4; do printf 'l%u -1 20 NONE 0 400 NONE 0 300 ALLREDUCE %u 100\n' $i $((i * 1000000)); done
} >"$work/layers.txt"
training=(run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --samples 64 --format json)
"$acesim" "${training[@]}" --link-bandwidth 2,0.25,0.25 >"$work/slow" 2>"$work/err"
"$acesim" explain "$work/slow" >"$work/out" 2>"$work/err"
grep -q '^bound by communication, and that by links of y, z' "$work/out" &&
    grep -q '^confirmed' "$work/out" && grep -q '^l4 .* links of y, z; it waits' "$work/out"
verdict $? "slow training: $(cat "$work/out" "$work/err")"
"$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1 \
    --samples 64 --format json >"$work/fast" 2>"$work/err"
"$acesim" explain "$work/fast" >"$work/out" 2>"$work/err"
grep -q '^bound by compute' "$work/out" && grep -q '^confirmed: the fastest network gains 0.0 %' "$work/out"
verdict $? "fast training: $(cat "$work/out" "$work/err")"

refused() { # TEXT arguments
    local text=$1 status
    shift
    "$acesim" explain "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 2 ] && grep -qF -- "$text" "$work/err"
    verdict $? "$*: status $status, expected 2 and '$text': $(cat "$work/err")"
}
refused 'found 0 arguments'
refused 'found No such file' "$work/none"
refused "--threads: found '0', expected 1 to 256" --threads 0 "$work/run"
sed 's/\("config_digest":\)[^,]*/\1 "0000000000000000"/' "$work/run" >"$work/other"
refused 'found configuration 0000000000000000' "$work/other"
sed -i 's/ 300 / 301 /' "$work/layers.txt"
refused 'the cluster, the workload or the program was another' "$work/slow"
# Standard input cannot be read a second time.
here=$PWD
"$acesim" run - "$here/workloads/resnet50.yaml" --format json --iterations 1 \
    <"$here/workloads/clusters/torus-4x2x2.yaml" >"$work/piped" 2>"$work/err"
refused 'found a run that read standard input (-)' "$work/piped"
# Every run can be explained: it gets a tested verdict, and status 0.
explained() { # TEXT arguments: of a run; the explanation has TEXT, an extended regular expression
    local text=$1
    shift
    "$acesim" "$@" --format json >"$work/run" 2>"$work/err"
    verdict $? "$*: $(tail -1 "$work/err")"
    "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    verdict $? "explain $*: $(tail -1 "$work/err")"
    grep -qE '^bound by [^:]' "$work/out" && grep -qE "$text" "$work/out"
    verdict $? "explain $*: expected '$text': $(cat "$work/out" "$work/err")"
}
# An ideal endpoint has links alone: an all-to-all has nothing else to wait for, a barrier no bytes.
explained '^bound by links of y, z: in use in 100' \
    collective all-to-all --topology 4x2x2 --size 256KiB --endpoint ideal
explained '^bound by latency' collective barrier --topology 4x2x2 --endpoint ideal
# A root's one link, over which all of it comes; what goes straight has no chunks.
explained '^bound by links of z: ' collective gather --topology 4x2x2 --size 256KiB
grep -q '^chunks' "$work/out"
[ $? -eq 1 ]
verdict $? "a gather has chunks: $(cat "$work/out")"
explained '^bound by latency' collective barrier --topology 4x2x2
explained '^bound by links of y: ' collective send-receive --topology 4x4x2 --to 4 --size 4MiB
explained '^bound by ' collective all-to-all-v --topology 4x2x2 --size 64KiB
# Two steps of which each has another bottleneck.
explained '^bound by .* gains most' collective broadcast --topology 4x2x2 --size 256KiB
explained '^bound by .* gains most' collective reduce --topology 4x2x2 --size 256KiB
# One SM, which reads a row in four cycles, for what the links could take.
explained '^bound by SMs' collective all-reduce --topology 4x1x1 --size 2MiB --endpoint comm-opt \
    --sms 1 --link-latency 10
grep -qE '^confirmed' "$work/out" && grep -q -e '--sms=2' "$work/out"
verdict $? "one SM: $(cat "$work/out")"
for endpoint in comm-opt comp-opt no-overlap ideal; do
    for kind in all-reduce reduce-scatter all-gather all-to-all; do
        explained '^what if' collective $kind --topology 4x2x1 --size 128KiB --endpoint $endpoint
    done
done
explained '^what if' collective all-reduce --topology 'Switch(4)_FullyConnected(2)' --size 128KiB
explained '^what if' collective all-reduce --topology 2x2x2x2 --size 128KiB
explained '^what if' collective all-reduce --topology 4x2x1 --size 128KiB --faults link:1e-3
explained '^what if' collective all-reduce --topology 1x1x1 --size 64KiB
grep -qE '[0-9]{10}' "$work/out"
[ $? -eq 1 ]
verdict $? "one node: a number that is none: $(cat "$work/out")"

# Runs: with samples and without the same; all-to-alls and the endpoints' own loops.
torus=workloads/clusters/torus-4x2x2.yaml
trained() { # TEXT workload arguments
    local text=$1
    shift
    explained "$text" run "$torus" "$@" --iterations 1
    cp "$work/out" "$work/plain"
    "$acesim" run "$torus" "$@" --iterations 1 --samples 64 --format json >"$work/run" 2>"$work/err" &&
        "$acesim" explain "$work/run" >"$work/out" 2>"$work/err"
    verdict $? "$* with samples: $(tail -1 "$work/err")"
    cmp -s "$work/out" "$work/plain"
    verdict $? "$*: with samples another explanation than without"
}
dlrm=workloads/models/dlrm.yaml
trained '^all-to-all backward .* links of y, z' $dlrm
trained '^all-to-all forward ' $dlrm --endpoint comm-opt
trained '^all layers ' $dlrm --endpoint no-overlap
trained '^bound by communication' workloads/astra-sim/Resnet50_DataParallel.txt
explained '^all-to-all forward ' run "$torus" $dlrm --dlrm-loop optimised --iterations 2
explained '^all-to-all forward +[0-9]+ +- ' run "$torus" $dlrm --dlrm-loop optimised --endpoint ideal
explained '^bound by compute' run "$torus" workloads/models/resnet50.yaml --iterations 1 --endpoint ideal
printf 'DATA\n2\na -1 20 NONE 0 400 NONE 0 300 NONE 0 100\nb -1 9 NONE 0 4 NONE 0 3 NONE 0 1\n' >"$work/none.txt"
explained '^bound by compute: the workload has no collective' run "$torus" "$work/none.txt"

# A node in RTL changes no cycle, and the ideal endpoint has none: what if it were the endpoint is tried all the same.
printf 'DATA\n2\na -1 2000000 NONE 0 2000000 NONE 0 2000000 ALLREDUCE 65536 1\nb -1 2000000 NONE 0 2000000 NONE 0 2000000 ALLREDUCE 65536 1\n' >"$work/hidden.txt"
for rung in 'rtl:0;cycle:rest' rtl; do
    explained '^bound by compute: in 0.06 % of the cycles an NPU only waits' run "$torus" "$work/hidden.txt" --iterations 1 --rung "$rung"
    grep -qE '^  --endpoint=ideal +[0-9]+ cycles instead of' "$work/out" && ! grep -q 'cannot be run' "$work/out"
    verdict $? "--rung $rung: $(grep -A2 '^what if' "$work/out")"
done

"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --compare ace,ideal --format json \
    >"$work/compared" 2>"$work/err"
refused 'found the comparison of several runs' "$work/compared"

# ---- an iteration of train: parts that add up, and a gain that a run of one's own gives, too ------
train=(train models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --strategy tp4.dp2.pp2.fused.m2
    --layers 2 --sequence 256 --endpoint ideal --format json --quiet)
"$acesim" "${train[@]}" >"$work/train.json"
"$acesim" "${train[@]}" --npu-matrix 240TFLOPS >"$work/faster.json"
"$acesim" explain "$work/train.json" --all >"$work/out" 2>"$work/err"
verdict $? "explain of a train: $(cat "$work/err")"
python3 - "$work" <<'PYTHON'
import json, re, sys
work = sys.argv[1]
run, faster = (json.load(open(f"{work}/{name}.json")) for name in ("train", "faster"))
text = open(f"{work}/out").read()
parts = dict((name.strip(), float(share)) for name, share in re.findall(r"^(\S.*?)\s+[\d,]+\s+([\d.]+) %$", text, re.M))
assert len(parts) >= 3 and abs(sum(parts.values()) - 100) < 0.1, parts
largest = max(parts, key=parts.get)
assert f"bound by {largest}: " in text, (largest, text)
want = 100 * (faster["tokens_per_s"] / run["tokens_per_s"] - 1)
got = float(re.search(r"--npu-matrix=240TFLOPS\s+\+([\d.]+) %", text).group(1))
assert abs(got - want) < 0.06, (got, want)
assert "cannot be run" not in text, text
PYTHON
verdict $? "explain of a train: $(cat "$work/out")"
"$acesim" diff "$work/train.json" "$work/faster.json" >"$work/out" && grep -q '^tokens_per_s ' "$work/out"
verdict $? "diff of two trains: $(cat "$work/out")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A link or a node dies in the middle of an all-reduce. Every member must be reported within the bound of decision 0094, and
# the collective that is run again must end with the right sums.
. "$(dirname "$0")/../begin.sh"
value() { sed -nE "s/^\t+\"$1\":\t\"?([^\",]*)\"?,?$/\1/p" "$work/result.json" | head -1; }

# L: the longest link's latency; SILENCE: 3 intervals and the round trip. A node is at most as many hops from a deaf end
# as the rings have members together.
L=0
bound() { # HOPS: cycles, and what software needs to submit the command and to read the error
    local silence=$((3 + (2 * (L + 12) + 63) / 64))
    [ $((64 * silence)) -eq "$(value silence_cycles)" ] || return 1
    echo $((L + 5 + 64 * (silence + 1) + ($1 + 1) * (L + 12) + 64))
}

dies() { # PART TOPOLOGY HOPS MEMBERS-LEFT ROW-CYCLES ARGUMENTS...: of ROW-CYCLES a row on the line, at least
    local part=$1 topology=$2 hops=$3 left=$4 row=$5 what
    shift 5
    what="$part on $topology $*"
    "$acesim" collective all-reduce --topology "$topology" --control registers --faults "dead:$part" "$@" \
        --format json --quiet >"$work/result.json" 2>"$work/err"
    verdict $? "$what: $(head -1 "$work/err")"
    same "$(value check)" passed "$what: sums"
    same "$(value members_left)" "$left" "$what: members that are left"
    [ "$(value first_reported_cycles)" -le "$(value last_reported_cycles)" ] &&
        [ "$(value last_reported_cycles)" -le "$(bound "$hops")" ]
    verdict $? "$what: reported after $(value last_reported_cycles), bound $(bound "$hops")"
    [ "$(value last_reported_cycles)" -lt "$(value ended_cycles)" ] && [ "$(value ended_cycles)" -lt "$(value again_cycles)" ]
    verdict $? "$what: order of reported, ended and again"
    same "$(value cycles)" $(($(value at_cycle) + $(value again_cycles) + $(value rerun_cycles))) "$what: total"
    # a block crosses each link twice one way
    [ "$(value rerun_cycles)" -ge $((2 * ($(value size_bytes) / 256) * row)) ]
    verdict $? "$what: run again in $(value rerun_cycles)"
    goodput "$what"
}

# Expected cycles of a collective: (1 - exp(-rate * without)) * (1 / rate + again + rerun). The mean of drawn collectives
# lies within four of its standard errors.
goodput() {
    "$python" - "$work/result.json" <<'END'
import json, math, random, statistics, sys
from fractions import Fraction as F
r = json.load(open(sys.argv[1]))
f = r["failure"]
for g in r["goodput"]:
    rate = F(g["failures_per_hour"]) / F(3600 * 10**6) / F(r["clock_MHz"])
    x = rate * f["without_cycles"]
    hit = sum((-1) ** (k + 1) * x**k / math.factorial(k) for k in range(1, 8))
    share = f["without_cycles"] / (hit * (1 / rate + f["again_cycles"] + f["rerun_cycles"]))
    assert abs(share - F(g["share"])) < F(1, 10**12) and g["share"] < 1, (g, float(share))
random.seed(1)
draws = []
for _ in range(100000):
    t = random.expovariate(float(rate))
    whole = t >= f["without_cycles"]
    draws.append(f["without_cycles"] if whole else t + f["again_cycles"] + f["rerun_cycles"])
error = statistics.stdev(draws) / len(draws) ** 0.5
assert abs(statistics.mean(draws) - f["without_cycles"] / g["share"]) < 4 * error
assert error < 0.001 * f["without_cycles"]
END
    verdict $? "$1: goodput"
}

# 200 GB/s are 1.7 cycles a row, 25 GB/s are 13.6
L=20
for at in 0 137 900; do
    dies "0.0@$at" 4 4 4 1 --size 64KiB --link-latency 20 --link-bandwidth 200GB/s
    dies "3.1@$at" 4 4 4 13 --size 32KiB --link-latency 20 --link-bandwidth 25GB/s
    dies "2@$at" 4 4 3 1 --size 32KiB --link-latency 20 --link-bandwidth 200GB/s
done
L=60
dies 4.3@500 3x2 5 6 1 --size 60000 --link-latency 20,60 --seed 3
dies 4@500 3x2 5 4 1 --size 60000 --link-latency 20,60
L=500
dies 5@2000 4x2x2 8 12 1 --size 64KiB
dies 5.0@2000 4x2x2 8 16 1 --size 64KiB

# Without the failure, the engines take the cycles of the fabric, and at most 32 of software that looks at its links.
"$acesim" collective all-reduce --topology 4x2x2 --size 64KiB --control registers --format json >"$work/plain.json" 2>"$work/err"
plain=$(sed -nE 's/^\t"cycles":\t([0-9]+),$/\1/p' "$work/plain.json")
[ "$(value without_cycles)" -ge "$plain" ] && [ "$(value without_cycles)" -le $((plain + 32)) ]
verdict $? "without the failure: $(value without_cycles), in the fabric $plain"
"$acesim" collective all-reduce --topology 4x2x2 --size 64KiB --control registers --faults dead:5.0@2000 >"$work/table" 2>"$work/err" &&
    grep -q '^check      passed' "$work/table" && grep -q "^reported   $(value first_reported_cycles | sed 's/\(...\)$/,\1/') cycles" "$work/table"
verdict $? "table: $(head -3 "$work/table")"

refused_by=(collective all-reduce --topology 4)
refused 'found cycle 900000, expected one before' --control registers --faults dead:0@900000
refused 'found node 4, expected one of 0 to 3' --control registers --faults dead:4@1
refused 'found link 2' --control registers --faults dead:0.2@1
refused 'expected --control registers' --faults dead:0@1
refused 'expected no --speed' --speed 0.5:1 --control registers --faults dead:0@1
refused "found 'dead:0', expected" --control registers --faults dead:0
refused "found 'dead:0.8@1', expected" --control registers --faults dead:0.8@1
refused "expected" --control registers --faults dead:0@1,link:0.1
refused "expected" --control registers --faults dead:0@1,dead:1@1
refused 'expected at most 256 nodes' --topology 8x8x8 --control registers --faults dead:0@1
refused 'expected no --compare, --report' --control registers --faults dead:0@1 --report "$work/page.html"
refused 'fp32, sum' --type bf16 --control registers --faults dead:0@1
refused_by=(collective all-gather --topology 4)
refused 'an all-reduce of fp32, sum' --control registers --faults dead:0@1
refused_by=(collective all-reduce --topology 'Switch(4)')
refused 'dimensions that are rings' --control registers --faults dead:0@1
refused_by=(run clusters/torus-4x2x2.yaml models/dlrm.yaml)
refused 'expected acesim collective' --faults dead:0@1

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stopped.sh [ACESIM] -- a campaign that SIGTERM stops must report how much is kept. The same command must then give the
# answer of an undisturbed campaign: for a sweep, a search, a calibration and a study.
. "$(dirname "$0")/../begin.sh"
acesim=$(realpath "$acesim")

cat >"$work/sizes.yaml" <<'YAML'
name: sizes
command: collective all-reduce
options: {topology: 4x4x2, fold: off, fast-forward: off}
grid:
  size: [256KiB, 270000, 300000, 330000, 360000, 390000, 420000, 450000, 480000, 500000]
YAML

done_in() { sqlite3 "$1" "SELECT count(*) FROM points WHERE state = 'done'" 2>/dev/null || echo 0; }

# NAME DATABASE WORDS: once to its end in a folder of its own, and once stopped as soon as a point is done.
stopped() {
    local name=$1 database=$2 status pid
    shift 2
    mkdir -p "$work/$name/whole" "$work/$name/parts"
    (cd "$work/$name/whole" && "$acesim" "$@" >../whole.out 2>../whole.err)
    verdict $? "$name: $(tail -1 "$work/$name/whole.err")"
    cd "$work/$name/parts" || exit 1
    "$acesim" "$@" >../first.out 2>../first.err &
    pid=$!
    while kill -0 "$pid" 2>/dev/null && [ "$(done_in "$database")" -lt 1 ]; do sleep 0.02; done
    kill -TERM "$pid" 2>/dev/null
    wait "$pid"
    status=$?
    "$acesim" "$@" >../again.out 2>../again.err
    verdict $? "$name again: $(tail -1 ../again.err)"
    cd - >/dev/null || exit 1
    [ "$status" = 143 ]
    verdict $? "$name: status $status after SIGTERM, expected 143"
    grep -qE 'stopped by SIGTERM: [1-9][0-9]* of [0-9]+ points are kept, and the same command goes on' "$work/$name/first.err"
    verdict $? "$name: expected a line of what is kept, found '$(tail -1 "$work/$name/first.err")'"
    cmp -s "$work/$name/whole.out" "$work/$name/again.out"
    verdict $? "$name: what was stopped ends with another answer"
}

stopped sweep sizes.sqlite sweep "$work/sizes.yaml" --format json
stopped search search.sqlite search models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --topology 2x2 --batch 8 \
    --layers 2 --sequence 256 --format json
printf 'topology: 2x2\n' >"$work/small.yaml"
stopped calibration out.calibrated.sqlite calibrate "$work/small.yaml" --quick --points 4 --output out.calibrated --format json
echo "stopped: $passed passed, $failed failed"
[ $failed -eq 0 ]

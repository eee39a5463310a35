#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run over MPI ranks must give the same bytes of output as one process, for any number of ranks. An error must give
# one message, and the run must end when a rank dies.
#
#   LONG=1 tests/program/engine/processes.sh    also the runs marked `more`; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"

# As root, with more ranks than cores; a rank that waits gives its core away.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# The start-up of MPI leaves memory behind.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

ranks() { # NUMBER arguments
    local n=$1
    shift
    mpirun -q -n "$n" "$acesim-mpi" "$@" </dev/null
}

same() { # "NUMBERS" arguments: what acesim prints, also over each number of ranks
    local numbers=$1 n
    shift
    "$acesim" "$@" --format json --timeline "$work/one.trace" >"$work/one" 2>"$work/err" ||
        { verdict 1 "$*: $(tail -1 "$work/err")"; return; }
    for n in $numbers; do
        ranks "$n" "$@" --format json --timeline "$work/n.trace" >"$work/n" 2>"$work/err"
        verdict $? "$n ranks, $*: $(grep -m 1 '^acesim' "$work/err")"
        cmp "$work/one" "$work/n" && cmp "$work/one.trace" "$work/n.trace"
        verdict $? "$n ranks, $*: not the same"
    done
}

more() { [ -z "${LONG:-}" ] || same "$@"; }

{
    printf 'DATA\n8\n'
    for i in 1 2 3 4 5 6 7 8; do
        printf 'l%u -1 20 NONE 0 400 NONE 0 300 ALLREDUCE %u 100\n' $i $((i * 150000))
    done
} >"$work/layers.txt"
training=(run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --iterations 1)

same '3' collective all-reduce --topology 4x4x2 --size 200000 --fold off
same '3' collective all-reduce --topology 4x2x2 --size 100001 --fold off --threads 2
same '4' collective all-reduce --topology 4x2x2 --size 96KiB --payload random --check
more '2' collective all-to-all --topology 3x2x2 --size 96KiB --payload random --check
same '3' collective reduce-scatter --topology 3x2x1 --size 40000 --type bf16 --dims y,x \
    --payload random --check --threads 2
more '4' collective all-reduce --topology 4x4x2 --size 100000 --speed 0.25:3
same '5' collective all-reduce --topology 'Ring(2)_Switch(4)' --size 200000 --fold off
more '3' collective all-gather --topology 'FullyConnected(3)_Switch(2)' --size 50000 \
    --algorithm direct,ring --payload random --check
more '2' collective all-reduce --topology 'Ring(4)_Switch(3)' --size 100000 # folded
same '3' collective all-reduce --topology 'Ring(2)_Switch(4)' --algorithm ring,in-network --size 100000 --fold off \
    --rung 'rtl:0,switch;cycle:rest' --payload random --check # counters of what reduces are the other rank's
same '3' collective all-reduce --topology 'Ring(2)_Links(8)' --links fabrics/dgx-1.yaml --size 48KiB --fold off
same '3' collective all-to-all --topology 'Ring(2)_Switch(4)' --size 100000 --endpoint comm-opt --fold off
more '3' collective all-gather --topology 2x3x1 --size 50000 --fold off --rung 'rtl:0,5;cycle:rest'
same '3' collective all-reduce --topology 4x2x1 --size 100000 --rung 'rtl:0,5;cycle:rest' # folded
same '3' collective all-reduce --topology 3x2x2 --size 48KiB --fold off --faults link:0.01,scratchpad:0.001 \
    --payload random --check
more '2' collective all-reduce --topology 'Ring(2)_Switch(4)' --size 48KiB --faults link:0.01 --payload random --check
same '5' collective all-reduce --topology 3x1x1 --size 100000 --fold off # more ranks than nodes
more '2' collective all-reduce --topology 4x2x2 --size 100000 --fold off --endpoint ideal
same '3' collective all-reduce --topology 4x2x2 --size 100001 --fold off --endpoint comm-opt
same '3' "${training[@]}" --fold off
more '2' "${training[@]}" --order fifo --speed 0.5:13 --threads 2
same '3' "${training[@]}" --order agreed --speed 0.5:13

# Periods are left out alike: each rank compares its own nodes, and what is on the way to them.
periods() { # "NUMBERS" arguments, as same; but nothing is recorded, as such a run leaves nothing out
    local numbers=$1 n
    shift
    "$acesim" "$@" --format json >"$work/one" 2>"$work/err" &&
        grep -q '"fast_forward":.*[1-9][0-9]* cycles, in periods of' "$work/one"
    verdict $? "$*: $(grep fast_forward "$work/one"), expected a period"
    for n in $numbers; do
        ranks "$n" "$@" --format json >"$work/n" 2>"$work/err"
        cmp "$work/one" "$work/n"
        verdict $? "$n ranks, $*: $(grep fast_forward "$work/n"), not the same"
    done
}
periods '3' collective all-reduce --topology 2x1x1 --size 8MiB --fold off
periods '3' collective all-gather --topology 'Ring(2)_Switch(4)' --size 16MiB --speed 0.5:1,3,5,7 --link-latency 400

# Nodes of the rung calibrated meet over ranks, and messages of a pipeline come from one to another.  A calibration is of the
# program that made it.
printf 'name: ranks\ntopology: 4x2\nlinks:\n  x: {bandwidth: 200 GB/s, latency: 90}\n  y: {bandwidth: 25 GB/s, latency: 500}\n' \
    >"$work/ranks.yaml"
"$acesim-mpi" calibrate "$work/ranks.yaml" --output "$work/calibration" --quick --points 24 --quiet >"$work/out" 2>"$work/err"
verdict $? "a calibration: $(tail -1 "$work/err")"
printf 'architecture: decoder\nlayers: 4\nhidden: 512\nheads: 16\nsequence: 128\nvocabulary: 8192\n' >"$work/model.yaml"
meet() { # "NUMBERS" arguments
    local numbers=$1 n
    shift
    set -- "$@" --rung calibrated --calibration "$work/calibration" --quiet --format json
    "$acesim-mpi" "$@" >"$work/one" 2>"$work/err"
    verdict $? "$*: $(tail -1 "$work/err")"
    for n in $numbers; do
        ranks "$n" "$@" >"$work/n" 2>"$work/err" && cmp "$work/one" "$work/n"
        verdict $? "$n ranks, $*: not the same: $(tail -1 "$work/err")"
    done
}
meet '3' collective all-reduce --topology 4x2 --size 3MiB --fold off
meet '5' collective all-to-all --topology 4x2 --size 1MB --speed 0.5:3 # four sorts of nodes
meet '3' train "$work/model.yaml" --cluster "$work/ranks.yaml" --strategy tp4.pp2.m4 --fold off

# The waveform of a node is written where the node is.
wave=(collective all-reduce --topology 2x2x1 --size 4KiB --fold off --rung 'rtl:3;cycle:rest'
    --wave-node 3 --wave-to 3000)
"$acesim" "${wave[@]}" --wave "$work/one.fst" >"$work/one" 2>"$work/err" &&
    ranks 2 "${wave[@]}" --wave "$work/two.fst" >"$work/two" 2>"$work/err" &&
    cmp "$work/one" "$work/two" && [ -s "$work/two.fst" ]
verdict $? "waveform: $(tail -1 "$work/err")"

# A message of one process, about a node or a file, is printed once, with its exit status.
fails() { # STATUS TEXT RANKS arguments
    local want=$1 text=$2 n=$3 status
    shift 3
    ranks "$n" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$want" ] && [ ! -s "$work/out" ] &&
        [ "$(grep -c -F -- "$text" "$work/err")" -eq 1 ]
    verdict $? "$*: status $status, expected $want and '$text' once: $(head -3 "$work/err")"
}
fails 2 "--size: found '0'" 3 collective all-reduce --size 0
fails 2 "found No such file" 2 run workloads/clusters/torus-4x2x2.yaml "$work/none.txt"
fails 1 "node 0 (cycle), cycle " 3 "${training[@]}" --faults link:1:3 --output "$work/result"
[ ! -e "$work/result/result.json" ] && [ ! -e "$work/result/timeline.json" ]
verdict $? 'a run that failed has a result'

# A rank that dies ends the run. The result of an earlier run stays as it was; a new timeline may have begun next to it.
"$acesim" collective all-reduce --topology 2x2x1 --output "$work/result" >"$work/out" 2>"$work/err"
cp -r "$work/result" "$work/before"
: >"$work/killed"
mpirun -n 3 "$acesim-mpi" collective all-reduce --topology 4x4x4 --size 256MiB --fold off \
    --output "$work/result" >"$work/out" 2>>"$work/killed" </dev/null &
mpirun=$!
for ((i = 0; i < 200; i++)); do # until the run is under way
    [ -s "$work/result/timeline.json.part" ] && break
    sleep 0.1
done
kill -9 "$(pgrep -P $mpirun -f acesim-mpi | tail -1)"
for ((i = 0; i < 200; i++)); do
    kill -0 $mpirun 2>/dev/null || break
    sleep 0.1
done
kill $mpirun 2>/dev/null
verdict $((i == 200)) 'the run goes on without one of its ranks'
wait $mpirun
[ $? -ne 0 ] && grep -q 'rank .*exited on signal 9' "$work/killed" && [ ! -s "$work/out" ]
verdict $? "a rank died: $(tail -3 "$work/killed")"
diff -qr -x timeline.json.part "$work/before" "$work/result"
verdict $? 'an earlier result was touched'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

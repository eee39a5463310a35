#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sweep.sh [ACESIM] -- each point of a sweep must run once and give what its own command line gives: alone, with others,
# under mpirun, as a Slurm job array, and when killed and started again.
. "$(dirname "$0")/../begin.sh"
export ACESIM=$acesim
trap 'scripts/slurm.sh stop "$work/slurm" >/dev/null 2>&1; rm -rf "$work"' EXIT

equal() { # FOUND EXPECTED TEXT
    [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}
sweep() { "$ACESIM" sweep "$@" 2>"$work/err"; }
sql() { sqlite3 "$@"; }
# Points, and the times they were begun: both are POINTS when each ran once.
once() { # DATABASE POINTS TEXT
    equal "$(sql "$1" "SELECT count(*) FROM points WHERE state = 'done'")" "$2" "$3: points"
    equal "$(sql "$1" 'SELECT count(*) || " " || count(DISTINCT key) FROM runs')" "$2 $2" "$3: runs"
}
points() { sql "$1" 'SELECT * FROM points ORDER BY key'; }

cat >"$work/small.yaml" <<'YAML'
name: small
command: [collective all-reduce, collective all-gather]
options: {topology: 2x2x1}
grid:
  size: [64KiB, 100001]
  rung: [cycle, 'rtl:0;cycle:rest']
YAML
cat >"$work/training.yaml" <<'YAML'
name: training
command: run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml
options: {iterations: 1}
grid: {endpoint: ideal, order: [fifo, lifo]}
YAML
cat >"$work/longer.yaml" <<'YAML'
name: longer
command: collective all-reduce
options: {size: 2MiB}
grid:
  topology: [4x2x2, 4x4x2, 4x4x4]
  memory-bandwidth: [16GB/s, 32GB/s, 64GB/s, 128GB/s]
YAML

# ---- a point is its command line -----------------------------------------------------
for name in small training; do
    sweep "$work/$name.yaml" --list >"$work/list"
    [ ! -e $name.sqlite ]
    verdict $? "--list makes a database"
    sweep "$work/$name.yaml" --database "$work/$name.db" --jobs 2 >"$work/$name.table"
    verdict $? "$name: $(tail -1 "$work/err")"
    once "$work/$name.db" "$(wc -l <"$work/list")" $name
    while read -r state line; do
        equal "$state" waiting "the state of what was not run"
        eval "\"\$ACESIM\" ${line#acesim } --format json" >"$work/want" 2>/dev/null
        sql "$work/$name.db" "SELECT result FROM points WHERE command = '${line//\'/\'\'}'" >"$work/got"
        cmp -s "$work/got" "$work/want"
        verdict $? "$line: $(diff "$work/got" "$work/want" | head -4)"
    done <"$work/list"
done
sweep "$work/small.yaml" --database "$work/small.db" >"$work/again"
cmp -s "$work/again" "$work/small.table"
verdict $? 'a second sweep prints another table'
once "$work/small.db" 8 'a second sweep'
# the same points in another order are no new points; new values are
sed -e '/^options/d' -e '/^grid/a\  topology: [2x2x1, 4x1x1]' "$work/small.yaml" >"$work/wider.yaml"
sweep "$work/wider.yaml" --database "$work/small.db" >/dev/null
once "$work/small.db" 16 'a wider sweep'

# ---- several workers -----------------------------------------------------------------
sweep "$work/longer.yaml" --database "$work/alone.db" >/dev/null
once "$work/alone.db" 12 alone
points "$work/alone.db" >"$work/alone"

for try in {1..10}; do # until none was through before the other began
    rm -f "$work/two.db"
    sweep "$work/longer.yaml" --database "$work/two.db" >"$work/table.1" &
    "$ACESIM" sweep "$work/longer.yaml" --database "$work/two.db" --jobs 2 >"$work/table.2" 2>/dev/null
    wait $!
    [ "$(sql "$work/two.db" 'SELECT count(DISTINCT pid) FROM runs')" -eq 2 ] && break
done
once "$work/two.db" 12 'two workers'
equal "$(sql "$work/two.db" 'SELECT count(DISTINCT pid) FROM runs')" 2 'workers that ran a point'
cmp -s "$work/table.1" "$work/table.2" && cmp -s <(points "$work/two.db") "$work/alone"
verdict $? 'two workers, another table'

sweep "$work/longer.yaml" --database "$work/shards.db" --shard 1/3 --format csv >"$work/csv"
equal "$(wc -l <"$work/csv")" 5 'lines of a shard'
once "$work/shards.db" 4 'a shard'
for k in 0 2; do sweep "$work/longer.yaml" --database "$work/shards.db" --shard $k/3 >/dev/null; done
once "$work/shards.db" 12 shards
cmp -s <(points "$work/shards.db") "$work/alone"
verdict $? 'shards, another table'

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe -n 2 "$ACESIM" sweep "$work/longer.yaml" --database "$work/mpi.db" \
    >"$work/table.mpi" 2>"$work/err"
verdict $? "mpirun: $(tail -3 "$work/err")"
once "$work/mpi.db" 12 'MPI ranks'
equal "$(sql "$work/mpi.db" 'SELECT count(DISTINCT pid) FROM runs')" 2 'ranks that ran a point'
cmp -s "$work/table.mpi" "$work/table.1" && cmp -s <(points "$work/mpi.db") "$work/alone"
verdict $? 'MPI ranks, another table'

if PATH=$PATH:/usr/sbin command -v slurmctld >/dev/null; then
    scripts/slurm.sh start "$work/slurm" >/dev/null
    verdict $? 'Slurm does not start'
    SLURM_CONF=$work/slurm/slurm.conf \
        timeout 60 scripts/sweep-slurm.sh "$work/longer.yaml" 3 --database "$work/slurm.db" \
        >"$work/table.slurm" 2>"$work/err"
    verdict $? "Slurm: $(tail -5 "$work/err")"
    once "$work/slurm.db" 12 'Slurm array'
    equal "$(grep -c COMPLETED "$work/slurm/jobs.log")" 3 'tasks that completed'
    cmp -s "$work/table.slurm" "$work/table.1" && cmp -s <(points "$work/slurm.db") "$work/alone"
    verdict $? 'Slurm array, another table'
    scripts/slurm.sh stop "$work/slurm"
else
    echo 'skipped: a Slurm array, no slurmctld here (scripts/setup.sh installs it)'
fi

# ---- killed --------------------------------------------------------------------------
recorded() { sql -cmd '.timeout 10000' "$1" 'SELECT count(*) FROM points' 2>/dev/null || echo 0; }
for round in 1 2; do
    db=$work/killed.$round.db
    for try in {1..20}; do # until it is killed on its way
        rm -f "$db"*
        nice -n 19 "$ACESIM" sweep "$work/longer.yaml" --database "$db" --jobs 2 >"$work/out" 2>&1 &
        while [ "$(recorded "$db")" -lt $((3 * round)) ]; do sleep 0.01; done
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        [ "$(sql "$db" "SELECT count(*) FROM runs WHERE state != 'ended'")" -gt 0 ] && break
    done
    sweep "$work/longer.yaml" --database "$db" >"$work/table.killed"
    verdict $? "after kill -9: $(cat "$work/err")"
    cmp -s "$work/table.killed" "$work/table.1" && cmp -s <(points "$db") "$work/alone"
    verdict $? 'killed and started again, another table'
    equal "$(sql "$db" "SELECT count(*) FROM runs WHERE state = 'ended'")" 12 'runs that ended'
    equal "$(sql "$db" "SELECT count(*) > 0 FROM runs WHERE state = 'lost'")" 1 'runs that were lost'
done
# a claim of another machine holds while it is heard of, and is lost after a minute
forget="DELETE FROM points WHERE key = (SELECT min(key) FROM points)"
sql "$work/alone.db" "INSERT INTO runs(key, state, host, pid, birth, beat) SELECT min(key),
    'running', 'elsewhere', 1, 1, strftime('%s') FROM points; $forget"
timeout 1 "$ACESIM" sweep "$work/longer.yaml" --database "$work/alone.db" >/dev/null 2>&1
equal $? 124 'waiting for another machine'
sql "$work/alone.db" "UPDATE runs SET beat = beat - 100 WHERE host = 'elsewhere'"
sweep "$work/longer.yaml" --database "$work/alone.db" >/dev/null
verdict $? 'a claim that was left is not taken over'
cmp -s <(points "$work/alone.db") "$work/alone"
verdict $? 'taken over from another machine, another table'

# ---- points without a result ---------------------------------------------------------
cat >"$work/holes.yaml" <<'YAML'
name: holes
command: collective all-reduce
options: {topology: 2, size: 4KiB}
grid: {bank-rows: [128, 4096]}
YAML
sweep "$work/holes.yaml" --database "$work/holes.db" >"$work/table"
equal $? 1 'exit status of a sweep with a hole'
grep -q '^128 .*refused  acesim: a scratchpad too small' "$work/table"
verdict $? "a point that is refused: $(cat "$work/table")"
sweep "$work/holes.yaml" --database "$work/holes.db" >/dev/null
equal "$(sql "$work/holes.db" 'SELECT count(*) FROM runs')" 2 'runs, the refused not again'
sweep "$work/holes.yaml" --database "$work/holes.db" --retry >/dev/null
equal "$(sql "$work/holes.db" 'SELECT count(*) FROM runs')" 3 'runs with --retry'

# a process that is killed, here for its CPU time, costs its point alone
cat >"$work/crash.yaml" <<'YAML'
name: crash
command: collective all-reduce
options: {rung: rtl, fold: off, topology: 2x2x1}
grid: {size: [4KiB, 64MiB]}
YAML
(ulimit -c 0; ulimit -S -t 1; sweep "$work/crash.yaml" --database "$work/crash.db" >/dev/null)
equal $? 1 'exit status after a crash'
equal "$(sql "$work/crash.db" 'SELECT state, exit_status, message FROM points ORDER BY state')" \
    $'done|0|\nfailed|152|acesim: ended by signal 24' 'a crash'

# ---- bad files -----------------------------------------------------------------------
refused() { # TEXT YAML: exit status 2, TEXT on stderr, no database
    printf '%b' "$2" >"$work/bad.yaml"
    sweep "$work/bad.yaml" --database "$work/bad.db" >"$work/out"
    equal $? 2 "exit status of '$2'"
    grep -qF -- "$1" "$work/err" && [ ! -s "$work/out" ] && [ ! -e "$work/bad.db" ]
    verdict $? "'$2': expected '$1', found '$(cat "$work/err")'"
}
head='name: n\ncommand: collective all-reduce\n'
refused "bad.yaml:4:16: found '5 parsecs', expected bytes" "${head}grid:\n  size: [1MiB, 5 parsecs]\n"
refused "bad.yaml:3:17: found 'nine', expected 4, 8 or 16" "${head}options: {fsms: nine}\n"
refused "bad.yaml:4:3: found unknown option 'sise'" "${head}grid:\n  sise: 1MiB\n"
refused "bad.yaml:3:8: found unknown option 'iterations'" "${head}grid: {iterations: 1}\n"
refused "bad.yaml:3:8: found unknown option 'output'" "${head}grid: {output: there}\n"
refused "bad.yaml:4:8: found a second 'size'" "${head}options: {size: 1MiB}\ngrid: {size: 2MiB}\n"
refused "bad.yaml:3:21: found a second '1MiB'" "${head}grid: {size: [1MiB, 1MiB]}\n"
refused "bad.yaml:3:14: found an empty list" "${head}grid: {size: []}\n"
refused "bad.yaml:3:15: found a list or mapping" "${head}grid: {size: [[1MiB]]}\n"
refused "bad.yaml:3:15: found 'maybe', expected true or false" "${head}grid: {check: maybe}\n"
refused "bad.yaml:2:10: found 'collective all-to-none', expected 'collective KIND'" 'name: n\ncommand: collective all-to-none\n'
refused 'nowhere.yaml:1:1: found No such file' "${head}options: {cluster: nowhere.yaml}\n"
refused "nowhere.yaml:1:1: found No such file" 'name: n\ncommand: run nowhere.yaml workloads/resnet50.yaml\n'
refused "bad.yaml:1:1: found a mapping without it, expected the key 'command'" 'name: n\n'
refused "bad.yaml:1:7: found 'a b'" 'name: a b\ncommand: collective all-reduce\n'
# ---- a point that would hold the sweep ----------------------------------------------------
printf 'name: slow\ncommand: collective all-to-all\noptions: {topology: 4x2x1}\ngrid: {size: [1KiB, 50GiB]}\n' \
    >"$work/slow.yaml"
from=$SECONDS
sweep "$work/slow.yaml" --database "$work/slow.sqlite" --point-limit 2 >/dev/null
equal $? 1 'the status of a sweep with a point beyond its limit'
verdict $((SECONDS - from > 60)) "a limit of 2 s took $((SECONDS - from)) s"
sweep "$work/slow.yaml" --database "$work/slow.sqlite" --list >"$work/list"
equal "$(cut -d' ' -f1 "$work/list" | tr '\n' ' ')" 'done failed ' 'the points beside a limit'
sweep "$work/slow.yaml" --database "$work/slow.sqlite" --jobs 0 >"$work/list"
grep -q 'acesim: ended after the 2 s of --point-limit' "$work/list"
verdict $? "what is kept of a point beyond its limit: $(cat "$work/list")"
sweep "$work/small.yaml" --point-limit 0
equal $? 2 '--point-limit 0'

sweep "$work/small.yaml" --shard 3/3
equal $? 2 '--shard 3/3'
sweep "$work/small.yaml" --database "$work/small.yaml"
equal $? 2 'a database that is none'
grep -q 'name: small' "$work/small.yaml"
verdict $? 'a file that is no database was written to'
for file in workloads/sweeps/*.yaml; do
    sweep "$file" --list >/dev/null
    verdict $? "$file: $(cat "$work/err")"
done

# ---- a cluster's file, as an option and in the command, is what collective --cluster runs -------------
printf '%s\n' 'name: file' 'command: collective all-reduce' 'options: { cluster: clusters/torus-4x4x2.yaml }' \
    'grid: { size: [64KiB, 1MiB] }' >"$work/file.yaml"
printf '%s\n' 'name: file' 'command: collective all-reduce --cluster=clusters/torus-4x4x2.yaml' \
    'grid: { size: [64KiB, 1MiB] }' >"$work/words.yaml"
for form in file words; do
    sweep "$work/$form.yaml" --database "$work/$form.db" >/dev/null
    verdict $? "$form: $(head -1 "$work/err")"
    for size in 64KiB 1MiB; do
        "$ACESIM" collective all-reduce --cluster clusters/torus-4x4x2.yaml --size $size --quiet --format json >"$work/one.json"
        equal "$(sql "$work/$form.db" "SELECT cycles FROM points WHERE size = '$size'")" \
            "$(sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p' "$work/one.json")" "$form: cycles of $size"
    done
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

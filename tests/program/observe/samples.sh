#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests the members of a result that other commands read. The traffic over time and each node's counters must add up to
# the closed forms and to the run's cycles, however the run was executed. The command in the result must give it again.
. "$(dirname "$0")/../begin.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

query() { # JSON expression in SQL, where r is the result
    sqlite3 :memory: "WITH run AS (SELECT readfile('$1') AS r) SELECT $2 FROM run"
}

holds() { # JSON expression: true of the result
    local got
    got=$(query "$1" "$2" 2>&1)
    [ "$got" = 1 ]
    verdict $? "$name: $2 is '$got'"
}

sum() { echo "(SELECT sum(value) FROM json_each(r, '\$.samples.$1'))"; }
get() { echo "json_extract(r, '\$.$1')"; }

every_cycle() { # JSON: every cycle of every unit of every node is in one class
    holds "$1" "(SELECT count(*) > 0 AND min(total) = $(get cycles) AND max(total) = $(get cycles) FROM
        (SELECT (SELECT sum(value) FROM json_each(u.value)) AS total FROM
         json_each(r, '\$.node_groups') AS g, json_each(g.value, '\$.cycles') AS u))"
}

adds_up() { # JSON SIZE POINTS: an all-reduce of SIZE on every node, at most POINTS samples
    local d
    for d in x y z; do
        holds "$1" "$(sum sent_bytes_$d) = $(get nodes) * $(get closed_form_bytes.$d)"
    done
    holds "$1" "$(sum memory_read_bytes) = $(get nodes) * $2 AND $(sum memory_written_bytes) = $(get nodes) * $2"
    holds "$1" "json_array_length(r, '\$.samples.sent_bytes_x') BETWEEN 2 AND $3"
    holds "$1" "(json_array_length(r, '\$.samples.sent_bytes_x') - 1) * $(get samples.cycles_per_sample) < $(get cycles)"
    every_cycle "$1"
    # every link's byte is sent
    holds "$1" "(SELECT sum(b.value * json_extract(g.value, '\$.count')) FROM
        json_each(r, '\$.node_groups') AS g, json_each(g.value, '\$.link_bytes') AS b) =
        $(sum sent_bytes_x) + $(sum sent_bytes_y) + $(sum sent_bytes_z)"
    holds "$1" "(SELECT sum(json_extract(value, '\$.count')) FROM json_each(r, '\$.node_groups')) = $(get nodes)"
}

same() { # arguments: the same but for what was simulated, in other ways too
    local first=$work/first
    [ "$1" = first ] && { shift; "$@" 2>"$work/err" | grep -v -e nodes_simulated -e folding -e fast_forward >"$first"; return; }
    "$@" 2>"$work/err" | grep -v -e nodes_simulated -e folding -e fast_forward >"$work/other"
    [ -s "$first" ] && cmp "$first" "$work/other"
    verdict $? "$*: $(diff "$first" "$work/other" | head -4) $(tail -1 "$work/err")"
}

for points in 16 100 1024; do
    name="$points points"
    "$acesim" collective all-reduce --topology 4x4x2 --size 2MiB --samples $points --format json \
        >"$work/run.json" 2>"$work/err"
    adds_up "$work/run.json" 2097152 $points
done

name='alike'
alike=(collective all-reduce --topology 4x2x2 --size 512KiB --samples 64 --format json)
same first "$acesim" "${alike[@]}"
same "$acesim" "${alike[@]}" --fold off
same "$acesim" "${alike[@]}" --fold off --threads 3
same mpirun -q -n 3 "$acesim-mpi" "${alike[@]}" --fold off
"$acesim" "${alike[@]}" --fold off --checkpoint "$work/state" --checkpoint-every 4000 >/dev/null 2>&1
same "$acesim" "${alike[@]}" --fold off --resume "$work/state"

same first "$acesim" collective all-reduce --topology 4x2x2 --size 512KiB --format json
same "$acesim" collective all-reduce --topology 4x2x2 --size 512KiB --format json --fold off --resume "$work/state"
"$acesim" "${alike[@]}" --fold off --samples 32 --resume "$work/state" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'expected one that recorded the same' "$work/err"
verdict $? "a checkpoint with other samples: $(cat "$work/err")"

name='one slow node'
slow=(collective all-reduce --topology 4x2x1 --size 262144 --speed 0.1:3 --samples 32 --format json)
"$acesim" "${slow[@]}" >"$work/run.json" 2>"$work/err"
adds_up "$work/run.json" 262144 32
holds "$work/run.json" "(SELECT count(*) FROM json_each(r, '\$.node_groups') WHERE
    json_extract(value, '\$.nodes') = '3') = 1"
same first "$acesim" "${slow[@]}"
same mpirun -q -n 2 "$acesim-mpi" "${slow[@]}" --threads 2

name='mixed rungs'
"$acesim" collective all-reduce --topology 2x2x1 --size 64KiB --rung 'rtl:0,3;cycle:rest' \
    --samples 16 --format json >"$work/run.json" 2>"$work/err"
adds_up "$work/run.json" 65536 16
holds "$work/run.json" "(SELECT group_concat(json_extract(value, '\$.nodes'), ';') FROM
    json_each(r, '\$.node_groups')) = '0-3'" # the rung makes no difference

name='in software'
"$acesim" collective all-reduce --topology 4x2x2 --size 300000 --endpoint comm-opt --samples 16 \
    --format json >"$work/run.json" 2>"$work/err"
for way in read written; do # more than a row a cycle
    holds "$work/run.json" "$(sum memory_${way}_bytes) =
        $(get nodes) * $(get memory_${way/written/write}_bytes_per_npu)"
done
every_cycle "$work/run.json"

# the command gives the same result again
name='again'
again() { # arguments
    local words
    "$acesim" "$@" --format json >"$work/first" 2>"$work/err"
    mapfile -t words < <(query "$work/first" \
        "(SELECT group_concat(value, char(10)) FROM json_each(r, '\$.command'))")
    "$acesim" "${words[@]}" --format json >"$work/other" 2>"$work/err"
    [ -s "$work/first" ] && cmp "$work/first" "$work/other"
    verdict $? "$*: ${words[*]}: $(tail -1 "$work/err")"
}
again collective reduce-scatter --topology 2x3x1 --size 100KB --type bf16 --threads 2
again collective all-reduce --topology 2x2x2 --size 10000 --payload random --check --seed 7 \
    --memory-bandwidth '100 GB/s' --link-latency 50,60,70 --threads 2
again run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1 --order fifo

"$acesim" collective all-reduce --endpoint ideal --samples 64 >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'expected it without --samples' "$work/err"
verdict $? "ideal: $(cat "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

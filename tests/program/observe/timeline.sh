#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The timeline must be a trace that a viewer accepts. Its units, queues and chunks' stays must add up to the counts of
# the run and to the bytes of the collective. It must be the same at every rung and for any number of threads, and its
# size must be bounded.
. "$(dirname "$0")/../begin.sh"
clock=1.245 # cycles of a nanosecond

# The events of a trace as a table: n is their order in the file, times are in nanoseconds; and
# the names of its tracks.
table() {
    rm -f "$work/db"
    sqlite3 "$work/db" "CREATE TABLE e AS SELECT key AS n,
        json_extract(value, '\$.ph') AS ph, json_extract(value, '\$.pid') AS pid,
        json_extract(value, '\$.tid') AS tid,
        CAST(round(1000 * json_extract(value, '\$.ts')) AS INTEGER) AS ts,
        CAST(round(1000 * json_extract(value, '\$.dur')) AS INTEGER) AS dur,
        json_extract(value, '\$.name') AS name, json_extract(value, '\$.cat') AS cat,
        json_extract(value, '\$.id') AS id, json_extract(value, '\$.args') AS args,
        json_extract(value, '\$.args.from') AS first, json_extract(value, '\$.args.to') AS past,
        json_extract(value, '\$.args.cycles') AS cycles
        FROM json_each(readfile('$1'));
        CREATE INDEX place ON e (pid, tid, ph, ts); CREATE INDEX flow ON e (cat, id);
        CREATE TABLE track AS SELECT pid, tid, json_extract(args, '\$.name') AS track FROM e
            WHERE name = 'thread_name';
        CREATE TABLE slice AS SELECT * FROM e JOIN track USING (pid, tid) WHERE ph = 'X';
        CREATE TABLE stay AS SELECT *, CAST(substr(track, 7, 1) AS INTEGER) AS phase,
            substr(track, instr(track, 'FSM')) AS fsm FROM slice WHERE track LIKE 'phase%' AND args IS NOT NULL;
        CREATE TABLE counter AS SELECT pid, name, ts, args,
            lead(ts) OVER (PARTITION BY pid, name ORDER BY ts) - ts AS width FROM e WHERE ph = 'C';
        CREATE INDEX within ON slice (pid, tid, ts)"
}

holds() { # SQL that is to give EXPECTED
    local got
    got=$(sqlite3 "$work/db" "$2" 2>&1)
    [ "$got" = "$1" ]
    verdict $? "$name: expected $1, found '$got': $2"
}

check() { # of the schema, whatever the run
    table "$work/trace"
    holds 0 "SELECT count(*) FROM e WHERE ph NOT IN ('M', 'X', 's', 'f', 'C', 'i')"
    holds 0 "SELECT count(*) FROM e WHERE pid IS NULL OR pid < 1 OR ph <> 'M' AND (ts IS NULL OR ts < 0)"
    holds 0 "SELECT count(*) FROM e WHERE ph = 'X' AND (dur IS NULL OR dur < 0 OR name IS NULL)"
    # each process and track that is used has one name
    holds 0 "SELECT count(*) FROM (SELECT DISTINCT pid AS p FROM e WHERE ph <> 'M') WHERE
        (SELECT count(*) FROM e WHERE pid = p AND name = 'process_name') <> 1"
    holds 0 "SELECT count(*) FROM (SELECT DISTINCT pid AS p, tid AS t FROM e WHERE ph IN ('X', 's', 'f'))
        WHERE (SELECT count(*) FROM track WHERE pid = p AND tid = t) <> 1"
    # slices of a track come one after the other; those in a stay lie in it
    holds 0 "SELECT count(*) FROM (SELECT ts - lag(ts + dur) OVER (PARTITION BY pid, tid ORDER BY ts, ts + dur) AS gap
        FROM slice WHERE args IS NOT NULL) WHERE gap < 0"
    holds 0 "SELECT count(*) FROM slice AS s WHERE args IS NULL AND NOT EXISTS (SELECT 1 FROM stay AS t WHERE
        t.pid = s.pid AND t.tid = s.tid AND t.ts <= s.ts AND s.ts + s.dur <= t.ts + t.dur)"
    holds 0 "SELECT count(*) FROM (SELECT ts - lag(ts) OVER (PARTITION BY pid, name ORDER BY n) AS step
        FROM e WHERE ph = 'C') WHERE step <= 0"
    # each flow leads from one slice to one, not back in time
    holds 0 "SELECT count(*) FROM (SELECT 1 FROM e WHERE ph IN ('s', 'f') GROUP BY cat, id
        HAVING count(*) <> 2 OR sum(ph = 's') <> 1 OR max(CASE ph WHEN 's' THEN ts END) > max(CASE ph WHEN 'f' THEN ts END))"
    holds 0 "SELECT count(*) FROM e AS f WHERE ph IN ('s', 'f') AND NOT EXISTS (SELECT 1 FROM slice AS x WHERE
        x.args IS NOT NULL AND x.pid = f.pid AND x.tid = f.tid AND x.ts <= f.ts AND f.ts <= x.ts + x.dur)"
}

counts() { # JSON: the units' slices are its counters, to the cycle; their lengths, to the nanosecond
    local in="SELECT key, value FROM json_each(readfile('$1'), '\$.statistics')
        WHERE (key LIKE '%.busy' OR key LIKE '%.blocked' OR key LIKE '%.starved') AND value > 0"
    local out="SELECT track || '.' || name, sum(cycles) FROM slice WHERE name IN ('busy', 'blocked', 'starved')
        AND track NOT LIKE 'FSM%' GROUP BY 1"
    holds 0 "SELECT count(*) FROM ($in EXCEPT $out)"
    holds 0 "SELECT count(*) FROM ($out EXCEPT $in)"
    holds 1 "SELECT count(*) > 0 FROM ($out)"
    holds 0 "SELECT count(*) FROM (SELECT sum(dur) * $clock AS length, sum(cycles) AS c, count(*) AS n FROM slice
        WHERE name IN ('busy', 'blocked', 'starved') GROUP BY pid, track, name) WHERE abs(length - c) > 2 * n"
}

value() { echo "json_extract(args, '\$.$1')"; }
under() { echo "sum($(value "$1") * width)"; } # a counter, over time
# the ends of each width are off by half a nanosecond at most, and values have six digits
near() { echo "abs($(under "$1") - $2) <= sum($(value "$1")) + 1e-5 * $2"; }

# Counters over time: the bytes of the closed form, on each dimension and at the memory; and on
# each NPU, the collectives' lengths and the chunks' stays.
adds_up() { # JSON
    local d bytes
    for d in x y z; do
        bytes="json_extract(readfile('$1'), '\$.nodes') * json_extract(readfile('$1'), '\$.closed_form_bytes.$d')"
        holds 1 "SELECT $(near $d "$bytes") FROM counter WHERE name = 'sent, GB/s'"
    done
    for d in read written; do
        bytes="json_extract(readfile('$1'), '\$.nodes') * json_extract(readfile('$1'), '\$.memory_${d%ten}_bytes_per_npu')"
        [ $d = written ] && bytes=${bytes/_writ_/_write_}
        holds 1 "SELECT $(near $d "$bytes") FROM counter WHERE name = 'memory, GB/s'"
    done
    holds 0 "SELECT count(*) FROM (SELECT pid, $clock * $(under average) AS got FROM counter WHERE
        name = 'collectives outstanding' GROUP BY pid) JOIN (SELECT pid, sum(past - first) AS want FROM slice WHERE
        track LIKE 'collectives%' GROUP BY pid) USING (pid) WHERE abs(got - want) > 1e-4 * want"
}

# Where all chunks are drawn.
all_chunks() {
    holds 0 "SELECT count(*) FROM (SELECT pid, $clock * $(under average) AS got FROM counter WHERE
        name = 'chunks in phases' GROUP BY pid) JOIN (SELECT pid, sum(past - first) AS want FROM stay
        GROUP BY pid) USING (pid) WHERE abs(got - want) > 1e-4 * want"
    # an FSM is busy while one of its contexts is: the length of what they cover together
    local cover="SELECT pid, fsm, sum(max(0, past - max(first, coalesce(before, 0)))) FROM (SELECT *,
        max(past) OVER (PARTITION BY pid, fsm ORDER BY first, past ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        AS before FROM stay) GROUP BY pid, fsm"
    local busy="SELECT pid, track, sum(cycles) FROM slice WHERE track LIKE 'FSM%' GROUP BY pid, track"
    holds 0 "SELECT count(*) FROM ($cover EXCEPT $busy)"
    holds 0 "SELECT count(*) FROM ($busy EXCEPT $cover)"
}

stays() { # NPUs PHASE COUNT PACKETS: on each NPU, that many stays in the phase, which send that many
    holds "$1" "SELECT count(*) FROM (SELECT count(*) AS stays,
        sum(json_extract(args, '\$.packets_sent')) AS sent, sum(json_extract(args, '\$.packets_received')) AS received
        FROM stay WHERE phase = $2 GROUP BY pid) WHERE stays = $3 AND sent = $4 AND received = $4"
}

all_reduce() { # NPUs: 4x2x2, 128 KiB: 2 chunks of 256 rows, whole shards
    stays "$1" 0 2 $((2 * 3 * 64))
    stays "$1" 1 2 $((2 * 2 * 1 * 32))
    stays "$1" 2 2 $((2 * 2 * 1 * 32))
    stays "$1" 3 2 $((2 * 3 * 64))
}

draw() { # arguments: the run's result and its timeline
    "$acesim" "$@" --format json --timeline "$work/trace" >"$work/json" 2>"$work/err"
    verdict $? "$name: $(tail -n 2 "$work/err")"
}

detail() { echo "SELECT json_extract(args, '\$.$1') FROM e WHERE name = 'detail'"; }

name='folded'
run=(collective all-reduce --topology 4x2x2 --size 128KiB)
draw "${run[@]}"
check
all_reduce 1
all_chunks
holds 6 "SELECT count(*) FROM e WHERE ph = 's'" # 2 chunks, from each phase to the next
cp "$work/trace" "$work/first"

name='unfolded'
draw "${run[@]}" --fold off
check
all_reduce 16
all_chunks
counts "$work/json"
adds_up "$work/json"
holds $((16 * 6)) "SELECT count(*) FROM e WHERE ph = 's' AND cat = 'to the next phase'"
holds $((16 * 8)) "SELECT count(*) FROM e WHERE ph = 's' AND cat = 'to the next NPU'"
holds $((16 * 8)) "SELECT count(*) FROM e AS s JOIN e AS f USING (cat, id) WHERE s.ph = 's' AND f.ph = 'f' AND
    cat = 'to the next NPU' AND s.pid <> f.pid AND s.tid = f.tid"
# the collective's flows: one goes out from each NPU, one comes in, all the way round
holds 16 "SELECT count(DISTINCT s.pid) FROM e AS s JOIN e AS f USING (cat, id) WHERE s.ph = 's' AND f.ph = 'f' AND
    cat = 'collective' AND f.pid = s.pid % 16 + 1"
for track in compute collectives 'FSM 0' 'FSM 13' link.x+ link.z- tx_dma rx_dma memory.read memory.write; do
    [ "$track" = compute ] && continue # none here
    holds 16 "SELECT count(*) FROM track WHERE track = '$track'"
done
# the folded node is NPU 0
of_npu_0() { grep '"pid":1,' "$1" | grep '"ph":"[XC]"' | sed 's/,$//'; }
cmp <(of_npu_0 "$work/first") <(of_npu_0 "$work/trace")
verdict $? 'NPU 0 differs where it stands for all'
cp "$work/trace" "$work/one"
for threads in 2 3; do
    "$acesim" "${run[@]}" --fold off --threads $threads --timeline "$work/trace" >"$work/out" 2>"$work/err"
    cmp "$work/one" "$work/trace"
    verdict $? "$threads threads"
done

name='rtl'
"$acesim" "${run[@]}" --rung rtl --timeline "$work/trace" >"$work/out" 2>"$work/err"
# but for the digest, of which the rung is a part
same() { sed -e 's/(cycle/(rtl/' -e '/"name":"config_digest"/d' "$1"; }
diff <(same "$work/first") <(same "$work/trace") >"$work/out"
verdict $? "the timeline of the RTL differs: $(head -3 "$work/out")"

name='mixed rungs'
draw collective all-gather --topology 4x2x1 --size 200000 --rung 'rtl:0,5;cycle:rest'
check

name='slow node'
draw collective reduce-scatter --topology 4x2x1 --size 1MiB --speed 0.2:3
check
stays 8 3 16 $((16 * 32)) # the last of two phases
counts "$work/json"
adds_up "$work/json"
all_chunks

name='all-to-all'
draw collective all-to-all --topology 4x2x1 --size 256KiB --fold off
check
counts "$work/json"
adds_up "$work/json"
holds 8 "SELECT count(DISTINCT pid) FROM slice WHERE track = 'exchange.read' AND name = 'busy'"

for endpoint in comm-opt ideal; do
    name=$endpoint
    draw collective all-reduce --topology 4x2x1 --size 256KiB --fold off --endpoint $endpoint
    check
    [ $endpoint = ideal ] || counts "$work/json"
    [ $endpoint = ideal ] || adds_up "$work/json"
done

# Nothing moves where no collective is under way, but for the interval in which one begins.
idle() {
    local before=$((2 * 1024 * 1000 / 1245))
    local moments="SELECT pid AS p, ts + width - $before AS moment FROM counter WHERE name = 'collectives outstanding' AND
        json_extract(args, '\$.average') = 0 AND width > 2 * $before UNION
        SELECT pid, min(ts) - $before FROM slice WHERE track LIKE 'collectives%' GROUP BY pid"
    holds 1 "SELECT count(*) > 2 FROM ($moments)"
    holds 0 "SELECT count(*) FROM ($moments) JOIN counter AS c ON p = c.pid AND c.ts <= moment AND moment < c.ts + c.width
        WHERE (c.name = 'sent, GB/s' AND $(value x) + $(value y) + $(value z) > 0) OR
        (c.name = 'memory, GB/s' AND $(value read) + $(value written) > 0)"
}

printf 'DATA\n2\nl1 -1 20 NONE 0 40 NONE 0 30 ALLREDUCE 50000 100\nl2 -1 20 NONE 0 40 NONE 0 30 ALLREDUCE 5000 100\n' \
    >"$work/two.txt"
name='training, one slow'
draw run workloads/clusters/torus-4x2x2.yaml "$work/two.txt" --order fifo --speed 0.5:13
check
all_chunks
idle
counts "$work/json"

name='training'
draw run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 2
check
all_chunks
holds "$(sqlite3 :memory: "SELECT json_extract(readfile('$work/json'), '\$.compute_cycles')")" \
    "SELECT sum(cycles) FROM slice WHERE track = 'compute'"
holds 0 "SELECT count(*) FROM (SELECT $clock * $(under average) AS got, (SELECT sum(past - first) FROM slice
    WHERE track LIKE 'collectives%') AS want FROM counter WHERE name = 'collectives outstanding')
    WHERE abs(got - want) > 1e-4 * want"
idle

# ---- long runs: less detail, no less of the run ------------------------------------------

bounded() { # BYTES
    [ "$(stat -c %s "$work/trace")" -le "$1" ] && [ "$(stat -c %s "$work/trace")" -gt $(($1 / 5)) ]
    verdict $? "$name: $(stat -c %s "$work/trace") bytes, of $1"
}
covered() { # SQL of slices: some begin in each eighth of the run
    holds 8 "SELECT count(DISTINCT 8 * ts / (SELECT 1 + max(ts + dur) FROM slice)) FROM slice WHERE $1"
}

name='long'
long=(collective all-reduce --topology 4x2x2 --size 128MiB --timeline-limit 1MB)
draw "${long[@]}" --checkpoint "$work/state" --checkpoint-every 300000
check
bounded 1000000
covered "track LIKE 'phase 0%' AND args IS NOT NULL"
covered "track = 'memory.read'"
covered "track = 'FSM 0'"
holds 1 "SELECT ($(detail interval_cycles)) > 1024 AND ($(detail of_chunks_one_in)) > 1"
# of 2048 chunks, one in so many
holds 1 "SELECT count(*) * ($(detail of_chunks_one_in)) = 4 * 2048 FROM stay"
# the one node drawn stands for 16
sqlite3 "$work/db" "UPDATE slice SET cycles = 16 * cycles"
holds 0 "SELECT count(*) FROM (SELECT track || '.' || name AS key, sum(cycles) AS got FROM slice WHERE
    name IN ('busy', 'blocked', 'starved') AND track NOT LIKE 'FSM%' GROUP BY 1) AS s JOIN
    json_each(readfile('$work/json'), '\$.statistics') AS j USING (key) WHERE got <> value"
cp "$work/trace" "$work/alone"
"$acesim" "${long[@]}" --resume "$work/state" --timeline "$work/trace" >"$work/out" 2>"$work/err"
cmp "$work/alone" "$work/trace"
verdict $? "$name, resumed: $(tail -n 1 "$work/err")"
"$acesim" "${run[@]}" --size 128MiB --resume "$work/state" --timeline "$work/trace" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'other --samples or --timeline-limit' "$work/err" && cmp "$work/alone" "$work/trace"
verdict $? "$name, resumed with another limit: $(tail -n 1 "$work/err")"

{
    printf 'DATA\n8\n'
    for i in 1 2 3 4 5 6 7 8; do
        printf 'l%u -1 200 NONE 0 400 NONE 0 300 ALLREDUCE %u 100\n' $i $((i * 5000))
    done
} >"$work/layers.txt"
name='many iterations'
draw run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --iterations 500 --timeline-limit 1MB
check
bounded 1000000
covered "track = 'compute'"
covered "track LIKE 'collectives%'"
holds 1 "SELECT ($(detail steps_within_cycles)) > 1024 AND ($(detail of_collectives_one_in)) > 1"
holds "$(sqlite3 :memory: "SELECT json_extract(readfile('$work/json'), '\$.compute_cycles')")" \
    "SELECT sum(cycles) FROM slice WHERE track = 'compute'"

# ---- on the way ----------------------------------------------------------------------------

# A run that is killed leaves what it had written, without its end, and no result.
name='killed'
rm -f "$work/trace"
"$acesim" collective all-reduce --topology 4x4x2 --size 512MiB --fold off --timeline "$work/trace" \
    >"$work/out" 2>"$work/err" &
for ((i = 0; i < 2000; i++)); do
    grep -q '"pid":32,.*tx_dma' "$work/trace.part" 2>/dev/null && break
    sleep 0.005
done
kill -9 $!
wait $! 2>/dev/null
[ ! -e "$work/trace" ]
verdict $? 'killed, and has a timeline'
{ head -n -1 "$work/trace.part" | sed '$s/,$//'; echo ']'; } >"$work/cut"
table "$work/cut"
holds 32 "SELECT count(DISTINCT pid) FROM slice WHERE track = 'tx_dma'"

name='cannot be written'
"$acesim" "${run[@]}" --timeline "$work/no/where" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'expected a file that can be written' "$work/err"
verdict $? "$name: $(head -n 1 "$work/err")"
"$acesim" "${run[@]}" --timeline "$work/trace" --timeline-limit 10KB >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q -- '--timeline-limit: found' "$work/err"
verdict $? "too small a limit: $(head -n 1 "$work/err")"

# Progress is for terminals.
"$acesim" "${long[@]}" --timeline "$work/trace" >"$work/out" 2>"$work/err"
[ "$(wc -l <"$work/err")" -eq 1 ] && ! grep -q % "$work/err"
verdict $? "progress in a file: $(head -n 1 "$work/err")"
if command -v script >/dev/null; then
    script -qec "'$acesim' ${long[*]} --fold off" /dev/null </dev/null >"$work/out" 2>&1
    grep -q '[0-9] % *cycle' "$work/out"
    verdict $? 'no progress on a terminal'
fi

# recording changes nothing of the result
"$acesim" "${run[@]}" --format json 2>"$work/err" | grep -v fast_forward >"$work/without"
"$acesim" "${run[@]}" --format json --timeline "$work/trace" --output "$work/both" 2>"$work/err" |
    grep -v fast_forward >"$work/with"
cmp "$work/without" "$work/with" && cmp "$work/trace" "$work/both/timeline.json"
verdict $? 'a timeline changes the result, or the two files differ'

# With commands by registers, the timeline must show the run with registers, not the run by pins that it is compared
# with.
by_registers=(collective all-reduce --topology 4x2x2 --size 256KiB --control registers)
"$acesim" "${by_registers[@]}" --timeline "$work/trace" >"$work/out" 2>"$work/err" &&
    "$acesim" "${by_registers[@]}" --output "$work/registers" >"$work/out" 2>"$work/err" &&
    cmp "$work/trace" "$work/registers/timeline.json"
verdict $? 'control by registers: --output writes another timeline than --timeline'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

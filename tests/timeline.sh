#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The timeline: a trace that a viewer takes, in which the chunks' stays are those that the
# collective asks for, the same on every rung, and whose size is bounded.
set -u
acesim=${ACESIM:-$1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}

# The events of a trace as a table: n is their order in the file.
table() {
    rm -f "$work/db"
    sqlite3 "$work/db" "CREATE TABLE e AS SELECT key AS n,
        json_extract(value, '\$.ph') AS ph, json_extract(value, '\$.pid') AS pid,
        json_extract(value, '\$.tid') AS tid, json_extract(value, '\$.ts') AS ts,
        json_extract(value, '\$.name') AS name, json_extract(value, '\$.cat') AS cat,
        json_extract(value, '\$.id') AS id, json_extract(value, '\$.args') AS args
        FROM json_each(readfile('$1'), '\$.traceEvents');
        CREATE INDEX place ON e (pid, tid, ph); CREATE INDEX flow ON e (cat, id)"
}

holds() { # SQL that is to give EXPECTED
    local got
    got=$(sqlite3 "$work/db" "$2" 2>&1)
    [ "$got" = "$1" ]
    verdict $? "$name: expected $1, found '$got': $2"
}

check() { # of the schema, whatever the run
    table "$work/trace"
    holds 0 "SELECT count(*) FROM e WHERE ph NOT IN ('M', 'X', 'B', 'E', 'b', 'e', 's', 'f', 'C')"
    holds 0 "SELECT count(*) FROM e WHERE ph <> 'M' AND (ts IS NULL OR ts < 0 OR pid IS NULL)"
    # each process and track that is used has one name
    holds 0 "SELECT count(*) FROM (SELECT DISTINCT pid FROM e WHERE ph <> 'M') WHERE
        (SELECT count(*) FROM e AS m WHERE m.pid = pid AND name = 'process_name') = 0"
    holds 0 "SELECT count(*) FROM (SELECT DISTINCT pid AS p, tid AS t FROM e WHERE ph IN ('B', 'X', 's', 'f'))
        WHERE (SELECT count(*) FROM e WHERE pid = p AND tid = t AND name = 'thread_name') <> 1"
    # slices of a track nest, and their times go on
    holds 0 "SELECT count(*) FROM (SELECT sum(CASE ph WHEN 'B' THEN 1 ELSE -1 END)
        OVER (PARTITION BY pid, tid ORDER BY n) AS depth FROM e WHERE ph IN ('B', 'E')) WHERE depth NOT IN (0, 1, 2)"
    holds 0 "SELECT count(*) FROM (SELECT sum(CASE ph WHEN 'B' THEN 1 ELSE -1 END) AS depth
        FROM e WHERE ph IN ('B', 'E') GROUP BY pid, tid) WHERE depth <> 0"
    holds 0 "SELECT count(*) FROM (SELECT ts - lag(ts) OVER (PARTITION BY pid, tid ORDER BY n) AS step
        FROM e WHERE ph IN ('B', 'E', 'X')) WHERE step < 0"
    holds 0 "SELECT count(*) FROM (SELECT ts - lag(ts) OVER (PARTITION BY pid, name ORDER BY n) AS step
        FROM e WHERE ph = 'C') WHERE step <= 0"
    # each flow leads from one place to one place, not back in time
    holds 0 "SELECT count(*) FROM (SELECT 1 FROM e WHERE ph IN ('s', 'f') GROUP BY cat, id
        HAVING count(*) <> 2 OR sum(ph = 's') <> 1 OR max(CASE ph WHEN 's' THEN ts END) > max(CASE ph WHEN 'f' THEN ts END))"
    # both of its ends lie in a stay
    holds 0 "SELECT count(*) FROM e AS f WHERE ph IN ('s', 'f') AND NOT EXISTS (SELECT 1 FROM e AS b WHERE
        b.ph = 'B' AND b.args IS NOT NULL AND b.pid = f.pid AND b.tid = f.tid AND b.ts <= f.ts + 1e-6 AND
        f.ts <= json_extract(b.args, '\$.to') / $clock + 1e-6)"
    holds 0 "SELECT count(*) FROM (SELECT 1 FROM e WHERE ph IN ('b', 'e') GROUP BY id
        HAVING count(*) <> 2 OR sum(ph = 'b') <> 1)"
}
clock=1245.0

stays() { # NPUs PHASE COUNT PACKETS: on each NPU, that many stays in the phase, which send that many
    holds "$1" "SELECT count(*) FROM (SELECT count(*) AS stays,
        sum(json_extract(args, '\$.packets_sent')) AS sent, sum(json_extract(args, '\$.packets_received')) AS received
        FROM e WHERE ph = 'B' AND args IS NOT NULL AND tid / 100 - 1 = $2 GROUP BY pid)
        WHERE stays = $3 AND sent = $4 AND received = $4"
}

all_reduce() { # NPUs: 4x2x2, 128 KiB: 2 chunks of 256 rows, whole shards
    stays "$1" 0 2 $((2 * 3 * 64))
    stays "$1" 1 2 $((2 * 2 * 1 * 32))
    stays "$1" 2 2 $((2 * 2 * 1 * 32))
    stays "$1" 3 2 $((2 * 3 * 64))
}

name='folded'
run=(collective all-reduce --topology 4x2x2 --size 128KiB)
"$acesim" "${run[@]}" --timeline "$work/trace" >"$work/out" 2>"$work/err"
check
all_reduce 1
holds 6 "SELECT count(*) FROM e WHERE ph = 's'" # 2 chunks, from each phase to the next
cp "$work/trace" "$work/first"

name='unfolded'
"$acesim" "${run[@]}" --fold off --threads 2 --timeline "$work/trace" >"$work/out" 2>"$work/err"
check
all_reduce 16
holds $((16 * 6)) "SELECT count(*) FROM e WHERE ph = 's' AND cat = 'to the next phase'"
holds $((16 * 8)) "SELECT count(*) FROM e WHERE ph = 's' AND cat = 'to the next NPU'"
holds $((16 * 8)) "SELECT count(*) FROM e AS s JOIN e AS f USING (id) WHERE s.ph = 's' AND f.ph = 'f' AND
    s.cat = 'to the next NPU' AND f.cat = s.cat AND s.pid <> f.pid AND s.tid = f.tid"
# what a counter draws adds up to the bytes of the closed form, but for the digits written
holds 1 "SELECT abs(sum(json_extract(args, '\$.x') * 1e3 * ((SELECT $clock * min(ts) FROM e AS n WHERE n.ph = 'C' AND
    n.name = c.name AND n.ts > c.ts) - $clock * ts) / $clock) / (SELECT sum(packets) * 256.0 FROM
    (SELECT sum(json_extract(args, '\$.packets_sent')) AS packets FROM e WHERE pid = 0 AND ph = 'B' AND
    args IS NOT NULL AND tid / 100 IN (1, 4))) - 1) < 0.01 FROM e AS c WHERE ph = 'C' AND name = 'sent, GB/s'"

name='rtl'
"$acesim" "${run[@]}" --rung rtl --timeline "$work/trace" >"$work/out" 2>"$work/err"
diff <(sed 's/(cycle/(rtl/' "$work/first") "$work/trace" >"$work/out"
verdict $? "the timeline of the RTL differs: $(head -3 "$work/out")"

name='mixed rungs'
"$acesim" collective all-gather --topology 4x2x1 --size 200000 --rung 'rtl:0,5;cycle:rest' \
    --timeline "$work/trace" >"$work/out" 2>"$work/err"
check

name='slow node'
"$acesim" collective reduce-scatter --topology 4x2x1 --size 1MiB --speed 0.2:3 \
    --timeline "$work/trace" >"$work/out" 2>"$work/err"
check
stays 8 3 16 $((16 * 32)) # the last of two phases

name='training'
"$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --iterations 1 \
    --timeline "$work/trace" >"$work/out" 2>"$work/err"
check

# a thousand chunks more: no more of them are drawn, and that is said
name='long'
"$acesim" collective all-reduce --topology 4x2x2 --size 128MiB --timeline "$work/trace" \
    >"$work/out" 2>"$work/err"
check
holds $((4 * 16 * 64)) "SELECT count(*) FROM e WHERE ph = 'B' AND args IS NOT NULL"
holds 1 "SELECT count(*) FROM e WHERE ph = 'M' AND args LIKE '%$((4 * 2048 - 4 * 16 * 64)) more stays of chunks%'"
[ "$(stat -c %s "$work/trace")" -lt 6000000 ]
verdict $? "$(stat -c %s "$work/trace") bytes"

# recording changes nothing of the result
"$acesim" "${run[@]}" --format json 2>"$work/err" | grep -v fast_forward >"$work/without"
"$acesim" "${run[@]}" --format json --timeline "$work/trace" 2>"$work/err" | grep -v fast_forward >"$work/with"
cmp "$work/without" "$work/with"
verdict $? 'a timeline changes the result'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

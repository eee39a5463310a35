#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim diff reports exactly what differs between two results. Counters are changed by hand (SQLite writes the JSON).
# Where two runs are compared, the numbers must be those of their files.
. "$(dirname "$0")/../begin.sh"

sql() { sqlite3 -separator ' ' :memory: "$1"; }
field() { sql "SELECT json_extract(readfile('$work/$1.json'), '\$.$2')"; }        # RUN PATH
edit() { sql "SELECT json_set(readfile('$work/$1.json'), '\$.$3', $4)" >"$work/$2.json"; } # FROM TO PATH VALUE
make() { # NAME arguments: a result
    local name=$1
    shift
    "$acesim" "$@" --format json >"$work/$name.json" 2>"$work/err"
    verdict $? "$*: $(cat "$work/err")"
}
diff_of() { # STATUS arguments, of two names: as a table, as JSON, as CSV
    local want=$1
    shift
    what=$*
    set -- "$work/$1.json" "$work/$2.json" "${@:3}"
    "$acesim" diff "$@" >"$work/out" 2>"$work/err"
    [ $? -eq "$want" ]
    verdict $? "$what: expected status $want: $(cat "$work/out" "$work/err")"
    "$acesim" diff "$@" --format json >"$work/found.json" 2>"$work/err"
    "$acesim" diff "$@" --format csv >"$work/found.csv" 2>"$work/err"
}
is() { # EXPECTED QUERY of the JSON: {units} are the rows of that group
    local got
    got=$(sql "$(sed "s/{\([a-z]*\)}/(SELECT json_extract(value, '\$.name') AS name, json_extract(value, '\$.a') AS a, json_extract(value, '\$.b') AS b, json_extract(value, '\$.change') AS change FROM json_each(readfile('${work//\//\\/}\/found.json'), '\$.\1'))/g" <<<"$2")")
    [ "$got" = "$1" ]
    verdict $? "$what: $2: expected '$1', found '$got'"
}
has() {
    grep -qF -- "$1" "$work/out"
    verdict $? "$what: no '$1' in: $(cat "$work/out")"
}

small=(collective all-reduce --topology 4x2x2 --size 256KiB)
make a "${small[@]}"

# the same twice
diff_of 0 a a --check
has 'no setting and no number differs'
[ "$(wc -l <"$work/found.csv")" -eq 1 ]
verdict $? "the same: $(cat "$work/found.csv")"
[ "$(field found numbers_differ)" = 0 ]
verdict $? 'the same differ'

# one setting: its name, the numbers that follow from it, and none that cannot
make b "${small[@]}" --memory-bandwidth 20GB/s
diff_of 0 a b
is 'config_digest,memory_bandwidth_GBps' "SELECT group_concat(name) FROM (SELECT name FROM {settings} ORDER BY name)"
is '128.0 20.0' "SELECT a + 0.0, b + 0.0 FROM {settings} WHERE name = 'memory_bandwidth_GBps'"
is "$(field a cycles) $(field b cycles)" "SELECT a, b FROM {results} WHERE name = 'cycles'"
is 0 'SELECT count(*) FROM {links}'
is 0 "SELECT count(*) FROM {results} WHERE name LIKE '%bytes%' OR name LIKE 'check%'"
# nothing passes the router in either: idle from the first cycle to the last
is "$(($(field b cycles) - $(field a cycles)))" "SELECT change FROM {units} WHERE name = 'router.idle'"
is 0 "SELECT count(*) FROM {units} WHERE name LIKE 'router.%' AND name <> 'router.idle'"
is 1 'SELECT min(ok) FROM (SELECT abs(change) <= lag(abs(change), 1, 1e18) OVER () AS ok FROM {units})'
has "$(sql "SELECT printf('%,d', $(field b cycles))")"
has '16 of 16 nodes count other cycles or bytes: 0-15'
diff_of 1 a b --check
diff_of 1 b a --check
is "-$(($(field b cycles) - $(field a cycles)))" "SELECT change FROM {results} WHERE name = 'cycles'"

# counters changed by hand: in the group of all nodes, by as much as was added
edit a c 'node_groups[0].cycles.reduce[1]' "$(($(field a 'node_groups[0].cycles.reduce[1]') + 7))"
diff_of 1 a c --check
is 'reduce.starved 7.0' 'SELECT name, change + 0.0 FROM {units}'
is 0 'SELECT count(*) FROM {results}'
is 0 'SELECT count(*) FROM {settings}'
make slow "${small[@]}" --speed 0.5:5
group=$(sql "SELECT key FROM json_each(readfile('$work/slow.json'), '\$.node_groups')
    WHERE json_extract(value, '\$.nodes') = '5'")
edit slow d "node_groups[$group].link_bytes[3]" "$(($(field slow "node_groups[$group].link_bytes[3]") + 1600))"
diff_of 1 slow d --check
is 'link.y- 100.0' 'SELECT name, change + 0.0 FROM {links}' # 1600 of one node in 16
has '1 of 16 nodes count other cycles or bytes: 5'
edit a e checks.payload "'failed'"
diff_of 1 a e --check
is 'checks.payload|not run|failed' "SELECT name || '|' || a || '|' || b FROM {results}"
edit a f 'statistics."link.x+.bad"' 3
diff_of 1 a f --check
is 'link.x+.bad 3' 'SELECT name, change FROM {counters}'
edit a g statistics.new 3
diff_of 1 a g --check
is 'new  3' "SELECT name, ifnull(a, ''), b FROM {counters}"

# what has no part in any number: the seed of a timing-only run, and how nodes were simulated
make seed "${small[@]}" --seed 7
diff_of 0 a seed --check
is 'config_digest,seed' "SELECT group_concat(name) FROM (SELECT name FROM {settings} ORDER BY name)"
has 'no number differs'
make unfolded "${small[@]}" --fold off
diff_of 0 a unfolded --check
is 0 'SELECT count(*) FROM {settings}'
is 1 "SELECT count(*) FROM {way} WHERE name = 'nodes_simulated' AND a = 1 AND b = 16"

# options of which a result has nothing but its command
make faults "${small[@]}" --faults link:1e-4:3
diff_of 0 a faults
is '|link:1e-4:3' "SELECT a || '|' || b FROM {settings} WHERE name = '--faults'"

# another collective, other units, training
make other collective reduce-scatter --topology 2x2x2 --size 256KiB --endpoint comm-opt
diff_of 0 a other
has 'note: not the same collective or workload'
has 'note: not as many nodes'
is '1 1' "SELECT count(*), sum(b IS NULL) FROM {units} WHERE name = 'reduce.busy'"
is '1 1' "SELECT count(*), sum(a IS NULL) FROM {units} WHERE name = 'sm.busy'"
cluster=workloads/clusters/torus-4x2x2.yaml
make one run $cluster workloads/models/dlrm.yaml --endpoint ideal
make two run $cluster workloads/models/dlrm.yaml --endpoint comm-opt
diff_of 0 one two
is "$(field one 'iterations[1].cycles') $(field two 'iterations[1].cycles')" \
    "SELECT a, b FROM {iterations} WHERE name = 'iterations[1].cycles'"

# a table has the largest changes, --all has each
diff_of 0 a b
has 'more, which --all lists'
! grep -q '\.idle' "$work/out"
verdict $? 'idle without --all'
diff_of 0 a b --all
[ "$(grep -cE '\.(busy|starved|blocked|idle) ' "$work/out")" -eq \
    "$(sql "SELECT count(*) FROM json_each(readfile('$work/found.json'), '\$.units')")" ]
verdict $? '--all leaves units out'

refused_by=(diff)
refused 'found 1 arguments, expected two results' "$work/a.json"
refused 'found No such file' "$work/a.json" "$work/none.json"
echo '{"tool": "other"}' >"$work/tool.json"
refused 'JSON of another tool' "$work/tool.json" "$work/a.json"
refused "--format: found 'xml'" "$work/a.json" "$work/b.json" --format xml

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

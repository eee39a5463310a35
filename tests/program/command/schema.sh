#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim schema: each is JSON, has the keys that the program takes, lets every file of workloads/ pass, and
# refuses what the program refuses.  Files are judged where Python has jsonschema and yaml (python3-jsonschema,
# python3-yaml of Debian); where it has not, that is said and the rest is tested.
. "$(dirname "$0")/../begin.sh"

for kind in cluster accelerator workload model sweep study; do
    "$acesim" schema $kind >"$work/$kind.json" 2>"$work/err" &&
        python3 -m json.tool "$work/$kind.json" >"$work/$kind.lines" 2>>"$work/err"
    verdict $? "schema $kind: $(head -n 1 "$work/err")"
done
"$acesim" schema tree >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "found 'tree', expected one of cluster" "$work/err"
verdict $? "schema tree: $(head -n 1 "$work/err")"

# The keys that a cluster file takes, as the message about an unknown one lists them.
printf 'topology: 2\nnothing: 1\n' >"$work/unknown.yaml"
"$acesim" run "$work/unknown.yaml" workloads/resnet50.yaml >/dev/null 2>"$work/err"
keys=$(sed -n 's/.*expected one of //p' "$work/err")
[ "$(wc -w <<<"$keys")" -ge 10 ]
verdict $? "keys of a cluster file: $(cat "$work/err")"
for key in $keys; do
    grep -q "^        \"$key\": {" "$work/cluster.lines"
    verdict $? "the schema of a cluster has no $key"
done

if ! python3 -c 'import jsonschema, yaml' 2>/dev/null; then
    echo "no jsonschema or yaml in Python: files are not judged by the schemas"
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
    exit
fi
judge() { # SCHEMA FILE: is the file as the schema wants it?
    python3 - "$work/$1.json" "$2" 2>"$work/why" <<'PYTHON'
import json, sys, yaml, jsonschema
try:
    jsonschema.validate(yaml.safe_load(open(sys.argv[2])), json.load(open(sys.argv[1])))
except jsonschema.ValidationError as error:
    sys.exit("%s: %s" % (list(error.absolute_path), error.message))
PYTHON
}
for file in workloads/clusters/*.yaml workloads/studies/*/clusters/*.yaml; do
    judge cluster "$file"
    verdict $? "$file: $(tail -n 1 "$work/why")"
done
for file in workloads/accelerators/*.yaml; do
    judge accelerator "$file"
    verdict $? "$file: $(tail -n 1 "$work/why")"
done
for file in workloads/*.yaml workloads/models/*.yaml workloads/studies/*/models/*.yaml; do
    # a model by its sizes has an architecture, one by its layers has layers
    if grep -q '^architecture:' "$file"; then judge model "$file"; else judge workload "$file"; fi
    verdict $? "$file: $(tail -n 1 "$work/why")"
done
for file in workloads/sweeps/*.yaml workloads/studies/*/sweeps/*.yaml; do
    judge sweep "$file"
    verdict $? "$file: $(tail -n 1 "$work/why")"
done
for file in workloads/studies/*/study.yaml; do
    judge study "$file"
    verdict $? "$file: $(tail -n 1 "$work/why")"
done

# What the program refuses by its kind or its range, the schema refuses; and the other way round.
both() { # STATUS (0 or 2) TEXT of a cluster file
    local program schema
    printf '%b' "$2" >"$work/one.yaml"
    "$acesim" run "$work/one.yaml" workloads/resnet50.yaml --endpoint ideal --iterations 1 >/dev/null 2>"$work/err"
    program=$?
    judge cluster "$work/one.yaml"
    schema=$?
    [ $program -eq "$1" ] && [ $((schema != 0)) -eq $(($1 != 0)) ]
    verdict $? "$2: acesim ends with $program, the schema says $schema: $(head -n 1 "$work/err") $(tail -n 1 "$work/why")"
}
both 0 'topology: 4x2\n'
both 0 'topology: 4\n'
both 0 'topology: Ring(2)_Switch(4)\nclock: 1 GHz\nchunk: 64 KiB\n'
both 0 'topology: 4\nlinks: {x: {bandwidth: 100, latency: 7}, w: {latency: 3}}\n'
both 0 'topology: 4\nbaseline: {lazy_last_reduction: on, sms: 7}\nnpu: {launch: 2 us, matrix: 100}\n'
both 2 'clock: 1 GHz\n'
both 2 'topology: 4x\n'
both 2 'topology: Mesh(4)\n'
both 2 'topology: 4\nmemory: {latency: 1}\n'
both 2 'topology: 4\nmemory: 7\n'
both 2 'topology: 4\nlinks: {v: {latency: 7}}\n'
both 2 'topology: 4\norder: random\n'
both 2 'topology: 4\nace: {contexts: 3}\n'
both 2 'topology: 4\nace: {exchange_rows: 1025}\n'
both 2 'topology: 4\nlink_efficiency: 0\n'
both 2 'topology: 4\nclock: 1245\n'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

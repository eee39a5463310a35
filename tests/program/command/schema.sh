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
# All files are judged by one Python, which takes as long to start as to judge forty of them.  Each line
# of the list is a schema and a file; of the answer, the file and what is wrong with it, or nothing.
files() { # SCHEMA FILE...
    printf "$1\t%s\n" "${@:2}"
}
judge() {
    python3 -c '
import json, sys, yaml, jsonschema
read = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
for line in sys.stdin:
    schema, name = line.rstrip("\n").split("\t")
    try:
        jsonschema.validate(yaml.load(open(name), read), json.load(open(sys.argv[1] + "/" + schema + ".json")))
        print(name, "", sep="\t")
    except jsonschema.ValidationError as error:
        print(name, "%s: %s" % (list(error.absolute_path), error.message.split("\n")[0]), sep="\t")
' "$work"
}
{
    files cluster workloads/clusters/*.yaml workloads/studies/*/clusters/*.yaml
    files accelerator workloads/accelerators/*.yaml
    for file in workloads/*.yaml workloads/models/*.yaml workloads/studies/*/models/*.yaml; do
        # a model by its sizes has an architecture, one by its layers has layers
        if grep -q '^architecture:' "$file"; then files model "$file"; else files workload "$file"; fi
    done
    files sweep workloads/sweeps/*.yaml workloads/studies/*/sweeps/*.yaml
    files study workloads/studies/*/study.yaml
} >"$work/files"
judge <"$work/files" >"$work/judged" 2>"$work/err"
[ "$(wc -l <"$work/judged")" -eq "$(wc -l <"$work/files")" ]
verdict $? "files of workloads/ that were judged: $(tail -n 1 "$work/err")"
while IFS=$'\t' read -r file why; do
    [ -z "$why" ]
    verdict $? "$file: $why"
done <"$work/judged"

# The schema must refuse what the program refuses by its kind or range, and accept everything else.
right=(
    'topology: 4x2\n'
    'topology: 4\n'
    'topology: Ring(2)_Switch(4)\nclock: 1 GHz\nchunk: 64 KiB\n'
    'topology: 4\nlinks: {x: {bandwidth: 100, latency: 7}, v: {latency: 3}}\n'
    'topology: 4\nlinks: {x: {latency: 500 ns}}\nmemory: {latency: 0.2us}\nclock: 1 GHz\n'
    'topology: 4\nbaseline: {lazy_last_reduction: on, sms: 7}\nnpu: {launch: 2 us, matrix: 100}\n')
wrong=(
    'clock: 1 GHz\n'
    'topology: 4x\n'
    'topology: Mesh(4)\n'
    'topology: 4\nmemory: {latency: 1}\n'
    'topology: 4\nmemory: {latency: 200 cycles}\n'
    'topology: 4\nmemory: 7\n'
    'topology: 4\nlinks: {q: {latency: 7}}\n'
    'topology: 4\norder: random\n'
    'topology: 4\nace: {contexts: 3}\n'
    'topology: 4\nace: {exchange_rows: 1025}\n'
    'topology: 4\nlink_efficiency: 0\n'
    'topology: 4\nclock: 1245\n')
number=0
for text in "${right[@]}" "${wrong[@]}"; do
    printf '%b' "$text" >"$work/$number.yaml"
    number=$((number + 1))
done
for ((one = 0; one < number; one++)); do files cluster "$work/$one.yaml"; done | judge >"$work/judged"
for ((one = 0; one < number; one++)); do
    expected=$((one < ${#right[@]} ? 0 : 2))
    "$acesim" run "$work/$one.yaml" workloads/resnet50.yaml --endpoint ideal --iterations 1 >/dev/null 2>"$work/err"
    program=$?
    why=$(sed -n "$((one + 1))s/^[^\t]*\t//p" "$work/judged")
    [ $program -eq $expected ] && [ $((expected == 0)) -eq $([ -z "$why" ] && echo 1 || echo 0) ]
    verdict $? "$(cat "$work/$one.yaml"): acesim ends with $program, the schema says '$why': $(head -n 1 "$work/err")"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# authors_table.sh [ACESIM] -- models/dlrm-authors.yaml must match the public layer table of the ACE authors' group.
# Each all-reduce, all-to-all and time of the table must follow from a shape of the model.
. "$(dirname "$0")/../begin.sh"

table=workloads/astra-sim/medium_DLRM.txt
"$acesim" workload workloads/models/dlrm-authors.yaml --cluster workloads/clusters/torus-4x2x2.yaml --format json >"$work/model" 2>"$work/err"
verdict $? "the model: $(tail -n 1 "$work/err")"

cat >"$work/decode.py" <<'END'
import json, sys
model, table, fused, wrong = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3], []

def rows(file):
    """Name, [cycles], [(collective, bytes)] of the passes: forward, input gradient, weight gradient."""
    for line in open(file):
        f = line.split()
        if len(f) == 12:
            yield f[0], [int(f[i]) for i in (2, 5, 8)], [(f[i], int(f[i + 1])) for i in (3, 6, 9)]

def check(found, expected, what, off=0):
    if abs(found - expected) > off:
        wrong.append(f"{what}: found {found}, expected {expected}")

authors, libra = list(rows(table)), list(rows(fused))
layers = [l for l in model["layers"] if l["kind"] == "linear"]
embedding = [l for l in model["layers"] if l["kind"] == "embedding"][0]
samples, element = model["minibatch"], {"fp16": 2}[model["element"]]
check(samples, 512, "samples")
check(len(authors), 20, "lines")
check(len(layers), 19, "layers of the MLPs")

# The MLPs: bytes are the weights in FP16, a pass is 2 x samples x weights at 60 TFLOPS, to the nearest nanosecond.
for line, layer in zip(authors[1:], layers):
    name, cycles, collectives = line
    weights, (inputs, outputs) = layer["parameters"], (int(n) for n in layer["shape"].split(",")[0].split(" -> "))
    check(weights, inputs * outputs, f"{name}: weights, no biases")
    check([c for c, _ in collectives] == ["NONE", "NONE", "ALLREDUCE"], True, f"{name}: collectives")
    check(collectives[2][1], element * weights, f"{name}: bytes")
    for one in cycles:
        check(one, round(2 * samples * weights / 60e3), f"{name}: ns")
check(sum(c[2][1] for _, _, c in authors), 2 * 57411584, "bytes of all all-reduces")
check(model["all_reduce_bytes"], 2 * 57411584, "the model's all-reduces")

# The tables: 64 of width 64, and with the bottom's output they are what the top takes, side by side.
name, cycles, collectives = authors[0]
check([c for c, _ in collectives] == ["ALLTOALL", "ALLTOALL", "NONE"], True, f"{name}: collectives")
for _, bytes_ in collectives[:2]:
    check(bytes_, samples * 64 * 64 * element, "bytes of the all-to-all")
    check(bytes_, model["all_to_all_bytes"], "the model's all-to-all")
check((64 + 1) * 64, 4160, "inputs of the top")
first_top = [l for l in layers if l["layer"] == "top0"][0]
check(first_top["parameters"], 4160 * 2048, "weights of the first layer of the top")
# 90 lookups a table at 900 GB/s, to a nanosecond; what is not pooled away is read once
lookup = embedding["passes"]["forward"]["operations"][0]
check(lookup["read_bytes"], samples * 64 * 90 * 64 * element, "bytes looked up")
check(cycles[0], lookup["read_bytes"] / 900, "ns of the lookup", 1)

# LIBRA's copy: the same times and all-to-alls, and one all-reduce of as many bytes.
check([(n, c) for n, c, _ in libra] == [(n, c) for n, c, _ in authors], True, "LIBRA's times")
check(libra[0][2][:2] == collectives[:2], True, "LIBRA's all-to-alls")
check(sum(c[2][1] for _, _, c in libra), 2 * 57411584, "LIBRA's all-reduce")
print("\n".join(wrong))
sys.exit(bool(wrong))
END
python3 "$work/decode.py" "$work/model" $table workloads/astra-sim/libra/DLRM.txt >"$work/out" 2>&1
verdict $? "$(cat "$work/out")"

# The table as it stands becomes a trace of every NPU.
"$acesim" convert --workload-table $table --network-configuration workloads/astra-sim-2/Ring_8npus.yml --output "$work/trace" 2>"$work/err"
verdict $? "convert: $(tail -n 1 "$work/err")"
same "$(find "$work" -name 'trace.*.et' | wc -l)" 8 'traces of the table'

# The check above finds a table that says something else, in each of its parts.
for wrong in '3s/4194304/4194306/2' '4s/3276800/3276802/' '10s/1118/1119/' '11s/145403/145402/2' '22s/4096/4098/' '3s/419431/419439/'; do
    sed "$wrong" $table >"$work/other"
    ! cmp -s "$work/other" $table
    verdict $? "$wrong changes nothing"
    ! python3 "$work/decode.py" "$work/model" "$work/other" workloads/astra-sim/libra/DLRM.txt >"$work/out" 2>&1
    verdict $? "a table with $wrong passes"
done

echo "authors_table: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

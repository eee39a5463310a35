#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# graph_file.sh [ACESIM] -- acesim convert: Chakra traces, groups and remote memory become a graph file, and must come
# back with every byte. What would be lost, and files that are no graph file, must be refused by name.
. "$(dirname "$0")/../begin.sh"
refused_by=(convert)
inputs=workloads/astra-sim-2

there() { # PREFIX OPTIONS...: into $work/graph.yaml
    "$acesim" convert --workload-configuration "$@" --output "$work/graph.yaml" 2>"$work/err"
}
back() { # into $work/back/t
    rm -rf "$work/back"
    mkdir "$work/back"
    "$acesim" convert --graph "$work/graph.yaml" --output "$work/back/t" 2>"$work/err"
}
alike() { # PREFIX: the traces that came back have its bytes
    local f
    [ "$(ls "$work"/back/t.*.et | wc -l)" -eq "$(ls "$1".*.et | wc -l)" ] || return 1
    for f in "$1".*.et; do cmp -s <(zcat -f "$f") "$work/back/t${f#"$1"}" || return 1; done
}

# ---- traces that others wrote -------------------------------------------------------------------------------
there $inputs/all_reduce && back && alike $inputs/all_reduce
verdict $? "ASTRA-sim's example comes back with its bytes: $(cat "$work/err")"
[ ! -e "$work/back/t.groups.json" ] && [ ! -e "$work/back/t.memory.json" ]
verdict $? 'groups and a memory that it does not have are not made'
echo '{"memory-type": "PER_NODE_MEMORY_EXPANSION", "remote-mem-latency": 100, "remote-mem-bw": 12.3, "num-nodes": 2,
    "num-npus-per-node": 4}' >"$work/memory.json"
there $inputs/pp8/workload --comm-group-configuration $inputs/pp8/workload.json \
    --remote-memory-configuration "$work/memory.json" && back && alike $inputs/pp8/workload
verdict $? "STAGE's pipeline comes back with its bytes: $(cat "$work/err")"
python3 - "$inputs/pp8/workload.json" "$work/back/t.groups.json" "$work/memory.json" "$work/back/t.memory.json" <<'END'
import json, sys
a, b, c, d = (json.load(open(f)) for f in sys.argv[1:])
assert a == b and list(a) == list(b) and c == d, (a, b, c, d)
END
verdict $? 'groups in their order, and the memory with its numbers, come back'
mkdir "$work/gz"
for f in "$inputs"/all_reduce.*.et; do gzip -c "$f" >"$work/gz/$(basename "$f")"; done
there "$work/gz/all_reduce" && back && alike $inputs/all_reduce
verdict $? 'traces under gzip come back as what is in them'
sed -i 's/int64_val: 1048576/int64_val: 2097152/' "$work/graph.yaml"
runs() { # PREFIX
    "$acesim" astra --workload-configuration "$1" --system-configuration $inputs/Ring_4chunks.json --network-configuration \
        $inputs/Ring_4npus.yml --remote-memory-configuration $inputs/no_memory_expansion.json --endpoint ideal 2>/dev/null |
        grep -oE '[0-9]+ bytes'
}
back && [ "$(runs "$work/back/t")" = "$((2 * $(runs $inputs/all_reduce | cut -d ' ' -f 1))) bytes" ]
verdict $? "a size that is changed in the text is that of the run: $(runs "$work/back/t")"

# ---- traces of another writer, with all that the schema has ---------------------------------------------------
cat >"$work/write.py" <<'END'
"""Chakra traces by the wire format of protobuf alone: write.py FILE CASE"""
import random, struct, sys

def varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])
def part(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data
def whole(number, v):
    return varint(number << 3) + varint(v)
def zigzag(v):
    return v << 1 if v >= 0 else (-v << 1) - 1
def message(data):
    return varint(len(data)) + data

number = {  # kind: field, wire type, bytes of a value
    "double": (3, 1, lambda v: struct.pack("<d", v)), "float": (5, 5, lambda v: struct.pack("<f", v)),
    "int32": (7, 0, varint), "int64": (9, 0, varint), "uint32": (11, 0, varint), "uint64": (13, 0, varint),
    "sint32": (15, 0, lambda v: varint(zigzag(v))), "sint64": (17, 0, lambda v: varint(zigzag(v))),
    "fixed32": (19, 5, lambda v: struct.pack("<I", v)), "fixed64": (21, 1, lambda v: struct.pack("<Q", v)),
    "sfixed32": (23, 5, lambda v: struct.pack("<i", v)), "sfixed64": (25, 1, lambda v: struct.pack("<q", v)),
    "bool": (27, 0, varint), "string": (29, 2, lambda v: message(v.encode())), "bytes": (31, 2, message)}
def some(kind):
    bits = 32 if "32" in kind else 64
    if kind == "double": return random.choice([0.1, -0.0, 1e308, 5e-324, float("inf"), -float("inf"), float("nan"), random.random()])
    if kind == "float": return random.choice([0.1, -0.0, 3e38, 1e-45, float("inf"), -float("inf"), float("nan"), random.random()])
    if kind == "bool": return random.randrange(2)
    if kind == "string": return random.choice(["", "x: y", "- [a, b]", "'\"\\", "tab\t, line\nend", "\u00e9\u2028\U0001f600", "true", "7", "a" * 500, "\x01\x7f#"])
    if kind == "bytes": return random.randbytes(random.randrange(9))
    low, high = (0, 2 ** bits - 1) if kind[0] in "uf" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    return random.choice([0, 1, low, high, random.randint(low, high)])
def attribute(kind, many, doc):
    field, wire, put = number[kind]
    out = part(1, (some("string") or "?").encode()) if doc else part(1, b"a")
    if doc: out += part(2, b"what it is")
    if not many: return out + varint(field << 3 | wire) + put(some(kind))
    values = [put(some(kind)) for _ in range(random.randrange(4))]
    if wire == 2: inner = b"".join(varint(1 << 3 | 2) + v for v in values)
    else: inner = part(1, b"".join(values)) if values else b""
    return out + part(field + 1, inner)
def node(i):
    out = (whole(1, i) if i else b"") + part(2, f"n{i}".encode())
    if i % 8: out += whole(3, i % 8)
    deps = [varint(random.randrange(i)) for _ in range(random.randrange(4))] if i else []
    if deps: out += part(4, b"".join(deps))
    if deps: out += part(5, b"".join(deps[:1]))
    if i & 1: out += whole(6, random.getrandbits(64) | 1) + whole(7, 5)
    if i & 2: out += part(8, part(1, b'[[3, "x"]]') + part(3, b"[1]")) + part(9, b"")
    for kind in number:
        for many in (False, True): out += part(10, attribute(kind, many, i & 4))
    return out

random.seed(7)
case = sys.argv[2]
data = message(part(1, b"1.0.0") + part(2, attribute("string", False, True)))
if case == "all": data += b"".join(message(node(i)) for i in range(64))
if case == "unknown": data += message(whole(1, 5) + part(11, b"?"))
if case == "inside": data += message(whole(1, 6) + part(10, part(1, b"a") + whole(40, 1)))
if case == "utf8": data += message(whole(1, 7) + part(2, b"\xff\xfe"))
if case == "nan": data += message(whole(1, 8) + part(10, part(1, b"a") + varint(3 << 3 | 1) + struct.pack("<Q", 0x7ff8000000000001)))
if case == "type": data += message(whole(1, 9) + whole(3, 99))
open(sys.argv[1], "wb").write(data)
END
written() { rm -f "$work"/w.*; python3 "$work/write.py" "$work/w.0.et" "$1"; }
written all && there "$work/w" && back && alike "$work/w"
verdict $? "every kind of attribute comes back with its bytes: $(cat "$work/err")"
written type && there "$work/w" && back && alike "$work/w" && grep -qx 'type: 99' "$work/graph.yaml"
verdict $? 'a type that is not known keeps its number'
mkdir "$work/none"
lost() { # TEXT CASE
    written "$2"
    refused "$1" --workload-configuration "$work/w" --output "$work/none/t"
}
lost 'w.0.et: node 5: found field 11 of Node, expected fields of Chakra 1.0.0 alone' unknown
lost 'w.0.et: node 6: found field 40 of Attribute' inside
lost 'w.0.et: node 7: name: found bytes that are no text, expected UTF-8' utf8
lost 'w.0.et: node 8: double_val: found a NaN with bits of its own' nan

# ---- what is no graph file ------------------------------------------------------------------------------------
there $inputs/all_reduce
cp "$work/graph.yaml" "$work/whole.yaml"
wrong() { # TEXT SED...: of the graph file so changed
    sed "${@:2}" "$work/whole.yaml" >"$work/wrong.yaml"
    refused "$1" --graph "$work/wrong.yaml" --output "$work/none/t"
}
wrong "wrong.yaml:14:35: found '-1', expected a whole number, 0 to 2^64 - 1" -e '14s/int64_val: 0/uint64_val: -1/'
wrong "found '9223372036854775808', expected a whole number, -2^63 to 2^63 - 1" -e '14s/: 0/: 9223372036854775808/'
wrong "found 'COMP', expected a type of Chakra" -e 's/type: COMM_COLL_NODE/type: COMP/'
wrong "found unknown key 'int_val', expected one of name doc_string double_val" -e 's/int64_val/int_val/'
wrong 'found a second value, expected one of a kind' -e 's/int64_val: 0/int64_val: 0, bool_val: true/'
wrong 'found a second of a key, expected each key once' -e 's/^id: 0/id: 0\nid: 0/'
wrong 'found no list, expected a list' -e 's/^attr:$/attr: 3/' -e '/^- /d'
wrong 'found no mapping, expected a mapping of keys' -e 's/^- .*/- x/'
wrong "found 'yes', expected true or false" -e 's/bool_val: false/bool_val: yes/'
wrong "found the end inside a trace, expected as many nodes as 'nodes' says" -e 's/nodes: 1/nodes: 2/' -e '16,$d'
wrong "found unknown key 'id'" -e '0,/nodes: 1/s/nodes: 1/nodes: 0/'
wrong 'found no trace of rank 4, expected one of each' -e 's/^ranks: 4/ranks: 5/'
wrong 'found a rank twice, or one that is not below' -e 's/^ranks: 4/ranks: 3/'
wrong 'found a rank twice, or one that is not below' -e 's/^rank: 2/rank: 1/'
wrong "expected the key 'ranks'" -e 's/^ranks: 4/remote_memory: {memory-type: NO_MEMORY_EXPANSION}/'
wrong 'group 1: found what is no NPU of the network' -e 's/^ranks: 4/&\ngroups: {"1": [4]}/'
wrong 'group 1: found an NPU twice' -e 's/^ranks: 4/&\ngroups: {"1": [3, 3]}/'
wrong "MEMORY_POOL without remote-mem-bw" -e 's/^ranks: 4/&\nremote_memory: {memory-type: MEMORY_POOL}/'
wrong "found unknown key 'topology'" -e 's/^ranks: 4/topology: 4/'
[ -z "$(ls "$work/none")" ]
verdict $? "nothing is written of a file that is refused: $(ls "$work/none")"
refused 'none.0.et: found no such file' --workload-configuration "$work/none"
refused 'found groups without traces' --comm-group-configuration $inputs/pp8/workload.json
refused 'found --graph without an output' --graph "$work/whole.yaml"
refused 'found --workload-configuration beside other files' --workload-configuration $inputs/all_reduce \
    --network-configuration $inputs/Ring_4npus.yml

echo "graph_file: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

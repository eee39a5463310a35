# SPDX-License-Identifier: Apache-2.0
"""random_graphs.py SEED FOLDER -- traces of NPUs that a blocking program could carry out

A list of steps is drawn that all NPUs together do one after the other: a collective of some ordered
set of NPUs, a message, or compute.  Each NPU's trace has its own steps of the list, with ids that rise
along it, in any order in the file, and each behind some of those before it.  So every trace can wait
only for what is earlier in the list: whatever is carried out of it must end.

FOLDER gets t.N.et, net.yml and groups.json; the number of NPUs goes to standard output.
"""
import json
import random
import sys

SHAPES = (("Ring",), (4,)), (("Ring",), (6,)), (("Ring", "Ring"), (2, 2)), (("Switch",), (4,)), \
    (("Ring", "Ring"), (2, 3)), (("Ring", "Ring", "Ring"), (2, 2, 2)), (("Ring", "Switch"), (2, 3))
ALL_REDUCE, ALL_GATHER, BROADCAST, ALL_TO_ALL, REDUCE_SCATTER, BARRIER = 0, 2, 5, 6, 7, 9


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def data(field, b):
    return varint(field << 3 | 2) + varint(len(b)) + b


def attribute(name, n):
    return data(10, data(1, name.encode()) + number(13, n))


def node(identity, kind, parents, duration, attributes, group=None):
    body = number(1, identity) + data(2, b"n") + number(3, kind)
    if parents:
        body += data(5, b"".join(varint(p) for p in parents))
    if duration:
        body += number(7, duration)
    for name, n in attributes.items():
        body += attribute(name, n)
    if group:
        body += data(10, data(1, b"pg_name") + data(29, group.encode()))
    return varint(len(body)) + body


def make(seed, folder):
    """The files; returns the number of NPUs."""
    draw = random.Random(seed)
    blocks, sizes = draw.choice(SHAPES)
    npus = 1
    for size in sizes:
        npus *= size
    groups = {str(g + 1): draw.sample(range(npus), draw.randint(2, npus))
              for g in range(draw.randint(1, 4))}
    # Of a group all collectives are alike: which of two comes first cannot be told from outside.
    kinds = {g: (draw.choice((ALL_REDUCE, ALL_GATHER, BROADCAST, ALL_TO_ALL, REDUCE_SCATTER, BARRIER)),
                 draw.choice((64, 4096, 70000))) for g in [None, *groups]}
    steps = [[] for _ in range(npus)]  # of each NPU: (id, type, duration, attributes, group)
    identity = 0
    for _ in range(draw.randint(10, 30)):
        identity += draw.randint(1, 3)
        what = draw.random()
        if what < 0.45:
            group = draw.choice([None, *groups])
            kind, size = kinds[group]
            for npu in groups[group] if group else range(npus):
                steps[npu].append((identity, 7, 0, {"comm_type": kind, "comm_size": size}, group))
        elif what < 0.8:
            source, target = draw.sample(range(npus), 2)
            message = {"comm_tag": draw.randint(0, 2), "comm_size": draw.choice((1, 300, 20000))}
            steps[source].append((identity, 5, 0, {"comm_dst": target, **message}, None))
            steps[target].append((identity, 6, 0, {"comm_src": source, **message}, None))
        else:
            steps[draw.randrange(npus)].append((identity, 4, draw.randint(1, 9), {}, None))
    for npu in range(npus):
        nodes = []
        for i, (identity, kind, duration, attributes, group) in enumerate(steps[npu]):
            before = [s[0] for s in steps[npu][:i]]
            parents = draw.sample(before, min(len(before), draw.randint(0, 2)))
            if before and draw.random() < 0.3:
                parents.append(before[-1])
            nodes.append(node(identity, kind, sorted(set(parents)), duration, attributes, group))
        draw.shuffle(nodes)
        with open(f"{folder}/t.{npu}.et", "wb") as file:
            metadata = data(1, b"0.0.4")
            file.write(varint(len(metadata)) + metadata + b"".join(nodes))
    with open(f"{folder}/net.yml", "w") as file:
        file.write(f"topology: [ {', '.join(blocks)} ]\nnpus_count: [ {', '.join(map(str, sizes))} ]\n"
                   f"bandwidth: [ {', '.join(['50.0'] * len(sizes))} ]\n"
                   f"latency: [ {', '.join(['300.0'] * len(sizes))} ]\n")
    with open(f"{folder}/groups.json", "w") as file:
        json.dump(groups, file)
    return npus


if __name__ == "__main__":
    print(make(int(sys.argv[1]), sys.argv[2]))

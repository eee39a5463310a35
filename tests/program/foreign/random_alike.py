# SPDX-License-Identifier: Apache-2.0
"""random_alike.py SEED FOLDER -- traces of NPUs that all do the same, as far as a trace shows it

Every NPU has the same collectives, computes and, in some traces, the same messages as seen from where it is.
Some collectives have a root, and some go by messages that NPUs send in an order of their own.  So a trace alone
does not show whether one NPU may stand for all of them.  FOLDER gets t.N.et, net.yml and sys.json; what was drawn
goes to standard output.
"""
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "workload" / "chakra"))
from random_graphs import (ALL_GATHER, ALL_REDUCE, ALL_TO_ALL, BARRIER, BROADCAST, REDUCE_SCATTER,  # noqa: E402
                           data, node, number, varint)

SHAPES = (("Ring",), (2,)), (("Ring",), (4,)), (("Ring",), (5,)), (("Ring", "Ring"), (4, 2)), \
    (("Ring", "Ring"), (2, 2)), (("Switch",), (4,)), (("FullyConnected",), (4,)), (("Ring", "Switch"), (2, 3)), \
    (("Ring", "FullyConnected"), (2, 2)), (("Ring", "Ring", "Ring"), (2, 2, 2))
KINDS = ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, BARRIER


def dimensions(which):
    """The attribute involved_dim."""
    return data(10, data(1, b"involved_dim") + data(28, b"".join(number(1, b) for b in which)))


def shifted(npu, by, sizes):
    """The NPU that is so far from another along each dimension."""
    result, stride = 0, 1
    for step, size in zip(by, sizes):
        result += (npu // stride % size + step) % size * stride
        stride *= size
    return result


def steps(draw, sizes):
    """What each NPU does, one after the other: (id, type, duration, attributes or None, dimensions or shift)."""
    kinds = draw.sample(KINDS, draw.randint(1, 4))
    messages = draw.random() < 0.4
    result = []
    for identity in range(draw.randint(1, 8)):
        what = draw.random()
        if what < 0.65 or not (messages or identity):
            which = [draw.random() < 0.6 for _ in sizes]
            if not any(which) or draw.random() < 0.5:
                which = [True] * len(sizes)
            result.append((identity, 7, 0, {"comm_type": draw.choice(kinds),
                                            "comm_size": draw.choice((256, 5000, 65536, 300000))}, which))
        elif what < 0.85 and messages:
            by = [draw.randrange(size) for size in sizes]
            if any(by):
                result.append((identity, 5, 0, {"comm_tag": identity, "comm_size": draw.choice((300, 20000))}, by))
        else:
            result.append((identity, 4, draw.randint(1, 9), {}, None))
    return result


def make(seed, folder):
    draw = random.Random(seed)
    blocks, sizes = draw.choice(SHAPES)
    npus = 1
    for size in sizes:
        npus *= size
    todo = steps(draw, sizes)
    parents = {s[0]: sorted(draw.sample([t[0] for t in todo if t[0] < s[0]],
                                        min(sum(t[0] < s[0] for t in todo), draw.randint(0, 2)))) for s in todo}
    for npu in range(npus):
        body = b""
        for identity, kind, duration, attributes, where in todo:
            if kind == 5:
                there, here = shifted(npu, where, sizes), shifted(npu, [-w for w in where], sizes)
                body += node(identity, 5, parents[identity], 0, {"comm_dst": there, **attributes})
                body += node(100 + identity, 6, parents[identity], 0, {"comm_src": here, **attributes})
                continue
            one = node(identity, kind, parents[identity], duration, attributes)
            if kind == 7 and not all(where):  # behind the node's own fields
                inside = one[1 if one[0] < 128 else 2:] + dimensions(where)
                one = varint(len(inside)) + inside
            body += one
        with open(f"{folder}/t.{npu}.et", "wb") as file:
            metadata = data(1, b"0.0.4")
            file.write(varint(len(metadata)) + metadata + body)
    with open(f"{folder}/net.yml", "w") as file:
        file.write(f"topology: [ {', '.join(blocks)} ]\nnpus_count: [ {', '.join(map(str, sizes))} ]\n"
                   f"bandwidth: [ {', '.join(['50.0'] * len(sizes))} ]\n"
                   f"latency: [ {', '.join(['300.0'] * len(sizes))} ]\n")
    with open(f"{folder}/sys.json", "w") as file:
        json.dump({"scheduling-policy": draw.choice(("LIFO", "FIFO"))}, file)
    rooted = any(s[1] == 7 and s[3]["comm_type"] == BROADCAST for s in todo)
    print(npus, "rooted" if rooted else "-", "+".join(blocks), *sizes,
          *(s[3].get("comm_type", "c") if s[1] == 7 else {5: "send", 4: "compute"}[s[1]] for s in todo))


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2])

# SPDX-License-Identifier: Apache-2.0
"""Writes graphs of NPUs that begin the same collectives at different times, and their networks: for late_starts.sh.

late_starts.py FOLDER SEED COUNT writes FOLDER/K.yaml (a graph), K.yml (a network) and K.json (a system) for each K.
"""
import json
import os
import random
import sys

KINDS = {"all-reduce": 0, "all-gather": 2, "broadcast": 5, "all-to-all": 6, "reduce-scatter": 7, "barrier": 9}
ALGORITHMS = {"Ring": ["ring"], "Switch": ["ring", "direct", "halvingDoubling", "doubleBinaryTree"],
              "FullyConnected": ["ring", "direct", "halvingDoubling", "doubleBinaryTree"]}
SHAPES = [[8], [4], [4, 2], [2, 4], [4, 4]]


def graph(npus, kinds, sizes, late, dims):
    """Each NPU has a compute before each collective, if it is late there."""
    out = [f"ranks: {npus}"]
    for npu in range(npus):
        nodes, before = [], None
        for k, kind in enumerate(kinds):
            if late[k][npu]:
                nodes.append((10 * k, f"type: COMP_NODE\nduration_micros: {late[k][npu]}", before, []))
                before = 10 * k
            attr = [f'- {{name: "comm_type", int64_val: {KINDS[kind]}}}', f'- {{name: "comm_size", int64_val: {sizes[k]}}}']
            if dims[k]:
                attr.append('- name: "involved_dim"\n  bool_list: {values: [%s]}' % ", ".join(dims[k]))
            nodes.append((10 * k + 1, "type: COMM_COLL_NODE", before, attr))
            before = 10 * k + 1
        out.append(f"---\nrank: {npu}\nnodes: {len(nodes)}\n---\nversion: \"0.0.4\"")
        for number, what, after, attr in nodes:
            text = f'---\nid: {number}\nname: "n{number}"\n{what}\n'
            if after is not None:
                text += f"data_deps: [{after}]\n"
            out.append("\n".join([text + 'attr:\n- {name: "is_cpu_op", bool_val: false}'] + attr))
    return "\n".join(out) + "\n"


def main():
    folder, rng, count = sys.argv[1], random.Random(sys.argv[2]), int(sys.argv[3])
    for k in range(count):
        shape = rng.choice(SHAPES)
        npus = 1
        for n in shape:
            npus *= n
        blocks = [rng.choice(list(ALGORITHMS)) for _ in shape]
        network = {"topology": blocks, "npus_count": shape, "bandwidth": [rng.choice([25.0, 50.0]) for _ in shape],
                   "latency": [rng.choice([300, 2000, 9000]) for _ in shape]}
        system = {"scheduling-policy": "FIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1,
                  "preferred-dataset-splits": 4, "collective-optimization": "localBWAware", "local-mem-bw": 1600, "boost-mode": 0}
        one = [rng.choice(ALGORITHMS[b]) for b in blocks]
        for kind in ("all-reduce", "all-gather", "reduce-scatter", "all-to-all"):
            system[kind + "-implementation"] = one if kind != "all-to-all" else ["direct"] * len(shape)
        kinds = [rng.choice(list(KINDS)) for _ in range(rng.randint(1, 3))]
        sizes = [0 if kind == "barrier" else rng.choice([512, 8192, 65536, 1 << 20]) for kind in kinds]
        dims = [rng.choice([None, None] + [["true" if d == e else "false" for e in range(len(shape))] for d in range(len(shape))])
                if len(shape) > 1 else None for _ in kinds]
        late = [[rng.choice([0, 0, rng.randint(1, 60), rng.randint(100, 400)]) for _ in range(npus)] for _ in kinds]
        with open(os.path.join(folder, f"{k}.yaml"), "w", encoding="utf-8") as f:
            f.write(graph(npus, kinds, sizes, late, dims))
        with open(os.path.join(folder, f"{k}.yml"), "w", encoding="utf-8") as f:
            f.writelines(f"{key}: {json.dumps(value)}\n" for key, value in network.items())
        with open(os.path.join(folder, f"{k}.json"), "w", encoding="utf-8") as f:
            json.dump(system, f)
        print(k, *[f"{n}{b}:{a}" for n, b, a in zip(shape, blocks, one)], *[f"{a}:{b}" for a, b in zip(kinds, sizes)])


main()

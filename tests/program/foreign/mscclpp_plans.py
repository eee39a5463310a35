# SPDX-License-Identifier: Apache-2.0
"""Plans of MSCCL++ that are made here, and what acesim says of each.

Facts of the format: microsoft/mscclpp at 1f5f065, src/core/executor/execution_plan.cc.
"""
import json
import subprocess
import sys

ACESIM, WORK = sys.argv[1:3]
passed = failed = 0


def verdict(good, text):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAIL", text)


def plan(blocks, collective="allgather", chunks=(1, None, 0), kind="port", in_place=True):
    """blocks[gpu][block]: operations.  A block's channel and its buffer number i lead to the i-th other GPU; the
    buffers of all outputs come first, then those of all scratch buffers."""
    n = len(blocks)
    gpus = []
    for gpu, of in enumerate(blocks):
        peers = [p for p in range(n) if p != gpu]
        ids = list(range(len(peers)))
        gpus.append({
            "id": gpu, "input_chunks": chunks[0], "output_chunks": chunks[1] or n, "scratch_chunks": chunks[2],
            "threadblocks": [{"id": b, "ops": ops, "channels": [{"channel_type": kind, "channel_ids": ids}],
                              "remote_buffer_refs": [{"access_channel_type": kind, "remote_buffer_ids": list(range(2 * len(peers)))}]}
                             for b, ops in enumerate(of)],
            "channels": [{"channel_type": kind, "connected_to": peers}],
            "remote_buffers": [{"rank": p, "type": t, "access_channel_types": [kind]} for t in "os" for p in peers],
            "semaphores": []})
    return {"name": "made", "collective": collective, "protocol": "Simple", "inplace": in_place, "gpus": gpus,
            "buffer_alignment": 16, "min_message_size": 0, "max_message_size": 2 ** 64 - 1}


def put(name, gpu, to, index, size=1, kind="port"):
    """The chunk `index` of gpu's output to the same place of the outputs of `to`, in one operation."""
    channel = [p - (p > gpu) for p in to]
    return {"name": name, "src_buff": [{"type": "o", "index": index, "size": size} for _ in to],
            "dst_buff": [{"buffer_id": c, "index": index, "size": size} for c in channel], "channel_ids": channel,
            "channel_type": kind}


def sync(name, gpu, to, kind="port"):
    return {"name": name, "channel_ids": [p - (p > gpu) for p in to], "channel_type": kind}


def run(made, size="96KiB", topology=None):
    with open(WORK + "/plan.json", "w") as f:
        f.write(json.dumps(made, indent=1))
    n = len(made["gpus"])
    return subprocess.run([ACESIM, "msccl", WORK + "/plan.json", "--topology", topology or "FullyConnected(%d)" % n,
                           "--size", size, "--quiet", "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(made, text, **words):
    done = run(made, **words)
    verdict(done.returncode == 0, "%s: status %d, %s" % (text, done.returncode, done.stderr[:300]))
    return json.loads(done.stdout) if done.returncode == 0 else {}


def line(made, gpu, block, number):
    """Where an operation begins: indented JSON has its brace on the line before its name."""
    operation = made["gpus"][gpu]["threadblocks"][block]["ops"][number]
    operation["name"] += "!"
    text = json.dumps(made, indent=1).split("\n")
    operation["name"] = operation["name"][:-1]
    return next(i for i, t in enumerate(text) if '!"' in t)


def refused(made, *texts):
    done = run(made)
    verdict(done.returncode == 2 and not done.stdout and all(t in done.stderr for t in texts),
            "expected status 2 and %s, found %d: %s" % (texts, done.returncode, done.stderr[:300]))
    return done.stderr


# ---- a put with signal is a put, then a signal: the same bytes in the same order, so the same cycles
def gather(n, operations, chunks=1):
    """operations(gpu, peers): what brings gpu's chunks to its peers; then it waits for theirs."""
    return plan([[operations(g, [p for p in range(n) if p != g]) + [sync("wait", g, [p for p in range(n) if p != g])]]
                 for g in range(n)], chunks=(chunks, chunks * n, 0))


for n, size, chunks in ((2, "64KiB", 1), (3, "48KiB", 1), (4, "1MiB", 2)):
    def apart(gpu, peers):
        return [o for p in peers for o in (put("put", gpu, [p], chunks * gpu, chunks), sync("signal", gpu, [p]))]

    want = result(gather(n, apart, chunks), "put and signal of %d" % n, size=size)
    for name in ("pws", "pwsf"):
        ways = {"one a peer": lambda gpu, peers: [put(name, gpu, [p], chunks * gpu, chunks) for p in peers],
                "one for all peers": lambda gpu, peers: [put(name, gpu, peers, chunks * gpu, chunks)]}
        for way, operations in ways.items():
            found = result(gather(n, operations, chunks), "%s of %d, %s" % (name, n, way), size=size)
            for key in ("cycles", "messages", "most_bytes_sent_by_npu", "checked"):
                verdict(key in found and found[key] == want.get(key), "%s of %d, %s: %s %s, expected %s" % (
                    name, n, way, key, found.get(key), want.get(key)))
    bytes_of_all = {"64KiB": 65536, "48KiB": 49152, "1MiB": 1 << 20}[size]
    verdict(want.get("most_bytes_sent_by_npu") == bytes_of_all // n * (n - 1) and want.get("messages") == 2 * n * (n - 1)
            and want.get("checked") is True, "put and signal of %d: %s" % (n, want))

late = gather(2, lambda gpu, peers: [put("pws", gpu, peers, gpu)])
late["gpus"][1]["threadblocks"][0]["ops"].append(sync("wait", 1, [0]))
refused(late, "gpu 1, block 0, operation 2 (wait): found a wait for a signal that is never given")
refused(gather(2, lambda gpu, peers: [put("put", gpu, peers, gpu)]),
        "gpu 0, block 0, operation 1 (wait): found a wait for a signal that is never given")
refused(plan([[[put("pws", g, [1 - g], g, kind="memory"), sync("wait", g, [1 - g], "memory")]] for g in (0, 1)], kind="memory"),
        "found a put with signal at another channel_type, expected port")
few = gather(3, lambda gpu, peers: [put("pwsf", gpu, peers, gpu)])
few["gpus"][2]["threadblocks"][0]["ops"][0]["channel_ids"].pop()
refused(few, "found fewer channel_ids than dst_buff", "plan.json:%d:" % line(few, 2, 0, 0))
other = gather(3, lambda gpu, peers: [put("pws", gpu, peers, gpu)])
other["gpus"][1]["threadblocks"][0]["ops"][0]["channel_ids"].reverse()
refused(other, "found a channel that leads to another GPU than its buffer's")

# ---- every operation of the executor is read, or refused by its name
read = ("nop put pws pwsf get copy signal wait flush re res rre rres ppkt rppkt respkt cpkt upkt repkt rlxsignal rlxwait").split()
not_read = "barrier recpkt recspkt glres gstore gstorepkt pipeline sem_acquire sem_release".split()
verdict(len(read) + len(not_read) == 30, "the executor has 30 operations")
for name in read + not_read + ["putt"]:
    made = gather(2, lambda gpu, peers: [put("pws", gpu, peers, gpu)])
    made["gpus"][0]["threadblocks"][0]["ops"].insert(0, {"name": name})
    error = run(made).stderr
    told = "found operation '%s', expected " % name in error
    listed = "expected put, pws, pwsf, get, copy, re," in error
    verdict((told, listed) == (name not in read, name == "putt"), "%s: %s" % (name, error[:200]))
    verdict(name not in not_read or "plan.json:%d:" % line(made, 0, 0, 0) in error, "%s: where: %s" % (name, error[:200]))
for page in ("docs/guide/msccl.md", "docs/reference/limits.md"):
    with open(page) as f:
        text = f.read()
    for name in not_read + (read if page.endswith("msccl.md") else []):
        verdict("`%s`" % name in text, "%s does not name %s" % (page, name))

# ---- a collective of the author's own
pair = lambda: gather(2, lambda gpu, peers: [put("pws", gpu, peers, gpu)])
want = result(pair(), "allgather of two")
for name in ("sendrecv", "my exchange", "custom"):
    found = result({**pair(), "collective": name}, name)
    verdict(found.get("checked") is False and found.get("cycles") == want.get("cycles"), "%s: %s" % (name, found))
odd = plan([[[put("pws", g, [1 - g], g), sync("wait", g, [1 - g])]] for g in (0, 1)], "halo", (2, 3, 0))
verdict(result(odd, "2 chunks in, 3 out", size="48KiB").get("checked") is False, "2 chunks in, 3 out")
refused({**pair(), "collective": "allgathr"}, "plan.json:3:16: found collective 'allgathr', expected a name of one's own, "
        "or a known one; did you mean 'allgather'?")
refused({**pair(), "collective": "all_reduce"}, "found collective 'all_reduce'", "did you mean 'allreduce'?")
refused({**pair(), "collective": ""}, "plan.json:3:16: found no collective, expected allreduce, ")
bare = pair()
del bare["collective"]
refused(bare, "plan.json:1:1: found no collective")
for key, value, texts in (
        ("gpus", pair()["gpus"][:1], ["found 1 gpus, expected 2 to 1024 gpus"]),
        ("gpus", pair()["gpus"][::-1], ["found id 1, expected id 0: gpus in the order of their ids, from 0"]),
        ("min_message_size", "a few", ["found min_message_size 'a few', expected a number of bytes"])):
    refused({**pair(), key: value}, "plan.json:", *texts)
uneven = plan([[[]] for _ in range(3)], "allreduce", (3, 3, 0))
uneven["gpus"][1]["input_chunks"] = uneven["gpus"][1]["output_chunks"] = 2
refused(uneven, "found 2 chunks, expected 3 chunks, as gpu 0 has")
uneven["gpus"][1]["input_chunks"] = 3
refused(uneven, "found 3 input_chunks and 2 output_chunks, expected equal counts, or 0")
refused(plan([[[]] for _ in range(3)], "alltoall", (4, 4, 0)), "found 4 chunks, expected a multiple of 3, the number of gpus")
misnumbered = pair()
misnumbered["gpus"][0]["threadblocks"][0]["id"] = 5
refused(misnumbered, "found id 5, expected id 0: threadblocks in the order of their ids")
race = plan([[[put("put", g, [1 - g], g), {"name": "copy", "src_buff": [{"type": "o", "index": 1 - g, "size": 1}],
                                           "dst_buff": [{"type": "s", "index": 0, "size": 1}]},
               sync("signal", g, [1 - g]), sync("wait", g, [1 - g])]] for g in (0, 1)], "sendrecv", (1, 2, 1))
refused(race, "touches at any time")  # races are looked for all the same

# ---- a race, by the plan's own numbers and words
race["collective"] = "allgather"
error = refused(race, "plan.json:%d:7: gpu 0, block 0, operation 1 (copy): found that it reads what gpu 1, block 0, operation 0 "
                "(put, line %d) touches at any time, expected a wait for its signal between them; in place"
                % (line(race, 0, 0, 1), line(race, 1, 0, 0)))
for word in ("tb ", "step", "depid", "deps", "cpy", "type="):
    verdict(word not in error, "a race of a plan with XML's word '%s': %s" % (word, error[:300]))

# Three GPUs of two blocks: the second block of GPU 2 reads what the first block of GPU 0 puts, and waits for GPU 1 alone.
def copy(index, scratch):
    return {"name": "copy", "src_buff": [{"type": "o", "index": index, "size": 1}],
            "dst_buff": [{"type": "s", "index": scratch, "size": 1}]}


made = plan([[[put("pws", g, [p for p in range(3) if p != g], g)] + [sync("wait", g, [p for p in range(3) if p != g])] * (g != 2),
              []] for g in range(3)], chunks=(1, 3, 3))
made["gpus"][2]["threadblocks"][1]["ops"] = [{"name": "nop"}, sync("wait", 2, [1]), copy(1, 0), copy(0, 1)]
refused(made, "plan.json:%d:7: gpu 2, block 1, operation 3 (copy): found that it reads what gpu 0, block 0, operation 0 (pws, line %d)"
        % (line(made, 2, 1, 3), line(made, 0, 0, 0)), "expected a wait for its signal between them")
made["gpus"][2]["threadblocks"][1]["ops"][1] = sync("wait", 2, [1, 0])
result(made, "with the wait that was missing", size="48KiB")

# Two blocks of a GPU, which no signal orders: the second writes what the first has put away.
two = plan([[[copy(0, 0)], [copy(1, 0)]], [[copy(1, 0)], []]], "local", (2, 2, 1))
refused(two, "gpu 0, block 1, operation 0 (copy): found that it writes what gpu 0, block 0, operation 0 (copy, line %d)"
        % line(two, 0, 0, 0), "expected one block, or signals by way of another GPU, between them")
circle = plan([[[sync("wait", g, [1 - g]), put("pws", g, [1 - g], g)]] for g in (0, 1)])
refused(circle, "found a circle of operations that wait for each other: ", "gpu 1, block 0, operation 0 (wait, line ",
        "gpu 0, block 0, operation 1 (pws, line ")
empty = plan([[[copy(0, 0), put("pws", g, [1 - g], g), sync("wait", g, [1 - g])]] for g in (0, 1)], "local", (1, 2, 1), in_place=False)
empty["collective"] = "allgather"
refused(empty, "operation 0 (copy): found that it reads chunk 0 of buffer o, which nothing has written")

print("mscclpp: %d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)

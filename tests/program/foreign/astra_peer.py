# SPDX-License-Identifier: Apache-2.0
"""One collective as ASTRA-sim 2.x's system layer carries it out, restated from its public rules.

    Peer(npus=[4], bandwidth=[100], latency=[200], endpoint=20, memory=400, splits=3).run("ring", "AR", 6 << 20)

This is an independent restatement for tests of acesim astra --compat 2.  It follows the original's packets and counters
(master at 518bd51: Ring, AllToAll, HalvingDoubling, PacketBundle, the analytical networks), where the program
has closed rules of its own.  One queue a dimension, which runs one chunk at a time; all NPUs begin at 0.
"""
import heapq
import itertools


class Phase:
    """A chunk in a dimension at a rank: what the original calls an algorithm."""

    def __init__(self, peer, word, kind, size, members, own, down, local):
        self.peer, self.kind, self.members, self.own, self.down = peer, kind, members, own, down
        n = len(members)
        self.word = word.rstrip("0123456789")
        window = int(word[len(self.word):] or n - 1)
        self.window = min(window, n - 1) if self.word == "direct" else 1
        log = n.bit_length() - 1
        half = log if self.word == "halvingDoubling" else n - 1
        self.to_send = {"AR": 2 * half, "A2A": n * (n - 1) // 2 if self.word == "ring" else n - 1}.get(kind, half)
        self.middle = n - 1
        self.per_round = {"ring": n - 1, "halvingDoubling": log - 1,
                          "direct": (n - 1) * self.window if local else self.window}[self.word]
        self.delay = 10 if local else peer.endpoint
        self.zero = self.nonzero = self.free = self.received = 0
        self.toggle = False
        self.packets = []
        self.hop = n // 2 if kind == "AG" else 1        # halvingDoubling: to its partner
        if self.word == "halvingDoubling":
            self.size = size if kind == "AG" else size // 2
        else:
            self.size = size if kind == "AG" else size // n
        self.halving = kind != "AG"
        self.turn = 0
        self.result = {"AG": size * n, "RS": size // n}.get(kind, size)

    def partners(self):
        n, i = len(self.members), self.members.index(self.own)
        if self.word == "halvingDoubling":
            other = self.members[(i + self.hop if i // max(self.hop, 1) % 2 == 0 else i - self.hop) % n]
            return other, other
        by = 1 + self.turn % (n - 1) if self.word == "direct" else 1
        by = -by if self.down else by
        return self.members[(i + by) % n], self.members[(i - by) % n]

    def insert(self, stream):
        if not self.zero and not self.nonzero:
            self.zero, self.nonzero, self.toggle = self.window, self.per_round, not self.toggle
        processed = False
        if self.zero:
            self.zero -= 1
        else:
            self.nonzero -= 1
            processed = self.kind == "RS" or (self.kind == "AR" and self.toggle)
        self.packets.append((*self.partners(), self.size))
        wait = self.delay
        if processed and self.peer.memory:
            wait += 3 * int(self.size / (self.peer.memory * 1e9) * 1e9)
        self.peer.at(wait, self.general, stream)
        self.turn += 1
        if self.word == "halvingDoubling":
            self.hop, self.size = (self.hop * 2, self.size // 2) if self.halving else (self.hop // 2, self.size * 2)
            if self.hop == len(self.members) and self.kind == "AR":
                self.hop, self.size, self.halving = self.hop // 2, self.size * 2, False

    def start(self, stream):
        for _ in range(self.window):
            self.insert(stream)

    def ready(self, stream):
        if not self.packets or not self.to_send or not self.free:
            return
        to, source, size = self.packets.pop(0)
        self.free -= 1
        self.to_send -= 1
        self.peer.send(self.own, to, size, stream)
        self.peer.receive(source, self.own, size, stream)

    def general(self, stream):
        self.free += 1
        if self.word == "direct" and self.kind == "AR" and self.to_send <= self.middle:
            if self.received < self.middle:
                return
            for _ in range(self.window):
                self.ready(stream)
        else:
            self.ready(stream)
        if not self.to_send and self.free == self.window:
            self.peer.leave(self.own, stream)

    def heard(self, stream):
        self.received += 1
        self.insert(stream)


class Peer:
    def __init__(self, npus, bandwidth, latency, topology=None, endpoint=10, memory=0, splits=1, aware=False):
        self.npus, self.latency, self.endpoint, self.memory = npus, latency, endpoint, memory
        self.bandwidth = [b * 1.073741824 for b in bandwidth]
        self.topology = topology or ["Ring"] * len(npus)
        self.splits, self.aware = splits, aware
        self.all = 1
        for n in npus:
            self.all *= n

    # ---- the clock and the network
    def at(self, wait, call, *of):
        heapq.heappush(self.events, (self.now + wait, next(self.order), call, of))

    def hops(self, d, a, b):
        if self.topology[d] != "Ring":
            return 2 if self.topology[d] == "Switch" else 1
        up = (b - a) % self.npus[d]
        return min(up, self.npus[d] - up)

    def send(self, source, to, size, stream):
        if self.aware:
            self.hop(source, source, to, size, stream)
            return
        a, b = source, to
        for d, n in enumerate(self.npus):
            if a % n != b % n:
                wait = int(self.hops(d, a % n, b % n) * self.latency[d] + size / self.bandwidth[d])
                self.at(wait, self.arrive, source, to, size, stream)
                return
            a, b = a // n, b // n

    def hop(self, at, source, to, size, stream):
        if at == to:
            self.arrive(source, to, size, stream)
            return
        n = self.npus[0]
        if self.topology[0] == "Ring":
            up = (to - at) % n
            next_ = (at + (1 if up <= n - up else -1)) % n
        else:
            next_ = "switch" if self.topology[0] == "Switch" and at != "switch" else to
        link = at, next_
        start = max(self.now, self.busy.get(link, 0))
        self.busy[link] = start + int(size / self.bandwidth[0])
        self.at(start - self.now + int(self.latency[0] + size / self.bandwidth[0]), self.hop, next_, source, to, size, stream)

    def arrive(self, source, to, size, stream):
        key = source, to, size, stream
        if self.wanted.get(key):
            self.wanted[key] -= 1
            self.phase[to, stream].heard(stream)
        else:
            self.early[key] = self.early.get(key, 0) + 1

    def receive(self, source, to, size, stream):
        key = source, to, size, stream
        if self.early.get(key):
            self.early[key] -= 1
            self.phase[to, stream].heard(stream)
        else:
            self.wanted[key] = self.wanted.get(key, 0) + 1

    # ---- chunks, phases, queues
    def phases(self, npu, words, kind, size):
        """(queue, phase) of a chunk at a rank, in order."""
        if self.group or words[0].startswith("one"):
            members = self.group or list(range(self.all))
            word = words[0].replace("one", "")
            word = word[0].lower() + word[1:]
            if self.group and self.listed > 1:      # a list of several is a ring for them
                word = "ring"
            return [(0, lambda: Phase(self, word, kind, size, members, npu, False, len(members) < self.all))]
        of, stride = [], 1
        for d, n in enumerate(self.npus):
            base = npu - npu // stride % n * stride
            of.append((d, [base + i * stride for i in range(n)]))
            stride *= n
        plan = [(d, m, kind, False) for d, m in (reversed(of) if kind == "AG" else of)]
        if kind == "AR":
            plan = ([(d, m, "RS", False) for d, m in of[:-1]] + [(*of[-1], "AR", False)] +
                    [(d, m, "AG", True) for d, m in reversed(of[:-1])])
        out = []
        for d, members, k, down in plan:
            def make(d=d, members=members, k=k, down=down, size=size):
                return Phase(self, words[d], k, size, members, npu, down, False)
            out.append((d, make))
            size = size * len(members) if k == "AG" else size // len(members) if k == "RS" else size
        return out

    def join(self, npu, stream):
        queue, self.make[npu, stream] = self.plan[npu, stream].pop(0)
        self.at_queue[npu, stream] = queue
        self.queue.setdefault((npu, queue), []).append(stream)
        self.refill(npu, queue)

    def refill(self, npu, queue):
        waiting = self.queue.get((npu, queue), [])
        if waiting and not self.running.get((npu, queue)):
            stream = waiting.pop(0)
            self.running[npu, queue] = True
            self.phase[npu, stream] = self.make[npu, stream]()
            self.phase[npu, stream].start(stream)

    def leave(self, npu, stream):
        queue = self.at_queue[npu, stream]
        self.running[npu, queue] = False
        del self.phase[npu, stream]
        if self.plan[npu, stream]:
            self.join(npu, stream)
        else:
            self.over[npu] = self.now
        self.refill(npu, queue)

    def run(self, words, kind, size, group=None):
        """The time at each rank that takes part, ns.  words: one, or one a dimension."""
        self.listed = len(words.split())
        words = words.split() if " " in words else [words] * len(self.npus)
        self.now, self.order, self.events, self.group = 0, itertools.count(), [], group
        self.busy, self.wanted, self.early = {}, {}, {}
        self.phase, self.make, self.plan, self.at_queue, self.queue, self.running, self.over = {}, {}, {}, {}, {}, {}, {}
        chunk = size // self.splits
        if kind != "AG" and chunk < self.all:
            chunk, size = self.all, self.splits * self.all
        for npu in group or range(self.all):
            for stream in range((size + chunk - 1) // chunk):
                self.plan[npu, stream] = self.phases(npu, words, kind, chunk)
                self.join(npu, stream)
        while self.events:
            self.now, _, call, of = heapq.heappop(self.events)
            call(*of)
        assert not self.phase, "a rank waits for ever"
        return self.over


# ---- traces of any length -----------------------------------------------------------------------------
def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    """A field of protobuf: a whole number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def trace(path, nodes):
    """A Chakra trace of nodes: dicts of type, and of micros, parent, and attr, by name a uint64."""
    with open(path, "wb") as to:
        head = field(1, b"0.0.4")
        to.write(varint(len(head)) + head)
        for i, n in enumerate(nodes):
            body = field(1, i) + field(3, n["type"])
            if "parent" in n:
                body += field(5, varint(n["parent"]))
            if "micros" in n:
                body += field(7, n["micros"])
            for name, v in n.get("attr", {}).items():
                body += field(10, field(1, name.encode()) + field(13, v))
            to.write(varint(len(body)) + body)

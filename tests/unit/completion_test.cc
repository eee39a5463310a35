/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk admitted is a chunk completed: exhaustive search of two nodes on a ring.
 *
 * The nodes are the C twins of rtl/ace_node.v, complete and timing-only, as small as their
 * parameters allow. An adversary controls everything around them. In each cycle it decides whether
 * the oldest flit on each of the four wires arrives, whether each memory moves, and when a node is
 * shown its next command. All states that any of its decisions lead to are visited. Counters and
 * the date are not part of a state; everything else is.
 *
 * For every reachable state the test shows:
 *   ends      once the adversary gives way, all commands complete, in so many cycles at most;
 *   fair      no cycle of states goes on for ever unless the adversary withholds one and the same
 *             thing for ever: whatever is late is enough, nothing has to be on time;
 *   lawful    no packet comes that the scheduler does not expect, no buffer overflows.
 * A command completes when the last of its chunks is in memory, so none is left behind.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

extern "C" {
#include "ace_node_core.h"
}

namespace {

enum { NODES = 2, WIRES = 4, BITS = WIRES + 2 * NODES };

struct Case {
    const char *name;
    ace_kind kind;
    unsigned commands, rows, chunk_rows; /* rows of a command */
    unsigned buffer;                     /* packets of a link's input buffer */
    unsigned late;                       /* what the adversary may withhold, a bit each: wires,
                                            memories, commands */
};
void PrintTo(const Case &c, std::ostream *o) { *o << c.name; }

/* The parts of a flit that crosses a link in a cycle. */
struct Flit {
    uint8_t data, reduce, credit, grant, context, mark, grant_context, grant_mark;
};

/* The environment of the nodes. */
struct Around {
    std::array<std::deque<Flit>, WIRES> wire; /* from node w / 2, up (0) or down (1) */
    struct Memory {
        std::deque<uint8_t> reads, writes; /* beats of the bursts under way */
        uint8_t answers = 0;
    };
    std::array<Memory, NODES> memory;
    std::array<uint8_t, NODES> given{}, done{}; /* commands */
};

/* Nodes and surroundings. */
struct System {
    const Case &what;
    std::array<ace_core *, NODES> core{};
    Around around;
    std::string broken; /* a law, by the nodes */

    explicit System(const Case &c) : what(c) {
        ace_parameters p = ACE_PARAMETERS_DEFAULT;
        p.fsms = 4;
        p.contexts = 4;
        p.bank_rows = 64;
        p.link_input_rows = c.buffer;
        p.link_output_rows = 1;
        p.commands = 2;
        p.memory_bursts = 1;
        p.exchange_rows = p.exchange_bursts = 1;
        p.router_input_rows = 1;
        p.router_output_rows = 2;
        for (unsigned i = 0; i < NODES; i++) {
            ace_config cfg{};
            cfg.ring[0] = NODES;
            cfg.ring[1] = cfg.ring[2] = cfg.ring[3] = 1;
            cfg.rank[0] = static_cast<uint16_t>(i);
            cfg.chunk_rows = static_cast<uint16_t>(c.chunk_rows);
            for (uint16_t &rows : cfg.partition_rows) /* one block in each bank */
                rows = static_cast<uint16_t>((c.chunk_rows + 1) / 2 * 2);
            std::fill(std::begin(cfg.link_cost), std::end(cfg.link_cost), uint32_t{ ACE_COST_ONE });
            cfg.read_cost = cfg.write_cost = ACE_COST_ONE;
            cfg.memory_latency = 2;
            cfg.order = ACE_FIFO;
            EXPECT_EQ(ACE_OK, ace_cycle_core_create(&p, &cfg, false, &core[i]));
        }
    }
    System(const System &) = delete;
    System &operator=(const System &) = delete;
    ~System() {
        for (ace_core *c : core) c->class_->destroy(c);
    }

    ace_command command(unsigned tag) const {
        ace_command c{};
        c.kind = what.kind;
        c.dim_count = 1;
        c.bytes = uint64_t{ what.rows } * ACE_ROW_BYTES;
        c.destination = 1 << 20;
        c.tag = static_cast<uint16_t>(tag);
        return c;
    }
    bool finished() const {
        for (unsigned i = 0; i < NODES; i++)
            if (around.done[i] != what.commands || !core[i]->class_->out(core[i])->idle)
                return false;
        return std::all_of(around.wire.begin(), around.wire.end(),
                           [](const auto &w) { return w.empty(); });
    }

    /* Returns what the adversary could withhold in this cycle: the bits of Case::late. */
    unsigned pending() const {
        unsigned bits = 0;
        for (unsigned w = 0; w < WIRES; w++) bits |= unsigned{ !around.wire[w].empty() } << w;
        for (unsigned i = 0; i < NODES; i++) {
            const ace_pins_out &o = *core[i]->class_->out(core[i]);
            const Around::Memory &m = around.memory[i];
            const bool moves = o.ar_valid || o.aw_valid || (o.w_valid && !m.writes.empty()) ||
                               (o.r_ready && !m.reads.empty()) || (o.b_ready && m.answers);
            bits |= unsigned{ moves } << (WIRES + i);
            const bool hands_over = around.given[i] < what.commands && o.cmd_ready;
            bits |= unsigned{ hands_over } << (WIRES + NODES + i);
        }
        return bits;
    }

    void arrive(unsigned node, unsigned go, ace_pins_in &in) {
        for (unsigned link = 0; link < 2; link++) { /* from above, from below */
            const unsigned w = 2 * (1 - node) + (link ^ 1);
            if (!(go >> w & 1) || around.wire[w].empty()) continue;
            const Flit f = around.wire[w].front();
            around.wire[w].pop_front();
            in.rx.frame = static_cast<uint8_t>(in.rx.frame | 1u << link); /* number 0, see forget */
            in.rx.valid = static_cast<uint8_t>(in.rx.valid | f.data << link);
            in.rx.reduce = static_cast<uint8_t>(in.rx.reduce | f.reduce << link);
            in.rx.credit = static_cast<uint8_t>(in.rx.credit | f.credit << link);
            in.rx.grant_valid = static_cast<uint8_t>(in.rx.grant_valid | f.grant << link);
            in.rx.link[link] = { f.context, f.mark, f.grant_context, f.grant_mark };
        }
    }
    static void move_memory(Around::Memory &m, bool go, const ace_pins_out &o, ace_pins_in &in) {
        if (!go) return;
        in.ar_ready = in.aw_ready = true;
        in.w_ready = !m.writes.empty();
        in.r_valid = !m.reads.empty() && o.r_ready;
        in.r_last = in.r_valid && m.reads.front() == 1;
        in.b_valid = m.answers && o.b_ready;
        m.answers = static_cast<uint8_t>(m.answers - in.b_valid);
        if (in.r_valid && --m.reads.front() == 0) m.reads.pop_front();
        if (in.w_ready && o.w_valid && --m.writes.front() == 0) {
            m.writes.pop_front();
            m.answers++;
        }
        if (o.ar_valid) m.reads.push_back(static_cast<uint8_t>(o.ar_len + 1));
        if (o.aw_valid) m.writes.push_back(static_cast<uint8_t>(o.aw_len + 1));
    }
    void leave(unsigned node, const ace_pins_out &o) {
        for (unsigned link = 0; link < 2; link++) {
            const auto bit = [link](uint8_t set) { return static_cast<uint8_t>(set >> link & 1); };
            Flit f{};
            f.data = bit(o.tx_valid);
            f.credit = bit(o.tx_credit);
            f.grant = bit(o.tx_grant_valid);
            if (f.data) {
                f.reduce = bit(o.tx_reduce);
                f.context = o.tx[link].context;
                f.mark = o.tx[link].mark;
            }
            if (f.grant) {
                f.grant_context = o.tx_grant[link].context;
                f.grant_mark = o.tx_grant[link].mark;
            }
            if (f.data || f.credit || f.grant) around.wire[2 * node + link].push_back(f);
        }
        if ((o.tx_valid | o.tx_credit | o.tx_grant_valid) >> 2 || o.tx_routed || o.tx_routed_credit)
            broken = "a flit leaves the ring";
    }

    /* A cycle in which what is in `go` is not withheld. */
    void cycle(unsigned go) {
        std::array<ace_pins_in, NODES> in{};
        for (unsigned i = 0; i < NODES; i++) {
            const ace_pins_out &o = *core[i]->class_->out(core[i]);
            arrive(i, go, in[i]);
            move_memory(around.memory[i], go >> (WIRES + i) & 1, o, in[i]);
            in[i].cmd_valid = around.given[i] < what.commands && go >> (WIRES + NODES + i) & 1;
            if (in[i].cmd_valid) {
                in[i].cmd = command(around.given[i]);
                around.given[i] = static_cast<uint8_t>(around.given[i] + o.cmd_ready);
            }
            around.done[i] = static_cast<uint8_t>(around.done[i] + o.done_valid);
            if (o.mismatch) broken = "a mismatch";
            if (o.link_failed) broken = "a link that failed";
        }
        for (unsigned i = 0; i < NODES; i++) leave(i, *core[i]->class_->out(core[i]));
        for (unsigned i = 0; i < NODES; i++) {
            core[i]->class_->tick(core[i], &in[i]);
            forget(core[i]);
        }
    }

    /* Nor does a place of a queue without a request. */
    static void turn_queues(ace_cycle_core *n, const ace_switch &from) {
        for (unsigned l = 0; l < ACE_SWITCH_QUEUES; l++)
            for (unsigned i = 0; i < 2; i++) {
                const bool there = (i == 0 ? from.queue_any : from.queue_two) >> l & 1;
                const unsigned at = (from.queue_old >> l & 1) ^ i;
                n->datapath.switch_.queue[l][i] = there ? from.queue[l][at] : ace_request{};
            }
        n->datapath.switch_.queue_old = 0;
    }

    /* Nor a stage of the receive pipes without a row. */
    static void turn_receiving(ace_cycle_core *n) {
        const ace_receiving from = n->datapath.receiving;
        ace_receiving *to = &n->datapath.receiving;
        const ace_pipe_stage &r = n->datapath.switch_.reduce[0];
        *to = ace_receiving{};
        if (r.valid && r.copy) {
            to->copy_source = from.copy_source;
            to->copy_target = from.copy_target;
        } else if (r.valid) {
            to->reduce_link = from.reduce_link;
            to->reduce_mark = from.reduce_mark;
        }
        if (n->datapath.switch_.store[0].valid) {
            to->store_link = from.store_link;
            to->store_mark = from.store_mark;
        }
        to->zero = from.zero && n->datapath.switch_.reduce[1].valid;
    }

    /* Where a ring begins says nothing. */
    static void turn_rings(ace_cycle_core *n) {
        const ace_switch s = n->datapath.switch_;
        for (unsigned i = 0; i < ACE_PIPE_SLOTS; i++) {
            const ace_pipe_stage &r = s.reduce[(s.at + i) % ACE_PIPE_SLOTS];
            const ace_pipe_stage &w = s.store[(s.at + i) % ACE_PIPE_SLOTS];
            n->datapath.switch_.reduce[i] = i < ACE_DONE_STAGE && r.valid ? r : ace_pipe_stage{};
            n->datapath.switch_.store[i] = i < ACE_REPORT_STAGE && w.valid ? w : ace_pipe_stage{};
        }
        n->datapath.switch_.at = 0;
        turn_queues(n, s);
        turn_receiving(n);
        ace_outgoing was[ACE_SENT_CYCLES][2];
        std::memcpy(was, n->datapath.outgoing, sizeof was);
        for (unsigned i = 0; i < ACE_SENT_CYCLES; i++)
            for (unsigned pipe = 0; pipe < 2; pipe++) {
                const ace_outgoing &o = was[(n->datapath.oldest + i) % ACE_SENT_CYCLES][pipe];
                ace_outgoing none{};
                none.request.send.link = static_cast<uint8_t>(pipe); /* no link is both pipes' */
                n->datapath.outgoing[i][pipe] = o.valid ? o : none;
            }
        n->datapath.oldest = 0;
    }

    /* Moves a lane's buffers to their first slot, and clears the other slots. A flit that has just
     * come is in the slot after the last one, and counts in the next cycle. */
    static void from_the_first_on(ace_link_port *p, unsigned l, bool comes) {
        const auto move = [l](auto *at, uint32_t head, uint32_t count, uint32_t mask) {
            std::remove_reference_t<decltype(*at)> held[16] = {};
            if (!at) return;
            for (uint32_t i = 0; i < count; i++) held[i] = at[ace_link_slot(l, (head + i) & mask)];
            for (uint32_t i = 0; i <= mask; i++) at[ace_link_slot(l, i)] = held[i];
        };
        const uint32_t in = ace_link_port_held(p, l), out = p->out_count[l];
        move(p->in_headers, p->in_head[l], in + comes, p->in_mask);
        move(p->in_routes, p->in_head[l], in + comes, p->in_mask);
        move(p->out_headers, p->out_head[l], out, p->out_mask);
        move(p->out_routes, p->out_head[l], out, p->out_mask);
        p->in_head[l] = p->out_head[l] = 0;
        p->in_tail[l] = p->in_count[l];
        p->in_end[l] = in;
        p->out_tail[l] = out;
    }

    /* What no unit looks at: counters, and the date, from which times of the memory interface
     * are taken.  And the numbers of frames: wires that lose nothing are numbered right. */
    static void forget(ace_core *core) {
        auto *n = reinterpret_cast<ace_cycle_core *>(core);
        const ace_cycle_classes none{};
        n->datapath.switch_.count_reduce = n->datapath.switch_.count_store = none;
        n->datapath.switch_.count_send[0] = n->datapath.switch_.count_send[1] = none;
        n->memory_port.tx_dma->classes = n->memory_port.rx_dma->classes = none;
        n->memory_port.memory->read = n->memory_port.memory->write = none;
        n->nic.exchange->read = n->nic.exchange->write = n->nic.router->classes = none;
        n->nic.idle_cycles_uncounted = 0;
        ace_link_normal(&n->nic.links);
        std::memset(n->out.tx_number, 0, sizeof n->out.tx_number);
        std::memset(n->out.tx_ack, 0, sizeof n->out.tx_ack);
        turn_rings(n);
        for (auto &queue : n->datapath.switch_.queue) /* without payload rows lie anywhere */
            for (ace_request &r : queue) r.row = 0;
        for (auto &step : n->datapath.outgoing)
            for (ace_outgoing &o : step) o.request.row = 0;
        n->datapath.receiving.copy_source = n->datapath.receiving.copy_target = 0;
        for (unsigned l = 0; l < ACE_LINKS; l++) { /* pins that mean nothing */
            if (!(n->out.tx_grant_valid >> l & 1)) {
                n->out.tx_grant[l] = {};
                n->out.tx_grant_peer[l] = 0;
            }
            if (n->out.tx_valid >> l & 1) continue;
            n->out.tx[l] = {};
            n->out.tx_route[l] = 0;
        }
        for (ace_link_port *p : { n->nic.links.plain, n->nic.links.routed }) {
            p->busy = p->starved = p->blocked = ace_lanes{};
            std::memset(p->counted, 0, sizeof p->counted);
            p->cycles = p->uncounted = 0;
            for (unsigned l = 0; l < ACE_LINKS; l++)
                from_the_first_on(p, l, ace_link_rx(&n->nic.links, 0)->pins.valid >> l & 1);
        }
        ace_memory_interface *m = n->memory_port.memory;
        const auto since = [now = m->now](uint64_t &t) { t = t > now ? t - now : 0; };
        for (ace_memory_request &q : m->ar) since(q.release);
        for (uint64_t &release : m->b_release) since(release);
        m->now = 0;
    }
};

/* A state kept: the nodes as bytes. */
struct Snapshot {
    std::vector<unsigned char> bytes;
    Around around;
};
struct Stream {
    std::vector<unsigned char> &bytes;
    size_t at = 0;
};
bool put(void *self, void *from, size_t n) {
    auto &s = *static_cast<Stream *>(self);
    const auto *b = static_cast<unsigned char *>(from);
    s.bytes.insert(s.bytes.end(), b, b + n);
    return true;
}
bool get(void *self, void *to, size_t n) {
    auto &s = *static_cast<Stream *>(self);
    std::memcpy(to, s.bytes.data() + s.at, n);
    s.at += n;
    return true;
}
void save(System &s, Snapshot &to) {
    to.bytes.clear();
    to.around = s.around;
    Stream stream{ to.bytes };
    ace_state state{};
    state.move = put;
    state.self = &stream;
    for (ace_core *c : s.core) c->class_->state(c, &state);
}
void load(System &s, Snapshot &from) {
    s.around = from.around;
    Stream stream{ from.bytes };
    ace_state state{};
    state.loading = true;
    state.move = get;
    state.self = &stream;
    for (ace_core *c : s.core) c->class_->state(c, &state);
}

/* 128 bits of a state: two different states would have to agree in all of them to be confused. */
using Key = std::pair<uint64_t, uint64_t>;
struct Hash {
    size_t operator()(const Key &k) const { return k.first; }
};
struct Digest {
    Key k{ 0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u };
    void word(uint64_t w) {
        k.first = (k.first ^ w) * 0xff51afd7ed558ccdu;
        k.first ^= k.first >> 32;
        k.second = (k.second + w) * 0xc4ceb9fe1a85ec53u;
        k.second ^= k.second >> 29;
    }
};
Key key_of(const Snapshot &s) {
    Digest d;
    size_t i = 0;
    for (uint64_t w; i + 8 <= s.bytes.size(); i += 8) {
        std::memcpy(&w, &s.bytes[i], 8);
        d.word(w);
    }
    uint64_t rest = 0;
    for (; i < s.bytes.size(); i++) rest = rest << 8 | s.bytes[i];
    d.word(rest);
    for (const auto &wire : s.around.wire) {
        d.word(wire.size());
        for (const Flit &f : wire) {
            uint64_t w;
            static_assert(sizeof f == sizeof w);
            std::memcpy(&w, &f, sizeof w);
            d.word(w);
        }
    }
    for (const auto &m : s.around.memory) {
        for (const auto *q : { &m.reads, &m.writes }) {
            d.word(q->size());
            for (const uint8_t beats : *q) d.word(beats);
        }
        d.word(m.answers);
    }
    for (unsigned i2 = 0; i2 < NODES; i2++) d.word(s.around.given[i2] << 8 | s.around.done[i2]);
    return d.k;
}

/* All states, and the steps between them. */
struct Search {
    struct Step {
        uint32_t to;
        uint8_t go; /* of what was pending */
    };
    struct State {
        std::vector<Step> steps; /* the first withholds nothing */
        uint8_t pending = 0;
        bool finished = false;
    };
    System system;
    std::vector<State> states;
    std::unordered_map<Key, uint32_t, Hash> seen;
    size_t steps = 0;
    std::string wrong;

    explicit Search(const Case &c) : system(c) {}

    /* Depth first: only the states of one path are kept whole. */
    void visit(size_t most) {
        struct Open {
            uint32_t at;
            unsigned mask, next; /* what may be withheld; the next choice of it, or past the last */
            bool last;
            Snapshot whole;
        };
        std::vector<Open> path;
        const auto enter = [&] {
            Snapshot now;
            save(system, now);
            const auto [found, fresh] =
                seen.try_emplace(key_of(now), static_cast<uint32_t>(states.size()));
            if (!fresh) return found->second;
            State s;
            s.pending = static_cast<uint8_t>(system.pending());
            s.finished = system.finished();
            states.push_back(std::move(s));
            const unsigned mask = states.back().pending & system.what.late;
            path.push_back({ found->second, mask, 0, false, std::move(now) });
            return found->second;
        };
        enter();
        while (!path.empty() && wrong.empty()) {
            if (states.size() > most) {
                wrong = "more than " + std::to_string(most) + " states";
                return;
            }
            Open &top = path.back();
            if (top.last) {
                path.pop_back();
                continue;
            }
            /* every set of what is withheld: the subsets of the mask */
            const unsigned held = top.next;
            top.next = (held - top.mask) & top.mask;
            top.last = top.next == 0;
            const uint32_t from = top.at;
            const unsigned go = states[from].pending & ~held;
            load(system, top.whole);
            system.cycle(~held & ((1u << BITS) - 1));
            wrong = system.broken;
            const uint32_t to = enter(); /* `top` may have moved */
            states[from].steps.push_back({ to, static_cast<uint8_t>(go) });
            steps++;
        }
    }

    /* Cycles in which the last of all states ends when nothing is withheld; 0: one never does. */
    unsigned ends() const {
        std::vector<uint32_t> left(states.size(), 0);
        uint32_t most = 0;
        for (uint32_t s = 0; s < states.size(); s++) {
            std::vector<uint32_t> way;
            uint32_t at = s;
            for (; !states[at].finished && !left[at]; at = states[at].steps[0].to) {
                if (way.size() > states.size()) return 0;
                way.push_back(at);
            }
            uint32_t n = left[at];
            for (; !way.empty(); way.pop_back()) left[way.back()] = ++n;
            most = std::max(most, n);
        }
        return most;
    }

    /* States that are on a circle, of those with whom they share it (Tarjan); 0: all are fair. */
    size_t circles = 0;
    uint32_t unfair() {
        const auto n = static_cast<uint32_t>(states.size());
        std::vector<uint32_t> index(n, 0), low(n, 0), of(n, UINT32_MAX), open;
        std::vector<bool> on(n, false);
        uint32_t next = 1, bad = 0;
        for (uint32_t root = 0; root < n; root++) {
            if (index[root]) continue;
            std::vector<std::pair<uint32_t, size_t>> calls{ { root, 0 } };
            while (!calls.empty()) {
                const uint32_t v = calls.back().first;
                size_t &i = calls.back().second;
                if (i == 0) {
                    index[v] = low[v] = next++;
                    open.push_back(v);
                    on[v] = true;
                }
                if (i > 0) low[v] = std::min(low[v], low[states[v].steps[i - 1].to]);
                bool deeper = false;
                for (; i < states[v].steps.size() && !deeper; i++) {
                    const uint32_t w = states[v].steps[i].to;
                    if (!index[w]) {
                        calls.push_back({ w, 0 });
                        calls[calls.size() - 2].second++;
                        deeper = true;
                        break;
                    }
                    if (on[w]) low[v] = std::min(low[v], index[w]);
                }
                if (deeper) continue;
                if (low[v] == index[v]) {
                    std::vector<uint32_t> group;
                    do {
                        group.push_back(open.back());
                        on[open.back()] = false;
                        of[open.back()] = v;
                        open.pop_back();
                    } while (group.back() != v);
                    bad += is_unfair(group, of, v);
                }
                calls.pop_back();
            }
        }
        return bad;
    }
    /* Can one go round for ever in these states, with nothing withheld for ever? */
    bool is_unfair(const std::vector<uint32_t> &group, const std::vector<uint32_t> &of,
                   uint32_t me) {
        bool round = false;
        unsigned served = 0;
        for (const uint32_t v : group) {
            served |= ~unsigned{ states[v].pending };
            for (const Step &s : states[v].steps)
                if (of[s.to] == me) {
                    round = true;
                    served |= s.go;
                }
            if (states[v].finished) return false;
        }
        circles += round;
        return round && (served & 0xff) == 0xff;
    }
};

enum { WIRE = 15, MEMORY = 3 << WIRES, COMMAND = 3 << (WIRES + NODES) };
/* The numbers of a case stand in the order of its members. */
constexpr Case cases[] = {
    { "all_reduce_wires", ACE_ALL_REDUCE, 1, 1, 1, 1, WIRE },
    { "all_reduce_memories", ACE_ALL_REDUCE, 1, 1, 1, 1, MEMORY },
    { "all_gather_wires", ACE_ALL_GATHER, 1, 1, 1, 1, WIRE },
    { "reduce_scatter_wires", ACE_REDUCE_SCATTER, 1, 1, 1, 1, WIRE },
    { "two_chunks_skewed", ACE_ALL_REDUCE, 1, 2, 1, 1, 1 << (WIRES + NODES) },
};

class Completion : public testing::TestWithParam<Case> {};

TEST_P(Completion, IsReachedFromEveryState) {
    Search search(GetParam());
    search.visit(100000);
    ASSERT_EQ("", search.wrong) << search.states.size() << " states, " << search.steps << " steps";
    const unsigned ends = search.ends();
    const uint32_t unfair = search.unfair();
    std::cout << search.states.size() << " states, " << search.steps << " steps, ends within "
              << ends << " cycles, " << search.circles << " circles\n";
    EXPECT_GT(ends, 0u) << "a state from which the commands do not complete";
    EXPECT_EQ(0u, unfair) << "circles that nobody withholds anything from";
}

INSTANTIATE_TEST_SUITE_P(Cases, Completion, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

} // namespace

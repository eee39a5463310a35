/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes that agree choose alike: exhaustive search of all moments.
 *
 * Each node is the C twin of rtl/ace_agreement.v before a stack of commands, of which the newest
 * gives the next chunk.  An adversary says which node makes its next cycle, whether a command comes
 * to it in that cycle, whether the oldest number on a link into it arrives, whether its own leaves,
 * and whether a chunk is taken.  All states that its decisions lead to are visited.
 *
 * For every reachable state the test shows:
 *   alike     the k-th choice of a node is the k-th choice of each other;
 *   ends      where no decision leads on, every node has chosen every chunk, and waits for nothing.
 * A node that does not hear what others say chooses otherwise, and the search finds it.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

extern "C" {
#include "ace_agreement.h"
}

namespace {

enum {
    COMMANDS = 2,
    DECISIONS = 32 /* a bit each: command, numbers of two links, own number, chunk */
};

struct Case {
    const char *name;
    uint8_t ring[2];
    unsigned commands, chunks; /* of a command */
    bool deaf;                 /* all that others say is that they have everything */
};
void PrintTo(const Case &c, std::ostream *o) { *o << c.name; }

struct Node {
    ace_config cfg{};
    ace_agreement unit{};
    std::deque<uint8_t> comes[2]; /* numbers on the way to it, of each dimension */
    std::vector<std::pair<uint8_t, uint8_t>>
        stack; /* commands of the dispatcher, and chunks left */
    unsigned given = 0, chosen = 0;
};

struct Cluster {
    const Case &what;
    std::vector<Node> nodes;
    std::vector<uint8_t> order; /* the choices of the node that has made most */
    std::string wrong;

    explicit Cluster(const Case &c) : what(c), nodes(c.ring[0] * c.ring[1]) {
        for (unsigned i = 0; i < nodes.size(); i++) {
            Node &n = nodes[i];
            for (uint16_t &ring : n.cfg.ring) ring = 1;
            n.cfg.ring[0] = c.ring[0];
            n.cfg.ring[1] = c.ring[1];
            n.cfg.rank[0] = static_cast<uint16_t>(i % c.ring[0]);
            n.cfg.rank[1] = static_cast<uint16_t>(i / c.ring[0]);
            n.cfg.agreed = 3;
            EXPECT_EQ(ACE_OK, ace_agreement_create(&n.cfg, 3, COMMANDS, &n.unit));
            ace_agreement_reset(&n.unit);
        }
    }
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;
    ~Cluster() {
        for (Node &n : nodes) ace_agreement_destroy(&n.unit);
    }

    Node &above(unsigned i, unsigned d) {
        const unsigned n = what.ring[0], x = i % n, y = i / n;
        return d == 0 ? nodes[y * n + (x + 1) % n] : nodes[(y + 1) % what.ring[1] * n + x];
    }
    /* The dispatcher: a command first, which takes it some cycles, then a chunk of the newest. */
    void choose(Node &n, ace_agreement_in &in) {
        if (n.stack.empty() || n.unit.popped || ace_agreement_m_hold(&n.unit)) return;
        auto &[command, left] = n.stack.back();
        if (n.chosen == order.size()) order.push_back(command);
        if (order[n.chosen++] != command) wrong = "nodes choose different commands";
        in.chunk = true;
        if (--left == 0) n.stack.pop_back();
    }
    void cycle(unsigned i, unsigned decisions) {
        Node &n = nodes[i];
        ace_command given{}, kept{};
        ace_number own;
        ace_agreement_in in{};
        in.rests = n.stack.empty();
        if (decisions & 1 && n.given < what.commands && ace_agreement_cmd_ready(&n.unit)) {
            given.tag = static_cast<uint16_t>(n.given++);
            given.bytes = 1;
            in.cmd = &given;
        }
        for (unsigned d = 0; d < 2; d++) {
            if (!(decisions >> d & 2) || n.comes[d].empty()) continue;
            in.number_valid = static_cast<uint8_t>(in.number_valid | 2u << 2 * d);
            in.number[2 * d + 1] = what.deaf ? ACE_ROUND_MOST : n.comes[d].front();
            n.comes[d].pop_front();
        }
        if (decisions & 8 && ace_agreement_m_number(&n.unit, &own)) {
            in.number_taken = true;
            above(i, own.link / 2).comes[own.link / 2].push_back(own.value);
        }
        in.cmd_taken = ace_agreement_m_cmd_valid(&n.unit) && n.stack.size() < COMMANDS;
        if (in.cmd_taken)
            kept = ace_agreement_m_cmd(&n.unit);
        else if (decisions & 16)
            choose(n, in);
        ace_agreement_tick(&n.unit, &in);
        if (in.cmd_taken)
            n.stack.emplace_back(static_cast<uint8_t>(kept.tag), static_cast<uint8_t>(what.chunks));
        for (unsigned d = 0; d < 2; d++)
            if (n.unit.ahead[d].count > n.cfg.ring[d] - 1u) wrong = "numbers of a third round";
    }
    /* The decisions that mean something at node i. */
    unsigned pending(unsigned i) const {
        const Node &n = nodes[i];
        ace_number own;
        return unsigned{ n.given < what.commands } | unsigned{ !n.comes[0].empty() } << 1 |
               unsigned{ !n.comes[1].empty() } << 2 |
               unsigned{ ace_agreement_m_number(&n.unit, &own) } << 3 |
               unsigned{ !n.stack.empty() && !ace_agreement_m_hold(&n.unit) } << 4;
    }
    bool ended() const {
        for (const Node &n : nodes)
            if (n.chosen != what.commands * what.chunks || !ace_agreement_idle(&n.unit) ||
                n.unit.tail != n.unit.head || !n.comes[0].empty() || !n.comes[1].empty())
                return false;
        return true;
    }

    /* A state as bytes, and back. */
    std::string save() const {
        std::string s;
        const auto put = [&s](unsigned v) { s.push_back(static_cast<char>(v)); };
        for (const Node &n : nodes) {
            const ace_agreement &a = n.unit;
            for (const unsigned v :
                 { a.head, a.tail, a.agreed, unsigned{ a.popped }, unsigned{ a.open },
                   unsigned{ a.chunks }, unsigned{ a.ready }, unsigned{ a.left },
                   unsigned{ a.value }, unsigned{ a.sent }, n.given, n.chosen })
                put(v);
            for (unsigned d = 0; d < 2; d++) {
                for (const ace_tally &t : { a.here[d], a.ahead[d] }) put(t.count), put(t.least);
                put(static_cast<unsigned>(n.comes[d].size()));
                for (const uint8_t number : n.comes[d]) put(number);
            }
            put(static_cast<unsigned>(n.stack.size()));
            for (const auto &[command, left] : n.stack) put(command), put(left);
        }
        for (const uint8_t command : order) put(command);
        return s;
    }
    void load(const std::string &s) {
        size_t at = 0;
        const auto get = [&] { return static_cast<uint8_t>(s[at++]); };
        for (Node &n : nodes) {
            ace_agreement &a = n.unit;
            a.head = get(), a.tail = get(), a.agreed = get();
            a.popped = get(), a.open = get(), a.chunks = get(), a.ready = get();
            a.left = get(), a.value = get(), a.sent = get();
            n.given = get(), n.chosen = get();
            for (unsigned d = 0; d < 2; d++) {
                for (ace_tally *t : { &a.here[d], &a.ahead[d] }) t->count = get(), t->least = get();
                n.comes[d].resize(get());
                for (uint8_t &number : n.comes[d]) number = get();
            }
            n.stack.resize(get());
            for (auto &[command, left] : n.stack) command = get(), left = get();
            for (uint32_t i = a.head; i != a.tail; i++) { /* tags are numbered as they come */
                a.queue[i % COMMANDS] = ace_agreed{};
                a.queue[i % COMMANDS].tag = static_cast<uint16_t>(i);
            }
        }
        order.assign(s.begin() + static_cast<std::ptrdiff_t>(at), s.end());
    }
};

constexpr Case cases[] = {
    { "two_nodes", { 2, 1 }, 3, 2, false },
    { "three_nodes", { 3, 1 }, 2, 1, false },
    { "four_nodes", { 2, 2 }, 1, 1, false },
    { "deaf", { 2, 1 }, 3, 2, true },
};

class Agreement : public testing::TestWithParam<Case> {};

TEST_P(Agreement, NodesChooseAlikeAndEnd) {
    const Case &c = GetParam();
    Cluster cluster(c);
    std::set<std::string> seen;
    std::deque<const std::string *> open;
    size_t steps = 0, ends = 0;
    open.push_back(&*seen.insert(cluster.save()).first);
    while (!open.empty() && cluster.wrong.empty()) {
        const std::string &from = *open.back();
        open.pop_back();
        bool leads_on = false;
        for (unsigned i = 0; i < cluster.nodes.size() && cluster.wrong.empty(); i++)
            for (unsigned how = 0; how < DECISIONS && cluster.wrong.empty(); how++) {
                cluster.load(from);
                if (how & ~cluster.pending(i)) continue;
                cluster.cycle(i, how);
                std::string to = cluster.save();
                if (to == from) continue;
                leads_on = true;
                steps++;
                const auto [at, fresh] = seen.insert(std::move(to));
                if (fresh) open.push_back(&*at);
            }
        cluster.load(from);
        ends += !leads_on;
        if (!leads_on && !cluster.ended()) cluster.wrong = "nodes that wait for ever";
        ASSERT_LT(seen.size(), 4000000u);
    }
    std::cout << seen.size() << " states, " << steps << " steps, " << ends << " ends\n";
    if (c.deaf) {
        EXPECT_EQ("nodes choose different commands", cluster.wrong);
    } else {
        EXPECT_EQ("", cluster.wrong);
        EXPECT_GT(ends, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Agreement, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

} // namespace

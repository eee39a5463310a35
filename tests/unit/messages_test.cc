// SPDX-License-Identifier: Apache-2.0
/*
 * messages_test.cc -- messages: their lists, the links they cross, and their receivers
 *
 *   ACE_SEED=7 messages_test     repeats a run
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <vector>

extern "C" {
#include "ace_composition.h"
#include "compat_mail.h"
#include "exit_status.h"
#include "graph_inbox.h"
#include "graph_map.h"
#include "graph_messages.h"
#include "graph_window.h"
}

namespace {

unsigned Seed() {
    const char *s = std::getenv("ACE_SEED");
    return s ? static_cast<unsigned>(std::strtoul(s, nullptr, 10)) : 1U;
}

ace_config Torus(const std::vector<unsigned> &ring, unsigned node) {
    ace_config c{};
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        c.ring[d] = static_cast<uint16_t>(d < ring.size() ? ring[d] : 1);
        c.rank[d] = static_cast<uint16_t>(node % c.ring[d]);
        node /= c.ring[d];
    }
    return c;
}

const std::vector<std::vector<unsigned>> tori = { { 2 },    { 5 },       { 8 },
                                                  { 2, 2 }, { 4, 3, 2 }, { 2, 3, 2, 4 } };

uint64_t Rows(uint64_t bytes) { return (bytes + 255) / 256; }

// The shorter route round each ring; halfway both ways, each with half of the rows and a trailer.
TEST(Messages, CrossAsManyLinksAsTheyHaveHops) {
    for (const auto &ring : tori) {
        unsigned nodes = 1;
        for (const unsigned n : ring) nodes *= n;
        for (unsigned from = 0; from < nodes; from++)
            for (unsigned to = 0; to < nodes; to++)
                for (const uint64_t bytes : { 0, 1, 256, 257, 100000 }) {
                    const ace_config cfg = Torus(ring, from), peer = Torus(ring, to);
                    const ace_message m{ to, 4, bytes };
                    uint64_t hops = 0, crossed = 0;
                    bool halfway = false;
                    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                        const unsigned n = cfg.ring[d], up = (peer.rank[d] + n - cfg.rank[d]) % n;
                        hops += std::min(up, n - up);
                        halfway = halfway || (up && 2 * up == n);
                    }
                    const bool two = halfway && Rows(bytes) > 1;
                    ASSERT_EQ(ace_message_routes(&cfg, to, bytes), two ? 2U : 1U);
                    ace_message_links(
                        &cfg, &m,
                        [](void *sum, uint32_t, unsigned, uint64_t rows) {
                            *static_cast<uint64_t *>(sum) += rows;
                        },
                        &crossed);
                    ASSERT_EQ(crossed, hops * (Rows(bytes) + (two ? 2 : 1)));
                }
    }
}

// Over a hub half of a message goes by each of the two ports, whose items follow each other
// in the list.
TEST(Messages, TakeBothPortsToAHub) {
    ace_config cfg = Torus({ 8, 4 }, 0);
    cfg.hub[0] = 1;
    for (uint32_t peer = 1; peer < 32; peer++) {
        const bool over = peer % 8 != 0, halfway = peer / 8 == 2;
        std::map<unsigned, uint64_t> first; // rows by the link that they leave on
        const ace_message m{ peer, 4, 2560 };
        ASSERT_EQ(ace_message_routes(&cfg, peer, 2560), over || halfway ? 2U : 1U) << peer;
        for (unsigned route = 0; route < ace_message_routes(&cfg, peer, 2560); route++) {
            const ace_message_route w = ace_message_on(&cfg, &m, route);
            first[ace_route_target(w.hops)] += w.rows;
            // both lead to the peer: down as far as up leaves
            const unsigned left = w.hops & 0x7f, down = w.hops >> 7 & 1;
            EXPECT_LT(left, 8U) << peer;
            EXPECT_EQ((down ? 8 - left : left) % 8, peer % 8) << peer << " route " << route;
        }
        if (over) EXPECT_EQ(first, (std::map<unsigned, uint64_t>{ { 0, 6 }, { 1, 6 } })) << peer;
    }
    ace_command c{};
    const std::vector<ace_message> to = { { 1, 2, 2560 }, { 7, 4, 2560 }, { 2, 6, 100 } };
    std::vector<std::pair<uint32_t, unsigned>> order; // message, and route
    c.message = to.data();
    c.messages = 3;
    for (uint32_t at = 0; at < 6; at++) {
        uint32_t message;
        unsigned route;
        if (ace_message_at(&cfg, &c, at, &message, &route).rows) order.emplace_back(message, route);
    }
    EXPECT_EQ(order, (std::vector<std::pair<uint32_t, unsigned>>{
                         { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } }));
}

// A list of sends alone, whose last rows are trailers at the addresses of their labels.
TEST(Messages, AreListsThatWaitForNobody) {
    const ace_config cfg = Torus({ 4, 3, 2 }, 5);
    const std::vector<ace_message> to = { { 0, 8, 1000 }, { 7, 2, 0 }, { 23, 100000, 256 } };
    ace_command c{};
    ace_composition p;
    c.kind = ACE_MESSAGES;
    c.message = to.data();
    c.messages = static_cast<uint32_t>(to.size());
    ASSERT_EQ(ace_composition_check(&c, &cfg), ACE_OK);
    ASSERT_EQ(ace_compose(&c, &cfg, &p), ACE_OK);
    std::map<uint32_t, uint64_t> rows; // of data, by label
    for (uint32_t at = 0; at < p.list_bytes; at += ACE_LIST_ITEM_BYTES) {
        ace_list_item i;
        uint32_t label;
        ace_list_item_read(p.list + at / 4, &i);
        ASSERT_EQ(i.what, ACE_LIST_SEND);
        ASSERT_EQ(i.key, ACE_MESSAGE_KEY);
        const uint64_t n = ace_list_item_rows(&i);
        ASSERT_TRUE(ace_trailer((i.target + n - 1) * UINT64_C(256),
                                static_cast<unsigned>((i.bytes - 1) % 256 + 1), &label));
        rows[label] = n - 1;
    }
    // 5 is (1, 1, 0): 0 is one hop on x and y; 7 is (3, 1, 0), halfway on x; 23 is (3, 2, 1)
    EXPECT_EQ(rows, (std::map<uint32_t, uint64_t>{ { 8, 4 }, { 2, 0 }, { 100000, 1 } }));
    ace_composition_free(&p);
    std::vector<ace_message> bad = to;
    c.message = bad.data();
    bad[1].peer = 24;
    EXPECT_EQ(ace_composition_check(&c, &cfg), ACE_EINVAL);
    bad = to;
    bad[1].label = 3;
    EXPECT_EQ(ace_composition_check(&c, &cfg), ACE_EINVAL);
    bad = to;
    bad[1].bytes = (UINT64_C(1) << 38) + 1;
    EXPECT_EQ(ace_composition_check(&c, &cfg), ACE_EINVAL);
}

// Waits in any order get the message of their ordinal, when all its ways have come.
TEST(GraphInbox, GivesEachTheMessageOfItsOrdinal) {
    std::mt19937 random(Seed());
    for (int run = 0; run < 200; run++) {
        const uint32_t channels = 1 + random() % 3;
        const uint64_t messages = 1 + random() % 6;
        graph_inbox b;
        ASSERT_TRUE(graph_inbox_open(&b, channels));
        std::vector<graph_want> wants;
        std::vector<uint64_t> came(2 * channels);
        std::map<uint32_t, std::pair<uint32_t, uint64_t>> waiting; // index: channel, ordinal
        for (uint32_t c = 0; c < channels; c++)
            for (uint64_t k = 0; k < messages; k++)
                wants.push_back({ 0, c, static_cast<uint32_t>(wants.size()), c ? 1U : 3U, k, 0 });
        std::shuffle(wants.begin(), wants.end(), random);
        const auto here = [&](uint32_t c, uint64_t k) {
            return came[2 * c] > k && (c || came[2 * c + 1] > k);
        };
        while (!wants.empty() || !waiting.empty()) {
            if (!wants.empty() && random() % 2) {
                const graph_want w = wants.back();
                wants.pop_back();
                ASSERT_EQ(graph_inbox_want(&b, &w), here(w.channel, w.ordinal) ? 0 : 1);
                if (!here(w.channel, w.ordinal)) waiting[w.index] = { w.channel, w.ordinal };
                continue;
            }
            const uint32_t label = random() % (2 * channels);
            if ((label / 2 && label % 2) || came[label] == messages) continue;
            const uint64_t k = came[label]++;
            uint32_t expected = GRAPH_NONE;
            for (const auto &[index, what] : waiting)
                if (what.first == label / 2 && what.second == k && here(what.first, k))
                    expected = index;
            ASSERT_EQ(graph_inbox_take(&b, label), expected);
            waiting.erase(expected);
        }
        EXPECT_EQ(b.waiting, 0U);
        graph_inbox_close(&b);
    }
}

TEST(GraphMap, IsAMap) {
    std::mt19937 random(Seed());
    graph_map m{};
    std::map<uint64_t, uint64_t> want;
    for (int i = 0; i < 50000; i++) {
        const uint64_t key = random() % 500 + (random() % 4 ? 0 : UINT64_C(1) << 63);
        ASSERT_EQ(graph_map_has(&m, key), want.count(key) == 1);
        if (random() % 2) {
            uint64_t *v = graph_map_at(&m, key);
            ASSERT_EQ(*v, want[key]);
            *v = want[key] = random();
        } else if (want.count(key)) {
            ASSERT_EQ(graph_map_take(&m, key), want[key]);
            want.erase(key);
        }
        ASSERT_EQ(m.count, want.size());
    }
    graph_map_free(&m);
}

graph_node Node(graph_kind kind, unsigned peer, uint64_t tag, uint64_t bytes) {
    graph_node n{};
    n.kind = kind;
    n.peer = peer;
    n.tag = tag;
    n.command.bytes = bytes;
    return n;
}

// Checks what is sent and received in a collective of n: 2 (n - 1) / n of the vector for an
// all-reduce, and so on, in whole rows. Each message must have its partner.
TEST(GraphMessages, CollectivesSendWhatTheClosedFormSays) {
    const std::vector<unsigned> member = { 3, 0, 5 };
    const ace_config cfg = Torus({ 6 }, 0);
    const struct {
        ace_kind kind;
        uint64_t messages, rows; // of all members
    } forms[] = { { ACE_ALL_REDUCE, 12, 12 * 4 },  { ACE_REDUCE_SCATTER, 6, 6 * 4 },
                  { ACE_ALL_GATHER, 6, 6 * 4 },    { ACE_ALL_TO_ALL, 6, 6 * 4 },
                  { ACE_BROADCAST, 2 + 6, 8 * 4 }, { ACE_BARRIER, 6, 0 } };
    for (const auto &f : forms) {
        graph_messages *m = graph_messages_create(6, &cfg);
        uint64_t sent = 0;
        for (unsigned own = 0; own < 3; own++) {
            graph_node n = Node(GRAPH_COLLECTIVE, 0, 1 << 8, 2600); // 11 rows: shards of 4
            n.command.kind = f.kind;
            n.member = member.data();
            n.members = 3;
            n.own = own;
            ASSERT_EQ(graph_messages_add(m, &n, member[own]), EXIT_OK);
            for (unsigned s = 0; s < graph_steps(&n); s++) {
                const graph_step step = graph_step_of(&n, s);
                sent += step.to == WHO_OTHERS ? 2 * Rows(step.bytes) : 0;
            }
        }
        EXPECT_EQ(graph_messages_count(m), f.messages) << f.kind;
        EXPECT_EQ(sent, f.rows) << f.kind;
        EXPECT_EQ(graph_messages_check(m, "t"), EXIT_OK);
        graph_messages_destroy(m);
    }
}

TEST(GraphMessages, NumbersChannelsAtTheirReceivers) {
    const ace_config cfg = Torus({ 4 }, 0);
    graph_messages *m = graph_messages_create(4, &cfg);
    const graph_node nodes[] = { Node(GRAPH_RECEIVE, 0, 7, 64), Node(GRAPH_RECEIVE, 2, 7, 64),
                                 Node(GRAPH_RECEIVE, 0, 7, 64), Node(GRAPH_RECEIVE, 0, 8, 64) };
    for (const graph_node &n : nodes) ASSERT_EQ(graph_messages_add(m, &n, 1), EXIT_OK);
    const graph_channel second{ 2, 1, 7, 64 }, third{ 0, 1, 8, 64 }, none{ 0, 1, 7, 65 };
    EXPECT_EQ(graph_messages_channels(m, 1), 3U);
    EXPECT_EQ(graph_messages_label(m, &second), 1U);
    EXPECT_EQ(graph_messages_label(m, &third), 2U);
    EXPECT_EQ(graph_messages_label(m, &none), UINT32_MAX);
    testing::internal::CaptureStderr();
    EXPECT_EQ(graph_messages_check(m, "t"), EXIT_USAGE); // nobody sends
    EXPECT_NE(testing::internal::GetCapturedStderr().find("t.1.et"), std::string::npos);
    const graph_node sends[] = { Node(GRAPH_SEND, 1, 7, 64), Node(GRAPH_SEND, 1, 7, 64),
                                 Node(GRAPH_SEND, 1, 8, 64) };
    for (const graph_node &n : sends) ASSERT_EQ(graph_messages_add(m, &n, 0), EXIT_OK);
    ASSERT_EQ(graph_messages_add(m, &sends[0], 2), EXIT_OK);
    EXPECT_EQ(graph_messages_check(m, "t"), EXIT_OK);
    // A row and its trailer, a hop from 0, and one from 2.
    EXPECT_EQ(graph_messages_bytes(m, 0, 0), 3 * 512U);
    EXPECT_EQ(graph_messages_bytes(m, 2, 0), 512U);
    EXPECT_EQ(graph_messages_bytes(m, 3, 0), 0U);
    graph_messages_destroy(m);
}

// Sends less receives, in any order: even where each channel has as many of both, and nowhere else.
TEST(GraphMessages, SumsAreEvenWhereEachMessageHasItsReceive) {
    const graph_node both[][2] = { { Node(GRAPH_SEND, 1, 7, 64), Node(GRAPH_RECEIVE, 0, 7, 64) },
                                   { Node(GRAPH_SEND, 2, 7, 64), Node(GRAPH_RECEIVE, 0, 7, 64) },
                                   { Node(GRAPH_SEND, 1, 64, 7), Node(GRAPH_RECEIVE, 0, 64, 7) } };
    const graph_node mark = Node(GRAPH_COLLECTIVE, 0, 7, 64);
    graph_balance even{}, two{};
    for (const auto &n : both) graph_balance_add(&even, &n[0], 0);
    EXPECT_FALSE(graph_balance_even(&even));
    for (const auto &n : both) graph_balance_add(&even, &n[1], n[0].peer);
    graph_balance_add(&even, &mark, 0);
    EXPECT_TRUE(graph_balance_even(&even));
    EXPECT_EQ(even.sent, 3U);
    // Each of these differs from the receive in one thing: the peer, the tag, the size, or which
    // end sends.
    const graph_node wrong[] = { Node(GRAPH_RECEIVE, 3, 7, 64), Node(GRAPH_RECEIVE, 0, 8, 64),
                                 Node(GRAPH_RECEIVE, 0, 7, 65), Node(GRAPH_RECEIVE, 0, 64, 7),
                                 Node(GRAPH_SEND, 0, 7, 64) };
    for (const graph_node &n : wrong) {
        graph_balance b{};
        graph_balance_add(&b, &both[0][0], 0);
        graph_balance_add(&b, &n, 1);
        EXPECT_FALSE(graph_balance_even(&b)) << n.kind << " " << n.peer << " " << n.tag;
    }
    // Two of one channel do not cancel each other.
    for (int i = 0; i < 2; i++) graph_balance_add(&two, &both[0][0], 0);
    EXPECT_FALSE(graph_balance_even(&two));
}

// Against queues: the n-th message of a channel is for the n-th receive, and nothing is kept that
// is paired.
TEST(CompatMail, PairsEachChannelInItsOrder) {
    using Key = std::array<uint64_t, 4>;
    std::map<Key, std::deque<uint32_t>> waits;
    std::map<Key, unsigned> came;
    std::mt19937 draw(7);
    compat_mail m{};
    for (uint32_t i = 0; i < 200000; i++) {
        const unsigned from = draw() % 3, to = draw() % 3, tag = draw() % 50, bytes = draw() % 2;
        const graph_channel c{ from, to, tag, bytes };
        const Key key{ from, to, tag, bytes };
        uint32_t index = UINT32_MAX;
        if (draw() % 2) {
            const bool paired = !waits[key].empty();
            ASSERT_EQ(compat_mail_deliver(&m, &c, &index), paired ? MAIL_PAIRED : MAIL_KEPT);
            if (!paired) {
                came[key]++;
                continue;
            }
            ASSERT_EQ(index, waits[key].front());
            waits[key].pop_front();
        } else {
            const bool paired = came[key] != 0;
            ASSERT_EQ(compat_mail_receive(&m, &c, i), paired ? MAIL_PAIRED : MAIL_KEPT);
            if (paired)
                came[key]--;
            else
                waits[key].push_back(i);
        }
    }
    size_t open = 0;
    for (const auto &w : waits) open += w.second.size();
    for (const auto &w : came) open += w.second != 0;
    EXPECT_EQ(m.count, open);
    compat_mail_free(&m);
    EXPECT_EQ(m.count, 0U);
}

} // namespace

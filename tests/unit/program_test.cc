/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of the FSMs, without a clock: their words, their text, and what they do.  That RTL
 * and twin run them is lockstep_fsm_test.cc and algorithms.sh.
 */
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "ace_node.h"
#include "ace_program.h"
#include "ace_reference.h"

namespace {

using Words = std::array<uint32_t, ACE_PROGRAM_WORDS>;
using testing::HasSubstr;

/* The memories of all members of dimension 0. */
struct Members {
    std::vector<Words> of;
    static const uint32_t *words(void *self, unsigned member) {
        return static_cast<Members *>(self)->of[member].data();
    }
    explicit Members(unsigned n) : of(n) {}
    Members(const char *name, unsigned n) : of(n) {
        for (unsigned i = 0; i < n; i++) {
            char text[4096];
            EXPECT_EQ(ace_program_text(name, n, i, text, sizeof text), ACE_OK);
            load(i, text);
        }
    }
    void load(unsigned i, const char *text) {
        ace_program_error e;
        of[i].fill(0);
        ASSERT_EQ(ace_program_assemble(text, 1, of[i].data(), &e), ACE_OK)
            << e.line << ":" << e.column << ": " << e.message << "\n"
            << text;
    }
    void load_all(const char *text) {
        for (unsigned i = 0; i < of.size(); i++) load(i, text);
    }
    std::string check(unsigned kind, bool odd, bool ring = false) {
        char why[200] = "right";
        const int err = ace_program_check(words, this, kind, 0, unsigned(of.size()), ring, odd, why,
                                          sizeof why);
        return err == ACE_OK ? "right" : why;
    }
};

TEST(Instruction, EncodesAndDecodes) {
    std::mt19937 random(1);
    for (int i = 0; i < 10000; i++) {
        /* bit 0 and an addend of 2 have no use */
        uint32_t word = uint32_t(random()) & ~1u;
        if ((word >> 13 & 3) == 2) word ^= 1u << 13;
        ace_instruction in;
        ace_instruction_decode(word, &in);
        ASSERT_EQ(ace_instruction_encode(&in), word);
    }
}

struct Wrong {
    const char *text;
    unsigned line, column;
    const char *message;
};

TEST(Assembler, SaysWhereATextIsWrong) {
    const Wrong wrongs[] = {
        { "send up", 1, 1, "expected the header" },
        { "# ring\nreduce ring", 2, 1,
          "found 'reduce', expected reduce-scatter, all-reduce or all-gather" },
        { "all-reduce", 1, 11, "found no name" },
        { "all-reduce x both", 1, 14, "found 'both', expected even, odd, one-way, copy or alone" },
        { "all-reduce x\n send round to ahead 1", 2, 7,
          "found 'round', expected once, up, halve or double" },
        { "all-reduce x\n send once to", 2, 12, "found 'to', expected a number from 0 to 127" },
        { "all-reduce x\n send once 128 to", 2, 12,
          "found '128', expected a number from 0 to 127" },
        { "all-reduce x\n send up from ahead 1", 2, 10, "found 'from', expected to" },
        { "all-reduce x\n send up to left 1", 2, 13,
          "found 'left', expected ahead, behind, xor or member" },
        { "all-reduce x\n send once 3 to member 4 block", 2, 24, "expected k or 3" },
        { "all-reduce x\n send up to ahead 1 shard behind k+2", 2, 34,
          "found 'k+2', expected 0, k, k+1 or k-1" },
        { "all-reduce x\n send up to ahead 1 block from here", 2, 32,
          "found 'here', expected source" },
        { "all-reduce x\n send up to ahead 1 block from source add", 2, 39,
          "found 'add', expected store" },
        { "all-reduce x\n send up to ahead 1 block from source reduce wait rows+9", 2, 51,
          "found 'rows+9', expected rows-4 to rows+3" },
        { "all-reduce x\n send up to ahead 1 block from source reduce grant never", 2, 52,
          "found 'never', expected each, first or none" },
        { "all-reduce x\n receive up from behind 1 block store last", 2, 39,
          "found 'last', expected grant or the end" },
    };
    for (const Wrong &w : wrongs) {
        Words words{};
        words[40] = 7;
        const Words before = words;
        ace_program_error e;
        EXPECT_EQ(ace_program_assemble(w.text, 1, words.data(), &e), ACE_EINVAL) << w.text;
        EXPECT_EQ(e.line, w.line) << w.text;
        EXPECT_EQ(e.column, w.column) << w.text << "\n" << e.message;
        EXPECT_THAT(e.message, HasSubstr(w.message)) << w.text;
        EXPECT_EQ(words, before); /* nothing earlier is lost */
    }
}

TEST(Assembler, RefusesMoreThanTheMemoryHolds) {
    std::string text = "all-reduce long\n";
    for (int i = 0; i < 120; i++) text += "  send once 1 to ahead 1 block from source store\n";
    Words words{};
    ace_program_error e;
    EXPECT_EQ(ace_program_assemble(text.c_str(), 1, words.data(), &e), ACE_EINVAL);
    EXPECT_THAT(e.message, HasSubstr("more instructions than the memory holds"));
}

/* Three dimensions, each with an algorithm of its own, share the memory and equal threads. */
TEST(Assembler, PutsDimensionsSideBySide) {
    Words words{};
    const char *const names[] = { "ring", "direct", "double-binary-tree" };
    for (unsigned d = 0; d < 3; d++) {
        char text[4096];
        ace_program_error e;
        ASSERT_EQ(ace_program_text(names[d], 8, 3, text, sizeof text), ACE_OK);
        ASSERT_EQ(ace_program_assemble(text, 1u << d, words.data(), &e), ACE_OK) << e.message;
    }
    for (unsigned d = 0; d < 3; d++) {
        Words alone{};
        char text[4096], there[4096], other[4096];
        ace_program_error e;
        ASSERT_EQ(ace_program_text(names[d], 8, 3, text, sizeof text), ACE_OK);
        ASSERT_EQ(ace_program_assemble(text, 1u << d, alone.data(), &e), ACE_OK);
        ace_program_disassemble(alone.data(), d, other, sizeof other);
        ace_program_disassemble(words.data(), d, there, sizeof there);
        EXPECT_STREQ(there, other);
    }
}

unsigned sum_of_shards(const Members &m, unsigned kind, bool odd) {
    unsigned sum = 0;
    for (unsigned i = 0; i < m.of.size(); i++)
        sum += ace_program_shards(m.of[i].data(), kind, 0, unsigned(m.of.size()), i, odd);
    return sum;
}

/* Each does what it promises, sends no more than the closed form, and its text comes back. */
TEST(Shipped, AreRight) {
    for (unsigned p = 0; ace_program_names[p]; p++) {
        const std::string name = ace_program_names[p];
        const bool ring = name.find("ring") != std::string::npos || name == "pairwise";
        for (const unsigned n : { 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 16u, 31u, 32u, 64u, 128u }) {
            if (name == "halving-doubling" && (n & (n - 1))) {
                char text[4096];
                EXPECT_EQ(ace_program_text(name.c_str(), n, 0, text, sizeof text), ACE_EINVAL);
                continue;
            }
            Members m(name.c_str(), n);
            for (unsigned kind = 1; kind < 4; kind++)
                for (const bool odd : { false, true }) {
                    EXPECT_EQ(m.check(kind, odd, ring), "right") << name << " " << n << " " << kind;
                    /* all of them send n (n - 1) shards in a pass, and as many in the second; to a
                     * switch that reduces each sends all of its own, once */
                    const bool all = kind == ACE_PHASE_ALL_REDUCE;
                    const unsigned sum = all && name == "in-network" ? n * n
                                         /* whole blocks, to two neighbours */
                                         : all && name == "pairwise" && n == 4
                                             ? n * 2 * n
                                             : (all ? 2 : 1) * n * (n - 1);
                    EXPECT_EQ(sum_of_shards(m, kind, odd), sum) << name;
                }
            char text[16384];
            ace_program_disassemble(m.of[n / 2].data(), 0, text, sizeof text);
            m.load(n / 2, text);
            for (unsigned kind = 1; kind < 4; kind++)
                EXPECT_EQ(m.check(kind, false, ring), "right") << text;
        }
    }
}

/* With an even number of members each is a leaf, with no child, of one of the two trees. */
TEST(Shipped, TreesShareTheWork) {
    for (unsigned n = 4; n <= 16; n += 2) {
        Members m("double-binary-tree", n);
        for (unsigned i = 0; i < n; i++) {
            const uint32_t *w = m.of[i].data();
            const unsigned even = ace_program_shards(w, ACE_PHASE_ALL_REDUCE, 0, n, i, false) / n;
            const unsigned odd = ace_program_shards(w, ACE_PHASE_ALL_REDUCE, 0, n, i, true) / n;
            EXPECT_EQ(std::min(even, odd), 1u) << i << " of " << n;
            EXPECT_LE(std::max(even, odd), 3u);
        }
    }
}

/* A wait that let an earlier piece go still holds for later ones.  No program does without it. */
TEST(Check, RemembersWaits) {
    Members m(3);
    const char *const leaf = "all-reduce star\n"
                             "  send once 0 to member k block from source reduce\n"
                             "  receive once 0 from member k block store grant none\n";
    const auto root = [&](const char *first, const char *second) {
        char text[500];
        snprintf(text, sizeof text,
                 "all-reduce star\n"
                 "  send once 1 to member k block from target store%s grant none\n"
                 "  send once 2 to member k block from target store%s grant none\n"
                 "  receive once 1 from member k block reduce\n"
                 "  receive once 2 from member k block reduce target\n",
                 first, second);
        m.load(0, text);
        return m.check(ACE_PHASE_ALL_REDUCE, false);
    };
    m.load(1, leaf);
    m.load(2, leaf);
    EXPECT_EQ(root(" wait rows-1", ""), "right");
    EXPECT_EQ(root(" wait rows-1", " wait rows+0"), "right");
    for (const char *const second : { "", " wait rows+0" })
        for (const char *const first : { "", " wait rows+0" })
            EXPECT_NE(root(first, second), "right") << first << "," << second;
}

/* On a ring, members use xor only as the engine can carry it: both send, nothing is granted, and a
 * chunk is alone. */
TEST(Check, KnowsWhatARingCanExchange) {
    const auto check = [](const char *option, const char *first, const char *second,
                          const char *grant, bool ring) {
        Members m(4);
        char text[500];
        snprintf(text, sizeof text,
                 "all-reduce exchange%s\n"
                 "  send once %s to xor k block from source reduce grant %s\n"
                 "  send once %s to xor k block from source reduce wait rows+1 grant none\n"
                 "  receive once %s from xor k block reduce grant %s\n"
                 "  receive once %s from xor k block reduce target grant none\n",
                 option, first, grant, second, first, grant, second);
        m.load_all(text);
        return m.check(ACE_PHASE_ALL_REDUCE, false, ring);
    };
    EXPECT_EQ(check(" alone", "1", "3", "none", true), "right");
    EXPECT_EQ(check(" alone", "3", "1", "none", true), "right");
    EXPECT_EQ(check("", "1", "3", "none", false), "right");
    EXPECT_THAT(check("", "1", "3", "none", true), HasSubstr("alone"));
    EXPECT_THAT(check(" alone", "1", "3", "each", true), HasSubstr("without grants"));
    EXPECT_THAT(check(" alone", "1", "2", "none", true), HasSubstr("only to the next member"));
    EXPECT_THAT(check(" alone", "1", "1", "none", true), HasSubstr("sum up all"));
    EXPECT_THAT(check(" alone", "1", "3", "none", false),
                HasSubstr("needs rings in all dimensions"));
    Members half(2); /* one sends, the other one receives */
    half.load(0, "reduce-scatter half alone\n"
                 "  send once 1 to xor k shard xor k from source reduce grant none\n"
                 "  receive once 1 from behind 1 shard ahead 0 reduce target grant none\n");
    half.load(1, "reduce-scatter half alone\n"
                 "  receive once 1 from xor k shard ahead 0 reduce target grant none\n");
    EXPECT_NE(half.check(ACE_PHASE_REDUCE_SCATTER, false, true), "right");
}

/* The table has a row for each hub or ring, number of members and size, and its algorithm runs
 * there. */
TEST(Small, NamesAlgorithmsThatRun) {
    for (const ace_program_wires wires : { ACE_WIRES_SWITCH, ACE_WIRES_FULL, ACE_WIRES_RING })
        for (const ace_phase_kind kind :
             { ACE_PHASE_REDUCE_SCATTER, ACE_PHASE_ALL_REDUCE, ACE_PHASE_ALL_GATHER })
            for (unsigned n = 2; n <= 65; n++)
                for (uint64_t bytes = 1; bytes <= ACE_SMALL_BYTES + 1; bytes += 4096) {
                    const char *const name = ace_program_small(wires, kind, n, bytes);
                    char text[4096];
                    ASSERT_EQ(name != nullptr, n <= 64 && bytes <= ACE_SMALL_BYTES)
                        << n << " " << bytes;
                    if (name) {
                        EXPECT_EQ(ace_program_text(name, n, 0, text, sizeof text), ACE_OK) << n;
                    }
                }
}

/* Steps of each member's result. */
std::vector<unsigned> StepsOf(Members &m, unsigned kind, bool odd = false) {
    std::vector<uint16_t> steps(m.of.size());
    EXPECT_EQ(
        ace_program_steps(Members::words, &m, kind, 0, unsigned(m.of.size()), odd, steps.data()),
        ACE_OK);
    return { steps.begin(), steps.end() };
}

/* Reduce-scatter, all-reduce and all-gather, of programs in which all members are as far. */
std::vector<unsigned> StepsOfPhases(Members &m) {
    std::vector<unsigned> all;
    for (const unsigned kind :
         { ACE_PHASE_REDUCE_SCATTER, ACE_PHASE_ALL_REDUCE, ACE_PHASE_ALL_GATHER })
        for (const bool odd : { false, true }) {
            const auto steps = StepsOf(m, kind, odd);
            EXPECT_THAT(steps, testing::Each(steps[0])) << kind;
            if (odd)
                EXPECT_EQ(all.back(), steps[0]) << kind;
            else
                all.push_back(steps[0]);
        }
    return all;
}

unsigned Log2(unsigned n) { return n > 1 ? 1 + Log2(n / 2) : 0; }

/* One member begins late. Round a ring its share reaches the members behind it one after the
 * other. With direct links it reaches all in one step, and its own result waits for nobody. */
TEST(Times, OfALateMember) {
    const std::vector<uint64_t> start = { 5, 5, 1000, 5 };
    const auto times = [&](const char *algorithm, unsigned kind) {
        Members m(algorithm, 4);
        std::vector<uint64_t> complete(4);
        EXPECT_EQ(ACE_OK, ace_program_times(Members::words, &m, kind, 0, 4, false, start.data(), 10,
                                            complete.data()));
        return complete;
    };
    using testing::ElementsAre;
    EXPECT_THAT(times("direct", ACE_PHASE_ALL_GATHER), ElementsAre(1010, 1010, 1000, 1010));
    EXPECT_THAT(times("direct", ACE_PHASE_REDUCE_SCATTER), ElementsAre(1010, 1010, 1000, 1010));
    EXPECT_THAT(times("direct", ACE_PHASE_ALL_REDUCE), ElementsAre(1020, 1020, 1020, 1020));
    EXPECT_THAT(times("one-way-ring", ACE_PHASE_ALL_GATHER), ElementsAre(1020, 1030, 1000, 1010));
    EXPECT_THAT(times("in-network", ACE_PHASE_ALL_REDUCE), ElementsAre(1010, 1010, 1010, 1010));
}

/* Counts dependent steps by hand. Round a ring a shard visits each member once, and once more as a
 * sum. With direct links it takes one step, and its sum another. Halving takes log2 n. */
TEST(Steps, AreTheClosedFormsOfTheShipped) {
    using testing::ElementsAre;
    for (const unsigned n : { 2u, 3u, 5u, 8u, 16u, 64u, 128u }) {
        for (const char *ring : { "ring", "one-way-ring" }) {
            Members m(ring, n);
            EXPECT_THAT(StepsOfPhases(m), ElementsAre(n - 1, 2 * (n - 1), n - 1)) << ring << n;
        }
        Members direct("direct", n), network("in-network", n);
        EXPECT_THAT(StepsOfPhases(direct), ElementsAre(1, 2, 1)) << n;
        EXPECT_THAT(StepsOfPhases(network), ElementsAre(1, 1, 1)) << n;
        if (n & (n - 1)) continue;
        Members halves("halving-doubling", n);
        EXPECT_THAT(StepsOfPhases(halves), ElementsAre(Log2(n), 2 * Log2(n), Log2(n))) << n;
    }
    for (const unsigned n :
         { 2u, 4u }) { /* both neighbours of a ring of four, one after the other */
        Members exchange("pairwise", n);
        EXPECT_THAT(StepsOfPhases(exchange), ElementsAre(n / 2, n / 2, n / 2)) << n;
    }
}

/* Of 2^m members place p of the tree is as deep as m less the number of 0 bits that end p, the
 * root, place 0, not at all.  A sum needs m steps to the root, and its result as many as a member
 * is deep. */
TEST(Steps, OfATreeAreItsDepths) {
    for (const unsigned n : { 2u, 4u, 8u, 32u, 128u }) {
        Members m("double-binary-tree", n);
        for (const bool odd : { false, true }) {
            const auto steps = StepsOf(m, ACE_PHASE_ALL_REDUCE, odd);
            for (unsigned i = 0; i < n; i++) {
                const unsigned place = (i + n - odd) % n;
                const unsigned depth = place ? Log2(n) - unsigned(__builtin_ctz(place)) : 0;
                EXPECT_EQ(steps[i], Log2(n) + depth) << i << " of " << n;
            }
        }
    }
}

/* A program written here: sums go from member to member up to the last, which sends them to all. */
TEST(Steps, OfAChain) {
    Members m(4);
    const char *send = "  send once %u to member k block from source reduce wait rows%+d\n";
    const char *sum = "  receive once %u from member k block reduce%s\n";
    for (unsigned i = 0; i < 4; i++) {
        std::string text = "all-reduce chain\n";
        char line[100];
        auto add = [&](const char *format, auto... values) {
            snprintf(line, sizeof line, format, values...);
            text += line;
        };
        if (i == 0) text += "  send once 1 to member k block from source reduce\n";
        if (i == 1 || i == 2) add(send, i + 1, 0);
        for (unsigned to = 0; i == 3 && to < 3; to++)
            add("  send once %u to member k block from target store wait rows%+d\n", to, int(to));
        if (i) add(sum, i - 1, i == 3 ? " target" : "");
        if (i < 3) text += "  receive once 3 from member k block store\n";
        m.load(i, text.c_str());
    }
    EXPECT_EQ(m.check(ACE_PHASE_ALL_REDUCE, false), "right");
    EXPECT_THAT(StepsOf(m, ACE_PHASE_ALL_REDUCE), testing::ElementsAre(4, 4, 4, 3));
}

/* Member 2 has the share of 3 after a step, but the sum of 0 and 1 after two. */
TEST(Steps, OfASumAreThoseOfItsLaterOperand) {
    Members m(4);
    const char *const leaf = "all-reduce fork\n"
                             "  send once %u to member k block from source reduce\n"
                             "  receive once 2 from member k block store\n";
    char text[200];
    snprintf(text, sizeof text, leaf, 1);
    m.load(0, text);
    snprintf(text, sizeof text, leaf, 2);
    m.load(3, text);
    m.load(1, "all-reduce fork\n"
              "  send once 2 to member k block from source reduce wait rows+0\n"
              "  receive once 0 from member k block reduce\n"
              "  receive once 2 from member k block store\n");
    m.load(2, "all-reduce fork\n"
              "  send once 0 to member k block from target store wait rows-1\n"
              "  send once 1 to member k block from target store wait rows+0\n"
              "  send once 3 to member k block from target store wait rows+1\n"
              "  receive once 1 from member k block reduce\n"
              "  receive once 3 from member k block reduce target\n");
    EXPECT_EQ(m.check(ACE_PHASE_ALL_REDUCE, false), "right");
    EXPECT_THAT(StepsOf(m, ACE_PHASE_ALL_REDUCE), testing::ElementsAre(3, 3, 2, 3));
}

TEST(Check, SaysWhatIsWrong) {
    Members m(4);
    m.load_all("all-gather early copy\n"
               "  send up to ahead 1 shard behind k-1 from target store grant first\n"
               "  receive up from behind 1 shard behind k store grant first\n");
    EXPECT_THAT(m.check(ACE_PHASE_ALL_GATHER, false), HasSubstr("before it is there"));
    m.load_all("all-gather own-not-copied\n"
               "  send up to ahead k shard ahead 0 from target store\n"
               "  receive up from behind k shard behind k store\n");
    EXPECT_THAT(m.check(ACE_PHASE_ALL_GATHER, false), testing::Not("right"));
}

/* All members give the switch the same pieces in the same order, and store what comes back. */
TEST(Check, OfTheSwitch) {
    const std::string header = "all-reduce by-switch\n",
                      send = "  send once 0 to ahead 0 block from source reduce grant none\n",
                      receive = "  receive once 0 from ahead 0 block store grant none\n";
    Members m(4);
    m.load_all((header + send + receive).c_str());
    EXPECT_EQ(m.check(ACE_PHASE_ALL_REDUCE, false), "right");
    EXPECT_EQ(ace_program_in_network(m.of[0].data(), 0, 4), 4u);
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false, true), HasSubstr("a ring has none"));
    m.load(2, (header + send).c_str());
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false), HasSubstr("waits for ever"));
    m.load(2, (header + "  send once 0 to ahead 0 block from source reduce\n" + receive).c_str());
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false), HasSubstr("neither is granted"));
    m.load_all((header + send + "  receive once 0 from ahead 0 block reduce grant none\n").c_str());
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false), HasSubstr("results are stored"));
    m.load_all((header + "  send once 0 to ahead 0 shard ahead 0 from source reduce grant none\n"
                         "  receive once 0 from ahead 0 shard ahead 0 store grant none\n")
                   .c_str());
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false), HasSubstr("where member 0 sends"));
    m.load_all((header + "  send once 0 to ahead 0 shard member 0 from source reduce grant none\n"
                         "  receive once 0 from ahead 0 shard member 0 store grant none\n")
                   .c_str());
    EXPECT_THAT(m.check(ACE_PHASE_ALL_REDUCE, false), HasSubstr("shard 1 ends at member 0"));
    EXPECT_EQ(ace_program_in_network(Members("in-network", 4).of[0].data(), 0, 4), 2u);
    EXPECT_EQ(ace_program_in_network(Members("in-network", 3).of[0].data(), 0, 3), 1u);
    EXPECT_EQ(ace_program_in_network(Members("direct", 4).of[0].data(), 0, 4), 0u);
}

TEST(Check, FindsPartnersThatDisagree) {
    Members m(4);
    m.load_all("reduce-scatter shards\n"
               "  send up to ahead k shard ahead k from source reduce\n"
               "  receive up from behind k shard behind 0 reduce last\n");
    EXPECT_EQ(m.check(ACE_PHASE_REDUCE_SCATTER, false), "right");
    m.load_all("reduce-scatter other-shard\n"
               "  send up to ahead k shard ahead k from source reduce\n"
               "  receive up from behind k shard behind k reduce last\n");
    EXPECT_THAT(m.check(ACE_PHASE_REDUCE_SCATTER, false), HasSubstr("which expects"));
    m.load_all("reduce-scatter other-peer\n"
               "  send up to ahead k shard ahead k from source reduce\n"
               "  receive up from ahead k shard ahead 0 reduce last\n");
    EXPECT_THAT(m.check(ACE_PHASE_REDUCE_SCATTER, false), testing::Not("right"));
    m.load_all("reduce-scatter one-too-few\n"
               "  send once 1 to ahead k shard ahead k from source reduce\n"
               "  receive once 1 from behind k shard ahead 0 reduce last\n");
    EXPECT_THAT(m.check(ACE_PHASE_REDUCE_SCATTER, false), HasSubstr("does not sum up all"));
    m.load_all("reduce-scatter stuck\n"
               "  send up to ahead k shard ahead k from source reduce wait rows\n"
               "  receive up from behind k shard ahead 0 reduce last\n");
    EXPECT_THAT(m.check(ACE_PHASE_REDUCE_SCATTER, false), HasSubstr("waits for ever"));
    m.load_all("reduce-scatter far\n"
               "  send up to ahead k shard ahead k from source reduce\n"
               "  receive up from behind k shard ahead 0 reduce last\n");
    EXPECT_THAT(m.check(ACE_PHASE_REDUCE_SCATTER, false, true),
                HasSubstr("only to the next member"));
}

/* The reference for rings knows nothing of programs: the ring's program adds in the same order. */
TEST(Reference, RingIsItsProgram) {
    for (const ace_kind kind : { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER })
        for (const unsigned z : { 1u, 3u }) {
            ace_config plain{};
            plain.ring[0] = 4;
            plain.ring[1] = 3;
            plain.ring[2] = uint8_t(z);
            plain.ring[3] = 1;
            plain.chunk_rows = 7;
            ace_config programmed = plain;
            char text[4096];
            ace_program_error e;
            ASSERT_EQ(ace_program_text("ring", 4, 0, text, sizeof text), ACE_OK);
            ASSERT_EQ(ace_program_assemble(text, 7, programmed.program, &e), ACE_OK);
            ASSERT_TRUE(ace_program_is_ring(&plain, 0));
            ASSERT_FALSE(ace_program_is_ring(&programmed, 0));
            const unsigned nodes = 12 * z;
            const size_t bytes = 10001;
            ace_command c{};
            c.kind = kind;
            c.type = ACE_FP32;
            c.dim_count = 3;
            c.dims[1] = 1;
            c.dims[2] = 2;
            c.bytes = bytes;
            std::mt19937 random(3);
            std::vector<std::vector<uint8_t>> in(nodes), one(nodes), other(nodes);
            std::vector<const uint8_t *> from;
            std::vector<uint8_t *> to, also;
            for (unsigned i = 0; i < nodes; i++) {
                in[i].resize(bytes + 3);
                for (auto &b : in[i]) b = uint8_t(random());
                one[i].resize(bytes + 3);
                other[i].resize(bytes + 3);
                from.push_back(in[i].data());
                to.push_back(one[i].data());
                also.push_back(other[i].data());
            }
            ASSERT_EQ(ace_reference_collective(&c, &plain, from.data(), to.data()), ACE_OK);
            ASSERT_EQ(ace_reference_collective(&c, &programmed, from.data(), also.data()), ACE_OK);
            EXPECT_EQ(one, other);
        }
}

/* With n members, `ring` waits for one in each direction, `direct` for all n - 1, and
 * `halving-doubling` for members whose number differs in one bit. With more than 16 members, the
 * two beyond the fourth are equal modulo 16. */
TEST(Peers, AreToldApart) {
    const struct {
        unsigned algorithm, members, peers; /* algorithm: as of ace_config */
        bool apart;
    } cases[] = { { 1, 64, 16, true },  { 1, 18, 16, true },  { 1, 128, 16, true },
                  { 3, 16, 16, true },  { 3, 17, 16, false }, { 3, 32, 32, true },
                  { 3, 33, 32, false }, { 3, 64, 64, true },  { 4, 32, 16, true },
                  { 4, 64, 16, false }, { 4, 64, 64, true } };

    for (const auto &c : cases) {
        bool apart = true;
        for (unsigned rank = 0; rank < c.members; rank++) {
            ace_config cfg{};
            cfg.hub[1] = true;
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++) cfg.ring[d] = 1;
            cfg.ring[1] = static_cast<uint16_t>(c.members);
            cfg.rank[1] = static_cast<uint16_t>(rank);
            cfg.algorithm[1] = static_cast<uint8_t>(c.algorithm);
            apart = apart && ace_program_distinguishes(&cfg, 1, c.peers);
        }
        EXPECT_EQ(apart, c.apart) << c.algorithm << " on " << c.members << " of " << c.peers;
    }
}

/* A dimension 1 of so many members with one algorithm (as of ace_config) on a hub or a ring. */
ace_config dimension_of(unsigned algorithm, unsigned members, bool hub) {
    ace_config cfg{};
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) cfg.ring[d] = 1;
    cfg.ring[1] = static_cast<uint16_t>(members);
    cfg.hub[1] = hub;
    cfg.algorithm[1] = static_cast<uint8_t>(algorithm);
    return cfg;
}

/* 3: direct; 4: halving-doubling; 6: in-network. */
TEST(Examine, SaysWhatIsWrong) {
    ace_program_verdict v;

    ace_config cfg = dimension_of(3, 8, true);
    ASSERT_EQ(ace_program_examine(&cfg, 1, 16, false, &v), ACE_OK);
    EXPECT_TRUE(v.runs);
    EXPECT_EQ(v.kind, 0u);
    EXPECT_EQ(v.blind, 8u);
    EXPECT_EQ(v.shards, 0u);

    cfg = dimension_of(4, 6, true); /* no power of two */
    ASSERT_EQ(ace_program_examine(&cfg, 1, 16, false, &v), ACE_OK);
    EXPECT_FALSE(v.runs);

    cfg = dimension_of(3, 8, false); /* the first kind that is looked at */
    ASSERT_EQ(ace_program_examine(&cfg, 1, 16, false, &v), ACE_OK);
    EXPECT_EQ(v.kind, unsigned(ACE_PHASE_REDUCE_SCATTER));
    EXPECT_FALSE(v.odd);
    EXPECT_THAT(v.reason, HasSubstr("on a ring these chunks go only to the next member"));

    cfg = dimension_of(6, 4, true);
    ASSERT_EQ(ace_program_examine(&cfg, 1, 16, false, &v), ACE_OK);
    EXPECT_EQ(v.shards, 2u);
}

/* Members 0 and 16 are the same modulo 16. Each waits for all others but itself, so member 1 is the
 * first that waits for both. */
TEST(Examine, NamesTheFirstBlindMember) {
    for (bool proved : { false, true }) {
        ace_program_verdict v;
        const ace_config cfg = dimension_of(3, 17, true);

        ASSERT_EQ(ace_program_examine(&cfg, 1, 16, proved, &v), ACE_OK);
        EXPECT_TRUE(v.runs);
        EXPECT_EQ(v.blind, 1u);
        ASSERT_EQ(ace_program_examine(&cfg, 1, 32, proved, &v), ACE_OK);
        EXPECT_EQ(v.blind, 17u);
    }
}

} // namespace

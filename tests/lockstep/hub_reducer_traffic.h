/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_reducer_traffic.h -- rows that the ports of a switch send to be reduced
 *
 * Contexts come and go, some members are ahead of others, and some rows have a header that differs
 * from the other ports'.  lockstep_hub_reducer_test.cc and tests/mutation/mutant_hub_reducer.cc use
 * the traffic.  Sums of integers are compared with sums made here.  A row that has a wrong bit
 * comes with the code of the right row.  No sum may come from it, and the error must be reported.
 */
#ifndef ACE_TESTS_HUB_REDUCER_TRAFFIC_H
#define ACE_TESTS_HUB_REDUCER_TRAFFIC_H

#include <vector>

#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned offer; /* chance of a row at a port in a cycle, per mille */
    unsigned hold;  /* that nothing is read, per mille */
    unsigned wrong; /* rows with a header that differs from other ports', per ten thousand */
    unsigned unfit; /* rows with a wrong bit, per ten thousand */
    unsigned resets;
};
[[maybe_unused]] void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "stream", 1000, 0, 0, 0, 0 },  { "mixed", 500, 100, 0, 0, 20 },
    { "held", 900, 800, 0, 0, 20 },  { "sparse", 15, 10, 0, 0, 5 },
    { "wrong", 400, 50, 30, 0, 60 }, { "unfit", 600, 50, 0, 40, 80 },
};

constexpr ace_rtl_hub_parameters sets[] = ACE_RTL_HUB_SETS;
constexpr unsigned PIECE = 5; /* rows of a chunk, after which marks and operations are others */

/* A context in use: rows are numbered, and belong together where their numbers are the same. */
struct Context {
    uint8_t name = 0;
    unsigned sent[ACE_HUB_PORTS_MAX] = {};
    unsigned reduced = 0;
    std::deque<std::array<uint32_t, ACE_ROW_WORDS>> sums; /* those not reduced yet */
};

struct Environment {
    const Mix &mix;
    const ace_rtl_hub_parameters &of;
    unsigned members;
    std::vector<Context> contexts;
    bool offered[ACE_HUB_PORTS_MAX] = {}; /* and not taken yet */
    uint8_t salt = 0;
    bool spoilt = false; /* a wrong row was sent: sums mean nothing any more */
    uint8_t unfit = 0;   /* of ace_hub_wrong: what was sent with a wrong bit */
    bool told = false;
    uint64_t unfits = 0, tellings = 0;
    uint64_t taken = 0, refused = 0, sums = 0, compared = 0, mismatches = 0, refusals = 0;

    Environment(const Mix &m, const ace_rtl_hub_parameters &p, unsigned count)
        : mix(m), of(p), members(count) {
        reset();
    }
    void configure(ace_hub_reducer_in &in) const { in.cfg_members = ace_hub_every_port(members); }
    void reset() {
        contexts.assign(of.contexts, Context{});
        for (unsigned c = 0; c < of.contexts; c++) contexts[c].name = uint8_t(c * 7);
        for (bool &o : offered) o = false;
        spoilt = told = false;
        unfit = 0;
        salt++;
    }
    uint8_t mark(unsigned c, unsigned row) const { return uint8_t(salt + c + row / PIECE * 3); }
    /* Integers half of the time; their sums are known. */
    uint8_t how(unsigned c, unsigned row) const {
        const unsigned turn = c + row / PIECE;
        const uint8_t others[] = { ACE_FP32, ACE_INT32 | ACE_MINIMUM << 3,
                                   ACE_FP32 | ACE_MINIMUM << 3 };
        return turn % 2 ? uint8_t(ACE_INT32) : others[turn / 2 % 3];
    }

    void offer(ace_hub_reducer_in &in, unsigned p, Random &r) {
        Context &c = contexts[r.below(of.contexts)];
        const unsigned at = unsigned(&c - contexts.data()), row = c.sent[p];
        /* Only port 0 sends more than there are slots for: the others' rows then come, and free
         * one. */
        if (row - c.reduced >= of.rows + (p ? 0 : 3)) return;
        offered[p] = true;
        c.sent[p]++;
        in.s_context[p] = c.name;
        in.s_mark[p] = mark(at, row);
        in.s_how[p] = how(at, row);
        if (r.below(10000) < mix.wrong) {
            in.s_mark[p] ^= uint8_t(r.below(2));
            in.s_how[p] = r.bits<uint8_t>(6);
            spoilt = true;
        }
        const ace_hub_header header = { in.s_context[p], in.s_mark[p], in.s_how[p], 0 };
        in.s_header_code[p] = ace_hub_header_code(&header);
        while (c.sums.size() <= row - c.reduced) c.sums.push_back({});
        for (unsigned w = 0; w < ACE_ROW_WORDS; w++) {
            const uint32_t word = uint32_t(r.next());
            in.s_data[p * ACE_ROW_WORDS + w] = word;
            c.sums[row - c.reduced][w] += word;
        }
        in.s_code[p] = ace_row_code(&in.s_data[p * ACE_ROW_WORDS]);
        if (r.below(10000) < mix.unfit) turn_over(in, p, r);
    }

    /* One bit of a row, of what it says of itself, or of a code. */
    void turn_over(ace_hub_reducer_in &in, unsigned p, Random &r) {
        unfits++;
        const unsigned which = r.below(6);
        unfit |= which < 2 ? ACE_HUB_WRONG_ROW : ACE_HUB_WRONG_HEADER;
        switch (which) {
        case 0: in.s_data[p * ACE_ROW_WORDS + r.below(ACE_ROW_WORDS)] ^= 1u << r.below(32); break;
        case 1: in.s_code[p] ^= 1u << r.below(32); break;
        case 2: in.s_context[p] ^= uint8_t(1u << r.below(8)); break;
        case 3: in.s_mark[p] ^= uint8_t(1u << r.below(8)); break;
        case 4: in.s_how[p] ^= uint8_t(1u << r.below(6)); break;
        default: in.s_header_code[p] ^= uint8_t(1u << r.below(4)); break;
        }
    }

    /* A run without payload has no rows: what is left of their codes is what is wrong. */
    void keep_rows(const ace_hub_reducer_in &in, ace_hub_reducer_in &no_rows) const {
        for (unsigned p = 0; p < members; p++)
            no_rows.s_code[p] ^= ace_row_code(&in.s_data[p * ACE_ROW_WORDS]);
    }

    void take_sum(const ace_hub_reducer_out &out) {
        sums++;
        for (Context &c : contexts) {
            if (c.name != out.m_context) continue;
            const unsigned at = unsigned(&c - contexts.data());
            ASSERT_FALSE(c.sums.empty()) << "a sum of nothing";
            if (!spoilt) {
                for (unsigned p = 0; p < members; p++)
                    ASSERT_GT(c.sent[p], c.reduced) << "without the row of port " << p;
                ASSERT_EQ(out.m_mark, mark(at, c.reduced));
                if (how(at, c.reduced) == ACE_INT32) {
                    compared++;
                    for (unsigned w = 0; w < ACE_ROW_WORDS; w++)
                        ASSERT_EQ(out.m_data[w], c.sums.front()[w]) << "word " << w;
                }
            }
            c.sums.pop_front();
            c.reduced++;
        }
    }

    void drive(const ace_hub_reducer_out &out, ace_hub_reducer_in &in, Random &r) {
        if (out.m_valid) take_sum(out);
        if (out.m_wrong && !told) {
            ASSERT_EQ(out.m_wrong & ~unfit, 0) << "something else is told than was sent";
            tellings++;
        }
        told = out.m_wrong;
        mismatches += out.m_mismatch;
        refusals += out.m_refused;
        in.s_valid = 0;
        for (unsigned p = 0; p < members; p++) {
            if (!offered[p] && r.permille(mix.offer)) offer(in, p, r);
            in.s_valid |= uint64_t(offered[p]) << p;
            const bool takes = offered[p] && (out.s_ready >> p & 1);
            taken += takes;
            refused += offered[p] && !takes;
            if (takes) offered[p] = false;
        }
        in.s_hold = r.permille(mix.hold);
        rename(r);
    }

    /* A context that nobody uses any more is another one. */
    void rename(Random &r) {
        Context &c = contexts[r.below(of.contexts)];
        for (unsigned p = 0; p < members; p++)
            if (c.sent[p] != c.reduced || c.sent[p] % PIECE) return;
        const uint8_t name = r.bits<uint8_t>(8);
        for (const Context &other : contexts)
            if (other.name == name) return;
        c.name = name;
    }
};

} // namespace

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_scratchpad.v against cmodel/twin/ace_scratchpad.c, cycle by cycle.
 *
 * Verilated: Vace_scratchpad (defaults) and, of BANK_ROWS=96, no power of two,
 * Vace_scratchpad_small, _odd and _four of 2, 8 and 4 sub-banks.  Memory begins with random bits in
 * the RTL, so only rows that were written are read; padding is read in between.  While m_pause was
 * high two cycles ago none is. Upsets hit any row, most of them rows in use, and at times codewords
 * that were hit before.  The ports rest now and then, when upsets come to their turn.
 */
#include <algorithm>
#include <vector>

#include "ace_secded.h"
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned read, write; /* chances of a port in a cycle, per mille */
    unsigned hot;         /* of a write to go to one of few rows of its bank, per mille */
    unsigned banks;       /* that are used */
    unsigned upsets;      /* a cycle, per mille */
    unsigned step = 1;    /* of the rows that are used, where not hot: 8 are of one sub-bank */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "saturated", 1000, 1000, 500, 4, 0 },    { "few_rows", 900, 900, 1000, 4, 0 },
    { "spread", 800, 800, 0, 4, 200 },         { "two_banks", 900, 900, 700, 2, 20 },
    { "one_bank", 900, 900, 900, 1, 0 },       { "long_holds", 30, 900, 1000, 4, 100 },
    { "mostly_reads", 900, 50, 500, 4, 300 },  { "sparse", 30, 30, 500, 4, 100 },
    { "upsets", 900, 700, 1000, 4, 900 },      { "few_upsets", 900, 700, 700, 4, 2 },
    { "one_sub_bank", 900, 900, 0, 4, 20, 8 },
};

struct Environment {
    enum { HOT = 4, READS = 4, WRITES = 3 };
    const Mix &mix;
    unsigned bank_rows;
    std::vector<bool> known[ACE_BANKS];     /* rows written */
    std::vector<uint16_t> rows[ACE_BANKS];  /* and a list of those that can be read */
    std::vector<uint16_t> given[ACE_BANKS]; /* for the first time, in the last cycle */
    int held[READS] = { -1, -1, -1, -1 };   /* address of what stands at a read port */
    uint64_t reads[READS] = {}, writes[WRITES] = {}, overwritten = 0, at_once = 0, last_row = 0;
    uint64_t upsets = 0, upset_at_once = 0, paddings = 0;
    uint32_t corrected = 0, lost = 0;
    bool failed = false;
    unsigned rest = 0;   /* cycles without reads and writes */
    bool paused[2] = {}; /* in the last cycle, and the one before */
    uint64_t pauses = 0;
    Rows data[WRITES];

    Environment(const Mix &m, unsigned rows_of_bank) : mix(m), bank_rows(rows_of_bank) {
        for (auto &k : known) k.resize(bank_rows);
    }
    void configure(ace_scratchpad_pins_in &) const {}
    void reset() {}

    /* Banks in random order, the first ones used: no two ports of a kind name the same one. */
    static std::array<uint8_t, ACE_BANKS> shuffled(Random &r) {
        std::array<uint8_t, ACE_BANKS> banks{ 0, 1, 2, 3 };
        for (unsigned i = ACE_BANKS - 1; i > 0; i--) std::swap(banks[i], banks[r.below(i + 1)]);
        return banks;
    }
    bool can_read(uint8_t bank, int row) const {
        return known[bank][static_cast<unsigned>(row)] &&
               std::find(given[bank].begin(), given[bank].end(), row) == given[bank].end();
    }
    bool usable(uint8_t bank) const { return bank >= ACE_BANKS - mix.banks; }

    /* A bit, a burst in one word, or any bits of one; in few words, so that codewords are hit
     * again; of rows that there are, or not. */
    void upset(ace_scratchpad_pins_in &in, const int written[ACE_BANKS], Random &r) {
        const uint8_t bank = r.bits<uint8_t>(2);
        const auto size = static_cast<uint32_t>(rows[bank].size());
        in.s_fault_valid = true;
        in.s_fault_bank = bank;
        in.s_fault_row = written[bank] >= 0 && r.permille(100)
                             ? static_cast<uint16_t>(written[bank])
                         : size && r.permille(900) ? rows[bank][r.below(size)]
                                                   : r.bits<uint16_t>(12);
        in.s_fault_word =
            r.permille(980) ? static_cast<uint8_t>(r.below(ACE_STORED_WORDS)) : r.bits<uint8_t>(7);
        in.s_fault_mask = r.permille(800)   ? 1u << r.below(32)
                          : r.permille(500) ? 3u << r.below(31)
                                            : r.bits<uint32_t>(32);
        upsets++;
        upset_at_once += in.s_fault_row == written[bank];
    }

    void drive(const ace_scratchpad_pins_out &out, ace_scratchpad_pins_in &in, Random &r) {
        in = ace_scratchpad_pins_in{};
        corrected = out.count_corrected;
        lost = out.count_failed;
        failed = out.failed;
        const bool reads_none = paused[1];
        paused[1] = paused[0];
        paused[0] = out.m_pause;
        pauses += out.m_pause;
        const auto write_banks = shuffled(r), read_banks = shuffled(r);
        if (rest)
            rest--;
        else if (r.permille(40))
            rest = 30;
        struct {
            bool *valid;
            uint8_t *bank;
            uint16_t *row;
            const uint32_t **data;
        } write[WRITES] = {
            { &in.s_reduced_valid, &in.s_reduced_bank, &in.s_reduced_row, &in.s_reduced_data },
            { &in.s_store_valid, &in.s_store_bank, &in.s_store_row, &in.s_store_data },
            { &in.s_load_valid, &in.s_load_bank, &in.s_load_row, &in.s_load_data },
        };
        struct {
            bool *valid;
            uint8_t *bank;
            uint16_t *row;
        } read[READS] = {
            { &in.s_reduce_valid, &in.s_reduce_bank, &in.s_reduce_row },
            { &in.s_unload_valid, &in.s_unload_bank, &in.s_unload_row },
            { &in.s_plus_valid, &in.s_plus_bank, &in.s_plus_row },
            { &in.s_minus_valid, &in.s_minus_bank, &in.s_minus_row },
        };
        int written[ACE_BANKS] = { -1, -1, -1, -1 }; /* the row of each bank, this cycle */
        for (unsigned w = 0; w < WRITES; w++) {
            const uint8_t bank = *write[w].bank = write_banks[w];
            const bool hot = r.permille(mix.hot);
            *write[w].row = static_cast<uint16_t>(hot ? r.below(HOT) * (bank_rows - 1) / (HOT - 1)
                                                      : r.below(bank_rows / mix.step) * mix.step);
            *write[w].valid = !rest && usable(bank) && r.permille(mix.write);
            if (!*write[w].valid) continue;
            *write[w].data = data[w].fresh(r);
            writes[w]++;
            last_row += *write[w].row == bank_rows - 1;
            written[bank] = *write[w].row;
        }
        in.s_reduce_zero = !rest && r.permille(100);
        if (in.s_reduce_zero) held[0] = -1;
        paddings += in.s_reduce_zero;
        for (unsigned p = 0; p < READS; p++) {
            const uint8_t bank = *read[p].bank = read_banks[p];
            *read[p].valid = !rest && !reads_none && usable(bank) && !rows[bank].empty() &&
                             r.permille(mix.read) && !(in.s_reduce_zero && p == 0);
            if (*read[p].valid) {
                const auto size = static_cast<uint32_t>(rows[bank].size());
                uint16_t row = rows[bank][r.below(size)];
                if (written[bank] >= 0 && can_read(bank, written[bank]) && r.permille(300))
                    row = static_cast<uint16_t>(written[bank]);
                *read[p].row = row;
                reads[p]++;
                at_once += row == written[bank];
                held[p] = row * ACE_BANKS + bank;
            } else if (held[p] >= 0)
                overwritten += written[held[p] % ACE_BANKS] == held[p] / ACE_BANKS;
        }
        if (r.permille(mix.upsets)) upset(in, written, r);
        for (unsigned bank = 0; bank < ACE_BANKS; bank++) {
            rows[bank].insert(rows[bank].end(), given[bank].begin(), given[bank].end());
            given[bank].clear();
            if (written[bank] < 0 || known[bank][static_cast<unsigned>(written[bank])]) continue;
            known[bank][static_cast<unsigned>(written[bank])] = true;
            given[bank].push_back(static_cast<uint16_t>(written[bank]));
        }
    }
};

constexpr unsigned sub_banks[] = ACE_RTL_SUB_BANKS; /* of each set */

class Scratchpad : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Scratchpad, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const unsigned bank_rows = set ? ACE_RTL_SMALL_BANK_ROWS : 4096;
    Lockstep<scratchpad_unit> run(set, mix.read * 1001 + mix.write);
    ASSERT_EQ(ace_scratchpad_pins_create(bank_rows, sub_banks[set], true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_scratchpad_pins_create(bank_rows, sub_banks[set], false, &run.timing), ACE_OK);
    Environment environment(mix, bank_rows);
    run.go(environment, 20000, 0); /* there is no reset to test */
    const std::string name = mix.name;
    for (const uint64_t n : environment.reads) EXPECT_GT(n, 60u);
    for (const uint64_t n : environment.writes) EXPECT_GT(n, 60u);
    EXPECT_GT(environment.paddings, 300u);
    if (sub_banks[set] == 1) EXPECT_EQ(environment.pauses, 0u);
    if (sub_banks[set] > 1 && mix.step == 8) EXPECT_GT(environment.pauses, 100u);
    if (mix.read > 500 && mix.write > 500) EXPECT_GT(environment.at_once, 500u);
    if (mix.hot > 0) EXPECT_GT(environment.last_row, 20u);
    EXPECT_GT(run.skipped, 1000u); /* what was read stands */
    if (mix.upsets == 0) {
        EXPECT_EQ(0u, environment.corrected + environment.lost);
        EXPECT_FALSE(environment.failed);
    } else if (mix.read > 500) {
        EXPECT_GT(environment.corrected, 0u);
        EXPECT_EQ(environment.lost != 0, environment.failed);
    }
    if (name == "upsets") {
        EXPECT_GT(environment.lost, 50u);
        EXPECT_GT(environment.upset_at_once, 100u); /* the write wins */
    }
    if (name == "long_holds") EXPECT_GT(environment.overwritten, 1000u);
    if (name == "spread")
        for (const auto &rows : environment.rows) EXPECT_GT(rows.size(), bank_rows / 3);
}

/* Writes a row, upsets the same bit in four words whose columns sum to zero, and reads the row.
 * The four bits are a codeword of a linear code, so the row becomes another codeword.  The code
 * cannot detect this; it must not report a correction.  */
struct Codeword {
    enum { WRITE = 5, UPSETS = 10, BETWEEN = 10, READ = 60, END = 70 };
    unsigned words[4] = {};
    unsigned at = 0, reads = 0;
    uint32_t corrected = 0, lost = 0;
    bool wrong = false; /* has the row with its wrong bits been read? */
    Rows data;
    uint32_t written = 0;

    Codeword() {
        uint8_t column[ACE_STORED_WORDS];
        ace_secded_columns(column);
        for (unsigned c = 2; c < ACE_STORED_WORDS; c++)
            for (unsigned d = c + 1; d < ACE_STORED_WORDS; d++)
                if ((column[0] ^ column[1] ^ column[c] ^ column[d]) == 0) {
                    const unsigned found[] = { 0, 1, c, d };
                    std::copy_n(found, 4, words);
                    return;
                }
    }
    void configure(ace_scratchpad_pins_in &) const {}
    void reset() {}
    void drive(const ace_scratchpad_pins_out &out, ace_scratchpad_pins_in &in, Random &r) {
        in = ace_scratchpad_pins_in{};
        corrected = out.count_corrected;
        lost = out.count_failed;
        if (at == WRITE) {
            in.s_store_valid = true;
            in.s_store_data = data.fresh(r);
            written = in.s_store_data[0];
        }
        for (unsigned i = 0; i < 4; i++)
            if (at == UPSETS + i * BETWEEN) {
                in.s_fault_valid = true;
                in.s_fault_word = static_cast<uint8_t>(words[i]);
                in.s_fault_mask = 1u << 7;
            }
        if (at == READ) {
            in.s_unload_valid = true;
            reads++;
        }
        if (at == END) wrong |= out.m_unload_data && out.m_unload_data[0] == (written ^ 1u << 7);
        at = (at + 1) % (END + 1);
    }
};

TEST(ScratchpadCode, UpsetsThatAreACodewordAreNotTold) {
    Lockstep<scratchpad_unit> run(true, 0);
    ASSERT_EQ(ace_scratchpad_pins_create(ACE_RTL_SMALL_BANK_ROWS, sub_banks[1], true, &run.twin),
              ACE_OK);
    ASSERT_EQ(ace_scratchpad_pins_create(ACE_RTL_SMALL_BANK_ROWS, sub_banks[1], false, &run.timing),
              ACE_OK);
    Codeword environment;
    ASSERT_NE(environment.words[3], 0u);
    run.go(environment, 2000, 0);
    EXPECT_GT(environment.reads, 10u);
    EXPECT_TRUE(environment.wrong);
    EXPECT_EQ(environment.corrected, 0u);
    EXPECT_EQ(environment.lost, 0u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Scratchpad,
                         testing::Combine(testing::Range(0u, 4u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) + "_" +
                                    std::to_string(sub_banks[std::get<0>(info.param)]);
                         });

} // namespace

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_axi_split.v against cmodel/twin/ace_axi_split.c, cycle by cycle, between a random engine
 * and random memories.  Each follows AXI4, with its own pace and order.
 *
 * Received beats are compared with the sent ones, by the map of bytes in the contract.  They are
 * the bursts of each channel, rows written and read, and answers with the worst of the channels'
 * responses.  Where a channel's answer has another ID, EXOKAY or a last bit that differs, the whole
 * answer is EXOKAY.
 *
 * Verilated: Vace_axi_split (defaults: two channels) and Vace_axi_split_small (CHANNELS=4 ROWS=8
 * ID_W=3 ID=5).
 */
#include "lockstep.h"

namespace {

/* In which order a memory takes the halves of a write. */
enum Order { ANY, TOGETHER, DATA_FIRST, ADDRESS_FIRST, EACH_ANOTHER };

struct Mix {
    const char *name;
    unsigned request, data, take; /* engine: bursts, rows written, R and B taken; per mille */
    unsigned pace[2];             /* memories, even and odd channels; per mille */
    Order order = ANY;
    unsigned errors = 0, resets = 0; /* per ten thousand */
    unsigned wrong = 0;              /* IDs and last bits; likewise */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 1000, 1000, 1000, { 1000, 1000 } },
    { "slow_memory", 500, 800, 900, { 200, 200 }, ANY, 0, 20 },
    { "slow_engine", 300, 200, 200, { 900, 900 }, ANY, 0, 20 },
    { "apart", 800, 900, 900, { 900, 300 }, ANY, 0, 20 },
    { "apart_other", 800, 900, 900, { 300, 900 }, ANY, 0, 20 },
    { "together", 500, 800, 800, { 800, 600 }, TOGETHER, 0, 20 },
    { "data_first", 500, 800, 800, { 800, 600 }, DATA_FIRST, 0, 20 },
    { "address_first", 500, 800, 800, { 600, 800 }, ADDRESS_FIRST, 0, 20 },
    { "each_another", 500, 800, 800, { 700, 700 }, EACH_ANOTHER, 0, 20 },
    { "errors", 600, 700, 700, { 700, 600 }, ANY, 1000, 20 },
    { "wrong", 600, 700, 700, { 700, 600 }, ANY, 100, 20, 200 },
    { "sparse", 12, 500, 500, { 500, 500 }, ANY, 100, 10 },
};

constexpr unsigned OUTSTANDING = 16;

struct Burst {
    uint64_t addr;
    uint8_t len, prot, cache, qos;
};
using Row = std::array<uint32_t, ACE_ROW_WORDS>;
struct Written {
    Row row;
    uint16_t bytes;
    bool last;
};

/* A channel's response to a row or to a burst. */
struct Part {
    uint8_t resp;
    bool right_id, last, true_last;
};
using Parts = std::array<Part, ACE_AXI_CHANNELS>;

/* The memory of a channel: open requests, and the number of beats in each stream. */
struct Memory {
    std::deque<unsigned> r_left;
    unsigned aw_taken = 0, w_done = 0;
    bool first = true, r = false, b = false;
    Part r_part{}, b_part{};
    uint64_t ar_seen = 0, r_seen = 0, aw_seen = 0, w_seen = 0, b_seen = 0;
};

struct Environment {
    const Mix &mix;
    const unsigned channels, id, id_width;
    Memory memory[ACE_AXI_CHANNELS];
    std::deque<unsigned> w_left;
    Rows w_rows;
    bool ar = false, aw = false, w = false;
    unsigned reads_open = 0, writes_open = 0;
    /* everything since the last reset, in order */
    std::vector<Burst> ars, aws;
    std::vector<Written> rows;
    std::vector<Parts> r_parts, b_parts;
    uint64_t odd = 0;
    uint64_t rows_read = 0, answers = 0, reads = 0, writes = 0, total_answers = 0, failed = 0;
    uint64_t data_first = 0, r_apart = 0, w_apart = 0;
    uint16_t window[ACE_AXI_CHANNELS] = { 0x1, 0x8002, 0xfffc, 0x40 };

    Environment(const Mix &m, bool small)
        : mix(m), channels(small ? 4 : 2), id(small ? 5 : 0), id_width(small ? 3 : 4) {}

    void keep_rows(const ace_axi_split_in &in, ace_axi_split_in &no_rows) const {
        no_rows.s_w_data = in.s_w_data;
    }
    void configure(ace_axi_split_in &in) const {
        for (unsigned c = 0; c < channels; c++) in.cfg_window[c] = window[c];
    }
    void reset() {
        w_left.clear();
        ar = aw = w = false;
        reads_open = writes_open = 0;
        for (Memory &m : memory) m = Memory{};
        ars.clear();
        aws.clear();
        rows.clear();
        r_parts.clear();
        b_parts.clear();
        rows_read = answers = 0;
    }

    /* Word i of channel c's answer to its n-th beat.  */
    static uint64_t read_word(unsigned c, uint64_t n, unsigned i) {
        uint64_t state = c << 8 | i | n << 16;
        return ace_random_next(&state);
    }
    unsigned pace(unsigned c) const { return mix.pace[c % 2]; }
    Order order(unsigned c) const {
        return mix.order == EACH_ANOTHER ? static_cast<Order>((c + 2) % 4) : mix.order;
    }
    unsigned beat() const { return ACE_ROW_BYTES / channels; }

    static Burst burst(Random &random) { /* within 4 KiB */
        const unsigned row = random.below(16);
        Burst b{};
        b.addr = random.bits<uint64_t>(36) << 12 | row << 8;
        b.len = static_cast<uint8_t>(random.below(16 - row));
        b.prot = random.bits<uint8_t>(3);
        return b;
    }

    void drive_engine(const ace_axi_split_out &out, ace_axi_split_in &in, Random &random) {
        in.cfg_cache = random.bits<uint8_t>(4);
        in.cfg_qos = random.bits<uint8_t>(4);
        if (!ar && reads_open < OUTSTANDING && random.permille(mix.request)) {
            const Burst b = burst(random);
            ar = true;
            in.s_ar_addr = b.addr;
            in.s_ar_len = b.len;
            in.s_ar_prot = b.prot;
        }
        if (!aw && writes_open < OUTSTANDING && random.permille(mix.request)) {
            const Burst b = burst(random);
            aw = true;
            in.s_aw_addr = b.addr;
            in.s_aw_len = b.len;
            in.s_aw_prot = b.prot;
            w_left.push_back(b.len + 1u);
            writes_open++;
        }
        if (!w && !w_left.empty() && random.permille(mix.data)) {
            w = true;
            in.s_w_data = w_rows.fresh(random);
            in.s_w_strb = static_cast<uint16_t>(random.below(ACE_ROW_BYTES + 1));
            in.s_w_last = --w_left.front() == 0;
            if (in.s_w_last) w_left.pop_front();
        }
        in.s_ar_valid = ar;
        in.s_aw_valid = aw;
        in.s_w_valid = w;
        if (ar && out.s_ar_ready) {
            ars.push_back({ in.s_ar_addr, in.s_ar_len, in.s_ar_prot, in.cfg_cache, in.cfg_qos });
            reads_open++;
            ar = false;
        }
        if (aw && out.s_aw_ready) {
            aws.push_back({ in.s_aw_addr, in.s_aw_len, in.s_aw_prot, in.cfg_cache, in.cfg_qos });
            aw = false;
        }
        if (w && out.s_w_ready) {
            Written row{};
            std::copy_n(in.s_w_data, ACE_ROW_WORDS, row.row.begin());
            row.bytes = in.s_w_strb;
            row.last = in.s_w_last;
            rows.push_back(row);
            w = false;
        }
        in.m_r_ready = random.permille(mix.take);
        in.m_b_ready = random.permille(mix.take);
        if (out.m_r_valid && in.m_r_ready) read_row(out);
        if (out.m_b_valid && in.m_b_ready) answer(out);
    }
    uint8_t joined(const Parts &parts) {
        bool error = false, decode = false, wrong = false;
        for (unsigned c = 0; c < channels; c++) {
            error |= parts[c].resp >= 2;
            decode |= parts[c].resp == 3;
            wrong |= parts[c].resp == 1 || !parts[c].right_id || parts[c].last != parts[0].last;
        }
        odd += wrong;
        return wrong ? 1 : decode ? 3 : error ? 2 : 0;
    }
    /* Row n of all: from each channel its n-th beat. */
    void read_row(const ace_axi_split_out &out) {
        ASSERT_LT(rows_read, r_parts.size());
        for (unsigned x = 0; x < ACE_ROW_BYTES; x += 8) {
            const unsigned c = x / beat(), i = x % beat() / 8;
            const uint64_t expected = read_word(c, rows_read, i);
            ASSERT_EQ(expected, uint64_t{ out.m_r_data[x / 4 + 1] } << 32 | out.m_r_data[x / 4])
                << "row " << rows_read << " byte " << x;
        }
        const uint8_t expected = joined(r_parts[rows_read]);
        EXPECT_EQ(expected, out.m_r_resp);
        if (expected != 1) EXPECT_EQ(r_parts[rows_read][0].last, out.m_r_last);
        failed += out.m_r_resp != 0;
        reads_open -= r_parts[rows_read][0].true_last;
        rows_read++;
        reads++;
    }
    void answer(const ace_axi_split_out &out) {
        ASSERT_LT(answers, b_parts.size());
        EXPECT_EQ(joined(b_parts[answers]), out.m_b_resp);
        failed += out.m_b_resp != 0;
        answers++;
        total_answers++;
        writes_open--;
    }

    void same_burst(const Burst &b, unsigned c, uint64_t addr, uint8_t len, uint8_t prot,
                    uint8_t cache, uint8_t qos) const {
        EXPECT_EQ(uint64_t{ window[c] } << 48 | b.addr / ACE_ROW_BYTES * beat(), addr);
        EXPECT_EQ(b.len, len);
        EXPECT_EQ(b.prot, prot);
        EXPECT_EQ(b.cache, cache);
        EXPECT_EQ(b.qos, qos);
        EXPECT_LE(addr % 4096 + (len + 1) * beat(), 4096u);
    }
    void written(unsigned c, const ace_axi_split_out &out) {
        Memory &m = memory[c];
        ASSERT_LT(m.w_seen, rows.size());
        const Written &row = rows[m.w_seen];
        for (unsigned x = c * beat(); x < (c + 1) * beat(); x++) {
            const bool strobe = out.m_axi_wstrb[x / 64] >> x % 64 & 1;
            ASSERT_EQ(x < row.bytes, strobe) << "byte " << x;
            const uint8_t byte = static_cast<uint8_t>(out.m_axi_wdata[x / 8] >> x % 8 * 8);
            ASSERT_EQ(static_cast<uint8_t>(row.row[x / 4] >> x % 4 * 8), byte) << "byte " << x;
        }
        EXPECT_EQ(row.last, out.m_axi_wlast[c]);
        m.w_seen++;
        m.w_done += row.last;
        m.first = row.last;
        writes += c == 0;
        data_first += m.w_done > m.aw_taken;
    }
    uint8_t response(Random &random) const {
        return random.below(10000) < mix.errors ? random.bits<uint8_t>(2) : uint8_t{ 0 };
    }

    /* An answer of channel c, which may be wrong; its ID goes onto the pins. */
    Part part(uint16_t &ids, unsigned c, bool last, Random &random) const {
        Part p{ response(random), true, last, last };
        unsigned named = id;
        if (random.below(10000) < mix.wrong) p.last = !last;
        if (random.below(10000) < mix.wrong) named ^= 1u << random.below(id_width);
        p.right_id = named == id;
        const unsigned mask = ((1u << id_width) - 1) << c * id_width;
        ids = static_cast<uint16_t>((ids & ~mask) | named << c * id_width);
        return p;
    }

    /* A memory gives answers, and is ready for requests.  */
    void offer(unsigned c, const ace_axi_split_out &out, ace_axi_split_in &in, Random &random) {
        Memory &m = memory[c];
        if (!m.r && !m.r_left.empty() && random.permille(pace(c))) {
            m.r = true;
            for (unsigned i = 0; i < beat() / 8; i++)
                in.m_axi_rdata[c * beat() / 8 + i] = read_word(c, m.r_seen, i);
            m.r_part = part(in.m_axi_rid, c, --m.r_left.front() == 0, random);
            if (m.r_part.true_last) m.r_left.pop_front();
            in.m_axi_rresp[c] = m.r_part.resp;
            in.m_axi_rlast = static_cast<uint8_t>((in.m_axi_rlast & ~(1u << c)) |
                                                  unsigned{ m.r_part.last } << c);
        }
        if (!m.b && m.aw_taken && m.w_done && random.permille(pace(c))) {
            m.b = true;
            m.aw_taken--;
            m.w_done--;
            m.b_part = part(in.m_axi_bid, c, false, random);
            m.b_part.last = false;
            in.m_axi_bresp[c] = m.b_part.resp;
        }
        in.m_axi_rvalid |= static_cast<uint8_t>(m.r << c);
        in.m_axi_bvalid |= static_cast<uint8_t>(m.b << c);
        if (m.r && (out.m_axi_rready >> c & 1)) {
            m.r = false;
            if (r_parts.size() == m.r_seen) r_parts.push_back({});
            r_parts[m.r_seen++][c] = m.r_part;
        }
        if (m.b && (out.m_axi_bready >> c & 1)) {
            m.b = false;
            if (b_parts.size() == m.b_seen) b_parts.push_back({});
            b_parts[m.b_seen++][c] = m.b_part;
        }
    }
    void take(unsigned c, const ace_axi_split_out &out, ace_axi_split_in &in, Random &random) {
        Memory &m = memory[c];
        const bool aw_shown = out.m_axi_awvalid >> c & 1, w_shown = out.m_axi_wvalid >> c & 1;
        bool takes_aw = random.permille(pace(c)), takes_w = random.permille(pace(c));
        if (order(c) == DATA_FIRST) {
            takes_aw = takes_aw && m.w_done > m.aw_taken;
            takes_w = takes_w && m.w_done == m.aw_taken;
        } else if (order(c) == ADDRESS_FIRST) {
            takes_w = takes_w && m.aw_taken > m.w_done;
        } else if (order(c) == TOGETHER) {
            takes_aw = takes_aw && m.first && aw_shown && w_shown;
            takes_w = m.first ? takes_aw : takes_w;
        }
        const bool takes_ar = random.permille(pace(c));
        in.m_axi_arready |= static_cast<uint8_t>(takes_ar << c);
        in.m_axi_awready |= static_cast<uint8_t>(takes_aw << c);
        in.m_axi_wready |= static_cast<uint8_t>(takes_w << c);
        if (takes_ar && (out.m_axi_arvalid >> c & 1)) {
            ASSERT_LT(m.ar_seen, ars.size());
            same_burst(ars[m.ar_seen++], c, out.m_axi_araddr[c], out.m_axi_arlen[c],
                       out.m_axi_arprot[c], out.m_axi_arcache[c], out.m_axi_arqos[c]);
            m.r_left.push_back(out.m_axi_arlen[c] + 1u);
        }
        if (takes_aw && aw_shown) {
            ASSERT_LT(m.aw_seen, aws.size());
            same_burst(aws[m.aw_seen++], c, out.m_axi_awaddr[c], out.m_axi_awlen[c],
                       out.m_axi_awprot[c], out.m_axi_awcache[c], out.m_axi_awqos[c]);
            m.aw_taken++;
        }
        if (takes_w && w_shown) written(c, out);
    }

    void drive(const ace_axi_split_out &out, ace_axi_split_in &in, Random &random) {
        drive_engine(out, in, random);
        in.m_axi_arready = in.m_axi_awready = in.m_axi_wready = 0;
        in.m_axi_rvalid = in.m_axi_bvalid = 0;
        uint64_t least_r = UINT64_MAX, most_r = 0, least_w = UINT64_MAX, most_w = 0;
        for (unsigned c = 0; c < channels; c++) {
            EXPECT_EQ(id, out.m_axi_arid >> c * id_width & ((1u << id_width) - 1));
            offer(c, out, in, random);
            take(c, out, in, random);
            least_r = std::min(least_r, memory[c].r_seen);
            most_r = std::max(most_r, memory[c].r_seen);
            least_w = std::min(least_w, memory[c].w_seen);
            most_w = std::max(most_w, memory[c].w_seen);
        }
        r_apart = std::max(r_apart, most_r - least_r);
        w_apart = std::max(w_apart, most_w - least_w);
    }
};

class AxiSplit : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(AxiSplit, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned rows = small ? ACE_RTL_SMALL_AXI_ROWS : 4;
    Lockstep<axi_split_unit> run(small, mix.request * 1001 + mix.pace[0]);
    Environment environment(mix, small);
    const unsigned channels = environment.channels;
    for (ace_axi_split **twin : { &run.twin, &run.timing })
        ASSERT_EQ(ace_axi_split_create(channels, rows, environment.id_width, environment.id, twin),
                  ACE_OK);
    const std::string name = mix.name;
    run.go(environment, name == "sparse" ? 20000 : 8000, mix.resets);
    EXPECT_GT(environment.reads, 200u);
    EXPECT_GT(environment.writes, 200u);
    EXPECT_GT(environment.total_answers, 20u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    EXPECT_EQ(environment.odd > 50, mix.errors >= 1000 || mix.wrong > 0);
    EXPECT_EQ(environment.failed > 50 * lockstep_number("ACE_TIMES"),
              mix.errors > 200 || mix.wrong > 0);
    /* a row a cycle each way, but for the first */
    if (name == "full_rate") EXPECT_GT(environment.reads, 7900u);
    if (name == "full_rate") EXPECT_GT(environment.writes, 7900u);
    if (name == "data_first" || name == "each_another") EXPECT_GT(environment.data_first, 100u);
    /* the channels were as far apart as slots allow: a lane's slots, and one more beat for W */
    if (name.rfind("apart", 0) == 0) EXPECT_EQ(environment.r_apart, rows);
    if (name.rfind("apart", 0) == 0) EXPECT_EQ(environment.w_apart, rows + 1);
    if (name == "sparse") EXPECT_GT(run.skipped, 500u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, AxiSplit,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

} // namespace

// SPDX-License-Identifier: Apache-2.0
//
// A hostile peer: packets of random routes, addresses, keys and sizes on a link of an engine, the
// Verilated one and its twin, which are given the same and must be equal on every pin.
//
// The peer keeps the rules of a link, credits and numbers of frames, and no other.  The engine
// has an open window for lists, an open one for all-to-alls, or none.  The tests check that
//
//   - no address at the memory's pins is outside the windows
//   - no row is written unless it is wholly inside
//   - each packet returns its slot of the buffer
//   - the engine carries out commands during and after the attack, without having been stopped
//
//   ACE_HOSTILE_PACKETS   packets of each run, 4000 by default

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <memory>

#include "ace_axil_master.h"
#include "ace_engine.h"
#include "ace_host.h"
#include "ace_random.h"
#include "ace_rtl_engine.h"

namespace {

constexpr unsigned SMALL = 2; // the set: quick to run, soon full
constexpr unsigned LINK = 1;  // from the neighbour below on x

struct Windows {
    const char *name;
    uint32_t first[ACE_WINDOWS], last[ACE_WINDOWS]; // of all-to-alls, and of lists
};
void PrintTo(const Windows &w, std::ostream *o) { *o << w.name; }

constexpr Windows windows[] = {
    { "closed", { UINT32_MAX, UINT32_MAX }, { 0, 0 } },
    { "apart", { 0x1000, 0x80000000 }, { 0x10ff, 0x8000ffff } },
    { "one_row", { 0x1234, 0x1235 }, { 0x1234, 0x1235 } },
    { "lists_alone", { 1, 0x40000000 }, { 0, 0x7fffffff } },
};

// An engine with its memory and the pins of a link, driven a cycle at a time.
class Victim {
public:
    const Windows &w;
    bool rtl;
    ace_engine *engine = nullptr;
    ace_host host{};
    uint64_t cycle = 0, addresses = 0, outside = 0, forwarded = 0, credits_back = 0;
    ace_parameters parameters;
    std::deque<std::array<uint64_t, 4>> pins; // of each cycle, to compare

    Victim(const Windows &w_, bool rtl_) : w(w_), rtl(rtl_) {
        unsigned completions;
        parameters = *ace_rtl_engine_parameters(SMALL, &completions);
        if (rtl)
            EXPECT_EQ(ACE_OK, ace_rtl_engine_create(&parameters, true, 7, nullptr, &engine));
        else
            EXPECT_EQ(ACE_OK, ace_cycle_engine_create(&parameters, completions, true, &engine));
        in_.ar_ready = in_.aw_ready = in_.w_ready = true;
        const ace_host_bus bus = { this, read32, write32, wait_interrupt };
        EXPECT_EQ(ACE_OK, ace_host_probe(&host, &bus));
    }
    ~Victim() { engine->core.class_->destroy(&engine->core); }
    Victim(const Victim &) = delete;
    Victim &operator=(const Victim &) = delete;

    void start() {
        ace_config c{};
        c.ring[0] = 4;
        c.ring[1] = 2;
        c.ring[2] = c.ring[3] = 1;
        c.rank[0] = 1;
        c.chunk_rows = 16;
        for (auto &cost : c.link_cost) cost = ACE_COST_ONE;
        c.read_cost = c.write_cost = ACE_COST_ONE;
        c.memory_latency = 20;
        for (unsigned p = 0; p < parameters.dimensions + 2; p++) c.partition_rows[p] = 48;
        for (unsigned k = 0; k < ACE_WINDOWS; k++) {
            c.window_first[k] = w.first[k];
            c.window_after[k] = UINT32_MAX - w.last[k];
        }
        ASSERT_EQ(ACE_OK, ace_host_start(&host, &c, 0));
    }

    // A packet, if the buffer of its channel has a place.
    bool attack(uint64_t route, uint32_t note) {
        if (next_valid_ || credits_ == 0) return false;
        credits_--;
        next_valid_ = true;
        next_route_ = route;
        next_note_ = note;
        return true;
    }

    void step() {
        const ace_pins_out *o = engine->core.class_->out(&engine->core);
        look(*o);
        in_.rx = ace_rx_pins{};
        if (next_valid_) {
            in_.rx.frame |= 1u << LINK;
            in_.rx.valid |= 1u << LINK;
            in_.rx.routed |= 1u << LINK;
            if (next_note_ >> 16 & 1) in_.rx.reduce |= 1u << LINK;
            in_.rx.link[LINK].context = static_cast<uint8_t>(next_note_ >> 8);
            in_.rx.link[LINK].mark = static_cast<uint8_t>(next_note_);
            in_.rx_route[LINK] = next_route_;
            in_.rx_data[LINK] = row_;
        }
        // what leaves on a link gives its place back there
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (owed_[l]) {
                in_.rx.frame = static_cast<uint8_t>(in_.rx.frame | 1u << l);
                in_.rx.routed_credit = static_cast<uint8_t>(in_.rx.routed_credit | 1u << l);
                owed_[l]--;
            }
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (in_.rx.frame >> l & 1) in_.rx.number[l] = number_[l]++;
        next_valid_ = false;
        memory(*o);
        engine->core.class_->tick(&engine->core, &in_);
        cycle++;
    }
    void run(unsigned cycles) {
        while (cycles--) step();
    }
    unsigned credits() const { return credits_; }

private:
    ace_pins_in in_{};
    bool next_valid_ = false;
    uint64_t next_route_ = 0;
    uint32_t next_note_ = 0;
    unsigned credits_ = 16; // ROUTER_INPUT_ROWS
    uint16_t number_[ACE_LINKS] = {};
    unsigned owed_[ACE_LINKS] = {};
    std::deque<unsigned> reads_;
    std::deque<uint64_t> writes_;
    unsigned beat_ = 0, answers_ = 0;
    uint32_t row_[ACE_ROW_WORDS] = { 0xdead, 0xbeef };
    uint32_t answer_ = 0;

    bool inside(uint64_t address) const {
        for (unsigned k = 0; k < ACE_WINDOWS; k++)
            if (address / ACE_ROW_BYTES >= w.first[k] && address / ACE_ROW_BYTES <= w.last[k])
                return true;
        return false;
    }
    void look(const ace_pins_out &o) {
        pins.push_back(
            { o.tx_frame | uint64_t{ o.tx_valid } << 8 | uint64_t{ o.ar_valid } << 16 |
                  uint64_t{ o.aw_valid } << 17 | uint64_t{ o.w_valid } << 18 |
                  uint64_t{ o.tx_routed_credit } << 24 | uint64_t{ engine->out.irq } << 32,
              o.aw_valid ? o.aw_addr : 0, o.ar_valid ? o.ar_addr : 0, o.w_valid ? o.w_bytes : 0u });
        outside += o.aw_valid && (!inside(o.aw_addr) || o.aw_addr % ACE_ROW_BYTES || o.aw_len);
        outside += o.w_valid && (o.w_bytes == 0 || o.w_bytes > ACE_ROW_BYTES);
        addresses += o.aw_valid;
        credits_back += o.tx_frame >> LINK & o.tx_routed_credit >> LINK & 1;
        credits_ += o.tx_frame >> LINK & o.tx_routed_credit >> LINK & 1;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (o.tx_frame >> l & o.tx_valid >> l & o.tx_routed >> l & 1) {
                forwarded++;
                owed_[l]++;
            }
    }
    // Takes all at once, and answers in the next cycle.
    void memory(const ace_pins_out &o) {
        in_.b_valid = answers_ > 0;
        answers_ -= in_.b_valid && o.b_ready;
        in_.r_valid = !reads_.empty();
        in_.r_data = in_.r_valid ? row_ : nullptr;
        in_.r_last = in_.r_valid && beat_ + 1 == reads_.front();
        if (in_.r_valid && o.r_ready) {
            beat_ = in_.r_last ? 0 : beat_ + 1;
            if (in_.r_last) reads_.pop_front();
        }
        if (o.ar_valid) reads_.push_back(o.ar_len + 1u);
        if (o.w_valid) answers_ += o.w_last;
    }

    int access(ace_axil_master m) {
        bool ended;
        do {
            engine->core.class_->out(&engine->core);
            ace_axil_drive(&m, &engine->in);
            ended = ace_axil_step(&m, &engine->out);
            step();
        } while (!ended);
        engine->in = ace_axil_in{};
        answer_ = m.data;
        return m.resp == ACE_OKAY ? ACE_OK : ACE_EPROTO;
    }
    static int read32(void *self, uint32_t offset, uint32_t *value) {
        auto *v = static_cast<Victim *>(self);
        ace_axil_master m;
        ace_axil_read(&m, offset);
        const int err = v->access(m);
        *value = v->answer_;
        return err;
    }
    static int write32(void *self, uint32_t offset, uint32_t value) {
        ace_axil_master m;
        ace_axil_write(&m, offset, value);
        return static_cast<Victim *>(self)->access(m);
    }
    static int wait_interrupt(void *self, uint64_t patience) {
        auto *v = static_cast<Victim *>(self);
        for (; patience; patience--) {
            v->engine->core.class_->out(&v->engine->core);
            if (v->engine->out.irq) return ACE_OK;
            v->step();
        }
        return ACE_ETIME;
    }
};

uint64_t packets() {
    const char *text = std::getenv("ACE_HOSTILE_PACKETS");
    return text ? std::strtoull(text, nullptr, 10) : 4000;
}

class Hostile : public testing::TestWithParam<Windows> {};

// A command that no neighbour has a part in: an empty list.  A refused row is told meanwhile, and
// stops nothing.
void serves(Victim &v, uint16_t tag) {
    ace_command c{};
    c.kind = ACE_LIST;
    c.source = 1 << 20;
    c.tag = tag;
    ASSERT_EQ(ACE_OK, ace_host_submit(&v.host, &c));
    ace_host_completion done{};
    int err;
    do err = ace_host_wait(&v.host, 10000, &done);
    while (err == ACE_EFAILED);
    ASSERT_EQ(ACE_OK, err);
    EXPECT_EQ(tag, done.tag);
    EXPECT_EQ(ACE_CODE_NONE, done.code);
}

struct Packet {
    uint64_t route;
    uint32_t note;
};

// Draws a packet.  Its address is at or next to an end of a window, or anywhere.  Its key is any
// key, and its size anything that the field holds, often 0.  It goes to this node, or by any route
// on the rings of x and y, which have neighbours.
Packet draw(const Windows &w, uint64_t *state) {
    const auto below = [state](uint64_t n) { return ace_random_next(state) % n; };
    const unsigned k = static_cast<unsigned>(below(ACE_WINDOWS));
    const uint32_t ends[] = { w.first[k], w.last[k] };
    const uint32_t row = below(3) ? ends[below(2)] - 1 + static_cast<uint32_t>(below(3))
                                  : static_cast<uint32_t>(ace_random_next(state));
    const uint32_t key = static_cast<uint32_t>(below(2) ? below(256) : below(32));
    const uint32_t bytes = static_cast<uint32_t>(below(3) ? below(512) : 0);
    uint64_t hops = 0;
    for (unsigned d = 0; d < 2; d++)
        if (below(8) == 0) hops |= ace_route_hops(d, below(2), static_cast<unsigned>(below(128)));
    return { uint64_t{ row } << 32 | hops, bytes << 8 | key };
}

// Written down apart from the module: is a packet for this node refused, and is a row written?
struct Verdict {
    bool here, refused, writes;
};
Verdict judge(const Windows &w, const Packet &p) {
    const bool here = (p.route & 0x7f7f) == 0, list = (p.note & 255) >= 16;
    const uint32_t row = static_cast<uint32_t>(p.route >> 32);
    const bool open = w.first[list] <= w.last[list];
    const bool in = row >= w.first[list] && row <= w.last[list];
    const bool empty = p.note >> 8 == 0;
    const bool refused = here && (empty ? !open : !in);
    return { here, refused, here && !refused && !empty };
}

TEST_P(Hostile, ReachesNothingOutsideItsWindows) {
    const Windows &w = GetParam();
    Victim twin(w, false), rtl(w, true);
    Victim *const both[] = { &twin, &rtl };
    uint64_t state = 41, sent = 0, refused = 0, written = 0, empty = 0, first_refused = 0;
    for (Victim *v : both) v->start();
    while (sent < packets()) {
        for (unsigned i = 0; i < 500; i++) {
            if (twin.credits() && state % 4) {
                const Packet p = draw(w, &state);
                const Verdict j = judge(w, p);
                if (j.refused && !refused++) first_refused = p.route >> 32;
                written += j.writes;
                empty += j.here && p.note >> 8 == 0;
                sent++;
                for (Victim *v : both) ASSERT_TRUE(v->attack(p.route, p.note));
            } else {
                ace_random_next(&state);
            }
            for (Victim *v : both) v->step();
        }
        for (Victim *v : both) serves(*v, static_cast<uint16_t>(sent));
        ASSERT_EQ(twin.pins, rtl.pins) << "before cycle " << twin.cycle;
        for (Victim *v : both) v->pins.clear();
    }
    for (Victim *v : both) {
        SCOPED_TRACE(v->rtl ? "rtl" : "twin");
        v->run(2000);
        serves(*v, 7);
        EXPECT_EQ(v->outside, 0u);
        EXPECT_EQ(v->addresses, written);
        EXPECT_EQ(v->credits_back, sent);
        EXPECT_GT(v->forwarded, sent / 20);
        uint32_t status = 0, count = 0;
        ASSERT_EQ(ACE_OK, v->host.bus.read32(v, ACE_MAP_STATUS, &status));
        EXPECT_TRUE(ACE_MAP_GET(status, STATUS_RUNNING) && ACE_MAP_GET(status, STATUS_ROOM));
        EXPECT_FALSE(ACE_MAP_GET(status, STATUS_FAILED));
        ASSERT_EQ(ACE_OK, v->host.bus.read32(v, ACE_MAP_COUNT_REMOTE, &count));
        EXPECT_EQ(count, refused);
        ace_host_error error;
        ASSERT_EQ(ACE_OK, ace_host_error_read(&v->host, &error));
        EXPECT_EQ(error.code, ACE_CODE_BAD_REMOTE);
        EXPECT_EQ(error.address, first_refused * ACE_ROW_BYTES);
    }
    EXPECT_EQ(twin.pins, rtl.pins);
    EXPECT_GT(refused, sent / 10);
    EXPECT_GT(empty, sent / 10);
    EXPECT_EQ(written > 0, w.first[0] <= w.last[0] || w.first[1] <= w.last[1]);
}

INSTANTIATE_TEST_SUITE_P(Windows, Hostile, testing::ValuesIn(windows),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace

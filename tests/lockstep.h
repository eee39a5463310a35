/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep.h -- a verilated module against its twin, every pin, every cycle
 *
 *     LOCKSTEP_UNIT(link_port, LINK_PORT)              the type link_port_unit
 *     Lockstep<link_port_unit> run(small, seed);       made, and reset once
 *     run.twin, run.timing = ...create(...);
 *     run.go(environment, cycles, resets_per_10000);
 *
 * An environment plays the neighbours.  It sees the outputs of a cycle (they depend on
 * state only), then sets the inputs of the same cycle:
 *
 *     void drive(const Out &, In &, Random &);   reset();   uint64_t ... seen so far
 *     bool waits() const;   optional: an offer is out that must hold, the unit is not left alone
 *
 * Where outputs depend on inputs of the same cycle, the twin's eval takes the inputs too.
 * Such a unit is compared again once the inputs are set, and drive() may look only at the
 * outputs that depend on state; what the cycle then makes of the inputs it is told by
 *
 *     void settled(const Out &, const In &);
 *
 * Three things run side by side: the RTL, the twin with payload, and a twin without, which
 * also skips idle stretches instead of ticking through them.  The first difference ends the
 * run with cycle, pin, both values and the command that repeats it.  The classes of every
 * group of counters are checked to sum to the cycles since reset.
 */
#ifndef ACE_LOCKSTEP_H
#define ACE_LOCKSTEP_H

#include <gtest/gtest.h>

#include <errno.h> /* program_invocation_name */

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <ostream>
#include <string>
#include <type_traits>

#include "ace_rtl_units.h"

/* splitmix64: the same numbers on every machine. */
struct Random {
    uint64_t state;
    uint64_t next() {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
    bool permille(unsigned p) { return below(1000) < p; }
    template <class T> T bits(unsigned n) { return static_cast<T>(next() >> (64 - n)); }
};

/* Rows of random bits, so that each driven row has a place of its own for a while. */
struct Rows {
    std::array<ace_row, 4> row{};
    unsigned at = 0;
    const uint32_t *fresh(Random &random) {
        ace_row &to = row[at++ % row.size()];
        for (uint32_t &word : to) word = static_cast<uint32_t>(random.next());
        return to;
    }
};

inline uint64_t lockstep_seed() {
    const char *text = std::getenv("ACE_SEED");
    return text ? std::strtoull(text, nullptr, 0) : 1;
}

struct Difference {
    std::string pin;
    uint64_t rtl = 0, twin = 0;
};

#define LOCKSTEP_SAME_BIT(name)                      LOCKSTEP_SAME_IF(true, name)
#define LOCKSTEP_SAME_WORD(type, name, bits)         LOCKSTEP_SAME_IF(true, name)
#define LOCKSTEP_SAME_FIELD(type, name, bits, valid) LOCKSTEP_SAME_IF(valid, name)
#define LOCKSTEP_SAME_STROBE(name, valid)            LOCKSTEP_SAME_IF(valid, name)
#define LOCKSTEP_SAME_IF(when, name)    \
    if ((when) && rtl.name != name) {   \
        *d = { #name, rtl.name, name }; \
        return false;                   \
    }
#define LOCKSTEP_SAME_ROW(name)                                                \
    for (unsigned w = 0; w < ACE_ROW_WORDS && name && rtl.name; w++)           \
        if (rtl.name[w] != name[w]) {                                          \
            *d = { #name " word " + std::to_string(w), rtl.name[w], name[w] }; \
            return false;                                                      \
        }

/* eval of a twin whose outputs depend on state only, and of one that looks at its inputs. */
template <class Twin, class In, class Out>
void lockstep_eval(void (*eval)(const Twin *, Out *), const Twin *u, const In *, Out *o) {
    eval(u, o);
}
template <class Twin, class In, class Out>
void lockstep_eval(void (*eval)(const Twin *, const In *, Out *), const Twin *u, const In *i,
                   Out *o) {
    eval(u, i, o);
}

/* LOCKSTEP_UNIT_OF: the calls of the twin's pins are not ace_unit_*() but ace_calls_*(). */
#define LOCKSTEP_UNIT(unit, UNIT) LOCKSTEP_UNIT_OF(unit, UNIT, unit)
#define LOCKSTEP_UNIT_OF(unit, UNIT, calls)                                                       \
    struct unit##_unit {                                                                          \
        using In = ace_##unit##_in;                                                               \
        using Out = ace_##unit##_out;                                                             \
        using Twin = ace_##calls;                                                                 \
        using Rtl = ace_rtl_##unit;                                                               \
        static constexpr bool settles =                                                           \
            std::is_invocable_v<decltype(&ace_##calls##_eval), const Twin *, const In *, Out *>;  \
        struct Pins : Out { /* whose names the conditions of the list find */                     \
            bool same(const Out &rtl, Difference *d) const {                                      \
                ACE_##UNIT##_OUTPUTS(LOCKSTEP_SAME_BIT, LOCKSTEP_SAME_WORD, LOCKSTEP_SAME_FIELD,  \
                                     LOCKSTEP_SAME_ROW, LOCKSTEP_SAME_STROBE) return true;        \
            }                                                                                     \
        };                                                                                        \
        static bool same(const Out &rtl, const Out &twin, Difference *d) {                        \
            return Pins{ twin }.same(rtl, d);                                                     \
        }                                                                                         \
        static Rtl *create(bool small, int seed) { return ace_rtl_##unit##_create(small, seed); } \
        static void destroy(Rtl *u) { ace_rtl_##unit##_destroy(u); }                              \
        static void destroy(Twin *u) { ace_##calls##_destroy(u); }                                \
        static void eval(Rtl *u, const In *i, Out *o) {                                           \
            if (settles) ace_rtl_##unit##_settle(u, i);                                           \
            ace_rtl_##unit##_eval(u, o);                                                          \
        }                                                                                         \
        static void eval(const Twin *u, const In *i, Out *o) {                                    \
            lockstep_eval(ace_##calls##_eval, u, i, o);                                           \
        }                                                                                         \
        static void tick(Rtl *u, bool rst, const In *i) { ace_rtl_##unit##_tick(u, rst, i); }     \
        static void tick(Twin *u, bool rst, const In *i) {                                        \
            rst ? ace_##calls##_reset(u) : ace_##calls##_tick(u, i);                              \
        }                                                                                         \
        static bool idle(const Twin *u) { return ace_##calls##_idle(u); }                         \
        static void skip(Twin *u, uint64_t cycles) { ace_##calls##_skip(u, cycles); }             \
    };

/* The rows of an input set to NULL. */
#define LOCKSTEP_NO_ROW_BIT(name)
#define LOCKSTEP_NO_ROW_WORD(type, name, bits)
#define LOCKSTEP_NO_ROW_FIELD(type, name, bits, valid)
#define LOCKSTEP_NO_ROW_STROBE(name, valid)
#define LOCKSTEP_NO_ROW_ROW(name) in.name = nullptr;
#define LOCKSTEP_NO_ROWS(LIST)                                                                  \
    LIST(LOCKSTEP_NO_ROW_BIT, LOCKSTEP_NO_ROW_WORD, LOCKSTEP_NO_ROW_FIELD, LOCKSTEP_NO_ROW_ROW, \
         LOCKSTEP_NO_ROW_STROBE)
template <class In> void without_rows(In &) {} /* it has none */
inline void without_rows(ace_link_port_in &in) { LOCKSTEP_NO_ROWS(ACE_LINK_PORT_INPUTS) }
inline void without_rows(ace_memory_interface_in &in) {
    LOCKSTEP_NO_ROWS(ACE_MEMORY_INTERFACE_INPUTS)
}
inline void without_rows(ace_tx_dma_in &in) { LOCKSTEP_NO_ROWS(ACE_TX_DMA_INPUTS) }
inline void without_rows(ace_rx_dma_in &in) { LOCKSTEP_NO_ROWS(ACE_RX_DMA_INPUTS) }

constexpr uint64_t no_classes = UINT64_MAX - 1; /* the unit counts no cycles */
template <class Out> uint64_t classes(const Out &, ...) { return no_classes; }
template <class Out> auto classes(const Out &o, int) -> decltype(o.count_busy) {
    return o.count_busy + o.count_starved + o.count_blocked + o.count_idle;
}
inline uint64_t classes(const ace_memory_interface_out &o, int) {
    const uint64_t reads =
        o.count_read_busy + o.count_read_starved + o.count_read_blocked + o.count_read_idle;
    const uint64_t writes =
        o.count_write_busy + o.count_write_starved + o.count_write_blocked + o.count_write_idle;
    return reads == writes ? reads : UINT64_MAX;
}

template <class Unit> struct Lockstep {
    using In = typename Unit::In;
    using Out = typename Unit::Out;

    uint64_t seed;
    Random random;
    typename Unit::Rtl *rtl;
    typename Unit::Twin *twin = nullptr, *timing = nullptr; /* the caller creates them */
    uint64_t cycle = 0, since_reset = 0, resets = 0, skipped = 0;

    Lockstep(bool small, uint64_t mix)
        : seed(lockstep_seed()), random{ seed * 1000003 + mix * 2 + small },
          rtl(Unit::create(small, static_cast<int>(random.below(1u << 30)) + 1)) {}
    Lockstep(const Lockstep &) = delete;
    Lockstep &operator=(const Lockstep &) = delete;
    ~Lockstep() {
        Unit::destroy(rtl);
        Unit::destroy(twin);
        Unit::destroy(timing);
    }

    std::string where(const Difference &d, const char *pair) const {
        const auto *info = testing::UnitTest::GetInstance()->current_test_info();
        char text[400];
        std::snprintf(text, sizeof text,
                      "cycle %" PRIu64 " pin %s: rtl 0x%" PRIx64 ", twin 0x%" PRIx64
                      " (%s), seed %" PRIu64 "; repeat with\n"
                      "  ACE_SEED=%" PRIu64 " %s --gtest_filter='%s.%s'",
                      cycle, d.pin.c_str(), d.rtl, d.twin, pair, seed, seed,
                      program_invocation_name, info->test_suite_name(), info->name());
        return text;
    }

    bool check(const Out &of_rtl, const Out &of_twin) {
        Difference d;
        if (!Unit::same(of_rtl, of_twin, &d)) {
            ADD_FAILURE() << where(d, "with payload");
            return false;
        }
        const uint64_t sum = classes(of_twin, 0);
        if (sum != no_classes && sum != since_reset) {
            ADD_FAILURE() << where({ "sum of the cycle classes", since_reset, sum },
                                   "cycles since reset, sum");
            return false;
        }
        return true;
    }
    bool check_timing(const Out &of_rtl, const In &in) {
        Out o;
        Difference d;
        Unit::eval(timing, &in, &o);
        if (Unit::same(of_rtl, o, &d)) return true;
        ADD_FAILURE() << where(d, "timing only");
        return false;
    }
    bool compare(const In &in, Out &of_rtl, Out &of_twin) {
        Unit::eval(rtl, &in, &of_rtl);
        Unit::eval(twin, &in, &of_twin);
        return check(of_rtl, of_twin);
    }
    void edge(bool rst, const In &in) {
        Unit::tick(rtl, rst, &in);
        Unit::tick(twin, rst, &in);
        cycle++;
        since_reset = rst ? 0 : since_reset + 1;
    }

    template <class Environment>
    void go(Environment &environment, uint64_t cycles, unsigned resets_per_10000) {
        ASSERT_TRUE(rtl && twin && timing);
        In in{};
        Out of_rtl{}, of_twin{};
        edge(true, in);
        Unit::tick(timing, true, &in);
        while (cycle < cycles) {
            if (!compare(in, of_rtl, of_twin) || !check_timing(of_rtl, in)) return;
            if (Unit::idle(twin) && !waits(environment, 0) && random.permille(60)) {
                In quiet{};
                environment.configure(quiet);
                const uint64_t stretch = 1 + random.below(40);
                Unit::skip(timing, stretch);
                skipped += stretch;
                for (uint64_t i = 0; i < stretch; i++) {
                    edge(false, quiet);
                    if (!compare(quiet, of_rtl, of_twin)) return;
                }
                if (!check_timing(of_rtl, quiet)) return;
            }
            environment.configure(in);
            environment.drive(of_twin, in, random);
            if constexpr (Unit::settles) {
                if (!compare(in, of_rtl, of_twin) || !check_timing(of_rtl, in)) return;
                environment.settled(of_twin, in);
            }
            const bool rst = random.below(10000) < resets_per_10000;
            In no_rows = in;
            without_rows(no_rows);
            edge(rst, in);
            Unit::tick(timing, rst, &no_rows);
            ASSERT_FALSE(error(twin, 0)) << "the environment broke a rule, cycle " << cycle;
            if (rst) {
                in = In{};
                environment.reset();
                resets++;
            }
        }
    }

    template <class Environment>
    static auto waits(const Environment &e, int) -> decltype(e.waits()) {
        return e.waits();
    }
    template <class Environment> static bool waits(const Environment &, ...) { return false; }

    template <class Twin> static auto error(const Twin *t, int) -> decltype(t->protocol_error) {
        return t->protocol_error;
    }
    template <class Twin> static bool error(const Twin *, ...) { return false; }
};

#endif

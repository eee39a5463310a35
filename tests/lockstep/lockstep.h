/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep.h -- a verilated module against its twin, every pin, every cycle
 *
 *     Lockstep<link_port_unit> run(set, seed);       made, and reset once
 *     run.twin, run.timing = ...create(...);
 *     run.go(environment, cycles, resets_per_10000);
 *
 * An environment plays the neighbours.  It sees the outputs of a cycle, then sets the inputs
 * of the same cycle:
 *
 *     void configure(In &) const;   drive(const Out &, In &, Random &);   reset();
 *     uint64_t ... seen so far
 *
 * Where outputs depend on inputs of the same cycle, the twin's eval takes the inputs too.  The
 * environment of such a unit first sets the inputs that wait for no output, and clears the
 * others:
 *
 *     void ask(In &, Random &);
 *
 * drive() then sees what the unit answers and may set only what those answers do not depend
 * on.  Outputs are compared after ask(), and again after drive().
 *
 * Three things run side by side: the RTL, the twin with payload, and a twin without, which
 * also skips idle stretches instead of ticking through them.  The first difference ends the
 * run with cycle, pin, both values and the command that repeats it.  The classes of every
 * group of counters are checked to sum to the cycles since reset.
 *
 * ACE_SEED=7 repeats a run, ACE_TIMES=100 makes each a hundred times as long.  A program prints its
 * number of busy cycles at the end; soak.sh repeats it until there were enough.
 */
#ifndef ACE_TESTS_LOCKSTEP_H
#define ACE_TESTS_LOCKSTEP_H

#include <gtest/gtest.h>

#include <errno.h> /* program_invocation_name */

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <numeric>
#include <ostream>
#include <string>
#include <type_traits>

#include "ace_random.h"
#include "ace_rtl_units.h"

struct Random {
    uint64_t state;
    uint64_t next() { return ace_random_next(&state); }
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

inline uint64_t lockstep_number(const char *name) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : 1;
}
inline uint64_t lockstep_seed() { return lockstep_number("ACE_SEED"); }

/* The cycles that a program has compared.  In the busy ones the unit was not idle.  */
struct Tally {
    uint64_t cycles = 0, busy = 0;
    ~Tally() {
        if (cycles) std::printf("%" PRIu64 " busy cycles of %" PRIu64 "\n", busy, cycles);
    }
};
inline Tally lockstep_tally;

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
/* A mask of 32 bits: more lanes than that are there in every cycle. */
#define LOCKSTEP_SAME_LANES(type, name, bits, count, mask)                     \
    for (unsigned i = 0; i < (count); i++)                                     \
        if (((mask) >> i % 32 & 1) && rtl.name[i] != name[i]) {                \
            *d = { #name " lane " + std::to_string(i), rtl.name[i], name[i] }; \
            return false;                                                      \
        }

/* The rows of an input set to NULL. */
#define LOCKSTEP_NO_ROW_BIT(name)
#define LOCKSTEP_NO_ROW_WORD(type, name, bits)
#define LOCKSTEP_NO_ROW_FIELD(type, name, bits, valid)
#define LOCKSTEP_NO_ROW_STROBE(name, valid)
#define LOCKSTEP_NO_ROW_LANES(type, name, bits, count, mask)
#define LOCKSTEP_NO_ROW_ROW(name) in.name = nullptr;

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

/* The types link_port_unit and so on. */
#define LOCKSTEP_UNIT(module, twin_, LIST, sets)                                                  \
    struct module##_unit {                                                                        \
        using In = ace_##twin_##_in;                                                              \
        using Out = ace_##twin_##_out;                                                            \
        using Twin = ace_##twin_;                                                                 \
        using Rtl = ace_rtl_##module;                                                             \
        static constexpr bool answers = /* inputs of the same cycle */                            \
            std::is_invocable_v<decltype(&ace_##twin_##_eval), const Twin *, const In *, Out *>;  \
        struct Pins : In, Out { /* whose names the conditions of the list find */                 \
            bool same(const Out &rtl, Difference *d) const {                                      \
                ACE_##LIST##_OUTPUTS(LOCKSTEP_SAME_BIT, LOCKSTEP_SAME_WORD, LOCKSTEP_SAME_FIELD,  \
                                     LOCKSTEP_SAME_ROW, LOCKSTEP_SAME_STROBE,                     \
                                     LOCKSTEP_SAME_LANES) return true;                            \
            }                                                                                     \
        };                                                                                        \
        static bool same(const In &in, const Out &rtl, const Out &twin, Difference *d) {          \
            return Pins{ in, twin }.same(rtl, d);                                                 \
        }                                                                                         \
        static void without_rows([[maybe_unused]] In &in) {                                       \
            ACE_##LIST##_INPUTS(LOCKSTEP_NO_ROW_BIT, LOCKSTEP_NO_ROW_WORD, LOCKSTEP_NO_ROW_FIELD, \
                                LOCKSTEP_NO_ROW_ROW, LOCKSTEP_NO_ROW_STROBE,                      \
                                LOCKSTEP_NO_ROW_LANES)                                            \
        }                                                                                         \
        static Rtl *create(unsigned set, int seed) {                                              \
            return ace_rtl_##module##_create(set, seed);                                          \
        }                                                                                         \
        static void destroy(Rtl *u) { ace_rtl_##module##_destroy(u); }                            \
        static void destroy(Twin *u) { ace_##twin_##_destroy(u); }                                \
        static void eval(Rtl *u, const In *i, Out *o) {                                           \
            ace_rtl_##module##_eval(u, answers ? i : nullptr, o);                                 \
        }                                                                                         \
        static void eval(const Twin *u, const In *i, Out *o) {                                    \
            lockstep_eval(ace_##twin_##_eval, u, i, o);                                           \
        }                                                                                         \
        static void tick(Rtl *u, bool rst, const In *i) { ace_rtl_##module##_tick(u, rst, i); }   \
        static void tick(Twin *u, bool rst, const In *i) {                                        \
            rst ? ace_##twin_##_reset(u) : ace_##twin_##_tick(u, i);                              \
        }                                                                                         \
        static bool idle(const Twin *u) { return ace_##twin_##_idle(u); }                         \
        static void skip(Twin *u, uint64_t cycles) { ace_##twin_##_skip(u, cycles); }             \
    };
ACE_RTL_UNIT_MAP(LOCKSTEP_UNIT)

/* A row that says what to do is one of timing-only runs, too: an environment with keep_rows()
 * puts it back. */
template <class Environment, class In>
auto keep_rows(const Environment &e, const In &in, In &no_rows, int)
    -> decltype(e.keep_rows(in, no_rows)) {
    e.keep_rows(in, no_rows);
}
template <class Environment, class In> void keep_rows(const Environment &, const In &, In &, ...) {}

/* Returns the sum of the classes of each group of counters, UINT64_MAX when groups differ.  */
inline uint64_t classes_sum(std::initializer_list<const uint64_t *> groups) {
    const auto sum = [](const uint64_t *c) {
        return std::accumulate(c, c + ACE_COUNT_LANES, uint64_t{ 0 });
    };
    const uint64_t first = sum(*groups.begin());
    for (const uint64_t *g : groups)
        if (sum(g) != first) return UINT64_MAX;
    return first;
}
template <class Out>
auto classes(const Out &o, uint64_t, int) -> decltype(o.count[3] + uint64_t{ 0 }) {
    return classes_sum({ o.count });
}
template <class Out>
auto classes(const Out &o, uint64_t, int) -> decltype(o.count_read[3] + uint64_t{ 0 }) {
    return classes_sum({ o.count_read, o.count_write });
}
inline uint64_t classes(const ace_switch_pins_out &o, uint64_t, int) {
    return classes_sum({ o.count_reduce, o.count_store, o.count_send_plus, o.count_send_minus });
}
/* A unit that counts nothing. */
template <class Out> uint64_t classes(const Out &, uint64_t since_reset, ...) {
    return since_reset;
}

/* The cycle of a unit that carries out what it took, and then is in reset: is it? */
template <class In, class Out>
auto drained(const In &in, const Out &out, int) -> decltype(in.drain && !out.busy) {
    return (in.drain && !out.busy) || out.memory_lost;
}
template <class In, class Out> bool drained(const In &, const Out &, ...) { return false; }

template <class Unit> struct Lockstep {
    using In = typename Unit::In;
    using Out = typename Unit::Out;

    uint64_t seed;
    Random random;
    typename Unit::Rtl *rtl;
    typename Unit::Twin *twin = nullptr, *timing = nullptr; /* the caller creates them */
    uint64_t cycle = 0, since_reset = 0, resets = 0, skipped = 0;

    Lockstep(unsigned set, uint64_t mix)
        : seed(lockstep_seed()), random{ seed * 1000003 + mix * 2 + set },
          rtl(Unit::create(set, static_cast<int>(random.below(1u << 30)) + 1)) {}
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

    /* Evaluates RTL and twin with `in` and compares them. */
    bool check(const In &in, Out &of_twin, bool timing_too) {
        Out of_rtl{};
        Difference d;
        Unit::eval(rtl, &in, &of_rtl);
        Unit::eval(twin, &in, &of_twin);
        if (!Unit::same(in, of_rtl, of_twin, &d)) {
            ADD_FAILURE() << where(d, "with payload");
            return false;
        }
        const uint64_t sum = classes(of_twin, since_reset, 0);
        if (sum != since_reset) {
            ADD_FAILURE() << where({ "sum of the cycle classes", since_reset, sum },
                                   "cycles since reset, sum");
            return false;
        }
        if (!timing_too) return true;
        Out of_timing{};
        Unit::eval(timing, &in, &of_timing);
        if (Unit::same(in, of_rtl, of_timing, &d)) return true;
        ADD_FAILURE() << where(d, "timing only");
        return false;
    }
    void edge(bool rst, const In &in) {
        lockstep_tally.cycles++;
        lockstep_tally.busy += !rst && !Unit::idle(twin);
        Unit::tick(rtl, rst, &in);
        Unit::tick(twin, rst, &in);
        cycle++;
        since_reset = rst ? 0 : since_reset + 1;
    }

    template <class Environment>
    void go(Environment &environment, uint64_t cycles, unsigned resets_per_10000) {
        ASSERT_TRUE(rtl && twin && timing);
        cycles *= lockstep_number("ACE_TIMES");
        In in{};
        Out of_twin{};
        environment.configure(in);
        edge(true, in);
        Unit::tick(timing, true, &in);
        while (cycle < cycles) {
            if (Unit::idle(twin) && random.permille(60)) {
                In quiet{};
                environment.configure(quiet);
                const uint64_t stretch = 1 + random.below(40);
                for (uint64_t i = 0; i < stretch; i++) {
                    if (!check(quiet, of_twin, i == 0)) return;
                    edge(false, quiet);
                }
                Unit::skip(timing, stretch);
                skipped += stretch;
            }
            environment.configure(in);
            if constexpr (Unit::answers) environment.ask(in, random);
            if (!check(in, of_twin, true)) return;
            environment.drive(of_twin, in, random);
            if constexpr (Unit::answers)
                if (!check(in, of_twin, true)) return;
            const bool rst = random.below(10000) < resets_per_10000;
            In no_rows = in;
            Unit::without_rows(no_rows);
            keep_rows(environment, in, no_rows, 0);
            edge(rst, in);
            Unit::tick(timing, rst, &no_rows);
            if (drained(in, of_twin, 0)) since_reset = 0;
            ASSERT_FALSE(error(twin, 0)) << "the environment broke a rule, cycle " << cycle;
            if (rst) {
                in = In{};
                environment.reset();
                resets++;
            }
        }
    }

    template <class Twin> static auto error(const Twin *t, int) -> decltype(t->protocol_error) {
        return t->protocol_error;
    }
    template <class Twin> static bool error(const Twin *, ...) { return false; }
};

#endif

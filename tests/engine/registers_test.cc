// SPDX-License-Identifier: Apache-2.0
//
// registers_test.cc -- the twin's registers equal the RTL's, by name, value and cycle
//
// An RTL node that replaces the twin during a run continues as an RTL node that ran from the start.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"
#include "soak.h"

namespace {

/* The soak passes this to the function that makes the second core; each torus has its own.  */
struct Made {
    ace_config cfg;
    unsigned count;
} made;

int make_rtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    made.cfg = *cfg;
    made.count++;
    return ace_rtl_core_create(p, cfg, true, seed, nullptr, core);
}

struct Comparison {
    ace_registers *both = nullptr;
    unsigned made = 0;
    std::string difference;
    uint64_t cycle = 0, compared = 0, nonzero = 0, exchanging = 0;
};

void compare(void *self, const ace_register_pair *p) {
    auto *c = static_cast<Comparison *>(self);
    c->compared += p->mask != 0 && !p->may_differ;
    c->nonzero += !p->may_differ && (p->twin & p->mask) != 0;
    if (p->may_differ || !c->difference.empty() || !((p->rtl ^ p->twin) & p->mask)) return;
    char text[256];
    std::snprintf(text, sizeof text, "cycle %llu, %s[%u]: rtl %#llx, twin %#llx, mask %#llx",
                  (unsigned long long)c->cycle, p->name, p->at, (unsigned long long)p->rtl,
                  (unsigned long long)p->twin, (unsigned long long)p->mask);
    c->difference = text;
}

void compare_row(void *self, const ace_row_pair *p) {
    auto *c = static_cast<Comparison *>(self);
    if (!c->difference.empty()) return;
    c->difference = "cycle " + std::to_string(c->cycle) + ", row " + p->name + "[" +
                    std::to_string(p->at) + "]";
}

void look(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl, const ace_pins_in *) {
    auto *c = static_cast<Comparison *>(self);
    if (c->made != made.count) {
        ace_registers_destroy(c->both);
        ASSERT_EQ(ACE_OK, ace_registers_create(rtl, twin, &c->both));
        c->made = made.count;
    }
    c->cycle = cycle;
    c->exchanging += ace_cycle_core_exchanges(twin);
    ace_registers_each(c->both, compare, c);
    ace_registers_rows(c->both, compare_row, c);
}

class EverySet : public ::testing::TestWithParam<unsigned> {};

TEST_P(EverySet, AgreesInEveryRegister) {
    const char *name;
    const ace_parameters *parameters = ace_rtl_parameters(GetParam(), &name);
    ASSERT_NE(nullptr, parameters);
    Comparison c;
    soak_work soak = {};
    soak.seed = 5;
    soak.cycles = 24000;
    soak.faults = true;
    soak.parameters = *parameters;
    soak.make_second = make_rtl;
    soak.watch = { look, &c };
    EXPECT_EQ(ACE_OK, soak_run(&soak)) << soak.difference;
    ace_registers_destroy(c.both);
    EXPECT_EQ("", c.difference);
    EXPECT_GT(c.compared, soak.cycles * 500);
    EXPECT_GT(c.exchanging, soak.cycles / 30);
    EXPECT_GT(c.nonzero, soak.cycles * 100);
}

/* Verilator has removed the classes that a unit's inputs never choose, one of two registers that
 * are always alike, and no others. */
TEST(Registers, AreThere) {
    ace_config cfg = {};
    const char *name;
    const ace_parameters *p = ace_rtl_parameters(0, &name);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        cfg.ring[d] = d < p->dimensions ? 2 : 1, cfg.link_cost[d] = 4096;
    for (auto &rows : cfg.partition_rows) rows = 100;
    cfg.chunk_rows = 16;
    cfg.read_cost = cfg.write_cost = 4096;
    cfg.memory_latency = 10;
    ace_core *rtl, *twin;
    ace_registers *both;
    ASSERT_EQ(ACE_OK, ace_cycle_core_create(p, &cfg, false, &twin));
    ASSERT_EQ(ACE_OK, ace_rtl_core_create(p, &cfg, false, 1, nullptr, &rtl));
    ASSERT_EQ(ACE_OK, ace_registers_create(rtl, twin, &both));
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    ace_registers_missing(both, to);
    std::fclose(to);
    EXPECT_STREQ("u_datapath.g_use[1].u_check.g_code.looked_q\n"
                 "u_datapath.u_switch.u_minus.starved_q\nu_datapath.u_switch.u_plus.starved_q\n"
                 "u_datapath.u_switch.u_reduce.blocked_q\nu_datapath.u_switch.u_reduce.starved_q\n"
                 "u_datapath.u_switch.u_store.starved_q\n",
                 text);
    std::free(text);
    ace_registers_destroy(both);
    rtl->class_->destroy(rtl);
    twin->class_->destroy(twin);
}

/* A second RTL node is put where the twin is, now and then, and runs beside. */
struct Loaded {
    const ace_parameters *parameters;
    ace_core *beside = nullptr;
    unsigned made = 0;
    uint64_t counted = 0; /* cycles since reset */
    uint64_t since = 0, loads = 0, busy_loads = 0, exchanging_loads = 0, cycles = 0;
    std::string difference;
};

void differ(Loaded *l, const char *pin, uint64_t a, uint64_t b) {
    if (a == b || !l->difference.empty()) return;
    l->difference = std::string(pin) + ": " + std::to_string(a) + ", loaded " + std::to_string(b) +
                    " after " + std::to_string(l->since) + " cycles";
}

void run_beside(void *self, uint64_t, ace_core *twin, ace_core *rtl, const ace_pins_in *in) {
    auto *l = static_cast<Loaded *>(self);
    const uint64_t before = l->counted;
    ace_counts first, second;
    rtl->class_->counts(rtl, first);
    l->counted = first[0][0] + first[0][1] + first[0][2] + first[0][3];
    if (l->counted < before) l->since = 700; /* a reset, which passes the one beside by */
    if (l->beside && (l->since == 700 || l->made != made.count)) {
        l->beside->class_->destroy(l->beside);
        l->beside = nullptr;
    }
    if (!l->beside && !ace_cycle_core_divides(twin)) {
        ASSERT_EQ(ACE_OK,
                  ace_rtl_core_create(l->parameters, &made.cfg, true, 77, nullptr, &l->beside));
        ace_registers *both;
        ASSERT_EQ(ACE_OK, ace_registers_create(l->beside, twin, &both));
        ace_registers_load(both);
        ace_registers_destroy(both);
        l->made = made.count;
        l->since = 0;
        l->loads++;
        l->busy_loads += !twin->class_->out(twin)->idle;
        l->exchanging_loads += ace_cycle_core_exchanges(twin);
    }
    if (!l->beside) return;
    const ace_pins_out *a = rtl->class_->out(rtl), *b = l->beside->class_->out(l->beside);
#define SAME(pin) differ(l, #pin, a->pin, b->pin)
    SAME(cmd_ready);
    SAME(done_valid);
    SAME(tx_valid);
    SAME(tx_credit);
    SAME(tx_routed);
    SAME(tx_routed_credit);
    SAME(tx_grant_valid);
    SAME(ar_valid);
    SAME(r_ready);
    SAME(aw_valid);
    SAME(w_valid);
    SAME(idle);
    SAME(mismatch);
    if (a->done_valid) SAME(done_tag);
    SAME(tx_frame);
    for (unsigned link = 0; link < ACE_LINKS; link++) {
        if (a->tx_grant_valid >> link & 1) SAME(tx_grant[link].context);
        if (a->tx_grant_valid >> link & 1) SAME(tx_grant[link].mark);
        if (a->tx_grant_valid >> link & 1) SAME(tx_grant_peer[link]);
        if (a->tx_frame >> link & 1) SAME(tx_number[link]);
        if (a->tx_frame >> link & 1) SAME(tx_ack[link]);
    }
    if (a->ar_valid) SAME(ar_addr);
    if (a->ar_valid) SAME(ar_len);
    if (a->aw_valid) SAME(aw_addr);
    if (a->aw_valid) SAME(aw_len);
    if (a->w_valid) SAME(w_last);
    if (a->w_valid) SAME(w_bytes);
    for (unsigned link = 0; link < ACE_LINKS; link++)
        if (a->tx_valid >> link & 1) {
            SAME(tx[link].context);
            SAME(tx[link].mark);
            if (a->tx_routed >> link & 1) SAME(tx_route[link]);
        }
    l->beside->class_->counts(l->beside, second);
    for (unsigned u = 0; u < ACE_UNITS; u++) /* idle cycles that are slept through pass it by */
        for (unsigned c = 0; c < ACE_CLASSES - 1; c++)
            differ(l, "count", first[u][c], second[u][c]);
    l->beside->class_->tick(l->beside, in);
    l->since++;
    l->cycles++;
}

TEST_P(EverySet, GoesOnWhereTheTwinIs) {
    const char *name;
    Loaded l;
    l.parameters = ace_rtl_parameters(GetParam(), &name);
    ASSERT_NE(nullptr, l.parameters);
    soak_work soak = {};
    soak.seed = 11;
    soak.cycles = 150000;
    soak.parameters = *l.parameters;
    soak.make_second = make_rtl;
    soak.watch = { run_beside, &l };
    EXPECT_EQ(ACE_OK, soak_run(&soak)) << soak.difference;
    if (l.beside) l.beside->class_->destroy(l.beside);
    EXPECT_EQ("", l.difference);
    EXPECT_GT(l.loads, 30u);
    EXPECT_GT(l.busy_loads, 24u);
    EXPECT_GT(l.exchanging_loads, 6u);
}

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, ::testing::Range(0u, 3u)); /* all but `small` */

} // namespace

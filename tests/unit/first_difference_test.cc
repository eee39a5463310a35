// SPDX-License-Identifier: Apache-2.0
//
// first_difference_test.cc -- a register of the RTL is changed behind its back: the search
// from the pin that differs later comes back to that register and that cycle

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"
extern "C" {
#include "first_difference.h"
}

namespace {

int make_rtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    return ace_rtl_core_create(p, cfg, true, seed, nullptr, core);
}

struct Fault {
    const char *name; // a byte's worth of it is added to
    const char *only; // while this one is not 0, or nullptr
    unsigned entry;
    int add;
    uint64_t after; // the first cycle that it may happen in
    const char *concerned = "chunk";
    uint64_t cycle = 0;
    unsigned char *at = nullptr, *condition = nullptr;
};

void find(void *self, const ace_rtl_register *r) {
    auto *f = static_cast<Fault *>(self);
    if (!std::strcmp(r->name, f->name))
        f->at = static_cast<unsigned char *>(r->at) + f->entry * r->stride;
    if (f->only && !std::strcmp(r->name, f->only))
        f->condition = static_cast<unsigned char *>(r->at);
}

/* In every run alike: once, when the pair comes to the cycle. */
void plant(void *self, uint64_t cycle, ace_core *, ace_core *rtl, const ace_pins_in *) {
    auto *f = static_cast<Fault *>(self);
    if (f->cycle ? cycle != f->cycle : cycle < f->after) return;
    ace_rtl_core_registers(rtl, find, f);
    ASSERT_NE(nullptr, f->at) << f->name;
    if (f->condition && !*f->condition) return;
    *f->at = (unsigned char)(*f->at + f->add);
    ace_rtl_core_settle(rtl, false);
    f->cycle = cycle;
}

std::string text(const std::string &name) {
    std::ifstream from(name);
    std::ostringstream all;
    all << from.rdbuf();
    return all.str();
}

class Planted : public ::testing::TestWithParam<Fault> {};

TEST_P(Planted, IsFound) {
    Fault fault = GetParam();
    const std::string stem = ::testing::TempDir() + "first_difference_" + fault.name,
                      wave = stem + ".fst", view = stem + ".gtkw";
    std::remove(wave.c_str());
    std::remove(view.c_str());
    const char *name;
    soak_work soak = {};
    soak.seed = 7; // one with which each fault comes to a pin
    soak.cycles = 200000;
    soak.parameters = *ace_rtl_parameters(1, &name);
    soak.make_second = make_rtl;
    soak.watch = { plant, &fault };
    ASSERT_NE(ACE_OK, soak_run(&soak));
    ASSERT_NE(0u, fault.cycle);

    char *said;
    size_t size;
    FILE *to = open_memstream(&said, &size);
    first_difference d;
    EXPECT_EQ(0, first_difference_find(&soak, wave.c_str(), to, &d));
    std::fclose(to);
    EXPECT_TRUE(d.found);
    EXPECT_STREQ(fault.name, d.name) << said;
    EXPECT_EQ(fault.entry, d.at) << said;
    EXPECT_EQ(fault.cycle, d.cycle) << said;
    EXPECT_LE(d.cycle, soak.differs);
    EXPECT_NE(d.rtl, d.twin);
    EXPECT_THAT(said, ::testing::HasSubstr(fault.name));
    EXPECT_THAT(said, ::testing::HasSubstr(fault.concerned));
    std::free(said);
    EXPECT_GT(text(wave).size(), 1000u);
    EXPECT_THAT(text(view), ::testing::HasSubstr(std::string("rtl.") + fault.name));
    EXPECT_THAT(text(view), ::testing::HasSubstr(std::string("twin.") + fault.name));
    // the marker, in picoseconds of a clock of 1245 MHz
    EXPECT_THAT(text(view),
                ::testing::HasSubstr(" " + std::to_string(d.cycle * 1000000 / 1245) + " "));
    EXPECT_THAT(text(view), ::testing::HasSubstr("} cycle[63:0]"));
    std::remove(wave.c_str());
    std::remove(view.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Registers, Planted,
    ::testing::Values(
        Fault{ "u_memory_port.u_tx_dma.u_jobs.request_left_q",
               "u_memory_port.u_tx_dma.u_jobs.request_active_q", 0, 1, 300 },
        Fault{ "u_front.u_scheduler.dispatched_q", nullptr, 0, 1, 500 },
        Fault{ "u_memory_port.u_memory_interface.writes_q", nullptr, 0, 1, 700 },
        Fault{ "u_phases.g_phase[3].g_fsm[0].u_fsm.g_context[0].u_context.send_rows_q",
               "u_phases.g_phase[3].g_fsm[0].u_fsm.g_context[0].u_context.send_live_q", 0, 1, 400 },
        Fault{ "u_datapath.u_switch.store_valid_q", nullptr, 0, 8, 900 },
        Fault{ "u_nic.u_exchange.row_q", "u_nic.u_exchange.walking_q", 0, 2, 300, "all-to-all" },
        Fault{ "u_nic.g_link[0].u_link.u_routed.out_taken_q", "u_nic.u_exchange.walking_q", 0, 1,
               600, "all-to-all" }));

} // namespace

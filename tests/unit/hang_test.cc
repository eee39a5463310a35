// SPDX-License-Identifier: Apache-2.0
// Each wait of an engine and of the fabric, made to last for ever: the run must end by its
// watchdog, and its message must name who waits on whom.
//
// The waits are: a phase for its receiver's grant and its sender's rows, a link for credits, and an
// exchange for rows of its peers.  All of these wait for the memory, too.  A switch waits for rows
// and for room, a software endpoint for grants and rows, an ideal endpoint for nothing.
//
// To cause them, a collective is left out, a grant, a packet or the credits are lost, or a memory
// is silent.  Node 1 suffers in each case, so the message must name node 1.  Other tests cover
// frames that are sent again for ever (faults) and messages and slots of graphs (messages).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "ace_node_faults.h"
#include "ace_wire.h"
#include "exit_status.h"
#include "fabric.h"
#include "setup.h"
#include "setup_fields.h"
}

namespace {

#define DGX_1 "workloads/fabrics/dgx-1.yaml"

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

enum class Wrong {
    nothing,
    left_out,
    left_out_later,
    grant_lost,
    packet_lost,
    credits_lost, // all of them
    memory_silent
};

struct Case {
    const char *name, *endpoint, *topology, *control;
    ace_kind kind;
    Wrong wrong;
    const char *expected; // of the message, an extended regular expression
    const char *algorithm = nullptr, *buffer = nullptr; // of a switch
    const char *links = nullptr;                        // of a file
};
void PrintTo(const Case &c, std::ostream *o) { *o << c.name; }

// Two collectives at each node, at once; node 1 is wronged.
struct Nodes {
    const Case &what;
    fabric *f = nullptr;
    std::vector<unsigned> begun, over;

    explicit Nodes(const Case &c) : what(c) {}

    bool leaves_out(unsigned node) const {
        return node == 1 && (what.wrong == Wrong::left_out ||
                             (what.wrong == Wrong::left_out_later && begun[node] == 1));
    }
    ace_command command(unsigned number) const {
        ace_command c{};
        c.kind = what.kind;
        c.dim_count = 1;
        c.root = what.kind == ACE_SCATTER || what.kind == ACE_SEND; // who sends waits for nobody
        c.bytes = what.wrong == Wrong::credits_lost ? 1 << 20 : 16384;
        c.destination = 1 << 20;
        c.tag = static_cast<uint16_t>(number);
        return c;
    }
    uint64_t act(unsigned node, uint64_t now, uint64_t *reaction) {
        *reaction = UINT64_MAX;
        while (begun[node] < 2) {
            if (leaves_out(node)) return lose(node, now);
            const ace_command c = command(begun[node]);
            EXPECT_EQ(fabric_submit(f, node, &c, now), ACE_OK);
            begun[node]++;
        }
        return lose(node, now);
    }
    // Of the flits that node 0 sends to node 1 on x some go away: the first with a grant, or a
    // packet, or the credits for all places.
    bool goes_away(const ace_flit *flit) const {
        switch (what.wrong) {
        case Wrong::grant_lost: return flit->grant;
        case Wrong::packet_lost: return flit->data;
        case Wrong::credits_lost: return flit->credit && !flit->data && !flit->grant;
        default: return false;
        }
    }
    unsigned to_lose() const {
        switch (what.wrong) {
        case Wrong::grant_lost:
        case Wrong::packet_lost: return 1;
        case Wrong::credits_lost: return ace_parameters(ACE_PARAMETERS_DEFAULT).link_input_rows;
        default: return 0;
        }
    }
    uint64_t lose(unsigned node, uint64_t now) {
        const uint32_t *row;
        // a node that acts does not count as hung
        if (node != 1 || lost == to_lose()) return UINT64_MAX;
        ace_wire *w = fabric_in(f, node)[1];
        const ace_flit *flit = ace_wire_peek(w, 0, &row);
        if (flit && goes_away(flit)) {
            ace_wire_drop(w, 1);
            lost++;
        }
        return now + 1;
    }
    unsigned lost = 0;
};

driver Driver(Nodes *r) {
    driver d{};
    d.self = r;
    d.completed = [](void *self, unsigned node, const ace_completion *) {
        static_cast<Nodes *>(self)->over[node]++;
    };
    d.act = [](void *self, unsigned node, uint64_t now, uint64_t *reaction) {
        return static_cast<Nodes *>(self)->act(node, now, reaction);
    };
    d.finished = [](void *self, unsigned node) {
        const Nodes *r = static_cast<const Nodes *>(self);
        return r->over[node] == (r->leaves_out(node) ? r->begun[node] : 2U);
    };
    d.progress = [](void *) { return 0.; };
    d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "collective"); };
    d.state = [](void *, ace_state *) {};
    return d;
}

const fabric_work none{};
const fabric_watch nobody{};

void Set(setup *o, setup_id id, const char *value) {
    ASSERT_TRUE(setup_take(&setup_fields[id], value, o)) << setup_fields[id].id << " " << value;
}

class Hang : public testing::TestWithParam<Case> {};

TEST_P(Hang, EndsAndNamesWhoWaitsOnWhom) {
    const Case &c = GetParam();
    setup o;

    setup_initial(&o);
    Set(&o, SETUP_TOPOLOGY, c.topology);
    Set(&o, SETUP_ENDPOINT, c.endpoint);
    Set(&o, SETUP_CONTROL, c.control);
    if (c.algorithm) Set(&o, SETUP_ALGORITHM, c.algorithm);
    if (c.buffer) Set(&o, SETUP_SWITCH_BUFFER, c.buffer);
    if (c.links) Set(&o, SETUP_LINKS, c.links);
    o.machine.kind = c.kind;
    Set(&o, SETUP_ORDER, "fifo"); // in the other order they disagree, and say so before
    o.execution.unfolded = o.execution.step_by_step = o.execution.quiet = true;
    ASSERT_EQ(setup_check(&o), EXIT_OK);
    ASSERT_EQ(setup_make(&o), EXIT_OK);
    Nodes r(c);
    ASSERT_EQ(fabric_create(&o.machine, &o.execution, &none, &nobody, &r.f), EXIT_OK);
    ASSERT_GE(fabric_representatives(r.f), 2U);
    r.begun.resize(fabric_representatives(r.f));
    r.over.resize(fabric_representatives(r.f));
    fabric_set_watchdog_cycles(r.f, 20000); // some times what both collectives take
    if (c.wrong == Wrong::memory_silent) ace_driver_stall(fabric_node(r.f, 1), 100, 1);
    const driver d = Driver(&r);
    testing::internal::CaptureStderr();
    const int rc = fabric_run(r.f, &d, 0);
    const std::string said = testing::internal::GetCapturedStderr();
    if (c.wrong == Wrong::nothing) {
        EXPECT_EQ(rc, EXIT_OK) << said;
        EXPECT_EQ(said, "");
    } else {
        EXPECT_EQ(rc, EXIT_CHECK);
        EXPECT_THAT(said, AllOf(HasSubstr("acesim: hang at cycle "), ContainsRegex(c.expected),
                                Not(ContainsRegex("for node [02-9]"))));
    }
    EXPECT_EQ(fabric_destroy(r.f), EXIT_OK);
    machine_free(&o.machine);
}

#define NONE "for node 1: 0 collectives over x were submitted to it, 2 to node [0-9]+\n"
#define ONE  "for node 1: 1 collectives over x were submitted to it, 2 to node [0-9]+\n"

const Case cases[] = {
    { "right", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::nothing, "" },
    { "left_out", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::left_out,
      "-- node 0 .cycle. waits: 0 of its 2 submitted commands have completed\n   " NONE },
    { "left_out_of_all_to_all", "ace", "4", "pins", ACE_ALL_TO_ALL, Wrong::left_out, "   " NONE },
    { "left_out_later", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::left_out_later,
      "-- node 2 .cycle. waits: 1 of its 2 submitted commands have completed\n   " ONE },
    { "left_out_by_registers", "ace", "4", "registers", ACE_ALL_REDUCE, Wrong::left_out,
      "   " NONE },
    { "left_out_on_a_switch", "ace", "Switch(4)", "pins", ACE_ALL_REDUCE, Wrong::left_out,
      "   " NONE "   its links: x. to a hub" },
    { "left_out_of_a_switch_that_reduces", "ace", "Switch(4)", "pins", ACE_ALL_REDUCE,
      Wrong::left_out, "   " NONE "   its links: x. to a hub", "in-network" },
    { "left_out_on_a_switch_with_buffers", "ace", "Switch(4)", "pins", ACE_ALL_TO_ALL,
      Wrong::left_out, "   " NONE "   its links: x. to a hub", nullptr, "1" },
    { "left_out_of_a_broadcast", "ace", "4", "pins", ACE_BROADCAST, Wrong::left_out, "   " NONE },
    { "left_out_of_a_reduce", "ace", "4", "pins", ACE_REDUCE, Wrong::left_out, "   " NONE },
    { "left_out_of_a_gather", "ace", "4", "pins", ACE_GATHER, Wrong::left_out, "   " NONE },
    { "left_out_of_a_scatter", "ace", "4", "pins", ACE_SCATTER, Wrong::left_out, "   " NONE },
    { "left_out_of_a_barrier", "ace", "4", "pins", ACE_BARRIER, Wrong::left_out, "   " NONE },
    { "left_out_of_what_a_switch_reduces", "ace", "Switch(4)", "pins", ACE_ALL_REDUCE,
      Wrong::left_out,
      "-- switch of node 0 and others, link x[+]: rows to reduce, of phase [0-9]+, context [0-9]+, "
      "have come from nodes 0, 2, 3 and wait for those of node 1\n",
      "in-network" },
    { "left_out_in_a_group", "ace", "2x2", "pins", ACE_ALL_REDUCE, Wrong::left_out,
      "-- node 0 .cycle. waits.*\n   " NONE },
    { "left_out_of_software", "comm-opt", "4", "pins", ACE_ALL_REDUCE, Wrong::left_out,
      "   " NONE },
    { "left_out_of_software_all_to_all", "comp-opt", "4", "pins", ACE_ALL_TO_ALL, Wrong::left_out,
      "   " NONE },
    { "left_out_of_a_send", "ace", "4", "pins", ACE_SEND, Wrong::left_out, "   " NONE },
    { "left_out_on_links_of_a_file", "ace", "Links(8)", "pins", ACE_ALL_REDUCE, Wrong::left_out,
      "   " NONE "   its links: x. to a hub", nullptr, nullptr, DGX_1 },
    { "left_out_of_all_to_all_on_links_of_a_file", "ace", "Links(8)", "pins", ACE_ALL_TO_ALL,
      Wrong::left_out, "   " NONE, nullptr, nullptr, DGX_1 },
    /* of 16 rows of a chunk to each of four nodes, six go round: one is not there */
    { "packet_lost", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::packet_lost,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n[^-]*on x[+]: sent 96, received 95," },
    { "packet_of_an_all_to_all_lost", "ace", "4", "pins", ACE_ALL_TO_ALL, Wrong::packet_lost,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n[^-]*row 16 of 16, 63 of 64 rows arrived" },
    { "packet_of_a_software_all_to_all_lost", "comp-opt", "4", "pins", ACE_ALL_TO_ALL,
      Wrong::packet_lost,
      "-- node 1 .baseline. waits.*all-to-all: 1 commands wait, one under way" },
    { "credits_lost", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::credits_lost,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n.*  link 1: [0-9]+ packets to send, 0 credits" },
    { "grant_of_software_lost", "comm-opt", "4", "pins", ACE_ALL_REDUCE, Wrong::grant_lost,
      "-- node 1 .baseline. waits[^-]*x- to node 0\n[^-]*chunk 1: all-reduce on x-, 0 of 96 rows "
      "sent.*, waits for its receiver" },
    { "memory_silent_to_writes", "ace", "4", "pins", ACE_BROADCAST, Wrong::memory_silent,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n[^-]*  memory: does not take the write of 0x" },
    { "memory_silent_to_an_all_to_all", "ace", "4", "pins", ACE_ALL_TO_ALL, Wrong::memory_silent,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n[^-]*  memory: does not take the read of 0x" },
    { "grant_lost", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::grant_lost,
      "-- node 1 .cycle. waits.*\n   its links: x[+] to node 2, x- to node 0\n" },
    { "memory_silent", "ace", "4", "pins", ACE_ALL_REDUCE, Wrong::memory_silent,
      "-- node 1 .cycle. waits[^-]*x- to node 0\n[^-]*  memory: does not take the read of 0x" },
};
INSTANTIATE_TEST_SUITE_P(All, Hang, testing::ValuesIn(cases),
                         [](const auto &i) { return std::string(i.param.name); });

// In a group apart nobody is named: nodes 2 and 3 of the second row of 2x2 are not node 1's.
TEST(HangGroups, NamesMembersAlone) {
    const Case c{ "", "ace", "2x2", "pins", ACE_ALL_REDUCE, Wrong::left_out, "" };
    setup o;

    setup_initial(&o);
    Set(&o, SETUP_TOPOLOGY, c.topology);
    o.machine.kind = c.kind;
    o.execution.unfolded = o.execution.step_by_step = o.execution.quiet = true;
    ASSERT_EQ(setup_check(&o), EXIT_OK);
    ASSERT_EQ(setup_make(&o), EXIT_OK);
    Nodes r(c);
    ASSERT_EQ(fabric_create(&o.machine, &o.execution, &none, &nobody, &r.f), EXIT_OK);
    r.begun.resize(4);
    r.over.resize(4);
    fabric_set_watchdog_cycles(r.f, 20000);
    const driver d = Driver(&r);
    testing::internal::CaptureStderr();
    EXPECT_EQ(fabric_run(r.f, &d, 0), EXIT_CHECK);
    EXPECT_THAT(
        testing::internal::GetCapturedStderr(),
        AllOf(HasSubstr("-- node 0 "), Not(HasSubstr("-- node 2 ")), Not(HasSubstr("-- node 3 "))));
    EXPECT_EQ(r.over[2], 2U);
    EXPECT_EQ(r.over[3], 2U);
    EXPECT_EQ(fabric_destroy(r.f), EXIT_OK);
    machine_free(&o.machine);
}

// Cycles that are left out or passed over are no silence, and a hang behind them is found as soon
// as ever.  The first collective is long: more of it is left out at a time than the watchdog waits,
// and a flight takes a tenth of its patience.  The second is short, and its memory is silent.
struct Later {
    fabric *f = nullptr;
    unsigned begun = 0, over = 0;
    uint64_t silent = 0; // from this cycle on
};

TEST(HangLater, IsFoundBehindWhatWasLeftOut) {
    const uint64_t patience = 200000, flight = 20000;
    setup o;
    Later r;

    setup_initial(&o);
    Set(&o, SETUP_TOPOLOGY, "4");
    Set(&o, SETUP_LINK_LATENCY, "20000");
    o.machine.kind = ACE_ALL_REDUCE;
    o.execution.quiet = true;
    ASSERT_EQ(setup_check(&o), EXIT_OK);
    ASSERT_EQ(setup_make(&o), EXIT_OK);
    ASSERT_EQ(fabric_create(&o.machine, &o.execution, &none, &nobody, &r.f), EXIT_OK);
    ASSERT_EQ(fabric_representatives(r.f), 1U);
    fabric_set_watchdog_cycles(r.f, patience);
    driver d{};
    d.self = &r;
    d.act = [](void *self, unsigned, uint64_t now, uint64_t *reaction) {
        Later *l = static_cast<Later *>(self);
        *reaction = 0;
        if (l->begun != l->over) return UINT64_MAX;
        ace_command c{};
        c.kind = ACE_ALL_REDUCE;
        c.dim_count = 1;
        c.bytes = l->begun ? 16384 : 48 << 20;
        c.destination = 1 << 30;
        if (l->begun) {
            l->silent = now;
            ace_driver_stall(fabric_node(l->f, 0), 100, 1);
        }
        EXPECT_EQ(fabric_submit(l->f, 0, &c, now), ACE_OK);
        l->begun++;
        return UINT64_MAX;
    };
    d.completed = [](void *self, unsigned, const ace_completion *) {
        static_cast<Later *>(self)->over++;
    };
    d.finished = [](void *self, unsigned) { return static_cast<Later *>(self)->over == 2; };
    d.progress = [](void *) { return 0.; };
    d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "collective"); };
    d.state = [](void *, ace_state *) {};
    testing::internal::CaptureStderr();
    EXPECT_EQ(fabric_run(r.f, &d, 0), EXIT_CHECK);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                AllOf(HasSubstr("no progress for as long as the watchdog waits"),
                      HasSubstr("waits: 1 of its 2 submitted commands")));
    EXPECT_THAT(fabric_left_out(r.f), ContainsRegex("[0-9]{7,} cycles, in periods of"));
    EXPECT_EQ(r.over, 1U);
    EXPECT_GT(fabric_now(r.f), r.silent + patience);
    EXPECT_LT(fabric_now(r.f), r.silent + patience + 4 * flight);
    EXPECT_EQ(fabric_destroy(r.f), EXIT_OK);
    machine_free(&o.machine);
}

} // namespace

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engines.h -- a torus of engines, each reached through its registers alone
 *
 *     Engines e(make, ring);          all in reset, stopped
 *     e.host(2), e.memory(2)          of node 2
 *     e.cycle                         now
 *     const ace_command c = command(ACE_ALL_REDUCE, e, 5000, 2);
 *     const Vectors v(e, c, seed);    inputs in each node's memory, expected results in v.after
 *     v.found(e, c, i)                the present contents of node i's destination
 *
 * An access runs the whole torus until it ends.  Each is kept with its cycle, so that two
 * runs can be compared access by access.
 */
#ifndef ACE_TESTS_ENGINES_H
#define ACE_TESTS_ENGINES_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "ace_axil_master.h"
#include "ace_engine.h"
#include "ace_flag_memory.h"
#include "ace_host.h"
#include "ace_memory.h"
#include "ace_node.h"
#include "ace_reference.h"
#include "ace_rtl_engine.h"

enum { ENGINES_SMALL = 2 }; /* the set: quick to run, soon full */

struct Access {
    uint64_t cycle;
    unsigned node;
    bool write;
    uint32_t offset, data;
    int err;
    bool operator==(const Access &o) const {
        return cycle == o.cycle && node == o.node && write == o.write && offset == o.offset &&
               data == o.data && err == o.err;
    }
};
inline void PrintTo(const Access &a, std::ostream *o) {
    *o << "cycle " << a.cycle << " node " << a.node << (a.write ? " write 0x" : " read 0x")
       << std::hex << a.offset << " 0x" << a.data << std::dec << " error " << a.err;
}

class Engines {
public:
    static constexpr uint32_t latency = 12, FLAG_LATENCY = 20;

    struct Flag {
        uint64_t cycle, address;
        uint32_t data;
        bool operator==(const Flag &o) const {
            return cycle == o.cycle && address == o.address && data == o.data;
        }
    };

    uint64_t cycle = 0;
    std::vector<Access> accesses;
    std::vector<Flag> flag_writes;
    ace_parameters parameters;
    unsigned completions;
    ace_config config{}; /* but for the rank */
    unsigned nodes;

    Engines(bool rtl, uint8_t x, uint8_t y, unsigned set = ENGINES_SMALL)
        : nodes(unsigned{ x } * y) {
        parameters = *ace_rtl_engine_parameters(set, &completions);
        config.ring[0] = x;
        config.ring[1] = y;
        config.ring[2] = config.ring[3] = 1;
        config.chunk_rows = 16;
        for (auto &cost : config.link_cost) cost = 2 * ACE_COST_ONE;
        config.read_cost = config.write_cost = ACE_COST_ONE + 60;
        config.memory_latency = 20;
        for (unsigned p = 0; p < parameters.dimensions + 2; p++) config.partition_rows[p] = 48;
        place_.resize(nodes);
        for (unsigned i = 0; i < nodes; i++)
            for (unsigned l = 0; l < ACE_LINKS; l++)
                if (config.ring[l / 2] > 1)
                    place_[i].wire[l] = ace_wire_create(latency, latency, true);
        for (unsigned i = 0; i < nodes; i++) build(rtl, i);
        for (Place &p : place_) {
            const ace_host_bus bus = { &p.board, read32, write32, wait_interrupt };
            EXPECT_EQ(ACE_OK, ace_host_probe(&p.host, &bus));
        }
    }
    Engines(const Engines &) = delete;
    Engines &operator=(const Engines &) = delete;
    ~Engines() {
        for (Place &p : place_) {
            ace_node_destroy(p.node);
            ace_memory_destroy(p.memory);
            for (ace_wire *w : p.wire) ace_wire_destroy(w);
        }
    }

    ace_host *host(unsigned i) { return &place_[i].host; }
    ace_memory *memory(unsigned i) { return place_[i].memory; }
    ace_flag_memory *flags(unsigned i) { return &place_[i].flags; }
    ace_node *node(unsigned i) { return place_[i].node; }
    ace_engine *engine(unsigned i) { return place_[i].engine; }
    ace_wire *wire(unsigned i, unsigned l) { return place_[i].wire[l]; } /* that leaves on link l */
    ace_config config_of(unsigned i) const {
        ace_config c = config;
        c.rank[0] = static_cast<uint16_t>(i % c.ring[0]);
        c.rank[1] = static_cast<uint16_t>(i / c.ring[0]);
        return c;
    }
    void start(uint32_t watchdog) {
        for (unsigned i = 0; i < nodes; i++) {
            const ace_config c = config_of(i);
            ASSERT_EQ(ACE_OK, ace_host_start(host(i), &c, watchdog));
        }
    }
    /* Stops all engines.  Frames on the links are lost.  */
    void stop() {
        for (unsigned i = 0; i < nodes; i++) EXPECT_EQ(ACE_OK, ace_host_stop(host(i), 10000));
        run(latency + 2); /* what was sent before the stop arrives at engines in reset */
    }
    void run(uint64_t cycles) {
        for (; cycles; cycles--) {
            cycle++;
            for (Place &p : place_) {
                ace_engine *e = p.engine;
                e->core.class_->out(&e->core);
                ace_flag_drive(&p.flags, &e->flag_in);
                const ace_flag_out shown = e->flag_out;
                ace_node_run(p.node, cycle);
                if (!ace_flag_step(&p.flags, &shown)) continue;
                flag_writes.push_back({ cycle, p.flags.address, p.flags.data });
                EXPECT_EQ(ACE_OK, ace_memory_write(p.memory, p.flags.address, &p.flags.data, 4));
            }
        }
    }
    bool irq(unsigned i) {
        engine(i)->core.class_->out(&engine(i)->core);
        return engine(i)->out.irq;
    }

private:
    struct Place {
        ace_engine *engine = nullptr;
        ace_node *node = nullptr;
        ace_memory *memory = nullptr;
        ace_wire *wire[ACE_LINKS] = {};
        ace_host host{};
        ace_flag_memory flags{ FLAG_LATENCY, ACE_OKAY, false, false, false, 0, 0, 0 };
        struct Board {
            Engines *all;
            unsigned node;
        } board{};
    };
    std::vector<Place> place_;

    void build(bool rtl, unsigned i) {
        Place &p = place_[i];
        if (rtl)
            ASSERT_EQ(ACE_OK, ace_rtl_engine_create(&parameters, true, 1 + i, nullptr, &p.engine));
        else
            ASSERT_EQ(ACE_OK, ace_cycle_engine_create(&parameters, completions, true, &p.engine));
        ace_node_setup setup{};
        setup.parameters = parameters;
        setup.config = config_of(i);
        setup.memory = p.memory = ace_memory_create();
        const unsigned at[2] = { i % config.ring[0], i / config.ring[0] };
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const unsigned n = config.ring[l / 2];
            if (n < 2) continue;
            unsigned to[2] = { at[0], at[1] };
            to[l / 2] = (to[l / 2] + (l & 1 ? n - 1 : 1)) % n;
            setup.out[l] = p.wire[l];
            setup.in[l] = place_[to[0] + config.ring[0] * to[1]].wire[l ^ 1];
        }
        ASSERT_EQ(ACE_OK, ace_driver_create(&p.engine->core, &setup, &p.node));
        p.board = { this, i };
    }
    int access(unsigned i, ace_axil_master m) {
        ace_engine *e = engine(i);
        bool ended;
        const uint64_t began = cycle;
        do {
            e->core.class_->out(&e->core);
            ace_axil_drive(&m, &e->in);
            ended = ace_axil_step(&m, &e->out);
            run(1);
        } while (!ended);
        e->in = ace_axil_in{};
        answer_ = m.data;
        const int err = m.resp == ACE_OKAY ? ACE_OK : ACE_EPROTO;
        accesses.push_back({ began, i, m.writes, m.offset, m.data, err });
        return err;
    }
    uint32_t answer_ = 0;
    static int read32(void *self, uint32_t offset, uint32_t *value) {
        const auto *b = static_cast<Place::Board *>(self);
        ace_axil_master m;
        ace_axil_read(&m, offset);
        const int err = b->all->access(b->node, m);
        *value = b->all->answer_;
        return err;
    }
    static int write32(void *self, uint32_t offset, uint32_t value) {
        const auto *b = static_cast<Place::Board *>(self);
        ace_axil_master m;
        ace_axil_write(&m, offset, value);
        return b->all->access(b->node, m);
    }
    static int wait_interrupt(void *self, uint64_t patience) {
        const auto *b = static_cast<Place::Board *>(self);
        for (; patience && !b->all->irq(b->node); patience--) b->all->run(1);
        return b->all->irq(b->node) ? ACE_OK : ACE_ETIME;
    }
};

/* ---- commands, their input vectors and expected results ---- */

constexpr uint64_t PATIENCE = 200000;
constexpr uint32_t WATCHDOG = 3000;
constexpr uint64_t SOURCE = 1 << 20, DESTINATION = 8 << 20;

inline ace_command command(ace_kind kind, const Engines &e, uint64_t bytes, uint16_t tag) {
    ace_command c{};
    c.kind = kind;
    c.dim_count = e.config.ring[1] > 1 ? 2 : 1;
    c.dims[1] = 1;
    c.source = SOURCE;
    c.destination = DESTINATION;
    c.bytes = bytes;
    c.tag = tag;
    return c;
}

/* The vectors of every node: inputs, and the expected results of the collective.  */
struct Vectors {
    std::vector<std::vector<uint8_t>> before, after;

    Vectors(Engines &e, const ace_command &c, uint64_t seed) {
        std::vector<const uint8_t *> in;
        std::vector<uint8_t *> out;
        for (unsigned i = 0; i < e.nodes; i++) {
            before.emplace_back(c.bytes);
            for (uint64_t w = 0; w < c.bytes / 4; w++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const uint32_t number = 0x3f000000 | (seed >> 33 & 0x80ffffff);
                std::memcpy(&before[i][4 * w], &number, 4);
            }
            EXPECT_EQ(ACE_OK, ace_memory_write(e.memory(i), c.source, before[i].data(), c.bytes));
        }
        /* at the destination lies the source's inverse, so that whatever is written is seen */
        for (unsigned i = 0; i < e.nodes; i++) {
            after.push_back(before[i]);
            for (uint8_t &b : after[i]) b = static_cast<uint8_t>(~b);
            EXPECT_EQ(ACE_OK,
                      ace_memory_write(e.memory(i), c.destination, after[i].data(), c.bytes));
        }
        untouched = after;
        for (unsigned i = 0; i < e.nodes; i++) {
            in.push_back(before[i].data());
            out.push_back(after[i].data());
        }
        const ace_config cfg = e.config_of(0);
        EXPECT_EQ(ACE_OK, ace_reference_collective(&c, &cfg, in.data(), out.data()));
    }
    std::vector<std::vector<uint8_t>> untouched;

    std::vector<uint8_t> found(Engines &e, const ace_command &c, unsigned i) const {
        std::vector<uint8_t> got(c.bytes);
        ace_memory_read(e.memory(i), c.destination, got.data(), got.size());
        return got;
    }
};

inline ace_host_completion wait(Engines &e, unsigned i) {
    ace_host_completion done{ 0xffff, ACE_CODE_MISMATCH };
    EXPECT_EQ(ACE_OK, ace_host_wait(e.host(i), PATIENCE, &done)) << "node " << i;
    return done;
}

inline uint32_t read(Engines &e, unsigned node, uint32_t offset) {
    uint32_t value = 0;
    EXPECT_EQ(ACE_OK, e.host(node)->bus.read32(e.host(node)->bus.self, offset, &value));
    return value;
}

#endif

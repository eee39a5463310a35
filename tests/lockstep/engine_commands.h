/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_commands.h -- commands for a torus of engines, their input vectors and expected results
 *
 *     const ace_command c = command(ACE_ALL_REDUCE, e, 5000, 2);
 *     const Vectors v(e, c, seed);                  inputs in each node's memory, results in after
 *     v.found(e, c, i)                              the present contents of node i's destination
 */
#ifndef ACE_TESTS_ENGINE_COMMANDS_H
#define ACE_TESTS_ENGINE_COMMANDS_H

#include <cstdint>
#include <cstring>
#include <vector>

#include "ace_reference.h"
#include "engines.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/* pair.h -- what both examples simulate: an all-reduce of 64 KiB on a ring of two nodes */
#ifndef PAIR_H
#define PAIR_H

#include "ace_node.h"

enum { PAIR_BYTES = 64 << 10, PAIR_LATENCY = 90 };

static const ace_parameters pair_parameters = ACE_PARAMETERS_DEFAULT;

static inline ace_command pair_command(void) {
    ace_command c = { .kind = ACE_ALL_REDUCE, .type = ACE_FP32, .dim_count = 1 };
    c.destination = PAIR_BYTES;
    c.bytes = PAIR_BYTES;
    return c;
}

/* 128 bytes a cycle on the links and to the memory, 200 cycles to the memory. */
static inline ace_config pair_config(unsigned rank) {
    ace_config c = { .ring = { 2, 1, 1 }, .rank = { (uint8_t)rank, 0, 0 } };
    c.chunk_rows = 256;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) c.link_rate[d] = 128 * ACE_RATE_ONE;
    c.read_rate = c.write_rate = 128 * ACE_RATE_ONE;
    c.memory_latency = 200;
    ace_plan_partitions(&pair_parameters, &c);
    return c;
}

#endif

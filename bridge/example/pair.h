/* SPDX-License-Identifier: Apache-2.0 */
/* pair.h -- what both examples simulate: an all-reduce of 64 KiB on a ring of two nodes */
#ifndef PAIR_H
#define PAIR_H

#include <string.h>

#include "ace_node.h"
#include "ace_plan.h"

enum { PAIR_BYTES = 64 << 10, PAIR_LATENCY = 90 };

static const ace_parameters pair_parameters = ACE_PARAMETERS_DEFAULT;

static inline ace_command pair_command(void) {
    ace_command c;
    memset(&c, 0, sizeof c); /* from address 0, on dimension 0 alone, which is x */
    c.kind = ACE_ALL_REDUCE;
    c.type = ACE_FP32;
    c.dim_count = 1;
    c.destination = PAIR_BYTES;
    c.bytes = PAIR_BYTES;
    return c;
}

/* A row takes two cycles on a link and at the memory, which answers after 200. */
static inline ace_config pair_config(unsigned rank) {
    ace_config c;
    memset(&c, 0, sizeof c);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        c.ring[d] = d == 0 ? 2 : 1;
        c.link_cost[d] = 2 * ACE_COST_ONE;
    }
    c.rank[0] = (uint16_t)rank;
    c.chunk_rows = 256;
    c.read_cost = c.write_cost = 2 * ACE_COST_ONE;
    c.memory_latency = 200;
    ace_plan_partitions(&pair_parameters, &c);
    return c;
}

#endif

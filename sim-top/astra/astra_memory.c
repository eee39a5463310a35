/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_memory.c -- closed forms for the time and the rate of remote memory
 *
 * The hierarchical pool is a pipeline of four stages. Each round takes the time of the slowest
 * stage, and filling the pipeline takes three rounds more.
 */
#include "astra_memory.h"

#include <math.h>

enum { STAGES = 4 };

static double hierarchical_ns(const astra_memory *m, unsigned npus, double bytes) {
    const double c = m->chunk_bytes, round = c * m->groups; /* of all groups */
    const double each = m->in_switch ? 1 : npus, nodes = m->in_switch ? 1 : m->nodes;
    const double rounds = ceil(bytes * each / round);
    const double stage[STAGES] = { c / m->bytes_per_ns,
                                   round / (m->switches * nodes) / m->out_bytes_per_ns,
                                   round / each / m->in_bytes_per_ns,
                                   round / each / m->local_bytes_per_ns };
    double slowest = 0;

    for (unsigned i = 0; i < STAGES; i++) slowest = fmax(slowest, stage[i]);
    return m->latency_ns + (rounds + STAGES - 1) * slowest;
}

double astra_memory_ns(const astra_memory *m, unsigned npus, uint64_t bytes) {
    if (m->type == ASTRA_MEMORY_HIERARCHICAL) return hierarchical_ns(m, npus, (double)bytes);
    return m->latency_ns + floor((double)bytes / m->bytes_per_ns);
}

unsigned astra_memory_sharers(const astra_memory *m, unsigned npus) {
    const unsigned most = m->type == ASTRA_MEMORY_NODE   ? m->npus_per_node
                          : m->type >= ASTRA_MEMORY_POOL ? npus
                                                         : 0;

    return most > 1 ? most : 0; /* a single NPU waits for no other */
}

bool astra_memory_shared(const astra_memory *m, unsigned npus) {
    return astra_memory_sharers(m, npus) != 0;
}

double astra_memory_rate(const astra_memory *m, unsigned npus) {
    if (m->type != ASTRA_MEMORY_HIERARCHICAL) return m->bytes_per_ns;
    /* The pool's share for one NPU, or the bandwidth of its link. */
    return fmin(m->in_bytes_per_ns, m->groups * m->bytes_per_ns / (m->in_switch ? 1 : npus));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c -- computes values that follow from a cluster: nodes, rates, buffers, chunks, ideal
 * bandwidth */
#include "cluster.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "ace_core.h"
#include "ace_plan.h"
#include "ace_wire_encode.h"
#include "link_graph.h"
#include "npu.h"
#include "values.h"

/* The defaults of each endpoint for communication. */
static const struct endpoint_default {
    double memory_GBps;
    unsigned sms;
} endpoint_defaults[] = { [ENDPOINT_ACE] = { 128, 0 },
                          [ENDPOINT_IDEAL] = { 0, 0 },
                          [ENDPOINT_COMM_OPT] = { 450, 6 },
                          [ENDPOINT_COMP_OPT] = { 128, 2 },
                          [ENDPOINT_NO_OVERLAP] = { 900, 80 } };

double cluster_memory_GBps(const cluster *c) {
    return c->memory_GBps > 0 ? c->memory_GBps : endpoint_defaults[c->endpoint].memory_GBps;
}
unsigned cluster_sms(const cluster *c) {
    return c->sms && endpoint_is_baseline(c->endpoint) ? c->sms
                                                       : endpoint_defaults[c->endpoint].sms;
}
bool endpoint_is_baseline(endpoint e) { return endpoint_defaults[e].sms != 0; }

const char *endpoint_name(endpoint e) { return endpoint_names[e]; }

unsigned cluster_nodes(const cluster *c) {
    uint64_t nodes = 1;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) nodes *= c->ring[d];
    return nodes < UINT_MAX ? (unsigned)nodes : UINT_MAX;
}

/* Returns the number of dimensions up to the last one with members, at least `least`. */
static unsigned dimensions_of(const cluster *c, unsigned least) {
    for (unsigned d = ACE_CLUSTER_DIMENSIONS; d > least; d--)
        if (c->ring[d - 1] > 1) return d;
    return least;
}

unsigned cluster_dimensions(const cluster *c) { return dimensions_of(c, ACE_DIMENSIONS); }

unsigned cluster_engine_members(const cluster *c, unsigned dimension) {
    return dimension >= ACE_DIMENSIONS           ? 1
           : c->wiring[dimension] == WIRING_RING ? ACE_MEMBERS
                                                 : LINK_GRAPH_NPUS;
}

bool cluster_engine_has(const cluster *c, unsigned dimension) {
    return c->ring[dimension] <= cluster_engine_members(c, dimension);
}

bool cluster_of_engines(const cluster *c) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (!cluster_engine_has(c, d)) return false;
    return true;
}

int cluster_links_dimension(const cluster *c) {
    for (int d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->wiring[d] == WIRING_LINKS && c->ring[d] > 1) return d;
    return -1;
}

void cluster_derive(cluster *c) {
    ace_parameters *p = &c->parameters;

    p->dimensions = dimensions_of(c, ACE_LEAST_dimensions);
    if (p->fsms == 16) p->fsms = 4 * (p->dimensions + 1);
}

npu_share cluster_communication(const cluster *c) {
    if (c->endpoint == ENDPOINT_IDEAL) return (npu_share){ 0, 0 };
    return (npu_share){ cluster_sms(c), cluster_memory_GBps(c) };
}

npu_share cluster_reserved(const cluster *c) {
    if (!c->reserved || c->endpoint == ENDPOINT_NO_OVERLAP) return (npu_share){ 0, 0 };
    return cluster_communication(c);
}

#define NO_COST 1e-9 /* error of a division of doubles, in 1/256 cycle */

bool cluster_cost(const cluster *c, double GBps, bool never_faster, uint32_t *cycles) {
    const double exact = ACE_ROW_BYTES * c->clock_MHz / (GBps * 1e3) * ACE_COST_ONE;
    const double r = never_faster ? ceil(exact - NO_COST) : round(exact);

    if (!(r >= ACE_COST_ONE && r <= ACE_COST_MAX)) return false;
    *cycles = (uint32_t)r;
    return true;
}

double cluster_link_share(const cluster *c, unsigned dimension) {
    return c->efficiency * (dimension ? c->runs.replica_share : c->runs.node_share);
}

bool cluster_link_defaults(const cluster *c, link_defaults *to) {
    const int d = cluster_links_dimension(c);

    if (d < 0) return false;
    *to = (link_defaults){ .GBps = c->links_GBps > 0    ? c->links_GBps
                                   : c->npu_GBps[d] > 0 ? c->npu_GBps[d]
                                                        : c->link_GBps[d],
                           .efficiency = cluster_link_share(c, (unsigned)d),
                           .clock_MHz = c->clock_MHz,
                           .latency = c->link_latency[d],
                           .npus = c->ring[d] };
    return true;
}

enum {
    /* Cycles in both nodes: 15 until a packet's credit is back, and 8 that an acknowledgement may
     * wait. */
    ROUND_TRIP = 23,
    KEPT_FREE = 3 /* rows for retry that stay unused (ace_link_guard.v) */
};

unsigned cluster_round_trip(const cluster *c, unsigned dimension) {
    const wiring w = (wiring)c->wiring[dimension];
    const uint64_t there = w == WIRING_LINKS ? c->shortest_link : c->link_latency[dimension];
    const uint64_t back = w == WIRING_LINKS || w == WIRING_DIRECT ? 0 : there;
    const uint64_t cycles = there + back + ROUND_TRIP;
    uint32_t each;

    if (c->ring[dimension] < 2 ||
        !cluster_cost(c, c->link_GBps[dimension] * cluster_link_share(c, dimension),
                      c->npu_GBps[dimension] > 0, &each))
        return 0;
    return (unsigned)((cycles * ACE_COST_ONE + each - 1) / each) + KEPT_FREE;
}

unsigned cluster_link_rows(const cluster *c) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;
    unsigned rows = initial.link_input_rows;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        while (rows < cluster_round_trip(c, d) && rows < ACE_LINK_PLACES_MAX / 2) rows *= 2;
    return rows;
}

unsigned cluster_shared(const cluster *c) {
    unsigned dims = 0;

    for (const char *p = c->shared_links; *p; p++) {
        const char *at = strchr(ACE_DIMENSION_LETTERS, *p);
        const unsigned d = at ? (unsigned)(at - ACE_DIMENSION_LETTERS) : ACE_CLUSTER_DIMENSIONS;

        if (d >= ACE_CLUSTER_DIMENSIONS || c->ring[d] < 2 || dims >> d & 1) return 0;
        dims |= 1U << d;
    }
    return dims;
}

unsigned cluster_interface(const cluster *c, unsigned dimension) {
    const unsigned dims = cluster_shared(c);

    return dims >> dimension & 1 ? (unsigned)__builtin_ctz(dims) : dimension;
}

double cluster_pass_cycles(const cluster *c) {
    return c->switch_GBps > 0 ? ACE_ROW_BYTES * c->clock_MHz / (c->switch_GBps * 1e3) : 0;
}

static uint32_t gcd(uint32_t a, uint32_t b) { return b ? gcd(b, a % b) : a; }

/* Returns the fewest rows of a chunk for which every shard of the default all-reduce has whole
 * rows. */
static uint32_t reduced_rows(const cluster *c) {
    uint32_t others = 1;

    for (unsigned d = 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        others = others / gcd(others, c->ring[d]) * c->ring[d];
    return c->ring[0] * others;
}

uint16_t cluster_chunk_rows(const cluster *c) {
    const uint32_t rows = (uint32_t)(c->chunk_bytes / ACE_ROW_BYTES), reduce = reduced_rows(c);
    uint32_t all = 1;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) all *= c->ring[d];
    if (rows >= all) return (uint16_t)(rows / all * all);
    if (rows >= reduce) return (uint16_t)(rows / reduce * reduce);
    return (uint16_t)rows;
}

cluster_rates cluster_rates_of(const cluster *c) {
    cluster_rates r = { .memory_GBps = cluster_memory_GBps(c),
                        .pass_cycles = cluster_pass_cycles(c),
                        .chunk_rows = cluster_chunk_rows(c) };

    (void)cluster_cost(c, r.memory_GBps, false, &r.memory); /* stays 0 if it returns false */
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        (void)cluster_cost(c, c->link_GBps[d] * cluster_link_share(c, d), c->npu_GBps[d] > 0,
                           &r.link[d]);
    return r;
}

enum { BURST = 16 }; /* rows of the longest memory burst: other chunk sizes go row by row */

void cluster_settle_chunk(cluster *c) {
    for (;;) {
        const uint64_t bytes = c->chunk_bytes;
        ace_config cfg = { .chunk_rows = 0 };

        if (bytes / ACE_ROW_BYTES >= reduced_rows(c)) return;
        memcpy(cfg.ring, c->ring, sizeof cfg.ring);
        c->chunk_bytes = 2 * bytes;
        cfg.chunk_rows = cluster_chunk_rows(c);
        if (cfg.chunk_rows % BURST == 0 && ace_plan_partitions(&c->parameters, &cfg) == ACE_OK)
            continue;
        c->chunk_bytes = bytes;
        return;
    }
}

double cluster_npu_GBps(const cluster *c, unsigned dimension) {
    return c->npu_GBps[dimension] > 0 ? c->npu_GBps[dimension] : 2 * c->link_GBps[dimension];
}

double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_CLUSTER_DIMENSIONS]) {
    double slowest = 0, sum = 0, time[ACE_CLUSTER_DIMENSIONS] = { 0 };

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        double *const t = &time[cluster_interface(c, d)];

        *t += (double)bytes[d] / (2 * c->link_GBps[d]);
        if (*t > slowest) slowest = *t;
        sum += (double)bytes[d];
    }
    /* bytes are those of FP32, of which the wire carries a part */
    const double wire = (double)ace_wire_bytes(c->wire_format) / ACE_ROW_BYTES;
    return slowest > 0 ? sum / slowest / wire : 0;
}

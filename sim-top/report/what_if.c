/* SPDX-License-Identifier: Apache-2.0 */
/* what_if.c -- proposes options that may help, with their new values, by groups of options */
#include "what_if.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ace_core.h"
#include "ace_hub_reducer.h"
#include "algorithms.h"

static what_if *add(what_if *list, unsigned *n, bottleneck_kind kind, const char *means,
                    const char *format, double a, double b, double c) {
    what_if *w = &list[(*n)++];

    w->kind = kind;
    w->also = 0;
    w->means = means;
    snprintf(w->word, sizeof w->word, format, a, b, c);
    return w;
}

bool what_if_against(const what_if *w, bottleneck_kind kind) {
    return w->kind == kind || (w->also >> kind & 1);
}

/* Adds a value for the fourth dimension, if there is one. */
static void append(what_if *w, const ace_parameters *p, const char *format, double d) {
    const size_t n = strlen(w->word);

    if (p->dimensions > 3) snprintf(w->word + n, sizeof w->word - n, format, d);
}

/* Proposes links with more bandwidth or less latency, for the dimensions that are the bound, or for
 * all. */
static void propose_links(const cluster *c, const bottleneck *b, what_if list[WHAT_IFS],
                          unsigned *n) {
    const ace_parameters *p = &c->parameters;
    const double row = ACE_ROW_BYTES * c->clock_MHz / 1e3; /* GB/s of a row a cycle */
    const bool some = b->dims[0] || b->dims[1] || b->dims[2] || b->dims[3];
    double link[ACE_DIMENSIONS], latency[ACE_DIMENSIONS];
    what_if *w;

    if (cluster_links_dimension(c) >= 0) return; /* no option changes links that a file lists */
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned of = cluster_interface(c, d); /* dimensions of an interface are alike */
        const bool chosen = b->dims[d] || b->dims[of] || !some;

        link[d] = c->link_GBps[d];
        if (chosen) link[d] = fmin(2 * link[d], floor(row / c->efficiency));
        latency[d] = c->link_latency[d];
        if (chosen) latency[d] = fmax(1, floor(latency[d] / 2));
    }
    w = add(list, n, BOUND_LINKS, some ? "more bandwidth on these links" : "faster links",
            "--link-bandwidth=%.9g,%.9g,%.9g", link[0], link[1], link[2]);
    w->also = 1u << BOUND_CHUNKS;
    append(w, p, ",%.9g", link[3]);
    w = add(list, n, BOUND_LATENCY, "shorter links", "--link-latency=%.0f,%.0f,%.0f", latency[0],
            latency[1], latency[2]);
    w->also = 1u << BOUND_CREDITS;
    append(w, p, ",%.0f", latency[3]);
}

/* Proposes switches with more bandwidth, if they have one of their own. */
static void propose_switch(const cluster *c, what_if list[WHAT_IFS], unsigned *n) {
    if (c->switch_GBps > 0)
        add(list, n, BOUND_SWITCH, "more bandwidth through each switch",
            "--switch-bandwidth=%.9gGB/s", 2 * c->switch_GBps, 0, 0);
}

/* Proposes input buffers as large as the longest round trip, up to the limit of two buffers of a
 * link. */
static void propose_rows(const bottleneck *b, what_if list[WHAT_IFS], unsigned *n) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;
    const unsigned most = ACE_LINK_PLACES_MAX - initial.link_input_rows;
    unsigned rows = initial.link_input_rows, needed = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (b->needed[d] > needed) needed = b->needed[d];
    while (rows < needed && rows < most) rows *= 2;
    if (rows > most) rows = most;
    if (b->rows < needed && b->rows < rows)
        add(list, n, BOUND_CREDITS, "larger input buffers",
            b->way == WAY_ROWS ? "--router-rows=%.0f" : "--link-rows=%.0f", rows, 0, 0);
}

/* Proposes changes of an endpoint's units. The ideal one has only links. */
static void propose_endpoint(const cluster *c, const ace_config *cfg, what_if list[WHAT_IFS],
                             unsigned *n) {
    const double row = ACE_ROW_BYTES * c->clock_MHz / 1e3; /* GB/s of a row a cycle */
    const double memory = c->endpoint == ENDPOINT_ACE
                              ? fmin(2 * row * ACE_COST_ONE / cfg->read_cost, floor(row))
                              : 2 * cluster_memory_GBps(c);

    if (c->endpoint == ENDPOINT_IDEAL) return;
    add(list, n, BOUND_MEMORY, "more memory bandwidth",
        c->endpoint == ENDPOINT_ACE ? "--memory-bandwidth=%.3gGB/s" : "--memory-bandwidth=%.9gGB/s",
        memory, 0, 0);
    add(list, n, BOUND_LATENCY, "a memory that answers sooner", "--memory-latency=%.0f",
        fmax(2, c->memory_latency / 2), 0, 0);
    if (!endpoint_is_baseline(c->endpoint)) return;
    add(list, n, BOUND_SMS, "more SMs for communication", "--sms=%.0f",
        fmin(1024, 2. * cluster_sms(c)), 0, 0);
    add(list, n, BOUND_ENDPOINT, "the engine in place of software", "--endpoint=ace", 0, 0, 0);
}

/* Would switches that reduce hold the chunks of so many FSMs and contexts? */
static bool switches_fit(const ace_config *cfg, ace_parameters p, unsigned fsms,
                         unsigned contexts) {
    bool any = false;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) any |= cluster_in_network(cfg, d) != 0;
    p.fsms = fsms;
    p.contexts = contexts;
    return !any || cluster_hub_contexts(&p) <= ACE_HUB_CONTEXTS;
}

/* Changes that let more chunks go at once, or change the size of a chunk. */
static void propose_chunks(const cluster *c, const ace_config *cfg, const bottleneck *b,
                           what_if list[WHAT_IFS], unsigned *n) {
    const ace_parameters *p = &c->parameters;
    const bool ace = c->endpoint == ENDPOINT_ACE;
    const bool larger_bank = ace && p->bank_rows < 4096;

    if (ace && p->contexts < 4 && switches_fit(cfg, *p, p->fsms, 4))
        add(list, n, BOUND_CONTEXTS, "more contexts in each FSM", "--contexts=%.0f", 4, 0, 0);
    if (ace && p->fsms < 4 * (p->dimensions + 1) && switches_fit(cfg, *p, 2 * p->fsms, p->contexts))
        add(list, n, BOUND_CONTEXTS, "more FSMs", "--fsms=%.0f", 2 * p->fsms, 0, 0);
    if (ace && p->contexts == 4 && switches_fit(cfg, *p, p->fsms, 8))
        add(list, n, BOUND_CONTEXTS, "more contexts in each FSM", "--contexts=%.0f", 8, 0, 0);
    if (larger_bank)
        add(list, n, BOUND_SCRATCHPAD, "a larger scratchpad", "--bank-rows=%.0f",
            fmin(4096, 2 * p->bank_rows), 0, 0);
    /* An NPU's shard of a chunk is padded to rows, so smaller shards than a row send more bytes. */
    if (c->chunk_bytes >= 2 * ACE_ROW_BYTES * (uint64_t)cluster_nodes(c))
        add(list, n,
            b->kind == BOUND_CHUNKS ? BOUND_CHUNKS
            : larger_bank           ? BOUND_SCRATCHPAD
                                    : BOUND_LATENCY,
            "smaller chunks", "--chunk=%.0f", floor((double)c->chunk_bytes / 2), 0, 0)
            ->also = 1u << BOUND_SCRATCHPAD | 1u << BOUND_LATENCY | 1u << BOUND_CHUNKS;
    if (2 * c->chunk_bytes <= 1024 * ACE_ROW_BYTES)
        add(list, n, BOUND_CONTEXTS, "larger chunks", "--chunk=%.0f", 2 * (double)c->chunk_bytes, 0,
            0);
}

unsigned what_if_propose(const cluster *c, const ace_config *cfg, const bottleneck *b,
                         what_if list[WHAT_IFS]) {
    unsigned n = 0;

    if (*b->slow.nodes)
        add(list, &n, BOUND_MEMORY, "all nodes at full speed", "--speed=1", 0, 0, 0);
    propose_rows(b, list, &n);
    propose_links(c, b, list, &n);
    propose_switch(c, list, &n);
    propose_endpoint(c, cfg, list, &n);
    if (b->way == WAY_CHUNKS || b->way == WAY_STEPS) propose_chunks(c, cfg, b, list, &n);
    return n;
}

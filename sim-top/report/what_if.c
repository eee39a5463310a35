/* SPDX-License-Identifier: Apache-2.0 */
#include "what_if.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cluster.h"

static void add(what_if *list, unsigned *n, bottleneck_kind kind, const char *format, double a,
                double b, double c) {
    what_if *w = &list[(*n)++];

    w->kind = kind;
    snprintf(w->word, sizeof w->word, format, a, b, c);
}

/* The fourth dimension's, where there is one. */
static void append(what_if *w, const ace_parameters *p, const char *format, double d) {
    const size_t n = strlen(w->word);

    if (p->dimensions > 3) snprintf(w->word + n, sizeof w->word - n, format, d);
}

unsigned what_if_propose(const cluster *c, const ace_config *cfg, const bottleneck *b,
                         what_if list[WHAT_IFS]) {
    const ace_parameters *p = &c->parameters;
    const double row = ACE_ROW_BYTES * c->clock_MHz / 1e3; /* GB/s: a row a cycle */
    const double memory = row * ACE_COST_ONE / cfg->read_cost;
    double link[ACE_DIMENSIONS], latency[ACE_DIMENSIONS];
    const bool some = b->dims[0] || b->dims[1] || b->dims[2] || b->dims[3];
    const bottleneck_kind smaller = b->kind == BOUND_CHUNKS ? BOUND_CHUNKS
                                    : p->bank_rows < 4096   ? BOUND_LATENCY
                                                            : BOUND_SCRATCHPAD;
    unsigned n = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const bool chosen = b->dims[d] || !some;

        link[d] = c->link_GBps[d];
        if (chosen) link[d] = fmin(2 * link[d], floor(row / c->efficiency));
        latency[d] = c->link_latency[d];
        if (chosen) latency[d] = fmax(1, floor(latency[d] / 2));
    }
    add(list, &n, b->kind == BOUND_CHUNKS ? BOUND_CHUNKS : BOUND_LINKS,
        "--link-bandwidth=%.9g,%.9g,%.9g", link[0], link[1], link[2]);
    append(&list[n - 1], p, ",%.9g", link[3]);
    add(list, &n, BOUND_MEMORY, "--memory-bandwidth=%.3gGB/s", fmin(2 * memory, floor(row)), 0, 0);
    add(list, &n, b->kind == BOUND_CREDITS ? BOUND_CREDITS : BOUND_LATENCY,
        "--link-latency=%.0f,%.0f,%.0f", latency[0], latency[1], latency[2]);
    append(&list[n - 1], p, ",%.0f", latency[3]);
    add(list, &n, BOUND_LATENCY, "--memory-latency=%.0f", fmax(2, c->memory_latency / 2), 0, 0);
    if (p->contexts < 4) add(list, &n, BOUND_CONTEXTS, "--contexts=%.0f", 4, 0, 0);
    if (p->fsms < 4 * (p->dimensions + 1))
        add(list, &n, BOUND_CONTEXTS, "--fsms=%.0f", 2 * p->fsms, 0, 0);
    if (p->bank_rows < 4096)
        add(list, &n, BOUND_SCRATCHPAD, "--bank-rows=%.0f", fmin(4096, 2 * p->bank_rows), 0, 0);
    if (c->chunk_bytes >= 2 * ACE_ROW_BYTES)
        add(list, &n, smaller, "--chunk=%.0f", floor((double)c->chunk_bytes / 2), 0, 0);
    if (2 * c->chunk_bytes <= 1024 * ACE_ROW_BYTES)
        add(list, &n, BOUND_CONTEXTS, "--chunk=%.0f", 2 * (double)c->chunk_bytes, 0, 0);
    return n;
}

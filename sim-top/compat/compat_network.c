/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_network.c -- arrival times of messages, with and without congestion
 *
 * Without congestion a message is one event, whose tick is a closed form. With congestion each hop
 * is an event, and a link stores the tick from which it is free. A link also counts its bytes, so
 * that a result that exceeds its bandwidth is reported.
 */
#include "compat_network.h"

#include <math.h>
#include <stdlib.h>

struct compat_network {
    const astra_network *of;
    compat_clock *clock;
    bool aware;
    uint64_t *free_at;       /* aware: for each link and direction */
    compat_carried *carried; /* aware: for each link and direction */
};

/* A message that crosses several links. */
typedef struct flight {
    compat_network *n;
    unsigned at, to; /* nodes: an NPU, or the switch, which has the next number */
    uint64_t bytes;
    compat_call there;
} flight;

compat_network *compat_network_create(const astra_network *of, bool aware, compat_clock *c) {
    compat_network *n = calloc(1, sizeof *n);
    const size_t m = of->members[0];

    if (!n) return NULL;
    *n = (compat_network){ .of = of, .clock = c, .aware = aware };
    if (!aware) return n;
    n->free_at = calloc(m * (m + 1), sizeof *n->free_at);
    n->carried = calloc(m * (m + 1), sizeof *n->carried);
    if (n->free_at && n->carried) return n;
    compat_network_destroy(n);
    return NULL;
}

void compat_network_destroy(compat_network *n) {
    if (!n) return;
    free(n->free_at);
    free(n->carried);
    free(n);
}

/* ---- unaware -------------------------------------------------------------------------------- */

static unsigned hops(uint8_t wiring, unsigned members, unsigned a, unsigned b) {
    const unsigned up = (b + members - a) % members;

    if (wiring == WIRING_SWITCH) return 2;
    if (wiring == WIRING_DIRECT) return 1;
    return up < members - up ? up : members - up;
}

/* Returns the first dimension in which two NPUs differ, and the number of links between them
 * there. */
static unsigned first_dim(const astra_network *n, unsigned from, unsigned to, unsigned *links) {
    unsigned d = 0;

    for (; d + 1 < n->dims && from % n->members[d] == to % n->members[d]; d++) {
        from /= n->members[d];
        to /= n->members[d];
    }
    *links = hops(n->wiring[d], n->members[d], from % n->members[d], to % n->members[d]);
    return d;
}

static uint64_t unaware_ns(const astra_network *n, unsigned from, unsigned to, uint64_t bytes) {
    unsigned links;
    const unsigned d = first_dim(n, from, to, &links);

    return compat_ticks(links * n->latency_ns[d] + (double)bytes / n->GBps[d]);
}

void compat_network_parts(const compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                          uint64_t *latency_ns, uint64_t *serial_ns) {
    unsigned links;
    const unsigned d = first_dim(n->of, from, to, &links);
    const double ns = (double)bytes / n->of->GBps[d];

    *latency_ns = compat_ticks(links * n->of->latency_ns[d]);
    /* whole nanoseconds of the total, or of each link if links store the message */
    *serial_ns = n->aware ? links * compat_ticks(n->of->latency_ns[d] + ns) - *latency_ns
                          : unaware_ns(n->of, from, to, bytes) - *latency_ns;
}

/* ---- aware ---------------------------------------------------------------------------------- */

/* Returns the node after `at` on the route, and sets the link to it. */
static unsigned next_of(const compat_network *n, unsigned at, unsigned to, size_t *link) {
    const unsigned m = n->of->members[0], up = (to + m - at) % m;

    switch (n->of->wiring[0]) {
    case WIRING_SWITCH:
        *link = at == m ? 2 * (size_t)to + 1 : 2 * (size_t)at;
        return at == m ? to : m;
    case WIRING_DIRECT: *link = (size_t)at * m + to; return to;
    default: *link = 2 * (size_t)at + (up > m - up); return (at + (up > m - up ? m - 1 : 1)) % m;
    }
}

static void hop(void *self, void *of, uint64_t what) {
    compat_network *n = self;
    flight *f = of;
    const double ns = (double)f->bytes / n->of->GBps[0];
    size_t link;
    uint64_t start;

    (void)what;
    if (f->at == f->to) {
        const compat_call there = f->there;

        free(f);
        there.call(there.self, there.of, there.what);
        return;
    }
    f->at = next_of(n, f->at, f->to, &link);
    start = n->free_at[link] > n->clock->now ? n->free_at[link] : n->clock->now;
    n->free_at[link] = start + compat_ticks(ns);
    n->carried[link].bytes += f->bytes;
    n->carried[link].messages++;
    compat_clock_after(n->clock, start - n->clock->now + compat_ticks(n->of->latency_ns[0] + ns),
                       (compat_call){ hop, n, f, 0 });
}

void compat_network_send(compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                         compat_call there) {
    flight *f;

    if (!n->aware) {
        compat_clock_after(n->clock, unaware_ns(n->of, from, to, bytes), there);
        return;
    }
    f = malloc(sizeof *f);
    if (!f) {
        n->clock->out_of_memory = true;
        return;
    }
    *f = (flight){ n, from, to, bytes, there };
    hop(n, f, 0);
}

bool compat_network_beaten(const compat_network *n, compat_carried *worst) {
    const size_t m = n->of->members[0];

    for (size_t i = 0; n->aware && i < m * (m + 1); i++) {
        *worst = n->carried[i];
        worst->npu = (unsigned)(n->of->wiring[0] == WIRING_DIRECT ? i / m : i / 2);
        worst->least_ns = (double)worst->bytes / n->of->GBps[0] - (double)worst->messages;
        if ((double)n->clock->now < worst->least_ns) return true;
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_form.c -- NCCL's estimate of a collective's time, with three constants to fit
 *
 * The tables hold NCCL's own constants, in microseconds and shares of bandwidth. form_us() takes
 * the fastest pair of algorithm and protocol. The fit starts from several values, because the best
 * pair changes with the constants.
 */
#include "collective_form.h"

#include <math.h>
#include <stddef.h>

#include "simplex.h"

typedef enum protocol { LL, LL128, SIMPLE, PROTOCOLS } protocol;
static const char *const protocol_names[PROTOCOLS] = { "LL", "LL128", "Simple" };

typedef struct latencies {
    double base, link, network; /* once; a hop of NVLink; a hop of the network */
} latencies;
static const latencies ring[PROTOCOLS] = { { 6.6, 0.6, 2.7 }, { 14, 1.9, 4 }, { 8.4, 3.4, 14 } };
static const latencies tree[PROTOCOLS] = { { 6.8, 0.6, 5 }, { 14, 1.25, 8.5 }, { 0, 28, 28 } };

/* The efficiency of trees, whose pipelines are not full for medium sizes. Sizes are 64 bytes and
 * its doubles. */
enum { TREE_SIZES = 23 };
static const double tree_share[PROTOCOLS][TREE_SIZES] = {
    { 1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1 },
    { 1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1 },
    { .9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9 },
};

/* ---- NCCL's estimate for a pair ------------------------------------------------------------ */

static double ring_latency(const collective_fabric *f, ace_kind kind, protocol p) {
    const double n = f->ranks, nodes = f->nodes;
    const latencies *l = &ring[p];

    /* Chunks follow one another around the ring: it is filled once. */
    if (kind == ACE_BROADCAST || kind == ACE_REDUCE)
        return l->base + (f->nodes > 1 ? l->network : l->link);
    const double steps = kind == ACE_ALL_REDUCE ? 2 * (n - 1) : n - 1;
    const double between = f->nodes == 1 ? 0 : kind == ACE_ALL_REDUCE ? 2 * nodes : nodes - 1;
    return l->base + (steps - between) * l->link + between * l->network;
}

static double ring_efficiency(const collective_fabric *f, ace_kind kind, protocol p) {
    switch (p) {
    case LL:
        return f->nodes > 1 || kind == ACE_ALL_REDUCE || kind == ACE_REDUCE ? 1.0 / 4 : 1.0 / 3;
    case LL128: return f->ranks < 2 * f->nodes ? 0.7 : 0.92;
    default: return 1;
    }
}

static double tree_latency(const collective_fabric *f, protocol p) {
    const double of_node = f->ranks / f->nodes;

    return tree[p].base +
           2 * ((of_node - 1) * tree[p].link + floor(log2(f->nodes)) * tree[p].network);
}

static double tree_efficiency(const collective_fabric *f, double bytes, protocol p) {
    const double of_protocol[PROTOCOLS] = { 1 / 3.8, f->nodes == 1 ? 7.0 / 9 : 120.0 / 128, 1 };
    const int size = bytes < 64 ? 0 : ilogb(bytes / 64);

    return 0.92 * of_protocol[p] * (size < TREE_SIZES ? tree_share[p][size] : 1);
}

/* ---- the form ---------------------------------------------------------------------------- */

double form_least_us(const collective_fabric *f, ace_kind kind) {
    if (kind == ACE_ALL_TO_ALL) return 0;
    const double by_ring = ring_latency(f, kind, LL);
    return kind == ACE_ALL_REDUCE ? fmin(by_ring, tree_latency(f, LL)) : by_ring;
}

double form_us(const collective_fabric *f, ace_kind kind, double bytes,
               const double constant_[FORM_CONSTANTS], form_choice *chosen) {
    const double start = constant_[FORM_START], slow = constant_[FORM_SLOW];
    const double us_per_byte = 1e-3 / constant_[FORM_BANDWIDTH];
    const double wire = collective_rows_share(kind, f->ranks) * bytes * us_per_byte;
    const double least = form_least_us(f, kind);
    form_choice best = { "pairs", protocol_names[SIMPLE] };
    double us = INFINITY;

    if (kind == ACE_ALL_TO_ALL) us = wire;
    for (protocol p = 0; p < PROTOCOLS && kind != ACE_ALL_TO_ALL; p++) {
        const double by_ring = slow * (ring_latency(f, kind, p) - least) +
                               wire * (1 + slow * (1 / ring_efficiency(f, kind, p) - 1));
        const double by_tree =
            slow * (tree_latency(f, p) - least) +
            2 * bytes * us_per_byte * (1 + slow * (1 / tree_efficiency(f, bytes, p) - 1));

        if (by_ring < us) {
            us = by_ring;
            best = (form_choice){ "ring", protocol_names[p] };
        }
        if (kind == ACE_ALL_REDUCE && by_tree < us) {
            us = by_tree;
            best = (form_choice){ "tree", protocol_names[p] };
        }
    }
    if (chosen) *chosen = best;
    return start + us;
}

/* ---- the fit ----------------------------------------------------------------------------- */

void form_nearest(const collective_row *rows, unsigned count, const double size[FORM_SIZES],
                  unsigned at[FORM_SIZES]) {
    for (unsigned s = 0; s < FORM_SIZES; s++) {
        double least = INFINITY;

        for (unsigned i = 0; i < count; i++) {
            const double away = fabs(log(rows[i].bytes / size[s]));
            bool taken = false;

            for (unsigned k = 0; k < s; k++) taken |= at[k] == i;
            if (taken || away >= least) continue;
            least = away;
            at[s] = i;
        }
    }
}

typedef struct fitting {
    const collective_fabric *fabric;
    const collective_row *rows;
    const unsigned *at;
} fitting;

static double squares(void *self, const double constant_[]) {
    const fitting *t = self;
    double sum = 0;

    for (unsigned s = 0; s < FORM_SIZES; s++) {
        const collective_row *r = &t->rows[t->at[s]];
        const double error = form_us(t->fabric, r->kind, r->bytes, constant_, NULL) / r->us - 1;

        sum += error * error;
    }
    return sum;
}

void form_fit(const collective_fabric *f, const collective_row *rows, const unsigned at[FORM_SIZES],
              double constant_[FORM_CONSTANTS]) {
    static const double begin[] = { 0.25, 1, 4 }; /* of the factor: the least may have valleys */
    fitting t = { f, rows, at };
    const simplex_problem p = {
        .constants = FORM_CONSTANTS, .rounds = 6, .steps = 400, .self = &t, .error = squares
    };
    const collective_row *small = &rows[at[0]], *large = small;
    double least = INFINITY;

    for (unsigned s = 1; s < FORM_SIZES; s++) {
        if (rows[at[s]].bytes < small->bytes) small = &rows[at[s]];
        if (rows[at[s]].bytes > large->bytes) large = &rows[at[s]];
    }
    for (unsigned i = 0; i < sizeof begin / sizeof *begin; i++) {
        double c[FORM_CONSTANTS];

        c[FORM_START] = small->us;
        c[FORM_BANDWIDTH] =
            collective_rows_share(large->kind, f->ranks) * large->bytes / large->us / 1000;
        c[FORM_SLOW] = begin[i];
        simplex_minimise(&p, c);
        const double error = squares(&t, c);
        if (error >= least) continue;
        least = error;
        for (unsigned k = 0; k < FORM_CONSTANTS; k++) constant_[k] = c[k];
    }
}

alpha_beta alpha_beta_fit(const collective_row *rows, const unsigned at[FORM_SIZES]) {
    double one = 0, x = 0, xx = 0, y = 0, xy = 0;

    for (unsigned s = 0; s < FORM_SIZES; s++) {
        const collective_row *r = &rows[at[s]];
        const double weight = 1 / (r->us * r->us);

        one += weight;
        x += weight * r->bytes;
        xx += weight * r->bytes * r->bytes;
        y += weight * r->us;
        xy += weight * r->bytes * r->us;
    }
    const double of = one * xx - x * x;
    return (alpha_beta){ (y * xx - x * xy) / of, (one * xy - x * y) / of };
}

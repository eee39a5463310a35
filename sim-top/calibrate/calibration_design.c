/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_design.c -- experiments to fit, and random ones to hold out
 *
 * Fitted experiments are nested loops over kinds, dimensions, sizes, chunks and memory, first with
 * one collective and then with several. Held-out experiments are drawn from a seed, with sizes
 * spread evenly in their logarithm. A cluster too large for engines is measured on smaller clusters
 * with some of its dimensions.
 */
#include "calibration_design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"

enum {
    MOST_FITTED = 1024,
    KINDS = 4,
    RTL_BYTES = 16384, /* most bytes of an experiment for the rung rtl */
    SKEW = 20000       /* most cycles between two starts */
};
#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

static const ace_kind kinds[KINDS] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                       ACE_ALL_TO_ALL };

static design design_of(const machine *m, bool quick) {
    const double GBps = cluster_memory_GBps(&m->cluster);
    const uint64_t chunk = m->cluster.chunk_bytes;
    const ace_parameters *p = &m->cluster.parameters;
    design d = { .bytes = { ACE_ROW_BYTES, quick ? 16 * MIB : KIB * MIB },
                 .chunk = { chunk / 4, chunk },
                 .memory = { GBps / 2, GBps * 2 },
                 .quick = quick };

    /* at most a row a cycle, with a margin for rounding */
    const double row_a_cycle = ACE_ROW_BYTES * m->cluster.clock_MHz * 0.99e-3;

    if (d.memory[1] > row_a_cycle) d.memory[1] = fmax(row_a_cycle, GBps);
    /* each partition must hold a chunk */
    while (5 * d.chunk[1] * (p->dimensions + 2) <= (uint64_t)p->bank_rows * ACE_ROW_BYTES * 2)
        d.chunk[1] *= 2;
    if (d.chunk[0] < ACE_ROW_BYTES) d.chunk[0] = ACE_ROW_BYTES;
    for (unsigned i = 0; i < ACE_CLUSTER_DIMENSIONS; i++)
        if (m->config.ring[i] > 1) d.live[d.live_count++] = (uint8_t)i;
    return d;
}

enum {
    SMALL = 8,
    SMALL_RING = 32,
    SIDE_BY_SIDE = 4
}; /* most members: in a fitted dimension, in a long ring, in a dimension of several */

static unsigned least_of(unsigned a, unsigned b) { return a < b ? a : b; }

/* Makes a design with the live dimensions [first, past), each with at most so many members. */
static design part_of(const cluster *c, const design *all, unsigned first, unsigned end,
                      unsigned (*most)(const cluster *c, unsigned d)) {
    design part = *all;

    part.live_count = 0;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) part.members[d] = 1;
    for (unsigned i = first; i < end; i++) {
        const uint8_t d = all->live[i];

        part.live[part.live_count++] = d;
        part.members[d] = (uint16_t)least_of(c->ring[d], most(c, d));
    }
    return part;
}

static unsigned taken_by_engines(const cluster *c, unsigned d) {
    return c->wiring[d] == WIRING_RING ? ACE_MEMBERS : ACE_MOST_peers;
}
static unsigned fitted_members(const cluster *c, unsigned d) {
    return c->wiring[d] == WIRING_RING && c->ring[d] > ACE_MEMBERS ? SMALL_RING : SMALL;
}
static unsigned few_members(const cluster *c, unsigned d) {
    (void)c;
    (void)d;
    return SIDE_BY_SIDE;
}

designs designs_of(const machine *m, bool quick) {
    const struct cluster *c = &m->cluster;
    const design all = design_of(m, quick);
    designs to = { .fitted = { all }, .held_out = { all }, .fitted_count = 1, .held_out_count = 1 };

    if (cluster_of_engines(c) || !all.live_count) return to;
    to.fitted_count = to.held_out_count = 0;
    for (unsigned i = 0; i < all.live_count; i += ACE_LEAST_dimensions)
        to.fitted[to.fitted_count++] =
            part_of(c, &all, i, least_of(i + ACE_LEAST_dimensions, all.live_count), fitted_members);
    for (unsigned i = 0; i < all.live_count; i++) {
        const uint8_t d = all.live[i];
        const unsigned first = i && i + 1 == all.live_count ? i - 1 : i;

        if (c->ring[d] <= fitted_members(c, d)) continue;
        design *const to_be = &to.held_out[to.held_out_count++];
        *to_be = part_of(c, &all, first, least_of(first + 2, all.live_count), few_members);
        to_be->members[d] = (uint16_t)least_of(c->ring[d], taken_by_engines(c, d));
    }
    if (all.live_count > ACE_LEAST_dimensions)
        to.held_out[to.held_out_count++] = part_of(c, &all, 0, ACE_DIMENSIONS, few_members);
    if (all.live_count > ACE_DIMENSIONS)
        to.held_out[to.held_out_count++] =
            part_of(c, &all, all.live_count - ACE_DIMENSIONS, all.live_count, few_members);
    if (to.held_out_count) return to;
    memcpy(to.held_out, to.fitted, sizeof to.held_out); /* no larger cluster is possible */
    to.held_out_count = to.fitted_count;
    return to;
}

/* ---- fitted experiments --------------------------------------------------------------------- */

typedef struct list {
    experiment *at;
    unsigned count;
} list;

static experiment_work work_of(const design *d, ace_kind kind, uint64_t bytes, unsigned set,
                               uint64_t start) {
    experiment_work w = { .kind = kind, .bytes = bytes, .start = start };

    for (unsigned i = 0; i < d->live_count; i++)
        if (set >> i & 1) w.dims[w.dim_count++] = d->live[i];
    return w;
}

static experiment *add(list *l) {
    if (l->count == MOST_FITTED) l->count--; /* never happens: the design is smaller */
    return memset(&l->at[l->count++], 0, sizeof *l->at);
}

static void add_one(list *l, const design *d, ace_kind kind, uint64_t bytes, unsigned set,
                    uint64_t chunk, double memory) {
    *add(l) = (experiment){ .work = { work_of(d, kind, bytes, set, 0) },
                            .works = 1,
                            .chunk = chunk,
                            .memory_GBps = memory };
}

/* Adds each kind over all sets of dimensions, in sizes from a row on. */
static void add_singles(list *l, const design *d) {
    static const uint64_t sizes[] = { 256,       4 * KIB, 32 * KIB, 64 * KIB, 128 * KIB, 256 * KIB,
                                      512 * KIB, MIB,     2 * MIB,  4 * MIB,  16 * MIB,  64 * MIB };
    const unsigned all = (1u << d->live_count) - 1;

    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned set = 1; set <= all; set++)
            for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                const bool part = set != all && s % 2 != 0;

                if (part || (d->quick && (s % 3 == 1 || sizes[s] > 4 * MIB))) continue;
                if (set != all && sizes[s] > 16 * MIB) continue;
                add_one(l, d, kinds[k], sizes[s], set, 0, 0);
            }
}

/* Adds chunk sizes and shares of the memory. */
static void add_shares(list *l, const design *d) {
    static const uint64_t sizes[] = { 256 * KIB, 2 * MIB, 16 * MIB };
    const unsigned all = (1u << d->live_count) - 1;

    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned i = 0; i < 2; i++) {
                if (d->quick && s != 1) continue;
                if (kinds[k] != ACE_ALL_TO_ALL)
                    add_one(l, d, kinds[k], sizes[s], all, d->chunk[i], 0);
                add_one(l, d, kinds[k], sizes[s], all, 0, d->memory[i]);
            }
    /* With the fastest memory, an all-to-all on a single fast dimension waits for its own
     * requests. */
    for (unsigned i = 0; i < d->live_count; i++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (sizes[s] <= 2 * MIB)
                add_one(l, d, ACE_ALL_TO_ALL, sizes[s], 1u << i, 0, d->memory[1]);
}

/* Adds two and three collectives at a time: each pair of kinds, over all dimensions or some. */
static void add_several(list *l, const design *d) {
    static const uint64_t starts[] = { 0, 3000, 700 };
    const unsigned all = (1u << d->live_count) - 1, first = 1, rest = all & ~1u ? all & ~1u : all;
    unsigned n = 0;

    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++)
            for (unsigned s = 0; s < (d->quick ? 1u : 2u); s++, n++) {
                const uint64_t bytes = s ? 4 * MIB : 512 * KIB;
                const unsigned sets[3] = { all, n % 3 == 1 ? first : all, n % 3 == 2 ? rest : all };
                experiment *e = add(l);

                e->works = 2;
                e->work[0] = work_of(d, kinds[a], bytes, sets[n % 2], 0);
                e->work[1] = work_of(d, kinds[b], bytes / (1 + n % 3), sets[2], starts[n % 3]);
                if (d->quick || s || a == b) continue;
                experiment *three = add(l);
                *three = *e;
                three->works = 3;
                three->work[2] = work_of(d, kinds[(a + b) % KINDS], MIB, all, 5000);
            }
}

experiment *design_fit(const designs *d, unsigned *count) {
    list l = { calloc(MOST_FITTED, sizeof *l.at), 0 };
    unsigned first = 0;

    if (!l.at) return NULL;
    for (unsigned alone = 0; alone < 2; alone++)
        for (unsigned i = 0; i < d->fitted_count; i++, first = l.count) {
            if (!alone) add_singles(&l, &d->fitted[i]);
            if (!alone) add_shares(&l, &d->fitted[i]);
            if (alone) add_several(&l, &d->fitted[i]);
            for (unsigned k = first; k < l.count; k++)
                memcpy(l.at[k].members, d->fitted[i].members, sizeof l.at[k].members);
        }
    *count = l.count;
    return l.at;
}

/* ---- held-out experiments ------------------------------------------------------------------- */

static double part(uint64_t *x) { return (double)(ace_random_next(x) >> 11) * 0x1p-53; }

static uint64_t between(uint64_t *x, uint64_t least, uint64_t most) {
    return (uint64_t)((double)least * pow((double)most / (double)least, part(x)));
}

static experiment_work draw_work(const design *d, uint64_t *x, ace_kind kind, uint64_t most,
                                 bool later) {
    const unsigned all = (1u << d->live_count) - 1;
    const unsigned some = 1 + (unsigned)(part(x) * all);
    const unsigned set = part(x) < 0.5 ? all : some > all ? all : some;
    const uint64_t bytes = between(x, d->bytes[0], most);

    return work_of(d, kind, bytes, set, later ? (uint64_t)(part(x) * SKEW) : 0);
}

/* Draws the experiments [first, past). Half of them have one collective, with the kinds
 * round-robin. Half of these have at least 1 MiB. Large collectives are few, because they take
 * long. Further collectives have any kind. Half of the experiments with one collective have their
 * own chunk size, and half their own memory bandwidth: there the form is least certain, and they
 * determine the intervals. A quarter of the experiments with several collectives do, because
 * their starts cause most of the error. */
static void draw(const design *d, uint64_t seed, unsigned first, unsigned end, experiment *at) {
    /* Without mixing, consecutive seeds would give the same sequence, shifted by one draw. */
    uint64_t x = ace_random_mix(seed + 1 + first);

    for (unsigned i = first; i < end; i++) {
        const double own = i % 4 < 2 ? 0.5 : 0.25;
        experiment *e = &at[i];

        memcpy(e->members, d->members, sizeof e->members);
        e->works = i % 4 < 2 ? 1 : i % 4 == 2 ? 2 : 3;
        for (unsigned w = 0; w < e->works; w++)
            e->work[w] = draw_work(d, &x, kinds[w ? ace_random_next(&x) >> 33 & 3 : i / 4 % KINDS],
                                   i % 32 == 0    ? d->bytes[1]
                                   : e->works > 1 ? 16 * MIB
                                                  : (d->quick ? 16 : 64) * MIB,
                                   w > 0);
        if (e->works == 1 && i % 4 == 1 && e->work[0].bytes < MIB)
            e->work[0].bytes = between(&x, MIB, (d->quick ? 16 : 64) * MIB);
        for (unsigned w = 1; w < e->works; w++) /* in the order of their starts */
            if (e->work[w].start < e->work[w - 1].start) e->work[w].start += e->work[w - 1].start;
        if (part(&x) < own) e->chunk = between(&x, d->chunk[0], d->chunk[1]) / 256 * 256;
        if (part(&x) < own)
            e->memory_GBps = round(d->memory[0] + part(&x) * (d->memory[1] - d->memory[0]));
    }
}

experiment *design_held_out(const designs *d, uint64_t seed, unsigned count) {
    experiment *at = calloc(count, sizeof *at);

    for (unsigned i = 0, n = d->held_out_count; at && i < n; i++)
        draw(&d->held_out[i], seed, count * i / n, count * (i + 1) / n, at);
    return at;
}

bool design_for_rtl(const experiment *e) {
    for (unsigned i = 0; i < e->works; i++)
        if (e->work[i].bytes > RTL_BYTES) return false;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_times.c -- computes the earliest results of a collective, see ideal_times.h
 *
 * A collective is a sequence of sweeps, one for each phase or dimension. A sweep along a dimension
 * visits each line of members there. It replaces the cycle at which a member has the operands by
 * the cycle at which the member has the result.
 */
#include "ideal_times.h"

#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_plan.h"
#include "ace_program.h"

/* One member's cycle is at[member * stride]. */
typedef struct line {
    uint64_t *at;
    uint64_t stride;
    unsigned n;
} line;

typedef struct sweep {
    const ideal_paths *paths;
    unsigned dim, kind; /* kind: of the phase; ACE_PHASE_NONE: rows take the shortest path */
    bool odd, last;     /* which chunks; whether this is the last phase */
} sweep;

unsigned ideal_dims(const ace_command *c) {
    unsigned dims = 0;

    for (unsigned i = 0; i < c->dim_count; i++) dims |= 1U << c->dims[i];
    return dims;
}

uint64_t ideal_member(const ace_command *c, const ace_config *cfg) {
    const unsigned dims = ideal_dims(c);
    uint64_t number = 0, stride = 1;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        if (!(dims >> d & 1)) continue;
        number += cfg->rank[d] * stride;
        stride *= cfg->ring[d];
    }
    return number;
}

/* Returns the cycles of a row that moves `up` ranks along a dimension. A hub needs one step. */
static uint64_t across(const ideal_paths *p, unsigned d, unsigned up) {
    const unsigned ring = p->cfg->ring[d], hops = 2 * up > ring ? ring - up : up;

    return (p->cfg->hub[d] && hops ? 1 : hops) * p->step[d];
}

uint64_t ideal_distance(const ideal_paths *p, const ace_command *c, uint64_t from, uint64_t to) {
    const unsigned dims = ideal_dims(c);
    uint64_t cycles = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = p->cfg->ring[d];

        if (!(dims >> d & 1)) continue;
        cycles += across(p, d, (unsigned)((to % ring + ring - from % ring) % ring));
        from /= ring;
        to /= ring;
    }
    return cycles;
}

/* Each member but one has rows of its own; then each member's result needs rows of all others. */
static bool each_has_rows(const ace_command *c, const ace_config *cfg) {
    return c->bytes > (ace_plan_members(c, cfg) - 1) * ACE_ROW_BYTES;
}

ideal_need ideal_needs(const ace_command *c, const ace_config *cfg, uint64_t member) {
    switch (c->kind) {
    case ACE_BROADCAST:
        return each_has_rows(c, cfg) ? IDEAL_NEEDS_ALL
               : member == c->root   ? IDEAL_NEEDS_NOBODY
                                     : IDEAL_NEEDS_ROOT;
    case ACE_SCATTER:
        return member != c->root && c->bytes > member * ace_plan_block_rows(c, cfg) * ACE_ROW_BYTES
                   ? IDEAL_NEEDS_ROOT
                   : IDEAL_NEEDS_NOBODY;
    case ACE_SEND: return member == c->peer ? IDEAL_NEEDS_ROOT : IDEAL_NEEDS_NOBODY;
    case ACE_GATHER:
        return member == c->root && each_has_rows(c, cfg) ? IDEAL_NEEDS_ALL : IDEAL_NEEDS_NOBODY;
    case ACE_ALL_TO_ALL_V: /* a member may get no rows */
    case ACE_LIST:
    case ACE_MESSAGES: return IDEAL_NEEDS_NOBODY;
    default: return IDEAL_NEEDS_ALL;
    }
}

static const uint32_t *words_of(void *self, unsigned member) {
    return ((const uint32_t(*)[ACE_PROGRAM_WORDS])self)[member];
}

/* Fills a line of a sweep whose members all begin in one cycle. */
static void sweep_equal(const sweep *s, const line *of) {
    const ideal_paths *const p = s->paths;
    const uint16_t *const steps = p->steps->at[s->dim][s->odd][s->kind];
    const uint64_t begin = *of->at;
    uint16_t least = UINT16_MAX;

    for (unsigned i = 0; i < of->n; i++)
        if (steps[i] < least) least = steps[i];
    for (unsigned i = 0; i < of->n; i++)
        of->at[i * of->stride] =
            begin + (s->kind == ACE_PHASE_NONE ? across(p, s->dim, of->n / 2)
                                               : (s->last ? steps[i] : least) * p->step[s->dim]);
}

/* A later phase begins with the first member that has this one's result. */
static int sweep_programs(const sweep *s, const line *of) {
    const ideal_paths *const p = s->paths;
    uint64_t start[ACE_MEMBERS], complete[ACE_MEMBERS], first = UINT64_MAX;

    for (unsigned i = 0; i < of->n; i++) start[i] = of->at[i * of->stride];
    const int e = ace_program_times(words_of, (void *)(uintptr_t)p->steps->words[s->dim], s->kind,
                                    s->dim, of->n, s->odd, start, p->step[s->dim], complete);

    if (e != ACE_OK) return e;
    for (unsigned i = 0; i < of->n; i++)
        if (complete[i] < first) first = complete[i];
    for (unsigned i = 0; i < of->n; i++) of->at[i * of->stride] = s->last ? complete[i] : first;
    return ACE_OK;
}

static void sweep_paths(const sweep *s, const line *of) {
    uint64_t start[ACE_MEMBERS];

    for (unsigned i = 0; i < of->n; i++) start[i] = of->at[i * of->stride];
    for (unsigned i = 0; i < of->n; i++)
        for (unsigned j = 0; j < of->n; j++) {
            const uint64_t at = start[j] + across(s->paths, s->dim, i < j ? j - i : i - j);

            if (of->at[i * of->stride] < at) of->at[i * of->stride] = at;
        }
}

static int sweep_line(const sweep *s, const line *of) {
    bool equal = true;

    for (unsigned i = 1; i < of->n; i++) equal = equal && of->at[i * of->stride] == *of->at;
    if (equal)
        sweep_equal(s, of);
    else if (s->kind == ACE_PHASE_NONE)
        sweep_paths(s, of);
    else
        return sweep_programs(s, of);
    return ACE_OK;
}

/* Sweeps all lines of a dimension. */
static int sweep_all(const sweep *s, unsigned dims, uint64_t members, uint64_t *at) {
    const ace_config *const cfg = s->paths->cfg;
    line of = { .stride = 1, .n = cfg->ring[s->dim] };
    int e = ACE_OK;

    for (unsigned d = 0; d < s->dim; d++)
        if (dims >> d & 1) of.stride *= cfg->ring[d];
    for (uint64_t i = 0; i < members && e == ACE_OK; i++) {
        if (i / of.stride % of.n) continue;
        of.at = &at[i];
        e = sweep_line(s, &of);
    }
    return e;
}

/* Sweeps the phases of even or odd chunks. */
static int sweep_phases(const ideal_paths *p, const ace_command *c, bool odd, uint64_t *at) {
    const uint64_t members = ace_plan_members(c, p->cfg);
    ace_chunk_plan plan;
    int e = ACE_OK;

    ace_plan_chunk(c, p->cfg, 0, &plan);
    for (unsigned j = 0; j < ACE_CLUSTER_PHASES && e == ACE_OK; j++) { /* right-aligned */
        const ace_phase *const f = &plan.phase[j];
        const sweep s = { .paths = p,
                          .dim = f->dim,
                          .kind = f->kind,
                          .odd = odd,
                          .last = j + 1 == ACE_CLUSTER_PHASES };

        if (f->kind != ACE_PHASE_NONE) e = sweep_all(&s, ideal_dims(c), members, at);
    }
    return e;
}

static bool all_equal(const uint64_t *at, uint64_t members) {
    for (uint64_t i = 1; i < members; i++)
        if (at[i] != *at) return false;
    return true;
}

/* A command of several chunks has chunks of both parities, and needs both. The only chunk of a
 * command has the parity that the chunk before it leaves. If the members begin together, that
 * parity is taken to be even. Otherwise each member takes the parity that is earlier. */
static int times_of_phases(const ideal_paths *p, const ace_command *c, uint64_t *start) {
    const uint64_t members = ace_plan_members(c, p->cfg);
    const bool several = ace_plan_chunks(c, p->cfg) > 1;

    if (!several && all_equal(start, members)) return sweep_phases(p, c, false, start);
    uint64_t *const other = malloc(members * sizeof *other);
    if (!other) return ACE_ENOMEM;
    memcpy(other, start, members * sizeof *other);
    int e = sweep_phases(p, c, false, start);
    if (e == ACE_OK) e = sweep_phases(p, c, true, other);
    for (uint64_t i = 0; i < members; i++)
        if (several ? other[i] > start[i] : other[i] < start[i]) start[i] = other[i];
    free(other);
    return e;
}

/* The latest start, and the latest one of the other members. */
typedef struct latest {
    uint64_t member, start, of_others;
} latest;

static latest latest_of(const uint64_t *start, uint64_t members) {
    latest l = { 0 };

    for (uint64_t i = 0; i < members; i++)
        if (start[i] >= l.start) {
            l = (latest){ i, start[i], l.start };
        } else if (start[i] > l.of_others) {
            l.of_others = start[i];
        }
    return l;
}

static int sweep_dimensions(const ideal_paths *p, const ace_command *c, uint64_t *start) {
    const uint64_t members = ace_plan_members(c, p->cfg);
    const unsigned dims = ideal_dims(c);
    int e = ACE_OK;

    for (unsigned d = 0; d < ACE_DIMENSIONS && e == ACE_OK; d++)
        if (dims >> d & 1) e = sweep_all(&(sweep){ .paths = p, .dim = d }, dims, members, start);
    return e;
}

/* A row from another member takes a step at least, independent of what the sweeps find. */
int ideal_times(const ideal_paths *p, const ace_command *c, uint64_t *start) {
    const uint64_t members = ace_plan_members(c, p->cfg);
    const latest l = latest_of(start, members);
    uint64_t least = UINT64_MAX;
    const int e = ace_composed(c) || c->kind == ACE_ALL_TO_ALL ? sweep_dimensions(p, c, start)
                                                               : times_of_phases(p, c, start);

    for (unsigned i = 0; i < c->dim_count; i++)
        if (p->cfg->ring[c->dims[i]] > 1 && p->step[c->dims[i]] < least)
            least = p->step[c->dims[i]];
    for (uint64_t i = 0; i < members && least != UINT64_MAX; i++) {
        const uint64_t after = (i == l.member ? l.of_others : l.start) + least;

        if (start[i] < after) start[i] = after;
    }
    return e;
}

/* A row of an all-to-all leaves its node along the first dimension in which its receiver is
 * elsewhere, so a node's own rows are known. Lists of transfers are taken to be forwarded whole,
 * but for the one sender of a broadcast, a scatter or a send.
 * The rows of phases depend on one another, and all leave after their node begins. */
void ideal_forwarded(const ace_command *c, const ace_config *cfg, uint64_t queued,
                     const uint64_t left[ACE_DIMENSIONS], uint64_t forwarded[ACE_DIMENSIONS]) {
    const unsigned dims = ideal_dims(c);
    const bool one_sends =
        c->kind == ACE_BROADCAST || c->kind == ACE_SCATTER || c->kind == ACE_SEND;
    const bool sends = one_sends && ideal_member(c, cfg) == c->root;
    uint64_t beyond = 1; /* members that differ in later dimensions only */

    for (unsigned d = ACE_DIMENSIONS; d--;) {
        uint64_t own = left[d];

        if (ace_composed(c) && !sends) own = 0;
        if (c->kind == ACE_ALL_TO_ALL && dims >> d & 1) {
            const uint64_t rows = (cfg->ring[d] - 1U) * beyond * ace_plan_block_rows(c, cfg);

            own = rows > 2 * queued ? (rows - 2 * queued) * cfg->link_cost[d] : 0;
            beyond *= cfg->ring[d];
        }
        forwarded[d] = left[d] > own ? left[d] - own : 0;
    }
}

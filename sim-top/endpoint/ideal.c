/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal.c -- the ideal endpoint: no memory, no scratchpad, only the links
 *
 * A lower bound that no endpoint can beat.  Each dimension is a server of both its
 * links; a command asks dimension d for the closed form's bytes (where its links get
 * unequally many, for twice those of the busier one), and the
 * dimension serves commands in the configured order (LIFO: the newest first, at
 * once), whole cycles at a time.  A command completes when every dimension has
 * served it, and not before one packet could have gone all its hops, each hop a
 * link latency and one cycle at the endpoint.  It sends nothing on wires: bytes are
 * conserved by construction.
 */
#include "ideal.h"

#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_plan.h"

typedef struct work {
    uint64_t left[ACE_DIMENSIONS]; /* cycles of a link, Q8 */
    uint64_t start, earliest;
    uint16_t tag;
} work;

typedef struct ideal {
    ace_node node;
    ace_config cfg;
    uint32_t latency[ACE_DIMENSIONS];
    uint64_t now;
    uint64_t busy[ACE_DIMENSIONS];
    work *at; /* in order of submission */
    size_t count, room;
    ace_completion *done; /* [taken, finished) wait to be taken */
    size_t taken, finished, done_room;
} ideal;

static void ideal_destroy(ace_node *n) {
    ideal *i = (ideal *)n;

    free(i->at);
    free(i->done);
    free(i);
}

/* What the two links of a dimension do in a cycle, Q8. */
enum { RATE = 2 * ACE_COST_ONE };

/* Whom dimension d serves now, or NULL. */
static work *served(const ideal *i, unsigned d) {
    for (size_t j = 0; j < i->count; j++) {
        work *w = &i->at[i->cfg.order == ACE_LIFO ? i->count - 1 - j : j];
        if (w->start <= i->now && w->left[d]) return w;
    }
    return NULL;
}

static bool over(const work *w) {
    uint64_t left = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) left |= w->left[d];
    return !left;
}

/* The next cycle in which something changes: > now, or UINT64_MAX. */
static uint64_t next_event(const ideal *i) {
    uint64_t t = UINT64_MAX;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const work *w = served(i, d);
        if (!w) continue;
        const uint64_t end = i->now + (w->left[d] + RATE - 1) / RATE;
        if (end < t) t = end;
    }
    for (size_t j = 0; j < i->count; j++) {
        const work *w = &i->at[j];
        if (w->start > i->now && w->start < t) t = w->start;
        if (over(w) && w->earliest > i->now && w->earliest < t) t = w->earliest;
    }
    return t;
}

/* Completes in cycle `now` what can be. */
static void complete(ideal *i) {
    size_t keep = 0;

    for (size_t j = 0; j < i->count; j++) {
        if (over(&i->at[j]) && i->at[j].earliest <= i->now)
            i->done[i->finished++] = (ace_completion){ i->now, i->at[j].tag };
        else
            i->at[keep++] = i->at[j];
    }
    i->count = keep;
}

static void ideal_run(ace_node *n, uint64_t until) {
    ideal *i = (ideal *)n;

    while (i->now < until) {
        work *w[ACE_DIMENSIONS];
        uint64_t t;

        complete(i);
        t = next_event(i);
        if (t > until) t = until;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) w[d] = served(i, d);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            if (!w[d]) continue;
            const uint64_t part = (t - i->now) * RATE;
            w[d]->left[d] -= part < w[d]->left[d] ? part : w[d]->left[d];
            i->busy[d] += t - i->now;
        }
        i->now = t;
    }
}

static uint64_t ideal_quiet_until(const ace_node *n) {
    const ideal *i = (const ideal *)n;

    for (size_t j = 0; j < i->count; j++)
        if (over(&i->at[j]) && i->at[j].earliest <= i->now) return i->now;
    return next_event(i);
}

/* Cycles of so many hops on a ring, of which a hub makes one. */
static uint64_t across(const ideal *i, unsigned d, uint64_t hops) {
    return (i->cfg.hub[d] && hops ? 1 : hops) * (i->latency[d] + UINT64_C(1));
}

/* To the farthest member that is sure to get a row, which a member of an all-to-all-v is not. */
static uint64_t composed_hops(const ideal *i, const ace_command *c) {
    const bool every = c->kind == ACE_BROADCAST || c->kind == ACE_REDUCE ||
                       c->kind == ACE_BARRIER ||
                       ((c->kind == ACE_SCATTER || c->kind == ACE_GATHER) &&
                        c->bytes >= ace_plan_members(c, &i->cfg) * ACE_ROW_BYTES);
    uint64_t cycles = 0;
    unsigned from = c->root, to = c->peer;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = i->cfg.ring[d], up = (to % ring + ring - from % ring) % ring;

        if (!memchr(c->dims, (int)d, c->dim_count)) continue;
        if (every)
            cycles += across(i, d, ring / 2);
        else if (c->kind == ACE_SEND)
            cycles += across(i, d, 2 * up > ring ? ring - up : up);
        from /= ring;
        to /= ring;
    }
    return cycles;
}

/* Cycles a packet takes over all its hops: those of the phases, or to the farthest peer. */
static uint64_t hops(const ideal *i, const ace_command *c) {
    uint64_t cycles = 0;
    ace_chunk_plan plan;

    if (c->kind == ACE_ALL_TO_ALL) {
        for (unsigned j = 0; j < c->dim_count; j++)
            cycles += across(i, c->dims[j], i->cfg.ring[c->dims[j]] / 2);
        return cycles;
    }
    if (ace_composed(c)) return composed_hops(i, c);
    ace_plan_chunk(c, &i->cfg, 0, &plan);
    for (unsigned j = 0; j < ACE_PHASES; j++) {
        const ace_phase *p = &plan.phase[j];
        const uint64_t turns = p->kind == ACE_PHASE_NONE         ? 0
                               : p->kind == ACE_PHASE_ALL_REDUCE ? 2
                                                                 : 1;
        if (turns) cycles += turns * (uint64_t)(p->ring - 1) * (i->latency[p->dim] + 1);
    }
    return cycles;
}

static int ideal_submit(ace_node *n, const ace_command *c, uint64_t cycle) {
    ideal *i = (ideal *)n;
    uint64_t bytes[ACE_DIMENSIONS];
    work w = { .start = cycle, .earliest = cycle + 1, .tag = c->tag };

    if (cycle < i->now || (!c->bytes && !ace_composed(c))) return ACE_EINVAL;
    if (i->count == i->room) {
        const size_t room = i->room ? 2 * i->room : 16;
        work *at = realloc(i->at, room * sizeof *at);
        if (!at) return ACE_ENOMEM;
        i->at = at;
        i->room = room;
    }
    if (i->taken) { /* every command needs a place among the completions */
        for (size_t j = i->taken; j < i->finished; j++) i->done[j - i->taken] = i->done[j];
        i->finished -= i->taken;
        i->taken = 0;
    }
    if (i->finished + i->count + 1 > i->done_room) {
        const size_t room = 2 * (i->finished + i->count + 1);
        ace_completion *done = realloc(i->done, room * sizeof *done);
        if (!done) return ACE_ENOMEM;
        i->done = done;
        i->done_room = room;
    }
    ace_command_bytes(c, &i->cfg, bytes);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        w.left[d] = bytes[d] / ACE_ROW_BYTES * i->cfg.link_cost[d];
    if (ace_composed(c)) { /* the two links of a dimension need not get the same */
        uint64_t link[ACE_LINKS];

        ace_command_link_bytes(c, &i->cfg, link);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const uint64_t up = link[2 * d], down = link[2 * d + 1];
            w.left[d] = 2 * (up > down ? up : down) / ACE_ROW_BYTES * i->cfg.link_cost[d];
        }
    }
    w.earliest += hops(i, c);
    i->at[i->count++] = w;
    return ACE_OK;
}

static bool ideal_completion(ace_node *n, ace_completion *c) {
    ideal *i = (ideal *)n;

    if (i->taken == i->finished) return false;
    *c = i->done[i->taken++];
    return true;
}

static size_t ideal_statistics(const ace_node *n, ace_statistic *to, size_t capacity) {
    static const char *const names[] = {
        "link.x.busy", "link.x.idle", "link.y.busy", "link.y.idle",
        "link.z.busy", "link.z.idle", "link.w.busy", "link.w.idle"
    };
    const ideal *i = (const ideal *)n;
    const size_t count = i->cfg.ring[3] > 1 ? 8 : 6;

    for (size_t j = 0; j < count && j < capacity; j++)
        to[j] = (ace_statistic){ names[j], j % 2 ? i->now - i->busy[j / 2] : i->busy[j / 2] };
    return count;
}

static void ideal_dump(const ace_node *n, FILE *f) {
    const ideal *i = (const ideal *)n;

    fprintf(f, "ideal endpoint, cycle %llu, %zu commands\n", (unsigned long long)i->now, i->count);
}

static int ideal_error(const ace_node *n) {
    (void)n;
    return ACE_OK;
}

static void ideal_state(ace_node *n, ace_state *s) {
    ideal *i = (ideal *)n;
    uint64_t count = i->count, waiting = i->finished - i->taken;

    ACE_STATE(s, i->now);
    ACE_STATE(s, i->busy);
    ACE_STATE(s, count);
    ACE_STATE(s, waiting);
    if (s->failed) return;
    if (s->loading) { /* every command needs a place among the completions */
        free(i->at);
        free(i->done);
        i->room = i->count = (size_t)count;
        i->taken = 0;
        i->finished = (size_t)waiting;
        i->done_room = i->finished + i->count;
        i->at = calloc(i->room + 1, sizeof *i->at);
        i->done = calloc(i->done_room + 1, sizeof *i->done);
        if (!i->at || !i->done) {
            s->failed = true;
            return;
        }
    }
    ace_state_bytes(s, i->at, i->count * sizeof *i->at);
    if (waiting) ace_state_bytes(s, i->done + i->taken, (size_t)waiting * sizeof *i->done);
}

int ideal_node_create(const ace_config *cfg, const uint32_t latency[ACE_DIMENSIONS],
                      ace_node **node) {
    static const ace_node_class class_ = { "ideal",           ideal_destroy, ideal_run,
                                           ideal_quiet_until, ideal_submit,  ideal_completion,
                                           ideal_statistics,  ideal_dump,    ideal_error,
                                           ideal_state };
    ideal *i = calloc(1, sizeof *i);

    if (!i) return ACE_ENOMEM;
    i->node.class_ = &class_;
    i->cfg = *cfg;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) i->latency[d] = latency[d];
    *node = &i->node;
    return ACE_OK;
}

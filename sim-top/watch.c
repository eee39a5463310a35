/* SPDX-License-Identifier: Apache-2.0 */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "ace_wire.h"

/* Stays kept of all members together, and of a context. */
enum { STAYS = 65536, MOST_TURNS = 64, LEAST_TURNS = 2 };

typedef struct context {
    bool open;
    watch_stay stay; /* under way, or over */
    uint32_t turns;
    bool early; /* the neighbour's grant for the next chunk is here before the chunk */
    uint8_t early_mark;
    uint64_t early_cycle;
} context;

typedef struct watched {
    context at[ACE_PHASES][WATCH_CONTEXTS];
    uint64_t seen[ACE_LINKS]; /* flits of the out-wires */
    watch_stay *stays;
    uint64_t count, room, left_out;
} watched;

struct watch {
    unsigned first, past, turns;
    watched *member; /* [past - first] */
};

watch *watch_create(unsigned members, unsigned first, unsigned past) {
    watch *w = calloc(1, sizeof *w);

    if (!w) return NULL;
    w->first = first;
    w->past = past;
    w->turns = STAYS / (members * ACE_PHASES * WATCH_CONTEXTS);
    if (w->turns > MOST_TURNS) w->turns = MOST_TURNS;
    if (w->turns < LEAST_TURNS) w->turns = LEAST_TURNS;
    w->member = calloc(past - first + 1, sizeof *w->member);
    if (w->member) return w;
    free(w);
    return NULL;
}

void watch_destroy(watch *w) {
    if (!w) return;
    for (unsigned i = 0; i < w->past - w->first; i++) free(w->member[i].stays);
    free(w->member);
    free(w);
}

unsigned watch_turns(const watch *w) { return w->turns; }

/* NULL for what is no context. */
static context *find(watched *m, uint8_t code) {
    const unsigned phase = code >> 6, index = code & 63;

    return index < WATCH_CONTEXTS ? &m->at[phase][index] : NULL;
}

/* ---- what comes ------------------------------------------------------------------- */

static void packet(uint64_t cycles[2], uint32_t *packets, uint64_t cycle) {
    if (!(*packets)++) cycles[0] = cycle;
    cycles[1] = cycle;
}

static void arrives(watched *m, const ace_flit *f) {
    context *c;

    if (f->data && !f->routed && (c = find(m, f->context)) && c->open && c->stay.mark == f->tag)
        packet(c->stay.received, &c->stay.packets_received, f->cycle);
    if (!f->grant || !(c = find(m, f->grant_context))) return;
    if (c->open && c->stay.mark == f->grant_tag && !c->stay.granted) {
        c->stay.granted = f->cycle;
        return;
    }
    c->early = true;
    c->early_mark = f->grant_tag;
    c->early_cycle = f->cycle;
}

void watch_arrivals(watch *w, unsigned member, ace_wire *const in[ACE_LINKS], uint64_t until) {
    watched *m = &w->member[member - w->first];

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const uint32_t *row;
        const ace_flit *f;

        for (uint64_t ahead = 0; in[l] && (f = ace_wire_peek(in[l], ahead, &row)); ahead++) {
            if (f->cycle >= until) break;
            arrives(m, f);
        }
    }
}

/* ---- what goes ---------------------------------------------------------------------- */

static bool has_room(watched *m) {
    const uint64_t room = m->room ? 2 * m->room : 64;
    watch_stay *stays;

    if (m->count < m->room) return true;
    stays = realloc(m->stays, room * sizeof *stays);
    if (!stays) return false;
    m->stays = stays;
    m->room = room;
    return true;
}

static void keep(const watch *w, watched *m, context *c) {
    c->open = false;
    if (c->stay.turn < w->turns && has_room(m))
        m->stays[m->count++] = c->stay;
    else
        m->left_out++;
}

static void leaves(const watch *w, watched *m, const ace_flit *f, uint64_t cycle, unsigned link) {
    context *c;

    if (f->data && !f->routed && (c = find(m, f->context)) && c->open && c->stay.mark == f->tag) {
        packet(c->stay.sent, &c->stay.packets_sent, cycle);
        c->stay.link = (uint8_t)link;
    }
    if (!f->grant || !(c = find(m, f->grant_context))) return;
    if (c->open) keep(w, m, c);
    c->open = true;
    c->stay = (watch_stay){ .entered = cycle,
                            .turn = c->turns++,
                            .phase = f->grant_context >> 6,
                            .context = f->grant_context & 63,
                            .mark = f->grant_tag };
    if (c->early && c->early_mark == f->grant_tag) c->stay.granted = c->early_cycle;
    c->early = false;
}

/* The flits of all wires in the order of their cycles. */
void watch_departures(watch *w, unsigned member, ace_wire *const out[ACE_LINKS]) {
    watched *m = &w->member[member - w->first];

    for (;;) {
        uint64_t soonest = UINT64_MAX;
        const ace_flit *first = NULL;
        unsigned at = 0;

        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const ace_flit *f = out[l] ? ace_wire_sent(out[l], m->seen[l]) : NULL;

            if (!f || f->cycle - ace_wire_latency(out[l]) >= soonest) continue;
            soonest = f->cycle - ace_wire_latency(out[l]);
            first = f;
            at = l;
        }
        if (!first) return;
        m->seen[at]++;
        leaves(w, m, first, soonest, at);
    }
}

/* ---- afterwards ------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
    const watch_stay *x = a, *y = b;

    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    if (x->context != y->context) return x->context < y->context ? -1 : 1;
    return x->turn < y->turn ? -1 : x->turn > y->turn;
}

const watch_stay *watch_stays(watch *w, unsigned member, size_t *count, uint64_t *left_out) {
    watched *m = &w->member[member - w->first];

    for (unsigned p = 0; p < ACE_PHASES; p++)
        for (unsigned i = 0; i < WATCH_CONTEXTS; i++)
            if (m->at[p][i].open) keep(w, m, &m->at[p][i]);
    if (m->count) qsort(m->stays, m->count, sizeof *m->stays, by_place);
    *count = m->count;
    *left_out = m->left_out;
    return m->stays;
}

void watch_state(watch *w, ace_state *s) {
    for (unsigned i = 0; i < w->past - w->first && !s->failed; i++) {
        watched *m = &w->member[i];

        ACE_STATE(s, m->at);
        ACE_STATE(s, m->seen);
        ACE_STATE(s, m->left_out);
        ACE_STATE(s, m->count);
        if (s->loading && !s->failed) {
            free(m->stays);
            m->room = m->count;
            m->stays = m->count <= STAYS ? malloc((m->count + 1) * sizeof *m->stays) : NULL;
            s->failed = !m->stays;
        }
        ace_state_bytes(s, m->stays, m->count * sizeof *m->stays);
    }
}

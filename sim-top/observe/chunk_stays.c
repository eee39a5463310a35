/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_stays.c -- follows chunks by the grants and packets on a node's wires
 *
 * A grant that leaves opens a stay in its context. Packets with the stay's context and tag update
 * the stay. A stay is over when the next one opens or the node is idle. A neighbour's grant may
 * come before the chunk, and is then kept until the chunk enters.
 */
#include "chunk_stays.h"

#include <stdlib.h>

#include "ace_wire.h"

typedef struct context {
    bool open;
    chunk_stay stay; /* current, or the last one */
    chunk_stay end;  /* the stay before; entered 0: there is none */
    uint32_t stays;
    bool early; /* the neighbour's grant for the next chunk came before the chunk */
    uint8_t early_mark;
    uint64_t early_cycle;
} context;

typedef struct watched {
    context at[ACE_PHASES][WATCH_CONTEXTS];
    uint64_t seen[ACE_LINKS]; /* flits of the out-wires that have been processed */
} watched;

struct chunk_stays {
    unsigned first, end;
    chunk_stay_over *over;
    void *self;
    watched *representative; /* [past - first] */
};

chunk_stays *chunk_stays_create(unsigned first, unsigned end, chunk_stay_over *over, void *self) {
    chunk_stays *w = calloc(1, sizeof *w);

    if (!w) return NULL;
    *w = (chunk_stays){ .first = first, .end = end, .over = over, .self = self };
    w->representative = calloc(end - first + 1, sizeof *w->representative);
    if (w->representative) return w;
    free(w);
    return NULL;
}

void chunk_stays_destroy(chunk_stays *w) {
    if (!w) return;
    free(w->representative);
    free(w);
}

/* Returns the context, or NULL for codes that are no context, such as the numbers by which nodes
 * agree on an order. */
static context *find(watched *m, uint8_t code) {
    const unsigned phase = ace_context_phase(code), index = ace_context_index(code);

    return phase < ACE_PHASES && index < WATCH_CONTEXTS ? &m->at[phase][index] : NULL;
}

/* ---- what comes ------------------------------------------------------------------- */

static void packet(uint64_t cycles[2], uint32_t *packets, uint64_t cycle) {
    if (!(*packets)++) cycles[0] = cycle;
    cycles[1] = cycle;
}

static void arrives(watched *m, const ace_flit *f) {
    context *c;

    if (f->data && !f->routed && (c = find(m, f->context)) && c->open && c->stay.mark == f->mark)
        packet(c->stay.received, &c->stay.packets_received, f->cycle);
    if (!f->grant || !(c = find(m, f->grant_context))) return;
    if (c->open && c->stay.mark == f->grant_mark && !c->stay.granted) {
        c->stay.granted = f->cycle;
        return;
    }
    c->early = true;
    c->early_mark = f->grant_mark;
    c->early_cycle = f->cycle;
}

void chunk_stays_arrivals(chunk_stays *w, unsigned representative, ace_wire *const in[ACE_LINKS],
                          uint64_t until) {
    watched *m = &w->representative[representative - w->first];

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

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t chunk_stays_end(const chunk_stay *s) {
    return later(later(s->sent[1], s->received[1]), later(s->entered, s->granted));
}

static bool leads_to(const chunk_stay *before, const chunk_stay *s) {
    return before->entered && before->mark == s->mark && chunk_stays_end(before) <= s->entered;
}

/* A chunk keeps the number of its context from phase to phase, and enters when that context is
 * free. Its last stay is therefore the current or the previous stay of that context in an earlier
 * phase. */
static const chunk_stay *before(const watched *m, const chunk_stay *s) {
    for (unsigned p = s->phase; p-- > 0;) {
        const context *c = &m->at[p][s->context];

        if (c->open && leads_to(&c->stay, s)) return &c->stay;
        if (leads_to(&c->end, s)) return &c->end;
    }
    return NULL;
}

static void report(const chunk_stays *w, const watched *m, context *c) {
    w->over(w->self, w->first + (unsigned)(m - w->representative), &c->stay, before(m, &c->stay));
    c->end = c->stay;
    c->open = false;
}

static void leaves(const chunk_stays *w, watched *m, const ace_flit *f, uint64_t cycle,
                   unsigned link) {
    context *c;

    if (f->data && !f->routed && (c = find(m, f->context)) && c->open && c->stay.mark == f->mark) {
        packet(c->stay.sent, &c->stay.packets_sent, cycle);
        c->stay.link = (uint8_t)link;
    }
    if (!f->grant || !(c = find(m, f->grant_context))) return;
    if (c->open) report(w, m, c);
    c->open = true;
    c->stay = (chunk_stay){ .entered = cycle,
                            .number = c->stays++,
                            .phase = (uint8_t)ace_context_phase(f->grant_context),
                            .context = (uint8_t)ace_context_index(f->grant_context),
                            .mark = f->grant_mark };
    if (c->early && c->early_mark == f->grant_mark) c->stay.granted = c->early_cycle;
    c->early = false;
}

/* Processes the flits of all wires in the order of their cycles. */
void chunk_stays_departures(chunk_stays *w, unsigned representative,
                            ace_wire *const out[ACE_LINKS]) {
    watched *m = &w->representative[representative - w->first];

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

/* ---- between --------------------------------------------------------------------------- */

void chunk_stays_idle(chunk_stays *w, unsigned representative) {
    watched *m = &w->representative[representative - w->first];

    for (unsigned p = 0; p < ACE_PHASES; p++)
        for (unsigned i = 0; i < WATCH_CONTEXTS; i++)
            if (m->at[p][i].open) report(w, m, &m->at[p][i]);
}

uint64_t chunk_stays_known(const chunk_stays *w, unsigned representative, uint64_t now) {
    const watched *m = &w->representative[representative - w->first];

    for (unsigned p = 0; p < ACE_PHASES; p++)
        for (unsigned i = 0; i < WATCH_CONTEXTS; i++)
            if (m->at[p][i].open && m->at[p][i].stay.entered < now) now = m->at[p][i].stay.entered;
    return now;
}

static bool stay_is(const chunk_stay *s) {
    return s->phase < ACE_PHASES && s->context < WATCH_CONTEXTS && s->link < ACE_LINKS;
}

void chunk_stays_state(chunk_stays *w, ace_state *s) {
    for (unsigned i = 0; i < w->end - w->first; i++) {
        watched *const m = &w->representative[i];

        ACE_STATE(s, *m);
        for (unsigned at = 0; at < ACE_PHASES * WATCH_CONTEXTS && ace_state_loaded(s); at++) {
            const context *const c = &m->at[at / WATCH_CONTEXTS][at % WATCH_CONTEXTS];

            ACE_STATE_BOOLS(s, "chunk_stays.open", &c->open, &c->early);
            ace_state_must(s, stay_is(&c->stay) && stay_is(&c->end), "chunk_stays.stay");
        }
    }
}

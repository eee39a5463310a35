/* SPDX-License-Identifier: Apache-2.0 */
/* baseline_state.c -- saves and loads the state of an endpoint in software */
#include <string.h>

#include "baseline_inside.h"

/* The values that never change. A checkpoint must have the same. */
typedef struct constants {
    ace_config cfg;
    unsigned dimensions;
    bool lazy;
    stream stream[STREAMS];
    uint64_t costs[3];
    uint32_t latency;
} constants;

static constants constants_of(const baseline *n) {
    constants c = { .cfg = n->cfg,
                    .dimensions = n->dimensions,
                    .costs = { n->memory.reads.cost, n->memory.writes.cost, n->memory.sms.cost },
                    .latency = n->memory.latency };

    memcpy(&c.lazy, &n->lazy, sizeof c.lazy); /* a loaded bool may have an invalid value */
    memcpy(c.stream, n->stream, sizeof c.stream);
    return c;
}

static void check_constants(const baseline *n, const constants *made, ace_state *s) {
    const constants is = constants_of(n);

    ace_state_must(s, !memcmp(&is.cfg, &made->cfg, sizeof is.cfg), "baseline.cfg");
    ace_state_must(s,
                   is.dimensions == made->dimensions && !memcmp(&is.lazy, &made->lazy, 1) &&
                       !memcmp(is.costs, made->costs, sizeof is.costs) &&
                       is.latency == made->latency,
                   "baseline.memory");
    for (unsigned i = 0; i < STREAMS; i++) {
        const stream *const q = &is.stream[i], *const was = &made->stream[i];

        ace_state_must(s,
                       q->first == was->first && q->mask == was->mask && q->window == was->window,
                       "baseline.window");
        ace_state_must(s, q->head <= q->mask && q->count <= q->window, "baseline.stream");
        ace_state_must(s, i == OWN || n->out[i] || !q->count, "baseline.stream");
        ace_state_must(s,
                       (n->with_rows >> i & 1) == (q->count != 0) &&
                           (n->with_room >> i & 1) == (q->count < q->window),
                       "baseline.with_rows");
    }
    ace_state_must(s, !((n->with_rows | n->with_room | n->some_ready) >> STREAMS),
                   "baseline.with_rows");
}

static void check_commands(const baseline *n, ace_state *s) {
    unsigned uncut = 0, waits = 0, open = 0;

    ace_state_must(s, n->entries <= COMMANDS, "baseline.entries");
    ace_state_must(s, n->completion_head < COMMANDS && n->completions <= COMMANDS,
                   "baseline.completions");
    for (unsigned i = 0; i < COMMANDS && ace_state_loaded(s); i++) {
        const waiting *const w = &n->command[i];
        const ace_command *const c = &w->command;

        if (!w->number) continue;
        ace_state_must(s,
                       i < n->entries && c->kind <= ACE_LIST && c->type < ACE_TYPES &&
                           c->op < ACE_OPS && c->dim_count <= ACE_DIMENSIONS,
                       "baseline.command");
        for (unsigned k = 0; ace_state_loaded(s) && k < c->dim_count; k++)
            ace_state_must(s, c->dims[k] < n->dimensions, "baseline.dims");
        ace_state_must(
            s, w->over <= w->cut && w->cut <= w->chunks && (!is_exchange(w) || w->chunks == 1),
            "baseline.cut");
        open++;
        uncut += !is_exchange(w) && w->cut < w->chunks;
        waits += is_exchange(w) && w->cut < w->chunks;
    }
    ace_state_must(s, n->open == open && n->uncut == uncut && n->waiting == waits, "baseline.open");
    ace_state_must(s, open + n->completions <= COMMANDS, "baseline.open");
}

static void check_chunk(const baseline *n, unsigned slot, ace_state *s) {
    const baseline_chunk *const c = &n->chunk[slot];

    ACE_STATE_BOOLS(s, "baseline.chunk", &c->plus, &c->lazy, &c->elsewhere);
    ace_state_must(s, c->command < COMMANDS && c->at <= ACE_PHASES && c->link < ACE_LINKS,
                   "baseline.chunk");
    for (unsigned p = 0; p < ACE_PHASES; p++)
        ace_state_must(s,
                       c->phase[p].kind <= ACE_PHASE_ALL_GATHER && c->phase[p].dim < ACE_DIMENSIONS,
                       "baseline.phase");
    if (!ace_state_loaded(s)) return;
    ace_state_must(s, !chunk_on_ring(c) || !c->to_do || (n->out[c->link] && n->out[c->link ^ 1]),
                   "baseline.link");
    ace_state_must(s, (n->results >> slot & 1) == (c->results != 0), "baseline.results");
}

/* Checks that nothing is queued for a link without a wire. */
static void check_links(const baseline *n, ace_state *s) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        ace_state_must(s, n->out[l] || !n->grants[l], "baseline.grants");
        ace_state_must(s, (n->granting >> l & 1) == (n->grants[l] != 0), "baseline.granting");
        ace_state_must(s, n->out[l] || ace_link_port_unused(n->port, l), "baseline.port");
        ace_state_must(s,
                       n->out[l] || ace_link_port_unused(baseline_exchange_ports(n->exchange), l),
                       "baseline_exchange.port");
    }
    ace_state_must(s, !(n->granting >> ACE_LINKS) && n->turn < ACE_LINKS, "baseline.turn");
}

static void check(const baseline *n, ace_state *s) {
    ACE_STATE_BOOLS(s, "baseline.exchanging", &n->exchanging);
    ace_state_must(s, n->oldest <= n->newest && n->newest - n->oldest <= CHUNKS, "baseline.newest");
    check_commands(n, s);
    for (unsigned i = 0; i < CHUNKS && ace_state_loaded(s); i++) check_chunk(n, i, s);
    for (unsigned i = 0; i < STREAMS; i++)
        ace_state_must(s, (n->some_ready >> i & 1) == (n->ready[i] != 0), "baseline.ready");
    ace_state_must(s, n->write_head < WRITES && n->writes <= WRITES, "baseline.writes");
    for (uint32_t i = 0; i < n->writes && ace_state_loaded(s); i++) {
        const writing *const w = &n->write[(n->write_head + i) % WRITES];

        ACE_STATE_BOOLS(s, "baseline.write", &w->result);
        ace_state_must(s, w->slot < CHUNKS, "baseline.write");
    }
}

static void flight_state(flight *f, ace_state *s) {
    ACE_STATE(s, *f);
    ACE_STATE_BOOLS(s, "baseline.flight", &f->result);
    ace_state_must(s, f->slot < CHUNKS, "baseline.flight");
}

static void list_state(list *l, ace_state *s) {
    uint32_t bytes = l->bytes;
    void *words = l->words;

    ACE_STATE(s, bytes);
    ace_state_must(s, !(bytes % ACE_LIST_ITEM_BYTES), "baseline.list");
    ace_state_array(s, &words, bytes, 1);
    *l = (list){ .words = words, .bytes = bytes };
}

void baseline_state(ace_node *node, uint64_t now, ace_state *s) {
    baseline *n = self(node);
    const constants made = constants_of(n);
    const unsigned room = n->arrival_room;

    n->arrivals_taken = n->arrivals = 0; /* all arrivals were taken: see ace_node_arrival() */
    ACE_STATE_BUT(s, *n, &n->node.class_, &n->flights, &n->port, &n->list, &n->arrived,
                  &n->exchange, &n->in[0], &n->in[1], &n->in[2], &n->in[3], &n->in[4], &n->in[5],
                  &n->in[6], &n->in[7], &n->out[0], &n->out[1], &n->out[2], &n->out[3], &n->out[4],
                  &n->out[5], &n->out[6], &n->out[7]);
    n->arrival_room = room;
    n->arrivals_taken = n->arrivals = 0;
    ace_state_must(s, now == UINT64_MAX || n->now == now, "baseline.now");
    if (ace_state_loaded(s)) check_constants(n, &made, s);
    for (unsigned i = 0; i < STREAMS && !s->failed; i++)
        for (uint32_t k = 0; k < n->stream[i].count; k++)
            flight_state(flight_of(n, &n->stream[i], k), s);
    if (ace_state_loaded(s)) check(n, s);
    for (unsigned i = 0; i < COMMANDS && !s->failed; i++) list_state(&n->list[i], s);
    ace_link_port_state(n->port, s);
    baseline_exchange_state(n->exchange, s);
    if (ace_state_loaded(s)) check_links(n, s);
}

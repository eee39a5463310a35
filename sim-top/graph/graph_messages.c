/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_messages.c -- a hash table of channels, filled from all graphs before the run
 *
 * Each channel counts sends and receives, and gets a number at its receiver. graph_step_of()
 * defines what a collective by messages sends in each step. A balance without a table adds a hash
 * for each send and subtracts it for each receive, so any order gives 0 if all match.
 */
#include "graph_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ace_composition.h"
#include "exit_status.h"
#include "message.h"

typedef struct entry {
    graph_channel channel;
    uint64_t sends, receives;         /* number of each; both 0: the entry is unused */
    uint64_t send_node, receive_node; /* the latest of each */
    uint32_t number;                  /* at the receiver; UINT32_MAX: no receive yet */
} entry;

struct graph_messages {
    ace_config cfg;
    bool links; /* count bytes on links */
    unsigned npus;
    entry *at; /* a hash table */
    size_t count, room;
    uint64_t sent;
    uint32_t *channels;                        /* for each NPU */
    uint64_t (*bytes)[ACE_CLUSTER_DIMENSIONS]; /* on the links of each NPU */
    uint64_t (*own)[ACE_CLUSTER_DIMENSIONS];   /* the part of these that the NPU sends itself */
    unsigned sender;                           /* sender of the current message */
};

/* ---- the steps of a collective ------------------------------------------------------------ */

static uint64_t rows_of(uint64_t bytes) { return (bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES; }

/* Shards and blocks are whole rows, as on rings. */
static uint64_t shard_bytes(const graph_node *n) {
    return (rows_of(n->command.bytes) + n->members - 1) / n->members * ACE_ROW_BYTES;
}

static bool scatters(const graph_node *n) { return rows_of(n->command.bytes) >= n->members; }

unsigned graph_steps(const graph_node *n) {
    return n->command.kind == ACE_ALL_REDUCE || (n->command.kind == ACE_BROADCAST && scatters(n))
               ? 2
               : 1;
}

graph_step graph_step_of(const graph_node *n, unsigned step) {
    graph_step s = { .to = WHO_OTHERS, .from = WHO_OTHERS, .bytes = shard_bytes(n) };
    const ace_kind kind = n->command.kind;

    if (kind == ACE_BARRIER) s.bytes = 0;
    if (step == 0 && (kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER))
        /* all shards are read, one is written */
        s.sum_bytes = (n->members + UINT64_C(1)) * s.bytes;
    if (step == 0 && kind == ACE_BROADCAST) {
        s.to = n->own ? WHO_NOBODY : WHO_OTHERS;
        s.from = n->own ? WHO_FIRST : WHO_NOBODY;
        if (!scatters(n)) s.bytes = n->command.bytes;
    }
    return s;
}

/* ---- channels ------------------------------------------------------------------------------- */

graph_messages *graph_messages_create(unsigned npus, const ace_config *cfg) {
    graph_messages *m = calloc(1, sizeof *m);

    if (!m) return NULL;
    m->links = cfg != NULL;
    if (cfg) m->cfg = *cfg;
    m->npus = npus;
    m->channels = calloc(m->npus, sizeof *m->channels);
    m->bytes = calloc(m->npus, sizeof *m->bytes);
    m->own = calloc(m->npus, sizeof *m->own);
    m->room = 64;
    m->at = calloc(m->room, sizeof *m->at);
    if (m->channels && m->bytes && m->own && m->at) return m;
    graph_messages_destroy(m);
    return NULL;
}

void graph_messages_destroy(graph_messages *m) {
    if (!m) return;
    free(m->channels);
    free(m->bytes);
    free(m->own);
    free(m->at);
    free(m);
}

uint64_t graph_channel_hash(const graph_channel *c) {
    uint64_t h = (uint64_t)c->from << 32 | c->to;

    h = (h ^ c->tag) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29 ^ c->bytes) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 32;
}

/* Adds a word to a digest. Each bit of the digest depends on each bit of the word. */
static uint64_t mixed(uint64_t h, uint64_t word) {
    h = (h ^ word) + UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

void graph_balance_add(graph_balance *b, const graph_node *n, unsigned npu) {
    const bool send = n->kind == GRAPH_SEND;
    const uint64_t ends = send ? (uint64_t)npu << 32 | n->peer : (uint64_t)n->peer << 32 | npu;

    if (!send && n->kind != GRAPH_RECEIVE) return;
    b->sent += send;
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t h = mixed(mixed(mixed(i, ends), n->tag), n->command.bytes);

        b->sum[i] += send ? h : -h;
    }
}

static bool is_free(const entry *e) { return !e->sends && !e->receives; }

/* Returns the entry of a channel, or the unused one where it would be inserted. */
static entry *find(const graph_messages *m, const graph_channel *c) {
    for (size_t i = (size_t)graph_channel_hash(c);; i++) {
        entry *e = &m->at[i & (m->room - 1)];
        const graph_channel *d = &e->channel;

        if (is_free(e) ||
            (d->from == c->from && d->to == c->to && d->tag == c->tag && d->bytes == c->bytes))
            return e;
    }
}

static bool grow(graph_messages *m) {
    const graph_messages before = *m;

    m->room *= 2;
    m->at = calloc(m->room, sizeof *m->at);
    if (!m->at) {
        *m = before;
        return false;
    }
    for (size_t i = 0; i < before.room; i++)
        if (!is_free(&before.at[i])) *find(m, &before.at[i].channel) = before.at[i];
    free(before.at);
    return true;
}

/* Returns the entry of a channel, new if needed; NULL when there is no memory. */
static entry *take(graph_messages *m, const graph_channel *c) {
    entry *e;

    if (2 * m->count >= m->room && !grow(m)) return NULL;
    e = find(m, c);
    if (!is_free(e)) return e;
    *e = (entry){ .channel = *c, .number = UINT32_MAX };
    m->count++;
    return e;
}

static ace_config config_of(const graph_messages *m, unsigned npu) {
    ace_config cfg = m->cfg;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        cfg.rank[d] = (uint16_t)(npu % cfg.ring[d]);
        npu /= cfg.ring[d];
    }
    return cfg;
}

static void cross(void *self, uint32_t node, unsigned link, uint64_t rows) {
    graph_messages *m = self;

    m->bytes[node][link / 2] += rows * ACE_ROW_BYTES;
    if (node == m->sender) m->own[node][link / 2] += rows * ACE_ROW_BYTES;
}

static bool add_send(graph_messages *m, const graph_channel *c, uint64_t node) {
    entry *e = take(m, c);
    const ace_message message = { .peer = c->to, .bytes = c->bytes };
    ace_config cfg;

    if (!e) return false;
    e->sends++;
    e->send_node = node;
    m->sent++;
    if (!m->links) return true;
    cfg = config_of(m, c->from);
    m->sender = c->from;
    ace_message_links(&cfg, &message, cross, m);
    return true;
}

static bool add_receive(graph_messages *m, const graph_channel *c, uint64_t node) {
    entry *e = take(m, c);

    if (!e) return false;
    e->receives++;
    e->receive_node = node;
    if (e->number == UINT32_MAX) e->number = m->channels[c->to]++;
    return true;
}

static bool add_step(graph_messages *m, const graph_node *n, unsigned npu, unsigned step) {
    const graph_step s = graph_step_of(n, step);
    bool ok = true;

    for (unsigned k = 0; ok && k + 1 < n->members; k++) {
        const unsigned other = graph_other(n, k);
        const graph_channel out = { npu, other, graph_step_tag(n, step), s.bytes };
        const graph_channel in = { other, npu, graph_step_tag(n, step), s.bytes };

        if (s.to == WHO_OTHERS) ok = add_send(m, &out, n->id);
        if (s.from == WHO_OTHERS || (s.from == WHO_FIRST && other == n->member[0]))
            ok = ok && add_receive(m, &in, n->id);
    }
    return ok;
}

int graph_messages_add(graph_messages *m, const graph_node *n, unsigned npu) {
    bool ok = true;

    if (n->kind == GRAPH_SEND)
        ok = add_send(m, &(graph_channel){ npu, n->peer, n->tag, n->command.bytes }, n->id);
    else if (n->kind == GRAPH_RECEIVE)
        ok = add_receive(m, &(graph_channel){ n->peer, npu, n->tag, n->command.bytes }, n->id);
    else if (graph_by_messages(n))
        for (unsigned step = 0; ok && step < graph_steps(n); step++) ok = add_step(m, n, npu, step);
    return ok ? EXIT_OK : message_no_memory();
}

/* Returns the first channel with the same ends and tag that lacks what this one has too many of. */
static const entry *counterpart(const graph_messages *m, const entry *e) {
    for (size_t i = 0; i < m->room; i++) {
        const entry *o = &m->at[i];

        if (is_free(o) || o->channel.from != e->channel.from || o->channel.to != e->channel.to ||
            o->channel.tag != e->channel.tag ||
            (o->sends < o->receives) == (e->sends < e->receives))
            continue;
        if (o->sends != o->receives) return o;
    }
    return NULL;
}

static void name_of_prefix(const void *self, unsigned npu, char *to, size_t room) {
    snprintf(to, room, "%s.%u.et", (const char *)self, npu);
}

int graph_messages_check(const graph_messages *m, const char *prefix) {
    return graph_messages_check_named(m, name_of_prefix, prefix);
}

int graph_messages_check_named(const graph_messages *m, graph_messages_name *name,
                               const void *self) {
    char graph[4200];
    const entry *worst = NULL, *other;

    /* the lowest NPU and then the lowest node, so that equal graphs give the same message */
    for (size_t i = 0; i < m->room; i++) {
        const entry *e = &m->at[i];
        const bool sent = e->sends > e->receives;
        const uint32_t npu = sent ? e->channel.from : e->channel.to;

        if (is_free(e) || e->sends == e->receives) continue;
        if (worst) {
            const bool s = worst->sends > worst->receives;
            const uint32_t w = s ? worst->channel.from : worst->channel.to;
            const uint64_t a = sent ? e->send_node : e->receive_node;
            const uint64_t b = s ? worst->send_node : worst->receive_node;

            if (npu > w || (npu == w && a >= b)) continue;
        }
        worst = e;
    }
    if (!worst) return EXIT_OK;
    const graph_channel *c = &worst->channel;
    const bool sent = worst->sends > worst->receives;
    name(self, sent ? c->from : c->to, graph, sizeof graph);
    fprintf(stderr,
            "acesim: %s: node %" PRIu64 ", NPU %u: found %" PRIu64 " messages of tag %" PRIu64
            " and %" PRIu64 " bytes %s NPU %u, which %s %" PRIu64,
            graph, sent ? worst->send_node : worst->receive_node, sent ? c->from : c->to,
            sent ? worst->sends : worst->receives, c->tag, c->bytes,
            sent ? "sent to" : "to come from", sent ? c->to : c->from, sent ? "receives" : "sends",
            sent ? worst->receives : worst->sends);
    other = counterpart(m, worst);
    name(self, sent ? c->to : c->from, graph, sizeof graph);
    if (other)
        fprintf(stderr, " (node %" PRIu64 " of %s has one of %" PRIu64 " bytes)",
                sent ? other->receive_node : other->send_node, graph, other->channel.bytes);
    fprintf(stderr, "; expected as many, of equal peer, tag and size\n");
    return EXIT_USAGE;
}

/* ---- reading ------------------------------------------------------------------------------ */

uint64_t graph_messages_count(const graph_messages *m) { return m->sent; }

uint64_t graph_messages_bytes(const graph_messages *m, unsigned npu, unsigned d) {
    return m->bytes[npu][d];
}

uint64_t graph_messages_own_bytes(const graph_messages *m, unsigned npu, unsigned d) {
    return m->own[npu][d];
}

unsigned graph_messages_channels(const graph_messages *m, unsigned npu) { return m->channels[npu]; }

uint32_t graph_messages_label(const graph_messages *m, const graph_channel *c) {
    const entry *e = find(m, c);

    return is_free(e) ? UINT32_MAX : e->number;
}

bool graph_messages_channel(const graph_messages *m, unsigned npu, uint32_t number,
                            graph_channel *c) {
    for (size_t i = 0; i < m->room; i++) {
        const entry *e = &m->at[i];

        if (is_free(e) || e->channel.to != npu || e->number != number) continue;
        *c = e->channel;
        return true;
    }
    return false;
}

unsigned graph_messages_routes(const graph_messages *m, const graph_channel *c) {
    const ace_config cfg = config_of(m, c->from);

    return ace_message_routes(&cfg, c->to, c->bytes);
}

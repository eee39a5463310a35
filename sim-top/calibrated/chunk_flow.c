/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_flow.c -- the event loop of the calibrated node, and its calls from outside
 *
 * The next event is the earliest of the heap, the memory ports, the links and the exchange. Each
 * event is handled by the file of its part: flow_dispatch, flow_links, flow_memory or
 * flow_exchange. The fetch functions prefetch a node's state before its events are handled,
 * since a large network has more nodes than a cache holds.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ace_program.h"
#include "flow_dispatch.h"
#include "flow_events.h"
#include "flow_exchange.h"
#include "flow_links.h"
#include "flow_memory.h"

/* ---- time -------------------------------------------------------------------------------- */

/* Like fmin(), for two times that are no NaN. */
static double sooner(double a, double b) { return a < b ? a : b; }

static double next_event(const chunk_flow *f) {
    double t = f->heap_count ? f->heap[0].at : NEVER;

    t = sooner(t, sooner(f->read.next, sooner(f->write[0].next, f->write[1].next)));
    for (unsigned l = 0; l < f->links_end; l++) t = sooner(t, f->ends[l]);
    if (!f->exchange.runs) return t;
    return sooner(t, sooner(flow_exchange_ends(&f->exchange), f->exchange.next_change));
}

static void happen(chunk_flow *f, const event *e) {
    switch ((event_kind)e->kind) {
    case DISPATCH:
        f->planning = false;
        f->offers = true;
        flow_dispatch_all(f);
        break;
    case DECIDE: flow_dispatch_all(f); break;
    case JOIN: flow_join(f, e->chunk, e->stage); break;
    case SHARD: flow_next_shard(f, e->chunk, e->stage); break;
    case PORT_CHANGE: flow_port_rates(f); break;
    case OVER:
        f->check |= 1u << e->stage;
        if (e->stage == flow_shape(f, e->chunk)->first) {
            f->loads--;
            f->check |= f->s.plain ? (1u << f->store) - 1 : f->load_waits;
            f->load_waits = 0;
        }
        f->over[e->stage] |= UINT64_C(1) << e->chunk % FLOW_CHUNKS;
        flow_dispatch_all(f);
        break;
    case COMPLETE: flow_complete(f, (uint16_t)e->chunk); break;
    case ENTERED:
        f->entering = false;
        flow_command(f);
        break;
    case EXCHANGE_BEGIN:
        if (!f->exchange.runs) flow_exchange_begin(f);
        break;
    case EXCHANGE_OVER: flow_exchange_next(f); break;
    case ARRIVE:
        if (f->arrival_first == f->arrival_count) f->arrival_first = f->arrival_count = 0;
        if (GROW(f, f->arrivals, f->arrival_count, f->arrival_room))
            f->arrivals[f->arrival_count++] =
                (ace_arrival){ .cycle = (uint64_t)f->now, .label = e->chunk };
        break;
    }
}

static void one_event(chunk_flow *f, double t) {
    if (f->shared & f->busy) f->exchange.unsure += t - f->now;
    f->now = t;
    f->events++;
    if (f->heap_count && f->heap[0].at <= t) {
        const event e = flow_take_first(f);
        happen(f, &e);
        return;
    }
    const double answer = t + f->answer;

    if (f->read.next <= t) {
        const uint32_t chunk = flow_port_take(f, &f->read);

        flow_later(f, answer + f->s.flow->load, OVER, flow_shape(f, chunk)->first, chunk);
        return;
    }
    for (unsigned odd = 0; odd < 2; odd++)
        if (f->write[odd].next <= t) {
            flow_later(f, answer + f->s.flow->store, OVER, f->store,
                       flow_port_take(f, &f->write[odd]));
            return;
        }
    for (unsigned l = 0; l < f->links_end; l++)
        if (f->ends[l] <= t) {
            flow_leave(f, l);
            return;
        }
    if (flow_exchange_ends(&f->exchange) <= t)
        flow_exchange_end(f);
    else
        flow_exchange_rates(f);
}

void chunk_flow_run(chunk_flow *f, uint64_t until) {
    while (f->next < (double)until && f->error == ACE_OK) {
        one_event(f, fmax(f->next, f->now));
        f->next = next_event(f);
    }
    if (f->now < (double)until) f->now = (double)until;
}

static void fetch(const void *from, size_t bytes) {
    const char *at = from, *end = at + bytes;

    for (at -= (uintptr_t)at % FETCHED; at < end; at += FETCHED) __builtin_prefetch(at);
}

void chunk_flow_fetch_head(const chunk_flow *f) { fetch(&f->next, FETCHED); }

void chunk_flow_fetch_slot(const chunk_flow *f) {
    __builtin_prefetch(&f->heap[f->heap_count / 2]);
    __builtin_prefetch(&f->heap[f->heap_count]);
    __builtin_prefetch(f->tokens);
}

void chunk_flow_fetch(const chunk_flow *f, const chunk_flow *like) {
    const size_t first = offsetof(chunk_flow, s.latency), end = offsetof(chunk_flow, links);

    fetch((const char *)f + first, end - first);
    fetch(f->links, like->links_end * sizeof *f->links);
    fetch(&f->exchange, 1);
}

void chunk_flow_fetch_lists(const chunk_flow *f) {
    fetch(f->heap, f->heap_count * sizeof *f->heap);
    fetch(f->shapes, f->shape_count * sizeof *f->shapes);
    fetch(f->commands, f->command_count * sizeof *f->commands);
    fetch(f->tokens, 1);
    for (uint32_t busy = f->busy; busy; busy &= busy - 1) {
        const link *k = &f->links[__builtin_ctz(busy)];

        fetch(k->jobs, k->count * sizeof *k->jobs);
    }
}

uint64_t chunk_flow_next(const chunk_flow *f) {
    return f->next < 0x1p63 ? (uint64_t)f->next : UINT64_MAX;
}

/* ---- from outside ------------------------------------------------------------------------ */

bool chunk_flow_covers(const ace_command *c) { return c->kind <= ACE_ALL_TO_ALL; }

static int submit_exchange(chunk_flow *f, const ace_command *c) {
    exchange *x = &f->exchange;
    exchange_work one = { .c = *c, .handed = f->handed };
    const int e =
        c->kind == ACE_MESSAGES ? message_list_make(c, &f->s.config, &one.messages) : ACE_OK;

    if (e != ACE_OK || !GROW(f, x->waiting, x->count, x->room)) {
        message_list_free(&one.messages);
        return e != ACE_OK ? e : ACE_ENOMEM;
    }
    x->waiting[x->count++] = one;
    x->outside++;
    f->handed++;
    flow_command(f);
    return f->error;
}

int chunk_flow_submit(chunk_flow *f, const ace_command *c, uint64_t cycle) {
    const bool messages = c->kind == ACE_MESSAGES;

    if ((double)cycle < f->now || !(messages || (chunk_flow_covers(c) && c->bytes)))
        return ACE_EINVAL;
    f->now = (double)cycle;
    if (messages || c->kind == ACE_ALL_TO_ALL) return submit_exchange(f, c);
    if (!GROW(f, f->commands, f->command_count, f->command_room)) return ACE_ENOMEM;
    waiting *w = &f->commands[f->command_count++];
    *w = (waiting){ .c = *c, .chunks = ace_plan_chunks(c, &f->s.config), .handed = f->handed++ };
    f->outside++;
    for (unsigned i = 0; i < c->dim_count; i++) w->live += f->s.config.ring[c->dims[i]] > 1;
    flow_command(f);
    return f->error;
}

uint64_t chunk_flow_latency(const chunk_flow *f, const flow_token *t) {
    return t->phase == FLOW_EXCHANGE ? 0 : f->s.latency[__builtin_ctz(t->dims)];
}

void chunk_flow_go(chunk_flow *f, const flow_token *t, uint64_t cycle) {
    if (t->phase != FLOW_EXCHANGE) {
        const unsigned d = (unsigned)__builtin_ctz(t->dims);
        flow_later(f, (double)cycle + f->s.flow->meet[d], JOIN, t->phase, t->number);
        return;
    }
    f->exchange.number++;
    flow_later(f, (double)cycle, EXCHANGE_OVER, 0, 0);
}

bool chunk_flow_completion(chunk_flow *f, ace_completion *c) {
    if (f->done_first == f->done_count) return false;
    *c = f->done[f->done_first++];
    return true;
}

bool chunk_flow_token(chunk_flow *f, unsigned over, flow_token *t) {
    unsigned at = f->token_first;

    while (at < f->token_count && f->tokens[at].dims & ~over) at++;
    if (at == f->token_count) return false;
    *t = f->tokens[at];
    for (; at > f->token_first; at--) f->tokens[at] = f->tokens[at - 1];
    f->token_first++;
    if (f->token_first == f->token_count) f->token_first = f->token_count = 0;
    return true;
}

bool chunk_flow_has_output(const chunk_flow *f) { return f->token_count || f->mail_count; }

bool chunk_flow_mail(chunk_flow *f, flow_mail *m) {
    if (!f->mail_count) return false;
    *m = f->mails[f->mail_first++];
    if (f->mail_first == f->mail_count) f->mail_first = f->mail_count = 0;
    return true;
}

bool chunk_flow_arrival(chunk_flow *f, ace_arrival *a) {
    if (f->arrival_first == f->arrival_count) return false;
    *a = f->arrivals[f->arrival_first++];
    return true;
}

bool chunk_flow_idle(const chunk_flow *f) {
    return !f->command_count && !f->entering && !f->planning && !f->offers && !f->exchange.count &&
           f->dispatched == f->finished[f->store] && f->done_first == f->done_count &&
           !f->heap_count;
}

void chunk_flow_cross(chunk_flow *f, unsigned link, uint64_t rows) { f->links[link].rows += rows; }

uint64_t chunk_flow_sent(const chunk_flow *f, unsigned link) { return f->links[link].rows; }
uint64_t chunk_flow_events(const chunk_flow *f) { return f->events; }
uint64_t chunk_flow_unsure(const chunk_flow *f) { return (uint64_t)f->exchange.unsure; }
int chunk_flow_error(const chunk_flow *f) { return f->error; }

void chunk_flow_dump(const chunk_flow *f, FILE *to) {
    fprintf(to, "calibrated node, cycle %.0f: %u commands wait, chunks dispatched %u\n", f->now,
            f->command_count + f->exchange.count, f->dispatched);
    for (unsigned g = 0; g <= f->store; g++)
        fprintf(to, "  stage %u: %u of %u over\n", g, f->finished[g], f->admitted[g]);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++)
        if (f->links[l].count)
            fprintf(to, "  link %c%c: %u phases of chunks\n", ACE_DIMENSION_LETTERS[l / 2],
                    "+-"[l % 2], f -> links[l].count);
}

/* Allocates the lists that every node needs next to each other, so that its state is in few cache
 * lines. Returns false when there is no memory. */
static bool begin_lists(chunk_flow *f) {
    bool all = GROW(f, f->heap, f->heap_count, f->heap_room) &&
               GROW(f, f->heap, f->heap_room, f->heap_room) &&
               GROW(f, f->tokens, f->token_count, f->token_room);

    for (unsigned l = 0; all && l < f->links_end; l++) {
        unsigned room = 0;

        if (f->s.config.ring[l / 2] == 1) continue;
        all = GROW(f, f->links[l].jobs, 0, room);
        f->links[l].room = (uint16_t)room;
    }
    return all && GROW(f, f->shapes, f->shape_count, f->shape_room) &&
           GROW(f, f->commands, f->command_count, f->command_room);
}

/* Returns whether shards of a dimension are followed one by one. Shards over a hub and on a ring of
 * two are, because they are few. */
static bool goes_by_shards(const ace_config *cfg, unsigned d) {
    bool own = cfg->algorithm[d] && strcmp(ace_program_names[cfg->algorithm[d] - 1], "direct") != 0;

    for (unsigned kind = ACE_PHASE_NONE + 1; kind <= ACE_PHASE_ALL_GATHER; kind++)
        for (unsigned odd = 0; odd < 2 && ace_program_has(cfg, d); odd++)
            own = own || cfg->program[ace_program_entry(kind, d, odd)];
    return cfg->hub[d] ? cfg->ring[d] > 1 && !own
                       : cfg->ring[d] == 2 && ace_program_is_ring(cfg, d);
}

chunk_flow *chunk_flow_create(const chunk_flow_setup *setup) {
    chunk_flow *f = aligned_alloc(FETCHED, sizeof *f);
    ace_config filled = setup->config;

    if (!f) return NULL;
    memset(f, 0, sizeof *f);
    f->next = NEVER;
    f->s = *setup;
    f->answer = setup->config.memory_latency;
    f->fifo = setup->config.order == ACE_FIFO;
    f->phases = setup->parameters.dimensions + 1;
    f->store = f->phases + 1;
    f->contexts = setup->parameters.fsms / f->phases * setup->parameters.contexts;
    for (unsigned p = 0; p < ACE_CLUSTER_PARTITIONS; p++)
        f->room[p] = setup->config.partition_rows[p];
    (void)ace_program_defaults(&filled);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        link *k = &f->links[l];
        const unsigned d = l / 2, n = setup->config.ring[d];

        k->share = 1;
        f->ends[l] = NEVER;
        if (n > 1) f->links_end = l + 1;
        k->cost = flow_cost_of(f, d);
        f->steps[d][l % 2] = n > 1 ? n - 1 : 0;
        f->by_shards |= (uint8_t)(goes_by_shards(&setup->config, d) << d);
        if (n > 1 && ace_program_has(&setup->config, d) && !ace_program_is_ring(&setup->config, d))
            f->steps[d][l % 2] = ace_program_shards(filled.program, ACE_PHASE_REDUCE_SCATTER, d, n,
                                                    setup->config.rank[d], l % 2);
    }
    f->read = f->write[0] = (memory_port){ .share = 1, .next = NEVER };
    f->read.cost = (double)setup->config.read_cost / ACE_COST_ONE * setup->flow->read_share;
    f->write[0].cost = (double)setup->config.write_cost / ACE_COST_ONE * setup->flow->write_share;
    f->write[1] = f->write[0];
    if (begin_lists(f)) return f;
    chunk_flow_destroy(f);
    return NULL;
}

void chunk_flow_destroy(chunk_flow *f) {
    if (!f) return;
    free(f->commands);
    free(f->shapes);
    for (unsigned i = 0; i < f->exchange.count; i++)
        message_list_free(&f->exchange.waiting[i].messages);
    free(f->exchange.waiting);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) free(f->links[l].jobs);
    free(f->mails);
    free(f->arrivals);
    free(f->heap);
    free(f->done);
    free(f->tokens);
    free(f);
}

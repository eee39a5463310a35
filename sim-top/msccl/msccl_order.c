/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_order.c -- pairs sends with receives, sorts the steps, and searches for orders
 *
 * Both ends of the connections are sorted and merged. The order is a topological sort. Steps that
 * remain form a cycle, which is reported. To decide whether x precedes y, a search goes backwards
 * from y. All searches together have a budget.
 */
#include "msccl_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "message.h"

/* Limit of the steps that all searches of an algorithm visit: some seconds. */
#define SEARCHES (UINT64_C(1) << 31)

/* ---- connections ---------------------------------------------------------------------------- */

/* One end of a connection. */
typedef struct end {
    uint32_t from, to, channel, block;
} end;

static int by_connection(const void *a, const void *b) {
    const end *x = a, *y = b;
    const uint32_t l[] = { x->from, x->to, x->channel, x->block };
    const uint32_t r[] = { y->from, y->to, y->channel, y->block };

    for (unsigned i = 0; i < 4; i++)
        if (l[i] != r[i]) return l[i] < r[i] ? -1 : 1;
    return 0;
}

static int compare_ends(const end *x, const end *y) {
    const end a = { x->from, x->to, x->channel, 0 }, b = { y->from, y->to, y->channel, 0 };

    return by_connection(&a, &b);
}

/* Returns the first step of the block, from `at` on, that sends or receives. MSCCL_NONE: there is
 * none. */
static uint32_t next_of(const msccl_algorithm *a, const msccl_block *b, uint32_t at, bool sends) {
    for (; at < b->first + b->steps; at++) {
        const msccl_action does = msccl_action_of((msccl_type)a->step[at].type);

        if (sends ? does.sends : does.receives) return at;
    }
    return MSCCL_NONE;
}

/* Lists the ends that send, or that receive, sorted. Reports two blocks that use the same
 * connection. */
static int make_ends(const msccl_algorithm *a, bool sends, end *to, uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < a->blocks; i++) {
        const msccl_block *b = &a->block[i];

        if (next_of(a, b, b->first, sends) == MSCCL_NONE) continue;
        to[(*count)++] = (end){ sends ? b->gpu : (uint32_t)b->receive,
                                sends ? (uint32_t)b->send : b->gpu, b->channel, i };
    }
    qsort(to, *count, sizeof *to, by_connection);
    for (uint32_t i = 1; i < *count; i++) {
        const msccl_block *b = &a->block[to[i].block];

        if (compare_ends(&to[i - 1], &to[i])) continue;
        fprintf(stderr,
                "acesim: %s:%" PRIu32 ":%" PRIu32 ": gpu %" PRIu32 ": found tb %" PRIu32
                " and tb %" PRIu32 ", which both %s gpu %" PRIu32 " on channel %" PRIu32
                ", expected one of a peer and a channel\n",
                a->file, b->line, b->column, b->gpu, a->block[to[i - 1].block].id, b->id,
                sends ? "send to" : "hear", sends ? to[i].to : to[i].from, b->channel);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int report_single(const msccl_algorithm *a, uint32_t step, const end *e, bool sends) {
    msccl_print_location(a, step);
    fprintf(stderr,
            ": found a message %s gpu %" PRIu32 " on channel %" PRIu32
            " that is never %s, expected as many sent as received\n",
            sends ? "to" : "from", sends ? e->to : e->from, e->channel,
            sends ? "received there" : "sent");
    return EXIT_USAGE;
}

/* Pairs the k-th send with the k-th receive. Either end may be missing. */
static int pair(msccl_algorithm *a, const end *from, const end *to) {
    const msccl_block *s = from ? &a->block[from->block] : NULL;
    const msccl_block *r = to ? &a->block[to->block] : NULL;
    uint32_t send = s ? next_of(a, s, s->first, true) : MSCCL_NONE;
    uint32_t receive = r ? next_of(a, r, r->first, false) : MSCCL_NONE;

    while (send != MSCCL_NONE && receive != MSCCL_NONE) {
        if (a->step[send].count != a->step[receive].count) {
            msccl_print_location(a, receive);
            fprintf(stderr, ": found cnt='%" PRIu32 "', expected '%" PRIu32 "', which ",
                    a->step[receive].count, a->step[send].count);
            msccl_print_step_line(a, send);
            fprintf(stderr, " sends it\n");
            return EXIT_USAGE;
        }
        a->step[receive].partner = send;
        a->step[send].partner_to = receive;
        send = next_of(a, s, send + 1, true);
        receive = next_of(a, r, receive + 1, false);
    }
    if (send != MSCCL_NONE) return report_single(a, send, from, true);
    return receive != MSCCL_NONE ? report_single(a, receive, to, false) : EXIT_OK;
}

int msccl_connect(msccl_algorithm *a) {
    end *from = calloc(a->blocks + 1, sizeof *from), *to = calloc(a->blocks + 1, sizeof *to);
    uint32_t froms = 0, tos = 0, i = 0, k = 0;
    int rc = from && to ? EXIT_OK : message_no_memory();

    if (rc == EXIT_OK) rc = make_ends(a, true, from, &froms);
    if (rc == EXIT_OK) rc = make_ends(a, false, to, &tos);
    while (rc == EXIT_OK && (i < froms || k < tos)) {
        const int side = i == froms ? 1 : k == tos ? -1 : compare_ends(&from[i], &to[k]);

        rc = pair(a, side <= 0 ? &from[i] : NULL, side >= 0 ? &to[k] : NULL);
        i += side <= 0;
        k += side >= 0;
    }
    free(from);
    free(to);
    return rc;
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Returns in `to` the steps that a step waits for. */
enum { WAITS = 3 };
static unsigned waits_for(const msccl_algorithm *a, uint32_t step, uint32_t to[WAITS]) {
    const msccl_step *s = &a->step[step];
    unsigned n = 0;

    if (step != a->block[s->block].first) to[n++] = step - 1;
    if (s->dependency != MSCCL_NONE) to[n++] = s->dependency;
    if (s->partner != MSCCL_NONE) to[n++] = s->partner;
    return n;
}

/* Each remaining step waits for a remaining one. Following these reaches a cycle, which is
 * reported. */
static int report_cycle(const msccl_algorithm *a, const uint32_t *left) {
    enum { SHOWN = 8 };
    uint32_t at = 0, first, wait[WAITS], shown = 0;

    while (!left[at]) at++;
    /* after this walk `at` is in the cycle */
    for (uint32_t walked = 0; walked <= a->steps; walked++) {
        unsigned i = waits_for(a, at, wait);

        while (i && !left[wait[i - 1]]) i--;
        if (i) at = wait[i - 1];
    }
    first = at;
    msccl_print_location(a, at);
    fprintf(stderr, ": found a circle of %s that wait for each other: ",
            a->operation ? "operations" : "steps");
    do {
        unsigned i = waits_for(a, at, wait);

        if (++shown <= SHOWN) msccl_print_step_line(a, at);
        while (i && !left[wait[i - 1]]) i--;
        at = wait[i - 1];
        if (shown <= SHOWN) fprintf(stderr, at == first ? ", waits for the first" : ", waits for ");
    } while (at != first);
    fprintf(stderr, "%s; expected an order in which all can go\n", shown > SHOWN ? "..." : "");
    return EXIT_USAGE;
}

/* Steps that may run once a step is over: the next one of its block, the one that receives from it,
 * and those that depend on it. The latter are child[first[step]] and the entries after it. */
typedef struct followers {
    uint32_t *first, *child;
} followers;

static bool make_followers(const msccl_algorithm *a, followers *f) {
    f->first = calloc(a->steps + 2, sizeof *f->first);
    f->child = malloc((a->steps + 1) * sizeof *f->child);
    if (!f->first || !f->child) return false;
    for (uint32_t i = 0; i < a->steps; i++)
        if (a->step[i].dependency != MSCCL_NONE) f->first[a->step[i].dependency + 2]++;
    for (uint32_t i = 0; i < a->steps; i++) f->first[i + 2] += f->first[i + 1];
    for (uint32_t i = 0; i < a->steps; i++)
        if (a->step[i].dependency != MSCCL_NONE)
            f->child[f->first[a->step[i].dependency + 1]++] = i;
    return true;
}

/* A step waits for one step fewer. left[] is 1 more than the remaining ones, or 0 once the step is
 * in the order. */
static void follow(uint32_t *left, uint32_t step, msccl_order *o, uint32_t *count) {
    if (--left[step] > 1) return;
    left[step] = 0;
    o->step[(*count)++] = step;
}

static int sort(const msccl_algorithm *a, const followers *f, uint32_t *left, msccl_order *o) {
    uint32_t count = 0, wait[WAITS];

    for (uint32_t i = 0; i < a->steps; i++) {
        left[i] = 1 + waits_for(a, i, wait);
        if (left[i] > 1) continue;
        left[i] = 0;
        o->step[count++] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t x = o->step[i];
        const msccl_block *b = msccl_block_of(a, x);

        o->index[x] = i;
        if (x + 1 < b->first + b->steps) follow(left, x + 1, o, &count);
        if (a->step[x].partner_to != MSCCL_NONE) follow(left, a->step[x].partner_to, o, &count);
        for (uint32_t k = f->first[x]; k < f->first[x + 1]; k++)
            follow(left, f->child[k], o, &count);
    }
    return count == a->steps ? EXIT_OK : report_cycle(a, left);
}

int msccl_order_make(const msccl_algorithm *a, msccl_order *o) {
    followers f = { 0 };
    uint32_t *left = calloc(a->steps + 1, sizeof *left);
    int rc = EXIT_OK;

    *o = (msccl_order){ .a = a,
                        .step = calloc(a->steps + 1, sizeof *o->step),
                        .index = calloc(a->steps + 1, sizeof *o->index),
                        .seen = calloc(a->steps + 1, sizeof *o->seen),
                        .open = calloc(a->steps + 1, sizeof *o->open),
                        .budget = SEARCHES };
    if (!left || !o->step || !o->index || !o->seen || !o->open || !make_followers(a, &f))
        rc = message_no_memory();
    if (rc == EXIT_OK) rc = sort(a, &f, left, o);
    free(left);
    free(f.first);
    free(f.child);
    return rc;
}

void msccl_order_free(msccl_order *o) {
    free(o->step);
    free(o->index);
    free(o->seen);
    free(o->open);
    *o = (msccl_order){ 0 };
}

msccl_before msccl_order_before(msccl_order *o, uint32_t x, uint32_t y) {
    const msccl_algorithm *a = o->a;
    uint32_t open = 0, wait[WAITS];

    /* steps of a block are in order */
    if (a->step[x].block == a->step[y].block) return MSCCL_BEFORE_YES;
    if (++o->search == UINT32_MAX) return MSCCL_BEFORE_UNKNOWN;
    o->open[open++] = y;
    while (open) {
        const unsigned n = waits_for(a, o->open[--open], wait);

        if (!o->budget--) {
            o->budget = 0;
            return MSCCL_BEFORE_UNKNOWN;
        }
        for (unsigned i = 0; i < n; i++) {
            const uint32_t w = wait[i];

            /* A step that is before x in the order does not wait for x. */
            if (w == x || (a->step[w].block == a->step[x].block && w > x)) return MSCCL_BEFORE_YES;
            if (o->index[w] < o->index[x] || o->seen[w] == o->search) continue;
            o->seen[w] = o->search;
            o->open[open++] = w;
        }
    }
    return MSCCL_BEFORE_NO;
}

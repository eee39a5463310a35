/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_steps.c -- steps in lanes, which become the thread blocks of the algorithm
 *
 * A block's own lane keeps its order. Sends, arrivals and answers have lanes of their own, and a
 * nop makes the block wait for a step of another lane. mscclpp_resolve_waits() resolves each wait
 * once all signals are known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "mscclpp_plan.h"

bool mscclpp_grow(mscclpp_plan *p, void **at, uint32_t *room, uint32_t count, size_t size) {
    const uint32_t more = *room ? 2 * *room : 64;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return mscclpp_no_memory(p);
    *at = to;
    *room = more;
    return true;
}

/* Returns the lane of this kind at a GPU that serves the present block and has these peers. */
static uint32_t lane_of(mscclpp_plan *p, uint32_t kind, uint32_t gpu, int32_t send,
                        int32_t receive) {
    for (uint32_t i = p->lanes; i-- > 0;) {
        const mscclpp_lane *l = &p->lane[i];

        if (l->owner == p->all && l->kind == kind && l->gpu == gpu && l->send == send &&
            l->receive == receive)
            return i;
        if (l->kind == MSCCLPP_OWN && l->owner != p->all) break; /* lanes of a block are adjacent */
    }
    if (!mscclpp_grow(p, (void **)&p->lane, &p->lane_room, p->lanes, sizeof *p->lane))
        return MSCCLPP_NONE;
    p->lane[p->lanes] = (mscclpp_lane){ .gpu = gpu,
                                        .send = send,
                                        .receive = receive,
                                        /* its sends and the answers to its reads are two
                                         * connections */
                                        .channel = 2 * p->number + (kind >= MSCCLPP_ANSWER),
                                        .owner = p->all,
                                        .kind = kind,
                                        .line = (uint32_t)p->block->start_mark.line + 1,
                                        .column = (uint32_t)p->block->start_mark.column + 1 };
    return p->lanes++;
}

uint32_t mscclpp_add(mscclpp_plan *p, uint32_t to, msccl_type type, const mscclpp_chunks *source,
                     const mscclpp_chunks *destination, uint32_t dependency) {
    const mscclpp_chunks none = { 0 };
    const mscclpp_chunks *s = source ? source : &none, *d = destination ? destination : &none;
    mscclpp_lane *l;

    if (to == MSCCLPP_NONE || p->status != EXIT_OK) return MSCCLPP_NONE;
    p->moved += source ? s->count : d->count;
    if (p->steps == MSCCL_STEPS || p->moved > MSCCL_MOVED) {
        (void)mscclpp_fault(p, p->op, "more than 2097152 steps, or 33554432 chunks moved by all",
                            "a smaller plan");
        return MSCCLPP_NONE;
    }
    l = &p->lane[to];
    if (!mscclpp_grow(p, (void **)&p->step, &p->step_room, p->steps, sizeof *p->step) ||
        !mscclpp_grow(p, (void **)&l->step, &l->room, l->steps, sizeof *l->step))
        return MSCCLPP_NONE;
    p->step[p->steps] = (msccl_step){ .line = (uint32_t)p->op->start_mark.line + 1,
                                      .column = (uint32_t)p->op->start_mark.column + 1,
                                      .source = s->at,
                                      .destination = d->at,
                                      .count = source ? s->count : d->count,
                                      .dependency = dependency,
                                      .partner = MSCCL_NONE,
                                      .partner_to = MSCCL_NONE,
                                      .depends_block = -1,
                                      .depends_step = -1,
                                      .operation = p->a->operations - 1,
                                      .type = (uint8_t)type,
                                      .source_buffer = s->buffer,
                                      .destination_buffer = d->buffer,
                                      .has_dependents = true };
    l->step[l->steps++] = p->steps;
    return p->steps++;
}

uint32_t mscclpp_own_lane(mscclpp_plan *p) { return lane_of(p, MSCCLPP_OWN, p->rank, -1, -1); }
uint32_t mscclpp_last_own(mscclpp_plan *p) {
    const mscclpp_lane *l = &p->lane[mscclpp_own_lane(p)];

    return l->steps ? l->step[l->steps - 1] : MSCCL_NONE;
}
/* Makes the block continue after a step of another lane. */
static void follow(mscclpp_plan *p, uint32_t step) {
    if (step != MSCCLPP_NONE)
        (void)mscclpp_add(p, mscclpp_own_lane(p), MSCCL_NOP, NULL, NULL, step);
}

uint32_t mscclpp_send(mscclpp_plan *p, uint32_t peer, const mscclpp_chunks *source,
                      const mscclpp_chunks *destination) {
    const uint32_t from = lane_of(p, MSCCLPP_SEND, p->rank, (int32_t)peer, -1);
    const uint32_t to = lane_of(p, MSCCLPP_ARRIVE, peer, -1, (int32_t)p->rank);
    const uint32_t s = mscclpp_add(p, from, MSCCL_S, source, NULL, mscclpp_last_own(p));
    const uint32_t r = mscclpp_add(p, to, MSCCL_R, NULL, destination, MSCCL_NONE);

    follow(p, s);
    return r;
}

void mscclpp_request(mscclpp_plan *p, const mscclpp_chunks *from, const mscclpp_chunks *with,
                     const mscclpp_chunks *to) {
    const uint32_t before = mscclpp_last_own(p);
    const uint32_t requested = mscclpp_send(p, from->rank, NULL, NULL);
    const uint32_t there = lane_of(p, MSCCLPP_ANSWER, from->rank, (int32_t)p->rank, -1);
    const uint32_t here = lane_of(p, MSCCLPP_ANSWERED, p->rank, -1, (int32_t)from->rank);

    (void)mscclpp_add(p, there, MSCCL_S, from, NULL, requested);
    follow(p, mscclpp_add(p, here, with ? MSCCL_RRC : MSCCL_R, with, to, before));
}

/* ---- signals and packets --------------------------------------------------------------------- */

bool mscclpp_signal(mscclpp_plan *p, uint32_t peer, uint32_t pair) {
    uint32_t came;

    if (p->signals == MSCCLPP_MOST_WAITS)
        return mscclpp_fault(p, p->op, "more than 32768 signals", "fewer");
    came = mscclpp_send(p, peer, NULL, NULL);
    if (!mscclpp_grow(p, (void **)&p->signal, &p->signal_room, p->signals, sizeof *p->signal))
        return false;
    p->signal[p->signals++] = (mscclpp_sent_signal){ peer, p->rank, pair, came };
    return true;
}

bool mscclpp_wait_for(mscclpp_plan *p, uint32_t peer, uint32_t pair) {
    uint32_t n = 0, step;

    if (p->waits == MSCCLPP_MOST_WAITS)
        return mscclpp_fault(p, p->op, "more than 32768 waits", "fewer");
    for (uint32_t k = 0; k < p->waits; k++)
        n += !p->wait[k].packets && p->wait[k].gpu == p->rank && p->wait[k].peer == peer &&
             p->wait[k].pair == pair;
    if (!mscclpp_grow(p, (void **)&p->wait, &p->wait_room, p->waits, sizeof *p->wait)) return false;
    step = mscclpp_add(p, mscclpp_own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE);
    p->wait[p->waits++] = (mscclpp_wait){ step, p->rank, peer, pair, n, false };
    return true;
}

bool mscclpp_await_packets(mscclpp_plan *p, const mscclpp_chunks *c) {
    if (p->waits + c->count > MSCCLPP_MOST_WAITS)
        return mscclpp_fault(p, p->op, "more than 32768 chunks of packets", "fewer");
    for (uint32_t k = 0; k < c->count; k++) {
        if (!mscclpp_grow(p, (void **)&p->wait, &p->wait_room, p->waits, sizeof *p->wait))
            return false;
        p->wait[p->waits++] =
            (mscclpp_wait){ mscclpp_add(p, mscclpp_own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE),
                            p->rank,
                            0,
                            0,
                            c->at + k,
                            true };
    }
    return true;
}
void mscclpp_write_packets(mscclpp_plan *p, const mscclpp_chunks *c, uint32_t step) {
    for (uint32_t k = 0; k < c->count && c->buffer == MSCCL_SCRATCH; k++) {
        uint32_t *w = &p->writer[p->scratch[c->rank] + c->at + k];

        *w = *w == MSCCLPP_NONE ? step : MSCCLPP_SEVERAL;
    }
}

/* ---- the algorithm --------------------------------------------------------------------------- */

bool mscclpp_resolve_waits(mscclpp_plan *p) {
    for (uint32_t i = 0; i < p->waits; i++) {
        const mscclpp_wait *w = &p->wait[i];
        uint32_t n = w->number, on = MSCCLPP_NONE;

        if (w->packets) on = p->writer[p->scratch[w->gpu] + w->number];
        for (uint32_t k = 0; !w->packets && k < p->signals && on == MSCCLPP_NONE; k++) {
            const mscclpp_sent_signal *t = &p->signal[k];

            if (t->gpu == w->gpu && t->peer == w->peer && t->pair == w->pair && !n--) on = t->step;
        }
        if (on < MSCCLPP_SEVERAL) {
            p->step[w->step].dependency = on;
            continue;
        }
        const msccl_operation *o = &p->a->operation[p->step[w->step].operation];
        fprintf(stderr,
                "acesim: %s:%" PRIu32 ":%" PRIu32 ": gpu %" PRIu32 ", block %" PRIu32
                ", operation %" PRIu32 " (%s): found %s, expected %s\n",
                p->a->file, p->step[w->step].line, p->step[w->step].column, o->gpu, o->block,
                o->number, o->name,
                !w->packets             ? "a wait for a signal that is never given"
                : on == MSCCLPP_SEVERAL ? "packets in chunks that are written several times"
                                        : "packets in chunks to which no operation writes packets",
                w->packets ? "chunks with one writer"
                           : "as many signals of the peer's channel as waits");
        p->status = EXIT_USAGE;
        return false;
    }
    return true;
}

bool mscclpp_lay_out(mscclpp_plan *p) {
    msccl_algorithm *a = p->a;
    uint32_t *const to = malloc((p->steps + 1) * sizeof *to);

    a->block = calloc(p->lanes + 1, sizeof *a->block);
    a->step = calloc(p->steps + 1, sizeof *a->step);
    if (!to || !a->block || !a->step) return free(to), mscclpp_no_memory(p);
    for (uint32_t g = 0; g < a->gpus; g++) {
        a->gpu[g].first = a->blocks;
        for (uint32_t i = 0; i < p->lanes; i++) {
            const mscclpp_lane *l = &p->lane[i];

            if (l->gpu != g) continue;
            a->block[a->blocks] =
                (msccl_block){ g,        a->gpu[g].blocks++, l->send, l->receive, l->channel,
                               a->steps, l->steps,           l->line, l->column };
            for (uint32_t k = 0; k < l->steps; k++) {
                to[l->step[k]] = a->steps;
                a->step[a->steps] = p->step[l->step[k]];
                a->step[a->steps++].block = a->blocks;
            }
            a->blocks++;
        }
    }
    for (uint32_t i = 0; i < a->steps; i++)
        if (a->step[i].dependency != MSCCL_NONE) a->step[i].dependency = to[a->step[i].dependency];
    free(to);
    return true;
}

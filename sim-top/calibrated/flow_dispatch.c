/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_dispatch.c -- the dispatcher and scheduler of the calibrated node
 *
 * Equal chunks of one command share one shape. decide() admits and finishes chunks, the latest
 * stage first, and rechecks only stages for which something has changed. Commands enter one after
 * the other, and each takes as many cycles as in the engine.
 */
#include "flow_dispatch.h"

#include <string.h>

#include "flow_events.h"
#include "flow_links.h"
#include "flow_memory.h"

/* ---- the dispatcher ---- */

/* Bursts are aligned to their size. Whole chunks begin at a multiple of a chunk, and the part that
 * an all-gather loads or a reduce-scatter stores begins at a multiple of a shard. */
static void set_bursts(const chunk_flow *f, ace_kind kind, const ace_phase *phase, chunk_shape *t) {
    const unsigned whole = f->s.config.chunk_rows | WHOLE_BURST;
    unsigned shares = 0;

    for (unsigned p = 0; p < f->phases; p++) shares |= phase[p].shard_rows;
    t->load_burst = (uint8_t)(1 << __builtin_ctz(whole | (kind == ACE_ALL_GATHER ? shares : 0)));
    t->store_burst =
        (uint8_t)(1 << __builtin_ctz(whole | (kind == ACE_REDUCE_SCATTER ? shares : 0)));
}

/* Sets the rows that a chunk needs in each partition: those that a phase reads, plus those that the
 * previous phase has written. */
static void set_needs(const chunk_flow *f, const ace_phase *phase, unsigned load_rows,
                      chunk_shape *t) {
    uint16_t out = 0;

    for (unsigned p = 0; p <= f->phases; p++) {
        uint16_t in = 0, next = 0;

        if (p == f->phases) {
            in = t->first == f->phases ? (uint16_t)load_rows : 0;
        } else if (phase[p].kind != ACE_PHASE_NONE) {
            const uint16_t block = (uint16_t)(phase[p].shard_rows * phase[p].ring);
            in = phase[p].kind == ACE_PHASE_ALL_GATHER ? phase[p].shard_rows : block;
            next = phase[p].kind == ACE_PHASE_REDUCE_SCATTER ? phase[p].shard_rows : block;
        }
        t->needs[p] = in > out ? in : out;
        out = next;
    }
}

static chunk_shape shape_of(const chunk_flow *f, const waiting *w) {
    ace_chunk_plan plan;
    const ace_phase *const phase = &plan.phase[ACE_CLUSTER_PHASES - f->phases];
    chunk_shape t = { .tag = w->c.tag,
                      .first = (uint8_t)f->phases,
                      .last = w->at + 1 == w->chunks };

    ace_plan_chunk(&w->c, &f->s.config, w->at, &plan);
    for (unsigned p = f->phases; p-- > 0;)
        if (phase[p].kind != ACE_PHASE_NONE) {
            t.first = (uint8_t)p;
            t.phase[p] = flow_phase_shape(f, &phase[p]);
        }
    set_bursts(f, w->c.kind, phase, &t);
    set_needs(f, phase, plan.load_rows, &t);
    t.load = plan.load_rows * f->read.cost;
    t.store = plan.store_rows * f->write->cost;
    t.load_most = flow_port_most(f, &f->read, plan.load_rows, t.load_burst);
    t.store_most = flow_port_most(f, f->write, plan.store_rows, t.store_burst);
    return t;
}

/* Returns the index of an unused shape. There are fewer shapes than chunks and commands
 * together. */
static unsigned free_shape(chunk_flow *f) {
    unsigned i = 0;

    while (i < f->shape_count && f->shapes[i].users) i++;
    if (i == f->shape_count && GROW(f, f->shapes, f->shape_count, f->shape_room)) f->shape_count++;
    return i;
}

/* Offers the next chunk. All chunks before the last one share the shape of the first. */
static void cut(chunk_flow *f, waiting *w) {
    const bool last = w->at + 1 == w->chunks, alone = last || f->s.plain;

    if (!w->at || alone) {
        const unsigned i = free_shape(f);

        if (i == f->shape_count) return; /* no memory */
        if (w->at && !f->s.plain) f->shapes[w->shape].users--;
        f->shapes[i] = shape_of(f, w);
        f->shapes[i].users = !alone; /* the command uses it, too */
        w->shape = (uint16_t)i;
    }
    f->shapes[w->shape].users++;
    f->offered = w->shape;
    w->at++;
}

/* Plans the next chunk of a command that the dispatcher has taken: of the oldest one with FIFO,
 * else of the newest one. While a command enters, nothing is planned. */
static void plan(chunk_flow *f) {
    const unsigned inside = f->command_count - f->outside;

    if (f->entering || f->planning || f->offers || !inside) return;
    const unsigned at = f->fifo ? 0 : inside - 1;
    waiting *w = &f->commands[at];
    const double took = f->s.flow->plan + w->live * f->s.flow->plan_dimension;

    cut(f, w);
    if (f->error != ACE_OK) return;
    if (w->at == w->chunks) {
        f->command_count--;
        memmove(w, w + 1, (f->command_count - at) * sizeof *w);
    }
    f->planning = true;
    flow_later(f, f->now + took, DISPATCH, 0, 0);
}

/* ---- the scheduler ---- */

static void finish(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->finished[g]++;
    chunk_shape *t = &f->shapes[f->flights[chunk % FLOW_CHUNKS]];

    f->over[g] &= ~(UINT64_C(1) << chunk % FLOW_CHUNKS);
    if (g) {
        uint16_t *used = &f->used[g - 1][chunk % ACE_BANKS];
        *used = (uint16_t)(*used - t->needs[g - 1]);
    }
    if (g < f->store) return;
    t->users--;
    if (t->last) flow_later(f, when, COMPLETE, 0, t->tag);
}

static void admit(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->admitted[g]++;
    const chunk_shape *t = flow_shape(f, chunk);

    if (g < f->store) {
        uint16_t *used = &f->used[g][chunk % ACE_BANKS];
        *used = (uint16_t)(*used + t->needs[g]);
    }
    if (g == f->store) {
        flow_port_put(f, &f->write[chunk % 2], chunk);
    } else if (g == t->first) {
        f->loads++;
        flow_port_put(f, &f->read, chunk);
    } else if (g < t->first) {
        f->over[g] |= UINT64_C(1) << chunk % FLOW_CHUNKS;
    } else {
        flow_at_barrier(f, (flow_token){ .cycle = (uint64_t)ceil(when),
                                         .number = chunk,
                                         .phase = (uint8_t)(g - 1),
                                         .dims = (uint8_t)(1u << t->phase[g - 1].dim) });
    }
}

static bool may_admit(chunk_flow *f, unsigned g) {
    const uint32_t chunk = f->admitted[g];

    if (chunk == (g ? f->finished[g - 1] : f->dispatched)) return false;
    if (g == f->store) return true;
    if (g && chunk - f->finished[g] >= f->contexts) return false;
    const chunk_shape *t = flow_shape(f, chunk);
    if (t->first == g && f->loads == LOADS) {
        f->load_waits |= 1u << g;
        return false;
    }
    return f->used[g][chunk % ACE_BANKS] + t->needs[g] <= f->room[g];
}

static bool may_finish(const chunk_flow *f, unsigned g) {
    return f->admitted[g] != f->finished[g] && f->over[g] >> f->finished[g] % FLOW_CHUNKS & 1;
}

/* Returns whether a decision that follows others must wait for its cycle. An earlier event may
 * make a later stage ready, and this stage then goes first. A port begins in the cycle of its
 * decision. */
static bool must_wait(const chunk_flow *f, unsigned g, bool ends, double when) {
    if (when <= f->now) return false;
    const bool port = !ends && (g == f->store || g == flow_shape(f, f->admitted[g])->first);

    return port || (f->heap_count && f->heap[0].at < when);
}

/* Makes all decisions that are possible, the latest stage first. A stage is checked again only if
 * something has changed for it. A chunk that leaves a stage changes that stage and its two
 * neighbours. A chunk that arrives changes only its own stage. */
static void decide(chunk_flow *f) {
    const uint32_t all = (2u << f->store) - 1;

    while (f->check) {
        const unsigned g = 31 - (unsigned)__builtin_clz(f->check);
        const bool ends = may_finish(f, g);

        if (!ends && !may_admit(f, g)) {
            f->check &= ~(1u << g);
            continue;
        }
        const double when = flow_more(f->now, f->decide_at);

        if (must_wait(f, g, ends, when)) {
            if (f->deciding < when) flow_later(f, f->deciding = when, DECIDE, 0, 0);
            return;
        }
        f->decide_at = when + f->s.flow->decision;
        if (f->s.plain) f->check = all;
        if (!ends) {
            admit(f, g, when);
            continue;
        }
        finish(f, g, when);
        f->check |= (7u << g >> 1) & all;
    }
}

/* Returns the cycles from one command on the pins to the next one, or to the plan. One cycle is for
 * the pins and one takes the command. The product of its members takes two for each dimension, and
 * one stores it (rtl/ace_dispatcher.v). */
static double enter_cycles(const chunk_flow *f) { return 2 * f->s.parameters.dimensions + 3; }

/* Returns whether the command on the pins becomes chunks. */
static bool is_of_chunks(const chunk_flow *f) {
    const exchange *x = &f->exchange;

    return f->outside &&
           (!x->outside || (int32_t)(f->commands[f->command_count - f->outside].handed -
                                     x->waiting[x->count - x->outside].handed) < 0);
}

/* The dispatcher takes commands from the pins between two chunks, and with FIFO also while a chunk
 * waits. A command that becomes chunks takes some cycles to enter, and no other command is taken
 * meanwhile. A command that is on the pins when the last one has entered goes before the plan. So
 * LIFO begins with the newest of several commands a few cycles apart. */
static void take_commands(chunk_flow *f) {
    exchange *x = &f->exchange;

    if (f->entering || f->planning || (f->offers && !f->fifo)) return;
    while (f->outside + x->outside) {
        if (is_of_chunks(f)) {
            f->outside--;
            f->entering = true;
            flow_later(f, f->now + enter_cycles(f), ENTERED, 0, 0);
            return;
        }
        if (x->outside-- == x->count)
            flow_later(f, f->now + f->s.flow->exchange_start, EXCHANGE_BEGIN, 0, 0);
        if (f->command_count > f->outside && !f->offers) return; /* a plan begins in this cycle */
    }
}

void flow_command(chunk_flow *f) {
    take_commands(f);
    plan(f);
}

static void enter(chunk_flow *f) {
    if (!f->offers) return;
    if (f->dispatched - f->finished[f->store] == FLOW_CHUNKS) {
        if (f->fifo) take_commands(f);
        return;
    }
    f->flights[f->dispatched++ % FLOW_CHUNKS] = f->offered;
    f->check |= 1;
    f->offers = false;
    flow_command(f);
}

void flow_dispatch_all(chunk_flow *f) {
    const uint32_t was = f->dispatched;
    const bool first = flow_load_first(f);

    decide(f);
    enter(f);
    if (f->dispatched != was) decide(f);
    if (flow_load_first(f) != first) flow_port_rates(f);
}

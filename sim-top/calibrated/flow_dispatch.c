/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_dispatch.h"

#include <string.h>

#include "flow_events.h"
#include "flow_memory.h"

/* ---- the dispatcher ---- */

/* Addresses are multiples of their bursts: whole chunks begin with a chunk, and the share that an
 * all-gather loads or a reduce-scatter stores with a shard. */
static void set_bursts(const chunk_flow *f, const waiting *w, flight *t) {
    const unsigned whole = f->s.config.chunk_rows | WHOLE_BURST;
    unsigned shares = 0;

    for (unsigned p = 0; p < f->phases; p++) shares |= t->phase[p].shard_rows;
    t->load_burst =
        (uint8_t)(1 << __builtin_ctz(whole | (w->c.kind == ACE_ALL_GATHER ? shares : 0)));
    t->store_burst =
        (uint8_t)(1 << __builtin_ctz(whole | (w->c.kind == ACE_REDUCE_SCATTER ? shares : 0)));
}

static void cut(chunk_flow *f, waiting *w, flight *t) {
    ace_chunk_plan plan;
    uint16_t out = 0; /* rows that the phase before wrote */

    ace_plan_chunk(&w->c, &f->s.config, w->at, &plan);
    *t = (flight){ .load_rows = plan.load_rows,
                   .store_rows = plan.store_rows,
                   .tag = w->c.tag,
                   .first = (uint8_t)f->phases };
    memcpy(t->phase, plan.phase + (ACE_PHASES - f->phases), f->phases * sizeof *t->phase);
    for (unsigned p = f->phases; p-- > 0;)
        if (t->phase[p].kind != ACE_PHASE_NONE) t->first = (uint8_t)p;
    set_bursts(f, w, t);
    for (unsigned p = 0; p <= f->phases; p++) {
        uint16_t in = 0, next = 0;

        if (p == f->phases) {
            in = t->first == f->phases ? t->load_rows : 0;
        } else if (t->phase[p].kind != ACE_PHASE_NONE) {
            const uint16_t block = (uint16_t)(t->phase[p].shard_rows * t->phase[p].ring);
            in = t->phase[p].kind == ACE_PHASE_ALL_GATHER ? t->phase[p].shard_rows : block;
            next = t->phase[p].kind == ACE_PHASE_REDUCE_SCATTER ? t->phase[p].shard_rows : block;
        }
        t->needs[p] = in > out ? in : out;
        out = next;
    }
    w->at++;
    t->last = w->at == w->chunks;
}

/* Takes the command whose turn it is, and plans its next chunk. */
void flow_plan(chunk_flow *f, double from) {
    if (f->planning || f->offers || !f->command_count) return;
    const unsigned at = f->s.config.order == ACE_FIFO ? 0 : f->command_count - 1;
    waiting *w = &f->commands[at];
    const double took = f->s.flow.plan + w->live * f->s.flow.plan_dimension;

    cut(f, w, &f->offered);
    if (w->at == w->chunks) {
        f->command_count--;
        memmove(w, w + 1, (f->command_count - at) * sizeof *w);
    }
    f->planning = true;
    flow_later(f, from + took, DISPATCH, 0, 0);
}

/* ---- the scheduler ---- */

static void finish(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->finished[g]++;
    const flight *t = &f->flights[chunk % FLOW_CHUNKS];

    f->over[g] &= ~(UINT64_C(1) << chunk % FLOW_CHUNKS);
    if (g) {
        uint16_t *used = &f->used[g - 1][chunk % ACE_BANKS];
        *used = (uint16_t)(*used - t->needs[g - 1]);
    }
    if (g == f->store && t->last) flow_later(f, when, COMPLETE, 0, t->tag);
}

static void admit(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->admitted[g]++;
    flight *t = &f->flights[chunk % FLOW_CHUNKS];

    if (g < f->store) {
        uint16_t *used = &f->used[g][chunk % ACE_BANKS];
        *used = (uint16_t)(*used + t->needs[g]);
    }
    if (g == f->store) {
        flow_port_put(f, &f->write, chunk, t->store_rows, t->store_burst);
    } else if (g == t->first) {
        f->loads++;
        flow_port_put(f, &f->read, chunk, t->load_rows, t->load_burst);
    } else if (g < t->first) {
        f->over[g] |= UINT64_C(1) << chunk % FLOW_CHUNKS;
    } else {
        flow_meet(f, (flow_token){ .cycle = (uint64_t)ceil(when),
                                   .number = chunk,
                                   .phase = (uint8_t)(g - 1),
                                   .dims = (uint8_t)(1u << t->phase[g - 1].dim) });
    }
}

static bool may_admit(const chunk_flow *f, unsigned g) {
    const uint32_t chunk = f->admitted[g];

    if (chunk == (g ? f->finished[g - 1] : f->dispatched)) return false;
    if (g == f->store) return true;
    if (g && chunk - f->finished[g] >= f->contexts) return false;
    if (f->flights[chunk % FLOW_CHUNKS].first == g && f->loads == LOADS) return false;
    return f->used[g][chunk % ACE_BANKS] + f->flights[chunk % FLOW_CHUNKS].needs[g] <=
           f->s.config.partition_rows[g];
}

static bool may_finish(const chunk_flow *f, unsigned g) {
    return f->admitted[g] != f->finished[g] && f->over[g] >> f->finished[g] % FLOW_CHUNKS & 1;
}

/* All decisions that can be taken, the latest stage first, each behind the one before.  Of a stage none can that has
 * been looked at since anything changed for it: a decision changes something for its own stage and the two beside
 * it, but that more loads are under way lets nobody in. */
static void decide(chunk_flow *f) {
    while (f->look) {
        const unsigned g = 31 - (unsigned)__builtin_clz(f->look);
        const bool ends = may_finish(f, g);

        if (!ends && !may_admit(f, g)) {
            f->look &= ~(1u << g);
            continue;
        }
        const double when = fmax(f->now, f->decide_at);

        f->decide_at = when + f->s.flow.decision;
        if (ends)
            finish(f, g, when);
        else
            admit(f, g, when);
        f->look |= (7u << g >> 1) & ((2u << f->store) - 1);
    }
}

/* Between two chunks the dispatcher takes what is on the command pins, with FIFO also while one waits. */
void flow_take_exchanges(chunk_flow *f) {
    exchange *x = &f->exchange;
    const bool first = x->outside && x->outside == x->count;

    x->outside = 0;
    if (first) flow_later(f, f->now + f->s.flow.exchange_start, EXCHANGE_BEGIN, 0, 0);
}

static void enter(chunk_flow *f) {
    if (!f->offers) return;
    if (f->dispatched - f->finished[f->store] == FLOW_CHUNKS) {
        if (f->s.config.order == ACE_FIFO) flow_take_exchanges(f);
        return;
    }
    f->offered.odd = f->dispatched & 1;
    f->flights[f->dispatched++ % FLOW_CHUNKS] = f->offered;
    f->look |= 1;
    f->offers = false;
    flow_take_exchanges(f);
    flow_plan(f, f->now);
}

void flow_settle(chunk_flow *f) {
    const uint32_t was = f->dispatched;

    decide(f);
    enter(f);
    if (f->dispatched != was) decide(f);
}

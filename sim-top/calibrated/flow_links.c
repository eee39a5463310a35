/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_links.h"

#include <string.h>

#include "flow_events.h"
#include "flow_exchange.h"
#include "flow_memory.h"

double flow_cost_of(const chunk_flow *f, unsigned d) {
    return (double)f->s.config.link_cost[d] / ACE_COST_ONE;
}

void flow_link_move(link *k, double to) {
    const double by = to - k->at;

    if (by > 0)
        for (unsigned i = 0; i < k->count; i++) k->jobs[i].left -= k->jobs[i].rate * by;
    k->at = to;
}

/* Of what a phase's work sends, the part that is reduced, or copied, by who receives it. */
static double reduced_part(ace_phase_kind kind) {
    return kind == ACE_PHASE_REDUCE_SCATTER ? 1 : kind == ACE_PHASE_ALL_REDUCE ? 0.5 : 0;
}

/* Links with jobs that go the same way, it itself with them. */
static uint32_t beside(const chunk_flow *f, const link *k) {
    return f->busy & ((k - f->links) % 2 ? 0xaaaaaaaaU : 0x55555555U);
}

/* Of the chunks of a phase and direction, one in the middle of a shard goes before those that would
 * begin one, also where these want another link: so a phase has one link's worth of all its links.
 * */
static double may_want(const chunk_flow *f, const link *k, unsigned phase) {
    double all = 0;

    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (beside(f, k) >> l & 1) all += fmin(f->links[l].want[phase], 1);
    return all > 1 && all > k->want[phase] ? fmin(k->want[phase], 1) / all : k->want[phase];
}

/* Of the queues with a row for the link the latest phase's is first.  But while its queue holds a
 * row, a phase asks only where the link has two places, and one whose queue is empty asks where it
 * has one: so an earlier phase comes between.  `late_first` of the link go by that order; the rest is
 * shared evenly, and what one cannot use goes to the others. */
static void divide(const chunk_flow *f, const link *k, double capacity, double share[ACE_PHASES]) {
    double want[ACE_PHASES], even = capacity * (1 - f->s.flow.late_first);
    uint32_t open = k->wanting, less;

    for (unsigned p = 0; p < ACE_PHASES; p++)
        if (open >> p & 1) want[p] = may_want(f, k, p);
    do {
        const double each = open ? even / __builtin_popcount(open) : 0;

        less = 0;
        for (unsigned p = 0; p < ACE_PHASES; p++) {
            if (!(open >> p & 1)) continue;
            share[p] = fmin(want[p], each);
            less |= (uint32_t)(want[p] <= each) << p;
        }
        for (unsigned p = 0; p < ACE_PHASES; p++)
            if (less >> p & 1) even -= want[p];
        open &= ~less;
    } while (less);
    for (unsigned p = 0; p < ACE_PHASES; p++)
        if (k->wanting >> p & 1) capacity -= share[p];
    for (unsigned p = ACE_PHASES; p-- > 0;) {
        if (!(k->wanting >> p & 1)) continue;
        const double more = fmin(want[p] - share[p], fmax(capacity, 0));

        share[p] += more;
        capacity -= more;
    }
}

/* A piece once begun goes on, and who has sent one waits for its turn to send the next: so of a phase's chunks
 * the oldest that together fill its share have of it what each could use, alike, and the others nothing. */
static void serve_oldest(link *k, const double share[ACE_PHASES]) {
    double filled[ACE_PHASES] = { 0 };

    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];

        j->rate = filled[j->phase] < share[j->phase] ? j->most : 0;
        filled[j->phase] += j->rate;
    }
    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];

        if (filled[j->phase] > share[j->phase]) j->rate *= share[j->phase] / filled[j->phase];
    }
}

/* Rates of the jobs of a link that has moved to now. */
void flow_link_rates(chunk_flow *f, link *k) {
    double share[ACE_PHASES];

    divide(f, k, k->share, share);
    serve_oldest(k, share);
    k->reduced = k->stored = 0;
    memset(k->reads, 0, sizeof k->reads);
    memset(k->writes, 0, sizeof k->writes);
    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        const double part = (double)j->reduced, rows = j->rate / k->cost;

        k->reduced += part * rows;
        k->stored += (1 - part) * rows;
        k->reads[j->chunk % ACE_BANKS] += (1 + part) * rows;
        k->writes[j->chunk % ACE_BANKS] += rows;
    }
}

void flow_link_ends(chunk_flow *f, const link *k) {
    double first = NEVER;

    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        double end = k->at + fmax(j->left, 0) / j->rate;

        if (j->left > NOTHING) end = flow_behind(k->at, end);
        if (j->rate > 0 && end < first) first = end;
    }
    f->ends[k - f->links] = first;
}

/* What all links want of the two pipes and of the banks, 1 each at the most, as a factor by which
 * it is too much. */
typedef struct demand {
    double reduced, stored, reads[ACE_BANKS], writes[ACE_BANKS];
} demand;

static demand demand_of(const chunk_flow *f) {
    const flow_parameters *w = &f->s.flow;
    demand d = { 0 };

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const link *k = &f->links[l];

        if (!(f->busy >> l & 1)) continue;
        d.reduced += k->reduced * w->reduce_pipe;
        d.stored += k->stored * w->store_pipe;
        for (unsigned b = 0; b < ACE_BANKS; b++) {
            d.reads[b] += k->reads[b] * w->bank_read;
            d.writes[b] += k->writes[b] * w->bank_write;
        }
    }
    return d;
}

/* How much slower a job is for it. */
static double slower(const demand *d, double part, unsigned bank) {
    const double pipe = fmax(part > 0 ? d->reduced : 0, part < 1 ? d->stored : 0);

    return fmax(fmax(pipe, 1), fmax(d->reads[bank], d->writes[bank]));
}

/* Who wants too much of the scratchpad is slowed down; loads and stores have what is left. */
void flow_scratchpad(chunk_flow *f) {
    const demand d = demand_of(f);
    double most = 0;

    for (unsigned b = 0; b < ACE_BANKS; b++) most = fmax(most, slower(&d, 0.5, b));
    if (most > 1 || f->scaled) {
        f->scaled = most > 1;
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            link *k = &f->links[l];

            if (!(f->busy >> l & 1)) continue;
            flow_link_move(k, f->now);
            flow_link_rates(f, k);
            for (unsigned i = 0; most > 1 && i < k->count; i++) {
                job *j = &k->jobs[i];

                j->rate /= slower(&d, (double)j->reduced, j->chunk % ACE_BANKS);
            }
            flow_link_ends(f, k);
        }
    }
    flow_port_rates(f);
}

/* Jobs of a link have come or gone; other links with chunks of the same phases have more or less.
 * */
static void link_changed(chunk_flow *f, link *k) {
    const uint32_t before = k->wanting, bit = 1u << (k - f->links);

    f->busy = k->count ? f->busy | bit : f->busy & ~bit;
    k->wanting = 0;
    memset(k->want, 0, sizeof k->want);
    for (unsigned i = 0; i < k->count; i++) {
        k->want[k->jobs[i].phase] += k->jobs[i].most;
        k->wanting |= 1u << k->jobs[i].phase;
    }
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_link_rates(f, k);
    flow_link_ends(f, k);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        link *other = &f->links[l];

        if (other == k || !(beside(f, k) >> l & 1)) continue;
        if (!((before | k->wanting) & other->wanting)) continue;
        flow_link_move(other, f->now);
        flow_link_rates(f, other);
        flow_link_ends(f, other);
    }
    flow_scratchpad(f);
}

/* From the beginning of a shard to that of the next.  On a ring its rows come back as they were sent.  At a
 * hub the next peer is granted when all rows of this one are there: a grant and a row cross it in turn. */
static double step_of(const chunk_flow *f, unsigned d, double shard, double hop) {
    const double way = f->s.latency[d];

    return f->s.config.hub[d] ? shard + 2 * way + hop : fmax(shard, way + hop);
}

/* A phase of a chunk begins to send. */
void flow_join(chunk_flow *f, uint32_t chunk, unsigned phase) {
    const flight *t = &f->flights[chunk % FLOW_CHUNKS];
    const ace_phase *p = &t->phase[phase];
    const flow_parameters *w = &f->s.flow;
    const unsigned d = p->dim;
    link *k = &f->links[2 * d + t->odd];
    const bool whole = p->kind == ACE_PHASE_ALL_REDUCE;
    const double half = f->steps[d][t->odd], steps = whole ? 2 * half : half;
    const double shard = p->shard_rows * k->cost * w->link_share[d];
    const double alone = shard * f->s.divided[d];
    const double reduce = step_of(f, d, alone, w->reduce_hop[d]);
    const double store = step_of(f, d, alone, w->store_hop[d]);
    const double turns = whole                                 ? half * reduce + (half - 1) * store
                         : p->kind == ACE_PHASE_REDUCE_SCATTER ? (half - 1) * reduce
                                                               : (half - 1) * store;
    unsigned at = k->count;

    if (k->count == LINK_JOBS || steps <= 0 || !p->shard_rows) {
        flow_later(f, f->now, OVER, phase + 1, chunk);
        return;
    }
    if (!GROW(f, k->jobs, k->count, k->room)) return;
    flow_link_move(k, f->now);
    while (at && (int32_t)(k->jobs[at - 1].chunk - chunk) > 0) at--;
    memmove(&k->jobs[at + 1], &k->jobs[at], (k->count - at) * sizeof *k->jobs);
    const double part = reduced_part(p->kind);
    k->jobs[at] =
        (job){ .left = steps * shard,
               .most = fmin(steps * shard / (turns + alone), k->cost / ((1 + part) * w->bank_read)),
               .chunk = chunk,
               .phase = (uint8_t)phase,
               .reduced = (float)part };
    k->count++;
    k->rows += (uint64_t)(steps + 0.5) * p->shard_rows;
    link_changed(f, k);
}

/* The jobs of a link that have nothing left: their last rows are on the way. */
void flow_leave(chunk_flow *f, unsigned l) {
    link *k = &f->links[l];
    unsigned keep = 0;

    flow_link_move(k, f->now);
    for (unsigned i = 0; i < k->count; i++) {
        const job j = k->jobs[i];
        const ace_phase *p = &f->flights[j.chunk % FLOW_CHUNKS].phase[j.phase];

        if (j.left > NOTHING) {
            k->jobs[keep++] = j;
            continue;
        }
        const double hop = p->kind == ACE_PHASE_REDUCE_SCATTER ? f->s.flow.reduce_hop[p->dim]
                                                               : f->s.flow.store_hop[p->dim];
        flow_later(f, f->now + (double)f->s.latency[p->dim] + hop, OVER, j.phase + 1u, j.chunk);
    }
    k->count = keep;
    link_changed(f, k);
}

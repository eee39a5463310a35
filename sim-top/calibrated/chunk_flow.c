/* SPDX-License-Identifier: Apache-2.0 */
/* chunk_flow.c -- see chunk_flow.h */
#include "chunk_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_exchange.h"
#include "ace_plan.h"
#include "ace_program.h"

enum {
    WHOLE_BURST = 16, /* rows */
    LOADS = 5,        /* one under way and those that the DMA holds behind it */
    STAGES = ACE_PHASES + 2,
    PHASE_JOBS = 16, /* of a direction: half the contexts */
    LINK_JOBS = ACE_PHASES * PHASE_JOBS
};
#define NEVER INFINITY
/* What is left of a piece of work when nothing is left of it but rounding. */
#define NOTHING 1e-6
/* What somebody has of what others take first. */
#define LEAST_SHARE 0.02
/* A link that is so much in use by an all-to-all always has a row of it to take. */
#define TIGHT 0.97

typedef struct flight {
    ace_phase phase[ACE_PHASES]; /* by the hardware's phases, 0..phases - 1 */
    uint16_t needs[ACE_PARTITIONS], load_rows, store_rows, tag;
    uint8_t first;                   /* stage that loads it */
    uint8_t load_burst, store_burst; /* rows */
    bool odd, last;
} flight;

/* A phase of a chunk on a link. */
typedef struct job {
    double left, most, rate; /* cycles of the link; cycles of it a cycle */
    uint32_t chunk;
    uint8_t phase;
} job;
typedef struct link {
    unsigned count;         /* of jobs */
    double at;              /* they have come to here */
    double share;           /* what the exchange leaves */
    double reduced, stored; /* rows a cycle that come from it into the two pipes */
    double reads[ACE_BANKS], writes[ACE_BANKS]; /* rows a cycle that it has of each bank */
    double want[ACE_PHASES];                    /* of the link, that each phase could use */
    double cost;                                /* cycles of a row */
    uint64_t rows;                              /* sent */
    job jobs[LINK_JOBS];                        /* the oldest chunk first */
} link;

/* Loads or stores, one behind the other. */
typedef struct memory_port {
    double left[FLOW_CHUNKS]; /* cycles of the memory: of the first what is left of it */
    uint32_t chunk[FLOW_CHUNKS];
    unsigned head, count;
    double at, next, rate;
    double cost, share; /* cycles of a row; what the exchange leaves */
} memory_port;

typedef enum event_kind {
    DISPATCH,
    JOIN,
    OVER,
    COMPLETE,
    EXCHANGE_BEGIN,
    EXCHANGE_OVER,
    ARRIVE
} event_kind;
typedef struct event {
    double at;
    uint64_t order; /* of those at the same time, the first made is first */
    uint32_t chunk; /* or the tag, or an arrival's label */
    uint8_t kind, stage;
} event;

typedef struct waiting {
    ace_command c;
    uint64_t chunks, at; /* of it, and dispatched */
    unsigned live;       /* its dimensions with more than one member */
} waiting;

typedef struct exchange_work {
    ace_command c;
    message_list messages; /* of a command of messages */
} exchange_work;

/* All-to-alls and messages, one command at a time. */
typedef struct exchange {
    exchange_work *waiting;
    unsigned count, room;
    unsigned outside; /* of them, the last: the dispatcher has not taken them yet */
    uint32_t number;
    bool runs, asked;      /* asked: its first rows of the memory, which they wait for */
    double left, rate, at; /* of 1 */
    double link[ACE_LINKS], read, write; /* cycles it has for each, of all of it */
    double most;         /* rows read ahead at the most: what waits for the links that it fills */
    double rows, unread; /* of it; not yet read */
    double unwritten,
        buffers; /* rows over the links and not yet in memory, and how many at the most */
    double reading, writing; /* of 1 a cycle */
    double turn, loads;      /* rows until loads have the memory, and until when they have */
    bool full;               /* so many that links it fills have rows waiting */
    double behind,
        turns; /* from here on also those behind others; its rates change by themselves */
    double tail, earliest; /* cycles of the longest way; a last row that goes it is there */
    double sent;           /* when the links had sent the last row */
} exchange;

struct chunk_flow {
    /* looked at in each window, side by side */
    double next; /* of all that is to come */
    double now;
    double ends[ACE_LINKS]; /* the first job of each link ends, as far as is known */
    unsigned links_past;    /* links from here on have no wire */
    unsigned token_first, token_count, token_room;
    flow_token *tokens; /* to be told */
    uint64_t events;
    int error;
    /* what is to come: a heap */
    event *heap;
    unsigned heap_count, heap_room;
    uint64_t order;
    chunk_flow_setup s;
    unsigned phases, store, contexts;
    /* dispatcher */
    waiting *commands;
    unsigned command_count, command_room;
    flight offered;
    bool planning, offers;
    /* scheduler */
    double decide_at;
    uint32_t dispatched, admitted[STAGES], finished[STAGES];
    uint64_t over[STAGES]; /* a bit a chunk */
    uint16_t used[ACE_PARTITIONS][ACE_BANKS];
    flight flights[FLOW_CHUNKS];
    /* servers */
    link links[ACE_LINKS];
    memory_port read, write;
    unsigned loads; /* under way */
    bool scaled;
    exchange exchange;
    double steps[ACE_DIMENSIONS]
                [2];      /* shards a half of an all-reduce sends, of even and odd chunks */
    ace_completion *done; /* to be told */
    unsigned done_first, done_count, done_room;
    flow_mail *mails; /* of messages, to be brought */
    unsigned mail_first, mail_count, mail_room;
    ace_arrival *arrivals; /* to be told */
    unsigned arrival_first, arrival_count, arrival_room;
};

/* ---- lists ------------------------------------------------------------------------------- */

/* Room for one more of so many bytes each; false, and an error: there is no memory. */
static bool grow(chunk_flow *f, void **list, unsigned count, unsigned *room, size_t bytes) {
    if (count < *room) return true;
    const unsigned more = *room ? 2 * *room : 16;
    void *to = realloc(*list, more * bytes);

    if (!to) {
        f->error = ACE_ENOMEM;
        return false;
    }
    *list = to;
    *room = more;
    return true;
}
#define GROW(f, list, count, room) grow(f, (void **)&(list), count, &(room), sizeof *(list))

static bool before(const event *a, const event *b) {
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void later(chunk_flow *f, double at, event_kind kind, unsigned stage, uint32_t chunk) {
    if (!GROW(f, f->heap, f->heap_count, f->heap_room)) return;
    const event e = { .at = at,
                      .order = f->order++,
                      .chunk = chunk,
                      .kind = (uint8_t)kind,
                      .stage = (uint8_t)stage };
    unsigned i = f->heap_count++;

    f->next = fmin(f->next, at);

    while (i && before(&e, &f->heap[(i - 1) / 2])) {
        f->heap[i] = f->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    f->heap[i] = e;
}

static event take_first(chunk_flow *f) {
    const event first = f->heap[0], last = f->heap[--f->heap_count];
    unsigned i = 0;

    for (unsigned c; (c = 2 * i + 1) < f->heap_count; i = c) {
        if (c + 1 < f->heap_count && before(&f->heap[c + 1], &f->heap[c])) c++;
        if (!before(&f->heap[c], &last)) break;
        f->heap[i] = f->heap[c];
    }
    f->heap[i] = last;
    return first;
}

/* ---- links ------------------------------------------------------------------------------- */

static double cost_of(const chunk_flow *f, unsigned d) {
    return (double)f->s.config.link_cost[d] / ACE_COST_ONE;
}

static void link_move(link *k, double to) {
    const double by = to - k->at;

    if (by > 0)
        for (unsigned i = 0; i < k->count; i++) k->jobs[i].left -= k->jobs[i].rate * by;
    k->at = to;
}

/* Of what a phase's work sends, the part that is reduced, or copied, by who receives it. */
static double reduced_part(ace_phase_kind kind) {
    return kind == ACE_PHASE_REDUCE_SCATTER ? 1 : kind == ACE_PHASE_ALL_REDUCE ? 0.5 : 0;
}

/* Of the chunks of a phase and direction, one in the middle of a shard goes before those that would
 * begin one, also where these want another link: so a phase has one link's worth of all its links.
 * */
static double may_want(const chunk_flow *f, const link *k, unsigned phase) {
    double all = 0;

    if (!(k->want[phase] > 0)) return 0;
    for (unsigned l = (unsigned)(k - f->links) % 2; l < f->links_past; l += 2)
        all += fmin(f->links[l].want[phase], 1);
    return all > 1 && all > k->want[phase] ? fmin(k->want[phase], 1) / all : k->want[phase];
}

/* Of the queues with a row for the link the latest phase's is first.  But while its queue holds a
 * row, a phase asks only where the link has two places, and one whose queue is empty asks where it
 * has one: so an earlier phase comes between.  `late_first` of the link go by that order; the rest is
 * shared evenly, and what one cannot use goes to the others. */
static void divide(const chunk_flow *f, const link *k, double capacity, double share[ACE_PHASES]) {
    double want[ACE_PHASES], even = capacity * (1 - f->s.flow.late_first);
    unsigned open = 0, less;

    memset(share, 0, ACE_PHASES * sizeof *share);
    for (unsigned p = 0; p < ACE_PHASES; p++) {
        want[p] = may_want(f, k, p);
        open |= (unsigned)(want[p] > 0) << p;
    }
    do {
        const double each = open ? even / __builtin_popcount(open) : 0;

        less = 0;
        for (unsigned p = 0; p < ACE_PHASES; p++) {
            if (!(open >> p & 1)) continue;
            share[p] = fmin(want[p], each);
            less |= (unsigned)(want[p] <= each) << p;
        }
        for (unsigned p = 0; p < ACE_PHASES; p++)
            if (less >> p & 1) even -= want[p];
        open &= ~less;
    } while (less);
    for (unsigned p = 0; p < ACE_PHASES; p++) capacity -= share[p];
    for (unsigned p = ACE_PHASES; p-- > 0;) {
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
static void link_rates(chunk_flow *f, link *k) {
    double share[ACE_PHASES];

    divide(f, k, k->share, share);
    serve_oldest(k, share);
    k->reduced = k->stored = 0;
    memset(k->reads, 0, sizeof k->reads);
    memset(k->writes, 0, sizeof k->writes);
    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        const double part = reduced_part(f->flights[j->chunk % FLOW_CHUNKS].phase[j->phase].kind);
        const double rows = j->rate / k->cost;

        k->reduced += part * rows;
        k->stored += (1 - part) * rows;
        k->reads[j->chunk % ACE_BANKS] += (1 + part) * rows;
        k->writes[j->chunk % ACE_BANKS] += rows;
    }
}

static void link_ends(chunk_flow *f, const link *k) {
    double first = NEVER;

    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        const double end = k->at + fmax(j->left, 0) / j->rate;
        if (j->rate > 0 && end < first) first = end;
    }
    f->ends[k - f->links] = first;
}

static void port_rates(chunk_flow *f);

/* What all links want of the two pipes and of the banks, 1 each at the most, as a factor by which
 * it is too much. */
typedef struct demand {
    double reduced, stored, reads[ACE_BANKS], writes[ACE_BANKS];
} demand;

static demand demand_of(const chunk_flow *f) {
    const flow_parameters *w = &f->s.flow;
    demand d = { 0 };

    for (unsigned l = 0; l < f->links_past; l++) {
        const link *k = &f->links[l];

        if (!k->count) continue;
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
static void scratchpad(chunk_flow *f) {
    const demand d = demand_of(f);
    double most = 0;

    for (unsigned b = 0; b < ACE_BANKS; b++) most = fmax(most, slower(&d, 0.5, b));
    if (most > 1 || f->scaled) {
        f->scaled = most > 1;
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            link *k = &f->links[l];

            if (!k->count) continue;
            link_move(k, f->now);
            link_rates(f, k);
            for (unsigned i = 0; most > 1 && i < k->count; i++) {
                job *j = &k->jobs[i];
                const double part =
                    reduced_part(f->flights[j->chunk % FLOW_CHUNKS].phase[j->phase].kind);
                j->rate /= slower(&d, part, j->chunk % ACE_BANKS);
            }
            link_ends(f, k);
        }
    }
    port_rates(f);
}

static void exchange_rates(chunk_flow *f);

/* Jobs of a link have come or gone; other links with chunks of the same phases have more or less.
 * */
static void link_changed(chunk_flow *f, link *k) {
    unsigned phases = 0;

    for (unsigned p = 0; p < ACE_PHASES; p++) phases |= (unsigned)(k->want[p] > 0) << p;
    memset(k->want, 0, sizeof k->want);
    for (unsigned i = 0; i < k->count; i++) k->want[k->jobs[i].phase] += k->jobs[i].most;
    for (unsigned p = 0; p < ACE_PHASES; p++) phases |= (unsigned)(k->want[p] > 0) << p;
    if (f->exchange.runs) exchange_rates(f);
    link_rates(f, k);
    link_ends(f, k);
    for (unsigned l = (unsigned)(k - f->links) % 2; l < f->links_past; l += 2) {
        link *other = &f->links[l];
        bool same = false;

        for (unsigned p = 0; p < ACE_PHASES; p++)
            same = same || (phases >> p & 1 && other->want[p] > 0);
        if (other == k || !same) continue;
        link_move(other, f->now);
        link_rates(f, other);
        link_ends(f, other);
    }
    scratchpad(f);
}

/* From the beginning of a shard to that of the next.  On a ring its rows come back as they were sent.  At a
 * hub the next peer is granted when all rows of this one are there: a grant and a row cross it in turn. */
static double step_of(const chunk_flow *f, unsigned d, double shard, double hop) {
    const double way = f->s.latency[d];

    return f->s.config.hub[d] ? shard + 2 * way + hop : fmax(shard, way + hop);
}

/* A phase of a chunk begins to send. */
static void join(chunk_flow *f, uint32_t chunk, unsigned phase) {
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
        later(f, f->now, OVER, phase + 1, chunk);
        return;
    }
    link_move(k, f->now);
    while (at && (int32_t)(k->jobs[at - 1].chunk - chunk) > 0) at--;
    memmove(&k->jobs[at + 1], &k->jobs[at], (k->count - at) * sizeof *k->jobs);
    const double part = reduced_part(p->kind);
    k->jobs[at] =
        (job){ .left = steps * shard,
               .most = fmin(steps * shard / (turns + alone), k->cost / ((1 + part) * w->bank_read)),
               .chunk = chunk,
               .phase = (uint8_t)phase };
    k->count++;
    k->rows += (uint64_t)(steps + 0.5) * p->shard_rows;
    link_changed(f, k);
}

/* The jobs of a link that have nothing left: their last rows are on the way. */
static void leave(chunk_flow *f, unsigned l) {
    link *k = &f->links[l];
    unsigned keep = 0;

    link_move(k, f->now);
    for (unsigned i = 0; i < k->count; i++) {
        const job j = k->jobs[i];
        const ace_phase *p = &f->flights[j.chunk % FLOW_CHUNKS].phase[j.phase];

        if (j.left > NOTHING) {
            k->jobs[keep++] = j;
            continue;
        }
        const double hop = p->kind == ACE_PHASE_REDUCE_SCATTER ? f->s.flow.reduce_hop[p->dim]
                                                               : f->s.flow.store_hop[p->dim];
        later(f, f->now + (double)f->s.latency[p->dim] + hop, OVER, j.phase + 1u, j.chunk);
    }
    k->count = keep;
    link_changed(f, k);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void port_move(memory_port *m, double to) {
    if (m->count && to > m->at) m->left[m->head] -= (to - m->at) * m->rate;
    m->at = to;
}

static void port_ends(memory_port *m) {
    m->next = m->count && m->rate > 0 ? m->at + fmax(m->left[m->head], 0) / m->rate : NEVER;
}

/* A row that is loaded is written to the bank of its chunk when the links leave it a cycle for it,
 * and one that is stored is read likewise. */
static void port_rates(chunk_flow *f) {
    for (unsigned i = 0; i < 2; i++) {
        memory_port *m = i ? &f->write : &f->read;
        double left = 1, rate = m->share;

        if (!m->count) continue;
        const unsigned bank = m->chunk[m->head] % ACE_BANKS;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (f->links[l].count)
                left -= i ? f->links[l].reads[bank] * f->s.flow.bank_read
                          : f->links[l].writes[bank] * f->s.flow.bank_write;
        rate = fmin(rate, fmax(left, LEAST_SHARE) * m->cost);
        if (fabs(rate - m->rate) < NOTHING) continue;
        port_move(m, f->now);
        m->rate = rate;
        port_ends(m);
    }
}

/* Rows at their share of the memory; or bursts, of which so many are under way, each after the one
 * in whose place it comes. */
static void port_put(chunk_flow *f, memory_port *m, uint32_t chunk, double rows, unsigned burst) {
    const unsigned most = f->s.parameters.memory_bursts;
    const double trip = f->s.config.memory_latency + f->s.flow.burst_trip;
    const double late = fmax(ceil(rows / burst) - most, 0) * trip / most;
    const unsigned at = (m->head + m->count) % FLOW_CHUNKS;

    port_move(m, f->now);
    m->left[at] = fmax(rows * m->cost, late);
    m->chunk[at] = chunk;
    m->count++;
    if (m->count > 1) return;
    m->rate = 0;
    if (f->exchange.runs) exchange_rates(f);
    port_rates(f);
}

static uint32_t port_take(chunk_flow *f, memory_port *m) {
    const uint32_t chunk = m->chunk[m->head];

    port_move(m, f->now);
    m->head = (m->head + 1) % FLOW_CHUNKS;
    m->count--;
    m->rate = 0;
    m->next = NEVER;
    if (f->exchange.runs) exchange_rates(f);
    port_rates(f);
    return chunk;
}

/* ---- the exchange ------------------------------------------------------------------------ */

static void exchange_move(chunk_flow *f) {
    exchange *x = &f->exchange;
    const double by = f->now - x->at;

    if (x->runs && by > 0) {
        const double sent = x->rate * by, read = x->reading * by;

        x->left -= sent;
        x->unread = fmax(x->unread - read * x->rows, 0);
        x->unwritten = fmax(x->unwritten + (sent - x->writing * by) * x->rows, 0);
        x->turn -= read * x->rows;
    }
    x->at = f->now;
}

/* What the exchange leaves of each link.  Its rows go first: where some always wait nothing is left.
 * They come to wait as it reads more than the links take, and where they come over another link that
 * it fills, which lets them through at a link's rate and no faster, only after a while. */
static void links_left(const chunk_flow *f, double rate, double left[ACE_LINKS]) {
    const exchange *x = &f->exchange;
    bool behind = false;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        bool tight = false;

        for (unsigned l = 2 * d; l <= 2 * d + 1; l++) {
            const double busy = rate * x->link[l];

            tight = tight || busy >= TIGHT;
            const bool waits = x->full && !(behind && f->now < x->behind);
            left[l] = busy < TIGHT ? 1 - busy : waits ? 0 : f->s.flow.exchange_gap;
        }
        behind = behind || tight;
    }
}

/* What loads have asked of the memory comes before what is asked now: so many bursts are under way. */
static double loads_before(chunk_flow *f) {
    memory_port *m = &f->read;
    double bursts = f->s.parameters.memory_bursts, left = 0;

    port_move(m, f->now);
    for (unsigned i = 0; i < m->count && bursts > 0; i++) {
        const unsigned at = (m->head + i) % FLOW_CHUNKS;
        const double burst = f->flights[m->chunk[at] % FLOW_CHUNKS].load_burst * m->cost;
        const double some = fmin(m->left[at], bursts * burst);

        left += some;
        bursts -= some / burst;
    }
    return left;
}

/* Of it a cycle, read.  The memory answers in order: what the exchange asks for at once comes in one turn, and
 * behind it what the loads have asked for until then. */
static double exchange_reading(chunk_flow *f) {
    exchange *x = &f->exchange;

    if (x->unread <= NOTHING) return 0;
    if (!f->read.count) {
        x->turn = f->s.parameters.exchange_bursts;
    } else if (x->turn <= NOTHING) {
        x->turn = f->s.parameters.exchange_bursts;
        x->loads = f->now + loads_before(f);
    }
    return f->read.count && f->now < x->loads ? 0 : 1 / x->read;
}

/* The exchange's part of the writes.  Stores have one burst under way at a time, and what waits in the exchange's
 * places is written before the next. */
static double writes_of(const chunk_flow *f) {
    const memory_port *m = &f->write;

    if (!m->count) return 1;
    const double burst = f->flights[m->chunk[m->head] % FLOW_CHUNKS].store_burst;
    return ACE_EXCHANGE_PLACES / (ACE_EXCHANGE_PLACES + burst);
}

/* As fast as the tightest of the links lets it; while no rows are left that were read ahead, as the reads let it; and
 * once the buffers behind the links are full, as the writes do. */
static void exchange_pace(chunk_flow *f) {
    exchange *x = &f->exchange;

    x->rate = x->reading = x->writing = 0;
    x->turns = NEVER;
    if (!x->runs) return;
    const double writes = writes_of(f) / x->write;
    const bool backed = x->unwritten >= x->buffers - NOTHING, behind = x->unwritten > NOTHING;
    double through = backed ? writes : INFINITY;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (x->link[l] > 0) through = fmin(through, 1 / x->link[l]);
    if (isinf(through)) through = writes;
    x->reading = exchange_reading(f);
    const double held = fmax(x->left * x->rows - x->unread, 0); /* read ahead of the links */
    const bool most = held >= x->most - NOTHING, none = held <= NOTHING && x->unread > NOTHING;
    if (most) x->full = true;
    if (none && x->reading < through) x->full = false;
    x->rate = x->left <= NOTHING ? 0 : none ? fmin(through, x->reading) : through;
    x->writing = behind ? writes : fmin(writes, x->rate);
    if (most) x->reading = fmin(x->reading, x->rate);
    const double filling = (x->reading - x->rate) * x->rows, rows = x->reading * x->rows;
    const double backing = (x->rate - x->writing) * x->rows;
    if (backing > 0 && !backed) x->turns = f->now + (x->buffers - x->unwritten) / backing;
    if (backing < 0) x->turns = f->now - x->unwritten / backing;
    if (filling > 0) x->turns = fmin(x->turns, f->now + (x->most - held) / filling);
    if (filling < 0 && !none && x->unread > NOTHING)
        x->turns = fmin(x->turns, f->now - held / filling);
    if (f->now < x->behind) x->turns = fmin(x->turns, x->behind);
    if (rows > 0) x->turns = fmin(x->turns, f->now + x->unread / rows);
    if (rows > 0 && f->read.count) x->turns = fmin(x->turns, f->now + x->turn / rows);
    if (f->read.count && f->now < x->loads) x->turns = fmin(x->turns, x->loads);
}

/* The rest is the chunks'. */
static void exchange_rates(chunk_flow *f) {
    exchange *x = &f->exchange;
    double lefts[ACE_LINKS];

    exchange_move(f);
    exchange_pace(f);
    links_left(f, x->rate, lefts);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const double left = lefts[l];
        link *k = &f->links[l];

        if (fabs(left - k->share) < 1e-9) continue;
        link_move(k, f->now);
        k->share = left;
        link_rates(f, k);
        link_ends(f, k);
    }
    for (unsigned i = 0; i < 2; i++) {
        memory_port *m = i ? &f->write : &f->read;
        m->share = fmax(1 - (i ? x->writing * x->write : x->reading * x->read), 0);
    }
    scratchpad(f);
}

/* The places of the links that it fills: a queue of the exchange and the router's way out. */
static double read_ahead(const chunk_flow *f) {
    const ace_parameters *p = &f->s.parameters;
    const exchange *x = &f->exchange;
    double tightest = 0, rows = 0;

    for (unsigned l = 0; l < ACE_LINKS; l++) tightest = fmax(tightest, x->link[l]);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (x->link[l] > 0 && x->link[l] >= TIGHT * tightest)
            rows += p->exchange_rows + p->router_output_rows;
    return rows;
}

/* The places behind the links of those that come: of the routers, and before the memory. */
static double read_behind(const chunk_flow *f) {
    double rows = ACE_EXCHANGE_PLACES;

    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (f->exchange.link[l] > 0) rows += f->s.parameters.router_input_rows;
    return rows;
}

/* Rows on each link, of the memory, and the longest way of an all-to-all. */
static double load_blocks(chunk_flow *f, const ace_command *c) {
    exchange *x = &f->exchange;
    const ace_config *cfg = &f->s.config;
    const flow_parameters *w = &f->s.flow;
    uint64_t bytes[ACE_DIMENSIONS];

    ace_plan_bytes(c, cfg, bytes);
    x->tail = 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned hops = cfg->hub[d] ? cfg->ring[d] > 1 : cfg->ring[d] / 2u;
        const double each = (double)(bytes[d] / ACE_ROW_BYTES) / 2;

        x->link[2 * d] = x->link[2 * d + 1] = each * cost_of(f, d) * w->exchange_share[d];
        f->links[2 * d].rows += (uint64_t)(each + 0.5);
        f->links[2 * d + 1].rows += (uint64_t)each;
        if (bytes[d]) x->tail += hops * ((double)f->s.latency[d] + w->exchange_hop[d]);
    }
    return (double)(ace_plan_members(c, cfg) * ace_plan_block_rows(c, cfg));
}

/* From a message's last row on a link to the cycle in which it is there. */
static double mail_way(const chunk_flow *f, const flow_mail *m) {
    double way = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        way += message_steps(m, &f->s.config, d) *
               ((double)f->s.latency[d] + f->s.flow.exchange_hop[d]);
    return way;
}

/* The same of messages.  Their rows are counted on the links that they cross. */
static double load_messages(chunk_flow *f, const message_list *m) {
    exchange *x = &f->exchange;

    x->tail = 0;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        x->link[l] = (double)m->link[l] * cost_of(f, l / 2) * f->s.flow.exchange_share[l / 2];
    for (unsigned i = 0; i < m->mails; i++) x->tail = fmax(x->tail, mail_way(f, &m->mail[i]));
    return (double)m->rows;
}

static void exchange_begin(chunk_flow *f) {
    exchange *x = &f->exchange;

    x->asked = !x->asked;
    if (x->asked) {
        later(f, f->now + fmax(loads_before(f), f->s.config.memory_latency), EXCHANGE_BEGIN, 0, 0);
        return;
    }
    const exchange_work *one = &x->waiting[0];
    const bool messages = one->c.kind == ACE_MESSAGES;
    const ace_config *cfg = &f->s.config;
    const flow_parameters *w = &f->s.flow;
    const double rows = messages ? load_messages(f, &one->messages) : load_blocks(f, &one->c);

    x->runs = true;
    x->left = 1;
    x->at = f->now;
    x->read = rows * (double)cfg->read_cost / ACE_COST_ONE * w->exchange_memory;
    x->write = rows * (double)cfg->write_cost / ACE_COST_ONE * w->exchange_memory;
    x->earliest = f->now + fmax(x->read, x->write) + (messages ? 0 : x->tail);
    x->behind = f->now + w->exchange_fill * x->tail;
    x->rows = x->unread = rows;
    x->turn = f->s.parameters.exchange_bursts;
    x->loads = 0;
    x->unwritten = 0;
    x->sent = NEVER;
    x->most = read_ahead(f);
    x->buffers = read_behind(f);
    x->full = false;
    exchange_rates(f);
}

/* The links have sent the last row, or the memory has it. */
static double exchange_ends(const exchange *x) {
    if (!x->runs) return NEVER;
    if (x->rate > 0) return x->at + fmax(x->left, 0) / x->rate;
    if (x->left > NOTHING) return NEVER;
    return x->unwritten <= NOTHING ? x->at : x->at + x->unwritten / (x->writing * x->rows);
}

static void complete(chunk_flow *f, uint16_t tag) {
    if (f->done_first == f->done_count) f->done_first = f->done_count = 0;
    if (!GROW(f, f->done, f->done_count, f->done_room)) return;
    /* in the cycle that it falls into: the one that a node has run to is not over yet */
    f->done[f->done_count++] = (ace_completion){ .cycle = (uint64_t)f->now, .tag = tag };
}

/* Who is alone has met all others. */
static void meet(chunk_flow *f, flow_token t) {
    if (f->s.alone)
        chunk_flow_go(f, &t, t.cycle + chunk_flow_way(f, &t));
    else if (GROW(f, f->tokens, f->token_count, f->token_room))
        f->tokens[f->token_count++] = t;
}

/* The first of those that wait is over: the next one begins, where the dispatcher has taken it. */
static void exchange_next(chunk_flow *f) {
    exchange *x = &f->exchange;

    complete(f, x->waiting[0].c.tag);
    message_list_free(&x->waiting[0].messages);
    x->count--;
    memmove(x->waiting, x->waiting + 1, x->count * sizeof *x->waiting);
    if (x->count > x->outside) later(f, f->now + f->s.flow.exchange_start, EXCHANGE_BEGIN, 0, 0);
}

void chunk_flow_deliver(chunk_flow *f, uint32_t label, uint64_t cycle) {
    later(f, fmax((double)cycle, f->now), ARRIVE, 0, label);
}

/* The last rows of all messages are on their ways, which end at others; a node that stands for all is its own. */
static void messages_end(chunk_flow *f) {
    exchange *x = &f->exchange;
    const message_list *m = &x->waiting[0].messages;
    const double end = fmax(f->now, x->earliest);

    for (unsigned i = 0; i < m->mails; i++) {
        flow_mail mail = m->mail[i];

        /* its trailer is written */
        mail.cycle = (uint64_t)ceil(end + mail_way(f, &mail) + f->s.config.memory_latency);
        if (f->s.alone) {
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
                chunk_flow_cross(f, 2 * d + (mail.hops >> (8 * d + 7) & 1),
                                 mail.rows * message_steps(&mail, &f->s.config, d));
            chunk_flow_deliver(f, mail.label, mail.cycle);
        } else if (GROW(f, f->mails, f->mail_count, f->mail_room)) {
            f->mails[f->mail_count++] = mail;
        }
    }
    x->runs = false;
    exchange_rates(f);
    later(f, end, EXCHANGE_OVER, 0, 0);
}

/* Its last row is on the way: the members meet at the end. */
static void exchange_end(chunk_flow *f) {
    exchange *x = &f->exchange;

    exchange_move(f);
    if (isinf(x->sent)) x->sent = f->now;
    if (x->unwritten > NOTHING) {
        x->left = 0;
        exchange_rates(f);
        return;
    }
    if (x->waiting[0].c.kind == ACE_MESSAGES) {
        messages_end(f);
        return;
    }
    const double end =
        fmax(fmax(f->now, x->sent + f->s.flow.exchange_tail * x->tail), x->earliest) +
        f->s.config.memory_latency; /* its row is written */
    double soonest = NEVER;         /* a row crosses a link at least */
    flow_token t = { .number = x->number, .phase = FLOW_EXCHANGE };

    x->runs = false;
    exchange_rates(f);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (x->link[2 * d] > 0) {
            t.dims |= (uint8_t)(1u << d);
            soonest = fmin(soonest, f->now + (double)f->s.latency[d]);
        }
    t.cycle = (uint64_t)ceil(t.dims ? fmax(end, soonest) : end);
    meet(f, t);
}

/* ---- the dispatcher ---------------------------------------------------------------------- */

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
static void plan(chunk_flow *f, double from) {
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
    later(f, from + took, DISPATCH, 0, 0);
}

/* ---- the scheduler ----------------------------------------------------------------------- */

static void finish(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->finished[g]++;
    const flight *t = &f->flights[chunk % FLOW_CHUNKS];

    f->over[g] &= ~(UINT64_C(1) << chunk % FLOW_CHUNKS);
    if (g) {
        uint16_t *used = &f->used[g - 1][chunk % ACE_BANKS];
        *used = (uint16_t)(*used - t->needs[g - 1]);
    }
    if (g == f->store && t->last) later(f, when, COMPLETE, 0, t->tag);
}

static void admit(chunk_flow *f, unsigned g, double when) {
    const uint32_t chunk = f->admitted[g]++;
    flight *t = &f->flights[chunk % FLOW_CHUNKS];

    if (g < f->store) {
        uint16_t *used = &f->used[g][chunk % ACE_BANKS];
        *used = (uint16_t)(*used + t->needs[g]);
    }
    if (g == f->store) {
        port_put(f, &f->write, chunk, t->store_rows, t->store_burst);
    } else if (g == t->first) {
        f->loads++;
        port_put(f, &f->read, chunk, t->load_rows, t->load_burst);
    } else if (g < t->first) {
        f->over[g] |= UINT64_C(1) << chunk % FLOW_CHUNKS;
    } else {
        meet(f, (flow_token){ .cycle = (uint64_t)ceil(when),
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

/* All decisions that can be taken, the latest stage first, each behind the one before. */
static void decide(chunk_flow *f) {
    for (;;) {
        unsigned g = f->store + 1;
        bool ends = false;

        while (g-- > 0) {
            ends =
                f->admitted[g] != f->finished[g] && f->over[g] >> f->finished[g] % FLOW_CHUNKS & 1;
            if (ends || may_admit(f, g)) break;
        }
        if (g > f->store) return;
        const double when = fmax(f->now, f->decide_at);

        f->decide_at = when + f->s.flow.decision;
        if (ends)
            finish(f, g, when);
        else
            admit(f, g, when);
    }
}

/* Between two chunks the dispatcher takes what is on the command pins, with FIFO also while one waits. */
static void take_exchanges(chunk_flow *f) {
    exchange *x = &f->exchange;
    const bool first = x->outside && x->outside == x->count;

    x->outside = 0;
    if (first) later(f, f->now + f->s.flow.exchange_start, EXCHANGE_BEGIN, 0, 0);
}

static void enter(chunk_flow *f) {
    if (!f->offers) return;
    if (f->dispatched - f->finished[f->store] == FLOW_CHUNKS) {
        if (f->s.config.order == ACE_FIFO) take_exchanges(f);
        return;
    }
    f->offered.odd = f->dispatched & 1;
    f->flights[f->dispatched++ % FLOW_CHUNKS] = f->offered;
    f->offers = false;
    take_exchanges(f);
    plan(f, f->now);
}

static void settle(chunk_flow *f) {
    const uint32_t was = f->dispatched;

    decide(f);
    enter(f);
    if (f->dispatched != was) decide(f);
}

/* ---- time -------------------------------------------------------------------------------- */

static double next_event(const chunk_flow *f) {
    double t = f->heap_count ? f->heap[0].at : NEVER;

    t = fmin(t, fmin(f->read.next, f->write.next));
    for (unsigned l = 0; l < f->links_past; l++) t = fmin(t, f->ends[l]);
    return f->exchange.runs ? fmin(t, fmin(exchange_ends(&f->exchange), f->exchange.turns)) : t;
}

static void happen(chunk_flow *f, const event *e) {
    switch ((event_kind)e->kind) {
    case DISPATCH:
        f->planning = false;
        f->offers = true;
        settle(f);
        break;
    case JOIN: join(f, e->chunk, e->stage); break;
    case OVER:
        if (e->stage == f->flights[e->chunk % FLOW_CHUNKS].first) f->loads--;
        f->over[e->stage] |= UINT64_C(1) << e->chunk % FLOW_CHUNKS;
        settle(f);
        break;
    case COMPLETE: complete(f, (uint16_t)e->chunk); break;
    case EXCHANGE_BEGIN:
        if (!f->exchange.runs) exchange_begin(f);
        break;
    case EXCHANGE_OVER: exchange_next(f); break;
    case ARRIVE:
        if (f->arrival_first == f->arrival_count) f->arrival_first = f->arrival_count = 0;
        if (GROW(f, f->arrivals, f->arrival_count, f->arrival_room))
            f->arrivals[f->arrival_count++] =
                (ace_arrival){ .cycle = (uint64_t)f->now, .label = e->chunk };
        break;
    }
}

static void one_event(chunk_flow *f, double t) {
    f->now = t;
    f->events++;
    if (f->heap_count && f->heap[0].at <= t) {
        const event e = take_first(f);
        happen(f, &e);
        return;
    }
    const double answer = t + f->s.config.memory_latency; /* of the memory */

    if (f->read.next <= t) {
        later(f, answer + f->s.flow.load, OVER,
              f->flights[f->read.chunk[f->read.head] % FLOW_CHUNKS].first, port_take(f, &f->read));
        return;
    }
    if (f->write.next <= t) {
        later(f, answer + f->s.flow.store, OVER, f->store, port_take(f, &f->write));
        return;
    }
    for (unsigned l = 0; l < f->links_past; l++)
        if (f->ends[l] <= t) {
            leave(f, l);
            return;
        }
    if (exchange_ends(&f->exchange) <= t)
        exchange_end(f);
    else
        exchange_rates(f);
}

void chunk_flow_run(chunk_flow *f, uint64_t until) {
    while (f->next < (double)until && f->error == ACE_OK) {
        one_event(f, fmax(f->next, f->now));
        f->next = next_event(f);
    }
    if (f->now < (double)until) f->now = (double)until;
}

uint64_t chunk_flow_next(const chunk_flow *f) {
    return f->next < 0x1p63 ? (uint64_t)f->next : UINT64_MAX;
}

/* ---- from outside ------------------------------------------------------------------------ */

bool chunk_flow_covers(const ace_command *c) { return c->kind <= ACE_ALL_TO_ALL; }

static int submit_exchange(chunk_flow *f, const ace_command *c) {
    exchange *x = &f->exchange;
    exchange_work one = { .c = *c };
    const int e =
        c->kind == ACE_MESSAGES ? message_list_make(c, &f->s.config, &one.messages) : ACE_OK;

    if (e != ACE_OK || !GROW(f, x->waiting, x->count, x->room)) {
        message_list_free(&one.messages);
        return e != ACE_OK ? e : ACE_ENOMEM;
    }
    x->waiting[x->count++] = one;
    x->outside++;
    if (!f->planning && (!f->offers || f->s.config.order == ACE_FIFO)) take_exchanges(f);
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
    *w = (waiting){ .c = *c, .chunks = ace_plan_chunks(c, &f->s.config) };
    for (unsigned i = 0; i < c->dim_count; i++) w->live += f->s.config.ring[c->dims[i]] > 1;
    plan(f, f->now + f->s.flow.issue);
    return f->error;
}

uint64_t chunk_flow_way(const chunk_flow *f, const flow_token *t) {
    return t->phase == FLOW_EXCHANGE ? 0 : f->s.latency[__builtin_ctz(t->dims)];
}

void chunk_flow_go(chunk_flow *f, const flow_token *t, uint64_t cycle) {
    if (t->phase != FLOW_EXCHANGE) {
        const unsigned d = (unsigned)__builtin_ctz(t->dims);
        later(f, (double)cycle + f->s.flow.meet[d], JOIN, t->phase, t->number);
        return;
    }
    f->exchange.number++;
    later(f, (double)cycle, EXCHANGE_OVER, 0, 0);
}

bool chunk_flow_completion(chunk_flow *f, ace_completion *c) {
    if (f->done_first == f->done_count) return false;
    *c = f->done[f->done_first++];
    return true;
}

bool chunk_flow_token(chunk_flow *f, flow_token *t) {
    if (f->token_first == f->token_count) {
        f->token_first = f->token_count = 0;
        return false;
    }
    *t = f->tokens[f->token_first++];
    return true;
}

bool chunk_flow_mail(chunk_flow *f, flow_mail *m) {
    if (f->mail_first == f->mail_count) {
        f->mail_first = f->mail_count = 0;
        return false;
    }
    *m = f->mails[f->mail_first++];
    return true;
}

bool chunk_flow_arrival(chunk_flow *f, ace_arrival *a) {
    if (f->arrival_first == f->arrival_count) return false;
    *a = f->arrivals[f->arrival_first++];
    return true;
}

bool chunk_flow_idle(const chunk_flow *f) {
    return !f->command_count && !f->planning && !f->offers && !f->exchange.count &&
           f->dispatched == f->finished[f->store] && f->done_first == f->done_count &&
           !f->heap_count;
}

void chunk_flow_cross(chunk_flow *f, unsigned link, uint64_t rows) { f->links[link].rows += rows; }

uint64_t chunk_flow_sent(const chunk_flow *f, unsigned link) { return f->links[link].rows; }
uint64_t chunk_flow_events(const chunk_flow *f) { return f->events; }
int chunk_flow_error(const chunk_flow *f) { return f->error; }

void chunk_flow_dump(const chunk_flow *f, FILE *to) {
    fprintf(to, "calibrated node, cycle %.0f: %u commands wait, chunks dispatched %u\n", f->now,
            f->command_count + f->exchange.count, f->dispatched);
    for (unsigned g = 0; g <= f->store; g++)
        fprintf(to, "  stage %u: %u of %u over\n", g, f->finished[g], f->admitted[g]);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (f->links[l].count)
            fprintf(to, "  link %c%c: %u phases of chunks\n", ACE_DIMENSION_LETTERS[l / 2],
                    "+-"[l % 2], f -> links[l].count);
}

chunk_flow *chunk_flow_create(const chunk_flow_setup *setup) {
    chunk_flow *f = calloc(1, sizeof *f);
    ace_config filled = setup->config;

    if (!f) return NULL;
    f->next = NEVER;
    f->s = *setup;
    f->phases = setup->parameters.dimensions + 1;
    f->store = f->phases + 1;
    f->contexts = setup->parameters.fsms / f->phases * setup->parameters.contexts;
    (void)ace_program_defaults(&filled);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        link *k = &f->links[l];
        const unsigned d = l / 2, n = setup->config.ring[d];

        k->share = 1;
        f->ends[l] = NEVER;
        if (n > 1) f->links_past = l + 1;
        k->cost = cost_of(f, d);
        f->steps[d][l % 2] = n > 1 ? n - 1 : 0;
        if (n > 1 && !ace_program_is_ring(&setup->config, d))
            f->steps[d][l % 2] = ace_program_shards(filled.program, ACE_PHASE_REDUCE_SCATTER, d, n,
                                                    setup->config.rank[d], l % 2);
    }
    f->read = f->write = (memory_port){ .share = 1, .next = NEVER };
    f->read.cost = (double)setup->config.read_cost / ACE_COST_ONE * setup->flow.read_share;
    f->write.cost = (double)setup->config.write_cost / ACE_COST_ONE * setup->flow.write_share;
    return f;
}

void chunk_flow_destroy(chunk_flow *f) {
    if (!f) return;
    free(f->commands);
    for (unsigned i = 0; i < f->exchange.count; i++)
        message_list_free(&f->exchange.waiting[i].messages);
    free(f->exchange.waiting);
    free(f->mails);
    free(f->arrivals);
    free(f->heap);
    free(f->done);
    free(f->tokens);
    free(f);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_collectives.c -- each chunk at each member as a state machine, driven by messages
 *
 * A chunk waits in a queue of its dimension, runs a phase, and joins the next queue. A phase is a
 * number of steps. Each step sends a message, waits for one, and takes an endpoint delay and
 * perhaps a reduction. With `explain` each part also keeps where its time went, and a message
 * carries its sender's record. So the critical path is known at the end.
 */
#include "compat_collectives.h"

#include "astra_bound.h"

#include <stdlib.h>
#include <string.h>

#include "chakra_graph.h"

enum {
    PHASES = 2 * ASTRA_DIMENSIONS,
    /* endpoint delay of a group: the fixed 10 of a Fast transfer in ASTRA-sim's class MemBus */
    GROUP_NS = 10,
    /* a reduction writes once and reads twice, in PacketBundle::call() of ASTRA-sim */
    REDUCTION_ACCESSES = 3
};

typedef struct phase {
    unsigned dim;  /* the dimension in whose queues it waits */
    unsigned kind; /* COMPAT_ALL_REDUCE ... */
    compat_choice choice;
    bool last_half; /* uses the last half of the queues; sends downward */
    uint64_t bytes; /* of the buffer; of an all-gather the shard */
    unsigned members;
    unsigned stride;        /* distance between neighbours in NPU numbers; 0: one ring of all */
    unsigned member_stride; /* the same distance in member indices */
    unsigned steps;
} phase;

struct instance;

const char *const compat_cause_names[COMPAT_CAUSES] = { "latency", "serial", "endpoint",
                                                        "reduction", "waiting" };

/* not begun; in a queue; runs a phase; all phases have ended */
typedef enum part_state { PART_AWAY, PART_WAITS, PART_RUNS, PART_DONE } part_state;

/* A chunk at a member. */
typedef struct part {
    struct instance *of;
    unsigned member, phase;
    part_state state;
    uint8_t queue[PHASES];
    uint64_t priority;
    unsigned sent;              /* steps whose message was sent */
    unsigned arrived, received; /* messages: arrived; processed */
    unsigned free;              /* sends that are permitted and not yet made */
    uint64_t *early; /* keys (see message_key()) of messages that came before they were awaited */
    unsigned early_count, room;
    /* breakdown up to `at`, from the collective's first begin; NULL: not requested */
    compat_breakdown *breakdown;
    uint64_t at;
} part;

/* A collective of all its members. */
typedef struct instance {
    struct instance *next, *before;
    uint64_t tag, ordinal;
    unsigned kind;   /* COMPAT_ALL_REDUCE ... */
    unsigned leader; /* the first member's NPU: groups of whole dimensions share one tag */
    unsigned members;
    unsigned *npu;        /* the NPU of each member */
    uint32_t *node_index; /* the node of each member that has begun */
    unsigned begun, done; /* members */
    uint64_t *since;      /* when each member began */
    uint64_t begin;       /* when the first member began */
    uint64_t bytes;       /* bytes of the command */
    double least_ns;      /* time that the busiest link needs at least */
    unsigned *left;       /* unfinished chunks of each member */
    bool single_ring;     /* its members are one ring, not dimensions */
    unsigned phases, chunks;
    phase phase[PHASES];
    part *part; /* indexed by member and chunk */
} instance;

typedef struct queue {
    part **at; /* waiting parts, in order */
    unsigned count, room, running;
} queue;

struct compat_collectives {
    const compat_system *s;
    const astra_network *of;
    compat_network *network;
    compat_clock *clock;
    compat_call on_member_done;
    instance *first;
    queue *queue; /* for each NPU, dimension and queue number */
    /* next queue for each NPU and dimension: of all queues, of the first half, of the last half */
    uint32_t (*next)[ASTRA_DIMENSIONS][3];
    compat_bound_violation bound_violation;
    uint64_t *count; /* number of each NPU's collectives so far */
    compat_explain *explain;
    void *explain_self; /* the argument `self` of explain */
    const part *cause;  /* the part whose event is running, or NULL */
};

compat_collectives *compat_collectives_create(const compat_system *s, const astra_network *of,
                                              compat_network *n, compat_clock *clock,
                                              compat_call on_member_done) {
    compat_collectives *c = calloc(1, sizeof *c);

    if (!c) return NULL;
    *c = (compat_collectives){
        .s = s, .of = of, .network = n, .clock = clock, .on_member_done = on_member_done
    };
    c->queue = calloc((size_t)of->npus * ASTRA_DIMENSIONS * s->queues, sizeof *c->queue);
    c->next = calloc(of->npus, sizeof *c->next);
    c->count = calloc(of->npus, sizeof *c->count);
    if (c->queue && c->next && c->count) return c;
    compat_collectives_destroy(c);
    return NULL;
}

static void destroy_instance(compat_collectives *c, instance *x) {
    if (x->before) x->before->next = x->next;
    if (x->next) x->next->before = x->before;
    if (c->first == x) c->first = x->next;
    for (size_t i = 0; x->part && i < (size_t)x->members * x->chunks; i++) {
        free(x->part[i].early);
        free(x->part[i].breakdown);
    }
    free(x->npu);
    free(x->node_index);
    free(x->since);
    free(x->left);
    free(x->part);
    free(x);
}

void compat_collectives_explain(compat_collectives *c, compat_explain *explain, void *self) {
    c->explain = explain;
    c->explain_self = self;
}

void compat_collectives_destroy(compat_collectives *c) {
    if (!c) return;
    while (c->first) destroy_instance(c, c->first);
    for (size_t i = 0; c->queue && i < (size_t)c->of->npus * ASTRA_DIMENSIONS * c->s->queues; i++)
        free(c->queue[i].at);
    free(c->queue);
    free(c->next);
    free(c->count);
    free(c);
}

/* ---- breakdowns
 * -------------------------------------------------------------------------------- */

/* Advances a part's breakdown to `time`. `ns` of the elapsed time has a cause, and the rest is
 * waiting. */
static void account_time(part *q, uint64_t time, compat_cause cause, uint64_t ns) {
    const unsigned dim = q->of->phase[q->phase].dim;
    uint64_t all;

    if (!q->breakdown || time <= q->at) return;
    all = time - q->at;
    if (ns > all) ns = all;
    q->breakdown->ns[dim][cause] += ns;
    q->breakdown->ns[dim][COMPAT_WAITING] += all - ns;
    q->at = time;
}

/* If another part of the same collective lets this one continue now, the critical path goes through
 * that part. For a part of another collective that is not known here, and the time counts as
 * waiting. */
static void inherit_path(part *q, const part *cause, uint64_t now) {
    if (!q->breakdown || !cause || cause == q || cause->of != q->of || cause->at != now) return;
    memcpy(q->breakdown->ns, cause->breakdown->ns, sizeof q->breakdown->ns);
    q->at = now;
}

/* A message that carries its sender's breakdown. */
typedef struct traced_message {
    compat_collectives *c;
    uint64_t ns[ASTRA_DIMENSIONS][COMPAT_CAUSES];
    uint64_t sent, latency_ns, serial_ns;
} traced_message;

static void read_traced_message(const compat_collectives *c, part *q, const traced_message *l) {
    if (!l) return;
    memcpy(q->breakdown->ns, l->ns, sizeof q->breakdown->ns);
    q->at = l->sent;
    account_time(q, l->sent + l->latency_ns, COMPAT_LATENCY, l->latency_ns);
    account_time(q, l->sent + l->latency_ns + l->serial_ns, COMPAT_SERIAL, l->serial_ns);
    account_time(q, c->clock->now, COMPAT_WAITING, 0);
}

/* Reports what all chunks of a member sent, and the critical path of its last chunk. */
static void report(const compat_collectives *c, const part *q) {
    const instance *x = q->of;
    compat_breakdown b;

    if (!q->breakdown) return;
    b = *q->breakdown;
    for (unsigned i = 0; i < x->chunks; i++) {
        const part *o = &x->part[q->member * x->chunks + i];

        for (unsigned d = 0; d < ASTRA_DIMENSIONS && o != q; d++) {
            b.messages[d] += o->breakdown->messages[d];
            b.bytes[d] += o->breakdown->bytes[d];
        }
    }
    c->explain(c->explain_self, x->npu[q->member], x->node_index[q->member], &b);
}

/* ---- phases of a chunk --------------------------------------------------------------------- */

static unsigned kind_of(ace_kind k) {
    switch (k) {
    case ACE_REDUCE_SCATTER: return COMPAT_REDUCE_SCATTER;
    case ACE_ALL_GATHER: return COMPAT_ALL_GATHER;
    case ACE_ALL_TO_ALL: return COMPAT_ALL_TO_ALL;
    default: return COMPAT_ALL_REDUCE;
    }
}

static unsigned log2_of(unsigned n) { return (unsigned)__builtin_ctz(n); }

/* Returns the number of messages that a member sends in a phase. In a ring all-to-all the members
 * forward each block: 1 + 2 + ... + (n - 1) messages, stream_count in ASTRA-sim's class Ring. */
static unsigned steps_of(const phase *p) {
    const unsigned n = p->members;
    const unsigned half = p->choice.algorithm == COMPAT_HALVING ? log2_of(n) : n - 1;

    if (p->kind == COMPAT_ALL_REDUCE) return 2 * half;
    if (p->kind == COMPAT_ALL_TO_ALL && p->choice.algorithm == COMPAT_RING) return n * (n - 1) / 2;
    return half;
}

/* Returns the algorithm by which a dimension runs a kind. For a group that is one ring, or if all
 * NPUs are one dimension, it is the first entry. */
static compat_choice choice_of(const compat_system *s, unsigned kind, unsigned d,
                               bool single_ring) {
    const compat_choice ring = { COMPAT_RING, 0 };

    if (single_ring && !s->one_dimension[kind])
        return s->choices[kind] == 1 ? s->choice[kind][0] : ring;
    return s->choices[kind] ? s->choice[kind][single_ring || s->one_dimension[kind] ? 0 : d] : ring;
}

/* Adds a phase of a dimension. Sets *bytes to the bytes of its result. */
static void add_phase(instance *x, const compat_system *s, phase p, uint64_t *bytes) {
    p.choice =
        choice_of(s, x->kind, p.dim, x->single_ring); /* the list of the whole collective's kind */
    p.bytes = *bytes;
    p.steps = steps_of(&p);
    x->phase[x->phases++] = p;
    if (p.kind == COMPAT_REDUCE_SCATTER) *bytes /= p.members;
    if (p.kind == COMPAT_ALL_GATHER) *bytes *= p.members;
}

/* Makes the phases of a chunk. */
static void make_phases(instance *x, const compat_collectives *c, unsigned dims, uint64_t chunk) {
    const astra_network *of = c->of;
    const bool splits_all_reduce = x->kind == COMPAT_ALL_REDUCE && !c->s->baseline;
    phase of_dim[ASTRA_DIMENSIONS];
    unsigned n = 0, stride = 1, member_stride = 1;

    if (x->single_ring) {
        add_phase(x, c->s, (phase){ .kind = x->kind, .members = x->members }, &chunk);
        return;
    }
    for (unsigned d = 0; d < of->dims; stride *= of->members[d++]) {
        if (!(dims >> d & 1)) continue;
        of_dim[n++] = (phase){ .dim = d,
                               .kind = x->kind,
                               .members = of->members[d],
                               .stride = stride,
                               .member_stride = member_stride };
        member_stride *= of->members[d];
    }
    for (unsigned i = 0; i < n; i++) {
        phase p = of_dim[x->kind == COMPAT_ALL_GATHER ? n - 1 - i : i];

        if (splits_all_reduce && i + 1 < n) p.kind = COMPAT_REDUCE_SCATTER;
        add_phase(x, c->s, p, &chunk);
    }
    for (unsigned i = n - 1; splits_all_reduce && i-- > 0;) {
        of_dim[i].kind = COMPAT_ALL_GATHER;
        of_dim[i].last_half = true;
        add_phase(x, c->s, of_dim[i], &chunk);
    }
}

/* ---- a step of a phase ---------------------------------------------------------------------- */

/* Returns a member's position among the members of a phase. */
static unsigned own_position(const instance *x, const phase *p, unsigned member) {
    return p->stride ? x->npu[member] / p->stride % p->members : member;
}

/* Returns whether a part sends to the member before it. As in ASTRA-sim, the upper half of several
 * queues sends downward. With one queue, the gathers of an all-reduce do. */
static bool down(const compat_collectives *c, const part *q) {
    const phase *p = &q->of->phase[q->phase];
    const unsigned queues = c->s->queues;

    return queues > 1 ? q->queue[q->phase] >= queues / 2 : p->last_half;
}

/* Returns the receiver of a step's message, as a position in the phase. */
static unsigned peer_of(const compat_collectives *c, const part *q, unsigned step) {
    const phase *p = &q->of->phase[q->phase];
    const unsigned own = own_position(q->of, p, q->member), n = p->members;
    const unsigned half = p->steps / 2;
    unsigned bit, distance;

    switch (p->choice.algorithm) {
    case COMPAT_HALVING:
        bit = step;
        if (p->kind == COMPAT_ALL_GATHER) bit = p->steps - 1 - step;
        if (p->kind == COMPAT_ALL_REDUCE && step >= half) bit = p->steps - 1 - step;
        return own ^ 1U << bit;
    case COMPAT_DIRECT: distance = 1 + step % (n - 1); break;
    default: distance = 1; break;
    }
    return (own + (down(c, q) ? n - distance : distance)) % n;
}

static uint64_t bytes_of(const phase *p, unsigned step) {
    const bool gathers = p->kind == COMPAT_ALL_GATHER;
    const unsigned half = p->steps / 2;

    if (p->choice.algorithm != COMPAT_HALVING) return gathers ? p->bytes : p->bytes / p->members;
    if (gathers) return p->bytes << step;
    if (p->kind == COMPAT_ALL_REDUCE && step >= half) return p->bytes >> (p->steps - step);
    return p->bytes >> (step + 1);
}

/* Returns the member at a position of the phase. */
static unsigned member_at(const instance *x, const phase *p, unsigned member, unsigned position) {
    return p->stride ? member - own_position(x, p, member) * p->member_stride +
                           position * p->member_stride
                     : position;
}

/* Returns whether the group is a proper subset of the NPUs. In ASTRA-sim its ring has the dimension
 * Local, which changes its endpoint delay and its reductions. */
static bool is_group(const compat_collectives *c, const instance *x) {
    return x->single_ring && x->members < c->of->npus;
}

/* Returns how many messages a phase may have under way; for direct, its window. */
static unsigned window_of(const phase *p) {
    const unsigned all = p->members - 1;

    if (p->choice.algorithm != COMPAT_DIRECT) return 1;
    return p->choice.window && p->choice.window < all ? p->choice.window : all;
}

/* Returns whether the message that arrives now takes a reduction. ASTRA-sim's rule is in
 * Ring::insert_packet() and get_non_zero_latency_packets() of Ring and AllToAll. They count the
 * window's first sends, then the receptions, in rounds. A round has `window` packets without a
 * reduction, then reductions_per_round with one. This holds in each round of a reduce-scatter, and
 * in every other round of an all-reduce.
 *
 * Example: an all-reduce of 4 members receives 6 messages.
 *     ring                window 1, round 1 + 3: messages 0, 1, 2 take a reduction
 *     direct              window 3, round 3 + 3: messages 0, 1, 2
 *     direct, of a group  window 3, round 3 + 9: all six, also in the second half */
static bool is_summed(const compat_collectives *c, const part *q) {
    const phase *p = &q->of->phase[q->phase];
    const unsigned window = window_of(p), n = p->members;
    unsigned reductions_per_round = n - 1;
    uint64_t at, round;

    if (p->kind != COMPAT_ALL_REDUCE && p->kind != COMPAT_REDUCE_SCATTER) return false;
    if (p->choice.algorithm == COMPAT_HALVING) reductions_per_round = log2_of(n) - 1;
    if (p->choice.algorithm == COMPAT_DIRECT)
        reductions_per_round = is_group(c, q->of) ? (n - 1) * window : window;
    round = window + (uint64_t)reductions_per_round;
    at = window + (uint64_t)q->arrived;
    return at % round >= window && (p->kind == COMPAT_REDUCE_SCATTER || at / round % 2 == 0);
}

static void start_waiting(compat_collectives *c, unsigned npu, unsigned dim, unsigned queue_number);
static void enqueue(compat_collectives *c, part *q);

static uint64_t delay(const compat_collectives *c, const part *q) {
    return is_group(c, q->of) ? GROUP_NS : c->s->endpoint_ns;
}

static queue *queue_of(const compat_collectives *c, const part *q) {
    const unsigned npu = q->of->npu[q->member], dim = q->of->phase[q->phase].dim;

    return &c->queue[((size_t)npu * ASTRA_DIMENSIONS + dim) * c->s->queues + q->queue[q->phase]];
}

/* Checks whether a member that has finished was faster than its links allow. */
static void compare(compat_collectives *c, const instance *x, unsigned member) {
    const uint64_t ns = c->clock->now - x->since[member];
    compat_bound_violation *b = &c->bound_violation;

    /* sizes and times of messages are rounded down, which loses at most a thousandth */
    if ((double)ns >= x->least_ns * 0.999) return;
    if (!b->count++ || (double)ns * (double)b->least_ns < (double)b->ns * x->least_ns) {
        b->ns = ns;
        b->least_ns = (uint64_t)x->least_ns;
        b->bytes = x->bytes;
        b->npu = x->npu[member];
    }
}

/* Ends the phase of a part, and with its last phase the part. */
static void end_phase(compat_collectives *c, part *q) {
    instance *x = q->of;
    const unsigned npu = x->npu[q->member], dim = x->phase[q->phase].dim;
    const unsigned queue_number = q->queue[q->phase];

    c->cause = q; /* the cause of what starts now */
    queue_of(c, q)->running--;
    q->phase++;
    q->sent = q->arrived = q->received = q->free = 0;
    if (q->phase < x->phases) {
        enqueue(c, q);
        start_waiting(c, npu, dim, queue_number);
        if (q->state == PART_WAITS)
            start_waiting(c, npu, x->phase[q->phase].dim, q->queue[q->phase]);
        return;
    }
    q->state = PART_DONE;
    start_waiting(c, npu, dim, queue_number);
    if (--x->left[q->member]) return;
    compare(c, x, q->member);
    report(c, q);
    c->cause = NULL;
    c->on_member_done.call(c->on_member_done.self, c->on_member_done.of,
                           (uint64_t)npu << 32 | x->node_index[q->member]);
    if (++x->done == x->members) destroy_instance(c, x);
}

static void make_sends(compat_collectives *c, part *q);

/* Ends the endpoint delay and the reduction of a received message. */
static void end_delay(void *self, void *of, uint64_t reduction_ns) {
    compat_collectives *c = self;
    part *q = of;
    const phase *p = &q->of->phase[q->phase];

    account_time(q, c->clock->now - reduction_ns, COMPAT_ENDPOINT, delay(c, q));
    account_time(q, c->clock->now, COMPAT_REDUCTION, reduction_ns);
    q->received++;
    make_sends(c, q);
    if (q->received == p->steps) end_phase(c, q);
    c->cause = NULL;
}

/* Handles an awaited message. The reduction takes the time for the bytes of the next message to be
 * sent. That size differs from the received size only in halvingDoubling. */
static void on_message(compat_collectives *c, part *q) {
    const phase *p = &q->of->phase[q->phase];
    uint64_t reduction_ns = 0;

    if (c->s->memory_GBps > 0 && is_summed(c, q))
        reduction_ns =
            REDUCTION_ACCESSES * compat_ticks((double)bytes_of(p, (q->arrived + 1) % p->steps) /
                                              (c->s->memory_GBps * 1e9) * 1e9);
    q->arrived++;
    compat_clock_after(c->clock, delay(c, q) + reduction_ns,
                       (compat_call){ end_delay, c, q, reduction_ns });
}

/* A message's key within its collective. */
static uint64_t message_key(unsigned phase, unsigned step) { return (uint64_t)phase << 32 | step; }

static bool take_early(part *q, uint64_t key) {
    for (unsigned i = 0; i < q->early_count; i++) {
        if (q->early[i] != key) continue;
        q->early[i] = q->early[--q->early_count];
        return true;
    }
    return false;
}

static void permit_send(void *self, void *of, uint64_t unused) {
    (void)unused;
    make_sends(self, of);
}

static void start(compat_collectives *c, part *q) {
    const unsigned first = window_of(&q->of->phase[q->phase]);

    inherit_path(q, c->cause, c->clock->now);
    account_time(q, c->clock->now, COMPAT_WAITING, 0);
    q->state = PART_RUNS;
    queue_of(c, q)->running++;
    for (unsigned i = 0; i < first; i++)
        compat_clock_after(c->clock, delay(c, q), (compat_call){ permit_send, c, q, 0 });
}

static void leave_queue(queue *w, const part *q) {
    unsigned i = 0;

    while (w->at[i] != q) i++;
    memmove(&w->at[i], &w->at[i + 1], (--w->count - i) * sizeof(part *));
}

static void take_message(compat_collectives *c, part *q, uint64_t key, const traced_message *l) {
    if (q->state == PART_RUNS && q->phase == key >> 32 && (uint32_t)key < q->sent) {
        read_traced_message(c, q, l);
        on_message(c, q);
        return;
    }
    if (q->early_count == q->room) {
        const unsigned room = q->room ? 2 * q->room : 8;
        uint64_t *at = realloc(q->early, room * sizeof *at);

        if (!at) {
            c->clock->out_of_memory = true;
            return;
        }
        q->early = at;
        q->room = room;
    }
    q->early[q->early_count++] = key;
    if (q->state != PART_WAITS || q->phase != key >> 32) return;
    read_traced_message(c, q, l);
    leave_queue(queue_of(c, q), q);
    start(c, q);
}

static void arrive(void *self, void *of, uint64_t key) { take_message(self, of, key, NULL); }
static void arrive_traced(void *self, void *of, uint64_t key) {
    traced_message *l = self;

    take_message(l->c, of, key, l);
    free(l);
}

/* Sends a message from one part to another, with the sender's breakdown if it was requested. */
static void send_message(compat_collectives *c, const part *q, part *to, uint64_t key,
                         uint64_t bytes) {
    const unsigned from_npu = q->of->npu[q->member], to_npu = to->of->npu[to->member];
    const unsigned dim = q->of->phase[q->phase].dim;
    compat_call there = { arrive, c, to, key };
    traced_message *l;

    if (q->breakdown) {
        l = malloc(sizeof *l);
        if (!l) {
            c->clock->out_of_memory = true;
            return;
        }
        *l = (traced_message){ .c = c, .sent = c->clock->now };
        memcpy(l->ns, q->breakdown->ns, sizeof l->ns);
        compat_network_parts(c->network, from_npu, to_npu, bytes, &l->latency_ns, &l->serial_ns);
        q->breakdown->messages[dim]++;
        q->breakdown->bytes[dim] += bytes;
        there.call = arrive_traced;
        there.self = l;
    }
    compat_network_send(c->network, from_npu, to_npu, bytes, there);
}

/* Sends the message of the next step. */
static void send_step(compat_collectives *c, part *q) {
    instance *x = q->of;
    const phase *p = &x->phase[q->phase];
    const unsigned step = q->sent++;
    const unsigned to = member_at(x, p, q->member, peer_of(c, q, step));
    const uint64_t key = message_key(q->phase, step);
    const size_t chunk = (size_t)(q - x->part) % x->chunks;

    q->free--;
    account_time(q, c->clock->now, COMPAT_ENDPOINT, delay(c, q));
    send_message(c, q, &x->part[to * x->chunks + chunk], key, bytes_of(p, step));
    if (take_early(q, key)) on_message(c, q);
}

/* Permits one more send, and makes it. The second half of a direct all-reduce begins when all
 * messages of the first half have arrived, and then makes the sends permitted until then. */
static void make_sends(compat_collectives *c, part *q) {
    const phase *p = &q->of->phase[q->phase];
    const unsigned half = p->members - 1;
    unsigned most = 1;

    q->free++;
    if (p->choice.algorithm == COMPAT_DIRECT && p->kind == COMPAT_ALL_REDUCE && q->sent >= half) {
        if (q->arrived < half) return;
        most = window_of(p);
    }
    for (; most && q->free && q->sent < p->steps; most--) send_step(c, q);
}

/* ---- queues ------------------------------------------------------------------------------ */

static void start_waiting(compat_collectives *c, unsigned npu, unsigned dim,
                          unsigned queue_number) {
    queue *w = &c->queue[((size_t)npu * ASTRA_DIMENSIONS + dim) * c->s->queues + queue_number];
    const unsigned most = (c->s->active + c->s->queues - 1) / c->s->queues;

    while (w->count && w->running < most) {
        part *q = w->at[0];

        leave_queue(w, q);
        start(c, q);
    }
}

static void enqueue(compat_collectives *c, part *q) {
    queue *w = queue_of(c, q);
    unsigned i;

    q->state = PART_WAITS;
    if (w->count == w->room) {
        const unsigned room = w->room ? 2 * w->room : 16;
        part **at = realloc(w->at, room * sizeof *at);

        if (!at) {
            c->clock->out_of_memory = true;
            return;
        }
        w->at = at;
        w->room = room;
    }
    for (i = w->count++; i && w->at[i - 1]->priority < q->priority; i--) w->at[i] = w->at[i - 1];
    w->at[i] = q;
    for (i = 0; i < q->early_count; i++) {
        if (q->early[i] >> 32 != q->phase) continue;
        leave_queue(w, q);
        start(c, q);
        return;
    }
}

/* Returns the queue for a phase, round-robin. The gathers of an all-reduce in parts use the last
 * half of the queues. */
static uint8_t next_queue(compat_collectives *c, unsigned npu, const phase *p, bool halves) {
    const unsigned queues = c->s->queues, half = queues / 2;
    const unsigned which = !halves || !half ? 0 : p->last_half ? 2 : 1;
    const unsigned first = which == 2 ? half : 0, count = which == 1 ? half : queues - first;

    return (uint8_t)(first + c->next[npu][p->dim][which]++ % count);
}

/* ---- a collective ------------------------------------------------------------------------ */

static unsigned leader_of(const compat_collectives *c, unsigned npu, const graph_node *n,
                          unsigned *dims) {
    unsigned stride = 1, leader = npu;

    *dims = chakra_dims(n);
    if (n->members) return n->member[0];
    for (unsigned d = 0; d < c->of->dims; stride *= c->of->members[d++])
        if (*dims >> d & 1) leader -= npu / stride % c->of->members[d] * stride;
    return leader;
}

/* Lists the members of whole dimensions. */
static void name_members(const compat_collectives *c, instance *x, unsigned dims) {
    for (unsigned i = 0; i < x->members; i++) {
        unsigned rest = i, stride = 1;

        x->npu[i] = x->leader;
        for (unsigned d = 0; d < c->of->dims; stride *= c->of->members[d++]) {
            if (!(dims >> d & 1)) continue;
            x->npu[i] += rest % c->of->members[d] * stride;
            rest /= c->of->members[d];
        }
    }
}

/* Returns the least time of a member: the bytes of a dimension's phases, divided over its links
 * there. A ring has two links, and a full connection has one to each other member. A group that is
 * one ring is not checked, because other NPUs may lie between its members. */
static double least_time(const compat_collectives *c, const instance *x) {
    double bytes[ASTRA_DIMENSIONS] = { 0 }, most = 0;

    for (unsigned i = 0; i < x->phases && !x->single_ring; i++)
        for (unsigned k = 0; k < x->phase[i].steps; k++)
            bytes[x->phase[i].dim] += (double)bytes_of(&x->phase[i], k) * x->chunks;
    for (unsigned d = 0; d < c->of->dims; d++) {
        const double ns = bytes[d] / astra_network_npu_GBps(c->of, d);

        if (ns > most) most = ns;
    }
    return most;
}

compat_bound_violation compat_collectives_bound_violation(const compat_collectives *c) {
    return c->bound_violation;
}

/* Returns the bytes of a chunk, and sets the number of chunks. */
static uint64_t chunk_of(const compat_collectives *c, unsigned kind, uint64_t bytes,
                         unsigned *chunks) {
    uint64_t chunk = bytes / c->s->splits;

    if (kind != COMPAT_ALL_GATHER && chunk < c->of->npus) {
        chunk = c->of->npus;
        bytes = c->s->splits * chunk;
    }
    if (!chunk) chunk = 1;
    *chunks = (unsigned)((bytes + chunk - 1) / chunk);
    return chunk;
}

static instance *make(compat_collectives *c, unsigned leader, unsigned dims, const graph_node *n,
                      uint64_t ordinal) {
    const unsigned kind = kind_of(n->command.kind);
    instance *x = calloc(1, sizeof *x);
    uint64_t chunk;

    if (!x) return NULL;
    *x = (instance){
        .kind = kind, .tag = n->tag, .ordinal = ordinal, .leader = leader, .members = n->members
    };
    if (!n->members) x->members = 1;
    for (unsigned d = 0; !n->members && d < c->of->dims; d++)
        if (dims >> d & 1) x->members *= c->of->members[d];
    x->single_ring = n->members || (c->s->one_dimension[kind] && x->members == c->of->npus);
    chunk = chunk_of(c, kind,
                     kind == COMPAT_ALL_GATHER ? n->command.bytes / x->members : n->command.bytes,
                     &x->chunks);
    x->npu = calloc(x->members, sizeof *x->npu);
    x->node_index = calloc(x->members, sizeof *x->node_index);
    x->left = calloc(x->members, sizeof *x->left);
    x->part = calloc((size_t)x->members * x->chunks, sizeof *x->part);
    x->next = c->first;
    if (c->first) c->first->before = x;
    c->first = x;
    x->since = calloc(x->members, sizeof *x->since);
    if (!x->npu || !x->node_index || !x->since || !x->left || !x->part) return NULL;
    if (n->members)
        memcpy(x->npu, n->member, x->members * sizeof *x->npu);
    else
        name_members(c, x, dims);
    make_phases(x, c, dims, chunk);
    x->bytes = n->command.bytes;
    x->least_ns = least_time(c, x);
    x->begin = c->clock->now;
    for (unsigned i = 0; i < x->members * x->chunks; i++) {
        x->part[i] = (part){ .of = x, .member = i / x->chunks, .at = x->begin };
        if (c->explain && !(x->part[i].breakdown = calloc(1, sizeof *x->part[i].breakdown)))
            return NULL;
    }
    return x;
}

static instance *find(const compat_collectives *c, uint64_t tag, unsigned leader,
                      uint64_t ordinal) {
    for (instance *x = c->first; x; x = x->next)
        if (x->tag == tag && x->leader == leader && x->ordinal == ordinal) return x;
    return NULL;
}

bool compat_collectives_begin(compat_collectives *c, unsigned npu, const graph_node *n,
                              uint64_t ordinal, uint32_t node_index) {
    const uint64_t number = ++c->count[npu];
    unsigned dims, own = 0;
    const unsigned leader = leader_of(c, npu, n, &dims);
    instance *x = find(c, n->tag, leader, ordinal);

    if (!x && !(x = make(c, leader, dims, n, ordinal))) return false;
    while (x->npu[own] != npu) own++;
    x->node_index[own] = node_index;
    x->left[own] = x->chunks;
    x->since[own] = c->clock->now;
    x->begun++;
    for (unsigned i = 0; i < x->chunks; i++) {
        part *q = &x->part[own * x->chunks + i];
        const bool halves = kind_of(n->command.kind) == COMPAT_ALL_REDUCE && !c->s->baseline;

        q->priority = c->s->order == ACE_LIFO ? number : UINT64_MAX - number;
        for (unsigned k = 0; k < x->phases; k++)
            q->queue[k] = next_queue(c, npu, &x->phase[k], halves && !x->single_ring);
    }
    for (unsigned i = 0; i < x->chunks; i++) {
        part *q = &x->part[own * x->chunks + i];

        enqueue(c, q);
        start_waiting(c, npu, x->phase[0].dim, q->queue[0]);
    }
    return true;
}

unsigned compat_collectives_missing(const compat_collectives *c, unsigned npu, const graph_node *n,
                                    uint64_t ordinal) {
    unsigned dims;
    const instance *x = find(c, n->tag, leader_of(c, npu, n, &dims), ordinal);

    return x ? x->members - x->begun : 0;
}

const char *compat_collectives_refuse(const compat_system *s, const astra_network *of,
                                      const graph_node *n) {
    const unsigned kind = kind_of(n->command.kind);

    for (unsigned d = 0; d < (n->members ? 1 : of->dims); d++) {
        const compat_choice w = choice_of(s, kind, d, n->members || s->one_dimension[kind]);
        const unsigned members = n->members               ? n->members
                                 : s->one_dimension[kind] ? of->npus
                                                          : of->members[d];

        if (w.algorithm != COMPAT_HALVING || !(n->members || chakra_dims(n) >> d & 1)) continue;
        if (kind == COMPAT_ALL_TO_ALL)
            return "halvingDoubling of an all-to-all, expected ring or direct";
        if (members & (members - 1))
            return "halvingDoubling of members that are no power of two, expected ring or direct";
    }
    return NULL;
}

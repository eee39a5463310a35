/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_recurrence.c -- finds a state that comes back, and adds the period many times at once
 *
 * Whenever the leader has finished 16 more chunks, the states of all nodes are written into an
 * image. Addresses, positions in rings and counters are left out, because they cannot change the
 * timing. Marks and chunk numbers are written relative to the oldest chunk. If the image equals
 * the kept one, the run repeats. Then leave_out() adds the period's counts, packets and cycles as
 * often as whole periods fit, and at least two chunks of the command remain. The kept image is
 * replaced at growing distances, so a period of any length is found.
 */
#include "ace_recurrence.h"

#include <stdlib.h>

#include "ace_node_core.h"
#include "ace_node_driver.h"

enum {
    EVERY = 16
}; /* chunks between two snapshots: a chunk's context and bank are then the same */

/* A node's counters at a snapshot. */
typedef struct tally {
    uint32_t chunks;
    ace_counts counts;
    uint64_t packets[ACE_LINKS];
    uint64_t rows_read, rows_written;
} tally;

/* A state, normalised; and what had been counted in it. */
typedef struct image {
    unsigned char *bytes;
    uint64_t size, room;
    uint64_t cycle;
    uint32_t chunks; /* that the leader had finished */
    tally *of;       /* each node */
} image;

typedef struct member {
    ace_driver *driver;
    ace_cycle_core *core;
    bool submitted; /* since the last snapshot; its own, as nodes run at a time */
} member;

struct ace_recurrence {
    /* constant */
    unsigned nodes;
    uint32_t window;
    ace_between between;
    member *node; /* the first of all processes leads */
    /* state */
    image kept, now;
    uint8_t base;             /* mark of the leader's next chunk, in the present snapshot */
    uint64_t snapshots, next; /* since the last command; when the kept one is replaced */
    uint64_t due;             /* of several: the cycle of the next snapshot, or UINT64_MAX */
    uint64_t skipped, period; /* cycles left out, and of the last period */
    bool failed;              /* no memory: the nodes run step by step */
};

/* ---- the state, normalised --------------------------------------------------------- */

static bool make_room(image *to, uint64_t size) {
    if (size <= to->room) return true;
    unsigned char *const bytes = realloc(to->bytes, (size_t)size * 2);
    if (!bytes) return false;
    to->bytes = bytes;
    to->room = size * 2;
    return true;
}

void ace_recurrence_put(ace_recurrence *r, const void *from, size_t bytes) {
    image *to = &r->now;
    r->failed = r->failed || !make_room(to, to->size + bytes);
    if (r->failed) return;
    memcpy(to->bytes + to->size, from, bytes);
    to->size += bytes;
}

static void put(ace_recurrence *r, const void *from, size_t bytes) {
    ace_recurrence_put(r, from, bytes);
}

static void put_word(ace_recurrence *r, uint64_t word) { put(r, &word, sizeof word); }

/* Returns a mark relative to the next chunk's mark; 0 if the mark is not valid. */
static uint8_t mark_of(uint8_t mark, uint8_t base, bool valid) {
    return valid ? (uint8_t)(mark - base) : 0;
}

uint8_t ace_recurrence_mark(const ace_recurrence *r, uint8_t mark) {
    return mark_of(mark, r->base, true);
}

/* The same for a grant's mark. A number of a round stays as it is. */
static uint8_t grant_mark_of(uint8_t context, uint8_t mark, uint8_t base, bool valid) {
    return valid && context == ACE_NUMBER_CONTEXT ? mark : mark_of(mark, base, valid);
}

uint8_t ace_recurrence_grant_mark(const ace_recurrence *r, uint8_t context, uint8_t mark) {
    return grant_mark_of(context, mark, r->base, true);
}

static void normal_chunk(ace_chunk *c, uint8_t base) {
    c->mark = mark_of(c->mark, base, true);
    c->load_address = c->store_address = c->limit = 0;
}

static void normal_dispatcher(ace_dispatcher *d, uint8_t base) {
    d->cfg = NULL;
    d->waiting = NULL;
    normal_chunk(&d->chunk, base);
}

/* Where in the ring commands lie makes no time, and there are none: see take_all(). */
static void normal_agreement(ace_agreement *a) {
    a->cfg = NULL;
    a->queue = NULL;
    a->head = a->tail = 0;
}

/* The number of a chunk in flight, from the oldest. */
static uint8_t number_of(uint8_t chunk, uint32_t first) {
    return (uint8_t)((chunk - first) % ACE_CHUNKS);
}

static uint64_t numbers_of(uint64_t chunks, uint32_t first) {
    const unsigned by = first % ACE_CHUNKS;
    return by ? chunks >> by | chunks << (ACE_CHUNKS - by) : chunks;
}

static void normal_scheduler(ace_scheduler *s, const ace_scheduler *from, uint8_t base) {
    const uint32_t first = s->finished[s->store];
    s->cfg = NULL;
    s->dispatched -= first;
    for (unsigned i = 0; i <= s->store; i++) {
        s->admitted[i] -= first;
        s->finished[i] -= first;
    }
    s->loaded = numbers_of(s->loaded, first);
    s->stored = numbers_of(s->stored, first);
    s->at = s->step == ACE_SCHEDULER_PICK ? 0 : number_of(s->at, first);
    memset(s->oldest, 0, sizeof s->oldest); /* they follow from what is finished */
    memset(&s->job, 0, sizeof s->job);      /* the bus is idle, see take_all() */
    memset(&s->admission, 0, sizeof s->admission);
    memset(s->next, 0, sizeof s->next);
    for (unsigned i = 0; i < ACE_CHUNKS; i++) {
        memcpy(&s->flight[i], &from->flight[(first + i) % ACE_CHUNKS], sizeof *s->flight);
        normal_chunk(&s->flight[i].chunk, base);
        memset(s->flight[i].rows, 0, sizeof s->flight[i].rows);
    }
}

static void normal_fsm(ace_fsm *f, uint8_t base) {
    for (unsigned i = 0; i < ACE_CONTEXTS_MAX; i++) {
        ace_fsm_context *c = &f->context[i];
        c->mark = mark_of(c->mark, base, c->valid);
        c->source = c->target = 0;
    }
    f->program = NULL;
}

/* The older request of a queue first, and of none nothing. */
static void normal_queues(ace_switch *s, const ace_switch *from, uint8_t base) {
    memset(s->queue, 0, sizeof s->queue);
    for (unsigned l = 0; l < from->queues; l++) {
        const unsigned count = (from->queue_any >> l & 1u) + (from->queue_two >> l & 1u);
        for (unsigned i = 0; i < count; i++) {
            ace_request *to = &s->queue[l][i];
            *to = from->queue[l][(from->queue_old >> l & 1) ^ i];
            to->send.mark = mark_of(to->send.mark, base, true);
            to->row = 0; /* the addresses of rows do not affect timing */
        }
    }
    s->queue_old = 0;
}

static void normal_switch(ace_switch *s, uint8_t base) {
    const ace_switch from = *s;
    memset(s->reduce, 0, sizeof s->reduce);
    memset(s->store, 0, sizeof s->store);
    for (unsigned i = 0; i < ACE_DONE_STAGE; i++) {
        s->reduce[i] = from.reduce[(from.at + i) % ACE_PIPE_SLOTS];
        s->store[i] = from.store[(from.at + i) % ACE_PIPE_SLOTS];
    }
    s->at = 0;
    normal_queues(s, &from, base);
    memset(&s->count_reduce, 0, sizeof s->count_reduce);
    memset(&s->count_store, 0, sizeof s->count_store);
    memset(s->count_send, 0, sizeof s->count_send);
}

static void put_header(ace_recurrence *r, ace_link_header h, uint8_t base) {
    h.mark = mark_of(h.mark, base, true);
    put(r, &h, sizeof h);
}

static void put_links(ace_recurrence *r, const ace_link_port *from, uint8_t base) {
    ace_link_port p;
    memcpy(&p, from, sizeof p);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (p.tx_valid >> l & 1) put_header(r, *ace_link_port_tx(from, l), base);
        for (uint32_t i = 0; i < ace_link_port_held(&p, l); i++)
            put_header(r, p.in_headers[ace_link_slot(l, (p.in_head[l] + i) & p.in_mask)], base);
        for (uint32_t i = 0; i < p.out_count[l]; i++)
            put_header(r, p.out_headers[ace_link_slot(l, (p.out_head[l] + i) & p.out_mask)], base);
    }
    const ace_lanes none = { 0 };
    p.in_end = (p.in_end - p.in_tail) & p.in_mask;
    p.in_head = p.in_tail = p.out_head = p.out_tail = none;
    p.busy = p.starved = p.blocked = none;
    memset(p.counted, 0, sizeof p.counted);
    p.cycles = p.uncounted = 0;
    p.in_headers = p.out_headers = NULL;
    p.out_sums = NULL;
    put(r, &p, sizeof p);
}

/* Keeps only the job's id of its sideband: both DMAs have it in the low bits. The jobs' position in
 * the ring does not affect timing. */
static void normal_jobs(ace_dma_jobs *d, uint32_t first) {
    ace_dma_job held[ACE_DMA_JOBS];
    memcpy(held, d->job, sizeof held);
    const uint32_t oldest = d->row_at;
    memset(d->job, 0, sizeof d->job); /* the padding, too */
    for (unsigned i = 0; i < d->jobs; i++) {
        const ace_dma_job j = held[(oldest + i) % ACE_DMA_JOBS];
        d->job[i].rows = j.rows;
        d->job[i].base = j.base;
        d->job[i].end = j.end;
        d->job[i].burst = j.burst;
        d->job[i].bank = j.bank;
        d->job[i].side = number_of(ace_rx_half_id(j.side), first);
    }
    d->request_at = (d->request_at - oldest) % ACE_DMA_JOBS;
    d->tail = (d->tail - oldest) % ACE_DMA_JOBS;
    d->row_at = 0;
    d->request_addr = 0;
    d->row = 0;
}

/* Where in the ring the rows lie makes no time, nor what lay there before. */
static void normal_fifo(ace_row_fifo *f) {
    ace_row_fifo to = *f;
    to.head = 0;
    to.tail = f->count;
    memset(to.bytes, 0, sizeof to.bytes);
    memset(to.last, 0, sizeof to.last);
    for (uint32_t i = 0; i < f->count; i++) {
        to.bytes[i] = f->bytes[(f->head + i) & f->mask];
        to.last[i] = f->last[(f->head + i) & f->mask];
    }
    *f = to;
}

static void put_tx_dma(ace_recurrence *r, const ace_tx_dma *from, uint32_t first) {
    ace_tx_dma d;
    memcpy(&d, from, sizeof d);
    normal_jobs(&d.jobs, first);
    d.row_id = number_of(d.row_id, first);
    d.done_id = number_of(d.done_id, first);
    memset(&d.classes, 0, sizeof d.classes);
    put(r, &d, sizeof d);
}

static void put_rx_dma(ace_recurrence *r, const ace_rx_dma *from, uint32_t first) {
    ace_rx_dma d;
    memcpy(&d, from, sizeof d);
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++) {
        ace_rx_half *h = &d.half[i];
        normal_jobs(&h->jobs, first);
        memset(h->b_bursts, 0, sizeof h->b_bursts);
        memset(h->b_id, 0, sizeof h->b_id);
        for (unsigned j = 0; j < h->b_jobs; j++) {
            const unsigned at = (h->b_head + j) % ACE_RX_HALF_DONE_JOBS;
            h->b_bursts[j] = from->half[i].b_bursts[at];
            h->b_id[j] = number_of(from->half[i].b_id[at], first);
        }
        h->b_head = h->b_tail = 0;
        normal_fifo(&h->w);
        h->done_id = number_of(h->done_id, first);
        h->row_bytes = 0;
    }
    memset(d.odd, 0, sizeof d.odd);
    for (uint32_t i = 0; i < d.waiting; i++) d.odd[i] = from->odd[(from->b_at + i) % d.bursts];
    d.aw_at = d.w_at = d.b_at = 0; /* their positions follow from `open` and `waiting` */
    memset(&d.classes, 0, sizeof d.classes);
    put(r, &d, sizeof d);
}

static void put_memory_interface(ace_recurrence *r, const ace_memory_interface *from) {
    ace_memory_interface m;
    memcpy(&m, from, sizeof m);
    for (uint32_t i = 0; i < m.ar_ripe + m.ar_waiting; i++) {
        const ace_memory_request *q = &from->ar[(m.ar_head + i) % m.bursts];
        put_word(r, q->len);
        put_word(r, i < m.ar_ripe ? 0 : q->release - m.now);
    }
    for (uint32_t i = 0; i < m.asked; i++) put_word(r, from->ar[(m.r_at + i) % m.bursts].len);
    for (uint32_t i = 0; i < m.aw_count; i++) put_word(r, from->aw[(m.aw_head + i) % m.bursts].len);
    for (uint32_t i = 0; i < m.writes; i++) {
        const uint32_t at = (m.turn_head + i) % m.bursts;
        put_word(r, (uint64_t)from->turn_len[at] << 1 | from->turn_pad[at]);
    }
    for (uint32_t i = 0; i < m.b_waiting; i++)
        put_word(r, from->b_release[(m.b_next + i) % m.bursts] - m.now);
    m.now = 0;
    m.ar_head = m.ar_next = m.ar_tail = m.r_at = m.aw_head = m.aw_tail = m.b_next = m.b_tail = 0;
    m.turn_head = m.turn_tail = 0;
    memset(m.turn_pad, 0, sizeof m.turn_pad);
    memset(m.turn_len, 0, sizeof m.turn_len);
    memset(m.ar, 0, sizeof m.ar);
    memset(m.aw, 0, sizeof m.aw);
    memset(m.b_release, 0, sizeof m.b_release);
    memset(&m.read, 0, sizeof m.read);
    memset(&m.write, 0, sizeof m.write);
    put(r, &m, sizeof m);
}

/* Steps on the links' ways, and their marks. */
static void normal_links(ace_link *k, uint8_t base) {
    ace_link_normal(k);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        for (unsigned i = 0; i < ACE_LINK_TX_SLOTS; i++) {
            ace_tx_step *t = &k->sender.step[i];
            t->tx[l].mark = mark_of(t->tx[l].mark, base, t->valid >> l & 1);
            t->grant[l].mark =
                grant_mark_of(t->grant[l].context, t->grant[l].mark, base, t->grant_valid >> l & 1);
        }
        for (unsigned i = 0; i < ACE_LINK_RX_STEPS; i++) {
            ace_rx_pins *x = &k->receiver.step[i].pins;
            x->link[l].mark = mark_of(x->link[l].mark, base, x->valid >> l & 1);
            x->link[l].grant_mark = grant_mark_of(x->link[l].grant_context, x->link[l].grant_mark,
                                                  base, x->grant_valid >> l & 1);
        }
    }
}

/* Keeps what was popped in the last cycle. The next stage has only addresses, and whether a row is
 * read. */
static void normal_receiving(ace_cycle_core *n, uint8_t base) {
    const ace_receiving from = n->datapath.receiving;
    const bool reduces = n->datapath.switch_.reduce[0].valid && !n->datapath.switch_.reduce[0].copy;
    const bool stores = n->datapath.switch_.store[0].valid,
               reads = n->datapath.switch_.reduce[1].valid;
    memset(&n->datapath.receiving, 0, sizeof n->datapath.receiving);
    memset(n->datapath.arrived, 0, sizeof n->datapath.arrived);
    n->datapath.receiving.reduce_mark = mark_of(from.reduce_mark, base, reduces);
    n->datapath.receiving.store_mark = mark_of(from.store_mark, base, stores);
    n->datapath.receiving.zero = from.zero && reads;
}

static void normal_pins(ace_cycle_core *n, uint8_t base) {
    ace_outgoing from[ACE_SENDING_CYCLES][2];
    const unsigned sending = n->datapath.sending;
    memcpy(from, n->datapath.outgoing, sizeof from);
    for (unsigned i = 0; i < sending; i++) {
        memcpy(n->datapath.outgoing[i], from[(n->datapath.oldest + i) % sending], sizeof from[i]);
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            ace_outgoing *o = &n->datapath.outgoing[i][pipe];
            o->request.send.mark = mark_of(o->request.send.mark, base, o->valid);
            o->request.row = 0;
            o->row = NULL;
        }
    }
    n->datapath.oldest = 0;
    memset(n->datapath.unloaded, 0, sizeof n->datapath.unloaded);
    /* what is on the pins of links is in their last steps, too */
    memset(n->out.tx, 0, sizeof n->out.tx);
    memset(n->out.tx_grant, 0, sizeof n->out.tx_grant);
    memset(n->out.tx_grant_peer, 0, sizeof n->out.tx_grant_peer);
    memset(n->out.tx_route, 0, sizeof n->out.tx_route);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (n->datapath.requests.head_valid >> l & 1) continue;
        n->datapath.requests.head_context[l] = 0;
        n->datapath.requests.head_reduce = (uint8_t)(n->datapath.requests.head_reduce & ~(1u << l));
    }
    /* with retry off numbers only count */
    memset(n->out.tx_number, 0, sizeof n->out.tx_number);
    memset(n->out.tx_ack, 0, sizeof n->out.tx_ack);
    n->out.ar_addr = n->out.aw_addr = 0;
}

/* Indices wrap around, so only their differences count. */
static void put_arbiter(ace_recurrence *r, const ace_memory_arbiter *a) {
    const uint32_t state[] = { a->reads,
                               a->writes,
                               a->open,
                               a->dma_open,
                               (uint8_t)(a->r_wr - a->r_rd),
                               (uint8_t)(a->w_wr - a->w_rd),
                               (uint8_t)(a->w_wr - a->b_rd) };
    put(r, state, sizeof state);
    for (uint8_t i = a->r_rd; i != a->r_wr; i++) put(r, &a->r_first[i], sizeof(bool));
    for (uint8_t i = a->b_rd; i != a->w_wr; i++) put(r, &a->w_first[i], sizeof(bool));
}

static void put_core(ace_recurrence *r, const ace_cycle_core *from, uint8_t base) {
    ace_cycle_core n;
    memcpy(&n, from, sizeof n);
    n.base.class_ = NULL;
    normal_dispatcher(&n.front.dispatcher, base);
    normal_agreement(&n.front.agreement);
    normal_scheduler(&n.front.scheduler, &from->front.scheduler, base);
    for (unsigned f = 0; f < n.p.fsms; f++) normal_fsm(&n.phases.fsm[f], base);
    normal_switch(&n.datapath.switch_, base);
    normal_receiving(&n, base);
    normal_pins(&n, base);
    normal_links(&n.nic.links, base);
    n.nic.links.plain = NULL;
    memset(n.nic.links.guard, 0, sizeof n.nic.links.guard);
    n.memory_port.tx_dma = NULL;
    n.memory_port.rx_dma = NULL;
    n.memory_port.memory = NULL;
    n.memory_port.arbiter = NULL;
    /* These three are idle, and stay as they are. */
    n.nic.exchange = NULL;
    n.nic.router = NULL;
    n.nic.links.routed = NULL;
    /* the addresses of rows do not affect timing */
    memset(n.datapath.scratchpad.errors, 0, sizeof n.datapath.scratchpad.errors);
    memset(n.datapath.scratchpad.give, 0, sizeof n.datapath.scratchpad.give);
    n.datapath.scratchpad.extra = 0;
    n.nic.idle_cycles_uncounted = 0;
    put(r, &n, sizeof n);
    put_links(r, from->nic.links.plain, base);
    put_tx_dma(r, from->memory_port.tx_dma,
               from->front.scheduler.finished[from->front.scheduler.store]);
    put_rx_dma(r, from->memory_port.rx_dma,
               from->front.scheduler.finished[from->front.scheduler.store]);
    put_memory_interface(r, from->memory_port.memory);
    put_arbiter(r, from->memory_port.arbiter);
}

/* The one command that is there; see take_node(). */
static ace_waiting *command(const ace_dispatcher *d) {
    return &d->waiting[ace_dispatcher_index(d, 0, d->head[0])];
}

static void put_command(ace_recurrence *r, const ace_dispatcher *d) {
    ace_waiting w;
    memcpy(&w, command(d), sizeof w);
    w.mark = 0;
    w.source = w.destination = w.limit = w.rows = 0;
    put(r, &w, sizeof w);
}

static void put_bursts(ace_recurrence *r, const ace_burst *ring, unsigned head, unsigned count) {
    put_word(r, count);
    for (unsigned i = 0; i < count; i++) put_word(r, ring[(head + i) % ACE_DRIVER_BURSTS].beats);
}

/* False: something of an all-to-all is under way. */
static bool put_wire(ace_recurrence *r, ace_wire *w, uint64_t now, uint8_t base) {
    const ace_flit *f;
    const uint32_t *row;
    for (uint64_t i = 0; (f = ace_wire_peek(w, i, &row)); i++) {
        if (f->routed || f->routed_credit) return false;
        ace_flit flit;
        memset(&flit, 0, sizeof flit); /* the padding, too */
        flit.cycle = f->cycle - now;
        flit.data = f->data;
        flit.reduce = f->data && f->reduce;
        flit.credit = f->credit;
        flit.grant = f->grant;
        flit.context = f->data ? f->context : 0;
        flit.mark = mark_of(f->mark, base, f->data);
        flit.route = f->data ? f->route : 0;
        flit.grant_context = f->grant ? f->grant_context : 0;
        flit.grant_mark = grant_mark_of(f->grant_context, f->grant_mark, base, f->grant);
        flit.grant_peer = f->grant ? f->grant_peer : 0;
        put(r, &flit, sizeof flit);
    }
    put_word(r, UINT64_MAX); /* no arrival: the end of this wire */
    return true;
}

bool ace_recurrence_put_wire(ace_recurrence *r, ace_wire *w) {
    return put_wire(r, w, r->now.cycle, r->base);
}

/* One node's part of r->now.  False: it is not in a state to compare. */
static bool take_node(ace_recurrence *r, const member *m, tally *to) {
    ace_driver *d = m->driver;
    const ace_cycle_core *n = m->core;
    if (d->error || d->stall || d->command_count || d->completion_count || n->out.mismatch ||
        n->nic.exchange_active || n->cfg.retry || n->cfg.epoch || n->out.link_failed ||
        n->front.scheduler.bus != ACE_ACT_NONE ||
        ace_dispatcher_held(&n->front.dispatcher, 0) != 1 ||
        ace_dispatcher_held(&n->front.dispatcher, 1) ||
        n->front.agreement.tail != n->front.agreement.head || d->now != r->now.cycle)
        return false;
    const uint8_t base = command(&n->front.dispatcher)->mark;
    to->chunks = n->front.scheduler.finished[n->front.scheduler.store];
    /* where nodes are to one another; and in which context and bank a chunk is at each */
    put_word(r, mark_of(base, r->base, true));
    put_word(r, to->chunks % EVERY);
    put_core(r, n, base);
    put_command(r, &n->front.dispatcher);
    put_bursts(r, d->reads, d->read_head, d->read_count);
    put_bursts(r, d->writes, d->write_head, d->write_count);
    put_word(r, d->answers);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (d->setup.in[l] && !put_wire(r, d->setup.in[l], d->now, base)) return false;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        put_word(r, d->setup.out[l] ? ace_wire_owed(d->setup.out[l], d->now) : 0);
    d->core->class_->counts(d->core, to->counts);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        to->packets[l] = d->setup.out[l] ? ace_wire_packets(d->setup.out[l]) : 0;
    to->rows_read = d->rows_read;
    to->rows_written = d->rows_written;
    return true;
}

static void maximum(const ace_recurrence *r, uint64_t *v, unsigned values) {
    if (r->between.maximum) r->between.maximum(r->between.self, v, values);
}

/* Those nodes here, into r->now.  False: their state is not one to compare. */
static bool take_all(ace_recurrence *r) {
    for (unsigned i = 0; i < r->nodes; i++)
        if (!take_node(r, &r->node[i], &r->now.of[i])) return false;
    if (r->between.put && !r->between.put(r->between.self, r)) return false;
    return !r->failed;
}

/* ---- periods left out ---------------------------------------------------------------- */

static void add(ace_cycle_classes *c, const uint64_t from[ACE_CLASSES],
                const uint64_t to[ACE_CLASSES], uint64_t times) {
    c->busy += times * (to[ACE_COUNT_BUSY] - from[ACE_COUNT_BUSY]);
    c->starved += times * (to[ACE_COUNT_STARVED] - from[ACE_COUNT_STARVED]);
    c->blocked += times * (to[ACE_COUNT_BLOCKED] - from[ACE_COUNT_BLOCKED]);
    c->idle += times * (to[ACE_COUNT_IDLE] - from[ACE_COUNT_IDLE]);
}

/* At one node: from a to b once more, `times` often, which takes `cycles`. */
static void repeat(const member *m, const tally *a, const tally *b, uint64_t times,
                   uint64_t cycles) {
    ace_cycle_core *n = m->core;
    ace_driver *d = m->driver;

    command(&n->front.dispatcher)->rows -= times * (b->chunks - a->chunks) * n->cfg.chunk_rows;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        for (unsigned i = 0; i < ACE_LINK_COUNTED; i++)
            n->nic.links.plain->counted[i][l] += times * (b->counts[l][i] - a->counts[l][i]);
    n->nic.links.plain->cycles += cycles;
    ace_switch *s = &n->datapath.switch_;
    ace_cycle_classes *const k[] = { &n->memory_port.memory->read,
                                     &n->memory_port.memory->write,
                                     &n->memory_port.tx_dma->classes,
                                     &n->memory_port.rx_dma->classes,
                                     &s->count_reduce,
                                     &s->count_store,
                                     &s->count_send[0],
                                     &s->count_send[1] };
    for (unsigned i = 0; i < sizeof k / sizeof *k; i++)
        add(k[i], a->counts[ACE_LINKS + i], b->counts[ACE_LINKS + i], times);
    n->nic.idle_cycles_uncounted += cycles;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (d->setup.out[l])
            ace_wire_shift(d->setup.out[l], cycles, times * (b->packets[l] - a->packets[l]));
    d->rows_read += times * (b->rows_read - a->rows_read);
    d->rows_written += times * (b->rows_written - a->rows_written);
    d->now += cycles;
}

/* Times from r->kept to r->now once more, as often as said.  Gives the cycles. */
static uint64_t leave_out(ace_recurrence *r, uint64_t times) {
    const image *a = &r->kept, *b = &r->now;
    const uint64_t cycles = times * (b->cycle - a->cycle);

    for (unsigned i = 0; i < r->nodes; i++)
        repeat(&r->node[i], &a->of[i], &b->of[i], times, cycles);
    if (r->between.shift) r->between.shift(r->between.self, cycles, times);
    r->skipped += cycles;
    r->period = b->cycle - a->cycle;
    return cycles;
}

static void forget(ace_recurrence *r) { r->snapshots = r->next = 0; }

/* Returns whether a command has come since the last snapshot, which is then useless, and resets the
 * flags. */
static bool take_submitted(ace_recurrence *r) {
    bool any = false;

    for (unsigned i = 0; i < r->nodes; i++) {
        any = any || r->node[i].submitted;
        r->node[i].submitted = false;
    }
    return any;
}

/* Returns how often the period can be skipped, so that at least two chunks remain at each node. */
static uint64_t times_of(const ace_recurrence *r, uint64_t limit) {
    const image *a = &r->kept, *b = &r->now;
    const uint64_t period = b->cycle - a->cycle;
    const uint32_t chunks = b->chunks - a->chunks;
    uint64_t times = limit > b->cycle ? (limit - b->cycle) / period : 0;

    for (unsigned i = 0; i < r->nodes; i++) {
        const ace_cycle_core *n = r->node[i].core;
        const uint64_t left = command(&n->front.dispatcher)->rows / n->cfg.chunk_rows;
        const uint64_t most = left > 2 ? (left - 2) / chunks : 0;
        if (b->of[i].chunks - a->of[i].chunks != chunks) return 0; /* of several collectives */
        if (times > most) times = most;
    }
    return times;
}

/* Takes over the leader's position, which all need before a snapshot. Returns false when one of
 * them has no memory. */
static bool follow(ace_recurrence *r, uint64_t now) {
    image *to = &r->now;
    uint64_t v[] = { r->failed, take_submitted(r), 0, 0 };

    if (!r->between.follows) {
        const ace_cycle_core *n = r->node->core;

        v[2] = command(&n->front.dispatcher)->mark;
        v[3] = n->front.scheduler.finished[n->front.scheduler.store];
    }
    maximum(r, v, sizeof v / sizeof *v);
    if (v[1]) forget(r);
    r->base = (uint8_t)v[2];
    to->chunks = (uint32_t)v[3];
    to->size = 0;
    to->cycle = now;
    return !v[0];
}

/* The present state is the one kept. */
static bool came_back(const ace_recurrence *r) {
    const image *a = &r->kept, *b = &r->now;

    return r->snapshots && a->size == b->size && !memcmp(a->bytes, b->bytes, (size_t)a->size);
}

uint64_t ace_recurrence_compare(ace_recurrence *r, uint64_t now, uint64_t limit) {
    const bool well = follow(r, now), there = well && take_all(r), back = there && came_back(r);
    uint64_t v[] = { !there, !back, ~(back ? times_of(r, limit) : 0) };

    r->due = UINT64_MAX;
    maximum(r, v, sizeof v / sizeof *v);
    if (v[0]) {
        forget(r);
        return 0;
    }
    r->snapshots++;
    if (!v[1]) {
        if (!~v[2]) return 0;
        /* The kept state is out of date: later states are compared with the present one. */
        forget(r);
        return leave_out(r, ~v[2]);
    }
    if (r->snapshots < r->next) return 0;
    const image old = r->kept;
    r->kept = r->now;
    r->now = old;
    r->next = r->snapshots * 3 / 2 + 1;
    if (r->between.keep) r->between.keep(r->between.self);
    return 0;
}

static bool alone(const ace_recurrence *r) {
    return r->nodes == 1 && !r->between.put && !r->between.maximum;
}

uint64_t ace_recurrence_run(ace_recurrence *r, uint64_t until, uint64_t limit) {
    ace_driver *d = r->node->driver;
    const ace_scheduler *s = &r->node->core->front.scheduler;
    const uint32_t *finished = &s->finished[s->store];
    while (d->now < until) {
        const uint32_t stop = *finished / EVERY * EVERY + EVERY;
        ace_driver_run(d, until, finished, stop);
        if (*finished != stop || r->failed) continue;
        if (alone(r))
            ace_recurrence_compare(r, d->now, limit);
        else if (r->due == UINT64_MAX)
            r->due = d->now + r->window;
    }
    return d->now;
}

/* ---- the rest -------------------------------------------------------------------------- */

ace_recurrence *ace_recurrence_create(ace_node *const *nodes, unsigned count,
                                      const ace_between *between, uint32_t window) {
    ace_recurrence *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (ace_recurrence){ .nodes = count, .window = window, .due = UINT64_MAX };
    if (between) r->between = *between;
    r->node = calloc(count + 1, sizeof *r->node);
    r->kept.of = calloc(count + 1, sizeof *r->kept.of);
    r->now.of = calloc(count + 1, sizeof *r->now.of);
    if (!r->node || !r->kept.of || !r->now.of) {
        ace_recurrence_destroy(r);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        r->node[i].driver = (ace_driver *)nodes[i];
        r->node[i].core = (ace_cycle_core *)r->node[i].driver->core;
    }
    return r;
}

void ace_recurrence_destroy(ace_recurrence *r) {
    if (!r) return;
    free(r->kept.bytes);
    free(r->kept.of);
    free(r->now.bytes);
    free(r->now.of);
    free(r->node);
    free(r);
}

void ace_recurrence_submitted(ace_recurrence *r, unsigned node) { r->node[node].submitted = true; }

uint64_t ace_recurrence_due(const ace_recurrence *r) { return r->due; }

void ace_recurrence_skipped(const ace_recurrence *r, uint64_t *cycles, uint64_t *period) {
    *cycles = r->skipped;
    *period = r->period;
}

void ace_recurrence_state(ace_recurrence *r, ace_state *s) {
    image *k = &r->kept;
    if (take_submitted(r)) forget(r);
    ACE_STATE(s, r->snapshots);
    ACE_STATE(s, r->next);
    ACE_STATE(s, r->due);
    ACE_STATE(s, r->skipped);
    ACE_STATE(s, r->period);
    ACE_STATE(s, r->failed);
    ACE_STATE_BOOLS(s, "ace_recurrence.failed", &r->failed);
    ACE_STATE(s, k->size);
    void *bytes = k->bytes;
    ace_state_array(s, &bytes, k->size, 1);
    k->bytes = bytes;
    if (s->loading) k->room = k->size;
    ACE_STATE(s, k->cycle);
    ACE_STATE(s, k->chunks);
    ace_state_bytes(s, k->of, r->nodes * sizeof *k->of);
}

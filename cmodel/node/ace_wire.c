/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire.c -- the parts of a wire that are not in a node's inner loop
 *
 * Sending and receiving are inline in ace_wire.h. This file creates wires, checks a loaded state,
 * and delays flits of wires that share one interface. Such wires form a circular list, and a row
 * starts when the last row of any of them has passed.
 */
#include "ace_wire.h"

ace_wire *ace_wire_create(uint32_t latency, uint32_t slack, bool payload) {
    uint64_t capacity = 4;
    const uint64_t need = (uint64_t)latency + slack + 2;
    ace_wire *w;

    if (latency < 1 || slack < 1) return NULL;
    while (capacity < need) capacity *= 2;
    w = aligned_alloc(ACE_CACHE_LINE, sizeof *w);
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    w->mask = capacity - 1;
    w->latency = latency;
    w->flit = calloc(capacity, sizeof *w->flit);
    w->rows = payload ? malloc(capacity * ACE_ROW_BYTES) : NULL;
    if (!w->flit || (payload && !w->rows)) {
        ace_wire_destroy(w);
        return NULL;
    }
    atomic_init(&w->tail, 0);
    atomic_init(&w->head, 0);
    return w;
}

void ace_wire_destroy(ace_wire *w) {
    if (!w) return;
    free(w->flit);
    free(w->rows);
    free(w);
}

void ace_wire_set_disturb(ace_wire *w, ace_wire_disturb *disturb, void *self) {
    w->disturb = disturb;
    w->disturber = self;
}

uint64_t ace_wire_disturbed(const ace_wire *w, uint64_t now) {
    uint64_t n = 0;

    for (uint64_t at = atomic_load(&w->tail); at && w->flit[--at & w->mask].cycle >= now;)
        n += w->flit[at & w->mask].flip != 0;
    return n;
}

uint32_t ace_wire_latency(const ace_wire *w) { return w->latency; }

void ace_wire_set_contexts(ace_wire *w, unsigned phases, unsigned contexts) {
    w->phases = (uint8_t)phases;
    w->contexts = (uint8_t)contexts;
}

void ace_wire_share(ace_wire *w, ace_wire *with, uint32_t row_cost) {
    ace_wire *const next = with->next_shared ? with->next_shared : with;

    with->next_shared = w;
    w->next_shared = next;
    w->row_cost = with->row_cost = row_cost;
}

/* Rows go one behind the other in the order in which they came, and what goes back with them or
 * behind them on the same wire comes no sooner.  A part of a cycle is dropped: so rows of one wire,
 * which its port spaces alike, are never late. */
uint64_t ace_wire_shared_arrival(ace_wire *w, uint64_t now, bool data) {
    const uint64_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);
    const uint64_t last = tail ? w->flit[(tail - 1) & w->mask].cycle : 0;
    uint64_t begin = now * ACE_COST_ONE, arrival;

    if (data) {
        const ace_wire *other = w;

        do {
            if (other->passed > begin) begin = other->passed;
            other = other->next_shared;
        } while (other != w);
        w->passed = begin + w->row_cost;
    }
    arrival = begin / ACE_COST_ONE + w->latency;
    return arrival > last ? arrival : last + 1;
}

uint64_t ace_wire_owed(const ace_wire *w, uint64_t now) {
    return w->passed > now * ACE_COST_ONE ? w->passed - now * ACE_COST_ONE : 0;
}

void ace_wire_send(ace_wire *w, uint64_t now, const ace_flit *f, const uint32_t *row) {
    *ace_wire_slot(w) = *f;
    ace_wire_commit(w, now, f->data, row);
}

const ace_flit *ace_wire_receive(ace_wire *w, uint64_t now, const uint32_t **row) {
    const uint32_t *bits;
    const ace_flit *f = ace_wire_peek(w, 0, &bits);

    if (!f || f->cycle != now) return NULL;
    if (row) *row = bits;
    ace_wire_drop(w, 1);
    return f;
}

uint64_t ace_wire_next(const ace_wire *w) {
    const uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);

    if (head == w->tail_seen && head == atomic_load_explicit(&w->tail, memory_order_acquire))
        return UINT64_MAX;
    return w->flit[head & w->mask].cycle;
}

/* Checks a loaded flit: an engine can send it, and it arrives after the flit before it. */
static void check(const ace_wire *w, uint64_t now, uint64_t head, uint64_t at, ace_state *s) {
    const ace_flit *const f = &w->flit[at & w->mask];
    ACE_STATE_BOOLS(s, "ace_wire.flit", &f->data, &f->reduce, &f->credit, &f->grant, &f->routed,
                    &f->routed_credit, &f->frame, &f->resend);
    if (!ace_state_loaded(s)) return;
    if (w->phases) { /* others mean something else by a context */
        ace_state_must(s, f->frame, "ace_wire.frame");
        ace_state_must(s,
                       !f->data || f->routed || ace_context_is(f->context, w->phases, w->contexts),
                       "ace_wire.context");
        ace_state_must(s, !f->grant || ace_grant_is(f->grant_context, w->phases, w->contexts),
                       "ace_wire.grant_context");
    }
    ace_state_must(s, f->flip <= ACE_BITS, "ace_wire.flip");
    ace_state_must(s, at == head || w->flit[(at - 1) & w->mask].cycle < f->cycle, "ace_wire.cycle");
    /* a flit on a shared interface also waits for other flits there */
    ace_state_must(s, w->next_shared || f->cycle <= now || f->cycle - now <= w->latency,
                   "ace_wire.cycle");
}

void ace_wire_state(ace_wire *w, uint64_t now, ace_state *s) {
    uint64_t head = atomic_load(&w->head), tail = atomic_load(&w->tail);

    ACE_STATE(s, head);
    ACE_STATE(s, tail);
    ACE_STATE(s, w->packets);
    if (w->next_shared) ACE_STATE(s, w->passed);
    ace_state_must(s, tail - head <= w->mask, "ace_wire.tail");
    if (s->failed) return; /* nothing of it is taken */
    for (uint64_t at = head; at != tail && !s->failed; at++) {
        const uint64_t i = at & w->mask;

        ACE_STATE(s, w->flit[i]);
        if (ace_state_loaded(s)) check(w, now, head, at, s);
        if (w->rows && w->flit[i].data)
            ace_state_bytes(s, w->rows + i * ACE_ROW_WORDS, ACE_ROW_BYTES);
    }
    if (ace_state_loaded(s) && head == tail)
        w->flit[(tail - 1) & w->mask].cycle = 0; /* of another run: the last has arrived */
    atomic_store(&w->head, head);
    atomic_store(&w->tail, tail);
    w->head_seen = head;
    w->tail_seen = tail;
}

void ace_wire_shift(ace_wire *w, uint64_t cycles, uint64_t packets) {
    const uint64_t tail = atomic_load(&w->tail);

    for (uint64_t at = atomic_load(&w->head); at != tail; at++)
        w->flit[at & w->mask].cycle += cycles;
    w->packets += packets;
    w->passed += cycles * ACE_COST_ONE;
}

uint64_t ace_wire_packets(const ace_wire *w) { return w->packets; }

void ace_wire_reset(ace_wire *w) {
    atomic_store(&w->tail, 0);
    atomic_store(&w->head, 0);
    w->head_seen = w->tail_seen = w->packets = w->passed = 0;
}

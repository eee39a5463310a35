/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fsm.c -- the twin of rtl/ace_fsm.v: contexts that share the fetch of program words
 *
 * Sets of bits say which contexts want a word, may copy, owe a grant, or are ready to send. They
 * are updated whenever a context changes, so a decision reads no context. Words of a program go
 * through stages, which `working` and `jobs` hold. A tick of the pins takes grants and strobes
 * first, then moves the stages, and last admits or releases a context. A node calls the same steps
 * itself.
 */
#include "ace_fsm.h"

#include <stdlib.h>

void ace_fsm_reset(ace_fsm *f) {
    f->oldest = f->copies = f->granting = f->turning = f->working = 0;
    f->closing = f->ending = f->exchanging = 0;
    memset(f->wants, 0, sizeof f->wants);
    f->ready = f->begun = 0;
    for (unsigned i = 0; i < ACE_CONTEXTS_MAX; i++) ace_fsm_context_reset(&f->context[i]);
}

/* ---- what was loaded ------------------------------------------------------------------ */

/* A row in a partition, from which a block begins. */
static bool begins_in(unsigned row, ace_extent e) { return row <= e.end && row + e.rows > e.end; }

/* Rows of a piece that still move lie in its block.  Only a reduce-scatter ends with less than it
 * began. */
static void check_segments(const ace_fsm *f, const ace_fsm_context *c, ace_state *s) {
    const ace_extent from = ace_fsm_context_from_target(c) ? f->target_part : f->source_part;
    const ace_extent to = c->kind == ACE_PHASE_REDUCE_SCATTER ? f->source_part : f->target_part;
    if (c->send.live)
        ace_state_must(s,
                       c->send_row < c->send_rows &&
                           c->send_offset + c->send_rows - c->send_row <= from.rows,
                       "ace_fsm_context.send_row");
    if (c->receive.live)
        ace_state_must(s,
                       c->receive_row < c->receive_rows &&
                           c->receive_offset + c->receive_rows - c->receive_row <= to.rows,
                       "ace_fsm_context.receive_row");
    if (c->receive.live && c->into)
        ace_state_must(s, c->receive_rows <= f->target_part.rows, "ace_fsm_context.receive_rows");
    ace_state_must(s, c->copy <= c->shard && c->copied <= c->shard, "ace_fsm_context.copy");
}

static void check_context(const ace_fsm *f, const ace_fsm_context *c, ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_fsm_context.valid", &c->valid, &c->up, &c->needs, &c->clear, &c->into,
                    &c->grant, &c->copies, &c->hold, &c->two_links, &c->exchange, &c->down,
                    &c->stalls, &c->few, &c->was_open, &c->was_held);
    ace_state_must(s, c->fresh <= 2, "ace_fsm_context.fresh");
    for (unsigned i = 0; i < 2; i++) {
        const ace_fsm_thread *t = i ? &c->send : &c->receive;
        ACE_STATE_BOOLS(s, "ace_fsm_context.live", &t->live, &t->next, &t->begins, &t->over,
                        &t->now.end, &t->now.first, &t->now.last, &t->behind.end, &t->behind.first,
                        &t->behind.last);
        ace_state_must(s, t->now.pc < ACE_PROGRAM_WORDS && t->behind.pc < ACE_PROGRAM_WORDS,
                       "ace_fsm_context.pc");
    }
    ace_state_must(s, c->link < ACE_LINKS, "ace_fsm_context.link");
    ace_state_must(s, c->dim < ACE_DIMENSIONS, "ace_fsm_context.dim");
    ace_state_must(s, c->kind <= ACE_PHASE_ALL_GATHER && c->type < ACE_TYPES && c->op < ACE_OPS,
                   "ace_fsm_context.kind");
    if (!ace_state_loaded(s) || !c->valid) return;
    /* It is said with the entry word; the link of the switch's queues is this one. */
    ace_state_must(s, c->two_links ? c->link / 2 == c->dim : c->link == ace_fsm_context_ahead(c),
                   "ace_fsm_context.link");
    ace_state_must(s, begins_in(c->source, f->source_part), "ace_fsm_context.source");
    ace_state_must(s, begins_in(c->target, f->target_part), "ace_fsm_context.target");
    ace_state_must(s, c->written <= c->received, "ace_fsm_context.written");
    check_segments(f, c, s);
}

/* Sets of contexts, and jobs in the stages. */
static void check(const ace_fsm *f, ace_state *s) {
    const unsigned sets = (unsigned)f->copies | f->granting | f->turning | f->closing | f->ending |
                          f->wants[0] | f->wants[1] | f->wants[2];
    ace_state_must(s, !(sets >> f->contexts), "ace_fsm.wants");
    ace_state_must(s, f->oldest < f->contexts, "ace_fsm.oldest");
    for (unsigned set = (unsigned)f->ready | f->begun; set; set &= set - 1)
        ace_state_must(s, ace_fsm_of_bit(f, (unsigned)__builtin_ctz(set)) < f->contexts,
                       "ace_fsm.ready");
    ace_state_must(s, !(f->working >> ACE_SEGMENT_STAGES), "ace_fsm.working");
    for (unsigned i = 0; i < ACE_SEGMENT_STAGES; i++)
        ace_state_must(s,
                       !(f->working >> i & 1) ||
                           (f->jobs[i] >> 2 < (int)f->contexts && (f->jobs[i] & 3) < ACE_FETCHES),
                       "ace_fsm.jobs");
    for (unsigned i = 0; ace_state_loaded(s) && i < f->contexts; i++) {
        const ace_fsm_context *c = &f->context[i];
        check_context(f, c, s);
        ace_state_must(s,
                       (f->turning >> i & 1) == ace_fsm_context_m_turning(c) &&
                           (f->closing >> i & 1) == ace_fsm_context_m_closing(c) &&
                           (f->ending >> i & 1) == ace_fsm_context_m_ending(c),
                       "ace_fsm.turning");
    }
}

void ace_fsm_state(ace_fsm *f, ace_state *s) {
    const unsigned contexts = f->contexts, shift = f->shift, own = f->index;
    const ace_extent source = f->source_part, target = f->target_part;
    const ace_fsm_peers peers = f->peers;
    ACE_STATE_BUT(s, *f, &f->program);
    ace_state_must(s,
                   f->contexts == contexts && f->shift == shift && f->index == own &&
                       f->peers.hub == peers.hub && f->peers.apart == peers.apart &&
                       !memcmp(&f->source_part, &source, sizeof source) &&
                       !memcmp(&f->target_part, &target, sizeof target),
                   "ace_fsm.contexts");
    if (ace_state_loaded(s)) check(f, s);
}

/* A set of contexts with one of them in it, or not. */
static void put_bit(uint8_t *set, unsigned at, bool in) {
    *set = (uint8_t)((*set & ~(1u << at)) | (unsigned)in << at);
}

void ace_fsm_begin_send(ace_fsm *f, unsigned at) {
    if (ace_fsm_context_begin_send(&f->context[at], ace_fsm_is_ring(f, &f->context[at])))
        put_bit(&f->wants[ACE_FETCH_SEND], at, true);
    put_bit(&f->ending, at, ace_fsm_context_m_ending(&f->context[at]));
}

/* Which pieces of context `at` are there may have changed. */
static void set_segments(ace_fsm *f, unsigned at) {
    put_bit(&f->turning, at, ace_fsm_context_m_turning(&f->context[at]));
    put_bit(&f->closing, at, ace_fsm_context_m_closing(&f->context[at]));
    put_bit(&f->ending, at, ace_fsm_context_m_ending(&f->context[at]));
}

void ace_fsm_begin_receive(ace_fsm *f, unsigned at) {
    if (ace_fsm_context_begin_receive(&f->context[at], ace_fsm_is_ring(f, &f->context[at])))
        put_bit(&f->wants[ACE_FETCH_RECEIVE], at, true);
    put_bit(&f->exchanging, at, f->context[at].exchange);
    set_segments(f, at);
    ace_fsm_grants(f, at);
}

void ace_fsm_watch(ace_fsm *f, uint32_t held) {
    for (unsigned set = f->exchanging; set; set &= set - 1) {
        const unsigned at = (unsigned)__builtin_ctz(set);
        ace_fsm_context_watch(&f->context[at], held >> (at << f->shift | f->index) & 1);
    }
}

void ace_fsm_exchange(ace_fsm *f) {
    for (unsigned set = f->exchanging; set; set &= set - 1)
        ace_fsm_context_exchange(&f->context[__builtin_ctz(set)]);
}

/* ---- pieces are worked out in stages ---- */

static uint8_t job_of(unsigned at, ace_fetch what) { return (uint8_t)(at << 2 | what); }

unsigned ace_fsm_fetch(const ace_fsm *f, uint8_t *job) {
    const unsigned wants = f->wants[ACE_FETCH_ENTRY] | f->wants[ACE_FETCH_RECEIVE] |
                           (unsigned)f->wants[ACE_FETCH_SEND];
    unsigned at = f->oldest;
    while (!(wants >> at & 1)) at = (at + 1) & (f->contexts - 1);
    const ace_fsm_context *c = &f->context[at];
    if (f->wants[ACE_FETCH_ENTRY] >> at & 1) {
        *job = job_of(at, ACE_FETCH_ENTRY);
        return ace_program_entry(c->kind, c->dim, (at << f->shift | f->index) & 1);
    }
    const bool receives = f->wants[ACE_FETCH_RECEIVE] >> at & 1;
    const ace_fsm_thread *t = receives ? &c->receive : &c->send;
    *job = job_of(at, receives ? ACE_FETCH_RECEIVE : ACE_FETCH_SEND);
    return (t->behind.pc + (unsigned)(!t->begins && t->behind.last)) % ACE_PROGRAM_WORDS;
}

/* Sets the direction of a context's chunk, and returns the entry word that gives it. */
static uint32_t find_direction(ace_fsm *f, unsigned at) {
    ace_fsm_context *c = &f->context[at];
    const bool odd = (at << f->shift | f->index) & 1;
    const uint32_t entry = f->program[ace_program_entry(c->kind, c->dim, odd)];
    ace_fsm_context_s_entry_up(c, entry, odd);
    ace_fsm_context_find_links(c, entry, f->program, ace_fsm_is_ring(f, c));
    return entry;
}

/* The first stage has the word: moves the threads. */
static void first_stage(ace_fsm *f, uint8_t job) {
    ace_fsm_context *c = &f->context[job >> 2];
    if ((job & 3) == ACE_FETCH_ENTRY)
        ace_fsm_context_s_entry(c, find_direction(f, job >> 2));
    else
        ace_fsm_context_s_thread(c, (job & 3) == ACE_FETCH_RECEIVE ? &c->receive : &c->send,
                                 f->program);
}

/* The last one has the piece. */
static void last_stage(ace_fsm *f, uint8_t job) {
    const unsigned at = job >> 2;
    ace_fsm_context *c = &f->context[at];
    if ((job & 3) == ACE_FETCH_ENTRY) {
        if (!c->copies) return;
        c->copied = 0;
        put_bit(&f->copies, at, true);
        return;
    }
    const bool receives = (job & 3) == ACE_FETCH_RECEIVE;
    const bool begins = ace_fsm_context_s_piece(receives ? &c->receive : &c->send);
    set_segments(f, at);
    if (receives && begins) ace_fsm_begin_receive(f, at);
    if (!receives && begins) ace_fsm_begin_send(f, at);
    ace_fsm_clear(f, at);
}

int ace_fsm_segments(ace_fsm *f, uint8_t job) {
    enum { LAST = ACE_SEGMENT_STAGES - 1 };
    const unsigned working = f->working;
    int came = -1;
    if (working >> LAST & 1) {
        last_stage(f, f->jobs[LAST]);
        came = f->jobs[LAST] >> 2;
    }
    if ((working & 2) && (f->jobs[1] & 3) == ACE_FETCH_ENTRY) {
        put_bit(&f->wants[ACE_FETCH_SEND], f->jobs[1] >> 2, true);
        put_bit(&f->wants[ACE_FETCH_RECEIVE], f->jobs[1] >> 2, true);
    }
    if (working & 1) first_stage(f, f->jobs[0]);
    for (unsigned i = LAST; i; i--) f->jobs[i] = f->jobs[i - 1];
    f->jobs[0] = job;
    f->working = (uint8_t)((working << 1 | (job != ACE_NO_JOB)) & ((2u << LAST) - 1));
    if (job != ACE_NO_JOB) put_bit(&f->wants[job & 3], job >> 2, false);
    return came;
}

void ace_fsm_admit(ace_fsm *f, const ace_admission *a) {
    const unsigned at = ace_fsm_number(f, a->index);
    ace_fsm_context_s_admit(&f->context[at], a);
    find_direction(f, at);
    put_bit(&f->wants[ACE_FETCH_ENTRY], at, true);
    f->oldest = (uint8_t)((at + 1) & (f->contexts - 1));
    set_segments(f, at);
    ace_fsm_grants(f, at);
    ace_fsm_clear(f, at);
}

void ace_fsm_release(ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    f->context[at].valid = false;
    set_segments(f, at);
    ace_fsm_clear(f, at);
    ace_fsm_grants(f, at);
}

void ace_fsm_grant(ace_fsm *f, unsigned index, unsigned link, uint8_t peer) {
    const unsigned at = ace_fsm_number(f, index);
    ace_fsm_context_s_granted(&f->context[at], f->peers, link / 2, peer);
    ace_fsm_clear(f, at);
}

unsigned ace_fsm_leaving(const ace_fsm *f, ace_leaving_grant *leaving) {
    unsigned at = f->oldest;
    while (!(f->granting >> at & 1)) at = (at + 1) & (f->contexts - 1);
    const ace_fsm_context *c = &f->context[at];
    const bool hub = f->peers.hub >> c->dim & 1;
    *leaving = (ace_leaving_grant){ .link = (uint8_t)(ace_fsm_context_ahead(c) ^
                                                      !hub), /* on a ring it is behind */
                                    .index = (uint8_t)(at << f->shift | f->index),
                                    .peer = hub ? c->receive.now.peer : 0,
                                    .mark = c->mark };
    return at;
}

void ace_fsm_leaving_take(ace_fsm *f, unsigned at) {
    ace_fsm_context_s_grant_take(&f->context[at]);
    ace_fsm_grants(f, at);
}

/* ---- the pin form ---- */

static bool power_of_two(unsigned n) { return n != 0 && !(n & (n - 1)); }

int ace_fsm_pins_create(unsigned fsms, unsigned contexts, unsigned peers, ace_fsm_pins **pins) {
    if (!power_of_two(fsms) || !power_of_two(contexts) || contexts > ACE_CONTEXTS_MAX ||
        !power_of_two(peers) || peers > ACE_MOST_peers)
        return ACE_EINVAL;
    ace_fsm_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    p->fsm = (ace_fsm){ .contexts = contexts,
                        .shift = (unsigned)__builtin_ctz(fsms),
                        .peers = { .apart = (uint8_t)peers } };
    *pins = p;
    return ACE_OK;
}

void ace_fsm_pins_destroy(ace_fsm_pins *p) { free(p); }

void ace_fsm_pins_reset(ace_fsm_pins *p) {
    ace_fsm_reset(&p->fsm);
    p->mismatch = false;
}

/* Does this FSM run the context? */
static bool is_ours(const ace_fsm *f, const ace_fsm_pins_in *in, unsigned phase, unsigned index) {
    return phase == in->cfg_phase && (index & ((1u << f->shift) - 1)) == f->index;
}

static void configure(ace_fsm *f, const uint32_t *program, const ace_fsm_pins_in *in) {
    f->program = program;
    f->index = in->cfg_index;
    f->peers.hub = in->cfg_hub;
    f->alone = in->cfg_alone;
    f->source_part = (ace_extent){ in->cfg_source_end, in->cfg_source_rows };
    f->target_part = (ace_extent){ in->cfg_target_end, in->cfg_target_rows };
}

void ace_fsm_pins_eval(const ace_fsm_pins *p, const ace_fsm_pins_in *in, ace_fsm_pins_out *out) {
    ace_fsm f = p->fsm;
    configure(&f, p->program, in);
    const unsigned goes_on = f.ready & f.begun;
    ace_send send = { 0 };
    out->m_send_valid = ace_fsm_request(&f, in->s_link_room, &send);
    out->m_send_link = send.link;
    out->m_send_index = send.index;
    out->m_send_row = ace_fsm_send_row(&f, &send);
    out->m_send_zero = send.zero;
    out->m_send_reduce = send.reduce;
    out->m_send_mark = send.mark;
    out->m_send_peer = send.peer;
    out->m_send_begun =
        (uint8_t)(((goes_on & ace_fsm_even(&f)) != 0) | ((goes_on & ~ace_fsm_even(&f)) != 0) << 1);

    ace_leaving_grant leaving = { 0 };
    out->m_grant_valid = f.granting != 0;
    if (f.granting) ace_fsm_leaving(&f, &leaving);
    out->m_grant_link = leaving.link;
    out->m_grant_index = leaving.index;
    out->m_grant_peer = leaving.peer;
    out->m_grant_mark = leaving.mark;

    out->m_copy_valid = f.copies != 0;
    out->m_copy_index = 0;
    out->m_copy_source = out->m_copy_target = 0;
    if (f.copies != 0) {
        const unsigned at = ace_fsm_copy(&f, &out->m_copy_source, &out->m_copy_target);
        out->m_copy_index = (uint8_t)(at << f.shift | f.index);
    }

    uint8_t job;
    out->m_fetch_valid = ace_fsm_fetches(&f);
    out->m_fetch_at = out->m_fetch_valid ? (uint8_t)ace_fsm_fetch(&f, &job) : 0;
    out->m_turning = out->m_closing = 0;
    for (unsigned at = 0; at < f.contexts; at++) { /* at << shift: an index of context `at` */
        out->m_closing = (uint8_t)(out->m_closing | ace_fsm_closing(&f, at << f.shift) << at);
        for (unsigned down = 0; down < 2; down++)
            out->m_turning = (uint16_t)(out->m_turning | ace_fsm_must_wait(&f, at << f.shift, down)
                                                             << (at + down * f.contexts));
    }
    out->m_context_done = 0;
    for (unsigned at = 0; at < f.contexts; at++)
        if (ace_fsm_done(&f, at << f.shift))
            out->m_context_done = (uint8_t)(out->m_context_done | 1u << at);
    out->m_mismatch = p->mismatch;

    /* a lookup and a taking are one call: the copies are thrown away */
    ace_fsm g = f;
    ace_reduction how;
    ace_fsm_reduce_take(&g, in->s_reduce_index, &out->m_reduce_source, &out->m_reduce_zero,
                        &out->m_reduce_target, &how);
    out->m_reduce_type = how.type;
    out->m_reduce_op = how.op;
    out->m_reduce_scale = how.scale;
    ace_fsm_store_take(&f, in->s_store_index, &out->m_store_target);
}

void ace_fsm_pins_tick(ace_fsm_pins *p, const ace_fsm_pins_in *in) {
    ace_fsm *f = &p->fsm;
    configure(f, p->program, in);
    if (f->working & 1) p->program[p->fetched] = in->s_fetch_word;
    uint32_t held = 0; /* by index in the phase */
    for (unsigned at = 0; at < f->contexts; at++)
        held |= (in->s_held >> at & 1u) << (at << f->shift | f->index);
    ace_fsm_watch(f, held);
    uint8_t job = ACE_NO_JOB;
    const bool fetches = in->s_fetch_grant && ace_fsm_fetches(f);
    if (fetches) p->fetched = ace_fsm_fetch(f, &job);
    /* the strobes take the requests from before the edge */
    ace_send send = { 0 };
    const bool sends = ace_fsm_request(f, in->s_link_room, &send) && in->s_send_take;
    uint16_t row;
    bool zero;
    ace_leaving_grant leaving;
    unsigned grants = ACE_CONTEXTS_MAX;
    if (in->s_grant_take && f->granting) grants = ace_fsm_leaving(f, &leaving);
    p->mismatch |=
        (in->s_reduce_take && ace_fsm_foreign(f, in->s_reduce_index, in->s_reduce_mark)) ||
        (in->s_store_take && ace_fsm_foreign(f, in->s_store_index, in->s_store_mark));
    ace_reduction how;
    if (in->s_copy_take && f->copies != 0) ace_fsm_copy_take(f, ace_fsm_copy(f, &row, &row));
    if (in->s_reduce_take) ace_fsm_reduce_take(f, in->s_reduce_index, &row, &zero, &row, &how);
    if (in->s_store_take) ace_fsm_store_take(f, in->s_store_index, &row);
    if (in->s_reduced_valid) {
        if (in->s_reduced_copy)
            ace_fsm_copied(f, in->s_reduced_index);
        else
            ace_fsm_written(f, in->s_reduced_index);
    }
    if (in->s_stored_valid) ace_fsm_written(f, in->s_stored_index);
    if (sends) ace_fsm_send_take(f, send.context);
    if (grants < ACE_CONTEXTS_MAX) ace_fsm_leaving_take(f, grants);
    for (unsigned link = 0; link < ACE_LINKS; link++) {
        const uint8_t context = in->s_grant_context[link];
        if ((in->s_grant_valid >> link & 1) &&
            is_ours(f, in, ace_context_phase(context), ace_context_index(context)))
            ace_fsm_grant(f, ace_context_index(context), link, in->s_grant_peer[link]);
    }
    ace_fsm_segments(f, job);
    ace_fsm_exchange(f);
    if (!is_ours(f, in, in->s_context_phase, in->s_context_index)) return;
    if (in->s_admit_valid) {
        const ace_admission a = { .phase = in->s_context_phase,
                                  .index = in->s_context_index,
                                  .kind = in->s_admit_kind,
                                  .dim = in->s_admit_dim,
                                  .ring = in->s_admit_ring,
                                  .rank = in->s_admit_rank,
                                  .type = in->s_admit_type,
                                  .op = in->s_admit_op,
                                  .scale = in->s_admit_scale,
                                  .mark = in->s_admit_mark,
                                  .shard = in->s_admit_shard,
                                  .valids = in->s_admit_valids,
                                  .source_row = in->s_admit_source_row,
                                  .target_row = in->s_admit_target_row };
        ace_fsm_admit(f, &a);
    }
    if (in->s_release_valid) ace_fsm_release(f, in->s_context_index);
}

bool ace_fsm_pins_idle(const ace_fsm_pins *p) {
    for (unsigned at = 0; at < p->fsm.contexts; at++)
        if (p->fsm.context[at].valid) return false;
    return true;
}

void ace_fsm_pins_skip(ace_fsm_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}

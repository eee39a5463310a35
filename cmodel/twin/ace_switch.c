/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_switch.c -- the twin of rtl/ace_switch.v: the queues, the state check, the pins
 *
 * The decisions and the receive pipes are inline in the header. Here the queues move: a request
 * that was granted leaves, waiting ones join, and the sets `held` and `crowded` follow. A tick of
 * the pins decides everything, then looks up what was taken in the cycle before, then moves the
 * sends, and last the pipes.
 */
#include "ace_switch.h"

#include <stdlib.h>

void ace_switch_init(ace_switch *s, unsigned dimensions, unsigned fsms) {
    const unsigned phases = dimensions + 1, per_phase = fsms / phases, each = per_phase > 1 ? 2 : 1;
    *s = (ace_switch){ .dimensions = dimensions,
                       .fsms = fsms,
                       .per_phase = per_phase,
                       .each = each,
                       .queues = each * phases,
                       .shift = (unsigned)__builtin_ctz(per_phase) };
}

/* The FSMs of a queue. */
static unsigned fsms_of(const ace_switch *s, unsigned queue) {
    const unsigned first = (ace_switch_phase(s, queue) << s->shift) + (queue & (s->each - 1));
    return (1u | (unsigned)(s->per_phase > 2) << s->each) << first;
}

static void check_stage(const ace_switch *s, const ace_pipe_stage *p, ace_state *state) {
    ACE_STATE_BOOLS(state, "ace_switch.stage", &p->valid, &p->copy);
    ace_state_must(state, p->valid || !p->copy, "ace_switch.stage");
    ace_state_must(state, !p->valid || ace_switch_fsm(s, p->context) < s->fsms,
                   "ace_switch.context");
}

void ace_switch_check_request(const ace_request *r, unsigned rows, ace_state *state,
                              const char *field) {
    ACE_STATE_BOOLS(state, field, &r->send.zero, &r->send.reduce);
    ace_state_must(state,
                   r->send.link < ACE_LINKS && r->send.context < ACE_CONTEXTS_MAX &&
                       r->send.index < 32 && r->row < rows,
                   field);
}

/* Checks the sets that are derived from the content of the queues. */
static void check_queues(const ace_switch *s, ace_state *state) {
    uint32_t crowded = 0, full = 0, held[ACE_PHASES] = { 0 };
    uint16_t of_link[ACE_LINKS] = { 0 }, of_bank[ACE_BANKS] = { 0 };
    ace_state_must(state, !((s->queue_any | s->queue_old) >> s->queues) && !s->joins,
                   "ace_switch.queue_any");
    ace_state_must(state, !(s->queue_two & ~s->queue_any), "ace_switch.queue_two");
    if (!ace_state_loaded(state)) return;
    for (unsigned l = 0; l < s->queues; l++) {
        const unsigned old = s->queue_old >> l & 1;
        const bool any = s->queue_any >> l & 1, two = s->queue_two >> l & 1;
        const ace_send *const first = &s->queue[l][old].send;
        crowded |= any ? fsms_of(s, l) : 0;
        full |= two ? fsms_of(s, l) : 0;
        held[l / s->each] |= (uint32_t)any << first->index % 32;
        held[l / s->each] |= (uint32_t)two << s->queue[l][!old].send.index % 32;
        of_link[first->link % ACE_LINKS] |= (uint16_t)(any << l);
        of_bank[first->index % ACE_BANKS] |= (uint16_t)(any << l);
    }
    ace_state_must(state, crowded == s->crowded && full == s->full, "ace_switch.crowded");
    ace_state_must(state, !memcmp(held, s->held, sizeof held), "ace_switch.held");
    ace_state_must(state,
                   !memcmp(of_link, s->of_link, sizeof of_link) &&
                       !memcmp(of_bank, s->of_bank, sizeof of_bank),
                   "ace_switch.of_link");
}

void ace_switch_state(ace_switch *s, ace_state *state) {
    const unsigned dimensions = s->dimensions, fsms = s->fsms, per_phase = s->per_phase;
    const unsigned each = s->each, queues = s->queues, shift = s->shift;
    ACE_STATE(state, *s);
    ace_state_must(state,
                   s->dimensions == dimensions && s->fsms == fsms && s->per_phase == per_phase &&
                       s->each == each && s->queues == queues && s->shift == shift,
                   "ace_switch.fsms");
    ace_state_must(state, s->at < ACE_PIPE_SLOTS, "ace_switch.at");
    ace_state_must(state, s->reduce_turn <= ACE_LINKS && s->store_turn <= ACE_LINKS,
                   "ace_switch.reduce_turn");
    ace_state_must(state, s->load_waits < 1u << ACE_BANKS && !(s->load_waits & (s->load_waits - 1)),
                   "ace_switch.load_waits");
    ace_state_must(state, s->plus_turn <= ACE_DIMENSIONS && s->minus_turn <= ACE_DIMENSIONS,
                   "ace_switch.plus_turn");
    if (ace_state_loaded(state)) check_queues(s, state);
    for (unsigned i = 0; ace_state_loaded(state) && i < ACE_PIPE_SLOTS; i++) {
        check_stage(s, &s->reduce[i], state);
        check_stage(s, &s->store[i], state);
    }
}

bool ace_switch_idle(const ace_switch *s) {
    for (unsigned stage = 1; stage <= ACE_DONE_STAGE; stage++) {
        const unsigned at = ace_switch_stage(s, stage);
        if (s->reduce[at].valid || (stage <= ACE_REPORT_STAGE && s->store[at].valid)) return false;
    }
    return !s->queue_any && !s->load_waits;
}

void ace_switch_skip(ace_switch *s, uint64_t cycles) {
    s->count_reduce.idle += cycles;
    s->count_store.idle += cycles;
    s->count_send[0].idle += cycles;
    s->count_send[1].idle += cycles;
}

void ace_switch_queues(ace_switch *s, const int send_queue[2]) {
    const unsigned links = ace_switch_links(s, s->queue_any);
    unsigned leaves = 0;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const bool sends = send_queue[pipe] >= 0;
        const bool waits = (links & (pipe ? ACE_MINUS_LINKS : ACE_PLUS_LINKS)) != 0;
        ace_cycle_classes_tick(&s->count_send[pipe], sends, waits, false);
        if (!sends) continue;
        leaves |= 1u << send_queue[pipe];
        const ace_request *r = ace_switch_older(s, (unsigned)send_queue[pipe]);
        ace_switch_next(pipe ? &s->minus_turn : &s->plus_turn, r->send.link / 2);
    }

    /* held no more, unless the other row is its context's too */
    for (unsigned set = leaves; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const ace_send *const left = &ace_switch_older(s, l)->send;
        s->held[ace_switch_phase(s, l)] &= ~(1u << left->index);
        s->of_link[left->link] &= (uint16_t) ~(1u << l);
        s->of_bank[left->index % ACE_BANKS] &= (uint16_t) ~(1u << l);
    }
    const unsigned stays = s->queue_any & ~leaves, was_two = s->queue_two;
    s->queue_old = (uint16_t)(s->queue_old ^ leaves);
    s->queue_any = (uint16_t)(s->joins | was_two | stays);
    s->queue_two = (uint16_t)(stays & (s->joins | was_two));
    for (unsigned set = leaves | s->joins; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set), fsms = fsms_of(s, l);
        const bool any = s->queue_any >> l & 1, two = s->queue_two >> l & 1;
        s->crowded = (s->crowded & ~fsms) | (any ? fsms : 0);
        s->full = (s->full & ~fsms) | (two ? fsms : 0);
        const unsigned old = s->queue_old >> l & 1;
        const ace_send *const first = &s->queue[l][old].send, *const last = &s->queue[l][!old].send;
        s->held[ace_switch_phase(s, l)] |= (uint32_t)any << first->index | (uint32_t)two
                                                                               << last->index;
        s->of_link[first->link] |= (uint16_t)(any << l);
        s->of_bank[first->index % ACE_BANKS] |= (uint16_t)(any << l);
    }
    s->joins = 0;
}

/* ---- the pin form ---- */

int ace_switch_pins_create(unsigned dimensions, unsigned fsms, ace_switch_pins **pins) {
    const unsigned phases = dimensions + 1;
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS) return ACE_EINVAL;
    if (fsms != phases && fsms != 2 * phases && fsms != 4 * phases) return ACE_EINVAL;
    ace_switch_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    ace_switch_init(&p->switch_, dimensions, fsms);
    *pins = p;
    return ACE_OK;
}

void ace_switch_pins_destroy(ace_switch_pins *p) { free(p); }

void ace_switch_pins_reset(ace_switch_pins *p) {
    ace_switch_init(&p->switch_, p->switch_.dimensions, p->switch_.fsms);
    memset(p->packet, 0, sizeof p->packet);
}

/* The pins of a cycle as arguments of the calls, and the calls' grants. */
typedef struct cycle {
    ace_switch_in requests;
    ace_switch_out grant;
    uint32_t takes;       /* FSMs whose request is taken */
    uint8_t copy_context; /* of the first FSM that copies */
} cycle;

/* Returns whether FSM f, which requests, goes before the other FSM of its queue. */
static bool leads(const ace_switch *s, const ace_switch_pins_in *in, unsigned f) {
    if (s->per_phase <= 2) return true;
    const unsigned phase = f / s->per_phase, odd = f % 2, g = f ^ 2;
    const unsigned begun = in->s_send_begun[f] >> odd & 1u, its = in->s_send_begun[g] >> odd & 1u;
    if (its != begun) return begun;
    return !(in->s_send_valid >> g & 1) ||
           ace_switch_age(in->s_send_index[g], in->s_oldest[phase]) >=
               ace_switch_age(in->s_send_index[f], in->s_oldest[phase]);
}

/* A set of at most one bit. */
static unsigned bit_if(bool condition, unsigned at) { return condition ? 1u << at : 0; }

static void gather(const ace_switch_pins *p, const ace_switch_pins_in *in, cycle *c) {
    const ace_switch *s = &p->switch_;
    *c = (cycle){ .requests = { .head_valid = in->s_head_valid,
                                .head_reduce = in->s_head_reduce,
                                .room = in->s_room,
                                .copy_valid = in->s_copy_valid,
                                .load_valid = in->s_load_valid,
                                .unload_valid = in->s_unload_valid,
                                .load_bank = in->s_load_bank,
                                .load_first = in->s_load_first,
                                .unload_first = in->s_unload_first,
                                .unload_bank = { in->s_unload_bank[0], in->s_unload_bank[1] } } };
    for (unsigned f = 0; f < s->fsms; f++)
        c->takes |= bit_if((in->s_send_valid & ~s->full) >> f & 1 && leads(s, in, f), f);
    for (unsigned l = 0; l < ACE_LINKS; l++) c->requests.head_context[l] = in->s_head_context[l];
    const unsigned two = ace_switch_stage(s, 2);
    unsigned reading = bit_if(s->reduce[two].valid, s->reduce[two].context % ACE_BANKS);
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_switch_packet *next = &p->packet[0][pipe];
        reading |= bit_if(next->valid, next->context % ACE_BANKS);
    }
    c->requests.reading = (uint8_t)reading;
    unsigned copier = 0;
    if (in->s_copy_valid) copier = (unsigned)__builtin_ctz(in->s_copy_valid);
    c->copy_context = ace_context_name(copier / s->per_phase, in->s_copy_index[copier]);
    ace_switch_decide(s, &c->requests, &c->grant);
}

/* Sets the outputs of the receive pipes' stages. */
static void eval_received(const ace_switch_pins *p, ace_switch_pins_out *out) {
    const ace_switch *s = &p->switch_;
    const ace_pipe_stage *r = &s->reduce[s->at], *w = &s->store[s->at];
    out->m_arrived_valid = r->valid && !r->copy;
    out->m_arrived_link = p->arrived_link;
    out->m_arrived_context = r->context;
    out->m_reduce_take = bit_if(out->m_arrived_valid, ace_switch_fsm(s, r->context));
    out->m_reduce_index = (uint8_t)ace_context_index(r->context);
    out->m_reduce_mark = p->arrived_mark;
    out->m_storing_valid = w->valid;
    out->m_storing_link = p->storing_link;
    out->m_storing_context = w->context;
    out->m_store_take = bit_if(w->valid, ace_switch_fsm(s, w->context));
    out->m_store_index = (uint8_t)ace_context_index(w->context);
    out->m_store_mark = p->storing_mark;

    const unsigned two = ace_switch_stage(s, 2), there = ace_switch_stage(s, ACE_DATA_STAGE);
    const unsigned done = ace_switch_stage(s, ACE_DONE_STAGE);
    const ace_pipe_stage *stored = &s->store[ace_switch_stage(s, ACE_STORE_STAGE)];
    out->m_read_reduce_valid = s->reduce[two].valid && !p->operation[two].zero;
    out->m_read_reduce_zero = s->reduce[two].valid && p->operation[two].zero;
    out->m_read_reduce_bank = s->reduce[two].context % ACE_BANKS;
    out->m_read_reduce_row = p->read_row;
    out->m_alu_valid = s->reduce[there].valid;
    out->m_alu_copy = s->reduce[there].copy;
    out->m_alu_type = p->operation[there].type;
    out->m_alu_op = p->operation[there].op;
    out->m_alu_scale = p->operation[there].scale;
    out->m_write_reduce_valid = s->reduce[done].valid;
    out->m_write_reduce_bank = s->reduce[done].context % ACE_BANKS;
    out->m_write_reduce_row = p->reduce_row[done];
    out->m_write_store_valid = stored->valid;
    out->m_write_store_bank = stored->context % ACE_BANKS;
    out->m_write_store_row = p->store_row;
}

static void eval_sent(const ace_switch_pins *p, const cycle *c, ace_switch_pins_out *out) {
    const ace_switch *s = &p->switch_;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_switch_packet *next = &p->packet[0][pipe],
                                *there = &p->packet[ACE_SENT_CYCLES - 1][pipe];
        const int queue = c->grant.send_queue[pipe];
        if (queue >= 0)
            out->m_reserve =
                (uint8_t)(out->m_reserve | 1u << ace_switch_older(s, (unsigned)queue)->send.link);
        const bool reads = next->valid && !next->request.send.zero;
        out->m_read_send_valid = (uint8_t)(out->m_read_send_valid | bit_if(reads, pipe));
        out->m_read_send_bank[pipe] = next->context % ACE_BANKS;
        out->m_read_send_row[pipe] = next->request.row;
        const ace_send *send = &there->request.send;
        out->m_out_valid = (uint8_t)(out->m_out_valid | bit_if(there->valid, pipe));
        out->m_out_link[pipe] = send->link;
        out->m_out_context[pipe] = there->context;
        out->m_out_reduce[pipe] = send->reduce;
        out->m_out_zero[pipe] = send->zero;
        out->m_out_mark[pipe] = send->mark;
        out->m_out_peer[pipe] = send->peer;
    }
}

void ace_switch_pins_eval(const ace_switch_pins *p, const ace_switch_pins_in *in,
                          ace_switch_pins_out *out) {
    const ace_switch *s = &p->switch_;
    cycle c;
    gather(p, in, &c);
    *out = (ace_switch_pins_out){ .m_send_take = c.takes, .m_crowded = s->crowded };
    memcpy(out->m_held, s->held, sizeof out->m_held);
    out->m_head_pop = (uint8_t)(bit_if(c.grant.reduce_link >= 0, (unsigned)c.grant.reduce_link) |
                                bit_if(c.grant.store_link >= 0, (unsigned)c.grant.store_link));
    out->m_copy_take = bit_if(c.grant.copy_fsm >= 0, (unsigned)c.grant.copy_fsm);

    const ace_pipe_stage *reduced = &c.grant.reduced, *stored = &c.grant.stored;
    out->m_reduced_valid = bit_if(reduced->valid, ace_switch_fsm(s, reduced->context));
    out->m_reduced_copy = reduced->copy;
    out->m_reduced_index = (uint8_t)ace_context_index(reduced->context);
    out->m_stored_valid = bit_if(stored->valid, ace_switch_fsm(s, stored->context));
    out->m_stored_index = (uint8_t)ace_context_index(stored->context);
    out->m_load_grant = c.grant.load_grant;
    out->m_unload_grant = c.grant.unload_grant;
    eval_received(p, out);
    eval_sent(p, &c, out);

    ace_cycle_classes_lanes(&s->count_reduce, out->count_reduce);
    ace_cycle_classes_lanes(&s->count_store, out->count_store);
    ace_cycle_classes_lanes(&s->count_send[0], out->count_send_plus);
    ace_cycle_classes_lanes(&s->count_send[1], out->count_send_minus);
    out->idle = ace_switch_pins_idle(p) && !in->s_send_valid;
}

/* Stage 1: looks up the rows and operations of the packets taken in the last cycle. */
static void tick_lookups(ace_switch_pins *p, const ace_switch_pins_in *in) {
    const ace_switch *s = &p->switch_;
    const ace_pipe_stage *r = &s->reduce[s->at], *w = &s->store[s->at];
    const unsigned reducer = ace_switch_fsm(s, r->context), storer = ace_switch_fsm(s, w->context);
    if (r->valid) {
        p->read_row = r->copy ? p->copy_source : in->s_reduce_source[reducer];
        p->reduce_row[s->at] = r->copy ? p->copy_target : in->s_reduce_target[reducer];
        struct ace_switch_operation *o = &p->operation[s->at];
        o->zero = !r->copy && (in->s_reduce_zero >> reducer & 1);
        o->type = in->s_reduce_type[reducer];
        o->op = in->s_reduce_op[reducer];
        o->scale = in->s_reduce_scale[reducer];
    }
    if (w->valid) p->store_row = in->s_store_target[storer];
}

static void tick_sends(ace_switch_pins *p, const ace_switch_pins_in *in, const cycle *c) {
    ace_switch *s = &p->switch_;
    memmove(&p->packet[1], &p->packet[0], sizeof p->packet - sizeof p->packet[0]);
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        ace_switch_packet *to = &p->packet[0][pipe];
        to->valid = c->grant.send_queue[pipe] >= 0;
        if (!to->valid) continue;
        const unsigned queue = (unsigned)c->grant.send_queue[pipe];
        to->request = *ace_switch_older(s, queue);
        to->context = ace_switch_context(s, queue, &to->request);
    }
    for (unsigned set = c->takes; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        const ace_request r = { .send = { .index = in->s_send_index[f],
                                          .link = in->s_send_link[f],
                                          .mark = in->s_send_mark[f],
                                          .peer = in->s_send_peer[f],
                                          .zero = in->s_send_zero >> f & 1,
                                          .reduce = in->s_send_reduce >> f & 1 },
                                .row = in->s_send_row[f] };
        ace_switch_join(s, f, &r);
    }
}

void ace_switch_pins_tick(ace_switch_pins *p, const ace_switch_pins_in *in) {
    cycle c;
    gather(p, in, &c);
    tick_lookups(p, in);
    tick_sends(p, in, &c);
    if (c.grant.reduce_link >= 0) {
        p->arrived_link = (uint8_t)c.grant.reduce_link;
        p->arrived_mark = in->s_head_mark[c.grant.reduce_link];
    } else if (c.grant.copy_fsm >= 0) {
        p->copy_source = in->s_copy_source[c.grant.copy_fsm];
        p->copy_target = in->s_copy_target[c.grant.copy_fsm];
    }
    if (c.grant.store_link >= 0) {
        p->storing_link = (uint8_t)c.grant.store_link;
        p->storing_mark = in->s_head_mark[c.grant.store_link];
    }
    ace_switch_tick(&p->switch_, &c.requests, &c.grant, c.copy_context);
}

bool ace_switch_pins_idle(const ace_switch_pins *p) {
    for (unsigned i = 0; i < ACE_SENT_CYCLES; i++)
        if (p->packet[i][0].valid || p->packet[i][1].valid) return false;
    return ace_switch_idle(&p->switch_);
}

void ace_switch_pins_skip(ace_switch_pins *p, uint64_t cycles) {
    ace_switch_skip(&p->switch_, cycles);
}

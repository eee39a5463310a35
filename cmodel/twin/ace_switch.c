/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_switch.h"

#include <stdlib.h>

void ace_switch_init(ace_switch *s, unsigned dimensions, unsigned fsms) {
    *s = (ace_switch){ .dimensions = dimensions,
                       .fsms = fsms,
                       .per_phase = fsms / (dimensions + 1) };
}

static void check_stage(const ace_switch *s, const ace_pipe_stage *p, ace_state *state) {
    ACE_STATE_BOOLS(state, "ace_switch.stage", &p->valid, &p->copy);
    ace_state_must(state,
                   !ace_state_loaded(state) || !p->valid || ace_switch_fsm(s, p->context) < s->fsms,
                   "ace_switch.context");
}

void ace_switch_state(ace_switch *s, ace_state *state) {
    const unsigned dimensions = s->dimensions, fsms = s->fsms, per_phase = s->per_phase;
    ACE_STATE(state, *s);
    ace_state_must(state,
                   s->dimensions == dimensions && s->fsms == fsms && s->per_phase == per_phase,
                   "ace_switch.fsms");
    ace_state_must(state, s->at < ACE_PIPE_SLOTS, "ace_switch.at");
    ace_state_must(state, s->reduce_turn <= ACE_LINKS && s->store_turn <= ACE_LINKS,
                   "ace_switch.reduce_turn");
    ace_state_must(state, s->plus_turn <= ACE_SWITCH_FSMS && s->minus_turn <= ACE_SWITCH_FSMS,
                   "ace_switch.plus_turn");
    for (unsigned i = 0; ace_state_loaded(state) && i < ACE_PIPE_SLOTS; i++) {
        check_stage(s, &s->reduce[i], state);
        check_stage(s, &s->store[i], state);
    }
}

bool ace_switch_idle(const ace_switch *s) {
    for (unsigned i = 0; i < ACE_PIPE_STAGES; i++) {
        const unsigned at = (s->at + i) % ACE_PIPE_SLOTS;
        if (s->reduce[at].valid || s->store[at].valid) return false;
    }
    return true;
}

void ace_switch_skip(ace_switch *s, uint64_t cycles) {
    s->count_reduce.idle += cycles;
    s->count_store.idle += cycles;
    s->count_send[0].idle += cycles;
    s->count_send[1].idle += cycles;
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

/* The pins of a cycle as the calls take them, and what the calls grant. */
typedef struct cycle {
    ace_switch_in asked;
    ace_switch_out grant;
    uint8_t reduce_context, store_context; /* in the first stages from the next cycle on */
    unsigned reduce_fsm, store_fsm;
} cycle;

/* Is FSM f, which asks, before all others of its phase that send for chunks as even, or odd? */
static bool leads(const ace_switch *s, const ace_switch_pins_in *in, unsigned f) {
    const unsigned phase = f / s->per_phase, odd = in->s_send_index[f] & 1u;
    const unsigned age = ace_switch_age(in->s_send_index[f], in->s_oldest[phase]);
    const unsigned begun = in->s_send_begun[f] >> odd & 1u;
    for (unsigned g = phase * s->per_phase; g < (phase + 1) * s->per_phase; g++) {
        if (g == f) continue;
        const unsigned its = in->s_send_begun[g] >> odd & 1u;
        if (its > begun) return false;
        if (its == begun && (in->s_send_valid >> g & 1) && (in->s_send_index[g] & 1u) == odd &&
            ace_switch_age(in->s_send_index[g], in->s_oldest[phase]) < age)
            return false;
    }
    return true;
}

static void ask(const ace_switch *s, const ace_switch_pins_in *in, cycle *c) {
    c->asked = (ace_switch_in){ .head_valid = in->s_head_valid,
                                .head_reduce = in->s_head_reduce,
                                .copy_valid = in->s_copy_valid,
                                .load_valid = in->s_load_valid,
                                .unload_valid = in->s_unload_valid,
                                .load_bank = in->s_load_bank,
                                .unload_bank = in->s_unload_bank };
    for (unsigned f = 0; f < s->fsms; f++) {
        const bool wants = (in->s_send_valid >> f & 1) && leads(s, in, f);
        c->asked.want |= (unsigned)wants << f;
        c->asked.want_bank[in->s_send_index[f] % ACE_BANKS] |= 1u << f;
        c->asked.want_minus |= (in->s_send_link[f] & 1u) << f;
    }
    for (unsigned l = 0; l < ACE_LINKS; l++) c->asked.head_context[l] = in->s_head_context[l];
    unsigned copier = 0;
    if (in->s_copy_valid) copier = (unsigned)__builtin_ctz(in->s_copy_valid);
    const uint8_t copy_context = ace_context_name(copier / s->per_phase, in->s_copy_index[copier]);
    ace_switch_decide(s, &c->asked, copy_context, &c->grant);
    c->reduce_context =
        c->grant.reduce_link >= 0 ? in->s_head_context[c->grant.reduce_link] : copy_context;
    c->reduce_fsm = c->grant.reduce_link >= 0 ? ace_switch_fsm(s, c->reduce_context) : copier;
    c->store_context = c->grant.store_link >= 0 ? in->s_head_context[c->grant.store_link] : 0;
    c->store_fsm = ace_switch_fsm(s, c->store_context);
}

/* A set of at most one bit. */
static unsigned bit_if(bool condition, unsigned at) { return condition ? 1u << at : 0; }

/* Long: one line a pin. */
void ace_switch_pins_eval(const ace_switch_pins *p, const ace_switch_pins_in *in,
                          ace_switch_pins_out *out) {
    const ace_switch s = p->switch_;
    const unsigned read = ACE_READ_CYCLES - 1;
    cycle c;
    ask(&s, in, &c);
    const bool reduce = c.grant.reduce_link >= 0, copy = c.grant.copy_fsm >= 0,
               store = c.grant.store_link >= 0;
    *out = (ace_switch_pins_out){ 0 };
    if (reduce) out->m_head_pop = (uint8_t)(1u << c.grant.reduce_link);
    if (store) out->m_head_pop = (uint8_t)(out->m_head_pop | 1u << c.grant.store_link);
    out->m_copy_take = bit_if(copy, c.reduce_fsm);
    out->m_reduce_take = bit_if(reduce, c.reduce_fsm);
    out->m_reduce_index = (uint8_t)ace_context_index(c.reduce_context);
    if (reduce) out->m_reduce_mark = in->s_head_mark[c.grant.reduce_link];
    out->m_store_take = bit_if(store, c.store_fsm);
    out->m_store_index = (uint8_t)ace_context_index(c.store_context);
    if (store) out->m_store_mark = in->s_head_mark[c.grant.store_link];

    const ace_pipe_stage *reduced = &c.grant.reduced, *stored = &c.grant.stored;
    out->m_reduced_valid = bit_if(reduced->valid, ace_switch_fsm(&s, reduced->context));
    out->m_reduced_copy = reduced->copy;
    out->m_reduced_index = (uint8_t)ace_context_index(reduced->context);
    out->m_stored_valid = bit_if(stored->valid, ace_switch_fsm(&s, stored->context));
    out->m_stored_index = (uint8_t)ace_context_index(stored->context);
    out->m_load_grant = c.grant.load_grant;
    out->m_unload_grant = c.grant.unload_grant;

    out->m_read_reduce_valid = reduce || copy;
    out->m_read_reduce_bank = c.reduce_context % ACE_BANKS;
    out->m_read_reduce_row =
        reduce ? in->s_reduce_source[c.reduce_fsm] : in->s_copy_source[c.reduce_fsm];

    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_switch_packet *packet = &p->packet[read][pipe];
        if (c.grant.send_fsm[pipe] >= 0) {
            const unsigned f = (unsigned)c.grant.send_fsm[pipe];
            out->m_send_take |= 1u << f;
            out->m_reserve = (uint8_t)(out->m_reserve | 1u << in->s_send_link[f]);
            out->m_read_send_valid = (uint8_t)(out->m_read_send_valid | 1u << pipe);
            out->m_read_send_bank[pipe] = in->s_send_index[f] % ACE_BANKS;
            out->m_read_send_row[pipe] = in->s_send_row[f];
        }
        out->m_out_valid = (uint8_t)(out->m_out_valid | bit_if(packet->valid, pipe));
        out->m_out_link[pipe] = packet->send.link;
        out->m_out_context[pipe] = packet->context;
        out->m_out_reduce[pipe] = packet->send.reduce;
        out->m_out_zero[pipe] = packet->send.zero;
        out->m_out_mark[pipe] = packet->send.mark;
        out->m_out_peer[pipe] = packet->send.peer;
    }

    const ace_pipe_stage *r1 = &s.reduce[s.at], *s1 = &s.store[s.at];
    const unsigned there = (s.at + read) % ACE_PIPE_SLOTS;
    out->m_arrived_valid = r1->valid && !r1->copy;
    out->m_arrived_link = p->arrived_link;
    out->m_alu_valid = s.reduce[there].valid;
    out->m_alu_copy = s.reduce[there].copy;
    out->m_alu_zero = p->operation[there].zero;
    out->m_alu_type = p->operation[there].type;
    out->m_alu_op = p->operation[there].op;
    out->m_alu_scale = p->operation[there].scale;
    const unsigned done = (s.at + ACE_DONE_STAGE - 1) % ACE_PIPE_SLOTS;
    out->m_write_reduce_valid = s.reduce[done].valid;
    out->m_write_reduce_bank = s.reduce[done].context % ACE_BANKS;
    out->m_write_reduce_row = p->reduce_row[done];
    out->m_write_store_valid = s1->valid;
    out->m_write_store_link = p->store_link;
    out->m_write_store_bank = s1->context % ACE_BANKS;
    out->m_write_store_row = p->store_row;

    ace_cycle_classes_lanes(&s.count_reduce, out->count_reduce);
    ace_cycle_classes_lanes(&s.count_store, out->count_store);
    ace_cycle_classes_lanes(&s.count_send[0], out->count_send_plus);
    ace_cycle_classes_lanes(&s.count_send[1], out->count_send_minus);
    out->idle = ace_switch_pins_idle(p) && !c.asked.want;
}

void ace_switch_pins_tick(ace_switch_pins *p, const ace_switch_pins_in *in) {
    ace_switch *s = &p->switch_;
    cycle c;
    ask(s, in, &c);
    const bool reduce = c.grant.reduce_link >= 0;
    memmove(&p->packet[1], &p->packet[0], sizeof p->packet - sizeof p->packet[0]);
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const int f = c.grant.send_fsm[pipe];
        p->packet[0][pipe].valid = f >= 0;
        if (f < 0) continue;
        p->packet[0][pipe].send = (ace_send){ .index = in->s_send_index[f],
                                              .link = in->s_send_link[f],
                                              .mark = in->s_send_mark[f],
                                              .peer = in->s_send_peer[f],
                                              .zero = in->s_send_zero >> f & 1,
                                              .reduce = in->s_send_reduce >> f & 1 };
        p->packet[0][pipe].context =
            ace_context_name((unsigned)f / s->per_phase, in->s_send_index[f]);
    }
    ace_switch_tick(s, &c.asked, &c.grant, c.reduce_context);
    p->reduce_row[s->at] =
        reduce ? in->s_reduce_target[c.reduce_fsm] : in->s_copy_target[c.reduce_fsm];
    p->operation[s->at].zero = reduce && (in->s_reduce_zero >> c.reduce_fsm & 1);
    p->operation[s->at].type = in->s_reduce_type[c.reduce_fsm];
    p->operation[s->at].op = in->s_reduce_op[c.reduce_fsm];
    p->operation[s->at].scale = in->s_reduce_scale[c.reduce_fsm];
    p->arrived_link = (uint8_t)(reduce ? c.grant.reduce_link : 0);
    p->store_row = in->s_store_target[c.store_fsm];
    p->store_link = (uint8_t)(c.grant.store_link >= 0 ? c.grant.store_link : 0);
}

bool ace_switch_pins_idle(const ace_switch_pins *p) {
    for (unsigned i = 0; i < ACE_READ_CYCLES; i++)
        if (p->packet[i][0].valid || p->packet[i][1].valid) return false;
    return ace_switch_idle(&p->switch_);
}

void ace_switch_pins_skip(ace_switch_pins *p, uint64_t cycles) {
    ace_switch_skip(&p->switch_, cycles);
}

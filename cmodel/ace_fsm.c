/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_fsm.h"

#include <stdlib.h>

static void check_mismatch(ace_fsm *f, unsigned at) {
    const ace_context *c = &f->context[at];
    if (c->valid && c->sent != c->total && (c->granted >> c->dim & 1) &&
        c->grant_mark[c->dim] != c->mark)
        f->mismatch_next = true;
}

void ace_fsm_reset(ace_fsm *f) {
    f->oldest = f->copies = 0;
    f->ready = f->begun = 0;
    f->mismatch_next = false;
    for (unsigned i = 0; i < ACE_CONTEXTS_MAX; i++) {
        f->context[i].valid = f->context[i].clear = false;
        f->context[i].granted = 0;
    }
}

void ace_fsm_admit(ace_fsm *f, const ace_admission *a) {
    const unsigned at = ace_fsm_number(f, a->index);
    ace_context *c = &f->context[at];
    c->valid = true;
    c->plus = !(a->index & 1);
    c->kind = a->kind;
    c->dim = a->dim;
    c->last = (uint8_t)(a->ring - 1);
    c->shard = a->shard;
    c->valids = a->valids;
    c->half = a->half;
    c->source = a->source_row;
    c->target = a->target_row;
    c->type = a->type;
    c->op = a->op;
    c->scale = a->scale;
    c->mark = a->mark;
    c->total = (uint16_t)(a->kind == ACE_PHASE_ALL_REDUCE ? a->half * 2 : a->half);
    c->sent = c->send_row = c->received = c->written = c->receive_row = c->copy = 0;
    c->send_shard = a->send_shard;
    c->send_offset = a->send_offset;
    c->receive_shard = a->receive_shard;
    c->receive_offset = a->receive_offset;
    c->copied = a->kind == ACE_PHASE_ALL_GATHER ? 0 : a->shard;
    c->own = a->own_offset;
    c->to_do = (uint16_t)(2 * c->total + c->shard - c->copied);
    if (a->kind == ACE_PHASE_ALL_GATHER) f->copies = (uint8_t)(f->copies | 1u << at);
    f->oldest = (uint8_t)((at + 1) & (f->contexts - 1));
    ace_fsm_clear(f, at);
    check_mismatch(f, at);
}

void ace_fsm_release(ace_fsm *f, unsigned index) {
    f->context[ace_fsm_number(f, index)].valid = false;
    ace_fsm_clear(f, ace_fsm_number(f, index));
}

void ace_fsm_grant(ace_fsm *f, unsigned index, unsigned link, uint8_t mark) {
    const unsigned at = ace_fsm_number(f, index);
    ace_context *c = &f->context[at];
    c->granted = (uint8_t)(c->granted | 1u << (link / 2));
    c->grant_mark[link / 2] = mark;
    ace_fsm_clear(f, at);
    check_mismatch(f, at);
}

/* ---- the pin form ---- */

static bool power_of_two(unsigned n) { return n != 0 && !(n & (n - 1)); }

int ace_fsm_pins_create(unsigned phase, unsigned place, unsigned fsms, unsigned contexts,
                        ace_fsm_pins **pins) {
    if (phase >= ACE_PHASES || !power_of_two(fsms) || place >= fsms || !power_of_two(contexts) ||
        contexts > ACE_CONTEXTS_MAX)
        return ACE_EINVAL;
    ace_fsm_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    p->phase = phase;
    p->fsm =
        (ace_fsm){ .contexts = contexts, .shift = (unsigned)__builtin_ctz(fsms), .place = place };
    *pins = p;
    return ACE_OK;
}

void ace_fsm_pins_destroy(ace_fsm_pins *p) { free(p); }

void ace_fsm_pins_reset(ace_fsm_pins *p) {
    ace_fsm_reset(&p->fsm);
    p->mismatch = false;
}

/* Does this FSM run the context? */
static bool is_ours(const ace_fsm_pins *p, unsigned phase, unsigned index) {
    return phase == p->phase && (index & ((1u << p->fsm.shift) - 1)) == p->fsm.place;
}

static void configure(ace_fsm *f, const ace_fsm_pins_in *in) {
    f->source_part = (ace_extent){ in->cfg_source_end, in->cfg_source_rows };
    f->target_part = (ace_extent){ in->cfg_target_end, in->cfg_target_rows };
}

void ace_fsm_pins_eval(const ace_fsm_pins *p, const ace_fsm_pins_in *in, ace_fsm_pins_out *out) {
    ace_fsm f = p->fsm;
    configure(&f, in);
    ace_send send = { 0 };
    out->m_send_valid = ace_fsm_request(&f, in->s_link_room, &send);
    out->m_send_link = send.link;
    out->m_send_index = send.index;
    out->m_send_row = ace_fsm_send_row(&f, &send);
    out->m_send_zero = send.zero;
    out->m_send_reduce = send.reduce;
    out->m_send_mark = send.mark;
    out->m_send_begun =
        (uint8_t)(((f.begun & ace_fsm_plus(&f)) != 0) | ((f.begun & ~ace_fsm_plus(&f)) != 0) << 1);

    out->m_copy_valid = f.copies != 0;
    out->m_copy_index = 0;
    out->m_copy_source = out->m_copy_target = 0;
    if (f.copies != 0) {
        const unsigned at = ace_fsm_copy(&f, &out->m_copy_source, &out->m_copy_target);
        out->m_copy_index = (uint8_t)(at << f.shift | f.place);
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
    configure(f, in);
    /* what the strobes take is what was asked before the edge */
    ace_send send = { 0 };
    const bool sends = ace_fsm_request(f, in->s_link_room, &send) && in->s_send_take;
    uint16_t row;
    bool zero;
    ace_reduction how;
    p->mismatch |= f->mismatch_next;
    f->mismatch_next = false;
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
    for (unsigned link = 0; link < ACE_LINKS; link++) {
        const uint8_t context = in->s_grant_context[link];
        if ((in->s_grant_valid >> link & 1) && is_ours(p, context >> 6, context & 63))
            ace_fsm_grant(f, context & 63, link, in->s_grant_mark[link]);
    }
    if (!is_ours(p, in->s_context_phase, in->s_context_index)) return;
    if (in->s_admit_valid) {
        const ace_admission a = { .phase = in->s_context_phase,
                                  .index = in->s_context_index,
                                  .kind = in->s_admit_kind,
                                  .dim = in->s_admit_dim,
                                  .ring = in->s_admit_ring,
                                  .send_shard = in->s_admit_send_shard,
                                  .receive_shard = in->s_admit_receive_shard,
                                  .type = in->s_admit_type,
                                  .op = in->s_admit_op,
                                  .scale = in->s_admit_scale,
                                  .mark = in->s_admit_mark,
                                  .shard = in->s_admit_shard,
                                  .valids = in->s_admit_valids,
                                  .half = in->s_admit_half,
                                  .send_offset = in->s_admit_send_offset,
                                  .receive_offset = in->s_admit_receive_offset,
                                  .own_offset = in->s_admit_own_offset,
                                  .source_row = in->s_admit_source_row,
                                  .target_row = in->s_admit_target_row };
        ace_fsm_admit(f, &a);
    }
    if (in->s_release_valid) ace_fsm_release(f, in->s_context_index);
}

bool ace_fsm_pins_idle(const ace_fsm_pins *p) {
    for (unsigned at = 0; at < p->fsm.contexts; at++)
        if (p->fsm.context[at].valid) return false;
    return !p->fsm.mismatch_next;
}

void ace_fsm_pins_skip(ace_fsm_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}

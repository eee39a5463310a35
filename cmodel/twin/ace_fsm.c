/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_fsm.h"

#include <stdlib.h>

void ace_fsm_reset(ace_fsm *f) {
    f->oldest = f->copies = f->granting = 0;
    f->ready = f->begun = 0;
    for (unsigned i = 0; i < ACE_CONTEXTS_MAX; i++) {
        f->context[i].valid = f->context[i].clear = false;
        memset(f->context[i].granted, 0, sizeof f->context[i].granted);
    }
}

/* As registers of 12 bits hold it. */
static uint16_t rows_of(unsigned shards, unsigned rows) { return shards * rows & 0xfff; }

void ace_fsm_begin_send(ace_fsm *f, ace_context *c) {
    (void)f;
    const uint32_t word = c->send.word;
    const unsigned wait = ACE_PROGRAM_GET(word, WAIT), grant = ACE_PROGRAM_GET(word, GRANT);
    c->send_rows = rows_of(c->send.shards, c->shard);
    c->send_offset = rows_of(c->send.shard, c->shard);
    c->send_row = 0;
    c->needs = grant == ACE_GRANT_EACH || (grant == ACE_GRANT_FIRST && c->send.first);
    c->hold = wait != ACE_WAIT_ROWS;
    if (wait == ACE_WAIT_STEP || (wait == ACE_WAIT_BEGIN && c->send.first))
        c->base = c->sent;
    else if (wait != ACE_WAIT_BEGIN)
        c->base = 0;
    c->bias = (int16_t)(ACE_PROGRAM_SIGNED(word, BIAS) * c->send_rows);
}

void ace_fsm_begin_receive(ace_fsm *f, ace_context *c) {
    const uint32_t word = c->receive.word;
    const unsigned grant = ACE_PROGRAM_GET(word, GRANT);
    c->receive_rows = rows_of(c->receive.shards, c->shard);
    c->receive_offset = rows_of(c->receive.shard, c->shard);
    c->receive_row = 0;
    c->into = ACE_PROGRAM_GET(word, TARGET) || (ACE_PROGRAM_GET(word, LAST) && c->receive.last);
    c->grant = !c->receive.end &&
               (grant == ACE_GRANT_EACH || (grant == ACE_GRANT_FIRST && c->receive.first));
    ace_fsm_grants(f, (unsigned)(c - f->context));
}

void ace_fsm_admit(ace_fsm *f, const ace_admission *a) {
    const unsigned at = ace_fsm_number(f, a->index);
    const uint32_t entry = f->words[ace_program_entry(a->kind, a->dim, a->index & 1)];
    const bool copies = ACE_PROGRAM_GET(entry, ENTRY_COPY);
    ace_context *c = &f->context[at];
    c->valid = true;
    c->up = !(a->index & 1) || ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY);
    c->kind = a->kind;
    c->dim = a->dim;
    c->link = (uint8_t)(2 * a->dim + !c->up);
    c->ring = a->ring;
    c->rank = a->rank;
    c->shard = a->shard;
    c->valids = a->valids;
    c->source = a->source_row;
    c->target = a->target_row;
    c->type = a->type;
    c->op = a->op;
    c->scale = a->scale;
    c->mark = a->mark;
    c->sent = c->received = c->written = c->copy = 0;
    c->copied = copies ? 0 : a->shard;
    c->own = rows_of(a->rank, a->shard);
    if (copies) f->copies = (uint8_t)(f->copies | 1u << at);
    f->oldest = (uint8_t)((at + 1) & (f->contexts - 1));
    ace_thread_begin(&c->send, f->words, ACE_PROGRAM_GET(entry, ENTRY_SEND), c->ring, c->rank,
                     c->up);
    ace_thread_begin(&c->receive, f->words, ACE_PROGRAM_GET(entry, ENTRY_RECEIVE), c->ring, c->rank,
                     c->up);
    ace_fsm_begin_send(f, c);
    ace_fsm_begin_receive(f, c);
    ace_fsm_clear(f, at);
}

void ace_fsm_release(ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    f->context[at].valid = false;
    ace_fsm_clear(f, at);
    ace_fsm_grants(f, at);
}

void ace_fsm_grant(ace_fsm *f, unsigned index, unsigned link, uint8_t peer) {
    const unsigned at = ace_fsm_number(f, index);
    uint16_t *granted = &f->context[at].granted[link / 2];
    *granted = (uint16_t)(*granted | 1u << ace_fsm_slot(f, link / 2, peer));
    ace_fsm_clear(f, at);
}

unsigned ace_fsm_leaving(const ace_fsm *f, ace_leaving_grant *leaving) {
    unsigned at = f->oldest;
    while (!(f->granting >> at & 1)) at = (at + 1) & (f->contexts - 1);
    const ace_context *c = &f->context[at];
    const bool hub = f->hub >> c->dim & 1;
    *leaving = (ace_leaving_grant){ .link = (uint8_t)(c->link ^ !hub), /* on a ring it is behind */
                                    .index = (uint8_t)(at << f->shift | f->place),
                                    .peer = hub ? c->receive.peer : 0,
                                    .mark = c->mark };
    return at;
}

void ace_fsm_leaving_take(ace_fsm *f, unsigned at) {
    f->context[at].grant = false;
    ace_fsm_grants(f, at);
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
    f->words = in->cfg_program;
    f->hub = in->cfg_hub;
    f->source_part = (ace_extent){ in->cfg_source_end, in->cfg_source_rows };
    f->target_part = (ace_extent){ in->cfg_target_end, in->cfg_target_rows };
}

void ace_fsm_pins_eval(const ace_fsm_pins *p, const ace_fsm_pins_in *in, ace_fsm_pins_out *out) {
    ace_fsm f = p->fsm;
    configure(&f, in);
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
            is_ours(p, ace_context_phase(context), ace_context_index(context)))
            ace_fsm_grant(f, ace_context_index(context), link, in->s_grant_peer[link]);
    }
    if (!is_ours(p, in->s_context_phase, in->s_context_index)) return;
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

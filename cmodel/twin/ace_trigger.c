/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_trigger.c -- the twin of rtl/ace_trigger.v: prepared commands, their counts and their flags
 *
 * ace_trigger_eval() computes the outputs.  ace_trigger_tick() evaluates the handshakes of its
 * cycle and then changes the slots in this order: retire, write response of a flag, begin of a
 * flag, command done, start of a command, software's write.  No two of these steps change one field
 * of a slot in the same cycle.
 */
#include "ace_trigger.h"

#include <stdlib.h>

#include "ace_register_map.h"

int ace_trigger_init(ace_trigger *t, unsigned slots, unsigned drain_limit) {
    if (slots < 2 || slots > ACE_TRIGGER_SLOTS_MAX || (slots & (slots - 1)) ||
        drain_limit > 1u << 24)
        return ACE_EINVAL;
    *t = (ace_trigger){ .slots = slots, .drain_limit = drain_limit };
    return ACE_OK;
}

int ace_trigger_create(unsigned slots, unsigned drain_limit, ace_trigger **trigger) {
    ace_trigger *t = calloc(1, sizeof *t);
    if (!t) return ACE_ENOMEM;
    const int err = ace_trigger_init(t, slots, drain_limit);
    if (err)
        free(t);
    else
        *trigger = t;
    return err;
}

void ace_trigger_destroy(ace_trigger *t) { free(t); }

/* Clears what a stop ends.  A flag that is already at the memory is still written. */
static void clear(ace_trigger *t) {
    for (unsigned i = 0; i < t->slots; i++) {
        ace_trigger_slot *s = &t->slot[i];
        s->known = s->armed = s->busy = s->done = s->retires = false;
    }
    t->cmd_valid = t->live = t->failed = t->protocol = false;
    t->fired = t->retired = t->prepared = 0;
}

void ace_trigger_reset(ace_trigger *t) {
    clear(t);
    t->aw_valid = t->w_valid = t->waits = t->lost = false;
    t->at = t->quiet = 0;
}

bool ace_trigger_is_sane(const ace_trigger *t) {
    if (t->slots < 2 || t->slots > ACE_TRIGGER_SLOTS_MAX || (t->slots & (t->slots - 1)) ||
        t->fired >= t->slots || t->at >= t->slots || t->retired >= t->slots)
        return false;
    for (unsigned i = 0; i < t->slots; i++)
        if (t->slot[i].next >= ACE_TRIGGER_SLOTS_MAX) return false;
    return true;
}

/* ---- which slot is next ---- */

static bool ready(const ace_trigger_slot *s) {
    return s->armed && !s->busy && s->count >= s->threshold;
}
static bool wants_flag(const ace_trigger_slot *s) { return s->done; }
static bool retires(const ace_trigger_slot *s) { return s->retires; }

/* Returns the next slot after `last` for which is() holds, or -1. */
static int next_of(const ace_trigger *t, bool (*is)(const ace_trigger_slot *), uint32_t last) {
    for (unsigned k = 1; t->prepared && k <= t->slots; k++) {
        const uint32_t at = (last + k) % t->slots;
        if (is(&t->slot[at])) return (int)at;
    }
    return -1;
}

/* Returns the slot that has been ready for the longest time, or -1. */
static int oldest(const ace_trigger *t) {
    int found = -1;
    for (unsigned i = 0; t->prepared && i < t->slots; i++)
        if (ready(&t->slot[i]) && (found < 0 || t->slot[i].since - 1 < t->slot[found].since - 1))
            found = (int)i;
    return found;
}

bool ace_trigger_idle(const ace_trigger *t) {
    for (unsigned i = 0; t->prepared && i < t->slots; i++)
        if (t->slot[i].busy || ready(&t->slot[i])) return false;
    return !t->waits;
}

/* ---- outputs ---- */

static unsigned code(const ace_trigger *t, const ace_trigger_in *in) {
    if (!in->cfg_enable || in->s_slot >= t->slots) return ACE_CODE_BAD_TRIGGER;
    const ace_trigger_slot *s = &t->slot[in->s_slot];
    if (in->s_write_prepare) {
        const uint64_t row = in->s_flag / ACE_ROW_BYTES;
        if (!in->s_threshold || (in->s_chains && in->s_next >= t->slots))
            return ACE_CODE_BAD_TRIGGER;
        if (in->s_flags && (in->s_flag % 4 || row < in->cfg_flag_first || row > in->cfg_flag_last))
            return ACE_CODE_BAD_FLAG;
        return s->busy ? ACE_CODE_TRIGGER_BUSY : ACE_CODE_NONE;
    }
    if (in->s_write_arm) return s->known ? ACE_CODE_NONE : ACE_CODE_BAD_TRIGGER;
    return s->armed && s->count + in->s_stores <= UINT16_MAX ? ACE_CODE_NONE : ACE_CODE_BAD_TRIGGER;
}

static uint16_t tag_of(const ace_trigger *t, const ace_trigger_in *in, unsigned slot) {
    return (uint16_t)((in->cfg_tag & ~(t->slots - 1)) | slot);
}

static void eval_command(const ace_trigger *t, const ace_trigger_in *in, ace_trigger_out *o) {
    const ace_trigger_slot *s = &t->slot[t->fired];
    o->m_cmd_valid = t->cmd_valid;
    o->m_cmd_kind = s->kind;
    o->m_cmd_type = s->type;
    o->m_cmd_op = s->op;
    o->m_cmd_scale = s->scale;
    o->m_cmd_dim_count = s->dim_count;
    o->m_cmd_dims = s->dims;
    o->m_cmd_source = s->source;
    o->m_cmd_destination = s->destination;
    o->m_cmd_bytes = s->bytes;
    o->m_cmd_tag = tag_of(t, in, t->fired);
}

static void eval_flag(const ace_trigger *t, ace_trigger_out *o) {
    o->m_flag_aw_valid = t->aw_valid;
    o->m_flag_aw_addr = t->slot[t->at].flag;
    o->m_flag_aw_len = 0;
    o->m_flag_aw_size = 2; /* four bytes */
    o->m_flag_aw_burst = 1;
    o->m_flag_aw_prot = ACE_TRIGGER_PROT;
    o->m_flag_w_valid = t->w_valid;
    o->m_flag_w_data = t->slot[t->at].value;
    o->m_flag_w_strb = 0xf;
    o->m_flag_w_last = true;
    o->s_flag_b_ready = true;
}

/* Returns the slot chained to one that retires, if it can count a store; or NULL. */
static const ace_trigger_slot *chained(const ace_trigger *t, const ace_trigger_slot *s) {
    const ace_trigger_slot *next = &t->slot[s->next];
    return next->armed && next->count < UINT16_MAX ? next : NULL;
}

/* Returns whether the memory's response in this cycle belongs to the flag that was written. */
static bool answer(const ace_trigger *t, const ace_trigger_in *in) {
    return in->s_flag_b_valid && t->waits && !t->aw_valid && !t->w_valid;
}

void ace_trigger_eval(const ace_trigger *t, const ace_trigger_in *in, ace_trigger_out *o) {
    const int slot = next_of(t, retires, t->retired);
    o->m_code = (uint8_t)code(t, in);
    o->m_retire_valid = slot >= 0;
    o->m_retire_tag = o->m_retire_queues = o->m_retire_lost = 0;
    if (slot >= 0) {
        const ace_trigger_slot *s = &t->slot[slot];
        o->m_retire_tag = tag_of(t, in, (unsigned)slot);
        o->m_retire_queues = s->queues;
        o->m_retire_lost = s->chains && !s->lapsed && !chained(t, s);
    }
    const int fires = oldest(t);
    o->m_fires = in->s_room && !t->cmd_valid && slot < 0 && fires >= 0;
    o->m_fires_slot = fires < 0 ? 0 : (uint8_t)fires;
    eval_command(t, in, o);
    o->m_mine = in->cfg_enable && !((in->s_done_tag ^ in->cfg_tag) & ~(t->slots - 1) & 0xffff);
    eval_flag(t, o);
    o->m_slots_armed = o->m_slots_busy = o->m_ready = 0;
    for (unsigned i = 0; t->prepared && i < t->slots; i++) {
        o->m_slots_armed = (uint16_t)(o->m_slots_armed | t->slot[i].armed << i);
        o->m_slots_busy = (uint16_t)(o->m_slots_busy | t->slot[i].busy << i);
        o->m_ready = (uint16_t)(o->m_ready | ready(&t->slot[i]) << i);
    }
    o->m_busy = t->waits;
    o->m_lost = t->lost;
    o->m_write_error = answer(t, in) && t->live && in->s_flag_b_resp & 2;
    o->m_failed = t->failed;
    o->m_failed_resp = t->failed_resp;
    o->m_protocol = t->protocol;
    o->m_failed_addr = t->failed_addr;
    o->idle = ace_trigger_idle(t);
}

/* ---- the rising edge ---- */

static void tick_retire(ace_trigger *t, const ace_trigger_out *o) {
    const unsigned at = o->m_retire_tag & (t->slots - 1);
    ace_trigger_slot *s = &t->slot[at];
    if (s->chains && !s->lapsed && !o->m_retire_lost) t->slot[s->next].count++;
    s->busy = s->retires = false;
    t->retired = at;
}

static void tick_done(ace_trigger *t, const ace_trigger_in *in) {
    ace_trigger_slot *s = &t->slot[in->s_done_tag & (t->slots - 1)];
    if (!s->busy) return;
    const bool flag = s->flags && !in->s_failed;
    s->done |= flag;
    s->retires |= !flag;
    s->lapsed |= in->s_failed;
}

static void tick_fire(ace_trigger *t, unsigned at) {
    ace_trigger_slot *s = &t->slot[at];
    s->count = (uint16_t)(s->repeats ? s->count - s->threshold : 0);
    s->armed = s->repeats;
    s->busy = true;
    s->lapsed = false;
    t->cmd_valid = true;
    t->fired = at;
}

static void prepare(ace_trigger_slot *s, const ace_trigger_in *in) {
    *s = (ace_trigger_slot){ .source = in->s_source,
                             .destination = in->s_destination,
                             .bytes = in->s_bytes,
                             .flag = in->s_flag & ~(uint64_t)3,
                             .scale = in->s_scale,
                             .value = in->s_value,
                             .threshold = in->s_threshold,
                             .kind = in->s_kind,
                             .type = in->s_type,
                             .op = in->s_op,
                             .dim_count = in->s_dim_count,
                             .dims = in->s_dims,
                             .next = in->s_next % ACE_TRIGGER_SLOTS_MAX,
                             .chains = in->s_chains,
                             .repeats = in->s_repeats,
                             .flags = in->s_flags,
                             .queues = in->s_queues,
                             .known = true,
                             .armed = true };
}

static void tick_write(ace_trigger *t, const ace_trigger_in *in) {
    ace_trigger_slot *s = &t->slot[in->s_slot & (t->slots - 1)];
    if (in->s_prepare) {
        t->prepared += !s->known;
        prepare(s, in);
    }
    if (in->s_arm) {
        s->armed = in->s_armed;
        s->count = 0;
    }
    if (in->s_store) s->count = (uint16_t)(s->count + in->s_stores);
}

/* The memory's pins, and the slot whose flag is at the memory. */
static void tick_memory(ace_trigger *t, const ace_trigger_in *in) {
    const bool is_answer = answer(t, in);
    const bool odd = in->s_flag_b_valid && in->s_run && !t->lost &&
                     (!is_answer || in->s_flag_b_resp == ACE_EXOKAY);
    const bool moves =
        (t->aw_valid && in->m_flag_aw_ready) || (t->w_valid && in->m_flag_w_ready) || is_answer;
    const bool gives_up =
        t->drain_limit && !in->s_run && t->waits && !moves && t->quiet == t->drain_limit - 1;
    const int next = in->s_run && !t->waits && !t->lost ? next_of(t, wants_flag, t->at) : -1;
    ace_trigger_slot *s = &t->slot[t->at];
    if (!t->failed && !t->protocol) t->failed_addr = is_answer ? s->flag : 0;
    if (!t->failed) t->failed_resp = in->s_flag_b_resp;
    if (is_answer && t->live && in->s_run) {
        s->value++;
        s->retires = true;
        s->lapsed |= in->s_flag_b_resp != ACE_OKAY;
        t->failed |= (in->s_flag_b_resp & 2) != 0;
    }
    t->protocol |= odd;
    t->quiet = in->s_run || moves || !t->waits ? 0 : t->quiet + 1;
    t->aw_valid = t->aw_valid && !in->m_flag_aw_ready && !gives_up;
    t->w_valid = t->w_valid && !in->m_flag_w_ready && !gives_up;
    t->waits = t->waits && !is_answer && !gives_up;
    t->lost |= gives_up;
    if (next < 0) return;
    t->at = (uint32_t)next;
    t->slot[next].done = false;
    t->aw_valid = t->w_valid = t->waits = t->live = true;
}

void ace_trigger_tick(ace_trigger *t, const ace_trigger_in *in) {
    ace_trigger_out o;
    ace_trigger_eval(t, in, &o);
    const int fires = o.m_fires ? oldest(t) : -1;
    for (unsigned i = 0; t->prepared && i < t->slots; i++) {
        ace_trigger_slot *s = &t->slot[i];
        s->since = !ready(s) ? 0 : s->since ? s->since : ++t->became_ready;
    }
    if (o.m_retire_valid && in->s_retire_ready) tick_retire(t, &o);
    tick_memory(t, in);
    if (in->s_done_valid && o.m_mine) tick_done(t, in);
    t->cmd_valid = t->cmd_valid && !in->s_cmd_ready;
    if (fires >= 0) tick_fire(t, (unsigned)fires);
    tick_write(t, in);
    if (!in->s_run && (t->prepared || t->failed || t->protocol || t->live)) clear(t);
}

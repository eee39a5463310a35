/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fsm_context.c -- the twin of rtl/ace_fsm_context.v: two threads over one chunk
 *
 * The send thread and the receive thread each have the piece in hand and the next one. A thread's
 * next instruction is worked out while the present piece moves (ace_thread_next). Beginning a
 * piece sets its rows, its offset and its need of a grant.
 */
#include "ace_fsm_context.h"

void ace_fsm_context_reset(ace_fsm_context *c) {
    c->valid = c->clear = c->exchange = false;
    c->send.live = c->receive.live = false;
    c->send.next = c->receive.next = false;
    memset(c->granted, 0, sizeof c->granted);
}

/* As registers of 12 bits hold it. */
static uint16_t rows_of(unsigned shards, unsigned rows) { return shards * rows & 0xfff; }

void ace_fsm_context_s_admit(ace_fsm_context *c, const ace_admission *a) {
    c->valid = true;
    c->kind = a->kind;
    c->dim = a->dim;
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
    c->exchange = false;
    c->copied = a->shard;
    c->own = rows_of(a->rank, a->shard);
    c->send = c->receive = (ace_fsm_thread){ .begins = true };
}

void ace_fsm_context_s_entry_up(ace_fsm_context *c, uint32_t entry, bool odd) {
    c->up = !odd || ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY);
    c->link = (uint8_t)ace_fsm_context_ahead(c);
}

void ace_fsm_context_find_links(ace_fsm_context *c, uint32_t entry, const uint32_t *program,
                                bool ring) {
    c->two_links = false;
    for (unsigned pc = ACE_PROGRAM_GET(entry, ENTRY_SEND);
         ring && pc < ACE_PROGRAM_WORDS && ACE_PROGRAM_GET(program[pc], OP) != ACE_OP_END; pc++)
        c->two_links |= ace_fsm_context_exchanges(program[pc], ring);
}

void ace_fsm_context_s_entry(ace_fsm_context *c, uint32_t entry) {
    c->copies = ACE_PROGRAM_GET(entry, ENTRY_COPY);
    c->send.behind.pc = ACE_PROGRAM_GET(entry, ENTRY_SEND);
    c->receive.behind.pc = ACE_PROGRAM_GET(entry, ENTRY_RECEIVE);
}

void ace_fsm_context_s_thread(ace_fsm_context *c, ace_fsm_thread *t, const uint32_t *program) {
    if (t->begins)
        ace_thread_begin(&t->behind, program, t->behind.pc, c->ring, c->rank, c->up);
    else
        ace_thread_next(&t->behind, program, c->ring, c->rank, c->up);
    t->begins = false;
    if (t == &c->send && t->behind.peer == c->rank)
        t->behind.peer = ace_switch_peer(c->type, c->op);
}

/* The piece behind is the one under way; false when it is not there. */
static bool thread_begins(ace_fsm_thread *t) {
    t->live = t->next;
    t->next = false;
    if (t->live) t->now = t->behind;
    return t->live;
}

static bool requests_grant(const ace_thread *t) {
    const unsigned grant = ACE_PROGRAM_GET(t->word, GRANT);
    return grant == ACE_GRANT_EACH || (grant == ACE_GRANT_FIRST && t->first);
}

bool ace_fsm_context_begin_send(ace_fsm_context *c, bool ring) {
    c->send_row = 0;
    if (!thread_begins(&c->send)) return false;
    const ace_thread *t = &c->send.now;
    c->link = (uint8_t)(2 * c->dim + ace_fsm_context_goes_down(c, t, ring));
    const unsigned wait = ACE_PROGRAM_GET(t->word, WAIT);
    c->send_rows = rows_of(t->shards, c->shard);
    c->send_offset = rows_of(t->shard, c->shard);
    c->needs = requests_grant(t);
    c->hold = wait != ACE_WAIT_ROWS;
    if (wait == ACE_WAIT_STEP || (wait == ACE_WAIT_BEGIN && t->first))
        c->base = c->sent;
    else if (wait != ACE_WAIT_BEGIN)
        c->base = 0;
    c->bias = (int16_t)(ACE_PROGRAM_SIGNED(t->word, BIAS) * c->send_rows);
    return true;
}

bool ace_fsm_context_begin_receive(ace_fsm_context *c, bool ring) {
    c->exchange = false;
    if (!thread_begins(&c->receive)) return false;
    const ace_thread *t = &c->receive.now;
    c->exchange = ace_fsm_context_exchanges(t->word, ring);
    c->down = ace_fsm_context_goes_down(c, t, ring);
    c->fresh = 2;
    c->stalls = c->few = true;
    c->receive_rows = rows_of(t->shards, c->shard);
    c->receive_offset = rows_of(t->shard, c->shard);
    c->receive_row = 0;
    c->into = ACE_PROGRAM_GET(t->word, TARGET) || (ACE_PROGRAM_GET(t->word, LAST) && t->last);
    c->grant = requests_grant(t);
    return true;
}

void ace_fsm_context_exchange(ace_fsm_context *c) {
    const int lag = (int16_t)(c->received - c->was_sent);
    if (c->fresh == 2) {
        c->fresh = 1;
        return;
    }
    c->fresh = c->fresh && c->was_open;
    c->stalls = c->fresh || lag >= 0 || (lag > -3 && c->was_held);
    c->few = lag >= -3;
}

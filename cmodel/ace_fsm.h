/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fsm.h -- the C twin of rtl/ace_fsm.v: runs one phase for a few chunks at a time
 *
 * See the RTL for the contract.  The node asks an FSM only when something about it has
 * changed (ace_fsm_request), so its state is kept as the registers of the RTL and one
 * derived set, `ready`: contexts with a row to send but for room at the link.
 */
#ifndef ACE_FSM_H
#define ACE_FSM_H

#include "ace_ports.h"

enum { ACE_CONTEXTS_MAX = 4 };

/* The s_admit_* pins. */
typedef struct ace_admission {
    uint8_t phase, index, kind, dim, ring, send_shard, receive_shard, type, mark;
    uint16_t shard, valids, half, send_offset, receive_offset, own_offset, source_row, target_row;
} ace_admission;

typedef struct ace_context {
    bool valid, plus;
    uint8_t kind, dim, last, type, mark, send_shard, receive_shard;
    uint8_t granted; /* a bit a dimension */
    uint8_t grant_mark[ACE_DIMENSIONS];
    uint16_t shard, valids, half, source, target, total;
    uint16_t sent, send_row, send_offset;
    uint16_t received, written, receive_row, receive_offset;
    uint16_t copy, copied, own;
} ace_context;

/* Rows of a partition in its bank. */
typedef struct ace_extent {
    uint16_t end, rows;
} ace_extent;

typedef struct ace_fsm {
    unsigned contexts, shift,
        place; /* contexts held; log2 of FSMs of the phase; place among them */
    ace_extent source_part, target_part;
    uint8_t oldest;
    uint8_t ready;      /* contexts that can send, given room */
    uint8_t copies;     /* contexts with rows to copy */
    bool mismatch_next; /* a grant names another chunk than ours */
    ace_context context[ACE_CONTEXTS_MAX];
} ace_fsm;

/* What the FSM asks the send pipes for. */
typedef struct ace_send {
    uint8_t context, link, mark;
    uint8_t index; /* context index in the phase */
    bool zero, reduce;
    uint16_t row;
} ace_send;

void ace_fsm_reset(ace_fsm *f);
void ace_fsm_admit(ace_fsm *f, const ace_admission *a);
void ace_fsm_release(ace_fsm *f, unsigned index);
void ace_fsm_grant(ace_fsm *f, unsigned index, unsigned link, uint8_t mark);
/* The oldest context that can send; false when none can. room: a bit a link. */
bool ace_fsm_request(const ace_fsm *f, unsigned room, ace_send *to);
void ace_fsm_send_take(ace_fsm *f, unsigned context);
/* The oldest context with a row to copy; only while `copies`. */
unsigned ace_fsm_copy(const ace_fsm *f, uint16_t *source, uint16_t *target);
void ace_fsm_copy_take(ace_fsm *f, unsigned context);
/* Places of the next received row of a context, and its taking. */
void ace_fsm_reduce_take(ace_fsm *f, unsigned index, uint16_t *source, bool *zero,
                         uint16_t *target);
void ace_fsm_store_take(ace_fsm *f, unsigned index, uint16_t *target);
void ace_fsm_written(ace_fsm *f, unsigned index);
void ace_fsm_copied(ace_fsm *f, unsigned index);

static inline bool ace_fsm_done(const ace_fsm *f, unsigned index) {
    const ace_context *c = &f->context[(index >> f->shift) & (f->contexts - 1)];
    return c->valid && c->sent == c->total && c->written == c->total && c->copied == c->shard;
}

#endif

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

#ifdef __cplusplus
extern "C" {
#endif

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
static inline void ace_fsm_state(ace_fsm *f, ace_state *s) { ACE_STATE(s, *f); }
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

/* ---- the pin form: what tests drive ---- */

#define ACE_FSM_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)             \
    WORD(uint16_t, cfg_source_end, 12)                                   \
    WORD(uint16_t, cfg_source_rows, 12)                                  \
    WORD(uint16_t, cfg_target_end, 12)                                   \
    WORD(uint16_t, cfg_target_rows, 12)                                  \
    BIT(s_admit_valid)                                                   \
    BIT(s_release_valid)                                                 \
    FIELD(uint8_t, s_context_phase, 2, s_admit_valid || s_release_valid) \
    FIELD(uint8_t, s_context_index, 6, s_admit_valid || s_release_valid) \
    FIELD(uint8_t, s_admit_kind, 2, s_admit_valid)                       \
    FIELD(uint8_t, s_admit_dim, 2, s_admit_valid)                        \
    FIELD(uint8_t, s_admit_ring, 8, s_admit_valid)                       \
    FIELD(uint16_t, s_admit_shard, 11, s_admit_valid)                    \
    FIELD(uint16_t, s_admit_valids, 11, s_admit_valid)                   \
    FIELD(uint16_t, s_admit_half, 12, s_admit_valid)                     \
    FIELD(uint8_t, s_admit_send_shard, 8, s_admit_valid)                 \
    FIELD(uint16_t, s_admit_send_offset, 12, s_admit_valid)              \
    FIELD(uint8_t, s_admit_receive_shard, 8, s_admit_valid)              \
    FIELD(uint16_t, s_admit_receive_offset, 12, s_admit_valid)           \
    FIELD(uint16_t, s_admit_own_offset, 12, s_admit_valid)               \
    FIELD(uint16_t, s_admit_source_row, 12, s_admit_valid)               \
    FIELD(uint16_t, s_admit_target_row, 12, s_admit_valid)               \
    FIELD(uint8_t, s_admit_type, 2, s_admit_valid)                       \
    FIELD(uint8_t, s_admit_mark, 8, s_admit_valid)                       \
    WORD(uint8_t, s_grant_valid, 6)                                      \
    LANES(uint8_t, s_grant_context, 8, ACE_LINKS, s_grant_valid)         \
    LANES(uint8_t, s_grant_mark, 8, ACE_LINKS, s_grant_valid)            \
    WORD(uint8_t, s_link_room, 6)                                        \
    BIT(s_send_take)                                                     \
    BIT(s_copy_take)                                                     \
    FIELD(uint8_t, s_reduce_index, 6, s_reduce_take)                     \
    BIT(s_reduce_take)                                                   \
    FIELD(uint8_t, s_store_index, 6, s_store_take)                       \
    BIT(s_store_take)                                                    \
    BIT(s_reduced_valid)                                                 \
    FIELD(bool, s_reduced_copy, 1, s_reduced_valid)                      \
    FIELD(uint8_t, s_reduced_index, 6, s_reduced_valid)                  \
    BIT(s_stored_valid)                                                  \
    FIELD(uint8_t, s_stored_index, 6, s_stored_valid)

#define ACE_FSM_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_send_valid)                                         \
    FIELD(uint8_t, m_send_link, 3, m_send_valid)              \
    FIELD(uint8_t, m_send_index, 6, m_send_valid)             \
    FIELD(uint16_t, m_send_row, 12, m_send_valid)             \
    FIELD(bool, m_send_zero, 1, m_send_valid)                 \
    FIELD(bool, m_send_reduce, 1, m_send_valid)               \
    FIELD(uint8_t, m_send_mark, 8, m_send_valid)              \
    BIT(m_copy_valid)                                         \
    FIELD(uint8_t, m_copy_index, 6, m_copy_valid)             \
    FIELD(uint16_t, m_copy_source, 12, m_copy_valid)          \
    FIELD(uint16_t, m_copy_target, 12, m_copy_valid)          \
    FIELD(uint16_t, m_reduce_source, 12, s_reduce_take)       \
    FIELD(bool, m_reduce_zero, 1, s_reduce_take)              \
    FIELD(uint16_t, m_reduce_target, 12, s_reduce_take)       \
    FIELD(uint8_t, m_reduce_type, 2, s_reduce_take)           \
    FIELD(uint16_t, m_store_target, 12, s_store_take)         \
    WORD(uint8_t, m_context_done, 4)                          \
    BIT(m_mismatch)

typedef struct ace_fsm_pins_in {
    ACE_PORTS(ACE_FSM_INPUTS)
} ace_fsm_pins_in;
typedef struct ace_fsm_pins_out {
    ACE_PORTS(ACE_FSM_OUTPUTS)
} ace_fsm_pins_out;

/* Beside the calls: which phase it is bound to (callers of the calls know), and the sticky
 * m_mismatch, which a node keeps once for all its FSMs. */
typedef struct ace_fsm_pins {
    ace_fsm fsm;
    unsigned phase;
    bool mismatch;
} ace_fsm_pins;

/* The RTL parameters PHASE, INDEX, FSMS, CONTEXTS.  ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int ace_fsm_pins_create(unsigned phase, unsigned place, unsigned fsms, unsigned contexts,
                        ace_fsm_pins **pins);
void ace_fsm_pins_destroy(ace_fsm_pins *p); /* NULL is allowed */
void ace_fsm_pins_reset(ace_fsm_pins *p);
/* Requests answer s_link_room and lookups their index, in the same cycle. */
void ace_fsm_pins_eval(const ace_fsm_pins *p, const ace_fsm_pins_in *in, ace_fsm_pins_out *out);
void ace_fsm_pins_tick(ace_fsm_pins *p, const ace_fsm_pins_in *in);
/* Without input, ticks change nothing. */
bool ace_fsm_pins_idle(const ace_fsm_pins *p);
void ace_fsm_pins_skip(ace_fsm_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif

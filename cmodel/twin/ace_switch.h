/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_switch.h -- the C twin of rtl/ace_switch.v: who uses banks, ALUs and links
 *
 * See the RTL for the contract.  Requests arrive as sets of bits; the pipes carry only
 * what is still to be reported, since rows are written when they are taken.
 */
#ifndef ACE_SWITCH_H
#define ACE_SWITCH_H

#include "ace_cycle_classes.h"
#include "ace_fsm.h"
#include "ace_scratchpad_banks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row on its way through a receive pipe. */
typedef struct ace_pipe_stage {
    bool valid, copy;
    uint8_t context;
} ace_pipe_stage;

enum {
    ACE_DONE_STAGE = ACE_READ_CYCLES + 6, /* in which a reduced row is given to the scratchpad */
    ACE_PIPE_STAGES = ACE_DONE_STAGE + 1,
    ACE_STORE_STAGE = 1, /* in which a stored row is given to the scratchpad */
    ACE_PIPE_SLOTS = 16, /* of the ring that holds them */
    ACE_SWITCH_HEADS = 8 /* a word */
};

typedef struct ace_switch {
    unsigned dimensions, fsms, per_phase;
    ace_pipe_stage reduce[ACE_PIPE_SLOTS], store[ACE_PIPE_SLOTS]; /* ring, `at` is stage 1 */
    unsigned at;
    uint8_t reduce_turn, store_turn, plus_turn, minus_turn;
    ace_cycle_classes count_reduce, count_store, count_send[2];
} ace_switch;

/* What the switch sees of the rest in a cycle. */
typedef struct ace_switch_in {
    uint8_t head_valid, head_reduce; /* a bit a link */
    uint8_t head_context[ACE_SWITCH_HEADS];
    /* a bit an FSM: asks to send, and no other of its phase goes before it; for those that
     * ask: to a minus link, from a bank */
    uint32_t want, want_minus, want_bank[ACE_BANKS];
    uint32_t copy_valid;
    bool load_valid, unload_valid;
    uint8_t load_bank, unload_bank;
} ace_switch_in;

/* What it grants; -1 for nobody. */
typedef struct ace_switch_out {
    int reduce_link, copy_fsm, store_link, send_fsm[2];
    bool load_grant, unload_grant;
    ace_pipe_stage reduced, stored; /* reported written this cycle */
} ace_switch_out;

void ace_switch_init(ace_switch *s, unsigned dimensions, unsigned fsms);
void ace_switch_state(ace_switch *s, ace_state *state);

/* FSM that runs a context. */
static inline unsigned ace_switch_fsm(const ace_switch *s, unsigned context) {
    return ace_context_phase((uint8_t)context) * s->per_phase + (context & (s->per_phase - 1));
}

/* How old the chunk of a context is, among those of its phase: less is older. */
static inline unsigned ace_switch_age(unsigned index, unsigned oldest) {
    return (index - oldest) % 32;
}

/* The context of a link's head; anything for link -1, so that no branch is needed where none
 * could be guessed. */
static inline uint8_t ace_switch_head(const ace_switch_in *in, int link) {
    return in->head_context[(unsigned)link % ACE_SWITCH_HEADS];
}

/* Links whose head goes to another bank than `context`, found in all bytes at once. */
static inline unsigned ace_switch_elsewhere(const ace_switch_in *in, unsigned context) {
    const uint64_t each = 0x0101010101010101u; /* a byte a link */
    uint64_t heads;
    memcpy(&heads, in->head_context, sizeof heads);
    const uint64_t differ = (heads ^ context * each) & (ACE_BANKS - 1) * each;
    const uint64_t truths = (differ + 127 * each) >> 7 & each;
    return (unsigned)(truths * 0x0102040810204080u >> 56);
}

/* Copy requests name their context's index through copy_context. */
static inline void ace_switch_decide(const ace_switch *s, const ace_switch_in *in,
                                     uint8_t copy_context, ace_switch_out *out) {
    const unsigned last = (s->at + ACE_PIPE_STAGES - 1) % ACE_PIPE_SLOTS;
    const ace_pipe_stage *before = &s->reduce[(s->at + ACE_DONE_STAGE - 2) % ACE_PIPE_SLOTS];
    const ace_pipe_stage *done = &s->reduce[(s->at + ACE_DONE_STAGE - 1) % ACE_PIPE_SLOTS];
    const ace_pipe_stage *s1 = &s->store[s->at];
    out->reduced = s->reduce[last];
    out->stored = s->store[last];

    const unsigned want_reduce = in->head_valid & in->head_reduce;
    const bool reads = want_reduce || in->copy_valid;
    out->reduce_link = ace_first(want_reduce, s->reduce_turn);
    out->copy_fsm = want_reduce || !in->copy_valid ? -1 : __builtin_ctz(in->copy_valid);
    const uint8_t head = ace_switch_head(in, out->reduce_link);
    const unsigned read_bank = (want_reduce ? head : copy_context) % ACE_BANKS;
    const unsigned taken = in->want_bank[read_bank] & (0u - reads); /* FSM requests */

    unsigned want_store = in->head_valid & ~(unsigned)in->head_reduce;
    want_store &= ace_switch_elsewhere(in, before->context) | (before->valid - 1u);
    out->store_link = ace_first(want_store, s->store_turn);

    const unsigned want = in->want & ~taken;
    out->send_fsm[0] = ace_first(want & ~(unsigned)in->want_minus, s->plus_turn);
    unsigned plus_bank = 0; /* what cannot read beside the + pipe: nothing, as a rule */
    for (unsigned b = 0; b < ACE_BANKS; b++)
        plus_bank |= in->want_bank[b] & (0u - (in->want_bank[b] >> (out->send_fsm[0] & 31) & 1u));
    plus_bank &= 0u - (unsigned)(out->send_fsm[0] >= 0);
    out->send_fsm[1] = ace_first(want & in->want_minus & ~plus_bank, s->minus_turn);
    const unsigned sends = (unsigned)(out->send_fsm[0] >= 0) << (out->send_fsm[0] & 31) |
                           (unsigned)(out->send_fsm[1] >= 0) << (out->send_fsm[1] & 31);

    out->unload_grant = in->unload_valid & !(reads & (read_bank == in->unload_bank)) &
                        !(sends & in->want_bank[in->unload_bank]);
    out->load_grant = in->load_valid &
                      !(done->valid & (done->context % ACE_BANKS == in->load_bank)) &
                      !(s1->valid & (s1->context % ACE_BANKS == in->load_bank));
}

/* The turn after a grant.  ace_first begins anew past the last that can ask. */
static inline void ace_switch_next(uint8_t *turn, int granted) {
    const unsigned keep = 0u - (granted < 0);
    *turn = (uint8_t)((*turn & keep) | (unsigned)(granted + 1));
}

/* Rising edge. */
static inline void ace_switch_tick(ace_switch *s, const ace_switch_in *in,
                                   const ace_switch_out *out, uint8_t copy_context) {
    const bool reduce = out->reduce_link >= 0, copy = out->copy_fsm >= 0,
               store = out->store_link >= 0, plus = out->send_fsm[0] >= 0,
               minus = out->send_fsm[1] >= 0;
    ace_cycle_classes_tick(&s->count_reduce, reduce || copy, false, false);
    ace_cycle_classes_tick(&s->count_store, store, (in->head_valid & ~in->head_reduce) != 0, false);
    ace_cycle_classes_tick(&s->count_send[0], plus, (in->want & ~in->want_minus) != 0, false);
    ace_cycle_classes_tick(&s->count_send[1], minus, (in->want & in->want_minus) != 0, false);

    s->at = (s->at + ACE_PIPE_SLOTS - 1) % ACE_PIPE_SLOTS;
    ace_pipe_stage *r = &s->reduce[s->at], *w = &s->store[s->at];
    r->valid = reduce | copy;
    r->copy = copy;
    const uint8_t head = ace_switch_head(in, out->reduce_link);
    r->context = reduce ? head : copy_context;
    w->valid = store;
    w->context = ace_switch_head(in, out->store_link);
    ace_switch_next(&s->reduce_turn, out->reduce_link);
    ace_switch_next(&s->store_turn, out->store_link);
    ace_switch_next(&s->plus_turn, out->send_fsm[0]);
    ace_switch_next(&s->minus_turn, out->send_fsm[1]);
}
/* Nothing in the pipes. */
bool ace_switch_idle(const ace_switch *s);
void ace_switch_skip(ace_switch *s, uint64_t cycles);

/* ---- the pin form: what tests drive ---- */

enum { ACE_SWITCH_FSMS = 4 * ACE_PHASES }; /* most lanes an FSM pin has */

#define ACE_SWITCH_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)          \
    WORD(uint8_t, s_head_valid, ACE_LINKS)                               \
    LANES(uint8_t, s_head_context, 8, ACE_LINKS, s_head_valid)           \
    WORD(uint8_t, s_head_reduce, ACE_LINKS)                              \
    LANES(uint8_t, s_head_mark, 8, ACE_LINKS, s_head_valid)              \
    WORD(uint32_t, s_send_valid, ACE_SWITCH_FSMS)                        \
    LANES(uint8_t, s_send_link, 3, ACE_SWITCH_FSMS, s_send_valid)        \
    LANES(uint8_t, s_send_index, 5, ACE_SWITCH_FSMS, s_send_valid)       \
    LANES(uint16_t, s_send_row, 12, ACE_SWITCH_FSMS, s_send_valid)       \
    WORD(uint32_t, s_send_zero, ACE_SWITCH_FSMS)                         \
    WORD(uint32_t, s_send_reduce, ACE_SWITCH_FSMS)                       \
    LANES(uint8_t, s_send_mark, 8, ACE_SWITCH_FSMS, s_send_valid)        \
    LANES(uint8_t, s_send_peer, 8, ACE_SWITCH_FSMS, s_send_valid)        \
    LANES(uint8_t, s_send_begun, 2, ACE_SWITCH_FSMS, ACE_EVERY_LANE)     \
    LANES(uint8_t, s_oldest, 5, ACE_PHASES, ACE_EVERY_LANE)              \
    WORD(uint32_t, s_copy_valid, ACE_SWITCH_FSMS)                        \
    LANES(uint8_t, s_copy_index, 5, ACE_SWITCH_FSMS, s_copy_valid)       \
    LANES(uint16_t, s_copy_source, 12, ACE_SWITCH_FSMS, s_copy_valid)    \
    LANES(uint16_t, s_copy_target, 12, ACE_SWITCH_FSMS, s_copy_valid)    \
    LANES(uint16_t, s_reduce_source, 12, ACE_SWITCH_FSMS, m_reduce_take) \
    WORD(uint32_t, s_reduce_zero, ACE_SWITCH_FSMS)                       \
    LANES(uint16_t, s_reduce_target, 12, ACE_SWITCH_FSMS, m_reduce_take) \
    LANES(uint8_t, s_reduce_type, 3, ACE_SWITCH_FSMS, m_reduce_take)     \
    LANES(uint8_t, s_reduce_op, 3, ACE_SWITCH_FSMS, m_reduce_take)       \
    LANES(uint64_t, s_reduce_scale, 37, ACE_SWITCH_FSMS, m_reduce_take)  \
    LANES(uint16_t, s_store_target, 12, ACE_SWITCH_FSMS, m_store_take)   \
    BIT(s_load_valid)                                                    \
    FIELD(uint8_t, s_load_bank, 2, s_load_valid)                         \
    BIT(s_unload_valid)                                                  \
    FIELD(uint8_t, s_unload_bank, 2, s_unload_valid)

#define ACE_SWITCH_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)           \
    WORD(uint8_t, m_head_pop, ACE_LINKS)                                   \
    WORD(uint32_t, m_send_take, ACE_SWITCH_FSMS)                           \
    WORD(uint32_t, m_copy_take, ACE_SWITCH_FSMS)                           \
    FIELD(uint8_t, m_reduce_index, 5, m_reduce_take != 0)                  \
    FIELD(uint8_t, m_reduce_mark, 8, m_reduce_take != 0)                   \
    WORD(uint32_t, m_reduce_take, ACE_SWITCH_FSMS)                         \
    FIELD(uint8_t, m_store_index, 5, m_store_take != 0)                    \
    FIELD(uint8_t, m_store_mark, 8, m_store_take != 0)                     \
    WORD(uint32_t, m_store_take, ACE_SWITCH_FSMS)                          \
    WORD(uint32_t, m_reduced_valid, ACE_SWITCH_FSMS)                       \
    FIELD(bool, m_reduced_copy, 1, m_reduced_valid != 0)                   \
    FIELD(uint8_t, m_reduced_index, 5, m_reduced_valid != 0)               \
    WORD(uint32_t, m_stored_valid, ACE_SWITCH_FSMS)                        \
    FIELD(uint8_t, m_stored_index, 5, m_stored_valid != 0)                 \
    BIT(m_load_grant)                                                      \
    BIT(m_unload_grant)                                                    \
    BIT(m_read_reduce_valid)                                               \
    FIELD(uint8_t, m_read_reduce_bank, 2, m_read_reduce_valid)             \
    FIELD(uint16_t, m_read_reduce_row, 12, m_read_reduce_valid)            \
    WORD(uint8_t, m_read_send_valid, 2)                                    \
    LANES(uint8_t, m_read_send_bank, 2, 2, m_read_send_valid)              \
    LANES(uint16_t, m_read_send_row, 12, 2, m_read_send_valid)             \
    BIT(m_arrived_valid)                                                   \
    FIELD(uint8_t, m_arrived_link, 3, m_arrived_valid)                     \
    BIT(m_alu_valid)                                                       \
    FIELD(bool, m_alu_copy, 1, m_alu_valid)                                \
    FIELD(bool, m_alu_zero, 1, m_alu_valid)                                \
    FIELD(uint8_t, m_alu_type, 3, m_alu_valid && !m_alu_copy)              \
    FIELD(uint8_t, m_alu_op, 3, m_alu_valid && !m_alu_copy)                \
    FIELD(uint64_t, m_alu_scale, 37, m_alu_valid && !m_alu_copy)           \
    BIT(m_write_reduce_valid)                                              \
    FIELD(uint8_t, m_write_reduce_bank, 2, m_write_reduce_valid)           \
    FIELD(uint16_t, m_write_reduce_row, 12, m_write_reduce_valid)          \
    BIT(m_write_store_valid)                                               \
    FIELD(uint8_t, m_write_store_link, 3, m_write_store_valid)             \
    FIELD(uint8_t, m_write_store_bank, 2, m_write_store_valid)             \
    FIELD(uint16_t, m_write_store_row, 12, m_write_store_valid)            \
    WORD(uint8_t, m_reserve, ACE_LINKS)                                    \
    WORD(uint8_t, m_out_valid, 2)                                          \
    LANES(uint8_t, m_out_link, 3, 2, m_out_valid)                          \
    LANES(uint8_t, m_out_context, 8, 2, m_out_valid)                       \
    LANES(bool, m_out_reduce, 1, 2, m_out_valid)                           \
    LANES(bool, m_out_zero, 1, 2, m_out_valid)                             \
    LANES(uint8_t, m_out_mark, 8, 2, m_out_valid)                          \
    LANES(uint8_t, m_out_peer, 8, 2, m_out_valid)                          \
    LANES(uint64_t, count_reduce, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)     \
    LANES(uint64_t, count_store, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)      \
    LANES(uint64_t, count_send_plus, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)  \
    LANES(uint64_t, count_send_minus, 48, ACE_COUNT_LANES, ACE_EVERY_LANE) \
    BIT(idle)

typedef struct ace_switch_pins_in {
    ACE_PORTS(ACE_SWITCH_INPUTS)
} ace_switch_pins_in;
typedef struct ace_switch_pins_out {
    ACE_PORTS(ACE_SWITCH_OUTPUTS)
} ace_switch_pins_out;

/* A row a send pipe has read. */
typedef struct ace_switch_packet {
    bool valid;
    uint8_t context;
    ace_send send;
} ace_switch_packet;

/* Beside the calls: what the pipes carry to the ALUs, to the scratchpad and to the links.
 * A node that writes a row when it is taken has no use for it; the pins name the row when
 * the RTL writes it. */
typedef struct ace_switch_pins {
    ace_switch switch_;
    uint16_t reduce_row[ACE_PIPE_SLOTS]; /* where a row goes; places as in switch_.reduce */
    struct ace_switch_operation {        /* likewise, what the ALUs do to it */
        bool zero;
        uint8_t type, op;
        uint64_t scale;
    } operation[ACE_PIPE_SLOTS];
    uint16_t store_row; /* of stage 1 of the store pipe */
    uint8_t store_link, arrived_link;
    ace_switch_packet packet[ACE_READ_CYCLES][2]; /* from the last cycle on */
} ace_switch_pins;

/* The RTL parameters DIMENSIONS, 3 or 4, and FSMS, 1, 2 or 4 a phase.  ACE_OK, ACE_EINVAL or
 * ACE_ENOMEM. */
int ace_switch_pins_create(unsigned dimensions, unsigned fsms, ace_switch_pins **pins);
void ace_switch_pins_destroy(ace_switch_pins *p); /* NULL is allowed */
void ace_switch_pins_reset(ace_switch_pins *p);
/* Grants answer the requests of the same cycle. */
void ace_switch_pins_eval(const ace_switch_pins *p, const ace_switch_pins_in *in,
                          ace_switch_pins_out *out);
void ace_switch_pins_tick(ace_switch_pins *p, const ace_switch_pins_in *in);
bool ace_switch_pins_idle(const ace_switch_pins *p);
void ace_switch_pins_skip(ace_switch_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif

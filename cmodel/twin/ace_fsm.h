/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fsm.h -- the C twin of rtl/ace_fsm.v: runs a phase's program for a few chunks at a time
 *
 * The RTL's head has the contract.  For speed the node evaluates an FSM only when its state has
 * changed (ace_fsm_request).  The state is therefore the RTL's registers, plus derived sets of
 * contexts that the calls keep up to date.
 *
 * The bits of the sets `ready` and `begun` number the contexts of the whole phase, separately for
 * even and odd chunks (ace_fsm_bit).  The sets of several FSMs can thus simply be ORed.
 */
#ifndef ACE_FSM_H
#define ACE_FSM_H

#include "ace_alu.h"
#include "ace_fsm_context.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_CONTEXTS_MAX = 8 };

/* The use of a fetched word of the program. */
typedef enum ace_fetch { ACE_FETCH_ENTRY, ACE_FETCH_RECEIVE, ACE_FETCH_SEND } ace_fetch;

enum {
    ACE_SEGMENT_STAGES = 6, /* pipeline from a word's grant; its piece is ready a cycle after */
    ACE_FETCHES = 3
};

typedef struct ace_fsm {
    unsigned contexts; /* number of contexts of this FSM */
    unsigned shift;    /* log2 of the FSMs of the phase */
    unsigned index;    /* of this FSM in the phase */
    ace_extent source_part, target_part;
    const uint32_t *program;          /* owned by the creator of the FSM */
    ace_fsm_peers peers;              /* on dimensions with a hub */
    uint8_t oldest;                   /* context to be reused next */
    uint16_t ready;                   /* contexts that can send, given room */
    uint16_t begun;                   /* contexts in the middle of a piece */
    uint8_t copies;                   /* contexts with rows to copy */
    uint8_t granting;                 /* contexts that grant */
    uint8_t turning;                  /* stalled: contexts without a piece to receive yet */
    uint8_t closing;                  /* last row due: contexts that stall after their next row */
    uint8_t ending;                   /* contexts with nothing left to send or to receive */
    uint8_t exchanging;               /* contexts that receive in an exchange */
    bool alone;                       /* one chunk in the engine; rows wait for its context */
    uint8_t wants[ACE_FETCHES];       /* contexts that want a word of the program */
    uint8_t jobs[ACE_SEGMENT_STAGES]; /* in the stages: context * 4 + ace_fetch, or ACE_NO_JOB */
    uint8_t working;                  /* stages that have a job, a bit each */
    ace_fsm_context context[ACE_CONTEXTS_MAX];
} ace_fsm;

/* The FSM's request to the send pipes. */
typedef struct ace_send {
    uint8_t context, link, mark, peer;
    uint8_t index; /* context index in the phase */
    bool zero, reduce;
} ace_send;

/* A grant: this node is ready to receive from the peer. */
typedef struct ace_leaving_grant {
    uint8_t link, index, peer, mark;
} ace_leaving_grant;

void ace_fsm_reset(ace_fsm *f);
void ace_fsm_state(ace_fsm *f, ace_state *s);
void ace_fsm_admit(ace_fsm *f, const ace_admission *a);
void ace_fsm_release(ace_fsm *f, unsigned index);
void ace_fsm_grant(ace_fsm *f, unsigned index, unsigned link, uint8_t peer);
/* The oldest context that grants, with its grant; only while `granting` is not 0.
 * ace_fsm_leaving_take() takes the grant. */
unsigned ace_fsm_leaving(const ace_fsm *f, ace_leaving_grant *grant);
void ace_fsm_leaving_take(ace_fsm *f, unsigned at);
/* Context `at` begins its next piece to send, or to receive, if that piece is ready. */
void ace_fsm_begin_send(ace_fsm *f, unsigned at);
void ace_fsm_begin_receive(ace_fsm *f, unsigned at);
/* ace_fsm_fetches(): does the FSM request a word of the program?  ace_fsm_fetch() returns the index
 * of the word, and in *job the argument for ace_fsm_segments() when the request is granted. */
static inline bool ace_fsm_fetches(const ace_fsm *f) {
    return (f->wants[0] | f->wants[1] | f->wants[2]) != 0;
}
unsigned ace_fsm_fetch(const ace_fsm *f, uint8_t *job);
enum { ACE_NO_JOB = 255 };
/* The rising edge of the stages, called after all other calls of the edge.  job: the granted
 * request from before the edge, or ACE_NO_JOB.  Returns the context whose piece is ready, or -1. */
int ace_fsm_segments(ace_fsm *f, uint8_t job);

/* ---- calls for every row, which are inlined into their caller ---- */

static inline unsigned ace_fsm_number(const ace_fsm *f, unsigned index) {
    return (index >> f->shift) & (f->contexts - 1);
}

/* The bit of context `at` in the sets: its index in the phase.  If all contexts of an FSM have the
 * same lowest bit (odd or even), that bit is left out. */
static inline unsigned ace_fsm_bit(const ace_fsm *f, unsigned at) {
    return f->shift ? (at << f->shift | f->index) >> 1 : at;
}
static inline unsigned ace_fsm_of_bit(const ace_fsm *f, unsigned bit) {
    return f->shift ? bit >> (f->shift - 1) : bit;
}
/* The contexts of even chunks. */
static inline unsigned ace_fsm_even(const ace_fsm *f) {
    return !f->shift ? 0x5555 : f->index & 1 ? 0 : 0xffff;
}

/* The contexts that may send, out of the ready even (or odd) contexts: contexts in the middle of a
 * piece go first. */
static inline unsigned ace_fsm_prefer_begun(unsigned ready, unsigned begun) {
    return ready & begun ? ready & begun : ready;
}

/* Updates the sets after a row of context `at` was sent, written or copied ... */
static inline void ace_fsm_refresh(ace_fsm *f, unsigned at) {
    const unsigned can = ace_fsm_context_m_ready(&f->context[at]), bit = ace_fsm_bit(f, at);
    f->ready = (uint16_t)((f->ready & ~(1u << bit)) | can << bit);
}
/* ... or after a grant or a new piece, which changes whether the context may send at all. */
static inline void ace_fsm_clear(ace_fsm *f, unsigned at) {
    ace_fsm_context_look(&f->context[at], f->peers);
    ace_fsm_refresh(f, at);
}
/* Updates `granting` after rows of context `at` were received or written. */
static inline void ace_fsm_grants(ace_fsm *f, unsigned at) {
    const unsigned grants = ace_fsm_context_m_granting(&f->context[at]);
    f->granting = (uint8_t)((f->granting & ~(1u << at)) | grants << at);
}

/* The oldest context that may send; false when none can.  room: a bit a link. */
ACE_INLINE bool ace_fsm_request(const ace_fsm *f, unsigned room, ace_send *to) {
    const unsigned even = ace_fsm_even(f), oldest = ace_fsm_bit(f, f->oldest);
    unsigned ready = ace_fsm_prefer_begun(f->ready, f->begun);
    if (!f->shift)
        ready = ace_fsm_prefer_begun(f->ready & even, f->begun & even) |
                ace_fsm_prefer_begun(f->ready & ~even, f->begun & ~even);
    while (ready) {
        const unsigned bit = (unsigned)ace_first(ready, oldest), at = ace_fsm_of_bit(f, bit);
        const ace_fsm_context *c = &f->context[at];
        const unsigned link = ace_fsm_context_m_link(c);
        ready &= ~(1u << bit);
        if (!(room >> link & 1)) continue;
        to->context = (uint8_t)at;
        to->index = (uint8_t)(at << f->shift | f->index);
        to->link = (uint8_t)link;
        to->mark = c->mark;
        to->peer = f->peers.hub >> c->dim & 1 ? c->send.now.peer : 0;
        to->reduce = ace_fsm_context_m_send_reduce(c);
        to->zero = ace_fsm_context_m_send_zero(c);
        return true;
    }
    return false;
}
/* The row of a request. */
static inline uint16_t ace_fsm_send_row(const ace_fsm *f, const ace_send *s) {
    return ace_fsm_context_m_send_row(&f->context[s->context], f->source_part, f->target_part);
}

static inline void ace_fsm_send_take(ace_fsm *f, unsigned at) {
    ace_fsm_context *c = &f->context[at];
    const unsigned bit = ace_fsm_bit(f, at);
    if (ace_fsm_context_s_send_take(c, f->peers)) {
        ace_fsm_begin_send(f, at);
        ace_fsm_clear(f, at);
    } else
        ace_fsm_refresh(f, at);
    f->begun = (uint16_t)((f->begun & ~(1u << bit)) | (unsigned)ace_fsm_context_m_begun(c) << bit);
}

/* The oldest context with a row to copy; only while `copies` is not 0. */
static inline unsigned ace_fsm_copy(const ace_fsm *f, uint16_t *source, uint16_t *target) {
    unsigned at = f->oldest;
    while (!(f->copies >> at & 1)) at = (at + 1) & (f->contexts - 1);
    *source = ace_fsm_context_m_copy_source(&f->context[at], f->source_part);
    *target = ace_fsm_context_m_copy_target(&f->context[at], f->target_part);
    return at;
}

static inline void ace_fsm_copy_take(ace_fsm *f, unsigned at) {
    if (ace_fsm_context_s_copy_take(&f->context[at]))
        f->copies = (uint8_t)(f->copies & ~(1u << at));
}

/* Updates `closing` after context `at` has received a row of its piece. */
static inline void ace_fsm_closes(ace_fsm *f, unsigned at) {
    const unsigned closes = ace_fsm_context_m_closing(&f->context[at]);
    f->closing = (uint8_t)((f->closing & ~(1u << at)) | closes << at);
}

static inline void ace_fsm_received(ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    if (ace_fsm_context_s_receive_take(&f->context[at]))
        ace_fsm_begin_receive(f, at);
    else
        ace_fsm_closes(f, at);
}

/* Returns whether the context stalls after its next row: its next piece to receive is not ready, or
 * its next row to be overwritten has not been sent. */
static inline bool ace_fsm_closing(const ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    return (f->closing | (f->exchanging & (unsigned)f->context[at].few << at)) >> at & 1;
}
/* Returns whether the next row of a context must wait if it comes on this link. */
static inline bool ace_fsm_must_wait(const ace_fsm *f, unsigned index, unsigned link) {
    const unsigned at = ace_fsm_number(f, index);
    const ace_fsm_context *c = &f->context[at];
    return (f->turning >> at & 1) || (f->alone && !c->valid) || ace_fsm_context_m_stalls(c, link);
}
static inline bool ace_fsm_is_ring(const ace_fsm *f, const ace_fsm_context *c) {
    return !(f->peers.hub >> c->dim & 1);
}
/* Before an edge and at its end, while `exchanging` is not 0.  held: contexts of the phase with
 * rows that the switch has not read. */
void ace_fsm_watch(ace_fsm *f, uint32_t held);
void ace_fsm_exchange(ace_fsm *f);

/* Does a packet belong to another chunk than its context? */
static inline bool ace_fsm_foreign(const ace_fsm *f, unsigned index, uint8_t mark) {
    return f->context[ace_fsm_number(f, index)].mark != mark;
}

/* Takes the next received row of a context: returns its source and target rows, and how to reduce
 * it. */
static inline void ace_fsm_reduce_take(ace_fsm *f, unsigned index, uint16_t *source, bool *zero,
                                       uint16_t *target, ace_reduction *how) {
    const ace_fsm_context *c = &f->context[ace_fsm_number(f, index)];
    *source = ace_fsm_context_m_receive_source(c, f->source_part);
    *zero = ace_fsm_context_m_receive_zero(c);
    const bool average = c->op == ACE_AVERAGE; /* a sum until the last reduction */
    how->type = c->type;
    how->op = average && !c->into ? ACE_SUM : c->op;
    how->scale = average && c->into ? c->scale : 0;
    *target = c->into ? ace_fsm_context_m_receive_target(c, f->target_part) : *source;
    ace_fsm_received(f, index);
}

static inline void ace_fsm_store_take(ace_fsm *f, unsigned index, uint16_t *target) {
    const ace_fsm_context *c = &f->context[ace_fsm_number(f, index)];
    *target = ace_fsm_context_m_receive_target(c, f->target_part);
    ace_fsm_received(f, index);
}

static inline void ace_fsm_written(ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    ace_fsm_context_s_written(&f->context[at]);
    ace_fsm_refresh(f, at);
    if (f->context[at].grant) ace_fsm_grants(f, at);
}

static inline void ace_fsm_copied(ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    ace_fsm_context_s_copied(&f->context[at]);
    ace_fsm_refresh(f, at);
}

static inline bool ace_fsm_done(const ace_fsm *f, unsigned index) {
    const unsigned at = ace_fsm_number(f, index);
    return f->ending >> at & 1 && ace_fsm_context_m_written(&f->context[at]);
}

/* ---- the pin form: what tests drive ---- */

#define ACE_FSM_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)             \
    WORD(uint8_t, cfg_phase, 3)                                          \
    WORD(uint8_t, cfg_index, 2)                                          \
    WORD(uint8_t, cfg_hub, ACE_DIMENSIONS)                               \
    BIT(cfg_alone)                                                       \
    WORD(uint16_t, cfg_source_end, 12)                                   \
    WORD(uint16_t, cfg_source_rows, 12)                                  \
    WORD(uint16_t, cfg_target_end, 12)                                   \
    WORD(uint16_t, cfg_target_rows, 12)                                  \
    BIT(s_fetch_grant)                                                   \
    WORD(uint32_t, s_fetch_word, 32)                                     \
    BIT(s_admit_valid)                                                   \
    BIT(s_release_valid)                                                 \
    FIELD(uint8_t, s_context_phase, 3, s_admit_valid || s_release_valid) \
    FIELD(uint8_t, s_context_index, 5, s_admit_valid || s_release_valid) \
    FIELD(uint8_t, s_admit_kind, 2, s_admit_valid)                       \
    FIELD(uint8_t, s_admit_dim, 2, s_admit_valid)                        \
    FIELD(uint8_t, s_admit_ring, 8, s_admit_valid)                       \
    FIELD(uint8_t, s_admit_rank, 8, s_admit_valid)                       \
    FIELD(uint16_t, s_admit_shard, 11, s_admit_valid)                    \
    FIELD(uint16_t, s_admit_valids, 11, s_admit_valid)                   \
    FIELD(uint16_t, s_admit_source_row, 12, s_admit_valid)               \
    FIELD(uint16_t, s_admit_target_row, 12, s_admit_valid)               \
    FIELD(uint8_t, s_admit_type, 3, s_admit_valid)                       \
    FIELD(uint8_t, s_admit_op, 3, s_admit_valid)                         \
    FIELD(uint64_t, s_admit_scale, 37, s_admit_valid)                    \
    FIELD(uint8_t, s_admit_mark, 8, s_admit_valid)                       \
    WORD(uint8_t, s_grant_valid, ACE_LINKS)                              \
    LANES(uint8_t, s_grant_context, 8, ACE_LINKS, s_grant_valid)         \
    LANES(uint8_t, s_grant_peer, 8, ACE_LINKS, s_grant_valid)            \
    BIT(s_grant_take)                                                    \
    WORD(uint8_t, s_link_room, ACE_LINKS)                                \
    BIT(s_send_take)                                                     \
    WORD(uint8_t, s_held, 4)                                             \
    BIT(s_copy_take)                                                     \
    FIELD(uint8_t, s_reduce_index, 5, s_reduce_take)                     \
    FIELD(uint8_t, s_reduce_mark, 8, s_reduce_take)                      \
    BIT(s_reduce_take)                                                   \
    FIELD(uint8_t, s_store_index, 5, s_store_take)                       \
    FIELD(uint8_t, s_store_mark, 8, s_store_take)                        \
    BIT(s_store_take)                                                    \
    BIT(s_reduced_valid)                                                 \
    FIELD(bool, s_reduced_copy, 1, s_reduced_valid)                      \
    FIELD(uint8_t, s_reduced_index, 5, s_reduced_valid)                  \
    BIT(s_stored_valid)                                                  \
    FIELD(uint8_t, s_stored_index, 5, s_stored_valid)

#define ACE_FSM_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_fetch_valid)                                        \
    FIELD(uint8_t, m_fetch_at, 7, m_fetch_valid)              \
    BIT(m_grant_valid)                                        \
    FIELD(uint8_t, m_grant_link, 3, m_grant_valid)            \
    FIELD(uint8_t, m_grant_index, 5, m_grant_valid)           \
    FIELD(uint8_t, m_grant_peer, 8, m_grant_valid)            \
    FIELD(uint8_t, m_grant_mark, 8, m_grant_valid)            \
    BIT(m_send_valid)                                         \
    FIELD(uint8_t, m_send_link, 3, m_send_valid)              \
    FIELD(uint8_t, m_send_index, 5, m_send_valid)             \
    FIELD(uint16_t, m_send_row, 12, m_send_valid)             \
    FIELD(bool, m_send_zero, 1, m_send_valid)                 \
    FIELD(bool, m_send_reduce, 1, m_send_valid)               \
    FIELD(uint8_t, m_send_mark, 8, m_send_valid)              \
    FIELD(uint8_t, m_send_peer, 8, m_send_valid)              \
    WORD(uint8_t, m_send_begun, 2)                            \
    BIT(m_copy_valid)                                         \
    FIELD(uint8_t, m_copy_index, 5, m_copy_valid)             \
    FIELD(uint16_t, m_copy_source, 12, m_copy_valid)          \
    FIELD(uint16_t, m_copy_target, 12, m_copy_valid)          \
    FIELD(uint16_t, m_reduce_source, 12, s_reduce_take)       \
    FIELD(bool, m_reduce_zero, 1, s_reduce_take)              \
    FIELD(uint16_t, m_reduce_target, 12, s_reduce_take)       \
    FIELD(uint8_t, m_reduce_type, 3, s_reduce_take)           \
    FIELD(uint8_t, m_reduce_op, 3, s_reduce_take)             \
    FIELD(uint64_t, m_reduce_scale, 37, s_reduce_take)        \
    FIELD(uint16_t, m_store_target, 12, s_store_take)         \
    WORD(uint16_t, m_turning, 16)                             \
    WORD(uint8_t, m_closing, 4)                               \
    WORD(uint8_t, m_context_done, 4)                          \
    BIT(m_mismatch)

typedef struct ace_fsm_pins_in {
    ACE_PORTS(ACE_FSM_INPUTS)
} ace_fsm_pins_in;
typedef struct ace_fsm_pins_out {
    ACE_PORTS(ACE_FSM_OUTPUTS)
} ace_fsm_pins_out;

/* The pin form also has the fetched words of the program, the index of the last one, and the sticky
 * m_mismatch, which a node keeps once for all its FSMs. */
typedef struct ace_fsm_pins {
    ace_fsm fsm;
    uint32_t program[ACE_PROGRAM_WORDS];
    unsigned fetched;
    bool mismatch;
} ace_fsm_pins;

/* The arguments are the RTL parameters FSMS, CONTEXTS and PEERS.  ACE_OK, ACE_EINVAL or ACE_ENOMEM.
 */
int ace_fsm_pins_create(unsigned fsms, unsigned contexts, unsigned peers, ace_fsm_pins **pins);
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

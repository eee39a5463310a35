/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_switch.h -- the C twin of rtl/ace_switch.v: arbitrates banks, ALUs and links
 *
 * The RTL's head has the contract.  Requests are sets of bits.  The twin writes a row as soon as
 * its target is looked up, so the receive pipes carry only the contexts to be reported later.
 */
#ifndef ACE_SWITCH_H
#define ACE_SWITCH_H

#include "ace_cycle_classes.h"
#include "ace_fsm.h"
#include "ace_scratchpad_banks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row in a receive pipe. */
typedef struct ace_pipe_stage {
    bool valid, copy;
    uint8_t context;
} ace_pipe_stage;

enum {
    ACE_DATA_STAGE = 2 + ACE_READ_CYCLES,  /* a row that was read is at the ALUs */
    ACE_DONE_STAGE = ACE_DATA_STAGE + 6,   /* a reduced row is given to the scratchpad */
    ACE_REPORT_STAGE = ACE_DONE_STAGE - 1, /* a reduced or stored row is reported written */
    ACE_STORE_STAGE = 2,                   /* a stored row is given to the scratchpad */
    ACE_PIPE_SLOTS = 16,                   /* size of the ring that holds the stages */
    ACE_SWITCH_HEADS = 8,                  /* a word */
    ACE_SWITCH_QUEUES = 2 * ACE_PHASES,
    ACE_SENT_CYCLES = 1 + ACE_READ_CYCLES /* from the choice of a row to send to the row */
};

/* A row that an FSM requests to send. */
typedef struct ace_request {
    ace_send send;
    uint16_t row;
} ace_request;

typedef struct ace_switch {
    unsigned dimensions, fsms, per_phase;
    unsigned each, queues;                                        /* queues of a phase, and all */
    unsigned shift;                                               /* log2 of per_phase */
    ace_pipe_stage reduce[ACE_PIPE_SLOTS], store[ACE_PIPE_SLOTS]; /* ring, `at` is stage 1 */
    unsigned at;
    uint8_t reduce_turn, store_turn; /* links */
    uint8_t load_waits;              /* banks in which a load that goes first waited, a bit each */
    uint8_t plus_turn, minus_turn;   /* dimensions */
    /* queues that hold a request; queues that hold two; queues whose older request is at index 1 */
    uint16_t queue_any, queue_two, queue_old;
    uint16_t joins; /* queues that get a request in this cycle */
    ace_request queue[ACE_SWITCH_QUEUES][2];
    uint16_t of_link[ACE_LINKS]; /* queues whose older request is for the link */
    uint16_t of_bank[ACE_BANKS]; /* queues whose older request reads the bank */
    uint32_t crowded, full;      /* FSMs whose queue holds at least one request; two requests */
    uint32_t held[ACE_PHASES];   /* contexts with rows in the queues */
    ace_cycle_classes count_reduce, count_store, count_send[2];
} ace_switch;

/* The inputs of the switch in a cycle. */
typedef struct ace_switch_in {
    uint8_t head_valid, head_reduce; /* a bit a link */
    uint8_t head_context[ACE_SWITCH_HEADS];
    uint8_t room;    /* links with a free slot for a row */
    uint8_t reading; /* banks that the pipes read in this cycle, a bit each */
    uint32_t copy_valid;
    bool load_valid, load_first; /* load_first: before stores, where it waits */
    bool unload_first;           /* the half that goes first */
    uint8_t unload_valid;        /* halves of the RX DMA that request a row */
    uint8_t load_bank, unload_bank[2];
} ace_switch_in;

/* The grants of the switch; -1 for none. */
typedef struct ace_switch_out {
    int reduce_link, copy_fsm, store_link, send_queue[2];
    bool load_grant;
    uint8_t unload_grant;           /* the half that is given its row, a bit */
    ace_pipe_stage reduced, stored; /* reported written this cycle */
} ace_switch_out;

void ace_switch_init(ace_switch *s, unsigned dimensions, unsigned fsms);
void ace_switch_state(ace_switch *s, ace_state *state);
/* Checks a loaded request.  rows: rows of a bank. */
void ace_switch_check_request(const ace_request *r, unsigned rows, ace_state *state,
                              const char *field);

/* The FSM that runs a context. */
static inline unsigned ace_switch_fsm(const ace_switch *s, unsigned context) {
    return (ace_context_phase((uint8_t)context) << s->shift) + (context & (s->per_phase - 1));
}

/* The phase of a queue; a phase has one or two queues. */
static inline unsigned ace_switch_phase(const ace_switch *s, unsigned queue) {
    return queue >> (s->each - 1);
}

/* The queue of an FSM.  A phase has one queue for the FSMs of even chunks and one for those of odd
 * chunks. */
static inline unsigned ace_switch_queue(const ace_switch *s, unsigned fsm) {
    return (fsm >> s->shift) * s->each + (fsm & (s->each - 1));
}

/* The request in a queue that came first. */
static inline const ace_request *ace_switch_older(const ace_switch *s, unsigned queue) {
    return &s->queue[queue][s->queue_old >> queue & 1];
}

/* The context whose row a request is for. */
static inline uint8_t ace_switch_context(const ace_switch *s, unsigned queue,
                                         const ace_request *r) {
    return ace_context_name(ace_switch_phase(s, queue), r->send.index);
}

/* Returns the age of a context's chunk among the chunks of its phase. A lower value is older. */
static inline unsigned ace_switch_age(unsigned index, unsigned oldest) {
    return (index - oldest) % 32;
}

/* A stage of a receive pipe: 1 is what was taken in the last cycle. */
static inline unsigned ace_switch_stage(const ace_switch *s, unsigned stage) {
    return (s->at + stage - 1) % ACE_PIPE_SLOTS;
}

/* The context of a link's head.  For link -1 the result is arbitrary, which saves a branch that
 * could not be predicted. */
static inline uint8_t ace_switch_head(const ace_switch_in *in, int link) {
    return in->head_context[(unsigned)link % ACE_SWITCH_HEADS];
}

/* Links whose head differs from `context` in bits of the mask; computes all bytes at once. */
static inline unsigned ace_switch_other(const ace_switch_in *in, unsigned context, unsigned mask) {
    const uint64_t each = 0x0101010101010101u; /* a byte a link */
    uint64_t heads;
    memcpy(&heads, in->head_context, sizeof heads);
    const uint64_t differ = (heads ^ context * each) & mask * each, low = 127 * each;
    const uint64_t truths = (((differ & low) + low) | differ) >> 7 & each;
    return (unsigned)(truths * 0x0102040810204080u >> 56);
}

typedef uint16_t ace_queue_lanes __attribute__((vector_size(2 * ACE_LINKS), aligned(2), may_alias));
typedef int8_t ace_truth_lanes __attribute__((vector_size(ACE_LINKS)));

/* The links for which one of these queues has a row, a bit each; computes all links at once. */
static inline unsigned ace_switch_links(const ace_switch *s, unsigned queues) {
    const ace_queue_lanes *const of_link = (const ace_queue_lanes *)(const void *)s->of_link;
    const ace_truth_lanes has =
        __builtin_convertvector((*of_link & (uint16_t)queues) != 0, ace_truth_lanes);
    uint64_t bytes;
    memcpy(&bytes, &has, sizeof bytes);
    return (unsigned)((bytes & 0x8040201008040201u) * 0x0101010101010101u >> 56);
}

/* Even links go up their ring, odd ones down. */
enum { ACE_PLUS_LINKS = 0x55, ACE_MINUS_LINKS = 0xaa };

/* Chooses the queue that sends, among queues with rows for a pipe's links. Links are served
 * round-robin by dimension. If several queues have a row for the link, the queue of the latest
 * phase sends. */
static inline int ace_switch_sender(const ace_switch *s, unsigned queues, unsigned links,
                                    unsigned first) {
    if (!links) return -1;
    return 31 - __builtin_clz(queues & s->of_link[ace_first(links, 2 * first)]);
}

/* Chooses the queues that send.  If both would read one bank, only the one that goes up its ring
 * sends. */
static inline void ace_switch_sends(const ace_switch *s, unsigned room, int send_queue[2]) {
    const ace_pipe_stage *looks = &s->reduce[s->at];
    unsigned queues = s->queue_any & ~(looks->valid * s->of_bank[looks->context % ACE_BANKS]);
    const unsigned up = ace_switch_links(s, queues) & room & ACE_PLUS_LINKS;
    send_queue[0] = ace_switch_sender(s, queues, up, s->plus_turn);
    if (send_queue[0] >= 0)
        queues &= ~s->of_bank[ace_switch_older(s, (unsigned)send_queue[0])->send.index % ACE_BANKS];
    const unsigned down = ace_switch_links(s, queues) & room & ACE_MINUS_LINKS;
    send_queue[1] = ace_switch_sender(s, queues, down, s->minus_turn);
}

static inline void ace_switch_decide(const ace_switch *s, const ace_switch_in *in,
                                     ace_switch_out *out) {
    const unsigned reported = ace_switch_stage(s, ACE_REPORT_STAGE);
    const ace_pipe_stage *before =
        &s->reduce[ace_switch_stage(s, ACE_DONE_STAGE - ACE_STORE_STAGE)];
    const ace_pipe_stage *done = &s->reduce[ace_switch_stage(s, ACE_DONE_STAGE)];
    const ace_pipe_stage *stored = &s->store[ace_switch_stage(s, ACE_STORE_STAGE)];
    out->reduced = s->reduce[reported];
    out->stored = s->store[reported];

    const unsigned want_reduce = in->head_valid & in->head_reduce;
    out->reduce_link = ace_first(want_reduce, s->reduce_turn);
    out->copy_fsm = in->copy_valid && !want_reduce ? __builtin_ctz(in->copy_valid) : -1;

    unsigned want_store = in->head_valid & ~(unsigned)in->head_reduce;
    want_store &= ace_switch_other(in, before->context, ACE_BANKS - 1) | (before->valid - 1u);
    if (s->load_waits)
        want_store &= ace_switch_other(in, (unsigned)__builtin_ctz(s->load_waits), ACE_BANKS - 1);
    out->store_link = ace_first(want_store, s->store_turn);

    out->send_queue[0] = out->send_queue[1] = -1;
    if (s->queue_any) ace_switch_sends(s, in->room, out->send_queue);

    const unsigned could = in->unload_valid & ~((in->reading >> in->unload_bank[0] & 1u) |
                                                (in->reading >> in->unload_bank[1] & 1u) << 1);
    const unsigned older = could & 1u << in->unload_first;
    out->unload_grant = (uint8_t)(older ? older : could);
    out->load_grant = in->load_valid &
                      !(done->valid & (done->context % ACE_BANKS == in->load_bank)) &
                      !(stored->valid & (stored->context % ACE_BANKS == in->load_bank));
}

/* Sets the first requester after a grant.  ace_first() wraps around after the last one. */
static inline void ace_switch_next(uint8_t *first, int granted) {
    const unsigned keep = 0u - (granted < 0);
    *first = (uint8_t)((*first & keep) | (unsigned)(granted + 1));
}

/* The request of FSM f is taken and joins its queue; called before the edge. */
static inline void ace_switch_join(ace_switch *s, unsigned f, const ace_request *r) {
    const unsigned queue = ace_switch_queue(s, f);
    s->queue[queue][(s->queue_old ^ s->queue_any) >> queue & 1] = *r;
    s->joins = (uint16_t)(s->joins | 1u << queue);
}

void ace_switch_queues(ace_switch *s, const int send_queue[2]); /* their edge, if anything moves */

/* Rising edge.  copy_context: of the row that copy_fsm copies. */
static inline void ace_switch_tick(ace_switch *s, const ace_switch_in *in,
                                   const ace_switch_out *out, uint8_t copy_context) {
    const bool reduce = out->reduce_link >= 0, copy = out->copy_fsm >= 0,
               store = out->store_link >= 0;
    ace_cycle_classes_tick(&s->count_reduce, reduce || copy, false, false);
    ace_cycle_classes_tick(&s->count_store, store, (in->head_valid & ~in->head_reduce) != 0, false);
    if (s->queue_any | s->joins) {
        ace_switch_queues(s, out->send_queue);
    } else {
        s->count_send[0].idle++;
        s->count_send[1].idle++;
    }

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
    s->load_waits =
        (uint8_t)((unsigned)(in->load_valid & in->load_first & !out->load_grant) << in->load_bank);
}
/* Are the pipes and queues empty? */
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
    WORD(uint8_t, s_room, ACE_LINKS)                                     \
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
    BIT(s_load_first)                                                    \
    WORD(uint8_t, s_unload_valid, 2)                                     \
    BIT(s_unload_first)                                                  \
    LANES(uint8_t, s_unload_bank, 2, 2, s_unload_valid)

#define ACE_SWITCH_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)           \
    WORD(uint8_t, m_head_pop, ACE_LINKS)                                   \
    WORD(uint32_t, m_send_take, ACE_SWITCH_FSMS)                           \
    WORD(uint32_t, m_crowded, ACE_SWITCH_FSMS)                             \
    LANES(uint32_t, m_held, 32, ACE_PHASES, ACE_EVERY_LANE)                \
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
    WORD(uint8_t, m_unload_grant, 2)                                       \
    BIT(m_read_reduce_valid)                                               \
    FIELD(uint8_t, m_read_reduce_bank, 2, m_read_reduce_valid)             \
    FIELD(uint16_t, m_read_reduce_row, 12, m_read_reduce_valid)            \
    BIT(m_read_reduce_zero)                                                \
    WORD(uint8_t, m_read_send_valid, 2)                                    \
    LANES(uint8_t, m_read_send_bank, 2, 2, m_read_send_valid)              \
    LANES(uint16_t, m_read_send_row, 12, 2, m_read_send_valid)             \
    BIT(m_arrived_valid)                                                   \
    FIELD(uint8_t, m_arrived_link, 3, m_arrived_valid)                     \
    FIELD(uint8_t, m_arrived_context, 8, m_arrived_valid)                  \
    BIT(m_storing_valid)                                                   \
    FIELD(uint8_t, m_storing_link, 3, m_storing_valid)                     \
    FIELD(uint8_t, m_storing_context, 8, m_storing_valid)                  \
    BIT(m_alu_valid)                                                       \
    FIELD(bool, m_alu_copy, 1, m_alu_valid)                                \
    FIELD(uint8_t, m_alu_type, 3, m_alu_valid && !m_alu_copy)              \
    FIELD(uint8_t, m_alu_op, 3, m_alu_valid && !m_alu_copy)                \
    FIELD(uint64_t, m_alu_scale, 37, m_alu_valid && !m_alu_copy)           \
    BIT(m_write_reduce_valid)                                              \
    FIELD(uint8_t, m_write_reduce_bank, 2, m_write_reduce_valid)           \
    FIELD(uint16_t, m_write_reduce_row, 12, m_write_reduce_valid)          \
    BIT(m_write_store_valid)                                               \
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

/* A row that a send pipe reads, or has read. */
typedef struct ace_switch_packet {
    bool valid;
    uint8_t context;
    ace_request request;
} ace_switch_packet;

/* In addition to the calls: what the pipes carry to the ALUs, to the scratchpad and to the links.
 * A node that writes a row when it is looked up has no use for it; the pins name the row when
 * the RTL writes it. */
typedef struct ace_switch_pins {
    ace_switch switch_;
    uint16_t reduce_row[ACE_PIPE_SLOTS]; /* where a row goes; slots as in switch_.reduce */
    struct ace_switch_operation {        /* likewise, what the ALUs do to it */
        bool zero;
        uint8_t type, op;
        uint64_t scale;
    } operation[ACE_PIPE_SLOTS];
    uint16_t read_row, store_row; /* of stage 2 of the receive pipes */
    /* of stage 1 */
    uint16_t copy_source, copy_target;
    uint8_t arrived_link, arrived_mark, storing_link, storing_mark;
    ace_switch_packet packet[ACE_SENT_CYCLES][2]; /* from the last cycle on */
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

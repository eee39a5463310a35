/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_exchange.h -- all-to-alls, and lists of transfers: rows go to other members' memory
 *
 * The C twin of rtl/ace_exchange.v: same pins, same cycle, same values; the contract is there.
 *
 *     ace_exchange *x;
 *     if (ace_exchange_create(3, 32, 128, ACE_LIST_SENDS, payload, &x) != ACE_OK) ...
 *     for (;;) {
 *         ace_exchange_eval(x, &out);     outputs of this cycle, from state only
 *         ace_exchange_tick(x, &in);      rising edge
 *     }
 *     ace_exchange_destroy(x);
 *
 * Rules
 *   cfg_*       Constant from one reset to the next.
 *   Errors      A pop of an empty queue, two pops of one group, a row that was not reserved or
 *               not requested: `protocol_error` until reset; the pins are then undefined.
 *   Threads     One exchange, one thread.
 */
#ifndef ACE_EXCHANGE_H
#define ACE_EXCHANGE_H

#include "ace_cycle_classes.h"
#include "ace_list_walk.h"
#include "ace_router.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_EXCHANGE_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    WORD(uint32_t, cfg_ring, 32)                                       \
    WORD(uint32_t, cfg_rank, 32)                                       \
    LANES(uint32_t, cfg_window_first, 32, ACE_WINDOWS, ACE_EVERY_LANE) \
    LANES(uint32_t, cfg_window_last, 32, ACE_WINDOWS, ACE_EVERY_LANE)  \
    BIT(s_cmd_valid)                                                   \
    FIELD(bool, s_cmd_list, 1, s_cmd_valid)                            \
    FIELD(uint8_t, s_cmd_dim_count, 3, s_cmd_valid)                    \
    FIELD(uint8_t, s_cmd_dims, 8, s_cmd_valid)                         \
    FIELD(uint64_t, s_cmd_source, 48, s_cmd_valid)                     \
    FIELD(uint64_t, s_cmd_destination, 48, s_cmd_valid)                \
    FIELD(uint64_t, s_cmd_bytes, 41, s_cmd_valid)                      \
    FIELD(uint16_t, s_cmd_tag, 16, s_cmd_valid)                        \
    BIT(m_done_ready)                                                  \
    BIT(m_ar_ready)                                                    \
    BIT(s_r_valid)                                                     \
    ROW(s_r_data)                                                      \
    FIELD(uint32_t, s_r_code, 32, s_r_data)                            \
    BIT(m_aw_ready)                                                    \
    BIT(m_w_ready)                                                     \
    BIT(s_b_valid)                                                     \
    WORD(uint16_t, s_pop, ACE_ROUTER_QUEUES)                           \
    BIT(s_reserve)                                                     \
    BIT(s_row_valid)                                                   \
    FIELD(uint32_t, s_row_address, 32, s_row_valid)                    \
    FIELD(uint32_t, s_row_note, 17, s_row_valid)                       \
    ROW(s_row_data)                                                    \
    FIELD(uint32_t, s_row_code, 32, s_row_data)

#define ACE_EXCHANGE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)     \
    BIT(s_cmd_ready)                                                   \
    BIT(m_done_valid)                                                  \
    FIELD(uint16_t, m_done_tag, 16, m_done_valid)                      \
    BIT(m_ar_valid)                                                    \
    FIELD(uint64_t, m_ar_addr, 48, m_ar_valid)                         \
    BIT(s_r_ready)                                                     \
    BIT(m_aw_valid)                                                    \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                         \
    FIELD(bool, m_aw_pad, 1, m_aw_valid)                               \
    BIT(m_w_valid)                                                     \
    ROW(m_w_data)                                                      \
    FIELD(uint32_t, m_w_code, 32, m_w_data)                            \
    STROBE(m_w_strb, m_w_valid)                                        \
    WORD(uint16_t, m_head_valid, ACE_ROUTER_QUEUES)                    \
    LANES(uint64_t, m_head_route, 64, ACE_ROUTER_QUEUES, m_head_valid) \
    LANES(uint32_t, m_head_note, 17, ACE_ROUTER_QUEUES, m_head_valid)  \
    ROW(m_plus_data)                                                   \
    ROW(m_minus_data)                                                  \
    ROW(m_own_data)                                                    \
    FIELD(uint32_t, m_plus_code, 32, m_plus_data)                      \
    FIELD(uint32_t, m_minus_code, 32, m_minus_data)                    \
    FIELD(uint32_t, m_own_code, 32, m_own_data)                        \
    BIT(m_list_wrong)                                                  \
    BIT(m_room)                                                        \
    LANES(uint64_t, count_read, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)   \
    LANES(uint64_t, count_write, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)  \
    BIT(failed)                                                        \
    FIELD(bool, failed_list, 1, failed)                                \
    FIELD(uint64_t, failed_addr, 48, failed)                           \
    WORD(uint32_t, count_refused, 32)                                  \
    BIT(idle)

typedef struct ace_exchange_in {
    ACE_PORTS(ACE_EXCHANGE_INPUTS)
} ace_exchange_in;
typedef struct ace_exchange_out {
    ACE_PORTS(ACE_EXCHANGE_OUTPUTS)
} ace_exchange_out;

enum {
    ACE_EXCHANGE_COMMANDS = 4,
    ACE_EXCHANGE_BURSTS_MAX = 256,
    ACE_EXCHANGE_PLACES = 8, /* rows that arrived */
    ACE_EXCHANGE_SLOTS = 16, /* of which the last written stays intact */
    ACE_EXCHANGE_STAGES = 5, /* where to, parts of rows, rows, which row, the request */
    ACE_EXCHANGE_LIST = ACE_ROUTER_QUEUES, /* where rows of a list go: the index after the queues */
    ACE_EXCHANGE_KEYS = 256,
    ACE_EXCHANGE_GROUPS = 3, /* queues of +, of -, and the own block's */
    /* the dividend, 33 bits of the quotient, a sum; and two products for each dimension */
    ACE_EXCHANGE_SETUP_CYCLES = 1 + 33 + 1
};

typedef struct ace_exchange_command {
    uint64_t source, destination, bytes;
    uint16_t tag;
    uint8_t mask; /* a bit a dimension that takes part */
    bool list;
} ace_exchange_command;

/* A row that will be requested. */
typedef struct ace_exchange_ask {
    uint64_t source; /* in rows */
    uint64_t route;
    uint32_t note;
    bool valid;
    uint8_t queue; /* or ACE_EXCHANGE_LIST: then there is no route, and no note */
} ace_exchange_ask;

typedef struct ace_exchange_queue {
    uint32_t head, tail; /* slots */
    uint32_t held, used; /* rows here; rows here and requested */
} ace_exchange_queue;

enum { ACE_EXCHANGE_IDLE, ACE_EXCHANGE_SETUP, ACE_EXCHANGE_RUN };

typedef struct ace_exchange {
    uint32_t dimensions, rows, bursts, slot_mask, slots;
    ace_exchange_command command[ACE_EXCHANGE_COMMANDS];
    uint32_t commands, command_head;
    /* the command under way */
    uint8_t state, mask;
    bool list;
    uint16_t tag;
    uint32_t left;                                      /* cycles of the set-up */
    uint8_t size[ACE_DIMENSIONS], rank[ACE_DIMENSIONS]; /* members on each ring, and this one */
    uint64_t source, target;                            /* in rows; target: of this node's block */
    uint64_t vector_rows, block, total, own_rows;       /* total: of all blocks, padding too */
    uint64_t stride[ACE_DIMENSIONS]; /* rows between members next to each other */
    uint16_t tail_bytes;             /* of the vector's last row */
    /* walk */
    bool walking, mirror;
    uint8_t start[ACE_DIMENSIONS][ACE_DIMENSIONS]; /* as in the RTL; [d][0]: where the walk is */
    uint64_t row;                                  /* even */
    ace_exchange_ask ask[ACE_EXCHANGE_STAGES];
    /* requests under way */
    uint32_t read_head, read_tail, reads;
    ace_exchange_queue queue[ACE_ROUTER_QUEUES];
    uint16_t head_valid;                       /* a bit a queue */
    uint8_t popped;                            /* a bit a group that gave a row */
    uint8_t popped_queue[ACE_EXCHANGE_GROUPS]; /* which queue did last */
    /* rows that arrived */
    uint32_t used, aw_waits, w_waits, write_tail, aw_at, w_at;
    uint32_t writes, key_head, key_tail;
    bool told; /* a row was answered in the last cycle, of this key */
    uint8_t told_key;
    bool odd[1 << ACE_DIMENSIONS];
    bool protocol_error;
    bool failed;      /* a row was refused, or an item of a list is illegal */
    bool failed_list; /* an item is */
    uint32_t refused; /* rows */
    uint64_t failed_addr;
    uint64_t arrived[ACE_EXCHANGE_KEYS];
    ace_cycle_classes read, write;
    ace_exchange_ask requested[ACE_EXCHANGE_BURSTS_MAX]; /* requests under way */
    uint8_t key[ACE_EXCHANGE_BURSTS_MAX];                /* of writes not yet answered */
    uint64_t address[ACE_EXCHANGE_SLOTS];
    uint32_t note[ACE_EXCHANGE_SLOTS];
    ace_list_walk *walk;
    uint64_t *routes; /* by queue and slot */
    uint32_t *notes;
    ace_row *data, *arrival; /* likewise, and the rows that arrived; NULL: timing-only */
    uint32_t *codes;         /* of data, likewise */
    uint32_t arrival_codes[ACE_EXCHANGE_SLOTS];
} ace_exchange;

/* An exchange in its reset state.  ACE_OK, ACE_EINVAL (dimensions: 3 or 4; rows: 1..1024;
 * bursts: 1..256; sends of a list under way: 1..64) or ACE_ENOMEM. */
int ace_exchange_create(unsigned dimensions, unsigned rows, unsigned bursts, unsigned sends,
                        bool payload, ace_exchange **exchange);
void ace_exchange_destroy(ace_exchange *x); /* NULL is allowed */
void ace_exchange_reset(ace_exchange *x);   /* a rising edge with rst high */
void ace_exchange_state(ace_exchange *x, ace_state *s);
void ace_exchange_eval(const ace_exchange *x, ace_exchange_out *out);
bool ace_exchange_done(const ace_exchange *x); /* m_done_valid */
void ace_exchange_tick(ace_exchange *x, const ace_exchange_in *in);
/* Without input, ticks only count idle cycles. */
bool ace_exchange_idle(const ace_exchange *x);
/* The same as `cycles` ticks without input; only while idle. */
void ace_exchange_skip(ace_exchange *x, uint64_t cycles);

/* Returns the key of the all-to-all under way. Those over one set of dimensions alternate between
 * two keys. */
static inline uint8_t ace_exchange_key(const ace_exchange *x) {
    return (uint8_t)(x->mask << 1 | x->odd[x->mask]);
}
static inline bool ace_exchange_cmd_ready(const ace_exchange *x) {
    return x->commands != ACE_EXCHANGE_COMMANDS;
}
/* The row that a group of queues gave last: 0 +, 1 -, 2 the own block. */
static inline const uint32_t *ace_exchange_popped(const ace_exchange *x, unsigned group) {
    const unsigned q = x->popped_queue[group];
    if (!x->data || !(x->popped >> group & 1)) return NULL;
    return x->data[q * x->slots + ((x->queue[q].head - 1) & x->slot_mask)];
}
/* And its code, where there is one. */
static inline uint32_t ace_exchange_popped_code(const ace_exchange *x, unsigned group) {
    const unsigned q = x->popped_queue[group];
    return x->codes ? x->codes[q * x->slots + ((x->queue[q].head - 1) & x->slot_mask)] : 0;
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_list_walk.h -- a list of transfers in memory becomes rows to send and arrivals to wait for
 *
 * The C twin of rtl/ace_list_walk.v: same pins, same cycle, same values; the contract, and what
 * an item of a list means, is there.
 *
 *     ace_list_walk *l;
 *     if (ace_list_walk_create(16, &l) != ACE_OK) ...
 *     for (;;) {
 *         ace_list_walk_eval(l, &in, &out);     outputs of this cycle; of `in` only cfg_ring counts
 *         ace_list_walk_tick(l, &in);           rising edge
 *     }
 *     ace_list_walk_destroy(l);
 *
 * Rules
 *   Rows        of a list are held in timing-only runs too: they say what to do.
 *   Code        A row of the list is checked when its last item is taken; m_wrong reports it two
 *               cycles later.
 *   Errors      A list begun while another is walked, a row of the list not requested:
 *               `protocol_error` until reset.
 *   Threads     One walk, one thread.
 */
#ifndef ACE_LIST_WALK_H
#define ACE_LIST_WALK_H

#include "ace_flit.h"
#include "ace_ports.h"
#include "ace_row_code.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_LIST_WALK_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_ring, 32)                                   \
    BIT(s_start)                                                   \
    FIELD(uint64_t, s_row, 40, s_start)                            \
    FIELD(uint64_t, s_rows, 33, s_start)                           \
    BIT(s_take)                                                    \
    BIT(s_list_valid)                                              \
    ROW(s_list_data)                                               \
    FIELD(uint32_t, s_list_code, 32, s_list_valid)                 \
    WORD(uint64_t, s_arrived, 33)

#define ACE_LIST_WALK_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_ask_valid)                                                \
    FIELD(bool, m_ask_list, 1, m_ask_valid)                         \
    FIELD(uint64_t, m_ask_source, 40, m_ask_valid)                  \
    FIELD(uint32_t, m_ask_target, 32, m_ask_valid && !m_ask_list)   \
    FIELD(uint32_t, m_ask_hops, 32, m_ask_valid && !m_ask_list)     \
    FIELD(uint16_t, m_ask_bytes, 9, m_ask_valid && !m_ask_list)     \
    FIELD(uint8_t, m_ask_key, 8, m_ask_valid && !m_ask_list)        \
    BIT(m_consume)                                                  \
    FIELD(uint8_t, m_receive_key, 8, m_consume)                     \
    FIELD(uint64_t, m_consume_rows, 33, m_consume)                  \
    BIT(m_bad)                                                      \
    FIELD(uint64_t, m_bad_addr, 48, m_bad)                          \
    FIELD(bool, m_peers, 1, m_bad)                                  \
    BIT(m_wrong)                                                    \
    BIT(busy)

typedef struct ace_list_walk_in {
    ACE_PORTS(ACE_LIST_WALK_INPUTS)
} ace_list_walk_in;
typedef struct ace_list_walk_out {
    ACE_PORTS(ACE_LIST_WALK_OUTPUTS)
} ace_list_walk_out;

enum {
    ACE_LIST_SENDS = 16,     /* under way, unless created otherwise */
    ACE_LIST_SENDS_MAX = 64, /* at most */
    ACE_LIST_ROWS = 4        /* of the list, stored or requested */
};

/* A send under way. */
typedef struct ace_list_send {
    uint64_t source, left; /* in rows */
    uint32_t target, hops;
    uint16_t tail; /* bytes of the last row */
    uint16_t piece, gap, piece_left;
    uint8_t key;
} ace_list_send;

typedef struct ace_list_walk {
    uint32_t sends, turn;
    uint64_t valid; /* a bit a send */
    uint64_t fetch_row, fetch_left;
    uint32_t places, held, wr, rd, item;
    bool here, enough; /* is there an item out of its row; had enough rows come for it */
    bool peers;        /* it is in rows that other nodes write */
    uint64_t now_at;   /* where it lies, in items */
    uint32_t now[ACE_LIST_ITEM_BYTES / 4];
    bool code_mismatch,
        wrong; /* the row ended with in the last cycle, and in the one before, fits no code */
    bool protocol_error;
    ace_list_send send[ACE_LIST_SENDS_MAX];
    ace_row list[ACE_LIST_ROWS];
    uint32_t codes[ACE_LIST_ROWS];
} ace_list_walk;

/* A walk in its reset state.  ACE_OK, ACE_EINVAL (sends: 1..64) or ACE_ENOMEM. */
int ace_list_walk_create(unsigned sends, ace_list_walk **walk);
void ace_list_walk_destroy(ace_list_walk *l); /* NULL is allowed */
void ace_list_walk_reset(ace_list_walk *l);   /* a rising edge with rst high */
void ace_list_walk_state(ace_list_walk *l, ace_state *s);
void ace_list_walk_eval(const ace_list_walk *l, const ace_list_walk_in *in, ace_list_walk_out *out);
void ace_list_walk_tick(ace_list_walk *l, const ace_list_walk_in *in);

static inline bool ace_list_walk_busy(const ace_list_walk *l) {
    return l->fetch_left || l->places || l->here || l->valid;
}
/* The key whose count s_arrived is. */
uint8_t ace_list_walk_receive_key(const ace_list_walk *l);
/* Without input, nothing ever changes. */
static inline bool ace_list_walk_idle(const ace_list_walk *l) {
    return !ace_list_walk_busy(l) && !l->code_mismatch && !l->wrong;
}
static inline void ace_list_walk_skip(ace_list_walk *l, uint64_t cycles) {
    (void)l;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_arbiter.h -- the exchange and the DMAs at one memory interface
 *
 * The C twin of rtl/ace_memory_arbiter.v: same pins, same cycle, same values. The head of the RTL
 * has a diagram and the contract. Side 0 (s0, `first`) is the exchange, which carries all-to-alls
 * and has priority. Side 1 (s1) are the DMAs.
 *
 *     ace_memory_arbiter *a;
 *     if (ace_memory_arbiter_create(16, 144, &a) != ACE_OK) ...
 *     for (;;) {
 *         ace_memory_arbiter_eval(a, &in, &out);     outputs of this cycle, which answer `in`
 *         ace_memory_arbiter_tick(a, &in);           rising edge
 *     }
 *     ace_memory_arbiter_destroy(a);
 *
 * Rules
 *   Parts       tick() calls one function for each handshake (ar, r_end, aw, w_end, b). The
 *               enclosing module may call these itself, after it has evaluated all handshakes.
 *   Threads     One arbiter, one thread.
 */
#ifndef ACE_MEMORY_ARBITER_H
#define ACE_MEMORY_ARBITER_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_MEMORY_ARBITER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s0_busy)                                                        \
    BIT(s0_ar_valid)                                                    \
    FIELD(uint64_t, s0_ar_addr, 48, s0_ar_valid)                        \
    BIT(s0_r_ready)                                                     \
    BIT(s0_aw_valid)                                                    \
    FIELD(uint64_t, s0_aw_addr, 48, s0_aw_valid)                        \
    FIELD(bool, s0_aw_pad, 1, s0_aw_valid)                              \
    BIT(s0_w_valid)                                                     \
    BIT(s1_ar_valid)                                                    \
    FIELD(uint64_t, s1_ar_addr, 48, s1_ar_valid)                        \
    FIELD(uint8_t, s1_ar_len, 8, s1_ar_valid)                           \
    BIT(s1_r_ready)                                                     \
    BIT(s1_aw_valid)                                                    \
    FIELD(uint64_t, s1_aw_addr, 48, s1_aw_valid)                        \
    FIELD(uint8_t, s1_aw_len, 8, s1_aw_valid)                           \
    BIT(s1_w_valid)                                                     \
    FIELD(bool, s1_w_last, 1, s1_w_valid)                               \
    BIT(m_ar_ready)                                                     \
    BIT(m_r_valid)                                                      \
    FIELD(bool, m_r_last, 1, m_r_valid)                                 \
    BIT(m_aw_ready)                                                     \
    BIT(m_w_ready)                                                      \
    BIT(m_b_valid)

#define ACE_MEMORY_ARBITER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s0_ar_ready)                                                     \
    BIT(s0_r_valid)                                                      \
    BIT(s0_aw_ready)                                                     \
    BIT(s0_w_ready)                                                      \
    BIT(s0_b_valid)                                                      \
    BIT(s1_ar_ready)                                                     \
    BIT(s1_r_valid)                                                      \
    BIT(s1_aw_ready)                                                     \
    BIT(s1_w_ready)                                                      \
    BIT(s1_b_valid)                                                      \
    BIT(m_ar_valid)                                                      \
    FIELD(uint64_t, m_ar_addr, 48, m_ar_valid)                           \
    FIELD(uint8_t, m_ar_len, 8, m_ar_valid)                              \
    FIELD(bool, m_r_ready, 1, m_r_valid)                                 \
    BIT(m_aw_valid)                                                      \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                           \
    FIELD(uint8_t, m_aw_len, 8, m_aw_valid)                              \
    FIELD(bool, m_aw_pad, 1, m_aw_valid)                                 \
    BIT(m_w_valid)                                                       \
    FIELD(bool, m_w_first, 1, m_w_valid)                                 \
    FIELD(bool, m_w_last, 1, m_w_valid)                                  \
    BIT(m_b_ready)

typedef struct ace_memory_arbiter_in {
    ACE_PORTS(ACE_MEMORY_ARBITER_INPUTS)
} ace_memory_arbiter_in;
typedef struct ace_memory_arbiter_out {
    ACE_PORTS(ACE_MEMORY_ARBITER_OUTPUTS)
} ace_memory_arbiter_out;

enum { ACE_ARBITER_SLOTS = 256 };

/* The owner of each burst, in the order in which addresses were accepted: true is the exchange. */
typedef struct ace_memory_arbiter {
    uint32_t dma_bursts, bursts;
    uint8_t r_wr, r_rd;       /* indices wrap by themselves */
    uint8_t w_wr, w_rd, b_rd; /* w_rd: the burst whose beats are next, b_rd: whose answer is */
    uint32_t reads, writes;   /* of the DMAs, outstanding */
    uint32_t open, dma_open;  /* bursts whose beats have not all left; of the DMAs */
    bool r_first[ACE_ARBITER_SLOTS], w_first[ACE_ARBITER_SLOTS];
} ace_memory_arbiter;

/* In its reset state.  ACE_OK, ACE_EINVAL (bursts: 1..256; dma_bursts: 1..bursts) or
 * ACE_ENOMEM. */
int ace_memory_arbiter_create(unsigned dma_bursts, unsigned bursts, ace_memory_arbiter **arbiter);
void ace_memory_arbiter_destroy(ace_memory_arbiter *a); /* NULL is allowed */
void ace_memory_arbiter_reset(ace_memory_arbiter *a);   /* a rising edge with rst high */
void ace_memory_arbiter_state(ace_memory_arbiter *a, ace_state *s);
void ace_memory_arbiter_eval(const ace_memory_arbiter *a, const ace_memory_arbiter_in *in,
                             ace_memory_arbiter_out *out);
void ace_memory_arbiter_tick(ace_memory_arbiter *a, const ace_memory_arbiter_in *in);

/* May the DMAs give another address? To write, while the exchange is busy, only if no burst of the
 * DMAs still has beats to send. */
static inline bool ace_memory_arbiter_ar_share(const ace_memory_arbiter *a) {
    return a->reads < a->dma_bursts;
}
static inline bool ace_memory_arbiter_aw_share(const ace_memory_arbiter *a, bool s0_busy) {
    return (a->writes < a->dma_bursts) & !(s0_busy & (a->dma_open != 0));
}
/* Return whether the next beat, or the next answer, belongs to the first or the second
 * requester. */
static inline bool ace_memory_arbiter_r_first(const ace_memory_arbiter *a) {
    return a->r_first[a->r_rd];
}
static inline bool ace_memory_arbiter_w_first(const ace_memory_arbiter *a) {
    return (a->open != 0) & a->w_first[a->w_rd];
}
static inline bool ace_memory_arbiter_w_second(const ace_memory_arbiter *a) {
    return (a->open != 0) & !a->w_first[a->w_rd];
}
static inline bool ace_memory_arbiter_b_first(const ace_memory_arbiter *a) {
    return a->w_first[a->b_rd];
}

/* ---- the parts of a tick: an address was taken, the last beat moved, an answer came ---- */

static inline void ace_memory_arbiter_ar(ace_memory_arbiter *a, bool first) {
    a->r_first[a->r_wr++] = first;
    a->reads += !first;
}
static inline void ace_memory_arbiter_r_end(ace_memory_arbiter *a) {
    a->reads -= !a->r_first[a->r_rd++];
}
static inline void ace_memory_arbiter_aw(ace_memory_arbiter *a, bool first) {
    a->w_first[a->w_wr++] = first;
    a->writes += !first;
    a->open++;
    a->dma_open += !first;
}
static inline void ace_memory_arbiter_w_end(ace_memory_arbiter *a) {
    a->dma_open -= !a->w_first[a->w_rd++];
    a->open--;
}
static inline void ace_memory_arbiter_b(ace_memory_arbiter *a) {
    a->writes -= !a->w_first[a->b_rd++];
}

/* Between two ticks nothing changes by itself. */
static inline bool ace_memory_arbiter_idle(const ace_memory_arbiter *a) {
    (void)a;
    return true;
}
static inline void ace_memory_arbiter_skip(ace_memory_arbiter *a, uint64_t cycles) {
    (void)a;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif

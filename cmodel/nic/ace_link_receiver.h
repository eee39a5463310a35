/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_receiver.h -- the first steps of an arriving frame: the pins, its row written to the
 * buffer, its CRC
 *
 * The C twin of rtl/ace_link_receiver.v, for all links of a node, one lane for each link.  The
 * RTL's head has the contract.  The wire reports changed bits in `flipped`, so the twin computes no
 * CRC.  While no frame is wrong, the owner only counts frames; ace_link_receiver_resolve() derives
 * later which frames were taken.
 */
#ifndef ACE_LINK_RECEIVER_H
#define ACE_LINK_RECEIVER_H

#include "ace_core.h"
#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The frames that arrived in a cycle, including bits that changed on the wire. */
typedef struct ace_rx_step {
    ace_rx_pins pins;
    uint8_t took; /* links whose frame has the next number and a slot for its row */
} ace_rx_step;

/* Steps by their age: the pins, its row, its CRC, the verdict. */
enum { ACE_LINK_RX_PINS, ACE_LINK_RX_ROW, ACE_LINK_RX_SUM, ACE_LINK_RX_VERDICT, ACE_LINK_RX_STEPS };

typedef struct ace_link_receiver {
    ace_rx_step step[ACE_LINK_RX_STEPS]; /* a ring */
    uint8_t at;                          /* the index of the youngest */
    uint8_t taken;                       /* m_row_took, a bit a link, if there is a row */
    bool wrong;                          /* a frame in a step has a changed bit */
    bool counted;                        /* frames are only counted; `took` is not known yet */
    uint16_t next[ACE_LINKS];            /* the number of the frame to be taken next */
} ace_link_receiver;

void ace_link_receiver_reset(ace_link_receiver *r);
void ace_link_receiver_state(ace_link_receiver *r, ace_state *s);
/* Normalises the state: the ring starts at index 0, and empty steps are 0.  numbers: the numbers of
 * frames are part of the state. */
void ace_link_receiver_normal(ace_link_receiver *r, bool numbers);

/* The step with this age in cycles. */
static inline ace_rx_step *ace_link_receiver_step(ace_link_receiver *r, unsigned age) {
    return &r->step[(r->at - age) % ACE_LINK_RX_STEPS];
}
/* Links with frames in any step except the oldest, which has left.  ..._routed(): links with routed
 * packets, or credits for routed packets, in those steps. */
static inline unsigned ace_link_receiver_flying(const ace_link_receiver *r) {
    const unsigned old = (r->at + 1u) % ACE_LINK_RX_STEPS;
    unsigned set = 0;
    for (unsigned i = 0; i < ACE_LINK_RX_STEPS; i++) set |= i == old ? 0u : r->step[i].pins.frame;
    return set;
}
static inline unsigned ace_link_receiver_routed(const ace_link_receiver *r) {
    const unsigned old = (r->at + 1u) % ACE_LINK_RX_STEPS;
    unsigned set = 0;
    for (unsigned i = 0; i < ACE_LINK_RX_STEPS; i++)
        set |= i == old ? 0u : (unsigned)r->step[i].pins.routed | r->step[i].pins.routed_credit;
    return set;
}

/* Applies the changed bit of each flipped frame to its fields. */
void ace_link_receiver_change(ace_rx_pins *rx);

/* The edge: the frames on rx_... enter the first step, and all others move on. */
ACE_INLINE void ace_link_receiver_rx(ace_link_receiver *r, const ace_rx_pins *rx) {
    r->at = (r->at + 1u) % ACE_LINK_RX_STEPS;
    ace_rx_step *const s = &r->step[r->at];
    s->pins = *rx;
    s->took = 0;
    if (__builtin_expect(rx->flipped, 0)) {
        ace_link_receiver_change(&s->pins);
        r->wrong |= s->pins.flipped != 0;
    }
}

/* m_frame, m_took, m_head, m_number, m_ack of link l in a step: the inputs of a guard. */
ace_frame ace_link_receiver_m_frame(const ace_rx_step *s, unsigned l);
/* m_row_took of link l: the frame whose row is to be written is taken if s_room says so. */
bool ace_link_receiver_takes(const ace_link_receiver *r, unsigned l, bool s_room);
void ace_link_receiver_take(ace_link_receiver *r, unsigned l);
/* m_abort: drops the frames that were taken after a bad frame; the next number is s_expect. */
void ace_link_receiver_m_abort(ace_link_receiver *r, unsigned l, uint16_t s_expect);
/* Updates `wrong`: does a frame that is still in a step have a changed bit? */
void ace_link_receiver_check(ace_link_receiver *r);

/* ---- while frames are only counted ---- */

typedef uint16_t ace_number_lanes __attribute__((vector_size(16), aligned(2), may_alias));

/* Increments the number of each link whose bit is set. */
ACE_INLINE void ace_link_count_frames(uint16_t numbers[ACE_LINKS], unsigned set) {
    const ace_number_lanes bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    ace_number_lanes *const n = (ace_number_lanes *)(void *)numbers;
    *n -= (ace_number_lanes)((bit & (uint16_t)set) == bit);
}
/* Marks all frames as taken, in order, after cycles in which frames were only counted.  expect: the
 * number of the next frame to be accepted on each link.  arrived: the call is within a cycle, after
 * ace_link_receiver_rx(). */
void ace_link_receiver_resolve(ace_link_receiver *r, const uint16_t expect[ACE_LINKS],
                               bool arrived);

#ifdef __cplusplus
}
#endif
#endif

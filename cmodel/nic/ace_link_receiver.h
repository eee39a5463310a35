/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_receiver.h -- the first three steps of a frame that arrives: the pins, its row put away,
 * its CRC
 *
 * The C twin of rtl/ace_link_receiver.v, of all links of a node, a lane each.  The contract is the
 * RTL's.  A frame that crossed is right or wrong as the wire says it (`flipped`), so no CRC is
 * worked out here; and where nothing is wrong the owner only counts frames, and what was taken is
 * known afterwards.
 */
#ifndef ACE_LINK_RECEIVER_H
#define ACE_LINK_RECEIVER_H

#include "ace_core.h"
#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What arrived in a cycle, as it came: bits that changed on the way are changed. */
typedef struct ace_rx_step {
    ace_rx_pins pins;
    uint8_t took; /* links whose frame has the next number, and its row a place */
} ace_rx_step;

/* Steps by their age: the pins, its row, its CRC, the verdict. */
enum { ACE_LINK_RX_PINS, ACE_LINK_RX_ROW, ACE_LINK_RX_SUM, ACE_LINK_RX_VERDICT, ACE_LINK_RX_STEPS };

typedef struct ace_link_receiver {
    ace_rx_step step[ACE_LINK_RX_STEPS]; /* a ring */
    uint8_t at;                          /* the place of the youngest */
    uint8_t taken;                       /* m_row_took, a bit a link, if there is a row */
    bool wrong;                          /* a frame that has come has a bit that changed */
    bool counted;                        /* frames are counted, and what was taken is not known */
    uint16_t next[ACE_LINKS];            /* the number of the frame to be taken next */
} ace_link_receiver;

void ace_link_receiver_reset(ace_link_receiver *r);
void ace_link_receiver_state(ace_link_receiver *r, ace_state *s);
/* The ring from its first place on, and 0 where nothing is on its way; numbers: they count. */
void ace_link_receiver_normal(ace_link_receiver *r, bool numbers);

/* A step so many cycles old. */
static inline ace_rx_step *ace_link_receiver_step(ace_link_receiver *r, unsigned age) {
    return &r->step[(r->at - age) % ACE_LINK_RX_STEPS];
}
/* Sets of links over all steps but the oldest, which has gone on: with frames; with routed packets
 * or credits for such. */
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

/* A frame with bits that changed, as the wires have it. */
void ace_link_receiver_change(ace_rx_pins *rx);

/* The edge: what is on rx_... becomes the first step, and all others move on. */
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

/* m_frame, m_took, m_head, m_number, m_ack of link l in a step: what a guard asks for. */
ace_frame ace_link_receiver_m_frame(const ace_rx_step *s, unsigned l);
/* m_row_took of link l: the frame whose row is to be written is taken if s_room says so. */
bool ace_link_receiver_takes(const ace_link_receiver *r, unsigned l, bool s_room);
void ace_link_receiver_take(ace_link_receiver *r, unsigned l);
/* m_abort: what was taken behind a frame that is not good goes with it; numbers begin at s_expect.
 */
void ace_link_receiver_m_abort(ace_link_receiver *r, unsigned l, uint16_t s_expect);
/* Has a frame that is still here a bit that changed? */
void ace_link_receiver_look(ace_link_receiver *r);

/* ---- while frames are only counted ---- */

typedef uint16_t ace_number_lanes __attribute__((vector_size(16), aligned(2), may_alias));

/* One more where the bit is set. */
ACE_INLINE void ace_link_count_frames(uint16_t numbers[ACE_LINKS], unsigned set) {
    const ace_number_lanes bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    ace_number_lanes *const n = (ace_number_lanes *)(void *)numbers;
    *n -= (ace_number_lanes)((bit & (uint16_t)set) == bit);
}
/* What was taken, where frames were only counted: all, in order.  expect: of each link the number
 * of the frame to be accepted next.  arrived: within a cycle, after ace_link_receiver_rx(). */
void ace_link_receiver_know(ace_link_receiver *r, const uint16_t expect[ACE_LINKS], bool arrived);

#ifdef __cplusplus
}
#endif
#endif

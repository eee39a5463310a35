/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sender.h -- the last two steps of a frame that leaves: its CRC, and the pins
 *
 * The C twin of rtl/ace_link_sender.v, of all links of a node, a lane each: what a step holds is a
 * bit a link. A frame is given to it as a step that is filled (s_...), and is on the pins two edges
 * later (tx_...). Rows stay where they are, in the ports' buffers and the guards', so a step has
 * their places.
 */
#ifndef ACE_LINK_SENDER_H
#define ACE_LINK_SENDER_H

#include "ace_core.h"
#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What leaves in a cycle, as pins have it; the sets in their order. */
typedef struct ace_tx_step {
    uint8_t valid, reduce, credit, grant_valid, routed, routed_credit, frame, resend;
    struct {
        uint8_t context, mark;
    } tx[ACE_LINKS], grant[ACE_LINKS];
    uint8_t grant_peer[ACE_LINKS];
    uint16_t number[ACE_LINKS], ack[ACE_LINKS];
    uint64_t route[ACE_LINKS];
    uint32_t row[ACE_LINKS]; /* slot in its port's buffer, or rows given before one that is kept */
    uint8_t kept;            /* links whose row is one of the guard's */
} ace_tx_step;

enum {
    ACE_LINK_TX_STEPS = 3, /* given, its CRC, the pins */
    ACE_LINK_TX_SLOTS = 4  /* of the ring that holds them */
};

typedef struct ace_link_sender {
    ace_tx_step step[ACE_LINK_TX_SLOTS]; /* a ring; the oldest is gone */
    uint8_t at;                          /* the place of the youngest */
} ace_link_sender;

void ace_link_sender_reset(ace_link_sender *s);
void ace_link_sender_state(ace_link_sender *k, ace_state *s);
/* The ring from its first place on, and 0 where nothing is on its way; numbers: they count. */
void ace_link_sender_normal(ace_link_sender *s, bool numbers);

/* A step so many cycles old: 0 is what leaves in the next cycle. */
static inline ace_tx_step *ace_link_sender_step(ace_link_sender *s, unsigned age) {
    return &s->step[(s->at - age) % ACE_LINK_TX_SLOTS];
}
/* The edge: the place of the next frames. */
ACE_INLINE void ace_link_sender_tick(ace_link_sender *s) {
    s->at = (s->at + 1u) % ACE_LINK_TX_SLOTS;
}
/* Links with frames on their way; of those given it is not yet said that they are some. */
static inline unsigned ace_link_sender_flying(const ace_link_sender *s) {
    const ace_tx_step *g = &s->step[s->at];
    unsigned set = g->valid | g->credit | g->grant_valid | g->routed_credit;
    for (unsigned age = 1; age < ACE_LINK_TX_STEPS; age++)
        set |= s->step[(s->at - age) % ACE_LINK_TX_SLOTS].frame;
    return set;
}

/* s_frame, s_head, s_route, s_number, s_ack of link l, as its guard gives them; the row is told
 * apart. */
void ace_link_sender_s_frame(ace_link_sender *s, unsigned l, const ace_frame *f);
/* What stands in a step for link l, as a guard is given it: head and route. */
ace_frame ace_link_sender_given(const ace_tx_step *s, unsigned l);

/* From tx_valid to tx_ack the pins are as a step has them. */
enum { ACE_LINK_TX_PINS = offsetof(ace_tx_step, route) };
_Static_assert(offsetof(ace_pins_out, tx_ack) + sizeof(((ace_pins_out *)0)->tx_ack) -
                           offsetof(ace_pins_out, tx_valid) ==
                       ACE_LINK_TX_PINS &&
                   offsetof(ace_pins_out, tx_grant) - offsetof(ace_pins_out, tx_valid) ==
                       offsetof(ace_tx_step, grant) &&
                   offsetof(ace_pins_out, tx_number) - offsetof(ace_pins_out, tx_valid) ==
                       offsetof(ace_tx_step, number),
               "sets, packets, grants, peers, numbers, acknowledgements lie side by side");

/* The pins tx_... of all links, without their rows; the step that is on them. */
ACE_INLINE const ace_tx_step *ace_link_sender_tx(ace_link_sender *k, ace_pins_out *out) {
    const ace_tx_step *const s = ace_link_sender_step(k, ACE_LINK_TX_STEPS - 1);
    memcpy(&out->tx_valid, &s->valid, ACE_LINK_TX_PINS);
    memcpy(out->tx_route, s->route, sizeof out->tx_route);
    return s;
}
/* tx_crc of link l, whose row is on the pins too. */
uint32_t ace_link_sender_tx_crc(const ace_pins_out *out, unsigned l);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sender.h -- the last steps of a leaving frame: its CRC, and the pins
 *
 * The C twin of rtl/ace_link_sender.v, for all links of a node: sets in a step have a bit a link.
 * The caller fills a step with the fields of a frame (s_...); two edges later the frame is on the
 * pins (tx_...).  Rows stay in the buffers of the ports and guards, so a step has their slots.
 */
#ifndef ACE_LINK_SENDER_H
#define ACE_LINK_SENDER_H

#include "ace_core.h"
#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The frames that leave in a cycle, in the layout of the tx pins; the sets have the pins' order. */
typedef struct ace_tx_step {
    uint8_t valid, reduce, credit, grant_valid, routed, routed_credit, frame, resend;
    struct {
        uint8_t context, mark;
    } tx[ACE_LINKS], grant[ACE_LINKS];
    uint8_t grant_peer[ACE_LINKS];
    uint16_t number[ACE_LINKS], ack[ACE_LINKS];
    uint64_t route[ACE_LINKS];
    uint32_t row[ACE_LINKS]; /* the row's slot in its port's buffer, or its number in the guard */
    uint8_t kept;            /* links whose row is in the guard */
} ace_tx_step;

enum {
    ACE_LINK_TX_STEPS = 3, /* given, its CRC, the pins */
    ACE_LINK_TX_SLOTS = 4  /* of the ring that holds them */
};

typedef struct ace_link_sender {
    ace_tx_step step[ACE_LINK_TX_SLOTS]; /* a ring; the oldest is gone */
    uint8_t at;                          /* the index of the youngest */
} ace_link_sender;

void ace_link_sender_reset(ace_link_sender *s);
void ace_link_sender_state(ace_link_sender *k, ace_state *s);
/* Normalises the state: the ring starts at index 0, and empty steps are 0.  numbers: the numbers of
 * frames are part of the state. */
void ace_link_sender_normal(ace_link_sender *s, bool numbers);

/* The step with this age in cycles; age 0 leaves in the next cycle. */
static inline ace_tx_step *ace_link_sender_step(ace_link_sender *s, unsigned age) {
    return &s->step[(s->at - age) % ACE_LINK_TX_SLOTS];
}
/* The edge: moves on to the slot of the next frames. */
ACE_INLINE void ace_link_sender_tick(ace_link_sender *s) {
    s->at = (s->at + 1u) % ACE_LINK_TX_SLOTS;
}
/* Links with frames in any step.  The youngest step has no `frame` bits yet, so its parts count. */
static inline unsigned ace_link_sender_flying(const ace_link_sender *s) {
    const ace_tx_step *g = &s->step[s->at];
    unsigned set = g->valid | g->credit | g->grant_valid | g->routed_credit;
    for (unsigned age = 1; age < ACE_LINK_TX_STEPS; age++)
        set |= s->step[(s->at - age) % ACE_LINK_TX_SLOTS].frame;
    return set;
}

/* Sets s_frame, s_head, s_route, s_number and s_ack of link l from the guard's frame; the row's
 * slot is set separately. */
void ace_link_sender_s_frame(ace_link_sender *s, unsigned l, const ace_frame *f);
/* The frame of link l in a step, as input of a guard: head and route. */
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

/* Sets the pins tx_... of all links except their rows.  Returns the step that is on the pins. */
ACE_INLINE const ace_tx_step *ace_link_sender_tx(ace_link_sender *k, ace_pins_out *out) {
    const ace_tx_step *const s = ace_link_sender_step(k, ACE_LINK_TX_STEPS - 1);
    memcpy(&out->tx_valid, &s->valid, ACE_LINK_TX_PINS);
    memcpy(out->tx_route, s->route, sizeof out->tx_route);
    return s;
}
/* tx_crc of link l.  Its row must be on the pins already. */
uint32_t ace_link_sender_tx_crc(const ace_pins_out *out, unsigned l);

#ifdef __cplusplus
}
#endif
#endif

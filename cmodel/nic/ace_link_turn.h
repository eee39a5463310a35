/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_turn.h -- decides when a plain packet of a link goes before the routed ones
 *
 * The C twin of rtl/ace_link_turn.v, of all links of a node at once: a bit is a link.  The RTL's
 * head has the contract.
 *
 *     ace_link_turn t;
 *     ace_link_turn_reset(&t, share);
 *     for (;;) {
 *         if (t.share) ace_link_turn_tick(&t, links, s_wants, s_sent, s_routed_sent);
 *         ... t.m_turn ...
 *     }
 *
 * Rules
 *   Share     It changes only with a reset.  With a share of 0 m_turn stays 0 without a tick.
 *   Threads   One node, one thread.
 */
#ifndef ACE_LINK_TURN_H
#define ACE_LINK_TURN_H

#include "ace_ports.h"
#include "ace_state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_link_turn {
    uint8_t share;           /* routed packets that leave before a plain one that waits; 0: all */
    uint8_t left[ACE_LINKS]; /* of these, since the last plain packet */
    uint8_t m_turn;          /* links whose plain packet goes first in this cycle */
} ace_link_turn;

void ace_link_turn_reset(ace_link_turn *t, uint8_t share);
/* Finds m_turn of this cycle, then the rising edge.  s_wants: links on which a plain packet can be
 * sent; s_sent and s_routed_sent: links on which a plain packet and a routed one is. */
void ace_link_turn_tick(ace_link_turn *t, unsigned links, unsigned s_wants, unsigned s_sent,
                        unsigned s_routed_sent);
/* Saves or loads what goes on after this cycle.  The share is of the configuration. */
void ace_link_turn_state(ace_link_turn *t, ace_state *s);

#ifdef __cplusplus
}
#endif

#endif

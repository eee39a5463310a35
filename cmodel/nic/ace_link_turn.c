/* SPDX-License-Identifier: Apache-2.0 */
/* ace_link_turn.c -- counts the routed packets that leave between two plain ones of a link */
#include "ace_link_turn.h"

#include <stdbool.h>

void ace_link_turn_reset(ace_link_turn *t, uint8_t share) {
    *t = (ace_link_turn){ .share = share };
}

void ace_link_turn_tick(ace_link_turn *t, unsigned links, unsigned s_wants, unsigned s_sent,
                        unsigned s_routed_sent) {
    unsigned due = 0;

    for (unsigned l = 0; l < links; l++) {
        const bool routed = s_routed_sent >> l & 1;
        due |= (unsigned)(t->left[l] == 0 || (t->left[l] == 1 && routed)) << l;
        t->left[l] = s_sent >> l & 1 ? t->share : (uint8_t)(t->left[l] - (routed && t->left[l]));
    }
    t->m_turn = t->share ? (uint8_t)(s_wants & due & ~s_sent) : 0;
}

void ace_link_turn_state(ace_link_turn *t, ace_state *s) {
    ACE_STATE(s, t->left);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        ace_state_must(s, t->left[l] <= t->share, "ace_link_turn.left");
}

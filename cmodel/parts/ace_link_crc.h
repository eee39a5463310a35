/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_crc.h -- a frame on a link, and its CRC-32
 *
 * The C twin of rtl/ace_link_crc.v, which says what the code is: a function of the frame.
 */
#ifndef ACE_LINK_CRC_H
#define ACE_LINK_CRC_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of a frame's head, by number.  Above them follow one byte each: context, mark, granted
 * context, granted mark, and the peer of the grant. */
enum {
    ACE_FRAME_PACKET,
    ACE_FRAME_REDUCE,
    ACE_FRAME_CREDIT,
    ACE_FRAME_GRANT,
    ACE_FRAME_ROUTED,
    ACE_FRAME_ROUTED_CREDIT,
    ACE_FRAME_NONE, /* 0 */
    ACE_FRAME_RESEND,
    ACE_FRAME_HEAD_BITS = 48,
    ACE_FRAME_NUMBERED = 1 << ACE_FRAME_PACKET | 1 << ACE_FRAME_CREDIT | 1 << ACE_FRAME_GRANT |
                         1 << ACE_FRAME_ROUTED_CREDIT
};

/* A frame, which crosses a link in one cycle.  As input of a guard, head 0 means no frame; on a
 * link, `valid` is 0 then. */
typedef struct ace_frame {
    uint64_t head, route;
    uint16_t number, ack;
    bool valid;
    bool took;           /* an arriving frame has the next number, and a slot for its row */
    const uint32_t *row; /* NULL: timing-only, or zeros, as without a packet */
} ace_frame;

/* The head with the fields of absent parts set to 0. */
static inline uint64_t ace_frame_clean(uint64_t head) {
    const uint64_t packet = head & 1, grant = head >> ACE_FRAME_GRANT & 1;
    return (head & 0xfd) | (head & packet << ACE_FRAME_REDUCE) | (head & packet * 0xffff00) |
           (head & grant * 0xffffff000000);
}

/* Routed and no packet: the ends of a link begin a life with it (rtl/ace_link_sync.v), and its
 * numbers are epochs.  A frame that requests another has the resend bit. */
static inline bool ace_frame_is_sync(uint64_t head) {
    return (head >> ACE_FRAME_ROUTED & 1) && !(head & 1);
}

/* The CRC of all wires of a frame, whatever its head says: a wrong head could otherwise hide wrong
 * bits in other parts.  A sender drives absent parts to 0 (see ace_frame_clean()), the route
 * included; an absent row counts as zeros. */
uint32_t ace_frame_crc(const ace_frame *f);

#ifdef __cplusplus
}
#endif
#endif

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

/* Bits of a frame's head, by number; above them, a byte each: context, mark, granted context
 * and mark, who grants. */
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

/* What crosses in a cycle.  head 0: nothing is given; on a link, `valid` says so. */
typedef struct ace_frame {
    uint64_t head, route;
    uint16_t number, ack;
    bool valid;
    bool took;           /* of one that arrives: it has the next number, and its row a place */
    const uint32_t *row; /* NULL: timing-only, or zeros, as without a packet */
} ace_frame;

/* The head with 0 where no bit says that anything is there. */
static inline uint64_t ace_frame_clean(uint64_t head) {
    const uint64_t packet = head & 1, grant = head >> ACE_FRAME_GRANT & 1;
    return (head & 0xfd) | (head & packet << ACE_FRAME_REDUCE) | (head & packet * 0xffff00) |
           (head & grant * 0xffffff000000);
}

/* Routed and no packet: the ends of a link begin a life with it (rtl/ace_link_sync.v), and its
 * numbers are epochs.  One that asks for another has the resend bit. */
static inline bool ace_frame_is_sync(uint64_t head) {
    return (head >> ACE_FRAME_ROUTED & 1) && !(head & 1);
}

/* Of the wires as they are: nothing that the head says leaves a part of them out, as a wrong head
 * could then hide it.  A sender has 0 where there is nothing (ace_frame_clean, and no route); a row
 * that is not there counts as zeros. */
uint32_t ace_frame_crc(const ace_frame *f);

#ifdef __cplusplus
}
#endif
#endif

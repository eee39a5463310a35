/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_flit.h -- what crosses links, and how its fields are laid out
 *
 * The names that the sender of a packet and its receiver must both know: of contexts, of phases, of
 * the bits of a frame, of the hops in a route, of the items in a list of transfers.
 */
#ifndef ACE_FLIT_H
#define ACE_FLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contexts and phases -------------------------------------------------- */

typedef enum ace_phase_kind {
    ACE_PHASE_NONE,
    ACE_PHASE_REDUCE_SCATTER,
    ACE_PHASE_ALL_REDUCE,
    ACE_PHASE_ALL_GATHER
} ace_phase_kind;

/* How packets and grants name a context: by its phase, and by its index among those of the phase.
 */
static inline uint8_t ace_context_name(unsigned phase, unsigned index) {
    return (uint8_t)(phase << 5 | index);
}
static inline unsigned ace_context_phase(uint8_t name) { return name >> 5; }
static inline unsigned ace_context_index(uint8_t name) { return name & 31; }
/* Of an engine with so many phases, each with so many contexts. */
static inline bool ace_context_is(uint8_t name, unsigned phases, unsigned contexts) {
    return ace_context_phase(name) < phases && ace_context_index(name) < contexts;
}
/* No engine has so many phases: a grant of this context is a number of a round (ace_agreement.h),
 * in place of its mark. */
enum { ACE_NUMBER_CONTEXT = 7 << 5 };
static inline bool ace_grant_is(uint8_t name, unsigned phases, unsigned contexts) {
    return name == ACE_NUMBER_CONTEXT || ace_context_is(name, phases, contexts);
}

/* ---- flits ---------------------------------------------------------------- */

/* What crosses a link in one cycle: a packet, a credit for each virtual channel, a grant.
 * Any of them may be present; where none is, the frame acknowledges others (ace_link_guard.h).
 * Packets of all-to-alls are routed; their channel has buffers of its own. */
typedef struct ace_flit {
    uint64_t cycle; /* in which the receiver sees it */
    bool data;
    bool reduce; /* data: the receiver reduces it (else it stores it) */
    bool credit, grant;
    bool routed, routed_credit; /* data: it is routed; a credit for routed ones */
    bool frame, resend;         /* always; all from `ack` on is asked for again */
    uint8_t context;            /* data: receiver's context, as ace_context_name(); routed: bytes to
                              write, with reduce above */
    uint8_t mark;               /* data: chunk identity, checked by the receiver; routed: key */
    uint8_t grant_context;      /* grant: sender of the grant is ready for this context, or
                              ACE_NUMBER_CONTEXT */
    uint8_t grant_mark;
    uint8_t grant_peer;   /* on a hub: where it goes, and from there on where it came from */
    uint16_t number, ack; /* of the frame; of the one expected from the receiver */
    uint16_t flip;        /* a bit that changed on the way, by its number in ace_frame_bit, and
                             1; 0: none */
    uint64_t route;       /* data: on a hub the place it goes to (or ace_switch_peer()), else 0;
                             routed: see below */
} ace_flit;

/* A packet to the switch itself says so in place of a peer, and what is to be done to its row. */
enum { ACE_TO_SWITCH = 0x80 };
static inline uint8_t ace_switch_peer(unsigned type, unsigned op) {
    return (uint8_t)(ACE_TO_SWITCH | op << 3 | type);
}

/* The bits of a frame on a link, by number: head, numbers, CRC, route, row. */
enum ace_frame_bit {
    ACE_BIT_HEAD,
    ACE_BIT_NUMBER = ACE_BIT_HEAD + 48,
    ACE_BIT_ACK = ACE_BIT_NUMBER + 16,
    ACE_BIT_CRC = ACE_BIT_ACK + 16,
    ACE_BIT_ROUTE = ACE_BIT_CRC + 32,
    ACE_BIT_ROW = ACE_BIT_ROUTE + 64,
    ACE_BITS = ACE_BIT_ROW + 8 * ACE_ROW_BYTES
};
/* Of each link: packets sent again; frames with a wrong CRC; those dropped for their number. */
enum { ACE_LINK_COUNTS = 3 };
/* Is the bit one of those that are sent in such a frame? */
bool ace_flit_has(const ace_flit *f, unsigned bit);

/* How far the two ends of a link have come in a life together (rtl/ace_link_sync.v). */
typedef enum ace_link_life {
    ACE_LINK_DOWN,  /* nothing was heard of the neighbour */
    ACE_LINK_SYNC,  /* its epoch was */
    ACE_LINK_UP,    /* and it has heard this end's */
    ACE_LINK_ENDED, /* since then the neighbour has begun another life */
} ace_link_life;

/* ---- routes: the row in the high 32 bits, below it the hops, 8 bits a dimension ---- */

enum { ACE_ROUTER_HERE = 8 /* the target of a packet without hops; as a source, a queue */ };
/* The part of a route: `hops` (0..127) on dimension d, downwards or upwards. */
static inline uint64_t ace_route_hops(unsigned d, bool down, unsigned hops) {
    return (uint64_t)((hops ? (unsigned)down << 7 : 0) | hops) << 8 * d;
}
/* The link a packet takes next, or ACE_ROUTER_HERE. */
static inline unsigned ace_route_target(uint64_t route) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (route >> 8 * d & 0x7f) return 2 * d + (route >> (8 * d + 7) & 1);
    return ACE_ROUTER_HERE;
}

/* ---- lists of transfers: the items as they lie in memory (rtl/ace_list_walk.v) ---- */

enum {
    ACE_LIST_ITEM_BYTES = 32,
    ACE_LIST_ROW_ITEMS = ACE_ROW_BYTES / ACE_LIST_ITEM_BYTES,
    ACE_LIST_KEYS_FIRST = 16 /* keys below are those of all-to-alls */
};

typedef enum ace_list_what { ACE_LIST_NOTHING, ACE_LIST_SEND, ACE_LIST_RECEIVE } ace_list_what;

/* The keys of lists: all-to-alls have two for each set of dimensions, and the last is that of
 * messages, whose rows nobody counts. */
enum { ACE_MESSAGE_KEY = 255 };
static inline unsigned ace_list_keys_first(const ace_config *cfg) {
    return cfg->ring[ACE_DIMENSIONS - 1] > 1 ? 2 * ACE_LIST_KEYS_FIRST : ACE_LIST_KEYS_FIRST;
}
static inline unsigned ace_list_keys(const ace_config *cfg) {
    return ACE_MESSAGE_KEY - ace_list_keys_first(cfg);
}

/* An item of a list. */
typedef struct ace_list_item {
    ace_list_what what;
    uint8_t key;
    /* of a send */
    uint32_t hops;       /* as in a route: ace_route_hops() */
    uint64_t source;     /* in rows, here */
    uint32_t target;     /* and at the peer */
    uint16_t piece, gap; /* rows; both 0: all in one piece */
    uint64_t bytes;      /* 0: a row that writes nothing */
    /* of a receive */
    uint64_t rows;
} ace_list_item;
/* Rows of a send. */
static inline uint64_t ace_list_item_rows(const ace_list_item *i) {
    return i->bytes ? (i->bytes - 1) / ACE_ROW_BYTES + 1 : 1;
}
/* To and from the ACE_LIST_ITEM_BYTES / 4 words of memory. */
void ace_list_item_write(const ace_list_item *i, uint32_t *to);
void ace_list_item_read(const uint32_t *from, ace_list_item *i);

#ifdef __cplusplus
}
#endif
#endif

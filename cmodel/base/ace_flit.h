/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_flit.h -- what crosses links, and how its fields are laid out
 *
 * The sender and the receiver of a packet must share these encodings: the names of contexts and
 * phases, frame bits, route hops, and the items in a list of transfers.
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

/* How packets and grants name a context: by its phase, and by its index within the phase. */
static inline uint8_t ace_context_name(unsigned phase, unsigned index) {
    return (uint8_t)(phase << 5 | index);
}
static inline unsigned ace_context_phase(uint8_t name) { return name >> 5; }
static inline unsigned ace_context_index(uint8_t name) { return name & 31; }
/* Does an engine with this many phases, and this many contexts in each phase, have the context? */
static inline bool ace_context_is(uint8_t name, unsigned phases, unsigned contexts) {
    return ace_context_phase(name) < phases && ace_context_index(name) < contexts;
}
/* No engine has so many phases. A grant of this context has a number of a round (ace_agreement.h)
 * instead of a mark. */
enum { ACE_NUMBER_CONTEXT = 7 << 5 };
static inline bool ace_grant_is(uint8_t name, unsigned phases, unsigned contexts) {
    return name == ACE_NUMBER_CONTEXT || ace_context_is(name, phases, contexts);
}

/* ---- flits ---------------------------------------------------------------- */

/* A flit crosses a link in one cycle.  It carries a packet, a credit for each virtual channel, and
 * a grant.  Each of them is optional; a flit without any is a frame that only acknowledges others
 * (ace_link_guard.h).
 * Packets of all-to-alls are routed; their channel has buffers of its own. */
typedef struct ace_flit {
    uint64_t cycle; /* in which the receiver sees it */
    bool data;
    bool reduce; /* data: the receiver reduces it (else it stores it) */
    bool credit, grant;
    bool routed, routed_credit; /* data: it is routed; a credit for routed ones */
    bool frame, resend;         /* always; the receiver requests every frame from `ack` on again */
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
    uint64_t route;       /* data: on a hub the member it goes to (or ace_switch_peer()), else 0;
                             routed: see below */
} ace_flit;

/* A packet for the switch itself has this bit instead of a peer, with the operation and the type
 * of its row below. */
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
/* Three counters for each link: packets sent again, frames with a wrong CRC, and frames dropped
 * because of their number. */
enum { ACE_LINK_COUNTS = 3 };
/* Does such a frame contain the bit?  Absent parts of a frame are not sent. */
bool ace_flit_has(const ace_flit *f, unsigned bit);

/* How far the two ends of a link have started together (rtl/ace_link_sync.v).  A life of a link is
 * the time from one start to the next, named by its epoch. */
typedef enum ace_link_life {
    ACE_LINK_DOWN,  /* nothing has arrived from the neighbour */
    ACE_LINK_SYNC,  /* the neighbour's epoch has arrived */
    ACE_LINK_UP,    /* the neighbour has also received this end's epoch */
    ACE_LINK_ENDED, /* since then the neighbour has begun another life, or the link was closed */
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
    ACE_LIST_KEYS_FIRST = 16 /* all-to-alls use the keys below */
};

typedef enum ace_list_what {
    ACE_LIST_NOTHING,
    ACE_LIST_SEND,
    ACE_LIST_RECEIVE,
    ACE_LIST_PEERS /* rows that other nodes write follow: the last item of the last row */
} ace_list_what;

/* The keys of lists.  The first keys belong to all-to-alls, two for each set of dimensions.  The
 * last key belongs to messages, whose rows are not counted. */
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
    uint64_t source;     /* in rows, here; of ACE_LIST_PEERS: the first */
    uint32_t target;     /* and at the peer */
    uint16_t piece, gap; /* rows; both 0: one contiguous segment */
    uint64_t bytes;      /* 0: a row that writes nothing */
    /* of a receive, and of ACE_LIST_PEERS */
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

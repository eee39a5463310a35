/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_router.h -- all-to-all packets: dimension-order routing, three packets a cycle
 *
 * The C twin of rtl/ace_router.v: same pins, same cycle, same values.  The RTL's head has the
 * contract, and the argument why no deadlock occurs.
 *
 *     ace_router *r;
 *     if (ace_router_create(3, &r) != ACE_OK) ...
 *     for (;;) {
 *         ace_router_eval(r, &in, &out);     outputs of this cycle; grants answer `in`
 *         ace_router_tick(r, &in);           rising edge
 *     }
 *     ace_router_destroy(r);
 *
 * Rules
 *   Route       ace_route_hops() for each dimension, and the row the packet is written to.  On a
 *               dimension with a hub, the hub makes all hops after the first.
 *   Errors      A packet that would turn back sets `protocol_error` until reset.
 *   Threads     One router, one thread.
 */
#ifndef ACE_ROUTER_H
#define ACE_ROUTER_H

#include "ace_cycle_classes.h"
#include "ace_flit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_ROUTER_QUEUES = ACE_LINKS + 1, /* one for each first link, and one for the own block */
    ACE_ROUTER_PIPES = 3               /* +, -, eject */
};

#define ACE_ROUTER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)          \
    WORD(uint8_t, s_head_valid, ACE_LINKS)                               \
    LANES(uint64_t, s_head_route, 64, ACE_LINKS, s_head_valid)           \
    LANES(uint32_t, s_head_note, 17, ACE_LINKS, s_head_valid)            \
    WORD(uint16_t, s_queue_valid, ACE_ROUTER_QUEUES)                     \
    LANES(uint64_t, s_queue_route, 64, ACE_ROUTER_QUEUES, s_queue_valid) \
    LANES(uint32_t, s_queue_note, 17, ACE_ROUTER_QUEUES, s_queue_valid)  \
    WORD(uint8_t, s_room, ACE_LINKS)                                     \
    WORD(uint8_t, s_room_two, ACE_LINKS)                                 \
    BIT(s_eject_room)

#define ACE_ROUTER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint8_t, m_pop, ACE_LINKS)                              \
    WORD(uint16_t, m_queue_pop, ACE_ROUTER_QUEUES)               \
    WORD(uint8_t, m_reserve, ACE_LINKS)                          \
    WORD(uint8_t, m_out_valid, 2)                                \
    LANES(uint8_t, m_out_link, 3, 2, m_out_valid)                \
    LANES(uint8_t, m_out_source, 4, 2, m_out_valid)              \
    LANES(uint64_t, m_out_route, 64, 2, m_out_valid)             \
    LANES(uint32_t, m_out_note, 17, 2, m_out_valid)              \
    BIT(m_eject_reserve)                                         \
    BIT(m_eject_valid)                                           \
    FIELD(uint8_t, m_eject_source, 4, m_eject_valid)             \
    FIELD(uint32_t, m_eject_row, 32, m_eject_valid)              \
    FIELD(uint32_t, m_eject_note, 17, m_eject_valid)             \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)  \
    BIT(idle)

typedef struct ace_router_in {
    ACE_PORTS(ACE_ROUTER_INPUTS)
} ace_router_in;
typedef struct ace_router_out {
    ACE_PORTS(ACE_ROUTER_OUTPUTS)
} ace_router_out;

/* The header of a packet that goes to a link or to the exchange. */
typedef struct ace_routed {
    uint64_t route;
    uint32_t note;
    uint8_t valid, link, source;
} ace_routed;

typedef struct ace_router {
    unsigned links;                     /* queue `links` is the own block's */
    ace_routed taken[ACE_ROUTER_PIPES]; /* in the last cycle */
    uint8_t turn[ACE_ROUTER_PIPES];
    bool protocol_error;
    ace_cycle_classes classes;
} ace_router;

/* A router in its reset state.  ACE_OK, ACE_EINVAL (dimensions: 3 or 4) or ACE_ENOMEM. */
int ace_router_create(unsigned dimensions, ace_router **router);
void ace_router_destroy(ace_router *r); /* NULL is allowed */
void ace_router_reset(ace_router *r);   /* a rising edge with rst high */
void ace_router_state(ace_router *r, ace_state *s);

/* Is no packet in the pipes?  Without input, ticks then only count idle cycles. */
static inline bool ace_router_idle(const ace_router *r) {
    return !(r->taken[0].valid | r->taken[1].valid | r->taken[2].valid);
}

void ace_router_eval(const ace_router *r, const ace_router_in *in, ace_router_out *out);
void ace_router_tick(ace_router *r, const ace_router_in *in);

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_router_skip(ace_router *r, uint64_t cycles) { r->classes.idle += cycles; }

/* ---- the parts of eval and tick ---- */

/* The source that each pipe takes, or -1.  Numbers below `links` are heads of links; higher numbers
 * are queues of the pipe. */
typedef struct ace_router_grant {
    int from[ACE_ROUTER_PIPES];
    uint16_t queue_pop;
    uint8_t pop, reserve;
} ace_router_grant;

void ace_router_decide(const ace_router *r, const ace_router_in *in, ace_router_grant *grant);
/* Rising edge. */
void ace_router_take(ace_router *r, const ace_router_in *in, const ace_router_grant *grant);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_nic.h -- the network side of a node: links, router, and the exchange of all-to-alls and lists
 *
 * The C twin of rtl/ace_nic.v; the contract is there.  The RTL has the same parts.  A node
 * calls the parts of one edge in this order, so that each part sees the state of the parts before
 * the edge:
 *
 *     ace_nic_offer(n, &e);                     what exchange and router offer, from state alone
 *     ace_nic_plain(n, in, ..., &e, payload);   the links' ports for packets of the switch
 *     ace_nic_routed(n, in, &e, payload, uses); the links' ports for routed packets, the router
 *     ...                                       the memory port takes e.out, and fills in e.in
 *     ace_nic_exchange(n, cfg, cmd, ...);       the exchange, and its pins
 *
 * Rules
 *   Exchange    A node whose exchange, router and routed ports are idle calls ace_nic_plain()
 *               alone, with NULL for e, and ace_nic_idle_cycle() for the counters.
 *   Frames      ace_link_arrive() and what follows it (ace_link.h) surround the calls above.
 *   Threads     One node, one thread.
 */
#ifndef ACE_NIC_H
#define ACE_NIC_H

#include "ace_exchange.h"
#include "ace_link.h"
#include "ace_router.h"
#include "ace_row_uses.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_nic {
    ace_link links;
    ace_exchange *exchange;
    ace_router *router;
    bool exchange_active; /* exchange, router or the links' routed ports have something to do */
    uint64_t
        idle_cycles_uncounted; /* idle cycles of these units that are not in their counters yet */
} ace_nic;

/* Requests and grants of exchange and router in a cycle, and the inputs of the exchange. */
typedef struct ace_exchanging {
    uint8_t wants; /* links on which a routed packet goes first */
    uint8_t waits; /* links on which a routed packet waits for a credit */
    ace_exchange_out out;
    ace_exchange_in in;
    ace_router_in requests;
    ace_router_grant grant;
} ace_exchanging;

/* Creates the parts of a node with parameters `p` and `links` links; `n` is zeroed before.  ACE_OK;
 * or ACE_EINVAL or ACE_ENOMEM, and the caller calls ace_nic_destroy(). */
int ace_nic_create(ace_nic *n, const ace_parameters *p, unsigned links, uint16_t retry,
                   bool payload);
void ace_nic_destroy(ace_nic *n);
/* A rising edge with rst high. */
void ace_nic_reset(ace_nic *n, const ace_config *cfg, ace_pins_out *out);
/* The pins of what the exchange refuses. */
void ace_nic_show_transfers(const ace_nic *n, ace_pins_out *out);

/* Is an all-to-all or a list under way, or does this cycle bring a routed packet or a credit? */
static inline bool ace_nic_exchanges(const ace_nic *n, const ace_pins_in *in) {
    return n->exchange_active || in->rx.routed || in->rx.routed_credit ||
           (n->links.receiver.wrong && ace_link_routed_arrives(&n->links));
}
/* A cycle in which exchange, router and routed ports are idle. */
static inline void ace_nic_idle_cycle(ace_nic *n) { n->idle_cycles_uncounted++; }
/* Without input, ticks then only count idle cycles. */
static inline bool ace_nic_idle(const ace_nic *n) {
    return !n->exchange_active && !ace_link_flying(&n->links) && !ace_link_begins(&n->links) &&
           ace_link_port_idle(n->links.plain);
}
/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_nic_skip(ace_nic *n, uint64_t cycles) {
    ace_link_port_skip(n->links.plain, cycles);
    n->idle_cycles_uncounted += cycles;
}

void ace_nic_offer(ace_nic *n, ace_exchanging *e);
/* pop, reserve, write: a bit for each link, of the datapath; `e` is NULL while the exchange is
 * idle. */
ACE_INLINE void ace_nic_plain(ace_nic *n, const ace_pins_in *in, unsigned pop, unsigned reserve,
                              unsigned write, const ace_exchanging *e, bool payload) {
    ace_link_plain(&n->links, in, pop, reserve, write, e ? e->wants : 0u, e ? e->waits : 0u,
                   payload);
}
/* The row that a pipe took in the last cycle. */
static inline const uint32_t *ace_nic_routed_row(const ace_nic *n, unsigned pipe) {
    const unsigned source = n->router->taken[pipe].source;
    return source == ACE_ROUTER_HERE ? ace_exchange_popped(n->exchange, pipe)
                                     : ace_link_port_popped_data(n->links.routed, source);
}

static inline uint32_t ace_nic_routed_code(const ace_nic *n, unsigned pipe) {
    const unsigned source = n->router->taken[pipe].source;
    return source == ACE_ROUTER_HERE ? ace_exchange_popped_code(n->exchange, pipe)
                                     : ace_link_port_popped_code(n->links.routed, source);
}

/* Packets in the router's pipes move on; the row that leaves the router for the exchange is in
 * e->in afterwards. */
ACE_INLINE void ace_nic_routed(ace_nic *n, const ace_pins_in *in, ace_exchanging *e, bool payload,
                               ace_row_uses *uses) {
    ace_link_port *const p = n->links.routed;
    unsigned write = 0;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_routed *t = &n->router->taken[pipe];
        if (!t->valid) continue;
        const ace_link_header h = { (uint8_t)(t->note >> 8), (uint8_t)t->note,
                                    (uint8_t)(t->note >> 16), 0 };
        const uint32_t *const row = payload ? ace_nic_routed_row(n, pipe) : NULL;
        ace_row_uses_check(uses, pipe ? ACE_ROW_ROUTED_MINUS : ACE_ROW_ROUTED_PLUS, 0, row,
                           ace_nic_routed_code(n, pipe));
        ace_link_port_put_s(p, t->link, h, row);
        ace_link_port_put_s_route(p, t->link, t->route);
        write |= 1u << t->link;
    }
    const ace_routed *ejected = &n->router->taken[2];
    e->in.s_row_valid = ejected->valid;
    e->in.s_row_address = (uint32_t)(ejected->route >> 32);
    e->in.s_row_note = ejected->note;
    e->in.s_row_data = ejected->valid && payload ? ace_nic_routed_row(n, 2) : NULL;
    e->in.s_row_code = ejected->valid && payload ? ace_nic_routed_code(n, 2) : 0;
    e->in.s_reserve = e->grant.from[2] >= 0;
    e->in.s_pop = e->grant.queue_pop;
    ace_link_routed(&n->links, in, e->grant.pop, e->grant.reserve, write, payload);
    ace_router_take(n->router, &e->requests, &e->grant);
}
/* cmd: a command that is taken in this cycle, or NULL; done_ready: its completion may be shown. */
void ace_nic_exchange(ace_nic *n, const ace_config *cfg, const ace_command *cmd, bool done_ready,
                      ace_exchanging *e, ace_row_uses *uses, ace_pins_out *out);

#ifdef __cplusplus
}
#endif
#endif

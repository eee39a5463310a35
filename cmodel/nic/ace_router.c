/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_router.c -- the twin of rtl/ace_router.v: three pipes with round-robin grants
 *
 * The pipes are the plus links, the minus links and ejection. In each cycle a pipe grants one of
 * the heads and own queues that request it, round robin, if the target has room. A packet that
 * enters a ring needs two free rows, a packet that goes on along the ring needs one. The granted
 * packet is on the outputs one cycle later.
 */
#include "ace_router.h"

#include <stdlib.h>

enum { PLUS, MINUS, EJECT };

int ace_router_create(unsigned dimensions, ace_router **router) {
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS) return ACE_EINVAL;
    *router = calloc(1, sizeof **router);
    if (!*router) return ACE_ENOMEM;
    (*router)->links = 2 * dimensions;
    return ACE_OK;
}

void ace_router_destroy(ace_router *r) { free(r); }

void ace_router_reset(ace_router *r) { *r = (ace_router){ .links = r->links }; }

void ace_router_state(ace_router *r, ace_state *s) {
    const unsigned links = r->links;
    ACE_STATE(s, *r);
    ace_state_must(s, r->links == links, "ace_router.links");
    ACE_STATE_BOOLS(s, "ace_router.protocol_error", &r->protocol_error);
    for (unsigned p = 0; p < ACE_ROUTER_PIPES; p++) {
        const ace_routed *t = &r->taken[p];
        ace_state_must(s, r->turn[p] <= ACE_ROUTER_QUEUES + ACE_LINKS, "ace_router.turn");
        ace_state_must(s, t->valid <= 1 && t->link <= ACE_LINKS, "ace_router.taken");
        ace_state_must(s, !t->valid || p == EJECT || t->link < r->links, "ace_router.link");
        ace_state_must(s, !t->valid || t->source < ACE_LINKS + ACE_ROUTER_QUEUES,
                       "ace_router.source");
    }
}

/* The queue behind a source of a pipe. */
static unsigned queue_of(const ace_router *r, unsigned pipe, unsigned from) {
    return pipe == EJECT ? r->links : 2 * (from - r->links) + pipe;
}

void ace_router_decide(const ace_router *r, const ace_router_in *in, ace_router_grant *grant) {
    unsigned requests[ACE_ROUTER_PIPES] = { 0 };

    for (unsigned set = in->s_head_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const unsigned to = ace_route_target(in->s_head_route[l]);
        if (to == ACE_ROUTER_HERE)
            requests[EJECT] |= (unsigned)in->s_eject_room << l;
        else /* on along the ring, or into another */
            requests[to & 1] |= (unsigned)((to == (l ^ 1) ? in->s_room : in->s_room_two) >> to & 1)
                                << l;
    }
    const unsigned own = r->links;
    for (unsigned set = in->s_queue_valid & in->s_room_two & ((1u << own) - 1); set;
         set &= set - 1) {
        const unsigned q = (unsigned)__builtin_ctz(set);
        requests[q & 1] |= 1u << (own + q / 2);
    }
    requests[EJECT] |= (unsigned)(in->s_queue_valid >> own & in->s_eject_room) << own;

    *grant = (ace_router_grant){ .from = { -1, -1, -1 } };
    for (unsigned p = 0; p < ACE_ROUTER_PIPES; p++) {
        if (!requests[p]) continue;
        const unsigned later = requests[p] & ~0u << r->turn[p];
        const unsigned from = (unsigned)__builtin_ctz(later ? later : requests[p]);
        grant->from[p] = (int)from;
        if (from < own)
            grant->pop |= (uint8_t)(1u << from);
        else
            grant->queue_pop |= (uint16_t)(1u << queue_of(r, p, from));
        if (p == EJECT) continue;
        grant->reserve |= (uint8_t)(1u << (from < own ? ace_route_target(in->s_head_route[from])
                                                      : queue_of(r, p, from)));
    }
}

void ace_router_take(ace_router *r, const ace_router_in *in, const ace_router_grant *grant) {
    bool any = false;

    for (unsigned p = 0; p < ACE_ROUTER_PIPES; p++) {
        ace_routed *t = &r->taken[p];
        t->valid = grant->from[p] >= 0;
        if (!t->valid) continue;
        const unsigned from = (unsigned)grant->from[p];
        const bool head = from < r->links;
        t->route = head ? in->s_head_route[from] : in->s_queue_route[queue_of(r, p, from)];
        t->note = head ? in->s_head_note[from] : in->s_queue_note[queue_of(r, p, from)];
        t->source = (uint8_t)(head ? from : ACE_ROUTER_HERE);
        t->link = (uint8_t)ace_route_target(t->route);
        const unsigned queue = p == EJECT ? ACE_ROUTER_HERE : queue_of(r, p, from);
        r->protocol_error |=
            head ? t->link == from : t->link != queue; /* back; not its queue's link */
        if (p != EJECT) t->route -= UINT64_C(1) << 8 * (t->link / 2);
        r->turn[p] = (uint8_t)(from + 1);
        any = true;
    }
    ace_cycle_classes_tick(&r->classes, any, (in->s_head_valid | in->s_queue_valid) != 0, false);
}

void ace_router_eval(const ace_router *r, const ace_router_in *in, ace_router_out *out) {
    ace_router_grant grant;

    ace_router_decide(r, in, &grant);
    *out = (ace_router_out){ .m_pop = grant.pop,
                             .m_queue_pop = grant.queue_pop,
                             .m_reserve = grant.reserve,
                             .m_eject_reserve = grant.from[EJECT] >= 0,
                             .m_eject_valid = r->taken[EJECT].valid,
                             .m_eject_source = r->taken[EJECT].source,
                             .m_eject_row = (uint32_t)(r->taken[EJECT].route >> 32),
                             .m_eject_note = r->taken[EJECT].note,
                             .idle = ace_router_idle(r) };
    for (unsigned p = 0; p < EJECT; p++) {
        const ace_routed *t = &r->taken[p];
        out->m_out_valid |= (uint8_t)(t->valid << p);
        out->m_out_link[p] = t->link;
        out->m_out_source[p] = t->source;
        out->m_out_route[p] = t->route;
        out->m_out_note[p] = t->note;
    }
    ace_cycle_classes_lanes(&r->classes, out->count);
}

void ace_router_tick(ace_router *r, const ace_router_in *in) {
    ace_router_grant grant;

    ace_router_decide(r, in, &grant);
    ace_router_take(r, in, &grant);
}

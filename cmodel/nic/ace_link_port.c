/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_port.c -- the buffers of all links of a node, their checks and their counts
 *
 * One object holds a lane for each link, so that the hot path, which is inline in the header,
 * works on vectors. This file has the rest: memory, reset, the check of a loaded state, and the
 * counters. Narrow counters of a lane are added to wide ones from time to time, and idle cycles
 * are what remains of all cycles.
 */
#include "ace_link_port.h"

#include <stdlib.h>

#include "ace_flit.h"

int ace_link_port_create_lanes(unsigned lanes, unsigned input_rows, unsigned output_rows,
                               bool routes, bool payload, ace_link_port **port) {
    if (lanes < 1 || lanes > ACE_LINK_LANES || input_rows < 1 || input_rows > 65535 ||
        output_rows < 1 || output_rows > 65535)
        return ACE_EINVAL;
    ace_link_port *p = aligned_alloc(_Alignof(ace_link_port), sizeof *p);
    if (!p) return ACE_ENOMEM;
    memset(p, 0, sizeof *p);
    p->lanes = lanes;
    p->input_rows = input_rows;
    p->output_rows = output_rows;
    for (unsigned l = 0; l < ACE_LINK_LANES; l++) ace_link_port_set_cost(p, l, ACE_COST_ONE);
    p->in_mask = ace_ring_slots(input_rows) - 1;
    p->out_mask = ace_ring_slots(output_rows + ACE_LINK_LEAVING - 1) - 1;
    const size_t in = ace_link_slot(0, p->in_mask + 1), out = ace_link_slot(0, p->out_mask + 1);
    p->in_headers = calloc(in, sizeof *p->in_headers);
    p->out_headers = calloc(out, sizeof *p->out_headers);
    p->out_sums = calloc(p->out_mask + 1, sizeof *p->out_sums);
    if (routes) {
        p->in_routes = calloc(in, sizeof *p->in_routes);
        p->out_routes = calloc(out, sizeof *p->out_routes);
    }
    if (payload) {
        p->in_rows = calloc(in, sizeof *p->in_rows);
        p->out_rows = calloc(out, sizeof *p->out_rows);
        p->in_codes = calloc(in, sizeof *p->in_codes);
    }
    if (!p->in_headers || !p->out_headers || !p->out_sums ||
        (routes && (!p->in_routes || !p->out_routes)) ||
        (payload && (!p->in_rows || !p->out_rows || !p->in_codes))) {
        ace_link_port_destroy(p);
        return ACE_ENOMEM;
    }
    ace_link_port_reset(p);
    *port = p;
    return ACE_OK;
}

int ace_link_port_create(unsigned input_rows, unsigned output_rows, bool payload,
                         ace_link_port **port) {
    return ace_link_port_create_lanes(1, input_rows, output_rows, true, payload, port);
}

void ace_link_port_destroy(ace_link_port *p) {
    if (!p) return;
    free(p->in_headers);
    free(p->out_headers);
    free(p->out_sums);
    free(p->in_routes);
    free(p->out_routes);
    free(p->in_rows);
    free(p->out_rows);
    free(p->in_codes);
    free(p);
}

void ace_link_port_reset(ace_link_port *p) {
    for (unsigned l = 0; l < ACE_LINK_LANES; l++) {
        p->in_head[l] = p->in_tail[l] = p->in_count[l] = p->in_end[l] = 0;
        p->out_head[l] = p->out_tail[l] = p->out_count[l] = p->reserved[l] = 0;
        p->credits[l] = p->input_rows;
        p->acc[l] = 0;
        p->busy[l] = p->starved[l] = p->blocked[l] = 0;
    }
    memset(p->counted, 0, sizeof p->counted);
    p->cycles = p->uncounted = 0;
    p->tx_valid = p->tx_credit = p->popped = p->m_head_valid = 0;
    p->sum_comes[0] = p->sum_comes[1] = false;
    p->sum_at = p->shown = 0;
    p->sent = false;
    p->s_room = (1u << ACE_LINK_LANES) - 1; /* lanes without a port act as idle ports */
    p->protocol_error = false;
}

/* As in tests/formal/link_port.v: slots and credits. Buffers have at most as many rows as slots. */
static void check_lane(const ace_link_port *p, unsigned l, ace_state *s) {
    const uint32_t in = p->in_mask, out = p->out_mask;
    ace_state_must(s, p->in_head[l] <= in, "ace_link_port.in_head");
    ace_state_must(s, p->in_tail[l] <= in, "ace_link_port.in_tail");
    ace_state_must(s, p->in_end[l] <= in, "ace_link_port.in_end");
    ace_state_must(s,
                   p->in_count[l] <= p->input_rows &&
                       p->in_count[l] == ((p->in_tail[l] - p->in_head[l]) & in),
                   "ace_link_port.in_count");
    ace_state_must(s, ace_link_port_held(p, l) <= p->input_rows, "ace_link_port.in_end");
    ace_state_must(s, p->out_head[l] <= out, "ace_link_port.out_head");
    ace_state_must(s, p->out_tail[l] <= out, "ace_link_port.out_tail");
    ace_state_must(s,
                   p->out_count[l] <= p->output_rows &&
                       p->out_count[l] == ((p->out_tail[l] - p->out_head[l]) & out),
                   "ace_link_port.out_count");
    ace_state_must(s, p->reserved[l] <= p->output_rows - p->out_count[l], "ace_link_port.reserved");
    ace_state_must(s, p->credits[l] <= p->input_rows, "ace_link_port.credits");
    ace_state_must(s, p->acc[l] <= p->cost[l] + ACE_COST_ONE, "ace_link_port.acc");
    ace_state_must(s, (p->m_head_valid >> l & 1) == (p->in_count[l] != 0),
                   "ace_link_port.m_head_valid");
}

static void check(const ace_link_port *p, const ace_link_port *made, ace_state *s) {
    ace_state_must(s,
                   p->lanes == made->lanes && p->input_rows == made->input_rows &&
                       p->output_rows == made->output_rows && p->in_mask == made->in_mask &&
                       p->out_mask == made->out_mask,
                   "ace_link_port.rows");
    ace_state_must(s, !memcmp(&p->cost, &made->cost, sizeof p->cost), "ace_link_port.cost");
    ACE_STATE_BOOLS(s, "ace_link_port.sent", &p->protocol_error, &p->sum_comes[0], &p->sum_comes[1],
                    &p->sent);
    ace_state_must(s, p->sum_at <= p->out_mask && p->shown <= p->out_mask, "ace_link_port.sum_at");
    for (unsigned l = 0; ace_state_loaded(s) && l < ACE_LINK_LANES; l++) check_lane(p, l, s);
}

void ace_link_port_state(ace_link_port *p, ace_state *s) {
    const ace_link_port made = *p;
    const size_t in = ace_link_slot(0, p->in_mask + 1), out = ace_link_slot(0, p->out_mask + 1);
    ACE_STATE_BUT(s, *p, &p->in_headers, &p->out_headers, &p->in_routes, &p->out_routes,
                  &p->in_rows, &p->out_rows, &p->in_codes, &p->out_sums);
    if (ace_state_loaded(s)) check(p, &made, s);
    ace_state_bytes(s, p->in_headers, in * sizeof *p->in_headers);
    ace_state_bytes(s, p->out_headers, out * sizeof *p->out_headers);
    if (p->in_routes) {
        ace_state_bytes(s, p->in_routes, in * sizeof *p->in_routes);
        ace_state_bytes(s, p->out_routes, out * sizeof *p->out_routes);
    }
    if (!p->in_rows) return;
    ace_state_bytes(s, p->in_rows, in * sizeof *p->in_rows);
    ace_state_bytes(s, p->out_rows, out * sizeof *p->out_rows);
    ace_state_bytes(s, p->in_codes, in * sizeof *p->in_codes);
}

static void check_headers(const ace_link_port *p, unsigned lane, bool out, unsigned rows,
                          unsigned phases, unsigned contexts, ace_state *s) {
    const ace_link_header *const h = out ? p->out_headers : p->in_headers;
    const uint32_t mask = out ? p->out_mask : p->in_mask;
    const uint32_t first = out ? p->out_head[lane] : p->in_head[lane];
    for (uint32_t i = 0; i < rows; i++) {
        const ace_link_header *const k = &h[ace_link_slot(lane, (first + i) & mask)];
        ace_state_must(s, k->reduce <= 1 && ace_context_is(k->context, phases, contexts),
                       "ace_link_port.header");
    }
}

bool ace_link_port_unused(const ace_link_port *p, unsigned lane) {
    return !((p->tx_valid | p->tx_credit | p->m_head_valid) >> lane & 1) && !p->in_count[lane] &&
           !p->out_count[lane];
}

void ace_link_port_check_contexts(const ace_link_port *p, unsigned phases, unsigned contexts,
                                  unsigned wrong, ace_state *s) {
    for (unsigned l = 0; ace_state_loaded(s) && l < ACE_LINK_LANES; l++) {
        const unsigned in = wrong >> l & 1 ? p->in_count[l] : ace_link_port_held(p, l);
        check_headers(p, l, false, in, phases, contexts, s);
        check_headers(p, l, true, p->out_count[l], phases, contexts, s);
    }
}

void ace_link_port_count(ace_link_port *p) {
    ace_lanes *const narrow[ACE_LINK_COUNTED] = { &p->busy, &p->starved, &p->blocked };
    for (unsigned i = 0; i < ACE_LINK_COUNTED; i++)
        for (unsigned l = 0; l < ACE_LINK_LANES; l++) {
            p->counted[i][l] += (*narrow[i])[l];
            (*narrow[i])[l] = 0;
        }
    p->uncounted = 0;
}

void ace_link_port_classes(const ace_link_port *p, unsigned lane,
                           uint64_t cycles[ACE_COUNT_LANES]) {
    const uint64_t busy = p->counted[ACE_COUNT_BUSY][lane] + p->busy[lane];
    const uint64_t starved = p->counted[ACE_COUNT_STARVED][lane] + p->starved[lane];
    const uint64_t blocked = p->counted[ACE_COUNT_BLOCKED][lane] + p->blocked[lane];
    const uint64_t idle = p->cycles - busy - starved - blocked;
    ace_cycle_classes_lanes(&(ace_cycle_classes){ busy, starved, blocked, idle }, cycles);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_exchange.c -- one cycle of the exchange, router and ports of an endpoint in software
 *
 * Memory is modelled as two queues of answers, each with its cycle. A cycle shows the state to the
 * router, lets the router decide, serves memory, and then ticks the exchange, the router and the
 * ports. Rows have no data here, except the rows of lists, which the exchange has to read.
 */
#include "baseline_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "ace_composition.h"
#include "ace_exchange.h"
#include "ace_memory.h"
#include "ace_router.h"

enum {
    BURSTS = ACE_EXCHANGE_BURSTS_MAX,
    EJECT = ACE_ROUTER_PIPES - 1,
    LISTS = 8,            /* lists that the exchange may still read: it has at most five */
    LIST_BYTES = 1 << 20, /* distance of two lists in memory */
    ADDRESSES = 16 /* of rows to write: the exchange requests at most as many as it has slots */
};

/* Outstanding requests: the cycle of each answer, in order, and the address. */
typedef struct answers {
    uint64_t cycle[BURSTS], address[BURSTS];
    uint32_t head, count;
} answers;

struct baseline_exchange {
    ace_exchange *exchange;
    ace_link_port *port;
    ace_router router;
    answers reads, writes;
    uint32_t ring, rank;         /* of the cfg_* pins */
    uint64_t address[ADDRESSES]; /* of rows whose data have not come */
    uint32_t address_head, addresses;
    bool arrived; /* the trailer with this label was written */
    uint32_t label;
    uint32_t lists; /* number of lists so far */
    uint32_t *list[LISTS], list_bytes[LISTS];
    uint32_t row[ACE_ROW_WORDS];
};

static void answer_in(answers *a, uint64_t cycle, uint64_t address) {
    a->address[(a->head + a->count) % BURSTS] = address;
    a->cycle[(a->head + a->count++) % BURSTS] = cycle;
}
static bool answer_now(answers *a, uint64_t now) {
    if (!a->count || a->cycle[a->head] > now) return false;
    a->head = (a->head + 1) % BURSTS;
    a->count--;
    return true;
}

/* The fields of a header that the receiver needs, as one number. */
static uint32_t sideband_of(const ace_link_header *h) {
    return (uint32_t)h->reduce << 16 | (uint32_t)h->context << 8 | h->mark;
}
static ace_link_header header_of(uint32_t sideband) {
    return (ace_link_header){ (uint8_t)(sideband >> 8), (uint8_t)sideband, sideband >> 16 & 1, 0 };
}

int baseline_exchange_create(const ace_node_setup *setup, unsigned queue_rows,
                             baseline_exchange **to) {
    const ace_parameters *p = &setup->parameters;
    baseline_exchange *x = calloc(1, sizeof *x);
    int err;

    if (!x) return ACE_ENOMEM;
    x->router.links = 2 * p->dimensions;
    err = ace_exchange_create(p->dimensions, queue_rows < 1024 ? queue_rows : 1024, BURSTS,
                              ACE_LIST_SENDS, false, &x->exchange);
    if (err == ACE_OK)
        err = ace_link_port_create_lanes(ACE_LINKS, p->router_input_rows, p->router_output_rows,
                                         true, false, &x->port);
    if (err != ACE_OK) {
        baseline_exchange_destroy(x);
        return err;
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        x->ring |= (uint32_t)setup->config.ring[d] << 8 * d;
        x->rank |= (uint32_t)setup->config.rank[d] << 8 * d;
    }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        ace_link_port_set_cost(x->port, l, setup->config.link_cost[l / 2]);
    *to = x;
    return ACE_OK;
}

void baseline_exchange_destroy(baseline_exchange *x) {
    if (!x) return;
    for (unsigned i = 0; i < LISTS; i++) free(x->list[i]);
    ace_exchange_destroy(x->exchange);
    ace_link_port_destroy(x->port);
    free(x);
}

static bool answers_fit(const answers *a) { return a->head < BURSTS && a->count <= BURSTS; }

static void check(const baseline_exchange *x, uint32_t ring, uint32_t rank, ace_state *s) {
    ACE_STATE_BOOLS(s, "baseline_exchange.arrived", &x->arrived);
    ace_state_must(s, x->ring == ring && x->rank == rank, "baseline_exchange.ring");
    ace_state_must(s, answers_fit(&x->reads) && answers_fit(&x->writes),
                   "baseline_exchange.answers");
    ace_state_must(s, x->address_head < ADDRESSES && x->addresses <= ADDRESSES,
                   "baseline_exchange.addresses");
    for (unsigned i = 0; i < LISTS; i++)
        ace_state_must(s, x->list_bytes[i] <= LIST_BYTES, "baseline_exchange.list_bytes");
}

void baseline_exchange_state(baseline_exchange *x, ace_state *s) {
    const uint32_t ring = x->ring, rank = x->rank;

    ace_router_state(&x->router, s);
    const ace_router router = x->router;
    ACE_STATE_BUT(s, *x, &x->exchange, &x->port, &x->list[0], &x->list[1], &x->list[2], &x->list[3],
                  &x->list[4], &x->list[5], &x->list[6], &x->list[7]);
    x->router = router;
    if (ace_state_loaded(s)) check(x, ring, rank, s);
    for (unsigned i = 0; i < LISTS && !s->failed; i++) {
        void *words = x->list[i];

        ace_state_array(s, &words, x->list_bytes[i], 1);
        x->list[i] = words;
    }
    ace_exchange_state(x->exchange, s);
    ace_link_port_state(x->port, s);
}

bool baseline_exchange_ready(const baseline_exchange *x) {
    return ace_exchange_cmd_ready(x->exchange);
}

bool baseline_exchange_idle(const baseline_exchange *x) {
    return ace_exchange_idle(x->exchange) && ace_router_idle(&x->router) &&
           ace_link_port_idle(x->port) && !(x->port->m_head_valid % (1U << ACE_LINKS));
}

bool baseline_exchange_error(const baseline_exchange *x) {
    return x->exchange->protocol_error || x->router.protocol_error;
}

bool baseline_exchange_waits(const baseline_exchange *x) {
    return x->exchange->ask[ACE_EXCHANGE_STAGES - 1].valid;
}

const ace_link_port *baseline_exchange_ports(const baseline_exchange *x) { return x->port; }

void baseline_exchange_receive(baseline_exchange *x, unsigned link, const ace_flit *f) {
    ace_link_port_put_rx(x->port, link, (ace_link_header){ f->context, f->mark, f->reduce, 0 },
                         NULL);
    ace_link_port_put_rx_route(x->port, link, f->route);
}

/* Sets the router's inputs from the ports and queues. */
static void show_router(const baseline_exchange *x, const ace_exchange_out *queues,
                        ace_router_in *in) {
    const ace_link_port *p = x->port;
    const unsigned links = (1U << x->router.links) - 1; /* the links that exist */

    in->s_head_valid = (uint8_t)(p->m_head_valid & links);
    for (unsigned set = in->s_head_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);

        in->s_head_route[l] = ace_link_port_head_route(p, l);
        in->s_head_note[l] = sideband_of(ace_link_port_head(p, l));
    }
    in->s_queue_valid = queues->m_head_valid;
    for (unsigned set = in->s_queue_valid; set; set &= set - 1) {
        const unsigned q = (unsigned)__builtin_ctz(set);

        in->s_queue_route[q] = queues->m_head_route[q];
        in->s_queue_note[q] = queues->m_head_note[q];
    }
    in->s_room = (uint8_t)(p->s_room & links);
    in->s_room_two = (uint8_t)(ace_link_port_room_two(p) & links);
    in->s_eject_room = queues->m_room;
}

void baseline_exchange_list(baseline_exchange *x, uint32_t *words, uint32_t bytes) {
    const unsigned at = x->lists++ % LISTS;

    free(x->list[at]);
    x->list[at] = words;
    x->list_bytes[at] = bytes;
}

bool baseline_exchange_heard(const baseline_exchange *x, uint32_t *label) {
    *label = x->label;
    return x->arrived;
}

/* Returns a row of a list; the last one is padded with zeros. Other memory has no contents. */
static const uint32_t *row_at(baseline_exchange *x, uint64_t address) {
    const uint64_t from = address - ACE_LISTS_ADDRESS, at = from % LIST_BYTES;
    const unsigned l = (unsigned)(from / LIST_BYTES % LISTS);
    const uint64_t left = at < x->list_bytes[l] ? x->list_bytes[l] - at : 0;

    if (address < ACE_LISTS_ADDRESS) return NULL;
    memset(x->row, 0, sizeof x->row);
    if (left)
        memcpy(x->row, x->list[l] + at / 4, left < ACE_ROW_BYTES ? (size_t)left : ACE_ROW_BYTES);
    return x->row;
}

/* Serves reads and writes, and answers requests that are due. */
static void serve(baseline_exchange *x, baseline_memory *m, uint64_t now,
                  const ace_exchange_out *out, ace_exchange_in *in) {
    const uint64_t read = x->reads.address[x->reads.head];

    in->s_r_valid = answer_now(&x->reads, now);
    if (in->s_r_valid) in->s_r_data = row_at(x, read);
    in->s_b_valid = answer_now(&x->writes, now);
    in->m_ar_ready = memory_read_from(m) <= now;
    in->m_aw_ready = true;
    in->m_w_ready = memory_write_from(m) <= now;
    if (out->m_ar_valid && in->m_ar_ready)
        answer_in(&x->reads, memory_read(m, now, 1), out->m_ar_addr);
    if (out->m_aw_valid)
        x->address[(x->address_head + x->addresses++) % ADDRESSES] = out->m_aw_addr;
    x->arrived = false;
    if (out->m_w_valid && in->m_w_ready) {
        answer_in(&x->writes, memory_write(m, now), 0);
        x->arrived = ace_trailer(x->address[x->address_head], out->m_w_strb, &x->label);
        x->address_head = (x->address_head + 1) % ADDRESSES;
        x->addresses--;
    }
}

bool baseline_exchange_cycle(baseline_exchange *x, baseline_memory *m, uint64_t now,
                             unsigned packets, unsigned credits, const ace_command *c) {
    /* Software may write anywhere, so its windows are all of memory. */
    ace_exchange_in in = { .cfg_ring = x->ring,
                           .cfg_rank = x->rank,
                           .cfg_window_last = { UINT32_MAX, UINT32_MAX },
                           .m_done_ready = true };
    const ace_routed *const taken = x->router.taken, *const eject = &taken[EJECT];
    ace_router_in routed = { 0 };
    ace_router_grant grant;
    ace_exchange_out out;
    unsigned sends = 0;

    ace_exchange_eval(x->exchange, &out);
    show_router(x, &out, &routed);
    ace_router_decide(&x->router, &routed, &grant);
    for (unsigned pipe = 0; pipe < EJECT; pipe++) {
        const ace_routed *t = &taken[pipe];

        if (!t->valid) continue;
        ace_link_port_put_s(x->port, t->link, header_of(t->note), NULL);
        ace_link_port_put_s_route(x->port, t->link, t->route);
        sends |= 1U << t->link;
    }
    in.s_pop = grant.queue_pop;
    in.s_reserve = grant.from[EJECT] >= 0;
    in.s_row_valid = eject->valid;
    in.s_row_address = (uint32_t)(eject->route >> 32);
    in.s_row_note = eject->note;
    if (c) {
        in.s_cmd_valid = true;
        in.s_cmd_dim_count = c->dim_count;
        for (unsigned i = 0; i < c->dim_count; i++)
            in.s_cmd_dims = (uint8_t)(in.s_cmd_dims | c->dims[i] << 2 * i);
        in.s_cmd_list = c->kind == ACE_LIST;
        in.s_cmd_source = c->source;
        if (in.s_cmd_list)
            in.s_cmd_source = ACE_LISTS_ADDRESS + (x->lists - 1) % LISTS * (uint64_t)LIST_BYTES;
        in.s_cmd_destination = c->destination;
        in.s_cmd_bytes = c->bytes;
        in.s_cmd_tag = c->tag;
    }
    serve(x, m, now, &out, &in);
    ace_exchange_tick(x->exchange, &in);
    ace_router_take(&x->router, &routed, &grant);
    ace_link_port_cycle(x->port, packets, packets, credits, grant.pop, grant.reserve, sends, 0, 0);
    return out.m_done_valid;
}

void baseline_exchange_skip(baseline_exchange *x, uint64_t cycles) {
    ace_exchange_skip(x->exchange, cycles);
    ace_router_skip(&x->router, cycles);
    ace_link_port_skip(x->port, cycles);
}

void baseline_exchange_classes(const baseline_exchange *x,
                               uint64_t cycles[BASELINE_EXCHANGE_UNITS][4]) {
    ace_cycle_classes_lanes(&x->exchange->read, cycles[0]);
    ace_cycle_classes_lanes(&x->exchange->write, cycles[1]);
    ace_cycle_classes_lanes(&x->router.classes, cycles[2]);
}

void baseline_exchange_dump(const baseline_exchange *x, FILE *to) {
    const ace_exchange *e = x->exchange;

    fprintf(to, "  all-to-all: %u commands wait, %s, %u rows being read, %u being written\n",
            e->commands, e->state == ACE_EXCHANGE_IDLE ? "none under way" : "one under way",
            x->reads.count, x->writes.count);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        fprintf(to, "  link %c%c: %u routed packets came in, %u wait to leave, %u credits\n",
                ACE_DIMENSION_LETTERS[l / 2], l % 2 ? '-' : '+', x->port->in_count[l],
                x->port->out_count[l], x->port->credits[l]);
}

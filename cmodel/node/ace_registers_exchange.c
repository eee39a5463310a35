/* SPDX-License-Identifier: Apache-2.0 */
/* ace_registers_exchange.c -- the registers of what serves all-to-alls: exchange, lists, router */
#include <string.h>

#include "ace_register_view.h"

static const uint64_t row_address = (UINT64_C(1) << 40) - 1;

/* A row that will be requested: the twin has all of it from the first stage on. */
static void exchange_requests(const view *v, const ace_exchange *x) {
    const ace_exchange_ask *to = &x->ask[0], *parts = &x->ask[1], *sum = &x->ask[2],
                           *far = &x->ask[3], *ask = &x->ask[4];
    uint64_t row[4] = { 0 }, from[4] = { 0 }, position = 0;
    fields part = { .bits = 0 };
    for (unsigned i = 0; i < 4; i++) {
        if (!x->ask[i].valid) continue;
        row[i] = (uint32_t)((x->ask[i].route >> 32) - x->target);
        from[i] = (x->ask[i].source - x->source - row[i]) & row_address;
    }
    for (unsigned d = 0; d < x->dimensions; d++) {
        const uint64_t at = to->valid ? from[0] / x->stride[d] % x->size[d] : 0;
        const uint64_t was = parts->valid ? from[1] / x->stride[d] % x->size[d] : 0;
        position |= at << 8 * d;
        append(&part, 33, was * x->stride[d], parts->valid);
    }
    see(v, "to_valid_q", to->valid);
    see_if(v, "to_row_q", row[0], to->valid);
    see_if(v, "to_hops_q", to->route & UINT32_MAX, to->valid);
    see_if(v, "to_place_q", position, to->valid);
    see(v, "parts_valid_q", parts->valid);
    see_if(v, "parts_row_q", row[1], parts->valid);
    see_if(v, "parts_hops_q", parts->route & UINT32_MAX, parts->valid);
    see_fields(v, "parts_q", 0, &part);
    see(v, "from_valid_q", sum->valid);
    see_if(v, "from_row_q", row[2], sum->valid);
    see_if(v, "from_hops_q", sum->route & UINT32_MAX, sum->valid);
    see_if(v, "from_q", from[2], sum->valid);
    see(v, "far_valid_q", far->valid);
    see_if(v, "far_hops_q", far->route & UINT32_MAX, far->valid);
    see_if(v, "far_source_q", from[3] + row[3], far->valid);
    see_if(v, "far_target_q", far->route >> 32, far->valid);
    see_if(v, "far_q", (from[3] > x->own_rows ? from[3] : x->own_rows) + row[3], far->valid);
    see(v, "ask_valid_q", ask->valid);
    see_if(v, "ask_list_q", ask->queue == ACE_EXCHANGE_LIST, ask->valid);
    see_if(v, "ask_source_q", ask->source, ask->valid);
    const bool sends = ask->valid && ask->queue != ACE_EXCHANGE_LIST;
    see_if(v, "ask_key_q", ask->note & 0xff, sends);
    see_if(v, "ask_hops_q", ask->route & UINT32_MAX, sends);
    see_if(v, "ask_target_q", ask->route >> 32, sends);
    see_if(v, "ask_bytes_q", ask->note >> 8, sends);
}

static void exchange_command(const view *v, const ace_exchange *x) {
    const bool begun = x->state != ACE_EXCHANGE_IDLE, busy = begun && !x->list;
    const bool runs = x->state == ACE_EXCHANGE_RUN && !x->list;
    see(v, "cmds_q", x->commands);
    see(v, "cmd_rd_q", x->command_head);
    see(v, "cmd_wr_q", (x->command_head + x->commands) % ACE_EXCHANGE_COMMANDS);
    for (unsigned i = 0; i < ACE_EXCHANGE_COMMANDS; i++) {
        const ace_exchange_command *c = &x->command[i];
        const bool waits = (i - x->command_head) % ACE_EXCHANGE_COMMANDS < x->commands;
        see_entry(v, "cmd_list_q", i, c->list, waits);
        see_entry(v, "cmd_mask_q", i, c->mask, waits);
        see_entry(v, "cmd_source_q", i, c->source * ACE_ROW_BYTES, waits);
        see_entry(v, "cmd_destination_q", i, (uint32_t)c->destination, waits);
        see_entry(v, "cmd_bytes_q", i, c->bytes, waits);
        see_entry(v, "cmd_tag_q", i, c->tag, waits);
    }
    see(v, "state_q", x->state);
    see_if(v, "step_q", ACE_EXCHANGE_SETUP_CYCLES + 2 * x->dimensions - x->left,
           x->state == ACE_EXCHANGE_SETUP);
    see_if(v, "list_q", x->list, begun);
    see_if(v, "mask_q", x->mask, busy);
    see_if(v, "tag_q", x->tag, begun);
    see_if(v, "source_q", x->source, busy);
    see_if(v, "target_q", x->target, runs);
    see_if(v, "last_q", x->vector_rows - 1, busy);
    see_if(v, "tail_q", x->tail_bytes, busy);
    see_if(v, "sizes_q", packed_bytes(x->size, x->dimensions, 8), busy);
    see_if(v, "place_q", packed_bytes(x->rank, x->dimensions, 8), busy);
    fields strides = { .bits = 0 };
    for (unsigned d = 0; d < x->dimensions; d++) append(&strides, 33, x->stride[d], runs);
    see_fields(v, "strides_q", 0, &strides);
    see_if(v, "block_q", x->block, runs);
    see_if(v, "total_q", x->total, runs);
    see_if(v, "own_rows_q", x->own_rows, runs);
    see_if(v, "all_arrived_q", x->arrived[ace_exchange_key(x)] == x->total, runs);
    see(v, "walking_q", x->walking);
    see_if(v, "row_q", x->row, x->walking);
    see_if(v, "mirror_q", x->mirror, x->walking);
    fields starts = { .bits = 0 };
    for (unsigned d = 0; d < x->dimensions; d++)
        for (unsigned k = 0; k < x->dimensions; k++) append(&starts, 8, x->start[d][k], x->walking);
    see_fields(v, "starts_q", 0, &starts);
}

static void list_walk(const view *v, const ace_list_walk *l) {
    see_if(v, "fetch_row_q", l->fetch_row, l->fetch_left != 0);
    see(v, "fetch_left_q", l->fetch_left);
    see(v, "fetching_q", l->fetch_left != 0);
    see(v, "places_q", l->places);
    see(v, "held_q", l->held);
    see(v, "wr_q", l->wr);
    see(v, "rd_q", l->rd);
    see(v, "item_q", l->item);
    for (unsigned i = 0; i < ACE_LIST_ROWS; i++)
        for (unsigned w = 0; w < ACE_ROW_WORDS; w += 2) {
            const uint64_t word = l->list[i][w] | (uint64_t)l->list[i][w + 1] << 32;
            const bool held = (i - l->rd) % ACE_LIST_ROWS < l->held;
            v->see(v->self, &(ace_register){ v->unit, "list_q", i, NULL, 32 * w, word, all_if(held),
                                             false });
            if (w == 0) see_entry(v, "list_code_q", i, l->codes[i], held);
        }
    see_may_differ(v, "u_check.g_code.looked_q", 0, 0);
    see_may_differ(v, "u_check.g_code.wrong_q", 0, 0);
    see(v, "here_q", l->here);
    see_if(v, "now_at_q", l->now_at, l->here);
    see(v, "enough_q", l->enough);
    see(v, "peers_q", l->peers);
    for (unsigned w = 0; w < ACE_LIST_ITEM_BYTES / 4; w += 2) {
        const uint64_t word = l->now[w] | (uint64_t)l->now[w + 1] << 32;
        v->see(v->self,
               &(ace_register){ v->unit, "now_q", 0, NULL, 32 * w, word, all_if(l->here), false });
    }
    see(v, "valid_q", l->valid);
    see(v, "turn_q", l->turn);
    for (unsigned i = 0; i < l->sends; i++) {
        const ace_list_send *s = &l->send[i];
        const bool valid = l->valid >> i & 1;
        see_entry(v, "hops_q", i, s->hops, valid);
        see_entry(v, "key_q", i, s->key, valid);
        see_entry(v, "source_q", i, s->source, valid);
        see_entry(v, "target_q", i, s->target, valid);
        see_entry(v, "left_q", i, s->left, valid);
        see_entry(v, "tail_q", i, s->tail, valid);
        see_entry(v, "piece_q", i, s->piece, valid);
        see_entry(v, "gap_q", i, s->gap, valid);
        see_entry(v, "piece_left_q", i, s->piece_left, valid);
        see_entry(v, "jump_q", i, s->piece_left == 1 ? s->gap + 1u : 1, valid);
    }
}

static void exchange_queue(const view *v, const ace_exchange *x, unsigned q) {
    const ace_exchange_queue *k = &x->queue[q];
    see_may_differ(v, "rd_q", 0, 0);
    see_may_differ(v, "wr_q", 0, k->held % x->rows);
    see(v, "held_q", k->held);
    see(v, "used_q", k->used);
    for (unsigned i = 0; i < x->rows; i++) {
        const size_t at = q * x->slots + ((k->head + i) & x->slot_mask);
        see_wide(v, "header_q", "rd_q", i, x->routes[at], x->notes[at], i < k->held);
    }
}

/* Where the rows of a queue are: their array, which rings share, and its first entry. */
typedef struct queue_rows {
    const char *rows, *codes;
    unsigned first;
} queue_rows;

static queue_rows rows_of_queue(const ace_exchange *x, unsigned q) {
    unsigned ring = 1;
    while (ring < x->rows) ring *= 2; /* entries from one queue of a group to the next */
    if (x->rows == 1) ring = 2;
    if (q == 2 * x->dimensions) return (queue_rows){ "own_row_q", "own_row_code_q", 0 };
    return q % 2 ? (queue_rows){ "minus_q", "minus_code_q", q / 2 * ring }
                 : (queue_rows){ "plus_q", "plus_code_q", q / 2 * ring };
}
static size_t index_in_queue(const ace_exchange *x, unsigned q, unsigned i) {
    return q * x->slots + ((x->queue[q].head + i) & x->slot_mask);
}
/* The row that a group of queues gave in the last cycle. */
static bool is_popped(const ace_cycle_core *n, unsigned group) {
    const ace_routed *t = &n->nic.router->taken[group];
    return t->valid && t->source == ACE_ROUTER_HERE;
}

/* Free slots have code 0, the code of the zeros that are loaded there. */
static void exchange_codes(const view *v, const ace_cycle_core *n) {
    static const char *const popped[] = { "plus_popped_q", "minus_popped_q", "own_popped_q" };
    const ace_exchange *x = n->nic.exchange;
    for (unsigned q = 0; q <= 2 * x->dimensions; q++)
        for (unsigned i = 0; i < x->rows; i++) {
            const queue_rows to = rows_of_queue(x, q);
            const bool held = x->codes && i < x->queue[q].held;
            see_may_differ(v, to.codes, to.first + i, held ? x->codes[index_in_queue(x, q, i)] : 0);
        }
    for (unsigned g = 0; g < ACE_EXCHANGE_GROUPS; g++)
        see_if(v, popped[g], is_popped(n, g) ? ace_exchange_popped_code(x, g) : 0,
               x->codes && is_popped(n, g));
}

void ace_registers_exchange(const view *v, const ace_cycle_core *n) {
    const ace_exchange *x = n->nic.exchange;
    const uint32_t waits = x->aw_waits + x->w_waits;
    ace_cycle_classes read = x->read, write = x->write;
    uint64_t odd = 0;
    char unit[64];
    exchange_command(v, x);
    list_walk(&(view){ v->see, v->self, "u_nic.u_exchange.u_list" }, x->walk);
    exchange_requests(v, x);
    for (unsigned i = 0; i < 1u << x->dimensions; i++) odd |= (uint64_t)x->odd[i] << i;
    see(v, "odd_q", odd);
    see(v, "failed_q", x->failed);
    see(v, "failed_list_q", x->failed_list);
    see_if(v, "failed_addr_q", x->failed_addr, x->failed);
    see(v, "refused_q", x->refused);
    see(v, "ask_wr_q", x->read_tail);
    see(v, "ask_rd_q", x->read_head);
    see(v, "reads_q", x->reads);
    see(v, "used_q", x->used);
    see(v, "aw_waits_q", x->aw_waits);
    see(v, "w_waits_q", x->w_waits);
    see(v, "wr_q", x->write_tail % ACE_EXCHANGE_PLACES);
    see(v, "aw_q", x->aw_at % ACE_EXCHANGE_PLACES);
    see(v, "w_q", x->w_at % ACE_EXCHANGE_PLACES);
    see(v, "writes_q", x->writes);
    see(v, "key_wr_q", x->key_tail);
    see(v, "key_rd_q", x->key_head);
    see(v, "b_valid_q", x->told);
    see_if(v, "b_key_q", x->told_key, x->told);
    for (unsigned i = 0; i < ACE_EXCHANGE_PLACES; i++) {
        const uint32_t slot = (x->w_at + i) % ACE_EXCHANGE_SLOTS, at = slot % ACE_EXCHANGE_PLACES;
        see_entry(v, "address_q", at, x->address[slot], i < waits);
        see_entry(v, "note_q", at, x->note[slot], i < waits);
        see_entry(v, "code_q", at, x->arrival && i < waits ? x->arrival_codes[slot] : 0,
                  x->arrival && i < waits);
    }
    for (unsigned low = 0; low < ACE_EXCHANGE_KEYS; low += 64) {
        uint64_t counted = 0;
        for (unsigned i = 0; i < 64; i++) counted |= (uint64_t)(x->arrived[low + i] != 0) << i;
        v->see(v->self,
               &(ace_register){ v->unit, "counted_q", 0, NULL, low, counted, UINT64_MAX, false });
    }
    for (unsigned i = 0; i < ACE_EXCHANGE_KEYS; i++)
        see_entry(v, "arrived_q", i, x->arrived[i], x->arrived[i] != 0);
    for (unsigned i = 0; i < x->bursts; i++) {
        const bool requested = (i + x->bursts - x->read_head) % x->bursts < x->reads;
        const bool written = (i + x->bursts - x->key_head) % x->bursts < x->writes;
        const bool sends = requested && x->requested[i].queue != ACE_EXCHANGE_LIST;
        const unsigned to = x->requested[i].queue, list = 2 * x->dimensions + 1;
        see_entry(v, "read_queue_q", i, to == ACE_EXCHANGE_LIST ? list : to, requested);
        see_entry(v, "read_route_q", i, x->requested[i].route, sends);
        see_entry(v, "read_note_q", i, x->requested[i].note, sends);
        see_entry(v, "key_q", i, x->key[i], written);
    }
    for (unsigned q = 0; q <= 2 * x->dimensions; q++) {
        snprintf(unit, sizeof unit, "u_nic.u_exchange.g_queue[%u]", q);
        exchange_queue(&(view){ v->see, v->self, unit }, x, q);
    }
    exchange_codes(v, n);
    read.idle += n->nic.idle_cycles_uncounted;
    write.idle += n->nic.idle_cycles_uncounted;
    see_classes(v, "u_nic.u_exchange.u_read", &read);
    see_classes(v, "u_nic.u_exchange.u_write", &write);
}

void ace_registers_router(const view *v, const ace_cycle_core *n) {
    const ace_router *r = n->nic.router;
    const ace_routed *eject = &r->taken[2];
    ace_cycle_classes cycles = r->classes;
    char unit[64];
    for (unsigned pipe = 0; pipe < ACE_ROUTER_PIPES; pipe++) {
        snprintf(unit, sizeof unit, "u_nic.u_router.g_take[%u]", pipe);
        see(&(view){ v->see, v->self, unit }, "turn_q", r->turn[pipe]);
    }
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_routed *t = &r->taken[pipe];
        snprintf(unit, sizeof unit, "u_nic.u_router.g_out[%u]", pipe);
        const view out = { v->see, v->self, unit };
        see(&out, "valid_q", t->valid);
        see_if(&out, "link_q", t->link, t->valid);
        see_if(&out, "source_q", t->source, t->valid);
        see_if(&out, "route_q", t->route, t->valid);
        see_if(&out, "note_q", t->note, t->valid);
    }
    see(v, "eject_valid_q", eject->valid);
    see_if(v, "eject_source_q", eject->source, eject->valid);
    see_if(v, "eject_row_q", eject->route >> 32, eject->valid);
    see_if(v, "eject_note_q", eject->note, eject->valid);
    cycles.idle += n->nic.idle_cycles_uncounted;
    see_classes(v, "u_nic.u_router.u_count", &cycles);
}

void ace_registers_exchange_rows(ace_row_register_see *see_row, void *self,
                                 const ace_cycle_core *n) {
    const ace_exchange *x = n->nic.exchange;
    for (unsigned i = 0; i < ACE_EXCHANGE_PLACES; i++)
        see_row(self,
                &(ace_row_register){ .unit = "u_nic.u_exchange",
                                     .name = "data_q",
                                     .ring = "w_q",
                                     .at = i,
                                     .row = x->arrival && i < x->aw_waits + x->w_waits
                                                ? x->arrival[(x->w_at + i) % ACE_EXCHANGE_SLOTS]
                                                : NULL });
    for (unsigned q = 0; q <= 2 * x->dimensions; q++)
        for (unsigned i = 0; i < x->rows; i++) {
            const queue_rows to = rows_of_queue(x, q);
            const bool held = x->data && i < x->queue[q].held;
            see_row(self,
                    &(ace_row_register){ .unit = "u_nic.u_exchange",
                                         .name = to.rows,
                                         .at = to.first + i,
                                         .row = held ? x->data[index_in_queue(x, q, i)] : NULL,
                                         .may_differ = true });
        }
    static const char *const popped[] = { "plus_data_q", "minus_data_q", "own_data_q" };
    for (unsigned g = 0; g < ACE_EXCHANGE_GROUPS; g++)
        see_row(self,
                &(ace_row_register){ .unit = "u_nic.u_exchange",
                                     .name = popped[g],
                                     .row = is_popped(n, g) ? ace_exchange_popped(x, g) : NULL });
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_exchange.c -- the twin of rtl/ace_exchange.v: the walk of an all-to-all
 *
 * The walk visits for each pair of rows of a block every member, by its offset on each ring. The
 * second row of a pair takes the mirrored offsets, so both directions of a ring carry the same
 * load. Each visit becomes a read request. Its answer goes to the queue of the packet's first
 * link. A tick works on the state before the edge: pops, answers, requests, the walk, write
 * answers, and last the commands.
 */
#include "ace_exchange.h"

#include <stdlib.h>

static const uint64_t ROW_ADDRESS = (UINT64_C(1) << 40) - 1;

int ace_exchange_create(unsigned dimensions, unsigned rows, unsigned bursts, unsigned sends,
                        bool payload, ace_exchange **exchange) {
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS || rows < 1 || rows > 1024 || bursts < 1 ||
        bursts > ACE_EXCHANGE_BURSTS_MAX)
        return ACE_EINVAL;
    ace_exchange *x = calloc(1, sizeof *x);
    if (!x) return ACE_ENOMEM;
    x->dimensions = dimensions;
    x->rows = rows;
    x->bursts = bursts;
    x->slots = ace_ring_slots(rows);
    x->slot_mask = x->slots - 1;
    const size_t total = (size_t)ACE_ROUTER_QUEUES * x->slots;
    x->routes = calloc(total, sizeof *x->routes);
    x->notes = calloc(total, sizeof *x->notes);
    if (payload) {
        x->data = calloc(total, sizeof *x->data);
        x->arrival = calloc(ACE_EXCHANGE_SLOTS, sizeof *x->arrival);
        x->codes = calloc(total, sizeof *x->codes);
    }
    const int err = ace_list_walk_create(sends, &x->walk);
    if (err == ACE_EINVAL) {
        ace_exchange_destroy(x);
        return err;
    }
    if (err || !x->routes || !x->notes || (payload && (!x->data || !x->arrival || !x->codes))) {
        ace_exchange_destroy(x);
        return ACE_ENOMEM;
    }
    *exchange = x;
    return ACE_OK;
}

void ace_exchange_destroy(ace_exchange *x) {
    if (!x) return;
    ace_list_walk_destroy(x->walk);
    free(x->routes);
    free(x->notes);
    free(x->data);
    free(x->arrival);
    free(x->codes);
    free(x);
}

void ace_exchange_reset(ace_exchange *x) {
    ace_list_walk_reset(x->walk);
    *x = (ace_exchange){ .dimensions = x->dimensions,
                         .rows = x->rows,
                         .bursts = x->bursts,
                         .slot_mask = x->slot_mask,
                         .slots = x->slots,
                         .walk = x->walk,
                         .routes = x->routes,
                         .notes = x->notes,
                         .data = x->data,
                         .arrival = x->arrival,
                         .codes = x->codes };
}

/* Checks the queues of rows to send: each row that was requested has a slot. */
static void check_queues(const ace_exchange *x, ace_state *s) {
    unsigned open = 0;
    for (unsigned q = 0; q < ACE_ROUTER_QUEUES; q++) {
        const ace_exchange_queue *k = &x->queue[q];
        ace_state_must(s, k->head <= x->slot_mask, "ace_exchange.head");
        ace_state_must(s, k->tail <= x->slot_mask, "ace_exchange.tail");
        ace_state_must(s, k->used <= x->rows, "ace_exchange.used");
        ace_state_must(s, k->held <= k->used && k->held == ((k->tail - k->head) & x->slot_mask),
                       "ace_exchange.held");
        ace_state_must(s, (x->head_valid >> q & 1) == (k->held != 0), "ace_exchange.head_valid");
        open += k->used - k->held;
    }
    ace_state_must(s, !(x->head_valid >> ACE_ROUTER_QUEUES), "ace_exchange.head_valid");
    ace_state_must(s, open <= x->reads, "ace_exchange.reads");
    for (unsigned g = 0; g < ACE_EXCHANGE_GROUPS; g++)
        ace_state_must(s, x->popped_queue[g] < ACE_ROUTER_QUEUES, "ace_exchange.popped_queue");
    ace_state_must(s, x->popped < 1 << ACE_EXCHANGE_GROUPS, "ace_exchange.popped");
}

/* Requests under way, and rows that arrived. */
static void check_memory(const ace_exchange *x, ace_state *s) {
    ace_state_must(s, x->reads <= x->bursts, "ace_exchange.reads");
    ace_state_must(s, x->read_head < x->bursts && x->read_tail < x->bursts,
                   "ace_exchange.read_head");
    ace_state_must(s, (x->read_head + x->reads) % x->bursts == x->read_tail,
                   "ace_exchange.read_tail");
    for (unsigned i = 0; ace_state_loaded(s) && i < x->reads; i++) {
        const ace_exchange_ask *a = &x->requested[(x->read_head + i) % x->bursts];
        ACE_STATE_BOOLS(s, "ace_exchange.requested", &a->valid);
        ace_state_must(s, a->queue <= ACE_EXCHANGE_LIST, "ace_exchange.requested");
    }
    for (unsigned i = 0; i < ACE_EXCHANGE_STAGES; i++)
        ace_state_must(s, !x->ask[i].valid || x->ask[i].queue <= ACE_EXCHANGE_LIST,
                       "ace_exchange.ask");
    ace_state_must(s, x->used <= ACE_EXCHANGE_PLACES, "ace_exchange.used");
    ace_state_must(s, x->aw_waits <= x->used && x->w_waits <= x->used - x->aw_waits,
                   "ace_exchange.aw_waits");
    ace_state_must(s, x->write_tail < ACE_EXCHANGE_SLOTS, "ace_exchange.write_tail");
    ace_state_must(s, x->aw_at == (x->write_tail - x->aw_waits) % ACE_EXCHANGE_SLOTS,
                   "ace_exchange.aw_at");
    ace_state_must(s, x->w_at == (x->aw_at - x->w_waits) % ACE_EXCHANGE_SLOTS, "ace_exchange.w_at");
    ace_state_must(s, x->writes <= x->bursts, "ace_exchange.writes");
    ace_state_must(s, x->key_head < x->bursts && x->key_tail < x->bursts, "ace_exchange.key_head");
    ace_state_must(s, (x->key_head + x->writes) % x->bursts == x->key_tail,
                   "ace_exchange.key_tail");
}

static uint32_t setup_cycles(const ace_exchange *x) {
    return ACE_EXCHANGE_SETUP_CYCLES + 2 * x->dimensions;
}

static void check(const ace_exchange *x, const ace_exchange *made, ace_state *s) {
    ace_state_must(s,
                   x->dimensions == made->dimensions && x->rows == made->rows &&
                       x->bursts == made->bursts && x->slot_mask == made->slot_mask &&
                       x->slots == made->slots,
                   "ace_exchange.rows");
    ACE_STATE_BOOLS(s, "ace_exchange.failed", &x->list, &x->walking, &x->mirror, &x->protocol_error,
                    &x->failed, &x->failed_list, &x->told);
    for (unsigned i = 0; i < 1 << ACE_DIMENSIONS; i++)
        ACE_STATE_BOOLS(s, "ace_exchange.odd", &x->odd[i]);
    for (unsigned i = 0; i < ACE_EXCHANGE_COMMANDS; i++)
        ACE_STATE_BOOLS(s, "ace_exchange.command", &x->command[i].list);
    for (unsigned i = 0; i < ACE_EXCHANGE_STAGES; i++)
        ACE_STATE_BOOLS(s, "ace_exchange.ask", &x->ask[i].valid);
    if (!ace_state_loaded(s)) return;
    ace_state_must(s, x->commands <= ACE_EXCHANGE_COMMANDS, "ace_exchange.commands");
    ace_state_must(s, x->command_head < ACE_EXCHANGE_COMMANDS, "ace_exchange.command_head");
    ace_state_must(s, x->state <= ACE_EXCHANGE_RUN, "ace_exchange.state");
    ace_state_must(s, x->mask < 1 << ACE_DIMENSIONS, "ace_exchange.mask");
    ace_state_must(s,
                   x->state != ACE_EXCHANGE_SETUP || (x->left >= 1 && x->left <= setup_cycles(x)),
                   "ace_exchange.left");
    /* the registers of the first stages are found by dividing by these */
    const bool parts = !x->list && (x->ask[0].valid || x->ask[1].valid);
    for (unsigned d = 0; ace_state_loaded(s) && (x->walking || parts) && d < x->dimensions; d++) {
        ace_state_must(s, x->stride[d] >= 1, "ace_exchange.stride");
        ace_state_must(s, x->size[d] >= 1 && x->rank[d] < x->size[d], "ace_exchange.size");
        for (unsigned k = 0; k <= d; k++)
            ace_state_must(s, x->start[d][k] < x->size[d], "ace_exchange.start");
    }
    check_queues(x, s);
    check_memory(x, s);
}

void ace_exchange_state(ace_exchange *x, ace_state *s) {
    const size_t total = (size_t)ACE_ROUTER_QUEUES * x->slots;
    const ace_exchange *const made = &(ace_exchange){ .dimensions = x->dimensions,
                                                      .rows = x->rows,
                                                      .bursts = x->bursts,
                                                      .slot_mask = x->slot_mask,
                                                      .slots = x->slots };
    ACE_STATE_BUT(s, *x, &x->walk, &x->routes, &x->notes, &x->data, &x->arrival, &x->codes);
    if (ace_state_loaded(s)) check(x, made, s);
    ace_list_walk_state(x->walk, s);
    ace_state_bytes(s, x->routes, total * sizeof *x->routes);
    ace_state_bytes(s, x->notes, total * sizeof *x->notes);
    if (!x->data) return;
    ace_state_bytes(s, x->data, total * sizeof *x->data);
    ace_state_bytes(s, x->arrival, ACE_EXCHANGE_SLOTS * sizeof *x->arrival);
    ace_state_bytes(s, x->codes, total * sizeof *x->codes);
}

static const ace_exchange_ask *request(const ace_exchange *x) {
    return &x->ask[ACE_EXCHANGE_STAGES - 1];
}

static bool ar_valid(const ace_exchange *x) {
    const ace_exchange_ask *a = request(x);
    return a->valid && (a->queue == ACE_EXCHANGE_LIST || x->queue[a->queue].used < x->rows) &&
           x->reads < x->bursts;
}
static bool aw_valid(const ace_exchange *x) { return x->aw_waits && x->writes < x->bursts; }

bool ace_exchange_done(const ace_exchange *x) {
    bool asks = false;
    for (unsigned i = 0; i < ACE_EXCHANGE_STAGES; i++) asks |= x->ask[i].valid;
    return x->state == ACE_EXCHANGE_RUN && !x->walking && !asks && !x->reads &&
           (x->list ? !ace_list_walk_busy(x->walk) : x->arrived[ace_exchange_key(x)] == x->total);
}

bool ace_exchange_idle(const ace_exchange *x) {
    uint32_t queued = 0;
    for (unsigned q = 0; q <= 2 * x->dimensions; q++) queued |= x->queue[q].used;
    return !x->commands && x->state == ACE_EXCHANGE_IDLE && !queued && !x->used && !x->writes &&
           !x->told;
}

void ace_exchange_skip(ace_exchange *x, uint64_t cycles) {
    x->read.idle += cycles;
    x->write.idle += cycles;
}

/* ---- a command is set up -------------------------------------------------------- */

static void take(ace_exchange *x, const ace_exchange_in *in) {
    ace_exchange_command *c =
        &x->command[(x->command_head + x->commands++) % ACE_EXCHANGE_COMMANDS];
    *c = (ace_exchange_command){ .source = in->s_cmd_source / ACE_ROW_BYTES,
                                 .destination = in->s_cmd_destination / ACE_ROW_BYTES,
                                 .bytes = in->s_cmd_bytes,
                                 .tag = in->s_cmd_tag,
                                 .list = in->s_cmd_list };
    for (unsigned i = 0; i < in->s_cmd_dim_count; i++) {
        const unsigned d = in->s_cmd_dims >> 2 * i & 3;
        if ((in->cfg_ring >> 8 * d & 255) != 1) c->mask = (uint8_t)(c->mask | 1u << d);
    }
}

/* Begins the first command: computes what the hardware derives from it. The hardware takes
 * setup_cycles() for that, which x->left counts. */
static void set_up(ace_exchange *x, const ace_exchange_in *in) {
    const ace_exchange_command *c = &x->command[x->command_head];
    uint64_t members = 1;

    x->command_head = (x->command_head + 1) % ACE_EXCHANGE_COMMANDS;
    x->commands--;
    x->tag = c->tag;
    x->list = c->list;
    if (x->list) { /* its walk begins; there is nothing else to set up */
        x->state = ACE_EXCHANGE_RUN;
        return;
    }
    x->state = ACE_EXCHANGE_SETUP;
    x->left = setup_cycles(x);
    x->mask = c->mask;
    for (unsigned d = x->dimensions; d-- > 0;) {
        const bool part = c->mask >> d & 1;
        x->size[d] = part ? (uint8_t)(in->cfg_ring >> 8 * d) : 1;
        x->rank[d] = part ? (uint8_t)(in->cfg_rank >> 8 * d) : 0;
        members *= x->size[d];
    }
    x->vector_rows = (c->bytes - 1) / ACE_ROW_BYTES + 1;
    x->tail_bytes = (uint16_t)((c->bytes - 1) % ACE_ROW_BYTES + 1);
    x->block = (x->vector_rows + members - 1) / members;
    x->total = x->block;
    x->own_rows = 0;
    for (unsigned d = 0; d < x->dimensions; d++) {
        x->stride[d] = x->total;
        x->own_rows += x->rank[d] * x->stride[d];
        x->total *= x->size[d];
    }
    x->source = c->source;
    x->target = (uint32_t)(c->destination + x->own_rows);
}

static void begin_walk(ace_exchange *x) {
    x->state = ACE_EXCHANGE_RUN;
    x->walking = true;
    x->mirror = false;
    x->row = 0;
    memset(x->start, 0, sizeof x->start);
}

/* ---- the walk ------------------------------------------------------------------- */

static uint8_t around(uint8_t at, uint8_t size) { return at + 1u == size ? 0 : (uint8_t)(at + 1); }

/* Returns the queue of a row: its first link's, or the own block's. */
static uint8_t queue_of(const ace_exchange *x, uint64_t hops) {
    const unsigned to = ace_route_target(hops);
    return (uint8_t)(to == ACE_ROUTER_HERE ? 2 * x->dimensions : to);
}

/* The row that the walk is at, for the member at its offset. */
static void visit(const ace_exchange *x, ace_exchange_ask *a) {
    const uint64_t row = x->row + x->mirror;
    uint64_t hops = 0, from = 0; /* rows before the block of the member */

    a->valid = x->walking && row < x->block;
    if (!a->valid) return;
    for (unsigned d = x->dimensions; d-- > 0;) {
        const unsigned size = x->size[d], offset = x->start[d][0];
        const unsigned up = x->mirror && offset ? size - offset : offset; /* hops upwards */
        const bool half = 2 * offset == size;
        const bool down = half ? x->mirror : 2 * up > size;
        hops |= ace_route_hops(d, down, down ? size - up : up);
        from += (x->rank[d] + up) % size * x->stride[d];
    }
    const uint64_t far = (from > x->own_rows ? from : x->own_rows) + row;
    const unsigned bytes = far >= x->vector_rows       ? 0
                           : far + 1 == x->vector_rows ? x->tail_bytes
                                                       : ACE_ROW_BYTES;
    a->source = (x->source + from + row) & ROW_ADDRESS;
    a->route = (x->target + row) << 32 | hops;
    a->note = (uint32_t)(bytes << 8 | ace_exchange_key(x));
    a->queue = queue_of(x, hops);
}

static void walk_on(ace_exchange *x) {
    const bool second = x->mirror;
    unsigned up = 0; /* dimension whose counter steps, because all below it have ended */

    x->mirror = !x->mirror;
    if (!second) return;
    while (up < x->dimensions && x->start[up][up] + 1u == x->size[up]) up++;
    for (unsigned d = 0; d < x->dimensions; d++) {
        const uint8_t next = around(x->start[d][d < up ? d : up], x->size[d]);
        for (unsigned k = 0; k <= d && k <= up; k++) x->start[d][k] = next;
    }
    if (up < x->dimensions) return;
    x->row += 2;
    if (x->row >= x->block) x->walking = false;
}

/* ---- what is refused -------------------------------------------------------------- */

/* Returns whether the row on the pins may be written at its address. A row of 0 bytes is not
 * written. It is allowed if its window is open. */
static bool allowed(const ace_exchange_in *in) {
    /* as ace_list_keys_first(): with four dimensions all-to-alls use twice as many keys */
    const unsigned first = in->cfg_ring >> 24 > 1 ? 2 * ACE_LIST_KEYS_FIRST : ACE_LIST_KEYS_FIRST;
    const unsigned w = (in->s_row_note & 255) >= first ? ACE_WINDOW_LIST : ACE_WINDOW_ALL_TO_ALL;
    if (!(in->s_row_note >> 8)) return in->cfg_window_first[w] <= in->cfg_window_last[w];
    return in->s_row_address >= in->cfg_window_first[w] &&
           in->s_row_address <= in->cfg_window_last[w];
}

/* Records the address of the first illegal item of the list's own. Until there is one, it is the
 * address of the first refused row, or of the first illegal item in rows of peers. */
static void fail(ace_exchange *x, bool list, uint64_t address) {
    if (list ? !x->failed_list : !x->failed) x->failed_addr = address;
    x->failed = true;
    x->failed_list |= list;
}

/* ---- lists ---------------------------------------------------------------------- */

/* Advances the walk of a list by one cycle from the state before the edge, if `advance`. Returns
 * its request. */
static ace_exchange_ask walk_list(ace_exchange *x, const ace_exchange_in *in, bool start,
                                  bool advance) {
    const bool row = in->s_r_valid && x->requested[x->read_head].queue == ACE_EXCHANGE_LIST;
    const ace_exchange_command *c = &x->command[x->command_head];
    const uint8_t receives = ace_list_walk_receive_key(x->walk);
    const ace_list_walk_in walk = { .cfg_ring = in->cfg_ring,
                                    .s_start = start,
                                    .s_row = c->source,
                                    .s_rows = (c->bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES,
                                    .s_take = advance,
                                    .s_list_valid = row,
                                    .s_list_data = in->s_r_data,
                                    .s_list_code = in->s_r_code,
                                    .s_arrived = x->arrived[receives] };
    ace_list_walk_out pick;
    ace_list_walk_eval(x->walk, &walk, &pick);
    ace_list_walk_tick(x->walk, &walk);
    if (pick.m_bad) fail(x, !pick.m_peers, pick.m_bad_addr);
    x->refused += pick.m_bad && pick.m_peers;
    if (pick.m_consume) x->arrived[receives] -= pick.m_consume_rows;
    return (ace_exchange_ask){ .source = pick.m_ask_source,
                               .route = (uint64_t)pick.m_ask_target << 32 | pick.m_ask_hops,
                               .note = (uint32_t)pick.m_ask_bytes << 8 | pick.m_ask_key,
                               .valid = advance && pick.m_ask_valid,
                               .queue = pick.m_ask_list ? (uint8_t)ACE_EXCHANGE_LIST
                                                        : queue_of(x, pick.m_ask_hops) };
}

/* ---- pins ----------------------------------------------------------------------- */

void ace_exchange_eval(const ace_exchange *x, ace_exchange_out *o) {
    o->s_cmd_ready = ace_exchange_cmd_ready(x);
    o->m_done_valid = ace_exchange_done(x);
    o->m_done_tag = x->tag;
    o->m_ar_valid = ar_valid(x);
    o->m_ar_addr = request(x)->source * ACE_ROW_BYTES;
    o->s_r_ready = true;
    o->m_aw_valid = aw_valid(x);
    o->m_aw_pad = x->note[x->aw_at] >> 8 == 0;
    o->m_aw_addr = o->m_aw_pad ? 0 : x->address[x->aw_at] * ACE_ROW_BYTES;
    o->m_w_valid = x->w_waits != 0;
    o->m_w_data = x->arrival && x->w_waits ? x->arrival[x->w_at] : NULL;
    o->m_w_code = x->arrival_codes[x->w_at];
    /* a note has room for more bytes than a row */
    const uint32_t bytes = x->note[x->w_at] >> 8;
    o->m_w_strb = (uint16_t)(bytes < ACE_ROW_BYTES ? bytes : ACE_ROW_BYTES);
    o->m_head_valid = x->head_valid;
    for (unsigned set = x->head_valid; set; set &= set - 1) {
        const unsigned q = (unsigned)__builtin_ctz(set);
        o->m_head_route[q] = x->routes[q * x->slots + x->queue[q].head];
        o->m_head_note[q] = x->notes[q * x->slots + x->queue[q].head];
    }
    o->m_plus_data = ace_exchange_popped(x, 0);
    o->m_minus_data = ace_exchange_popped(x, 1);
    o->m_own_data = ace_exchange_popped(x, 2);
    o->m_plus_code = ace_exchange_popped_code(x, 0);
    o->m_minus_code = ace_exchange_popped_code(x, 1);
    o->m_own_code = ace_exchange_popped_code(x, 2);
    o->m_list_wrong = x->walk->wrong;
    o->m_room = x->used != ACE_EXCHANGE_PLACES;
    ace_cycle_classes_lanes(&x->read, o->count_read);
    ace_cycle_classes_lanes(&x->write, o->count_write);
    o->failed = x->failed;
    o->failed_list = x->failed_list;
    o->failed_addr = x->failed_addr;
    o->count_refused = x->refused;
    o->idle = ace_exchange_idle(x);
}

static unsigned group_of(const ace_exchange *x, unsigned queue) {
    return queue == 2 * x->dimensions ? 2 : queue & 1;
}

static void pop(ace_exchange *x, unsigned set) {
    unsigned groups = 0;
    for (; set; set &= set - 1) {
        const unsigned q = (unsigned)__builtin_ctz(set), group = group_of(x, q);
        ace_exchange_queue *k = &x->queue[q];
        x->protocol_error |= !k->held || groups >> group & 1;
        groups |= 1u << group;
        k->head = (k->head + 1) & x->slot_mask;
        k->held--;
        k->used--;
        if (!k->held) x->head_valid = (uint16_t)(x->head_valid & ~(1u << q));
        x->popped_queue[group] = (uint8_t)q;
    }
    x->popped = (uint8_t)(x->popped | groups);
}

/* Takes a row that was requested. */
static void read_row(ace_exchange *x, const uint32_t *row, uint32_t code) {
    const ace_exchange_ask *a = &x->requested[x->read_head];
    x->protocol_error |= !x->reads;
    x->read_head = ace_ring_next(x->read_head, x->bursts);
    x->reads--;
    if (a->queue == ACE_EXCHANGE_LIST) return; /* the walk has it */
    ace_exchange_queue *k = &x->queue[a->queue];
    const size_t at = a->queue * x->slots + k->tail;
    x->routes[at] = a->route;
    x->notes[at] = a->note;
    if (x->data && row) {
        ace_row_copy(x->data[at], row);
        x->codes[at] = code;
    }
    k->tail = (k->tail + 1) & x->slot_mask;
    k->held++;
    x->head_valid = (uint16_t)(x->head_valid | 1u << a->queue);
}

static void ask(ace_exchange *x) {
    x->requested[x->read_tail] = *request(x);
    x->read_tail = ace_ring_next(x->read_tail, x->bursts);
    x->reads++;
    if (request(x)->queue != ACE_EXCHANGE_LIST) x->queue[request(x)->queue].used++;
}

static void arrive(ace_exchange *x, const ace_exchange_in *in, bool refused) {
    x->protocol_error |= x->aw_waits + x->w_waits >= x->used + in->s_reserve;
    if (refused) {
        x->refused++;
        x->used--;
        return;
    }
    x->address[x->write_tail] = in->s_row_address;
    x->note[x->write_tail] = in->s_row_note;
    if (x->arrival && in->s_row_data) {
        ace_row_copy(x->arrival[x->write_tail], in->s_row_data);
        x->arrival_codes[x->write_tail] = in->s_row_code;
    }
    x->write_tail = (x->write_tail + 1) % ACE_EXCHANGE_SLOTS;
    x->aw_waits++;
}

void ace_exchange_tick(ace_exchange *x, const ace_exchange_in *in) {
    const bool ar = ar_valid(x) && in->m_ar_ready, aw = aw_valid(x) && in->m_aw_ready;
    const bool w_valid = x->w_waits != 0, w = w_valid && in->m_w_ready;
    const bool done = ace_exchange_done(x) && in->m_done_ready, waits = request(x)->valid;
    const bool load = x->state == ACE_EXCHANGE_IDLE && x->commands, advance = !waits || ar;
    const bool start = load && x->command[x->command_head].list;
    ace_exchange_ask pick = { .valid = false };

    ace_cycle_classes_tick(&x->read, in->s_r_valid, waits && !ar, x->state != ACE_EXCHANGE_IDLE);
    ace_cycle_classes_tick(&x->write, w, aw_valid(x) || w_valid, x->writes != 0);
    x->protocol_error |= in->s_reserve && x->used == ACE_EXCHANGE_PLACES;

    const bool refuses = in->s_row_valid && !allowed(in);
    if (refuses) fail(x, false, (uint64_t)in->s_row_address * ACE_ROW_BYTES);
    if (start || !ace_list_walk_idle(x->walk)) pick = walk_list(x, in, start, advance);
    x->protocol_error |= x->walk->protocol_error;
    if (in->s_pop) pop(x, in->s_pop);
    if (in->s_r_valid) read_row(x, in->s_r_data, in->s_r_code);
    if (ar) ask(x);
    if (advance) {
        memmove(&x->ask[1], &x->ask[0], sizeof x->ask - sizeof *x->ask);
        if (pick.valid) x->ask[ACE_EXCHANGE_STAGES - 1] = pick;
        visit(x, &x->ask[0]);
        if (x->walking) walk_on(x);
    }

    x->arrived[x->told_key] += x->told;
    x->told = in->s_b_valid;
    if (in->s_b_valid) {
        x->protocol_error |= !x->writes;
        x->told_key = x->key[x->key_head];
        x->key_head = ace_ring_next(x->key_head, x->bursts);
        x->writes--;
    }
    if (w) {
        x->w_at = (x->w_at + 1) % ACE_EXCHANGE_SLOTS;
        x->w_waits--;
        x->used--;
    }
    if (aw) {
        x->key[x->key_tail] = (uint8_t)x->note[x->aw_at];
        x->key_tail = ace_ring_next(x->key_tail, x->bursts);
        x->writes++;
        x->aw_at = (x->aw_at + 1) % ACE_EXCHANGE_SLOTS;
        x->aw_waits--;
        x->w_waits++;
    }
    if (in->s_row_valid) arrive(x, in, refuses);
    x->used += in->s_reserve;

    const bool room = ace_exchange_cmd_ready(x);
    if (x->state == ACE_EXCHANGE_SETUP && --x->left == 0) begin_walk(x);
    if (load) set_up(x, in);
    if (in->s_cmd_valid && room) take(x, in);
    if (done) {
        x->state = ACE_EXCHANGE_IDLE;
        if (x->list) return;
        x->arrived[ace_exchange_key(x)] = 0;
        x->odd[x->mask] = !x->odd[x->mask];
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_driver.c -- a core becomes a node: wires, memory and commands around its pins
 *
 * The same driver stands around the C twin and the Verilated RTL, so a difference between
 * the rungs can only come from the cores.  The memory behind the AXI pins is always ready
 * and answers in the cycle after a request; latency and bandwidth are the core's.
 *
 * A composed command is handed over step by step (ace_composition.h).  Commands and their steps are
 * handed over in the order of submission, so that lists and chunks have the same order at all
 * nodes.  A command of several steps holds back later commands until its last step has been handed
 * over.
 *
 * The second step of a command waits for the first, which ends at a different time at each node.
 * With LIFO its chunks could overtake earlier chunks at one node and not at another.  From then on
 * each command therefore completes before the next is handed over, unless the nodes agree on an
 * order.
 */
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_memory.h"
#include "ace_node_driver.h"
#include "ace_plan.h"
#include "ace_program.h"
#include "ace_random.h"
#include "ace_secded.h"

/* Where a vector ends, at most: the padding of its last shards, less than 512 rows, must
 * have addresses of 48 bits too. */
#define ADDRESS_END (ACE_LISTS_ADDRESS - 512 * ACE_ROW_BYTES)
#define ROUTED_END  (UINT64_C(1) << 40) /* routes hold 2^32 rows: see ace_router.h */

static ace_driver *self(ace_node *n) { return (ace_driver *)n; }

/* ---- commands: one after the other, and step by step --------------------------------- */

static void forget_steps(ace_driver *d, unsigned at) {
    if (d->made[at]) ace_composition_free(d->made[at]);
    free(d->made[at]);
    d->made[at] = NULL;
}

static void forget_commands(ace_driver *d) {
    for (unsigned i = 0; i < ACE_DRIVER_SUBMITTED; i++) forget_steps(d, i);
    for (unsigned i = 0; i < ACE_DRIVER_LISTS; i++) {
        free(d->list[i].words);
        d->list[i] = (ace_driver_list){ 0 };
    }
    d->command_count = d->step = d->pending = d->lists = 0;
    d->awaits = d->alone = false;
}

/* Sets *c to the command on the pins in this cycle; false: there is none. */
static bool next_command(const ace_driver *d, ace_command *c) {
    const unsigned at = d->command_head;
    const ace_composition *p = d->made[at];
    if (!d->command_count || d->command_cycle[at] > d->now || d->awaits || (d->alone && d->pending))
        return false;
    *c = p ? p->step[d->step] : d->command[at];
    if (p && d->step + 1 < p->steps) c->tag = ACE_DRIVER_TAG;
    if (p && c->kind == ACE_LIST)
        c->source =
            ACE_LISTS_ADDRESS + d->lists % ACE_DRIVER_LISTS * (uint64_t)ACE_DRIVER_LIST_BYTES;
    return true;
}

/* Takes the command on the pins out of the queue: the engine has accepted it. */
static void hand_over(ace_driver *d) {
    ace_composition *p = d->made[d->command_head];
    d->pending++;
    if (p && p->step[d->step].kind == ACE_LIST) {
        ace_driver_list *l = &d->list[d->lists++ % ACE_DRIVER_LISTS];
        free(l->words);
        *l = (ace_driver_list){ p->list, p->list_bytes };
        p->list = NULL;
    }
    if (p && p->steps > 1 && d->setup.config.order == ACE_LIFO && !d->setup.config.agreed)
        d->alone = true;
    if (p && d->step + 1 < p->steps) {
        d->step++;
        d->awaits = true;
        return;
    }
    forget_steps(d, d->command_head);
    d->step = 0;
    d->command_head = (d->command_head + 1) % ACE_DRIVER_SUBMITTED;
    d->command_count--;
}

static void complete(ace_driver *d, uint16_t tag) {
    d->pending--;
    if (d->awaits && tag == ACE_DRIVER_TAG)
        d->awaits = false;
    else if (d->completion_count == ACE_DRIVER_COMPLETIONS)
        d->error = ACE_EPROTO;
    else
        d->completion[(d->completion_head + d->completion_count++) % ACE_DRIVER_COMPLETIONS] =
            (ace_completion){ .cycle = d->now, .tag = tag };
}

/* Records the arrival of a message's trailer, which software would read in memory. */
static void add_arrival(ace_driver *d, uint32_t label) {
    if (d->arrivals == d->arrival_room) {
        const unsigned room = d->arrival_room ? 2 * d->arrival_room : 16;
        ace_arrival *at = realloc(d->arrived, room * sizeof *at);
        if (!at) {
            d->error = ACE_ENOMEM;
            return;
        }
        d->arrived = at;
        d->arrival_room = room;
    }
    d->arrived[d->arrivals++] = (ace_arrival){ .cycle = d->now, .label = label };
}

/* A row of a list; the last one is filled up with zeros. */
static const uint32_t *list_row(ace_driver *d, uint64_t address) {
    const uint64_t from = address - ACE_LISTS_ADDRESS, at = from % ACE_DRIVER_LIST_BYTES;
    const ace_driver_list *l = &d->list[from / ACE_DRIVER_LIST_BYTES % ACE_DRIVER_LISTS];
    const uint64_t left = at < l->bytes ? l->bytes - at : 0;
    memset(d->read_row, 0, sizeof d->read_row);
    if (left) memcpy(d->read_row, l->words + at / 4, left < ACE_ROW_BYTES ? left : ACE_ROW_BYTES);
    return d->read_row;
}

static void driver_destroy(ace_node *node) {
    ace_driver *d = self(node);
    forget_commands(d);
    free(d->arrived);
    d->core->class_->destroy(d->core);
    free(d);
}

/* Next cycle something reaches the core from outside, UINT64_MAX when nothing is known. */
static uint64_t next_input(const ace_driver *d) {
    uint64_t next = d->command_count ? d->command_cycle[d->command_head] : UINT64_MAX;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (d->setup.in[l]) {
            const uint64_t arrival = ace_wire_next(d->setup.in[l]);
            next = arrival < next ? arrival : next;
        }
    return next;
}

/* A node may become idle in the cycle in which it raises an error, because it no longer waits for
 * the contents of a failed link.  The driver must record the error first. */
static bool shows_error(const ace_driver *d, const ace_pins_out *out) {
    return (out->link_failed | out->mismatch | out->read_failed | out->write_failed |
            out->protocol_failed | out->scratchpad_failed | out->transfer_failed |
            out->parity_failed) &&
           !d->error;
}

static int shown_error(const ace_pins_out *out) {
    return out->link_failed                                                ? ACE_ELINK
           : out->mismatch                                                 ? ACE_ENODE
           : (out->read_failed | out->write_failed | out->protocol_failed) ? ACE_EMEMORY
           : out->scratchpad_failed                                        ? ACE_ESCRATCHPAD
           : out->transfer_failed                                          ? ACE_ETRANSFER
                                                                           : ACE_EPARITY;
}

static bool all_idle(const ace_driver *d, const ace_pins_out *out) {
    return out->idle && !d->read_count && !d->write_count && !d->answers && !shows_error(d, out);
}

/* A flit has one-bit fields; the pins have a set of links for each field, in the same order.  The
 * flit's eight bytes as a word, shifted by the link, are therefore ORed into the pins' word. */
_Static_assert(
    sizeof(bool) == 1 && offsetof(ace_flit, resend) == offsetof(ace_flit, data) + 7 &&
        offsetof(ace_rx_pins, resend) == offsetof(ace_rx_pins, valid) + 7 &&
        offsetof(ace_pins_out, tx_resend) == offsetof(ace_pins_out, tx_valid) + 7,
    "data, reduce, credit, grant, routed, routed credit, frame, resend lie side by side");
/* The two bytes of a packet, and then the two of a grant, are in the same order too. */
_Static_assert(sizeof(((ace_rx_pins *)0)->link[0]) == 4 &&
                   sizeof(((ace_pins_out *)0)->tx[0]) == 2 &&
                   sizeof(((ace_pins_out *)0)->tx_grant[0]) == 2 &&
                   offsetof(ace_flit, grant_mark) == offsetof(ace_flit, context) + 3,
               "context, mark, and those of a grant, lie side by side");
static uint32_t load_word(const void *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}
static void store_word(void *to, uint32_t word) { memcpy(to, &word, sizeof word); }
static uint64_t load_sets(const void *from) {
    uint64_t sets;
    memcpy(&sets, from, sizeof sets);
    return sets;
}
static void store_sets(void *to, uint64_t sets) { memcpy(to, &sets, sizeof sets); }

static void arrive(ace_driver *d, unsigned l, const ace_flit *f, const uint32_t *row) {
    const uint64_t at = f->cycle - d->first;
    if (at >= ACE_DRIVER_BLOCK) { /* too late: the caller ran this node past the fabric's window */
        d->error = ACE_EPROTO;
        return;
    }
    ace_rx_pins *rx = &d->arrival[at];
    store_sets(&rx->valid, load_sets(&rx->valid) | load_sets(&f->data) << l);
    store_word(&rx->link[l], load_word(&f->context));
    rx->grant_peer[l] = f->grant_peer;
    rx->number[l] = f->number;
    rx->ack[l] = f->ack;
    if (f->flip) {
        rx->flipped |= (uint8_t)(1u << l);
        rx->flip[l] = f->flip;
    }
    d->routes |= f->route != 0;
    if (d->routes) d->arrival_route[at][l] = f->route;
    if (row) d->arrival_row[at][l] = row;
    d->last = f->cycle > d->last ? f->cycle : d->last;
}

static void begin_block(ace_driver *d, uint64_t until) {
    d->first = d->last = d->now;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        ace_wire *w = d->setup.in[l];
        const ace_flit *f;
        const uint32_t *row;
        uint64_t taken = 0;
        while (w && (f = ace_wire_peek(w, taken, &row)) && f->cycle < until) {
            arrive(d, l, f, row);
            taken++;
        }
        d->taken[l] = taken;
    }
}

/* Ends a block: flits that arrived before `now` leave the wires; the others stay there. */
static void end_block(ace_driver *d) {
    const uint32_t *row;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        while (d->last >= d->now && d->taken[l] &&
               ace_wire_peek(d->setup.in[l], d->taken[l] - 1, &row)->cycle >= d->now)
            d->taken[l]--;
        if (d->taken[l]) ace_wire_drop(d->setup.in[l], d->taken[l]);
    }
    for (; d->last >= d->now && d->last - d->first < ACE_DRIVER_BLOCK; d->last--) {
        store_sets(&d->arrival[d->last - d->first].valid, 0);
        d->arrival[d->last - d->first].flipped = 0;
        if (d->last == d->first) break;
    }
}

static void receive(ace_driver *d) {
    const uint64_t at = d->now - d->first;
    ace_rx_pins *rx = &d->arrival[at];
    d->in.rx = *rx;
    if (d->setup.memory) memcpy(d->in.rx_data, d->arrival_row[at], sizeof d->in.rx_data);
    if (d->routes) memcpy(d->in.rx_route, d->arrival_route[at], sizeof d->in.rx_route);
    store_sets(&rx->valid, 0);
    rx->flipped = 0;
}

static void send(ace_driver *d, const ace_pins_out *out) {
    const uint64_t pins = load_sets(&out->tx_valid);
    for (unsigned set = out->tx_frame; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        ace_wire *w = d->setup.out[l];
        if (!w) {
            d->error = ACE_EPROTO;
            continue;
        }
        ace_flit *f = ace_wire_slot(w);
        store_sets(&f->data, pins >> l & UINT64_C(0x0101010101010101));
        memcpy(&f->context, &out->tx[l], 2);
        memcpy(&f->grant_context, &out->tx_grant[l], 2);
        f->grant_peer = out->tx_grant_peer[l];
        f->number = out->tx_number[l];
        f->ack = out->tx_ack[l];
        f->flip = 0;
        f->route = out->tx_route[l];
        ace_wire_commit(w, d->now, out->tx_valid >> l & 1, out->tx_data[l]);
    }
}

/* Inputs from the memory's state, before this cycle's handshakes change it. */
static void memory_pins(ace_driver *d) {
    ace_pins_in *in = &d->in;
    in->ar_ready = d->read_count < ACE_DRIVER_BURSTS;
    in->aw_ready = d->write_count < ACE_DRIVER_BURSTS;
    in->w_ready = d->write_count != 0;
    in->b_valid = d->answers != 0;
    in->r_valid = d->read_count != 0;
    in->r_resp = in->r_valid && d->rows_read == d->fail_read ? d->fail_resp : 0;
    in->b_resp = in->b_valid && d->answered == d->fail_write ? d->fail_resp : 0;
    if (in->r_valid) {
        const ace_burst *b = &d->reads[d->read_head];
        in->r_last = b->beats == 1;
        in->r_data = NULL;
        if (b->address >= ACE_LISTS_ADDRESS) {
            in->r_data = list_row(d, b->address);
        } else if (d->setup.memory) {
            ace_memory_read(d->setup.memory, b->address, d->read_row, ACE_ROW_BYTES);
            in->r_data = d->read_row;
            for (unsigned i = 0; in->r_resp & 2 && i < ACE_ROW_WORDS; i++)
                d->read_row[i] = ~d->read_row[i]; /* data of a failed read is undefined */
        }
    }
}

/* For tests: withholds some of the memory's handshakes.  A beat once offered stays offered. */
static void stall(ace_driver *d, const ace_pins_out *out) {
    ace_pins_in *in = &d->in;
    if (d->stall_seed & 1)
        in->aw_ready &= out->w_valid; /* an address only when its data is there */
    uint64_t h = (d->now + d->stall_seed) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    in->ar_ready &= h % 100 >= d->stall;
    in->aw_ready &= (h >> 16) % 100 >= d->stall;
    in->w_ready &= (h >> 32) % 100 >= d->stall;
    /* write responses are withheld for spans of 64 cycles, and some exceed the latency allowed */
    const uint64_t late = (d->now / 64 + d->stall_seed) * 0xD1B54A32D192ED03u;
    in->b_valid &= (late >> 32) % 100 >= d->stall;
}

/* Flips stored bits, at random or in listed cycles.  The random bits depend only on the seed and
 * the cycle, so windows of any length give the same upsets. */
static void upset(ace_driver *d) {
    const ace_upsets *u = &d->upsets;
    ace_pins_in *in = &d->in;
    uint64_t h = ace_random_mix(u->seed + (d->now + 1) * ACE_RANDOM_STEP);
    in->fault_valid = h < u->chance;
    h = ace_random_mix(h);
    const uint16_t row = (uint16_t)((h >> 2) % d->setup.parameters.bank_rows);
    const uint64_t word = u->bounded ? ace_random_mix(u->seed + 2u * row + (h >> 20 & 1)) : h >> 20;
    in->fault = (ace_fault){ .bank = h % ACE_BANKS,
                             .row = row,
                             .word = (uint8_t)(word % ACE_STORED_WORDS),
                             .mask = u->words ? UINT32_MAX : 1u << (h >> 40) % 32 };
    for (size_t i = 0; i < u->count; i++)
        if (u->listed[i].cycle == d->now) {
            in->fault_valid = true;
            in->fault = u->listed[i].fault;
        }
}

/* Moves a beat of a burst if `moves`.  It has no branch, because no branch predictor could guess
 * whether a beat moves.  Returns whether the beat was the last. */
static bool beat(ace_burst *b, bool moves) {
    b->address += moves ? ACE_ROW_BYTES : 0;
    b->beats -= moves;
    return moves & (b->beats == 0);
}

static void memory_handshakes(ace_driver *d, const ace_pins_out *out) {
    const ace_pins_in *in = &d->in;
    const bool b = in->b_valid & out->b_ready;
    const bool w = in->w_ready & out->w_valid, r = in->r_valid & out->r_ready;
    const bool ar = in->ar_ready & out->ar_valid, aw = in->aw_ready & out->aw_valid;
    ace_burst *write = &d->writes[d->write_head];
    if ((d->setup.memory != NULL) & w &&
        ace_memory_write(d->setup.memory, write->address, out->w_data, out->w_bytes) != ACE_OK)
        d->error = ACE_ENOMEM;
    uint32_t label;
    if (ace_trailer(write->address, out->w_bytes, &label) && w) add_arrival(d, label);
    const bool written = beat(write, w);
    if (w & (out->w_last != written)) d->error = ACE_EPROTO;
    const bool read = beat(&d->reads[d->read_head], r);
    d->rows_read += r;
    d->rows_written += w;
    if (!(written | read | ar | aw | b)) return;
    d->answers += (unsigned)written - b;
    d->answered += b;
    d->write_head = (d->write_head + written) % ACE_DRIVER_BURSTS;
    d->write_count -= written;
    d->read_head = (d->read_head + read) % ACE_DRIVER_BURSTS;
    d->read_count -= read;
    if (ar)
        d->reads[(d->read_head + d->read_count++) % ACE_DRIVER_BURSTS] =
            (ace_burst){ out->ar_addr, out->ar_len + 1u };
    if (aw)
        d->writes[(d->write_head + d->write_count++) % ACE_DRIVER_BURSTS] =
            (ace_burst){ out->aw_addr, out->aw_len + 1u };
}

/* One cycle: inputs from the state of wires, memory and commands, then the handshakes that
 * inputs and outputs make, then the rising edge. */
static void one_cycle(ace_driver *d, const ace_pins_out *out) {
    ace_pins_in *in = &d->in;
    receive(d);
    memory_pins(d);
    if (d->stall) stall(d, out);
    if (d->upsets.chance | d->upsets.count) upset(d);
    in->cmd_valid = next_command(d, &in->cmd);
    send(d, out);
    memory_handshakes(d, out);
    if (in->cmd_valid && out->cmd_ready) hand_over(d);
    if (out->done_valid) complete(d, out->done_tag);
    if (shows_error(d, out)) d->error = shown_error(out);
    d->core->class_->tick(d->core, in);
    d->now++;
}

void ace_driver_run(ace_driver *d, uint64_t until, const uint32_t *count, uint32_t stop) {
    const ace_core_class *k = d->core->class_;
    while (d->now < until && *count != stop) {
        const ace_pins_out *out = k->out(d->core);
        if (all_idle(d, out)) {
            uint64_t next = next_input(d);
            next = next < until ? next : until;
            if (next > d->now) {
                k->skip(d->core, next - d->now);
                d->now = next;
                continue;
            }
        }
        const uint64_t end = until - d->now < d->reach ? until : d->now + d->reach;
        begin_block(d, end);
        do {
            if (k->time) k->time(d->core, d->now);
            one_cycle(d, out);
            out = k->out(d->core);
        } while (d->now < end && !(all_idle(d, out) && d->now > d->last) && *count != stop);
        end_block(d);
    }
}

static void driver_run(ace_node *node, uint64_t until) {
    static const uint32_t never = 0;
    ace_driver_run(self(node), until, &never, 1);
}

static uint64_t driver_quiet_until(const ace_node *node) {
    const ace_driver *d = (const ace_driver *)node;
    if (!all_idle(d, d->core->class_->out(d->core))) return d->now;
    if (!d->command_count) return UINT64_MAX;
    const uint64_t cycle = d->command_cycle[d->command_head];
    return cycle > d->now ? cycle : d->now;
}

static uint64_t driver_moved(const ace_node *node) {
    const ace_driver *d = (const ace_driver *)node;

    return d->rows_read + d->rows_written;
}

/* An all-to-all reads whole blocks, padding too; and members may write to the destination
 * while the source is still being read. */
static bool apart(const ace_command *c) {
    return c->source + c->bytes <= c->destination || c->destination + c->bytes <= c->source;
}
static bool can_exchange(const ace_command *c, const ace_config *cfg) {
    const uint64_t span = ace_plan_members(c, cfg) * ace_plan_block_rows(c, cfg) * ACE_ROW_BYTES;
    return c->source + span <= ACE_LISTS_ADDRESS && c->destination + span <= ROUTED_END && apart(c);
}

/* A list lies anywhere in memory, and is as long as it is. */
static int check_list(const ace_command *c) {
    return c->source % ACE_ROW_BYTES == 0 && c->bytes <= 1ull << 40 &&
                   c->source <= ADDRESS_END - c->bytes
               ? ACE_OK
               : ACE_EINVAL;
}

/* May it be of no bytes? */
static bool may_be_empty(const ace_command *c) {
    return c->kind == ACE_SEND || c->kind == ACE_BARRIER || c->kind == ACE_ALL_TO_ALL_V;
}

/* May destination and source overlap?  In other composed commands, peers write to the destination
 * while the source is still read. */
static bool in_place(const ace_command *c) {
    return c->kind == ACE_BROADCAST || c->kind == ACE_REDUCE || c->kind == ACE_BARRIER;
}

/* Returns the number of a cluster's dimensions: an engine's, or more if they have members. */
static unsigned dimensions_of(const ace_config *cfg) {
    unsigned d = ACE_CLUSTER_DIMENSIONS;

    while (d > ACE_DIMENSIONS && cfg->ring[d - 1] <= 1) d--;
    return d;
}

/* A collective by its kind, type, dimensions and addresses. */
static bool check_collective(const ace_command *c, const ace_config *cfg) {
    bool ok = c->kind <= ACE_ALL_TO_ALL_V && c->type < ACE_TYPES && c->op < ACE_OPS &&
              c->dim_count <= dimensions_of(cfg) && c->source % 4096 == 0 &&
              c->destination % 4096 == 0 && c->bytes <= 1ull << 40 &&
              (c->bytes >= 1 || may_be_empty(c)) && c->source <= ADDRESS_END - c->bytes &&
              c->destination <= ADDRESS_END - c->bytes;
    for (unsigned i = 0; ok && i < c->dim_count; i++) {
        ok = c->dims[i] < dimensions_of(cfg);
        for (unsigned j = 0; j < i; j++) ok = ok && c->dims[j] != c->dims[i];
    }
    if (ok && c->kind == ACE_ALL_TO_ALL) ok = can_exchange(c, cfg);
    return ok && (!ace_composed(c) ||
                  (c->destination + c->bytes <= ROUTED_END && (in_place(c) || apart(c))));
}

int ace_command_check(const ace_command *c, const ace_config *cfg) {
    const bool messages = c->kind == ACE_MESSAGES;
    if (c->kind == ACE_LIST) return check_list(c);
    bool ok = messages || check_collective(c, cfg);
    if (ok && (messages || ace_composed(c)))
        ok = c->tag != ACE_DRIVER_TAG && ace_composition_check(c, cfg) == ACE_OK;
    return ok ? ACE_OK : ACE_EINVAL;
}

static int driver_submit(ace_node *node, const ace_command *c, uint64_t cycle) {
    ace_driver *d = self(node);
    for (unsigned i = 0; c->kind != ACE_LIST && i < c->dim_count && i < ACE_DIMENSIONS; i++)
        if (c->dims[i] >= d->setup.parameters.dimensions) return ACE_EINVAL;
    if (ace_command_check(c, &d->setup.config) != ACE_OK || cycle < d->now ||
        !ace_can_reduce(&d->setup.parameters, c->kind, c->type, c->op) ||
        d->command_count == ACE_DRIVER_SUBMITTED || (c->kind == ACE_LIST && !d->setup.memory) ||
        (c->kind == ACE_MESSAGES && d->setup.memory))
        return ACE_EINVAL;
    const unsigned at = (d->command_head + d->command_count) % ACE_DRIVER_SUBMITTED;
    ace_command filled = *c;
    if (c->kind != ACE_LIST) filled.scale = ace_plan_scale(c, &d->setup.config);
    if (ace_composed(c)) {
        d->made[at] = calloc(1, sizeof *d->made[at]);
        if (!d->made[at] || ace_compose(&filled, &d->setup.config, d->made[at]) != ACE_OK) {
            forget_steps(d, at);
            return ACE_ENOMEM;
        }
    }
    d->command[at] = *c;
    d->command[at].scale = filled.scale;
    d->command[at].counts = NULL; /* they were for the call */
    d->command[at].message = NULL;
    d->command_cycle[at] = cycle;
    d->command_count++;
    return ACE_OK;
}

static bool driver_completion(ace_node *node, ace_completion *c) {
    ace_driver *d = self(node);
    if (!d->completion_count) return false;
    *c = d->completion[d->completion_head];
    d->completion_head = (d->completion_head + 1) % ACE_DRIVER_COMPLETIONS;
    d->completion_count--;
    return true;
}

static bool driver_arrival(ace_node *node, ace_arrival *a) {
    ace_driver *d = self(node);
    if (d->heard == d->arrivals) {
        d->heard = d->arrivals = 0;
        return false;
    }
    *a = d->arrived[d->heard++];
    return true;
}

static size_t driver_statistics(const ace_node *node, ace_statistic *to, size_t capacity) {
#define NAMES(unit) unit ".busy", unit ".starved", unit ".blocked", unit ".idle",
    static const char *const names[] = { ACE_UNIT_MAP(NAMES) };
#undef NAMES
#define NAMES(link) "link." link ".resent", "link." link ".bad", "link." link ".dropped"
    static const char *const link_names[] = { NAMES("x+"), NAMES("x-"), NAMES("y+"), NAMES("y-"),
                                              NAMES("z+"), NAMES("z-"), NAMES("w+"), NAMES("w-") };
#undef NAMES
    const ace_driver *d = (const ace_driver *)node;
    ace_counts counts;
    d->core->class_->counts(d->core, counts);
    const ace_pins_out *out = d->core->class_->out(d->core);
    /* Padding takes a cycle of the memory port and is no access (decision 0081).  It counts as
     * written, so that the members of a collective are alike. */
    const uint64_t rows_written = counts[ACE_UNIT_MEMORY_WRITE][0];
    const ace_statistic others[] = { { "memory.read.bytes", d->rows_read * ACE_ROW_BYTES },
                                     { "memory.write.bytes", rows_written * ACE_ROW_BYTES },
                                     { "scratchpad.corrected", out->count_corrected },
                                     { "scratchpad.uncorrectable", out->count_failed } };
    const unsigned links = 2 * d->setup.parameters.dimensions;
    size_t n = 0;
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES && ace_unit_is_there(u, links / 2); c++, n++)
            if (n < capacity) to[n] = (ace_statistic){ names[u * ACE_CLASSES + c], counts[u][c] };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++, n++)
        if (n < capacity) to[n] = others[i];
    for (unsigned i = 0; i < links * ACE_LINK_COUNTS; i++, n++)
        if (n < capacity)
            to[n] = (ace_statistic){ link_names[i],
                                     out->link_count[i / ACE_LINK_COUNTS][i % ACE_LINK_COUNTS] };
    return n;
}

static void driver_dump(const ace_node *node, FILE *to) {
    const ace_driver *d = (const ace_driver *)node;
    fprintf(to,
            "  cycle %llu, rung %s, %u commands wait for the engine; open memory bursts: %u reads, "
            "%u writes\n",
            (unsigned long long)d->now, d->core->class_->rung, d->command_count, d->read_count,
            d->write_count);
    const ace_pins_out *out = d->core->class_->out(d->core);
    if (out->ar_valid && !d->in.ar_ready)
        fprintf(to, "  memory: does not take the read of 0x%llx\n",
                (unsigned long long)out->ar_addr);
    if ((out->aw_valid && !d->in.aw_ready) || (out->w_valid && !d->in.w_ready))
        fprintf(to, "  memory: does not take the write of 0x%llx\n",
                (unsigned long long)out->aw_addr);
    if (out->scratchpad_failed)
        fprintf(to,
                "  scratchpad: bank %u, row %u could not be corrected; nothing was sent since\n",
                out->scratchpad_failed_bank, out->scratchpad_failed_row);
    if (out->transfer_failed)
        fprintf(to, "  transfers: %s 0x%llx is not allowed; %u rows were refused\n",
                out->transfer_failed_list ? "the item of a list at" : "a row written to",
                (unsigned long long)out->transfer_failed_addr, out->count_refused);
    if (out->parity_failed && out->parity_failed_at < ACE_ROW_WRONG)
        fprintf(to, "  program of phase %u: word %u has a wrong bit; nothing was sent since\n",
                out->parity_failed_at / ACE_PROGRAM_WORDS,
                out->parity_failed_at % ACE_PROGRAM_WORDS);
    else if (out->parity_failed)
        fprintf(to, "  a row %s had a wrong bit; nothing was sent since\n",
                ace_row_use_text(out->parity_failed_at - ACE_ROW_WRONG));
    d->core->class_->dump(d->core, to);
}

static int driver_error(const ace_node *node) { return ((const ace_driver *)node)->error; }

/* `count` entries of a ring, from `head` on. */
static void ring_state(ace_state *s, void *ring, size_t entry, unsigned slots, unsigned head,
                       unsigned count) {
    ace_state_must(s, head < slots, "ace_driver.head");
    ace_state_must(s, count <= slots, "ace_driver.count");
    for (unsigned i = 0; i < count && !s->failed; i++)
        ace_state_bytes(s, (char *)ring + (head + i) % slots * entry, entry);
}

/* `bytes` of words, in memory of their own. */
static void words_state(ace_state *s, uint32_t **words, uint32_t *bytes) {
    ACE_STATE(s, *bytes);
    ace_state_must(s, *bytes <= ACE_DRIVER_LIST_BYTES && !(*bytes % ACE_LIST_ITEM_BYTES),
                   "ace_driver.list_bytes");
    if (s->loading && !s->failed) {
        free(*words);
        *words = calloc(1, *bytes + 1);
        s->failed = !*words;
    }
    if (*bytes && !s->failed) ace_state_bytes(s, *words, *bytes);
}

/* Checks the ranges of a loaded command. */
static void check_command(const ace_command *c, ace_state *s) {
    ace_state_must(s, c->kind <= ACE_MESSAGES && c->type < ACE_TYPES && c->op < ACE_OPS,
                   "ace_driver.command");
    ace_state_must(s, c->dim_count <= ACE_DIMENSIONS, "ace_driver.dim_count");
    for (unsigned i = 0; ace_state_loaded(s) && i < c->dim_count; i++)
        ace_state_must(s, c->dims[i] < ACE_DIMENSIONS, "ace_driver.dims");
}

static void check(const ace_driver *d, ace_state *s) {
    const ace_composition *p = d->command_count ? d->made[d->command_head] : NULL;
    ACE_STATE_BOOLS(s, "ace_driver.awaits", &d->awaits, &d->alone);
    ace_state_must(s, d->step < (p ? p->steps : 1), "ace_driver.step");
    for (unsigned i = 0; i < d->command_count; i++)
        check_command(&d->command[(d->command_head + i) % ACE_DRIVER_SUBMITTED], s);
    for (unsigned i = 0; i < d->read_count; i++)
        ace_state_must(s, d->reads[(d->read_head + i) % ACE_DRIVER_BURSTS].beats - 1 < 16,
                       "ace_driver.reads");
    for (unsigned i = 0; i < d->write_count; i++)
        ace_state_must(s, d->writes[(d->write_head + i) % ACE_DRIVER_BURSTS].beats <= 16,
                       "ace_driver.writes");
}

static void steps_state(ace_driver *d, ace_state *s) {
    if (s->loading)
        for (unsigned i = 0; i < ACE_DRIVER_SUBMITTED; i++) forget_steps(d, i);
    for (unsigned i = 0; i < d->command_count && !s->failed; i++) {
        ace_composition **p = &d->made[(d->command_head + i) % ACE_DRIVER_SUBMITTED];
        bool made = *p != NULL;
        ACE_STATE(s, made);
        ACE_STATE_BOOLS(s, "ace_driver.made", &made);
        if (s->failed || !made) continue;
        if (s->loading && !(*p = calloc(1, sizeof **p))) s->failed = true;
        if (s->failed) return;
        uint32_t bytes = (*p)->list ? (*p)->list_bytes : 0; /* gone when it was handed over */
        ACE_STATE(s, (*p)->step);
        ACE_STATE(s, (*p)->steps);
        ace_state_must(s, (*p)->steps >= 1 && (*p)->steps <= 2, "ace_driver.steps");
        for (unsigned k = 0; k < 2; k++) check_command(&(*p)->step[k], s);
        words_state(s, &(*p)->list, &bytes);
        (*p)->list_bytes = bytes;
    }
    ACE_STATE(s, d->step);
    ACE_STATE(s, d->awaits);
    ACE_STATE(s, d->alone);
    ACE_STATE(s, d->pending);
    ACE_STATE(s, d->lists);
    for (unsigned i = 0; i < ACE_DRIVER_LISTS; i++)
        words_state(s, &d->list[i].words, &d->list[i].bytes);
}

/* Saves or loads the entries in use of each queue.  Pins and arrivals are left out: they belong to
 * a cycle or a block, and the node is between blocks. */
static void driver_state(ace_node *node, uint64_t now, ace_state *s) {
    ace_driver *d = self(node);
#define RING(ring, slots, head, count)                           \
    do {                                                         \
        ACE_STATE(s, head);                                      \
        ACE_STATE(s, count);                                     \
        ring_state(s, ring, sizeof *(ring), slots, head, count); \
    } while (0)
    ACE_STATE(s, d->now);
    ace_state_must(s, now == UINT64_MAX || d->now == now, "ace_driver.now");
    ACE_STATE(s, d->error);
    RING(d->command, ACE_DRIVER_SUBMITTED, d->command_head, d->command_count);
    RING(d->command_cycle, ACE_DRIVER_SUBMITTED, d->command_head, d->command_count);
    steps_state(d, s);
    RING(d->completion, ACE_DRIVER_COMPLETIONS, d->completion_head, d->completion_count);
    RING(d->reads, ACE_DRIVER_BURSTS, d->read_head, d->read_count);
    RING(d->writes, ACE_DRIVER_BURSTS, d->write_head, d->write_count);
#undef RING
    ACE_STATE(s, d->answers);
    ACE_STATE(s, d->answered);
    ACE_STATE(s, d->rows_read);
    ACE_STATE(s, d->rows_written);
    if (ace_state_loaded(s)) check(d, s);
    d->core->class_->state(d->core, s);
}

int ace_driver_create(ace_core *core, const ace_node_setup *setup, ace_node **node) {
    ace_driver *d = calloc(1, sizeof *d);
    if (!d) {
        core->class_->destroy(core);
        return ACE_ENOMEM;
    }
    d->class_ = (ace_node_class){ .rung = core->class_->rung,
                                  .destroy = driver_destroy,
                                  .run = driver_run,
                                  .quiet_until = driver_quiet_until,
                                  .submit = driver_submit,
                                  .completion = driver_completion,
                                  .arrival = driver_arrival,
                                  .statistics = driver_statistics,
                                  .dump = driver_dump,
                                  .error = driver_error,
                                  .state = driver_state,
                                  .moved = driver_moved };
    d->base.class_ = &d->class_;
    d->core = core;
    d->setup = *setup;
    d->reach = ACE_DRIVER_BLOCK;
    const ace_parameters *const p = &setup->parameters;
    const unsigned phases = p->dimensions + 1, contexts = p->fsms / phases * p->contexts;
    d->fail_read = d->fail_write = UINT64_MAX;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (setup->in[l] && ace_wire_latency(setup->in[l]) < d->reach)
            d->reach = ace_wire_latency(setup->in[l]);
        if (setup->in[l]) ace_wire_set_contexts(setup->in[l], phases, contexts);
        if (setup->out[l]) ace_wire_set_contexts(setup->out[l], phases, contexts);
    }
    *node = &d->base;
    return ACE_OK;
}

void ace_driver_fail(ace_node *node, uint64_t read, uint64_t write, uint8_t resp) {
    self(node)->fail_read = read;
    self(node)->fail_write = write;
    self(node)->fail_resp = resp;
}

void ace_driver_upset(ace_node *node, const ace_upsets *upsets) { self(node)->upsets = *upsets; }

void ace_driver_stall(ace_node *node, unsigned percent, uint64_t seed) {
    self(node)->stall = percent;
    self(node)->stall_seed = seed;
}

void ace_driver_reset(ace_node *node) {
    ace_driver *d = self(node);
    d->core->class_->reset(d->core);
    forget_commands(d);
    d->completion_count = d->read_count = d->write_count = d->answers = 0;
    d->heard = d->arrivals = 0;
}

int ace_cycle_node_create(const ace_node_setup *setup, ace_node **node) {
    ace_core *core;
    const int err =
        ace_cycle_core_create(&setup->parameters, &setup->config, setup->memory != NULL, &core);
    return err ? err : ace_driver_create(core, setup, node);
}

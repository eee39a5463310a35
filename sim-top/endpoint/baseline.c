/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline.c -- the node of an endpoint in software
 *
 *                  reads, at the rate of memory and SMs            6 link ports (NIC)
 *     memory ----> one at a time, oldest chunk first ----> rows a link's SMs ----> output --> wire
 *       ^                                                  have in flight
 *       +---- writes, at the rate of memory <---- input buffers <---- wire
 *
 *   Reads        A row is read for a link while the link's window has room.  The window is the rows
 *                that pass the link in a memory latency, plus an output buffer.  The row arrives a
 *                latency after memory and SMs have served all its reads, and rows go to the link in
 *                that order.
 *   Writes       Received rows wait in the input buffers, and results of SMs in registers.  Results
 *                are written first, then rows of the links, round-robin.  Written rows can
 *                be read.
 *   Chunks       CHUNKS chunks are in flight.  Commands are cut into chunks, one a cycle, the
 *                newest or the oldest command first.  A chunk's slot is its number modulo CHUNKS.
 *                Chunks in even slots travel up the rings.
 *   All-to-all   The exchange runs it (baseline_exchange.h), one command at a time.  Messages run
 *                there, too.  The exchange has precedence at the memory and on the links.
 *   Receiver     A chunk that enters a phase sends its grant.  No row is sent to a receiver that
 *                has not granted it, so all rows that arrive can be written.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_composition.h"
#include "ace_core.h"
#include "ace_wire.h"
#include "baseline_inside.h"

/* ---- chunks ---------------------------------------------------------------------- */

static uint64_t bit(unsigned slot) { return UINT64_C(1) << slot; }

/* Returns the slot of the oldest chunk among these, of which there is at least one. */
static unsigned oldest_of(const baseline *n, uint64_t set) {
    const unsigned first = (unsigned)(n->oldest % CHUNKS);
    const uint64_t rotated = first ? set >> first | set << (CHUNKS - first) : set;

    return ((unsigned)__builtin_ctzll(rotated) + first) % CHUNKS;
}

static uint64_t set_bit(uint64_t set, unsigned slot, bool to) {
    return (set & ~bit(slot)) | (uint64_t)to << slot;
}

static void set_ready(baseline *n, unsigned s, unsigned slot, bool to) {
    n->ready[s] = set_bit(n->ready[s], slot, to);
    n->some_ready = (n->some_ready & ~(1U << s)) | (unsigned)(n->ready[s] != 0) << s;
}

/* Recomputes whether the chunk has a row that can be read. */
static void refresh(baseline *n, unsigned slot) {
    const baseline_chunk *c = &n->chunk[slot];

    if (chunk_on_ring(c)) {
        const unsigned d = c->link / 2;
        const bool granted = n->granted[c->at % CODES][d] >> slot & 1;

        set_ready(n, c->link, slot, granted && chunk_can_send(c));
    }
    set_ready(n, OWN, slot, chunk_can_own(c));
}

/* Checks that a grant belongs to the chunk in its slot. Called when both have come. */
static void check_grant(baseline *n, unsigned slot) {
    const baseline_chunk *c = &n->chunk[slot];
    const unsigned d = c->link / 2;

    if (c->sent < c->total && (n->granted[c->at % CODES][d] >> slot & 1) &&
        n->grant_mark[c->at % CODES][d][slot] != c->mark && !n->error)
        n->error = ACE_ENODE;
}

/* Called when the chunk has entered a phase: sends the grant to its sender, and checks its
 * receiver's. */
static void entered(baseline *n, unsigned slot) {
    const baseline_chunk *c = &n->chunk[slot];

    if (chunk_on_ring(c)) {
        n->grants[c->link ^ 1] |= bit(slot); /* what goes up arrives from below */
        n->granting |= 1U << (c->link ^ 1);
        check_grant(n, slot);
    }
    refresh(n, slot);
}

static void complete(baseline *n, waiting *w) {
    n->completion[(n->completion_head + n->completions++) % COMMANDS] =
        (ace_completion){ n->now, w->command.tag };
    n->open--;
    w->number = 0;
}

/* Counts a read or write of a chunk as done, and moves on when none is left. */
static void progress(baseline *n, unsigned slot) {
    baseline_chunk *c = &n->chunk[slot];
    waiting *w = &n->command[c->command];

    if (--c->to_do) {
        refresh(n, slot);
        return;
    }
    if (chunk_onward(c)) {
        entered(n, slot);
        return;
    }
    refresh(n, slot);
    n->over |= bit(slot);
    if (++w->over == w->chunks) complete(n, w);
    while (n->oldest != n->newest && n->over & bit((unsigned)(n->oldest % CHUNKS)))
        n->over &= ~bit((unsigned)(n->oldest++ % CHUNKS));
}

/* Returns the command to cut next, or to give to the exchange; NULL: none. */
static waiting *next_command(baseline *n, bool exchange) {
    const bool newest = !exchange && n->cfg.order == ACE_LIFO;
    waiting *best = NULL;

    for (unsigned i = 0; i < n->entries; i++) {
        waiting *w = &n->command[i];

        if (!w->number || w->cut == w->chunks || w->start > n->now || is_exchange(w) != exchange)
            continue;
        if (!best || (w->number > best->number) == newest) best = w;
    }
    return best;
}

static bool can_cut(const baseline *n) { return n->uncut && n->newest - n->oldest < CHUNKS; }

static void cut(baseline *n) {
    waiting *w = can_cut(n) ? next_command(n, false) : NULL;
    const unsigned slot = (unsigned)(n->newest % CHUNKS);
    baseline_chunk *c = &n->chunk[slot];
    ace_chunk_plan plan;

    if (!w) return;
    ace_plan_chunk(&w->command, &n->cfg, w->cut++, &plan);
    if (w->cut == w->chunks) n->uncut--;
    n->newest++;
    *c = (baseline_chunk){ .command = (uint32_t)(w - n->command),
                           .mark = w->mark++,
                           .plus = slot % 2 == 0,
                           .lazy = n->lazy };
    chunk_begin(c, &w->command, &plan);
    entered(n, slot);
}

/* ---- all-to-alls ----------------------------------------------------------------- */

/* Reports a message whose trailer was written, where software would find it by polling. */
static void add_arrival(baseline *n, uint32_t label) {
    if (n->arrivals == n->arrival_room) {
        const unsigned room = n->arrival_room ? 2 * n->arrival_room : 16;
        ace_arrival *at = realloc(n->arrived, room * sizeof *at);

        if (!at) {
            n->error = ACE_ENOMEM;
            return;
        }
        n->arrived = at;
        n->arrival_room = room;
    }
    n->arrived[n->arrivals++] = (ace_arrival){ .cycle = n->now, .label = label };
}

/* Runs the exchange for a cycle, if it has anything to do. */
static void exchange(baseline *n, unsigned packets, unsigned credits) {
    waiting *w = n->waiting && baseline_exchange_ready(n->exchange) ? next_command(n, true) : NULL;
    uint32_t label;

    if (!(n->exchanging | (packets != 0) | (credits != 0) | (w != NULL))) {
        baseline_exchange_skip(n->exchange, 1);
        return;
    }
    if (w) {
        list *l = &n->list[w - n->command];

        if (w->command.kind == ACE_LIST) baseline_exchange_list(n->exchange, l->words, l->bytes);
        *l = (list){ 0 };
        w->cut++;
        n->waiting--;
    }
    if (baseline_exchange_cycle(n->exchange, &n->memory, n->now, packets, credits,
                                w ? &w->command : NULL)) {
        waiting *done = NULL; /* the oldest command of the exchange */

        for (unsigned i = 0; i < n->entries; i++) {
            waiting *v = &n->command[i];
            if (v->number && v->cut && is_exchange(v) && (!done || v->number < done->number))
                done = v;
        }
        complete(n, done);
    }
    if (baseline_exchange_heard(n->exchange, &label)) add_arrival(n, label);
    if (baseline_exchange_error(n->exchange) && !n->error) n->error = ACE_EPROTO;
    n->exchanging = !baseline_exchange_idle(n->exchange);
}

/* ---- wires ----------------------------------------------------------------------- */

/* Sends the packet that a port has for a link. */
static void send_packet(const ace_link_port *p, unsigned link, ace_flit *f) {
    const ace_link_header *h = ace_link_port_tx(p, link);

    f->data = true;
    f->context = h->context;
    f->mark = h->mark;
    f->reduce = h->reduce != 0;
}

/* Sends what the registers hold at the beginning of the cycle. */
static void send_flits(baseline *n) {
    const ace_link_port *p = n->port, *routed = baseline_exchange_ports(n->exchange);

    unsigned links = (p->tx_valid | p->tx_credit | routed->tx_valid | routed->tx_credit) &
                     ((1U << ACE_LINKS) - 1);

    for (links |= n->granting; links; links &= links - 1) {
        const unsigned l = (unsigned)__builtin_ctz(links);
        const bool data = p->tx_valid >> l & 1, credit = p->tx_credit >> l & 1;
        const bool routed_data = routed->tx_valid >> l & 1, back = routed->tx_credit >> l & 1;
        ace_flit *f = ace_wire_slot(n->out[l]);

        *f = (ace_flit){ .routed = routed_data,
                         .credit = credit,
                         .routed_credit = back,
                         .grant = n->grants[l] != 0 };
        if (data) send_packet(p, l, f);
        if (routed_data) {
            send_packet(routed, l, f);
            f->route = ace_link_port_tx_route(routed, l);
        }
        if (f->grant) {
            const unsigned slot = oldest_of(n, n->grants[l]);
            f->grant_context = (uint8_t)(n->chunk[slot].at % CODES * CHUNKS + slot);
            f->grant_mark = n->chunk[slot].mark;
            n->grants[l] &= ~bit(slot);
            if (!n->grants[l]) n->granting &= ~(1U << l);
        }
        ace_wire_commit(n->out[l], n->now, f->data, NULL);
    }
}

static void take_grant(baseline *n, unsigned link, const ace_flit *f) {
    const unsigned code = f->grant_context / CHUNKS, slot = f->grant_context % CHUNKS;
    const unsigned d = link / 2;
    const baseline_chunk *c = &n->chunk[slot];

    n->granted[code][d] |= bit(slot);
    n->grant_mark[code][d][slot] = f->grant_mark;
    if ((n->newest - 1 - slot) % CHUNKS >= n->newest - n->oldest) return; /* not in flight yet */
    if (c->at % CODES != code || c->link / 2 != d) return;
    check_grant(n, slot);
    refresh(n, slot);
}

/* The links on which something arrived, one bit each: for the chunks, and for the exchange. */
typedef struct arrivals {
    unsigned packets, credits, routed_packets, routed_credits;
} arrivals;

static arrivals receive_flits(baseline *n) {
    arrivals a = { 0 };

    for (unsigned l = 0; l < 2 * n->dimensions; l++) {
        const uint32_t *row;
        const ace_flit *f = n->in[l] ? ace_wire_peek(n->in[l], 0, &row) : NULL;

        if (!f || f->cycle != n->now) continue;
        a.credits |= (unsigned)f->credit << l;
        a.routed_credits |= (unsigned)f->routed_credit << l;
        if (f->routed) {
            a.routed_packets |= 1U << l;
            baseline_exchange_receive(n->exchange, l, f);
        } else if (f->data) {
            a.packets |= 1U << l;
            ace_link_port_put_rx(n->port, l, (ace_link_header){ f->context, f->mark, f->reduce, 0 },
                                 NULL);
        }
        if (f->grant) take_grant(n, l, f);
        ace_wire_drop(n->in[l], 1);
    }
    return a;
}

/* ---- memory ---------------------------------------------------------------------- */

/* Handles the writes that have ended by now. */
static void finish_writes(baseline *n) {
    while (n->writes && n->write[n->write_head].cycle <= n->now) {
        const writing *w = &n->write[n->write_head];

        n->write_head = (n->write_head + 1) % WRITES;
        n->writes--;
        if (!w->result) n->chunk[w->slot].written++;
        progress(n, w->slot);
    }
}

static void start_write(baseline *n, unsigned slot, bool result) {
    n->write[(n->write_head + n->writes++) % WRITES] =
        (writing){ memory_write(&n->memory, n->now), (uint8_t)slot, result };
}

/* Takes a received row from its input buffer, and checks that this node waits for it. */
static void take_row(baseline *n, unsigned link) {
    const ace_link_header *h = ace_link_port_head(n->port, link);
    const unsigned slot = h->context % CHUNKS;
    baseline_chunk *c = &n->chunk[slot];
    const bool ours =
        c->at % CODES == h->context / CHUNKS && c->link == (link ^ 1) && c->mark == h->mark &&
        c->received < c->total &&
        h->reduce == (c->phase[c->at].kind != ACE_PHASE_ALL_GATHER && c->received < c->half);

    if (!ours) {
        n->error = n->error ? n->error : ACE_EPROTO;
        return;
    }
    c->received++;
    start_write(n, slot, false);
}

/* Starts writes. Returns the links whose received row was taken, one bit each. */
static unsigned start_writes(baseline *n) {
    unsigned waits = n->port->m_head_valid & ((1U << ACE_LINKS) - 1), taken = 0;

    while (memory_write_from(&n->memory) <= n->now && n->writes < WRITES_A_CYCLE) {
        if (n->results) {
            const unsigned slot = oldest_of(n, n->results);
            if (!--n->chunk[slot].results) n->results &= ~bit(slot);
            start_write(n, slot, true);
            continue;
        }
        if (!waits) break;
        while (!(waits >> n->turn & 1)) n->turn = (n->turn + 1) % ACE_LINKS;
        take_row(n, n->turn);
        waits &= ~(1U << n->turn);
        taken |= 1U << n->turn;
        n->turn = (n->turn + 1) % ACE_LINKS;
    }
    return taken;
}

/* Passes on the oldest row of a stream, which has arrived from memory. */
static void hand_over(baseline *n, unsigned s) {
    stream *q = &n->stream[s];
    const flight *f = flight_of(n, q, 0);

    if (s != OWN) ace_link_port_put_s(n->port, s, f->header, NULL);
    if (f->result) {
        n->chunk[f->slot].results++;
        n->results |= bit(f->slot);
    }
    q->head = (q->head + 1) & q->mask;
    if (!--q->count) n->with_rows &= ~(1U << s);
    n->with_room |= 1U << s;
    if (s != OWN) progress(n, f->slot);
}

static bool has_come(const baseline *n, const stream *q) {
    return q->count && flight_of(n, q, 0)->cycle <= n->now;
}

/* Passes on rows from memory. Returns the links that got a row, one bit each. */
static unsigned hand_rows_over(baseline *n) {
    unsigned links = 0;

    for (unsigned set = n->with_rows & n->port->s_room & ((1U << ACE_LINKS) - 1); set;
         set &= set - 1) {
        const unsigned s = (unsigned)__builtin_ctz(set);

        if (!has_come(n, &n->stream[s])) continue;
        hand_over(n, s);
        links |= 1U << s;
    }
    while (has_come(n, &n->stream[OWN])) hand_over(n, OWN);
    return links;
}

static void read_row(baseline *n, unsigned slot, unsigned s) {
    baseline_chunk *c = &n->chunk[slot];
    stream *q = &n->stream[s];
    const baseline_row row = s == OWN ? chunk_own(c) : chunk_send(c);

    *flight_of(n, q, q->count++) =
        (flight){ .cycle = memory_read(&n->memory, n->now, row.reads),
                  .header = { (uint8_t)(c->at % CODES * CHUNKS + slot), c->mark, row.reduce, 0 },
                  .slot = (uint8_t)slot,
                  .result = row.result };
    n->with_rows |= 1U << s;
    if (q->count == q->window) n->with_room &= ~(1U << s);
    if (s == OWN)
        c->own++;
    else if (++c->sent == c->total)
        n->granted[c->at % CODES][s / 2] &= ~bit(slot);
    refresh(n, slot);
}

/* Returns the slots of chunks with a row that may be read. */
static uint64_t readable(const baseline *n) {
    uint64_t ready_slots = 0;

    for (unsigned set = n->with_room & n->some_ready; set; set &= set - 1)
        ready_slots |= n->ready[__builtin_ctz(set)];
    return ready_slots;
}

static void start_reads(baseline *n) {
    while (memory_read_from(&n->memory) <= n->now) {
        const uint64_t ready_slots = readable(n);
        unsigned slot, s = 0;

        if (!ready_slots) return;
        slot = oldest_of(n, ready_slots);
        while (!(n->with_room >> s & n->ready[s] >> slot & 1)) s++;
        read_row(n, slot, s);
    }
}

/* ---- time ------------------------------------------------------------------------ */

static void count(baseline *n, uint64_t cycles) {
    const bool work = n->newest != n->oldest || n->exchanging;
    const bool waits = n->some_ready || (n->exchanging && baseline_exchange_waits(n->exchange));

    memory_count(&n->memory, cycles, work, waits);
}

static void one_cycle(baseline *n) {
    const ace_link_port *const routed = baseline_exchange_ports(n->exchange);
    const unsigned held = ace_link_port_wants(routed), waits = ace_link_port_waits(routed);
    unsigned pops, sends;
    arrivals in;

    send_flits(n);
    in = receive_flits(n);
    exchange(n, in.routed_packets, in.routed_credits);
    finish_writes(n);
    cut(n);
    pops = start_writes(n);
    sends = hand_rows_over(n);
    start_reads(n);
    ace_link_port_cycle(n->port, in.packets, in.packets, in.credits, pops, sends, sends, held,
                        waits);
    count(n, 1);
    n->now++;
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the next cycle in which something happens without an arrival: now, a later cycle if all
 * links are idle, or UINT64_MAX. */
static uint64_t next_event(const baseline *n) {
    const uint64_t now = n->now;
    uint64_t next = UINT64_MAX;

    if (n->exchanging || n->granting || !ace_link_port_idle(n->port)) return now;
    for (unsigned i = 0; i < n->entries && (n->waiting || can_cut(n)); i++) {
        const waiting *w = &n->command[i];
        if (w->number && w->cut < w->chunks && (is_exchange(w) || can_cut(n)))
            next = earlier(next, w->start);
    }
    if (next <= now) return now;
    if (n->results || n->port->m_head_valid % (1U << ACE_LINKS))
        next = earlier(next, memory_write_from(&n->memory));
    if (n->writes) next = earlier(next, n->write[n->write_head].cycle);
    if (n->with_room & n->some_ready) next = earlier(next, memory_read_from(&n->memory));
    for (unsigned set = n->with_rows; set; set &= set - 1)
        next = earlier(next, flight_of(n, &n->stream[__builtin_ctz(set)], 0)->cycle);
    return next > now ? next : now;
}

static void baseline_run(ace_node *node, uint64_t until) {
    baseline *n = self(node);

    while (n->now < until) {
        uint64_t next = next_event(n);

        for (unsigned l = 0; l < 2 * n->dimensions && next > n->now; l++)
            if (n->in[l]) next = earlier(next, ace_wire_next(n->in[l]));
        next = earlier(next, until);
        if (next > n->now) {
            ace_link_port_skip(n->port, next - n->now);
            baseline_exchange_skip(n->exchange, next - n->now);
            count(n, next - n->now);
            n->now = next;
        } else {
            one_cycle(n);
        }
    }
}

/* ---- the node -------------------------------------------------------------------- */

static void baseline_destroy(ace_node *node) {
    baseline *n = self(node);

    for (unsigned i = 0; n->list && i < COMMANDS; i++) free(n->list[i].words);
    free(n->list);
    free(n->arrived);
    free(n->flights);
    ace_link_port_destroy(n->port);
    baseline_exchange_destroy(n->exchange);
    free(n);
}

static uint64_t baseline_quiet_until(const ace_node *node) {
    return next_event((const baseline *)node);
}

static uint64_t baseline_moved(const ace_node *node) {
    const baseline_memory *m = &((const baseline *)node)->memory;

    return m->rows_read + m->rows_written;
}

/* Returns an unused entry for a command. */
static unsigned free_entry(baseline *n) {
    unsigned entry = 0;

    while (n->command[entry].number) entry++;
    if (entry == n->entries) n->entries++;
    return entry;
}

static int submit_list(baseline *n, const ace_command *c, uint64_t cycle) {
    ace_composition p;
    unsigned entry;

    if (cycle < n->now || n->open + n->completions == COMMANDS ||
        ace_composition_check(c, &n->cfg) != ACE_OK)
        return ACE_EINVAL;
    if (ace_compose(c, &n->cfg, &p) != ACE_OK) return ACE_ENOMEM;
    entry = free_entry(n);
    n->command[entry] =
        (waiting){ .command = p.step[0], .start = cycle, .chunks = 1, .number = ++n->submitted };
    n->list[entry] = (list){ p.list, p.list_bytes };
    n->waiting++;
    n->open++;
    return ACE_OK;
}

static int baseline_submit(ace_node *node, const ace_command *c, uint64_t cycle) {
    baseline *n = self(node);
    const bool exchange = c->kind == ACE_ALL_TO_ALL;
    unsigned dims = 0, entry;

    if (c->kind == ACE_MESSAGES || c->kind == ACE_ALL_TO_ALL_V) return submit_list(n, c, cycle);
    if (c->kind > ACE_ALL_TO_ALL || c->dim_count > ACE_DIMENSIONS || cycle < n->now || !c->bytes ||
        n->open + n->completions == COMMANDS)
        return ACE_EINVAL;
    for (unsigned i = 0; i < c->dim_count; i++) {
        if (c->dims[i] >= n->dimensions || dims >> c->dims[i] & 1) return ACE_EINVAL;
        dims |= 1U << c->dims[i];
    }
    entry = free_entry(n);
    n->command[entry] = (waiting){ .command = *c,
                                   .start = cycle,
                                   .chunks = exchange ? 1 : ace_plan_chunks(c, &n->cfg),
                                   .number = ++n->submitted,
                                   .mark = (uint8_t)(n->chunked * TAG_STEP) };
    n->chunked += !exchange;
    n->uncut += !exchange;
    n->waiting += exchange;
    n->open++;
    return ACE_OK;
}

static bool baseline_completion(ace_node *node, ace_completion *c) {
    baseline *n = self(node);

    if (!n->completions) return false;
    *c = n->completion[n->completion_head];
    n->completion_head = (n->completion_head + 1) % COMMANDS;
    n->completions--;
    return true;
}

static bool baseline_arrival(ace_node *node, ace_arrival *a) {
    baseline *n = self(node);

    if (n->arrivals_taken == n->arrivals) {
        n->arrivals_taken = n->arrivals = 0;
        return false;
    }
    *a = n->arrived[n->arrivals_taken++];
    return true;
}

enum { UNITS = ACE_LINKS + 3 + BASELINE_EXCHANGE_UNITS };

static size_t baseline_statistics(const ace_node *node, ace_statistic *to, size_t capacity) {
#define NAMES(unit) \
    { unit ".busy", unit ".starved", unit ".blocked", unit ".idle" }
    static const char *const names[][4] = {
        NAMES("link.x+"),        NAMES("link.x-"),      NAMES("link.y+"), NAMES("link.y-"),
        NAMES("link.z+"),        NAMES("link.z-"),      NAMES("link.w+"), NAMES("link.w-"),
        NAMES("memory.read"),    NAMES("memory.write"), NAMES("sm"),      NAMES("exchange.read"),
        NAMES("exchange.write"), NAMES("router")
    };
#undef NAMES
    const baseline *n = (const baseline *)node;
    const baseline_memory *m = &n->memory;
    const rate_server *const servers[] = { &m->reads, &m->writes, &m->sms };
    const ace_statistic bytes[] = { { "memory.read.bytes", m->rows_read * ACE_ROW_BYTES },
                                    { "memory.write.bytes", m->rows_written * ACE_ROW_BYTES } };
    uint64_t cycles[UNITS][4];
    size_t k = 0;

    for (unsigned l = 0; l < ACE_LINKS; l++) ace_link_port_classes(n->port, l, cycles[l]);
    for (unsigned i = 0; i < 3; i++)
        ace_cycle_classes_lanes(&servers[i]->cycles, cycles[ACE_LINKS + i]);
    baseline_exchange_classes(n->exchange, &cycles[ACE_LINKS + 3]);
    for (unsigned u = 0; u < UNITS; u++)
        for (unsigned i = 0; i < 4 && ace_unit_is_there(u, n->dimensions); i++, k++)
            if (k < capacity) to[k] = (ace_statistic){ names[u][i], cycles[u][i] };
    for (unsigned i = 0; i < 2; i++, k++)
        if (k < capacity) to[k] = bytes[i];
    return k;
}

static void baseline_dump(const ace_node *node, FILE *to) {
    static const char *const kinds[] = { "-", "reduce-scatter", "all-reduce", "all-gather" };
    const baseline *n = (const baseline *)node;

    fprintf(to, "  cycle %llu, %u commands, chunks %llu to %llu in flight\n",
            (unsigned long long)n->now, n->open, (unsigned long long)n->oldest,
            (unsigned long long)n->newest);
    for (uint64_t i = n->oldest; i != n->newest && i < n->oldest + 8; i++) {
        const unsigned slot = (unsigned)(i % CHUNKS);
        const baseline_chunk *c = &n->chunk[slot];
        const bool ring = chunk_on_ring(c);

        if (n->over >> slot & 1) continue;
        fprintf(to, "  chunk %llu: %s on %c%c, %u of %u rows sent, %u written, %u left to do%s\n",
                (unsigned long long)i, kinds[ring ? c->phase[c->at].kind : 0],
                ACE_DIMENSION_LETTERS[c->link / 2], c->plus ? '+' : '-', c->sent, c->total,
                c->written, c->to_do,
                ring && c->sent < c->total && !(n->granted[c->at % CODES][c->link / 2] >> slot & 1)
                    ? ", waits for its receiver"
                    : "");
    }
    for (unsigned l = 0; l < 2 * n->dimensions; l++)
        fprintf(to, "  link %c%c: %u rows under way from memory, %u credits\n",
                ACE_DIMENSION_LETTERS[l / 2], l % 2 ? '-' : '+', n->stream[l].count,
                n->port->credits[l]);
    if (n->exchanging) baseline_exchange_dump(n->exchange, to);
}

static int baseline_error(const ace_node *node) { return ((const baseline *)node)->error; }

/* ---- making it --------------------------------------------------------------------- */

bool baseline_rate(double bytes) { return bytes >= 1. / 1024 && bytes <= 16 * ACE_ROW_BYTES; }

/* Returns the cost of a row at so many bytes a cycle. */
static uint64_t cost_of(double bytes) {
    return (uint64_t)llround(ldexp(ACE_ROW_BYTES / bytes, RATE_SERVER_FRACTION));
}

/* Returns how many rows pass at this rate in the time that memory needs for a row. */
static uint32_t rows_ahead(const ace_config *cfg, double rows) {
    return (uint32_t)ceil((cfg->memory_latency + 1.) * rows);
}

/* Sets the windows and the buffers of the streams. Returns false when there is no memory. */
static bool make_streams(baseline *n, const ace_node_setup *setup, const baseline_share *share) {
    const double own = fmin(share->memory, share->sms);
    uint32_t slots = 0;

    for (unsigned s = 0; s < STREAMS; s++) {
        const bool link = s != OWN && n->cfg.ring[s / 2] > 1;
        stream *q = &n->stream[s];

        q->window = s == OWN ? rows_ahead(&n->cfg, own / ACE_ROW_BYTES) + 1
                             : setup->parameters.link_output_rows;
        if (link) q->window += rows_ahead(&n->cfg, (double)ACE_COST_ONE / n->cfg.link_cost[s / 2]);
        q->first = slots;
        q->mask = 1;
        while (q->mask < q->window) q->mask *= 2;
        slots += q->mask--;
    }
    n->with_room = (1U << STREAMS) - 1;
    n->flights = calloc(slots, sizeof *n->flights);
    return n->flights != NULL;
}

static uint32_t longest_window(const baseline *n) {
    uint32_t rows = 0;

    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (n->stream[l].window > rows) rows = n->stream[l].window;
    return rows;
}

int baseline_node_create(const ace_node_setup *setup, const baseline_share *share,
                         ace_node **node) {
    static const ace_node_class class_ = {
        "baseline",      baseline_destroy,    baseline_run,     baseline_quiet_until,
        baseline_submit, baseline_completion, baseline_arrival, baseline_statistics,
        baseline_dump,   baseline_error,      baseline_state,   baseline_moved
    };
    const ace_parameters *p = &setup->parameters;
    baseline *n;
    int err;

    if (setup->memory || ace_parameters_check(p, &setup->config) != ACE_OK ||
        !baseline_rate(share->memory) || !baseline_rate(fmin(share->memory, share->sms)))
        return ACE_EINVAL;
    n = calloc(1, sizeof *n);
    if (!n) return ACE_ENOMEM;
    n->node.class_ = &class_;
    n->cfg = setup->config;
    n->dimensions = p->dimensions;
    memcpy(n->in, setup->in, sizeof n->in);
    memcpy(n->out, setup->out, sizeof n->out);
    n->lazy = share->lazy;
    n->memory.reads.cost = n->memory.writes.cost = cost_of(share->memory);
    n->memory.sms.cost = cost_of(share->sms);
    n->memory.latency = n->cfg.memory_latency;
    n->list = calloc(COMMANDS, sizeof *n->list);
    err = n->list && make_streams(n, setup, share)
              ? ace_link_port_create_lanes(ACE_LINKS, p->link_input_rows, p->link_output_rows,
                                           false, false, &n->port)
              : ACE_ENOMEM;
    if (err == ACE_OK) err = baseline_exchange_create(setup, longest_window(n), &n->exchange);
    if (err != ACE_OK) {
        baseline_destroy(&n->node);
        return err;
    }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        ace_link_port_set_cost(n->port, l, n->cfg.link_cost[l / 2]);
    *node = &n->node;
    return ACE_OK;
}

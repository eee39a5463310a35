/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_memory.c -- ports for loads, and for the stores of even and of odd chunks
 *
 * A port serves one chunk at a time. Its rate is its share of the memory, limited by what links
 * leave of the chunk's bank.
 */
#include "flow_memory.h"

#include "flow_events.h"
#include "flow_exchange.h"

void flow_port_move(memory_port *m, double to) {
    if (m->count && to > m->at) {
        const double queued = m->queued + (to - m->at) * m->queues;

        m->left -= (to - m->at) * m->rate;
        m->queued = flow_less(flow_more(queued, 0), LOADED_AHEAD * m->cost);
    }
    m->at = to;
}

static void port_ends(memory_port *m) {
    m->next = m->count && m->rate > 0 ? m->at + fmax(m->left, 0) / m->rate : NEVER;
}

bool flow_load_first(const chunk_flow *f) { return f->finished[0] - f->finished[1] < 2; }

/* Returns the largest share of the memory that the first chunk of a port can use. In the
 * loads' round between two rounds of the exchange, all their bursts have already waited, and come
 * at the memory's rate. */
static double most_of(const chunk_flow *f, const memory_port *m) {
    const chunk_shape *t = flow_shape(f, m->chunk[m->head]);
    const bool alternates = f->exchange.runs && f->exchange.unread > NOTHING;

    return m != &f->read ? t->store_most : alternates ? 1 : t->load_most;
}

/* Sets the rate of a port that has a chunk. `share` is its share of the memory, and `left` what is
 * left to it of the chunk's bank, in rows a cycle. Loaded rows that wait for the bank are queued.
 * When the bank has room again, they come in addition to the memory's rows. */
static void set_rate(chunk_flow *f, memory_port *m, double share, double left) {
    const double bank = fmax(left, LEAST_SHARE) * m->cost;

    if (m == &f->read) flow_port_move(m, f->now);
    const bool queued = m->queued > NOTHING;
    const double rate = queued ? bank : fmin(share, bank);
    const double queues = m == &f->read && (queued || bank < share) ? share - bank : 0;

    if (fabs(rate - m->rate) < NOTHING && fabs(queues - m->queues) < NOTHING) return;
    flow_port_move(m, f->now);
    m->rate = rate;
    m->queues = queues;
    if (queues < 0)
        flow_later(f, flow_behind(f->now, f->now - m->queued / queues), PORT_CHANGE, 0, 0);
    port_ends(m);
}

/* A loaded row is written to its chunk's bank in a cycle that the links leave free. While the first
 * phase has at most one chunk, a loaded row waits for one copied row at most, and every
 * copied / free of them does. Rows that are reduced always go before it. */
static double left_to_load(const chunk_flow *f, unsigned bank) {
    double free = 1, copied = 0;

    for (uint32_t busy = flow_busy(f, bank); busy; busy &= busy - 1) {
        const link *k = &f->links[__builtin_ctz(busy)];
        const double written = k->use[LINK_BANKS + bank / 2];
        const double reduced = k->summed[bank / 2];

        free -= reduced;
        copied += (written - reduced);
    }
    if (!flow_load_first(f) || free <= 0) return free - copied;
    return free * free / (free + copied);
}

/* A stored row is read in a cycle that the links leave free. */
static double left_to_store(const chunk_flow *f, unsigned bank) {
    double left = 1;

    for (uint32_t busy = flow_busy(f, bank); busy; busy &= busy - 1)
        left -= f->links[__builtin_ctz(busy)].use[bank / 2] * f->s.flow->bank_read;
    return left;
}

/* Returns the share of the memory that a store can use. */
static double wants_to_store(const chunk_flow *f, const memory_port *m) {
    if (!m->count || f->now < m->blocked_until) return 0;
    return fmin(most_of(f, m),
                fmax(left_to_store(f, m->chunk[m->head] % ACE_BANKS), LEAST_SHARE) * m->cost);
}

/* Stores of even and odd chunks read different banks. Each reads ahead into its slots, and the
 * memory alternates between their bursts. So when both want more than the memory gives, each gets
 * half. The one that began first takes what it can of the bursts under way, and the other one takes
 * the rest. */
void flow_port_rates(chunk_flow *f) {
    memory_port *const read = &f->read;
    const unsigned odd = !f->write[0].count || f->write[1].begun < f->write[0].begun;
    double share = f->write[0].share, bursts = 1;

    if (read->count)
        set_rate(f, read, fmin(read->share, most_of(f, read)),
                 left_to_load(f, read->chunk[read->head] % ACE_BANKS));
    for (unsigned i = 0; i < 2; i++) {
        memory_port *m = &f->write[odd ^ i];

        if (!m->count) continue;
        const double most = f->now < m->blocked_until ? 0 : most_of(f, m);
        const double left = left_to_store(f, m->chunk[m->head] % ACE_BANKS);
        const double other = i ? 0 : wants_to_store(f, &f->write[!odd]);
        const double part = fmax(share - other, share / 2);

        set_rate(f, m, fmin(part, bursts * most), left);
        share = fmax(share - m->rate, 0);
        if (most > 0) bursts = fmax(bursts - m->rate / most, 0);
    }
}

/* Returns the cycles from a burst's request to the next one in its slot. */
static double trip_of(const chunk_flow *f) {
    return f->s.config.memory_latency + f->s.flow->burst_trip;
}

/* The number of bursts under way is limited, and a burst begins a trip after the previous one in
 * its slot. So small bursts come in rounds. Each round but the last takes a trip, and the last
 * takes the time of its rows. */
double flow_port_most(const chunk_flow *f, const memory_port *m, double rows, unsigned burst) {
    const unsigned most = f->s.parameters.memory_bursts;
    const double trip = trip_of(f);
    const double rounds = fmax(ceil(ceil(rows / burst) / most) - 1, 0);
    const double late = rounds * trip + (rows - rounds * most * burst) * m->cost;

    return fmin(rows * m->cost / late, 1);
}

static double work_of(const chunk_flow *f, const memory_port *m, unsigned chunk) {
    const chunk_shape *t = flow_shape(f, chunk);

    return m == &f->read ? t->load : t->store;
}

/* A store that begins while the other one is under way comes behind the rows that the other one has
 * read ahead. */
static void wait_for_other(chunk_flow *f, memory_port *m) {
    memory_port *const other = m == f->write ? f->write + 1 : f->write;

    if (!other->count) return;
    flow_port_move(other, f->now);
    m->blocked_until = f->now + fmin(STORED_AHEAD * m->cost, fmax(other->left, 0));
    flow_later(f, m->blocked_until, PORT_CHANGE, 0, 0);
}

void flow_port_put(chunk_flow *f, memory_port *m, uint32_t chunk) {
    flow_port_move(m, f->now);
    m->chunk[(m->head + m->count) % FLOW_CHUNKS] = (uint8_t)(chunk % FLOW_CHUNKS);
    m->count++;
    if (m->count > 1) return;
    m->left = work_of(f, m, chunk);
    m->begun = f->now;
    m->rate = 0;
    if (m != &f->read) wait_for_other(f, m);
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_port_rates(f);
}

/* Returns the number of bursts of a load. */
static unsigned bursts_of(const chunk_flow *f, const chunk_shape *t) {
    return (unsigned)ceil(t->load / (f->read.cost * t->load_burst) - NOTHING);
}

/* Returns when the burst `back` ones before the last of a load was answered, in cycles from the
 * load's end. Few bursts come in rounds, each of as many bursts as the port has slots. */
static double answered(const chunk_flow *f, const chunk_shape *t, unsigned back) {
    const unsigned most = f->s.parameters.memory_bursts;
    const double cost = f->read.cost * t->load_burst;
    const unsigned bursts = bursts_of(f, t), last = (bursts - 1) % most;

    if (back >= bursts) return -NEVER;
    if (t->load_most >= 1 || back <= last) return -(back * cost);
    const unsigned rounds = (back - last - 1) / most + 1, first = last + rounds * most - back;

    return (first - (double)last) * cost - rounds * trip_of(f);
}

/* Each burst of a load takes the slot of the burst so many before it, when that one is answered.
 * Behind another load, the first bursts get their slots one after the other. Returns how many
 * cycles longer a load of few bursts then lasts than it does alone. */
static double slots_late(const chunk_flow *f, const chunk_shape *before, const chunk_shape *t) {
    const unsigned most = f->s.parameters.memory_bursts;
    const double cost = f->read.cost * t->load_burst, trip = trip_of(f);
    const unsigned bursts = bursts_of(f, t);
    double at[MOST_BURSTS], now = 0;

    for (unsigned i = 0; i < most; i++) at[i] = answered(f, before, most - 1 - i);
    for (unsigned i = 0; i < bursts; i++)
        at[i % most] = now = flow_more(at[i % most] + trip, now + cost);
    return flow_more(now - t->load / t->load_most, 0);
}

uint32_t flow_port_take(chunk_flow *f, memory_port *m) {
    const uint32_t chunk = m->chunk[m->head];

    flow_port_move(m, f->now);
    m->head = (m->head + 1) % FLOW_CHUNKS;
    m->count--;
    if (m->count) {
        const chunk_shape *t = flow_shape(f, m->chunk[m->head]);

        m->left = work_of(f, m, m->chunk[m->head]);
        if (m == &f->read && t->load_most < 1)
            m->left += slots_late(f, flow_shape(f, chunk), t) * t->load_most;
    } else {
        m->queued = 0;
    }
    m->begun = f->now;
    m->rate = m->queues = 0;
    m->next = NEVER;
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_port_rates(f);
    return chunk;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_memory.c -- two ports, for loads and stores, that serve one chunk at a time
 *
 * A port's rate is its share of the memory, limited by what links leave of the chunk's bank.
 */
#include "flow_memory.h"

#include "flow_exchange.h"

void flow_port_move(memory_port *m, double to) {
    if (m->count && to > m->at) m->left -= (to - m->at) * m->rate;
    m->at = to;
}

static void port_ends(memory_port *m) {
    m->next = m->count && m->rate > 0 ? m->at + fmax(m->left, 0) / m->rate : NEVER;
}

/* A loaded row is written to its chunk's bank in a cycle that the links leave free, and a stored
 * row is read in such a cycle. */
void flow_port_rates(chunk_flow *f) {
    for (unsigned i = 0; i < 2; i++) {
        memory_port *m = i ? &f->write : &f->read;
        double left = 1, rate = m->share;

        if (!m->count) continue;
        const unsigned bank = m->chunk[m->head] % ACE_BANKS;
        for (uint32_t busy = flow_busy(f, bank); busy; busy &= busy - 1) {
            const link *k = &f->links[__builtin_ctz(busy)];

            left -= i ? k->use[bank / 2] * f->s.flow->bank_read
                      : k->use[LINK_BANKS + bank / 2] * f->s.flow->bank_write;
        }
        rate = fmin(rate, fmax(left, LEAST_SHARE) * m->cost);
        if (fabs(rate - m->rate) < NOTHING) continue;
        flow_port_move(m, f->now);
        m->rate = rate;
        port_ends(m);
    }
}

/* Returns the memory cycles of a number of rows. The rows take their share of the memory. But the
 * number of bursts under way is limited, and a burst begins a trip after the previous one in its
 * slot. So small bursts come in turns. Each turn but the last takes a trip, and the last takes the
 * time of its rows. */
double flow_port_work(const chunk_flow *f, const memory_port *m, double rows, unsigned burst) {
    const unsigned most = f->s.parameters.memory_bursts;
    const double trip = f->s.config.memory_latency + f->s.flow->burst_trip;
    const double turns = fmax(ceil(ceil(rows / burst) / most) - 1, 0);
    const double late = turns * trip + (rows - turns * most * burst) * m->cost;

    return fmax(rows * m->cost, late);
}

static double work_of(const chunk_flow *f, const memory_port *m, unsigned chunk) {
    const chunk_shape *t = flow_shape(f, chunk);

    return m == &f->read ? t->load : t->store;
}

void flow_port_put(chunk_flow *f, memory_port *m, uint32_t chunk) {
    flow_port_move(m, f->now);
    m->chunk[(m->head + m->count) % FLOW_CHUNKS] = (uint8_t)(chunk % FLOW_CHUNKS);
    m->count++;
    if (m->count > 1) return;
    m->left = work_of(f, m, chunk);
    m->rate = 0;
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_port_rates(f);
}

uint32_t flow_port_take(chunk_flow *f, memory_port *m) {
    const uint32_t chunk = m->chunk[m->head];

    flow_port_move(m, f->now);
    m->head = (m->head + 1) % FLOW_CHUNKS;
    m->count--;
    if (m->count) m->left = work_of(f, m, m->chunk[m->head]);
    m->rate = 0;
    m->next = NEVER;
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_port_rates(f);
    return chunk;
}

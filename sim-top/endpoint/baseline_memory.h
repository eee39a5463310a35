/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_memory.h -- the memory of an endpoint in software, and the SMs that read it
 *
 * A row is read when memory and SMs are both free. It arrives a latency after both have served it.
 * Writes use the other direction, at the memory's rate, and need no SM.
 */
#ifndef BASELINE_MEMORY_H
#define BASELINE_MEMORY_H

#include "rate_server.h"

typedef struct baseline_memory {
    rate_server reads, writes, sms;
    uint64_t rows_read, rows_written;
    uint32_t latency; /* cycles */
} baseline_memory;

/* Returns the first cycle in which a read, or a write, can begin. */
static inline uint64_t memory_read_from(const baseline_memory *m) {
    return (m->reads.free > m->sms.free ? m->reads.free : m->sms.free) >> RATE_SERVER_FRACTION;
}
static inline uint64_t memory_write_from(const baseline_memory *m) {
    return m->writes.free >> RATE_SERVER_FRACTION;
}
/* Reads `rows` rows that are combined into one. Returns the cycle in which it arrives. */
static inline uint64_t memory_read(baseline_memory *m, uint64_t now, unsigned rows) {
    const uint64_t ready = m->reads.free > m->sms.free ? m->reads.free : m->sms.free;
    const uint64_t begin = now << RATE_SERVER_FRACTION, from = ready > begin ? ready : begin;
    const uint64_t memory = rate_server_take(&m->reads, from, rows);
    const uint64_t sms = rate_server_take(&m->sms, from, rows);
    m->rows_read += rows;
    return rate_server_cycle(memory > sms ? memory : sms) + m->latency;
}
/* Writes a row. Returns the cycle in which it has been written. */
static inline uint64_t memory_write(baseline_memory *m, uint64_t now) {
    m->rows_written++;
    return rate_server_cycle(rate_server_take(&m->writes, now << RATE_SERVER_FRACTION, 1));
}
/* Counts cycles for which no service is owed: as blocked if a row could be read, as starved if
 * there is other work, or as idle. */
static inline void memory_count(baseline_memory *m, uint64_t cycles, bool work, bool waits) {
    for (unsigned i = 0; i < 3; i++) {
        rate_server *s = i == 0 ? &m->reads : i == 1 ? &m->writes : &m->sms;
        ace_cycle_classes *c = &s->cycles;
        rate_server_count(s, cycles,
                          waits && s != &m->writes ? &c->blocked
                          : work                   ? &c->starved
                                                   : &c->idle);
    }
}

#endif

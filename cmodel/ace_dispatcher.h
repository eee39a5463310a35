/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_dispatcher.h -- the C twin of rtl/ace_dispatcher.v
 *
 * Holds the waiting collectives and cuts them into planned chunks; see the RTL for the
 * contract.  The divisions take their cycles; the quotients are made at once.
 */
#ifndef ACE_DISPATCHER_H
#define ACE_DISPATCHER_H

#include "ace_ports.h"

/* The m_chunk_* pins. */
typedef struct ace_chunk {
    uint8_t kinds[ACE_PHASES]; /* an ace_phase_kind */
    uint8_t dims[ACE_PHASES];
    uint16_t shards[ACE_PHASES]; /* rows of a shard */
    uint16_t valids[ACE_PHASES]; /* rows of the source block that are not padding */
    uint8_t type, mark, burst;
    bool last;
    uint16_t load_rows, store_rows, tag;
    uint64_t load_address, store_address, limit;
} ace_chunk;

typedef struct ace_waiting {
    uint8_t kind, type, count, dims[ACE_DIMENSIONS], mark;
    uint16_t tag;
    uint64_t source, destination, limit, rows;
} ace_waiting;

enum { ACE_DISPATCH_IDLE, ACE_DISPATCH_DIVIDE, ACE_DISPATCH_EMIT };

typedef struct ace_dispatcher {
    const ace_config *cfg;
    unsigned commands;
    uint32_t head, tail; /* free running; modulo `commands` */
    ace_waiting *waiting;
    uint8_t next_mark;
    uint8_t state;
    uint32_t at; /* command of the present chunk */
    uint16_t rows_cut;
    uint32_t left;   /* cycles of division */
    ace_chunk chunk; /* m_chunk_*, meaningful while state is EMIT */
} ace_dispatcher;

/* cfg must outlive the dispatcher.  ACE_OK or ACE_ENOMEM. */
int ace_dispatcher_create(const ace_config *cfg, unsigned commands, ace_dispatcher *d);
void ace_dispatcher_destroy(ace_dispatcher *d);
void ace_dispatcher_reset(ace_dispatcher *d);

static inline bool ace_dispatcher_cmd_ready(const ace_dispatcher *d) {
    return d->state == ACE_DISPATCH_IDLE && d->tail - d->head != d->commands;
}
static inline bool ace_dispatcher_chunk_valid(const ace_dispatcher *d) {
    return d->state == ACE_DISPATCH_EMIT;
}
static inline bool ace_dispatcher_idle(const ace_dispatcher *d) { return d->tail == d->head; }

/* Does the rising edge change anything without cmd and chunk_ready? */
static inline bool ace_dispatcher_works(const ace_dispatcher *d) {
    return d->state == ACE_DISPATCH_DIVIDE ||
           (d->state == ACE_DISPATCH_IDLE && !ace_dispatcher_idle(d));
}

/* Rising edge.  cmd: s_cmd_* or NULL when not valid; chunk_ready: m_chunk_ready. */
void ace_dispatcher_tick(ace_dispatcher *d, const ace_command *cmd, bool chunk_ready);

#endif

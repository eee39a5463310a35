/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_chunk.h -- a chunk of a collective that SMs run: the rows it reads and writes next
 *
 * The chunk is in memory. On a ring of n nodes it is cut into n shards, which travel the ring row
 * by row. The NIC writes received rows. SMs do the following for a row:
 *
 *     phase               row                         reads                  writes
 *     reduce-scatter      first shard sent            local                  -
 *                         other shards sent           local and received     -
 *                         own shard, received last    local and received     result
 *     all-reduce          like reduce-scatter, but the own shard is sent on while it is reduced;
 *                         every other shard sent      received               -
 *     all-gather          own shard sent              local                  its destination *
 *                         other shards sent           received               -
 *     no ring             each                        local                  result
 *
 *     * in a first phase only, unless the shard is already at its destination
 *
 * With `lazy`, a reduce-scatter that another phase follows leaves its own shard as two rows whose
 * sum is the result. The next phase reads both rows instead of one local row. That costs one more
 * read of a row, and saves the two reads and one write of a separate reduction.
 *
 * This file has no time: the node (baseline.c) decides when. Padding moves like data, so that no
 * node's work depends on its rank.
 */
#ifndef BASELINE_CHUNK_H
#define BASELINE_CHUNK_H

#include "ace_node.h"
#include "ace_plan.h"

typedef struct baseline_chunk {
    ace_phase phase[ACE_PHASES];
    uint32_t command; /* index of its command */
    uint16_t rows;
    uint8_t mark; /* the chunk's name, which all nodes use */
    bool plus;    /* travels up the rings */
    bool lazy;
    /* the current phase */
    uint8_t at;                       /* index of the phase; ACE_PHASES: no ring */
    uint8_t link;                     /* the link on which it sends */
    uint8_t operands;                 /* rows of memory that together are one local row */
    bool elsewhere;                   /* its own shard is not yet at its destination */
    uint32_t shard, half, total;      /* rows: of a shard, of all shards but one, to send in all */
    uint32_t sent, received, written; /* rows; sent: read in order to be sent */
    uint32_t own, own_total;          /* rows that SMs reduce or copy without sending them */
    uint32_t to_do;                   /* rows left to give to the NIC and to write */
    uint32_t results; /* rows that were read and whose result is not being written yet */
} baseline_chunk;

static inline bool chunk_on_ring(const baseline_chunk *c) { return c->at < ACE_PHASES; }

/* Enters the phase `at`. */
static inline void chunk_enter(baseline_chunk *c) {
    const bool ring = chunk_on_ring(c);
    const ace_phase none = { .kind = ACE_PHASE_NONE }, *p = ring ? &c->phase[c->at] : &none;
    const bool whole = p->kind == ACE_PHASE_ALL_REDUCE;
    uint32_t results = 0;

    c->shard = p->shard_rows;
    c->half = ring ? (p->ring - 1U) * c->shard : 0;
    c->total = whole ? 2 * c->half : c->half;
    c->link = (uint8_t)(2 * p->dim + !c->plus);
    c->sent = c->received = c->written = c->own = c->own_total = c->results = 0;
    if (!ring)
        c->own_total = c->rows;
    else if (p->kind == ACE_PHASE_REDUCE_SCATTER && !(c->lazy && c->at + 1 < ACE_PHASES))
        c->own_total = c->shard;
    if (whole || (p->kind == ACE_PHASE_ALL_GATHER && c->elsewhere)) results = c->shard;
    c->to_do = 2 * c->total + c->own_total + results;
}

/* Enters the first phase. */
static inline void chunk_begin(baseline_chunk *c, const ace_command *command,
                               const ace_chunk_plan *plan) {
    memcpy(c->phase, plan->phase + (ACE_CLUSTER_PHASES - ACE_PHASES), sizeof c->phase);
    c->rows = plan->rows;
    c->operands = 1;
    c->elsewhere = command->kind == ACE_ALL_GATHER && command->source != command->destination;
    c->at = 0;
    while (chunk_on_ring(c) && c->phase[c->at].kind == ACE_PHASE_NONE) c->at++;
    chunk_enter(c);
}

/* Enters the next phase, when no work is left in this one. Returns false if it was the last. */
static inline bool chunk_onward(baseline_chunk *c) {
    if (c->at + 1 >= ACE_PHASES) return false;
    c->operands = c->phase[c->at].kind == ACE_PHASE_REDUCE_SCATTER && !c->own_total
                      ? (uint8_t)(c->operands + 1)
                      : 1;
    c->elsewhere = false;
    c->at++;
    chunk_enter(c);
    return true;
}

/* The work of SMs for a row. */
typedef struct baseline_row {
    uint8_t reads;
    bool result; /* is written */
    bool reduce; /* the receiver reduces it */
} baseline_row;

/* Whether a row can be read and sent, once the receiver has granted it; and that row. */
static inline bool chunk_can_send(const baseline_chunk *c) {
    return c->sent < c->total && c->sent < c->shard + c->written;
}
static inline baseline_row chunk_send(const baseline_chunk *c) {
    const ace_phase_kind kind = c->phase[c->at].kind;
    const bool first = c->sent < c->shard;

    if (kind == ACE_PHASE_ALL_GATHER)
        return (baseline_row){ .reads = 1, .result = first && c->elsewhere };
    const bool result = c->sent >= c->half && c->sent < c->half + c->shard;
    return (baseline_row){ .reads = (uint8_t)(first                         ? c->operands
                                              : c->sent < c->half || result ? c->operands + 1
                                                                            : 1),
                           .result = result,
                           .reduce = c->sent < c->half };
}

/* Whether a row can be reduced or copied without sending it; and that row. */
static inline bool chunk_can_own(const baseline_chunk *c) {
    return c->own < c->own_total && (!chunk_on_ring(c) || c->half + c->own < c->written + c->shard);
}
static inline baseline_row chunk_own(const baseline_chunk *c) {
    return (baseline_row){ .reads = (uint8_t)(chunk_on_ring(c) ? c->operands + 1 : 1),
                           .result = true };
}

#endif

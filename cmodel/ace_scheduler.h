/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scheduler.h -- the C twin of rtl/ace_scheduler.v: chunks from load to store
 *
 * See the RTL for the contract.  One operation a cycle; `dirty` says that something has
 * changed since the last cycle without one, so a waiting scheduler costs nothing.
 */
#ifndef ACE_SCHEDULER_H
#define ACE_SCHEDULER_H

#include "ace_dispatcher.h"
#include "ace_fsm.h"

enum { ACE_CHUNKS = 64, ACE_STAGES = 6, ACE_STAGE_STORE = 5 };

typedef struct ace_flight {
    ace_chunk chunk;
    uint8_t first;                  /* stage that loads it */
    uint16_t needs[ACE_PARTITIONS]; /* rows in each partition */
    uint16_t rows[ACE_PARTITIONS];  /* where its block begins */
} ace_flight;

typedef struct ace_job {
    uint64_t address, limit;
    uint16_t rows, row, base, end;
    uint8_t burst, bank, id;
} ace_job;

typedef enum ace_action {
    ACE_ACT_NONE,
    ACE_ACT_OTHER,
    ACE_ACT_LOAD,
    ACE_ACT_STORE,
    ACE_ACT_ADMIT,
    ACE_ACT_RELEASE
} ace_action;

/* What a cycle decides: the m_* pins that are strobes, and which chunk and stage. */
typedef struct ace_decision {
    ace_action action;
    bool finish;
    uint8_t stage, chunk;
} ace_decision;

typedef struct ace_scheduler {
    const ace_config *cfg;
    unsigned contexts; /* of one phase */
    uint16_t base[ACE_PARTITIONS];
    uint32_t dispatched, admitted[ACE_STAGES], finished[ACE_STAGES]; /* free running */
    uint64_t loaded, stored;                                         /* a bit a chunk */
    uint16_t used[ACE_PARTITIONS][ACE_BANKS], next[ACE_PARTITIONS][ACE_BANKS];
    bool dirty;
    bool done_valid;
    uint16_t done_tag;
    ace_flight flight[ACE_CHUNKS];
} ace_scheduler;

void ace_scheduler_init(ace_scheduler *s, const ace_config *cfg, unsigned contexts);
void ace_scheduler_reset(ace_scheduler *s);

static inline bool ace_scheduler_chunk_ready(const ace_scheduler *s) {
    return s->dispatched - s->finished[ACE_STAGE_STORE] != ACE_CHUNKS;
}
static inline bool ace_scheduler_busy(const ace_scheduler *s) {
    return s->dispatched != s->finished[ACE_STAGE_STORE];
}

/* Which operation this cycle does.  fsms: those of phase 0 first, `per_phase` each. */
ace_decision ace_scheduler_decide(const ace_scheduler *s, const ace_fsm *fsms, unsigned per_phase,
                                  bool load_ready, bool store_ready);
/* The m_job_* and m_admit_* pins of a decision. */
void ace_scheduler_job(const ace_scheduler *s, const ace_decision *d, ace_job *job);
void ace_scheduler_admission(const ace_scheduler *s, const ace_decision *d, ace_admission *a);
/* Rising edge.  chunk: s_chunk_* or NULL; loaded, stored: chunk number or -1. */
void ace_scheduler_tick(ace_scheduler *s, const ace_decision *d, const ace_chunk *chunk, int loaded,
                        int stored);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scheduler.h -- the C twin of rtl/ace_scheduler.v: chunks from load to store
 *
 * The RTL's head has the contract.  `dirty` means that the next cycle may change the state even
 * without new inputs.  While it is false and the inputs do not change, the node skips the tick.
 */
#ifndef ACE_SCHEDULER_H
#define ACE_SCHEDULER_H

#include "ace_dispatcher.h"
#include "ace_fsm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_CHUNKS = 64,
    ACE_STAGES = ACE_PARTITIONS + 1,
    ACE_DONE_WORDS = 5 /* of s_context_done: 32 contexts a phase */
};

typedef struct ace_flight {
    ace_chunk chunk;
    uint8_t first;                  /* stage that loads it */
    uint16_t needs[ACE_PARTITIONS]; /* rows needed in each partition */
    uint16_t rows[ACE_PARTITIONS];  /* first row of its block in each partition */
} ace_flight;

typedef struct ace_job {
    uint64_t address, limit;
    uint16_t rows, row, base, end;
    uint8_t burst, bank, id;
} ace_job;

typedef enum ace_action {
    ACE_ACT_NONE,
    ACE_ACT_LOAD,
    ACE_ACT_STORE,
    ACE_ACT_ADMIT,
    ACE_ACT_RELEASE
} ace_action;

/* The pipeline registers of a decision: a bit for each stage, and rows. */
typedef struct ace_look {
    uint8_t over;          /* the oldest chunk's work is over */
    uint8_t may, asks;     /* a chunk waits, and the window is open; the same a cycle later */
    uint8_t loads, starts; /* it is loaded here; the same a cycle later */
    uint8_t can_admit;     /* its block fits, its unit is free */
    uint16_t need[ACE_PARTITIONS],
        sum[ACE_PARTITIONS]; /* rows of the chunk, and used with the chunk */
} ace_look;

enum { /* steps of a decision, and how many a chunk takes to enter */
       ACE_SCHEDULER_PICK,
       ACE_SCHEDULER_MOVE,
       ACE_SCHEDULER_ACT,
       ACE_SCHEDULER_SHOW,
       ACE_SCHEDULER_WAIT,
       ACE_SCHEDULER_ENTERS = 4
};

typedef struct ace_scheduler {
    const ace_config *cfg;
    unsigned contexts; /* of one phase */
    unsigned phases;   /* the stage before the last holds no context */
    unsigned store;    /* the last stage */
    bool alone;        /* a chunk enters when none is inside */
    uint16_t base[ACE_PARTITIONS];
    uint32_t dispatched, admitted[ACE_STAGES], finished[ACE_STAGES]; /* free running */
    uint64_t loaded, stored;                                         /* a bit a chunk */
    uint16_t used[ACE_PARTITIONS][ACE_BANKS], next[ACE_PARTITIONS][ACE_BANKS];
    ace_look look;
    uint8_t step, stage, at;    /* the decision under way, its stage and its chunk */
    bool finish;                /* else it is admitted */
    uint8_t enter;              /* step of the chunk that enters, the one after those dispatched */
    uint8_t oldest[ACE_PHASES]; /* index of each phase's oldest chunk */
    bool dirty;
    bool done_valid;
    uint16_t done_tag;
    ace_action bus; /* the m_* pins that are strobes */
    ace_job job;    /* the m_job_* pins of the last job */
    ace_admission
        admission; /* the m_context_* and m_admit_* pins of the last admission or release */
    ace_flight flight[ACE_CHUNKS];
} ace_scheduler;

void ace_scheduler_init(ace_scheduler *s, const ace_config *cfg, unsigned dimensions,
                        unsigned contexts);
void ace_scheduler_reset(ace_scheduler *s);
void ace_scheduler_state(ace_scheduler *s, ace_state *state);

static inline bool ace_scheduler_chunk_ready(const ace_scheduler *s) {
    return !s->enter && s->dispatched - s->finished[s->store] < (s->alone ? 1 : ACE_CHUNKS);
}
/* m_hold: as many chunks are inside as the window allows, or one is entering. */
static inline bool ace_scheduler_m_hold(const ace_scheduler *s) {
    const unsigned window = s->cfg->chunk_window;
    return window && (s->enter || s->dispatched - s->finished[s->store] >= window);
}
/* Index of the oldest chunk in a phase. */
static inline uint8_t ace_scheduler_oldest(const ace_scheduler *s, unsigned phase) {
    return s->oldest[phase];
}
/* Does the first phase hold fewer than two loaded chunks? */
static inline bool ace_scheduler_load_first(const ace_scheduler *s) {
    return ((s->finished[0] - s->finished[1]) & 127) < 2;
}
static inline bool ace_scheduler_busy(const ace_scheduler *s) {
    return s->dispatched != s->finished[s->store] || s->enter | s->step;
}

/* The stages in which the oldest chunk's work is over, from the FSMs' state before the edge.
 * fsms: the FSMs of phase 0 first, `per_phase` for each phase.  held: contexts of each phase with
 * rows still queued in the switch, which are not done whatever their FSM reports. */
unsigned ace_scheduler_over(const ace_scheduler *s, const ace_fsm *fsms, unsigned per_phase,
                            const uint32_t held[]);
/* Rising edge.  is_over: of ace_scheduler_over; chunk: s_chunk_* or NULL; loaded, stored: chunk
 * number or -1. */
void ace_scheduler_tick(ace_scheduler *s, unsigned is_over, bool load_ready, bool store_ready,
                        const ace_chunk *chunk, int loaded, int stored);

/* ---- the same behind the pins of rtl/ace_scheduler.v ------------------------
 *
 *     ace_scheduler_pins *p;
 *     if (ace_scheduler_pins_create(3, 16, &p) != ACE_OK) ...
 *     for (;;) {
 *         ace_scheduler_pins_eval(p, &out);          outputs of this cycle
 *         ace_scheduler_pins_tick(p, &in);           rising edge
 *     }
 *     ace_scheduler_pins_destroy(p);
 *
 * Rules
 *   Outputs     All depend on state alone.
 *   Ready       m_load_ready and m_store_ready, once 1, stay until a job is given.
 *   Chunks      A beat of s_chunk moves when valid && ready; valid and payload hold until
 *               then.  A chunk's block fits in each of its partitions, which lie below
 *               row 4096 of a bank.
 *   Done        s_loaded, s_stored: once for each job given, in any later cycle.  A bit
 *               phase * CONTEXTS + index of s_context_done may be 1 from the cycle after
 *               the admission to the release, once it is 1 it stays.
 *   cfg_*       Constant from one reset to the next.
 *   Threads     One scheduler, one thread.
 */
#define ACE_SCHEDULER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)          \
    BIT(cfg_alone)                                                          \
    WORD(uint8_t, cfg_window, 7)                                            \
    WORD(uint32_t, cfg_ring, 32)                                            \
    WORD(uint32_t, cfg_rank, 32)                                            \
    LANES(uint16_t, cfg_partition_rows, 12, ACE_PARTITIONS, ACE_EVERY_LANE) \
    BIT(s_chunk_valid)                                                      \
    FIELD(uint16_t, s_chunk_kinds, 10, s_chunk_valid)                       \
    FIELD(uint16_t, s_chunk_dims, 10, s_chunk_valid)                        \
    FIELD(uint64_t, s_chunk_shards, 55, s_chunk_valid)                      \
    FIELD(uint64_t, s_chunk_valids, 55, s_chunk_valid)                      \
    FIELD(uint8_t, s_chunk_type, 3, s_chunk_valid)                          \
    FIELD(uint8_t, s_chunk_op, 3, s_chunk_valid)                            \
    FIELD(uint64_t, s_chunk_scale, 37, s_chunk_valid)                       \
    FIELD(uint8_t, s_chunk_mark, 8, s_chunk_valid)                          \
    FIELD(uint64_t, s_chunk_load_address, 48, s_chunk_valid)                \
    FIELD(uint16_t, s_chunk_load_rows, 11, s_chunk_valid)                   \
    FIELD(uint64_t, s_chunk_store_address, 48, s_chunk_valid)               \
    FIELD(uint16_t, s_chunk_store_rows, 11, s_chunk_valid)                  \
    FIELD(uint64_t, s_chunk_limit, 48, s_chunk_valid)                       \
    FIELD(uint8_t, s_chunk_load_burst, 3, s_chunk_valid)                    \
    FIELD(uint8_t, s_chunk_store_burst, 3, s_chunk_valid)                   \
    FIELD(bool, s_chunk_last, 1, s_chunk_valid)                             \
    FIELD(uint16_t, s_chunk_tag, 16, s_chunk_valid)                         \
    BIT(m_load_ready)                                                       \
    BIT(m_store_ready)                                                      \
    BIT(s_loaded_valid)                                                     \
    FIELD(uint8_t, s_loaded_id, 6, s_loaded_valid)                          \
    BIT(s_stored_valid)                                                     \
    FIELD(uint8_t, s_stored_id, 6, s_stored_valid)                          \
    LANES(uint32_t, s_context_done, 32, ACE_DONE_WORDS, ACE_EVERY_LANE)

#define ACE_SCHEDULER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    BIT(s_chunk_ready)                                                   \
    BIT(m_hold)                                                          \
    BIT(m_load_valid)                                                    \
    BIT(m_store_valid)                                                   \
    FIELD(uint64_t, m_job_address, 48, m_load_valid || m_store_valid)    \
    FIELD(uint16_t, m_job_rows, 11, m_load_valid || m_store_valid)       \
    FIELD(uint64_t, m_job_limit, 48, m_load_valid || m_store_valid)      \
    FIELD(uint8_t, m_job_burst, 3, m_load_valid || m_store_valid)        \
    FIELD(uint8_t, m_job_bank, 2, m_load_valid || m_store_valid)         \
    FIELD(uint16_t, m_job_row, 12, m_load_valid || m_store_valid)        \
    FIELD(uint16_t, m_job_base, 12, m_load_valid || m_store_valid)       \
    FIELD(uint16_t, m_job_end, 12, m_load_valid || m_store_valid)        \
    FIELD(uint8_t, m_job_id, 6, m_load_valid || m_store_valid)           \
    BIT(m_admit_valid)                                                   \
    BIT(m_release_valid)                                                 \
    FIELD(uint8_t, m_context_phase, 3, m_admit_valid || m_release_valid) \
    FIELD(uint8_t, m_context_index, 5, m_admit_valid || m_release_valid) \
    FIELD(uint8_t, m_admit_kind, 2, m_admit_valid)                       \
    FIELD(uint8_t, m_admit_dim, 2, m_admit_valid)                        \
    FIELD(uint8_t, m_admit_ring, 8, m_admit_valid)                       \
    FIELD(uint8_t, m_admit_rank, 8, m_admit_valid)                       \
    FIELD(uint16_t, m_admit_shard, 11, m_admit_valid)                    \
    FIELD(uint16_t, m_admit_valids, 11, m_admit_valid)                   \
    FIELD(uint16_t, m_admit_source_row, 12, m_admit_valid)               \
    FIELD(uint16_t, m_admit_target_row, 12, m_admit_valid)               \
    FIELD(uint8_t, m_admit_type, 3, m_admit_valid)                       \
    FIELD(uint8_t, m_admit_op, 3, m_admit_valid)                         \
    FIELD(uint64_t, m_admit_scale, 37, m_admit_valid)                    \
    FIELD(uint8_t, m_admit_mark, 8, m_admit_valid)                       \
    LANES(uint8_t, m_oldest, 5, ACE_PHASES, ACE_EVERY_LANE)              \
    BIT(m_load_first)                                                    \
    BIT(m_done_valid)                                                    \
    FIELD(uint16_t, m_done_tag, 16, m_done_valid)                        \
    BIT(busy)

typedef struct ace_scheduler_pins_in {
    ACE_PORTS(ACE_SCHEDULER_INPUTS)
} ace_scheduler_pins_in;
typedef struct ace_scheduler_pins_out {
    ACE_PORTS(ACE_SCHEDULER_OUTPUTS)
} ace_scheduler_pins_out;

/* Like a node, the pin form ticks the unit only if something changed since the cycle before. */
typedef struct ace_scheduler_pins {
    ace_config cfg;
    ace_scheduler unit;
    bool configured, load_ready, store_ready; /* cfg taken since reset; of the cycle before */
    uint32_t context_done[ACE_DONE_WORDS];
} ace_scheduler_pins;

/* In its reset state.  ACE_OK, ACE_EINVAL (dimensions: 3 or 4; contexts: 4, 8, 16 or 32) or
 * ACE_ENOMEM. */
int ace_scheduler_pins_create(unsigned dimensions, unsigned contexts, ace_scheduler_pins **pins);
void ace_scheduler_pins_destroy(ace_scheduler_pins *p); /* NULL is allowed */
void ace_scheduler_pins_reset(ace_scheduler_pins *p);   /* a rising edge with rst high */
void ace_scheduler_pins_eval(const ace_scheduler_pins *p, ace_scheduler_pins_out *o);
void ace_scheduler_pins_tick(ace_scheduler_pins *p, const ace_scheduler_pins_in *in);
/* Without input, ticks change nothing. */
bool ace_scheduler_pins_idle(const ace_scheduler_pins *p);
/* The same as `cycles` ticks without input; only while idle. */
void ace_scheduler_pins_skip(ace_scheduler_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif

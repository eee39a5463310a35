/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_dispatcher.h -- the C twin of rtl/ace_dispatcher.v
 *
 * Holds the waiting collectives and cuts them into planned chunks; see the RTL for the
 * contract.  Scales, divisions and plans take their cycles; what they give is made at once.
 */
#ifndef ACE_DISPATCHER_H
#define ACE_DISPATCHER_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The m_chunk_* pins. */
typedef struct ace_chunk {
    uint8_t kinds[ACE_PHASES]; /* an ace_phase_kind */
    uint8_t dims[ACE_PHASES];
    uint16_t shards[ACE_PHASES]; /* rows of a shard */
    uint16_t valids[ACE_PHASES]; /* rows of the block that the phase divides; AG: of the shard */
    uint8_t type, op, mark, load_burst, store_burst;
    bool last;
    uint16_t load_rows, store_rows, tag;
    uint64_t scale, load_address, store_address, limit;
} ace_chunk;

typedef struct ace_waiting {
    uint8_t kind, type, op, count, dims[ACE_DIMENSIONS], mark;
    uint16_t tag;
    uint64_t scale, source, destination, limit, rows;
} ace_waiting;

/* A chunk is cut, divided and planned; it is offered; it was not taken in its first cycle. */
enum { ACE_DISPATCH_IDLE, ACE_DISPATCH_PLAN, ACE_DISPATCH_EMIT, ACE_DISPATCH_WAIT };

typedef struct ace_dispatcher {
    const ace_config *cfg;
    unsigned dimensions;
    unsigned commands[ACE_COMMAND_CLASSES]; /* a class holds at most */
    uint32_t head[ACE_COMMAND_CLASSES],
        tail[ACE_COMMAND_CLASSES];     /* free running; modulo `commands` */
    uint8_t left[ACE_COMMAND_CLASSES]; /* chunks that a class still has in this round */
    ace_waiting *waiting;              /* of class 0, then of class 1 */
    uint8_t next_mark;
    uint8_t state;
    uint8_t class_at;    /* class of the present chunk */
    uint8_t class_enter; /* and of the command that entered last */
    uint32_t at;         /* command of the present chunk, in `waiting` */
    uint16_t rows_cut;
    uint32_t entering; /* cycles in which the newest command is still scaled */
    uint32_t cycles;   /* of planning, still to come */
    ace_chunk chunk;   /* m_chunk_*, meaningful while it is offered */
} ace_dispatcher;

/* cfg must outlive the dispatcher.  ACE_OK or ACE_ENOMEM. */
int ace_dispatcher_create(const ace_config *cfg, unsigned dimensions, unsigned commands,
                          ace_dispatcher *d);
void ace_dispatcher_destroy(ace_dispatcher *d);
void ace_dispatcher_reset(ace_dispatcher *d);
void ace_dispatcher_state(ace_dispatcher *d, ace_state *s);

/* Returns how many commands of a class wait. */
static inline uint32_t ace_dispatcher_held(const ace_dispatcher *d, unsigned class_) {
    return d->tail[class_] - d->head[class_];
}
/* Returns the index in `waiting` of a class's i-th command since the reset. */
static inline uint32_t ace_dispatcher_index(const ace_dispatcher *d, unsigned class_, uint32_t i) {
    return (class_ ? d->commands[0] : 0) + i % d->commands[class_];
}
static inline bool ace_dispatcher_cmd_ready(const ace_dispatcher *d) {
    return ace_dispatcher_held(d, 0) != d->commands[0] &&
           ace_dispatcher_held(d, 1) != d->commands[1] && !d->entering &&
           (d->state == ACE_DISPATCH_IDLE ||
            (d->state == ACE_DISPATCH_WAIT && d->cfg->order == ACE_FIFO));
}
static inline bool ace_dispatcher_chunk_valid(const ace_dispatcher *d) {
    return d->state == ACE_DISPATCH_EMIT || d->state == ACE_DISPATCH_WAIT;
}
static inline bool ace_dispatcher_idle(const ace_dispatcher *d) {
    return !ace_dispatcher_held(d, 0) && !ace_dispatcher_held(d, 1);
}

/* Is a calculation of several cycles under way? */
static inline bool ace_dispatcher_computes(const ace_dispatcher *d) {
    return d->entering || d->state == ACE_DISPATCH_PLAN;
}

/* Does the rising edge change anything without cmd and chunk_ready? */
static inline bool ace_dispatcher_works(const ace_dispatcher *d) {
    return ace_dispatcher_computes(d) || d->state == ACE_DISPATCH_EMIT ||
           (d->state == ACE_DISPATCH_IDLE && !ace_dispatcher_idle(d));
}

/* Rising edge.  cmd: s_cmd_* or NULL when not valid; hold: s_hold; chunk_ready: m_chunk_ready. */
void ace_dispatcher_tick(ace_dispatcher *d, const ace_command *cmd, bool hold, bool chunk_ready);

/* ---- the same behind the pins of rtl/ace_dispatcher.v ----------------------
 *
 *     ace_dispatcher_pins *p;
 *     if (ace_dispatcher_pins_create(3, 64, &p) != ACE_OK) ...
 *     for (;;) {
 *         ace_dispatcher_pins_eval(p, &out);     outputs of this cycle, from state only
 *         ace_dispatcher_pins_tick(p, &in);      rising edge
 *     }
 *     ace_dispatcher_pins_destroy(p);
 *
 * Rules
 *   Streams     A beat moves when valid && ready; valid and payload hold until then.
 *   cfg_*       Constant from one reset to the next.
 *   Threads     One dispatcher, one thread.
 */
#define ACE_DISPATCHER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(cfg_fifo)                                                   \
    WORD(uint16_t, cfg_class_tag, 16)                               \
    WORD(uint8_t, cfg_class_weight, 8)                              \
    WORD(uint32_t, cfg_ring, 32)                                    \
    WORD(uint32_t, cfg_rank, 32)                                    \
    WORD(uint16_t, cfg_chunk_rows, 11)                              \
    BIT(s_cmd_valid)                                                \
    FIELD(uint8_t, s_cmd_kind, 2, s_cmd_valid)                      \
    FIELD(uint8_t, s_cmd_type, 3, s_cmd_valid)                      \
    FIELD(uint8_t, s_cmd_op, 3, s_cmd_valid)                        \
    FIELD(uint32_t, s_cmd_scale, 32, s_cmd_valid)                   \
    FIELD(uint8_t, s_cmd_dim_count, 3, s_cmd_valid)                 \
    FIELD(uint8_t, s_cmd_dims, 8, s_cmd_valid)                      \
    FIELD(uint64_t, s_cmd_source, 48, s_cmd_valid)                  \
    FIELD(uint64_t, s_cmd_destination, 48, s_cmd_valid)             \
    FIELD(uint64_t, s_cmd_bytes, 41, s_cmd_valid)                   \
    FIELD(uint16_t, s_cmd_tag, 16, s_cmd_valid)                     \
    BIT(s_hold)                                                     \
    BIT(m_chunk_ready)

#define ACE_DISPATCHER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_cmd_ready)                                                 \
    BIT(m_chunk_valid)                                               \
    FIELD(uint16_t, m_chunk_kinds, 10, m_chunk_valid)                \
    FIELD(uint16_t, m_chunk_dims, 10, m_chunk_valid)                 \
    FIELD(uint64_t, m_chunk_shards, 55, m_chunk_valid)               \
    FIELD(uint64_t, m_chunk_valids, 55, m_chunk_valid)               \
    FIELD(uint8_t, m_chunk_type, 3, m_chunk_valid)                   \
    FIELD(uint8_t, m_chunk_op, 3, m_chunk_valid)                     \
    FIELD(uint64_t, m_chunk_scale, 37, m_chunk_valid)                \
    FIELD(uint8_t, m_chunk_mark, 8, m_chunk_valid)                   \
    FIELD(uint64_t, m_chunk_load_address, 48, m_chunk_valid)         \
    FIELD(uint16_t, m_chunk_load_rows, 11, m_chunk_valid)            \
    FIELD(uint64_t, m_chunk_store_address, 48, m_chunk_valid)        \
    FIELD(uint16_t, m_chunk_store_rows, 11, m_chunk_valid)           \
    FIELD(uint64_t, m_chunk_limit, 48, m_chunk_valid)                \
    FIELD(uint8_t, m_chunk_load_burst, 3, m_chunk_valid)             \
    FIELD(uint8_t, m_chunk_store_burst, 3, m_chunk_valid)            \
    FIELD(bool, m_chunk_last, 1, m_chunk_valid)                      \
    FIELD(uint16_t, m_chunk_tag, 16, m_chunk_valid)                  \
    BIT(idle)

typedef struct ace_dispatcher_pins_in {
    ACE_PORTS(ACE_DISPATCHER_INPUTS)
} ace_dispatcher_pins_in;
typedef struct ace_dispatcher_pins_out {
    ACE_PORTS(ACE_DISPATCHER_OUTPUTS)
} ace_dispatcher_pins_out;

typedef struct ace_dispatcher_pins {
    ace_config cfg;
    ace_dispatcher unit;
} ace_dispatcher_pins;

/* In its reset state.  ACE_OK, ACE_EINVAL (dimensions: 3 or 4; commands: 2^n, at least 2) or
 * ACE_ENOMEM. */
int ace_dispatcher_pins_create(unsigned dimensions, unsigned commands, ace_dispatcher_pins **pins);
void ace_dispatcher_pins_destroy(ace_dispatcher_pins *p); /* NULL is allowed */
void ace_dispatcher_pins_reset(ace_dispatcher_pins *p);   /* a rising edge with rst high */
void ace_dispatcher_pins_eval(const ace_dispatcher_pins *p, ace_dispatcher_pins_out *o);
void ace_dispatcher_pins_tick(ace_dispatcher_pins *p, const ace_dispatcher_pins_in *in);
/* Without input, ticks change nothing. */
bool ace_dispatcher_pins_idle(const ace_dispatcher_pins *p);
/* The same as `cycles` ticks without input; only while idle. */
void ace_dispatcher_pins_skip(ace_dispatcher_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif

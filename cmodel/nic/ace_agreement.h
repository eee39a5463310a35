/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_agreement.h -- the C twin of rtl/ace_agreement.v
 *
 * Commands wait here until all nodes of the agreed dimensions have them.  The nodes find out in
 * rounds: they exchange the numbers of commands they have, and the least number is agreed.  The
 * RTL's head has the contract.
 */
#ifndef ACE_AGREEMENT_H
#define ACE_AGREEMENT_H

#include "ace_flit.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_ROUND_CHUNKS = 16, ACE_ROUND_MOST = 255 /* the largest number of a round */ };

/* A command that waits, with the fields that the dispatcher uses. */
typedef struct ace_agreed {
    uint8_t kind, type, op, dim_count, dims[ACE_DIMENSIONS];
    uint16_t tag;
    uint32_t scale;
    uint64_t source, destination, bytes;
} ace_agreed;

/* The numbers of a round that have arrived: their count, and their minimum. */
typedef struct ace_tally {
    uint8_t count, least;
} ace_tally;

typedef struct ace_agreement {
    const ace_config *cfg;
    unsigned dimensions, commands;
    uint8_t over; /* dimensions along which rounds go; 0: commands bypass this unit */
    ace_agreed *queue;
    uint32_t head, tail; /* free running; modulo `commands` */
    uint32_t agreed;     /* commands at the head that all nodes have */
    bool popped;         /* a command has left in the last cycle */
    bool open;           /* the dispatcher may choose chunks */
    uint8_t chunks;      /* how many chunks it may still choose, while open */
    bool ready;          /* the next round is over, and `value` is its result */
    uint8_t left;        /* dimensions still to do in the current round; 0: no round */
    uint8_t value;       /* least number so far: of the finished dimensions and this node's own */
    uint8_t sent;        /* numbers sent along the current dimension */
    ace_tally here[ACE_DIMENSIONS], ahead[ACE_DIMENSIONS]; /* of this round, and of the next */
} ace_agreement;

/* A number that the node sends to another member. */
typedef struct ace_number {
    uint8_t link, peer, value;
} ace_number;

/* The inputs of one cycle. */
typedef struct ace_agreement_in {
    const ace_command *cmd; /* s_cmd_*, or NULL when not valid */
    bool cmd_taken;         /* m_cmd_ready, while it is valid */
    bool chunk;             /* s_chunk: a chunk was chosen and taken */
    bool rests;             /* s_rests: the dispatcher has no command */
    bool number_taken;      /* s_number_take */
    uint8_t number_valid;   /* links on which a number has arrived */
    uint8_t number[ACE_LINKS];
} ace_agreement_in;

/* cfg must outlive it.  ACE_OK or ACE_ENOMEM. */
int ace_agreement_create(const ace_config *cfg, unsigned dimensions, unsigned commands,
                         ace_agreement *a);
void ace_agreement_destroy(ace_agreement *a);
void ace_agreement_reset(ace_agreement *a);
void ace_agreement_state(ace_agreement *a, ace_state *s);

/* Are there other nodes to agree with? */
static inline bool ace_agreement_is_on(const ace_agreement *a) { return a->over != 0; }

static inline bool ace_agreement_cmd_ready(const ace_agreement *a) {
    return a->tail - a->head != a->commands;
}
static inline bool ace_agreement_m_cmd_valid(const ace_agreement *a) {
    return a->agreed && !a->popped;
}
/* m_cmd_*, while valid. */
ace_command ace_agreement_m_cmd(const ace_agreement *a);
static inline bool ace_agreement_m_hold(const ace_agreement *a) { return !a->open; }
/* m_number_*; false: not valid. */
bool ace_agreement_m_number(const ace_agreement *a, ace_number *n);
/* Without input, ticks change nothing. */
bool ace_agreement_idle(const ace_agreement *a);
/* Rising edge. */
void ace_agreement_tick(ace_agreement *a, const ace_agreement_in *in);

/* ---- the same behind the pins of rtl/ace_agreement.v ----------------------
 *
 * The rules of ace_dispatcher.h hold.  cfg_agreed names only dimensions with several members.
 */
#define ACE_AGREEMENT_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint8_t, cfg_agreed, 4)                                   \
    WORD(uint8_t, cfg_hub, 4)                                      \
    WORD(uint32_t, cfg_ring, 32)                                   \
    WORD(uint32_t, cfg_rank, 32)                                   \
    BIT(s_cmd_valid)                                               \
    FIELD(uint8_t, s_cmd_kind, 2, s_cmd_valid)                     \
    FIELD(uint8_t, s_cmd_type, 3, s_cmd_valid)                     \
    FIELD(uint8_t, s_cmd_op, 3, s_cmd_valid)                       \
    FIELD(uint32_t, s_cmd_scale, 32, s_cmd_valid)                  \
    FIELD(uint8_t, s_cmd_dim_count, 3, s_cmd_valid)                \
    FIELD(uint8_t, s_cmd_dims, 8, s_cmd_valid)                     \
    FIELD(uint64_t, s_cmd_source, 48, s_cmd_valid)                 \
    FIELD(uint64_t, s_cmd_destination, 48, s_cmd_valid)            \
    FIELD(uint64_t, s_cmd_bytes, 41, s_cmd_valid)                  \
    FIELD(uint16_t, s_cmd_tag, 16, s_cmd_valid)                    \
    BIT(m_cmd_ready)                                               \
    BIT(s_chunk)                                                   \
    BIT(s_rests)                                                   \
    WORD(uint8_t, s_number_valid, ACE_LINKS)                       \
    LANES(uint8_t, s_number, 8, ACE_LINKS, s_number_valid)         \
    BIT(s_number_take)

#define ACE_AGREEMENT_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_cmd_ready)                                                \
    BIT(m_cmd_valid)                                                \
    FIELD(uint8_t, m_cmd_kind, 2, m_cmd_valid)                      \
    FIELD(uint8_t, m_cmd_type, 3, m_cmd_valid)                      \
    FIELD(uint8_t, m_cmd_op, 3, m_cmd_valid)                        \
    FIELD(uint32_t, m_cmd_scale, 32, m_cmd_valid)                   \
    FIELD(uint8_t, m_cmd_dim_count, 3, m_cmd_valid)                 \
    FIELD(uint8_t, m_cmd_dims, 8, m_cmd_valid)                      \
    FIELD(uint64_t, m_cmd_source, 48, m_cmd_valid)                  \
    FIELD(uint64_t, m_cmd_destination, 48, m_cmd_valid)             \
    FIELD(uint64_t, m_cmd_bytes, 41, m_cmd_valid)                   \
    FIELD(uint16_t, m_cmd_tag, 16, m_cmd_valid)                     \
    BIT(m_hold)                                                     \
    BIT(m_number_valid)                                             \
    FIELD(uint8_t, m_number_link, 3, m_number_valid)                \
    FIELD(uint8_t, m_number_peer, 8, m_number_valid)                \
    FIELD(uint8_t, m_number, 8, m_number_valid)                     \
    BIT(idle)

typedef struct ace_agreement_pins_in {
    ACE_PORTS(ACE_AGREEMENT_INPUTS)
} ace_agreement_pins_in;
typedef struct ace_agreement_pins_out {
    ACE_PORTS(ACE_AGREEMENT_OUTPUTS)
} ace_agreement_pins_out;

typedef struct ace_agreement_pins {
    ace_config cfg;
    ace_agreement unit;
} ace_agreement_pins;

/* In its reset state, with nobody to agree with until the first reset with cfg_* set.  ACE_OK,
 * ACE_EINVAL (dimensions: 3 or 4; commands: 2^n, at least 2) or ACE_ENOMEM. */
int ace_agreement_pins_create(unsigned dimensions, unsigned commands, ace_agreement_pins **pins);
void ace_agreement_pins_destroy(ace_agreement_pins *p); /* NULL is allowed */
void ace_agreement_pins_reset(ace_agreement_pins *p);   /* a rising edge with rst high */
void ace_agreement_pins_eval(const ace_agreement_pins *p, ace_agreement_pins_out *o);
void ace_agreement_pins_tick(ace_agreement_pins *p, const ace_agreement_pins_in *in);
bool ace_agreement_pins_idle(const ace_agreement_pins *p);
void ace_agreement_pins_skip(ace_agreement_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif

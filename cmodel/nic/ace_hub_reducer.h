/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_hub_reducer.h -- the C twin of rtl/ace_hub_reducer.v: a switch that reduces the rows that its
 * ports send
 *
 *     ace_hub_reducer *r;
 *     if (ace_hub_reducer_create(64, 32, 128, payload, &r) != ACE_OK) ...
 *     for (;;) {
 *         if (ace_hub_reducer_s_ready(r, port)) arrivals.header[port] = ...
 *         if (ace_hub_reducer_m_valid(r)) ... ace_hub_reducer_m_data(r) ...
 *         ace_hub_reducer_cycle(r, &arrivals, hold);     rising edge
 *     }
 *     ace_hub_reducer_destroy(r);
 *
 * See the RTL for the contract.
 *
 * Rules
 *   Sums        The twin computes a sum when its rows are read, and holds it until the RTL's tree
 *               of ALUs would deliver it.  The pins do not show the stages of the tree.
 *   Errors      ..._create() returns an ace_err.  Errors of rows are pins: rows that do not belong
 *               together (ace_hub_reducer_m_mismatch()), operations that the ALUs lack
 *               (..._m_refused()) and failed parity checks (..._m_wrong()).  In a run without
 *               payload the code of a row is 0.
 *   Threads     One unit, one thread.
 */
#ifndef ACE_HUB_REDUCER_H
#define ACE_HUB_REDUCER_H

#include "ace_alu.h"
#include "ace_cycle_classes.h"
#include "ace_ports.h"
#include "ace_row_code.h"
#include "ace_word_code.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_HUB_PORTS_MAX = 64,
    ACE_HUB_CONTEXTS_MAX = 32,
    ACE_HUB_SUMS = 64, /* more than the sums in the largest tree, plus the rows being read */
    /* The sizes of a fabric's switch. */
    ACE_HUB_PORTS = 64,
    ACE_HUB_SOME_PORTS = 16, /* ports of the smaller switches, used if the members fit */
    ACE_HUB_FEW_PORTS = 4,
    ACE_HUB_CONTEXTS = 32, /* chunks in flight */
    ACE_HUB_ROWS = 128     /* rows of each chunk that a port holds */
};

/* The header of a row: its chunk, as packets name it, and how to reduce it. */
typedef struct ace_hub_header {
    uint8_t context, mark, how; /* how: op * 8 + type */
    uint8_t code;               /* the check code of the other fields */
} ace_hub_header;

/* The check code that fits the other fields of a header. */
static inline uint8_t ace_hub_header_code(const ace_hub_header *h) {
    return ace_word_code((uint32_t)h->how << 16 | (uint32_t)h->context << 8 | h->mark);
}

/* The kinds of failed checks: the bits of m_wrong.  If several fail, the lowest bit is reported. */
typedef enum ace_hub_wrong {
    ACE_HUB_WRONG_ROW = 1,
    ACE_HUB_WRONG_HEADER = 2,
    ACE_HUB_WRONG_TABLE = 4
} ace_hub_wrong;

/* The s_ pins of a cycle. */
typedef struct ace_hub_arrivals {
    uint64_t valid; /* a bit a port */
    ace_hub_header header[ACE_HUB_PORTS_MAX];
    const uint32_t *row[ACE_HUB_PORTS_MAX]; /* NULL: without payload */
    uint32_t code[ACE_HUB_PORTS_MAX];       /* of the row */
} ace_hub_arrivals;

/* The result of checking the rows of one sum when they are read. */
typedef struct ace_hub_read {
    bool differs, refused; /* their headers differ; the ALUs lack the operation */
    uint8_t unfit;         /* failed checks: ace_hub_wrong bits */
} ace_hub_read;

/* Inverted copies of the valid bits.  A bit that flips in a register or in its copy is detected. */
typedef struct ace_hub_not {
    uint64_t under_way, steps; /* steps: opening, picked, fetched and reads */
    uint64_t in_valid;
    uint32_t open;
} ace_hub_not;

typedef struct ace_hub_reducer {
    /* constant */
    uint32_t ports, contexts, rows, levels;
    uint32_t types, ops; /* types and operations that the ALUs have, a bit each */
    uint64_t members;    /* cfg_members: ports 0, 1, ... that take part, a bit each */
    /* state */
    uint64_t in_valid;                    /* a bit a port */
    ace_hub_header in[ACE_HUB_PORTS_MAX]; /* header of the row that waits before the table */
    uint32_t in_code[ACE_HUB_PORTS_MAX];  /* parity code of that row */
    uint32_t open;                        /* entries in use, a bit an entry */
    uint8_t name[ACE_HUB_CONTEXTS_MAX];   /* the context that each entry belongs to */
    uint32_t name_parity;                 /* a bit an entry */
    bool opening;                         /* an entry is being opened ... */
    uint8_t opening_name;                 /* ... for this context */
    bool opening_parity;
    uint32_t has[ACE_HUB_PORTS_MAX]; /* entries for which a port has a row, a bit each */
    uint16_t count[ACE_HUB_PORTS_MAX][ACE_HUB_CONTEXTS_MAX]; /* rows of a port in an entry */
    uint16_t tail[ACE_HUB_PORTS_MAX][ACE_HUB_CONTEXTS_MAX];
    uint16_t head[ACE_HUB_CONTEXTS_MAX]; /* shared by all ports, which are read together */
    bool picked, fetched, reads;         /* the three steps of reading the rows of an entry */
    uint8_t pick, last;                  /* the entry picked now, and the entry picked before */
    uint32_t pick_bit;                   /* `pick` as a bit */
    ace_hub_read out, read;              /* checks of the rows in steps `fetched` and `reads` */
    uint8_t unfit[2]; /* failed checks one and two cycles ago: ace_hub_wrong bits */
    uint8_t wrong;    /* the checks that failed first */
    bool mismatch, refused;
    uint64_t under_way;               /* sums in the tree, a bit a stage; 0 follows the first */
    uint32_t oldest, next;            /* indices into `sum`: the oldest, and the next free one */
    ace_hub_header sum[ACE_HUB_SUMS]; /* a ring buffer: sums being read or in the tree */
    ace_hub_not not_;
    ace_cycle_classes classes;
    /* slots: port * contexts * rows + entry * rows + row */
    ace_hub_header *headers;
    uint32_t *codes;  /* of their rows */
    ace_row *slots;   /* NULL: timing-only */
    ace_row *in_rows; /* of each port; NULL: timing-only */
    ace_row *sums;    /* of the ring buffer; NULL: timing-only */
} ace_hub_reducer;

/* Creates a unit in its reset state.  All ports are members, and the ALUs have all operations
 * except averages.  A caller that wants fewer sets `members`, `types` and `ops` before the first
 * cycle.  ACE_OK, ACE_EINVAL
 * (ports 2..64, contexts 2..32 and rows 2..1024, powers of two) or ACE_ENOMEM. */
int ace_hub_reducer_create(unsigned ports, unsigned contexts, unsigned rows, bool payload,
                           ace_hub_reducer **r);
void ace_hub_reducer_destroy(ace_hub_reducer *r); /* NULL is allowed */
void ace_hub_reducer_reset(ace_hub_reducer *r);   /* a rising edge with rst high */
void ace_hub_reducer_state(ace_hub_reducer *r, ace_state *s);

/* Ports 0 to ports - 1, a bit each. */
static inline uint64_t ace_hub_every_port(unsigned ports) { return ~UINT64_C(0) >> (64 - ports); }

/* Cycles from the operands of the tree to its sum. */
static inline unsigned ace_hub_reducer_stages(const ace_hub_reducer *r) {
    return r->levels * ACE_ALU_LATENCY;
}

/* The entries whose context is the context of the row that waits at the port, a bit each. */
uint32_t ace_hub_reducer_matches(const ace_hub_reducer *r, unsigned port);
bool ace_hub_reducer_s_ready(const ace_hub_reducer *r, unsigned port);
/* Is a sum at the end of the tree?  The sum is valid unless a check has failed. */
static inline bool ace_hub_reducer_leaves(const ace_hub_reducer *r) {
    return r->under_way >> (ace_hub_reducer_stages(r) - 1) & 1;
}
static inline bool ace_hub_reducer_m_valid(const ace_hub_reducer *r) {
    return ace_hub_reducer_leaves(r) && !r->wrong;
}
static inline const ace_hub_header *ace_hub_reducer_m_header(const ace_hub_reducer *r) {
    return &r->sum[r->oldest];
}
/* The number of sums that will leave, now or later, even while `hold` is set. */
static inline unsigned ace_hub_reducer_coming(const ace_hub_reducer *r) {
    return ((r->next - r->oldest) & (ACE_HUB_SUMS - 1)) + r->picked;
}
/* NULL without payload. */
static inline const uint32_t *ace_hub_reducer_m_data(const ace_hub_reducer *r) {
    return r->sums ? r->sums[r->oldest] : NULL;
}
static inline bool ace_hub_reducer_m_mismatch(const ace_hub_reducer *r) { return r->mismatch; }
static inline bool ace_hub_reducer_m_refused(const ace_hub_reducer *r) { return r->refused; }
static inline uint8_t ace_hub_reducer_m_wrong(const ace_hub_reducer *r) { return r->wrong; }
/* Rising edge.  Arrivals of ports that are not s_ready are not taken; hold: no rows are picked. */
void ace_hub_reducer_cycle(ace_hub_reducer *r, const ace_hub_arrivals *a, bool hold);
/* Without input only counters change.  Rows may still wait for rows of other ports. */
bool ace_hub_reducer_idle(const ace_hub_reducer *r);
void ace_hub_reducer_skip(ace_hub_reducer *r, uint64_t cycles); /* only while idle */
/* The header of a row that waits: the i-th row of a port in an entry. */
static inline const ace_hub_header *ace_hub_reducer_waiting(const ace_hub_reducer *r, unsigned port,
                                                            unsigned entry, unsigned i) {
    const unsigned index = (r->head[entry] + i) & (r->rows - 1);
    return &r->headers[((size_t)port * r->contexts + entry) * r->rows + index];
}
/* Does any row wait for rows of other ports?  If so, *context is the context of the first such
 * entry, and *missing the ports without a row there, a bit each. */
bool ace_hub_reducer_waits(const ace_hub_reducer *r, uint8_t *context, uint64_t *missing);

/* ---- the pin form: what tests drive.  Rows of all ports are one pin, a word a lane. ---- */

#define ACE_HUB_REDUCER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)              \
    WORD(uint64_t, cfg_members, ACE_HUB_PORTS_MAX)                                \
    WORD(uint64_t, s_valid, ACE_HUB_PORTS_MAX)                                    \
    LANES(uint8_t, s_context, 8, ACE_HUB_PORTS_MAX, s_valid)                      \
    LANES(uint8_t, s_mark, 8, ACE_HUB_PORTS_MAX, s_valid)                         \
    LANES(uint8_t, s_how, 6, ACE_HUB_PORTS_MAX, s_valid)                          \
    LANES(uint8_t, s_header_code, 4, ACE_HUB_PORTS_MAX, s_valid)                  \
    LANES(uint32_t, s_data, 32, ACE_HUB_PORTS_MAX *ACE_ROW_WORDS, ACE_EVERY_LANE) \
    LANES(uint32_t, s_code, 32, ACE_HUB_PORTS_MAX, s_valid)                       \
    BIT(s_hold)

#define ACE_HUB_REDUCER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint64_t, s_ready, ACE_HUB_PORTS_MAX)                        \
    BIT(m_valid)                                                      \
    FIELD(uint8_t, m_context, 8, m_valid)                             \
    FIELD(uint8_t, m_mark, 8, m_valid)                                \
    ROW(m_data)                                                       \
    BIT(m_mismatch)                                                   \
    BIT(m_refused)                                                    \
    WORD(uint8_t, m_wrong, 3)                                         \
    BIT(idle)                                                         \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)

typedef struct ace_hub_reducer_in {
    ACE_PORTS(ACE_HUB_REDUCER_INPUTS)
} ace_hub_reducer_in;
typedef struct ace_hub_reducer_out {
    ACE_PORTS(ACE_HUB_REDUCER_OUTPUTS)
} ace_hub_reducer_out;

void ace_hub_reducer_eval(const ace_hub_reducer *r, ace_hub_reducer_out *out);
void ace_hub_reducer_tick(ace_hub_reducer *r, const ace_hub_reducer_in *in);

#ifdef __cplusplus
}
#endif
#endif

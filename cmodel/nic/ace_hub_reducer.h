/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_hub_reducer.h -- the C twin of rtl/ace_hub_reducer.v: sums up, in a switch, what its ports
 * send
 *
 *     ace_hub_reducer *r;
 *     if (ace_hub_reducer_create(16, 32, 128, payload, &r) != ACE_OK) ...
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
 *   Sums        are worked out as the rows are read and wait until they would be there: which stage
 *               of the tree holds what cannot be seen at the pins.
 *   Errors      ace_err of ..._create().  Rows that do not belong together, what cannot be reduced
 *               and what does not fit its code are pins: ace_hub_reducer_m_mismatch(),
 *               ..._m_refused() and ..._m_wrong().  A run without payload has no row, whose code is
 *               0.
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
    ACE_HUB_PORTS_MAX = 16,
    ACE_HUB_CONTEXTS_MAX = 32,
    ACE_HUB_SUMS = 32, /* more than there are in a tree of so many ports, with the rows read */
    /* Of the switch of a fabric: ports, or where they do for its members fewer; chunks under way,
     * and rows of each that a port holds. */
    ACE_HUB_PORTS = 16,
    ACE_HUB_FEW_PORTS = 4,
    ACE_HUB_CONTEXTS = 32,
    ACE_HUB_ROWS = 128
};

/* What a row says of itself: its chunk, as packets name it, and what is to be done to it. */
typedef struct ace_hub_header {
    uint8_t context, mark, how; /* how: op * 8 + type */
    uint8_t code;               /* of these */
} ace_hub_header;

/* The code that belongs to the others. */
static inline uint8_t ace_hub_header_code(const ace_hub_header *h) {
    return ace_word_code((uint32_t)h->how << 16 | (uint32_t)h->context << 8 | h->mark);
}

/* What does not fit, a bit each of m_wrong; the lowest is told. */
typedef enum ace_hub_wrong {
    ACE_HUB_WRONG_ROW = 1,
    ACE_HUB_WRONG_HEADER = 2,
    ACE_HUB_WRONG_TABLE = 4
} ace_hub_wrong;

/* What is on the s_ pins in a cycle. */
typedef struct ace_hub_arrivals {
    uint32_t valid; /* a bit a port */
    ace_hub_header header[ACE_HUB_PORTS_MAX];
    const uint32_t *row[ACE_HUB_PORTS_MAX]; /* NULL: without payload */
    uint32_t code[ACE_HUB_PORTS_MAX];       /* of the row */
} ace_hub_arrivals;

/* What is said of the rows of a slot, when they are read. */
typedef struct ace_hub_read {
    bool differs, refused; /* they say different things, or what cannot be */
    uint8_t unfit;         /* or do not fit: of ace_hub_wrong */
} ace_hub_read;

/* What says that something is there, the second time: each bit is the other one. */
typedef struct ace_hub_not {
    uint64_t under_way, steps; /* steps: opening, picked, fetched and reads */
    uint32_t in_valid, open;
} ace_hub_not;

typedef struct ace_hub_reducer {
    /* constant */
    uint32_t ports, contexts, rows, levels;
    uint32_t types, ops; /* what the ALUs reduce: a bit a type, an operation */
    uint32_t members;    /* cfg_members: ports 0, 1, ... that take part, a bit each */
    /* state */
    uint32_t in_valid;                    /* a bit a port */
    ace_hub_header in[ACE_HUB_PORTS_MAX]; /* what stands before the table */
    uint32_t in_code[ACE_HUB_PORTS_MAX];  /* of its rows */
    uint32_t open;                        /* contexts that have an entry, a bit an entry */
    uint8_t name[ACE_HUB_CONTEXTS_MAX];   /* of the context of an entry */
    uint32_t name_parity;                 /* a bit an entry */
    bool opening;                         /* an entry is asked for ... */
    uint8_t opening_name;                 /* ... for this context */
    bool opening_parity;
    uint32_t has[ACE_HUB_PORTS_MAX]; /* entries of which a port has a row, a bit each */
    uint16_t count[ACE_HUB_PORTS_MAX][ACE_HUB_CONTEXTS_MAX]; /* and how many */
    uint16_t tail[ACE_HUB_PORTS_MAX][ACE_HUB_CONTEXTS_MAX];
    uint16_t head[ACE_HUB_CONTEXTS_MAX]; /* of all ports: they are read together */
    bool picked, fetched,
        reads;              /* rows of an entry are to be read; are out of their slots; are read */
    uint8_t pick, last;     /* the entry; that of the pick before */
    uint32_t pick_bit;      /* the entry, again */
    ace_hub_read out, read; /* of those rows */
    uint8_t unfit[2];       /* of ace_hub_wrong: what did not fit a cycle ago, and two */
    uint8_t wrong;          /* what did first */
    bool mismatch, refused;
    uint64_t under_way;               /* a bit a stage of the tree: 0 is behind the first */
    uint32_t oldest, next;            /* of the sums below, and where another goes */
    ace_hub_header sum[ACE_HUB_SUMS]; /* a ring: what is read or in the tree */
    ace_hub_not not_;
    ace_cycle_classes classes;
    /* slots: port * contexts * rows + entry * rows + place */
    ace_hub_header *headers;
    uint32_t *codes;  /* of their rows */
    ace_row *slots;   /* NULL: timing-only */
    ace_row *in_rows; /* of each port, likewise */
    ace_row *sums;    /* of the ring, likewise */
} ace_hub_reducer;

/* A unit in its reset state, of which all ports are members, and with ALUs for all but averages;
 * who wants fewer says so in members, types and ops before the first cycle.  ACE_OK, ACE_EINVAL
 * (ports 2..16, contexts 2..32 and rows 2..1024, powers of two) or ACE_ENOMEM. */
int ace_hub_reducer_create(unsigned ports, unsigned contexts, unsigned rows, bool payload,
                           ace_hub_reducer **r);
void ace_hub_reducer_destroy(ace_hub_reducer *r); /* NULL is allowed */
void ace_hub_reducer_reset(ace_hub_reducer *r);   /* a rising edge with rst high */
void ace_hub_reducer_state(ace_hub_reducer *r, ace_state *s);

/* Cycles from the operands of the tree to its sum. */
static inline unsigned ace_hub_reducer_stages(const ace_hub_reducer *r) {
    return r->levels * ACE_ALU_LATENCY;
}

/* Entries, a bit each, whose context is that of the row before the table. */
uint32_t ace_hub_reducer_matches(const ace_hub_reducer *r, unsigned port);
bool ace_hub_reducer_s_ready(const ace_hub_reducer *r, unsigned port);
/* A sum is at the end of the tree; it is valid while nothing is known to be wrong. */
static inline bool ace_hub_reducer_leaves(const ace_hub_reducer *r) {
    return r->under_way >> (ace_hub_reducer_stages(r) - 1) & 1;
}
static inline bool ace_hub_reducer_m_valid(const ace_hub_reducer *r) {
    return ace_hub_reducer_leaves(r) && !r->wrong;
}
static inline const ace_hub_header *ace_hub_reducer_m_header(const ace_hub_reducer *r) {
    return &r->sum[r->oldest];
}
/* Sums that come, now or later, whatever is held. */
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
/* Without input nothing changes but counters: rows may wait for those of other ports. */
bool ace_hub_reducer_idle(const ace_hub_reducer *r);
void ace_hub_reducer_skip(ace_hub_reducer *r, uint64_t cycles); /* only while idle */
/* The header of a row that waits: the i-th of an entry that a port has. */
static inline const ace_hub_header *ace_hub_reducer_waiting(const ace_hub_reducer *r, unsigned port,
                                                            unsigned entry, unsigned i) {
    const unsigned place = (r->head[entry] + i) & (r->rows - 1);
    return &r->headers[((size_t)port * r->contexts + entry) * r->rows + place];
}
/* Does any row wait for those of other ports?  Of the first entry of which one does: its context,
 * and the ports that have none, a bit each. */
bool ace_hub_reducer_waits(const ace_hub_reducer *r, uint8_t *context, uint32_t *missing);

/* ---- the pin form: what tests drive.  Rows of all ports are one pin, a word a lane. ---- */

#define ACE_HUB_REDUCER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)              \
    WORD(uint16_t, cfg_members, ACE_HUB_PORTS_MAX)                                \
    WORD(uint16_t, s_valid, ACE_HUB_PORTS_MAX)                                    \
    LANES(uint8_t, s_context, 8, ACE_HUB_PORTS_MAX, s_valid)                      \
    LANES(uint8_t, s_mark, 8, ACE_HUB_PORTS_MAX, s_valid)                         \
    LANES(uint8_t, s_how, 6, ACE_HUB_PORTS_MAX, s_valid)                          \
    LANES(uint8_t, s_header_code, 4, ACE_HUB_PORTS_MAX, s_valid)                  \
    LANES(uint32_t, s_data, 32, ACE_HUB_PORTS_MAX *ACE_ROW_WORDS, ACE_EVERY_LANE) \
    LANES(uint32_t, s_code, 32, ACE_HUB_PORTS_MAX, s_valid)                       \
    BIT(s_hold)

#define ACE_HUB_REDUCER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint16_t, s_ready, ACE_HUB_PORTS_MAX)                        \
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

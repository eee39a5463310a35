/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_row_fifo.h -- rows between two streams, ready from state only
 *
 * The C twin of rtl/ace_row_fifo.v.  A row pushed at an edge is at the head from the next
 * cycle on; s_ready = count < depth, m_valid = count > 0.  Other modules contain it and use direct
 * calls.  Push and pop of one edge may be called in either order, each only if s_ready or m_valid
 * before the edge permits it.
 */
#ifndef ACE_ROW_FIFO_H
#define ACE_ROW_FIFO_H

#include "ace_ports.h"
#include "ace_row_code.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_ROW_FIFO_DEPTH_MIN = 2, ACE_ROW_FIFO_DEPTH_MAX = 32 };

typedef struct ace_row_fifo {
    uint32_t depth, mask, head, tail, count; /* mask: of an index; more slots than `depth` */
    ace_row *rows;                           /* NULL: timing-only */
    /* sideband: codes, if there are rows; strobes (a count); last beat */
    uint32_t codes[2 * ACE_ROW_FIFO_DEPTH_MAX];
    uint16_t bytes[2 * ACE_ROW_FIFO_DEPTH_MAX];
    bool last[2 * ACE_ROW_FIFO_DEPTH_MAX];
} ace_row_fifo;

/* ACE_OK, ACE_EINVAL (depth outside MIN..MAX) or ACE_ENOMEM. */
int ace_row_fifo_init(ace_row_fifo *f, unsigned depth, bool payload);
void ace_row_fifo_free(ace_row_fifo *f);
/* The state behind the fifo's pointers, when the unit that contains it moves the struct itself.
 * depth: the depth it was created with. */
void ace_row_fifo_rows_state(ace_row_fifo *f, unsigned depth, ace_state *s);

static inline void ace_row_fifo_reset(ace_row_fifo *f) { f->head = f->tail = f->count = 0; }
/* Does the RTL keep the rows in a memory with a clocked read (its parameter RAM)? */
static inline bool ace_row_fifo_ram(const ace_row_fifo *f) { return f->depth > 16; }
static inline bool ace_row_fifo_s_ready(const ace_row_fifo *f) { return f->count < f->depth; }
static inline bool ace_row_fifo_m_valid(const ace_row_fifo *f) { return f->count != 0; }
static inline const uint32_t *ace_row_fifo_row(const ace_row_fifo *f) {
    return f->rows && f->count ? f->rows[f->head] : NULL;
}
/* The parity code of the row at the head, if there is one. */
static inline uint32_t ace_row_fifo_code(const ace_row_fifo *f) { return f->codes[f->head]; }
/* Pushes if `moves`.  The sideband is written to the free slot in any case, which saves a branch
 * that could not be predicted. */
static inline void ace_row_fifo_push_if(ace_row_fifo *f, bool moves, const uint32_t *row,
                                        uint32_t code, uint16_t bytes, bool last) {
    if ((row != NULL) & (f->rows != NULL) & moves) {
        ace_row_copy(f->rows[f->tail], row);
        f->codes[f->tail] = code;
    }
    f->bytes[f->tail] = bytes;
    f->last[f->tail] = last;
    f->tail = (f->tail + moves) & f->mask;
    f->count += moves;
}
static inline void ace_row_fifo_pop_if(ace_row_fifo *f, bool moves) {
    f->head = (f->head + moves) & f->mask;
    f->count -= moves;
}
static inline void ace_row_fifo_push(ace_row_fifo *f, const uint32_t *row, uint16_t bytes,
                                     bool last) {
    ace_row_fifo_push_if(f, true, row, 0, bytes, last);
}
static inline void ace_row_fifo_pop(ace_row_fifo *f) { ace_row_fifo_pop_if(f, true); }

/* ---- the pin form: what tests drive.  The sideband is last, with the strobes above; no codes */

#define ACE_ROW_FIFO_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_valid)                                                  \
    ROW(s_data)                                                   \
    FIELD(uint16_t, s_side, 16, s_valid)                          \
    BIT(m_ready)

#define ACE_ROW_FIFO_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_ready)                                                   \
    BIT(m_valid)                                                   \
    ROW(m_data)                                                    \
    FIELD(uint16_t, m_side, 16, m_valid)                           \
    WORD(uint8_t, count, 6)

typedef struct ace_row_fifo_pins_in {
    ACE_PORTS(ACE_ROW_FIFO_INPUTS)
} ace_row_fifo_pins_in;
typedef struct ace_row_fifo_pins_out {
    ACE_PORTS(ACE_ROW_FIFO_OUTPUTS)
} ace_row_fifo_pins_out;

typedef ace_row_fifo ace_row_fifo_pins;

/* Like init and free, but on the heap. */
int ace_row_fifo_pins_create(unsigned depth, bool payload, ace_row_fifo_pins **pins);
void ace_row_fifo_pins_destroy(ace_row_fifo_pins *p); /* NULL is allowed */
static inline void ace_row_fifo_pins_reset(ace_row_fifo_pins *p) { ace_row_fifo_reset(p); }

static inline void ace_row_fifo_pins_eval(const ace_row_fifo_pins *p, ace_row_fifo_pins_out *o) {
    o->s_ready = ace_row_fifo_s_ready(p);
    o->m_valid = ace_row_fifo_m_valid(p);
    o->m_data = ace_row_fifo_row(p);
    o->m_side = (uint16_t)(p->bytes[p->head] << 1 | p->last[p->head]);
    o->count = (uint8_t)p->count;
}
static inline void ace_row_fifo_pins_tick(ace_row_fifo_pins *p, const ace_row_fifo_pins_in *in) {
    const bool push = in->s_valid && ace_row_fifo_s_ready(p);
    if (in->m_ready && ace_row_fifo_m_valid(p)) ace_row_fifo_pop(p);
    if (push) ace_row_fifo_push(p, in->s_data, in->s_side >> 1, in->s_side & 1);
}
/* Without input, nothing ever changes. */
static inline bool ace_row_fifo_pins_idle(const ace_row_fifo_pins *p) { return p->count == 0; }
static inline void ace_row_fifo_pins_skip(ace_row_fifo_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_dma_jobs.h -- the jobs of a DMA: their requests to memory, and their rows of the scratchpad
 *
 * The C twin of rtl/ace_dma_jobs.v.  It is a part of both DMAs, which use direct calls, one for
 * each stream that moves at an edge.
 *
 * Rules
 *   Job         rows (1..1024) of 256 bytes at an address that is a multiple of the burst of
 *               2^burst (0..4) rows, so that no burst crosses 4 KiB; the last burst is shorter
 *               when the rows end.  Row `row` of `bank` is the first; the row after `end` is
 *               `base`.  Four jobs wait while others are served.
 *   Begin       The requests of a job begin when its DMA permits it; its rows begin then or later.
 *   Latency     A job taken in cycle t has its first request and row in t + 2 when nothing is
 *               before it.  Then one request and one row follow in each cycle, across jobs.
 *   Parts       A tick is m_request and m_row where they move, begin_request and begin_row, and a
 *               job taken, in that order.
 */
#ifndef ACE_DMA_JOBS_H
#define ACE_DMA_JOBS_H

#include "ace_ports.h"
#include "ace_state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_DMA_JOBS = 4,
    ACE_DMA_SIDE_BITS = 54,
    ACE_DMA_IDS = 64 /* a job has the number of its chunk */
};

typedef struct ace_dma_job {
    uint64_t address; /* of bytes */
    uint64_t side;    /* other fields, which only the DMA interprets */
    uint16_t rows, row, base, end;
    uint8_t burst, bank;
    uint8_t zero[6]; /* in place of padding, which a saved state would have with chance values */
} ace_dma_job;
_Static_assert(sizeof(ace_dma_job) == 32, "a job has no padding");

typedef struct ace_dma_jobs {
    ace_dma_job job[ACE_DMA_JOBS];
    uint32_t jobs, tail, request_at, row_at; /* jobs held; written, request and row pointers */
    uint32_t request_jobs;                   /* jobs held that the requests have not begun */
    /* requests */
    uint64_t request_addr;
    uint16_t request_left, request_burst; /* rows of the job, and of a whole burst */
    bool request_active;
    /* rows */
    bool row_active;
    uint8_t row_bank;
    uint16_t row, row_base, row_end, row_left;
} ace_dma_jobs;

void ace_dma_jobs_reset(ace_dma_jobs *d);
/* Checks the invariants of a loaded DMA.  bank_rows: rows of a bank of the scratchpad. */
void ace_dma_jobs_check(const ace_dma_jobs *d, unsigned bank_rows, ace_state *s);

static inline bool ace_dma_jobs_s_job_ready(const ace_dma_jobs *d) {
    return d->jobs < ACE_DMA_JOBS;
}
static inline uint8_t ace_dma_jobs_m_request_len(const ace_dma_jobs *d) {
    return (uint8_t)((d->request_left < d->request_burst ? d->request_left : d->request_burst) - 1);
}
static inline bool ace_dma_jobs_m_row_last(const ace_dma_jobs *d) { return d->row_left == 1; }
/* Without input, nothing ever changes. */
static inline bool ace_dma_jobs_idle(const ace_dma_jobs *d) {
    return d->jobs == 0 && !d->row_active && !d->request_active;
}

/* ---- the parts of a tick ---- */

static inline void ace_dma_jobs_m_request(ace_dma_jobs *d) {
    d->request_active = d->request_left > d->request_burst;
    d->request_addr += (uint64_t)d->request_burst * ACE_ROW_BYTES;
    d->request_left = (uint16_t)(d->request_left - d->request_burst);
}
/* Called in every cycle, with `moves` instead of a branch, which could not be predicted.  Returns
 * whether the last row of a job moved. */
static inline bool ace_dma_jobs_m_row(ace_dma_jobs *d, bool moves) {
    const uint16_t next = d->row == d->row_end ? d->row_base : (uint16_t)(d->row + 1);
    d->row = moves ? next : d->row;
    d->row_left = (uint16_t)(d->row_left - moves);
    const bool last = moves & (d->row_left == 0);
    d->row_active &= !last;
    return last;
}
/* Begins the requests of the next job and returns the job, or NULL.  may: the DMA permits it. */
static inline const ace_dma_job *ace_dma_jobs_begin_request(ace_dma_jobs *d, bool may) {
    if (d->request_active | (d->request_jobs == 0) | !may) return NULL;
    const ace_dma_job *j = &d->job[d->request_at];
    d->request_active = true;
    d->request_addr = j->address;
    d->request_left = j->rows;
    d->request_burst = (uint16_t)(1u << j->burst);
    d->request_at = (d->request_at + 1) % ACE_DMA_JOBS;
    d->request_jobs--;
    return j;
}
/* Begins the rows of the next job and returns the job, or NULL. */
static inline const ace_dma_job *ace_dma_jobs_begin_row(ace_dma_jobs *d) {
    if (d->row_active | (d->jobs == d->request_jobs)) return NULL;
    const ace_dma_job *j = &d->job[d->row_at];
    d->row_active = true;
    d->row = j->row;
    d->row_base = j->base;
    d->row_end = j->end;
    d->row_left = j->rows;
    d->row_bank = j->bank;
    d->row_at = (d->row_at + 1) % ACE_DMA_JOBS;
    d->jobs--;
    return j;
}
static inline void ace_dma_jobs_s_job(ace_dma_jobs *d, const ace_dma_job *job) {
    d->job[d->tail] = *job;
    d->tail = (d->tail + 1) % ACE_DMA_JOBS;
    d->jobs++;
    d->request_jobs++;
}

/* ---- the pin form: what tests drive ---- */

#define ACE_DMA_JOBS_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_job_valid)                                              \
    FIELD(uint64_t, s_job_address, 48, s_job_valid)               \
    FIELD(uint16_t, s_job_rows, 11, s_job_valid)                  \
    FIELD(uint8_t, s_job_burst, 3, s_job_valid)                   \
    FIELD(uint8_t, s_job_bank, 2, s_job_valid)                    \
    FIELD(uint16_t, s_job_row, 12, s_job_valid)                   \
    FIELD(uint16_t, s_job_base, 12, s_job_valid)                  \
    FIELD(uint16_t, s_job_end, 12, s_job_valid)                   \
    FIELD(uint64_t, s_job_side, ACE_DMA_SIDE_BITS, s_job_valid)   \
    BIT(s_request_may)                                            \
    BIT(m_request_ready)                                          \
    BIT(m_row_ready)

#define ACE_DMA_JOBS_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    BIT(s_job_ready)                                                    \
    BIT(m_request_begin)                                                \
    FIELD(uint16_t, m_request_rows, 11, m_request_begin)                \
    FIELD(uint8_t, m_request_burst, 3, m_request_begin)                 \
    FIELD(uint64_t, m_request_side, ACE_DMA_SIDE_BITS, m_request_begin) \
    BIT(m_request_valid)                                                \
    FIELD(uint64_t, m_request_addr, 48, m_request_valid)                \
    FIELD(uint8_t, m_request_len, 8, m_request_valid)                   \
    BIT(m_row_begin)                                                    \
    FIELD(uint64_t, m_row_address, 48, m_row_begin)                     \
    FIELD(uint8_t, m_row_burst, 3, m_row_begin)                         \
    FIELD(uint64_t, m_row_side, ACE_DMA_SIDE_BITS, m_row_begin)         \
    BIT(m_row_valid)                                                    \
    FIELD(uint8_t, m_row_bank, 2, m_row_valid)                          \
    FIELD(uint16_t, m_row, 12, m_row_valid)                             \
    FIELD(bool, m_row_last, 1, m_row_valid)                             \
    BIT(held)                                                           \
    BIT(idle)

typedef struct ace_dma_jobs_pins_in {
    ACE_PORTS(ACE_DMA_JOBS_INPUTS)
} ace_dma_jobs_pins_in;
typedef struct ace_dma_jobs_pins_out {
    ACE_PORTS(ACE_DMA_JOBS_OUTPUTS)
} ace_dma_jobs_pins_out;

typedef ace_dma_jobs ace_dma_jobs_pins;

/* In its reset state.  ACE_OK or ACE_ENOMEM. */
int ace_dma_jobs_pins_create(ace_dma_jobs_pins **pins);
void ace_dma_jobs_pins_destroy(ace_dma_jobs_pins *p); /* NULL is allowed */
void ace_dma_jobs_pins_reset(ace_dma_jobs_pins *p);
void ace_dma_jobs_pins_eval(const ace_dma_jobs_pins *p, const ace_dma_jobs_pins_in *in,
                            ace_dma_jobs_pins_out *out);
void ace_dma_jobs_pins_tick(ace_dma_jobs_pins *p, const ace_dma_jobs_pins_in *in);
bool ace_dma_jobs_pins_idle(const ace_dma_jobs_pins *p);
void ace_dma_jobs_pins_skip(ace_dma_jobs_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_dma_jobs.c -- the twin of rtl/ace_dma_jobs.v: its pins, reset and state check
 *
 * Requests and rows of the same job advance independently, each with an index into the ring of
 * jobs. The steps are inline in the header, because both DMAs call them. The pins apply the steps
 * of one edge to a copy to see which jobs begin.
 */
#include "ace_dma_jobs.h"

#include <stdlib.h>

void ace_dma_jobs_reset(ace_dma_jobs *d) {
    d->jobs = d->tail = d->request_at = d->row_at = d->request_jobs = 0;
    d->request_active = d->row_active = false;
}

/* Returns whether `row` is in a partition of a bank, from `base` to `end`. */
static bool is_in_partition(unsigned base, unsigned row, unsigned end, unsigned bank_rows) {
    return base <= row && row <= end && end < bank_rows;
}

void ace_dma_jobs_check(const ace_dma_jobs *d, unsigned bank_rows, ace_state *s) {
    ace_state_must(s, d->jobs <= ACE_DMA_JOBS, "ace_dma_jobs.jobs");
    ace_state_must(s, d->request_jobs <= d->jobs, "ace_dma_jobs.request_jobs");
    ace_state_must(s, d->tail < ACE_DMA_JOBS, "ace_dma_jobs.tail");
    ace_state_must(s, d->request_at == (d->tail - d->request_jobs) % ACE_DMA_JOBS,
                   "ace_dma_jobs.request_at");
    ace_state_must(s, d->row_at == (d->tail - d->jobs) % ACE_DMA_JOBS, "ace_dma_jobs.row_at");
    ACE_STATE_BOOLS(s, "ace_dma_jobs.request_active", &d->request_active);
    ACE_STATE_BOOLS(s, "ace_dma_jobs.row_active", &d->row_active);
    ace_state_must(s, d->row_bank < ACE_BANKS, "ace_dma_jobs.row_bank"); /* used even while idle */
    if (ace_state_loaded(s) && d->request_active) {
        ace_state_must(s, d->request_left >= 1 && d->request_left <= 1024,
                       "ace_dma_jobs.request_left");
        ace_state_must(s,
                       d->request_burst >= 1 && d->request_burst <= 16 &&
                           !(d->request_burst & (d->request_burst - 1)),
                       "ace_dma_jobs.request_burst");
    }
    if (ace_state_loaded(s) && d->row_active) {
        ace_state_must(s, d->row_left >= 1 && d->row_left <= 1024, "ace_dma_jobs.row_left");
        ace_state_must(s, is_in_partition(d->row_base, d->row, d->row_end, bank_rows),
                       "ace_dma_jobs.row");
    }
    for (unsigned i = 0; ace_state_loaded(s) && i < d->jobs; i++) {
        const ace_dma_job *j = &d->job[(d->row_at + i) % ACE_DMA_JOBS];
        ace_state_must(s,
                       j->rows >= 1 && j->rows <= 1024 && j->burst <= 4 && j->bank < ACE_BANKS &&
                           is_in_partition(j->base, j->row, j->end, bank_rows),
                       "ace_dma_jobs.job");
    }
}

int ace_dma_jobs_pins_create(ace_dma_jobs_pins **pins) {
    *pins = calloc(1, sizeof **pins);
    return *pins ? ACE_OK : ACE_ENOMEM;
}

void ace_dma_jobs_pins_destroy(ace_dma_jobs_pins *p) { free(p); }

void ace_dma_jobs_pins_reset(ace_dma_jobs_pins *p) { ace_dma_jobs_reset(p); }

/* The jobs that begin at an edge. */
typedef struct ace_dma_edge {
    const ace_dma_job *request, *row; /* NULL: none */
} ace_dma_edge;

static ace_dma_edge move(ace_dma_jobs *d, const ace_dma_jobs_pins_in *in) {
    if (d->request_active && in->m_request_ready) ace_dma_jobs_m_request(d);
    ace_dma_jobs_m_row(d, d->row_active && in->m_row_ready);
    ace_dma_edge e;
    e.request = ace_dma_jobs_begin_request(d, in->s_request_may);
    e.row = ace_dma_jobs_begin_row(d);
    return e;
}

void ace_dma_jobs_pins_eval(const ace_dma_jobs_pins *p, const ace_dma_jobs_pins_in *in,
                            ace_dma_jobs_pins_out *out) {
    ace_dma_jobs after = *p; /* the pins report jobs before the edge at which they begin */
    const ace_dma_edge e = move(&after, in);
    *out = (ace_dma_jobs_pins_out){
        .s_job_ready = ace_dma_jobs_s_job_ready(p),
        .m_request_begin = e.request != NULL,
        .m_request_valid = p->request_active,
        .m_request_addr = p->request_addr,
        .m_request_len = ace_dma_jobs_m_request_len(p),
        .m_row_begin = e.row != NULL,
        .m_row_valid = p->row_active,
        .m_row_bank = p->row_bank,
        .m_row = p->row,
        .m_row_last = ace_dma_jobs_m_row_last(p),
        .held = p->jobs != 0,
        .idle = ace_dma_jobs_idle(p),
    };
    if (e.request) {
        out->m_request_rows = e.request->rows;
        out->m_request_burst = e.request->burst;
        out->m_request_side = e.request->side;
    }
    if (e.row) {
        out->m_row_address = e.row->address;
        out->m_row_burst = e.row->burst;
        out->m_row_side = e.row->side;
    }
}

void ace_dma_jobs_pins_tick(ace_dma_jobs_pins *p, const ace_dma_jobs_pins_in *in) {
    const bool take = in->s_job_valid && ace_dma_jobs_s_job_ready(p);
    move(p, in);
    if (!take) return;
    const ace_dma_job job = {
        .address = in->s_job_address,
        .side = in->s_job_side,
        .rows = in->s_job_rows,
        .row = in->s_job_row,
        .base = in->s_job_base,
        .end = in->s_job_end,
        .burst = in->s_job_burst,
        .bank = in->s_job_bank,
    };
    ace_dma_jobs_s_job(p, &job);
}

bool ace_dma_jobs_pins_idle(const ace_dma_jobs_pins *p) { return ace_dma_jobs_idle(p); }

void ace_dma_jobs_pins_skip(ace_dma_jobs_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}

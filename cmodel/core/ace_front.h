/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_front.h -- the front of a node: agreement, dispatcher, scheduler
 *
 * The C twin of rtl/ace_front.v; the contract is there.  The RTL has the same parts.
 *
 *     ace_front_take(in, out, &a);              the command that is taken in this cycle
 *     ace_front_look(f, fsm, ..., &a);          what the scheduler decides on, from state alone
 *     ace_front_tick(f, &a, ...);               a rising edge
 *
 * Rules
 *   Wake        The scheduler runs only while `wake` is set.  Each function that changes an input
 *               of the scheduler sets `wake`.
 *   Threads     One node, one thread.
 */
#ifndef ACE_FRONT_H
#define ACE_FRONT_H

#include "ace_agreement.h"
#include "ace_dispatcher.h"
#include "ace_memory_port.h"
#include "ace_nic.h"
#include "ace_scheduler.h"
#include "ace_switch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_front {
    ace_agreement agreement;
    ace_dispatcher dispatcher;
    ace_scheduler scheduler;
    bool wake; /* the scheduler may have something to do */
} ace_front;

/* The inputs of an edge of the front, by the state before the edge. */
typedef struct ace_front_requests {
    const ace_command *chunks;   /* a command for agreement or dispatcher, or NULL */
    const ace_command *exchange; /* a command for the exchange, or NULL */
    bool wake, enters;           /* the scheduler runs; it takes the dispatcher's chunk */
    bool load_ready, store_ready;
    bool hold;          /* the scheduler's window is full */
    unsigned over;      /* contexts that are done, as ace_scheduler_over() reports them */
    int loaded, stored; /* jobs that are done, or -1 */
} ace_front_requests;

/* Creates the parts; `f` is zeroed before.  ACE_OK; or ACE_EINVAL or ACE_ENOMEM, and the caller
 * calls ace_front_destroy(). */
int ace_front_create(ace_front *f, const ace_parameters *p, const ace_config *cfg);
void ace_front_destroy(ace_front *f);
void ace_front_reset(ace_front *f); /* a rising edge with rst high */

/* Without input, ticks change nothing. */
static inline bool ace_front_idle(const ace_front *f) {
    return !ace_scheduler_busy(&f->scheduler) && !f->scheduler.done_valid &&
           ace_dispatcher_idle(&f->dispatcher) && ace_agreement_idle(&f->agreement);
}

/* The pins of completions: the scheduler's last a cycle; those of the exchange wait for one
 * without. */
static inline void ace_front_show_done(const ace_front *f, const ace_nic *nic, ace_pins_out *out) {
    const bool chunks = f->scheduler.done_valid;
    out->done_valid = chunks || (nic->exchange_active && ace_exchange_done(nic->exchange));
    out->done_tag = chunks ? f->scheduler.done_tag : nic->exchange->tag;
}
static inline void ace_front_show_ready(const ace_front *f, const ace_nic *nic, ace_pins_out *out) {
    out->cmd_ready =
        (ace_agreement_is_on(&f->agreement) ? ace_agreement_cmd_ready(&f->agreement)
                                            : ace_dispatcher_cmd_ready(&f->dispatcher)) &&
        ace_exchange_cmd_ready(nic->exchange);
}

static inline bool ace_front_to_exchange(const ace_command *c) {
    return c->kind == ACE_ALL_TO_ALL || c->kind == ACE_LIST;
}
/* exchanges: may a command for the exchange be offered in this cycle? */
ACE_INLINE void ace_front_take(const ace_pins_in *in, const ace_pins_out *out, bool exchanges,
                               ace_front_requests *a) {
    const bool cmd = in->cmd_valid && out->cmd_ready; /* else it waits, for both */
    const bool to_exchange = exchanges && ace_front_to_exchange(&in->cmd);
    a->chunks = cmd && !to_exchange ? &in->cmd : NULL;
    a->exchange = cmd && to_exchange ? &in->cmd : NULL;
}

/* The scheduler reads the contexts of `fsm` and the contexts of which the switch has rows to read.
 * */
ACE_INLINE void ace_front_look(ace_front *f, const ace_fsm *fsm, unsigned per_phase,
                               const ace_switch *s, const ace_memory_port *m,
                               ace_front_requests *a) {
    a->wake = f->wake;
    a->hold = ace_scheduler_m_hold(&f->scheduler);
    a->enters = a->load_ready = a->store_ready = false;
    a->over = 0;
    a->loaded = a->stored = -1;
    if (!f->wake) return;
    a->over = ace_scheduler_over(&f->scheduler, fsm, per_phase, s->held);
    a->load_ready = ace_dma_jobs_s_job_ready(&m->tx_dma->jobs);
    a->store_ready = ace_rx_dma_s_job_ready(m->rx_dma);
    a->enters =
        ace_dispatcher_chunk_valid(&f->dispatcher) && ace_scheduler_chunk_ready(&f->scheduler);
    if (m->tx_dma->done_valid) a->loaded = m->tx_dma->done_id;
    if (ace_rx_dma_m_done_valid(m->rx_dma)) a->stored = ace_rx_dma_m_done_id(m->rx_dma);
    f->wake = false;
}

/* The rising edge of the agreement, then of the dispatcher.  hold: no chunk is begun; chunk: the
 * scheduler takes the dispatcher's; number_left: a number has left; numbers: links on which a
 * number has come. */
void ace_front_agree(ace_front *f, const ace_command *cmd, bool hold, bool chunk, bool number_left,
                     unsigned numbers, ace_nic *nic);

/* The scheduler's job as a DMA takes it. */
static inline ace_dma_job ace_front_job(const ace_scheduler *s) {
    const ace_job *j = &s->job;
    const bool load = s->bus == ACE_ACT_LOAD;
    return (ace_dma_job){
        .address = j->address,
        .side = load ? j->id : ace_rx_half_side(j->limit, j->id),
        .rows = j->rows,
        .row = j->row,
        .base = j->base,
        .end = j->end,
        .burst = j->burst,
        .bank = j->bank,
    };
}

/* A rising edge; parameters as above.  exchanges: exchange and its pins may have changed. */
ACE_INLINE void ace_front_tick(ace_front *f, const ace_front_requests *a, bool number_left,
                               unsigned numbers, ace_nic *nic, bool exchanges, ace_pins_out *out) {
    if (a->wake) {
        ace_scheduler_tick(&f->scheduler, a->over, a->load_ready, a->store_ready,
                           a->enters ? &f->dispatcher.chunk : NULL, a->loaded, a->stored);
        f->wake |= f->scheduler.dirty || f->scheduler.done_valid;
    }
    bool taken = false;
    if (ace_agreement_is_on(&f->agreement)) {
        ace_front_agree(f, a->chunks, a->hold, a->enters, number_left, numbers, nic);
        taken = true;
    } else if (a->enters || a->chunks || ace_dispatcher_works(&f->dispatcher)) {
        ace_dispatcher_tick(&f->dispatcher, a->chunks, a->hold, a->enters);
        f->wake |= ace_dispatcher_chunk_valid(&f->dispatcher);
        taken = true;
    }
    if (a->wake || exchanges) ace_front_show_done(f, nic, out);
    if (taken || exchanges) ace_front_show_ready(f, nic, out);
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* ace_registers_memory.c -- the registers of the DMAs, the arbiter and the memory interface */
#include "ace_register_view.h"

/* The head is a register of its own, and the other rows are a ring. In a large fifo the ring is a
 * memory. The row behind the head was read ahead from the memory, or was never in it. Only the RTL
 * distinguishes these cases, and it is loaded as if the row was never in the memory. */
static void row_fifo(const view *outer, const char *unit, const ace_row_fifo *f) {
    const view v = { outer->see, outer->self, unit };
    const bool ram = ace_row_fifo_ram(f);
    const unsigned out = ram ? 2 : 1, back = f->count > out ? f->count - out : 0;
    see(&v, "count_q", f->count);
    see_may_differ(&v, "rd_q", 0, 0);
    see_may_differ(&v, "wr_q", 0, back % (f->depth - out));
    if (ram) see_may_differ(&v, "g_ram.read_q", 0, false);
    for (unsigned i = 0; i < f->depth; i++) {
        const unsigned at = (f->head + i) & f->mask;
        const uint64_t side =
            (uint64_t)f->codes[at] << 32 | (uint64_t)f->last[at] << 16 | f->bytes[at];
        const uint64_t known = i >= f->count ? 0 : f->rows ? UINT64_MAX : UINT32_MAX;
        if (i == 0)
            see_masked(&v, "head_side_q", 0, side, known);
        else if (i < out)
            see_may_differ(&v, "g_ram.next_side_q", 0, side);
        else
            outer->see(outer->self,
                       &(ace_register){ v.unit,
                                        ram ? "g_ram.u_sides.memory" : "g_registers.back_side_q",
                                        i - out, "rd_q", 0, side, known, false });
    }
}

static void dma_jobs(const view *outer, const char *unit, const ace_dma_jobs *d) {
    const view v = { outer->see, outer->self, unit };
    see(&v, "jobs_q", d->jobs);
    see(&v, "request_jobs_q", d->request_jobs);
    see(&v, "wr_q", d->tail);
    see(&v, "request_at_q", d->request_at);
    see(&v, "row_at_q", d->row_at);
    for (unsigned i = 0; i < ACE_DMA_JOBS; i++) {
        const ace_dma_job *j = &d->job[i];
        const bool held = (d->tail - 1 - i) % ACE_DMA_JOBS < d->jobs;
        see_entry(&v, "job_address_q", i, j->address, held);
        see_entry(&v, "job_rows_q", i, j->rows, held);
        see_entry(&v, "job_burst_q", i, j->burst, held);
        see_entry(&v, "job_bank_q", i, j->bank, held);
        see_entry(&v, "job_row_q", i, j->row, held);
        see_entry(&v, "job_base_q", i, j->base, held);
        see_entry(&v, "job_end_q", i, j->end, held);
        see_entry(&v, "job_side_q", i, j->side, held);
    }
    see(&v, "request_active_q", d->request_active);
    see_if(&v, "request_addr_q", d->request_addr, d->request_active);
    see_if(&v, "request_left_q", d->request_left, d->request_active);
    see_if(&v, "request_burst_q", d->request_burst, d->request_active);
    see(&v, "row_active_q", d->row_active);
    see_if(&v, "row_bank_q", d->row_bank, d->row_active);
    see_if(&v, "row_q", d->row, d->row_active);
    see_if(&v, "row_base_q", d->row_base, d->row_active);
    see_if(&v, "row_end_q", d->row_end, d->row_active);
    see_if(&v, "row_left_q", d->row_left, d->row_active);
}

static void tx_dma(const view *v, const ace_tx_dma *d) {
    dma_jobs(v, "u_memory_port.u_tx_dma.u_jobs", &d->jobs);
    see_if(v, "row_id_q", d->row_id, d->jobs.row_active);
    see(v, "done_q", d->done_valid);
    see_if(v, "done_id_q", d->done_id, d->done_valid);
    row_fifo(v, "u_memory_port.u_tx_dma.u_r", &d->r);
    see_classes(v, "u_memory_port.u_tx_dma.u_count", &d->classes);
}

static void rx_half(const view *v, const char *unit, const char *jobs, const char *w,
                    const ace_rx_half *h) {
    const view own = { v->see, v->self, unit };
    dma_jobs(v, jobs, &h->jobs);
    see(&own, "whole_q", h->whole);
    see(&own, "b_jobs_q", h->b_jobs);
    see(&own, "b_wr_q", h->b_tail);
    see(&own, "b_rd_q", h->b_head);
    see(&own, "b_seen_q", h->b_seen);
    for (unsigned i = 0; i < ACE_RX_HALF_DONE_JOBS; i++) {
        const bool awaited = (i - h->b_head) % ACE_RX_HALF_DONE_JOBS < h->b_jobs;
        see_entry(&own, "b_bursts_q", i, h->b_bursts[i], awaited);
        see_entry(&own, "b_id_q", i, h->b_id[i], awaited);
    }
    see(&own, "done_q", h->done_valid);
    see_if(&own, "done_id_q", h->done_id, h->done_valid);
    see_if(&own, "row_bytes_q", h->row_bytes, h->jobs.row_active);
    see_if(&own, "row_beat_q", h->row_beat, h->jobs.row_active);
    see_if(&own, "row_mask_q", h->row_burst_mask, h->jobs.row_active);
    see(&own, "places_q", h->places);
    see(&own, "fly_q", h->fly_valid);
    see_masked(&own, "fly_last_q", 0, h->fly_last, h->fly_valid);
    fields bytes = { .bits = 0 };
    for (unsigned i = 0; i < 3; i++)
        append(&bytes, 9, h->fly_bytes >> 16 * i & 0xffff, h->fly_valid >> i & 1);
    see_fields(&own, "fly_bytes_q", 0, &bytes);
    row_fifo(v, w, &h->w);
}

static void rx_dma(const view *v, const ace_rx_dma *d) {
    rx_half(v, "u_memory_port.u_rx_dma.g_half[0].u_half",
            "u_memory_port.u_rx_dma.g_half[0].u_half.u_jobs",
            "u_memory_port.u_rx_dma.g_half[0].u_half.u_w", &d->half[0]);
    rx_half(v, "u_memory_port.u_rx_dma.g_half[1].u_half",
            "u_memory_port.u_rx_dma.g_half[1].u_half.u_jobs",
            "u_memory_port.u_rx_dma.g_half[1].u_half.u_w", &d->half[1]);
    see(v, "aw_at_q", d->aw_at);
    see(v, "w_at_q", d->w_at);
    see(v, "b_at_q", d->b_at);
    see(v, "open_q", d->open);
    see(v, "waiting_q", d->waiting);
    see(v, "first_q", d->first);
    for (unsigned i = 0; i < d->bursts; i++)
        see_entry(v, "burst_is_odd_q", i, d->odd[i],
                  (i + d->bursts - d->b_at) % d->bursts < d->waiting);
    see_classes(v, "u_memory_port.u_rx_dma.u_count", &d->classes);
}

static void memory_interface(const view *v, const ace_memory_interface *m) {
    see(v, "drain_q", m->draining);
    see_may_differ(v, "now_q", 0, m->now % 65536);
    see(v, "ar_wr_q", m->ar_tail);
    see(v, "ar_due_q", m->ar_next);
    see(v, "ar_rd_q", m->ar_head);
    see(v, "ar_held_q", m->ar_waiting);
    see(v, "ar_ripe_q", m->ar_ripe);
    see(v, "reads_q", m->reads);
    see(v, "read_tokens_q", m->read_tokens);
    see(v, "aw_wr_q", m->aw_tail);
    see(v, "aw_rd_q", m->aw_head);
    see(v, "aw_count_q", m->aw_count);
    see(v, "turn_wr_q", m->turn_tail);
    see(v, "b_rd_q", m->turn_head);
    see(v, "writes_q", m->writes);
    see(v, "aw_new_q", m->aw_new);
    see(v, "w_open_q", m->w_open);
    see(v, "w_beat_q", m->w_beat);
    see(v, "write_tokens_q", m->write_tokens);
    see(v, "b_wr_q", m->b_tail);
    see(v, "b_due_q", m->b_next);
    see(v, "b_held_q", m->b_waiting);
    see(v, "b_ripe_q", m->b_ripe);
    see(v, "b_got_q", m->b_got);
    see(v, "r_at_q", m->r_at);
    see(v, "asked_q", m->asked);
    see(v, "r_beat_q", m->r_beat);
    see_if(v, "r_len_q", m->ar[m->r_at].len, m->asked != 0);
    see(v, "addressed_q", m->unanswered - m->aw_count);
    see(v, "sent_q", m->sent);
    see(v, "b_at_q", ace_memory_interface_b_at(m));
    see(v, "read_failed_q", m->read_failed);
    see_if(v, "read_failed_resp_q", m->read_failed_resp, m->read_failed);
    see_if(v, "read_failed_addr_q", m->read_failed_addr, m->read_failed);
    see(v, "write_failed_q", m->write_failed);
    see_if(v, "write_failed_resp_q", m->write_failed_resp, m->write_failed);
    see_if(v, "write_failed_addr_q", m->write_failed_addr, m->write_failed);
    see(v, "protocol_failed_q", m->protocol_failed);
    see_if(v, "protocol_failed_addr_q", m->protocol_failed_addr, m->protocol_failed);
    see(v, "lost_q", m->lost);
    see(v, "quiet_q", m->quiet);
    for (unsigned i = 0; i < m->bursts; i++) {
        const bool writes = (i + m->bursts - m->aw_head) % m->bursts < m->aw_count;
        const bool open = (m->turn_tail + m->bursts - 1 - i) % m->bursts < m->writes;
        /* an address is kept until its burst has been answered */
        const bool read_open = (m->ar_tail + m->bursts - 1 - i) % m->bursts < m->reads;
        const bool write_open = (m->aw_tail + m->bursts - 1 - i) % m->bursts < m->unanswered;
        see_entry(v, "ar_addr_q", i, m->ar[i].addr, read_open);
        see_entry(v, "ar_len_q", i, m->ar[i].len, read_open);
        see_may_differ(v, "ar_release_q", i, m->ar[i].release % 65536);
        see_entry(v, "aw_addr_q", i, m->aw[i].addr, write_open);
        see_entry(v, "aw_len_q", i, m->aw[i].len, writes);
        see_entry(v, "turn_pad_q", i, m->turn_pad[i], open);
        see_entry(v, "turn_len_q", i, m->turn_len[i], open);
        see_may_differ(v, "b_release_q", i, m->b_release[i] % 65536);
    }
    row_fifo(v, "u_memory_port.u_memory_interface.u_r", &m->r);
    row_fifo(v, "u_memory_port.u_memory_interface.u_w", &m->w);
    see_classes(v, "u_memory_port.u_memory_interface.u_read", &m->read);
    see_classes(v, "u_memory_port.u_memory_interface.u_write", &m->write);
}

/* The arbiter between the DMAs and the exchange. */
static void memory_arbiter(const view *v, const ace_cycle_core *n) {
    const ace_memory_arbiter *a = n->memory_port.arbiter;
    const uint32_t reads = n->memory_port.memory->reads,
                   writes = n->memory_port.memory->writes; /* of both */
    see_may_differ(v, "r_rd_q", 0, 0);
    see_may_differ(v, "r_wr_q", 0, reads % a->bursts);
    see(v, "reads_q", a->reads);
    see_may_differ(v, "b_rd_q", 0, 0);
    see_may_differ(v, "w_rd_q", 0, (writes - a->open) % a->bursts);
    see_may_differ(v, "w_wr_q", 0, writes % a->bursts);
    see(v, "open_q", a->open);
    see(v, "dma_open_q", a->dma_open);
    see(v, "writes_q", a->writes);
    for (unsigned i = 0; i < a->bursts; i++) {
        see_ring(v, "r_first_q", "r_rd_q", i, a->r_first[(a->r_rd + i) % ACE_ARBITER_SLOTS],
                 i < reads);
        see_ring(v, "w_first_q", "b_rd_q", i, a->w_first[(a->b_rd + i) % ACE_ARBITER_SLOTS],
                 i < writes);
    }
}

/* The registers of the scratchpad's ports: the twin has none, and what is loaded is a row of zeros,
 * whose code is 0. */
static const char *const ports[ACE_SCRATCHPAD_READS] = { "u_datapath.u_scratchpad.u_reduce",
                                                         "u_datapath.u_scratchpad.u_unload",
                                                         "u_datapath.u_scratchpad.u_plus",
                                                         "u_datapath.u_scratchpad.u_minus" };

void ace_registers_memory(const view *outer, const ace_cycle_core *n) {
    view v = { outer->see, outer->self, "u_memory_port.u_memory_interface" };
    memory_interface(&v, n->memory_port.memory);
    v.unit = "u_memory_port.u_memory_arbiter";
    memory_arbiter(&v, n);
    v.unit = "u_memory_port.u_tx_dma";
    tx_dma(&v, n->memory_port.tx_dma);
    v.unit = "u_memory_port.u_rx_dma";
    rx_dma(&v, n->memory_port.rx_dma);
    for (unsigned i = 0; i < ACE_SCRATCHPAD_READS; i++)
        see_may_differ(&(view){ v.see, v.self, ports[i] }, "code_q", 0, 0);
}

static void rows_of_fifo(ace_row_register_see *see_row, void *self, const char *unit,
                         const ace_row_fifo *f) {
    const bool ram = ace_row_fifo_ram(f);
    const unsigned out = ram ? 2 : 1;
    const char *const behind = ram ? "g_ram.u_rows.memory" : "g_registers.back_q";
    for (unsigned i = 0; i < f->depth; i++) {
        const uint32_t *row = f->rows && i < f->count ? f->rows[(f->head + i) & f->mask] : NULL;
        see_row(self, &(ace_row_register){ .unit = unit,
                                           .name = i == 0    ? "head_q"
                                                   : i < out ? "g_ram.next_q"
                                                             : behind,
                                           .ring = i < out ? NULL : "rd_q",
                                           .at = i < out ? 0 : i - out,
                                           .row = row,
                                           .may_differ = i != 0 && i < out });
    }
}

void ace_registers_memory_rows(ace_row_register_see *see_row, void *self, const ace_cycle_core *n) {
    rows_of_fifo(see_row, self, "u_memory_port.u_memory_interface.u_r", &n->memory_port.memory->r);
    rows_of_fifo(see_row, self, "u_memory_port.u_tx_dma.u_r", &n->memory_port.tx_dma->r);
    rows_of_fifo(see_row, self, "u_memory_port.u_rx_dma.g_half[0].u_half.u_w",
                 &n->memory_port.rx_dma->half[0].w);
    rows_of_fifo(see_row, self, "u_memory_port.u_rx_dma.g_half[1].u_half.u_w",
                 &n->memory_port.rx_dma->half[1].w);
    rows_of_fifo(see_row, self, "u_memory_port.u_memory_interface.u_w", &n->memory_port.memory->w);
    for (unsigned i = 0; i < ACE_SCRATCHPAD_READS; i++)
        see_row(self, &(ace_row_register){ .unit = ports[i], .name = "row_q" });
}

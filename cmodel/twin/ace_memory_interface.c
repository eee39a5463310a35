/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_memory_interface.h"

#include <stdlib.h>

int ace_memory_interface_create(unsigned bursts, bool payload, ace_memory_interface **interface_) {
    if (bursts < 1 || bursts > ACE_MEMORY_BURSTS_MAX) return ACE_EINVAL;
    ace_memory_interface *m = calloc(1, sizeof *m);
    if (!m) return ACE_ENOMEM;
    m->bursts = bursts;
    ace_memory_interface_set_costs(m, ACE_COST_ONE, ACE_COST_ONE);
    /* rows of a list are read in timing-only runs, too */
    if (ace_row_fifo_init(&m->r, ACE_MEMORY_FIFO_ROWS, true) != ACE_OK ||
        ace_row_fifo_init(&m->w, ACE_MEMORY_FIFO_ROWS, payload) != ACE_OK) {
        ace_memory_interface_destroy(m);
        return ACE_ENOMEM;
    }
    ace_memory_interface_reset(m);
    *interface_ = m;
    return ACE_OK;
}

void ace_memory_interface_destroy(ace_memory_interface *m) {
    if (!m) return;
    ace_row_fifo_free(&m->r);
    ace_row_fifo_free(&m->w);
    free(m);
}

void ace_memory_interface_reset(ace_memory_interface *m) {
    m->now = 0;
    m->read_tokens = m->write_tokens = 0;
    m->ar_head = m->ar_next = m->ar_tail = m->ar_ripe = m->ar_waiting = m->reads = 0;
    m->aw_head = m->aw_tail = m->aw_count = m->writes = 0;
    m->w_beat = 0;
    m->aw_new = m->draining = false;
    m->w_open = m->b_next = m->b_tail = m->b_waiting = m->b_ripe = m->b_got = 0;
    m->protocol_error = m->read_failed = m->write_failed = false;
    m->read_failed_resp = m->write_failed_resp = 0;
    m->read_failed_addr = m->write_failed_addr = 0;
    ace_row_fifo_reset(&m->r);
    ace_row_fifo_reset(&m->w);
    m->read = m->write = (ace_cycle_classes){ 0 };
}

uint32_t ace_memory_interface_r_at(const ace_memory_interface *m) {
    uint32_t open = m->reads; /* but for those whose last beat waits for m_r */
    for (uint32_t i = 0; i < m->r.count; i++) open -= m->r.last[(m->r.head + i) & m->r.mask];
    return (m->ar_tail + m->bursts - open) % m->bursts;
}

uint32_t ace_memory_interface_b_at(const ace_memory_interface *m) {
    return (m->aw_tail + m->bursts - (m->writes - m->b_got)) % m->bursts;
}

bool ace_memory_interface_owed_last(const ace_memory_interface *m) {
    const uint32_t left = m->w_open + m->aw_new; /* bursts whose last beat has not left */
    return m->w_beat == m->aw[(m->aw_tail + m->bursts - left) % m->bursts].len;
}

void ace_memory_interface_responses(ace_memory_interface *m, bool s_r, uint8_t s_r_resp, bool s_b,
                                    uint8_t s_b_resp) {
    if (s_r && s_r_resp & 2 && !m->read_failed) {
        m->read_failed = true;
        m->read_failed_resp = s_r_resp;
        m->read_failed_addr = m->ar[ace_memory_interface_r_at(m)].addr;
    }
    if (s_b && s_b_resp & 2 && !m->write_failed) {
        m->write_failed = true;
        m->write_failed_resp = s_b_resp;
        m->write_failed_addr = m->aw[ace_memory_interface_b_at(m)].addr;
    }
}

void ace_memory_interface_state(ace_memory_interface *m, ace_state *s) {
    ACE_STATE_BUT(s, *m, &m->r.rows, &m->w.rows);
    ace_row_fifo_rows_state(&m->r, s);
    ace_row_fifo_rows_state(&m->w, s);
}

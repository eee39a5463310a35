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
    m->w_open = m->b_next = m->b_tail = m->b_waiting = m->b_ripe = m->b_got = 0;
    m->protocol_error = false;
    ace_row_fifo_reset(&m->r);
    ace_row_fifo_reset(&m->w);
    m->read = m->write = (ace_cycle_classes){ 0 };
}

void ace_memory_interface_state(ace_memory_interface *m, ace_state *s) {
    ACE_STATE_BUT(s, *m, &m->r.rows, &m->w.rows);
    ace_row_fifo_rows_state(&m->r, s);
    ace_row_fifo_rows_state(&m->w, s);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_link_port.h"

#include <stdlib.h>

int ace_link_port_create(unsigned input_rows, unsigned output_rows, bool payload,
                         ace_link_port **port) {
    if (input_rows < 1 || input_rows > 65535 || output_rows < 1 || output_rows > 65535)
        return ACE_EINVAL;
    ace_link_port *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    p->input_rows = input_rows;
    p->output_rows = output_rows;
    p->in_headers = calloc(input_rows + 1, sizeof *p->in_headers);
    p->out_headers = calloc(output_rows + 1, sizeof *p->out_headers);
    if (payload) {
        p->in_rows = calloc(input_rows + 1, sizeof *p->in_rows);
        p->out_rows = calloc(output_rows + 1, sizeof *p->out_rows);
    }
    if (!p->in_headers || !p->out_headers || (payload && (!p->in_rows || !p->out_rows))) {
        ace_link_port_destroy(p);
        return ACE_ENOMEM;
    }
    ace_link_port_reset(p);
    *port = p;
    return ACE_OK;
}

void ace_link_port_destroy(ace_link_port *p) {
    if (!p) return;
    free(p->in_headers);
    free(p->out_headers);
    free(p->in_rows);
    free(p->out_rows);
    free(p);
}

void ace_link_port_reset(ace_link_port *p) {
    p->in_head = p->in_tail = p->in_count = 0;
    p->out_head = p->out_tail = p->out_count = p->reserved = 0;
    p->credits = p->input_rows;
    p->acc = p->rate = 0;
    p->tx_slot = p->pop_slot = 0;
    p->tx_valid = p->tx_credit = p->popped = p->protocol_error = false;
    p->count_busy = p->count_starved = p->count_blocked = p->count_idle = 0;
}

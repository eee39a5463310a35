/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_front.c -- the front of a node in the cycles that are rare: reset, and commands that all
 * nodes agree on
 *
 * The edge of all other cycles is in ace_front.h, as part of the node's loop.
 */
#include "ace_front.h"

int ace_front_create(ace_front *f, const ace_parameters *p, const ace_config *cfg) {
    const int err = ace_agreement_create(cfg, p->dimensions, p->commands, &f->agreement);
    return err ? err : ace_dispatcher_create(cfg, p->dimensions, p->commands, &f->dispatcher);
}

void ace_front_destroy(ace_front *f) {
    ace_agreement_destroy(&f->agreement);
    ace_dispatcher_destroy(&f->dispatcher);
}

void ace_front_reset(ace_front *f) {
    ace_agreement_reset(&f->agreement);
    ace_dispatcher_reset(&f->dispatcher);
    ace_scheduler_reset(&f->scheduler);
    f->wake = true;
}

void ace_front_agree(ace_front *f, const ace_command *cmd, bool hold, bool chunk, bool number_left,
                     unsigned numbers, ace_nic *nic) {
    ace_agreement *const a = &f->agreement;
    ace_dispatcher *const d = &f->dispatcher;
    const bool gives = ace_agreement_m_cmd_valid(a), held = hold || ace_agreement_m_hold(a);
    ace_command c;
    ace_agreement_in in = { .cmd = cmd,
                            .cmd_taken = gives && ace_dispatcher_cmd_ready(d),
                            .chunk = chunk,
                            .rests = ace_dispatcher_idle(d),
                            .number_taken = number_left,
                            .number_valid = (uint8_t)numbers };
    const ace_rx_pins *const rx = ace_link_accepted(&nic->links);
    for (unsigned l = 0; l < nic->links.lanes; l++) in.number[l] = rx->link[l].grant_mark;
    if (gives) c = ace_agreement_m_cmd(a);
    ace_dispatcher_tick(d, gives ? &c : NULL, held, chunk);
    ace_agreement_tick(a, &in);
    f->wake |= ace_dispatcher_chunk_valid(d);
}

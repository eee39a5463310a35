/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_datapath.c -- the datapath of a node in the cycles that are rare: reset, and upsets of the
 * scratchpad
 *
 * The edge of all other cycles is in ace_datapath.h, as part of the node's loop.
 */
#include "ace_datapath.h"

const ace_row ace_datapath_zero_row;

void ace_datapath_reset(ace_datapath *d, const ace_parameters *p, unsigned format,
                        ace_pins_out *out) {
    ace_switch_init(&d->switch_, p->dimensions, p->fsms);
    d->sending = p->wire_formats ? ACE_SENDING_CYCLES : ACE_SENT_CYCLES;
    d->format = format;
    for (unsigned i = 0; i < ACE_SENDING_CYCLES; i++)
        for (unsigned pipe = 0; pipe < 2; pipe++)
            d->outgoing[i][pipe] = (ace_outgoing){ .request.send.link = (uint8_t)pipe };
    d->oldest = 0;
    d->requests = (ace_switch_in){ 0 };
    ace_scratchpad_reset(&d->scratchpad);
    ace_datapath_show_scratchpad(d, out);
}

void ace_datapath_show_scratchpad(const ace_datapath *d, ace_pins_out *out) {
    const ace_scratchpad *s = &d->scratchpad;
    out->scratchpad_failed = s->failed;
    out->scratchpad_failed_bank = s->failed_at.bank;
    out->scratchpad_failed_row = s->failed_at.row;
    out->count_corrected = s->corrected;
    out->count_failed = s->failures;
}

unsigned ace_datapath_rows_written(const ace_datapath *d, const ace_switch_out *grant,
                                   const ace_tx_dma *t, ace_row_index to[ACE_SCRATCHPAD_WRITES]) {
    const ace_switch *s = &d->switch_;
    const ace_receiving *r = &d->receiving;
    const ace_pipe_stage *stored = &s->store[ace_switch_stage(s, ACE_STORE_STAGE)];
    unsigned count = 0;
    const unsigned done = ace_switch_stage(s, ACE_DONE_STAGE);
    if (s->reduce[done].valid)
        to[count++] = (ace_row_index){ s->reduce[done].context % ACE_BANKS, r->reduce_row[done] };
    if (stored->valid) to[count++] = (ace_row_index){ stored->context % ACE_BANKS, r->store_row };
    if (grant->load_grant) to[count++] = (ace_row_index){ t->jobs.row_bank, t->jobs.row };
    return count;
}

void ace_datapath_upset(ace_datapath *d, const ace_pins_in *in, const ace_row_index written[],
                        unsigned count, ace_pins_out *out) {
    ace_scratchpad_edge(&d->scratchpad, in->fault_valid ? &in->fault : NULL, written, count);
    ace_datapath_show_scratchpad(d, out);
}

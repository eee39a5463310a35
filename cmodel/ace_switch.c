/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_switch.h"

void ace_switch_init(ace_switch *s, unsigned fsms) {
    *s = (ace_switch){ .fsms = fsms, .per_phase = fsms / ACE_PHASES };
}

bool ace_switch_idle(const ace_switch *s) {
    for (unsigned i = 0; i < ACE_PIPE_STAGES; i++)
        if (s->reduce[i].valid || s->store[i].valid) return false;
    return s->want == 0;
}

void ace_switch_skip(ace_switch *s, uint64_t cycles) {
    s->count_reduce.idle += cycles;
    s->count_store.idle += cycles;
    s->count_send[0].idle += cycles;
    s->count_send[1].idle += cycles;
}

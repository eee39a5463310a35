/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_switch.h"

void ace_switch_init(ace_switch *s, unsigned fsms) {
    *s = (ace_switch){ .fsms = fsms, .per_phase = fsms / ACE_PHASES };
}

void ace_switch_request(ace_switch *s, unsigned f, const ace_send *send) {
    const unsigned keep = ~(1u << f);
    s->want = (uint16_t)(s->want & keep);
    s->want_minus = (uint16_t)(s->want_minus & keep);
    for (unsigned b = 0; b < ACE_BANKS; b++) s->want_bank[b] = (uint16_t)(s->want_bank[b] & keep);
    if (!send) return;
    s->send[f] = *send;
    s->want = (uint16_t)(s->want | 1u << f);
    if (send->link & 1) s->want_minus = (uint16_t)(s->want_minus | 1u << f);
    s->want_bank[send->index % ACE_BANKS] =
        (uint16_t)(s->want_bank[send->index % ACE_BANKS] | 1u << f);
}

/* First set bit at or after `from`, wrapping; set must not be empty. */
static inline int turn(unsigned set, unsigned from) {
    const unsigned later = set >> from << from;
    return __builtin_ctz(later ? later : set);
}

void ace_switch_decide(const ace_switch *s, const ace_switch_in *in, uint8_t copy_context,
                       ace_switch_out *out) {
    *out = (ace_switch_out){
        .reduce_link = -1, .copy_fsm = -1, .store_link = -1, .send_fsm = { -1, -1 }
    };
    const ace_pipe_stage *r3 = &s->reduce[(s->at + 2) % ACE_PIPE_STAGES];
    const ace_pipe_stage *r4 = &s->reduce[(s->at + 3) % ACE_PIPE_STAGES];
    const ace_pipe_stage *s1 = &s->store[s->at];
    out->reduced = *r4;
    out->stored = s->store[(s->at + 3) % ACE_PIPE_STAGES];

    unsigned taken = 0; /* FSM requests whose bank is read by others */
    int read_bank = -1;
    const unsigned want_reduce = in->head_valid & in->head_reduce;
    if (want_reduce) {
        out->reduce_link = turn(want_reduce, s->reduce_turn);
        read_bank = in->head_context[out->reduce_link] % ACE_BANKS;
    } else if (in->copy_valid) {
        out->copy_fsm = __builtin_ctz(in->copy_valid);
        read_bank = copy_context % ACE_BANKS;
    }
    if (read_bank >= 0) taken |= s->want_bank[read_bank];

    unsigned want_store = in->head_valid & ~(unsigned)in->head_reduce;
    if (want_store && r3->valid)
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (in->head_context[l] % ACE_BANKS == r3->context % ACE_BANKS)
                want_store &= ~(1u << l);
    if (want_store) out->store_link = turn(want_store, s->store_turn);

    out->unload_grant = in->unload_valid && read_bank != in->unload_bank;
    if (out->unload_grant) taken |= s->want_bank[in->unload_bank];
    out->load_grant = in->load_valid && !(r4->valid && r4->context % ACE_BANKS == in->load_bank) &&
                      !(s1->valid && s1->context % ACE_BANKS == in->load_bank);

    const unsigned want = s->want & ~taken;
    const unsigned plus = want & ~(unsigned)s->want_minus, minus = want & s->want_minus;
    if (plus) out->send_fsm[0] = turn(plus, s->plus_turn);
    if (minus) out->send_fsm[1] = turn(minus, s->minus_turn);
}

void ace_switch_tick(ace_switch *s, const ace_switch_in *in, const ace_switch_out *out,
                     uint8_t copy_context) {
    const bool reduce = out->reduce_link >= 0, copy = out->copy_fsm >= 0,
               store = out->store_link >= 0;
    ace_cycle_classes_tick(&s->count_reduce, reduce || copy, false, false);
    ace_cycle_classes_tick(&s->count_store, store, (in->head_valid & ~in->head_reduce) != 0, false);
    ace_cycle_classes_tick(&s->count_send[0], out->send_fsm[0] >= 0,
                           (s->want & ~s->want_minus) != 0, false);
    ace_cycle_classes_tick(&s->count_send[1], out->send_fsm[1] >= 0, (s->want & s->want_minus) != 0,
                           false);

    s->at = (s->at + ACE_PIPE_STAGES - 1) % ACE_PIPE_STAGES;
    s->reduce[s->at] =
        (ace_pipe_stage){ .valid = reduce || copy,
                          .copy = copy,
                          .context = reduce ? in->head_context[out->reduce_link] : copy_context };
    s->store[s->at] = (ace_pipe_stage){ .valid = store,
                                        .context = store ? in->head_context[out->store_link] : 0 };
    if (reduce) s->reduce_turn = (uint8_t)((out->reduce_link + 1) % ACE_LINKS);
    if (store) s->store_turn = (uint8_t)((out->store_link + 1) % ACE_LINKS);
    if (out->send_fsm[0] >= 0) s->plus_turn = (uint8_t)(((unsigned)out->send_fsm[0] + 1) % s->fsms);
    if (out->send_fsm[1] >= 0)
        s->minus_turn = (uint8_t)(((unsigned)out->send_fsm[1] + 1) % s->fsms);
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

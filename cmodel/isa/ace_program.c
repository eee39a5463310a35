/* SPDX-License-Identifier: Apache-2.0 */
/* ace_program.c -- instructions, and what a thread makes of them */
#include "ace_program.h"

uint32_t ace_instruction_encode(const ace_instruction *i) {
    return (uint32_t)i->op << 30 | (uint32_t)i->loop << 28 | (uint32_t)i->peer << 26 |
           (uint32_t)i->peer_k << 25 | (uint32_t)i->number << 18 | (uint32_t)i->shard << 16 |
           (uint32_t)i->shard_k << 15 | ((uint32_t)i->add & 3) << 13 | (uint32_t)i->piece << 11 |
           (uint32_t)i->target << 10 | (uint32_t)i->reduce << 9 | (uint32_t)i->last << 8 |
           (uint32_t)i->wait << 6 | ((uint32_t)i->bias & 7) << 3 | (uint32_t)i->grant << 1;
}

void ace_instruction_decode(uint32_t w, ace_instruction *i) {
    const unsigned add = w >> 13 & 3, bias = w >> 3 & 7;
    *i = (ace_instruction){ .op = (uint8_t)(w >> 30),
                            .loop = w >> 28 & 3,
                            .peer = w >> 26 & 3,
                            .peer_k = w >> 25 & 1,
                            .number = w >> 18 & 127,
                            .shard = w >> 16 & 3,
                            .shard_k = w >> 15 & 1,
                            .add = (int8_t)(add == 3 ? -1 : (int)add),
                            .piece = w >> 11 & 3,
                            .target = w >> 10 & 1,
                            .reduce = w >> 9 & 1,
                            .last = w >> 8 & 1,
                            .wait = w >> 6 & 3,
                            .bias = (int8_t)(bias & 4 ? (int)bias - 8 : (int)bias),
                            .grant = w >> 1 & 3 };
}

/* The place that x counts to from `rank`. */
static uint8_t place(unsigned mode, unsigned rank, unsigned x, unsigned n, bool up) {
    if (mode == ACE_MEMBER) return (uint8_t)x;
    if (mode == ACE_XOR) return (uint8_t)(rank ^ x);
    if ((mode == ACE_AHEAD) == up) return (uint8_t)(rank + x >= n ? rank + x - n : rank + x);
    return (uint8_t)(rank >= x ? rank - x : rank + n - x);
}

static void operands(ace_thread *t, unsigned n, unsigned rank, bool up) {
    const uint32_t w = t->word;
    const unsigned loop = w >> 28 & 3, piece = w >> 11 & 3, add = w >> 13 & 3;
    const unsigned y = ((w >> 15 & 1 ? t->k : 0u) + add - (add == 3 ? 4u : 0u)) & 255u;
    const unsigned shard = place(w >> 16 & 3, rank, y, n, up);
    t->peer = place(w >> 26 & 3, rank, w >> 25 & 1 ? t->k : w >> 18 & 127, n, up);
    t->shard = (uint8_t)(piece == ACE_SHARD ? shard : piece == ACE_SHARDS ? shard & -t->k : 0u);
    t->shards = (uint8_t)(piece == ACE_SHARD ? 1u : piece == ACE_SHARDS ? t->k : n);
    t->last = loop == ACE_LOOP_ONCE || (loop == ACE_LOOP_UP      ? t->k + 1u >= n
                                        : loop == ACE_LOOP_HALVE ? t->k <= 1
                                                                 : t->k * 2u >= n);
}

static void take(ace_thread *t, const uint32_t *words, unsigned pc, unsigned n, unsigned rank,
                 bool up) {
    t->pc = (uint8_t)(pc % ACE_PROGRAM_WORDS);
    t->word = words[t->pc];
    t->end = t->word >> 30 == ACE_OP_END;
    t->first = true;
    const unsigned loop = t->word >> 28 & 3;
    t->k = (uint8_t)(loop == ACE_LOOP_ONCE    ? t->word >> 18 & 127
                     : loop == ACE_LOOP_HALVE ? n / 2
                                              : 1u);
    operands(t, n, rank, up);
}

void ace_thread_begin(ace_thread *t, const uint32_t *words, unsigned pc, unsigned n, unsigned rank,
                      bool up) {
    take(t, words, pc, n, rank, up);
}

void ace_thread_next(ace_thread *t, const uint32_t *words, unsigned n, unsigned rank, bool up) {
    const unsigned loop = t->word >> 28 & 3;
    if (t->last) {
        take(t, words, t->pc + 1u, n, rank, up);
        return;
    }
    t->k = (uint8_t)(loop == ACE_LOOP_UP      ? t->k + 1u
                     : loop == ACE_LOOP_HALVE ? t->k / 2u
                                              : t->k * 2u);
    t->first = false;
    operands(t, n, rank, up);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* ace_program.c -- encodes and decodes instructions, and steps a thread from segment to segment */
#include "ace_program.h"

uint32_t ace_instruction_encode(const ace_instruction *i) {
    return ACE_PROGRAM_PUT(i->op, OP) | ACE_PROGRAM_PUT(i->loop, LOOP) |
           ACE_PROGRAM_PUT(i->peer, PEER) | ACE_PROGRAM_PUT(i->peer_k, PEER_K) |
           ACE_PROGRAM_PUT(i->number, NUMBER) | ACE_PROGRAM_PUT(i->shard, FROM) |
           ACE_PROGRAM_PUT(i->shard_k, FROM_K) | ACE_PROGRAM_PUT(i->add, ADD) |
           ACE_PROGRAM_PUT(i->piece, PIECE) | ACE_PROGRAM_PUT(i->target, TARGET) |
           ACE_PROGRAM_PUT(i->reduce, REDUCE) | ACE_PROGRAM_PUT(i->last, LAST) |
           ACE_PROGRAM_PUT(i->wait, WAIT) | ACE_PROGRAM_PUT(i->bias, BIAS) |
           ACE_PROGRAM_PUT(i->grant, GRANT);
}

void ace_instruction_decode(uint32_t w, ace_instruction *i) {
    *i = (ace_instruction){ .op = ACE_PROGRAM_GET(w, OP),
                            .loop = ACE_PROGRAM_GET(w, LOOP),
                            .peer = ACE_PROGRAM_GET(w, PEER),
                            .peer_k = ACE_PROGRAM_GET(w, PEER_K),
                            .number = ACE_PROGRAM_GET(w, NUMBER),
                            .shard = ACE_PROGRAM_GET(w, FROM),
                            .shard_k = ACE_PROGRAM_GET(w, FROM_K),
                            .add = (int8_t)ACE_PROGRAM_SIGNED(w, ADD),
                            .piece = ACE_PROGRAM_GET(w, PIECE),
                            .target = ACE_PROGRAM_GET(w, TARGET),
                            .reduce = ACE_PROGRAM_GET(w, REDUCE),
                            .last = ACE_PROGRAM_GET(w, LAST),
                            .wait = ACE_PROGRAM_GET(w, WAIT),
                            .bias = (int8_t)ACE_PROGRAM_SIGNED(w, BIAS),
                            .grant = ACE_PROGRAM_GET(w, GRANT) };
}

/* Returns the member that is x away from `rank`. */
static uint8_t member_at(unsigned mode, unsigned rank, unsigned x, unsigned n, bool up) {
    if (mode == ACE_MEMBER) return (uint8_t)x;
    if (mode == ACE_XOR) return (uint8_t)(rank ^ x);
    if ((mode == ACE_AHEAD) == up) return (uint8_t)(rank + x >= n ? rank + x - n : rank + x);
    return (uint8_t)(rank >= x ? rank - x : rank + n - x);
}

static void operands(ace_thread *t, unsigned n, unsigned rank, bool up) {
    const uint32_t w = t->word;
    const unsigned loop = ACE_PROGRAM_GET(w, LOOP), piece = ACE_PROGRAM_GET(w, PIECE);
    const unsigned add = (unsigned)ACE_PROGRAM_SIGNED(w, ADD);
    const unsigned y = ((ACE_PROGRAM_GET(w, FROM_K) ? t->k : 0u) + add) & 255u;
    const unsigned shard = member_at(ACE_PROGRAM_GET(w, FROM), rank, y, n, up);
    const unsigned away = ACE_PROGRAM_GET(w, PEER_K) ? t->k : ACE_PROGRAM_GET(w, NUMBER);
    t->peer = member_at(ACE_PROGRAM_GET(w, PEER), rank, away, n, up);
    t->shard = (uint8_t)(piece == ACE_SHARD ? shard : piece == ACE_SHARDS ? shard & -t->k : 0u);
    t->shards = (uint8_t)(piece == ACE_SHARD ? 1u : piece == ACE_SHARDS ? t->k : n);
    t->last = loop == ACE_LOOP_ONCE || (loop == ACE_LOOP_UP      ? t->k + 1u >= n
                                        : loop == ACE_LOOP_HALVE ? t->k <= 1
                                                                 : t->k * 2u >= n);
}

static void take(ace_thread *t, const uint32_t *program, unsigned pc, unsigned n, unsigned rank,
                 bool up) {
    t->pc = (uint8_t)(pc % ACE_PROGRAM_WORDS);
    t->word = program[t->pc];
    t->end = ACE_PROGRAM_GET(t->word, OP) == ACE_OP_END;
    t->first = true;
    const unsigned loop = ACE_PROGRAM_GET(t->word, LOOP);
    t->k = (uint8_t)(loop == ACE_LOOP_ONCE    ? ACE_PROGRAM_GET(t->word, NUMBER)
                     : loop == ACE_LOOP_HALVE ? n / 2
                                              : 1u);
    operands(t, n, rank, up);
}

void ace_thread_begin(ace_thread *t, const uint32_t *program, unsigned pc, unsigned n,
                      unsigned rank, bool up) {
    take(t, program, pc, n, rank, up);
}

void ace_thread_next(ace_thread *t, const uint32_t *program, unsigned n, unsigned rank, bool up) {
    const unsigned loop = ACE_PROGRAM_GET(t->word, LOOP);
    if (t->last) {
        take(t, program, t->pc + 1u, n, rank, up);
        return;
    }
    t->k = (uint8_t)(loop == ACE_LOOP_UP      ? t->k + 1u
                     : loop == ACE_LOOP_HALVE ? t->k / 2u
                                              : t->k * 2u);
    t->first = false;
    operands(t, n, rank, up);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_steps.c -- when the result of a program can be complete, if only its data counts
 *
 * The programs of all members run together without a clock.  Each member has a source block and a
 * target block, and each shard of a block has a time at which it is complete.  At first this is the
 * time at which the member begins.  A piece arrives one step after its sender has it, and not
 * before its receiver has begun.  A sum is complete with the later of its two operands.  Waits and
 * grants are left out, because only an engine's buffers need them.
 */
#include <stdlib.h>

#include "ace_flit.h"
#include "ace_program.h"

typedef struct timing {
    const uint32_t *(*program)(void *self, unsigned member);
    void *self;
    unsigned n;
    const uint64_t *start;
    uint64_t step;
    uint64_t *at; /* [member][source, target][shard]: the time at which it is complete */
} timing;

static uint64_t *at_of(const timing *t, unsigned member, bool target, unsigned shard) {
    return &t->at[((size_t)member * 2 + target) * t->n + shard];
}

static const uint32_t *program_of(void *self, unsigned member) {
    const timing *t = self;

    return t->program(t->self, member);
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A switch reduces a shard: each member gets the sum a step after the last operand is complete. */
static void reduce_at_switch(const timing *t, unsigned shard) {
    uint64_t last = 0;

    for (unsigned from = 0; from < t->n; from++) last = later(last, *at_of(t, from, false, shard));
    for (unsigned to = 0; to < t->n; to++) *at_of(t, to, true, shard) = last + t->step;
}

/* A shard comes that was complete at its sender at `complete`. */
static void bring_shard(const timing *t, const ace_transfer *piece, unsigned s, uint64_t complete) {
    const uint64_t ready = piece->reduce ? *at_of(t, piece->to, false, s) : t->start[piece->to];

    *at_of(t, piece->to, piece->to_target, s) = later(complete + t->step, ready);
}

static void transfer(void *self, const ace_transfer *piece) {
    const timing *t = self;
    uint64_t complete[ACE_MEMBERS]; /* of the shards, at the sender */

    for (unsigned i = 0; !piece->everyone && i < piece->shards; i++)
        complete[i] = *at_of(t, piece->from, piece->from_target, piece->shard + i);
    for (unsigned i = 0; piece->back && i < piece->back->shards; i++) {
        const ace_transfer *back = piece->back;

        bring_shard(t, back, back->shard + i,
                    *at_of(t, back->from, back->from_target, back->shard + i));
    }
    for (unsigned i = 0; i < piece->shards; i++)
        if (piece->everyone)
            reduce_at_switch(t, piece->shard + i);
        else
            bring_shard(t, piece, piece->shard + i, complete[i]);
}

int ace_program_times(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, const uint64_t *start,
                      uint64_t step, uint64_t *complete) {
    char why[200];
    timing t = { .program = program, .self = self, .n = n, .start = start, .step = step };

    if (n < 2 || n > ACE_MEMBERS) return ACE_EINVAL;
    t.at = malloc((size_t)n * 2 * n * sizeof *t.at);
    if (!t.at) return ACE_ENOMEM;
    for (size_t i = 0; i < (size_t)n * 2 * n; i++) t.at[i] = start[i / (2 * n)];
    const int err = ace_program_run(program_of, transfer, &t, kind, dim, n, odd, why, sizeof why);

    for (unsigned i = 0; i < n; i++) {
        complete[i] = start[i];
        for (unsigned s = 0; s < n; s++)
            if (kind != ACE_PHASE_REDUCE_SCATTER || s == i)
                complete[i] = later(complete[i], *at_of(&t, i, true, s));
    }
    free(t.at);
    return err;
}

int ace_program_steps(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, uint16_t *steps) {
    const uint64_t start[ACE_MEMBERS] = { 0 };
    uint64_t complete[ACE_MEMBERS] = { 0 };

    if (n > ACE_MEMBERS) return ACE_EINVAL;
    const int err = ace_program_times(program, self, kind, dim, n, odd, start, 1, complete);

    for (unsigned i = 0; i < n; i++) steps[i] = (uint16_t)complete[i];
    return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_steps.c -- how many steps of a program depend on one another
 *
 * The programs of all members run against each other without a clock.  Each shard of each member's
 * two blocks has a step in which it is complete there: 0 for what the phase begins with.  A piece
 * arrives a step after its sender has it, and a sum is complete with the later of its two operands.
 * Waits and grants are left out: an engine's buffers are the reason for them, and no data.
 */
#include <stdlib.h>

#include "ace_flit.h"
#include "ace_program.h"

typedef struct timing {
    const uint32_t *(*words)(void *self, unsigned member);
    void *self;
    unsigned n;
    uint16_t *at; /* [member][source, target][shard]: the step in which it is complete */
} timing;

static uint16_t *at_of(const timing *t, unsigned member, bool target, unsigned shard) {
    return &t->at[((size_t)member * 2 + target) * t->n + shard];
}

static const uint32_t *words_of(void *self, unsigned member) {
    const timing *t = self;

    return t->words(t->self, member);
}

/* The switch has a sum when the last member has its share. */
static void bring_everyone(const timing *t, unsigned shard) {
    uint16_t last = 0;

    for (unsigned from = 0; from < t->n; from++) {
        const uint16_t at = *at_of(t, from, false, shard);
        if (at > last) last = at;
    }
    for (unsigned to = 0; to < t->n; to++) *at_of(t, to, true, shard) = (uint16_t)(last + 1);
}

static void bring(void *self, const ace_transfer *piece) {
    const timing *t = self;

    for (unsigned s = piece->shard; s < piece->shard + (unsigned)piece->shards; s++) {
        if (piece->everyone) {
            bring_everyone(t, s);
            continue;
        }
        const uint16_t here = *at_of(t, piece->to, false, s);
        uint16_t arrives = (uint16_t)(*at_of(t, piece->from, piece->from_target, s) + 1);

        if (piece->reduce && here > arrives) arrives = here;
        *at_of(t, piece->to, piece->to_target, s) = arrives;
    }
}

int ace_program_steps(const uint32_t *(*words)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, uint16_t *steps) {
    char why[200];
    timing t = { .words = words, .self = self, .n = n };

    if (n < 2 || n > ACE_MEMBERS) return ACE_EINVAL;
    t.at = calloc((size_t)n * 2 * n, sizeof *t.at);
    if (!t.at) return ACE_ENOMEM;
    const int err = ace_program_run(words_of, bring, &t, kind, dim, n, odd, why, sizeof why);

    for (unsigned i = 0; i < n; i++) {
        steps[i] = 0;
        for (unsigned s = 0; s < n; s++)
            if ((kind != ACE_PHASE_REDUCE_SCATTER || s == i) && *at_of(&t, i, true, s) > steps[i])
                steps[i] = *at_of(&t, i, true, s);
    }
    free(t.at);
    return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* ideal_steps.c -- counts the steps of the phases, see ideal_steps.h */
#include "ideal_steps.h"

#include <stdlib.h>
#include <string.h>

#include "ace_program.h"

/* The programs of all members of a dimension. */
typedef struct group {
    uint32_t words[ACE_MEMBERS][ACE_PROGRAM_WORDS];
} group;

static const uint32_t *words_of(void *self, unsigned member) {
    return ((group *)self)->words[member];
}

/* On a ring a shard passes all members. A hub without programs sends directly. */
static void count_ring(const ace_config *cfg, unsigned d, ideal_steps *steps) {
    const uint16_t once = cfg->hub[d] ? 1 : (uint16_t)(cfg->ring[d] - 1);

    for (unsigned odd = 0; odd < 2; odd++)
        for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; kind < IDEAL_PHASE_KINDS; kind++)
            for (unsigned i = 0; i < cfg->ring[d]; i++)
                steps->at[d][odd][kind][i] = kind == ACE_PHASE_ALL_REDUCE ? 2 * once : once;
}

static int count_programs(const ace_config *cfg, unsigned d, group *g, ideal_steps *steps) {
    const unsigned n = cfg->ring[d];
    int error = ACE_OK;

    for (unsigned i = 0; i < n && error == ACE_OK; i++) {
        ace_config own = *cfg;

        own.rank[d] = (uint16_t)i;
        error = ace_program_defaults(&own);
        memcpy(g->words[i], own.program, sizeof g->words[i]);
    }
    for (unsigned odd = 0; odd < 2; odd++)
        for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; kind < IDEAL_PHASE_KINDS && error == ACE_OK;
             kind++)
            error = ace_program_steps(words_of, g, kind, d, n, odd != 0, steps->at[d][odd][kind]);
    return error;
}

int ideal_steps_count(const ace_config *cfg, ideal_steps *steps) {
    group *g = malloc(sizeof *g);
    int error = g ? ACE_OK : ACE_ENOMEM;

    memset(steps, 0, sizeof *steps);
    for (unsigned d = 0; d < ACE_DIMENSIONS && error == ACE_OK; d++) {
        if (cfg->ring[d] <= 1) continue;
        if (!ace_program_has(cfg, d) || ace_program_is_ring(cfg, d))
            count_ring(cfg, d, steps);
        else
            error = count_programs(cfg, d, g, steps);
    }
    free(g);
    return error;
}

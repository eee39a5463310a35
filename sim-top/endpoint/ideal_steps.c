/* SPDX-License-Identifier: Apache-2.0 */
/* ideal_steps.c -- counts the steps of the phases, see ideal_steps.h */
#include "ideal_steps.h"

#include <string.h>

#include "ace_program.h"

static const uint32_t *words_of(void *self, unsigned member) {
    return ((const uint32_t(*)[ACE_PROGRAM_WORDS])self)[member];
}

static int take_programs(const ace_config *cfg, unsigned d, ideal_steps *steps) {
    int error = ACE_OK;

    for (unsigned i = 0; i < cfg->ring[d] && error == ACE_OK; i++) {
        ace_config own = *cfg;

        own.rank[d] = (uint16_t)i;
        error = ace_program_defaults(&own);
        memcpy(steps->words[d][i], own.program, sizeof steps->words[d][i]);
    }
    return error;
}

static int count_programs(const ace_config *cfg, unsigned d, ideal_steps *steps) {
    int error = ACE_OK;

    for (unsigned odd = 0; odd < 2; odd++)
        for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; kind < IDEAL_PHASE_KINDS && error == ACE_OK;
             kind++)
            error = ace_program_steps(words_of, steps->words[d], kind, d, cfg->ring[d], odd != 0,
                                      steps->at[d][odd][kind]);
    return error;
}

int ideal_steps_count(const ace_config *cfg, ideal_steps *steps) {
    int error = ACE_OK;

    memset(steps, 0, sizeof *steps);
    for (unsigned d = 0; d < ACE_DIMENSIONS && error == ACE_OK; d++) {
        if (cfg->ring[d] <= 1) continue;
        if (!ace_program_has(cfg, d)) return ACE_EINVAL;
        error = take_programs(cfg, d, steps);
        if (error == ACE_OK) error = count_programs(cfg, d, steps);
    }
    return error;
}

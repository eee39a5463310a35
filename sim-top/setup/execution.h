/* SPDX-License-Identifier: Apache-2.0 */
/* execution.h -- how a run is carried out: none of this changes a cycle of its result */
#ifndef EXECUTION_H
#define EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct execution {
    unsigned threads;
    bool unfolded;     /* simulate every node, also where one could stand for many */
    bool step_by_step; /* simulate every cycle, also where periods could be left out */
    const char *checkpoint, *resume; /* files, or NULL */
    uint64_t checkpoint_every;       /* cycles */
    bool quiet;                      /* no progress and no cost on standard error */
} execution;

/* The same without checkpoints. */
static inline execution execution_plain(const execution *e) {
    execution plain = *e;

    plain.checkpoint = plain.resume = NULL;
    return plain;
}

#endif

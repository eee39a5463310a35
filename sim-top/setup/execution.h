/* SPDX-License-Identifier: Apache-2.0 */
/* execution.h -- how a run is executed; none of these values changes a cycle of its result */
#ifndef EXECUTION_H
#define EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct execution {
    unsigned threads;
    bool unfolded;     /* simulate every node, even if one could represent many */
    bool step_by_step; /* simulate every cycle, even if repeated periods could be skipped */
    const char *checkpoint, *resume; /* files, or NULL */
    uint64_t checkpoint_every;       /* cycles */
    bool quiet;                      /* print neither progress nor cost on standard error */
} execution;

/* Returns the same execution without checkpoints. */
static inline execution execution_plain(const execution *e) {
    execution plain = *e;

    plain.checkpoint = plain.resume = NULL;
    return plain;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* result_parts.h -- the parts of the time of a run of graphs, as members of its result */
#ifndef RESULT_PARTS_H
#define RESULT_PARTS_H

#include "result_read.h"

/* The kinds of parts, by what makes them shorter. */
typedef enum result_part_kind {
    PART_COMPUTE,
    PART_NETWORK,
    PART_BUBBLE,
    PART_MEMORY,
    PART_LATENCY,
    PART_OTHER /* no option makes it shorter */
} result_part_kind;

typedef struct result_part {
    const char *key;  /* cycles, a member of the result and of each of its stages */
    const char *name; /* for people */
    const char *help; /* what makes it shorter */
    result_part_kind kind;
} result_part;

/* Returns the parts of a result of acesim train, astra or msccl. The list ends with a part without
 * a key. Returns NULL for other commands. */
const result_part *result_parts(const saved_run *r);

#endif

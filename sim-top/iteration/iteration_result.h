/* SPDX-License-Identifier: Apache-2.0 */
/* iteration_result.h -- the result of an iteration as JSON, as a table, and as a picture */
#ifndef ITERATION_RESULT_H
#define ITERATION_RESULT_H

#include "graph_engine.h"
#include "iteration.h"

/* A kind of parallelism under which people look for their time. */
typedef struct iteration_kind {
    const char *key, *name; /* in the result, and in the table */
    plan_group group[3];
    unsigned groups;
} iteration_kind;
enum { ITERATION_KINDS = 5 };
extern const iteration_kind iteration_kinds[ITERATION_KINDS];

/* Adds times, memory and utilization to the result. f and e are NULL for a composed iteration.
 * Returns EXIT_OK, or another status after a message. */
int iteration_result_add(const strategy_iteration *r, fabric *f, const graph_engine *e);
/* Prints the table; self is the iteration. */
void iteration_table(const cJSON *root, const void *self);
/* Writes the picture of the pipeline. Returns EXIT_OK, or another status after a message. */
int iteration_draw(const strategy_iteration *r);

#endif

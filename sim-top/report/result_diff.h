/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_diff.h -- what differs between two results, setting by setting and number by number
 *
 * Of the units, the cycles of each class are those of an average node, so that clusters of unlike
 * size compare, too; so are the bytes of links.
 */
#ifndef RESULT_DIFF_H
#define RESULT_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "result_read.h"

typedef enum diff_group {
    DIFF_SETTINGS, /* what was asked for */
    DIFF_WAY,      /* how it was computed, on which no number depends */
    DIFF_RESULTS,  /* cycles, time, bandwidth, checks */
    DIFF_ITERATIONS,
    DIFF_UNITS,    /* cycles of a class, of an average node */
    DIFF_LINKS,    /* bytes, of an average node */
    DIFF_COUNTERS, /* summed over all nodes */
    DIFF_GROUPS
} diff_group;

/* A value that is not the same; "" and NAN where a result has none of the name. */
typedef struct difference {
    diff_group group;
    char *name;
    char *text[2]; /* as the result has it, "" where it has none; of a number all digits, or NULL */
    double value[2]; /* a number */
    bool number;
} difference;

typedef struct result_diff {
    difference *at; /* by group; settings, results and iterations in the order of the results, the
                       rest with the largest change first and what one lacks last */
    size_t count, room;
    unsigned nodes;  /* that differ, 0 where the clusters have not as many nodes each */
    char *node_list; /* 0-3,7 */
    bool same_nodes; /* as many in both */
    bool same_kind;  /* the same collective, or workload */
    bool failed;     /* no memory */
} result_diff;

/* False: no memory.  Free it in either case. */
bool result_diff_find(const saved_run *a, const saved_run *b, result_diff *d);
void result_diff_free(result_diff *d);
/* Whether any number or check is another; settings alone do not count. */
bool result_diff_numbers(const result_diff *d);
double difference_change(const difference *e); /* of B against A; NAN where one has none */

#endif

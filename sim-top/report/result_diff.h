/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_diff.h -- finds the differences between two results, member by member
 *
 * Cycles of units and bytes of links are means over the nodes, so that clusters of different
 * size can be compared.
 */
#ifndef RESULT_DIFF_H
#define RESULT_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "result_read.h"

typedef enum diff_group {
    DIFF_SETTINGS, /* inputs of the run */
    DIFF_WAY,      /* how it was computed; no number depends on it */
    DIFF_RESULTS,  /* cycles, time, bandwidth, checks */
    DIFF_ITERATIONS,
    DIFF_UNITS,    /* cycles of a class, of an average node */
    DIFF_LINKS,    /* bytes, of an average node */
    DIFF_COUNTERS, /* summed over all nodes */
    DIFF_GROUPS
} diff_group;

/* A value that differs. The text is "" and the number NAN where a result has no such member. */
typedef struct difference {
    diff_group group;
    char *name;
    char *text[2]; /* As in the result, "" if it has none; for a number, all its digits, or NULL. */
    double value[2]; /* a number */
    bool number;
} difference;

typedef struct result_diff {
    /* Sorted by group. Settings, results and iterations are in the order of the results. All
     * other groups start with the largest change, and end with members that one result lacks. */
    difference *at;
    size_t count, room;
    unsigned nodes;  /* that differ; 0: the clusters have different numbers of nodes */
    char *node_list; /* 0-3,7 */
    bool same_nodes; /* both have the same number of nodes */
    bool same_kind;  /* the same collective, or workload */
    bool failed;     /* no memory */
} result_diff;

/* Finds the differences. Returns false if there is no memory. The caller frees d in either case. */
bool result_diff_find(const saved_run *a, const saved_run *b, result_diff *d);
void result_diff_free(result_diff *d);
/* Returns whether any number or check differs; settings alone do not count. */
bool result_diff_numbers(const result_diff *d);
double difference_change(const difference *e); /* of B against A; NAN if one has no value */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_read.h -- a result that was written as JSON, read again
 *
 * What of it every reader needs was checked when it was read; the rest may be missing and is
 * asked for by name.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

enum { CLASS_BUSY, CLASS_STARVED, CLASS_BLOCKED, CLASS_IDLE, CLASSES };

typedef struct saved_run {
    const char *file;
    cJSON *root;
    const char *command; /* "collective": the first word of its command, or "" */
    const char *what;    /* kind, workload, model, or what else it is of */
    bool training;
    unsigned ring[ACE_CLUSTER_DIMENSIONS], nodes;
    double cycles, clock_MHz;
} saved_run;

/* Reads a result of any command, or of a search that of its best strategy.  ring, nodes, cycles and
 * clock_MHz are 0 where the result has none.  EXIT_OK, or EXIT_USAGE after a message; to be
 * freed in either case. */
int saved_result_read(const char *file, saved_run *r);
/* The same of the first so many strategies of a search; of any other result, one.  *count: how many
 * were begun, which are to be freed in either case. */
int saved_results_read(const char *file, saved_run *r, unsigned most, unsigned *count);
/* Is it a result of acesim collective or run? */
bool saved_run_is_run(const saved_run *r);
/* Requires the members that a result of collective or run has.  EXIT_OK, or EXIT_USAGE after a
 * message. */
int saved_run_check(saved_run *r);
/* Both: EXIT_OK, or EXIT_USAGE after a message; to be freed in either case. */
int saved_run_read(const char *file, saved_run *r);
/* The same of a text; name stands for it in messages. */
int saved_run_parse(const char *name, const char *text, saved_run *r);
/* The same of a result that is still in memory and stays the caller's. */
int saved_run_of(const char *name, cJSON *root, saved_run *r);
void saved_run_free(saved_run *r);

/* By name, in the result or one of its objects; dots lead into objects.  0, "" or NULL when
 * there is no such thing. */
double saved_number(const cJSON *o, const char *path);
const char *saved_text(const cJSON *o, const char *path);
const cJSON *saved_item(const cJSON *o, const char *path);

/* A unit's cycles in each class, on a node of a group.  False: no such unit. */
bool saved_unit(const cJSON *group, const char *unit, double cycles[CLASSES]);
/* The shares of a unit's cycles in each class, over all nodes.  False: no such unit. */
bool saved_classes(const saved_run *r, const char *unit, double share[CLASSES]);
/* Does a node belong to "0-3,7"? */
bool saved_nodes_have(const char *nodes, unsigned node);

#endif

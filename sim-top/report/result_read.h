/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_read.h -- reads a result that was written as JSON
 *
 * Members that every reader needs are checked when the result is read. Other members may be missing
 * and are requested by name.
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
    const char *command; /* "collective": the first argument of its command, or "" */
    const char *what;    /* its subject: kind, workload, model or similar */
    bool training;
    unsigned ring[ACE_CLUSTER_DIMENSIONS], nodes;
    double cycles, clock_MHz;
} saved_run;

/* Reads a result of any command, or the result of the best strategy of a search. ring, nodes,
 * cycles and clock_MHz are 0 if the result has none. Returns EXIT_OK, or EXIT_USAGE after a
 * message. The caller frees r in either case. */
int saved_result_read(const char *file, saved_run *r);
/* Does the same for at most `most` of the first strategies of a search, or for the one result of
 * another command. *count becomes the number of entries to free in either case. */
int saved_results_read(const char *file, saved_run *r, unsigned most, unsigned *count);
/* Returns whether it is a result of acesim collective or run. */
bool saved_run_is_run(const saved_run *r);
/* Checks the members that a result of collective or run must have. Returns EXIT_OK, or EXIT_USAGE
 * after a message. */
int saved_run_check(saved_run *r);
/* Does both. Returns EXIT_OK, or EXIT_USAGE after a message. The caller frees r in either case. */
int saved_run_read(const char *file, saved_run *r);
/* Does the same with a text. name: what messages call it. */
int saved_run_parse(const char *name, const char *text, saved_run *r);
/* Does the same with a result in memory, which stays the caller's. */
int saved_run_of(const char *name, cJSON *root, saved_run *r);
void saved_run_free(saved_run *r);

/* Return a member of the result or of one of its objects by name; dots lead into objects. They
 * return 0, "" or NULL if there is no such member. */
double saved_number(const cJSON *o, const char *path);
const char *saved_text(const cJSON *o, const char *path);
const cJSON *saved_item(const cJSON *o, const char *path);

/* Gets a unit's cycles in each class on a node of a group. Returns false if there is no such
 * unit. */
bool saved_unit(const cJSON *group, const char *unit, double cycles[CLASSES]);
/* Gets the shares of a unit's cycles in each class over all nodes. Returns false if there is no
 * such unit. */
bool saved_classes(const saved_run *r, const char *unit, double share[CLASSES]);
/* Returns whether a node is in a list such as "0-3,7". */
bool saved_nodes_have(const char *nodes, unsigned node);

#endif

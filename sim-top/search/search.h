/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.h -- which strategy divides a model best over a cluster
 *
 *     s.m, s.o, ...               the request: a model, a setup, limits
 *     status = search_prepare(&s) the strategies that divide and fit (search_space.h)
 *     status = search_run(&s)     runs those that could be best
 *     status = search_print(&s)
 *     search_free(&s)
 *
 * Strategies are points of a sweep, each an acesim train. They run in rounds, the lowest bound
 * first. The search ends when no strategy that is left could be better than the best one found.
 * Rounds do not depend on the number of workers, so the answer does not either.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <cjson/cJSON.h>

#include "accelerators.h"
#include "search_space.h"
#include "setup.h"
#include "sweep_file.h"
#include "values.h"

typedef enum objective {
    OBJECTIVE_TIME,
    OBJECTIVE_COST,
    OBJECTIVE_MEMORY,
    OBJECTIVE_FRONT
} objective;
extern const char *const search_objectives[]; /* names, ended by NULL */

/* The state and the result of a strategy. */
typedef struct search_outcome {
    bool settled; /* its round is over */
    bool wanted, done;
    double cycles, us;
    cJSON *result; /* NULL: there is none */
    char *message; /* why it failed, or NULL */
} search_outcome;

typedef struct search {
    /* ---- the request */
    const char *model, *cluster, *database, *svg; /* files */
    uint64_t batch, sequence, layers;             /* 0: the model's */
    const char *const *given; /* options of a setup, one for each setup_id; NULL: not given */
    uint64_t capacity, limit_s;
    objective objective;
    uint64_t top; /* rows of the table; 0: all */
    bool all, composed, exact, retry, list, quiet;
    format format;
    sweep_share share;
    training_model m;
    setup o;

    /* ---- made by the functions below */
    double own; /* bytes of an NPU's memory by the cluster's file; INFINITY: not given */
    search_space space;
    sweep sweep;
    accelerators mixed; /* of the nodes, if they have several */
    sweep_axis axis;
    sweep_store *store;
    search_outcome *of; /* of each candidate; with composed, followed by the run of each */
    bool *wanted;       /* to run in this round */
    size_t again, slow; /* how many of the best were run, and how many would take a minute */
    unsigned ran;
} search;

/* Makes the space of strategies. Returns EXIT_OK, or another status after a message. */
int search_prepare(search *s);
/* Prints the strategies with their bounds and memory. */
void search_print_space(const search *s);
/* Runs the strategies. Returns EXIT_OK, or another status after a message. */
int search_run(search *s);
/* Prints the result. If several workers were started together, only the first prints. Returns
 * EXIT_OK, or another status after a message. */
int search_print(search *s);
/* Returns the candidates in the order of the objective, or NULL if there is no memory. */
size_t *search_order(const search *s);
/* Returns how many candidates were not run because their bound says that they cannot be better. */
size_t search_left_out(const search *s);
/* Frees what these functions have made. */
void search_free(search *s);

#endif

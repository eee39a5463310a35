/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iteration.h -- an iteration of a model under a strategy, run on a cluster, and its result
 *
 *     i->o, i->m, i->s, ...           the request: setup, model, strategy
 *     i->result = result_begin();     with the members that the caller adds
 *     status = iteration_run(i);      runs or composes the iteration, and prints the result
 *
 * A composed iteration is put together from events that were measured alone, once each.
 */
#ifndef ITERATION_H
#define ITERATION_H

#include <cjson/cJSON.h>

#include "accelerators.h"
#include "composition_error.h"
#include "placement.h"
#include "setup.h"
#include "stage_memory.h"
#include "strategy_events.h"

typedef struct strategy_iteration {
    /* ---- the request; NULL, 0 and false: not given */
    const char *cluster;        /* the file of the cluster */
    const char *placement_text; /* dimensions of each degree */
    const char *schedule; /* a file of pipeline lists, which replaces the strategy's schedule */
    const char *svg;      /* a picture of the pipeline is written to this file */
    const char *kept;     /* database of measured events, for composed iterations */
    uint64_t bucket;      /* least bytes of the gradients that replicas sum together */
    bool composed;        /* compose the iteration */
    bool compared;        /* with composed: also run it, and report the error */
    bool oversize;        /* a strategy that does not fit in memory is no failure */
    training_model m;
    strategy s;
    setup o;
    cJSON *result; /* begun by the caller; iteration_run() deletes it */

    /* ---- made by iteration_run() */
    placement p;
    fabric_work work; /* what the fabric needs to know about the graphs */
    pipeline lists;
    strategy_plan *plan;
    strategy_graph *g;
    strategy_times *times;
    strategy_events *events; /* NULL: the iteration is run */
    composition_error error; /* if the iteration is composed and run */
    pipeline_result passes;  /* of that run */
    stage_memory memory;
    accelerators accelerators; /* of nodes, where the cluster has several */
    uint64_t digest;
} strategy_iteration;

/* Makes the graphs of the iteration, runs or composes it, and prints its result. Frees all that it
 * makes, and the machine of i->o. Returns EXIT_OK, or another status after a message. */
int iteration_run(strategy_iteration *i);

#endif

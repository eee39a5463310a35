/* SPDX-License-Identifier: Apache-2.0 */
/*
 * experiment.h -- a few collectives on a cluster, each begun in its cycle at all nodes, and when
 * each ends
 *
 * As text: kind:bytes:dimensions@cycle, joined by + where there are several, then the chunk, the
 * memory's bandwidth and the members of each dimension where they are not the cluster's:
 *
 *     all-reduce:1048576:xyz@0+all-to-all:65536:xy@500 chunk=16384 memory=128
 *     all-reduce:1048576:xv@0 of=8x1x1x1x1x4
 *
 * With other members it is on a smaller cluster, which has the dimensions with more than one of
 * them, side by side, and their links.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "flow_parameters.h"
#include "setup.h"

enum { EXPERIMENT_WORKS = 3, EXPERIMENT_TEXT = 192 };

typedef struct experiment_work {
    ace_kind kind;
    uint64_t bytes, start; /* start: cycle */
    uint8_t dims[ACE_CLUSTER_DIMENSIONS], dim_count;
} experiment_work;

typedef struct experiment {
    experiment_work work[EXPERIMENT_WORKS];
    unsigned works;
    uint64_t chunk;                           /* bytes; 0: the cluster's */
    double memory_GBps;                       /* 0: the cluster's */
    uint16_t members[ACE_CLUSTER_DIMENSIONS]; /* of each dimension; 0: the cluster's, of all */
} experiment;

void experiment_print(const experiment *e, char to[EXPERIMENT_TEXT]);
/* False: it is no such text.  Works are in the order of their starts, whatever that of the text. */
bool experiment_parse(const char *text, experiment *e);
/* The cluster as the experiment has it; setup_free() in either case.  EXIT_OK, or after a
 * message another status.  file: of the cluster.  One that no engines can be is not made ready to
 * run: its fields and its configuration alone are. */
int experiment_setup(const experiment *e, const char *file, const char *rung, setup *s);
/* Cycles from the start of each work to its end at the last node, on the setup's rungs.  EXIT_OK,
 * or after a message another status. */
int experiment_run(const experiment *e, const setup *s, uint64_t cycles[EXPERIMENT_WORKS]);
/* The same from the form alone, at a node that stands for all.  False: no memory, or it does not
 * cover it. */
bool experiment_model(const experiment *e, const machine *m, const flow_parameters *p,
                      double cycles[EXPERIMENT_WORKS]);
/* The least and the most that the form has for each collective of a set.  Starts are moved a
 * little, and chunks pass on the links that an all-to-all fills, or never pass: in these two the
 * engine turns with single cycles and rows, which no form of chunks has.  Of one collective alone
 * both are what the form has.  False as above. */
bool experiment_range(const experiment *e, const machine *m, const flow_parameters *p,
                      double low[EXPERIMENT_WORKS], double high[EXPERIMENT_WORKS]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * experiment.h -- a few collectives on a cluster, each started at a given cycle at all nodes
 *
 * As text: kind:bytes:dimensions@cycle, joined by + if there are several. Then follow the chunk
 * size, the memory's bandwidth and the members of each dimension, if they differ from the
 * cluster's:
 *
 *     all-reduce:1048576:xyz@0+all-to-all:65536:xy@500 chunk=16384 memory=128
 *     all-reduce:1048576:xv@0 of=8x1x1x1x1x4
 *
 * With other members, the experiment runs on a smaller cluster. It has only the dimensions with
 * more than one member, renumbered without gaps, with their links.
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
    uint16_t members[ACE_CLUSTER_DIMENSIONS]; /* of each dimension; all 0: the cluster's */
} experiment;

void experiment_print(const experiment *e, char to[EXPERIMENT_TEXT]);
/* Parses an experiment, and sorts its works by their starts. Returns false if the text is
 * malformed. */
bool experiment_parse(const char *text, experiment *e);
/* Makes the experiment's cluster. file: the cluster's file. A cluster too large for engines gets
 * only its fields and its configuration, and cannot run. Returns EXIT_OK, or another status after a
 * message. The caller calls machine_free() in either case. */
int experiment_setup(const experiment *e, const char *file, const char *rung, setup *s);
/* Runs the experiment on the setup's rungs. Sets the cycles from the start of each work to its end
 * at the last node. Returns EXIT_OK, or another status after a message. */
int experiment_run(const experiment *e, const machine *m, const execution *how,
                   uint64_t cycles[EXPERIMENT_WORKS]);
/* Sets the same from the form, at one node that stands for all. Returns false when there is no
 * memory, or when the form does not cover the experiment. */
bool experiment_model(const experiment *e, const machine *m, const flow_parameters *p,
                      double cycles[EXPERIMENT_WORKS]);
/* Sets the least and the most cycles that the form gives for each collective. Starts are moved a
 * little, and chunks always pass, or never pass, on links that an all-to-all fills. In the engine a
 * few cycles and rows decide both, which a form of chunks does not have. For a single collective
 * the form's own time is used for both. Returns false as above. */
bool experiment_range(const experiment *e, const machine *m, const flow_parameters *p,
                      double low[EXPERIMENT_WORKS], double high[EXPERIMENT_WORKS]);

#endif

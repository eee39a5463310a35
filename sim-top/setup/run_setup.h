/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_setup.h -- a run, ready to be made: its fields, and what their texts say, read once
 *
 *     run_setup_make(&o, &s)          everything that can be wrong with a run before it begins is
 *                                     told here
 *     fabric_create(&s, ...)          whoever runs it reads no text
 *     run_setup_free(&s)
 */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include <stdint.h>

#include "ace_node.h"
#include "faults.h"
#include "node_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct calibration; /* calibration_file.h */
struct link_graph;  /* link_graph.h */

typedef struct run_setup {
    run_fields fields;
    ace_config config;   /* that all nodes share (rank 0), with the words of the algorithms */
    node_plan plan;      /* each node's rung and speed */
    faults faults;       /* none where none are asked for */
    ace_command command; /* of a collective */
    struct calibration *calibration; /* of the rung calibrated; else NULL */
    struct link_graph *graph;        /* of a dimension's links; else NULL */
    uint64_t *counts;                /* of its all-to-all-v, members x members; else NULL */
} run_setup;

/* GB/s, one way, of all links of the NPU that has most in the dimension whose links a file lists.  EXIT_OK, or
 * another status after a message about the file. */
int run_setup_links_GBps(const run_fields *o, double *GBps);
/* The same of one member of that dimension. */
double run_setup_member_GBps(const run_setup *s, unsigned rank);
/* EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message; freed in either case. */
int run_setup_make(const run_fields *o, run_setup *s);
void run_setup_free(run_setup *s);
/* Where a file of links says no order, its nodes are numbered round the ring that was found
 * through them: which NPU of the run stands at each node, of as many as there are.  False: NPU i
 * stands at node i. */
bool run_setup_moved(const run_setup *s, unsigned *npu_of);
/* Of NPUs that may do different things: EXIT_OK, or EXIT_USAGE after a message where they are to agree on an
 * order, which is of one sequence of commands. */
int run_setup_refuse_agreed(const run_setup *s);
/* The same run, plainly: with what costs no cycles (payload, waveform, checkpoints) left out, and
 * with its faults or without.  It borrows from s and is not freed. */
run_setup run_setup_plain(const run_setup *s, bool with_faults);
/* The collective that the options ask for, but for the counts of an all-to-all-v. */
ace_command collective_command(const run_fields *o);

#ifdef __cplusplus
}
#endif

#endif

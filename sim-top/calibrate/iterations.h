/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iterations.h -- compares training iterations on the calibrated node and on the exact one
 *
 * An iteration differs from every experiment of the design: it has dozens of collectives, submitted
 * as layers are computed, and a delay of one delays the following ones.
 */
#ifndef ITERATIONS_H
#define ITERATIONS_H

#include "calibrate_order.h"

enum { ITERATIONS_MOST = 16 };

/* Two runs of a workload's iteration, in cycles. */
typedef struct iteration_check {
    const char *name, *file; /* the workload as the user wrote it, and its file */
    double measured, predicted;
} iteration_check;

/* Runs each workload on the order's cluster and rung, and with a calibration file. Both are points
 * of the order's database. run: executes arguments such as `run CLUSTER WORKLOAD`. Returns EXIT_OK,
 * or another status after a message. */
int iterations_run(const calibrate_order *o, const char *calibration,
                   int (*run)(int argc, char **argv), iteration_check *each, unsigned count);

#endif

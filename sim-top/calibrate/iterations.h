/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iterations.h -- iterations of training on the calibrated node, beside those on the exact one
 *
 * An iteration has what no experiment of the design has: dozens of collectives, handed over as
 * layers are computed, where what one is late by moves those behind it.
 */
#ifndef ITERATIONS_H
#define ITERATIONS_H

#include "calibrate_order.h"

enum { ITERATIONS_MOST = 16 };

/* Two iterations of a workload, in cycles of the whole. */
typedef struct iteration_check {
    const char *name, *file; /* of the workload, as it was written, and where that is */
    double measured, predicted;
} iteration_check;

/* Each of the workloads on the order's cluster and rung, and with the calibration of a file; as
 * points of the order's database.  run: of words such as `run CLUSTER WORKLOAD`.  EXIT_OK, or after
 * a message another status. */
int iterations_run(const calibrate_order *o, const char *calibration,
                   int (*run)(int argc, char **argv), iteration_check *each, unsigned count);

#endif

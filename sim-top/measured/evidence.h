/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence.h -- how far predictions of a machine were from runs that nothing was fitted to, and
 * what that says of another run
 *
 *     evidence e;
 *     rc = evidence_find("measured/evidence/h100.csv", &model, &strategy, &e);
 *
 * The file is CSV with a head (csv_file.h); scripts/machine-evidence.py makes it with acesim train:
 *
 *   gpus tp pp cp dp                degrees
 *   parameters_billion              of the model
 *   tokens                          of a micro-batch: sequences times their tokens
 *   measured_ms predicted_ms        of an iteration
 *   of                              where the run was published
 *
 * The distance of two runs is the root of the sum of squares of five binary logarithms: of the
 * ratios of NPUs, parameters, tokens of a micro-batch, degrees of tensor and pipeline parallelism.
 * Looked at are the nearest EVIDENCE_RUNS whose distance is below EVIDENCE_FAR.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { EVIDENCE_RUNS = 5, EVIDENCE_FAR = 4 };

typedef struct evidence {
    unsigned known, near; /* runs of the file, and runs that were used */
    double mean, worst;   /* of |predicted / measured - 1| of these; NAN: there are none */
    double distance[EVIDENCE_RUNS]; /* ascending */
} evidence;

/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory. */
int evidence_find(const char *file, const training_model *m, const strategy *s, evidence *e);

#ifdef __cplusplus
}
#endif

#endif

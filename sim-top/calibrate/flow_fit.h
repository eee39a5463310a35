/* SPDX-License-Identifier: Apache-2.0 */
/* flow_fit.h -- fits the form's parameters to the measured experiments */
#ifndef FLOW_FIT_H
#define FLOW_FIT_H

#include "experiment.h"

/* A measured experiment. */
typedef struct sample {
    experiment e;
    setup setup;
    double measured[EXPERIMENT_WORKS], predicted[EXPERIMENT_WORKS]; /* cycles */
    double low[EXPERIMENT_WORKS], high[EXPERIMENT_WORKS];           /* from experiment_range() */
} sample;

/* Returns |predicted / measured - 1| of a work. */
double sample_error(const sample *s, unsigned work);
/* Returns the target for the mean error: of a collective of 1 MiB and more, of a smaller one, or of
 * several at a time. The fit divides errors by it. */
double sample_aim(const experiment *e, unsigned work);
/* Sets predicted[] of all samples. Returns false when there is no memory. */
bool flow_predict(sample *s, unsigned count, const flow_parameters *p);
/* Sets low[] and high[] of all samples. Returns false when there is no memory. */
bool flow_range(sample *s, unsigned count, const flow_parameters *p);
/* Minimises the relative errors over their targets with damped Gauss-Newton steps (Levenberg,
 * Marquardt), beginning at *p. verbose: each round's number and error is printed on standard error.
 * Returns false when there is no memory. */
bool flow_fit(sample *s, unsigned count, flow_parameters *p, bool verbose);

#endif

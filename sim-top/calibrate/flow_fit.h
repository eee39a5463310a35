/* SPDX-License-Identifier: Apache-2.0 */
/* flow_fit.h -- the parameters of the form that lie nearest to what was measured */
#ifndef FLOW_FIT_H
#define FLOW_FIT_H

#include "experiment.h"

/* A measured experiment. */
typedef struct sample {
    experiment e;
    setup setup;
    double measured[EXPERIMENT_WORKS], predicted[EXPERIMENT_WORKS]; /* cycles */
    double low[EXPERIMENT_WORKS], high[EXPERIMENT_WORKS];           /* of experiment_range() */
} sample;

/* |predicted / measured - 1| of a work. */
double sample_error(const sample *s, unsigned work);
/* What is aimed at for the mean error: of one collective of 1 MiB and more, of a smaller one, of
 * several at a time.  The fit weighs an error by it. */
double sample_aim(const experiment *e, unsigned work);
/* Fills predicted[] of all.  False: no memory. */
bool flow_predict(sample *s, unsigned count, const flow_parameters *p);
/* Fills low[] and high[] of all.  False: no memory. */
bool flow_range(sample *s, unsigned count, const flow_parameters *p);
/* Gauss-Newton with damping (Levenberg, Marquardt) on the relative errors over their aims, from *p
 * on. told: each round's number and error goes to standard error.  False: no memory. */
bool flow_fit(sample *s, unsigned count, flow_parameters *p, bool told);

#endif

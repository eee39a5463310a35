/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_interval.h -- between which times a result of the calibrated node lies, and how often
 *
 * From the held-out collectives of the calibration's own fabric, alone or several at a time as the result
 * is.  Each has a residual |ln(measured / predicted)|; what to expect of it is half the mean of the
 * nearest in size of its kind and half that of all, itself left out.  Residuals over what was to be
 * expected of them are taken as of one distribution for all kinds and sizes.  Of n of these the limit
 * is the least that nine of ten new ones do not exceed with a confidence of nine in ten (a tolerance
 * limit: Wilks, Annals of Mathematical Statistics 12, 1941); below 22 there is none.  Collectives of
 * one experiment err together, so the worst of them stands for it; then the ceil(0.9 (n + 1))-th is
 * enough (split conformal prediction: Vovk, Gammerman and Shafer, 2005).  Times what is to be
 * expected of the result it is the interval's half width, in logarithms.
 */
#ifndef CALIBRATION_INTERVAL_H
#define CALIBRATION_INTERVAL_H

#include "calibration_file.h"

#define CALIBRATION_SHARE      0.9 /* of results that lie in their interval */
#define CALIBRATION_CONFIDENCE 0.9 /* that it is no smaller share */

typedef struct calibration_interval {
    double low, high; /* of the predicted time */
    unsigned count;   /* of held-out experiments that it stands on; 0: too few for the share */
} calibration_interval;

/* kind NULL: of an iteration, in which any kind and size goes beside others. */
calibration_interval calibration_interval_of(const calibration *c, const char *kind, double bytes,
                                             bool at_once);

#endif

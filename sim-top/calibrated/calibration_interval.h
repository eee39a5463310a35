/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_interval.h -- the interval that contains a calibrated result with a given frequency
 *
 * The interval comes from the held-out collectives of the calibration's own fabric. For each of
 * them the form gives a range. It is a single time for a collective that runs alone, and else the
 * least and the most time when starts move by a few cycles (experiment_range). The residual is the
 * distance of the measured time from that range, in logarithms. The half width of an interval is
 * the larger of two limits:
 *
 *   Pooled  The expected residual of a collective is the mean of two means: the residuals nearest
 *           in size of its kind, and all residuals.  The collective itself is left out.  The ratios
 *           of residuals to expected residuals are taken as one distribution.  For collectives that
 *           run alone, the limit is a tolerance limit: the least value that nine of ten new ratios
 *           do not exceed, with a confidence of nine in ten (Wilks, Annals of Mathematical
 *           Statistics 12, 1941).  Below 22 ratios there is none.  The errors of collectives in one
 *           experiment depend on each other, so only the worst one counts.  Then the ceil(0.9 (n +
 *           1))-th ratio suffices (split conformal prediction: Vovk, Gammerman and Shafer, 2005).
 *   Class   A class is a kind, a side of 1 MiB, and a number of collectives at a time.  Its limit
 *           is the ceil(0.9 (n + 1))-th residual of its n held-out collectives, or the largest. For
 *           small n that promises too much.  So the limit is at least that of an exponential
 *           distribution with the same mean, with a confidence of nineteen in twenty.  There are
 *           two dozen classes, and each must hold nine of ten results.  At a confidence of nine in
 *           ten, two or three classes would not.  For a class with fewer than 38 collectives, the
 *           limit is also at least that of all kinds on its side of 1 MiB with its number at a
 *           time.  Below 38, a tolerance limit of the class would be its largest residual, and
 *           below 22 there would be none.
 */
#ifndef CALIBRATION_INTERVAL_H
#define CALIBRATION_INTERVAL_H

#include "calibration_file.h"

#define CALIBRATION_SHARE      0.9       /* share of results that lie in their interval */
#define CALIBRATION_CONFIDENCE 0.9       /* confidence that the share is no smaller */
#define CALIBRATION_LARGE      1048576.0 /* bytes */
#define CALIBRATION_CLASS      38        /* held-out points a class needs to stand alone */
#define CALIBRATION_UNSURE \
    1.25 /* over the predicted time, or below it, a range is said to be unsure */

typedef struct calibration_interval {
    double low, high; /* factors on the least and the most predicted time */
    unsigned count;   /* number of held-out experiments used; 0: too few for the share */
} calibration_interval;

/* Returns the interval. works: collectives at a time. kind NULL: an iteration, in which collectives
 * of any kind and size run together. */
calibration_interval calibration_interval_of(const calibration *c, const char *kind, double bytes,
                                             unsigned works);
/* Returns whether the form's own range is wide, whatever the residuals are. */
bool calibration_unsure(const held_out *h);

#endif

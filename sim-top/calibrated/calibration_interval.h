/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_interval.h -- between which times a result of the calibrated node lies, and how often
 *
 * The interval comes from the held-out collectives of the calibration's own fabric.  For each the
 * form gives a range: one time where it is alone, and with others the least and the most of what a
 * few cycles turn (experiment_range).  Its residual is how far the measured time lies outside that
 * range, in logarithms.  The half width of an interval is the larger of two:
 *   Pooled  The residual to be expected of a collective is half the mean of the nearest in size of
 *           its kind and half the mean of all, the collective itself left out.  Residuals over what
 *           was to be expected are taken as of one distribution.  Alone, its limit is the least
 *           that nine of ten new ones do not exceed with a confidence of nine in ten (a tolerance
 *           limit: Wilks, Annals of Mathematical Statistics 12, 1941); below 22 there is none.
 *           Collectives of one experiment err together, so the worst of them stands for all; then
 *           the ceil(0.9 (n + 1))-th is enough (split conformal prediction: Vovk, Gammerman and
 *           Shafer, 2005).
 *   Class   A class is a kind, a side of 1 MiB, and a number at a time.  Its limit is the ceil(0.9
 *           (n + 1))-th residual of its n held-out collectives, or the largest.  Where n is small
 *           that promises too much.  So the limit is no less than the limit of an exponential
 *           distribution with the same mean, with a confidence of nineteen in twenty.  There are
 *           two dozen classes, and each is to have nine of ten: with nine in ten of confidence two
 *           or three would not.  A class with fewer than 38 also
 *           has no less than the limit of all kinds on its side of 1 MiB and of its number at a
 *           time.  Below 38 a tolerance limit of the class would be its largest residual, and below
 *           22 there would be none.
 */
#ifndef CALIBRATION_INTERVAL_H
#define CALIBRATION_INTERVAL_H

#include "calibration_file.h"

#define CALIBRATION_SHARE      0.9       /* of results that lie in their interval */
#define CALIBRATION_CONFIDENCE 0.9       /* that it is no smaller share */
#define CALIBRATION_LARGE      1048576.0 /* bytes */
#define CALIBRATION_CLASS      38        /* held-out points from which on a class stands alone */
#define CALIBRATION_UNSURE \
    1.25 /* over the predicted time, or below it, a range is said to be unsure */

typedef struct calibration_interval {
    double low, high; /* of the least predicted time, and of the most */
    unsigned count;   /* of held-out experiments that it stands on; 0: too few for the share */
} calibration_interval;

/* works: collectives at a time.  kind NULL: of an iteration, in which any kind, size and number
 * goes beside others. */
calibration_interval calibration_interval_of(const calibration *c, const char *kind, double bytes,
                                             unsigned works);
/* Does the form leave it open by how much, whatever the residuals are? */
bool calibration_unsure(const held_out *h);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.h -- a cluster measured on the exact node, and the form fitted to it
 *
 * Each experiment is a point of a campaign: run once, in a process of its own, and kept in a
 * database, so that a calibration that was stopped goes on where it was.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "calibrate_order.h"
#include "calibration_file.h"
#include "flow_fit.h"

/* Measures, fits and looks at the held-out grid.  EXIT_OK, or after a message another status;
 * calibration_free() in either case. */
int calibrate(const calibrate_order *o, calibration *c);
/* Another held-out grid, of the order's seed, in place of the calibration's, or what is given. */
int calibrate_check(const calibrate_order *o, calibration *c);
/* Is the file of this program, and its cluster the one that it says?  Then the cluster is
 * c->cluster_file.  EXIT_OK, or another status after a message. */
int calibrate_match(const char *file, calibration *c);

#endif

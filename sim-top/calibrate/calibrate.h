/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.h -- measures a cluster on the exact node, and fits the form's parameters
 *
 * Each experiment is a point of a campaign. It runs once, in a process of its own, and its result
 * is kept in a database. So a calibration that was stopped continues where it was.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "calibrate_order.h"
#include "calibration_file.h"
#include "flow_fit.h"

/* Measures, fits, and evaluates the held-out grid. Returns EXIT_OK, or another status after a
 * message. The caller calls calibration_free() in either case. */
int calibrate(const calibrate_order *o, calibration *c);
/* Replaces the held-out experiments by another grid with the order's seed, or by the given ones. */
int calibrate_check(const calibrate_order *o, calibration *c);
/* Checks that the calibration file was made by this program, and for the cluster text that it
 * contains. Sets c->cluster_file to the cluster. Returns EXIT_OK, or another status after a
 * message. */
int calibrate_match(const char *file, calibration *c);

#endif

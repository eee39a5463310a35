/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_points.h -- runs commands once, each in a process of its own, and keeps their results in
 * a database
 *
 *     sweep s;
 *     sweep_store *t = NULL;
 *     rc = points_create(o, digest, count, &s);       then points_arguments for each
 *     if (rc == EXIT_OK) rc = points_run(o, &s, run, &t);
 *     if (rc == EXIT_OK) rc = points_result(&s, t, i, "experiment ...", &result);
 *     sweep_store_close(t);
 *     sweep_free(&s);
 *
 * Points that the database already has are not run again. So a stopped calibration continues where
 * it was.
 */
#ifndef MEASURED_POINTS_H
#define MEASURED_POINTS_H

#include <cjson/cJSON.h>

#include "calibrate_order.h"
#include "sweep_file.h"

/* Makes `count` points without arguments. digest: of everything that results depend on, apart from
 * the arguments. Returns EXIT_OK, or EXIT_CHECK after a message. The caller calls sweep_free() in
 * either case. */
int points_create(const calibrate_order *o, uint64_t digest, unsigned count, sweep *s);
/* Sets a point's arguments, ended by NULL, and its key. Returns the same statuses. */
int points_arguments(sweep *s, unsigned point, const char *const *arguments, uint64_t key);
/* Runs the points that are not in the database. run: as in sweep_share. Returns EXIT_OK, or another
 * status after a message. The caller calls sweep_store_close() in either case. */
int points_run(const calibrate_order *o, const sweep *s, int (*run)(int argc, char **argv),
               sweep_store **t);
/* Parses what a point printed; the caller deletes the result. If the point failed, returns another
 * status than EXIT_OK and NULL, after a message that names the point as `what`. */
int points_result(const sweep *s, sweep_store *t, unsigned point, const char *what, cJSON **result);

#endif

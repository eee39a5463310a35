/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_points.h -- words that are run once, each in a process of its own, and kept in a
 * database
 *
 *     sweep s;
 *     sweep_store *t = NULL;
 *     rc = points_create(o, digest, count, &s);       then points_words for each
 *     if (rc == EXIT_OK) rc = points_run(o, &s, run, &t);
 *     if (rc == EXIT_OK) rc = points_result(&s, t, i, "experiment ...", &result);
 *     sweep_store_close(t);
 *     sweep_free(&s);
 *
 * What was stopped goes on where it was: what the database has is not run again.
 */
#ifndef MEASURED_POINTS_H
#define MEASURED_POINTS_H

#include <cjson/cJSON.h>

#include "calibrate_order.h"
#include "sweep_file.h"

/* So many points without words yet; digest: of all that their results depend on beside the words.
 * EXIT_OK, or EXIT_CHECK after a message; sweep_free in either case. */
int points_create(const calibrate_order *o, uint64_t digest, unsigned count, sweep *s);
/* The words of a point, ended by NULL, and what it is found by.  The same statuses. */
int points_words(sweep *s, unsigned point, const char *const *words, uint64_t key);
/* Runs those that are not there; run: as of sweep_share.  EXIT_OK, or after a message another
 * status; sweep_store_close in either case. */
int points_run(const calibrate_order *o, const sweep *s, int (*run)(int argc, char **argv),
               sweep_store **t);
/* What a point has printed, the caller's to delete.  Another status than EXIT_OK, and NULL: it did
 * not end well, as a message says that names it by `what`. */
int points_result(const sweep *s, sweep_store *t, unsigned point, const char *what, cJSON **result);

#endif

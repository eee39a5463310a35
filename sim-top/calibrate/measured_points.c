/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_points.c -- runs the points of a calibration and keeps their results, as a sweep does
 *
 * Points that failed in an earlier run are deleted first, so that they run again.
 */
#include "measured_points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "figures.h"
#include "message.h"

int points_create(const calibrate_order *o, uint64_t digest, unsigned count, sweep *s) {
    *s = (sweep){ .file = o->name, .name = "calibrate", .count = count };
    snprintf(s->program, sizeof s->program, "%016" PRIx64, digest);
    s->points = calloc(count, sizeof *s->points);
    return s->points ? EXIT_OK : message_no_memory();
}

int points_arguments(sweep *s, unsigned point, const char *const *arguments, uint64_t key) {
    sweep_point *p = &s->points[point];
    int count = 0;

    while (arguments[count]) count++;
    p->arguments = calloc((size_t)count + 1, sizeof *p->arguments);
    for (; p->arguments && p->count < count; p->count++) {
        p->arguments[p->count] = strdup(arguments[p->count]);
        if (!p->arguments[p->count]) return message_no_memory();
    }
    snprintf(p->key, sizeof p->key, "%016" PRIx64, key);
    return p->arguments ? EXIT_OK : message_no_memory();
}

int points_run(const calibrate_order *o, const sweep *s, int (*run)(int argc, char **argv),
               sweep_store **t) {
    const sweep_share share = {
        .jobs = o->jobs, .shards = 1, .ranks = 1, .quiet = o->quiet, .run = run
    };
    unsigned ran = 0;
    int rc = sweep_store_open(o->database, s, t);

    if (rc == EXIT_OK && !sweep_forget_failures(*t)) rc = EXIT_CHECK;
    if (rc == EXIT_OK) rc = sweep_work(s, *t, &share, &ran);
    return rc;
}

int points_result(const sweep *s, sweep_store *t, unsigned point, const char *what,
                  cJSON **result) {
    sweep_row row;

    *result = NULL;
    if (!sweep_look(t, point, &row)) return EXIT_CHECK;
    if (row.result && !strcmp(row.state, "done")) *result = json_parse(row.result, NULL, false);
    if (*result) return EXIT_OK;
    fprintf(stderr, "acesim calibrate: %s: %s: %s\n", s->file, what,
            row.message ? row.message : row.state);
    return row.exit_status == EXIT_USAGE ? EXIT_USAGE : EXIT_CHECK;
}

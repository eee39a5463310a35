/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iterations.c -- runs each workload twice, exact and calibrated, and takes the cycles
 *
 * Both are points of the calibration's database, under a digest of the program, the cluster, the
 * calibration and the workload.
 */
#include "iterations.h"

#include <stdio.h>
#include <string.h>

#include "calibration_file.h"
#include "digest.h"
#include "exit_status.h"
#include "experiment.h"
#include "measured_points.h"
#include "program_digest.h"
#include "setup_fields.h"
#include "workload_read.h"

enum { OPTION = 4200 };

/* Digests the program, the cluster, its NPUs, and the calibration. */
static int digest_all(const calibrate_order *o, const char *calibration, setup *s, uint64_t *hash) {
    const experiment none = { 0 };
    const int rc = experiment_setup(&none, o->cluster, o->rung, s);

    if (rc != EXIT_OK) return rc;
    if (!program_digest(hash)) return EXIT_CHECK;
    const uint64_t fields = setup_digest(s);
    *hash = fnv1a(*hash, &fields, sizeof fields);
    if (digest_file(calibration, hash)) return EXIT_OK;
    fprintf(stderr, "acesim calibrate: %s: cannot be read\n", calibration);
    return EXIT_CHECK;
}

/* Makes the two points of a workload: on the exact rung, and on the calibrated one. */
static int put_points(const calibrate_order *o, const char *calibration, const cluster *c,
                      const char *file, uint64_t digest, sweep *points, unsigned at) {
    char rung[32], fitted[OPTION];
    workload w;
    int rc = workload_read(file, &c->npu, c->clock_MHz, &w);

    snprintf(rung, sizeof rung, "--rung=%s", o->rung);
    snprintf(fitted, sizeof fitted, "--calibration=%s", calibration);
    const char *const exact[] = { "run", o->cluster, file, "--iterations=2", rung, NULL };
    const char *const form[] = { "run",  o->cluster, file, "--iterations=2", "--rung=calibrated",
                                 fitted, NULL };
    if (rc == EXIT_OK) {
        const uint64_t of = workload_digest(&w);
        const uint64_t key = fnv1a(digest, &of, sizeof of);

        rc = points_arguments(points, at, exact, fnv1a(key, rung, strlen(rung)));
        if (rc == EXIT_OK) rc = points_arguments(points, at + 1, form, fnv1a(key, "form", 4));
    }
    workload_free(&w);
    return rc;
}

static int take_cycles(const sweep *points, sweep_store *t, unsigned at, const char *what,
                       double *cycles) {
    cJSON *result;
    const int rc = points_result(points, t, at, what, &result);
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(result, "cycles");

    *cycles = found ? found->valuedouble : 0;
    cJSON_Delete(result);
    return rc != EXIT_OK || *cycles > 0 ? rc : EXIT_CHECK;
}

int iterations_run(const calibrate_order *o, const char *calibration,
                   int (*run)(int argc, char **argv), iteration_check *each, unsigned count) {
    uint64_t digest = FNV1A_START;
    sweep_store *t = NULL;
    sweep points = { 0 };
    setup s;
    int rc = digest_all(o, calibration, &s, &digest);

    if (rc == EXIT_OK) rc = points_create(o, digest, 2 * count, &points);
    for (unsigned i = 0; i < count && rc == EXIT_OK; i++)
        rc = put_points(o, calibration, &s.machine.cluster, each[i].file, digest, &points, 2 * i);
    if (rc == EXIT_OK) rc = points_run(o, &points, run, &t);
    for (unsigned i = 0; i < count && rc == EXIT_OK; i++) {
        rc = take_cycles(&points, t, 2 * i, each[i].name, &each[i].measured);
        if (rc == EXIT_OK)
            rc = take_cycles(&points, t, 2 * i + 1, each[i].name, &each[i].predicted);
    }
    sweep_store_close(t);
    sweep_free(&points);
    machine_free(&s.machine);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.c -- runs the experiments as points of a campaign and fits their times
 *
 * The order is: measure the designed experiments, compare some with the RTL, fit the parameters,
 * then measure experiments that were not fitted. The results of each point stay in the database,
 * under a digest of the program and the cluster.
 */
#include "calibrate.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "calibration_design.h"
#include "cluster_file.h"
#include "digest.h"
#include "exit_status.h"
#include "measured_points.h"
#include "message.h"
#include "node_plan.h"
#include "operations.h"
#include "program_digest.h"
#include "setup_fields.h"

enum { WORDS = 4 }; /* arguments of a point: experiment CLUSTER TEXT RUNG */

/* ---- a point ----------------------------------------------------------------------------- */

/* Runs in a process of its own. argv has the point's arguments, and a format option that is always
 * JSON. */
static int run_point(int argc, char **argv) {
    uint64_t cycles[EXPERIMENT_WORKS], last = 0;
    experiment e;
    setup s;

    if (argc < WORDS || !experiment_parse(argv[2], &e)) return EXIT_USAGE;
    int rc = experiment_setup(&e, argv[1], argv[3], &s);
    if (rc == EXIT_OK) rc = experiment_run(&e, &s.machine, &s.execution, cycles);
    machine_free(&s.machine);
    if (rc != EXIT_OK) return rc;
    printf("{\"of_each\": [");
    for (unsigned i = 0; i < e.works; i++) {
        const uint64_t end = e.work[i].start + cycles[i];

        if (end > last) last = end;
        printf("%s%" PRIu64, i ? ", " : "", cycles[i]);
    }
    printf("], \"cycles\": %" PRIu64 "}\n", last);
    return EXIT_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

static int make_points(const calibrate_order *o, const char *rung, uint64_t digest,
                       const experiment *e, unsigned count, sweep *s) {
    int rc = points_create(o, digest, count, s);

    for (unsigned i = 0; i < count && rc == EXIT_OK; i++) {
        char text[EXPERIMENT_TEXT];
        const char *const arguments[] = { "experiment", o->cluster, text, rung, NULL };

        experiment_print(&e[i], text);
        const uint64_t hash = fnv1a(digest, text, strlen(text) + 1);
        rc = points_arguments(s, i, arguments, fnv1a(hash, rung, strlen(rung) + 1));
    }
    return rc;
}

static int take_result(const sweep *points, sweep_store *t, unsigned i, sample *s) {
    char what[EXPERIMENT_TEXT + 40];
    cJSON *root;

    snprintf(what, sizeof what, "experiment %s on the rung %s", points->points[i].arguments[2],
             points->points[i].arguments[3]);
    const int rc = points_result(points, t, i, what, &root);
    const cJSON *each = cJSON_GetObjectItemCaseSensitive(root, "of_each");
    const bool good = each && cJSON_GetArraySize(each) == (int)s->e.works;

    for (unsigned w = 0; good && w < s->e.works; w++)
        s->measured[w] = cJSON_GetArrayItem(each, (int)w)->valuedouble;
    cJSON_Delete(root);
    return rc != EXIT_OK || good ? rc : EXIT_CHECK;
}

/* Runs the points that are not in the database, and reads all into s[].measured. */
static int measure(const calibrate_order *o, const char *rung, uint64_t digest, const experiment *e,
                   unsigned count, sample *s) {
    sweep_store *t = NULL;
    sweep points;
    int rc = make_points(o, rung, digest, e, count, &points), ended;

    if (rc == EXIT_OK) rc = points_run(o, &points, run_point, &t);
    ended = rc;
    /* points_result() reports each failure */
    for (unsigned i = 0; ended == EXIT_OK && i < count; i++) {
        s[i].e = e[i];
        const int one = take_result(&points, t, i, &s[i]);
        if (rc == EXIT_OK) rc = one;
    }
    sweep_store_close(t);
    sweep_free(&points);
    return rc;
}

/* Makes the experiments' setups, which the form needs. */
static int make_setups(const calibrate_order *o, sample *s, unsigned count) {
    int rc = EXIT_OK;

    for (unsigned i = 0; i < count && rc == EXIT_OK; i++)
        rc = experiment_setup(&s[i].e, o->cluster, "cycle", &s[i].setup);
    return rc;
}

static void free_samples(sample *s, unsigned count) {
    for (unsigned i = 0; s && i < count; i++) machine_free(&s[i].setup.machine);
    free(s);
}

/* ---- what it is of ----------------------------------------------------------------------- */

static int digests(const char *cluster, setup *s, char of_cluster[CALIBRATION_DIGEST],
                   char of_program[CALIBRATION_DIGEST], uint64_t *both) {
    const experiment none = { 0 };
    uint64_t program = FNV1A_START;
    int rc = experiment_setup(&none, cluster, "cycle", s);

    if (rc != EXIT_OK) return rc;
    if (!program_digest(&program)) return EXIT_CHECK;
    const uint64_t digest = setup_cluster_digest(s);
    snprintf(of_cluster, CALIBRATION_DIGEST, "%016" PRIx64, digest);
    snprintf(of_program, CALIBRATION_DIGEST, "%016" PRIx64, program);
    *both = fnv1a(program, &digest, sizeof digest);
    return EXIT_OK;
}

static int other(const char *file, const char *what, const char *found, const char *expected) {
    fprintf(stderr,
            "acesim calibrate: %s: found a calibration of %s %s, expected one of %s, which acesim "
            "calibrate makes anew\n",
            file, what, found, expected);
    return EXIT_USAGE;
}

int calibrate_match(const char *file, calibration *c) {
    char cluster[CALIBRATION_DIGEST], program[CALIBRATION_DIGEST];
    uint64_t both;
    setup s;
    int rc = calibration_cluster(c);

    if (rc != EXIT_OK) return rc;
    rc = digests(c->cluster_file, &s, cluster, program, &both);
    machine_free(&s.machine);
    if (rc != EXIT_OK) return rc;
    if (strcmp(program, c->program)) return other(file, "program", c->program, program);
    if (strcmp(cluster, c->cluster_digest))
        return other(file, "a cluster", c->cluster_digest, cluster);
    return EXIT_OK;
}

/* ---- calibrating ------------------------------------------------------------------------- */

/* Returns whether the experiment can run on the rung rtl. The program's RTL may have too small
 * buffers: those for a long link's round trip are larger. */
static bool has_rtl(const calibrate_order *o, const experiment *e) {
    setup s;
    const bool has =
        experiment_setup(e, o->cluster, "cycle", &s) == EXIT_OK && node_plan_has_rtl(&s.machine);

    machine_free(&s.machine);
    return has;
}

/* Runs a few experiments on the rung rtl, too. Both rungs must agree to the cycle. */
static int compare_rtl(const calibrate_order *o, uint64_t digest, const sample *s, unsigned count,
                       double *compared) {
    enum { MOST = 12 };
    experiment e[MOST];
    double cycles[MOST][EXPERIMENT_WORKS];
    sample again[MOST] = { 0 };
    unsigned n = 0, small = 0, seen = 0;

    if (count && !has_rtl(o, &s[0].e)) {
        if (!o->quiet)
            fprintf(stderr,
                    "no experiment is compared with the rung rtl: no RTL has the buffers of these "
                    "links\n");
        return EXIT_OK;
    }
    for (unsigned i = 0; i < count; i++) small += design_for_rtl(&s[i].e);
    for (unsigned i = 0; i < count && n < MOST; i++) {
        if (!design_for_rtl(&s[i].e) || seen++ % (small / MOST + 1)) continue;
        e[n] = s[i].e;
        memcpy(cycles[n++], s[i].measured, sizeof *cycles);
    }
    const int rc = measure(o, strcmp(o->rung, "rtl") ? "rtl" : "cycle", digest, e, n, again);
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < n; i++)
        for (unsigned w = 0; w < e[i].works; w++)
            if (again[i].measured[w] != cycles[i][w]) {
                char text[EXPERIMENT_TEXT];

                experiment_print(&e[i], text);
                fprintf(
                    stderr,
                    "acesim calibrate: experiment %s: the rungs cycle and rtl took %.0f and %.0f "
                    "cycles, expected the same: acesim rtl lockstep finds where they part\n",
                    text, again[i].measured[w], cycles[i][w]);
                return EXIT_CHECK;
            }
    *compared = n;
    return EXIT_OK;
}

static int keep_held_out(calibration *c, const sample *s, unsigned count) {
    calibration_forget(c);
    for (unsigned i = 0; i < count; i++)
        for (unsigned w = 0; w < s[i].e.works; w++) {
            held_out h = { .works = s[i].e.works,
                           .work = w,
                           .bytes = (double)s[i].e.work[w].bytes,
                           .measured = s[i].measured[w],
                           .predicted = s[i].predicted[w],
                           .low = s[i].low[w],
                           .high = s[i].high[w] };

            experiment_print(&s[i].e, h.text);
            snprintf(h.kind, sizeof h.kind, "%s", kind_names[s[i].e.work[w].kind]);
            if (!calibration_hold(c, &h)) return message_no_memory();
        }
    return EXIT_OK;
}

/* Measures and predicts experiments that were not fitted, and stores both in c. */
static int evaluate(const calibrate_order *o, uint64_t digest, const experiment *e, unsigned count,
                    calibration *c) {
    sample *s = calloc(count, sizeof *s);
    int rc = e && s ? measure(o, o->rung, digest, e, count, s) : message_no_memory();

    if (rc == EXIT_OK) rc = make_setups(o, s, count);
    if (rc == EXIT_OK && !(flow_predict(s, count, &c->flow) && flow_range(s, count, &c->flow)))
        rc = message_no_memory();
    if (rc == EXIT_OK) rc = keep_held_out(c, s, count);
    free_samples(s, count);
    return rc;
}

static int evaluate_held_out(const calibrate_order *o, uint64_t digest, const designs *d,
                             calibration *c) {
    experiment *e = design_held_out(d, o->seed, o->held_out);
    const int rc = evaluate(o, digest, e, o->held_out, c);

    c->seed = (double)o->seed;
    free(e);
    return rc;
}

static int fit(const calibrate_order *o, uint64_t digest, const designs *d, calibration *c) {
    unsigned count = 0;
    experiment *e = design_fit(d, &count);
    sample *s = e ? calloc(count, sizeof *s) : NULL;
    int rc = s ? measure(o, o->rung, digest, e, count, s) : message_no_memory();

    if (rc == EXIT_OK) rc = compare_rtl(o, digest, s, count, &c->rtl_points);
    if (rc == EXIT_OK) rc = make_setups(o, s, count);
    c->flow = flow_parameters_initial();
    if (rc == EXIT_OK && !flow_fit(s, count, &c->flow, !o->quiet)) rc = message_no_memory();
    c->points = count;
    free_samples(s, count);
    free(e);
    return rc;
}

/* For a cluster too large for engines, records how many dimensions and members were measured
 * together. */
static void record_measured(const cluster *of, const designs *d, calibration *c) {
    c->dimensions = cluster_dimensions(of);
    if (cluster_of_engines(of)) return;
    for (unsigned i = 0; i < d->fitted_count + d->held_out_count; i++) {
        const design *h = i < d->fitted_count ? &d->fitted[i] : &d->held_out[i - d->fitted_count];

        if (h->live_count > c->beyond.dimensions) c->beyond.dimensions = h->live_count;
        for (unsigned k = 0; k < ACE_CLUSTER_DIMENSIONS; k++)
            if (h->members[k] > c->beyond.members[k]) c->beyond.members[k] = h->members[k];
    }
}

/* Stores the text of the cluster's file, with the values of its NPUs inserted. */
static int take_text(const setup *o, calibration *c) {
    size_t bytes;
    FILE *to = open_memstream(&c->cluster_text, &bytes);
    int rc = to ? cluster_write(o, to) : message_no_memory();

    if (to && fclose(to)) rc = message_no_memory();
    return rc;
}

int calibrate(const calibrate_order *o, calibration *c) {
    uint64_t digest = 0;
    setup s;

    *c = (calibration){ .at_once = EXPERIMENT_WORKS };
    int rc = digests(o->cluster, &s, c->cluster_digest, c->program, &digest);
    const designs d = rc == EXIT_OK ? designs_of(&s.machine, o->quick) : (designs){ 0 };
    const design *all = &d.fitted[0]; /* the ranges are the same in all */
    if (rc == EXIT_OK) rc = take_text(&s, c);
    if (rc == EXIT_OK) record_measured(&s.machine.cluster, &d, c);
    machine_free(&s.machine);
    if (rc == EXIT_OK && !all->live_count) {
        fprintf(stderr, "%s: found one node, expected a cluster of several\n", o->cluster);
        rc = EXIT_USAGE;
    }
    snprintf(c->cluster, sizeof c->cluster, "%s", o->cluster);
    snprintf(c->rtl, sizeof c->rtl, "%.16s", build_rtl);
    snprintf(c->rung, sizeof c->rung, "%s", o->rung);
    for (unsigned i = 0; i < 2; i++) {
        c->bytes[i] = (double)all->bytes[i];
        c->chunk_bytes[i] = (double)all->chunk[i];
        c->memory_GBps[i] = all->memory[i];
    }
    if (rc == EXIT_OK) rc = fit(o, digest, &d, c);
    return rc == EXIT_OK ? evaluate_held_out(o, digest, &d, c) : rc;
}

static bool is_live(const designs *d, uint8_t dimension) {
    for (unsigned i = 0; i < d->fitted_count; i++)
        if (memchr(d->fitted[i].live, dimension, d->fitted[i].live_count)) return true;
    return false;
}

/* Checks that an experiment is within the calibration's range. Returns EXIT_USAGE after a message
 * otherwise. */
static int covered(const experiment *e, const designs *d, const calibration *c) {
    bool good = (e->members[0] || !c->beyond.dimensions) &&
                (!e->chunk ||
                 (c->chunk_bytes[0] <= (double)e->chunk && (double)e->chunk <= c->chunk_bytes[1]));
    char text[EXPERIMENT_TEXT];

    good = good && (!(e->memory_GBps > 0) ||
                    (c->memory_GBps[0] <= e->memory_GBps && e->memory_GBps <= c->memory_GBps[1]));
    for (unsigned i = 0; i < e->works; i++) {
        const experiment_work *w = &e->work[i];

        good = good && w->kind <= ACE_ALL_TO_ALL && c->bytes[0] <= (double)w->bytes &&
               (double)w->bytes <= c->bytes[1];
        for (unsigned k = 0; k < w->dim_count; k++)
            good = good && is_live(d, w->dims[k]) && (!e->members[0] || e->members[w->dims[k]] > 1);
    }
    if (good) return EXIT_OK;
    experiment_print(e, text);
    fprintf(stderr,
            "acesim calibrate: --experiment: found %s, expected all-reduces, reduce-scatters, "
            "all-gathers or all-to-alls of %.0f to %.0f bytes over dimensions of the cluster (%s), "
            "chunks "
            "of %.0f to %.0f bytes and memories of %g to %g GB/s, which were measured\n",
            text, c->bytes[0], c->bytes[1],
            c->beyond.dimensions ? "with members of engines, of=" : "or of=", c->chunk_bytes[0],
            c->chunk_bytes[1], c->memory_GBps[0], c->memory_GBps[1]);
    return EXIT_USAGE;
}

int calibrate_check(const calibrate_order *o, calibration *c) {
    char cluster[CALIBRATION_DIGEST], program[CALIBRATION_DIGEST];
    uint64_t digest = 0;
    setup s;
    int rc = digests(o->cluster, &s, cluster, program, &digest);
    const designs d = rc == EXIT_OK ? designs_of(&s.machine, o->quick) : (designs){ 0 };

    machine_free(&s.machine);
    for (unsigned i = 0; i < o->given_count && rc == EXIT_OK; i++)
        rc = covered(&o->given[i], &d, c);
    if (rc != EXIT_OK) return rc;
    return o->given ? evaluate(o, digest, o->given, o->given_count, c)
                    : evaluate_held_out(o, digest, &d, c);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* export.c -- fits other simulators' forms; export_files.c writes the files */
#include "export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "experiment.h"
#include "message.h"
#include "simplex.h"
#include "values.h"

#define MIB 1048576.0

const char *const export_names[] = { "astra-sim-2", "astra-sim-1", "loggops", "csv", NULL };
const ace_kind export_kinds[EXPORT_KINDS] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                              ACE_ALL_TO_ALL };

bool export_has(ace_kind kind) {
    for (unsigned k = 0; k < EXPORT_KINDS; k++)
        if (export_kinds[k] == kind) return true;
    return false;
}

/* ---- the calibrated node's times --------------------------------------------------------- */

static int time_of(const export_fit *e, const machine *m, export_point *p) {
    experiment x = { .works = 1 };
    double cycles[EXPERIMENT_WORKS] = { 0 };

    x.work[0] = (experiment_work){ .kind = p->kind, .bytes = (uint64_t)p->bytes };
    for (uint8_t d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (m->config.ring[d] > 1) x.work[0].dims[x.work[0].dim_count++] = d;
    if (!experiment_model(&x, m, &e->of->flow, cycles)) return message_no_memory();
    p->ns = cycles[0] * 1e3 / m->cluster.clock_MHz;
    return EXIT_OK;
}

/* Takes powers of two from 64 KiB to the largest measured size. */
static int take_times(export_fit *e, const machine *m) {
    int rc = EXIT_OK;

    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        unsigned of_large = 0;

        for (double bytes = MIB / 16; bytes <= e->of->bytes[1] && rc == EXIT_OK; bytes *= 2) {
            export_point *p = &e->at[e->count++];

            *p = (export_point){ .kind = export_kinds[k], .bytes = bytes };
            if (bytes >= MIB) p->fitted = of_large++ % 3 == 0;
            rc = time_of(e, m, p);
        }
    }
    return rc;
}

/* ---- ASTRA-sim --------------------------------------------------------------------------- */

/* Sets the bandwidth that one message has in a dimension: an NPU's bandwidth there, but with a full
 * connection each link's. */
static void take_network(export_fit *e, const machine *m) {
    const cluster *c = &m->cluster;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const bool ring = c->wiring[d] == WIRING_RING;

        if (m->config.ring[d] < 2) continue;
        e->members *= m->config.ring[d];
        e->astra.dim[e->astra.dims++] = (astra_dimension){
            .members = m->config.ring[d],
            .hops = c->wiring[d] == WIRING_SWITCH ? 2 : 1,
            .ring = ring,
            .GBps = cluster_npu_GBps(c, d) * c->efficiency /
                    (c->wiring[d] == WIRING_DIRECT ? m->config.ring[d] - 1 : 1),
            .latency_ns = c->link_latency[d] * 1e3 / c->clock_MHz,
            .reduce = ring ? ASTRA_RING : ASTRA_DIRECT,
            .exchange = ring ? ASTRA_RING : ASTRA_DIRECT,
        };
    }
    e->dims = e->astra.dims;
}

/* The numbers that are fitted: share of the links' bandwidth, endpoint delay, and memory or 1.0's
 * limit. */
enum { SHARE, DELAY, MEMORY, NUMBERS };

static astra_form with(const export_fit *e, const double number[NUMBERS]) {
    astra_form f = e->astra;

    for (unsigned d = 0; d < f.dims; d++) {
        f.dim[d].GBps = e->astra.dim[d].GBps * number[SHARE] / 1.073741824;
        f.dim[d].hbm_GBps = f.first ? number[MEMORY] : 0;
    }
    f.endpoint_ns = (uint64_t)fmin(number[DELAY], 1e6);
    f.memory_GBps = f.first ? 0 : number[MEMORY];
    return f;
}

static double mean_error(const export_fit *e, const astra_form *f, ace_kind kind, bool fitted) {
    double sum = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < e->count; i++) {
        const export_point *p = &e->at[i];

        if (p->kind != kind || p->bytes < MIB || p->fitted != fitted) continue;
        sum += fabs(astra_form_ns(f, kind, p->bytes) / p->ns - 1);
        n++;
    }
    return n ? sum / n : 0;
}

static double error_of(void *self, const double number[]) {
    const export_fit *e = self;
    const astra_form f = with(e, number);

    return mean_error(e, &f, e->kind, true);
}

enum { ACTIVE = 4 /* 1, 2, 4, 8 */ };

static void fit_astra(export_fit *e) {
    const simplex_problem p = {
        .constants = NUMBERS, .rounds = 3, .steps = 60, .self = e, .error = error_of
    };
    double number[EXPORT_SPLITS][ACTIVE][NUMBERS], error[EXPORT_SPLITS][ACTIVE];
    double least = INFINITY, nearest = INFINITY;
    astra_form best = e->astra;

    for (unsigned s = 0; s < EXPORT_SPLITS; s++)
        for (unsigned a = 0; a < ACTIVE && a <= s; a++) {
            double *n = number[s][a];

            n[SHARE] = 1.0 / (1u << a);
            n[DELAY] = 10;
            n[MEMORY] = 1000;
            e->astra.splits = 1u << s;
            e->astra.active = 1u << a;
            simplex_minimise(&p, n);
            error[s][a] = error_of(e, n);
            least = fmin(least, error[s][a]);
        }
    /* Many sets fit equally well. Take the set whose links are nearest to the real links. */
    for (unsigned s = 0; s < EXPORT_SPLITS; s++)
        for (unsigned a = 0; a < ACTIVE && a <= s; a++) {
            const double away = fabs(log(number[s][a][SHARE] * (1u << a)));

            if (error[s][a] > least + 0.005 || away >= nearest) continue;
            nearest = away;
            e->astra.splits = 1u << s;
            e->astra.active = 1u << a;
            best = with(e, number[s][a]);
            e->share = number[s][a][SHARE] * (1u << a);
        }
    e->astra = best;
    for (unsigned i = 0; i < EXPORT_SPLITS; i++) {
        astra_form f = best;

        f.splits = 1u << i;
        e->of_splits[i] = mean_error(e, &f, e->kind, false);
    }
    /* All-to-alls on rings: passed on from member to member, or sent to each member directly. */
    astra_form direct = best;
    for (unsigned d = 0; d < direct.dims; d++) direct.dim[d].exchange = ASTRA_DIRECT;
    if (mean_error(e, &direct, ACE_ALL_TO_ALL, true) < mean_error(e, &best, ACE_ALL_TO_ALL, true))
        e->astra = direct;
    for (unsigned i = 0; i < e->count; i++)
        e->at[i].form_ns = astra_form_ns(&e->astra, e->at[i].kind, e->at[i].bytes);
}

/* ---- LogGOPS ----------------------------------------------------------------------------- */

/* A ring over all members: each sends after it has received. All-to-all: each sends to all others
 * at once. */
static double loggops_ns(const loggops *l, ace_kind kind, unsigned members, double bytes) {
    const double n = members, wire = (bytes / n - 1) * l->G;

    if (kind == ACE_ALL_TO_ALL) return 2 * l->o + l->L + wire + (n - 2) * (fmax(l->g, l->o) + wire);
    return (kind == ACE_ALL_REDUCE ? 2 : 1) * (n - 1) * (2 * l->o + l->L + wire);
}

/* Fits a line through the fitted sizes, by least squares of relative errors, and converts its two
 * numbers to LogGOPS. Collectives do not determine how the time of 0 bytes is divided among L, o
 * and g. L is the links' mean latency, if the time is that long. */
static loggops fit_loggops(const export_fit *e, ace_kind kind) {
    const double n = e->members, steps = (kind == ACE_ALL_REDUCE ? 2 : 1) * (n - 1);
    double one = 0, x = 0, xx = 0, y = 0, xy = 0, latency = 0;

    for (unsigned i = 0; i < e->count; i++) {
        const export_point *p = &e->at[i];
        const double weight = 1 / (p->ns * p->ns), wire = steps * (p->bytes / n - 1);

        if (p->kind != kind || !p->fitted) continue;
        one += weight;
        x += weight * wire;
        xx += weight * wire * wire;
        y += weight * p->ns;
        xy += weight * wire * p->ns;
    }
    const double of = one * xx - x * x;
    const double still = fmax(0, (y * xx - x * xy) / of);
    for (unsigned d = 0; d < e->astra.dims; d++)
        latency += e->astra.dim[d].hops * e->astra.dim[d].latency_ns / e->astra.dims;
    const double each = kind == ACE_ALL_TO_ALL ? still : still / steps, L = fmin(latency, each);

    return (loggops){ .L = L,
                      .o = kind == ACE_ALL_TO_ALL ? 0 : (each - L) / 2,
                      .g = kind == ACE_ALL_TO_ALL ? (still - L) / (n - 2) : 0,
                      .G = (one * xy - x * y) / of,
                      .S = INT32_MAX };
}

/* LogGOPSim reads each number as an int, so a G below 1 ns needs a finer unit. The unit is 1 fs, or
 * a multiple of it that keeps L, o and g in 31 bits. */
static void fit_all_loggops(export_fit *e) {
    double longest = 0;

    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        const loggops *l = &e->logs[k];

        e->logs[k] = fit_loggops(e, export_kinds[k]);
        longest = fmax(longest, fmax(l->L, fmax(l->o, l->g)));
    }
    e->logs_ns = 1e-6;
    while (longest / e->logs_ns > INT32_MAX) e->logs_ns *= 10;
    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        loggops *l = &e->logs[k];

        l->L = round(l->L / e->logs_ns) * e->logs_ns;
        l->o = round(l->o / e->logs_ns) * e->logs_ns;
        l->g = round(l->g / e->logs_ns) * e->logs_ns;
        l->G = round(l->G / e->logs_ns) * e->logs_ns;
        for (unsigned i = 0; i < e->count; i++)
            if (e->at[i].kind == export_kinds[k])
                e->at[i].form_ns = loggops_ns(l, export_kinds[k], e->members, e->at[i].bytes);
    }
}

/* ---- a table ----------------------------------------------------------------------------- */

/* A reader of the table interpolates between two rows, evenly in the logarithms. So each row is
 * predicted from its two neighbours, which are twice as far apart as rows of the file. */
static void fit_table(export_fit *e) {
    for (unsigned i = 0; i < e->count; i++) {
        export_point *p = &e->at[i];

        p->fitted = !i || i + 1 == e->count || p[-1].kind != p->kind || p[1].kind != p->kind;
        p->form_ns = p->fitted ? p->ns : sqrt(p[-1].ns * p[1].ns);
    }
}

/* ---- all --------------------------------------------------------------------------------- */

int export_make(const calibration *c, const char *file, export_format format, ace_kind kind,
                export_fit *e) {
    const experiment none = { 0 };
    setup s;

    *e = (export_fit){ .format = format, .of = c, .file = file, .kind = kind, .members = 1 };
    int rc = experiment_setup(&none, c->cluster_file, "cycle", &s);
    if (rc == EXIT_OK) take_network(e, &s.machine);
    if (rc == EXIT_OK && e->members < 3 && format == EXPORT_LOGGOPS) {
        fprintf(stderr, "%s: found %u members, expected 3 or more for LogGOPS\n", file, e->members);
        rc = EXIT_USAGE;
    }
    if (rc == EXIT_OK) rc = take_times(e, &s.machine);
    machine_free(&s.machine);
    if (rc != EXIT_OK) return rc;
    e->astra.first = format == EXPORT_ASTRA_1;
    switch (format) {
    case EXPORT_LOGGOPS: fit_all_loggops(e); break;
    case EXPORT_CSV: fit_table(e); break;
    default: fit_astra(e);
    }
    return EXIT_OK;
}

/* ---- errors ------------------------------------------------------------------------------ */

static void add_group(cJSON *to, const export_fit *e, ace_kind kind, bool large) {
    double sum = 0, worst = 0, largest = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < e->count; i++) {
        const export_point *p = &e->at[i];
        const double error = fabs(p->form_ns / p->ns - 1);

        if (p->kind != kind || p->fitted || (p->bytes >= MIB) != large) continue;
        sum += error;
        worst = fmax(worst, error);
        largest = fmax(largest, p->bytes);
        n++;
    }
    if (!n) return;
    const expected_error own =
        calibration_error(e->of, kind_names[kind], large ? 64 * MIB : MIB / 4, false);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", kind_names[kind]);
    cJSON_AddStringToObject(o, "sizes", large ? "1 MiB and more" : "below 1 MiB");
    cJSON_AddNumberToObject(o, "count", n);
    cJSON_AddNumberToObject(o, "mean", sum / n);
    cJSON_AddNumberToObject(o, "worst", worst);
    cJSON_AddNumberToObject(o, "calibrated_node", own.mean);
    cJSON_AddItemToArray(to, o);
}

static void add_astra(cJSON *to, const export_fit *e) {
    cJSON *a = cJSON_AddObjectToObject(to, "parameters");
    cJSON *splits = cJSON_CreateArray();

    cJSON_AddNumberToObject(a, "preferred-dataset-splits", e->astra.splits);
    cJSON_AddNumberToObject(a, "active-chunks-per-dimension", e->astra.active);
    cJSON_AddNumberToObject(a, "endpoint-delay", (double)e->astra.endpoint_ns);
    if (e->astra.first)
        cJSON_AddNumberToObject(a, "hbm-bandwidth", e->astra.dim[0].hbm_GBps);
    else
        cJSON_AddNumberToObject(a, "local-mem-bw", e->astra.memory_GBps);
    cJSON_AddNumberToObject(a, "bandwidth over the links'", e->share);
    cJSON_AddItemToObject(to, "mean_error_with_splits", splits);
    for (unsigned i = 0; i < EXPORT_SPLITS; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddNumberToObject(o, "splits", 1u << i);
        cJSON_AddNumberToObject(o, "mean", e->of_splits[i]);
        cJSON_AddItemToArray(splits, o);
    }
}

static void add_loggops(cJSON *to, const export_fit *e) {
    cJSON *all = cJSON_AddObjectToObject(to, "parameters");

    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        cJSON *o = cJSON_AddObjectToObject(all, kind_names[export_kinds[k]]);

        cJSON_AddNumberToObject(o, "L", e->logs[k].L);
        cJSON_AddNumberToObject(o, "o", e->logs[k].o);
        cJSON_AddNumberToObject(o, "g", e->logs[k].g);
        cJSON_AddNumberToObject(o, "G", e->logs[k].G);
        cJSON_AddNumberToObject(o, "O", e->logs[k].O);
        cJSON_AddNumberToObject(o, "S", e->logs[k].S);
    }
}

cJSON *export_object(const export_fit *e) {
    cJSON *root = cJSON_CreateObject();

    cJSON_AddStringToObject(root, "format", export_names[e->format]);
    cJSON_AddStringToObject(root, "calibration", e->file);
    cJSON_AddStringToObject(root, "cluster", e->of->cluster);
    cJSON_AddStringToObject(root, "cluster_digest", e->of->cluster_digest);
    cJSON_AddStringToObject(root, "program", e->of->program);
    if (e->format == EXPORT_LOGGOPS) add_loggops(root, e);
    if (e->format <= EXPORT_ASTRA_1) {
        cJSON_AddStringToObject(root, "fitted_kind", kind_names[e->kind]);
        add_astra(root, e);
    }
    cJSON *groups = cJSON_AddArrayToObject(root, "groups");
    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        add_group(groups, e, export_kinds[k], true);
        add_group(groups, e, export_kinds[k], false);
    }
    cJSON *points = cJSON_AddArrayToObject(root, "points");
    for (unsigned i = 0; i < e->count; i++) {
        const export_point *p = &e->at[i];
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "kind", kind_names[p->kind]);
        cJSON_AddNumberToObject(o, "bytes", p->bytes);
        cJSON_AddNumberToObject(o, "calibrated_ns", p->ns);
        cJSON_AddNumberToObject(o, "form_ns", p->form_ns);
        cJSON_AddNumberToObject(o, "error", p->form_ns / p->ns - 1);
        cJSON_AddBoolToObject(o, "fitted", p->fitted);
        cJSON_AddItemToArray(points, o);
    }
    return root;
}

/* ---- for people -------------------------------------------------------------------------- */

static const cJSON *item(const cJSON *o, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

static void print_numbers(const cJSON *o, const char *indent) {
    const cJSON *v;

    cJSON_ArrayForEach(v, o) {
        if (cJSON_IsObject(v)) {
            printf("%s%s\n", indent, v->string);
            print_numbers(v, "    ");
        } else {
            printf("%s%-30s%.8g\n", indent, v->string, v->valuedouble);
        }
    }
}

void export_print(const cJSON *object) {
    const cJSON *o, *kind = item(object, "fitted_kind");

    printf("%s of %s, cluster %s", item(object, "format")->valuestring,
           item(object, "calibration")->valuestring, item(object, "cluster")->valuestring);
    printf(kind ? ", fitted to %s of 1 MiB and more\n" : "\n", kind ? kind->valuestring : "");
    print_numbers(item(object, "parameters"), "  ");
    if (item(object, "mean_error_with_splits")) {
        printf("mean error with other splits, all else as it is\n ");
        cJSON_ArrayForEach(o, item(object, "mean_error_with_splits")) printf(
            " %.0f: %.1f %%", item(o, "splits")->valuedouble, 100 * item(o, "mean")->valuedouble);
        printf("\n");
    }
    printf("\n%-34s %6s %8s %8s   %s\n", "what the form cannot express", "sizes", "mean", "worst",
           "the calibrated node's own");
    cJSON_ArrayForEach(o, item(object, "groups"))
        printf("%-15s %-18s %6.0f %6.2f %%%7.2f %%%9.2f %%\n", item(o, "kind")->valuestring,
               item(o, "sizes")->valuestring, item(o, "count")->valuedouble,
               100 * item(o, "mean")->valuedouble, 100 * item(o, "worst")->valuedouble,
               100 * item(o, "calibrated_node")->valuedouble);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* export_files.c -- writes an export as the files that its simulator reads */
#include <stdio.h>
#include <string.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "export.h"
#include "values.h"

enum { NAME = 4096 };

static void errors(FILE *to, const export_fit *e, const char *remark) {
    cJSON *object = export_object(e);
    const cJSON *o;

    fprintf(to, "%s%s of %s (cluster %s, %s; program %s), by acesim calibrate --export\n", remark,
            export_names[e->format], e->file, e->of->cluster, e->of->cluster_digest,
            e->of->program);
    fprintf(
        to,
        "%sError of this form beside the calibrated node, sizes that were not fitted: mean, worst\n",
        remark);
    cJSON_ArrayForEach(o, cJSON_GetObjectItemCaseSensitive(object, "groups"))
        fprintf(to, "%s  %s, %s: %.2f %%, %.2f %%\n", remark,
                cJSON_GetObjectItemCaseSensitive(o, "kind")->valuestring,
                cJSON_GetObjectItemCaseSensitive(o, "sizes")->valuestring,
                100 * cJSON_GetObjectItemCaseSensitive(o, "mean")->valuedouble,
                100 * cJSON_GetObjectItemCaseSensitive(o, "worst")->valuedouble);
    cJSON_Delete(object);
}

/* Writes a value for each dimension, with commas between. */
typedef void one(FILE *to, const astra_form *f, unsigned d);
static void each(FILE *to, const astra_form *f, const char *before, one *value,
                 const char *behind) {
    fprintf(to, "%s", before);
    for (unsigned d = 0; d < f->dims; d++) {
        if (d) fprintf(to, ", ");
        value(to, f, d);
    }
    fprintf(to, "%s", behind);
}

static const char *block(const astra_dimension *d) {
    return d->ring ? "Ring" : d->hops > 1 ? "Switch" : "FullyConnected";
}
static void one_block(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%s", block(&f->dim[d]));
}
static void one_quoted(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "\"%s\"", block(&f->dim[d]));
}
static void one_members(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%u", f->dim[d].members);
}
static void one_GBps(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%.9g", f->dim[d].GBps);
}
static void one_latency(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%.9g", f->dim[d].latency_ns);
}
static void one_zero(FILE *to, const astra_form *f, unsigned d) {
    (void)f;
    (void)d;
    fprintf(to, "0");
}

static const char *word(astra_algorithm a) {
    return a == ASTRA_RING ? "ring" : a == ASTRA_DIRECT ? "direct" : "halvingDoubling";
}
static void one_reduce(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "\"%s\"", word(f->dim[d].reduce));
}
static void one_exchange(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "\"%s\"", word(f->dim[d].exchange));
}

static bool path_in(const char *folder, const char *name, char path[NAME]) {
    if ((size_t)snprintf(path, NAME, "%s/%s", folder, name) < NAME) return true;
    fprintf(stderr, "%s: found a name of %d letters and more, expected a shorter one\n", folder,
            NAME);
    return false;
}

/* ---- ASTRA-sim 2.x ----------------------------------------------------------------------- */

static int write_network_2(const export_fit *e, const char *to) {
    const astra_form *a = &e->astra;
    char path[NAME];
    atomic_file f;

    if (!path_in(to, "network.yml", path)) return EXIT_USAGE;
    const int rc = atomic_file_open(&f, path);
    if (rc != EXIT_OK) return rc;
    errors(f.to, e, "# ");
    each(f.to, a, "topology: [", one_block, "]\n");
    each(f.to, a, "npus_count: [", one_members, "]\n");
    each(f.to, a, "bandwidth: [", one_GBps, "]  # of 2^30 bytes a second\n");
    each(f.to, a, "latency: [", one_latency, "]  # ns\n");
    return atomic_file_close(&f);
}

static int write_system_2(const export_fit *e, const char *to) {
    static const char *const reductions[] = { "all-reduce", "reduce-scatter", "all-gather" };
    const astra_form *a = &e->astra;
    char path[NAME];
    atomic_file f;

    if (!path_in(to, "system.json", path)) return EXIT_USAGE;
    const int rc = atomic_file_open(&f, path);
    if (rc != EXIT_OK) return rc;
    fprintf(f.to,
            "{\n  \"scheduling-policy\": \"LIFO\",\n  \"endpoint-delay\": %.0f,\n"
            "  \"active-chunks-per-dimension\": %u,\n  \"preferred-dataset-splits\": %u,\n",
            (double)a->endpoint_ns, a->active, a->splits);
    for (unsigned i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        fprintf(f.to, "  \"%s-implementation\": [", reductions[i]);
        each(f.to, a, "", one_reduce, "],\n");
    }
    each(f.to, a, "  \"all-to-all-implementation\": [", one_exchange, "],\n");
    fprintf(f.to, "  \"collective-optimization\": \"localBWAware\",\n  \"local-mem-bw\": %.9g\n}\n",
            a->memory_GBps);
    return atomic_file_close(&f);
}

static int write_memory_2(const char *to) {
    char path[NAME];
    atomic_file f;

    if (!path_in(to, "remote_memory.json", path)) return EXIT_USAGE;
    const int rc = atomic_file_open(&f, path);
    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "{\n  \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n");
    return atomic_file_close(&f);
}

/* ---- ASTRA-sim 1.0 ----------------------------------------------------------------------- */

/* Returns the links of an NPU. On a ring or a switch they share a message. In a full connection
 * each message has its own link. */
static unsigned links(const astra_dimension *d) {
    return d->ring ? 2 : d->hops > 1 ? 1 : d->members - 1;
}
static void one_links(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%u", links(&f->dim[d]));
}
static void one_link_GBps(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%.9g", f->dim[d].GBps / (f->dim[d].ring ? 2 : 1));
}
static void one_hbm(FILE *to, const astra_form *f, unsigned d) {
    fprintf(to, "%.9g", f->dim[d].hbm_GBps);
}
static void one_scale(FILE *to, const astra_form *f, unsigned d) {
    (void)f;
    (void)d;
    fprintf(to, "1");
}
static void one_type(FILE *to, const astra_form *f, unsigned d) {
    (void)f;
    (void)d;
    fprintf(to, "\"N\"");
}

static int write_network_1(const export_fit *e, const char *to) {
    const astra_form *a = &e->astra;
    char path[NAME];
    atomic_file f;

    if (!path_in(to, "network.json", path)) return EXIT_USAGE;
    const int rc = atomic_file_open(&f, path);
    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "{\n  \"topology-name\": \"Hierarchical\",\n");
    each(f.to, a, "  \"topologies-per-dim\": [", one_quoted, "],\n");
    each(f.to, a, "  \"dimension-type\": [", one_type, "],\n");
    fprintf(f.to, "  \"dimensions-count\": %u,\n", a->dims);
    each(f.to, a, "  \"units-count\": [", one_members, "],\n");
    each(f.to, a, "  \"links-count\": [", one_links, "],\n");
    each(f.to, a, "  \"link-latency\": [", one_latency, "],\n");
    each(f.to, a, "  \"link-bandwidth\": [", one_link_GBps, "],\n");
    each(f.to, a, "  \"nic-latency\": [", one_zero, "],\n");
    each(f.to, a, "  \"router-latency\": [", one_zero, "],\n");
    each(f.to, a, "  \"hbm-latency\": [", one_zero, "],\n");
    each(f.to, a, "  \"hbm-bandwidth\": [", one_hbm, "],\n");
    each(f.to, a, "  \"hbm-scale\": [", one_scale, "]\n}\n");
    return atomic_file_close(&f);
}

static int write_system_1(const export_fit *e, const char *to) {
    const astra_form *a = &e->astra;
    char path[NAME];
    atomic_file f;

    if (!path_in(to, "system.txt", path)) return EXIT_USAGE;
    const int rc = atomic_file_open(&f, path);
    if (rc != EXIT_OK) return rc;
    fprintf(f.to,
            "scheduling-policy: LIFO\nendpoint-delay: %.0f\nactive-chunks-per-dimension: %u\n"
            "preferred-dataset-splits: %u\nboost-mode: 0\n",
            (double)a->endpoint_ns, a->active, a->splits);
    for (unsigned i = 0; i < EXPORT_KINDS; i++) {
        fprintf(f.to, "%s-implementation: ", kind_names[export_kinds[i]]);
        for (unsigned d = 0; d < a->dims; d++)
            fprintf(
                f.to, "%s%s", d ? "_" : "",
                word(export_kinds[i] == ACE_ALL_TO_ALL ? a->dim[d].exchange : a->dim[d].reduce));
        fprintf(f.to, "\n");
    }
    fprintf(f.to, "collective-optimization: localBWAware\n");
    return atomic_file_close(&f);
}

/* ---- files ------------------------------------------------------------------------------- */

static int write_loggops(const export_fit *e, const char *to) {
    atomic_file f;
    const int rc = atomic_file_open(&f, to);

    if (rc != EXIT_OK) return rc;
    errors(f.to, e, "# ");
    fprintf(
        f.to,
        "# LogGOPSim's options, whole numbers as it reads them: L o g in a unit of time, %.0f to a ns, G O in\n"
        "# units a byte, S in bytes.  A ring over all %u members, each message sent when the one before has come;\n"
        "# of an all-to-all all at once, each member sending while it receives.\n"
        "# Each kind has its own: one L and one G for all leave out that each moves over other links.\n",
        1 / e->logs_ns, e->members);
    for (unsigned k = 0; k < EXPORT_KINDS; k++) {
        const loggops *l = &e->logs[k];

        fprintf(f.to, "%s: -L %.0f -o %.0f -g %.0f -G %.0f -O %.0f -S %.0f\n",
                kind_names[export_kinds[k]], l->L / e->logs_ns, l->o / e->logs_ns,
                l->g / e->logs_ns, l->G / e->logs_ns, l->O / e->logs_ns, l->S);
    }
    return atomic_file_close(&f);
}

/* Bus bandwidth as in nccl-tests: the least bytes that a rank sends, divided by the time. */
static double bus_GBps(const export_fit *e, const export_point *p) {
    const double n = e->members;

    return (p->kind == ACE_ALL_REDUCE ? 2 : 1) * (n - 1) / n * p->bytes / p->ns;
}

static int write_csv(const export_fit *e, const char *to) {
    double most[EXPORT_KINDS] = { 0 };
    unsigned k = 0;
    atomic_file f;
    const int rc = atomic_file_open(&f, to);

    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < e->count; i++) {
        k += i && e->at[i].kind != e->at[i - 1].kind;
        if (bus_GBps(e, &e->at[i]) > most[k]) most[k] = bus_GBps(e, &e->at[i]);
    }
    fprintf(f.to, "collective,ranks,bytes,time_us,bus_bandwidth_GBps,ratio_of_largest,"
                  "interpolation_error,calibrated_node_error\n");
    k = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const export_point *p = &e->at[i];
        const expected_error own = calibration_error(e->of, kind_names[p->kind], p->bytes, false);

        k += i && p->kind != e->at[i - 1].kind;
        fprintf(f.to, "%s,%u,%.0f,%.3f,%.6g,%.6f,", kind_names[p->kind], e->members, p->bytes,
                p->ns / 1e3, bus_GBps(e, p), bus_GBps(e, p) / most[k]);
        if (!p->fitted) fprintf(f.to, "%.6f", p->form_ns / p->ns - 1);
        fprintf(f.to, ",%.6f\n", own.mean);
    }
    return atomic_file_close(&f);
}

int export_write(const export_fit *e, const char *to) {
    int rc = EXIT_OK;

    switch (e->format) {
    case EXPORT_LOGGOPS: return write_loggops(e, to);
    case EXPORT_CSV: return write_csv(e, to);
    case EXPORT_ASTRA_1:
        rc = atomic_file_folder(to);
        if (rc == EXIT_OK) rc = write_network_1(e, to);
        return rc == EXIT_OK ? write_system_1(e, to) : rc;
    default:
        rc = atomic_file_folder(to);
        if (rc == EXIT_OK) rc = write_network_2(e, to);
        if (rc == EXIT_OK) rc = write_system_2(e, to);
        return rc == EXIT_OK ? write_memory_2(to) : rc;
    }
}

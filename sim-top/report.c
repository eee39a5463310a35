/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c -- results: a table, JSON, CSV, and the Chrome trace
 *
 * The JSON object is made first; the others are read from it.  Nothing in it depends on
 * wall time, threads or the machine.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "acesim.h"

enum { STATISTICS = 256 };

uint64_t fnv1a(uint64_t hash, const void *data, size_t bytes) {
    const uint8_t *p = data;

    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Everything that a result depends on, in words, so that padding does not count. */
static uint64_t digest(const report *r) {
    const options *o = r->o;
    const cluster *c = &o->cluster;
    const ace_parameters *p = &c->parameters;
    char text[2048];
    int n =
        snprintf(text, sizeof text,
                 "%s %d %s %s %" PRIu64
                 " %d %u%u%u/%u %u %u | %ux%ux%u %.17g %.17g %.17g %u %u %u %.17g %.17g "
                 "%.17g %u %u %d %d | %u %u %u %u %u %u %u | %s %s %" PRIu64,
                 ACESIM_VERSION, (int)o->kind, r->kind, type_names[o->type],
                 o->workload ? 0 : o->size, o->type_given, o->dims[0], o->dims[1], o->dims[2],
                 o->dim_count, o->payload, o->workload ? o->iterations : 0, c->ring[0], c->ring[1],
                 c->ring[2], c->link_GBps[0], c->link_GBps[1], c->link_GBps[2], c->link_latency[0],
                 c->link_latency[1], c->link_latency[2], c->efficiency, c->clock_MHz,
                 c->memory_GBps, c->memory_latency, r->cfg->chunk_rows, (int)c->order,
                 (int)c->endpoint, p->fsms, p->contexts, p->bank_rows, p->link_input_rows,
                 p->link_output_rows, p->commands, p->memory_bursts, c->rungs, c->speeds, o->seed);

    return fnv1a(fnv1a(FNV1A_START, text, (size_t)n), &r->digest_of, sizeof r->digest_of);
}

static cJSON *number(cJSON *to, const char *name, uint64_t v) {
    return cJSON_AddNumberToObject(to, name, (double)v);
}

/* Rounded to nine digits: the same on every machine. */
static cJSON *real(cJSON *to, const char *name, double v) {
    char text[40];

    snprintf(text, sizeof text, "%.9g", v);
    return cJSON_AddNumberToObject(to, name, strtod(text, NULL));
}

/* ---- engine statistics ----------------------------------------------------------- */

typedef struct total {
    const char *name;
    uint64_t value;
} total;

static bool ends_with(const char *s, const char *end) {
    const size_t a = strlen(s), b = strlen(end);

    return a >= b && !strcmp(s + a - b, end);
}

/* Each counter summed over all nodes, in the first one's order.  The nodes have run on to
 * the end of the last window, at rest: those cycles are taken back. */
static size_t totals(const report *r, total *t) {
    fabric *f = r->f;
    const uint64_t beyond = fabric_now(f) - r->cycles;
    size_t n = 0;

    for (unsigned i = 0; i < fabric_members(f); i++) {
        ace_statistic s[STATISTICS];
        size_t count = ace_node_statistics(fabric_node(f, i), s, STATISTICS);

        if (count > STATISTICS) count = STATISTICS;
        for (size_t j = 0; j < count; j++) {
            size_t k = j < n && !strcmp(t[j].name, s[j].name) ? j : 0;
            while (k < n && strcmp(t[k].name, s[j].name)) k++;
            if (k == n && n == STATISTICS) continue;
            if (k == n) t[n++] = (total){ s[j].name, 0 };
            t[k].value += s[j].value * fabric_weight(f, i);
            if (ends_with(s[j].name, ".idle")) t[k].value -= beyond * fabric_weight(f, i);
        }
    }
    return n;
}

static uint64_t sibling(const total *t, size_t n, const char *busy, size_t stem,
                        const char *class_) {
    for (size_t i = 0; i < n; i++)
        if (!strncmp(t[i].name, busy, stem) && !strcmp(t[i].name + stem, class_)) return t[i].value;
    return 0;
}

static void add_statistics(cJSON *root, const report *r) {
    total t[STATISTICS];
    const size_t n = totals(r, t);
    cJSON *utilisation = cJSON_AddObjectToObject(root, "utilisation");
    cJSON *statistics;

    for (size_t i = 0; i < n; i++) { /* X.busy over all classes of X */
        const size_t length = strlen(t[i].name);
        char stem[64];
        uint64_t all;

        if (length > 60 || !ends_with(t[i].name, ".busy")) continue;
        all = t[i].value + sibling(t, n, t[i].name, length - 4, "starved") +
              sibling(t, n, t[i].name, length - 4, "blocked") +
              sibling(t, n, t[i].name, length - 4, "idle");
        snprintf(stem, sizeof stem, "%.*s", (int)(length - 5), t[i].name);
        real(utilisation, stem, all ? (double)t[i].value / (double)all : 0);
    }
    statistics = cJSON_AddObjectToObject(root, "statistics");
    for (size_t i = 0; i < n; i++) number(statistics, t[i].name, t[i].value);
}

/* ---- the object ------------------------------------------------------------------ */

static cJSON *make(const report *r) {
    const options *o = r->o;
    const cluster *c = &o->cluster;
    const double us = 1 / c->clock_MHz;
    cJSON *root = cJSON_CreateObject(), *sub;
    uint64_t bytes[ACE_DIMENSIONS], sent = 0;
    double achieved, ideal;
    char text[64], rungs[64] = "";

    cJSON_AddStringToObject(root, "tool", "acesim");
    cJSON_AddStringToObject(root, "version", ACESIM_VERSION);
    snprintf(text, sizeof text, "%016" PRIx64, digest(r));
    cJSON_AddStringToObject(root, "config_digest", text);
    snprintf(text, sizeof text, "%" PRIu64, o->seed);
    cJSON_AddStringToObject(root, "seed", text);
    cJSON_AddStringToObject(root, r->training ? "workload" : "kind", r->kind);
    if (r->training) cJSON_AddStringToObject(root, "cluster", c->name);
    snprintf(text, sizeof text, "%ux%ux%u", c->ring[0], c->ring[1], c->ring[2]);
    cJSON_AddStringToObject(root, "topology", text);
    number(root, "nodes", cluster_nodes(c));
    if (!r->training) number(root, "size_bytes", o->size);
    for (unsigned d = 0; d < o->dim_count; d++) {
        text[2 * d] = (char)('x' + o->dims[d]);
        text[2 * d + 1] = d + 1U < o->dim_count ? ',' : '\0';
    }
    cJSON_AddStringToObject(root, "dims", text);
    if (!r->training || o->type_given) cJSON_AddStringToObject(root, "type", type_names[o->type]);
    cJSON_AddStringToObject(root, "op", "sum");
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(c->endpoint));
    for (unsigned i = 0; i < fabric_members(r->f); i++) {
        const char *name = ace_node_rung(fabric_node(r->f, i));
        if (!fabric_weight(r->f, i)) continue;
        if (!*rungs)
            snprintf(rungs, sizeof rungs, "%s", name);
        else if (strcmp(rungs, name))
            snprintf(rungs, sizeof rungs, "mixed");
    }
    cJSON_AddStringToObject(root, "rung", rungs);
    cJSON_AddStringToObject(root, "node_rungs", strcmp(rungs, "ideal") ? c->rungs : rungs);
    if (*c->speeds) cJSON_AddStringToObject(root, "node_speeds", c->speeds);
    number(root, "nodes_simulated", fabric_members(r->f));
    cJSON_AddStringToObject(root, "folding", fabric_folding(r->f));
    number(root, "chunk_bytes", (uint64_t)r->cfg->chunk_rows * ACE_ROW_BYTES);
    real(root, "memory_bandwidth_GBps", c->memory_GBps);
    real(root, "clock_MHz", c->clock_MHz);

    number(root, "cycles", r->cycles);
    real(root, "time_us", (double)r->cycles * us);
    if (r->training) {
        uint64_t compute = 0, total_cycles = 0;

        for (unsigned i = 0; i < o->iterations; i++) {
            const iteration it = training_iteration(r->training, i);
            compute += it.compute;
            total_cycles += it.cycles;
        }
        number(root, "compute_cycles", compute);
        number(root, "exposed_communication_cycles", total_cycles - compute);
        number(root, "communication_cycles", r->communication);
        sub = cJSON_AddArrayToObject(root, "iterations");
        for (unsigned i = 0; i < o->iterations; i++) {
            const iteration it = training_iteration(r->training, i);
            cJSON *one = cJSON_CreateObject();
            number(one, "iteration", i);
            number(one, "cycles", it.cycles);
            real(one, "time_us", (double)it.cycles * us);
            number(one, "compute_cycles", it.compute);
            number(one, "exposed_communication_cycles", it.cycles - it.compute);
            cJSON_AddItemToArray(sub, one);
        }
        cJSON_AddStringToObject(root, "not_modelled", "update delay after an all-reduce");
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) sent += bytes[d] = fabric_sent(r->f, 0, d);
    number(root, "bytes_sent_per_npu", sent);
    sub = cJSON_AddObjectToObject(root, "bytes_per_dimension");
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        number(sub, (const char *[]){ "x", "y", "z" }[d], bytes[d]);
    sub = cJSON_AddObjectToObject(root, "closed_form_bytes");
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        number(sub, (const char *[]){ "x", "y", "z" }[d], fabric_expected(r->f, 0, d));
    achieved = r->communication ? (double)sent / ((double)r->communication * us * 1e3) : 0;
    ideal = cluster_ideal_GBps(c, bytes);
    real(root, "network_bandwidth_GBps", achieved);
    real(root, "ideal_network_bandwidth_GBps", ideal);
    real(root, "fraction_of_ideal", ideal > 0 ? achieved / ideal : 0);
    cJSON_AddStringToObject(root, "check", r->bytes_ok && r->payload_ok ? "passed" : "failed");
    sub = cJSON_AddObjectToObject(root, "checks");
    cJSON_AddStringToObject(sub, "bytes",
                            c->endpoint == ENDPOINT_IDEAL ? "by construction"
                            : r->bytes_ok                 ? "passed"
                                                          : "failed");
    cJSON_AddStringToObject(sub, "payload",
                            r->payload_ok < 0 ? "not run"
                            : r->payload_ok   ? "passed"
                                              : "failed");
    add_statistics(root, r);
    return root;
}

/* ---- for people and programs ------------------------------------------------------ */

static void print_value(const cJSON *v) {
    if (cJSON_IsString(v)) {
        printf("%s", v->valuestring);
    } else {
        char *s = cJSON_PrintUnformatted(v);
        printf("%s", s ? s : "?");
        cJSON_free(s);
    }
}

static double get(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuedouble;
}

static void print_table(const cJSON *root) {
    const cJSON *v;

    cJSON_ArrayForEach(v, root) {
        if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
        printf("%-32s", v->string);
        print_value(v);
        printf("\n");
    }
    printf("\n%-10s%20s%20s\n", "dimension", "bytes per NPU", "closed form");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "bytes_per_dimension"))
        printf("%-10s%20.0f%20.0f\n", v->string, v->valuedouble,
               get(cJSON_GetObjectItem(root, "closed_form_bytes"), v->string));
    if (cJSON_GetObjectItem(root, "iterations")) {
        printf("\n%-10s%14s%14s%14s%14s\n", "iteration", "cycles", "compute", "exposed", "time us");
        cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "iterations")) printf(
            "%-10.0f%14.0f%14.0f%14.0f%14.3f\n", get(v, "iteration"), get(v, "cycles"),
            get(v, "compute_cycles"), get(v, "exposed_communication_cycles"), get(v, "time_us"));
    }
    if (cJSON_GetObjectItem(root, "utilisation")->child) printf("\n%-24s%12s\n", "unit", "busy");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "utilisation"))
        printf("%-24s%10.2f %%\n", v->string, 100 * v->valuedouble);
}

/* A header and a line; a line an iteration where there are iterations. */
static void print_csv(const cJSON *root) {
    const cJSON *its = cJSON_GetObjectItem(root, "iterations"), *v, *it = its ? its->child : NULL;
    const char *comma = "";

    cJSON_ArrayForEach(v, root) {
        if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
        printf("%s%s", comma, v->string);
        comma = ",";
    }
    for (v = it ? it->child : NULL; v; v = v->next) printf(",iteration.%s", v->string);
    printf("\n");
    do {
        comma = "";
        cJSON_ArrayForEach(v, root) {
            if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
            printf("%s", comma);
            comma = ",";
            if (cJSON_IsString(v))
                printf("\"%s\"", v->valuestring);
            else
                print_value(v);
        }
        for (v = it ? it->child : NULL; v; v = v->next) {
            printf(",");
            print_value(v);
        }
        printf("\n");
        if (it) it = it->next;
    } while (it);
}

/* ---- files -------------------------------------------------------------------------- */

static void escape(FILE *f, const char *s) {
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < 32)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, f);
    }
}

/* Chrome trace: a process an NPU, a track for compute, async spans for collectives. */
static void trace(FILE *f, const report *r) {
    const double us = 1 / r->o->cluster.clock_MHz;
    uint64_t id = 0;

    fprintf(f, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (unsigned i = 0; i < fabric_members(r->f); i++) {
        const spans *s = r->spans[i];
        char alike[32] = "";

        if (!fabric_weight(r->f, i)) continue;
        if (fabric_weight(r->f, i) > 1)
            snprintf(alike, sizeof alike, ", one of %u alike", fabric_weight(r->f, i));
        fprintf(
            f,
            "%s\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"NPU %u (%s%s)\"}}",
            i ? "," : "", i, fabric_place(r->f, i), ace_node_rung(fabric_node(r->f, i)), alike);
        fprintf(
            f,
            ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"compute\"}}",
            i);
        for (size_t j = 0; j < s->count; j++) {
            const span *v = &s->at[j];
            const double from = (double)v->from * us, to = (double)v->to * us;

            if (v->compute) {
                fprintf(
                    f, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":0,\"ts\":%.6f,\"dur\":%.6f,\"name\":\"",
                    i, from, to - from);
                escape(f, v->what);
                fprintf(f, " ");
                escape(f, v->name);
                fprintf(f, "\",\"args\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 "}}", v->from,
                        v->to);
                continue;
            }
            for (int end = 0; end < 2; end++) {
                fprintf(f,
                        ",\n{\"ph\":\"%c\",\"cat\":\"collective\",\"id\":%" PRIu64
                        ",\"pid\":%u,\"tid\":1,\"ts\":%.6f,\"name\":\"",
                        end ? 'e' : 'b', id, i, end ? to : from);
                escape(f, v->what);
                fprintf(f, " ");
                escape(f, v->name);
                fprintf(f, "\",\"args\":{\"cycle\":%" PRIu64 "}}", end ? v->to : v->from);
            }
            id++;
        }
    }
    fprintf(f, "\n]}\n");
}

/* Writes beside the file and renames, so that an earlier result stays whole. */
static int write_file(const char *name, const report *r, const char *json) {
    char part[1100];
    FILE *f;
    bool ok;

    snprintf(part, sizeof part, "%.1024s.part", name);
    f = fopen(part, "w");
    if (f) {
        if (json)
            fprintf(f, "%s\n", json);
        else
            trace(f, r);
        ok = !ferror(f);
        ok = !fclose(f) && ok && !rename(part, name);
        if (ok) return EXIT_OK;
        remove(part);
    }
    fprintf(stderr, "acesim: %s: %s, expected a file that can be written\n", name, strerror(errno));
    return EXIT_USAGE;
}

static int write_output(const report *r, const char *json) {
    char name[1100];
    int rc;

    if (mkdir(r->o->output, 0777) && errno != EEXIST) {
        fprintf(stderr, "acesim: %s: %s, expected a folder that can be made\n", r->o->output,
                strerror(errno));
        return EXIT_USAGE;
    }
    snprintf(name, sizeof name, "%.1000s/result.json", r->o->output);
    rc = write_file(name, r, json);
    snprintf(name, sizeof name, "%.1000s/timeline.json", r->o->output);
    return rc == EXIT_OK ? write_file(name, r, NULL) : rc;
}

int report_write(const report *r) {
    cJSON *root = make(r);
    char *json = cJSON_Print(root);
    int rc = json ? EXIT_OK : EXIT_CHECK;

    if (json && r->o->format == FORMAT_JSON)
        printf("%s\n", json);
    else if (json && r->o->format == FORMAT_CSV)
        print_csv(root);
    else if (json)
        print_table(root);
    if (rc == EXIT_OK && r->o->timeline) rc = write_file(r->o->timeline, r, NULL);
    if (rc == EXIT_OK && r->o->output) rc = write_output(r, json);
    cJSON_free(json);
    cJSON_Delete(root);
    return rc;
}

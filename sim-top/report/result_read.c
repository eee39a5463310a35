/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_read.c -- parses results and gives access to their members by path
 *
 * A path is tried as one name before it is split at its dots, because names of units have dots.
 * There are two levels of checks: what any result has, and what a run has.
 */
#include "result_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "exit_status.h"
#include "figures.h"
#include "input_file.h"
#include "yaml_file.h"

#define EXPECTED "a result of acesim with --format json"

const cJSON *saved_item(const cJSON *o, const char *path) {
    char name[64];

    for (;;) {
        const char *dot = strchr(path, '.');
        const cJSON *item;

        /* Names of units contain dots. */
        item = cJSON_GetObjectItemCaseSensitive(o, path);
        if (item || !dot || dot - path >= (ptrdiff_t)sizeof name) return item;
        snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        o = cJSON_GetObjectItemCaseSensitive(o, name);
        if (!o) return NULL;
        path = dot + 1;
    }
}

double saved_number(const cJSON *o, const char *path) {
    const cJSON *item = saved_item(o, path);

    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

const char *saved_text(const cJSON *o, const char *path) {
    const cJSON *item = saved_item(o, path);

    return cJSON_IsString(item) ? item->valuestring : "";
}

static int refuse(const saved_run *r, const char *found) {
    fprintf(stderr, "acesim: %s: found %s, expected " EXPECTED "\n", r->file, found);
    return EXIT_USAGE;
}

/* Returns the subject of a result: the first of these members that it has. */
static const char *what_of(const saved_run *r) {
    static const char *const members[] = { "workload",  "kind",     "model",      "trace",
                                           "algorithm", "schedule", "rows_of",    "accelerator",
                                           "cluster",   "measured", "calibration" };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (*saved_text(r->root, members[i])) return saved_text(r->root, members[i]);
    return r->command;
}

/* Checks what any result has. */
static int check_any(saved_run *r) {
    const cJSON *const command = cJSON_GetArrayItem(saved_item(r->root, "command"), 0);
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS];

    if (strcmp(saved_text(r->root, "tool"), "acesim")) return refuse(r, "JSON of another tool");
    if (cJSON_IsArray(saved_item(r->root, "runs")))
        return refuse(r, "the comparison of several runs, made with --compare");
    r->command = cJSON_IsString(command) ? command->valuestring : "";
    r->training = saved_run_is_run(r) && *saved_text(r->root, "workload");
    r->what = what_of(r);
    if (!*r->what) return refuse(r, "no command, and nothing that it is of");
    r->cycles = saved_number(r->root, "cycles");
    r->clock_MHz = saved_number(r->root, "clock_MHz");
    if (!parse_topology(saved_text(r->root, "topology"), ring, wiring)) return EXIT_OK;
    r->nodes = 1;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) r->nodes *= r->ring[d] = ring[d];
    return EXIT_OK;
}

bool saved_run_is_run(const saved_run *r) {
    if (!*r->command) return *saved_text(r->root, "kind") || *saved_text(r->root, "workload");
    return !strcmp(r->command, "collective") || !strcmp(r->command, "run");
}

int saved_run_check(saved_run *r) {
    if (!(r->training || *saved_text(r->root, "kind")) || !r->nodes || !(r->cycles > 0) ||
        !(r->clock_MHz > 0))
        return refuse(r, "no kind, topology, cycles and clock_MHz");
    if (!cJSON_IsArray(saved_item(r->root, "command")) ||
        !cJSON_IsArray(saved_item(r->root, "node_groups")))
        return refuse(r, "no command and node_groups: a result of an earlier version");
    return EXIT_OK;
}

static int check(saved_run *r) {
    const int rc = check_any(r);

    return rc == EXIT_OK ? saved_run_check(r) : rc;
}

int saved_run_of(const char *name, cJSON *root, saved_run *r) {
    *r = (saved_run){ .file = name, .root = root };
    return check(r);
}

/* Parses text as JSON, and prints a message if it is not JSON. */
static int parse(const char *name, const char *text, saved_run *r) {
    const char *end = NULL;
    size_t line = 1, column = 1;

    *r = (saved_run){ .file = name, .root = json_parse(text, &end, true) };
    if (r->root) return EXIT_OK;
    for (const char *s = text; s < end; s++) {
        column = *s == '\n' ? 1 : column + 1;
        line += *s == '\n';
    }
    yaml_error(name, line, column, "what is not JSON", EXPECTED);
    return EXIT_USAGE;
}

int saved_run_parse(const char *name, const char *text, saved_run *r) {
    const int rc = parse(name, text, r);

    return rc == EXIT_OK ? check(r) : rc;
}

int saved_results_read(const char *file, saved_run *r, unsigned most, unsigned *count) {
    char *const text = input_text(file, NULL);
    const char *const name = input_name(file);
    cJSON *list, *row, *result;
    int rc;

    *count = 1;
    *r = (saved_run){ .file = name };
    if (!text) {
        yaml_error(r->file, 1, 1, strerror(errno), EXPECTED);
        return EXIT_USAGE;
    }
    rc = parse(name, text, r);
    free(text);
    if (rc != EXIT_OK || !cJSON_IsArray(r->root)) return rc == EXIT_OK ? check_any(r) : rc;
    list = r->root;
    r->root = NULL;
    *count = 0;
    cJSON_ArrayForEach(row, list) {
        if (*count == most || !(result = cJSON_DetachItemFromObject(row, "result"))) break;
        r[*count] = (saved_run){ .file = name, .root = result };
        rc = check_any(&r[(*count)++]);
        if (rc != EXIT_OK) break;
    }
    cJSON_Delete(list);
    if (*count) return rc;
    *count = 1;
    *r = (saved_run){ .file = name };
    return refuse(r, "JSON of another tool, or a search without a result");
}

int saved_result_read(const char *file, saved_run *r) {
    unsigned count;

    *r = (saved_run){ .file = NULL };
    return saved_results_read(file, r, 1, &count);
}

int saved_run_read(const char *file, saved_run *r) {
    const int rc = saved_result_read(file, r);

    return rc == EXIT_OK ? saved_run_check(r) : rc;
}

void saved_run_free(saved_run *r) {
    cJSON_Delete(r->root);
    r->root = NULL;
}

bool saved_unit(const cJSON *group, const char *unit, double cycles[CLASSES]) {
    const cJSON *counts = saved_item(saved_item(group, "cycles"), unit);

    for (int i = 0; i < CLASSES; i++) {
        const cJSON *v = cJSON_GetArrayItem(counts, i);

        if (!cJSON_IsNumber(v)) return false;
        cycles[i] = v->valuedouble;
    }
    return true;
}

bool saved_classes(const saved_run *r, const char *unit, double share[CLASSES]) {
    double sum[CLASSES] = { 0 }, cycles[CLASSES], all = 0;
    const cJSON *g;

    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        if (!saved_unit(g, unit, cycles)) continue;
        for (int i = 0; i < CLASSES; i++) sum[i] += cycles[i] * saved_number(g, "count");
    }
    for (int i = 0; i < CLASSES; i++) all += sum[i];
    for (int i = 0; i < CLASSES; i++) share[i] = all > 0 ? sum[i] / all : 0;
    return all > 0;
}

bool saved_nodes_have(const char *nodes, unsigned node) {
    while (*nodes) {
        char *end;
        const unsigned long first = strtoul(nodes, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (node >= first && node <= last) return true;
        if (*end != ',') return false;
        nodes = end + 1;
    }
    return false;
}

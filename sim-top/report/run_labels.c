/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_labels.c -- names for runs that stand next to each other
 *
 * A label grows until all labels differ: first by the settings that people compare most, then by
 * arguments of the commands, then by the file's name, and finally by a number.
 */
#include "run_labels.h"

#include <stdio.h>
#include <string.h>

#include "figures.h"

static void append(run_label *to, const char *text) {
    const size_t n = strlen(to->text);

    if (*text) snprintf(to->text + n, sizeof to->text - n, "%s%s", n ? ", " : "", text);
}

static bool all_alike(const saved_run *runs, unsigned count, const char *path) {
    const cJSON *first = saved_item(runs[0].root, path);

    for (unsigned i = 1; i < count; i++) {
        const cJSON *other = saved_item(runs[i].root, path);

        if (!first != !other || (first && !cJSON_Compare(first, other, 1))) return false;
    }
    return true;
}

/* Adds a setting to each label if the runs differ in it. A size is in MiB. */
static void add_setting(const saved_run *runs, unsigned count, const char *path, run_label *to) {
    if (all_alike(runs, count, path)) return;
    for (unsigned i = 0; i < count; i++) {
        const cJSON *item = saved_item(runs[i].root, path);
        char text[FIGURE] = "";

        if (cJSON_IsNumber(item)) figure_bytes(item->valuedouble, text);
        append(&to[i], cJSON_IsString(item) ? item->valuestring : text);
    }
}

static bool differ(unsigned count, const run_label *of) {
    for (unsigned i = 0; i < count; i++) {
        if (!*of[i].text) return false;
        for (unsigned k = 0; k < i; k++)
            if (!strcmp(of[i].text, of[k].text)) return false;
    }
    return true;
}

static bool has_word(const saved_run *r, const char *word) {
    const cJSON *v;

    cJSON_ArrayForEach(v, saved_item(r->root, "command")) {
        if (cJSON_IsString(v) && !strcmp(v->valuestring, word)) return true;
    }
    return false;
}

/* Returns whether an argument is not a setting of the run. */
static bool says_how(const char *word) {
    static const char *const how[] = { "--samples",  "--output", "--timeline", "--format",
                                       "--threads",  "--quiet",  "--events",   "--rung",
                                       "--endpoint", "--size",   "--topology", "--strategy" };

    for (unsigned i = 0; i < sizeof how / sizeof *how; i++)
        if (!strncmp(word, how[i], strlen(how[i]))) return true;
    return false;
}

/* Adds arguments that not all commands have. A run that has none of them gets a text that says
 * so. */
static void add_arguments(const saved_run *runs, unsigned count, run_label *to) {
    unsigned added = 0;

    for (unsigned i = 0; i < count; i++) {
        const cJSON *v;

        cJSON_ArrayForEach(v, saved_item(runs[i].root, "command")) {
            unsigned having = 0;

            if (!cJSON_IsString(v) || says_how(v->valuestring)) continue;
            for (unsigned k = 0; k < count; k++) having += has_word(&runs[k], v->valuestring);
            if (having == count) continue;
            append(&to[i], v->valuestring);
            added++;
        }
    }
    for (unsigned i = 0; i < count && added; i++)
        if (!*to[i].text) append(&to[i], "without options");
}

static const char *base_name(const char *file) {
    const char *slash = strrchr(file, '/');

    return slash ? slash + 1 : file;
}

void run_labels(const saved_run *runs, unsigned count, run_label *to) {
    static const char *const settings[] = { "workload",   "kind",     "model",   "topology",
                                            "size_bytes", "strategy", "endpoint" };
    char number[16];

    for (unsigned i = 0; i < count; i++) *to[i].text = '\0';
    if (count == 1) append(to, runs->what);
    for (unsigned s = 0; s < sizeof settings / sizeof *settings && count > 1; s++)
        add_setting(runs, count, settings[s], to);
    if (!differ(count, to)) add_setting(runs, count, "rung", to);
    if (!differ(count, to)) add_arguments(runs, count, to);
    for (unsigned i = 0; i < count && !differ(count, to); i++)
        append(&to[i], base_name(runs[i].file));
    for (unsigned i = 0; i < count && !differ(count, to); i++) {
        snprintf(number, sizeof number, "run %u", i + 1);
        to[i].text[sizeof to[i].text - sizeof number - 2] = '\0';
        append(&to[i], number);
    }
}

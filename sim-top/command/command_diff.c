/* SPDX-License-Identifier: Apache-2.0 */
/* command_diff.c -- acesim diff: what differs between two results, the largest change first */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "option_table.h"
#include "result_diff.h"
#include "result_members.h"
#include "result_print.h"
#include "values.h"

enum { SHOWN = 10 }; /* rows that are shown without --all, largest change first */

typedef struct diff {
    const char *file[2];
    bool all, check;
    format format;
    option_line line;
    saved_run run[2];
    result_diff found;
} diff;

static const char *const group_names[DIFF_GROUPS] = {
    [DIFF_SETTINGS] = "settings",     [DIFF_WAY] = "way",     [DIFF_RESULTS] = "results",
    [DIFF_ITERATIONS] = "iterations", [DIFF_UNITS] = "units", [DIFF_LINKS] = "links",
    [DIFF_COUNTERS] = "counters",
};

static const option_row rows[] = {
    { "check", NULL, OPTION_FLAG, offsetof(diff, check),
      .text = "exit with status 1 if a number differs" },
    { "all", NULL, OPTION_FLAG, offsetof(diff, all),
      .text = "print every row, not only the largest changes" },
    OPTION_FORMAT_ROW(diff, format, "table, json or csv [table]"),
};
static const option_table options = {
    .command = "diff",
    .about =
        "usage: acesim diff A.json B.json [OPTIONS]\n\n"
        "Says what differs between two results of acesim collective, run, train or search with --format json:\n"
        "first the settings, then cycles, time and bandwidth, and then what changed in each unit,\n"
        "on each link and in each counter, the largest change first.  Units and links are those of\n"
        "an average node.  The exit status is 0, whether they differ or not.\n\n",
    .tail =
        "\nexample: acesim collective all-reduce --format json > a.json\n"
        "         acesim collective all-reduce --memory-bandwidth 40GB/s --format json > b.json\n"
        "         acesim diff a.json b.json\n",
    .least = 2,
    .most = 2,
    .expected = "two results, A.json and B.json",
    .group = { OPTION_GROUP(rows) },
};

/* ---- for people ---------------------------------------------------------------------------------
 */

static const char *cell(const difference *e, int i, char to[FIGURE]) {
    const double v = e->value[i];
    uint64_t whole;

    if (e->number && e->text[i] && parse_unsigned(e->text[i], 0, UINT64_MAX, &whole))
        return figure_unsigned(whole, to);
    if (!e->number) return *e->text[i] ? e->text[i] : "-";
    if (isnan(v)) return "-";
    return figure_real(v, v == floor(v) ? 0 : fabs(v) < 1 ? 6 : 3, to);
}

static void print_change(const difference *e) {
    const double change = difference_change(e);
    char text[FIGURE], with_sign[FIGURE + 1];

    if (!e->number || isnan(change) || e->group < DIFF_RESULTS) return;
    snprintf(with_sign, sizeof with_sign, "%s%s", change > 0 ? "+" : "",
             figure_real(change,
                         change == floor(change) ? 0
                         : fabs(change) < 1      ? 6
                                                 : 3,
                         text));
    printf(" %15s", with_sign);
    if (e->value[0] > 0 || e->value[0] < 0) printf(" %+10.2f %%", 100 * change / e->value[0]);
}

static void print_row(const difference *e) {
    char a[FIGURE], b[FIGURE];
    const char *left = cell(e, 0, a), *right = cell(e, 1, b);

    /* lists and sentences are too wide for the table */
    if (strlen(left) > 16 || strlen(right) > 16) {
        printf("%-42s  A  %s\n%-42s  B  %s\n", e->name, left, "", right);
        return;
    }
    printf("%-42s %16s %16s", e->name, left, right);
    print_change(e);
    printf("\n");
}

/* Idle time is what remains of a run. If the run takes longer, idle time grows, so the table shows
 * it only with --all. */
static bool is_idle(const difference *e) {
    const size_t n = strlen(e->name);

    return e->group == DIFF_UNITS && n > 5 && !strcmp(e->name + n - 5, ".idle");
}

static void print_group(const diff *d, diff_group g) {
    const char *const titles[DIFF_GROUPS] = {
        [DIFF_SETTINGS] = "settings",
        [DIFF_WAY] = "computed another way",
        [DIFF_RESULTS] = "result",
        [DIFF_ITERATIONS] = "iterations and lists",
        [DIFF_UNITS] =
            d->all ? "units, cycles of a node" : "units, busy or waiting, cycles of a node",
        [DIFF_LINKS] = "links, bytes of a node",
        [DIFF_COUNTERS] = "counters of all nodes",
    };
    const bool sorted = g >= DIFF_ITERATIONS;
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < d->found.count; i++) {
        const difference *e = &d->found.at[i];

        if (e->group != g) continue;
        if (sorted && !d->all && (shown == SHOWN || is_idle(e))) {
            left++;
            continue;
        }
        if (!shown++)
            printf("\n%-42s %16s %16s%s\n", titles[g], "A", "B",
                   g < DIFF_RESULTS ? "" : "          change");
        print_row(e);
    }
    if (left) printf("... and %zu more, which --all lists\n", left);
}

static void print_table(const cJSON *root, const void *self) {
    const diff *const d = self;
    const result_diff *f = &d->found;
    char nodes[FIGURE], all[FIGURE];

    (void)root;
    for (int i = 0; i < 2; i++) {
        const saved_run *r = &d->run[i];

        const char *const topology = saved_text(r->root, "topology");
        const char *const endpoint = saved_text(r->root, "endpoint");

        printf("%c  %s: %s%s%s%s%s\n", 'A' + i, r->file, r->what, *topology ? " on " : "", topology,
               *endpoint ? ", endpoint " : "", endpoint);
    }
    if (!f->same_kind)
        printf("note: not the same collective or workload; numbers are compared all the same\n");
    if (!f->same_nodes)
        printf("note: not as many nodes; units and links are those of an average node\n");
    for (diff_group g = 0; g < DIFF_GROUPS; g++) print_group(d, g);
    if (f->nodes)
        printf("\n%s of %s nodes count other cycles or bytes: %s\n", figure_count(f->nodes, nodes),
               figure_count(d->run[0].nodes, all), f->node_list);
    if (!f->count && !f->nodes)
        printf("\nno setting and no number differs\n");
    else if (!result_diff_numbers(f))
        printf("\nno number differs\n");
}

/* ---- for programs ---------------------------------------------------------------------------- */

/* Adds a value of run i. A value that a result lacks is null. */
static void add_value(cJSON *to, const char *name, const difference *e, int i) {
    if (!e->number)
        cJSON_AddStringToObject(to, name, e->text[i]);
    else if (e->text[i] && *e->text[i])
        cJSON_AddItemToObject(to, name, json_parse(e->text[i], NULL, true));
    else if (isnan(e->value[i]))
        cJSON_AddNullToObject(to, name);
    else
        cJSON_AddNumberToObject(to, name, e->value[i]);
}

/* Adds the unit of a member that has one. */
static void add_unit(cJSON *to, const diff *d, const difference *e) {
    const cJSON *const command = cJSON_GetArrayItem(saved_item(d->run[0].root, "command"), 0);
    const result_member *const m =
        result_member_find(cJSON_IsString(command) ? command->valuestring : NULL, e->name);

    if (m && *m->unit) cJSON_AddStringToObject(to, "unit", m->unit);
}

static cJSON *make(const diff *d) {
    const result_diff *f = &d->found;
    cJSON *root = cJSON_CreateObject();

    cJSON_AddStringToObject(root, "a", d->file[0]);
    cJSON_AddStringToObject(root, "b", d->file[1]);
    cJSON_AddBoolToObject(root, "numbers_differ", result_diff_numbers(f));
    cJSON_AddBoolToObject(root, "same_kind", f->same_kind);
    for (diff_group g = 0; g < DIFF_GROUPS; g++) {
        cJSON *list = cJSON_AddArrayToObject(root, group_names[g]);

        for (size_t i = 0; i < f->count; i++) {
            const difference *e = &f->at[i];
            cJSON *o;

            if (e->group != g) continue;
            o = cJSON_CreateObject();
            cJSON_AddStringToObject(o, "name", e->name);
            add_unit(o, d, e);
            add_value(o, "a", e, 0);
            add_value(o, "b", e, 1);
            if (e->number && !isnan(difference_change(e)))
                cJSON_AddNumberToObject(o, "change", difference_change(e));
            cJSON_AddItemToArray(list, o);
        }
    }
    if (f->same_nodes) cJSON_AddStringToObject(root, "nodes", f->node_list);
    return root;
}

static void print_csv(const diff *d) {
    printf("group,name,a,b,change\n");
    for (size_t i = 0; i < d->found.count; i++) {
        const difference *e = &d->found.at[i];
        char text[REAL_TEXT];

        printf("%s,", group_names[e->group]);
        csv_cell(stdout, e->name);
        for (int k = 0; k < 2; k++) {
            printf(",");
            if (!e->number || e->text[k])
                csv_cell(stdout, e->text[k]);
            else if (!isnan(e->value[k]))
                printf("%s", real_text(e->value[k], text));
        }
        printf(",");
        if (e->number && !isnan(difference_change(e)))
            printf("%s", real_text(difference_change(e), text));
        printf("\n");
    }
}

static int print(const diff *d) {
    if (d->format == FORMAT_CSV) {
        print_csv(d);
        return EXIT_OK;
    }
    return result_print(make(d), d->format,
                        &(result_form){ .table = print_table, .self = d, .line = &d->line });
}

static int run(diff *d) {
    int rc = saved_result_read(d->file[0], &d->run[0]);

    if (rc == EXIT_OK) rc = saved_result_read(d->file[1], &d->run[1]);
    if (rc != EXIT_OK) return rc;
    if (!result_diff_find(&d->run[0], &d->run[1], &d->found)) {
        return message_no_memory();
    }
    rc = print(d);
    return rc == EXIT_OK && d->check && result_diff_numbers(&d->found) ? EXIT_CHECK : rc;
}

int command_diff(int argc, char **argv) {
    diff d = { .format = FORMAT_TABLE };
    int rc;
    char **const files = option_table_read(&options, argc, argv, &d, &rc);

    if (!files) return rc;
    d.line = (option_line){ &options, argc, argv };
    memcpy(d.file, files, sizeof d.file);
    rc = run(&d);
    result_diff_free(&d.found);
    for (int i = 0; i < 2; i++) saved_run_free(&d.run[i]);
    return rc;
}

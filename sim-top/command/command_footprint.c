/* SPDX-License-Identifier: Apache-2.0 */
/* command_footprint.c -- acesim footprint: what a rank of each stage holds, term by term */
#include <inttypes.h>
#include <stdio.h>

#include "command_plan.h"
#include "exit_status.h"
#include "figures.h"
#include "footprint.h"
#include "message.h"
#include "option_table.h"
#include "result_print.h"
#include "strategy_arguments.h"
#include "values.h"

static const double gib = 1024.0 * 1024 * 1024;

static void add_terms(cJSON *stage, const footprint *f) {
    cJSON *terms = cJSON_AddArrayToObject(stage, "terms");

    for (unsigned i = 0; i < f->terms; i++) {
        cJSON *t = cJSON_CreateObject();
        char formula[64];

        snprintf(formula, sizeof formula, f->term[i].wide ? "2 (%s)" : "%s", f->term[i].formula);
        cJSON_AddNumberToObject(t, "stage", (double)f->stage);
        cJSON_AddStringToObject(t, "class", footprint_names[f->term[i].class_]);
        cJSON_AddStringToObject(t, "term", f->term[i].name);
        cJSON_AddStringToObject(t, "formula", formula);
        cJSON_AddNumberToObject(t, "bytes", f->term[i].bytes);
        cJSON_AddItemToArray(terms, t);
    }
}

static cJSON *stage_object(const footprint *f) {
    cJSON *o = cJSON_CreateObject();
    char name[64];

    cJSON_AddNumberToObject(o, "stage", (double)f->stage);
    cJSON_AddNumberToObject(o, "layers", f->layers);
    cJSON_AddNumberToObject(o, "layers_held", f->held);
    cJSON_AddNumberToObject(o, "parameters", f->parameters);
    for (footprint_class c = 0; c < FOOTPRINT_CLASSES; c++) {
        snprintf(name, sizeof name, "%s_bytes", footprint_names[c]);
        cJSON_AddNumberToObject(o, name, f->sum[c]);
    }
    cJSON_AddNumberToObject(o, "peak_bytes", f->peak);
    add_terms(o, f);
    return o;
}

/* Adds the stages to root, and sets *fullest to the stage with the most bytes. */
static int make(const training_model *m, const strategy *s, cJSON *root, uint64_t *fullest) {
    cJSON *stages = cJSON_AddArrayToObject(root, "stages");
    double most = -1;

    for (uint64_t r = 0; r < s->degree[AXIS_PP]; r++) {
        footprint f;
        const int rc = footprint_make(m, s, r, &f);

        if (rc != EXIT_OK) return rc;
        cJSON_AddItemToArray(stages, stage_object(&f));
        if (f.peak > most) {
            most = f.peak;
            *fullest = r;
        }
    }
    cJSON_AddNumberToObject(root, "fullest_stage", (double)*fullest);
    cJSON_AddNumberToObject(root, "peak_bytes", most);
    return EXIT_OK;
}

/* Compares stages: equal neighbours share a line. */
static bool alike(const cJSON *a, const cJSON *b) {
    return json_number(a, "peak_bytes") == json_number(b, "peak_bytes") &&
           json_number(a, "layers") == json_number(b, "layers") &&
           json_number(a, "parameters") == json_number(b, "parameters");
}

static void print_stages(const cJSON *stages) {
    char count[FIGURE], range[32];

    printf("%-9s %7s %7s %17s %11s %11s %11s %12s %11s\n", "stage", "layers", "held", "parameters",
           "parameters", "gradients", "optimizer", "activations", "peak GiB");
    for (const cJSON *s = stages->child; s; s = s->next) {
        const cJSON *last = s;

        while (last->next && alike(s, last->next)) last = last->next;
        snprintf(range, sizeof range, last == s ? "%.0f" : "%.0f-%.0f", json_number(s, "stage"),
                 json_number(last, "stage"));
        printf("%-9s %7.0f %7.0f %17s %11.3f %11.3f %11.3f %12.3f %11.3f\n", range,
               json_number(s, "layers"), json_number(s, "layers_held"),
               figure_count(json_number(s, "parameters"), count),
               json_number(s, "parameters_bytes") / gib, json_number(s, "gradients_bytes") / gib,
               json_number(s, "optimizer_bytes") / gib, json_number(s, "activations_bytes") / gib,
               json_number(s, "peak_bytes") / gib);
        s = last;
    }
}

static void print_table(const cJSON *root, const void *self) {
    const uint64_t stage = *(const uint64_t *)self;
    const cJSON *stages = cJSON_GetObjectItem(root, "stages"), *t;
    const cJSON *one = cJSON_GetArrayItem(stages, (int)stage);

    printf("%s, %s, %.0f ranks%s; GiB a rank\n\n", json_string(root, "model"),
           json_string(root, "strategy"), json_number(root, "ranks"),
           cJSON_GetObjectItem(root, "fractional") ? ", fractional shards" : "");
    print_stages(stages);
    printf("\nstage %" PRIu64 ", term by term\n%-12s %-59s %-26s %11s\n", stage, "class", "term",
           "formula", "GiB");
    cJSON_ArrayForEach(t, cJSON_GetObjectItem(one, "terms"))
        printf("%-12s %-59s %-26s %11.4f\n", json_string(t, "class"), json_string(t, "term"),
               json_string(t, "formula"), json_number(t, "bytes") / gib);
    printf("%-99s %11.4f\n", "peak", json_number(one, "peak_bytes") / gib);
}

/* Prints the result. CSV has only the terms of one stage. */
static int print(cJSON *root, const strategy_arguments *arguments, uint64_t stage) {
    const format how = arguments->format;
    cJSON *const stages = cJSON_GetObjectItem(root, "stages");
    cJSON *terms = how == FORMAT_CSV
                       ? cJSON_DetachItemFromObject(cJSON_GetArrayItem(stages, (int)stage), "terms")
                       : NULL;

    if (terms) cJSON_Delete(root);
    return result_print(
        terms ? terms : root, how,
        &(result_form){ .table = print_table, .self = &stage, .line = &arguments->line });
}

typedef struct question {
    strategy_arguments arguments;
    uint64_t stage; /* UINT64_MAX: the fullest stage */
} question;

static const option_row rows[] = {
    { "stage", "N", OPTION_COUNT, offsetof(question, stage),
      .text = "the stage whose terms are shown [the fullest]", .accepted = "0 to 1023",
      .high = STAGES_MOST - 1 },
};
static const option_table options = {
    .command = "plan footprint",
    .about =
        "usage: acesim plan footprint MODEL STRATEGY [OPTIONS]\n\n"
        "Prints what training keeps in the memory of a rank: parameters, gradients, optimizer\n"
        "and activations of each stage. For one stage it prints each term with its formula;\n"
        "docs/guide/strategies.md explains the symbols. Workspace and communication buffers are\n"
        "not counted.\n"
        "\n"
        "STRATEGY is such as tp8.pp16.dp8.sp.zero1.full.b1.m192: degrees, then what differs\n"
        "from the default. acesim plan strategy --help lists all parts.\n\n",
    .tail =
        "\nexample: acesim plan footprint models/gpt3-175b.yaml tp8.pp8.dp2.v3.m8.sp.selective.grad4\n",
    .least = 2,
    .most = 2,
    .expected = "MODEL and STRATEGY",
    .group = { OPTION_GROUP(rows),
               { .row = strategy_rows,
                 .rows = STRATEGY_ROWS,
                 .at = offsetof(question, arguments) } },
};

int command_footprint(int argc, char **argv) {
    question q = { .arguments = { .command = "plan footprint" }, .stage = UINT64_MAX };
    uint64_t fullest = 0;
    training_model m;
    strategy s;
    cJSON *root;
    int rc;
    char **const given = option_table_read(&options, argc, argv, &q, &rc);

    if (!given) return rc;
    q.arguments.line = (option_line){ &options, argc, argv };
    q.arguments.model = given[0];
    q.arguments.strategy = given[1];
    rc = strategy_from_arguments(&q.arguments, &m, &s);
    if (rc != EXIT_OK) return rc;
    if (q.stage != UINT64_MAX && q.stage >= s.degree[AXIS_PP]) {
        fprintf(stderr,
                "acesim plan footprint: --stage: found %" PRIu64 ", expected one of %" PRIu64
                " stages\n",
                q.stage, s.degree[AXIS_PP]);
        return EXIT_USAGE;
    }
    root = strategy_object(&m, &s);
    rc = make(&m, &s, root, &fullest);
    if (rc == EXIT_OK) return print(root, &q.arguments, q.stage == UINT64_MAX ? fullest : q.stage);
    cJSON_Delete(root);
    return rc;
}

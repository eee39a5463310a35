/* SPDX-License-Identifier: Apache-2.0 */
/* command_measured.c -- acesim measured: predicts measured iterations from their parts */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "cluster.h"
#include "cluster_file.h"
#include "command_plan.h"
#include "composed.h"
#include "data_path.h"
#include "exit_status.h"
#include "figures.h"
#include "gemm_table.h"
#include "measured_study.h"
#include "measured_words.h"
#include "message.h"
#include "option_table.h"
#include "result_print.h"
#include "statistics.h"
#include "values.h"
#include "yaml_file.h"

/* The measured iterations that acesim ships: all sets, and the sets that are fitted if no option
 * names a file. */
static const char *const sets[] = { "measured/vtrain/vtrain_multi_node_even.csv",
                                    "measured/vtrain/vtrain_single_node_sample.csv",
                                    "measured/runs/megatron_2020.csv",
                                    "measured/runs/megatron_throughput.csv",
                                    "measured/runs/nemo_h100_fp8.csv",
                                    "measured/runs/neusight_4xa100.csv",
                                    "measured/runs/sailor_plans_even.csv",
                                    "measured/runs/simumax_b200_even.csv",
                                    "measured/runs/mlperf_llama31_405b_given.csv",
                                    "measured/runs/mlperf_llama31_8b_given.csv",
                                    "measured/runs/dgxc_steps_given.csv" };
static const char *const shipped[] = { "measured/vtrain/vtrain_multi_node_even.csv",
                                       "measured/vtrain/vtrain_single_node_sample.csv" };

/* The rows of a file. */
typedef struct table {
    const char *file;
    bool other; /* true: predicted with the constants of the first file */
    measured_rows rows;
    composed **composed;
    bool *fitted, *unseen, *all; /* for each row; a left-out row has none set */
    double *sheet, *predicted;   /* ms */
    double value[COMPOSED_CONSTANTS];
    statistics of_fitted, of_unseen, of_crossed;
} table;

typedef struct question {
    const char *output, *start, *constants, *predict;
    cluster *machine;                 /* from --start or --constants, or NULL */
    double given[COMPOSED_CONSTANTS]; /* its constants */
    int fit;
    format format;
    bool list, cross;
    unsigned without; /* constants to leave out, one bit each */
    const char *left_out;
    table *at;
    unsigned count;
} question;

/* ---- the machine --------------------------------------------------------------------------- */

/* Reads the constants of composed iterations from the file of an accelerator. */
static void constants_of(const cluster *c, double to[COMPOSED_CONSTANTS]) {
    to[COMPOSED_EFFICIENCY] = c->npu.products ? c->npu.table_efficiency : c->npu.gemm_efficiency;
    to[COMPOSED_FLOOR] = c->npu.host_us;
    to[COMPOSED_VECTOR] = c->npu.vector_traffic / c->npu.memory_efficiency;
    to[COMPOSED_NODE] = c->runs.node_share;
    to[COMPOSED_NODES] = c->runs.nodes_share;
    to[COMPOSED_REPLICAS] = c->runs.replica_share;
    to[COMPOSED_STAGES] = c->runs.stage_share;
    to[COMPOSED_LATENCY] = c->runs.start_us;
    to[COMPOSED_ITERATION] = c->runs.iteration_us / 1e3;
    to[COMPOSED_TABLE] = c->npu.products != NULL;
    to[COMPOSED_HOP] = c->runs.hop_us;
}

static int read_machine(question *q) {
    const char *const file = q->start ? q->start : q->constants;
    int rc;

    memcpy(q->given, composed_sheet, sizeof q->given);
    if (!file) return EXIT_OK;
    q->machine = calloc(1, sizeof *q->machine);
    if (!q->machine) return message_no_memory();
    rc = accelerator_cluster(file, q->machine);
    constants_of(q->machine, q->given);
    return rc;
}

/* A measured_machine: products, attention and ring steps come from the accelerator's file.  The
 * values of the row's data sheet stay. */
static int study_machine(measured_row *r, double to[COMPOSED_CONSTANTS]) {
    static cluster machine; /* of the row before: rows of one machine follow each other */
    static char last[sizeof r->accelerator];
    char file[96];

    if (!*last || strcmp(last, r->accelerator) != 0) {
        int rc;

        snprintf(file, sizeof file, "accelerators/%s.yaml", r->accelerator);
        memset(&machine, 0, sizeof machine);
        rc = accelerator_cluster(file, &machine);
        if (rc != EXIT_OK) return rc;
        memcpy(last, r->accelerator, sizeof last);
    }
    constants_of(&machine, to);
    r->on.products = machine.npu.products;
    r->on.products_TFLOPS = machine.npu.matrix_TFLOPS;
    r->on.attention = machine.npu.attention_efficiency;
    r->on.attention_table = machine.npu.attention;
    return EXIT_OK;
}

/* Checks that a row ran on the machine of the file: a row with another peak did not. */
static int put_on(const question *q, const char *file, measured_row *r) {
    const npu *n;
    char found[64], expected[64];

    if (!q->machine) return EXIT_OK;
    n = &q->machine->npu;
    if (r->peak_column && fabs(r->on.peak_TFLOPS / n->matrix_TFLOPS - 1) > 0.01) {
        snprintf(found, sizeof found, "a row of %g TFLOP/s", r->on.peak_TFLOPS);
        snprintf(expected, sizeof expected, "%g, which the accelerator has", n->matrix_TFLOPS);
        yaml_error(file, r->line, r->peak_column, found, expected);
        return EXIT_USAGE;
    }
    r->on.peak_TFLOPS = n->matrix_TFLOPS;
    r->on.memory_GBps = n->memory_GBps;
    r->on.products = n->products;
    r->on.products_TFLOPS = n->matrix_TFLOPS;
    r->on.attention = n->attention_efficiency;
    r->on.attention_table = n->attention;
    return EXIT_OK;
}

/* ---- a file -------------------------------------------------------------------------------- */

static int predict(const table *t, const double c[COMPOSED_CONSTANTS], double *to) {
    for (unsigned i = 0; i < t->rows.count; i++) {
        to[i] = composed_ms(t->composed[i], c);
        if (isnan(to[i])) return message_no_memory();
    }
    return EXIT_OK;
}

/* True if the number is in a list like "16,42". */
static bool listed(const char *list, uint64_t number) {
    char word[24];

    for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(p, ","), p);
        if (strtoull(word, NULL, 10) == number) return true;
    }
    return false;
}

static int make_rows(table *t, const question *q) {
    const int fit = t->other ? FIT_NONE : q->fit;
    const unsigned n = t->rows.count;
    int rc = EXIT_OK;

    t->composed = calloc(n, sizeof(composed *));
    t->fitted = calloc(3 * (size_t)n, sizeof *t->fitted);
    t->sheet = calloc(2 * (size_t)n, sizeof *t->sheet);
    if (!t->composed || !t->fitted || !t->sheet) return message_no_memory();
    t->unseen = t->fitted + n;
    t->all = t->fitted + 2 * (size_t)n;
    t->predicted = t->sheet + n;
    for (unsigned i = 0; rc == EXIT_OK && i < n; i++) {
        t->all[i] = !listed(q->left_out, t->rows.at[i].number);
        t->fitted[i] = t->all[i] && (fit == FIT_ALL || (fit == FIT_HALF && i % 2 == 0));
        t->unseen[i] = t->all[i] && !t->fitted[i];
        rc = put_on(q, t->file, &t->rows.at[i]);
        if (rc == EXIT_OK) rc = composed_make(&t->rows.at[i], &t->composed[i]);
    }
    return rc;
}

enum { NINTHS = 9 };

/* Predicts each ninth of the fitted rows by a fit to the other rows. */
static int cross_validate(table *t, unsigned without) {
    const unsigned n = t->rows.count;
    bool *take = calloc(n, sizeof *take);
    double *one = calloc(n, sizeof *one), *out = calloc(n, sizeof *out);
    int rc = take && one && out ? EXIT_OK : message_no_memory();

    for (unsigned f = 0; rc == EXIT_OK && f < NINTHS; f++) {
        double value[COMPOSED_CONSTANTS];

        for (unsigned i = 0, k = 0; i < n; i++) take[i] = t->fitted[i] && k++ % NINTHS != f;
        memcpy(value, t->value, sizeof value);
        composed_fit(t->composed, &t->rows, take, without, value);
        rc = predict(t, value, one);
        for (unsigned i = 0; i < n; i++)
            if (t->fitted[i] && !take[i]) out[i] = one[i];
    }
    if (rc == EXIT_OK) rc = statistics_of(&t->rows, out, t->fitted, NULL, &t->of_crossed);
    free(take);
    free(one);
    free(out);
    return rc;
}

static int make_table(table *t, const question *q) {
    const bool fitted = q->fit != FIT_NONE && !t->other;
    char file[DATA_PATH];
    int rc = data_path_find(t->file, file) ? measured_read(file, &t->rows) : EXIT_USAGE;

    if (rc == EXIT_OK) rc = make_rows(t, q);
    memcpy(t->value, t->other ? q->at[0].value : q->given, sizeof t->value);
    if (rc == EXIT_OK) rc = predict(t, q->given, t->sheet);
    if (rc == EXIT_OK && fitted)
        composed_fit(t->composed, &t->rows, t->fitted, q->without, t->value);
    if (rc == EXIT_OK && q->cross && fitted) rc = cross_validate(t, q->without);
    if (rc == EXIT_OK) rc = predict(t, t->value, t->predicted);
    if (rc == EXIT_OK) rc = statistics_of(&t->rows, t->predicted, t->fitted, NULL, &t->of_fitted);
    return rc == EXIT_OK ? statistics_of(&t->rows, t->predicted, t->unseen, NULL, &t->of_unseen)
                         : rc;
}

static void free_table(table *t) {
    for (unsigned i = 0; t->composed && i < t->rows.count; i++) composed_free(t->composed[i]);
    free(t->composed);
    free(t->fitted);
    free(t->sheet);
    measured_free(&t->rows);
}

/* ---- what is printed ----------------------------------------------------------------------- */

static cJSON *row_list(const table *t, int fit) {
    cJSON *list = cJSON_CreateArray();

    for (unsigned i = 0; i < t->rows.count; i++) {
        const measured_row *r = &t->rows.at[i];
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "file", t->file);
        measured_row_add(o, r, composed_strategy(t->composed[i]),
                         fit == FIT_NONE ? ""
                         : t->fitted[i]  ? "fitted"
                         : t->unseen[i]  ? "unseen"
                                         : "left out",
                         t->sheet[i], t->predicted[i]);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static int add_sections(cJSON *root, const char *name, const char *by_strategy, const table *t,
                        const double *predicted, const bool *take) {
    const int rc = measured_section(root, name, &t->rows, predicted, take, false);

    return rc == EXIT_OK ? measured_section(root, by_strategy, &t->rows, predicted, take, true)
                         : rc;
}

static int make(const table *t, const question *q, cJSON *root) {
    cJSON *constants;
    int rc;

    cJSON_AddStringToObject(root, "rows_of", t->file);
    cJSON_AddNumberToObject(root, "rows", t->rows.count);
    if (q->machine)
        cJSON_AddStringToObject(root, "machine_file", q->start ? q->start : q->constants);
    if (t->other) cJSON_AddStringToObject(root, "constants_of", q->at[0].file);
    constants = cJSON_AddObjectToObject(root, "constants");
    for (unsigned i = 0; (q->fit != FIT_NONE || q->machine) && i < COMPOSED_CONSTANTS; i++)
        cJSON_AddNumberToObject(constants, composed_names[i], t->value[i]);
    rc = add_sections(root, "zero_shot", "zero_shot_by_strategy", t, t->sheet, t->all);
    if (rc == EXIT_OK && q->fit != FIT_NONE && !t->other)
        rc = add_sections(root, "calibrated_fitted_rows", "calibrated_fitted_rows_by_strategy", t,
                          t->predicted, t->fitted);
    if (rc == EXIT_OK && (q->fit == FIT_HALF || t->other))
        rc = add_sections(root, "calibrated_unseen_rows", "calibrated_unseen_rows_by_strategy", t,
                          t->predicted, t->unseen);
    if (q->cross && !t->other)
        cJSON_AddNumberToObject(root, "cross_validated_error", t->of_crossed.mean);
    if (rc == EXIT_OK && q->list) cJSON_AddItemToObject(root, "row_list", row_list(t, q->fit));
    return rc;
}

static void print_table(const cJSON *root) {
    const char *const sections[][2] = {
        { "zero_shot", cJSON_GetObjectItem(root, "machine_file")
                           ? "as the accelerator's file says, all rows"
                           : "zero-shot: data sheets alone, all rows" },
        { "zero_shot_by_strategy", "the same by strategy" },
        { "calibrated_fitted_rows", "calibrated: the rows that were fitted" },
        { "calibrated_fitted_rows_by_strategy", "the same by strategy" },
        { "calibrated_unseen_rows", "calibrated: the rows that were not" },
        { "calibrated_unseen_rows_by_strategy", "the same by strategy" },
    };
    const cJSON *constants = cJSON_GetObjectItem(root, "constants");

    printf("%s: %.0f measured iterations\n", cJSON_GetObjectItem(root, "rows_of")->valuestring,
           measured_get(root, "rows"));
    if (cJSON_GetArraySize(constants))
        printf("\n%-23s %-6s %13s %13s\n", "constant", "unit", "data sheet", "calibrated");
    for (unsigned i = 0; cJSON_GetArraySize(constants) && i < COMPOSED_CONSTANTS; i++)
        printf("%-23s %-6s %13g %13.5g\n", composed_names[i], composed_units[i], composed_sheet[i],
               measured_get(constants, composed_names[i]));
    for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++)
        measured_print_section(root, sections[i][0], sections[i][1]);
    if (cJSON_GetObjectItem(root, "cross_validated_error"))
        printf("\ncross-validated within the fitted rows: mean %.2f %%\n",
               100 * measured_get(root, "cross_validated_error"));
    if (cJSON_GetObjectItem(root, "row_list"))
        measured_rows_print(cJSON_GetObjectItem(root, "row_list"), 15, 39, 10);
    putchar('\n');
}

static void print_tables(const cJSON *all, const void *self) {
    const cJSON *one;

    (void)self;
    cJSON_ArrayForEach(one, all) print_table(one);
}

static int print(const question *q) {
    cJSON *all = cJSON_CreateArray(), *one;
    int rc = EXIT_OK;

    if (q->format == FORMAT_CSV) {
        for (unsigned i = 0; i < q->count; i++) {
            cJSON *list = row_list(&q->at[i], q->fit);

            while ((one = cJSON_DetachItemFromArray(list, 0))) cJSON_AddItemToArray(all, one);
            cJSON_Delete(list);
        }
    }
    for (unsigned i = 0; q->format != FORMAT_CSV && rc == EXIT_OK && i < q->count; i++) {
        one = cJSON_CreateObject();
        cJSON_AddItemToArray(all, one);
        rc = make(&q->at[i], q, one);
    }
    if (rc == EXIT_OK) return result_print(all, q->format, &(result_form){ .table = print_tables });
    cJSON_Delete(all);
    return rc;
}

/* Writes a text in double quotes. */
static void put_quoted(FILE *to, const char *text) {
    putc('"', to);
    for (; *text; text++) fprintf(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    putc('"', to);
}

static double at_most_one(double share) { return share < 1 ? share : 1; }

/* Writes the file of an accelerator: the machine that the rows ran on, with the constants that
 * acesim train uses. */
static int write_machine(const question *q) {
    const table *const t = &q->at[0];
    const measured_hardware *const on = &t->rows.at[0].on;
    const npu *const n = q->machine ? &q->machine->npu : NULL;
    const double *const v = t->value;
    char text[256];
    atomic_file f;
    const int rc = atomic_file_open(&f, q->output);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to,
            "# An accelerator with constants of composed iterations (acesim fit), calibrated\n"
            "# fitted_error: %.6f    mean, of the rows fitted\n",
            t->of_fitted.mean);
    if (!isnan(t->of_unseen.mean))
        fprintf(f.to, "# unseen_error: %.6f    mean, of the other rows\n", t->of_unseen.mean);
    for (unsigned k = 0; k < COMPOSED_CONSTANTS; k++)
        fprintf(f.to, "# %s: %.10g%s%s\n", composed_names[k], v[k],
                *composed_units[k] ? "    " : "", composed_units[k]);
    fprintf(f.to,
            "name: fitted\nnpu:\n  matrix: %.10g TFLOPS\n  memory_bandwidth: %.10g GB/s\n"
            "  memory_traffic: together\n  memory_efficiency: 1\n",
            on->peak_TFLOPS, on->memory_GBps);
    if (n) fprintf(f.to, "  sms: %u\n  vector: %.10g TFLOPS\n", n->sms, n->vector_TFLOPS);
    if (n && n->memory_bytes) fprintf(f.to, "  memory: %" PRIu64 " B\n", n->memory_bytes);
    if (on->attention > 0) fprintf(f.to, "  attention_efficiency: %.10g\n", on->attention);
    if (n && n->attention) {
        fprintf(f.to, "  attention_table: ");
        put_quoted(f.to, q->machine->attention_table);
        fprintf(f.to, "\n");
    }
    if (on->products) {
        fprintf(f.to, "  gemm_table: ");
        put_quoted(f.to, n && n->products == on->products ? q->machine->gemm_table
                                                          : gemm_table_file(on->products));
        fprintf(f.to, "\n  table_efficiency: %.10g\n", v[COMPOSED_EFFICIENCY]);
    }
    fprintf(f.to,
            "  gemm_efficiency: %.10g\n  convolution_efficiency: %.10g\n  host: %.10g us\n"
            "  vector_traffic: %.10g\n",
            v[COMPOSED_EFFICIENCY], v[COMPOSED_EFFICIENCY], v[COMPOSED_FLOOR],
            fmin(fmax(v[COMPOSED_VECTOR], 0.001), 1000));
    fprintf(f.to,
            "collectives:\n  node_share: %.10g\n  nodes_share: %.10g\n  replica_share: %.10g\n"
            "  stage_share: %.10g\n  start: %.10g us\n  hop: %.10g us\n"
            "  iteration: %.10g us\n",
            at_most_one(v[COMPOSED_NODE]), at_most_one(v[COMPOSED_NODES]),
            at_most_one(v[COMPOSED_REPLICAS]), at_most_one(v[COMPOSED_STAGES]), v[COMPOSED_LATENCY],
            v[COMPOSED_HOP], fmin(1e3 * v[COMPOSED_ITERATION], 1e6));
    snprintf(text, sizeof text, "%s of %.200s",
             q->fit == FIT_ALL ? "all rows" : "each second row, from the first on,", t->file);
    fprintf(f.to, "fitted_on: ");
    put_quoted(f.to, text);
    fprintf(f.to, "\n");
    if (t->of_unseen.mean <= 1) fprintf(f.to, "unseen_error: %.6g\n", t->of_unseen.mean);
    return atomic_file_close(&f);
}

/* ---- arguments ----------------------------------------------------------------------------- */

static bool take_without(void *question_, unsigned row, const char *text) {
    question *const q = question_;

    (void)row;
    for (const char *p = text;; p++) {
        const size_t n = strcspn(p, ",");
        unsigned i = 0;

        while (i < COMPOSED_CONSTANTS &&
               (strlen(composed_names[i]) != n || strncmp(p, composed_names[i], n) != 0))
            i++;
        if (i == COMPOSED_CONSTANTS) return false;
        q->without |= 1U << i;
        p += n;
        if (!*p) return true;
    }
}

/* Checks a list of numbers with commas between them. */
static bool take_left_out(void *question_, unsigned row, const char *list) {
    const char *p = list;

    (void)row;
    ((question *)question_)->left_out = list;
    while (*p >= '1' && *p <= '9') {
        p += strspn(p, "0123456789");
        if (!*p) return true;
        p += *p == ',';
    }
    return false;
}

/* Checks that each left-out number is a row of some file. */
static int check_left_out(const question *q) {
    for (const char *p = q->left_out; p && *p; p += strcspn(p, ","), p += *p == ',') {
        const uint64_t number = strtoull(p, NULL, 10);
        bool there = false;

        for (unsigned i = 0; i < q->count; i++)
            for (unsigned k = 0; k < q->at[i].rows.count; k++)
                there = there || q->at[i].rows.at[k].number == number;
        if (!there)
            return option_refuse("measured", "leave-out", p, "numbers of rows that the files have");
    }
    return EXIT_OK;
}

static void print_study(const cJSON *all, const void *self) {
    (void)self;
    measured_study_print(all);
}

/* All sets in one table. */
static int run_study(const question *q) {
    cJSON *const all = cJSON_CreateArray();
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < sizeof sets / sizeof *sets; i++)
        rc = measured_study_add(sets[i], study_machine, all);
    if (rc == EXIT_OK) return result_print(all, q->format, &(result_form){ .table = print_study });
    cJSON_Delete(all);
    return rc;
}

static bool asks_of_files(const question *q) {
    return q->fit != FIT_HALF || q->start || q->constants || q->predict || q->output || q->cross ||
           q->list || q->without || q->left_out || q->format == FORMAT_CSV;
}

static int run(question *q, char *const *file, unsigned files) {
    int rc = EXIT_OK;

    if (!files && !asks_of_files(q)) return run_study(q);

    if (q->start && q->constants)
        return option_refuse("measured", "constants", q->constants, "it or --start, not both");
    if (q->constants) q->fit = FIT_NONE;
    if (q->output && q->fit == FIT_NONE)
        return option_refuse("measured", "output", q->output, "a fit");
    if (q->predict && q->fit == FIT_NONE)
        return option_refuse("measured", "predict", q->predict, "a fit");
    if (q->cross && q->fit == FIT_NONE)
        return option_refuse("measured", "fit", "none", "a fit, for --cross-validate");
    if ((q->output || q->predict) && files != 1)
        return option_refuse("measured", q->output ? "output" : "predict",
                             q->output ? q->output : q->predict, "one file of rows with it");
    rc = read_machine(q);
    q->count = files ? files : sizeof shipped / sizeof *shipped;
    q->at = calloc(q->count + 1, sizeof *q->at);
    if (!q->at) return message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < q->count; i++) {
        q->at[i].file = files ? file[i] : shipped[i];
        rc = make_table(&q->at[i], q);
    }
    if (rc == EXIT_OK && q->predict) {
        q->at[q->count] = (table){ .file = q->predict, .other = true };
        rc = make_table(&q->at[q->count++], q);
    }
    if (rc == EXIT_OK) rc = check_left_out(q);
    if (rc == EXIT_OK) rc = print(q);
    if (rc == EXIT_OK && q->output) rc = write_machine(q);
    for (unsigned i = 0; i < q->count; i++) free_table(&q->at[i]);
    free(q->at);
    free(q->machine);
    return rc;
}

static const option_row rows[] = {
    FIT_ROW(question, fit),
    { "without", "LIST", OPTION_OWN, 0,
      .text = "constants, by name, that keep the values of data sheets",
      .accepted = "names of constants, as the table has them", .take = take_without },
    { "leave-out", "LIST", OPTION_OWN, 0,
      .text = "rows, by number, that are neither fitted nor counted: what is left\n"
              "is the error without whatever they have that no mechanism here is",
      .accepted = "numbers of rows such as 16,42", .take = take_left_out },
    { "cross-validate", NULL, OPTION_FLAG, offsetof(question, cross),
      .text = "predict each ninth of the fitted rows by a fit to the other eight" },
    { "output", "FILE", OPTION_TEXT, offsetof(question, output),
      .text =
          "write an accelerator file with the constants, the rows they were fitted on, and their "
          "error" },
    { "start", "FILE", OPTION_TEXT, offsetof(question, start),
      .text = "accelerator file for the rows, in place of the one that they name" },
    { "constants", "FILE", OPTION_TEXT, offsetof(question, constants),
      .text = "the same, and predict with its constants; nothing is fitted" },
    { "predict", "ROWS.csv", OPTION_TEXT, offsetof(question, predict),
      .text = "other rows to predict, which are not fitted" },
    { "rows", NULL, OPTION_FLAG, offsetof(question, list),
      .text = "also print a line for each row" },
    OPTION_FORMAT_ROW(question, format, "table, json or csv; csv has the lines of the rows"),
};
static const option_table options = {
    .command = "measured",
    .about =
        "usage: acesim fit [measured] [ROWS.csv...] [OPTIONS]\n\n"
        "Predicts measured training iterations from the plan of their strategy: what is\n"
        "computed and sent, in which order, and what overlaps. The first prediction is\n"
        "zero-shot, from data sheets alone. The second fits constants on half of a file's rows.\n"
        "Errors on the other half are listed by model and by degree of tensor and pipeline\n"
        "parallelism. rank is Spearman's correlation of predicted and measured times. chosen is\n"
        "the time of the strategy predicted fastest divided by the fastest time, among rows of\n"
        "one model, rank count and batch.\n"
        "\n"
        "Each file is fitted separately, as the hardware differs. scripts/measured-tables.py\n"
        "makes such files from published tables.\n"
        "\n"
        "acesim study measured without files prints one table of all sets that are shipped, by\n"
        "set and by accelerator. It lists zero-shot errors with the accelerator's file and, for\n"
        "sets of 12 rows or more, errors of rows that were not fitted. Then it prints the\n"
        "zero-shot error without each mechanism, and how the\n"
        "throughput of a GPU falls within each platform, and Llama 3.1 405B on up to 8,192 GPUs.\n\n",
    .tail = "\nexample: acesim fit measured measured/vtrain/vtrain_multi_node_even.csv --rows\n",
    .most = -1,
    .group = { OPTION_GROUP(rows) },
};

int command_measured(int argc, char **argv) {
    question q = { .fit = FIT_HALF };
    unsigned files = 0;
    int rc;
    char **const file = option_table_read(&options, argc, argv, &q, &rc);

    if (!file) return rc;
    while (file[files]) files++;
    return run(&q, file, files);
}

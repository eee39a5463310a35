/* SPDX-License-Identifier: Apache-2.0 */
/* command_closed_form.c -- acesim closed-form: seven constants against measured iterations */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "closed_form.h"
#include "command_plan.h"
#include "constants_file.h"
#include "data_path.h"
#include "exit_status.h"
#include "figures.h"
#include "measured_errors.h"
#include "message.h"
#include "option_table.h"
#include "result_print.h"
#include "statistics.h"
#include "values.h"

typedef struct question {
    const char *file, *constants, *output;
    closed_form_node node;
    int fit;
    format format;
    option_line line;
    bool limited, list;
    measured_rows rows;
    bool *fitted, *unseen, *all; /* for each row */
    double *sheet, *predicted;   /* ms */
    constants_file calibrated;
} question;

/* ---- the object ---------------------------------------------------------------------------- */

static int add_section(cJSON *root, const char *name, const question *q, const double *predicted,
                       const bool *take) {
    return measured_section(root, name, &q->rows, predicted, take, false);
}

static void add_constants(cJSON *root, const question *q) {
    cJSON *list = cJSON_AddArrayToObject(root, "constants");

    for (unsigned i = 0; i < CONSTANTS; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "constant", constant_names[i]);
        cJSON_AddStringToObject(o, "unit", constant_units[i]);
        cJSON_AddNumberToObject(o, "data_sheet", constants_of_data_sheets[i]);
        if (q->fit != FIT_NONE || q->constants) {
            cJSON_AddNumberToObject(o, "calibrated", q->calibrated.value[i]);
            cJSON_AddBoolToObject(o, "beyond_hardware", q->calibrated.value[i] > constants_most[i]);
        }
        cJSON_AddItemToArray(list, o);
    }
}

static cJSON *row_list(const question *q) {
    cJSON *list = cJSON_CreateArray();

    for (unsigned i = 0; i < q->rows.count; i++) {
        const measured_row *r = &q->rows.at[i];
        cJSON *o = cJSON_CreateObject();

        measured_row_add(o, r, &r->strategy,
                         q->fitted[i]   ? "fitted"
                         : q->constants ? ""
                                        : "unseen",
                         q->sheet[i], q->predicted[i]);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static int make(const question *q, cJSON *root) {
    int rc;

    cJSON_AddStringToObject(root, "rows_of", q->file);
    cJSON_AddNumberToObject(root, "rows", q->rows.count);
    if (*q->calibrated.fitted_on)
        cJSON_AddStringToObject(root, "fitted_on", q->calibrated.fitted_on);
    add_constants(root, q);
    rc = add_section(root, "zero_shot", q, q->sheet, q->all);
    if (rc == EXIT_OK && q->constants)
        return add_section(root, "calibrated", q, q->predicted, q->all);
    if (rc == EXIT_OK && q->fit != FIT_NONE)
        rc = add_section(root, "calibrated_fitted_rows", q, q->predicted, q->fitted);
    if (rc == EXIT_OK && q->fit == FIT_HALF)
        rc = add_section(root, "calibrated_unseen_rows", q, q->predicted, q->unseen);
    return rc;
}

/* ---- for people ---------------------------------------------------------------------------- */

static void print_table(const cJSON *root, const void *self) {
    const question *const q = self;
    const cJSON *o;

    printf("%s: %u measured iterations\n\n%-21s %-7s %13s %13s\n", q->file, q->rows.count,
           "constant", "unit", "data sheet",
           q->fit == FIT_NONE && !q->constants ? "" : "calibrated");
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(root, "constants")) {
        printf("%-21s %-7s %13g", json_string(o, "constant"), json_string(o, "unit"),
               measured_get(o, "data_sheet"));
        if (cJSON_GetObjectItem(o, "calibrated"))
            printf("%14.5g%s", measured_get(o, "calibrated"),
                   cJSON_IsTrue(cJSON_GetObjectItem(o, "beyond_hardware"))
                       ? "  beyond what the hardware could do"
                       : "");
        putchar('\n');
    }
    measured_print_section(root, "zero_shot", "zero-shot: constants of data sheets, all rows");
    measured_print_section(root, "calibrated", "calibrated: constants of the file, all rows");
    measured_print_section(root, "calibrated_fitted_rows",
                           "fitted constants: rows that were fitted");
    measured_print_section(root, "calibrated_unseen_rows",
                           "fitted constants: rows that were not fitted");
    if (q->list) measured_rows_print(cJSON_GetObjectItem(root, "row_list"), 13, 35, 8);
}

static int print(const question *q) {
    cJSON *root = cJSON_CreateObject();
    const int rc = make(q, root);

    if (rc != EXIT_OK) {
        cJSON_Delete(root);
        return rc;
    }
    if (q->list || q->format == FORMAT_CSV) cJSON_AddItemToObject(root, "row_list", row_list(q));
    return result_print(
        root, q->format,
        &(result_form){ .table = print_table, .self = q, .rows = "row_list", .line = &q->line });
}

/* ---- constants ----------------------------------------------------------------------------- */

static void predict(const question *q, const double c[CONSTANTS], double *to) {
    for (unsigned i = 0; i < q->rows.count; i++)
        to[i] = closed_form_ms(&q->node, c, &q->rows.at[i]);
}

static int calibrate(question *q) {
    constants_file *c = &q->calibrated;
    const char *slash = strrchr(q->file, '/');
    statistics s;
    int rc;

    memcpy(c->value, constants_of_data_sheets, sizeof c->value);
    c->fitted_error = c->unseen_error = NAN;
    if (q->fit == FIT_NONE) return EXIT_OK;
    closed_form_fit(&q->node, &q->rows, q->fitted, q->limited, c->value);
    snprintf(c->fitted_on, sizeof c->fitted_on, "%s of %.200s%s",
             q->fit == FIT_ALL ? "all rows" : "each second row, from the first on,",
             slash ? slash + 1 : q->file, q->limited ? ", limited" : "");
    predict(q, c->value, q->predicted);
    rc = statistics_of(&q->rows, q->predicted, q->fitted, NULL, &s);
    c->fitted_error = s.mean;
    if (rc == EXIT_OK) rc = statistics_of(&q->rows, q->predicted, q->unseen, NULL, &s);
    c->unseen_error = s.mean;
    return rc;
}

static int answer(question *q) {
    const unsigned n = q->rows.count;
    int rc;

    q->fitted = calloc(3 * (size_t)n, sizeof *q->fitted);
    q->sheet = calloc(2 * (size_t)n, sizeof *q->sheet);
    if (!q->fitted || !q->sheet) return message_no_memory();
    q->unseen = q->fitted + n;
    q->all = q->fitted + 2 * (size_t)n;
    q->predicted = q->sheet + n;
    for (unsigned i = 0; i < n; i++) {
        q->all[i] = true;
        q->fitted[i] = !q->constants && (q->fit == FIT_ALL || (q->fit == FIT_HALF && i % 2 == 0));
        q->unseen[i] = !q->fitted[i];
    }
    rc = q->constants ? constants_read(q->constants, &q->calibrated) : calibrate(q);
    if (rc != EXIT_OK) return rc;
    predict(q, constants_of_data_sheets, q->sheet);
    predict(q, q->calibrated.value, q->predicted);
    rc = print(q);
    return rc == EXIT_OK && q->output ? constants_write(q->output, &q->calibrated) : rc;
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Checks that all rows fit the one kind of iteration that the formula describes. */
static int check(const question *q) {
    char text[STRATEGY_TEXT];

    for (unsigned i = 0; i < q->rows.count; i++) {
        const measured_row *r = &q->rows.at[i];

        if (r->strategy.recompute == RECOMPUTE_FULL && !r->any_micro_batch && !r->strategy.zero &&
            r->strategy.chunks == 1 && r->strategy.degree[AXIS_CP] == 1 && !r->strategy.sequence &&
            r->strategy.experts == 1 && !r->model.experts.count)
            continue;
        fprintf(stderr,
                "acesim fit closed-form: %s: found row %" PRIu64 " of %s%s, expected full "
                "recomputation and no zero, sp, cp, ep or v: acesim measured takes all\n",
                q->file, r->number, strategy_print(&r->strategy, text),
                r->any_micro_batch ? ", whose micro-batch is not known" : "");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int run(question *q) {
    char file[DATA_PATH];
    int rc;

    if (q->constants && q->output)
        return option_refuse("fit closed-form", "output", q->output, "no --constants beside it");
    if (q->output && q->fit == FIT_NONE)
        return option_refuse("fit closed-form", "output", q->output, "a fit");
    if (!data_path_find(q->file, file)) return EXIT_USAGE;
    rc = measured_read(file, &q->rows);
    if (rc == EXIT_OK) rc = check(q);
    if (rc == EXIT_OK) rc = answer(q);
    free(q->fitted);
    free(q->sheet);
    measured_free(&q->rows);
    return rc;
}

static const option_row rows[] = {
    FIT_ROW(question, fit),
    { "limited", NULL, OPTION_FLAG, offsetof(question, limited),
      .text = "keep every constant within what the hardware could do" },
    { "constants", "FILE", OPTION_TEXT, offsetof(question, constants),
      .text = "constants to use; none are fitted" },
    { "output", "FILE", OPTION_TEXT, offsetof(question, output),
      .text = "write the constants, the rows they were fitted on, and their error" },
    { "rows", NULL, OPTION_FLAG, offsetof(question, list),
      .text = "also print a line for each row" },
    { "peak", "TFLOPS", OPTION_POSITIVE, offsetof(question, node.peak_TFLOPS),
      .text = "peak rate of a rank [312, of an A100]", .accepted = "TFLOP/s above 0",
      .high = 1000000000 },
    { "memory", "GBPS", OPTION_POSITIVE, offsetof(question, node.memory_GBps),
      .text = "bandwidth of a rank's memory [2039, of an A100]", .accepted = "GB/s above 0",
      .high = 1000000000 },
    { "gpus-per-node", "N", OPTION_UNSIGNED, offsetof(question, node.gpus),
      .text = "GPUs in a node [8]", .accepted = "a number, 1 to 1024", .low = 1, .high = 1024 },
    OPTION_FORMAT_ROW(question, format, "table, json or csv; csv has the lines of the rows"),
};
static const option_table options = {
    .command = "fit closed-form",
    .about =
        "usage: acesim fit closed-form ROWS.csv [OPTIONS]\n\n"
        "Measured iterations of training, predicted by a closed form of seven constants: the baseline\n"
        "that a model with the mechanisms in it should beat.  First zero-shot, with constants of data\n"
        "sheets alone; then with constants fitted on some of the rows, and the errors of the others\n"
        "apart.  rank is Spearman's correlation of predicted and measured times; chosen is the time\n"
        "of the strategy predicted fastest over the fastest, where several have the same model,\n"
        "ranks and batch.\n\n",
    .tail = "\nexample: acesim fit closed-form measured/vtrain/vtrain_multi_node_even.csv --rows\n",
    .least = 1,
    .most = 1,
    .expected = "one ROWS.csv",
    .group = { OPTION_GROUP(rows) },
};

int command_closed_form(int argc, char **argv) {
    question q = { .node = CLOSED_FORM_A100, .fit = FIT_HALF };
    int rc;
    char **const file = option_table_read(&options, argc, argv, &q, &rc);

    if (!file) return rc;
    q.file = *file;
    q.line = (option_line){ &options, argc, argv };
    return run(&q);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* command_measured.c -- acesim measured: predicts measured iterations from their parts */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_file.h"
#include "command_plan.h"
#include "exit_status.h"
#include "measured_fit.h"
#include "measured_study.h"
#include "message.h"
#include "option_table.h"
#include "result_print.h"
#include "values.h"

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
                                    "measured/runs/mlperf_llama2_70b_lora_given.csv",
                                    "measured/runs/dgxc_steps_given.csv" };
static const char *const shipped[] = { "measured/vtrain/vtrain_multi_node_even.csv",
                                       "measured/vtrain/vtrain_single_node_sample.csv" };

typedef struct question {
    measured_fit_how how;
    const char *output, *start, *constants, *predict;
    cluster *machine; /* from --start or --constants, or NULL */
    format format;
    measured_fit *at;
    unsigned count;
} question;

/* ---- the machine --------------------------------------------------------------------------- */

/* Reads the machine that the options name for all rows. */
static int read_machine(question *q) {
    const char *const file = q->start ? q->start : q->constants;
    int rc;

    memcpy(q->how.given, composed_sheet, sizeof q->how.given);
    if (!file) return EXIT_OK;
    q->how.machine = q->machine = calloc(1, sizeof *q->machine);
    if (!q->machine) return message_no_memory();
    q->how.machine_file = file;
    rc = accelerator_cluster(file, q->machine);
    measured_fit_constants(q->machine, q->how.given);
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
    measured_fit_constants(&machine, to);
    r->on.products = machine.npu.products;
    r->on.products_TFLOPS = machine.npu.matrix_TFLOPS;
    r->on.attention = machine.npu.attention_efficiency;
    r->on.attention_table = machine.npu.attention;
    return EXIT_OK;
}

/* ---- what is printed ----------------------------------------------------------------------- */

static void print_tables(const cJSON *all, const void *self) {
    const cJSON *one;

    (void)self;
    cJSON_ArrayForEach(one, all) measured_fit_print(one);
}

static int print(const question *q) {
    cJSON *all = cJSON_CreateArray(), *one;
    int rc = EXIT_OK;

    if (q->format == FORMAT_CSV) {
        for (unsigned i = 0; i < q->count; i++) {
            cJSON *list = measured_fit_rows(&q->at[i], q->how.fit);

            while ((one = cJSON_DetachItemFromArray(list, 0))) cJSON_AddItemToArray(all, one);
            cJSON_Delete(list);
        }
    }
    for (unsigned i = 0; q->format != FORMAT_CSV && rc == EXIT_OK && i < q->count; i++) {
        one = cJSON_CreateObject();
        cJSON_AddItemToArray(all, one);
        rc = measured_fit_result(&q->at[i], &q->how, one);
    }
    if (rc == EXIT_OK) return result_print(all, q->format, &(result_form){ .table = print_tables });
    cJSON_Delete(all);
    return rc;
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
        q->how.without |= 1U << i;
        p += n;
        if (!*p) return true;
    }
}

/* Checks a list of numbers with commas between them. */
static bool take_left_out(void *question_, unsigned row, const char *list) {
    const char *p = list;

    (void)row;
    ((question *)question_)->how.left_out = list;
    while (*p >= '1' && *p <= '9') {
        p += strspn(p, "0123456789");
        if (!*p) return true;
        p += *p == ',';
    }
    return false;
}

/* Checks that each left-out number is a row of some file. */
static int check_left_out(const question *q) {
    for (const char *p = q->how.left_out; p && *p; p += strcspn(p, ","), p += *p == ',') {
        const uint64_t number = strtoull(p, NULL, 10);
        bool there = false;

        for (unsigned i = 0; i < q->count; i++)
            for (unsigned k = 0; k < q->at[i].rows.count; k++)
                there = there || q->at[i].rows.at[k].number == number;
        if (!there)
            return option_refuse("fit measured", "leave-out", p,
                                 "numbers of rows that the files have");
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

static bool needs_files(const question *q) {
    return q->how.fit != FIT_HALF || q->start || q->constants || q->predict || q->output ||
           q->how.cross || q->how.list || q->how.without || q->how.left_out ||
           q->format == FORMAT_CSV;
}

static int run(question *q, char *const *file, unsigned files) {
    int rc = EXIT_OK;

    if (!files && !needs_files(q)) return run_study(q);

    if (q->start && q->constants)
        return option_refuse("fit measured", "constants", q->constants, "it or --start, not both");
    if (q->constants) q->how.fit = FIT_NONE;
    if (q->output && q->how.fit == FIT_NONE)
        return option_refuse("fit measured", "output", q->output, "a fit");
    if (q->predict && q->how.fit == FIT_NONE)
        return option_refuse("fit measured", "predict", q->predict, "a fit");
    if (q->how.cross && q->how.fit == FIT_NONE)
        return option_refuse("fit measured", "fit", "none", "a fit, for --cross-validate");
    if ((q->output || q->predict) && files != 1)
        return option_refuse("fit measured", q->output ? "output" : "predict",
                             q->output ? q->output : q->predict, "one file of rows with it");
    rc = read_machine(q);
    q->count = files ? files : sizeof shipped / sizeof *shipped;
    q->at = calloc(q->count + 1, sizeof *q->at);
    if (!q->at) return message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < q->count; i++) {
        q->at[i].file = files ? file[i] : shipped[i];
        rc = measured_fit_make(&q->at[i], &q->how);
    }
    if (rc == EXIT_OK && q->predict) {
        q->at[q->count] = (measured_fit){ .file = q->predict, .other = &q->at[0] };
        rc = measured_fit_make(&q->at[q->count++], &q->how);
    }
    if (rc == EXIT_OK) rc = check_left_out(q);
    if (rc == EXIT_OK) rc = print(q);
    if (rc == EXIT_OK && q->output) rc = measured_fit_write(&q->at[0], &q->how, q->output);
    for (unsigned i = 0; i < q->count; i++) measured_fit_free(&q->at[i]);
    free(q->at);
    free(q->machine);
    return rc;
}

static const option_row rows[] = {
    FIT_ROW(question, how.fit),
    { "without", "LIST", OPTION_OWN, 0,
      .text = "constants, by name, that keep the values of data sheets",
      .accepted = "names of constants, as the table has them", .take = take_without },
    { "leave-out", "LIST", OPTION_OWN, 0,
      .text = "rows, by number, to leave out of the fit and of the errors",
      .accepted = "numbers of rows such as 16,42", .take = take_left_out },
    { "cross-validate", NULL, OPTION_FLAG, offsetof(question, how.cross),
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
      .text = "rows that the fitted constants also predict; a warning says if the fit\n"
              "more than doubles their error" },
    { "rows", NULL, OPTION_FLAG, offsetof(question, how.list),
      .text = "also print a line for each row" },
    OPTION_FORMAT_ROW(question, format, "table, json or csv; csv has the lines of the rows"),
};
static const option_table options = {
    .command = "fit measured",
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
        "acesim fit without files prints one table of all sets that are shipped, in a minute, by\n"
        "set and by accelerator. It lists zero-shot errors with the accelerator's file and, for\n"
        "sets of 12 rows or more, errors of rows that were not fitted. Then it prints the\n"
        "zero-shot error without each mechanism, and how the\n"
        "throughput of a GPU falls within each platform, and Llama 3.1 405B on up to 8,192 GPUs.\n\n",
    .tail = "\nexample: acesim fit measured measured/vtrain/vtrain_multi_node_even.csv --rows\n",
    .most = -1,
    .group = { OPTION_GROUP(rows) },
};

int command_measured(int argc, char **argv) {
    question q = { .how = { .fit = FIT_HALF } };
    unsigned files = 0;
    int rc;
    char **const file = option_table_read(&options, argc, argv, &q, &rc);

    if (!file) return rc;
    while (file[files]) files++;
    return run(&q, file, files);
}

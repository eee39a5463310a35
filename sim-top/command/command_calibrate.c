/* SPDX-License-Identifier: Apache-2.0 */
/* command_calibrate.c -- acesim calibrate: the calibrated node of a cluster, and its errors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "cluster.h"
#include "collective_fit.h"
#include "command.h"
#include "data_path.h"
#include "exit_status.h"
#include "export.h"
#include "figures.h"
#include "iterations.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "residuals.h"
#include "result_print.h"
#include "run_cost.h"
#include "setup.h"
#include "sweep_file.h"
#include "values.h"

enum { GIVEN_MOST = 16 };
#define UNSEEDED UINT64_MAX

typedef struct question {
    calibrate_order order;
    const char *output, *check, *exported;
    collective_question measured; /* file is NULL if not requested */
    bool rows;
    int rung;      /* index into rungs[] */
    uint64_t seed; /* UNSEEDED: derived from the experiment */
    iteration_check iterations[ITERATIONS_MOST];
    /* names, and the files found for them */
    char workloads[DATA_PATH], workload[ITERATIONS_MOST][DATA_PATH];
    unsigned iteration_count;
    experiment given[GIVEN_MOST];
    double limit;  /* of a mean error; 0: no limit */
    int to_export; /* an export_format, or -1 */
    format format;
    option_line line;
    char database[4096];
} question;

/* ---- the command line ---------------------------------------------------------------------- */

static const char *const json_or_table[] = { "table", "json", NULL };
static const char *const rungs[] = { "cycle", "rtl", NULL };

/* Reads a fabric's ranks and nodes. The first dimension is within a node; the others are between
 * nodes. */
static bool read_fabric(const char *value, collective_fabric *f) {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS];
    const unsigned sizes = parse_topology(value, ring, wiring);

    if (!sizes || ring[0] < 2) return false;
    f->nodes = 1;
    for (unsigned d = 1; d < sizes; d++) f->nodes *= ring[d];
    f->ranks = ring[0] * f->nodes;
    return true;
}

static bool take_fabric(void *question_, unsigned row, const char *value) {
    collective_question *const m = &((question *)question_)->measured;

    (void)row;
    m->fabric_text = value;
    return read_fabric(value, &m->fabric);
}

static bool take_predict_fabric(void *question_, unsigned row, const char *value) {
    collective_question *const m = &((question *)question_)->measured;

    (void)row;
    m->predict_fabric_text = value;
    return read_fabric(value, &m->predict_fabric);
}

static bool take_sizes(void *question_, unsigned row, const char *value) {
    double *const size = ((question *)question_)->measured.size;
    char text[96], *rest = NULL, *word;
    unsigned n = 0;

    (void)row;
    if (strlen(value) >= sizeof text) return false;
    strcpy(text, value);
    for (char *p = text; (word = strtok_r(p, ",", &rest)); p = NULL, n++) {
        uint64_t bytes;

        if (n == FORM_SIZES || !parse_size(word, &bytes) || !bytes) return false;
        size[n] = (double)bytes;
        if (n && size[n] <= size[n - 1]) return false;
    }
    return n == FORM_SIZES;
}

/* Prints a message if the file does not exist. */
static bool take_iterations(void *question_, unsigned row, const char *value) {
    question *const q = question_;
    bool good = strlen(value) < sizeof q->workloads;
    char *rest = NULL, *word;
    unsigned n = 0;

    (void)row;
    snprintf(q->workloads, sizeof q->workloads, "%s", value);
    for (char *p = q->workloads; good && (word = strtok_r(p, ",", &rest)); p = NULL) {
        good = n < ITERATIONS_MOST;
        if (!good) break;
        if (!data_path_find(word, q->workload[n])) return false;
        q->iterations[n] = (iteration_check){ .name = word, .file = q->workload[n] };
        n++;
    }
    q->iteration_count = n;
    if (!good || !n)
        option_refuse("calibrate", "iterations", value,
                      "up to 16 workloads such as models/resnet50.yaml,models/dlrm.yaml");
    return good && n;
}

static bool take_experiment(void *question_, unsigned row, const char *value) {
    question *const q = question_;

    (void)row;
    if (q->order.given_count == GIVEN_MOST ||
        !experiment_parse(value, &q->given[q->order.given_count]))
        return false;
    q->order.given = q->given;
    q->order.given_count++;
    return true;
}

static const option_row rows[] = {
    OPTION_TEXT_ROW(question, output, "output", "FILE",
                    "file for the calibration; with --export the folder or file",
                    OPTION_COMMON(OPTION_OUTPUT)),
    OPTION_TEXT_ROW(question, check, "check", "FILE",
                    "measure the errors of a calibration on a held-out grid of another seed",
                    OPTION_COMMON(OPTION_WORK)),
    { "export", "FORMAT", OPTION_WORD, offsetof(question, to_export),
      .text = "astra-sim-2, astra-sim-1 (folders), loggops or csv (files)",
      .accepted = "astra-sim-2, astra-sim-1, loggops or csv", .names = export_names,
      OPTION_COMMON(OPTION_WORK) },
    OPTION_JOBS(question, order.jobs, OPTION_COMMON(OPTION_FIDELITY)),
    { "rung", "NAME", OPTION_WORD, offsetof(question, rung),
      .text = "rung of all measurements: cycle or rtl [cycle]", .accepted = "cycle or rtl",
      .names = rungs, OPTION_COMMON(OPTION_FIDELITY) },
    { "seed", "N", OPTION_COUNT, offsetof(question, seed),
      .text = "seed of the held-out grid [1, with --check 2]", .accepted = "0 to 4294967295",
      .high = UINT32_MAX, .heading = OPTION_FIDELITY },
    { "points", "N", OPTION_UNSIGNED, offsetof(question, order.held_out),
      .text = "experiments of the held-out grid, 4 to 1000 [96]", .accepted = "4 to 1000", .low = 4,
      .high = 1000, .heading = OPTION_FIDELITY },
    OPTION_FLAG_ROW(question, order.quick, "quick", "run fewer experiments, none above 16 MiB",
                    OPTION_COMMON(OPTION_FIDELITY)),
    OPTION_TEXT_ROW(question, order.database, "database", "FILE",
                    "SQLite database of the measurements [of FILE.sqlite]",
                    .heading = OPTION_OUTPUT),
    { "iterations", "A,B", OPTION_OWN, 0,
      .text = "with --check: also train these workloads, two iterations each",
      .take = take_iterations, OPTION_COMMON(OPTION_WORK) },
    { "experiment", "TEXT", OPTION_OWN, 0,
      .text = "with --check: one experiment in place of the grid: up to three of "
              "kind:bytes:dimensions@cycle joined by +; at most 16 times",
      .accepted = "collectives such as all-reduce:1048576:xy@0+all-to-all:65536:x@500, "
                  "and 16 of them at the most",
      .take = take_experiment, .heading = OPTION_WORK },
    { "limit", "PERCENT", OPTION_POSITIVE, offsetof(question, limit),
      .text = "with --check: exit with status 1 if the mean error of a group is larger",
      .accepted = "a number above 0, below 1000", .high = 1000, .heading = OPTION_WORK },
    OPTION_TEXT_ROW(question, measured.file, "measured", "FILE",
                    "times of collectives: a CSV, or a log or JSON of nccl-tests or "
                    "rccl-tests",
                    OPTION_COMMON(OPTION_WORK)),
    { "fabric", "WORDS", OPTION_OWN, 0,
      .text =
          "with --measured: links within a node, then between nodes, such as 'Switch(8)_Switch(4)'",
      .accepted = "words such as Switch(8) or Switch(8)_Switch(4)", .take = take_fabric,
      OPTION_COMMON(OPTION_WORK) },
    OPTION_TEXT_ROW(question, measured.predict, "predict", "FILE",
                    "with --measured: another table to predict, which is not fitted",
                    .heading = OPTION_WORK),
    { "predict-fabric", "WORDS", OPTION_OWN, 0,
      .text = "with --predict: the links of its machines [those of --fabric]",
      .accepted = "words such as Switch(8) or Switch(8)_Switch(4)", .take = take_predict_fabric,
      .heading = OPTION_WORK },
    { "collective", "NAME", OPTION_WORD, offsetof(question, measured.kind),
      .text = "with --measured: the kind to fit, and that of a log that does not name it [all]; "
              "with --export: the kind that ASTRA-sim's numbers are fitted to [all-reduce]",
      .accepted = "all-reduce, broadcast or another that was measured", .names = kind_names,
      .heading = OPTION_WORK },
    { "fit-sizes", "A,B,C", OPTION_OWN, 0,
      .text = "with --measured: fit the sizes nearest to these [ends of 4KiB to 4GiB, and their "
              "middle]",
      .accepted = "three sizes such as 4KiB,4MiB,4GiB, each above the one before",
      .take = take_sizes, .heading = OPTION_WORK },
    OPTION_FLAG_ROW(question, rows, "rows", "with --measured: also print a line for each size",
                    .heading = OPTION_OUTPUT),
    { "format", "NAME", OPTION_WORD, offsetof(question, format), .text = "table or json",
      .accepted = "table or json", .names = json_or_table, OPTION_COMMON(OPTION_OUTPUT) },
    OPTION_FLAG_ROW(question, order.quiet, "quiet", "no progress and no cost on standard error",
                    .heading = OPTION_OUTPUT),
};
static const option_table options = {
    .command = "calibrate",
    .about =
        "usage: acesim calibrate CLUSTER.yaml --output FILE [OPTIONS]\n"
        "       acesim calibrate --check FILE [OPTIONS]\n"
        "       acesim calibrate --export FORMAT FILE --output TO [OPTIONS]\n"
        "       acesim calibrate --measured FILE --fabric WORDS [OPTIONS]\n\n"
        "Measures collectives of a cluster on its exact nodes, alone and several at a time.\n"
        "Fits the calibrated node to them, and writes it with its errors on collectives that\n"
        "were not fitted. The same command continues a stopped calibration. Use the file with\n"
        "--rung calibrated --calibration FILE. --export writes a calibration in the form of\n"
        "another simulator, with the error of that form. --measured fits NCCL's own estimate to\n"
        "three sizes of collectives that others measured, and predicts the other sizes, and with\n"
        "--predict another kind or another number of ranks.\n\n",
    .tail =
        "\nexample: acesim calibrate clusters/torus-4x2x2.yaml --output 4x2x2.calibrated --jobs 2\n"
        "         acesim calibrate --export astra-sim-2 4x2x2.calibrated --output 4x2x2.astra\n"
        "         acesim calibrate --measured measured/nccl/nccl_8xa100_sxm40.csv \\\n"
        "             --fabric 'Switch(8)'\n",
    .most = -1, /* depends on what is requested */
    .group = { OPTION_GROUP(rows) },
};

static int bad(const char *option, const char *value, const char *expected) {
    return option_refuse(options.command, option, value, expected);
}

/* Determines what is requested, and checks that all its options are given and no others. */
static int settle(question *q, char **word) {
    const bool measured = q->measured.file != NULL, exported = q->to_export >= 0;
    const bool made = !exported && q->output != NULL, seeded = q->seed != UNSEEDED;
    const char *const of_measured = q->rows                 ? "rows"
                                    : q->measured.predict   ? "predict"
                                    : *q->measured.size > 0 ? "fit-sizes"
                                                            : "fabric";
    int count = 0;

    while (word[count]) count++;

    if (!measured && (strcmp(of_measured, "fabric") || q->measured.fabric_text))
        return bad(of_measured, "no --measured", "it beside this");
    if (!measured && !exported && q->measured.kind >= 0)
        return bad("collective", kind_names[q->measured.kind], "--measured or --export beside it");
    if (exported && q->measured.kind >= 0 && !export_has((ace_kind)q->measured.kind))
        return bad("collective", kind_names[q->measured.kind],
                   "all-reduce, reduce-scatter, all-gather or all-to-all");
    if (q->measured.predict_fabric_text && !q->measured.predict)
        return bad("predict-fabric", q->measured.predict_fabric_text, "--predict FILE beside it");
    if (measured && !q->measured.fabric_text)
        return bad("measured", q->measured.file, "--fabric WORDS beside it");
    if (exported && !q->output)
        return bad("export", export_names[q->to_export], "--output TO beside it");
    if ((measured || exported) && q->order.database)
        return bad("database", q->order.database, "a calibration that is made or checked");
    if (!!q->check + made + measured + exported != 1 || count != (made || exported)) {
        fprintf(stderr,
                "acesim calibrate: found %d arguments%s%s%s%s, expected CLUSTER.yaml and "
                "--output FILE, or --check FILE, or --export FORMAT FILE, or --measured FILE\n",
                count, q->output ? " and --output" : "", q->check ? " and --check" : "",
                exported ? " and --export" : "", measured ? " and --measured" : "");
        return EXIT_USAGE;
    }
    if (q->iteration_count && !q->check)
        return bad("iterations", q->iterations[0].name, "--check FILE beside it");
    if (q->order.given && (!q->check || seeded))
        return bad("experiment", "one", "--check FILE beside it, and no --seed");
    if (made) q->order.cluster = q->order.name = *word;
    if (exported) q->exported = *word;
    q->order.seed = seeded ? q->seed : q->check ? 2 : 1;
    q->order.rung = rungs[q->rung];
    if (!q->order.database) {
        snprintf(q->database, sizeof q->database, "%s.sqlite", q->check ? q->check : q->output);
        q->order.database = q->database;
    }
    return EXIT_OK;
}

/* Checks the mean error of each group against the limit. */
static int compare(const question *q, const cJSON *object) {
    const cJSON *g;
    int rc = EXIT_OK;

    cJSON_ArrayForEach(g, cJSON_GetObjectItemCaseSensitive(object, "groups")) {
        const double mean = 100 * cJSON_GetObjectItemCaseSensitive(g, "mean")->valuedouble;

        if (!(q->limit > 0) || mean <= q->limit) continue;
        fprintf(stderr,
                "acesim calibrate: %s: found a mean error of %.2f %%, expected at most %g %%\n",
                cJSON_GetObjectItemCaseSensitive(g, "group")->valuestring, mean, q->limit);
        rc = EXIT_CHECK;
    }
    return rc;
}

static void print_table(const cJSON *object, const void *self) {
    const question *const q = self;

    if (q->order.given) {
        residuals_print_points(object);
        return;
    }
    printf("%s: %.0f experiments fitted, seed %.0f of those held out\n",
           json_string(object, "cluster"), json_number(object, "fitted_experiments"),
           json_number(object, "seed"));
    residuals_print(object);
}

/* set: the calibration whose intervals are checked, or NULL. */
static int print(const question *q, const calibration *c, const calibration *set) {
    cJSON *object = residuals_object(c, set);

    if (!object) return message_no_memory();
    if (set && !q->order.given) residuals_add_coverage(object, set, c);
    if (q->iteration_count) residuals_add_iterations(object, q->iterations, q->iteration_count);
    const int rc = compare(q, object);
    cJSON_AddStringToObject(object, "cluster", c->cluster);
    cJSON_AddStringToObject(object, "cluster_digest", c->cluster_digest);
    cJSON_AddStringToObject(object, "program", c->program);
    cJSON_AddStringToObject(object, "rtl", c->rtl);
    cJSON_AddNumberToObject(object, "seed", c->seed);
    cJSON_AddNumberToObject(object, "fitted_experiments", c->points);
    const int printed = result_print(
        object, q->format, &(result_form){ .table = print_table, .self = q, .line = &q->line });

    return rc == EXIT_OK ? printed : rc;
}

static void print_measured(const cJSON *object, const void *self) {
    collective_fit_print(object, ((const question *)self)->rows);
}

static int answer_measured(const question *q) {
    collective_question m = q->measured;
    char file[DATA_PATH], predicted[DATA_PATH];
    cJSON *object = NULL;

    if (!data_path_find(m.file, file)) return EXIT_USAGE;
    m.file = file;
    if (m.predict) {
        if (!data_path_find(m.predict, predicted)) return EXIT_USAGE;
        m.predict = predicted;
        if (!m.predict_fabric_text) {
            m.predict_fabric_text = m.fabric_text;
            m.predict_fabric = m.fabric;
        }
    }
    int rc = collective_fit(&m, &object);
    if (rc != EXIT_OK) return rc;
    cJSON_ReplaceItemInObjectCaseSensitive(object, "measured",
                                           cJSON_CreateString(q->measured.file));
    if (m.predict)
        cJSON_ReplaceItemInObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(object, "prediction"), "measured",
            cJSON_CreateString(q->measured.predict));
    return result_print(object, q->format,
                        &(result_form){ .table = print_measured, .self = q, .line = &q->line });
}

static void print_export(const cJSON *object, const void *self) {
    (void)self;
    export_print(object);
}

static int answer_export(const question *q) {
    const ace_kind kind = q->measured.kind < 0 ? ACE_ALL_REDUCE : (ace_kind)q->measured.kind;
    calibration c;
    export_fit e;
    int rc = calibration_read(q->exported, &c);

    if (rc == EXIT_OK) rc = calibrate_match(q->exported, &c);
    if (rc == EXIT_OK) rc = export_make(&c, q->exported, (export_format)q->to_export, kind, &e);
    if (rc == EXIT_OK) rc = export_write(&e, q->output);
    cJSON *object = rc == EXIT_OK ? export_object(&e) : NULL;
    if (object)
        rc = result_print(object, q->format,
                          &(result_form){ .table = print_export, .line = &q->line });
    calibration_free(&c);
    return rc;
}

static int answer(question *q) {
    calibration c, set = { 0 };
    int rc;

    if (q->output) {
        rc = calibrate(&q->order, &c);
        if (rc == EXIT_OK) rc = calibration_write(q->output, &c);
    } else {
        rc = calibration_read(q->check, &c);
        if (rc == EXIT_OK) rc = calibrate_match(q->check, &c);
        q->order.cluster = c.cluster_file;
        q->order.name = c.cluster;
        q->order.rung = c.rung;
        q->order.quick = c.bytes[1] < 1 << 30; /* the range that quick calibration was made for */
        if (rc == EXIT_OK && q->seed != UNSEEDED && (double)q->order.seed == c.seed) {
            char seed[24];

            snprintf(seed, sizeof seed, "%.0f", c.seed);
            rc = bad("seed", seed, "another one: the file has the errors on this grid");
        }
        if (rc == EXIT_OK) rc = calibration_read(q->check, &set);
        if (rc == EXIT_OK) rc = calibrate_check(&q->order, &c);
        if (rc == EXIT_OK && q->iteration_count)
            rc = iterations_run(&q->order, q->check, command_point, q->iterations,
                                q->iteration_count);
    }
    if (rc == EXIT_OK) rc = print(q, &c, q->check ? &set : NULL);
    calibration_free(&set);
    calibration_free(&c);
    return rc;
}

int command_calibrate(int argc, char **argv) {
    const double start = run_cost_start();
    question q = { .order = { .jobs = 1, .held_out = 96 },
                   .seed = UNSEEDED,
                   .to_export = -1,
                   .measured = { .kind = -1 } };
    int rc;
    char **const word = option_table_read(&options, argc, argv, &q, &rc);

    if (!word) return rc;
    q.line = (option_line){ &options, argc, argv };
    rc = settle(&q, word);
    if (rc != EXIT_OK) return rc;
    if (q.measured.file) return answer_measured(&q);
    if (q.exported) return answer_export(&q);
    rc = answer(&q);
    if (!q.order.quiet) run_cost_print(start, rc);
    return rc;
}

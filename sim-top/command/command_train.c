/* SPDX-License-Identifier: Apache-2.0 */
/* command_train.c -- acesim train: an iteration of a model under a strategy, run on a cluster */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "exit_status.h"
#include "iteration.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "result_print.h"
#include "run_cost.h"
#include "setup_rows.h"
#include "strategy_arguments.h"

typedef struct train_run {
    strategy_arguments arguments;
    setup_rows given;
    strategy_iteration i;
} train_run;

/* ---- arguments ----------------------------------------------------------------------------- */

static const option_row rows[] = {
    OPTION_TEXT_ROW(train_run, i.cluster, "cluster", "FILE",
                    "file with the NPUs and the fabric between them"),
    OPTION_TEXT_ROW(train_run, arguments.strategy, "strategy", "STRATEGY",
                    "how the model is divided, such as tp4.dp4.sp.zero1.m2"),
    OPTION_TEXT_ROW(train_run, i.placement_text, "placement", "LIST",
                    "dimensions of each degree: tp:x,dp:yz [ranks are nodes]"),
    OPTION_TEXT_ROW(train_run, i.schedule, "schedule", "FILE",
                    "a list of work for each stage, as acesim plan pipeline reads it"),
    { "bucket", "SIZE", OPTION_SIZE, offsetof(train_run, i.bucket),
      .text = "least size of the gradients that replicas sum together [a layer's]",
      .accepted = "a size such as 25MiB" },
    OPTION_TEXT_ROW(train_run, i.svg, "svg", "FILE", "writes a picture of the pipeline"),
    OPTION_FLAG_ROW(
        train_run, i.composed, "composed",
        "measure each distinct collective and message once, alone, and compose the iteration "
        "from these times; compute also runs as if alone"),
    OPTION_FLAG_ROW(
        train_run, i.compared, "compare-run",
        "with --composed: also run the iteration, and print the error of the composed one"),
    OPTION_FLAG_ROW(train_run, i.oversize, "oversize",
                    "run a strategy that does not fit in memory, too"),
    OPTION_TEXT_ROW(train_run, i.kept, "events", "FILE",
                    "with --composed: SQLite database of measured events, which are reused"),
};
static const option_table options = {
    .command = "train",
    .about = "usage: acesim train MODEL --cluster FILE --strategy STRATEGY [OPTIONS]\n\n"
             "Runs one training iteration of a model that a strategy divides over the NPUs of a\n"
             "cluster, on any endpoint and rung. Prints the time, the compute, the exposed\n"
             "communication, the utilization of the NPUs and their memory. acesim plan strategy\n"
             "--help lists the parts of a strategy.\n\n",
    .tail = "\nexample: acesim train models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml \\\n"
            "    --strategy tp4.dp4.fused --layers 2\n",
    .least = 1,
    .most = 1,
    .expected = "one MODEL, --cluster and --strategy",
    .group = { OPTION_GROUP(rows),
               { strategy_rows, STRATEGY_ROWS, offsetof(train_run, arguments) } },
};

/* Returns false if --help was given and printed, or if *rc is not EXIT_OK. */
static bool take_arguments(int argc, char **argv, train_run *r, int *rc) {
    option_table all = options;
    char **model;

    all.group[2] = setup_rows_group(&r->given, strategy_takes_to_run, offsetof(train_run, given));
    model = option_table_read(&all, argc, argv, r, rc);
    if (!model) return false;
    *rc = EXIT_USAGE;
    if (!r->i.cluster || !r->arguments.strategy) {
        fprintf(stderr, "acesim train: found no --%s, expected %s\n",
                r->i.cluster ? "strategy" : "cluster", options.expected);
        return false;
    }
    if ((r->i.compared || r->i.kept) && !r->i.composed) {
        fprintf(stderr, "acesim train: found --%s without --composed, expected both\n",
                r->i.compared ? "compare-run" : "events");
        return false;
    }
    r->arguments.model = *model;
    *rc = EXIT_OK;
    return true;
}

static int make_fields(train_run *r) {
    const int rc = strategy_fields(&r->arguments, &r->given, r->i.cluster, &r->i.o);

    r->i.o.output.format = r->arguments.format;
    if (rc != EXIT_OK || !r->i.composed || r->i.compared || !r->i.o.output.timeline) return rc;
    fprintf(stderr,
            "acesim train: found --timeline with --composed, expected --compare-run with both\n");
    return EXIT_USAGE;
}

/* ---- the command in the result ------------------------------------------------------------- */

static void add_argument(cJSON *arguments, const char *option, const char *value) {
    char text[NAME_MOST + 64];

    if (!value) return;
    snprintf(text, sizeof text, "%s%s", option, value);
    cJSON_AddItemToArray(arguments, cJSON_CreateString(text));
}

static void add_count(cJSON *arguments, const char *option, uint64_t count) {
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, count);
    if (count) add_argument(arguments, option, text);
}

/* Adds the command that gives the same result again: acesim explain runs it with a change. */
static void add_command(cJSON *root, const train_run *r) {
    cJSON *const arguments = cJSON_AddArrayToObject(root, "command");
    const strategy_arguments *const w = &r->arguments;

    add_argument(arguments, "", "train");
    add_argument(arguments, "", w->model);
    add_argument(arguments, "--cluster=", r->i.cluster);
    add_argument(arguments, "--strategy=", w->strategy);
    add_argument(arguments, "--placement=", r->i.placement_text);
    add_count(arguments, "--batch=", w->batch);
    add_count(arguments, "--sequence=", w->sequence);
    add_count(arguments, "--layers=", w->layers);
    add_argument(arguments, "--layers-per-stage=", w->layers_of_stages);
    add_argument(arguments, "--schedule=", r->i.schedule);
    add_count(arguments, "--bucket=", r->i.bucket);
    if (r->i.composed) add_argument(arguments, "", "--composed");
    if (r->i.oversize) add_argument(arguments, "", "--oversize");
    if (w->fractional) add_argument(arguments, "", "--fractional");
    for (unsigned i = 0; i < r->i.o.argument_count; i++) {
        char option[48];

        if (!r->i.o.arguments[i].name) continue;
        snprintf(option, sizeof option, "--%s%s", r->i.o.arguments[i].name,
                 r->i.o.arguments[i].value ? "=" : "");
        add_argument(arguments, option, r->i.o.arguments[i].value ? r->i.o.arguments[i].value : "");
    }
}

/* ---- the command --------------------------------------------------------------------------- */

static int run(train_run *r, double start) {
    int rc = make_fields(r);

    if (rc == EXIT_OK) rc = strategy_from_arguments(&r->arguments, &r->i.m, &r->i.s);
    if (rc != EXIT_OK) return rc;
    r->i.result = result_begin();
    add_command(r->i.result, r);
    strategy_add(r->i.result, &r->i.m, &r->i.s);
    rc = iteration_run(&r->i);
    if (!r->i.o.execution.quiet) run_cost_print(start, rc);
    return rc;
}

int train_fields(int argc, char **argv, setup *o) {
    train_run *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    r->arguments.command = "train";
    if (take_arguments(argc, argv, r, &rc)) rc = make_fields(r);
    if (rc == EXIT_OK) *o = r->i.o;
    free(r);
    return rc;
}

int command_train(int argc, char **argv) {
    const double start = run_cost_start();
    train_run *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    r->arguments.command = "train";
    if (take_arguments(argc, argv, r, &rc)) rc = run(r, start);
    free(r);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* command_explain.c -- acesim explain: what bounded a run, and what would help (explain.h) */
#include "command.h"
#include "explain.h"
#include "option_table.h"
#include "options.h"

static const option_row rows[] = {
    OPTION_FLAG_ROW(explain_request, all, "all",
                    "try every change, not only the most promising one"),
    { "threads", "N", OPTION_UNSIGNED, offsetof(explain_request, threads),
      .text = "threads of the runs, 1 to 256 [1]", .accepted = "1 to 256", .low = 1, .high = 256 },
};
static const option_table options = {
    .command = "explain",
    .about =
        "usage: acesim explain RUN [OPTIONS]\n\n"
        "Reports what bounded a result of acesim collective, run, train, astra or msccl with\n"
        "--format json, or the best strategy of acesim search. It gives the evidence, and runs\n"
        "the command again with one option changed to show what helps.\n\n",
    .tail = "\nexample: acesim collective all-reduce --size 4MiB --format json > run.json\n"
            "         acesim explain run.json\n",
    .least = 1,
    .most = 1,
    .expected = "one RUN",
    .group = { OPTION_GROUP(rows) },
};

static int collective_fields(int argc, char **argv, setup *o) {
    int rc;

    (void)options_collective(argc, argv, o, &rc);
    return rc;
}

static int run_fields(int argc, char **argv, setup *o) {
    int rc;

    (void)options_run(argc, argv, o, &rc);
    return rc;
}

/* The commands that are run again to test a verdict. */
static const explain_command commands[] = {
    { "collective", command_collective, collective_fields },
    { "run", command_run, run_fields },
    { "train", command_train, train_fields },
    { "astra", command_astra, astra_fields },
    { "msccl", command_msccl, msccl_fields },
};
static const explain_commands all = { commands, sizeof commands / sizeof *commands,
                                      collective_run };

int command_explain(int argc, char **argv) {
    explain_request q = { .threads = 1, .commands = &all };
    int rc;
    char **const file = option_table_read(&options, argc, argv, &q, &rc);

    if (!file) return rc;
    q.file = *file;
    return explain_result(&q);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* command_report.c -- acesim report: results as one page for a browser or a printer */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "option_table.h"
#include "report_page.h"

enum { BEST = 5 }; /* strategies of a search that are shown */

typedef struct question {
    const char *output;
} question;

static const option_row rows[] = {
    { "output", "FILE", OPTION_TEXT, offsetof(question, output),
      .text = "the page, - for standard output [report.html]" },
};
static const option_table options = {
    .command = "report",
    .about =
        "usage: acesim report RUN... [OPTIONS]\n\n"
        "Writes an HTML page about results of acesim collective, run or train with --format\n"
        "json: tables, iterations, bandwidth over time, links and units. For a training\n"
        "iteration it shows parts and stages, for acesim search the best five strategies. The\n"
        "page loads nothing from a network.\n\n",
    .tail = "\nexample: acesim collective all-reduce --samples 256 --format json > run.json\n"
            "         acesim report run.json\n",
    .least = 1,
    .most = -1,
    .expected = "results of acesim collective, run or train with --format json",
    .group = { OPTION_GROUP(rows) },
};

int command_report(int argc, char **argv) {
    question q = { .output = "report.html" };
    saved_run *runs;
    unsigned count = 0;
    int rc;
    char **file = option_table_read(&options, argc, argv, &q, &rc);

    if (!file) return rc;
    runs = calloc((size_t)argc * BEST, sizeof *runs);
    if (!runs) return message_no_memory();
    for (; rc == EXIT_OK && *file; file++) {
        unsigned read;

        rc = saved_results_read(*file, &runs[count], BEST, &read);
        for (unsigned i = count; i < count + read && rc == EXIT_OK; i++)
            if (saved_run_is_run(&runs[i])) rc = saved_run_check(&runs[i]);
        count += read;
    }
    if (rc == EXIT_OK) rc = report_page_write(q.output, runs, count);
    if (rc == EXIT_OK && strcmp(q.output, "-")) printf("%s\n", q.output);
    for (unsigned i = 0; i < count; i++) saved_run_free(&runs[i]);
    free(runs);
    return rc;
}

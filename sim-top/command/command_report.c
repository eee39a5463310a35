/* SPDX-License-Identifier: Apache-2.0 */
/* command_report.c -- acesim report: results as one page for a browser or a printer */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "report_page.h"

static void help(void) {
    printf("usage: acesim report RUN... [OPTIONS]\n\n"
           "Writes a page of HTML about results of acesim collective or run with --format json:\n"
           "tables, iterations, bandwidth over time, links, units.  It needs no network.\n\n"
           "  --output FILE               the page, - for standard output [report.html]\n"
           "  --help                      this text\n"
           "\nexample: acesim collective all-reduce --samples 256 --format json > run.json\n"
           "         acesim report run.json\n");
}

int command_report(int argc, char **argv) {
    static const struct option longs[] = { { "output", required_argument, NULL, 'o' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
    const char *output = "report.html";
    saved_run *runs;
    unsigned count = 0;
    int c, rc = EXIT_OK;

    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        switch (c) {
        case 'o': output = optarg; break;
        case 'h': help(); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (optind == argc) {
        fprintf(stderr, "acesim report: found no RUN, expected results of acesim collective or "
                        "run with --format json\n");
        return EXIT_USAGE;
    }
    runs = calloc((size_t)(argc - optind), sizeof *runs);
    if (!runs) {
        return message_no_memory();
    }
    while (rc == EXIT_OK && optind < argc) rc = saved_run_read(argv[optind++], &runs[count++]);
    if (rc == EXIT_OK) rc = report_page_write(output, runs, count);
    if (rc == EXIT_OK && strcmp(output, "-")) printf("%s\n", output);
    for (unsigned i = 0; i < count; i++) saved_run_free(&runs[i]);
    free(runs);
    return rc;
}

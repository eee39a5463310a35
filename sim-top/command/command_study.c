/* SPDX-License-Identifier: Apache-2.0 */
/* command_study.c -- acesim study: runs the sweeps of a study, writes what a reader is shown */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "command_models.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "run_cost.h"
#include "study_file.h"
#include "values.h"

typedef struct plan {
    const char *study, *output, *cell, *rung;
    unsigned jobs;
    double limit_s;
    bool quick, list, quiet, help;
} plan;

static const struct option longs[] = {
    { "quick", no_argument, NULL, 'q' },      { "output", required_argument, NULL, 'o' },
    { "jobs", required_argument, NULL, 'j' }, { "point-limit", required_argument, NULL, 'p' },
    { "list", no_argument, NULL, 'l' },       { "cell", required_argument, NULL, 'c' },
    { "rung", required_argument, NULL, 'r' }, { "quiet", no_argument, NULL, 'Q' },
    { "help", no_argument, NULL, 'h' },       { 0 }
};

static void help(void) {
    printf(
        "usage: acesim study NAME [OPTIONS]\n\n"
        "Runs every cell of workloads/studies/NAME (or of a folder, with a / in its name)\n"
        "and writes its tables, figures and page.  The page is printed as far as its first\n"
        "section.  A study that was stopped goes on.\n\n"
        "  --quick                     fewer cells: the values the sweeps give for a quick look\n"
        "  --output DIR                where to [out/NAME, out/NAME-quick]\n"
        "  --jobs N                    cells at a time, 1 to 256 [1]\n"
        "  --point-limit SECONDS       a cell that takes longer is ended and has failed, 1 to 31536000\n"
        "  --list                      each cell's name and its command line\n"
        "  --cell SWEEP/NUMBER         runs that cell alone and prints its JSON\n"
        "  --rung LIST                 with --cell: on that rung, as for acesim collective\n"
        "  --quiet                     no progress and no cost on standard error\n"
        "  --help                      this text\n"
        "\nexample: acesim study claims --jobs 2\n");
}

static int read_options(int argc, char **argv, plan *p) {
    uint64_t jobs = 1, limit = 0;
    int c;

    *p = (plan){ 0 };
    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        switch (c) {
        case 'q': p->quick = true; break;
        case 'o': p->output = optarg; break;
        case 'j':
            if (parse_unsigned(optarg, 1, SWEEP_JOBS, &jobs)) break;
            fprintf(stderr, "acesim study: found '%s', expected --jobs 1 to %d\n", optarg,
                    SWEEP_JOBS);
            return EXIT_USAGE;
        case 'p':
            if (parse_unsigned(optarg, 1, SWEEP_LIMIT_S, &limit)) break;
            fprintf(stderr, "acesim study: found '%s', expected --point-limit 1 to %d\n", optarg,
                    SWEEP_LIMIT_S);
            return EXIT_USAGE;
        case 'l': p->list = true; break;
        case 'Q': p->quiet = true; break;
        case 'c': p->cell = optarg; break;
        case 'r': p->rung = optarg; break;
        case 'h': p->help = true; return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "acesim study: found %d arguments, expected the NAME of one study\n",
                argc - optind);
        return EXIT_USAGE;
    }
    if (p->rung && !p->cell) {
        fprintf(stderr, "acesim study: found --rung without --cell, expected both\n");
        return EXIT_USAGE;
    }
    p->study = argv[optind];
    if (p->output && !name_check("study: --output", p->output)) return EXIT_USAGE;
    p->jobs = (unsigned)jobs;
    p->limit_s = (double)limit;
    return EXIT_OK;
}

/* ---- cells ---------------------------------------------------------------------- */

static int list(const study *s) {
    for (unsigned i = 0; i < s->sweep_count; i++)
        for (unsigned k = 0; k < s->sweeps[i].count; k++) {
            char *line = sweep_line(&s->sweeps[i], k);

            if (!line) return EXIT_CHECK;
            printf("%s/%u\t%s\n", s->sweep_names[i], k, line);
            free(line);
        }
    return EXIT_OK;
}

static const sweep_point *find_cell(const study *s, const char *name) {
    const char *slash = strchr(name, '/');

    for (unsigned i = 0; slash && i < s->sweep_count; i++) {
        const size_t n = strlen(s->sweep_names[i]);
        uint64_t k;

        if (n == (size_t)(slash - name) && !strncmp(s->sweep_names[i], name, n) &&
            parse_unsigned(slash + 1, 0, s->sweeps[i].count - 1, &k))
            return &s->sweeps[i].points[k];
    }
    fprintf(stderr, "acesim study: found cell '%s', expected one that --list shows\n", name);
    return NULL;
}

static int run_cell(const study *s, const plan *p) {
    const sweep_point *cell = find_cell(s, p->cell);
    char rung[300], *argv[64];
    int argc;

    if (!cell) return EXIT_USAGE;
    argc = cell->count < 60 ? cell->count : 60;
    memcpy(argv, cell->words, (size_t)argc * sizeof *argv);
    argv[argc++] = (char[]){ "--format=json" };
    snprintf(rung, sizeof rung, "--rung=%s", p->rung ? p->rung : "");
    if (p->rung) argv[argc++] = rung;
    argv[argc] = NULL;
    return command_point(argc, argv);
}

/* ---- the whole ------------------------------------------------------------------ */

/* Makes the folder and those above it. */
static bool make_folder(const char *name) {
    char path[NAME_MOST + 1];

    for (size_t i = 1; i <= strlen(name) && i < sizeof path; i++)
        if (name[i] == '/' || !name[i]) {
            snprintf(path, sizeof path, "%.*s", (int)i, name);
            if (!mkdir(path, 0777) || errno == EEXIST) continue;
            fprintf(stderr, "acesim: %s: %s\n", path, strerror(errno));
            return false;
        }
    return true;
}

static int run_sweep(const sweep *s, const char *name, const char *database, const plan *p,
                     unsigned *ran) {
    const sweep_share share = { .jobs = p->jobs,
                                .shards = 1,
                                .ranks = 1,
                                .quiet = p->quiet,
                                .limit_s = p->limit_s,
                                .run = command_point };
    sweep_store *t = NULL;
    int rc = sweep_store_open(database, s, &t);
    sweep_row row;

    if (rc == EXIT_OK && !sweep_work(s, t, &share, ran)) rc = EXIT_CHECK;
    for (unsigned i = 0; rc == EXIT_OK && i < s->count; i++) {
        if (!sweep_look(t, i, &row)) {
            rc = EXIT_CHECK;
        } else if (strcmp(row.state, "done")) {
            fprintf(stderr, "acesim: cell %s/%u %s: %s\n", name, i, row.state,
                    row.message ? row.message : "");
            rc = EXIT_CHECK;
        }
    }
    sweep_store_close(t);
    return rc;
}

static int run_all(const study *s, const plan *p) {
    const double start = run_cost_start();
    char folder[NAME_MOST + 1], database[NAME_MOST + 16];
    unsigned ran = 0, cells = 0;
    int rc;

    if (p->output)
        snprintf(folder, sizeof folder, "%s", p->output);
    else
        snprintf(folder, sizeof folder, "out/%s%s", s->name, p->quick ? "-quick" : "");
    snprintf(database, sizeof database, "%s/cells.sqlite", folder);
    rc = make_folder(folder) ? EXIT_OK : EXIT_USAGE;
    for (unsigned i = 0; rc == EXIT_OK && i < s->sweep_count; i++) {
        const double begun = run_cost_start();

        rc = run_sweep(&s->sweeps[i], s->sweep_names[i], database, p, &ran);
        cells += s->sweeps[i].count;
        if (!p->quiet)
            fprintf(stderr, "%-24s%4u cells%8.1f s\n", s->sweep_names[i], s->sweeps[i].count,
                    run_cost_start() - begun);
    }
    if (rc == EXIT_OK) rc = study_write(s, database, folder);
    if (rc == EXIT_OK && !p->quiet)
        fprintf(stderr, "%s: %u cells, %u of them run now; see %s/%s; wall time %.1f s\n", s->name,
                cells, ran, folder, s->page, run_cost_start() - start);
    return rc;
}

int command_study(int argc, char **argv) {
    char folder[DATA_PATH];
    study s;
    plan p;
    int rc;

    if (argc > 1 && !strcmp(argv[1], "measured")) return command_measured(argc - 1, argv + 1);
    rc = read_options(argc, argv, &p);
    if (rc != EXIT_OK) return rc;
    if (p.help) {
        help();
        return EXIT_OK;
    }
    snprintf(folder, sizeof folder, "%s%s", strchr(p.study, '/') ? "" : "workloads/studies/",
             p.study);
    rc = study_read(folder, p.quick, &s);
    if (rc == EXIT_OK) rc = p.list ? list(&s) : p.cell ? run_cell(&s, &p) : run_all(&s, &p);
    study_free(&s);
    return rc;
}

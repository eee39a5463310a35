/* SPDX-License-Identifier: Apache-2.0 */
/* command_study.c -- acesim study: runs the sweeps of a study and writes the pages that readers
 * see */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "command_plan.h"
#include "data_path.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "run_cost.h"
#include "study_file.h"
#include "values.h"

typedef struct plan {
    const char *study, *output, *cell, *rung;
    unsigned jobs;
    uint64_t limit_s;
    bool quick, list, quiet;
} plan;

static const option_row rows[] = {
    { "quick", NULL, OPTION_FLAG, offsetof(plan, quick),
      .text = "run fewer cells: the values that the sweeps give for a quick look" },
    { "output", "DIR", OPTION_TEXT, offsetof(plan, output),
      .text = "output folder [out/NAME, out/NAME-quick]" },
    OPTION_JOBS(plan, jobs, .heading = OPTION_PLAIN),
    { "point-limit", "SECONDS", OPTION_COUNT, offsetof(plan, limit_s),
      .text = "stop a cell that takes longer, and count it as failed, 1 to 31536000",
      .accepted = "1 to 31536000", .low = 1, .high = SWEEP_LIMIT_S },
    { "list", NULL, OPTION_FLAG, offsetof(plan, list),
      .text = "print each cell's name and command line" },
    { "cell", "SWEEP/NUMBER", OPTION_TEXT, offsetof(plan, cell),
      .text = "run that cell alone and print its JSON" },
    { "rung", "LIST", OPTION_TEXT, offsetof(plan, rung),
      .text = "with --cell: rung to run on, as for acesim collective" },
    OPTION_QUIET(plan, quiet),
};
static const option_table options = {
    .command = "study",
    .about = "usage: acesim study NAME [OPTIONS]\n\n"
             "Runs every cell of workloads/studies/NAME (or of a folder, with a / in its name)\n"
             "and writes its tables, figures and page.  The page is printed as far as its first\n"
             "section.  A study that was stopped goes on.\n\n",
    .tail = "\nexample: acesim study claims --jobs 2\n",
    .least = 1,
    .most = 1,
    .expected = "the NAME of one study",
    .group = { OPTION_GROUP(rows) },
};

static int read_options(int argc, char **argv, plan *p) {
    int rc;
    char **const name = option_table_read(&options, argc, argv, p, &rc);

    if (!name) return rc;
    if (p->rung && !p->cell) {
        fprintf(stderr, "acesim study: found --rung without --cell, expected both\n");
        return EXIT_USAGE;
    }
    p->study = *name;
    return p->output && !name_check("study: --output", p->output) ? EXIT_USAGE : EXIT_OK;
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
    memcpy(argv, cell->arguments, (size_t)argc * sizeof *argv);
    argv[argc++] = (char[]){ "--format=json" };
    snprintf(rung, sizeof rung, "--rung=%s", p->rung ? p->rung : "");
    if (p->rung) argv[argc++] = rung;
    argv[argc] = NULL;
    return command_point(argc, argv);
}

/* ---- the whole ------------------------------------------------------------------ */

/* Makes the folder and its parent folders. */
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
                                .limit_s = (double)p->limit_s,
                                .run = command_point };
    sweep_store *t = NULL;
    int rc = sweep_store_open(database, s, &t);
    sweep_row row;

    if (rc == EXIT_OK) rc = sweep_work(s, t, &share, ran);
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
            fprintf(stderr, "%-24s %3u cells%8.1f s\n", s->sweep_names[i], s->sweeps[i].count,
                    run_cost_start() - begun);
    }
    if (rc == EXIT_OK) rc = study_write(s, database, folder);
    if (rc == EXIT_OK && !p->quiet)
        fprintf(stderr, "%s: %u cells, %u of them run now; see %s/%s; wall time %.1f s\n", s->name,
                cells, ran, folder, s->page, run_cost_start() - start);
    return rc;
}

/* A name without a folder is refused with the names there are. */
static int check_name(const char *name, const char *folder) {
    char file[2 * DATA_PATH], studies[DATA_PATH];
    struct dirent **entry;
    int count;

    snprintf(file, sizeof file, "%s/study.yaml", folder);
    if (strchr(name, '/') || data_path_look(file, studies)) return EXIT_OK;
    fprintf(stderr, "acesim study: found no study '%s', expected measured", name);
    count = data_path_look("workloads/studies", studies) ? scandir(studies, &entry, NULL, alphasort)
                                                         : -1;
    for (int i = 0; i < count; i++) {
        if (*entry[i]->d_name != '.') fprintf(stderr, ", %s", entry[i]->d_name);
        free(entry[i]);
    }
    if (count >= 0) free(entry);
    fprintf(stderr, " or a folder such as ./mine\n");
    return EXIT_USAGE;
}

int command_study(int argc, char **argv) {
    char folder[DATA_PATH];
    study s;
    plan p = { .jobs = 1 };
    int rc;

    if (argc > 1 && !strcmp(argv[1], "measured")) return command_measured(argc - 1, argv + 1);
    rc = read_options(argc, argv, &p);
    if (rc != EXIT_OK || !p.study) return rc;
    snprintf(folder, sizeof folder, "%s%s", strchr(p.study, '/') ? "" : "workloads/studies/",
             p.study);
    rc = check_name(p.study, folder);
    if (rc == EXIT_OK) rc = study_read(folder, p.quick, &s);
    if (rc == EXIT_OK) rc = p.list ? list(&s) : p.cell ? run_cell(&s, &p) : run_all(&s, &p);
    study_free(&s);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_sweep.c -- acesim sweep: workers that share the points of a sweep
 *
 * Workers (sweep_worker.c) share only the database. It makes no difference whether they are started
 * in one terminal, by mpirun or by a job array. A worker leaves when every point is recorded, and
 * takes over the points of workers that died.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "names.h"
#include "operations.h"
#include "option_table.h"
#include "run_cost.h"
#include "sweep_file.h"
#include "values.h"

typedef struct plan {
    const char *file, *database;
    sweep_share share;
    format format;
    uint64_t limit_s;
    bool list, quick, retry, quiet;
} plan;

/* ---- options -------------------------------------------------------------------- */

static bool take_shard(void *plan_, unsigned row, const char *s) {
    plan *const p = plan_;
    const char *slash = strchr(s, '/');
    char k[32];

    (void)row;
    if (!slash || slash - s >= (ptrdiff_t)sizeof k) return false;
    snprintf(k, sizeof k, "%.*s", (int)(slash - s), s);
    return parse_unsigned(slash + 1, 1, 1000000, &p->share.shards) &&
           parse_unsigned(k, 0, p->share.shards - 1, &p->share.shard);
}

static const option_row rows[] = {
    { "database", "FILE", OPTION_TEXT, offsetof(plan, database),
      .text = "results, SQLite, on a disk of this machine [NAME.sqlite]" },
    OPTION_JOBS_OR_NONE(plan, share.jobs),
    { "point-limit", "SECONDS", OPTION_COUNT, offsetof(plan, limit_s),
      .text = "stop a point that takes longer, and count it as failed, 1 to 31536000",
      .accepted = "1 to 31536000", .low = 1, .high = SWEEP_LIMIT_S },
    { "shard", "K/N", OPTION_OWN, 0, .text = "run only the points whose number is K modulo N [0/1]",
      .accepted = "K/N, K from 0 to N-1", .take = take_shard },
    OPTION_FORMAT(plan, format),
    { "quick", NULL, OPTION_FLAG, offsetof(plan, quick),
      .text = "use the values that the file gives for a quick look" },
    { "retry", NULL, OPTION_FLAG, offsetof(plan, retry),
      .text = "run points that failed or were refused again" },
    { "list", NULL, OPTION_FLAG, offsetof(plan, list),
      .text = "print the state of each point and its command line" },
    OPTION_QUIET(plan, quiet),
};
static const option_table options = {
    .command = "study sweep",
    .about =
        "usage: acesim study sweep SWEEP.yaml [OPTIONS]\n\n"
        "Runs each point of the grid once and prints all; a sweep that was stopped goes on.\n"
        "Started several times, under mpirun or as a job array, the workers share the points.\n\n",
    .tail = "\nexample: acesim study sweep workloads/sweeps/memory-and-topology.yaml --jobs 2\n",
    .least = 1,
    .most = 1,
    .expected = "one SWEEP.yaml",
    .group = { OPTION_GROUP(rows) },
};

/* ---- printing ------------------------------------------------------------------- */

static bool look(sweep_store *t, unsigned point, sweep_row *row) {
    *row = (sweep_row){ .state = "waiting" };
    return !t || sweep_look(t, point, row);
}

static bool print_list(const plan *p, const sweep *s, sweep_store *t) {
    for (unsigned i = 0; i < s->count; i++) {
        char *line = sweep_line(s, i);
        sweep_row row;

        if (!line || !look(t, i, &row)) return false;
        if (sweep_mine(&p->share, i)) printf("%-9s%s\n", row.state, line);
        free(line);
    }
    return true;
}

static bool print_json(const plan *p, const sweep *s, sweep_store *t) {
    const char *comma = "[\n";
    sweep_row row;

    for (unsigned i = 0; i < s->count; i++) {
        cJSON *o = sweep_mine(&p->share, i) ? cJSON_CreateObject() : NULL, *settings;
        char *text = sweep_line(s, i);

        if (o && text && look(t, i, &row)) {
            cJSON_AddStringToObject(o, "command", text);
            settings = cJSON_AddObjectToObject(o, "options");
            for (unsigned a = 0; a < s->axis_count; a++)
                cJSON_AddStringToObject(settings, s->axes[a].name, sweep_setting(s, i, a));
            cJSON_AddStringToObject(o, "state", row.state);
            cJSON_AddNumberToObject(o, "exit_status", row.exit_status);
            if (row.message) cJSON_AddStringToObject(o, "message", row.message);
            if (row.result) cJSON_AddRawToObject(o, "result", row.result);
            free(text);
            text = json_text(o, false);
            if (text) printf("%s%s", comma, text);
            comma = ",\n";
        }
        free(text);
        cJSON_Delete(o);
    }
    printf("%s\n]\n", *comma == '[' ? "[" : "");
    return true;
}

/* A column of the table: an axis, a figure or a property of the row. */
enum { STATE = -1, EXIT_STATUS = -2, MESSAGE = -3, LINE = -4 };
typedef struct column {
    const char *name;
    int axis, figure; /* -1: none */
    int other;
    int width; /* 0: not shown */
} column;

static char *cell(const column *c, const sweep *s, unsigned point, const sweep_row *row) {
    const char *text = "";
    char number[16];

    if (c->axis >= 0) {
        text = sweep_setting(s, point, (unsigned)c->axis);
    } else if (c->figure >= 0) {
        text = row->figures[c->figure];
    } else if (c->other == STATE) {
        text = row->state;
    } else if (c->other == EXIT_STATUS) {
        snprintf(number, sizeof number, "%d", row->exit_status);
        text = number;
    } else if (c->other == MESSAGE) {
        text = row->message;
    } else {
        return sweep_line(s, point);
    }
    return strdup(text ? text : "");
}

/* Prints the rows. CSV has every column. The table has the columns that differ or are not empty,
 * and the first line of each message. */
static bool print_rows(const plan *p, const sweep *s, sweep_store *t) {
    const bool csv = p->format == FORMAT_CSV;
    const unsigned columns = s->axis_count + SWEEP_FIGURES + 4;
    column *c = calloc(columns, sizeof *c);
    bool good = c != NULL;
    unsigned n = 0, last = 0;

    for (unsigned i = 0; good && i < s->axis_count; i++)
        if (csv || s->axes[i].count > 1) c[n++] = (column){ s->axes[i].name, (int)i, -1, 0, 0 };
    for (int i = 0; good && i < SWEEP_FIGURES; i++)
        c[n++] = (column){ sweep_figures[i], -1, i, 0, 0 };
    if (good) c[n++] = (column){ "state", -1, -1, STATE, 0 };
    if (good && csv) c[n++] = (column){ "exit_status", -1, -1, EXIT_STATUS, 0 };
    if (good) c[n++] = (column){ "message", -1, -1, MESSAGE, 0 };
    if (good && csv) c[n++] = (column){ "line", -1, -1, LINE, 0 };
    /* The first pass finds the widths, the second prints. */
    for (int pass = csv; good && pass < 2; pass++) {
        for (unsigned k = 0; k < n; k++)
            if (c[k].width) last = k;
        for (unsigned k = 0; pass && k < n; k++) {
            if (csv)
                printf("%s%s", k ? "," : "", c[k].name);
            else if (c[k].width)
                printf("%-*s", k < last ? c[k].width + 2 : 0, c[k].name);
        }
        if (pass) printf("\n");
        for (unsigned i = 0; good && i < s->count; i++) {
            sweep_row row;

            if (!sweep_mine(&p->share, i)) continue;
            good = look(t, i, &row);
            for (unsigned k = 0; good && k < n; k++) {
                char *text = cell(&c[k], s, i, &row);

                good = text != NULL;
                if (!good) break;
                if (!csv) text[strcspn(text, "\n")] = '\0';
                if (csv) {
                    if (k) printf(",");
                    csv_cell(stdout, text);
                } else if (pass && c[k].width) {
                    printf("%-*s", k < last ? c[k].width + 2 : 0, text);
                } else if (*text) {
                    const int width = (int)strlen(text), name = (int)strlen(c[k].name);

                    if (width > c[k].width) c[k].width = width;
                    if (name > c[k].width) c[k].width = name;
                }
                free(text);
            }
            if (pass) printf("\n");
        }
    }
    free(c);
    return good;
}

/* ---- the command ---------------------------------------------------------------- */

/* Counts the points that failed or did not end. */
static bool count_missing(const plan *p, const sweep *s, sweep_store *t, unsigned *missing) {
    *missing = 0;
    for (unsigned i = 0; i < s->count; i++) {
        sweep_row row;

        if (!sweep_mine(&p->share, i)) continue;
        if (!look(t, i, &row)) return false;
        *missing += strcmp(row.state, "done") != 0;
    }
    return true;
}

static int run(const plan *p, const sweep *s, sweep_store *t) {
    /* if several workers were started together, only the first prints */
    const bool first = !p->share.rank;
    const double start = run_cost_start();
    unsigned missing = 0, ran = 0;
    bool good = true;

    if (p->retry && first && t) good = sweep_forget_failures(t);
    if (good && p->share.jobs) {
        const int rc = sweep_work(s, t, &p->share, &ran);

        if (rc >= EXIT_SIGNAL) return rc;
        good = rc == EXIT_OK;
    }
    good = good && count_missing(p, s, t, &missing);
    if (good && first) good = (p->format == FORMAT_JSON ? print_json : print_rows)(p, s, t);
    if (good && !p->quiet)
        fprintf(stderr, "%s: %u points run here, %u without a result; wall time %.3f s\n", s->name,
                ran, missing, run_cost_start() - start);
    return good && !missing ? EXIT_OK : EXIT_CHECK;
}

int command_sweep(int argc, char **argv) {
    char name[80];
    sweep_store *t = NULL;
    sweep s;
    plan p = { .share = { .jobs = 1, .shards = 1, .ranks = 1, .run = command_point } };
    int rc;
    char **const file = option_table_read(&options, argc, argv, &p, &rc);

    if (!file) return rc;
    p.file = *file;
    p.share.limit_s = (double)p.limit_s;
    p.share.quiet = p.quiet;
    sweep_share_find(&p.share);
    rc = sweep_read(p.file, p.quick, &s);
    if (rc == EXIT_OK) {
        snprintf(name, sizeof name, "%s.sqlite", s.name);
        if (!p.database) p.database = name;
        /* A command that only reads the database must not create it. */
        if ((!p.list && p.share.jobs) || !access(p.database, F_OK))
            rc = sweep_store_open(p.database, &s, &t);
    }
    if (rc == EXIT_OK && p.list)
        rc = print_list(&p, &s, t) ? EXIT_OK : EXIT_CHECK;
    else if (rc == EXIT_OK)
        rc = run(&p, &s, t);
    sweep_store_close(t);
    sweep_free(&s);
    return rc;
}

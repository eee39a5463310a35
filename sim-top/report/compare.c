/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.c -- runs one command for several endpoints in child processes
 *
 * Each child gets the command's arguments and its endpoint, and prints JSON. The parent reads the
 * results in the order of the list and prints them in columns. Options that an endpoint would
 * refuse are left out of its arguments.
 */
#include "compare.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "build_info.h"
#include "child_process.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "names.h"
#include "processes.h"
#include "report_page.h"
#include "result_print.h"
#include "result_read.h"
#include "setup_fields.h"
#include "values.h"

enum { MOST = 5, ARGUMENTS = SETUP_ARGUMENTS + 8, WORD = 4200 };

/* One endpoint's run. */
typedef struct side {
    endpoint endpoint;
    int (*run)(int, char **);
    char *arguments[ARGUMENTS];
    int count;
    child_process process;
    child_output got;
    saved_run result;
} side;

typedef struct comparison {
    const setup *o;
    side side[MOST];
    unsigned count;
} comparison;

/* ---- what is compared ----------------------------------------------------------------------- */

static int refuse(const char *found, const char *expected) {
    fprintf(stderr, "acesim: --compare: found %s, expected %s\n", found, expected);
    return EXIT_USAGE;
}

static int read_list(comparison *c) {
    for (const char *s = c->o->output.compare;; s++) {
        const size_t n = strcspn(s, ",");
        char name[32], found[64];
        int e;

        snprintf(name, sizeof name, "%.*s", (int)(n < 31 ? n : 31), s);
        snprintf(found, sizeof found, "'%s'", name);
        if (!parse_name(name, endpoint_names, &e))
            return refuse(found, "endpoints such as ace,comm-opt,comp-opt,no-overlap,ideal");
        for (unsigned i = 0; i < c->count; i++)
            if (c->side[i].endpoint == (endpoint)e) return refuse(found, "each endpoint once");
        c->side[c->count++].endpoint = (endpoint)e;
        s += n;
        if (!*s) return EXIT_OK;
    }
}

/* Refuses output files that each of several runs would overwrite. */
static int refuse_files(const output *o, const execution *e, const setup_source *endpoint) {
    const struct {
        const void *given;
        const char *name;
    } files[] = { { o->timeline, "--timeline" },
                  { o->wave.file, "--wave" },
                  { o->record, "--record" },
                  { e->checkpoint, "--checkpoint" },
                  { e->resume, "--resume" } };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].given) return refuse(files[i].name, "it with one endpoint alone");
    if (endpoint->text) return refuse("--endpoint, too", "one of both");
    if (processes_count() > 1) return refuse("several ranks", "one: it starts processes itself");
    return EXIT_OK;
}

/* ---- the runs -----------------------------------------------------------------------------------
 */

/* Returns whether an endpoint takes an option; other endpoints would refuse it. */
static bool fits(const char *name, endpoint e) {
    if (!strcmp(name, "endpoint")) return false;
    if (!strcmp(name, "sms") || !strcmp(name, "lazy-last-reduction"))
        return endpoint_is_baseline(e);
    return strcmp(name, "rung") || e == ENDPOINT_ACE;
}

static bool add_word(side *s, const char *format, const char *a, const char *b) {
    char text[WORD];

    snprintf(text, sizeof text, format, a, b);
    return (s->arguments[s->count++] = strdup(text)) != NULL;
}

static bool add_number(side *s, const char *format, unsigned n) {
    char text[16];

    snprintf(text, sizeof text, "%u", n);
    return add_word(s, format, text, "");
}

static bool make_arguments(side *s, const setup *o) {
    /* A page shows the traffic over time, except for the ideal endpoint, which has none. */
    const unsigned samples = o->output.samples ? o->output.samples : o->output.report ? 256 : 0;
    bool ok = true;

    for (unsigned i = 0; ok && i < o->argument_count; i++) {
        const setup_argument *w = &o->arguments[i];

        if (!w->name)
            ok = add_word(s, "%s%s", w->value, "");
        else if (fits(w->name, s->endpoint))
            ok = w->value ? add_word(s, "--%s=%s", w->name, w->value)
                          : add_word(s, "--%s%s", w->name, "");
    }
    ok = ok && add_word(s, "--endpoint=%s%s", endpoint_name(s->endpoint), "") &&
         add_word(s, "--format=%s%s", "json", "") &&
         add_number(s, "--threads=%s%s", o->execution.threads);
    if (ok && samples && s->endpoint != ENDPOINT_IDEAL)
        ok = add_number(s, "--samples=%s%s", samples);
    if (ok && o->execution.unfolded) ok = add_word(s, "--fold=%s%s", "off", "");
    if (ok && o->execution.step_by_step) ok = add_word(s, "--fast-forward=%s%s", "off", "");
    if (!ok) (void)message_no_memory();
    return ok;
}

static int body(void *self) {
    side *s = self;
    char *argv[ARGUMENTS + 1]; /* getopt reorders it */

    memcpy(argv, s->arguments, sizeof s->arguments);
    argv[s->count] = NULL;
    return s->run(s->count, argv);
}

/* Reads the result of a run that has ended, or prints its messages if there is no result. */
static int take(side *s) {
    const char *name = endpoint_name(s->endpoint);
    int rc = child_wait(&s->process, &s->got);

    if (rc != EXIT_OK) return rc;
    if (s->got.status == EXIT_OK || (s->got.status == EXIT_CHECK && *s->got.out == '{')) {
        rc = saved_run_parse(name, s->got.out, &s->result);
        return rc == EXIT_OK ? s->got.status : rc;
    }
    fprintf(stderr, "acesim: --compare: endpoint %s ended with status %d: %.*s\n", name,
            s->got.status, (int)strcspn(s->got.err, "\n"), s->got.err);
    return s->got.status == EXIT_USAGE ? EXIT_USAGE : EXIT_CHECK;
}

/* Runs at most `jobs` at a time, and waits for them in their order. Returns the worst status. */
static int run_all(comparison *c) {
    unsigned started = 0;
    int worst = EXIT_OK;

    for (unsigned i = 0; i < c->count; i++) {
        for (; started < c->count && started < i + c->o->output.jobs; started++)
            if (child_start(body, &c->side[started], &c->side[started].process) != EXIT_OK) break;
        if (i == started) return EXIT_CHECK;
        const int rc = take(&c->side[i]);
        if (rc > worst) worst = rc;
    }
    return worst;
}

/* ---- side by side ---------------------------------------------------------------------------- */

static double cycles_of(const comparison *c, unsigned i) { return c->side[i].result.cycles; }

static double number_of(const comparison *c, unsigned i, const char *name) {
    return saved_number(c->side[i].result.root, name);
}

static double speedup(const comparison *c, unsigned i) { return cycles_of(c, 0) / cycles_of(c, i); }

static double us_of(const comparison *c, unsigned i, double cycles) {
    return cycles / c->side[i].result.clock_MHz;
}

static void row(const comparison *c, const char *name,
                const char *(*cell)(const comparison *, unsigned, char *)) {
    printf("%-16s", name);
    for (unsigned i = 0; i < c->count; i++) {
        char text[FIGURE];

        printf("%16s", cell(c, i, text));
    }
    printf("\n");
}

static const char *name_cell(const comparison *c, unsigned i, char *to) {
    (void)to;
    return endpoint_name(c->side[i].endpoint);
}

/* Formats a time in the unit of the slowest run, so that the numbers of a row can be compared. For
 * training runs it is the mean of the iterations. */
static const char *time_cell(const comparison *c, unsigned i, double cycles, char *to) {
    const double runs = c->side[0].result.training ? c->o->machine.iterations : 1;
    double most = 0;

    for (unsigned k = 0; k < c->count; k++)
        if (us_of(c, k, cycles_of(c, k)) > most) most = us_of(c, k, cycles_of(c, k));
    return figure_time(us_of(c, i, cycles) / runs, figure_time_unit(most / runs), to);
}

static const char *whole_cell(const comparison *c, unsigned i, char *to) {
    return time_cell(c, i, cycles_of(c, i), to);
}

static const char *compute_cell(const comparison *c, unsigned i, char *to) {
    return time_cell(c, i, number_of(c, i, "compute_cycles"), to);
}

static const char *exposed_cell(const comparison *c, unsigned i, char *to) {
    return time_cell(c, i, number_of(c, i, "exposed_communication_cycles"), to);
}

static const char *share_cell(const comparison *c, unsigned i, char *to) {
    snprintf(to, FIGURE, "%.2f %%",
             100 * number_of(c, i, "exposed_communication_cycles") / cycles_of(c, i));
    return to;
}

static const char *cycles_cell(const comparison *c, unsigned i, char *to) {
    return figure_count(cycles_of(c, i), to);
}

static const char *bandwidth_cell(const comparison *c, unsigned i, char *to) {
    char number[FIGURE];

    snprintf(to, FIGURE, "%.30s GB/s",
             figure_real(number_of(c, i, "network_bandwidth_GBps"), 1, number));
    return to;
}

static const char *ideal_cell(const comparison *c, unsigned i, char *to) {
    snprintf(to, FIGURE, "%.1f %%", 100 * number_of(c, i, "fraction_of_ideal"));
    return to;
}

static const char *speedup_cell(const comparison *c, unsigned i, char *to) {
    snprintf(to, FIGURE, "%.3f x", speedup(c, i));
    return to;
}

static const char *check_cell(const comparison *c, unsigned i, char *to) {
    (void)to;
    return saved_text(c->side[i].result.root, "check");
}

static void print_table(const cJSON *root, const void *self) {
    const comparison *const c = self;
    const saved_run *first = &c->side[0].result;
    char nodes[FIGURE], bytes[FIGURE];

    (void)root;
    printf("%s", first->what);
    if (saved_number(first->root, "size_bytes") > 0)
        printf(" of %s", figure_bytes(saved_number(first->root, "size_bytes"), bytes));
    printf(" on %s, %s NPU%s", saved_text(first->root, "topology"),
           figure_count(first->nodes, nodes), first->nodes == 1 ? "" : "s");
    if (first->training)
        printf(", mean of %u iteration%s", c->o->machine.iterations,
               c->o->machine.iterations == 1 ? "" : "s");
    printf("\n\n");
    row(c, "", name_cell);
    row(c, "time", whole_cell);
    if (first->training) {
        row(c, "compute", compute_cell);
        row(c, "exposed", exposed_cell);
        row(c, "share of time", share_cell);
    }
    row(c, "bandwidth", bandwidth_cell);
    if (!first->training) row(c, "of links", ideal_cell);
    row(c, first->training ? "cycles, of all" : "cycles", cycles_cell);
    row(c, "speed-up", speedup_cell);
    row(c, "check", check_cell);
    if (first->training)
        printf("\nexposed: communication that compute does not hide\n"
               "bandwidth: sent by each NPU, while collectives are outstanding\n");
}

/* Rounds to nine digits, as in a result, so that every machine prints the same. */
static double rounded(double v) {
    char text[40];

    snprintf(text, sizeof text, "%.9g", v);
    return strtod(text, NULL);
}

/* Returns the runs as an array of objects with the values of the table and the values that identify
 * a run. */
static cJSON *make_runs(const comparison *c) {
    static const char *const collective[] = { "network_bandwidth_GBps", "fraction_of_ideal", NULL };
    static const char *const training[] = { "compute_cycles", "exposed_communication_cycles",
                                            "network_bandwidth_GBps", NULL };
    cJSON *list = cJSON_CreateArray();

    for (unsigned i = 0; i < c->count; i++) {
        const saved_run *r = &c->side[i].result;
        const char *const *names = r->training ? training : collective;
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "endpoint", endpoint_name(c->side[i].endpoint));
        cJSON_AddNumberToObject(o, "cycles", r->cycles);
        cJSON_AddNumberToObject(o, "time_us", saved_number(r->root, "time_us"));
        for (unsigned k = 0; names[k]; k++)
            cJSON_AddNumberToObject(o, names[k], saved_number(r->root, names[k]));
        cJSON_AddNumberToObject(o, "speedup", rounded(speedup(c, i)));
        cJSON_AddStringToObject(o, "check", saved_text(r->root, "check"));
        cJSON_AddStringToObject(o, "config_digest", saved_text(r->root, "config_digest"));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static int print(const comparison *c) {
    const saved_run *first = &c->side[0].result;
    cJSON *root = result_begin();

    cJSON_AddStringToObject(root, first->training ? "workload" : "kind", first->what);
    cJSON_AddStringToObject(root, "topology", saved_text(first->root, "topology"));
    cJSON_AddItemToObject(root, "runs", make_runs(c));
    return result_print(root, c->o->output.format,
                        &(result_form){ .table = print_table, .self = c, .rows = "runs" });
}

/* ---- files --------------------------------------------------------------------------------------
 */

/* Writes each result to its own file, for acesim explain, report and diff. */
static int write_results(const comparison *c) {
    const char *folder = c->o->output.folder;
    int rc = atomic_file_folder_take(folder);

    for (unsigned i = 0; i < c->count && rc == EXIT_OK; i++) {
        char name[1100];
        atomic_file f;

        snprintf(name, sizeof name, "%.1000s/%s.json", folder, endpoint_name(c->side[i].endpoint));
        rc = atomic_file_open(&f, name);
        if (rc != EXIT_OK) break;
        fputs(c->side[i].got.out, f.to);
        rc = atomic_file_close(&f);
    }
    return rc;
}

static int write_page(const comparison *c) {
    saved_run runs[MOST];

    for (unsigned i = 0; i < c->count; i++) runs[i] = c->side[i].result;
    return report_page_write(c->o->output.report, runs, c->count);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool all_there(const comparison *c) {
    for (unsigned i = 0; i < c->count; i++)
        if (!c->side[i].result.root) return false;
    return true;
}

int compare_endpoints(const setup *o, int (*run)(int, char **)) {
    comparison *c = calloc(1, sizeof *c);
    int rc, written = EXIT_OK;

    if (!c) {
        return message_no_memory();
    }
    c->o = o;
    rc = refuse_files(&o->output, &o->execution, &o->source[SETUP_ENDPOINT]);
    if (rc == EXIT_OK) rc = read_list(c);
    for (unsigned i = 0; i < c->count && rc == EXIT_OK; i++) {
        c->side[i].run = run;
        if (!make_arguments(&c->side[i], o)) rc = EXIT_CHECK;
    }
    if (rc == EXIT_OK) rc = run_all(c);
    if (c->count && all_there(c)) {
        written = print(c);
        if (o->output.folder && written == EXIT_OK) written = write_results(c);
        if (o->output.report && written == EXIT_OK) written = write_page(c);
    }
    for (unsigned i = 0; i < c->count; i++) {
        saved_run_free(&c->side[i].result);
        child_free(&c->side[i].got);
        for (int k = 0; k < c->side[i].count; k++) free(c->side[i].arguments[k]);
    }
    free(c);
    return rc == EXIT_OK ? written : rc;
}

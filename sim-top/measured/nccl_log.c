/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_log.c -- reads a log line by line: a head sets which fields of the rows below it are used,
 * and a list of devices is compared with --fabric when its table begins; see nccl_log.h */
#include "nccl_log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

enum { FIELDS_MOST = 48, NONE = -1 };

/* The columns of a head that a row is read by: their numbers, or NONE. */
typedef struct table {
    int fields; /* how many the rows have; 0: no head was seen */
    int time, bus, wrong, redop;
    bool counts;      /* wrong: elements; otherwise deviations, which rounding makes */
    uint64_t numbers; /* a bit for each column that holds numbers */
} table;

/* The list below "# Using devices". */
typedef struct devices {
    const char **host; /* of each rank that is counted */
    unsigned ranks;
    char group[16]; /* of the first rank, whose table is printed */
    bool cut;       /* the program cuts a list that is too long, and ends it with three dots */
    size_t line;    /* of the last */
} devices;

typedef struct log_reader {
    collective_reader *r;
    table table;
    devices devices;
    int half; /* the half of the table that is out of place: 0 or 1; NONE: the log does not say */
    bool in_place_alone;
} log_reader;

/* ---- a line ------------------------------------------------------------------------------ */

/* Fields between blanks, cut in place; their columns are those of `line`.  FIELDS_MOST + 1: there
 * are more, of which the first FIELDS_MOST are in to[]. */
static int cut(char *line, char *from, csv_field to[FIELDS_MOST]) {
    int n = 0;

    for (char *p = from;;) {
        p += strspn(p, " \t");
        if (!*p) return n;
        const size_t length = strcspn(p, " \t");
        const bool last = !p[length];

        if (n == FIELDS_MOST) return FIELDS_MOST + 1;
        to[n++] = (csv_field){ p, (size_t)(p - line) + 1 };
        p[length] = 0;
        if (last) return n;
        p += length + 1;
    }
}

static bool is_digits(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

/* Overwrites tags with blanks, which keeps the columns of messages those of the file. mpirun writes
 * "[1,0]<stdout>:" before a line, and again inside a line that a program wrote in two parts. A time
 * of day may come before the first tag. srun writes "0: ". */
static void untag(char *line) {
    char *rest = line, *at, *end;
    bool first = true;

    while ((at = strstr(rest, "]<std")) != NULL) {
        const size_t word = !strncmp(at + 5, "out>", 4) || !strncmp(at + 5, "err>", 4) ? 9 : 0;
        char *begin = at;

        while (begin > rest && *begin != '[') begin--;
        if (!word || *begin != '[') return;
        end = at + word + (at[word] == ':');
        if (first) begin = line;
        memset(begin, ' ', (size_t)(end - begin));
        rest = end;
        first = false;
    }
    at = line + strspn(line, " ");
    end = at + strspn(at, "0123456789");
    if (end > at && *end == ':' && end[1] == ' ') memset(at, ' ', (size_t)(end + 1 - at));
}

static bool head_is(const csv_field *f, int n) {
    bool bus = false;

    for (int i = 0; i < n && i < FIELDS_MOST; i++) bus |= !strcmp(f[i].text, "busbw");
    return n && bus && !strcmp(f[0].text, "size");
}

bool nccl_log_is(const char *text) {
    for (const char *line = text; *line; line += *line == '\n') {
        const char *const end = line + strcspn(line, "\n");
        bool size = !strncmp(line, "size ", 5);

        for (; line < end; line++) {
            size |= !strncmp(line, " size ", 6);
            if (size && !strncmp(line, " busbw", 6)) return true;
        }
    }
    return false;
}

/* ---- remarks ----------------------------------------------------------------------------- */

/* "all_reduce_perf", as a word of its own or behind a path. */
static void look_for_program(log_reader *g, const char *line) {
    for (const char *at = line; (at = strstr(at, "_perf")) != NULL; at += 5) {
        const char *begin = at;

        if (isalnum((unsigned char)at[5]) || at[5] == '_') continue;
        while (begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
        if (begin == line || begin[-1] == ' ' || begin[-1] == '/')
            collective_reader_name(g->r, begin, (size_t)(at + 5 - begin));
    }
}

static void look_for_halves(log_reader *g, const csv_field *f, int n) {
    int halves = 0, out = NONE;

    for (int i = 0; i < n && i < FIELDS_MOST; i++) {
        if (!strcmp(f[i].text, "out-of-place")) out = halves++;
        if (!strcmp(f[i].text, "in-place")) halves++;
    }
    if (!halves) return;
    g->half = out;
    g->in_place_alone = out == NONE;
}

static int check_units(const log_reader *g, const csv_field *f, int n) {
    static const char *const units[] = { "(B)", "(elements)", "(us)", "(GB/s)", "(%)", NULL };
    bool size = false;

    for (int i = 0; i < n && i < FIELDS_MOST; i++)
        size |= !strcmp(f[i].text, units[0]) || !strcmp(f[i].text, units[1]);
    for (int i = 0; size && i < n && i < FIELDS_MOST; i++) {
        int k = 0;

        if (*f[i].text != '(') continue;
        while (units[k] && strcmp(units[k], f[i].text)) k++;
        if (!units[k])
            return collective_reader_refuse(g->r, f[i].column, "other units",
                                            "(B), (us) and (GB/s), which nccl-tests prints");
    }
    return EXIT_OK;
}

/* Rank N [Group G] Pid P on HOST device D ... */
static void take_rank(log_reader *g, const csv_field *f, int n) {
    devices *d = &g->devices;
    const char *group = "", *host = NULL;

    for (int i = 2; i + 1 < n && i < 8; i++) {
        if (!strcmp(f[i].text, "Group")) group = f[i + 1].text;
        if (!strcmp(f[i].text, "on") && !host) host = f[i + 1].text;
    }
    if (!host || d->ranks == CSV_LINES) return;
    if (!d->ranks) snprintf(d->group, sizeof d->group, "%s", group);
    d->line = g->r->at.line;
    /* NCCL_TESTS_SPLIT makes several communicators; the table is the first one's. */
    if (!strncmp(d->group, group, sizeof d->group - 1)) d->host[d->ranks++] = host;
}

static int by_name(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

static int check_devices(log_reader *g) {
    devices *d = &g->devices;
    collective_reader *r = g->r;
    const size_t here = r->at.line;
    unsigned hosts = 0;
    int rc;

    if (!d->ranks || (d->cut && d->ranks <= r->ranks)) return EXIT_OK;
    qsort(d->host, d->ranks, sizeof *d->host, by_name);
    for (unsigned i = 0; i < d->ranks; i++) hosts += !i || strcmp(d->host[i - 1], d->host[i]);
    r->at.line = d->line;
    rc = collective_reader_devices(r, d->ranks, hosts);
    r->at.line = here;
    d->ranks = 0;
    return rc;
}

/* ---- the head ---------------------------------------------------------------------------- */

/* The number of the first of both names from `from` on; NONE: before `to` there is none. */
static int find(const csv_field *f, int from, int to, const char *name, const char *other) {
    for (int i = from; i < to; i++)
        if (!strcmp(f[i].text, name) || (other && !strcmp(f[i].text, other))) return i;
    return NONE;
}

static int take_head(log_reader *g, const csv_field *f, int n) {
    const int first = find(f, 0, n, "time", "cputime");
    const int second = first == NONE ? NONE : find(f, first + 1, n, "time", "cputime");
    const int time = g->half > 0 ? second : first;
    const int end = time == first && second != NONE ? second : n;
    table *t = &g->table;

    if (g->in_place_alone || (time != NONE && second == NONE && g->half == NONE))
        return collective_reader_refuse(g->r, f[time == NONE ? 0 : time].column,
                                        "times in place alone", "a half that is out-of-place");
    if (time == NONE)
        return collective_reader_refuse(g->r, f[0].column, "a head without a time out of place",
                                        "the column 'time'");
    if (!strcmp(f[time].text, "cputime"))
        return collective_reader_refuse_field(
            g->r, &f[time], "a column",
            "'time': -C prints the host's time to launch, which says nothing of links");
    *t = (table){ .fields = n + !strcmp(f[n - 1].text, "timestamp"),
                  .time = time,
                  .bus = find(f, time, end, "busbw", NULL),
                  .wrong = find(f, time, end, "#wrong", "error"),
                  .redop = find(f, 0, time, "redop", NULL) };
    for (int i = first; i < n; i++)
        if (find(f, i, i + 1, "time", "algbw") == i || find(f, i, i + 1, "busbw", "#wrong") == i ||
            find(f, i, i + 1, "error", NULL) == i)
            t->numbers |= UINT64_C(1) << i;
    t->counts = t->wrong != NONE && !strcmp(f[t->wrong].text, "#wrong");
    g->half = NONE;
    return check_devices(g);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Whether another program's line cut the row: fields are missing, or no longer numbers. */
static bool cut_row(const table *t, const csv_field *f, int n, bool empty) {
    if ((n != t->fields && !empty) || n > FIELDS_MOST) return true;
    for (int i = 0; i < n; i++) {
        char *end;

        if (!(t->numbers >> (i + (empty && i >= t->redop)) & 1) || !strcmp(f[i].text, "N/A"))
            continue;
        (void)strtod(f[i].text, &end);
        if (*end && *end != '*') return true;
    }
    return false;
}

static int read_row(log_reader *g, csv_field f[FIELDS_MOST], int n) {
    const table *t = &g->table;
    collective_rows *to = g->r->to;
    /* Before 2.13 an all-to-all's redop was empty: the line has a number in its position. */
    const bool empty =
        t->redop != NONE && n == t->fields - 1 && !isalpha((unsigned char)*f[t->redop].text);

    if (!t->fields && n > 7 && isalpha((unsigned char)*f[2].text))
        return collective_reader_refuse(g->r, f[0].column, "a row before the head of nccl-tests",
                                        "# size count type ... time algbw busbw");
    if (!t->fields) return to->lines_passed_over++, EXIT_OK;
    if (cut_row(t, f, n, empty)) {
        if (!to->rows_cut++) to->first_cut = (unsigned)g->r->at.line;
        return EXIT_OK;
    }
    return collective_reader_add(g->r, &f[0], &f[t->time - empty],
                                 t->bus == NONE ? NULL : &f[t->bus - empty],
                                 t->counts ? &f[t->wrong - empty] : NULL);
}

static int read_remark(log_reader *g, const csv_field *f, int n) {
    const char *const last = n && n <= FIELDS_MOST ? f[n - 1].text : "";
    const size_t length = strlen(last);

    if (n > 1 && !strcmp(f[0].text, "Rank") && is_digits(f[1].text)) take_rank(g, f, n);
    if (n == 2 && !strcmp(f[0].text, "Using") && !strcmp(f[1].text, "devices"))
        g->devices.ranks = 0, g->devices.cut = false;
    g->devices.cut |= g->devices.ranks && length >= 3 && !strcmp(last + length - 3, "...");
    if (n > 5 && !strcmp(f[0].text, "Out") && !strcmp(f[2].text, "bounds") &&
        !strcmp(last, "FAILED"))
        return collective_reader_refuse_field(g->r, &f[5], "values out of bounds",
                                              "0: times of wrong results are not fitted");
    look_for_halves(g, f, n);
    return check_units(g, f, n);
}

static int read_line(log_reader *g, char *line) {
    csv_field f[FIELDS_MOST] = { 0 };
    char *from;
    bool remark;
    int n;

    untag(line);
    from = line + strspn(line, " \t");
    remark = *from == '#';
    if (remark) look_for_program(g, line);
    n = cut(line, from + remark, f);
    if (!n) return EXIT_OK;
    if (head_is(f, n) && n > FIELDS_MOST)
        return collective_reader_refuse(g->r, 1, "a head of more than 48 columns", "fewer");
    if (head_is(f, n)) return take_head(g, f, n);
    if (remark) return read_remark(g, f, n);
    if (n > 2 && is_digits(f[0].text) && is_digits(f[1].text)) return read_row(g, f, n);
    g->r->to->lines_passed_over++;
    return EXIT_OK;
}

int nccl_log_read(collective_reader *r) {
    log_reader g = { .r = r, .half = NONE };
    int rc = EXIT_OK;

    g.devices.host = malloc(CSV_LINES * sizeof *g.devices.host);
    if (!g.devices.host) return message_no_memory();
    for (char *line = r->at.text; rc == EXIT_OK && *line;) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end ? end + 1 : end;

        *end = 0;
        line[strcspn(line, "\r")] = 0;
        r->at.line++;
        rc = read_line(&g, line);
        line = next;
    }
    free(g.devices.host);
    return rc;
}

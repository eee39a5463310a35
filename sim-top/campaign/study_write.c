/* SPDX-License-Identifier: Apache-2.0 */
/* study_write.c -- makes tables by SQL, figures by gnuplot, and a page with both */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "atomic_file.h"
#include "build_info.h"
#include "child_process.h"
#include "exit_status.h"
#include "names.h"
#include "study_file.h"
#include "values.h"

#define NO_GNUPLOT "found no gnuplot, expected it installed (gnuplot-nox)"

enum { OUTPUT_PATH = NAME_MOST + 80 /* of a file in the folder that is written */ };

typedef struct writer {
    const study *s;
    const char *folder;
    sqlite3 *db;
} writer;

static bool failed(const char *file, const char *what) {
    fprintf(stderr, "acesim: %s: %s\n", file, what);
    return false;
}

static char *slurp(const char *name) {
    FILE *f = fopen(name, "rb");

    return f ? child_take(f) : NULL;
}

/* ---- the database --------------------------------------------------------------- */

static bool execute(const writer *w, const char *sql) {
    return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           failed("database", sqlite3_errmsg(w->db));
}

/* Returns the name of a view in queries. */
static void view_name(const char *of, char to[64]) {
    snprintf(to, 64, "%s", of);
    for (char *c = to; *c; c++)
        if (*c == '-') *c = '_';
}

static bool view(const writer *w, unsigned n) {
    const sweep *s = &w->s->sweeps[n];
    char name[64], sql[400];
    bool good = true;

    view_name(w->s->sweep_names[n], name);
    for (unsigned i = 0; good && i < s->count; i++) {
        snprintf(sql, sizeof sql, "INSERT INTO part VALUES('%s', %u, '%s')", name, i,
                 s->points[i].key);
        good = execute(w, sql);
    }
    snprintf(sql, sizeof sql,
             "CREATE TEMP VIEW \"%s\" AS SELECT part.point, points.* FROM part "
             "JOIN points ON points.key = part.key WHERE part.sweep = '%s' ORDER BY part.point",
             name, name);
    return good && execute(w, sql);
}

/* Makes a view of one of the study's queries, for later queries. */
static bool shared_view(const writer *w, const char *of) {
    char query[STUDY_PATH], name[64];
    char *sql, *create = NULL;
    bool good = false;
    size_t room;

    view_name(of, name);
    snprintf(query, sizeof query, "%s/tables/%s.sql", w->s->folder, of);
    sql = slurp(query);
    if (!sql) return failed(query, strerror(errno));
    room = strlen(sql) + 200;
    create = malloc(room);
    if (create) {
        snprintf(create, room, "CREATE TEMP VIEW \"%s\" AS %s", name, sql);
        good = sqlite3_exec(w->db, create, NULL, NULL, NULL) == SQLITE_OK ||
               failed(query, sqlite3_errmsg(w->db));
    }
    free(create);
    free(sql);
    return good;
}

static bool open_database(writer *w, const char *file) {
    bool good;

    if (sqlite3_open_v2(file, &w->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return failed(file, w->db ? sqlite3_errmsg(w->db) : "out of memory");
    good = execute(w, "BEGIN; CREATE TEMP TABLE part(sweep TEXT, point INTEGER, key TEXT)");
    for (unsigned i = 0; good && i < w->s->sweep_count; i++) good = view(w, i);
    for (unsigned i = 0; good && i < w->s->view_count; i++) good = shared_view(w, w->s->views[i]);
    return good && execute(w, "COMMIT");
}

/* ---- a table -------------------------------------------------------------------- */

/* A real number always has a point, even if it is whole. So a page shows three digits in the whole
 * column. */
static void put_cell(FILE *to, sqlite3_stmt *q, int column) {
    char number[40];
    const char *text;

    if (sqlite3_column_type(q, column) == SQLITE_FLOAT) {
        snprintf(number, sizeof number, "%.6g", sqlite3_column_double(q, column));
        fprintf(to, "%s%s", number, strpbrk(number, ".en") ? "" : ".0");
        return;
    }
    text = (const char *)sqlite3_column_text(q, column);
    csv_cell(to, text ? text : "");
}

static bool put_rows(const writer *w, const char *query, sqlite3_stmt *q, FILE *to) {
    const int columns = sqlite3_column_count(q);
    int rc;

    for (int i = 0; i < columns; i++) {
        if (i) fputc(',', to);
        csv_cell(to, sqlite3_column_name(q, i));
    }
    fputc('\n', to);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            if (i) fputc(',', to);
            put_cell(to, q, i);
        }
        fputc('\n', to);
    }
    return rc == SQLITE_DONE || failed(query, sqlite3_errmsg(w->db));
}

/* An SQLite authorizer that allows only reads: a query must change nothing and open no file. */
static int only_reads(void *self, int action, const char *a, const char *b, const char *c,
                      const char *d) {
    (void)self, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                   action == SQLITE_RECURSIVE
               ? SQLITE_OK
               : SQLITE_DENY;
}

/* Prepares the only statement of a text. Returns NULL after a message. */
static sqlite3_stmt *prepare(const writer *w, const char *query, const char *sql) {
    sqlite3_stmt *q = NULL, *second = NULL;
    const char *rest = "";
    bool good;

    /* SQLite declares a table-valued function on its first use, which the authorizer would deny. So
     * it is used here first. */
    sqlite3_exec(w->db, "SELECT value FROM json_each('[]')", NULL, NULL, NULL);
    sqlite3_set_authorizer(w->db, only_reads, NULL);
    good = sqlite3_prepare_v2(w->db, sql, -1, &q, &rest) == SQLITE_OK && q;
    if (!good)
        (void)failed(query, sqlite3_errcode(w->db) == SQLITE_AUTH
                                ? "found a statement that does more than read, expected a SELECT"
                            : sqlite3_errcode(w->db) ? sqlite3_errmsg(w->db)
                                                     : "found no statement, expected a SELECT");
    if (good && (sqlite3_prepare_v2(w->db, rest, -1, &second, NULL) != SQLITE_OK || second))
        good = failed(query, "found a second statement, expected one SELECT");
    sqlite3_set_authorizer(w->db, NULL, NULL);
    sqlite3_finalize(second);
    if (good) return q;
    sqlite3_finalize(q);
    return NULL;
}

static bool table(const writer *w, const char *name) {
    char query[STUDY_PATH], file[OUTPUT_PATH];
    sqlite3_stmt *q = NULL;
    atomic_file to = { 0 };
    char *sql;
    bool good = true;

    snprintf(query, sizeof query, "%s/tables/%s.sql", w->s->folder, name);
    snprintf(file, sizeof file, "%s/%s.csv", w->folder, name);
    sql = slurp(query);
    if (!sql) good = failed(query, strerror(errno));
    if (good) good = (q = prepare(w, query, sql)) != NULL;
    good = good && atomic_file_open(&to, file) == EXIT_OK;
    good = good && put_rows(w, query, q, to.to);
    if (good)
        good = atomic_file_close(&to) == EXIT_OK;
    else if (to.to)
        atomic_file_drop(&to);
    sqlite3_finalize(q);
    free(sql);
    return good;
}

/* ---- a figure ------------------------------------------------------------------- */

/* gnuplot does not check its writes. A complete picture ends with its format's end mark. */
static bool has_end(const char *file, const char *end) {
    char last[64] = "";
    FILE *f = fopen(file, "rb");
    size_t n = 0;

    if (f && !fseek(f, -32, SEEK_END)) n = fread(last, 1, sizeof last - 1, f);
    if (f) fclose(f);
    for (size_t i = 0; i + strlen(end) <= n; i++)
        if (!memcmp(last + i, end, strlen(end))) return true;
    return false;
}

/* Starts gnuplot in the folder of the tables. Its standard output is the picture. */
static int spawn_gnuplot(const writer *w, char *const argv[], const char *picture, pid_t *pid) {
    posix_spawn_file_actions_t todo;
    int rc = posix_spawn_file_actions_init(&todo);

    if (rc) return rc;
    /* the picture is opened first, because its name may be relative to the current folder */
    rc = posix_spawn_file_actions_addopen(&todo, STDOUT_FILENO, picture, O_WRONLY | O_TRUNC, 0666);
    if (!rc) rc = posix_spawn_file_actions_addchdir_np(&todo, w->folder);
    fflush(NULL);
    if (!rc) rc = posix_spawnp(pid, "gnuplot", &todo, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&todo);
    return rc;
}

/* The script gets `csv` and the terminal from variables, and draws to standard output. So no name
 * that a user chose becomes part of a gnuplot command. */
static bool run_gnuplot(const writer *w, const char *name, const char *script, const char *terminal,
                        const char *picture) {
    char before[400], whole[PATH_MAX], option[] = "-e", program[] = "gnuplot";
    char *const argv[] = { program, option, before, whole, NULL };
    int status, rc;
    pid_t pid;

    if (!realpath(script, whole)) return failed(script, strerror(errno));
    snprintf(before, sizeof before, "set datafile separator ','; set terminal %s; csv = '%s.csv'",
             terminal, name);
    rc = spawn_gnuplot(w, argv, picture, &pid);
    if (rc == ENOENT) return failed(script, NO_GNUPLOT);
    if (rc) return failed(script, strerror(rc));
    if (waitpid(pid, &status, 0) != pid) return failed(script, strerror(errno));
    if (WIFEXITED(status) && !WEXITSTATUS(status)) return true;
    return failed(script,
                  WIFEXITED(status) && WEXITSTATUS(status) == 127 ? NO_GNUPLOT : "gnuplot failed");
}

/* Cairo writes the time of day into a PDF, so equal runs would give different files. It is replaced
 * by the date of the program's commit. */
static bool date_pdf(const char *file) {
    static const char mark[] = "/CreationDate (D:";
    const char *const date = strstr(build_commit, " of ");
    char digits[15] = "20000101000000";
    FILE *f = fopen(file, "r+b");
    size_t seen = 0;
    bool good = false;
    int c;

    if (date && strlen(date) >= 14)
        snprintf(digits, sizeof digits, "%.4s%.2s%.2s000000", date + 4, date + 9, date + 12);
    while (f && !good && (c = getc(f)) != EOF) {
        seen = c == mark[seen] ? seen + 1 : c == *mark;
        if (mark[seen]) continue;
        good = !fseek(f, 0, SEEK_CUR) && fputs(digits, f) != EOF;
    }
    if (f && fclose(f)) good = false;
    return good || failed(file, "found no date in a PDF, expected one as Cairo writes it");
}

/* end: the end mark of a complete picture. */
static bool draw(const writer *w, const char *name, const char *script, const char *terminal,
                 const char *kind, const char *end) {
    char file[OUTPUT_PATH];
    atomic_file to;

    snprintf(file, sizeof file, "%s/%s.%s", w->folder, name, kind);
    if (atomic_file_reserve(&to, file) != EXIT_OK) return false;
    if (!run_gnuplot(w, name, script, terminal, to.part) ||
        (!strcmp(kind, "pdf") && !date_pdf(to.part))) {
        atomic_file_drop(&to);
        return false;
    }
    return (has_end(to.part, end) ? atomic_file_close(&to) : atomic_file_fail(&to)) == EXIT_OK;
}

/* Returns the height F from a line "# height F" of a script with panels, which needs two columns;
 * 0: there is none. */
static double panels_height(const char *script) {
    char *const text = slurp(script);
    const char *const at = text ? strstr(text, "\n# height ") : NULL;
    const double height = at ? strtod(at + 10, NULL) : 0;

    free(text);
    return height > 0 && height < 4 ? height : 0;
}

static bool figure(const writer *w, const char *name) {
    char script[STUDY_PATH], svg[120], png[120], pdf[120];
    double height, inches;

    snprintf(script, sizeof script, "%s/tables/%s.gnuplot", w->s->folder, name);
    if (access(script, F_OK)) return true;
    height = panels_height(script);
    inches = height > 0 ? 7 : 3.5;
    if (!(height > 0)) height = 0.71;
    snprintf(svg, sizeof svg, "svg size 900,%.0f font 'Helvetica,14' background 'white'",
             900 * height);
    snprintf(png, sizeof png, "pngcairo size 1350,%.0f font 'Helvetica,16'", 1350 * height);
    snprintf(pdf, sizeof pdf, "pdfcairo size %.1fin,%.2fin font 'Helvetica,6' linewidth 0.5",
             inches, inches * height);
    return draw(w, name, script, svg, "svg", "</svg>") &&
           draw(w, name, script, png, "png", "IEND") && draw(w, name, script, pdf, "pdf", "%%EOF");
}

/* ---- the page ------------------------------------------------------------------- */

/* Reads a field of a CSV line. Returns false at the line's end. */
static bool field(const char **at, char *to, size_t room) {
    const char *p = *at;
    const bool quoted = *p == '"';
    size_t n = 0;

    if (!*p || *p == '\n') return false;
    if (quoted) p++;
    while (*p && (quoted ? *p != '"' || p[1] == '"' : *p != ',' && *p != '\n')) {
        if (quoted && *p == '"') p++;
        if (n + 1 < room) to[n++] = *p;
        p++;
    }
    to[n] = '\0';
    if (quoted && *p) p++;
    *at = *p == ',' ? p + 1 : p;
    return true;
}

/* Writes a cell for readers: three digits for a number that is not whole, a dash for an empty cell,
 * and an escaped bar. */
static void markdown_cell(FILE *to, const char *cell, bool head) {
    char *end;
    const double v = strtod(cell, &end);
    char digits[40]; /* three digits; this rounds 0.9999 to 1.00 */
    double size;

    snprintf(digits, sizeof digits, "%.2e", fabs(v));
    size = strtod(digits, NULL);
    fputs("| ", to);
    if (!head && !*cell)
        fputs("\342\200\223", to);
    else if (head || *end || !strpbrk(cell, ".e"))
        for (const char *c = cell; *c; c++)
            fprintf(to, *c == '|' ? "\\|" : "%c", head && *c == '_' ? ' ' : *c);
    else if (size >= 100 || v == 0)
        fprintf(to, "%.0f", v);
    else
        fprintf(to, "%.*f", size >= 10 ? 1 : 2 - (int)floor(log10(size)), v);
    fputc(' ', to);
}

static bool markdown(const writer *w, const char *name, FILE *to) {
    char file[OUTPUT_PATH], cell[512];
    char *csv;
    unsigned row = 0, head = 0;

    snprintf(file, sizeof file, "%s/%s.csv", w->folder, name);
    csv = slurp(file);
    if (!csv) return failed(file, strerror(errno));
    for (const char *line = csv; *line; row++) {
        const char *at = line;
        unsigned columns = 0;

        for (; field(&at, cell, sizeof cell); columns++) markdown_cell(to, cell, !row);
        if (!row) head = columns;
        /* missing cells at the end are empty */
        for (; columns < head; columns++) markdown_cell(to, "", false);
        fprintf(to, "|\n");
        for (unsigned i = 0; !row && i < columns; i++)
            fprintf(to, "|---%s", i + 1 < columns ? "" : "|\n");
        line = strchr(at, '\n');
        if (!line) break;
        line++;
    }
    free(csv);
    return true;
}

static void about(const writer *w, FILE *to) {
    unsigned cells = 0;

    for (unsigned i = 0; i < w->s->sweep_count; i++) cells += w->s->sweeps[i].count;
    fprintf(to, "%s study of %u cells, by acesim %s, commit %s.\n",
            w->s->quick ? "**A quick look, not the whole study** (`--quick`): a" : "The whole",
            cells, acesim_version, build_commit);
}

static bool page(const writer *w) {
    char source[STUDY_PATH], file[OUTPUT_PATH];
    char *text, *rest = NULL;
    atomic_file to;
    bool good;

    snprintf(source, sizeof source, "%s/%s", w->s->folder, w->s->page);
    snprintf(file, sizeof file, "%s/%s", w->folder, w->s->page);
    text = slurp(source);
    if (!text) return failed(source, strerror(errno));
    good = atomic_file_open(&to, file) == EXIT_OK;
    for (char *line = text; good && line && *line; line = rest) {
        rest = strchr(line, '\n');
        if (rest) *rest++ = '\0';
        if (!strncmp(line, "@table ", 7))
            good = markdown(w, line + 7, to.to);
        else if (!strcmp(line, "@about"))
            about(w, to.to);
        else
            fprintf(to.to, "%s\n", line);
    }
    if (good)
        good = atomic_file_close(&to) == EXIT_OK;
    else if (to.to)
        atomic_file_drop(&to);
    free(text);
    return good;
}

/* Prints the beginning of the page, up to its first section, on standard output. */
static bool print_top(const writer *w) {
    char file[OUTPUT_PATH];
    char *text, *section;

    snprintf(file, sizeof file, "%s/%s", w->folder, w->s->page);
    text = slurp(file);
    if (!text) return failed(file, strerror(errno));
    section = strstr(text, "\n## ");
    if (section) *section = '\0';
    fputs(text, stdout);
    free(text);
    return true;
}

int study_write(const study *s, const char *database, const char *folder) {
    writer w = { .s = s, .folder = folder };
    bool good = open_database(&w, database);

    for (unsigned i = 0; good && i < s->table_count; i++)
        good = table(&w, s->tables[i]) && figure(&w, s->tables[i]);
    good = good && page(&w) && print_top(&w);
    sqlite3_close(w.db);
    return good ? EXIT_OK : EXIT_CHECK;
}

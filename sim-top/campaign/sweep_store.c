/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_store.c -- keeps the results of sweeps in SQLite
 *
 *   points   a row for each point that was run; no column depends on the worker
 *   runs     a row for each start of a point: the worker, the outcome, the wall time
 *
 * A claim is a row of `runs` that is still running. An index allows one such row for each point, so
 * that no two processes can claim the same point.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build_info.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "sweep_file.h"

const char *const sweep_figures[] = { "cycles",
                                      "time_us",
                                      "compute_cycles",
                                      "exposed_communication_cycles",
                                      "network_bandwidth_GBps",
                                      "fraction_of_ideal",
                                      "check",
                                      NULL };
_Static_assert(sizeof sweep_figures / sizeof *sweep_figures == SWEEP_FIGURES + 1,
               "rows have a column for each figure");

enum statement { CLAIM, STANDING, LOSE, RECORD, END, BEAT, FORGET, LOOK, STATEMENTS };

struct sweep_store {
    const char *path;
    const sweep *s;
    sqlite3 *db;
    sqlite3_stmt *statement[STATEMENTS];
    sqlite3_int64 *run; /* for each point: the row of its claim */
    char host[256];
    sqlite3_int64 birth;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS points("
    "key TEXT PRIMARY KEY, command TEXT, version TEXT, program TEXT,"
    "state TEXT, exit_status INTEGER, message TEXT,"
    "cycles INTEGER, time_us REAL, compute_cycles INTEGER, exposed_communication_cycles INTEGER,"
    "network_bandwidth_GBps REAL, fraction_of_ideal REAL, \"check\" TEXT, result TEXT"
    ") WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS runs("
    "id INTEGER PRIMARY KEY, key TEXT, state TEXT, host TEXT, pid INTEGER, birth INTEGER,"
    "beat INTEGER, wall_s REAL);"
    "CREATE UNIQUE INDEX IF NOT EXISTS one_claim ON runs(key) WHERE state = 'running';";

/* Returns the system's reason for a file that SQLite cannot open, or 0. SQLite tries again without
 * writing and keeps only the last reason. */
static int reason(const char *path) {
    const int file = open(path, O_RDWR | O_CREAT, 0666);

    if (file < 0) return errno;
    close(file);
    return 0;
}

static bool ok(const sweep_store *t, int rc) {
    if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE) return true;
    const int why = rc == SQLITE_CANTOPEN ? reason(t->path) : 0;

    if (why)
        fprintf(stderr, "acesim: %s: %s, expected a database that can be written\n", t->path,
                strerror(why));
    else
        fprintf(stderr, "acesim: %s: %s\n", t->path,
                t->db ? sqlite3_errmsg(t->db) : "out of memory");
    return false;
}

static bool execute(const sweep_store *t, const char *sql) {
    return ok(t, sqlite3_exec(t->db, sql, NULL, NULL, NULL));
}

/* Returns when a process was started, in clock ticks of this machine; 0: it does not exist, or is a
 * zombie. A reused process id has another start time. */
static sqlite3_int64 process_birth(sqlite3_int64 pid) {
    char name[64], text[1024];
    unsigned long long birth = 0;
    char state = 0;
    const char *p;
    FILE *f;
    size_t n;

    snprintf(name, sizeof name, "/proc/%lld/stat", (long long)pid);
    f = fopen(name, "r");
    if (!f) return 0;
    n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    p = strrchr(text, ')'); /* the process name before may contain anything */
    if (!p || sscanf(p + 1,
                     " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                     "%llu",
                     &state, &birth) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : (sqlite3_int64)birth;
}

/* ---- opening -------------------------------------------------------------------- */

/* Writes the column name of an option. Returns false for an axis without a column: the command, and
 * `check`, which is a figure. */
static bool column(const sweep_axis *a, char *to, size_t room) {
    if (a->number < 0 || !strcmp(a->name, "check")) return false;
    snprintf(to, room, "%s", a->name);
    for (; *to; to++)
        if (*to == '-') *to = '_';
    return true;
}

/* Makes the tables, with a column for each option of this sweep. */
static bool make_tables(const sweep_store *t) {
    if (!execute(t, schema)) return false;
    for (unsigned i = 0; i < t->s->axis_count; i++) {
        char name[80], sql[200];
        sqlite3_stmt *probe;

        if (!column(&t->s->axes[i], name, sizeof name)) continue;
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('points') WHERE name = '%s'", name);
        if (!ok(t, sqlite3_prepare_v2(t->db, sql, -1, &probe, NULL))) return false;
        sqlite3_step(probe);
        const bool there = sqlite3_column_int(probe, 0) > 0;
        sqlite3_finalize(probe);
        snprintf(sql, sizeof sql, "ALTER TABLE points ADD COLUMN \"%s\" TEXT", name);
        if (!there && !execute(t, sql)) return false;
    }
    return true;
}

/* Returns the statement INSERT INTO points(..., the options) VALUES(?1, ...). */
static char *record_sql(const sweep *s) {
    const size_t room = 600 + s->axis_count * (size_t)90;
    char *sql = malloc(room), name[80];
    size_t n;

    if (!sql) return NULL;
    n = (size_t)snprintf(sql, room,
                         "INSERT OR IGNORE INTO points(key, command, version, program, state, "
                         "exit_status, message, result");
    for (int i = 0; i < SWEEP_FIGURES; i++)
        n += (size_t)snprintf(sql + n, room - n, ", \"%s\"", sweep_figures[i]);
    for (unsigned i = 0; i < s->axis_count; i++)
        if (column(&s->axes[i], name, sizeof name))
            n += (size_t)snprintf(sql + n, room - n, ", \"%s\"", name);
    n += (size_t)snprintf(sql + n, room - n, ") VALUES(?1");
    for (int i = 2; i <= 8 + SWEEP_FIGURES; i++)
        n += (size_t)snprintf(sql + n, room - n, ",?%d", i);
    for (unsigned i = 0, at = 9 + SWEEP_FIGURES; i < s->axis_count; i++)
        if (column(&s->axes[i], name, sizeof name))
            n += (size_t)snprintf(sql + n, room - n, ",?%u", at++);
    snprintf(sql + n, room - n, ")");
    return sql;
}

static bool prepare(sweep_store *t) {
    char *record = record_sql(t->s);
    const char *const sql[STATEMENTS] = {
        [CLAIM] = "INSERT OR IGNORE INTO runs(key, state, host, pid, birth, beat) "
                  "SELECT ?1, 'running', ?2, ?3, ?4, ?5 "
                  "WHERE NOT EXISTS (SELECT 1 FROM points WHERE key = ?1)",
        [STANDING] = "SELECT EXISTS (SELECT 1 FROM points WHERE key = ?1), id, host, pid, birth, "
                     "beat FROM (SELECT 1) LEFT JOIN runs ON key = ?1 AND state = 'running'",
        [LOSE] = "UPDATE runs SET state = 'lost' WHERE id = ?1 AND state = 'running'",
        [RECORD] = record,
        [END] = "UPDATE runs SET state = 'ended', wall_s = ?2 WHERE id = ?1",
        [BEAT] = "UPDATE runs SET beat = ?1 WHERE state = 'running' AND host = ?2 AND pid = ?3",
        [FORGET] = "DELETE FROM points WHERE key = ?1 AND state <> 'done'",
        [LOOK] = "SELECT ifnull(points.state, ifnull(runs.state, 'waiting')), exit_status, "
                 "message, result, cycles, time_us, compute_cycles, "
                 "exposed_communication_cycles, network_bandwidth_GBps, fraction_of_ideal, "
                 "\"check\" FROM (SELECT ?1 AS wanted) LEFT JOIN points ON points.key = wanted "
                 "LEFT JOIN runs ON runs.key = wanted AND runs.state = 'running'",
    };
    bool good = record != NULL;

    for (int i = 0; good && i < STATEMENTS; i++)
        good = ok(t, sqlite3_prepare_v2(t->db, sql[i], -1, &t->statement[i], NULL));
    free(record);
    return good;
}

int sweep_store_open(const char *path, const sweep *s, sweep_store **to) {
    sweep_store *t = *to = calloc(1, sizeof *t);
    int rc = SQLITE_BUSY;

    if (t) t->run = calloc(s->count, sizeof *t->run);
    if (!t || !t->run) {
        return message_no_memory();
    }
    t->path = path;
    t->s = s;
    gethostname(t->host, sizeof t->host - 1);
    t->birth = process_birth(getpid());
    if (!ok(t, sqlite3_open(path, &t->db))) return EXIT_USAGE;
    sqlite3_busy_timeout(t->db, 60000);
    /* SQLite does not wait when two processes switch a new file to WAL at the same time, so this
     * tries again. */
    for (int i = 0; i < 600 && rc == SQLITE_BUSY; i++) {
        if (i) nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
        rc = sqlite3_exec(t->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL,
                          NULL, NULL);
    }
    if (!ok(t, rc) || !execute(t, "BEGIN IMMEDIATE") || !make_tables(t) || !execute(t, "COMMIT") ||
        !prepare(t))
        return EXIT_USAGE;
    return EXIT_OK;
}

void sweep_store_close(sweep_store *t) {
    if (!t) return;
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(t->statement[i]);
    sqlite3_close(t->db);
    free(t->run);
    free(t);
}

/* ---- statements ----------------------------------------------------------------- */

/* Ends the read of a row. An open read keeps this process at an old snapshot. Once another process
 * has written, SQLite would refuse a write at once with "database is locked", whatever its
 * timeout. */
static void end_look(const sweep_store *t) { sqlite3_reset(t->statement[LOOK]); }

static sqlite3_stmt *with_key(const sweep_store *t, enum statement which, unsigned point) {
    sqlite3_stmt *q = t->statement[which];

    end_look(t);
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    sqlite3_bind_text(q, 1, t->s->points[point].key, -1, SQLITE_STATIC);
    return q;
}

static bool step(const sweep_store *t, sqlite3_stmt *q) {
    const int rc = sqlite3_step(q);
    const bool good = ok(t, rc);

    if (rc != SQLITE_ROW) sqlite3_reset(q);
    return good;
}

static bool claim(sweep_store *t, unsigned point) {
    sqlite3_stmt *q = with_key(t, CLAIM, point);

    sqlite3_bind_text(q, 2, t->host, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, getpid());
    sqlite3_bind_int64(q, 4, t->birth);
    sqlite3_bind_int64(q, 5, time(NULL));
    return step(t, q);
}

/* Returns whether the holder of a claim has ended. A claim without a machine's name is from another
 * machine. */
static bool is_lost(const sweep_store *t, sqlite3_stmt *standing) {
    const char *host = (const char *)sqlite3_column_text(standing, 2);

    if (!host || strcmp(host, t->host))
        return sqlite3_column_int64(standing, 5) < time(NULL) - SWEEP_LEASE_S;
    return process_birth(sqlite3_column_int64(standing, 3)) != sqlite3_column_int64(standing, 4);
}

sweep_claimed sweep_claim(sweep_store *t, unsigned point) {
    enum { TRIES = 1000 /* others may give up a claim in between, but not each time */ };

    for (unsigned tries = 0; tries < TRIES; tries++) {
        sqlite3_stmt *q;
        sqlite3_int64 id;
        bool lost;

        if (!claim(t, point)) return CLAIM_FAILED;
        if (sqlite3_changes(t->db) == 1) {
            t->run[point] = sqlite3_last_insert_rowid(t->db);
            return CLAIMED;
        }
        q = with_key(t, STANDING, point);
        if (!step(t, q)) return CLAIM_FAILED;
        const bool finished = sqlite3_column_int(q, 0), held = sqlite3_column_int64(q, 1) != 0;
        id = sqlite3_column_int64(q, 1);
        lost = held && is_lost(t, q);
        sqlite3_reset(q);
        if (finished) return FINISHED;
        if (held && !lost) return BUSY;
        if (!held) continue; /* given up in the meantime */
        q = t->statement[LOSE];
        sqlite3_bind_int64(q, 1, id);
        if (!step(t, q)) return CLAIM_FAILED;
    }
    fprintf(stderr,
            "acesim: %s: found a claim of point %s that is there and is not, expected a database "
            "whose index one_claim is that of its table runs: it is damaged\n",
            t->path, t->s->points[point].key);
    return CLAIM_FAILED;
}

static void bind_figures(sqlite3_stmt *q, const char *json) {
    cJSON *root = json ? json_parse(json, NULL, false) : NULL;

    for (int i = 0; i < SWEEP_FIGURES; i++) {
        const cJSON *v = root ? cJSON_GetObjectItemCaseSensitive(root, sweep_figures[i]) : NULL;
        uint64_t whole;

        if (cJSON_IsString(v))
            sqlite3_bind_text(q, 9 + i, v->valuestring, -1, SQLITE_TRANSIENT);
        else if (json_unsigned(v, &whole) && whole <= INT64_MAX)
            sqlite3_bind_int64(q, 9 + i, (int64_t)whole);
        else if (cJSON_IsNumber(v))
            /* SQLite converts whole numbers to integers */
            sqlite3_bind_double(q, 9 + i, v->valuedouble);
    }
    cJSON_Delete(root);
}

bool sweep_record(sweep_store *t, unsigned point, const sweep_outcome *o) {
    sqlite3_stmt *q = with_key(t, RECORD, point);
    char *line = sweep_line(t->s, point), name[80];
    int at = 9 + SWEEP_FIGURES;
    bool good;

    sqlite3_bind_text(q, 2, line, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 3, acesim_version, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 4, t->s->program, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 5,
                      o->exit_status == EXIT_OK      ? "done"
                      : o->exit_status == EXIT_USAGE ? "refused"
                                                     : "failed",
                      -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 6, o->exit_status);
    if (*o->message) sqlite3_bind_text(q, 7, o->message, -1, SQLITE_STATIC);
    if (*o->result) sqlite3_bind_text(q, 8, o->result, -1, SQLITE_STATIC);
    bind_figures(q, o->result);
    for (unsigned i = 0; i < t->s->axis_count; i++)
        if (column(&t->s->axes[i], name, sizeof name))
            sqlite3_bind_text(q, at++, sweep_setting(t->s, point, i), -1, SQLITE_STATIC);
    good = line && execute(t, "BEGIN IMMEDIATE") && step(t, q);
    if (good) {
        sqlite3_stmt *end = t->statement[END];

        sqlite3_bind_int64(end, 1, t->run[point]);
        sqlite3_bind_double(end, 2, o->wall_s);
        good = step(t, end) && execute(t, "COMMIT");
    }
    free(line);
    return good;
}

bool sweep_beat(sweep_store *t) {
    sqlite3_stmt *q = t->statement[BEAT];

    end_look(t);
    sqlite3_bind_int64(q, 1, time(NULL));
    sqlite3_bind_text(q, 2, t->host, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, getpid());
    return step(t, q);
}

bool sweep_forget_failures(sweep_store *t) {
    bool good;

    end_look(t);
    good = execute(t, "BEGIN IMMEDIATE");

    for (unsigned i = 0; good && i < t->s->count; i++) good = step(t, with_key(t, FORGET, i));
    return good && execute(t, "COMMIT");
}

bool sweep_look(sweep_store *t, unsigned point, sweep_row *row) {
    sqlite3_stmt *q = with_key(t, LOOK, point);
    const char *text[4 + SWEEP_FIGURES];

    if (!step(t, q)) return false;
    for (int i = 0; i < 4 + SWEEP_FIGURES; i++) text[i] = (const char *)sqlite3_column_text(q, i);
    *row = (sweep_row){ .state = text[0],
                        .exit_status = sqlite3_column_int(q, 1),
                        .message = text[2],
                        .result = text[3] };
    memcpy(row->figures, text + 4, sizeof row->figures);
    return true;
}

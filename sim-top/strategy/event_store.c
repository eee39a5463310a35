/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_store.c -- a table of SQLite in WAL mode, with two prepared statements
 *
 * Processes that open a new file together retry until one of them has made the table.
 */
#include "event_store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "exit_status.h"
#include "message.h"

struct event_store {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *look, *keep;
};

static bool ok(const event_store *s, int rc) {
    if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE) return true;
    fprintf(stderr, "acesim: %s: %s\n", s->path, s->db ? sqlite3_errmsg(s->db) : "out of memory");
    return false;
}

/* SQLite does not wait when two processes switch a new file to WAL at once, so this retries. */
static int share(const event_store *s) {
    int rc = SQLITE_BUSY;

    for (int i = 0; i < 600 && rc == SQLITE_BUSY; i++) {
        if (i) nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
        rc = sqlite3_exec(s->db,
                          "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                          "CREATE TABLE IF NOT EXISTS events("
                          "key TEXT PRIMARY KEY, cycles INTEGER) WITHOUT ROWID",
                          NULL, NULL, NULL);
    }
    return rc;
}

int event_store_open(const char *path, event_store **to) {
    event_store *s = *to = calloc(1, sizeof *s);

    if (!s) return message_no_memory();
    s->path = path;
    if (!ok(s, sqlite3_open(path, &s->db))) return EXIT_USAGE;
    sqlite3_busy_timeout(s->db, 60000);
    return ok(s, share(s)) &&
                   ok(s, sqlite3_prepare_v2(s->db, "SELECT cycles FROM events WHERE key = ?1", -1,
                                            &s->look, NULL)) &&
                   ok(s, sqlite3_prepare_v2(
                             s->db, "INSERT OR IGNORE INTO events(key, cycles) VALUES(?1, ?2)", -1,
                             &s->keep, NULL))
               ? EXIT_OK
               : EXIT_USAGE;
}

int event_store_look(event_store *s, const char *key, bool *there, uint64_t *cycles) {
    int rc;

    sqlite3_bind_text(s->look, 1, key, -1, SQLITE_STATIC);
    rc = sqlite3_step(s->look);
    *there = rc == SQLITE_ROW;
    if (*there) *cycles = (uint64_t)sqlite3_column_int64(s->look, 0);
    sqlite3_reset(s->look); /* an open read would keep other processes from writing */
    return ok(s, rc) ? EXIT_OK : EXIT_CHECK;
}

int event_store_keep(event_store *s, const char *key, uint64_t cycles) {
    int rc;

    sqlite3_bind_text(s->keep, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s->keep, 2, (sqlite3_int64)cycles);
    rc = sqlite3_step(s->keep);
    sqlite3_reset(s->keep);
    return ok(s, rc) ? EXIT_OK : EXIT_CHECK;
}

void event_store_close(event_store *s) {
    if (!s) return;
    sqlite3_finalize(s->look);
    sqlite3_finalize(s->keep);
    sqlite3_close(s->db);
    free(s);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_file.h -- a sweep: a file that lists many runs, and a database with their results
 *
 *     sweep_read(file, false, &s)       the points, each a command line and a key
 *     sweep_store_open(path, &s, &t)    any number of processes may, at once
 *     sweep_claim(t, i) == CLAIMED      point i is this process's to run
 *     sweep_record(t, i, &outcome)      its row is there for good
 *
 * If a process dies between claim and record, its claim is lost, and the point is free again.
 */
#ifndef SWEEP_FILE_H
#define SWEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the file (sweep_file.c) --------------------------------------------------------- */

typedef struct sweep_value {
    char *text;
    size_t line, column;
} sweep_value;

/* An option, or the command itself, and its values in the sweep. */
typedef struct sweep_axis {
    char *name;
    size_t line, column;
    int number; /* of the option; -1: the command */
    bool flag;
    sweep_value *values;
    unsigned count;
} sweep_axis;

typedef struct sweep_point {
    char **arguments; /* ends with NULL: the command, its arguments, --option=value... */
    int count;
    char key[17];
} sweep_point;

typedef struct sweep {
    const char *file;
    char name[64];
    /* the last one varies fastest; with one value, it is the same for all points */
    sweep_axis *axes;
    unsigned axis_count;
    sweep_point *points;
    unsigned count;
    char program[17]; /* digest of the program, since another program may give other results */
} sweep;

/* Reads a sweep. Returns EXIT_OK, or EXIT_USAGE after a message. The caller calls sweep_free() in
 * either case. */
int sweep_read(const char *file, bool quick, sweep *s); /* quick: use the file's `quick` values */
/* Returns the JSON Schema of such a file; the caller deletes it. */
struct cJSON *sweep_schema(void);
void sweep_free(sweep *s);
const char *sweep_setting(const sweep *s, unsigned point, unsigned axis);
/* Appends the argument OPTION VALUE, without a space, to a point whose arguments have room for it.
 * Returns false if there is no memory. */
bool sweep_point_add(sweep_point *p, const char *option, const char *value);
/* Returns the point's command as a line for a shell; the caller frees it. */
char *sweep_line(const sweep *s, unsigned point);

/* ---- the database (sweep_store.c) ----------------------------------------------- */

extern const char *const sweep_figures[]; /* names of a result's figures, ended by NULL */
enum { SWEEP_FIGURES = 7 };

/* The state of a point and its row. Strings are valid until the next call for the store. */
typedef struct sweep_row {
    const char *state; /* done, failed or refused; running or waiting if there is no row */
    int exit_status;
    const char *message, *result, *figures[SWEEP_FIGURES]; /* NULL: none */
} sweep_row;

typedef struct sweep_outcome {
    int exit_status; /* 128 + the signal, if a signal ended it */
    const char *message, *result;
    double wall_s;
} sweep_outcome;

typedef enum sweep_claimed { CLAIMED, FINISHED, BUSY, CLAIM_FAILED } sweep_claimed;

/* These functions print a message on an error, and return false, CLAIM_FAILED or EXIT_CHECK. */
typedef struct sweep_store sweep_store;
int sweep_store_open(const char *path, const sweep *s, sweep_store **t);
void sweep_store_close(sweep_store *t);
sweep_claimed sweep_claim(sweep_store *t, unsigned point);
bool sweep_record(sweep_store *t, unsigned point, const sweep_outcome *o);
/* Records that this process is alive. Call it every SWEEP_BEAT_S seconds. */
bool sweep_beat(sweep_store *t);
/* Deletes the rows of points that failed. */
bool sweep_forget_failures(sweep_store *t);
bool sweep_look(sweep_store *t, unsigned point, sweep_row *row);

/* A claim of this machine is lost when its process has ended. A claim of another machine is lost
 * after SWEEP_LEASE_S seconds without a beat. */
enum { SWEEP_BEAT_S = 5, SWEEP_LEASE_S = 60 };

/* ---- the worker (sweep_worker.c) -------------------------------------------------- */

enum { SWEEP_JOBS = 256, SWEEP_LIMIT_S = 31536000 /* a year */ };

typedef struct sweep_share {
    unsigned jobs;          /* points at a time, at most SWEEP_JOBS */
    const bool *wanted;     /* for each point: it belongs to the share; NULL: all do */
    uint64_t shard, shards; /* the share has the points whose number is `shard` modulo `shards` */
    /* number of this worker among those started together, which decides where it begins */
    unsigned rank, ranks;
    bool quiet;     /* no progress on a terminal */
    double limit_s; /* most seconds of a point; 0: no limit */
    /* Runs a point: argv as in main(), from the subcommand on. Returns an exit status. */
    int (*run)(int argc, char **argv);
} sweep_share;
/* Sets rank and ranks from the environment of an MPI or Slurm launcher; 0 and 1 without one. The
 * worker with rank 0 prints. */
void sweep_share_find(sweep_share *share);
bool sweep_mine(const sweep_share *share, unsigned point);
/* Returns when each point of the share is recorded, by this worker or another. Adds to *ran the
 * points run here. Returns EXIT_OK, or EXIT_CHECK after a message. After SIGINT or SIGTERM it
 * prints a message and returns EXIT_SIGNAL plus the signal. Recorded results stay, and another call
 * continues with the rest. */
int sweep_work(const sweep *s, sweep_store *t, const sweep_share *share, unsigned *ran);

#endif

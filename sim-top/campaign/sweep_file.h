/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_file.h -- many runs: a file that names them, a database that holds their results
 *
 *     sweep_read(file, false, &s)       the points, each a command line and a key
 *     sweep_store_open(path, &s, &t)    any number of processes may, at once
 *     sweep_claim(t, i) == CLAIMED      point i is this process's to run
 *     sweep_record(t, i, &outcome)      its row is there for good
 *
 * Who dies between claim and record loses the claim: the point is free again.
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

/* An option, or the command itself, and the values it takes. */
typedef struct sweep_axis {
    char *name;
    size_t line, column;
    int number; /* of the option; -1: the command */
    bool flag;
    sweep_value *values;
    unsigned count;
} sweep_axis;

typedef struct sweep_point {
    char **words; /* ended by NULL: the command, its arguments, --option=value... */
    int count;
    char key[17];
} sweep_point;

typedef struct sweep {
    const char *file;
    char name[64];
    sweep_axis *axes; /* the last one varies fastest; one value: the same at every point */
    unsigned axis_count;
    sweep_point *points;
    unsigned count;
    char program[17]; /* digest of the program: other programs, other results */
} sweep;

/* EXIT_OK, or EXIT_USAGE after a message; sweep_free in either case. */
int sweep_read(const char *file, bool quick, sweep *s); /* quick: the file's `quick` values */
/* The JSON Schema of such a file; the caller deletes it. */
struct cJSON *sweep_schema(void);
void sweep_free(sweep *s);
const char *sweep_setting(const sweep *s, unsigned point, unsigned axis);
/* The point as a line for a shell, to be freed. */
char *sweep_line(const sweep *s, unsigned point);

/* ---- the database (sweep_store.c) ----------------------------------------------- */

extern const char *const sweep_figures[]; /* of a result, ended by NULL */
enum { SWEEP_FIGURES = 7 };

/* A row, and how a point stands: strings live until the next call for the store. */
typedef struct sweep_row {
    const char *state; /* done, failed, refused; without a row running or waiting */
    int exit_status;
    const char *message, *result, *figures[SWEEP_FIGURES]; /* NULL: none */
} sweep_row;

typedef struct sweep_outcome {
    int exit_status; /* 128 + the signal when there was one */
    const char *message, *result;
    double wall_s;
} sweep_outcome;

typedef enum sweep_claimed { CLAIMED, FINISHED, BUSY, CLAIM_FAILED } sweep_claimed;

/* What follows says what is wrong on stderr and returns false, CLAIM_FAILED or EXIT_CHECK. */
typedef struct sweep_store sweep_store;
int sweep_store_open(const char *path, const sweep *s, sweep_store **t);
void sweep_store_close(sweep_store *t);
sweep_claimed sweep_claim(sweep_store *t, unsigned point);
bool sweep_record(sweep_store *t, unsigned point, const sweep_outcome *o);
/* This process is alive: to be said every SWEEP_BEAT_S. */
bool sweep_beat(sweep_store *t);
/* Forgets the rows of points that did not end well. */
bool sweep_forget_failures(sweep_store *t);
bool sweep_look(sweep_store *t, unsigned point, sweep_row *row);

/* A claim of this machine is lost when its process is gone; one of another machine when
 * nothing was heard for SWEEP_LEASE_S. */
enum { SWEEP_BEAT_S = 5, SWEEP_LEASE_S = 60 };

/* ---- the worker (sweep_worker.c) -------------------------------------------------- */

enum { SWEEP_JOBS = 256, SWEEP_LIMIT_S = 31536000 /* a year */ };

typedef struct sweep_share {
    unsigned jobs;          /* points at a time, to SWEEP_JOBS */
    const bool *wanted;     /* of each point: it is of the share; NULL: all may be */
    uint64_t shard, shards; /* the points whose number is shard modulo shards */
    unsigned rank, ranks;   /* of this worker among those started together: where it begins */
    bool quiet;             /* no progress on a terminal */
    double limit_s;         /* that a point may take, or 0: as long as it takes */
    /* Runs a point: argv as main() has it, from the subcommand on.  An exit status. */
    int (*run)(int argc, char **argv);
} sweep_share;
/* Which of the workers that were started together this one is, as their launcher says: the first,
 * of one, where none does.  The first one prints. */
void sweep_share_find(sweep_share *share);
bool sweep_mine(const sweep_share *share, unsigned point);
/* Returns when each point of the share is recorded, by this worker or another; *ran grows by
 * those run here.  EXIT_OK; EXIT_CHECK after a message; EXIT_SIGNAL and more after SIGINT or
 * SIGTERM, with a message: what is recorded stays, and the same work goes on with the rest. */
int sweep_work(const sweep *s, sweep_store *t, const sweep_share *share, unsigned *ran);

#endif

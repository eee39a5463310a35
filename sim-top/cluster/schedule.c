/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.c -- finds the parts of a balanced collective by linear programming, see schedule.h
 *
 * The shares of the vector for each order are a linear program with a row for each dimension:
 *
 *     share[o] >= 0,  sum of share[o] = 1,  minimise  max over d of  sum over o of
 *     share[o] time[o][d]
 *
 * Here time[o][d] is how long dimension d needs for the whole vector in order o. Let u be share
 * divided by that maximum. Then the program is: maximise the sum of u with  sum over o of u[o]
 * time[o][d] <= 1  for each d. The simplex method starts at u = 0 and solves this in a few steps. A
 * corner of the region has at most as many orders as dimensions.
 */
#include "schedule.h"

#include <string.h>

#include "ace_command.h"

enum {
    ALIGNED = 4096, /* parts begin at multiples of this: whole rows and elements */
    ORDERS = 720,   /* of six dimensions */
    ROWS = ACE_CLUSTER_DIMENSIONS,
    COLUMNS = ORDERS + ROWS + 1 /* one for each order and each row, and the right-hand side */
};
_Static_assert(ACE_CLUSTER_DIMENSIONS == 6, "as many orders as six dimensions have");

/* The orders that a command may use. The first is the command's own, with dimensions of one member
 * at the end. */
typedef struct orders {
    uint8_t dims[ORDERS][ACE_CLUSTER_DIMENSIONS];
    double share[ORDERS]; /* of the vector */
    unsigned count;
} orders;

/* Advances `at` to the next permutation in lexicographic order. Returns false after the last. */
static bool next_order(uint8_t *at, unsigned count) {
    unsigned i = count - 1, k = count - 1;
    uint8_t first;

    while (i && at[i - 1] >= at[i]) i--;
    if (!i) return false;
    while (at[k] <= at[i - 1]) k--;
    first = at[i - 1];
    at[i - 1] = at[k];
    at[k] = first;
    for (k = count - 1; i < k; i++, k--) {
        first = at[i];
        at[i] = at[k];
        at[k] = first;
    }
    return true;
}

/* Lists all orders of the dimensions with several members. Other dimensions stay at the end. */
static void list_orders(const ace_config *cfg, const ace_command *command, orders *o) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS], number[ACE_CLUSTER_DIMENSIONS] = { 0, 1, 2, 3, 4, 5 };
    unsigned active = 0, rest;

    for (unsigned i = 0; i < command->dim_count; i++)
        if (cfg->ring[command->dims[i]] > 1) dims[active++] = command->dims[i];
    rest = active;
    for (unsigned i = 0; i < command->dim_count; i++)
        if (cfg->ring[command->dims[i]] < 2) dims[rest++] = command->dims[i];
    o->count = 0;
    do {
        uint8_t *to = o->dims[o->count++];

        for (unsigned i = 0; i < command->dim_count; i++) to[i] = dims[i < active ? number[i] : i];
    } while (active > 1 && next_order(number, active));
}

/* The simplex tableau: a row for each dimension, and a last row with the gain of each column. */
typedef struct tableau {
    double at[ROWS + 1][COLUMNS];
    unsigned columns; /* without the right-hand side, which is the last column */
    unsigned basis[ROWS];
} tableau;

/* Brings a column into the basis, replacing the column of a row. */
static void pivot(tableau *t, unsigned row, unsigned column) {
    const double by = t->at[row][column];

    for (unsigned c = 0; c <= t->columns; c++) t->at[row][c] /= by;
    for (unsigned r = 0; r <= ROWS; r++) {
        const double times = t->at[r][column];

        for (unsigned c = 0; r != row && c <= t->columns; c++) t->at[r][c] -= times * t->at[row][c];
    }
    t->basis[row] = column;
}

/* Returns the row that limits a column most. Among equal rows it is the one whose basis column is
 * first. */
static unsigned bounding(const tableau *t, unsigned column) {
    unsigned best = ROWS;
    double least = 0;

    for (unsigned r = 0; r < ROWS; r++) {
        double bound;

        if (t->at[r][column] < 1e-9) continue;
        bound = t->at[r][t->columns] / t->at[r][column];
        if (best < ROWS && (bound > least || (bound >= least && t->basis[r] > t->basis[best])))
            continue;
        best = r;
        least = bound;
    }
    return best;
}

/* Sets the time of each dimension for the whole vector in each order, relative to the longest. */
static void fill(const cluster *c, const ace_config *cfg, const ace_command *command,
                 const orders *o, tableau *t) {
    double longest = 0;

    *t = (tableau){ .columns = o->count + ROWS };
    for (unsigned k = 0; k < o->count; k++) {
        ace_command one = *command;
        uint64_t bytes[ACE_CLUSTER_DIMENSIONS];

        memcpy(one.dims, o->dims[k], sizeof one.dims);
        ace_command_bytes(&one, cfg, bytes);
        for (unsigned d = 0; d < ROWS; d++) {
            t->at[d][k] = (double)bytes[d] / c->link_GBps[d];
            if (t->at[d][k] > longest) longest = t->at[d][k];
        }
        t->at[ROWS][k] = -1;
    }
    for (unsigned d = 0; d < ROWS; d++) {
        for (unsigned k = 0; k < o->count; k++) t->at[d][k] /= longest;
        t->at[d][o->count + d] = t->at[d][t->columns] = 1;
        t->basis[d] = o->count + d;
    }
}

/* Finds the shares that minimise the busiest dimension's time. The first improving column enters
 * (Bland's rule), so that the method terminates. */
static void find_shares(const cluster *c, const ace_config *cfg, const ace_command *command,
                        orders *o) {
    tableau t;
    double sum = 0;

    for (unsigned k = 0; k < o->count; k++) o->share[k] = 0;
    fill(c, cfg, command, o, &t);
    for (;;) {
        unsigned column = 0, row;

        while (column < t.columns && t.at[ROWS][column] > -1e-9) column++;
        row = column < t.columns ? bounding(&t, column) : ROWS;
        if (row == ROWS) break;
        pivot(&t, row, column);
    }
    for (unsigned d = 0; d < ROWS; d++) {
        if (t.basis[d] >= o->count || t.at[d][t.columns] < 1e-6) continue;
        o->share[t.basis[d]] = t.at[d][t.columns];
        sum += t.at[d][t.columns];
    }
    for (unsigned k = 0; k < o->count; k++) o->share[k] /= sum;
}

/* Keeps the orders with a share. The smallest share is dropped while it is less than a chunk. */
static void keep_used(orders *o, double chunks) {
    unsigned kept = 0, least = 0;

    for (unsigned k = 0; k < o->count; k++) {
        if (!(o->share[k] > 0)) continue;
        memcpy(o->dims[kept], o->dims[k], sizeof o->dims[k]);
        o->share[kept++] = o->share[k];
    }
    o->count = kept;
    for (unsigned k = 1; k < kept; k++)
        if (o->share[k] < o->share[least]) least = k;
    if (kept < 2 || o->share[least] * chunks >= 1) return;
    for (unsigned k = 0; k < kept; k++)
        if (k != least) o->share[k] /= 1 - o->share[least];
    o->share[least] = 0;
    keep_used(o, chunks);
}

unsigned schedule_parts(schedule by, const cluster *c, const ace_config *cfg,
                        const ace_command *command, ace_command part[SCHEDULE_PARTS]) {
    const double chunks = (double)command->bytes / (double)c->chunk_bytes;
    unsigned rounds, parts = 0;
    uint64_t at = 0;
    double sum = 0, least = 1;
    orders o;

    part[0] = *command;
    if (by == SCHEDULE_BASELINE || chunks < 2) return 1;
    list_orders(cfg, command, &o);
    if (o.count == 1) return 1;
    find_shares(c, cfg, command, &o);
    keep_used(&o, chunks);
    if (o.count == 1 && !memcmp(o.dims[0], command->dims, command->dim_count)) return 1;
    for (unsigned k = 0; k < o.count; k++)
        if (o.share[k] < least) least = o.share[k];
    rounds = SCHEDULE_PARTS / o.count;
    while (rounds > 1 && least * chunks < rounds) rounds--;
    for (unsigned i = 0; i < rounds * o.count; i++) {
        const bool last = i + 1 == rounds * o.count;
        uint64_t end;

        sum += o.share[i % o.count] / rounds;
        end = last ? command->bytes : (uint64_t)(sum * (double)command->bytes) / ALIGNED * ALIGNED;
        if (end <= at) continue;
        part[parts] = *command;
        memcpy(part[parts].dims, o.dims[i % o.count], sizeof part[parts].dims);
        part[parts].tag = (uint16_t)parts;
        part[parts].source += at;
        part[parts].destination += at;
        part[parts].bytes = end - at;
        at = end;
        parts++;
    }
    return parts;
}

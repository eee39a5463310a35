/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_file.h -- the result of a calibration, as one readable file
 *
 * The file holds the form's parameters, with their units and the experiments that each was fitted
 * on. It also holds the measured range, the program and cluster that were measured, and the errors
 * on experiments that were not fitted.
 */
#ifndef CALIBRATION_FILE_H
#define CALIBRATION_FILE_H

#include <stdio.h>

#include "flow_parameters.h"

enum { CALIBRATION_TEXT = 256, CALIBRATION_DIGEST = 17 };

/* A collective of a held-out experiment: the measured time, and the form's. */
typedef struct held_out {
    char text[CALIBRATION_TEXT]; /* of the experiment */
    char kind[32];               /* of the collective */
    unsigned works, work; /* number of collectives in the experiment, and the index of this one */
    double bytes, measured, predicted; /* measured, predicted: cycles */
    /* predicted cycles with starts moved a little, and with an all-to-all's links decided otherwise
     * (experiment_range); if alone, equal to `predicted` */
    double low, high;
} held_out;

typedef struct calibration {
    char cluster[CALIBRATION_TEXT]; /* name of the cluster file, for people */
    char *cluster_text;    /* text of the cluster file with its NPUs' values inserted: YAML */
    FILE *kept;            /* the same text as an open file without a name, or NULL */
    char cluster_file[32]; /* path by which `kept` is read (calibration_cluster) */
    char cluster_digest[CALIBRATION_DIGEST], program[CALIBRATION_DIGEST], rtl[CALIBRATION_DIGEST];
    char rung[16];
    /* numbers of experiments: fitted, the held-out grid's seed, and measured on the rung rtl,
     * too */
    double points, seed, rtl_points;
    double bytes[2], chunk_bytes[2], memory_GBps[2]; /* least and most of what was measured */
    double at_once;                                  /* most collectives at a time */
    unsigned dimensions; /* number of dimensions for which parameters are given */
    /* For a cluster too large for engines: the most dimensions that were measured together, and the
     * most members of each dimension; 0: the cluster itself was measured. */
    struct {
        unsigned dimensions;
        unsigned members[ACE_CLUSTER_DIMENSIONS];
    } beyond;
    flow_parameters flow;
    held_out *held;
    unsigned held_count;
} calibration;

/* Writes the file. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int calibration_write(const char *file, const calibration *c);
/* Reads a file, with the same results. The caller calls calibration_free() in either case. */
int calibration_read(const char *file, calibration *c);
void calibration_free(calibration *c);
/* Makes the cluster's text available as a file, c->cluster_file, until calibration_free(). So a
 * calibration does not depend on the original cluster file. Returns EXIT_OK, or EXIT_CHECK after a
 * message. */
int calibration_cluster(calibration *c);
/* Removes the held-out experiments. */
void calibration_forget(calibration *c);
/* Adds a held-out experiment. Returns false when there is no memory. */
bool calibration_hold(calibration *c, const held_out *h);

/* The error to be expected of a collective, from the held-out collectives of its kind that are
 * nearest in size. With kind NULL: from all held-out collectives. */
typedef struct expected_error {
    double mean, worst; /* |predicted / measured - 1| */
    unsigned count;     /* number of held-out collectives used; 0: none of that kind */
} expected_error;
expected_error calibration_error(const calibration *c, const char *kind, double bytes,
                                 bool at_once);

#endif

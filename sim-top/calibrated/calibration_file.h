/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_file.h -- what a calibration has found: one file that a person can read
 *
 * It holds the parameters of the form with their units and what each was fitted on, the range that
 * was measured, what it was measured with, and the errors on experiments that were not fitted.
 */
#ifndef CALIBRATION_FILE_H
#define CALIBRATION_FILE_H

#include <stdio.h>

#include "flow_parameters.h"

enum { CALIBRATION_TEXT = 256, CALIBRATION_DIGEST = 17 };

/* A collective of a held-out experiment: measured, and as the form has it. */
typedef struct held_out {
    char text[CALIBRATION_TEXT]; /* of the experiment */
    char kind[32];               /* of the collective */
    unsigned works, work;        /* collectives of the experiment, and which of them this is */
    double bytes, measured, predicted; /* measured, predicted: cycles */
    double low, high; /* predicted, cycles: with starts a little apart, and where an all-to-all's
                       * links decide otherwise (experiment_range); alone all three are equal */
} held_out;

typedef struct calibration {
    char cluster[CALIBRATION_TEXT]; /* name of its file, for people */
    char *cluster_text;             /* what the file says, with that of its NPUs: YAML */
    FILE *kept;                     /* the same as a file without a name, or NULL */
    char cluster_file[32];          /* by which it is read (calibration_cluster) */
    char cluster_digest[CALIBRATION_DIGEST], program[CALIBRATION_DIGEST], rtl[CALIBRATION_DIGEST];
    char rung[16];
    double points, seed,
        rtl_points; /* fitted; of the held-out grid; measured on the rung rtl, too */
    double bytes[2], chunk_bytes[2], memory_GBps[2]; /* least and most of what was measured */
    double at_once;                                  /* collectives */
    unsigned dimensions;                             /* that the parameters of each are said of */
    /* Of a cluster that no engines can be: the most dimensions that were measured together, and of
     * each the most members; 0: the cluster itself was measured. */
    struct {
        unsigned dimensions;
        unsigned members[ACE_CLUSTER_DIMENSIONS];
    } beyond;
    flow_parameters flow;
    held_out *held;
    unsigned held_count;
} calibration;

/* EXIT_OK, or after a message EXIT_USAGE or EXIT_CHECK. */
int calibration_write(const char *file, const calibration *c);
/* The same; calibration_free() in either case. */
int calibration_read(const char *file, calibration *c);
void calibration_free(calibration *c);
/* Gives the cluster as a file, c->cluster_file, which lasts until calibration_free(): a calibration
 * is of a cluster, whatever file that was read from.  EXIT_OK, or EXIT_CHECK after a message. */
int calibration_cluster(calibration *c);
/* The held-out ones are forgotten. */
void calibration_forget(calibration *c);
/* One more; false: no memory. */
bool calibration_hold(calibration *c, const held_out *h);

/* What error to expect of a collective, from the held-out ones nearest to it in size, of its kind.
 * kind NULL: of any kind and size. */
typedef struct expected_error {
    double mean, worst; /* |predicted / measured - 1| */
    unsigned count;     /* of how many; 0: there is none of that kind */
} expected_error;
expected_error calibration_error(const calibration *c, const char *kind, double bytes,
                                 bool at_once);

#endif

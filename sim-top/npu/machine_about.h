/* SPDX-License-Identifier: Apache-2.0 */
/* machine_about.h -- where the numbers of an accelerator's file come from */
#ifndef MACHINE_ABOUT_H
#define MACHINE_ABOUT_H

/* The parts of a machine for which a file names a source. */
typedef enum machine_part {
    MACHINE_PEAKS,
    MACHINE_PRODUCTS,
    MACHINE_MEMORY,
    MACHINE_LINKS,   /* within a node */
    MACHINE_NETWORK, /* between nodes */
    MACHINE_STARTS,  /* of kernels and collectives */
    MACHINE_PARTS
} machine_part;

/* The sources of an accelerator's numbers. */
typedef struct machine_about {
    char source[MACHINE_PARTS][160]; /* "data sheet": not measured */
    char fitted_on[256];             /* rows of whole runs, or "": zero-shot */
    double unseen_error;             /* mean error of other rows; 0: there were none */
    char evidence[256];              /* file of runs that were not fitted, or "" */
} machine_about;

#endif

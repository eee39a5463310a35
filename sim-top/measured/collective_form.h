/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_form.h -- the time of a measured collective, by NCCL's own estimate and three sizes
 *
 * NCCL runs a collective by an algorithm (ring or tree) and a protocol (LL, LL128 or Simple). It
 * chooses the pair with the least time by a public model (github.com/NVIDIA/nccl,
 * src/graph/tuning.cc, releases 2.8 to 2.18). A pair takes the latency of its hops, plus the bytes
 * at a share of the links' bandwidth. The form is this model with three numbers that depend on the
 * machine:
 *
 *   time = start + min over pairs [ slow (latency - least latency of a pair)
 *                                   + share bytes / bandwidth (1 + slow (1 / efficiency - 1)) ]
 *
 *   start      us of a collective of no bytes: its launch, and the least latency
 *   bandwidth  GB/s that a rank sends when only the links take time
 *   slow       a factor on NCCL's constants for hops and for flags in the data; these constants are
 *              of idle machines and the best versions
 *
 * The cost of a protocol depends on the reaction time of threads, not on the links. So one factor
 * multiplies both its hops and the cost of its flags for each byte. An all-to-all has no algorithm:
 * it is sends and receives by Simple, with start and bandwidth alone.
 *
 * Two parts of NCCL's model are left out: limits of bandwidth for each channel, because the fit has
 * the bandwidth, and the rules for CollNet, NVLS and PCI.
 */
#ifndef COLLECTIVE_FORM_H
#define COLLECTIVE_FORM_H

#include <stdbool.h>

#include "collective_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FORM_START, FORM_BANDWIDTH, FORM_SLOW, FORM_CONSTANTS };
enum { FORM_SIZES = 3 };

typedef struct collective_fabric {
    unsigned ranks, nodes; /* nodes divides ranks */
} collective_fabric;

/* Which pair has the least time. */
typedef struct form_choice {
    const char *algorithm, *protocol;
} form_choice;

/* us.  chosen may be NULL. */
double form_us(const collective_fabric *f, ace_kind kind, double bytes,
               const double constant_[FORM_CONSTANTS], form_choice *chosen);

/* us of a collective of no bytes on an idle machine, by NCCL's constants. 0 of an all-to-all. */
double form_least_us(const collective_fabric *f, ace_kind kind);

/* Sets at[] to the rows whose logarithms are nearest to each size, without repetition. All `count`
 * rows have one kind. */
void form_nearest(const collective_row *rows, unsigned count, const double size[FORM_SIZES],
                  unsigned at[FORM_SIZES]);
/* The constants for which the rows at[] have the least squares of relative errors. */
void form_fit(const collective_fabric *f, const collective_row *rows, const unsigned at[FORM_SIZES],
              double constant_[FORM_CONSTANTS]);

/* The plainest form, us = alpha + beta bytes, by the same squares. */
typedef struct alpha_beta {
    double alpha_us, us_per_byte;
} alpha_beta;
alpha_beta alpha_beta_fit(const collective_row *rows, const unsigned at[FORM_SIZES]);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closed_form.h -- an iteration's time from seven constants, and the constants from measured rows
 *
 * The plainest model that others are to beat: operations follow one another, nothing overlaps.
 *
 *   layer      4 x (forward products / (efficiency x peak) + factor x vector bytes / memory)
 *              and 6 all-reduces of A over tensor parallelism: forward, again, backward
 *   stage      its layers; the last one the output layer, too
 *   pipeline   all stages once, the slowest m - 1 times more, 2 (p - 1) sends
 *   replicas   one all-reduce of the first stage's gradients behind the last backward pass
 *   optimizer  factor x 30 bytes a parameter / memory
 *
 * An all-reduce over n takes the latency and 2 (n - 1) / n of its bytes at the group's bandwidth:
 * within a node, across nodes for tensor parallelism, and for replicas that of a network interface
 * times how many of the node's GPUs the group has, since each drives one.
 */
#ifndef CLOSED_FORM_H
#define CLOSED_FORM_H

#include <stdbool.h>

#include "measured_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum constant {
    CONSTANT_EFFICIENCY, /* of matrix products, of the peak */
    CONSTANT_NODE,       /* GB/s that a rank sends within a node */
    CONSTANT_NODES,      /* GB/s of tensor parallelism across nodes */
    CONSTANT_REPLICAS,   /* GB/s of data parallelism, a network interface */
    CONSTANT_LATENCY,    /* us of a collective or a send */
    CONSTANT_VECTOR,     /* factor on the bytes of vector operations */
    CONSTANT_STAGES,     /* GB/s of a send between stages */
    CONSTANTS
} constant;
extern const char *const constant_names[CONSTANTS];
extern const char *const constant_units[CONSTANTS];

/* What the rows ran on; of data sheets. */
typedef struct closed_form_node {
    double peak_TFLOPS, memory_GBps;
    unsigned gpus; /* of a node */
} closed_form_node;
#define CLOSED_FORM_A100 ((closed_form_node){ 312, 2039, 8 })

/* Of data sheets alone: products at the peak, NVLink's 300 GB/s a direction, 800 Gbit/s a node, no
 * latency, each vector byte once. */
extern const double constants_of_data_sheets[CONSTANTS];
/* What an A100 and its node could do. */
extern const double constants_most[CONSTANTS];

double closed_form_ms(const closed_form_node *n, const double constant_[CONSTANTS],
                      const measured_row *r);

/* Minimises the mean relative error over the rows that `take` marks, from *constant_ on, by
 * Nelder and Mead's simplex in logarithms: the same rows give the same constants.  An efficiency
 * above 1 is never taken; other constants beyond constants_most only where not `limited`, as
 * each takes up what the form leaves out.  What the rows do not depend on stays as it was.
 */
void closed_form_fit(const closed_form_node *n, const measured_rows *r, const bool *take,
                     bool limited, double constant_[CONSTANTS]);

#ifdef __cplusplus
}
#endif

#endif

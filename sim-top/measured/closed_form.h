/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closed_form.h -- an iteration's time from seven constants, and the constants from measured rows
 *
 * A baseline for other models: operations follow one another, and nothing overlaps.
 *
 *   layer      4 x (forward products / (efficiency x peak) + factor x vector bytes / memory)
 *              and 6 all-reduces of A over tensor parallelism: forward, again, backward
 *   stage      its layers; the last one the output layer, too
 *   pipeline   all stages once, the slowest m - 1 times more, 2 (p - 1) sends
 *   replicas   one all-reduce of the first stage's gradients behind the last backward pass
 *   optimizer  factor x 30 bytes a parameter / memory
 *
 * An all-reduce over n takes the latency, plus 2 (n - 1) / n of its bytes at the group's bandwidth.
 * Groups have the bandwidth within a node, or across nodes for tensor parallelism. Replicas have
 * the bandwidth of a network interface for each of the node's GPUs in the group.
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

/* The hardware of the rows, from data sheets. */
typedef struct closed_form_node {
    double peak_TFLOPS, memory_GBps;
    unsigned gpus; /* of a node */
} closed_form_node;
#define CLOSED_FORM_A100 ((closed_form_node){ 312, 2039, 8 })

/* From data sheets alone: products at the peak, NVLink's 300 GB/s a direction, 800 Gbit/s a node,
 * no latency, each vector byte once. */
extern const double constants_of_data_sheets[CONSTANTS];
/* Upper limits, for an A100 and its node. */
extern const double constants_most[CONSTANTS];

double closed_form_ms(const closed_form_node *n, const double constant_[CONSTANTS],
                      const measured_row *r);

/* Minimises the mean relative error over the rows that `take` marks, from *constant_ on, by Nelder
 * and Mead's simplex in logarithms: the same rows give the same constants. An efficiency never
 * exceeds 1. With `limited`, no constant exceeds constants_most. Without it they may, because each
 * constant also covers effects that the form leaves out. Constants on which no row depends stay
 * unchanged. */
void closed_form_fit(const closed_form_node *n, const measured_rows *r, const bool *take,
                     bool limited, double constant_[CONSTANTS]);

#ifdef __cplusplus
}
#endif

#endif

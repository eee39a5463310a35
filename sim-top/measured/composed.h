/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composed.h -- an iteration's time, composed of the events of its strategy's plan
 *
 *     composed_make(&row, &c);
 *     ms = composed_ms(c, constants);
 *     composed_free(c);
 *
 * An event is an operation, a collective or a send. Its time comes from data sheets and a few
 * constants. The passes of a stage are composed of events as in strategy_plan.h, and the pipeline
 * of passes by its lists. With more than 4 p micro-batches all lists repeat. Then 4 p micro-batches
 * are composed, and each further one adds the mean increase from 3 p to 4 p micro-batches.
 *
 *   product      the longer of FLOPs / (efficiency x rate) and bytes / memory.  A table of
 *                products that were timed on such a GPU gives the rate of a shape, but no more than
 *                the rate that lasts when products follow one another.  The rate is the
 *                peak without a table, and for several equal products at once, such as scores of
 *                several heads.  Fused attention has a table or a share of its own.  In a format of
 *                fewer bits the inputs are cast first: 4 bytes of each element by vector operations
 *   vector       factor x bytes / memory
 *   collective   latency + 2 (n - 1) (all-reduce, else half of it) x (bytes / n / bandwidth + hop)
 *                of n members
 *   host         launches kernels one after the other, each in `floor`, and a collective in half
 *                of that.  Nothing begins before it is launched, so a pass takes its host's time or
 *                its device's.
 *                Where stages receive from one another, a host waits for its device between passes.
 *                With graphs it takes no time
 *   send         makes its pass longer: frameworks pair a send with a receive, and wait for both.
 *                It takes latency + bytes / t / bandwidth.  With t > 1, ranks of tensor parallelism
 *                send a part each and gather it in their node, as Megatron-LM does.  This adds
 *                latency + (t - 1) / t x bytes / links
 *   iteration    a time of its own
 *
 * A group within a node uses the node's links. Ranks of tensor, context or expert parallelism in
 * several nodes have a network interface each. A group of replicas has as many interfaces as it has
 * ranks in a node.
 */
#ifndef COMPOSED_H
#define COMPOSED_H

#include "measured_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shares are relative to data sheets. */
typedef enum composed_constant {
    COMPOSED_EFFICIENCY,
    COMPOSED_FLOOR,     /* us that the host takes to launch an operation */
    COMPOSED_VECTOR,    /* factor */
    COMPOSED_NODE,      /* share of links, within a node */
    COMPOSED_NODES,     /* share of the interfaces, of groups in several nodes */
    COMPOSED_REPLICAS,  /* the same of replicas */
    COMPOSED_STAGES,    /* the same of sends between stages */
    COMPOSED_LATENCY,   /* us */
    COMPOSED_ITERATION, /* ms */
    COMPOSED_TABLE,     /* 1: products by a table, 0: by the peak; not fitted */
    COMPOSED_HOP, /* us of each step of a ring within a node; a fit takes a quarter of LATENCY */
    COMPOSED_CONSTANTS
} composed_constant;
extern const char *const composed_names[COMPOSED_CONSTANTS];
extern const char *const composed_units[COMPOSED_CONSTANTS];
/* From data sheets alone: shares and factors 1, times 0, no table. */
extern const double composed_sheet[COMPOSED_CONSTANTS];

typedef struct composed composed;
/* EXIT_OK, or another status after a message. */
int composed_make(const measured_row *r, composed **c);
void composed_free(composed *c); /* NULL is allowed */
/* Returns the time with the row's micro-batch. If that is unknown, takes the fastest power of two
 * that divides the batch. NAN: no memory. */
double composed_ms(composed *c, const double constant_[COMPOSED_CONSTANTS]);
/* Predicts without casts to FP8 and FP4, or with fused attention as a product at the peak. */
void composed_leave_out(composed *c, bool casts, bool attention);
const strategy *composed_strategy(const composed *c); /* with the micro-batch last predicted */

/* Minimises the mean relative error over the rows that `take` marks, with their tables of products.
 * With a machine's constants, the error grows with the distance from these, because few rows do
 * not determine all constants.  without: constants that keep their value, a bit each. */
void composed_fit(composed *const *c, const measured_rows *r, const bool *take, unsigned without,
                  double constant_[COMPOSED_CONSTANTS]);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_order.h -- which step of an algorithm goes before which
 *
 *     msccl_connect(&a)                  each receive has its send
 *     msccl_order_make(&a, &o)           an order of all steps; or who waits for whom in a circle
 *     msccl_order_before(&o, x, y)       is x over, whatever happens, when y begins?
 *     msccl_order_free(&o)
 *
 * A connection is of a thread block that sends, one that receives, and a channel: what is sent
 * comes first in, first out.  A step waits for the one before it in its thread block, for its
 * dependency, and, if it receives, for its send; a send waits for nobody to take it.
 *
 * Errors: EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message.
 */
#ifndef MSCCL_ORDER_H
#define MSCCL_ORDER_H

#include "msccl_algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets `partner` and `partner_to` of the steps. */
int msccl_connect(msccl_algorithm *a);

typedef struct msccl_order {
    const msccl_algorithm *a;
    uint32_t *step;  /* in an order in which each comes after those it waits for */
    uint32_t *place; /* of each step in that */
    /* Of the searches: the step it was last seen for, what is yet to be looked at, and how much may
     * be looked at in all. */
    uint32_t *seen, *open;
    uint32_t search;
    uint64_t budget;
} msccl_order;

int msccl_order_make(const msccl_algorithm *a, msccl_order *o);
void msccl_order_free(msccl_order *o);

typedef enum msccl_before { MSCCL_BEFORE_NO, MSCCL_BEFORE_YES, MSCCL_BEFORE_UNKNOWN } msccl_before;
/* x is before y in the order.  UNKNOWN: more was looked at than is reasonable, by all calls. */
msccl_before msccl_order_before(msccl_order *o, uint32_t x, uint32_t y);

#ifdef __cplusplus
}
#endif

#endif

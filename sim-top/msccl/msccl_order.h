/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_order.h -- which step of an algorithm runs before which
 *
 *     msccl_connect(&a)                  pairs each receive with its send
 *     msccl_order_make(&a, &o)           finds an order of all steps, or reports a cycle of waits
 *     msccl_order_before(&o, x, y)       is x always over when y begins?
 *     msccl_order_free(&o)
 *
 * A connection has a thread block that sends, one that receives, and a channel. It delivers first
 * in, first out. A step waits for the previous step of its thread block and for its dependency. A
 * step that receives also waits for its send. A send does not wait for its receiver.
 *
 * Errors: EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message.
 */
#ifndef MSCCL_ORDER_H
#define MSCCL_ORDER_H

#include "msccl_algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets `partner` and `partner_to` of all steps. */
int msccl_connect(msccl_algorithm *a);

typedef struct msccl_order {
    const msccl_algorithm *a;
    uint32_t *step;  /* sorted so that each step comes after those that it waits for */
    uint32_t *index; /* index of each step in step[] */
    /* State of the searches: the search that last visited each step, the steps to visit, the number
     * of the search, and the steps that may still be visited in all. */
    uint32_t *seen, *open;
    uint32_t search;
    uint64_t budget;
} msccl_order;

int msccl_order_make(const msccl_algorithm *a, msccl_order *o);
void msccl_order_free(msccl_order *o);

typedef enum msccl_before { MSCCL_BEFORE_NO, MSCCL_BEFORE_YES, MSCCL_BEFORE_UNKNOWN } msccl_before;
/* Returns whether x always runs before y. UNKNOWN: all calls together have visited too many
 * steps. */
msccl_before msccl_order_before(msccl_order *o, uint32_t x, uint32_t y);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.h -- in which order the parts of a collective go over the dimensions
 *
 *     ace_command part[SCHEDULE_PARTS];
 *     const unsigned parts = schedule_parts(SCHEDULE_BALANCED, &o.cluster, &cfg, &whole, part);
 *
 * An all-reduce reduces and gathers its whole vector on its first dimension, and a shard of it on
 * the others.  `baseline` goes over the dimensions as they are given.  `balanced` cuts the vector
 * into parts that go over them in different orders, so that the busiest dimension has as little to
 * carry as any choice of orders and sizes lets it: with equal dimensions all carry alike.  (Themis
 * by Rashidi et al., ISCA 2022, has that end: it gives chunks of one size their orders one after
 * another, by the loads so far.)  Orders alternate, so that all dimensions begin at once.  All
 * nodes cut alike, and hand the parts over in one order.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCHEDULE_PARTS = 16 /* at most; each is about a chunk or more */ };
typedef enum schedule { SCHEDULE_BASELINE, SCHEDULE_BALANCED } schedule;

/* How many; their tags are their numbers. */
unsigned schedule_parts(schedule by, const cluster *c, const ace_config *cfg,
                        const ace_command *whole, ace_command part[SCHEDULE_PARTS]);

#ifdef __cplusplus
}
#endif

#endif

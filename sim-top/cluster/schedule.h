/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.h -- the order in which parts of a collective use the dimensions
 *
 *     ace_command part[SCHEDULE_PARTS];
 *     const unsigned parts = schedule_parts(SCHEDULE_BALANCED, &o.cluster, &cfg, &command, part);
 *
 * An all-reduce reduces and gathers its whole vector in its first dimension, and only a shard in
 * the others. `baseline` uses the dimensions in the given order. `balanced` cuts the vector into
 * parts that use different orders, so that the busiest dimension has the least possible work. With
 * equal dimensions all have the same work. (Themis by Rashidi et al., ISCA 2022, has the same goal:
 * it assigns orders to chunks of one size, one after another, by the load so far.) Orders
 * alternate, so that all dimensions begin at once. All nodes cut in the same way, and submit the
 * parts in one order.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCHEDULE_PARTS = 16 /* at most; each is about a chunk or more */ };
typedef enum schedule { SCHEDULE_BASELINE, SCHEDULE_BALANCED } schedule;

/* Cuts a collective into parts. Returns their number; their tags are their numbers. */
unsigned schedule_parts(schedule by, const cluster *c, const ace_config *cfg,
                        const ace_command *command, ace_command part[SCHEDULE_PARTS]);

#ifdef __cplusplus
}
#endif

#endif

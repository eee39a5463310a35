/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.h -- in which order the parts of a collective go over the dimensions
 *
 *     ace_command part[SCHEDULE_PARTS];
 *     const unsigned parts = schedule_parts(SCHEDULE_BALANCED, &o.cluster, &cfg, &whole, part);
 *
 * An all-reduce reduces and gathers its whole vector on its first dimension, and a shard of it on
 * the others.  `baseline` goes over the dimensions as they are given.  `balanced` cuts the vector
 * into parts, and gives each the first dimension with which the busiest dimension so far would
 * be done soonest: each dimension keeps the load that it was given, as in Themis (Rashidi et al., "Themis: A
 * Network Bandwidth-Aware Collective Scheduling Policy for Distributed Training of DL Models", ISCA
 * 2022).  All nodes cut alike, and hand the parts over in one order.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCHEDULE_PARTS = 16 /* at most; each is a chunk or more */ };
typedef enum schedule { SCHEDULE_BASELINE, SCHEDULE_BALANCED } schedule;

/* How many; their tags are their numbers. */
unsigned schedule_parts(schedule by, const cluster *c, const ace_config *cfg,
                        const ace_command *whole, ace_command part[SCHEDULE_PARTS]);

#ifdef __cplusplus
}
#endif

#endif

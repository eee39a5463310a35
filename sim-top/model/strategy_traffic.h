/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_traffic.h -- what a strategy makes a rank say to others in an iteration
 *
 * Bytes are those of the tensor; how many of them a rank sends is traffic_sent()'s.  16 bits an
 * activation and a parameter, the strategy's `grad` for gradients.
 */
#ifndef STRATEGY_TRAFFIC_H
#define STRATEGY_TRAFFIC_H

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum traffic_kind {
    TRAFFIC_ALL_REDUCE,
    TRAFFIC_REDUCE_SCATTER, /* bytes: the whole tensor */
    TRAFFIC_ALL_GATHER,     /* bytes: the whole result */
    TRAFFIC_ALL_TO_ALL,     /* bytes: what a rank sends, its own share among it */
    TRAFFIC_SEND,
    TRAFFIC_KINDS
} traffic_kind;
extern const char *const traffic_names[TRAFFIC_KINDS];

typedef struct traffic_message {
    const char *what; /* "tensor parallelism", ... */
    const char *when; /* "forward", ... */
    traffic_kind kind;
    const char *formula; /* of the bytes; A = 2 b s h / c */
    double bytes, group; /* of one message; ranks that take part */
    double count;        /* in an iteration of this rank */
} traffic_message;
enum { TRAFFIC_MESSAGES = 32 };

/* A rank of n sends of a message. */
double traffic_sent(const traffic_message *t);

/* Of a rank of the stage; messages of one rank alone are left out.  How many. */
unsigned strategy_messages(const training_model *m, const strategy *s, uint64_t stage,
                           traffic_message to[TRAFFIC_MESSAGES]);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_traffic.h -- the messages that a rank sends under a strategy in an iteration
 *
 * Bytes count the whole tensor; traffic_sent() returns how many of them a rank sends. Activations
 * and parameters have 16 bits; gradients have the strategy's `grad` bytes.
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
    TRAFFIC_ALL_TO_ALL,     /* bytes: what a rank sends, including its own share */
    TRAFFIC_SEND,
    TRAFFIC_KINDS
} traffic_kind;
extern const char *const traffic_names[TRAFFIC_KINDS];

typedef struct traffic_message {
    const char *what; /* "tensor parallelism", ... */
    const char *when; /* "forward", ... */
    traffic_kind kind;
    const char *formula; /* of the bytes, with A = 2 b s h / c; 4 b s h / c in 32 bits */
    double bytes, group; /* bytes of one message; ranks that take part */
    double count;        /* messages of this rank in an iteration */
} traffic_message;
enum { TRAFFIC_MESSAGES = 32 };

/* Returns the bytes of a message that one of its ranks sends. */
double traffic_sent(const traffic_message *t);

/* Lists the messages of a rank of the stage, and returns their number. A group of one rank has
 * none. */
unsigned strategy_messages(const training_model *m, const strategy *s, uint64_t stage,
                           traffic_message to[TRAFFIC_MESSAGES]);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline.h -- an endpoint in software: SMs run the collective, through the NPU's memory
 *
 * It has the same wires, chunks, phases, order and NIC as ACE, but no scratchpad and no DMA. See
 * baseline_chunk.h for what is read and written, and baseline.c for when.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include "ace_node.h"

enum {
    BASELINE_SM_BYTES = 64, /* bytes that an SM reads in a cycle */
    BASELINE_CHUNKS = 64    /* in flight: the contexts of a phase */
};

/* The share of an NPU that communication gets. Rates are bytes a cycle. */
typedef struct baseline_share {
    double memory; /* in each direction */
    double sms;    /* rate at which all SMs together read */
    bool lazy;     /* the last reduction is left to the next phase */
} baseline_share;

/* Returns whether memory or SMs can have this rate. */
bool baseline_rate(double bytes);

/* Makes a node. It ignores bank_rows, partition_rows and the like in the setup, and the memory
 * rates. `memory` must be NULL, as the node has no payload. Returns ACE_OK, ACE_EINVAL or
 * ACE_ENOMEM. */
int baseline_node_create(const ace_node_setup *setup, const baseline_share *share, ace_node **node);

#endif

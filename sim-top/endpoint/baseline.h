/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline.h -- a software endpoint: SMs run the collective, through the NPU's memory
 *
 * Same wires, chunks, phases, order and NIC as ACE; no scratchpad and no DMA.  See
 * baseline_chunk.h for what is read and written, baseline.c for when.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include "ace_node.h"

enum {
    BASELINE_SM_BYTES = 64, /* an SM reads in a cycle */
    BASELINE_CHUNKS = 64    /* in flight: the contexts of a phase */
};

/* What communication gets of an NPU.  Rates are bytes a cycle. */
typedef struct baseline_share {
    double memory; /* each way */
    double sms;    /* that all of them read */
    bool lazy;     /* last reductions are left to the next phase */
} baseline_share;

/* Can memory or SMs have this rate? */
bool baseline_rate(double bytes);

/* Of the setup, bank_rows, partition_rows and the like are not looked at, nor are the memory
 * rates; `memory` is NULL: timing-only.  ACE_OK, ACE_EINVAL, ACE_ENOMEM. */
int baseline_node_create(const ace_node_setup *setup, const baseline_share *share, ace_node **node);

#endif

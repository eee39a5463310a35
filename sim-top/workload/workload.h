/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h -- what the NPUs train */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"
#include "layer_table.h"
#include "npu.h"
#include "operations.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layer {
    char name[64];
    shape shape; /* where the workload has shapes */
    uint64_t parameters;
    uint64_t bytes;     /* all-reduced, 0: none */
    uint64_t exchanged; /* all-to-all, each way, 0: none */
    struct {
        unsigned first, count; /* among the workload's operations */
    } pass[PASSES];
} layer;

typedef struct workload {
    char name[64];
    layer *layers;
    unsigned count;
    operation *operations;
    unsigned operation_count;
    bool shaped, timed; /* layers have shapes; a table gives their times */
    ace_type element;
    uint64_t minibatch;
    bool optimised; /* the loop that looks up and updates embeddings in the background */
    /* A layer table whose collectives are not just all-reduces of weight gradients, its bytes
     * those of the element and the mini-batch: its layers are these, whose `bytes` are 0.  Of no
     * layers: there is none. */
    layer_table table;
} workload;

/* Bytes of an NPU of `nodes`: parameters, gradients, FP32 master and Adam's moments, 16 a
 * parameter; of sharded embeddings its share, and 4 bytes a row of row-wise Adagrad.  Activations
 * are left out. *cold: of the optimizer. */
double workload_memory(const workload *w, unsigned nodes, double *cold);
/* Bytes that its collectives of a kind have in a pass over a layer. */
uint64_t workload_collective_bytes(const workload *w, unsigned layer, ace_kind kind);
void workload_free(workload *w);
uint64_t workload_digest(const workload *w);
/* The operations of a pass of a layer are appended, and the layer knows them; false: no
 * memory. */
bool workload_add(workload *w, layer *l, pass p, const operation *o, unsigned count);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h -- the training work of the NPUs: layers, their operations and their collectives */
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
    shape shape; /* if the workload has shapes */
    uint64_t parameters;
    uint64_t bytes;     /* of its all-reduce; 0: none */
    uint64_t exchanged; /* of its all-to-all in each direction; 0: none */
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
    bool optimised; /* the loop looks up and updates embeddings in the background */
    /* A layer table with other collectives than all-reduces of weight gradients. Its bytes are for
     * the element and the mini-batch. Its layers are the layers above, whose `bytes` are 0. No
     * layers: there is no table. */
    layer_table table;
} workload;

/* Returns the bytes that an NPU of `nodes` holds: parameters, gradients, FP32 master copy and
 * Adam's moments, 16 bytes a parameter. Sharded embeddings count with the NPU's share, plus 4 bytes
 * a row for row-wise Adagrad. Activations are not counted. *cold: bytes of the optimizer. */
double workload_memory(const workload *w, unsigned nodes, double *cold);
/* Returns the bytes of the collectives of a kind in a pass over a layer. */
uint64_t workload_collective_bytes(const workload *w, unsigned layer, ace_kind kind);
void workload_free(workload *w);
uint64_t workload_digest(const workload *w);
/* Appends the operations of a pass of a layer, and records them in the layer. Returns false if
 * there is no memory. */
bool workload_add(workload *w, layer *l, pass p, const operation *o, unsigned count);

#ifdef __cplusplus
}
#endif

#endif

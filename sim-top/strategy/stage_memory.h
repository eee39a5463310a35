/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stage_memory.h -- the data that each stage's NPUs store, its memory, and the remaining bandwidth
 *
 *     rc = stage_memory_make(&model, &strategy, &lists, &npu, &m);
 *     m.stage[r].npu ...                  replaces the cluster's NPU, for the operations of stage r
 *     stage_memory_free(&m);
 *
 * A stage whose footprint spills into expanded memory (npu_memory.h) becomes slower. Stages differ:
 * the first stage of a pipeline stores more micro-batches than the last one. If a stage has several
 * kinds of accelerators, the slowest kind is the NPU of the stage, because its ranks wait for one
 * another. The footprint must fit in each accelerator.
 */
#ifndef STAGE_MEMORY_H
#define STAGE_MEMORY_H

#include "npu_memory.h"
#include "pipeline.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct accelerators;
struct placement;
struct strategy_work;

typedef struct memory_of_stage {
    npu npu; /* the cluster's, or the slowest of the stage, with `hot` and `cold` of this stage */
    unsigned slowest; /* index of the slowest accelerator; 0 if the cluster has one kind */
    npu_memory held;  /* for the accelerator with the least memory */
    double capacity;  /* bytes of its memory, with expanded memory; 0: as much as is needed */
    double peak;      /* bytes of the footprint */
} memory_of_stage;

typedef struct stage_memory {
    memory_of_stage *stage;
    uint32_t stages, fullest; /* fullest: among stages that do not fit, else among all */
    double matrix_TFLOPS;     /* of an NPU, as the mean over all nodes */
} stage_memory;

/* The accelerators of the nodes, and the operations by which the slowest is found. */
typedef struct stage_accelerators {
    const struct accelerators *list;
    const struct placement *at;
    const struct strategy_work *work;
    double clock_MHz;
} stage_accelerators;

/* lists: the lists of the stages; NULL: the lists of the strategy's schedule. Returns EXIT_OK, or
 * another status after a message, such as EXIT_USAGE for tf32 on an NPU without tf32. The caller
 * frees the result in either case. */
int stage_memory_make(const training_model *m, const strategy *s, const pipeline *lists,
                      const npu *on, stage_memory *to);
/* Like stage_memory_make(), for nodes with several kinds of accelerators. */
int stage_memory_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                         const stage_accelerators *on, stage_memory *to);
void stage_memory_free(stage_memory *m);

#ifdef __cplusplus
}
#endif

#endif

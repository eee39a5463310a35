/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stage_memory.h -- what the NPUs of each stage hold, where that lies, and what bandwidth it leaves
 * them
 *
 *     rc = stage_memory_make(&model, &strategy, &lists, &npu, &m);
 *     m.stage[r].npu ...                  in place of the cluster's, for the operations of stage r
 *     stage_memory_free(&m);
 *
 * A stage whose footprint spills into expanded memory (npu_memory.h) is slowed down by what it
 * spills itself: the first of a pipeline holds more micro-batches than the last one. Where nodes of
 * a stage have several accelerators, the slowest of these is the NPU of the stage, because its
 * ranks wait for one another. The footprint has to fit in each accelerator.
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
    unsigned slowest; /* its number among the accelerators; 0 where the cluster has one */
    npu_memory held;  /* by the accelerator with the least memory */
    double capacity;  /* bytes of its memory, with expanded memory; 0: as much as is needed */
    double peak;      /* bytes of the footprint */
} memory_of_stage;

typedef struct stage_memory {
    memory_of_stage *stage;
    uint32_t stages, fullest; /* fullest: of those that do not fit, or else of all */
    double matrix_TFLOPS;     /* of an NPU, the mean of all nodes */
} stage_memory;

/* The accelerators of several nodes, and what decides which of them is slowest. */
typedef struct stage_accelerators {
    const struct accelerators *list;
    const struct placement *at;
    const struct strategy_work *work;
    double clock_MHz;
} stage_accelerators;

/* lists: of the stages, or NULL: those of the strategy's schedule.  EXIT_OK, or another status
 * after a message, such as EXIT_USAGE for tf32 on an NPU that has none; free in either case. */
int stage_memory_make(const training_model *m, const strategy *s, const pipeline *lists,
                      const npu *on, stage_memory *to);
/* Does the same with the accelerators that the nodes of each stage have. */
int stage_memory_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                         const stage_accelerators *on, stage_memory *to);
void stage_memory_free(stage_memory *m);

#ifdef __cplusplus
}
#endif

#endif

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
 * spills itself: the first of a pipeline holds more micro-batches than the last one.
 */
#ifndef STAGE_MEMORY_H
#define STAGE_MEMORY_H

#include "npu_memory.h"
#include "pipeline.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct memory_of_stage {
    npu npu; /* the cluster's, with `hot` and `cold` of this stage */
    npu_memory held;
    double peak; /* bytes of its footprint */
} memory_of_stage;

typedef struct stage_memory {
    memory_of_stage *stage;
    uint32_t stages, fullest;
} stage_memory;

/* lists: of the stages, or NULL: those of the strategy's schedule.  EXIT_OK, or another status
 * after a message, such as EXIT_USAGE for tf32 on an NPU that has none; free in either case. */
int stage_memory_make(const training_model *m, const strategy *s, const pipeline *lists,
                      const npu *on, stage_memory *to);
void stage_memory_free(stage_memory *m);

#ifdef __cplusplus
}
#endif

#endif

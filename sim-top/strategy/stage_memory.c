/* SPDX-License-Identifier: Apache-2.0 */
/* stage_memory.c -- the footprint of each stage, and an NPU with the bandwidth it leaves */
#include "stage_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "footprint.h"
#include "message.h"

static int refuse_tf32(void) {
    fprintf(stderr, "acesim: found tf32 on an NPU without TF32, expected the key npu.tf32\n");
    return EXIT_USAGE;
}

int stage_memory_make(const training_model *m, const strategy *s, const pipeline *lists,
                      const npu *on, stage_memory *to) {
    npu in_precision = *on;
    int rc = EXIT_OK;

    if (!npu_set_precision(&in_precision, s->precision)) return refuse_tf32();
    *to = (stage_memory){ .stages = (uint32_t)s->degree[AXIS_PP] };
    to->stage = calloc(to->stages, sizeof *to->stage);
    if (!to->stage) return message_no_memory();
    for (uint32_t r = 0; rc == EXIT_OK && r < to->stages; r++) {
        memory_of_stage *one = &to->stage[r];
        footprint f = { 0 };

        rc = footprint_make_of(m, s, lists, r, &f);
        one->npu = in_precision;
        one->peak = f.peak;
        npu_memory_fill(&one->npu, f.peak, f.sum[FOOTPRINT_OPTIMIZER], &one->held);
        if (f.peak > to->stage[to->fullest].peak) to->fullest = r;
    }
    return rc;
}

void stage_memory_free(stage_memory *m) {
    free(m->stage);
    *m = (stage_memory){ 0 };
}

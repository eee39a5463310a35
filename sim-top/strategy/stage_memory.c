/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stage_memory.c -- the footprint of each stage, and an NPU with the bandwidth it leaves
 *
 * A stage with several accelerators is computed for each accelerator. On the slowest one the
 * operations of all blocks take longest.
 */
#include "stage_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "accelerators.h"
#include "exit_status.h"
#include "footprint.h"
#include "graph_engine.h"
#include "message.h"
#include "placement.h"
#include "strategy_work.h"

static int refuse_tf32(void) {
    fprintf(stderr, "acesim: found tf32 on an NPU without TF32, expected the key npu.tf32\n");
    return EXIT_USAGE;
}

static double capacity_of(const npu *n) { return (double)(n->memory_bytes + n->expanded_bytes); }

/* The stage on one accelerator. */
static memory_of_stage fill(const footprint *f, const npu *on, unsigned number) {
    memory_of_stage one = {
        .npu = *on, .slowest = number, .capacity = capacity_of(on), .peak = f->peak
    };

    npu_memory_fill(&one.npu, f->peak, f->sum[FOOTPRINT_OPTIMIZER], &one.held);
    return one;
}

static void note_fullest(stage_memory *m, uint32_t r) {
    const memory_of_stage *const one = &m->stage[r], *const most = &m->stage[m->fullest];

    if (one->held.fits < most->held.fits ||
        (one->held.fits == most->held.fits && one->peak > most->peak))
        m->fullest = r;
}

static int begin(const strategy *s, stage_memory *to) {
    *to = (stage_memory){ .stages = (uint32_t)s->degree[AXIS_PP] };
    to->stage = calloc(to->stages, sizeof *to->stage);
    return to->stage ? EXIT_OK : message_no_memory();
}

int stage_memory_make(const training_model *m, const strategy *s, const pipeline *lists,
                      const npu *on, stage_memory *to) {
    npu in_precision = *on;
    int rc;

    if (!npu_set_precision(&in_precision, s->precision)) return refuse_tf32();
    rc = begin(s, to);
    to->matrix_TFLOPS = in_precision.matrix_TFLOPS;
    for (uint32_t r = 0; rc == EXIT_OK && r < to->stages; r++) {
        footprint f = { 0 };

        rc = footprint_make_of(m, s, lists, r, &f);
        to->stage[r] = fill(&f, &in_precision, 0);
        note_fullest(to, r);
    }
    return rc;
}

/* ---- several accelerators ------------------------------------------------------------------ */

static double cycles_of(const stage_accelerators *on, const npu *n) {
    double sum = 0;

    for (uint32_t i = 0; i < on->work->count; i++)
        sum += (double)graph_operation_cycles_on(n, on->clock_MHz, &on->work->operation[i],
                                                 LANE_COMPUTE);
    return sum;
}

/* Sets a bit in has[stage] for each kind of accelerator that the stage's nodes have. Returns the
 * mean of the nodes' matrix peaks. */
static double find(const strategy *s, const stage_accelerators *on, const npu *npus,
                   uint32_t *has) {
    const uint64_t ranks = strategy_ranks(s);
    double sum = 0;

    for (uint64_t r = 0; r < ranks; r++) {
        uint64_t index[AXES];

        placement_indices(on->at, r, index);
        const uint8_t which = on->list->node[placement_node(on->at, index)];

        has[index[AXIS_PP]] |= UINT32_C(1) << which;
        sum += npus[which].matrix_TFLOPS;
    }
    return sum / (double)ranks;
}

/* Returns the slowest of a stage's accelerators, with the memory of the smallest one. */
static memory_of_stage worst(const footprint *f, const stage_accelerators *on, const npu *npus,
                             uint32_t has) {
    memory_of_stage to = { .peak = f->peak };
    double longest = -1;

    for (unsigned i = 0; i < on->list->count; i++) {
        if (!(has >> i & 1)) continue;
        const memory_of_stage one = fill(f, &npus[i], i);
        const double cycles = cycles_of(on, &one.npu);
        const bool first = longest < 0;

        if (cycles > longest) {
            to.npu = one.npu;
            to.slowest = i;
            longest = cycles;
        }
        if (first || (one.capacity > 0 && (to.capacity <= 0 || one.capacity < to.capacity))) {
            to.held = one.held;
            to.capacity = one.capacity;
        }
    }
    return to;
}

int stage_memory_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                         const stage_accelerators *on, stage_memory *to) {
    npu npus[ACCELERATORS_MOST];
    uint32_t *has;
    int rc;

    for (unsigned i = 0; i < on->list->count; i++) {
        npus[i] = on->list->of[i].npu;
        if (!npu_set_precision(&npus[i], s->precision)) return refuse_tf32();
    }
    rc = begin(s, to);
    if (rc != EXIT_OK) return rc;
    has = calloc(to->stages, sizeof *has);
    if (!has) return message_no_memory();
    to->matrix_TFLOPS = find(s, on, npus, has);
    for (uint32_t r = 0; rc == EXIT_OK && r < to->stages; r++) {
        footprint f = { 0 };

        rc = footprint_make_of(m, s, lists, r, &f);
        to->stage[r] = worst(&f, on, npus, has[r]);
        note_fullest(to, r);
    }
    free(has);
    return rc;
}

void stage_memory_free(stage_memory *m) {
    free(m->stage);
    *m = (stage_memory){ 0 };
}

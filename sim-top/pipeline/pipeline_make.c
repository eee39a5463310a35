/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_make.c -- makes the lists of the schedules that have names */
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "pipeline.h"

const char *const pipeline_names[PIPELINE_KINDS + 1] = { "gpipe",       "1f1b",  "dapple",
                                                         "interleaved", "zb-h1", NULL };
const char pipeline_letters[PIPELINE_PASSES + 1] = "FBW";

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void add(pipeline *p, size_t *n, pipeline_pass pass, uint32_t micro_batch, uint32_t chunk) {
    p->entry[(*n)++] = (pipeline_entry){ pass, micro_batch, chunk, 0, 0 };
}

static void add_gpipe(pipeline *p, size_t *n) {
    for (uint32_t i = 0; i < p->micro_batches; i++) add(p, n, PIPELINE_F, i, 0);
    for (uint32_t i = 0; i < p->micro_batches; i++) add(p, n, PIPELINE_B, i, 0);
}

/* Adds `warm` forwards, then pairs of passes, then the remaining backwards. */
static void add_warm(pipeline *p, size_t *n, uint32_t warm) {
    for (uint32_t i = 0; i < warm; i++) add(p, n, PIPELINE_F, i, 0);
    for (uint32_t i = warm; i < p->micro_batches; i++) {
        add(p, n, PIPELINE_F, i, 0);
        add(p, n, PIPELINE_B, i - warm, 0);
    }
    for (uint32_t i = p->micro_batches - warm; i < p->micro_batches; i++)
        add(p, n, PIPELINE_B, i, 0);
}

/* Adds entry k in Megatron-LM's order of chunks: groups of p micro-batches pass through all chunks.
 * In the backward direction they start with the last chunk. */
static void add_table(pipeline *p, size_t *n, pipeline_pass pass, uint32_t k) {
    const uint32_t group = k / (p->stages * p->chunks), in = k % (p->stages * p->chunks);
    const uint32_t chunk = in / p->stages;

    add(p, n, pass, group * p->stages + in % p->stages,
        pass == PIPELINE_F ? chunk : p->chunks - 1 - chunk);
}

static void add_interleaved(pipeline *p, size_t *n, uint32_t r) {
    const uint32_t all = p->micro_batches * p->chunks;
    const uint32_t warm = least(all, 2 * (p->stages - r - 1) + (p->chunks - 1) * p->stages);

    for (uint32_t k = 0; k < warm; k++) add_table(p, n, PIPELINE_F, k);
    for (uint32_t k = warm; k < all; k++) {
        add_table(p, n, PIPELINE_F, k);
        add_table(p, n, PIPELINE_B, k - warm);
    }
    for (uint32_t k = all - warm; k < all; k++) add_table(p, n, PIPELINE_B, k);
}

/* Adds the list of stage r: 1F1B, and after each backward number j >= r the weight gradient of
 * micro-batch j - r. The remaining weight gradients come at the end. */
static void add_zb_h1(pipeline *p, size_t *n, uint32_t r) {
    const uint32_t m = p->micro_batches, warm = least(m, p->stages - r - 1);

    for (uint32_t i = 0; i < warm; i++) add(p, n, PIPELINE_F, i, 0);
    for (uint32_t j = 0; j < m; j++) {
        if (warm + j < m) add(p, n, PIPELINE_F, warm + j, 0);
        add(p, n, PIPELINE_B, j, 0);
        if (j >= r) add(p, n, PIPELINE_W, j - r, 0);
    }
    for (uint32_t i = m > r ? m - r : 0; i < m; i++) add(p, n, PIPELINE_W, i, 0);
}

static void add_stage(pipeline_kind kind, pipeline *p, size_t *n, uint32_t r) {
    const uint32_t m = p->micro_batches;

    switch (kind) {
    case PIPELINE_GPIPE: add_gpipe(p, n); break;
    case PIPELINE_DAPPLE: add_warm(p, n, least(m, 2 * (p->stages - r) - 1) - 1); break;
    case PIPELINE_INTERLEAVED: add_interleaved(p, n, r); break;
    case PIPELINE_ZB_H1: add_zb_h1(p, n, r); break;
    default: add_warm(p, n, least(m, p->stages - r - 1)); break;
    }
}

/* Allocates room for the lists of `lists` stages. */
static int begin(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                 uint32_t lists, pipeline *p) {
    const bool split = kind == PIPELINE_ZB_H1;
    const size_t entries = (size_t)micro_batches * chunks * (split ? 3 : 2) * lists;

    *p = (pipeline){
        .stages = stages, .chunks = chunks, .micro_batches = micro_batches, .split = split
    };
    if (entries > PIPELINE_MOST) {
        fprintf(stderr, "acesim: found a pipeline of %zu entries, expected at most %d\n", entries,
                PIPELINE_MOST);
        return EXIT_USAGE;
    }
    p->entry = calloc(entries, sizeof *p->entry);
    p->first = calloc((size_t)stages + 1, sizeof *p->first);
    if (p->entry && p->first) return EXIT_OK;
    pipeline_free(p);
    return message_no_memory();
}

int pipeline_make(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  pipeline *p) {
    const int rc = begin(kind, stages, chunks, micro_batches, stages, p);
    size_t n = 0;

    for (uint32_t r = 0; rc == EXIT_OK && r < stages; r++) {
        add_stage(kind, p, &n, r);
        p->first[r + 1] = n;
    }
    return rc;
}

/* Finds when the entries of a list weigh most. */
static int peak(const pipeline *p, const pipeline_entry *entry, size_t entries,
                const double *weight, uint32_t *count) {
    uint32_t *now = calloc(p->chunks, sizeof *now);
    double sum = 0, most = -1;

    if (!now) return message_no_memory();
    for (size_t i = 0; i < entries; i++) {
        const pipeline_entry *e = &entry[i];

        if (e->pass == PIPELINE_F) {
            now[e->chunk]++;
            sum += weight[e->chunk];
        } else if (e->pass == (p->split ? PIPELINE_W : PIPELINE_B)) {
            now[e->chunk]--;
            sum -= weight[e->chunk];
        }
        if (sum <= most) continue;
        most = sum;
        memcpy(count, now, p->chunks * sizeof *now);
    }
    free(now);
    return EXIT_OK;
}

int pipeline_peak(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  uint32_t stage, const double *weight, uint32_t *count) {
    pipeline p;
    size_t n = 0;
    int rc;

    if (chunks == 1) { /* with one chunk all entries weigh the same */
        *count = pipeline_held(kind, stages, 1, micro_batches, stage);
        return EXIT_OK;
    }
    rc = begin(kind, stages, chunks, micro_batches, 1, &p);
    if (rc != EXIT_OK) return rc;
    add_stage(kind, &p, &n, stage);
    rc = peak(&p, p.entry, n, weight, count);
    pipeline_free(&p);
    return rc;
}

int pipeline_lists_peak(const pipeline *p, uint32_t stage, const double *weight, uint32_t *count) {
    return peak(p, p->entry + p->first[stage], p->first[stage + 1] - p->first[stage], weight,
                count);
}

void pipeline_free(pipeline *p) {
    free(p->entry);
    free(p->first);
    p->entry = NULL;
    p->first = NULL;
}

uint32_t pipeline_held(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                       uint32_t stage) {
    const uint32_t m = micro_batches, behind = stages - stage;

    switch (kind) {
    case PIPELINE_GPIPE: return m;
    case PIPELINE_DAPPLE: return least(m, 2 * behind - 1);
    case PIPELINE_INTERLEAVED:
        return least(m * chunks, 2 * (behind - 1) + (chunks - 1) * stages + 1);
    case PIPELINE_ZB_H1: return least(m, stages);
    default: return least(m, behind);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.h -- what the stages of a pipeline do, in which order, and how long it takes
 *
 *     pipeline p;
 *     if (pipeline_make(PIPELINE_1F1B, stages, 1, micro_batches, &p)) ...
 *     pipeline_times t = { .forward = f, .backward = b };     one of each virtual stage
 *     rc = pipeline_run(&p, &t, 1, &r);
 *
 * Each stage has a list of entries, and works on them in that order: an entry starts when its stage
 * is free and its input is there.  Stage r of p holds the virtual stages r, r + p, ...
 *
 *   F(i, x)   forward of micro-batch i on virtual stage x     needs F(i, x - 1)
 *   B(i, x)   backward; of the input alone where it is split  needs B(i, x + 1); the last F(i, x)
 *   W(i, x)   gradient of the weights, where it is split      needs B(i, x)
 *
 * Between different stages a result is there a hop's time later, which occupies neither of them;
 * between chunks of one stage at once.
 *
 * Rules that hold for every call
 *   Counts    Of micro-batches, stages and chunks, from 0.
 *   Time      In the caller's unit.
 *   Errors    EXIT_OK; EXIT_CHECK after a message: no memory; EXIT_USAGE after a message: lists
 *             that are none of a pipeline, or that wait for one another.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pipeline_kind {
    PIPELINE_GPIPE,       /* all forwards, then all backwards */
    PIPELINE_1F1B,        /* PipeDream-flush; DAPPLE's policy A */
    PIPELINE_DAPPLE,      /* DAPPLE's policy B: about twice as many forwards first */
    PIPELINE_INTERLEAVED, /* Megatron-LM: several chunks a stage */
    PIPELINE_ZB_H1,       /* zero bubble, with 1F1B's memory: backward is split */
    PIPELINE_KINDS
} pipeline_kind;
extern const char *const pipeline_names[PIPELINE_KINDS + 1];

typedef enum pipeline_pass { PIPELINE_F, PIPELINE_B, PIPELINE_W, PIPELINE_PASSES } pipeline_pass;
extern const char pipeline_letters[PIPELINE_PASSES + 1]; /* "FBW" */

typedef struct pipeline_entry {
    pipeline_pass pass;
    uint32_t micro_batch, chunk;
    uint32_t line, column; /* in its file, from 1; 0: of no file */
} pipeline_entry;

typedef struct pipeline {
    uint32_t stages, chunks, micro_batches; /* p, v, m */
    bool split;                             /* backward is split in B and W */
    pipeline_entry *entry;                  /* of all stages, one behind the other */
    size_t *first;                          /* stages + 1: where those of a stage begin */
    const char *file;                       /* of messages; the caller's; NULL: none */
} pipeline;

enum { PIPELINE_MOST = 1 << 24 /* entries */ };

/* Interleaved: stages must divide micro_batches; the others take one chunk. */
int pipeline_make(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  pipeline *p);
/* A line a stage of entries such as F0 B0 W0, or F0.1 of chunk 1, apart by blanks or commas; #
 * begins a comment.  Each entry stands once, in the line of its stage. */
int pipeline_read(const char *file, pipeline *p);
void pipeline_free(pipeline *p);

/* Of each virtual stage; `weight` counts where backward is split.  The other times of the iteration
 * are not these lists'. */
typedef struct pipeline_times {
    double forward, backward, weight;
} pipeline_times;

typedef struct pipeline_span {
    double start, end;
} pipeline_span;

/* A gap of a stage between its passes or behind the last one: the reason for it, for a picture. */
typedef struct pipeline_gap {
    const char *what; /* a constant text; equal texts are the same pointer */
    uint32_t stage;
    double start, end;
} pipeline_gap;

typedef struct pipeline_result {
    double makespan;
    pipeline_span *span; /* of each entry, in the order of the lists */
    double *busy;        /* of each stage */
    uint32_t *in_flight; /* of each stage: most chunks whose forward is done or under way, and whose
                            backward (W, where it is split) is not done */
    pipeline_gap *gap;   /* NULL: not known; a stage then does nothing between its passes */
    size_t gaps;
} pipeline_result;

/* times: of virtual stages x < stages * chunks.  hop: between stages.  EXIT_USAGE: entries wait
 * for one another for ever, and the message says where each stage stands. */
int pipeline_run(const pipeline *p, const pipeline_times *times, double hop, pipeline_result *r);
void pipeline_result_free(pipeline_result *r);
double pipeline_bubble(const pipeline *p,
                       const pipeline_result *r); /* mean share of stages at rest */

/* What a stage keeps at most, by the schedule alone: chunks of micro-batches (in_flight). */
uint32_t pipeline_held(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                       uint32_t stage);

/* When what a stage holds weighs most, weight[c] for each micro-batch of chunk c: how many
 * micro-batches of each chunk it then holds.  EXIT_OK, or another status after a message. */
int pipeline_peak(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  uint32_t stage, const double *weight, uint32_t *count);

/* The same of lists. */
int pipeline_lists_peak(const pipeline *p, uint32_t stage, const double *weight, uint32_t *count);

/* A picture: time to the right, a row a stage.  The axis shows the result's times divided by
 * `scale`, which then are in `unit`. */
void pipeline_svg(FILE *to, const pipeline *p, const pipeline_result *r, const char *title,
                  double scale, const char *unit);

#ifdef __cplusplus
}
#endif

#endif

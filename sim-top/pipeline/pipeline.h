/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.h -- what the stages of a pipeline do, in which order, and how long it takes
 *
 *     pipeline p;
 *     if (pipeline_make(PIPELINE_1F1B, stages, 1, micro_batches, &p)) ...
 *     pipeline_times t = { .forward = f, .backward = b };     one of each virtual stage
 *     rc = pipeline_run(&p, &t, 1, &r);
 *
 * Each stage has a list of entries and executes them in that order. An entry starts when its stage
 * is free and its input has arrived. Stage r of p has the virtual stages r, r + p, ...
 *
 *   F(i, x)   forward of micro-batch i on virtual stage x     needs F(i, x - 1)
 *   B(i, x)   backward; if split, only of the input           needs B(i, x + 1); the last F(i, x)
 *   W(i, x)   gradient of the weights, if split               needs B(i, x)
 *
 * Between different stages a result arrives a hop's time later, and the hop occupies neither stage.
 * Between chunks of one stage it is available at once.
 *
 * Rules that hold for every call
 *   Counts    Micro-batches, stages and chunks are counted from 0.
 *   Time      In the caller's unit.
 *   Errors    EXIT_OK; EXIT_CHECK after a message: no memory; EXIT_USAGE after a message: the
 *             lists do not fit a pipeline, or they deadlock.
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
    uint32_t line, column; /* in its file, from 1; 0: no file */
} pipeline_entry;

typedef struct pipeline {
    uint32_t stages, chunks, micro_batches; /* p, v, m */
    bool split;                             /* backward is split into B and W */
    pipeline_entry *entry;                  /* of all stages, one stage after the other */
    size_t *first;    /* stages + 1 indexes: where the entries of each stage begin */
    const char *file; /* for messages; belongs to the caller; NULL: none */
} pipeline;

enum { PIPELINE_MOST = 1 << 24 /* entries */ };

/* Makes the lists of a schedule with a name. For PIPELINE_INTERLEAVED, stages must divide
 * micro_batches; all other kinds take one chunk. */
int pipeline_make(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  pipeline *p);
/* Reads a line for each stage, of entries such as F0 B0 W0, or F0.1 for chunk 1, separated by
 * blanks or commas. # begins a comment. Each entry appears once, in the line of its stage. */
int pipeline_read(const char *file, pipeline *p);
void pipeline_free(pipeline *p);

/* Times of one virtual stage. `weight` counts only if backward is split. The optimizer and other
 * times of the iteration are not in these lists. */
typedef struct pipeline_times {
    double forward, backward, weight;
} pipeline_times;

typedef struct pipeline_span {
    double start, end;
} pipeline_span;

/* A gap of a stage between its passes or after the last one, with its reason, for the picture. */
typedef struct pipeline_gap {
    const char *what; /* a constant text; equal texts are the same pointer */
    uint32_t stage;
    double start, end;
} pipeline_gap;

typedef struct pipeline_result {
    double makespan;
    pipeline_span *span; /* of each entry, in the order of the lists */
    double *busy;        /* of each stage */
    /* For each stage: the most chunks whose forward is done or running, and whose backward (W if
     * split) is not done. */
    uint32_t *in_flight;
    pipeline_gap *gap; /* NULL: unknown; a stage then does nothing between its passes */
    size_t gaps;
} pipeline_result;

/* Runs the lists. times: of virtual stages x < stages * chunks. hop: between stages. Returns
 * EXIT_USAGE if entries deadlock; the message names the position of each stage. */
int pipeline_run(const pipeline *p, const pipeline_times *times, double hop, pipeline_result *r);
void pipeline_result_free(pipeline_result *r);
double pipeline_bubble(const pipeline *p,
                       const pipeline_result *r); /* mean share of time in which stages are idle */

/* Returns the most chunks of micro-batches that a stage keeps, by the schedule alone
 * (in_flight). */
uint32_t pipeline_held(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                       uint32_t stage);

/* Finds when the chunks that a stage keeps weigh most, with weight[c] for a micro-batch of chunk c.
 * count[c] becomes the micro-batches of chunk c at that time. Returns EXIT_OK, or another status
 * after a message. */
int pipeline_peak(pipeline_kind kind, uint32_t stages, uint32_t chunks, uint32_t micro_batches,
                  uint32_t stage, const double *weight, uint32_t *count);

/* Does the same for given lists. */
int pipeline_lists_peak(const pipeline *p, uint32_t stage, const double *weight, uint32_t *count);

/* Draws a picture: time runs to the right, with a row for each stage. The axis shows the result's
 * times divided by `scale`, which makes their unit `unit`. */
void pipeline_svg(FILE *to, const pipeline *p, const pipeline_result *r, const char *title,
                  double scale, const char *unit);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_rows.h -- measured iterations of training, from a CSV with a head
 *
 * Columns are found by their names, in any order; those that are not named here are passed over.
 *
 *   hidden heads layers sequence   of the model, a decoder with an MLP of 4 hidden
 *   tp dp pp micro_batch global_batch
 *   iteration_ms                   measured
 *   gpus, row, vocabulary          optional: checked against tp dp pp; the row's name; words
 */
#ifndef MEASURED_ROWS_H
#define MEASURED_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct measured_row {
    uint64_t number; /* its `row`, or which one of the file it is, from 1 */
    training_model model;
    strategy strategy;
    double iteration_ms;
} measured_row;

typedef struct measured_rows {
    measured_row *at;
    unsigned count;
} measured_rows;

/* Words of a model whose row says nothing: GPT-2's, padded to what tensor parallelism divides. */
enum { MEASURED_WORDS = 50257 };

/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory. */
int measured_read(const char *file, measured_rows *r);
void measured_free(measured_rows *r);

#ifdef __cplusplus
}
#endif

#endif

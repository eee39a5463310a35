/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_rows.h -- times of collectives that others measured
 *
 * Two forms, told apart by their first line:
 *
 *   CSV with a head   collective ranks bytes out_of_place_us, in any order; beside them
 *                     out_of_place_busbw_gbps in_place_us in_place_busbw_gbps, and no other column
 *   nccl-tests        what its programs print: "#" before all that is no row; of a row the first
 *                     field is bytes, and time algbw busbw error stand twice at its end
 *
 * The time is the one out of place.  `bytes` is the larger of the two buffers, and the bus bandwidth is
 * bytes / time by 2 (n - 1) / n for an all-reduce, (n - 1) / n for reduce-scatter, all-gather and
 * all-to-all, and 1 for broadcast and reduce: where it is given and is not that, the units are others
 * than these (nccl-tests' doc/PERFORMANCE.md).
 */
#ifndef COLLECTIVE_ROWS_H
#define COLLECTIVE_ROWS_H

#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct collective_row {
    ace_kind kind;
    double bytes, us; /* above 0 */
} collective_row;

typedef struct collective_rows {
    collective_row *at; /* as the file has them */
    unsigned count;
} collective_rows;

/* ranks: how many the fabric has, and each row has to have.  kind: of nccl-tests' rows where they do
 * not say it, or -1.  EXIT_OK, or EXIT_USAGE after a message with file, line and column, or
 * EXIT_CHECK: no memory.  collective_rows_free() in either case. */
int collective_rows_read(const char *file, unsigned ranks, int kind, collective_rows *rows);
void collective_rows_free(collective_rows *rows);

/* Bytes that a rank sends, of each byte of the buffer: the factor of the bus bandwidth. */
double collective_rows_share(ace_kind kind, unsigned ranks);

#ifdef __cplusplus
}
#endif

#endif

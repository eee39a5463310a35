/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_rows.h -- times of collectives that others measured
 *
 * Four forms are read.  The contents of a file decide which form it has:
 *
 *   CSV with a head   collective ranks bytes out_of_place_us, in any order, with or without
 *                     accelerator out_of_place_busbw_gbps in_place_us in_place_busbw_gbps, and no
 *                     other column
 *   log               what nccl-tests (2.8 to 2.19) or rccl-tests print, among other lines
 *   JSON, nccl-tests  the file that its option -J writes, since 2.17
 *   JSON, rccl-tests  a list of records, the file that its options -x and -Z json write
 *
 * nccl_log.h and nccl_json.h describe the last three.  A reader finds each column by its name.
 *
 * The time is the one out of place.  `bytes` is the larger of the two buffers.  The bus bandwidth
 * is bytes / time by a factor (nccl-tests' doc/PERFORMANCE.md):
 *
 *   2 (n - 1) / n   all-reduce
 *   (n - 1) / n     reduce-scatter, all-gather, all-to-all
 *   1               broadcast, reduce
 *
 * A bus bandwidth that is given and differs from this value is refused, since other units cause the
 * difference.
 */
#ifndef COLLECTIVE_ROWS_H
#define COLLECTIVE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct collective_row {
    ace_kind kind;
    double bytes, us;    /* above 0 */
    size_t line, column; /* position of the time in the file, from 1 */
} collective_row;

typedef struct collective_rows {
    collective_row *at; /* in the order of the file */
    unsigned count;
    unsigned lines_passed_over; /* lines of a log that are neither remarks nor rows */
    unsigned rows_of_0_bytes;   /* rows that were left out, since nothing was sent */
    unsigned rows_cut;          /* rows that were left out, since another line cut them */
    unsigned first_cut;         /* the line of the first of these */
    char accelerator[48];       /* of the CSV's column; "": it has none */
    size_t accelerator_line, accelerator_column; /* position of the first one in the file */
} collective_rows;

/* Reads the times of a collective on `ranks` ranks in `nodes` nodes.  A row or a list of devices
 * that has other numbers is refused.  kind: the collective of a log or a JSON file that does not
 * name its own, or -1.  EXIT_OK, or EXIT_USAGE after a message with file, line and column, or
 * EXIT_CHECK: no memory.  collective_rows_free() in either case. */
int collective_rows_read(const char *file, unsigned ranks, unsigned nodes, int kind,
                         collective_rows *rows);
void collective_rows_free(collective_rows *rows);

/* Bytes that a rank sends, of each byte of the buffer: the factor of the bus bandwidth. */
double collective_rows_share(ace_kind kind, unsigned ranks);

#ifdef __cplusplus
}
#endif

#endif

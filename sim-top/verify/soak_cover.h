/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_cover.h -- counts the runs of a soak that met each combination of two lists
 *
 * A cross is a table of rows and columns:
 *
 *   kind x type, kind x dims       collectives, all-reduces of an op in op x type
 *   kind x end                     where vectors end: within a row, at its end, or at the end of a
 *                                  row of each member
 *   wiring x members               of dimensions that took part
 *   unit x cycle                   cycle classes of the pair's units: each reason for waiting
 *   link x retry                   of the pair: sent again, a wrong CRC, dropped
 *   fault x unit                   units that worked in the window of the first report of a fault
 *   end x kind                     runs that ended in a reset or with a row lost, and their kind
 */
#ifndef SOAK_COVER_H
#define SOAK_COVER_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum soak_cross {
    CROSS_KIND_TYPE,
    CROSS_KIND_DIMS,
    CROSS_OP_TYPE,
    CROSS_KIND_END,
    CROSS_WIRING_MEMBERS,
    CROSS_UNIT_CYCLE,
    CROSS_LINK_RETRY,
    CROSS_FAULT_UNIT,
    CROSS_END_KIND,
    SOAK_CROSSES
} soak_cross;
enum { COVER_ROWS = 20, COVER_COLUMNS = 20 };
enum { COVER_WITHIN, COVER_ROW, COVER_MEMBERS };      /* columns of CROSS_KIND_END */
enum { COVER_RING, COVER_SWITCH, COVER_DIRECT };      /* rows of CROSS_WIRING_MEMBERS */
enum { COVER_LOST, COVER_MEMORY, COVER_PARITY };      /* rows of CROSS_FAULT_UNIT */
enum { COVER_END_WELL, COVER_RESET, COVER_END_LOST }; /* rows of CROSS_END_KIND */

typedef struct soak_cover {
    unsigned dimensions; /* the largest number that the nodes of a run had */
    uint64_t met[SOAK_CROSSES][COVER_ROWS][COVER_COLUMNS];
} soak_cover;

/* Counts a combination. If cover is NULL nothing is counted. */
static inline void soak_cover_met(soak_cover *cover, soak_cross cross, unsigned row,
                                  unsigned column) {
    if (cover) cover->met[cross][row][column]++;
}

#ifdef __cplusplus
}
#endif

#endif

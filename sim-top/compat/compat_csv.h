/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_csv.h -- writes CSV tables of a run into a folder
 *
 *   EndToEnd.csv     for each NPU, by number: when it ended, its exposed communication, and how
 *                    long it communicated and computed.  With --compat 2 that is all.  Otherwise
 *                    also how long it waited only for memory, only for its host CPU, and was idle.
 *                    Computing, exposed, memory, CPU and idle add up to its whole time
 *   links.csv        not with --compat 2, for each NPU's links: bytes sent, and how long the link
 *                    was busy, had nothing to send, or stalled because the receiver had no free
 *                    slot
 *   collectives.csv  with --compat 2, for each NPU's collectives and each dimension: messages and
 *                    bytes sent, and the causes of its time (compat_breakdown).  A row `all` has
 *                    the sums.  Its times add up to the time from the first member's begin to this
 *                    member's end
 *
 * A line "# 1 tick = 1 ns" precedes the columns.
 */
#ifndef COMPAT_CSV_H
#define COMPAT_CSV_H

#include "atomic_file.h"
#include "compat_run.h"
#include "fabric_links.h"

typedef struct compat_csv {
    atomic_file file;
    char path[512];
} compat_csv;

/* Opens FOLDER/NAME, and makes the folder if needed. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK
 * after a message. */
int compat_csv_open(compat_csv *c, const char *folder, const char *name, const char *columns);
int compat_csv_close(compat_csv *c);

/* Writes EndToEnd.csv. ns: length of a unit of the times; whole: memory, CPU and idle time are
 * written, too. */
int compat_csv_end_to_end(const char *folder, const compat_time *time, unsigned npus, double ns,
                          bool whole);
/* Writes links.csv from the result of fabric_links(). */
int compat_csv_links(const char *folder, const fabric_link_count *of, unsigned npus,
                     unsigned dimensions, double ns);
/* The columns of collectives.csv, and a function that writes the rows of an NPU's collective. */
extern const char compat_csv_collectives[];
void compat_csv_collective(FILE *to, unsigned npu, const graph_node *n, unsigned dims,
                           const compat_breakdown *b);

#endif

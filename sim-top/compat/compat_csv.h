/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_csv.h -- tables of a run in a folder, comma-separated
 *
 *   EndToEnd.csv     of each NPU, in the order of their numbers: when it was over, what was
 *                    exposed, how long it communicated and computed; but with --compat 2 also how
 *                    long memory, or else its CPU, was all that it waited for, and how long it had
 *                    nothing to do.  Computing, exposed, memory, CPU and idle are all of its time
 *   links.csv        without it, of each NPU's links: bytes that it sent, and how long the link was
 *                    busy, had nothing to send, and held a packet that had no place at the other
 *                    end
 *   collectives.csv  with --compat 2, of each NPU's collectives and of each dimension: messages and
 *                    bytes that it sent, and what the way to its end took (compat_breakdown); a row
 *                    `all` has the sums, whose times together are those from the first member's
 *                    begin to this one's end
 *
 * Before the columns stands a line "# 1 tick = 1 ns".
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

/* FOLDER/NAME, and the folder if there is none.  EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a
 * message. */
int compat_csv_open(compat_csv *c, const char *folder, const char *name, const char *columns);
int compat_csv_close(compat_csv *c);

/* EndToEnd.csv.  ns: of a unit of the times; whole: all of the time is told. */
int compat_csv_end_to_end(const char *folder, const compat_time *time, unsigned npus, double ns,
                          bool whole);
/* links.csv, of fabric_links(). */
int compat_csv_links(const char *folder, const fabric_link_count *of, unsigned npus,
                     unsigned dimensions, double ns);
/* collectives.csv: its columns, and the rows of a collective of an NPU. */
extern const char compat_csv_collectives[];
void compat_csv_collective(FILE *to, unsigned npu, const graph_node *n, unsigned dims,
                           const compat_breakdown *b);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* report_page.h -- the sections of a report */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "result_read.h"

/* All runs side by side. */
void report_comparison(FILE *f, const saved_run *runs, unsigned count);
/* One run, the number-th: iterations, traffic over time, links, units, configuration. */
void report_run(FILE *f, const saved_run *r, unsigned number);
/* What is of a result that is no collective and no workload: the parts of its time, its stages, or
 * all of its members. */
void report_parts(FILE *f, const saved_run *r);
/* All of it, as a page of its own.  EXIT_OK, or EXIT_USAGE after a message. */
int report_page_write(const char *file, const saved_run *runs, unsigned count);

#endif

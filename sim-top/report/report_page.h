/* SPDX-License-Identifier: Apache-2.0 */
/* report_page.h -- a page of HTML about results */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "result_read.h"
#include "run_labels.h"

/* All runs next to each other, each with its label. */
void report_compared(FILE *f, const saved_run *runs, const run_label *labels, unsigned count);
/* Microseconds of so many cycles of a run; of a result without its clock, in proportion. */
double report_us(const saved_run *r, double cycles);
/* What is of a result that is no collective and no workload: the parts of its time, its stages, or
 * all of its members. */
void report_parts(FILE *f, const saved_run *r);
/* A page of its own: all runs side by side, then each with its iterations, traffic over time,
 * links, units and configuration.  EXIT_OK, or another status after a message: a file that cannot
 * be written, no memory. */
int report_page_write(const char *file, const saved_run *runs, unsigned count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* report_page.h -- a page of HTML about results */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "result_read.h"
#include "run_labels.h"

/* Writes all runs next to each other, each with its label. */
void report_compared(FILE *f, const saved_run *runs, const run_label *labels, unsigned count);
/* Returns the microseconds of so many cycles of a run. If a result has no clock, its time gives the
 * proportion. */
double report_us(const saved_run *r, double cycles);
/* Writes a result that is neither of a collective nor of a workload: the parts of its time, its
 * stages, or all of its members. */
void report_parts(FILE *f, const saved_run *r);
/* Writes a complete page: all runs side by side, then each run with its iterations, traffic over
 * time, links, units and configuration. Returns EXIT_OK, or another status after a message if the
 * file cannot be written or there is no memory. */
int report_page_write(const char *file, const saved_run *runs, unsigned count);

#endif

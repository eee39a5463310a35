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

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* run_labels.h -- names for runs that stand next to each other: what differs between them */
#ifndef RUN_LABELS_H
#define RUN_LABELS_H

#include "result_read.h"

typedef struct run_label {
    char text[96];
} run_label;

/* Makes labels that all differ: "ace" and "ideal" if endpoints differ, "4 MiB" and "8 MiB" if sizes
 * differ, arguments that not all commands have, or else the names of the files. */
void run_labels(const saved_run *runs, unsigned count, run_label *to);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_study.h -- all sets of measured iterations in one table, by set and by accelerator
 *
 *     for each set: measured_study_add(file, machine_of, list);
 *     measured_study_print(list);
 *
 * Rows of a set that ran on one accelerator are a group.  A group is predicted zero-shot, with that
 * accelerator's file, to which none of its rows was fitted.  Groups of twelve rows or more are
 * predicted once more with constants that are fitted to each second row.
 *
 * The ratio within a platform needs no table of products.  It divides the tokens per second and GPU
 * of a row by the tokens per second and GPU of the platform's first row.  With a fixed batch the
 * ratio shows what larger systems lose.
 */
#ifndef MEASURED_STUDY_H
#define MEASURED_STUDY_H

#include <cjson/cJSON.h>

#include "composed.h"
#include "measured_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a row on the accelerator that it names, and gives the constants of that one's file.
 * EXIT_OK, or another status after a message. */
typedef int (*measured_machine)(measured_row *r, double constant_[COMPOSED_CONSTANTS]);

/* An object for each group of the file goes to `list`. */
int measured_study_add(const char *file, measured_machine of, cJSON *list);
void measured_study_print(const cJSON *list);

#ifdef __cplusplus
}
#endif

#endif

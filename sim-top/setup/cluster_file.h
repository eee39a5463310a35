/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_file.h -- files of clusters and of accelerators: the keys are those of setup_fields.def
 */
#ifndef CLUSTER_FILE_H
#define CLUSTER_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cluster;
struct setup;
struct cJSON;

/* The fields that a cluster file has, into a setup.  EXIT_OK, or EXIT_USAGE after a message. */
int cluster_read(const char *file, struct setup *s);
/* The same of an accelerator's file, which has those of its NPUs. */
int accelerator_read(const char *file, struct setup *s);
/* The same in place of all that the setup has of its NPUs. */
int accelerator_take(const char *file, struct setup *s);
/* The default cluster with its NPUs. */
int accelerator_cluster(const char *file, struct cluster *to);
/* The other way: a cluster file that says what of the fields is not so where nothing is said; all
 * of the NPU, and no accelerator's name.  EXIT_OK, or EXIT_CHECK after a message: no memory. */
int cluster_write(const struct setup *s, FILE *to);
/* Adds what a cluster file says to an FNV-1a hash, and what that of its accelerator says.  False
 * after a message. */
bool cluster_file_digest(const char *file, uint64_t *hash);
/* The same of an accelerator's file, and of the table of products that it names. */
bool accelerator_file_digest(const char *file, uint64_t *hash);
/* The JSON Schema of such a file; the caller deletes it. */
struct cJSON *cluster_schema(void);
/* Likewise of an accelerator: its name, and the keys of `npu`. */
struct cJSON *accelerator_schema(void);
/* Prints units and keys of such files as tables in Markdown: `acesim help cluster`. */
void cluster_help_print(void);

#endif

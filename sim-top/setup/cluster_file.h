/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_file.h -- reads and writes files of clusters and of accelerators; setup_fields.def has
 * their keys */
#ifndef CLUSTER_FILE_H
#define CLUSTER_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cluster;
struct setup;
struct cJSON;

/* Reads a cluster file into a setup. Returns EXIT_OK, or EXIT_USAGE after a message. */
int cluster_read(const char *file, struct setup *s);
/* Does the same with an accelerator's file, which has the fields of its NPUs. */
int accelerator_read(const char *file, struct setup *s);
/* Does the same with the first file of a list (accelerator_list.h), and first resets all fields of
 * the NPUs. */
int accelerator_take(const char *files, struct setup *s);
/* Makes the default cluster with the NPUs of an accelerator's file. */
int accelerator_cluster(const char *file, struct cluster *to);
/* Writes a cluster file with the fields that differ from their defaults. It has all values of the
 * NPU and no name of an accelerator. Returns EXIT_OK, or EXIT_CHECK after a message if there is no
 * memory. */
int cluster_write(const struct setup *s, FILE *to);
/* Adds the contents of a cluster file and of its accelerator's file to an FNV-1a hash. Returns
 * false after a message. */
bool cluster_file_digest(const char *file, uint64_t *hash);
/* Does the same with an accelerator's file and the table of products that it names. */
bool accelerator_file_digest(const char *file, uint64_t *hash);
/* Returns the JSON Schema of a cluster file. The caller deletes it. */
struct cJSON *cluster_schema(void);
/* Returns the JSON Schema of an accelerator's file: its name, and the keys of `npu`. */
struct cJSON *accelerator_schema(void);
/* Prints the keys of such files and their units, for a terminal. name: of a key, or the first part
 * of its path, or NULL for all. Returns false if no key has that name. */
bool cluster_help_print(const char *name);
/* Prints them as tables in Markdown. */
void cluster_help_markdown(void);

#endif

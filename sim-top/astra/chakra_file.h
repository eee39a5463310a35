/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_file.h -- reads and writes the nodes of a Chakra execution trace, one at a time
 *
 *     chakra_file *f;
 *     if (chakra_file_open("trace.0.et", &f) != EXIT_OK) ...
 *     while ((more = chakra_file_next(f, &node)) > 0) ...
 *     chakra_file_close(f);
 *
 * Files are as Chakra 0.0.4 to 1.0.0 writes them, plain or compressed with gzip.  Older schemas are
 * refused by name: their numbers mean other things.
 *
 * Rules that hold for every call
 *   Memory   One node is in memory at a time.
 *   Errors   EXIT_USAGE, after a message with the file and the byte position (in the uncompressed
 *            contents).
 */
#ifndef CHAKRA_FILE_H
#define CHAKRA_FILE_H

#include <chakra.pb-c.h> /* made of chakra.proto */
#include <stdbool.h>
#include <stdio.h>

typedef struct chakra_file chakra_file;
int chakra_file_open(const char *name, chakra_file **to);
void chakra_file_close(chakra_file *f); /* NULL is allowed */
/* Returns 1: *node is the next node, valid until the next call; 0: end of file; -1 after a
 * message. */
int chakra_file_next(chakra_file *f, const Chakra__Node **node);
/* Goes back to the first node. Returns EXIT_OK, or EXIT_USAGE after a message. */
int chakra_file_rewind(chakra_file *f);
/* Returns the file's metadata. Call it before the first chakra_file_next(). */
const Chakra__GlobalMetadata *chakra_file_metadata(const chakra_file *f);
const char *chakra_file_name(const chakra_file *f);

/* Returns whether the text occurs anywhere in the file. This is faster than reading nodes. */
bool chakra_file_has(const char *name, const char *text);

/* Writes a message and its length. A write error shows when `to` is closed. */
void chakra_file_put(FILE *to, const ProtobufCMessage *m);

#endif

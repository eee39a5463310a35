/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_file.h -- the nodes of a Chakra execution trace, one after the other, and how they are
 * written
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
 *   Memory   Of one node at a time.
 *   Errors   EXIT_USAGE, after a message with the file and the byte (of what is in it,
 *            uncompressed).
 */
#ifndef CHAKRA_FILE_H
#define CHAKRA_FILE_H

#include <chakra.pb-c.h> /* made of chakra.proto */
#include <stdbool.h>
#include <stdio.h>

typedef struct chakra_file chakra_file;
int chakra_file_open(const char *name, chakra_file **to);
void chakra_file_close(chakra_file *f); /* NULL is allowed */
/* 1: *node is the next, until the next call; 0: there is no more; -1: failed, after a message. */
int chakra_file_next(chakra_file *f, const Chakra__Node **node);
/* To the first node.  EXIT_OK, or EXIT_USAGE after a message. */
int chakra_file_rewind(chakra_file *f);
/* What the file begins with: before the first node is asked for. */
const Chakra__GlobalMetadata *chakra_file_metadata(const chakra_file *f);
const char *chakra_file_name(const chakra_file *f);

/* Does the text stand anywhere in the file?  Nodes need not be taken apart for that. */
bool chakra_file_has(const char *name, const char *text);

/* A message behind its length.  What cannot be written shows when `to` is closed. */
void chakra_file_put(FILE *to, const ProtobufCMessage *m);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_text.h -- converts Chakra traces, groups and remote memory to a YAML file, a graph file,
 * and back
 *
 * Each item is a YAML document of its own, so that neither direction has more than one item in
 * memory:
 *
 *     ranks: 2                                  the first document; groups and remote_memory are
 *                                               optional
 *     groups: {"1": [0, 1]}
 *     remote_memory: {"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-bw": 100}
 *     ---
 *     rank: 0                                   begins a trace with so many nodes
 *     nodes: 1
 *     ---
 *     version: "0.0.4"                          its metadata (message_text.h)
 *     ---
 *     id: 7                                     a node
 *     name: "gradients"
 *     type: COMM_COLL_NODE
 *     attr:
 *     - {name: "comm_size", int64_val: 1048576}
 *
 * Nothing is lost: a trace that Chakra's own writers made comes back byte for byte.
 */
#ifndef CHAKRA_TEXT_H
#define CHAKRA_TEXT_H

#include "astra_files.h"

typedef struct chakra_text {
    const char *prefix; /* prefix of the traces: rank i is PREFIX.i.et */
    unsigned ranks;
    astra_groups groups;
    astra_memory memory; /* NO_MEMORY_EXPANSION: none */
} chakra_text;

/* Returns how many traces a prefix has: PREFIX.0.et, PREFIX.1.et, ... */
unsigned chakra_text_ranks(const char *prefix);
/* Writes the graph file of traces. */
int chakra_text_write(const char *file, const chakra_text *t);
/* Writes the traces of a graph file, and PREFIX.groups.json and PREFIX.memory.json if it has groups
 * or memory. The whole file is checked before anything is written. */
int chakra_text_read(const char *file, const char *prefix);
/* Both return EXIT_OK; EXIT_USAGE after a message with line and column; EXIT_CHECK when a file
 * cannot be written, or there is no memory. */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_text.h -- a graph file: Chakra traces, groups and remote memory as YAML for people, and
 * back
 *
 * A document for each thing, so that neither way holds more than one of them:
 *
 *     ranks: 2                                  the first; without groups and remote_memory there
 *                                               are none
 *     groups: {"1": [0, 1]}
 *     remote_memory: {"memory-type": "PER_NPU_MEMORY_EXPANSION", "remote-mem-bw": 100}
 *     ---
 *     rank: 0                                   a trace begins, of so many nodes
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
 * Nothing is lost: where Chakra's own writers made a trace, its bytes come back.
 */
#ifndef CHAKRA_TEXT_H
#define CHAKRA_TEXT_H

#include "astra_files.h"

typedef struct chakra_text {
    const char *prefix; /* of traces: rank i is PREFIX.i.et */
    unsigned ranks;
    astra_groups groups;
    astra_memory memory; /* NO_MEMORY_EXPANSION: there is none */
} chakra_text;

/* How many traces there are of a prefix: 0, 1, ... */
unsigned chakra_text_ranks(const char *prefix);
/* The graph file of traces. */
int chakra_text_write(const char *file, const chakra_text *t);
/* The traces of a graph file, PREFIX.groups.json and PREFIX.memory.json where it has such.  All of
 * it is read before anything is written. */
int chakra_text_read(const char *file, const char *prefix);
/* Both: EXIT_OK; EXIT_USAGE after a message with the place, EXIT_CHECK: what cannot be written, or
 * no memory. */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_faults.h -- injects faults around a node's core, for tests
 *
 * For nodes of ace_driver_create(): a memory that stalls or answers with errors, upsets of the
 * scratchpad, a reset in the middle of a run.
 */
#ifndef ACE_NODE_FAULTS_H
#define ACE_NODE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ace_node.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory refuses or withholds each handshake in `percent` of the cycles, by a
 * hash of cycle and seed, so nodes given the same seed stay alike. */
void ace_driver_stall(ace_node *node, unsigned percent, uint64_t seed);
/* The memory answers the read-th row that is read, and the write-th burst that is
 * written, both counted from 0, with this response.  UINT64_MAX: none. */
void ace_driver_fail(ace_node *node, uint64_t read, uint64_t write, uint8_t resp);
/* Upsets of the scratchpad.  They happen only while the node is busy, because rows stored in an
 * idle node are never read.  At most one upset happens in a cycle; a listed upset takes precedence
 * over a random one. */
typedef struct ace_upset {
    uint64_t cycle;
    ace_fault fault;
} ace_upset;
typedef struct ace_upsets {
    uint64_t chance; /* of one bit, any of those stored, in a cycle: / 2^64 */
    bool words;      /* all bits of a word flip, not one */
    bool bounded;    /* only in two words of each row, so no codeword has three wrong bits, which
                      * would look like one */
    uint64_t seed;
    const ace_upset *listed;
    size_t count;
} ace_upsets;
/* The caller owns the list, which must outlive the node. */
void ace_driver_upset(ace_node *node, const ace_upsets *upsets);
/* Resets the node in a cycle of its own: clears the core, answers that the memory still owes, and
 * commands not yet taken.  Time goes on.  The caller resets the wires. */
void ace_driver_reset(ace_node *node);

#ifdef __cplusplus
}
#endif
#endif

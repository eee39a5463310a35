/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_check.h -- the traces of all ranks, looked at before the run
 *
 * Each is read once, in the memory of one window: whether every node can begin, which
 * dependencies it follows, and what collectives its NPU takes part in.  Members of a collective
 * must have the same ones in the same order, kind for kind and byte for byte; who does not would
 * wait for ever.
 */
#ifndef ASTRA_CHECK_H
#define ASTRA_CHECK_H

#include "chakra_graph.h"

typedef enum astra_deps { DEPS_AUTO, DEPS_UNION, DEPS_DATA } astra_deps;

typedef struct astra_ranks {
    bool *data_only;                    /* of each NPU: ctrl_deps are left out */
    uint64_t nodes, collectives, bytes; /* of all; bytes as commands give them */
    uint64_t digest;                    /* of all graphs */
    bool alike;                         /* all NPUs have the same graph */
} astra_ranks;

/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message with the file, the node and the NPU. */
int astra_check(const chakra_setup *s, const ace_config *cfg, astra_deps deps, uint32_t window,
                astra_ranks *r);
void astra_ranks_free(astra_ranks *r);

#endif

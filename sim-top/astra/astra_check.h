/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_check.h -- the traces of all ranks, looked at before the run
 *
 * Each is read once, in the memory of one window: whether every node can begin, which
 * dependencies it follows, and what collectives its NPU takes part in.  Members of a collective
 * must have the same ones in the same order, kind for kind and byte for byte; who does not would
 * wait for ever.  So would one that waits for a message nobody sends.
 *
 * What is seen decides which collectives go on the endpoint.  Its rings want the same collectives
 * in the same order at all nodes that they join, and its exchange waits for others with all that
 * stands behind it.  So where NPUs send messages, or hand over different collectives, one set of
 * dimensions keeps its rings, that with the most bytes to reduce and gather, and all else goes by
 * messages. Software has no broadcast and no barrier: these are messages there.
 */
#ifndef ASTRA_CHECK_H
#define ASTRA_CHECK_H

#include "chakra_graph.h"
#include "graph_messages.h"

typedef enum astra_deps { DEPS_AUTO, DEPS_UNION, DEPS_DATA } astra_deps;

typedef struct astra_ranks {
    bool *data_only;                    /* of each NPU: ctrl_deps are left out */
    uint64_t nodes, collectives, bytes; /* of all; bytes as commands give them */
    uint64_t carried[2]; /* bytes of the smallest and largest that endpoints carry; 0: none */
    uint64_t digest;     /* of all graphs */
    bool alike; /* all NPUs have the same graph, and send to the same places as seen from them */
    uint32_t kinds;           /* that endpoints carry, a bit each (ace_kind) */
    bool shared;              /* some wait for memory that NPUs share */
    uint64_t nothing;         /* communication of no bytes */
    chakra_rings *rings;      /* of each job, or of all */
    graph_messages *messages; /* NULL: there are none, or no nodes are simulated */
    uint64_t sent;            /* messages of all */
} astra_ranks;

/* cfg: of the nodes; NULL: none are simulated.  EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a
 * message with the file, the node and the NPU.  The setup's rings become those of the run. */
int astra_check(chakra_setup *s, const ace_config *cfg, astra_deps deps, uint32_t window,
                astra_ranks *r);
void astra_ranks_free(astra_ranks *r);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_check.h -- checks the traces of all ranks before a run
 *
 * Each trace is read once, with the memory of one window. The check finds whether every node can
 * begin, which dependencies the trace needs, and in which collectives its NPU takes part. The
 * members of a collective must have the same collectives in the same order, equal in kind and
 * bytes. A member that differs would wait for ever, and so would a receive without a send.
 *
 * The check also decides which collectives run on the endpoint. The endpoint's rings need the same
 * collectives in the same order at all nodes that they join. The endpoint's exchange stalls the
 * collectives behind it while it waits for other nodes. So if NPUs send messages or submit
 * different collectives, only one set of dimensions keeps its rings: the set with the most bytes to
 * reduce and gather. All other collectives become messages. Endpoints in software have no broadcast
 * and no barrier, so these become messages there.
 */
#ifndef ASTRA_CHECK_H
#define ASTRA_CHECK_H

#include "chakra_graph.h"
#include "graph_messages.h"

typedef enum astra_deps { DEPS_AUTO, DEPS_UNION, DEPS_DATA } astra_deps;

typedef struct astra_ranks {
    bool *data_only;                    /* for each NPU: its ctrl_deps are ignored */
    uint64_t nodes, collectives, bytes; /* sums over all NPUs; bytes as commands give them */
    /* bytes of collectives that endpoints run: [0] of the smallest, [1] of the largest; 0: none */
    uint64_t carried[2];
    uint64_t digest; /* of all graphs */
    bool alike;      /* all NPUs have the same graph, and send to the same relative positions */
    uint32_t kinds;  /* kinds that endpoints run, one bit each (ace_kind) */
    bool shared;     /* some NPUs wait for memory that they share */
    uint64_t empty_nodes;     /* communication nodes of 0 bytes */
    chakra_rings *rings;      /* for each job, or one for all */
    graph_messages *messages; /* NULL: there are no messages, or no simulated nodes */
    uint64_t sent;            /* number of messages of all NPUs */
} astra_ranks;

/* cfg: the nodes' configuration; NULL: no nodes are simulated. Sets s->rings to the rings of the
 * run. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message with the file, the node and the
 * NPU. */
int astra_check(chakra_setup *s, const ace_config *cfg, astra_deps deps, uint32_t window,
                astra_ranks *r);
void astra_ranks_free(astra_ranks *r);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* graph_run.c -- makes a fabric and its graph engine, runs both, and frees both; see graph_run.h */
#include "graph_run.h"

#include "exit_status.h"
#include "processes.h"

int graph_run_create(const graph_source *m, const machine *of, const execution *how,
                     const fabric_work *work, const fabric_watch *watch, graph_run *run) {
    int rc = fabric_create(of, how, work, watch, &run->f);

    if (rc == EXIT_OK) rc = processes_agree(graph_engine_create(m, of, run->f, &run->e));
    if (rc != EXIT_OK || !m->messages) return rc;
    for (unsigned i = 0; i < fabric_representatives(run->f); i++)
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
            fabric_expect(run->f, i, d,
                          graph_messages_bytes(m->messages, fabric_first_node(run->f, i), d));
    return EXIT_OK;
}

int graph_run_end(graph_run *run, uint64_t digest) {
    const driver d = graph_engine_driver(run->e);
    const int rc = fabric_run(run->f, &d, digest);

    return rc == EXIT_OK ? graph_engine_end(run->e) : rc;
}

int graph_run_destroy(graph_run *run) {
    graph_engine_destroy(run->e); /* before the fabric */
    return fabric_destroy(run->f);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_run.h -- one run of graphs: the fabric, the engine on it, and how both begin and end
 *
 *     graph_run run = { 0 };
 *     rc = graph_run_create(&source, &machine, &execution, &work, &watch, &run);
 *     if (rc == EXIT_OK) rc = graph_run_end(&run, digest);
 *     ... its report ...
 *     closed = graph_run_destroy(&run);
 */
#ifndef GRAPH_RUN_H
#define GRAPH_RUN_H

#include "fabric.h"
#include "graph_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graph_run {
    fabric *f;
    graph_engine *e;
} graph_run;

/* Makes the fabric and the engine, and gives the fabric the bytes of all messages. All processes
 * call it. Returns EXIT_OK, or another status after a message. */
int graph_run_create(const graph_source *m, const machine *of, const execution *how,
                     const fabric_work *work, const fabric_watch *watch, graph_run *run);
/* Runs to the end. digest: of everything that the result depends on, for checkpoints. Returns
 * EXIT_OK, or another status after a message. */
int graph_run_end(graph_run *run, uint64_t digest);
/* A run that was not made, or not completely, is allowed. Returns what fabric_destroy() returns. */
int graph_run_destroy(graph_run *run);

#ifdef __cplusplus
}
#endif

#endif

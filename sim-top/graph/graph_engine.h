/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_engine.h -- runs the graphs of all NPUs on a fabric
 *
 *     graph_engine_create(&source, &options, fabric, &e);
 *     driver d = graph_engine_driver(e);
 *     fabric_run(fabric, &d, digest);
 *     rc = graph_engine_end(e);
 *     graph_engine_destroy(e);                before the fabric
 *
 * The code that makes the graphs supplies a graph_source. It opens the graph of an NPU, and is
 * called when a mark is reached. Training uses the same engine as traces, since two models of
 * contention would drift apart. The engine keeps a window of nodes, since the traces of a thousand
 * NPUs do not fit in memory.
 *
 * Compute with contention: an operation starts with the number of cycles that it takes alone. Each
 * cycle reduces this by a rate. The rate depends on whether a collective is outstanding at its NPU
 * and whether the background computes (npu.h). All numbers are whole, so the result does not depend
 * on how often the engine runs. Between two cycles in which something changes for an NPU, the
 * engine does not run the NPU.
 *
 * Rules that hold for every call
 *   Threads     The driver's calls, and the source's that name a representative, come from one
 *               thread at a time for that representative.
 *   Processes   Graphs are opened only for representatives of this process (processes.h).
 *   Checkpoint  Graphs are read again up to the saved position, and must be the same.
 */
#ifndef GRAPH_ENGINE_H
#define GRAPH_ENGINE_H

#include "fabric.h"
#include "graph.h"
#include "graph_messages.h"
#include "machine.h"
#include "spans.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The background lane's share of an NPU: an SM and 80 GB/s of 80 SMs and 900 GB/s (R). */
#define GRAPH_BACKGROUND_SHARE ((npu_share){ 1, 80 })

/* Cycles of an NPU since the run began, by activity. */
typedef struct graph_account {
    uint64_t now;
    uint64_t computing;     /* it computed, in any lane */
    uint64_t compute_lane;  /* the compute lane computed */
    uint64_t alone;         /* sum over operations begun of the cycles that each takes alone */
    uint64_t launching;     /* sum over them of what the host's launch takes beyond that */
    uint64_t communication; /* a collective, send or receive was outstanding */
    uint64_t exposed;       /* communication was outstanding and it did not compute */
    uint64_t memory;        /* only memory was active, or only memory and its CPU */
    uint64_t host;          /* only its CPU was active */
    uint64_t finished;      /* number of finished nodes */
} graph_account;

typedef struct graph_names {
    const char *what, *name; /* "all-reduce"; name of a layer, or "" */
} graph_names;

/* Memory that NPUs share, see graph_pool.h. */
typedef struct graph_pool {
    unsigned npus;     /* NPUs of one server: server i / npus serves NPU i; 0: no shared memory */
    bool together;     /* each transfer is one transfer of all NPUs */
    uint64_t shortest; /* no transfer takes fewer cycles */
} graph_pool;

typedef struct graph_source {
    void *self;
    /* Opens the graph of the NPU at node `npu` of the cluster, at its beginning. Returns EXIT_OK,
     * or another status after a message. */
    int (*open)(void *self, unsigned npu, graph_reader *r);
    uint32_t window; /* most nodes of a graph in memory at a time */
    /* Returns the NPU at the node `at`; NULL: the cluster's. It may differ only in memory
     * bandwidth. */
    const npu *(*npu)(const void *self, unsigned at);
    /* Collectives on the endpoint begin in the order of graph_order.h. This opens each graph
     * twice. */
    bool in_order;
    const graph_messages *messages; /* of all graphs, which then run in order; NULL: none */
    unsigned slots;                 /* slots of the communication lane; 0: unlimited */
    bool spans;                     /* record the spans of collectives (graph_engine_spans) */
    /* Every node has valid `cycles_to_submission`, which includes nodes that are not read yet,
     * and slots are unlimited. */
    bool has_exact_lookahead;
    graph_pool pool;   /* for `shared` nodes; needs an unfolded fabric in one process */
    double moved_GBps; /* bandwidth that a node with `moves` takes of the NPU's memory */
    /* bytes a cycle that sums of collectives by messages read and write; 0: sums take no time */
    double sum_bytes;
    /* The names of a label: of a collective, and of any node as text. They must last as long as the
     * source. */
    graph_names (*names)(const void *self, uint32_t label);
    void (*label)(const void *self, uint32_t label, char *to, size_t room);
    /* Called when a mark is reached; NULL: not wanted. */
    void (*marked)(void *self, unsigned representative, uint32_t label, const graph_account *a);
    double (*progress)(const void *self, const graph_account *a); /* of representative 0: 0..1 */
    /* saves and loads what marked() has recorded; NULL: nothing */
    void (*state)(void *self, ace_state *s);
} graph_source;

typedef struct graph_engine graph_engine;
/* Creates the engine. The caller owns the options, the fabric and the source, and keeps them at
 * their addresses. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int graph_engine_create(const graph_source *m, const machine *of, fabric *f, graph_engine **e);
void graph_engine_destroy(graph_engine *e); /* NULL is allowed */
driver graph_engine_driver(graph_engine *e);
/* Call it after the run, at all processes. Returns EXIT_OK. After a message it returns EXIT_CHECK
 * if an endpoint refused a command or completed one that was not issued, or EXIT_USAGE if a graph
 * was faulty. */
int graph_engine_end(const graph_engine *e);
const spans *graph_engine_spans(const graph_engine *e, unsigned representative);
graph_account graph_engine_account(const graph_engine *e, unsigned representative);

/* Return the cycles that an operation of a lane takes alone, on the cluster's NPU at full speed, or
 * on another NPU. */
uint64_t graph_operation_cycles(const machine *of, const operation *op, graph_lane lane);
uint64_t graph_operation_cycles_on(const npu *n, double clock_MHz, const operation *op,
                                   graph_lane lane);

#ifdef __cplusplus
}
#endif

#endif
